/* See concurrent.h. */
#include "analyze/concurrent.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct concurrent {
	const struct cutgraph *g;
	const bool *blocked;
	const struct demands *d;
	uint32_t *queue, *position, *settled, *parent, *back;
	double *distance, *amount;
	double *length, *load; /* per arc */
	double *weight, *onward; /* per arc; per vertex: of all ways from there on */
	double rounds, scale;  /* demands routed so far; of one phase */
	uint32_t heap_n, settled_n;
	bool phased, weighted;
};

static const double GROWTH = 0.25; /* of lengths with load; smaller is finer and slower */

/* Arcs are stored from both ends: back[i] is the arc of the other direction. */
static void find_back_arcs(struct concurrent *c)
{
	const struct cutgraph *g = c->g;
	uint32_t *next = mem_array(g->n, sizeof *next);

	/* Neighbours ascend, so that walking targets in order meets the arcs back in order too. */
	for (uint32_t v = 0; v < g->n; v++)
		next[v] = g->at[v];
	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			c->back[i] = next[g->to[i]]++;
	free(next);
}

struct concurrent *concurrent_new(const struct cutgraph *g, const bool *blocked, const struct demands *d)
{
	struct concurrent *c = mem_alloc(sizeof *c);
	size_t arcs = 2 * (size_t)g->m;

	c->g = g;
	c->blocked = blocked;
	c->d = d;
	c->queue = mem_array(g->n, sizeof *c->queue);
	c->position = mem_array(g->n, sizeof *c->position);
	c->settled = mem_array(g->n, sizeof *c->settled);
	c->parent = mem_array(g->n, sizeof *c->parent);
	c->distance = mem_array(g->n, sizeof *c->distance);
	c->amount = mem_array(g->n, sizeof *c->amount);
	c->back = mem_array(arcs, sizeof *c->back);
	c->length = mem_array(arcs, sizeof *c->length);
	c->load = mem_array(arcs, sizeof *c->load);
	c->weight = mem_array(arcs, sizeof *c->weight);
	c->onward = mem_array(g->n, sizeof *c->onward);
	for (size_t i = 0; i < arcs; i++)
		c->length[i] = 1;
	find_back_arcs(c);
	return c;
}

void concurrent_free(struct concurrent *c)
{
	free(c->queue);
	free(c->position);
	free(c->settled);
	free(c->parent);
	free(c->distance);
	free(c->amount);
	free(c->back);
	free(c->length);
	free(c->load);
	free(c->weight);
	free(c->onward);
	free(c);
}

static bool is_target(const struct concurrent *c, uint32_t v)
{
	if (c->d->sink)
		return c->d->sink[v] > 0;
	return c->d->mass ? c->d->mass[v] > 0 : c->d->at[v] < c->d->at[v + 1];
}

/* What every vertex sends to the target, into amount. */
static void load_demand(struct concurrent *c, uint32_t target)
{
	if (c->d->mass) {
		const double *taken = c->d->sink ? c->d->sink : c->d->mass;

		for (uint32_t v = 0; v < c->g->n; v++)
			c->amount[v] = v == target ? 0 : c->d->mass[v] * taken[target];
		return;
	}
	memset(c->amount, 0, c->g->n * sizeof *c->amount);
	for (uint32_t i = c->d->at[target]; i < c->d->at[target + 1]; i++)
		c->amount[c->d->from[i]] += c->d->amount[i];
}

static bool forwards(const struct concurrent *c, uint32_t v, uint32_t target)
{
	return v == target || !c->blocked || !c->blocked[v];
}

static bool all_reached(const struct concurrent *c)
{
	for (uint32_t v = 0; v < c->g->n; v++)
		if (c->amount[v] > 0 && isinf(c->distance[v]))
			return false;
	return true;
}

/* What an arc carries; with sinks also what comes back over the way of the other direction. */
static double carried(const struct concurrent *c, size_t i)
{
	return c->load[i] + (c->d->sink ? c->load[c->back[i]] : 0);
}

