/* Exact reduction: switches are merged where no cut of the endpoints gets larger or smaller. Three rules,
 * repeated until none applies; each only merges vertices, so a side of the result is a side of the graph:
 *
 *   heavy    a switch with a link of at least half of its whole capacity may always stand on that
 *            neighbour's side (standing elsewhere costs the heavy link and saves at most the rest)
 *   twins    switches whose links lead to the same neighbours in the same proportions have the same best
 *            side, whatever the neighbours do
 *   planes   parts that hang on the same vertices and are alike (an isomorphism that fixes those vertices)
 *            have alike best sides
 *
 * A non-blocking folded Clos of any number of tiers shrinks to one star this way: spines are twins, the
 * merged uplink of a leaf carries at least its downlinks and is heavy, and so on upwards. That is the
 * induction "up >= down at every switch" as a computation. Tapered trees shrink to a tree.
 *
 * Merged with switches only (never with an endpoint, which does not forward), the same holds of flows: what passes through a
 * merged vertex fits through its heavy link, and twins and planes share it in proportion.
 */
#include "analyze/cut.h"

#include <stdlib.h>
#include <string.h>

struct reducer {
	struct cutgraph g; /* as reduced so far */
	uint32_t *map;     /* original vertex -> vertex of g */
	uint32_t original;
	uint32_t *into;    /* per vertex of g: what it is merged into this round */
	uint32_t merged;
	bool flows;        /* keep flows too: merge switches with switches only */
};

static void start_round(struct reducer *r)
{
	r->merged = 0;
	r->into = mem_resize(r->into, r->g.n, sizeof *r->into);
	for (uint32_t v = 0; v < r->g.n; v++)
		r->into[v] = v;
}

static void merge(struct reducer *r, uint32_t v, uint32_t target)
{
	r->into[v] = target;
	r->merged++;
}

/* Builds the merged graph; targets are roots (into[target] == target). */
static void end_round(struct reducer *r)
{
	struct cutgraph *g = &r->g, next;
	uint32_t *number = mem_array(g->n, sizeof *number), n = 0;
	uint32_t *u = mem_array(g->m, sizeof *u), *v = mem_array(g->m, sizeof *v);
	uint8_t *weight = mem_array(g->n, 1);

	for (uint32_t x = 0; x < g->n; x++)
		if (r->into[x] == x) {
			weight[n] = g->weight[x];
			number[x] = n++;
		}
	for (uint32_t e = 0; e < g->m; e++) {
		u[e] = number[r->into[g->u[e]]];
		v[e] = number[r->into[g->v[e]]];
	}
	for (uint32_t x = 0; x < r->original; x++)
		r->map[x] = number[r->into[r->map[x]]];
	next = cutgraph_new(n, weight, g->m, u, v, g->cap);
	cutgraph_free(g);
	*g = next;
	free(number);
	free(u);
	free(v);
	free(weight);
}

/* ---- heavy ---------------------------------------------------------------------------------------------- */

/* The neighbour over a link of at least half of v's capacity, or NONE. */
static uint32_t heavy_neighbour(const struct cutgraph *g, uint32_t v)
{
	int64_t sum = 0, most = 0;
	uint32_t best = NONE;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
		sum += g->cap_to[i];
		if (g->cap_to[i] > most) {
			most = g->cap_to[i];
			best = g->to[i];
		}
	}
	return best != NONE && most >= sum - most ? best : NONE;
}

/* Within a round a vertex is a target or merged, never both: a target's own heavy link may not be heavy any
 * more once others have joined it. */
static bool reduce_heavy(struct reducer *r)
{
	struct cutgraph *g = &r->g;
	bool *is_target = mem_array(g->n, sizeof *is_target);

	start_round(r);
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t target;

		if (g->weight[v] || is_target[v])
			continue;
		target = heavy_neighbour(g, v);
		if (target != NONE && r->into[target] == target && !(r->flows && g->weight[target])) {
			is_target[target] = true;
			merge(r, v, target);
		}
	}
	free(is_target);
	if (r->merged)
		end_round(r);
	return r->merged > 0;
}

