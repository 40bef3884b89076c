/* actions: the one table of what a person can do. Keys, help, `:` commands, completion and the list in the man
 * page come from it; analyses and views bring their own rows.
 */
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

struct select_context app_context(struct app *a, const struct idset *here)
{
	return (struct select_context){.fabric = a->fabric, .here = here, .selected = &a->selected,
				       .names = a->names.at, .name_count = a->names.n};
}

struct idset app_under(struct app *a)
{
	struct idset out = idset_new(a->fabric->device_count);
	struct rect in[PANE_COUNT];
	app_layout(a, in);
	struct scene s = app_scene(a);
	/* A folded run is under the cursor of the canvas; the other panes show one thing. */
	if (a->focus == PANE_CANVAS && a->view && !a->view->refuses(a->fabric))
		a->view->under(&s, in[PANE_CANVAS], &out);
	if (!idset_is_empty(&out))
		return out;
	if (a->cursor.kind == TARGET_DEVICE || a->cursor.kind == TARGET_TRUNK)
		idset_add(&out, app_cursor_device(a));
	else if (a->cursor.kind == TARGET_MODULE)
		idset_add_range(&out, a->fabric->modules.at[a->cursor.id].first_device,
				a->fabric->modules.at[a->cursor.id].end_device);
	return out;
}

char *app_subject(struct app *a)
{
	struct strbuf b = STRBUF_INIT;
	if (a->cursor.kind == TARGET_TRUNK && a->focus == PANE_CANVAS) {
		device_path(a->fabric, a->fabric->trunks[a->cursor.id].a, &b);
		strbuf_puts(&b, "--");
		device_path(a->fabric, a->fabric->trunks[a->cursor.id].b, &b);
		char *trunk = mem_strdup(strbuf_str(&b));
		strbuf_free(&b);
		return trunk;
	}
	struct idset under = app_under(a), both = idset_copy(&under);
	idset_intersect(&both, &a->selected);
	bool selected = !idset_is_empty(&both);
	select_put(a->fabric, selected ? &a->selected : &under, &b);
	char *text = b.n ? mem_strdup(strbuf_str(&b)) : NULL;
	strbuf_free(&b);
	idset_free(&both);
	idset_free(&under);
	return text;
}

/* ---- moving ------------------------------------------------------------------------------------------------ */

#define MOVE(name, move)                                  \
	static void name(struct app *a, const char *args) \
	{                                                 \
		(void)args;                               \
		app_move(a, move);                        \
	}
MOVE(move_up, MOVE_UP)
MOVE(move_down, MOVE_DOWN)
MOVE(move_left, MOVE_LEFT)
MOVE(move_right, MOVE_RIGHT)
MOVE(move_first, MOVE_FIRST)
MOVE(move_last, MOVE_LAST)
MOVE(move_page_up, MOVE_PAGE_UP)
MOVE(move_page_down, MOVE_PAGE_DOWN)

static void next_pane(struct app *a, const char *args)
{
	(void)args;
	app_focus(a, 1);
}

static void previous_pane(struct app *a, const char *args)
{
	(void)args;
	app_focus(a, -1);
}

static void enter(struct app *a, const char *args)
{
	(void)args;
	app_enter(a);
}

static void peer(struct app *a, const char *args)
{
	(void)args;
	app_peer(a);
}

static void up_level(struct app *a, const char *args)
{
	(void)args;
	app_up(a);
}

/* ---- selecting ----------------------------------------------------------------------------------------------- */

static void toggle_under(struct app *a)
{
	struct idset under = app_under(a), missing = idset_copy(&under);
	idset_subtract(&missing, &a->selected);
	if (idset_is_empty(&missing))
		idset_subtract(&a->selected, &under);
	else
		idset_union(&a->selected, &under);
	idset_free(&under);
	idset_free(&missing);
}

