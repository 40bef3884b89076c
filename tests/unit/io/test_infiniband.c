/* InfiniBand subnets as tools print them and people paste them; small files of our own making, one per habit, and the
 * facts known of real ones where they lie beside the repository.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"
#include "toponaut/analyze.h"

static struct diag d;
static struct fabric *f;

static void finish(void)
{
	fabric_free(f);
	f = NULL;
	diag_free(&d);
}

TestSuite(infiniband, .fini = finish);

static enum status read_any(const char *text)
{
	struct source s = {.name = "dump.txt", .text = text, .size = strlen(text)};
	struct io_options o = {0};
	enum status status = E_BUG;

	finish();
	for (size_t i = 0, best = 0; i < io_format_count; i++) {
		size_t score = io_formats[i].recognise ? (size_t)io_formats[i].recognise(&s) : 0;

		if (score > best) {
			best = score;
			finish();
			status = io_formats[i].read(&s, &o, &d, &f);
		}
	}
	if (status == OK)
		cr_assert(fabric_broken(f) == NULL, "%s", fabric_broken(f));
	return status;
}

static uint32_t devices_of(enum device_class class)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->device_count; i++)
		n += device_class(f, i) == class;
	return n;
}

static bool has_finding(const char *code)
{
	for (size_t i = 0; i < f->findings.n; i++)
		if (!strcmp(f->findings.at[i].code, code))
			return true;
	return false;
}

static const struct cable *cable_at(const char *device, const char *port)
{
	for (size_t i = 0; i < f->cables.n; i++) {
		const struct cable *c = &f->cables.at[i];

		if ((!strcmp(device_name(f, c->a), device) && !strcmp(fabric_str(f, c->port_a), port)) ||
		    (!strcmp(device_name(f, c->b), device) && !strcmp(fabric_str(f, c->port_b), port)))
			return c;
	}
	return NULL;
}

#define SWITCH_1 "switchguid=0xa1(a1)\nSwitch\t8 \"S-00000000000000a1\"\t\t# \"MF0;leaf1:MQM8700/U1\" enhanced port 0 lid 1 lmc 0\n"
#define SWITCH_2 "switchguid=0xa2(a2)\nSwitch\t8 \"S-00000000000000a2\"\t\t# \"MF0;leaf2:MQM8700/U1\" enhanced port 0 lid 2 lmc 0\n"
#define CA(id, name, port, sw, swport, rate) \
	"caguid=0x" id "\nCa\t1 \"H-00000000000000" id "\"\t\t# \"" name "\"\n[" port "](" id ") \t\"S-00000000000000" sw "\"[" swport \
	"]\t\t# lid 9 lmc 0 \"MF0;leaf:MQM8700/U1\" lid 1 " rate "\n"

static const char pair[] =
	"#\n# Topology file: generated on Mon Jan  1 00:00:00 2024\n#\n\nvendid=0x2c9\n" SWITCH_1
	"[1]\t\"H-00000000000000b1\"[1](b1) \t\t# \"node1 mlx5_0\" lid 3 4xHDR\n"
	"[7]\t\"S-00000000000000a2\"[7]\t\t# \"MF0;leaf2:MQM8700/U1\" lid 2 4xHDR\n"
	"[8]\t\"H-00000000000000c1\"[1](c1) \t\t# \"Mellanox Technologies Aggregation Node\" lid 5 4xHDR\n\n" SWITCH_2
	"[1]\t\"H-00000000000000b2\"[1](b2) \t\t# \"node1 mlx5_1\" lid 4 4xEDR\n"
	"[7]\t\"S-00000000000000a1\"[7]\t\t# \"MF0;leaf1:MQM8700/U1\" lid 1 4xHDR\n\n"
	CA("b1", "node1 mlx5_0", "1", "a1", "1", "4xHDR") CA("b2", "node1 mlx5_1", "1", "a2", "1", "4xHDR")
	CA("c1", "Mellanox Technologies Aggregation Node", "1", "a1", "8", "4xHDR");

Test(infiniband, cables_are_counted_once_and_know_their_ports)
{
	cr_assert(eq(int, read_any(pair), OK));
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 2));
	cr_expect(eq(uint, devices_of(CLASS_NIC), 2));
	cr_expect(eq(uint, devices_of(CLASS_IO), 1));
	cr_assert(eq(sz, f->cables.n, 4));
	const struct cable *c = cable_at("leaf2", "7");
	cr_assert(c != NULL);
	cr_expect(eq(u64, c->rate, 200000000000u));
	cr_expect(eq(str, (char *)fabric_str(f, f->modules.at[f->module[c->a]].name), "leaf1"));
}

Test(infiniband, the_slower_end_counts)
{
	cr_assert(eq(int, read_any(pair), OK));
	const struct cable *c = cable_at("mlx5_1", "1");
	cr_assert(c != NULL);
	cr_expect(eq(u64, c->rate, 100000000000u));
	cr_expect(ne(int, c->flags & FLAG_DISAGREE, 0), "the ends differ");
}

Test(infiniband, aggregation_stands_beside_its_switch_and_is_no_downlink)
{
	cr_assert(eq(int, read_any(pair), OK));
	struct strbuf b = STRBUF_INIT;
	for (uint32_t i = 0; i < f->device_count; i++)
		if (device_class(f, i) == CLASS_IO)
			device_path(f, i, &b);
	cr_expect(eq(str, b.text, "leaf1/sharp"));
	strbuf_free(&b);
	struct projection_options o = {.endpoints = CLASS_NONE, .unit = -1};
	struct network n = network_build(f, NULL, &o);
	for (uint32_t i = 0; i < f->device_count; i++)
		cr_expect(device_class(f, i) != CLASS_IO || n.vertex_of[i] == NONE || !n.weight[n.vertex_of[i]]);
	network_free(&n);
}

/* Blanks and TABs away or changed, CR LF, a BOM, a prompt: nothing changes. */
Test(infiniband, white_space_carries_nothing)
{
	struct strbuf b = STRBUF_INIT;
	cr_assert(eq(int, read_any(pair), OK));
	size_t cables = f->cables.n;

	for (int way = 0; way < 4; way++) {
		strbuf_trim(&b, 0);
		strbuf_puts(&b, way == 3 ? "\xef\xbb\xbf[root@mgmt ~]# ibnetdiscover\r\n" : "");
		for (const char *p = pair; *p; p++) {
			if (*p == '\t')
				strbuf_puts(&b, way == 0 ? "" : way == 1 ? " " : "      ");
			else if (*p == '\n' && way >= 2)
				strbuf_puts(&b, "\r\n");
			else if (*p != '\n' || p[1] != '\n')
				strbuf_putc(&b, *p);
		}
		cr_assert(eq(int, read_any(b.text), OK));
		cr_expect(eq(sz, f->cables.n, cables), "way %d", way);
		cr_expect(eq(uint, f->device_count, 5));
		cr_expect(eq(int, has_finding("lines-skipped"), way == 3));
	}
	strbuf_free(&b);
}

