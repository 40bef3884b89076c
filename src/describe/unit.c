/* Units: a module with its parameters, compiled once and stamped as often as it occurs. Sizes are added up
 * before anything is built, so that a count of a billion is refused at once.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64

struct unit *part_unit(const struct part *p, uint32_t instance)
{
	return p->units ? p->units[instance] : p->unit;
}

uint32_t part_first(const struct part *p, uint32_t instance)
{
	if (p->first)
		return p->base + p->first[instance];
	return p->base + (uint32_t)(p->unit ? p->unit->devices : 1) * instance;
}

struct part *unit_part(const struct unit *u, const char *name, size_t size)
{
	uint32_t id = strtab_find(&u->part_names, name, size);
	return id == NONE ? NULL : &u->parts.at[id];
}

static struct unit *unit_get(struct loader *l, struct definition *def, const struct node *with,
			     const struct scope *from, const struct node *at);

/* ---- sizes -------------------------------------------------------------------------------------------- */

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* False when what a part adds up to is over a limit. */
static bool fits(struct loader *l, const struct node *n, const char *what, const char *name, uint64_t have,
		 uint64_t limit)
{
	if (have <= limit)
		return true;
	struct strbuf b = STRBUF_INIT;
	if (have == UINT64_MAX)
		strbuf_puts(&b, "too many");
	else
		put_count(&b, have);
	complain_limit(l, n, name, limit, "%s %s would be built", strbuf_str(&b), what);
	strbuf_free(&b);
	return false;
}

static bool add_sizes(struct loader *l, struct unit *u, struct part *p, const struct node *n)
{
	u->devices = add(u->devices, p->devices);
	u->modules = add(u->modules, p->modules);
	u->trunks = add(u->trunks, p->trunks);
	return fits(l, n, "devices", "devices", u->devices, l->limits.devices) &&
	       fits(l, n, "modules", "devices", u->modules, l->limits.devices) &&
	       fits(l, n, "trunks", "trunks", u->trunks, l->limits.trunks);
}

/* ---- parts ----------------------------------------------------------------------------------------------- */

static bool read_dim(struct loader *l, struct unit *u, struct part *p, const struct node *n)
{
	int64_t v;
	if (!scalar_integer(l, &u->scope, n, &v))
		return false;
	if (v < 0) {
		complain(l, n, NULL, "`%s` is %lld; a count cannot be negative", n->text, (long long)v);
		return false;
	}
	p->total = times(p->total, (uint64_t)v);
	p->dims[p->dim_count++] = v < NONE ? (uint32_t)v : NONE;
	return true;
}

static bool read_counts(struct loader *l, struct unit *u, struct part *p)
{
	const struct node *n = map_get(p->node, "count");
	p->total = 1;
	if (!n)
		return true;
	if (n->kind == NODE_SCALAR)
		return read_dim(l, u, p, n);
	if (n->kind != NODE_LIST || n->n == 0 || n->n > DIMS_MAX) {
		complain(l, n, NULL, "a part has 1 to %d dimensions", DIMS_MAX);
		return false;
	}
	for (uint32_t i = 0; i < n->n; i++)
		if (!read_dim(l, u, p, n->items[i]))
			return false;
	return true;
}

static bool is_part_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool letter = (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || s[i] == '_';
		if (!letter && (i == 0 || s[i] != '-') && (i == 0 || s[i] < '0' || s[i] > '9'))
			return false;
	}
	return n > 0 && n <= 128 && (s[n - 1] < '0' || s[n - 1] > '9') && s[n - 1] != '-';
}

/* What a part is made of: a device or the definition of a module. */
static bool read_is(struct loader *l, struct unit *u, struct part *p, struct definition **module)
{
	const struct node *n = map_get(p->node, "is");
	if (!n) {
		complain(l, p->node, "write `is:` and the name of a device or module", "the part `%s` is nothing",
			 p->name);
		return false;
	}
	const char *name = scalar_text(l, &u->scope, n);
	if (!name)
		return false;
	p->device = definition_find(l, TABLE_DEVICES, name);
	*module = definition_find(l, TABLE_MODULES, name);
	if (p->device && *module)
		complain(l, n, "rename one of them", "`%s` is the name of a device and of a module", name);
	if (p->device || *module)
		return !p->device || !*module;
	VEC(const char *) known = {0};
	for (size_t i = 0; i < l->tables[TABLE_DEVICES].n; i++)
		vec_push(&known, l->tables[TABLE_DEVICES].at[i]->name);
	for (size_t i = 0; i < l->tables[TABLE_MODULES].n; i++)
		vec_push(&known, l->tables[TABLE_MODULES].at[i]->name);
	complain(l, n, which_are_known(l, name, known.at, known.n), "unknown device or module `%s`", name);
	vec_free(&known);
	return false;
}

