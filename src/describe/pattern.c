/* Path patterns of wiring rules: NAME, NAME with a literal index, NAME{…}. A pattern walks down the parts of
 * a unit; where all indices of a part are known it goes straight to the instance, so that a search costs what
 * it finds.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- parsing ------------------------------------------------------------------------------------------ */

struct parse {
	struct loader *l;
	struct arena *arena;
	struct names *names;
	struct pattern *p;
	bool globs;
	/* for each variable the pattern binds: its slot and where, as component * DIMS_MAX + dimension */
	int slots[DIMS_MAX * 8];
	unsigned at[DIMS_MAX * 8], bound;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}

/* Complains at bytes of the pattern when it stands in the node as it is. */
static bool refuse(struct parse *s, size_t offset, size_t length, const char *hint, const char *text)
{
	const struct pattern *p = s->p;
	if (p->text == p->node->text)
		complain_at(s->l, p->node, offset, length, hint, "%s", text);
	else
		complain(s->l, p->node, hint, "%s in `%s`", text, p->text);
	return false;
}

/* The name's size when text ends in a literal index such as 3 or 0.1.2, else all of it. */
static size_t name_size(const char *text, size_t n)
{
	size_t i = n;
	while (i > 0 && (is_digit(text[i - 1]) || (text[i - 1] == '.' && i < n)))
		i--;
	while (i < n && !is_digit(text[i]))
		i++;
	return i == 0 ? n : i;
}

static bool parse_literal(struct parse *s, struct component *c, const char *text, size_t n)
{
	struct index index[DIMS_MAX];
	unsigned count = 0;
	for (size_t i = 0; i < n; count++) {
		uint64_t v = 0;
		if (count == DIMS_MAX || !is_digit(text[i]))
			return refuse(s, c->offset, c->size + n, NULL, "the index is not one of the form 0 or 0.1.2");
		for (; i < n && is_digit(text[i]); i++)
			v = v < UINT32_MAX ? v * 10 + (uint64_t)(text[i] - '0') : v;
		index[count] = (struct index){.kind = INDEX_LITERAL, .literal = v < NONE ? (uint32_t)v : NONE - 1};
		i += i < n;
	}
	c->index = arena_alloc(s->arena, count * sizeof *c->index + 1);
	memcpy(c->index, index, count * sizeof *c->index);
	c->index_count = count;
	return true;
}

static size_t trim(const char **text, size_t n)
{
	while (n > 0 && (**text == ' ' || **text == '\t'))
		++*text, n--;
	while (n > 0 && ((*text)[n - 1] == ' ' || (*text)[n - 1] == '\t'))
		n--;
	return n;
}

/* First pass over braces: what stands alone and is not known is bound here. */
static bool bind_free(struct parse *s, struct index *x, const char *text, size_t n, unsigned at)
{
	n = trim(&text, n);
	if (!is_identifier(text, n) || scope_param(s->names->scope, text, n) || names_find(s->names, text, n) >= 0)
		return false;
	if (s->bound == ARRAY_LEN(s->slots))
		return false;
	x->kind = INDEX_FREE;
	x->slot = names_var(s->names, arena_strndup(&s->l->arena, text, n));
	s->slots[s->bound] = x->slot;
	s->at[s->bound++] = at;
	return true;
}

/* The expressions between braces, cut at commas outside of brackets. Returns the size of one. */
static size_t expression_size(const char *text, size_t n)
{
	int depth = 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '(' || text[i] == '[')
			depth++;
		else if (text[i] == ')' || text[i] == ']')
			depth--;
		else if (text[i] == ',' && depth <= 0)
			return i;
	}
	return n;
}

static bool parse_braces(struct parse *s, struct component *c, const char *text, size_t n, unsigned component,
			 bool second)
{
	unsigned count = 0;
	for (size_t i = 0;; count++) {
		size_t size = expression_size(text + i, n - i);
		if (count == DIMS_MAX)
			return refuse(s, c->offset, c->size, NULL, "too many indices");
		if (!second && count == c->index_count)
			c->index_count++;
		struct index *x = &c->index[count];
		if (!second) {
			x->kind = INDEX_EXPR;
			bind_free(s, x, text + i, size, component * DIMS_MAX + count);
		} else if (x->kind == INDEX_EXPR) {
			x->e = expression(s->l, s->names, s->p->node, text + i, size);
			if (!x->e)
				return false;
			for (unsigned k = 0; k < s->bound; k++)
				x->late |= s->at[k] > component * DIMS_MAX + count && expr_uses(x->e, s->slots[k]);
		}
		i += size;
		if (i >= n)
			break;
		i++;
	}
	return true;
}

