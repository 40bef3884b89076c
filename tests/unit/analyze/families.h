/* Graph families with known bisections, built here from their definitions and nothing else. */
#ifndef TOPONAUT_TESTS_FAMILIES_H
#define TOPONAUT_TESTS_FAMILIES_H

#include "analyze/cut.h"

struct family {
	uint32_t n;
	VEC(uint8_t) weight;
	VEC(uint32_t) u, v;
	VEC(int64_t) cap;
};

uint32_t family_add(struct family *f, uint8_t weight);
void family_link(struct family *f, uint32_t u, uint32_t v, int64_t cap);
struct cutgraph family_graph(const struct family *f);
void family_free(struct family *f);

struct family family_complete(uint32_t n);
struct family family_hypercube(uint32_t d);
struct family family_grid(uint32_t dims, const uint32_t *k, bool wrap);
struct family family_bipartite(uint32_t m, uint32_t n);
struct family family_star(uint32_t n);
struct family family_hamming(uint32_t k, uint32_t d, uint32_t hosts); /* hosts 0: routers are endpoints */
struct family family_planes(uint32_t endpoints, uint32_t planes, const int64_t *links);
struct family family_dgx2(void);
struct family family_pairs(uint32_t n, const uint32_t (*pairs)[3], size_t m);
struct family family_leaf_spine(uint32_t leaves, uint32_t hosts, uint32_t spines, int64_t up);
struct family family_fat_tree(uint32_t k, uint32_t hosts);
struct family family_rail_pod(uint32_t nodes, uint32_t gpus, int64_t nvlink, uint32_t spines, int64_t up);
struct family family_dragonfly(uint32_t a, uint32_t p, uint32_t h, bool hosts);
struct family family_slim_fly5(uint32_t hosts);
struct family family_random(struct rng *rng, uint32_t n, uint32_t endpoints, uint32_t links, uint32_t most);

/* The smallest balanced cut by trying every assignment; n <= 20. */
int64_t brute_force(const struct cutgraph *g, uint32_t k);

#endif
