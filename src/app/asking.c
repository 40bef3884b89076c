/* asking: questions become forked jobs, one after the other; answers are kept with what they were asked about, so
 * that a what-if can be compared with before and an undo shows the old cut again.
 */
#include "app/app_internal.h"

void asked_free(struct asked *q)
{
	idset_free(&q->selection);
	idset_free(&q->concerns);
	idset_free(&q->operand[0]);
	idset_free(&q->operand[1]);
	idset_free(&q->over);
	for (size_t i = 0; i < q->designs.n; i++)
		fabric_free(q->designs.at[i]);
	vec_free(&q->designs);
	texts_free(&q->wanted);
	overlay_free(&q->overlay);
	free(q->operand_text[0]);
	free(q->operand_text[1]);
	free(q->size_text);
	free(q->subject);
	free(q->what_if);
	free(q->command);
	free(q);
}

/* ---- over which kinds ------------------------------------------------------------------------------------- */

/* Kinds named in "nvlink5,c2c" as a set; false when one is unknown. */
static bool kinds_of(struct app *a, const char *text, struct idset *out)
{
	*out = idset_new((uint32_t)a->fabric->kinds.n);
	while (*text) {
		size_t n = strcspn(text, ", ");
		char *name = mem_strndup(text, n);
		uint32_t kind = n ? fabric_kind(a->fabric, name) : NONE;
		if (n && kind == NONE)
			app_say(a, LEVEL_ERROR, "there is no link kind %s", name);
		free(name);
		if (n && kind == NONE) {
			idset_free(out);
			return false;
		}
		if (n)
			idset_add(out, kind);
		text += n + (text[n] != 0);
	}
	return true;
}

