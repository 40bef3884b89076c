/* What is written loads to an equal fabric: same devices, names, places, trunks, order, groups, claims. */
#include "fixture.h"

static void same_text(const char *a, const char *b, const char *what)
{
	cr_assert(!a == !b && (!a || !strcmp(a, b)), "%s: %s, %s", what, a ? a : "-", b ? b : "-");
}

static void same_device(const struct fabric *a, const struct fabric *b, uint32_t d)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
	device_path(a, d, &x);
	device_path(b, d, &y);
	cr_assert_str_eq(x.text, y.text);
	cr_assert_str_eq(fabric_str(a, a->types.at[a->type[d]].name), fabric_str(b, b->types.at[b->type[d]].name));
	cr_assert_eq(device_class(a, d), device_class(b, d));
	cr_assert_eq(a->flags[d], b->flags[d]);
	cr_assert_eq(a->place[d].unit, b->place[d].unit);
	cr_assert_eq(a->place[d].x_um, b->place[d].x_um);
	cr_assert_eq(a->place[d].rotate, b->place[d].rotate);
	strbuf_free(&x);
	strbuf_free(&y);
}

static void same_module(const struct module *x, const struct module *y)
{
	cr_assert_eq(x->kind, y->kind);
	cr_assert_eq(x->class, y->class);
	cr_assert_eq(x->end, y->end);
	cr_assert_eq(x->height_units, y->height_units);
	cr_assert_eq(x->width_um, y->width_um);
	cr_assert_eq(x->pitch_um, y->pitch_um);
	cr_assert_eq(x->place.unit, y->place.unit);
	cr_assert_eq(x->place.units, y->place.units);
	cr_assert_eq(x->flags, y->flags);
}

static void same_trunk(const struct fabric *a, const struct fabric *b, uint32_t t)
{
	const struct trunk *x = &a->trunks[t], *y = &b->trunks[t];
	cr_assert(x->a == y->a && x->b == y->b && x->count == y->count && x->rate == y->rate, "trunk %u", t);
	cr_assert(x->rail == y->rail && x->plane == y->plane && x->via == y->via && x->flags == y->flags);
	cr_assert_eq(x->length_um, y->length_um);
	const struct link_kind *k = &a->kinds.at[x->kind], *l = &b->kinds.at[y->kind];
	cr_assert_str_eq(fabric_str(a, k->name), fabric_str(b, l->name));
	cr_assert(k->rate == l->rate && k->raw_rate == l->raw_rate && k->use == l->use && k->takes == l->takes);
	cr_assert_str_eq(fabric_str(a, k->port), fabric_str(b, l->port));
}

static void same(const struct fabric *a, const struct fabric *b)
{
	cr_assert_eq(a->device_count, b->device_count);
	cr_assert_eq(a->modules.n, b->modules.n);
	cr_assert_eq(a->trunk_count, b->trunk_count);
	for (uint32_t d = 0; d < a->device_count; d++)
		same_device(a, b, d);
	for (size_t m = 0; m < a->modules.n; m++)
		same_module(&a->modules.at[m], &b->modules.at[m]);
	for (uint32_t t = 0; t < a->trunk_count; t++)
		same_trunk(a, b, t);
	same_text(a->title, b->title, "title");
	cr_assert_eq(a->groups.n, b->groups.n);
	for (size_t i = 0; i < a->groups.n; i++)
		same_text(a->groups.at[i].selection, b->groups.at[i].selection, "group");
	cr_assert_eq(a->faults.n, b->faults.n);
	for (size_t i = 0; i < a->faults.n; i++) {
		const struct fault *x = &a->faults.at[i], *y = &b->faults.at[i];
		same_text(x->selection, y->selection, "fault");
		same_text(x->end_a, y->end_a, "fault");
		cr_assert(x->action == y->action && x->links == y->links && x->keep_ppm == y->keep_ppm);
	}
	cr_assert_eq(a->expectations.n, b->expectations.n);
	for (size_t i = 0; i < a->expectations.n; i++) {
		same_text(a->expectations.at[i].analysis, b->expectations.at[i].analysis, "claim");
		same_text(a->expectations.at[i].field, b->expectations.at[i].field, "claim");
		same_text(a->expectations.at[i].value, b->expectations.at[i].value, "claim");
		same_text(a->expectations.at[i].over, b->expectations.at[i].over, "claim");
	}
}

static struct loaded reload(const struct fabric *f, const struct overlay *o)
{
	struct strbuf b = STRBUF_INIT;
	describe_write(f, o, &b);
	struct loaded l = load_text(strbuf_str(&b));
	cr_assert_eq(l.status, OK, "%s\n%s", l.messages, strbuf_str(&b));
	strbuf_free(&b);
	return l;
}

static void round_trip(struct loaded *l)
{
	cr_assert_eq(l->status, OK, "%s", l->messages);
	struct loaded again = reload(l->f, NULL);
	same(l->f, again.f);
	unload(&again);
	unload(l);
}

Test(write, layouts)
{
	static const char *const names[] = {"gb300-nvl72", "vera-rubin-nvl72", "dgx-h100", "dgx2",     "dgx1-v100",
					    "leaf-spine",  "fat-tree",		"torus",    "hypercube"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct loaded l = load_layout(names[i], NULL);
		round_trip(&l);
	}
}

