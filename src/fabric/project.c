/* Projection: which devices are endpoints, which links count, who forwards (DESIGN 6), as a capacitated graph.
 *
 * Two things shrink to one vertex. A module that is one endpoint (of a class, or with --unit) is one vertex
 * with all that lies in it. A NIC behind a single attach hop joins its accelerator when the hop carries at
 * least what the NIC carries onward: the NIC then cannot relay between its own ports, which is also the truth.
 */
#include "toponaut/fabric.h"

#include <stdlib.h>
#include <string.h>

struct projector {
	const struct fabric *f;
	const struct overlay *o;
	const struct projection_options *p;
	struct idset kinds, selection;
	uint64_t *onward;      /* per device: what a NIC carries besides attach hops (undamaged when 0 is asked) */
	uint32_t *group;       /* per device: the module it is one vertex with, or NONE */
	bool *endpoint;        /* per device: part of an endpoint */
	enum device_class class;
	struct network n;
};

/* ---- which links count ------------------------------------------------------------------------------- */

static void choose_kinds(struct projector *x)
{
	x->kinds = idset_new((uint32_t)x->f->kinds.n);
	if (x->p->over)
		idset_union(&x->kinds, x->p->over);
	else
		for (uint32_t k = 0; k < x->f->kinds.n; k++)
			if (x->f->kinds.at[k].use == USE_FABRIC)
				idset_add(&x->kinds, k);
}

static uint64_t add_capacity(uint64_t a, uint64_t b)
{
	if (a == UNKNOWN || b == UNKNOWN)
		return UNKNOWN;
	return a > UNKNOWN - 1 - b ? UNKNOWN - 1 : a + b;
}

static bool is_attach(const struct projector *x, uint32_t t)
{
	const struct trunk *trunk = &x->f->trunks[t];

	return x->f->kinds.at[trunk->kind].use == USE_ATTACH && !idset_has(&x->kinds, trunk->kind);
}

static void sum_onward(struct projector *x, const struct overlay *o)
{
	memset(x->onward, 0, x->f->device_count * sizeof *x->onward);
	for (uint32_t t = 0; t < x->f->trunk_count; t++) {
		const struct trunk *trunk = &x->f->trunks[t];

		if (!idset_has(&x->kinds, trunk->kind))
			continue;
		x->onward[trunk->a] = add_capacity(x->onward[trunk->a], trunk_capacity(x->f, o, t));
		x->onward[trunk->b] = add_capacity(x->onward[trunk->b], trunk_capacity(x->f, o, t));
	}
}

/* The NIC end of an attach hop, or NONE. */
static uint32_t attach_nic(const struct projector *x, uint32_t t)
{
	const struct trunk *trunk = &x->f->trunks[t];

	if (device_class(x->f, trunk->a) == CLASS_NIC)
		return trunk->a;
	return device_class(x->f, trunk->b) == CLASS_NIC ? trunk->b : NONE;
}

static bool trunk_counts(const struct projector *x, uint32_t t)
{
	uint32_t nic;

	if (idset_has(&x->kinds, x->f->trunks[t].kind))
		return true;
	if (!is_attach(x, t))
		return false;
	nic = attach_nic(x, t);
	return nic != NONE && x->onward[nic] != 0;
}

/* ---- endpoints ------------------------------------------------------------------------------------------ */

static void copy_selection(struct projector *x)
{
	if (x->p->selection) {
		x->selection = idset_copy(x->p->selection);
		return;
	}
	x->selection = idset_new(x->f->device_count);
	idset_add_range(&x->selection, 0, x->f->device_count);
}

/* Endpoints of another class were asked for, and the module holds such devices. */
static bool holds_endpoints(const struct projector *x, const struct module *m)
{
	if (x->p->endpoints == CLASS_NONE || m->class == x->p->endpoints)
		return false;
	for (uint32_t d = m->first_device; d < m->end_device; d++)
		if (device_class(x->f, d) == x->p->endpoints)
			return true;
	return false;
}

/* Modules of a class are closed (one endpoint) unless the whole selection lies inside, or its devices are the endpoints
 * that were asked for. The outermost wins. */
