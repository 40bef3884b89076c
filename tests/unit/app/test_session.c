#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

Test(session, what_if_is_undone_and_redone_step_by_step)
{
	struct session s = session_start(two_trays);
	expect(&s, ":fail sw0\n:fail tray0/gpu0\nstate\n", "what-if sw0 down, tray0/gpu0 down\n");
	expect(&s, "u\nstate\n", "what-if sw0 down\n");
	expect(&s, "u\nu\nstate\n", "message nothing to undo\n");
	expect(&s, "C-r\nC-r\nstate\n", "what-if sw0 down, tray0/gpu0 down\n");
	expect(&s, "u\n:fail sw1\nC-r\nstate\n", "message nothing to redo\n"); /* a new step ends the old branch */
	expect(&s, "state\n", "what-if sw0 down, sw1 down\n");
	session_end(&s);
}

Test(session, answers_follow_the_what_if)
{
	struct session s = session_start(two_trays);
	expect(&s, "b\nstate\n", "drawn bisection\n");
	expect(&s, ":fail sw0\nstate\n", "drawn nothing\n"); /* the old cut is not of this fabric */
	expect(&s, "b\ndump\n", "healthy 400 GB/s");
	expect(&s, "u\nstate\n", "drawn bisection\n");
	session_end(&s);
}

Test(session, a_changed_file_is_reloaded_and_keeps_what_a_person_did)
{
	struct session s = session_start(two_trays);
	struct pollfd fd;
	expect(&s, ":select tray1/gpu[1-2]\n:fail sw1\n/\ntype gpu3\nEnter\nstate\n", "cursor tray0/gpu3\nselected 2");
	cr_assert_eq(app_fds(s.app, &fd, 1), 1);
	cr_assert_eq(poll(&fd, 1, 0), 0); /* nothing changed, nobody wakes */
	char *three = mem_strdup(two_trays);
	strstr(three, "trays: 2")[7] = '3';
	write_file(s.file, three);
	cr_assert_eq(poll(&fd, 1, 5000), 1);
	app_poll(s.app);
	expect(&s, "state\n", "cursor tray0/gpu3\nselected 2 tray1/gpu[1,2]\n");
	expect(&s, "state\n", "what-if sw1 down\n");
	expect(&s, ":select tray2\nstate\n", "selected 4 tray2\n");
	free(three);
	session_end(&s);
}

Test(session, a_broken_file_leaves_what_is_loaded)
{
	struct session s = session_start(two_trays);
	expect(&s, ":select tray0\nb\nstate\n", "drawn bisection\n");
	write_file(s.file, "toponaut: 1\nname: [\n");
	expect(&s, "R\ndump\n", "design.yaml:");
	expect(&s, "Esc\nstate\n", "selected 4 tray0\n");
	expect(&s, "state\n", "drawn bisection\n");
	write_file(s.file, two_trays);
	expect(&s, "R\nstate\n", "message reloaded\n");
	session_end(&s);
}

Test(session, devices_that_a_reload_takes_away_are_forgotten)
{
	struct session s = session_start(two_trays);
	expect(&s, ":select @gpu\nG\nG\nv\nEsc\n:fail tray1\nb\n:set trays=1\nstate\n", "what-if \n");
	expect(&s, "state\n", "selected 4 @gpu\n");
	expect(&s, "u\nb\nj\nk\nstate\n", "drawn bisection\n");
	session_end(&s);
}

Test(session, parameters)
{
	struct session s = session_start(two_trays);
	expect(&s, ":set trays=5\n:select @gpu\nstate\n", "selected 20 ");
	expect(&s, "Esc\n:set nonsense=5\nstate\n", "message not reloaded");
	expect(&s, "Esc\nR\n:select @gpu\nstate\n", "selected 20 "); /* the good value is kept */
	expect(&s, "b\ndump\n", "-D trays=5 bisection");
	session_end(&s);
}

