/* What lint finds in dumps of our own making: one fault each, and nothing where there is none. */
#include "dump.h"

TestSuite(findings, .fini = finish);

#define GPU(bus, dev, links) \
	"<pci busid=\"" bus "\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"" dev "\" sm=\"90\" rank=\"" dev "\">" links "</gpu></pci>"
#define BRIDGE(speed, below) "<pci busid=\"0000:01:00.0\" class=\"0x060400\" link_speed=\"" speed " GT/s PCIe\" link_width=\"16\">" below "</pci>"
#define NVSWITCH(count) "<nvlink target=\"0000:f1:00.0\" count=\"" count "\" tclass=\"0x068000\"/>"
#define MACHINE(masks, speed, second) \
	"<system version=\"1\"><cpu numaid=\"0\" affinity=\"" masks "\">" BRIDGE(speed, GPU("0000:02:00.0", "0", NVSWITCH("18")) GPU("0000:03:00.0", "1", second)) \
	"</cpu><cpu numaid=\"1\" affinity=\"ffff0000\">" GPU("0000:82:00.0", "2", NVSWITCH("18")) GPU("0000:83:00.0", "3", NVSWITCH("18")) "</cpu></system>"

Test(findings, of_machines)
{
	static const struct {
		const char *text, *code;
		size_t count;
	} cases[] = {
		{MACHINE("0000ffff", "32.0", NVSWITCH("18")), "affinity-overlaps", 0},
		{MACHINE("0000ffff", "32.0", NVSWITCH("18")), "parent-slower", 0},
		{MACHINE("0000ffff", "32.0", NVSWITCH("18")), "unlike-siblings", 0},
		{MACHINE("0000ffff", "32.0", NVSWITCH("18")), "self-loop", 0},
		{MACHINE("0000ffff", "32.0", NVSWITCH("18")), "pcie-flat", 0},
		{MACHINE("1ffff", "32.0", NVSWITCH("18")), "affinity-overlaps", 1}, /* a word may have fewer digits than eight */
		{MACHINE("0,0000ffff", "32.0", NVSWITCH("18")), "affinity-overlaps", 0},
		{MACHINE("0000ffff", "5.0", NVSWITCH("18")), "parent-slower", 2},
		{MACHINE("0000ffff", "32.0", NVSWITCH("17")), "unlike-siblings", 1},
		{MACHINE("0000ffff", "32.0", ""), "unlike-siblings", 1},
		{MACHINE("0000ffff", "32.0", "<nvlink target=\"0000:03:00.0\" count=\"4\" tclass=\"0x030200\"/>"), "self-loop", 1},
		{"<system version=\"1\"><cpu numaid=\"-1\">" GPU("0000:02:00.0", "0", "") GPU("0000:03:00.0", "1", "") "</cpu></system>", "pcie-flat", 1},
		{"\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\t X \tNV4\tNV4\tNV4\nGPU1\tNV4\t X \tNV4\tNV4\nGPU2\tNV4\tNV4\t X \tSYS\nGPU3\tNV4\tNV4\tSYS\t X \n", "unlike-siblings", 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		cr_assert(eq(int, read_any(cases[i].text), OK), "%s", cases[i].text);
		cr_expect(eq(sz, lint_count(cases[i].code, "", false), cases[i].count), "%s: %s", cases[i].code, cases[i].text);
	}
}

/* Leaves of `hosts` hosts with an adapter at each leaf, leaves to two spines by two cables each. One fault: the cable from
 * leaf 0 to spine 0 left out, slow, or two adapters of host 0 crossed. */
enum flaw { FLAW_NONE, FLAW_MISSING, FLAW_SLOW, FLAW_CROSSED, FLAW_LOOP };

static char *fabric_text_of(unsigned leaves, unsigned hosts, enum flaw flaw)
{
	struct strbuf b = STRBUF_INIT;

	for (unsigned l = 0; l < leaves; l++)
		for (unsigned h = 0; h < hosts; h++) {
			unsigned to = flaw == FLAW_CROSSED && !h && l < 2 ? !l : l;

			strbuf_printf(&b, "h%u,h%u mlx5_%u,leaf%u,Port %u,200000\n", h, h, l, to, h + 1);
		}
	for (unsigned l = 0; l < leaves; l++)
		for (unsigned s = 0; s < 4; s++) {
			if (flaw == FLAW_MISSING && !l && !s)
				continue;
			strbuf_printf(&b, "leaf%u,Port %u,spine%u,Port %u,%s\n", l, 50 + s, s % 2, l * 2 + s / 2 + 1,
				      flaw == FLAW_SLOW && !l && !s ? "50000" : "200000");
		}
	if (flaw == FLAW_LOOP)
		strbuf_puts(&b, "leaf0,Port 60,leaf0,Port 61,200000\n");
	char *text = mem_printf("StartDevice,StartPort,EndDevice,EndPort,Speed\n%s", strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

Test(findings, of_fabrics)
{
	static const struct {
		enum flaw flaw;
		const char *code, *word;
		size_t count;
	} cases[] = {
		{FLAW_NONE, "uplinks-missing", "", 0}, {FLAW_NONE, "slow-cable", "", 0}, {FLAW_NONE, "crossed-rails", "", 0},
		{FLAW_NONE, "self-loop", "", 0}, {FLAW_MISSING, "uplinks-missing", "leaf0 has 3 links up, its siblings have 4", 1},
		{FLAW_SLOW, "slow-cable", "leaf0 port 50 -- spine0 port 1: 50 Gb/s", 1}, {FLAW_CROSSED, "crossed-rails", "h0/mlx5_", 2},
		{FLAW_LOOP, "self-loop", "leaf0", 1},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = fabric_text_of(8, 16, cases[i].flaw);

		cr_assert(eq(int, read_any(text), OK));
		cr_expect(eq(sz, lint_count(cases[i].code, cases[i].word, false), cases[i].count), "%s %d", cases[i].code, (int)cases[i].flaw);
		free(text);
	}
}

Test(findings, rails_follow_from_cables)
{
	char *text = fabric_text_of(8, 16, FLAW_CROSSED);

	cr_assert(eq(int, read_any(text), OK));
	cr_expect(has_finding("rails-inferred"));
	for (unsigned l = 0; l < 8; l++) {
		char name[16];

		snprintf(name, sizeof name, "leaf%u", l);
		cr_expect(eq(int, f->rail[device(name)], (int)l), "%s", name);
	}
	cr_expect(eq(int, f->rail[device("mlx5_0")], 1), "the adapter that was crossed over is on the rail it hangs at");
	free(text);
	text = fabric_text_of(1, 16, FLAW_NONE);
	cr_assert(eq(int, read_any(text), OK));
	cr_expect(not(has_finding("rails-inferred")), "one adapter a host is no rail");
	free(text);
}

Test(findings, unequal_planes_and_isolated_devices)
{
	cr_assert(eq(int, read_any("toponaut: 1\nlinks: {l: {rate: 1 GB/s}}\ndevices: {g: {class: gpu}, s: {class: switch}}\nmodules:\n  m:\n    kind: board\n"
				   "    parts: {a: {is: g, count: 4}, sw: {is: s, count: 2}, idle: {is: s}}\n"
				   "    wiring: [{from: \"a{i}\", to: \"sw{j}\", count: \"i == 0 && j == 1 ? 0 : 1\", plane: j}]\nbuild: m\n"), OK));
	cr_expect(eq(sz, lint_count("planes-unequal", "plane 1 has 3 links, plane 0 has 4", false), 1));
	cr_expect(eq(sz, lint_count("isolated", "1 s without any link", false), 1));
}

/* ---- outputs of one machine ------------------------------------------------------------------------ */

static enum status read_joined(const char *first, const char *second)
{
	struct source sources[2] = {{"first", first, strlen(first)}, {"second", second, strlen(second)}};
	struct io_options o = {0};

	finish();
	return join_read(sources, 2, &o, &d, &f);
}

/* Twisted: each GPU leads to three of the five others, by bus ids, as in a mesh that is not full. */
static char *remote_text(void)
{
	struct strbuf b = STRBUF_INIT;

	for (unsigned g = 0; g < 6; g++) {
		strbuf_printf(&b, "GPU %u: A (UUID: GPU-%u)\n", g, g);
		for (unsigned k = 0; k < 3; k++)
			strbuf_printf(&b, "\t Link %u: Remote Device 00000000:%02X:00.0: Link %u\n", k, 16 + (g + (unsigned[]){1, 3, 5}[k]) % 6, k);
	}
	return b.text;
}

Test(findings, a_mesh_by_bus_ids_is_no_box_of_switches)
{
	char *text = remote_text();

	cr_assert(eq(int, read_any(text), OK));
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 0));
	cr_expect(eq(uint, trunks_of("nvlink"), 9));
	for (uint32_t i = 0; i < f->device_count; i++)
		cr_expect(eq(u64, links(i, "nvlink"), 3));
	free(text);
}

#define PAIR "\tGPU0\tGPU1\nGPU0\t X \tNV12\nGPU1\tNV12\t X \n"
#define ENDS(n, first, second) "GPU 0: A (UUID: GPU-0)\n\t Link 0: Remote Device " first ": Link 0\nGPU 1: A (UUID: GPU-1)\n\t Link 0: Remote Device " second ": Link 0\n"

Test(findings, joined_outputs_that_disagree_say_so)
{
	cr_assert(eq(int, read_joined(PAIR, ENDS(1, "00000000:11:00.0", "00000000:10:00.0")), OK));
	cr_expect(has_finding("join-disagrees"), "one link, and twelve in the matrix");
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 0));
	cr_assert(eq(int, read_joined(PAIR, ENDS(1, "FFFFFFFF:FF:FF.0", "FFFFFFFF:FF:FF.0")), OK));
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 1));
	cr_expect(eq(int, read_joined(PAIR, "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPIX\tPIX\nGPU1\tPIX\t X \tPIX\nGPU2\tPIX\tPIX\t X \n"), E_INPUT));
	cr_expect(eq(int, read_joined(PAIR, "a:1 b:1 100G\n"), E_USAGE));
	cr_expect(f == NULL);
}

