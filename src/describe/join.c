/* Wiring rules. A rule is a join: `for` ranges nest, `from` is searched inside of them, `to` inside of that;
 * each binding that passes `where` gives a directed pair. The rule yields the set of unordered pairs: the same
 * pair from the other end is the same pair, the same direction twice is an error unless `merge: sum` adds.
 * Pairs are found per unit, with local ids, and stamped with it.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FORWARD = 1, BACKWARD = 2, LINKS_MAX = 1000000000 };

/* Which variables an expression needs before it can be evaluated. */
enum stage { STAGE_FOR, STAGE_FROM, STAGE_TO };

struct range {
	int slot;
	struct expr *first, *last;
	const struct node *node;
};

struct pair {
	uint32_t a, b; /* a < b */
	uint32_t count, via;
	int32_t rail, plane;
	const struct unit *unit_a, *unit_b; /* modules that deal to their front, or NULL */
	uint8_t dirs;
};

struct rule {
	struct loader *l;
	struct unit *u;
	const struct node *node;
	uint32_t number;
	struct names names;
	struct definition *link;
	VEC(struct range) ranges;
	struct pattern from, to, via;
	bool has_via, sum;
	struct {
		const struct node *node;
		struct expr *e;
	} count, where, rail, plane;
	enum stage where_stage;
	uint64_t rate, length_um;
	uint8_t flags;
	uint32_t fixed_count; /* pairs: what the entry says */

	struct landing start;
	VEC(struct pair) pairs;
	struct keymap seen;
	uint64_t matched;
	bool empty_part;
	uint32_t via_device, via_found;
};

/* ---- reading a rule ------------------------------------------------------------------------------------ */

static bool read_expression(struct rule *r, const char *key, const struct node **node, struct expr **e)
{
	*node = map_get(r->node, key);
	if (!*node)
		return true;
	const char *text = scalar_text(r->l, &r->u->scope, *node);
	*e = text ? expression(r->l, &r->names, *node, text, strlen(text)) : NULL;
	return *e != NULL;
}

static bool read_range(struct rule *r, const struct node *key, const struct node *value)
{
	const char *text = scalar_text(r->l, &r->u->scope, value), *dots;
	struct range x = {.node = value};
	if (!text)
		return false;
	if (!is_identifier(key->text, key->n)) {
		complain(r->l, key, NULL, "`%s` cannot be the name of a variable", key->text);
		return false;
	}
	if (scope_param(&r->u->scope, key->text, key->n)) {
		complain(r->l, key, "choose another name", "`%s` hides the parameter of that name", key->text);
		return false;
	}
	dots = strstr(text, "..");
	if (!dots) {
		complain(r->l, value, "both ends are included", "expected a range, such as 0..k-1");
		return false;
	}
	/* the ends may use the variables before, not their own */
	x.first = expression(r->l, &r->names, value, text, (size_t)(dots - text));
	x.last = x.first ? expression(r->l, &r->names, value, dots + 2, strlen(dots + 2)) : NULL;
	if (!x.last)
		return false;
	x.slot = names_var(&r->names, key->text);
	vec_push(&r->ranges, x);
	return true;
}

static bool read_ranges(struct rule *r)
{
	const struct node *n = map_get(r->node, "for");
	for (uint32_t i = 0; n && n->kind == NODE_MAP && i < n->n; i += 2)
		if (!read_range(r, n->items[i], n->items[i + 1]))
			return false;
	return true;
}

static bool read_pattern(struct rule *r, const char *key, struct pattern *p)
{
	const struct node *n = map_get(r->node, key);
	const char *text = n ? scalar_text(r->l, &r->u->scope, n) : NULL;
	return text && pattern_parse(r->l, &r->l->arena, &r->names, n, text, false, p);
}

static bool read_link(struct rule *r)
{
	const struct node *n = map_get(r->node, "link");
	if (n) {
		const char *name = scalar_text(r->l, &r->u->scope, n);
		r->link = name ? definition_need(r->l, TABLE_LINKS, name, n) : NULL;
		return r->link != NULL;
	}
	size_t kinds = r->l->tables[TABLE_LINKS].n;
	if (kinds == 1) {
		r->link = r->l->tables[TABLE_LINKS].at[0];
		return true;
	}
	complain(r->l, r->node, "`link` may be left out only where one kind is defined",
		 kinds ? "the rule does not say which kind of link" : "no kind of link is defined");
	return false;
}

