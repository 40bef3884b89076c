/* fabric_sums: every link of the fabric view in exactly one sum: inside of a box, between two boxes, or hidden; and
 * those of switches up and down beside. Sums are made of the healthy fabric once for a plan; a what-if or a mark only
 * mends those of the trunks it touches, so that failing a device of a hundred thousand is answered at once.
 */
#include <stdlib.h>
#include <string.h>

#include "view/fabric_internal.h"

struct summer {
	const struct scene *s;
	struct fab_plan *p;
	const uint32_t *tier;
};

static struct bundle *bundle_of(struct summer *m, struct keymap *at, size_t a, size_t b, uint32_t kind)
{
	struct fab_plan *p = m->p;
	size_t upper = a < b ? a : b, lower = a < b ? b : a; /* boxes are sorted from the top */
	uint64_t key = ((uint64_t)upper * p->boxes.n + lower) * m->s->fabric->kinds.n + kind;
	uint32_t i = keymap_get(at, key);
	if (i == NONE) {
		i = (uint32_t)p->bundles.n;
		keymap_put(at, key, i);
		bool near = p->row_of[p->boxes.at[upper].tier] + 1 == p->row_of[p->boxes.at[lower].tier];
		vec_push(&p->bundles, (struct fab_bundle){.upper = upper, .lower = lower, .kind = kind, .drawn = near});
	}
	return &p->bundles.at[i].sum;
}

static struct bundle *inside(const struct summer *m, struct fab_box *box, uint32_t trunk)
{
	const struct trunk *t = &m->s->fabric->trunks[trunk];
	if (!trunk_counts(m->s->fabric, trunk))
		return &box->local;
	return m->p->unit_of[t->a] == m->p->unit_of[t->b] ? &box->within : &box->among;
}

static void make_bundles(struct summer *m)
{
	const struct fabric *f = m->s->fabric;
	struct fab_plan *p = m->p;
	struct keymap at = {0};
	struct bundle *last = NULL;
	uint64_t last_pair = UINT64_MAX;
	uint32_t last_kind = NONE;
	size_t known = 0;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		size_t a = p->box_of[x->a], b = p->box_of[x->b];
		if (p->hidden && (scene_hides(m->s, x->a) || scene_hides(m->s, x->b))) {
			bundle_add(&p->hidden_links, m->s, t);
			continue;
		}
		if (a == b) {
			bundle_add(inside(m, &p->boxes.at[a], t), m->s, t);
			continue;
		}
		uint64_t pair = ((uint64_t)a << 32) | b; /* neighbours in the list mostly belong together */
		if (pair != last_pair || x->kind != last_kind || known != p->bundles.n) {
			last = bundle_of(m, &at, a, b, x->kind);
			last_pair = pair;
			last_kind = x->kind;
			known = p->bundles.n;
		}
		bundle_add(last, m->s, t);
	}
	keymap_free(&at);
}

static int by_ends(const void *pa, const void *pb)
{
	const struct fab_bundle *a = pa, *b = pb;
	if (a->lower != b->lower)
		return a->lower < b->lower ? -1 : 1;
	if (a->upper != b->upper)
		return a->upper < b->upper ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/* Lines of words above each row: one for each bundle into a box. */
static void sort_bundles(struct fab_plan *p)
{
	int lines = 0;
	if (p->bundles.n)
		qsort(p->bundles.at, p->bundles.n, sizeof *p->bundles.at, by_ends);
	for (size_t i = 0; i < p->bundles.n; i++) {
		const struct fab_bundle *b = &p->bundles.at[i];
		int *gap = &p->gaps[p->row_of[p->boxes.at[b->lower].tier]];
		lines = i && p->bundles.at[i - 1].lower == b->lower ? lines : 0;
		lines += b->drawn;
		*gap = lines > *gap ? lines : *gap;
	}
}

enum { WAY_UP = 1, WAY_DOWN = 2 };

/* A counted link between tiers with both ends shown. */
static bool is_way(const struct summer *m, uint32_t trunk)
{
	const struct trunk *t = &m->s->fabric->trunks[trunk];
	return m->tier[t->a] != m->tier[t->b] && trunk_counts(m->s->fabric, trunk) &&
	       (!m->p->hidden || (!scene_hides(m->s, t->a) && !scene_hides(m->s, t->b)));
}

/* The links of a switch with links both up and down; those with links one way have no ratio. */
static struct bundle *way_of(const struct summer *m, uint32_t trunk, uint32_t end)
{
	struct fab_box *box = &m->p->boxes.at[m->p->box_of[end]];
	uint32_t other = trunk_other(m->s->fabric, trunk, end);
	if (m->p->ways[end] != (WAY_UP | WAY_DOWN) || device_class(m->s->fabric, end) != CLASS_SWITCH)
		return NULL;
	return m->tier[other] > m->tier[end] ? &box->up : &box->down;
}

static void sum_ways(struct summer *m)
{
	const struct fabric *f = m->s->fabric;
	uint8_t *ways = m->p->ways = mem_array(f->device_count + 1, sizeof *ways);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = f->trunks[t].a, b = f->trunks[t].b;
		if (!is_way(m, t))
			continue;
		ways[a] |= m->tier[b] > m->tier[a] ? WAY_UP : WAY_DOWN;
		ways[b] |= m->tier[a] > m->tier[b] ? WAY_UP : WAY_DOWN;
	}
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t end[2] = {f->trunks[t].a, f->trunks[t].b};
		if ((ways[end[0]] != (WAY_UP | WAY_DOWN) && ways[end[1]] != (WAY_UP | WAY_DOWN)) || !is_way(m, t))
			continue;
		for (int i = 0; i < 2; i++) {
			struct bundle *way = way_of(m, t, end[i]);
			if (way)
				bundle_add(way, m->s, t);
		}
	}
}

