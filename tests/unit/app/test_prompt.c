/* What Tab offers and commands refuse; commands that nobody watches; sessions without a screen. */
#include <sys/stat.h>

#include "session.h"

/* The last line of the screen after these words and Tab: the prompt, and what is said beside it. */
static void expect_prompt(struct session *s, const char *typed, const char *shown)
{
	struct strbuf b = STRBUF_INIT;
	char *script = mem_printf(":command %s\nTab\n", typed);
	free(run(s, script));
	canvas_put_text(app_compose(s->app), &b);
	size_t end = b.n && b.text[b.n - 1] == '\n' ? b.n - 1 : b.n, at = end;
	while (at > 0 && b.text[at - 1] != '\n')
		at--;
	strbuf_trim(&b, end);
	cr_assert(strstr(strbuf_str(&b) + at, shown) != NULL, "after %s and Tab there is no %s in %s", typed, shown, strbuf_str(&b) + at);
	free(run(s, "Esc\nEsc\n"));
	free(script);
	strbuf_free(&b);
}

Test(prompt, files_are_completed_where_commands_take_them)
{
	static const char *const commands[] = {"open", "diff", "write", "export"};
	struct session s = session_start(two_trays);
	char *folder = mem_printf("%s/plans", s.folder), *a = mem_printf("%s/plan-a.csv", folder), *b = mem_printf("%s/plan-b.csv", folder),
	     *hidden = mem_printf("%s/.plan", folder);
	cr_assert_eq(mkdir(folder, 0700), 0);
	write_file(a, "x");
	write_file(b, "x");
	write_file(hidden, "x");
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		char *typed = mem_printf("%s %s/pl", commands[i], s.folder), *folder_there = mem_printf("%s %s/plans/", commands[i], s.folder),
		     *begun = mem_printf("%sp", folder_there), *shared = mem_printf("%splan-", folder_there),
		     *one = mem_printf("%splan-b", folder_there), *whole = mem_printf("%splan-b.csv", folder_there);
		expect_prompt(&s, typed, folder_there);
		expect_prompt(&s, folder_there, shared); /* what begins with a dot stays out of the way */
		expect_prompt(&s, begun, shared);
		expect_prompt(&s, begun, " plan-a.csv plan-b.csv"); /* the choice, without the folder */
		expect_prompt(&s, one, whole);
		free(typed), free(folder_there), free(begun), free(shared), free(one), free(whole);
	}
	char *second = mem_printf("diff leaf-spine %s/plan-a", folder), *there = mem_printf("%s.csv", second);
	expect_prompt(&s, second, there);
	expect_prompt(&s, "open /no/such/folder/x", "open /no/such/folder/x");
	unlink(a), unlink(b), unlink(hidden), rmdir(folder);
	free(folder), free(a), free(b), free(hidden), free(second), free(there);
	session_end(&s);
}

/* Too many to list: what all share is still what all share. */
Test(prompt, a_folder_of_many_files)
{
	struct session s = session_start(two_trays);
	for (unsigned i = 0; i < 300; i++) {
		char *path = mem_printf("%s/node-%u.xml", s.folder, i);
		write_file(path, "x");
		free(path);
	}
	char *typed = mem_printf("open %s/n", s.folder), *there = mem_printf("open %s/node-", s.folder);
	expect_prompt(&s, typed, there);
	for (unsigned i = 0; i < 300; i++) {
		char *path = mem_printf("%s/node-%u.xml", s.folder, i);
		unlink(path);
		free(path);
	}
	free(typed), free(there);
	session_end(&s);
}

Test(prompt, words_of_each_command)
{
	struct session s = session_start(two_trays);
	expect_prompt(&s, "theme l", "theme light");
	expect_prompt(&s, "copy sel", "copy selection");
	expect_prompt(&s, "alike ra", "alike rail");
	expect_prompt(&s, "color d", "color difference");
	expect_prompt(&s, "name tr", "name tr");
	expect(&s, "6\n", "");
	expect_prompt(&s, "sort lin", "sort links");
	expect_prompt(&s, "columns device,lin", "columns device,links");
	expect_prompt(&s, "show tr", "show trunks");
	session_end(&s);
}

