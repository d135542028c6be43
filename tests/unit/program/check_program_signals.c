/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_program_signals.c - dispositions shared by the program and the tool, the delivery
 * of signals, and signal numbers that the program uses.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The functions are there for old programs, which are built no more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/witness.h"
#include "tests/support/program_fixture.h"
#include "tests/support/suite_main.h"

enum { QUEUED = PROGRAM_QUEUED, BOTH = PROGRAM_QUEUED | PROGRAM_STAND_IN };

/* The number that counters take first. */
#define FIRST (SIGRTMIN + 10)

static volatile int handled, last_signo, last_code, last_value;

static void on_signal(int signo)
{
	handled++;
	last_signo = signo;
}

static void on_info(int signo, siginfo_t *info, void *ucontext)
{
	ck_assert_ptr_nonnull(ucontext);
	on_signal(signo);
	last_code = info->si_code;
	last_value = info->si_value.sival_int;
}

static void handle(int signo, int flags)
{
	struct sigaction act = { .sa_flags = flags };

	if ((flags & SA_SIGINFO) != 0)
		act.sa_sigaction = on_info;
	else
		act.sa_handler = on_signal;
	ck_assert_int_eq(sigaction(signo, &act, NULL), 0);
}

static struct sigaction now(int signo)
{
	struct sigaction act;

	ck_assert_int_eq(sigaction(signo, NULL, &act), 0);
	return act;
}

/* Runs in a child, whose end by a signal is what is asked. */
static int ended_by(void (*function)(int), int arg)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		function(arg);
		program_count_lines();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* ---- who gets what ----------------------------------------------------------- */

START_TEST(a_counters_signal_is_a_sample)
{
	const int signo = program_fixture_take(BOTH);

	ck_assert_int_eq(signo, FIRST);
	errno = 4711;
	program_counter_sends(signo);
	program_counter_sends(SIGIO);
	ck_assert_int_eq(program_seen.samples, 2);
	ck_assert_int_eq(errno, 4711);
	ck_assert_int_eq(program_seen.renumbers, 0);
}
END_TEST

START_TEST(what_the_program_sends_goes_to_its_handler)
{
	program_fixture_take(BOTH);
	handle(SIGIO, SA_SIGINFO);
	program_other_sends(SIGIO, SI_QUEUE, 42);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(last_code, SI_QUEUE);
	ck_assert_int_eq(last_value, 42);
	ck_assert_ptr_eq(now(SIGIO).sa_sigaction, on_info);
	program_counter_sends(SIGIO);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(program_seen.samples, 1);
}
END_TEST

/* One with a poll's code whose descriptor nobody knows does not kill. */
START_TEST(a_stale_signal_does_not_kill)
{
	const int signo = program_fixture_take(BOTH);

	program_other_sends(signo, POLL_IN, 1);
	program_other_sends(signo, POLL_HUP, 1);
	program_other_sends(SIGIO, SI_KERNEL, 0);
	ck_assert_int_eq(program_seen.samples, 0);
	ck_assert_int_eq(program_seen.renumbers, 0);
	signal(SIGIO, SIG_IGN);
	program_other_sends(SIGIO, SI_QUEUE, 0);
	ck_assert_int_eq(handled, 0);
}
END_TEST

static void send_plain(int signo)
{
	program_count_lines();
	program_other_sends(signo, SI_QUEUE, 1);
}

START_TEST(by_default_the_programs_signal_kills)
{
	const int signo = program_fixture_take(BOTH);

	ck_assert_int_eq(ended_by(send_plain, signo), signo);
	ck_assert_int_eq(ended_by(send_plain, SIGIO), SIGIO);
	ck_assert_int_eq(program_seen.forks, 0);
}
END_TEST

static void after_sample(void)
{
	program_other_sends(SIGIO, SI_QUEUE, 7);
	ck_assert_int_eq(handled, 0);
}

