/* loading: opening, reloading and changing parameters. A file is read on a thread of its own, so that keys are answered
 * meanwhile; what is loaded stays until the new fabric is frozen, and for good when there is none.
 *
 * Questions asked meanwhile wait in the queue: what they are about may be about to go. They are then asked of the new
 * fabric; a comparison whose design is not read yet waits with them.
 */
#include <stdatomic.h>

#include "app/app_internal.h"

struct loading {
	struct task *task; /* NULL: there was no thread, it is read already */
	enum load_purpose purpose;
	char *operand;
	struct texts defines;
	struct asked *asked; /* that waits for this design, or NULL */
	struct io_options io;
	const struct describe_options *outer; /* of the session */
	atomic_bool cancelled;
	int64_t started_ms;
	struct loading *next; /* of those given up that still run */
	/* what comes of it */
	struct fabric *fabric;
	struct diag diag;
	enum status status;
};

void texts_copy(struct texts *to, const struct texts *from)
{
	texts_free(to);
	for (size_t i = 0; i < from->n; i++)
		vec_push(to, mem_strdup(from->at[i]));
}

void texts_free(struct texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->at[i]);
	vec_free(t);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

static bool is_given_up(void *context, uint64_t steps)
{
	const struct loading *l = context;
	return atomic_load(&l->cancelled) || (l->outer->tick && l->outer->tick(l->outer->tick_context, steps));
}

static void read_it(void *context)
{
	struct loading *l = context;
	l->status = io_open(l->operand, &l->io, &l->diag, &l->fabric);
}

static void loading_free(struct loading *l)
{
	fabric_free(l->fabric);
	diag_free(&l->diag);
	texts_free(&l->defines);
	if (l->asked)
		asked_free(l->asked);
	free(l->operand);
	free(l);
}

static bool has_ended(const struct loading *l)
{
	struct pollfd p = {.fd = l->task ? task_fd(l->task) : -1, .events = POLLIN};
	return !l->task || poll(&p, 1, 0) > 0;
}

/* Frees those given up that have noticed. One that hangs in the reading of a pipe may never. */
static void reap(struct app *a)
{
	for (struct loading **at = &a->given_up; *at;) {
		struct loading *l = *at;
		if (has_ended(l)) {
			*at = l->next;
			if (l->task)
				task_join(l->task);
			loading_free(l);
		} else {
			at = &l->next;
		}
	}
}

void load_drop(struct app *a)
{
	struct loading *l = a->loading;
	if (l) {
		atomic_store(&l->cancelled, true);
		l->next = a->given_up;
		a->given_up = l;
		a->loading = NULL;
	}
	reap(a);
}

/* What still runs at the end of the session gets a second to notice, and is left to the end of the process. */
void load_end(struct app *a)
{
	load_drop(a);
	for (int i = 0; a->given_up && i < 100; i++) {
		struct pollfd p = {.fd = task_fd(a->given_up->task), .events = POLLIN};
		poll(&p, 1, 10);
		reap(a);
	}
}

static void begin(struct app *a, enum load_purpose purpose, const char *operand, const struct texts *defines, struct asked *q)
{
	struct loading *l = mem_alloc(sizeof *l);
	if (a->loading && a->loading->asked) { /* it waits for what is read instead */
		vec_push(&a->queue, a->loading->asked);
		a->loading->asked = NULL;
	}
	load_drop(a);
	*l = (struct loading){.purpose = purpose, .operand = mem_strdup(operand), .asked = q, .io = a->o.io,
			      .outer = &a->o.io.describe, .started_ms = clock_ms()};
	texts_copy(&l->defines, defines);
	l->io.describe.defines = (const char *const *)l->defines.at;
	l->io.describe.define_count = l->defines.n;
	if (q) /* what was said of the first file's form need not hold for a design */
		l->io.from = NULL;
	l->io.describe.tick = is_given_up;
	l->io.describe.tick_context = l;
	a->loading = l;
	a->changed = true;
	l->task = task_start(read_it, l);
	if (!l->task)
		read_it(l);
}

