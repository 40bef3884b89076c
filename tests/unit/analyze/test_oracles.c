/* Known answers, one line each, with the number of the row in the table of oracles they come from (published closed forms,
 * exhaustive enumeration, linear programs and max-flow codes of others). */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "on_family.h"

#include "fabric/ig.h"

static void bisection(const char *id, struct family f, double want)
{
	struct on_family b = on_family_new(f, false);
	json_t *o = on_family_ask(&b, "bisection");

	cr_expect_str_eq(json_string_value(json_object_get(o, "status")), "exact", "%s is not exact", id);
	cr_expect_eq(on_family_number(o, "lower_Bps", NULL), want, "%s: lower %g, not %g", id,
		     on_family_number(o, "lower_Bps", NULL), want);
	cr_expect_eq(on_family_number(o, "upper_Bps", NULL), want, "%s: upper %g, not %g", id,
		     on_family_number(o, "upper_Bps", NULL), want);
	json_decref(o);
	on_family_free(&b);
}

/* Open cases: the value lies within the bounds. */
static void bisection_within(const char *id, struct family f, double want)
{
	struct on_family b = on_family_new(f, false);
	json_t *o;

	b.r.time_limit_ms = 2000;
	o = on_family_ask(&b, "bisection");
	cr_expect_leq(on_family_number(o, "lower_Bps", NULL), want, "%s: lower", id);
	cr_expect_geq(on_family_number(o, "upper_Bps", NULL), want, "%s: upper", id);
	json_decref(o);
	on_family_free(&b);
}

static void field(const char *id, const char *analysis, struct family f, const char *a, const char *b_key, double want)
{
	struct on_family b = on_family_new(f, true);
	json_t *o = on_family_ask(&b, analysis);
	double found = on_family_number(o, a, b_key);

	cr_expect_float_eq(found, want, 1e-7, "%s: %.9g, not %.9g", id, found, want);
	json_decref(o);
	on_family_free(&b);
}

static void pair_rate(const char *id, struct family f, double want)
{
	field(id, "throughput", f, "uniform", "pair_Bps", want);
}

static void edge_connectivity(const char *id, struct family f, double want)
{
	field(id, "connectivity", f, "edge_connectivity_links", NULL, want);
}

static void diameter(const char *id, struct family f, double want)
{
	field(id, "connectivity", f, "diameter", NULL, want);
}

static void cut_points(const char *id, struct family f, size_t points, size_t bridges)
{
	struct on_family b = on_family_new(f, true);
	json_t *o = on_family_ask(&b, "connectivity");

	cr_expect_eq(json_array_size(json_object_get(o, "articulation_points")), points, "%s: points", id);
	cr_expect_eq(json_array_size(json_object_get(o, "bridges")), bridges, "%s: bridges", id);
	json_decref(o);
	on_family_free(&b);
}

static void class_is(const char *id, struct family f, const char *want, double ratio)
{
	struct on_family b = on_family_new(f, false);
	json_t *o = on_family_ask(&b, "blocking");

	if (want)
		cr_expect_str_eq(json_string_value(json_object_get(o, "class")), want, "%s", id);
	else
		cr_expect_str_neq(json_string_value(json_object_get(o, "class")), "strict-sense", "%s", id);
	if (ratio > 0)
		cr_expect_float_eq(on_family_number(o, "oversubscription", NULL), ratio, 1e-9, "%s", id);
	json_decref(o);
	on_family_free(&b);
}

static void max_flow(const char *id, struct family f, bool relay, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1, double want)
{
	struct on_family b = on_family_new(f, relay);
	json_t *o;

	on_family_select(&b, 0, a0, a1);
	on_family_select(&b, 1, b0, b1);
	o = on_family_ask(&b, "mincut");
	cr_expect_eq(on_family_number(o, "lower_Bps", NULL), want, "%s: %g", id, on_family_number(o, "lower_Bps", NULL));
	json_decref(o);
	on_family_free(&b);
}

/* ---- graphs that have a name -------------------------------------------------------------------------------------- */

static struct family famous(const char *name)
{
	struct family f = {0};
	igraph_t g;

