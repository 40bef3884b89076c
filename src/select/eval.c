/* The selection language: operators left to right, operands, the messages about both. Evaluates while it
 * parses; every operand costs at most a pass over the devices.
 */
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

enum { NESTING_MAX = 64 };

/* The groups being evaluated, innermost first: what refers to one of them runs in a circle. */
struct chain {
	const char *name;
	const struct chain *outer;
};

struct parser {
	const struct select_context *c;
	const struct fabric *f;
	const char *text;
	size_t n, at;
	struct mark where;
	struct diag *d;
	struct arena *arena;
	const struct chain *chain;
	unsigned depth;
	struct idset *labels; /* trunks named by an @rail or @plane, or NULL */
	bool labelled;        /* an @rail or @plane found trunks */
};

static bool parse_expression(struct parser *p, struct idset *out);
static bool parse_term(struct parser *p, struct idset *out);

/* A term whose labels do not count: it is not simply joined in. */
static bool parse_term_plain(struct parser *p, struct idset *out)
{
	struct parser inner = *p;
	inner.labels = NULL;
	inner.labelled = false;
	bool ok = parse_term(&inner, out);
	p->at = inner.at;
	return ok;
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool fail(struct parser *p, size_t at, size_t length, const char *hint, const char *text)
{
	if (p->where.source) {
		char *trail = mem_printf("in the selection `%s`", p->text);
		diag_add(p->d, LEVEL_ERROR, p->where, trail, hint, "%s", text);
		free(trail);
		return false;
	}
	struct source s = {.name = "selection", .text = p->text, .size = p->n};
	struct mark mark = {.source = &s, .line = 1, .column = (uint32_t)at + 1, .length = (uint32_t)length};
	diag_add(p->d, LEVEL_ERROR, mark, NULL, hint, "%s", text);
	return false;
}

static bool fail_pattern(struct parser *p, const struct pattern_error *e)
{
	return fail(p, e->at, e->length, e->hint, e->text);
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->n && strchr(" \t\n", p->text[p->at]))
		p->at++;
}

/* ---- operands: @… ---------------------------------------------------------------------------- */

/* The root is not looked at from above. Where a dump sees the adapters of hosts only, the modules are the hosts. */
void class_devices(const struct fabric *f, enum device_class class, struct idset *out)
{
	bool any = false;

	for (uint32_t d = 0; d < f->device_count; d++)
		if (device_class(f, d) == class) {
			idset_add(out, d);
			any = true;
		}
	for (uint32_t m = 1; m < f->modules.n; m++)
		if (f->modules.at[m].class == class && f->modules.at[m].first_device < f->modules.at[m].end_device) {
			idset_add_range(out, f->modules.at[m].first_device, f->modules.at[m].end_device);
			any = true;
		}
	for (uint32_t m = 1; class == CLASS_HOST && !any && m < f->modules.n; m++)
		if (f->modules.at[m].kind == MODULE_HOST)
			idset_add_range(out, f->modules.at[m].first_device, f->modules.at[m].end_device);
}

void classes_here(const struct fabric *f, bool here[CLASS_COUNT])
{
	for (uint32_t d = 0; d < f->device_count; d++)
		here[device_class(f, d)] = true;
	for (uint32_t m = 1; m < f->modules.n; m++)
		if (f->modules.at[m].class != CLASS_NONE || f->modules.at[m].kind == MODULE_HOST)
			here[f->modules.at[m].class != CLASS_NONE ? f->modules.at[m].class : CLASS_HOST] = true;
}

static void match_types(struct parser *p, const struct pattern *pattern, struct idset *out)
{
	bool *yes = arena_alloc(p->arena, p->f->types.n + 1);
	for (size_t i = 0; i < p->f->types.n; i++)
		yes[i] = glob_match(pattern, fabric_str(p->f, p->f->types.at[i].name));
	for (uint32_t d = 0; d < p->f->device_count; d++)
		if (yes[p->f->type[d]])
			idset_add(out, d);
	for (size_t i = 0; i < p->f->modules.n; i++) {
		const struct module *m = &p->f->modules.at[i];
		if (m->type != NONE && glob_match(pattern, fabric_str(p->f, m->type)))
			idset_add_range(out, m->first_device, m->end_device);
	}
}

