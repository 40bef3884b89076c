/* From a list of cables to a fabric. Names are compared without case. What is a switch and what a host follows from the
 * list where it says so, else from numbers of cables: all that a host hangs at has at least twice as many as the host.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/plan_internal.h"

enum { UNIT_UNSURE = 1000 }; /* more than any rack has */

struct text text_trim(struct text t)
{
	while (t.n && strchr(" \t\r", *t.at)) {
		t.at++;
		t.n--;
	}
	while (t.n && strchr(" \t\r", t.at[t.n - 1]))
		t.n--;
	return t;
}

bool text_is(struct text t, const char *word)
{
	return t.n == strlen(word) && !strncasecmp(t.at, word, t.n);
}

static const char *keep(struct plan *p, struct text t)
{
	return arena_strndup(&p->arena, t.at, t.n);
}

/* The number at the start; false without one. */
static bool take_number(struct text *t, unsigned *out)
{
	size_t n = 0;

	for (*out = 0; n < t->n && t->at[n] >= '0' && t->at[n] <= '9' && *out < 1000000; n++)
		*out = *out * 10 + (unsigned)(t->at[n] - '0');
	t->at += n;
	t->n -= n;
	return n > 0;
}

static bool take_word(struct text *t, const char *word)
{
	size_t n = strlen(word);

	if (t->n < n || strncasecmp(t->at, word, n))
		return false;
	t->at += n;
	t->n -= n;
	*t = text_trim(*t);
	return true;
}

static uint32_t intern_folded(struct strtab *names, const char *text)
{
	size_t n = strlen(text);
	char *folded = mem_strndup(text, n);
	uint32_t id;

	for (size_t i = 0; i < n; i++)
		folded[i] = (char)tolower((unsigned char)folded[i]);
	id = strtab_intern(names, folded, n);
	free(folded);
	return id;
}

static uint32_t *name_slot(struct plan *p, const char *name)
{
	uint32_t id = intern_folded(&p->names, name);

	while (p->node_of.n <= id)
		vec_push(&p->node_of, NONE);
	return &p->node_of.at[id];
}

static void merge_node(struct plan_node *n, const struct plan_node *like)
{
	n->class = n->class == CLASS_NONE ? like->class : n->class;
	n->guid = n->guid == UNKNOWN ? like->guid : n->guid;
	n->rack = n->rack ? n->rack : like->rack;
	n->row = n->row ? n->row : like->row;
	if (like->unit != NONE)
		n->unit = n->unit == NONE || n->unit == like->unit ? like->unit : UNIT_UNSURE;
}

/* Two racks may have a device of one name each: servers are often counted anew in every rack. */
static uint32_t find_node(struct plan *p, const struct plan_node *like)
{
	uint32_t first = *name_slot(p, like->label), node = first;
	char *here = like->rack ? mem_printf("%s@%s", like->label, like->rack) : NULL;

	if (here) {
		node = *name_slot(p, here);
		if (node == NONE && first != NONE && !p->nodes.at[first].rack)
			node = first;
		if (node == NONE && first != NONE && !p->namesakes++)
			p->namesake = like->label;
	}
	if (node == NONE) {
		node = (uint32_t)p->nodes.n;
		vec_push(&p->nodes, *like);
	} else {
		merge_node(&p->nodes.at[node], like);
	}
	if (first == NONE)
		*name_slot(p, like->label) = node;
	if (here)
		*name_slot(p, here) = node;
	free(here);
	return node;
}

/* "U41"; else NONE. */
static uint32_t parse_unit(struct text t)
{
	unsigned unit;

	return take_word(&t, "U") && take_number(&t, &unit) && !t.n && unit && unit < 100 ? unit : NONE;
}

/* Where an end stands. A location may be a unit, and then the rack has a column of its own. */
static void place_end(struct plan *p, const struct plan_end *e, struct plan_node *n)
{
	n->unit = parse_unit(e->unit);
	n->rack = e->rack.n ? keep(p, e->rack) : NULL;
	n->row = e->row.n ? keep(p, e->row) : NULL;
}

static bool ends_with(struct text t, struct text tail)
{
	return t.n > tail.n + 1 && tail.n && !strncasecmp(t.at + t.n - tail.n, tail.at, tail.n) && t.at[t.n - tail.n - 1] == ' ';
}

