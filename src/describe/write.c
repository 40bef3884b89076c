/* A fabric as a description. Every module becomes text (its parts, and the trunks that lie inside of it and of
 * none of its own modules); modules with the same text are one definition, so that a hall of equal racks stays
 * short. Wiring is written as `pairs`. The result loads to an equal fabric.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>

/* The part a member became, and how paths name it: key, then the index. */
struct spot {
	const char *key;   /* in the arena */
	const char *index; /* "3", "0.1.2", or "" */
};

struct writer {
	const struct fabric *f;
	struct arena arena;
	struct spot *module, *device; /* by id */
	uint32_t *definition;         /* of each module: id in bodies */
	struct strtab bodies;
	VEC(const char *) names; /* of the definitions */
	struct strtab taken;     /* names of definitions */
	const char **kind_key, **type_key, **medium_key;
	uint32_t *trunk_at, *trunk; /* trunks by the module that holds them */
};

/* ---- scalars ---------------------------------------------------------------------------------------- */

static void put_text(struct strbuf *b, const char *text)
{
	strbuf_putc(b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_putc(b, '\\');
		/* $${ stands for ${ that is no parameter */
		if (*text == '$' && text[1] == '{')
			strbuf_putc(b, '$');
		strbuf_putc(b, *text);
	}
	strbuf_putc(b, '"');
}

/* In its customary unit when that is exact, else in the smallest one. */
static void put_exact(struct strbuf *b, enum dimension dim, uint64_t value)
{
	static const char *const smallest[] = {
		[DIM_COUNT] = "",   [DIM_RATE] = " b/s", [DIM_DATA] = " B",	     [DIM_COMPUTE] = " FLOPS",
		[DIM_LENGTH] = " um", [DIM_TIME] = " ps",  [DIM_POWER] = " mW",	     [DIM_ENERGY] = " fJ/bit",
		[DIM_DENSITY] = " b/s/mm", [DIM_RATIO] = "", [DIM_LINKS] = " links",
	};
	struct arena a = {0};
	struct strbuf text = STRBUF_INIT;
	struct quantity q;
	const char *why, *hint;
	put_quantity(&text, dim, value);
	if (quantity_parse(&a, text.text, text.n, &q, &why, &hint) && q.dim == dim && q.value == value)
		strbuf_puts(b, text.text);
	else
		strbuf_printf(b, "%llu%s", (unsigned long long)value, smallest[dim]);
	strbuf_free(&text);
	arena_free(&a);
}

static void put_known(struct strbuf *b, const char *key, enum dimension dim, uint64_t value)
{
	if (value == UNKNOWN)
		return;
	strbuf_printf(b, "    %s: ", key);
	put_exact(b, dim, value);
	strbuf_putc(b, '\n');
}

