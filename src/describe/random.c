/* Random regular graphs: a circulant graph stirred by double edge swaps, which keep every degree and never make
 * a loop or a doubled edge. Always succeeds; part of version 1 of the language, so the stream of random
 * numbers and the number of swaps may not change.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>

struct graph {
	uint32_t degree;
	uint32_t *beside; /* degree neighbours of each vertex */
	uint32_t *ends;   /* two of each edge */
};

static bool adjacent(const struct graph *g, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < g->degree; i++)
		if (g->beside[(size_t)a * g->degree + i] == b)
			return true;
	return false;
}

static void replace(struct graph *g, uint32_t a, uint32_t old, uint32_t new)
{
	for (uint32_t i = 0; i < g->degree; i++)
		if (g->beside[(size_t)a * g->degree + i] == old) {
			g->beside[(size_t)a * g->degree + i] = new;
			return;
		}
}

/* a-b and c-d become a-d and c-b. */
static void swap(struct graph *g, size_t e, size_t f, bool turned)
{
	uint32_t a = g->ends[2 * e], b = g->ends[2 * e + 1];
	uint32_t c = g->ends[2 * f + turned], d = g->ends[2 * f + !turned];
	if (a == c || a == d || b == c || b == d || adjacent(g, a, d) || adjacent(g, c, b))
		return;
	replace(g, a, b, d);
	replace(g, b, a, c);
	replace(g, c, d, b);
	replace(g, d, c, a);
	g->ends[2 * e + 1] = d;
	g->ends[2 * f] = c;
	g->ends[2 * f + 1] = b;
}

void random_regular(uint32_t n, uint32_t degree, uint64_t seed, uint32_t *out)
{
	size_t edges = 0, total = (size_t)n * degree / 2;
	struct graph g = {degree, mem_array((size_t)n * degree, sizeof *g.beside), out};
	uint32_t *filled = mem_array(n, sizeof *filled);
	struct rng r = rng_seed(seed);
	for (uint32_t step = 1; step <= (degree + 1) / 2; step++) {
		/* an odd degree joins opposite vertices, once each */
		bool half = degree % 2 == 1 && step == (degree + 1) / 2;
		uint32_t far = half ? n / 2 : step;
		for (uint32_t a = 0; a < (half ? n / 2 : n); a++, edges++) {
			uint32_t b = (uint32_t)(((uint64_t)a + far) % n);
			out[2 * edges] = a;
			out[2 * edges + 1] = b;
			g.beside[(size_t)a * degree + filled[a]++] = b;
			g.beside[(size_t)b * degree + filled[b]++] = a;
		}
	}
	for (size_t i = 0; total > 1 && i < 20 * total; i++) {
		size_t e = rng_below(&r, (uint32_t)total), f = rng_below(&r, (uint32_t)total);
		bool turned = rng_next(&r) & 1;
		if (e != f)
			swap(&g, e, f, turned);
	}
	free(g.beside);
	free(filled);
}
