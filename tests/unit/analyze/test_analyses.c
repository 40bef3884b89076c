/* The analyses through their public door, on fabrics made from known graphs. One unit of capacity is 1 byte per second. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "on_family.h"

static const uint32_t dgx1v[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
				    {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
static const uint32_t petersen[][3] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}, {0, 5, 1}, {1, 6, 1}, {2, 7, 1},
				       {3, 8, 1}, {4, 9, 1}, {5, 7, 1}, {7, 9, 1}, {9, 6, 1}, {6, 8, 1}, {8, 5, 1}};
static const int64_t eighteen[18] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static struct family dgx1v_family(void)
{
	return family_pairs(8, dgx1v, ARRAY_LEN(dgx1v));
}

static struct family dgx1p_family(void)
{
	static const uint32_t pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}, {4, 5, 1}, {4, 6, 1},
					    {4, 7, 1}, {5, 6, 1}, {5, 7, 1}, {6, 7, 1}, {0, 4, 1}, {1, 5, 1}, {2, 6, 1}, {3, 7, 1}};

	return family_pairs(8, pairs, ARRAY_LEN(pairs));
}

static struct family petersen_family(void)
{
	return family_pairs(10, petersen, ARRAY_LEN(petersen));
}

/* ---- bisection: the result as a whole --------------------------------------------------------------------------------- */

Test(analyses, bisection_with_its_witness)
{
	struct on_family b = on_family_new(family_planes(72, 18, eighteen), false);
	json_t *o = on_family_ask(&b, "bisection"), *entry;
	double sum = 0;
	size_t i;

	cr_expect_eq(on_family_number(o, "lower_Bps", NULL), 648);
	cr_expect_eq(on_family_number(o, "upper_Bps", NULL), 648);
	cr_expect_eq(on_family_number(o, "full_Bps", NULL), 648);
	cr_expect_eq(on_family_number(o, "ratio", NULL), 1);
	cr_expect_str_eq(json_string_value(json_object_get(o, "status")), "exact");
	json_array_foreach(json_object_get(o, "cut"), i, entry)
		sum += on_family_number(entry, "rate_Bps", NULL);
	cr_expect_eq(sum, 648);
	cr_expect_str_eq(json_string_value(json_object_get(o, "side")), "v[36-71]");
	json_decref(o);
	overlay_fail_device(b.f, &b.o, 72);
	o = on_family_ask(&b, "bisection");
	cr_expect_eq(on_family_number(o, "upper_Bps", NULL), 612);
	json_decref(o);
	on_family_free(&b);
}

/* One unit lost on a link of a minimum cut lowers it by one (known values for the worst link). */
Test(analyses, bisection_after_one_link_failed)
{
	struct {
		struct family f;
		int64_t healthy, worst;
	} cases[] = {
		{dgx1v_family(), 6, 5},                              /* O195 */
		{dgx1p_family(), 4, 3},                              /* O196 */
		{family_grid(2, (uint32_t[]){4, 4}, true), 8, 7},    /* O197 */
		{family_hypercube(3), 4, 3},                         /* O198 */
		{petersen_family(), 5, 4},                           /* O200 */
		{family_leaf_spine(4, 4, 2, 1), 4, 3},               /* O201 */
		{family_leaf_spine(4, 4, 4, 1), 8, 7},               /* O202 */
		{family_planes(8, 4, eighteen), 16, 15},             /* O203 */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct on_family b = on_family_new(cases[i].f, false);
		json_t *o = on_family_ask(&b, "bisection");
		double worst = 1e9;

		cr_expect_eq(on_family_number(o, "upper_Bps", NULL), cases[i].healthy, "case %zu", i);
		json_decref(o);
		for (uint32_t t = 0; t < b.f->trunk_count; t++) {
			overlay_fail_links(b.f, &b.o, t, 1);
			o = on_family_ask(&b, "bisection");
			cr_expect_str_eq(json_string_value(json_object_get(o, "status")), "exact");
			worst = fmin(worst, on_family_number(o, "upper_Bps", NULL));
			json_decref(o);
			overlay_free(&b.o);
			b.o = overlay_new(b.f);
		}
		cr_expect_eq(worst, cases[i].worst, "case %zu: %g", i, worst);
		on_family_free(&b);
	}
}

