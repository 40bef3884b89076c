/* completion: what Tab offers behind a command: its own words, files, selections. */
#include <dirent.h>
#include <sys/stat.h>

#include "app/app_internal.h"

static bool takes_words(const char *command, const char *const *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(of[i], command) == 0)
			return true;
	return false;
}

bool command_takes_selection(const char *command)
{
	static const char *const names[] = {"select", "keep", "fail", "restore"};
	const struct analysis *x = analysis_find(command);
	return takes_words(command, names, ARRAY_LEN(names)) || (x && !*x->operands);
}

bool command_takes_files(const char *command)
{
	static const char *const names[] = {"open", "write", "export", "diff"};
	return takes_words(command, names, ARRAY_LEN(names));
}

/* ---- words ------------------------------------------------------------------------------------------------ */

struct offer {
	const char **out;
	size_t n, max;
};

static void offer(struct offer *o, const char *word)
{
	if (o->n < o->max)
		o->out[o->n++] = word;
}

static void offer_all(struct offer *o, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(o, words[i]);
}

static void offer_show(struct app *a, struct offer *o)
{
	if (strcmp(a->view->name, "table") == 0)
		offer_all(o, table_row_names, ROWS_KINDS);
	else
		offer_all(o, matrix_cell_names, CELL_KINDS);
}

size_t command_words(struct app *a, struct arena *arena, const char *command, const char **out, size_t max)
{
	static const char *const copies[] = {"result", "picture", "selection", "path"};
	struct offer o = {out, 0, max};
	if (strcmp(command, "view") == 0)
		for (size_t i = 0; i < view_count; i++)
			offer(&o, views[i].name);
	else if (strcmp(command, "color") == 0)
		offer_all(&o, color_mode_names, COLOR_MODE_COUNT);
	else if (strcmp(command, "analyze") == 0)
		for (size_t i = 0; i < analysis_count; i++)
			offer(&o, analyses[i].name);
	else if (strcmp(command, "theme") == 0)
		offer_all(&o, scheme_names, SCHEME_COUNT), offer(&o, "dark");
	else if (strcmp(command, "copy") == 0)
		offer_all(&o, copies, ARRAY_LEN(copies));
	else if (strcmp(command, "alike") == 0)
		for (unsigned i = 0; app_likeness(i); i++)
			offer(&o, app_likeness(i));
	else if (!a->fabric)
		return 0;
	else if (strcmp(command, "over") == 0)
		for (size_t i = 0; i < a->fabric->kinds.n; i++)
			offer(&o, fabric_str(a->fabric, a->fabric->kinds.at[i].name));
	else if (strcmp(command, "set") == 0)
		for (size_t i = 0; i < a->fabric->parameters.n; i++)
			offer(&o, arena_printf(arena, "%s=", a->fabric->parameters.at[i].name));
	else if (strcmp(command, "show") == 0)
		offer_show(a, &o);
	else if (strcmp(command, "sort") == 0 || strcmp(command, "columns") == 0)
		for (unsigned i = 0; table_column(a->table.rows, i); i++)
			offer(&o, table_column(a->table.rows, i));
	return o.n;
}

/* ---- files ------------------------------------------------------------------------------------------------ */

/* What can be typed and stays one word. */
static bool can_be_typed(const char *name, bool one_word)
{
	const char *clean = name;
	while (*clean && (unsigned char)*clean >= ' ' && *clean != 0x7f && (!one_word || *clean != ' '))
		clean++;
	return !*clean;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

size_t file_words(struct arena *arena, const char *typed, bool one_word, const char **out, size_t max)
{
	const char *slash = strrchr(typed, '/');
	size_t folder = slash ? (size_t)(slash - typed) + 1 : 0, n = 0;
	const char *where = folder ? arena_strndup(arena, typed, folder) : "./";
	DIR *dir = opendir(where);
	VEC(const char *) all = {0};
	for (const struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		if (strncmp(e->d_name, typed + folder, strlen(typed + folder)) != 0 || (e->d_name[0] == '.' && !typed[folder]) ||
		    strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || !can_be_typed(e->d_name, one_word))
			continue;
		bool is_folder = stat(arena_printf(arena, "%s%s", where, e->d_name), &st) == 0 && S_ISDIR(st.st_mode);
		vec_push(&all, arena_printf(arena, "%.*s%s%s", (int)folder, typed, e->d_name, is_folder ? "/" : ""));
	}
	if (dir)
		closedir(dir);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_name);
	/* First and last of them share what all share. */
	for (; n < all.n && n < max; n++)
		out[n] = n + 1 < max ? all.at[n] : all.at[all.n - 1];
	vec_free(&all);
	return n;
}
