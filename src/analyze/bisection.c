/* bisection: the smallest capacity over all splits of the endpoints into halves.
 *
 * The graph is reduced without changing any cut (cut_reduce.c). What is left is solved exactly where dynamic
 * programming can (trees, and all that reduces to one); else a searched cut is the upper bound and a routed
 * all-to-all the lower one. The cut found is counted again on the model before it is reported.
 */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/cut.h"

struct bisection {
	const struct request *request;
	struct progress *progress;
	struct network net;
	struct cutgraph graph, reduced;
	uint64_t unit;      /* capacity of one step of the lattice */
	uint32_t *map;      /* vertex of graph -> vertex of reduced */
	uint8_t *side;      /* of reduced */
	uint32_t k;         /* endpoints on the smaller side */
	int64_t lower, upper; /* in units */
	const char *lower_method, *upper_method;
	bool expired;
};

/* Steps of dynamic programming: a first try that costs little, one where there are few switches to place, the last resort. */
#define FIRST_BUDGET UINT64_C(30000000)
#define NEXT_BUDGET  UINT64_C(600000000)
#define LAST_BUDGET  UINT64_C(1500000000)
#define LITTLE_WORK 1e9  /* of branch and bound: about a second */
#define MUCH_WORK   1e12
enum { SEARCH_ROUNDS = 48, MANY_TARGETS = 4096, QUICK_SEARCH = 200000 };

/* ---- full bandwidth ---------------------------------------------------------------------------------------------- */

static int compare_u64(const void *p, const void *q)
{
	uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;

	return a < b ? -1 : a > b;
}

static json_t *injection_json(const struct network *n)
{
	uint64_t least = UNKNOWN, most = 0;
	json_t *o = json_object();

	for (uint32_t v = 0; v < n->vertex_count; v++) {
		if (!n->weight[v])
			continue;
		least = n->injection[v] < least ? n->injection[v] : least;
		most = n->injection[v] > most ? n->injection[v] : most;
	}
	json_put(o, "min", json_capacity(n, least));
	json_put(o, "max", json_capacity(n, most));
	return o;
}

/* The k smallest injections together: no cut needs more than to take those endpoints off. */
static uint64_t full_capacity(const struct network *n, uint32_t k)
{
	uint64_t *list = mem_array(n->endpoint_count, sizeof *list), sum = 0;
	uint32_t count = 0;

	for (uint32_t v = 0; v < n->vertex_count; v++)
		if (n->weight[v])
			list[count++] = n->injection[v];
	qsort(list, count, sizeof *list, compare_u64);
	for (uint32_t i = 0; i < k; i++)
		sum += list[i];
	free(list);
	return sum;
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static const char *suffixed(const struct network *n, const char *name, char *key, size_t size)
{
	snprintf(key, size, "%s_%s", name, n->in_links ? "links" : "Bps");
	return key;
}

static void put_bound(json_t *o, const struct bisection *x, const char *name, int64_t units)
{
	char key[32];

	if (x->net.in_links) {
		snprintf(key, sizeof key, "%s_Bps", name);
		json_put(o, key, json_null());
	}
	json_put(o, suffixed(&x->net, name, key, sizeof key), json_capacity(&x->net, (uint64_t)units * x->unit));
}

static bool on_side(const struct bisection *x, uint32_t vertex)
{
	return x->side[x->map[vertex]];
}

/* The devices of side 1 that are endpoints or part of one. */
static struct idset side_devices(const struct bisection *x)
{
	const struct fabric *f = x->request->fabric;
	struct idset s = idset_new(f->device_count);

	for (uint32_t d = 0; d < f->device_count; d++) {
		uint32_t v = x->net.vertex_of[d];

		if (v != NONE && x->net.weight[v] && on_side(x, v) && device_class(f, d) != CLASS_NIC)
			idset_add(&s, d);
		else if (v != NONE && x->net.weight[v] && on_side(x, v) && x->net.endpoint_class == CLASS_NIC)
			idset_add(&s, d);
	}
	return s;
}

static json_t *cut_json(const struct bisection *x, struct idset *cut)
{
	const struct fabric *f = x->request->fabric;
	const struct overlay *o = x->request->overlay;
	json_t *list = json_array();

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t e = x->net.edge_of[t];
		json_t *entry;

		if (e == NONE || on_side(x, x->net.u[e]) == on_side(x, x->net.v[e]))
			continue;
		idset_add(cut, t);
		entry = json_object();
		json_put(entry, "a", json_device(f, f->trunks[t].a));
		json_put(entry, "b", json_device(f, f->trunks[t].b));
		json_put(entry, "kind", json_string(fabric_str(f, f->kinds.at[f->trunks[t].kind].name)));
		json_put(entry, "links", json_integer(trunk_links(f, o, t)));
		json_put(entry, "rate_Bps", x->net.in_links ? json_null() : json_rate(trunk_capacity(f, o, t)));
		json_array_append_new(list, entry);
	}
	return list;
}

