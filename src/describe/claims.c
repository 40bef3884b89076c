/* What a description says besides its structure: groups, faults and expectations. They are kept as text, since
 * selections and analyses are other layers' languages; ${…} is put in and `if` decided here.
 */
#include "describe/describe_internal.h"

#include <string.h>

/* Selections may be longer than a label, but pass the same gate. */
static const char *kept(struct loader *l, const struct scope *s, const struct node *n)
{
	const char *text = n ? scalar_text(l, s, n) : NULL;
	struct strbuf b = STRBUF_INIT;
	if (!text)
		return NULL;
	label_put(&b, text, strlen(text), SIZE_MAX);
	text = arena_strndup(&l->f->arena, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return text;
}

/* Classes are known by their names everywhere; a group of that name could not be asked for. */
static bool is_group_name(struct loader *l, const struct node *key)
{
	bool class = strcmp(key->text, "accel") == 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		class |= strcmp(key->text, class_names[i]) == 0;
	if (class)
		complain(l, key, "give the group a name of its own", "`%s` is a class, @%s means its devices", key->text,
			 key->text);
	else if (!is_name(key->text, key->n))
		complain(l, key, "letters, digits, _ - . and +, beginning with a letter",
			 "`%s` cannot be the name of a group", key->text);
	else
		return true;
	return false;
}

static void read_groups(struct loader *l, const struct scope *s, const struct node *groups)
{
	for (uint32_t i = 0; groups && groups->kind == NODE_MAP && i < groups->n; i += 2) {
		const struct node *key = groups->items[i];
		if (!is_group_name(l, key))
			continue;
		struct named_selection g = {fabric_text(l->f, key->text, key->n), kept(l, s, groups->items[i + 1]),
					    node_mark(groups->items[i + 1], 0, groups->items[i + 1]->n)};
		if (g.selection)
			vec_push(&l->f->groups, g);
	}
}

/* ---- faults ------------------------------------------------------------------------------------------- */

/* "A -- B" cut at the dashes, which stand outside of quotes. */
static void cut_ends(struct loader *l, const char *text, struct fault *x)
{
	bool quoted = false;
	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '\\' && text[i + 1]) {
			i++;
			continue;
		}
		quoted ^= text[i] == '\'';
		if (quoted || text[i] != '-' || text[i + 1] != '-')
			continue;
		size_t a = i, b = i + 2;
		while (a > 0 && text[a - 1] == ' ')
			a--;
		b += strspn(text + b, " ");
		x->end_a = arena_strndup(&l->f->arena, text, a);
		x->end_b = arena_strdup(&l->f->arena, text + b);
		return;
	}
	x->selection = text;
}

static bool read_fault(struct loader *l, const struct scope *s, const struct node *n, struct fault *x)
{
	const struct node *remove = map_get(n, "remove"), *derate = map_get(n, "derate");
	const struct node *links = map_get(n, "links"), *to = map_get(n, "to");
	const struct node *what = remove ? remove : derate;
	uint64_t keep = 0;
	int64_t count;
	*x = (struct fault){.links = NONE, .keep_ppm = 1000000, .mark = node_mark(what ? what : n, 0, what ? what->n : 0)};
	if (!what || (remove && derate)) {
		complain(l, n, NULL, "a fault has `remove` or `derate`");
		return false;
	}
	const char *text = kept(l, s, what);
	if (!text)
		return false;
	x->action = remove ? FAULT_REMOVE : FAULT_DERATE;
	cut_ends(l, text, x);
	if ((to != NULL) != (derate != NULL) || (links && (derate || !x->end_a))) {
		complain(l, n, "- {remove: A -- B, links: 1} or - {derate: A -- B, to: 50%}",
			 to || derate ? "`derate` needs `to`, and only it" : "`links` needs two ends: A -- B");
		return false;
	}
	if (to && !scalar_quantity(l, s, to, DIM_RATIO, &keep))
		return false;
	if (keep > 1000000) {
		complain(l, to, NULL, "`to` is what is left, at most 100%%");
		return false;
	}
	x->keep_ppm = to ? (uint32_t)keep : 1000000;
	if (!links)
		return true;
	if (!scalar_integer(l, s, links, &count))
		return false;
	if (count < 1 || count > INT32_MAX) {
		complain(l, links, NULL, "at least one link can be removed");
		return false;
	}
	x->links = (uint32_t)count;
	return true;
}

