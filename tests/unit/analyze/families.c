#include "families.h"

#include <stdlib.h>

uint32_t family_add(struct family *f, uint8_t weight)
{
	vec_push(&f->weight, weight);
	return f->n++;
}

void family_link(struct family *f, uint32_t u, uint32_t v, int64_t cap)
{
	vec_push(&f->u, u);
	vec_push(&f->v, v);
	vec_push(&f->cap, cap);
}

struct cutgraph family_graph(const struct family *f)
{
	return cutgraph_new(f->n, f->weight.at, f->u.n, f->u.at, f->v.at, f->cap.at);
}

void family_free(struct family *f)
{
	vec_free(&f->weight);
	vec_free(&f->u);
	vec_free(&f->v);
	vec_free(&f->cap);
}

static void add_many(struct family *f, uint32_t n, uint8_t weight)
{
	for (uint32_t i = 0; i < n; i++)
		family_add(f, weight);
}

struct family family_complete(uint32_t n)
{
	struct family f = {0};

	add_many(&f, n, 1);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < i; j++)
			family_link(&f, i, j, 1);
	return f;
}

struct family family_hypercube(uint32_t d)
{
	struct family f = {0};

	add_many(&f, 1u << d, 1);
	for (uint32_t i = 0; i < f.n; i++)
		for (uint32_t b = 0; b < d; b++)
			if (!(i >> b & 1))
				family_link(&f, i, i | 1u << b, 1);
	return f;
}

struct family family_grid(uint32_t dims, const uint32_t *k, bool wrap)
{
	struct family f = {0};
	uint32_t n = 1, stride = 1;

	for (uint32_t d = 0; d < dims; d++)
		n *= k[d];
	add_many(&f, n, 1);
	for (uint32_t d = 0; d < dims; d++) {
		for (uint32_t i = 0; i < n; i++) {
			uint32_t at = i / stride % k[d];

			if (at + 1 < k[d])
				family_link(&f, i, i + stride, 1);
			else if (wrap && k[d] > 1)
				family_link(&f, i, i - at * stride, 1);
		}
		stride *= k[d];
	}
	return f;
}

struct family family_bipartite(uint32_t m, uint32_t n)
{
	struct family f = {0};

	add_many(&f, m + n, 1);
	for (uint32_t i = 0; i < m; i++)
		for (uint32_t j = 0; j < n; j++)
			family_link(&f, i, m + j, 1);
	return f;
}

struct family family_star(uint32_t n)
{
	int64_t one = 1;

	return family_planes(n, 1, &one);
}

static void add_hosts(struct family *f, uint32_t routers, uint32_t hosts)
{
	for (uint32_t r = 0; r < routers; r++)
		for (uint32_t h = 0; h < hosts; h++)
			family_link(f, family_add(f, 1), r, 1);
}

struct family family_hamming(uint32_t k, uint32_t d, uint32_t hosts)
{
	struct family f = {0};
	uint32_t n = 1, stride = 1;

	for (uint32_t i = 0; i < d; i++)
		n *= k;
	add_many(&f, n, hosts == 0);
	for (uint32_t i = 0; i < d; i++, stride *= k)
		for (uint32_t v = 0; v < n; v++)
			for (uint32_t x = v / stride % k + 1; x < k; x++)
				family_link(&f, v, v + (x - v / stride % k) * stride, 1);
	add_hosts(&f, n, hosts);
	return f;
}

struct family family_planes(uint32_t endpoints, uint32_t planes, const int64_t *links)
{
	struct family f = {0};

	add_many(&f, endpoints, 1);
	for (uint32_t p = 0; p < planes; p++) {
		uint32_t s = family_add(&f, 0);

		for (uint32_t e = 0; e < endpoints; e++)
			family_link(&f, e, s, links[p]);
	}
	return f;
}

struct family family_dgx2(void)
{
	struct family f = {0};

	add_many(&f, 16, 1);
	add_many(&f, 12, 0);
	for (uint32_t g = 0; g < 16; g++)
		for (uint32_t s = 0; s < 6; s++)
			family_link(&f, g, 16 + 6 * (g / 8) + s, 1);
	for (uint32_t s = 0; s < 6; s++)
		family_link(&f, 16 + s, 22 + s, 8);
	return f;
}

struct family family_pairs(uint32_t n, const uint32_t (*pairs)[3], size_t m)
{
	struct family f = {0};

	add_many(&f, n, 1);
	for (size_t i = 0; i < m; i++)
		family_link(&f, pairs[i][0], pairs[i][1], pairs[i][2]);
	return f;
}

