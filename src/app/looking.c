/* looking: which view and which colours, what of the fabric is shown, and in which order. */
#include "app/app_internal.h"

void app_show_view(struct app *a, const struct view *v)
{
	const char *why = v->refuses(a->fabric);
	if (why)
		app_say(a, LEVEL_WARNING, "%s: %s", v->name, why);
	else
		a->view = v;
	a->focus = PANE_CANVAS;
}

void app_view(struct app *a, const char *args)
{
	const struct view *v = view_find(args);
	if (v)
		app_show_view(a, v);
	else
		app_say(a, LEVEL_ERROR, "there is no view %s", args);
}

/* The next mode that shows something other than what is seen now. */
static unsigned next_mode(struct app *a)
{
	struct scene s = app_scene(a);
	unsigned mode = (unsigned)a->color, seen = (unsigned)scene_mode(&s);
	do
		mode = (mode + 1) % COLOR_MODE_COUNT;
	while (mode != (unsigned)a->color && mode != COLOR_AUTO && (mode == seen || !color_applies(&s, (enum color_mode)mode)));
	return mode;
}

void app_color(struct app *a, const char *args)
{
	unsigned mode = *args ? 0 : next_mode(a);
	if (*args)
		for (mode = 0; mode < COLOR_MODE_COUNT && strcmp(args, color_mode_names[mode]) != 0; mode++)
			;
	if (mode == COLOR_MODE_COUNT) {
		app_say(a, LEVEL_ERROR, "there is no colour mode %s", args);
		return;
	}
	if (!*args && mode == (unsigned)a->color) {
		app_say(a, LEVEL_NOTE, "nothing else to colour by yet; b finds sides, B tiers");
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
	struct strbuf list = STRBUF_INIT;
	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&list, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
	app_say(a, LEVEL_ERROR, "there are no %s to show; %s", args, strbuf_str(&list));
	strbuf_free(&list);
	return false;
}

void app_show(struct app *a, const char *args)
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
void app_sort(struct app *a, const char *args)
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

void app_reverse(struct app *a)
{
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

void app_filter(struct app *a, const char *args)
{
	if (*args)
		filter(a, args);
	else if (a->table.filter)
		filter(a, "");
	else
		prompt_open(a, ':', "filter ");
}

static bool is_column(const struct app *a, const char *name, size_t n)
{
	unsigned i = 0;
	const char *column;
	while ((column = table_column(a->table.rows, i)) && (strlen(column) != n || strncmp(column, name, n) != 0))
		i++;
	return column != NULL;
}

void app_columns(struct app *a, const char *args)
{
	for (const char *at = args; *at;) {
		at += strspn(at, ", ");
		size_t n = strcspn(at, ",");
		while (n && at[n - 1] == ' ')
			n--;
		if (n && !is_column(a, at, n)) {
			app_say(a, LEVEL_ERROR, "there is no column %.*s", (int)n, at);
			return;
		}
		at += n + strspn(at + n, " ");
	}
	free((char *)a->table.columns);
	a->table.columns = *args ? mem_strdup(args) : NULL;
	app_show_view(a, view_find("table"));
}

void app_hide(struct app *a)
{
	struct idset under = app_under(a);
	idset_union(&a->hidden, &under);
	app_say_count(a, "", idset_count(&a->hidden), "", "", " hidden; X shows all");
	idset_free(&under);
}

void app_only(struct app *a)
{
	struct idset keep_these = idset_is_empty(&a->selected) ? app_under(a) : idset_copy(&a->selected);
	idset_complement(&keep_these);
	idset_free(&a->hidden);
	a->hidden = keep_these;
	app_say_count(a, "", idset_count(&a->hidden), "", "", " hidden; X shows all");
}

void app_show_all(struct app *a)
{
	idset_free(&a->hidden);
	a->hidden = idset_new(a->fabric->device_count);
}

void app_zoom_reset(struct app *a)
{
	a->zoom = 0;
	idset_free(&a->unfolded);
	a->unfolded = idset_new((uint32_t)a->fabric->modules.n);
}

void app_zoom(struct app *a, int step)
{
	a->zoom = a->zoom + step < -1 ? -1 : a->zoom + step > 1 ? 1 : a->zoom + step;
}
