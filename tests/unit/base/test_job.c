/* Forked jobs: records arrive whole and in order, cancel is prompt, a crash is a message. */
#include <criterion/criterion.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toponaut/base.h"

struct heard {
	unsigned records;
	uint64_t sum;
	bool in_order;
};

static void hear(void *context, uint32_t kind, const void *data, size_t n)
{
	struct heard *h = context;
	uint64_t value = 0;

	memcpy(&value, data, n < sizeof value ? n : sizeof value);
	h->in_order = h->in_order && kind == h->records;
	h->records++;
	h->sum += value;
}

static enum status count_up(void *context, struct job_sink *sink)
{
	unsigned n = *(unsigned *)context;
	char big[100000] = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint64_t value = i;

		memcpy(big, &value, sizeof value);
		job_send(sink, i, big, i % 2 ? sizeof value : sizeof big);
	}
	return E_LIMIT;
}

static enum status sleep_on(void *context, struct job_sink *sink)
{
	uint64_t one = 1;

	(void)context;
	job_send(sink, 0, &one, sizeof one);
	for (;;)
		pause();
	return OK;
}

static enum status crash(void *context, struct job_sink *sink)
{
	uint64_t one = 1;

	job_send(sink, 0, &one, sizeof one);
	raise(SIGKILL);
	return context ? OK : E_BUG;
}

Test(job, delivers_everything_in_order)
{
	unsigned n = 200;
	struct heard h = {.in_order = true};
	struct job *j = job_start(count_up, &n);

	cr_expect_eq(job_wait(j, 0, hear, &h), JOB_DONE);
	cr_expect_eq(job_status(j), E_LIMIT);
	cr_expect_eq(h.records, 200);
	cr_expect_eq(h.sum, 199 * 200 / 2);
	cr_expect(h.in_order);
	job_free(j);
}

Test(job, cancel_keeps_what_was_sent)
{
	struct heard h = {.in_order = true};
	struct job *j = job_start(sleep_on, NULL);
	int64_t start = clock_ms();

	while (!h.records)
		cr_assert_eq(job_wait(j, clock_ms() + 50, hear, &h), JOB_RUNNING);
	job_cancel(j);
	cr_expect_eq(job_wait(j, 0, hear, &h), JOB_KILLED);
	cr_expect_lt(clock_ms() - start, 5000);
	cr_expect_eq(h.records, 1);
	job_free(j);
}

Test(job, a_crash_is_a_message)
{
	struct heard h = {.in_order = true};
	struct job *j = job_start(crash, NULL);

	cr_expect_eq(job_wait(j, 0, hear, &h), JOB_CRASHED);
	cr_expect_not_null(strstr(job_crash_text(j), "signal 9"));
	cr_expect_eq(h.records, 1);
	job_free(j);
}

Test(job, free_ends_a_running_one)
{
	job_free(job_start(sleep_on, NULL));
	job_free(NULL);
}
