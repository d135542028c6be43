/*
 * starts.h - threads that the program makes, and programs that take its place.
 *
 * Each is the function of that name with `native' behind it: see its manual page.
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
 * Around exec: the profile ends with the program, and what a new program inherits (mask,
 * ignored signals) is the program's own.  `failed' puts all back and keeps errno.
 * In a vfork's child only what is the child's own is changed.  Async-signal-safe.
 */
struct starts_exec {
	sigset_t mask;
	uint32_t dispositions;
	bool ours;
};
void starts_exec_begin(struct starts_exec *e);
int starts_exec_failed(const struct starts_exec *e, int result);

/* Around posix_spawn(), system() and popen(), which make their child with libc's own
   functions: it inherits what is the program's own.  After: errno is kept. */
struct starts_spawn {
	sigset_t mask;
	uint32_t dispositions;
	bool ours;
};
void starts_spawn_begin(struct starts_spawn *s);
void starts_spawn_end(const struct starts_spawn *s);

#endif
