/* inspector: what is known about the thing under the cursor. What the file does not say prints as "–".
 */
#include "view/view_internal.h"

/* A pen that writes lines of "word  value" and stops at the bottom. */
struct pen {
	struct canvas *c;
	struct rect area;
	int y;
	struct strbuf b; /* the value being put together */
};

enum { WORD_W = 7 };

static void put_line(struct pen *p, struct style style, const char *text)
{
	if (p->y < p->area.y + p->area.h)
		canvas_text_in(p->c, p->area.x + 1, p->y, p->area.w - 2, style, text);
	p->y++;
}

/* Writes what stands in p->b behind a word, and clears it. */
static void put_fact(struct pen *p, const char *word)
{
	if (p->y < p->area.y + p->area.h) {
		int w = canvas_text_in(p->c, p->area.x + 1, p->y, p->area.w - 2, STYLE(ROLE_DIM, 0), word) + 1;
		w = w < WORD_W ? WORD_W : w;
		canvas_text_in(p->c, p->area.x + 1 + w, p->y, p->area.w - 2 - w, STYLE(ROLE_TEXT, 0), strbuf_str(&p->b));
	}
	p->y++;
	strbuf_trim(&p->b, 0);
}

/* ---- devices ----------------------------------------------------------------------------------------------- */

/* Trunks of one device by kind and type of the other end. */
struct neighbours {
	uint32_t kind, type, devices;
	uint32_t least, most; /* links to one of them */
	struct bundle bundle;
};
enum { NEIGHBOURS_MAX = 16 };

static size_t neighbours_of(const struct scene *s, uint32_t d, struct neighbours *out)
{
	const struct fabric *f = s->fabric;
	size_t n = 0;
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		uint32_t t = f->incident[i], type = f->type[trunk_other(f, t, d)], kind = f->trunks[t].kind;
		uint32_t links = trunk_links(f, s->overlay, t);
		size_t at = 0;
		while (at < n && (out[at].kind != kind || out[at].type != type))
			at++;
		if (at == NEIGHBOURS_MAX)
			continue;
		if (at == n)
			out[n++] = (struct neighbours){.kind = kind, .type = type, .least = links, .most = links};
		out[at].devices++;
		out[at].least = links < out[at].least ? links : out[at].least;
		out[at].most = links > out[at].most ? links : out[at].most;
		bundle_add(&out[at].bundle, s, t);
	}
	return n;
}

static void put_neighbours(struct pen *p, const struct scene *s, uint32_t d)
{
	const struct fabric *f = s->fabric;
	struct neighbours list[NEIGHBOURS_MAX];
	size_t n = neighbours_of(s, d, list);
	for (size_t i = 0; i < n; i++) {
		const struct neighbours *x = &list[i];
		put_line(p, STYLE(ROLE_LINK, 0), "");
		strbuf_puts(&p->b, fabric_str(f, f->kinds.at[x->kind].name));
		strbuf_puts(&p->b, f->kinds.at[x->kind].use == USE_LOCAL ? " (local)" : "");
		put_line(p, STYLE(ROLE_STRONG, 0), strbuf_str(&p->b));
		strbuf_trim(&p->b, 0);
		if (x->bundle.links == UNKNOWN)
			strbuf_puts(&p->b, "–");
		else
			put_count(&p->b, x->bundle.links);
		put_fact(p, "links");
		put_rate(&p->b, x->bundle.rate);
		put_fact(p, "rate");
		put_count(&p->b, x->devices);
		strbuf_printf(&p->b, " %s", fabric_str(f, f->types.at[x->type].name));
		put_fact(p, "to");
		if (x->most == NONE)
			strbuf_puts(&p->b, "–");
		else if (x->least == x->most)
			strbuf_printf(&p->b, "×%u", x->most);
		else
			strbuf_printf(&p->b, "×%u–%u", x->least, x->most);
		put_fact(p, "each");
	}
}

static void put_labels(struct pen *p, const struct fabric *f, uint32_t d)
{
	if (f->rail[d] != NO_LABEL) {
		strbuf_printf(&p->b, "%d", f->rail[d]);
		put_fact(p, "rail");
	}
	if (f->plane[d] != NO_LABEL) {
		strbuf_printf(&p->b, "%d", f->plane[d]);
		put_fact(p, "plane");
	}
}

