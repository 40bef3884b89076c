/* Faults: `--fail` and `--derate` read, and applied to an overlay. */
#include <stdlib.h>
#include <string.h>

#include "select/select_internal.h"

/* The place of `word` outside of quotes, or NULL. */
static const char *find_unquoted(const char *text, const char *word)
{
	bool quoted = false;
	for (const char *s = text; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '\'')
			quoted = !quoted;
		else if (!quoted && !strncmp(s, word, strlen(word)))
			return s;
	}
	return NULL;
}

static char *trimmed(struct arena *a, const char *s, size_t n)
{
	while (n && strchr(" \t\n", *s))
		s++, n--;
	while (n && strchr(" \t\n", s[n - 1]))
		n--;
	return arena_strndup(a, s, n);
}

static enum status refuse(struct diag *d, const char *text, const char *hint, const char *why)
{
	diag_error(d, (struct mark){0}, hint, "`%s`: %s", text, why);
	return E_USAGE;
}

static enum status parse_amount(struct arena *a, const char *text, const char *amount, struct diag *d,
				struct fault *x)
{
	struct quantity q;
	const char *why, *hint;
	bool known = quantity_parse(a, amount, strlen(amount), &q, &why, &hint);
	if (x->action == FAULT_DERATE) {
		if (!known && *amount >= '0' && *amount <= '9' && strchr(amount, '%'))
			return refuse(d, text, hint, why); /* a percentage, and too fine */
		if (!known || q.dim != DIM_RATIO || q.value > 1000000)
			return refuse(d, text, "write how much is left, like A--B=50%", "a percentage was expected, from 0% to 100%");
		x->keep_ppm = (uint32_t)q.value;
		return OK;
	}
	if (!known || (q.dim != DIM_COUNT && q.dim != DIM_LINKS) || !q.value || q.value >= NONE)
		return refuse(d, text, "write how many links fail, like A--B=1", "a number of links was expected");
	x->links = (uint32_t)q.value;
	return OK;
}

enum status fault_parse(struct arena *a, const char *text, bool derate, struct diag *d, struct fault *out)
{
	*out = (struct fault){.action = derate ? FAULT_DERATE : FAULT_REMOVE, .links = NONE, .keep_ppm = 1000000};
	const char *amount = find_unquoted(text, "=");
	size_t n = amount ? (size_t)(amount - text) : strlen(text);
	char *ends = trimmed(a, text, n);
	const char *joint = find_unquoted(ends, "--");
	if (joint) {
		out->end_a = trimmed(a, ends, (size_t)(joint - ends));
		out->end_b = trimmed(a, joint + 2, strlen(joint + 2));
		if (!*out->end_a || !*out->end_b)
			return refuse(d, text, NULL, "a selection was expected on both sides of `--`");
	} else {
		out->selection = ends;
	}
	if (!*ends)
		return refuse(d, text, NULL, "a selection was expected");
	if (derate && !amount)
		return refuse(d, text, "write how much is left, like A--B=50%", "`=` and a percentage were expected");
	if (amount && !derate && !joint)
		return refuse(d, text, "links are named by both ends: A--B=1", "only links can fail in part");
	return amount ? parse_amount(a, text, trimmed(a, amount + 1, strlen(amount + 1)), d, out) : OK;
}

/* ---- applying -------------------------------------------------------------------------------- */

static void change(const struct fabric *f, const struct fault *x, struct overlay *o, uint32_t trunk)
{
	if (x->action == FAULT_DERATE)
		overlay_derate(f, o, trunk, x->keep_ppm);
	else
		overlay_fail_links(f, o, trunk, x->links);
}

/* What changes between two sets: walked from the smaller one, so that a fault of one thing costs what its links cost. */
struct between {
	uint32_t found, most; /* trunks; links of the largest */
};

static struct between change_between(const struct fabric *f, const struct fault *x, const struct idset *few,
				     const struct idset *many, struct overlay *o)
{
	struct between all = {0};
	idset_each(d, few)
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t trunk = f->incident[i], other = trunk_other(f, trunk, d);
			const struct trunk *t = &f->trunks[trunk];
			bool twice = idset_has(few, other) && idset_has(many, d); /* met from both ends */
			if (!idset_has(many, other) || (twice && d != t->a))
				continue;
			all.found++;
			all.most = t->count > all.most ? t->count : all.most;
			change(f, x, o, trunk);
		}
	return all;
}

static enum status apply_between(const struct select_context *c, const struct fault *x, struct diag *d,
				 struct overlay *o)
{
	struct idset a = {0}, b = {0};
	struct between all = {0};
	enum status s = select_eval(c, x->end_a, x->mark, d, &a);
	if (s == OK)
		s = select_eval(c, x->end_b, x->mark, d, &b);
	if (s == OK) {
		bool first = idset_count(&a) <= idset_count(&b);
		all = change_between(c->fabric, x, first ? &a : &b, first ? &b : &a, o);
	}
	if (s == OK && !all.found) {
		diag_error(d, x->mark, NULL, "no link joins `%s` and `%s`", x->end_a, x->end_b);
		s = E_USAGE;
	} else if (s == OK && x->links != NONE && x->links > all.most) {
		diag_error(d, x->mark, NULL, "`%s` and `%s` are joined by %u link%s only, %u cannot fail", x->end_a,
			   x->end_b, all.most, all.most == 1 ? "" : "s", x->links);
		s = E_USAGE;
	}
	idset_free(&a);
	idset_free(&b);
	return s;
}

enum status fault_apply(const struct select_context *c, const struct fault *x, struct diag *d, struct overlay *o)
{
	if (x->end_a)
		return apply_between(c, x, d, o);
	const struct fabric *f = c->fabric;
	struct idset devices = {0}, trunks = idset_new(f->trunk_count);
	enum status s = select_eval_labels(c, x->selection, x->mark, d, &devices, &trunks);
	if (s == OK)
		idset_each(id, &devices) {
			if (x->action == FAULT_REMOVE)
				overlay_fail_device(f, o, id);
			for (uint32_t i = f->incident_at[id]; x->action == FAULT_DERATE && i < f->incident_at[id + 1]; i++)
				idset_add(&trunks, f->incident[i]);
		}
	if (s == OK)
		idset_each(t, &trunks)
			change(f, x, o, t);
	idset_free(&devices);
	idset_free(&trunks);
	return s;
}

enum status fault_apply_all(const struct select_context *c, struct diag *d, struct overlay *o)
{
	enum status result = OK;
	for (size_t i = 0; i < c->fabric->faults.n; i++) {
		enum status s = fault_apply(c, &c->fabric->faults.at[i], d, o);
		result = result == OK ? s : result;
	}
	return result;
}
