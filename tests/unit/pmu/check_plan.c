/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_plan.c - which events share a group, and what is opened on machines with several
 * kinds of cores.  The kernel is simulated: as many events fit into a group as the test
 * says.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/counts.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"
#include "tests/support/descriptors.h"
#include "tests/support/suite_main.h"

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

enum { INTEL = 4 }; /* the type of its core PMU */

static int fits;	      /* events of a group that the kernel opens */
static int runs;	      /* and that it gives counters to */
static uint32_t refused_kind; /* of cores: nothing can be counted there */
static bool no_kinds;	      /* generic events of one kind are not known */
static bool slots_lead;	      /* the last group */
static int fail_at, opens;    /* the open that fails */
static int members;

static void swap(struct perf_event_attr *attr, const struct perf_event_attr *asked)
{
	*attr = *asked;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->config1 = attr->sample_type = attr->sample_period = attr->freq = 0;
}

static long open_event(const struct perf_event_attr *asked, long *a)
{
	struct perf_event_attr attr;
	long fd;

	members = (int)a[3] < 0 ? 1 : members + 1;
	if (++opens == fail_at) {
		errno = EMFILE;
		return -1;
	}
	const bool generic = asked->type == PERF_TYPE_HARDWARE || asked->type == PERF_TYPE_HW_CACHE;
	const uint64_t kind = generic ? asked->config >> 32 : asked->type;

	if (kind && ((no_kinds && generic) || kind == refused_kind)) {
		errno = ENOENT;
		return -1;
	}
	if (asked->type == INTEL && (int)a[3] < 0)
		slots_lead = asked->config == 0x400;
	if (asked->type == INTEL && (asked->config & 0xff) == 0 && asked->config >= 0x8000 &&
	    !((int)a[3] >= 0 && slots_lead)) {
		errno = EINVAL;
		return -1;
	}
	if (asked->type != PERF_TYPE_SOFTWARE && members > fits) {
		errno = EINVAL;
		return -1;
	}
	swap(&attr, asked);
	fd = __real_syscall(SYS_perf_event_open, &attr, a[1], a[2], a[3], a[4]);
	return fd;
}

long __wrap_syscall(long number, ...)
{
	long a[5], got;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return open_event((const void *)a[0], a);
	got = __real_syscall(number, a[0], a[1], a[2], a[3], a[4]);
	/* A single event counts. */
	if (number == SYS_read && got == 3 * (long)sizeof(uint64_t))
		((uint64_t *)a[1])[0] = 1;
	/* A leader has its counter until too many others are added. */
	if (number == SYS_read && got > 0 && ((uint64_t *)a[1])[0] > (uint64_t)runs)
		((uint64_t *)a[1])[2] = 7;
	return got;
}

/* User code may read each counter: pages are not asked for. */
int __wrap_pmu_fastread_open(struct pmu_fastread *f, int fd);
int __wrap_pmu_fastread_open(struct pmu_fastread *f, int fd)
{
	(void)fd;
	*f = (struct pmu_fastread){ NULL, 0 };
	return 0;
}

int __wrap_pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v);
int __wrap_pmu_fastread(const struct pmu_fastread *f, struct pmu_value *v)
{
	(void)f;
	*v = (struct pmu_value){ 0 };
	return 0;
}

/* ---- a tree of sysfs ------------------------------------------------- */

static char base[64];

static void pmu(const char *name, const char *type, const char *cpus)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", base, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/type", base, name);
	f = fopen(path, "w");
	ck_assert(f && fputs(type, f) >= 0 && !fclose(f));
	snprintf(path, sizeof(path), "%s/%s/cpus", base, name);
	f = cpus ? fopen(path, "w") : NULL;
	ck_assert(!cpus || (f && fputs(cpus, f) >= 0 && !fclose(f)));
}

static void put(const char *pmu, const char *folder, const char *name, const char *text)
{
	char path[192];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", base, pmu, folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s/%s", base, pmu, folder, name);
	f = fopen(path, "w");
	ck_assert(f && fputs(text, f) >= 0 && !fclose(f));
}

/* An event of the PMU's own. */
static void own(const char *pmu, const char *event, const char *terms)
{
	put(pmu, "format", "event", "config:0-15\n");
	put(pmu, "format", "ldat", "config1:0-15\n");
	put(pmu, "events", event, terms);
}