/* One component; on the second pass the expressions are parsed, when all that is bound is known. */
static bool parse_component(struct parse *s, struct component *c, const char *text, size_t n, unsigned number,
			    bool second)
{
	size_t i = 0;
	while (i < n && (is_name_char(text[i]) || text[i] == '.' || (s->globs && text[i] == '*')))
		i++;
	if (second)
		return c->glob || i == n || parse_braces(s, c, text + i + 1, n - i - 2, number, true);
	c->offset = (size_t)(text - s->p->text);
	c->size = i;
	if (i == 0)
		return refuse(s, c->offset, n > 0, NULL, n ? "a name is expected here" : "the path has an empty part");
	if (memchr(text, '*', i)) {
		c->glob = true;
	} else if (i == n) {
		c->size = name_size(text, n);
		if (!parse_literal(s, c, text + c->size, n - c->size))
			return false;
	} else if (text[i] != '{' || text[n - 1] != '}' || n - i < 3) {
		return refuse(s, c->offset + i, 1, "a component is NAME, NAME3 or NAME{…}",
			      text[i] == '*' || text[i] == '[' ? "globs and sets belong to selections"
							       : "this cannot stand in a pattern");
	} else {
		c->index = arena_alloc(s->arena, DIMS_MAX * sizeof *c->index);
		parse_braces(s, c, text + i + 1, n - i - 2, number, false);
	}
	c->name = arena_strndup(s->arena, text, c->size);
	return true;
}

/* The end of a component: a slash outside of braces (they may hold a division). */
static size_t component_size(const char *text)
{
	size_t i = 0;
	for (int depth = 0; text[i] && (text[i] != '/' || depth > 0); i++)
		depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
	return i;
}

bool pattern_parse(struct loader *l, struct arena *a, struct names *names, const struct node *n, const char *text,
		   bool globs, struct pattern *out)
{
	struct parse s = {.l = l, .arena = a, .names = names, .p = out, .globs = globs};
	uint32_t count = 1;
	*out = (struct pattern){.node = n, .text = text};
	for (size_t i = component_size(text); text[i]; i += 1 + component_size(text + i + 1))
		count++;
	if (count > DIMS_MAX * 8)
		return refuse(&s, 0, 0, NULL, "the path is too long");
	out->components = arena_alloc(a, count * sizeof *out->components);
	out->n = count;
	for (int pass = 0; pass < 2; pass++) {
		const char *at = text;
		for (uint32_t k = 0; k < count; k++) {
			size_t size = component_size(at);
			if (!parse_component(&s, &out->components[k], at, size, k, pass == 1))
				return false;
			at += size + 1;
		}
	}
	return true;
}

/* ---- searching ------------------------------------------------------------------------------------------ */

struct walk {
	const struct search *s;
	struct pattern *p;
};

static bool walk_unit(struct walk *w, uint32_t k, const struct unit *u, uint32_t base);

void instance_name(const struct part *p, uint64_t instance, struct strbuf *b)
{
	uint64_t index[DIMS_MAX];
	if (p->label) {
		strbuf_puts(b, p->label);
		return;
	}
	strbuf_puts(b, p->name);
	for (uint32_t d = p->dim_count; d > 0; d--) {
		index[d - 1] = instance % p->dims[d - 1];
		instance /= p->dims[d - 1];
	}
	for (uint32_t d = 0; d < p->dim_count; d++)
		strbuf_printf(b, "%s%llu", d ? "." : "", (unsigned long long)index[d]);
}

