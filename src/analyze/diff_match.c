/* Which device of a design is which of what was built: by GUID, by name without case, else by structure. Names are labels
 * of the devices, their paths, and paths with blanks, as hosts' adapters are called; then names without the domain, and
 * the host's for its only adapter. A device that a dump has no name for is the one that the design has at its place.
 */
#include "analyze/diff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void fold(struct strbuf *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->text[i] = (char)tolower((unsigned char)b->text[i]);
}

/* "node7 mlx5_0" where the file says so, else the path. */
static const char **label_all(struct arena *a, const struct fabric *f)
{
	const char **label = arena_alloc(a, (f->device_count + (size_t)1) * sizeof *label);
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < f->identities.n; i++)
		if (f->identities.at[i].label != NONE)
			label[f->identities.at[i].device] = fabric_str(f, f->identities.at[i].label);
	for (uint32_t d = 0; d < f->device_count; d++) {
		if (label[d])
			continue;
		strbuf_trim(&b, 0);
		device_path(f, d, &b);
		label[d] = arena_strdup(a, strbuf_str(&b));
	}
	strbuf_free(&b);
	return label;
}

/* ---- names ------------------------------------------------------------------------------------ */

struct index {
	struct strtab names;
	VEC(uint32_t) device; /* per name; NONE when several have it */
	struct keymap guids;
};

static uint32_t name_slot(struct index *x, const char *text, size_t n)
{
	uint32_t id = strtab_intern(&x->names, text, n);

	while (x->device.n <= id)
		vec_push(&x->device, NONE - 1);
	return id;
}

static void index_name(struct index *x, const char *text, size_t n, uint32_t device)
{
	uint32_t id = name_slot(x, text, n), *slot = &x->device.at[id];

	*slot = *slot == NONE - 1 || *slot == device ? device : NONE;
}

typedef void each_name(void *context, const char *text, size_t n, uint32_t device);

static void path_names(const struct fabric *f, uint32_t d, each_name *each, void *context)
{
	struct strbuf b = STRBUF_INIT;
	char *slash;

	device_path(f, d, &b);
	fold(&b);
	each(context, b.text, b.n, d);
	slash = strrchr(b.text, '/');
	if (slash) {
		*slash = ' ';
		each(context, b.text, b.n, d);
	}
	for (size_t i = 0; i < b.n; i++)
		b.text[i] = b.text[i] == '/' ? ' ' : b.text[i];
	each(context, b.text, b.n, d);
	strbuf_free(&b);
}

static void label_name(const struct fabric *f, const struct identity *i, each_name *each, void *context)
{
	struct strbuf b = STRBUF_INIT;

	if (i->label == NONE)
		return;
	strbuf_puts(&b, fabric_str(f, i->label));
	fold(&b);
	each(context, strbuf_str(&b), b.n, i->device);
	strbuf_free(&b);
}

static void put_in_index(void *context, const char *text, size_t n, uint32_t device)
{
	index_name(context, text, n, device);
}

/* "0x0c42a10300a9b026 leaf7" a line: what a device is called besides. */
static void index_extra_names(struct index *x, const char *names)
{
	while (names && *names) {
		size_t n = strcspn(names, "\n");
		char *line = mem_strndup(names, n), *rest;
		uint64_t guid = strtoull(line + strspn(line, " \t"), &rest, 16);
		uint32_t device = keymap_get(&x->guids, guid);
		struct strbuf b = STRBUF_INIT;

		rest += strspn(rest, " \t,\"");
		strbuf_puts(&b, rest);
		while (b.n && strchr(" \t\r\"", b.text[b.n - 1]))
			strbuf_trim(&b, b.n - 1);
		fold(&b);
		if (device != NONE && b.n && *line != '#') {
			uint32_t slot = name_slot(x, b.text, b.n);

			x->device.at[slot] = device;
		}
		strbuf_free(&b);
		free(line);
		names += n + (names[n] == '\n');
	}
}