static void setup(void)
{
	snprintf(base, sizeof(base), "/tmp/check_plan.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(base));
	pmu_sysfs_base(base);
	pmu("software", "1\n", NULL);
	fits = runs = 4;
	refused_kind = 0;
	no_kinds = false;
	fail_at = opens = 0;
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	ck_assert_int_eq(system(command), 0);
}

static struct pmu_event events[PMU_EVENTS_MAX];

static int parse(const char *list)
{
	static const struct pmu_rate rate = { .freq_hz = 997 };
	struct pmu_refusal why;
	int n = pmu_event_parse_list(list, &rate, events, PMU_EVENTS_MAX, &why);

	ck_assert_msg(n > 0, "%s: %s", list, why.why);
	return n;
}

/* "0:0 1:0 …": numbers and groups. */
static void planned(const char *list, const char *expected)
{
	struct pmu_plan plan;
	char text[256] = "";
	int before = descriptors();

	ck_assert_int_eq(pmu_plan_make(&plan, events, parse(list)), plan.ngroups);
	for (int i = 0; i < plan.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d:%d", i ? " " : "",
			 plan.events[i].number, plan.events[i].group);
	ck_assert_str_eq(text, expected);
	ck_assert_int_eq(descriptors(), before);
}

#define SIX "cycles,instructions,branches,branch-misses,cache-references,cache-misses"

START_TEST(what_fits_is_together)
{
	pmu("cpu", "4\n", NULL);
	planned(SIX, "0:0 1:0 2:0 3:0 4:1 5:1");
	fits = 16;
	runs = 16;
	planned(SIX, "0:0 1:0 2:0 3:0 4:0 5:0");
	fits = 1;
	planned("cycles,instructions,r1", "0:0 1:1 2:2");
}
END_TEST

/* The kernel opens more than it will ever run. */
START_TEST(what_runs_is_together)
{
	pmu("cpu", "4\n", NULL);
	runs = 2;
	planned(SIX, "0:0 1:0 2:1 3:1 4:2 5:2");
}
END_TEST

START_TEST(nothing_runs)
{
	struct pmu_plan plan;

	pmu("cpu", "4\n", NULL);
	runs = 0;
	pmu_plan_make(&plan, events, parse("cycles,instructions"));
	for (int g = 0; g < plan.ngroups; g++)
		ck_assert(!plan.ran[g] && !plan.fast[g]);
}
END_TEST

START_TEST(software_is_by_itself)
{
	pmu("cpu", "4\n", NULL);
	planned("page-faults,cycles,task-clock,instructions", "1:0 3:0 0:1 2:1");
	planned("page-faults", "0:0");
}
END_TEST

START_TEST(each_kind_of_core_has_its_groups)
{
	pmu("cpu_atom", "10\n", "8-15\n");
	pmu("cpu_core", "4\n", "0-7\n");
	planned("cycles,instructions,page-faults", "0:0 1:0 0:1 1:1 2:2");
	/* Those that can't count it are left out, but for one that shows why. */
	refused_kind = 10;
	planned("cycles,instructions,page-faults", "0:0 1:0 2:1");
}
END_TEST

START_TEST(which_kinds_count_it)
{
	struct pmu_kinds kinds;

	pmu("cpu", "4\n", NULL);
	parse("cycles,page-faults");
	ck_assert(!pmu_event_kinds(&events[0], pmu_event_probe, &kinds));
	pmu("cpu_atom", "10\n", "8-15\n");
	pmu("cpu_core", "11\n", "0-7\n");
	ck_assert(!pmu_event_kinds(&events[1], pmu_event_probe, &kinds));
	ck_assert(pmu_event_kinds(&events[0], pmu_event_probe, &kinds));
	ck_assert_str_eq(kinds.with, "cpu, cpu_atom, cpu_core");
	ck_assert_str_eq(kinds.without, "");
	refused_kind = 10;
	ck_assert(pmu_event_kinds(&events[0], pmu_counts_probe, &kinds));
	ck_assert_str_eq(kinds.with, "cpu, cpu_core");
	ck_assert_str_eq(kinds.without, "cpu_atom");
}
END_TEST

START_TEST(openings_for_each_kind)
{
	struct pmu_opening out[PMU_COUNTERS_MAX];

	pmu("cpu_atom", "10\n", "8-15\n");
	pmu("cpu_core", "4\n", "0-7\n");
	ck_assert_int_eq(pmu_event_openings(events, parse("cycles,page-faults,instructions"), out,
					    PMU_COUNTERS_MAX),
			 5);
	ck_assert_uint_eq(out[0].event.attr.config, UINT64_C(10) << 32);
	ck_assert_uint_eq(out[1].event.attr.config, UINT64_C(4) << 32);
	ck_assert_str_eq(out[1].event.label, "cycles:u");
	ck_assert_int_eq(out[1].number, 0);
	ck_assert_int_eq(out[2].number, 1);
	ck_assert_int_eq(out[4].number, 2);
	/* One each, where there is room for no more. */
	ck_assert_int_eq(pmu_event_openings(events, 3, out, 3), 3);
	ck_assert_int_eq(out[2].number, 2);
	/* Those that can't count it are left out, */
	refused_kind = 10;
	ck_assert_int_eq(pmu_event_openings(events, 3, out, PMU_COUNTERS_MAX), 3);
	ck_assert_uint_eq(out[0].event.attr.config, UINT64_C(4) << 32);
	/* and where none can, the thread is told why. */
	fail_at = 3; /* the first two ask whether the kernel knows kinds */
	opens = 0;
	refused_kind = 4;
	ck_assert_int_eq(pmu_event_openings(events, 1, out, PMU_COUNTERS_MAX), 1);
	ck_assert_uint_eq(out[0].event.attr.config, 0);
}
END_TEST

/* "number type:code core …" of what is opened for the list. */
static void opened(const char *list, const char *expected)
{
	struct pmu_opening out[PMU_COUNTERS_MAX];
	char text[256] = "";
	const int n = pmu_event_openings(events, parse(list), out, PMU_COUNTERS_MAX);

	for (int i = 0; i < n; i++) {
		const struct pmu_event *e = &out[i].event;

		ck_assert_str_eq(e->label, events[out[i].number].label);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d %u:%llx %u",
			 i ? ", " : "", out[i].number, e->attr.type,
			 (unsigned long long)e->attr.config, e->core);
	}
	ck_assert_str_eq(text, expected);
}

