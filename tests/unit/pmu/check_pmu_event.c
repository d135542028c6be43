/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_pmu_event.c - converts names to perf events, with a sysfs tree of the test, and
 * explains refusals.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmu/access.h"
#include "pmu/catalog.h"
#include "pmu/event.h"
#include "pmu/generic.h"
#include "pmu/pfm.h"
#include "pmu/sysfs.h"
#include "tests/support/suite_main.h"

static const struct pmu_rate hz = { .freq_hz = 997 };

enum { U = 1, K = 2 }; /* the sides that are counted */

static const struct {
	const char *name, *label;
	unsigned type;
	unsigned long long config;
	unsigned sides, precise;
	unsigned long long period; /* 0: frequency */
} good[] = {
	{ "cycles", "cycles:u", 0, 0, U, 0, 0 },
	{ "cpu-cycles", "cpu-cycles:u", 0, 0, U, 0, 0 },
	{ "cycles:u", "cycles:u", 0, 0, U, 0, 0 },
	{ "cycles:k", "cycles:k", 0, 0, K, 0, 0 },
	{ "cycles:uk", "cycles:uk", 0, 0, U | K, 0, 0 },
	{ "cycles:ku", "cycles:uk", 0, 0, U | K, 0, 0 },
	{ "cycles:u:k", "cycles:uk", 0, 0, U | K, 0, 0 },
	{ "cycles:p", "cycles:up", 0, 0, U, 1, 0 },
	{ "cycles:kpp", "cycles:kpp", 0, 0, K, 2, 0 },
	{ "cycles:ppp", "cycles:uppp", 0, 0, U, 3, 0 },
	{ "instructions", "instructions:u", 0, 1, U, 0, 0 },
	{ "branches", "branches:u", 0, 4, U, 0, 0 },
	{ "branch-instructions", "branch-instructions:u", 0, 4, U, 0, 0 },
	{ "ref-cycles", "ref-cycles:u", 0, 9, U, 0, 0 },
	{ "stalled-cycles-backend", "stalled-cycles-backend:u", 0, 8, U, 0, 0 },
	{ "cpu-clock", "cpu-clock:u", 1, 0, U, 0, 1003009 },
	{ "task-clock:uk", "task-clock:uk", 1, 1, U | K, 0, 1003009 },
	{ "page-faults", "page-faults:u", 1, 2, U, 0, 0 },
	{ "faults", "faults:u", 1, 2, U, 0, 0 },
	{ "context-switches", "context-switches", 1, 3, U | K, 0, 0 },
	{ "cs", "cs", 1, 3, U | K, 0, 0 },
	{ "cpu-migrations", "cpu-migrations", 1, 4, U | K, 0, 0 },
	{ "context-switches:k", "context-switches:k", 1, 3, K, 0, 0 },
	{ "L1-dcache-loads", "L1-dcache-loads:u", 3, 0, U, 0, 0 },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses:u", 3, 0x10000, U, 0, 0 },
	{ "LLC-load-misses", "LLC-load-misses:u", 3, 0x10002, U, 0, 0 },
	{ "llc-LOAD-misses", "llc-LOAD-misses:u", 3, 0x10002, U, 0, 0 },
	{ "LLC-stores:k", "LLC-stores:k", 3, 0x102, K, 0, 0 },
	{ "dTLB-store-misses", "dTLB-store-misses:u", 3, 0x10103, U, 0, 0 },
	{ "node-prefetches", "node-prefetches:u", 3, 0x206, U, 0, 0 },
	{ "branch-load-misses", "branch-load-misses:u", 3, 0x10005, U, 0, 0 },
	{ "r1a8", "r1a8:u", 4, 0x1a8, U, 0, 0 },
	{ "rFFFFffffffffffff:uk", "rFFFFffffffffffff:uk", 4, ~0ull, U | K, 0, 0 },
	{ "cpu/event=0x3c/", "cpu/event=0x3c/:u", 4, 0x3c, U, 0, 0 },
	{ "cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/:u", 4, 0x13c, U, 0, 0 },
	{ "cpu/event=0x3c,umask=1,inv/k", "cpu/event=0x3c,umask=1,inv/:k", 4, 0x80013c, K, 0, 0 },
	{ "cpu/event=0x3c,inv=0/:kp", "cpu/event=0x3c,inv=0/:kp", 4, 0x3c, K, 1, 0 },
	{ "cpu/config=0x1ff/", "cpu/config=0x1ff/:u", 4, 0x1ff, U, 0, 0 },
	{ "cpu/split=0xab/", "cpu/split=0xab/:u", 4, 0xa0000000bull, U, 0, 0 },
	{ "cpu/mem-loads/", "cpu/mem-loads/:u", 4, 0x1cd, U, 0, 0 },
	{ "cpu/mem-loads,umask=2/", "cpu/mem-loads,umask=2/:u", 4, 0x2cd, U, 0, 0 },
	{ "mem-loads:pp", "mem-loads:upp", 4, 0x1cd, U, 2, 0 },
	{ "software/config=0/", "software/config=0/:u", 1, 0, U, 0, 1003009 },
	{ "software/config=3/", "software/config=3/", 1, 3, U | K, 0, 0 },
};