Test(analyses, bisection_after_a_switch_failed)
{
	static const int64_t h100[] = {5, 4, 4, 5};
	struct {
		struct family f;
		uint32_t failed;
		double want;
	} cases[] = {
		{family_planes(72, 18, eighteen), 72, 612}, /* O205 */
		{family_planes(8, 4, h100), 8, 52},         /* O206 */
		{family_leaf_spine(8, 8, 4, 1), 8, 12},     /* O208 */
		{family_dgx2(), 16, 40},                    /* O209 */
		{family_fat_tree(4, 2), 16, 6},             /* O210 */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct on_family b = on_family_new(cases[i].f, false);
		json_t *o;

		overlay_fail_device(b.f, &b.o, cases[i].failed);
		o = on_family_ask(&b, "bisection");
		cr_expect_eq(on_family_number(o, "upper_Bps", NULL), cases[i].want, "case %zu: %g", i, on_family_number(o, "upper_Bps", NULL));
		cr_expect_eq(on_family_number(o, "lower_Bps", NULL), cases[i].want, "case %zu", i);
		json_decref(o);
		on_family_free(&b);
	}
}

/* ---- mincut ----------------------------------------------------------------------------------------------------------- */

Test(analyses, mincut_known_values)
{
	struct {
		struct family f;
		bool relay;
		uint32_t a0, a1, b0, b1;
		double want;
	} cases[] = {
		{dgx1v_family(), true, 0, 1, 7, 8, 6},
		{dgx1v_family(), false, 0, 4, 4, 8, 6},
		{dgx1v_family(), false, 0, 1, 7, 8, 0},
		{family_complete(8), true, 0, 1, 1, 2, 7},
		{family_hypercube(4), true, 0, 1, 15, 16, 4},
		{family_planes(72, 18, eighteen), false, 0, 1, 1, 2, 18},
		{family_planes(72, 18, eighteen), false, 0, 36, 36, 72, 648},
		{family_planes(72, 18, eighteen), false, 0, 18, 18, 72, 324},
		{petersen_family(), true, 0, 1, 2, 3, 3},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct on_family b = on_family_new(cases[i].f, cases[i].relay);
		json_t *o, *entry;
		double sum = 0;
		size_t k;

		on_family_select(&b, 0, cases[i].a0, cases[i].a1);
		on_family_select(&b, 1, cases[i].b0, cases[i].b1);
		o = on_family_ask(&b, "mincut");
		cr_expect_eq(on_family_number(o, "lower_Bps", NULL), cases[i].want, "case %zu: %g", i, on_family_number(o, "lower_Bps", NULL));
		json_array_foreach(json_object_get(o, "cut"), k, entry)
			sum += on_family_number(entry, "rate_Bps", NULL);
		cr_expect_eq(sum, cases[i].want, "case %zu: the cut adds up to %g", i, sum);
		json_decref(o);
		on_family_free(&b);
	}
}

Test(analyses, mincut_refuses_overlapping_selections)
{
	struct on_family b = on_family_new(family_complete(4), false);
	json_t *o;

	on_family_select(&b, 0, 0, 2);
	on_family_select(&b, 1, 1, 3);
	o = on_family_ask(&b, "mincut");
	cr_expect_str_eq(json_string_value(json_object_get(o, "status")), "unknown");
	json_decref(o);
	on_family_free(&b);
}

/* ---- blocking ------------------------------------------------------------------------------------------------------------ */

static void expect_class(struct family f, const char *class, double ratio, int tiers)
{
	struct on_family b = on_family_new(f, false);
	json_t *o = on_family_ask(&b, "blocking");
	const char *found = json_string_value(json_object_get(o, "class"));

	cr_expect_str_eq(found, class);
	if (ratio < 0)
		cr_expect(json_is_null(json_object_get(o, "oversubscription")), "%s has a ratio", class);
	else
		cr_expect_float_eq(on_family_number(o, "oversubscription", NULL), ratio, 1e-9, "%s: %g, not %g", class,
				   on_family_number(o, "oversubscription", NULL), ratio);
	cr_expect_eq(on_family_number(o, "tiers", NULL), tiers, "%s: tiers", class);
	json_decref(o);
	on_family_free(&b);
}

/* Folded Clos with local turn-around: two leaves need m >= n, three 2n-1 (checked by exhaustive state space elsewhere). */
Test(analyses, blocking_classes)
{
	static const int64_t h100[] = {5, 4, 4, 5};

	expect_class(family_leaf_spine(2, 2, 2, 1), "strict-sense", 1, 2);
	expect_class(family_leaf_spine(3, 2, 3, 1), "strict-sense", 2.0 / 3, 2);
	expect_class(family_leaf_spine(3, 2, 2, 1), "rearrangeable", 1, 2);
	expect_class(family_leaf_spine(3, 3, 2, 2), "rearrangeable", 0.75, 2);
	expect_class(family_leaf_spine(3, 3, 3, 2), "strict-sense", 0.5, 2);
	expect_class(family_leaf_spine(3, 4, 2, 3), "rearrangeable", 4.0 / 6, 2);
	expect_class(family_leaf_spine(8, 8, 4, 1), "blocking", 2, 2);
	expect_class(family_leaf_spine(8, 40, 24, 1), "blocking", 5.0 / 3, 2);
	expect_class(family_leaf_spine(8, 8, 4, 2), "rearrangeable", 1, 2);
	expect_class(family_leaf_spine(8, 4, 3, 1), "blocking", 4.0 / 3, 2);
	expect_class(family_fat_tree(8, 4), "rearrangeable", 1, 3);
	expect_class(family_fat_tree(4, 4), "blocking", 2, 3);
	expect_class(family_planes(8, 4, h100), "strict-sense", 1, 1);
	expect_class(family_dgx2(), "strict-sense", 1, 1);
	expect_class(family_dragonfly(4, 2, 2, true), "direct", -1, 1);
	expect_class(family_grid(2, (uint32_t[]){4, 4}, true), "direct", -1, 0);
	expect_class(family_rail_pod(4, 8, 8, 4, 2), "strict-sense", 0.5, 2);
}