	ig_check(igraph_famous(&g, name));
	for (igraph_integer_t v = 0; v < igraph_vcount(&g); v++)
		family_add(&f, 1);
	for (igraph_integer_t e = 0; e < igraph_ecount(&g); e++)
		family_link(&f, (uint32_t)IGRAPH_FROM(&g, e), (uint32_t)IGRAPH_TO(&g, e), 1);
	igraph_destroy(&g);
	return f;
}

static struct family dgx1p(void)
{
	struct family f = {0};

	for (int i = 0; i < 8; i++)
		family_add(&f, 1);
	for (uint32_t q = 0; q < 8; q += 4)
		for (uint32_t i = 0; i < 4; i++)
			for (uint32_t j = 0; j < i; j++)
				family_link(&f, q + i, q + j, 1);
	for (uint32_t i = 0; i < 4; i++)
		family_link(&f, i, i + 4, 1);
	return f;
}

static struct family dgx1v(void)
{
	static const uint32_t pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
					    {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
					    {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};

	return family_pairs(8, pairs, ARRAY_LEN(pairs));
}

static struct family dumbbell(uint32_t m)
{
	struct family f = {0};

	for (uint32_t i = 0; i < 2 * m; i++)
		family_add(&f, 1);
	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t i = 0; i < m; i++)
			for (uint32_t j = 0; j < i; j++)
				family_link(&f, s * m + i, s * m + j, 1);
	family_link(&f, m - 1, m, 1);
	return f;
}

static struct family binary_tree(uint32_t n)
{
	struct family f = {0};

	for (uint32_t i = 0; i < n; i++)
		family_add(&f, 1);
	for (uint32_t i = 1; i < n; i++)
		family_link(&f, i, (i - 1) / 2, 1);
	return f;
}

/* Cube-connected cycles: every corner of a cube is a ring of d. */
static struct family cube_connected_cycles(uint32_t d)
{
	struct family f = {0};

	for (uint32_t i = 0; i < d << d; i++)
		family_add(&f, 1);
	for (uint32_t v = 0; v < 1u << d; v++) {
		for (uint32_t b = 0; b < d; b++) {
			family_link(&f, v * d + b, v * d + (b + 1) % d, 1);
			if (!(v >> b & 1))
				family_link(&f, v * d + b, (v ^ 1u << b) * d + b, 1);
		}
	}
	return f;
}

static struct family ring(uint32_t n)
{
	return family_grid(1, &n, true);
}

static struct family array(uint32_t n)
{
	return family_grid(1, &n, false);
}

#define TORUS(...) family_grid((uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / 4), (uint32_t[]){__VA_ARGS__}, true)
#define MESH(...)  family_grid((uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / 4), (uint32_t[]){__VA_ARGS__}, false)

static const int64_t ones[18] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const int64_t twos[6] = {2, 2, 2, 2, 2, 2}, h100[4] = {5, 4, 4, 5};

Test(oracles, bisection_of_direct_networks)
{
	bisection("O002", family_complete(4), 4);
	bisection("O003", family_complete(5), 6);
	bisection("O004", family_complete(8), 16);
	bisection("O005", family_complete(9), 20);
	bisection("O006", family_complete(16), 64);
	bisection("O007", family_hypercube(1), 1);
	bisection("O009", family_hypercube(3), 4);
	bisection("O010", family_hypercube(4), 8);
	bisection("O011", family_hypercube(5), 16);
	bisection("O014", ring(5), 2);
	bisection("O015", ring(8), 2);
	bisection("O016", ring(9), 2);
	bisection("O017", array(4), 1);
	bisection("O019", TORUS(4, 4), 8);
	bisection("O020", TORUS(3, 3), 8);
	bisection("O021", TORUS(5, 5), 12);
	bisection("O023", TORUS(3, 5), 8);
	bisection("O024", TORUS(4, 6), 8);
	bisection("O025", TORUS(4, 7), 10);
	bisection("O026", TORUS(3, 3, 3), 26);
	bisection("O028", TORUS(8, 8), 16);
	bisection_within("O029", TORUS(5, 5, 5), 62);
	bisection("O030", MESH(3, 3), 4);
	bisection("O032", MESH(4, 4), 4);
	bisection("O033", MESH(3, 5), 4);
	bisection("O034", MESH(3, 3, 3), 13);
	bisection("O035", TORUS(2, 2), 4);
	bisection("O036", family_hamming(4, 2, 0), 16);
	bisection("O037", family_hamming(3, 2, 0), 8);
	bisection("O038", family_hamming(5, 2, 0), 36);
	bisection("O041", family_bipartite(5, 5), 13);
	bisection("O042", family_bipartite(4, 4), 8);
	bisection("O046", dumbbell(5), 1);
	bisection("O235", TORUS(4, 4), 8); /* Dally and Towles count both directions: 16 */
}

