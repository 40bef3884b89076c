/* The rest of the language: parameters, includes, kinds, media, placement, groups, faults, claims. */
#include "fixture.h"

static const char *param(const struct fabric *f, const char *name)
{
	for (size_t i = 0; i < f->parameters.n; i++)
		if (strcmp(f->parameters.at[i].name, name) == 0)
			return f->parameters.at[i].value;
	return NULL;
}

#define BOX "devices: {gpu: {class: gpu}}\nmodules: {box: {kind: rack, height: 10U, parts: {gpu: {is: gpu, count: 3}}}}\nbuild: box\n"

Test(language, parameters)
{
	static const char text[] = "toponaut: 1\nparams: {k: 4, half: \"${k / 2}\", rate: 50 GB/s, which: b300, n: -3}\n"
				   "name: \"k ${k}, half ${half}, ${rate} of ${which}, ${k * k - n}, $${k}\"\n" BOX;
	struct loaded l = must_load(text);
	cr_expect_str_eq(l.f->title, "k 4, half 2, 50 GB/s of b300, 19, ${k}");
	cr_expect(l.f->parameters.at[0].is_integer && !l.f->parameters.at[2].is_integer);
	unload(&l);
	static const char *const defines[] = {"k=8", "rate=400 Gb/s", "which=h100", "n=1"};
	l = load_with("t.yaml", text, sizeof text - 1, defines, 4, (struct limits){0});
	cr_assert_eq(l.status, OK, "%s", l.messages);
	/* a default is calculated once, from the defaults before it */
	cr_expect_str_eq(l.f->title, "k 8, half 2, 400 Gb/s of h100, 63, ${k}");
	cr_expect_str_eq(param(l.f, "k"), "8");
	cr_expect_str_eq(l.f->parameters.at[0].default_value, "4");
	unload(&l);
}

Test(language, recognised_by_content)
{
	static const struct {
		const char *text;
		bool yes;
	} cases[] = {
		{"toponaut: 1\n", true},
		{"# a comment\n---\ntoponaut: 1\n", true},
		{"\xef\xbb\xbftoponaut: 1\n", true},
		{"{toponaut: 1, name: x}", true},
		{"{\"toponaut\": 1}", true},
		{"{\n  \"toponaut\": 1}", true},
		{"name: x\ntoponaut : 1\n", true},
		{"toponauts: 1\n", false},
		{"topology:\n  toponaut: 1\n", false},
		{"", false},
		{"\tGPU0\tGPU1\n", false},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct source s = {"x", cases[i].text, strlen(cases[i].text)};
		cr_expect_eq(describe_recognise(&s), cases[i].yes, "%s", cases[i].text);
	}
}

