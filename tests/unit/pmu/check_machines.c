/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_machines.c - machine x event x modifier x limit: what is counted, refused or marked.
 *
 * Each machine's answers are in tests/golden/machine-NAME.txt, a line a cell: the event that is
 * counted for the one asked for; why not that one, and what to do; what each thread opens (save.h
 * has the form), and what is marked. What must be so in each cell is checked besides.
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
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/access.h"
#include "pmu/counter.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"
#include "src/check/save.h"
#include "tests/support/descriptors.h"
#include "tests/support/golden_text.h"
#include "tests/support/machine.h"
#include "tests/support/suite_main.h"

static const char *const machines[] = {
	"intel-skylake",   "intel-sapphirerapids",
	"intel-alderlake", "amd-zen3",
	"amd-zen4",	   "arm-neoverse",
	"arm-biglittle",   "arm-biglittle-extended",
	"apple-m1",	   "a64fx",
	"riscv-plain",	   "cloud-none",
	"cloud-dead",	   "cloud-architectural",
	"cloud-cycles",
};

enum { MACHINES = sizeof(machines) / sizeof(machines[0]), OPENINGS = 32, TEXT = 1 << 16 };

static const char *const limits[MACHINE_LIMITS] = {
	[MACHINE_FREE] = "",
	[MACHINE_USER] = "paranoid 2",
	[MACHINE_CLOSED] = "paranoid 3",
	[MACHINE_FILTER] = "seccomp",
	[MACHINE_FILES] = "no descriptors",
	[MACHINE_RINGS] = "no rings",
	[MACHINE_RATE] = "rate 500",
	[MACHINE_BUSY] = "counters taken",
	[MACHINE_HALF] = "half of the time",
};

static char text[TEXT];

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	const size_t used = strlen(text);
	va_list ap;

	va_start(ap, format);
	ck_assert_int_lt(vsnprintf(text + used, TEXT - used, format, ap), (int)(TEXT - used));
	va_end(ap);
}

/* ---- a cell ---------------------------------------------------------- */

/* What is counted is what the label promises. */
static void keeps_its_promise(const struct pmu_event *ev, const struct perf_event_attr *a)
{
	const char *letters = strrchr(ev->label, ':');

	if (!letters || !strcmp(ev->label, "wall"))
		return;
	ck_assert_msg(a->exclude_user == !strchr(letters, 'u'), "%s", ev->label);
	ck_assert_msg(a->exclude_kernel == !strchr(letters, 'k'), "%s", ev->label);
	ck_assert_msg(a->precise_ip == strlen(letters) - strcspn(letters, "p"), "%s", ev->label);
	ck_assert_msg(!ev->period || a->freq || !ev->granule || a->sample_period % ev->granule == 0,
		      "%s: %llu", ev->label, (unsigned long long)a->sample_period);
}

/* Opens it as a thread does. */
static void open_one(const struct pmu_event *ev)
{
	char request[SAVE_REQUEST_BYTES];
	struct pmu_refusal why = { .why = "" };
	struct pmu_counter c;

	if (pmu_counter_open(&c, ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, &why)) {
		ck_assert(*why.why);
		say("\n    not opened: %s", why.why);
		return;
	}
	if (c.kind == PMU_PERF) {
		const struct perf_event_attr *a = machine_event(c.fd);

		ck_assert_ptr_nonnull(a);
		keeps_its_promise(ev, a);
		save_request(a, machine_leader(c.fd), request);
		say("\n    %s%s", request, c.unrecorded ? ", samples are marked" : "");
		if (a->freq && a->sample_freq != PMU_DEFAULT_FREQ_HZ)
			say(", %llu Hz", (unsigned long long)a->sample_freq);
	}
	pmu_counter_close(&c);
}

/* Half of a machine is never counted in silence. */
static void says_which_kinds(const struct pmu_event *ev, int nopened)
{
	struct pmu_kinds kinds;

	if (!pmu_event_kinds(ev, pmu_event_probe, &kinds))
		return;
	if (*kinds.without)
		say("\n    not on %s", kinds.without);
	ck_assert_msg(nopened == pmu_sysfs_kinds() || *kinds.without, "%s is opened on %d kinds",
		      ev->label, nopened);
}