Test(oracles, bisection_of_famous_graphs)
{
	bisection("O047", famous("Petersen"), 5);
	bisection("O048", famous("Heawood"), 7);
	bisection("O049", famous("Franklin"), 6);
	bisection("O050", famous("Frucht"), 4);
	bisection("O051", famous("Cubical"), 4);
	bisection("O052", famous("Octahedral"), 6);
	bisection("O053", famous("Icosahedral"), 10);
	bisection("O054", famous("Dodecahedral"), 6);
	bisection("O055", famous("Coxeter"), 10);
	bisection("O056", famous("McGee"), 8);
	bisection("O057", famous("Chvatal"), 8);
	bisection("O058", famous("Grotzsch"), 8);
	bisection("O059", famous("Robertson"), 12);
	bisection("O060", famous("Folkman"), 12);
	bisection("O061", famous("Herschel"), 6);
	bisection("O062", famous("Zachary"), 10);
}

Test(oracles, bisection_of_systems)
{
	bisection("O063 O070", dgx1v(), 6);
	bisection("O064", dgx1p(), 4);
	bisection("O065", family_dgx2(), 48);
	bisection("O066 O071", family_planes(8, 6, twos), 48);
	bisection("O067 O072", family_planes(8, 4, h100), 72);
	bisection("O068", family_planes(72, 18, ones), 648);
	bisection("O069", family_planes(9, 4, ones), 16);
	bisection("O075", family_leaf_spine(4, 4, 2, 1), 4);
	bisection("O076", family_leaf_spine(4, 4, 4, 1), 8);
	bisection("O077", family_leaf_spine(8, 8, 4, 1), 16);
	bisection("O078", family_leaf_spine(16, 16, 8, 1), 64);
	bisection("O079", family_leaf_spine(3, 4, 2, 1), 4);
	bisection("O081", family_leaf_spine(7, 5, 3, 1), 11);
	bisection("O082", family_leaf_spine(5, 6, 4, 2), 15);
	bisection("O083", family_fat_tree(4, 2), 8);
	bisection("O084", family_fat_tree(6, 3), 27);
	bisection("O085", family_fat_tree(8, 4), 64);
	bisection("O086", family_star(9), 4);
	bisection("O088", family_dragonfly(4, 2, 2, true), 20);
	bisection("O091", family_slim_fly5(0), 65);
	bisection("O091, four hosts", family_slim_fly5(4), 65);
}

/* 32 nodes with 72 links of 25 GB/s each, two to one below: the published 57.6 TB/s counts both directions of 16 nodes. */
Test(oracles, bisection_of_a_tapered_superpod)
{
	struct family f = {0};
	uint32_t core = family_add(&f, 0);

	for (int node = 0; node < 32; node++) {
		uint32_t sw = family_add(&f, 0);

		family_link(&f, sw, core, 72);
		for (int g = 0; g < 8; g++)
			family_link(&f, family_add(&f, 1), sw, 18);
	}
	bisection("O074", f, 16 * 72);
}

