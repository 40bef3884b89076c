/* Shared inside of describe. The way of a file: tree.c makes nodes of bytes, schema.c checks keys and shapes,
 * file.c collects files and their definitions, kinds.c reads links, devices and media, unit.c compiles a
 * module with its parameters into a unit (a template with local ids), join.c finds the pairs of its wiring
 * rules, expand.c stamps units into the fabric, claims.c reads groups, faults and expect.
 */
#ifndef DESCRIBE_INTERNAL_H
#define DESCRIBE_INTERNAL_H

#include "toponaut/describe.h"

/* ---- the tree ------------------------------------------------------------------------------------- */

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

/* A file of YAML: its text and where its lines begin. */
struct text {
	struct source source;
	uint32_t *lines; /* offset of each line as editors count them; owned */
	uint32_t line_count;
	uint32_t *breaks; /* the same as YAML does, which ends lines at CR, NEL, LS and PS too; owned */
	uint32_t break_count;
	bool ascii; /* then columns of libyaml (characters) are bytes */
};

struct node {
	uint8_t kind;
	bool quoted;           /* a scalar in quotes or a block */
	uint32_t line, column; /* from 1; bytes */
	uint32_t n;            /* bytes, or items (of a map: keys and values, twice its entries) */
	uint32_t weight;       /* nodes in it after aliases */
	const struct text *file;
	union {
		const char *text;
		struct node **items;
	};
};


/* Parses one document. NULL on error. Nodes live in the arena. */
enum status tree_parse(struct arena *a, struct text *t, const struct limits *limits, struct diag *d,
		       struct node **out);
void text_open(struct text *t, struct source s);
void text_close(struct text *t);
const struct node *map_get(const struct node *map, const char *key); /* NULL when absent */
bool node_is(const struct node *n, const char *text);

/* ---- the loader -------------------------------------------------------------------------------------- */

enum param_kind { PARAM_INTEGER, PARAM_QUANTITY, PARAM_WORD };

struct param {
	const char *name, *text, *default_text;
	enum param_kind kind;
	enum dimension dim; /* of a quantity */
	int64_t value;      /* of an integer */
	const struct node *node;
};

/* What names mean in a file, or in a module with its own parameters. */
struct scope {
	const struct scope *parent;
	VEC(struct param) params;
	bool has_index; /* `with` of a part: the instance's first index is known */
	int64_t index;
};

struct file {
	const char *root, *path; /* path is relative to root and has no ".." */
	const char *with;        /* canonical text of what was passed to it */
	struct text *text; /* marks point into it: lives with the fabric */
	const struct node *top;
	struct scope scope;
	bool open; /* being read: an include of it is a cycle */
};

enum table { TABLE_LINKS, TABLE_DEVICES, TABLE_MODULES, TABLE_MEDIA, TABLE_COUNT };

struct definition {
	const char *name;
	const struct node *key, *node;
	struct file *file;
	uint32_t id;   /* in the fabric once added, else NONE */
	uint32_t read; /* index of what kinds.c made of it */
	bool used;     /* a link: some wire is of this kind */
};

struct unit;

struct loader {
	struct arena arena; /* dies with the loading */
	struct fabric *f;
	struct diag *d;
	const struct describe_options *o;
	struct limits limits;
	uint64_t steps, bytes, nodes, trunks;
	enum status status;
	bool stop; /* going on would only repeat what was said */
	VEC(struct file *) files;
	VEC(struct definition *) tables[TABLE_COUNT];
	struct strtab names[TABLE_COUNT]; /* name -> index into the table */
	VEC(struct link_kind) links;
	VEC(struct device_type) devices;
	VEC(struct medium) media;
	bool media_asked, media_known; /* layouts/media.yaml was looked for, was found */
	VEC(const struct node *) misshapen; /* a list where a value belongs …: said once, by schema.c */
	VEC(const char *) trail;
	VEC(struct unit *) units;
	struct strtab unit_keys; /* definition and parameters -> index into units */
	unsigned depth;          /* of units on the way down */
};

/* An error at a node; offset and length point into its text when they can be seen there. Sets the status. */
void complain(struct loader *l, const struct node *n, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5);
void complain_at(struct loader *l, const struct node *n, size_t offset, size_t length, const char *hint,
		 const char *fmt, ...) PRINTF_LIKE(6, 7);
/* A limit was hit: names it and the option that raises it. */
void complain_limit(struct loader *l, const struct node *n, const char *name, uint64_t limit, const char *fmt, ...)
	PRINTF_LIKE(5, 6);
