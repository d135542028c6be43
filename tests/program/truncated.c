/* SPDX-License-Identifier: BSD-3-Clause */
/* Somebody empties all files here that are profiles. */
#include "case.h"
#include <glob.h>

static void *thread(void *arg)
{
	busy(30);
	return arg;
}

int main(void)
{
	glob_t g;
	pthread_t t;

	busy(20);
	if (glob("*.omphwc", 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++)
			if (truncate(g.gl_pathv[i], 0))
				return 1;
	busy(30);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	pid_t child = fork();
	if (child == 0) {
		busy(10);
		exit(3);
	}
	print_end("child", child);
	puts("alive");
	return 0;
}
