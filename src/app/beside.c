/* beside: two results next to each other. The left one is kept while [ and ] choose the right one; where there is room
 * both have their picture too, each with the what-if and the marks of its time.
 */
#include "app/app_internal.h"

enum { HALF_MIN = 44 }; /* columns of one picture */

static size_t index_of(const struct app *a, uint64_t id)
{
	size_t i = 0;
	while (i < a->answers.n && a->answers.at[i].id != id)
		i++;
	return i;
}

bool beside_pair(const struct app *a, size_t *left, size_t *right)
{
	size_t order[ANSWERS_MAX], n = answers_order(a, order);
	*left = a->beside ? index_of(a, a->beside) : a->answers.n;
	if (*left == a->answers.n || n < 2)
		return false;
	size_t at = a->back < n ? a->back : 0;
	if (order[at] == *left)
		at = at + 1 < n ? at + 1 : at - 1;
	*right = order[at];
	return true;
}

/* What is looked at becomes the left side; of a what-if that was asked about before, before is. */
void beside_toggle(struct app *a)
{
	size_t order[ANSWERS_MAX], n = answers_order(a, order);
	if (a->beside) {
		a->beside = 0;
		app_say(a, LEVEL_NOTE, "one result again");
		return;
	}
	if (n < 2) {
		app_say(a, LEVEL_NOTE, "two results are needed; ask, change something, ask again");
		return;
	}
	size_t at = a->back < n ? a->back : 0, before = answer_before(a, order[at]);
	if (at == 0) {
		a->beside = a->answers.at[before != SIZE_MAX ? before : order[1]].id;
	} else {
		a->beside = a->answers.at[order[at]].id;
		a->back = 0;
	}
	app_say(a, LEVEL_NOTE, "side by side: [ ] choose the right one, C again ends");
}

/* [ and ] walk past the one on the left. */
bool beside_skips(const struct app *a)
{
	size_t order[ANSWERS_MAX], n = answers_order(a, order);
	return a->beside && a->back < n && a->answers.at[order[a->back]].id == a->beside;
}

bool beside_is_split(const struct app *a, struct rect inside)
{
	size_t left, right;
	return inside.w >= 2 * HALF_MIN + 1 && inside.h > 4 && beside_pair(a, &left, &right);
}

struct rect beside_half(struct rect inside, int side)
{
	int w = (inside.w - 1) / 2;
	return side ? RECT(inside.x + inside.w - w, inside.y + 1, w, inside.h - 1) : RECT(inside.x, inside.y + 1, w, inside.h - 1);
}

/* The scene as it was when this was answered. */
static void scene_at(struct app *a, size_t answer, int side, struct scene *s)
{
	const struct answer *x = &a->answers.at[answer];
	s->overlay = &x->asked->overlay;
	s->revision = s->fingerprint = 0;
	s->glyphs = NULL;
	s->memo = &a->memo_beside[side];
	s->marks = result_is_drawn(&x->result) ? &x->result : NULL;
	s->tiers = result_mark(&x->result, "tier");
	s->full = result_mark(&x->result, "saturated");
	s->asked = s->marks && x->asked->concerns.size ? &x->asked->concerns : NULL;
	scene_prepare(s);
}

static void draw_half(struct app *a, const struct scene *now, size_t answer, int side, struct rect inside)
{
	const struct answer *x = &a->answers.at[answer];
	struct rect half = beside_half(inside, side);
	struct scene s = *now;
	char *title = mem_printf("%c  %s", 'A' + side, *x->asked->what_if ? x->asked->what_if : "healthy");
	canvas_text_in(&a->canvas, half.x + 1, half.y - 1, half.w - 1, STYLE(ROLE_STRONG, 0), title);
	free(title);
	if (x->asked->generation != a->generation) {
		canvas_text_in(&a->canvas, half.x + 1, half.y, half.w - 1, STYLE(ROLE_DIM, 0), "there is no picture of the file as it was");
		return;
	}
	scene_at(a, answer, side, &s);
	view_draw(a->view, &s, &a->canvas, half);
}

void beside_draw_pictures(struct app *a, const struct scene *now, struct rect inside)
{
	size_t left, right;
	if (!beside_pair(a, &left, &right))
		return;
	draw_half(a, now, left, 0, inside);
	draw_half(a, now, right, 1, inside);
	int x = beside_half(inside, 0).x + beside_half(inside, 0).w;
	canvas_vline(&a->canvas, x, inside.y, inside.h, STYLE(ROLE_BORDER, 0), LINE_LIGHT);
}