static void open_all(const struct pmu_event *ev)
{
	struct pmu_opening out[OPENINGS];
	const int n = pmu_event_openings(ev, 1, out, OPENINGS);

	ck_assert_int_ge(n, 1);
	for (int i = 0; i < n; i++)
		open_one(&out[i].event);
	says_which_kinds(ev, n);
}

static void cell(const char *name, uint64_t period)
{
	const struct pmu_rate rate = { .freq_hz = period ? 0 : PMU_DEFAULT_FREQ_HZ,
				       .period = period };
	struct pmu_refusal why = { .why = "" }, none = { .why = "" };
	struct pmu_event ev;

	say("  %s%s: ", name, period ? " each 1000003" : "");
	if (pmu_event_parse(name, &rate, &ev, &why)) {
		ck_assert(*why.why);
		say("unknown: %s; %s\n", why.why, why.todo);
		return;
	}
	if (pmu_event_probe(&ev, &why)) {
		ck_assert_msg(*why.why && !strchr(why.why, '\n'), "%s", name);
		if (pmu_event_substitute(&ev, &rate, &none)) {
			say("nothing: %s; %s\n", why.why, why.todo);
			return;
		}
		ck_assert(ev.substituted);
		ck_assert_int_eq(pmu_event_probe(&ev, &none), 0);
		say("%s: %s; %s", ev.label, why.why, why.todo);
	} else {
		say("%s", ev.label);
	}
	open_all(&ev);
	say("\n");
	ck_assert_int_eq(machine_open_events(), 0);
}

/* Groups are joined by +, and counters that user code reads by themselves are not asked for. */
static void counted(const char *list)
{
	const struct pmu_rate hz = { .freq_hz = PMU_DEFAULT_FREQ_HZ };
	struct pmu_event evs[PMU_EVENTS_MAX], kept[PMU_EVENTS_MAX];
	struct pmu_refusal why = { .why = "" };
	struct pmu_counts counts;
	struct pmu_plan plan;
	int n = pmu_event_parse_list(list, &hz, evs, PMU_EVENTS_MAX, &why), nkept = 0;

	say("  --count=%s:", list);
	for (int i = 0; i < n; i++)
		if (pmu_counts_probe(&evs[i], &why))
			say(" [%s: %s; %s]", evs[i].label, why.why, why.todo);
		else
			kept[nkept++] = evs[i];
	if (n < 0)
		say(" %s; %s", why.why, why.todo);
	pmu_plan_make(&plan, kept, nkept);
	for (int i = 0; i < plan.n; i++)
		say("%s%s%s/%x", i && plan.events[i].group == plan.events[i - 1].group ? "+" : " ",
		    plan.events[i].event.label, plan.ran[plan.events[i].group] ? "" : "?",
		    plan.events[i].event.core);
	say("\n");
	if (pmu_counts_open(&counts, &plan, &why))
		say("    not opened: %s: %s\n", why.what, why.why);
	else
		ck_assert_int_eq(machine_open_events(), plan.n);
	pmu_counts_close(&counts);
	ck_assert_int_eq(machine_open_events(), 0);
}

/* ---- a machine ------------------------------------------------------- */

static const char *const everywhere[] = {
	"cycles",	    "cycles:uk",       "cycles:k",     "cycles:p",     "cycles:pp",
	"cycles:ppp",	    "cycles:ukp",      "instructions", "cache-misses", "cache-misses:p",
	"branch-misses",    "LLC-load-misses", "bus-cycles",   "r3c",	       "page-faults",
	"context-switches",
};

static const char *const limited[] = { "cycles", "cycles:uk", "cycles:pp", "page-faults" };

