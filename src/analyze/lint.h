/* Shared by the rules of lint. */
#ifndef TOPONAUT_LINT_H
#define TOPONAUT_LINT_H

#include "analyze/analyze_internal.h"

struct linter {
	const struct fabric *f;
	const struct overlay *o;
	struct findings *out;
};

void lint_add(struct linter *l, enum level level, const char *code, struct mark mark, uint32_t device, const char *fmt, ...)
	PRINTF_LIKE(6, 7);
struct mark lint_origin(const struct linter *l, uint32_t origin);
const char *lint_path(struct linter *l, uint32_t device); /* lives in the findings */

void lint_package(struct linter *l);
void lint_cables(struct linter *l);
void lint_node(struct linter *l);

#endif
