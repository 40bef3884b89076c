/* Branch and bound along a sweep, for graphs of a hundred vertices or so without small separators.
 *
 * Vertices are placed one after the other in an order that keeps the frontier (placed vertices with unplaced neighbours) short.
 * Partial placements that agree on the frontier and on the number of endpoints are one state, of which only the cheapest
 * matters. A state is dropped when its cost, plus what the unplaced vertices must still cut, reaches the best known cut: every
 * unplaced vertex cuts at least the lesser of its links to either side, and these links are all different (a packing bound, as in
 * Delling, Goldberg, Razenshteyn and Werneck 2012). The first vertex stays on side 0: sides can be exchanged.
 */
#include "analyze/cut.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 60 };
#define MOST_STATES UINT32_C(6000000) /* in one layer */

struct link_to_slot {
	uint8_t slot;
	int64_t cap;
};

/* What happens when vertex number i of the order is placed. */
struct step {
	uint32_t vertex;
	uint8_t slot;
	uint64_t keep;                    /* slots that stay occupied afterwards */
	uint32_t first_link, end_link;    /* its links to placed vertices: slice of links */
	uint32_t first_open, end_open;    /* unplaced vertices that touch the frontier afterwards: slice of opens */
	uint32_t endpoints_left;          /* among those not placed yet, afterwards */
};

struct state {
	uint64_t bits; /* sides of the frontier, by slot */
	uint32_t count;
	uint32_t origin; /* index in the layer before << 1 | side */
	int64_t cost;
};

struct layer {
	struct state *at;
	uint32_t n, cap;
	uint32_t *slots; /* hash of (bits, count) */
	uint32_t slot_count;
};

struct sweep {
	const struct cutgraph *g;
	struct progress *p;
	struct step *steps;
	VEC(struct link_to_slot) links;
	VEC(uint32_t) opens; /* ends of slices of links, one per open vertex: first, end */
	uint32_t **origins;  /* per layer, for the witness */
	int64_t best;        /* a cut must be smaller than this to matter */
	uint32_t k;
};

/* ---- the order ------------------------------------------------------------------------------------------------------ */

struct ordering {
	uint32_t *order;
	double weight; /* sum of 2^frontier, the work it promises */
};

/* Unplaced neighbours of v. */
static uint32_t open_degree(const struct cutgraph *g, const bool *placed, uint32_t v)
{
	uint32_t n = 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
		n += !placed[g->to[i]];
	return n;
}

/* How the frontier changes when v is placed: v joins unless it is closed; neighbours leave whose last open one v is. */
static int growth(const struct cutgraph *g, const bool *placed, const uint32_t *open, uint32_t v)
{
	int change = open[v] > 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
		change -= placed[g->to[i]] && open[g->to[i]] == 1;
	return change;
}

static void order_from(const struct cutgraph *g, uint32_t start, struct ordering *o)
{
	bool *placed = mem_array(g->n, sizeof *placed);
	uint32_t *open = mem_array(g->n, sizeof *open), v = start;
	int frontier = 0;

	for (uint32_t x = 0; x < g->n; x++)
		open[x] = open_degree(g, placed, x);
	o->weight = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		int least = INT32_MAX;

		frontier += growth(g, placed, open, v);
		o->weight += frontier < 62 ? (double)(UINT64_C(1) << (frontier < 0 ? 0 : frontier)) : 1e19;
		o->order[i] = v;
		placed[v] = true;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
			open[g->to[k]]--;
		for (uint32_t x = 0; x < g->n; x++) {
			int change = placed[x] ? INT32_MAX : 2 * growth(g, placed, open, x) - (open[x] < g->at[x + 1] - g->at[x]);

			if (change < least) {
				least = change;
				v = x;
			}
		}
	}
	free(placed);
	free(open);
}

static uint32_t *choose_order(const struct cutgraph *g, double work)
{
	struct ordering best = {mem_array(g->n, 4), 1e300}, now = {mem_array(g->n, 4), 0};
	uint32_t *result;

	for (uint32_t start = 0; start < g->n && start < (g->n > 128 ? 8 : 64); start++) {
		order_from(g, start, &now);
		if (now.weight < best.weight) {
			struct ordering swap = best;

			best = now;
			now = swap;
		}
	}
	result = best.weight <= work ? best.order : NULL;
	if (!result)
		free(best.order);
	free(now.order);
	return result;
}

