/* select: the selection language (DESIGN 5; toponaut(1), SELECTIONS): text to a set of devices, and back.
 */
#ifndef TOPONAUT_SELECT_H
#define TOPONAUT_SELECT_H

#include "toponaut/fabric.h"

struct select_context {
	const struct fabric *fabric;
	const struct idset *here;      /* %here, or NULL */
	const struct idset *selected;  /* %sel, or NULL */
	const struct named_selection *names; /* saved in the session; looked up before the fabric's groups */
	size_t name_count;
};

/* Parses and evaluates. On failure (syntax, unknown name, nothing matched) *out is empty, the message
 * carries a caret into text and the nearest names. *out is returned owned in both cases. where says where
 * the text stands (its source NULL: the text itself is shown). O(devices) per operand at most. */
MUST_CHECK enum status select_eval(const struct select_context *c, const char *text, struct mark where,
				   struct diag *d, struct idset *out);

/* A short selection that reads back to exactly this set: whole modules and parts, index sets folded
 * ("compute[9-17]/gpu*"). "@none" is never written: an empty set gives "". O(devices). */
void select_put(const struct fabric *f, const struct idset *s, struct strbuf *b);

/* One path component as it must be written (quoted when it holds operators, blanks …). */
void select_put_name(const char *name, struct strbuf *b);

/* --fail and --derate: "SELECTION", "A--B", "A--B=1"; with derate "A--B=50%". Texts live in the arena a. */
MUST_CHECK enum status fault_parse(struct arena *a, const char *text, bool derate, struct diag *d, struct fault *out);
/* Applies one fault. @rail:N and @plane:N also remove the trunks so labelled. A fault that names nothing is
 * an error. */
MUST_CHECK enum status fault_apply(const struct select_context *c, const struct fault *x, struct diag *d,
				   struct overlay *o);
/* All faults of the file. */
MUST_CHECK enum status fault_apply_all(const struct select_context *c, struct diag *d, struct overlay *o);

/* Candidates for completing the operand that ends at byte `at` of text, in display order, modules with a
 * slash behind; each replaces the operand, which begins at select_operand_start. Texts live in the arena. */
size_t select_operand_start(const char *text, size_t at);
size_t select_complete(const struct select_context *c, struct arena *a, const char *text, size_t at,
		       const char **out, size_t max);

#endif
