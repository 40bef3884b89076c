/* Forked jobs. The child shares memory copy-on-write and sends records over a pipe:
 *
 *   u32 kind, u32 length, bytes …        any number of them
 *   u32 END,  4, u32 status              the last one
 *
 * The parent reads only complete records, so a kill at any moment loses nothing that was sent. A child
 * that ends without END has crashed.
 */
#include "toponaut/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define END UINT32_MAX

struct job {
	pid_t pid;
	int fd;
	enum job_state state;
	enum status status;
	bool cancelled;
	struct strbuf pending;
	char crash[80];
};

struct job_sink {
	int fd;
};

/* Written by the coverage variant's runtime; absent elsewhere. */
extern void __gcov_dump(void) __attribute__((weak));

int64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the child ---------------------------------------------------------------------------------- */

static void write_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			_exit(1); /* nobody listens any more */
		p += done;
		n -= (size_t)done;
	}
}

void job_send(struct job_sink *sink, uint32_t kind, const void *data, size_t n)
{
	uint32_t head[2] = {kind, (uint32_t)n};

	if (!sink)
		return;
	write_all(sink->fd, head, sizeof head);
	write_all(sink->fd, data, n);
}

static void become_child(pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		if (s != SIGKILL && s != SIGSTOP)
			signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	/* A key pressed at the terminal is for the parent to act on. */
	setpgid(0, 0);
	mem_on_exhaustion = NULL;
}

static void run_child(int fd, pid_t parent, job_function *run, void *context)
{
	struct job_sink sink = {.fd = fd};
	uint32_t status;

	become_child(parent);
	status = (uint32_t)run(context, &sink);
	job_send(&sink, END, &status, sizeof status);
	if (__gcov_dump)
		__gcov_dump();
	_exit(0);
}

/* ---- the parent ---------------------------------------------------------------------------------- */

struct job *job_start(job_function *run, void *context)
{
	pid_t parent = getpid();
	struct job *j;
	int fds[2];

	if (pipe(fds) != 0)
		return NULL;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	j = mem_alloc(sizeof *j);
	j->pid = fork();
	if (j->pid == 0) {
		close(fds[0]);
		run_child(fds[1], parent, run, context);
	}
	close(fds[1]);
	j->fd = fds[0];
	if (j->pid < 0) {
		close(fds[0]);
		free(j);
		return NULL;
	}
	return j;
}

int job_fd(const struct job *j)
{
	return j->fd;
}

/* Hands out the complete records; keeps what is left of an incomplete one. */
static void deliver(struct job *j, job_record *record, void *context)
{
	size_t at = 0;
	uint32_t head[2];

	while (j->pending.n - at >= sizeof head) {
		const char *data = j->pending.text + at + sizeof head;

		memcpy(head, j->pending.text + at, sizeof head);
		if (j->pending.n - at - sizeof head < head[1])
			break;
		if (head[0] == END) {
			uint32_t status;

			memcpy(&status, data, sizeof status);
			j->status = (enum status)status;
			j->state = JOB_DONE;
		} else if (record) {
			record(context, head[0], data, head[1]);
		}
		at += sizeof head + head[1];
	}
	if (at) {
		memmove(j->pending.text, j->pending.text + at, j->pending.n - at);
		j->pending.n -= at;
	}
}

static void reap(struct job *j)
{
	int how = 0;

	while (waitpid(j->pid, &how, 0) < 0 && errno == EINTR)
		;
	j->pid = -1;
	if (j->state != JOB_RUNNING)
		return;
	j->state = j->cancelled ? JOB_KILLED : JOB_CRASHED;
	if (WIFSIGNALED(how))
		snprintf(j->crash, sizeof j->crash, "signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
	else
		snprintf(j->crash, sizeof j->crash, "exit status %d", WEXITSTATUS(how));
}

enum job_state job_poll(struct job *j, job_record *record, void *context)
{
	char chunk[65536];
	ssize_t n;

	while (j->state == JOB_RUNNING) {
		n = read(j->fd, chunk, sizeof chunk);
		if (n > 0) {
			strbuf_add(&j->pending, chunk, (size_t)n);
			deliver(j, record, context);
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			break;
		} else {
			reap(j);
		}
	}
	if (j->state == JOB_DONE && j->pid > 0)
		reap(j);
	return j->state;
}

enum job_state job_wait(struct job *j, int64_t deadline_ms, job_record *record, void *context)
{
	while (job_poll(j, record, context) == JOB_RUNNING) {
		struct pollfd p = {.fd = j->fd, .events = POLLIN};
		int64_t left = deadline_ms ? deadline_ms - clock_ms() : 1000;

		if (left <= 0)
			break;
		poll(&p, 1, left > 1000 ? 1000 : (int)left);
	}
	return j->state;
}

enum status job_status(const struct job *j)
{
	return j->status;
}

const char *job_crash_text(const struct job *j)
{
	return j->crash;
}

void job_cancel(struct job *j)
{
	if (j->state != JOB_RUNNING)
		return;
	j->cancelled = true;
	kill(j->pid, SIGKILL);
}

void job_free(struct job *j)
{
	if (!j)
		return;
	if (j->pid > 0) {
		job_cancel(j);
		reap(j);
	}
	close(j->fd);
	strbuf_free(&j->pending);
	free(j);
}