Test(infiniband, product_names_are_no_names)
{
	cr_assert(eq(int, read_any(SWITCH_1 "[1]\t\"H-00000000000000b1\"[1](b1)\t# \"MT4129 ConnectX7   Mellanox Technologies\" lid 3 4xNDR\n"
					    "[2]\t\"H-00000000000000b2\"[1](b2)\t# \"MT4129 ConnectX7   Mellanox Technologies\" lid 4 4xNDR\n"),
		     OK));
	cr_expect(eq(uint, devices_of(CLASS_NIC), 2));
	cr_expect(eq(sz, f->modules.n, 1), "no host is known");
	cr_expect(has_finding("one-sided"));
	cr_expect(has_finding("nodes-implied"));
}

Test(infiniband, unknown_speed_is_not_zero)
{
	cr_assert(eq(int, read_any(SWITCH_1 "[1]\t\"H-00000000000000b1\"[1](b1)\t# \"4xHDR mlx5_0\" lid 3 \n"
					    "[2]\t\"H-00000000000000b2\"[1](b2)\t# \"n2 mlx5_0\" lid 3 4x???\n"),
		     OK));
	cr_assert(eq(sz, f->cables.n, 2));
	cr_expect(eq(u64, f->cables.at[0].rate, UNKNOWN), "a description is no rate");
	cr_expect(eq(u64, f->cables.at[1].rate, UNKNOWN));
	cr_expect(has_finding("rates-unknown"));
}

