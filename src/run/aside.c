/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What waits for its own copier or for a download looks at it again and again, and so uses some CPU
 * time; what waits for a server uses none.
 */
#include "config.h"

#include "src/run/aside.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STALL_S = 30, PAUSE_MS = 50 };

/* ---- in the process ---------------------------------------------------- */

static void close_range_of(unsigned from, unsigned to)
{
	enum { CLOSE_RANGE = 436, OLD = 1024 }; /* since Linux 5.9; one number everywhere */

	if (from > to || syscall(CLOSE_RANGE, from, to, 0) == 0)
		return;
	for (unsigned fd = from; fd <= to && fd < OLD; fd++)
		close((int)fd);
}

/* The least that is kept, from that number on; UINT_MAX: none. */
static unsigned next_kept(unsigned from, const int *kept, size_t n)
{
	unsigned next = ~0U;

	for (size_t i = 0; i < n; i++)
		if (kept[i] >= (int)from && (unsigned)kept[i] < next)
			next = (unsigned)kept[i];
	return next;
}

void aside_detach(int err, const int *kept, size_t n)
{
	const int null = open("/dev/null", O_RDWR);
	unsigned from = 3, to;

	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(fd == 2 && err >= 0 ? err : null, fd);
	while ((to = next_kept(from, kept, n)) != ~0U) {
		close_range_of(from, to - 1);
		from = to + 1;
	}
	close_range_of(from, ~0U);
}

/* ---- outside of it ----------------------------------------------------- */

static uint64_t cpu_ns(pid_t pid)
{
	struct timespec t;
	clockid_t id;

	if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Waits for some for so long; true: there may be more. */
static bool pass_output_on(int from, int timeout_ms)
{
	const struct timespec pause = { .tv_nsec = timeout_ms * 1000000L };
	struct pollfd p = { .fd = from, .events = POLLIN };
	char text[4096];
	ssize_t n, done;

	if (poll(&p, 1, timeout_ms) <= 0)
		return false;
	if (!(p.revents & POLLIN)) {
		nanosleep(&pause, NULL);
		return false;
	}
	n = read(from, text, sizeof(text));
	for (done = 0; done < n;) {
		const ssize_t now = write(STDERR_FILENO, text + done, (size_t)(n - done));

		if (now <= 0)
			break;
		done += now;
	}
	return n > 0;
}

/* Whether it still runs; this process stops with it, as job control wants. */
static bool is_running(pid_t pid)
{
	int status;
	const pid_t got = waitpid(pid, &status, WNOHANG | WUNTRACED);

	if (got == pid && WIFSTOPPED(status))
		kill(getpid(), SIGSTOP);
	return got == 0 || (got == pid && WIFSTOPPED(status));
}

/* false: it has stalled. Pauses are counted, since both may be suspended for long. */
static bool aside_wait_for(pid_t pid, int from)
{
	uint64_t used = 0;
	int pauses = 0;

	while (is_running(pid)) {
		const uint64_t cpu = cpu_ns(pid);
		siginfo_t info;
		sigset_t some;

		pauses = cpu == used ? pauses + 1 : 0;
		used = cpu;
		if (pauses > STALL_S * 1000 / PAUSE_MS)
			return false;
		pass_output_on(from, PAUSE_MS);
		/* The terminal's signals go to both. */
		const struct timespec now = { 0 };

		sigemptyset(&some);
		sigaddset(&some, SIGHUP);
		sigaddset(&some, SIGINT);
		sigaddset(&some, SIGQUIT);
		sigaddset(&some, SIGTERM);
		while (sigtimedwait(&some, &info, &now) > 0)
			if (info.si_code <= 0 && info.si_pid != pid)
				kill(pid, info.si_signo);
	}
	while (pass_output_on(from, 0))
		;
	return true;
}

bool aside_run(void (*work)(void *), void *arg, const int *kept, size_t n)
{
	int ends[2];
	bool is_over;
	pid_t pid;

	fflush(NULL);
	pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
	if (pid == 0) {
		aside_detach(ends[1], kept, n);
		work(arg);
		fflush(NULL);
		_exit(0);
	}
	if (pid < 0) {
		work(arg);
		return true;
	}
	close(ends[1]);
	is_over = aside_wait_for(pid, ends[0]);
	if (!is_over)
		kill(pid, SIGKILL);
	close(ends[0]);
	return is_over;
}
