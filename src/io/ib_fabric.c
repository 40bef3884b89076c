/* From an InfiniBand subnet to a fabric: both ends of a cable become one, hosts and chassis become modules, the switch's
 * aggregation node an io device beside it. Switches come first, then hosts, each in natural order of names.
 */
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"

/* Where a node stands and what it is called there; NULL parts are absent. */
struct placing {
	uint32_t node;
	int order; /* switches before hosts */
	const char *group, *board, *name, *label, *type;
	enum device_class class;
};

struct model {
	struct ib_net *n;
	struct fabric *f;
	const struct source *source;
	struct placing *place;
	uint32_t *device;   /* node -> device */
	uint32_t *sharp_of; /* node -> switch it is the aggregation node of, or NONE */
	int32_t *rail_of;   /* node -> rail of a leaf, or NO_LABEL */
	struct strtab taken; /* names in use, with their module */
	uint32_t kinds[16][16], sharp_kind;
	size_t one_sided, contradicting, unrated, implied;
	uint32_t contradicting_line;
};

static void say(struct model *x, enum level level, const char *code, uint32_t line, const char *hint, char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .hint = hint, .device = NONE,
				  .trunk = NONE, .mark = {.source = x->source, .line = line}};

	fabric_add_finding(x->f, &finding);
	free(text);
}

/* ---- names ------------------------------------------------------------------------------------ */

static const char *piece(struct model *x, const char *s, size_t n)
{
	return arena_strndup(&x->n->arena, s, n);
}

/* "MF0;name:MODEL/L16/U1" of switches that manage themselves. */
static void name_managed(struct model *x, struct placing *p, const char *d)
{
	const char *name = d + 4, *colon = strrchr(name, ':'), *slash = colon ? strchr(colon, '/') : NULL, *last;

	if (!colon) {
		p->name = p->label = name;
		return;
	}
	p->name = p->label = piece(x, name, (size_t)(colon - name));
	p->type = slash ? piece(x, colon + 1, (size_t)(slash - colon - 1)) : colon + 1;
	if (!slash || !strcmp(slash, "/U1") || !slash[1])
		return;
	last = strrchr(slash, '/');
	p->group = p->name;
	p->board = last > slash ? piece(x, slash + 1, (size_t)(last - slash - 1)) : NULL;
	p->name = last + 1;
	p->label = arena_printf(&x->n->arena, "%s%s", p->group, slash);
}

static void name_switch(struct model *x, struct placing *p, const struct ib_node *node)
{
	const char *d = node->description;

	p->class = node->type == IB_SWITCH ? CLASS_SWITCH : CLASS_IO;
	p->type = node->type == IB_SWITCH ? "switch" : "router";
	if (d && !strncmp(d, "MF0;", 4) && d[4])
		name_managed(x, p, d);
	else if (!ib_is_product(d))
		p->name = p->label = d;
}

static void name_adapter(struct model *x, struct placing *p, const struct ib_node *node)
{
	const char *d = node->description, *blank;

	p->order = 1;
	p->class = CLASS_NIC;
	p->type = "hca";
	if (ib_is_product(d))
		return;
	blank = strchr(d, ' ');
	p->group = blank ? piece(x, d, (size_t)(blank - d)) : d;
	p->name = blank ? blank + strspn(blank, " ") : "hca";
	p->label = d;
}

/* What several nodes are called alike names none of them. */
static void drop_shared_names(struct model *x)
{
	struct strtab seen = {0};
	uint32_t *count = mem_array(x->n->nodes.n, sizeof *count);

	for (size_t i = 0; i < x->n->nodes.n; i++)
		if (x->place[i].label)
			count[strtab_intern(&seen, x->place[i].label, strlen(x->place[i].label))]++;
	for (size_t i = 0; i < x->n->nodes.n; i++) {
		struct placing *p = &x->place[i];

		if (p->label && count[strtab_find(&seen, p->label, strlen(p->label))] > 1) {
			p->label = NULL;
			p->name = NULL;
			p->board = p->order ? NULL : p->board;
			p->group = p->order ? NULL : p->group;
		}
	}
	free(count);
	strtab_free(&seen);
}