/* Named by its module, too, and as hosts' adapters are called. */
static uint32_t find_placed(struct plan *p, const struct plan_end *e, struct plan_node *n)
{
	if (!e->module.n)
		return find_node(p, n);
	n->module = keep(p, e->module);
	n->kinds = keep(p, e->kinds);
	n->label = arena_printf(&p->arena, "%s%c%s", n->module, e->class == CLASS_NIC ? ' ' : '/', n->name);
	return find_node(p, n);
}

/* Line card, chip and port of a director; the port of a switch; the adapter of a host; else the port as it stands. */
static uint32_t resolve_end(struct plan *p, const struct plan_end *e, const char **port)
{
	struct plan_node n = {.class = e->class, .guid = e->guid, .unit = NONE};
	struct text t = e->port;
	unsigned blade, chip, number;

	place_end(p, e, &n);
	n.name = n.label = keep(p, e->device);
	*port = e->port.n ? keep(p, e->port) : NULL;
	if (e->has_module)
		return find_placed(p, e, &n);
	if (take_word(&t, "Blade") && take_number(&t, &blade) && take_word(&t, "_Port") && take_number(&t, &chip) &&
	    take_word(&t, "/") && take_number(&t, &number) && !t.n) {
		n.group = n.name;
		n.board = arena_printf(&p->arena, "L%02u", blade);
		n.name = arena_printf(&p->arena, "U%u", chip);
		n.label = arena_printf(&p->arena, "%s/%s/%s", n.group, n.board, n.name);
		n.class = CLASS_SWITCH;
		*port = arena_printf(&p->arena, "%u", number);
		return find_node(p, &n);
	}
	t = e->port;
	if (take_word(&t, "Port") && take_number(&t, &number) && !t.n) {
		n.class = n.class == CLASS_NONE ? CLASS_SWITCH : n.class;
		*port = arena_printf(&p->arena, "%u", number);
	} else if (e->port.n > e->device.n + 1 && !strncasecmp(e->port.at, e->device.at, e->device.n) &&
		   e->port.at[e->device.n] == ' ') {
		n.group = n.name;
		n.label = keep(p, e->port);
		n.name = n.label + e->device.n + 1;
		n.class = CLASS_NIC;
		*port = NULL;
	} else if (ends_with(e->device, e->port)) { /* "Server 1 IB Port 2" and "IB Port 2" */
		n.group = keep(p, text_trim((struct text){e->device.at, e->device.n - e->port.n}));
		n.name = *port;
		n.class = CLASS_NIC;
		*port = NULL;
	} else if (e->class == CLASS_NIC && memchr(e->device.at, ' ', e->device.n)) { /* "host hfi1_0" */
		n.group = arena_strndup(&p->arena, e->device.at, (size_t)((const char *)memchr(e->device.at, ' ', e->device.n) - e->device.at));
		n.name = n.label + strlen(n.group) + 1;
	}
	return find_node(p, &n);
}

/* Two cables at one port cannot both be right. */
static void note_port(struct plan *p, uint32_t node, const char *port, uint32_t line)
{
	char *key = port ? mem_printf("%u:%s", node, port) : NULL;
	uint32_t id = key ? strtab_intern(&p->used, key, strlen(key)) : NONE;

	free(key);
	if (id == NONE)
		return;
	if (id == p->used_line.n) {
		vec_push(&p->used_line, line);
	} else if (!p->reused++) {
		p->reused_line = line;
		p->reused_first = p->used_line.at[id];
	}
}

