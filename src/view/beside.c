/* beside: two results next to each other, with what differs between them. Which is why the second line comes before the
 * rest: panes are low.
 */
#include <math.h>
#include <string.h>

#include "view/view_internal.h"

enum { COLUMN_MIN = 36, GAP = 3 };

struct differences {
	struct strbuf text;
	unsigned n;
};

/* Fields say their unit: "full_Bps", "injection_Bps.min". */
static void put_number(struct strbuf *b, const char *path, double x)
{
	if (strstr(path, "_Bps") && x >= 0)
		put_rate(b, (uint64_t)(x * 8 + 0.5));
	else
		strbuf_printf(b, "%.6g", x);
}

static void put_name(struct strbuf *b, const char *path)
{
	const char *unit = strstr(path, "_Bps");
	strbuf_add(b, path, unit ? (size_t)(unit - path) : strlen(path));
	strbuf_puts(b, unit ? unit + 4 : "");
}

static void put_change(struct differences *d, const char *path, const json_t *x, const json_t *y)
{
	const json_t *both[2] = {x, y};
	strbuf_puts(&d->text, d->n++ ? "   " : "");
	put_name(&d->text, path);
	for (int i = 0; i < 2; i++) {
		strbuf_puts(&d->text, i ? " → " : " ");
		if (json_is_number(both[i]))
			put_number(&d->text, path, json_number_value(both[i]));
		else if (json_is_string(both[i]))
			strbuf_puts(&d->text, json_string_value(both[i]));
		else
			strbuf_puts(&d->text, json_is_true(both[i]) ? "yes" : json_is_false(both[i]) ? "no" : "–");
	}
	double from = json_number_value(x), to = json_number_value(y);
	if (json_is_number(x) && json_is_number(y) && from > 0) {
		double change = (to - from) / from * 100;
		strbuf_printf(&d->text, " (%s%.3g %%)", change < 0 ? "−" : "+", fabs(change));
	}
}

/* Scalars that are in both, or in one of them; lists (of cut trunks, of findings) by how long they are. */
static void differ(struct differences *d, const char *path, const json_t *x, const json_t *y)
{
	if (json_is_object(x) && json_is_object(y)) {
		const char *name;
		json_t *value;
		json_object_foreach((json_t *)x, name, value) {
			char *longer = mem_printf("%s%s%s", path, *path ? "." : "", name);
			differ(d, longer, value, json_object_get(y, name));
			free(longer);
		}
		return;
	}
	if (json_is_array(x) && json_is_array(y)) {
		json_t *nx = json_integer((json_int_t)json_array_size(x)), *ny = json_integer((json_int_t)json_array_size(y));
		if (!json_equal(nx, ny))
			put_change(d, path, nx, ny);
		json_decref(nx);
		json_decref(ny);
		return;
	}
	bool deep = json_is_object(x) || json_is_array(x) || json_is_object(y) || json_is_array(y);
	if (!deep && !(json_is_null(x) && !y) && !json_equal(x, y))
		put_change(d, path, x, y);
}

/* Both bounds as one where they meet. */
static json_t *without_bounds(const json_t *json)
{
	json_t *copy = json_object(), *lower, *value;
	const char *name;
	json_object_foreach((json_t *)json, name, value) {
		char *other = strncmp(name, "upper_", 6) == 0 ? mem_printf("lower_%s", name + 6) : NULL;
		lower = other ? json_object_get(json, other) : NULL;
		bool met = lower && json_equal(lower, value);
		if (met) {
			char *unit = mem_printf("result_%s", name + 6);
			json_object_del(copy, other);
			json_object_set(copy, unit, value);
			free(unit);
		} else {
			json_object_set(copy, name, value);
		}
		free(other);
	}
	return copy;
}

