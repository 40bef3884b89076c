/* commands: command lines that give what the screen shows, and the one that is copied. A terminal copies only when it is
 * told to (OSC 52), and it is told only when a person asks.
 */
#include "app/app_internal.h"

static void put_words(struct strbuf *b, const char *before, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_puts(b, before);
		put_shell_word(b, words[i]);
	}
}

/* The file, and how it is read. */
static void put_file(const struct app *a, struct strbuf *b)
{
	const struct io_options *io = &a->o.io;
	const char *operand = a->operand ? a->operand : "-";
	put_words(b, " ", &operand, 1);
	put_words(b, " --join ", io->joined, io->joined_count);
	put_words(b, " -D ", (const char *const *)a->defines.at, a->defines.n);
	put_words(b, " --from ", &io->from, io->from != NULL);
	put_words(b, " --rate ", io->rates, io->rate_count);
	put_words(b, " --gpu ", &io->gpu, io->gpu != NULL);
}

/* What counts, none of which is the default, and the what-if. */
static void put_counting(const struct app *a, const char *subject, struct strbuf *b)
{
	const char *over = a->over;
	put_words(b, " -s ", &subject, *subject != 0);
	put_words(b, " --over ", &over, over != NULL);
	if (a->o.unit >= 0)
		strbuf_printf(b, " --unit %s", module_kind_names[a->o.unit]);
	if (a->o.endpoints != CLASS_NONE)
		strbuf_printf(b, " --endpoints %s", class_names[a->o.endpoints]);
	strbuf_puts(b, a->o.transit_selected ? " --transit selected" : "");
	strbuf_puts(b, a->o.relay ? " --relay" : "");
	if (a->o.time_limit_ms >= 0 && a->o.time_limit_ms != 10000)
		strbuf_printf(b, " --time-limit %g", (double)a->o.time_limit_ms / 1000);
	if (a->o.seed > 1)
		strbuf_printf(b, " --seed %llu", (unsigned long long)a->o.seed);
	what_if_options_put(a, b);
}

static void put_question(const struct asked *q, struct strbuf *b)
{
	strbuf_printf(b, " %s", q->analysis->name);
	for (int i = 0; i < 2 && q->operand_text[i]; i++)
		put_words(b, " ", (const char *const *)&q->operand_text[i], 1);
}

char *command_of(const struct app *a, const struct asked *q)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, q->wanted.n ? "toponaut diff" : "toponaut analyze");
	put_words(&b, " ", (const char *const *)q->wanted.at, q->wanted.n);
	put_file(a, &b);
	if (!q->wanted.n) {
		put_question(q, &b);
		put_counting(a, q->subject, &b);
	}
	char *text = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

/* The picture, with the answer that is drawn on it. */
static void put_picture(struct app *a, struct strbuf *b)
{
	const struct answer *drawn = app_drawn(a);
	strbuf_puts(b, "toponaut show");
	put_file(a, b);
	if (drawn)
		put_question(drawn->asked, b);
	strbuf_printf(b, " -w %s", a->view->name);
	if (a->color != COLOR_AUTO)
		strbuf_printf(b, " --color-by %s", color_mode_names[a->color]);
	put_counting(a, drawn ? drawn->asked->subject : "", b);
}

static void copy(struct app *a, const struct strbuf *b)
{
	enum { MOST = 48 << 10 }; /* terminals drop what is longer */
	if (!b->n || b->n > MOST) {
		app_say(a, LEVEL_NOTE, b->n ? "that is too long for the terminal's clipboard" : "there is nothing to copy");
		return;
	}
	free(a->copied);
	a->copied = mem_strdup(strbuf_str(b));
	app_say(a, LEVEL_NOTE, "copied, where the terminal lets programs copy: %s", a->copied);
}

/* "result" (what is looked at; the picture before anything was asked), "picture", "selection" or "path". */
void app_copy(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	struct shown_result shown[1];
	bool asked = answers_shown(a, shown, 1) > 0;
	if ((!*args || strcmp(args, "result") == 0) && asked)
		strbuf_puts(&b, shown[0].command);
	else if (!*args || strcmp(args, "picture") == 0)
		put_picture(a, &b);
	else if (strcmp(args, "selection") == 0)
		select_put(a->fabric, &a->selected, &b);
	else if (strcmp(args, "path") == 0) {
		if (a->cursor.kind == TARGET_MODULE)
			module_path(a->fabric, a->cursor.id, &b);
		else if (app_cursor_device(a) != NONE)
			device_path(a->fabric, app_cursor_device(a), &b);
	} else if (strcmp(args, "result") != 0) {
		app_say(a, LEVEL_ERROR, "copy what: result, picture, selection or path?");
		strbuf_free(&b);
		return;
	}
	copy(a, &b);
	strbuf_free(&b);
}

char *app_copied(struct app *a)
{
	char *text = a->copied;
	a->copied = NULL;
	return text;
}
