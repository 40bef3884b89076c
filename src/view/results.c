/* results: what was asked and what came out, newest first, each with the command line that gives the same; a
 * running analysis with the bounds it has; and what a what-if changed.
 */
#include <stdlib.h>
#include <string.h>

#include "view/view_internal.h"

/* A line of the pane before it is drawn. */
struct say {
	char *text; /* owned */
	struct style style;
	uint32_t result; /* or NONE */
};
struct sayings {
	struct say *at;
	size_t n, cap;
	int cols; /* longer lines go on in the next one */
};

/* Where a line of at most cols columns is broken: behind a blank, else anywhere; at its end when it fits. */
static size_t break_at(const char *text, int cols)
{
	size_t fit = text_fit(text, cols > 1 ? (unsigned)cols : 1), at = fit, indent = strspn(text, " ");
	while (text[fit] && at > indent + 8 && text[at - 1] != ' ')
		at--;
	return text[fit] && at > indent + 8 ? at : fit;
}

/* Takes text. What goes on in further lines is indented more than its beginning. */
static void say(struct sayings *l, struct style style, uint32_t result, char *text)
{
	enum { WRAP_MIN = 70 }; /* narrower, one line each says more */
	size_t at;
	while (l->cols >= WRAP_MIN && text[at = break_at(text, l->cols)]) {
		int indent = (int)strspn(text, " ") + 4;
		char *rest = mem_printf("%*s%s", indent < 16 ? indent : 4, "", text + at);
		text[at] = 0;
		vec_push(l, (struct say){text, style, result});
		text = rest;
	}
	vec_push(l, (struct say){text, style, result});
}

static void sayings_free(struct sayings *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->at[i].text);
	vec_free(l);
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static const json_t *number(const json_t *json, const char *side, const char *unit)
{
	char key[32];
	snprintf(key, sizeof key, "%s_%s", side, unit);
	const json_t *value = json_object_get(json, key);
	return json_is_number(value) ? value : NULL;
}

/* The bounds of a result's main value; false when it has none. */
static bool bounds_of(const json_t *json, double *lower, double *upper, bool *links)
{
	static const char *const units[] = {"Bps", "links"};
	for (size_t u = 0; u < ARRAY_LEN(units); u++) {
		const json_t *low = number(json, "lower", units[u]), *high = number(json, "upper", units[u]);
		if (!low || !high)
			continue;
		*lower = json_number_value(low);
		*upper = json_number_value(high);
		*links = u == 1;
		return true;
	}
	return false;
}

static void put_value(struct strbuf *b, double value, bool links)
{
	if (links)
		put_links((uint64_t)value, b);
	else
		put_rate(b, (uint64_t)(value * 8 + 0.5));
}

static bool put_bounds(struct strbuf *b, const json_t *json)
{
	double lower, upper;
	bool links;
	if (!bounds_of(json, &lower, &upper, &links))
		return false;
	if (lower == upper) {
		put_value(b, upper, links);
		return true;
	}
	strbuf_putc(b, '[');
	put_value(b, lower, links);
	strbuf_puts(b, ", ");
	put_value(b, upper, links);
	strbuf_putc(b, ']');
	return true;
}

/* "healthy 32.4 TB/s │ switch4/sw1 down 30.6 TB/s  −5.6 %" */
static void say_change(struct sayings *l, const struct shown_result *r, uint32_t index)
{
	struct strbuf b = STRBUF_INIT;
	double low0, high0, low1, high1;
	bool links0, links1;
	strbuf_puts(&b, *r->before_what_if ? r->before_what_if : "healthy");
	strbuf_putc(&b, ' ');
	bool told = put_bounds(&b, r->before->json);
	strbuf_printf(&b, " │ %s ", *r->what_if ? r->what_if : "healthy");
	told = put_bounds(&b, r->result->json) && told;
	if (told && bounds_of(r->before->json, &low0, &high0, &links0) &&
	    bounds_of(r->result->json, &low1, &high1, &links1) && links0 == links1 && low0 == high0 && low1 == high1 &&
	    high0 > 0) {
		double change = (high1 - high0) / high0 * 100;
		strbuf_printf(&b, "  %s%.1f %%", change < 0 ? "−" : "+", change < 0 ? -change : change);
	}
	if (told)
		say(l, STYLE(ROLE_WARNING, 0), index, mem_strdup(strbuf_str(&b)));
	strbuf_free(&b);
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

static void say_block(struct sayings *l, const char *text, uint32_t index)
{
	struct style style = {ROLE_STRONG, 0};
	while (*text) {
		size_t n = strcspn(text, "\n");
		if (n)
			say(l, style, index, mem_strndup(text, n));
		style = STYLE(ROLE_TEXT, 0);
		text += n + (text[n] == '\n');
	}
}

static void say_result(struct sayings *l, const struct shown_result *r, uint32_t index)
{
	const struct result *x = r->result;
	if (x->failed || !x->json) {
		say(l, STYLE(ROLE_ERROR, 0), index,
		    mem_printf("%s %s: %s", x->analysis->name, r->subject, x->text ? x->text : "failed"));
		return;
	}
	struct strbuf b = STRBUF_INIT;
	x->analysis->put(x->json, &b);
	say_block(l, strbuf_str(&b), index);
	strbuf_free(&b);
	if (r->before && r->before->json)
		say_change(l, r, index);
	else if (*r->what_if)
		say(l, STYLE(ROLE_WARNING, 0), index, mem_printf("with %s", r->what_if));
	if (*r->command)
		say(l, STYLE(ROLE_DIM, 0), index, mem_printf("$ %s", r->command));
}

static void say_running(struct sayings *l, const struct running *r)
{
	unsigned done, of;
	const json_t *bounds;
	const char *phase = run_phase(r->run, &done, &of, &bounds);
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "%s  ", r->title);
	if (bounds && put_bounds(&b, bounds))
		strbuf_puts(&b, "  ");
	strbuf_printf(&b, "%s …", phase && *phase ? phase : "searching");
	if (of > 1)
		strbuf_printf(&b, " %u of %u", done, of);
	strbuf_puts(&b, "   Esc cancels");
	say(l, STYLE(ROLE_WARNING, 0), NONE, mem_strdup(strbuf_str(&b)));
	strbuf_free(&b);
}

static struct sayings sayings_of(const struct scene *s, const struct running *r, int cols)
{
	struct sayings l = {.cols = cols - 2};
	if (r && r->run)
		say_running(&l, r);
	for (size_t i = 0; i < s->result_count; i++)
		say_result(&l, &s->results[i], (uint32_t)i);
	return l;
}

int results_rows(const struct scene *s, const struct running *r, int cols)
{
	struct sayings l = sayings_of(s, r, cols);
	int n = (int)l.n;
	sayings_free(&l);
	return n;
}

void results_draw(const struct scene *s, const struct running *r, struct canvas *c, struct rect area)
{
	struct sayings l = sayings_of(s, r, area.w);
	struct rect old = canvas_clip(c, area);
	for (int i = 0; i < area.h && (size_t)i < l.n; i++) {
		const struct say *x = &l.at[i];
		canvas_text_in(c, area.x + 1, area.y + i, area.w - 2, x->style, x->text);
		if (x->result != NONE)
			canvas_hit(c, RECT(area.x, area.y + i, area.w, 1), TARGET_RESULT, x->result);
	}
	canvas_unclip(c, old);
	sayings_free(&l);
}
