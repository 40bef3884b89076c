/* Kinds of link and device, and media: from their nodes to the structures of the fabric, which they enter when
 * something of the kind is built.
 */
#include "describe/describe_internal.h"

#include <string.h>

int word_index(const char *word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, words[i]) == 0)
			return (int)i;
	return -1;
}

/* A scalar that is one of some words; -1 after an error. */
static int read_word(struct loader *l, const struct scope *s, const struct node *n, const char *what,
		     const char *const *words, size_t count)
{
	const char *text = scalar_text(l, s, n);
	int i = text ? word_index(text, words, count) : -1;
	if (i >= 0 || !text)
		return i;
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "a %s is", what);
	for (size_t k = 0; k < count; k++)
		strbuf_printf(&b, "%s %s", k == 0 ? "" : k + 1 < count ? "," : " or", words[k]);
	const char *hint = did_you_mean(l, text, words, count);
	complain(l, n, hint ? hint : strbuf_str(&b), "unknown %s `%s`", what, text);
	strbuf_free(&b);
	return -1;
}

/* A quantity of a definition; what it stands in stays UNKNOWN when the key is absent. */
static void read_quantity(struct loader *l, const struct definition *d, const char *key, enum dimension dim,
			  uint64_t *out)
{
	const struct node *n = map_get(d->node, key);
	if (n && n->kind == NODE_SCALAR)
		scalar_quantity(l, &d->file->scope, n, dim, out);
}

static bool read_count(struct loader *l, const struct definition *d, const struct node *n, uint64_t min, uint64_t *out)
{
	int64_t v;
	if (!n || n->kind != NODE_SCALAR || !scalar_integer(l, &d->file->scope, n, &v))
		return false;
	if (v < (int64_t)min || v > INT32_MAX) {
		complain(l, n, NULL, "%lld is not between %llu and %d", (long long)v, (unsigned long long)min,
			 INT32_MAX);
		return false;
	}
	*out = (uint64_t)v;
	return true;
}

static name_id read_name(struct loader *l, const struct definition *d, const struct node *n)
{
	const char *text = scalar_text(l, &d->file->scope, n);
	return text ? fabric_name(l->f, text, strlen(text)) : NONE;
}

bool read_size(struct loader *l, const struct scope *s, const struct node *n, uint64_t *width, uint64_t *height)
{
	const char *text = scalar_text(l, s, n), *why, *hint;
	const char *cross = text ? strchr(text, 'x') : NULL;
	struct quantity w, h;
	if (!text)
		return false;
	if (cross && quantity_parse(&l->arena, cross + 1, strlen(cross + 1), &h, &why, &hint) &&
	    h.dim == DIM_LENGTH) {
		/* the unit may stand once, behind both */
		const char *unit = cross + 1 + strspn(cross + 1, " 0123456789.");
		const char *first = arena_printf(&l->arena, "%.*s", (int)(cross - text), text);
		if (quantity_parse(&l->arena, first, strlen(first), &w, &why, &hint) && w.dim != DIM_LENGTH) {
			first = arena_printf(&l->arena, "%.*s%s", (int)(cross - text), text, unit);
			if (!quantity_parse(&l->arena, first, strlen(first), &w, &why, &hint))
				w.dim = DIM_COUNT;
		}
		if (w.dim == DIM_LENGTH) {
			*width = w.value;
			*height = h.value;
			return true;
		}
	}
	complain(l, n, NULL, "expected a width and a height, such as 20 x 26 mm");
	return false;
}

/* ---- media ------------------------------------------------------------------------------------------------ */

/* "4.7 ns/m" or "7 ps/mm" as picoseconds per metre. */
static void read_latency(struct loader *l, const struct definition *d, struct medium *m)
{
	const struct node *n = map_get(d->node, "latency");
	const char *text = n && n->kind == NODE_SCALAR ? scalar_text(l, &d->file->scope, n) : NULL, *why, *hint;
	if (!text)
		return;
	size_t size = strlen(text);
	uint64_t per = 0;
	struct quantity q;
	if (size > 3 && strcmp(text + size - 3, "/mm") == 0)
		per = 1000, size -= 3;
	else if (size > 2 && strcmp(text + size - 2, "/m") == 0)
		per = 1, size -= 2;
	if (per && quantity_parse(&l->arena, text, size, &q, &why, &hint) && q.dim == DIM_TIME &&
	    !__builtin_mul_overflow(q.value, per, &m->latency_ps_m))
		return;
	complain(l, n, NULL, "expected a time per length, such as 4.7 ns/m or 7 ps/mm");
}