static bool read_flags(struct rule *r)
{
	static const struct {
		const char *key;
		uint8_t flag;
	} flags[] = {{"inferred", FLAG_INFERRED},
		     {"incomplete", FLAG_INCOMPLETE},
		     {"external", FLAG_EXTERNAL},
		     {"disagree", FLAG_DISAGREE}};
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		const struct node *n = map_get(r->node, flags[i].key);
		bool on = false;
		if (n && !scalar_bool(r->l, &r->u->scope, n, &on))
			return false;
		r->flags |= on ? flags[i].flag : 0;
	}
	const struct node *n = map_get(r->node, "merge");
	const char *text = n ? scalar_text(r->l, &r->u->scope, n) : NULL;
	r->sum = text && strcmp(text, "sum") == 0;
	if (text && !r->sum)
		complain(r->l, n, "merge: sum", "unknown way `%s` to merge", text);
	if ((n = map_get(r->node, "rate")) && !scalar_quantity(r->l, &r->u->scope, n, DIM_RATE, &r->rate))
		return false;
	if ((n = map_get(r->node, "length")) && !scalar_quantity(r->l, &r->u->scope, n, DIM_LENGTH, &r->length_um))
		return false;
	return !text || r->sum;
}

static bool uses_since(const struct rule *r, const struct expr *e, int first)
{
	for (int s = first; e && s < (int)r->names.slots.n; s++)
		if (expr_uses(e, s))
			return true;
	return false;
}

/* What is common to all forms of a rule, once its variables are known. */
static bool read_common(struct rule *r, int from_var, int to_var)
{
	if (!read_expression(r, "count", &r->count.node, &r->count.e) ||
	    !read_expression(r, "where", &r->where.node, &r->where.e) ||
	    !read_expression(r, "rail", &r->rail.node, &r->rail.e) ||
	    !read_expression(r, "plane", &r->plane.node, &r->plane.e))
		return false;
	r->where_stage = uses_since(r, r->where.e, to_var)     ? STAGE_TO
			 : uses_since(r, r->where.e, from_var) ? STAGE_FROM
							       : STAGE_FOR;
	size_t vars = r->names.vars.n;
	r->has_via = map_get(r->node, "via") != NULL;
	if (r->has_via && !read_pattern(r, "via", &r->via))
		return false;
	if (r->names.vars.n != vars) {
		complain(r->l, r->via.node, NULL, "`%s` in `via` is bound neither by `for` nor by `from` and `to`",
			 r->names.vars.at[vars]);
		return false;
	}
	return read_link(r) && read_flags(r);
}

/* ---- pairs ----------------------------------------------------------------------------------------------- */

static bool value_of(struct rule *r, const struct node *n, const struct expr *e, int64_t min, int64_t max,
		     int64_t absent, int64_t *out)
{
	*out = absent;
	if (!e)
		return true;
	if (!evaluate(r->l, &r->names, n, e, out))
		return false;
	if (*out >= min && *out <= max)
		return true;
	complain(r->l, n, names_text(r->l, &r->names), "%lld is not between %lld and %lld", (long long)*out,
		 (long long)min, (long long)max);
	return false;
}

static bool found_via(void *context, struct landing end)
{
	struct rule *r = context;
	r->via_device = end.device;
	r->via_found += 1;
	const struct definition *what = end.unit ? NULL : unit_device(r->u, end.device);
	if (what && r->l->devices.at[what->read].class == CLASS_PASSIVE)
		return true;
	complain(r->l, r->via.node, "a trunk runs through a device of class passive, such as an optical circuit switch",
		 "`%s` is %s", r->via.text, what ? "no passive device" : "a module");
	return false;
}

static bool find_via(struct rule *r, uint32_t *out)
{
	*out = NONE;
	if (!r->has_via)
		return true;
	struct search s = {r->l, &r->names, &r->empty_part, found_via, r};
	r->via_found = 0;
	if (!pattern_search(&s, &r->via, r->u))
		return false;
	if (r->via_found != 1) {
		complain(r->l, r->via.node, names_text(r->l, &r->names),
			 "`via` names %u devices, a trunk runs through one", r->via_found);
		return false;
	}
	*out = r->via_device;
	return true;
}

static void ends_text(const struct rule *r, const struct pair *p, struct strbuf *b)
{
	strbuf_putc(b, '`');
	unit_path(r->u, p->a, b);
	strbuf_puts(b, "` and `");
	unit_path(r->u, p->b, b);
	strbuf_putc(b, '`');
}

