/* linear: a session without a screen, for screen readers, braille lines and pipes: a command or key a line in, a fact
 * a line out. What is said is what the panes would show: messages, the inspector, results, pages.
 */
#include <stdio.h>

#include "app/app_internal.h"

struct said {
	struct target cursor;
	uint64_t answers; /* of what is answered: another one when that changes */
	uint32_t selected, hidden;
	const struct view *view;
};

static void put_inspector(struct app *a, struct strbuf *b)
{
	struct scene s = app_scene(a);
	struct canvas c = canvas_new(120, 60, a->canvas.ascii);
	struct strbuf text = STRBUF_INIT;
	inspector_draw(&s, &c, RECT(0, 0, c.cols, c.rows));
	canvas_put_text(&c, &text);
	for (const char *at = strbuf_str(&text); *at;) {
		size_t n = strcspn(at, "\n"), blank = strspn(at, " ");
		if (blank < n)
			strbuf_printf(b, "%.*s\n", (int)(n - blank), at + blank);
		at += n + (at[n] == '\n');
	}
	strbuf_free(&text);
	canvas_free(&c);
}

static void put_answer(struct app *a, struct strbuf *b)
{
	struct shown_result shown[1];
	size_t left, right;
	if (beside_pair(a, &left, &right)) {
		struct shown_result pair[2] = {answer_show(a, left), answer_show(a, right)};
		strbuf_printf(b, "A %s\nB %s\nfrom A to B: ", pair[0].command, pair[1].command);
		beside_put(&pair[0], &pair[1], b);
		strbuf_putc(b, '\n');
	}
	if (!answers_shown(a, shown, 1))
		return;
	if (shown[0].result->failed || !shown[0].result->json)
		strbuf_printf(b, "%s %s\n", shown[0].result->analysis->name, shown[0].result->text ? shown[0].result->text : "failed");
	else
		shown[0].result->analysis->put(shown[0].result->json, b);
	if (*shown[0].what_if)
		strbuf_printf(b, "with %s\n", shown[0].what_if);
	strbuf_printf(b, "$ %s\n", shown[0].command);
}

static void put_number(struct strbuf *b, uint32_t n, const char *words)
{
	put_count(b, n);
	strbuf_printf(b, " %s\n", words);
}

/* What was to be typed belongs behind it, in one line. */
static void put_prompt(const struct app *a, struct strbuf *b)
{
	const char *text = strbuf_str(&a->prompt.text);
	size_t n = strlen(text);
	if (a->prompt.kind == '/')
		strbuf_puts(b, "write it in one line, like /name\n");
	else if (!n)
		strbuf_puts(b, "write it in one line, like :select @gpu\n");
	else
		strbuf_printf(b, "write it in one line, like :%s%s\n", text, text[n - 1] == ' ' ? "…" : "");
}

/* What is new since the last line. */
static void put_news(struct app *a, struct said *said, struct strbuf *b)
{
	uint64_t answers = a->answered * 64 + a->back * 2 + (a->beside != 0);
	if (a->page)
		page_put(a, b);
	page_close(a);
	if (a->prompt.kind)
		put_prompt(a, b);
	prompt_close(a);
	char *copied = app_copied(a); /* there is no terminal to take it */
	if (copied || a->message)
		strbuf_printf(b, "%s\n", copied ? copied : a->message);
	free(copied);
	if (!a->fabric)
		return;
	if (said->view && a->view != said->view)
		strbuf_printf(b, "view %s\n", a->view->name);
	if (answers != said->answers)
		put_answer(a, b);
	if (a->cursor.kind != said->cursor.kind || a->cursor.id != said->cursor.id)
		put_inspector(a, b);
	if (idset_count(&a->selected) != said->selected)
		put_number(b, idset_count(&a->selected), "selected");
	if (idset_count(&a->hidden) != said->hidden)
		put_number(b, idset_count(&a->hidden), "hidden");
	*said = (struct said){.cursor = a->cursor, .answers = answers, .selected = idset_count(&a->selected),
			      .hidden = idset_count(&a->hidden), .view = a->view};
}

static void do_line(struct app *a, const char *line)
{
	app_forget_message(a);
	if (*line == ':')
		app_command(a, line + 1);
	else if (*line == '/' && line[1] && a->fabric)
		app_search(a, line + 1);
	else if (key_parse(line))
		app_key(a, key_parse(line));
	else
		app_command(a, line);
}

int app_linear(struct app *a, FILE *in, FILE *out)
{
	enum { LINE = 8192 };
	char *line = mem_alloc(LINE);
	struct strbuf b = STRBUF_INIT;
	struct said said = {0};
	if (a->fabric)
		strbuf_printf(&b, "%s: %s\n", a->fabric->title && *a->fabric->title ? a->fabric->title : a->operand, app_facts(a));
	put_news(a, &said, &b);
	strbuf_puts(&b, "? lists keys and commands, Q ends\n");
	for (;;) {
		fwrite(strbuf_str(&b), 1, b.n, out);
		fflush(out);
		strbuf_trim(&b, 0);
		if (a->done || !fgets(line, LINE, in))
			break;
		line[strcspn(line, "\r\n")] = 0;
		do_line(a, line);
		app_wait(a, -1);
		put_news(a, &said, &b);
		if (!b.n && *line && !a->done) /* nothing that could be said of it */
			strbuf_puts(&b, "done\n");
	}
	strbuf_free(&b);
	free(line);
	return 0;
}