/* Counts work; false when the steps are used up or the user cancelled. */
/* The way to what is being read, shown with every error: "rack `nvl72`", "wiring rule 1". */
void trail_push(struct loader *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
void trail_pop(struct loader *l);
const char *trail_text(struct loader *l); /* "in rack `nvl72`, wiring rule 1", or NULL */
bool spend(struct loader *l, const struct node *n, uint64_t steps);
/* True when errors so far make going on senseless (a limit, a cancel, too many errors). */
bool is_over(const struct loader *l);
struct mark node_mark(const struct node *n, size_t offset, size_t length);
/* "did you mean `rate`?", or NULL. */
const char *did_you_mean(struct loader *l, const char *word, const char *const *known, size_t n);
/* The same, or where nothing is near "known are a, b"; NULL when nothing is known. */
const char *which_are_known(struct loader *l, const char *word, const char *const *known, size_t n);

bool is_name(const char *s, size_t n); /* of a link, device, module, medium, group; file.c */

/* ---- schema.c ------------------------------------------------------------------------------------------- */

/* Unknown keys and wrong shapes below a node, by the rows of describe_keys. */
void schema_check(struct loader *l, const struct node *n, const char *where);
/* True when all keys of a mapping are known. */
bool schema_knows(const struct node *map, const char *where);
/* "rack" for a module of that kind, else "module". */
const char *module_word(const struct node *module);
/* The analyses an expectation may name. */
extern const char *const expect_subjects[];
extern const size_t expect_subject_count;

/* ---- scope.c --------------------------------------------------------------------------------------------- */

/* The text of a scalar with ${…} put in; NULL after an error. Lives in the arena. */
const char *scalar_text(struct loader *l, const struct scope *s, const struct node *n);

/* Names for an expression: the parameters of a scope, then variables of a rule. */
struct names {
	const struct scope *scope;
	const char *hint; /* for a name that is not known, or NULL */
	VEC(const char *) vars;
	int first_var; /* slots below are parameters */
	VEC(int64_t) slots;
};

void names_init(struct names *n, const struct scope *s);
void names_free(struct names *n);
int names_var(struct names *n, const char *name); /* slot of a variable, made when new */
int names_find(const struct names *n, const char *name, size_t size); /* -1 when unknown */
const struct param *scope_param(const struct scope *s, const char *name, size_t size);

/* Parses text that stands in a node (offset where it is seen there). NULL after an error. */
struct expr *expression(struct loader *l, struct names *names, const struct node *n, const char *text, size_t size);
/* "with i = 0, j = 1": the variables of a binding, for messages; NULL when there are none. */
const char *names_text(struct loader *l, const struct names *n);
bool evaluate(struct loader *l, const struct names *names, const struct node *n, const struct expr *e, int64_t *out);
/* A scalar that is an expression over parameters alone. */
bool scalar_integer(struct loader *l, const struct scope *s, const struct node *n, int64_t *out);
bool scalar_bool(struct loader *l, const struct scope *s, const struct node *n, bool *out);
/* A scalar that is a quantity of the dimension; a sum of both directions is refused. */
bool scalar_quantity(struct loader *l, const struct scope *s, const struct node *n, enum dimension dim,
		     uint64_t *out);
/* Reads `params`, then sets what `with` passes (texts evaluated in from). */
void scope_read(struct loader *l, struct scope *s, const struct node *params);
void scope_set(struct loader *l, struct scope *s, const struct node *with, const struct scope *from);
bool param_assign(struct loader *l, struct param *p, const char *text, const char **why);
/* False when something that is required does not hold. */
bool scope_require(struct loader *l, const struct scope *s, const struct node *require);
bool is_identifier(const char *s, size_t n);
bool is_integer_text(const char *s, int64_t *out);

/* ---- file.c ------------------------------------------------------------------------------------------------ */

/* Reads the top file, what it includes and the media; fills the tables. */
void files_load(struct loader *l, const struct source *s);
struct definition *definition_find(struct loader *l, enum table t, const char *name);
struct definition *media_find(struct loader *l, const char *name); /* the shipped ones too */
/* As definition_find; complains with the nearest known word. */
struct definition *definition_need(struct loader *l, enum table t, const char *name, const struct node *n);

/* ---- kinds.c ------------------------------------------------------------------------------------------------ */

void kinds_read(struct loader *l); /* links, devices, media of all files */
void medium_read(struct loader *l, struct definition *def);
void links_add(struct loader *l); /* those that are used, to the fabric, in the order of the files */
uint32_t device_use(struct loader *l, struct definition *def);
uint32_t medium_use(struct loader *l, const char *name, const struct node *n); /* NONE after an error */
int word_index(const char *word, const char *const *words, size_t n);
/* "20 x 26 mm" */
bool read_size(struct loader *l, const struct scope *s, const struct node *n, uint64_t *width, uint64_t *height);

/* ---- unit.c --------------------------------------------------------------------------------------------------- */

enum { DIMS_MAX = 8 };

struct part {
	const char *name;
	const struct node *node;
	uint32_t dims[DIMS_MAX], dim_count; /* none: one instance without index */
	uint64_t total;
	struct definition *device;  /* or */
	struct unit *unit;          /* of every instance, or */
	struct unit **units;        /* one per instance, when `with` holds index */
	uint32_t *first;            /* then where each begins, counted from base */
	uint32_t base;              /* first device, in the ids of the unit it stands in */
	uint64_t devices, modules, trunks; /* of all instances */
	struct place *places;       /* one per instance, or NULL */
	name_id *names;             /* one per instance, made when stamped */
	const char *label;          /* `name`: what the instance is called, instead of the part's name */
	uint8_t flags;
};

/* A trunk between devices by local ids. */
struct wire {
	struct definition *link;
	uint32_t a, b, count, via, rule;
	int32_t rail, plane;
	uint64_t rate, length_um; /* UNKNOWN: the kind's */
	uint8_t flags;
};

struct front {
	struct definition *link;
	VEC(uint32_t) devices;
};

/* A module with its parameters: everything about it but where it stands. */
struct unit {
	struct definition *def;
	const char *with; /* canonical text of its parameters */
	struct scope scope;
	struct module module; /* what its instances have in common */
	VEC(struct part) parts;
	struct strtab part_names; /* name -> index into parts */
	VEC(struct wire) wires;
	VEC(uint32_t) rules; /* the origin of each rule in the fabric */
	VEC(struct front) fronts;
	uint64_t devices, modules, trunks; /* with all that is inside */
	bool ready, broken;                /* ready: built, perhaps with errors */
};

/* The root. NULL after an error. */
struct unit *unit_build(struct loader *l, const struct node *name);
struct part *unit_part(const struct unit *u, const char *name, size_t size);
/* The unit of an instance (NULL for a device) and its first device. */
struct unit *part_unit(const struct part *p, uint32_t instance);
uint32_t part_first(const struct part *p, uint32_t instance);
void units_free(struct loader *l);

/* ---- place.c -------------------------------------------------------------------------------------------- */

/* The places `at` gives to a part's instances. */
void part_place(struct loader *l, struct unit *u, struct part *p);

/* ---- pattern.c --------------------------------------------------------------------------------------------------- */

enum index_kind { INDEX_ALL, INDEX_LITERAL, INDEX_FREE, INDEX_EXPR };

struct index {
	enum index_kind kind;
	uint32_t literal;
	int slot;       /* free: the variable it binds */
	struct expr *e; /* expression, checked late when it uses what is bound later */
	bool late;
};

struct component {
	const char *name;
	size_t offset, size; /* the name's place in the pattern's text */
	struct index *index;
	uint32_t index_count; /* 0: every index */
	bool glob;            /* name holds `*` and matches the names of instances */
	/* units of one definition have the same parts: the one found last */
	const struct definition *def;
	uint32_t part;
	uint32_t chosen[DIMS_MAX];
};

struct pattern {
	const struct node *node;
	const char *text;
	struct component *components;
	uint32_t n;
};

/* Identifiers that names does not know and that stand alone in braces become variables of names. Memory comes
 * from the arena a, messages show node n. */
bool pattern_parse(struct loader *l, struct arena *a, struct names *names, const struct node *n, const char *text,
		   bool globs, struct pattern *out);

/* What a pattern ends at: a device, or a module that deals to its front. */
struct landing {
	uint32_t device;         /* or the module's first device */
	const struct unit *unit; /* NULL for a device */
};
typedef bool landing_found(void *context, struct landing end); /* false stops */
struct search {
	struct loader *l;
	struct names *names;
	bool *empty_part; /* set when a part that is named has no instances */
	landing_found *found;
	void *context;
};
/* All matches in order, with the variables bound. False after an error or when found said stop. */
bool pattern_search(const struct search *s, struct pattern *p, const struct unit *u);
/* How many matches there are when no expression narrows them; 0 when that cannot be told. O(length). */
uint64_t pattern_size(const struct pattern *p, const struct unit *u);
/* The path of a device of the unit, for messages. */
void unit_path(const struct unit *u, uint32_t device, struct strbuf *b);
const struct definition *unit_device(const struct unit *u, uint32_t device); /* what it is */
/* "gpu3", "n0.1.2", "cpu" */
void instance_name(const struct part *p, uint64_t instance, struct strbuf *b);

/* ---- join.c -------------------------------------------------------------------------------------------------------- */

/* All rules of a unit, into its wires. */
void unit_wire(struct loader *l, struct unit *u, const struct node *rules);
void unit_fronts(struct loader *l, struct unit *u, const struct node *front);
/* Pairs of a random regular graph over n vertices. */
void random_regular(uint32_t n, uint32_t degree, uint64_t seed, uint32_t *out /* n * degree ends */);

/* ---- expand.c, claims.c ------------------------------------------------------------------------------------------- */

void unit_stamp(struct loader *l, struct unit *root);
void claims_read(struct loader *l);

#endif
