/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_fixture.c - see program_fixture.h.
 */
#include "config.h"

#include "tests/support/program_fixture.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/profile/bare_call.h"

enum { OF_A_COUNTER = 0x5a5a };

struct program_seen program_seen;

static bool sample(int signo, siginfo_t *info, void *ucontext)
{
	void (*inside)(void) = program_seen.in_sample;

	(void)signo;
	if (info->si_code != SI_QUEUE || info->si_value.sival_int != OF_A_COUNTER)
		return false;
	ck_assert_ptr_nonnull(ucontext);
	program_seen.samples++;
	program_seen.in_sample = NULL;
	if (inside != NULL)
		inside();
	return true;
}

static bool fault(const void *address)
{
	(void)address;
	program_seen.faults++;
	return program_seen.fault_is_own;
}

static void renumber(int signo)
{
	program_seen.renumbers++;
	program_seen.number = signo;
}

static void thread_begins(void)
{
	__atomic_fetch_add(&program_seen.threads, 1, __ATOMIC_RELAXED);
	program_thread_begins(0);
}

static void ends(enum program_end how)
{
	program_seen.ends++;
	program_seen.how = how;
	if (how == PROGRAM_EXITS_AT_ONCE)
		program_count_lines();
}

static void exec_failed(void)
{
	program_seen.exec_failures++;
}

static void forked(void)
{
	program_seen.forks++;
}

static void unloaded(void)
{
	program_seen.unloads++;
}

static void protects(const void *at, size_t bytes)
{
	(void)at;
	(void)bytes;
	program_seen.protects++;
}

static void preloaded(void)
{
	program_seen.preloads++;
}

static int control(int command, const void *arg)
{
	(void)arg;
	return 100 + command;
}

const struct program_hooks program_hooks = {
	.sample = sample,
	.sample_held = sample,
	.fault = fault,
	.renumber = renumber,
	.thread_begins = thread_begins,
	.ends = ends,
	.exec_failed = exec_failed,
	.forked = forked,
	.unloaded = unloaded,
	.protects = protects,
	.preloaded = preloaded,
	.control = control,
};

int program_fixture_take(unsigned which)
{
	ck_assert_int_eq(program_take(), 0);
	const int signo = program_signals_take(which);

	ck_assert_int_ge(signo, 0);
	program_thread_begins(8 << 20);
	return signo;
}

void program_other_sends(int signo, int code, int value)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = signo;
	info.si_code = code;
	info.si_pid = (pid_t)syscall(SYS_getpid);
	info.si_value.sival_int = value;
	ck_assert_int_eq(syscall(SYS_rt_tgsigqueueinfo, syscall(SYS_getpid), syscall(SYS_gettid),
				 signo, &info),
			 0);
}

void program_counter_sends(int signo)
{
	program_other_sends(signo, SI_QUEUE, OF_A_COUNTER);
}

bool program_kernel_blocks(int signo)
{
	uint64_t mask = 0;

	ck_assert_int_eq(bare_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, sizeof(mask), 0,
				   0),
			 0);
	return (mask >> (signo - 1) & 1) != 0;
}

bool program_kernel_ignores(int signo)
{
	unsigned long long ignored = 0;
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f) != NULL)
		sscanf(line, "SigIgn: %llx", &ignored);
	fclose(f);
	return (ignored >> (signo - 1) & 1) != 0;
}

#ifdef COVERAGE
void __gcov_dump(void);
void program_count_lines(void)
{
	__gcov_dump();
}
#else
void program_count_lines(void)
{
}
#endif
