/* paths A B: how far, how many ways, and how long it takes where the file says so. */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/flow.h"

struct walk {
	const struct request *r;
	const struct network *n;
	const uint8_t *role;
	uint32_t *hops;     /* from A */
	uint32_t *queue, reached;
	uint64_t *count;    /* shortest ways from A, saturating */
	uint64_t *latency;  /* ps along the quickest of them, or UNKNOWN */
	uint32_t *before;   /* the vertex before on an example */
};

static bool may_pass(const struct walk *w, uint32_t v)
{
	return w->role[v] == SIDE_A || w->n->forwards[v];
}

static void measure_hops(struct walk *w)
{
	const struct network *n = w->n;
	uint32_t head = 0;

	memset(w->hops, 0xff, n->vertex_count * sizeof *w->hops);
	for (uint32_t v = 0; v < n->vertex_count; v++) {
		if (w->role[v] == SIDE_A) {
			w->hops[v] = 0;
			w->queue[w->reached++] = v;
		}
	}
	while (head < w->reached) {
		uint32_t v = w->queue[head++];

		for (uint32_t i = n->at[v]; may_pass(w, v) && i < n->at[v + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], v);

			if (w->hops[to] == NONE) {
				w->hops[to] = w->hops[v] + 1;
				w->before[to] = v;
				w->queue[w->reached++] = to;
			}
		}
	}
}

/* Of a link: its own latency, else its length in its medium. */
static uint64_t trunk_latency(const struct fabric *f, uint32_t t)
{
	const struct trunk *x = &f->trunks[t];
	const struct link_kind *k = &f->kinds.at[x->kind];

	if (k->latency_ps != UNKNOWN)
		return k->latency_ps;
	if (k->medium == NONE || x->length_um == UNKNOWN || f->media.at[k->medium].latency_ps_m == UNKNOWN)
		return UNKNOWN;
	return f->media.at[k->medium].latency_ps_m * x->length_um / 1000000;
}

/* The quickest trunk of each edge. */
static uint64_t *edge_latencies(const struct walk *w)
{
	uint64_t *latency = mem_array(w->n->edge_count, sizeof *latency);

	memset(latency, 0xff, w->n->edge_count * sizeof *latency);
	for (uint32_t t = 0; t < w->r->fabric->trunk_count; t++) {
		uint32_t e = w->n->edge_of[t];

		if (e != NONE && trunk_latency(w->r->fabric, t) < latency[e])
			latency[e] = trunk_latency(w->r->fabric, t);
	}
	return latency;
}

static uint64_t device_latency(const struct walk *w, uint32_t v)
{
	const struct fabric *f = w->r->fabric;

	return w->role[v] == SIDE_A ? 0 : f->types.at[f->type[w->n->device[v]]].latency_ps;
}

static uint64_t add_known(uint64_t a, uint64_t b)
{
	return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b;
}

/* In order of distance every vertex has its predecessors done. */
static void count_ways(struct walk *w)
{
	const struct network *n = w->n;
	uint64_t *latency = edge_latencies(w);

	for (uint32_t q = 0; q < w->reached; q++) {
		uint32_t v = w->queue[q];

		w->count[v] = w->hops[v] == 0;
		w->latency[v] = w->hops[v] == 0 ? 0 : UNKNOWN;
		for (uint32_t i = n->at[v]; w->hops[v] && i < n->at[v + 1]; i++) {
			uint32_t from = network_other(n, n->edge[i], v);
			uint64_t via;

			if (w->hops[from] == NONE || w->hops[from] + 1 != w->hops[v] || !may_pass(w, from))
				continue;
			if (__builtin_add_overflow(w->count[v], w->count[from], &w->count[v]))
				w->count[v] = UNKNOWN;
			via = add_known(add_known(w->latency[from], latency[n->edge[i]]), device_latency(w, from));
			w->latency[v] = via < w->latency[v] ? via : w->latency[v];
		}
	}
	free(latency);
}

/* The nearest vertex of B (lowest first), or NONE. */
static uint32_t nearest(const struct walk *w)
{
	uint32_t best = NONE;

	for (uint32_t v = 0; v < w->n->vertex_count; v++)
		if (w->role[v] == SIDE_B && w->hops[v] != NONE && (best == NONE || w->hops[v] < w->hops[best]))
			best = v;
	return best;
}

static json_t *example_json(const struct walk *w, uint32_t v)
{
	json_t *list = json_array();

	for (;; v = w->before[v]) {
		json_array_insert_new(list, 0, json_device(w->r->fabric, w->n->device[v]));
		if (w->hops[v] == 0)
			return list;
	}
}

