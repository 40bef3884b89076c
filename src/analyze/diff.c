/* diff: cables of designs against cables of what was built. Cables are compared by their devices and, where both sides know
 * them, their ports. First what is equal is set aside, then pairs of cables that exchange their far ends (a swap), then cables
 * between the same devices at other ports, then planned and built cables that have one end in common.
 */
#include "analyze/diff.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[DIFF_KINDS] = {
	[DIFF_SAME] = "same",         [DIFF_SLOWER] = "slower",   [DIFF_WRONG_PORT] = "wrong_port", [DIFF_MISWIRED] = "miswired",
	[DIFF_SWAPPED] = "swapped",   [DIFF_MISSING] = "missing", [DIFF_EXTRA] = "extra",
};

struct diff {
	struct diff_nodes nodes;
	const struct diff_options *o;
	struct diff_marks *marks; /* or NULL */
	VEC(struct diff_cable) cables;
	struct idset portless;  /* nodes whose ports one side does not know */
	struct strtab ports;
	json_t *list;
	uint64_t counts[DIFF_KINDS];
	size_t ignored;
};

/* ---- gathering -------------------------------------------------------------------------------- */

static bool same_chassis(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t chassis = device_ancestor(f, a, MODULE_CHASSIS);

	return a != b && chassis != NONE && chassis == device_ancestor(f, b, MODULE_CHASSIS) &&
	       device_class(f, a) == CLASS_SWITCH && device_class(f, b) == CLASS_SWITCH;
}

static bool is_ignored(const struct diff *x, size_t fabric, uint32_t device)
{
	struct strbuf b = STRBUF_INIT;
	bool yes = false;

	if (!x->o->ignore_count)
		return false;
	device_path(x->nodes.fabric[fabric], device, &b);
	for (size_t i = 0; i < x->o->ignore_count; i++)
		yes |= !fnmatch(x->o->ignore[i], b.text, FNM_CASEFOLD) ||
		       !fnmatch(x->o->ignore[i], x->nodes.label[fabric][device], FNM_CASEFOLD);
	strbuf_free(&b);
	return yes;
}

static void add(struct diff *x, size_t fabric, const struct cable *c)
{
	const struct fabric *f = x->nodes.fabric[fabric];
	struct diff_cable d = {.fabric = (uint32_t)fabric, .device = {c->a, c->b}, .port = {c->port_a, c->port_b},
			       .rate = c->rate, .origin = c->origin, .peer = NONE};

	if (f->kinds.at[c->kind].use != USE_FABRIC || device_class(f, c->a) == CLASS_IO || device_class(f, c->b) == CLASS_IO ||
	    same_chassis(f, c->a, c->b))
		return;
	if (is_ignored(x, fabric, c->a) || is_ignored(x, fabric, c->b)) {
		x->ignored++;
		return;
	}
	for (int i = 0; i < 2; i++) {
		d.end[i].node = x->nodes.of[fabric][d.device[i]];
		d.end[i].port = NONE;
		if (d.port[i] == NONE)
			idset_add(&x->portless, d.end[i].node);
	}
	vec_push(&x->cables, d);
}

static void add_trunk(struct diff *x, size_t fabric, const struct trunk *t)
{
	struct cable c = {t->a, t->b, NONE, NONE, t->kind, t->rate, t->flags, t->origin};

	for (uint32_t i = 0; i < (t->count == NONE ? 1 : t->count); i++)
		add(x, fabric, &c);
}

/* A description has trunks only; its cables have no ports. */
static void gather(struct diff *x, size_t fabric)
{
	const struct fabric *f = x->nodes.fabric[fabric];

	for (size_t i = 0; i < f->cables.n; i++)
		add(x, fabric, &f->cables.at[i]);
	for (uint32_t t = 0; !f->cables.n && t < f->trunk_count; t++)
		add_trunk(x, fabric, &f->trunks[t]);
	for (size_t i = 0; !f->cables.n && i < f->loops.n; i++)
		add_trunk(x, fabric, &f->loops.at[i]);
}