Test(infiniband, loops_parallel_cables_and_repeated_records)
{
	cr_assert(eq(int, read_any(SWITCH_1 "[1]\t\"S-00000000000000a1\"[2]\t# \"x\" lid 1 4xEDR\n[2]\t\"S-00000000000000a1\"[1]\t# \"x\" lid 1 4xEDR\n"
					    "[3]\t\"S-00000000000000a2\"[3]\t# \"y\" lid 1 4xEDR\n[4]\t\"S-00000000000000a2\"[4]\t# \"y\" lid 1 4xEDR\n\n"
				   SWITCH_1 "[3]\t\"S-00000000000000a2\"[3]\t# \"y\" lid 1 4xEDR\n"),
		     OK));
	cr_expect(eq(sz, f->loops.n, 1));
	cr_assert(eq(uint, f->trunk_count, 1));
	cr_expect(eq(uint, f->trunks[0].count, 2));
	cr_expect(has_finding("repeated"));
}

Test(infiniband, directors_are_modules)
{
	cr_assert(eq(int, read_any("Switch\t41 \"S-00000000000000a1\"\t# \"MF0;dir:MCS8500/L16/U2\" lid 1\n"
				   "[1]\t\"S-00000000000000a2\"[1]\t# \"MF0;dir:MCS8500/S03/U1\" lid 1 4xHDR\n"
				   "Switch\t41 \"S-00000000000000a2\"\t# \"MF0;dir:MCS8500/S03/U1\" lid 2\n"), OK));
	struct strbuf b = STRBUF_INIT;
	device_path(f, 0, &b);
	cr_expect(eq(str, b.text, "dir/L16/U2"));
	strbuf_free(&b);
}

Test(infiniband, hidden_ids_are_not_merged)
{
	cr_assert(eq(int, read_any("Switch\t8 \"S-<redacted>\"\t# \"leaf1\" lid 1\n[1]\t\"H-<redacted>\"[1](<redacted>)\t# \"n1 mlx5_0\" lid 2 2xNDR\n"
				   "[2]\t\"H-<redacted>\"[1](<redacted>)\t# \"n2 mlx5_0\" lid 3 2xNDR\n\n"
				   "Ca\t1 \"H-<redacted>\"\t# \"n1 mlx5_0\"\n[1](<redacted>)\t\"S-<redacted>\"[1]\t# lid 2 lmc 0 \"leaf1\" lid 1 2xNDR\n\n"
				   "Ca\t1 \"H-<redacted>\"\t# \"n2 mlx5_0\"\n[1](<redacted>)\t\"S-<redacted>\"[2]\t# lid 3 lmc 0 \"leaf1\" lid 1 2xNDR\n"),
		     OK));
	cr_expect(eq(uint, f->device_count, 3));
	cr_expect(eq(sz, f->cables.n, 2));
	cr_expect(eq(u64, f->cables.at[0].rate, 200000000000u));
}

Test(infiniband, simulator_masks_join_to_the_highest_common_bit)
{
	cr_assert(eq(int, read_any("Switch 8 \"sw\"\n[1] \"a\"[1] w=3 s=7\n[2] \"b\" w=2 s=7 e=4\n\nHca 1 \"a\"\n[1] \"sw\"[1] w=2 s=3\n\n"
				   "Hca 1 \"b\"\n[1] \"sw\"[2] w=2 s=7 e=6\n"), OK));
	cr_assert(eq(sz, f->cables.n, 2));
	cr_expect(eq(u64, f->cables.at[0].rate, 20000000000u), "4x DDR");
	cr_expect(eq(u64, f->cables.at[1].rate, 200000000000u), "4x HDR");
}

Test(infiniband, lists_of_ports)
{
	cr_assert(eq(int, read_any("CA   134  1 0x00000000000000b1 4x EDR - SW  1719 10 0x00000000000000a1 ( 'n1 HCA-1' - 'sw1' )\n"
				   "SW  1719 10 0x00000000000000a1 4x EDR - CA   134  1 0x00000000000000b1 ( 'sw1' - 'n1 HCA-1' )\n"
				   "SW  1719 11 0x00000000000000a1 4x ???                                    'sw1'\n"
				   "SW  1719  1 0x00000000000000a1 4x EDR - SW  1516  2 0x00000000000000a2 ( 'sw1' - ' sw2 ' )\n"), OK));
	cr_expect(eq(uint, f->device_count, 3));
	cr_assert(eq(sz, f->cables.n, 2));
	cr_expect(cable_at("sw2", "2") != NULL);
	cr_expect(has_finding("unconnected"));
}