static bool glob_matches(const char *glob, const char *text)
{
	const char *star = NULL, *back = NULL;
	while (*text) {
		if (*glob == '*') {
			star = glob++;
			back = text;
		} else if (*glob == *text) {
			glob++, text++;
		} else if (star) {
			glob = star + 1;
			text = ++back;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

/* What each late expression says must be what was chosen. */
static bool late_agrees(struct walk *w, bool *agrees)
{
	for (uint32_t k = 0; k < w->p->n; k++) {
		const struct component *c = &w->p->components[k];
		for (uint32_t d = 0; d < c->index_count; d++) {
			int64_t v;
			if (!c->index[d].late)
				continue;
			if (!evaluate(w->s->l, w->s->names, w->p->node, c->index[d].e, &v))
				return false;
			if (v != (int64_t)c->chosen[d]) {
				*agrees = false;
				return true;
			}
		}
	}
	*agrees = true;
	return true;
}

static bool arrive(struct walk *w, struct landing end)
{
	bool agrees;
	if (!late_agrees(w, &agrees))
		return false;
	return !agrees || w->s->found(w->s->context, end);
}

static bool enter(struct walk *w, uint32_t k, const struct part *p, uint32_t base, uint32_t instance)
{
	struct unit *inner = part_unit(p, instance);
	uint32_t first = base + part_first(p, instance);
	if (!spend(w->s->l, w->p->node, 1))
		return false;
	if (k + 1 == w->p->n)
		return arrive(w, (struct landing){first, inner});
	if (inner)
		return walk_unit(w, k + 1, inner, first);
	complain(w->s->l, w->p->node, NULL, "`%s` is a device; nothing lies inside of it", p->name);
	return false;
}

static bool walk_dims(struct walk *w, uint32_t k, const struct part *p, uint32_t base, uint32_t d, uint64_t at)
{
	struct component *c = &w->p->components[k];
	if (d == p->dim_count)
		return enter(w, k, p, base, (uint32_t)at);
	const struct index *x = c->index_count ? &c->index[d] : NULL;
	int64_t first = 0, end = p->dims[d];
	if (x && x->kind == INDEX_LITERAL)
		first = x->literal;
	else if (x && x->kind == INDEX_EXPR && !x->late && !evaluate(w->s->l, w->s->names, w->p->node, x->e, &first))
		return false;
	if (x && (x->kind == INDEX_LITERAL || (x->kind == INDEX_EXPR && !x->late))) {
		if (first < 0 || first >= end)
			return true;
		end = first + 1;
	}
	for (int64_t i = first; i < end; i++) {
		if (x && x->kind == INDEX_FREE)
			w->s->names->slots.at[x->slot] = i;
		c->chosen[d] = (uint32_t)i;
		if (!walk_dims(w, k, p, base, d + 1, at * p->dims[d] + (uint64_t)i))
			return false;
	}
	return true;
}

static const char *unit_word(const struct unit *u)
{
	return module_word(u->def->node);
}

static bool no_part(struct walk *w, const struct component *c, const struct unit *u)
{
	VEC(const char *) known = {0};
	const struct pattern *p = w->p;
	struct loader *l = w->s->l;
	for (size_t i = 0; i < u->parts.n; i++)
		vec_push(&known, u->parts.at[i].name);
	const char *hint = which_are_known(l, c->name, known.at, known.n);
	if (!hint && known.n > 0 && known.n <= 8) {
		struct strbuf b = STRBUF_INIT;
		strbuf_puts(&b, "its parts are");
		for (size_t i = 0; i < known.n; i++)
			strbuf_printf(&b, "%s %s", i ? "," : "", known.at[i]);
		hint = arena_strdup(&l->arena, strbuf_str(&b));
		strbuf_free(&b);
	}
	if (p->text == p->node->text)
		complain_at(l, p->node, c->offset, c->size, hint, "no part `%s` in %s `%s`", c->name, unit_word(u),
			    u->def->name);
	else
		complain(l, p->node, hint, "no part `%s` in %s `%s`, in `%s`", c->name, unit_word(u), u->def->name,
			 p->text);
	vec_free(&known);
	return false;
}

static bool wrong_dims(struct walk *w, const struct component *c, const struct part *p)
{
	if (!schema_knows(p->node, "part"))
		return false; /* its count may be what is misspelt there */
	if (p->dim_count == 0)
		complain(w->s->l, w->p->node, "a part without `count` has no index", "`%s` is one thing, not a row",
			 c->name);
	else
		complain(w->s->l, w->p->node, NULL, "`%s` has %u dimension%s, `%s` gives %u", c->name, p->dim_count,
			 p->dim_count == 1 ? "" : "s", w->p->text, c->index_count);
	return false;
}

static bool walk_glob(struct walk *w, uint32_t k, const struct unit *u, uint32_t base)
{
	const struct component *c = &w->p->components[k];
	struct strbuf b = STRBUF_INIT;
	bool ok = true;
	for (size_t i = 0; i < u->parts.n && ok; i++) {
		const struct part *p = &u->parts.at[i];
		for (uint64_t j = 0; j < p->total && ok; j++) {
			strbuf_trim(&b, 0);
			instance_name(p, j, &b);
			if (glob_matches(c->name, strbuf_str(&b)))
				ok = enter(w, k, p, base, (uint32_t)j);
		}
	}
	strbuf_free(&b);
	return ok;
}

static bool walk_unit(struct walk *w, uint32_t k, const struct unit *u, uint32_t base)
{
	struct component *c = &w->p->components[k];
	if (c->glob)
		return walk_glob(w, k, u, base);
	if (c->def != u->def) {
		c->part = strtab_find(&u->part_names, c->name, strlen(c->name));
		if (c->part == NONE)
			return no_part(w, c, u);
		c->def = u->def;
	}
	const struct part *p = &u->parts.at[c->part];
	if (p->total == 0) {
		*w->s->empty_part = true;
		return true;
	}
	if (c->index_count && c->index_count != p->dim_count)
		return wrong_dims(w, c, p);
	return walk_dims(w, k, p, base, 0, 0);
}

bool pattern_search(const struct search *s, struct pattern *p, const struct unit *u)
{
	struct walk w = {s, p};
	return walk_unit(&w, 0, u, 0);
}

uint64_t pattern_size(const struct pattern *p, const struct unit *u)
{
	uint64_t size = 1;
	for (uint32_t k = 0; k < p->n; k++) {
		const struct component *c = &p->components[k];
		const struct part *part = u && !c->glob ? unit_part(u, c->name, strlen(c->name)) : NULL;
		if (!part || part->units || part->total == 0)
			return 0;
		for (uint32_t d = 0; d < part->dim_count; d++) {
			const struct index *x = d < c->index_count ? &c->index[d] : NULL;
			if (x && x->kind == INDEX_EXPR)
				return 0;
			if (x && x->kind == INDEX_LITERAL)
				continue;
			if (__builtin_mul_overflow(size, part->dims[d], &size))
				return UINT64_MAX;
		}
		u = part->unit;
	}
	return size;
}

/* The part of a unit that a device lies in, and in which instance. */
static const struct part *part_of(const struct unit *u, uint32_t device, uint32_t *instance)
{
	for (size_t i = 0; i < u->parts.n; i++) {
		const struct part *p = &u->parts.at[i];
		if (device < p->base || device - p->base >= p->devices)
			continue;
		uint64_t lo = 0, hi = p->total;
		while (hi - lo > 1) {
			uint64_t mid = lo + (hi - lo) / 2;
			if (part_first(p, (uint32_t)mid) <= device)
				lo = mid;
			else
				hi = mid;
		}
		*instance = (uint32_t)lo;
		return p;
	}
	return NULL;
}

void unit_path(const struct unit *u, uint32_t device, struct strbuf *b)
{
	uint32_t instance;
	const struct part *p;
	while (u && (p = part_of(u, device, &instance))) {
		instance_name(p, instance, b);
		u = part_unit(p, instance);
		if (u)
			strbuf_putc(b, '/');
		device -= part_first(p, instance);
	}
}

const struct definition *unit_device(const struct unit *u, uint32_t device)
{
	uint32_t instance;
	const struct part *p = NULL;
	while (u && (p = part_of(u, device, &instance))) {
		device -= part_first(p, instance);
		u = part_unit(p, instance);
	}
	return p ? p->device : NULL;
}
