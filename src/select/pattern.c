/* Patterns of names: text, `*`, index sets with padding; quoting. Owns the lexical rules of a path component. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

enum { INDEX_DIGITS = 18 }; /* longer digit runs are names, not indices: they would not fit 64 bits */

bool ends_operand(char c)
{
	return c == '\0' || c == ' ' || c == '\t' || c == '\n' || strchr(",!&^()", c) != NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t name_base(const char *name)
{
	size_t n = strlen(name), end = n;
	while (end > 0 && is_digit(name[end - 1])) {
		while (end > 0 && is_digit(name[end - 1]))
			end--;
		if (end < 2 || name[end - 1] != '.' || !is_digit(name[end - 2]))
			break;
		end--;
	}
	return end;
}

/* ---- parsing --------------------------------------------------------------------------------- */

struct reader {
	struct arena *arena;
	const char *text;
	size_t n, at;
	struct strbuf literal; /* text not yet made a piece */
	bool has_literal;      /* also when it is empty: '' is a name */
	VEC(struct piece) pieces;
	struct pattern_error *error;
};

static bool refuse(struct reader *r, size_t at, size_t length, const char *text, const char *hint)
{
	*r->error = (struct pattern_error){.text = text, .hint = hint, .at = at, .length = length};
	return false;
}

static void flush_literal(struct reader *r)
{
	if (!r->has_literal)
		return;
	vec_push(&r->pieces, (struct piece){.kind = PIECE_TEXT,
					    .text = arena_strndup(r->arena, strbuf_str(&r->literal), r->literal.n),
					    .n = r->literal.n});
	strbuf_trim(&r->literal, 0);
	r->has_literal = false;
}

static void add_literal(struct reader *r, const char *s, size_t n)
{
	strbuf_add(&r->literal, s, n);
	r->has_literal = true;
}

static bool read_quoted(struct reader *r)
{
	size_t start = r->at++;
	add_literal(r, "", 0);
	while (r->at < r->n && r->text[r->at] != '\'') {
		if (r->text[r->at] == '\\' && r->at + 1 < r->n)
			r->at++;
		add_literal(r, r->text + r->at++, 1);
	}
	if (r->at == r->n)
		return refuse(r, start, r->n - start, "this quote is not closed", "put a ' behind the name");
	r->at++;
	return true;
}

static bool read_number(struct reader *r, uint64_t *value, unsigned *pad)
{
	size_t start = r->at;
	*value = 0;
	while (r->at < r->n && is_digit(r->text[r->at])) {
		if (r->at - start >= INDEX_DIGITS)
			return refuse(r, start, r->at - start + 1, "this index is too long", NULL);
		*value = *value * 10 + (uint64_t)(r->text[r->at++] - '0');
	}
	if (r->at == start)
		return refuse(r, start, 1, "a number was expected in this index set",
			      "index sets are written like [0-3,7]");
	*pad = r->text[start] == '0' && r->at - start > 1 ? (unsigned)(r->at - start) : 0;
	return true;
}

static bool read_range(struct reader *r, struct index_range *out)
{
	size_t start = r->at;
	unsigned last_pad;
	if (!read_number(r, &out->first, &out->pad))
		return false;
	out->last = out->first;
	if (r->at >= r->n || r->text[r->at] != '-')
		return true;
	r->at++;
	if (!read_number(r, &out->last, &last_pad))
		return false;
	if (last_pad && last_pad != out->pad)
		return refuse(r, start, r->at - start, "the ends of this range are padded differently",
			      "write both with as many digits as the names have, like [001-018]");
	if (out->first > out->last)
		return refuse(r, start, r->at - start, "this range runs backwards", NULL);
	return true;
}

static bool read_set(struct reader *r)
{
	size_t start = r->at++;
	VEC(struct index_range) ranges = {0};
	bool ok = true;
	while (ok) {
		struct index_range range;
		ok = read_range(r, &range);
		if (!ok)
			break;
		vec_push(&ranges, range);
		if (r->at < r->n && r->text[r->at] == ',') {
			r->at++;
			continue;
		}
		if (r->at >= r->n || r->text[r->at] != ']')
			ok = refuse(r, start, r->at - start, "this index set is not closed",
				    "index sets are written like [0-3,7]");
		break;
	}
	if (ok) {
		struct index_range *copy = arena_alloc(r->arena, ranges.n * sizeof *copy);
		memcpy(copy, ranges.at, ranges.n * sizeof *copy);
		r->at++;
		flush_literal(r);
		vec_push(&r->pieces, (struct piece){.kind = PIECE_SET, .ranges = copy, .range_count = ranges.n});
	}
	vec_free(&ranges);
	return ok;
}

static bool read_piece(struct reader *r)
{
	char c = r->text[r->at];
	if (c == '\'')
		return read_quoted(r);
	if (c == '[')
		return read_set(r);
	if (c == ']')
		return refuse(r, r->at, 1, "this bracket closes nothing", "quote it when it is part of a name");
	if (c == '-' && r->at + 1 < r->n && r->text[r->at + 1] == '-')
		return refuse(r, r->at, 2, "`--` joins the two ends of a link and is no part of a selection",
			      "quote it when it is part of a name");
	if (c == '*') {
		flush_literal(r);
		vec_push(&r->pieces, (struct piece){.kind = PIECE_STAR});
		r->at++;
		return true;
	}
	if (c == '\\') {
		if (r->at + 1 >= r->n)
			return refuse(r, r->at, 1, "this backslash quotes nothing", NULL);
		r->at++;
	}
	add_literal(r, r->text + r->at++, 1);
	return true;
}

static void finish_pattern(struct reader *r, struct pattern *out)
{
	flush_literal(r);
	out->n = r->pieces.n;
	out->pieces = arena_alloc(r->arena, (out->n + 1) * sizeof *out->pieces);
	if (out->n)
		memcpy(out->pieces, r->pieces.at, out->n * sizeof *out->pieces);
	out->any_depth = out->n == 2 && out->pieces[0].kind == PIECE_STAR && out->pieces[1].kind == PIECE_STAR;
	out->literal = out->n == 1 && out->pieces[0].kind == PIECE_TEXT ? out->pieces[0].text : NULL;
}

bool glob_parse(struct arena *a, const char *text, size_t n, size_t *at, bool in_path, struct pattern *out,
		   struct pattern_error *error)
{
	struct reader r = {.arena = a, .text = text, .n = n, .at = *at, .error = error};
	bool ok = true;
	*out = (struct pattern){.at = *at};
	while (ok && r.at < n && !ends_operand(text[r.at]) && !(in_path && text[r.at] == '/'))
		ok = read_piece(&r);
	if (ok)
		finish_pattern(&r, out);
	out->length = r.at - *at;
	*at = r.at;
	strbuf_free(&r.literal);
	vec_free(&r.pieces);
	return ok;
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool range_has(const struct index_range *r, const char *digits, size_t n, uint64_t value)
{
	bool leading_zero = digits[0] == '0' && n > 1;
	if (value < r->first || value > r->last)
		return false;
	return r->pad ? n == r->pad || (n > r->pad && !leading_zero) : !leading_zero;
}

static bool set_has(const struct piece *p, const char *digits, size_t n, uint64_t value)
{
	for (size_t i = 0; i < p->range_count; i++)
		if (range_has(&p->ranges[i], digits, n, value))
			return true;
	return false;
}

/* Where a piece may end when it starts at any of the places `from`. */
static void step(const struct piece *p, const char *name, size_t n, const bool *from, bool *to)
{
	for (size_t i = 0; i <= n; i++) {
		if (!from[i])
			continue;
		if (p->kind == PIECE_STAR) {
			for (size_t j = i; j <= n; j++)
				to[j] = true;
			return;
		}
		if (p->kind == PIECE_TEXT) {
			if (p->n <= n - i && !memcmp(name + i, p->text, p->n))
				to[i + p->n] = true;
			continue;
		}
		uint64_t value = 0;
		for (size_t j = i; j < n && j - i < INDEX_DIGITS && is_digit(name[j]); j++) {
			value = value * 10 + (uint64_t)(name[j] - '0');
			if (set_has(p, name + i, j + 1 - i, value))
				to[j + 1] = true;
		}
	}
}

static bool all_literal_match(const struct pattern *p, const char *name, size_t n)
{
	return p->literal && strlen(p->literal) == n && !memcmp(p->literal, name, n);
}

bool glob_match(const struct pattern *p, const char *name)
{
	size_t n = strlen(name);
	if (all_literal_match(p, name, n))
		return true;
	if (n > LABEL_MAX)
		return false;
	bool here[LABEL_MAX + 1] = {true}, next[LABEL_MAX + 1];
	for (size_t i = 0; i < p->n; i++) {
		memset(next, 0, n + 1);
		step(&p->pieces[i], name, n, here, next);
		memcpy(here, next, n + 1);
	}
	if (here[n])
		return true;
	return p->n && p->pieces[p->n - 1].kind == PIECE_TEXT && p->pieces[p->n - 1].n && here[name_base(name)];
}
