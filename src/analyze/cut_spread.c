/* Lower bounds on a bisection that follow from a routing of uniform all-to-all traffic.
 *
 * If every endpoint can send f to every other at once, a split into a and N-a endpoints is crossed by f·a·(N-a) each
 * way, so it cuts at least that much. Links of endpoints with a single link are left out of the routing, and counted
 * when they are cut: with q endpoints taken off that way the rest still splits within q of balance, so
 *
 *      cut >= min over q of  (the q smallest single links) + f·(k-q)·(N-k+q)
 *
 * The routing first splits at every hop in proportion to the capacities that lead on along shortest paths; then, while
 * a gap remains, phases over lengths that grow with the load (Garg and Könemann; Fleischer) spread it further. Any
 * sum of routings is a routing, so every phase gives a bound.
 */
#include "analyze/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spread {
	struct cutcore core;
	uint32_t *queue, *position;
	double *distance, *length, *amount; /* length per arc */
	double *load; /* per arc, of all rounds so far */
	uint32_t heap_n;
};

static struct spread spread_new(const struct cutgraph *g)
{
	struct spread s = {.core = cut_core(g)};
	uint32_t n = s.core.g.n;

	s.queue = mem_array(n, sizeof *s.queue);
	s.position = mem_array(n, sizeof *s.position);
	s.distance = mem_array(n, sizeof *s.distance);
	s.amount = mem_array(n, sizeof *s.amount);
	s.length = mem_array(2 * (size_t)s.core.g.m, sizeof *s.length);
	s.load = mem_array(2 * (size_t)s.core.g.m, sizeof *s.load);
	return s;
}

static void spread_free(struct spread *s)
{
	cutcore_free(&s->core);
	free(s->queue);
	free(s->position);
	free(s->distance);
	free(s->amount);
	free(s->length);
	free(s->load);
}

/* ---- the bound ----------------------------------------------------------------------------------------------------- */

/* With `rounds` units from every endpoint to every other routed by now. */
static int64_t bound_now(const struct spread *s, uint32_t k, double rounds)
{
	double worst = 0, best = INFINITY, singles = 0, far = s->core.total - k;

	for (size_t i = 0; i < 2 * (size_t)s->core.g.m; i++)
		if (s->load[i] > worst * (double)s->core.g.cap_to[i])
			worst = s->load[i] / (double)s->core.g.cap_to[i];
	for (uint32_t q = 0; q <= s->core.singles && q <= k; q++) {
		double across = (k - (double)q) * (far + q), cut;

		if (q)
			singles += (double)s->core.single[q - 1];
		cut = singles + (worst > 0 ? rounds / worst * across : across > 0 ? INFINITY : 0);
		best = cut < best ? cut : best;
	}
	/* Capacities are integers, so the bound rounds up; the margin is far above the error of the sums. */
	return isinf(best) ? 0 : (int64_t)ceil(best * (1 - 1e-9) - 1e-6);
}

/* ---- shortest paths, all hops alike ---------------------------------------------------------------------------------- */

/* Vertices in order of distance from the target in s->queue; how many were reached. */
static uint32_t reach(struct spread *s, uint32_t target)
{
	const struct cutgraph *g = &s->core.g;
	uint32_t head = 0, tail = 0;

	for (uint32_t v = 0; v < g->n; v++)
		s->distance[v] = INFINITY;
	s->distance[target] = 0;
	s->queue[tail++] = target;
	while (head < tail) {
		uint32_t v = s->queue[head++];

		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			if (isinf(s->distance[g->to[i]])) {
				s->distance[g->to[i]] = s->distance[v] + 1;
				s->queue[tail++] = g->to[i];
			}
		}
	}
	return tail;
}

static bool all_reached(const struct spread *s, uint32_t reached)
{
	double mass = 0;

	for (uint32_t i = 0; i < reached; i++)
		mass += s->core.mass[s->queue[i]];
	return mass == s->core.total;
}

/* Every endpoint sends one unit to each endpoint at the target, split at every hop in proportion to capacity. */
static bool route_by_hops(struct spread *s, uint32_t target)
{
	const struct cutgraph *g = &s->core.g;
	uint32_t reached = reach(s, target);

	if (!all_reached(s, reached))
		return false;
	for (uint32_t i = 0; i < reached; i++)
		s->amount[s->queue[i]] = s->core.mass[s->queue[i]] * s->core.mass[target];
	for (uint32_t i = reached - 1; i > 0; i--) {
		uint32_t v = s->queue[i];
		double onward = 0;

		if (s->amount[v] == 0)
			continue;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
			if (s->distance[g->to[k]] < s->distance[v])
				onward += (double)g->cap_to[k];
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++) {
			double share = s->amount[v] * (double)g->cap_to[k] / onward;

			if (s->distance[g->to[k]] >= s->distance[v])
				continue;
			s->load[k] += share;
			s->amount[g->to[k]] += share;
		}
	}
	return true;
}

static bool spread_by_hops(struct spread *s, struct progress *p)
{
	for (uint32_t v = 0; v < s->core.g.n; v++) {
		if (s->core.mass[v] == 0)
			continue;
		progress_step(p, "routing all to all", v, s->core.g.n);
		if (!route_by_hops(s, v) || progress_expired(p))
			return false;
	}
	return true;
}

/* ---- shortest paths over lengths ---------------------------------------------------------------------------------------- */