/* ---- twins ----------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

static int64_t gcd_of(const struct cutgraph *g, uint32_t v)
{
	int64_t a = 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
		int64_t b = g->cap_to[i];

		while (b) {
			int64_t rest = a % b;

			a = b;
			b = rest;
		}
	}
	return a ? a : 1;
}

static bool are_twins(const struct cutgraph *g, uint32_t a, int64_t unit_a, uint32_t b, int64_t unit_b)
{
	uint32_t n = g->at[a + 1] - g->at[a];

	if (n != g->at[b + 1] - g->at[b])
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (g->to[g->at[a] + i] != g->to[g->at[b] + i] ||
		    g->cap_to[g->at[a] + i] / unit_a != g->cap_to[g->at[b] + i] / unit_b)
			return false;
	return true;
}

static bool reduce_twins(struct reducer *r)
{
	struct cutgraph *g = &r->g;
	struct keymap seen = {0};

	start_round(r);
	for (uint32_t v = 0; v < g->n; v++) {
		int64_t unit = gcd_of(g, v);
		uint64_t h = 1;
		uint32_t first;

		if (g->weight[v] || g->at[v] == g->at[v + 1])
			continue;
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			h = mix(mix(h, g->to[i]), (uint64_t)(g->cap_to[i] / unit));
		first = keymap_get(&seen, h >> 1);
		if (first == NONE)
			keymap_put(&seen, h >> 1, v);
		else if (are_twins(g, first, gcd_of(g, first), v, unit))
			merge(r, v, first);
	}
	keymap_free(&seen);
	if (r->merged)
		end_round(r);
	return r->merged > 0;
}

/* ---- planes ------------------------------------------------------------------------------------------------ */

/* Parts: components of the vertices above a tier. Colours start from what a vertex hangs on below and are
 * refined by the colours around it; vertices of two parts correspond when their colours agree. */
struct parts {
	const struct cutgraph *g;
	uint32_t *part;    /* per vertex, NONE below */
	uint64_t *color;
	uint32_t count;
	uint32_t *at, *member; /* members of part p, sorted by colour */
};

static void find_parts(struct parts *p, const uint32_t *tier, uint32_t above)
{
	const struct cutgraph *g = p->g;
	uint32_t *stack = mem_array(g->n, sizeof *stack), depth;

	memset(p->part, 0xff, g->n * sizeof *p->part);
	for (uint32_t s = 0; s < g->n; s++) {
		if (tier[s] == NONE || tier[s] <= above || p->part[s] != NONE)
			continue;
		depth = 0;
		stack[depth++] = s;
		p->part[s] = p->count;
		while (depth) {
			uint32_t v = stack[--depth];

			for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
				uint32_t to = g->to[i];

				if (tier[to] > above && p->part[to] == NONE) {
					p->part[to] = p->count;
					stack[depth++] = to;
				}
			}
		}
		p->count++;
	}
	free(stack);
}

static uint64_t refine_color(const struct parts *p, uint32_t v, bool first)
{
	const struct cutgraph *g = p->g;
	uint64_t below = 1, around = 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
		uint64_t c = (uint64_t)g->cap_to[i];

		if (p->part[g->to[i]] == NONE)
			below = mix(mix(below, g->to[i]), c);
		else
			around += mix(mix(7, c), first ? 0 : p->color[g->to[i]]); /* order does not matter */
	}
	return mix(mix(below, around), first ? 0 : p->color[v]);
}

static void color_parts(struct parts *p)
{
	uint64_t *next = mem_array(p->g->n, sizeof *next);

	for (int round = 0; round < 4; round++) {
		for (uint32_t v = 0; v < p->g->n; v++)
			if (p->part[v] != NONE)
				next[v] = refine_color(p, v, round == 0);
		memcpy(p->color, next, p->g->n * sizeof *next);
	}
	free(next);
}

struct colored {
	uint64_t color;
	uint32_t part, vertex;
};

static int compare_colored(const void *x, const void *y)
{
	const struct colored *a = x, *b = y;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->color != b->color)
		return a->color < b->color ? -1 : 1;
	return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static void list_members(struct parts *p)
{
	struct colored *list = mem_array(p->g->n, sizeof *list);
	uint32_t n = 0;

	for (uint32_t v = 0; v < p->g->n; v++)
		if (p->part[v] != NONE)
			list[n++] = (struct colored){p->color[v], p->part[v], v};
	qsort(list, n, sizeof *list, compare_colored);
	for (uint32_t i = 0; i < n; i++) {
		p->member[i] = list[i].vertex;
		p->at[list[i].part + 1] = i + 1;
	}
	free(list);
}

