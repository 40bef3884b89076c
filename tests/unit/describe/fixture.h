/* Loading text in tests. Run from the top of the source tree. */
#ifndef DESCRIBE_FIXTURE_H
#define DESCRIBE_FIXTURE_H

#include "toponaut/describe.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
	struct fabric *f;
	enum status status;
	char *messages;
};

static inline struct loaded load_with(const char *name, const char *text, size_t size, const char *const *defines,
				      size_t define_count, struct limits limits)
{
	static const char *const dirs[] = {"layouts"};
	struct source s = {name, text, size};
	struct describe_options o = {.defines = defines,
				     .define_count = define_count,
				     .layout_dirs = dirs,
				     .layout_dir_count = 1,
				     .limits = limits};
	struct loaded l = {0};
	struct diag d = {0};
	struct strbuf b = STRBUF_INIT;
	l.status = describe_load(&s, &o, &d, &l.f);
	diag_put(&b, &d, false);
	l.messages = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	diag_free(&d);
	return l;
}

static inline struct loaded load_text(const char *text)
{
	return load_with("t.yaml", text, strlen(text), NULL, 0, (struct limits){0});
}

/* A shipped layout with its -D settings, NULL-terminated. */
static inline struct loaded load_layout(const char *name, const char *const *defines)
{
	struct arena a = {0};
	struct diag d = {0};
	struct source s;
	size_t n = 0;
	const char *path = arena_printf(&a, "layouts/%s.yaml", name);
	cr_assert_eq(source_read(&a, path, 1 << 20, &d, &s), OK, "%s", path);
	while (defines && defines[n])
		n++;
	struct loaded l = load_with(path, s.text, s.size, defines, n, (struct limits){0});
	diag_free(&d);
	arena_free(&a);
	return l;
}

static inline void unload(struct loaded *l)
{
	fabric_free(l->f);
	free(l->messages);
}

/* Loads or fails the test; sound by the model's own check. */
static inline struct loaded must_load(const char *text)
{
	struct loaded l = load_text(text);
	cr_assert_eq(l.status, OK, "%s", l.messages);
	const char *broken = fabric_broken(l.f);
	cr_assert_null(broken, "%s", broken);
	return l;
}

#endif
