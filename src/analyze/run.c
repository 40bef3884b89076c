/* Running an analysis as a forked job: what the child says on the way, and its result, as records.
 *
 * The child keeps the deadline itself and answers with the bounds it has. Should it be inside a library call
 * then, the parent waits a moment longer, kills it and takes the last bounds that it sent.
 */
#include "analyze/analyze_internal.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum record { RECORD_PHASE = 1, RECORD_BOUNDS, RECORD_MARK, RECORD_RESULT };
enum { GRACE_MS = 60, PHASE_EVERY_MS = 40 };

struct progress {
	struct job_sink *sink;
	int64_t deadline, phase_sent;
	unsigned calls;
	bool expired;
	char phase[48];
};

struct run {
	const struct analysis *analysis;
	const struct request *request;
	struct job *job;
	struct result result;
	char phase[48];
	unsigned done, of;
	json_t *bounds;
	int64_t started, deadline;
	bool cancelled;
};

/* ---- the child's side ------------------------------------------------------------------------------------------ */

void progress_step(struct progress *p, const char *phase, unsigned done, unsigned of)
{
	struct {
		unsigned done, of;
		char phase[48];
	} record = {done, of, ""};
	int64_t now;

	if (!p)
		return;
	now = clock_ms();
	if (strncmp(p->phase, phase, sizeof p->phase - 1) == 0 && now - p->phase_sent < PHASE_EVERY_MS)
		return;
	p->phase_sent = now;
	snprintf(p->phase, sizeof p->phase, "%s", phase);
	memcpy(record.phase, p->phase, sizeof record.phase);
	job_send(p->sink, RECORD_PHASE, &record, sizeof record);
}

static void send_json(struct progress *p, uint32_t kind, json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text)
		job_send(p->sink, kind, text, strlen(text));
	free(text);
	json_decref(value);
}

void progress_bounds(struct progress *p, json_t *bounds)
{
	if (p)
		send_json(p, RECORD_BOUNDS, bounds);
	else
		json_decref(bounds);
}

void progress_mark(struct progress *p, const char *name, bool on_trunks, const struct idset *s, const uint32_t *values)
{
	struct strbuf b = STRBUF_INIT;
	uint32_t head[3] = {on_trunks, values != NULL, s->size};

	if (!p)
		return;
	strbuf_add(&b, (const char *)head, sizeof head);
	strbuf_add(&b, name, strlen(name) + 1);
	strbuf_add(&b, (const char *)s->words, (s->size + (size_t)63) / 64 * sizeof *s->words);
	if (values)
		strbuf_add(&b, (const char *)values, s->size * sizeof *values);
	job_send(p->sink, RECORD_MARK, b.text, b.n);
	strbuf_free(&b);
}

bool progress_expired(struct progress *p)
{
	if (p && p->deadline && !p->expired && ++p->calls % 4 == 0)
		p->expired = clock_ms() >= p->deadline;
	return p && p->expired;
}

static enum status run_child(void *context, struct job_sink *sink)
{
	const struct run *r = context;
	struct progress p = {.sink = sink, .deadline = r->deadline};

	send_json(&p, RECORD_RESULT, r->analysis->run(r->request, &p));
	return OK;
}

/* ---- the parent's side -------------------------------------------------------------------------------------------- */

static void free_mark(struct result_mark *m)
{
	free((char *)m->name);
	free(m->values);
	idset_free(&m->set);
}

/* A later mark of the same name takes the place of an earlier one. */
static void replace_mark(struct result *x, const struct result_mark *m)
{
	for (size_t i = 0; i < x->marks.n; i++) {
		if (strcmp(x->marks.at[i].name, m->name) == 0) {
			free_mark(&x->marks.at[i]);
			x->marks.at[i] = *m;
			return;
		}
	}
	vec_push(&x->marks, *m);
}

static void take_mark(struct run *r, const char *data)
{
	struct result_mark m = {0};
	uint32_t head[3];
	size_t words;

	memcpy(head, data, sizeof head);
	data += sizeof head;
	m.on_trunks = head[0];
	m.set = idset_new(head[2]);
	m.name = mem_strdup(data);
	data += strlen(data) + 1;
	words = (head[2] + (size_t)63) / 64 * sizeof(uint64_t);
	memcpy(m.set.words, data, words);
	if (head[1]) {
		m.values = mem_array(head[2], sizeof *m.values);
		memcpy(m.values, data + words, head[2] * sizeof *m.values);
	}
	replace_mark(&r->result, &m);
}