static void match_kinds(struct parser *p, const struct pattern *pattern, struct idset *out)
{
	for (size_t i = 1; i < p->f->modules.n; i++) {
		const struct module *m = &p->f->modules.at[i];
		if (glob_match(pattern, module_kind_names[m->kind]))
			idset_add_range(out, m->first_device, m->end_device);
	}
}

static void match_media(struct parser *p, const struct pattern *pattern, struct idset *out)
{
	bool *yes = arena_alloc(p->arena, p->f->kinds.n + 1);
	for (size_t i = 0; i < p->f->kinds.n; i++) {
		uint32_t medium = p->f->kinds.at[i].medium;
		yes[i] = medium != NONE && glob_match(pattern, fabric_str(p->f, p->f->media.at[medium].name));
	}
	for (uint32_t t = 0; t < p->f->trunk_count; t++)
		if (yes[p->f->trunks[t].kind]) {
			idset_add(out, p->f->trunks[t].a);
			idset_add(out, p->f->trunks[t].b);
		}
}

static bool label_matches(const struct pattern *pattern, int32_t label)
{
	char *text = label == NO_LABEL ? NULL : mem_printf("%d", label);
	bool yes = text && glob_match(pattern, text);
	free(text);
	return yes;
}

static void match_labels(struct parser *p, const struct pattern *pattern, bool rail, struct idset *out)
{
	const int32_t *label = rail ? p->f->rail : p->f->plane;
	for (uint32_t d = 0; d < p->f->device_count; d++)
		if (label[d] != NO_LABEL && label_matches(pattern, label[d]))
			idset_add(out, d);
	if (!p->labels)
		return;
	for (uint32_t t = 0; t < p->f->trunk_count; t++) {
		int32_t of_trunk = rail ? p->f->trunks[t].rail : p->f->trunks[t].plane;
		if (of_trunk != NO_LABEL && label_matches(pattern, of_trunk)) {
			idset_add(p->labels, t);
			p->labelled = true;
		}
	}
}

static void match_rails(struct parser *p, const struct pattern *pattern, struct idset *out)
{
	match_labels(p, pattern, true, out);
}

static void match_planes(struct parser *p, const struct pattern *pattern, struct idset *out)
{
	match_labels(p, pattern, false, out);
}

static const struct property {
	const char *name;
	void (*match)(struct parser *p, const struct pattern *pattern, struct idset *out);
} properties[] = {
	{"type", match_types},
	{"kind", match_kinds},
	{"medium", match_media},
	{"rail", match_rails},
	{"plane", match_planes},
};

static void add_word(char **words, size_t *n, size_t max, const char *word)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(words[i], word) == 0)
			return;
	if (*n < max)
		words[(*n)++] = mem_strdup(word);
}

static void add_label(char **words, size_t *n, size_t max, int32_t label)
{
	char *text = label == NO_LABEL ? NULL : mem_printf("%d", label);
	if (text)
		add_word(words, n, max, text);
	free(text);
}

enum { VALUES_MAX = 24 };

/* The values a property has here, in the order of the model. */
static size_t property_values(const struct parser *p, const char *property, char **words)
{
	const struct fabric *f = p->f;
	size_t n = 0;
	if (!strcmp(property, "type")) {
		for (uint32_t d = 0; d < f->device_count; d++)
			add_word(words, &n, VALUES_MAX, fabric_str(f, f->types.at[f->type[d]].name));
		for (size_t i = 0; i < f->modules.n; i++)
			if (f->modules.at[i].type != NONE)
				add_word(words, &n, VALUES_MAX, fabric_str(f, f->modules.at[i].type));
	} else if (!strcmp(property, "kind")) {
		for (size_t i = 1; i < f->modules.n; i++)
			add_word(words, &n, VALUES_MAX, module_kind_names[f->modules.at[i].kind]);
	} else if (!strcmp(property, "medium")) {
		for (size_t i = 0; i < f->kinds.n; i++)
			if (f->kinds.at[i].medium != NONE)
				add_word(words, &n, VALUES_MAX, fabric_str(f, f->media.at[f->kinds.at[i].medium].name));
	} else {
		const int32_t *label = !strcmp(property, "rail") ? f->rail : f->plane;
		for (uint32_t d = 0; d < f->device_count; d++)
			add_label(words, &n, VALUES_MAX, label[d]);
	}
	return n;
}

