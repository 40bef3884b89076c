/* What is written is read again as the same: dumps as descriptions, lists of cables, subnets for the simulator. */
#include "dump.h"

TestSuite(round_trip, .fini = finish);

static const char subnet[] =
	"switchguid=0xa1(a1)\nSwitch\t8 \"S-00000000000000a1\"\t\t# \"MF0;leaf 1:MQM8700/U1\" lid 1\n"
	"[1]\t\"H-00000000000000b1\"[1](b1)\t# \"n1 mlx5_0\" lid 3 4xHDR\n[2]\t\"H-00000000000000b2\"[1](b2)\t# \"n2 mlx5_0\" lid 4 4xHDR\n"
	"[7]\t\"S-00000000000000a2\"[5]\t# \"MF0;dir:MCS8500/L02/U1\" lid 2 4xEDR\n[8]\t\"S-00000000000000a2\"[6]\t# \"MF0;dir:MCS8500/L02/U1\" lid 2 2xHDR\n\n"
	"switchguid=0xa2(a2)\nSwitch\t8 \"S-00000000000000a2\"\t\t# \"MF0;dir:MCS8500/L02/U1\" lid 2\n"
	"[1]\t\"H-00000000000000b3\"[1](b3)\t# \"n1 mlx5_1\" lid 5 4xHDR\n[2]\t\"H-00000000000000b4\"[1](b4)\t# \"n2 mlx5_1\" lid 6 4xHDR\n"
	"[3]\t\"S-00000000000000a2\"[4]\t# \"x\" lid 2 4xHDR\n\n";

static const char *const texts[] = {
	subnet,
	"\tGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV2\tNV1\tPIX\t0-7\t0\nGPU1\tNV2\t X \tSYS\tSYS\t0-7\t0\nGPU2\tNV1\tSYS\t X \tSYS\t8-15\t1\n"
	"NIC0\tPIX\tSYS\tSYS\t X \n",
	"\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n",
	"rack #,U height,StartDevice,StartPort,StartDeviceLocation,EndDevice,EndPort,EndDeviceLocation,U height,Speed\n"
	"R1,U3,Server 1 IB Port 1,IB Port 1,U3,sw1,Port 1,R9,U40,200000\nR1,U3,Server 1 IB Port 2,IB Port 2,U3,sw1,Port 2,R9,U40,200000\n"
	"R2,U3,Server 1 IB Port 1,IB Port 1,U3,sw1,Port 3,R9,U40,100000\n",
	"a:1 b:2 100G\nb:2 c:1 100G\nc:2 a:3 40G\na:9 a:10 100G\n",
	"<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:02:00.0\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">"
	"<gpu dev=\"0\" sm=\"90\" rank=\"0\"><nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/></gpu></pci></cpu></system>",
};

static bool same_path(const struct fabric *a, const struct fabric *b, uint32_t i)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
	bool same;

	device_path(a, i, &x);
	device_path(b, i, &y);
	same = !strcmp(strbuf_str(&x), strbuf_str(&y));
	if (!same)
		cr_log_error("%s is now %s", strbuf_str(&x), strbuf_str(&y));
	strbuf_free(&x);
	strbuf_free(&y);
	return same;
}

static bool same_trunk(const struct trunk *a, const struct trunk *b)
{
	return a->a == b->a && a->b == b->b && a->count == b->count && a->rate == b->rate && a->rail == b->rail &&
	       (a->flags & (FLAG_INFERRED | FLAG_INCOMPLETE)) == (b->flags & (FLAG_INFERRED | FLAG_INCOMPLETE));
}

static void compare_models(const struct fabric *a, const struct fabric *b, const char *what)
{
	cr_assert(eq(uint, a->device_count, b->device_count), "%s", what);
	cr_assert(eq(uint, a->trunk_count, b->trunk_count), "%s", what);
	cr_assert(eq(sz, a->modules.n, b->modules.n), "%s", what);
	cr_expect(eq(sz, b->loops.n, 0), "%s", what);
	for (uint32_t i = 0; i < a->device_count; i++) {
		cr_expect(same_path(a, b, i), "%s", what);
		cr_expect(eq(int, device_class(a, i), device_class(b, i)), "%s", what);
		cr_expect(eq(uint, a->flags[i], b->flags[i]), "%s", what);
		cr_expect(eq(uint, a->place[i].unit, b->place[i].unit), "%s: %u", what, i);
	}
	for (size_t i = 1; i < a->modules.n; i++) {
		cr_expect(eq(int, a->modules.at[i].kind, b->modules.at[i].kind), "%s", what);
		cr_expect(eq(uint, a->modules.at[i].place.unit, b->modules.at[i].place.unit), "%s", what);
	}
	for (uint32_t t = 0; t < a->trunk_count; t++) {
		cr_expect(same_trunk(&a->trunks[t], &b->trunks[t]), "%s: trunk %u", what, t);
		cr_expect(eq(int, a->kinds.at[a->trunks[t].kind].use, b->kinds.at[b->trunks[t].kind].use), "%s", what);
	}
}