/* Every mark and number below is taken from the model, not from the graph that was cut. */
static bool recount(const struct bisection *x, const struct idset *cut)
{
	const struct fabric *f = x->request->fabric;
	uint64_t sum = 0;
	uint32_t ones = 0;

	idset_each(t, cut)
		sum += x->net.in_links ? trunk_links(f, x->request->overlay, t)
				       : trunk_capacity(f, x->request->overlay, t);
	for (uint32_t v = 0; v < x->net.vertex_count; v++)
		ones += x->net.weight[v] && on_side(x, v);
	return sum == (uint64_t)x->upper * x->unit && ones == x->k;
}

/* Has the module endpoints on both sides? */
static bool is_split(const struct bisection *x, uint32_t module)
{
	const struct module *m = &x->request->fabric->modules.at[module];
	bool seen[2] = {false, false};

	for (uint32_t d = m->first_device; d < m->end_device; d++) {
		uint32_t v = x->net.vertex_of[d];

		if (v != NONE && x->net.weight[v])
			seen[on_side(x, v)] = true;
	}
	return seen[0] && seen[1];
}

enum { SPLIT_SHOWN = 16 };

/* The innermost modules that the cut goes through (those whose own modules are whole): paths, at most a few. */
static json_t *split_json(const struct bisection *x)
{
	const struct fabric *f = x->request->fabric;
	bool *split = mem_array(f->modules.n, sizeof *split), *inside = mem_array(f->modules.n, sizeof *inside);
	json_t *list = json_array();

	for (uint32_t m = (uint32_t)f->modules.n; m-- > 1;) {
		split[m] = is_split(x, m);
		if (split[m] || inside[m])
			inside[f->modules.at[m].parent] = true;
	}
	for (uint32_t m = 1; m < f->modules.n && json_array_size(list) < SPLIT_SHOWN; m++) {
		struct strbuf b = STRBUF_INIT;

		if (split[m] && !inside[m]) {
			module_path(f, m, &b);
			json_array_append_new(list, json_string(strbuf_str(&b)));
		}
		strbuf_free(&b);
	}
	free(split);
	free(inside);
	return list;
}

static void put_witness(json_t *o, const struct bisection *x)
{
	const struct fabric *f = x->request->fabric;
	struct idset cut = idset_new(f->trunk_count), side = side_devices(x), all = idset_new(f->device_count);
	struct strbuf b = STRBUF_INIT;
	json_t *list = cut_json(x, &cut);

	select_put(f, &side, &b);
	json_put(o, "side", json_string(strbuf_str(&b)));
	if (!recount(x, &cut)) {
		json_put(o, "status", json_string("unknown"));
		json_put(o, "reason", json_string("the cut does not add up on the model (a defect of this program)"));
	}
	json_put(o, "split", split_json(x));
	json_put(o, "cut", list);
	for (uint32_t d = 0; d < f->device_count; d++)
		if (x->net.vertex_of[d] != NONE && on_side(x, x->net.vertex_of[d]))
			idset_add(&all, d);
	progress_mark(x->progress, "side", false, &all, NULL);
	progress_mark(x->progress, "cut", true, &cut, NULL);
	strbuf_free(&b);
	idset_free(&cut);
	idset_free(&side);
	idset_free(&all);
}

static json_t *balance_json(const struct bisection *x)
{
	int unit = x->request->project.unit;
	json_t *o = json_object();

	if (unit < 0 && x->net.endpoint_class == CLASS_NIC)
		unit = MODULE_HOST;
	json_put(o, "kind", json_string(unit < 0 ? "device" : module_kind_names[unit]));
	json_put(o, "units", json_integer(x->net.endpoint_count));
	return o;
}