/* Ports that both sides know become comparable; then ends are put in order. */
static void settle_ports(struct diff *x)
{
	for (size_t i = 0; i < x->cables.n; i++) {
		struct diff_cable *c = &x->cables.at[i];

		for (int k = 0; k < 2; k++) {
			const char *text = fabric_str(x->nodes.fabric[c->fabric], c->port[k]);

			if (!idset_has(&x->portless, c->end[k].node))
				c->end[k].port = strtab_intern(&x->ports, text, strlen(text));
		}
		if (c->end[0].node > c->end[1].node || (c->end[0].node == c->end[1].node && c->end[0].port > c->end[1].port)) {
			struct diff_end end = c->end[0];
			uint32_t device = c->device[0];
			name_id port = c->port[0];

			c->end[0] = c->end[1];
			c->end[1] = end;
			c->device[0] = c->device[1];
			c->device[1] = device;
			c->port[0] = c->port[1];
			c->port[1] = port;
		}
	}
}

/* ---- saying ----------------------------------------------------------------------------------- */

/* The device of an end in what was built, or NONE. */
static uint32_t built_device(const struct diff *x, const struct diff_cable *c, int k)
{
	uint32_t node = c->end[k].node;

	return node < x->nodes.fabric[0]->device_count ? node : NONE;
}

static json_t *end_json(const struct diff *x, const struct diff_cable *c, int k)
{
	const struct fabric *f = x->nodes.fabric[c->fabric];
	uint32_t built = built_device(x, c, k);
	json_t *o = json_object();

	json_put(o, "device", json_string(x->nodes.label[c->fabric][c->device[k]]));
	json_put(o, "port", c->port[k] == NONE ? json_null() : json_string(fabric_str(f, c->port[k])));
	json_put(o, "built", built == NONE ? json_null() : json_device(x->nodes.fabric[0], built));
	return o;
}

static json_t *cable_json(const struct diff *x, const struct diff_cable *c)
{
	const struct fabric *f = x->nodes.fabric[c->fabric];
	const struct mark *m = c->origin == NONE ? NULL : &f->origins.at[c->origin].mark;
	json_t *o = json_object();

	json_put(o, "a", end_json(x, c, 0));
	json_put(o, "b", end_json(x, c, 1));
	json_put(o, "rate_Bps", json_rate(c->rate));
	json_put(o, "file", m && m->source && m->source->name ? json_string(m->source->name) : json_null());
	json_put(o, "line", m && m->line ? json_integer(m->line) : json_null());
	return o;
}

/* One spelling for a device of both sides. */
static const char *built_label(const struct diff *x, const struct diff_cable *c, int k)
{
	uint32_t built = built_device(x, c, k);

	return built == NONE ? x->nodes.label[c->fabric][c->device[k]] : x->nodes.label[0][built];
}

/* The rack of an end, else the switch next to hosts, else the first end. */
static const char *group_of(const struct diff *x, const struct diff_cable *c)
{
	const struct fabric *f = x->nodes.fabric[c->fabric];

	for (int k = 0; k < 2; k++) {
		uint32_t rack = device_ancestor(f, c->device[k], MODULE_RACK);

		if (rack != NONE)
			return fabric_str(f, f->modules.at[rack].name);
	}
	for (int k = 0; k < 2; k++)
		if (device_class(f, c->device[k]) == CLASS_SWITCH && device_class(f, c->device[!k]) != CLASS_SWITCH)
			return built_label(x, c, k);
	return built_label(x, c, 0);
}

/* Where several come together the later kind shows. */
static void mark(struct idset *set, uint32_t *values, uint32_t id, enum diff_kind kind)
{
	if (!idset_has(set, id) || values[id] < kind)
		values[id] = kind;
	idset_add(set, id);
}

/* Devices at either end of it, trunks that hold a cable of it. */
static void mark_cable(struct diff *x, enum diff_kind kind, const struct diff_cable *c)
{
	const struct fabric *f = x->nodes.fabric[0];

	for (int k = 0; k < 2; k++)
		if (built_device(x, c, k) != NONE)
			mark(&x->marks->devices, x->marks->device_kind, built_device(x, c, k), kind);
	for (uint32_t i = c->fabric ? 0 : f->incident_at[c->device[0]]; !c->fabric && i < f->incident_at[c->device[0] + 1]; i++)
		if (trunk_other(f, f->incident[i], c->device[0]) == c->device[1])
			mark(&x->marks->trunks, x->marks->trunk_kind, f->incident[i], kind);
}