/* Of one machine alone. */
static const struct {
	const char *machine, *name;
} own[] = {
	{ "intel-skylake", "cpu/mem-loads/p" },
	{ "intel-skylake", "cpu/mem-loads/pp" },
	{ "intel-skylake", "mem-loads:p" },
	{ "intel-skylake", "uncore_imc_0/cas_count_read/" },
	{ "intel-sapphirerapids", "cpu/mem-loads/p" },
	{ "intel-sapphirerapids", "cpu/mem-stores/p" },
	{ "intel-sapphirerapids", "cpu/topdown-retiring/" },
	{ "intel-sapphirerapids", "cpu/slots/" },
	{ "intel-alderlake", "mem-loads:p" },
	{ "intel-alderlake", "cpu_core/mem-loads/p" },
	{ "intel-alderlake", "cpu_atom/mem-loads/p" },
	{ "intel-alderlake", "topdown-retiring" },
	{ "intel-alderlake", "node-load-misses" },
	{ "amd-zen3", "ibs_op/cnt_ctl=1/" },
	{ "amd-zen3", "ibs_op/cnt_ctl=1/uk" },
	{ "amd-zen3", "ibs_fetch/rand_en=1/uk" },
	{ "amd-zen3", "r76:ukp" },
	{ "amd-zen3", "rc0:ukp" },
	{ "amd-zen4", "ibs_op/cnt_ctl=1/" },
	{ "amd-zen4", "ibs_op/cnt_ctl=1/k" },
	{ "amd-zen4", "ibs_fetch/rand_en=1/" },
	{ "amd-zen4", "rc1:p" },
	{ "arm-neoverse", "l2d_cache_refill" },
	{ "arm-neoverse", "armv8_pmuv3_0/stall_backend/" },
	{ "arm-neoverse", "arm_spe_0/load_filter=1/" },
	{ "arm-biglittle", "l2d_cache_refill" },
	{ "arm-biglittle", "ll_cache_miss_rd" },
	{ "arm-biglittle", "armv8_cortex_a55/cpu_cycles/" },
	{ "arm-biglittle-extended", "ll_cache_miss_rd" },
	{ "arm-biglittle-extended", "l2d_cache_refill:uk" },
	{ "apple-m1", "apple_firestorm_pmu/cycles/" },
	{ "a64fx", "l2d_cache_refill" },
	{ "riscv-plain", "cpu/event=0x2/" },
	{ "cloud-none", "msr/tsc/" },
	{ "cloud-dead", "cpu/instructions/" },
	{ "cloud-cycles", "cpu/instructions/" },
};

static const char *const lists[] = {
	"cycles,instructions",
	"cycles:uk,instructions:uk",
	"cycles,instructions,branches,branch-misses,cache-references,cache-misses,page-faults",
	"LLC-load-misses",
	"slots,topdown-retiring,topdown-bad-spec,instructions",
	"topdown-retiring",
};

static const char *hardware(void)
{
	struct pmu_access a;

	pmu_access_probe(&a);
	switch (a.hardware) {
	case PMU_HARDWARE_YES: return "counts";
	case PMU_HARDWARE_NONE: return "no PMU";
	case PMU_HARDWARE_DENIED: return "denied";
	case PMU_HARDWARE_SILENT: return "never counts";
	case PMU_HARDWARE_SIDES: return "counts both sides together";
	}
	return "";
}

#define EACH(i, list) (size_t i = 0; i < sizeof(list) / sizeof((list)[0]); i++)

static void fill_table(const char *name)
{
	for (int limit = 0; limit < MACHINE_LIMITS; limit++) {
		machine_limit((enum machine_limit)limit);
		say("%s%s%s: %s\n", name, *limits[limit] ? ", " : "", limits[limit], hardware());
		if (limit != MACHINE_FREE) {
			for
				EACH(i, limited)
			cell(limited[i], 0);
			if (limit == MACHINE_HALF)
				counted(lists[0]);
			continue;
		}
		for
			EACH(i, everywhere)
		cell(everywhere[i], 0);
		cell("cycles", 1000003);
		cell("cycles:ukp", 1000003);
		for
			EACH(i, own)
		if (!strcmp(own[i].machine, name))
			cell(own[i].name, 0);
		for
			EACH(i, lists)
		counted(lists[i]);
	}
}