static void put_size(struct strbuf *b, uint64_t width, uint64_t height)
{
	if (width == UNKNOWN || height == UNKNOWN)
		return;
	strbuf_puts(b, "    size: ");
	put_exact(b, DIM_LENGTH, width);
	strbuf_puts(b, " x ");
	put_exact(b, DIM_LENGTH, height);
	strbuf_putc(b, '\n');
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A name that the language takes, made of any label; not taken yet. With part, it ends in a letter. */
static const char *fresh_key(struct arena *a, struct strtab *taken, const char *label, const char *fallback, bool part)
{
	struct strbuf b = STRBUF_INIT;
	for (const char *s = label; *s && b.n < 60; s++) {
		bool fits = is_letter(*s) || is_digit(*s) || *s == '-' || (!part && (*s == '.' || *s == '+'));
		if (b.n == 0 && !is_letter(*s) && fits)
			strbuf_putc(&b, '_');
		strbuf_putc(&b, fits ? *s : '_');
	}
	if (b.n == 0)
		strbuf_puts(&b, fallback);
	if (part && !is_letter(b.text[b.n - 1]))
		strbuf_putc(&b, '_');
	size_t base = b.n;
	for (unsigned i = 2; strtab_find(taken, b.text, b.n) != NONE; i++) {
		strbuf_trim(&b, base);
		strbuf_printf(&b, part ? "-%u_" : "-%u", i);
	}
	strtab_intern(taken, b.text, b.n);
	const char *key = arena_strndup(a, b.text, b.n);
	strbuf_free(&b);
	return key;
}

static const char *kept_name(struct writer *w, name_id name, struct strtab *taken, const char *fallback)
{
	return fresh_key(&w->arena, taken, fabric_str(w->f, name), fallback, false);
}

static void make_keys(struct writer *w)
{
	const struct fabric *f = w->f;
	struct strtab kinds = {0}, types = {0}, media = {0};
	w->kind_key = mem_array(f->kinds.n, sizeof *w->kind_key);
	w->type_key = mem_array(f->types.n, sizeof *w->type_key);
	w->medium_key = mem_array(f->media.n, sizeof *w->medium_key);
	for (size_t i = 0; i < f->kinds.n; i++)
		w->kind_key[i] = kept_name(w, f->kinds.at[i].name, &kinds, "link");
	for (size_t i = 0; i < f->types.n; i++) {
		w->type_key[i] = kept_name(w, f->types.at[i].name, &types, "device");
		/* a part names a device or a module: no module may be called the same */
		strtab_intern(&w->taken, w->type_key[i], strlen(w->type_key[i]));
	}
	for (size_t i = 0; i < f->media.n; i++)
		w->medium_key[i] = kept_name(w, f->media.at[i].name, &media, "medium");
	strtab_free(&kinds);
	strtab_free(&types);
	strtab_free(&media);
}

/* ---- parts ------------------------------------------------------------------------------------------------ */

/* "n0.1.2": the size of "n", and the index; dims 0 when there is none. */
struct split {
	size_t base;
	uint32_t index[DIMS_MAX], dims;
};

static struct split split_name(const char *name)
{
	struct split s = {.base = strlen(name)};
	size_t n = s.base, i = n;
	while (i > 0 && (is_digit(name[i - 1]) || (name[i - 1] == '.' && i < n)))
		i--;
	if (i == n || i == 0 || !is_letter(name[i - 1]))
		return s;
	for (size_t k = 0; k < i; k++)
		if (!is_letter(name[k]) && !(k > 0 && (is_digit(name[k]) || name[k] == '-')))
			return s;
	for (size_t at = i; at < n; s.dims++) {
		uint64_t v = 0;
		size_t digits = at;
		for (; at < n && is_digit(name[at]); at++)
			v = v < NONE ? v * 10 + (uint64_t)(name[at] - '0') : v;
		/* leading zeros and empty indices would not come back */
		if (at == digits || (name[digits] == '0' && at - digits > 1) || s.dims == DIMS_MAX || v >= NONE)
			return (struct split){.base = n};
		s.index[s.dims] = (uint32_t)v;
		at += at < n;
	}
	s.base = i;
	return s;
}

static name_id member_name(const struct writer *w, struct member m)
{
	return m.is_device ? w->f->name[m.id] : w->f->modules.at[m.id].name;
}

static const char *member_text(const struct writer *w, struct member m)
{
	return fabric_str(w->f, member_name(w, m));
}

static uint8_t member_flags(const struct writer *w, struct member m)
{
	return m.is_device ? w->f->flags[m.id] : w->f->modules.at[m.id].flags;
}

static const struct place *member_place(const struct writer *w, struct member m)
{
	return m.is_device ? &w->f->place[m.id] : &w->f->modules.at[m.id].place;
}

/* What it is an instance of. */
static uint32_t member_kind(const struct writer *w, struct member m)
{
	return m.is_device ? w->f->type[m.id] : w->definition[m.id];
}

static bool is_placed(const struct place *p)
{
	return p->unit != NONE || p->x_um != UNKNOWN;
}

static bool alike(const struct writer *w, struct member a, struct member b)
{
	return a.is_device == b.is_device && member_kind(w, a) == member_kind(w, b) &&
	       member_flags(w, a) == member_flags(w, b) &&
	       is_placed(member_place(w, a)) == is_placed(member_place(w, b));
}

/* How many members from m[0] on are one part with indices; 1 with dims[0] 0 when it must stand alone. */
static size_t run_of(const struct writer *w, const struct member *m, size_t n, uint32_t *dims, uint32_t *dim_count)
{
	const char *name = member_text(w, m[0]);
	struct split first = split_name(name);
	size_t run = 1;
	*dim_count = 0;
	for (uint32_t d = 0; d < first.dims; d++)
		if (first.index[d] != 0)
			return 1;
	if (first.dims == 0)
		return 1;
	memset(dims, 0, DIMS_MAX * sizeof *dims);
	struct split last = first;
	for (; run < n && alike(w, m[0], m[run]); run++) {
		const char *other = member_text(w, m[run]);
		struct split s = split_name(other);
		if (s.dims != first.dims || s.base != first.base || memcmp(other, name, s.base) != 0 ||
		    (s.dims == 1 && s.index[0] != run))
			break;
		last = s;
	}
	uint64_t total = 1;
	for (uint32_t d = 0; d < first.dims; d++) {
		dims[d] = last.index[d] + 1;
		total = total > UINT32_MAX ? total : total * dims[d];
	}
	if (total != run)
		return 1;
	for (size_t i = 0; i < run; i++) {
		struct split s = split_name(member_text(w, m[i]));
		size_t rest = i;
		for (uint32_t d = s.dims; d > 0; d--) {
			if (s.index[d - 1] != rest % dims[d - 1])
				return 1;
			rest /= dims[d - 1];
		}
	}
	*dim_count = first.dims;
	return run;
}

static void put_units(const struct writer *w, const struct member *m, size_t n, struct strbuf *b)
{
	uint32_t first = NONE, end = NONE;
	const char *separator = "        at: \"";
	for (size_t i = 0; i < n; i++) {
		const struct place *p = member_place(w, m[i]);
		if (p->unit != end) {
			if (first != NONE) {
				strbuf_printf(b, "%sU%u-U%u", separator, first, end - 1);
				separator = ", ";
			}
			first = p->unit;
		}
		end = p->unit + p->units;
	}
	strbuf_printf(b, "%sU%u-U%u\"\n", separator, first, end - 1);
}

static void put_um(struct strbuf *b, uint64_t um)
{
	strbuf_printf(b, "%llu.%03llu", (unsigned long long)(um / 1000), (unsigned long long)(um % 1000));
}

static void put_places(const struct writer *w, const struct member *m, size_t n, struct strbuf *b)
{
	bool rotated = false;
	if (member_place(w, m[0])->unit != NONE) {
		put_units(w, m, n, b);
	} else if (member_place(w, m[0])->x_um != UNKNOWN) {
		strbuf_puts(b, "        at: [");
		for (size_t i = 0; i < n; i++) {
			strbuf_puts(b, i ? ", \"" : "\"");
			put_um(b, member_place(w, m[i])->x_um);
			strbuf_puts(b, ", ");
			put_um(b, member_place(w, m[i])->y_um);
			strbuf_puts(b, " mm\"");
		}
		strbuf_puts(b, "]\n");
	}
	for (size_t i = 0; i < n; i++)
		rotated |= member_place(w, m[i])->rotate != 0;
	for (size_t i = 0; rotated && i < n; i++)
		strbuf_printf(b, "%s%u%s", i ? ", " : "        rotate: [", member_place(w, m[i])->rotate,
			      i + 1 < n ? "" : "]\n");
}

static void put_flags(struct strbuf *b, uint8_t flags, const char *indent)
{
	static const struct {
		uint8_t flag;
		const char *key;
	} rows[] = {{FLAG_INFERRED, "inferred"},
		    {FLAG_INCOMPLETE, "incomplete"},
		    {FLAG_EXTERNAL, "external"},
		    {FLAG_DISAGREE, "disagree"}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (flags & rows[i].flag)
			strbuf_printf(b, "%s%s: true\n", indent, rows[i].key);
}

static void put_part(struct writer *w, const struct member *m, size_t n, const uint32_t *dims, uint32_t dim_count,
		     struct strtab *taken, struct strbuf *b)
{
	const char *name = member_text(w, m[0]);
	size_t base = dim_count ? split_name(name).base : strlen(name);
	const char *label = arena_strndup(&w->arena, name, base);
	const char *key = fresh_key(&w->arena, taken, label, "part", true);
	bool renamed = strcmp(key, label) != 0;
	strbuf_printf(b, "      %s:\n        is: %s\n", key,
		      m[0].is_device ? w->type_key[w->f->type[m[0].id]] : w->names.at[w->definition[m[0].id]]);
	if (dim_count == 1)
		strbuf_printf(b, "        count: %u\n", dims[0]);
	for (uint32_t d = 0; dim_count > 1 && d < dim_count; d++)
		strbuf_printf(b, "%s%u%s", d ? ", " : "        count: [", dims[d], d + 1 < dim_count ? "" : "]\n");
	if (renamed && *name) {
		strbuf_puts(b, "        name: ");
		put_text(b, name);
		strbuf_putc(b, '\n');
	}
	put_places(w, m, n, b);
	put_flags(b, member_flags(w, m[0]), "        ");
	for (size_t i = 0; i < n; i++) {
		const char *text = member_text(w, m[i]);
		struct spot s = {key, dim_count ? arena_strdup(&w->arena, text + base) : ""};
		*(m[i].is_device ? &w->device[m[i].id] : &w->module[m[i].id]) = s;
	}
}

static void put_parts(struct writer *w, uint32_t module, struct strbuf *b)
{
	VEC(struct member) members = {0};
	struct strtab taken = {0};
	struct member m = {0};
	while (module_next(w->f, module, &m))
		vec_push(&members, m);
	if (members.n)
		strbuf_puts(b, "    parts:\n");
	/* a row whose key is taken by a thing before it must be taken apart: its instances get names of their own */
	for (size_t i = 0; i < members.n;) {
		uint32_t dims[DIMS_MAX], dim_count;
		size_t run = run_of(w, members.at + i, members.n - i, dims, &dim_count);
		const char *name = member_text(w, members.at[i]);
		if (dim_count && strtab_find(&taken, name, split_name(name).base) != NONE) {
			run = 1;
			dim_count = 0;
		}
		put_part(w, members.at + i, run, dims, dim_count, &taken, b);
		i += run;
	}
	vec_free(&members);
	strtab_free(&taken);
}

/* ---- wiring --------------------------------------------------------------------------------------------------- */

static uint32_t common_module(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t m = f->module[a];
	while (m != 0 && !module_contains(f, m, b))
		m = f->modules.at[m].parent;
	return m;
}

static uint32_t holder(const struct fabric *f, const struct trunk *t)
{
	uint32_t m = common_module(f, t->a, t->b);
	while (t->via != NONE && m != 0 && !module_contains(f, m, t->via))
		m = f->modules.at[m].parent;
	return m;
}

static void sort_trunks(struct writer *w)
{
	const struct fabric *f = w->f;
	uint32_t *of = mem_array(f->trunk_count, sizeof *of);
	w->trunk_at = mem_array(f->modules.n + 2, sizeof *w->trunk_at);
	w->trunk = mem_array(f->trunk_count, sizeof *w->trunk);
	for (uint32_t i = 0; i < f->trunk_count; i++) {
		of[i] = holder(f, &f->trunks[i]);
		w->trunk_at[of[i] + 2]++;
	}
	for (size_t i = 2; i < f->modules.n + 2; i++)
		w->trunk_at[i] += w->trunk_at[i - 1];
	for (uint32_t i = 0; i < f->trunk_count; i++)
		w->trunk[w->trunk_at[of[i] + 1]++] = i;
	free(of);
}

static void put_module_path(const struct writer *w, uint32_t module, uint32_t top, struct strbuf *b)
{
	if (module == top)
		return;
	put_module_path(w, w->f->modules.at[module].parent, top, b);
	strbuf_printf(b, "%s%s/", w->module[module].key, w->module[module].index);
}

static void put_path(const struct writer *w, uint32_t device, uint32_t top, struct strbuf *b)
{
	put_module_path(w, w->f->module[device], top, b);
	strbuf_printf(b, "%s%s", w->device[device].key, w->device[device].index);
}

/* What the trunks of one rule have in common. */
static void put_rule_head(const struct writer *w, const struct trunk *t, uint32_t top, struct strbuf *b)
{
	const struct link_kind *k = &w->f->kinds.at[t->kind];
	strbuf_printf(b, "      - link: %s\n", w->kind_key[t->kind]);
	if (t->rail != NO_LABEL)
		strbuf_printf(b, "        rail: %d\n", t->rail);
	if (t->plane != NO_LABEL)
		strbuf_printf(b, "        plane: %d\n", t->plane);
	if (t->rate != k->rate && t->rate != UNKNOWN) {
		strbuf_puts(b, "        rate: ");
		put_exact(b, DIM_RATE, t->rate);
		strbuf_putc(b, '\n');
	}
	if (t->length_um != k->length_um && t->length_um != UNKNOWN) {
		strbuf_puts(b, "        length: ");
		put_exact(b, DIM_LENGTH, t->length_um);
		strbuf_putc(b, '\n');
	}
	if (t->via != NONE) {
		strbuf_puts(b, "        via: ");
		put_path(w, t->via, top, b);
		strbuf_putc(b, '\n');
	}
	put_flags(b, t->flags, "        ");
	strbuf_puts(b, "        pairs:\n");
}

static void put_pair(const struct writer *w, const struct trunk *t, uint32_t top, struct strbuf *b)
{
	strbuf_puts(b, "          - [");
	put_path(w, t->a, top, b);
	strbuf_puts(b, ", ");
	put_path(w, t->b, top, b);
	if (t->count == NONE)
		strbuf_puts(b, ", unknown");
	else if (t->count != 1)
		strbuf_printf(b, ", %u", t->count);
	strbuf_puts(b, "]\n");
}

static void put_wiring(const struct writer *w, uint32_t module, struct strbuf *b)
{
	struct strtab heads = {0};
	VEC(struct strbuf) rules = {0};
	struct strbuf head = STRBUF_INIT;
	for (uint32_t i = w->trunk_at[module]; i < w->trunk_at[module + 1]; i++) {
		const struct trunk *t = &w->f->trunks[w->trunk[i]];
		strbuf_trim(&head, 0);
		put_rule_head(w, t, module, &head);
		uint32_t rule = strtab_intern(&heads, head.text, head.n);
		if (rule == rules.n)
			vec_push(&rules, (struct strbuf){0});
		put_pair(w, t, module, &rules.at[rule]);
	}
	if (rules.n)
		strbuf_puts(b, "    wiring:\n");
	for (size_t i = 0; i < rules.n; i++) {
		strbuf_puts(b, strtab_text(&heads, (uint32_t)i));
		strbuf_puts(b, strbuf_str(&rules.at[i]));
		strbuf_free(&rules.at[i]);
	}
	vec_free(&rules);
	strbuf_free(&head);
	strtab_free(&heads);
}

/* ---- modules ------------------------------------------------------------------------------------------------------- */

static void put_module(struct writer *w, uint32_t id, struct strbuf *b)
{
	const struct module *m = &w->f->modules.at[id];
	strbuf_printf(b, "    kind: %s\n", module_kind_names[m->kind]);
	if (m->class != CLASS_NONE)
		strbuf_printf(b, "    class: %s\n", class_names[m->class]);
	if (m->height_units != UNKNOWN)
		strbuf_printf(b, "    height: %lluU\n", (unsigned long long)m->height_units);
	put_size(b, m->width_um, m->height_um);
	put_known(b, "pitch", DIM_LENGTH, m->pitch_um);
	if (m->medium != NONE)
		strbuf_printf(b, "    medium: %s\n", w->medium_key[m->medium]);
	put_parts(w, id, b);
	put_wiring(w, id, b);
}

/* From the innermost out, since a body names the definitions inside of it. The type is part of the text, so that
 * modules of different types stay apart. */
static void make_definitions(struct writer *w)
{
	for (uint32_t id = (uint32_t)w->f->modules.n; id-- > 0;) {
		const struct module *m = &w->f->modules.at[id];
		struct strbuf b = STRBUF_INIT;
		const char *type = m->type != NONE ? fabric_str(w->f, m->type) : module_kind_names[m->kind];
		strbuf_printf(&b, "%s\n", type);
		put_module(w, id, &b);
		w->definition[id] = strtab_intern(&w->bodies, b.text, b.n);
		if (w->definition[id] == w->names.n)
			vec_push(&w->names, fresh_key(&w->arena, &w->taken, type, "module", false));
		strbuf_free(&b);
	}
}

static void put_definitions(const struct writer *w, struct strbuf *b)
{
	strbuf_puts(b, "\nmodules:\n");
	for (size_t i = 0; i < w->names.n; i++)
		strbuf_printf(b, "  %s:\n%s", w->names.at[i], strchr(strtab_text(&w->bodies, (uint32_t)i), '\n') + 1);
	strbuf_printf(b, "\nbuild: %s\n", w->names.at[w->definition[0]]);
}

/* ---- the rest ------------------------------------------------------------------------------------------------------- */

static void put_title(const struct fabric *f, struct strbuf *b)
{
	const struct {
		const char *key, *text;
	} rows[] = {{"name", f->title}, {"description", f->description}, {"status", f->status}};
	strbuf_puts(b, "toponaut: 1\n");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!rows[i].text)
			continue;
		strbuf_printf(b, "%s: ", rows[i].key);
		put_text(b, rows[i].text);
		strbuf_putc(b, '\n');
	}
	for (size_t i = 0; i < f->provenance.n; i++) {
		strbuf_puts(b, i ? "  - " : "sources:\n  - ");
		put_text(b, f->provenance.at[i]);
		strbuf_putc(b, '\n');
	}
	if (f->loops.n)
		strbuf_printf(b, "# left out: %zu cables from a device to itself\n", f->loops.n);
}

