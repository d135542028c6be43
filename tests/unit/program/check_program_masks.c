/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_program_masks.c - the program's signal masks and waits, the masks of calls that
 * sleep, and alternate stacks.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/witness.h"
#include "src/profile/clock.h"
#include "tests/support/program_fixture.h"
#include "tests/support/suite_main.h"

enum {
	BOTH = PROGRAM_QUEUED | PROGRAM_STAND_IN,
	ASLEEP = BOTH | PROGRAM_IN_WAITS,
	LITTLE_NS = 20 * 1000 * 1000,
};

static volatile int handled;

static void on_signal(int signo)
{
	(void)signo;
	handled++;
}

static sigset_t only(int signo)
{
	sigset_t set;

	sigemptyset(&set);
	if (signo != 0)
		sigaddset(&set, signo);
	return set;
}

static bool blocked(int signo)
{
	sigset_t set;

	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
	return sigismember(&set, signo) == 1;
}

/* ---- masks ------------------------------------------------------------------- */

/* The program sees what it blocked, and samples come all the same. */
START_TEST(who_blocks_all_is_sampled)
{
	const int signo = program_fixture_take(BOTH);
	sigset_t all, before;

	sigfillset(&all);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, &all, &before), 0);
	ck_assert_int_eq(sigismember(&before, signo), 0);
	ck_assert(blocked(signo) && blocked(SIGUSR1));
	ck_assert(!program_kernel_blocks(signo) && program_kernel_blocks(SIGUSR1));
	program_counter_sends(signo);
	ck_assert_int_eq(program_seen.samples, 1);
	ck_assert_int_eq(program_seen.renumbers, 0);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	ck_assert(!blocked(signo));
	ck_assert_int_eq(sigprocmask(4711, &all, NULL), -1);
	ck_assert(!blocked(signo) && !blocked(SIGUSR1));
}
END_TEST

/* SIGTRAP with all signals blocked, sent by somebody, pends until it is unblocked; the
   counters go elsewhere meanwhile. */
START_TEST(what_is_blocked_is_held)
{
	sigset_t all, before, pending;

	program_fixture_take(PROGRAM_TRAP);
	sigfillset(&all);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, &all, &before), 0);
	program_other_sends(SIGTRAP, SI_QUEUE, 1);
	ck_assert_int_eq(sigpending(&pending), 0);
	ck_assert_int_eq(sigismember(&pending, SIGTRAP), 1);
	ck_assert_int_eq(program_seen.renumbers, 1);
	struct sigaction act = { .sa_handler = on_signal };

	ck_assert_int_eq(sigaction(SIGTRAP, &act, NULL), 0);
	ck_assert_int_eq(handled, 0);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	ck_assert_int_eq(handled, 1);
	ck_assert(!program_kernel_blocks(SIGTRAP));
}
END_TEST

/* With no number to go to, and none for a witness, the kernel blocks what the program does:
   samples wait. */