/* Ports of each kind: used of those there are. */
static void put_ports(struct pen *p, const struct scene *s, uint32_t d)
{
	const struct fabric *f = s->fabric;
	const struct device_type *type = &f->types.at[f->type[d]];
	for (uint32_t i = type->first_port; i < type->first_port + type->port_count; i++) {
		uint64_t used = 0;
		for (uint32_t at = f->incident_at[d]; at < f->incident_at[d + 1]; at++) {
			const struct trunk *t = &f->trunks[f->incident[at]];
			if (f->kinds.at[t->kind].port == f->budgets.at[i].port && t->count != NONE)
				used += (uint64_t)t->count * f->kinds.at[t->kind].takes;
		}
		put_count(&p->b, used);
		strbuf_puts(&p->b, "/");
		put_count(&p->b, f->budgets.at[i].count);
		strbuf_printf(&p->b, " %s", fabric_str(f, f->budgets.at[i].port));
		put_fact(p, "ports");
	}
}

static void put_flags(struct pen *p, uint8_t flags)
{
	if (flags & FLAG_INFERRED)
		put_line(p, STYLE(ROLE_WARNING, 0), "inferred");
	if (flags & FLAG_INCOMPLETE)
		put_line(p, STYLE(ROLE_WARNING, 0), "cut short in the file");
	if (flags & FLAG_EXTERNAL)
		put_line(p, STYLE(ROLE_WARNING, 0), "outside of the file");
}

static void put_device(struct pen *p, const struct scene *s, uint32_t d)
{
	const struct fabric *f = s->fabric;
	const struct device_type *type = &f->types.at[f->type[d]];
	device_path(f, d, &p->b);
	put_line(p, STYLE(ROLE_STRONG, 0), strbuf_str(&p->b));
	strbuf_trim(&p->b, 0);
	strbuf_printf(&p->b, "%s  %s", fabric_str(f, type->name), class_names[type->class]);
	put_line(p, STYLE(ROLE_TEXT, 0), strbuf_str(&p->b));
	strbuf_trim(&p->b, 0);
	if (device_failed(s, d))
		put_line(p, STYLE(ROLE_FAILED, 0), "✗ failed");
	put_flags(p, f->flags[d]);
	char side = device_side(s, d);
	if (side) {
		strbuf_printf(&p->b, "%c of the cut", side);
		put_fact(p, "side");
	}
	put_ports(p, s, d);
	if (type->memory_bytes != UNKNOWN) {
		put_quantity(&p->b, DIM_DATA, type->memory_bytes);
		put_fact(p, "memory");
	}
	put_labels(p, f, d);
	put_neighbours(p, s, d);
}

/* ---- trunks ------------------------------------------------------------------------------------------------- */

static void put_trunk(struct pen *p, const struct scene *s, uint32_t id)
{
	const struct fabric *f = s->fabric;
	const struct trunk *t = &f->trunks[id];
	const struct link_kind *k = &f->kinds.at[t->kind];
	struct bundle sum = {0};
	bundle_add(&sum, s, id);
	strbuf_printf(&p->b, "%s%s", fabric_str(f, k->name), k->use == USE_LOCAL ? " (local)" : "");
	put_line(p, STYLE(ROLE_STRONG, 0), strbuf_str(&p->b));
	strbuf_trim(&p->b, 0);
	device_path(f, t->a, &p->b);
	put_fact(p, "from");
	device_path(f, t->b, &p->b);
	put_fact(p, "to");
	put_links(sum.links, &p->b);
	put_fact(p, "count");
	put_rate(&p->b, trunk_link_rate(f, s->overlay, id));
	put_fact(p, "each");
	put_rate(&p->b, sum.rate);
	put_fact(p, "all");
	put_quantity(&p->b, DIM_LENGTH, t->length_um);
	put_fact(p, "length");
	strbuf_puts(&p->b, k->medium == NONE ? "–" : fabric_str(f, f->media.at[k->medium].name));
	put_fact(p, "medium");
	if (t->rail != NO_LABEL) {
		strbuf_printf(&p->b, "%d", t->rail);
		put_fact(p, "rail");
	}
	if (t->plane != NO_LABEL) {
		strbuf_printf(&p->b, "%d", t->plane);
		put_fact(p, "plane");
	}
	put_flags(p, t->flags);
	if (trunk_is_marked(s, id))
		put_line(p, mark_style(s), mark_words(s));
}

/* ---- modules ------------------------------------------------------------------------------------------------ */

static void put_contents(struct pen *p, const struct fabric *f, const struct module *m)
{
	uint32_t count[CLASS_COUNT] = {0};
	for (uint32_t d = m->first_device; d < m->end_device; d++)
		count[device_class(f, d)]++;
	for (int c = 0; c < CLASS_COUNT; c++) {
		if (!count[c])
			continue;
		put_count(&p->b, count[c]);
		put_fact(p, class_names[c]);
	}
}