static void read_faults(struct loader *l, const struct scope *s, const struct node *faults)
{
	for (uint32_t i = 0; faults && faults->kind == NODE_LIST && i < faults->n && !is_over(l); i++) {
		struct fault x;
		trail_push(l, "fault %u", i + 1);
		if (faults->items[i]->kind == NODE_MAP && read_fault(l, s, faults->items[i], &x))
			vec_push(&l->f->faults, x);
		trail_pop(l);
	}
}

/* ---- expectations ------------------------------------------------------------------------------------------ */

/* The key that names the analysis; others are options of the claim. */
static bool is_subject(const struct node *key, size_t *size)
{
	const char *dot = memchr(key->text, '.', key->n);
	*size = dot ? (size_t)(dot - key->text) : key->n;
	for (size_t i = 0; i < expect_subject_count; i++)
		if (strlen(expect_subjects[i]) == *size && memcmp(expect_subjects[i], key->text, *size) == 0)
			return true;
	return false;
}

static bool read_operands(struct loader *l, const struct scope *s, const struct node *n, struct expectation *e)
{
	if (n->kind == NODE_SCALAR)
		return (e->operands[0] = kept(l, s, n)) != NULL;
	if (n->kind != NODE_LIST || n->n < 1 || n->n > 2) {
		complain(l, n, NULL, "a claim is about one selection or two: [A, B]");
		return false;
	}
	for (uint32_t i = 0; i < n->n; i++)
		if (!(e->operands[i] = kept(l, s, n->items[i])))
			return false;
	return true;
}

static bool read_subject(struct loader *l, const struct scope *s, const struct node *n, struct expectation *e)
{
	for (uint32_t i = 0; i < n->n; i += 2) {
		const struct node *key = n->items[i];
		size_t size;
		if (!is_subject(key, &size))
			continue;
		if (e->analysis) {
			complain(l, key, NULL, "a claim names one analysis, not `%s` and `%s`", e->analysis, key->text);
			return false;
		}
		e->analysis = arena_strndup(&l->f->arena, key->text, size);
		e->field = size < key->n ? arena_strdup(&l->f->arena, key->text + size + 1) : NULL;
		e->mark = node_mark(key, 0, key->n);
		if (!read_operands(l, s, n->items[i + 1], e))
			return false;
	}
	if (!e->analysis && schema_knows(n, "expect"))
		complain(l, n, "for example {bisection: \"@gpu\", is: 32.4 TB/s}", "the claim names no analysis");
	return e->analysis != NULL;
}

/* False when `if` switches the claim off, or is wrong. */
static bool is_claimed(struct loader *l, const struct scope *s, const struct node *n)
{
	const struct node *condition = map_get(n, "if");
	int64_t v = 1;
	return !condition || (condition->kind == NODE_SCALAR && scalar_integer(l, s, condition, &v) && v);
}

/* "2592 * 50 GB/s" is 129600 GB/s: rates are parameters that only are inserted, so a claim multiplies them. */
static const char *product(struct loader *l, const struct node *n, const char *text)
{
	const char *star = strchr(text, '*');
	uint64_t factor = 0, digits = 0;
	int places = 0;
	bool pointed = false, overflow = false;
	if (!star)
		return text;
	const char *s = text + strspn(text, " "), *t = star + 1 + strspn(star + 1, " ");
	for (; *s >= '0' && *s <= '9'; s++)
		overflow |= __builtin_mul_overflow(factor, 10u, &factor) ||
			    __builtin_add_overflow(factor, (uint64_t)(*s - '0'), &factor);
	bool ok = s + strspn(s, " ") == star && *t >= '0' && *t <= '9';
	for (; (*t >= '0' && *t <= '9') || (*t == '.' && !pointed); t++) {
		if (*t == '.') {
			pointed = true;
			continue;
		}
		places += pointed;
		overflow |= __builtin_mul_overflow(digits, 10u, &digits) ||
			    __builtin_add_overflow(digits, (uint64_t)(*t - '0'), &digits);
	}
	if (!ok || overflow || places > 9 || __builtin_mul_overflow(digits, factor, &digits)) {
		complain(l, n, NULL, "expected a number times a quantity, such as 2592 * 50 GB/s");
		return NULL;
	}
	uint64_t power = 1;
	for (int i = 0; i < places; i++)
		power *= 10;
	return places ? arena_printf(&l->f->arena, "%llu.%0*llu%s", (unsigned long long)(digits / power), places,
				     (unsigned long long)(digits % power), t)
		      : arena_printf(&l->f->arena, "%llu%s", (unsigned long long)digits, t);
}

