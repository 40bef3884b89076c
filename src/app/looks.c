/* looks: a way back to what was selected and hidden before: a long selection is lost with one Esc. This is apart from
 * what-ifs (whatif.c): U never changes a number, u never a selection. Folds and views are not kept: they are one key away.
 */
#include "app/app_internal.h"

enum { LOOKS_MAX = 64 };

static void look_free(struct look_back *x)
{
	idset_free(&x->selected);
	idset_free(&x->hidden);
}

static void clear(struct looks *l)
{
	while (l->n)
		look_free(&l->at[--l->n]);
}

void looks_free(struct app *a)
{
	clear(&a->looks.back);
	clear(&a->looks.forward);
	look_free(&a->looks.now);
	vec_free(&a->looks.back);
	vec_free(&a->looks.forward);
}

static struct look_back look_of(const struct app *a)
{
	return (struct look_back){idset_copy(&a->selected), idset_copy(&a->hidden)};
}

static void push(struct looks *l, struct look_back x)
{
	if (l->n == LOOKS_MAX) {
		look_free(&l->at[0]);
		memmove(l->at, l->at + 1, --l->n * sizeof *l->at);
	}
	vec_push(l, x);
}

/* Ids of another fabric mean nothing. */
static void begin(struct app *a)
{
	if (a->looks.generation == a->generation)
		return;
	clear(&a->looks.back);
	clear(&a->looks.forward);
	look_free(&a->looks.now);
	a->looks.now = look_of(a);
	a->looks.generation = a->generation;
}

void looks_note(struct app *a)
{
	if (!a->fabric || a->ranging) /* a range is one change, when it ends */
		return;
	begin(a);
	if (idset_equal(&a->selected, &a->looks.now.selected) && idset_equal(&a->hidden, &a->looks.now.hidden))
		return;
	push(&a->looks.back, a->looks.now);
	a->looks.now = look_of(a);
	clear(&a->looks.forward);
}

void looks_walk(struct app *a, int step)
{
	begin(a);
	struct looks *from = step < 0 ? &a->looks.back : &a->looks.forward, *to = step < 0 ? &a->looks.forward : &a->looks.back;
	if (!from->n) {
		app_say(a, LEVEL_NOTE, step < 0 ? "nothing was selected or hidden before" : "this is the newest selection");
		return;
	}
	push(to, a->looks.now);
	a->looks.now = from->at[--from->n];
	idset_free(&a->selected);
	idset_free(&a->hidden);
	a->selected = idset_copy(&a->looks.now.selected);
	a->hidden = idset_copy(&a->looks.now.hidden);
	a->ranging = false;
	app_say(a, LEVEL_NOTE, "as before: %u selected, %u hidden; U further back, C-u forward", idset_count(&a->selected),
		idset_count(&a->hidden));
}