static void put_links(const struct writer *w, struct strbuf *b)
{
	const struct fabric *f = w->f;
	if (f->kinds.n)
		strbuf_puts(b, "\nlinks:\n");
	for (size_t i = 0; i < f->kinds.n; i++) {
		const struct link_kind *k = &f->kinds.at[i];
		strbuf_printf(b, "  %s:\n    use: %s\n", w->kind_key[i], use_names[k->use]);
		put_known(b, "rate", DIM_RATE, k->rate);
		put_known(b, "raw-rate", DIM_RATE, k->raw_rate);
		put_known(b, "lanes", DIM_COUNT, k->lanes);
		put_known(b, "lane-rate", DIM_RATE, k->lane_rate);
		put_known(b, "density", DIM_DENSITY, k->density_bps_mm);
		put_known(b, "shoreline", DIM_LENGTH, k->shoreline_um);
		put_known(b, "length", DIM_LENGTH, k->length_um);
		put_known(b, "latency", DIM_TIME, k->latency_ps);
		put_known(b, "energy", DIM_ENERGY, k->energy_fj);
		if (k->medium != NONE)
			strbuf_printf(b, "    medium: %s\n", w->medium_key[k->medium]);
		if (k->port != k->name && k->port != NONE) {
			strbuf_puts(b, "    port: ");
			put_text(b, fabric_str(f, k->port));
			strbuf_putc(b, '\n');
		}
		if (k->takes != 1)
			strbuf_printf(b, "    takes: %u\n", k->takes);
	}
}

