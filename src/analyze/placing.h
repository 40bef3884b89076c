/* Where things stand, as lengths: of links that the file gives no length, and edges of dies that face each other. */
#ifndef TOPONAUT_PLACING_H
#define TOPONAUT_PLACING_H

#include "toponaut/analyze.h"

/* A die on its package, in micrometres. */
struct rect {
	uint64_t x, y, width, height;
};

enum die_edge { EDGE_LEFT, EDGE_RIGHT, EDGE_BOTTOM, EDGE_TOP, EDGE_COUNT };
extern const char *const die_edge_names[EDGE_COUNT];

bool device_rect(const struct fabric *f, uint32_t device, struct rect *out);
/* The edge of a that looks at b, across the wider of the two gaps; EDGE_COUNT when they overlap. */
enum die_edge facing_edge(const struct rect *a, const struct rect *b);
uint64_t edge_length(const struct rect *a, enum die_edge e);

#endif