double concurrent_fill(const struct concurrent *c, uint32_t v)
{
	double most = 0;

	for (uint32_t i = c->g->at[v]; i < c->g->at[v + 1]; i++)
		most = fmax(most, carried(c, i) / (double)c->g->cap_to[i]);
	return most * concurrent_lower(c) / c->rounds;
}

double concurrent_lower(const struct concurrent *c)
{
	double worst = 0;

	for (size_t i = 0; i < 2 * (size_t)c->g->m; i++)
		if (carried(c, i) > worst * (double)c->g->cap_to[i])
			worst = carried(c, i) / (double)c->g->cap_to[i];
	return worst > 0 ? c->rounds / worst : INFINITY;
}

/* Endpoints of one vertex reach each other by turning around at its neighbours. Part of every round. */
static void route_crowds(struct concurrent *c)
{
	const struct cutgraph *g = c->g;

	for (uint32_t v = 0; c->d->crowd && v < g->n; v++) {
		double pairs = c->d->mass[v] * (c->d->mass[v] - 1), all = 0;

		for (uint32_t i = g->at[v]; c->d->crowd[v] && i < g->at[v + 1]; i++)
			all += (double)g->cap_to[i];
		for (uint32_t i = g->at[v]; c->d->crowd[v] && i < g->at[v + 1]; i++) {
			c->load[i] += pairs * (double)g->cap_to[i] / all;
			c->load[c->back[i]] += pairs * (double)g->cap_to[i] / all;
		}
	}
}

/* ---- by hops ------------------------------------------------------------------------------------------------------ */

static void reach(struct concurrent *c, uint32_t target)
{
	const struct cutgraph *g = c->g;
	uint32_t head = 0;

	for (uint32_t v = 0; v < g->n; v++)
		c->distance[v] = INFINITY;
	c->distance[target] = 0;
	c->settled_n = 0;
	c->settled[c->settled_n++] = target;
	while (head < c->settled_n) {
		uint32_t v = c->settled[head++];

		for (uint32_t i = g->at[v]; forwards(c, v, target) && i < g->at[v + 1]; i++) {
			if (isinf(c->distance[g->to[i]])) {
				c->distance[g->to[i]] = c->distance[v] + 1;
				c->settled[c->settled_n++] = g->to[i];
			}
		}
	}
}

/* Does arc k of v lie on a shortest way to the target? Lengths are small integers here, so sums are exact. */
static bool leads_on(const struct concurrent *c, uint32_t v, uint32_t k, uint32_t target)
{
	uint32_t to = c->g->to[k];

	return c->distance[to] + c->length[k] == c->distance[v] && forwards(c, to, target);
}

/* Passes on what has gathered at v, over the arcs that lead on. */
static void pass_on(struct concurrent *c, uint32_t v, uint32_t target)
{
	const struct cutgraph *g = c->g;
	double onward = 0;

	for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
		if (leads_on(c, v, k, target))
			onward += (double)g->cap_to[k];
	for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++) {
		double share = c->amount[v] * (double)g->cap_to[k] / onward;

		if (!leads_on(c, v, k, target))
			continue;
		c->load[k] += share;
		c->amount[g->to[k]] += share;
	}
}

/* ---- by length ---------------------------------------------------------------------------------------------------- */

static void sift_up(struct concurrent *c, uint32_t i)
{
	uint32_t v = c->queue[i];

	while (i && c->distance[c->queue[(i - 1) / 2]] > c->distance[v]) {
		c->queue[i] = c->queue[(i - 1) / 2];
		c->position[c->queue[i]] = i;
		i = (i - 1) / 2;
	}
	c->queue[i] = v;
	c->position[v] = i;
}

