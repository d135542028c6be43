/*
 * child.h - starts the program, stands in for it while it runs, and ends like it.
 *
 * Signals sent to ompcount are meant for the program and passed on.  If the program is
 * stopped, ompcount stops.  The program inherits the signal mask, dispositions, descriptors
 * and process group that ompcount was started with.  One child at a time; call the
 * functions in the main thread and in this order.
 */
#ifndef OMPHWC_SRC_RUN_CHILD_H
#define OMPHWC_SRC_RUN_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	sigset_t mask;			   /* as ompcount was started */
	struct sigaction chld, pipe, xfsz; /* dispositions, as ompcount was started */
};

/* Blocks signals until child_release(), so that temporary files can be removed, and ignores
   SIGPIPE and SIGXFSZ: standard error may be a pipe, or a file as long as it may be. */
void child_hold(struct child *c);

/*
 * Starts path in a new process.  0, or the errno of exec (the process is gone then) or
 * fork.
 */
int child_start(struct child *c, const char *path, char *const *argv, char *const *envp);

/* Waits for the child's end and passes signals on.  Returns the status of waitpid(). */
int child_wait(struct child *c);

/* Unblocks signals; SIGPIPE and SIGXFSZ stay ignored. */
void child_release(struct child *c);

/* Returns the exit status for ompcount; does not return if a signal killed the program and
   kills ompcount, too. */
int child_end_as(int status);

#endif
