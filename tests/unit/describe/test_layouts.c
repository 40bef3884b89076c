/* The shipped layouts: their published totals, and that each survives being written and read again. Counts
 * come from the vendors' figures and from closed forms, not from the loader.
 */
#include "fixture.h"

struct totals {
	const char *name;
	const char *defines[5];
	uint32_t gpus, hosts, switches;
	uint64_t links; /* of the counted kinds */
};

static const struct totals totals[] = {
	{"gb300-nvl72", {0}, 72, 0, 18, 1296},
	{"gb300-nvl72", {"trays=9"}, 36, 0, 18, 648},
	{"vera-rubin-nvl72", {0}, 72, 0, 36, 2592},
	{"dgx-h100", {0}, 8, 0, 4, 144},
	{"dgx2", {0}, 16, 0, 12, 96 + 48},
	{"dgx1-v100", {0}, 8, 0, 0, 24},
	{"dgx1-p100", {0}, 8, 0, 0, 16},
	{"dgx-a100", {0}, 8, 0, 6, 96},
	{"hgx-b200", {0}, 8, 0, 2, 144},
	{"gh200-nvl32", {0}, 32, 0, 18, 576},
	{"dgx-gh200", {0}, 256, 0, 96 + 36, 2 * 4608},
	{"dgx-gh200", {"chips=1"}, 256, 0, 192 + 72, 2 * 4608},
	{"dgx-h100-nvl256", {0}, 256, 0, 32 * 4 + 36, 32 * 144 + 2304},
	{"gb200-nvl72", {0}, 72, 0, 18, 5184 / 4},
	{"gb200-nvl36x2", {0}, 72, 0, 36, 1296 + 162 * 4},
	{"gb200-nvl576", {0}, 576, 0, 288 + 144, 2 * 10368},
	{"kyber-nvl144", {0}, 144, 0, 72, 10368},
	{"mi250x", {0}, 8, 0, 0, 4 * 4 + 2 * 2 + 6},
	{"mi300x", {0}, 8, 0, 0, 28},
	{"helios", {0}, 72, 0, 12, 72 * 72},
	{"gaudi3", {0}, 8, 0, 0, 28 * 3},
	{"tpu-v4", {0}, 4096, 0, 0, 3 * 4096},
	{"tpu-v5e", {0}, 256, 0, 0, 2 * 256},
	{"tpu-v5e", {"x=8", "y=4"}, 32, 0, 0, 7 * 4 + 8 * 3},
	{"tpu-v5p", {0}, 8960, 0, 0, 3 * 8960},
	{"tpu-ironwood", {0}, 9216, 0, 0, 3 * 9216},
	{"trn2-ultraserver", {0}, 64, 0, 0, 3 * 64},
	{"trn3-ultraserver", {0}, 144, 0, 36 + 2, 144 * (4 + 5) + 72 * 2},
	{"cloudmatrix384", {0}, 384, 0, 336 + 112, 384 * 14 + 48 * 448 / 4},
	{"superpod-h100", {0}, 1016, 1, 127 * 4 + 32 + 16, 127 * 144 + 1020 + 1024},
	{"superpod-h100", {"su=2"}, 504, 1, 63 * 4 + 16 + 8, 63 * 144 + 508 + 512},
	{"alibaba-hpn7", {0}, 15360, 0, 1920 + 240 + 120, 15360 * 3 + 240 * 60},
	{"deepseek-mpft", {0}, 16384, 0, 2048 + 768, 16384 * 3},
	{"meta-24k", {0}, 24576, 0, 3072 * 4 + 1536 + 8 * 16 + 16, 3072 * 144 + 24576 + 1536 * 32 + 8 * 16 * 28},
	{"summit", {0}, 0, 4608, 512 + 18, 9216 + 9216},
	{"frontier", {"io=1"}, 0, 9472, 2464, 74 * (512 + 496) + 6 * 120 + 10804 + 74 * 5 * 2 + 10 * 10 + 5 * 6},
	{"aurora", {0}, 0, 10624, 166 * 32, 166 * (512 + 496) + 166 * 165},
	{"mesh", {0}, 64, 0, 0, 144},
	{"hyperx", {0}, 0, 64, 16, 64 + 48},
	{"ring", {0}, 8, 0, 0, 8},
	{"star", {0}, 0, 8, 1, 8},
	{"scale-100k", {0}, 101376, 0, 1408 * 18 + 3168 + 1408 + 768, UINT64_C(1408) * 1296 + 3 * 101376},
	{"leaf-spine", {0}, 0, 64, 12, 64 + 32},
	{"leaf-spine", {"leaves=9", "hosts=8", "spines=4", "uplinks=2"}, 0, 72, 13, 72 + 72},
	{"leaf-spine", {"uplinks=0"}, 0, 64, 12, 64},
	{"fat-tree", {0}, 0, 16, 20, 48},            /* k^3/4 hosts, 5k^2/4 switches, 3k^3/4 links */
	{"fat-tree", {"k=8"}, 0, 128, 80, 384},
	{"fat-tree", {"k=8", "tiers=2"}, 0, 32, 12, 64},
	{"fat-tree", {"k=8", "taper=2"}, 0, 128, 32 + 16 + 4, 128 + 64 + 32},
	{"fat-tree", {"k=2"}, 0, 2, 5, 6},
	{"torus", {0}, 64, 0, 0, 192},
	{"torus", {"x=5", "y=3", "z=1"}, 15, 0, 0, 30},
	{"torus", {"x=2", "y=2", "z=2"}, 8, 0, 0, 12},
	{"torus", {"x=1", "y=1", "z=1"}, 1, 0, 0, 0},
	{"hypercube", {0}, 16, 0, 0, 32},
	{"hypercube", {"d=7"}, 128, 0, 0, 448},
};

