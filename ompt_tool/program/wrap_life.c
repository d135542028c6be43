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
#include "ompt_tool/program/starts.h"
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

/* Wrappers call these functions, not each other's exported names: without a preload
   those names are libc's. */
int exec_path(const char *path, char *const argv[], char *const envp[])
{
	const size_t bytes = exec_bytes(program_bears_preload(AT_FDCWD, path, ""), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.execve(path, argv, plain(envp, memory, bytes)));
}

EXPORT int WRAPPER(execve)(const char *path, char *const argv[], char *const envp[])
{
	return exec_path(path, argv, envp);
}

EXPORT int WRAPPER(execv)(const char *path, char *const argv[])
{
	return exec_path(path, argv, environ);
}

static int start_file(const char *file, char *const argv[], char *const envp[])
{
	const size_t bytes =
		exec_bytes(program_bears_preload(AT_FDCWD, file, getenv("PATH")), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.execvpe(file, argv, plain(envp, memory, bytes)));
}

EXPORT int WRAPPER(execvpe)(const char *file, char *const argv[], char *const envp[])
{
	return start_file(file, argv, envp);
}

EXPORT int WRAPPER(execvp)(const char *file, char *const argv[])
{
	return start_file(file, argv, environ);
}

EXPORT int WRAPPER(fexecve)(int fd, char *const argv[], char *const envp[])
{
	const size_t bytes = exec_bytes(program_bears_preload_fd(fd), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, next.fexecve(fd, argv, plain(envp, memory, bytes)));
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
	struct starts_exec e;

	next_find();
	starts_exec_begin(&e);
	return starts_exec_failed(&e, native_execveat(fd, path, argv, plain(envp, memory, bytes),
						      flags));
}

EXPORT int WRAPPER(execveat)(int fd, const char *path, char *const argv[], char *const envp[],
			     int flags)
{
	return exec_at(fd, path, argv, envp, flags);
}

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

EXPORT int WRAPPER(execl)(const char *path, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	const int result = start_list(exec_path, path, arg, &more, false);
	va_end(more);
	return result;
}

EXPORT int WRAPPER(execlp)(const char *file, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	const int result = start_list(start_file, file, arg, &more, false);
	va_end(more);
	return result;
}

EXPORT int WRAPPER(execle)(const char *path, const char *arg, ...)
{
	va_list more;

	va_start(more, arg);
	const int result = start_list(exec_path, path, arg, &more, true);
	va_end(more);
	return result;
}

/* ---- children that libc makes --------------------------------------------- */

EXPORT int WRAPPER(posix_spawn)(pid_t *pid, const char *path,
				const posix_spawn_file_actions_t *actions,
				const posix_spawnattr_t *attr, char *const argv[],
				char *const envp[])
{
	const size_t bytes = plain_bytes(program_bears_preload(AT_FDCWD, path, ""), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int result =
		next.posix_spawn(pid, path, actions, attr, argv, plain(envp, memory, bytes));
	starts_spawn_end(&s);
	return result;
}

EXPORT int WRAPPER(posix_spawnp)(pid_t *pid, const char *file,
				 const posix_spawn_file_actions_t *actions,
				 const posix_spawnattr_t *attr, char *const argv[],
				 char *const envp[])
{
	const size_t bytes =
		plain_bytes(program_bears_preload(AT_FDCWD, file, getenv("PATH")), envp);
	void *memory = bytes != 0 ? alloca(bytes) : NULL;
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int result =
		next.posix_spawnp(pid, file, actions, attr, argv, plain(envp, memory, bytes));
	starts_spawn_end(&s);
	return result;
}

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
	struct starts_spawn s;

	next_find();
	drop_unreachable();
	starts_spawn_begin(&s);
	const int status = next.system(command);
	starts_spawn_end(&s);
	return status;
}

EXPORT FILE *WRAPPER(popen)(const char *command, const char *mode)
{
	struct starts_spawn s;

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
	struct starts_spawn s;

	next_find();
	starts_spawn_begin(&s);
	const int result = next.wordexp(words, to, flags);
	starts_spawn_end(&s);
	return result;
}

/* ---- the end -------------------------------------------------------------- */

static void ends_at_once(void)
{
	next_find();
	if (program_hooks.ends && program_is_ours())
		program_hooks.ends(PROGRAM_EXITS_AT_ONCE);
}