void medium_read(struct loader *l, struct definition *d)
{
	struct medium m = medium_default();
	const struct node *n;
	m.name = fabric_name(l->f, d->name, strlen(d->name));
	m.mark = node_mark(d->key, 0, d->key->n);
	trail_push(l, "medium `%s`", d->name);
	read_quantity(l, d, "reach", DIM_LENGTH, &m.reach_um);
	read_quantity(l, d, "energy", DIM_ENERGY, &m.energy_fj);
	read_quantity(l, d, "density", DIM_DENSITY, &m.density_bps_mm);
	read_latency(l, d, &m);
	if ((n = map_get(d->node, "source")) && n->kind == NODE_SCALAR)
		m.source = read_name(l, d, n);
	if ((n = map_get(d->node, "default")) && n->kind == NODE_SCALAR)
		scalar_bool(l, &d->file->scope, n, &m.model_default);
	if ((n = map_get(d->node, "optical")) && n->kind == NODE_SCALAR)
		scalar_bool(l, &d->file->scope, n, &m.optical);
	trail_pop(l);
	d->read = (uint32_t)l->media.n;
	vec_push(&l->media, m);
}

/* A medium that nothing describes: known by name only. */
static struct definition *bare_medium(struct loader *l, const char *name)
{
	struct definition *d = arena_alloc(&l->arena, sizeof *d);
	struct medium m = medium_default();
	m.name = fabric_name(l->f, name, strlen(name));
	*d = (struct definition){name, NULL, NULL, NULL, NONE, (uint32_t)l->media.n, false};
	vec_push(&l->media, m);
	strtab_intern(&l->names[TABLE_MEDIA], name, strlen(name));
	vec_push(&l->tables[TABLE_MEDIA], d);
	return d;
}

static struct definition *medium_need(struct loader *l, const char *name, const struct node *n)
{
	struct definition *d = media_find(l, name);
	if (!d && !l->media_known)
		d = bare_medium(l, name);
	return d ? d : definition_need(l, TABLE_MEDIA, name, n);
}

uint32_t medium_use(struct loader *l, const char *name, const struct node *n)
{
	struct definition *d = medium_need(l, name, n);
	if (d && d->id == NONE)
		d->id = fabric_add_medium(l->f, &l->media.at[d->read]);
	return d ? d->id : NONE;
}

/* ---- links --------------------------------------------------------------------------------------------------- */

static bool scaled(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *out)
{
	uint64_t product;
	if (a == UNKNOWN || b == UNKNOWN || __builtin_mul_overflow(a, b, &product))
		return false;
	*out = product / divisor;
	return true;
}

/* The rate that lanes or a die edge give; said twice, both must agree. */
static void derive_rate(struct loader *l, const struct definition *d, struct link_kind *k, uint64_t medium_density)
{
	const struct node *rate = map_get(d->node, "rate"), *n = map_get(d->node, "lane-rate");
	uint64_t density = k->density_bps_mm != UNKNOWN ? k->density_bps_mm : medium_density, derived;
	if (n && k->lane_rate != UNKNOWN) {
		if (k->lanes == UNKNOWN)
			complain(l, n, "add `lanes`", "`lane-rate` needs the number of lanes");
		else if (!scaled(k->lanes, k->lane_rate, 1, &derived))
			complain(l, n, NULL, "lanes × lane-rate is too large");
		else if (rate && k->rate != UNKNOWN && k->rate != derived)
			complain(l, rate, "give one of them", "`rate` is not lanes × lane-rate");
		else
			k->rate = derived;
	} else if (!rate && k->shoreline_um != UNKNOWN && scaled(density, k->shoreline_um, 1000, &derived)) {
		k->rate = derived;
	} else if (!rate && (n = map_get(d->node, "density")) && k->density_bps_mm != UNKNOWN) {
		complain(l, n, "add `shoreline`, the die edge of one link", "`density` alone does not give a rate");
	}
}

/* The medium itself is used only when a link is built; its density is needed now. */
static uint64_t read_medium(struct loader *l, const struct definition *d, struct link_kind *k)
{
	const struct node *n = map_get(d->node, "medium");
	const char *name = n && n->kind == NODE_SCALAR ? scalar_text(l, &d->file->scope, n) : NULL;
	struct definition *m = name ? medium_need(l, name, n) : NULL;
	if (!m)
		return UNKNOWN;
	k->medium = m->read; /* links_add turns it into the id of the fabric */
	return l->media.at[m->read].density_bps_mm;
}

static void read_link(struct loader *l, struct definition *d)
{
	static const char *const uses[] = {"fabric", "local", "attach"};
	struct link_kind k = link_kind_default();
	const struct node *n;
	uint64_t count;
	int use;
	trail_push(l, "link `%s`", d->name);
	k.name = k.port = fabric_name(l->f, d->name, strlen(d->name));
	k.mark = node_mark(d->key, 0, d->key->n);
	read_quantity(l, d, "rate", DIM_RATE, &k.rate);
	read_quantity(l, d, "raw-rate", DIM_RATE, &k.raw_rate);
	read_quantity(l, d, "lane-rate", DIM_RATE, &k.lane_rate);
	read_quantity(l, d, "density", DIM_DENSITY, &k.density_bps_mm);
	read_quantity(l, d, "shoreline", DIM_LENGTH, &k.shoreline_um);
	read_quantity(l, d, "length", DIM_LENGTH, &k.length_um);
	read_quantity(l, d, "latency", DIM_TIME, &k.latency_ps);
	read_quantity(l, d, "energy", DIM_ENERGY, &k.energy_fj);
	read_count(l, d, map_get(d->node, "lanes"), 1, &k.lanes);
	if (read_count(l, d, map_get(d->node, "takes"), 1, &count))
		k.takes = (uint32_t)count;
	if ((n = map_get(d->node, "use")) && n->kind == NODE_SCALAR &&
	    (use = read_word(l, &d->file->scope, n, "use", uses, ARRAY_LEN(uses))) >= 0)
		k.use = (enum link_use)use;
	if ((n = map_get(d->node, "port")) && n->kind == NODE_SCALAR)
		k.port = read_name(l, d, n);
	derive_rate(l, d, &k, read_medium(l, d, &k));
	trail_pop(l);
	d->read = (uint32_t)l->links.n;
	vec_push(&l->links, k);
}

