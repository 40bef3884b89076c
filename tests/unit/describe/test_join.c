/* The wiring join against brute force: the adjacency of known graphs, written as loops in C. */
#include "fixture.h"

#define HEAD "toponaut: 1\nlinks: {l: {rate: 1 Gb/s}}\ndevices: {d: {class: gpu}, s: {class: switch}, o: {class: passive}}\n"

/* Links between two devices, over all trunks. */
static uint32_t links_between(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t n = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if ((f->trunks[t].a == a && f->trunks[t].b == b) || (f->trunks[t].a == b && f->trunks[t].b == a))
			n += f->trunks[t].count;
	return n;
}

typedef uint32_t oracle(uint32_t a, uint32_t b);

static void compare(const char *text, uint32_t devices, oracle *expected)
{
	struct loaded l = must_load(text);
	cr_assert_eq(l.f->device_count, devices, "%s: %u", text, l.f->device_count);
	for (uint32_t a = 0; a < devices; a++)
		for (uint32_t b = a + 1; b < devices; b++)
			cr_assert_eq(links_between(l.f, a, b), expected(a, b), "%s\n%u-%u: %u not %u", text, a, b,
				     links_between(l.f, a, b), expected(a, b));
	unload(&l);
}

#define ROW(n, rule) HEAD "modules:\n  m:\n    parts: {n: {is: d, count: " #n "}}\n    wiring:\n      - " rule "\nbuild: m\n"

static uint32_t mesh(uint32_t a, uint32_t b)
{
	return a != b;
}

static uint32_t ring7(uint32_t a, uint32_t b)
{
	return (a + 1) % 7 == b || (b + 1) % 7 == a;
}

static uint32_t cube(uint32_t a, uint32_t b)
{
	uint32_t x = a ^ b;
	return x && !(x & (x - 1));
}

static uint32_t pair_of_two(uint32_t a, uint32_t b)
{
	return a == 0 && b == 1;
}

static uint32_t doubled(uint32_t a, uint32_t b)
{
	return a == 0 && b == 1 ? 2 : 0;
}

Test(join, meshes_rings_cubes)
{
	compare(ROW(6, "{from: \"n{i}\", to: \"n{j}\"}"), 6, mesh);
	compare(ROW(6, "{from: n, to: n}"), 6, mesh);
	compare(ROW(6, "{from: \"n{i}\", to: \"n{j}\", where: \"i < j\"}"), 6, mesh);
	compare(ROW(7, "{from: \"n{i}\", to: \"n{(i + 1) % 7}\"}"), 7, ring7);
	compare(ROW(7, "{from: \"n{(i + 1) % 7}\", to: \"n{i}\", for: {i: 0..6}}"), 7, ring7);
	compare(ROW(16, "{for: {b: 0..3}, from: \"n{i}\", to: \"n{i ^ (1 << b)}\"}"), 16, cube);
	/* both ends of a ring of two find the same pair; as a sum it counts twice */
	compare(ROW(2, "{from: \"n{i}\", to: \"n{(i + 1) % 2}\"}"), 2, pair_of_two);
	compare(ROW(2, "{from: \"n{i}\", to: \"n{(i + 1) % 2}\", merge: sum}"), 2, doubled);
}

/* n{i,j,k} of a 3 x 4 x 2 torus; the ring of two has one link. */
static uint32_t torus(uint32_t a, uint32_t b)
{
	uint32_t x = a / 8, y = a / 2 % 4, z = a % 2, u = b / 8, v = b / 2 % 4, w = b % 2;
	if (y == v && z == w)
		return (x + 1) % 3 == u || (u + 1) % 3 == x;
	if (x == u && z == w)
		return (y + 1) % 4 == v || (v + 1) % 4 == y;
	return x == u && y == v;
}

Test(join, torus)
{
	compare(HEAD "modules:\n  m:\n    parts: {n: {is: d, count: [3, 4, 2]}}\n    wiring:\n"
		     "      - {from: \"n{i,j,k}\", to: \"n{(i + 1) % 3, j, k}\"}\n"
		     "      - {from: \"n{i,j,k}\", to: \"n{i, (j + 1) % 4, k}\"}\n"
		     "      - {from: \"n{i,j,k}\", to: \"n{i, j, (k + 1) % 2}\"}\nbuild: m\n",
		24, torus);
}