/* Everything the language can say that the layouts do not. */
Test(write, rare_things)
{
	struct loaded l = must_load(
		"toponaut: 1\nname: \"a \\\"quoted\\\" $${name}\"\nmedia: {mine: {reach: 123456 um, latency: 1 ps/m}}\n"
		"links: {a: {medium: mine, rate: 1234567891 b/s, port: osfp, takes: 3}, b: {use: local, length: 7 um}}\n"
		"devices: {d: {class: die, ports: {osfp: 7}, compute: {fp8: 1 PFLOPS}, size: 1.5 x 2 mm}, p: {class: passive}, "
		"e: {class: cpu, ports: {}}}\n"
		"modules:\n"
		"  chip: {kind: package, class: gpu, size: 9 x 9 mm, medium: mine, parts: {die: {is: d, count: 2, "
		"at: [\"1, 2 mm\", \"3, 4.567 mm\"], rotate: [0, 90]}}, front: {a: \"die{i}\"}}\n"
		"  tray: {kind: tray, height: 2U, parts: {c: {is: chip, count: [2, 2]}, x: {is: e, name: node001}, "
		"y: {is: e, name: \"a b/c\", external: true}}}\n"
		"  m: {kind: rack, height: 20U, parts: {t: {is: tray, count: 3, at: \"U1, U5, U9\"}, o: {is: p, count: 2}, "
		"z: {is: e, inferred: true, count: 2}}, wiring: [\n"
		"    {from: \"t{i}/c{a,b}\", to: \"t{(i + 1) % 3}/c{a,b}\", link: a, count: 2, rail: a, plane: b - 5, via: \"o{a}\"},\n"
		"    {from: \"t{i}/x\", to: \"z{j}\", link: b, inferred: true, length: 3 m},\n"
		"    {from: \"t{i}/x\", to: \"t{i}/y\", link: a, rate: 5 b/s, disagree: true, incomplete: true},\n"
		"    {pairs: [[z0, z1, unknown]], link: b}]}\n"
		"build: m\ngroups: {g: \"'a b/c'\"}\n"
		"faults: [{remove: t0}, {remove: t0 -- t1, links: 2}, {derate: z0 -- z1, to: 12.5%}]\n"
		"expect: [{blocking.oversubscription: g, is: 2.0, over: a}, {mincut: [t0, t1], atleast: 1 B/s}]\n");
	round_trip(&l);
}

/* The overlay comes back as faults: paths that name exactly what was changed. */
Test(write, overlay_as_faults)
{
	struct loaded l = load_layout("dgx-h100", NULL);
	struct overlay o = overlay_new(l.f);
	overlay_fail_device(l.f, &o, 3);
	overlay_fail_links(l.f, &o, 0, 2);
	overlay_fail_links(l.f, &o, 1, NONE);
	overlay_derate(l.f, &o, 5, 250000);
	struct loaded again = reload(l.f, &o);
	const struct fault *x = again.f->faults.at;
	cr_assert_eq(again.f->faults.n, 4);
	cr_expect(x[0].action == FAULT_REMOVE && !strcmp(x[0].selection, "gpu3"));
	cr_expect(x[1].links == 2 && !strcmp(x[1].end_a, "gpu0") && !strcmp(x[1].end_b, "sw0"));
	cr_expect(x[2].links == NONE && !strcmp(x[2].end_b, "sw1"));
	cr_expect(x[3].action == FAULT_DERATE && x[3].keep_ppm == 250000 && !strcmp(x[3].end_a, "gpu1"));
	unload(&again);
	overlay_free(&o);
	unload(&l);
}

/* A fabric that no description made: names with holes, strange letters, one row cut in two. */
Test(write, imported_names)
{
	static const char *const names[] = {"GPU0", "GPU1", "GPU3", "mlx5_0", "mlx5_1", "x y", "x/y", "9", "node01", "GPU2", "GPU", "x", "", "n0.1", "n0.0"};
	struct fabric *f = fabric_new("import");
	struct device_type t = device_type_default();
	struct link_kind k = link_kind_default();
	t.name = fabric_name(f, "NVIDIA H100 80GB", 16);
	t.class = CLASS_GPU;
	k.name = k.port = fabric_name(f, "NV link", 7);
	uint32_t type = fabric_add_type(f, &t), kind = fabric_add_kind(f, &k);
	for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
		fabric_add_device(f, type, 0, fabric_name(f, names[i], strlen(names[i])), 0, NULL);
		struct trunk x = trunk_default();
		x.a = 0, x.b = i, x.kind = kind, x.count = i == 4 ? NONE : i;
		if (i)
			fabric_add_trunk(f, &x);
	}
	struct diag d = {0};
	cr_assert_eq(fabric_freeze(f, &d), OK);
	struct strbuf b = STRBUF_INIT;
	describe_write(f, NULL, &b);
	struct loaded l = load_text(b.text);
	cr_assert_eq(l.status, OK, "%s\n%s", l.messages, b.text);
	for (uint32_t i = 0; i < f->device_count; i++)
		cr_expect(!names[i][0] || !strcmp(device_name(l.f, i), names[i]), "%s: %s", names[i], device_name(l.f, i));
	for (uint32_t i = 0; i < f->trunk_count; i++)
		cr_expect(l.f->trunks[i].b == f->trunks[i].b && l.f->trunks[i].count == f->trunks[i].count);
	unload(&l);
	strbuf_free(&b);
	fabric_free(f);
	diag_free(&d);
}