/* ---- sums of a scene --------------------------------------------------------------------------------------------- */

static size_t sum_count(const struct fab_plan *p)
{
	return p->boxes.n * 5 + p->bundles.n + 1;
}

/* The i-th sum of the plan. */
static struct bundle *sum_at(struct fab_plan *p, size_t i)
{
	if (i < p->boxes.n * 5) {
		struct fab_box *b = &p->boxes.at[i / 5];
		struct bundle *of[] = {&b->up, &b->down, &b->within, &b->among, &b->local};
		return of[i % 5];
	}
	i -= p->boxes.n * 5;
	return i < p->bundles.n ? &p->bundles.at[i].sum : &p->hidden_links;
}

/* Where a trunk is counted. */
static struct bundle *home_of(const struct summer *m, uint32_t trunk)
{
	const struct trunk *x = &m->s->fabric->trunks[trunk];
	struct fab_plan *p = m->p;
	size_t a = p->box_of[x->a], b = p->box_of[x->b];
	if (p->hidden && (scene_hides(m->s, x->a) || scene_hides(m->s, x->b)))
		return &p->hidden_links;
	if (a == b)
		return inside(m, &p->boxes.at[a], trunk);
	struct fab_bundle key = {.upper = a < b ? a : b, .lower = a < b ? b : a, .kind = x->kind};
	struct fab_bundle *found = bsearch(&key, p->bundles.at, p->bundles.n, sizeof key, by_ends);
	return &found->sum;
}

/* All sums a trunk is in; false when one cannot be mended. */
static bool mend(const struct summer *m, uint32_t trunk)
{
	const struct fabric *f = m->s->fabric;
	uint32_t end[2] = {f->trunks[trunk].a, f->trunks[trunk].b};
	bool fine = bundle_mend(home_of(m, trunk), m->s, trunk);
	for (int i = 0; i < 2 && fine && is_way(m, trunk); i++) {
		struct bundle *way = way_of(m, trunk, end[i]);
		fine = !way || bundle_mend(way, m->s, trunk);
	}
	return fine;
}

static void add_all(const struct summer *m)
{
	const struct fabric *f = m->s->fabric;
	for (size_t i = 0; i < sum_count(m->p); i++)
		*sum_at(m->p, i) = (struct bundle){0};
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t end[2] = {f->trunks[t].a, f->trunks[t].b};
		bundle_add(home_of(m, t), m->s, t);
		for (int i = 0; i < 2 && is_way(m, t); i++) {
			struct bundle *way = way_of(m, t, end[i]);
			if (way)
				bundle_add(way, m->s, t);
		}
	}
}

void fab_sums_of(const struct scene *s, struct fab_plan *p, const uint32_t *tier)
{
	struct summer m = {s, p, tier};
	struct idset touched = idset_new(s->fabric->trunk_count);
	bool fine = scene_touched(s, &touched);
	for (size_t i = 0; i < sum_count(p); i++)
		*sum_at(p, i) = p->healthy[i];
	for (uint32_t t = idset_next(&touched, 0); fine && t != NONE; t = idset_next(&touched, t + 1))
		fine = mend(&m, t);
	if (!fine)
		add_all(&m);
	idset_free(&touched);
}

void fab_sums_make(const struct scene *s, struct fab_plan *p, const uint32_t *tier)
{
	struct scene healthy = scene_healthy(s);
	struct summer m = {&healthy, p, tier};
	make_bundles(&m);
	sort_bundles(p);
	sum_ways(&m);
	p->healthy = mem_array(sum_count(p) + 1, sizeof *p->healthy);
	for (size_t i = 0; i < sum_count(p); i++)
		p->healthy[i] = *sum_at(p, i);
}
