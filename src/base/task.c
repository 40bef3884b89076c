/* Tasks: a function on a thread of its own, for what must hand back memory (a forked job cannot) while keys are answered.
 * A pipe tells the end, so that it is waited for together with keys and jobs.
 */
#include "toponaut/base.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct task {
	pthread_t thread;
	int ended[2];
	void (*run)(void *context);
	void *context;
};

static void *body(void *p)
{
	struct task *t = p;

	t->run(t->context);
	close(t->ended[1]); /* the other end becomes readable */
	return NULL;
}

/* Signals are for the thread that owns the terminal; those of a crash come to where it happens. */
static void block_signals(sigset_t *before)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

struct task *task_start(void (*run)(void *context), void *context)
{
	struct task *t = mem_alloc(sizeof *t);
	sigset_t before;
	int failed;

	*t = (struct task){.run = run, .context = context};
	if (pipe(t->ended) != 0) {
		free(t);
		return NULL;
	}
	fcntl(t->ended[0], F_SETFD, FD_CLOEXEC);
	fcntl(t->ended[1], F_SETFD, FD_CLOEXEC);
	block_signals(&before);
	failed = pthread_create(&t->thread, NULL, body, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed)
		return t;
	close(t->ended[0]);
	close(t->ended[1]);
	free(t);
	return NULL;
}

int task_fd(const struct task *t)
{
	return t->ended[0];
}

void task_join(struct task *t)
{
	pthread_join(t->thread, NULL);
	close(t->ended[0]);
	free(t);
}