static const char *property_hint(struct parser *p, const char *property, const struct pattern *asked)
{
	char *words[VALUES_MAX];
	size_t n = property_values(p, property, words);
	const char *near = asked->literal ? nearest_word(asked->literal, (const char *const *)words, n) : NULL;
	struct strbuf b = STRBUF_INIT;
	if (near)
		strbuf_printf(&b, "did you mean @%s:%s?", property, near);
	else if (!n)
		strbuf_printf(&b, "no device here has a %s", property);
	for (size_t i = 0; !near && i < n; i++)
		strbuf_printf(&b, "%s @%s:%s", i ? "" : "there are:", property, words[i]);
	if (!near && n == VALUES_MAX)
		strbuf_puts(&b, " …");
	const char *hint = arena_strdup(p->arena, strbuf_str(&b));
	strbuf_free(&b);
	for (size_t i = 0; i < n; i++)
		free(words[i]);
	return hint;
}

static bool eval_property(struct parser *p, size_t start, size_t name_n, struct idset *out)
{
	const char *name = p->text + start + 1;
	const struct property *found = NULL;
	for (size_t i = 0; i < ARRAY_LEN(properties); i++)
		if (strlen(properties[i].name) == name_n && !memcmp(properties[i].name, name, name_n))
			found = &properties[i];
	if (!found)
		return fail(p, start, name_n + 1, "known are @type: @kind: @medium: @rail: @plane:",
			    "there is no such property");
	struct pattern pattern;
	struct pattern_error error;
	p->at = start + 1 + name_n + 1;
	if (!glob_parse(p->arena, p->text, p->n, &p->at, false, &pattern, &error))
		return fail_pattern(p, &error);
	if (!pattern.n)
		return fail(p, start, p->at - start, NULL, "a value was expected behind the colon");
	found->match(p, &pattern, out);
	if (idset_is_empty(out) && !p->labelled) {
		char *text = mem_printf("nothing matches `%.*s`", (int)(p->at - start), p->text + start);
		fail(p, start, p->at - start, property_hint(p, found->name, &pattern), text);
		free(text);
		return false;
	}
	return true;
}

static const struct named_selection *find_named(const struct parser *p, const char *name)
{
	for (size_t i = 0; i < p->c->name_count; i++)
		if (!strcmp(p->c->names[i].name, name))
			return &p->c->names[i];
	for (size_t i = 0; i < p->f->groups.n; i++)
		if (!strcmp(p->f->groups.at[i].name, name))
			return &p->f->groups.at[i];
	return NULL;
}

/* The words that may stand behind "@", for hints. */
static const char *word_hint(struct parser *p, const char *name)
{
	VEC(const char *) words = {0};
	struct strbuf b = STRBUF_INIT;
	bool here[CLASS_COUNT] = {false};
	classes_here(p->f, here);
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (here[i])
			vec_push(&words, class_names[i]);
	for (size_t i = 0; i < p->c->name_count; i++)
		vec_push(&words, p->c->names[i].name);
	for (size_t i = 0; i < p->f->groups.n; i++)
		vec_push(&words, p->f->groups.at[i].name);
	const char *near = nearest_word(name, words.at, words.n);
	if (near)
		strbuf_printf(&b, "did you mean @%s?", near);
	else
		strbuf_puts(&b, "there are:");
	for (size_t i = 0; !near && i < words.n; i++)
		strbuf_printf(&b, " @%s", words.at[i]);
	const char *hint = arena_strdup(p->arena, strbuf_str(&b));
	strbuf_free(&b);
	vec_free(&words);
	return hint;
}

static bool eval_group(struct parser *p, const struct named_selection *g, size_t start, struct idset *out)
{
	unsigned length = 0;
	for (const struct chain *c = p->chain; c; c = c->outer, length++)
		if (!strcmp(c->name, g->name))
			return fail(p, start, p->at - start, NULL, "this group refers to itself");
	if (length > NESTING_MAX)
		return fail(p, start, p->at - start, NULL, "groups refer to groups too deeply");
	struct chain link = {.name = g->name, .outer = p->chain};
	struct parser inner = *p;
	inner.text = g->selection;
	inner.n = strlen(g->selection);
	inner.at = 0;
	inner.where = g->mark;
	inner.chain = &link;
	inner.depth = 0;
	bool ok = parse_expression(&inner, out);
	p->labelled |= inner.labelled;
	return ok;
}

