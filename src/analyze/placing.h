/* Where things stand, as lengths: of links that the file gives no length, and edges of dies that face each other. */
#ifndef TOPONAUT_PLACING_H
#define TOPONAUT_PLACING_H

#include "toponaut/fabric.h"

/* A length in micrometres, or UNKNOWN; estimated when it follows from placement and not from the file. */
struct span {
	uint64_t um;
	bool estimated;
};

/* A die on its package, in micrometres. */
struct rect {
	uint64_t x, y, width, height;
};

enum die_edge { EDGE_LEFT, EDGE_RIGHT, EDGE_BOTTOM, EDGE_TOP, EDGE_COUNT };
extern const char *const die_edge_names[EDGE_COUNT];

struct span trunk_span(const struct fabric *f, uint32_t trunk);
bool device_rect(const struct fabric *f, uint32_t device, struct rect *out);
/* The edge of a that looks at b, across the wider of the two gaps; EDGE_COUNT when they overlap. */
enum die_edge facing_edge(const struct rect *a, const struct rect *b);
uint64_t edge_length(const struct rect *a, enum die_edge e);

#endif
