/* whatif: failing and derating, as a list of steps that can be walked back and forth. What is changed is kept as text,
 * the way the command line takes it, so it can be applied again to a reloaded fabric.
 *
 * u and C-r walk these steps only: a selection or a fold never changes a number, and an undo never brings back what was
 * looked at an hour ago. For that there are U and C-u (looks.c).
 */
#include "app/app_internal.h"

/* ---- changes ----------------------------------------------------------------------------------------------- */

void changes_add(struct changes *l, bool derate, const char *text)
{
	vec_push(l, (struct change){derate, mem_strdup(text)});
}

void changes_free(struct changes *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->at[i].text);
	vec_free(l);
}

static struct changes changes_copy(const struct changes *l)
{
	struct changes copy = {0};
	for (size_t i = 0; i < l->n; i++)
		changes_add(&copy, l->at[i].derate, l->at[i].text);
	return copy;
}

enum status change_apply(struct app *a, const struct change *x, struct diag *d, struct overlay *o)
{
	struct arena texts = {0};
	struct fault fault;
	struct idset here = app_under(a);
	struct select_context c = app_context(a, &here);
	enum status s = fault_parse(&texts, x->text, x->derate, d, &fault);
	if (s == OK)
		s = fault_apply(&c, &fault, d, o);
	idset_free(&here);
	arena_free(&texts);
	return s;
}

