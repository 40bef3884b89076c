/* actions: the one table of what a person can do. Keys, help, `:` commands, completion and the list in the man
 * page come from it; analyses and views bring their own rows.
 */
#include <unistd.h>

#include "app/app_internal.h"

void app_say(struct app *a, enum level level, const char *fmt, ...)
{
	va_list ap;
	struct strbuf b = STRBUF_INIT, clean = STRBUF_INIT;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	label_put(&clean, strbuf_str(&b), b.n, LABEL_MAX);
	free(a->message);
	a->message = mem_strdup(strbuf_str(&clean));
	a->message_level = level;
	a->changed = true;
	strbuf_free(&b);
	strbuf_free(&clean);
}

void app_forget_message(struct app *a)
{
	free(a->message);
	a->message = NULL;
}

void app_say_count(struct app *a, const char *before, uint64_t n, const char *one, const char *many, const char *behind)
{
	struct strbuf b = STRBUF_INIT;
	put_count(&b, n);
	app_say(a, LEVEL_NOTE, "%s%s%s%s", before, strbuf_str(&b), n == 1 ? one : many, behind);
	strbuf_free(&b);
}

/* ---- asking ---------------------------------------------------------------------------------------------------- */

static void analyze(struct app *a, const char *args)
{
	const char *names = *args ? args : "summary bisection";
	while (*names) {
		size_t n = strcspn(names, " ");
		char *name = mem_strndup(names, n);
		const struct analysis *x = n ? analysis_find(name) : NULL;
		names += n;
		names += strspn(names, " ");
		if (x && *x->operands) {
			app_ask(a, x, names); /* the rest are its operands */
			names = "";
		} else if (x) {
			app_ask(a, x, "");
		} else {
			app_say(a, LEVEL_ERROR, "there is no analysis %s", name);
			names = "";
		}
		free(name);
	}
}

static void explain(struct app *a)
{
	struct shown_result shown[1];
	struct strbuf b = STRBUF_INIT;
	if (!answers_shown(a, shown, 1) || !shown[0].result->json) {
		app_say(a, LEVEL_NOTE, "nothing was asked yet; b asks for the bisection");
		return;
	}
	const struct analysis *x = shown[0].result->analysis;
	(x->explain ? x->explain : x->put)(shown[0].result->json, &b); /* differences explain themselves */
	page_open(a, PAGE_EXPLAIN, mem_strdup(strbuf_str(&b)));
	strbuf_free(&b);
}

static void over(struct app *a, const char *args)
{
	if (app_over(a, args))
		app_say(a, LEVEL_NOTE, "over %s", a->over ? a->over : "all kinds that count");
}

static void cancel(struct app *a)
{
	if (a->run || a->queue.n)
		app_cancel(a);
	else
		app_say(a, LEVEL_NOTE, "nothing runs; Q quits");
}

/* ---- what-if ---------------------------------------------------------------------------------------------------- */

/* "=2", "50%": an amount alone is about what is under the cursor. */
static bool is_amount(const char *args)
{
	if (*args == '=')
		return true;
	size_t n = strspn(args, "0123456789.");
	n += strspn(args + n, " ");
	return n && args[n] == '%' && !args[n + 1];
}

/* What a change is about, with its amount; NULL when there is nothing under the cursor. Owned. */
static char *change_text(struct app *a, const char *args)
{
	if (*args && !is_amount(args))
		return mem_strdup(args);
	char *subject = app_subject(a);
	char *text = subject ? mem_printf("%s%s%s", subject, *args && *args != '=' ? "=" : "", args) : NULL;
	free(subject);
	return text;
}

static void fail(struct app *a, const char *args)
{
	char *text = change_text(a, args);
	if (text)
		app_change(a, false, text);
	free(text);
}

static void derate(struct app *a, const char *args)
{
	char *text = change_text(a, args);
	if (text && *args) {
		app_change(a, true, text);
	} else if (text) {
		char *line = mem_printf("derate %s=50%%", text);
		prompt_open(a, ':', line);
		free(line);
	}
	free(text);
}

