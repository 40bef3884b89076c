/* Paths: components walked down the modules. Literal components are looked up by hash, the others are tried
 * on each member; a name is tried once however often it stands in the fabric.
 */
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

struct walk {
	struct arena *arena;
	const struct fabric *f;
	const struct pattern *components;
	size_t n;
	uint8_t **verdicts;    /* per component, per name: 0 not tried, 1 no, 2 yes */
	struct idset visited;  /* (module, component) behind a "**" */
	struct idset *out;
	bool found;
	size_t deepest;        /* component that found nothing, and where it was looked for */
	uint32_t deepest_module;
};

static void walk_module(struct walk *w, uint32_t module, size_t i);

static void take(struct walk *w, bool is_device, uint32_t id, size_t i)
{
	if (i + 1 < w->n) {
		if (!is_device)
			walk_module(w, id, i + 1);
	} else if (is_device) {
		idset_add(w->out, id);
		w->found = true;
	} else {
		const struct module *m = &w->f->modules.at[id];
		idset_add_range(w->out, m->first_device, m->end_device);
		w->found |= m->first_device < m->end_device;
	}
}

static void any_depth(struct walk *w, uint32_t module, size_t i)
{
	uint32_t key = module * (uint32_t)w->n + (uint32_t)i;
	if (idset_has(&w->visited, key))
		return;
	idset_add(&w->visited, key);
	if (i + 1 == w->n) {
		take(w, false, module, i);
		return;
	}
	walk_module(w, module, i + 1);
	struct member m = {0};
	while (module_next(w->f, module, &m))
		if (!m.is_device)
			walk_module(w, m.id, i);
}

static bool name_matches(struct walk *w, size_t i, name_id name)
{
	if (name == NONE)
		return false;
	if (!w->verdicts[i])
		w->verdicts[i] = arena_alloc(w->arena, w->f->names.texts.n + 1);
	if (!w->verdicts[i][name])
		w->verdicts[i][name] = glob_match(&w->components[i], fabric_str(w->f, name)) ? 2 : 1;
	return w->verdicts[i][name] == 2;
}

static void walk_module(struct walk *w, uint32_t module, size_t i)
{
	const struct pattern *p = &w->components[i];
	if (i > w->deepest && !w->found) {
		w->deepest = i;
		w->deepest_module = module;
	}
	if (p->any_depth) {
		any_depth(w, module, i);
		return;
	}
	if (p->literal) {
		name_id name = strtab_find(&w->f->names, p->literal, strlen(p->literal));
		uint32_t id;
		bool is_device;
		if (name != NONE && module_child(w->f, module, name, &id, &is_device)) {
			take(w, is_device, id, i);
			return;
		}
	}
	struct member m = {0};
	while (module_next(w->f, module, &m)) {
		name_id name = m.is_device ? w->f->name[m.id] : w->f->modules.at[m.id].name;
		if (name_matches(w, i, name))
			take(w, m.is_device, m.id, i);
	}
}

/* ---- what to say when nothing matched -------------------------------------------------------- */

enum { HINT_NAMES = 4096, HINT_TERMS = 6 };

static const char *list_names(struct arena *a, const struct fold_name *names, size_t n)
{
	fold_terms terms = {0};
	fold_names(a, names, n, false, &terms);
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < terms.n && i < HINT_TERMS; i++)
		strbuf_printf(&b, "%s%s", i ? "  " : "", terms.at[i]);
	if (terms.n > HINT_TERMS)
		strbuf_puts(&b, "  …");
	const char *text = arena_strdup(a, strbuf_str(&b));
	strbuf_free(&b);
	vec_free(&terms);
	return text;
}

/* Where else a device or module of that very name stands: the user left out what is above it. */
static const char *elsewhere(const struct walk *w, const char *literal)
{
	name_id name = literal ? strtab_find(&w->f->names, literal, strlen(literal)) : NONE;
	uint32_t device = NONE, module = NONE;
	struct strbuf b = STRBUF_INIT;
	for (uint32_t d = 0; name != NONE && d < w->f->device_count && device == NONE; d++)
		if (w->f->name[d] == name)
			device = d;
	for (uint32_t m = 1; name != NONE && m < w->f->modules.n && device == NONE && module == NONE; m++)
		if (w->f->modules.at[m].name == name)
			module = m;
	if (device != NONE)
		device_path(w->f, device, &b);
	else if (module != NONE)
		module_path(w->f, module, &b);
	const char *hint = b.n ? arena_printf(w->arena, "did you mean %s? (**/%s finds it at any depth)", b.text, literal)
			       : NULL;
	strbuf_free(&b);
	return hint;
}

static const char *hint_at(const struct walk *w)
{
	VEC(const char *) words = {0};
	VEC(struct fold_name) names = {0};
	struct member m = {0};
	while (words.n < HINT_NAMES && module_next(w->f, w->deepest_module, &m)) {
		name_id id = m.is_device ? w->f->name[m.id] : w->f->modules.at[m.id].name;
		vec_push(&words, fabric_str(w->f, id));
		vec_push(&names, (struct fold_name){.name = fabric_str(w->f, id), .chosen = true});
	}
	const char *literal = w->components[w->deepest].literal;
	const char *near = literal ? nearest_word(literal, words.at, words.n) : NULL;
	if (near && name_base(near) == name_base(literal) && !strncmp(near, literal, name_base(near)))
		near = NULL; /* the index is wrong, not the name: say which there are */
	const char *hint = elsewhere(w, literal);
	struct strbuf where = STRBUF_INIT;
	module_path(w->f, w->deepest_module, &where);
	if (hint)
		near = NULL;
	else if (near)
		hint = arena_printf(w->arena, "did you mean %s%s%s?", where.n ? where.text : "", where.n ? "/" : "",
				    near);
	else if (names.n)
		hint = arena_printf(w->arena, "%s%s: %s", where.n ? "in " : "there are", where.n ? where.text : "",
				    list_names(w->arena, names.at, names.n));
	strbuf_free(&where);
	vec_free(&words);
	vec_free(&names);
	return hint;
}

bool path_eval(struct arena *a, const struct fabric *f, struct pattern *components, size_t n, struct idset *out,
	       const char **hint)
{
	struct walk w = {.arena = a, .f = f, .components = components, .n = n, .out = out};
	w.verdicts = arena_alloc(a, n * sizeof *w.verdicts);
	for (size_t i = 0; i < n; i++)
		if (components[i].any_depth && !w.visited.size)
			w.visited = idset_new((uint32_t)(f->modules.n * n));
	walk_module(&w, 0, 0);
	*hint = w.found ? NULL : hint_at(&w);
	idset_free(&w.visited);
	return w.found;
}
