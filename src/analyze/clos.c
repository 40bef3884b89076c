/* Classifying one network of switches.
 *
 *   one switch               a crossbar: strict-sense non-blocking
 *   two switches, a trunk    strict-sense when the trunk carries what the smaller side can send
 *   two tiers, equal trunks  a folded Clos(n, S, u, r): n host links a leaf, S spines, trunks of u links, r leaves;
 *                            strict-sense iff S >= 2·floor((n-1)/u)+1 (Clos 1953, with trunks; two leaves need only S·u >= n),
 *                            rearrangeable iff S·u >= n (Slepian and Duguid)
 *   other trees              rearrangeable for sprayed packets when the tiers reduce to one switch (cut_reduce.c), else
 *                            blocking where a switch has more below than above
 *   links within a tier      direct: no ratio says it; throughput does
 */
#include "analyze/blocking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/cut.h"

struct clos {
	const struct request *r;
	const struct network *n;
	const struct part *part;
	uint32_t *tier;   /* per vertex of the projection; 0 terminals, NONE outside */
	uint32_t *found;  /* the same of all parts so far */
	bool *leaf;       /* switches whose terminals are a good part of their links */
	bool *raised;     /* switches above the leaves that have terminals too */
	uint64_t *down, *up;             /* capacity per vertex */
	uint64_t *down_links, *up_links;
	uint32_t *number;                /* vertex of the part's own graph */
	uint32_t *trunks_at, *trunks;    /* of the fabric, by edge of the projection */
	uint32_t tiers;
	bool lateral;
	const char *class, *claim;
	struct strbuf condition;
	double oversubscription; /* < 0: none */
};

static void find_tiers(struct clos *c)
{
	const struct network *n = c->n;
	uint32_t *queue = mem_array(c->part->switches.n + c->part->terminals.n, sizeof *queue), head = 0, tail = 0;

	for (size_t i = 0; i < c->part->switches.n; i++)
		c->tier[c->part->switches.at[i]] = NONE - 1;
	for (size_t i = 0; i < c->part->terminals.n; i++) {
		c->tier[c->part->terminals.at[i]] = 0;
		queue[tail++] = c->part->terminals.at[i];
	}
	while (head < tail) {
		uint32_t v = queue[head++];

		for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], v);

			if (c->tier[to] != NONE - 1 || (c->tier[v] == 0 && c->raised[to]))
				continue;
			c->tier[to] = c->tier[v] + 1;
			c->tiers = c->tier[to];
			queue[tail++] = to;
		}
	}
	free(queue);
}

static uint64_t links_of(const struct network *n, uint32_t e)
{
	return n->links[e] == NONE ? 0 : n->links[e];
}

static void sum_ports(struct clos *c)
{
	const struct network *n = c->n;

	c->lateral = false;
	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t v = c->part->switches.at[i];

		c->down[v] = c->up[v] = c->down_links[v] = c->up_links[v] = 0;
		for (uint32_t k = n->at[v]; k < n->at[v + 1]; k++) {
			uint32_t e = n->edge[k], to = network_other(n, e, v);

			if (c->tier[to] == NONE)
				continue;
			if (c->tier[to] < c->tier[v]) {
				c->down[v] += n->capacity[e];
				c->down_links[v] += links_of(n, e);
			} else if (c->tier[to] > c->tier[v]) {
				c->up[v] += n->capacity[e];
				c->up_links[v] += links_of(n, e);
			} else {
				c->lateral = true;
			}
		}
	}
}

/* A switch is a leaf when at least a third of its capacity goes to terminals. */
static bool is_leaf(const struct clos *c, uint32_t v)
{
	const struct network *n = c->n;
	uint64_t terminals = 0, others = 0;

	for (uint32_t k = n->at[v]; k < n->at[v + 1]; k++) {
		uint32_t tier = c->tier[network_other(n, n->edge[k], v)];

		terminals += tier == 0 ? n->capacity[n->edge[k]] : 0;
		others += tier != 0 && tier != NONE ? n->capacity[n->edge[k]] : 0;
	}
	return terminals && terminals >= others / 2;
}