START_TEST(in_the_middle_of_a_sample_the_program_waits)
{
	const int signo = program_fixture_take(BOTH);

	handle(SIGIO, SA_SIGINFO);
	program_seen.in_sample = after_sample;
	program_counter_sends(signo);
	ck_assert_int_eq(program_seen.samples, 1);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(last_value, 7);
}
END_TEST

/* ---- flags ------------------------------------------------------------------- */

START_TEST(a_handler_is_reset_once)
{
	program_fixture_take(BOTH);
	handle(SIGIO, (int)SA_RESETHAND);
	program_other_sends(SIGIO, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 1);
	ck_assert_ptr_eq(now(SIGIO).sa_handler, SIG_DFL);
	program_counter_sends(SIGIO);
	ck_assert_int_eq(program_seen.samples, 1);
}
END_TEST

static volatile bool own_blocked, other_blocked, bus_blocked;

static void look_at_mask(int signo)
{
	own_blocked = program_kernel_blocks(signo);
	other_blocked = program_kernel_blocks(SIGUSR1);
	bus_blocked = program_kernel_blocks(SIGBUS);
}

START_TEST(a_handler_runs_with_its_mask)
{
	struct sigaction act = { .sa_handler = look_at_mask };

	program_fixture_take(BOTH);
	sigemptyset(&act.sa_mask);
	sigaddset(&act.sa_mask, SIGUSR1);
	sigaddset(&act.sa_mask, SIGBUS);
	ck_assert_int_eq(sigaction(SIGIO, &act, NULL), 0);
	program_other_sends(SIGIO, SI_QUEUE, 1);
	ck_assert(own_blocked && other_blocked && !bus_blocked);
	act.sa_flags = SA_NODEFER;
	sigemptyset(&act.sa_mask);
	ck_assert_int_eq(sigaction(SIGIO, &act, NULL), 0);
	program_other_sends(SIGIO, SI_QUEUE, 1);
	ck_assert(!own_blocked && !other_blocked);
	ck_assert(!program_kernel_blocks(SIGIO));
}
END_TEST

static int pipe_ends[2];

static void *interrupt_reader(void *thread)
{
	usleep(50000);
	pthread_kill(*(pthread_t *)thread, SIGIO);
	usleep(50000);
	ck_assert_int_eq(write(pipe_ends[1], "x", 1), 1);
	return NULL;
}

/* A handler without SA_RESTART breaks a call; with it the call goes on. */
START_TEST(a_handler_breaks_a_call_if_it_asks_to)
{
	pthread_t self = pthread_self(), other;
	char byte;

	program_fixture_take(BOTH);
	ck_assert_int_eq(pipe(pipe_ends), 0);
	handle(SIGIO, _i == 0 ? 0 : SA_RESTART);
	ck_assert_int_eq(pthread_create(&other, NULL, interrupt_reader, &self), 0);
	const ssize_t n = read(pipe_ends[0], &byte, 1);
	const int err = errno;

	pthread_join(other, NULL);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(n, _i == 0 ? -1 : 1);
	ck_assert(_i != 0 || err == EINTR);
}
END_TEST

/* ---- the other names of sigaction() ------------------------------------------ */

__sighandler_t __sysv_signal(int signo, __sighandler_t handler);

