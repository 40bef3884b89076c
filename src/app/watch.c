/* watch: noticing that a file of the fabric was written. Linux tells through inotify; nobody wakes while nothing
 * changes. Elsewhere nothing is watched and R reloads.
 *
 * The folders are watched, not the files: editors write a new file and rename it over the old one.
 */
#include <unistd.h>

#include "app/app_internal.h"

#ifdef __linux__
#include <sys/inotify.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void watch_file(struct app *a, const char *path)
{
	const char *name = base_name(path);
	char *folder = name == path ? mem_strdup(".") : mem_strndup(path, (size_t)(name - path));
	if (inotify_add_watch(a->watch_fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0)
		strtab_intern(&a->watched, name, strlen(name));
	free(folder);
}

void watch_start(struct app *a)
{
	if (!a->o.watch || !a->operand || strcmp(a->operand, "-") == 0)
		return;
	a->watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	for (size_t i = 0; a->watch_fd >= 0 && i < a->fabric->files.n; i++)
		watch_file(a, a->fabric->files.at[i]);
}

bool watch_poll(struct app *a)
{
	_Alignas(struct inotify_event) char events[4096];
	bool changed = false;
	ssize_t got;
	while (a->watch_fd >= 0 && (got = read(a->watch_fd, events, sizeof events)) > 0)
		for (ssize_t at = 0; at < got;) {
			struct inotify_event e;
			memcpy(&e, events + at, sizeof e);
			const char *name = events + at + sizeof e;
			changed = changed || (e.len && strtab_find(&a->watched, name, strlen(name)) != NONE);
			at += (ssize_t)(sizeof e + e.len);
		}
	return changed;
}
#else
void watch_start(struct app *a)
{
	(void)a;
}

bool watch_poll(struct app *a)
{
	(void)a;
	return false;
}
#endif

void watch_stop(struct app *a)
{
	if (a->watch_fd >= 0)
		close(a->watch_fd);
	a->watch_fd = -1;
	strtab_free(&a->watched);
	a->watched = (struct strtab){0};
}
