/* hwloc's XML: a machine of our own making, synthetic ones of lstopo where it is installed, and what is known of real ones. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"

static struct diag d;
static struct fabric *f;

static void finish(void)
{
	fabric_free(f);
	f = NULL;
	diag_free(&d);
}

TestSuite(hwloc, .fini = finish);

static enum status read_text(const char *text)
{
	struct source s = {.name = "machine.xml", .text = text, .size = strlen(text)};
	struct io_options o = {0};

	finish();
	enum status status = hwloc_read(&s, &o, &d, &f);
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

static const char machine[] =
	"<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\"><object type=\"Machine\" gp_index=\"1\">"
	"<object type=\"Package\" gp_index=\"2\"><object type=\"Bridge\" gp_index=\"3\" bridge_type=\"0-1\">"
	"<object type=\"Bridge\" gp_index=\"4\" bridge_type=\"1-1\" pci_busid=\"0000:01:00.0\" pci_link_speed=\"31.507692\">"
	"<object type=\"PCIDev\" gp_index=\"5\" pci_busid=\"0000:02:00.0\" pci_type=\"0302 [10de:20b0] [10de:134f] a1\" pci_link_speed=\"31.507692\">"
	"<object type=\"OSDev\" gp_index=\"6\" name=\"cuda0\" osdev_type=\"5\"/><object type=\"OSDev\" gp_index=\"7\" name=\"nvml0\" osdev_type=\"1\"/></object>"
	"<object type=\"PCIDev\" gp_index=\"8\" pci_busid=\"0000:03:00.0\" pci_type=\"0207 [15b3:101b] [15b3:0007] 00\" pci_link_speed=\"31.507692\">"
	"<object type=\"OSDev\" gp_index=\"9\" name=\"ib0\" osdev_type=\"2\"/><object type=\"OSDev\" gp_index=\"10\" name=\"mlx5_0\" osdev_type=\"3\"/></object>"
	"</object><object type=\"PCIDev\" gp_index=\"11\" pci_busid=\"0000:04:00.0\" pci_type=\"0300 [1a03:2000] [1458:1000] 30\"/></object></object>"
	"<object type=\"Package\" gp_index=\"12\"><object type=\"Bridge\" gp_index=\"13\" bridge_type=\"0-1\">"
	"<object type=\"PCIDev\" gp_index=\"14\" pci_busid=\"0000:82:00.0\" pci_type=\"0302 [10de:20b0] [10de:134f] a1\" pci_link_speed=\"15.753846\">"
	"<object type=\"OSDev\" gp_index=\"15\" name=\"nvml1\" osdev_type=\"1\"/></object></object></object></object>"
	"<distances2 type=\"OSDev\" nbobjs=\"2\" kind=\"9\" name=\"NVLinkBandwidth\" indexing=\"gp\"><indexes length=\"4\">7 15 </indexes>"
	"<u64values length=\"10\">1000000 300000 </u64values><u64values length=\"10\">300000 1000000 </u64values></distances2></topology>\n";

Test(hwloc, gpus_adapters_and_their_ways)
{
	cr_assert(eq(int, read_text(machine), OK));
	cr_expect(eq(uint, devices_of(CLASS_GPU), 2), "several OSDevs are one GPU, a console none");
	cr_expect(eq(uint, devices_of(CLASS_NIC), 1));
	cr_expect(eq(uint, devices_of(CLASS_IO), 1));
	cr_expect(eq(uint, devices_of(CLASS_CPU), 2));
	struct strbuf b = STRBUF_INIT;
	for (uint32_t i = 0; i < f->device_count; i++)
		if (device_class(f, i) == CLASS_NIC)
			device_path(f, i, &b);
	cr_expect(eq(str, b.text, "package0/mlx5_0"));
	strbuf_free(&b);
}

Test(hwloc, a_matrix_becomes_trunks)
{
	cr_assert(eq(int, read_text(machine), OK));
	uint32_t kind = fabric_kind(f, "nvlink"), n = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (f->trunks[t].kind == kind) {
			n++;
			cr_expect(eq(u64, f->trunks[t].rate, 2400000000000u), "300 GB/s");
		}
	cr_expect(eq(uint, n, 1));
}

Test(hwloc, nothing_of_io_is_said)
{
	cr_assert(eq(int, read_text("<topology version=\"3.0\"><object type=\"Machine\"><object type=\"Package\"/></object></topology>"), OK));
	cr_expect(has_finding("no-io"));
}

Test(hwloc, survives_every_prefix)
{
	for (size_t n = 0; n < sizeof machine; n++) {
		char *cut = mem_strndup(machine, n);

		read_text(cut);
		free(cut);
	}
}

Test(hwloc, facts_of_real_files)
{
	static const struct {
		const char *name;
		uint32_t gpus, switches;
	} facts[] = {
		{"dgx2-16v100-6+6nvswitch.xml", 16, 12}, {"power8-4p100-nvlink1.xml", 4, 0},
		{"lassen-power9-4v100-4mlx5.xml", 4, 0}, {"v1-sierra-power9-4v100-4mlx5.xml", 4, 0},
		{"v1-chimera-nvidia+amd.xml", 2, 0},     {"tioga-mi250x-8gcd-4cxi.xml", 8, 0},
		{"tuolumne-mi300a-spx-4apu.xml", 4, 0},  {"corona-8mi50-mlx5.xml", 8, 0},
		{"pascal-2p100-mlx5.xml", 2, 0},         {"aws-g4dn.metal-8t4.xml", 8, 0},
		{"dgx-spark-gb10-noio.xml", 0, 0},       {"devel09-pci.xml", 0, 0},
		{"em64t-2n8c-nvme-mic.xml", 0, 0},       {"cxlmem-dax-v3.xml", 0, 0},
		{"em64t-96-4n4d-nogpu-pci.xml", 0, 0},   {"intel-purley-64pu-7numa.xml", 0, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		struct io_options o = {0};
		char *path = mem_printf("../shared/samples/node/hwloc-xml/%s", facts[i].name);
		FILE *there = fopen(path, "r");

		if (!there) {
			free(path);
			cr_skip_test("the samples are not here");
		}
		fclose(there);
		finish();
		cr_assert(eq(int, io_open(path, &o, &d, &f), OK), "%s", path);
		free(path);
		cr_expect(eq(uint, devices_of(CLASS_GPU), facts[i].gpus), "%s", facts[i].name);
		cr_expect(eq(uint, devices_of(CLASS_SWITCH), facts[i].switches), "%s", facts[i].name);
	}
}