static void check_totals(const struct totals *t)
{
	struct loaded l = load_layout(t->name, t->defines[0] ? t->defines : NULL);
	uint32_t classes[CLASS_COUNT] = {0};
	uint64_t links = 0;
	cr_assert_eq(l.status, OK, "%s: %s", t->name, l.messages);
	const char *broken = fabric_broken(l.f);
	cr_assert_null(broken, "%s: %s", t->name, broken);
	for (uint32_t d = 0; d < l.f->device_count; d++)
		classes[device_class(l.f, d)]++;
	for (uint32_t i = 0; i < l.f->trunk_count; i++)
		if (l.f->kinds.at[l.f->trunks[i].kind].use == USE_FABRIC)
			links += l.f->trunks[i].count;
	cr_expect_eq(classes[CLASS_GPU], t->gpus, "%s: %u", t->name, classes[CLASS_GPU]);
	cr_expect_eq(classes[CLASS_HOST], t->hosts, "%s: %u", t->name, classes[CLASS_HOST]);
	cr_expect_eq(classes[CLASS_SWITCH], t->switches, "%s: %u", t->name, classes[CLASS_SWITCH]);
	cr_expect_eq(links, t->links, "%s: %lu", t->name, (unsigned long)links);
	unload(&l);
}

Test(layouts, totals)
{
	for (size_t i = 0; i < ARRAY_LEN(totals); i++)
		check_totals(&totals[i]);
}

/* No layout overbooks a port: takes x count of every kind of port is at most what the type has. */
Test(layouts, ports_suffice)
{
	for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
		struct loaded l = load_layout(totals[i].name, totals[i].defines[0] ? totals[i].defines : NULL);
		for (uint32_t d = 0; d < l.f->device_count; d++) {
			const struct device_type *t = &l.f->types.at[l.f->type[d]];
			for (uint32_t p = 0; p < t->port_count; p++) {
				const struct port_budget *b = &l.f->budgets.at[t->first_port + p];
				uint64_t used = 0;
				for (uint32_t k = l.f->incident_at[d]; k < l.f->incident_at[d + 1]; k++) {
					const struct trunk *x = &l.f->trunks[l.f->incident[k]];
					const struct link_kind *kind = &l.f->kinds.at[x->kind];
					used += kind->port == b->port ? (uint64_t)x->count * kind->takes : 0;
				}
				cr_expect_leq(used, b->count, "%s %s: %lu of %u", totals[i].name, device_name(l.f, d),
					      (unsigned long)used, b->count);
			}
		}
		unload(&l);
	}
}

Test(layouts, say_where_they_come_from)
{
	for (size_t i = 0; i < ARRAY_LEN(totals); i++) {
		struct loaded l = load_layout(totals[i].name, NULL);
		cr_expect(l.f->title && l.f->description && l.f->status, "%s", totals[i].name);
		cr_expect_gt(l.f->provenance.n, 0, "%s", totals[i].name);
		cr_expect_gt(l.f->expectations.n, 0, "%s", totals[i].name);
		unload(&l);
	}
}

Test(layouts, rack_of_an_nvl72)
{
	struct loaded l = load_layout("gb300-nvl72", NULL);
	struct strbuf b = STRBUF_INIT;
	device_path(l.f, 0, &b);
	cr_expect_str_eq(b.text, "compute0/gpu0");
	strbuf_trim(&b, 0);
	device_path(l.f, l.f->device_count - 1, &b);
	cr_expect_str_eq(b.text, "switch8/sw1");
	cr_expect_eq(l.f->modules.at[0].kind, MODULE_RACK);
	cr_expect_eq(l.f->modules.at[0].height_units, 48);
	cr_expect_eq(l.f->modules.at[9].place.unit, 18);  /* compute8, above the switches */
	cr_expect_eq(l.f->modules.at[19].place.unit, 9);  /* switch0 */
	cr_expect_eq(l.f->modules.at[27].place.unit, 17); /* switch8 */
	cr_expect_str_eq(fabric_str(l.f, l.f->kinds.at[0].name), "nvlink5");
	cr_expect_eq(l.f->kinds.at[0].rate, 400000000000);
	/* one trunk of each plane at every GPU */
	for (uint32_t d = 0; d < 4; d++) {
		uint32_t planes = 0;
		for (uint32_t k = l.f->incident_at[d]; k < l.f->incident_at[d + 1]; k++) {
			const struct trunk *t = &l.f->trunks[l.f->incident[k]];
			if (t->plane != NO_LABEL)
				planes |= 1u << t->plane;
		}
		cr_expect_eq(planes, (1u << 18) - 1);
	}
	strbuf_free(&b);
	unload(&l);
}