/* An aggregation node stands beside its switch, in a module of the switch's name. */
static void place_sharp(struct model *x, uint32_t node)
{
	struct placing *p = &x->place[node], *s;

	p->class = CLASS_IO;
	p->type = p->name = "sharp";
	p->label = NULL;
	p->group = p->board = NULL;
	p->order = 0;
	if (x->sharp_of[node] == NONE)
		return;
	s = &x->place[x->sharp_of[node]];
	if (!s->group) {
		s->group = s->name;
		s->name = "switch";
	}
	p->group = s->group;
	p->board = s->board;
}

static void place_nodes(struct model *x)
{
	struct ib_net *n = x->n;

	memset(x->sharp_of, 0xff, n->nodes.n * sizeof *x->sharp_of);
	for (uint32_t i = 0; i < n->nodes.n; i++) {
		x->place[i].node = i;
		if (n->nodes.at[i].type == IB_CA)
			name_adapter(x, &x->place[i], &n->nodes.at[i]);
		else
			name_switch(x, &x->place[i], &n->nodes.at[i]);
	}
	for (size_t i = 0; i < n->ends.n; i++) {
		const struct ib_end *e = &n->ends.at[i];

		if (n->nodes.at[e->node].type == IB_SWITCH)
			x->sharp_of[e->peer] = e->node;
		if (n->nodes.at[e->peer].type == IB_SWITCH)
			x->sharp_of[e->node] = e->peer;
	}
	drop_shared_names(x);
	for (uint32_t i = 0; i < n->nodes.n; i++)
		if (!x->place[i].name)
			x->place[i].name = n->nodes.at[i].id;
	for (uint32_t i = 0; i < n->nodes.n; i++)
		if (n->nodes.at[i].type == IB_CA && ib_is_aggregation(n->nodes.at[i].description))
			place_sharp(x, i);
		else
			x->sharp_of[i] = NONE;
}

/* ---- modules and devices ---------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
	int order;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	order = natural_compare(a, b);
	return order ? order : strcmp(a, b);
}

static int compare_placings(const void *p, const void *q)
{
	const struct placing *a = p, *b = q;
	int order = a->order - b->order;

	if (!order)
		order = compare_text(a->group ? a->group : a->name, b->group ? b->group : b->name);
	if (!order)
		order = compare_text(a->group, b->group);
	if (!order)
		order = compare_text(a->board, b->board);
	if (!order)
		order = (a->class == CLASS_IO) - (b->class == CLASS_IO);
	if (!order)
		order = compare_text(a->name, b->name);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* The name itself, or the first of name-2, name-3 … that is free in the module. */
static name_id free_name(struct model *x, uint32_t module, const char *name)
{
	struct strbuf b = STRBUF_INIT;
	name_id id = NONE;

	for (unsigned i = 1; id == NONE; i++) {
		size_t before;

		strbuf_trim(&b, 0);
		strbuf_printf(&b, "%u/", module);
		before = b.n;
		strbuf_puts(&b, name);
		if (i > 1)
			strbuf_printf(&b, "-%u", i);
		if (strtab_find(&x->taken, b.text, b.n) != NONE)
			continue;
		strtab_intern(&x->taken, b.text, b.n);
		id = fabric_name(x->f, b.text + before, b.n - before);
	}
	strbuf_free(&b);
	return id;
}

static uint32_t add_module(struct model *x, uint32_t parent, const char *name, enum module_kind kind, const char *type)
{
	struct module m = module_default();

	m.name = free_name(x, parent, name);
	m.parent = parent;
	m.kind = kind;
	if (type)
		m.type = fabric_name(x->f, type, strlen(type));
	return fabric_add_module(x->f, &m);
}

