/* layout: where panes stand. Pure arithmetic over sizes; tests sweep it from 1 × 1 up. */
#include "toponaut/view.h"

enum { TREE_MIN = 20, TREE_MAX = 30, INSPECTOR_MIN = 24, INSPECTOR_MAX = 34, CANVAS_MIN = 58 };

static int share(int cols, int percent, int least, int most)
{
	int w = cols * percent / 100;
	return w < least ? least : w > most ? most : w;
}

/* Splits the middle: the inspector is kept longer than the tree, the canvas always. A focused pane that has no
 * room beside the canvas takes the canvas' place. */
static void split_middle(struct layout *l, struct rect mid, enum pane focus)
{
	int tree = share(mid.w, 17, TREE_MIN, TREE_MAX), inspector = share(mid.w, 20, INSPECTOR_MIN, INSPECTOR_MAX);
	bool has_inspector = mid.w >= CANVAS_MIN + inspector && mid.h >= 5;
	bool has_tree = has_inspector && mid.w >= CANVAS_MIN + inspector + tree - 4;
	if ((focus == PANE_TREE && !has_tree) || (focus == PANE_INSPECTOR && !has_inspector)) {
		l->pane[focus] = mid;
		return;
	}
	int x = mid.x, end = mid.x + mid.w;
	if (has_tree) {
		l->pane[PANE_TREE] = RECT(x, mid.y, tree, mid.h);
		x += tree;
	}
	if (has_inspector) {
		l->pane[PANE_INSPECTOR] = RECT(end - inspector, mid.y, inspector, mid.h);
		end -= inspector;
	}
	l->pane[PANE_CANVAS] = RECT(x, mid.y, end - x, mid.h);
}

struct layout layout_of(int cols, int rows, enum pane focus, int want_rows)
{
	struct layout l = {0};
	if (cols < 1 || rows < 1)
		return l;
	int top = 0, bottom = rows;
	if (cols < 16 || rows < 4) { /* the name, and what was answered */
		l.header = RECT(0, 0, cols, 1);
		if (rows > 1 && want_rows > 0)
			l.pane[PANE_RESULTS] = RECT(0, rows - 1, cols, 1);
		return l;
	}
	l.framed = cols >= 30 && rows >= 12;
	if (rows >= 6)
		l.header = RECT(0, top++, cols, 1);
	l.footer = RECT(0, --bottom, cols, 1);
	int frame = l.framed ? 2 : 0, most = (bottom - top) / 3 - frame;
	int results = want_rows < most ? want_rows : most;
	if (results < 1 && bottom - top >= 3 && want_rows > 0)
		results = 1;
	if (results > 0) {
		bottom -= results + frame;
		l.pane[PANE_RESULTS] = RECT(0, bottom, cols, results + frame);
	}
	struct rect mid = {0, top, cols, bottom - top};
	if (focus == PANE_RESULTS)
		focus = PANE_CANVAS;
	split_middle(&l, mid, focus);
	return l;
}