static bool eval_at(struct parser *p, struct idset *out)
{
	size_t start = p->at, end = start + 1;
	while (end < p->n && !ends_operand(p->text[end]) && p->text[end] != ':' && p->text[end] != '\'')
		end++;
	if (end < p->n && p->text[end] == ':')
		return eval_property(p, start, end - start - 1, out);
	struct pattern pattern;
	struct pattern_error error;
	p->at = start + 1;
	if (!glob_parse(p->arena, p->text, p->n, &p->at, false, &pattern, &error))
		return fail_pattern(p, &error);
	const char *name = pattern.literal;
	if (!name)
		return fail(p, start, p->at - start, word_hint(p, ""), "a class or a group was expected behind @");
	if (!strcmp(name, "accel"))
		name = class_names[CLASS_GPU];
	const struct named_selection *g = find_named(p, name);
	for (int i = 0; i < CLASS_COUNT; i++)
		if (!strcmp(class_names[i], name)) {
			g = NULL;
			class_devices(p->f, (enum device_class)i, out);
		}
	if (g)
		return eval_group(p, g, start, out);
	if (!idset_is_empty(out))
		return true;
	char *text = mem_printf("nothing matches `%.*s`", (int)(p->at - start), p->text + start);
	fail(p, start, p->at - start, word_hint(p, name), text);
	free(text);
	return false;
}

/* ---- operands: %here, %sel, paths ------------------------------------------------------------- */

static bool eval_percent(struct parser *p, struct idset *out)
{
	size_t start = p->at++;
	while (p->at < p->n && !ends_operand(p->text[p->at]))
		p->at++;
	size_t n = p->at - start;
	const struct idset *set = NULL;
	if (n == 5 && !memcmp(p->text + start, "%here", n))
		set = p->c->here;
	else if (n == 4 && !memcmp(p->text + start, "%sel", n))
		set = p->c->selected;
	else
		return fail(p, start, n, "known are %here and %sel", "there is no such set");
	if (!set)
		return fail(p, start, n, NULL, "this means something in the explorer only");
	if (idset_is_empty(set))
		return fail(p, start, n, NULL, n == 4 ? "nothing is selected" : "nothing is under the cursor");
	idset_union(out, set);
	return true;
}

/* Repeated "**" mean the same as one. */
static size_t squeeze(struct pattern *components, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!kept || !components[i].any_depth || !components[kept - 1].any_depth)
			components[kept++] = components[i];
	return kept;
}

static bool eval_path(struct parser *p, struct idset *out)
{
	VEC(struct pattern) components = {0};
	struct pattern_error error;
	size_t start = p->at;
	bool ok = true;
	if (p->text[p->at] == '/')
		p->at++;
	do {
		struct pattern c;
		ok = glob_parse(p->arena, p->text, p->n, &p->at, true, &c, &error) || fail_pattern(p, &error);
		if (ok && c.n)
			vec_push(&components, c);
		else if (ok && p->at < p->n && p->text[p->at] == '/')
			ok = fail(p, p->at, 1, NULL, "a name was expected before this slash");
	} while (ok && p->at < p->n && p->text[p->at] == '/' && p->at++ < p->n);
	if (ok && !components.n)
		ok = fail(p, start, p->at - start, "`*` is everything", "a name was expected");
	const char *hint;
	if (ok && !path_eval(p->arena, p->f, components.at, squeeze(components.at, components.n), out, &hint)) {
		char *text = mem_printf("nothing matches `%.*s`", (int)(p->at - start), p->text + start);
		ok = fail(p, start, p->at - start, hint, text);
		free(text);
	}
	vec_free(&components);
	return ok;
}

static void add_end(struct idset *out, const struct idset *s, uint32_t self, uint32_t other)
{
	if (other != NONE && idset_has(s, self) && !idset_has(s, other))
		idset_add(out, other);
}

