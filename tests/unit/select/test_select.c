/* The selection language: operators, patterns, labels, messages, and the way back to text. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

static struct fabric *f;
static struct select_context context;

static name_id name_of(const char *s)
{
	return fabric_name(f, s, strlen(s));
}

static uint32_t add_type(const char *name, enum device_class class)
{
	struct device_type t = device_type_default();
	t.name = name_of(name);
	t.class = class;
	return fabric_add_type(f, &t);
}

static uint32_t add_module(uint32_t parent, enum module_kind kind, const char *name)
{
	struct module m = module_default();
	m.parent = parent;
	m.kind = kind;
	m.name = name_of(name);
	m.type = name_of(kind == MODULE_TRAY ? "a-tray" : "other");
	return fabric_add_module(f, &m);
}

static void join(uint32_t a, uint32_t b, uint32_t kind, uint32_t count, int32_t rail)
{
	struct trunk t = trunk_default();
	t.a = a;
	t.b = b;
	t.kind = kind;
	t.count = count;
	t.rail = rail;
	fabric_add_trunk(f, &t);
}

/* Four trays of four GPUs and a CPU, two switch trays of two switches, and names as strangers write them. */
static void build(void)
{
	f = fabric_new("test");
	uint32_t gpu = add_type("b300", CLASS_GPU), cpu = add_type("grace", CLASS_CPU);
	uint32_t sw = add_type("nvswitch4", CLASS_SWITCH);
	struct medium glass = medium_default();
	glass.name = name_of("glass-fibre");
	struct link_kind k = link_kind_default();
	k.name = name_of("nvlink5");
	k.medium = fabric_add_medium(f, &glass);
	uint32_t nvlink = fabric_add_kind(f, &k), gpus[16], switches[4];
	for (uint32_t t = 0; t < 4; t++) {
		char name[32];
		snprintf(name, sizeof name, "compute%u", t);
		uint32_t tray = add_module(0, MODULE_TRAY, name);
		for (uint32_t i = 0; i < 4; i++) {
			snprintf(name, sizeof name, "gpu%u", i);
			gpus[t * 4 + i] = fabric_add_device(f, gpu, tray, name_of(name), 0, NULL);
		}
		fabric_add_device(f, cpu, tray, name_of("cpu"), 0, NULL);
	}
	for (uint32_t t = 0; t < 2; t++) {
		char name[32];
		snprintf(name, sizeof name, "switch%u", t);
		uint32_t tray = add_module(0, MODULE_TRAY, name);
		for (uint32_t i = 0; i < 2; i++) {
			snprintf(name, sizeof name, "sw%u", i);
			switches[t * 2 + i] = fabric_add_device(f, sw, tray, name_of(name), 0, NULL);
		}
	}
	uint32_t odd = add_module(0, MODULE_HOST, "rack 'A'/1");
	uint32_t inner = add_module(odd, MODULE_GROUP, "node-008");
	fabric_add_device(f, cpu, inner, name_of("n0.1.2"), 0, NULL);
	fabric_add_device(f, cpu, inner, name_of("n0.1.3"), 0, NULL);
	fabric_add_device(f, cpu, inner, name_of("x--y"), 0, NULL);
	fabric_add_device(f, cpu, inner, name_of("[*]"), 0, NULL);
	for (uint32_t i = 8; i < 12; i++) {
		char name[32];
		snprintf(name, sizeof name, "node%03u", i);
		fabric_add_device(f, cpu, odd, name_of(name), 0, NULL);
	}
	fabric_add_device(f, cpu, odd, name_of("node8"), 0, NULL);
	fabric_add_device(f, cpu, odd, name_of("node"), 0, NULL);
	for (uint32_t g = 0; g < 16; g++)
		for (uint32_t s = 0; s < 4; s++)
			join(gpus[g], switches[s], nvlink, 2, (int32_t)s);
	struct named_selection groups[] = {
		{.name = "lower", .selection = "compute[0-1]"},
		{.name = "twice", .selection = "@lower & @gpu"},
		{.name = "circle", .selection = "compute0/gpu0, @circle2"},
		{.name = "circle2", .selection = "compute0, @circle"},
	};
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		vec_push(&f->groups, groups[i]);
	struct diag d = {0};
	cr_assert(eq(int, fabric_freeze(f, &d), OK));
	diag_free(&d);
	context = (struct select_context){.fabric = f};
}

