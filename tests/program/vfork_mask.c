/* SPDX-License-Identifier: BSD-3-Clause */
/* The mask of a vfork's child is its own. */
#include "case.h"

int main(void)
{
	sigset_t all, none, now;

	sigfillset(&all);
	sigemptyset(&none);
	for (int way = 0; way < 3; way++) {
		sigprocmask(SIG_SETMASK, &all, NULL);
		busy(5);
		pid_t child = vfork();
		if (child == 0) {
			if (way == 1)
				sigprocmask(SIG_SETMASK, &none, NULL);
			if (way == 2)
				sigprocmask(SIG_UNBLOCK, &(sigset_t){ 0 }, NULL);
			execv(inherited()[0], inherited());
			_exit(1);
		}
		print_end("child", child);
		sigprocmask(SIG_BLOCK, NULL, &now);
		printf("the parent's: TRAP %d, taken %d\n", sigismember(&now, SIGTRAP),
		       sigismember(&now, TAKEN));
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	return 0;
}
