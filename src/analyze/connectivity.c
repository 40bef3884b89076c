/* connectivity: what the wiring holds together, endpoints counted as vertices like any other: components, bridges,
 * articulation points, edge connectivity between endpoints, diameter.
 */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/flow.h"
#include "fabric/ig.h"

struct connectivity {
	const struct request *r;
	struct progress *p;
	struct network n;
	struct ig *graph;
	uint32_t *leader; /* per endpoint: the first with the same links */
};

/* ---- twins ------------------------------------------------------------------------------------------------------- */

static bool same_links(const struct network *n, uint32_t a, uint32_t b)
{
	uint32_t count = n->at[a + 1] - n->at[a];

	if (count != n->at[b + 1] - n->at[b])
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = n->edge[n->at[a] + i], y = n->edge[n->at[b] + i];

		if (network_other(n, x, a) != network_other(n, y, b) || n->links[x] != n->links[y])
			return false;
	}
	return true;
}

static void find_twins(struct connectivity *c)
{
	const struct network *n = &c->n;
	struct keymap seen = {0};

	c->leader = mem_array(n->vertex_count, sizeof *c->leader);
	for (uint32_t v = 0; v < n->vertex_count; v++) {
		uint64_t h = 1;
		uint32_t first;

		c->leader[v] = v;
		if (!n->weight[v])
			continue;
		for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++)
			h = (h ^ (network_other(n, n->edge[i], v) * UINT64_C(31) + n->links[n->edge[i]])) *
			    UINT64_C(0x9e3779b97f4a7c15);
		first = keymap_get(&seen, h >> 1);
		if (first == NONE)
			keymap_put(&seen, h >> 1, v);
		else if (same_links(n, first, v))
			c->leader[v] = first;
	}
	keymap_free(&seen);
}

/* ---- pieces --------------------------------------------------------------------------------------------------------- */

static json_int_t count_components(const struct connectivity *c)
{
	uint32_t *component = mem_array(c->n.vertex_count, sizeof *component), count = ig_components(c->graph, component);
	bool *holds = mem_array(count, sizeof *holds);
	json_int_t with = 0;

	for (uint32_t v = 0; v < c->n.vertex_count; v++) {
		if (c->n.weight[v] && !holds[component[v]]) {
			holds[component[v]] = true;
			with++;
		}
	}
	free(component);
	free(holds);
	return with;
}

/* Of merged edges only those of a single link are bridges. */
static json_t *bridges_json(const struct connectivity *c)
{
	bool *is_bridge = mem_array(c->n.edge_count, sizeof *is_bridge);
	igraph_vector_int_t bridges;
	json_t *list = json_array();

	ig_check(igraph_vector_int_init(&bridges, 0));
	ig_check(igraph_bridges(&c->graph->graph, &bridges));
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(&bridges); i++)
		is_bridge[VECTOR(bridges)[i]] = c->n.links[VECTOR(bridges)[i]] == 1;
	for (uint32_t t = 0; t < c->r->fabric->trunk_count; t++) {
		const struct trunk *x = &c->r->fabric->trunks[t];
		json_t *o;

		if (c->n.edge_of[t] == NONE || !is_bridge[c->n.edge_of[t]])
			continue;
		o = json_object();
		json_put(o, "a", json_device(c->r->fabric, x->a));
		json_put(o, "b", json_device(c->r->fabric, x->b));
		json_array_append_new(list, o);
	}
	igraph_vector_int_destroy(&bridges);
	free(is_bridge);
	return list;
}

static json_t *articulations_json(const struct connectivity *c)
{
	bool *is_cut = mem_array(c->n.vertex_count, sizeof *is_cut);
	igraph_vector_int_t points;
	json_t *list = json_array();

	ig_check(igraph_vector_int_init(&points, 0));
	ig_check(igraph_articulation_points(&c->graph->graph, &points));
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(&points); i++)
		is_cut[VECTOR(points)[i]] = true;
	for (uint32_t v = 0; v < c->n.vertex_count; v++)
		if (is_cut[v])
			json_array_append_new(list, json_device(c->r->fabric, c->n.device[v]));
	igraph_vector_int_destroy(&points);
	free(is_cut);
	return list;
}

/* ---- numbers over pairs ------------------------------------------------------------------------------------------------- */

static uint32_t first_endpoint(const struct network *n)
{
	uint32_t v = 0;

	while (v < n->vertex_count && !n->weight[v])
		v++;
	return v;
}

/* The least flow from the first endpoint to any other, in links; of twins one is enough. */
static void put_edge_connectivity(struct connectivity *c, json_t *o)
{
	const struct network *n = &c->n;
	uint64_t *links = mem_array(n->edge_count, sizeof *links), least = UNKNOWN;
	uint8_t *role = mem_array(n->vertex_count, 1);
	uint32_t from = first_endpoint(n);
	bool twin_of_first = false, all = true;

	for (uint32_t e = 0; e < n->edge_count; e++) {
		links[e] = n->links[e];
		all = all && n->links[e] != NONE;
	}
	memset(role, SIDE_NONE, n->vertex_count);
	for (uint32_t v = from + 1; v < n->vertex_count && all && least; v++) {
		bool twin = c->leader[v] == from && !twin_of_first;
		struct flow f;

		if (!n->weight[v] || (c->leader[v] != v && !twin))
			continue;
		twin_of_first = twin_of_first || twin;
		progress_step(c->p, "flows between endpoints", v, n->vertex_count);
		all = !progress_expired(c->p);
		role[from] = SIDE_A;
		role[v] = SIDE_B;
		f = flow_between(n, role, links, true, true);
		role[v] = SIDE_NONE;
		least = f.value < least ? f.value : least;
	}
	json_put(o, "edge_connectivity_links", all && least != UNKNOWN ? json_integer((json_int_t)least) : json_null());
	json_put(o, "edge_connectivity_at_most", least != UNKNOWN ? json_integer((json_int_t)least) : json_null());
	free(links);
	free(role);
}