static void select_text(struct app *a, const char *args)
{
	if (!*args) {
		toggle_under(a);
		return;
	}
	struct diag d = {0};
	struct idset out, here = app_under(a);
	struct select_context c = app_context(a, &here);
	if (select_eval(&c, args, (struct mark){0}, &d, &out) == OK) {
		idset_free(&a->selected);
		a->selected = idset_copy(&out);
		a->ranging = false;
	} else {
		app_say(a, LEVEL_ERROR, "%s%s%s", d.messages.n ? d.messages.at[0].text : "matches nothing",
			d.messages.n && d.messages.at[0].hint ? " · " : "",
			d.messages.n && d.messages.at[0].hint ? d.messages.at[0].hint : "");
	}
	idset_free(&out);
	idset_free(&here);
	diag_free(&d);
}

static void range(struct app *a, const char *args)
{
	(void)args;
	app_range(a);
}

/* What was begun last is given up first. */
static void clear(struct app *a, const char *args)
{
	(void)args;
	if (a->run || a->queue.n) {
		app_cancel(a);
	} else if (a->ranging) {
		a->ranging = false;
		idset_free(&a->selected);
		a->selected = idset_copy(&a->range_base);
	} else if (!idset_is_empty(&a->found)) {
		idset_free(&a->found);
		a->found = idset_new(a->fabric->device_count);
	} else if (!idset_is_empty(&a->selected)) {
		idset_free(&a->selected);
		a->selected = idset_new(a->fabric->device_count);
	} else {
		a->dismissed = true;
	}
}

static void search(struct app *a, const char *args)
{
	if (*args)
		app_search(a, args);
	else
		prompt_open(a, '/', "");
}

static void next_hit(struct app *a, const char *args)
{
	(void)args;
	app_next_hit(a, 1);
}

static void previous_hit(struct app *a, const char *args)
{
	(void)args;
	app_next_hit(a, -1);
}

static void keep(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (*args)
		strbuf_puts(&b, args);
	else
		select_put(a->fabric, &a->selected, &b);
	if (!b.n) {
		app_say(a, LEVEL_NOTE, "select something first");
	} else {
		free(a->kept);
		a->kept = mem_strdup(strbuf_str(&b));
		app_say(a, LEVEL_NOTE, "A is %s", a->kept);
	}
	strbuf_free(&b);
}

/* Saves the selection under a name, or lists those that are saved. */
static void name(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (*args)
		select_put(a->fabric, &a->selected, &b);
	if (*args && !b.n) {
		app_say(a, LEVEL_NOTE, "select something first");
	} else if (*args) {
		size_t i = 0;
		while (i < a->names.n && strcmp(a->names.at[i].name, args) != 0)
			i++;
		if (i == a->names.n)
			vec_push(&a->names, (struct named_selection){.name = mem_strdup(args)});
		free((char *)a->names.at[i].selection);
		a->names.at[i].selection = mem_strdup(strbuf_str(&b));
		app_say(a, LEVEL_NOTE, "@%s is %s", args, a->names.at[i].selection);
	} else {
		for (size_t i = 0; i < a->names.n; i++)
			strbuf_printf(&b, "@%s  %s\n", a->names.at[i].name, a->names.at[i].selection);
		page_open(a, PAGE_MESSAGE, mem_strdup(b.n ? strbuf_str(&b) : "no selection has a name; :name NAME gives it one\n"));
	}
	strbuf_free(&b);
}

