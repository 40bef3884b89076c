/* What the tests of readers share: a text or a file read into `f` as its content says, and short questions about it. Real files lie
 * beside the repository, or not: then their tests are skipped.
 */
#ifndef DUMP_H
#define DUMP_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io_internal.h"
#include "toponaut/analyze.h"

#define SAMPLES "../shared/samples/"

static struct diag d;
static struct fabric *f;

typedef enum status dump_reader(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out);

static inline void finish(void)
{
	fabric_free(f);
	f = NULL;
	diag_free(&d);
}

/* With reader NULL, as the content says; E_BUG when it says nothing. */
static inline enum status read_text(dump_reader *reader, const char *text, const char *gpu)
{
	struct source s = {.name = "dump.txt", .text = text, .size = strlen(text)};
	struct io_options o = {.gpu = gpu};
	enum status status = E_BUG;
	int best = 0;

	finish();
	for (size_t i = 0; !reader && i < io_format_count; i++)
		best = io_formats[i].recognise && io_formats[i].recognise(&s) > best ? io_formats[i].recognise(&s) : best;
	for (size_t i = 0; !reader && best && i < io_format_count; i++)
		if (io_formats[i].recognise && io_formats[i].recognise(&s) == best)
			reader = io_formats[i].read;
	if (reader)
		status = reader(&s, &o, &d, &f);
	if (status == OK)
		cr_assert(fabric_broken(f) == NULL, "%s", fabric_broken(f));
	return status;
}

static inline enum status read_any(const char *text)
{
	return read_text(NULL, text, NULL);
}

/* Every beginning of a text is read or refused. */
static inline void read_prefixes(dump_reader *reader, const char *text)
{
	for (size_t n = 0; n <= strlen(text); n++) {
		char *cut = mem_strndup(text, n);

		if (read_text(reader, cut, NULL) != OK)
			cr_assert(d.errors > 0);
		free(cut);
	}
}

/* False when there is no such file. */
static inline bool open_sample(const char *name)
{
	struct io_options o = {0};
	char *path = mem_printf(SAMPLES "%s", name);
	FILE *there = fopen(path, "r");

	finish();
	if (there) {
		fclose(there);
		cr_assert(eq(int, io_open(path, &o, &d, &f), OK), "%s", path);
		cr_assert(fabric_broken(f) == NULL, "%s: %s", path, fabric_broken(f));
	}
	free(path);
	return there != NULL;
}

static inline uint32_t devices_of(enum device_class class)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->device_count; i++)
		n += device_class(f, i) == class;
	return n;
}

static inline uint32_t trunks_of(const char *kind)
{
	uint32_t k = fabric_kind(f, kind), n = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++)
		n += f->trunks[t].kind == k;
	return n;
}

/* The first device so called, or NONE. */
static inline uint32_t device(const char *name)
{
	for (uint32_t i = 0; i < f->device_count; i++)
		if (!strcmp(device_name(f, i), name))
			return i;
	return NONE;
}

/* Links of one kind, or with kind NULL all that count, at a device; NONE when some have no number. */
static inline uint64_t links(uint32_t of, const char *kind)
{
	uint64_t n = 0;

	for (uint32_t i = f->incident_at[of]; i < f->incident_at[of + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];

		if (kind ? t->kind != fabric_kind(f, kind) : f->kinds.at[t->kind].use != USE_FABRIC)
			continue;
		if (t->count == NONE)
			return NONE;
		n += t->count;
	}
	return n;
}

/* Of the reader. */
static inline bool has_finding(const char *code)
{
	for (size_t i = 0; i < f->findings.n; i++)
		if (!strcmp(f->findings.at[i].code, code))
			return true;
	return false;
}

/* Of the linter, the reader's among them, whose text has the word; about a device or trunk when about is true. */
static inline size_t lint_count(const char *code, const char *word, bool about)
{
	struct findings all = {0};
	size_t n = 0;

	lint_run(f, NULL, &all);
	for (size_t i = 0; i < all.list.n; i++) {
		const struct finding *x = &all.list.at[i];

		n += !strcmp(x->code, code) && strstr(x->text, word) && (!about || x->device != NONE);
	}
	findings_free(&all);
	return n;
}

static inline bool path_is(uint32_t of, const char *path)
{
	struct strbuf b = STRBUF_INIT;
	bool same;

	device_path(f, of, &b);
	same = !strcmp(strbuf_str(&b), path);
	if (!same)
		cr_log_error("it is %s", strbuf_str(&b));
	strbuf_free(&b);
	return same;
}

static inline const struct cable *cable_at(const char *device, const char *port)
{
	for (size_t i = 0; i < f->cables.n; i++) {
		const struct cable *c = &f->cables.at[i];

		if ((!strcmp(device_name(f, c->a), device) && !strcmp(fabric_str(f, c->port_a), port)) ||
		    (!strcmp(device_name(f, c->b), device) && !strcmp(fabric_str(f, c->port_b), port)))
			return c;
	}
	return NULL;
}

/* What an analysis answers; owned. */
static inline json_t *answer(const char *analysis)
{
	struct request r = {.fabric = f, .project = {.endpoints = CLASS_NONE, .unit = -1}, .seed = 1, .time_limit_ms = 4000, .jobs = 1};

	return analysis_find(analysis)->run(&r, NULL);
}

#endif