static json_t *head_json(const struct bisection *x)
{
	json_t *o = json_object(), *sides = json_array();

	json_put(o, "endpoints", json_integer(x->net.endpoint_count));
	json_put(o, "endpoint_class",
		 x->net.endpoint_class == CLASS_NONE ? json_null() : json_string(class_names[x->net.endpoint_class]));
	json_put(o, "unit", json_string(x->net.in_links ? "links" : "Bps"));
	json_put(o, "balance", balance_json(x));
	json_array_append_new(sides, json_integer(x->k));
	json_array_append_new(sides, json_integer(x->net.endpoint_count - x->k));
	json_put(o, "sides", sides);
	return o;
}

static json_t *unknown_json(const struct bisection *x, const char *reason)
{
	json_t *o = head_json(x);

	json_put(o, "lower_Bps", json_null());
	json_put(o, "upper_Bps", json_null());
	json_put(o, "status", json_string("unknown"));
	json_put(o, "reason", json_string(reason));
	json_put(o, "stopped", json_null());
	return o;
}

/* Bounds as they stand. */
static json_t *result_json(const struct bisection *x, bool with_cut)
{
	json_t *o = head_json(x), *method = json_object(), *reduced = json_array();
	uint64_t full = full_capacity(&x->net, x->k);
	char key[32];
	bool exact = x->lower == x->upper;

	json_put(o, "stranded", json_integer(x->net.stranded));
	put_bound(o, x, "lower", x->lower);
	put_bound(o, x, "upper", x->upper);
	json_put(o, "status", json_string(exact ? "exact" : "bounds"));
	json_put(o, "stopped", exact ? json_null() : json_string(x->expired ? "time" : "steps"));
	json_put(o, suffixed(&x->net, "full", key, sizeof key), json_capacity(&x->net, full));
	json_put(o, suffixed(&x->net, "injection", key, sizeof key), injection_json(&x->net));
	json_put(o, "ratio", full ? json_real((double)x->upper * (double)x->unit / (double)full) : json_null());
	json_put(method, "lower", json_string(x->lower_method));
	json_put(method, "upper", json_string(x->upper_method));
	json_put(o, "method", method);
	json_array_append_new(reduced, json_integer(x->graph.n));
	json_array_append_new(reduced, json_integer(x->reduced.n));
	json_put(o, "vertices", reduced);
	if (with_cut)
		put_witness(o, x);
	return o;
}

/* ---- the search --------------------------------------------------------------------------------------------------- */

static void report(struct bisection *x, bool new_cut)
{
	if (x->progress && x->upper < INT64_MAX)
		progress_bounds(x->progress, result_json(x, new_cut));
}

static void lower_bound(struct bisection *x, int64_t bound, const char *method)
{
	bound = cut_parity(&x->reduced, x->k, bound);
	if (bound <= x->lower)
		return;
	x->lower = bound;
	x->lower_method = method;
	report(x, false);
}

static void upper_bound(struct bisection *x, int64_t cut, const uint8_t *side, const char *method)
{
	if (cut >= x->upper)
		return;
	x->upper = cut;
	x->upper_method = method;
	memcpy(x->side, side, x->reduced.n);
	report(x, true);
}

static bool is_exact(const struct bisection *x)
{
	return x->lower == x->upper;
}

static bool is_star(const struct cutgraph *g)
{
	uint32_t centre = NONE;

	for (uint32_t v = 0; v < g->n; v++) {
		if (!g->weight[v] && g->at[v + 1] > g->at[v]) {
			if (centre != NONE)
				return false;
			centre = v;
		}
	}
	return centre != NONE && g->m == g->at[centre + 1] - g->at[centre];
}

static void solve_exactly(struct bisection *x, uint64_t budget)
{
	uint8_t *side = mem_array(x->reduced.n, 1);
	int64_t cut = 0;
	const char *how = is_star(&x->reduced)
				  ? "non-blocking: the switches reduce to one, any half can send all it injects"
				  : "exact: dynamic programming over the reduced graph";

	progress_step(x->progress, "solving exactly", 0, 1);
	if (cut_exact(&x->reduced, x->k, budget, x->progress, &cut, side)) {
		upper_bound(x, cut, side, "the cut shown, counted on the model");
		lower_bound(x, cut, how);
	}
	free(side);
}

static void search(struct bisection *x, unsigned rounds)
{
	uint8_t *side = mem_array(x->reduced.n, 1);
	int64_t cut = cut_search(&x->reduced, x->k, x->request->seed, rounds, x->lower, x->progress, side);

	if (cut < INT64_MAX) {
		cut_place_switches(&x->reduced, side);
		upper_bound(x, cut_value(&x->reduced, side), side, "the cut shown, found by local search");
	}
	free(side);
}

