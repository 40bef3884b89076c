/* InfiniBand subnets as tools print them and people paste them; small files of our own making, one per habit, and the
 * facts known of real ones where they lie beside the repository.
 */
#include "dump.h"
#include "io/ib_internal.h"

TestSuite(infiniband, .fini = finish);

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

Test(infiniband, survives_every_prefix)
{
	for (size_t i = 0; i < io_format_count; i++)
		if (io_formats[i].read)
			read_prefixes(io_formats[i].read, pair);
}

/* ---- facts of real files ------------------------------------------------------------------------ */

Test(infiniband, leaf_to_spine_cables_of_a_real_fabric)
{
	size_t between = 0;

	if (!open_sample("cluster/ibnetdiscover/ndr-gb200-2rack.out"))
		cr_skip_test("the samples are not here");
	for (size_t c = 0; c < f->cables.n; c++)
		between += device_class(f, f->cables.at[c].a) == CLASS_SWITCH && device_class(f, f->cables.at[c].b) == CLASS_SWITCH;
	cr_expect(eq(sz, between, 532));
}

Test(infiniband, lint_names_what_is_missing_and_what_is_slow)
{
	if (!open_sample("cluster/ibnetdiscover/hdr-superpod-compute.out"))
		cr_skip_test("the samples are not here");
	cr_expect(eq(sz, lint_count("uplinks-missing", "its siblings have 20: 1 missing", true), 13));
	cr_assert(open_sample("cluster/ibnetdiscover/hdr-dgx-bom-prompt.out"));
	cr_expect(eq(sz, lint_count("uplinks-missing", "lf", true), 3));
	cr_assert(open_sample("cluster/ibnetdiscover/edr-2to1-one-ddr-link.out"));
	cr_expect(eq(sz, lint_count("slow-cable", "S-ec0d9a0300ec8200 port 11 -- S-ec0d9a0300ec8480 port 11: 20 Gb/s", true), 1));
}

/* ---- broken lines ------------------------------------------------------------------------------ */

/* Lines of at most so many bytes, as a terminal breaks them. */
static char *broken(const char *text, size_t width, const char *line_break)
{
	struct strbuf b = STRBUF_INIT;

	for (size_t column = 0; *text; text++) {
		if (*text != '\n' && column == width) {
			strbuf_puts(&b, line_break);
			column = 0;
		}
		column = *text == '\n' ? 0 : column + 1;
		if (*text == '\n')
			strbuf_puts(&b, line_break);
		else
			strbuf_putc(&b, *text);
	}
	return b.text;
}

static const char port_list[] =
	"SW     1  1 0x00000000000000a1 4x HDR - CA     3  1 0x00000000000000b1 ( 'leaf1' - 'node1 mlx5_0' )\n"
	"SW     1  7 0x00000000000000a1 4x HDR - SW     2  7 0x00000000000000a2 ( 'leaf1' - 'leaf2' )\n"
	"SW     1  8 0x00000000000000a1 4x ??? ( 'leaf1' )\n"
	"SW     2  1 0x00000000000000a2 4x EDR - CA     4  1 0x00000000000000b2 ( 'leaf2' - 'node2 mlx5_0' )\n";

static const char link_list[] =
	"Switch: 0x00000000000000a1 leaf1:\n"
	"           1    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       3    1[  ] \"node1 mlx5_0\" ( )\n"
	"           1    7[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       2    7[  ] \"leaf2\" (Could be 12X )\n"
	"           1    8[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
	"Switch: 0x00000000000000a2 leaf2:\n"
	"           2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       4    1[  ] \"node2 mlx5_0\" ( )\n"
	"           2    7[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       1    7[  ] \"leaf1\" ( )\n";

static const char line_list[] =
	"0x00000000000000a1 \"               leaf1\"      1    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  "
	"0x00000000000000b1      3    1[  ] \"node1 mlx5_0\" ( )\n"
	"0x00000000000000a1 \"               leaf1\"      1    7[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  "
	"0x00000000000000a2      2    7[  ] \"leaf2\" ( )\n"
	"0x00000000000000a2 \"               leaf2\"      2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>  "
	"0x00000000000000b2      4    1[  ] \"node2 mlx5_0\" ( )\n";

Test(infiniband, lists_of_ports_survive_a_narrow_terminal)
{
	static const char *const lists[] = {port_list, link_list, line_list};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (size_t width = 50; width <= 160; width++) {
			char *text = broken(lists[i], width, width % 2 ? "\r\n" : "\n");
			uint64_t sum = 0;

			cr_assert(eq(int, read_any(text), OK), "list %zu at %zu", i, width);
			for (size_t c = 0; c < f->cables.n; c++)
				sum += f->cables.at[c].rate;
			cr_expect(eq(sz, f->cables.n, 3), "list %zu at %zu", i, width);
			cr_expect(eq(u64, sum, 500000000000u), "list %zu at %zu", i, width);
			cr_expect(eq(uint, f->device_count, 4), "list %zu at %zu", i, width);
			free(text);
		}
}

Test(infiniband, a_list_of_ports_that_is_cut_off_invents_nothing)
{
	for (size_t n = 1; n < sizeof port_list; n++) {
		char *cut = mem_strndup(port_list, n);

		if (read_text(ib_ports_read, cut, NULL) == OK)
			for (size_t i = 0; i < f->identities.n; i++) {
				uint64_t guid = f->identities.at[i].guid;

				cr_expect(guid == 0xa1 || guid == 0xa2 || guid == 0xb1 || guid == 0xb2, "at %zu: %llx", n,
					  (unsigned long long)guid);
			}
		free(cut);
	}
}
