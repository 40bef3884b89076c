/* package: dies at their places on the substrate, to one scale in both directions, and the links between them. The
 * medium of a link is in the glyph it is drawn with and in words; what it needs of the die edge is said where a
 * density is known. package_plan.c finds what there is to show, package_words.c writes it.
 */
#include <stdlib.h>
#include <string.h>

#include "view/package_internal.h"

/* The longest of "▤ hbm12", "▤hbm12", "▤12" and "▤" that fits. */
static void put_die_name(const struct scene *s, uint32_t device, int w, struct strbuf *b)
{
	const char *name = device_name(s->fabric, device), *digits = name + strlen(name);
	while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	int full = (int)text_width(name), short_w = (int)text_width(digits);
	utf8_put(b, device_glyph(s, device));
	if (device_selected(s, device) && w > 1) {
		strbuf_puts(b, "●");
		w--;
	}
	if (full + 2 <= w)
		strbuf_printf(b, " %s", name);
	else if (full + 1 <= w || !*digits)
		strbuf_puts(b, name);
	else if (short_w + 1 <= w)
		strbuf_puts(b, digits);
}

static bool is_boxed(struct rect r)
{
	return r.w >= 4 && r.h >= 2;
}

static void draw_die(const struct scene *s, const struct die *d, struct canvas *c)
{
	struct rect r = d->at;
	struct style style = device_style(s, d->device);
	if (r.w < 1 || r.h < 1)
		return;
	canvas_fill(c, r, style);
	if (is_boxed(r)) {
		canvas_box(c, r, style, cursor_is(s, TARGET_DEVICE, d->device) ? LINE_HEAVY : LINE_LIGHT);
	} else if (r.w >= 5) { /* one row */
		canvas_put(c, r.x, r.y, style, '[');
		canvas_put(c, r.x + r.w - 1, r.y, style, ']');
	}
	canvas_hit(c, r, TARGET_DEVICE, d->device);
}

/* The row of a die's name: of two rows the one without links at its beginning. */
static int name_row(const struct die *d, const struct canvas *c, int x, int w)
{
	struct rect r = d->at;
	if (r.h != 2)
		return r.y + (r.h - 1) / 2;
	for (int i = 0; i < w; i++)
		if (canvas_hit_at(c, x + i, r.y).kind != TARGET_DEVICE)
			return r.y + 1;
	return r.y;
}

/* After the links, which may run along the edges. */
static void draw_die_name(const struct scene *s, const struct die *d, struct canvas *c)
{
	struct rect r = d->at;
	struct style style = device_style(s, d->device);
	struct strbuf b = STRBUF_INIT;
	bool edges = is_boxed(r) || r.w >= 5;
	int x = edges ? r.x + 1 : r.x, w = edges ? r.w - 2 : r.w;
	if (r.w < 1 || r.h < 1)
		return;
	put_die_name(s, d->device, w, &b);
	style.attr |= cursor_is(s, TARGET_DEVICE, d->device) ? ATTR_REVERSE : 0;
	int taken = (int)text_width(strbuf_str(&b)), left = r.h >= 3 && taken < w ? (w - taken) / 2 : 0;
	int y = name_row(d, c, x + left, taken);
	canvas_text_in(c, x + left, y, w - left, style, strbuf_str(&b));
	strbuf_trim(&b, 0);
	strbuf_printf(&b, "%g × %g mm", (double)d->w / 1000, (double)d->h / 1000);
	taken = (int)text_width(strbuf_str(&b));
	if (r.h >= 5 && taken <= w)
		canvas_text(c, x + (w - taken) / 2, y + 1, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
}

static void draw_link(const struct scene *s, const struct package_plan *p, uint32_t trunk, struct canvas *c)
{
	const struct fabric *f = s->fabric;
	struct rect band;
	bool across;
	if (!package_band(p, f, trunk, &band, &across))
		return;
	uint32_t links = trunk_links(f, s->overlay, trunk);
	bool wrong = false;
	for (size_t i = 0; i < p->violations.n; i++)
		wrong = wrong || p->violations.at[i].trunk == trunk;
	bool plain = links != 0 && !trunk_is_marked(s, trunk);
	struct style style = plain && wrong ? STYLE(ROLE_WARNING, 0) : trunk_style(s, trunk);
	uint32_t glyph = links == 0 ? 0x2717 : package_glyph(p, f, f->trunks[trunk].kind);
	for (int y = band.y; y < band.y + band.h; y++)
		for (int x = band.x; x < band.x + band.w; x++)
			canvas_put(c, x, y, style, glyph);
	canvas_hit(c, band, TARGET_TRUNK, trunk);
	char text[24] = "";
	if (links != NONE && links > 1)
		snprintf(text, sizeof text, "×%u", links);
	else if (trunk_label(s, trunk) != NONE && band.w >= 3)
		snprintf(text, sizeof text, "%c", (char)label_glyph(scene_mode(s), trunk_label(s, trunk)));
	int w = (int)text_width(text), room = across ? band.w - 1 : band.w, y = band.y + band.h / 2;
	if (w && w <= room)
		canvas_text(c, band.x + (band.w - w) / 2, y, style, text);
	if (wrong && (across ? band.h > 1 || w > room : band.w > w + 1))
		canvas_put(c, band.x, across ? band.y : y, STYLE(ROLE_WARNING, 0), '!');
}

static void draw_links(const struct scene *s, const struct package_plan *p, struct canvas *c)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[p->package];
	for (uint32_t i = f->incident_at[m->first_device]; i < f->incident_at[m->end_device]; i++) {
		uint32_t t = f->incident[i], a = f->trunks[t].a, b = f->trunks[t].b;
		bool inside = module_contains(f, p->package, a) && module_contains(f, p->package, b);
		if (inside && p->die_of[a - m->first_device] != NONE && p->die_of[b - m->first_device] != NONE)
			draw_link(s, p, t, c);
	}
}

