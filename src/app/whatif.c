/* whatif: failing and derating, as a list of steps that can be walked back and forth. Each is kept as text, the
 * way the command line takes it, so it can be applied again to a reloaded fabric.
 */
#include "app/app_internal.h"

static void free_steps_after(struct app *a, size_t n)
{
	while (a->steps.n > n) {
		struct step *s = &a->steps.at[--a->steps.n];
		overlay_free(&s->overlay);
		free(s->text);
	}
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

static enum status apply(struct app *a, const char *text, bool derate, struct diag *d, struct overlay *o)
{
	struct arena texts = {0};
	struct fault fault;
	struct idset here = app_under(a);
	struct select_context c = app_context(a, &here);
	enum status s = fault_parse(&texts, text, derate, d, &fault);
	if (s == OK)
		s = fault_apply(&c, &fault, d, o);
	idset_free(&here);
	arena_free(&texts);
	return s;
}

/* The steps of a session go on over a reload; those that name nothing any more are left out, with a message. */
enum status steps_start(struct app *a, struct diag *d)
{
	struct texts texts = {0};
	VEC(bool) derates = {0};
	for (size_t i = 1; i <= a->step && i < a->steps.n; i++) {
		vec_push(&texts, mem_strdup(a->steps.at[i].text));
		vec_push(&derates, a->steps.at[i].derate);
	}
	steps_clear(a);
	struct overlay base = overlay_new(a->fabric);
	struct select_context c = app_context(a, NULL);
	enum status s = fault_apply_all(&c, d, &base);
	for (size_t i = 0; i < a->o.fail_count && s == OK; i++)
		s = apply(a, a->o.fails[i], false, d, &base);
	for (size_t i = 0; i < a->o.derate_count && s == OK; i++)
		s = apply(a, a->o.derates[i], true, d, &base);
	vec_push(&a->steps, (struct step){.overlay = base, .revision = ++a->revisions});
	for (size_t i = 0; i < texts.n; i++) {
		struct overlay next = overlay_copy(a->fabric, app_overlay(a));
		if (apply(a, texts.at[i], derates.at[i], d, &next) == OK) {
			vec_push(&a->steps, (struct step){next, ++a->revisions, derates.at[i], mem_strdup(texts.at[i])});
			a->step++;
		} else {
			overlay_free(&next);
		}
		free(texts.at[i]);
	}
	vec_free(&texts);
	vec_free(&derates);
	return s;
}

static bool arrays_equal(const uint32_t *x, const uint32_t *y, size_t n, uint32_t absent)
{
	for (size_t i = 0; i < n; i++)
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

void app_change(struct app *a, bool derate, const char *text)
{
	struct diag d = {0};
	struct overlay next = overlay_copy(a->fabric, app_overlay(a));
	if (apply(a, text, derate, &d, &next) != OK) {
		app_say(a, LEVEL_ERROR, "%s", d.messages.n ? d.messages.at[0].text : "that names nothing");
		overlay_free(&next);
	} else if (overlays_equal(a->fabric, &next, app_overlay(a))) {
		app_say(a, LEVEL_NOTE, "%s already; u undoes", derate ? "derated" : "down");
		overlay_free(&next);
	} else {
		free_steps_after(a, a->step + 1);
		vec_push(&a->steps, (struct step){next, ++a->revisions, derate, mem_strdup(text)});
		a->step++;
		forget_facts(a);
		app_say(a, LEVEL_NOTE, "%s %s   b asks again   u undoes", text, derate ? "derated" : "down");
	}
	diag_free(&d);
}

void app_undo(struct app *a, int step)
{
	if (step < 0 ? a->step == 0 : a->step + 1 >= a->steps.n) {
		app_say(a, LEVEL_NOTE, "nothing to %s", step < 0 ? "undo" : "redo");
		return;
	}
	const struct step *s = &a->steps.at[step < 0 ? a->step : a->step + 1];
	app_say(a, LEVEL_NOTE, "%s: %s %s", step < 0 ? "undone" : "done again", s->text, s->derate ? "derated" : "down");
	a->step = step < 0 ? a->step - 1 : a->step + 1;
	forget_facts(a);
}

void what_if_put(const struct app *a, struct strbuf *b)
{
	size_t base = a->o.fail_count + a->o.derate_count;
	const char *between = "";
	for (size_t i = 0; i < base; i++) {
		bool derate = i >= a->o.fail_count;
		strbuf_printf(b, "%s%s%s", between, derate ? a->o.derates[i - a->o.fail_count] : a->o.fails[i],
			      derate ? "" : " down");
		between = ", ";
	}
	for (size_t i = 1; i <= a->step; i++) {
		strbuf_printf(b, "%s%s%s", between, a->steps.at[i].text, a->steps.at[i].derate ? "" : " down");
		between = ", ";
	}
}

static void put_option(struct strbuf *b, const char *option, const char *text)
{
	strbuf_printf(b, " %s ", option);
	put_shell_word(b, text);
}

void what_if_options_put(const struct app *a, struct strbuf *b)
{
	for (size_t i = 0; i < a->o.fail_count; i++)
		put_option(b, "--fail", a->o.fails[i]);
	for (size_t i = 0; i < a->o.derate_count; i++)
		put_option(b, "--derate", a->o.derates[i]);
	for (size_t i = 1; i <= a->step; i++)
		put_option(b, a->steps.at[i].derate ? "--derate" : "--fail", a->steps.at[i].text);
}