/* Writes f as a format and reads that into f; what was before is returned. */
static struct fabric *there_and_back(const char *format, char **said)
{
	struct fabric *before = f;
	struct strbuf b = STRBUF_INIT, words = STRBUF_INIT;
	struct diag noted = {0};

	cr_assert(eq(int, io_format_find(format)->write(f, NULL, &noted, &b), OK));
	f = NULL;
	cr_assert(eq(int, read_any(strbuf_str(&b)), OK), "%s", strbuf_str(&b));
	diag_put(&words, &noted, false);
	*said = mem_strdup(strbuf_str(&words));
	strbuf_free(&words);
	diag_free(&noted);
	strbuf_free(&b);
	return before;
}

Test(round_trip, a_dump_as_a_description)
{
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct fabric *before;
		char *said;

		cr_assert(eq(int, read_any(texts[i]), OK), "%s", texts[i]);
		before = there_and_back("yaml", &said);
		compare_models(before, f, texts[i]);
		cr_expect(eq(int, strstr(said, "the ports of") != NULL, before->cables.n > 0), "what is lost is said: %s", said);
		cr_expect(eq(int, strstr(said, "to itself") != NULL, before->loops.n > 0), "%s", said);
		free(said);
		fabric_free(before);
	}
}

static const struct cable *same_cable(const struct fabric *other, const struct cable *c)
{
	for (size_t i = 0; i < f->cables.n; i++) {
		const struct cable *x = &f->cables.at[i];

		if (same_path(other, f, c->a) && x->a == c->a && x->b == c->b && x->rate == c->rate &&
		    !strcmp(fabric_str(f, x->port_a), fabric_str(other, c->port_a)) &&
		    !strcmp(fabric_str(f, x->port_b), fabric_str(other, c->port_b)))
			return x;
	}
	return NULL;
}

/* Devices may stand in another order: by path. */
static void compare_cables(const struct fabric *before, const char *what)
{
	json_t *diff = diff_fabrics(f, &before, 1, &(struct diff_options){0});
	bool same = diff_is_empty(diff);

	cr_expect(same, "%s", what);
	cr_expect(eq(sz, f->cables.n, before->cables.n), "%s", what);
	cr_expect(eq(uint, f->device_count, before->device_count), "%s", what);
	cr_expect(eq(sz, f->modules.n, before->modules.n), "%s", what);
	json_decref(diff);
}

Test(round_trip, cables_as_a_table)
{
	static const size_t lists[] = {0, 3, 4};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		struct fabric *before;
		char *said;

		cr_assert(eq(int, read_any(texts[lists[i]]), OK));
		before = there_and_back("cable-table", &said);
		compare_cables(before, texts[lists[i]]);
		for (size_t k = 0; k < before->kinds.n; k++)
			cr_expect(ne(uint, fabric_kind(f, fabric_str(before, before->kinds.at[k].name)), NONE));
		free(said);
		fabric_free(before);
	}
}

Test(round_trip, cables_keep_their_ports)
{
	struct fabric *before;
	char *said;

	cr_assert(eq(int, read_any(texts[4]), OK));
	before = there_and_back("cable-table", &said);
	for (size_t i = 0; i < before->cables.n; i++)
		cr_expect(same_cable(before, &before->cables.at[i]) != NULL, "cable %zu", i);
	free(said);
	fabric_free(before);
}

Test(round_trip, a_subnet_for_the_simulator)
{
	struct fabric *before;
	char *said;

	cr_assert(eq(int, read_any(subnet), OK));
	before = there_and_back("ibsim", &said);
	compare_cables(before, "subnet");
	for (size_t i = 0; i < before->cables.n; i++)
		for (size_t k = 0; k < before->identities.n; k++)
			cr_expect(eq(u64, f->identities.at[k].guid, before->identities.at[k].guid));
	for (size_t k = 0; k < before->kinds.n; k++)
		cr_expect(ne(uint, fabric_kind(f, fabric_str(before, before->kinds.at[k].name)), NONE), "%s",
			  fabric_str(before, before->kinds.at[k].name));
	free(said);
	fabric_free(before);
}

Test(round_trip, what_is_no_cable_is_left_out_and_said)
{
	struct fabric *before;
	struct strbuf b = STRBUF_INIT;
	struct diag noted = {0};
	char *said;

	cr_assert(eq(int, read_any("a:1 b:1 100G\n"), OK));
	before = there_and_back("cable-table", &said);
	cr_expect(eq(str, said, ""));
	free(said);
	fabric_free(before);
	cr_assert(eq(int, read_any(texts[5]), OK));
	cr_assert(eq(int, io_format_find("cable-table")->write(f, NULL, &noted, &b), OK));
	cr_expect(eq(uint, noted.messages.n, 1));
	cr_expect(strstr(noted.messages.at[0].text, "1 links that are no cables") != NULL);
	diag_free(&noted);
	strbuf_free(&b);
}
