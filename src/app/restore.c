/* restore: taking back what was failed or derated about a part of the fabric. A change that lies in that part goes; one
 * that reaches beyond it is replaced by what remains of it, written anew as selections. O(changes × links).
 */
#include "app/app_internal.h"

enum { WHOLE = 1000000 };

/* Trunks with one value whose first ends have the same other ends: one change "A--B". */
struct bundle {
	uint32_t lost, keep;
	char *others; /* as a selection, owned */
	struct idset ends;
};
struct bundles {
	struct bundle *at;
	size_t n, cap;
};

static bool is_changed(const struct overlay *o, uint32_t trunk)
{
	return (o->lost && o->lost[trunk]) || (o->keep_ppm && o->keep_ppm[trunk] != WHOLE);
}

static bool is_empty(const struct fabric *f, const struct overlay *o)
{
	return overlay_is_empty(f, o);
}

/* Takes from o all that is failed or derated about these devices, and about the trunks that `links` has lost. True when
 * there was something. */
static bool take_back(const struct fabric *f, struct overlay *o, const struct overlay *links)
{
	bool any = false;
	idset_each(d, &links->failed)
		any = any || idset_has(&o->failed, d);
	idset_subtract(&o->failed, &links->failed);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		bool meant = (links->lost && links->lost[t]) || idset_has(&links->failed, f->trunks[t].a) ||
			     idset_has(&links->failed, f->trunks[t].b);
		if (!meant || !is_changed(o, t))
			continue;
		any = true;
		if (o->lost)
			o->lost[t] = 0;
		if (o->keep_ppm)
			o->keep_ppm[t] = WHOLE;
	}
	return any;
}

/* ---- writing what remains ----------------------------------------------------------------------------------- */

/* The other ends of a device's trunks with this value, of those not yet written. */
static struct idset others_of(const struct fabric *f, const struct overlay *o, uint32_t device, uint32_t lost, uint32_t keep,
			      struct idset *written)
{
	struct idset others = idset_new(f->device_count);
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		uint32_t t = f->incident[i];
		if (!is_changed(o, t) || idset_has(written, t) || (o->lost ? o->lost[t] : 0) != lost ||
		    (o->keep_ppm ? o->keep_ppm[t] : WHOLE) != keep)
			continue;
		idset_add(&others, trunk_other(f, t, device));
		idset_add(written, t);
	}
	return others;
}

static void add_bundle(const struct fabric *f, struct bundles *l, const struct idset *others, uint32_t device, uint32_t lost,
		       uint32_t keep)
{
	struct strbuf b = STRBUF_INIT;
	select_put(f, others, &b);
	size_t i = 0;
	while (i < l->n && (l->at[i].lost != lost || l->at[i].keep != keep || strcmp(l->at[i].others, strbuf_str(&b)) != 0))
		i++;
	if (i == l->n)
		vec_push(l, (struct bundle){lost, keep, mem_strdup(strbuf_str(&b)), idset_new(f->device_count)});
	idset_add(&l->at[i].ends, device);
	strbuf_free(&b);
}

static void bundles_put(const struct fabric *f, struct bundles *l, struct changes *out)
{
	for (size_t i = 0; i < l->n; i++) {
		struct bundle *x = &l->at[i];
		struct strbuf b = STRBUF_INIT;
		select_put(f, &x->ends, &b);
		char *ends = mem_printf("(%s)--(%s)", strbuf_str(&b), x->others);
		char *text = x->keep != WHOLE                 ? mem_printf("%s=%g%%", ends, x->keep / 10000.0)
			     : x->lost != NONE && x->lost > 0 ? mem_printf("%s=%u", ends, x->lost)
							      : mem_strdup(ends);
		changes_add(out, x->keep != WHOLE, text);
		free(text);
		free(ends);
		strbuf_free(&b);
		idset_free(&x->ends);
		free(x->others);
	}
	vec_free(l);
}

/* An overlay as changes. */
static void overlay_put(const struct fabric *f, const struct overlay *o, struct changes *out)
{
	struct strbuf b = STRBUF_INIT;
	struct bundles l = {0};
	struct idset written = idset_new(f->trunk_count);
	select_put(f, &o->failed, &b);
	if (b.n)
		changes_add(out, false, strbuf_str(&b));
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		if (!is_changed(o, t) || idset_has(&written, t))
			continue;
		uint32_t lost = o->lost ? o->lost[t] : 0, keep = o->keep_ppm ? o->keep_ppm[t] : WHOLE, from = f->trunks[t].a;
		struct idset others = others_of(f, o, from, lost, keep, &written);
		add_bundle(f, &l, &others, from, lost, keep);
		idset_free(&others);
	}
	bundles_put(f, &l, out);
	idset_free(&written);
	strbuf_free(&b);
}

/* ---- restoring --------------------------------------------------------------------------------------------------- */

/* What remains of one change goes to out; false when that cannot be written. *any: it was touched. */
static bool keep_rest(struct app *a, const struct change *x, const struct overlay *meant, struct changes *out, bool *any)
{
	const struct fabric *f = a->fabric;
	struct diag d = {0};
	struct overlay rest = overlay_new(f), again = overlay_new(f);
	struct changes parts = {0};
	bool good = change_apply(a, x, &d, &rest) == OK;
	if (!good || !take_back(f, &rest, meant)) {
		changes_add(out, x->derate, x->text);
	} else {
		*any = true;
		if (!is_empty(f, &rest))
			overlay_put(f, &rest, &parts);
		for (size_t i = 0; i < parts.n && good; i++)
			good = change_apply(a, &parts.at[i], &d, &again) == OK;
		good = good && overlays_equal(f, &rest, &again);
		for (size_t i = 0; i < parts.n; i++)
			changes_add(out, parts.at[i].derate, parts.at[i].text);
	}
	changes_free(&parts);
	overlay_free(&rest);
	overlay_free(&again);
	diag_free(&d);
	return good;
}

static void restore(struct app *a, const char *text, const struct overlay *meant)
{
	const struct changes *now = app_changes(a);
	struct changes next = {0};
	struct overlay left;
	bool any = false, good = true;
	size_t bad = 0;
	for (size_t i = 0; i < now->n && good; i++) {
		good = keep_rest(a, &now->at[i], meant, &next, &any);
		bad = i;
	}
	left = overlay_copy(a->fabric, app_overlay(a));
	bool of_file = !any && take_back(a->fabric, &left, meant);
	overlay_free(&left);
	char *said = mem_printf("%s restored", text);
	if (!good)
		app_say(a, LEVEL_ERROR, "what remains of %s cannot be written; O lists what is changed, and takes back the whole",
			now->at[bad].text);
	else if (!any)
		app_say(a, LEVEL_NOTE, of_file ? "the file says that this is down; its faults stay" : "nothing is down or slower here");
	if (any && good && step_push(a, next, said))
		app_say(a, LEVEL_NOTE, "%s   b asks again   u undoes", said);
	else if (!any || !good)
		changes_free(&next);
	free(said);
}

void app_restore(struct app *a, const char *text)
{
	struct diag d = {0};
	struct overlay meant = overlay_new(a->fabric);
	struct change x = {.derate = false, .text = mem_strdup(text)};
	if (change_apply(a, &x, &d, &meant) == OK)
		restore(a, text, &meant);
	else
		app_say(a, LEVEL_ERROR, "%s", d.messages.n ? d.messages.at[0].text : "that names nothing");
	free(x.text);
	overlay_free(&meant);
	diag_free(&d);
}