/* A few hosts on a spine do not make it a leaf: it stands above the leaves that it joins. O(links). */
static bool raise_spines(struct clos *c)
{
	const struct network *n = c->n;
	bool any = false;

	for (size_t i = 0; i < c->part->switches.n; i++)
		c->leaf[c->part->switches.at[i]] = is_leaf(c, c->part->switches.at[i]);
	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t v = c->part->switches.at[i];
		bool joins = false;

		for (uint32_t k = n->at[v]; k < n->at[v + 1] && c->tier[v] == 1 && !c->leaf[v] && !joins; k++) {
			uint32_t to = network_other(n, n->edge[k], v);

			joins = c->tier[to] == 1 && c->leaf[to];
		}
		c->raised[v] = joins;
		any |= joins;
	}
	return any;
}

/* Where switches of one tier are linked to each other, spines with hosts of their own may be why. */
static void settle_tiers(struct clos *c)
{
	for (size_t i = 0; i < c->part->switches.n; i++)
		c->raised[c->part->switches.at[i]] = false;
	find_tiers(c);
	sum_ports(c);
	if (!c->lateral || !raise_spines(c))
		return;
	find_tiers(c);
	sum_ports(c);
	if (!c->lateral)
		return;
	for (size_t i = 0; i < c->part->switches.n; i++)
		c->raised[c->part->switches.at[i]] = false;
	find_tiers(c);
	sum_ports(c);
}

/* ---- per tier --------------------------------------------------------------------------------------------------------- */

struct extent {
	uint64_t min, max;
};

static void extend(struct extent *e, uint64_t x)
{
	e->min = x < e->min ? x : e->min;
	e->max = x > e->max ? x : e->max;
}

static json_t *extent_json(const struct clos *c, const struct extent *e, bool capacity)
{
	json_t *o = json_object();

	json_put(o, "min", capacity ? json_capacity(c->n, e->min) : json_integer((json_int_t)e->min));
	json_put(o, "max", capacity ? json_capacity(c->n, e->max) : json_integer((json_int_t)e->max));
	return o;
}

/* One row per tier. Returns the worst ratio of down to up in it, 0 at the top. */
static double put_tier(struct clos *c, json_t *list, uint32_t tier)
{
	struct extent down = {UNKNOWN, 0}, up = {UNKNOWN, 0}, down_links = {UNKNOWN, 0}, up_links = {UNKNOWN, 0};
	double least = -1, most = -1;
	uint32_t worst = NONE, count = 0;
	json_t *o = json_object(), *ratio = json_object();
	bool links = c->n->in_links;

	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t v = c->part->switches.at[i];
		double x = c->up[v] ? (double)c->down[v] / (double)c->up[v] : -1;

		if (c->tier[v] != tier)
			continue;
		count++;
		extend(&down, c->down[v]);
		extend(&up, c->up[v]);
		extend(&down_links, c->down_links[v]);
		extend(&up_links, c->up_links[v]);
		least = x >= 0 && (least < 0 || x < least) ? x : least;
		if (x > most) {
			most = x;
			worst = v;
		}
	}
	json_put(o, "tier", json_integer(tier));
	json_put(o, "switches", json_integer(count));
	json_put(o, "down_ports", extent_json(c, &down_links, false));
	json_put(o, "up_ports", extent_json(c, &up_links, false));
	json_put(o, links ? "down_links" : "down_Bps", extent_json(c, &down, true));
	json_put(o, links ? "up_links" : "up_Bps", extent_json(c, &up, true));
	json_put(ratio, "min", json_real(least));
	json_put(ratio, "max", json_real(most));
	json_put(o, "ratio", most < 0 ? json_null() : json_incref(ratio));
	json_decref(ratio);
	if (worst != NONE)
		json_put(o, "worst", json_device(c->r->fabric, c->n->device[worst]));
	json_array_append_new(list, o);
	return most < 0 ? 0 : most;
}

