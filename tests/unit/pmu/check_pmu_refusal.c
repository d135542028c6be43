/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_refusal.c - a child process forbids itself what counters need: the explanation
 * names the cause and the numbers, and no descriptor stays open.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmu/access.h"
#include "pmu/counter.h"
#include "pmu/files.h"
#include "pmu/sysfs.h"
#include "tests/support/suite_main.h"

static const struct pmu_rate hz = { .freq_hz = 997 };

/* Each check runs in a process of its own (Check's), so what is forbidden stays
   forbidden there. */
static void forbid(long number, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static struct pmu_event event(const char *name)
{
	struct pmu_refusal why;
	struct pmu_event ev;

	ck_assert_int_eq(pmu_event_parse(name, &hz, &ev, &why), 0);
	return ev;
}

static void expect(const struct pmu_refusal *why, int error, const char *part, const char *todo)
{
	ck_assert_msg(why->error == error && strstr(why->why, part) && strstr(why->todo, todo),
		      "%s: %s: %s (%d)", why->what, why->why, why->todo, why->error);
}

START_TEST(seccomp)
{
	static const int errors[] = { ENOSYS, EPERM, EACCES };
	struct pmu_event ev = event("cycles");
	struct pmu_access a;
	struct pmu_refusal why;

	forbid(SYS_perf_event_open, errors[_i]);
	ck_assert_int_eq(pmu_event_probe(&ev, &why), -1);
	ck_assert_str_eq(why.what, "cycles:u");
	expect(&why, errors[_i], "seccomp", "wall");
	ck_assert_int_eq(pmu_event_substitute(&ev, &hz, &why), 0);
	ck_assert_str_eq(ev.label, "wall");
	ck_assert_str_eq(ev.requested, "cycles");
	ck_assert(ev.substituted);
	ck_assert_int_eq(pmu_event_probe(&ev, &why), 0);
	pmu_access_probe(&a);
	ck_assert(!a.syscall_works && !a.user_clock && !a.kernel_events);
	ck_assert_int_eq(a.syscall_errno, errors[_i]);
	ck_assert_int_ne(a.hardware, PMU_HARDWARE_YES);
}
END_TEST

/* In a child's child: Check itself wants timers. */
static void without_timers(void)
{
	struct pmu_event ev = event("cycles");
	struct pmu_refusal why;

	forbid(SYS_perf_event_open, ENOSYS);
	forbid(SYS_timer_create, EPERM);
	if (pmu_event_substitute(&ev, &hz, &why) != -1)
		_exit(1);
	_exit(strcmp(why.what, "wall") || !*why.why || strcmp(ev.label, "cycles:u") ? 2 : 0);
}

static void without_pending_signals(void)
{
	struct pmu_event ev = event("wall");
	const struct rlimit none = { 0, 0 };
	struct pmu_refusal why;

	if (setrlimit(RLIMIT_SIGPENDING, &none) || pmu_event_probe(&ev, &why) != -1)
		_exit(1);
	_exit(why.error != EAGAIN || !strstr(why.why, "RLIMIT_SIGPENDING is 0") ||
			      !strstr(why.todo, "ulimit -i") ?
		      2 :
		      0);
}

START_TEST(no_timers)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (_i)
			without_pending_signals();
		without_timers();
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(no_descriptors)
{
	struct pmu_event ev = event("cpu-clock");
	struct rlimit limit = { 0, 0 };
	struct pmu_counter c[64];
	struct pmu_refusal why;
	char number[32];
	int n;

	if (pmu_event_probe(&ev, &why)) {
		printf("SKIP: cpu-clock: %s\n", why.why);
		fflush(stdout);
		return;
	}
	limit.rlim_cur = limit.rlim_max = 40;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (n = 0; n < 64; n++)
		if (pmu_counter_open(&c[n], &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, &why))
			break;
	ck_assert_int_gt(n, 10);
	ck_assert_int_lt(n, 40);
	snprintf(number, sizeof(number), "RLIMIT_NOFILE is %d", 40);
	expect(&why, EMFILE, number, "raised (ulimit -Hn");
	ck_assert_int_eq(c[n].fd, -1);
	for (int i = 0; i < n; i++)
		ck_assert_int_gt(c[i].fd, 2);
	pmu_counter_close(&c[0]);
	ck_assert_int_eq(pmu_event_probe(&ev, &why), 0);
}
END_TEST

/* Counters have numbers past the soft limit, which stays as it is. */
START_TEST(past_the_soft_limit)
{
	struct pmu_event ev = event("cpu-clock");
	struct rlimit limit, after;
	struct pmu_counter c[64];
	struct pmu_refusal why;
	struct pmu_value v;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (pmu_event_probe(&ev, &why) || limit.rlim_max < 128) {
		printf("SKIP: past the soft limit: no cpu-clock, or a low hard limit\n");
		fflush(stdout);
		return;
	}
	limit.rlim_cur = 40;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (int i = 0; i < 64; i++) {
		ck_assert_int_eq(pmu_counter_open(&c[i], &ev, gettid(), PMU_DELIVERY_SIGNAL,
						  SIGRTMIN, 0, &why),
				 0);
		ck_assert_int_ge(c[i].fd, 20);
		ck_assert_int_eq(fcntl(c[i].fd, F_GETFD), FD_CLOEXEC);
	}
	ck_assert_int_gt(c[63].fd, 40);
	ck_assert_int_eq(pmu_counter_read(&c[63], &v), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &after), 0);
	ck_assert_uint_eq(after.rlim_cur, 40);
	ck_assert_uint_eq(after.rlim_max, limit.rlim_max);
	for (int i = 0; i < 64; i++)
		pmu_counter_close(&c[i]);
}
END_TEST