Test(prompt, words_that_mean_nothing_are_refused)
{
	static const char *const refused[] = {"undo 3", "reload now", "mouse off", "zoom-in 2", "rack 1", "near x", "near 0", "near -1", "near 2x",
					      "columns foo", "columns device,foo", "sort foo", "theme zzz", "bind NoKey help",
					      "bind W nosuch", "over ,", "view 9", "color foo", "alike foo", "show foo"};
	struct session s = session_start(two_trays);
	expect(&s, "6\n", "");
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		char *script = mem_printf(":%s\nstate\n", refused[i]), *text = run(&s, script);
		cr_assert(strstr(text, "message ") && !strstr(text, "message \n"), "nothing is said of %s", refused[i]);
		cr_assert(strstr(text, "selected 0"), "%s did something", refused[i]);
		free(script);
		free(text);
	}
	expect(&s, ":bisection nosuch\nstate\n", "message nothing matches `nosuch`\n");
	expect(&s, ":select tray0/gpu0\n:near\nstate\n", "message 3 devices; o shows only them\n");
	expect(&s, "Esc\n:select tray0/gpu0\n:fail **--**\n:near\nstate\n", "message 1 device; o shows only it\n");
	session_end(&s);
}

Test(prompt, what_is_wrong_in_the_configuration_is_said)
{
	struct session s = session_start(two_trays);
	app_configure(s.app, "# mine\ntheme light\n\nnosuch word\n:bind W hide\nview 9\nbind\nbind W\n");
	expect(&s, "dump\n", "line 4: there is no command nosuch");
	expect(&s, "dump\n", "line 6: there is no view 9");
	expect(&s, "dump\n", "line 7: bind needs words");
	session_end(&s);
	s = session_start(two_trays);
	app_configure(s.app, "theme light\nbind W hide\n");
	expect(&s, "state\n", "message \n"); /* nothing to say: nothing is said */
	expect(&s, "W\nstate\n", "hidden; X shows all");
	session_end(&s);
}

static void expect_lines(struct session *s, const char *in, const char *part)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n), *from = fmemopen((void *)in, strlen(in), "r");
	cr_assert(out && from && app_linear(s->app, from, out) == 0);
	fclose(out);
	fclose(from);
	cr_assert(strstr(text, part), "after %s\nthere is no %s in\n%s", in, part, text);
	free(text);
}

Test(prompt, without_a_screen_every_line_is_answered)
{
	struct session s = session_start(two_trays);
	expect_lines(&s, ":view table\n", "view table\n");
	expect_lines(&s, "z\n+\n", "done\n");
	expect_lines(&s, "E\n", "write it in one line, like :export toponaut.svg\n");
	expect_lines(&s, "F\n", "write it in one line, like :filter …\n");
	expect_lines(&s, "/\n", "write it in one line, like /name\n");
	expect_lines(&s, "p\n", "▸ trays    ◂ 2 ▸\n");
	session_end(&s);
}

/* Plain c passes by what has nothing to show. */
Test(prompt, colours_are_stepped_through_where_there_is_something)
{
	struct session s = session_start(two_trays);
	expect(&s, "c\nstate\n", "message nothing else to colour by yet; b finds sides, B tiers\n");
	expect(&s, ":fail sw0\nc\nstate\n", "message colours by state\n");
	expect(&s, "c\nstate\n", "message colours by what was asked last\n");
	expect(&s, "b\nc\nstate\n", "message colours by class\n"); /* sides are seen already */
	expect(&s, "c\nstate\n", "message colours by side\n");
	expect(&s, ":color rail\nstate\n", "message colours by rail\n"); /* asked for by name it says what is missing */
	session_end(&s);
}

/* A name that is free is offered, and what is there is not written over. */
Test(prompt, files_that_are_there_stay)
{
	struct session s = session_start(two_trays);
	char *again = mem_printf(":write %s\nstate\n", s.file);
	char *was = getcwd(NULL, 0);
	expect(&s, again, "is there already and is not written over\n");
	cr_assert_eq(chdir(s.folder), 0);
	expect(&s, "E\nEnter\nstate\n", "message written to toponaut.svg\n");
	expect(&s, "E\nEnter\nstate\n", "message written to toponaut-2.svg\n");
	expect(&s, ":write\nEnter\nstate\n", "message written to what-if.yaml\n");
	expect(&s, ":write\nEnter\nstate\n", "message written to what-if-2.yaml\n");
	unlink("toponaut.svg"), unlink("toponaut-2.svg"), unlink("what-if.yaml"), unlink("what-if-2.yaml");
	cr_assert_eq(chdir(was), 0);
	free(was);
	free(again);
	session_end(&s);
}