void load_cancel(struct app *a)
{
	if (!a->loading)
		return;
	load_drop(a);
	app_say(a, LEVEL_NOTE, "given up; %s", a->fabric ? "what was loaded stays" : ":open FILE opens another");
	asking_start(a);
}

/* ---- the end ---------------------------------------------------------------------------------------------- */

static void show_diag(struct app *a, const struct diag *d)
{
	struct strbuf b = STRBUF_INIT;
	diag_put(&b, d, false);
	page_open(a, PAGE_MESSAGE, mem_strdup(strbuf_str(&b)));
	strbuf_free(&b);
}

/* The options of the command line were meant for the first file. */
static enum status adopt_first(struct app *a, struct loading *l)
{
	enum status s = app_adopt(a, l->fabric, false, &l->diag);
	if (s == OK && a->o.view && !view_find(a->o.view)) {
		diag_error(&l->diag, (struct mark){0}, NULL, "there is no view `%s`", a->o.view);
		s = E_USAGE;
	}
	if (s == OK && a->o.select) {
		struct select_context c = app_context(a, NULL);
		struct idset selected;
		s = select_eval(&c, a->o.select, (struct mark){0}, &l->diag, &selected);
		idset_free(&a->selected);
		a->selected = selected;
	}
	return s;
}

static void take(struct app *a, struct loading *l)
{
	static const bool keeps[] = {[LOAD_RELOAD] = true, [LOAD_SET] = true, [LOAD_PARAMETER] = true};
	char *operand = mem_strdup(l->operand);
	free(a->operand);
	a->operand = operand;
	texts_copy(&a->defines, &l->defines);
	if (l->purpose == LOAD_FIRST) {
		l->status = adopt_first(a, l);
		l->fabric = NULL;
		return;
	}
	if (l->purpose == LOAD_OPEN)
		app_forget_file(a);
	struct asked_list waiting = asking_take(a, keeps[l->purpose]);
	(void)!app_adopt(a, l->fabric, keeps[l->purpose], &l->diag); /* what no longer fits is said */
	l->fabric = NULL;
	if (l->purpose == LOAD_PARAMETER) {
		params_loaded(a, NULL);
	} else {
		app_say(a, LEVEL_NOTE, l->purpose == LOAD_OPEN ? "%s is open" : "reloaded", l->operand);
		if (l->diag.messages.n)
			show_diag(a, &l->diag);
	}
	app_ask_again(a, &waiting);
	asked_list_free(&waiting);
}

/* One after the other; when all are there the question is asked. */
static void take_design(struct app *a, struct loading *l)
{
	struct asked *q = l->asked;
	vec_push(&q->designs, l->fabric);
	l->asked = NULL;
	l->fabric = NULL;
	load_designs(a, q);
}

static void refuse(struct app *a, const struct loading *l)
{
	if (l->purpose == LOAD_PARAMETER) {
		params_loaded(a, l->diag.messages.n ? l->diag.messages.at[0].text : "it was not read");
		return;
	}
	show_diag(a, &l->diag);
	if (l->purpose == LOAD_OPEN)
		app_say(a, LEVEL_ERROR, "%s was not opened; what was loaded stays", l->operand);
	else if (l->purpose == LOAD_DESIGN)
		app_say(a, LEVEL_ERROR, "%s was not read; nothing is compared", l->operand);
	else
		app_say(a, LEVEL_ERROR, "not reloaded; what was loaded stays");
}

static void keep_for_status(struct app *a, struct loading *l)
{
	diag_free(&a->opened);
	a->opened = l->diag;
	l->diag = (struct diag){0};
	a->open_status = l->status;
	a->done = a->done || l->status != OK;
}

static void finish(struct app *a)
{
	struct loading *l = a->loading;
	if (l->task)
		task_join(l->task);
	l->task = NULL;
	a->loading = NULL;
	a->changed = true;
	if (l->status == OK && l->purpose == LOAD_DESIGN)
		take_design(a, l);
	else if (l->status == OK)
		take(a, l);
	else if (l->purpose != LOAD_FIRST)
		refuse(a, l);
	if (l->purpose == LOAD_FIRST)
		keep_for_status(a, l);
	if (a->fabric && a->config.n) {
		char *config = mem_strdup(strbuf_str(&a->config));
		strbuf_free(&a->config);
		app_configure(a, config);
		free(config);
	}
	for (size_t i = 0; a->fabric && i < a->early.n; i++)
		app_key(a, a->early.at[i]);
	a->early.n = 0;
	loading_free(l);
	asking_start(a);
}