static void sift_up(struct spread *s, uint32_t i)
{
	uint32_t v = s->queue[i];

	while (i && s->distance[s->queue[(i - 1) / 2]] > s->distance[v]) {
		s->queue[i] = s->queue[(i - 1) / 2];
		s->position[s->queue[i]] = i;
		i = (i - 1) / 2;
	}
	s->queue[i] = v;
	s->position[v] = i;
}

static uint32_t pop(struct spread *s)
{
	uint32_t top = s->queue[0], v = s->queue[--s->heap_n], i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < s->heap_n && s->distance[s->queue[child + 1]] < s->distance[s->queue[child]])
			child++;
		if (child >= s->heap_n || s->distance[s->queue[child]] >= s->distance[v])
			break;
		s->queue[i] = s->queue[child];
		s->position[s->queue[i]] = i;
		i = child;
	}
	s->queue[i] = v;
	s->position[v] = i;
	return top;
}

/* Arcs are stored from both ends; the arc towards the target is the one seen from the farther end. */
static uint32_t arc_back(const struct cutgraph *g, uint32_t from, uint32_t to)
{
	uint32_t low = g->at[from], high = g->at[from + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (g->to[middle] < to)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A tree of shortest paths to the target; parent is the arc towards it. Order of settling in settled. */
static void shortest_tree(struct spread *s, uint32_t target, const uint32_t *back, uint32_t *parent, uint32_t *settled)
{
	const struct cutgraph *g = &s->core.g;
	uint32_t n = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		s->distance[v] = INFINITY;
		s->position[v] = NONE;
	}
	s->distance[target] = 0;
	s->heap_n = 1;
	s->queue[0] = target;
	while (s->heap_n) {
		uint32_t v = pop(s);

		settled[n++] = v;
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			uint32_t to = g->to[i];
			double d = s->distance[v] + s->length[back[i]];

			if (d >= s->distance[to])
				continue;
			if (isinf(s->distance[to])) {
				s->position[to] = s->heap_n;
				s->queue[s->heap_n++] = to;
			}
			s->distance[to] = d;
			parent[to] = back[i];
			sift_up(s, s->position[to]);
		}
	}
}

enum { PHASES = 400 };
static const double GROWTH = 0.25; /* of lengths with load; smaller is finer and slower */

/* One phase: all-to-all once more, each target along the tree that is shortest now. */
static bool route_phase(struct spread *s, const uint32_t *back, uint32_t *parent, uint32_t *settled, double scale,
		      struct progress *p)
{
	const struct cutgraph *g = &s->core.g;

	for (uint32_t target = 0; target < g->n; target++) {
		if (s->core.mass[target] == 0)
			continue;
		if (progress_expired(p))
			return false;
		shortest_tree(s, target, back, parent, settled);
		for (uint32_t v = 0; v < g->n; v++)
			s->amount[v] = s->core.mass[v] * s->core.mass[target];
		for (uint32_t i = g->n - 1; i > 0; i--) {
			uint32_t v = settled[i], arc = parent[v];

			if (s->amount[v] == 0)
				continue;
			s->load[arc] += s->amount[v];
			s->amount[g->to[arc]] += s->amount[v];
			s->length[arc] *= 1 + GROWTH * s->amount[v] * scale / (double)g->cap_to[arc];
		}
	}
	return true;
}

/* Phases until the bound meets the goal, no longer gets better, or time is out. */
static int64_t spread_further(struct spread *s, uint32_t k, int64_t bound, int64_t goal, struct progress *p)
{
	const struct cutgraph *g = &s->core.g;
	uint32_t *back = mem_array(2 * (size_t)g->m, sizeof *back);
	uint32_t *parent = mem_array(g->n, sizeof *parent), *settled = mem_array(g->n, sizeof *settled);
	double scale = 0;

	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			back[i] = arc_back(g, g->to[i], v);
	/* One phase loads the worst arc by about 1/scale of its capacity. */
	for (size_t i = 0; i < 2 * (size_t)g->m; i++)
		if (s->load[i] > scale * (double)g->cap_to[i])
			scale = s->load[i] / (double)g->cap_to[i];
	scale = scale > 0 ? 1 / scale : 1;
	for (size_t i = 0; i < 2 * (size_t)g->m; i++) {
		s->length[i] = 1 / (double)g->cap_to[i];
		s->load[i] = 0;
	}
	for (unsigned phase = 0; phase < PHASES && bound < goal; phase++) {
		int64_t now;

		progress_step(p, "spreading all to all", phase, PHASES);
		if (!route_phase(s, back, parent, settled, scale, p))
			break;
		now = bound_now(s, k, phase + 1);
		bound = now > bound ? now : bound;
	}
	free(back);
	free(parent);
	free(settled);
	return bound;
}

int64_t cut_spread_bound(const struct cutgraph *g, uint32_t k, int64_t goal, struct progress *p)
{
	struct spread s = spread_new(g);
	int64_t bound = 0;

	if (s.core.g.m && spread_by_hops(&s, p)) {
		bound = bound_now(&s, k, 1);
		/* A phase costs about a second for this many arcs times targets. */
		if (bound < goal && (uint64_t)s.core.g.n * s.core.g.m < UINT64_C(20000000))
			bound = spread_further(&s, k, bound, goal, p);
	}
	spread_free(&s);
	return bound;
}
