/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment of execle() is the one that is given. */
#include "case.h"

int main(void)
{
	char *env[] = { "GREETING=hello", NULL };

	busy(10);
	execle("/bin/sh", "sh", "-c", "echo $GREETING ${HOME-nowhere}", NULL, env);
	return 1;
}
