#include <criterion/criterion.h>

#include "fabrics.h"
#include "toponaut/view.h"

static bool shown(struct rect r)
{
	return r.w > 0 && r.h > 0;
}

static bool apart(struct rect a, struct rect b)
{
	struct rect both = rect_intersect(a, b);
	return !shown(a) || !shown(b) || !shown(both);
}

/* Every size from nothing to large, every focus: nothing outside, nothing overlaps, order of giving up holds. */
Test(layout, all_sizes)
{
	for (int cols = 0; cols <= 180; cols++)
		for (int rows = 0; rows <= 60; rows++)
			for (int focus = 0; focus < PANE_COUNT; focus++) {
				struct layout l = layout_of(cols, rows, (enum pane)focus, (cols + rows) % 9);
				struct rect all[PANE_COUNT + 2] = {l.header, l.footer};
				for (int p = 0; p < PANE_COUNT; p++)
					all[p + 2] = l.pane[p];
				for (size_t i = 0; i < ARRAY_LEN(all); i++) {
					struct rect r = all[i];
					cr_assert(!shown(r) || (r.x >= 0 && r.y >= 0 && r.x + r.w <= cols && r.y + r.h <= rows),
						  "outside at %d×%d", cols, rows);
					for (size_t j = 0; j < i; j++)
						cr_assert(apart(all[j], r), "overlap at %d×%d", cols, rows);
				}
				if (focus != PANE_CANVAS)
					continue;
				cr_assert(!shown(l.pane[PANE_TREE]) || shown(l.pane[PANE_INSPECTOR]));
				cr_assert(cols < 16 || rows < 4 || shown(l.pane[PANE_CANVAS]));
				cr_assert(cols < 1 || rows < 1 || shown(l.header) || shown(l.pane[PANE_CANVAS]));
			}
}

/* All cells of a screen of usable size belong to something. */
Test(layout, nothing_is_wasted)
{
	for (int cols = 30; cols <= 200; cols += 7)
		for (int rows = 12; rows <= 70; rows += 3) {
			struct layout l = layout_of(cols, rows, PANE_CANVAS, 4);
			int area = l.header.w * l.header.h + l.footer.w * l.footer.h;
			for (int p = 0; p < PANE_COUNT; p++)
				area += l.pane[p].w * l.pane[p].h;
			cr_assert_eq(area, cols * rows);
		}
}

Test(layout, usual_sizes)
{
	struct layout small = layout_of(80, 24, PANE_CANVAS, 4), wide = layout_of(160, 50, PANE_CANVAS, 4);
	cr_assert(!shown(small.pane[PANE_TREE]) && !shown(small.pane[PANE_INSPECTOR]) && small.pane[PANE_CANVAS].w == 80);
	cr_assert(shown(wide.pane[PANE_TREE]) && shown(wide.pane[PANE_INSPECTOR]) && wide.pane[PANE_CANVAS].w >= 90);
	struct layout tree = layout_of(80, 24, PANE_TREE, 4);
	cr_assert(shown(tree.pane[PANE_TREE]), "a pane with the keys is shown even where it has no room of its own");
}

/* ---- views at every size ---------------------------------------------------------------------------------------- */

static struct fabric *small_fabric(int i)
{
	static const unsigned ring[] = {1}, mesh[] = {1, 2, 4};
	switch (i) {
	case 0:
		return made_nvl72(1);
	case 1:
		return made_leaf_spine(9, 8, 4);
	case 2:
		return made_circulant(8, mesh, 3);
	default:
		return made_circulant(40, ring, 1);
	}
}

/* Nothing stands outside of the area that the view was given. */
static void expect_contained(const struct canvas *c, struct rect area, const char *view)
{
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++) {
			const struct cell *cell = canvas_at(c, x, y);
			if (!rect_has(area, x, y))
				cr_assert(cell->code == ' ' && !cell->hit.kind, "%s leaves %d×%d at %d %d", view, area.w, area.h, x, y);
		}
}

/* Sizes are sampled; all of them with ALL_SIZES set. */
Test(layout, views_stay_inside_at_every_size)
{
	bool all = getenv("ALL_SIZES") != NULL;
	for (int i = 0; i < 4; i++) {
		struct fabric *f = small_fabric(i);
		struct memo memo = {0};
		for (size_t v = 0; v < view_count; v++)
			for (int w = 1; w <= 300; w += all || w < 12 ? 1 : 23)
				for (int h = 1; h <= 100; h += all || h < 6 ? 1 : 17) {
					struct scene s = scene_of(f);
					struct canvas c = canvas_new(w + 2, h + 2, (w + h) % 2);
					struct rect area = {1, 1, w, h};
					s.memo = &memo;
					s.zoom = (w + h) % 3 - 1;
					s.cursor = (struct target){TARGET_DEVICE, (uint32_t)(w * h) % f->device_count};
					view_draw(&views[v], &s, &c, area);
					expect_contained(&c, area, views[v].name);
					canvas_free(&c);
				}
		memo_clear(&memo);
		fabric_free(f);
	}
}
