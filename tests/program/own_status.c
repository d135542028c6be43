/* SPDX-License-Identifier: BSD-3-Clause */
/* What the process itself sees of its ignored and blocked signals. */
#include "case.h"

int main(void)
{
	char line[256];
	FILE *f;

	signal(SIGPIPE, SIG_IGN);
	busy(20);
	f = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "ShdPnd", 6) ||
		    !strncmp(line, "SigIgn", 6) || !strncmp(line, "SigBlk", 6) ||
		    !strncmp(line, "Threads", 7))
			fputs(line, stdout);
	return 0;
}