void plan_add(struct plan *p, const struct plan_end *a, const struct plan_end *b, const struct plan_link *link)
{
	struct plan_cable c = {.rate = link->rate, .length_um = link->length_um, .line = link->line};
	char *ends[2], *key;
	uint32_t id;

	c.node[0] = resolve_end(p, a, &c.port[0]);
	c.node[1] = resolve_end(p, b, &c.port[1]);
	for (int i = 0; i < 2; i++)
		ends[i] = mem_printf("%u:%s", c.node[i], c.port[i] ? c.port[i] : "");
	key = strcmp(ends[0], ends[1]) < 0 ? mem_printf("%s|%s", ends[0], ends[1]) : mem_printf("%s|%s", ends[1], ends[0]);
	id = strtab_intern(&p->seen, key, strlen(key));
	free(key);
	free(ends[0]);
	free(ends[1]);
	/* Cables without ports may be parallel. */
	if (id < p->cables.n && (c.port[0] || c.port[1])) {
		p->twice++;
		return;
	}
	if (id < p->cables.n) {
		char *again = mem_printf("again %zu", p->cables.n);

		strtab_intern(&p->seen, again, strlen(again));
		free(again);
	}
	note_port(p, c.node[0], c.port[0], c.line);
	note_port(p, c.node[1], c.port[1], c.line);
	c.kind = link->kind.n ? keep(p, link->kind) : NULL;
	vec_push(&p->cables, c);
}

void plan_free(struct plan *p)
{
	strtab_free(&p->names);
	vec_free(&p->node_of);
	strtab_free(&p->seen);
	strtab_free(&p->used);
	vec_free(&p->nodes);
	vec_free(&p->cables);
	vec_free(&p->used_line);
	arena_free(&p->arena);
}

/* ---- classes ---------------------------------------------------------------------------------- */

/* Cables of each node, the fewest of a neighbour, and neighbours that have a node with a single cable. */
static void look_beside(struct plan *p)
{
	for (size_t i = 0; i < p->nodes.n; i++)
		p->nodes.at[i].least_beside = UINT32_MAX;
	for (size_t i = 0; i < p->cables.n; i++)
		for (int k = 0; k < 2; k++)
			p->nodes.at[p->cables.at[i].node[k]].cables++;
	for (size_t i = 0; i < p->cables.n; i++)
		for (int k = 0; k < 2; k++) {
			struct plan_node *n = &p->nodes.at[p->cables.at[i].node[k]];
			uint32_t beside = p->nodes.at[p->cables.at[i].node[!k]].cables;

			n->least_beside = beside < n->least_beside ? beside : n->least_beside;
			n->has_single |= beside == 1;
		}
	for (size_t i = 0; i < p->cables.n; i++)
		for (int k = 0; k < 2; k++)
			p->nodes.at[p->cables.at[i].node[k]].other_beside |= !p->nodes.at[p->cables.at[i].node[!k]].has_single;
}

/* Spines have few cables next to leaves, as hosts do. But where most hosts have one cable, what has several, all to leaves
 * of such hosts, is no host. */
static void raise_spines(struct plan *p)
{
	size_t single = 0, several = 0;

	for (size_t i = 0; i < p->nodes.n; i++) {
		const struct plan_node *n = &p->nodes.at[i];

		single += n->inferred && n->class == CLASS_HOST && n->cables == 1;
		several += n->inferred && n->class == CLASS_HOST && n->cables > 1;
	}
	for (size_t i = 0; single >= several && i < p->nodes.n; i++) {
		struct plan_node *n = &p->nodes.at[i];

		if (n->inferred && n->class == CLASS_HOST && n->cables > 1 && !n->other_beside)
			n->class = CLASS_SWITCH;
	}
}

static bool find_classes(struct plan *p)
{
	size_t unknown = 0, hosts = 0;

	look_beside(p);
	for (size_t i = 0; i < p->nodes.n; i++) {
		struct plan_node *n = &p->nodes.at[i];

		if (n->class == CLASS_NONE) {
			unknown++;
			n->inferred = true;
			n->class = n->least_beside != UINT32_MAX && n->least_beside / 2 >= n->cables ? CLASS_HOST : CLASS_SWITCH;
		}
	}
	raise_spines(p);
	for (size_t i = 0; i < p->nodes.n; i++)
		hosts += p->nodes.at[i].class == CLASS_HOST || p->nodes.at[i].class == CLASS_NIC;
	for (size_t i = 0; !hosts && unknown == p->nodes.n && i < p->nodes.n; i++)
		p->nodes.at[i].class = CLASS_HOST; /* all alike: a network without switches */
	return unknown > 0;
}

/* ---- the fabric ------------------------------------------------------------------------------- */