static void say(struct diff *x, enum diff_kind kind, const struct diff_cable *const *planned, size_t np,
		const struct diff_cable *const *found, size_t nf)
{
	json_t *o = json_object(), *p = json_array(), *b = json_array();

	x->counts[kind]++;
	for (size_t i = 0; x->marks && i < np; i++)
		mark_cable(x, kind, planned[i]);
	for (size_t i = 0; x->marks && i < nf; i++)
		mark_cable(x, kind, found[i]);
	for (size_t i = 0; i < np; i++)
		json_array_append_new(p, cable_json(x, planned[i]));
	for (size_t i = 0; i < nf; i++)
		json_array_append_new(b, cable_json(x, found[i]));
	json_put(o, "kind", json_string(kind_words[kind]));
	json_put(o, "group", json_string(group_of(x, np ? planned[0] : found[0])));
	json_put(o, "planned", p);
	json_put(o, "found", b);
	json_array_append_new(x->list, o);
}

static void say_pair(struct diff *x, enum diff_kind kind, const struct diff_cable *planned, const struct diff_cable *found)
{
	say(x, kind, &planned, planned != NULL, &found, found != NULL);
}

/* ---- matching cables -------------------------------------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_pair(const struct diff_cable *a, const struct diff_cable *b)
{
	int order = compare_u64(a->end[0].node, b->end[0].node);

	return order ? order : compare_u64(a->end[1].node, b->end[1].node);
}

static int compare_ports(const struct diff_cable *a, const struct diff_cable *b)
{
	int order = compare_u64(a->end[0].port, b->end[0].port);

	return order ? order : compare_u64(a->end[1].port, b->end[1].port);
}

/* By devices, ports, side; a faster cable meets a faster one; then as the files list them. */
static int compare_cables(const void *p, const void *q)
{
	const struct diff_cable *a = p, *b = q;
	int order = compare_pair(a, b);

	if (!order)
		order = compare_ports(a, b);
	if (!order)
		order = (a->fabric > 0) - (b->fabric > 0);
	if (!order)
		order = compare_u64(b->rate, a->rate);
	return order ? order : compare_u64(a->origin, b->origin);
}

static bool is_slower(const struct diff_cable *planned, const struct diff_cable *found)
{
	return planned->rate != UNKNOWN && found->rate != UNKNOWN && found->rate < planned->rate;
}

static void join(struct diff *x, size_t planned, size_t found)
{
	x->cables.at[planned].peer = (uint32_t)found;
	x->cables.at[found].peer = (uint32_t)planned;
}

/* Equal cables: within a run of equal keys, built ones come first. */
static void match_equal(struct diff *x)
{
	struct diff_cable *c = x->cables.at;
	size_t first = 0;

	for (size_t i = 1; i <= x->cables.n; i++) {
		size_t middle = first;

		if (i < x->cables.n && !compare_pair(&c[first], &c[i]) && !compare_ports(&c[first], &c[i]))
			continue;
		while (middle < i && !c[middle].fabric)
			middle++;
		for (size_t b = first, d = middle; b < middle && d < i; b++, d++) {
			join(x, d, b);
			if (is_slower(&c[d], &c[b]))
				say_pair(x, DIFF_SLOWER, &c[d], &c[b]);
			else
				x->counts[DIFF_SAME]++;
		}
		first = i;
	}
}

/* Between the same devices, at another port. */
static void match_devices(struct diff *x)
{
	struct diff_cable *c = x->cables.at;
	size_t first = 0;

	for (size_t i = 1; i <= x->cables.n; i++) {
		size_t b = first;

		if (i < x->cables.n && !compare_pair(&c[first], &c[i]))
			continue;
		for (size_t d = first; d < i; d++) {
			if (!c[d].fabric || c[d].peer != NONE)
				continue;
			while (b < i && (c[b].fabric || c[b].peer != NONE))
				b++;
			if (b == i)
				break;
			join(x, d, b);
			say_pair(x, DIFF_WRONG_PORT, &c[d], &c[b]);
		}
		first = i;
	}
}

/* ---- one end in common ------------------------------------------------------------------------ */

struct open_ends {
	struct strtab keys;
	VEC(uint32_t) cable[2]; /* built, planned: by key, an open cable there or NONE */
};

static char *end_key(const struct diff_end *e)
{
	return mem_printf("%u:%u", e->node, e->port);
}

