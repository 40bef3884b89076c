/* graph_plan: which devices stand together. A tier is the distance from the nearest endpoint over counted links;
 * on a tier, devices of one type form a group. Structure decides; names are never looked at.
 * O(devices + trunks log trunks).
 */
#include <stdlib.h>
#include <string.h>

#include "view/graph_internal.h"

/* The class whose devices are endpoints: the first of these with a counted link. */
static enum device_class endpoint_class(const struct scene *s)
{
	static const enum device_class order[] = {CLASS_GPU, CLASS_HOST, CLASS_NIC, CLASS_DIE};
	const struct fabric *f = s->fabric;
	bool linked[CLASS_COUNT + 1] = {false};
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (trunk_counts(f, t))
			linked[device_class(f, f->trunks[t].a)] = linked[device_class(f, f->trunks[t].b)] = true;
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (linked[order[i]])
			return order[i];
	return CLASS_NONE;
}

/* At least a third of what a switch of the first tier carries goes to tier 0. */
static bool is_leaf(const struct scene *s, const uint32_t *tier, uint32_t d)
{
	const struct fabric *f = s->fabric;
	uint64_t ends = 0, others = 0;
	if (tier[d] != 1)
		return false;
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		uint32_t t = f->incident[i], links = f->trunks[t].count == NONE ? 1 : f->trunks[t].count;
		if (trunk_counts(f, t))
			*(tier[trunk_other(f, t, d)] == 0 ? &ends : &others) += links;
	}
	return ends >= others / 2;
}

/* Spines with a few endpoints of their own: they join leaves, as blocking sees it too. NULL when there are none. O(trunks). */
static bool *raised_in(const struct scene *s, const uint32_t *tier)
{
	const struct fabric *f = s->fabric;
	bool *leaf = mem_array(f->device_count + 1, sizeof *leaf), *raised = mem_array(f->device_count + 1, sizeof *raised), any = false;
	for (uint32_t d = 0; d < f->device_count; d++)
		leaf[d] = is_leaf(s, tier, d);
	for (uint32_t t = 0; t < f->trunk_count; t++)
		for (int k = 0; k < 2 && trunk_counts(f, t); k++) {
			uint32_t d = k ? f->trunks[t].a : f->trunks[t].b, other = trunk_other(f, t, d);
			if (tier[d] == 1 && !leaf[d] && leaf[other])
				raised[d] = any = true;
		}
	free(leaf);
	if (any)
		return raised;
	free(raised);
	return NULL;
}

/* Breadth first from all endpoints at once; those of raised switches do not count. */
static uint32_t *tiers_by_hops(const struct scene *s, const bool *raised)
{
	const struct fabric *f = s->fabric;
	uint32_t *tier = mem_array(f->device_count + 1, sizeof *tier);
	uint32_t *queue = mem_array(f->device_count + 1, sizeof *queue);
	size_t head = 0, tail = 0;
	enum device_class ends = endpoint_class(s);
	for (uint32_t d = 0; d < f->device_count; d++) {
		tier[d] = LOCAL_TIER;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1] && device_class(f, d) == ends; i++)
			if (tier[d] && trunk_counts(f, f->incident[i])) {
				tier[d] = 0;
				queue[tail++] = d;
			}
	}
	while (head < tail) {
		uint32_t d = queue[head++];
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t other = trunk_other(f, f->incident[i], d);
			if (!trunk_counts(f, f->incident[i]) || tier[other] != LOCAL_TIER || (raised && raised[other] && !tier[d]))
				continue;
			tier[other] = tier[d] + 1;
			queue[tail++] = other;
		}
	}
	free(queue);
	return tier;
}

static bool has_lateral(const struct scene *s, const uint32_t *tier)
{
	const struct fabric *f = s->fabric;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (trunk_counts(f, t) && tier[f->trunks[t].a] == tier[f->trunks[t].b] && tier[f->trunks[t].a])
			return true;
	return false;
}

static uint32_t *tiers_of(const struct scene *s)
{
	uint32_t *tier = tiers_by_hops(s, NULL), *other;
	bool *raised = has_lateral(s, tier) ? raised_in(s, tier) : NULL;
	if (!raised)
		return tier;
	other = tiers_by_hops(s, raised);
	free(raised);
	if (!has_lateral(s, other)) {
		free(tier);
		return other;
	}
	free(other);
	return tier;
}

uint32_t *device_tiers(const struct scene *s)
{
	uint64_t key = fabric_fingerprint(s);
	uint32_t *tiers = memo_get(s, MEMO_TIERS, key);
	if (!tiers) {
		tiers = tiers_of(s);
		memo_put(s, MEMO_TIERS, key, tiers, free);
	}
	return tiers;
}

