/* What was typed outlives the session: bounded, private, never in the way. And what is copied. */
#include <fcntl.h>
#include <sys/stat.h>

#include "session.h"

static char *slurp(const char *path)
{
	char *text = mem_array(1 << 21, 1);
	int fd = open(path, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, text, (1 << 21) - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	return text;
}

Test(memory, is_kept_line_by_line_and_comes_back)
{
	struct session s = session_start(two_trays);
	char *below = mem_printf("%s/state", s.folder), *sub = mem_printf("%s/toponaut", below), *path = mem_printf("%s/history", sub);
	struct stat st;
	app_remember_in(s.app, path);
	cr_assert_neq(stat(path, &st), 0); /* nothing was typed yet */
	free(run(&s, "/\ntype gpu2\nEnter\n:\ntype select tray1\nEnter\n:\ntype select tray1\nEnter\n:\ntype  select tray0\nEnter\n"));
	char *text = slurp(path);
	cr_assert_str_eq(text, "/gpu2\n:select tray1\n");
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	cr_assert_eq(stat(sub, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0700);

	struct session later = session_start(two_trays);
	app_remember_in(later.app, path);
	expect(&later, "n\nstate\n", "cursor tray0/gpu2\n"); /* the last search of another session */
	expect(&later, ":\nUp\nEnter\nstate\n", "selected 4 tray1\n");
	unlink(path);
	rmdir(sub);
	rmdir(below);
	session_end(&later);
	session_end(&s);
	free(text);
	free(below);
	free(sub);
	free(path);
}

Test(memory, is_bounded_and_takes_nothing_that_cannot_be_typed)
{
	struct session s = session_start(two_trays);
	char *path = mem_printf("%s/history", s.folder);
	struct strbuf b = STRBUF_INIT;
	for (int i = 0; i < 9000; i++)
		strbuf_printf(&b, ":select tray%d\n", i);
	strbuf_puts(&b, ":bad\033]0;x\007\n:\xff\xfe\nnonsense\n:cut of");
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(strbuf_str(&b), f) >= 0 && fclose(f) == 0);
	app_remember_in(s.app, path);
	char *text = slurp(path);
	cr_assert_lt(strlen(text), 64 << 10);
	cr_assert(strstr(text, ":select tray8999\n") && strstr(text, ":select tray8800\n") && !strstr(text, ":select tray8799\n"));
	cr_assert(!strchr(text, '\033') && !strstr(text, "nonsense") && !strstr(text, "cut of"));
	unlink(path);
	session_end(&s);
	strbuf_free(&b);
	free(text);
	free(path);
}

/* A folder, a pipe, a file of another: nothing is said, nothing hangs. */
Test(memory, works_without_a_file)
{
	struct session s = session_start(two_trays);
	char *pipe = mem_printf("%s/pipe", s.folder);
	app_remember_in(s.app, s.folder);
	expect(&s, ":\ntype select tray1\nEnter\nstate\n", "message \n");
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	app_remember_in(s.app, pipe);
	expect(&s, ":\ntype select tray0\nEnter\n:\nUp\nUp\nEnter\nstate\n", "selected 4 tray1\n");
	app_remember_in(s.app, "/proc/no/such/place");
	expect(&s, ":\ntype select @gpu\nEnter\nstate\n", "message \n");
	unlink(pipe);
	session_end(&s);
	free(pipe);
}

static char *copied(struct session *s, const char *script)
{
	free(run(s, script));
	return app_copied(s->app);
}

Test(memory, copies_only_what_was_asked_for)
{
	struct session s = session_start(two_trays);
	cr_assert_null(copied(&s, "b\nj\n:fail sw0\nb\ne\nEsc\n"));
	char *text = copied(&s, "y\n"), *want = mem_printf("toponaut analyze %s bisection --fail sw0", s.file);
	cr_assert_str_eq(text, want);
	free(text);
	free(want);
	cr_assert_null(app_copied(s.app)); /* once */
	text = copied(&s, ":copy picture\n");
	want = mem_printf("toponaut show %s bisection -w rack --fail sw0", s.file);
	cr_assert_str_eq(text, want);
	free(text);
	free(want);
	text = copied(&s, ":select tray1/gpu[0-1]\n:copy selection\n");
	cr_assert_str_eq(text, "tray1/gpu[0,1]");
	free(text);
	cr_assert_null(copied(&s, ":copy nonsense\n"));
	session_end(&s);
}