static json_t *tiers_json(struct clos *c)
{
	json_t *list = json_array();
	double product = 1;

	for (uint32_t t = 1; t <= c->tiers; t++) {
		double worst = put_tier(c, list, t);

		if (t < c->tiers)
			product *= worst;
	}
	c->oversubscription = c->lateral ? -1 : product;
	return list;
}

/* ---- folded Clos --------------------------------------------------------------------------------------------------------- */

struct numbers {
	uint64_t n, spines, trunk, leaves; /* trunk: host links that fit into it */
	bool splits; /* an uplink is slower than a host link: only split traffic fits */
};

static uint64_t link_rate(const struct network *n, uint32_t e)
{
	return n->links[e] == NONE || !n->links[e] ? 0 : n->capacity[e] / n->links[e];
}

/* Two tiers, every leaf joined to every spine by the same trunk, one rate of host links? */
static bool clos_numbers(const struct clos *c, struct numbers *x)
{
	const struct network *n = c->n;
	uint64_t host = 0, trunk_rate = 0, trunk_links = 0, trunks = 0;

	*x = (struct numbers){0};
	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t v = c->part->switches.at[i];
		uint64_t hosts = 0;

		if (c->raised[v])
			return false; /* terminals on spines are not what the theorems speak of */
		x->spines += c->tier[v] == 2;
		x->leaves += c->tier[v] == 1;
		for (uint32_t k = n->at[v]; k < n->at[v + 1] && c->tier[v] == 1; k++) {
			uint32_t e = n->edge[k], to = network_other(n, e, v);
			uint64_t *rate = c->tier[to] == 0 ? &host : &trunk_rate;

			if (c->tier[to] == NONE)
				continue;
			if (!link_rate(n, e) || (*rate && *rate != link_rate(n, e)))
				return false;
			*rate = link_rate(n, e);
			hosts += c->tier[to] == 0 ? links_of(n, e) : 0;
			if (c->tier[to] == 2) {
				if (trunk_links && trunk_links != links_of(n, e))
					return false;
				trunk_links = links_of(n, e);
				trunks++;
			}
		}
		x->n = hosts > x->n ? hosts : x->n;
	}
	x->splits = trunk_rate < host;
	x->trunk = host ? trunk_links * (x->splits ? 1 : trunk_rate / host) : 0;
	return c->tiers == 2 && trunks == x->spines * x->leaves && x->trunk && host;
}

static void decide(struct clos *c, const char *class, const char *claim)
{
	c->class = class;
	c->claim = claim;
}

static void classify_clos(struct clos *c, const struct numbers *x)
{
	uint64_t strict = 2 * ((x->n - 1) / x->trunk) + 1;

	strbuf_printf(&c->condition, "folded Clos: n=%" PRIu64 " host links a leaf, %" PRIu64 " spines, trunks of %" PRIu64
				     ", %" PRIu64 " leaves: ", x->n, x->spines, x->trunk, x->leaves);
	if (x->leaves == 2 && x->spines * x->trunk >= x->n) {
		decide(c, "strict-sense", "circuits");
		strbuf_printf(&c->condition, "two leaves need only %" PRIu64 " ways for n", x->spines * x->trunk);
	} else if (x->spines >= strict) {
		decide(c, "strict-sense", "circuits");
		strbuf_printf(&c->condition, "spines >= 2·⌊(n-1)/trunk⌋+1 = %" PRIu64, strict);
	} else if (x->spines * x->trunk >= x->n) {
		decide(c, "rearrangeable", "circuits");
		strbuf_printf(&c->condition, "spines × trunk = %" PRIu64 " >= n, but strict-sense needs %" PRIu64 " spines",
			      x->spines * x->trunk, strict);
	} else {
		decide(c, "blocking", "");
		strbuf_printf(&c->condition, "spines × trunk = %" PRIu64 " < n", x->spines * x->trunk);
	}
}

/* ---- anything else --------------------------------------------------------------------------------------------------------- */