static uint32_t pop(struct concurrent *c)
{
	uint32_t top = c->queue[0], v = c->queue[--c->heap_n], i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < c->heap_n && c->distance[c->queue[child + 1]] < c->distance[c->queue[child]])
			child++;
		if (child >= c->heap_n || c->distance[c->queue[child]] >= c->distance[v])
			break;
		c->queue[i] = c->queue[child];
		c->position[c->queue[i]] = i;
		i = child;
	}
	c->queue[i] = v;
	c->position[v] = i;
	return top;
}

/* The tree of shortest ways to the target; parent is the arc towards it (Dijkstra). */
static void shortest_tree(struct concurrent *c, uint32_t target)
{
	const struct cutgraph *g = c->g;

	for (uint32_t v = 0; v < g->n; v++)
		c->distance[v] = INFINITY;
	c->distance[target] = 0;
	c->settled_n = 0;
	c->heap_n = 1;
	c->queue[0] = target;
	while (c->heap_n) {
		uint32_t v = pop(c);

		c->settled[c->settled_n++] = v;
		for (uint32_t i = g->at[v]; forwards(c, v, target) && i < g->at[v + 1]; i++) {
			uint32_t to = g->to[i];
			double d = c->distance[v] + c->length[c->back[i]];

			if (d >= c->distance[to])
				continue;
			if (isinf(c->distance[to])) {
				c->position[to] = c->heap_n;
				c->queue[c->heap_n++] = to;
			}
			c->distance[to] = d;
			c->parent[to] = c->back[i];
			sift_up(c, c->position[to]);
		}
	}
}

/* ---- once along shortest ways, ties split --------------------------------------------------------------------------- */

static bool route_once(struct concurrent *c, bool by_hops, struct progress *p)
{
	for (uint32_t t = 0; t < c->g->n; t++) {
		if (!is_target(c, t))
			continue;
		progress_step(p, "routing", t, c->g->n);
		if (by_hops)
			reach(c, t);
		else
			shortest_tree(c, t);
		load_demand(c, t);
		if (!all_reached(c) || progress_expired(p))
			return false;
		for (uint32_t i = c->settled_n - 1; i > 0; i--)
			if (c->amount[c->settled[i]] > 0)
				pass_on(c, c->settled[i], t);
	}
	route_crowds(c);
	c->rounds = 1;
	return true;
}

bool concurrent_by_hops(struct concurrent *c, struct progress *p)
{
	return route_once(c, true, p);
}

static const double SCARCE = 0.4; /* of the worst load */

bool concurrent_by_scarce_hops(struct concurrent *c, struct progress *p)
{
	double worst = c->rounds / concurrent_lower(c);

	for (size_t i = 0; i < 2 * (size_t)c->g->m; i++) {
		if (c->load[i] >= SCARCE * worst * (double)c->g->cap_to[i])
			c->length[i] = 3;
		c->load[i] = 0;
	}
	return route_once(c, false, p);
}

/* ---- shortest ways, shared out by weights ----------------------------------------------------------------------------- */

static const double STEEPNESS = 0.1; /* of weights against load */
enum { FOCUS = 32 };                 /* the higher, the more only what is nearly full gets lighter */

/* The weight of a way is the product of those of its arcs, of a vertex the sum over its ways to the target. */
static void gather_weights(struct concurrent *c, uint32_t target)
{
	const struct cutgraph *g = c->g;

	c->onward[target] = 1;
	for (uint32_t i = 1; i < c->settled_n; i++) {
		uint32_t v = c->settled[i];

		c->onward[v] = 0;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++)
			if (leads_on(c, v, k, target))
				c->onward[v] += c->weight[k] * c->onward[g->to[k]];
	}
}

static void pass_on_by_weight(struct concurrent *c, uint32_t v, uint32_t target)
{
	const struct cutgraph *g = c->g;

	for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++) {
		double share;

		if (!leads_on(c, v, k, target))
			continue;
		share = c->amount[v] * c->weight[k] * c->onward[g->to[k]] / c->onward[v];
		c->load[k] += share;
		c->amount[g->to[k]] += share;
	}
}