static void restore(struct app *a, const char *args)
{
	char *text = change_text(a, args);
	if (text)
		app_restore(a, text);
	free(text);
}

/* ---- session ---------------------------------------------------------------------------------------------------------- */

static void command(struct app *a, const char *args)
{
	prompt_open(a, ':', args);
}

static void help(struct app *a)
{
	page_open(a, PAGE_HELP, NULL);
}

static void open_file(struct app *a, const char *args)
{
	if (*args)
		app_open_begin(a, args);
	else
		prompt_open(a, ':', "open ");
}

static void set(struct app *a, const char *args)
{
	char *line = mem_printf("set %s%s", args, *args ? "=" : "");
	if (strchr(args, '='))
		app_set(a, args, LOAD_SET);
	else
		prompt_open(a, ':', line);
	free(line);
}

/* Opens the prompt with a name that is free: files are never written over. */
static void offer_file(struct app *a, const char *command, const char *name, const char *ending)
{
	char *line = mem_printf("%s %s.%s", command, name, ending);
	for (unsigned i = 2; i < 1000 && access(line + strlen(command) + 1, F_OK) == 0; i++) {
		free(line);
		line = mem_printf("%s %s-%u.%s", command, name, i, ending);
	}
	prompt_open(a, ':', line);
	free(line);
}

/* The fabric as a description, with the what-if as its faults. */
static void write_description(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (!*args) {
		offer_file(a, "write", "what-if", "yaml");
		return;
	}
	describe_write_named(a->fabric, app_overlay(a), a->names.at, a->names.n, &b);
	app_write(a, args, &b);
	strbuf_free(&b);
}

static void export_screen(struct app *a, const char *args)
{
	if (!*args)
		offer_file(a, "export", "toponaut", "svg");
	else
		app_export(a, args);
}

static void mouse(struct app *a)
{
	a->mouse_off = !a->mouse_off;
	app_say(a, LEVEL_NOTE, a->mouse_off ? "the mouse selects text" : "the mouse moves the cursor");
}

static void bind_key(struct app *a, const char *args)
{
	if (*args)
		app_bind(a, args);
	else
		prompt_open(a, ':', "bind ");
}

/* How colours look; whatever the theme, nothing is said by colour alone. */
static void theme(struct app *a, const char *args)
{
	for (int i = 0; i < SCHEME_COUNT; i++)
		if (strcmp(scheme_names[i], args) == 0) {
			a->scheme = i;
			app_say(a, LEVEL_NOTE, "theme %s", args);
			return;
		}
	if (*args && strcmp(args, "dark") != 0) {
		app_say(a, LEVEL_ERROR, "there is no theme %s; dark, light, safe, true or mono", args);
		return;
	}
	a->scheme = -1;
	app_say(a, LEVEL_NOTE, "theme dark");
}

static void suspend(struct app *a)
{
	a->suspends = true;
}

static void quit(struct app *a)
{
	a->done = true;
}

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

