/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_life.c - wrappers of functions that start threads and programs, end the
 * process, unload objects, change mappings and set limits; and of omp_control_tool().
 */
#include "config.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>
#include <wordexp.h>

#include "ompt_tool/program/bears.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/wrappers.h"

extern char **environ;

/* ---- threads -------------------------------------------------------------- */

EXPORT int WRAPPER(pthread_create)(pthread_t *thread, const pthread_attr_t *attr,
				   void *(*function)(void *), void *arg)
{
	next_find();
	return starts_pthread(thread, attr, function, arg);
}

EXPORT int WRAPPER(thrd_create)(thrd_t *thread, thrd_start_t function, void *arg)
{
	next_find();
	return starts_thrd(thread, function, arg);
}

/* ---- exec ----------------------------------------------------------------- */

/* The bytes that program_plain_env() needs where the new program cannot bear our
   libraries; 0: the environment stays as given. */
static size_t plain_bytes(enum program_bears bears, char *const envp[])
{
	return bears == PROGRAM_BEARS && program_reaches(envp) ? 0 : program_plain_bytes(envp);
}

/* The same for the program that this process becomes, which its profile then says. */
static size_t exec_bytes(enum program_bears bears, char *const envp[])
{
	if (bears == PROGRAM_BEARS && !program_reaches(envp))
		bears = PROGRAM_OUT_OF_REACH;
	if (bears == PROGRAM_BEARS)
		return 0;
	if (program_hooks.goes_on && program_is_ours())
		program_hooks.goes_on(program_bears_why(bears));
	return program_plain_bytes(envp);
}

static char *const *plain(char *const envp[], void *memory, size_t bytes)
{
	char **made = bytes != 0 ? program_plain_env(envp, memory, bytes) : NULL;

	return made ? made : envp;
}