START_TEST(without_free_numbers_masks_are_literal)
{
	const int signo = SIGRTMAX - 2;
	const struct timespec none = { 0, 0 };
	sigset_t set = only(signo);

	for (int other = SIGRTMIN; other <= SIGRTMAX; other++)
		if (other != signo)
			signal(other, on_signal);
	ck_assert_int_eq(program_fixture_take(BOTH), signo);
	signal(signo, on_signal);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	ck_assert(program_kernel_blocks(signo) && blocked(signo) && !blocked(SIGRTMIN));
	program_other_sends(signo, SI_QUEUE, 1);
	program_counter_sends(signo);
	ck_assert_int_eq(handled, 0);
	ck_assert_int_eq(program_seen.samples, 0);
	if (_i == 0)
		ck_assert_int_eq(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	else
		ck_assert_int_eq(sigtimedwait(&set, NULL, &none), signo);
	ck_assert_int_eq(handled, _i == 0);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	ck_assert(!program_kernel_blocks(signo));
	ck_assert_int_eq(program_seen.samples, 1);
}
END_TEST

/* ---- the encoding ------------------------------------------------------------ */

static uint64_t numbers(void)
{
	return witness_now()->group;
}

/* Masks as programs make them: few signals, all but few, with and without those of ours. */
static uint64_t some_mask(unsigned n)
{
	uint64_t bits = 0;

	srand(n);
	for (int i = 0; i < 4; i++)
		bits |= mask_bit(1 + rand() % 64);
	if (n % 3 == 0)
		bits |= mask_bit(SIGBUS);
	if (n % 5 == 0)
		bits |= mask_bit(SIGTRAP);
	bits &= ~numbers();
	return n % 2 == 0 ? bits : ~bits;
}

/* Each mask is read as it was made, and leaves what is open unblocked; masks are joined and
   taken apart as the kernel does it. */
START_TEST(a_mask_is_what_it_was)
{
	program_fixture_take(PROGRAM_TRAP | BOTH);
	const uint64_t counters = witness_now()->open | mask_bit(shared_signo(0));

	for (unsigned n = 0; n < 2000; n++) {
		const uint64_t one = some_mask(n), two = some_mask(n + 7);
		const uint64_t kernel = witness_encode(one);

		ck_assert_uint_eq(witness_decode(kernel), one);
		ck_assert_uint_eq(kernel & counters, 0);
		ck_assert_uint_eq(witness_encode(two) | kernel, witness_encode(one | two));
		ck_assert_uint_eq(kernel & ~witness_unblock(two), witness_encode(one & ~two));
		/* Made without us: by numbers that stand for themselves. */
		ck_assert_uint_eq(witness_decode(one), one);
		ck_assert_uint_eq(witness_decode(witness_literal(one, true)), one);
		ck_assert_uint_eq(witness_decode(kernel | ~UINT64_C(0)), ~UINT64_C(0));
	}
}
END_TEST

/* A mask with some of the numbers that are ours is literal. */
START_TEST(a_mask_of_some_is_literal)
{
	const int signo = program_fixture_take(BOTH);

	for (int i = 0; i < 64; i++) {
		const uint64_t bit = UINT64_C(1) << i;

		if ((numbers() & bit) == 0)
			continue;
		const uint64_t few = bit | mask_bit(SIGUSR1), most = ~bit;

		ck_assert_uint_eq(witness_encode(few) & few, few);
		if (bit != witness_now()->marker) {
			ck_assert_uint_eq(witness_decode(witness_encode(few)), few);
			ck_assert_uint_eq(witness_decode(witness_encode(most)), most);
		}
		/* Made without us, as by pthread_attr_setsigmask_np(), where it is named. */
		ck_assert_uint_eq(witness_decode(most), most);
	}
	ck_assert_uint_ne(numbers() & mask_bit(signo), 0);
}
END_TEST

/* A thread that blocks all before the program names a number of ours, the number's fate and
   the thread's mask afterwards. */
START_TEST(a_mask_outlives_a_number)
{
	const int which = _i;
	sigset_t all, set;
	sigjmp_buf place;

	program_fixture_take(PROGRAM_TRAP | BOTH);
	const int signo = SIGRTMIN + 10 + which;

	ck_assert_uint_ne(numbers() & mask_bit(signo), 0);
	sigfillset(&all);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, &all, NULL), 0);
	if (sigsetjmp(place, 1) == 0) {
		const uint64_t before = mask_change(SIG_BLOCK, NULL);

		set = only(signo);
		ck_assert_int_eq(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
		ck_assert(!blocked(signo) && !program_kernel_blocks(signo));
		ck_assert(blocked(SIGBUS) && blocked(SIGTRAP) && blocked(signo == 44 ? 45 : 44));
		/* The older mask means what it meant. */
		ck_assert_uint_eq(witness_decode(before),
				  mask_get(&all) & ~mask_bit(SIGKILL) & ~mask_bit(SIGSTOP));
		siglongjmp(place, 1);
	}
	ck_assert(blocked(signo) && blocked(SIGBUS) && blocked(SIGTRAP) && blocked(SIGUSR1));
	/* What is sent meanwhile pends, whatever the number was for. */
	signal(signo, on_signal);
	program_other_sends(signo, SI_QUEUE, 1);
	program_other_sends(SIGTRAP, SI_QUEUE, 1);
	ck_assert_int_eq(handled, 0);
	signal(SIGTRAP, SIG_IGN);
	ck_assert_int_eq(sigprocmask(SIG_UNBLOCK, &all, NULL), 0);
	ck_assert_int_eq(handled, 1);
	ck_assert_uint_eq(mask_change(SIG_BLOCK, NULL), 0);
}
END_TEST

/* ---- waits ------------------------------------------------------------------- */

