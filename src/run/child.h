/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - starts the program, stands in for it while it runs, and ends like it.
 *
 * Signals sent to ompcount are meant for the program and passed on.  If the program is
 * stopped, ompcount stops.  The program inherits the signal mask, dispositions, descriptors
 * and process group that ompcount was started with, where nothing else is set.  One child at a
 * time; call the functions in the main thread and in this order.  Several children may be
 * started and waited for, one after the other, before child_release().
 */
#ifndef OMPHWC_SRC_RUN_CHILD_H
#define OMPHWC_SRC_RUN_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct target;

struct child {
	pid_t pid;
	sigset_t mask;			   /* as ompcount was started */
	struct sigaction chld, pipe, xfsz; /* dispositions, as ompcount was started */
	/* May be set after child_hold(). */
	const int *streams; /* standard input, output and error; NULL: ompcount's own */
	bool apart;	    /* in a process group of its own, which gets the signals; a signal that
			       asks ompcount to end is sure to end it */
	uint64_t limit_ns;  /* it is ended if it runs longer; 0: never */
	/* Called meanwhile: every_ns after the start and each time again, and after a signal that
	   batch systems announce an end with; NULL: never. false: it can't be now, and is called
	   again a second later. */
	bool (*save)(void *);
	void *save_arg;
	uint64_t save_every_ns;
	/* By child_wait() */
	uint64_t ran_ns; /* from child_start() to its end, without the time while it was stopped */
	bool late;	 /* it ran longer than limit_ns */
	int asked;	 /* the signal that asked ompcount to end meanwhile; 0: none */
	/* private */
	uint64_t begun_ns, end_by_ns, save_by_ns;
	int end_with;
};

/* Blocks signals until child_release(), so that temporary files can be removed, and ignores
   SIGPIPE and SIGXFSZ: standard error may be a pipe, or a file as long as it may be. */
void child_hold(struct child *c);

/*
 * Starts path in a new process.  0, or the errno of exec (the process is gone then) or
 * fork.
 */
int child_start(struct child *c, const char *path, char *const *argv, char *const *envp);

/* The same for command[0], which was found at t; a text without a format known to the kernel is
   run by the shell, as shells and execvp() do. */
int child_start_target(struct child *c, const struct target *t, char *const *command,
		       char *const *envp);

/* Waits for the child's end and passes signals on.  Returns the status of waitpid(). */
int child_wait(struct child *c);

/* Unblocks signals; SIGPIPE and SIGXFSZ stay ignored. */
void child_release(struct child *c);

/* Returns the exit status for ompcount; does not return if a signal killed the program and
   kills ompcount, too. */
int child_end_as(int status);

#endif