static bool is_word_char(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True when a value holds the name index inside of ${…}. */
static bool uses_index(const struct node *with)
{
	for (uint32_t i = 1; with && with->kind == NODE_MAP && i < with->n; i += 2) {
		const char *s = with->items[i]->kind == NODE_SCALAR ? with->items[i]->text : "", *at = s;
		if (!strstr(s, "${"))
			continue;
		for (; (at = strstr(at, "index")); at += 5)
			if (at > s && !is_word_char(at[-1]) && !is_word_char(at[5]))
				return true;
	}
	return false;
}

/* One unit per value of the first index; they may differ in size. */
static bool build_indexed(struct loader *l, struct unit *u, struct part *p, struct definition *module)
{
	const struct node *with = map_get(p->node, "with");
	uint64_t row = p->dims[0] ? p->total / p->dims[0] : 0, first = 0;
	p->units = mem_array(p->total, sizeof(struct unit *));
	p->first = mem_array(p->total, sizeof *p->first);
	for (uint32_t i = 0; i < p->dims[0]; i++) {
		struct scope s = {.parent = &u->scope, .has_index = true, .index = i};
		struct unit *inner = unit_get(l, module, with, &s, map_get(p->node, "is"));
		if (!inner || !spend(l, p->node, 1))
			return false;
		for (uint64_t k = 0; k < row; k++) {
			p->units[i * row + k] = inner;
			p->first[i * row + k] = (uint32_t)first;
			first = add(first, inner->devices);
			if (!fits(l, p->node, "devices", "devices", first, l->limits.devices))
				return false;
		}
		p->modules = add(p->modules, times(row, inner->modules));
		p->trunks = add(p->trunks, times(row, inner->trunks));
	}
	p->devices = first;
	return true;
}

static bool build_contents(struct loader *l, struct unit *u, struct part *p, struct definition *module)
{
	const struct node *with = map_get(p->node, "with"), *count = map_get(p->node, "count");
	const struct node *at = count ? count : p->node;
	if (with && p->device) {
		complain(l, with, NULL, "`%s` is a device and has no parameters", p->name);
		return false;
	}
	/* before anything inside is looked at */
	if (!fits(l, at, p->device ? "devices" : "modules", "devices", p->total, l->limits.devices))
		return false;
	if (p->total == 0)
		return true;
	if (p->device) {
		p->devices = p->total;
	} else if (p->dim_count && uses_index(with)) {
		if (!build_indexed(l, u, p, module))
			return false;
	} else {
		struct scope s = {.parent = &u->scope, .has_index = true};
		p->unit = unit_get(l, module, with, &s, map_get(p->node, "is"));
		if (!p->unit)
			return false;
		p->devices = times(p->total, p->unit->devices);
		p->modules = times(p->total, p->unit->modules);
		p->trunks = times(p->total, p->unit->trunks);
	}
	p->base = (uint32_t)u->devices;
	return add_sizes(l, u, p, at);
}

static void read_marks(struct loader *l, struct unit *u, struct part *p)
{
	static const struct {
		const char *key;
		uint8_t flag;
	} marks[] = {{"inferred", FLAG_INFERRED}, {"incomplete", FLAG_INCOMPLETE}, {"external", FLAG_EXTERNAL}};
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const struct node *n = map_get(p->node, marks[i].key);
		bool on = false;
		if (n && scalar_bool(l, &u->scope, n, &on) && on)
			p->flags |= marks[i].flag;
	}
	const struct node *name = map_get(p->node, "name");
	if (!name)
		return;
	const char *text = scalar_text(l, &u->scope, name);
	if (p->dim_count)
		complain(l, name, NULL, "`name` is for a part without `count`");
	else if (text && !*text)
		complain(l, name, NULL, "the name is empty");
	else if (text)
		p->label = label_clean(&l->arena, text, strlen(text));
}

