/* Exhaustive bisection of small graphs: every assignment in Gray-code order, one vertex changing at a time. */
#include "analyze/cut.h"

#include <string.h>

enum { MOST = 30 };

/* What the cut grows by when v changes sides. */
static int64_t flip_cost(const struct cutgraph *g, const uint8_t *side, uint32_t v)
{
	int64_t cost = 0;

	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
		cost += side[g->to[i]] == side[v] ? g->cap_to[i] : -g->cap_to[i];
	return cost;
}

bool cut_enumerate(const struct cutgraph *g, uint32_t k, struct progress *p, int64_t *value, uint8_t *side)
{
	uint8_t now[MOST] = {0};
	uint32_t on_one = 0, n = g->n;
	int64_t cut = 0, best = INT64_MAX;

	if (!n || n > MOST)
		return false;
	/* The last vertex stays on side 0; both k and its complement are accepted instead. */
	for (uint64_t step = 0;; step++) {
		uint32_t v;

		if ((on_one == k || on_one == g->endpoints - k) && cut < best) {
			best = cut;
			memcpy(side, now, n);
		}
		if (step + 1 == UINT64_C(1) << (n - 1))
			break;
		if (step % 65536 == 0 && progress_expired(p))
			return false;
		v = (uint32_t)__builtin_ctzll(step + 1);
		cut += flip_cost(g, now, v);
		now[v] ^= 1;
		if (g->weight[v])
			on_one += now[v] ? 1 : UINT32_MAX;
	}
	if (cut_count(g, side) != k)
		for (uint32_t v = 0; v < n; v++)
			side[v] ^= 1;
	*value = best;
	return true;
}
