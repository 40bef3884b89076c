/* The cut engine against theory and brute force. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "families.h"

static void check_side(const struct cutgraph *g, const uint8_t *side, uint32_t k, int64_t value, const char *name)
{
	cr_assert_eq(cut_count(g, side), k, "%s: %u on side 1, not %u", name, cut_count(g, side), k);
	cr_assert_eq(cut_value(g, side), value, "%s: the side cuts %ld, not %ld", name, (long)cut_value(g, side),
		     (long)value);
}

/* Reduces, solves, and carries the side back. */
static int64_t solve(const struct cutgraph *g, const char *name)
{
	uint32_t *map = calloc(g->n, sizeof *map);
	struct cutgraph r = cut_reduce(g, false, map, NULL);
	uint8_t *side = calloc(g->n, 1), *full = calloc(g->n, 1);
	int64_t value = -1;
	uint32_t k = g->endpoints / 2;
	bool done = cut_exact(&r, k, 2000000000u, NULL, &value, side);

	cr_assert(done, "%s: not solved", name);
	check_side(&r, side, k, value, name);
	for (uint32_t v = 0; v < g->n; v++)
		full[v] = side[map[v]];
	check_side(g, full, k, value, name);
	cutgraph_free(&r);
	free(map);
	free(side);
	free(full);
	return value;
}

static void expect(struct family f, int64_t want, const char *name)
{
	struct cutgraph g = family_graph(&f);
	int64_t found = solve(&g, name);

	cr_expect_eq(found, want, "%s: %ld, expected %ld", name, (long)found, (long)want);
	cutgraph_free(&g);
	family_free(&f);
}

