/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starts.h - starts threads and programs, on the program's behalf.
 *
 * starts_pthread() and starts_thrd() do what pthread_create() and thrd_create() do.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_STARTS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_STARTS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

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