static bool pair_error(struct rule *r, const struct pair *p, const char *hint, const char *text)
{
	struct strbuf b = STRBUF_INIT;
	ends_text(r, p, &b);
	complain(r->l, r->node, hint, "%s %s", text, strbuf_str(&b));
	strbuf_free(&b);
	return false;
}

/* The same pair again: from the other end it must say the same, from this end it must be a sum. */
static bool merge_pair(struct rule *r, struct pair *old, const struct pair *new)
{
	if (!r->sum && (old->dirs & new->dirs))
		return pair_error(r, old, "`merge: sum` adds them up", "two bindings of the rule reach");
	if (old->rail != new->rail || old->plane != new->plane || old->via != new->via ||
	    (!r->sum && old->count != new->count))
		return pair_error(r, old, NULL,
				  "count, rail, plane and via must agree: from its two ends the rule differs for");
	old->dirs |= new->dirs;
	if (r->sum && (uint64_t)old->count + new->count > LINKS_MAX)
		return pair_error(r, old, NULL, "more than a billion links between");
	if (r->sum)
		old->count += new->count;
	return true;
}

/* Modules are told from their first device by the top bit: both may be ends of one rule. */
static uint32_t end_key(struct landing e)
{
	return e.unit ? e.device | (uint32_t)1 << 31 : e.device;
}

static bool add_pair(struct rule *r, struct landing a, struct landing b)
{
	int64_t count, rail, plane;
	struct pair p = {.dirs = FORWARD};
	if (end_key(a) == end_key(b))
		return true;
	r->matched++;
	if (!value_of(r, r->count.node, r->count.e, 0, LINKS_MAX, r->fixed_count, &count) ||
	    !value_of(r, r->rail.node, r->rail.e, INT32_MIN + 1, INT32_MAX, NO_LABEL, &rail) ||
	    !value_of(r, r->plane.node, r->plane.e, INT32_MIN + 1, INT32_MAX, NO_LABEL, &plane) ||
	    !find_via(r, &p.via))
		return false;
	if (end_key(b) < end_key(a)) {
		struct landing x = a;
		a = b;
		b = x;
		p.dirs = BACKWARD;
	}
	p.a = a.device, p.unit_a = a.unit;
	p.b = b.device, p.unit_b = b.unit;
	p.count = (uint32_t)count, p.rail = (int32_t)rail, p.plane = (int32_t)plane;
	uint64_t key = (uint64_t)end_key(a) << 32 | end_key(b);
	uint32_t known = keymap_get(&r->seen, key);
	if (known != NONE)
		return merge_pair(r, &r->pairs.at[known], &p);
	if (r->pairs.n >= r->l->limits.trunks) {
		complain_limit(r->l, r->node, "trunks", r->l->limits.trunks, "the rule makes too many trunks");
		return false;
	}
	keymap_put(&r->seen, key, (uint32_t)r->pairs.n);
	vec_push(&r->pairs, p);
	return true;
}

/* ---- the join -------------------------------------------------------------------------------------------- */

/* False ends the rule; *holds says whether the binding goes on. */
static bool check_where(struct rule *r, enum stage stage, bool *holds)
{
	int64_t v = 1;
	if (r->where.e && r->where_stage == stage && !evaluate(r->l, &r->names, r->where.node, r->where.e, &v))
		return false;
	*holds = v != 0;
	return true;
}

static bool check_end(struct rule *r, const struct pattern *p, struct landing e)
{
	if (!e.unit)
		return true;
	for (size_t i = 0; i < e.unit->fronts.n; i++)
		if (e.unit->fronts.at[i].link == r->link)
			return true;
	complain(r->l, p->node, "name a device inside of it, or give the module a `front` for this kind of link",
		 "`%s` ends at the module `%s`", p->text, e.unit->def->name);
	return false;
}

static bool found_to(void *context, struct landing end)
{
	struct rule *r = context;
	bool holds;
	if (!check_end(r, &r->to, end) || !check_where(r, STAGE_TO, &holds))
		return false;
	return !holds || add_pair(r, r->start, end);
}

static bool found_from(void *context, struct landing end)
{
	struct rule *r = context;
	bool holds;
	if (!check_end(r, &r->from, end) || !check_where(r, STAGE_FROM, &holds))
		return false;
	r->start = end;
	struct search s = {r->l, &r->names, &r->empty_part, found_to, r};
	return !holds || pattern_search(&s, &r->to, r->u);
}

/* Explosions are refused before they begin: a range longer than all steps, two ends that give more pairs than
 * there may be trunks (each pair has at most two bindings, besides those of a device with itself). */