Test(language, kinds)
{
	struct loaded l = must_load(
		"toponaut: 1\nlinks:\n"
		"  a: {lanes: 4, lane-rate: 12.5 GB/s, raw-rate: 53.125 GB/s, port: osfp, takes: 2, use: attach}\n"
		"  b: {density: 100 GB/s/mm, shoreline: 2.5 mm, latency: 2 ns, energy: 0.25 pJ/bit}\n"
		"  c: {medium: organic-substrate, shoreline: 2 mm, length: 3 mm}\n"
		"devices:\n  d: {class: accel, relay: true, ports: {osfp: 4}, memory: 80 GB, power: 1.2 kW,\n"
		"      latency: 100 ns, size: 20 x 26 mm, compute: {fp8: 5 PFLOPS, bf16: 2500 TFLOPS}}\n"
		"modules:\n  m:\n    kind: package\n    medium: glass-core\n    size: 78 x 77 mm\n"
		"    parts: {d: {is: d, count: 3}}\n    wiring:\n"
		"      - {from: d0, to: d1, link: a}\n      - {from: d0, to: d2, link: b}\n"
		"      - {from: d1, to: d2, link: c}\nbuild: m\n");
	const struct link_kind *k = l.f->kinds.at;
	const struct device_type *t = l.f->types.at;
	cr_expect_eq(k[0].rate, 400000000000);
	cr_expect_eq(k[0].raw_rate, 425000000000);
	cr_expect_str_eq(fabric_str(l.f, k[0].port), "osfp");
	cr_expect_eq(k[0].takes, 2);
	cr_expect_eq(k[0].use, USE_ATTACH);
	cr_expect_eq(k[1].rate, 2000000000000); /* 100 GB/s/mm x 2.5 mm = 250 GB/s */
	cr_expect_eq(k[1].latency_ps, 2000);
	cr_expect_eq(k[1].energy_fj, 250);
	cr_expect_eq(k[2].rate, 1792000000000); /* 112 GB/s/mm of the medium x 2 mm */
	cr_expect_str_eq(fabric_str(l.f, l.f->media.at[k[2].medium].name), "organic-substrate");
	cr_expect_eq(l.f->media.at[k[2].medium].latency_ps_m, 7000);
	cr_expect_eq(l.f->media.at[k[2].medium].reach_um, 25000);
	cr_expect_eq(t->class, CLASS_GPU);
	cr_expect(t->relay && t->ports_known);
	cr_expect_eq(t->width_um, 20000);
	cr_expect_eq(t->height_um, 26000);
	cr_expect_eq(t->memory_bytes, 80000000000);
	cr_expect_eq(t->power_mw, 1200000);
	cr_expect_eq(t->latency_ps, 100000);
	cr_expect_eq(l.f->computes.at[1].flops, 2500000000000000);
	cr_expect_eq(l.f->modules.at[0].width_um, 78000);
	cr_expect_str_eq(fabric_str(l.f, l.f->media.at[l.f->modules.at[0].medium].name), "glass-core");
	unload(&l);
}

Test(language, own_medium_goes_before_the_shipped)
{
	struct loaded l = must_load("toponaut: 1\nmedia: {pcb: {reach: 9 m}, mine: {latency: 5 ns/m}}\n"
				    "links: {a: {medium: pcb}, b: {medium: mine}}\ndevices: {d: {class: gpu}}\n"
				    "modules: {m: {parts: {d: {is: d, count: 2}}, wiring: [{from: d0, to: d1, link: a}, "
				    "{from: d0, to: d1, link: b}]}}\nbuild: m\n");
	cr_expect_eq(l.f->media.at[0].reach_um, 9000000);
	cr_expect_eq(l.f->media.at[1].latency_ps_m, 5000);
	unload(&l);
}

Test(language, rack_units)
{
	struct loaded l = must_load("toponaut: 1\ndevices: {gpu: {class: gpu}}\nmodules:\n"
				    "  tray: {kind: tray, height: 2U, parts: {gpu: {is: gpu}}}\n"
				    "  rack:\n    kind: rack\n    height: 20U\n    parts:\n"
				    "      a: {is: tray, count: 3, at: \"U1-U4, U9-U10\"}\n"
				    "      b: {is: tray, count: 2, at: U11}\n"
				    "      c: {is: tray, count: 2, at: \"U5, U7\"}\n"
				    "      d: {is: tray, at: U20}\n"
				    "      e: {is: tray, count: 2, at: U17-U18}\n"
				    "      f: {is: tray, at: U2}\nbuild: rack\n");
	static const uint32_t units[] = {1, 3, 9, 11, 13, 5, 7, 20, 17, NONE, 2};
	for (uint32_t i = 0; i < ARRAY_LEN(units); i++) {
		cr_expect_eq(l.f->modules.at[1 + i].place.unit, units[i], "%u", i);
		cr_expect_eq(l.f->modules.at[1 + i].place.units, units[i] == NONE ? 0 : 2, "%u", i);
	}
	cr_assert_eq(l.f->findings.n, 3);
	cr_expect_str_eq(l.f->findings.at[0].text, "`d` number 0 reaches U21 of a rack of 20U");
	cr_expect_str_eq(l.f->findings.at[1].text, "`at` has room for 1 of 2 `e`");
	cr_expect_str_eq(l.f->findings.at[2].text, "`f` number 0 and `a` number 0 share U2");
	unload(&l);
}

