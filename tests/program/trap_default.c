/* SPDX-License-Identifier: BSD-3-Clause */
/* SIGTRAP kills whom it always kills. */
#include "case.h"

int main(void)
{
	no_core();
	busy(10);
	for (int way = 0; way < 3; way++) {
		pid_t child = fork();

		if (child == 0) {
			busy(5);
			if (way == 0)
				raise(SIGTRAP);
			if (way == 1)
				__builtin_trap();
			block(SIGTRAP, 0, 0);
#ifdef __x86_64__
			__asm__ volatile("int3");
#else
			_exit(133);
#endif
			_exit(7);
		}
		print_end("trap", child);
	}
	return 0;
}
