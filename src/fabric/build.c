/* Building a fabric and freezing it. Until freeze, devices and trunks stand in growing arrays of the
 * builder; freeze puts modules and devices into pre-order (so that what lies in a module is one range of ids),
 * sorts and merges trunks, and fills every index.
 */
#include "fabric/ig.h"
#include "fabric/fabric_internal.h"

#include <stdlib.h>
#include <string.h>

struct pending_device {
	uint32_t type, module;
	name_id name;
	uint8_t flags;
	struct place place;
};

struct builder {
	VEC(struct pending_device) devices;
	VEC(struct trunk) trunks;
	VEC(uint32_t) order; /* members as they were added: id << 1 | is_device */
};

static const struct place no_place = {.unit = NONE, .x_um = UNKNOWN, .y_um = UNKNOWN};

struct device_type device_type_default(void)
{
	return (struct device_type){.name = NONE, .class = CLASS_NONE, .memory_bytes = UNKNOWN,
				    .latency_ps = UNKNOWN, .power_mw = UNKNOWN, .width_um = UNKNOWN,
				    .height_um = UNKNOWN};
}

struct link_kind link_kind_default(void)
{
	return (struct link_kind){.name = NONE, .use = USE_FABRIC, .rate = UNKNOWN, .raw_rate = UNKNOWN,
				  .medium = NONE, .length_um = UNKNOWN, .latency_ps = UNKNOWN,
				  .energy_fj = UNKNOWN, .lanes = UNKNOWN, .lane_rate = UNKNOWN,
				  .density_bps_mm = UNKNOWN, .shoreline_um = UNKNOWN, .port = NONE, .takes = 1};
}

struct medium medium_default(void)
{
	return (struct medium){.name = NONE, .reach_um = UNKNOWN, .energy_fj = UNKNOWN,
			       .density_bps_mm = UNKNOWN, .latency_ps_m = UNKNOWN, .source = NONE};
}

struct module module_default(void)
{
	return (struct module){.name = NONE, .type = NONE, .kind = MODULE_GROUP, .class = CLASS_NONE,
			       .parent = NONE, .height_units = UNKNOWN, .width_um = UNKNOWN, .height_um = UNKNOWN,
			       .pitch_um = UNKNOWN, .medium = NONE, .place = no_place};
}

struct trunk trunk_default(void)
{
	return (struct trunk){.a = NONE, .b = NONE, .kind = NONE, .count = 1, .rate = UNKNOWN,
			      .length_um = UNKNOWN, .rail = NO_LABEL, .plane = NO_LABEL, .via = NONE, .origin = NONE};
}

struct fabric *fabric_new(const char *source_name)
{
	struct fabric *f = mem_alloc(sizeof *f);
	struct module root = module_default();

	f->builder = mem_alloc(sizeof *f->builder);
	f->source_name = arena_strdup(&f->arena, source_name);
	vec_push(&f->modules, root);
	return f;
}

static void builder_free(struct builder *b)
{
	if (!b)
		return;
	vec_free(&b->devices);
	vec_free(&b->trunks);
	vec_free(&b->order);
	free(b);
}

void fabric_free(struct fabric *f)
{
	if (!f)
		return;
	builder_free(f->builder);
	ig_free(f->graph);
	keymap_free(&f->children);
	strtab_free(&f->names);
	arena_free(&f->arena);
	vec_free(&f->provenance);
	vec_free(&f->files);
	vec_free(&f->parameters);
	vec_free(&f->groups);
	vec_free(&f->faults);
	vec_free(&f->expectations);
	vec_free(&f->findings);
	vec_free(&f->origins);
	vec_free(&f->types);
	vec_free(&f->budgets);
	vec_free(&f->computes);
	vec_free(&f->media);
	vec_free(&f->kinds);
	vec_free(&f->modules);
	vec_free(&f->loops);
	vec_free(&f->cables);
	vec_free(&f->identities);
	free(f->type);
	free(f->module);
	free(f->name);
	free(f->flags);
	free(f->rail);
	free(f->plane);
	free(f->place);
	free(f->trunks);
	free(f->incident_at);
	free(f->incident);
	free(f);
}

/* Names repeat a lot: what is plain ASCII and short skips the gate's copying. */
static bool is_plain(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	return n <= LABEL_MAX;
}

