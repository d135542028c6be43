/*
 * wrap_life.c - threads, other programs, the end, and objects unloaded, as the
 * program asks libc for them; and one function of OpenMP's.
 */
#include "config.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "ompt_tool/program/bears.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/starts.h"

#define EXPORT __attribute__((visibility("default")))

extern char **environ;

/* ---- threads -------------------------------------------------------------- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*function)(void *), void *arg)
{
	next_find();
	return starts_pthread(thread, attr, function, arg);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
	next_find();
	return starts_thrd(thread, function, arg);
}

/* ---- exec ----------------------------------------------------------------- */

/* What a new program's environment takes without our libraries, where it cannot bear
   them; 0: it keeps what it is given. */
static size_t plain_bytes(enum program_bears bears, char *const envp[])
{
	return bears == PROGRAM_BEARS ? 0 : program_plain_bytes(envp);
}

static char *const *plain(char *const envp[], void *memory, size_t bytes)
{
	char **made = bytes != 0 ? program_plain_env(envp, memory, bytes) : NULL;

	return made != NULL ? made : envp;
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload(AT_FDCWD, path, ""), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.execve(path, argv, plain(envp, memory, bytes)));
}

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload(AT_FDCWD, file, getenv("PATH")),
					 envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.execvpe(file, argv, plain(envp, memory, bytes)));
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload_fd(fd), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.fexecve(fd, argv, plain(envp, memory, bytes)));
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	const enum program_bears bears = (flags & AT_EMPTY_PATH) != 0 && *path == '\0' ?
		program_bears_preload_fd(fd) : program_bears_preload(fd, path, "");
	const size_t bytes = plain_bytes(bears, envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.execveat(fd, path, argv, plain(envp, memory, bytes),
						    flags));
}

/* How many pointers a NULL-ended list takes, its NULL included. */
static size_t count(const char *first, va_list more)
{
	size_t n = 1;

	for (const char *a = first; a != NULL; a = va_arg(more, const char *))
		n++;
	return n;
}

static void collect(char **argv, const char *first, va_list *more)
{
	argv[0] = (char *)(uintptr_t)first;
	while (*argv != NULL)
		*++argv = va_arg(*more, char *);
}

EXPORT int execl(const char *path, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	char **argv = alloca(count(arg, more) * sizeof(*argv));
	va_end(more);
	va_start(more, arg);
	collect(argv, arg, &more);
	va_end(more);
	return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	char **argv = alloca(count(arg, more) * sizeof(*argv));
	va_end(more);
	va_start(more, arg);
	collect(argv, arg, &more);
	va_end(more);
	return execvp(file, argv);
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	char **argv = alloca(count(arg, more) * sizeof(*argv));
	va_end(more);
	va_start(more, arg);
	collect(argv, arg, &more);
	char *const *envp = va_arg(more, char *const *);
	va_end(more);
	return execve(path, argv, envp);
}

/* ---- children that libc makes --------------------------------------------- */

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload(AT_FDCWD, path, ""), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int result = next.posix_spawn(pid, path, actions, attr, argv,
					    plain(envp, memory, bytes));
	starts_spawn_end(&s);
	return result;
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload(AT_FDCWD, file, getenv("PATH")),
					 envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int result = next.posix_spawnp(pid, file, actions, attr, argv,
					     plain(envp, memory, bytes));
	starts_spawn_end(&s);
	return result;
}

EXPORT int system(const char *command)
{
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int status = next.system(command);
	starts_spawn_end(&s);
	return status;
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	FILE *f = next.popen(command, mode);
	starts_spawn_end(&s);
	return f;
}

/* ---- the end -------------------------------------------------------------- */

static void ends_at_once(void)
{
	next_find();
	if (program_hooks.ends != NULL && program_is_ours())
		program_hooks.ends(PROGRAM_EXITS_AT_ONCE);
}

EXPORT void _exit(int status)
{
	ends_at_once();
	next._exit(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	_exit(status);
}

/* ---- loaded objects ------------------------------------------------------- */

EXPORT int dlclose(void *handle)
{
	next_find();
	const int result = next.dlclose(handle);

	if (program_hooks.unloaded != NULL && *program_alive != 0)
		program_hooks.unloaded();
	return result;
}

/* ---- OpenMP --------------------------------------------------------------- */

int omp_control_tool(int command, int modifier, void *arg);

/* To libomp there is no tool before the first parallel region: a program that is
   started paused, and starts its tool in main(), would be told so. */
EXPORT int omp_control_tool(int command, int modifier, void *arg)
{
	enum { NO_TOOL = -2 };
	int (*real)(int, int, void *);

	/* The runtime may have been loaded since the start. */
	next_find();
	real = next.omp_control_tool;
	if (real == NULL)
		real = (int (*)(int, int, void *))dlsym(RTLD_NEXT, "omp_control_tool");
	int result = real != NULL ? real(command, modifier, arg) : NO_TOOL;

	return result == NO_TOOL && program_hooks.control != NULL ? program_hooks.control(command)
								  : result;
}

__attribute__((constructor)) static void preloaded(void)
{
	next_find();
	if (program_hooks.preloaded != NULL)
		program_hooks.preloaded();
}