void links_add(struct loader *l)
{
	for (size_t i = 0; i < l->tables[TABLE_LINKS].n; i++) {
		struct definition *d = l->tables[TABLE_LINKS].at[i];
		if (!d->used)
			continue;
		struct link_kind k = l->links.at[d->read];
		if (k.medium != NONE)
			k.medium = medium_use(l, fabric_str(l->f, l->media.at[k.medium].name), d->node);
		d->id = fabric_add_kind(l->f, &k);
	}
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static void read_class(struct loader *l, const struct definition *d, struct device_type *t)
{
	const char *words[CLASS_COUNT + 1];
	const struct node *n = map_get(d->node, "class");
	memcpy(words, class_names, sizeof class_names);
	words[CLASS_COUNT] = "accel";
	if (!n) {
		complain(l, d->key, "add `class: gpu`, or switch, cpu, nic, die, io, memory, host, passive",
			 "the device `%s` has no class", d->name);
		return;
	}
	if (n->kind != NODE_SCALAR)
		return;
	int i = read_word(l, &d->file->scope, n, "class", words, ARRAY_LEN(words));
	if (i >= 0)
		t->class = i == CLASS_COUNT ? CLASS_GPU : (enum device_class)i;
}

static void read_ports(struct loader *l, const struct definition *d, struct device_type *t)
{
	const struct node *ports = map_get(d->node, "ports");
	t->first_port = (uint32_t)l->f->budgets.n;
	t->ports_known = ports != NULL;
	for (uint32_t i = 0; ports && ports->kind == NODE_MAP && i < ports->n; i += 2) {
		const struct node *key = ports->items[i];
		uint64_t count;
		if (!read_count(l, d, ports->items[i + 1], 0, &count))
			continue;
		struct port_budget b = {fabric_name(l->f, key->text, key->n), (uint32_t)count};
		vec_push(&l->f->budgets, b);
		t->port_count++;
	}
}

static void read_compute(struct loader *l, const struct definition *d, struct device_type *t)
{
	const struct node *compute = map_get(d->node, "compute");
	t->first_compute = (uint32_t)l->f->computes.n;
	for (uint32_t i = 0; compute && compute->kind == NODE_MAP && i < compute->n; i += 2) {
		const struct node *key = compute->items[i], *value = compute->items[i + 1];
		struct compute c = {fabric_name(l->f, key->text, key->n), UNKNOWN};
		if (value->kind != NODE_SCALAR || !scalar_quantity(l, &d->file->scope, value, DIM_COMPUTE, &c.flops))
			continue;
		vec_push(&l->f->computes, c);
		t->compute_count++;
	}
}

static void read_device(struct loader *l, struct definition *d)
{
	struct device_type t = device_type_default();
	const struct node *n;
	trail_push(l, "device `%s`", d->name);
	t.name = fabric_name(l->f, d->name, strlen(d->name));
	t.mark = node_mark(d->key, 0, d->key->n);
	read_class(l, d, &t);
	read_ports(l, d, &t);
	read_compute(l, d, &t);
	read_quantity(l, d, "latency", DIM_TIME, &t.latency_ps);
	read_quantity(l, d, "memory", DIM_DATA, &t.memory_bytes);
	read_quantity(l, d, "power", DIM_POWER, &t.power_mw);
	if ((n = map_get(d->node, "relay")) && n->kind == NODE_SCALAR)
		scalar_bool(l, &d->file->scope, n, &t.relay);
	if ((n = map_get(d->node, "size")) && n->kind == NODE_SCALAR)
		read_size(l, &d->file->scope, n, &t.width_um, &t.height_um);
	trail_pop(l);
	d->read = (uint32_t)l->devices.n;
	vec_push(&l->devices, t);
}

uint32_t device_use(struct loader *l, struct definition *d)
{
	if (d->id == NONE)
		d->id = fabric_add_type(l->f, &l->devices.at[d->read]);
	return d->id;
}

void kinds_read(struct loader *l)
{
	for (size_t i = 0; i < l->tables[TABLE_MEDIA].n && !is_over(l); i++)
		medium_read(l, l->tables[TABLE_MEDIA].at[i]);
	for (size_t i = 0; i < l->tables[TABLE_LINKS].n && !is_over(l); i++)
		read_link(l, l->tables[TABLE_LINKS].at[i]);
	for (size_t i = 0; i < l->tables[TABLE_DEVICES].n && !is_over(l); i++)
		read_device(l, l->tables[TABLE_DEVICES].at[i]);
}