struct builder_state {
	struct plan *p;
	struct fabric *f;
	const struct source *source;
	struct strtab modules;
	VEC(uint32_t) module_ids;
	uint32_t types[CLASS_COUNT], *device;
	int32_t *rail_of; /* node -> rail of a leaf, or NO_LABEL */
	struct strtab kind_names; /* with their rates */
	VEC(uint32_t) kinds;
};

static uint32_t module_of(struct builder_state *x, uint32_t parent, const char *name, enum module_kind kind, uint32_t unit)
{
	char *key = mem_printf("%u/%s", parent, name);
	uint32_t id = intern_folded(&x->modules, key);
	struct module m = module_default();

	free(key);
	if (id < x->module_ids.n)
		return x->module_ids.at[id];
	m.name = fabric_name(x->f, name, strlen(name));
	m.parent = parent;
	m.kind = kind;
	if (unit < UNIT_UNSURE)
		m.place = (struct place){.unit = unit, .units = 1, .x_um = UNKNOWN, .y_um = UNKNOWN};
	vec_push(&x->module_ids, fabric_add_module(x->f, &m));
	return x->module_ids.at[id];
}

/* The first word of "rack/host", which is taken away. */
static enum module_kind kind_of_module(const char **kinds)
{
	size_t n = strcspn(*kinds, "/");
	enum module_kind found = MODULE_GROUP;

	for (int k = 0; k < MODULE_KIND_COUNT; k++)
		if (strlen(module_kind_names[k]) == n && !strncmp(module_kind_names[k], *kinds, n))
			found = (enum module_kind)k;
	*kinds += n + ((*kinds)[n] == '/');
	return found;
}

/* "rack/'node 1'": quoted where a name holds what separates. */
static uint32_t path_module(struct builder_state *x, const char *path, const char *kinds)
{
	struct strbuf b = STRBUF_INIT;
	uint32_t module = 0;

	while (*path) {
		bool quoted = *path == '\'';
		enum module_kind kind;

		strbuf_trim(&b, 0);
		for (path += quoted; *path && *path != (quoted ? '\'' : '/'); path++) {
			path += *path == '\\' && path[1];
			strbuf_putc(&b, *path);
		}
		path += quoted && *path;
		path += *path == '/';
		kind = kind_of_module(&kinds);
		module = module_of(x, module, strbuf_str(&b), kind, NONE);
	}
	strbuf_free(&b);
	return module;
}

static void add_device(struct builder_state *x, uint32_t node)
{
	const struct plan_node *n = &x->p->nodes.at[node];
	struct identity id = {.guid = n->guid, .label = fabric_name(x->f, n->label, strlen(n->label))};
	struct place place = {.unit = n->unit, .units = 1, .x_um = UNKNOWN, .y_um = UNKNOWN};
	bool has_place = n->rack && !n->group && n->unit < UNIT_UNSURE;
	uint32_t module = 0;

	if (x->types[n->class] == NONE) {
		struct device_type t = device_type_default();

		t.class = n->class;
		t.name = fabric_name(x->f, class_names[n->class], strlen(class_names[n->class]));
		x->types[n->class] = fabric_add_type(x->f, &t);
	}
	if (n->module)
		module = path_module(x, n->module, n->kinds);
	if (n->row)
		module = module_of(x, module, n->row, MODULE_ROW, NONE);
	if (n->rack)
		module = module_of(x, module, n->rack, MODULE_RACK, NONE);
	if (n->group)
		module = module_of(x, module, n->group, n->class == CLASS_SWITCH ? MODULE_CHASSIS : MODULE_HOST, n->board ? NONE : n->unit);
	if (n->board)
		module = module_of(x, module, n->board, MODULE_BOARD, NONE);
	id.device = x->device[node] = fabric_add_device(x->f, x->types[n->class], module, fabric_name(x->f, n->name, strlen(n->name)),
							0, has_place ? &place : NULL);
	fabric_add_identity(x->f, &id);
}

static void put_rate_name(struct strbuf *b, uint64_t rate)
{
	if (rate == UNKNOWN)
		strbuf_puts(b, "cable");
	else if (rate % 1000000000 == 0)
		strbuf_printf(b, "%lluG", (unsigned long long)(rate / 1000000000));
	else
		strbuf_printf(b, "%lluM", (unsigned long long)(rate / 1000000));
}