/* A thin uplink between two fat hosts is no crossbar, although each switch's heaviest link leads to its host. */
Test(analyses, blocking_is_not_fooled_by_heavy_hosts)
{
	struct family f = {0};
	uint32_t a = family_add(&f, 1), b = family_add(&f, 1), c = family_add(&f, 1);
	uint32_t l0 = family_add(&f, 0), l1 = family_add(&f, 0), l2 = family_add(&f, 0), top = family_add(&f, 0);

	family_link(&f, a, l0, 10);
	family_link(&f, b, l1, 10);
	family_link(&f, c, l2, 10);
	family_link(&f, l0, top, 1);
	family_link(&f, l1, top, 1);
	family_link(&f, l2, top, 1);
	expect_class(f, "blocking", 10, 2);
}

/* ---- throughput ------------------------------------------------------------------------------------------------------------ */

static void expect_pair_rate(struct family f, double want, const char *name)
{
	struct on_family b = on_family_new(f, true);
	json_t *o = on_family_ask(&b, "throughput");
	double found = on_family_number(o, "uniform", "pair_Bps");

	cr_expect_float_eq(found, want, 1e-7, "%s: %.9g, not %.9g", name, found, want);
	json_decref(o);
	on_family_free(&b);
}

Test(analyses, throughput_of_uniform_traffic)
{
	expect_pair_rate(family_complete(8), 1, "K8");
	expect_pair_rate(petersen_family(), 1.0 / 5, "Petersen");
	expect_pair_rate(family_grid(2, (uint32_t[]){4, 4}, true), 1.0 / 8, "torus 4x4");
	expect_pair_rate(family_grid(2, (uint32_t[]){5, 5}, true), 1.0 / 15, "torus 5x5");
	expect_pair_rate(family_grid(3, (uint32_t[]){3, 3, 3}, true), 1.0 / 9, "torus 3x3x3");
	expect_pair_rate(dgx1v_family(), 3.0 / 8, "DGX-1V");
	expect_pair_rate(family_dgx2(), 2.0 / 5, "DGX-2");
	expect_pair_rate(family_leaf_spine(4, 4, 2, 1), 1.0 / 24, "leaf-spine 4x4x2");
	expect_pair_rate(family_leaf_spine(4, 4, 4, 1), 1.0 / 15, "leaf-spine 4x4x4");
	expect_pair_rate(family_leaf_spine(8, 8, 4, 1), 1.0 / 112, "leaf-spine 8x8x4");
	expect_pair_rate(family_fat_tree(4, 2), 1.0 / 15, "fat tree 4");
	expect_pair_rate(family_fat_tree(8, 4), 1.0 / 127, "fat tree 8");
	expect_pair_rate(family_slim_fly5(0), 1.0 / 13, "Slim Fly 5");
	expect_pair_rate(family_dragonfly(4, 2, 2, true), 1.0 / 71, "dragonfly");
	expect_pair_rate(family_planes(72, 18, eighteen), 18.0 / 71, "NVL72");
}

/* Antipodal permutations are the longest matchings there, and unique. */
Test(analyses, throughput_of_the_longest_matching)
{
	struct {
		struct family f;
		double want; /* per endpoint, in links */
	} cases[] = {
		{family_hypercube(4), 1},
		{family_grid(2, (uint32_t[]){8, 8}, true), 0.5},
		{family_grid(1, (uint32_t[]){8}, true), 0.5},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct on_family b = on_family_new(cases[i].f, true);
		json_t *o = on_family_ask(&b, "throughput");

		cr_expect_float_eq(on_family_number(o, "permutation", "lower_Bps"), cases[i].want, 1e-6, "case %zu: %g", i,
				   on_family_number(o, "permutation", "lower_Bps"));
		json_decref(o);
		on_family_free(&b);
	}
}