static bool read_part(struct loader *l, struct unit *u, const struct node *key, const struct node *node)
{
	struct part p = {.name = key->text, .node = node};
	struct definition *module = NULL;
	if (!is_part_name(key->text, key->n)) {
		complain(l, key, "letters, digits, _ and -; the last is no digit, since indices follow",
			 "`%s` cannot be the name of a part", key->text);
		return false;
	}
	if (node->kind != NODE_MAP || !read_counts(l, u, &p) || !read_is(l, u, &p, &module))
		return false;
	read_marks(l, u, &p);
	bool ok = build_contents(l, u, &p, module);
	if (ok)
		part_place(l, u, &p);
	strtab_intern(&u->part_names, p.name, strlen(p.name));
	vec_push(&u->parts, p);
	return ok;
}

/* Only `name` can make two things of one name. */
static void check_labels(struct loader *l, struct unit *u)
{
	struct strtab names = {0};
	struct strbuf b = STRBUF_INIT;
	bool any = false;
	for (size_t i = 0; i < u->parts.n; i++)
		any |= u->parts.at[i].label != NULL;
	for (size_t i = 0; any && i < u->parts.n; i++) {
		const struct part *p = &u->parts.at[i];
		for (uint64_t k = 0; k < p->total; k++) {
			uint32_t before = (uint32_t)names.texts.n;
			strbuf_trim(&b, 0);
			instance_name(p, k, &b);
			if (strtab_intern(&names, strbuf_str(&b), b.n) == before)
				continue;
			complain(l, p->node, NULL, "`%s` is the name of something before it too", strbuf_str(&b));
			break;
		}
	}
	strbuf_free(&b);
	strtab_free(&names);
}

static bool read_parts(struct loader *l, struct unit *u)
{
	const struct node *parts = map_get(u->def->node, "parts");
	bool ok = true;
	for (uint32_t i = 0; parts && parts->kind == NODE_MAP && i < parts->n && !is_over(l); i += 2) {
		trail_push(l, "part `%s`", parts->items[i]->text);
		ok &= read_part(l, u, parts->items[i], parts->items[i + 1]);
		trail_pop(l);
	}
	if (ok && !is_over(l))
		check_labels(l, u);
	return ok && !is_over(l);
}

/* ---- the module itself --------------------------------------------------------------------------------- */

static void read_module_word(struct loader *l, struct unit *u, const char *key, const char *const *words, size_t n,
			     int *out)
{
	const struct node *node = map_get(u->def->node, key);
	const char *text = node ? scalar_text(l, &u->scope, node) : NULL;
	if (!text)
		return;
	int i = word_index(text, words, n);
	if (i >= 0) {
		*out = i;
		return;
	}
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "it is one of");
	for (size_t k = 0; k < n; k++)
		strbuf_printf(&b, " %s", words[k]);
	const char *hint = did_you_mean(l, text, words, n);
	complain(l, node, hint ? hint : strbuf_str(&b), "unknown %s `%s` of a module", key, text);
	strbuf_free(&b);
}

/* "48U" or 48. */
static void read_height(struct loader *l, struct unit *u, uint64_t *out)
{
	const struct node *n = map_get(u->def->node, "height");
	const char *text = n ? scalar_text(l, &u->scope, n) : NULL, *why, *hint;
	struct quantity q;
	if (!text)
		return;
	if (quantity_parse(&l->arena, text, strlen(text), &q, &why, &hint) && q.dim == DIM_COUNT && q.value > 0 &&
	    q.value <= 1000)
		*out = q.value;
	else
		complain(l, n, NULL, "expected rack units, such as 1U or 48U; found `%s`", text);
}

static void read_module(struct loader *l, struct unit *u)
{
	struct module *m = &u->module;
	const struct node *def = u->def->node, *n;
	int kind = MODULE_GROUP, class = CLASS_NONE;
	*m = module_default();
	m->type = fabric_name(l->f, u->def->name, strlen(u->def->name));
	m->mark = node_mark(u->def->key, 0, u->def->key->n);
	read_module_word(l, u, "kind", module_kind_names, MODULE_KIND_COUNT, &kind);
	read_module_word(l, u, "class", class_names, CLASS_COUNT, &class);
	m->kind = (enum module_kind)kind;
	m->class = (enum device_class)class;
	read_height(l, u, &m->height_units);
	if ((n = map_get(def, "size")))
		read_size(l, &u->scope, n, &m->width_um, &m->height_um);
	if ((n = map_get(def, "pitch")))
		scalar_quantity(l, &u->scope, n, DIM_LENGTH, &m->pitch_um);
	else if (m->kind == MODULE_ROW || m->kind == MODULE_HALL)
		m->pitch_um = 600000;
	const char *medium = (n = map_get(def, "medium")) ? scalar_text(l, &u->scope, n) : NULL;
	if (medium)
		m->medium = medium_use(l, medium, n);
}

