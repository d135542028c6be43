/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_kernels.c - what other machines' kernels want of an event, and refuse.
 *
 * The kernel's rules are played by the test, from Linux' source; what they accept is opened as
 * cpu-clock. The machines' descriptions in sysfs are made by the test.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/access.h"
#include "pmu/counter.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "pmu/perf_event.h"
#include "pmu/phase.h"
#include "pmu/register.h"
#include "pmu/sysfs.h"
#include "tests/support/descriptors.h"
#include "tests/support/suite_main.h"

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

enum { IBS_OP = 11, SILENT = 4096 };

/* The errno of a rule; 0: it lets the event pass; SILENT: that, and it stays at 0. */
typedef int rule(const struct perf_event_attr *a);

static rule *kernel;
static int leader;		    /* of the group that is asked for; -1: none */
static uint64_t aux;		    /* the kernel's id of the last mem-loads-aux */
static struct perf_event_attr last; /* that was accepted */

static bool has_sides(const struct perf_event_attr *a)
{
	return a->exclude_user || a->exclude_kernel;
}

static bool is_ibs(const struct perf_event_attr *a)
{
	return a->type == IBS_OP || (a->type <= PERF_TYPE_RAW && a->precise_ip);
}

/* arch/x86/events/amd/ibs.c, before Linux 6.14. */
static int ibs_old(const struct perf_event_attr *a)
{
	if (!is_ibs(a))
		return 0;
	if (a->precise_ip > 2)
		return EOPNOTSUPP;
	if (has_sides(a) || a->exclude_hv || a->exclude_guest)
		return EINVAL;
	return !a->freq && a->sample_period & 15 ? EINVAL : 0;
}

static int ibs_new(const struct perf_event_attr *a)
{
	struct perf_event_attr both = *a;

	if (has_sides(a) && is_ibs(a) && !(a->config2 & 1))
		return EINVAL;
	both.exclude_user = both.exclude_kernel = 0;
	return ibs_old(&both);
}

/* PERF_PMU_CAP_NO_EXCLUDE, as of some Arm PMUs. */
static int no_exclude(const struct perf_event_attr *a)
{
	return has_sides(a) || a->exclude_hv || a->exclude_guest ? EINVAL : 0;
}

/* RISC-V's SBI without Sscofpmf: user code can be left to itself, a hypervisor can't. */
static int no_hypervisor(const struct perf_event_attr *a)
{
	return a->exclude_hv ? EINVAL : 0;
}

/* drivers/perf/apple_m1_cpu_pmu.c */
static int host_only(const struct perf_event_attr *a)
{
	return a->exclude_guest ? 0 : EOPNOTSUPP;
}

static int at_most_pp(const struct perf_event_attr *a)
{
	return a->precise_ip > 2 ? EOPNOTSUPP : 0;
}

static bool is_aux(const struct perf_event_attr *a)
{
	return a->type == 4 && a->config == 0x8203;
}

static bool led_by_aux(int fd)
{
	uint64_t id;

	return ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 && id == aux;
}

/* Sapphire Rapids: mem-loads behind mem-loads-aux in a group. */
static int aux_event(const struct perf_event_attr *a)
{
	return (a->config & 0xffff) == 0x1cd && a->sample_type & PERF_SAMPLE_DATA_SRC &&
			       !(leader >= 0 && led_by_aux(leader)) ?
		       ENODATA :
		       0;
}

static int no_aux_event(const struct perf_event_attr *a)
{
	return is_aux(a) ? EINVAL : aux_event(a);
}

/* A virtual machine's PMU whose host has none: counters stay at 0. */
static int dead(const struct perf_event_attr *a)
{
	(void)a;
	return SILENT;
}

/* No such thing happens here. */
static int no_misses(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CACHE_MISSES ? SILENT :
											  0;
}

/* Some clouds' virtual PMUs lack an event that they open. */
static int no_cycles(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES ? SILENT : 0;
}

/* arch/x86/events/intel/core.c, Ice Lake and later: metrics behind slots, and not sampled. */
static int topdown(const struct perf_event_attr *a)
{
	const bool metric = a->type == 4 && (a->config & 0xff) == 0 && a->config >= 0x8000;

	return metric && (a->sample_period || leader < 0) ? EINVAL : 0;
}