const struct action actions[] = {
	{"up", "k Up", "", "Move", NULL, "up", .by = app_move, .n = MOVE_UP},
	{"down", "j Down", "", "Move", NULL, "down", .by = app_move, .n = MOVE_DOWN},
	{"left", "h Left", "", "Move", NULL, "left, out of a tray", .by = app_move, .n = MOVE_LEFT},
	{"right", "l Right", "", "Move", NULL, "right, into a tray", .by = app_move, .n = MOVE_RIGHT},
	{"first", "g Home", "", "Move", NULL, "to the first", .by = app_move, .n = MOVE_FIRST},
	{"last", "G End", "", "Move", NULL, "to the last", .by = app_move, .n = MOVE_LAST},
	{"page-up", "PageUp C-b", "", "Move", NULL, "a page up", .by = app_move, .n = MOVE_PAGE_UP},
	{"page-down", "PageDown C-f", "", "Move", NULL, "a page down", .by = app_move, .n = MOVE_PAGE_DOWN},
	{"next-pane", "Tab", "", "Move", NULL, "to the next pane", .by = app_focus, .n = 1},
	{"previous-pane", "BackTab", "", "Move", NULL, "to the previous pane", .by = app_focus, .n = -1},
	{"enter", "Enter", "", "Move", NULL, "open, unfold, or show in the inspector", .plain = app_enter},
	{"peer", "P", "", "Move", NULL, "along a link to its other end; again: the next link", .plain = app_peer},
	{"up-level", "q Backspace", "", "Move", NULL, "up one level", .plain = app_up},
	{"select", "Space", "[EXPR]", "Select", "select", "toggle what is under the cursor, or select an expression", .run = app_select},
	{"range", "v", "", "Select", NULL, "select from here on while moving", .plain = app_range},
	{"clear", "Esc", "", "Select", NULL, "give up: job, range, search, selection, cut", .plain = app_clear},
	{"search", "/", "[TEXT]", "Select", "search", "search names, or by a selection", .run = app_ask_search},
	{"next", "n", "", "Select", NULL, "next hit, or difference", .by = app_next_hit, .n = 1},
	{"previous", "N", "", "Select", NULL, "previous hit, or difference", .by = app_next_hit, .n = -1},
	{"near", "K", "[HOPS]", "Select", NULL, "add what is a hop away from the selection, or under the cursor", .run = app_near},
	{"name", "", "[NAME]", "Select", NULL, "save the selection as @NAME, or list those saved", .run = app_name},
	{"alike", "*", "[LIKENESS]", "Select", NULL, "select what is alike: type, rail, plane, tier, class", .run = app_alike},
	{"back", "U", "", "Select", NULL, "what was selected and hidden before", .by = looks_walk, .n = -1},
	{"forward", "C-u", "", "Select", NULL, "and after that", .by = looks_walk, .n = 1},
	{"mark", "\"", "[LETTER]", "Select", NULL, "mark this place with a letter", .run = place_set},
	{"jump", "'", "[LETTER]", "Select", NULL, "to the mark of a letter; '' back", .run = place_jump},
	{"keep", "a", "[EXPR]", "Select", NULL, "keep the selection as A of a min cut", .run = app_keep},
	{"analyze", "", "NAME...", "Ask", NULL, "ask several questions", .run = analyze},
	{"explain", "e", "", "Ask", "explain", "how the answer follows", .plain = explain},
	{"older", "[", "", "Ask", NULL, "look at an older result", .by = answers_look, .n = 1},
	{"newer", "]", "", "Ask", NULL, "look at a newer result", .by = answers_look, .n = -1},
	{"beside", "C", "", "Ask", NULL, "this result beside another, [ ] choose it; again: one result", .plain = beside_toggle},
	{"over", "", "[KIND,...]", "Ask", NULL, "which link kinds count", .run = over},
	{"copy", "y", "[WHAT]", "Ask", NULL, "copy the command line that gives this result; or picture, selection, path", .run = app_copy},
	{"cancel", "C-c", "", "Ask", NULL, "cancel what runs", .plain = cancel},
	{"fail", "f", "[SELECTION|A--B[=N]]", "What if", "fail", "fail what is under the cursor; =2: so many of its links", .run = fail},
	{"derate", "d", "[A--B=50%|50%]", "What if", NULL, "slow links down", .run = derate},
	{"restore", "r", "[SELECTION|A--B]", "What if", NULL, "take back what is failed or derated under the cursor", .run = restore},
	{"faults", "O", "", "What if", NULL, "list what is failed and derated; take single ones back", .plain = faults_open},
	{"undo", "u", "", "What if", "undo", "undo a what-if", .by = app_undo, .n = -1},
	{"redo", "C-r", "", "What if", NULL, "do it again", .by = app_undo, .n = 1},
	{"view", "", "NAME", "Look", NULL, "another view", .run = app_view},
	{"color", "c", "[MODE]", "Look", NULL, "colour by class, side, state, tier, load, rail, plane, medium, difference", .run = app_color},
	{"hide", "x", "", "Look", NULL, "hide what is under the cursor", .plain = app_hide},
	{"only", "o", "", "Look", NULL, "show only the selection", .plain = app_only},
	{"show-all", "X", "", "Look", NULL, "show what was hidden", .plain = app_show_all},
	{"show", "w", "[WHAT]", "Look", NULL, "matrix: links, hops, rate; table: devices, trunks, ports", .run = app_show},
	{"sort", "s", "[COLUMN]", "Look", NULL, "sort the table by the next column", .run = app_sort},
	{"reverse", "S", "", "Look", NULL, "turn the order of the table round", .plain = app_reverse},
	{"filter", "F", "[TEXT]", "Look", NULL, "rows of the table that have these words, or all", .run = app_filter},
	{"columns", "", "[NAME,...]", "Look", NULL, "these columns of the table, or all", .run = app_columns},
	{"fold", "z", "", "Look", NULL, "fold or unfold", .plain = app_fold},
	{"zoom-in", "+ =", "", "Look", NULL, "fold less", .by = app_zoom, .n = 1},
	{"zoom-out", "-", "", "Look", NULL, "fold more", .by = app_zoom, .n = -1},
	{"zoom-reset", "0", "", "Look", NULL, "fold as it fits", .plain = app_zoom_reset},
	{"command", ":", "", "Session", "command", "a command line; Tab completes", .run = command},
	{"help", "? F1", "", "Session", "help", "this page", .plain = help},
	{"open", "", "FILE", "Session", NULL, "open a file or layout", .run = open_file},
	{"set", "", "NAME=VALUE", "Session", NULL, "change a parameter and reload", .run = set},
	{"parameters", "p", "", "Session", NULL, "change parameters with the arrows", .plain = params_open},
	{"write", "", "[FILE]", "Session", NULL, "write the fabric as .yaml: the what-if as faults, names as groups", .run = write_description},
	{"reload", "R", "", "Session", NULL, "read the file again", .plain = app_reload},
	{"export", "E", "[FILE]", "Session", NULL, "write this screen as .svg, .txt or .ansi, the result as .json or .csv", .run = export_screen},
	{"mouse", "M", "", "Session", NULL, "mouse on or off", .plain = mouse},
	{"theme", "", "[NAME]", "Session", NULL, "colours: dark, light, safe for the colour-blind, true, mono", .run = theme},
	{"bind", "", "KEY COMMAND", "Session", NULL, "a key of your own", .run = bind_key},
	{"suspend", "C-z", "", "Session", NULL, "to the shell", .plain = suspend},
	{"quit", "Q", "", "Session", "quit", "quit", .plain = quit},
};
const size_t action_count = ARRAY_LEN(actions);

const struct action *action_find(const char *name)
{
	for (size_t i = 0; i < action_count; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

/* A is of no use where no analysis takes two operands. */
bool action_applies(const struct action *x)
{
	if (x->run != app_keep)
		return true;
	for (size_t i = 0; i < analysis_count; i++)
		if (strcmp(analyses[i].operands, "A B") == 0)
			return true;
	return false;
}

/* All but what opens something, or is about the session alone. */
static bool needs_fabric(const struct action *x)
{
	return strcmp(x->group, "Session") != 0 || x->plain == app_reload || x->run == set || x->plain == params_open ||
	       x->run == write_description;
}

void app_run_action(struct app *a, const struct action *x, const char *args)
{
	if (!a->fabric && needs_fabric(x)) {
		app_say(a, LEVEL_NOTE, "nothing is open; :open FILE");
		return;
	}
	if (!x->run && *args)
		app_say(a, LEVEL_ERROR, "%s takes no words; %s was given", x->name, args);
	else if (x->run)
		x->run(a, args);
	else if (x->plain)
		x->plain(a);
	else
		x->by(a, x->n);
	looks_note(a);
	a->changed = true;
}
