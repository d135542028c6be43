/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_program_starts.c - threads created by the program, exec, children that share its
 * memory, and its end.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "ompt_tool/program/wrappers.h"
#include "tests/support/program_fixture.h"
#include "tests/support/suite_main.h"

extern char **environ;

/* Compilers that count lines put functions of their own before these. */
static pid_t (*volatile make_child)(void) = fork;
static int (*volatile start)(const char *, char *const[], char *const[]) = execve;
static int (*volatile start_v)(const char *, char *const[]) = execv;
static int (*volatile start_vp)(const char *, char *const[]) = execvp;
static int (*volatile start_vpe)(const char *, char *const[], char *const[]) = execvpe;
static int (*volatile start_l)(const char *, const char *, ...) = execl;
static int (*volatile start_lp)(const char *, const char *, ...) = execlp;
static int (*volatile start_le)(const char *, const char *, ...) = execle;

static void nothing(int signo)
{
	(void)signo;
}

static void block(int a, int b)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, a);
	if (b != 0)
		sigaddset(&set, b);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
}

static bool blocks(int signo)
{
	sigset_t set;

	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
	return sigismember(&set, signo) == 1;
}

static int status_of(pid_t child)
{
	int status = -1;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* ---- threads ----------------------------------------------------------------- */

static void *tells_mask(void *arg)
{
	*(int *)arg = (blocks(SIGBUS) ? 1 : 0) + (program_kernel_blocks(SIGBUS) ? 2 : 0);
	return arg;
}

static int tells_mask_c11(void *arg)
{
	tells_mask(arg);
	return 42;
}

START_TEST(threads_begin_with_their_creators_mask)
{
	pthread_t t;
	thrd_t c11;
	int mask = -1, result = 0, threads = 2;

	program_fixture_take(PROGRAM_QUEUED);
	block(SIGBUS, 0);
	ck_assert_int_eq(pthread_create(&t, NULL, tells_mask, &mask), 0);
	pthread_join(t, NULL);
	ck_assert_int_eq(mask, 1);
#if __GLIBC_PREREQ(2, 32)
	pthread_attr_t attr;
	sigset_t none;

	sigemptyset(&none);
	pthread_attr_init(&attr);
	pthread_attr_setsigmask_np(&attr, &none);
	ck_assert_int_eq(pthread_create(&t, &attr, tells_mask, &mask), 0);
	pthread_join(t, NULL);
	ck_assert_int_eq(mask, 0);
	sigaddset(&none, SIGBUS);
	pthread_attr_setsigmask_np(&attr, &none);
	ck_assert_int_eq(pthread_create(&t, &attr, tells_mask, &mask), 0);
	pthread_join(t, NULL);
	ck_assert_int_eq(mask, 1);
	threads += 2;
#endif
	ck_assert_int_eq(thrd_create(&c11, tells_mask_c11, &mask), thrd_success);
	ck_assert_int_eq(thrd_join(c11, &result), thrd_success);
	ck_assert_int_eq(result, 42);
	ck_assert_int_eq(mask, 1);
	ck_assert_int_eq(program_seen.threads, threads);
}
END_TEST

START_TEST(a_thread_that_cannot_be_made)
{
	pthread_attr_t attr;
	pthread_t t;
	int mask;

	program_fixture_take(PROGRAM_QUEUED);
	pthread_attr_init(&attr);
	ck_assert_int_eq(pthread_attr_setstacksize(&attr, (size_t)1 << 46), 0);
	ck_assert_int_ne(pthread_create(&t, &attr, tells_mask, &mask), 0);
	ck_assert_int_eq(program_seen.threads, 0);
}
END_TEST

/* ---- exec -------------------------------------------------------------------- */

static char no_file[] = "/no/such/file";
static char *no_args[] = { no_file, NULL };

static int fails(int way)
{
	switch (way) {
	case 0: return start(no_file, no_args, environ);
	case 1: return start_v(no_file, no_args);
	case 2: return start_vp(no_file, no_args);
	case 3: return start_vpe(no_file, no_args, environ);
	case 4: return start_l(no_file, "x", "y", (char *)NULL);
	case 5: return start_lp(no_file, "x", (char *)NULL);
	case 6: return start_le(no_file, "x", (char *)NULL, environ);
	case 7: return fexecve(-1, no_args, environ);
#if HAVE_DECL_EXECVEAT
	case 8: return execveat(-1, no_file + 1, no_args, environ, 0);
	case 9: return execveat(-1, "", no_args, environ, AT_EMPTY_PATH);
#endif
	default: return start_v(no_file, no_args);
	}
}

START_TEST(after_an_exec_that_fails_all_is_as_before)
{
	program_fixture_take(PROGRAM_TRAP);
	signal(SIGBUS, SIG_IGN);
	block(SIGBUS, SIGUSR1);
	ck_assert_int_eq(fails(_i), -1);
	ck_assert(errno == ENOENT || errno == EBADF || errno == EINVAL);
	ck_assert_int_eq(program_seen.ends, 1);
	ck_assert_int_eq(program_seen.how, PROGRAM_EXECS);
	ck_assert_int_eq(program_seen.exec_failures, 1);
	ck_assert(blocks(SIGBUS) && blocks(SIGUSR1) && !program_kernel_blocks(SIGBUS));
	ck_assert(!program_kernel_ignores(SIGBUS));
}
END_TEST

/* Of a program that inherits: SIGBUS, bit 6 of the masks, ignored and blocked. */
static void prepare(void)
{
	program_fixture_take(PROGRAM_QUEUED);
	signal(SIGBUS, SIG_IGN);
	block(SIGBUS, 0);
}

static char inherits[] = "test `grep -cE '^Sig(Ign|Blk):.*[4-7c-f].$' /proc/self/status` = 2";

START_TEST(a_program_inherits_what_is_the_programs)
{
	char sh[] = "sh", c[] = "-c";
	char *args[] = { sh, c, inherits, NULL };

	prepare();
	const pid_t child = make_child();

	if (child == 0) {
		if (_i == 0)
			start("/bin/sh", args, environ);
		else
			start_vp("sh", args);
		_exit(99);
	}
	ck_assert_int_eq(status_of(child), 0);
	ck_assert_int_eq(program_seen.ends, 0);
}
END_TEST

START_TEST(so_does_a_child_that_libc_makes)
{
	char sh[] = "sh", c[] = "-c";
	char *args[] = { sh, c, inherits, NULL };
	pid_t child;

	prepare();
	ck_assert_int_eq(posix_spawn(&child, "/bin/sh", NULL, NULL, args, environ), 0);
	ck_assert_int_eq(status_of(child), 0);
	ck_assert_int_eq(posix_spawnp(&child, "sh", NULL, NULL, args, environ), 0);
	ck_assert_int_eq(status_of(child), 0);
	ck_assert_int_eq(WEXITSTATUS(system(inherits)), 0);
	ck_assert_int_eq(WEXITSTATUS(system("exit 3")), 3);
	FILE *f = popen(inherits, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(WEXITSTATUS(pclose(f)), 0);
	ck_assert(blocks(SIGBUS) && !program_kernel_blocks(SIGBUS));
	ck_assert(!program_kernel_ignores(SIGBUS));
	ck_assert_int_eq(program_seen.ends, 0);
	/* Counters whose signal was ignored meanwhile are armed again. */
	ck_assert_int_eq(program_seen.exec_failures, 5);
}
END_TEST

/* One thread's child is made while another's is: what is ignored stays so for both, and
   a child that is forked meanwhile is sampled again. */
START_TEST(children_made_at_once)
{
	struct starts one, other;

	program_fixture_take(PROGRAM_QUEUED);
	signal(SIGBUS, SIG_IGN);
	starts_spawn_begin(&one);
	starts_spawn_begin(&other);
	ck_assert(program_kernel_ignores(SIGBUS));
	starts_spawn_end(&one);
	ck_assert(program_kernel_ignores(SIGBUS));
	const pid_t child = make_child();

	if (child == 0)
		exit(program_kernel_ignores(SIGBUS));
	ck_assert_int_eq(status_of(child), 0);
	starts_spawn_end(&other);
	ck_assert(!program_kernel_ignores(SIGBUS));
	/* What the program wants by then. */
	starts_spawn_begin(&one);
	signal(SIGBUS, nothing);
	starts_spawn_end(&one);
	ck_assert(!program_kernel_ignores(SIGBUS));
	ck_assert_int_eq(raise(SIGBUS), 0);
}
END_TEST

/* ---- children that share the memory ------------------------------------------ */

static int in_child(void *arg)
{
	struct sigaction now;
	sigset_t set;
	int wrong = 0;

	(void)arg;
	wrong += sigaction(SIGBUS, NULL, &now) != 0 || now.sa_handler != nothing;
	wrong += signal(SIGBUS, SIG_IGN) == SIG_ERR;
	wrong += sigaction(SIGBUS, NULL, &now) != 0 || now.sa_handler != SIG_IGN;
	wrong += !blocks(SIGBUS) || program_is_ours();
	sigfillset(&set);
	wrong += sigprocmask(SIG_UNBLOCK, &set, NULL) != 0 || blocks(SIGBUS);
	wrong += start_v(no_file, no_args) != -1;
	_exit(wrong);
}

START_TEST(what_a_child_does_in_our_memory_is_its_own)
{
	static char stack[1 << 16] __attribute__((aligned(16)));
	struct sigaction now;

	program_fixture_take(PROGRAM_QUEUED);
	signal(SIGBUS, nothing);
	block(SIGBUS, 0);
	const pid_t child =
		clone(in_child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	ck_assert_int_eq(status_of(child), 0);
	ck_assert_int_eq(sigaction(SIGBUS, NULL, &now), 0);
	ck_assert(now.sa_handler == nothing);
	ck_assert(blocks(SIGBUS) && !program_kernel_blocks(SIGBUS) && program_is_ours());
	ck_assert_int_eq(program_seen.ends, 0);
	ck_assert_int_eq(program_seen.exec_failures, 0);
}
END_TEST

START_TEST(a_forked_child_is_ours)
{
	program_fixture_take(PROGRAM_QUEUED);
	const pid_t child = make_child();

	if (child == 0)
		exit(program_is_ours() && program_seen.forks == 1 ? 0 : 1);
	ck_assert_int_eq(status_of(child), 0);
	ck_assert_int_eq(program_seen.forks, 0);
}
END_TEST

static void *nothing_in_thread(void *arg)
{
	return arg;
}

static int nothing_in_c11(void *arg)
{
	return arg == NULL ? 5 : 6;
}

/* What a child does that libc did not make goes to libc, and no hook hears of it. */
static int of_no_process(void)
{
	char path[] = "/bin/sh", c[] = "-c", seven[] = "exit 7";
	char *args[] = { path, c, seven, NULL };
	const struct timespec now = { 0, 0 };
	int wrong = program_is_ours(), result = 0, status = 0;
	pthread_t t;
	thrd_t c11;
	pid_t child;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	wrong += pthread_create(&t, NULL, nothing_in_thread, NULL) != 0;
	pthread_join(t, NULL);
	wrong += thrd_create(&c11, nothing_in_c11, NULL) != thrd_success;
	thrd_join(c11, &result);
	wrong += result != 5;
	wrong += posix_spawn(&child, path, NULL, NULL, args, environ) != 0 ||
		 waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7;
	wrong += start_v(no_file, no_args) != -1 || errno != ENOENT;
	wrong += sigtimedwait(&set, NULL, &now) != -1 || errno != EAGAIN;
	wrong += signal(SIGBUS, SIG_IGN) == SIG_ERR || !program_kernel_ignores(SIGBUS);
	wrong += program_seen.threads != 0 || program_seen.ends != 0 ||
		 program_seen.exec_failures != 0;
	return wrong;
}

START_TEST(a_child_made_behind_libcs_back_is_nobodys)
{
	program_fixture_take(PROGRAM_QUEUED);
	const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (child == 0) {
		const int wrong = of_no_process();

		program_count_lines();
		_exit(wrong);
	}
	ck_assert_int_eq(status_of(child), 0);
	ck_assert(program_is_ours() && !program_kernel_ignores(SIGBUS));
}
END_TEST

/* ---- the end, and the rest --------------------------------------------------- */

static int told[2];

static void report_end(void)
{
	const char c = (char)('0' + program_seen.ends);

	if (write(told[1], &c, 1) != 1)
		abort();
}

START_TEST(ends_at_once_are_told)
{
	char c = 0;

	ck_assert_int_eq(pipe(told), 0);
	program_fixture_take(PROGRAM_QUEUED);
	const pid_t child = make_child();

	if (child == 0) {
		if (_i == 2) {
			at_quick_exit(report_end);
			quick_exit(12);
		}
		if (_i == 0)
			_exit(10);
		_Exit(11);
	}
	ck_assert_int_eq(status_of(child), 10 + _i);
	/* Ours runs after the program's own. */
	close(told[1]);
	ck_assert_int_eq(read(told[0], &c, 1), _i == 2);
	ck_assert_int_eq(c, _i == 2 ? '0' : 0);
}
END_TEST

START_TEST(a_line_does_not_kill)
{
	int ends[2];

	program_fixture_take(PROGRAM_QUEUED);
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	const int kept = dup(STDERR_FILENO);

	ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	errno = ENOTTY;
	program_say("nobody reads\n", 13);
	ck_assert_int_eq(errno, ENOTTY);
	ck_assert_int_eq(dup2(kept, STDERR_FILENO), STDERR_FILENO);
	ck_assert(!blocks(SIGPIPE));
	program_say("", 0);
}
END_TEST

START_TEST(sending_names_a_number)
{
	const int signo = program_fixture_take(PROGRAM_QUEUED);

	signal(SIGUSR1, nothing);
	switch (_i) {
	case 0:
		ck_assert_int_eq(kill(getpid(), 0), 0);
		ck_assert_int_eq(program_seen.renumbers, 0);
		signal(signo, SIG_IGN);
		ck_assert_int_eq(kill(getpid(), signo), 0);
		break;
	case 1:
		ck_assert_int_eq(setpgid(0, 0), 0);
		block(SIGUSR1, 0);
		ck_assert_int_eq(killpg(getpgrp(), SIGUSR1), 0);
		ck_assert_int_eq(program_seen.renumbers, 0);
		block(signo, 0);
		ck_assert_int_eq(killpg(getpgrp(), signo), 0);
		break;
	case 2:
		block(signo, 0);
		ck_assert_int_eq(raise(signo), 0);
		break;
	case 3:
		block(signo, 0);
		ck_assert_int_eq(sigqueue(getpid(), signo, (union sigval){ .sival_int = 1 }), 0);
		break;
	case 4:
		block(signo, 0);
		ck_assert_int_eq(pthread_kill(pthread_self(), signo), 0);
		break;
	default:
		block(signo, 0);
		ck_assert_int_eq(pthread_sigqueue(pthread_self(), signo,
						  (union sigval){ .sival_int = 1 }),
				 0);
	}
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_int_ne(program_seen.number, signo);
	ck_assert_int_eq(program_seen.samples, 0);
}
END_TEST

int omp_control_tool(int command, int modifier, void *arg);
int omp_control_tool_(const int *command, const int *modifier, void *arg);

START_TEST(other_hooks)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int command = 2, modifier = 0;

	program_fixture_take(PROGRAM_QUEUED);
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_int_eq(mprotect(p, page, PROT_READ), 0);
	ck_assert_int_eq(munmap(p, page), 0);
	ck_assert_int_eq(mprotect(p, page, PROT_READ), -1);
	void *handle = dlopen("libm.so.6", RTLD_NOW);
	ck_assert_ptr_nonnull(handle);
	ck_assert_int_eq(dlclose(handle), 0);
	ck_assert_int_eq(program_seen.unloads, 1);
	ck_assert_int_eq(program_seen.preloads, 1);
	ck_assert_int_eq(omp_control_tool(1, 0, NULL), 101);
	ck_assert_int_eq(omp_control_tool_(&command, &modifier, NULL), 102);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("program starts");
	TCase *c = tcase_create("starts");

	tcase_set_timeout(c, 60);
	tcase_add_test(c, threads_begin_with_their_creators_mask);
	tcase_add_test(c, a_thread_that_cannot_be_made);
	tcase_add_loop_test(c, after_an_exec_that_fails_all_is_as_before, 0, 10);
	tcase_add_loop_test(c, a_program_inherits_what_is_the_programs, 0, 2);
	tcase_add_test(c, so_does_a_child_that_libc_makes);
	tcase_add_test(c, children_made_at_once);
	tcase_add_test(c, what_a_child_does_in_our_memory_is_its_own);
	tcase_add_test(c, a_forked_child_is_ours);
	tcase_add_test(c, a_child_made_behind_libcs_back_is_nobodys);
	tcase_add_loop_test(c, ends_at_once_are_told, 0, 3);
	tcase_add_test(c, a_line_does_not_kill);
	tcase_add_loop_test(c, sending_names_a_number, 0, 6);
	tcase_add_test(c, other_hooks);
	suite_add_tcase(suite, c);

	return suite_main(suite);
}
