/* view: the table of views, and one picture without a session: header, the view, results.
 */
#include <string.h>

#include "view/view_internal.h"

#define ROW(key_, name_, title_, opens_)                                                                        \
	{                                                                                                \
		.name = #name_, .title = (title_), .key = (key_), .refuses = name_##_refuses,            \
		.suits = name_##_suits, .measure = name_##_measure, .draw = name_##_draw,                \
		.move = name_##_move, .under = name_##_under, .opens = (opens_),                         \
	}

/* In order of preference: a fabric opens with the first that applies. */
const struct view views[] = {
	ROW('1', rack, "elevations in U order, bundles to the spine", NULL),
	ROW('2', fabric, "tiers from top to bottom, alike modules folded, opened in place", fabric_opens),
	ROW('3', package, "dies to scale on their substrate, links between them with their medium", NULL),
	ROW('4', graph, "tiers, rings and meshes as groups with exact bundles", NULL),
	ROW('5', matrix, "devices against devices: links, hops or rates", NULL),
	ROW('6', table, "devices, trunks or ports in rows: sort, filter, choose columns", NULL),
};
const size_t view_count = ARRAY_LEN(views);

const struct view *view_find(const char *name)
{
	for (size_t i = 0; i < view_count; i++)
		if (strcmp(views[i].name, name) == 0)
			return &views[i];
	return NULL;
}

const struct view *view_default(const struct fabric *f)
{
	for (size_t i = 0; i < view_count; i++)
		if (!views[i].refuses(f) && views[i].suits(f))
			return &views[i];
	return view_find("graph");
}

void view_draw(const struct view *v, const struct scene *s, struct canvas *c, struct rect area)
{
	const char *why = v->refuses(s->fabric);
	if (area.w < 1 || area.h < 1)
		return;
	struct rect old = canvas_clip(c, area);
	if (!why)
		v->draw(s, c, area);
	else
		canvas_text_in(c, area.x + 1, area.y + area.h / 2, area.w - 2, STYLE(ROLE_WARNING, 0), why);
	canvas_unclip(c, old);
}

/* ---- one picture --------------------------------------------------------------------------------------- */

void picture_size(const struct view *v, const struct scene *s, int *cols, int *rows)
{
	*cols = *rows = 1;
	if (!v->refuses(s->fabric))
		v->measure(s, cols, rows);
	*cols = *cols < 80 ? 80 : *cols;
	int results = results_rows(s, NULL, *cols);
	*rows += 2 + (results ? results + 1 : 0);
}

void picture_draw(const struct view *v, const struct scene *s, struct canvas *c)
{
	int results = results_rows(s, NULL, c->cols), most = c->rows / 3;
	struct rect area = {0, 0, c->cols, c->rows};
	results = results > most ? most : results;
	if (c->rows >= 4) {
		header_draw(s, c, RECT(0, 0, c->cols, 1));
		legend_draw(s, c, 0, 1, c->cols);
		area.y = 2;
		area.h -= 2;
	}
	if (results) {
		area.h -= results + 1;
		results_draw(s, NULL, c, RECT(0, c->rows - results, c->cols, results));
	}
	view_draw(v, s, c, area);
}