static void __attribute__((noreturn)) exit_at_once(int status)
{
	ends_at_once();
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

EXPORT int WRAPPER(setrlimit)(__rlimit_resource_t resource, const struct rlimit *to)
{
	next_find();
	const int result = next.setrlimit(resource, to);

	if (result == 0)
		limits_changed(0, (int)resource, to);
	return result;
}

EXPORT int WRAPPER(setrlimit64)(__rlimit_resource_t resource, const struct rlimit64 *to)
{
	next_find();
	const int result = next.setrlimit64(resource, to);

	if (result == 0)
		limits_changed(0, (int)resource, to);
	return result;
}

EXPORT int WRAPPER(prlimit)(pid_t process, enum __rlimit_resource resource, const struct rlimit *to,
			    struct rlimit *old)
{
	next_find();
	const int result = next.prlimit(process, resource, to, old);

	if (result == 0)
		limits_changed(process, (int)resource, to);
	return result;
}

EXPORT int WRAPPER(prlimit64)(pid_t process, enum __rlimit_resource resource,
			      const struct rlimit64 *to, struct rlimit64 *old)
{
	next_find();
	const int result = next.prlimit64(process, resource, to, old);

	if (result == 0)
		limits_changed(process, (int)resource, to);
	return result;
}

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

EXPORT int WRAPPER(omp_control_tool)(int command, int modifier, void *arg)
{
	return control(command, modifier, arg);
}

/* Called from Fortran. */
int omp_control_tool_(const int *command, const int *modifier, void *arg);
EXPORT int WRAPPER(omp_control_tool_)(const int *command, const int *modifier, void *arg)
{
	return control(*command, *modifier, arg);
}

/* ---- by names of their own, for bind.c -------------------------------------- */

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes" /* of an alias: they are the same */
#endif

static __typeof__(pthread_create) own_pthread_create
	__attribute__((alias(WRAPPER_NAME(pthread_create))));
static __typeof__(thrd_create) own_thrd_create __attribute__((alias(WRAPPER_NAME(thrd_create))));
static __typeof__(execve) own_execve __attribute__((alias(WRAPPER_NAME(execve))));
static __typeof__(execv) own_execv __attribute__((alias(WRAPPER_NAME(execv))));
static __typeof__(execvpe) own_execvpe __attribute__((alias(WRAPPER_NAME(execvpe))));
static __typeof__(execvp) own_execvp __attribute__((alias(WRAPPER_NAME(execvp))));
static __typeof__(fexecve) own_fexecve __attribute__((alias(WRAPPER_NAME(fexecve))));
static __typeof__(execveat) own_execveat __attribute__((alias(WRAPPER_NAME(execveat))));
static __typeof__(execl) own_execl __attribute__((alias(WRAPPER_NAME(execl))));
static __typeof__(execlp) own_execlp __attribute__((alias(WRAPPER_NAME(execlp))));
static __typeof__(execle) own_execle __attribute__((alias(WRAPPER_NAME(execle))));
static __typeof__(posix_spawn) own_posix_spawn __attribute__((alias(WRAPPER_NAME(posix_spawn))));
static __typeof__(posix_spawnp) own_posix_spawnp __attribute__((alias(WRAPPER_NAME(posix_spawnp))));
static __typeof__(system) own_system __attribute__((alias(WRAPPER_NAME(system))));
static __typeof__(popen) own_popen __attribute__((alias(WRAPPER_NAME(popen))));
static __typeof__(wordexp) own_wordexp __attribute__((alias(WRAPPER_NAME(wordexp))));
static __typeof__(_exit) own__exit __attribute__((alias(WRAPPER_NAME(_exit))));
static __typeof__(_Exit) own__Exit __attribute__((alias(WRAPPER_NAME(_Exit))));
static __typeof__(ptrace) own_ptrace __attribute__((alias(WRAPPER_NAME(ptrace))));
static __typeof__(dlclose) own_dlclose __attribute__((alias(WRAPPER_NAME(dlclose))));
static __typeof__(omp_control_tool) own_omp_control_tool
	__attribute__((alias(WRAPPER_NAME(omp_control_tool))));
static __typeof__(omp_control_tool_) own_omp_control_tool_
	__attribute__((alias(WRAPPER_NAME(omp_control_tool_))));
static __typeof__(mprotect) own_mprotect __attribute__((alias(WRAPPER_NAME(mprotect))));
static __typeof__(munmap) own_munmap __attribute__((alias(WRAPPER_NAME(munmap))));
static __typeof__(setrlimit) own_setrlimit __attribute__((alias(WRAPPER_NAME(setrlimit))));
static __typeof__(setrlimit64) own_setrlimit64 __attribute__((alias(WRAPPER_NAME(setrlimit64))));
static __typeof__(prlimit) own_prlimit __attribute__((alias(WRAPPER_NAME(prlimit))));
static __typeof__(prlimit64) own_prlimit64 __attribute__((alias(WRAPPER_NAME(prlimit64))));

const struct wrapper wrappers_life[] = {
	{ "pthread_create", (void (*)(void))own_pthread_create },
	{ "thrd_create", (void (*)(void))own_thrd_create },
	{ "execve", (void (*)(void))own_execve },
	{ "execv", (void (*)(void))own_execv },
	{ "execvpe", (void (*)(void))own_execvpe },
	{ "execvp", (void (*)(void))own_execvp },
	{ "fexecve", (void (*)(void))own_fexecve },
	{ "execveat", (void (*)(void))own_execveat },
	{ "execl", (void (*)(void))own_execl },
	{ "execlp", (void (*)(void))own_execlp },
	{ "execle", (void (*)(void))own_execle },
	{ "posix_spawn", (void (*)(void))own_posix_spawn },
	{ "posix_spawnp", (void (*)(void))own_posix_spawnp },
	{ "system", (void (*)(void))own_system },
	{ "popen", (void (*)(void))own_popen },
	{ "wordexp", (void (*)(void))own_wordexp },
	{ "_exit", (void (*)(void))own__exit },
	{ "_Exit", (void (*)(void))own__Exit },
	{ "ptrace", (void (*)(void))own_ptrace },
	{ "dlclose", (void (*)(void))own_dlclose },
	{ "omp_control_tool", (void (*)(void))own_omp_control_tool },
	{ "omp_control_tool_", (void (*)(void))own_omp_control_tool_ },
	{ "mprotect", (void (*)(void))own_mprotect },
	{ "munmap", (void (*)(void))own_munmap },
	{ "setrlimit", (void (*)(void))own_setrlimit },
	{ "setrlimit64", (void (*)(void))own_setrlimit64 },
	{ "prlimit", (void (*)(void))own_prlimit },
	{ "prlimit64", (void (*)(void))own_prlimit64 },
};
const size_t wrappers_nlife = sizeof(wrappers_life) / sizeof(*wrappers_life);
