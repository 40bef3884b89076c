/* fabric: the model. Devices are vertices and trunks edges of one igraph graph; all else stands in plain
 * arrays indexed by the same ids. Life: fabric_new, fabric_add_*, fabric_freeze, then const for ever;
 * what-if is an overlay beside it, never a change of it.
 *
 * Rates are bits per second of one direction of one link. Lengths are micrometres. UNKNOWN and NONE
 * mean "the file does not say".
 */
#ifndef TOPONAUT_FABRIC_H
#define TOPONAUT_FABRIC_H

#include "toponaut/base.h"

enum device_class {
	CLASS_GPU, /* any accelerator */
	CLASS_SWITCH,
	CLASS_CPU,
	CLASS_NIC,
	CLASS_DIE,
	CLASS_IO,
	CLASS_MEMORY,
	CLASS_HOST,
	CLASS_PASSIVE, /* carries links through (an OCS); no vertex of a capacity graph */
	CLASS_COUNT,
	CLASS_NONE = CLASS_COUNT
};

enum module_kind {
	MODULE_PACKAGE,
	MODULE_BOARD,
	MODULE_TRAY,
	MODULE_CHASSIS,
	MODULE_RACK,
	MODULE_POD,
	MODULE_ROW,
	MODULE_HALL,
	MODULE_HOST,
	MODULE_GROUP,
	MODULE_KIND_COUNT
};

enum link_use { USE_FABRIC, USE_LOCAL, USE_ATTACH, USE_COUNT };

extern const char *const class_names[CLASS_COUNT];
extern const char *const module_kind_names[MODULE_KIND_COUNT];
extern const char *const use_names[USE_COUNT];

/* All names are ids of fabric.names; their texts are labels (they passed the gate). */
typedef uint32_t name_id;

struct port_budget {
	name_id port; /* port kind */
	uint32_t count;
};

struct device_type {
	name_id name;
	enum device_class class;
	bool relay;       /* forwards others' traffic although it is an endpoint */
	bool ports_known; /* then an unlisted port kind has none */
	uint32_t first_port, port_count; /* slice of fabric.budgets */
	uint64_t memory_bytes, latency_ps, power_mw; /* or UNKNOWN */
	uint64_t width_um, height_um;                /* or UNKNOWN */
	uint32_t first_compute, compute_count;       /* slice of fabric.computes */
	struct mark mark;
};

struct compute {
	name_id format; /* fp8 … */
	uint64_t flops;
};

struct medium {
	name_id name;
	uint64_t reach_um, energy_fj, density_bps_mm, latency_ps_m; /* or UNKNOWN */
	name_id source; /* provenance text, or NONE */
	bool model_default; /* not published: a default of ours, marked (m) */
	bool optical;       /* a link has a transceiver at each end */
	struct mark mark;
};

struct link_kind {
	name_id name;
	enum link_use use;
	uint64_t rate;     /* payload of one link, or UNKNOWN */
	uint64_t raw_rate; /* signalling, or UNKNOWN */
	bool rate_assumed; /* by --rate or --gpu, not by the file */
	uint32_t medium;   /* id or NONE */
	uint64_t length_um, latency_ps, energy_fj, lanes, lane_rate;
	uint64_t density_bps_mm, shoreline_um; /* a die edge of its own, or UNKNOWN */
	name_id port;   /* the port kind a link occupies */
	uint32_t takes; /* port units of one link */
	uint64_t links; /* of all trunks, without loops; UNKNOWN when one has no count. Known when frozen */
	struct mark mark;
};

enum element_flag {
	FLAG_INFERRED = 1,   /* not in the file: concluded from it */
	FLAG_INCOMPLETE = 2, /* the file was cut short here */
	FLAG_ASSUMED = 4,    /* a quantity was supplied by an option */
	FLAG_DISAGREE = 8,   /* the two ends of the trunk say different rates; the slower one counts */
	FLAG_EXTERNAL = 16   /* outside of what the file describes (a switch in another tray) */
};

/* Where something stands: racks give units, packages micrometres. */
struct place {
	uint32_t unit, units; /* lowest rack unit (1 …) and height in units; NONE and 0 without */
	uint64_t x_um, y_um;  /* lower-left corner; UNKNOWN without */
	uint16_t rotate;      /* 0 90 180 270 */
};

