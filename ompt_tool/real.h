/*
 * real.h - the C library's own functions, where preload.c has put ours before
 * them.  In the static library, where nothing is put before, they are the plain
 * functions.
 */
#ifndef OMPHWC_OMPT_TOOL_REAL_H
#define OMPHWC_OMPT_TOOL_REAL_H

#include <signal.h>
#include <stdbool.h>

int real_sigaction(int signo, const struct sigaction *act, struct sigaction *old);
int real_sigmask(int how, const sigset_t *set, sigset_t *old);

/* Whether the tool is an object of its own, not linked into another. */
extern const bool real_object;

#endif
