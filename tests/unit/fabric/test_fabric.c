/* The model: building, freezing, reading, what-if, projection; on fabrics built by hand. */
#include <criterion/criterion.h>

#include <string.h>

#include "toponaut/fabric.h"

struct tiny {
	struct fabric *f;
	uint32_t gpu, sw, nic, cpu, nvlink, pcie, ndr;
};

static uint32_t add_type(struct fabric *f, const char *name, enum device_class class)
{
	struct device_type t = device_type_default();

	t.name = fabric_name(f, name, strlen(name));
	t.class = class;
	return fabric_add_type(f, &t);
}

static uint32_t add_kind(struct fabric *f, const char *name, enum link_use use, uint64_t rate)
{
	struct link_kind k = link_kind_default();

	k.name = k.port = fabric_name(f, name, strlen(name));
	k.use = use;
	k.rate = rate;
	return fabric_add_kind(f, &k);
}

static struct tiny tiny_new(void)
{
	struct tiny t = {.f = fabric_new("test")};

	t.gpu = add_type(t.f, "gpu", CLASS_GPU);
	t.sw = add_type(t.f, "sw", CLASS_SWITCH);
	t.nic = add_type(t.f, "nic", CLASS_NIC);
	t.cpu = add_type(t.f, "cpu", CLASS_CPU);
	t.nvlink = add_kind(t.f, "nvlink", USE_FABRIC, 400);
	t.pcie = add_kind(t.f, "pcie", USE_ATTACH, 500);
	t.ndr = add_kind(t.f, "ndr", USE_FABRIC, 100);
	return t;
}

static uint32_t device(struct tiny *t, uint32_t type, uint32_t module, const char *name)
{
	return fabric_add_device(t->f, type, module, fabric_name(t->f, name, strlen(name)), 0, NULL);
}

static uint32_t module(struct tiny *t, uint32_t parent, const char *name, enum module_kind kind)
{
	struct module m = module_default();

	m.parent = parent;
	m.kind = kind;
	m.name = fabric_name(t->f, name, strlen(name));
	return fabric_add_module(t->f, &m);
}

static void trunk(struct tiny *t, uint32_t a, uint32_t b, uint32_t kind, uint32_t count)
{
	struct trunk x = trunk_default();

	x.a = a;
	x.b = b;
	x.kind = kind;
	x.count = count;
	x.rate = t->f->kinds.at[kind].rate;
	fabric_add_trunk(t->f, &x);
}

static void freeze(struct tiny *t)
{
	struct diag d = {0};

	cr_assert_eq(fabric_freeze(t->f, &d), OK);
	cr_assert_null(fabric_broken(t->f), "%s", fabric_broken(t->f));
	diag_free(&d);
}

static const char *path(const struct tiny *t, uint32_t device_id)
{
	static struct strbuf b;

	strbuf_trim(&b, 0);
	device_path(t->f, device_id, &b);
	return strbuf_str(&b);
}

Test(fabric, freeze_puts_modules_into_one_range)
{
	struct tiny t = tiny_new();
	uint32_t a = module(&t, 0, "a", MODULE_TRAY), b = module(&t, 0, "b", MODULE_TRAY);
	struct member m = {0};
	static const char *const order[] = {"a", "b", "sw0"};
	int i = 0;

	device(&t, t.gpu, b, "gpu0"); /* out of order on purpose */
	device(&t, t.gpu, a, "gpu0");
	device(&t, t.sw, 0, "sw0");
	device(&t, t.gpu, a, "gpu1");
	freeze(&t);
	cr_expect_str_eq(path(&t, 0), "a/gpu0");
	cr_expect_str_eq(path(&t, 1), "a/gpu1");
	cr_expect_str_eq(path(&t, 2), "b/gpu0");
	cr_expect_str_eq(path(&t, 3), "sw0");
	while (module_next(t.f, 0, &m)) {
		const char *name = m.is_device ? device_name(t.f, m.id) : fabric_str(t.f, t.f->modules.at[m.id].name);

		cr_assert_lt(i, 3);
		cr_expect_str_eq(name, order[i++]);
	}
	cr_expect_eq(i, 3);
	fabric_free(t.f);
}