Test(infiniband, link_information_in_both_forms)
{
	cr_assert(eq(int, read_any("CA: n1 mlx4_0:\n      0x00000000000000b1      9    1[  ] ==( 4X  10.0 Gbps Active/  LinkUp)==>       2   16[  ] \"Infiniscale-IV Mellanox Technologies\" ( )\n"
				   "Switch: 0x00000000000000a1 Infiniscale-IV Mellanox Technologies:\n"
				   "           2    1[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
				   "           2   16[  ] ==( 4X  10.0 Gbps Active/  LinkUp)==>       9    1[  ] \"n1 mlx4_0\" ( )\n"), OK));
	cr_expect(eq(uint, f->device_count, 2));
	cr_assert(eq(sz, f->cables.n, 1));
	cr_expect(eq(u64, f->cables.at[0].rate, 40000000000u));
	cr_assert(eq(int, read_any("0x00000000000000b1 \"   n1 HCA-1\"    612    1[  ] ==( 4X  106.25 Gbps Active/  LinkUp)==>  0x00000000000000a1    496   20[  ] \"sw\" ( )\n"), OK));
	cr_assert(eq(sz, f->cables.n, 1));
	cr_expect(eq(u64, f->cables.at[0].rate, 400000000000u), "the speed is that of a lane");
	cr_expect(eq(uint, devices_of(CLASS_SWITCH), 1));
}

Test(infiniband, a_lonely_adapter_says_so)
{
	cr_assert(eq(int, read_any("# Topology file: generated on x\ncaguid=0xb1\nCa\t1 \"H-00000000000000b1\"\t\t# \"n1 HCA-1\"\n"), OK));
	cr_expect(has_finding("no-switch"));
}

/* Every beginning of a file is read or refused, and leaves a sound fabric. */
Test(infiniband, survives_every_prefix)
{
	for (size_t n = 0; n < sizeof pair; n++) {
		char *cut = mem_strndup(pair, n);

		for (size_t i = 0; i < io_format_count; i++) {
			struct source s = {.name = "cut", .text = cut, .size = n};
			struct io_options o = {0};

			finish();
			if (io_formats[i].read && io_formats[i].read(&s, &o, &d, &f) == OK)
				cr_expect(fabric_broken(f) == NULL);
		}
		free(cut);
	}
}

/* ---- facts of real files ------------------------------------------------------------------------ */

#define SAMPLES "../shared/samples/cluster/"

static bool open_sample(const char *name)
{
	struct io_options o = {0};
	char *path = mem_printf(SAMPLES "%s", name);
	FILE *there = fopen(path, "r");

	finish();
	if (there) {
		fclose(there);
		cr_assert(eq(int, io_open(path, &o, &d, &f), OK), "%s", path);
		cr_assert(fabric_broken(f) == NULL, "%s", fabric_broken(f));
	}
	free(path);
	return there != NULL;
}

static size_t findings_of(const char *code, const char *word)
{
	struct findings all = {0};
	size_t n = 0;

	lint_run(f, NULL, &all);
	for (size_t i = 0; i < all.list.n; i++)
		n += !strcmp(all.list.at[i].code, code) && all.list.at[i].device != NONE && strstr(all.list.at[i].text, word);
	findings_free(&all);
	return n;
}