static void build(struct loader *l, struct unit *u)
{
	unsigned errors = l->d->errors;
	u->modules = 1;
	if (!scope_require(l, &u->scope, map_get(u->def->node, "require")))
		return;
	read_module(l, u);
	/* wiring over parts that are wrong would only complain once more */
	if (read_parts(l, u) && l->d->errors == errors) {
		unit_wire(l, u, map_get(u->def->node, "wiring"));
		unit_fronts(l, u, map_get(u->def->node, "front"));
	}
	u->trunks = add(u->trunks, u->wires.n);
	fits(l, u->def->key, "trunks", "trunks", u->trunks, l->limits.trunks);
}

static const char *unit_key(struct loader *l, const struct definition *def, const struct scope *s)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, def->name);
	for (size_t i = 0; i < s->params.n; i++)
		strbuf_printf(&b, "\n%s", s->params.at[i].text);
	const char *key = arena_strdup(&l->arena, strbuf_str(&b));
	strbuf_free(&b);
	return key;
}

static struct unit *unit_get(struct loader *l, struct definition *def, const struct node *with,
			     const struct scope *from, const struct node *at)
{
	struct unit *u = arena_alloc(&l->arena, sizeof *u);
	struct unit *result = NULL;
	unsigned errors = l->d->errors;
	u->def = def;
	u->scope.parent = &def->file->scope;
	scope_read(l, &u->scope, map_get(def->node, "params"));
	scope_set(l, &u->scope, with, from);
	u->with = unit_key(l, def, &u->scope);
	uint32_t known = strtab_find(&l->unit_keys, u->with, strlen(u->with));
	if (known != NONE) {
		vec_free(&u->scope.params);
		result = l->units.at[known];
		if (result->ready)
			return result->broken ? NULL : result;
		complain(l, at, NULL, "the module `%s` contains itself", def->name);
		return NULL;
	}
	if (l->depth >= DEPTH_MAX) {
		complain(l, at, "this limit is fixed", "modules are nested deeper than %d, the limit `nesting`",
			 DEPTH_MAX);
		l->status = E_LIMIT;
		vec_free(&u->scope.params);
		return NULL;
	}
	strtab_intern(&l->unit_keys, u->with, strlen(u->with));
	vec_push(&l->units, u);
	l->depth++;
	trail_push(l, "%s `%s`", module_word(def->node), def->name);
	if (l->d->errors == errors)
		build(l, u);
	trail_pop(l);
	l->depth--;
	u->ready = true;
	u->broken = l->d->errors != errors || is_over(l);
	return u->broken ? NULL : u;
}

struct unit *unit_build(struct loader *l, const struct node *name)
{
	const struct file *top = l->files.at[0];
	const char *text = scalar_text(l, &top->scope, name);
	struct definition *def = text ? definition_need(l, TABLE_MODULES, text, name) : NULL;
	return def ? unit_get(l, def, NULL, &top->scope, name) : NULL;
}

void units_free(struct loader *l)
{
	for (size_t i = 0; i < l->units.n; i++) {
		struct unit *u = l->units.at[i];
		for (size_t k = 0; k < u->parts.n; k++) {
			free(u->parts.at[k].units);
			free(u->parts.at[k].first);
			free(u->parts.at[k].places);
			free(u->parts.at[k].names);
		}
		for (size_t k = 0; k < u->fronts.n; k++)
			vec_free(&u->fronts.at[k].devices);
		vec_free(&u->fronts);
		vec_free(&u->parts);
		vec_free(&u->wires);
		vec_free(&u->rules);
		vec_free(&u->scope.params);
		strtab_free(&u->part_names);
	}
	vec_free(&l->units);
	strtab_free(&l->unit_keys);
}