static uint32_t type_of(struct model *x, struct strtab *types, const struct placing *p)
{
	const struct ib_node *node = &x->n->nodes.at[p->node];
	struct device_type t = device_type_default();
	char *key = mem_printf("%d/%u/%s", (int)p->class, node->ports, p->type);
	uint32_t id = strtab_intern(types, key, strlen(key));

	free(key);
	if (id < x->f->types.n)
		return id;
	t.name = fabric_name(x->f, p->type, strlen(p->type));
	t.class = p->class;
	t.ports_known = node->ports > 0;
	t.first_port = (uint32_t)x->f->budgets.n;
	if (node->ports) {
		struct port_budget budget = {fabric_name(x->f, "ib", 2), node->ports};

		vec_push(&x->f->budgets, budget);
		t.port_count = 1;
	}
	return fabric_add_type(x->f, &t);
}

static void add_device(struct model *x, uint32_t type, uint32_t module, const struct placing *p)
{
	const struct ib_node *node = &x->n->nodes.at[p->node];
	struct identity id = {.guid = node->guid, .label = NONE};
	uint8_t flags = node->line ? 0 : FLAG_INFERRED;

	x->implied += !node->line;
	id.device = fabric_add_device(x->f, type, module, free_name(x, module, p->name), flags, NULL);
	x->device[p->node] = id.device;
	if (p->label)
		id.label = fabric_name(x->f, p->label, strlen(p->label));
	if (id.guid != UNKNOWN || id.label != NONE)
		fabric_add_identity(x->f, &id);
}

static void add_devices(struct model *x)
{
	struct strtab types = {0};
	const struct placing *last = NULL;
	uint32_t group = 0, board = 0;

	qsort(x->place, x->n->nodes.n, sizeof *x->place, compare_placings);
	for (size_t i = 0; i < x->n->nodes.n; i++) {
		const struct placing *p = &x->place[i];
		bool new_group = !last || last->order != p->order || compare_text(last->group, p->group);

		if (new_group)
			group = board = !p->group ? 0
				      : add_module(x, 0, p->group, p->order ? MODULE_HOST : MODULE_CHASSIS,
						   p->class == CLASS_SWITCH && strcmp(p->type, "switch") ? p->type : NULL);
		if (new_group || compare_text(last->board, p->board))
			board = p->board ? add_module(x, group, p->board, MODULE_BOARD, NULL) : group;
		add_device(x, type_of(x, &types, p), board, p);
		last = p;
	}
	strtab_free(&types);
}

/* ---- cables ----------------------------------------------------------------------------------- */

static uint32_t kind_of(struct model *x, struct ib_rate r, bool sharp)
{
	uint32_t *known = sharp ? &x->sharp_kind : &x->kinds[r.width][r.speed];
	struct link_kind k = link_kind_default();
	struct strbuf b = STRBUF_INIT;

	if (!sharp && (!r.width || !r.speed))
		known = &x->kinds[0][0];
	if (*known != NONE)
		return *known;
	if (sharp)
		strbuf_puts(&b, "sharp");
	else
		ib_rate_put(&b, r);
	k.name = fabric_name(x->f, b.text, b.n);
	k.port = fabric_name(x->f, "ib", 2);
	k.use = sharp ? USE_LOCAL : USE_FABRIC;
	k.rate = ib_rate_value(r);
	strbuf_free(&b);
	return *known = fabric_add_kind(x->f, &k);
}

static name_id port_name(struct model *x, uint32_t port)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%u", port);

	return port ? fabric_name(x->f, text, (size_t)n) : NONE;
}

