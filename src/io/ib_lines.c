/* Lines of a list of ports: a record that a terminal has broken into several lines is put together again. */
#include <string.h>

#include "io/ib_internal.h"

enum { PIECES = 8, RECORD_BYTES = 1024 };

static const char *piece_end(const char *at, const char *end)
{
	const char *stop = memchr(at, '\n', (size_t)(end - at));

	return stop ? stop : end;
}

/* Without the carriage return, which may stand before the break. */
static void add_piece(struct strbuf *b, const char *at, const char *stop)
{
	strbuf_add(b, at, (size_t)(stop - at) - (stop > at && stop[-1] == '\r'));
}

static bool is_blank(const char *at, const char *stop)
{
	while (at < stop && strchr(" \t\r", *at))
		at++;
	return at == stop || *at == '#';
}

static void put_together(struct ib_lines *l)
{
	struct strbuf b = STRBUF_INIT;
	const char *at = l->at;

	add_piece(&b, l->start, l->stop);
	for (uint32_t pieces = 1; pieces < PIECES && at < l->end && b.n < RECORD_BYTES; pieces++) {
		const char *stop = piece_end(at, l->end);

		if (is_blank(at, stop) || stop - at > RECORD_BYTES || l->begins(at, stop))
			break;
		add_piece(&b, at, stop);
		at = stop + 1;
		if (!l->whole(b.text, b.text + b.n))
			continue;
		l->start = arena_strndup(l->arena, b.text, b.n);
		l->stop = l->start + b.n;
		l->at = at;
		l->read += pieces;
		l->wrapped = true;
		break;
	}
	strbuf_free(&b);
}

bool ib_lines_next(struct ib_lines *l)
{
	if (l->at >= l->end)
		return false;
	l->start = l->at;
	l->stop = piece_end(l->at, l->end);
	l->at = l->stop + 1;
	l->line = ++l->read;
	if (!is_blank(l->start, l->stop) && l->stop - l->start <= RECORD_BYTES && !l->whole(l->start, l->stop))
		put_together(l);
	return true;
}