/* Selects what is within some hops of the selection, or of what is under the cursor. */
static void near(struct app *a, const char *args)
{
	const struct fabric *f = a->fabric;
	long hops = *args ? strtol(args, NULL, 10) : 1;
	struct idset set = idset_is_empty(&a->selected) ? app_under(a) : idset_copy(&a->selected);
	for (; hops > 0; hops--) {
		struct idset edge = idset_copy(&set);
		idset_each(d, &edge)
			for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
				if (trunk_links(f, app_overlay(a), f->incident[i]) != 0)
					idset_add(&set, trunk_other(f, f->incident[i], d));
		bool grew = !idset_equal(&edge, &set);
		idset_free(&edge);
		if (!grew)
			break;
	}
	idset_free(&a->selected);
	a->selected = set;
	app_say(a, LEVEL_NOTE, "%u devices; o shows only them", idset_count(&a->selected));
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

static void explain(struct app *a, const char *args)
{
	struct shown_result shown[1];
	struct strbuf b = STRBUF_INIT;
	(void)args;
	if (!answers_shown(a, shown, 1) || !shown[0].result->json) {
		app_say(a, LEVEL_NOTE, "nothing was asked yet; b asks for the bisection");
		return;
	}
	shown[0].result->analysis->explain(shown[0].result->json, &b);
	page_open(a, PAGE_EXPLAIN, mem_strdup(strbuf_str(&b)));
	strbuf_free(&b);
}

static void older(struct app *a, const char *args)
{
	(void)args;
	answers_look(a, 1);
}

static void newer(struct app *a, const char *args)
{
	(void)args;
	answers_look(a, -1);
}

static void over(struct app *a, const char *args)
{
	if (app_over(a, args))
		app_say(a, LEVEL_NOTE, "over %s", a->over ? a->over : "all kinds that count");
}

static void cancel(struct app *a, const char *args)
{
	(void)args;
	if (a->run || a->queue.n)
		app_cancel(a);
	else
		app_say(a, LEVEL_NOTE, "nothing runs; Q quits");
}

/* ---- what-if ---------------------------------------------------------------------------------------------------- */

static void fail(struct app *a, const char *args)
{
	char *text = *args ? mem_strdup(args) : app_subject(a);
	if (text)
		app_change(a, false, text);
	free(text);
}

static void derate(struct app *a, const char *args)
{
	if (*args) {
		app_change(a, true, args);
		return;
	}
	char *text = app_subject(a);
	if (!text)
		return;
	char *line = strstr(text, "--") ? mem_printf("derate %s=50%%", text) : mem_printf("derate (%s)--~(%s)=50%%", text, text);
	prompt_open(a, ':', line);
	free(line);
	free(text);
}

static void undo(struct app *a, const char *args)
{
	(void)args;
	app_undo(a, -1);
}

static void redo(struct app *a, const char *args)
{
	(void)args;
	app_undo(a, 1);
}

/* ---- looking ------------------------------------------------------------------------------------------------------- */

void app_show_view(struct app *a, const struct view *v)
{
	const char *why = v->refuses(a->fabric);
	if (why)
		app_say(a, LEVEL_WARNING, "%s: %s", v->name, why);
	else
		a->view = v;
	a->focus = PANE_CANVAS;
}

static void view(struct app *a, const char *args)
{
	const struct view *v = view_find(args);
	if (v)
		app_show_view(a, v);
	else
		app_say(a, LEVEL_ERROR, "there is no view %s", args);
}

static void color(struct app *a, const char *args)
{
	unsigned mode = ((unsigned)a->color + 1) % COLOR_MODE_COUNT;
	if (*args)
		for (mode = 0; mode < COLOR_MODE_COUNT && strcmp(args, color_mode_names[mode]) != 0; mode++)
			;
	if (mode == COLOR_MODE_COUNT) {
		app_say(a, LEVEL_ERROR, "there is no colour mode %s", args);
		return;
	}
	a->color = (enum color_mode)mode;
	if (mode == COLOR_AUTO)
		app_say(a, LEVEL_NOTE, "colours by what was asked last");
	else
		app_say(a, LEVEL_NOTE, "colours by %s", color_mode_names[mode]);
}

/* Another word from a list: the one that is asked for, or the next one. */
static bool choose(struct app *a, const char *args, const char *const *words, unsigned n, unsigned *at)
{
	if (!*args) {
		*at = (*at + 1) % n;
		return true;
	}
	for (unsigned i = 0; i < n; i++)
		if (strcmp(words[i], args) == 0) {
			*at = i;
			return true;
		}
	app_say(a, LEVEL_ERROR, "there are no %s to show; %s, %s or %s", args, words[0], words[1], words[2]);
	return false;
}

static void show(struct app *a, const char *args)
{
	unsigned cells = a->cells, rows = a->table.rows;
	bool in_table = strcmp(a->view->name, "table") == 0, in_matrix = strcmp(a->view->name, "matrix") == 0;
	if (!in_table && !in_matrix) {
		app_say(a, LEVEL_NOTE, "this view shows one thing only; 5 is the matrix, 6 the table");
	} else if (in_matrix && choose(a, args, matrix_cell_names, CELL_KINDS, &cells)) {
		a->cells = (enum matrix_cells)cells;
	} else if (in_table && choose(a, args, table_row_names, ROWS_KINDS, &rows)) {
		a->table.rows = (enum table_rows)rows;
		a->table.sort = 0;
		a->table.reversed = false;
		free((char *)a->table.filter); /* its words were about other rows */
		a->table.filter = NULL;
		free((char *)a->table.columns);
		a->table.columns = NULL;
		if (a->cursor.kind == TARGET_TRUNK && rows != ROWS_TRUNKS)
			a->cursor = (struct target){TARGET_DEVICE, app_cursor_device(a)};
	}
}

/* By the next column, or by one that is named; "" behind the last one is the order of the file. */
static void sort(struct app *a, const char *args)
{
	unsigned n = 0, at = 0;
	for (; table_column(a->table.rows, n); n++)
		if (*args && strcmp(table_column(a->table.rows, n), args) == 0)
			at = n + 1;
	if (*args && !at) {
		app_say(a, LEVEL_ERROR, "there is no column %s", args);
		return;
	}
	a->table.sort = *args ? at : (a->table.sort + 1) % (n + 1);
	app_show_view(a, view_find("table"));
	if (a->table.sort)
		app_say(a, LEVEL_NOTE, "sorted by %s; S reverses", table_column(a->table.rows, a->table.sort - 1));
	else
		app_say(a, LEVEL_NOTE, "in the order of the file");
}

static void reverse(struct app *a, const char *args)
{
	(void)args;
	a->table.reversed = !a->table.reversed;
	a->table.sort += a->table.sort == 0;
	app_show_view(a, view_find("table"));
}

static void filter(struct app *a, const char *args)
{
	free((char *)a->table.filter);
	a->table.filter = *args ? mem_strdup(args) : NULL;
	app_show_view(a, view_find("table"));
}

static void ask_filter(struct app *a, const char *args)
{
	if (*args)
		filter(a, args);
	else if (a->table.filter)
		filter(a, "");
	else
		prompt_open(a, ':', "filter ");
}

static void columns(struct app *a, const char *args)
{
	free((char *)a->table.columns);
	a->table.columns = *args ? mem_strdup(args) : NULL;
	app_show_view(a, view_find("table"));
}

static void hide(struct app *a, const char *args)
{
	struct idset under = app_under(a);
	(void)args;
	idset_union(&a->hidden, &under);
	app_say(a, LEVEL_NOTE, "%u hidden; X shows all", idset_count(&a->hidden));
	idset_free(&under);
}

static void only(struct app *a, const char *args)
{
	struct idset keep_these = idset_is_empty(&a->selected) ? app_under(a) : idset_copy(&a->selected);
	(void)args;
	idset_complement(&keep_these);
	idset_free(&a->hidden);
	a->hidden = keep_these;
	app_say(a, LEVEL_NOTE, "%u hidden; X shows all", idset_count(&a->hidden));
}

static void show_all(struct app *a, const char *args)
{
	(void)args;
	idset_free(&a->hidden);
	a->hidden = idset_new(a->fabric->device_count);
}

static void fold(struct app *a, const char *args)
{
	(void)args;
	app_fold(a);
}

static void zoom_in(struct app *a, const char *args)
{
	(void)args;
	a->zoom += a->zoom < 1;
}

static void zoom_out(struct app *a, const char *args)
{
	(void)args;
	a->zoom -= a->zoom > -1;
}

static void zoom_reset(struct app *a, const char *args)
{
	(void)args;
	a->zoom = 0;
	idset_free(&a->unfolded);
	a->unfolded = idset_new((uint32_t)a->fabric->modules.n);
}

/* ---- session ---------------------------------------------------------------------------------------------------------- */

static void command(struct app *a, const char *args)
{
	prompt_open(a, ':', args);
}

static void help(struct app *a, const char *args)
{
	(void)args;
	page_open(a, PAGE_HELP, NULL);
}

static void open_file(struct app *a, const char *args)
{
	struct diag d = {0};
	if (!*args) {
		prompt_open(a, ':', "open ");
		return;
	}
	if (!app_reopen(a, args, &d)) {
		struct strbuf b = STRBUF_INIT;
		diag_put(&b, &d, false);
		page_open(a, PAGE_MESSAGE, mem_strdup(strbuf_str(&b)));
		strbuf_free(&b);
		app_say(a, LEVEL_ERROR, "%s was not opened; what was loaded stays", args);
	}
	diag_free(&d);
}

static void set(struct app *a, const char *args)
{
	if (strchr(args, '='))
		app_set(a, args);
	else
		prompt_open(a, ':', "set ");
}

static void parameters(struct app *a, const char *args)
{
	(void)args;
	params_open(a);
}

/* The fabric as a description, with the what-if as its faults. */
static void write_description(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (!*args) {
		prompt_open(a, ':', "write what-if.yaml");
		return;
	}
	describe_write(a->fabric, app_overlay(a), &b);
	app_write(a, args, &b);
	strbuf_free(&b);
}

static void reload(struct app *a, const char *args)
{
	(void)args;
	app_reload(a);
}

static void export_screen(struct app *a, const char *args)
{
	if (!*args)
		prompt_open(a, ':', "export toponaut.svg");
	else
		app_export(a, args);
}

static void mouse(struct app *a, const char *args)
{
	(void)args;
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
			return;
		}
	a->scheme = -1;
	if (*args && strcmp(args, "dark") != 0)
		app_say(a, LEVEL_ERROR, "there is no theme %s; dark, light, safe or mono", args);
}