void device_tiers_release(const struct scene *s, uint32_t *tiers)
{
	if (!s->memo)
		free(tiers);
}

static int compare_groups(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;
	if (a->tier != b->tier) /* highest first, local (largest) last */
		return a->tier == LOCAL_TIER ? 1 : b->tier == LOCAL_TIER ? -1 : a->tier < b->tier ? 1 : -1;
	return a->type < b->type ? -1 : a->type > b->type;
}

static size_t find_group(const struct graph_plan *p, uint32_t tier, uint32_t type)
{
	for (size_t g = 0; g < p->groups.n; g++)
		if (p->groups.at[g].tier == tier && p->groups.at[g].type == type)
			return g;
	return SIZE_MAX;
}

static void make_groups(const struct scene *s, struct graph_plan *p, const uint32_t *tier)
{
	const struct fabric *f = s->fabric;
	for (uint32_t d = 0; d < f->device_count; d++) {
		size_t g = find_group(p, tier[d], f->type[d]);
		if (g == SIZE_MAX) {
			g = p->groups.n;
			vec_push(&p->groups, (struct group){.tier = tier[d], .type = f->type[d]});
		}
		p->groups.at[g].n += !scene_hides(s, d);
	}
	if (p->groups.n)
		qsort(p->groups.at, p->groups.n, sizeof *p->groups.at, compare_groups);
	size_t first = 0;
	for (size_t g = 0; g < p->groups.n; g++) {
		struct group *x = &p->groups.at[g];
		x->first = first;
		first += x->n;
		x->n = 0;
		p->band_count += g == 0 || x->tier != x[-1].tier;
	}
	for (uint32_t d = 0; d < f->device_count; d++) {
		size_t g = find_group(p, tier[d], f->type[d]);
		p->group_of[d] = (uint32_t)g;
		if (!scene_hides(s, d))
			p->members[p->groups.at[g].first + p->groups.at[g].n++] = d;
		p->has_switches = p->has_switches || (device_class(f, d) == CLASS_SWITCH && tier[d] != LOCAL_TIER);
	}
}

static void make_bundles(const struct scene *s, struct graph_plan *p)
{
	const struct fabric *f = s->fabric;
	struct keymap at = {0};
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = p->group_of[f->trunks[t].a], b = p->group_of[f->trunks[t].b];
		uint64_t key = ((uint64_t)(a < b ? a : b) << 32) | ((a < b ? b : a) << 1) | trunk_counts(f, t);
		uint32_t i = keymap_get(&at, key);
		if (i == NONE) {
			i = (uint32_t)p->bundles.n;
			keymap_put(&at, key, i);
			vec_push(&p->bundles, (struct group_bundle){.a = a < b ? a : b, .b = a < b ? b : a,
								    .local = !trunk_counts(f, t)});
		}
		bundle_add(&p->bundles.at[i].sum, s, t);
	}
	keymap_free(&at);
}

static void plan_free(void *what)
{
	struct graph_plan *p = what;
	for (size_t g = 0; g < p->groups.n; g++)
		free(p->groups.at[g].title);
	free(p->members);
	free(p->group_of);
	free(p->lattice.spot);
	mesh_free(&p->mesh);
	vec_free(&p->groups);
	vec_free(&p->bundles);
	free(p);
}

static void make_titles(const struct scene *s, struct graph_plan *p)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < p->groups.n; i++) {
		struct group *g = &p->groups.at[i];
		strbuf_trim(&b, 0);
		devices_title(s->fabric, g->type, &p->members[g->first], g->n, &b);
		g->title = mem_strdup(strbuf_str(&b));
	}
	strbuf_free(&b);
}

static struct graph_plan *plan_new(const struct scene *s)
{
	struct graph_plan *p = mem_alloc(sizeof *p);
	p->members = mem_array(s->fabric->device_count + 1, sizeof *p->members);
	p->group_of = mem_array(s->fabric->device_count + 1, sizeof *p->group_of);
	uint32_t *tier = device_tiers(s);
	make_groups(s, p, tier);
	if (p->has_switches)
		mesh_find(s, tier, &p->mesh);
	device_tiers_release(s, tier);
	make_bundles(s, p);
	make_titles(s, p);
	if (!p->has_switches)
		lattice_find(s, &p->lattice);
	return p;
}

struct graph_plan *graph_plan(const struct scene *s)
{
	uint64_t key = s->memo ? scene_fingerprint(s) : 0;
	struct graph_plan *p = memo_get(s, MEMO_GRAPH, key);
	if (!p) {
		p = plan_new(s);
		memo_put(s, MEMO_GRAPH, key, p, plan_free);
	}
	return p;
}

void graph_plan_release(const struct scene *s, struct graph_plan *p)
{
	if (!s->memo)
		plan_free(p);
}