static void enumerate(struct bisection *x)
{
	uint8_t *side = mem_array(x->reduced.n, 1);
	int64_t cut = 0;

	progress_step(x->progress, "enumerating", 0, 1);
	if (cut_enumerate(&x->reduced, x->k, x->progress, &cut, side)) {
		upper_bound(x, cut, side, "the cut shown, counted on the model");
		lower_bound(x, cut, "exact: every split was tried");
	}
	free(side);
}

static void branch_and_bound(struct bisection *x, double work)
{
	uint8_t *side = mem_array(x->reduced.n, 1);
	int64_t cut = x->upper;

	if (cut_sweep(&x->reduced, x->k, work, x->progress, &cut, side)) {
		upper_bound(x, cut, side, "the cut shown, counted on the model");
		lower_bound(x, x->upper, "exact: branch and bound, nothing smaller is left");
	}
	free(side);
}

/* Where endpoints outnumber switches by far, placing the switches is the smaller problem. */
static bool has_few_switches(const struct cutgraph *g)
{
	return g->n > g->endpoints && (g->n - g->endpoints) * UINT64_C(4) <= g->endpoints;
}

static void spread(struct bisection *x, bool thorough)
{
	lower_bound(x, cut_spread_bound(&x->reduced, x->k, x->upper, thorough, x->progress), "all-to-all traffic, routed");
}

/* Routing costs one tree for every endpoint that is not like another one. */
static bool has_many_targets(const struct cutgraph *g)
{
	uint32_t *leader = mem_array(g->n, sizeof *leader), targets = 0;

	cut_twins(g, leader);
	for (uint32_t v = 0; v < g->n; v++)
		targets += g->weight[v] && leader[v] == v;
	free(leader);
	return targets > MANY_TARGETS;
}

/* What is cheap goes first; which of routing and programming that is depends on the graph. */
static void solve_mostly(struct bisection *x)
{
	bool many = has_many_targets(&x->reduced), few = has_few_switches(&x->reduced);
	unsigned rounds = QUICK_SEARCH / (x->reduced.n + x->reduced.m);

	search(x, rounds < 1 ? 1 : rounds > SEARCH_ROUNDS ? SEARCH_ROUNDS : rounds);
	lower_bound(x, cut_spectral_bound(&x->reduced, x->k), "eigenvalues of the Laplacian, with parity");
	if (!is_exact(x) && few && many)
		solve_exactly(x, NEXT_BUDGET);
	if (!is_exact(x))
		spread(x, false);
	if (!is_exact(x))
		lower_bound(x, cut_hose_bound(&x->graph, x->k, x->upper, x->progress),
			    "any pattern of traffic, routed through the middle");
	if (!is_exact(x) && few && !many)
		solve_exactly(x, NEXT_BUDGET);
}

static void solve(struct bisection *x)
{
	solve_exactly(x, FIRST_BUDGET);
	if (!is_exact(x))
		solve_mostly(x);
	if (!is_exact(x))
		search(x, SEARCH_ROUNDS);
	if (!is_exact(x))
		branch_and_bound(x, LITTLE_WORK);
	if (!is_exact(x))
		spread(x, true);
	if (!is_exact(x) && !progress_expired(x->progress))
		enumerate(x);
	if (!is_exact(x) && !progress_expired(x->progress))
		branch_and_bound(x, MUCH_WORK);
	if (!is_exact(x) && !progress_expired(x->progress))
		solve_exactly(x, LAST_BUDGET);
	x->expired = progress_expired(x->progress);
}

/* Side 1 is the smaller one; of equal ones that without the first endpoint. */
static void turn_sides(struct bisection *x)
{
	uint32_t first = 0;

	while (first < x->net.vertex_count && !x->net.weight[first])
		first++;
	if (2 * x->k != x->net.endpoint_count || !on_side(x, first))
		return;
	for (uint32_t v = 0; v < x->reduced.n; v++)
		x->side[v] ^= 1;
}

