/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/stack/stack_process.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/base/message.h"
#include "src/profile/clock.h"
#include "src/stack/stack_refusal.h"

enum {
	COPY_BYTES_MAX = 8 << 20, /* of a stack; so much of all of them together, … */
	COPIES_BYTES_MAX = 256 << 20,
	COPY_BYTES_LEAST = 64 << 10, /* … and then of each one */
	STOP_MS_MAX = 500,	     /* until threads that do not stop are left alone */
	POLL_NS = 20000,
};

/* ---- what /proc shows -------------------------------------------------------------- */

/* The beginning of a file of the process, or of a thread; "" where it can't be read. */
static size_t read_small(char *to, size_t bytes, pid_t pid, pid_t tid, const char *name)
{
	char path[96];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, to, bytes - 1);
		close(fd);
	}
	to[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static char *stack_process_read_link(pid_t pid, const char *name)
{
	char path[64], to[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	n = readlink(path, to, sizeof(to) - 1);
	return n > 0 ? alloc_text_part(to, (size_t)n) : NULL;
}

static void read_ranges(struct stack_process *p)
{
	char path[64], line[4096 + 128], mode[8];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)p->pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		struct stack_range r = { .path = NULL };
		int at = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &r.lo, &r.hi,
			   mode, &r.offset, &at) < 4)
			continue;
		r.code = strchr(mode, 'x');
		line[strcspn(line, "\n")] = '\0';
		if (at && line[at])
			r.path = alloc_text(line + at);
		p->ranges = grow(p->ranges, p->nranges, &p->ranges_room, sizeof(*p->ranges));
		p->ranges[p->nranges++] = r;
	}
	if (f)
		fclose(f);
}

/* The paths of a process in another root are those of its own. */
static void read_root(struct stack_process *p)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root", (int)p->pid);
	if (stat(path, &its) || stat("/", &ours) ||
	    (its.st_dev == ours.st_dev && its.st_ino == ours.st_ino))
		return;
	p->root = alloc_text(path);
}

/* When it was started: field 22 of stat, in ticks since the machine's start. */
static uint64_t stack_process_read_start(pid_t pid)
{
	unsigned long long ticks = 0;
	const char *end;
	char text[1024];

	read_small(text, sizeof(text), pid, pid, "stat");
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1,
			   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			   "%*d %*d %llu",
			   &ticks) != 1)
		return 0;
	return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME) +
	       ticks * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* A thread's name, and its number in the innermost namespace. */
static bool read_thread(const struct stack_process *p, struct stack_thread *t)
{
	char text[4096], *at;

	read_small(text, sizeof(text), p->pid, t->tid, "status");
	at = strstr(text, "\nState:\t");
	if (!at || at[8] == 'Z' || at[8] == 'X')
		return false;
	sscanf(text, "Name:\t%31[^\n]", t->name);
	t->inner = t->tid;
	at = strstr(text, "\nNSpid:");
	if (at) {
		at[strcspn(at + 1, "\n") + 1] = '\0';
		at = strrchr(at, '\t');
		t->inner = at ? (pid_t)atol(at) : t->tid;
	}
	return true;
}

/* What it sleeps in, and where.  False: it runs. */
static bool read_call(const struct stack_process *p, struct stack_thread *t)
{
	char text[512];
	int n;

	t->asleep = false;
	t->call = -1;
	read_small(text, sizeof(text), p->pid, t->tid, "syscall");
	n = sscanf(text,
		   "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		   " %" SCNx64 " %" SCNx64,
		   &t->call, &t->args[0], &t->args[1], &t->args[2], &t->args[3], &t->args[4],
		   &t->args[5], &t->sp, &t->pc);
	if (n == 3 && t->call == -1) { /* in none */
		t->sp = t->args[0];
		t->pc = t->args[1];
	} else if (n != 9) { /* running */
		t->call = -1;
		return false;
	}
	t->asleep = t->call >= 0 && t->call != SYS_sched_yield;
	return true;
}

/* Calls that end with EINTR after a stop, though no signal was handled: signal(7).  Those of
   sockets do so where they have a time limit. */
