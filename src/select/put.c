/* From sets back to text: names are folded into index sets, modules that hold the same into one term. */
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

/* ---- one name -------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) ||
	       strchr("_.:+-", c) != NULL;
}

static bool needs_quotes(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_plain(name[i]) || (name[i] == '-' && i + 1 < n && name[i + 1] == '-'))
			return true;
	return n == 0 || name[0] == '-';
}

static void put_name(struct strbuf *b, const char *name, size_t n)
{
	if (!needs_quotes(name, n)) {
		strbuf_add(b, name, n);
		return;
	}
	strbuf_putc(b, '\'');
	for (size_t i = 0; i < n; i++) {
		if (name[i] == '\'' || name[i] == '\\')
			strbuf_putc(b, '\\');
		strbuf_putc(b, name[i]);
	}
	strbuf_putc(b, '\'');
}

void select_put_name(const char *name, struct strbuf *b)
{
	put_name(b, name, strlen(name));
}

/* ---- folding indices ------------------------------------------------------------------------- */

enum { INDEX_DIGITS = 18 };

/* A name taken apart: base and the texts of its indices. */
struct item {
	const char *name;
	size_t base, length;
	size_t dims;
	bool chosen;
};

struct value {
	uint64_t number;
	unsigned width; /* digits when padded, else 0 */
	unsigned digits;
	const char *rest; /* folded text of the dimensions behind, interned */
};

static size_t count_dims(const char *index)
{
	size_t dims = *index ? 1 : 0, run = 0;
	for (; *index; index++) {
		run = *index == '.' ? 0 : run + 1;
		dims += *index == '.';
		if (run > INDEX_DIGITS)
			return 0;
	}
	return dims;
}

static struct item item_of(struct fold_name x)
{
	struct item it = {.name = x.name, .length = strlen(x.name), .chosen = x.chosen};
	it.base = name_base(x.name);
	it.dims = count_dims(x.name + it.base);
	if (!it.dims)
		it.base = it.length;
	return it;
}

static int compare_base(const struct item *a, const struct item *b)
{
	size_t n = a->base < b->base ? a->base : b->base;
	int order = memcmp(a->name, b->name, n);
	if (order)
		return order;
	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	return a->dims < b->dims ? -1 : a->dims > b->dims;
}

static int compare_items(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	int order = compare_base(a, b);
	if (!order)
		order = natural_compare(a->name, b->name);
	return order ? order : strcmp(a->name, b->name);
}

static struct value value_at(const char *index)
{
	struct value v = {0};
	while (index[v.digits] >= '0' && index[v.digits] <= '9')
		v.number = v.number * 10 + (uint64_t)(index[v.digits++] - '0');
	v.width = index[0] == '0' && v.digits > 1 ? v.digits : 0;
	return v;
}

static int compare_values(const void *x, const void *y)
{
	const struct value *a = x, *b = y;
	if (a->width != b->width)
		return a->width < b->width ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* "08 09 10" is one padded series although 10 does not show it. */
static void join_padding(struct value *v, size_t n)
{
	unsigned width = 0;
	for (size_t i = 0; i < n; i++) {
		if (v[i].width && width && v[i].width != width)
			return;
		if (v[i].width)
			width = v[i].width;
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].digits < width)
			return;
	for (size_t i = 0; i < n; i++)
		v[i].width = width;
}

static void put_number(struct strbuf *b, uint64_t number, unsigned width)
{
	strbuf_printf(b, "%0*llu", (int)width, (unsigned long long)number);
}

/* "[0-3,7]", or "7" alone. */
static void put_set(struct strbuf *b, struct value *v, size_t n)
{
	join_padding(v, n);
	qsort(v, n, sizeof *v, compare_values);
	if (n > 1)
		strbuf_putc(b, '[');
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && v[j].width == v[i].width && v[j].number == v[j - 1].number + 1;)
			j++;
		if (i)
			strbuf_putc(b, ',');
		put_number(b, v[i].number, v[i].width);
		if (j - i > 1) {
			strbuf_putc(b, j - i == 2 ? ',' : '-');
			put_number(b, v[j - 1].number, v[j - 1].width);
		}
	}
	if (n > 1)
		strbuf_putc(b, ']');
}

/* Emits prefix + set + rest for each group of values with the same rest (all terms of it). */
static void put_groups(struct arena *a, const char *prefix, const struct value *v, size_t n, fold_terms *out)
{
	struct value *group = mem_array(n, sizeof *group);
	bool *done = mem_array(n, sizeof *done);
	for (size_t i = 0; i < n; i++) {
		size_t size = 0;
		for (size_t j = i; j < n && !done[i]; j++) {
			if (j > i && strcmp(v[i].rest, v[j].rest) != 0)
				continue;
			group[size++] = v[j];
			done[j] |= j > i;
		}
		if (!size)
			continue;
		struct strbuf set = STRBUF_INIT;
		put_set(&set, group, size);
		for (const char *t = v[i].rest, *end;; t = end + 1) {
			end = t + strcspn(t, "\n");
			vec_push(out, arena_printf(a, "%s%s%.*s", prefix, strbuf_str(&set), (int)(end - t), t));
			if (!*end)
				break;
		}
		strbuf_free(&set);
	}
	free(group);
	free(done);
}

