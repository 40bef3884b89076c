/* select, inside: patterns of names and the folding of names, shared by its files. */
#ifndef SELECT_INTERNAL_H
#define SELECT_INTERNAL_H

#include "toponaut/select.h"

/* "[001-018,20]": values first … last, written with at least pad digits (0: as they come). */
struct index_range {
	uint64_t first, last;
	unsigned pad;
};

/* One piece of a pattern of a name. */
struct piece {
	enum { PIECE_TEXT, PIECE_STAR, PIECE_SET } kind;
	const char *text; /* of PIECE_TEXT */
	size_t n;
	const struct index_range *ranges; /* of PIECE_SET */
	size_t range_count;
};

/* One component of a path, or the word behind "@type:". Lives in an arena. */
struct pattern {
	struct piece *pieces;
	size_t n;
	bool any_depth;      /* "**" */
	const char *literal; /* when it is nothing but text */
	size_t at, length;   /* where it stands in the selection, for messages */
};

/* What went wrong in a pattern; text is static. */
struct pattern_error {
	const char *text, *hint;
	size_t at, length;
};

/* Reads a pattern from text[*at] on, to a character that ends operands, and to '/' when in_path.
 * False on an error. */
bool glob_parse(struct arena *a, const char *text, size_t n, size_t *at, bool in_path, struct pattern *out,
		   struct pattern_error *error);
/* A name matches as a whole; a pattern that ends in text also matches with any index behind it
 * ("gpu" matches "gpu0", "n" matches "n0.1"). O(pieces * name). */
bool glob_match(const struct pattern *p, const char *name);
/* Bytes of a name before its index: "gpu12" 3, "n0.1.2" 1, "gpu" 3. */
size_t name_base(const char *name);
/* True at the end of an operand: blank, operator, parenthesis. */
bool ends_operand(char c);

/* Folding: names of one module's members, some of them chosen. */
struct fold_name {
	const char *name;
	bool chosen;
};
typedef VEC(const char *) fold_terms; /* texts in the arena given */
/* The fewest patterns that match exactly the chosen ones among all the given. With whole false neither
 * "*" nor "gpu*" is used (to tell people which names there are). O(n log n). */
void fold_names(struct arena *a, const struct fold_name *names, size_t n, bool whole, fold_terms *out);

/* Adds what the path means to out. On nothing, *hint (arena text, or NULL) tells what is near. */
bool path_eval(struct arena *a, const struct fabric *f, struct pattern *components, size_t n, struct idset *out,
	       const char **hint);

/* Adds the devices of a class, and all that lies in modules of that class: from above those are one of it. */
void class_devices(const struct fabric *f, enum device_class class, struct idset *out);
/* Which classes devices and modules have. */
void classes_here(const struct fabric *f, bool here[CLASS_COUNT]);

/* select_eval for faults: labels (may be NULL) also collects the trunks that bear an @rail or @plane that is
 * joined in at the top; then devices may be empty. */
enum status select_eval_labels(const struct select_context *c, const char *text, struct mark where,
			       struct diag *d, struct idset *out, struct idset *labels);

#endif