bool app_over(struct app *a, const char *kinds)
{
	struct idset set;
	if (!kinds_of(a, kinds, &set))
		return false;
	bool none = *kinds && idset_is_empty(&set);
	idset_free(&set);
	if (none) {
		app_say(a, LEVEL_ERROR, "there is no link kind in %s", kinds);
		return false;
	}
	char *text = *kinds ? mem_strdup(kinds) : NULL;
	free(a->over);
	a->over = text;
	return true;
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

static char *finished(struct strbuf *b)
{
	char *text = mem_strdup(strbuf_str(b));
	strbuf_free(b);
	return text;
}

/* What is wrong with a selection: said with it, unless that says it already. */
static void say_refused(struct app *a, const char *text, const struct diag *d)
{
	const char *why = d->messages.n ? d->messages.at[0].text : "matches nothing";
	if (strstr(why, text))
		app_say(a, LEVEL_ERROR, "%s", why);
	else
		app_say(a, LEVEL_ERROR, "%s: %s", text, why);
}

/* Evaluates an operand; false with a message. */
static bool operand_of(struct app *a, struct asked *q, int i, const char *text)
{
	struct diag d = {0};
	struct idset here = app_under(a);
	struct select_context c = app_context(a, &here);
	bool good = select_eval(&c, text, (struct mark){0}, &d, &q->operand[i]) == OK;
	if (!good)
		say_refused(a, text, &d);
	q->operand_text[i] = app_portable(a, text);
	idset_free(&here);
	diag_free(&d);
	return good;
}

/* Operands of a min cut: those given, else A and the selection. */
static bool find_operands(struct app *a, struct asked *q, const char *args)
{
	char *first = mem_strndup(args, strcspn(args, " "));
	const char *rest = args + strlen(first);
	rest += strspn(rest, " ");
	struct strbuf b = STRBUF_INIT;
	bool good = true;
	if (!*first && !a->kept) {
		app_say(a, LEVEL_NOTE, "select one side and press a, then select the other and press m");
		good = false;
	}
	good = good && operand_of(a, q, 0, *first ? first : a->kept);
	if (good && !*rest)
		select_put(a->fabric, &a->selected, &b);
	if (good && !*rest && !b.n) {
		app_say(a, LEVEL_NOTE, "select the other side first");
		good = false;
	}
	good = good && operand_of(a, q, 1, *rest ? rest : strbuf_str(&b));
	strbuf_free(&b);
	free(first);
	return good;
}

/* Words behind an analysis without operands are its selection; without words it is what is selected. */
static bool find_selection(struct app *a, struct asked *q, const char *args, bool all)
{
	struct strbuf b = STRBUF_INIT;
	bool good = true;
	if (*args) {
		struct diag d = {0};
		struct idset here = app_under(a);
		struct select_context c = app_context(a, &here);
		good = select_eval(&c, args, (struct mark){0}, &d, &q->selection) == OK;
		if (!good)
			say_refused(a, args, &d);
		char *text = app_portable(a, args);
		strbuf_puts(&b, text);
		free(text);
		idset_free(&here);
		diag_free(&d);
	} else if (!all && !idset_is_empty(&a->selected)) {
		q->selection = idset_copy(&a->selected);
		select_put(a->fabric, &a->selected, &b);
	}
	q->subject = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	return good;
}

static void fill_request(struct app *a, struct asked *q)
{
	struct request *r = &q->request;
	r->fabric = a->fabric;
	r->overlay = &q->overlay;
	r->project.selection = q->selection.size ? &q->selection : NULL;
	r->project.over = q->over.size ? &q->over : NULL;
	r->project.endpoints = a->o.endpoints;
	r->project.unit = a->o.unit;
	r->project.transit_selected = a->o.transit_selected;
	r->project.relay = a->o.relay;
	for (int i = 0; i < 2; i++) {
		r->operand_text[i] = q->operand_text[i];
		r->operand[i] = q->operand[i];
	}
	r->size_text = q->size_text;
	r->designs = (const struct fabric *const *)q->designs.at;
	r->design_count = q->designs.n;
	r->diff = &a->o.diff;
	r->seed = a->o.seed ? a->o.seed : 1;
	r->time_limit_ms = a->o.time_limit_ms < 0 ? 10000 : a->o.time_limit_ms;
	r->jobs = 1;
}

static bool stop_run(struct app *a)
{
	if (!a->run)
		return false;
	run_cancel(a->run);
	struct result r = run_finish(a->run);
	result_free(&r);
	a->run = NULL;
	return true;
}

static void next_in_queue(struct app *a)
{
	a->queue.n--;
	memmove(a->queue.at, a->queue.at + 1, a->queue.n * sizeof(struct asked *));
}

void asking_start(struct app *a)
{
	for (size_t i = 0; i < a->queue.n && !a->loading; i++)
		a->queue.at[i]->of_next = false;
	while (!a->run && !a->loading && a->queue.n) {
		struct asked *q = a->queue.at[0];
		bool lacks = q->designs.n < q->wanted.n;
		a->run = lacks ? NULL : run_start(q->analysis, &q->request);
		if (a->run)
			return;
		next_in_queue(a);
		if (lacks) {
			load_designs(a, q);
		} else {
			app_say(a, LEVEL_ERROR, "%s could not be started", q->analysis->name);
			asked_free(q);
		}
	}
}

/* What it says and what it is about is settled: it is next in the queue. */
static void enqueue(struct app *a, struct asked *q)
{
	struct strbuf b = STRBUF_INIT;
	q->overlay = overlay_copy(a->fabric, app_overlay(a));
	if (!q->wanted.n) /* cables are compared as they were found */
		what_if_put(a, &b);
	q->what_if = finished(&b);
	q->command = command_of(a, q);
	fill_request(a, q);
	asking_wait(a, q);
}

static struct asked *asked_new(struct app *a, const struct analysis *x)
{
	struct asked *q = mem_alloc(sizeof *q);
	q->analysis = x;
	q->generation = a->generation;
	q->of_next = load_is_other_file(a);
	return q;
}

void app_designs_read(struct app *a, struct asked *q)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < q->wanted.n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", q->wanted.at[i]);
	q->subject = finished(&b);
	enqueue(a, q);
}

/* Words behind diff are designs; without words those of the last time. */
static void ask_diff(struct app *a, const struct analysis *x, const char *args)
{
	if (!*args && !a->designs.n) {
		prompt_open(a, ':', "diff ");
		return;
	}
	struct asked *q = asked_new(a, x);
	while (*args) {
		size_t n = strcspn(args, " ");
		vec_push(&q->wanted, mem_strndup(args, n));
		args += n;
		args += strspn(args, " ");
	}
	if (q->wanted.n)
		texts_copy(&a->designs, &q->wanted);
	else
		texts_copy(&q->wanted, &a->designs);
	asking_wait(a, q);
}

void asking_wait(struct app *a, struct asked *q)
{
	vec_push(&a->queue, q);
	a->dismissed = false;
	asking_start(a);
}

