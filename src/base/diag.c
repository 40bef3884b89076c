/* Messages with their place: collected while reading, printed once, with the source line and a caret. */
#include "toponaut/base.h"

#include <stdlib.h>
#include <string.h>

static const char *gated(struct arena *a, const char *text)
{
	struct strbuf b = STRBUF_INIT;
	const char *copy;

	if (!text)
		return NULL;
	label_put(&b, text, strlen(text), 4 * LABEL_MAX);
	copy = arena_strndup(a, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return copy;
}

/* The mark's source dies with its loader; what a message shows of it is kept with the message. */
static struct mark kept_mark(struct arena *a, struct mark m)
{
	struct source *copy;
	const char *line, *end, *last;

	if (!m.source)
		return m;
	copy = arena_alloc(a, sizeof *copy);
	copy->name = arena_strdup(a, m.source->name ? m.source->name : "");
	copy->text = "";
	line = m.source->text;
	last = line ? line + m.source->size : NULL;
	for (uint32_t i = 1; line && i < m.line; i++) {
		line = memchr(line, '\n', (size_t)(last - line));
		if (line)
			line++;
	}
	if (m.line && line) {
		end = memchr(line, '\n', (size_t)(last - line));
		copy->size = (size_t)((end ? end : last) - line);
		copy->text = arena_strndup(a, line, copy->size);
	}
	m.source = copy;
	return m;
}

void diag_add(struct diag *d, enum level level, struct mark mark, const char *trail, const char *hint,
	      const char *fmt, ...)
{
	unsigned limit = d->error_limit ? d->error_limit : DIAG_ERROR_LIMIT;
	struct strbuf b = STRBUF_INIT;
	struct message m = {.level = level};
	va_list ap;

	if (level == LEVEL_ERROR && d->errors++ >= limit) {
		d->dropped++;
		return;
	}
	if (level == LEVEL_WARNING)
		d->warnings++;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	m.text = gated(&d->arena, strbuf_str(&b));
	m.trail = gated(&d->arena, trail);
	m.hint = gated(&d->arena, hint);
	m.mark = kept_mark(&d->arena, mark);
	vec_push(&d->messages, m);
	strbuf_free(&b);
}

enum { EXCERPT = 100 };

/* The source line, cut to a window around the column, and a caret line below it. */
static void put_excerpt(struct strbuf *b, const struct mark *m, bool color)
{
	size_t size = m->source->size, at = m->column ? m->column - 1 : 0;
	size_t from, shown, underline;
	struct strbuf lead = STRBUF_INIT, marked = STRBUF_INIT;

	if (at > size)
		at = size;
	from = at > EXCERPT * 2 / 3 && size > EXCERPT ? at - EXCERPT * 2 / 3 : 0;
	shown = size - from > EXCERPT ? EXCERPT : size - from;
	underline = m->length && at + m->length <= from + shown ? m->length : 1;
	label_put(&lead, m->source->text + from, at - from, SIZE_MAX);
	if (at < size)
		label_put(&marked, m->source->text + at, underline > size - at ? size - at : underline, SIZE_MAX);
	strbuf_puts(b, from ? "   …" : "    ");
	label_put(b, m->source->text + from, shown, SIZE_MAX);
	strbuf_puts(b, from + shown < size ? "…\n    " : "\n    ");
	for (unsigned i = text_width(strbuf_str(&lead)); i > 0; i--)
		strbuf_putc(b, ' ');
	strbuf_puts(b, color ? "\033[1;31m^" : "^");
	for (unsigned i = text_width(strbuf_str(&marked)); i > 1; i--)
		strbuf_putc(b, '~');
	strbuf_puts(b, color ? "\033[0m\n" : "\n");
	strbuf_free(&lead);
	strbuf_free(&marked);
}

static void put_place(struct strbuf *b, const struct mark *m)
{
	if (!m->source || !m->source->name[0]) {
		strbuf_puts(b, "toponaut: ");
		return;
	}
	label_put(b, m->source->name, strlen(m->source->name), LABEL_MAX);
	if (m->line)
		strbuf_printf(b, ":%u", m->line);
	if (m->line && m->column)
		strbuf_printf(b, ":%u", m->column);
	strbuf_puts(b, ": ");
}

void message_put(struct strbuf *b, const struct message *m, bool color)
{
	static const char *const names[] = {"error", "warning", "note"};
	static const char *const colors[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m"};

	put_place(b, &m->mark);
	strbuf_printf(b, "%s%s:%s %s\n", color ? colors[m->level] : "", names[m->level], color ? "\033[0m" : "",
		      m->text);
	if (m->mark.source && m->mark.line && m->mark.source->size)
		put_excerpt(b, &m->mark, color);
	if (m->trail)
		strbuf_printf(b, "  %s\n", m->trail);
	if (m->hint)
		strbuf_printf(b, "  hint: %s\n", m->hint);
}

void diag_put(struct strbuf *b, const struct diag *d, bool color)
{
	for (size_t i = 0; i < d->messages.n; i++)
		message_put(b, &d->messages.at[i], color);
	if (d->dropped)
		strbuf_printf(b, "toponaut: %u more errors not shown\n", d->dropped);
}

void diag_free(struct diag *d)
{
	arena_free(&d->arena);
	vec_free(&d->messages);
	*d = (struct diag){0};
}
