/* Reading whole files with a limit that is checked before the memory is taken. */
#include "toponaut/base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status too_large(struct diag *d, const char *path, size_t limit)
{
	struct source nowhere = {.name = path, .text = ""};

	diag_error(d, ((struct mark){.source = &nowhere}), "raise it with --limit bytes=N",
		   "file is larger than the limit of %zu bytes", limit);
	return E_LIMIT;
}

static enum status failed(struct diag *d, const char *path, const char *what, const char *hint)
{
	struct source nowhere = {.name = path, .text = ""};

	diag_error(d, ((struct mark){.source = &nowhere}), hint, "%s", what);
	return E_IO;
}

static enum status read_all(int fd, const char *path, size_t limit, struct diag *d, struct strbuf *b)
{
	char chunk[65536];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return failed(d, path, strerror(errno), NULL);
		if (b->n + (size_t)n > limit)
			return too_large(d, path, limit);
		strbuf_add(b, chunk, (size_t)n);
	}
	return OK;
}

static enum status check_kind(int fd, const char *path, size_t limit, struct diag *d)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return failed(d, path, strerror(errno), NULL);
	if (S_ISDIR(st.st_mode))
		return failed(d, path, "is a directory, expected a file", "name a file inside it");
	if (S_ISBLK(st.st_mode))
		return failed(d, path, "is a device, expected a file", NULL);
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > limit)
		return too_large(d, path, limit);
	return OK;
}

enum status source_read(struct arena *a, const char *path, size_t limit, struct diag *d, struct source *out)
{
	bool is_stdin = strcmp(path, "-") == 0;
	const char *name = is_stdin ? "<stdin>" : path;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct strbuf b = STRBUF_INIT;
	enum status s;

	if (fd < 0)
		return failed(d, name, strerror(errno), NULL);
	s = check_kind(fd, name, limit, d);
	if (s == OK)
		s = read_all(fd, name, limit, d, &b);
	if (!is_stdin)
		close(fd);
	if (s == OK) {
		out->name = arena_strdup(a, name);
		out->text = arena_strndup(a, strbuf_str(&b), b.n);
		out->size = b.n;
	}
	strbuf_free(&b);
	return s;
}