/* Kinds are named as the list says or by their rate, as people call cables: "200G". */
static uint32_t kind_of(struct builder_state *x, const struct plan_cable *c)
{
	struct link_kind k = link_kind_default();
	struct strbuf b = STRBUF_INIT;
	char *key = mem_printf("%s %llu", c->kind ? c->kind : "", (unsigned long long)c->rate);
	uint32_t id = strtab_intern(&x->kind_names, key, strlen(key));

	free(key);
	if (id < x->kinds.n)
		return x->kinds.at[id];
	if (c->kind)
		strbuf_puts(&b, c->kind);
	else
		put_rate_name(&b, c->rate);
	for (size_t same = 2, n = b.n; fabric_kind(x->f, b.text) != NONE; same++) {
		strbuf_trim(&b, n);
		strbuf_printf(&b, "-%zu", same);
	}
	k.name = fabric_name(x->f, b.text, b.n);
	k.port = fabric_name(x->f, "cable", 5);
	k.rate = c->rate;
	strbuf_free(&b);
	vec_push(&x->kinds, fabric_add_kind(x->f, &k));
	return x->kinds.at[x->kinds.n - 1];
}

static int compare_hosts(const struct plan_node *a, const struct plan_node *b)
{
	int order = strcasecmp(a->rack ? a->rack : "", b->rack ? b->rack : "");

	return order ? order : strcasecmp(a->group, b->group);
}

static int compare_adapters(const void *p, const void *q)
{
	const struct plan_node *a = *(const struct plan_node *const *)p, *b = *(const struct plan_node *const *)q;
	int order = compare_hosts(a, b);

	return order ? order : natural_compare(a->name, b->name);
}

/* Of each adapter its place among those of its host, and how many they are. */
static void place_adapters(const struct plan *p, uint32_t *size, uint32_t *place)
{
	VEC(const struct plan_node *) sorted = {0};

	for (size_t i = 0; i < p->nodes.n; i++)
		if (p->nodes.at[i].class == CLASS_NIC && p->nodes.at[i].group)
			vec_push(&sorted, &p->nodes.at[i]);
	if (sorted.n)
		qsort(sorted.at, sorted.n, sizeof *sorted.at, compare_adapters);
	for (size_t first = 0, end; first < sorted.n; first = end) {
		for (end = first + 1; end < sorted.n && !compare_hosts(sorted.at[first], sorted.at[end]); end++)
			;
		for (size_t k = first; k < end; k++) {
			size[sorted.at[k] - p->nodes.at] = (uint32_t)(end - first);
			place[sorted.at[k] - p->nodes.at] = (uint32_t)(k - first);
		}
	}
	vec_free(&sorted);
}

static void find_rails(struct builder_state *x)
{
	const struct plan *p = x->p;
	VEC(struct rail_adapter) adapters = {0};
	uint32_t *size = mem_array(p->nodes.n, sizeof *size), *place = mem_array(p->nodes.n, sizeof *place);

	place_adapters(p, size, place);
	for (size_t i = 0; i < p->cables.n; i++)
		for (int k = 0; k < 2; k++) {
			uint32_t node = p->cables.at[i].node[k], leaf = p->cables.at[i].node[!k];

			if (size[node] > 1 && p->nodes.at[leaf].class == CLASS_SWITCH)
				vec_push(&adapters, (struct rail_adapter){size[node], place[node], leaf});
		}
	note_rails(x->f, rails_find(adapters.at, adapters.n, x->rail_of, (uint32_t)p->nodes.n));
	vec_free(&adapters);
	free(size);
	free(place);
}

static int32_t rail_of_cable(const struct builder_state *x, const struct plan_cable *c)
{
	for (int k = 0; k < 2; k++)
		if (x->p->nodes.at[c->node[k]].class == CLASS_NIC)
			return x->rail_of[c->node[!k]];
	return NO_LABEL;
}

