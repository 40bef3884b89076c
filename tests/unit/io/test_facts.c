/* What is known of real files, where they lie beside the repository: every fact of their tables that the tool can express. The
 * tables for programs (TSV, JSON) are read as they are; those for people stand here, a line a file, in words that check() knows.
 */
#include "dump.h"
#include "io/ib_internal.h"

#include <jansson.h>

TestSuite(facts, .fini = finish);

/* ---- questions --------------------------------------------------------------------------------- */

static uint64_t links_in_all(const char *kind)
{
	uint64_t n = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++)
		n += f->trunks[t].kind == fabric_kind(f, kind) ? f->trunks[t].count : 0;
	return n;
}

static bool is_between(uint32_t t, enum device_class a, enum device_class b)
{
	enum device_class x = device_class(f, f->trunks[t].a), y = device_class(f, f->trunks[t].b);

	return (x == a && y == b) || (x == b && y == a);
}

/* Pairs of two classes that a trunk of that kind joins; count NONE: by any number of links. */
static uint32_t pairs(const char *kind, enum device_class a, enum device_class b, uint32_t count)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++)
		n += f->trunks[t].kind == fabric_kind(f, kind) && is_between(t, a, b) && (count == NONE || f->trunks[t].count == count);
	return n;
}

/* Counted links of a switch, down to what is no switch and up to others, loops aside. */
static void count_sides(uint32_t sw, uint64_t *down, uint64_t *up, uint64_t *rate_down, uint64_t *rate_up)
{
	*down = *up = *rate_down = *rate_up = 0;
	for (uint32_t i = f->incident_at[sw]; i < f->incident_at[sw + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		bool is_up = device_class(f, trunk_other(f, f->incident[i], sw)) == CLASS_SWITCH;

		if (f->kinds.at[t->kind].use != USE_FABRIC)
			continue;
		*(is_up ? up : down) += t->count;
		*(is_up ? rate_up : rate_down) += t->rate == UNKNOWN ? 0 : t->count * t->rate;
	}
}

static uint32_t switches_with(uint64_t down, uint64_t up)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->device_count; i++) {
		uint64_t is_down, is_up, rate_down, rate_up;

		if (device_class(f, i) != CLASS_SWITCH)
			continue;
		count_sides(i, &is_down, &is_up, &rate_down, &rate_up);
		n += is_down == down && is_up == up;
	}
	return n;
}

/* Devices whose name and whose peer's name begin so. */
static uint64_t cables_between(const char *a, const char *b)
{
	uint64_t n = 0;
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;

	for (size_t i = 0; i < f->cables.n; i++) {
		strbuf_trim(&x, 0);
		strbuf_trim(&y, 0);
		device_path(f, f->cables.at[i].a, &x);
		device_path(f, f->cables.at[i].b, &y);
		n += (strstr(strbuf_str(&x), a) && strstr(strbuf_str(&y), b)) || (strstr(strbuf_str(&x), b) && strstr(strbuf_str(&y), a));
	}
	strbuf_free(&x);
	strbuf_free(&y);
	return n;
}

static bool is_exact(const char *analysis, const char *key, double value)
{
	json_t *found = answer(analysis);
	double is = json_number_value(json_object_get(found, key));
	bool same = is > value * 0.9995 && is < value * 1.0005;

	if (!same || (!strcmp(analysis, "bisection") && strcmp(json_string_value(json_object_get(found, "status")), "exact") != 0)) {
		cr_log_error("%s.%s is %g", analysis, key, is);
		same = false;
	}
	json_decref(found);
	return same;
}

/* ---- one fact ---------------------------------------------------------------------------------- */

static bool is_number(const char *what, uint64_t is, const char *value)
{
	uint64_t should = strtoull(value, NULL, 10);

	if (is != should)
		cr_log_error("%s is %llu and not %llu", what, (unsigned long long)is, (unsigned long long)should);
	return is == should;
}

/* "6" or "6..7" */
static bool check_degree(const char *kind, const char *value)
{
	char *end;
	uint64_t low = strtoull(value, &end, 10), high = *end == '.' ? strtoull(end + 2, NULL, 10) : low;
	bool seen_low = false, seen_high = false;

	for (uint32_t i = 0; i < f->device_count; i++) {
		uint64_t n = links(i, kind);

		if (device_class(f, i) != CLASS_GPU)
			continue;
		if (n < low || n > high) {
			cr_log_error("%s has %llu", device_name(f, i), (unsigned long long)n);
			return false;
		}
		seen_low |= n == low;
		seen_high |= n == high;
	}
	return seen_low && seen_high;
}

static bool check_rate(const char *kind, const char *value)
{
	uint32_t k = fabric_kind(f, kind);

	return k != NONE && is_number(kind, f->kinds.at[k].rate / 1000000, value);
}