/* Samples that a wait takes are not the program's, and do not end it early. */
START_TEST(a_wait_goes_on_behind_a_sample)
{
	const struct timespec little = { 0, LITTLE_NS }, ages = { INT64_MAX, 0 };
	sigset_t all;
	siginfo_t info;
	const int later = SIGRTMIN + 5;

	program_fixture_take(BOTH);
	sigfillset(&all);
	sigdelset(&all, SIGALRM);
	ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, &all, NULL), 0);
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	program_counter_sends(SIGIO); /* blocked in the kernel: it pends */
	ck_assert_int_eq(sigtimedwait(&all, &info, &little), -1);
	ck_assert_int_eq(errno, EAGAIN);
	ck_assert_uint_ge(clock_ns(CLOCK_MONOTONIC) - begin, LITTLE_NS);
	ck_assert_int_eq(program_seen.samples, 1);
	program_counter_sends(SIGIO);
	program_other_sends(later, SI_QUEUE, 42); /* the kernel gives it after SIGIO */
	ck_assert_int_eq(sigtimedwait(&all, &info, &ages), later);
	ck_assert_int_eq(program_seen.samples, 2);
	ck_assert_int_eq(info.si_value.sival_int, 42);
	program_other_sends(SIGIO, SI_QUEUE, 43);
	ck_assert_int_eq(sigwaitinfo(&all, &info), SIGIO);
	ck_assert_int_eq(info.si_value.sival_int, 43);
}
END_TEST