static void add_cable(struct builder_state *x, const struct plan_cable *c)
{
	struct trunk t = trunk_default();
	struct cable k = {0};

	t.a = k.a = x->device[c->node[0]];
	t.b = k.b = x->device[c->node[1]];
	t.kind = k.kind = kind_of(x, c);
	t.rate = k.rate = c->rate;
	t.length_um = c->length_um;
	t.rail = rail_of_cable(x, c);
	t.origin = k.origin = fabric_add_origin(x->f, (struct mark){.source = x->source, .line = c->line}, "cable");
	k.port_a = c->port[0] ? fabric_name(x->f, c->port[0], strlen(c->port[0])) : NONE;
	k.port_b = c->port[1] ? fabric_name(x->f, c->port[1], strlen(c->port[1])) : NONE;
	fabric_add_trunk(x->f, &t);
	fabric_add_cable(x->f, &k);
}

static void say(struct builder_state *x, enum level level, const char *code, uint32_t line, char *text)
{
	struct finding finding = {.level = level, .code = code, .text = text, .device = NONE, .trunk = NONE,
				  .mark = {.source = x->source, .line = line}};

	fabric_add_finding(x->f, &finding);
	free(text);
}

static void say_all(struct builder_state *x, bool guessed)
{
	const struct plan *p = x->p;
	size_t unrated = 0;

	for (size_t i = 0; i < p->cables.n; i++)
		unrated += p->cables.at[i].rate == UNKNOWN;
	if (p->skipped)
		say(x, LEVEL_WARNING, "rows-skipped", p->skipped_line,
		    mem_printf("%zu rows describe no cable and were skipped", p->skipped));
	if (p->reused)
		say(x, LEVEL_WARNING, "port-reused", p->reused_line,
		    mem_printf("%zu ports have two cables; the first of these is the one of line %u", p->reused, p->reused_first));
	if (p->namesakes)
		say(x, LEVEL_NOTE, "names-repeated", 0,
		    mem_printf("%zu names stand in another rack again, such as %s: each rack has a device of its own so called",
			       p->namesakes, label_clean(&x->f->arena, p->namesake, strlen(p->namesake))));
	if (p->twice)
		say(x, LEVEL_NOTE, "listed-twice", 0, mem_printf("%zu cables are listed more than once, alike", p->twice));
	if (guessed)
		say(x, LEVEL_NOTE, "roles-inferred", 0,
		    mem_printf("the list does not say what is a switch: numbers of cables decide"));
	if (unrated)
		say(x, LEVEL_NOTE, "rates-unknown", 0, mem_printf("the list has no rate for %zu cables", unrated));
}

enum status plan_fabric(struct plan *p, const char *title, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct limits limits = limits_filled(&o->describe.limits);
	struct builder_state x = {.p = p};
	struct source *source;
	enum status status;
	bool guessed;

	*out = NULL;
	if (!p->cables.n) {
		struct mark mark = {.source = p->source, .line = p->skipped_line};

		diag_error(d, mark, NULL, "%s",
			   p->skipped ? "no row describes a cable: this one has no port with a number" : "no cable is listed here");
		return E_INPUT;
	}
	if (p->nodes.n > limits.devices || p->cables.n > limits.trunks) {
		diag_error(d, (struct mark){.source = p->source}, "--limit raises it", "more devices or cables than the limit");
		return E_LIMIT;
	}
	x.f = fabric_new(p->source->name);
	source = arena_alloc(&x.f->arena, sizeof *source);
	*source = (struct source){.name = arena_strdup(&x.f->arena, p->source->name), .text = ""};
	x.source = source;
	x.f->title = fabric_text(x.f, title, strlen(title));
	vec_push(&x.f->files, fabric_text(x.f, p->source->name, strlen(p->source->name)));
	memset(x.types, 0xff, sizeof x.types);
	x.device = mem_array(p->nodes.n, sizeof *x.device);
	x.rail_of = mem_array(p->nodes.n, sizeof *x.rail_of);
	guessed = find_classes(p);
	for (uint32_t i = 0; i < p->nodes.n; i++)
		add_device(&x, i);
	find_rails(&x);
	for (size_t i = 0; i < p->cables.n; i++)
		add_cable(&x, &p->cables.at[i]);
	say_all(&x, guessed);
	note_repairs(x.f, p->source, 0);
	status = fabric_freeze(x.f, d);
	free(x.device);
	free(x.rail_of);
	vec_free(&x.module_ids);
	strtab_free(&x.kind_names);
	vec_free(&x.kinds);
	strtab_free(&x.modules);
	if (status == OK)
		*out = x.f;
	else
		fabric_free(x.f);
	return status;
}