/* Closed forms (Leighton; Arjona Aroca and Fernández Anta; own derivations checked by enumeration). */
Test(cut, closed_forms)
{
	static const uint32_t dgx1v[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
					    {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
					    {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
	static const int64_t h100[] = {5, 4, 4, 5}, a100[] = {2, 2, 2, 2, 2, 2};

	expect(family_complete(4), 4, "K4");
	expect(family_complete(9), 20, "K9");
	expect(family_complete(16), 64, "K16");
	expect(family_hypercube(3), 4, "Q3");
	expect(family_hypercube(4), 8, "Q4");
	expect(family_grid(1, (uint32_t[]){9}, true), 2, "C9");
	expect(family_grid(1, (uint32_t[]){4}, false), 1, "P4");
	expect(family_grid(2, (uint32_t[]){4, 4}, true), 8, "torus 4x4");
	expect(family_grid(2, (uint32_t[]){3, 3}, true), 8, "torus 3x3");
	expect(family_grid(2, (uint32_t[]){5, 5}, true), 12, "torus 5x5");
	expect(family_grid(2, (uint32_t[]){4, 7}, true), 10, "torus 4x7");
	expect(family_grid(3, (uint32_t[]){3, 3, 3}, true), 26, "torus 3x3x3");
	expect(family_grid(2, (uint32_t[]){2, 2}, true), 4, "torus 2x2");
	expect(family_grid(2, (uint32_t[]){4, 4}, false), 4, "mesh 4x4");
	expect(family_grid(3, (uint32_t[]){3, 3, 3}, false), 13, "mesh 3x3x3");
	expect(family_hamming(4, 2, 0), 16, "HyperX 4x4");
	expect(family_hamming(5, 2, 0), 36, "HyperX 5x5");
	expect(family_bipartite(5, 5), 13, "K5,5");
	expect(family_bipartite(4, 4), 8, "K4,4");
	expect(family_pairs(8, dgx1v, ARRAY_LEN(dgx1v)), 6, "DGX-1V");
	expect(family_planes(8, 4, h100), 72, "HGX H100");
	expect(family_planes(8, 6, a100), 48, "HGX A100");
	expect(family_dgx2(), 48, "DGX-2");
	expect(family_star(9), 4, "star 9");
}

Test(cut, trees)
{
	static const int64_t one[18] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

	expect(family_planes(72, 18, one), 648, "NVL72");
	expect(family_planes(9, 4, one), 16, "9 endpoints, 4 planes");
	expect(family_leaf_spine(4, 4, 2, 1), 4, "leaf-spine 4x4x2");
	expect(family_leaf_spine(8, 8, 4, 1), 16, "leaf-spine 8x8x4");
	expect(family_leaf_spine(16, 16, 8, 1), 64, "leaf-spine 16x16x8");
	expect(family_leaf_spine(3, 4, 2, 1), 4, "leaf-spine 3x4x2");
	expect(family_leaf_spine(7, 5, 3, 1), 11, "leaf-spine 7x5x3");
	expect(family_leaf_spine(9, 8, 4, 1), 20, "leaf-spine 9x8x4");
	expect(family_leaf_spine(5, 6, 4, 2), 15, "leaf-spine 5x6x4, two links");
	expect(family_fat_tree(4, 2), 8, "fat tree 4");
	expect(family_fat_tree(6, 3), 27, "fat tree 6");
	expect(family_fat_tree(8, 4), 64, "fat tree 8");
	expect(family_fat_tree(16, 8), 512, "fat tree 16");
	expect(family_rail_pod(4, 8, 8, 4, 2), 16, "rail pod 4");
	expect(family_rail_pod(8, 8, 8, 4, 2), 32, "rail pod 8");
}

/* A three-level tree whose edge switches are oversubscribed 2:1 halves its bisection. */
Test(cut, tapered_fat_trees)
{
	expect(family_fat_tree(8, 8), 64, "fat tree 8, 8 hosts an edge");
	expect(family_fat_tree(16, 16), 512, "fat tree 16, 16 hosts an edge");
}

Test(cut, random_graphs_agree_with_brute_force)
{
	struct rng rng = rng_seed(7);

	for (int round = 0; round < 300; round++) {
		uint32_t n = 4 + rng_below(&rng, 9);
		struct family f = family_random(&rng, n, 2 + rng_below(&rng, n - 1), n + rng_below(&rng, 2 * n), 6);
		struct cutgraph g = family_graph(&f);
		uint8_t side[16];
		uint32_t k = g.endpoints / 2;
		int64_t truth = brute_force(&g, k), found = -1;

		cr_assert_eq(solve(&g, "random"), truth, "round %d", round);
		cr_assert(cut_enumerate(&g, k, NULL, &found, side));
		cr_assert_eq(found, truth, "round %d: enumeration", round);
		check_side(&g, side, k, truth, "enumeration");
		cr_assert_leq(cut_spectral_bound(&g, k), truth, "round %d: spectral bound too high", round);
		cr_assert_leq(cut_parity(&g, k, cut_spread_bound(&g, k, truth, true, NULL)), truth, "round %d: bound too high", round);
		cr_assert_leq(cut_hose_bound(&g, k, 4 * truth + 4, NULL), truth, "round %d: hose bound too high", round);
		found = cut_search(&g, k, 1, 12, 0, NULL, side);
		cr_assert_geq(found, truth, "round %d: search below the truth", round);
		check_side(&g, side, k, found, "search");
		cr_assert(cut_sweep(&g, k, 1e12, NULL, &found, side));
		cr_assert_eq(found, truth, "round %d: branch and bound", round);
		check_side(&g, side, k, truth, "branch and bound");
		found = INT64_MAX / 8;
		cr_assert(cut_sweep(&g, k, 1e12, NULL, &found, side));
		check_side(&g, side, k, truth, "branch and bound from nothing");
		cut_place_switches(&g, side);
		cr_assert_leq(cut_value(&g, side), found);
		cr_assert_eq(cut_count(&g, side), k);
		cutgraph_free(&g);
		family_free(&f);
	}
}

/* Bounds that are tight by symmetry: even tori, hypercubes, complete graphs. */
Test(cut, spread_bound_is_tight_on_symmetric_graphs)
{
	struct {
		struct family f;
		int64_t want;
	} cases[] = {
		{family_grid(3, (uint32_t[]){4, 4, 4}, true), 32}, {family_grid(2, (uint32_t[]){8, 8}, true), 16},
		{family_hypercube(6), 32}, {family_complete(16), 64}, {family_hamming(4, 2, 0), 16},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cutgraph g = family_graph(&cases[i].f);
		uint8_t *side = calloc(g.n, 1);

		cr_expect_eq(cut_spread_bound(&g, g.endpoints / 2, cases[i].want, true, NULL), cases[i].want, "case %zu", i);
		cr_expect_eq(cut_search(&g, g.endpoints / 2, 1, 24, 0, NULL, side), cases[i].want, "case %zu", i);
		free(side);
		cutgraph_free(&g);
		family_free(&cases[i].f);
	}
}

Test(cut, parity_of_odd_degrees)
{
	struct family f = family_complete(6); /* degree 5, three on a side: the cut is odd (9) */
	struct cutgraph g = family_graph(&f);

	cr_expect_eq(cut_parity(&g, 3, 8), 9);
	cr_expect_eq(cut_parity(&g, 3, 9), 9);
	cutgraph_free(&g);
	family_free(&f);
}

/* Removing a link never raises a bisection, doubling every capacity doubles it. */
Test(cut, monotone_and_linear)
{
	struct rng rng = rng_seed(11);

	for (int round = 0; round < 40; round++) {
		struct family f = family_random(&rng, 10, 7, 24, 4);
		struct cutgraph g = family_graph(&f), less, twice;
		int64_t whole = solve(&g, "whole");
		int64_t *doubled = calloc(f.cap.n, sizeof *doubled);

		for (size_t i = 0; i < f.cap.n; i++)
			doubled[i] = 2 * f.cap.at[i];
		twice = cutgraph_new(f.n, f.weight.at, f.u.n, f.u.at, f.v.at, doubled);
		less = cutgraph_new(f.n, f.weight.at, f.u.n - 1, f.u.at, f.v.at, f.cap.at);
		cr_expect_eq(solve(&twice, "doubled"), 2 * whole);
		cr_expect_leq(solve(&less, "one link less"), whole);
		free(doubled);
		cutgraph_free(&g);
		cutgraph_free(&less);
		cutgraph_free(&twice);
		family_free(&f);
	}
}

/* Graphs without small separators, closed by a bound that meets a cut: dragonfly (all-to-all over its global links),
 * Slim Fly with and without hosts (eigenvalues with parity). */
Test(cut, bounds_close_low_diameter_networks)
{
	struct {
		struct family f;
		int64_t want;
		bool spectral;
	} cases[] = {
		{family_dragonfly(4, 2, 2, true), 20, false},
		{family_dragonfly(4, 2, 2, false), 20, false},
		{family_slim_fly5(0), 65, true},
		{family_slim_fly5(4), 65, true},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cutgraph g = family_graph(&cases[i].f);
		uint8_t *side = calloc(g.n, 1);
		uint32_t k = g.endpoints / 2;
		int64_t low = cases[i].spectral ? cut_spectral_bound(&g, k) : cut_spread_bound(&g, k, 1000, true, NULL);

		cr_expect_eq(low, cases[i].want, "case %zu: bound %ld", i, (long)low);
		cr_expect_eq(cut_search(&g, k, 1, 48, 0, NULL, side), cases[i].want, "case %zu", i);
		free(side);
		cutgraph_free(&g);
		family_free(&cases[i].f);
	}
}

/* Two units of four hosts, each host linked to both leaves of its unit, every leaf to all four spines; some links missing. */
static struct family dual_homed(uint32_t missing)
{
	struct family f = {0};
	uint32_t spine[4], n = 0;

	for (uint32_t s = 0; s < 4; s++)
		spine[s] = family_add(&f, 0);
	for (uint32_t unit = 0; unit < 2; unit++) {
		uint32_t leaf[2] = {family_add(&f, 0), family_add(&f, 0)};

		for (uint32_t h = 0; h < 4; h++) {
			uint32_t host = family_add(&f, 1);

			family_link(&f, host, leaf[0], 1);
			family_link(&f, host, leaf[1], 1);
		}
		for (uint32_t l = 0; l < 2; l++)
			for (uint32_t s = 0; s < 4; s++)
				if (n++ >= missing)
					family_link(&f, leaf[l], spine[s], 1);
	}
	return f;
}

/* What all-to-all proves at most half of: folded Clos networks that carry everything, also with links missing. */
Test(cut, hose_bound_meets_full_bisections)
{
	struct {
		struct family f;
		int64_t want, proven;
	} cases[] = {
		{family_fat_tree(4, 2), 8, 8}, {family_fat_tree(8, 4), 64, 64}, {dual_homed(0), 8, 8}, {dual_homed(1), 7, 7}, {dual_homed(2), 6, 6},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cutgraph g = family_graph(&cases[i].f);
		uint32_t k = g.endpoints / 2;

		cr_expect_eq(solve(&g, "clos"), cases[i].want, "case %zu", i);
		cr_expect_eq(cut_hose_bound(&g, k, cases[i].want, NULL), cases[i].proven, "case %zu: %lld", i,
			     (long long)cut_hose_bound(&g, k, cases[i].want, NULL));
		cutgraph_free(&g);
		family_free(&cases[i].f);
	}
}

/* Hosts on every vertex of a random core, unequal host links: the collapsed bounds stay below the truth. */
Test(cut, bounds_with_hosts_stay_below_brute_force)
{
	struct rng rng = rng_seed(23);

	for (int round = 0; round < 200; round++) {
		uint32_t routers = 3 + rng_below(&rng, 4), hosts = 1 + rng_below(&rng, 2);
		struct family f = {0};
		struct cutgraph g;
		int64_t truth;
		uint32_t k;

		for (uint32_t r = 0; r < routers; r++)
			family_add(&f, 0);
		for (uint32_t i = 0; i < 3 * routers; i++)
			family_link(&f, rng_below(&rng, routers), rng_below(&rng, routers), 1 + rng_below(&rng, 3));
		for (uint32_t r = 0; r < routers; r++)
			for (uint32_t h = 0; h < hosts; h++)
				family_link(&f, family_add(&f, 1), r, 1 + rng_below(&rng, 4));
		g = family_graph(&f);
		k = g.endpoints / 2;
		truth = brute_force(&g, k);
		cr_assert_leq(cut_spectral_bound(&g, k), truth, "round %d: spectral", round);
		cr_assert_leq(cut_spread_bound(&g, k, truth + 1, true, NULL), truth, "round %d: spread", round);
		cr_assert_leq(cut_hose_bound(&g, k, 4 * truth + 4, NULL), truth, "round %d: hose", round);
		cr_assert_eq(solve(&g, "hosts"), truth, "round %d", round);
		cutgraph_free(&g);
		family_free(&f);
	}
}

/* Racks of many twins behind slow uplinks: 1,408 alike components of 72 are combined without a quadratic step. The answer is half
 * of the racks against the other half, over their uplinks. */
Test(cut, a_hundred_thousand_endpoints)
{
	struct family f = {0};
	uint32_t core = family_add(&f, 0);

	for (int rack = 0; rack < 1408; rack++) {
		uint32_t sw = family_add(&f, 0);

		for (int g = 0; g < 72; g++) {
			uint32_t gpu = family_add(&f, 1);

			family_link(&f, gpu, sw, 18);
			family_link(&f, gpu, core, 1);
		}
	}
	expect(f, 704 * 72, "1,408 racks");
}

/* A group that one interior split serves: racks that do not divide evenly. */
Test(cut, an_odd_number_of_racks_splits_one)
{
	struct family f = {0};
	uint32_t core = family_add(&f, 0);

	for (int rack = 0; rack < 9; rack++) {
		uint32_t sw = family_add(&f, 0);

		family_link(&f, sw, core, 4);
		for (int h = 0; h < 8; h++)
			family_link(&f, family_add(&f, 1), sw, 1);
	}
	expect(f, 20, "9 racks of 8");
}