Test(session, keys_have_names)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < action_count; i++)
		for (const char *keys = actions[i].keys; *keys;) {
			size_t n = strcspn(keys, " ");
			char *name = mem_strndup(keys, n);
			cr_assert(key_parse(name) != 0, "%s", name);
			strbuf_trim(&b, 0);
			key_put(key_parse(name), &b);
			cr_assert_str_eq(strbuf_str(&b), name);
			for (size_t j = 0; j < i; j++) { /* no key twice */
				char *all = mem_printf(" %s ", actions[j].keys), *one = mem_printf(" %s ", name);
				cr_assert(!strstr(all, one), "%s is bound twice", name);
				free(all);
				free(one);
			}
			free(name);
			keys += n + (keys[n] == ' ');
		}
	for (size_t i = 0; i < analysis_count; i++)
		for (size_t j = 0; j < action_count; j++) {
			const char key[4] = {' ', analyses[i].key, ' '};
			char *all = mem_printf(" %s ", actions[j].keys);
			cr_assert(!analyses[i].key || !strstr(all, key));
			free(all);
		}
	cr_assert_eq(key_parse("NoSuchKey"), 0);
	strbuf_free(&b);
}

/* A pipe is read for as long as its writer likes; keys are answered meanwhile. */
static char *pipe_in(const struct session *s, const char *name)
{
	char *path = mem_printf("%s/%s.yaml", s->folder, name);
	cr_assert_eq(mkfifo(path, 0600), 0);
	return path;
}

/* As typed, without waiting for what comes of it. */
static void type_open(struct session *s, const char *path)
{
	char *line = mem_printf(":open %s", path);
	for (const char *key = line; *key; key++)
		app_key(s->app, (uint32_t)*key);
	app_key(s->app, KEY_ENTER_CODE);
	free(line);
}

Test(session, a_slow_file_does_not_stop_the_session)
{
	struct session s = session_start(two_trays);
	char *slow = pipe_in(&s, "slow");
	int hold = open(slow, O_RDWR);
	struct strbuf b = STRBUF_INIT;
	app_resize(s.app, 100, 30);
	type_open(&s, slow);
	app_key(s.app, 'j');
	app_key(s.app, ' ');
	canvas_put_text(app_compose(s.app), &b);
	cr_assert(strstr(strbuf_str(&b), "reading ") && strstr(strbuf_str(&b), "Esc gives it up"), "%s", strbuf_str(&b));
	cr_assert_eq(app_timeout(s.app), 100);
	app_key(s.app, KEY_ESC_CODE);
	expect(&s, "state\n", "design.yaml\n");
	expect(&s, "state\n", "selected 4 tray1\n"); /* as selected while it was read */
	cr_assert_eq(app_timeout(s.app), -1); /* nobody wakes any more */
	close(hold);
	unlink(slow);
	free(slow);
	strbuf_free(&b);
	session_end(&s);
}

Test(session, keys_before_the_first_file_is_read_wait_for_it)
{
	struct session s = {.folder = "/tmp/toponaut-XXXXXX"};
	struct app_options o = {.unit = -1, .endpoints = CLASS_NONE, .time_limit_ms = -1};
	cr_assert(mkdtemp(s.folder) != NULL);
	s.file = pipe_in(&s, "slow");
	s.app = app_new(&o);
	app_resize(s.app, 100, 30);
	app_open_begin(s.app, s.file);
	app_key(s.app, '2');
	app_key(s.app, ' ');
	app_configure(s.app, "fail sw1\n");
	int out = open(s.file, O_WRONLY);
	cr_assert_eq(write(out, two_trays, strlen(two_trays)), (ssize_t)strlen(two_trays));
	close(out);
	expect(&s, "state\n", "view fabric ");
	expect(&s, "state\n", "selected 10 ");
	expect(&s, "state\n", "what-if sw1 down\n");
	session_end(&s);
}

Test(session, a_slow_file_takes_over_when_it_is_read)
{
	struct session s = session_start(two_trays);
	char *slow = pipe_in(&s, "slow");
	type_open(&s, slow);
	int out = open(slow, O_WRONLY); /* when the other end is open too */
	cr_assert_eq(write(out, two_trays, strlen(two_trays)), (ssize_t)strlen(two_trays));
	close(out);
	expect(&s, "state\n", "slow.yaml\n");
	unlink(slow);
	free(slow);
	session_end(&s);
}