static bool room_for(struct rule *r, uint64_t a, uint64_t b)
{
	uint64_t bindings;
	bool vast = __builtin_mul_overflow(a, b, &bindings);
	if (vast || bindings > r->l->limits.steps)
		complain_limit(r->l, r->node, "steps", r->l->limits.steps, "the rule has too many bindings");
	else if (!r->where.e && r->ranges.n == 0 && (bindings - (a < b ? a : b)) / 2 > r->l->limits.trunks)
		complain_limit(r->l, r->node, "trunks", r->l->limits.trunks, "the rule makes too many trunks");
	else
		return true;
	return false;
}

static bool run_ranges(struct rule *r, size_t depth)
{
	if (depth == r->ranges.n) {
		struct search s = {r->l, &r->names, &r->empty_part, found_from, r};
		bool holds;
		if (!room_for(r, pattern_size(&r->from, r->u), pattern_size(&r->to, r->u)))
			return false;
		return check_where(r, STAGE_FOR, &holds) && (!holds || pattern_search(&s, &r->from, r->u));
	}
	const struct range *x = &r->ranges.at[depth];
	int64_t first, last;
	if (!evaluate(r->l, &r->names, x->node, x->first, &first) ||
	    !evaluate(r->l, &r->names, x->node, x->last, &last))
		return false;
	if (last >= first && !room_for(r, (uint64_t)last - (uint64_t)first, 1))
		return false;
	for (int64_t i = first; i <= last; i++) {
		r->names.slots.at[x->slot] = i;
		if (!spend(r->l, r->node, 1) || !run_ranges(r, depth + 1))
			return false;
		if (i == INT64_MAX)
			break;
	}
	return true;
}

/* The nearest thing to say when `from` uses what only `to` binds. */
static bool run_join(struct rule *r)
{
	if (!read_ranges(r))
		return false;
	int from_var = (int)r->names.slots.n;
	r->names.hint = "`from` can use what `for` and `from` bind, not what only `to` binds";
	if (!read_pattern(r, "from", &r->from))
		return false;
	int to_var = (int)r->names.slots.n;
	r->names.hint = "a variable is bound where it stands alone in braces: {g}";
	return read_pattern(r, "to", &r->to) && read_common(r, from_var, to_var) && run_ranges(r, 0);
}

/* ---- pairs: one by one -------------------------------------------------------------------------------------- */

static bool pattern_of(struct rule *r, struct arena *a, const struct node *n, struct pattern *p)
{
	const char *text = scalar_text(r->l, &r->u->scope, n);
	size_t vars = r->names.vars.n;
	if (!text || !pattern_parse(r->l, a, &r->names, n, text, false, p))
		return false;
	if (r->names.vars.n == vars)
		return true;
	complain(r->l, n, "`from` and `to` bind variables", "`%s` has no value in `pairs`", r->names.vars.at[vars]);
	return false;
}

static bool run_entry(struct rule *r, struct arena *a, const struct node *entry)
{
	int64_t count = 1;
	if (entry->kind != NODE_LIST || entry->n < 2 || entry->n > 3) {
		complain(r->l, entry, NULL, "a pair is [end, end] or [end, end, links]");
		return false;
	}
	if (!pattern_of(r, a, entry->items[0], &r->from) || !pattern_of(r, a, entry->items[1], &r->to))
		return false;
	if (entry->n == 3 && node_is(entry->items[2], "unknown")) {
		r->fixed_count = NONE;
	} else {
		if (entry->n == 3 && !scalar_integer(r->l, &r->u->scope, entry->items[2], &count))
			return false;
		if (count < 0 || count > LINKS_MAX) {
			complain(r->l, entry->items[2], NULL, "%lld is not between 0 and %d", (long long)count,
				 LINKS_MAX);
			return false;
		}
		r->fixed_count = (uint32_t)count;
	}
	uint64_t before = r->matched;
	bool empty = false;
	struct search s = {r->l, &r->names, &empty, found_from, r};
	if (!pattern_search(&s, &r->from, r->u))
		return false;
	if (r->matched == before && !r->empty_part && !empty) {
		complain(r->l, entry, NULL, "the pair matches nothing");
		return false;
	}
	r->empty_part |= empty;
	return true;
}

static bool run_pairs(struct rule *r, const struct node *pairs)
{
	int first = (int)r->names.slots.n;
	bool ok = read_common(r, first, first) && pairs->kind == NODE_LIST;
	for (uint32_t i = 0; ok && i < pairs->n; i++) {
		struct arena scratch = {0};
		ok = spend(r->l, pairs, 1) && run_entry(r, &scratch, pairs->items[i]);
		arena_free(&scratch);
	}
	return ok;
}