static bool is_delicate(long call)
{
	static const short calls[] = {
#ifdef SYS_epoll_wait
		SYS_epoll_wait,
#endif
		SYS_epoll_pwait,  SYS_rt_sigtimedwait, SYS_semtimedop, SYS_semop,
		SYS_io_getevents, SYS_msgrcv,	       SYS_msgsnd,     SYS_accept,
		SYS_accept4,	  SYS_connect,	       SYS_recvfrom,   SYS_recvmsg,
		SYS_recvmmsg,	  SYS_sendto,	       SYS_sendmsg,    SYS_io_pgetevents,
#ifdef SYS_epoll_pwait2
		SYS_epoll_pwait2,
#endif
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (call == calls[i])
			return true;
	return false;
}

/* ---- stopping ------------------------------------------------------------------------ */

/* What a thread is in while it is held. */
struct hold {
	bool held;    /* seized */
	bool stopped; /* and it stands still */
	int signal;   /* that it was about to get, and gets when it is let go */
};

struct stop {
	struct stack_process *p;
	struct hold *holds; /* by index of threads */
	size_t nholds, holds_room;
	uint64_t began_ns;
	size_t copied_bytes;
	int error; /* the first one */
};

size_t stack_process_read(const struct stack_process *p, uint64_t at, void *to, size_t bytes)
{
	const struct iovec here = { .iov_base = to, .iov_len = bytes };
	const struct iovec there = { .iov_base = (void *)(uintptr_t)at, .iov_len = bytes };
	const ssize_t n = process_vm_readv(p->pid, &here, 1, &there, 1, 0);

	return n > 0 ? (size_t)n : 0;
}

/* Seizes a thread, which goes on.  It may be gone. */
static void seize_thread(struct stop *s, pid_t tid)
{
	struct stack_process *p = s->p;
	struct stack_thread t = { .tid = tid, .call = -1 };
	struct hold hold = { .held = false };

	if (!read_thread(p, &t))
		return;
	t.delicate = read_call(p, &t) && is_delicate(t.call);
	if (!t.delicate) {
		if (ptrace(PTRACE_SEIZE, tid, NULL, NULL)) {
			s->error = s->error ? s->error : errno;
			return;
		}
		hold.held = true;
	}
	s->holds = grow(s->holds, s->nholds, &s->holds_room, sizeof(*s->holds));
	s->holds[s->nholds++] = hold;
	p->threads = grow(p->threads, p->nthreads, &p->threads_room, sizeof(*p->threads));
	p->threads[p->nthreads++] = t;
}

/* Asks the threads that are not known yet to stop; the number of them. */
static size_t stop_new(struct stop *s)
{
	const size_t before = s->p->nthreads;
	struct dirent *e;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)s->p->pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		const pid_t tid = (pid_t)atol(e->d_name);
		size_t i = s->p->nthreads;

		while (i > 0 && s->p->threads[i - 1].tid != tid)
			i--;
		if (!i && isdigit((unsigned char)e->d_name[0]))
			seize_thread(s, tid);
	}
	if (dir)
		closedir(dir);
	if (!s->began_ns)
		s->began_ns = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = before; i < s->nholds; i++)
		if (s->holds[i].held)
			ptrace(PTRACE_INTERRUPT, s->p->threads[i].tid, NULL, NULL);
	return s->p->nthreads - before;
}

/* Where a call's result is among the registers' words, the pc, and how far behind the call. */
enum {
#if defined(__x86_64__)
	WORD_RESULT = 10,
	WORD_CALL = 15,
	WORD_PC = 16,
	CALL_BYTES = 2,
#elif defined(__aarch64__)
	WORD_RESULT = 0,
	WORD_PC = 32,
	CALL_BYTES = 4,
#else
	WORD_RESULT = 10, /* riscv64 */
	WORD_PC = 0,
	CALL_BYTES = 4,
#endif
};

/* A thread that began a delicate call just before it was stopped begins it anew; unless a signal is
   pending that the thread does not block: its call ends by that. */
static void restart_call(const struct stack_process *p, const struct stack_thread *t,
			 struct iovec *io)
{
	static const char *const sets[] = { "\nSigPnd:", "\nShdPnd:", "\nSigBlk:" };
	uint64_t words[STACK_REGISTERS_BYTES / sizeof(uint64_t)], set[3] = { 0 };
	char text[4096];

	memcpy(words, t->registers, sizeof(words));
	if (!is_delicate(t->call) || words[WORD_RESULT] != (uint64_t)-EINTR)
		return;
	read_small(text, sizeof(text), p->pid, t->tid, "status");
	for (size_t i = 0; i < 3; i++) {
		const char *at = strstr(text, sets[i]);

		set[i] = at ? strtoull(at + strlen(sets[i]), NULL, 16) : 0;
	}
	if ((set[0] | set[1]) & ~set[2])
		return;
	words[WORD_PC] -= CALL_BYTES;
#if defined(__x86_64__)
	words[WORD_RESULT] = (uint64_t)t->call;
	words[WORD_CALL] = UINT64_MAX;
#else
	words[WORD_RESULT] = t->args[0];
#endif
	io->iov_base = words;
	ptrace(PTRACE_SETREGSET, t->tid, (void *)(uintptr_t)NT_PRSTATUS, io);
}

