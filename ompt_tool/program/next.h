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
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>

#include "ompt_tool/program/sleeps.h"
#include <wordexp.h>

struct io_context; /* libaio's */
struct io_event;

#define SLEEP(condition, type, name, parameters, arguments) type(*name) parameters;
#define SLEEP_READ(name, parameters, arguments) ssize_t(*name) parameters;
#define SLEEP_MASKED(type, name, parameters, arguments) type(*name) parameters;

struct next {
	/* signals: dispositions, masks, waits, stacks */
	int (*sigaction)(int, const struct sigaction *, struct sigaction *);
	__sighandler_t (*signal)(int, __sighandler_t);
	__sighandler_t (*sigset)(int, __sighandler_t);
	int (*sighold)(int);
	int (*sigrelse)(int);
	int (*sigignore)(int);
	int (*siginterrupt)(int, int);
	int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
	int (*sigprocmask)(int, const sigset_t *, sigset_t *);
	int (*sigwait)(const sigset_t *, int *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
	int (*signalfd)(int, const sigset_t *, int);
	int (*sigsuspend)(const sigset_t *);
	int (*sigaltstack)(const stack_t *, stack_t *);
	int (*kill)(pid_t, int);
	int (*killpg)(pid_t, int);
	int (*raise)(int);
	int (*sigqueue)(pid_t, int, const union sigval);
	int (*pthread_kill)(pthread_t, int);
	int (*pthread_sigqueue)(pthread_t, int, const union sigval);
	int (*swapcontext)(ucontext_t *, const ucontext_t *);
	int (*setcontext)(const ucontext_t *);
	/* calls that no signal restarts */
	SLEEPS
	int (*io_getevents)(struct io_context *, long, long, struct io_event *, struct timespec *);
	int (*setsockopt)(int, int, int, const void *, socklen_t);
	int (*inotify_init)(void);
	int (*inotify_init1)(int);
	long (*syscall)(long, ...);
	/* threads */
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*thrd_create)(thrd_t *, thrd_start_t, void *);
	int (*pthread_attr_getsigmask_np)(const pthread_attr_t *, sigset_t *); /* glibc 2.32 */
	/* processes */
	int (*execve)(const char *, char *const[], char *const[]);
	int (*execvpe)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	int (*execveat)(int, const char *, char *const[], char *const[], int);
	int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const[], char *const[]);
	int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			    const posix_spawnattr_t *, char *const[], char *const[]);
	int (*system)(const char *);
	FILE *(*popen)(const char *, const char *);
	int (*wordexp)(const char *, wordexp_t *, int);
	void (*_exit)(int);
	long (*ptrace)(enum __ptrace_request, ...);
	/* loaded objects */
	int (*dlclose)(void *);
	/* memory */
	int (*mprotect)(void *, size_t, int);
	int (*munmap)(void *, size_t);
	int (*setrlimit)(__rlimit_resource_t, const struct rlimit *);
	int (*setrlimit64)(__rlimit_resource_t, const struct rlimit64 *);
	int (*prlimit)(pid_t, enum __rlimit_resource, const struct rlimit *, struct rlimit *);
	int (*prlimit64)(pid_t, enum __rlimit_resource, const struct rlimit64 *, struct rlimit64 *);
	/* the OpenMP runtime's; NULL: no runtime is loaded */
	int (*omp_control_tool)(int, int, void *);
};

#undef SLEEP
#undef SLEEP_READ
#undef SLEEP_MASKED

/* Filled in by next_find(), and constant from then on. */
extern struct next next;

/* Fills in `next', once. The first call takes the loader's lock. The constructor makes
   that call, so that no signal handler does. */
void next_find(void);

#endif