static void add_cable(struct model *x, const struct ib_end *e, struct ib_rate rate, uint8_t flags)
{
	bool sharp = x->sharp_of[e->node] != NONE || x->sharp_of[e->peer] != NONE;
	struct trunk t = trunk_default();
	struct cable c = {.flags = flags, .port_a = port_name(x, e->port), .port_b = port_name(x, e->peer_port)};

	t.a = c.a = x->device[e->node];
	t.b = c.b = x->device[e->peer];
	t.kind = c.kind = kind_of(x, rate, sharp);
	t.rail = x->rail_of[e->node] != NO_LABEL && x->n->nodes.at[e->peer].type == IB_CA ? x->rail_of[e->node]
	       : x->n->nodes.at[e->node].type == IB_CA				      ? x->rail_of[e->peer]
										      : NO_LABEL;
	t.rate = c.rate = ib_rate_value(rate);
	t.flags = flags;
	t.origin = c.origin = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = e->line}, "cable");
	x->unrated += t.rate == UNKNOWN;
	fabric_add_trunk(x->f, &t);
	fabric_add_cable(x->f, &c);
}

static void add_cables(struct model *x)
{
	const struct ib_net *n = x->n;

	for (uint32_t i = 0; i < n->ends.n; i++) {
		const struct ib_end *e = &n->ends.at[i];
		uint32_t j = keymap_get(&n->at, (uint64_t)e->peer << 20 | e->peer_port);
		const struct ib_end *far = j == NONE ? NULL : &n->ends.at[j];
		bool both = far && far->peer == e->node && far->peer_port == e->port, disagree = false;
		struct ib_rate rate = e->rate;

		if (both && j < i)
			continue;
		if (both) {
			rate = ib_rate_join(e->rate, far->rate, &disagree);
		} else {
			rate = ib_rate_join(e->rate, (struct ib_rate){0}, &disagree);
			x->one_sided += !far;
			if (far && !x->contradicting++)
				x->contradicting_line = e->line;
		}
		add_cable(x, e, rate, disagree ? FLAG_DISAGREE : 0);
	}
}

static bool same_host(const struct placing *a, const struct placing *b)
{
	return a->order == b->order && !compare_text(a->group, b->group);
}

/* Adapters stand host by host, in order of names, as they were placed. */
static void find_rails(struct model *x)
{
	const struct ib_net *n = x->n;
	VEC(struct rail_adapter) adapters = {0};
	uint32_t *size = mem_array(n->nodes.n, sizeof *size), *place = mem_array(n->nodes.n, sizeof *place);

	for (size_t first = 0, end; first < n->nodes.n; first = end) {
		const struct placing *p = &x->place[first];

		for (end = first + 1; end < n->nodes.n && same_host(p, &x->place[end]); end++)
			;
		for (size_t k = first; k < end && p->order && p->group; k++) {
			size[x->place[k].node] = (uint32_t)(end - first);
			place[x->place[k].node] = (uint32_t)(k - first);
		}
	}
	for (size_t i = 0; i < n->ends.n; i++) {
		const struct ib_end *e = &n->ends.at[i];

		if (size[e->node] > 1 && n->nodes.at[e->peer].type == IB_SWITCH)
			vec_push(&adapters, (struct rail_adapter){size[e->node], place[e->node], e->peer});
	}
	note_rails(x->f, rails_find(adapters.at, adapters.n, x->rail_of, (uint32_t)n->nodes.n));
	vec_free(&adapters);
	free(size);
	free(place);
}

/* ---- what has to be said ---------------------------------------------------------------------- */

