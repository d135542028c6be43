/*
 * real_plain.c - for the static library, which puts nothing before the C
 * library's functions.
 */
#include "config.h"

#include "ompt_tool/real.h"

const bool real_object = false;

int real_sigaction(int signo, const struct sigaction *act, struct sigaction *old)
{
	return sigaction(signo, act, old);
}

int real_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	return pthread_sigmask(how, set, old);
}
