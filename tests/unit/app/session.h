/* A description in a folder of its own, and a session on it. */
#ifndef TEST_SESSION_H
#define TEST_SESSION_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toponaut/app.h"

struct session {
	char folder[32];
	char *file;
	struct app *app;
};

/* Two switches above two trays of four. */
static const char two_trays[] =
	"toponaut: 1\nname: two trays\nparams: {trays: 2}\nlinks:\n  l: {rate: 50 GB/s}\n"
	"devices:\n  g: {class: gpu}\n  s: {class: switch}\n"
	"modules:\n  tray: {kind: tray, parts: {gpu: {is: g, count: 4}}}\n"
	"  rack:\n    kind: rack\n    parts:\n      tray: {is: tray, count: trays, at: U1}\n      sw: {is: s, count: 2}\n"
	"    wiring:\n      - {from: \"tray{t}/gpu{g}\", to: \"sw{s}\"}\nbuild: rack\n";

static inline void write_file(const char *path, const char *text)
{
	char *other = mem_printf("%s.new", path);
	FILE *f = fopen(other, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
	cr_assert_eq(rename(other, path), 0); /* as editors do */
	free(other);
}

static inline struct session session_start(const char *text)
{
	struct session s = {.folder = "/tmp/toponaut-XXXXXX"};
	struct app_options o = {.unit = -1, .endpoints = CLASS_NONE, .time_limit_ms = -1, .watch = true};
	struct diag d = {0};
	cr_assert(mkdtemp(s.folder) != NULL);
	s.file = mem_printf("%s/design.yaml", s.folder);
	write_file(s.file, text);
	s.app = app_new(&o);
	enum status opened = app_open(s.app, s.file, &d);
	cr_assert_eq(opened, OK, "%s", d.messages.n ? d.messages.at[0].text : "");
	diag_free(&d);
	return s;
}

static inline void session_end(struct session *s)
{
	app_free(s->app);
	unlink(s->file);
	rmdir(s->folder);
	free(s->file);
}

/* Runs steps and returns what they printed; owned. */
static inline char *run(struct session *s, const char *script)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	cr_assert_eq(app_script(s->app, script, 100, 30, out), 0, "%s", script);
	fclose(out);
	return text;
}

static inline void expect(struct session *s, const char *script, const char *part)
{
	char *text = run(s, script);
	cr_assert(strstr(text, part) != NULL, "after %s\nthere is no %s in\n%s", script, part, text);
	free(text);
}

#endif