static void put_shortest(const struct walk *w, json_t *o)
{
	uint32_t best = nearest(w);
	uint64_t ways = 0, latency = UNKNOWN;

	json_put(o, "hops", best == NONE ? json_null() : json_integer(w->hops[best]));
	for (uint32_t v = 0; v < w->n->vertex_count; v++) {
		if (best == NONE || w->role[v] != SIDE_B || w->hops[v] != w->hops[best])
			continue;
		if (__builtin_add_overflow(ways, w->count[v], &ways))
			ways = UNKNOWN;
		latency = w->latency[v] < latency ? w->latency[v] : latency;
	}
	json_put(o, "shortest_paths", ways > INT64_MAX ? json_null() : json_integer((json_int_t)ways));
	json_put(o, "latency_s", latency == UNKNOWN ? json_null() : json_real((double)latency / 1e12));
	json_put(o, "example", best == NONE ? json_array() : example_json(w, best));
}

static json_t *disjoint_json(const struct network *n, const uint8_t *role)
{
	uint64_t *links = mem_array(n->edge_count, sizeof *links);
	struct flow f = {0};
	bool known = true;

	for (uint32_t e = 0; e < n->edge_count; e++) {
		known = known && n->links[e] != NONE;
		links[e] = n->links[e];
	}
	if (known)
		f = flow_between(n, role, links, false, true);
	free(links);
	return known ? json_integer((json_int_t)f.value) : json_null();
}

static struct walk walk_new(const struct request *r, const struct network *n, const uint8_t *role)
{
	struct walk w = {.r = r, .n = n, .role = role};

	w.hops = mem_array(n->vertex_count, sizeof *w.hops);
	w.queue = mem_array(n->vertex_count, sizeof *w.queue);
	w.count = mem_array(n->vertex_count, sizeof *w.count);
	w.latency = mem_array(n->vertex_count, sizeof *w.latency);
	w.before = mem_array(n->vertex_count, sizeof *w.before);
	return w;
}

static void walk_free(struct walk *w)
{
	free(w->hops);
	free(w->queue);
	free(w->count);
	free(w->latency);
	free(w->before);
}

json_t *paths_run(const struct request *r, struct progress *p)
{
	struct projection_options all = r->project;
	json_t *o = json_object();
	struct network n;
	const char *why;
	uint8_t *role;

	progress_step(p, "walking", 0, 1);
	all.selection = all.transit_selected ? all.selection : NULL;
	all.keep_nics = true;
	n = network_build(r->fabric, r->overlay, &all);
	n.unknown = NULL; /* rates do not matter here */
	role = mem_array(n.vertex_count, 1);
	why = flow_roles(r, &n, role);
	json_put(o, "a", json_string(r->operand_text[0] ? r->operand_text[0] : ""));
	json_put(o, "b", json_string(r->operand_text[1] ? r->operand_text[1] : ""));
	json_put(o, "status", json_string(why ? "unknown" : "exact"));
	if (why) {
		json_put(o, "reason", json_string(why));
	} else {
		struct walk w = walk_new(r, &n, role);

		measure_hops(&w);
		count_ways(&w);
		put_shortest(&w, o);
		json_put(o, "edge_disjoint", disjoint_json(&n, role));
		walk_free(&w);
	}
	free(role);
	network_free(&n);
	return o;
}

static void put_example(const json_t *result, struct strbuf *b)
{
	json_t *step;
	size_t i;

	json_array_foreach(json_object_get(result, "example"), i, step)
		strbuf_printf(b, "%s%s", i ? " → " : "", json_string_value(step));
	strbuf_putc(b, '\n');
}

void paths_put(const json_t *result, struct strbuf *b)
{
	const json_t *latency = json_object_get(result, "latency_s");

	strbuf_puts(b, "paths      ");
	if (*result_text(result, "reason")) {
		strbuf_printf(b, "unknown: %s\n", result_text(result, "reason"));
		return;
	}
	if (json_is_null(json_object_get(result, "hops"))) {
		strbuf_puts(b, "none: nothing that counts joins the two\n");
		return;
	}
	put_counted(b, result_count(result, "hops"), "hop");
	strbuf_puts(b, ", ");
	put_result_count(b, result, "shortest_paths");
	strbuf_puts(b, " shortest, ");
	put_result_count(b, result, "edge_disjoint");
	strbuf_puts(b, " edge-disjoint, latency ");
	put_quantity(b, DIM_TIME, json_is_number(latency) ? (uint64_t)(json_number_value(latency) * 1e12 + 0.5) : UNKNOWN);
	strbuf_puts(b, "\n  for example ");
	put_example(result, b);
}

void paths_explain(const json_t *result, struct strbuf *b)
{
	if (*result_text(result, "reason") || json_is_null(json_object_get(result, "hops"))) {
		paths_put(result, b);
		return;
	}
	strbuf_printf(b, "paths of %s and %s:\n  hops           ", result_text(result, "a"), result_text(result, "b"));
	put_result_count(b, result, "hops");
	strbuf_puts(b, " links on the shortest way: ");
	put_example(result, b);
	strbuf_puts(b, "  shortest       ");
	put_result_count(b, result, "shortest_paths");
	strbuf_puts(b, " ways of that length; parallel links are one way\n  edge-disjoint  ");
	put_result_count(b, result, "edge_disjoint");
	strbuf_puts(b, " ways that share no link (the max flow with every link of capacity one)\n");
}