Test(fabric, trunks_merge_and_loops_go_aside)
{
	struct tiny t = tiny_new();
	uint32_t x = device(&t, t.gpu, 0, "x"), y = device(&t, t.gpu, 0, "y");

	trunk(&t, y, x, t.nvlink, 2);
	trunk(&t, x, y, t.nvlink, 3);
	trunk(&t, x, y, t.ndr, 1);
	trunk(&t, x, x, t.ndr, 1);
	freeze(&t);
	cr_expect_eq(t.f->trunk_count, 2);
	cr_expect_eq(t.f->trunks[0].count, 5);
	cr_expect_eq(t.f->loops.n, 1);
	cr_expect_eq(trunk_capacity(t.f, NULL, 0), 2000);
	fabric_free(t.f);
}

Test(fabric, equal_names_in_one_module_are_refused)
{
	struct tiny t = tiny_new();
	struct diag d = {0};

	device(&t, t.gpu, 0, "x");
	device(&t, t.sw, 0, "x");
	cr_expect_eq(fabric_freeze(t.f, &d), E_INPUT);
	cr_expect_eq(d.errors, 1);
	diag_free(&d);
	fabric_free(t.f);
}

Test(fabric, names_are_quoted_where_selections_need_it)
{
	struct strbuf b = STRBUF_INIT;

	path_put_name(&b, "gpu0");
	path_put_name(&b, " a/b's");
	path_put_name(&b, "x--y");
	cr_expect_str_eq(strbuf_str(&b), "gpu0' a/b\\'s''x--y'");
	strbuf_free(&b);
}

Test(overlay, failures_lost_links_and_derating)
{
	struct tiny t = tiny_new();
	uint32_t x = device(&t, t.gpu, 0, "x"), y = device(&t, t.gpu, 0, "y"), z = device(&t, t.gpu, 0, "z");
	struct overlay o;

	trunk(&t, x, y, t.nvlink, 4);
	trunk(&t, y, z, t.nvlink, 4);
	freeze(&t);
	o = overlay_new(t.f);
	cr_expect(overlay_is_empty(t.f, &o));
	overlay_fail_links(t.f, &o, 0, 1);
	cr_expect_eq(trunk_capacity(t.f, &o, 0), 1200);
	overlay_fail_links(t.f, &o, 0, 1);
	cr_expect_eq(trunk_links(t.f, &o, 0), 2);
	overlay_derate(t.f, &o, 0, 500000);
	cr_expect_eq(trunk_capacity(t.f, &o, 0), 400);
	overlay_fail_device(t.f, &o, z);
	cr_expect_eq(trunk_links(t.f, &o, 1), 0);
	overlay_fail_links(t.f, &o, 0, NONE);
	cr_expect_eq(trunk_capacity(t.f, &o, 0), 0);
	cr_expect_not(overlay_is_empty(t.f, &o));
	overlay_free(&o);
	fabric_free(t.f);
}

/* An accelerator with a NIC: the hop between counts only when the NIC leads on, and at most what it carries. */
Test(projection, attach_hops)
{
	struct tiny t = tiny_new();
	struct projection_options p = {.endpoints = CLASS_NONE, .unit = -1};
	uint32_t g0 = device(&t, t.gpu, 0, "g0"), g1 = device(&t, t.gpu, 0, "g1"), n0 = device(&t, t.nic, 0, "n0");
	uint32_t n1 = device(&t, t.nic, 0, "n1"), leaf = device(&t, t.sw, 0, "leaf"), cpu = device(&t, t.cpu, 0, "cpu");
	struct network n;

	trunk(&t, g0, g1, t.nvlink, 2);
	trunk(&t, g0, n0, t.pcie, 1);
	trunk(&t, g1, n1, t.pcie, 1);
	trunk(&t, n0, leaf, t.ndr, 1);
	trunk(&t, n0, cpu, t.pcie, 1);
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect_eq(n.endpoint_count, 2);
	cr_expect_eq(n.endpoint_class, CLASS_GPU);
	cr_expect_eq(n.injection[n.vertex_of[g0]], 2 * 400 + 100);
	cr_expect_eq(n.injection[n.vertex_of[g1]], 2 * 400, "a NIC without a counted link adds nothing");
	cr_expect_eq(n.vertex_of[cpu], NONE, "a CPU forwards nothing");
	cr_expect_null(n.unknown);
	network_free(&n);
	fabric_free(t.f);
}

