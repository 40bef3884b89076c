/* The graph of the cut engine: building, counting, tiers. */
#include "analyze/cut.h"

#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t u, v;
	int64_t cap;
};

static int compare_edges(const void *p, const void *q)
{
	const struct edge *a = p, *b = q;

	if (a->u != b->u)
		return a->u < b->u ? -1 : 1;
	return a->v < b->v ? -1 : a->v > b->v;
}

static void index_edges(struct cutgraph *g)
{
	g->at = mem_array(g->n + (size_t)2, sizeof *g->at);
	g->to = mem_array(2 * (size_t)g->m, sizeof *g->to);
	g->cap_to = mem_array(2 * (size_t)g->m, sizeof *g->cap_to);
	for (uint32_t e = 0; e < g->m; e++) {
		g->at[g->u[e] + 2]++;
		g->at[g->v[e] + 2]++;
	}
	for (uint32_t x = 2; x < g->n + 2; x++)
		g->at[x] += g->at[x - 1];
	/* Lower neighbours first: with edges sorted by (u, v) both passes fill in ascending order. */
	for (uint32_t e = 0; e < g->m; e++) {
		uint32_t i = g->at[g->v[e] + 1]++;

		g->to[i] = g->u[e];
		g->cap_to[i] = g->cap[e];
	}
	for (uint32_t e = 0; e < g->m; e++) {
		uint32_t i = g->at[g->u[e] + 1]++;

		g->to[i] = g->v[e];
		g->cap_to[i] = g->cap[e];
	}
}

static size_t orient(struct edge *edges, size_t m, const uint32_t *u, const uint32_t *v, const int64_t *cap)
{
	bool sorted = true;
	size_t kept = 0;

	for (size_t i = 0; i < m; i++) {
		if (u[i] == v[i] || cap[i] == 0)
			continue;
		edges[kept] = (struct edge){u[i] < v[i] ? u[i] : v[i], u[i] < v[i] ? v[i] : u[i], cap[i]};
		sorted = sorted && (!kept || compare_edges(&edges[kept - 1], &edges[kept]) <= 0);
		kept++;
	}
	if (!sorted)
		qsort(edges, kept, sizeof *edges, compare_edges);
	return kept;
}

struct cutgraph cutgraph_new(uint32_t n, const uint8_t *weight, size_t m, const uint32_t *u, const uint32_t *v,
			     const int64_t *cap)
{
	struct cutgraph g = {.n = n};
	struct edge *edges = mem_array(m, sizeof *edges);

	m = orient(edges, m, u, v, cap);
	g.weight = mem_array(n, 1);
	g.u = mem_array(m, sizeof *g.u);
	g.v = mem_array(m, sizeof *g.v);
	g.cap = mem_array(m, sizeof *g.cap);
	for (size_t i = 0; i < m; i++) {
		if (!i || compare_edges(&edges[i - 1], &edges[i]) != 0) {
			g.u[g.m] = edges[i].u;
			g.v[g.m++] = edges[i].v;
		}
		g.cap[g.m - 1] += edges[i].cap;
	}
	free(edges);
	for (uint32_t x = 0; x < n; x++) {
		g.weight[x] = weight[x];
		g.endpoints += weight[x];
	}
	index_edges(&g);
	return g;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

struct cutgraph cutgraph_of(const struct network *net, uint64_t *unit)
{
	uint8_t *weight = mem_array(net->vertex_count, 1);
	int64_t *cap = mem_array(net->edge_count, sizeof *cap);
	struct cutgraph g;

	*unit = 0;
	for (uint32_t e = 0; e < net->edge_count; e++)
		*unit = gcd(*unit, net->capacity[e]);
	if (!*unit)
		*unit = 1;
	for (uint32_t e = 0; e < net->edge_count; e++)
		cap[e] = (int64_t)(net->capacity[e] / *unit);
	for (uint32_t v = 0; v < net->vertex_count; v++)
		weight[v] = net->weight[v] > 0;
	g = cutgraph_new(net->vertex_count, weight, net->edge_count, net->u, net->v, cap);
	free(weight);
	free(cap);
	return g;
}

void cutgraph_free(struct cutgraph *g)
{
	free(g->weight);
	free(g->u);
	free(g->v);
	free(g->cap);
	free(g->at);
	free(g->to);
	free(g->cap_to);
	*g = (struct cutgraph){0};
}

int64_t cut_value(const struct cutgraph *g, const uint8_t *side)
{
	int64_t sum = 0;

	for (uint32_t e = 0; e < g->m; e++)
		if (side[g->u[e]] != side[g->v[e]])
			sum += g->cap[e];
	return sum;
}

uint32_t cut_count(const struct cutgraph *g, const uint8_t *side)
{
	uint32_t sum = 0;

	for (uint32_t v = 0; v < g->n; v++)
		sum += g->weight[v] && side[v];
	return sum;
}

uint32_t cut_tiers(const struct cutgraph *g, uint32_t *tier)
{
	uint32_t *queue = mem_array(g->n, sizeof *queue), head = 0, tail = 0, last = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		tier[v] = g->weight[v] ? 0 : NONE;
		if (g->weight[v])
			queue[tail++] = v;
	}
	while (head < tail) {
		uint32_t v = queue[head++];

		last = tier[v];
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			if (tier[g->to[i]] == NONE) {
				tier[g->to[i]] = tier[v] + 1;
				queue[tail++] = g->to[i];
			}
		}
	}
	free(queue);
	return last;
}

bool cut_is_single(const struct cutgraph *g, uint32_t v)
{
	return g->weight[v] && g->at[v + 1] - g->at[v] == 1 && !g->weight[g->to[g->at[v]]];
}

static int compare_i64(const void *p, const void *q)
{
	int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;

	return a < b ? -1 : a > b;
}

uint32_t cut_core_places(const struct cutgraph *g, uint32_t *place)
{
	uint32_t n = 0;

	for (uint32_t x = 0; x < g->n; x++)
		if (!cut_is_single(g, x))
			place[x] = n++;
	for (uint32_t x = 0; x < g->n; x++)
		if (cut_is_single(g, x))
			place[x] = place[g->to[g->at[x]]];
	return n;
}

struct cutcore cut_core(const struct cutgraph *g)
{
	struct cutcore c = {.total = g->endpoints};
	uint32_t *place = mem_array(g->n, sizeof *place), *u = mem_array(g->m, sizeof *u), *v = mem_array(g->m, sizeof *v);
	uint8_t *weight = mem_array(g->n, 1);
	uint32_t n = cut_core_places(g, place);

	c.mass = mem_array(n, sizeof *c.mass);
	c.single = mem_array(g->n, sizeof *c.single);
	for (uint32_t x = 0; x < g->n; x++) {
		if (cut_is_single(g, x))
			c.single[c.singles++] = g->cap_to[g->at[x]];
		c.mass[place[x]] += g->weight[x];
		weight[place[x]] |= g->weight[x];
	}
	for (uint32_t e = 0; e < g->m; e++) {
		u[e] = place[g->u[e]];
		v[e] = place[g->v[e]];
	}
	c.g = cutgraph_new(n, weight, g->m, u, v, g->cap);
	qsort(c.single, c.singles, sizeof *c.single, compare_i64);
	free(place);
	free(u);
	free(v);
	free(weight);
	return c;
}

void cutcore_free(struct cutcore *c)
{
	cutgraph_free(&c->g);
	free(c->mass);
	free(c->single);
}
