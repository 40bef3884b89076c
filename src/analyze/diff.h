/* Comparing designs with what was built: matching of devices (diff_match.c), of cables (diff.c), words (diff_put.c). */
#ifndef TOPONAUT_DIFF_H
#define TOPONAUT_DIFF_H

#include "analyze/analyze_internal.h"

/* One end of a cable: a device that both sides share where it was matched, and the text of its port. */
struct diff_end {
	uint32_t node, port; /* port: id of a text, NONE when not both sides know it */
};

struct diff_cable {
	struct diff_end end[2]; /* in order */
	uint32_t fabric;        /* 0 built, 1 … designs */
	uint32_t device[2];     /* in that fabric */
	name_id port[2];        /* in that fabric's names */
	uint64_t rate;
	uint32_t origin;
	uint32_t peer; /* the cable of the other side it was matched with, or NONE */
};

/* What the sides have in common: node numbers. Built devices keep their ids; what only a design has comes behind. */
struct diff_nodes {
	const struct fabric *const *fabric; /* 0 built, 1 … designs */
	size_t fabric_count;
	struct arena arena;
	uint32_t **of;       /* fabric, device -> node */
	const char ***label; /* fabric, device -> what people call it */
	uint32_t count;
	uint32_t by_guid, by_name, by_structure, unmatched; /* devices of designs */
};

/* What of the built fabric differs, and how: values of enum diff_kind. */
struct diff_marks {
	struct idset devices, trunks;
	uint32_t *device_kind, *trunk_kind;
};

struct diff_nodes diff_match(const struct fabric *const *fabric, size_t count, const char *names);
void diff_nodes_free(struct diff_nodes *n);
#endif
