/* hwloc's XML: a machine of our own making, synthetic ones of lstopo where it is installed, and what is known of real ones. */
#include "dump.h"

TestSuite(hwloc, .fini = finish);

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
	cr_assert(eq(int, read_text(hwloc_read, machine, NULL), OK));
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
	cr_assert(eq(int, read_text(hwloc_read, machine, NULL), OK));
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
	cr_assert(eq(int, read_text(hwloc_read, "<topology version=\"3.0\"><object type=\"Machine\"><object type=\"Package\"/></object></topology>", NULL), OK));
	cr_expect(has_finding("no-io"));
}

Test(hwloc, survives_every_prefix)
{
	read_prefixes(hwloc_read, machine);
}
