/*
 * child.h - starts the program, stands in for it while it runs, and ends as it
 * ended.
 *
 * Who sends a signal to ompcount means the program: it is passed on.  Who
 * stops the program sees ompcount stop.  The program itself gets mask,
 * dispositions, descriptors and process group as ompcount was given them.
 * One child at a time; the functions are for the main thread, in this order.
 */
#ifndef OMPHWC_SRC_RUN_CHILD_H
#define OMPHWC_SRC_RUN_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	sigset_t mask;			/* as we were given it */
	struct sigaction chld, pipe;	/* likewise, of these two signals */
};

/* From here to child_release() signals wait, so that what was made can be
   removed again; and who does not read what we print no longer ends us. */
void child_hold(struct child *c);

/*
 * Starts path in a new process.  0, or the errno with which exec refused
 * (the process is gone then) or fork.
 */
int child_start(struct child *c, const char *path, char *const *argv, char *const *envp);

/* Waits for its end, passing signals on.  The status as waitpid() gives it. */
int child_wait(struct child *c);

/* Signals may end us again, but SIGPIPE. */
void child_release(struct child *c);

/* The exit status to return; does not return after a signal that kills us too. */
int child_end_as(int status);

#endif
