/* Topology files of NCCL and RCCL of our own making, and what is known of real ones where they lie beside the repository. */
#include "dump.h"

TestSuite(nccl, .fini = finish);

static enum status read_xml(const char *text)
{
	return read_text(nccl_read, text, NULL);
}

#define GPU(bus, dev, sm, links) \
	"<pci busid=\"" bus "\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"" dev "\" sm=\"" sm "\" rank=\"" dev "\">" links "</gpu></pci>"
#define NVLINK(target, count, class) "<nvlink target=\"" target "\" count=\"" count "\" tclass=\"" class "\"/>"

static const char switched[] =
	"<system version=\"1\"><cpu numaid=\"0\">"
	"<pci busid=\"0000:01:00.0\" class=\"0x060400\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">"
	GPU("0000:02:00.0", "0", "90", NVLINK("0000:f1:00.0", "10", "0x068000") NVLINK("0000:f2:00.0", "8", "0x068000"))
	"<pci busid=\"0000:03:00.0\" class=\"0x020700\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><nic><net name=\"mlx5_0\" dev=\"0\" speed=\"400000\"/><net name=\"mlx5_0\" dev=\"1\"/></nic></pci>"
	"</pci></cpu><cpu numaid=\"1\">"
	GPU("0000:82:00.0", "1", "90", NVLINK("0000:f2:00.0", "8", "0x068000") NVLINK("0000:f1:00.0", "10", "0x068000"))
	"<nic><net name=\"eth0\"/></nic></cpu></system>";

Test(nccl, switches_keep_their_targets)
{
	cr_assert(eq(int, read_xml(switched), OK));
	cr_expect(eq(u64, links(device("0000:f1:00.0"), "nvlink"), 20));
	cr_expect(eq(u64, links(device("0000:f2:00.0"), "nvlink"), 16));
	cr_expect(eq(u64, links(device("gpu0"), "nvlink"), 18));
	cr_expect(eq(u64, f->kinds.at[fabric_kind(f, "nvlink")].rate, 200000000000u), "payload by generation");
	cr_expect(eq(u64, links(device("mlx5_0"), "pcie"), 1), "two ports of one adapter");
	cr_expect(device("eth0") == NONE, "an adapter outside of PCIe");
}

Test(nccl, pcie_has_the_rate_behind_its_coding)
{
	cr_assert(eq(int, read_xml(switched), OK));
	uint32_t gpu = device("gpu0");
	for (uint32_t i = f->incident_at[gpu]; i < f->incident_at[gpu + 1]; i++)
		if (f->trunks[f->incident[i]].kind == fabric_kind(f, "pcie"))
			cr_expect(eq(u64, f->trunks[f->incident[i]].rate / 1000000000, 252), "x16 of gen 4 is 31.5 GB/s");
}

Test(nccl, links_between_gpus_count_once)
{
	cr_assert(eq(int, read_xml("<system version=\"1\"><cpu numaid=\"0\">"
		GPU("0000:02:00.0", "0", "80", NVLINK("0000:03:00.0", "4", "0x030200"))
		GPU("0000:03:00.0", "1", "80", NVLINK("0000:02:00.0", "3", "0x030200")) "</cpu></system>"), OK));
	cr_expect(eq(u64, links(device("gpu0"), "nvlink"), 3), "the lesser of two numbers that disagree");
	cr_expect(eq(int, (f->trunks[f->trunk_count - 1].flags & FLAG_DISAGREE) != 0, 1));
}

Test(nccl, an_unseen_remote_is_an_inferred_switch)
{
	cr_assert(eq(int, read_xml("<system version=\"1\"><cpu numaid=\"0\">"
		GPU("0000:02:00.0", "0", "100", NVLINK("fffffff:ffff:ff", "18", "0x068000"))
		GPU("0000:03:00.0", "1", "100", NVLINK("fffffff:ffff:ff", "18", "0x068000")) "</cpu></system>"), OK));
	uint32_t sw = device("nvswitch");
	cr_assert(ne(uint, sw, NONE));
	cr_expect(eq(uint, f->flags[sw], FLAG_INFERRED));
	cr_expect(eq(u64, links(sw, "nvlink"), 36));
	cr_expect(eq(u64, f->kinds.at[fabric_kind(f, "nvlink")].rate, 400000000000u));
}

Test(nccl, xgmi_has_no_rate)
{
	cr_assert(eq(int, read_xml("<system version=\"2\"><cpu numaid=\"0\">"
		GPU("0000:02:00.0", "0", "104", "<xgmi target=\"0000:03:00.0\" count=\"4\" tclass=\"0x038000\"/>")
		GPU("0000:03:00.0", "1", "104", "<xgmi target=\"0000:02:00.0\" count=\"4\" tclass=\"0x038000\"/>") "</cpu></system>"), OK));
	cr_expect(eq(u64, links(device("gpu0"), "xgmi"), 4));
	cr_expect(eq(u64, f->kinds.at[fabric_kind(f, "xgmi")].rate, UNKNOWN));
}

Test(nccl, hosts_may_have_equal_bus_ids)
{
	cr_assert(eq(int, read_xml("<system version=\"1\"><cpu host_hash=\"0x1\" numaid=\"0\">" GPU("0000:02:00.0", "0", "100", "")
		"</cpu><cpu host_hash=\"0x2\" numaid=\"0\">" GPU("0000:02:00.0", "0", "100", "") "</cpu></system>"), OK));
	cr_expect(eq(uint, f->device_count, 4));
}

Test(nccl, entities_are_refused)
{
	cr_expect(eq(int, read_xml("<!DOCTYPE system [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><system version=\"1\"><cpu numaid=\"&b;\"/></system>"), E_INPUT));
	cr_expect(eq(int, read_xml("<other/>"), E_INPUT));
}

Test(nccl, survives_every_prefix)
{
	read_prefixes(nccl_read, switched);
}