/* Dragonfly: 5 groups of 4 routers, 2 links of every pair of groups. */
static uint32_t dragonfly(uint32_t a, uint32_t b)
{
	enum { G = 5, A = 4, ARC = 2 };
	uint32_t n = a / A == b / A, found = 0;
	for (uint32_t i = 0; i < G; i++)
		for (uint32_t j = i + 1; j < G; j++)
			for (uint32_t k = 0; k < ARC; k++) {
				uint32_t x = i * A + ((j - i - 1) * ARC + k) % A;
				uint32_t y = j * A + ((G - 1 - (j - i)) * ARC + k) % A;
				found += x == a && y == b;
			}
	return n + found;
}

Test(join, dragonfly)
{
	compare("toponaut: 1\nlinks: {l: {rate: 1 Gb/s}}\ndevices: {d: {class: switch}}\n"
		"params: {g: 5, a: 4, arc: 2}\n"
		"modules:\n  grp:\n    parts: {r: {is: d, count: a}}\n    wiring:\n"
		"      - {from: \"r{i}\", to: \"r{j}\"}\n"
		"  m:\n    parts: {group: {is: grp, count: g}}\n    wiring:\n"
		"      - {for: {i: 0..g-2, j: i+1..g-1, k: 0..arc-1}, from: \"group{i}/r{((j-i-1)*arc+k) % a}\",\n"
		"         to: \"group{j}/r{((g-1-(j-i))*arc+k) % a}\", merge: sum}\nbuild: m\n",
		20, dragonfly);
}

/* Two planes: gpu g of tray t to every switch, 5 or 4 links; devices: 3 x (2 gpus), then 4 switches. */
static uint32_t counted(uint32_t a, uint32_t b)
{
	return a < 6 && b >= 6 ? ((b - 6) % 3 == 0 ? 5 : 4) : 0;
}

/* What is bound late in `from` (c stands free behind c / 2): tray c / 2 holds gpu c only for c = 0, 1. */
static uint32_t late(uint32_t a, uint32_t b)
{
	return (a == 0 || a == 1) && b == 6 + a;
}

Test(join, through_modules)
{
#define TRAYS HEAD "modules:\n  tray:\n    parts: {gpu: {is: d, count: 2}}\n" \
		   "  m:\n    parts: {tray: {is: tray, count: 3}, sw: {is: s, count: 4}}\n    wiring:\n"
	compare(TRAYS "      - {from: \"tray{t}/gpu{g}\", to: \"sw{s}\", count: \"s % 3 == 0 ? 5 : 4\"}\nbuild: m\n", 10,
		counted);
	compare(TRAYS "      - {from: tray/gpu, to: sw, count: 4}\n"
		      "      - {from: tray/gpu, to: \"sw{k * 3}\", for: {k: 0..1}}\nbuild: m\n",
		10, counted);
	compare(TRAYS "      - {from: \"tray{c / 2}/gpu{c}\", to: \"sw{c}\"}\nbuild: m\n", 10, late);
	compare(TRAYS "      - {pairs: [[tray0/gpu0, sw0], [tray0/gpu1, sw1]]}\nbuild: m\n", 10, late);
}

Test(join, labels_and_flags)
{
	struct loaded l = must_load(HEAD "modules:\n  m:\n    parts: {n: {is: d, count: 4}, x: {is: s, count: 2}, "
					 "o: {is: o, count: 2}}\n    wiring:\n"
					 "      - {from: \"n{i}\", to: \"x{i % 2}\", rail: i % 2, plane: i / 2, via: "
					 "\"o{i / 2}\", inferred: true, count: i}\nbuild: m\n");
	cr_assert_eq(l.f->trunk_count, 3); /* count 0 is none */
	for (uint32_t t = 0; t < 3; t++) {
		const struct trunk *x = &l.f->trunks[t];
		cr_expect_eq(x->a, t + 1);
		cr_expect_eq(x->b, 4 + (t + 1) % 2);
		cr_expect_eq(x->count, t + 1);
		cr_expect_eq(x->rail, (int32_t)(t + 1) % 2);
		cr_expect_eq(x->plane, (int32_t)(t + 1) / 2);
		cr_expect_eq(x->via, 6 + (t + 1) / 2);
		cr_expect_eq(x->flags, FLAG_INFERRED);
	}
	cr_assert_str_eq(l.f->origins.at[0].text, "in module `m`, wiring rule 1");
	unload(&l);
}