struct module {
	name_id name;  /* "compute3"; NONE for the root */
	name_id type;  /* name of its definition, or NONE */
	enum module_kind kind;
	enum device_class class; /* CLASS_NONE, or: seen from above it is one endpoint of this class */
	uint32_t parent;         /* NONE for the root */
	uint32_t end;            /* modules parent+1 … end-1 in pre-order lie inside (set by freeze) */
	uint32_t first_device, end_device; /* devices inside, at any depth (set by freeze) */
	uint8_t flags;           /* enum element_flag */
	uint64_t height_units; /* racks: units they offer; trays: units they take; or UNKNOWN */
	uint64_t width_um, height_um; /* packages; or UNKNOWN */
	uint64_t pitch_um;            /* rows and halls: distance of racks, or UNKNOWN */
	uint32_t medium;              /* substrate of a package, or NONE */
	struct place place;           /* in the parent */
	struct mark mark;
};

#define NO_LABEL INT32_MIN /* no rail, no plane */

struct trunk {
	uint32_t a, b;  /* devices, a < b after freeze */
	uint32_t kind;  /* link kind */
	uint32_t count; /* links; NONE when the file does not say */
	uint64_t rate;  /* of one link; normally the kind's; or UNKNOWN */
	uint64_t length_um; /* or UNKNOWN; normally the kind's */
	int32_t rail, plane; /* or NO_LABEL */
	uint32_t via;   /* passive device that it runs through, or NONE */
	uint8_t flags;
	uint32_t origin; /* index into fabric.origins (the wiring rule or line), or NONE */
};

/* One cable as a file lists it, with the ports at its ends; trunks are sums of them. Descriptions have none. */
struct cable {
	uint32_t a, b;          /* devices; a == b for a loop */
	name_id port_a, port_b; /* "17", or NONE */
	uint32_t kind;
	uint64_t rate; /* or UNKNOWN */
	uint8_t flags; /* enum element_flag */
	uint32_t origin; /* or NONE */
};

/* What a device is called by the things that the file describes, besides its path: both serve to find it again. */
struct identity {
	uint32_t device;
	uint64_t guid;  /* or UNKNOWN */
	name_id label;  /* "node7 mlx5_0", or NONE */
};

/* What made trunks: a wiring rule or a line of an imported file. */
struct origin {
	struct mark mark;
	const char *text; /* "in rack `nvl72`, wiring rule 1" */
};

struct parameter {
	const char *name, *value, *default_value; /* as text */
	bool is_integer;
};
struct named_selection {
	const char *name, *selection;
	struct mark mark;
};
/* One change of a what-if. Exactly one of selection and (end_a, end_b) is set. */
struct fault {
	enum { FAULT_REMOVE, FAULT_DERATE } action;
	const char *selection;
	const char *end_a, *end_b; /* selections; all trunks between them */
	uint32_t links;            /* links of each trunk, NONE for all */
	uint32_t keep_ppm;         /* derate: what is left, parts per million */
	struct mark mark;
};
enum expect_op { EXPECT_IS, EXPECT_ATLEAST, EXPECT_ATMOST };
struct expectation {
	const char *analysis, *field;    /* field NULL: the analysis' main value */
	const char *operands[2];         /* selections; [1] NULL when one */
	enum expect_op op;
	const char *value;               /* as written, ${} resolved */
	const char *within;              /* "0.5 %", or NULL */
	const char *over, *unit, *endpoints, *transit, *relay, *fail, *derate; /* or NULL */
	struct mark mark;
};
/* What the loader or the linter has to say about the design (DESIGN 9, `warnings`). */
struct finding {
	enum level level;
	const char *code; /* "ports-unused" */
	const char *text, *hint;
	struct mark mark;
	uint32_t device, trunk; /* what it is about, or NONE */
};

struct fabric {
	struct arena arena; /* all texts below */
	struct strtab names;
	const char *source_name; /* what the user opened */
	const char *title, *description, *status;
	VEC(const char *) provenance;   /* `sources` */
	VEC(const char *) files;        /* files read, for reloading */
	VEC(struct parameter) parameters;
	VEC(struct named_selection) groups;
	VEC(struct fault) faults;
	VEC(struct expectation) expectations;
	VEC(struct finding) findings;
	VEC(struct origin) origins;

	VEC(struct device_type) types;
	VEC(struct port_budget) budgets;
	VEC(struct compute) computes;
	VEC(struct medium) media;
	VEC(struct link_kind) kinds;
	VEC(struct module) modules; /* pre-order; 0 is the root */