static void index_built(struct index *x, const struct fabric *f, const char *names)
{
	for (size_t i = 0; i < f->identities.n; i++) {
		if (f->identities.at[i].guid != UNKNOWN)
			keymap_put(&x->guids, f->identities.at[i].guid, f->identities.at[i].device);
		label_name(f, &f->identities.at[i], put_in_index, x);
	}
	for (uint32_t d = 0; d < f->device_count; d++)
		path_names(f, d, put_in_index, x);
	index_extra_names(x, names);
}

struct lookup {
	struct index *x;
	uint32_t *of;
	const struct idset *taken; /* built devices that are not to be had, or NULL */
};

static void look_up(void *context, const char *text, size_t n, uint32_t device)
{
	struct lookup *l = context;
	uint32_t id = strtab_find(&l->x->names, text, n);

	if (l->of[device] == NONE && id != NONE && l->x->device.at[id] != NONE &&
	    !(l->taken && idset_has(l->taken, l->x->device.at[id])))
		l->of[device] = l->x->device.at[id];
}

/* The length of the first word of a name without its domain ("spine1.dc.example.com hca-1": 6), or 0 when it has none. What
 * follows a dot is a domain when it ends in letters: "switch.1.1" and addresses are names as they stand. */
static size_t before_domain(const char *name)
{
	size_t word = strcspn(name, " /"), host = strcspn(name, "."), last = word;

	while (last > 0 && isalpha((unsigned char)name[last - 1]))
		last--;
	return host > 0 && host < word && last > host && name[last - 1] == '.' && word - last >= 2 ? host : 0;
}

struct shorter {
	each_name *each;
	void *context;
};

static void without_domain(void *context, const char *text, size_t n, uint32_t device)
{
	struct shorter *s = context;
	size_t host = before_domain(text);
	struct strbuf b = STRBUF_INIT;

	if (!host)
		return;
	strbuf_add(&b, text, host);
	strbuf_add(&b, text + strcspn(text, " /"), n - strcspn(text, " /"));
	s->each(s->context, b.text, b.n, device);
	strbuf_free(&b);
}

/* "host7" for the only adapter of host7. */
static void host_name(const struct fabric *f, uint32_t d, each_name *each, void *context)
{
	struct strbuf b = STRBUF_INIT;
	const struct module *m = &f->modules.at[f->module[d]];

	if (device_class(f, d) != CLASS_NIC || m->kind != MODULE_HOST || m->end_device - m->first_device != 1)
		return;
	strbuf_puts(&b, fabric_str(f, m->name));
	fold(&b);
	each(context, strbuf_str(&b), b.n, d);
	strbuf_free(&b);
}

static uint32_t count_matched(const uint32_t *of, uint32_t n)
{
	uint32_t matched = 0;

	for (uint32_t d = 0; d < n; d++)
		matched += of[d] != NONE;
	return matched;
}

/* No two devices of one design may be the same thing. */
static void drop_doubles(uint32_t *of, uint32_t n, uint32_t built_count)
{
	struct idset taken = idset_new(built_count);

	for (uint32_t d = 0; d < n; d++) {
		if (of[d] != NONE && idset_has(&taken, of[d]))
			of[d] = NONE;
		else if (of[d] != NONE)
			idset_add(&taken, of[d]);
	}
	idset_free(&taken);
}

/* All names of a fabric's devices as they stand, or shortened. */
static void all_names(const struct fabric *f, bool brief, each_name *each, void *context)
{
	struct shorter s = {each, context};
	each_name *use = brief ? without_domain : each;
	void *with = brief ? (void *)&s : context;

	for (size_t i = 0; i < f->identities.n; i++)
		label_name(f, &f->identities.at[i], use, with);
	for (uint32_t d = 0; d < f->device_count; d++) {
		path_names(f, d, use, with);
		if (brief) {
			host_name(f, d, each, context);
			host_name(f, d, use, with);
		}
	}
}

