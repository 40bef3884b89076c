/* memory: what `:` and `/` were given, from one session to the next. Each line is added to the file at once, so that
 * nothing is lost with a crash and sessions at the same time mix; a file that grew is cut to its newest lines when it is
 * read. Where it cannot be read or written, a session remembers itself only. A line is ":COMMAND" or "/SEARCH".
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app_internal.h"

enum { FILE_MAX = 64 << 10, READ_MAX = 1 << 20 };

/* False when it is what came last. */
static bool keep(struct app *a, char kind, const char *line)
{
	struct texts *h = &a->history[kind == '/'];
	if (!*line || (h->n && strcmp(h->at[h->n - 1], line) == 0))
		return false;
	if (h->n == HISTORY_MAX) {
		free(h->at[0]);
		memmove(h->at, h->at + 1, --h->n * sizeof *h->at);
	}
	vec_push(h, mem_strdup(line));
	return true;
}

/* As it could have been typed. */
static bool is_clean(const char *line)
{
	size_t n = strlen(line), used;
	for (size_t at = 0; at < n; at += used) {
		uint32_t code = utf8_decode(line + at, n - at, &used);
		if (code == 0xfffd || !utf8_is_printable(code))
			return false;
	}
	return n < LINE_MAX_BYTES;
}

/* The last READ_MAX bytes; owned, NULL when it is no plain file that can be read. */
static char *read_tail(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat s;
	char *text = NULL;
	if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode)) {
		off_t from = s.st_size > READ_MAX ? s.st_size - READ_MAX : 0;
		text = mem_array(READ_MAX + 1, 1);
		ssize_t got = pread(fd, text, READ_MAX, from);
		text[got > 0 ? got : 0] = 0;
		*size = (size_t)s.st_size;
	}
	if (fd >= 0)
		close(fd);
	return text;
}

/* In order of age as far as that matters: what was searched for, then commands. */
static void rewrite(const struct app *a, const char *path)
{
	struct strbuf b = STRBUF_INIT;
	char *other = mem_printf("%s.%ld", path, (long)getpid());
	for (int kind = 1; kind >= 0; kind--)
		for (size_t i = 0; i < a->history[kind].n; i++)
			strbuf_printf(&b, "%c%s\n", kind ? '/' : ':', a->history[kind].at[i]);
	int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0 && write(fd, strbuf_str(&b), b.n) == (ssize_t)b.n;
	good = fd >= 0 && close(fd) == 0 && good;
	if (fd >= 0 && (!good || rename(other, path) != 0))
		unlink(other);
	free(other);
	strbuf_free(&b);
}

/* A folder for the person alone, and those above it. */
static void make_folders(const char *path)
{
	char *folder = mem_strdup(path);
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(folder, 0700); /* mostly it is there */
		*slash = '/';
	}
	free(folder);
}

void app_remember_in(struct app *a, const char *path)
{
	size_t size = 0;
	char *text = read_tail(path, &size);
	for (char *line = text; line && *line;) {
		size_t n = strcspn(line, "\n");
		bool whole = line[n] == '\n';
		line[n] = 0;
		if (whole && (*line == ':' || *line == '/') && is_clean(line + 1))
			keep(a, *line, line + 1);
		line += n + whole;
	}
	if (size > FILE_MAX)
		rewrite(a, path);
	free(text);
	free(a->memory);
	a->memory = mem_strdup(path);
}

/* What begins with a blank is not remembered, as in shells. */
void memory_add(struct app *a, char kind, const char *line)
{
	if (!*line || *line == ' ')
		return;
	if (!keep(a, kind, line) || !a->memory)
		return;
	int fd = open(a->memory, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd < 0 && errno == ENOENT) {
		make_folders(a->memory);
		fd = open(a->memory, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	}
	if (fd < 0)
		return;
	char *text = mem_printf("%c%s\n", kind, line);
	(void)!write(fd, text, strlen(text)); /* one call, so lines of two sessions do not mix */
	close(fd);
	free(text);
}