/* ---- random regular graphs ------------------------------------------------------------------------------------ */

struct gathered {
	struct rule *r;
	VEC(uint32_t) devices;
};

static bool gather(void *context, struct landing end)
{
	struct gathered *g = context;
	vec_push(&g->devices, end.device);
	if (!end.unit)
		return true;
	complain(g->r->l, g->r->from.node, NULL, "`%s` ends at the module `%s`; a device is needed", g->r->from.text,
		 end.unit->def->name);
	return false;
}

static bool read_random(struct rule *r, const struct node *n, int64_t *degree, int64_t *seed)
{
	const struct node *of = map_get(n, "of"), *d = map_get(n, "degree"), *s = map_get(n, "seed");
	if (!of || !d) {
		complain(r->l, n, NULL, "a random regular graph needs `of` and `degree`");
		return false;
	}
	*seed = 1;
	if (!scalar_integer(r->l, &r->u->scope, d, degree) || (s && !scalar_integer(r->l, &r->u->scope, s, seed)))
		return false;
	const char *text = scalar_text(r->l, &r->u->scope, of);
	int first = (int)r->names.slots.n;
	return text && pattern_parse(r->l, &r->l->arena, &r->names, of, text, true, &r->from) &&
	       read_common(r, first, first);
}

static bool check_degree(struct rule *r, const struct node *n, size_t devices, int64_t degree)
{
	const struct node *d = map_get(n, "degree");
	if (degree < 0 || (uint64_t)degree >= devices)
		complain(r->l, d, NULL, "the degree %lld is not between 0 and %zu, for %zu devices",
			 (long long)degree, devices ? devices - 1 : 0, devices);
	else if (degree % 2 == 1 && devices % 2 == 1)
		complain(r->l, d, "make one of them even", "no graph has %zu devices of odd degree %lld", devices,
			 (long long)degree);
	else
		return (uint64_t)degree * devices / 2 <= r->l->limits.trunks ||
		       (complain_limit(r->l, d, "trunks", r->l->limits.trunks, "the graph has too many trunks"), false);
	return false;
}

static bool run_random(struct rule *r, const struct node *n)
{
	int64_t degree, seed;
	struct gathered g = {.r = r};
	struct search s = {r->l, &r->names, &r->empty_part, gather, &g};
	bool ok = read_random(r, n, &degree, &seed) && pattern_search(&s, &r->from, r->u);
	if (ok && (g.devices.n || !r->empty_part))
		ok = check_degree(r, n, g.devices.n, degree) &&
		     spend(r->l, n, 20 * (uint64_t)degree * g.devices.n);
	if (ok && g.devices.n) {
		uint32_t *ends = mem_array(g.devices.n * (size_t)degree, sizeof *ends);
		random_regular((uint32_t)g.devices.n, (uint32_t)degree, (uint64_t)seed, ends);
		for (size_t i = 0; i + 1 < g.devices.n * (size_t)degree && ok; i += 2)
			ok = add_pair(r, (struct landing){g.devices.at[ends[i]], NULL},
				      (struct landing){g.devices.at[ends[i + 1]], NULL});
		r->matched += degree == 0;
		free(ends);
	}
	vec_free(&g.devices);
	return ok;
}

/* ---- from pairs to wires ------------------------------------------------------------------------------------------ */

/* The next device of a module's front; the round goes on from rule to rule of the unit. */
static uint32_t deal(const struct rule *r, struct keymap *rounds, uint32_t device, const struct unit *u)
{
	const struct front *f = NULL;
	for (size_t i = 0; u && i < u->fronts.n; i++)
		if (u->fronts.at[i].link == r->link)
			f = &u->fronts.at[i];
	if (!f)
		return device;
	uint32_t turn = keymap_get(rounds, device);
	turn = turn == NONE ? 0 : turn;
	keymap_put(rounds, device, turn + 1);
	return device + f->devices.at[turn % f->devices.n];
}

static void add_wire(struct rule *r, const struct pair *p, uint32_t a, uint32_t b, uint32_t count)
{
	struct wire w = {.link = r->link, .a = a, .b = b, .count = count, .via = p->via,
			 .rule = (uint32_t)r->u->rules.n, .rail = p->rail, .plane = p->plane, .rate = r->rate,
			 .length_um = r->length_um, .flags = r->flags};
	r->link->used = true;
	vec_push(&r->u->wires, w);
}