name_id fabric_name(struct fabric *f, const char *bytes, size_t n)
{
	struct strbuf b = STRBUF_INIT;
	name_id id;

	if (is_plain(bytes, n))
		return strtab_intern(&f->names, bytes, n);
	label_put(&b, bytes, n, LABEL_MAX);
	id = strtab_intern(&f->names, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return id;
}

const char *fabric_text(struct fabric *f, const char *bytes, size_t n)
{
	return label_clean(&f->arena, bytes, n);
}

uint32_t fabric_add_type(struct fabric *f, const struct device_type *t)
{
	vec_push(&f->types, *t);
	return (uint32_t)f->types.n - 1;
}

uint32_t fabric_add_kind(struct fabric *f, const struct link_kind *k)
{
	vec_push(&f->kinds, *k);
	return (uint32_t)f->kinds.n - 1;
}

uint32_t fabric_add_medium(struct fabric *f, const struct medium *m)
{
	vec_push(&f->media, *m);
	return (uint32_t)f->media.n - 1;
}

uint32_t fabric_add_module(struct fabric *f, const struct module *m)
{
	uint32_t id = (uint32_t)f->modules.n;

	vec_push(&f->modules, *m);
	vec_push(&f->builder->order, id << 1);
	return id;
}

uint32_t fabric_add_device(struct fabric *f, uint32_t type, uint32_t module, name_id name, uint8_t flags,
			   const struct place *place)
{
	struct pending_device d = {type, module, name, flags, place ? *place : no_place};
	uint32_t id = (uint32_t)f->builder->devices.n;

	vec_push(&f->builder->devices, d);
	vec_push(&f->builder->order, id << 1 | 1);
	return id;
}

void fabric_add_trunk(struct fabric *f, const struct trunk *t)
{
	vec_push(&f->builder->trunks, *t);
}

void fabric_add_cable(struct fabric *f, const struct cable *c)
{
	vec_push(&f->cables, *c);
}

void fabric_add_identity(struct fabric *f, const struct identity *i)
{
	vec_push(&f->identities, *i);
}

uint32_t fabric_add_origin(struct fabric *f, struct mark mark, const char *text)
{
	struct origin o = {mark, fabric_text(f, text, strlen(text))};

	vec_push(&f->origins, o);
	return (uint32_t)f->origins.n - 1;
}

void fabric_add_finding(struct fabric *f, const struct finding *x)
{
	struct finding copy = *x;

	copy.text = fabric_text(f, x->text, strlen(x->text));
	copy.hint = x->hint ? fabric_text(f, x->hint, strlen(x->hint)) : NULL;
	vec_push(&f->findings, copy);
}

/* ---- freeze: order ------------------------------------------------------------------------------ */

/* The members of each module in order of addition, as one array cut into slices. (Counts go two places up,
 * so that after filling at[i] is where slice i begins.) */
struct members {
	uint32_t *at, *item;
};

static uint32_t member_parent(const struct fabric *f, uint32_t item)
{
	return item & 1 ? f->builder->devices.at[item >> 1].module : f->modules.at[item >> 1].parent;
}

static struct members members_new(const struct fabric *f)
{
	const struct builder *b = f->builder;
	struct members m = {mem_array(f->modules.n + 2, 4), mem_array(b->order.n, 4)};

	for (size_t i = 0; i < b->order.n; i++)
		m.at[member_parent(f, b->order.at[i]) + 2]++;
	for (size_t i = 2; i < f->modules.n + 2; i++)
		m.at[i] += m.at[i - 1];
	for (size_t i = 0; i < b->order.n; i++)
		m.item[m.at[member_parent(f, b->order.at[i]) + 1]++] = b->order.at[i];
	return m;
}

struct renumbering {
	uint32_t *module, *device; /* provisional id -> final id */
	uint32_t *old_module, *old_device;
	uint32_t modules, devices;
};

static void visit_module(struct fabric *f, struct renumbering *r, uint32_t old, uint32_t parent)
{
	uint32_t id = r->modules++;

	r->module[old] = id;
	r->old_module[id] = old;
	f->modules.at[old].parent = parent;
	f->modules.at[old].first_device = r->devices;
}

/* Depth-first without recursion: nesting may be deep in hostile files. */
static void renumber(struct fabric *f, struct renumbering *r)
{
	struct members m = members_new(f);
	uint32_t *next = mem_array(f->modules.n, 4), module = 0;
	VEC(uint32_t) stack = {0};

	memcpy(next, m.at, f->modules.n * sizeof *next);
	visit_module(f, r, 0, NONE);
	vec_push(&stack, 0);
	while (stack.n) {
		module = stack.at[stack.n - 1];
		if (next[module] == m.at[module + 1]) {
			f->modules.at[module].end = r->modules;
			f->modules.at[module].end_device = r->devices;
			stack.n--;
		} else if (m.item[next[module]] & 1) {
			uint32_t old = m.item[next[module]++] >> 1;

			r->device[old] = r->devices;
			r->old_device[r->devices++] = old;
		} else {
			uint32_t child = m.item[next[module]++] >> 1;

			visit_module(f, r, child, r->module[module]);
			vec_push(&stack, child);
		}
	}
	vec_free(&stack);
	free(next);
	free(m.at);
	free(m.item);
}

static void place_modules(struct fabric *f, const struct renumbering *r)
{
	struct module *sorted = mem_array(f->modules.n, sizeof *sorted);

	for (uint32_t i = 0; i < r->modules; i++)
		sorted[i] = f->modules.at[r->old_module[i]];
	memcpy(f->modules.at, sorted, f->modules.n * sizeof *sorted);
	free(sorted);
}

static void place_devices(struct fabric *f, const struct renumbering *r)
{
	uint32_t n = r->devices;

	f->device_count = n;
	f->type = mem_array(n, sizeof *f->type);
	f->module = mem_array(n, sizeof *f->module);
	f->name = mem_array(n, sizeof *f->name);
	f->flags = mem_array(n, sizeof *f->flags);
	f->rail = mem_array(n, sizeof *f->rail);
	f->plane = mem_array(n, sizeof *f->plane);
	f->place = mem_array(n, sizeof *f->place);
	for (uint32_t i = 0; i < n; i++) {
		const struct pending_device *d = &f->builder->devices.at[r->old_device[i]];

		f->type[i] = d->type;
		f->module[i] = r->module[d->module];
		f->name[i] = d->name;
		f->flags[i] = d->flags;
		f->place[i] = d->place;
	}
}

/* ---- freeze: trunks ------------------------------------------------------------------------------ */

static int compare_u32(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_labels(const struct trunk *a, const struct trunk *b)
{
	if (a->rail != b->rail)
		return a->rail < b->rail ? -1 : 1;
	return a->plane < b->plane ? -1 : a->plane > b->plane;
}

/* All that makes two trunks different things; equal ones are merged. */
static int compare_trunks(const void *x, const void *y)
{
	const struct trunk *a = x, *b = y;
	int order = compare_u32(a->b, b->b);

	if (!order)
		order = compare_u32(a->kind, b->kind);
	if (!order)
		order = compare_labels(a, b);
	if (!order)
		order = compare_u64(a->rate, b->rate);
	if (!order)
		order = compare_u64(a->length_um, b->length_um);
	if (!order)
		order = compare_u32(a->via, b->via);
	return order ? order : compare_u32(a->flags, b->flags);
}

static uint32_t add_counts(uint32_t a, uint32_t b)
{
	if (a == NONE || b == NONE)
		return NONE;
	return a > NONE - 1 - b ? NONE - 1 : a + b;
}

/* Sorted into the buckets of their lower end, then each bucket sorted and merged in place. */
static void sort_trunks(struct fabric *f)
{
	struct builder *b = f->builder;
	uint32_t *at = mem_array(f->device_count + (size_t)2, sizeof *at);
	struct trunk *sorted = mem_array(b->trunks.n, sizeof *sorted);

	for (size_t i = 0; i < b->trunks.n; i++)
		at[b->trunks.at[i].a + 2]++;
	for (uint32_t d = 2; d < f->device_count + 2; d++)
		at[d] += at[d - 1];
	for (size_t i = 0; i < b->trunks.n; i++)
		sorted[at[b->trunks.at[i].a + 1]++] = b->trunks.at[i];
	f->trunks = sorted;
	f->trunk_count = 0;
	for (uint32_t d = 0; d < f->device_count; d++) {
		uint32_t first = f->trunk_count;

		qsort(sorted + at[d], at[d + 1] - at[d], sizeof *sorted, compare_trunks);
		for (uint32_t i = at[d]; i < at[d + 1]; i++) {
			struct trunk *last = f->trunk_count > first ? &sorted[f->trunk_count - 1] : NULL;

			if (last && compare_trunks(last, &sorted[i]) == 0)
				last->count = add_counts(last->count, sorted[i].count);
			else
				sorted[f->trunk_count++] = sorted[i];
		}
	}
	free(at);
}

/* Final ids at the ends, lower one first; cables from a device to itself go aside. */
static void orient_trunks(struct fabric *f, const struct renumbering *r)
{
	struct builder *b = f->builder;
	size_t kept = 0;

	for (size_t i = 0; i < b->trunks.n; i++) {
		struct trunk t = b->trunks.at[i];
		uint32_t x = r->device[t.a], y = r->device[t.b];

		t.a = x < y ? x : y;
		t.b = x < y ? y : x;
		if (t.via != NONE)
			t.via = r->device[t.via];
		if (x == y)
			vec_push(&f->loops, t);
		else
			b->trunks.at[kept++] = t;
	}
	b->trunks.n = kept;
}

static void renumber_cables(struct fabric *f, const struct renumbering *r)
{
	for (size_t i = 0; i < f->cables.n; i++) {
		f->cables.at[i].a = r->device[f->cables.at[i].a];
		f->cables.at[i].b = r->device[f->cables.at[i].b];
	}
	for (size_t i = 0; i < f->identities.n; i++)
		f->identities.at[i].device = r->device[f->identities.at[i].device];
}

static void index_trunks(struct fabric *f)
{
	uint32_t *at = mem_array(f->device_count + (size_t)2, sizeof *at);

	f->incident = mem_array(2 * (size_t)f->trunk_count, sizeof *f->incident);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		at[f->trunks[t].a + 2]++;
		at[f->trunks[t].b + 2]++;
	}
	for (uint32_t d = 2; d < f->device_count + 2; d++)
		at[d] += at[d - 1];
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		f->incident[at[f->trunks[t].a + 1]++] = t;
		f->incident[at[f->trunks[t].b + 1]++] = t;
	}
	f->incident_at = at;
}