static void put_devices(const struct writer *w, struct strbuf *b)
{
	const struct fabric *f = w->f;
	if (f->types.n)
		strbuf_puts(b, "\ndevices:\n");
	for (size_t i = 0; i < f->types.n; i++) {
		const struct device_type *t = &f->types.at[i];
		strbuf_printf(b, "  %s:\n    class: %s\n", w->type_key[i], class_names[t->class]);
		if (t->relay)
			strbuf_puts(b, "    relay: true\n");
		if (t->ports_known && !t->port_count)
			strbuf_puts(b, "    ports: {}\n");
		for (uint32_t k = 0; k < t->port_count; k++) {
			const struct port_budget *p = &f->budgets.at[t->first_port + k];
			strbuf_puts(b, k ? "      " : "    ports:\n      ");
			put_text(b, fabric_str(f, p->port));
			strbuf_printf(b, ": %u\n", p->count);
		}
		for (uint32_t k = 0; k < t->compute_count; k++) {
			const struct compute *c = &f->computes.at[t->first_compute + k];
			strbuf_puts(b, k ? "      " : "    compute:\n      ");
			put_text(b, fabric_str(f, c->format));
			strbuf_puts(b, ": ");
			put_exact(b, DIM_COMPUTE, c->flops);
			strbuf_putc(b, '\n');
		}
		put_known(b, "memory", DIM_DATA, t->memory_bytes);
		put_known(b, "latency", DIM_TIME, t->latency_ps);
		put_known(b, "power", DIM_POWER, t->power_mw);
		put_size(b, t->width_um, t->height_um);
	}
}