void beside_put(const struct shown_result *left, const struct shown_result *right, struct strbuf *b)
{
	struct differences d = {.text = STRBUF_INIT};
	if (left->result->analysis != right->result->analysis) {
		strbuf_puts(&d.text, "two questions: numbers are not held against each other");
	} else if (left->result->json && right->result->json) {
		json_t *x = without_bounds(left->result->json), *y = without_bounds(right->result->json);
		differ(&d, "", x, y);
		json_decref(x);
		json_decref(y);
	}
	strbuf_puts(b, d.text.n ? strbuf_str(&d.text) : "no difference");
	strbuf_free(&d.text);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static char *title_of(const struct shown_result *r, char letter)
{
	return mem_printf("%c  %s%s%s", letter, *r->subject ? r->subject : "", *r->subject ? " · " : "",
			  *r->what_if ? r->what_if : "healthy");
}

static struct strbuf text_of(const struct shown_result *r)
{
	struct strbuf b = STRBUF_INIT;
	if (r->result->failed || !r->result->json)
		strbuf_printf(&b, "%s: %s\n", r->result->analysis->name, r->result->text ? r->result->text : "failed");
	else
		r->result->analysis->put(r->result->json, &b);
	return b;
}

static int count_lines(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static bool fits(int cols)
{
	return cols >= 2 * COLUMN_MIN + 3;
}

/* Where a text is broken that fits up to here: between two differences, else at a blank. */
static size_t break_at(const char *text, size_t fit)
{
	for (size_t at = fit; at > 3; at--)
		if (strncmp(text + at - 3, "   ", 3) == 0)
			return at;
	size_t at = fit;
	while (at > 1 && text[at - 1] != ' ')
		at--;
	return at > 1 ? at : fit ? fit : 1;
}

/* Rows that a text takes. */
static int wrapped(const char *text, int cols, struct canvas *c, struct rect area)
{
	int rows = 0;
	while (*text) {
		size_t fit = text_fit(text, (unsigned)(cols > 1 ? cols : 1));
		size_t at = text[fit] ? break_at(text, fit) : fit ? fit : 1;
		char *line = mem_strndup(text, at);
		if (c && rows < area.h)
			canvas_text_in(c, area.x, area.y + rows, area.w, STYLE(ROLE_WARNING, 0), line);
		free(line);
		text += at;
		rows++;
	}
	return rows;
}

int beside_rows(const struct shown_result *left, const struct shown_result *right, int cols)
{
	struct strbuf l = text_of(left), r = text_of(right), d = STRBUF_INIT;
	beside_put(left, right, &d);
	int a = count_lines(strbuf_str(&l)), b = count_lines(strbuf_str(&r));
	int rows = wrapped(strbuf_str(&d), cols - 2, NULL, RECT(0, 0, 0, 0)) + (fits(cols) ? 1 + (a > b ? a : b) : 2 + a + b);
	strbuf_free(&l);
	strbuf_free(&r);
	strbuf_free(&d);
	return rows;
}

static void draw_text(struct canvas *c, struct rect area, const char *text, int from, int n)
{
	for (int i = 0; *text && i < from + n && i - from < area.h; i++) {
		size_t length = strcspn(text, "\n");
		char *line = mem_strndup(text, length);
		if (i >= from)
			canvas_text_in(c, area.x, area.y + i - from, area.w, STYLE(i ? ROLE_TEXT : ROLE_STRONG, 0), line);
		free(line);
		text += length + (text[length] == '\n');
	}
}

static void draw_title(struct canvas *c, struct rect area, const struct shown_result *r, char letter)
{
	char *title = title_of(r, letter);
	if (area.h > 0)
		canvas_text_in(c, area.x, area.y, area.w, STYLE(letter == 'B' && *r->what_if ? ROLE_WARNING : ROLE_DIM, 0), title);
	free(title);
}

void beside_draw(const struct shown_result *left, const struct shown_result *right, struct canvas *c, struct rect area)
{
	struct strbuf text[2] = {text_of(left), text_of(right)}, d = STRBUF_INIT;
	const struct shown_result *r[2] = {left, right};
	struct rect old = canvas_clip(c, area);
	bool two = fits(area.w);
	int w = two ? (area.w - 2 - GAP) / 2 : area.w - 2, y = area.y, differ_rows;
	beside_put(left, right, &d);
	for (int i = 0; i < 2; i++) {
		struct rect column = RECT(area.x + 1 + (two && i ? w + GAP : 0), y + (two ? 0 : 2 * i), w, area.h);
		draw_title(c, column, r[i], (char)('A' + i));
		draw_text(c, RECT(column.x, column.y + 1, w, 1), strbuf_str(&text[i]), 0, 1);
	}
	y += two ? 2 : 4;
	struct rect rest = RECT(area.x + 1, y, area.w - 2, area.y + area.h - y);
	differ_rows = wrapped(strbuf_str(&d), rest.w, c, rest);
	y += differ_rows;
	for (int i = 0; i < 2; i++) {
		int lines = count_lines(strbuf_str(&text[i]));
		struct rect column = RECT(area.x + 1 + (two && i ? w + GAP : 0), y, w, area.y + area.h - y);
		if (column.h > 0 && lines > 1)
			draw_text(c, column, strbuf_str(&text[i]), 1, lines - 1);
		y += two ? 0 : lines > 1 ? lines - 1 : 0;
	}
	canvas_unclip(c, old);
	strbuf_free(&text[0]);
	strbuf_free(&text[1]);
	strbuf_free(&d);
}