/* What is inside of a module and what leaves it, kept: of a hundred thousand devices this is not for every picture. */
struct borders {
	struct bundle healthy[2], sum[2]; /* 0: inside, 1: out; sum is of the scene with this key */
	uint64_t sum_key;
};

/* 0 inside, 1 out, 2 neither. */
static int border_of(const struct fabric *f, const struct module *m, uint32_t trunk)
{
	const struct trunk *t = &f->trunks[trunk];
	bool a = t->a >= m->first_device && t->a < m->end_device, b = t->b >= m->first_device && t->b < m->end_device;
	return !trunk_counts(f, trunk) ? 2 : a && b ? 0 : a || b ? 1 : 2;
}

static void add_borders(const struct scene *s, const struct module *m, struct bundle *out)
{
	const struct fabric *f = s->fabric;
	for (uint32_t d = m->first_device; d < m->end_device; d++)
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t t = f->incident[i];
			int border = border_of(f, m, t);
			if (border == 1 || (border == 0 && f->trunks[t].a == d)) /* each once */
				bundle_add(&out[border], s, t);
		}
}

static void mend_borders(const struct scene *s, const struct module *m, struct borders *b)
{
	struct idset touched = idset_new(s->fabric->trunk_count);
	bool fine = scene_touched(s, &touched);
	b->sum[0] = b->healthy[0];
	b->sum[1] = b->healthy[1];
	for (uint32_t t = idset_next(&touched, 0); fine && t != NONE; t = idset_next(&touched, t + 1)) {
		int border = border_of(s->fabric, m, t);
		fine = border == 2 || bundle_mend(&b->sum[border], s, t);
	}
	if (!fine) {
		b->sum[0] = b->sum[1] = (struct bundle){0};
		add_borders(s, m, b->sum);
	}
	idset_free(&touched);
}

static struct borders *borders_of(const struct scene *s, const struct module *m)
{
	uint64_t key = fingerprint_more(fabric_fingerprint(s), (uint64_t)(m - s->fabric->modules.at));
	uint64_t sum_key = s->memo ? scene_fingerprint(s) : 1;
	struct borders *b = memo_get(s, MEMO_BORDERS, key);
	if (!b) {
		struct scene healthy = scene_healthy(s);
		b = mem_alloc(sizeof *b);
		add_borders(&healthy, m, b->healthy);
		memo_put(s, MEMO_BORDERS, key, b, free);
	}
	if (b->sum_key != sum_key)
		mend_borders(s, m, b);
	b->sum_key = sum_key;
	return b;
}

static void put_borders(struct pen *p, const struct scene *s, const struct module *m)
{
	struct borders *of = borders_of(s, m);
	struct bundle inside = of->sum[0], out = of->sum[1];
	if (!s->memo)
		free(of);
	put_line(p, STYLE(ROLE_TEXT, 0), "");
	if (inside.trunks) {
		put_links(inside.links, &p->b);
		put_fact(p, "inside");
	}
	if (out.trunks) {
		put_links(out.links, &p->b);
		put_fact(p, "out");
		put_rate(&p->b, out.rate);
		put_fact(p, "");
	}
}

static void put_module(struct pen *p, const struct scene *s, uint32_t id)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[id];
	module_path(f, id, &p->b);
	if (!p->b.n)
		strbuf_puts(&p->b, f->title && *f->title ? f->title : f->source_name);
	put_line(p, STYLE(ROLE_STRONG, 0), strbuf_str(&p->b));
	strbuf_trim(&p->b, 0);
	strbuf_puts(&p->b, module_kind_names[m->kind]);
	if (m->type != NONE)
		strbuf_printf(&p->b, "  %s", fabric_str(f, m->type));
	put_line(p, STYLE(ROLE_TEXT, 0), strbuf_str(&p->b));
	strbuf_trim(&p->b, 0);
	put_flags(p, m->flags);
	if (m->place.unit != NONE) {
		strbuf_printf(&p->b, "U%u", m->place.unit);
		if (m->place.units > 1)
			strbuf_printf(&p->b, "–U%u", m->place.unit + m->place.units - 1);
		put_fact(p, "place");
	}
	put_contents(p, f, m);
	if (m->end_device > m->first_device)
		put_borders(p, s, m);
}

void inspector_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct pen p = {.c = c, .area = area, .y = area.y};
	struct rect old = canvas_clip(c, area);
	if (s->cursor.kind == TARGET_DEVICE)
		put_device(&p, s, s->cursor.id);
	else if (s->cursor.kind == TARGET_TRUNK)
		put_trunk(&p, s, s->cursor.id);
	else if (s->cursor.kind == TARGET_MODULE)
		put_module(&p, s, s->cursor.id);
	canvas_unclip(c, old);
	strbuf_free(&p.b);
}