/* One of some words, or NULL with what is known. */
static const char *word_of(struct loader *l, const struct scope *s, const struct node *n, const char *const *known,
			   size_t count)
{
	const char *text = n ? kept(l, s, n) : NULL;
	for (size_t i = 0; text && i < count; i++)
		if (strcmp(text, known[i]) == 0)
			return text;
	if (text)
		complain(l, n, which_are_known(l, text, known, count), "unknown word `%s`", text);
	return NULL;
}

/* Names, as one text with commas. */
static const char *names_of(struct loader *l, const struct scope *s, const struct node *n)
{
	const char *text = NULL;
	if (!n || n->kind == NODE_SCALAR)
		return kept(l, s, n);
	for (uint32_t i = 0; n->kind == NODE_LIST && i < n->n; i++) {
		const char *name = kept(l, s, n->items[i]);
		if (name)
			text = text ? arena_printf(&l->f->arena, "%s,%s", text, name) : name;
	}
	return text;
}

/* A tolerance above the whole value would let everything hold. */
static const char *tolerance_of(struct loader *l, const struct scope *s, const struct node *n)
{
	uint64_t ppm;
	if (!n || !scalar_quantity(l, s, n, DIM_RATIO, &ppm))
		return NULL;
	if (ppm <= 1000000)
		return kept(l, s, n);
	complain(l, n, "a part of the value, as in 0.5 %", "`within` is at most 100%%");
	return NULL;
}

static void read_options(struct loader *l, const struct scope *s, const struct node *n, struct expectation *e)
{
	static const char *const transits[] = {"all", "selected"};
	const struct node *relay = map_get(n, "relay");
	bool relays = false;
	e->within = tolerance_of(l, s, map_get(n, "within"));
	e->over = names_of(l, s, map_get(n, "over"));
	e->unit = word_of(l, s, map_get(n, "unit"), module_kind_names, MODULE_KIND_COUNT);
	e->endpoints = word_of(l, s, map_get(n, "endpoints"), class_names, CLASS_COUNT);
	e->transit = word_of(l, s, map_get(n, "transit"), transits, ARRAY_LEN(transits));
	if (relay && scalar_bool(l, s, relay, &relays))
		e->relay = relays ? "true" : "false";
	e->fail = kept(l, s, map_get(n, "fail"));
	e->derate = kept(l, s, map_get(n, "derate"));
}

static void read_claim(struct loader *l, const struct scope *s, const struct node *n)
{
	static const char *const operators[] = {"is", "atleast", "atmost"};
	struct expectation e = {0};
	bool any = false;
	if (!read_subject(l, s, n, &e) || !is_claimed(l, s, n))
		return;
	read_options(l, s, n, &e);
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		e.op = (enum expect_op)i;
		const struct node *value = map_get(n, operators[i]);
		any |= value != NULL;
		e.value = kept(l, s, value);
		if (e.value)
			e.value = product(l, value, e.value);
		if (!e.value)
			continue;
		vec_push(&l->f->expectations, e);
	}
	if (!any)
		complain(l, n, NULL, "the claim needs `is`, `atleast` or `atmost`");
}

void claims_read(struct loader *l)
{
	const struct file *top = l->files.at[0];
	const struct node *expect = map_get(top->top, "expect");
	read_groups(l, &top->scope, map_get(top->top, "groups"));
	read_faults(l, &top->scope, map_get(top->top, "faults"));
	for (uint32_t i = 0; expect && expect->kind == NODE_LIST && i < expect->n && !is_over(l); i++) {
		if (expect->items[i]->kind != NODE_MAP)
			continue;
		trail_push(l, "expect %u", i + 1);
		read_claim(l, &top->scope, expect->items[i]);
		trail_pop(l);
	}
}