/* The beginning of what is written; owned. The file goes. */
static char *exported(struct session *s, const char *name)
{
	char *path = mem_printf("%s/%s", s->folder, name), *step = mem_printf(":export %s\n", path);
	char *said = run(s, step), *text = mem_array(20001, 1);
	FILE *f = fopen(path, "r");
	if (f) {
		text[fread(text, 1, 20000, f)] = 0;
		fclose(f);
	}
	unlink(path);
	free(path);
	free(step);
	free(said);
	return text;
}

Test(session, screens_and_results_are_written_as_the_ending_says)
{
	static const struct {
		const char *name, *begin, *part;
	} cases[] = {
		{"a.svg", "<svg", ">bisection</text>"},
		{"a.txt", "toponaut", "two trays"},
		{"a.ansi", "\033[", "\033[0m"},
		{"a.json", "{\n \"toponaut\": 1,", "\"bisection\": {"},
		{"a.csv", "a,b,kind,links,rate_Bps\n", ",l,1,50000000000\n"}, /* 50 GB/s a trunk, as the description says */
		{"a.png", "", ""},
	};
	struct session s = session_start(two_trays);
	expect(&s, ":export nowhere.csv\nstate\n", "message nothing was asked yet");
	expect(&s, "b\nstate\n", "drawn bisection\n");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = exported(&s, cases[i].name);
		cr_assert(strncmp(text, cases[i].begin, strlen(cases[i].begin)) == 0, "%s: %.80s", cases[i].name, text);
		cr_assert(strstr(text, cases[i].part), "%s: %s", cases[i].name, text);
		cr_assert(*cases[i].begin || !*text);
		free(text);
	}
	session_end(&s);
}

/* Any keys in any order at any size: nothing breaks, and the picture never holds what a terminal must not see. */
Test(session, random_keys)
{
	static const char *const keys[] = {
		"j", "k", "h", "l", "g", "G", "Tab", "BackTab", "Enter", "q", "Space", "v", "Esc", "n", "N", "b", "e", "f",
		"u", "C-r", "c", "x", "o", "X", "z", "+", "-", "0", "?", "PageUp", "PageDown", "1", "4", "a", "m", "R",
	};
	static const char *const steps[] = {
		":select ~sw0", ":view graph", ":view rack", ":color state", "size 1x1", "size 80x24", "size 33x9", "size 130x45",
		":fail sw0--tray0=1", "click 10 5", "click 70 9", "/\ntype gpu\nEnter", ":\ntype sel\nTab\nEsc", ":set trays=3",
		":derate tray0/gpu0--sw1=25%", "C-c",
	};
	struct session s = session_start(two_trays);
	struct rng r = rng_seed(11);
	struct strbuf b = STRBUF_INIT;
	for (int round = 0; round < 400; round++) {
		const char *step = rng_below(&r, 4) ? keys[rng_below(&r, ARRAY_LEN(keys))] : steps[rng_below(&r, ARRAY_LEN(steps))];
		strbuf_printf(&b, "%s\n", step);
		if (round % 20 != 19)
			continue;
		strbuf_puts(&b, "dump\nstate\n");
		char *text = run(&s, strbuf_str(&b));
		for (size_t at = 0, n = strlen(text), used; at < n; at += used) {
			uint32_t code = utf8_decode(text + at, n - at, &used);
			cr_assert(code == '\n' || utf8_is_printable(code) || (code >= 0x2800 && code < 0x2900), "%x", code);
		}
		free(text);
		strbuf_trim(&b, 0);
		app_key(s.app, KEY_ESC_CODE);
	}
	strbuf_free(&b);
	session_end(&s);
}

Test(session, a_step_that_is_not_understood_ends_the_script)
{
	struct session s = session_start(two_trays);
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	cr_assert_eq(app_script(s.app, "j\nfly away\nj\n", 80, 24, out), 2);
	fclose(out);
	cr_assert_str_eq(text, "script line 2: not understood: fly away\n");
	free(text);
	session_end(&s);
}

/* Written in one go once the reader is there. */
static void feed(const char *path, const char *text)
{
	int hold = open(path, O_WRONLY);
	cr_assert_eq(write(hold, text, strlen(text)), (ssize_t)strlen(text));
	close(hold);
}

