/* Shipped layouts: where they lie and what they are called. A layout is a description with a root (`build`);
 * the other files of those directories are parts and media for `include`.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/io_internal.h"

static bool is_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void offer(const char *path, const char **out, size_t max, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(out[i], path))
			return;
	if (*n < max && is_directory(path))
		out[(*n)++] = path;
}

size_t io_layout_dirs(struct arena *a, const char *environment, const char *program, const char **out, size_t max)
{
	static const char *const beside[] = {"../layouts", "../../layouts", "../share/toponaut/layouts"};
	size_t n = 0;
	for (const char *s = environment; s && *s;) {
		size_t length = strcspn(s, ":");
		offer(arena_strndup(a, s, length), out, max, &n);
		s += length + (s[length] == ':');
	}
	const char *slash = program ? strrchr(program, '/') : NULL;
	for (size_t i = 0; slash && i < ARRAY_LEN(beside); i++)
		offer(arena_printf(a, "%.*s/%s", (int)(slash - program), program, beside[i]), out, max, &n);
	return n;
}

const char *io_layout_path(struct arena *a, const struct io_options *o, const char *name)
{
	struct stat st;
	if (strchr(name, '/') || !*name)
		return NULL;
	for (size_t i = 0; i < o->describe.layout_dir_count; i++) {
		const char *path = arena_printf(a, "%s/%s.yaml", o->describe.layout_dirs[i], name);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return path;
	}
	return NULL;
}

/* Parts have no root. */
static bool has_root(const char *path)
{
	struct arena a = {0};
	struct source s;
	struct diag d = {0};
	bool yes = source_read(&a, path, LIMIT_BYTES, &d, &s) == OK &&
		   (strstr(s.text, "\nbuild:") != NULL || !strncmp(s.text, "build:", 6));
	diag_free(&d);
	arena_free(&a);
	return yes;
}

static int compare_names(const void *x, const void *y)
{
	return natural_compare(*(const char *const *)x, *(const char *const *)y);
}

static size_t list_directory(struct arena *a, const char *dir, const char **out, size_t max, size_t n)
{
	DIR *handle = opendir(dir);
	const struct dirent *e;
	while (handle && n < max && (e = readdir(handle))) {
		size_t length = strlen(e->d_name);
		if (length < 6 || strcmp(e->d_name + length - 5, ".yaml") != 0)
			continue;
		const char *name = arena_strndup(a, e->d_name, length - 5);
		bool known = false;
		for (size_t i = 0; i < n && !known; i++)
			known = !strcmp(out[i], name);
		if (!known && has_root(arena_printf(a, "%s/%s", dir, e->d_name)))
			out[n++] = name;
	}
	if (handle)
		closedir(handle);
	return n;
}

size_t io_layout_names(struct arena *a, const struct io_options *o, const char **out, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < o->describe.layout_dir_count; i++)
		n = list_directory(a, o->describe.layout_dirs[i], out, max, n);
	qsort(out, n, sizeof *out, compare_names);
	return n;
}
