/* Shared by blocking.c (which networks there are) and clos.c (what each is). */
#ifndef TOPONAUT_ANALYZE_BLOCKING_H
#define TOPONAUT_ANALYZE_BLOCKING_H

#include "analyze/analyze_internal.h"

/* A component: of switches with the terminals they touch, or of terminals that are linked directly. */
struct part {
	bool direct;
	VEC(uint32_t) switches, terminals; /* vertices of the projection; terminals ascending */
	uint32_t plane_of;  /* the first part over the same terminals */
	uint32_t next_plane, last_plane; /* list of the planes, from the first */
	json_int_t planes;  /* parts that are planes of this one */
	json_int_t beyond;  /* switches that were left out, of its planes too */
	bool essential;     /* joins endpoints that no other network joins */
};
/* A named type, so that it can be passed on. */
struct parts {
	struct part *at;
	size_t n, cap;
};

/* Classifies parts, one after the other. */
struct clos;
struct clos *clos_new(const struct request *r, const struct network *n); /* returns owned */
void clos_free(struct clos *c);
/* What a part is: tiers, ratios, Clos numbers, class and the condition that decided. Returns owned. */
json_t *clos_classify(struct clos *c, const struct part *part);
/* Marks every device with its tier (0 endpoints, 1 … switches), as found in the parts classified, else by distance. */
void clos_mark(const struct clos *c, struct progress *p);

#endif