static bool emit(struct rule *r, struct keymap *rounds)
{
	for (size_t i = 0; i < r->pairs.n; i++) {
		const struct pair *p = &r->pairs.at[i];
		if (p->count == 0)
			continue;
		if (!p->unit_a && !p->unit_b) {
			add_wire(r, p, p->a, p->b, p->count);
			continue;
		}
		uint32_t links = p->count == NONE ? 1 : p->count;
		if (!spend(r->l, r->node, links))
			return false;
		for (uint32_t k = 0; k < links; k++) {
			uint32_t a = deal(r, rounds, p->a, p->unit_a), b = deal(r, rounds, p->b, p->unit_b);
			add_wire(r, p, a, b, p->count == NONE ? NONE : 1);
		}
	}
	return true;
}

static bool is_switched_off(struct rule *r)
{
	const struct node *n = map_get(r->node, "if");
	int64_t on;
	return n && scalar_integer(r->l, &r->u->scope, n, &on) && !on;
}

static bool run_form(struct rule *r)
{
	const struct node *from = map_get(r->node, "from"), *to = map_get(r->node, "to");
	const struct node *pairs = map_get(r->node, "pairs"), *random = map_get(r->node, "random-regular");
	if ((from || to) + (pairs != NULL) + (random != NULL) != 1 || (from == NULL) != (to == NULL)) {
		complain(r->l, r->node, NULL, "a rule has `from` and `to`, or `pairs`, or `random-regular`");
		return false;
	}
	return pairs ? run_pairs(r, pairs) : random ? run_random(r, random) : run_join(r);
}

static void run_rule(struct rule *r, struct keymap *rounds)
{
	if (is_switched_off(r))
		return;
	unsigned errors = r->l->d->errors;
	if (run_form(r) && r->l->d->errors == errors) {
		if (r->matched == 0 && !r->empty_part)
			complain(r->l, r->node, "an `if` can switch it off; a part with count 0 matches nothing too",
				 "the wiring rule matches nothing");
		else if (emit(r, rounds) && r->pairs.n)
			vec_push(&r->u->rules,
				 fabric_add_origin(r->l->f, node_mark(r->node, 0, 0), trail_text(r->l)));
	}
}

void unit_wire(struct loader *l, struct unit *u, const struct node *rules)
{
	struct keymap rounds = {0};
	for (uint32_t i = 0; rules && rules->kind == NODE_LIST && i < rules->n && !is_over(l); i++) {
		struct rule r = {.l = l, .u = u, .node = rules->items[i], .fixed_count = 1, .rate = UNKNOWN,
				 .length_um = UNKNOWN};
		if (r.node->kind != NODE_MAP)
			continue;
		trail_push(l, "wiring rule %u", i + 1);
		names_init(&r.names, &u->scope);
		run_rule(&r, &rounds);
		names_free(&r.names);
		vec_free(&r.ranges);
		vec_free(&r.pairs);
		keymap_free(&r.seen);
		trail_pop(l);
	}
	keymap_free(&rounds);
}

/* ---- front -------------------------------------------------------------------------------------------------------- */

struct fronting {
	struct loader *l;
	const struct pattern *p;
	struct front *f;
};

static bool add_front(void *context, struct landing end)
{
	struct fronting *x = context;
	vec_push(&x->f->devices, end.device);
	if (!end.unit)
		return true;
	complain(x->l, x->p->node, NULL, "`%s` ends at a module; a front is made of devices", x->p->text);
	return false;
}

void unit_fronts(struct loader *l, struct unit *u, const struct node *front)
{
	for (uint32_t i = 0; front && front->kind == NODE_MAP && i < front->n && !is_over(l); i += 2) {
		const struct node *key = front->items[i], *value = front->items[i + 1];
		struct front f = {.link = definition_need(l, TABLE_LINKS, key->text, key)};
		struct names names;
		struct pattern p;
		bool empty = false;
		struct fronting x = {l, &p, &f};
		struct search s = {l, &names, &empty, add_front, &x};
		const char *text = f.link ? scalar_text(l, &u->scope, value) : NULL;
		names_init(&names, &u->scope);
		if (text && pattern_parse(l, &l->arena, &names, value, text, false, &p) && pattern_search(&s, &p, u) &&
		    f.devices.n == 0)
			complain(l, value, NULL, "`%s` names no device", text);
		names_free(&names);
		if (f.devices.n)
			vec_push(&u->fronts, f);
		else
			vec_free(&f.devices);
	}
}