/* Bounds without a witness of their own keep the last one: the lower bound rose, the cut is the same. */
static void take_bounds(struct run *r, json_t *bounds)
{
	static const char *const witness[] = {"side", "cut"};

	for (size_t i = 0; i < ARRAY_LEN(witness) && r->bounds && !json_object_get(bounds, "cut"); i++)
		json_object_set(bounds, witness[i], json_object_get(r->bounds, witness[i]));
	json_decref(r->bounds);
	r->bounds = bounds;
}

static void take_record(void *context, uint32_t kind, const void *data, size_t n)
{
	struct run *r = context;

	if (kind == RECORD_PHASE) {
		memcpy(&r->done, data, sizeof r->done);
		memcpy(&r->of, (const char *)data + sizeof r->done, sizeof r->of);
		memcpy(r->phase, (const char *)data + 2 * sizeof r->done, sizeof r->phase);
	} else if (kind == RECORD_BOUNDS) {
		take_bounds(r, json_loadb(data, n, JSON_DECODE_ANY, NULL));
	} else if (kind == RECORD_RESULT) {
		json_decref(r->result.json);
		r->result.json = json_loadb(data, n, JSON_DECODE_ANY, NULL);
	} else if (kind == RECORD_MARK) {
		take_mark(r, data);
	}
}

struct run *run_start(const struct analysis *a, const struct request *request)
{
	struct run *r = mem_alloc(sizeof *r);

	r->analysis = a;
	r->request = request;
	r->started = clock_ms();
	r->deadline = request->time_limit_ms ? r->started + request->time_limit_ms : 0;
	r->result.analysis = a;
	r->job = job_start(run_child, r);
	return r;
}

int run_fd(const struct run *r)
{
	return r->job ? job_fd(r->job) : -1;
}

bool run_poll(struct run *r)
{
	if (!r->job)
		return false;
	if (r->deadline && clock_ms() > r->deadline + GRACE_MS && !r->cancelled)
		job_cancel(r->job);
	return job_poll(r->job, take_record, r) == JOB_RUNNING;
}

const char *run_phase(const struct run *r, unsigned *done, unsigned *of, const json_t **bounds)
{
	*done = r->done;
	*of = r->of;
	*bounds = r->bounds;
	return r->phase;
}

void run_cancel(struct run *r)
{
	r->cancelled = true;
	if (r->job)
		job_cancel(r->job);
}

/* Nothing was found in time: not known, which is no failure of the program. */
static json_t *out_of_time(const struct run *r)
{
	json_t *o = json_object();

	json_put(o, strcmp(r->analysis->main_field, "class") == 0 ? "class" : "status", json_string("unknown"));
	json_put(o, "reason", json_sprintf("nothing was found within %lld ms", (long long)r->request->time_limit_ms));
	json_put(o, "stopped", json_string("time"));
	return o;
}

/* The child did not answer: the last bounds stand, or the reason. */
static void settle(struct run *r, enum job_state state)
{
	struct result *x = &r->result;

	if (x->json && !r->cancelled)
		return;
	json_decref(x->json);
	x->json = NULL;
	if (!r->cancelled && state == JOB_KILLED && r->bounds) {
		x->json = json_incref(r->bounds);
		json_put(x->json, "stopped", json_string("time"));
		return;
	}
	if (!r->cancelled && state == JOB_KILLED) {
		x->json = out_of_time(r);
		return;
	}
	x->failed = true;
	x->json = json_null();
	if (r->cancelled)
		x->text = mem_strdup("cancelled");
	else if (!r->job)
		x->text = mem_strdup("could not start a process for it");
	else
		x->text = mem_printf("the analysis ended early: %s", job_crash_text(r->job));
}

struct result run_finish(struct run *r)
{
	enum job_state state = JOB_CRASHED;
	struct result x;

	if (r->cancelled && r->job)
		job_cancel(r->job);
	while (run_poll(r)) {
		struct pollfd p = {.fd = job_fd(r->job), .events = POLLIN};

		poll(&p, 1, 20);
	}
	if (r->job)
		state = job_poll(r->job, take_record, r);
	settle(r, state);
	r->result.elapsed_ms = clock_ms() - r->started;
	x = r->result;
	job_free(r->job);
	json_decref(r->bounds);
	free(r);
	return x;
}

struct result run_now(const struct analysis *a, const struct request *request)
{
	return run_finish(run_start(a, request));
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->marks.n; i++)
		free_mark(&r->marks.at[i]);
	vec_free(&r->marks);
	json_decref(r->json);
	free(r->text);
	*r = (struct result){0};
}

const struct result_mark *result_mark(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->marks.n; i++)
		if (strcmp(r->marks.at[i].name, name) == 0)
			return &r->marks.at[i];
	return NULL;
}