/* Full arcs get lighter, so that the next time more goes elsewhere. */
static void reweigh(struct concurrent *c)
{
	size_t arcs = 2 * (size_t)c->g->m;
	double worst = c->rounds / concurrent_lower(c), most = 0;

	for (size_t i = 0; i < arcs; i++)
		most = (double)c->g->cap_to[i] > most ? (double)c->g->cap_to[i] : most;
	for (size_t i = 0; i < arcs; i++) {
		if (!c->weighted)
			c->weight[i] = (double)c->g->cap_to[i] / most;
		c->weight[i] *= exp(-STEEPNESS * pow(carried(c, i) / (worst * (double)c->g->cap_to[i]), FOCUS));
	}
	memset(c->load, 0, arcs * sizeof *c->load);
	c->weighted = true;
}

bool concurrent_by_weights(struct concurrent *c, struct progress *p)
{
	reweigh(c);
	for (uint32_t t = 0; t < c->g->n; t++) {
		if (!is_target(c, t))
			continue;
		progress_step(p, "routing", t, c->g->n);
		reach(c, t);
		gather_weights(c, t);
		load_demand(c, t);
		if (!all_reached(c) || progress_expired(p))
			return false;
		for (uint32_t i = c->settled_n - 1; i > 0; i--)
			if (c->amount[c->settled[i]] > 0 && c->onward[c->settled[i]] > 0)
				pass_on_by_weight(c, c->settled[i], t);
			else if (c->amount[c->settled[i]] > 0)
				return false; /* weights have vanished */
	}
	route_crowds(c);
	c->rounds = 1;
	return true;
}

/* ---- phases ------------------------------------------------------------------------------------------------------------ */

/* One phase loads the worst arc by about its capacity times 1/scale. */
static void start_phases(struct concurrent *c)
{
	double lower = concurrent_lower(c);

	c->phased = true;
	c->scale = isinf(lower) ? 1 : lower;
	c->rounds = 0;
	for (size_t i = 0; i < 2 * (size_t)c->g->m; i++) {
		c->length[i] = 1 / (double)c->g->cap_to[i];
		c->load[i] = 0;
	}
}

static void route_tree(struct concurrent *c)
{
	for (uint32_t i = c->settled_n - 1; i > 0; i--) {
		uint32_t v = c->settled[i], arc = c->parent[v];

		if (c->amount[v] == 0)
			continue;
		c->load[arc] += c->amount[v];
		c->amount[c->g->to[arc]] += c->amount[v];
		c->length[arc] *= 1 + GROWTH * c->amount[v] * c->scale / (double)c->g->cap_to[arc];
	}
}

/* Lengths only matter in proportion; kept away from overflow. */
static void rescale(struct concurrent *c)
{
	double most = 0;

	for (size_t i = 0; i < 2 * (size_t)c->g->m; i++)
		most = c->length[i] > most ? c->length[i] : most;
	for (size_t i = 0; most > 1e100 && i < 2 * (size_t)c->g->m; i++)
		c->length[i] = c->length[i] / most + 1e-150;
}

bool concurrent_phase(struct concurrent *c, struct progress *p)
{
	if (!c->phased)
		start_phases(c);
	for (uint32_t t = 0; t < c->g->n; t++) {
		if (!is_target(c, t))
			continue;
		if (progress_expired(p))
			return false;
		shortest_tree(c, t);
		load_demand(c, t);
		route_tree(c);
	}
	route_crowds(c);
	c->rounds++;
	rescale(c);
	return true;
}

double concurrent_upper(struct concurrent *c, struct progress *p)
{
	double volume = 0, need = 0;

	for (size_t i = 0; i < 2 * (size_t)c->g->m; i++)
		volume += c->length[i] * (double)c->g->cap_to[i];
	for (uint32_t t = 0; t < c->g->n; t++) {
		if (!is_target(c, t))
			continue;
		if (progress_expired(p))
			return INFINITY;
		shortest_tree(c, t);
		load_demand(c, t);
		for (uint32_t v = 0; v < c->g->n; v++)
			if (c->amount[v] > 0 && v != t)
				need += c->amount[v] * c->distance[v];
	}
	return need > 0 ? volume / need : INFINITY;
}