static void group_by_class(struct projector *x)
{
	uint32_t first = idset_next(&x->selection, 0), last = first;
	const struct module *m = x->f->modules.at;

	for (uint32_t id = first; id != NONE; id = idset_next(&x->selection, id + 1))
		last = id;
	for (uint32_t i = 1; i < x->f->modules.n;) {
		bool open = first != NONE && first >= m[i].first_device && last < m[i].end_device;

		if (m[i].class == CLASS_NONE || open || holds_endpoints(x, &m[i])) {
			i++;
			continue;
		}
		for (uint32_t d = m[i].first_device; d < m[i].end_device; d++)
			x->group[d] = i;
		i = m[i].end;
	}
}

static void group_by_unit(struct projector *x, enum module_kind kind)
{
	const struct module *m = x->f->modules.at;

	for (uint32_t i = 1; i < x->f->modules.n;) {
		if (m[i].kind != kind) {
			i++;
			continue;
		}
		for (uint32_t d = m[i].first_device; d < m[i].end_device; d++)
			x->group[d] = i;
		i = m[i].end;
	}
}

/* Sides of whole modules need every endpoint in such a module, and more than one of them. */
static const char *unit_fault(const struct projector *x)
{
	if (x->f->modules.at[0].kind == (enum module_kind)x->p->unit)
		return "the whole fabric is one module of the kind to balance";
	for (uint32_t d = 0; d < x->f->device_count; d++)
		if (x->endpoint[d] && (x->group[d] == NONE ||
				       x->f->modules.at[x->group[d]].kind != (enum module_kind)x->p->unit))
			return "some endpoints stand in no module of the kind to balance";
	return NULL;
}

/* The class as seen from above. */
static enum device_class seen_class(const struct projector *x, uint32_t d)
{
	enum device_class c = x->group[d] == NONE ? CLASS_NONE : x->f->modules.at[x->group[d]].class;

	return c == CLASS_NONE ? device_class(x->f, d) : c;
}

static bool has_counted_trunk(const struct projector *x, uint32_t d)
{
	for (uint32_t i = x->f->incident_at[d]; i < x->f->incident_at[d + 1]; i++)
		if (trunk_counts(x, x->f->incident[i]))
			return true;
	return false;
}

static enum device_class choose_class(const struct projector *x)
{
	static const enum device_class order[] = {CLASS_GPU, CLASS_HOST, CLASS_NIC, CLASS_DIE};
	bool present[CLASS_COUNT] = {false};

	if (x->p->endpoints != CLASS_NONE)
		return x->p->endpoints;
	idset_each(d, &x->selection) {
		enum device_class c = seen_class(x, d);

		if (!present[c] && has_counted_trunk(x, d))
			present[c] = true;
		if (present[CLASS_GPU])
			break;
	}
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (present[order[i]])
			return order[i];
	return CLASS_NONE;
}

static void choose_endpoints(struct projector *x)
{
	x->class = choose_class(x);
	idset_each(d, &x->selection)
		x->endpoint[d] = seen_class(x, d) == x->class &&
				 !(x->o && idset_has(&x->o->failed, d));
	if (x->p->unit >= 0) {
		group_by_unit(x, (enum module_kind)x->p->unit);
		x->n.unknown = unit_fault(x);
	} else if (x->class == CLASS_NIC)
		group_by_unit(x, MODULE_HOST);
}

/* ---- vertices -------------------------------------------------------------------------------------------- */

/* Groups without an endpoint dissolve: their devices stand for themselves. */
static void dissolve_groups(struct projector *x)
{
	bool *used = mem_array(x->f->modules.n, sizeof *used);

	for (uint32_t d = 0; d < x->f->device_count; d++)
		if (x->endpoint[d] && x->group[d] != NONE)
			used[x->group[d]] = true;
	for (uint32_t d = 0; d < x->f->device_count; d++)
		if (x->group[d] != NONE && !used[x->group[d]])
			x->group[d] = NONE;
	free(used);
}