json_t *bisection_run(const struct request *r, struct progress *p)
{
	struct bisection x = {.request = r, .progress = p, .upper = INT64_MAX};
	json_t *result;

	progress_step(p, "projecting", 0, 1);
	x.net = network_build(r->fabric, r->overlay, &r->project);
	x.k = x.net.endpoint_count / 2;
	if (x.net.unknown || x.net.endpoint_count < 2) {
		result = unknown_json(&x, x.net.unknown ? x.net.unknown : "there are fewer than two endpoints");
		network_free(&x.net);
		return result;
	}
	x.lower_method = "nothing is less than nothing";
	x.upper_method = "";
	x.graph = cutgraph_of(&x.net, &x.unit);
	x.map = mem_array(x.graph.n, sizeof *x.map);
	x.reduced = cut_reduce(&x.graph, false, x.map, p);
	x.side = mem_array(x.reduced.n, 1);
	solve(&x);
	turn_sides(&x);
	result = result_json(&x, true);
	cutgraph_free(&x.graph);
	cutgraph_free(&x.reduced);
	free(x.map);
	free(x.side);
	network_free(&x.net);
	return result;
}

/* ---- in words ------------------------------------------------------------------------------------------------------- */

static void put_unit_count(struct strbuf *b, const json_t *result, uint64_t n)
{
	const char *kind = result_text(json_object_get(result, "balance"), "kind");

	put_count(b, n);
	strbuf_printf(b, " %s", strcmp(kind, "device") == 0 ? result_text(result, "endpoint_class") : kind);
}

static uint64_t side_count(const json_t *result, size_t i)
{
	return (uint64_t)json_integer_value(json_array_get(json_object_get(result, "sides"), i));
}

static uint64_t cut_links(const json_t *result)
{
	json_t *entry;
	uint64_t sum = 0;
	size_t i;

	json_array_foreach(json_object_get(result, "cut"), i, entry)
		sum += result_count(entry, "links");
	return sum;
}

static void put_value(struct strbuf *b, const json_t *result)
{
	if (strcmp(result_text(result, "status"), "exact") == 0) {
		put_capacity(b, result, "upper");
		return;
	}
	strbuf_putc(b, '[');
	put_capacity(b, result, "lower");
	strbuf_puts(b, ", ");
	put_capacity(b, result, "upper");
	strbuf_putc(b, ']');
}

void bisection_put(const json_t *result, struct strbuf *b)
{
	const char *status = result_text(result, "status");
	const json_t *ratio = json_object_get(result, "ratio");

	strbuf_puts(b, "bisection  ");
	if (strcmp(status, "unknown") == 0) {
		strbuf_printf(b, "unknown: %s\n", result_text(result, "reason"));
		return;
	}
	put_value(b, result);
	strbuf_printf(b, "%s, %s", strcmp(result_text(result, "unit"), "links") == 0 ? "" : ", one direction",
		      status);
	if (*result_text(result, "stopped"))
		strbuf_printf(b, " (stopped: %s)", result_text(result, "stopped"));
	if (json_is_real(ratio))
		strbuf_printf(b, ", %s%.4g %% of full", strcmp(status, "exact") == 0 ? "" : "at most ", 100 * json_real_value(ratio));
	strbuf_puts(b, "\n  sides      ");
	put_unit_count(b, result, side_count(result, 0));
	strbuf_puts(b, " | ");
	put_unit_count(b, result, side_count(result, 1));
	if (*result_text(result, "side"))
		strbuf_printf(b, "   one side: %s", result_text(result, "side"));
	strbuf_puts(b, "\n  cut        ");
	put_counted(b, json_array_size(json_object_get(result, "cut")), "trunk");
	strbuf_puts(b, ", ");
	put_counted(b, cut_links(result), "link");
	strbuf_putc(b, '\n');
	if (result_count(result, "stranded"))
		strbuf_printf(b, "  stranded   %" PRIu64 " endpoints have no capacity left\n",
			      result_count(result, "stranded"));
}

/* "504 ndr 25.2 TB/s + 76 nvlink4 1.9 TB/s": what the cut is made of. */
static void put_kinds(struct strbuf *b, const json_t *result)
{
	json_t *kinds = json_object(), *entry;
	const char *kind, *between = "";
	size_t i;

	json_array_foreach(json_object_get(result, "cut"), i, entry) {
		json_t *sum = json_object_get(kinds, result_text(entry, "kind"));

		if (!sum) {
			sum = json_pack("[i, f]", 0, 0.0);
			json_put(kinds, result_text(entry, "kind"), sum);
		}
		json_integer_set(json_array_get(sum, 0), json_integer_value(json_array_get(sum, 0)) + (json_int_t)result_count(entry, "links"));
		json_real_set(json_array_get(sum, 1), json_real_value(json_array_get(sum, 1)) + json_number_value(json_object_get(entry, "rate_Bps")));
	}
	json_object_foreach(kinds, kind, entry) {
		strbuf_puts(b, between);
		put_count(b, (uint64_t)json_integer_value(json_array_get(entry, 0)));
		strbuf_printf(b, " × %s", kind);
		if (json_real_value(json_array_get(entry, 1)) > 0) {
			strbuf_puts(b, " = ");
			put_rate(b, (uint64_t)(json_real_value(json_array_get(entry, 1)) * 8 + 0.5));
		}
		between = " + ";
	}
	json_decref(kinds);
}