static void put_media(const struct writer *w, struct strbuf *b)
{
	const struct fabric *f = w->f;
	if (f->media.n)
		strbuf_puts(b, "\nmedia:\n");
	for (size_t i = 0; i < f->media.n; i++) {
		const struct medium *m = &f->media.at[i];
		strbuf_printf(b, "  %s:\n    default: %s\n", w->medium_key[i], m->model_default ? "true" : "false");
		if (m->optical)
			strbuf_puts(b, "    optical: true\n");
		put_known(b, "reach", DIM_LENGTH, m->reach_um);
		put_known(b, "energy", DIM_ENERGY, m->energy_fj);
		put_known(b, "density", DIM_DENSITY, m->density_bps_mm);
		if (m->latency_ps_m != UNKNOWN)
			strbuf_printf(b, "    latency: %llu ps/m\n", (unsigned long long)m->latency_ps_m);
		if (m->source != NONE) {
			strbuf_puts(b, "    source: ");
			put_text(b, fabric_str(f, m->source));
			strbuf_putc(b, '\n');
		}
	}
}

static bool is_named(const struct named_selection *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i].name, name) == 0)
			return true;
	return false;
}

/* Those of the fabric, but names take the place of groups called the same. */
static void put_groups(const struct fabric *f, const struct named_selection *names, size_t n, struct strbuf *b)
{
	bool first = true;
	for (size_t i = 0; i < f->groups.n + n; i++) {
		const struct named_selection *x = i < f->groups.n ? &f->groups.at[i] : &names[i - f->groups.n];
		if (i < f->groups.n && is_named(names, n, x->name))
			continue;
		strbuf_puts(b, first ? "groups:\n  " : "  ");
		first = false;
		put_text(b, x->name);
		strbuf_puts(b, ": ");
		put_text(b, x->selection);
		strbuf_putc(b, '\n');
	}
}