/* A NIC forwards between its endpoint and its own ports; without the endpoint it is in nobody's way. */
static bool serves_endpoint(const struct projector *x, uint32_t nic)
{
	for (uint32_t i = x->f->incident_at[nic]; i < x->f->incident_at[nic + 1]; i++) {
		uint32_t t = x->f->incident[i];

		if (trunk_counts(x, t) && trunk_links(x->f, x->o, t) != 0 && x->endpoint[trunk_other(x->f, t, nic)])
			return true;
	}
	return false;
}

static bool is_kept(const struct projector *x, uint32_t d)
{
	enum device_class c = device_class(x->f, d);

	if (x->o && idset_has(&x->o->failed, d))
		return false;
	if (x->endpoint[d])
		return true;
	if (x->p->transit_selected && !idset_has(&x->selection, d))
		return false;
	if (x->group[d] != NONE)
		return seen_class(x, d) != x->class || idset_has(&x->selection, d);
	return c == CLASS_SWITCH || c == CLASS_IO || (c == CLASS_NIC && c != x->class && serves_endpoint(x, d));
}

/* The one device that a NIC's attach hop leads to when the NIC can join it, or NONE. */
static uint32_t joined_to(const struct projector *x, uint32_t d)
{
	uint32_t host = NONE;

	if (x->p->keep_nics || device_class(x->f, d) != CLASS_NIC || x->endpoint[d] || x->group[d] != NONE || x->onward[d] == UNKNOWN)
		return NONE;
	for (uint32_t i = x->f->incident_at[d]; i < x->f->incident_at[d + 1]; i++) {
		uint32_t t = x->f->incident[i];

		if (!is_attach(x, t) || !trunk_counts(x, t) || trunk_links(x->f, x->o, t) == 0)
			continue;
		if (host != NONE || trunk_capacity(x->f, x->o, t) < x->onward[d])
			return NONE;
		host = trunk_other(x->f, t, d);
	}
	return host != NONE && is_kept(x, host) && x->endpoint[host] ? host : NONE;
}

static uint32_t new_vertex(struct projector *x, uint32_t device)
{
	x->n.device[x->n.vertex_count] = device;
	return x->n.vertex_count++;
}

static void number_vertices(struct projector *x)
{
	uint32_t *of_module = mem_array(x->f->modules.n, sizeof *of_module);
	struct network *n = &x->n;

	memset(of_module, 0xff, x->f->modules.n * sizeof *of_module);
	for (uint32_t d = 0; d < x->f->device_count; d++) {
		uint32_t *slot = x->group[d] == NONE ? &n->vertex_of[d] : &of_module[x->group[d]];

		n->vertex_of[d] = NONE;
		if (!is_kept(x, d) || joined_to(x, d) != NONE)
			continue;
		if (*slot == NONE)
			*slot = new_vertex(x, d);
		n->vertex_of[d] = *slot;
		if (x->endpoint[d])
			n->weight[*slot] = 1;
	}
	for (uint32_t d = 0; d < x->f->device_count; d++) {
		uint32_t host = is_kept(x, d) ? joined_to(x, d) : NONE;

		if (host != NONE)
			n->vertex_of[d] = n->vertex_of[host];
	}
	free(of_module);
}

static void set_forwarding(struct projector *x)
{
	for (uint32_t d = 0; d < x->f->device_count; d++) {
		uint32_t v = x->n.vertex_of[d];
		enum device_class c = device_class(x->f, d);

		if (v == NONE)
			continue;
		x->n.nic[v] = c == CLASS_NIC && !x->n.weight[v];
		if (x->endpoint[d])
			x->n.forwards[v] |= x->p->relay || x->f->types.at[x->f->type[d]].relay;
		else if (!x->n.weight[v] || c == CLASS_SWITCH || c == CLASS_IO)
			x->n.forwards[v] = true;
	}
}

/* ---- edges ---------------------------------------------------------------------------------------------- */

struct raw_edge {
	uint32_t u, v, trunk;
};