Test(projection, a_unit_is_one_vertex)
{
	struct tiny t = tiny_new();
	struct projection_options p = {.endpoints = CLASS_NONE, .unit = MODULE_TRAY};
	uint32_t sw = device(&t, t.sw, 0, "sw");
	char name[16];
	struct network n;

	for (int i = 0; i < 3; i++) {
		uint32_t tray;

		snprintf(name, sizeof name, "t%d", i);
		tray = module(&t, 0, name, MODULE_TRAY);
		trunk(&t, device(&t, t.gpu, tray, "g0"), sw, t.nvlink, 1);
		trunk(&t, device(&t, t.gpu, tray, "g1"), sw, t.nvlink, 1);
	}
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect_eq(n.endpoint_count, 3);
	cr_expect_eq(n.vertex_count, 4);
	cr_expect_eq(n.edge_count, 3);
	cr_expect_eq(n.injection[n.vertex_of[1]], 800);
	network_free(&n);
	fabric_free(t.f);
}

/* Sides of whole modules do not exist where endpoints stand outside of such modules. */
Test(projection, a_unit_that_does_not_hold_all_endpoints)
{
	struct tiny t = tiny_new();
	struct projection_options p = {.endpoints = CLASS_NONE, .unit = MODULE_TRAY};
	uint32_t sw = device(&t, t.sw, 0, "sw"), tray = module(&t, 0, "t", MODULE_TRAY);
	struct network n;

	trunk(&t, device(&t, t.gpu, tray, "g0"), sw, t.nvlink, 1);
	trunk(&t, device(&t, t.gpu, 0, "g1"), sw, t.nvlink, 1);
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect_not_null(n.unknown, "g1 stands in no tray");
	network_free(&n);
	p.unit = MODULE_POD;
	n = network_build(t.f, NULL, &p);
	cr_expect_not_null(n.unknown, "there are no pods");
	network_free(&n);
	p.unit = (int)t.f->modules.at[0].kind;
	n = network_build(t.f, NULL, &p);
	cr_expect_not_null(n.unknown, "the root is one module");
	network_free(&n);
	fabric_free(t.f);
}

/* Rates of which each can be held, and not their sum. */
Test(projection, sums_that_do_not_fit_are_unknown)
{
	struct tiny t = tiny_new();
	struct projection_options p = {.endpoints = CLASS_NONE, .unit = -1};
	uint32_t a = device(&t, t.gpu, 0, "a"), b = device(&t, t.gpu, 0, "b"), c = device(&t, t.gpu, 0, "c");
	struct network n;

	t.f->kinds.at[t.nvlink].rate = INT64_MAX / 4;
	trunk(&t, a, b, t.nvlink, 1);
	trunk(&t, b, c, t.nvlink, 1);
	trunk(&t, a, c, t.nvlink, 1);
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect_not_null(n.unknown);
	network_free(&n);
	fabric_free(t.f);
}

Test(projection, unknown_rates_are_links_or_unknown)
{
	struct tiny t = tiny_new();
	struct projection_options p = {.endpoints = CLASS_NONE, .unit = -1};
	uint32_t x = device(&t, t.gpu, 0, "x"), y = device(&t, t.gpu, 0, "y"), z = device(&t, t.gpu, 0, "z");
	struct network n;

	t.f->kinds.at[t.nvlink].rate = UNKNOWN;
	trunk(&t, x, y, t.nvlink, 4);
	trunk(&t, y, z, t.nvlink, 2);
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect(n.in_links);
	cr_expect_eq(n.injection[n.vertex_of[y]], 6);
	network_free(&n);
	fabric_free(t.f);
	t = tiny_new();
	x = device(&t, t.gpu, 0, "x");
	y = device(&t, t.gpu, 0, "y");
	z = device(&t, t.gpu, 0, "z");
	t.f->kinds.at[t.nvlink].rate = UNKNOWN;
	trunk(&t, x, y, t.nvlink, 4);
	trunk(&t, y, z, t.ndr, 2);
	freeze(&t);
	n = network_build(t.f, NULL, &p);
	cr_expect_not_null(n.unknown);
	network_free(&n);
	fabric_free(t.f);
}