static void big_little(void)
{
	pmu("armv8_cortex_a55", "8\n", "0-3\n");
	pmu("armv8_cortex_a76", "9\n", "4-7\n");
	own("armv8_cortex_a55", "cpu_cycles", "event=0x0011\n");
	own("armv8_cortex_a76", "cpu_cycles", "event=0x0011\n");
	own("armv8_cortex_a76", "l1d_cache_refill", "event=0x0003\n");
}

/* Kernels before generic events of one kind of core: by each PMU's own code. */
START_TEST(own_codes_where_kinds_are_not_known)
{
	struct pmu_kinds kinds;

	big_little();
	opened("cycles,cache-misses,cpu-clock", "0 0:800000000 8, 0 0:900000000 9, "
						"1 0:800000003 8, 1 0:900000003 9, 2 1:0 0");
	no_kinds = true;
	opened("cycles,cache-misses,cpu-clock", "0 8:11 8, 0 9:11 9, 1 9:3 9, 2 1:0 0");
	opened("L1-dcache-load-misses", "0 9:3 9");
	ck_assert(pmu_event_kinds(&events[0], pmu_event_probe, &kinds));
	ck_assert_str_eq(kinds.with, "armv8_cortex_a76");
	ck_assert_str_eq(kinds.without, "armv8_cortex_a55");
	planned("cycles", "0:0 0:1");
}
END_TEST

/* Not one kind's half of it: what no kind is known to have is refused. */
START_TEST(what_no_kind_is_known_to_have)
{
	struct pmu_refusal why;

	big_little();
	parse("branches");
	ck_assert_int_eq(pmu_event_probe(&events[0], &why), 0);
	ck_assert_int_eq(pmu_counts_probe(&events[0], &why), 0);
	no_kinds = true;
	ck_assert_int_eq(pmu_event_probe(&events[0], &why), -1);
	ck_assert_int_eq(why.error, ENOENT);
	ck_assert_int_eq(pmu_counts_probe(&events[0], &why), -1);
}
END_TEST

