/* Errors of a description: where they stand, the way to them, what would be right; and the budget of work. */
#include "describe/describe_internal.h"

#include <string.h>

/* True when the text of a scalar stands in the file as it is, without escapes or folding. */
static bool is_verbatim(const struct node *n, size_t *column)
{
	const struct text *t = n->file;
	size_t at = t->lines[n->line - 1] + n->column - 1 + (n->quoted ? 1 : 0);
	if (n->kind != NODE_SCALAR || at + n->n > t->source.size || memchr(n->text, '\n', n->n) ||
	    memcmp(t->source.text + at, n->text, n->n) != 0)
		return false;
	*column = n->column + (n->quoted ? 1 : 0);
	return true;
}

struct mark node_mark(const struct node *n, size_t offset, size_t length)
{
	struct mark m = {&n->file->source, n->line, n->column, 0};
	size_t column;
	if (is_verbatim(n, &column)) {
		m.column = (uint32_t)(column + offset);
		m.length = (uint32_t)length;
	}
	return m;
}

void trail_push(struct loader *l, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	vec_push(&l->trail, arena_strdup(&l->arena, strbuf_str(&b)));
	strbuf_free(&b);
}

void trail_pop(struct loader *l)
{
	l->trail.n--;
}

const char *trail_text(struct loader *l)
{
	enum { FIRST = 4, LAST = 4 }; /* of a long way, its beginning and its end */
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < l->trail.n; i++) {
		if (i == FIRST && l->trail.n > FIRST + LAST) {
			strbuf_puts(&b, ", …");
			i = l->trail.n - LAST;
		}
		strbuf_printf(&b, "%s%s", i ? ", " : "in ", l->trail.at[i]);
	}
	const char *text = l->trail.n ? arena_strdup(&l->arena, strbuf_str(&b)) : NULL;
	strbuf_free(&b);
	return text;
}

PRINTF_LIKE(5, 0)
static void add_error(struct loader *l, struct mark m, enum status status, const char *hint, const char *fmt,
		      va_list ap)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_vprintf(&b, fmt, ap);
	diag_add(l->d, LEVEL_ERROR, m, trail_text(l), hint, "%s", strbuf_str(&b));
	strbuf_free(&b);
	if (l->status == OK || status != E_INPUT)
		l->status = status;
}

/* Its readers need not know that the shape of a node was complained about already. */
static bool is_said(const struct loader *l, const struct node *n)
{
	for (size_t i = 0; i < l->misshapen.n; i++)
		if (l->misshapen.at[i] == n)
			return true;
	return false;
}

void complain(struct loader *l, const struct node *n, const char *hint, const char *fmt, ...)
{
	va_list ap;
	if (is_said(l, n))
		return;
	va_start(ap, fmt);
	add_error(l, node_mark(n, 0, n->kind == NODE_SCALAR ? n->n : 0), E_INPUT, hint, fmt, ap);
	va_end(ap);
}

void complain_at(struct loader *l, const struct node *n, size_t offset, size_t length, const char *hint,
		 const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add_error(l, node_mark(n, offset, length), E_INPUT, hint, fmt, ap);
	va_end(ap);
}

void complain_limit(struct loader *l, const struct node *n, const char *name, uint64_t limit, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;
	if (l->status == E_LIMIT)
		return;
	strbuf_puts(&b, "the limit `");
	strbuf_printf(&b, "%s` is ", name);
	put_count(&b, limit);
	strbuf_printf(&b, "; --limit %s=N raises it", name);
	va_start(ap, fmt);
	add_error(l, node_mark(n, 0, n->kind == NODE_SCALAR ? n->n : 0), E_LIMIT, strbuf_str(&b), fmt, ap);
	va_end(ap);
	strbuf_free(&b);
}

enum { TICK = 1 << 16 };

bool spend(struct loader *l, const struct node *n, uint64_t steps)
{
	uint64_t before = l->steps;
	l->steps += steps;
	if (l->steps > l->limits.steps) {
		complain_limit(l, n, "steps", l->limits.steps, "expanding this takes too many steps");
		return false;
	}
	if (l->o->tick && before / TICK != l->steps / TICK && l->o->tick(l->o->tick_context, l->steps))
		l->status = E_CANCELLED;
	return !is_over(l);
}

bool is_over(const struct loader *l)
{
	return l->stop || (l->status != OK && l->status != E_INPUT) || l->d->dropped > 0;
}

const char *which_are_known(struct loader *l, const char *word, const char *const *known, size_t n)
{
	enum { LISTED = 20 };
	struct strbuf b = STRBUF_INIT;
	const char *hint = did_you_mean(l, word, known, n);
	if (hint || n == 0)
		return hint;
	for (size_t i = 0; i < n && i < LISTED; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "known are ", known[i]);
	hint = arena_printf(&l->arena, "%s%s", strbuf_str(&b), n > LISTED ? ", …" : "");
	strbuf_free(&b);
	return hint;
}

const char *did_you_mean(struct loader *l, const char *word, const char *const *known, size_t n)
{
	const char *near = nearest_word(word, known, n);
	return near ? arena_printf(&l->arena, "did you mean `%s`?", near) : NULL;
}