Test(oracles, throughput)
{
	pair_rate("O092", family_complete(8), 1);
	pair_rate("O095", famous("Petersen"), 1.0 / 5);
	pair_rate("O101", TORUS(4, 4), 1.0 / 8);
	pair_rate("O104", TORUS(5, 5), 1.0 / 15);
	pair_rate("O107", TORUS(3, 3, 3), 1.0 / 9);
	pair_rate("O110", dgx1v(), 3.0 / 8);
	pair_rate("O113", dgx1p(), 1.0 / 4);
	pair_rate("O119", family_dgx2(), 2.0 / 5);
	pair_rate("O122", family_leaf_spine(4, 4, 2, 1), 1.0 / 24);
	pair_rate("O125", family_leaf_spine(4, 4, 4, 1), 1.0 / 15);
	pair_rate("O128", family_leaf_spine(8, 8, 4, 1), 1.0 / 112);
	pair_rate("O131", family_fat_tree(4, 2), 1.0 / 15);
	pair_rate("O134", family_fat_tree(8, 4), 1.0 / 127);
	pair_rate("O137", family_slim_fly5(0), 1.0 / 13);
	pair_rate("O142", family_dragonfly(4, 2, 2, true), 1.0 / 71);
	pair_rate("O148", family_planes(72, 18, ones), 18.0 / 71);
	pair_rate("O151", cube_connected_cycles(3), 1.0 / 36);
	field("O154", "throughput", family_hypercube(4), "permutation", "lower_Bps", 1);
	field("O155", "throughput", TORUS(8, 8), "permutation", "lower_Bps", 0.5);
	field("O156", "throughput", ring(8), "permutation", "lower_Bps", 0.5);
}

Test(oracles, connectivity)
{
	edge_connectivity("O094", family_complete(8), 7);
	diameter("O096", famous("Petersen"), 2);
	edge_connectivity("O097", famous("Petersen"), 3);
	edge_connectivity("O100", family_hypercube(4), 4);
	diameter("O102", TORUS(4, 4), 4);
	edge_connectivity("O103", TORUS(4, 4), 4);
	diameter("O105", TORUS(5, 5), 4);
	edge_connectivity("O106", TORUS(5, 5), 4);
	diameter("O108", TORUS(3, 3, 3), 3);
	edge_connectivity("O109", TORUS(3, 3, 3), 6);
	diameter("O111", dgx1v(), 2);
	diameter("O114", dgx1p(), 2);
	edge_connectivity("O115", dgx1p(), 4);
	diameter("O117", family_planes(8, 4, h100), 2);
	edge_connectivity("O118", family_planes(8, 4, h100), 18);
	diameter("O120", family_dgx2(), 3);
	edge_connectivity("O121", family_dgx2(), 6);
	diameter("O123", family_leaf_spine(4, 4, 2, 1), 4);
	diameter("O126", family_leaf_spine(4, 4, 4, 1), 4);
	edge_connectivity("O127", family_leaf_spine(4, 4, 4, 1), 1);
	diameter("O129", family_leaf_spine(8, 8, 4, 1), 4);
	diameter("O132", family_fat_tree(4, 2), 6);
	edge_connectivity("O133", family_fat_tree(4, 2), 1);
	diameter("O135", family_fat_tree(8, 4), 6);
	edge_connectivity("O136", family_fat_tree(8, 4), 1);
	diameter("O138", family_slim_fly5(0), 2);
	edge_connectivity("O139", family_slim_fly5(0), 7);
	diameter("O141", family_slim_fly5(4), 4);
	diameter("O143", family_dragonfly(4, 2, 2, true), 5);
	edge_connectivity("O144", family_dragonfly(4, 2, 2, true), 1);
	edge_connectivity("O147", family_hamming(4, 2, 4), 1);
	edge_connectivity("O150", family_planes(72, 18, ones), 18);
	diameter("O152", cube_connected_cycles(3), 6);
	cut_points("O211", family_leaf_spine(4, 4, 2, 1), 4, 16);
	cut_points("O214", dumbbell(5), 2, 1);
	cut_points("O215", array(9), 7, 8);
	cut_points("O216", binary_tree(15), 7, 14);
	cut_points("O217", TORUS(4, 4), 0, 0);
	cut_points("O218", family_rail_pod(4, 8, 8, 4, 2), 0, 0);
	cut_points("O219", family_dragonfly(2, 1, 1, true), 6, 6);
}