START_TEST(signal_and_its_kin)
{
	program_fixture_take(BOTH);
	ck_assert_ptr_eq(signal(SIGIO, on_signal), SIG_DFL);
	ck_assert_int_ne(now(SIGIO).sa_flags & SA_RESTART, 0);
	ck_assert_int_eq(siginterrupt(SIGIO, 1), 0);
	ck_assert_int_eq(now(SIGIO).sa_flags & SA_RESTART, 0);
	ck_assert_int_eq(siginterrupt(SIGIO, 0), 0);
	ck_assert_int_ne(now(SIGIO).sa_flags & SA_RESTART, 0);
	ck_assert_ptr_eq(__sysv_signal(SIGIO, SIG_IGN), on_signal);
	ck_assert_int_ne(now(SIGIO).sa_flags & (int)SA_RESETHAND, 0);
	ck_assert_ptr_eq(signal(SIGIO, SIG_DFL), SIG_IGN);
	/* Not shared: libc's own. */
	ck_assert_ptr_eq(signal(SIGUSR1, on_signal), SIG_DFL);
	ck_assert_int_eq(siginterrupt(SIGUSR1, 1), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(sigaction(4711, NULL, NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

static void system_v(int signo)
{
	ck_assert_ptr_eq(sigset(signo, on_signal), SIG_DFL);
	ck_assert_int_eq(sighold(signo), 0);
	program_other_sends(signo, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 0);
	ck_assert_ptr_eq(sigset(signo, SIG_HOLD), SIG_HOLD);
	ck_assert_int_eq(sigrelse(signo), 0);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(sigignore(signo), 0);
	ck_assert_ptr_eq(now(signo).sa_handler, SIG_IGN);
	ck_assert_ptr_eq(sigset(signo, SIG_HOLD), SIG_IGN);
	ck_assert_ptr_eq(sigset(signo, SIG_IGN), SIG_HOLD);
	ck_assert_ptr_eq(sigset(signo, SIG_DFL), SIG_IGN);
}

START_TEST(system_vs_functions)
{
	const int signos[] = { SIGIO, SIGUSR1, SIGTRAP };

	program_fixture_take(BOTH | PROGRAM_TRAP);
	system_v(signos[_i]);
}
END_TEST

static void other_on_signal(int signo)
{
	(void)signo;
}

/* Of a shared number as of one that is libc's own. */
START_TEST(what_libc_says_of_signal)
{
	const int signos[] = { SIGIO, SIGUSR1, SIGTRAP };
	const int signo = signos[_i];

	program_fixture_take(BOTH | PROGRAM_TRAP);
	errno = 0;
	ck_assert(signal(signo, SIG_ERR) == SIG_ERR);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_eq(now(signo).sa_handler, SIG_DFL);
	/* What siginterrupt() said holds for handlers to come. */
	ck_assert_int_eq(siginterrupt(signo, 1), 0);
	ck_assert_ptr_eq(signal(signo, on_signal), SIG_DFL);
	ck_assert_int_eq(now(signo).sa_flags & SA_RESTART, 0);
	ck_assert_int_eq(siginterrupt(signo, 0), 0);
	ck_assert_int_ne(now(signo).sa_flags & SA_RESTART, 0);
	ck_assert_ptr_eq(signal(signo, other_on_signal), on_signal);
	ck_assert_int_ne(now(signo).sa_flags & SA_RESTART, 0);
}
END_TEST

/* ---- many at once ------------------------------------------------------------ */

static volatile bool over;

static void *change(void *unused)
{
	struct sigaction one = { .sa_handler = on_signal, .sa_flags = SA_NODEFER };
	struct sigaction two = { .sa_handler = other_on_signal, .sa_flags = SA_RESTART };

	(void)unused;
	memset(&one.sa_mask, 0x11, sizeof(one.sa_mask));
	memset(&two.sa_mask, 0x22, sizeof(two.sa_mask));
	while (!over) {
		sigaction(SIGIO, &one, NULL);
		sigaction(SIGIO, &two, NULL);
	}
	return NULL;
}

static bool is_whole(const struct sigaction *act)
{
	const unsigned char *mask = (const unsigned char *)&act->sa_mask;
	const unsigned char byte = act->sa_handler == on_signal ? 0x11 : 0x22;

	return act->sa_handler == SIG_DFL ||
	       (act->sa_flags == (byte == 0x11 ? SA_NODEFER : SA_RESTART) && mask[3] == byte &&
		mask[7] == byte);
}

/* A reader never sees one's handler with another's flags or mask. */
START_TEST(a_disposition_is_whole)
{
	pthread_t threads[2];
	struct sigaction act;

	program_fixture_take(BOTH);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, change, NULL), 0);
	for (int n = 0; n < 20000; n++) {
		act = now(SIGIO);
		ck_assert(is_whole(&act));
	}
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* By two threads that stay in the parent, at instants that nobody chose: what one has
   half written is whole in the child, which can read and write it. */
static void read_and_write(int unused)
{
	struct sigaction act = { .sa_handler = SIG_IGN }, was;

	(void)unused;
	alarm(10);
	was = now(SIGIO);
	if (!is_whole(&was))
		abort();
	for (int n = 0; n < 2; n++) {
		sigaction(SIGIO, &act, NULL);
		if (now(SIGIO).sa_handler != SIG_IGN)
			abort();
	}
	alarm(0);
}

START_TEST(a_disposition_is_whole_in_a_forks_child)
{
	pthread_t threads[2];

	program_fixture_take(BOTH);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, change, NULL), 0);
	for (int n = 0; n < 1000; n++)
		ck_assert_int_eq(ended_by(read_and_write, 0), 0);
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* ---- numbers ----------------------------------------------------------------- */

static void name_by_handler(int signo)
{
	handle(signo, 0);
	program_other_sends(signo, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 1);
}

static void name_by_mask(int signo)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	ck_assert(program_kernel_blocks(signo));
}

static void ignore_behind(int signo)
{
	struct sigaction act = { .sa_handler = SIG_IGN };

	shared_dispose(shared_slot(signo), &act, NULL);
}

static void name_by_send(int signo)
{
	ignore_behind(signo);
	ck_assert_int_eq(raise(0), 0);
	ck_assert_int_eq(program_seen.renumbers, 0);
	ck_assert_int_eq(raise(signo), 0);
}

static void name_by_wait(int signo)
{
	const struct timespec none = { 0, 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	ck_assert_int_eq(sigtimedwait(&set, NULL, &none), -1);
	ck_assert_int_eq(errno, EAGAIN);
}

static void name_by_arrival(int signo)
{
	ignore_behind(signo);
	program_other_sends(signo, SI_QUEUE, 1);
}

/* What the program names counters leave, for a number that is free. */
START_TEST(a_named_number_is_left)
{
	static void (*const ways[])(int) = {
		name_by_handler, name_by_mask, name_by_send, name_by_wait, name_by_arrival,
	};
	const int signo = program_fixture_take(BOTH);

	ways[_i](signo);
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_int_ne(program_seen.number, signo);
	ck_assert_int_ge(program_seen.number, SIGRTMIN);
	ck_assert_int_le(program_seen.number, SIGRTMAX);
	ck_assert_ptr_eq(now(program_seen.number).sa_handler, SIG_DFL);
	ck_assert(shared_left() == mask_bit(signo) &&
		  (witness_now()->group & mask_bit(signo)) == 0);
	program_counter_sends(program_seen.number);
	ck_assert_int_eq(program_seen.samples, 1);
}
END_TEST

/* The spare that is named is left as well, and nothing need be renumbered. */
START_TEST(a_named_spare_is_left)
{
	const int signo = program_fixture_take(QUEUED), spare = signo + 1;

	ck_assert_int_ne(shared_slot(spare), SHARED_NONE);
	handle(spare, 0);
	ck_assert_int_eq(program_seen.renumbers, 0);
	handle(signo, 0);
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_int_gt(program_seen.number, spare);
}
END_TEST

START_TEST(numbers_in_use_are_not_taken)
{
	handle(FIRST, 0);
	signal(FIRST + 1, SIG_IGN);
	ck_assert_int_eq(program_fixture_take(QUEUED), FIRST + 2);
	ck_assert(program_signal_is_used(FIRST));
	ck_assert(program_signal_is_used(FIRST + 1));
	ck_assert(!program_signal_is_used(SIGUSR1));
}
END_TEST

START_TEST(without_a_free_number_nothing_is_taken)
{
	for (int signo = SIGRTMIN; signo <= SIGRTMAX; signo++)
		handle(signo, 0);
	ck_assert_int_eq(program_take(), 0);
	ck_assert_int_eq(program_signals_take(BOTH), -EBUSY);
	ck_assert_int_eq(program_signals_take(PROGRAM_TRAP), 0);
	ck_assert_int_ne(shared_slot(SIGTRAP), SHARED_NONE);
	/* And there is nowhere to go from SIGTRAP. */
	handle(SIGTRAP, 0);
	ck_assert_int_eq(program_seen.renumbers, 0);
}
END_TEST

/* One is free later, by a handler that was reset, though none was for a spare. */
START_TEST(a_number_that_became_free_is_gone_to)
{
	const int signo = SIGRTMAX - 2, later = SIGRTMIN + 3;

	for (int other = SIGRTMIN; other <= SIGRTMAX; other++)
		if (other != signo)
			handle(other, other == later ? (int)SA_RESETHAND : 0);
	ck_assert_int_eq(program_fixture_take(QUEUED), signo);
	program_other_sends(later, SI_QUEUE, 1);
	handle(signo, 0);
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_int_eq(program_seen.number, later);
	program_counter_sends(later);
	ck_assert_int_eq(program_seen.samples, 1);
}
END_TEST

/* None is free to go to: they share the one there is. */
START_TEST(without_another_number_it_is_shared)
{
	const int signo = SIGRTMAX - 2;

	for (int other = SIGRTMIN; other <= SIGRTMAX; other++)
		if (other != signo)
			handle(other, 0);
	ck_assert_int_eq(program_fixture_take(QUEUED), signo);
	handle(signo, 0);
	ck_assert_int_eq(program_seen.renumbers, 0);
	program_counter_sends(signo);
	program_other_sends(signo, SI_QUEUE, 1);
	ck_assert_int_eq(program_seen.samples, 1);
	ck_assert_int_eq(handled, 1);
}
END_TEST

START_TEST(numbers_come_to_an_end)
{
	int left = 0, signo = program_fixture_take(BOTH);

	/* The program goes after each in turn: slots are few, and nothing breaks. */
	for (int i = 0; i < 20; i++) {
		const int before = program_seen.renumbers;

		handle(signo, 0);
		if (program_seen.renumbers == before)
			break;
		signo = program_seen.number;
		left++;
	}
	ck_assert_int_ge(left, 3);
	ck_assert_int_le(left, SHARED_SLOTS);
	program_counter_sends(signo);
	ck_assert_int_eq(program_seen.samples, 1);
	handled = 0;
	program_other_sends(signo, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 1);
}
END_TEST

START_TEST(sigtrap_is_left_to_the_program)
{
	const int signo = program_fixture_take(PROGRAM_TRAP | PROGRAM_IN_WAITS * (unsigned)_i);

	program_counter_sends(SIGTRAP);
	ck_assert_int_eq(program_seen.samples, 1);
	handle(SIGTRAP, SA_SIGINFO);
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_int_ne(program_seen.number, 0);
	ck_assert_int_eq(signo, program_seen.number);
	program_other_sends(SIGTRAP, SI_QUEUE, 3);
	ck_assert_int_eq(handled, 1);
	program_counter_sends(program_seen.number);
	ck_assert_int_eq(program_seen.samples, 2);
}
END_TEST

/* ---- faults ------------------------------------------------------------------ */

static char *beyond_the_end(void)
{
	FILE *f = tmpfile();

	ck_assert_ptr_nonnull(f);
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f), 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

static sigjmp_buf back;

static void jump_back(int signo)
{
	handled++;
	last_signo = signo;
	siglongjmp(back, 1);
}

static void touch(int unused)
{
	(void)unused;
	program_count_lines();
	*(volatile char *)beyond_the_end() = 1;
}

START_TEST(a_fault_of_the_programs_is_its_own)
{
	struct sigaction act = { .sa_handler = jump_back };

	program_fixture_take(BOTH);
	ck_assert_int_eq(ended_by(touch, 0), SIGBUS);
	ck_assert_int_eq(sigaction(SIGBUS, &act, NULL), 0);
	if (sigsetjmp(back, 1) == 0)
		touch(0);
	ck_assert_int_eq(handled, 1);
	ck_assert_int_eq(last_signo, SIGBUS);
	ck_assert_int_ge(program_seen.faults, 1);
	/* One that is sent is none, and the hook is not asked. */
	const int before = program_seen.faults;

	if (sigsetjmp(back, 1) == 0)
		program_other_sends(SIGBUS, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 2);
	ck_assert_int_eq(program_seen.faults, before);
}
END_TEST

START_TEST(a_fault_of_ours_is_not_the_programs)
{
	handle(SIGBUS, 0);
	program_fixture_take(BOTH);
	program_seen.fault_is_own = true;
	program_other_sends(SIGBUS, BUS_ADRERR, 0);
	ck_assert_int_eq(program_seen.faults, 1);
	ck_assert_int_eq(handled, 0);
}
END_TEST

static void fault_when(int how)
{
	if (how == 1)
		signal(SIGBUS, SIG_IGN);
	if (how == 2) {
		sigset_t set;

		handle(SIGBUS, 0);
		sigemptyset(&set);
		sigaddset(&set, SIGBUS);
		sigprocmask(SIG_BLOCK, &set, NULL);
	}
	touch(0);
}

/* Ignored or blocked, a fault kills. */
START_TEST(a_fault_cannot_be_put_off)
{
	program_fixture_take(BOTH);
	ck_assert_int_eq(ended_by(fault_when, _i), SIGBUS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("program signals");
	TCase *c = tcase_create("deliver");

	tcase_set_timeout(c, 60);
	tcase_add_test(c, a_counters_signal_is_a_sample);
	tcase_add_test(c, what_the_program_sends_goes_to_its_handler);
	tcase_add_test(c, a_stale_signal_does_not_kill);
	tcase_add_test(c, by_default_the_programs_signal_kills);
	tcase_add_test(c, in_the_middle_of_a_sample_the_program_waits);
	tcase_add_test(c, a_handler_is_reset_once);
	tcase_add_test(c, a_handler_runs_with_its_mask);
	tcase_add_loop_test(c, a_handler_breaks_a_call_if_it_asks_to, 0, 2);
	tcase_add_test(c, signal_and_its_kin);
	tcase_add_loop_test(c, system_vs_functions, 0, 3);
	tcase_add_loop_test(c, what_libc_says_of_signal, 0, 3);
	tcase_add_test(c, a_disposition_is_whole);
	tcase_add_test(c, a_disposition_is_whole_in_a_forks_child);
	suite_add_tcase(suite, c);

	c = tcase_create("numbers");
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, a_named_number_is_left, 0, 5);
	tcase_add_test(c, a_named_spare_is_left);
	tcase_add_test(c, numbers_in_use_are_not_taken);
	tcase_add_test(c, without_a_free_number_nothing_is_taken);
	tcase_add_test(c, a_number_that_became_free_is_gone_to);
	tcase_add_test(c, without_another_number_it_is_shared);
	tcase_add_test(c, numbers_come_to_an_end);
	tcase_add_loop_test(c, sigtrap_is_left_to_the_program, 0, 2);
	suite_add_tcase(suite, c);

	c = tcase_create("faults");
	tcase_set_timeout(c, 60);
	tcase_add_test(c, a_fault_of_the_programs_is_its_own);
	tcase_add_test(c, a_fault_of_ours_is_not_the_programs);
	tcase_add_loop_test(c, a_fault_cannot_be_put_off, 0, 3);
	suite_add_tcase(suite, c);

	return suite_main(suite);
}