/* Folds items whose indices agree up to byte `at` of their names; they are sorted. */
static void fold_dims(struct arena *a, const char *prefix, const struct item *items, size_t n, size_t dims_left,
		      const size_t *at, fold_terms *out)
{
	VEC(struct value) values = {0};
	size_t *next = mem_array(n, sizeof *next);
	for (size_t i = 0, j; i < n; i = j) {
		struct value v = value_at(items[i].name + at[i]);
		for (j = i; j < n; j++) {
			struct value w = value_at(items[j].name + at[j]);
			if (w.number != v.number || w.digits != v.digits)
				break;
			next[j] = at[j] + w.digits + 1;
		}
		v.rest = "";
		if (dims_left > 1) {
			fold_terms rest = {0};
			struct strbuf joined = STRBUF_INIT;
			fold_dims(a, ".", items + i, j - i, dims_left - 1, next + i, &rest);
			for (size_t k = 0; k < rest.n; k++)
				strbuf_printf(&joined, "%s%s", k ? "\n" : "", rest.at[k]);
			v.rest = arena_strdup(a, strbuf_str(&joined));
			strbuf_free(&joined);
			vec_free(&rest);
		}
		vec_push(&values, v);
	}
	put_groups(a, prefix, values.at, values.n, out);
	vec_free(&values);
	free(next);
}

/* ---- folding names --------------------------------------------------------------------------- */

/* True when "base*" would match nothing but this family. */
static bool star_is_exact(const struct item *all, size_t n, const struct item *family, size_t family_n)
{
	for (size_t i = 0; i < n; i++) {
		bool inside = &all[i] >= family && &all[i] < family + family_n;
		if (!inside && all[i].length >= family->base && !memcmp(all[i].name, family->name, family->base))
			return false;
	}
	return true;
}

static void fold_family(struct arena *a, const struct item *all, size_t n, const struct item *family,
			size_t family_n, bool whole, fold_terms *out)
{
	VEC(struct item) chosen = {0};
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < family_n; i++)
		if (family[i].chosen)
			vec_push(&chosen, family[i]);
	if (chosen.n == 1) {
		put_name(&b, chosen.at[0].name, chosen.at[0].length);
		vec_push(out, arena_strdup(a, b.text));
	} else if (chosen.n > 1) {
		if (family->base)
			put_name(&b, family->name, family->base);
		if (whole && chosen.n == family_n && star_is_exact(all, n, family, family_n)) {
			strbuf_putc(&b, '*');
			vec_push(out, arena_strdup(a, b.text));
		} else {
			size_t *at = mem_array(chosen.n, sizeof *at);
			for (size_t i = 0; i < chosen.n; i++)
				at[i] = family->base;
			fold_dims(a, strbuf_str(&b), chosen.at, chosen.n, family->dims, at, out);
			free(at);
		}
	}
	strbuf_free(&b);
	vec_free(&chosen);
}

void fold_names(struct arena *a, const struct fold_name *names, size_t n, bool whole, fold_terms *out)
{
	struct item *items = mem_array(n + 1, sizeof *items);
	size_t families = 0, chosen = 0;
	for (size_t i = 0; i < n; i++) {
		items[i] = item_of(names[i]);
		chosen += items[i].chosen;
	}
	qsort(items, n, sizeof *items, compare_items);
	for (size_t i = 0; i < n; i++)
		families += i == 0 || compare_base(&items[i - 1], &items[i]);
	if (whole && chosen == n && families > 1) {
		vec_push(out, "*");
	} else {
		for (size_t i = 0, j; i < n; i = j) {
			for (j = i + 1; j < n && !compare_base(&items[i], &items[j]);)
				j++;
			fold_family(a, items, n, items + i, j - i, whole, out);
		}
	}
	free(items);
}

/* ---- folding modules ------------------------------------------------------------------------- */

enum { SHAPE_EMPTY, SHAPE_FULL };

struct folding {
	const struct fabric *f;
	const struct idset *set;
	uint32_t *before;     /* selected devices before each id */
	uint32_t *shape;      /* per module: id of its terms ("a\nb") in shapes */
	struct strtab shapes; /* SHAPE_EMPTY "", SHAPE_FULL "*", then texts */
	struct arena arena;
};