/* "package  glass-interposer 69 × 69 mm", without its path or its medium where there is no room. */
static void put_substrate(const struct scene *s, const struct package_plan *p, int room, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[p->package];
	for (int words = 3; words >= 0; words--) {
		strbuf_trim(b, 0);
		if (words == 3 && p->package) {
			module_path(f, p->package, b);
			strbuf_puts(b, "  ");
		}
		if (words >= 2 && m->medium != NONE)
			strbuf_printf(b, "%s ", fabric_str(f, f->media.at[m->medium].name));
		if (words == 1)
			strbuf_puts(b, "substrate ");
		strbuf_printf(b, "%g × %g mm", (double)m->width_um / 1000, (double)m->height_um / 1000);
		if ((int)text_width(strbuf_str(b)) <= room)
			return;
	}
}

void package_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct package_plan p = package_of(s, area);
	struct rect old = canvas_clip(c, area);
	struct strbuf b = STRBUF_INIT;
	put_substrate(s, &p, p.substrate.w - 4, &b);
	frame_draw(c, p.substrate, strbuf_str(&b), false);
	for (size_t i = 0; i < p.dies.n; i++)
		draw_die(s, &p.dies.at[i], c);
	draw_links(s, &p, c);
	for (size_t i = 0; i < p.dies.n; i++)
		draw_die_name(s, &p.dies.at[i], c);
	package_draw_lines(&p, c);
	canvas_unclip(c, old);
	strbuf_free(&b);
	package_free(&p);
}

void package_measure(const struct scene *s, int *cols, int *rows)
{
	(void)s;
	*cols = 120;
	*rows = 38;
}

struct target package_move(const struct scene *s, struct rect area, enum move m)
{
	struct package_plan p = package_of(s, area);
	struct nodes nodes = {0};
	size_t here = SIZE_MAX;
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < p.dies.n; i++) {
		const struct die *x = &p.dies.at[i];
		here = x->device == d ? i : here;
		vec_push(&nodes, (struct node){.device = x->device, .x = x->at.x + x->at.w / 2, .y = x->at.y + x->at.h / 2});
	}
	struct target to = nodes_move(&nodes, here, s->cursor, m);
	vec_free(&nodes);
	package_free(&p);
	return to;
}

void package_under(const struct scene *s, struct rect area, struct idset *out)
{
	(void)area;
	if (s->cursor.kind == TARGET_DEVICE)
		idset_add(out, s->cursor.id);
}