/* Only one of the two names is shortened: hosts of two domains are two hosts. */
static void match_brief(const struct diff_nodes *n, struct index *x, const struct fabric *f, uint32_t *of)
{
	const struct fabric *built = n->fabric[0];
	struct idset taken = idset_new(built->device_count);
	struct index brief = {0};

	for (uint32_t d = 0; d < f->device_count; d++)
		if (of[d] != NONE)
			idset_add(&taken, of[d]);
	all_names(built, true, put_in_index, &brief);
	all_names(f, true, look_up, &(struct lookup){x, of, &taken});
	all_names(f, false, look_up, &(struct lookup){&brief, of, &taken});
	drop_doubles(of, f->device_count, built->device_count);
	vec_free(&brief.device);
	strtab_free(&brief.names);
	idset_free(&taken);
}

static void match_names(struct diff_nodes *n, struct index *x, const struct fabric *f, uint32_t *of)
{
	uint32_t guids, matched;

	for (size_t i = 0; i < f->identities.n; i++)
		if (f->identities.at[i].guid != UNKNOWN)
			of[f->identities.at[i].device] = keymap_get(&x->guids, f->identities.at[i].guid);
	guids = count_matched(of, f->device_count);
	n->by_guid += guids;
	all_names(f, false, look_up, &(struct lookup){x, of, NULL});
	drop_doubles(of, f->device_count, n->fabric[0]->device_count);
	match_brief(n, x, f, of);
	matched = count_matched(of, f->device_count);
	n->by_name += matched > guids ? matched - guids : 0;
}

/* ---- structure -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* What a plan calls a host is the adapter that a dump sees. */
static uint64_t class_color(const struct fabric *f, uint32_t d)
{
	enum device_class c = device_class(f, d);

	return mix((uint64_t)(c == CLASS_HOST ? CLASS_NIC : c) + 1);
}

/* Colours of one fabric; a round makes each a hash of what is around it. */
static void refine(const struct fabric *f, uint64_t *color, uint64_t *next)
{
	for (uint32_t d = 0; d < f->device_count; d++) {
		uint64_t sum = 0;

		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			const struct trunk *t = &f->trunks[f->incident[i]];

			if (f->kinds.at[t->kind].use == USE_FABRIC)
				sum += mix(color[trunk_other(f, f->incident[i], d)] * 31 + t->count);
		}
		next[d] = mix(color[d] + mix(sum));
	}
	memcpy(color, next, f->device_count * sizeof *color);
}

struct colored {
	uint64_t color;
	uint32_t device;
	bool built;
};

static int compare_colored(const void *p, const void *q)
{
	const struct colored *a = p, *b = q;

	if (a->color != b->color)
		return a->color < b->color ? -1 : 1;
	if (a->built != b->built)
		return a->built - b->built;
	return (a->device > b->device) - (a->device < b->device);
}

struct structure {
	const struct fabric *built, *design;
	uint32_t *of;
	uint64_t *color[2], *next; /* built, design */
	struct colored *all;
	uint32_t rounds;
};

static void recolor(struct structure *s)
{
	for (uint32_t r = 0; r < s->rounds; r++) {
		refine(s->built, s->color[0], s->next);
		refine(s->design, s->color[1], s->next);
	}
}

/* Colours that one device of each side has match them. Returns the first class that has several on both sides, equally
 * many, or NULL. */
static const struct colored *match_unique(struct structure *s, uint32_t *matched)
{
	size_t n = 0, first = 0;
	const struct colored *open = NULL;
	struct idset taken = idset_new(s->built->device_count);

	for (uint32_t d = 0; d < s->design->device_count; d++)
		if (s->of[d] != NONE)
			idset_add(&taken, s->of[d]);
	for (uint32_t d = 0; d < s->built->device_count; d++)
		if (!idset_has(&taken, d))
			s->all[n++] = (struct colored){s->color[0][d], d, true};
	for (uint32_t d = 0; d < s->design->device_count; d++)
		if (s->of[d] == NONE)
			s->all[n++] = (struct colored){s->color[1][d], d, false};
	if (n)
		qsort(s->all, n, sizeof *s->all, compare_colored);
	for (size_t i = 1; i <= n; i++) {
		size_t half = first;

		if (i < n && s->all[i].color == s->all[first].color)
			continue;
		while (half < i && !s->all[half].built)
			half++;
		if (half - first == 1 && i - half == 1) {
			s->of[s->all[first].device] = s->all[half].device;
			++*matched;
		} else if (!open && half - first == i - half) {
			open = &s->all[first];
		}
		first = i;
	}
	idset_free(&taken);
	return open;
}

