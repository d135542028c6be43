/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher HOW ARG…: starts a program, or loads libraries and calls run() of each, without
   any OpenMP of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int ended(pid_t child)
{
	int status = 0;

	return child < 0 || waitpid(child, &status, 0) < 0 ? 1 : WEXITSTATUS(status);
}

static int forks(char **argv)
{
	const pid_t child = fork();

	if (child == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return ended(child);
}

static int vforks(char **argv)
{
	const pid_t child = vfork();

	if (child == 0) {
		execve(argv[0], argv, environ);
		_exit(127);
	}
	return ended(child);
}

static int spawns(char **argv)
{
	pid_t child = -1;

	if (posix_spawnp(&child, argv[0], NULL, NULL, argv, environ) != 0)
		return 1;
	return ended(child);
}

static int execs(char **argv)
{
	execv(argv[0], argv);
	return 127;
}

/* Twice each, so that each copy of a runtime is used after the others were. */
static int loads(char **argv)
{
	void (*run[8])(void);
	int n = 0;

	for (; argv[n] && n < 8; n++) {
		void *const library = dlopen(argv[n], RTLD_NOW | RTLD_LOCAL);

		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&run[n] = dlsym(library, "run");
	}
	for (int i = 0; i < 2 * n; i++)
		run[i % n]();
	return 0;
}

/* Loads, runs and unloads each; its regions are no more in the process at the end. */
static int unloads(char **argv)
{
	for (int i = 0; argv[i]; i++) {
		void *const library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void (*run)(void);

		if (!library)
			return 1;
		*(void **)&run = dlsym(library, "run");
		run();
		dlclose(library);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *how;
		int (*start)(char **argv);
	} ways[] = {
		{ "fork", forks }, { "vfork", vforks }, { "spawn", spawns },
		{ "exec", execs }, { "load", loads },	{ "unload", unloads },
	};

	for (size_t i = 0; argc > 2 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(argv[1], ways[i].how) == 0)
			return ways[i].start(argv + 2);
	}
	return 2;
}
