/* Parameters and what may stand in a scalar: ${…}, expressions, quantities, truth. */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

bool is_identifier(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool letter = (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || s[i] == '_';
		if (!letter && (i == 0 || s[i] < '0' || s[i] > '9'))
			return false;
	}
	return n > 0;
}

bool is_integer_text(const char *s, int64_t *out)
{
	bool negative = *s == '-';
	int64_t v = 0;
	s += negative;
	if (!*s)
		return false;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_sub_overflow(v, *s - '0', &v))
			return false;
	if (*s || (!negative && v == INT64_MIN))
		return false;
	*out = negative ? v : -v;
	return true;
}

/* ---- names ------------------------------------------------------------------------------------------- */

const struct param *scope_param(const struct scope *s, const char *name, size_t size)
{
	for (; s; s = s->parent)
		for (size_t i = 0; i < s->params.n; i++)
			if (strlen(s->params.at[i].name) == size && memcmp(s->params.at[i].name, name, size) == 0)
				return &s->params.at[i];
	return NULL;
}

static void add_params(struct names *n, const struct scope *s)
{
	if (!s)
		return;
	add_params(n, s->parent);
	for (size_t i = 0; i < s->params.n; i++)
		vec_push(&n->slots, s->params.at[i].value);
}

void names_init(struct names *n, const struct scope *s)
{
	*n = (struct names){.scope = s};
	add_params(n, s);
	n->first_var = (int)n->slots.n;
	if (s && s->has_index) {
		int slot = names_var(n, "index"); /* may move the slots */
		n->slots.at[slot] = s->index;
	}
}

void names_free(struct names *n)
{
	vec_free(&n->vars);
	vec_free(&n->slots);
}

static int param_slot(const struct scope *s, const struct param *p, int *base)
{
	if (!s)
		return -1;
	int found = param_slot(s->parent, p, base);
	if (found >= 0)
		return found;
	if (s->params.n && p >= s->params.at && p < s->params.at + s->params.n)
		return *base + (int)(p - s->params.at);
	*base += (int)s->params.n;
	return -1;
}

int names_find(const struct names *n, const char *name, size_t size)
{
	for (size_t i = 0; i < n->vars.n; i++)
		if (strlen(n->vars.at[i]) == size && memcmp(n->vars.at[i], name, size) == 0)
			return n->first_var + (int)i;
	const struct param *p = scope_param(n->scope, name, size);
	int base = 0;
	return p && p->kind == PARAM_INTEGER ? param_slot(n->scope, p, &base) : -1;
}

int names_var(struct names *n, const char *name)
{
	for (size_t i = 0; i < n->vars.n; i++)
		if (strcmp(n->vars.at[i], name) == 0)
			return n->first_var + (int)i;
	vec_push(&n->vars, name);
	vec_push(&n->slots, 0);
	return (int)n->slots.n - 1;
}

/* ---- expressions ---------------------------------------------------------------------------------------- */

static int resolve(void *context, const char *name, size_t n)
{
	return names_find(context, name, n);
}

/* What to say of a name that an expression does not know. */
static const char *name_hint(struct loader *l, const struct names *names, const char *name)
{
	VEC(const char *) known = {0};
	const struct param *p = scope_param(names->scope, name, strlen(name));
	if (p)
		return arena_printf(&l->arena, "`%s` is a %s; only integers calculate, it can be inserted as ${%s}",
				    name, p->kind == PARAM_WORD ? "word" : "quantity", name);
	for (size_t i = 0; i < names->vars.n; i++)
		vec_push(&known, names->vars.at[i]);
	for (const struct scope *s = names->scope; s; s = s->parent)
		for (size_t i = 0; i < s->params.n; i++)
			vec_push(&known, s->params.at[i].name);
	const char *hint = did_you_mean(l, name, known.at, known.n);
	vec_free(&known);
	return hint;
}

/* Reports an error of an expression that is `text`, with the caret on the spot when it can be seen. */
static void expression_error(struct loader *l, const struct node *n, const char *text, size_t size,
			     struct expr_error e)
{
	if (text >= n->text && text + size <= n->text + n->n)
		complain_at(l, n, (size_t)(text - n->text) + e.offset, e.length, e.hint, "%s in `%.*s`", e.text,
			    (int)size, text);
	else
		complain(l, n, e.hint, "%s at character %zu of `%.*s`", e.text, e.offset + 1, (int)size, text);
}

struct expr *expression(struct loader *l, struct names *names, const struct node *n, const char *text, size_t size)
{
	struct expr_error e = {0};
	struct expr *x = expr_parse(&l->arena, text, size, resolve, names, &e);
	if (x)
		return x;
	if (!e.hint && strncmp(e.text, "unknown name", 12) == 0)
		e.hint = name_hint(l, names, arena_strndup(&l->arena, text + e.offset, e.length));
	if (!e.hint)
		e.hint = names->hint;
	expression_error(l, n, text, size, e);
	return NULL;
}

