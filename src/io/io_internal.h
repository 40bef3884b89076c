/* io, inside: the readers and writers behind the table, and what they share. */
#ifndef IO_INTERNAL_H
#define IO_INTERNAL_H

#include "toponaut/io.h"

enum { RECOGNISE_BYTES = 65536 };
#define LIMIT_BYTES (64u << 20)

/* What is known of a GPU model; links is how many NVLinks one has. */
struct gpu_model {
	const char *name;
	uint64_t link_rate; /* payload of one link, one direction, bit/s */
	uint32_t links;
};
const struct gpu_model *gpu_model_find(const char *name); /* NULL when unknown */
/* The most links that any known model has. */
uint32_t gpu_links_max(void);
const char *gpu_model_near(const char *name); /* nearest known word, or NULL */

/* `nvidia-smi topo -m` */
int smi_recognise(const struct source *s);
enum status smi_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
/* `nvidia-smi nvlink -s`, -R, -p */
int nvlink_recognise(const struct source *s);
enum status nvlink_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
/* `rocm-smi --showtopo`, `amd-smi topology` */
int rocm_recognise(const struct source *s);
enum status rocm_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
/* True for `nvidia-smi topo -p2p`, which looks alike and says nothing about wiring. */
bool smi_is_p2p(const struct source *s);

/* InfiniBand: `ibnetdiscover`, ibsim's .net, ibdiagnet's .lst; `ibnetdiscover -p`; `iblinkinfo` */
int ib_discover_recognise(const struct source *s);
enum status ib_discover_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
int ib_ports_recognise(const struct source *s);
enum status ib_ports_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
int ib_linkinfo_recognise(const struct source *s);
enum status ib_linkinfo_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);

/* Cable plans: tables with a header, Omni-Path's tables, lines "a:port b:port rate". */
int plan_table_recognise(const struct source *s);
enum status plan_table_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
int plan_opa_recognise(const struct source *s);
enum status plan_opa_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
int plan_hand_recognise(const struct source *s);
enum status plan_hand_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);

/* Topology files of NCCL and RCCL (XML) */
int nccl_recognise(const struct source *s);
enum status nccl_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
int nccl_graph_recognise(const struct source *s);
enum status nccl_graph_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);
/* Payload of one NVLink in one direction of a GPU with that compute capability, or UNKNOWN. */
uint64_t nccl_nvlink_rate(uint64_t sm);
/* `lstopo --of xml` */
int hwloc_recognise(const struct source *s);
enum status hwloc_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);

/* What a reader mended; the first three it need not look for. */
enum repair {
	REPAIR_BOM = 1,
	REPAIR_CR = 2,
	REPAIR_ESCAPES = 4,
	REPAIR_TABS = 8,
	REPAIR_WRAPPED = 16,
	REPAIR_GLUED = 32,
	REPAIR_SYMMETRY = 64,
	REPAIR_IDS = 128,
	REPAIR_END = 256
};
/* One finding "repaired" that names them; none when nothing was mended. */
void note_repairs(struct fabric *f, const struct source *s, unsigned own);

/* One cable from an adapter to a switch. */
struct rail_adapter {
	uint32_t host_size; /* adapters of its host */
	uint32_t place;     /* among them, in order of names: 0 … */
	uint32_t leaf;      /* the switch, any number below `leaves` */
};
/* Fills the rail of each leaf (or NO_LABEL); returns the number of rails, 0 when the cables show none. */
uint32_t rails_find(const struct rail_adapter *adapters, size_t n, int32_t *rail_of, uint32_t leaves);
void note_rails(struct fabric *f, uint32_t rails);

/* The reader that the content asks for, or --from. */
enum status choose_format(const struct source *s, const struct io_options *o, struct diag *d, const struct io_format **out);
/* Several outputs of one machine as one fabric (join.c). */
enum status join_read(const struct source *sources, size_t n, const struct io_options *o, struct diag *d, struct fabric **out);

enum status cables_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out);
enum status ibsim_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out);
enum status json_write(const struct fabric *f, const struct overlay *o, struct diag *d, struct strbuf *out);

#endif