static void open_end(struct open_ends *x, const struct diff_end *e, int side, uint32_t cable)
{
	char *key = end_key(e);
	uint32_t id = strtab_intern(&x->keys, key, strlen(key));

	free(key);
	while (x->cable[0].n <= id) {
		vec_push(&x->cable[0], NONE);
		vec_push(&x->cable[1], NONE);
	}
	if (x->cable[side].at[id] == NONE)
		x->cable[side].at[id] = cable;
}

/* The open cable of a side at an end, or NONE. */
static uint32_t cable_at(const struct open_ends *x, const struct diff *d, const struct diff_end *e, int side)
{
	char *key = end_key(e);
	uint32_t id = strtab_find(&x->keys, key, strlen(key)), cable = id == NONE ? NONE : x->cable[side].at[id];

	free(key);
	return cable == NONE || d->cables.at[cable].peer != NONE ? NONE : cable;
}

static bool same_end(const struct diff_end *a, const struct diff_end *b)
{
	return a->node == b->node && a->port == b->port;
}

static const struct diff_end *other_end(const struct diff_cable *c, const struct diff_end *e)
{
	return same_end(&c->end[0], e) ? &c->end[1] : &c->end[0];
}

/* Planned a-b and c-d, built a-d and c-b. */
static bool try_swap(struct diff *x, const struct open_ends *ends, uint32_t planned)
{
	struct diff_cable *c = x->cables.at;

	for (int k = 0; k < 2; k++) {
		const struct diff_end *a = &c[planned].end[k], *b = &c[planned].end[!k], *far;
		uint32_t at_a = cable_at(ends, x, a, 0), at_b = cable_at(ends, x, b, 0), other;

		if (at_a == NONE || at_b == NONE || at_a == at_b)
			continue;
		far = other_end(&c[at_b], b);
		other = cable_at(ends, x, far, 1);
		if (other == NONE || other == planned || !same_end(other_end(&c[other], far), other_end(&c[at_a], a)))
			continue;
		join(x, planned, at_a);
		join(x, other, at_b);
		say(x, DIFF_SWAPPED, (const struct diff_cable *[]){&c[planned], &c[other]}, 2,
		    (const struct diff_cable *[]){&c[at_a], &c[at_b]}, 2);
		return true;
	}
	return false;
}

static void try_miswired(struct diff *x, const struct open_ends *ends, uint32_t planned)
{
	struct diff_cable *c = x->cables.at;

	for (int k = 0; k < 2; k++) {
		uint32_t found = cable_at(ends, x, &c[planned].end[k], 0);

		if (found == NONE)
			continue;
		join(x, planned, found);
		say_pair(x, DIFF_MISWIRED, &c[planned], &c[found]);
		return;
	}
}

/* Swaps before what looks like wrong ports: two crossed cables at one switch are both. */
static void match_rest(struct diff *x)
{
	struct open_ends ends = {0};

	for (uint32_t i = 0; i < x->cables.n; i++)
		for (int k = 0; k < 2 && x->cables.at[i].peer == NONE; k++)
			open_end(&ends, &x->cables.at[i].end[k], x->cables.at[i].fabric > 0, i);
	for (uint32_t i = 0; i < x->cables.n; i++)
		if (x->cables.at[i].fabric && x->cables.at[i].peer == NONE)
			try_swap(x, &ends, i);
	match_devices(x);
	for (uint32_t i = 0; i < x->cables.n; i++)
		if (x->cables.at[i].fabric && x->cables.at[i].peer == NONE)
			try_miswired(x, &ends, i);
	for (uint32_t i = 0; i < x->cables.n; i++) {
		struct diff_cable *c = &x->cables.at[i];

		if (c->peer == NONE)
			say_pair(x, c->fabric ? DIFF_MISSING : DIFF_EXTRA, c->fabric ? c : NULL, c->fabric ? NULL : c);
	}
	strtab_free(&ends.keys);
	vec_free(&ends.cable[0]);
	vec_free(&ends.cable[1]);
}

/* A cable that two design files list alike is one. */
static void drop_repeated(struct diff *x)
{
	size_t kept = 0;

	if (x->nodes.fabric_count > 2)
		for (size_t i = 0; i < x->cables.n; i++) {
			const struct diff_cable *c = &x->cables.at[i], *last = kept ? &x->cables.at[kept - 1] : NULL;
			bool known = c->end[0].port != NONE || c->end[1].port != NONE;

			if (last && known && last->fabric && c->fabric && last->fabric != c->fabric && !compare_pair(last, c) &&
			    !compare_ports(last, c))
				continue;
			x->cables.at[kept++] = *c;
		}
	else
		kept = x->cables.n;
	x->cables.n = kept;
}