const char *names_text(struct loader *l, const struct names *n)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < n->vars.n; i++)
		strbuf_printf(&b, "%s%s = %lld", i ? ", " : "with ", n->vars.at[i],
			      (long long)n->slots.at[n->first_var + (int)i]);
	const char *text = b.n ? arena_strdup(&l->arena, b.text) : NULL;
	strbuf_free(&b);
	return text;
}

bool evaluate(struct loader *l, const struct names *names, const struct node *n, const struct expr *x, int64_t *out)
{
	struct expr_error e = {0};
	if (expr_eval(x, names->slots.at, out, &e))
		return true;
	complain(l, n, names_text(l, names), "%s in `%.*s`", e.text, (int)n->n, n->text);
	return false;
}

/* ---- scalars -------------------------------------------------------------------------------------------- */

/* One ${…}: a name of any kind is put in whole, everything else is calculated. */
static bool insert(struct loader *l, const struct scope *s, const struct node *n, size_t at, size_t size,
		   struct strbuf *b)
{
	const char *text = n->text + at;
	const struct param *p = is_identifier(text, size) ? scope_param(s, text, size) : NULL;
	if (p && p->kind != PARAM_INTEGER) {
		strbuf_puts(b, p->text);
		return true;
	}
	struct names names;
	struct expr_error e = {0};
	int64_t v;
	names_init(&names, s);
	struct expr *x = expression(l, &names, n, text, size);
	bool ok = x && expr_eval(x, names.slots.at, &v, &e);
	if (ok)
		strbuf_printf(b, "%lld", (long long)v);
	else if (x)
		expression_error(l, n, text, size, e);
	names_free(&names);
	return ok;
}

const char *scalar_text(struct loader *l, const struct scope *s, const struct node *n)
{
	if (n->kind != NODE_SCALAR) {
		complain(l, n, NULL, "a single value is expected here");
		return NULL;
	}
	if (!strstr(n->text, "${"))
		return n->text;
	struct strbuf b = STRBUF_INIT;
	bool ok = true;
	for (size_t i = 0; i < n->n && ok;) {
		if (strncmp(n->text + i, "$${", 3) == 0) { /* stands for ${ itself */
			strbuf_puts(&b, "${");
			i += 3;
			continue;
		}
		if (n->text[i] != '$' || n->text[i + 1] != '{') {
			strbuf_putc(&b, n->text[i++]);
			continue;
		}
		const char *end = strchr(n->text + i, '}');
		if (!end) {
			complain_at(l, n, i, 2, NULL, "`${` without its `}`");
			ok = false;
			break;
		}
		ok = insert(l, s, n, i + 2, (size_t)(end - n->text) - i - 2, &b);
		i = (size_t)(end - n->text) + 1;
	}
	const char *text = ok ? arena_strndup(&l->arena, strbuf_str(&b), b.n) : NULL;
	strbuf_free(&b);
	return text;
}

bool scalar_integer(struct loader *l, const struct scope *s, const struct node *n, int64_t *out)
{
	const char *text = scalar_text(l, s, n);
	struct names names;
	struct expr_error e = {0};
	if (!text)
		return false;
	if (is_integer_text(text, out))
		return true;
	names_init(&names, s);
	struct expr *x = expression(l, &names, n, text, strlen(text));
	bool ok = x && expr_eval(x, names.slots.at, out, &e);
	if (x && !ok)
		expression_error(l, n, text, strlen(text), e);
	names_free(&names);
	return ok;
}

bool scalar_bool(struct loader *l, const struct scope *s, const struct node *n, bool *out)
{
	const char *text = scalar_text(l, s, n);
	if (!text)
		return false;
	bool yes = !strcmp(text, "true") || !strcmp(text, "yes") || !strcmp(text, "1");
	if (!yes && strcmp(text, "false") != 0 && strcmp(text, "no") != 0 && strcmp(text, "0") != 0) {
		complain(l, n, NULL, "expected true or false, found `%s`", text);
		return false;
	}
	*out = yes;
	return true;
}

static const char *const dimension_examples[] = {
	[DIM_COUNT] = "18",	     [DIM_RATE] = "50 GB/s",   [DIM_DATA] = "288 GB",	  [DIM_COMPUTE] = "5 PFLOPS",
	[DIM_LENGTH] = "0.6 m",	     [DIM_TIME] = "700 ns",    [DIM_POWER] = "1.2 kW",	  [DIM_ENERGY] = "1.3 pJ/bit",
	[DIM_DENSITY] = "100 GB/s/mm", [DIM_RATIO] = "50%",    [DIM_LINKS] = "16 links",
};

