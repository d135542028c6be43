/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrappers.h - defines and lists our wrappers. The lists name them by aliases of
 * their own, since a name of libc's may resolve to libc.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WRAPPERS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WRAPPERS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <threads.h>

/*
 * A wrapper's definition: EXPORT int WRAPPER(sigaction)(…). In libomphwc.so it has
 * libc's name, and the loader's symbol order puts it before libc's. In the library
 * that is linked into a program (OMPHWC_LINKED) it has a name of its own, and only
 * bind.c redirects calls to it.
 */
#ifdef OMPHWC_LINKED
#define EXPORT static
#define WRAPPER(name) wrap_##name
#define WRAPPER_NAME(name) "wrap_" #name
#else
#define EXPORT __attribute__((visibility("default")))
#define WRAPPER(name) name
#define WRAPPER_NAME(name) #name
#endif

/* A wrapper that is one call of a function of ours. */
#define WRAPS(type, name, parameters, call) \
	EXPORT type WRAPPER(name) parameters \
	{ \
		return call; \
	}

struct wrapper {
	const char *name;	/* libc's */
	void (*function)(void); /* ours */
};

/* A wrapper's alias, and its row in a list. */
/* clang-format off */
#define WRAPPER_ALIAS(name) \
	static __typeof__(WRAPPER(name)) own_##name __attribute__((alias(WRAPPER_NAME(name))));
#define WRAPPER_ROW(name) { #name, (void (*)(void))own_##name },
/* clang-format on */

/* The list of each wrap_*.c; constant. */
extern const struct wrapper wrappers_signals[], wrappers_sleeps[], wrappers_syscall[],
	wrappers_life[];
extern const size_t wrappers_nsignals, wrappers_nsleeps, wrappers_nsyscall, wrappers_nlife;

/* next_find() has found syscall(). */
void raw_known(void);

/* A system call that no wrapper of ours sees: libc's syscall(), once that is known. */
extern long (*raw_next)(long number, long a0, long a1, long a2, long a3, long a4, long a5);

/* What the wrappers of execve() and execveat() do, for those that are called by their numbers. */
int exec_path(const char *path, char *const argv[], char *const envp[]);
int exec_at(int fd, const char *path, char *const argv[], char *const envp[], int flags);

/* Before and after ptrace(). Begun: counters of this thread stand still. Returns result. */
bool traced_begin(long request);
long traced_end(bool begun, long result);

/* After a limit of a process (0: this one) was set: what we hold in reserve of the address space is
   the program's. */
void limits_changed(pid_t process, int resource, const void *to);

/*
 * bind.c: redirects the calls of libc's functions by all loaded objects, but libc's, the loader's
 * and our own, to our wrappers where the loader does not: in a library that was not preloaded
 * (OMP_TOOL_LIBRARIES) or is linked in. Replaces the addresses that the loader stored (relocations
 * JUMP_SLOT and GLOB_DAT) where they are libc's functions or not resolved yet. Objects that an
 * earlier call handled are skipped. Does nothing where the library was preloaded. Ordinary code;
 * takes the loader's lock. After next_find().
 */
void bind_all(void);

/* owner.c: whether the caller runs in a child that shares the memory of the process that was
   taken, as after vfork(). What is kept of the program's signals holds there too, and must not be
   changed. Async-signal-safe. */
bool owner_is_shared(void);

/*
 * starts.c: starts threads and programs, on the program's behalf.
 *
 * starts_pthread() and starts_thrd() do what pthread_create() and thrd_create() do.
 */

int starts_pthread(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *),
		   void *arg);
int starts_thrd(thrd_t *thread, thrd_start_t function, void *arg);

/*
 * Around exec: ends the profile with the program, and gives the kernel the
 * program's own mask and ignored signals, which the new program inherits.
 * starts_exec_failed() undoes both, keeps errno and returns result. In a vfork's
 * child both change the child's own mask and dispositions only. Async-signal-safe.
 */
struct starts {
	sigset_t mask;
	uint32_t dispositions;
	bool ours;
};
void starts_exec_begin(struct starts *s);
int starts_exec_failed(const struct starts *s, int result);

/* Around posix_spawn(), system() and popen(), which make their child inside libc: lets
   the child inherit the program's own mask and ignored signals. starts_spawn_end()
   keeps errno. */
void starts_spawn_begin(struct starts *s);
void starts_spawn_end(const struct starts *s);

#endif
