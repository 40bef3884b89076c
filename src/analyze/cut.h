/* Cuts of capacitated graphs: the engine under `bisection`. A graph here has vertices of weight 1 (endpoints:
 * exactly so many must stand on each side) and of weight 0 (switches: either side), and integer capacities.
 * A side is 0 or 1 for each vertex.
 */
#ifndef TOPONAUT_ANALYZE_CUT_H
#define TOPONAUT_ANALYZE_CUT_H

#include "toponaut/analyze.h"

struct cutgraph {
	uint32_t n, m;
	uint8_t *weight;
	uint32_t *u, *v;   /* edge ends, u < v, no two edges alike, sorted */
	int64_t *cap;      /* > 0 */
	uint32_t *at, *to; /* neighbours of x: to[at[x] … at[x+1]-1], ascending */
	int64_t *cap_to;
	uint32_t endpoints;
};

/* Takes an edge list in any order, with repeats and loops; merges it. weight is copied. O(m log m). */
struct cutgraph cutgraph_new(uint32_t n, const uint8_t *weight, size_t m, const uint32_t *u, const uint32_t *v,
			     const int64_t *cap);
/* Of a projection; *unit is the greatest common divisor that the capacities were divided by. */
struct cutgraph cutgraph_of(const struct network *net, uint64_t *unit);
void cutgraph_free(struct cutgraph *g);
int64_t cut_value(const struct cutgraph *g, const uint8_t *side);
uint32_t cut_count(const struct cutgraph *g, const uint8_t *side); /* endpoints on side 1 */
/* Distance in links from the nearest endpoint; NONE when cut off. Returns the largest. O(n + m). */
uint32_t cut_tiers(const struct cutgraph *g, uint32_t *tier);

/* The core: the graph without endpoints that hang on a switch by a single link; with twins, endpoints with the same links
 * are one vertex of as many times the capacity. */
struct cutcore {
	struct cutgraph g;  /* weight: 1 where mass > 0 */
	double *mass;       /* endpoints at each vertex */
	bool *crowd;        /* the vertex is several endpoints, which reach each other over its links */
	uint32_t *place;    /* vertex of the graph -> vertex of the core that it is, or sits on; NONE for what has no link */
	double total;       /* endpoints in it */
	uint32_t isolated;  /* endpoints without a link, left out too: they may stand on any side */
	int64_t *single;    /* capacities of the links left out, ascending */
	uint32_t singles;
};

struct cutcore cut_core(const struct cutgraph *g, bool twins);
void cutcore_free(struct cutcore *c);
/* An endpoint that the core leaves out. */
bool cut_is_single(const struct cutgraph *g, uint32_t v);
/* leader[v]: the first endpoint with the same links as endpoint v; v itself for all others. O(n + m). */
void cut_twins(const struct cutgraph *g, uint32_t *leader);

/* Merges switches where that changes no cut of the endpoints (see cut_reduce.c), and with flows no flow between them
 * either; map[vertex] is the vertex of the result. Returns an owned graph. O(rounds * m log m). */
struct cutgraph cut_reduce(const struct cutgraph *g, bool flows, uint32_t *map, struct progress *p);

/* The smallest cut with exactly k endpoints on side 1: dynamic programming over separators. False when the
 * budget of steps or the time is used up. side has g->n entries. */
bool cut_exact(const struct cutgraph *g, uint32_t k, uint64_t budget, struct progress *p, int64_t *value,
	       uint8_t *side);
/* The same by enumeration, for at most 30 vertices. */
bool cut_enumerate(const struct cutgraph *g, uint32_t k, struct progress *p, int64_t *value, uint8_t *side);

/* Branch and bound (cut_sweep.c), when its order promises at most so much work (states, roughly). *value is a known cut; when it
 * returns true, *value is the smallest cut, and side is its witness if it got smaller (else side is untouched). False when the
 * frontier is too long, or time or memory is used up. */
bool cut_sweep(const struct cutgraph *g, uint32_t k, double work, struct progress *p, int64_t *value, uint8_t *side);

/* A good cut with exactly k endpoints on side 1: seeded local search from many starts. rounds counts starts;
 * a cut of goal (a proven bound) ends it. */
int64_t cut_search(const struct cutgraph *g, uint32_t k, uint64_t seed, unsigned rounds, int64_t goal, struct progress *p,
		   uint8_t *side);
/* Puts every switch on its best side for the endpoints as they stand (one max flow). */
void cut_place_switches(const struct cutgraph *g, uint8_t *side);

/* A proven lower bound on every cut with k endpoints on one side, from a routing of uniform all-to-all traffic: what
 * crosses must fit. Thorough, it works on until it meets goal (a known cut) or time is out. 0 when nothing follows. */
int64_t cut_spread_bound(const struct cutgraph *g, uint32_t k, int64_t goal, bool thorough, struct progress *p);
/* The same from routing every pattern of traffic through the middle of the network, for what has tiers. */
int64_t cut_hose_bound(const struct cutgraph *g, uint32_t k, int64_t goal, struct progress *p);
/* The same from the eigenvalues of the Laplacian, with what integers say besides; for cores of at most 512 vertices
 * that have equally many endpoints each. 0 when it does not apply. O(n³). */
int64_t cut_spectral_bound(const struct cutgraph *g, uint32_t k);
/* Raises a bound to a value that a cut can have, when all degrees have one parity. */
int64_t cut_parity(const struct cutgraph *g, uint32_t k, int64_t bound);

#endif