bool scalar_quantity(struct loader *l, const struct scope *s, const struct node *n, enum dimension dim, uint64_t *out)
{
	const char *text = scalar_text(l, s, n), *why, *hint;
	struct quantity q;
	if (!text)
		return false;
	if (!quantity_parse(&l->arena, text, strlen(text), &q, &why, &hint)) {
		complain(l, n, hint, "%s", why);
		return false;
	}
	if (q.dim != dim && (q.value != 0 || q.dim != DIM_COUNT)) {
		complain(l, n, NULL, "expected a %s, such as %s; `%s` is a %s", dimension_name(dim),
			 dimension_examples[dim], text, dimension_name(q.dim));
		return false;
	}
	if (q.both) {
		complain(l, n, "write the rate of one direction: half of it",
			 "`%s` counts both directions; a %s here is one direction", text, dimension_name(dim));
		return false;
	}
	*out = q.value;
	return true;
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

/* Values of parameters are written into messages and names; keep them short. */
#define PARAM_MAX 256

static void param_type(struct loader *l, struct param *p)
{
	const char *why, *hint;
	struct quantity q;
	if (is_integer_text(p->text, &p->value))
		p->kind = PARAM_INTEGER;
	else if (quantity_parse(&l->arena, p->text, strlen(p->text), &q, &why, &hint) && q.dim != DIM_COUNT) {
		p->kind = PARAM_QUANTITY;
		p->dim = q.dim;
	} else {
		p->kind = PARAM_WORD;
	}
}

bool param_assign(struct loader *l, struct param *p, const char *text, const char **why)
{
	struct quantity q;
	const char *hint;
	int64_t value;
	if (strlen(text) > PARAM_MAX || !*text) {
		*why = "a value of 1 to 256 bytes is expected";
		return false;
	}
	switch (p->kind) {
	case PARAM_INTEGER:
		if (!is_integer_text(text, &value)) {
			*why = arena_printf(&l->arena, "`%s` is an integer, its default is %s", p->name,
					    p->default_text);
			return false;
		}
		p->value = value;
		break;
	case PARAM_QUANTITY:
		if (!quantity_parse(&l->arena, text, strlen(text), &q, why, &hint)) {
			if (hint)
				*why = arena_printf(&l->arena, "%s; %s", *why, hint);
			return false;
		}
		if (q.dim != p->dim) {
			*why = arena_printf(&l->arena, "`%s` is a %s, its default is %s", p->name,
					    dimension_name(p->dim), p->default_text);
			return false;
		}
		break;
	case PARAM_WORD: break;
	}
	p->text = arena_strdup(&l->arena, text);
	return true;
}

static bool is_reserved(const char *name)
{
	return !strcmp(name, "min") || !strcmp(name, "max") || !strcmp(name, "abs") || !strcmp(name, "index");
}

void scope_read(struct loader *l, struct scope *s, const struct node *params)
{
	for (uint32_t i = 0; params && params->kind == NODE_MAP && i < params->n; i += 2) {
		const struct node *key = params->items[i];
		struct param p = {.name = key->text, .node = params->items[i + 1]};
		if (!is_identifier(key->text, key->n) || is_reserved(key->text)) {
			complain(l, key, "letters, digits and _; min, max, abs and index are taken",
				 "`%s` cannot be the name of a parameter", key->text);
			continue;
		}
		if (scope_param(s->parent, key->text, key->n)) {
			complain(l, key, "choose another name", "`%s` hides a parameter of the file", key->text);
			continue;
		}
		p.text = p.node->kind == NODE_SCALAR ? scalar_text(l, s, p.node) : NULL;
		if (!p.text)
			continue;
		if (strlen(p.text) > PARAM_MAX || !*p.text) {
			complain(l, p.node, NULL, "the default of `%s` must have 1 to %d bytes", p.name, PARAM_MAX);
			continue;
		}
		p.default_text = p.text;
		param_type(l, &p);
		vec_push(&s->params, p);
	}
}

static struct param *own_param(struct scope *s, const char *name)
{
	for (size_t i = 0; i < s->params.n; i++)
		if (strcmp(s->params.at[i].name, name) == 0)
			return &s->params.at[i];
	return NULL;
}

void scope_set(struct loader *l, struct scope *s, const struct node *with, const struct scope *from)
{
	for (uint32_t i = 0; with && with->kind == NODE_MAP && i < with->n; i += 2) {
		const struct node *key = with->items[i];
		struct param *p = own_param(s, key->text);
		const char *text, *why = NULL;
		if (!p) {
			VEC(const char *) known = {0};
			for (size_t k = 0; k < s->params.n; k++)
				vec_push(&known, s->params.at[k].name);
			complain(l, key, which_are_known(l, key->text, known.at, known.n),
				 "`%s` is not a parameter of what stands here", key->text);
			vec_free(&known);
		} else if ((text = scalar_text(l, from, with->items[i + 1])) && !param_assign(l, p, text, &why)) {
			complain(l, with->items[i + 1], NULL, "%s", why);
		}
	}
}

bool scope_require(struct loader *l, const struct scope *s, const struct node *require)
{
	bool ok = true;
	for (uint32_t i = 0; require && require->kind == NODE_LIST && i < require->n; i++) {
		int64_t holds;
		struct strbuf b = STRBUF_INIT;
		if (!scalar_integer(l, s, require->items[i], &holds) || holds)
			continue;
		for (const struct scope *x = s; x; x = x->parent)
			for (size_t k = 0; k < x->params.n; k++)
				strbuf_printf(&b, "%s%s = %s", b.n ? ", " : "here ", x->params.at[k].name,
					      x->params.at[k].text);
		complain(l, require->items[i], b.n ? strbuf_str(&b) : NULL, "required: %s", require->items[i]->text);
		strbuf_free(&b);
		ok = false;
	}
	return ok;
}