Test(session, questions_wait_for_the_file_that_is_being_read)
{
	struct session s = session_start(two_trays);
	char *slow = pipe_in(&s, "slow"), *three = mem_strdup(two_trays), *design = mem_printf(":diff %s\n", s.file);
	strstr(three, "trays: 2")[7] = '3';
	type_open(&s, slow);
	app_key(s.app, 'b');
	for (const char *key = design; *key; key++)
		app_key(s.app, *key == '\n' ? KEY_ENTER_CODE : (uint32_t)*key);
	app_key(s.app, 'R'); /* what is loaded is about to go */
	feed(slow, three);
	expect(&s, "wait\nstate\n", "answer bisection [] []\n");
	expect(&s, "dump\n", "8 extra"); /* of three trays */
	expect(&s, "[\ndump\n", "600 GB/s");
	unlink(slow);
	free(slow);
	free(three);
	free(design);
	session_end(&s);
}

Test(session, a_file_that_changes_does_not_stop_another_from_being_read)
{
	struct session s = session_start(two_trays);
	char *slow = pipe_in(&s, "slow");
	struct pollfd fds[2];
	type_open(&s, slow);
	write_file(s.file, two_trays);
	for (int i = 0; i < 20; i++) {
		size_t n = app_fds(s.app, fds, ARRAY_LEN(fds));
		poll(fds, (nfds_t)n, 10);
		app_poll(s.app);
	}
	feed(slow, two_trays);
	expect(&s, "wait\nstate\n", "slow.yaml is open");
	unlink(slow);
	free(slow);
	session_end(&s);
}

/* Arrows on the page of parameters are faster than analyses. */
Test(session, what_runs_is_asked_again_of_the_new_fabric)
{
	struct session s = session_start(two_trays);
	app_key(s.app, 'b');
	app_key(s.app, 'p');
	app_key(s.app, KEY_RIGHT_CODE);
	app_key(s.app, KEY_RIGHT_CODE);
	expect(&s, "wait\nstate\n", "answer bisection [] []\n");
	expect(&s, "Enter\n:select tray0\nR\nstate\n", "answer bisection [] []\n"); /* not of what is selected now */
	expect(&s, "Esc\n:mincut tray0 tray1\nR\nstate\n", "answer mincut [");
	session_end(&s);
}

Test(session, what_was_said_of_a_file_goes_with_it)
{
	struct session s = session_start(two_trays), other = session_start(two_trays);
	char *open_other = mem_printf(":open %s\nstate\n", other.file);
	expect(&s, ":select tray0\n:name mine\na\n:mark q\n:filter gpu1\n:columns device\n:fail sw0\n:over l\n6\n", "");
	expect(&s, open_other, "what-if \n");
	expect(&s, ":name\ndump\n", "no selection has a name");
	expect(&s, ":select @mine\nstate\n", "nothing matches `@mine`");
	expect(&s, ":jump q\nstate\n", "there is no mark q");
	expect(&s, ":mincut\nstate\n", "select one side and press a");
	expect(&s, "6\ndump\n", "of 10 devices"); /* all rows */
	expect(&s, "dump\n", "class"); /* all columns */
	free(open_other);
	session_end(&other);
	session_end(&s);
}

/* A search that finds nothing does not take n away from the differences. */
Test(session, differences_are_walked_until_something_is_found)
{
	struct session s = session_start(two_trays);
	char *plan = mem_printf("%s/plan.yaml", s.folder), *three = mem_strdup(two_trays), *diff = mem_printf(":diff %s\nn\nstate\n", plan);
	strstr(three, "trays: 2")[7] = '1';
	write_file(plan, three);
	expect(&s, diff, "message 1 of 8: extra");
	expect(&s, "/\ntype nosuch\nEnter\nstate\n", "nothing is named nosuch");
	expect(&s, "n\nstate\n", "message 2 of 8: extra");
	expect(&s, "/\ntype gpu2\nEnter\nn\nstate\n", "cursor tray1/gpu2\n");
	unlink(plan);
	free(plan);
	free(three);
	free(diff);
	session_end(&s);
}
