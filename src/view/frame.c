/* frame: what surrounds the panes: borders with titles, tabs, header, footer, and pages of text over the screen. */
#include <string.h>

#include "view/view_internal.h"

struct rect frame_draw(struct canvas *c, struct rect area, const char *title, bool focused)
{
	struct style style = {focused ? ROLE_FOCUS : ROLE_BORDER, 0};
	canvas_box(c, area, style, LINE_LIGHT);
	if (title && *title && area.w >= 6) {
		int w = canvas_text_in(c, area.x + 2, area.y, area.w - 4, STYLE(focused ? ROLE_FOCUS : ROLE_TEXT, 0), title);
		canvas_put(c, area.x + 1, area.y, style, ' ');
		canvas_put(c, area.x + 2 + w, area.y, style, ' ');
	}
	return rect_inset(area, 1);
}

void tabs_draw(struct canvas *c, struct rect area, const struct view *current, const struct fabric *f)
{
	int x = area.x + 1, end = area.x + area.w - 1;
	for (size_t v = 0; v < view_count; v++) {
		struct strbuf b = STRBUF_INIT;
		bool here = &views[v] == current;
		bool applies = !views[v].refuses || !views[v].refuses(f);
		strbuf_printf(&b, here ? "[%c %s]" : " %c %s ", views[v].key, views[v].name);
		int w = (int)text_width(strbuf_str(&b));
		if (x + w <= end) {
			canvas_text(c, x, area.y, STYLE(here ? ROLE_FOCUS : applies ? ROLE_TEXT : ROLE_DIM, 0), strbuf_str(&b));
			canvas_hit(c, RECT(x, area.y, w, 1), TARGET_TAB, (uint32_t)v);
			x += w;
		}
		strbuf_free(&b);
	}
}

/* Name to the left, facts to the right; the facts give way. */
void header_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	const struct fabric *f = s->fabric;
	if (area.w < 1 || area.h < 1)
		return;
	canvas_fill(c, area, STYLE(ROLE_BAR, 0));
	int x = area.x;
	if (area.w >= 100)
		x += canvas_text(c, x, area.y, STYLE(ROLE_BAR, 0), "toponaut  ");
	if (!f)
		return;
	const char *title = f->title && *f->title ? f->title : f->source_name;
	x += canvas_text_in(c, x, area.y, area.x + area.w - x, STYLE(ROLE_STRONG, 0), title);
	const char *slash = strrchr(f->source_name, '/'), *file = slash ? slash + 1 : f->source_name;
	if (title != f->source_name && strcmp(title, file) != 0 && area.w >= 90) {
		struct strbuf name = STRBUF_INIT;
		strbuf_printf(&name, "  %s", file);
		x += canvas_text_in(c, x, area.y, area.w / 3, STYLE(ROLE_DIM, 0), strbuf_str(&name));
		strbuf_free(&name);
	}
	struct strbuf facts = STRBUF_INIT;
	if (s->facts)
		strbuf_puts(&facts, s->facts);
	else
		facts_put(s, &facts);
	int room = area.x + area.w - x - 2;
	if (room >= 12)
		canvas_text_right(c, x + 2, area.y, room, STYLE(ROLE_TEXT, 0), strbuf_str(&facts));
	strbuf_free(&facts);
}

void footer_draw(const struct footer_item *items, size_t n, const char *status, struct canvas *c, struct rect area)
{
	if (area.w < 1 || area.h < 1)
		return;
	canvas_fill(c, area, STYLE(ROLE_TEXT, 0));
	int status_w = (int)text_width(status), x = area.x + 1;
	int end = area.x + area.w - 1;
	if (status_w && status_w + 20 < area.w) {
		canvas_text(c, end - status_w, area.y, STYLE(ROLE_TEXT, 0), status);
		end -= status_w + 2;
	}
	for (size_t i = 0; i < n; i++) {
		int w = (int)text_width(items[i].key) + 1 + (int)text_width(items[i].word);
		if (x + w > end)
			break;
		int at = x;
		at += canvas_text(c, at, area.y, STYLE(ROLE_KEY, 0), items[i].key) + 1;
		canvas_text(c, at, area.y, STYLE(ROLE_DIM, 0), items[i].word);
		canvas_hit(c, RECT(x, area.y, w, 1), TARGET_ACTION, items[i].action);
		x += w + 2;
	}
}

static struct rect page_inside(struct rect area)
{
	return area.w >= 10 && area.h >= 3 ? rect_inset(area, 1) : area;
}

int page_top_max(size_t n, struct rect area)
{
	int over = (int)n - page_inside(area).h;
	return over > 0 ? over : 0;
}

void page_draw(const char *title, const char *prompt, const struct page_line *lines, size_t n, int top,
	       struct canvas *c, struct rect area)
{
	canvas_fill(c, area, STYLE(ROLE_TEXT, 0));
	struct rect in = page_inside(area);
	if (in.w != area.w)
		frame_draw(c, area, title, true);
	bool counts = in.w != area.w && area.w >= 50; /* what is above and below */
	if (prompt && in.w != area.w)
		canvas_text_in(c, area.x + 2, area.y + area.h - 1, area.w - (counts ? 14 : 4), STYLE(ROLE_FOCUS, 0), prompt);
	struct rect old = canvas_clip(c, in);
	int left = in.w >= 60 ? 16 : in.w / 3, middle = in.w >= 110 ? 30 : in.w >= 90 ? 26 : in.w >= 76 ? 20 : 0;
	for (int i = 0; i < in.h && (size_t)(top + i) < n; i++) {
		const struct page_line *l = &lines[top + i];
		int y = in.y + i;
		if (!l->right) {
			struct style style = {l->heading ? ROLE_STRONG : ROLE_TEXT, 0};
			canvas_text_in(c, in.x + 1, y, in.w - 2, style, l->left);
			continue;
		}
		canvas_text_in(c, in.x + 3, y, left - 3, STYLE(ROLE_KEY, 0), l->left);
		canvas_text_in(c, in.x + left + 1, y, middle - 1, STYLE(ROLE_DIM, 0), l->middle);
		canvas_text_in(c, in.x + left + middle + 1, y, in.w - left - middle - 2, STYLE(ROLE_TEXT, 0), l->right);
		if (l->action != NONE)
			canvas_hit(c, RECT(in.x, y, in.w, 1), TARGET_ACTION, l->action);
	}
	canvas_unclip(c, old);
	if (counts && (size_t)(top + in.h) < n)
		canvas_printf(c, area.x + area.w - 10, area.y + area.h - 1, STYLE(ROLE_FOCUS, 0), " ↓%zu ", n - (size_t)(top + in.h));
	if (counts && top > 0)
		canvas_printf(c, area.x + area.w - 10, area.y, STYLE(ROLE_FOCUS, 0), " ↑%d ", top);
}
