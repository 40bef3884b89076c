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

static bool same_links(const struct cutgraph *g, uint32_t a, uint32_t b)
{
	uint32_t n = g->at[a + 1] - g->at[a];

	return n == g->at[b + 1] - g->at[b] && !memcmp(g->to + g->at[a], g->to + g->at[b], n * sizeof *g->to) &&
	       !memcmp(g->cap_to + g->at[a], g->cap_to + g->at[b], n * sizeof *g->cap_to);
}

void cut_twins(const struct cutgraph *g, uint32_t *leader)
{
	struct keymap seen = {0};

	for (uint32_t v = 0; v < g->n; v++) {
		uint64_t h = 1;
		uint32_t first;

		leader[v] = v;
		if (!g->weight[v])
			continue;
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			h = (h ^ g->to[i]) * UINT64_C(0x9e3779b97f4a7c15);
			h = ((h ^ (h >> 29)) ^ (uint64_t)g->cap_to[i]) * UINT64_C(0xbf58476d1ce4e5b9);
		}
		first = keymap_get(&seen, h >> 1);
		if (first == NONE)
			keymap_put(&seen, h >> 1, v);
		else if (same_links(g, first, v))
			leader[v] = first;
	}
	keymap_free(&seen);
}

/* Numbers the vertices of the core; what sits on another vertex gets that one's number. */
static uint32_t place_vertices(const struct cutgraph *g, bool twins, uint32_t *place)
{
	uint32_t *host = mem_array(g->n, sizeof *host), n = 0;

	if (twins)
		cut_twins(g, host);
	for (uint32_t x = 0; x < g->n; x++) {
		if (cut_is_single(g, x))
			host[x] = g->to[g->at[x]];
		else if (!twins)
			host[x] = x;
		place[x] = NONE;
		if (host[x] == x && g->at[x] < g->at[x + 1])
			place[x] = n++;
	}
	for (uint32_t x = 0; x < g->n; x++)
		if (host[x] != x)
			place[x] = place[host[x]];
	free(host);
	return n;
}

struct cutcore cut_core(const struct cutgraph *g, bool twins)
{
	struct cutcore c = {0};
	uint32_t *u = mem_array(g->m, sizeof *u), *v = mem_array(g->m, sizeof *v), n;
	uint8_t *weight = mem_array(g->n, 1);

	c.place = mem_array(g->n, sizeof *c.place);
	n = place_vertices(g, twins, c.place);
	c.mass = mem_array(n, sizeof *c.mass);
	c.crowd = mem_array(n, sizeof *c.crowd);
	c.single = mem_array(g->n, sizeof *c.single);
	for (uint32_t x = 0; x < g->n; x++) {
		c.isolated += g->weight[x] && c.place[x] == NONE;
		if (c.place[x] == NONE)
			continue;
		c.total += g->weight[x];
		if (cut_is_single(g, x))
			c.single[c.singles++] = g->cap_to[g->at[x]];
		else if (g->weight[x])
			c.crowd[c.place[x]] = c.mass[c.place[x]] > 0;
		c.mass[c.place[x]] += g->weight[x];
		weight[c.place[x]] |= g->weight[x];
	}
	for (uint32_t e = 0; e < g->m; e++) {
		u[e] = c.place[g->u[e]];
		v[e] = c.place[g->v[e]];
	}
	c.g = cutgraph_new(n, weight, g->m, u, v, g->cap);
	qsort(c.single, c.singles, sizeof *c.single, compare_i64);
	free(u);
	free(v);
	free(weight);
	return c;
}

void cutcore_free(struct cutcore *c)
{
	cutgraph_free(&c->g);
	free(c->mass);
	free(c->crowd);
	free(c->place);
	free(c->single);
}
