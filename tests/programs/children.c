/* SPDX-License-Identifier: BSD-3-Clause
 * children - forks and executes, and looks at what a child inherits.
 *
 * children fork: a child that computes serially and in regions, and its parent
 *	that goes on computing meanwhile and after.
 * children exec: becomes /bin/sh, which lists its open descriptors.
 * children spawn: the same in a child of system() and popen().
 * children storm: sixty children in a row, each an exec of /bin/true.
 * Output and exit status are the same in every run.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

/* The shell itself is not profiled: what it has open was left to it. */
#define LIST "exec env -u LD_PRELOAD -u OMP_TOOL_LIBRARIES sh -c 'for f in /proc/self/fd/*; do [ ! -e $f ] || echo ${f##*/}; done; exit "

KEEP void kernel(void)
{
	crunch_for(2000000);
}

KEEP void solve(int rounds)
{
	while (rounds-- > 0) {
#pragma omp parallel
		{
			kernel();
			STAY();
		}
	}
}

/* GNU's runtime cannot start a team in a fork's child whose parent had one. */
static int can_fork_team(void)
{
#ifdef __clang__
	return 1;
#else
	return 0;
#endif
}

KEEP void child_serial(int rounds)
{
	while (rounds-- > 0)
		kernel();
	STAY();
}

static int by_fork(void)
{
	int status = 0;
	pid_t pid;

	solve(15);
	pid = fork();
	if (pid == 0) {
		child_serial(100);
		if (can_fork_team())
			solve(15);
		puts("child: done");
		exit(5);
	}
	solve(15);
	waitpid(pid, &status, 0);
	solve(15);
	printf("parent: child's status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 6;
}

static int by_exec(void)
{
	solve(15);
	execl("/bin/sh", "sh", "-c", LIST "4'", (char *)NULL);
	return 1;
}

static int by_spawn(void)
{
	char line[64];
	FILE *f;

	solve(15);
	fflush(stdout);
	printf("system: %d\n", WEXITSTATUS(system(LIST "3'")));
	f = popen("echo popen; exit 2", "r");
	if (!f)
		return 1;
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	printf("pclose: %d\n", WEXITSTATUS(pclose(f)));
	return 0;
}

static int by_storm(void)
{
	int i, status, good = 0;
	pid_t pid;

	for (i = 0; i < 60; i++) {
		solve(1);
		pid = fork();
		if (pid == 0) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(1);
		}
		if (waitpid(pid, &status, 0) == pid && status == 0)
			good++;
	}
	printf("storm: %d of %d\n", good, i);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} ways[] = {
	{ "fork", by_fork }, { "exec", by_exec }, { "spawn", by_spawn }, { "storm", by_storm },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	fprintf(stderr, "usage: children fork|exec|spawn|storm\n");
	return 2;
}