/* Where all are alike, the first of each side are taken to be the same, and what follows from that is seen. */
static void match_structure(struct diff_nodes *n, const struct fabric *design, uint32_t *of)
{
	const struct fabric *built = n->fabric[0];
	struct structure s = {.built = built, .design = design, .of = of, .rounds = 8};
	uint32_t most = built->device_count > design->device_count ? built->device_count : design->device_count;
	uint64_t budget = 200000000u, cost = 16 * ((uint64_t)built->trunk_count + design->trunk_count + most);

	s.color[0] = mem_array(built->device_count, sizeof **s.color);
	s.color[1] = mem_array(design->device_count, sizeof **s.color);
	s.next = mem_array(most, sizeof *s.next);
	s.all = mem_array((size_t)built->device_count + design->device_count, sizeof *s.all);
	for (uint32_t d = 0; d < built->device_count; d++)
		s.color[0][d] = class_color(built, d);
	for (uint32_t d = 0; d < design->device_count; d++)
		s.color[1][d] = of[d] == NONE ? class_color(design, d) : 0;
	for (uint32_t d = 0; d < design->device_count; d++)
		if (of[d] != NONE)
			s.color[0][of[d]] = s.color[1][d] = mix(1000 + (uint64_t)of[d]);
	for (; budget > cost; budget -= cost) {
		const struct colored *open;
		uint32_t matched = 0;

		recolor(&s);
		open = match_unique(&s, &matched);
		n->by_structure += matched;
		if (!open)
			break;
		if (!matched) { /* the class begins with the design's devices */
			const struct colored *b = open;

			while (!b->built)
				b++;
			s.color[0][b->device] = s.color[1][open->device] = mix(open->color + 77);
		}
	}
	free(s.color[0]);
	free(s.color[1]);
	free(s.next);
	free(s.all);
}

/* ---- places ----------------------------------------------------------------------------------- */

/* What is around a device as a number: the devices at the other ends, and their ports where both sides know them. */
struct place_sum {
	uint64_t sum;
	bool lost; /* a neighbour was not matched, or there is none */
};

static bool knows_ports(const struct fabric *f)
{
	for (size_t i = 0; i < f->cables.n; i++)
		if (f->cables.at[i].port_a == NONE || f->cables.at[i].port_b == NONE)
			return false;
	return f->cables.n > 0;
}

static void add_neighbour(struct place_sum *p, uint32_t node, uint64_t at)
{
	p->lost = p->lost || node == NONE;
	p->sum += mix(mix((uint64_t)node + 1) + at);
}

/* of: the nodes of a design's devices, or NULL for what was built. */
static struct place_sum *place_sums(const struct fabric *f, const uint32_t *of, bool ports)
{
	struct place_sum *p = mem_array(f->device_count, sizeof *p);

	for (uint32_t d = 0; d < f->device_count; d++)
		p[d] = (struct place_sum){.sum = class_color(f, d), .lost = f->incident_at[d] == f->incident_at[d + 1]};
	for (size_t i = 0; ports && i < f->cables.n; i++) {
		const struct cable *c = &f->cables.at[i];

		if (f->kinds.at[c->kind].use != USE_FABRIC)
			continue;
		add_neighbour(&p[c->a], of ? of[c->b] : c->b, strtoull(fabric_str(f, c->port_b), NULL, 10));
		add_neighbour(&p[c->b], of ? of[c->a] : c->a, strtoull(fabric_str(f, c->port_a), NULL, 10));
	}
	for (uint32_t t = 0; !ports && t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];