int load_fd(const struct app *a)
{
	return a->loading && a->loading->task ? task_fd(a->loading->task) : -1;
}

void load_poll(struct app *a)
{
	if (!a->loading)
		return;
	if (has_ended(a->loading))
		finish(a);
	else
		a->changed = true; /* how long it takes is shown */
}

void load_put(const struct app *a, struct strbuf *b)
{
	if (a->loading)
		strbuf_printf(b, "reading %s … %.1f s", a->loading->operand, (double)(clock_ms() - a->loading->started_ms) / 1000);
}

/* ---- what is asked for ---------------------------------------------------------------------------------- */

void app_open_begin(struct app *a, const char *operand)
{
	struct texts defines = {0};
	if (!a->fabric)
		for (size_t i = 0; i < a->o.io.describe.define_count; i++)
			vec_push(&defines, mem_strdup(a->o.io.describe.defines[i]));
	begin(a, a->fabric ? LOAD_OPEN : LOAD_FIRST, operand, &defines, NULL);
	texts_free(&defines);
}

enum status app_status(struct app *a, struct diag *d)
{
	for (size_t i = 0; i < a->opened.messages.n; i++) {
		const struct message *m = &a->opened.messages.at[i];
		diag_add(d, m->level, m->mark, m->trail, m->hint, "%s", m->text);
	}
	diag_free(&a->opened);
	return a->open_status;
}

enum status app_open(struct app *a, const char *operand, struct diag *d)
{
	app_open_begin(a, operand);
	app_wait(a, -1);
	return app_status(a, d);
}

void load_designs(struct app *a, struct asked *q)
{
	static const struct texts none;
	if (q->designs.n == q->wanted.n)
		app_designs_read(a, q);
	else
		begin(a, LOAD_DESIGN, q->wanted.at[q->designs.n], &none, q);
}

bool load_is_other_file(const struct app *a)
{
	return a->loading && a->loading->purpose == LOAD_OPEN;
}

/* What is loaded is about to go: it is not read again. */
static bool refused_meanwhile(struct app *a)
{
	if (load_is_other_file(a))
		app_say(a, LEVEL_WARNING, "%s is being read; Esc gives it up", a->loading->operand);
	return load_is_other_file(a);
}

void app_reload(struct app *a)
{
	if (a->operand && !refused_meanwhile(a))
		begin(a, LOAD_RELOAD, a->operand, &a->defines, NULL);
}

/* Replaces NAME=… among the definitions, or adds it. */
static void put_define(struct texts *t, const char *define)
{
	size_t name = strcspn(define, "=");
	for (size_t i = 0; i < t->n; i++)
		if (strncmp(t->at[i], define, name + 1) == 0) {
			free(t->at[i]);
			t->at[i] = mem_strdup(define);
			return;
		}
	vec_push(t, mem_strdup(define));
}

/* Definitions that are being read count as made: the next change goes on from them. */
const struct texts *app_defines(const struct app *a)
{
	return a->loading && a->loading->purpose != LOAD_OPEN && a->loading->purpose != LOAD_DESIGN ? &a->loading->defines : &a->defines;
}

void app_set(struct app *a, const char *define, enum load_purpose purpose)
{
	struct texts defines = {0};
	if (refused_meanwhile(a))
		return;
	texts_copy(&defines, app_defines(a));
	put_define(&defines, define);
	begin(a, purpose, a->operand, &defines, NULL);
	texts_free(&defines);
}

void app_wait(struct app *a, int ms)
{
	int64_t deadline = clock_ms() + ms;
	while (a->loading || a->run) {
		struct pollfd fds[2];
		size_t n = app_fds(a, fds, ARRAY_LEN(fds));
		int64_t left = deadline - clock_ms();
		if (ms >= 0 && left <= 0)
			return;
		if (n)
			poll(fds, (nfds_t)n, ms < 0 ? -1 : (int)left);
		app_poll(a);
	}
}
