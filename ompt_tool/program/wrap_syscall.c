/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_syscall.c - the wrapper of syscall(): the calls of sleeps.h, changes of the mask, exec,
 * ptrace and limits, by their numbers.
 *
 * Each other number is jumped on to libc's function: what a vfork() or a clone() with a stack of
 * its own returns to must be the program's own code. On x86-64 that takes assembly, since the last
 * of seven arguments is on the stack.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/waits.h"
#include "ompt_tool/program/wrappers.h"
#include "src/profile/bare_call.h"

/* How a call by its number is one of those. */
enum way {
	NO_WAY,
	ALWAYS,
	TIMED,	   /* waits_are_timed */
	READS,	   /* likewise, or waits_read_on() */
	RANDOM,	   /* waits_random_whole */
	IN_PARTS,  /* likewise, or the third argument is more bytes than are taken at once */
	FOR_ALL,   /* likewise, or the flags ask for all data */
	FOR_ALL_3, /* the flags are the third argument; else the fourth */
	FUTEX,	   /* where it has a timeout */
	AT_TIME,   /* the fourth argument is a timeout, or the fifth */
	AT_TIME_5,
	MASK_1, /* the argument is a mask of its own */
	MASK_4,
	MASK_5,
	PACKED_6, /* leads to the mask */
	CHANGES,  /* changes the mask */
	HANDLES,  /* sets a signal's handler: counters leave the number */
	SIGNALS,  /* waits for signals */
	OPTION,	  /* sets an option of a socket */
	WATCHES,  /* inotify */
	EXECS,	  /* starts another program */
	TRACES,	  /* ptrace(2) */
	LIMITS_1, /* sets a limit: the resource is argument 0 */
	LIMITS_2, /* the process is, and may */
};

enum { NUMBERS = 512 };

static const unsigned char ways[NUMBERS] = {
#ifdef SYS_pause
	[SYS_pause] = ALWAYS,
#endif
#ifdef SYS_poll
	[SYS_poll] = ALWAYS,
	[SYS_select] = ALWAYS,
	[SYS_epoll_wait] = ALWAYS,
	[SYS_inotify_init] = WATCHES,
#endif
	[SYS_nanosleep] = ALWAYS,
	[SYS_clock_nanosleep] = ALWAYS,
	[SYS_msgsnd] = ALWAYS,
	[SYS_msgrcv] = ALWAYS,
	[SYS_semop] = ALWAYS,
	[SYS_semtimedop] = ALWAYS,
	[SYS_io_getevents] = ALWAYS,
	[SYS_io_uring_enter] = ALWAYS,
	[SYS_recvmmsg] = ALWAYS,
	[SYS_writev] = ALWAYS,
	[SYS_sendmsg] = ALWAYS,
	[SYS_sendmmsg] = ALWAYS,
	[SYS_sendfile] = ALWAYS,
	[SYS_splice] = ALWAYS,
	[SYS_tee] = ALWAYS,
	[SYS_vmsplice] = ALWAYS,
	[SYS_copy_file_range] = ALWAYS,
	[SYS_getrandom] = RANDOM,
	[SYS_accept] = TIMED,
	[SYS_accept4] = TIMED,
	[SYS_connect] = TIMED,
	[SYS_read] = READS,
	[SYS_readv] = TIMED,
	[SYS_write] = IN_PARTS,
	[SYS_sendto] = IN_PARTS,
	[SYS_recvfrom] = FOR_ALL,
	[SYS_recvmsg] = FOR_ALL_3,
	[SYS_futex] = FUTEX,
	[SYS_futex_waitv] = AT_TIME,
	[SYS_futex_wait] = AT_TIME_5,
	[SYS_rt_sigprocmask] = CHANGES,
	[SYS_rt_sigaction] = HANDLES,
	[SYS_rt_sigsuspend] = MASK_1,
	[SYS_ppoll] = MASK_4,
	[SYS_epoll_pwait] = MASK_5,
	[SYS_epoll_pwait2] = MASK_5,
	[SYS_pselect6] = PACKED_6,
	[SYS_io_pgetevents] = PACKED_6,
	[SYS_rt_sigtimedwait] = SIGNALS,
	[SYS_setsockopt] = OPTION,
	[SYS_inotify_init1] = WATCHES,
	[SYS_execve] = EXECS,
	[SYS_execveat] = EXECS,
	[SYS_ptrace] = TRACES,
#ifdef SYS_setrlimit
	[SYS_setrlimit] = LIMITS_1,
#endif
	[SYS_prlimit64] = LIMITS_2,
};

typedef long word;

