/* See flow.h. */
#include "analyze/flow.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_internal.h"
#include "fabric/ig.h"

/* igraph computes in doubles: integers below 2^53 are exact, so capacities are divided by their common divisor. */
static uint64_t common_divisor(const uint64_t *capacity, uint32_t n)
{
	uint64_t divisor = 0;

	for (uint32_t e = 0; e < n; e++) {
		uint64_t a = capacity[e], b = divisor;

		while (b) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
		divisor = a;
	}
	return divisor ? divisor : 1;
}

struct prepared {
	uint32_t *node; /* vertex -> node of the flow graph, or NONE; 0 is A, 1 is B */
	uint32_t nodes;
	uint32_t *a, *b, *edge; /* arcs of the flow graph and the edge of each */
	uint32_t arcs;
	uint64_t divisor;
};

static bool serves_terminal(const struct network *n, const uint8_t *role, uint32_t nic)
{
	for (uint32_t i = n->at[nic]; i < n->at[nic + 1]; i++)
		if (role[network_other(n, n->edge[i], nic)] != SIDE_NONE)
			return true;
	return false;
}

static bool may_carry(const struct network *n, const uint8_t *role, uint32_t v, bool relay)
{
	return relay || (n->forwards[v] && (!n->nic[v] || serves_terminal(n, role, v)));
}

static struct prepared prepare(const struct network *n, const uint8_t *role, const uint64_t *capacity, bool relay)
{
	struct prepared p = {.nodes = 2, .divisor = common_divisor(capacity, n->edge_count)};

	p.node = mem_array(n->vertex_count, sizeof *p.node);
	p.a = mem_array(n->edge_count, sizeof *p.a);
	p.b = mem_array(n->edge_count, sizeof *p.b);
	p.edge = mem_array(n->edge_count, sizeof *p.edge);
	for (uint32_t v = 0; v < n->vertex_count; v++) {
		if (role[v] != SIDE_NONE)
			p.node[v] = role[v];
		else
			p.node[v] = may_carry(n, role, v, relay) ? p.nodes++ : NONE;
	}
	for (uint32_t e = 0; e < n->edge_count; e++) {
		uint32_t a = p.node[n->u[e]], b = p.node[n->v[e]];

		if (a == NONE || b == NONE || a == b || capacity[e] == 0)
			continue;
		p.a[p.arcs] = a;
		p.b[p.arcs] = b;
		p.edge[p.arcs++] = e;
	}
	return p;
}

static void prepared_free(struct prepared *p)
{
	free(p->node);
	free(p->a);
	free(p->b);
	free(p->edge);
}

static void take_sides(const struct network *n, const struct prepared *p, const igraph_vector_int_t *part_a,
		       struct flow *f)
{
	bool *on_a = mem_array(p->nodes, sizeof *on_a);

	for (igraph_integer_t i = 0; i < igraph_vector_int_size(part_a); i++)
		on_a[VECTOR(*part_a)[i]] = true;
	f->side = mem_array(n->vertex_count, 1);
	for (uint32_t v = 0; v < n->vertex_count; v++)
		f->side[v] = p->node[v] == NONE ? SIDE_NONE : on_a[p->node[v]] ? SIDE_A : SIDE_B;
	free(on_a);
}

static void take_flow(const struct network *n, const struct prepared *p, const igraph_vector_t *along, struct flow *f)
{
	f->along = mem_array(n->edge_count, sizeof *f->along);
	for (uint32_t i = 0; i < p->arcs; i++) {
		double x = VECTOR(*along)[i];

		f->along[p->edge[i]] = (uint64_t)((x < 0 ? -x : x) + 0.5) * p->divisor;
	}
}

