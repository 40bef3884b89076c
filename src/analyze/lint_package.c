/* lint of what is placed: links longer than their medium reaches, and dies whose edge is too short for the links that
 * leave across it (count × rate / density against the shoreline of the link or the edge that faces the other die).
 */
#include "analyze/lint.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/placing.h"

enum { LONG_SHOWN = 8, EDGES_SHOWN = 16 };

static double millimetres(uint64_t um)
{
	return (double)um / 1000;
}

/* ---- reach ------------------------------------------------------------------------------------------------------ */

static void put_length(struct strbuf *b, uint64_t um)
{
	if (um < 100000)
		strbuf_printf(b, "%.3g mm", millimetres(um));
	else
		strbuf_printf(b, "%.3g m", millimetres(um) / 1000);
}

static void add_too_long(struct linter *l, uint32_t t, struct span s, const struct medium *m)
{
	const struct trunk *x = &l->f->trunks[t];
	struct strbuf b = STRBUF_INIT;

	put_length(&b, s.um);
	strbuf_puts(&b, s.estimated ? ", as placed, " : " ");
	strbuf_printf(&b, "and %s reaches ", fabric_str(l->f, m->name));
	put_length(&b, m->reach_um);
	if (m->model_default)
		strbuf_puts(&b, " (assumed)");
	lint_add(l, LEVEL_WARNING, "reach-exceeded", lint_origin(l, x->origin), x->a, "%s -- %s is %s", lint_path(l, x->a),
		 lint_path(l, x->b), strbuf_str(&b));
	strbuf_free(&b);
}

static void check_reach(struct linter *l)
{
	uint32_t found = 0;

	for (uint32_t t = 0; t < l->f->trunk_count; t++) {
		uint32_t medium = l->f->kinds.at[l->f->trunks[t].kind].medium;
		const struct medium *m = medium == NONE ? NULL : &l->f->media.at[medium];
		struct span s;

		if (!m || m->reach_um == UNKNOWN)
			continue;
		s = trunk_span(l->f, t);
		if (s.um != UNKNOWN && s.um > m->reach_um && found++ < LONG_SHOWN)
			add_too_long(l, t, s, m);
	}
	if (found > LONG_SHOWN)
		lint_add(l, LEVEL_WARNING, "reach-exceeded", (struct mark){0}, NONE, "%u more links are longer than their medium reaches",
			 found - LONG_SHOWN);
}

/* ---- die edges ---------------------------------------------------------------------------------------------------- */

static uint64_t kind_density(const struct fabric *f, const struct link_kind *k)
{
	if (k->density_bps_mm != UNKNOWN)
		return k->density_bps_mm;
	return k->medium == NONE ? UNKNOWN : f->media.at[k->medium].density_bps_mm;
}

/* Micrometres of die edge that a trunk needs, or UNKNOWN. */
static double edge_needed(const struct fabric *f, const struct trunk *t)
{
	uint64_t density = kind_density(f, &f->kinds.at[t->kind]);

	if (density == UNKNOWN || !density || t->rate == UNKNOWN || t->count == NONE)
		return -1;
	return (double)t->count * (double)t->rate / (double)density * 1000;
}

/* A rounding of rates and densities is no reason to complain. */
static bool exceeds(double needed, uint64_t have)
{
	return needed > (double)have * 1.000001;
}

static void check_shorelines(struct linter *l)
{
	for (size_t i = 0; i < l->f->kinds.n; i++) {
		const struct link_kind *k = &l->f->kinds.at[i];
		uint64_t density = kind_density(l->f, k);
		double needed = density == UNKNOWN || !density ? 0 : (double)k->rate / (double)density * 1000;

		if (k->shoreline_um == UNKNOWN || k->rate == UNKNOWN || !exceeds(needed, k->shoreline_um))
			continue;
		lint_add(l, LEVEL_WARNING, "edge-exceeded", k->mark, NONE, "a %s link needs %.3g mm of die edge and has %.3g mm",
			 fabric_str(l->f, k->name), needed / 1000, millimetres(k->shoreline_um));
	}
}

/* Edge in use on every side of one die; links to dies without a place count against the whole outline. */
static void check_die(struct linter *l, uint32_t d, uint32_t *found)
{
	const struct fabric *f = l->f;
	const struct device_type *type = &f->types.at[f->type[d]];
	double used[EDGE_COUNT] = {0}, all = 0;
	struct rect own, other;
	bool placed = device_rect(f, d, &own);

	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		uint32_t to = t->a == d ? t->b : t->a;
		double needed = edge_needed(f, t);
		enum die_edge e = EDGE_COUNT;

		if (needed < 0)
			continue;
		all += needed;
		if (placed && f->module[to] == f->module[d] && device_rect(f, to, &other))
			e = facing_edge(&own, &other);
		if (e != EDGE_COUNT)
			used[e] += needed;
	}
	for (int e = 0; placed && e < EDGE_COUNT; e++)
		if (exceeds(used[e], edge_length(&own, (enum die_edge)e)) && (*found)++ < EDGES_SHOWN)
			lint_add(l, LEVEL_WARNING, "edge-exceeded", type->mark, d,
				 "the links across the %s edge of %s need %.3g mm and it is %.3g mm long", die_edge_names[e],
				 lint_path(l, d), used[e] / 1000, millimetres(edge_length(&own, (enum die_edge)e)));
	if (exceeds(all, 2 * (type->width_um + type->height_um)) && (*found)++ < EDGES_SHOWN)
		lint_add(l, LEVEL_WARNING, "edge-exceeded", type->mark, d, "the links of %s need %.3g mm of die edge and it has %.3g mm",
			 lint_path(l, d), all / 1000, millimetres(2 * (type->width_um + type->height_um)));
}

static void check_edges(struct linter *l)
{
	uint32_t found = 0;

	for (uint32_t d = 0; d < l->f->device_count; d++)
		if (l->f->types.at[l->f->type[d]].width_um != UNKNOWN)
			check_die(l, d, &found);
	if (found > EDGES_SHOWN)
		lint_add(l, LEVEL_WARNING, "edge-exceeded", (struct mark){0}, NONE, "%u more die edges are too short", found - EDGES_SHOWN);
}

void lint_package(struct linter *l)
{
	check_reach(l);
	check_shorelines(l);
	check_edges(l);
}