/* A three-stage Clos(m, n, r) is the folded one with 2r leaves, of which each connection uses two. */
Test(oracles, blocking)
{
	class_is("O158", family_leaf_spine(4, 2, 2, 1), "rearrangeable", 0);
	class_is("O160", family_leaf_spine(6, 2, 2, 1), "rearrangeable", 0);
	class_is("O161", family_leaf_spine(6, 2, 3, 1), "strict-sense", 0);
	class_is("O162", family_leaf_spine(4, 3, 4, 1), "rearrangeable", 0);
	class_is("O163", family_leaf_spine(4, 3, 5, 1), "strict-sense", 0);
	class_is("O164", family_leaf_spine(4, 3, 3, 1), "rearrangeable", 0);
	class_is("O165", family_leaf_spine(2, 2, 2, 1), "strict-sense", 0);
	class_is("O167", family_leaf_spine(3, 2, 3, 1), "strict-sense", 0);
	class_is("O168", family_leaf_spine(4, 3, 2, 2), NULL, 0);
	class_is("O169", family_leaf_spine(4, 3, 3, 2), "strict-sense", 0);
	class_is("O170", family_leaf_spine(4, 4, 2, 3), NULL, 0);
	class_is("O171", family_leaf_spine(8, 8, 4, 1), "blocking", 2);
	class_is("O173", family_leaf_spine(8, 32, 16, 1), "blocking", 2);
	class_is("O174", family_leaf_spine(8, 40, 24, 1), "blocking", 5.0 / 3);
	class_is("O175", family_leaf_spine(8, 8, 4, 2), "rearrangeable", 1);
}

Test(oracles, an_unstriped_flow)
{
	struct on_family b = on_family_new(family_planes(72, 18, ones), false);
	json_t *o = on_family_ask(&b, "blocking");
	json_t *flow = json_object_get(json_array_get(json_object_get(o, "networks"), 0), "flow");

	cr_expect_float_eq(on_family_number(flow, "of_injection", NULL), 1.0 / 18, 1e-12, "O232");
	json_decref(o);
	on_family_free(&b);
}

Test(oracles, max_flow_is_min_cut)
{
	struct family spread = {0};

	max_flow("O220", dgx1v(), true, 0, 1, 7, 8, 6);
	max_flow("O221", dgx1v(), true, 0, 4, 4, 8, 6);
	max_flow("O223", family_complete(8), true, 0, 1, 1, 2, 7);
	max_flow("O224", family_hypercube(4), true, 0, 1, 15, 16, 4);
	max_flow("O225", family_planes(72, 18, ones), true, 0, 1, 1, 2, 18);
	max_flow("O226", family_planes(72, 18, ones), false, 0, 36, 36, 72, 648);
	max_flow("O227", family_planes(72, 18, ones), false, 0, 18, 18, 72, 324);
	max_flow("O228", famous("Petersen"), true, 0, 1, 2, 3, 3);
	/* O231: two hosts of every leaf to the other two turn around in the leaf; hosts 0-7 go to 8-15 here */
	for (int i = 0; i < 16; i++)
		family_add(&spread, 1);
	for (uint32_t l = 0; l < 4; l++) {
		uint32_t leaf = family_add(&spread, 0);

		for (uint32_t h = 0; h < 4; h++)
			family_link(&spread, (h / 2) * 8 + l * 2 + h % 2, leaf, 1);
	}
	for (uint32_t s = 0; s < 2; s++) {
		uint32_t spine = family_add(&spread, 0);

		for (uint32_t l = 0; l < 4; l++)
			family_link(&spread, 16 + l, spine, 1);
	}
	max_flow("O231", spread, false, 0, 8, 8, 16, 8);
}

/* O222: {0,1,4,5} against {2,3,6,7}, with the vertices renumbered so that the sets are ranges. */
Test(oracles, another_half_of_a_dgx1)
{
	static const uint32_t at[] = {0, 1, 4, 5, 2, 3, 6, 7};
	struct family f = dgx1v();

	for (size_t i = 0; i < f.u.n; i++) {
		f.u.at[i] = at[f.u.at[i]];
		f.v.at[i] = at[f.v.at[i]];
	}
	max_flow("O222", f, true, 0, 4, 4, 8, 12);
}
