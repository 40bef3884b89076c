/* Which device of a design is which of what was built: by GUID, by name without case, else by structure. Names are labels
 * of the devices, their paths, and paths with blanks, as hosts' adapters are called.
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
};

static void look_up(void *context, const char *text, size_t n, uint32_t device)
{
	struct lookup *l = context;
	uint32_t id = strtab_find(&l->x->names, text, n);

	if (l->of[device] == NONE && id != NONE)
		l->of[device] = l->x->device.at[id];
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

static void match_names(struct diff_nodes *n, struct index *x, const struct fabric *f, uint32_t *of)
{
	struct lookup l = {x, of};
	uint32_t guids, matched;

	for (size_t i = 0; i < f->identities.n; i++)
		if (f->identities.at[i].guid != UNKNOWN)
			of[f->identities.at[i].device] = keymap_get(&x->guids, f->identities.at[i].guid);
	guids = count_matched(of, f->device_count);
	n->by_guid += guids;
	for (size_t i = 0; i < f->identities.n; i++)
		label_name(f, &f->identities.at[i], look_up, &l);
	for (uint32_t d = 0; d < f->device_count; d++)
		path_names(f, d, look_up, &l);
	drop_doubles(of, f->device_count, n->fabric[0]->device_count);
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
		s.color[0][d] = mix((uint64_t)device_class(built, d) + 1);
	for (uint32_t d = 0; d < design->device_count; d++)
		s.color[1][d] = of[d] == NONE ? mix((uint64_t)device_class(design, d) + 1) : 0;
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