/* The part alone as a graph of the cut engine. */
static struct cutgraph part_graph(const struct clos *c)
{
	const struct network *n = c->n;
	uint32_t *number = c->number, count = 0;
	size_t members = c->part->switches.n + c->part->terminals.n;
	uint8_t *weight = mem_array(members, 1);
	VEC(uint32_t) u = {0}, v = {0};
	VEC(int64_t) cap = {0};
	struct cutgraph g;

	for (size_t i = 0; i < c->part->terminals.n; i++) {
		number[c->part->terminals.at[i]] = count;
		weight[count++] = 1;
	}
	for (size_t i = 0; i < c->part->switches.n; i++)
		number[c->part->switches.at[i]] = count++;
	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t x = c->part->switches.at[i];

		for (uint32_t k = n->at[x]; k < n->at[x + 1]; k++) {
			uint32_t to = network_other(n, n->edge[k], x);

			if (c->tier[to] == NONE || (c->tier[to] > 0 && to < x))
				continue;
			vec_push(&u, number[x]);
			vec_push(&v, number[to]);
			vec_push(&cap, (int64_t)n->capacity[n->edge[k]]);
		}
	}
	g = cutgraph_new(count, weight, u.n, u.at, v.at, cap.at);
	free(weight);
	vec_free(&u);
	vec_free(&v);
	vec_free(&cap);
	return g;
}

static bool reduces_to_one(const struct clos *c)
{
	struct cutgraph g = part_graph(c), reduced;
	uint32_t *map = mem_array(g.n, sizeof *map), switches = 0;

	reduced = cut_reduce(&g, true, map, NULL);
	for (uint32_t v = 0; v < reduced.n; v++)
		switches += !reduced.weight[v];
	cutgraph_free(&g);
	cutgraph_free(&reduced);
	free(map);
	return switches == 1;
}

static void classify_pair(struct clos *c)
{
	uint32_t a = c->part->switches.at[0], b = c->part->switches.at[1];
	uint64_t small = c->down[a] < c->down[b] ? c->down[a] : c->down[b], trunk = 0;

	for (uint32_t k = c->n->at[a]; k < c->n->at[a + 1]; k++)
		if (network_other(c->n, c->n->edge[k], a) == b)
			trunk = c->n->capacity[c->n->edge[k]];
	c->oversubscription = (double)small / (double)trunk;
	decide(c, trunk >= small ? "strict-sense" : "blocking", trunk >= small ? "circuits" : "");
	strbuf_printf(&c->condition, "two switches joined by a trunk of %.4g %% of what the smaller one has below",
		      100 * (double)trunk / (double)small);
}

static void classify_tree(struct clos *c)
{
	if (reduces_to_one(c)) {
		decide(c, "rearrangeable", "sprayed packets");
		strbuf_puts(&c->condition, "every trunk between switches carries all that one of its sides can send: the tiers reduce to one switch");
	} else if (c->oversubscription > 1) {
		decide(c, "blocking", "");
		strbuf_printf(&c->condition, "along the worst way up, %.4g times more can come in than go on", c->oversubscription);
	} else {
		decide(c, "unknown", "");
		strbuf_puts(&c->condition, "no switch has more below than above, but the ways up are not spread evenly");
	}
}

static void classify(struct clos *c)
{
	struct numbers x;

	if (c->part->direct || (c->lateral && c->part->switches.n > 2)) {
		c->oversubscription = -1;
		decide(c, "direct", "");
		strbuf_puts(&c->condition, c->part->direct ? "endpoints are linked to each other: see throughput"
							   : "switches of one tier are linked to each other: see throughput");
	} else if (c->lateral) {
		classify_pair(c);
	} else if (c->part->switches.n == 1) {
		c->oversubscription = 1;
		decide(c, "strict-sense", "circuits");
		strbuf_puts(&c->condition, "one switch between all endpoints: a crossbar");
	} else if (clos_numbers(c, &x) && !x.splits) {
		classify_clos(c, &x);
	} else {
		classify_tree(c);
	}
}