static int compare_raw(const void *p, const void *q)
{
	const struct raw_edge *a = p, *b = q;

	if (a->u != b->u)
		return a->u < b->u ? -1 : 1;
	if (a->v != b->v)
		return a->v < b->v ? -1 : 1;
	return a->trunk < b->trunk ? -1 : a->trunk > b->trunk;
}

static size_t collect_edges(const struct projector *x, struct raw_edge *raw)
{
	size_t m = 0;
	bool sorted = true;

	for (uint32_t t = 0; t < x->f->trunk_count; t++) {
		uint32_t u = x->n.vertex_of[x->f->trunks[t].a], v = x->n.vertex_of[x->f->trunks[t].b];

		if (u == NONE || v == NONE || u == v || !trunk_counts(x, t) || trunk_links(x->f, x->o, t) == 0 ||
		    trunk_capacity(x->f, x->o, t) == 0) /* a link that carries nothing is none */
			continue;
		raw[m] = (struct raw_edge){u < v ? u : v, u < v ? v : u, t};
		sorted = sorted && (!m || compare_raw(&raw[m - 1], &raw[m]) < 0);
		m++;
	}
	if (!sorted)
		qsort(raw, m, sizeof *raw, compare_raw);
	return m;
}

/* With an unknown rate the answer is in links, when that is one kind of link, all counted. */
static void choose_unit(struct projector *x, const struct raw_edge *raw, size_t m)
{
	bool rates = true, counts = true, one_kind = true;

	for (size_t i = 0; i < m; i++) {
		rates = rates && trunk_capacity(x->f, x->o, raw[i].trunk) != UNKNOWN;
		counts = counts && trunk_links(x->f, x->o, raw[i].trunk) != NONE;
		one_kind = one_kind && x->f->trunks[raw[i].trunk].kind == x->f->trunks[raw[0].trunk].kind;
		if ((x->f->flags[x->f->trunks[raw[i].trunk].a] | x->f->flags[x->f->trunks[raw[i].trunk].b]) & FLAG_INCOMPLETE)
			x->n.unknown = "some devices have links that the file does not list";
	}
	if (rates)
		return;
	x->n.in_links = counts && one_kind;
	if (!counts)
		x->n.unknown = "the number of links of some trunks is not known";
	else if (!one_kind)
		x->n.unknown = "the rate of some links is not known, and they are not all of one kind";
}

/* Sums of capacities, of both directions too, must be exact: what does not fit is unknown and not wrong. */
static void check_range(struct projector *x)
{
	uint64_t all = 0;

	for (uint32_t e = 0; e < x->n.edge_count && !x->n.unknown; e++) {
		all = add_capacity(all, x->n.capacity[e]);
		if (all > INT64_MAX / 2)
			x->n.unknown = "the rates of all links add up to more than can be calculated with";
	}
}

static uint64_t counted_capacity(const struct projector *x, uint32_t t)
{
	if (x->n.in_links)
		return trunk_links(x->f, x->o, t);
	return trunk_capacity(x->f, x->o, t);
}

static void add_edge(struct projector *x, const struct raw_edge *e)
{
	struct network *n = &x->n;
	uint32_t links = trunk_links(x->f, x->o, e->trunk);
	uint32_t i = n->edge_count;

	if (!i || n->u[i - 1] != e->u || n->v[i - 1] != e->v) {
		n->u[i] = e->u;
		n->v[i] = e->v;
		n->edge_count = ++i;
	}
	n->capacity[i - 1] = add_capacity(n->capacity[i - 1], counted_capacity(x, e->trunk));
	n->links[i - 1] = links == NONE || n->links[i - 1] == NONE ? NONE : n->links[i - 1] + links;
	n->edge_of[e->trunk] = i - 1;
}

