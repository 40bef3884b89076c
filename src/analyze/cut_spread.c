/* Lower bounds on a bisection that follow from a routing: if every endpoint can send f to every other at once, a
 * split into k and N-k endpoints is crossed by f·k·(N-k) each way, and so cuts at least that much. The routing
 * here splits at every hop in proportion to the capacities that lead on along shortest paths.
 */
#include "analyze/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spread {
	const struct cutgraph *g;
	uint32_t *distance, *queue;
	double *amount;
	double *load; /* per arc, as in g->to */
};

static uint32_t reach(struct spread *s, uint32_t target)
{
	const struct cutgraph *g = s->g;
	uint32_t head = 0, tail = 0;

	memset(s->distance, 0xff, g->n * sizeof *s->distance);
	s->distance[target] = 0;
	s->queue[tail++] = target;
	while (head < tail) {
		uint32_t v = s->queue[head++];

		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			if (s->distance[g->to[i]] == NONE) {
				s->distance[g->to[i]] = s->distance[v] + 1;
				s->queue[tail++] = g->to[i];
			}
		}
	}
	return tail;
}

/* One unit from every other endpoint to the target, the farthest first. False when one cannot reach it. */
static bool route_to(struct spread *s, uint32_t target)
{
	const struct cutgraph *g = s->g;
	uint32_t reached = reach(s, target), endpoints = 0;

	for (uint32_t i = 0; i < reached; i++) {
		s->amount[s->queue[i]] = g->weight[s->queue[i]];
		endpoints += g->weight[s->queue[i]];
	}
	if (endpoints != g->endpoints)
		return false;
	for (uint32_t i = reached - 1; i > 0; i--) {
		uint32_t v = s->queue[i];
		double onward = 0;

		if (s->amount[v] == 0)
			continue;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
			if (s->distance[g->to[k]] + 1 == s->distance[v])
				onward += (double)g->cap_to[k];
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++) {
			double share = s->amount[v] * (double)g->cap_to[k] / onward;

			if (s->distance[g->to[k]] + 1 != s->distance[v])
				continue;
			s->load[k] += share;
			s->amount[g->to[k]] += share;
		}
	}
	return true;
}

int64_t cut_spread_bound(const struct cutgraph *g, uint32_t k, struct progress *p)
{
	struct spread s = {.g = g};
	double rate = INFINITY;
	bool connected = true;

	s.distance = mem_array(g->n, sizeof *s.distance);
	s.queue = mem_array(g->n, sizeof *s.queue);
	s.amount = mem_array(g->n, sizeof *s.amount);
	s.load = mem_array(2 * (size_t)g->m, sizeof *s.load);
	for (uint32_t v = 0; v < g->n && connected; v++) {
		if (!g->weight[v])
			continue;
		progress_step(p, "routing all to all", v, g->n);
		connected = route_to(&s, v) && !progress_expired(p);
	}
	for (size_t i = 0; i < 2 * (size_t)g->m; i++)
		if (s.load[i] > 0 && (double)g->cap_to[i] / s.load[i] < rate)
			rate = (double)g->cap_to[i] / s.load[i];
	free(s.distance);
	free(s.queue);
	free(s.amount);
	free(s.load);
	if (!connected || isinf(rate))
		return 0;
	/* Capacities are integers, so the bound rounds up; the margin is far above the error of the sums. */
	return (int64_t)ceil(rate * (double)k * (double)(g->endpoints - k) * (1 - 1e-9) - 1e-6);
}

int64_t cut_parity(const struct cutgraph *g, uint32_t k, int64_t bound)
{
	int64_t parity = -1;

	for (uint32_t v = 0; v < g->n; v++) {
		int64_t degree = 0;

		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			degree += g->cap_to[i];
		if (!g->weight[v] || (parity >= 0 && parity != degree % 2))
			return bound;
		parity = degree % 2;
	}
	/* The degrees on one side add up to the cut and twice what is inside. */
	return parity >= 0 && bound % 2 != k * parity % 2 ? bound + 1 : bound;
}