/* The PMUs' own names, and raw codes. */
START_TEST(names_without_a_pmu)
{
	struct pmu_kinds kinds;
	struct pmu_refusal why;

	pmu("cpu_atom", "10\n", "8-15\n");
	own("cpu_atom", "mem-loads", "event=0x5d0,ldat=3\n");
	own("cpu_atom", "small", "event=0x77\n");
	opened("mem-loads,r3c,small,cpu_atom/small/", "0 10:5d0 0, 1 4:3c 0, 2 10:77 0, 3 10:77 0");
	ck_assert(!pmu_event_kinds(&events[0], pmu_event_probe, &kinds));
	pmu("cpu_core", "4\n", "0-7\n");
	own("cpu_core", "mem-loads", "event=0x1cd\n");
	opened("mem-loads,r3c,small,cpu_atom/small/,cpu_core/event=0x3c/",
	       "0 10:5d0 10, 0 4:1cd 4, 1 10:3c 10, 1 4:3c 4, 2 10:77 10, 3 10:77 10, 4 4:3c 4");
	ck_assert(pmu_event_kinds(&events[0], pmu_event_probe, &kinds));
	ck_assert_str_eq(kinds.with, "cpu_atom, cpu_core");
	ck_assert(pmu_event_kinds(&events[2], pmu_event_probe, &kinds));
	ck_assert_str_eq(kinds.with, "cpu_atom");
	ck_assert_str_eq(kinds.without, "cpu_core");
	/* It names its kind. */
	ck_assert(!pmu_event_kinds(&events[3], pmu_event_probe, &kinds));
	ck_assert(!pmu_event_kinds(&events[4], pmu_event_probe, &kinds));
	/* Of the kinds that have it, one is enough. */
	refused_kind = 10;
	opened("mem-loads", "0 4:1cd 4");
	ck_assert_int_eq(pmu_event_probe(&events[0], &why), 0);
	ck_assert_int_eq(pmu_counts_probe(&events[0], &why), 0);
	parse("small");
	ck_assert_int_eq(pmu_event_probe(&events[0], &why), -1);
	/* All words of the code are the PMU's own. */
	refused_kind = 0;
	ck_assert_int_eq(pmu_event_spread(&events[0], events + 1, 4), 1);
	parse("mem-loads");
	ck_assert_int_eq(pmu_event_spread(&events[0], events + 1, 4), 2);
	ck_assert_uint_eq(events[1].attr.config1, 3);
	ck_assert_uint_eq(events[2].attr.config1, 0);
	ck_assert(events[2].attr.exclude_kernel);
}
END_TEST

/* A thread may move to another kind between the look at the page and the read. */
START_TEST(user_code_reads_where_all_cores_are_of_one_kind)
{
	struct pmu_plan plan;

	pmu("cpu_core", "4\n", "0-7\n");
	pmu_plan_make(&plan, events, parse("cycles,r3c,cpu_core/config=1/"));
	ck_assert_int_ge(plan.ngroups, 1);
	for (int g = 0; g < plan.ngroups; g++)
		ck_assert(plan.fast[g]);
	pmu("cpu_atom", "10\n", "8-15\n");
	pmu_plan_make(&plan, events, parse("cycles,r3c,cpu_core/config=1/"));
	ck_assert_int_ge(plan.ngroups, 2);
	for (int g = 0; g < plan.ngroups; g++)
		ck_assert(!plan.fast[g]);
}
END_TEST

/* Whatever can't be opened, the rest counts and nothing is left behind. */
START_TEST(failing_opens)
{
	struct pmu_plan plan;
	struct pmu_counts c;
	struct pmu_refusal why;
	struct pmu_value v[PMU_COUNTS_MAX];
	const int before = descriptors();

	pmu("cpu", "4\n", NULL);
	pmu_plan_make(&plan, events, parse(SIX ",page-faults"));
	ck_assert_int_eq(plan.ngroups, 3);
	for (fail_at = 1; fail_at <= 8; fail_at++) {
		opens = 0;
		ck_assert_int_eq(pmu_counts_open(&c, &plan, &why), fail_at <= 7);
		if (fail_at <= 7)
			ck_assert_int_eq(why.error, EMFILE);
		for (int g = 0; g < c.ngroups; g++) {
			const int ret = pmu_counts_read(&c, g, v);

			ck_assert_int_eq(ret, c.size[g] ? 0 : -ESTALE);
		}
		pmu_counts_stop(&c);
		pmu_counts_start(&c);
		pmu_counts_close(&c);
		pmu_counts_close(&c);
		ck_assert_int_eq(descriptors(), before);
	}
}
END_TEST