static void drop(void)
{
	fabric_free(f);
}

TestSuite(select, .init = build, .fini = drop);

static uint32_t count(const char *text)
{
	struct diag d = {0};
	struct idset s;
	enum status status = select_eval(&context, text, (struct mark){0}, &d, &s);
	struct strbuf b = STRBUF_INIT;
	diag_put(&b, &d, false);
	cr_assert(eq(int, status, OK), "%s: %s", text, strbuf_str(&b));
	uint32_t n = idset_count(&s);
	strbuf_free(&b);
	idset_free(&s);
	diag_free(&d);
	return n;
}

/* The whole message of a selection that must be refused. */
static char *message(const char *text)
{
	struct diag d = {0};
	struct idset s;
	enum status status = select_eval(&context, text, (struct mark){0}, &d, &s);
	struct strbuf b = STRBUF_INIT;
	diag_put(&b, &d, false);
	cr_assert(ne(int, status, OK), "%s was accepted", text);
	cr_assert(eq(uint, d.errors, 1), "%s: one message, not %u", text, d.errors);
	cr_assert(idset_is_empty(&s));
	cr_assert(eq(uint, s.size, f->device_count));
	char *copy = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	idset_free(&s);
	diag_free(&d);
	return copy;
}

static void refused(const char *text, const char *part)
{
	char *m = message(text);
	cr_assert(strstr(m, part) != NULL, "%s gives\n%swithout\n%s", text, m, part);
	free(m);
}

Test(select, operands)
{
	static const struct {
		const char *text;
		uint32_t n;
	} cases[] = {
		{"*", 34}, {"**", 34}, {"@gpu", 16}, {"@accel", 16}, {"@switch", 4}, {"@cpu", 14},
		{"compute0", 5}, {"compute0/", 5}, {"/compute0", 5}, {"compute", 20}, {"compute*", 20},
		{"compute0/gpu0", 1}, {"compute0/gpu", 4}, {"compute/gpu0", 4}, {"compute[1-2,3]/gpu[0,2]", 6},
		{"*/gpu0", 4}, {"**/gpu0", 4}, {"**/**/gpu0", 4}, {"compute0/**", 5}, {"**/n", 2}, {"**/n0.1.2", 1},
		{"**/n[0].[1].[2-3]", 2}, {"**/n0.*", 2}, {"c*e[0-1]/*pu", 10}, {"c*e[0-1]/*pu[0-9]", 8},
		{"'rack \\'A\\'/1'", 10}, {"rack\\ \\'A\\'\\/1", 10}, {"rack*", 10}, {"*/node-008/n", 2},
		{"*/node[008-010]", 3}, {"*/node[08-10]", 0}, {"*/node[8-10]", 1}, {"*/node", 1}, {"*/node*", 10},
		{"**/'x--y'", 1}, {"**/x\\-\\-y", 1}, {"**/'[*]'", 1}, {"**/\\[\\*\\]", 1},
		{"@type:b300", 16}, {"@type:'b300'", 16}, {"@type:*s*", 4}, {"@type:a-tray", 24},
		{"@kind:tray", 24}, {"@kind:host", 10}, {"@medium:glass*", 20}, {"@rail:2", 1}, {"@rail:[0-1]", 2},
		{"@lower", 10}, {"@twice", 8},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		if (!cases[i].n)
			refused(cases[i].text, "nothing matches");
		else
			cr_expect(eq(uint, count(cases[i].text), cases[i].n), "%s", cases[i].text);
	}
}

Test(select, operators_from_left_to_right)
{
	cr_expect(eq(uint, count("compute0,compute1!compute0"), 5));
	cr_expect(eq(uint, count("compute0,(compute1!compute0)"), 10));
	cr_expect(eq(uint, count("compute0 , compute1 & @gpu"), 8));
	cr_expect(eq(uint, count("compute0,(compute1&@gpu)"), 9));
	cr_expect(eq(uint, count("compute[0-1] ^ compute[1-2]"), 10));
	cr_expect(eq(uint, count("*!@gpu"), 18));
	cr_expect(eq(uint, count("~switch0/sw0"), 16));
	cr_expect(eq(uint, count("~compute0/gpu0"), 4));
	cr_expect(eq(uint, count("~ compute0/gpu0 & switch0"), 2));
	cr_expect(eq(uint, count("~~switch0/sw0"), 4));
	cr_expect(eq(uint, count("~(switch0,compute0)"), 12 + 2), "12 GPUs by switch0, two switches by compute0");
}

