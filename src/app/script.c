/* script: a session without a terminal, for tests. Steps wait for jobs, never for time, so the same script gives
 * the same output everywhere.
 */
#include <stdio.h>

#include "app/app_internal.h"

static void print(FILE *out, struct strbuf *b)
{
	fwrite(strbuf_str(b), 1, b->n, out);
	strbuf_free(b);
}

static void dump(struct app *a, bool styles, FILE *out)
{
	struct strbuf b = STRBUF_INIT;
	const struct canvas *c = app_compose(a);
	if (styles)
		canvas_put_styles(c, &b);
	else
		canvas_put_text(c, &b);
	strbuf_printf(&b, "---- %d×%d%s\n", c->cols, c->rows, styles ? " styles" : "");
	print(out, &b);
}

static void put_target(struct app *a, struct strbuf *b)
{
	if (a->cursor.kind == TARGET_DEVICE)
		device_path(a->fabric, a->cursor.id, b);
	else if (a->cursor.kind == TARGET_TRUNK)
		strbuf_printf(b, "trunk %u", a->cursor.id);
	else if (a->cursor.id == 0)
		strbuf_puts(b, "(root)");
	else
		module_path(a->fabric, a->cursor.id, b);
}

static void put_state(struct app *a, FILE *out)
{
	static const char *const panes[PANE_COUNT] = {"tree", "canvas", "inspector", "results"};
	struct shown_result shown[8];
	struct strbuf b = STRBUF_INIT;
	if (!a->fabric) {
		strbuf_puts(&b, "nothing open\n");
		print(out, &b);
		return;
	}
	strbuf_printf(&b, "open %s\nview %s  pane %s\ncursor ", a->operand, a->view->name, panes[a->focus]);
	put_target(a, &b);
	strbuf_printf(&b, "\nselected %u ", idset_count(&a->selected));
	select_put(a->fabric, &a->selected, &b);
	strbuf_printf(&b, "\nfound %zu  hidden %u\nwhat-if ", a->hits.n, idset_count(&a->hidden));
	what_if_put(a, &b);
	const struct answer *drawn = app_drawn(a);
	strbuf_printf(&b, "\ndrawn %s\n", drawn ? drawn->asked->analysis->name : "nothing");
	for (size_t i = 0, n = answers_shown(a, shown, ARRAY_LEN(shown)); i < n; i++)
		strbuf_printf(&b, "answer %s [%s] [%s]\n", shown[i].result->analysis->name, shown[i].subject, shown[i].what_if);
	strbuf_printf(&b, "message %s\n", a->message ? a->message : "");
	print(out, &b);
}

/* Types a text key by key, as a person would. */
static void type(struct app *a, const char *text)
{
	for (size_t n = strlen(text), used; n > 0; text += used, n -= used)
		app_key(a, utf8_decode(text, n, &used));
}

/* Two numbers around a separator; false when they are not there. */
static bool two_numbers(const char *text, const char *between, int *x, int *y)
{
	char *end;
	*x = (int)strtol(text, &end, 10);
	if (end == text || strncmp(end, between, strlen(between)) != 0)
		return false;
	const char *second = end + strlen(between);
	*y = (int)strtol(second, &end, 10);
	return end != second && *end == 0;
}

static bool run_step(struct app *a, const char *step, FILE *out)
{
	int x, y;
	app_wait(a, -1);
	if (!*step || *step == '#' || strcmp(step, "wait") == 0)
		return true;
	if (strncmp(step, "dump", 4) == 0 && (!step[4] || strcmp(step, "dump styles") == 0))
		dump(a, step[4] != 0, out);
	else if (strcmp(step, "state") == 0)
		put_state(a, out);
	else if (strncmp(step, "type ", 5) == 0)
		type(a, step + 5);
	else if (strncmp(step, "paste ", 6) == 0)
		app_paste(a, step + 6, strlen(step + 6));
	else if (strncmp(step, "size ", 5) == 0 && two_numbers(step + 5, "x", &x, &y))
		app_resize(a, x, y);
	else if (strncmp(step, "click ", 6) == 0 && two_numbers(step + 6, " ", &x, &y)) {
		app_compose(a);
		app_pointer(a, POINTER_CLICK, x, y);
	} else if (strncmp(step, "drag ", 5) == 0 && two_numbers(step + 5, " ", &x, &y)) {
		app_compose(a);
		app_pointer(a, POINTER_DRAG, x, y);
		app_pointer(a, POINTER_RELEASE, x, y);
	} else if (*step == ':' && step[1]) { /* as if it were typed: what was said before is gone */
		app_forget_message(a);
		if (a->page == PAGE_MESSAGE || a->page == PAGE_EXPLAIN)
			page_close(a);
		prompt_close(a);
		app_command(a, step + 1);
	} else if (key_parse(step))
		app_key(a, key_parse(step));
	else
		return false;
	return true;
}

int app_script(struct app *a, const char *script, unsigned cols, unsigned rows, FILE *out)
{
	unsigned line = 0;
	app_resize(a, cols < 4096 ? (int)cols : 4096, rows < 4096 ? (int)rows : 4096);
	while (*script && !a->done) {
		size_t n = strcspn(script, "\n");
		char *step = mem_strndup(script, n);
		for (size_t end = n; end > 0 && (step[end - 1] == '\r' || step[end - 1] == ' ');)
			step[--end] = 0;
		bool good = run_step(a, step, out);
		line++;
		if (!good) {
			struct strbuf b = STRBUF_INIT;
			strbuf_printf(&b, "script line %u: not understood: %s\n", line, step);
			print(out, &b);
		}
		free(step);
		if (!good)
			return 2;
		script += n + (script[n] == '\n');
	}
	app_wait(a, -1);
	return 0;
}
