/* Lower bounds from arithmetic. First: from the spectrum of the Laplacian L, for graphs in which every vertex is an endpoint.
 *
 * Write a split as x in {+1,-1}^n. Then x'Lx is four times the cut, and with the parts p_i of |x|² that lie in the
 * eigenspaces of mu_i (those of the constant vector taken out), sum p_i = n and 4·cut = sum mu_i p_i: the classical
 * bound mu_2·n/4 (Fiedler; Mohar). Integers say more. Entry v of Lx is 2·x_v·(what v has in the cut), an even number, so for
 * odd c every entry of (L - cI)x is odd and its square at least 1: sum (mu_i - c)² p_i >= n. The least of sum mu_i p_i under both
 * is a linear program with two rows, and its optimum lies on two eigenvalues.
 */
#include "analyze/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/ig.h"

enum { MOST = 512 };

static void eigenvalues(const struct cutgraph *g, double *mu)
{
	igraph_matrix_t laplacian;
	igraph_vector_t values;

	ig_check(igraph_matrix_init(&laplacian, g->n, g->n));
	ig_check(igraph_vector_init(&values, g->n));
	for (uint32_t e = 0; e < g->m; e++) {
		double c = (double)g->cap[e];

		MATRIX(laplacian, g->u[e], g->v[e]) -= c;
		MATRIX(laplacian, g->v[e], g->u[e]) -= c;
		MATRIX(laplacian, g->u[e], g->u[e]) += c;
		MATRIX(laplacian, g->v[e], g->v[e]) += c;
	}
	ig_check(igraph_lapack_dsyevr(&laplacian, IGRAPH_LAPACK_DSYEV_ALL, 0, 0, 0, 0, 0, 1e-12, &values, NULL, NULL));
	for (uint32_t i = 0; i < g->n; i++)
		mu[i] = VECTOR(values)[i];
	igraph_matrix_destroy(&laplacian);
	igraph_vector_destroy(&values);
}

/* The least of a·p + b·q with p + q = sum, wa·p + wb·q >= need; infinite when that cannot be. */
static double least_on_two(double a, double wa, double b, double wb, double sum, double need)
{
	double p;

	if (wa * sum >= need)
		return a * sum; /* a is the smaller */
	if (wb * sum < need)
		return INFINITY;
	p = (wb * sum - need) / (wb - wa);
	return a * p + b * (sum - p);
}

static double bound_for(const double *mu, uint32_t n, double c, double sum, double need)
{
	double best = INFINITY;

	for (uint32_t i = 1; i < n; i++) {
		for (uint32_t j = i; j < n; j++) {
			double wi = (mu[i] - c) * (mu[i] - c), wj = (mu[j] - c) * (mu[j] - c);
			double value = least_on_two(mu[i], wi, mu[j], wj, sum, need);

			best = value < best ? value : best;
		}
	}
	return best;
}

/* A quarter of the least x'Lx when the entries of x add up to lean. */
static double bound_for_lean(const double *mu, uint32_t n, double lean)
{
	double along = lean * lean / n, best = mu[1] * (n - along); /* along: the part in the constant vector */

	for (double c = 2 * floor(mu[1] / 2) - 1; c <= mu[1] + 4; c += 2) {
		double value = c > 0 ? bound_for(mu, n, c, n - along, n - c * c * along) : 0;

		best = value > best && !isinf(value) ? value : best;
	}
	return best / 4;
}

/* ones vertices of the core on side 1: then so many endpoints at least are cut from their switch. */
static double bound_for_split(const struct cutcore *c, const double *mu, uint32_t ones, uint32_t k)
{
	double have = ones * c->mass[0], least = (double)k - c->isolated;
	double off = have > k ? have - k : have < least ? least - have : 0, cut = 0;

	if (off > c->singles)
		return INFINITY;
	for (uint32_t i = 0; i < off; i++)
		cut += (double)c->single[i];
	return cut + bound_for_lean(mu, c->g.n, c->g.n - 2.0 * ones);
}

static bool is_even_core(const struct cutcore *c)
{
	for (uint32_t v = 0; v < c->g.n; v++)
		if (c->mass[v] != c->mass[0] || c->mass[v] == 0)
			return false;
	return c->g.n >= 2 && c->g.n <= MOST;
}

int64_t cut_spectral_bound(const struct cutgraph *g, uint32_t k)
{
	struct cutcore c = cut_core(g, false);
	double best = INFINITY;

	if (is_even_core(&c)) {
		double *mu = mem_array(c.g.n, sizeof *mu);

		eigenvalues(&c.g, mu);
		for (uint32_t ones = 0; ones <= c.g.n; ones++) {
			double cut = bound_for_split(&c, mu, ones, k);

			best = cut < best ? cut : best;
		}
		free(mu);
	}
	cutcore_free(&c);
	return isinf(best) ? 0 : (int64_t)ceil(best * (1 - 1e-9) - 1e-6);
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
