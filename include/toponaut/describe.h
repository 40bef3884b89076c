/* describe: the description language (toponaut(5)). YAML in, a frozen fabric out, and back.
 * The only layer that knows libyaml.
 */
#ifndef TOPONAUT_DESCRIBE_H
#define TOPONAUT_DESCRIBE_H

#include "toponaut/fabric.h"

/* Each is checked before the memory is taken; 0 means the default. The option that raises one is
 * --limit NAME=N, with these names. */
struct limits {
	uint64_t bytes;   /* of one file: 64 MiB */
	uint64_t nodes;   /* YAML nodes after aliases: 4,000,000 */
	uint64_t devices; /* 4,000,000 */
	uint64_t trunks;  /* 10,000,000 */
	uint64_t steps;   /* of expanding and joining: 50,000,000 */
};

/* With the defaults put in. */
struct limits limits_filled(const struct limits *given);

struct describe_options {
	const char *const *defines; /* "NAME=VALUE" of -D */
	size_t define_count;
	const char *const *layout_dirs; /* where includes of shipped parts are looked for */
	size_t layout_dir_count;
	struct limits limits;
	/* Called now and then with steps done; true cancels (E_CANCELLED). May be NULL. */
	bool (*tick)(void *context, uint64_t steps);
	void *tick_context;
};

/* True when the text looks like a description: YAML whose top mapping has the key `toponaut`. */
bool describe_recognise(const struct source *s);
/* Loads and freezes; *out is NULL on failure, all errors (up to the limit of d) are in d.
 * The source must outlive neither: texts are copied into the fabric. */
MUST_CHECK enum status describe_load(const struct source *s, const struct describe_options *o, struct diag *d,
				     struct fabric **out);
/* The fabric as a description that loads to an equal one (same devices, names, trunks, order, groups,
 * expectations); the overlay becomes `faults`. o may be NULL. */
void describe_write(const struct fabric *f, const struct overlay *o, struct strbuf *b);
/* With more selections as groups. */
void describe_write_named(const struct fabric *f, const struct overlay *o, const struct named_selection *names, size_t n,
			  struct strbuf *b);

/* One row per key of the language, for the man page, the schema test and completion. */
struct key_row {
	const char *where; /* "link", "device", "module", "part", "wiring", "expect", "top" … */
	const char *key, *type, *help;
};
extern const struct key_row describe_keys[];
extern const size_t describe_key_count;

#endif