struct family family_leaf_spine(uint32_t leaves, uint32_t hosts, uint32_t spines, int64_t up)
{
	struct family f = {0};

	add_many(&f, leaves + spines, 0);
	for (uint32_t l = 0; l < leaves; l++)
		for (uint32_t s = 0; s < spines; s++)
			family_link(&f, l, leaves + s, up);
	add_hosts(&f, leaves, hosts);
	return f;
}

/* Three levels of k-port switches (Al-Fares): k pods, (k/2)² cores. */
struct family family_fat_tree(uint32_t k, uint32_t hosts)
{
	struct family f = {0};
	uint32_t half = k / 2, edge, agg, core;

	edge = f.n;
	add_many(&f, k * half, 0);
	agg = f.n;
	add_many(&f, k * half, 0);
	core = f.n;
	add_many(&f, half * half, 0);
	for (uint32_t p = 0; p < k; p++)
		for (uint32_t a = 0; a < half; a++)
			for (uint32_t j = 0; j < half; j++) {
				family_link(&f, agg + p * half + a, core + a * half + j, 1);
				family_link(&f, edge + p * half + j, agg + p * half + a, 1);
			}
	add_hosts(&f, k * half, hosts);
	return f;
}

struct family family_rail_pod(uint32_t nodes, uint32_t gpus, int64_t nvlink, uint32_t spines, int64_t up)
{
	struct family f = {0};

	add_many(&f, gpus + spines, 0);
	for (uint32_t l = 0; l < gpus; l++)
		for (uint32_t s = 0; s < spines; s++)
			family_link(&f, l, gpus + s, up);
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t sw = family_add(&f, 0);

		for (uint32_t r = 0; r < gpus; r++) {
			uint32_t g = family_add(&f, 1);

			family_link(&f, g, sw, nvlink);
			family_link(&f, g, r, 1);
		}
	}
	return f;
}

struct family family_dragonfly(uint32_t a, uint32_t p, uint32_t h, bool hosts)
{
	struct family f = {0};
	uint32_t g = a * h + 1;

	add_many(&f, g * a, !hosts);
	for (uint32_t i = 0; i < g; i++)
		for (uint32_t j = 0; j < a; j++)
			for (uint32_t k = 0; k < j; k++)
				family_link(&f, i * a + j, i * a + k, 1);
	for (uint32_t i = 0; i < g; i++)
		for (uint32_t m = 0; m < a * h; m++) {
			uint32_t d = (i + m + 1) % g;

			if (i < d)
				family_link(&f, i * a + m / h, d * a + (a * h - 1 - m) / h, 1);
		}
	if (hosts)
		add_hosts(&f, g * a, p);
	return f;
}

/* McKay–Miller–Širáň for q = 5: the Hoffman–Singleton graph. */
struct family family_slim_fly5(uint32_t hosts)
{
	struct family f = {0};

	add_many(&f, 50, hosts == 0);
	for (uint32_t x = 0; x < 5; x++)
		for (uint32_t y = 0; y < 5; y++) {
			for (uint32_t z = 0; z < y; z++) {
				uint32_t d = (y - z) % 5;

				if (d == 1 || d == 4)
					family_link(&f, 5 * x + y, 5 * x + z, 1);
				else
					family_link(&f, 25 + 5 * x + y, 25 + 5 * x + z, 1);
			}
			for (uint32_t m = 0; m < 5; m++)
				family_link(&f, 5 * x + y, 25 + 5 * m + (y + 5 * 5 - m * x) % 5, 1);
		}
	add_hosts(&f, 50, hosts);
	return f;
}

struct family family_random(struct rng *rng, uint32_t n, uint32_t endpoints, uint32_t links, uint32_t most)
{
	struct family f = {0};

	for (uint32_t i = 0; i < n; i++)
		family_add(&f, i < endpoints);
	for (uint32_t i = 0; i < links; i++)
		family_link(&f, rng_below(rng, n), rng_below(rng, n), 1 + rng_below(rng, most));
	return f;
}

int64_t brute_force(const struct cutgraph *g, uint32_t k)
{
	int64_t best = INT64_MAX;

	for (uint32_t bits = 0; bits < 1u << g->n; bits++) {
		uint32_t ones = 0;
		int64_t cut = 0;

		for (uint32_t v = 0; v < g->n; v++)
			ones += g->weight[v] && (bits >> v & 1);
		if (ones != k)
			continue;
		for (uint32_t e = 0; e < g->m; e++)
			if ((bits >> g->u[e] & 1) != (bits >> g->v[e] & 1))
				cut += g->cap[e];
		best = cut < best ? cut : best;
	}
	return best;
}
