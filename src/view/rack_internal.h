/* Shared by rack_plan.c (which lines) and rack.c (drawing and moving). */
#ifndef RACK_INTERNAL_H
#define RACK_INTERNAL_H

#include "view/view_internal.h"

struct rack_item {
	bool is_device;
	uint32_t id;          /* module or device */
	uint32_t first, end;  /* devices inside */
	uint32_t unit, units; /* lowest unit, or NONE; height */
	uint32_t order;       /* as the file has them */
};

/* A line: one item, several folded ones, or (count 0) the empty units gap_low … gap_high. */
struct rack_row {
	size_t item, count;
	uint32_t gap_low, gap_high;
};

struct rack_plan {
	VEC(struct rack_item) items;
	VEC(struct rack_row) rows;
};

/* height 0: nothing is folded, no gaps. */
struct rack_plan rack_plan(const struct scene *s, uint32_t rack, int height);
void rack_plan_free(struct rack_plan *p);
bool rack_row_has(const struct rack_plan *p, size_t row, uint32_t device);
/* The devices of a line that are shown; *out is owned by the caller. */
size_t rack_row_devices(const struct scene *s, const struct rack_plan *p, size_t row, uint32_t **out);
/* Counted trunks that leave the line's items. */
struct bundle rack_row_bundle(const struct scene *s, const struct rack_plan *p, size_t row);
/* All racks that hold devices; *out is owned by the caller. */
size_t rack_list(const struct fabric *f, uint32_t **out);

#endif