static void suspend(struct app *a, const char *args)
{
	(void)args;
	a->suspends = true;
}

static void quit(struct app *a, const char *args)
{
	(void)args;
	a->done = true;
}

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

const struct action actions[] = {
	{"up", "k Up", "", "Move", NULL, "up", move_up},
	{"down", "j Down", "", "Move", NULL, "down", move_down},
	{"left", "h Left", "", "Move", NULL, "left, out of a tray", move_left},
	{"right", "l Right", "", "Move", NULL, "right, into a tray", move_right},
	{"first", "g Home", "", "Move", NULL, "to the first", move_first},
	{"last", "G End", "", "Move", NULL, "to the last", move_last},
	{"page-up", "PageUp C-b", "", "Move", NULL, "a page up", move_page_up},
	{"page-down", "PageDown C-f", "", "Move", NULL, "a page down", move_page_down},
	{"next-pane", "Tab", "", "Move", NULL, "to the next pane", next_pane},
	{"previous-pane", "BackTab", "", "Move", NULL, "to the previous pane", previous_pane},
	{"enter", "Enter", "", "Move", NULL, "open, unfold, or show in the inspector", enter},
	{"peer", "P", "", "Move", NULL, "along a link to its other end; again: the next link", peer},
	{"up-level", "q Backspace", "", "Move", NULL, "up one level", up_level},
	{"select", "Space", "[EXPR]", "Select", "select", "toggle what is under the cursor, or select an expression", select_text},
	{"range", "v", "", "Select", NULL, "select from here on while moving", range},
	{"clear", "Esc", "", "Select", NULL, "give up: job, range, search, selection, cut", clear},
	{"search", "/", "[TEXT]", "Select", "search", "search names, or by a selection", search},
	{"next", "n", "", "Select", NULL, "next hit", next_hit},
	{"previous", "N", "", "Select", NULL, "previous hit", previous_hit},
	{"near", "K", "[HOPS]", "Select", NULL, "add what is a hop away from the selection, or under the cursor", near},
	{"name", "", "[NAME]", "Select", NULL, "save the selection as @NAME, or list those saved", name},
	{"keep", "a", "[EXPR]", "Select", NULL, "keep the selection as A of a min cut", keep},
	{"analyze", "", "NAME...", "Ask", NULL, "ask several questions", analyze},
	{"explain", "e", "", "Ask", "explain", "how the answer follows", explain},
	{"older", "[", "", "Ask", NULL, "look at an older result", older},
	{"newer", "]", "", "Ask", NULL, "look at a newer result", newer},
	{"over", "", "[KIND,...]", "Ask", NULL, "which link kinds count", over},
	{"cancel", "C-c", "", "Ask", NULL, "cancel what runs", cancel},
	{"fail", "f", "[SELECTION|A--B]", "What if", "fail", "fail what is under the cursor", fail},
	{"derate", "d", "[A--B=50%]", "What if", NULL, "slow links down", derate},
	{"undo", "u", "", "What if", "undo", "undo a what-if", undo},
	{"redo", "C-r", "", "What if", NULL, "do it again", redo},
	{"view", "", "NAME", "Look", NULL, "another view", view},
	{"color", "c", "[MODE]", "Look", NULL, "colour by class, side, state, tier or load", color},
	{"hide", "x", "", "Look", NULL, "hide what is under the cursor", hide},
	{"only", "o", "", "Look", NULL, "show only the selection", only},
	{"show-all", "X", "", "Look", NULL, "show what was hidden", show_all},
	{"show", "w", "[WHAT]", "Look", NULL, "matrix: links, hops, rate; table: devices, trunks, ports", show},
	{"sort", "s", "[COLUMN]", "Look", NULL, "sort the table by the next column", sort},
	{"reverse", "S", "", "Look", NULL, "turn the order of the table round", reverse},
	{"filter", "F", "[TEXT]", "Look", NULL, "rows of the table that have these words, or all", ask_filter},
	{"columns", "", "[NAME,...]", "Look", NULL, "these columns of the table, or all", columns},
	{"fold", "z", "", "Look", NULL, "fold or unfold", fold},
	{"zoom-in", "+ =", "", "Look", NULL, "fold less", zoom_in},
	{"zoom-out", "-", "", "Look", NULL, "fold more", zoom_out},
	{"zoom-reset", "0", "", "Look", NULL, "fold as it fits", zoom_reset},
	{"command", ":", "", "Session", "command", "a command line; Tab completes", command},
	{"help", "? F1", "", "Session", "help", "this page", help},
	{"open", "", "FILE", "Session", NULL, "open a file or layout", open_file},
	{"set", "", "NAME=VALUE", "Session", NULL, "change a parameter and reload", set},
	{"parameters", "p", "", "Session", NULL, "change parameters with the arrows", parameters},
	{"write", "", "[FILE]", "Session", NULL, "write the fabric as .yaml, the what-if as its faults", write_description},
	{"reload", "R", "", "Session", NULL, "read the file again", reload},
	{"export", "E", "[FILE]", "Session", NULL, "write this screen as .txt or .svg", export_screen},
	{"mouse", "M", "", "Session", NULL, "mouse on or off", mouse},
	{"theme", "", "[NAME]", "Session", NULL, "colours: dark, light, safe for the colour-blind, mono", theme},
	{"bind", "", "KEY COMMAND", "Session", NULL, "a key of your own", bind_key},
	{"suspend", "C-z", "", "Session", NULL, "to the shell", suspend},
	{"quit", "Q", "", "Session", "quit", "quit", quit},
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
	if (x->run != keep)
		return true;
	for (size_t i = 0; i < analysis_count; i++)
		if (strcmp(analyses[i].operands, "A B") == 0)
			return true;
	return false;
}

void app_run_action(struct app *a, const struct action *x, const char *args)
{
	bool needs_fabric = strcmp(x->group, "Session") != 0 || x->run == reload || x->run == set || x->run == parameters ||
			    x->run == write_description;
	if (!a->fabric && needs_fabric) {
		app_say(a, LEVEL_NOTE, "nothing is open; :open FILE");
		return;
	}
	x->run(a, args);
	a->changed = true;
}