Test(language, positions)
{
	struct loaded l = must_load("toponaut: 1\ndevices: {die: {class: die}}\nmodules:\n"
				    "  p: {kind: package, size: 50 x 40 mm, parts: {a: {is: die, count: 2, at: [\"12.5, 3 mm\", "
				    "\"1 mm, 0.5 cm\"], rotate: 90}, b: {is: die, at: \"0, 0 mm\"}}}\n"
				    "  row: {kind: row, parts: {p: {is: p, count: 2}}}\nbuild: row\n");
	cr_expect_eq(l.f->place[0].x_um, 12500);
	cr_expect_eq(l.f->place[0].y_um, 3000);
	cr_expect_eq(l.f->place[1].x_um, 1000);
	cr_expect_eq(l.f->place[1].y_um, 5000);
	cr_expect_eq(l.f->place[1].rotate, 90);
	cr_expect_eq(l.f->place[2].x_um, 0);
	cr_expect_eq(l.f->modules.at[0].pitch_um, 600000);
	unload(&l);
}

Test(language, names_of_instances)
{
	struct loaded l = must_load("toponaut: 1\ndevices: {d: {class: gpu}}\nmodules:\n"
				    "  m: {parts: {n: {is: d, count: [2, 2]}, one: {is: d}, row: {is: d, count: 1}, "
				    "odd: {is: d, name: \"GPU 7/a\"}}}\nbuild: m\n");
	static const char *const names[] = {"n0.0", "n0.1", "n1.0", "n1.1", "one", "row0", "GPU 7/a"};
	for (uint32_t i = 0; i < ARRAY_LEN(names); i++)
		cr_expect_str_eq(device_name(l.f, i), names[i]);
	unload(&l);
}

Test(language, groups_and_faults)
{
	struct loaded l = must_load("toponaut: 1\nparams: {k: 2}\n" BOX
				    "groups: {first: \"gpu[0-${k - 1}]\"}\nfaults:\n"
				    "  - {remove: gpu0}\n  - {remove: gpu0 -- gpu1, links: k / 2}\n"
				    "  - {derate: \"'a--b' --gpu2\", to: 50%}\n");
	cr_expect_str_eq(l.f->groups.at[0].selection, "gpu[0-1]");
	const struct fault *x = l.f->faults.at;
	cr_expect(x[0].action == FAULT_REMOVE && !strcmp(x[0].selection, "gpu0") && !x[0].end_a);
	cr_expect(x[1].action == FAULT_REMOVE && !x[1].selection && x[1].links == 1);
	cr_expect_str_eq(x[1].end_a, "gpu0");
	cr_expect_str_eq(x[1].end_b, "gpu1");
	cr_expect(x[2].action == FAULT_DERATE && x[2].keep_ppm == 500000);
	cr_expect_str_eq(x[2].end_a, "'a--b'");
	cr_expect_str_eq(x[2].end_b, "gpu2");
	unload(&l);
}