Test(join, nothing_is_fine_when_said)
{
	struct loaded l = must_load(HEAD "params: {k: 0}\nmodules:\n  m:\n    parts: {n: {is: d, count: 4}, x: {is: s, "
					 "count: k}}\n    wiring:\n"
					 "      - {from: \"n{i}\", to: \"x{j}\"}\n"
					 "      - {from: \"n{i}\", to: \"n{i + 9}\", if: k > 0}\nbuild: m\n");
	cr_assert_eq(l.f->trunk_count, 0);
	unload(&l);
}

/* The last of three pods has fewer nodes; wiring follows the sizes. */
Test(join, instances_of_different_size)
{
	struct loaded l = must_load(
		HEAD "modules:\n  pod:\n    params: {nodes: 4}\n    parts: {n: {is: d, count: nodes}, x: {is: s}}\n"
		     "    wiring:\n      - {from: \"n{i}\", to: x}\n"
		     "  m:\n    parts: {pod: {is: pod, count: 3, with: {nodes: \"${index == 2 ? 3 : 4}\"}}, y: {is: s}}\n"
		     "    wiring:\n      - {from: \"pod{p}/x\", to: y}\n"
		     "      - {from: \"pod{p}/n{3}\", to: y}\nbuild: m\n");
	cr_assert_eq(l.f->device_count, 15);
	cr_assert_eq(l.f->trunk_count, 11 + 3 + 2);
	cr_assert_eq(links_between(l.f, 4, 14), 1);
	cr_assert_eq(links_between(l.f, 13, 14), 1); /* the switch of the small pod */
	cr_assert_eq(links_between(l.f, 12, 14), 0);
	unload(&l);
}

/* Rules that end at a module are dealt round-robin to its front. */
Test(join, front)
{
	struct loaded l = must_load(HEAD "modules:\n  chip:\n    kind: package\n    class: gpu\n"
					 "    parts: {die: {is: d, count: 2}}\n    front: {l: \"die{i}\"}\n"
					 "  m:\n    parts: {chip: {is: chip, count: 2}, sw: {is: s, count: 3}}\n"
					 "    wiring:\n      - {from: \"chip{c}\", to: \"sw{s}\"}\nbuild: m\n");
	cr_assert_eq(l.f->device_count, 7);
	cr_assert_eq(l.f->modules.at[1].class, CLASS_GPU);
	for (uint32_t c = 0; c < 2; c++)
		for (uint32_t s = 0; s < 3; s++)
			cr_assert_eq(links_between(l.f, 2 * c + s % 2, 4 + s), 1, "%u %u", c, s);
	unload(&l);
}

Test(join, random_regular)
{
	char text[512];
	static const char form[] = HEAD "modules:\n  m:\n    parts: {tor: {is: s, count: %d}}\n    wiring:\n"
					"      - {random-regular: {of: \"tor*\", degree: %d, seed: %d}}\nbuild: m\n";
	static const int cases[][2] = {{10, 3}, {50, 6}, {9, 4}, {4, 3}, {2, 1}, {64, 7}};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(text, sizeof text, form, cases[i][0], cases[i][1], 1);
		struct loaded l = must_load(text);
		uint32_t n = (uint32_t)cases[i][0], degree = (uint32_t)cases[i][1];
		cr_assert_eq(l.f->trunk_count, n * degree / 2);
		for (uint32_t v = 0; v < n; v++)
			cr_assert_eq(l.f->incident_at[v + 1] - l.f->incident_at[v], degree);
		for (uint32_t t = 0; t < l.f->trunk_count; t++)
			cr_assert_eq(l.f->trunks[t].count, 1);
		unload(&l);
	}
	snprintf(text, sizeof text, form, 50, 6, 1);
	struct loaded a = must_load(text), b = must_load(text);
	snprintf(text, sizeof text, form, 50, 6, 2);
	struct loaded c = must_load(text);
	cr_assert_eq(memcmp(a.f->trunks, b.f->trunks, a.f->trunk_count * sizeof *a.f->trunks) != 0, 0);
	unsigned other = 0;
	for (uint32_t t = 0; t < c.f->trunk_count; t++)
		other += a.f->trunks[t].a != c.f->trunks[t].a || a.f->trunks[t].b != c.f->trunks[t].b;
	cr_assert_gt(other, 50);
	unload(&a);
	unload(&b);
	unload(&c);
}
