/* commands: command lines that give what the screen shows, and the one that is copied. A terminal copies only when it is
 * told to (OSC 52), and it is told only when a person asks.
 */
#include "app/app_internal.h"

void command_put_file(const struct app *a, struct strbuf *b)
{
	const struct io_options *io = &a->o.io;
	put_shell_word(b, a->operand ? a->operand : "-");
	for (size_t i = 0; i < io->joined_count; i++) {
		strbuf_puts(b, " --join ");
		put_shell_word(b, io->joined[i]);
	}
	for (size_t i = 0; i < a->defines.n; i++) {
		strbuf_puts(b, " -D ");
		put_shell_word(b, a->defines.at[i]);
	}
	if (io->from)
		strbuf_printf(b, " --from %s", io->from);
	for (size_t i = 0; i < io->rate_count; i++) {
		strbuf_puts(b, " --rate ");
		put_shell_word(b, io->rates[i]);
	}
	if (io->gpu) {
		strbuf_puts(b, " --gpu ");
		put_shell_word(b, io->gpu);
	}
}

void command_put_counting(const struct app *a, struct strbuf *b)
{
	if (a->over) {
		strbuf_puts(b, " --over ");
		put_shell_word(b, a->over);
	}
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

/* The picture, with the answer that is drawn on it. */
static void put_picture(struct app *a, struct strbuf *b)
{
	const struct answer *drawn = app_drawn(a);
	strbuf_puts(b, "toponaut show ");
	command_put_file(a, b);
	if (drawn)
		strbuf_printf(b, " %s", drawn->asked->analysis->name);
	for (int i = 0; drawn && i < 2 && drawn->asked->operand_text[i]; i++) {
		strbuf_putc(b, ' ');
		put_shell_word(b, drawn->asked->operand_text[i]);
	}
	strbuf_printf(b, " -w %s", a->view->name);
	if (a->color != COLOR_AUTO)
		strbuf_printf(b, " --color-by %s", color_mode_names[a->color]);
	if (drawn && *drawn->asked->subject) {
		strbuf_puts(b, " -s ");
		put_shell_word(b, drawn->asked->subject);
	}
	command_put_counting(a, b);
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