Test(language, claims)
{
	struct loaded l = must_load("toponaut: 1\nparams: {k: 2, rate: 12.5 GB/s}\n" BOX "expect:\n"
				    "  - {count: \"@gpu\", is: \"${k + 1}\"}\n"
				    "  - {bisection.upper: [gpu0, gpu1], atleast: \"${k * 9} * ${rate} both\", over: nv, within: 0.5 %}\n"
				    "  - {mincut: gpu0, is: 4, if: k > 2}\n"
				    "  - {mincut: gpu0, atleast: 1, atmost: 3, fail: gpu2}\n");
	const struct expectation *e = l.f->expectations.at;
	cr_assert_eq(l.f->expectations.n, 4);
	cr_expect_str_eq(e[0].value, "3");
	cr_expect_str_eq(e[1].analysis, "bisection");
	cr_expect_str_eq(e[1].field, "upper");
	cr_expect_str_eq(e[1].value, "225.0 GB/s both");
	cr_expect_str_eq(e[1].operands[1], "gpu1");
	cr_expect_str_eq(e[1].over, "nv");
	cr_expect_eq(e[1].op, EXPECT_ATLEAST);
	cr_expect(e[2].op == EXPECT_ATLEAST && e[3].op == EXPECT_ATMOST && !strcmp(e[3].fail, "gpu2"));
	unload(&l);
}

/* Includes: own parameters, the same file twice, other files beside it. */
Test(language, includes)
{
	static const char text[] = "toponaut: 1\nparams: {nvlink: 25 GB/s}\n"
				   "include: [parts/nvlink5.yaml, ./parts/../parts/nvlink5.yaml]\n"
				   "devices: {gpu: {class: gpu}}\n"
				   "modules: {m: {parts: {g: {is: gpu}, s: {is: nvswitch5}}, wiring: [{from: g, to: s}]}}\n"
				   "build: m\n";
	struct loaded l = load_with("layouts/t.yaml", text, sizeof text - 1, NULL, 0, (struct limits){0});
	cr_assert_eq(l.status, OK, "%s", l.messages);
	/* the file has a parameter of this name too, with its own default */
	cr_expect_eq(l.f->kinds.at[0].rate, 400000000000);
	cr_expect_str_eq(l.f->files.at[1], "layouts/parts/nvlink5.yaml");
	unload(&l);
	/* found among the shipped layouts when it is not beside the file */
	l = load_with("elsewhere/t.yaml", text, sizeof text - 1, NULL, 0, (struct limits){0});
	cr_assert_eq(l.status, OK, "%s", l.messages);
	unload(&l);
}

Test(language, modules_with_parameters)
{
	struct loaded l = must_load("toponaut: 1\ndevices: {a: {class: gpu}, b: {class: nic}}\nmodules:\n"
				    "  host: {kind: host, params: {n: 2, what: a}, parts: {x: {is: \"${what}\", count: n}}}\n"
				    "  m: {parts: {p: {is: host}, q: {is: host, count: 2, with: {n: \"${index + 1}\", what: b}}, "
				    "r: {is: host, with: {n: 0}}}}\nbuild: m\n");
	cr_assert_eq(l.f->device_count, 2 + 1 + 2);
	cr_expect_eq(device_class(l.f, 1), CLASS_GPU);
	cr_expect_eq(device_class(l.f, 2), CLASS_NIC);
	cr_expect_eq(l.f->modules.n, 5);
	cr_expect_eq(l.f->modules.at[4].first_device, 5);
	unload(&l);
}

Test(language, anchors_and_aliases)
{
	struct loaded l = must_load("toponaut: 1\ndevices: {a: &d {class: gpu, memory: 80 GB}, b: *d}\n"
				    "modules: {m: {parts: {x: {is: a}, y: {is: b}}}}\nbuild: m\n");
	cr_assert_eq(l.f->types.at[1].memory_bytes, 80000000000);
	unload(&l);
}

/* Names of strangers become labels: nothing that a terminal would act on. */
Test(language, names_pass_the_gate)
{
	struct loaded l = must_load("toponaut: 1\nname: \"a\\e[31mb\\u202ec\"\ndevices: {d: {class: gpu}}\n"
				    "modules: {m: {parts: {d: {is: d, name: \"x\\ty\"}}}}\nbuild: m\n");
	cr_expect_null(strchr(l.f->title, 27));
	cr_expect_null(strstr(l.f->title, "\xe2\x80\xae"));
	cr_expect_null(strchr(device_name(l.f, 0), '\t'));
	unload(&l);
}