static const struct {
	const char *name;
	int error;
	const char *why, *todo; /* parts of what is said */
} bad[] = {
	{ "", EINVAL, "empty", "ompcount list" },
	{ "cylces", ENOENT, "no event", "did you mean cycles?" },
	{ "LLC-laod-misses", ENOENT, "no event", "LLC-load-misses" },
	{ "xyzzy", ENOENT, "no event", "ompcount list" },
	{ "sched:sched_switch", ENOENT, "no event", "ompcount list" },
	{ "cycles:G", EINVAL, "guest", "use u" },
	{ "cycles:uH", EINVAL, "host", "use u" },
	{ "cycles:h", EINVAL, "hypervisor", "use u" },
	{ "cycles:x", EINVAL, "modifier x", "use u" },
	{ "cycles:pppp", EINVAL, "ppp", "p" },
	{ "cpu-clock:p", EINVAL, "exact instruction", "leave p out" },
	{ "page-faults:upp", EINVAL, "exact instruction", "leave p out" },
	{ "context-switches:u", EINVAL, "kernel only", "leave u out" },
	{ "software/config=3/u", EINVAL, "kernel only", "leave u out" },
	{ "wall:u", EINVAL, "clock", "leave u and k out" },
	{ "dummy", EINVAL, "counts nothing", "" },
	{ "r", ENOENT, "no event", "" },
	{ "r12345678123456789", ENOENT, "no event", "" },
	{ "cpu/event=0x1ff/", ERANGE, "does not fit", "" },
	{ "cpu/event=x/", EINVAL, "number", "" },
	{ "cpu/event=-1/", EINVAL, "number", "" },
	{ "cpu/event=/", EINVAL, "number", "" },
	{ "cpu/nosuch=1/", EINVAL, "nosuch", "ompcount list cpu/" },
	{ "cpu/period/", EINVAL, "period wants a number", "period=N" },
	{ "cpu/period=100/", ENOENT, "no event", "" },
	{ "cycles/period=0/", EINVAL, "no way to sample: period=0", "1 or more" },
	{ "cycles/period=/u", EINVAL, "no way to sample: period=", "1 or more" },
	{ "cycles/period=-1/", EINVAL, "no way to sample", "" },
	{ "cycles/freq=1x/", EINVAL, "no way to sample: freq=1x", "" },
	{ "cycles/freq=4294967296/", EINVAL, "no way to sample", "" },
	{ "cycles/freq=200000/", EINVAL, "200000 samples a second are too many", "" },
	{ "cycles/freq=9,period=9/", EINVAL, "at once", "" },
	{ "cpu-clock/period=9999/", EINVAL, "too short", "" },
	{ "cycles/period=9/z", EINVAL, "modifier z", "use u" },
	{ "cpu/event=1,/", EINVAL, "empty", "" },
	{ "cpu/wants/", EINVAL, "value for ldat", "terms" },
	{ "cpu/broken=1/", ERANGE, "does not fit", "" },
	{ "cpu/far=1/", ERANGE, "does not fit", "" },
	{ "cpu//", EINVAL, "form", "PMU/" },
	{ "cpu/event=1", EINVAL, "form", "PMU/" },
	{ "/event=1/", EINVAL, "form", "PMU/" },
	{ "cpu/event=1/x/", EINVAL, "form", "PMU/" },
	{ "cpu/event=1/z", EINVAL, "modifier z", "use u" },
	{ "../config=1/", ENOENT, "no PMU named ..", "it has" },
	{ "cpu/../type/", EINVAL, "form", "" },
	{ "gpu/event=1/", ENOENT, "no PMU named gpu", "cpu software tracepoint uncore" },
	{ "uncore/clock/", EINVAL, "whole packages", "" },
	{ "tracepoint/config=1/", EINVAL, "not sampled", "" },
};

