/* Shared by the files of the package view. */
#ifndef PACKAGE_INTERNAL_H
#define PACKAGE_INTERNAL_H

#include "view/view_internal.h"

/* A die on the substrate: micrometres from its lower-left corner, then cells. */
struct die {
	uint32_t device;
	uint64_t x, y, w, h;
	struct rect at;
};

/* Links of one kind between dies of two types, with what they need. */
struct join {
	uint32_t kind, type_a, type_b;
	struct bundle sum;
	unsigned glyph;            /* of the medium: index of package_glyph */
	uint64_t edge_um, side_um; /* of the pair that needs most of its edge: needed and there; or UNKNOWN */
	uint64_t there;            /* what that edge can carry, bit/s, or UNKNOWN */
	uint64_t used;             /* what its links carry */
};

/* Something that cannot be built so: a link beyond the reach of its medium, or wider than the edge it leaves by. */
struct violation {
	uint32_t trunk;
	uint64_t is_um, limit_um;
	bool reach, estimated;
};

struct line {
	char *text; /* owned */
	uint8_t role;
	int indent; /* of what wraps */
};

struct package_plan {
	uint32_t package;
	VEC(struct die) dies;
	VEC(struct join) joins;
	VEC(struct violation) violations;
	VEC(struct line) lines;  /* what stands beside the picture */
	uint32_t *die_of;        /* device -> die or NONE */
	struct bundle out;       /* links that leave the package */
	uint32_t unplaced;       /* devices without place or size */
	uint32_t not_drawn;      /* trunks between drawn dies with another die between them */
	struct rect picture, words; /* parts of the area */
	struct rect substrate;   /* cells */
};

uint32_t package_glyph(const struct package_plan *p, const struct fabric *f, uint32_t kind);
/* Where a trunk between two drawn dies is drawn; false when it is not. */
bool package_band(const struct package_plan *p, const struct fabric *f, uint32_t trunk, struct rect *band, bool *across);
struct package_plan package_of(const struct scene *s, struct rect area);
void package_free(struct package_plan *p);
/* Fills lines from all else. */
void package_write(const struct scene *s, struct package_plan *p);
/* Rows that the lines take in so many columns. */
int package_line_rows(const struct package_plan *p, int cols);
void package_draw_lines(const struct package_plan *p, struct canvas *c);

#endif