/* ---- the result ---------------------------------------------------------------------------------------------------------------- */

/* An edge at a vertex of the part whose other end belongs to the part too. */
static bool stays_inside(const struct clos *c, uint32_t v, uint32_t e)
{
	return c->tier[network_other(c->n, e, v)] != NONE;
}

static json_t *over_json(const struct clos *c)
{
	const struct fabric *f = c->r->fabric;
	bool *used = mem_array(f->kinds.n, sizeof *used);
	json_t *list = json_array();

	for (size_t i = 0; i < c->part->switches.n || (c->part->direct && i < c->part->terminals.n); i++) {
		uint32_t v = c->part->direct ? c->part->terminals.at[i] : c->part->switches.at[i];

		for (uint32_t k = c->n->at[v]; k < c->n->at[v + 1]; k++) {
			uint32_t e = c->n->edge[k];

			for (uint32_t t = c->trunks_at[e]; t < c->trunks_at[e + 1] && stays_inside(c, v, e); t++)
				used[f->trunks[c->trunks[t]].kind] |= f->kinds.at[f->trunks[c->trunks[t]].kind].use != USE_ATTACH;
		}
	}
	for (uint32_t k = 0; k < f->kinds.n; k++)
		if (used[k])
			json_array_append_new(list, json_string(fabric_str(f, f->kinds.at[k].name)));
	free(used);
	return list;
}

/* One flow on one link: the slowest link it may meet, and its part of what the endpoint injects. */
static json_t *flow_json(const struct clos *c)
{
	uint64_t rate = UNKNOWN, injection = UNKNOWN;
	json_t *o = json_object();

	for (size_t i = 0; i < c->part->switches.n; i++) {
		uint32_t v = c->part->switches.at[i];

		for (uint32_t k = c->n->at[v]; k < c->n->at[v + 1]; k++)
			if (stays_inside(c, v, c->n->edge[k]) && link_rate(c->n, c->n->edge[k]) &&
			    link_rate(c->n, c->n->edge[k]) < rate)
				rate = link_rate(c->n, c->n->edge[k]);
	}
	for (size_t i = 0; i < c->part->terminals.n; i++) {
		uint64_t x = c->n->injection[c->part->terminals.at[i]];

		injection = x && x < injection ? x : injection;
	}
	json_put(o, c->n->in_links ? "links" : "rate_Bps", json_capacity(c->n, rate));
	json_put(o, "of_injection", rate == UNKNOWN || injection == UNKNOWN ? json_null()
								      : json_real((double)rate / (double)injection));
	return o;
}

static json_t *numbers_json(const struct clos *c)
{
	struct numbers x;
	json_t *o;

	if (c->lateral || !clos_numbers(c, &x))
		return json_null();
	o = json_object();
	json_put(o, "n", json_integer((json_int_t)x.n));
	json_put(o, "spines", json_integer((json_int_t)x.spines));
	json_put(o, "trunk", json_integer((json_int_t)x.trunk));
	json_put(o, "leaves", json_integer((json_int_t)x.leaves));
	return o;
}

/* The ends of an edge may stand for whole modules: only its trunks know their kinds. */
static void index_trunks(struct clos *c)
{
	const struct network *n = c->n;
	uint32_t count = c->r->fabric->trunk_count;

	c->trunks_at = mem_array((size_t)n->edge_count + 2, sizeof *c->trunks_at);
	c->trunks = mem_array(count, sizeof *c->trunks);
	for (uint32_t t = 0; t < count; t++)
		if (n->edge_of[t] != NONE)
			c->trunks_at[n->edge_of[t] + 2]++;
	for (uint32_t e = 2; e < n->edge_count + 2; e++)
		c->trunks_at[e] += c->trunks_at[e - 1];
	for (uint32_t t = 0; t < count; t++)
		if (n->edge_of[t] != NONE)
			c->trunks[c->trunks_at[n->edge_of[t] + 1]++] = t;
}