/* ---- freeze: the rest ------------------------------------------------------------------------------ */

static int32_t agree(int32_t so_far, int32_t label, bool *seen)
{
	if (label == NO_LABEL)
		return so_far;
	if (!*seen) {
		*seen = true;
		return label;
	}
	return so_far == label ? so_far : NO_LABEL;
}

static void label_devices(struct fabric *f)
{
	for (uint32_t d = 0; d < f->device_count; d++) {
		bool rail_seen = false, plane_seen = false;

		f->rail[d] = f->plane[d] = NO_LABEL;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			const struct trunk *t = &f->trunks[f->incident[i]];

			f->rail[d] = agree(f->rail[d], t->rail, &rail_seen);
			f->plane[d] = agree(f->plane[d], t->plane, &plane_seen);
		}
	}
}

static void count_links(struct fabric *f)
{
	for (uint32_t k = 0; k < f->kinds.n; k++)
		f->kinds.at[k].links = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint64_t *links = &f->kinds.at[f->trunks[t].kind].links;

		*links = *links == UNKNOWN || f->trunks[t].count == NONE ? UNKNOWN : *links + f->trunks[t].count;
	}
}

static void build_graph(struct fabric *f)
{
	uint32_t *a = mem_array(f->trunk_count, sizeof *a), *b = mem_array(f->trunk_count, sizeof *b);

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		a[t] = f->trunks[t].a;
		b[t] = f->trunks[t].b;
	}
	f->graph = ig_new(f->device_count, a, b, f->trunk_count);
	free(a);
	free(b);
}

enum status fabric_freeze(struct fabric *f, struct diag *d)
{
	struct builder *b = f->builder;
	struct renumbering r = {
		mem_array(f->modules.n, 4), mem_array(b->devices.n, 4),
		mem_array(f->modules.n, 4), mem_array(b->devices.n, 4), 0, 0,
	};
	enum status s;

	renumber(f, &r);
	place_modules(f, &r);
	place_devices(f, &r);
	orient_trunks(f, &r);
	renumber_cables(f, &r);
	sort_trunks(f);
	index_trunks(f);
	label_devices(f);
	count_links(f);
	build_graph(f);
	s = index_children(f, d);
	free(r.module);
	free(r.device);
	free(r.old_module);
	free(r.old_device);
	builder_free(b);
	f->builder = NULL;
	return s;
}
