/* Lower bounds on a bisection that follow from a routing of uniform all-to-all traffic.
 *
 * If every endpoint can send f to every other at once, a split into a and N-a endpoints is crossed by f·a·(N-a) each
 * way, so it cuts at least that much. Links of endpoints with a single link are left out of the routing, and counted
 * when they are cut: with q endpoints taken off that way the rest still splits within q of balance, so
 *
 *      cut >= min over q of  (the q smallest single links) + f·a·(N-a)   with a within q of balance
 *
 * Endpoints without any link may stand on either side; they only widen what a can be.
 */
#include "analyze/cut.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/concurrent.h"

static int64_t bound_from_rate(const struct cutcore *c, uint32_t k, double rate)
{
	double best = INFINITY, singles = 0;

	for (uint32_t q = 0; q <= c->singles && q <= k; q++) {
		double few = (double)k - c->isolated - q, many = (double)k + q, across;

		if (q)
			singles += (double)c->single[q - 1];
		few = few < 0 ? 0 : few;
		many = many > c->total ? c->total : many;
		across = fmin(few * (c->total - few), many * (c->total - many)); /* concave in between */
		best = fmin(best, singles + (across > 0 ? rate * across : 0));
	}
	/* Capacities are integers, so the bound rounds up; the margin is far above the error of the sums. */
	return isinf(best) ? 0 : (int64_t)ceil(best * (1 - 1e-9) - 1e-6);
}

enum { PHASES = 400, REWEIGHTED = 6 };
#define LARGE UINT64_C(20000000) /* vertices times edges for which a phase takes about a second */

static int64_t better(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t cut_spread_bound(const struct cutgraph *g, uint32_t k, int64_t goal, bool thorough, struct progress *p)
{
	struct cutcore core = cut_core(g, true);
	struct demands all = {.mass = core.mass, .crowd = core.crowd};
	struct concurrent *c = concurrent_new(&core.g, NULL, &all);
	int64_t bound = 0;

	if (core.g.m && concurrent_by_hops(c, p)) {
		bound = bound_from_rate(&core, k, concurrent_lower(c));
		for (int i = 0; thorough && i < REWEIGHTED && bound < goal && concurrent_by_scarce_hops(c, p); i++)
			bound = better(bound, bound_from_rate(&core, k, concurrent_lower(c)));
		for (unsigned i = 0; thorough && i < PHASES && bound < goal && (uint64_t)core.g.n * core.g.m < LARGE; i++) {
			progress_step(p, "spreading all to all", i, PHASES);
			if (!concurrent_phase(c, p))
				break;
			bound = better(bound, bound_from_rate(&core, k, concurrent_lower(c)));
		}
	}
	concurrent_free(c);
	cutcore_free(&core);
	return bound;
}