START_TEST(sigwait_takes_the_programs)
{
	sigset_t set = only(SIGUSR1);
	int taken = 0;

	program_fixture_take(ASLEEP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	ck_assert_int_eq(sigwait(&set, &taken), 0);
	ck_assert_int_eq(taken, SIGUSR1);
}
END_TEST

/* A descriptor has the program's signals; samples stay outside. */
START_TEST(a_descriptor_has_no_samples)
{
	struct signalfd_siginfo info;
	sigset_t all;
	const int signo = program_fixture_take(ASLEEP);

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	const int fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	program_counter_sends(signo);
	ck_assert_int_eq(read(fd, &info, sizeof(info)), -1);
	raise(SIGUSR1);
	ck_assert_int_eq(read(fd, &info, sizeof(info)), sizeof(info));
	ck_assert_int_eq(info.ssi_signo, SIGUSR1);
	ck_assert_int_eq(program_seen.samples, 1);
	ck_assert_int_eq(signalfd(4711, &all, 0), -1);
	close(fd);
}
END_TEST

/* ---- calls that sleep -------------------------------------------------------- */

static pthread_t sleeper;
static volatile int to_send;

/* Samples and, at last, the signal that is to end the call. */
static void *disturb(void *number)
{
	for (int i = 0; i < 3; i++) {
		usleep(5000);
		siginfo_t info = { .si_signo = *(int *)number, .si_code = SI_QUEUE };

		info.si_value.sival_int = 0x5a5a;
		syscall(SYS_rt_sigqueueinfo, getpid(), *(int *)number, &info);
	}
	usleep(20000);
	if (to_send != 0)
		pthread_kill(sleeper, to_send);
	return NULL;
}

static int sleep_once(int which)
{
	struct timespec little = { 0, 2 * LITTLE_NS }, until;
	struct timeval tv = { 0, 2 * LITTLE_NS / 1000 };
	struct epoll_event event;
	const int epoll = epoll_create1(0);
	sem_t sem;

	sem_init(&sem, 0, 0);
	clock_gettime(which == 8 ? CLOCK_MONOTONIC : CLOCK_REALTIME, &until);
	until.tv_nsec += 2 * LITTLE_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	switch (which) {
	case 0: return (int)sleep(1);
	case 1: return usleep(2 * LITTLE_NS / 1000);
	case 2: return nanosleep(&little, NULL);
	case 3: return clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL);
	case 4: return poll(NULL, 0, 2 * LITTLE_NS / 1000000);
	case 5: return select(0, NULL, NULL, NULL, &tv);
	case 6: return epoll_wait(epoll, &event, 1, 2 * LITTLE_NS / 1000000);
	case 7: return sem_timedwait(&sem, &until) == -1 && errno == ETIMEDOUT ? 0 : -1;
#if __GLIBC_PREREQ(2, 30)
	case 8:
		return sem_clockwait(&sem, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT ?
			       0 :
			       -1;
#endif
	case 9: return ppoll(NULL, 0, &little, NULL);
	case 10: return pselect(0, NULL, NULL, NULL, &little, NULL);
	case 11: return epoll_pwait(epoll, &event, 1, 2 * LITTLE_NS / 1000000, NULL);
	default: {
#if !__GLIBC_PREREQ(2, 35)
#define epoll_pwait2(fd, events, most, time, mask) ppoll(NULL, 0, time, mask)
#endif
		const int result = epoll_pwait2(epoll, &event, 1, &little, NULL);

		return result == -1 && errno == ENOSYS ? 0 : result;
	}
	}
}

/* Samples that come to sleeping threads too end no call early. */
START_TEST(samples_end_no_sleep)
{
	int signo = program_fixture_take(ASLEEP);
	pthread_t other;

	ck_assert_int_ne(shared_shielded(), 0);
	ck_assert_int_eq(pthread_create(&other, NULL, disturb, &signo), 0);
	ck_assert_int_eq(sleep_once(_i), 0);
	pthread_join(other, NULL);
	ck_assert_int_ge(program_seen.samples, 1);
	ck_assert(!program_kernel_blocks(signo));
}
END_TEST

static void *name(void *number)
{
	usleep(LITTLE_NS / 1000);
	signal(*(int *)number, on_signal);
	return NULL;
}

/* A number that the program begins to use while a thread sleeps, shielded from it. */
START_TEST(what_a_sleep_blocked_is_unblocked)
{
	int signo = program_fixture_take(ASLEEP);
	pthread_t other;

	ck_assert_int_eq(pthread_create(&other, NULL, name, &signo), 0);
	usleep(3 * LITTLE_NS / 1000);
	pthread_join(other, NULL);
	ck_assert_int_eq(program_seen.renumbers, 1);
	ck_assert_uint_eq(mask_change(SIG_BLOCK, NULL), 0);
	raise(signo);
	ck_assert_int_eq(handled, 1);
}
END_TEST

static int sleep_with(int which, const sigset_t *mask)
{
	struct epoll_event event;

	switch (which) {
	case 0: return sigsuspend(mask);
	case 1: return ppoll(NULL, 0, NULL, mask);
	case 2: return pselect(0, NULL, NULL, NULL, NULL, mask);
	case 3: return epoll_pwait(epoll_create1(0), &event, 1, -1, mask);
	case 4: return epoll_pwait2(epoll_create1(0), &event, 1, NULL, mask);
	default: return pause();
	}
}

/* The program's signal ends a call whose mask lets it through; samples do not, and the
   mask is the program's again. */
START_TEST(a_mask_for_a_sleep)
{
	int signo = program_fixture_take(ASLEEP);
	sigset_t set = only(SIGUSR1), none = only(0);
	pthread_t other;

	signal(SIGUSR1, on_signal);
	if (_i != 5)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	sleeper = pthread_self();
	to_send = SIGUSR1;
	ck_assert_int_eq(pthread_create(&other, NULL, disturb, &signo), 0);
	ck_assert_int_eq(sleep_with(_i, &none), -1);
	const int err = errno;

	pthread_join(other, NULL);
	ck_assert(err == EINTR || (err == ENOSYS && _i == 4));
	ck_assert_int_eq(handled, err == EINTR);
	ck_assert_int_eq(blocked(SIGUSR1), _i != 5);
	ck_assert(!blocked(signo));
}
END_TEST

/* ---- alternate stacks -------------------------------------------------------- */

static char large[1 << 16], small[1 << 12];

/* A small one is replaced, and the program sees its own. */
START_TEST(a_small_stack_is_replaced)
{
	stack_t s = { .ss_sp = small, .ss_size = sizeof(small) }, old;

	program_fixture_take(BOTH);
	ck_assert_int_eq(sigaltstack(&s, &old), 0);
	ck_assert_int_eq(old.ss_flags, SS_DISABLE);
	ck_assert_int_eq(sigaltstack(NULL, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, small);
	ck_assert_int_eq(old.ss_size, sizeof(small));
	ck_assert_int_eq(syscall(SYS_sigaltstack, NULL, &old), 0);
	ck_assert_ptr_ne(old.ss_sp, small);
	ck_assert_int_gt(old.ss_size, sizeof(small));
	/* One that is large enough stays; none is none. */
	s = (stack_t){ .ss_sp = large, .ss_size = sizeof(large) };
	ck_assert_int_eq(sigaltstack(&s, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, small);
	ck_assert_int_eq(syscall(SYS_sigaltstack, NULL, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, large);
	s.ss_flags = SS_DISABLE;
	ck_assert_int_eq(sigaltstack(&s, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, large);
	ck_assert_int_eq(sigaltstack(NULL, &old), 0);
	ck_assert_int_eq(old.ss_flags, SS_DISABLE);
	program_thread_ends();
}
END_TEST

START_TEST(errors_are_the_kernels)
{
	stack_t s = { .ss_sp = small, .ss_size = 16 }, old;

	program_fixture_take(BOTH);
	ck_assert_int_eq(sigaltstack(&s, NULL), -1);
	ck_assert_int_eq(errno, ENOMEM);
	s = (stack_t){ .ss_sp = small, .ss_size = sizeof(small), .ss_flags = 0x70 };
	ck_assert_int_eq(sigaltstack(&s, NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(sigaltstack(NULL, &old), 0);
	ck_assert_int_eq(old.ss_flags, SS_DISABLE);
}
END_TEST

static stack_t seen_inside;
static int change_inside, errno_inside;

static void look_inside(int signo)
{
	stack_t s = { .ss_sp = large, .ss_size = sizeof(large) };

	(void)signo;
	handled++;
	sigaltstack(NULL, &seen_inside);
	change_inside = sigaltstack(&s, NULL);
	errno_inside = errno;
}

/* On a stack of ours the program finds itself on its own, which cannot be changed. */
START_TEST(on_its_stack_it_cannot_be_changed)
{
	struct sigaction act = { .sa_handler = look_inside, .sa_flags = SA_ONSTACK };
	stack_t s = { .ss_sp = small, .ss_size = sizeof(small) }, old;

	ck_assert_int_eq(sigaltstack(&s, NULL), 0);
	program_fixture_take(BOTH); /* replaces what is there */
	ck_assert_int_eq(sigaction(SIGUSR1, &act, NULL), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(handled, 1);
	ck_assert_ptr_eq(seen_inside.ss_sp, small);
	ck_assert_int_eq(seen_inside.ss_flags, SS_ONSTACK);
	ck_assert_int_eq(change_inside, -1);
	ck_assert_int_eq(errno_inside, EPERM);
	program_thread_ends();
	ck_assert_int_eq(syscall(SYS_sigaltstack, NULL, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, small);
}
END_TEST

static ucontext_t outside, inside;

static void coroutine(void)
{
	stack_t now;

	ck_assert_int_eq(syscall(SYS_sigaltstack, NULL, &now), 0);
	ck_assert_int_ne(now.ss_flags & SS_DISABLE, SS_DISABLE);
	ck_assert_int_eq(sigaltstack(NULL, &now), 0);
	ck_assert_int_eq(now.ss_flags, SS_DISABLE);
	setcontext(&outside);
}

/* A coroutine's stack has no room for a handler. */
START_TEST(a_coroutine_has_a_stack_for_handlers)
{
	program_fixture_take(BOTH);
	getcontext(&inside);
	inside.uc_stack = (stack_t){ .ss_sp = large, .ss_size = sizeof(large) };
	inside.uc_link = NULL;
	makecontext(&inside, coroutine, 0);
	ck_assert_int_eq(swapcontext(&outside, &inside), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("program masks");
	TCase *c = tcase_create("masks");

	tcase_set_timeout(c, 60);
	tcase_add_test(c, who_blocks_all_is_sampled);
	tcase_add_test(c, what_is_blocked_is_held);
	tcase_add_loop_test(c, without_free_numbers_masks_are_literal, 0, 2);
	tcase_add_test(c, a_mask_is_what_it_was);
	tcase_add_test(c, a_mask_of_some_is_literal);
	tcase_add_loop_test(c, a_mask_outlives_a_number, 0, 6);
	suite_add_tcase(suite, c);

	c = tcase_create("waits");
	tcase_set_timeout(c, 60);
	tcase_add_test(c, a_wait_goes_on_behind_a_sample);
	tcase_add_test(c, sigwait_takes_the_programs);
	tcase_add_test(c, a_descriptor_has_no_samples);
	tcase_add_loop_test(c, samples_end_no_sleep, 0, 13);
	tcase_add_loop_test(c, a_mask_for_a_sleep, 0, 6);
	tcase_add_test(c, what_a_sleep_blocked_is_unblocked);
	suite_add_tcase(suite, c);

	c = tcase_create("stacks");
	tcase_set_timeout(c, 60);
	tcase_add_test(c, a_small_stack_is_replaced);
	tcase_add_test(c, errors_are_the_kernels);
	tcase_add_test(c, on_its_stack_it_cannot_be_changed);
	tcase_add_test(c, a_coroutine_has_a_stack_for_handlers);
	suite_add_tcase(suite, c);

	return suite_main(suite);
}
