/* SPDX-License-Identifier: BSD-3-Clause */
/* What the children of system() and popen() inherit. */
#include "case.h"

int main(void)
{
	static const char command[] = "exec \"$CASE_INHERITED\"";
	char line[256];

	block(SIGTRAP, TAKEN, 0);
	signal(SIGIO, SIG_IGN);
	busy(20);
	printf("system %d\n", system(command));
	FILE *f = popen(command, "r");
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	printf("pclose %d\n", pclose(f));
	return 0;
}