static void put_split(struct strbuf *b, const json_t *result)
{
	const json_t *split = json_object_get(result, "split");
	json_t *path;
	size_t i;

	if (!json_array_size(split))
		return;
	strbuf_puts(b, "  split  ");
	json_array_foreach((json_t *)split, i, path)
		strbuf_printf(b, "%s%s", i ? ", " : "", json_string_value(path));
	strbuf_puts(b, ": endpoints of it stand on both sides\n");
}

static void put_full(struct strbuf *b, const json_t *result)
{
	bool links = strcmp(result_text(result, "unit"), "links") == 0;
	const json_t *range = json_object_get(result, links ? "injection_links" : "injection_Bps");
	const json_t *least = json_object_get(range, "min"), *ratio = json_object_get(result, "ratio");
	bool exact = strcmp(result_text(result, "status"), "exact") == 0;

	strbuf_puts(b, "  full   ");
	put_capacity(b, result, "full");
	if (json_is_number(least) && json_equal(json_object_get(range, "min"), json_object_get(range, "max"))) {
		strbuf_puts(b, " = ");
		put_unit_count(b, result, side_count(result, 0));
		strbuf_puts(b, " × ");
		if (links)
			put_counted(b, (uint64_t)json_integer_value(least), "link");
		else
			put_rate(b, result_rate(range, "min"));
	} else {
		strbuf_puts(b, ": the smallest injections of ");
		put_unit_count(b, result, side_count(result, 0));
		strbuf_puts(b, " together");
	}
	if (json_is_number(ratio))
		strbuf_printf(b, "; the ratio is %s%.4g %%", exact ? "" : "at most ", 100 * json_number_value(ratio));
	strbuf_putc(b, '\n');
}

void bisection_explain(const json_t *result, struct strbuf *b)
{
	const json_t *method = json_object_get(result, "method"), *vertices = json_object_get(result, "vertices");

	if (strcmp(result_text(result, "status"), "unknown") == 0) {
		strbuf_printf(b, "bisection: unknown, because %s\n", result_text(result, "reason"));
		return;
	}
	strbuf_puts(b, "bisection of ");
	put_unit_count(b, result, result_count(result, "endpoints"));
	strbuf_puts(b, ": ");
	put_value(b, result);
	strbuf_printf(b, "%s, %s\n  upper  ", strcmp(result_text(result, "unit"), "links") ? " one direction" : "",
		      result_text(result, "status"));
	put_capacity(b, result, "upper");
	strbuf_printf(b, ": %s\n         ", result_text(method, "upper"));
	put_unit_count(b, result, side_count(result, 0));
	strbuf_puts(b, " against ");
	put_count(b, side_count(result, 1));
	strbuf_puts(b, "; cut: ");
	if (json_array_size(json_object_get(result, "cut")))
		put_kinds(b, result);
	else
		strbuf_puts(b, "nothing, as nothing joins them");
	strbuf_putc(b, '\n');
	put_split(b, result);
	strbuf_puts(b, "  lower  ");
	put_capacity(b, result, "lower");
	strbuf_printf(b, ": %s\n         ", result_text(method, "lower"));
	put_count(b, (uint64_t)json_integer_value(json_array_get(vertices, 0)));
	strbuf_puts(b, " vertices were reduced to ");
	put_count(b, (uint64_t)json_integer_value(json_array_get(vertices, 1)));
	strbuf_puts(b, " without changing any cut\n");
	put_full(b, result);
	if (strcmp(result_text(result, "unit"), "links") == 0)
		return;
	strbuf_puts(b, "  both directions together it is ");
	put_rate(b, 2 * result_rate(result, "upper_Bps"));
	strbuf_puts(b, "; headlines often quote that, or the aggregate of all endpoints, at least twice as much\n");
}
