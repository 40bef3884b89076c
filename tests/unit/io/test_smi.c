/* `nvidia-smi topo -m` as people paste it; matrices of our own making, one per habit. */
#include "dump.h"
#include "io/smi_internal.h"

TestSuite(smi, .fini = finish);

static enum status read_as(const char *text, const char *gpu)
{
	return read_text(smi_read, text, gpu);
}

static void read_ok(const char *text)
{
	struct source s = {.name = "paste.txt", .text = text, .size = strlen(text)};
	cr_assert(gt(int, smi_recognise(&s), 0));
	cr_assert(eq(int, read_as(text, NULL), OK));
}

static const char square[] = "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
			     "GPU0\t X \tNV2\tNV1\tSYS\t0-7\t0\t\tN/A\n"
			     "GPU1\tNV2\t X \tSYS\tNV1\t0-7\t0\t\tN/A\n"
			     "GPU2\tNV1\tSYS\t X \tNV2\t8-15\t1\t\tN/A\n"
			     "GPU3\tSYS\tNV1\tNV2\t X \t8-15\t1\t\tN/A\n"
			     "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n";

Test(smi, direct_links_keep_their_counts)
{
	read_ok(square);
	cr_expect(eq(uint, devices_of(CLASS_GPU), 4));
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 0));
	cr_expect(eq(uint, trunks_of("nvlink"), 4));
	cr_expect(eq(uint, trunks_of("sys"), 2));
	uint64_t links = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *k = &f->trunks[t];
		bool counted = f->kinds.at[k->kind].use == USE_FABRIC;
		links += counted ? k->count : 0;
		cr_expect(eq(u64, k->rate, UNKNOWN), "the matrix holds no rates");
		cr_expect(eq(int, k->count == NONE, !counted), "a relation is no count of links");
	}
	cr_expect(eq(u64, links, 6));
}

Test(smi, numa_nodes_become_modules)
{
	read_ok(square);
	cr_assert(eq(sz, f->modules.n, 3));
	struct strbuf b = STRBUF_INIT;
	device_path(f, 2, &b);
	cr_expect(eq(str, b.text, "numa1/GPU2"));
	strbuf_free(&b);
}

Test(smi, marks_name_the_row)
{
	read_ok(square);
	cr_expect(eq(uint, f->origins.at[f->trunks[0].origin].mark.line, 2));
}

Test(smi, a_model_gives_assumed_rates)
{
	cr_assert(eq(int, read_as(square, "v100"), OK));
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		bool counted = f->kinds.at[f->trunks[t].kind].use == USE_FABRIC;
		cr_expect(eq(u64, f->trunks[t].rate, counted ? 200000000000u : UNKNOWN));
		cr_expect(eq(int, (f->trunks[t].flags & FLAG_ASSUMED) != 0, counted));
	}
}

/* n GPUs all joined by NVk, written with blanks. */
static char *uniform(unsigned n, unsigned k)
{
	struct strbuf b = STRBUF_INIT;
	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&b, "  GPU%u", i);
	strbuf_puts(&b, "  CPU Affinity\n");
	for (unsigned i = 0; i < n; i++) {
		strbuf_printf(&b, "GPU%u", i);
		for (unsigned j = 0; j < n; j++)
			i == j ? strbuf_puts(&b, "  X") : strbuf_printf(&b, " NV%u", k);
		strbuf_puts(&b, " 0-95\n");
	}
	return b.text;
}

Test(smi, a_switch_is_inferred_where_links_must_be_shared)
{
	static const struct {
		unsigned gpus, links;
		const char *model;
		bool has_switch;
	} cases[] = {
		{8, 12, NULL, true}, {8, 18, NULL, true}, {4, 18, NULL, true}, {2, 18, NULL, true}, {16, 6, NULL, true},
		{4, 4, NULL, false}, {4, 6, NULL, false}, {2, 12, NULL, false}, {2, 4, NULL, false},
		{4, 6, "v100", true}, {4, 4, "a100", false}, {3, 6, "h100", false},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = uniform(cases[i].gpus, cases[i].links);
		unsigned n = cases[i].gpus;
		cr_assert(eq(int, read_as(text, cases[i].model), OK));
		cr_expect(eq(uint, devices_of(CLASS_SWITCH), cases[i].has_switch), "%u x NV%u", n, cases[i].links);
		cr_expect(eq(uint, f->trunk_count, cases[i].has_switch ? n : n * (n - 1) / 2));
		cr_expect(eq(uint, f->trunks[0].count, cases[i].links));
		cr_expect(eq(int, has_finding("switch-inferred"), cases[i].has_switch));
		for (uint32_t t = 0; t < f->trunk_count; t++)
			cr_expect(eq(int, (f->trunks[t].flags & FLAG_INFERRED) != 0, cases[i].has_switch));
		for (uint32_t v = 0; v < f->device_count; v++)
			cr_expect(eq(int, (f->flags[v] & FLAG_INFERRED) != 0, device_class(f, v) == CLASS_SWITCH));
		free(text);
	}
}