/* "GPU1:mlx5_1:phb" */
static bool check_pair(const char *value)
{
	char a[64], b[64], kind[16];

	if (sscanf(value, "%63[^:]:%63[^:]:%15s", a, b, kind) != 3)
		return false;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (f->trunks[t].kind == fabric_kind(f, kind) &&
		    ((f->trunks[t].a == device(a) && f->trunks[t].b == device(b)) || (f->trunks[t].a == device(b) && f->trunks[t].b == device(a))))
			return true;
	return false;
}

static bool check_leaf(const char *value)
{
	unsigned down, up, n;

	return sscanf(value, "%u,%u:%u", &down, &up, &n) == 3 && switches_with(down, up) == n;
}

static bool check_names(const char *value)
{
	char a[64], b[64];
	unsigned n;

	return sscanf(value, "%63[^-]--%63[^:]:%u", a, b, &n) == 3 && cables_between(a, b) == n;
}

static bool check_path(const char *value)
{
	struct strbuf b = STRBUF_INIT;
	bool found = false;

	for (uint32_t i = 0; i < f->device_count && !found; i++) {
		strbuf_trim(&b, 0);
		device_path(f, i, &b);
		found = !strcmp(strbuf_str(&b), value);
	}
	strbuf_free(&b);
	return found;
}

static uint32_t modules_of(const char *kind)
{
	uint32_t n = 0;

	for (size_t i = 1; i < f->modules.n; i++)
		n += !strcmp(module_kind_names[f->modules.at[i].kind], kind);
	return n;
}

static uint32_t switches_of_links(const char *value)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->device_count; i++)
		n += device_class(f, i) == CLASS_SWITCH && links(i, NULL) == strtoull(value, NULL, 10);
	return n;
}

static bool is_isolated_marked(const char *name)
{
	uint32_t v = device(name);

	return v != NONE && f->flags[v] & FLAG_INCOMPLETE && f->incident_at[v] == f->incident_at[v + 1];
}

/* A word "key=value"; keys with a point take a kind or a class behind it. */
static bool check(const char *key, const char *value)
{
	const char *point = strchr(key, '.'), *rest = point ? point + 1 : NULL;
	char *end;

	for (int c = 0; c < CLASS_COUNT; c++)
		if (!strcmp(key, class_names[c]))
			return is_number(key, devices_of((enum device_class)c), value);
	if (!strcmp(key, "cables"))
		return is_number(key, f->cables.n, value);
	if (!strcmp(key, "loops"))
		return is_number(key, f->loops.n, value);
	if (!strncmp(key, "modules.", 8))
		return is_number(key, modules_of(rest), value);
	if (!strncmp(key, "links.", 6))
		return is_number(key, links_in_all(rest), value);
	if (!strncmp(key, "gg.", 3))
		return is_number(key, pairs(rest, CLASS_GPU, CLASS_GPU, NONE), value);
	if (!strncmp(key, "gn.", 3))
		return is_number(key, pairs(rest, CLASS_GPU, CLASS_NIC, NONE), value);
	if (!strncmp(key, "nn.", 3))
		return is_number(key, pairs(rest, CLASS_NIC, CLASS_NIC, NONE), value);
	if (!strncmp(key, "rate.", 5))
		return check_rate(rest, value);
	if (!strncmp(key, "degree.", 7))
		return check_degree(rest, value);
	if (!strncmp(key, "radix.", 6))
		return is_number(key, switches_of_links(rest), value);
	if (!strcmp(key, "pair"))
		return check_pair(value);
	if (!strcmp(key, "leaf"))
		return check_leaf(value);
	if (!strcmp(key, "between"))
		return check_names(value);
	if (!strcmp(key, "path"))
		return check_path(value);
	if (!strcmp(key, "hidden"))
		return is_isolated_marked(value);
	if (!strcmp(key, "says"))
		return lint_count(value, "", false) > 0;
	if (!strcmp(key, "quiet"))
		return lint_count(value, "", false) == 0;
	if (!strcmp(key, "cut.links"))
		return is_exact("bisection", "lower_links", strtod(value, &end));
	if (!strcmp(key, "cut.Gbps"))
		return is_exact("bisection", "lower_Bps", strtod(value, &end) / 8 * 1e9);
	if (!strcmp(key, "oversubscription"))
		return is_exact("blocking", "oversubscription", strtod(value, &end));
	if (!strcmp(key, "cut.unknown")) {
		json_t *found = answer("bisection");
		bool unknown = !strcmp(json_string_value(json_object_get(found, "status")), "unknown");

		json_decref(found);
		return unknown;
	}
	cr_log_error("there is no fact `%s`", key);
	return false;
}

static void check_all(const char *name, const char *facts)
{
	char key[64], value[96];

	for (const char *at = facts; *at;) {
		size_t n = strcspn(at, " ");

		if (n) {
			cr_assert(n < 96);
			cr_assert_eq(sscanf(at, "%63[^=]=%95[^ ]", key, value), 2, "%s: %s", name, at);
			cr_expect(check(key, value), "%s: %s=%s", name, key, value);
		}
		at += n + strspn(at + n, " ");
	}
}

