/* Loading a description: the steps in their order, and what is recognised as one. */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

/* A line that begins with the key `toponaut`, plain or quoted, perhaps inside of a brace. */
bool describe_recognise(const struct source *s)
{
	static const char key[] = "toponaut";
	enum { FAR = 1 << 16 };
	size_t size = s->size < FAR ? s->size : FAR, i = 0;
	if (size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < size) {
		size_t at = i;
		while (at < size && strchr("{\"' \t", s->text[at]) && s->text[at])
			at++;
		bool indented = at > i && (s->text[i] == ' ' || s->text[i] == '\t') && s->text[at - 1] != '"';
		if (!indented && size - at > sizeof key && memcmp(s->text + at, key, sizeof key - 1) == 0) {
			at += sizeof key - 1;
			while (at < size && strchr("\"' \t", s->text[at]) && s->text[at])
				at++;
			if (at < size && s->text[at] == ':')
				return true;
		}
		const char *line = memchr(s->text + i, '\n', size - i);
		i = line ? (size_t)(line - s->text) + 1 : size;
	}
	return false;
}

static struct unit *build_root(struct loader *l)
{
	const struct file *top = l->files.at[0];
	const struct node *build = map_get(top->top, "build");
	if (!build) {
		complain(l, top->top, "write `build:` and the name of a module", "the key `build` is missing");
		return NULL;
	}
	return build->kind == NODE_SCALAR ? unit_build(l, build) : NULL;
}

static void load(struct loader *l, const struct source *s)
{
	files_load(l, s);
	if (!l->files.n || !l->files.at[0]->top || l->files.at[0]->top->kind != NODE_MAP || is_over(l))
		return;
	kinds_read(l);
	struct unit *root = is_over(l) ? NULL : build_root(l);
	if (!is_over(l))
		claims_read(l);
	if (root && l->status == OK)
		unit_stamp(l, root);
}

static void loader_free(struct loader *l)
{
	units_free(l);
	for (size_t i = 0; i < l->files.n; i++) {
		text_close(l->files.at[i]->text);
		vec_free(&l->files.at[i]->scope.params);
	}
	for (int t = 0; t < TABLE_COUNT; t++) {
		vec_free(&l->tables[t]);
		strtab_free(&l->names[t]);
	}
	vec_free(&l->files);
	vec_free(&l->links);
	vec_free(&l->devices);
	vec_free(&l->media);
	vec_free(&l->misshapen);
	vec_free(&l->trail);
	arena_free(&l->arena);
}

enum status describe_load(const struct source *s, const struct describe_options *o, struct diag *d, struct fabric **out)
{
	static const struct describe_options none = {0};
	struct loader l = {.f = fabric_new(s->name), .d = d, .o = o ? o : &none};
	l.limits = limits_filled(&l.o->limits);
	load(&l, s);
	enum status status = l.status;
	if (status == OK)
		status = fabric_freeze(l.f, d);
	loader_free(&l);
	*out = status == OK ? l.f : NULL;
	if (status != OK)
		fabric_free(l.f);
	return status;
}