static int all(const struct perf_event_attr *a)
{
	(void)a;
	return 0;
}

long __wrap_syscall(long number, ...)
{
	struct perf_event_attr attr;
	long a[5];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number != SYS_perf_event_open)
		return __real_syscall(number, a[0], a[1], a[2], a[3], a[4]);
	attr = *(const struct perf_event_attr *)a[0];
	if (attr.type != PERF_TYPE_SOFTWARE) {
		leader = (int)a[3];
		errno = kernel(&attr);
		const bool silent = errno == SILENT;
		if (errno && !silent)
			return -1;
		last = attr;
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = silent ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK;
		attr.config1 = attr.config2 = attr.precise_ip = attr.exclude_guest = 0;
	}
	const long fd = __real_syscall(number, &attr, a[1], a[2], a[3], a[4]);

	if (is_aux((const struct perf_event_attr *)a[0]))
		ck_assert_int_eq(ioctl((int)fd, PERF_EVENT_IOC_ID, &aux), 0);
	return fd;
}

/* The page of an event, while the test plays it; an errno: it can't be mapped. */
static struct {
	bool played;
	int error;
	struct perf_event_mmap_page page;
} mapped;

void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	const bool played = mapped.played && fd >= 0;
	void *page = __real_mmap(at, bytes, prot | PROT_WRITE,
				 played ? MAP_PRIVATE | MAP_ANONYMOUS : flags, played ? -1 : fd,
				 offset);

	if (played && mapped.error) {
		errno = mapped.error;
		return MAP_FAILED;
	}
	if (played)
		memcpy(page, &mapped.page, sizeof(mapped.page));
	return page;
}

/* ---- sysfs ----------------------------------------------------------- */

static char base[64];