	/* devices, indexed by igraph vertex id; those of a module are one range */
	uint32_t device_count;
	uint32_t *type, *module;
	name_id *name;
	uint8_t *flags;
	int32_t *rail, *plane; /* the label all its labelled trunks agree on, or NO_LABEL (set by freeze) */
	struct place *place;

	/* trunks, indexed by igraph edge id */
	uint32_t trunk_count;
	struct trunk *trunks;
	VEC(struct trunk) loops; /* self-loop cables: counted, no edges */
	VEC(struct cable) cables;        /* in file order; empty where the file lists none */
	VEC(struct identity) identities; /* by device, where known */

	/* trunks at each device: incident[incident_at[d] … incident_at[d+1]-1], by trunk id (set by freeze) */
	uint32_t *incident_at, *incident;
	struct ig *graph; /* the igraph graph, opaque outside of fabric and analyze */
	struct keymap children; /* (module, name) -> child, private to find.c */
	struct builder *builder; /* until freeze; private to build.c */
};

/* ---- building -------------------------------------------------------------------------------- */

struct fabric *fabric_new(const char *source_name); /* returns owned, with a root module (id 0, kind group) */
void fabric_free(struct fabric *f);

name_id fabric_name(struct fabric *f, const char *bytes, size_t n); /* gates and interns */
const char *fabric_text(struct fabric *f, const char *bytes, size_t n); /* gates, lives with the fabric */
/* All unset optional fields of the structs are prepared by these: */
struct device_type device_type_default(void);
struct link_kind link_kind_default(void);
struct medium medium_default(void);
struct module module_default(void);
struct trunk trunk_default(void);

uint32_t fabric_add_type(struct fabric *f, const struct device_type *t);
uint32_t fabric_add_kind(struct fabric *f, const struct link_kind *k);
uint32_t fabric_add_medium(struct fabric *f, const struct medium *m);
/* The parent must exist. Order of calls is the order of display. Ids are provisional until freeze, which
 * puts modules and devices into pre-order; a builder that adds depth-first keeps its ids. */
uint32_t fabric_add_module(struct fabric *f, const struct module *m);
uint32_t fabric_add_device(struct fabric *f, uint32_t type, uint32_t module, name_id name, uint8_t flags,
			   const struct place *place /* or NULL */);
/* A trunk from a device to itself goes to loops. Several trunks of one kind between one pair, with equal
 * rate, labels and via, become one by freeze; their counts add. */
void fabric_add_trunk(struct fabric *f, const struct trunk *t);
/* Beside trunks, not instead of them. */
void fabric_add_cable(struct fabric *f, const struct cable *c);
void fabric_add_identity(struct fabric *f, const struct identity *i);
uint32_t fabric_add_origin(struct fabric *f, struct mark mark, const char *text);
void fabric_add_finding(struct fabric *f, const struct finding *x); /* texts are copied and gated */
/* Orders, merges, indexes, builds the igraph graph. Afterwards the fabric is const. O(n log n). */
MUST_CHECK enum status fabric_freeze(struct fabric *f, struct diag *d);
/* Re-checks every invariant; NULL when all hold, else what is broken (static text). O(n). */
const char *fabric_broken(const struct fabric *f);

/* ---- reading ---------------------------------------------------------------------------------- */

const char *fabric_str(const struct fabric *f, name_id id); /* "" for NONE */
enum device_class device_class(const struct fabric *f, uint32_t device);
const char *device_name(const struct fabric *f, uint32_t device);
/* One component of a path, quoted where the selection language needs it (operators, blanks, slashes, "--").
 * '…' with \\ before a quote or a backslash. */
void path_put_name(struct strbuf *b, const char *name);
/* "compute0/gpu0", components written by path_put_name. Appends to b. */
void device_path(const struct fabric *f, uint32_t device, struct strbuf *b);
void module_path(const struct fabric *f, uint32_t module, struct strbuf *b); /* "" for the root */
bool module_contains(const struct fabric *f, uint32_t module, uint32_t device);
/* Child of a module by name: a module, or a device when is_device; false when absent. O(1) expected. */
bool module_child(const struct fabric *f, uint32_t module, name_id name, uint32_t *id, bool *is_device);
/* The nearest enclosing module of a kind, or NONE. O(depth). */
uint32_t device_ancestor(const struct fabric *f, uint32_t device, enum module_kind kind);
uint32_t trunk_other(const struct fabric *f, uint32_t trunk, uint32_t device);
uint32_t fabric_kind(const struct fabric *f, const char *name); /* id of a link kind, or NONE */