/* Exact check that member i of a and member i of b have alike links (colours only proposed it). */
static bool are_alike(const struct parts *p, uint32_t a, uint32_t b, uint32_t *peer)
{
	const struct cutgraph *g = p->g;
	uint32_t n = p->at[a + 1] - p->at[a];
	bool alike = n == p->at[b + 1] - p->at[b];

	for (uint32_t i = 0; alike && i < n; i++)
		peer[p->member[p->at[a] + i]] = p->member[p->at[b] + i];
	for (uint32_t i = 0; alike && i < n; i++) {
		uint32_t x = p->member[p->at[a] + i], y = peer[x];

		alike = g->at[x + 1] - g->at[x] == g->at[y + 1] - g->at[y];
		for (uint32_t k = g->at[x]; alike && k < g->at[x + 1]; k++) {
			uint32_t want = p->part[g->to[k]] == NONE ? g->to[k] : peer[g->to[k]];
			uint32_t low = g->at[y], high = g->at[y + 1];

			while (low < high) {
				uint32_t middle = low + (high - low) / 2;

				if (g->to[middle] < want)
					low = middle + 1;
				else
					high = middle;
			}
			alike = low < g->at[y + 1] && g->to[low] == want && g->cap_to[low] == g->cap_to[k];
		}
	}
	return alike;
}

static void merge_alike(struct reducer *r, struct parts *p)
{
	uint32_t *peer = mem_array(p->g->n, sizeof *peer);
	struct keymap seen = {0};

	for (uint32_t part = 0; part < p->count; part++) {
		uint64_t h = 3;
		uint32_t first;

		for (uint32_t i = p->at[part]; i < p->at[part + 1]; i++)
			h = mix(h, p->color[p->member[i]]);
		first = keymap_get(&seen, h >> 1);
		if (first == NONE) {
			keymap_put(&seen, h >> 1, part);
		} else if (are_alike(p, part, first, peer)) {
			for (uint32_t i = p->at[part]; i < p->at[part + 1]; i++)
				merge(r, p->member[i], peer[p->member[i]]);
		}
	}
	keymap_free(&seen);
	free(peer);
}

static bool reduce_planes_above(struct reducer *r, const uint32_t *tier, uint32_t above)
{
	struct parts p = {.g = &r->g};
	uint32_t n = r->g.n;

	p.part = mem_array(n, sizeof *p.part);
	p.color = mem_array(n, sizeof *p.color);
	p.member = mem_array(n, sizeof *p.member);
	start_round(r);
	find_parts(&p, tier, above);
	p.at = mem_array(p.count + (size_t)1, sizeof *p.at);
	color_parts(&p);
	list_members(&p);
	merge_alike(r, &p);
	free(p.part);
	free(p.color);
	free(p.member);
	free(p.at);
	if (r->merged)
		end_round(r);
	return r->merged > 0;
}

static bool reduce_planes(struct reducer *r)
{
	uint32_t *tier = mem_array(r->g.n, sizeof *tier);
	uint32_t last = cut_tiers(&r->g, tier);
	bool done = false;

	for (uint32_t above = 0; above + 1 < last && !done; above++)
		done = reduce_planes_above(r, tier, above);
	free(tier);
	return done;
}

struct cutgraph cut_reduce(const struct cutgraph *g, bool flows, uint32_t *map, struct progress *p)
{
	struct reducer r = {.map = map, .original = g->n, .flows = flows};
	bool changed = true;

	r.g = cutgraph_new(g->n, g->weight, g->m, g->u, g->v, g->cap);
	for (uint32_t v = 0; v < g->n; v++)
		map[v] = v;
	for (unsigned round = 1; changed && !progress_expired(p); round++) {
		progress_step(p, "reducing", round, 0);
		changed = reduce_twins(&r);
		changed = reduce_heavy(&r) || changed;
		changed = changed || reduce_planes(&r);
	}
	free(r.into);
	return r.g;
}