#define UP(g) "GPU " g ": A (UUID: GPU-" g ")\n\t Link 0: 25.781 GB/s\n\t Link 1: 25.781 GB/s\n"

Test(findings, rates_of_another_machine_are_not_taken)
{
	cr_assert(eq(int, read_joined(PAIR, UP("0") UP("1")), OK));
	cr_expect(has_finding("join-disagrees"), "twelve links in the matrix, two that are up");
	cr_expect(eq(u64, f->kinds.at[fabric_kind(f, "nvlink")].rate, UNKNOWN));
	cr_assert(eq(int, read_joined("\tGPU0\tGPU1\nGPU0\t X \tNV2\nGPU1\tNV2\t X \n", UP("0") UP("1")), OK));
	cr_expect(not(has_finding("join-disagrees")));
	cr_expect(eq(u64, f->kinds.at[fabric_kind(f, "nvlink")].rate, 200000000000u));
}

Test(findings, an_adapter_of_a_dump_without_a_link_is_isolated)
{
	cr_assert(eq(int, read_any("Ca\t1 \"H-00000000000000b1\"\t\t# \"node1 mlx5_0\"\n[1](b1) \t\"S-00000000000000a1\"[1]\t\t# lid 3 lmc 0 \"leaf\" lid 1 4xHDR\n"
				   "Switch\t8 \"S-00000000000000a1\"\t\t# \"leaf\"\n[1]\t\"H-00000000000000b1\"[1](b1)\t\t# \"node1 mlx5_0\" lid 3 4xHDR\n"
				   "Ca\t1 \"H-00000000000000b2\"\t\t# \"node2 mlx5_0\"\n"), OK));
	cr_expect(eq(sz, lint_count("isolated", "node2", false), 1));
	cr_expect(eq(sz, lint_count("isolated", "node1", false), 0));
}

Test(findings, a_capability_gives_the_matrix_its_rate)
{
	cr_assert(eq(int, read_joined(PAIR, "<system version=\"1\"><cpu numaid=\"0\">" GPU("0000:02:00.0", "0", "") GPU("0000:03:00.0", "1", "") "</cpu></system>"), OK));
	uint32_t kind = fabric_kind(f, "nvlink");
	cr_assert(ne(uint, kind, NONE));
	cr_expect(eq(u64, f->kinds.at[kind].rate, 200000000000u));
	cr_expect(f->kinds.at[kind].rate_assumed);
	cr_expect(eq(u64, links(device("gpu0"), "nvlink"), 12));
	cr_expect(fabric_broken(f) == NULL);
}