/* Devices one trunk away. A passive device is a neighbour of the ends of what runs through it. */
static bool eval_neighbours(struct parser *p, struct idset *out)
{
	size_t start = p->at++;
	struct idset s = idset_new(p->f->device_count);
	p->depth++;
	skip_blanks(p);
	bool ok = p->depth <= NESTING_MAX || fail(p, start, 1, NULL, "this is nested too deeply");
	ok = ok && parse_term_plain(p, &s);
	p->depth--;
	for (uint32_t t = 0; ok && t < p->f->trunk_count; t++) {
		const struct trunk *k = &p->f->trunks[t];
		add_end(out, &s, k->a, k->b);
		add_end(out, &s, k->b, k->a);
		add_end(out, &s, k->a, k->via);
		add_end(out, &s, k->b, k->via);
		if (k->via != NONE) {
			add_end(out, &s, k->via, k->a);
			add_end(out, &s, k->via, k->b);
		}
	}
	if (ok && idset_is_empty(out))
		ok = fail(p, start, p->at - start, NULL, "this has no neighbours");
	idset_free(&s);
	return ok;
}

/* ---- expressions ------------------------------------------------------------------------------ */

static bool parse_group(struct parser *p, struct idset *out)
{
	size_t start = p->at++;
	if (++p->depth > NESTING_MAX)
		return fail(p, start, 1, NULL, "this is nested too deeply");
	if (!parse_expression(p, out))
		return false;
	if (p->at >= p->n)
		return fail(p, start, 1, NULL, "this parenthesis is not closed");
	p->at++;
	p->depth--;
	return true;
}

static bool parse_term(struct parser *p, struct idset *out)
{
	skip_blanks(p);
	char c = p->at < p->n ? p->text[p->at] : '\0';
	switch (c) {
	case '(': return parse_group(p, out);
	case '~': return eval_neighbours(p, out);
	case '@': return eval_at(p, out);
	case '%': return eval_percent(p, out);
	case '!':
		return fail(p, p->at, 1, "`*!X` is everything but X", "`!` stands between two selections");
	default: break;
	}
	if (ends_operand(c))
		return fail(p, p->at, c ? 1 : 0, p->n ? NULL : "`*` is everything", "a selection was expected");
	return eval_path(p, out);
}

static bool apply(struct parser *p, char operator, struct idset *out)
{
	struct idset right = idset_new(p->f->device_count);
	bool ok = operator == ',' ? parse_term(p, &right) : parse_term_plain(p, &right);
	if (ok && operator == ',')
		idset_union(out, &right);
	else if (ok && operator == '!')
		idset_subtract(out, &right);
	else if (ok && operator == '&')
		idset_intersect(out, &right);
	else if (ok)
		idset_toggle(out, &right);
	idset_free(&right);
	return ok;
}

/* Up to the end of the text or the parenthesis that closes it. */
static bool parse_expression(struct parser *p, struct idset *out)
{
	if (!parse_term(p, out))
		return false;
	for (;;) {
		skip_blanks(p);
		if (p->at >= p->n || (p->text[p->at] == ')' && p->depth))
			return true;
		char c = p->text[p->at];
		if (!strchr(",!&^", c))
			return fail(p, p->at, 1, "selections are joined by `,` `!` `&` `^`; blanks in names are quoted: '…'",
				    c == ')' ? "this parenthesis closes nothing" : "an operator was expected");
		p->at++;
		if (!apply(p, c, out))
			return false;
	}
}

enum status select_eval_labels(const struct select_context *c, const char *text, struct mark where,
			       struct diag *d, struct idset *out, struct idset *labels)
{
	struct arena arena = {0};
	struct parser p = {.c = c, .f = c->fabric, .text = text, .n = strlen(text), .where = where, .d = d,
			   .arena = &arena, .labels = labels};
	*out = idset_new(c->fabric->device_count);
	bool ok = parse_expression(&p, out);
	if (ok && idset_is_empty(out) && !p.labelled)
		ok = fail(&p, 0, p.n, NULL, "nothing is left in this selection");
	if (!ok) {
		idset_free(out);
		*out = idset_new(c->fabric->device_count);
	}
	arena_free(&arena);
	return ok ? OK : E_USAGE;
}

enum status select_eval(const struct select_context *c, const char *text, struct mark where, struct diag *d,
			struct idset *out)
{
	return select_eval_labels(c, text, where, d, out, NULL);
}