static void put(const char *path, const char *text)
{
	char full[256], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", base, path);
	for (slash = full + strlen(base) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		ck_assert(mkdir(full, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	f = fopen(full, "w");
	ck_assert(f && fputs(text, f) >= 0 && !fclose(f));
}

enum machine { ARM, INTEL, AMD_OLD, AMD_NEW };

static void machine(enum machine which)
{
	switch (which) {
	case ARM:
		put("armv8_pmuv3/cpus", "0-7\n");
		put("armv8_pmuv3/type", "8\n");
		return;
	case AMD_NEW: put("ibs_op/format/swfilt", "config2:0\n"); /* fall through */
	case AMD_OLD: put("ibs_op/type", "11\n"); break;
	case INTEL: break;
	}
	put("cpu/type", "4\n");
	put("cpu/format/event", "config:0-7\n");
	put("cpu/format/umask", "config:8-15\n");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1\n");
	put("cpu/events/slots", "event=0x00,umask=0x4\n");
	put("cpu/events/topdown-retiring", "event=0x00,umask=0x80\n");
	put("cpu/events/topdown-bad-spec", "event=0x00,umask=0x81\n");
	put("cpu/caps/max_precise", "3\n");
}

static void setup(void)
{
	snprintf(base, sizeof(base), "/tmp/check_pmu_kernels.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(base));
	pmu_sysfs_base(base);
	kernel = all;
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	ck_assert_int_eq(system(command), 0);
	pmu_sysfs_base(NULL);
}

static bool here(void)
{
	struct pmu_refusal why;
	const struct pmu_rate hz = { .freq_hz = 997 };
	struct pmu_event ev;

	if (!pmu_event_parse("cpu-clock:uk", &hz, &ev, &why) && !pmu_event_probe(&ev, &why))
		return true;
	printf("SKIP: cpu-clock: %s\n", why.why);
	fflush(stdout);
	return false;
}

/* ---- what is counted, and in which words it is refused --------------- */

static const struct {
	enum machine machine;
	rule *kernel;
	const char *name;
	uint64_t period;
	const char *refused, *todo; /* "": it is counted as it was asked for */
	const char *label;	    /* that is counted */
} cells[] = {
	{ INTEL, all, "cycles:ppp", 0, "", "", "cycles:uppp" },
	{ ARM, no_exclude, "cycles:uk", 0, "", "", "cycles:uk" },
	{ ARM, no_exclude, "cycles", 0, "leave the kernel, or user code, out", "use it with :uk",
	  "cpu-clock:u" },
	{ ARM, no_hypervisor, "cycles", 0, "", "", "cycles:u" },
	{ ARM, no_hypervisor, "cycles:k", 0, "", "", "cycles:k" },
	{ ARM, host_only, "cycles", 0, "", "", "cycles:u" },
	{ ARM, host_only, "r11:uk", 0, "", "", "r11:uk" },
	{ INTEL, at_most_pp, "cycles:ppp", 0, "that precisely", "fewer p", "cycles:upp" },
	{ INTEL, at_most_pp, "cycles:ukppp", 0, "that precisely", "fewer p", "cycles:ukpp" },
	{ INTEL, at_most_pp, "cycles:pp", 0, "", "", "cycles:upp" },
	{ AMD_OLD, ibs_old, "cycles:ukp", 0, "", "", "cycles:ukp" },
	{ AMD_OLD, ibs_old, "cycles:ukpp", 1000003, "", "", "cycles:ukpp" },
	{ AMD_OLD, ibs_old, "cycles:ukppp", 0, "that precisely", "fewer p", "cycles:ukpp" },
	{ AMD_OLD, ibs_old, "cycles:p", 0, "leave the kernel, or user code, out", "use it with :uk",
	  "cycles:u" },
	{ AMD_OLD, ibs_old, "cycles", 1000003, "", "", "cycles:u" },
	{ AMD_OLD, ibs_old, "ibs_op/config=0/uk", 0, "", "", "ibs_op/config=0/:uk" },
	{ AMD_OLD, ibs_old, "ibs_op/config=0/", 0, "leave the kernel, or user code, out",
	  "use it with :uk", "cpu-clock:u" },
	{ AMD_NEW, ibs_new, "cycles:p", 0, "", "", "cycles:up" },
	{ AMD_NEW, ibs_new, "cycles:kp", 1, "", "", "cycles:kp" },
	{ AMD_NEW, ibs_new, "cycles:pp", 1000003, "", "", "cycles:upp" },
	{ AMD_NEW, ibs_new, "cycles:ppp", 1000003, "that precisely", "fewer p", "cycles:upp" },
	{ AMD_NEW, ibs_new, "ibs_op/config=0/", 99, "", "", "ibs_op/config=0/:u" },
	{ INTEL, topdown, "cpu/topdown-retiring/", 0, "only in a group that slots leads",
	  "--count=slots", "cpu-clock:u" },
	{ INTEL, topdown, "cpu/slots/", 1000003, "", "", "cpu/slots/:u" },
	{ INTEL, dead, "cycles", 0, "never counts", "use cpu-clock", "cpu-clock:u" },
	{ INTEL, dead, "cycles:ukpp", 0, "never counts", "use cpu-clock", "cpu-clock:uk" },
	{ INTEL, dead, "cache-misses", 1000, "never counts", "use cpu-clock", "cpu-clock:u" },
	{ INTEL, dead, "cpu/event=0x3c/k", 0, "never counts", "use cpu-clock", "cpu-clock:k" },
	{ INTEL, dead, "page-faults", 1, "", "", "page-faults:u" },
	{ INTEL, no_misses, "cache-misses", 0, "", "", "cache-misses:u" },
	{ INTEL, no_misses, "instructions:k", 0, "", "", "instructions:k" },
	{ INTEL, no_cycles, "cycles", 0, "never counts", "use cpu-clock", "cpu-clock:u" },
	{ INTEL, no_cycles, "instructions", 0, "", "", "instructions:u" },
	{ INTEL, aux_event, "cpu/mem-loads/p", 0, "", "", "cpu/mem-loads/:up" },
	{ INTEL, no_aux_event, "cpu/mem-loads/p", 0, "mem-loads-aux", "leave p out",
	  "cpu/mem-loads/:u" },
	{ INTEL, all, "cpu/mem-loads/p", 0, "", "", "cpu/mem-loads/:up" },
};

enum { NCELLS = sizeof(cells) / sizeof(cells[0]) };

START_TEST(each_cell)
{
	const struct pmu_rate rate = { .freq_hz = cells[_i].period ? 0 : 997,
				       .period = cells[_i].period };
	struct pmu_refusal why = { .why = "" };
	struct pmu_event ev;

	if (!here())
		return;
	machine(cells[_i].machine);
	kernel = cells[_i].kernel;
	ck_assert_int_eq(pmu_event_parse(cells[_i].name, &rate, &ev, &why), 0);
	if (pmu_event_probe(&ev, &why)) {
		ck_assert_msg(*cells[_i].refused && strstr(why.why, cells[_i].refused) &&
				      strstr(why.todo, cells[_i].todo),
			      "%s: %s: %s", cells[_i].name, why.why, why.todo);
		ck_assert_int_eq(pmu_event_substitute(&ev, &rate, &why), 0);
		ck_assert_int_eq(pmu_event_probe(&ev, &why), 0);
	} else {
		ck_assert_msg(!*cells[_i].refused, "%s is not refused", cells[_i].name);
	}
	ck_assert_str_eq(ev.label, cells[_i].label);
	/* What is counted is what the label says. */
	if (ev.attr.type != PERF_TYPE_SOFTWARE) {
		const char *letters = strrchr(ev.label, ':');

		ck_assert(last.exclude_user == !strchr(letters, 'u'));
		ck_assert(last.exclude_kernel == !strchr(letters, 'k'));
	}
}
END_TEST

/* What has no side of a hypervisor's, or of a guest's, is asked without only where that is refused. */
START_TEST(flags_as_ever_where_they_are_taken)
{
	const struct pmu_rate hz = { .freq_hz = 997 };
	struct pmu_refusal why;
	struct pmu_event ev;

	if (!here())
		return;
	machine(INTEL);
	ck_assert_int_eq(pmu_event_parse("cycles:pp", &hz, &ev, &why), 0);
	ck_assert_int_eq(pmu_event_probe(&ev, &why), 0);
	ck_assert(last.exclude_hv && !last.exclude_guest && !last.config2);
	ck_assert_int_eq(pmu_counts_probe(&ev, &why), 0);
	ck_assert(last.exclude_hv && !last.exclude_guest);
	kernel = host_only;
	ck_assert_int_eq(pmu_counts_probe(&ev, &why), 0);
	ck_assert(last.exclude_hv && last.exclude_guest);
}
END_TEST

/* What is counted without samples is tried, too, and so is what `ompcount check' looks at. */
START_TEST(counters_that_stay_at_0)
{
	const struct pmu_rate hz = { .freq_hz = 997 };
	struct pmu_access access;
	struct pmu_refusal why;
	struct pmu_event ev;

	if (!here())
		return;
	machine(INTEL);
	for (int i = 0; i < 2; i++) {
		kernel = i ? dead : all;
		ck_assert_int_eq(pmu_event_parse("branch-misses", &hz, &ev, &why), 0);
		ck_assert_int_eq(pmu_counts_probe(&ev, &why), i ? -1 : 0);
		ck_assert(!i || strstr(why.why, "never counts"));
		pmu_access_probe(&access);
		ck_assert_int_eq(access.hardware, i ? PMU_HARDWARE_SILENT : PMU_HARDWARE_YES);
	}
}
END_TEST

/* Why every reading is a system call. */
START_TEST(reads_that_are_slow)
{
	static const struct {
		bool rdpmc, clock;
		int error;
		const char *why;
	} pages[] = {
		{ false, false, 0, "" },
		{ true, false, 0, "no clock" },
		{ false, false, EPERM, "perf_event_mlock_kb" },
	};
	const char *why;

	if (!here())
		return;
	machine(INTEL);
	mapped.played = true;
	mapped.error = pages[_i].error;
	mapped.page.cap_user_rdpmc = pages[_i].rdpmc;
	mapped.page.cap_user_time = pages[_i].clock;
	why = pmu_user_read_refusal();
	ck_assert_ptr_nonnull(why);
	ck_assert(strstr(why, *pages[_i].why ? pages[_i].why : pmu_register_hint()));
	ck_assert(!*pages[_i].why || !strstr(why, pmu_register_hint()));
	put("cpu_atom/type", "10\n");
	put("cpu_atom/cpus", "1\n");
	ck_assert(strstr(pmu_user_read_refusal(), "several kinds"));
	mapped.played = false;
}
END_TEST

/* Whatever the thread's number, first periods and later ones are what IBS takes. */
START_TEST(periods_of_ibs)
{
	const struct pmu_rate rate = { .freq_hz = _i ? 997 : 0, .period = _i ? 0 : 100 };
	struct pmu_refusal why;
	struct pmu_event ev;

	if (!here())
		return;
	machine(AMD_OLD);
	kernel = ibs_old;
	ck_assert_int_eq(pmu_event_parse("cycles:ukp", &rate, &ev, &why), 0);
	ck_assert_uint_eq(ev.period, _i ? 0 : 96);
	for (uint32_t tag = 0; tag < 32; tag++) {
		struct pmu_counter c;

		/* The first one of a frequency learns the pace: 4 GHz / 997, no multiple of 16. */
		ck_assert_int_eq(pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN,
						  _i ? 0 : tag, &why),
				 0);
		ck_assert(!c.first == (_i && !tag));
		ck_assert_uint_eq(c.first % 16, 0);
		ck_assert_uint_le(c.first, _i ? 4012032 : 96);
		phase_learn(&c, 4000000000, 1000000000);
		pmu_counter_close(&c);
	}
}
END_TEST

/* It leads the event's group, and is closed with it. */
START_TEST(memory_beside_its_auxiliary_event)
{
	const struct pmu_rate hz = { .freq_hz = 997 };
	struct pmu_refusal why;
	struct pmu_event ev;
	struct pmu_counter c;

	if (!here())
		return;
	machine(INTEL);
	kernel = _i ? all : aux_event;
	const int before = descriptors();
	ck_assert_int_eq(pmu_event_parse("cpu/mem-loads/p", &hz, &ev, &why), 0);
	ck_assert_int_eq(pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0,
					  &why),
			 0);
	ck_assert(last.sample_type & PERF_SAMPLE_DATA_SRC);
	ck_assert(last.sample_type & PERF_SAMPLE_ADDR);
	ck_assert_int_eq(descriptors(), before + (_i ? 1 : 2));
	if (c.ring)
		ck_assert_uint_eq(c.sample_type, last.sample_type);
	ck_assert_int_eq(pmu_counter_start(&c), 0);
	pmu_counter_stop(&c);
	pmu_counter_close(&c);
	ck_assert_int_eq(descriptors(), before);
	/* In a fork's child */
	ck_assert_int_eq(pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0,
					  &why),
			 0);
	pmu_counter_abandon(&c);
	ck_assert_int_eq(descriptors(), before);
}
END_TEST

/* A first period that is shorter than the handler ends again in it, where the counter goes on: the
   records' values show (phase.h). */
START_TEST(a_counter_that_goes_on_has_values)
{
	const struct pmu_rate rate = { .period = 500009 };
	struct pmu_refusal why;
	struct pmu_event ev;
	struct pmu_counter c;

	if (!here())
		return;
	machine(INTEL);
	kernel = all;
	ck_assert_int_eq(pmu_event_parse("cycles", &rate, &ev, &why), 0);
	if (pmu_counter_open(&c, &ev, gettid(), _i ? PMU_DELIVERY_SIGNAL : PMU_DELIVERY_SIGTRAP,
			     SIGRTMIN, 0, &why))
		return; /* the kernel is older than that */
	ck_assert(!(last.sample_type & PERF_SAMPLE_READ) == (_i == 1));
	pmu_counter_close(&c);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pmu_kernels");
	TCase *c = tcase_create("pmu_kernels");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, each_cell, 0, NCELLS);
	tcase_add_test(c, flags_as_ever_where_they_are_taken);
	tcase_add_test(c, counters_that_stay_at_0);
	tcase_add_loop_test(c, reads_that_are_slow, 0, 3);
	tcase_add_loop_test(c, periods_of_ibs, 0, 2);
	tcase_add_loop_test(c, memory_beside_its_auxiliary_event, 0, 2);
	tcase_add_loop_test(c, a_counter_that_goes_on_has_values, 0, 2);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