/* The members of a module in display order: modules and direct devices as they were added.
 *   struct member m = {0}; while (module_next(f, id, &m)) … m.is_device, m.id */
struct member {
	bool is_device;
	uint32_t id;
	uint32_t next_module, next_device; /* private */
	bool started;
};
bool module_next(const struct fabric *f, uint32_t module, struct member *m);

/* ---- what-if ------------------------------------------------------------------------------------ */

/* Failed devices, missing links, derated trunks. Arrays are NULL until first needed. */
struct overlay {
	struct idset failed;   /* devices */
	uint32_t *lost;        /* per trunk: links missing (NONE: all) */
	uint32_t *keep_ppm;    /* per trunk: rate left; 1000000 is all */
};

struct overlay overlay_new(const struct fabric *f);          /* nothing changed */
struct overlay overlay_copy(const struct fabric *f, const struct overlay *o);
void overlay_free(struct overlay *o);
bool overlay_is_empty(const struct fabric *f, const struct overlay *o);
void overlay_fail_device(const struct fabric *f, struct overlay *o, uint32_t device);
void overlay_fail_links(const struct fabric *f, struct overlay *o, uint32_t trunk, uint32_t links /* NONE all */);
void overlay_derate(const struct fabric *f, struct overlay *o, uint32_t trunk, uint32_t keep_ppm);

/* With o NULL, the fabric as drawn. A trunk with a failed end or a failed via has no links. */
uint32_t trunk_links(const struct fabric *f, const struct overlay *o, uint32_t trunk); /* NONE when unknown */
uint64_t trunk_link_rate(const struct fabric *f, const struct overlay *o, uint32_t trunk); /* or UNKNOWN */
uint64_t trunk_capacity(const struct fabric *f, const struct overlay *o, uint32_t trunk);  /* all links */

/* ---- projection: what counts, as a capacitated graph (DESIGN 6) ------------------------------------- */

struct projection_options {
	const struct idset *selection; /* devices, or NULL for all */
	const struct idset *over;      /* link kinds, or NULL: those with use fabric, and attach hops */
	enum device_class endpoints;   /* CLASS_NONE: by the rule of DESIGN 6 */
	int unit;                      /* module kind to balance, or -1 */
	bool transit_selected;         /* keep only the selected devices */
	bool relay;                    /* endpoints forward others' traffic */
	bool keep_nics;                /* every NIC a vertex of its own: paths count each hop */
};

/* Vertices are devices, or whole modules where those are one endpoint. Parallel trunks are merged. */
struct network {
	uint32_t vertex_count, edge_count;
	uint32_t *weight;        /* endpoints in the vertex: 0 for what is no endpoint */
	bool *forwards;          /* may carry others' traffic */
	bool *nic;               /* a NIC as a vertex of its own: it forwards for its endpoint only */
	uint64_t *injection;     /* bit/s (or links) of counted capacity at an endpoint, after the attach rule */
	uint32_t *device;        /* a device of the vertex */
	uint32_t *vertex_of;     /* device -> vertex or NONE; fabric.device_count entries */
	uint32_t *u, *v;         /* edge ends, u < v */
	uint64_t *capacity;      /* bit/s, or links when in_links */
	uint32_t *links;         /* NONE when unknown */
	uint32_t *at, *edge;     /* edges at each vertex: edge[at[x] … at[x+1]-1] */
	uint32_t *edge_of;       /* trunk -> edge or NONE; fabric.trunk_count entries */
	uint32_t endpoint_count; /* vertices of weight > 0 (units with --unit) */
	uint32_t stranded;       /* of those without capacity */
	enum device_class endpoint_class;
	struct idset kinds;      /* link kinds that counted */
	bool in_links;           /* rates unknown: capacities are numbers of links */
	const char *unknown;     /* why no capacity follows (static text), or NULL */
};

/* Builds it; never fails (see network.unknown). O(devices + trunks log trunks). */
struct network network_build(const struct fabric *f, const struct overlay *o, const struct projection_options *p);
void network_free(struct network *n);
uint32_t network_other(const struct network *n, uint32_t edge, uint32_t vertex);

#endif