/* ---- linear program: flows by target over arcs, one variable for the rate ----------------------------------------- */

enum { LP_VARIABLES = 9000 };

struct program {
	glp_prob *lp;
	VEC(int) row, column;
	VEC(double) value;
};

static void entry(struct program *x, int row, int column, double value)
{
	vec_push(&x->row, row);
	vec_push(&x->column, column);
	vec_push(&x->value, value);
}

/* Conservation for one target: what v sends and what passes through it goes on. */
static void add_target(struct program *x, const struct concurrent *c, uint32_t target, int first_column, int *rows)
{
	const struct cutgraph *g = c->g;

	for (uint32_t v = 0; v < g->n; v++) {
		if (v == target)
			continue;
		++*rows;
		glp_add_rows(x->lp, 1);
		glp_set_row_bnds(x->lp, *rows, GLP_FX, 0, 0);
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			entry(x, *rows, first_column + (int)i, 1);
			if (g->to[i] != target)
				entry(x, *rows, first_column + (int)c->back[i], -1);
			if (!forwards(c, v, target))
				glp_set_col_bnds(x->lp, first_column + (int)c->back[i], GLP_FX, 0, 0);
		}
		if (c->amount[v] > 0)
			entry(x, *rows, 1, -c->amount[v]);
	}
}

static int solve_program(struct program *x, double *value)
{
	glp_smcp options;
	int status;

	glp_load_matrix(x->lp, (int)x->row.n - 1, x->row.at, x->column.at, x->value.at);
	glp_init_smcp(&options);
	options.msg_lev = GLP_MSG_OFF;
	options.presolve = GLP_ON;
	options.tm_lim = 8000;
	status = glp_simplex(x->lp, &options);
	*value = glp_get_obj_val(x->lp);
	return status == 0 && glp_get_status(x->lp) == GLP_OPT;
}

bool concurrent_solve(const struct concurrent *constant, double *value)
{
	struct concurrent *c = concurrent_new(constant->g, constant->blocked, constant->d);
	const struct cutgraph *g = c->g;
	struct program x = {0};
	int arcs = 2 * (int)g->m, targets = 0, rows = 0, first = 2, solved;

	for (uint32_t t = 0; t < g->n; t++)
		targets += is_target(c, t);
	if (!arcs || (int64_t)targets * arcs > LP_VARIABLES) {
		concurrent_free(c);
		return false;
	}
	entry(&x, 0, 0, 0); /* GLPK counts from 1 */
	x.lp = glp_create_prob();
	glp_set_obj_dir(x.lp, GLP_MAX);
	glp_add_cols(x.lp, 1 + targets * arcs);
	glp_set_obj_coef(x.lp, 1, 1);
	for (int i = 1; i <= 1 + targets * arcs; i++)
		glp_set_col_bnds(x.lp, i, GLP_LO, 0, 0);
	for (uint32_t t = 0; t < g->n; t++) {
		if (!is_target(c, t))
			continue;
		load_demand(c, t);
		add_target(&x, c, t, first, &rows);
		first += arcs;
	}
	glp_add_rows(x.lp, arcs);
	for (int i = 0; i < arcs; i++) {
		glp_set_row_bnds(x.lp, ++rows, GLP_UP, 0, (double)g->cap_to[i]);
		for (int t = 0; t < targets; t++)
			entry(&x, rows, 2 + t * arcs + i, 1);
	}
	solved = solve_program(&x, value);
	glp_delete_prob(x.lp);
	vec_free(&x.row);
	vec_free(&x.column);
	vec_free(&x.value);
	concurrent_free(c);
	return solved;
}
