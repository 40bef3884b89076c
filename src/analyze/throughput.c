/* throughput: what part of their injection all endpoints can send at once, under uniform all-to-all and under the worst
 * permutation found (the longest matching: it makes traffic go as far as it can; Jyothi et al. 2016). Each as bounds: a
 * routing below, a dual above.
 *
 * Computed on the core of the reduced graph: endpoints with one link sit on their switch as mass, and their own link bounds
 * them besides.
 */
#include "analyze/analyze_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/concurrent.h"

struct throughput {
	const struct request *r;
	struct progress *p;
	struct network net;
	struct cutgraph graph, reduced;
	struct cutcore core;
	bool *blocked;     /* per vertex of the core: sends, does not forward */
	uint32_t *home;    /* endpoint (in order) -> vertex of the core */
	uint32_t endpoints;
	uint64_t unit;
	double injection;  /* the smallest, in units */
	double most;       /* the largest */
};

struct bracket {
	double lower, upper; /* of every demand */
	const char *lower_method, *upper_method;
	bool unreachable;
};

/* ---- the core ------------------------------------------------------------------------------------------------------ */

static void find_homes(struct throughput *x, const uint32_t *map)
{
	const uint32_t *core_of = x->core.place;

	x->home = mem_array(x->graph.endpoints, sizeof *x->home);
	x->blocked = mem_array(x->core.g.n, sizeof *x->blocked);
	for (uint32_t v = 0; v < x->graph.n; v++) {
		if (!x->graph.weight[v])
			continue;
		x->home[x->endpoints++] = core_of[map[v]];
		/* An endpoint that is a vertex of the core itself forwards only if it relays. */
		if (!cut_is_single(&x->reduced, map[v]))
			x->blocked[core_of[map[v]]] = !x->net.forwards[v];
	}
}

static void prepare(struct throughput *x)
{
	uint32_t *map;

	x->graph = cutgraph_of(&x->net, &x->unit);
	map = mem_array(x->graph.n, sizeof *map);
	x->reduced = cut_reduce(&x->graph, true, map, x->p);
	x->core = cut_core(&x->reduced, false);
	find_homes(x, map);
	x->injection = INFINITY;
	for (uint32_t v = 0; v < x->net.vertex_count; v++) {
		double injection = (double)x->net.injection[v] / (double)x->unit;

		if (!x->net.weight[v])
			continue;
		x->injection = injection < x->injection ? injection : x->injection;
		x->most = injection > x->most ? injection : x->most;
	}
	free(map);
}

static void release(struct throughput *x)
{
	cutgraph_free(&x->graph);
	cutgraph_free(&x->reduced);
	cutcore_free(&x->core);
	free(x->blocked);
	free(x->home);
}

/* ---- brackets --------------------------------------------------------------------------------------------------------- */

static bool is_tight(const struct bracket *b)
{
	return !isinf(b->upper) && b->upper - b->lower <= 1e-9 * b->upper;
}

static void raise(struct bracket *b, double value, const char *method)
{
	if (value > b->lower) {
		b->lower = value;
		b->lower_method = method;
	}
}

static void cap(struct bracket *b, double value, const char *method)
{
	if (value < b->upper) {
		b->upper = value;
		b->upper_method = method;
	}
}

enum { PHASES = 3000, CHECK_EVERY = 10 };
static const double GOOD_ENOUGH = 0.005; /* a gap that more phases do not close soon */

static void close_gap(struct throughput *x, struct concurrent *c, struct bracket *b)
{
	for (unsigned i = 1; i <= PHASES && b->upper - b->lower > GOOD_ENOUGH * b->upper; i++) {
		progress_step(x->p, "routing concurrent flows", i, PHASES);
		if (!concurrent_phase(c, x->p))
			return;
		raise(b, concurrent_lower(c), "a routing over lengths that grow with load");
		if (i % CHECK_EVERY == 0 || i == 1)
			cap(b, concurrent_upper(c, x->p), "the lengths of that routing, as a dual");
	}
}

/* own: what the endpoints' own links allow at most of each demand. */
static struct bracket solve(struct throughput *x, const struct demands *d, double own)
{
	struct concurrent *c = concurrent_new(&x->core.g, x->blocked, d);
	struct bracket b = {0, INFINITY, "none", "none", false};
	double value;