/* ---- the plan --------------------------------------------------------------------------------------------------------- */

/* Lists the open vertices of a step, each with its links into the frontier. */
static void plan_opens(struct sweep *s, struct step *step, const bool *placed, const uint8_t *slot)
{
	const struct cutgraph *g = s->g;

	step->first_open = (uint32_t)s->opens.n;
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t first = (uint32_t)s->links.n;

		for (uint32_t i = g->at[v]; !placed[v] && i < g->at[v + 1]; i++)
			if (placed[g->to[i]])
				vec_push(&s->links, (struct link_to_slot){slot[g->to[i]], g->cap_to[i]});
		if (s->links.n - first < 2) { /* a single link cuts nothing for certain */
			s->links.n = first;
			continue;
		}
		vec_push(&s->opens, first);
		vec_push(&s->opens, (uint32_t)s->links.n);
	}
	step->end_open = (uint32_t)s->opens.n;
}

static bool plan(struct sweep *s, const uint32_t *order)
{
	const struct cutgraph *g = s->g;
	bool *placed = mem_array(g->n, sizeof *placed), fits = true;
	uint8_t *slot = mem_array(g->n, 1);
	uint64_t used = 0;
	uint32_t left = g->endpoints;

	for (uint32_t i = 0; i < g->n && fits; i++) {
		struct step *step = &s->steps[i];
		uint32_t v = order[i];

		fits = used != (UINT64_C(1) << MOST_SLOTS) - 1;
		step->vertex = v;
		step->slot = slot[v] = (uint8_t)__builtin_ctzll(~used);
		step->first_link = (uint32_t)s->links.n;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
			if (placed[g->to[k]])
				vec_push(&s->links, (struct link_to_slot){slot[g->to[k]], g->cap_to[k]});
		step->end_link = (uint32_t)s->links.n;
		placed[v] = true;
		used |= UINT64_C(1) << slot[v];
		left -= g->weight[v];
		step->endpoints_left = left;
		for (uint32_t x = 0; x < g->n; x++)
			if (placed[x] && (used >> slot[x] & 1) && !open_degree(g, placed, x))
				used &= ~(UINT64_C(1) << slot[x]);
		/* A slot is free for the next vertex only when nobody placed earlier still stands in it. */
		for (uint32_t x = 0; x < g->n; x++)
			if (placed[x] && open_degree(g, placed, x))
				used |= UINT64_C(1) << slot[x];
		step->keep = used;
		plan_opens(s, step, placed, slot);
	}
	free(placed);
	free(slot);
	return fits;
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

static uint32_t *find_state(const struct layer *l, uint64_t bits, uint32_t count)
{
	uint64_t h = (bits ^ (uint64_t)count << 58 ^ count) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t i = (uint32_t)(h >> 32) & (l->slot_count - 1);

	while (l->slots[i] != NONE && (l->at[l->slots[i]].bits != bits || l->at[l->slots[i]].count != count))
		i = (i + 1) & (l->slot_count - 1);
	return &l->slots[i];
}

static void grow(struct layer *l)
{
	l->cap = l->cap ? l->cap * 2 : 1024;
	l->slot_count = l->cap * 2;
	l->at = mem_resize(l->at, l->cap, sizeof *l->at);
	l->slots = mem_resize(l->slots, l->slot_count, sizeof *l->slots);
	memset(l->slots, 0xff, l->slot_count * sizeof *l->slots);
	for (uint32_t i = 0; i < l->n; i++)
		*find_state(l, l->at[i].bits, l->at[i].count) = i;
}

static void add_state(struct layer *l, const struct state *x)
{
	uint32_t *slot;

	if (l->n == l->cap)
		grow(l);
	slot = find_state(l, x->bits, x->count);
	if (*slot == NONE) {
		*slot = l->n;
		l->at[l->n++] = *x;
	} else if (x->cost < l->at[*slot].cost) {
		l->at[*slot] = *x;
	}
}

static void empty(struct layer *l)
{
	l->n = 0;
	if (l->slots)
		memset(l->slots, 0xff, l->slot_count * sizeof *l->slots);
}

/* ---- the search ------------------------------------------------------------------------------------------------------------ */

static int64_t links_cut(const struct sweep *s, uint32_t first, uint32_t end, uint64_t bits, unsigned side)
{
	int64_t cut = 0;

	for (uint32_t i = first; i < end; i++)
		cut += (bits >> s->links.at[i].slot & 1) != side ? s->links.at[i].cap : 0;
	return cut;
}

/* What the open vertices must cut, whichever side they take. */
static int64_t still_to_cut(const struct sweep *s, const struct step *step, uint64_t bits, int64_t enough)
{
	int64_t sum = 0;

	for (uint32_t i = step->first_open; i < step->end_open && sum < enough; i += 2) {
		int64_t zero = links_cut(s, s->opens.at[i], s->opens.at[i + 1], bits, 0);
		int64_t one = links_cut(s, s->opens.at[i], s->opens.at[i + 1], bits, 1);

		sum += zero < one ? zero : one;
	}
	return sum;
}

/* Can the endpoints that are left still make k, or its complement, on side 1? */
static bool can_balance(const struct sweep *s, uint32_t count, uint32_t left)
{
	uint32_t other = s->g->endpoints - s->k;

	return (count <= s->k && count + left >= s->k) || (count <= other && count + left >= other);
}

static void expand(const struct sweep *s, const struct step *step, const struct layer *from, struct layer *to, bool fixed)
{
	for (uint32_t i = 0; i < from->n; i++) {
		const struct state *x = &from->at[i];

		for (unsigned side = 0; side <= (fixed ? 0 : 1); side++) {
			struct state y = *x;

			y.cost += links_cut(s, step->first_link, step->end_link, x->bits, side);
			y.count += s->g->weight[step->vertex] && side;
			y.bits = (x->bits & ~(UINT64_C(1) << step->slot)) | (uint64_t)side << step->slot;
			y.origin = i << 1 | side;
			if (y.cost >= s->best || !can_balance(s, y.count, step->endpoints_left) ||
			    y.cost + still_to_cut(s, step, y.bits, s->best - y.cost) >= s->best)
				continue;
			y.bits &= step->keep;
			add_state(to, &y);
		}
	}
}

static bool run_layers(struct sweep *s, struct layer *last)
{
	struct layer now = {0}, next = {0};
	struct state start = {0};
	bool done = true;

	add_state(&now, &start);
	for (uint32_t i = 0; i < s->g->n && done; i++) {
		progress_step(s->p, "branch and bound", i, s->g->n);
		empty(&next);
		expand(s, &s->steps[i], &now, &next, i == 0);
		done = next.n <= MOST_STATES && !progress_expired(s->p);
		s->origins[i] = mem_array(next.n, sizeof(uint32_t));
		for (uint32_t k = 0; k < next.n; k++)
			s->origins[i][k] = next.at[k].origin;
		*last = now;
		now = next;
		next = *last;
	}
	free(next.at);
	free(next.slots);
	*last = now;
	return done;
}

static void trace(const struct sweep *s, uint32_t index, uint8_t *side)
{
	for (uint32_t i = s->g->n; i-- > 0;) {
		uint32_t origin = s->origins[i][index];

		side[s->steps[i].vertex] = origin & 1;
		index = origin >> 1;
	}
	if (cut_count(s->g, side) != s->k)
		for (uint32_t v = 0; v < s->g->n; v++)
			side[v] ^= 1;
}

bool cut_sweep(const struct cutgraph *g, uint32_t k, double work, struct progress *p, int64_t *value, uint8_t *side)
{
	struct sweep s = {.g = g, .p = p, .best = *value, .k = k};
	uint32_t *order = g->n && g->n <= 512 ? choose_order(g, work) : NULL, found = NONE;
	struct layer last = {0};
	bool done;

	if (!order)
		return false;
	s.steps = mem_array(g->n, sizeof *s.steps);
	s.origins = mem_array(g->n, sizeof *s.origins);
	done = plan(&s, order) && run_layers(&s, &last);
	for (uint32_t i = 0; done && i < last.n; i++)
		if (found == NONE || last.at[i].cost < last.at[found].cost)
			found = i;
	if (found != NONE) {
		*value = last.at[found].cost;
		trace(&s, found, side);
	}
	for (uint32_t i = 0; i < g->n; i++)
		free(s.origins[i]);
	free(s.origins);
	free(s.steps);
	vec_free(&s.links);
	vec_free(&s.opens);
	free(last.at);
	free(last.slots);
	free(order);
	return done;
}
