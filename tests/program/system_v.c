/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of System V: sigset, sighold, sigrelse, sigignore. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static const char *name(void (*d)(int))
{
	return d == SIG_DFL ? "default" : d == SIG_IGN ? "ignored" : d == SIG_HOLD ? "held"
	     : d == handler ? "handler" : d == SIG_ERR ? "error" : "something else";
}

int main(void)
{
	static const int signos[] = { 0, SIGTRAP, SIGIO, SIGUSR1 };

	for (int i = 0; i < 4; i++) {
		const int s = signos[i] ? signos[i] : TAKEN;

		got = 0;
		printf("%s", name(sigset(s, handler)));
		busy(2);
		raise(s);
		printf(" %d", sighold(s));
		raise(s);
		busy(2);
		printf(" got %d", got);
		printf(" %d got %d", sigrelse(s), got);
		printf(" %s", name(sigset(s, SIG_HOLD)));
		printf(" %s", name(sigset(s, handler)));
		printf(" %d", sigignore(s));
		raise(s);
		printf(" got %d %s\n", got, name(sigset(s, SIG_DFL)));
	}
	return 0;
}