/* ---- all -------------------------------------------------------------------------------------- */

struct ordered {
	const char *group;
	int kind;
	size_t at;
};

static int compare_ordered(const void *p, const void *q)
{
	const struct ordered *a = p, *b = q;
	int order = natural_compare(a->group, b->group);

	if (!order)
		order = strcmp(a->group, b->group);
	if (!order)
		order = a->kind - b->kind;
	return order ? order : compare_u64(a->at, b->at);
}

static json_t *in_order(const json_t *list)
{
	size_t n = json_array_size(list);
	struct ordered *order = mem_array(n, sizeof *order);
	json_t *sorted = json_array();

	for (size_t i = 0; i < n; i++) {
		const json_t *x = json_array_get(list, i);

		order[i] = (struct ordered){result_text(x, "group"), 0, i};
		for (int k = 0; k < DIFF_KINDS; k++)
			if (!strcmp(kind_words[k], result_text(x, "kind")))
				order[i].kind = k;
	}
	if (n)
		qsort(order, n, sizeof *order, compare_ordered);
	for (size_t i = 0; i < n; i++)
		json_array_append(sorted, json_array_get(list, order[i].at));
	free(order);
	return sorted;
}

static json_t *matched_json(const struct diff_nodes *n)
{
	json_t *o = json_object();

	json_put(o, "guid", json_integer(n->by_guid));
	json_put(o, "name", json_integer(n->by_name));
	json_put(o, "structure", json_integer(n->by_structure));
	json_put(o, "none", json_integer(n->unmatched));
	return o;
}

static json_t *compare(const struct fabric *built, const struct fabric *const *designs, size_t n, const struct diff_options *o,
		       struct diff_marks *marks)
{
	const struct fabric **all = mem_array(n + 1, sizeof *all);
	struct diff x = {.o = o, .list = json_array(), .marks = marks};
	json_t *result = json_object();

	all[0] = built;
	for (size_t i = 0; i < n; i++)
		all[i + 1] = designs[i];
	x.nodes = diff_match(all, n + 1, o->names);
	x.portless = idset_new(x.nodes.count);
	for (size_t k = 0; k <= n; k++)
		gather(&x, k);
	settle_ports(&x);
	if (x.cables.n)
		qsort(x.cables.at, x.cables.n, sizeof *x.cables.at, compare_cables);
	drop_repeated(&x);
	match_equal(&x);
	match_rest(&x);
	x.counts[DIFF_MISWIRED] += x.counts[DIFF_WRONG_PORT];
	for (int k = 0; k < DIFF_KINDS; k++)
		json_put(result, kind_words[k], json_integer((json_int_t)x.counts[k]));
	json_put(result, "ignored", json_integer((json_int_t)x.ignored));
	json_put(result, "devices_matched", matched_json(&x.nodes));
	json_put(result, "differences", in_order(x.list));
	json_decref(x.list);
	vec_free(&x.cables);
	idset_free(&x.portless);
	strtab_free(&x.ports);
	diff_nodes_free(&x.nodes);
	free(all);
	return result;
}

json_t *diff_fabrics(const struct fabric *built, const struct fabric *const *designs, size_t n, const struct diff_options *o)
{
	return compare(built, designs, n, o, NULL);
}

json_t *diff_run(const struct request *r, struct progress *p)
{
	static const struct diff_options none;
	struct diff_marks m = {
		.devices = idset_new(r->fabric->device_count),
		.trunks = idset_new(r->fabric->trunk_count),
		.device_kind = mem_array(r->fabric->device_count + 1, sizeof *m.device_kind),
		.trunk_kind = mem_array(r->fabric->trunk_count + 1, sizeof *m.trunk_kind),
	};
	json_t *result = compare(r->fabric, r->designs, r->design_count, r->diff ? r->diff : &none, &m);

	progress_mark(p, "difference", false, &m.devices, m.device_kind);
	progress_mark(p, "different", true, &m.trunks, m.trunk_kind);
	idset_free(&m.devices);
	idset_free(&m.trunks);
	free(m.device_kind);
	free(m.trunk_kind);
	return result;
}

bool diff_is_empty(const json_t *diff)
{
	return !json_array_size(json_object_get(diff, "differences"));
}