Test(select, sets_of_the_session)
{
	struct idset here = idset_new(f->device_count), none = idset_new(f->device_count);
	idset_add(&here, 3);
	refused("%here", "the explorer only");
	context.here = &here;
	context.selected = &none;
	cr_expect(eq(uint, count("%here"), 1));
	cr_expect(eq(uint, count("compute0 ! %here"), 4));
	refused("%sel", "nothing is selected");
	refused("%there", "known are %here and %sel");
	struct named_selection mine = {.name = "lower", .selection = "compute0"};
	context.names = &mine;
	context.name_count = 1;
	cr_expect(eq(uint, count("@lower"), 5), "the session's names come first");
	idset_free(&here);
	idset_free(&none);
}

Test(select, messages)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
		{"", "a selection was expected"},
		{"compute0,", "    compute0,\n             ^"},
		{"compute0 compute1", "an operator was expected"},
		{"(compute0", "not closed"},
		{"compute0)", "closes nothing"},
		{"!compute0", "*!X"},
		{"compute0//gpu0", "before this slash"},
		{"compute[0-", "a number was expected"},
		{"compute[0-3", "not closed"},
		{"compute[3-0]", "runs backwards"},
		{"compute[01-002]", "padded differently"},
		{"compute[99999999999999999999]", "too long"},
		{"compute]", "closes nothing"},
		{"'compute", "not closed"},
		{"compute0--compute1", "joins the two ends"},
		{"compue0", "did you mean compute0?"},
		{"gpu0", "did you mean compute0/gpu0?"},
		{"compute0/gup0", "did you mean compute0/gpu0?"},
		{"compute9/gpu0", "compute[0-3]"},
		{"compute0/qqqqqq", "in compute0: cpu  gpu[0-3]"},
		{"@gpux", "did you mean @gpu?"},
		{"@nic", "@gpu @switch @cpu"},
		{"@lowr", "did you mean @lower?"},
		{"@foo:x", "no such property"},
		{"@type:", "value was expected"},
		{"@type:nothing", "nothing matches `@type:nothing`"},
		{"@circle2", "refers to itself"},
		{"compute0 & compute1", "nothing is left"},
		{"~compute3/cpu", "no neighbours"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		refused(cases[i].text, cases[i].part);
	char *deep = mem_alloc(1001);
	memset(deep, '(', 1000);
	refused(deep, "too deeply");
	memset(deep, '~', 1000);
	refused(deep, "too deeply");
	free(deep);
}

static char *put(const char *text)
{
	struct diag d = {0};
	struct idset s;
	cr_assert(eq(int, select_eval(&context, text, (struct mark){0}, &d, &s), OK), "%s", text);
	struct strbuf b = STRBUF_INIT;
	select_put(f, &s, &b);
	idset_free(&s);
	diag_free(&d);
	char *copy = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	return copy;
}