/* An ordinary user, where this test may become one. */
static bool ordinary(void)
{
	if (geteuid() == 0 && (setgid(65534) || setuid(65534))) {
		printf("SKIP: an ordinary user's refusals: %s\n", strerror(errno));
		fflush(stdout);
		return false;
	}
	return true;
}

START_TEST(an_ordinary_user)
{
	long paranoid = pmu_file_number("/proc/sys/kernel/perf_event_paranoid", -2);
	struct pmu_event user = event("cpu-clock"), both = event("cpu-clock:uk");
	struct pmu_refusal why;
	char number[64];
	bool blocked = pmu_event_probe(&user, &why) && why.error == ENOSYS;

	if (blocked || !ordinary())
		return;
	snprintf(number, sizeof(number), "perf_event_paranoid is %ld", paranoid);
	if (pmu_event_probe(&user, &why)) {
		ck_assert_int_gt(paranoid, 2);
		expect(&why, EACCES, number, "sysctl");
		return;
	}
	if (paranoid < 2) {
		ck_assert_int_eq(pmu_event_probe(&both, &why), 0);
		return;
	}
	ck_assert_int_eq(pmu_event_probe(&both, &why), -1);
	expect(&why, EACCES, number, ":u");
	/* What asked for the kernel too gets the same without it. */
	both = event("page-faults:uk");
	ck_assert_int_eq(pmu_event_substitute(&both, &hz, &why), 0);
	ck_assert_str_eq(both.label, "page-faults:u");
	ck_assert_str_eq(both.requested, "page-faults:uk");
	ck_assert(both.substituted && both.attr.exclude_kernel);
	both = event("context-switches");
	ck_assert_int_eq(pmu_event_substitute(&both, &hz, &why), 0);
	ck_assert_str_eq(both.label, "cpu-clock:u");
	both = event("page-faults:k");
	ck_assert_int_eq(pmu_event_substitute(&both, &hz, &why), 0);
	ck_assert_str_eq(both.label, "cpu-clock:u");
}
END_TEST

/* perf_event_max_sample_rate may be less than what is asked for: then it is the rate. */
START_TEST(the_kernels_own_rate)
{
	const long most = pmu_file_number("/proc/sys/kernel/perf_event_max_sample_rate", -1);
	const struct pmu_rate rate = { .freq_hz = PMU_FREQ_MAX_HZ };
	struct pmu_event ev;
	struct pmu_refusal why;
	struct pmu_counter c;

	ck_assert_int_eq(pmu_event_parse("page-faults", &rate, &ev, &why), 0);
	if (most <= 0 || most >= 1000000 || pmu_event_probe(&ev, &why))
		return;
	ev.freq_hz = 1000000;
	ck_assert_uint_eq(pmu_rate_allowed(ev.freq_hz), (unsigned long)most);
	ck_assert_uint_eq(pmu_rate_allowed(1), 1);
	ck_assert_uint_eq(pmu_rate_allowed(0), 0);
	ck_assert_int_eq(pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0,
					  &why),
			 0);
	ck_assert_uint_eq(c.freq_hz, (unsigned long)most);
	pmu_counter_close(&c);
}
END_TEST

START_TEST(no_pmu)
{
	struct pmu_event ev = event("cycles:pp");
	const struct pmu_rate period = { .period = 12345678 };
	struct pmu_refusal why;
	struct pmu_access a;

	pmu_access_probe(&a);
	if (a.hardware != PMU_HARDWARE_NONE || pmu_event_probe(&ev, &why) == 0) {
		printf("SKIP: no PMU: this machine has one\n");
		fflush(stdout);
		return;
	}
	if (a.syscall_works && !pmu_sysfs_has_core())
		expect(&why, ENOENT, "no PMU", "cpu-clock");
	ck_assert_int_eq(pmu_event_substitute(&ev, &hz, &why), 0);
	ck_assert_str_eq(ev.label, a.user_clock ? "cpu-clock:u" : "wall");
	ck_assert_str_eq(ev.requested, "cycles:pp");
	ck_assert(ev.substituted && ev.unit_ns);
	ck_assert_uint_eq(ev.period, 1003009);
	/* A number of cycles is no number of nanoseconds. */
	ev = event("cycles");
	ck_assert_int_eq(pmu_event_substitute(&ev, &period, &why), 0);
	ck_assert_uint_eq(ev.period, 1003009);
	ev = event("task-clock");
	ck_assert_int_eq(pmu_event_substitute(&ev, &period, &why), 0);
	ck_assert_uint_eq(ev.period, 12345678);
}
END_TEST

START_TEST(a_thread_that_ended)
{
	struct pmu_event ev = event("cpu-clock");
	struct pmu_refusal why;
	struct pmu_counter c;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	if (pmu_event_probe(&ev, &why))
		return;
	ck_assert_int_eq(pmu_counter_open(&c, &ev, pid, PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, &why),
			 -1);
	expect(&why, ESRCH, "ended", "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pmu_refusal");
	TCase *t = tcase_create("refusals");

	tcase_add_loop_test(t, seccomp, 0, 3);
	tcase_add_loop_test(t, no_timers, 0, 2);
	tcase_add_test(t, no_descriptors);
	tcase_add_test(t, past_the_soft_limit);
	tcase_add_test(t, an_ordinary_user);
	tcase_add_test(t, the_kernels_own_rate);
	tcase_add_test(t, no_pmu);
	tcase_add_test(t, a_thread_that_ended);
	suite_add_tcase(s, t);
	return suite_main(s);
}