static void say_all(struct model *x)
{
	const struct ib_net *n = x->n;
	size_t switches = 0;

	for (size_t i = 0; i < n->nodes.n; i++)
		switches += n->nodes.at[i].type == IB_SWITCH;
	if (!switches)
		say(x, LEVEL_WARNING, "no-switch", 0, "run it where the subnet can be reached, as root",
		    mem_printf("no switch was seen: nothing beyond the local port"));
	note_repairs(x->f, n->source, n->repairs);
	if (n->skipped)
		say(x, LEVEL_WARNING, "lines-skipped", n->skipped_line, NULL,
		    mem_printf("%zu lines are no part of a topology and were skipped", n->skipped));
	if (n->elided)
		say(x, LEVEL_WARNING, "elided", 0, NULL,
		    mem_printf("the file leaves something out at %zu places (...)", n->elided));
	if (x->one_sided)
		say(x, LEVEL_NOTE, "one-sided", 0, NULL, mem_printf("%zu cables are listed from one end only", x->one_sided));
	if (x->implied)
		say(x, LEVEL_NOTE, "nodes-implied", 0, NULL,
		    mem_printf("%zu devices have no record of their own: others name them", x->implied));
	if (x->contradicting)
		say(x, LEVEL_WARNING, "ends-contradict", x->contradicting_line, NULL,
		    mem_printf("%zu ends of cables lead to a port that itself names another peer", x->contradicting));
	if (n->repeated)
		say(x, LEVEL_NOTE, "repeated", 0, NULL, mem_printf("%zu ports are listed again, alike", n->repeated));
	if (n->conflicting)
		say(x, LEVEL_WARNING, "ports-repeated", 0, NULL,
		    mem_printf("%zu ports are listed again with another peer; the first counts", n->conflicting));
	if (n->unresolved)
		say(x, LEVEL_WARNING, "ids-hidden", 0, NULL,
		    mem_printf("%zu cables lead to devices whose ids are blacked out; they are left out", n->unresolved));
	if (n->unconnected)
		say(x, LEVEL_NOTE, "unconnected", 0, NULL, mem_printf("%zu ports are listed without a peer", n->unconnected));
	if (x->unrated)
		say(x, LEVEL_WARNING, "rates-unknown", 0, "--rate ib=… gives one",
		    mem_printf("the width or speed of %zu cables is not in the file", x->unrated));
}

static enum status check_limits(const struct ib_net *n, const struct io_options *o, struct diag *d)
{
	struct limits limits = limits_filled(&o->describe.limits);

	if (n->nodes.n <= limits.devices && n->ends.n / 2 <= limits.trunks)
		return OK;
	diag_error(d, (struct mark){0}, "--limit raises it", "%s has more devices or cables than the limit", n->source->name);
	return E_LIMIT;
}

enum status ib_fabric(struct ib_net *n, const char *title, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct model x = {.n = n, .sharp_kind = NONE};
	enum status status = check_limits(n, o, d);
	struct source *source;

	*out = NULL;
	if (status == OK && !n->nodes.n) {
		diag_error(d, (struct mark){.source = n->source}, NULL, "no switch and no adapter is described here");
		status = E_INPUT;
	}
	if (status != OK)
		return status;
	x.f = fabric_new(n->source->name);
	source = arena_alloc(&x.f->arena, sizeof *source); /* marks need its name; its text is not kept */
	*source = (struct source){.name = arena_strdup(&x.f->arena, n->source->name), .text = ""};
	x.source = source;
	x.place = mem_array(n->nodes.n, sizeof *x.place);
	x.device = mem_array(n->nodes.n, sizeof *x.device);
	x.sharp_of = mem_array(n->nodes.n, sizeof *x.sharp_of);
	x.rail_of = mem_array(n->nodes.n, sizeof *x.rail_of);
	memset(x.kinds, 0xff, sizeof x.kinds);
	x.f->title = fabric_text(x.f, title, strlen(title));
	vec_push(&x.f->files, fabric_text(x.f, n->source->name, strlen(n->source->name)));
	place_nodes(&x);
	add_devices(&x);
	find_rails(&x);
	add_cables(&x);
	say_all(&x);
	status = fabric_freeze(x.f, d);
	free(x.place);
	free(x.device);
	free(x.sharp_of);
	free(x.rail_of);
	strtab_free(&x.taken);
	if (status == OK)
		*out = x.f;
	else
		fabric_free(x.f);
	return status;
}