static void build_edges(struct projector *x)
{
	struct raw_edge *raw = mem_array(x->f->trunk_count, sizeof *raw);
	struct network *n = &x->n;
	size_t m = collect_edges(x, raw);

	choose_unit(x, raw, m);
	n->u = mem_array(m, sizeof *n->u);
	n->v = mem_array(m, sizeof *n->v);
	n->capacity = mem_array(m, sizeof *n->capacity);
	n->links = mem_array(m, sizeof *n->links);
	memset(n->edge_of, 0xff, x->f->trunk_count * sizeof *n->edge_of);
	for (size_t i = 0; i < m; i++)
		add_edge(x, &raw[i]);
	free(raw);
	n->at = mem_array(n->vertex_count + (size_t)2, sizeof *n->at);
	n->edge = mem_array(2 * (size_t)n->edge_count, sizeof *n->edge);
	for (uint32_t e = 0; e < n->edge_count; e++) {
		n->at[n->u[e] + 2]++;
		n->at[n->v[e] + 2]++;
	}
	for (uint32_t v = 2; v < n->vertex_count + 2; v++)
		n->at[v] += n->at[v - 1];
	for (uint32_t e = 0; e < n->edge_count; e++) {
		n->edge[n->at[n->u[e] + 1]++] = e;
		n->edge[n->at[n->v[e] + 1]++] = e;
	}
}

/* What an endpoint can send: its links; over an attach hop at most what the NIC carries onward. */
static void sum_injection(struct projector *x)
{
	struct network *n = &x->n;

	for (uint32_t v = 0; v < n->vertex_count; v++) {
		for (uint32_t i = n->at[v]; n->weight[v] && i < n->at[v + 1]; i++) {
			uint32_t other = network_other(n, n->edge[i], v), d = n->device[other];
			uint64_t capacity = n->capacity[n->edge[i]];

			if (!n->in_links && !n->weight[other] && device_class(x->f, d) == CLASS_NIC &&
			    x->onward[d] < capacity)
				capacity = x->onward[d];
			n->injection[v] = add_capacity(n->injection[v], capacity);
		}
		if (n->weight[v]) {
			n->endpoint_count++;
			n->stranded += n->injection[v] == 0;
		}
	}
}

struct network network_build(const struct fabric *f, const struct overlay *o, const struct projection_options *p)
{
	struct projector x = {.f = f, .o = o, .p = p};
	uint32_t devices = f->device_count;

	x.onward = mem_array(devices, sizeof *x.onward);
	x.group = mem_array(devices, sizeof *x.group);
	x.endpoint = mem_array(devices, sizeof *x.endpoint);
	memset(x.group, 0xff, devices * sizeof *x.group);
	x.n.weight = mem_array(devices, sizeof *x.n.weight);
	x.n.forwards = mem_array(devices, sizeof *x.n.forwards);
	x.n.nic = mem_array(devices, sizeof *x.n.nic);
	x.n.injection = mem_array(devices, sizeof *x.n.injection);
	x.n.device = mem_array(devices, sizeof *x.n.device);
	x.n.vertex_of = mem_array(devices, sizeof *x.n.vertex_of);
	x.n.edge_of = mem_array(f->trunk_count, sizeof *x.n.edge_of);
	choose_kinds(&x);
	copy_selection(&x);
	sum_onward(&x, NULL); /* the class of the endpoints is that of the undamaged fabric */
	group_by_class(&x);
	choose_endpoints(&x);
	dissolve_groups(&x);
	sum_onward(&x, o);
	number_vertices(&x);
	set_forwarding(&x);
	build_edges(&x);
	check_range(&x);
	sum_injection(&x);
	x.n.endpoint_class = x.class;
	x.n.kinds = x.kinds;
	idset_free(&x.selection);
	free(x.onward);
	free(x.group);
	free(x.endpoint);
	return x.n;
}

void network_free(struct network *n)
{
	free(n->weight);
	free(n->forwards);
	free(n->nic);
	free(n->injection);
	free(n->device);
	free(n->vertex_of);
	free(n->u);
	free(n->v);
	free(n->capacity);
	free(n->links);
	free(n->at);
	free(n->edge);
	free(n->edge_of);
	idset_free(&n->kinds);
	*n = (struct network){0};
}

uint32_t network_other(const struct network *n, uint32_t edge, uint32_t vertex)
{
	return n->u[edge] == vertex ? n->v[edge] : n->u[edge];
}
