/* A list of cables between its parsers (plan_csv.c) and its model (plan.c). */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include "io/io_internal.h"

struct text {
	const char *at;
	size_t n;
};

struct plan_node {
	const char *group, *board, *name; /* NULL parts are absent */
	const char *label;                /* what it is called as a whole */
	const char *module, *kinds;       /* a path instead of group and board, and what its modules are; or NULL */
	const char *rack, *row;           /* NULL where the plan does not say */
	uint32_t unit;                    /* of the rack; NONE unknown, or rows disagree */
	uint64_t guid;
	enum device_class class; /* CLASS_NONE: by its number of cables */
	bool inferred;           /* the class is */
	uint32_t cables, least_beside; /* of its own; the fewest of a neighbour */
	bool has_single, other_beside; /* a neighbour has one cable; a neighbour has no such neighbour */
};

struct plan_cable {
	uint32_t node[2];
	const char *port[2]; /* or NULL */
	const char *kind;    /* or NULL */
	uint64_t rate, length_um;
	uint32_t line;
};

struct plan {
	struct arena arena;
	const struct source *source;
	struct strtab names;                 /* of nodes: their labels without case, and "label@rack" */
	VEC(uint32_t) node_of;               /* by name */
	VEC(struct plan_node) nodes;
	VEC(struct plan_cable) cables;
	struct strtab seen, used;  /* cables; ports in use */
	VEC(uint32_t) used_line;
	size_t twice, skipped, reused, namesakes; /* namesakes: devices with the name of one in another rack */
	const char *namesake;
	uint32_t skipped_line, reused_line, reused_first;
	uint64_t default_rate;
};

/* One end as a plan writes it: "DCX11-IB1-A" and "Blade 16_Port 2/20", or a host and the description of its adapter. */
struct plan_end {
	struct text device, port;
	enum device_class class; /* CLASS_NONE when the plan does not say */
	uint64_t guid;
	struct text rack, row, unit;
	struct text module, kinds; /* a path and what its parts are, of lists that we wrote */
	bool has_module;    /* the list says where devices stand: names need not be taken apart */
};

struct text text_trim(struct text t);
bool text_is(struct text t, const char *word); /* without case */
struct plan_link {
	struct text kind; /* empty: by its rate */
	uint64_t rate, length_um;
	uint32_t line;
};

void plan_add(struct plan *p, const struct plan_end *a, const struct plan_end *b, const struct plan_link *link);
void plan_free(struct plan *p);
MUST_CHECK enum status plan_fabric(struct plan *p, const char *title, const struct io_options *o, struct diag *d,
				   struct fabric **out);

#endif