/* An application closed all that it found, and has files of its own there. */
START_TEST(descriptors_of_the_application)
{
	struct pmu_plan plan;
	struct pmu_counts c;
	struct pmu_refusal why;
	struct pmu_value v[PMU_COUNTS_MAX];
	int fd, mine[2];

	pmu("cpu", "4\n", NULL);
	pmu_plan_make(&plan, events, parse("cycles"));
	ck_assert_int_eq(pmu_counts_open(&c, &plan, &why), 0);
	fd = c.counts[0].fd;
	close(fd);
	ck_assert_int_eq(pipe(mine), 0);
	ck_assert_int_eq(dup2(mine[0], fd), fd);
	ck_assert_int_eq(write(mine[1], "application's data, some bytes long", 35), 35);
	ck_assert_int_eq(pmu_counts_read(&c, 0, v), -ESTALE);
	pmu_counts_stop(&c);
	pmu_counts_close(&c);
	ck_assert_int_eq(read(fd, v, 35), 35);
	close(fd);
	close(mine[0]);
	close(mine[1]);
}
END_TEST

/* Topdown metrics are counted behind slots, and never read by user code. */
START_TEST(topdown_metrics)
{
	static const struct {
		const char *list, *expected;
		bool fast, opens;
	} cells[] = {
		{ "cycles,instructions", "0:0 1:0", true, true },
		{ "cpu/slots/,cpu/topdown-retiring/,cpu/topdown-bad-spec/", "0:0 1:0 2:0", false,
		  true },
		{ "cycles,cpu/slots/,cpu/topdown-retiring/", "0:0 1:1 2:1", false, true },
		{ "cpu/topdown-retiring/", "0:0", false, false },
	};
	struct pmu_refusal why = { .todo = "" };
	struct pmu_counts counts;
	struct pmu_plan plan;
	int n;

	pmu("cpu", "4\n", NULL);
	own("cpu", "slots", "event=0x400\n");
	own("cpu", "topdown-retiring", "event=0x8000\n");
	own("cpu", "topdown-bad-spec", "event=0x8100\n");
	planned(cells[_i].list, cells[_i].expected);
	n = parse(cells[_i].list);
	for (int i = 0; i < n; i++)
		ck_assert_int_eq(pmu_counts_probe(&events[i], &why), 0);
	pmu_plan_make(&plan, events, n);
	ck_assert(plan.fast[plan.ngroups - 1] == cells[_i].fast);
	ck_assert(plan.ran[plan.ngroups - 1]); /* or it was said to wait for a counter */
	ck_assert_int_eq(pmu_counts_open(&counts, &plan, &why), cells[_i].opens ? 0 : 1);
	ck_assert(cells[_i].opens || strstr(why.todo, "--count=slots"));
	pmu_counts_close(&counts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *c = tcase_create("plan");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, topdown_metrics, 0, 4);
	tcase_add_test(c, what_fits_is_together);
	tcase_add_test(c, what_runs_is_together);
	tcase_add_test(c, nothing_runs);
	tcase_add_test(c, software_is_by_itself);
	tcase_add_test(c, each_kind_of_core_has_its_groups);
	tcase_add_test(c, which_kinds_count_it);
	tcase_add_test(c, openings_for_each_kind);
	tcase_add_test(c, own_codes_where_kinds_are_not_known);
	tcase_add_test(c, what_no_kind_is_known_to_have);
	tcase_add_test(c, names_without_a_pmu);
	tcase_add_test(c, user_code_reads_where_all_cores_are_of_one_kind);
	tcase_add_test(c, failing_opens);
	tcase_add_test(c, descriptors_of_the_application);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