struct flow flow_between(const struct network *n, const uint8_t *role, const uint64_t *capacity, bool relay,
			 bool value_only)
{
	struct prepared p = prepare(n, role, capacity, relay);
	struct ig *g = ig_new(p.nodes, p.a, p.b, p.arcs);
	igraph_vector_t limits, along;
	igraph_vector_int_t part_a, part_b;
	igraph_real_t value = 0;
	struct flow f = {0};

	ig_check(igraph_vector_init(&limits, p.arcs));
	ig_check(igraph_vector_init(&along, 0));
	ig_check(igraph_vector_int_init(&part_a, 0));
	ig_check(igraph_vector_int_init(&part_b, 0));
	for (uint32_t i = 0; i < p.arcs; i++)
		VECTOR(limits)[i] = (igraph_real_t)(capacity[p.edge[i]] / p.divisor);
	if (value_only)
		ig_check(igraph_maxflow_value(&g->graph, &value, SIDE_A, SIDE_B, &limits, NULL));
	else
		ig_check(igraph_maxflow(&g->graph, &value, &along, NULL, &part_a, &part_b, SIDE_A, SIDE_B, &limits, NULL));
	f.value = (uint64_t)(value + 0.5) * p.divisor;
	if (!value_only) {
		take_sides(n, &p, &part_a, &f);
		take_flow(n, &p, &along, &f);
	}
	igraph_vector_destroy(&limits);
	igraph_vector_destroy(&along);
	igraph_vector_int_destroy(&part_a);
	igraph_vector_int_destroy(&part_b);
	ig_free(g);
	prepared_free(&p);
	return f;
}

void flow_free(struct flow *f)
{
	free(f->side);
	free(f->along);
	*f = (struct flow){0};
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static const char *take_operand(const struct network *n, const struct idset *devices, uint8_t as, uint8_t *role)
{
	bool endpoints = false, any = false;

	idset_each(d, devices)
		endpoints = endpoints || (n->vertex_of[d] != NONE && n->weight[n->vertex_of[d]]);
	idset_each(d, devices) {
		uint32_t v = n->vertex_of[d];

		if (v == NONE || (endpoints && !n->weight[v]))
			continue;
		if (role[v] != SIDE_NONE && role[v] != as)
			return "the two selections share endpoints";
		role[v] = as;
		any = true;
	}
	return any ? NULL : "a selection holds nothing that carries traffic";
}

const char *flow_roles(const struct request *r, const struct network *n, uint8_t *role)
{
	const char *why = n->unknown;

	memset(role, SIDE_NONE, n->vertex_count);
	for (int i = 0; i < 2 && !why; i++)
		why = take_operand(n, &r->operand[i], i == 0 ? SIDE_A : SIDE_B, role);
	return why;
}

uint64_t flow_most(const struct network *n, const struct idset *a, const struct idset *b)
{
	uint8_t *role = mem_array(n->vertex_count + 1, 1);
	uint64_t most = UNKNOWN;

	memset(role, SIDE_NONE, n->vertex_count);
	if (!n->unknown && !take_operand(n, a, SIDE_A, role) && !take_operand(n, b, SIDE_B, role))
		most = flow_between(n, role, n->capacity, false, true).value;
	free(role);
	return most;
}

/* ---- witnesses ----------------------------------------------------------------------------------------------------- */

static json_t *trunk_json(const struct request *r, const struct network *n, uint32_t t)
{
	const struct fabric *f = r->fabric;
	const struct trunk *x = &f->trunks[t];
	uint32_t links = trunk_links(f, r->overlay, t);
	json_t *o = json_object();

	json_put(o, "a", json_device(f, x->a));
	json_put(o, "b", json_device(f, x->b));
	json_put(o, "kind", json_string(fabric_str(f, f->kinds.at[x->kind].name)));
	json_put(o, "links", links == NONE ? json_null() : json_integer(links));
	json_put(o, "rate_Bps", n->in_links ? json_null() : json_rate(trunk_capacity(f, r->overlay, t)));
	return o;
}

json_t *cut_list(const struct request *r, const struct network *n, const uint8_t *side, struct idset *cut)
{
	json_t *list = json_array();

	for (uint32_t t = 0; t < r->fabric->trunk_count; t++) {
		uint32_t e = n->edge_of[t];

		if (e == NONE || side[n->u[e]] + side[n->v[e]] != SIDE_A + SIDE_B)
			continue;
		idset_add(cut, t);
		json_array_append_new(list, trunk_json(r, n, t));
	}
	return list;
}

uint64_t cut_capacity(const struct request *r, const struct network *n, const struct idset *cut)
{
	uint64_t sum = 0;

	idset_each(t, cut)
		sum += n->in_links ? trunk_links(r->fabric, r->overlay, t) : trunk_capacity(r->fabric, r->overlay, t);
	return sum;
}
