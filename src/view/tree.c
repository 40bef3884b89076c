/* tree: modules and devices as an indented list. Which lines there are follows from what is open; the list is
 * walked, never stored, so a fabric of any size costs only its open part.
 */
#include <stdlib.h>
#include <string.h>

#include "view/view_internal.h"

struct line {
	struct target what;
	int depth;
};
struct lines {
	struct line *at;
	size_t n, cap;
};

bool tree_is_open(const struct scene *s, uint32_t module)
{
	if (s->folded)
		return !idset_has(s->folded, module);
	if (module == 0)
		return true;
	/* A chain of only children is opened down to where there is a choice. */
	const struct module *m = &s->fabric->modules.at[module], *parent = &s->fabric->modules.at[m->parent];
	return m->parent + 1 == module && parent->end == m->end && tree_is_open(s, m->parent);
}

static void add_line(struct lines *l, enum target_kind kind, uint32_t id, int depth)
{
	vec_push(l, (struct line){{kind, id}, depth});
}

/* Depth is bounded by the nesting limit of descriptions. */
static void add_module(const struct scene *s, struct lines *l, uint32_t module, int depth)
{
	struct member m = {0};
	add_line(l, TARGET_MODULE, module, depth);
	if (!tree_is_open(s, module))
		return;
	while (module_next(s->fabric, module, &m)) {
		if (!m.is_device)
			add_module(s, l, m.id, depth + 1);
		else
			add_line(l, TARGET_DEVICE, m.id, depth + 1);
	}
}

static struct lines lines_of(const struct scene *s)
{
	struct lines l = {0};
	add_module(s, &l, 0, 0);
	return l;
}

/* The line of the cursor, or of the nearest thing around it that has one. */
static size_t line_of_cursor(const struct scene *s, const struct lines *l)
{
	uint32_t d = cursor_device(s);
	size_t best = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct target t = l->at[i].what;
		if (t.kind == s->cursor.kind && t.id == s->cursor.id)
			return i;
		if (d != NONE && (t.kind == TARGET_DEVICE ? t.id == d : module_contains(s->fabric, t.id, d)) &&
		    s->cursor.kind != TARGET_MODULE)
			best = i;
		else if (s->cursor.kind == TARGET_MODULE && t.kind == TARGET_MODULE && t.id < s->cursor.id &&
			 s->fabric->modules.at[t.id].end > s->cursor.id)
			best = i;
	}
	return best;
}

static size_t top_of(size_t at, size_t n, int height)
{
	size_t h = height > 0 ? (size_t)height : 1;
	if (n <= h || at < h / 2)
		return 0;
	return at - h / 2 > n - h ? n - h : at - h / 2;
}

static uint32_t selected_inside(const struct scene *s, const struct module *m)
{
	uint32_t n = 0;
	if (s->selected)
		for (uint32_t d = idset_next(s->selected, m->first_device); d < m->end_device; d = idset_next(s->selected, d + 1))
			n++;
	return n;
}

static const char *module_text(const struct fabric *f, uint32_t module)
{
	const struct module *m = &f->modules.at[module];
	if (m->name != NONE)
		return fabric_str(f, m->name);
	if (m->type != NONE)
		return fabric_str(f, m->type);
	const char *slash = strrchr(f->source_name, '/');
	return slash ? slash + 1 : f->source_name;
}

static void draw_module(const struct scene *s, struct canvas *c, struct rect row, uint32_t module, struct style style)
{
	const struct module *m = &s->fabric->modules.at[module];
	struct strbuf count = STRBUF_INIT;
	uint32_t all = m->end_device - m->first_device, some = selected_inside(s, m);
	put_count(&count, all);
	int w = (int)text_width(strbuf_str(&count)) + 1;
	canvas_text(c, row.x, row.y, STYLE(ROLE_DIM, 0), tree_is_open(s, module) ? "▾" : "▸");
	if (some) {
		style.role = ROLE_SELECTED;
		canvas_put(c, row.x + 1, row.y, style, some == all ? 0x25cf : 0x25d0);
	}
	canvas_text_in(c, row.x + 2, row.y, row.w - 2 - w, style, module_text(s->fabric, module));
	canvas_text_right(c, row.x, row.y, row.w, STYLE(ROLE_DIM, 0), strbuf_str(&count));
	strbuf_free(&count);
}

static void draw_device(const struct scene *s, struct canvas *c, struct rect row, uint32_t d, struct style style)
{
	canvas_put(c, row.x, row.y, device_style(s, d), device_glyph(s, d));
	if (device_selected(s, d)) {
		style.role = ROLE_SELECTED;
		canvas_put(c, row.x + 1, row.y, style, 0x25cf);
	}
	canvas_text_in(c, row.x + 2, row.y, row.w - 2, style, device_name(s->fabric, d));
}

void tree_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct lines l = lines_of(s);
	size_t at = line_of_cursor(s, &l), top = top_of(at, l.n, area.h);
	struct rect old = canvas_clip(c, area);
	for (int y = 0; y < area.h && top + (size_t)y < l.n; y++) {
		const struct line *line = &l.at[top + (size_t)y];
		int indent = line->depth < 8 ? line->depth : 8;
		struct rect row = {area.x + indent, area.y + y, area.w - indent, 1};
		struct style style = {ROLE_TEXT, 0};
		if (line->what.kind == TARGET_MODULE)
			draw_module(s, c, row, line->what.id, style);
		else
			draw_device(s, c, row, line->what.id, style);
		canvas_hit(c, RECT(area.x, row.y, area.w, 1), (uint8_t)line->what.kind, line->what.id);
		if (top + (size_t)y == at)
			canvas_restyle(c, RECT(area.x, row.y, area.w, 1), STYLE(ROLE_TEXT, ATTR_REVERSE));
	}
	canvas_unclip(c, old);
	vec_free(&l);
}

static size_t parent_line(const struct lines *l, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (l->at[i].depth < l->at[at].depth)
			return i;
	return at;
}

struct target tree_move(const struct scene *s, struct rect area, enum move m)
{
	struct lines l = lines_of(s);
	size_t at = line_of_cursor(s, &l), page = area.h > 1 ? (size_t)area.h - 1 : 1;
	switch (m) {
	case MOVE_UP:
		at -= at > 0;
		break;
	case MOVE_DOWN:
		at++;
		break;
	case MOVE_PAGE_UP:
		at -= at < page ? at : page;
		break;
	case MOVE_PAGE_DOWN:
		at += page;
		break;
	case MOVE_FIRST:
		at = 0;
		break;
	case MOVE_LAST:
		at = l.n - 1;
		break;
	case MOVE_LEFT:
		at = parent_line(&l, at);
		break;
	case MOVE_RIGHT:
		at += at + 1 < l.n && l.at[at + 1].depth > l.at[at].depth;
		break;
	}
	struct target t = l.at[at < l.n ? at : l.n - 1].what;
	vec_free(&l);
	return t;
}