static const struct {
	const char *path, *text;
} tree[] = {
	{ "cpu/type", "4\n" },
	{ "cpu/format/event", "config:0-7\n" },
	{ "cpu/format/umask", "config:8-15\n" },
	{ "cpu/format/inv", "config:23\n" },
	{ "cpu/format/ldat", "config1:0-15\n" },
	{ "cpu/format/split", "config:0-3,32-35\n" },
	{ "cpu/format/broken", "config\n" },
	{ "cpu/format/far", "config:60-99\n" },
	{ "cpu/events/cpu-cycles", "event=0x3c\n" },
	{ "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldat=3\n" },
	{ "cpu/events/mem-loads.unit", "Joules\n" },
	{ "cpu/events/wants", "event=0x1,ldat=?\n" },
	{ "software/type", "1\n" },
	{ "tracepoint/type", "2\n" },
	{ "uncore/type", "17\n" },
	{ "uncore/cpumask", "0\n" },
	{ "uncore/events/clock", "config=0x1\n" },
};

static const struct {
	const char *path, *text;
} hybrid[] = {
	{ "cpu_atom/type", "10\n" },  { "cpu_atom/cpus", "8-15\n" }, { "cpu_core/type", "4\n" },
	{ "cpu_core/cpus", "0-7\n" }, { "uncore/type", "17\n" },     { "uncore/cpumask", "0\n" },
};

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
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void base_new(void)
{
	snprintf(base, sizeof(base), "/tmp/check_pmu_event.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(base));
	pmu_sysfs_base(base);
}

static void tree_new(void)
{
	base_new();
	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++)
		put(tree[i].path, tree[i].text);
}

static void hybrid_new(void)
{
	base_new();
	for (size_t i = 0; i < sizeof(hybrid) / sizeof(hybrid[0]); i++)
		put(hybrid[i].path, hybrid[i].text);
}

static void tree_gone(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	ck_assert_int_eq(system(command), 0);
	pmu_sysfs_base(NULL);
}

static struct pmu_event parse(const char *name, const struct pmu_rate *rate)
{
	struct pmu_refusal why;
	struct pmu_event ev;
	int answer = pmu_event_parse(name, rate, &ev, &why);

	ck_assert_msg(!answer, "%s: %s: %s", why.what, why.why, why.todo);
	return ev;
}