/* Farthest endpoint from v, in links; NONE when one is out of reach. */
static uint32_t eccentricity(const struct network *n, uint32_t v, uint32_t *hops, uint32_t *queue)
{
	uint32_t head = 0, tail = 0, seen = 0, farthest = 0;

	memset(hops, 0xff, n->vertex_count * sizeof *hops);
	hops[v] = 0;
	queue[tail++] = v;
	while (head < tail) {
		uint32_t x = queue[head++];

		if (n->weight[x]) {
			seen++;
			farthest = hops[x];
		}
		for (uint32_t i = n->at[x]; i < n->at[x + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], x);

			if (hops[to] == NONE) {
				hops[to] = hops[x] + 1;
				queue[tail++] = to;
			}
		}
	}
	return seen == n->endpoint_count ? farthest : NONE;
}

static void put_diameter(struct connectivity *c, json_t *o)
{
	const struct network *n = &c->n;
	uint32_t *hops = mem_array(n->vertex_count, sizeof *hops), *queue = mem_array(n->vertex_count, sizeof *queue);
	uint32_t most = 0;
	bool all = true;

	for (uint32_t v = 0; v < n->vertex_count && all && most != NONE; v++) {
		uint32_t far;

		if (!n->weight[v] || c->leader[v] != v)
			continue;
		progress_step(c->p, "distances", v, n->vertex_count);
		all = !progress_expired(c->p);
		far = eccentricity(n, v, hops, queue);
		most = far == NONE || far > most ? far : most;
	}
	json_put(o, "diameter", all && most != NONE ? json_integer(most) : json_null());
	json_put(o, "stopped", all && !progress_expired(c->p) ? json_null() : json_string("time"));
	free(hops);
	free(queue);
}

json_t *connectivity_run(const struct request *r, struct progress *p)
{
	struct connectivity c = {.r = r, .p = p};
	struct projection_options options = r->project;
	json_t *o = json_object();

	progress_step(p, "components", 0, 1);
	options.keep_nics = true;
	c.n = network_build(r->fabric, r->overlay, &options);
	c.graph = ig_new(c.n.vertex_count, c.n.u, c.n.v, c.n.edge_count);
	find_twins(&c);
	json_put(o, "endpoints", json_integer(c.n.endpoint_count));
	json_put(o, "components", json_integer(count_components(&c)));
	json_put(o, "bridges", bridges_json(&c));
	json_put(o, "articulation_points", articulations_json(&c));
	put_edge_connectivity(&c, o);
	put_diameter(&c, o);
	free(c.leader);
	ig_free(c.graph);
	network_free(&c.n);
	return o;
}

void connectivity_put(const json_t *result, struct strbuf *b)
{
	strbuf_puts(b, "connectivity ");
	if (*result_text(result, "reason")) {
		strbuf_printf(b, "unknown: %s\n", result_text(result, "reason"));
		return;
	}
	put_result_count(b, result, "components");
	strbuf_puts(b, result_count(result, "components") == 1 ? " component of " : " components of ");
	put_result_count(b, result, "endpoints");
	strbuf_puts(b, " endpoints, edge connectivity ");
	put_result_count(b, result, "edge_connectivity_links");
	strbuf_puts(b, " links, diameter ");
	put_result_count(b, result, "diameter");
	strbuf_printf(b, " links\n  bridges    %zu   articulation points %zu", json_array_size(json_object_get(result, "bridges")),
		      json_array_size(json_object_get(result, "articulation_points")));
	strbuf_printf(b, "%s\n", *result_text(result, "stopped") ? "   (stopped: time)" : "");
}

static void put_some(struct strbuf *b, const json_t *list, const char *what)
{
	json_t *x;
	size_t i;

	json_array_foreach((json_t *)list, i, x) {
		if (i == 5) {
			strbuf_printf(b, "    and %zu more\n", json_array_size(list) - i);
			break;
		}
		if (json_is_string(x))
			strbuf_printf(b, "    %s %s\n", what, json_string_value(x));
		else
			strbuf_printf(b, "    %s %s -- %s\n", what, result_text(x, "a"), result_text(x, "b"));
	}
}

void connectivity_explain(const json_t *result, struct strbuf *b)
{
	connectivity_put(result, b);
	if (*result_text(result, "reason"))
		return;
	strbuf_puts(b, "  a bridge is a single link, an articulation point a device, whose loss cuts something off:\n");
	put_some(b, json_object_get(result, "bridges"), "bridge");
	put_some(b, json_object_get(result, "articulation_points"), "device");
	strbuf_puts(b, "  edge connectivity is the least number of links whose loss separates two endpoints, every device\n"
		       "  counted as able to forward\n");
}
