/*
 * preload_exec.c - the exec family: the profile ends before the program does,
 * and goes on where exec fails.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "ompt_tool/tool.h"

#define EXPORT __attribute__((visibility("default")))

enum { ARGS_MAX = 4096 };

extern char **environ;

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static int failed(int result)
{
	int saved = errno;

	tool_exec_failed();
	errno = saved;
	return result;
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	int (*real)(const char *, char *const[], char *const[]) = next("execve");

	tool_exec_begin();
	return failed(real(path, argv, envp));
}

EXPORT int execv(const char *path, char *const argv[])
{
	int (*real)(const char *, char *const[]) = next("execv");

	tool_exec_begin();
	return failed(real(path, argv));
}

EXPORT int execvp(const char *file, char *const argv[])
{
	int (*real)(const char *, char *const[]) = next("execvp");

	tool_exec_begin();
	return failed(real(file, argv));
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	int (*real)(const char *, char *const[], char *const[]) = next("execvpe");

	tool_exec_begin();
	return failed(real(file, argv, envp));
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	int (*real)(int, char *const[], char *const[]) = next("fexecve");

	tool_exec_begin();
	return failed(real(fd, argv, envp));
}

/* Collects a NULL-ended argument list; its length, or -1 when it is too long. */
static int collect(char **argv, const char *first, va_list *more)
{
	int n = 0;

	for (char *a = (char *)first; ; a = va_arg(*more, char *)) {
		if (n == ARGS_MAX)
			return -1;
		argv[n++] = a;
		if (a == NULL)
			return n;
	}
}

EXPORT int execl(const char *path, const char *arg, ...)
{
	char *argv[ARGS_MAX];
	va_list more;

	va_start(more, arg);
	int n = collect(argv, arg, &more);
	va_end(more);
	if (n < 0) {
		errno = E2BIG;
		return -1;
	}
	return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	char *argv[ARGS_MAX];
	va_list more;

	va_start(more, arg);
	int n = collect(argv, arg, &more);
	va_end(more);
	if (n < 0) {
		errno = E2BIG;
		return -1;
	}
	return execvp(file, argv);
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	char *argv[ARGS_MAX];
	va_list more;

	va_start(more, arg);
	int n = collect(argv, arg, &more);
	char *const *envp = va_arg(more, char *const *);
	va_end(more);
	if (n < 0) {
		errno = E2BIG;
		return -1;
	}
	return execve(path, argv, envp);
}
