/* The table of formats. The first row is our own language. */
#include <string.h>

#include "io/io_internal.h"

static int yaml_recognise(const struct source *s)
{
	return describe_recognise(s) ? 100 : 0;
}

static enum status yaml_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	return describe_load(s, &o->describe, d, out);
}

/* The language describes designs: it has no words for single cables and their ports, none for GUIDs, and wires nothing to itself. */
static void note_not_held(const struct fabric *f, struct diag *d)
{
	size_t ports = 0, guids = 0;

	for (size_t i = 0; i < f->cables.n; i++)
		ports += f->cables.at[i].port_a != NONE || f->cables.at[i].port_b != NONE;
	for (size_t i = 0; i < f->identities.n; i++)
		guids += f->identities.at[i].guid != UNKNOWN;
	if (f->loops.n)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, NULL,
			 "a description cannot hold %zu cables that lead from a device to itself: they are left out", f->loops.n);
	if (ports || guids)
		diag_add(d, LEVEL_WARNING, (struct mark){0}, NULL, "-f cable-table keeps ports, -f ibsim keeps both",
			 "a description cannot hold the ports of %zu cables and the GUIDs of %zu devices: they are left out", ports, guids);
}

static enum status yaml_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out)
{
	note_not_held(f, d);
	describe_write(f, o, out);
	return OK;
}

const struct io_format io_formats[] = {
	{"yaml", "toponaut description, see toponaut(5)", yaml_recognise, yaml_read, yaml_write, ".yaml"},
	{"nvidia-smi-topo", "matrix of `nvidia-smi topo -m`", smi_recognise, smi_read, NULL, NULL},
	{"ibnetdiscover", "InfiniBand subnet: ibnetdiscover, ibsim .net, ibdiagnet .lst", ib_discover_recognise, ib_discover_read,
	 NULL, NULL},
	{"ibnetdiscover-p", "list of ports: ibnetdiscover -p", ib_ports_recognise, ib_ports_read, NULL, NULL},
	{"iblinkinfo", "links of an InfiniBand subnet: iblinkinfo, with or without -l", ib_linkinfo_recognise, ib_linkinfo_read,
	 NULL, NULL},
	{"cable-table", "cable plan with named columns: UFM NDT, SONiC, NetBox", plan_table_recognise, plan_table_read,
	 cables_write, ".csv"},
	{"opa-links", "links of an Omni-Path topology", plan_opa_recognise, plan_opa_read, NULL, NULL},
	{"cables", "lines `a:port b:port rate`", plan_hand_recognise, plan_hand_read, NULL, NULL},
	{"nccl-xml", "topology file of NCCL or RCCL", nccl_recognise, nccl_read, NULL, NULL},
	{"nccl-graph", "rings and trees that NCCL chose", nccl_graph_recognise, nccl_graph_read, NULL, NULL},
	{"hwloc-xml", "XML of hwloc: lstopo --of xml", hwloc_recognise, hwloc_read, NULL, NULL},
	{"nvidia-smi-nvlink", "links of `nvidia-smi nvlink -s`, -R or -p", nvlink_recognise, nvlink_read, NULL, NULL},
	{"rocm-smi", "tables of `rocm-smi --showtopo` or `amd-smi topology`", rocm_recognise, rocm_read, NULL, NULL},
	{"ibsim", "subnet for the simulator ibsim", NULL, NULL, ibsim_write, ".net"},
	{"json", "the fabric with all devices and trunks", NULL, NULL, json_write, ".json"},
};
const size_t io_format_count = ARRAY_LEN(io_formats);

const struct io_format *io_format_find(const char *name)
{
	for (size_t i = 0; i < io_format_count; i++)
		if (!strcmp(io_formats[i].name, name))
			return &io_formats[i];
	return NULL;
}