static void put_fault(struct strbuf *b, const struct fault *x, bool first)
{
	struct strbuf what = STRBUF_INIT;
	if (x->selection)
		strbuf_puts(&what, x->selection);
	else
		strbuf_printf(&what, "%s -- %s", x->end_a, x->end_b);
	strbuf_printf(b, "%s  - {%s: ", first ? "faults:\n" : "", x->action == FAULT_REMOVE ? "remove" : "derate");
	put_text(b, strbuf_str(&what));
	if (x->action == FAULT_DERATE)
		strbuf_printf(b, ", to: %u.%04u%%", x->keep_ppm / 10000, x->keep_ppm % 10000);
	else if (x->links != NONE)
		strbuf_printf(b, ", links: %u", x->links);
	strbuf_puts(b, "}\n");
	strbuf_free(&what);
}

/* The overlay, one fault for every device and trunk that it changes. */
static void put_overlay(const struct fabric *f, const struct overlay *o, struct strbuf *b)
{
	struct strbuf ends[2] = {STRBUF_INIT, STRBUF_INIT};
	bool first = true;
	for (uint32_t d = 0; d < f->device_count; d++) {
		if (!idset_has(&o->failed, d))
			continue;
		strbuf_trim(&ends[0], 0);
		device_path(f, d, &ends[0]);
		put_fault(b, &(struct fault){.action = FAULT_REMOVE, .selection = ends[0].text, .links = NONE}, first);
		first = false;
	}
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t lost = o->lost ? o->lost[t] : 0, keep = o->keep_ppm ? o->keep_ppm[t] : 1000000;
		for (int e = 0; (lost || keep != 1000000) && e < 2; e++) {
			strbuf_trim(&ends[e], 0);
			device_path(f, e ? f->trunks[t].b : f->trunks[t].a, &ends[e]);
		}
		struct fault x = {.end_a = ends[0].text, .end_b = ends[1].text, .links = lost, .keep_ppm = keep};
		if (lost) {
			put_fault(b, &x, first);
			first = false;
		}
		x.action = FAULT_DERATE;
		if (keep != 1000000) {
			put_fault(b, &x, first);
			first = false;
		}
	}
	strbuf_free(&ends[0]);
	strbuf_free(&ends[1]);
}