START_TEST(understands)
{
	const struct pmu_event ev = parse(good[_i].name, &hz);
	const struct perf_event_attr *a = &ev.attr;

	ck_assert_int_eq(ev.kind, PMU_PERF);
	ck_assert_str_eq(ev.label, good[_i].label);
	ck_assert_str_eq(ev.requested, good[_i].name);
	ck_assert(!ev.substituted);
	ck_assert_uint_eq(a->type, good[_i].type);
	ck_assert_uint_eq(a->config, good[_i].config);
	ck_assert_uint_eq((a->exclude_user ? 0 : U) | (a->exclude_kernel ? 0 : K), good[_i].sides);
	ck_assert_uint_eq(a->precise_ip, good[_i].precise);
	ck_assert_uint_eq(ev.period, good[_i].period);
	ck_assert_uint_eq(ev.freq_hz, good[_i].period ? 0 : 997);
	ck_assert(ev.unit_ns == (good[_i].period != 0));
	ck_assert_uint_eq(a->read_format,
			  PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}
END_TEST

START_TEST(refuses)
{
	struct pmu_refusal why;
	struct pmu_event ev;

	memset(&why, 'x', sizeof(why));
	ck_assert_int_eq(pmu_event_parse(bad[_i].name, &hz, &ev, &why), -1);
	ck_assert_msg(strstr(why.why, bad[_i].why) && strstr(why.todo, bad[_i].todo) &&
			      why.error == bad[_i].error,
		      "%s: %s: %s: %s (%d)", bad[_i].name, why.what, why.why, why.todo, why.error);
	if (*bad[_i].name)
		ck_assert_str_eq(why.what, bad[_i].name);
}
END_TEST

/* The rate that is asked for is the others'. */
START_TEST(takes_an_events_own_rate)
{
	static const struct {
		const char *name, *label;
		unsigned long long period;
		unsigned freq;
	} own[] = {
		{ "cycles/period=1000003/", "cycles:u", 1000003, 0 },
		{ "cycles/period=1000003/k", "cycles:k", 1000003, 0 },
		{ "cycles/freq=500/:uk", "cycles:uk", 0, 500 },
		{ "cpu/event=0x3c,period=0x100/u", "cpu/event=0x3c/:u", 256, 0 },
		{ "cpu/freq=7,event=0x3c/", "cpu/event=0x3c/:u", 0, 7 },
		{ "cpu/event=0x3c,freq=7,umask=1/k", "cpu/event=0x3c,umask=1/:k", 0, 7 },
		{ "cpu-clock/period=2000000/", "cpu-clock:u", 2000000, 0 },
		{ "context-switches/period=1/", "context-switches", 1, 0 },
		{ "wall/freq=100/", "wall", 10000000, 0 },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		const struct pmu_event ev = parse(own[i].name, &hz);

		ck_assert_str_eq(ev.label, own[i].label);
		ck_assert_str_eq(ev.requested, own[i].name);
		ck_assert_uint_eq(ev.period, own[i].period);
		ck_assert_uint_eq(ev.freq_hz, own[i].freq);
	}
	ck_assert_uint_eq(parse("cpu/event=0x3c,period=9,umask=1/", &hz).attr.config, 0x13c);
}
END_TEST

START_TEST(an_alias_sets_every_word)
{
	ck_assert_uint_eq(parse("cpu/mem-loads/", &hz).attr.config1, 3);
	ck_assert_uint_eq(parse("cpu/ldat=0xffff/", &hz).attr.config1, 0xffff);
	ck_assert_uint_eq(parse("cpu/config1=7,config2=8/", &hz).attr.config2, 8);
}
END_TEST

START_TEST(wall_is_no_perf_event)
{
	const struct pmu_event ev = parse("wall", &hz);

	ck_assert_int_eq(ev.kind, PMU_WALL);
	ck_assert_str_eq(ev.label, "wall");
	ck_assert(ev.unit_ns);
	ck_assert_uint_eq(ev.period, 1003009);
}
END_TEST

START_TEST(rates)
{
	static const struct {
		const char *name;
		struct pmu_rate rate;
		const char *why; /* NULL: taken */
	} rates_of[] = {
		{ "cycles", { 0, 0 }, "rate of 0" },
		{ "cycles", { 997, 1000 }, "at once" },
		{ "cycles", { 1000000000, 0 }, "1000000000 samples a second are too many" },
		{ "cycles", { PMU_FREQ_MAX_HZ + 1, 0 }, "too many" },
		{ "cycles", { PMU_FREQ_MAX_HZ, 0 }, NULL },
		{ "cpu-clock", { PMU_FREQ_MAX_HZ, 0 }, NULL },
		{ "wall", { 1000000000, 0 }, "too many" },
		{ "cpu-clock", { 0, 9999 }, "too short" },
		{ "wall", { 0, 1 }, "too short" },
		{ "cpu-clock", { 0, 10000 }, NULL },
		{ "cycles", { 0, 1 }, NULL },
		{ "cycles", { 0, ~0ull >> 1 }, NULL },
		{ "cycles", { 0, ~0ull }, "never ends" },
	};

	for (size_t i = 0; i < sizeof(rates_of) / sizeof(rates_of[0]); i++) {
		struct pmu_refusal why;
		struct pmu_event ev;
		int answer = pmu_event_parse(rates_of[i].name, &rates_of[i].rate, &ev, &why);

		ck_assert_int_eq(answer, rates_of[i].why ? -1 : 0);
		if (answer)
			ck_assert_msg(strstr(why.why, rates_of[i].why) != NULL, "%s", why.why);
		else
			ck_assert(!ev.period != !ev.freq_hz);
	}
}
END_TEST

START_TEST(lists)
{
	struct pmu_event evs[3];
	struct pmu_refusal why;

	ck_assert_int_eq(pmu_event_parse_list("cycles", &hz, evs, 3, &why), 1);
	ck_assert_int_eq(pmu_event_parse_list("cpu/event=1,umask=2/k,wall,r1", &hz, evs, 3, &why),
			 3);
	ck_assert_str_eq(evs[0].label, "cpu/event=1,umask=2/:k");
	ck_assert_str_eq(evs[1].label, "wall");
	ck_assert_str_eq(evs[2].label, "r1:u");
	ck_assert_int_eq(pmu_event_parse_list("r1,r2,r3,r4", &hz, evs, 3, &why), -1);
	ck_assert_int_eq(why.error, E2BIG);
	ck_assert_int_eq(pmu_event_parse_list("r1,", &hz, evs, 3, &why), -1);
	ck_assert_int_eq(pmu_event_parse_list(",r1", &hz, evs, 3, &why), -1);
	ck_assert_int_eq(pmu_event_parse_list("", &hz, evs, 3, &why), -1);
	ck_assert_int_eq(pmu_event_parse_list("r1,nonsense", &hz, evs, 3, &why), -1);
	ck_assert_str_eq(why.what, "nonsense");
}
END_TEST

START_TEST(long_names_are_cut_with_a_mark)
{
	const struct pmu_event ev =
		parse("cpu/event=0x0000000000000000000001,umask=0x0000000000000001/kpp", &hz);
	char list[700] = "r1,";
	struct pmu_event evs[3];
	struct pmu_refusal why;

	ck_assert_uint_eq(strlen(ev.label), PMU_NAME_BYTES - 1);
	ck_assert_str_eq(ev.label + PMU_NAME_BYTES - 1 - 5, "~:kpp");
	memset(list + 3, 'a', 600);
	ck_assert_int_eq(pmu_event_parse_list(list, &hz, evs, 3, &why), -1);
}
END_TEST

START_TEST(a_generic_event_spreads_over_kinds_of_cores)
{
	struct pmu_event evs[4], ev = parse("cycles", &hz);

	ck_assert_int_eq(pmu_event_spread(&ev, evs, 4), 2);
	ck_assert_uint_eq(evs[0].attr.config, 10ull << 32);
	ck_assert_uint_eq(evs[1].attr.config, 4ull << 32);
	ck_assert_str_eq(evs[1].label, "cycles:u");
	ck_assert_int_eq(pmu_event_spread(&ev, evs, 1), 1);
	ev = parse("LLC-load-misses", &hz);
	ck_assert_int_eq(pmu_event_spread(&ev, evs, 4), 2);
	ck_assert_uint_eq(evs[0].attr.config, 10ull << 32 | 0x10002);
	ev = parse("cpu-clock", &hz);
	ck_assert_int_eq(pmu_event_spread(&ev, evs, 4), 1);
	ck_assert_uint_eq(evs[0].attr.config, 0);
	ev = parse("wall", &hz);
	ck_assert_int_eq(pmu_event_spread(&ev, evs, 4), 1);
}
END_TEST

START_TEST(one_kind_of_core_spreads_nothing)
{
	struct pmu_event evs[4], ev = parse("cycles", &hz);

	ck_assert_int_eq(pmu_event_spread(&ev, evs, 4), 1);
	ck_assert_uint_eq(evs[0].attr.config, 0);
}
END_TEST

START_TEST(suggests_what_is_near_and_nothing_else)
{
	static const struct {
		const char *typed, *meant;
	} near[] = {
		{ "cylces", "cycles" }, { "instruction", "instructions" },
		{ "CYCLES", "cycles" }, { "cpu-clok", "cpu-clock" },
		{ "walll", "wall" },	{ "dTLB-load-mises", "dTLB-load-misses" },
		{ "zzz", "" },		{ "x", "" },
		{ "flops", "" },	{ "a-name-much-longer-than-any-event-has-one", "" },
	};
	char meant[PMU_NAME_BYTES];

	for (size_t i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
		pmu_suggest(near[i].typed, strlen(near[i].typed), meant, sizeof(meant));
		ck_assert_str_eq(meant, near[i].meant);
	}
}
END_TEST

#if defined(__x86_64__)
#define FORCED_PMU "skl"
static const struct {
	const char *name, *label;
	unsigned long long config;
} pfm_events[] = {
	{ "INST_RETIRED:ANY_P", "INST_RETIRED:ANY_P:u", 0xc0 },
	{ "INST_RETIRED:ANY_P:k", "INST_RETIRED:ANY_P:k", 0xc0 },
	{ "INST_RETIRED:ANY_P:u:k", "INST_RETIRED:ANY_P:uk", 0xc0 },
	{ "skl::MEM_LOAD_RETIRED:L3_MISS:pp", "skl::MEM_LOAD_RETIRED:L3_MISS:upp", 0x20d1 },
};
static const char no_umask[] = "INST_RETIRED:NO_SUCH_UMASK";
#else
#define FORCED_PMU "arm_ac57"
static const struct {
	const char *name, *label;
	unsigned long long config;
} pfm_events[] = {
	{ "INST_RETIRED", "INST_RETIRED:u", 0x8 },
	{ "arm_ac57::L1D_CACHE_REFILL:k", "arm_ac57::L1D_CACHE_REFILL:k", 0x3 },
};
static const char no_umask[] = "INST_RETIRED:NO_SUCH_UMASK";
#endif

static bool forced_pmu(void)
{
	char cpu[96];

	setenv("LIBPFM_FORCE_PMU", FORCED_PMU, 1);
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	pmu_pfm_cpu(cpu, sizeof(cpu));
	if (!strncmp(cpu, FORCED_PMU, strlen(FORCED_PMU)))
		return true;
	printf("SKIP: libpfm4's names: it %s\n",
	       pmu_pfm_loaded() ? "does not know " FORCED_PMU : "could not be opened");
	fflush(stdout);
	return false;
}

START_TEST(knows_libpfm4s_names)
{
	struct pmu_refusal why;
	struct pmu_event ev;

	if (!forced_pmu())
		return;
	for (size_t i = 0; i < sizeof(pfm_events) / sizeof(pfm_events[0]); i++) {
		ev = parse(pfm_events[i].name, &hz);
		ck_assert_str_eq(ev.label, pfm_events[i].label);
		ck_assert_uint_eq(ev.attr.config, pfm_events[i].config);
	}
	ck_assert_int_eq(pmu_event_parse(no_umask, &hz, &ev, &why), -1);
	ck_assert_msg(strstr(why.why, "libpfm4") && strstr(why.todo, "INST_RETIRED"), "%s: %s",
		      why.why, why.todo);
	ev = parse("perf::CONTEXT-SWITCHES", &hz);
	ck_assert_uint_eq(ev.attr.exclude_kernel, 0);
	pmu_pfm_unload();
	ck_assert_str_eq(parse("cycles", &hz).label, "cycles:u");
}
END_TEST

struct seen {
	int entries, clocks, sysfs, pfm, refused;
	bool cycles, mem_loads;
	int stop_at;
};

static int look(const struct pmu_catalog_entry *e, void *arg)
{
	struct seen *s = arg;

	ck_assert(*e->name);
	ck_assert_ptr_nonnull(e->description);
	ck_assert(e->countable == !e->why_not);
	if (e->why_not)
		ck_assert(*e->why_not->why);
	s->entries++;
	s->refused += !e->countable;
	s->clocks += e->source == PMU_SOURCE_CLOCK;
	s->sysfs += e->source == PMU_SOURCE_SYSFS;
	s->pfm += e->source == PMU_SOURCE_PFM;
	s->cycles |= !strcmp(e->name, "cycles");
	s->mem_loads |= !strcmp(e->name, "cpu/mem-loads/");
	return s->stop_at && s->entries == s->stop_at ? 42 : 0;
}

START_TEST(catalog)
{
	struct seen all = { .entries = 0 }, some = all, stopped = { .stop_at = 3 };
	struct seen globbed = all, none = all, alias = all;

	ck_assert_int_eq(pmu_catalog(NULL, look, &all), 0);
	ck_assert(all.cycles && all.mem_loads);
	ck_assert_int_eq(all.clocks, 3);
	ck_assert_int_eq(all.sysfs, 4);
	ck_assert_int_eq(pmu_catalog("CLOCK", look, &some), 0);
	ck_assert_int_eq(some.clocks, 2);
	ck_assert_int_eq(some.sysfs, 1);
	ck_assert_int_eq(pmu_catalog("c?cles", look, &globbed), 0);
	ck_assert_int_eq(globbed.entries, 1);
	ck_assert_int_eq(pmu_catalog("cpu-cycles", look, &alias), 0);
	ck_assert(alias.cycles);
	ck_assert_int_eq(pmu_catalog("no such event", look, &none), 0);
	ck_assert_int_eq(none.entries, 0);
	ck_assert_int_eq(pmu_catalog(NULL, look, &stopped), 42);
	ck_assert_int_eq(stopped.entries, 3);
}
END_TEST

START_TEST(access_says_what_trying_says)
{
	struct pmu_access a;
	struct pmu_refusal why;
	struct pmu_event ev = parse("cpu-clock", &hz);

	pmu_access_probe(&a);
	ck_assert(a.user_clock == !pmu_event_probe(&ev, &why));
	ev = parse("cpu-clock:uk", &hz);
	ck_assert(a.kernel_events == !pmu_event_probe(&ev, &why));
	ev = parse("cycles", &hz);
	ck_assert((a.hardware == PMU_HARDWARE_YES) == !pmu_event_probe(&ev, &why));
	ck_assert(a.syscall_works == (a.syscall_errno == 0));
	ck_assert(!a.user_clock || a.syscall_works);
	ck_assert_str_eq(a.pmus, "cpu");
}
END_TEST

static void add(Suite *s, const char *name, void (*setup)(void), const TTest *const *tests)
{
	TCase *t = tcase_create(name);

	tcase_add_unchecked_fixture(t, setup, tree_gone);
	for (; *tests; tests++)
		tcase_add_test(t, *tests);
	suite_add_tcase(s, t);
}

int main(void)
{
	Suite *s = suite_create("pmu_event");
	TCase *names = tcase_create("names");

	tcase_add_unchecked_fixture(names, tree_new, tree_gone);
	tcase_add_loop_test(names, understands, 0, (int)(sizeof(good) / sizeof(good[0])));
	tcase_add_loop_test(names, refuses, 0, (int)(sizeof(bad) / sizeof(bad[0])));
	suite_add_tcase(s, names);
	add(s, "events", tree_new,
	    (const TTest *const[]){
		    takes_an_events_own_rate, an_alias_sets_every_word, wall_is_no_perf_event,
		    rates, lists, long_names_are_cut_with_a_mark, one_kind_of_core_spreads_nothing,
		    suggests_what_is_near_and_nothing_else, knows_libpfm4s_names, catalog,
		    access_says_what_trying_says, NULL });
	add(s, "hybrid", hybrid_new,
	    (const TTest *const[]){ a_generic_event_spreads_over_kinds_of_cores, NULL });
	return suite_main(s);
}