/* What the file says is broken. */
static struct overlay overlay_of_file(struct app *a, struct diag *d, enum status *s)
{
	struct overlay o = overlay_new(a->fabric);
	struct select_context c = app_context(a, NULL);
	*s = fault_apply_all(&c, d, &o);
	return o;
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

static void step_free(struct step *s)
{
	changes_free(&s->changes);
	overlay_free(&s->overlay);
	free(s->said);
}

static void free_steps_after(struct app *a, size_t n)
{
	while (a->steps.n > n)
		step_free(&a->steps.at[--a->steps.n]);
}

/* What follows from the step in force is made anew. */
static void forget_facts(struct app *a)
{
	free(a->facts);
	a->facts = NULL;
}

void steps_clear(struct app *a)
{
	forget_facts(a);
	free_steps_after(a, 0);
	a->step = 0;
}

const struct overlay *app_overlay(const struct app *a)
{
	return a->steps.n ? &a->steps.at[a->step].overlay : NULL;
}

const struct changes *app_changes(const struct app *a)
{
	static const struct changes none;
	return a->steps.n ? &a->steps.at[a->step].changes : &none;
}

/* As opened: the faults of the file, and what the command line says. */
static enum status push_first(struct app *a, struct diag *d)
{
	enum status s;
	struct step first = {.overlay = overlay_of_file(a, d, &s), .revision = ++a->revisions};
	for (size_t i = 0; i < a->o.fail_count; i++)
		changes_add(&first.changes, false, a->o.fails[i]);
	for (size_t i = 0; i < a->o.derate_count; i++)
		changes_add(&first.changes, true, a->o.derates[i]);
	for (size_t i = 0; i < first.changes.n && s == OK; i++)
		s = change_apply(a, &first.changes.at[i], d, &first.overlay);
	vec_push(&a->steps, first);
	return s;
}

static bool extends(const struct changes *longer, const struct changes *shorter)
{
	if (longer->n != shorter->n + 1)
		return false;
	for (size_t i = 0; i < shorter->n; i++)
		if (longer->at[i].derate != shorter->at[i].derate || strcmp(longer->at[i].text, shorter->at[i].text) != 0)
			return false;
	return true;
}

/* One step of an earlier fabric again: changes that name nothing any more are left out. old_before are those of the step
 * before, as they were in that fabric. */
static void push_again(struct app *a, const struct step *old, const struct changes *old_before, struct diag *d)
{
	const struct step *last = &a->steps.at[a->steps.n - 1];
	struct step next = {.revision = ++a->revisions};
	enum status s;
	bool longer = extends(&old->changes, old_before);
	if (longer) {
		next.changes = changes_copy(&last->changes);
		next.overlay = overlay_copy(a->fabric, &last->overlay);
	} else {
		struct diag said = {0}; /* it was said when the fabric was opened */
		next.overlay = overlay_of_file(a, &said, &s);
		diag_free(&said);
	}
	size_t added = 0;
	for (size_t i = longer ? old->changes.n - 1 : 0; i < old->changes.n; i++)
		if (change_apply(a, &old->changes.at[i], d, &next.overlay) == OK) {
			changes_add(&next.changes, old->changes.at[i].derate, old->changes.at[i].text);
			added++;
		}
	if (longer && !added) {
		step_free(&next);
		return;
	}
	next.said = mem_strdup(old->said);
	vec_push(&a->steps, next);
}

/* The steps of a session go on over a reload; those that name nothing any more are left out, with a message. */
enum status steps_start(struct app *a, struct diag *d)
{
	size_t n = a->steps.n ? a->step + 1 : 0;
	struct step *old = mem_array(n + 1, sizeof *old);
	free_steps_after(a, n);
	for (size_t i = 0; i < n; i++)
		old[i] = a->steps.at[i];
	a->steps.n = 0;
	steps_clear(a);
	enum status s = push_first(a, d);
	for (size_t i = 1; i < n; i++)
		push_again(a, &old[i], &old[i - 1].changes, d);
	a->step = a->steps.n - 1;
	for (size_t i = 0; i < n; i++)
		step_free(&old[i]);
	free(old);
	return s;
}

bool step_push(struct app *a, struct changes changes, const char *said)
{
	struct diag d = {0};
	enum status s;
	struct step next = {.changes = changes, .revision = ++a->revisions, .said = mem_strdup(said)};
	next.overlay = overlay_of_file(a, &d, &s);
	for (size_t i = 0; i < changes.n && s == OK; i++)
		s = change_apply(a, &changes.at[i], &d, &next.overlay);
	diag_free(&d);
	if (s != OK) {
		step_free(&next);
		return false;
	}
	free_steps_after(a, a->step + 1);
	vec_push(&a->steps, next);
	a->step++;
	forget_facts(a);
	return true;
}

static bool arrays_equal(const uint32_t *x, const uint32_t *y, size_t n, uint32_t absent)
{
	for (size_t i = 0; (x || y) && i < n; i++)
		if ((x ? x[i] : absent) != (y ? y[i] : absent))
			return false;
	return true;
}

bool overlays_equal(const struct fabric *f, const struct overlay *x, const struct overlay *y)
{
	bool same_failed = x->failed.size == y->failed.size ? idset_equal(&x->failed, &y->failed)
							      : idset_is_empty(&x->failed) && idset_is_empty(&y->failed);
	return same_failed && arrays_equal(x->lost, y->lost, f->trunk_count, 0) &&
	       arrays_equal(x->keep_ppm, y->keep_ppm, f->trunk_count, 1000000);
}

/* With what stands for %here, %sel and saved names written out: neither a reload nor a command line has them. */
static char *portable_change(struct app *a, bool derate, const char *text)
{
	struct arena texts = {0};
	struct diag d = {0};
	struct fault f;
	struct strbuf b = STRBUF_INIT;
	if (fault_parse(&texts, text, derate, &d, &f) == OK) {
		char *ends[2] = {app_portable(a, f.selection ? f.selection : f.end_a), f.selection ? NULL : app_portable(a, f.end_b)};
		bool same = strcmp(ends[0], f.selection ? f.selection : f.end_a) == 0 && (f.selection || strcmp(ends[1], f.end_b) == 0);
		strbuf_puts(&b, same ? text : ends[0]);
		if (!same && ends[1])
			strbuf_printf(&b, "--%s", ends[1]);
		if (!same && derate)
			strbuf_printf(&b, "=%g%%", f.keep_ppm / 10000.0);
		else if (!same && f.links != NONE)
			strbuf_printf(&b, "=%u", f.links);
		free(ends[0]);
		free(ends[1]);
	}
	char *out = mem_strdup(b.n ? strbuf_str(&b) : text);
	strbuf_free(&b);
	diag_free(&d);
	arena_free(&texts);
	return out;
}

void app_change(struct app *a, bool derate, const char *text)
{
	struct diag d = {0};
	struct step next = {.overlay = overlay_copy(a->fabric, app_overlay(a)), .changes = changes_copy(app_changes(a))};
	struct change x = {derate, portable_change(a, derate, text)};
	if (change_apply(a, &x, &d, &next.overlay) != OK) {
		app_say(a, LEVEL_ERROR, "%s", d.messages.n ? d.messages.at[0].text : "that names nothing");
		step_free(&next);
	} else if (overlays_equal(a->fabric, &next.overlay, app_overlay(a))) {
		app_say(a, LEVEL_NOTE, "%s already; r restores, u undoes", derate ? "derated" : "down");
		step_free(&next);
	} else {
		changes_add(&next.changes, derate, x.text);
		next.revision = ++a->revisions;
		next.said = mem_printf("%s %s", x.text, derate ? "derated" : "down");
		free_steps_after(a, a->step + 1);
		vec_push(&a->steps, next);
		a->step++;
		forget_facts(a);
		app_say(a, LEVEL_NOTE, "%s   b asks again   u undoes", next.said);
	}
	free(x.text);
	diag_free(&d);
}

void app_undo(struct app *a, int step)
{
	if (step < 0 ? a->step == 0 : a->step + 1 >= a->steps.n) {
		app_say(a, LEVEL_NOTE, "nothing to %s", step < 0 ? "undo" : "redo");
		return;
	}
	const struct step *s = &a->steps.at[step < 0 ? a->step : a->step + 1];
	app_say(a, LEVEL_NOTE, "%s: %s", step < 0 ? "undone" : "done again", s->said);
	a->step = step < 0 ? a->step - 1 : a->step + 1;
	forget_facts(a);
}

void what_if_put(const struct app *a, struct strbuf *b)
{
	const struct changes *l = app_changes(a);
	for (size_t i = 0; i < l->n; i++)
		strbuf_printf(b, "%s%s%s", i ? ", " : "", l->at[i].text, l->at[i].derate ? "" : " down");
}

void what_if_options_put(const struct app *a, struct strbuf *b)
{
	const struct changes *l = app_changes(a);
	for (size_t i = 0; i < l->n; i++) {
		strbuf_puts(b, l->at[i].derate ? " --derate " : " --fail ");
		put_shell_word(b, l->at[i].text);
	}
}
