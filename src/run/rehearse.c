/*
 * rehearse.c - starts a runtime once, before a program depends on it.
 *
 * libomp ends its process if its initialization fails, for example without shared memory
 * (/dev/shm missing or read-only, as in many containers).  The conditions differ between
 * releases, so only a trial is reliable.
 */
#include "config.h"

#include "src/run/rehearse.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 10, WORDS_BYTES = 160 };

/* Sets up the process like a program's, but without tools and without core dumps. */
static void set_the_stage(int words)
{
	const struct rlimit none = { 0, 0 };
	int null = open("/dev/null", O_RDWR);
	sigset_t all;

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(words, STDERR_FILENO);
	setrlimit(RLIMIT_CORE, &none);
	setenv("OMP_TOOL", "disabled", 1);
	unsetenv("OMP_DISPLAY_ENV");
	unsetenv("KMP_SETTINGS");
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE_S);
}

/* Never returns.  exit() lets the runtime unregister itself. */
static void perform(const char *path, int words)
{
	int (*begin)(void *);
	void *library;

	set_the_stage(words);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		_exit(0);
	begin = (int (*)(void *))(uintptr_t)dlsym(library, "__kmpc_global_thread_num");
	if (begin)
		begin(NULL);
	exit(0);
}

/* Removes the file in /dev/shm of a runtime that was killed. */
static void clean_up(pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "/__KMP_REGISTERED_LIB_%d_%d", (int)pid, (int)getuid());
	shm_unlink(name);
}

/* libomp ends its process by SIGABRT, or by this status if that is ignored. */
static bool was_ended(int status)
{
	return WIFSIGNALED(status) || WEXITSTATUS(status) == 3;
}

/* Reads the first line of the message without its number: "OMP: Error #179: ...". */
static void take_words(int fd, char *words, size_t bytes)
{
	size_t used = 0;
	ssize_t n;
	char *hash;

	while (used < bytes - 1 &&
	       ((n = read(fd, words + used, bytes - 1 - used)) > 0 || (n < 0 && errno == EINTR)))
		used += n > 0 ? (size_t)n : 0;
	words[used] = '\0';
	words[strcspn(words, "\n")] = '\0';
	if (*words && words[strlen(words) - 1] == ':')
		words[strlen(words) - 1] = '\0';
	hash = strstr(words, "#");
	hash = hash ? strstr(hash, ": ") : NULL;
	if (hash)
		memmove(words, hash + 2, strlen(hash + 2) + 1);
	for (char *c = words; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

int rehearse_libomp(const char *path, char *why, size_t bytes)
{
	char words[WORDS_BYTES];
	int pipes[2], status = 0;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) != 0)
		return 0;
	pid = fork();
	if (pid == 0)
		perform(path, pipes[1]);
	close(pipes[1]);
	take_words(pipes[0], words, sizeof(words));
	close(pipes[0]);
	if (pid < 0)
		return 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!was_ended(status))
		return 0;
	clean_up(pid);
	if (!*words && WIFSIGNALED(status))
		snprintf(words, sizeof(words), "%s", strsignal(WTERMSIG(status)));
	snprintf(why, bytes, "LLVM's libomp does not start here: %s%s", words,
		 strstr(words, "SHM") || (WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS) ?
			 " (it wants room in /dev/shm)" :
			 "");
	return -1;
}