struct clos *clos_new(const struct request *r, const struct network *n)
{
	struct clos *c = mem_alloc(sizeof *c);

	c->r = r;
	c->n = n;
	c->tier = mem_array(n->vertex_count, sizeof *c->tier);
	c->down = mem_array(n->vertex_count, sizeof *c->down);
	c->up = mem_array(n->vertex_count, sizeof *c->up);
	c->down_links = mem_array(n->vertex_count, sizeof *c->down_links);
	c->up_links = mem_array(n->vertex_count, sizeof *c->up_links);
	c->number = mem_array(n->vertex_count, sizeof *c->number);
	c->found = mem_array(n->vertex_count, sizeof *c->found);
	c->leaf = mem_array(n->vertex_count, sizeof *c->leaf);
	c->raised = mem_array(n->vertex_count, sizeof *c->raised);
	memset(c->tier, 0xff, n->vertex_count * sizeof *c->tier);
	memset(c->found, 0xff, n->vertex_count * sizeof *c->found);
	if (!n->unknown)
		index_trunks(c);
	return c;
}

void clos_free(struct clos *c)
{
	strbuf_free(&c->condition);
	free(c->tier);
	free(c->found);
	free(c->leaf);
	free(c->raised);
	free(c->down);
	free(c->up);
	free(c->down_links);
	free(c->up_links);
	free(c->number);
	free(c->trunks_at);
	free(c->trunks);
	free(c);
}

/* Only what the last part touched is reset: halls have thousands of parts. */
static void start_part(struct clos *c, const struct part *part)
{
	c->part = part;
	c->tiers = 0;
	c->oversubscription = -1;
	strbuf_trim(&c->condition, 0);
}

static void end_part(struct clos *c)
{
	for (size_t i = 0; i < c->part->switches.n; i++) {
		c->found[c->part->switches.at[i]] = c->tier[c->part->switches.at[i]];
		c->tier[c->part->switches.at[i]] = NONE;
	}
	for (size_t i = 0; i < c->part->terminals.n; i++)
		c->tier[c->part->terminals.at[i]] = NONE;
}

json_t *clos_classify(struct clos *c, const struct part *part)
{
	json_t *o = json_object(), *tiers;

	start_part(c, part);
	settle_tiers(c);
	tiers = tiers_json(c);
	classify(c);
	json_put(o, "over", over_json(c));
	json_put(o, "endpoints", json_integer((json_int_t)part->terminals.n));
	json_put(o, "switches", json_integer((json_int_t)part->switches.n));
	json_put(o, "tiers", json_integer(c->tiers));
	json_put(o, "class", json_string(c->class));
	json_put(o, "oversubscription", c->oversubscription < 0 ? json_null() : json_real(c->oversubscription));
	json_put(o, "condition", json_string(strbuf_str(&c->condition)));
	json_put(o, "claim", json_string(c->claim));
	json_put(o, "clos", numbers_json(c));
	json_put(o, "flow", flow_json(c));
	json_put(o, "tier_list", tiers);
	end_part(c);
	return o;
}

void clos_mark(const struct clos *c, struct progress *p)
{
	const struct request *r = c->r;
	const struct network *n = c->n;
	struct idset all = idset_new(r->fabric->device_count);
	uint32_t *value = mem_array(r->fabric->device_count, sizeof *value);
	uint32_t *tier = mem_array(n->vertex_count, sizeof *tier);
	uint64_t unit;
	struct cutgraph g = cutgraph_of(n, &unit);

	cut_tiers(&g, tier);
	for (uint32_t d = 0; d < r->fabric->device_count; d++) {
		uint32_t v = n->vertex_of[d];

		if (v == NONE || tier[v] == NONE)
			continue;
		idset_add(&all, d);
		value[d] = c->found[v] != NONE ? c->found[v] : tier[v];
	}
	progress_mark(p, "tier", false, &all, value);
	cutgraph_free(&g);
	idset_free(&all);
	free(value);
	free(tier);
}
