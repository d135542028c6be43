/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody removes all files here that are profiles. */
#include "case.h"
#include <glob.h>

int main(void)
{
	glob_t g;

	busy(20);
	if (glob("*.omphwc", 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++)
			unlink(g.gl_pathv[i]);
	busy(30);
	puts("alive");
	return 0;
}