	cap(&b, own, "the endpoints' own links");
	if (!concurrent_by_hops(c, x->p)) {
		b.unreachable = !progress_expired(x->p);
	} else {
		raise(&b, concurrent_lower(c), "shortest paths, split by capacity");
		cap(&b, concurrent_upper(c, x->p), "the hops that the traffic needs");
		if (b.lower > b.upper)
			b.lower = b.upper;
		if (!is_tight(&b) && concurrent_solve(c, &value)) {
			raise(&b, value < b.upper ? value : b.upper, "linear program");
			cap(&b, value, "linear program");
		}
		if (!is_tight(&b))
			close_gap(x, c, &b);
	}
	if (b.lower > b.upper)
		b.lower = b.upper;
	concurrent_free(c);
	return b;
}

static double smallest_single(const struct throughput *x)
{
	return x->core.singles ? (double)x->core.single[0] : INFINITY;
}

enum { OUT_OF_REACH = INT16_MAX };

/* ---- the longest matching -------------------------------------------------------------------------------------------------- */

/* Hops between vertices of the core; what is out of reach is farther than all else. */
static int16_t *core_distances(const struct throughput *x)
{
	const struct cutgraph *g = &x->core.g;
	int16_t *d = mem_array((size_t)g->n * g->n, sizeof *d);
	uint32_t *queue = mem_array(g->n, sizeof *queue);

	for (uint32_t s = 0; s < g->n; s++) {
		int16_t *row = d + (size_t)s * g->n;
		uint32_t head = 0, tail = 0;

		for (uint32_t v = 0; v < g->n; v++)
			row[v] = OUT_OF_REACH;
		row[s] = 0;
		queue[tail++] = s;
		while (head < tail) {
			uint32_t v = queue[head++];

			for (uint32_t i = g->at[v]; (v == s || !x->blocked[v]) && i < g->at[v + 1]; i++) {
				if (row[g->to[i]] == OUT_OF_REACH) {
					row[g->to[i]] = (int16_t)(row[v] + 1);
					queue[tail++] = g->to[i];
				}
			}
		}
	}
	free(queue);
	return d;
}

/* Assignment of greatest total distance (shortest augmenting paths; Jonker and Volgenant 1987). to[i] is the peer of i. O(n³). */
static void longest_matching(const struct throughput *x, const int16_t *distance, uint32_t *to)
{
	uint32_t n = x->endpoints, *way = mem_array(n + (size_t)1, sizeof *way), *row_of = mem_array(n + (size_t)1, sizeof *row_of);
	int32_t *u = mem_array(n + (size_t)1, sizeof *u), *v = mem_array(n + (size_t)1, sizeof *v);
	int32_t *least = mem_array(n + (size_t)1, sizeof *least);
	bool *used = mem_array(n + (size_t)1, sizeof *used);

	for (uint32_t i = 1; i <= n; i++) {
		uint32_t column = 0;

		row_of[0] = i;
		for (uint32_t j = 0; j <= n; j++) {
			least[j] = INT32_MAX;
			used[j] = false;
		}
		do {
			uint32_t row = row_of[column], next = 0;
			int32_t delta = INT32_MAX;

			used[column] = true;
			for (uint32_t j = 1; j <= n; j++) {
				int32_t cost;

				if (used[j])
					continue;
				cost = -distance[(size_t)x->home[row - 1] * x->core.g.n + x->home[j - 1]] - u[row] - v[j];
				if (cost < least[j]) {
					least[j] = cost;
					way[j] = column;
				}
				if (least[j] < delta) {
					delta = least[j];
					next = j;
				}
			}
			for (uint32_t j = 0; j <= n; j++) {
				if (used[j]) {
					u[row_of[j]] += delta;
					v[j] -= delta;
				} else {
					least[j] -= delta;
				}
			}
			column = next;
		} while (row_of[column]);
		do {
			uint32_t before = way[column];

			row_of[column] = row_of[before];
			column = before;
		} while (column);
	}
	for (uint32_t j = 1; j <= n; j++)
		to[row_of[j] - 1] = j - 1;
	free(way);
	free(row_of);
	free(u);
	free(v);
	free(least);
	free(used);
}