struct row {
	const char *name, *facts;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!open_sample(rows[i].name))
			cr_skip_test("the samples are not here");
		check_all(rows[i].name, rows[i].facts);
	}
}

/* ---- one machine --------------------------------------------------------------------------------- */

Test(facts, matrices)
{
	static const struct row rows[] = {
		{"node/nvidia-smi-topo/hgx-b200-8gpu-nonic.txt", "switch=1 links.nvlink=144 says=switch-inferred path=numa0/GPU0 path=numa0/GPU3 path=numa1/GPU4 path=numa1/GPU7 cut.links=72"},
		{"node/nvidia-smi-topo/hgx-h200-8gpu-8vfnic.txt", "switch=1 links.nvlink=144 pair=GPU0:NIC0:pix pair=GPU3:NIC3:pix pair=GPU7:NIC7:pix says=nic-names cut.links=72"},
		{"node/nvidia-smi-topo/perlmutter-a100-4gpu.txt", "switch=0 degree.nvlink=12 cut.links=16 path=numa3/GPU0 path=numa0/GPU3"},
		{"node/nvidia-smi-topo/gb200-4gpu-nonic.txt", "switch=1 degree.nvlink=18"},
		{"node/nvidia-smi-topo/h100-pcie-2gpu-nv12-indented.txt", "switch=0 degree.nvlink=12 says=switch-unsure"},
		{"node/nvidia-smi-topo/dgx-a100-8gpu-10nic.txt", "switch=1 nn.pix=1 pair=NIC8:NIC9:pix path=numa3/GPU0 path=numa1/GPU2 path=numa7/GPU4 path=numa5/GPU6 cut.links=48"},
		{"node/nvidia-smi-topo/v100-sxm2-8gpu-1nic.txt", "switch=0 degree.nvlink=6 cut.links=6 says=nic-names"},
		{"node/nvidia-smi-topo/dgx1v-8gpu-4nic-reordered.txt", "switch=0 degree.nvlink=6 cut.links=6 path=mlx5_2"},
		{"node/nvidia-smi-topo/v100-8gpu-mlx5-indented.txt", "degree.nvlink=6"},
		{"node/nvidia-smi-topo/k80-4gpu-mlx4-oldlegend.txt", "path=mlx4_0"},
		{"node/nvidia-smi-topo/p4d-a100-8gpu-nonic.txt", "switch=1 cut.links=48"},
		{"node/nvidia-smi-topo/rtx4090-5gpu-phb-node-sys.txt", "path=numa1/GPU0 path=numa0/GPU1"},
		{"node/nvidia-smi-topo/2gpu-nv2-numa-na.txt", "switch=0 modules.group=0 degree.nvlink=2"},
		{"node/nvidia-smi-topo/h100-8gpu-no-legend.txt", "switch=1 cut.links=72"},
		{"node/nvidia-smi-topo/h100-mig-1gpu-ansi.txt", "hidden=GPU0 says=one-gpu quiet=isolated"},
		{"node/nvidia-smi-topo/h100-1gpu-vm-ansi.txt", "hidden=GPU0 says=one-gpu quiet=isolated"},
		{"node/cases/v100-8gpu-2nic-ragged-tabs.txt", "degree.nvlink=6 cut.links=6"},
		{"node/cases/polaris-a100-4gpu-2nic-markdown-table.md", "switch=0 pair=GPU1:mlx5_1:phb pair=GPU3:mlx5_0:phb degree.nvlink=12"},
		{"node/cases/dgx2-16gpu-10nic-truncated.txt", "says=matrix-incomplete switch=1 degree.nvlink=6"},
		{"node/cases/topo-mp-8gpu-14nic-wraprip-truncated.txt", "says=matrix-incomplete switch=0 links.nvlink=0"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

static uint64_t count_of(const json_t *of, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(of, key));
}

/* Cells of the rows that are there: a pair that two rows list is one. */
static void check_matrix(const char *name, const json_t *facts)
{
	const char *relation;
	json_t *n;
	uint64_t rows = 0;

	cr_expect(eq(u64, devices_of(CLASS_GPU), count_of(facts, "gpus")), "%s", name);
	cr_expect(eq(u64, devices_of(CLASS_NIC), count_of(facts, "nics")), "%s", name);
	json_object_foreach(json_object_get(facts, "gpu_pairs"), relation, n) {
		char kind[16];

		for (size_t i = 0; i < sizeof kind; i++) {
			kind[i] = relation[i] >= 'A' && relation[i] <= 'Z' ? (char)(relation[i] + 32) : relation[i];
			if (!relation[i])
				break;
		}
		if (strncmp(kind, "nv", 2) != 0)
			cr_expect(eq(u64, pairs(kind, CLASS_GPU, CLASS_GPU, NONE), (uint64_t)json_integer_value(n)), "%s: %s", name, relation);
		else if (!devices_of(CLASS_SWITCH))
			cr_expect(eq(u64, pairs("nvlink", CLASS_GPU, CLASS_GPU, (uint32_t)strtoul(kind + 2, NULL, 10)), (uint64_t)json_integer_value(n)), "%s: %s", name, relation);
		else /* the pairs share their links to the switch */
			cr_expect(check_degree("nvlink", kind + 2), "%s: %s", name, relation);
	}
	json_object_foreach(json_object_get(facts, "gpu_nic"), relation, n) {
		char kind[16] = {0};

		for (size_t i = 0; relation[i]; i++)
			kind[i] = (char)(relation[i] | 32);
		cr_expect(eq(u64, pairs(kind, CLASS_GPU, CLASS_NIC, NONE), (uint64_t)json_integer_value(n)), "%s: %s", name, relation);
	}
	rows = devices_of(CLASS_GPU) + devices_of(CLASS_NIC);
	for (size_t i = 0; i < f->findings.n; i++)
		if (!strcmp(f->findings.at[i].code, "matrix-incomplete"))
			rows = strtoull(f->findings.at[i].text, NULL, 10);
	cr_expect(eq(u64, rows, count_of(facts, "rows")), "%s: rows", name);
}

Test(facts, matrices_by_their_json)
{
	json_t *all = json_load_file(SAMPLES "node/expected-matrix-facts.json", 0, NULL), *facts;
	const char *name;

	if (!all)
		cr_skip_test("the samples are not here");
	cr_expect(gt(sz, json_object_size(all), 20));
	json_object_foreach(all, name, facts) {
		char *path = mem_printf("node/%s", name);

		cr_expect(open_sample(path), "%s", path);
		if (f)
			check_matrix(path, facts);
		free(path);
	}
	json_decref(all);
}

Test(facts, links_of_nvidia_smi)
{
	static const struct row rows[] = {
		{"node/nvidia-smi-nvlink/hgx-b200-8gpu-status.txt", "gpu=8 links.nvlink-unseen=144 rate.nvlink-unseen=400000 degree.nvlink-unseen=18 says=ends-unseen cut.unknown=1"},
		{"node/nvidia-smi-nvlink/hgx-b200-remote-hidden-switch-gpu0-1.txt", "gpu=2 switch=1 links.nvlink=36 degree.nvlink=18"},
		{"node/nvidia-smi-nvlink/hgx-h200-8gpu-status.txt", "gpu=8 links.nvlink-unseen=144 rate.nvlink-unseen=200000 degree.nvlink-unseen=18"},
		{"node/nvidia-smi-nvlink/hgx-h200-8gpu-pciinfo.txt", "gpu=8 switch=4 links.nvlink=144 radix.32=2 radix.40=2 degree.nvlink=18 cut.links=72"},
		{"node/nvidia-smi-nvlink/perlmutter-a100-4gpu-status.txt", "gpu=4 degree.nvlink-unseen=12 rate.nvlink-unseen=200000"},
		{"node/nvidia-smi-nvlink/v100-sxm2-8gpu-status.txt", "gpu=8 degree.nvlink-unseen=6 rate.nvlink-unseen=200000"},
		{"node/nvidia-smi-nvlink/h100-pcie-2gpu-status-holes.txt", "gpu=2 degree.nvlink-unseen=12"},
		{"node/nvidia-smi-nvlink/a100-8gpu-status.txt", "gpu=8 degree.nvlink-unseen=12 rate.nvlink-unseen=200000"},
		{"node/nvidia-smi-nvlink/h100-mig-not-supported.txt", "gpu=1 hidden=GPU0 says=links-hidden quiet=isolated"},
		{"node/nvidia-smi-nvlink/h100-1gpu-vm-status.txt", "gpu=1 links.nvlink-unseen=18"},
		{"node/nvidia-smi-nvlink/rtx2080s-windows-all-inactive.txt", "gpu=1 links.nvlink-unseen=0 says=isolated"},
		{"node/nvidia-smi-nvlink/l40s-no-nvlink.txt", "gpu=1 says=isolated"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

Test(facts, what_is_no_topology)
{
	static const char *const names[] = {
		"node/cases/rtx2080s-windows-topo-error.txt", "node/nvidia-smi-p2p/vm-8gpu-p2p-r-ok.txt", "node/nvidia-smi-p2p/l4-2gpu-p2p-r-cns.txt",
		"node/nvidia-smi-p2p/perlmutter-a100-4gpu-p2p-n.txt", "node/nvidia-smi-p2p/hgx-b200-8gpu-p2p-n.txt",
		"cluster/ndt/bad-garbage.ndt.csv", "cluster/ndt/bad-incorrect-columns.ndt.csv", "cluster/ndt/bad-incorrect-ports.ndt.csv",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct io_options o = {0};
		char *path = mem_printf(SAMPLES "%s", names[i]);
		FILE *there = fopen(path, "r");

		if (!there) {
			free(path);
			cr_skip_test("the samples are not here");
		}
		fclose(there);
		finish();
		cr_expect(eq(int, io_open(path, &o, &d, &f), E_INPUT), "%s", path);
		cr_expect(eq(uint, d.errors, 1), "%s", path);
		free(path);
	}
}

Test(facts, tables_of_amd)
{
	static const struct row rows[] = {
		{"node/rocm-smi/mi250x-8gcd-2hive-numa2.txt", "gpu=8 gg.xgmi=12 gg.pcie=16 path=numa0/GPU0 path=numa1/GPU7 cut.unknown=1"},
		{"node/rocm-smi/issue108-4gpu-pcie-weight52.txt", "gpu=4 gg.pcie=6 gg.xgmi=0"},
		{"node/rocm-smi/mi50-4gpu-pcie-sameroot.txt", "gpu=4 gg.pcie=6"},
		{"node/rocm-smi/amd-smi-2gpu-pcie.txt", "gpu=2 gg.pcie=1"},
		{"node/cases/rocm-mi300-tpx-xxxx-weights-are-types.txt", "gpu=12 says=matrix-incomplete"},
		{"node/cases/rocm-mi100-4gpu-pcie-72-40-truncated.txt", "gpu=4 gg.xgmi=0 says=matrix-incomplete"},
		{"node/cases/rocm-mi300x-8gpu-lowpower-warning-truncated.txt", "gpu=8 gg.xgmi=0 hidden=GPU0 says=matrix-incomplete"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

Test(facts, files_of_nccl)
{
	static const struct row rows[] = {
		{"node/nccl-xml/hgx-h200-8gpu-visible-nvswitch.xml", "gpu=8 switch=4 radix.32=2 radix.40=2 degree.nvlink=18 cut.Gbps=14400"},
		{"node/nccl-xml/hgx-h800-8gpu.xml", "gpu=8 nic=8 switch=4 degree.nvlink=8"},
		{"node/nccl-xml/l20-16gpu-pcie.xml", "gpu=16 nic=8 links.nvlink=0 says=adapters"},
		{"node/nccl-xml/dell-4gpu-pcie-5port.xml", "gpu=4 nic=2 says=virtual-adapters quiet=affinity-overlaps"},
		{"node/nccl-xml/rtx4090-2gpu-cx4.xml", "gpu=2 nic=1"},
		{"node/nccl-xml/gb10-1gpu-c2c.xml", "gpu=1 links.c2c=8 rate.c2c=345000"},
		{"node/nccl-xml/azure-ndv2-topo.xml", "gpu=8 nic=1 says=template cut.unknown=1"},
		{"node/nccl-xml/azure-ndv4-topo.xml", "gpu=8 nic=8 io=4 says=template"},
		{"node/nccl-xml/azure-ndv5-topo.xml", "gpu=8 nic=8 io=8 says=template"},
		{"node/nccl-xml/azure-nc48v4-topo.xml", "gpu=2 degree.nvlink=12"},
		{"node/nccl-xml/aws-p4d-24xl-topo.xml", "gpu=8 nic=4 io=4 says=template"},
		{"node/nccl-xml/aws-p4de-24xl-topo.xml", "gpu=8 nic=4 io=4"},
		{"node/nccl-xml/aws-g5.48xl-topo.xml", "gpu=0 says=class-unknown"},
		{"node/nccl-xml/aws-p5.48xl-2023-topo.xml", "io=8 says=class-unknown"},
		{"node/nccl-xml/oci-bm-gpu-h100-k8s.xml", "gpu=8 switch=4 degree.nvlink=18"},
		{"node/nccl-xml/oci-bm-gpu4.8-a100-flattened.xml", "gpu=8 nic=8 path=numa3/cpu path=numa5/cpu path=numa7/cpu"},
		{"node/nccl-xml/oci-bm-gpu.b4.8-a100-flattened.xml", "gpu=8 nic=8"},
		{"node/nccl-graph-xml/azure-ncv4-graph.xml", "gpu=4"},
		{"node/nccl-graph-xml/dell-4gpu-pcie-graph.xml", "gpu=4 links.ring=4 links.tree=3"},
		{"node/nccl-graph-xml/perlmutter-a100-4gpu-graph.xml", "gpu=4 links.ring=48 links.tree=36"},
		{"node/rccl-xml/mi300x-8gpu.xml", "gpu=8 nic=8 degree.xgmi=7 gg.xgmi=28 cut.links=16 says=adapters"},
		{"node/rccl-xml/mi300x-8gpu-vm.xml", "gpu=8 degree.xgmi=7 gg.xgmi=28 cut.links=16 says=pcie-flat"},
		{"node/rccl-xml/mi250-8gcd.xml", "gpu=8 degree.xgmi=6..7"},
		{"node/rccl-xml/mi100-8gpu-6link.xml", "gpu=8 degree.xgmi=6 cut.links=12"},
		{"node/rccl-xml/mi100-8gpu-2hive.xml", "gpu=8 cpu=4 degree.xgmi=3 says=disconnected"},
		{"node/rccl-xml/mi100-16gpu-4hive.xml", "gpu=16 nic=16 says=disconnected quiet=unlike-siblings"},
		{"node/rccl-xml/mi50-4gpu-ring.xml", "gpu=4 degree.xgmi=2 cut.links=2"},
		{"node/rccl-xml/mi50-8gpu-pcie.xml", "gpu=8 links.xgmi=0"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

Test(facts, files_of_hwloc)
{
	static const struct row rows[] = {
		{"node/hwloc-xml/dgx2-16v100-6+6nvswitch.xml", "gpu=16 switch=12 links.nvlink=96 rate.nvlink=200000 degree.nvlink=6 says=islands cut.unknown=1"},
		{"node/hwloc-xml/power8-4p100-nvlink1.xml", "gpu=4 gg.nvlink=2 rate.nvlink=320000"},
		{"node/hwloc-xml/lassen-power9-4v100-4mlx5.xml", "gpu=4 path=package0/mlx5_0 path=package1/mlx5_3 links.nvlink=0 says=no-matrix"},
		{"node/hwloc-xml/v1-sierra-power9-4v100-4mlx5.xml", "gpu=4 says=no-matrix"},
		{"node/hwloc-xml/v1-chimera-nvidia+amd.xml", "gpu=2"},
		{"node/hwloc-xml/tioga-mi250x-8gcd-4cxi.xml", "gpu=8 says=matrix-uniform cut.unknown=1"},
		{"node/hwloc-xml/tuolumne-mi300a-spx-4apu.xml", "gpu=4 gg.xgmi=6 rate.xgmi=800000"},
		{"node/hwloc-xml/corona-8mi50-mlx5.xml", "gpu=8"},
		{"node/hwloc-xml/pascal-2p100-mlx5.xml", "gpu=2"},
		{"node/hwloc-xml/aws-g4dn.metal-8t4.xml", "gpu=8"},
		{"node/hwloc-xml/dgx-spark-gb10-noio.xml", "gpu=0 says=no-io"},
		{"node/hwloc-xml/em64t-2n8c2t-pci-wholeio.xml", "gpu=4"}, /* 3 of NVIDIA, and an AMD card that computes (OpenCL) */
		{"node/hwloc-xml/em64t-2n6c2t-3gpu-pci.xml", "gpu=3"},
		{"node/hwloc-xml/devel09-pci.xml", "gpu=0"},
		{"node/hwloc-xml/intel64-manyVFs.xml", "nic=18"}, /* 4 functions without VFs and 14 VFs */
		{"node/hwloc-xml/em64t-2n8c-nvme-mic.xml", "gpu=0"},
		{"node/hwloc-xml/em64t-96-4n4d-nogpu-pci.xml", "gpu=0 nic=8"},
		{"node/hwloc-xml/cxlmem-dax-v3.xml", "gpu=0"},
		{"node/hwloc-xml/intel-purley-64pu-7numa.xml", "gpu=0"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

/* ---- fabrics ------------------------------------------------------------------------------------- */

Test(facts, infiniband)
{
	static const struct row rows[] = {
		{"cluster/ibnetdiscover/ndr-gb200-2rack.out", "cables=1114 leaf=18,18:10 leaf=17,18:5 leaf=17,16:3 leaf=18,16:3 leaf=19,18:2 leaf=16,18:2 leaf=16,16:1 leaf=16,14:1 leaf=17,17:1 leaf=17,15:1 leaf=18,15:1 leaf=18,17:1 "
							   "leaf=0,62:3 leaf=0,60:2 leaf=0,58:1 leaf=0,61:1 leaf=0,55:1 leaf=0,52:1 links.4xNDR=1074 links.sharp=40 between=IBLEAF--IBSPINE:532 oversubscription=1.2"},
		{"cluster/ibnetdiscover/ca-no-links.out", "nic=1 switch=0 cables=0 says=no-switch cut.unknown=1"},
		{"cluster/ibnetdiscover/hdr-superpod-compute.out", "switch=666 nic=3675 io=666 cables=12852 modules.host=469 links.4xHDR=12186 says=uplinks-missing between=CSPINE--CCORE:4464 between=MLG--MSPINE:28 between=MLG--CSPINE:4 between=CCORE--MSPINE:28"},
		{"cluster/ibnetdiscover/hdr-director-puttylog.out", "switch=400 nic=2328 io=0 cables=8723 links.4xHDR=8719 links.4xEDR=4 leaf=16,20:125 leaf=8,20:16 leaf=16,19:5 leaf=15,20:4 leaf=17,20:3 leaf=9,20:1 says=repaired"},
		{"cluster/ibnetdiscover/hdr-dgx-bom-prompt.out", "switch=206 nic=1130 io=206 cables=3572 modules.host=150 leaf=20,20:53 leaf=20,19:3"},
		{"cluster/ibnetdiscover/edr-4switch-ring.out", "switch=4 nic=4 io=4 cables=12 cut.Gbps=200 leaf=0,2:2"},
		{"cluster/ibnetdiscover/edr-4switch-ring-missing-lid.out", "switch=4 nic=8 cables=16 leaf=3,2:2 leaf=1,2:2 cut.Gbps=200"},
		{"cluster/ibnetdiscover/edr-2to1-one-ddr-link.out", "switch=6 nic=96 cables=144 links.4xEDR=143 links.4xDDR=1 leaf=24,12:4 cut.Gbps=2320 oversubscription=2.143 says=slow-cable"},
		{"cluster/ibnetdiscover/man-isr9024-asymmetric-width.out", "switch=2 nic=4 cables=7 links.4xSDR=5 links.1xSDR=2 says=ends-disagree cut.Gbps=12.5"},
		{"cluster/ibnetdiscover/sdr-8port-2hosts.out", "switch=1 nic=2 cables=2 cut.Gbps=10"},
		{"cluster/ibnetdiscover/edr-loopback-stderr-line.out", "switch=2 nic=6 cables=10 loops=3 says=lines-skipped says=self-loop"},
		{"cluster/ibnetdiscover/qdr-1host-no-blank.out", "switch=1 nic=1 cables=1 cut.unknown=1"},
		{"cluster/ibnetdiscover/qdr-single-switch-spaces.out", "switch=1 nic=5 cables=5 cut.Gbps=80"},
		{"cluster/ibnetdiscover/hdr-spine-missing-speed.out", "switch=6 nic=1 cables=5 says=rates-unknown says=nodes-implied"},
		{"cluster/ibsim/ibsim-net.net", "switch=2 nic=2 cables=4 cut.links=1"},
		{"cluster/ibsim/ibsim-net-1.net", "switch=1 nic=2 cables=2 cut.links=1"},
		{"cluster/ibsim/ibsim-net-2sw2path.net", "switch=2 nic=2 cables=4 cut.links=1"},
		{"cluster/ibsim/ibsim-net-2sw2path4hca.net", "switch=2 nic=4 cables=6 leaf=2,2:2 cut.links=2"},
		{"cluster/ibsim/ibsim-net-2sw2path4hca2port.net", "switch=2 nic=2 cables=6 cut.links=2"},
		{"cluster/ibsim/hk-4switch-credit-loop.net", "switch=4 nic=3 io=4 cables=11 cut.Gbps=100"},
		{"cluster/ibnetdiscover-ports/edr-3hosts.ports", "nic=3 switch=4 cables=4 links.4xEDR=4 says=unconnected"},
		{"cluster/ibnetdiscover-ports/hdr-spaces-in-desc.ports", "io=1 nic=1 says=unconnected path=worker20/mlx5_3"},
		{"cluster/ibnetdiscover-ports/unquoted-desc.ports", "cables=0 says=unconnected"},
		{"cluster/iblinkinfo/qdr-5hosts.txt", "switch=1 nic=5 cables=5 links.4xQDR=5 cut.Gbps=80 says=unconnected"},
		{"cluster/iblinkinfo/linemode-edr.txt", "switch=1 cables=2 links.4xEDR=2"},
		{"cluster/iblinkinfo/fdr10-and-module-port.txt", "cables=3 links.4xQDR=1 links.4xDDR=1 links.4xNDR=1 rate.4xQDR=40000 rate.4xDDR=20000 rate.4xNDR=400000"},
	};

	check_rows(rows, ARRAY_LEN(rows));
	cr_assert(open_sample("cluster/iblinkinfo/linemode-edr.txt"));
	cr_expect(cable_at(device_name(f, f->cables.at[0].b), "15") || cable_at(device_name(f, f->cables.at[0].a), "15"));
}

Test(facts, plans)
{
	static const struct row rows[] = {
		{"cluster/ndt/director-switch-to-host.ndt.csv", "cables=2223 nic=2223"},
		{"cluster/ndt/director-switch-to-switch.ndt.csv", "cables=3195 says=listed-twice switch=320"}, /* with the other 5418 */
		{"cluster/ndt/rackplan-with-lengths.csv", "cables=400 rate.200G=200000 modules.rack=11 modules.chassis=10"},
		{"cluster/ndt/rackplan-servers.csv", "cables=320 rate.200G=200000 nic=320 modules.host=40 modules.rack=11"},
		{"cluster/csv-links/sonic-lab-links.csv", "cables=77 loops=17 switch=11 host=1 rate.10G=10000 rate.40G=40000 links.40G=34"},
		{"cluster/csv-links/sonic-snappi-links.csv", "cables=8 rate.100G=100000 host=2 switch=1"},
		{"cluster/csv-links/opa-topology-links.txt", "cables=2 nic=2 switch=2 rate.25G=25000 path=bender/hfi1_0"},
		{"cluster/csv-links/opa-swd06-internal-links.csv", "cables=288 rate.100G=100000 switch=18"},
	};

	check_rows(rows, ARRAY_LEN(rows));
}

/* ---- the table of InfiniBand files ------------------------------------------------------------------ */

enum { IB_COLUMNS = 15 };

static uint32_t component(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x)
		x = parent[x] = parent[parent[x]];
	return x;
}

static void count_components(uint64_t *components, uint64_t *largest)
{
	uint32_t *parent = mem_array(f->device_count, sizeof *parent), *size = mem_array(f->device_count, sizeof *size);

	for (uint32_t i = 0; i < f->device_count; i++)
		parent[i] = i;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		parent[component(parent, f->trunks[t].a)] = component(parent, f->trunks[t].b);
	*components = *largest = 0;
	for (uint32_t i = 0; i < f->device_count; i++) {
		uint32_t root = component(parent, i);

		*components += root == i;
		*largest = ++size[root] > *largest ? size[root] : *largest;
	}
	free(parent);
	free(size);
}

static bool is_ratio(double is, const char *should)
{
	char text[32];

	if (!strcmp(should, "-"))
		return true;
	snprintf(text, sizeof text, "%.3f", is);
	if (strcmp(text, should) != 0)
		cr_log_error("%s instead of %s", text, should);
	return !strcmp(text, should);
}

/* "4xHDR:8719 4xEDR:4 none:1" */
static bool check_speeds(const char *text)
{
	char name[16];
	unsigned n;
	int used;

	for (; sscanf(text, " %15[^:]:%u%n", name, &n, &used) == 2; text += used) {
		struct ib_rate r = {0};
		uint64_t rate = ib_rate_parse(name, strlen(name), &r) ? ib_rate_value(r) : UNKNOWN;
		size_t found = 0;

		for (size_t i = 0; i < f->cables.n; i++)
			found += f->cables.at[i].rate == rate;
		if (found != n) {
			cr_log_error("%s: %zu instead of %u", name, found, n);
			return false;
		}
	}
	return true;
}

static void check_ib_row(char *const *cell)
{
	uint64_t is[11] = {devices_of(CLASS_SWITCH), devices_of(CLASS_NIC), devices_of(CLASS_IO), 0, 0, f->cables.n, f->loops.n};
	bool simulated = strstr(cell[0], "ibsim-net") != NULL; /* the table has no speeds there: they are ibsim's default, 4x SDR */
	double worst = 0, worst_ports = 0;

	for (uint32_t i = 0; i < f->device_count; i++)
		is[4] += (f->flags[i] & FLAG_INFERRED) != 0;
	is[0] -= strcmp(cell[5], "0") != 0 ? is[4] : 0; /* the table counts the implied ones apart; here they are switches */
	for (size_t i = 0; i < f->cables.n; i++)
		is[8] += (f->cables.at[i].flags & FLAG_DISAGREE) != 0;
	is[7] = lint_count("one-sided", "", false) ? strtoull(cell[8], NULL, 10) : 0;
	count_components(&is[9], &is[10]);
	for (size_t i = 0; i < ARRAY_LEN(is); i++)
		cr_expect(is_number(cell[0], is[i], cell[i + 1]), "column %zu", i + 1);
	is[0] = 0;
	for (uint32_t i = 0; i < f->device_count; i++) {
		uint64_t down, up, rate_down, rate_up;

		if (device_class(f, i) != CLASS_SWITCH)
			continue;
		count_sides(i, &down, &up, &rate_down, &rate_up);
		is[0] += down > 0;
		if (down && rate_up && (double)rate_down / (double)rate_up > worst)
			worst = (double)rate_down / (double)rate_up;
		if (down && up && (double)down / (double)up > worst_ports)
			worst_ports = (double)down / (double)up;
	}
	cr_expect(is_number(cell[0], is[0], cell[12]));
	cr_expect(simulated || is_ratio(worst, cell[13]), "%s", cell[0]);
	cr_expect(is_ratio(worst_ports, cell[14]), "%s", cell[0]);
	cr_expect(simulated || check_speeds(cell[15]), "%s", cell[0]);
}

Test(facts, infiniband_by_its_table)
{
	FILE *table = fopen(SAMPLES "cluster/expected-ib.tsv", "r");
	char line[1024];
	size_t rows = 0;

	if (!table)
		cr_skip_test("the samples are not here");
	while (fgets(line, sizeof line, table)) {
		char *cell[IB_COLUMNS + 1] = {line}, *at = line, *path;

		line[strcspn(line, "\r\n")] = '\0';
		for (int i = 1; i <= IB_COLUMNS; i++) {
			at = strchr(at, '\t');
			cr_assert(at != NULL, "%s", line);
			*at++ = '\0';
			cell[i] = at;
		}
		if (!strcmp(cell[0], "file"))
			continue;
		path = mem_printf("cluster/%s", cell[0]);
		cr_assert(open_sample(path), "%s", path);
		check_ib_row(cell);
		free(path);
		rows++;
	}
	fclose(table);
	cr_expect(eq(sz, rows, 20));
}