Test(smi, two_bridged_cards_might_be_a_switch)
{
	char *text = uniform(2, 12);
	read_ok(text);
	cr_expect(has_finding("switch-unsure"));
	free(text);
}

Test(smi, islands_have_switches_of_their_own)
{
	struct strbuf b = STRBUF_INIT;
	for (unsigned i = 0; i < 6; i++)
		strbuf_printf(&b, "\tGPU%u", i);
	strbuf_putc(&b, '\n');
	for (unsigned i = 0; i < 6; i++) {
		strbuf_printf(&b, "GPU%u", i);
		for (unsigned j = 0; j < 6; j++)
			strbuf_puts(&b, i == j ? "\t X " : i / 3 == j / 3 ? "\tNV18" : "\tSYS");
		strbuf_putc(&b, '\n');
	}
	read_ok(b.text);
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 2));
	cr_expect(eq(uint, trunks_of("sys"), 9));
	strbuf_free(&b);
}

Test(smi, escapes_indentation_and_prompts)
{
	read_ok("user@host:~$ nvidia-smi topo -m\r\n"
		"      \t\033[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\033[0m\r\n"
		"      GPU0\t X \tPHB\tPIX\t0-11\t0\r\n"
		"      GPU1\tPHB\t X \tPHB\t0-11\t0\r\n"
		"      NIC0\tPIX\tPHB\t X \t\t\r\n\r\nNIC Legend:\r\n\r\n  NIC0: mlx5_2\r\n");
	cr_expect(eq(uint, devices_of(CLASS_GPU), 2));
	cr_expect(eq(uint, devices_of(CLASS_NIC), 1));
	cr_expect(eq(uint, trunks_of("phb"), 2));
	cr_expect(eq(uint, trunks_of("pix"), 1));
	cr_expect(eq(sz, f->modules.n, 1), "one NUMA node needs no module");
	cr_expect(has_finding("nic-names"));
}

Test(smi, a_markdown_table_with_affinity_first)
{
	read_ok("| CPU Affinity | NUMA Affinity |        | GPU0 | GPU1 | mlx5_0 |\n"
		"|--------------|---------------|--------|------|------|--------|\n"
		"| 24-31        | 3             | GPU0   | X    | NV4  | SYS    |\n"
		"| 16-23        | 2             | GPU1   | NV4  | X    | PHB    |\n"
		"|              |               | mlx5_0 | SYS  | PHB  | X      |\n");
	cr_expect(eq(uint, trunks_of("nvlink"), 1));
	cr_expect(eq(uint, trunks_of("phb"), 1));
	struct strbuf b = STRBUF_INIT;
	device_path(f, 1, &b);
	cr_expect(eq(str, b.text, "numa2/mlx5_0"), "the NIC stands with the GPU it shares a host bridge with");
	strbuf_free(&b);
}

Test(smi, the_old_letters)
{
	read_ok("\tGPU0\tGPU1\tmlx4_0\tCPU Affinity\nGPU0\t X \tSOC\tSOC\t0-11\nGPU1\tSOC\t X \tPSB\t0-11\n"
		"mlx4_0\tSOC\tPSB\t X \n");
	cr_expect(eq(uint, trunks_of("sys"), 2));
	cr_expect(eq(uint, trunks_of("psb"), 1));
}

Test(smi, a_wrapped_row_goes_on)
{
	read_ok("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV1\n  NV2\t0-3\nGPU1\tNV1\t X \tNV3\t0-3\nGPU2\tNV2\tNV3\t X \t0-3\n");
	cr_expect(eq(uint, trunks_of("nvlink"), 3));
	cr_expect(not(has_finding("matrix-incomplete")));
}

