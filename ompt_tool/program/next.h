/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next.h - the functions that our wrappers call: for each, the next definition in
 * the loader's order. That is libc's, or another interposer's.
 *
 * next_find() looks up all of them at once. A wrapper that runs before the tool's
 * constructor (called from another library's constructor) calls next_find() first.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_NEXT_H
#define OMPHWC_OMPT_TOOL_PROGRAM_NEXT_H

#include <aio.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <wordexp.h>

#include "ompt_tool/program/sleeps.h"

struct io_context; /* libaio's */
struct io_event;

/* All of them: NEXT(type, name, parameters) of each. */
/* clang-format off */
#define NEXT_SLEEP(condition, type, name, parameters, arguments) NEXT(type, name, parameters)
#define NEXT_FUNCTIONS \
	/* signals: dispositions, masks, waits, stacks */ \
	NEXT(int, sigaction, (int, const struct sigaction *, struct sigaction *)) \
	NEXT(__sighandler_t, signal, (int, __sighandler_t)) \
	NEXT(__sighandler_t, sigset, (int, __sighandler_t)) \
	NEXT(int, sighold, (int)) \
	NEXT(int, sigrelse, (int)) \
	NEXT(int, sigignore, (int)) \
	NEXT(int, siginterrupt, (int, int)) \
	NEXT(int, pthread_sigmask, (int, const sigset_t *, sigset_t *)) \
	NEXT(int, sigprocmask, (int, const sigset_t *, sigset_t *)) \
	NEXT(int, sigwait, (const sigset_t *, int *)) \
	NEXT(int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *)) \
	NEXT(int, signalfd, (int, const sigset_t *, int)) \
	NEXT(int, sigsuspend, (const sigset_t *)) \
	NEXT(int, sigaltstack, (const stack_t *, stack_t *)) \
	NEXT(int, kill, (pid_t, int)) \
	NEXT(int, killpg, (pid_t, int)) \
	NEXT(int, raise, (int)) \
	NEXT(int, sigqueue, (pid_t, int, const union sigval)) \
	NEXT(int, pthread_kill, (pthread_t, int)) \
	NEXT(int, pthread_sigqueue, (pthread_t, int, const union sigval)) \
	NEXT(int, swapcontext, (ucontext_t *, const ucontext_t *)) \
	NEXT(int, setcontext, (const ucontext_t *)) \
	/* calls that no signal restarts */ \
	SLEEPS(NEXT_SLEEP, NEXT_SLEEP, NEXT_SLEEP) \
	NEXT(int, io_getevents, \
	     (struct io_context *, long, long, struct io_event *, struct timespec *)) \
	NEXT(int, setsockopt, (int, int, int, const void *, socklen_t)) \
	NEXT(int, inotify_init, (void)) \
	NEXT(int, inotify_init1, (int)) \
	NEXT(long, syscall, (long, ...)) \
	/* threads */ \
	NEXT(int, pthread_create, \
	     (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)) \
	NEXT(int, thrd_create, (thrd_t *, thrd_start_t, void *)) \
	/* glibc 2.32 */ \
	NEXT(int, pthread_attr_getsigmask_np, (const pthread_attr_t *, sigset_t *)) \
	/* processes */ \
	NEXT(int, execve, (const char *, char *const[], char *const[])) \
	NEXT(int, execvpe, (const char *, char *const[], char *const[])) \
	NEXT(int, fexecve, (int, char *const[], char *const[])) \
	NEXT(int, execveat, (int, const char *, char *const[], char *const[], int)) \
	NEXT(int, posix_spawn, \
	     (pid_t *, const char *, const posix_spawn_file_actions_t *, \
	     const posix_spawnattr_t *, char *const[], char *const[])) \
	NEXT(int, posix_spawnp, \
	     (pid_t *, const char *, const posix_spawn_file_actions_t *, \
	     const posix_spawnattr_t *, char *const[], char *const[])) \
	NEXT(int, system, (const char *)) \
	NEXT(FILE *, popen, (const char *, const char *)) \
	NEXT(int, wordexp, (const char *, wordexp_t *, int)) \
	NEXT(void, _exit, (int)) \
	NEXT(long, ptrace, (enum __ptrace_request, ...)) \
	/* loaded objects */ \
	NEXT(int, dlclose, (void *)) \
	/* memory */ \
	NEXT(int, mprotect, (void *, size_t, int)) \
	NEXT(int, munmap, (void *, size_t)) \
	NEXT(int, setrlimit, (__rlimit_resource_t, const struct rlimit *)) \
	NEXT(int, setrlimit64, (__rlimit_resource_t, const struct rlimit64 *)) \
	NEXT(int, prlimit, \
	     (pid_t, enum __rlimit_resource, const struct rlimit *, struct rlimit *)) \
	NEXT(int, prlimit64, \
	     (pid_t, enum __rlimit_resource, const struct rlimit64 *, struct rlimit64 *)) \
	/* the OpenMP runtime's; NULL: no runtime is loaded */ \
	NEXT(int, omp_control_tool, (int, int, void *))
/* clang-format on */

struct next {
#define NEXT(type, name, parameters) type(*name) parameters;
	NEXT_FUNCTIONS
#undef NEXT
};

/* Filled in by next_find(), and constant from then on. */
extern struct next next;

/* Fills in `next', once. The first call takes the loader's lock. The constructor makes
   that call, so that no signal handler does. */
void next_find(void);

/* Numbers of system calls that older headers lack. All machines have the same. */
#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif

#endif