/* What FUTEX_WAIT and its kin do without a timeout is restarted. */
static bool is_timed_futex(word op, word timeout)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
#ifdef FUTEX_LOCK_PI2
	case FUTEX_LOCK_PI2:
#endif
		return timeout != 0;
	}
	return false;
}

static bool is_sleep(enum way way, const word a[6])
{
	switch (way) {
	case ALWAYS: return true;
	case TIMED:
	case READS: return waits_are_timed;
	case RANDOM: return (size_t)a[1] > waits_random_whole;
	case IN_PARTS: return waits_are_timed || (size_t)a[2] > PIPE_BUF;
	case FOR_ALL: return waits_are_timed || (a[3] & MSG_WAITALL) != 0;
	case FOR_ALL_3: return waits_are_timed || (a[2] & MSG_WAITALL) != 0;
	case FUTEX: return is_timed_futex(a[1], a[3]);
	case AT_TIME: return a[3] != 0;
	case AT_TIME_5: return a[4] != 0;
	default: return false;
	}
}

static word bare(word number, const word a[6])
{
	return raw_next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static word plain_sleep(word number, const word a[6])
{
	struct waits w;

	waits_begin(&w, NULL);
	const word result = bare(number, a);
	waits_end(&w);
	return result;
}

/* Of the kernel's size. */
static sigset_t set_at(word at)
{
	sigset_t set;

	sigemptyset(&set);
	memcpy(&set, (const void *)at, sizeof(uint64_t));
	return set;
}

static word masked_sleep(word number, const word a[6], int which)
{
	word changed[6];

	if (a[which] == 0)
		return plain_sleep(number, a);
	const sigset_t mask = set_at(a[which]);
	struct waits w;

	memcpy(changed, a, sizeof(changed));
	changed[which] = (word)waits_begin(&w, &mask);
	const word result = bare(number, changed);
	waits_end(&w);
	return result;
}

/* The sixth argument of pselect6(2) is the address of the mask's address and size. */
static word packed_sleep(word number, const word a[6])
{
	word changed[6], packed[2];

	if (a[5] == 0 || *(const word *)a[5] == 0)
		return plain_sleep(number, a);
	memcpy(packed, (const void *)a[5], sizeof(packed));
	const sigset_t mask = set_at(packed[0]);
	struct waits w;

	memcpy(changed, a, sizeof(changed));
	packed[0] = (word)waits_begin(&w, &mask);
	changed[5] = (word)packed;
	const word result = bare(number, changed);
	waits_end(&w);
	return result;
}

static int change_barely(int how, const sigset_t *set, sigset_t *old)
{
	return (int)raw_next(SYS_rt_sigprocmask, how, (word)set, (word)old, sizeof(uint64_t), 0, 0);
}

/* Without a change the kernel judges the arguments, and reads the set before it does. */
static bool is_change(const word a[6])
{
	const long no_how = -1;

	return a[3] == sizeof(uint64_t) &&
	       (a[0] == SIG_BLOCK || a[0] == SIG_UNBLOCK || a[0] == SIG_SETMASK) &&
	       (a[1] == 0 ||
		bare_call(SYS_rt_sigprocmask, no_how, a[1], 0, a[3], 0, 0) == -EINVAL) &&
	       (a[2] == 0 || bare_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, a[2], a[3], 0, 0) == 0);
}

static word mask_change_by_number(word number, const word a[6])
{
	sigset_t set, old;

	if (!is_change(a))
		return bare(number, a);
	if (a[1] != 0)
		set = set_at(a[1]);
	const word result = masks_change(change_barely, (int)a[0], a[1] != 0 ? &set : NULL, &old);

	if (result == 0 && a[2] != 0)
		memcpy((void *)a[2], &old, sizeof(uint64_t));
	return result;
}

static word signal_wait(const word a[6])
{
	const sigset_t set = set_at(a[0]);

	return waits_take(&set, (siginfo_t *)a[1], (const struct timespec *)a[2]);
}

static word exec(word number, const word a[6])
{
	if (number == SYS_execveat && a[1] == 0)
		return bare(number, a); /* of newer kernels, for a descriptor */
	if (number == SYS_execveat)
		return exec_at((int)a[0], (const char *)a[1], (char *const *)a[2],
			       (char *const *)a[3], (int)a[4]);
	return exec_path((const char *)a[0], (char *const *)a[1], (char *const *)a[2]);
}

