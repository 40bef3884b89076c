/* Completion of the operand under the cursor. */
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

size_t select_operand_start(const char *text, size_t at)
{
	bool quoted = false;
	size_t start = 0;
	unsigned brackets = 0;
	for (size_t i = 0; i < at && text[i]; i++) {
		char c = text[i];
		if (c == '\\' && i + 1 < at)
			i++;
		else if (c == '\'')
			quoted = !quoted;
		else if (!quoted && c == '[')
			brackets++;
		else if (!quoted && c == ']')
			brackets = 0;
		else if (!quoted && !brackets && (ends_operand(c) || c == '~'))
			start = i + 1;
	}
	return start;
}

struct candidates {
	struct arena *arena;
	const char **out;
	size_t n, max;
};

static void offer(struct candidates *x, const char *typed, size_t typed_n, const char *word, const char *tail)
{
	if (x->n < x->max && !strncmp(word, typed, typed_n))
		x->out[x->n++] = arena_printf(x->arena, "%s%s", word, tail);
}

static void offer_words(const struct select_context *c, struct candidates *x, const char *typed, size_t n)
{
	static const char *const properties[] = {"@type:", "@kind:", "@medium:", "@rail:", "@plane:"};
	bool here[CLASS_COUNT] = {false};
	classes_here(c->fabric, here);
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (here[i])
			offer(x, typed, n, arena_printf(x->arena, "@%s", class_names[i]), "");
	for (size_t i = 0; i < c->name_count; i++)
		offer(x, typed, n, arena_printf(x->arena, "@%s", c->names[i].name), "");
	for (size_t i = 0; i < c->fabric->groups.n; i++)
		offer(x, typed, n, arena_printf(x->arena, "@%s", c->fabric->groups.at[i].name), "");
	for (size_t i = 0; i < ARRAY_LEN(properties); i++)
		offer(x, typed, n, properties[i], "");
	offer(x, typed, n, "%here", "");
	offer(x, typed, n, "%sel", "");
}

static uint32_t walk_down(const struct fabric *f, const char *path, size_t n)
{
	uint32_t module = 0;
	struct arena a = {0};
	for (size_t at = 0; at < n && module != NONE; at++) {
		struct pattern p;
		struct pattern_error error;
		if (!glob_parse(&a, path, n, &at, true, &p, &error) || p.any_depth || !p.n)
			module = NONE;
		struct member m = {0};
		uint32_t next = NONE;
		while (module != NONE && next == NONE && module_next(f, module, &m))
			if (!m.is_device && glob_match(&p, fabric_str(f, f->modules.at[m.id].name)))
				next = m.id;
		module = next;
	}
	arena_free(&a);
	return module;
}

size_t select_complete(const struct select_context *c, struct arena *a, const char *text, size_t at,
		       const char **out, size_t max)
{
	const struct fabric *f = c->fabric;
	size_t start = select_operand_start(text, at), n = at - start;
	const char *typed = text + start;
	struct candidates x = {.arena = a, .out = out, .max = max};
	size_t dir = n;
	while (dir > 0 && typed[dir - 1] != '/')
		dir--;
	if (!dir)
		offer_words(c, &x, typed, n);
	uint32_t module = walk_down(f, typed, dir);
	struct member m = {0};
	while (module != NONE && x.n < max && module_next(f, module, &m)) {
		struct strbuf b = STRBUF_INIT;
		strbuf_add(&b, typed, dir);
		select_put_name(m.is_device ? device_name(f, m.id) : fabric_str(f, f->modules.at[m.id].name), &b);
		offer(&x, typed, n, b.text, m.is_device ? "" : "/");
		strbuf_free(&b);
	}
	return x.n;
}
