/* Maximum concurrent flow: how much of every demand can be routed at once, split as one likes. Bounds from both sides: a
 * routing (any sum of routings is one) and its dual (any lengths of arcs bound it).
 */
#ifndef TOPONAUT_ANALYZE_CONCURRENT_H
#define TOPONAUT_ANALYZE_CONCURRENT_H

#include "analyze/cut.h"

/* Either a product (mass: every vertex a sends mass[a]·mass[b] to every b; with sink mass[a]·sink[b], and as much comes back
 * over the same ways), or listed by target. */
struct demands {
	const double *mass;
	const double *sink; /* or NULL */
	const bool *crowd; /* with mass: vertices whose own endpoints also send to each other, over the links; or NULL */
	const uint32_t *at, *from; /* demands to t: from[at[t] … at[t+1]-1] */
	const double *amount;
};

struct concurrent;

/* Borrows all its arguments. blocked vertices send and receive but do not forward; NULL: all forward. Returns owned. */
struct concurrent *concurrent_new(const struct cutgraph *g, const bool *blocked, const struct demands *d);
void concurrent_free(struct concurrent *c);

/* Routes every demand once along shortest paths by hops, split at every hop in proportion to the capacities that lead on.
 * False when a demand cannot reach its target, or time is out. O(targets * m). */
bool concurrent_by_hops(struct concurrent *c, struct progress *p);
/* The same again, with hops over what was nearly as loaded as the worst arc counted threefold: where detours over two scarce
 * links are as short in hops as the way over one, they are not any more. Ties still split, so symmetry stays. Forgets what was
 * routed before. O(targets * m log n). */
bool concurrent_by_scarce_hops(struct concurrent *c, struct progress *p);
/* Once more along shortest paths by hops, now shared out so that what was full before gets less. Forgets what was routed
 * before. False also when shares have become too small. O(targets * m). */
bool concurrent_by_weights(struct concurrent *c, struct progress *p);
/* One phase over lengths that grow with load (Garg and Könemann; Fleischer). The first one forgets what was routed before.
 * O(targets * m log n). */
bool concurrent_phase(struct concurrent *c, struct progress *p);
/* What the routing so far proves: this much of every demand fits. */
double concurrent_lower(const struct concurrent *c);
/* How full the fullest arc at v is, of the fullest of all. O(degree + m). */
double concurrent_fill(const struct concurrent *c, uint32_t v);
/* What the lengths now prove: no more fits. O(targets * m log n). INFINITY when nothing follows. */
double concurrent_upper(struct concurrent *c, struct progress *p);
/* The exact value by linear programming, for small cases; false when it is too large or the solver gave up. */
bool concurrent_solve(const struct concurrent *c, double *value);

#endif