enum { MATCHING_MOST = 768 };

/* Beyond that the first half sends to the second, one by one: far apart in the order of the file. */
static void far_matching(const struct throughput *x, uint32_t *to)
{
	for (uint32_t i = 0; i < x->endpoints; i++)
		to[i] = (i + x->endpoints / 2) % x->endpoints;
}

struct matching {
	uint32_t *at, *from;
	double *amount;
};

/* The permutation as demands between vertices of the core, listed by target. */
static struct matching matching_demands(const struct throughput *x, const uint32_t *to)
{
	struct matching m = {mem_array(x->core.g.n + (size_t)2, 4), mem_array(x->endpoints, 4),
			     mem_array(x->endpoints, sizeof(double))};

	for (uint32_t i = 0; i < x->endpoints; i++)
		if (x->home[i] != x->home[to[i]])
			m.at[x->home[to[i]] + 2]++;
	for (uint32_t t = 2; t < x->core.g.n + 2; t++)
		m.at[t] += m.at[t - 1];
	for (uint32_t i = 0; i < x->endpoints; i++) {
		uint32_t slot;

		if (x->home[i] == x->home[to[i]])
			continue;
		slot = m.at[x->home[to[i]] + 1]++;
		m.from[slot] = x->home[i];
		m.amount[slot] = x->injection;
	}
	return m;
}

/* ---- results ----------------------------------------------------------------------------------------------------------------- */

/* factor turns what part of a demand fits into a part of the injection. */
static json_t *bracket_json(const struct throughput *x, const struct bracket *b, double factor)
{
	json_t *o = json_object(), *method = json_object();
	double low = b->unreachable ? 0 : b->lower * factor, high = b->unreachable ? 0 : b->upper * factor;

	json_put(o, "lower", json_real(low));
	json_put(o, "upper", isinf(high) ? json_null() : json_real(high));
	json_put(o, "lower_Bps", x->net.in_links ? json_null() : json_real(low * x->injection * (double)x->unit / 8));
	json_put(o, "upper_Bps", isinf(high) || x->net.in_links ? json_null()
							  : json_real(high * x->injection * (double)x->unit / 8));
	json_put(o, "status", json_string(b->unreachable || is_tight(b) ? "exact" : "bounds"));
	if (b->unreachable)
		json_put(o, "reason", json_string("some endpoints reach others only through endpoints, which do not forward: see --relay"));
	json_put(method, "lower", json_string(b->lower_method));
	json_put(method, "upper", json_string(b->upper_method));
	json_put(o, "method", method);
	return o;
}

static json_t *uniform_json(struct throughput *x)
{
	struct demands all = {.mass = x->core.mass};
	double peers = x->endpoints - 1.0;
	struct bracket b = solve(x, &all, smallest_single(x) / peers);
	json_t *o = bracket_json(x, &b, peers / x->injection);
	double unit = (double)x->unit / (x->net.in_links ? 1 : 8);

	json_put(o, x->net.in_links ? "pair_links" : "pair_Bps", json_real((b.unreachable ? 0 : b.lower) * unit));
	return o;
}

static json_t *permutation_json(struct throughput *x)
{
	uint32_t *to = mem_array(x->endpoints, sizeof *to);
	bool exact = x->endpoints <= MATCHING_MOST && x->core.g.n <= 4096;
	struct matching m;
	struct demands d;
	struct bracket b;
	json_t *o;

	progress_step(x->p, "matching far endpoints", 0, 1);
	if (exact) {
		int16_t *distance = core_distances(x);

		longest_matching(x, distance, to);
		free(distance);
	} else {
		far_matching(x, to);
	}
	m = matching_demands(x, to);
	d = (struct demands){.at = m.at, .from = m.from, .amount = m.amount};
	b = solve(x, &d, smallest_single(x) / x->injection);
	o = bracket_json(x, &b, 1);
	json_put(o, "pattern", json_string(exact ? "longest matching by hops" : "half to half, in the order of the file"));
	free(m.at);
	free(m.from);
	free(m.amount);
	free(to);
	return o;
}