START_TEST(each_machine)
{
	char file[64];
	const int before = descriptors();

	machine_begin(machines[_i]);
	*text = '\0';
	fill_table(machines[_i]);
	machine_end();
	ck_assert_int_eq(descriptors(), before);
	snprintf(file, sizeof(file), "machine-%s.txt", machines[_i]);
	golden_check(file, text);
}
END_TEST

/* ---- what is saved of it --------------------------------------------- */

static void add_answer(const char *name, void *arg)
{
	const struct pmu_rate hz = { .freq_hz = PMU_DEFAULT_FREQ_HZ };
	struct pmu_refusal why = { .why = "" };
	struct pmu_event ev;
	struct pmu_kinds kinds;

	(void)arg;
	if (pmu_event_parse(name, &hz, &ev, &why))
		return;
	say("%s: ", name);
	if (pmu_event_probe(&ev, &why)) {
		say("%s; %s; ", why.why, why.todo);
		pmu_event_substitute(&ev, &hz, &why);
	}
	say("%s", ev.label);
	if (pmu_event_kinds(&ev, pmu_event_probe, &kinds))
		say(" not on %s", kinds.without);
	say("\n");
}

static char *save_to(const char *path)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(save_machine(f), 0);
	ck_assert_int_eq(fclose(f), 0);
	return golden_read(path);
}

/* NULL: this machine. Its answers are those of the machine, and what is saved of that is the same again. */
static void same_when_saved(const char *name)
{
	char path[] = "/tmp/check_machines.XXXXXX", *saved, *again, *answers;

	close(mkstemp(path));
	if (name)
		machine_begin(name);
	*text = '\0';
	save_each_event(add_answer, NULL);
	answers = strdup(text);
	saved = save_to(path);
	if (name)
		machine_end();
	machine_begin(path);
	*text = '\0';
	save_each_event(add_answer, NULL);
	ck_assert_str_eq(text, answers);
	again = save_to(path);
	machine_end();
	unlink(path);
	ck_assert_str_eq(strstr(saved, "\nsysfs "), strstr(again, "\nsysfs "));
	free(saved);
	free(again);
	free(answers);
}

START_TEST(a_saved_machine_answers_the_same)
{
	same_when_saved(_i < MACHINES ? machines[_i] : NULL);
}
END_TEST

/* ---- records --------------------------------------------------------- */

/* A ring that the kernel has filled: the words after the header, in the order of
   perf_event_open(2), by what the event asked for. */
struct taken {
	uint64_t weight, ip, address, source, latency;
};

static size_t sample(const struct perf_event_attr *a, uint64_t words[16], uint64_t value)
{
	const union perf_mem_data_src load = { .mem_op = PERF_MEM_OP_LOAD };
	size_t n = 0;

	if (a->sample_type & PERF_SAMPLE_IP)
		words[n++] = 0x401000;
	if (a->sample_type & PERF_SAMPLE_ADDR)
		words[n++] = 0x7f0000001000;
	words[n++] = value;
	words[n++] = 2000000;
	words[n++] = 1000000;
	if (a->sample_type & PERF_SAMPLE_CALLCHAIN) {
		words[n++] = 2;
		words[n++] = PERF_CONTEXT_KERNEL;
		words[n++] = 0xffffffff81000000;
	}
	if (a->sample_type & PERF_SAMPLE_WEIGHT)
		words[n++] = 77;
	if (a->sample_type & PERF_SAMPLE_DATA_SRC)
		words[n++] = load.val;
	return n;
}

static const struct {
	const char *machine, *event;
	bool precise, kernel;
} recorded[] = {
	{ "intel-skylake", "cycles", false, false },
	{ "intel-skylake", "cycles:uk", false, true },
	{ "intel-skylake", "cpu/mem-loads/p", true, false },
	{ "intel-sapphirerapids", "cpu/mem-loads/p", true, false },
	{ "amd-zen3", "cycles:ukpp", true, true },
	{ "arm-neoverse", "cache-misses", false, false },
	{ "apple-m1", "cycles:uk", false, true },
};