struct child {
	const char *name;
	uint32_t shape;
	bool is_device;
};
typedef VEC(struct child) child_list;

static void list_children(const struct folding *x, uint32_t module, child_list *out)
{
	struct member m = {0};
	while (module_next(x->f, module, &m)) {
		struct child c = {.is_device = m.is_device};
		if (m.is_device) {
			c.name = device_name(x->f, m.id);
			c.shape = idset_has(x->set, m.id) ? SHAPE_FULL : SHAPE_EMPTY;
		} else {
			const struct module *child = &x->f->modules.at[m.id];
			if (child->first_device == child->end_device)
				continue; /* holds nothing: matched or not, it makes no difference */
			c.name = fabric_str(x->f, child->name);
			c.shape = x->shape[m.id];
		}
		vec_push(out, c);
	}
}

/* The terms for all children of one shape. Only modules can be walked through. */
static void put_shape(struct folding *x, const child_list *children, uint32_t shape, struct strbuf *b)
{
	VEC(struct fold_name) names = {0};
	fold_terms terms = {0};
	for (size_t i = 0; i < children->n; i++)
		if (shape == SHAPE_FULL || !children->at[i].is_device)
			vec_push(&names, (struct fold_name){.name = children->at[i].name,
							    .chosen = children->at[i].shape == shape});
	fold_names(&x->arena, names.at, names.n, true, &terms);
	for (size_t i = 0; i < terms.n; i++) {
		const char *inner = shape == SHAPE_FULL ? "" : strtab_text(&x->shapes, shape);
		for (const char *end;; inner = end + 1) {
			end = inner + strcspn(inner, "\n");
			strbuf_printf(b, "%s%s%s%.*s", b->n ? "\n" : "", terms.at[i], *inner ? "/" : "",
				      (int)(end - inner), inner);
			if (!*end)
				break;
		}
	}
	vec_free(&names);
	vec_free(&terms);
}

static uint32_t shape_of(struct folding *x, uint32_t module)
{
	child_list children = {0};
	struct keymap done = {0};
	struct strbuf b = STRBUF_INIT;
	list_children(x, module, &children);
	for (size_t i = 0; i < children.n; i++) {
		uint32_t shape = children.at[i].shape;
		if (shape == SHAPE_EMPTY || keymap_get(&done, shape) != NONE)
			continue;
		keymap_put(&done, shape, 0);
		put_shape(x, &children, shape, &b);
	}
	uint32_t id = strtab_intern(&x->shapes, strbuf_str(&b), b.n);
	strbuf_free(&b);
	keymap_free(&done);
	vec_free(&children);
	return id;
}

/* Children stand behind their parents, so one pass from the end suffices. */
static void fold_modules(struct folding *x)
{
	for (uint32_t m = (uint32_t)x->f->modules.n; m-- > 0;) {
		uint32_t first = x->f->modules.at[m].first_device, end = x->f->modules.at[m].end_device;
		uint32_t selected = x->before[end] - x->before[first];
		if (selected == 0)
			x->shape[m] = SHAPE_EMPTY;
		else if (selected == end - first && m > 0)
			x->shape[m] = SHAPE_FULL;
		else
			x->shape[m] = shape_of(x, m);
	}
}

/* The class whose devices are exactly the set, or CLASS_NONE. */
static enum device_class whole_class(const struct fabric *f, const struct idset *s)
{
	uint32_t first = idset_next(s, 0);
	if (first == NONE)
		return CLASS_NONE;
	enum device_class class = device_class(f, first);
	struct idset all = idset_new(f->device_count);
	class_devices(f, class, &all);
	bool same = idset_equal(&all, s);
	idset_free(&all);
	return same ? class : CLASS_NONE;
}

void select_put(const struct fabric *f, const struct idset *s, struct strbuf *b)
{
	enum device_class class = whole_class(f, s);
	if (class != CLASS_NONE) {
		strbuf_printf(b, "@%s", class_names[class]);
		return;
	}
	struct folding x = {.f = f, .set = s};
	x.before = mem_array((size_t)f->device_count + 1, sizeof *x.before);
	x.shape = mem_array(f->modules.n, sizeof *x.shape);
	for (uint32_t d = 0; d < f->device_count; d++)
		x.before[d + 1] = x.before[d] + idset_has(s, d);
	strtab_intern(&x.shapes, "", 0);
	strtab_intern(&x.shapes, "\n", 1); /* stands for "all of it"; never printed */
	fold_modules(&x);
	for (const char *t = strtab_text(&x.shapes, x.shape[0]); *t; t++)
		strbuf_putc(b, *t == '\n' ? ',' : *t);
	strtab_free(&x.shapes);
	arena_free(&x.arena);
	free(x.before);
	free(x.shape);
}