/* The registers and the stack of a thread that stands still. */
static void copy_thread(struct stop *s, struct stack_thread *t)
{
	const size_t most = s->copied_bytes < COPIES_BYTES_MAX ? COPY_BYTES_MAX : COPY_BYTES_LEAST;
	struct stack_process *p = s->p;
	struct iovec io = { .iov_base = t->registers, .iov_len = sizeof(t->registers) };
	const struct stack_range *r;

	if (!t->delicate) {
		if (ptrace(PTRACE_GETREGSET, t->tid, (void *)(uintptr_t)NT_PRSTATUS, &io) ||
		    !read_call(p, t))
			return;
		t->stopped = true;
		restart_call(p, t, &io);
	}
	if (t->call == SYS_futex)
		t->futex_words = stack_process_read(p, t->args[0], t->futex, sizeof(t->futex)) /
				 sizeof(*t->futex);
	/* The range around an address, or NULL. */
	size_t lo = 0, hi = p->nranges;

	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;

		if (p->ranges[middle].hi <= t->sp)
			lo = middle + 1;
		else
			hi = middle;
	}
	r = lo < p->nranges && p->ranges[lo].lo <= t->sp ? &p->ranges[lo] : NULL;
	if (!r)
		return;
	t->stack_lo = t->sp;
	t->stack_bytes = r->hi - t->sp < most ? (size_t)(r->hi - t->sp) : most;
	t->stack = alloc_bytes(t->stack_bytes);
	t->stack_bytes = stack_process_read(p, t->sp, t->stack, t->stack_bytes);
	s->copied_bytes += t->stack_bytes;
}

/* Waits for the threads that were asked to stop. */
static void stop_wait(struct stop *s)
{
	static const struct timespec poll = { .tv_nsec = POLL_NS };
	const uint64_t until = clock_ns(CLOCK_MONOTONIC) + STOP_MS_MAX * UINT64_C(1000000);

	for (;;) {
		size_t left = 0;

		for (size_t i = 0; i < s->nholds; i++) {
			struct hold *h = &s->holds[i];
			int status;
			pid_t got;

			if (!h->held || h->stopped)
				continue;
			got = waitpid(s->p->threads[i].tid, &status, __WALL | WNOHANG);
			left += !got;
			if (got < 0 || (got && !WIFSTOPPED(status))) { /* it ended */
				h->held = false;
			} else if (got) {
				h->stopped = true;
				/* Before a signal is delivered, no event is in the upper half. */
				h->signal = status >> 16 ? 0 : WSTOPSIG(status);
			}
		}
		if (!left || clock_ns(CLOCK_MONOTONIC) > until)
			return;
		nanosleep(&poll, NULL);
	}
}

static void *tracer(void *arg)
{
	struct stop *s = arg;
	struct stack_process *p = s->p;

	while (stop_new(s))
		stop_wait(s);
	for (size_t i = 0; i < p->nthreads; i++)
		if (s->holds[i].stopped || p->threads[i].delicate)
			copy_thread(s, &p->threads[i]);
	/* A thread that did not stop is let go by the kernel when this one ends. */
	for (size_t i = 0; i < s->nholds; i++)
		if (s->holds[i].stopped)
			ptrace(PTRACE_DETACH, s->p->threads[i].tid, NULL,
			       (void *)(uintptr_t)s->holds[i].signal);
	p->stopped_ns = clock_ns(CLOCK_MONOTONIC) - s->began_ns;
	return NULL;
}

static int stack_process_by_tid(const void *a, const void *b)
{
	const struct stack_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

int stack_process_copy(struct stack_process *p, pid_t pid, struct trouble *t)
{
	struct stop s = { .p = p };
	struct stack_facts facts;
	pthread_t thread;

	*p = (struct stack_process){ .pid = pid };
	stack_facts_gather(&facts, pid, 0);
	if (!facts.there || facts.zombie || facts.kernel || facts.tracer ||
	    (facts.group && facts.group != pid))
		return stack_refuse(&facts, t);
	p->exe = stack_process_read_link(pid, "exe");
	p->cwd = stack_process_read_link(pid, "cwd");
	p->start_ns = stack_process_read_start(pid);
	read_root(p);
	read_ranges(p);
	if (pthread_create(&thread, NULL, tracer, &s))
		return trouble(t, strerror(EAGAIN), NULL, "process %d", (int)pid);
	pthread_join(thread, NULL);
	free(s.holds);
	if (!p->nthreads || !p->nranges) {
		stack_facts_gather(&facts, pid, s.error ? s.error : ESRCH);
		return stack_refuse(&facts, t);
	}
	qsort(p->threads, p->nthreads, sizeof(*p->threads), stack_process_by_tid);
	return 0;
}

void stack_process_free(struct stack_process *p)
{
	for (size_t i = 0; i < p->nthreads; i++) {
		free(p->threads[i].stack);
		free(p->threads[i].frames);
	}
	for (size_t i = 0; i < p->nranges; i++)
		free(p->ranges[i].path);
	free(p->threads);
	free(p->ranges);
	free(p->exe);
	free(p->cwd);
	free(p->root);
	*p = (struct stack_process){ .pid = 0 };
}