/* A name without a slash is looked up in PATH where in_path is set. */
static inline int exec_name(bool in_path, const char *name, char *const argv[], char *const envp[])
{
	const size_t bytes =
		exec_bytes(program_bears_preload(AT_FDCWD, name, in_path ? getenv("PATH") : ""),
			   envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts s;

	next_find();
	starts_exec_begin(&s);
	return starts_exec_failed(&s,
				  (in_path ? next.execvpe :
					     next.execve)(name, argv, plain(envp, memory, bytes)));
}

/* Wrappers call these functions, not each other's exported names: without a preload
   those names are libc's. */
int exec_path(const char *path, char *const argv[], char *const envp[])
{
	return exec_name(false, path, argv, envp);
}

static int start_file(const char *file, char *const argv[], char *const envp[])
{
	return exec_name(true, file, argv, envp);
}

WRAPS(int, execve, (const char *path, char *const argv[], char *const envp[]),
      exec_path(path, argv, envp))
WRAPS(int, execv, (const char *path, char *const argv[]), exec_path(path, argv, environ))
WRAPS(int, execvpe, (const char *file, char *const argv[], char *const envp[]),
      start_file(file, argv, envp))
WRAPS(int, execvp, (const char *file, char *const argv[]), start_file(file, argv, environ))

EXPORT int WRAPPER(fexecve)(int fd, char *const argv[], char *const envp[])
{
	const size_t bytes = exec_bytes(program_bears_preload_fd(fd), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts s;

	next_find();
	starts_exec_begin(&s);
	return starts_exec_failed(&s, next.fexecve(fd, argv, plain(envp, memory, bytes)));
}

#if !HAVE_DECL_EXECVEAT /* glibc 2.34 */
extern int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);
#endif

/* glibc has the function from 2.34 on. */
static int native_execveat(int fd, const char *path, char *const argv[], char *const envp[],
			   int flags)
{
	return next.execveat ? next.execveat(fd, path, argv, envp, flags) :
			       (int)raw_next(SYS_execveat, fd, (long)path, (long)argv, (long)envp,
					     flags, 0);
}

int exec_at(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	const enum program_bears bears = (flags & AT_EMPTY_PATH) != 0 && *path == '\0' ?
						 program_bears_preload_fd(fd) :
						 program_bears_preload(fd, path, "");
	const size_t bytes = exec_bytes(bears, envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts s;

	next_find();
	starts_exec_begin(&s);
	return starts_exec_failed(&s, native_execveat(fd, path, argv, plain(envp, memory, bytes),
						      flags));
}

WRAPS(int, execveat, (int fd, const char *path, char *const argv[], char *const envp[], int flags),
      exec_at(fd, path, argv, envp, flags))

/* The number of pointers in a NULL-terminated argument list, with the NULL. */
static size_t count(const char *first, va_list *more)
{
	size_t n = 1;

	for (const char *a = first; a; a = va_arg(*more, const char *))
		n++;
	return n;
}

static void collect(char **argv, const char *first, va_list *more)
{
	argv[0] = (char *)(uintptr_t)first;
	while (*argv)
		*++argv = va_arg(*more, char *);
}

/* Collects the arguments on the stack, however many: a vfork's child must not allocate.
   The environment is the argument after NULL, or the program's own. */
static int start_list(int (*start)(const char *, char *const[], char *const[]), const char *file,
		      const char *first, va_list *more, bool has_env)
{
	va_list again;

	va_copy(again, *more);
	char **argv = alloca(count(first, more) * sizeof(*argv));
	collect(argv, first, &again);
	char *const *envp = has_env ? va_arg(again, char *const *) : environ;
	va_end(again);
	return start(file, argv, envp);
}

#define LIST(name, start, has_env) \
	EXPORT int WRAPPER(name)(const char *file, const char *arg, ...) \
	{ \
		va_list more; \
\
		va_start(more, arg); \
		const int result = start_list(start, file, arg, &more, has_env); \
		va_end(more); \
		return result; \
	}
LIST(execl, exec_path, false)
LIST(execlp, start_file, false)
LIST(execle, exec_path, true)

/* ---- children that libc makes --------------------------------------------- */

static inline int spawn(bool in_path, pid_t *pid, const char *name,
			const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
			char *const argv[], char *const envp[])
{
	const size_t bytes =
		plain_bytes(program_bears_preload(AT_FDCWD, name, in_path ? getenv("PATH") : ""),
			    envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts s;

	next_find();
	starts_spawn_begin(&s);
	const int result =
		(in_path ? next.posix_spawnp : next.posix_spawn)(pid, name, actions, attr, argv,
								 plain(envp, memory, bytes));
	starts_spawn_end(&s);
	return result;
}
WRAPS(int, posix_spawn,
      (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
       const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
      spawn(false, pid, path, actions, attr, argv, envp))
WRAPS(int, posix_spawnp,
      (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
       const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
      spawn(true, pid, file, actions, attr, argv, envp))

/* libc starts a shell with the program's own environment: it is changed for good where the
   libraries in it are out of reach. */
static void drop_unreachable(void)
{
	if (program_reaches(environ))
		return;
	const size_t bytes = program_plain_bytes(environ);
	void *const memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		environ = program_plain_env(environ, memory, bytes);
}

EXPORT int WRAPPER(system)(const char *command)
{
	struct starts s;

	next_find();
	drop_unreachable();
	starts_spawn_begin(&s);
	const int status = next.system(command);
	starts_spawn_end(&s);
	return status;
}

EXPORT FILE *WRAPPER(popen)(const char *command, const char *mode)
{
	struct starts s;

	next_find();
	drop_unreachable();
	starts_spawn_begin(&s);
	FILE *f = next.popen(command, mode);
	starts_spawn_end(&s);
	return f;
}

/* Its command substitution runs a shell. */
EXPORT int WRAPPER(wordexp)(const char *words, wordexp_t *to, int flags)
{
	struct starts s;

	next_find();
	starts_spawn_begin(&s);
	const int result = next.wordexp(words, to, flags);
	starts_spawn_end(&s);
	return result;
}

/* ---- the end -------------------------------------------------------------- */

static void __attribute__((noreturn)) exit_at_once(int status)
{
	next_find();
	if (program_hooks.ends && program_is_ours())
		program_hooks.ends(PROGRAM_EXITS_AT_ONCE);
	next._exit(status);
	__builtin_unreachable();
}

EXPORT void WRAPPER(_exit)(int status)
{
	exit_at_once(status);
}

EXPORT void WRAPPER(_Exit)(int status)
{
	exit_at_once(status);
}

/* ---- a parent that traces --------------------------------------------------- */

/* A debugger's child, or a program that looks for a debugger: its parent may not expect to
   be told of our signals, and a thread that nobody lets go on stands still for ever. */
bool traced_begin(long request)
{
	next_find();
	return request == PTRACE_TRACEME && program_hooks.traced && program_is_ours() &&
	       program_hooks.traced(true);
}

long traced_end(bool begun, long result)
{
	const int saved = errno;

	if (begun && result != 0)
		program_hooks.traced(false);
	errno = saved;
	return result;
}

EXPORT long WRAPPER(ptrace)(enum __ptrace_request request, ...)
{
	va_list more;

	va_start(more, request);
	const pid_t pid = va_arg(more, pid_t);
	void *const at = va_arg(more, void *), *const data = va_arg(more, void *);
	va_end(more);
	const bool begun = traced_begin(request);

	return traced_end(begun, next.ptrace(request, pid, at, data));
}

/* ---- loaded objects ------------------------------------------------------- */

EXPORT int WRAPPER(dlclose)(void *handle)
{
	next_find();
	const bool ours = program_hooks.unloaded && *program_alive != 0;

	if (ours && program_hooks.unloading)
		program_hooks.unloading();
	const int result = next.dlclose(handle);

	if (ours)
		program_hooks.unloaded();
	return result;
}

/* ---- protections ---------------------------------------------------------- */

static void changes(const void *at, size_t bytes)
{
	if (program_hooks.protects && *program_alive != 0)
		program_hooks.protects(at, bytes);
}

/* The program's allocator may call these from within dlsym(), while next_find() runs. */
static int protect(void *at, size_t bytes, int protection)
{
	return next.mprotect ? next.mprotect(at, bytes, protection) :
			       (int)syscall(SYS_mprotect, at, bytes, protection);
}

static int unmap(void *at, size_t bytes)
{
	return next.munmap ? next.munmap(at, bytes) : (int)syscall(SYS_munmap, at, bytes);
}

/* Reported before the call, since a sample may come at once, and after it, since a sample
   may have come between. */
EXPORT int WRAPPER(mprotect)(void *at, size_t bytes, int protection)
{
	changes(at, bytes);
	const int result = protect(at, bytes, protection);
	changes(at, bytes);
	return result;
}

EXPORT int WRAPPER(munmap)(void *at, size_t bytes)
{
	changes(at, bytes);
	const int result = unmap(at, bytes);
	changes(at, bytes);
	return result;
}

/* ---- limits --------------------------------------------------------------- */

/* Where the call has succeeded, *to could be read. */
void limits_changed(pid_t process, int resource, const void *to)
{
	const rlim64_t *const bytes = to; /* the soft limit is the first */

	if (resource == RLIMIT_AS && bytes && *bytes != RLIM64_INFINITY && program_hooks.limits &&
	    program_is_ours() && (process == 0 || process == getpid()))
		program_hooks.limits(*bytes);
}

#define LIMIT(name, process, parameters, arguments) \
	EXPORT int WRAPPER(name) parameters \
	{ \
		next_find(); \
		const int result = next.name arguments; \
\
		if (result == 0) \
			limits_changed(process, (int)resource, to); \
		return result; \
	}
LIMIT(setrlimit, 0, (__rlimit_resource_t resource, const struct rlimit *to), (resource, to))
LIMIT(setrlimit64, 0, (__rlimit_resource_t resource, const struct rlimit64 *to), (resource, to))
LIMIT(prlimit, process,
      (pid_t process, enum __rlimit_resource resource, const struct rlimit *to, struct rlimit *old),
      (process, resource, to, old))
LIMIT(prlimit64, process,
      (pid_t process, enum __rlimit_resource resource, const struct rlimit64 *to,
       struct rlimit64 *old),
      (process, resource, to, old))

/* ---- OpenMP --------------------------------------------------------------- */

int omp_control_tool(int command, int modifier, void *arg);

/* libomp reports no tool before the first parallel region. So a program that was
   started paused can start the tool in main(). */
static int control(int command, int modifier, void *arg)
{
	enum { NO_TOOL = -2 };
	int (*real)(int, int, void *);

	/* The runtime may have been loaded after next_find(). */
	next_find();
	real = next.omp_control_tool;
	if (!real)
		real = (int (*)(int, int, void *))dlsym(RTLD_NEXT, "omp_control_tool");
	int result = real ? real(command, modifier, arg) : NO_TOOL;

	return result == NO_TOOL && program_hooks.control ? program_hooks.control(command, arg) :
							    result;
}

WRAPS(int, omp_control_tool, (int command, int modifier, void *arg),
      control(command, modifier, arg))

/* Called from Fortran. */
int omp_control_tool_(const int *command, const int *modifier, void *arg);
WRAPS(int, omp_control_tool_, (const int *command, const int *modifier, void *arg),
      control(*command, *modifier, arg))

/* ---- by names of their own, for bind.c -------------------------------------- */

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes" /* of an alias: they are the same */
#endif

/* clang-format off */
#define WRAPPERS(X) \
	X(pthread_create) X(thrd_create) X(execve) X(execv) X(execvpe) X(execvp) X(fexecve) \
	X(execveat) X(execl) X(execlp) X(execle) X(posix_spawn) X(posix_spawnp) X(system) X(popen) \
	X(wordexp) X(_exit) X(_Exit) X(ptrace) X(dlclose) X(omp_control_tool) X(omp_control_tool_) \
	X(mprotect) X(munmap) X(setrlimit) X(setrlimit64) X(prlimit) X(prlimit64)
WRAPPERS(WRAPPER_ALIAS)
const struct wrapper wrappers_life[] = { WRAPPERS(WRAPPER_ROW) };
/* clang-format on */
const size_t wrappers_nlife = sizeof(wrappers_life) / sizeof(*wrappers_life);