/* all: without words about everything, whatever is selected. */
static void ask(struct app *a, const struct analysis *x, const char *args, bool all)
{
	if (strcmp(x->operands, "DESIGN") == 0) {
		ask_diff(a, x, args);
		return;
	}
	struct asked *q = asked_new(a, x);
	bool two = strcmp(x->operands, "A B") == 0, size = !two && *x->operands;
	bool good = two ? find_operands(a, q, args) : find_selection(a, q, size ? "" : args, all);
	if (!q->subject)
		q->subject = mem_strdup("");
	if (size)
		q->size_text = mem_strdup(args);
	good = good && (!a->over || kinds_of(a, a->over, &q->over));
	if (!good) {
		asked_free(q);
		return;
	}
	if (q->operand[0].size && q->operand[1].size) { /* the drawing tells them from what was not asked about */
		q->concerns = idset_copy(&q->operand[0]);
		idset_union(&q->concerns, &q->operand[1]);
	} else if (q->selection.size) {
		q->concerns = idset_copy(&q->selection);
	}
	enqueue(a, q);
}

void app_ask(struct app *a, const struct analysis *x, const char *args)
{
	ask(a, x, args, false);
}

/* The question as words, to be asked of another fabric. Owned by the caller. */
static char *words_of(const struct asked *q)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < q->wanted.n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", q->wanted.at[i]);
	if (q->operand_text[0])
		strbuf_printf(&b, "%s %s", q->operand_text[0], q->operand_text[1]);
	else if (!q->wanted.n)
		strbuf_puts(&b, q->size_text ? q->size_text : q->subject);
	return finished(&b);
}

static void ask_words(struct app *a, const struct asked *q)
{
	char *words = words_of(q);
	ask(a, q->analysis, words, true);
	free(words);
}

static bool is_among(const struct asked *q, const struct asked_list *l)
{
	char *words = words_of(q);
	bool found = false;
	for (size_t i = 0; i < l->n && !found; i++) {
		char *others = words_of(l->at[i]);
		found = l->at[i]->analysis == q->analysis && strcmp(others, words) == 0;
		free(others);
	}
	free(words);
	return found;
}

void app_ask_again(struct app *a, const struct asked_list *waiting)
{
	const struct asked *newest = a->answers.n ? a->answers.at[a->answers.n - 1].asked : NULL;
	if (newest && newest->generation != a->generation && !is_among(newest, waiting))
		ask_words(a, newest);
	for (size_t i = 0; i < waiting->n; i++)
		ask_words(a, waiting->at[i]);
}

struct asked_list asking_take(struct app *a, bool all)
{
	struct asked_list taken = {0};
	size_t kept = 0;
	for (size_t i = 0; i < a->queue.n; i++) {
		struct asked *q = a->queue.at[i];
		if (all || (q->of_next && !(a->run && i == 0)))
			vec_push(&taken, q);
		else
			a->queue.at[kept++] = q;
	}
	if (all)
		stop_run(a);
	a->queue.n = kept;
	return taken;
}

void asked_list_free(struct asked_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		asked_free(l->at[i]);
	vec_free(l);
}

void app_cancel(struct app *a)
{
	if (stop_run(a))
		app_say(a, LEVEL_NOTE, "cancelled");
	for (size_t i = 0; i < a->queue.n; i++)
		asked_free(a->queue.at[i]);
	a->queue.n = 0;
}

/* ---- answers ------------------------------------------------------------------------------------------------ */

static void drop_answer(struct app *a, size_t i)
{
	if (a->answers.at[i].id == a->beside)
		a->beside = 0;
	result_free(&a->answers.at[i].result);
	asked_free(a->answers.at[i].asked);
	a->answers.n--;
	a->back = 0;
	memmove(a->answers.at + i, a->answers.at + i + 1, (a->answers.n - i) * sizeof *a->answers.at);
}

void answers_clear(struct app *a)
{
	while (a->answers.n)
		drop_answer(a, a->answers.n - 1);
}

static bool same_question(const struct asked *x, const struct asked *y)
{
	if (x->analysis != y->analysis || strcmp(x->subject, y->subject) != 0 || x->over.size != y->over.size ||
	    (x->over.size && !idset_equal(&x->over, &y->over)))
		return false;
	for (int i = 0; i < 2; i++)
		if (!x->operand_text[i] != !y->operand_text[i] ||
		    (x->operand_text[i] && strcmp(x->operand_text[i], y->operand_text[i]) != 0))
			return false;
	return true;
}

static bool fits_now(const struct app *a, const struct asked *q)
{
	return q->generation == a->generation && overlays_equal(a->fabric, &q->overlay, app_overlay(a));
}