/* The bracket of a random graph holds the value of the linear program. */
Test(analyses, throughput_brackets_hold)
{
	struct rng rng = rng_seed(5);

	for (int round = 0; round < 20; round++) {
		struct on_family b = on_family_new(family_random(&rng, 9, 9, 24, 3), true);
		json_t *o = on_family_ask(&b, "throughput");
		json_t *uniform = json_object_get(o, "uniform");

		cr_expect_leq(on_family_number(uniform, "lower", NULL), on_family_number(uniform, "upper", NULL) + 1e-12);
		cr_expect_leq(on_family_number(uniform, "upper", NULL), 1 + 1e-9);
		json_decref(o);
		on_family_free(&b);
	}
}

/* ---- paths and connectivity --------------------------------------------------------------------------------------------------- */

Test(analyses, paths_in_a_fat_tree)
{
	struct on_family b = on_family_new(family_fat_tree(4, 2), false);
	json_t *o;

	/* hosts follow 8 edge, 8 aggregation and 4 core switches: the first and the last are in different pods */
	on_family_select(&b, 0, 20, 21);
	on_family_select(&b, 1, 35, 36);
	o = on_family_ask(&b, "paths");
	cr_expect_eq(on_family_number(o, "hops", NULL), 6);
	cr_expect_eq(on_family_number(o, "shortest_paths", NULL), 4);
	cr_expect_eq(on_family_number(o, "edge_disjoint", NULL), 1);
	cr_expect_eq(json_array_size(json_object_get(o, "example")), 7);
	json_decref(o);
	on_family_free(&b);
}

Test(analyses, connectivity_known_values)
{
	struct {
		struct family f;
		double edge, diameter, points, bridges;
	} cases[] = {
		{petersen_family(), 3, 2, 0, 0},
		{family_hypercube(4), 4, 4, 0, 0},
		{family_grid(2, (uint32_t[]){4, 4}, true), 4, 4, 0, 0},
		{family_grid(2, (uint32_t[]){5, 5}, true), 4, 4, 0, 0},
		{dgx1v_family(), 6, 2, 0, 0},
		{family_leaf_spine(4, 4, 2, 1), 1, 4, 4, 16},
		{family_grid(1, (uint32_t[]){9}, false), 1, 8, 7, 8},
		{family_fat_tree(4, 2), 1, 6, 8, 16},
		{family_slim_fly5(0), 7, 2, 0, 0},
		{family_dragonfly(4, 2, 2, true), 1, 5, 36, 72},
		{family_planes(72, 18, eighteen), 18, 2, 0, 0},
		{family_rail_pod(4, 8, 8, 4, 2), 8, 4, 0, 0}, /* a node hangs on its 8 rails */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct on_family b = on_family_new(cases[i].f, false);
		json_t *o = on_family_ask(&b, "connectivity");

		cr_expect_eq(on_family_number(o, "edge_connectivity_links", NULL), cases[i].edge, "case %zu: edge connectivity %g", i,
			     on_family_number(o, "edge_connectivity_links", NULL));
		cr_expect_eq(on_family_number(o, "diameter", NULL), cases[i].diameter, "case %zu: diameter %g", i,
			     on_family_number(o, "diameter", NULL));
		cr_expect_eq(json_array_size(json_object_get(o, "articulation_points")), cases[i].points, "case %zu: points", i);
		cr_expect_eq(json_array_size(json_object_get(o, "bridges")), cases[i].bridges, "case %zu: bridges", i);
		cr_expect_eq(on_family_number(o, "components", NULL), 1, "case %zu: components", i);
		json_decref(o);
		on_family_free(&b);
	}
}

/* ---- running ------------------------------------------------------------------------------------------------------------------- */

Test(analyses, a_time_limit_leaves_bounds)
{
	struct on_family b = on_family_new(family_grid(3, (uint32_t[]){9, 9, 9}, true), false);
	int64_t start = clock_ms();
	json_t *o;

	b.r.time_limit_ms = 300;
	o = on_family_ask(&b, "bisection");
	cr_expect_lt(clock_ms() - start, 3000);
	cr_expect_str_eq(json_string_value(json_object_get(o, "status")), "bounds");
	cr_expect_str_eq(json_string_value(json_object_get(o, "stopped")), "time");
	/* 2(k³-1)/(k-1) for odd k */
	cr_expect_leq(on_family_number(o, "lower_Bps", NULL), 182);
	cr_expect_geq(on_family_number(o, "upper_Bps", NULL), 182);
	json_decref(o);
	on_family_free(&b);
}

Test(analyses, cancel_is_prompt)
{
	struct on_family b = on_family_new(family_grid(3, (uint32_t[]){9, 9, 9}, true), false);
	struct run *run = run_start(analysis_find("bisection"), &b.r);
	int64_t start = clock_ms();
	struct result r;

	while (clock_ms() - start < 200)
		cr_assert(run_poll(run));
	run_cancel(run);
	start = clock_ms();
	r = run_finish(run);
	cr_expect(r.failed);
	cr_expect_lt(clock_ms() - start, 2000);
	result_free(&r);
	on_family_free(&b);
}