Test(infiniband, facts_of_real_files)
{
	static const struct {
		const char *name;
		uint32_t switches, adapters, aggregation;
		size_t links, loops, disagreeing;
	} facts[] = {
		{"ibnetdiscover/ca-no-links.out", 0, 1, 0, 0, 0, 0},
		{"ibnetdiscover/edr-2to1-one-ddr-link.out", 6, 96, 0, 144, 0, 0},
		{"ibnetdiscover/edr-4switch-ring-missing-lid.out", 4, 8, 4, 16, 0, 0},
		{"ibnetdiscover/edr-4switch-ring.out", 4, 4, 4, 12, 0, 0},
		{"ibnetdiscover/edr-loopback-stderr-line.out", 2, 6, 0, 10, 3, 0},
		{"ibnetdiscover/hdr-dgx-bom-prompt.out", 206, 1130, 206, 3572, 0, 0},
		{"ibnetdiscover/hdr-director-puttylog.out", 400, 2328, 0, 8723, 0, 0},
		{"ibnetdiscover/hdr-spine-missing-speed.out", 6, 1, 0, 5, 0, 0},
		{"ibnetdiscover/hdr-superpod-compute.out", 666, 3675, 666, 12852, 0, 0},
		{"ibnetdiscover/man-isr9024-asymmetric-width.out", 2, 4, 0, 7, 0, 2},
		{"ibnetdiscover/ndr-gb200-2rack.out", 40, 542, 40, 1114, 0, 0},
		{"ibnetdiscover/qdr-1host-no-blank.out", 1, 1, 0, 1, 0, 0},
		{"ibnetdiscover/qdr-single-switch-spaces.out", 1, 5, 0, 5, 0, 0},
		{"ibnetdiscover/sdr-8port-2hosts.out", 1, 2, 0, 2, 0, 0},
		{"ibsim/hk-4switch-credit-loop.net", 4, 3, 4, 11, 0, 0},
		{"ibsim/ibsim-net-1.net", 1, 2, 0, 2, 0, 0},
		{"ibsim/ibsim-net-2sw2path.net", 2, 2, 0, 4, 0, 0},
		{"ibsim/ibsim-net-2sw2path4hca.net", 2, 4, 0, 6, 0, 0},
		{"ibsim/ibsim-net-2sw2path4hca2port.net", 2, 2, 0, 6, 0, 0},
		{"ibsim/ibsim-net.net", 2, 2, 0, 4, 0, 0},
		{"ibnetdiscover-ports/edr-3hosts.ports", 4, 3, 0, 4, 0, 0},
		{"ibnetdiscover-ports/unquoted-desc.ports", 1, 0, 0, 0, 0, 0},
		{"iblinkinfo/qdr-5hosts.txt", 1, 5, 0, 5, 0, 0},
		{"iblinkinfo/linemode-edr.txt", 1, 2, 0, 2, 0, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		size_t disagreeing = 0;

		if (!open_sample(facts[i].name))
			cr_skip_test("the samples are not here");
		for (size_t c = 0; c < f->cables.n; c++)
			disagreeing += (f->cables.at[c].flags & FLAG_DISAGREE) != 0;
		cr_expect(eq(uint, devices_of(CLASS_SWITCH), facts[i].switches), "%s", facts[i].name);
		cr_expect(eq(uint, devices_of(CLASS_NIC), facts[i].adapters), "%s", facts[i].name);
		cr_expect(eq(uint, devices_of(CLASS_IO), facts[i].aggregation), "%s", facts[i].name);
		cr_expect(eq(sz, f->cables.n, facts[i].links), "%s", facts[i].name);
		cr_expect(eq(sz, f->loops.n, facts[i].loops), "%s", facts[i].name);
		cr_expect(eq(sz, disagreeing, facts[i].disagreeing), "%s", facts[i].name);
	}
}

Test(infiniband, leaf_to_spine_cables_of_a_real_fabric)
{
	size_t between = 0;

	if (!open_sample("ibnetdiscover/ndr-gb200-2rack.out"))
		cr_skip_test("the samples are not here");
	for (size_t c = 0; c < f->cables.n; c++)
		between += device_class(f, f->cables.at[c].a) == CLASS_SWITCH && device_class(f, f->cables.at[c].b) == CLASS_SWITCH;
	cr_expect(eq(sz, between, 532));
}

Test(infiniband, lint_names_what_is_missing_and_what_is_slow)
{
	if (!open_sample("ibnetdiscover/hdr-superpod-compute.out"))
		cr_skip_test("the samples are not here");
	cr_expect(eq(sz, findings_of("uplinks-missing", "its siblings have 20: 1 missing"), 13));
	cr_assert(open_sample("ibnetdiscover/hdr-dgx-bom-prompt.out"));
	cr_expect(eq(sz, findings_of("uplinks-missing", "lf"), 3));
	cr_assert(open_sample("ibnetdiscover/edr-2to1-one-ddr-link.out"));
	cr_expect(eq(sz, findings_of("slow-cable", "S-ec0d9a0300ec8200 port 11 -- S-ec0d9a0300ec8480 port 11: 20 Gb/s"), 1));
}