/* The entry's jump, for numbers that have a way. */
word raw_call(word number, word a0, word a1, word a2, word a3, word a4, word a5);
__attribute__((used, visibility("hidden"))) word raw_call(word number, word a0, word a1, word a2,
							  word a3, word a4, word a5)
{
	const word a[6] = { a0, a1, a2, a3, a4, a5 };
	const enum way way = (enum way)ways[number];

	next_find();
	if (way == OPTION)
		waits_watch_option((int)a1, (int)a2);
	if (way == WATCHES)
		waits_are_timed = true;
	if (way == SIGNALS && a0 != 0)
		return signal_wait(a);
	if (way == HANDLES && a1 != 0 && program_is_ours())
		shared_named((int)a0);
	if (way == CHANGES)
		return mask_change_by_number(number, a);
	if (way == EXECS)
		return exec(number, a);
	if (way == TRACES) {
		const bool begun = traced_begin(a0);

		return traced_end(begun, bare(number, a));
	}
	if (way == MASK_1)
		return masked_sleep(number, a, 0);
	if (way == MASK_4)
		return masked_sleep(number, a, 3);
	if (way == MASK_5)
		return masked_sleep(number, a, 4);
	if (way == PACKED_6)
		return packed_sleep(number, a);
	if (is_sleep(way, a))
		return plain_sleep(number, a);
	const word result = bare(number, a);

	if (way == LIMITS_1 && result == 0)
		limits_changed(0, (int)a[0], (const void *)a[1]);
	if (way == LIMITS_2 && result == 0)
		limits_changed((pid_t)a[0], (int)a[1], (const void *)a[2]);
	return way == READS ? waits_read_on((int)a[0], (void *)a[1], (size_t)a[2], result) : result;
}

/* ---- before the next function is known ----------------------------------------- */

/*
 * Calls before libc's function is known: from other libraries' constructors, from dlsym(), and from
 * this library, whose own calls of syscall() lead here, too. It looks for nothing: dlsym() may be
 * what the call is made in.
 */
static word first(word number, word a0, word a1, word a2, word a3, word a4, word a5)
{
	const word result = bare_call(number, a0, a1, a2, a3, a4, a5);

	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

/* ---- the entry ------------------------------------------------------------------ */

__attribute__((visibility("hidden")))
word (*raw_next)(word number, word a0, word a1, word a2, word a3, word a4, word a5) = first;

void raw_known(void)
{
	if (next.syscall)
		raw_next = (__typeof__(raw_next))(uintptr_t)next.syscall;
}

#if defined(__x86_64__)
extern const unsigned char *const raw_ways;
__attribute__((used, visibility("hidden"))) const unsigned char *const raw_ways = ways;

/* clang-format off */
#ifdef OMPHWC_LINKED
#define SCOPE "	.hidden wrap_syscall\n"
#else
#define SCOPE ""
#endif
__asm__("	.text\n"
	"	.p2align 4\n"
	"	.globl " WRAPPER_NAME(syscall) "\n"
	SCOPE
	"	.type " WRAPPER_NAME(syscall) ", @function\n"
	WRAPPER_NAME(syscall) ":\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	cmpq	$512, %rdi\n"
	"	jae	1f\n"
	"	movq	raw_ways(%rip), %rax\n"
	"	cmpb	$0, (%rax,%rdi)\n"
	"	jne	2f\n"
	"1:	movq	raw_next(%rip), %rax\n"
	"	jmp	*%rax\n"
	"2:	jmp	raw_call\n"
	"	.cfi_endproc\n"
	"	.size " WRAPPER_NAME(syscall) ", . - " WRAPPER_NAME(syscall) "\n"
	"	.globl own_syscall\n"
	"	.hidden own_syscall\n"
	"	.set own_syscall, " WRAPPER_NAME(syscall) "\n");
/* clang-format on */
_Static_assert(NUMBERS == 512, "as in the code above");
__attribute__((visibility("hidden"))) word own_syscall(word number, ...);
#else
/* All seven arguments are in registers: a compiler's tail calls are jumps. */
static word own_syscall(word number, word a0, word a1, word a2, word a3, word a4, word a5)
{
	if ((unsigned long)number < NUMBERS && ways[number] != NO_WAY)
		return raw_call(number, a0, a1, a2, a3, a4, a5);
	return raw_next(number, a0, a1, a2, a3, a4, a5);
}

#ifndef OMPHWC_LINKED
/* Its name in C is another one: libc's header declares syscall() with variable arguments. */
word syscall_entry(word number, word a0, word a1, word a2, word a3, word a4,
		   word a5) __asm__(WRAPPER_NAME(syscall));
EXPORT word syscall_entry(word number, word a0, word a1, word a2, word a3, word a4, word a5)
{
	return own_syscall(number, a0, a1, a2, a3, a4, a5);
}
#endif
#endif

const struct wrapper wrappers_syscall[] = { { "syscall", (void (*)(void))own_syscall } };
const size_t wrappers_nsyscall = 1;
