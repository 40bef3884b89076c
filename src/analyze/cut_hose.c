/* A lower bound on a bisection that follows from routing whatever pattern of traffic through the middle (Valiant's two
 * stages; the hose model of Duffield et al.).
 *
 * Give every endpoint i a share r_i. Let each spread its share over the vertices of the middle, the same part p_c of it to
 * each c, and let each gather its share from there over the same ways back. If a fraction f of that fits the links, f times
 * every pattern in which nobody sends or receives more than its share can be carried: i sends to j through all of the
 * middle. Among those patterns is one from the one side of a split to the other, so the split cuts at least
 *
 *      f · (the k smallest shares)
 *
 * Unlike all-to-all, half of which stays inside of a half, this can meet the bisection of a full folded Clos network, also
 * where links are missing. The middle is what is furthest from the endpoints.
 */
#include "analyze/cut.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/concurrent.h"

enum { FEW_ROUNDS = 8, ROUNDS = 100, FOCUS = 32 };
static const double STEEPNESS = 0.1; /* of parts against load; with FOCUS, mostly of what is nearly full */
#define LARGE UINT64_C(100000000)     /* vertices times edges: about a second a round */

struct hose {
	const struct cutcore *core;
	double *share;    /* of one endpoint at each vertex */
	double *mass;     /* of all endpoints there */
	double *sink;     /* of the middle */
	uint32_t *level;  /* hops to the nearest endpoint */
	uint32_t *queue;
};

static double links_at(const struct cutgraph *g, uint32_t v)
{
	double all = 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
		all += (double)g->cap_to[i];
	return all;
}

static int compare_doubles(const void *p, const void *q)
{
	const double *a = p, *b = q;

	return (*a > *b) - (*a < *b);
}

/* Nobody's share is more than its own link, or its part of the links of the vertex where it stands. */
static void find_shares(struct hose *h, const struct cutgraph *g)
{
	const struct cutcore *c = h->core;

	for (uint32_t v = 0; v < c->g.n; v++)
		if (c->mass[v] > 0)
			h->share[v] = links_at(&c->g, v) / c->mass[v];
	for (uint32_t x = 0; x < g->n; x++)
		if (c->place[x] != NONE && cut_is_single(g, x))
			h->share[c->place[x]] = fmin(h->share[c->place[x]], (double)g->cap_to[g->at[x]]);
	for (uint32_t v = 0; v < c->g.n; v++)
		h->mass[v] = h->share[v] * c->mass[v];
}

/* Some have so little that they would be the measure of all; the middle is not what is far from them. */
static bool is_ordinary(const struct hose *h, uint32_t v, double usual)
{
	return h->mass[v] > 0 && h->share[v] >= usual / 2;
}

static double usual_share(const struct hose *h)
{
	const struct cutcore *c = h->core;
	double *all = mem_array(c->g.n, sizeof *all), usual = 0;
	size_t n = 0;

	for (uint32_t v = 0; v < c->g.n; v++)
		if (c->mass[v] > 0)
			all[n++] = h->share[v];
	if (n) {
		qsort(all, n, sizeof *all, compare_doubles);
		usual = all[n / 2];
	}
	free(all);
	return usual;
}

/* Returns the highest level. */
static uint32_t find_levels(struct hose *h)
{
	const struct cutgraph *g = &h->core->g;
	double usual = usual_share(h);
	uint32_t head = 0, n = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		h->level[v] = is_ordinary(h, v, usual) ? 0 : NONE;
		if (h->level[v] == 0)
			h->queue[n++] = v;
	}
	while (head < n) {
		uint32_t v = h->queue[head++];

		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			if (h->level[g->to[i]] == NONE) {
				h->level[g->to[i]] = h->level[v] + 1;
				h->queue[n++] = g->to[i];
			}
	}
	return n ? h->level[h->queue[n - 1]] : 0;
}

static void in_parts(double *sink, uint32_t n)
{
	double all = 0;

	for (uint32_t v = 0; v < n; v++)
		all += sink[v];
	for (uint32_t v = 0; v < n && all > 0; v++)
		sink[v] /= all;
}