static void put_expectation(const struct expectation *e, struct strbuf *b)
{
	static const char *const operators[] = {"is", "atleast", "atmost"};
	const struct {
		const char *key, *text;
	} rows[] = {{operators[e->op], e->value}, {"within", e->within},   {"over", e->over},
		    {"unit", e->unit},		  {"endpoints", e->endpoints}, {"transit", e->transit},
		    {"relay", e->relay},	  {"fail", e->fail},	   {"derate", e->derate}};
	strbuf_printf(b, "  - {%s%s%s: %s", e->analysis, e->field ? "." : "", e->field ? e->field : "",
		      e->operands[1] ? "[" : "");
	put_text(b, e->operands[0]);
	if (e->operands[1]) {
		strbuf_puts(b, ", ");
		put_text(b, e->operands[1]);
		strbuf_putc(b, ']');
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!rows[i].text)
			continue;
		strbuf_printf(b, ", %s: ", rows[i].key);
		put_text(b, rows[i].text);
	}
	strbuf_puts(b, "}\n");
}

static void writer_free(struct writer *w)
{
	free(w->module);
	free(w->device);
	free(w->definition);
	free(w->kind_key);
	free(w->type_key);
	free(w->medium_key);
	free(w->trunk_at);
	free(w->trunk);
	strtab_free(&w->bodies);
	strtab_free(&w->taken);
	vec_free(&w->names);
	arena_free(&w->arena);
}

void describe_write(const struct fabric *f, const struct overlay *o, struct strbuf *b)
{
	describe_write_named(f, o, NULL, 0, b);
}

void describe_write_named(const struct fabric *f, const struct overlay *o, const struct named_selection *names, size_t n,
			  struct strbuf *b)
{
	struct writer w = {.f = f,
			   .module = mem_array(f->modules.n, sizeof *w.module),
			   .device = mem_array(f->device_count, sizeof *w.device),
			   .definition = mem_array(f->modules.n, sizeof *w.definition)};
	make_keys(&w);
	sort_trunks(&w);
	make_definitions(&w);
	put_title(f, b);
	put_links(&w, b);
	put_devices(&w, b);
	put_media(&w, b);
	put_definitions(&w, b);
	put_groups(f, names, n, b);
	if (o)
		put_overlay(f, o, b);
	for (size_t i = 0; !o && i < f->faults.n; i++)
		put_fault(b, &f->faults.at[i], i == 0);
	for (size_t i = 0; i < f->expectations.n; i++) {
		strbuf_puts(b, i ? "" : "expect:\n");
		put_expectation(&f->expectations.at[i], b);
	}
	writer_free(&w);
}