/* What was said of the last fabric stays readable, but its marks name ids that are gone. */
void answers_age(struct app *a)
{
	for (size_t i = a->answers.n; i-- > 0;) {
		struct asked *q = a->answers.at[i].asked;
		if (q->generation != a->generation) {
			drop_answer(a, i);
			continue;
		}
		char *then = *q->what_if ? mem_printf("%s, before the reload", q->what_if) : mem_strdup("what was loaded before");
		free(q->what_if);
		q->what_if = then;
	}
}

static void keep_answer(struct app *a, struct asked *q, struct result r)
{
	for (size_t i = 0; i < a->answers.n; i++)
		if (a->answers.at[i].asked->generation == q->generation && same_question(a->answers.at[i].asked, q) &&
		    strcmp(a->answers.at[i].asked->what_if, q->what_if) == 0)
			drop_answer(a, i--);
	if (a->answers.n == ANSWERS_MAX)
		drop_answer(a, 0);
	vec_push(&a->answers, (struct answer){q, r, ++a->answered});
	a->back = 0;
	if (q->wanted.n)
		differences_begin(a);
	if (r.failed)
		app_say(a, LEVEL_ERROR, "%s: %s", q->analysis->name, r.text ? r.text : "failed");
}

void asking_poll(struct app *a)
{
	if (!a->run || run_poll(a->run))
		return;
	struct result r = run_finish(a->run);
	struct asked *q = a->queue.at[0];
	a->run = NULL;
	next_in_queue(a);
	keep_answer(a, q, r);
	asking_start(a);
}

size_t answers_order(const struct app *a, size_t out[ANSWERS_MAX])
{
	size_t n = 0;
	for (int fitting = 1; fitting >= 0; fitting--)
		for (size_t i = a->answers.n; i-- > 0;)
			if (fits_now(a, a->answers.at[i].asked) == (fitting == 1))
				out[n++] = i;
	return n;
}

const struct answer *app_drawn(const struct app *a)
{
	size_t order[ANSWERS_MAX], n = answers_order(a, order);
	for (size_t i = a->back; i < n && !a->dismissed; i++) {
		const struct answer *x = &a->answers.at[order[i]];
		if (fits_now(a, x->asked) && result_is_drawn(&x->result))
			return x;
	}
	return NULL;
}

void answers_look(struct app *a, int step)
{
	size_t most = a->answers.n ? a->answers.n - 1 : 0, before = a->back;
	do {
		if (step > 0 ? a->back >= most : a->back == 0) {
			a->back = before;
			app_say(a, LEVEL_NOTE, step > 0 ? "no older result" : "this is the newest result");
			return;
		}
		a->back = step > 0 ? a->back + 1 : a->back - 1;
	} while (beside_skips(a));
	a->dismissed = false;
	app_say(a, LEVEL_NOTE, "result %zu of %zu; [ older, ] newer, e explains it, C compares", a->answers.n - a->back,
		a->answers.n);
}

const struct result_mark *app_mark(const struct app *a, const char *name)
{
	for (size_t i = a->answers.n; i-- > 0;) {
		const struct answer *x = &a->answers.at[i];
		const struct result_mark *m = fits_now(a, x->asked) && !x->result.failed ? result_mark(&x->result, name) : NULL;
		if (m)
			return m;
	}
	return NULL;
}

size_t answer_before(const struct app *a, size_t of)
{
	for (size_t i = of; i-- > 0;)
		if (same_question(a->answers.at[i].asked, a->answers.at[of].asked) && !a->answers.at[i].result.failed &&
		    strcmp(a->answers.at[i].asked->what_if, a->answers.at[of].asked->what_if) != 0)
			return i;
	return SIZE_MAX;
}

struct shown_result answer_show(const struct app *a, size_t i)
{
	const struct answer *x = &a->answers.at[i];
	size_t at = answer_before(a, i);
	const struct answer *before = at != SIZE_MAX ? &a->answers.at[at] : NULL;
	return (struct shown_result){
		.result = &x->result,
		.subject = x->asked->subject,
		.what_if = x->asked->what_if,
		.command = x->asked->command,
		.before = before ? &before->result : NULL,
		.before_what_if = before ? before->asked->what_if : "",
	};
}

size_t answers_shown(const struct app *a, struct shown_result *out, size_t max)
{
	size_t order[ANSWERS_MAX], n = answers_order(a, order), shown = 0;
	for (size_t i = a->back < n ? a->back : 0; i < n && shown < max; i++)
		out[shown++] = answer_show(a, order[i]);
	return shown;
}