Test(smi, a_cut_matrix_keeps_what_it_has)
{
	read_ok("\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\t X \tNV1\tNV1\tNV1\t0-3\nGPU1\tNV1\t X \tNV1\n");
	cr_expect(eq(uint, trunks_of("nvlink"), 4));
	cr_expect(has_finding("matrix-incomplete"));
	cr_expect(eq(int, f->flags[0], 0));
	cr_expect(eq(int, f->flags[1], FLAG_INCOMPLETE));
	cr_expect(eq(int, f->flags[3], FLAG_INCOMPLETE));
}

Test(smi, a_shifted_row_is_not_believed)
{
	read_ok("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV1\tNV2\nGPU1\t X \tNV1\tNV1\nGPU2\tNV2\tNV1\t X \n");
	cr_expect(has_finding("rows-skipped"));
	cr_expect(eq(uint, trunks_of("nvlink"), 3), "the other rows tell all of it");
}

Test(smi, rows_that_disagree)
{
	read_ok("\tGPU0\tGPU1\nGPU0\t X \tNV4\t0-3\nGPU1\tNV2\t X \t0-3\n");
	cr_expect(has_finding("rows-disagree"));
	cr_assert(eq(uint, f->trunk_count, 1));
	cr_expect(eq(uint, f->trunks[0].count, 2), "the lesser one counts");
	cr_expect(eq(int, f->trunks[0].flags, FLAG_DISAGREE));
}

static const char p2p[] = " \tGPU0\tGPU1\t\n GPU0\tX\tOK\t\n GPU1\tOK\tX\t\n\nLegend:\n  OK   = Status Ok\n";

Test(smi, p2p_is_no_topology)
{
	struct source s = {.name = "p2p.txt", .text = p2p, .size = strlen(p2p)};
	cr_expect(eq(int, smi_recognise(&s), 0));
	cr_expect(smi_is_p2p(&s));
	cr_expect(eq(int, read_as(p2p, NULL), E_INPUT));
	cr_expect(eq(uint, d.errors, 1));
}

Test(smi, p2p_behind_or_before_the_matrix_is_skipped)
{
	char *text = mem_printf("%s\n%s", square, p2p);
	read_ok(text);
	cr_expect(eq(uint, devices_of(CLASS_GPU), 4));
	free(text);
	text = mem_printf("%s\n%s", p2p, square);
	read_ok(text);
	cr_expect(eq(uint, devices_of(CLASS_GPU), 4));
	free(text);
}

Test(smi, what_is_no_matrix)
{
	static const char *const cases[] = {
		"", "\n\n", "GPU0", "\tGPU0\tGPU1\n", "\tGPU0\tGPU1\nLegend:\n  X = Self\n",
		"ERROR: Option -m is missing its value.\n", "GPU 0: NVIDIA H100 (UUID: x)\n\t Link 0: 26.562 GB/s\n",
		"\tGPU0\tGPU0\nGPU0\t X \tNV1\nGPU0\tNV1\t X \n",
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		cr_expect(eq(int, read_as(cases[i], NULL), E_INPUT), "%s", cases[i]);
		cr_expect(eq(uint, d.errors, 1));
		cr_expect(f == NULL);
	}
}

Test(smi, a_huge_header_is_a_limit)
{
	struct strbuf b = STRBUF_INIT;
	for (unsigned i = 0; i < 5000; i++)
		strbuf_printf(&b, "\tGPU%u", i);
	strbuf_puts(&b, "\nGPU0\t X \tNV1\n");
	cr_expect(eq(int, read_as(b.text, NULL), E_LIMIT));
	strbuf_free(&b);
}

/* Whatever is cut out of a paste or thrown into it, the reader answers. */
Test(smi, damaged_pastes_never_break_it)
{
	struct rng r = rng_seed(3);
	for (unsigned round = 0; round < 4000; round++) {
		char *text = mem_strdup(square);
		size_t n = strlen(text);
		for (unsigned k = rng_below(&r, 6); k > 0; k--)
			text[rng_below(&r, (uint32_t)n)] = "\t\n |XNVGPU018\033[\0"[rng_below(&r, 17)];
		text[rng_below(&r, (uint32_t)n + 1)] = '\0';
		struct source s = {.name = "x", .text = text, .size = n};
		smi_recognise(&s);
		smi_is_p2p(&s);
		finish();
		struct io_options o = {0};
		if (smi_read(&s, &o, &d, &f) == OK)
			cr_assert(fabric_broken(f) == NULL);
		free(text);
	}
}