Test(select, folds_into_short_text)
{
	static const char *const cases[][2] = {
		{"*", "*"},
		{"@gpu", "@gpu"},
		{"compute[1-3]/gpu*", "compute[1-3]/gpu*"},
		{"compute0,compute1", "compute[0,1]"},
		{"compute0,compute1,compute2", "compute[0-2]"},
		{"compute", "compute*"},
		{"compute*/gpu0", "compute*/gpu0"},
		{"compute0/gpu[0,2-3]", "compute0/gpu[0,2,3]"},
		{"compute0/*", "compute0"},
		{"*/node[008-010]", "'rack \\'A\\'/1'/node[008-010]"},
		{"*/node[008-011]", "'rack \\'A\\'/1'/node[008-011]"},
		{"*/node", "'rack \\'A\\'/1'/node"},
		{"**/'x--y'", "'rack \\'A\\'/1'/node-008/'x--y'"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = put(cases[i][0]);
		cr_expect(eq(str, text, (char *)cases[i][1]));
		free(text);
	}
	struct idset none = idset_new(f->device_count);
	struct strbuf b = STRBUF_INIT;
	select_put(f, &none, &b);
	cr_expect(eq(sz, b.n, 0));
	idset_free(&none);
}

static void round_trip(const struct idset *s)
{
	struct strbuf b = STRBUF_INIT;
	struct diag d = {0};
	struct idset again;
	select_put(f, s, &b);
	enum status status = select_eval(&context, strbuf_str(&b), (struct mark){0}, &d, &again);
	cr_assert(eq(int, status, OK), "%s does not read back", strbuf_str(&b));
	cr_assert(idset_equal(s, &again), "%s reads back as another set", strbuf_str(&b));
	idset_free(&again);
	strbuf_free(&b);
	diag_free(&d);
}

Test(select, any_set_reads_back)
{
	struct rng r = rng_seed(7);
	for (unsigned round = 0; round < 3000; round++) {
		struct idset s = idset_new(f->device_count);
		uint32_t chance = 1 + rng_below(&r, 8), stretch = 1 + rng_below(&r, 6);
		for (uint32_t d = 0; d < f->device_count; d += stretch)
			if (rng_below(&r, 8) < chance)
				idset_add_range(&s, d, d + stretch < f->device_count ? d + stretch : f->device_count);
		if (!idset_is_empty(&s))
			round_trip(&s);
		idset_free(&s);
	}
}

/* A fabric of random names: padded, several indices, names that begin like others, empty modules. */
static void random_members(struct rng *r, uint32_t module, unsigned depth, uint32_t type)
{
	static const char *const bases[] = {"n", "n-", "node", "a b", "x", "", "*", "n0x"};
	VEC(char *) used = {0};
	unsigned n = 1 + rng_below(r, 12);
	for (unsigned i = 0; i < n; i++) {
		char *name;
		const char *base = bases[rng_below(r, ARRAY_LEN(bases))];
		uint32_t a = rng_below(r, 12), b = rng_below(r, 3);
		switch (rng_below(r, 5)) {
		case 0: name = mem_printf("%s%u", base, a); break;
		case 1: name = mem_printf("%s%02u", base, a); break;
		case 2: name = mem_printf("%s%u.%u", base, a, b); break;
		case 3: name = mem_printf("%s%u.%02u.%u", base, b, a, b); break;
		default: name = mem_printf("%sy", base); break;
		}
		bool seen = false;
		for (size_t k = 0; k < used.n; k++)
			seen |= !strcmp(used.at[k], name);
		if (!seen && depth && rng_below(r, 2))
			random_members(r, add_module(module, MODULE_GROUP, name), depth - 1, type);
		else if (!seen)
			fabric_add_device(f, type, module, name_of(name), 0, NULL);
		vec_push(&used, name);
	}
	for (size_t k = 0; k < used.n; k++)
		free(used.at[k]);
	vec_free(&used);
}

Test(select, any_set_of_any_names_reads_back)
{
	for (uint64_t seed = 1; seed <= 120; seed++) {
		struct rng r = rng_seed(seed);
		fabric_free(f);
		f = fabric_new("random");
		uint32_t types[] = {add_type("a", CLASS_GPU), add_type("b", CLASS_CPU)};
		random_members(&r, 0, 2, types[0]);
		random_members(&r, add_module(0, MODULE_RACK, "second"), 2, types[1]);
		struct diag d = {0};
		cr_assert(eq(int, fabric_freeze(f, &d), OK));
		diag_free(&d);
		context = (struct select_context){.fabric = f};
		for (unsigned round = 0; round < 40; round++) {
			struct idset s = idset_new(f->device_count);
			uint32_t chance = 1 + rng_below(&r, 8);
			for (uint32_t i = 0; i < f->device_count; i++)
				if (rng_below(&r, 8) < chance)
					idset_add(&s, i);
			if (!idset_is_empty(&s))
				round_trip(&s);
			idset_free(&s);
		}
	}
}

Test(select, many_stars_cost_little)
{
	struct arena a = {0};
	struct pattern p;
	struct pattern_error e;
	const char *text = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
	size_t at = 0;
	char name[401];
	memset(name, 'a', 400);
	name[400] = '\0';
	cr_assert(glob_parse(&a, text, strlen(text), &at, true, &p, &e));
	cr_expect(not(glob_match(&p, name)));
	name[399] = 'b';
	cr_expect(glob_match(&p, name));
	arena_free(&a);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static enum status fail(const char *text, bool derate, struct overlay *o, struct diag *d)
{
	struct arena a = {0};
	struct fault x;
	enum status s = fault_parse(&a, text, derate, d, &x);
	if (s == OK)
		s = fault_apply(&context, &x, d, o);
	arena_free(&a);
	return s;
}

static uint64_t links_left(const struct overlay *o)
{
	uint64_t n = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		n += trunk_links(f, o, t);
	return n;
}

Test(select, faults_change_the_overlay)
{
	static const struct {
		const char *text;
		uint64_t left;
	} cases[] = {
		{"switch0/sw0", 96},
		{"compute0", 96},
		{"compute0/gpu0--switch0/sw0", 126},
		{"compute0/gpu0 -- switch0/sw0 = 1", 127},
		{"switch0/sw0--compute0/gpu*=1", 124},
		{"@rail:1", 96},
		{"@rail:[1,2], compute0", 64 - 16},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct overlay o = overlay_new(f);
		struct diag d = {0};
		cr_expect(eq(int, fail(cases[i].text, false, &o, &d), OK), "%s", cases[i].text);
		cr_expect(eq(u64, links_left(&o), cases[i].left), "%s", cases[i].text);
		overlay_free(&o);
		diag_free(&d);
	}
}

Test(select, derating_keeps_a_share)
{
	struct overlay o = overlay_new(f);
	struct diag d = {0};
	cr_assert(eq(int, fail("compute0/gpu0--switch0/sw0=50%", true, &o, &d), OK));
	uint32_t derated = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		derated += o.keep_ppm[t] == 500000;
	cr_expect(eq(uint, derated, 1));
	cr_expect(eq(u64, links_left(&o), 128));
	overlay_free(&o);
	diag_free(&d);
}

Test(select, faults_that_name_nothing_are_refused)
{
	static const struct {
		const char *text, *part;
		bool derate;
	} cases[] = {
		{"compute0/gpu0--compute0/gpu1", "no link joins", false},
		{"compute0/gpu0--switch0/sw0=3", "joined by 2 links only", false},
		{"compute0/gpu0--switch0/sw0=0", "number of links was expected", false},
		{"compute0=1", "only links can fail in part", false},
		{"--switch0", "both sides", false},
		{"", "a selection was expected", false},
		{"compute7", "nothing matches", false},
		{"@rail:9", "nothing matches", false},
		{"compute0/gpu0--switch0/sw0", "percentage", true},
		{"compute0/gpu0--switch0/sw0=150%", "percentage", true},
		{"compute0/gpu0--switch0/sw0=3", "percentage", true},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct overlay o = overlay_new(f);
		struct diag d = {0};
		struct strbuf b = STRBUF_INIT;
		cr_expect(eq(int, fail(cases[i].text, cases[i].derate, &o, &d), E_USAGE), "%s", cases[i].text);
		diag_put(&b, &d, false);
		cr_expect(strstr(strbuf_str(&b), cases[i].part) != NULL, "%s gives %s", cases[i].text, strbuf_str(&b));
		strbuf_free(&b);
		overlay_free(&o);
		diag_free(&d);
	}
}

/* ---- completion ------------------------------------------------------------------------------ */

static void completes(const char *text, const char *expected)
{
	struct arena a = {0};
	const char *out[40];
	struct strbuf b = STRBUF_INIT;
	size_t n = select_complete(&context, &a, text, strlen(text), out, ARRAY_LEN(out));
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", out[i]);
	cr_expect(eq(str, (char *)strbuf_str(&b), (char *)expected), "completing %s", text);
	strbuf_free(&b);
	arena_free(&a);
}

Test(select, completes_the_operand_at_the_cursor)
{
	completes("comp", "compute0/ compute1/ compute2/ compute3/");
	completes("@gpu & (compute0/g", "compute0/gpu0 compute0/gpu1 compute0/gpu2 compute0/gpu3");
	completes("@t", "@twice @type:");
	completes("%", "%here %sel");
	completes("compute[0,1]/c", "compute[0,1]/cpu");
	completes("nothing/", "");
	cr_expect(eq(sz, select_operand_start("@gpu & compute[0,1]/x", 21), 7));
}