		if (f->kinds.at[x->kind].use != USE_FABRIC)
			continue;
		add_neighbour(&p[x->a], of ? of[x->b] : x->b, x->count);
		add_neighbour(&p[x->b], of ? of[x->a] : x->a, x->count);
	}
	return p;
}

/* Devices that the dump has no name for, at a place where the design has one that was not found. */
static void match_places(struct diff_nodes *n, const struct fabric *design, uint32_t *of)
{
	const struct fabric *built = n->fabric[0];
	bool ports = knows_ports(built) && knows_ports(design);
	struct place_sum *here = place_sums(built, NULL, ports), *there = place_sums(design, of, ports);
	struct colored *all = mem_array(built->identities.n + design->device_count, sizeof *all);
	struct idset taken = idset_new(built->device_count);
	size_t count = 0;

	for (uint32_t d = 0; d < design->device_count; d++) {
		if (of[d] != NONE)
			idset_add(&taken, of[d]);
		else if (!there[d].lost)
			all[count++] = (struct colored){there[d].sum, d, false};
	}
	for (size_t i = 0; i < built->identities.n; i++) {
		const struct identity *x = &built->identities.at[i];

		if (x->guid != UNKNOWN && x->label == NONE && !here[x->device].lost && !idset_has(&taken, x->device))
			all[count++] = (struct colored){here[x->device].sum, x->device, true};
	}
	if (count)
		qsort(all, count, sizeof *all, compare_colored);
	for (size_t first = 0, half, end; first < count; first = end) {
		for (half = first; half < count && all[half].color == all[first].color && !all[half].built; half++)
			;
		for (end = half; end < count && all[end].color == all[first].color; end++)
			;
		for (size_t i = 0; first + i < half && half + i < end; i++) {
			of[all[first + i].device] = all[half + i].device;
			n->by_structure++;
		}
	}
	idset_free(&taken);
	free(all);
	free(here);
	free(there);
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Devices of designs that were not built get numbers behind; one in two designs gets one. */
static void number_rest(struct diff_nodes *n)
{
	struct index x = {0};

	n->count = n->fabric[0]->device_count;
	for (size_t k = 1; k < n->fabric_count; k++)
		for (uint32_t d = 0; d < n->fabric[k]->device_count; d++) {
			const char *label = n->label[k][d];
			uint32_t slot;

			if (n->of[k][d] != NONE)
				continue;
			n->unmatched++;
			slot = name_slot(&x, label, strlen(label));
			if (x.device.at[slot] == NONE - 1)
				x.device.at[slot] = n->count++;
			n->of[k][d] = x.device.at[slot];
		}
	vec_free(&x.device);
	strtab_free(&x.names);
}

struct diff_nodes diff_match(const struct fabric *const *fabric, size_t count, const char *names)
{
	struct diff_nodes n = {.fabric = fabric, .fabric_count = count};
	struct index x = {0};

	n.of = mem_array(count, sizeof *n.of);
	n.label = mem_array(count, sizeof *n.label);
	index_built(&x, fabric[0], names);
	for (size_t k = 0; k < count; k++) {
		n.label[k] = label_all(&n.arena, fabric[k]);
		n.of[k] = mem_array(fabric[k]->device_count, sizeof **n.of);
		memset(n.of[k], 0xff, fabric[k]->device_count * sizeof **n.of);
		if (!k) {
			for (uint32_t d = 0; d < fabric[0]->device_count; d++)
				n.of[0][d] = d;
			continue;
		}
		match_names(&n, &x, fabric[k], n.of[k]);
		if (2 * count_matched(n.of[k], fabric[k]->device_count) < fabric[k]->device_count)
			match_structure(&n, fabric[k], n.of[k]);
		match_places(&n, fabric[k], n.of[k]);
	}
	number_rest(&n);
	keymap_free(&x.guids);
	vec_free(&x.device);
	strtab_free(&x.names);
	return n;
}

void diff_nodes_free(struct diff_nodes *n)
{
	for (size_t k = 0; k < n->fabric_count; k++)
		free(n->of[k]);
	free(n->of);
	free(n->label);
	arena_free(&n->arena);
}
