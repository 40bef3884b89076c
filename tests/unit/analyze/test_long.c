/* Thousands of random graphs; how many is TOPONAUT_SEEDS (make check-long: 10,000), a few by default. */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "families.h"

static unsigned seeds(unsigned few)
{
	const char *text = getenv("TOPONAUT_SEEDS");

	return text ? (unsigned)strtoul(text, NULL, 10) : few;
}

static int64_t reduced_exact(const struct cutgraph *g, uint32_t k)
{
	uint32_t *map = calloc(g->n, sizeof *map);
	uint8_t *side = calloc(g->n, 1);
	struct cutgraph r = cut_reduce(g, false, map, NULL);
	int64_t value = -1;

	cr_assert(cut_exact(&r, k, UINT64_C(1) << 40, NULL, &value, side));
	cutgraph_free(&r);
	free(map);
	free(side);
	return value;
}

/* Four ways to the same number, and no bound on the wrong side of it. */
Test(long_run, all_methods_agree)
{
	for (unsigned seed = 1; seed <= seeds(200); seed++) {
		struct rng rng = rng_seed(seed);
		uint32_t n = 4 + rng_below(&rng, 9), endpoints = 2 + rng_below(&rng, n - 1);
		struct family f = family_random(&rng, n, endpoints, n + rng_below(&rng, 2 * n), 1 + rng_below(&rng, 6));
		struct cutgraph g = family_graph(&f);
		uint32_t k = g.endpoints / 2;
		uint8_t side[32];
		int64_t truth = brute_force(&g, k), value = INT64_MAX / 8;

		cr_assert_eq(reduced_exact(&g, k), truth, "seed %u: dynamic programming", seed);
		cr_assert(cut_sweep(&g, k, 1e12, NULL, &value, side));
		cr_assert_eq(value, truth, "seed %u: branch and bound", seed);
		cr_assert(cut_enumerate(&g, k, NULL, &value, side));
		cr_assert_eq(value, truth, "seed %u: enumeration", seed);
		cr_assert_leq(cut_parity(&g, k, cut_spectral_bound(&g, k)), truth, "seed %u: spectral bound", seed);
		cr_assert_leq(cut_parity(&g, k, cut_spread_bound(&g, k, truth + 1, true, NULL)), truth, "seed %u: routing bound", seed);
		cr_assert_leq(cut_hose_bound(&g, k, 4 * truth + 4, NULL), truth, "seed %u: routing through the middle", seed);
		cr_assert_geq(cut_search(&g, k, seed, 6, 0, NULL, side), truth, "seed %u: search", seed);
		cutgraph_free(&g);
		family_free(&f);
	}
}

/* The reduction for flows keeps the cut between any two sets of endpoints. */
Test(long_run, reductions_keep_every_cut)
{
	for (unsigned seed = 1; seed <= seeds(200); seed++) {
		struct rng rng = rng_seed(seed * 77);
		struct family f = family_random(&rng, 9, 4, 14, 4);
		struct cutgraph g = family_graph(&f);
		uint32_t map[9];

		for (int flows = 0; flows < 2; flows++) {
			struct cutgraph r = cut_reduce(&g, flows, map, NULL);

			for (uint32_t split = 0; split < 16; split++) {
				uint8_t a[9] = {0}, b[9] = {0};

				for (uint32_t v = 0; v < 4; v++) {
					a[v] = split >> v & 1;
					b[map[v]] = split >> v & 1;
				}
				cut_place_switches(&g, a);
				cut_place_switches(&r, b);
				cr_assert_eq(cut_value(&g, a), cut_value(&r, b), "seed %u, split %u", seed, split);
			}
			cutgraph_free(&r);
		}
		cutgraph_free(&g);
		family_free(&f);
	}
}