/* Switches at this level, in proportion to their links; false when there are none. */
static bool find_middle(struct hose *h, uint32_t level)
{
	const struct cutgraph *g = &h->core->g;
	bool any = false;

	for (uint32_t v = 0; v < g->n; v++) {
		h->sink[v] = h->level[v] == level && h->mass[v] == 0 ? links_at(g, v) : 0;
		any |= h->sink[v] > 0;
	}
	in_parts(h->sink, g->n);
	return any;
}

/* What is full takes less: all spread by the same parts, whatever these are. */
static void shift_middle(struct hose *h, const struct concurrent *c)
{
	for (uint32_t v = 0; v < h->core->g.n; v++)
		if (h->sink[v] > 0)
			h->sink[v] *= exp(-STEEPNESS * pow(concurrent_fill(c, v), FOCUS));
	in_parts(h->sink, h->core->g.n);
}

/* The k smallest shares. */
static double least(const struct hose *h, uint32_t k)
{
	const struct cutcore *c = h->core;
	double *all = mem_array((size_t)c->total + c->isolated, sizeof *all), sum = 0;
	size_t n = c->isolated;

	for (uint32_t v = 0; v < c->g.n; v++)
		for (double i = 0; i < c->mass[v]; i++)
			all[n++] = h->share[v];
	qsort(all, n, sizeof *all, compare_doubles);
	for (uint32_t i = 0; i < k && i < n; i++)
		sum += all[i];
	free(all);
	return sum;
}

/* The best fraction of all shares found in so many rounds. */
static double route(struct hose *h, uint32_t level, unsigned rounds, double enough, struct progress *p)
{
	struct demands through = {.mass = h->mass, .sink = h->sink};
	struct concurrent *c;
	double best = 0;
	bool routed;

	if (!find_middle(h, level))
		return 0;
	c = concurrent_new(&h->core->g, NULL, &through);
	routed = concurrent_by_hops(c, p);
	for (unsigned i = 0; routed && i < rounds; i++) {
		best = fmax(best, concurrent_lower(c));
		if (best >= enough)
			break;
		progress_step(p, "routing through the middle", i, rounds);
		shift_middle(h, c);
		routed = concurrent_by_weights(c, p);
	}
	concurrent_free(c);
	return best;
}

/* Some rounds for every level, many for the best. */
static double best_fraction(struct hose *h, double enough, struct progress *p)
{
	uint32_t highest = find_levels(h), middle = 0;
	double best = 0;

	for (uint32_t level = 1; level <= highest && best < enough; level++) {
		double f = route(h, level, FEW_ROUNDS, enough, p);

		middle = f > best ? level : middle;
		best = fmax(best, f);
	}
	return middle && best < enough ? fmax(best, route(h, middle, ROUNDS, enough, p)) : best;
}

int64_t cut_hose_bound(const struct cutgraph *g, uint32_t k, int64_t goal, struct progress *p)
{
	struct cutcore core = cut_core(g, true);
	struct hose h = {
		.core = &core,
		.share = mem_array(core.g.n, sizeof *h.share),
		.mass = mem_array(core.g.n, sizeof *h.mass),
		.sink = mem_array(core.g.n, sizeof *h.sink),
		.level = mem_array(core.g.n, sizeof *h.level),
		.queue = mem_array(core.g.n, sizeof *h.queue),
	};
	double bound = 0;

	find_shares(&h, g);
	if (core.g.m && (uint64_t)core.g.n * core.g.m < LARGE) {
		double shares = least(&h, k);

		bound = fmin(best_fraction(&h, shares > 0 ? (double)goal / shares : 0, p), 1) * shares;
	}
	free(h.share);
	free(h.mass);
	free(h.sink);
	free(h.level);
	free(h.queue);
	cutcore_free(&core);
	/* Capacities are integers, so the bound rounds up; the margin is far above the error of the sums. */
	return (int64_t)ceil(bound * (1 - 1e-9) - 1e-6);
}