enum { RECORDED = sizeof(recorded) / sizeof(recorded[0]) };

/* Many rounds: records lie across the ring's end, too. */
START_TEST(records_of_a_ring)
{
	const struct pmu_rate hz = { .freq_hz = PMU_DEFAULT_FREQ_HZ };
	const siginfo_t info = { .si_code = POLL_HUP };
	struct pmu_refusal why = { .why = "" };
	uint64_t words[16], overrun, value = 0;
	struct pmu_event ev;
	struct pmu_counter c;

	machine_begin(recorded[_i].machine);
	ck_assert_int_eq(pmu_event_parse(recorded[_i].event, &hz, &ev, &why), 0);
	ck_assert_msg(!pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, &why),
		      "%s", why.why);
	ck_assert_ptr_nonnull(c.ring);
	for (int round = 0; round < 200; round++) {
		const struct perf_event_attr *a = machine_event(c.fd);

		/* Two samples, of which the later one counts for both, beside lost ones. */
		for (int i = 0; i < 2; i++) {
			value += 1000;
			machine_record(c.fd, PERF_RECORD_SAMPLE, words, sample(a, words, value));
		}
		machine_record(c.fd, PERF_RECORD_LOST, (uint64_t[]){ c.id, 3 }, 2);
		ck_assert(pmu_counter_overflowed(&c));
		const uint64_t weight = pmu_counter_weight(&c, &info, &overrun);

		ck_assert(!pmu_counter_overflowed(&c));
		/* The first one is shorter: see phase.h. */
		ck_assert(round == 0 || weight == 2000);
		ck_assert_uint_eq(c.sample.ip, 0x401000);
		ck_assert_uint_eq(c.sample.address, recorded[_i].precise ? 0x7f0000001000 : 0);
		ck_assert_uint_eq(c.sample.latency, recorded[_i].precise ? 77 : 0);
		ck_assert_uint_eq(c.sample.nkernel, recorded[_i].kernel);
		pmu_counter_rearm(&c);
	}
	pmu_counter_close(&c);
	ck_assert_int_eq(machine_open_events(), 0);
	machine_end();
}
END_TEST

/* A length that no kernel writes ends the reading, and not the program. */
START_TEST(records_that_make_no_sense)
{
	const struct pmu_rate hz = { .freq_hz = PMU_DEFAULT_FREQ_HZ };
	const siginfo_t info = { .si_code = POLL_HUP };
	struct pmu_refusal why;
	uint64_t words[16] = { 0 }, overrun;
	struct pmu_event ev;
	struct pmu_counter c;

	machine_begin("intel-skylake");
	ck_assert_int_eq(pmu_event_parse("cycles:ukp", &hz, &ev, &why), 0);
	ck_assert(!pmu_counter_open(&c, &ev, gettid(), PMU_DELIVERY_SIGNAL, SIGRTMIN, 0, &why));
	struct perf_event_mmap_page *page = c.ring;
	const uint64_t n = c.ring_bytes / 2 / 8;

	for (uint64_t i = 0; i < n; i++)
		((uint64_t *)c.ring)[n + i] = i * UINT64_C(0x9e3779b97f4a7c15) | 7;
	page->data_head = n * 8;
	pmu_counter_weight(&c, &info, &overrun);
	ck_assert_uint_eq(page->data_tail, n * 8);
	ck_assert_uint_le(c.sample.nkernel, PMU_KERNEL_FRAMES);
	/* And it goes on. */
	machine_record(c.fd, PERF_RECORD_SAMPLE, words, sample(machine_event(c.fd), words, 5000));
	pmu_counter_weight(&c, &info, &overrun);
	ck_assert_uint_eq(c.sample.ip, 0x401000);
	pmu_counter_close(&c);
	machine_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machines");
	TCase *c = tcase_create("machines");

	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, each_machine, 0, MACHINES);
	tcase_add_loop_test(c, a_saved_machine_answers_the_same, 0, MACHINES + 1);
	tcase_add_loop_test(c, records_of_a_ring, 0, RECORDED);
	tcase_add_test(c, records_that_make_no_sense);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