json_t *throughput_run(const struct request *r, struct progress *p)
{
	struct throughput x = {.r = r, .p = p};
	json_t *o = json_object();

	progress_step(p, "projecting", 0, 1);
	x.net = network_build(r->fabric, r->overlay, &r->project);
	json_put(o, "endpoints", json_integer(x.net.endpoint_count));
	json_put(o, "unit", json_string(x.net.in_links ? "links" : "Bps"));
	if (x.net.unknown || x.net.endpoint_count < 2 || x.net.stranded) {
		json_put(o, "status", json_string("unknown"));
		json_put(o, "reason", json_string(x.net.unknown ? x.net.unknown
						  : x.net.stranded ? "some endpoints have no capacity at all"
								   : "there are fewer than two endpoints"));
		network_free(&x.net);
		return o;
	}
	prepare(&x);
	json_put(o, "injection_Bps", x.net.in_links ? json_null() : json_real(x.injection * (double)x.unit / 8));
	json_put(o, "injection_max_Bps", x.net.in_links ? json_null() : json_real(x.most * (double)x.unit / 8));
	json_put(o, "injections_differ", json_boolean(x.most > x.injection));
	json_put(o, "uniform", uniform_json(&x));
	json_put(o, "permutation", permutation_json(&x));
	json_put(o, "stopped", progress_expired(p) ? json_string("time") : json_null());
	release(&x);
	network_free(&x.net);
	return o;
}

/* What an endpoint can send stands for all of them only where they are equal. */
static void put_bracket(struct strbuf *b, const json_t *x, bool differ)
{
	double low = json_number_value(json_object_get(x, "lower")), high = json_number_value(json_object_get(x, "upper"));
	bool exact = strcmp(result_text(x, "status"), "exact") == 0;

	if (json_is_null(json_object_get(x, "upper"))) {
		strbuf_puts(b, "not known, nothing was found in time\n");
		return;
	}
	if (exact)
		strbuf_printf(b, "%.4g %% of %sinjection, exact", 100 * high, differ ? "the smallest " : "");
	else
		strbuf_printf(b, "[%.4g, %.4g] %% of %sinjection, bounds", 100 * low, 100 * high,
			      differ ? "the smallest " : "");
	if (json_is_number(json_object_get(x, "lower_Bps"))) {
		strbuf_puts(b, exact ? " (" : " (at least ");
		put_rate(b, result_rate(x, "lower_Bps"));
		strbuf_puts(b, " per endpoint)");
	}
	if (*result_text(x, "reason"))
		strbuf_printf(b, "\n      %s", result_text(x, "reason"));
	strbuf_putc(b, '\n');
}

static bool injections_differ(const json_t *result)
{
	return json_is_true(json_object_get(result, "injections_differ"));
}

void throughput_put(const json_t *result, struct strbuf *b)
{
	strbuf_puts(b, "throughput ");
	if (*result_text(result, "reason")) {
		strbuf_printf(b, "unknown: %s\n", result_text(result, "reason"));
		return;
	}
	strbuf_puts(b, "all-to-all   ");
	put_bracket(b, json_object_get(result, "uniform"), injections_differ(result));
	strbuf_puts(b, "           permutation  ");
	put_bracket(b, json_object_get(result, "permutation"), injections_differ(result));
}

static void explain_bracket(struct strbuf *b, const char *name, const json_t *x, bool differ)
{
	const json_t *method = json_object_get(x, "method");

	strbuf_printf(b, "  %s: ", name);
	put_bracket(b, x, differ);
	strbuf_printf(b, "      at least by: %s\n      at most by:  %s\n", result_text(method, "lower"), result_text(method, "upper"));
}

void throughput_explain(const json_t *result, struct strbuf *b)
{
	if (*result_text(result, "reason")) {
		throughput_put(result, b);
		return;
	}
	strbuf_puts(b, "throughput, traffic split as one likes:\n");
	explain_bracket(b, "uniform all-to-all", json_object_get(result, "uniform"), injections_differ(result));
	explain_bracket(b, result_text(json_object_get(result, "permutation"), "pattern"), json_object_get(result, "permutation"),
			injections_differ(result));
}
