/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_fault.c - each system call for opening a counter fails in turn: the counter is
 * refused with an explanation or works nevertheless, and no descriptor stays open.
 *
 * The linker replaces functions of the C library by those here (--wrap); __real_ ones are
 * the originals.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmu/access.h"
#include "pmu/counter.h"
#include "pmu/explain.h"
#include "tests/support/descriptors.h"
#include "tests/support/suite_main.h"

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
int __real_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);

static int calls, fail_at, fail_with;

static bool fails(void)
{
	if (++calls != fail_at)
		return false;
	errno = fail_with;
	return true;
}

long __wrap_syscall(long number, ...)
{
	long a[5];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if ((number == SYS_perf_event_open || number == SYS_read) && fails())
		return -1;
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4]);
}

int __wrap_fcntl(int fd, int command, ...)
{
	va_list ap;
	long argument;

	va_start(ap, command);
	argument = va_arg(ap, long);
	va_end(ap);
	return fails() ? -1 : __real_fcntl(fd, command, argument);
}

void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : __real_mmap(at, bytes, prot, flags, fd, offset);
}

int __wrap_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	return fails() ? -1 : __real_timer_create(clock, event, timer);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	long argument;

	va_start(ap, request);
	argument = va_arg(ap, long);
	va_end(ap);
	/* Refused, that one shows whose the descriptor is, and is no fault. */
	return request != PERF_EVENT_IOC_ID && fails() ? -1 : __real_ioctl(fd, request, argument);
}

static const struct {
	const char *name;
	enum pmu_delivery delivery;
} ways[] = {
	{ "cpu-clock", PMU_DELIVERY_SIGNAL },
	{ "page-faults", PMU_DELIVERY_SIGNAL },
	{ "page-faults", PMU_DELIVERY_SIGTRAP },
	{ "wall", PMU_DELIVERY_SIGNAL },
};

static const int errors[] = {
	EINVAL, ENOMEM, EMFILE, ENFILE,	    EPERM,  EACCES, ENOSYS, EBUSY,
	E2BIG,	EAGAIN, ENOENT, EOPNOTSUPP, ENODEV, ENOSPC, EINTR,  EIO,
};

enum { NERRORS = sizeof(errors) / sizeof(errors[0]) };

/* Descriptors and rings. */
static int held(void)
{
	char line[512];
	FILE *maps;
	int n = descriptors();

	maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		n += strstr(line, "perf_event") != NULL;
	fclose(maps);
	return n;
}

static struct pmu_event event(const char *name)
{
	static const struct pmu_rate hz = { .freq_hz = 997 };
	struct pmu_refusal why;
	struct pmu_event ev;

	ck_assert_int_eq(pmu_event_parse(name, &hz, &ev, &why), 0);
	return ev;
}

static void use(struct pmu_counter *c)
{
	const siginfo_t info = { .si_code = POLL_HUP };
	struct pmu_value v;
	uint64_t overrun;

	pmu_counter_start(c);
	pmu_counter_weight(c, &info, &overrun);
	pmu_counter_rearm(c);
	pmu_counter_read(c, &v);
	pmu_counter_stop(c);
}

/* Opens and uses with the n'th call failing; whether it came so far. */
static bool attempt(const struct pmu_event *ev, enum pmu_delivery delivery, int n, int error)
{
	struct pmu_refusal why;
	struct pmu_counter c;

	memset(&why, 0, sizeof(why));
	calls = 0;
	fail_at = n;
	fail_with = error;
	if (pmu_counter_open(&c, ev, gettid(), delivery, SIGRTMIN + 5, 0, &why)) {
		ck_assert_int_eq(why.error, error);
		ck_assert_str_eq(why.what, ev->label);
		ck_assert(*why.why);
		ck_assert_int_eq(c.fd, -1);
		ck_assert_ptr_null(c.ring);
		ck_assert(!c.timer_open);
	} else {
		use(&c);
		/* What is no longer known to be ours would not be closed. */
		fail_at = 0;
		pmu_counter_close(&c);
	}
	fail_at = 0;
	return calls >= n;
}

START_TEST(each_call_in_its_turn)
{
	struct pmu_event ev = event(ways[_i].name);
	sigset_t set;
	int before, n;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 5);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	before = held();
	for (int e = 0; e < NERRORS; e++)
		for (n = 1; attempt(&ev, ways[_i].delivery, n, errors[e]); n++)
			ck_assert_int_lt(n, 40);
	ck_assert_int_gt(n, ev.kind == PMU_WALL ? 1 : 4);
	ck_assert_int_eq(held(), before);
}
END_TEST

/* All that an ordinary start asks of the kernel, one call failing. */
START_TEST(looking_around)
{
	struct pmu_access first;
	int before;

	pmu_access_probe(&first);
	before = held();
	for (int n = 1; n < 200; n += 1 + n / 8) {
		static const struct pmu_rate hz = { .freq_hz = 997 };
		struct pmu_event ev = event("cycles");
		struct pmu_refusal why;
		struct pmu_access a;

		calls = 0;
		fail_at = n;
		fail_with = errors[n % NERRORS];
		if (pmu_event_probe(&ev, &why) && pmu_event_substitute(&ev, &hz, &why))
			ck_assert(*why.why);
		pmu_access_probe(&a);
		fail_at = 0;
	}
	ck_assert_int_eq(held(), before);
}
END_TEST

/* A ring that cannot be mapped is no reason to refuse: the weight is read. */
START_TEST(does_without_a_ring)
{
	struct pmu_event ev = event("page-faults");
	const siginfo_t info = { .si_code = POLL_HUP };
	struct pmu_refusal why;
	struct pmu_counter c;
	uint64_t overrun;
	volatile char *page;

	if (pmu_event_probe(&ev, &why)) {
		printf("SKIP: page-faults: %s\n", why.why);
		fflush(stdout);
		return;
	}
	signal(SIGRTMIN + 5, SIG_IGN);
	for (fail_at = 1;; fail_at++) {
		calls = 0;
		fail_with = EPERM;
		ck_assert_int_lt(fail_at, 20);
		if (pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN + 5, 0, &why))
			continue;
		if (!c.ring)
			break;
		pmu_counter_close(&c);
	}
	fail_at = 0;
	ck_assert(c.unrecorded);
	pmu_explain_ring(&ev, &why);
	ck_assert(strstr(why.why, "perf_event_mlock_kb") && *why.todo);
	ck_assert_int_eq(ioctl(c.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	page = __real_mmap(NULL, 10 * 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	page[0] = 1;
	ck_assert_uint_ge(pmu_counter_weight(&c, &info, &overrun), 1);
	ck_assert_uint_eq(overrun, 0);
	pmu_counter_close(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pmu_fault");
	TCase *t = tcase_create("faults");

	tcase_add_loop_test(t, each_call_in_its_turn, 0, 4);
	tcase_add_test(t, looking_around);
	tcase_add_test(t, does_without_a_ring);
	suite_add_tcase(s, t);
	return suite_main(s);
}
