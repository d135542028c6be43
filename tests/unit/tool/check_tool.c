/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_tool.c - the tool's life cycle in a process: successful and failing starts,
 * delivery of samples, threads, pauses, fork, exec, and the end.
 *
 * Each case is a process of its own.  The tool's messages go to a file; calls that must
 * fail are replaced (--wrap).
 */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ompt_tool/program/program.h"
#include "ompt_tool/runtime/ompt_declarations.h"
#include "ompt_tool/sample/handler.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tool/omphwc.h"
#include "ompt_tool/tool/profile.h"
#include "ompt_tool/tool/threads.h"
#include "ompt_tool/tool/tool.h"
#include "ompt_tool/tool/tool_parts.h"
#include "ompt_tool/tree/process.h"
#include "pmu/event.h"
#include "src/profile/clock.h"
#include "src/profile/profile_owner.h"
#include "tests/support/suite_main.h"
#include "tests/support/writer_fixture.h"

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime);

/* ---- calls that fail -------------------------------------------------------- */

void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __real_pthread_getattr_np(pthread_t id, pthread_attr_t *attr);
int __wrap_pthread_getattr_np(pthread_t id, pthread_attr_t *attr);
int __real_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int __wrap_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int __real_gethostname(char *name, size_t bytes);
int __wrap_gethostname(char *name, size_t bytes);
char *__real_getcwd(char *name, size_t bytes);
char *__wrap_getcwd(char *name, size_t bytes);
bool __real_pmu_event_kinds(const struct pmu_event *ev,
			    int (*probe)(const struct pmu_event *, struct pmu_refusal *),
			    struct pmu_kinds *kinds);
bool __wrap_pmu_event_kinds(const struct pmu_event *ev,
			    int (*probe)(const struct pmu_event *, struct pmu_refusal *),
			    struct pmu_kinds *kinds);

static bool no_mapping, no_hardware, no_events, no_bounds, no_key, no_host, no_folder, kinds;
static const char *status; /* what /proc/self/status says; NULL: what it does */

void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	if (no_mapping) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return __real_mmap(at, bytes, prot, flags, fd, offset);
}

long __wrap_syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	attr = (const struct perf_event_attr *)a[0];
	if (number == SYS_perf_event_open &&
	    (no_events || (no_hardware && attr->type != PERF_TYPE_SOFTWARE))) {
		errno = ENOENT;
		return -1;
	}
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (status == NULL || strcmp(path, "/proc/self/status") != 0)
		return __real_fopen(path, mode);
	return *status == '\0' ? NULL : fmemopen((void *)(uintptr_t)status, strlen(status), "r");
}

int __wrap_pthread_getattr_np(pthread_t id, pthread_attr_t *attr)
{
	return no_bounds ? ENOMEM : __real_pthread_getattr_np(id, attr);
}

int __wrap_pthread_key_create(pthread_key_t *key, void (*end)(void *))
{
	return no_key ? EAGAIN : __real_pthread_key_create(key, end);
}

int __wrap_gethostname(char *name, size_t bytes)
{
	return no_host ? -1 : __real_gethostname(name, bytes);
}

char *__wrap_getcwd(char *name, size_t bytes)
{
	return no_folder ? NULL : __real_getcwd(name, bytes);
}

/* The kernel's limit for frequencies; 0: whichever it is. */
static uint32_t rate_most;

uint32_t __real_pmu_rate_allowed(uint32_t freq_hz);
uint32_t __wrap_pmu_rate_allowed(uint32_t freq_hz);
uint32_t __wrap_pmu_rate_allowed(uint32_t freq_hz)
{
	if (rate_most == 0)
		return __real_pmu_rate_allowed(freq_hz);
	return freq_hz < rate_most ? freq_hz : rate_most;
}

/* Cores of two kinds, of which one lacks what was asked for. */
bool __wrap_pmu_event_kinds(const struct pmu_event *ev,
			    int (*probe)(const struct pmu_event *, struct pmu_refusal *),
			    struct pmu_kinds *k)
{
	if (!kinds)
		return __real_pmu_event_kinds(ev, probe, k);
	snprintf(k->with, sizeof(k->with), "cpu_large");
	snprintf(k->without, sizeof(k->without), "%s",
		 strstr(ev->label, "task") != NULL ? "cpu_small" : "");
	return true;
}

/* ---- what the tool says and writes ---------------------------------------------- */

static char said[128];

static void setup(void)
{
	writer_setup();
	snprintf(said, sizeof(said), "%s/said", folder);
	int fd = open(said, O_CREAT | O_RDWR | O_APPEND, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
	close(fd);
	setenv("OMPHWC_OUTPUT", profile, 1);
	setenv("OMPHWC_EVENTS", "cpu-clock", 1);
	setenv("OMPHWC_FREQ", "2000", 1);
	setenv("OMPHWC_DELIVERY", "signal", 1);
}

static void ck_said(const char *text)
{
	char found[1024] = "";
	FILE *in = fopen(said, "r");

	ck_assert_ptr_nonnull(in);
	size_t n = fread(found, 1, sizeof(found) - 1, in);
	fclose(in);
	found[n] = '\0';
	ck_assert_msg(*text != '\0' ? strstr(found, text) != NULL : n == 0,
		      "said \"%s\", not \"%s\"", found, text);
}

static bool noted(const char *text)
{
	const struct prof_file *f = read_back();

	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_NOTE && strstr(f->texts[i].text, text) != NULL)
			return true;
	return false;
}

static uint64_t samples(const struct thread *t, int event)
{
	return t->omp.record == NULL ?
		       0 :
		       ((volatile struct prof_thread *)t->omp.record)->samples[event];
}

/* Works until that many more samples were taken; false: 20 s were not enough. */
static bool work(int event, uint64_t more)
{
	const uint64_t from = samples(thread_self, event), begin = clock_ns(CLOCK_MONOTONIC);

	while (samples(thread_self, event) < from + more)
		if (clock_ns(CLOCK_MONOTONIC) - begin > UINT64_C(20000000000))
			return false;
	return true;
}

/* None is taken in some milliseconds of work. */
static bool no_samples(int event)
{
	const uint64_t from = samples(thread_self, event), begin = clock_ns(CLOCK_MONOTONIC);

	while (clock_ns(CLOCK_MONOTONIC) - begin < 10000000)
		;
	return samples(thread_self, event) == from;
}

static uint64_t leaves(const struct prof_file *f, int event)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_LEAF && f->nodes[i].event == event)
			n += f->nodes[i].a;
	return n;
}

/* Every entry of the handler has its leaf or its cause. */
static void ck_adds_up(const struct prof_file *f, int event)
{
	uint64_t entries = 0, lost = 0;

	for (size_t i = 0; i < f->nthreads; i++) {
		const struct prof_thread *t = &f->threads[i].t;

		entries += t->samples[event];
		lost += t->lost[PROF_LOST_NO_ROOM] + t->lost[PROF_LOST_REENTRY] +
			t->lost[PROF_LOST_OWN];
	}
	ck_assert_uint_eq(entries, leaves(f, event) + lost);
}

/* ---- starts that fail ---------------------------------------------------------- */

START_TEST(without_memory)
{
	no_mapping = true;
	ck_assert(!tool_start());
	no_mapping = false;
	ck_said("omphwc: no memory: Cannot allocate memory");
	ck_assert(!tool_started());
	/* Once is enough. */
	ck_assert(!tool_start());
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(with_a_name_that_is_too_long)
{
	char name[5000];

	memset(name, 'x', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	setenv("OMPHWC_OUTPUT", name, 1);
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert(tool_start());
	ck_said(" was asked for: File name too long: the profile is /");
	snprintf(profile, sizeof(profile), "%.90s", profile_path());
	ck_assert(noted(" was asked for: File name too long"));
}
END_TEST

START_TEST(in_a_folder_that_is_gone)
{
	setenv("OMPHWC_OUTPUT", "a.omphwc", 1);
	no_folder = true;
	ck_assert(!tool_start());
	ck_said("the name from OMPHWC_OUTPUT: No such file or directory");
}
END_TEST

/* And so a runtime is told that there is no tool. */
START_TEST(a_runtime_is_declined)
{
	setenv("OMPHWC_OUTPUT", "a.omphwc", 1);
	no_folder = true;
	ck_assert_ptr_null(ompt_start_tool(201811, "test"));
	ck_assert(!tool_started());
}
END_TEST

START_TEST(with_a_file_that_cannot_be)
{
	char name[128], list[128];
	const int fd = memfd_create("manifest", MFD_CLOEXEC);
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, 0600), 0);
	snprintf(name, sizeof(name), "%s/said/a.omphwc", folder);
	snprintf(list, sizeof(list), "/proc/self/fd/%d:manifest%s", fd, _i == 1 ? "" : "s");
	setenv("OMPHWC_OUTPUT", name, 1);
	setenv("OMPHWC_MANIFEST", list, 1);
	no_folder = true; /* to fall back to */
	ck_assert(!tool_start());
	/* Whoever started the program says so, if that can be known. */
	ck_said(_i == 1 ? "" : "set OMPHWC_OUTPUT to a file in a folder that can be written");
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_size != 0, _i == 1);
	ck_assert_str_eq(profile_path(), name);
}
END_TEST

START_TEST(with_events_that_nobody_has)
{
	unsetenv("OMPHWC_EVENTS");
	setenv("OMPHWC_COUNT", "page-faults", 1);
	no_events = true;
	ck_assert(!tool_start());
	ck_said("nothing can be counted: ");
}
END_TEST

static void use_up_signals(void)
{
	for (int signo = SIGRTMIN; signo <= SIGRTMAX; signo++)
		ck_assert(signal(signo, SIG_IGN) != SIG_ERR);
}

START_TEST(without_a_free_signal)
{
	use_up_signals();
	ck_assert(!tool_start());
	ck_assert(noted("no signal was free"));
	ck_assert_uint_eq(read_back()->header.run, PROF_RUN_UNPROFILED);
	/* Nothing was started that could be ended. */
	program_hooks.ends(PROGRAM_EXITS);
	program_hooks.exec_failed();
	program_hooks.thread_begins();
	program_hooks.forked();
	ck_assert_ptr_null(thread_self);
	ck_assert_int_eq(program_hooks.control(1, NULL), CONTROL_NO_TOOL);
}
END_TEST

START_TEST(counts_without_a_free_signal)
{
	setenv("OMPHWC_COUNT", "task-clock", 1);
	use_up_signals();
	ck_assert(tool_start());
	ck_assert(noted("no signal was free"));
	ck_assert_int_eq(sampling.nsampled, 0);
	ck_assert_int_eq(sampling.nevents, 2);
	program_hooks.ends(PROGRAM_EXITS);
	ck_assert_uint_gt(read_back()->threads[0].t.values[1].value, 0);
}
END_TEST

/* ---- starts ----------------------------------------------------------------------- */

START_TEST(starts_once)
{
	setenv("OMPHWC_VERBOSE", "1", 1);
	ck_assert(!tool_started());
	program_hooks.preloaded();
	ck_assert(tool_started());
	ck_said("omphwc: profiling process ");
	ck_said(profile_path());
	struct thread *t = thread_self;

	ck_assert(tool_start());
	ck_assert_ptr_eq(thread_self, t);
	ck_assert_ptr_eq(threads_start(PROF_THREAD_OTHER), t);
	ck_assert_uint_eq(t->omp.record->kind, PROF_THREAD_OTHER);
	ck_assert_ptr_eq(threads_start(PROF_THREAD_UNKNOWN), t);
	ck_assert_uint_eq(t->omp.record->kind, PROF_THREAD_OTHER);
	program_hooks.thread_begins();
	ck_assert_uint_eq(read_back()->nthreads, 1);
}
END_TEST

START_TEST(complaints_are_noted)
{
	setenv("OMPHWC_FREQ", "often", 1);
	for (int i = 0; i < 40; i++)
		profile_note("said before");
	ck_assert(tool_start());
	ck_assert(noted("said before"));
	profile_note("said after");
	ck_assert(noted("said after"));
}
END_TEST

START_TEST(settings_that_make_no_sense_are_noted)
{
	setenv("OMPHWC_FREQ", "often", 1);
	ck_assert(tool_start());
	ck_assert(noted("OMPHWC_FREQ=often is not a number"));
}
END_TEST

START_TEST(events_that_make_no_sense_are_noted)
{
	setenv("OMPHWC_EVENTS", "cpu-clock,bogus", 1);
	setenv("OMPHWC_COUNT", "worse", 1);
	ck_assert(tool_start());
	ck_assert(noted("OMPHWC_EVENTS=cpu-clock,bogus makes no sense: bogus: "));
	ck_assert(noted(": using cycles"));
	ck_assert(noted("OMPHWC_COUNT=worse makes no sense: worse: "));
	ck_assert(noted(": using cycles,instructions"));
	ck_assert_str_eq(sampling.events[0].requested, "cycles");
	ck_assert_int_eq(sampling.nsampled, 1);
	ck_assert_int_gt(sampling.nevents, 1);
}
END_TEST

START_TEST(what_cannot_be_counted_is_replaced)
{
	no_hardware = true;
	setenv("OMPHWC_EVENTS", "cycles,instructions", 1);
	setenv("OMPHWC_COUNT", "cycles,instructions,task-clock", 1);
	ck_assert(tool_start());
	ck_assert(noted("no cycles: "));
	/* One clock stands in for both. */
	ck_assert_int_eq(sampling.nsampled, 1);
	ck_assert_str_eq(sampling.events[0].requested, "cycles");
	ck_assert(sampling.events[0].substituted);
	for (int i = 1; i < sampling.nevents; i++)
		for (int k = 1; k < i; k++)
			ck_assert_str_ne(sampling.events[i].label, sampling.events[k].label);
	ck_assert_uint_eq(read_back()->header.nevents, (unsigned)sampling.nevents);
}
END_TEST

START_TEST(cores_of_several_kinds_are_told)
{
	kinds = true;
	setenv("OMPHWC_EVENTS", "cpu-clock,task-clock", 1);
	ck_assert(tool_start());
	ck_assert(noted("what each counts is added up"));
	ck_assert(noted("counted by cpu_large, but not by cpu_small"));
}
END_TEST

START_TEST(a_rate_that_the_kernel_lowered)
{
	rate_most = _i ? 500 : 1000;
	setenv("OMPHWC_EVENTS", "page-faults,cpu-clock", 1);
	setenv("OMPHWC_FREQ", "997", 1);
	ck_assert(tool_start());
	ck_assert(noted("page-faults:u: 500 samples a second in place of 997") == (_i != 0));
	ck_assert(!noted("cpu-clock:u: "));
	ck_assert_uint_eq(read_back()->header.events[0].freq_hz, _i ? 500 : 997);
	ck_assert_uint_eq(read_back()->header.events[1].period, 1003009);
}
END_TEST

START_TEST(in_a_folder_with_a_strange_name)
{
	char strange[80];

	snprintf(strange, sizeof(strange), "%s/50%%p", folder);
	ck_assert_int_eq(mkdir(strange, 0700), 0);
	ck_assert_int_eq(chdir(strange), 0);
	setenv("OMPHWC_OUTPUT", "a.omphwc", 1);
	no_host = true;
	ck_assert(tool_start());
	snprintf(profile, sizeof(profile), "%s/a.omphwc", strange);
	ck_assert_str_eq(profile_path(), profile);
	ck_assert_ptr_null(prof_text(read_back(), PROF_INFO_HOST));
	ck_assert_int_eq(chdir("/"), 0);
	unlink(profile);
}
END_TEST

START_TEST(another_name_is_told)
{
	put_text(profile, "something else");
	ck_assert(tool_start());
	ck_assert_str_ne(profile_path(), profile);
	check_text(profile, "something else");
	snprintf(profile, sizeof(profile), "%s", profile_path());
	ck_assert(noted("a.omphwc was asked for: a file of that name is no profile"));
}
END_TEST

/* ---- delivery ------------------------------------------------------------------------- */

static enum pmu_delivery delivery(void)
{
	ck_assert(tool_start());
	ck_assert_int_eq(thread_self->ncounters, sampling.nsampled);
	return thread_self->counter[0].delivery;
}

static bool has_sigtrap(void)
{
	if (pmu_delivery_sigtrap_works())
		return true;
	puts("skipped: no sigtrap: this kernel is older than 5.18");
	return false;
}

START_TEST(delivery_as_asked_for)
{
	if (!has_sigtrap())
		return;
	setenv("OMPHWC_EVENTS", "cpu-clock,task-clock", 1);
	setenv("OMPHWC_DELIVERY", "sigtrap", 1);
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGTRAP);
}
END_TEST

START_TEST(delivery_of_one_event)
{
	if (!has_sigtrap())
		return;
	setenv("OMPHWC_DELIVERY", "auto", 1);
	status = "Name:\ttool\n";
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGTRAP);
}
END_TEST

START_TEST(delivery_without_a_status)
{
	if (!has_sigtrap())
		return;
	setenv("OMPHWC_DELIVERY", "auto", 1);
	status = "";
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGTRAP);
}
END_TEST

START_TEST(delivery_of_two_events)
{
	setenv("OMPHWC_EVENTS", "cpu-clock,task-clock", 1);
	setenv("OMPHWC_DELIVERY", "auto", 1);
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGNAL);
}
END_TEST

START_TEST(delivery_under_a_debugger)
{
	setenv("OMPHWC_DELIVERY", "auto", 1);
	status = "Name:\ttool\nTracerPid:\t17\n";
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGNAL);
}
END_TEST

START_TEST(delivery_beside_a_handler)
{
	setenv("OMPHWC_DELIVERY", "auto", 1);
	signal(SIGTRAP, SIG_IGN);
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGNAL);
}
END_TEST

/* Where no other signal is free SIGTRAP has to do. */
START_TEST(delivery_when_no_other_signal_is_free)
{
	if (!has_sigtrap())
		return;
	setenv("OMPHWC_EVENTS", "cpu-clock,task-clock", 1);
	setenv("OMPHWC_DELIVERY", "auto", 1);
	use_up_signals();
	ck_assert_int_eq(delivery(), PMU_DELIVERY_SIGTRAP);
}
END_TEST

/* ---- samples ------------------------------------------------------------------------------ */

static const char *const deliveries[] = { "signal", "sigtrap" };

START_TEST(samples_come)
{
	if (_i == 1 && !has_sigtrap())
		return;
	setenv("OMPHWC_DELIVERY", deliveries[_i], 1);
	ck_assert(tool_start());
	ck_assert(work(0, 10));
	program_hooks.ends(PROGRAM_EXITS);
	ck_assert(no_samples(0));

	const struct prof_file *f = read_back();

	ck_assert_uint_eq(f->header.run, PROF_RUN_EXITED);
	ck_adds_up(f, 0);
	ck_assert_uint_gt(f->threads[0].t.end_ns, 0);
	ck_assert_uint_eq(f->threads[0].t.values_known, 1);
	ck_assert_uint_gt(f->threads[0].t.values[0].value, 0);
}
END_TEST

START_TEST(samples_of_a_timer)
{
	setenv("OMPHWC_EVENTS", "wall", 1);
	ck_assert(tool_start());
	ck_assert(work(0, 10));
	/* While it is moved to another number, none must be lost for good. */
	const int spare = SIGRTMIN + 1;
	struct sigaction act = { .sa_flags = SA_SIGINFO };

	act.sa_sigaction = (void (*)(int, siginfo_t *, void *))(uintptr_t)handler_take;
	sigfillset(&act.sa_mask);
	ck_assert_int_eq(sigaction(spare, &act, NULL), 0);
	program_hooks.renumber(spare);
	ck_assert(work(0, 10));
	program_hooks.ends(PROGRAM_EXITS_AT_ONCE);
	ck_assert_uint_eq(read_back()->header.run, PROF_RUN_EXITED_AT_ONCE);
	ck_adds_up(read_back(), 0);
}
END_TEST

/* Faults lie in the kernel, whose frames are reported, and report an address. */
START_TEST(samples_of_faults)
{
	setenv("OMPHWC_EVENTS", "page-faults", 1);
	setenv("OMPHWC_PERIOD", "1", 1);
	ck_assert(tool_start());
	for (int i = 0; i < 20; i++) {
		char *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		ck_assert_ptr_ne(p, MAP_FAILED);
		for (int k = 0; k < 16; k++)
			p[k * 4096] = 1;
		munmap(p, 65536);
	}
	program_hooks.ends(PROGRAM_EXITS);
	const struct prof_file *f = read_back();
	size_t data = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		data += f->nodes[i].kind == PROF_NODE_DATA;
	ck_assert_uint_gt(data, 0);
	ck_adds_up(f, 0);
}
END_TEST

START_TEST(pauses_and_ends)
{
	ck_assert(tool_start());
	ck_assert(work(0, 3));
	ck_assert_int_eq(program_hooks.control(2, NULL), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(2, NULL), CONTROL_DONE);
	ck_assert(no_samples(0));
	ck_assert_int_eq(program_hooks.control(3, NULL), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(63, NULL), CONTROL_IGNORED);
	ck_assert_int_eq(program_hooks.control(1, NULL), CONTROL_DONE);
	ck_assert(work(0, 3));
	ck_assert_int_eq(program_hooks.control(4, NULL), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(1, NULL), CONTROL_IGNORED);
	ck_assert(no_samples(0));
	ck_assert_int_eq(program_hooks.control(2, NULL), CONTROL_DONE);
	ck_adds_up(read_back(), 0);
}
END_TEST

/* Between the two the process may fail to execute another program, and start again. */
START_TEST(a_window)
{
	setenv("OMPHWC_DELAY", "0.3", 1);
	setenv("OMPHWC_DURATION", "0.3", 1);
	ck_assert(tool_start());
	ck_assert(no_samples(0));
	program_hooks.ends(PROGRAM_EXECS);
	program_hooks.exec_failed();
	ck_assert(work(0, 3));

	const struct prof_header *h = prof_header(&process.writer);

	ck_assert_uint_ge(h->sampled_from_ns, h->start_monotonic_ns + 250000000);
	ck_assert_uint_eq(h->sampled_until_ns, 0);
	ck_assert_uint_eq(h->pauses, 0);
	while (clock_ns(CLOCK_MONOTONIC) < h->start_monotonic_ns + 900000000)
		;
	ck_assert(no_samples(0));
	ck_assert_uint_ge(h->sampled_until_ns, h->sampled_from_ns + 250000000);
	ck_assert_uint_eq(h->pauses, 1);
	ck_assert_int_eq(program_hooks.control(1, NULL), CONTROL_IGNORED);
	ck_adds_up(read_back(), 0);
}
END_TEST

START_TEST(an_exec_that_fails)
{
	setenv("OMPHWC_COUNT", "task-clock", 1);
	ck_assert(tool_start());
	ck_assert(work(0, 3));
	program_hooks.ends(PROGRAM_EXECS);
	ck_assert(no_samples(0));
	ck_assert_uint_eq(read_back()->header.run, PROF_RUN_EXECED);
	ck_assert_uint_eq(read_back()->threads[0].t.end_ns, 0);
	program_hooks.exec_failed();
	ck_assert(work(0, 3));
	ck_assert_uint_eq(read_back()->header.run, PROF_RUN_RUNNING);
	program_hooks.unloaded();
	ck_assert(work(0, 3));
	ck_adds_up(read_back(), 0);
}
END_TEST

START_TEST(faults_of_others)
{
	int mine;

	ck_assert(tool_start());
	ck_assert(!program_hooks.fault(&mine));
	ck_assert(!program_hooks.fault(NULL));
	ck_assert(program_hooks.fault(prof_header(&process.writer)));
}
END_TEST

/* ---- threads -------------------------------------------------------------------------------- */

static void *run_thread(void *arg)
{
	void (*in)(void) = (void (*)(void))(uintptr_t)arg;

	program_hooks.thread_begins();
	if (in != NULL)
		in();
	return NULL;
}

static void on_thread(void (*in)(void))
{
	pthread_t id;

	ck_assert_int_eq(pthread_create(&id, NULL, run_thread, (void *)(uintptr_t)in), 0);
	ck_assert_int_eq(pthread_join(id, NULL), 0);
}

/* Samples whose innermost phase has that name; NULL: that are in none. Of phases with flags. */
static uint64_t samples_in(const struct prof_file *f, const char *name, uint8_t flags)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++) {
		uint32_t at = f->nodes[i].parent;

		if (f->nodes[i].kind != PROF_NODE_LEAF)
			continue;
		while (f->nodes[at].kind != PROF_NODE_PHASE && f->nodes[at].kind != PROF_NODE_ROOT)
			at = f->nodes[at].parent;
		if (name ? f->nodes[at].kind == PROF_NODE_PHASE && f->nodes[at].flags == flags &&
				    f->nodes[at].a == PROF_PHASE_HASH(prof_owner_hash(name)) :
			   f->nodes[at].kind == PROF_NODE_ROOT)
			n += f->nodes[i].a;
	}
	return n;
}

/* Those of phases, by all threads. */
static uint64_t entries_of(const struct prof_file *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_PHASE)
			n += (uint32_t)f->nodes[i].a;
	return n;
}

static void work_in_own(void)
{
	ck_assert(work(0, 5)); /* in the process's */
	omphwc_begin("own");
	ck_assert(work(0, 5));
	omphwc_end(NULL);
	ck_assert(work(0, 5));
}

START_TEST(phases)
{
	const char *texts[8];
	size_t n = 0;

	omphwc_mark("too early");
	ck_assert(tool_start());
	ck_assert(work(0, 5));
	omphwc_begin("outer");
	ck_assert(work(0, 5));
	omphwc_begin("inner");
	on_thread(work_in_own);
	ck_assert(work(0, 5));
	omphwc_end("own"); /* is not the process's */
	omphwc_end("outer");
	omphwc_end("outer");
	ck_assert(work(0, 5));

	const struct prof_file *f = read_back();

	ck_assert_uint_ge(samples_in(f, NULL, 0), 10);
	ck_assert_uint_ge(samples_in(f, "outer", 0), 5);
	ck_assert_uint_ge(samples_in(f, "inner", 0), 15);
	ck_assert_uint_ge(samples_in(f, "own", PROF_PHASE_THREAD), 5);
	ck_assert_uint_eq(samples_in(f, "own", 0) + samples_in(f, "inner", PROF_PHASE_THREAD), 0);
	ck_assert_uint_eq(entries_of(f), 3);
	for (size_t i = 0; i < f->ntexts && n < 8; i++)
		if (f->texts[i].kind == PROF_INFO_PHASE)
			texts[n++] = f->texts[i].text;
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(texts[0], "outer");
	ck_assert_str_eq(texts[1], "inner");
	ck_assert_str_eq(texts[2], "own");
	ck_adds_up(f, 0);
}
END_TEST

static bool all_ended(const struct prof_file *f)
{
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_STATS && f->nodes[i].flags == PROF_STATS_PHASE &&
		    f->nodes[i].a >> 32 != (uint32_t)f->nodes[i].a)
			return false;
	return true;
}

static void begin_and_leave(void)
{
	omphwc_begin("left");
}

/* Deeper than there are nodes; an end ends all within. What is open ends with its thread, or with
   the process. */
START_TEST(phases_of_many_levels)
{
	ck_assert(tool_start());
	omphwc_begin("outer");
	for (int i = 0; i < 30; i++)
		omphwc_begin("in");
	ck_assert(work(0, 5));
	omphwc_end("never begun");
	omphwc_end("outer");
	ck_assert(work(0, 5));
	on_thread(begin_and_leave);
	omphwc_begin("open");
	ck_assert(!all_ended(read_back()));
	program_hooks.ends(PROGRAM_EXITS);

	const struct prof_file *f = read_back();

	ck_assert_uint_ge(samples_in(f, "in", 0), 5);
	ck_assert_uint_ge(samples_in(f, NULL, 0), 5);
	ck_assert_uint_eq(entries_of(f), 1 + 15 + 1 + 1);
	ck_assert(all_ended(f));
}
END_TEST

/* Its argument may be anything of another tool's. */
START_TEST(marks_by_control)
{
	static const char odd[] = "a\001b";
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static const char *const expected[] = { "64", "70", "71", "text", "4096 end", "72", "73" };
	size_t n = 0;

	ck_assert(tool_start());
	ck_assert_int_eq(munmap(page + 4096, 4096), 0);
	memcpy(page + 4092, "gone", 4);
	ck_assert_int_eq(program_hooks.control(64, NULL), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(70, odd), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(71, page + 4092), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(64, "text"), CONTROL_DONE);
	memcpy(page + 4086, "4096 end", 9);
	ck_assert_int_eq(program_hooks.control(64, page + 4086), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(72, (void *)1), CONTROL_DONE);
	ck_assert_int_eq(program_hooks.control(73, (void *)UINTPTR_MAX), CONTROL_DONE);

	const struct prof_file *f = read_back();

	for (size_t i = 0; i < f->ntexts; i++) {
		if (f->texts[i].kind != PROF_INFO_MARK)
			continue;
		const char *name = strchr(strchr(strchr(f->texts[i].text, ' ') + 1, ' ') + 1, ' ');

		ck_assert_str_eq(name + 1, expected[n++]);
	}
	ck_assert_uint_eq(n, 7);
	munmap(page, 4096);
}
END_TEST

static struct thread *last;

static void remember(void)
{
	last = thread_self;
	if (last != NULL)
		ck_assert(work(0, 2));
}

START_TEST(records_are_used_again)
{
	struct thread *first;

	ck_assert(tool_start());
	on_thread(remember);
	first = last;
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_ne(first, thread_self);
	ck_assert(!first->live);
	ck_assert_int_eq(first->ncounters, 0);
	on_thread(remember);
	ck_assert_ptr_eq(last, first);
	const struct prof_file *f = read_back();

	ck_assert_uint_eq(f->nthreads, 3);
	for (size_t i = 1; i < 3; i++) {
		ck_assert_uint_ge(f->threads[i].t.end_ns, f->threads[i].t.start_ns);
		ck_assert_uint_ge(f->threads[i].t.samples[0], 2);
		ck_assert_uint_eq(f->threads[i].t.values_known, 1);
	}
	ck_adds_up(f, 0);
}
END_TEST

/* So many threads that the file would grow without end. */
START_TEST(records_in_the_file_are_used_again)
{
	uint64_t before;

	ck_assert(tool_start());
	on_thread(remember);
	process.writer.nthreads = prof_header(&process.writer)->nthreads = 1024;
	before = last->omp.record->values[0].value;
	const uint32_t index = last->omp.record->index;

	ck_assert_uint_gt(before, 0);
	on_thread(remember);
	ck_assert_uint_eq(prof_header(&process.writer)->nthreads, 1024);
	ck_assert_uint_eq(last->omp.record->index, index);
	/* What the earlier one counted is in the sum. */
	ck_assert_uint_gt(last->omp.record->values[0].value, before);
	ck_assert_uint_ge(samples(last, 0), 4);
	/* One without a record to continue gets its own all the same. */
	last->omp.record = NULL;
	on_thread(remember);
	ck_assert_uint_eq(prof_header(&process.writer)->nthreads, 1025);
}
END_TEST

START_TEST(threads_that_cannot_be_had)
{
	ck_assert(tool_start());
	no_mapping = true;
	last = thread_self;
	on_thread(remember);
	no_mapping = false;
	ck_assert_ptr_null(last);

	on_thread(remember);
	ck_assert_ptr_nonnull(last);
	struct thread *t = last;

	/* Somebody holds the record for ever. */
	atomic_store(&t->claimed, true);
	on_thread(remember);
	ck_assert_ptr_null(last);
	ck_assert(!t->live);
	atomic_store(&t->claimed, false);
	on_thread(remember);
	ck_assert_ptr_eq(last, t);

	/* The same at the process's end. */
	atomic_store(&thread_self->claimed, true);
	program_hooks.ends(PROGRAM_EXITS);
	program_hooks.exec_failed();
	program_hooks.renumber(SIGRTMIN + 1);
	ck_assert_uint_eq(thread_self->omp.record->end_ns, 0);
	atomic_store(&thread_self->claimed, false);
}
END_TEST

static void held(void)
{
	last = thread_self;
	atomic_store(&last->claimed, true);
}

/* A thread that ends while the process does. */
START_TEST(ends_while_somebody_holds_it)
{
	ck_assert(tool_start());
	on_thread(held);
	ck_assert(last->live);
	ck_assert_uint_eq(last->omp.record->end_ns, 0);
	/* And one of a process that is not ours any more. */
	atomic_store(&last->claimed, false);
	static const volatile unsigned char dead;
	const volatile unsigned char *alive = process.alive;

	process.alive = &dead;
	ck_assert_ptr_null(threads_start(PROF_THREAD_WORKER));
	ck_assert(!tool_started());
	process.alive = alive;
	ck_assert(tool_started());
}
END_TEST

START_TEST(without_ends_and_bounds)
{
	no_key = no_bounds = true;
	ck_assert(tool_start());
	ck_assert_uint_eq(thread_self->own.hi, 0);
	ck_assert(work(0, 3));
	on_thread(remember);
	ck_assert(last->live); /* nobody told of its end */
	program_hooks.ends(PROGRAM_EXITS);
	ck_adds_up(read_back(), 0);
}
END_TEST

START_TEST(threads_that_cannot_be_counted)
{
	ck_assert(tool_start());
	no_events = true;
	for (int i = 0; i < 2; i++) {
		pthread_t id;

		ck_assert_int_eq(pthread_create(&id, NULL, run_thread, NULL), 0);
		pthread_join(id, NULL);
	}
	ck_assert(noted("thread 1 is not counted in full: "));
	ck_assert(!noted("thread 2 is not counted in full: "));
}
END_TEST

START_TEST(threads_that_cannot_be_counted_without_samples)
{
	unsetenv("OMPHWC_EVENTS");
	setenv("OMPHWC_COUNT", "task-clock", 1);
	setenv("OMPHWC_PAUSED", "1", 1);
	ck_assert(tool_start());
	no_events = true;
	on_thread(NULL);
	on_thread(NULL);
	ck_assert(noted("thread 1 is not counted in full: "));
	ck_assert(!noted("thread 2 is not counted in full: "));
	program_hooks.ends(PROGRAM_EXITS);
	ck_assert_uint_eq(read_back()->threads[0].t.values[0].value, 0);
}
END_TEST

static void close_own(void)
{
	for (int i = 0; i < thread_self->ncounters; i++)
		close(thread_self->counter[i].fd);
}

START_TEST(descriptors_that_the_program_closes)
{
	ck_assert(tool_start());
	on_thread(close_own);
	ck_assert(noted("the program closed descriptors of counters"));
	ck_assert_uint_eq(read_back()->threads[1].t.values_known, 1u << PROF_VALUES_MISSING);
}
END_TEST

static volatile bool go_on;

static void work_on(void)
{
	last = thread_self;
	while (!go_on)
		;
}

/* The program takes SIGTRAP for itself: counters of all threads signal otherwise. */
START_TEST(leaves_sigtrap)
{
	pthread_t id;
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	if (!has_sigtrap())
		return;
	setenv("OMPHWC_DELIVERY", "sigtrap", 1);
	ck_assert(tool_start());
	ck_assert_int_eq(pthread_create(&id, NULL, run_thread, (void *)(uintptr_t)work_on), 0);
	while (__atomic_load_n(&last, __ATOMIC_ACQUIRE) == NULL)
		sched_yield();
	ck_assert(work(0, 3));

	const int spare = SIGRTMIN + 1;
	struct sigaction act = { .sa_flags = SA_SIGINFO };

	act.sa_sigaction = (void (*)(int, siginfo_t *, void *))(uintptr_t)handler_take;
	sigfillset(&act.sa_mask);
	ck_assert_int_eq(sigaction(spare, &act, NULL), 0);
	program_hooks.renumber(spare);
	ck_assert_int_eq(thread_self->counter[0].delivery, PMU_DELIVERY_SIGNAL);
	/* The other's are opened anew at the end of its next sample. */
	volatile enum pmu_delivery *of_other = &last->counter[0].delivery;

	while (*of_other != PMU_DELIVERY_SIGNAL &&
	       clock_ns(CLOCK_MONOTONIC) - begin < UINT64_C(20000000000))
		sched_yield();
	ck_assert_int_eq(*of_other, PMU_DELIVERY_SIGNAL);
	const uint64_t before = samples(last, 0);

	while (samples(last, 0) < before + 3 &&
	       clock_ns(CLOCK_MONOTONIC) - begin < UINT64_C(20000000000))
		sched_yield();
	ck_assert_uint_ge(samples(last, 0), before + 3);
	ck_assert(work(0, 3));
	go_on = true;
	pthread_join(id, NULL);
	program_hooks.ends(PROGRAM_EXITS);
	ck_adds_up(read_back(), 0);
	/* What the old ones counted is in the sum: all that was sampled. */
	ck_assert_uint_gt(read_back()->threads[0].t.values[0].value, 0);
}
END_TEST

/* ---- forks ------------------------------------------------------------------------------------ */

static int end_of(pid_t child)
{
	int how = -1;

	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &how, 0), child);
	return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* gcc's own fork() for --coverage forgets what the tool did in the child before. */
static pid_t (*volatile make_child)(void) = fork;

static void in_child(void)
{
	if (process_has_profile() || thread_self->omp.record != NULL || !work(0, 3))
		_exit(1);
	fclose(stdout); /* what Check has in it is the parent's */
	exit(process_has_profile() && strcmp(profile_path(), profile) != 0 ? 0 : 2);
}

START_TEST(a_child_has_a_profile_of_its_own)
{
	char own[128] = "";

	setenv("OMPHWC_COUNT", "task-clock", 1);
	ck_assert(tool_start());
	on_thread(remember);
	ck_assert(work(0, 3));
	pid_t child = make_child();

	if (child == 0)
		in_child();
	ck_assert_int_eq(end_of(child), 0);
	ck_assert(work(0, 3));
	program_hooks.ends(PROGRAM_EXITS);
	ck_assert_uint_eq(read_back()->nthreads, 2);
	ck_adds_up(read_back(), 0);

	DIR *d = opendir(folder);
	struct dirent *e;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)) != NULL)
		if (strstr(e->d_name, ".omphwc") != NULL && strcmp(e->d_name, "a.omphwc") != 0)
			snprintf(own, sizeof(own), "%s/%.60s", folder, e->d_name);
	closedir(d);
	snprintf(profile, sizeof(profile), "%.90s", own);
	const struct prof_file *f = read_back();

	ck_assert_uint_eq(f->header.run, PROF_RUN_EXITED);
	ck_assert_uint_eq(f->header.pid, (unsigned)child);
	ck_assert_uint_eq(f->nthreads, 1);
	ck_assert_uint_ge(f->threads[0].t.samples[0], 3);
	ck_assert_uint_gt(f->threads[0].t.values[1].value, 0);
	ck_adds_up(f, 0);
}
END_TEST

/* Where the folder is gone the child's samples have nowhere to go. */
START_TEST(a_child_without_a_profile)
{
	ck_assert(tool_start());
	unlink(profile);
	unlink(said);
	ck_assert_int_eq(rmdir(folder), 0);
	pid_t child = make_child();

	if (child == 0) {
		const uint64_t begin = clock_ns(CLOCK_MONOTONIC);

		while (process.unplaced == 0 &&
		       clock_ns(CLOCK_MONOTONIC) - begin < UINT64_C(20000000000))
			;
		fclose(stdout);
		exit(!process_has_profile() && process.unplaced != 0 ? 0 : 1);
	}
	ck_assert_int_eq(end_of(child), 0);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
}
END_TEST

static void *fork_there(void *child)
{
	*(pid_t *)child = make_child();
	if (*(pid_t *)child == 0) {
		fclose(stdout);
		exit(thread_self != NULL && !process_has_profile() ? 0 : 1);
	}
	return NULL;
}

/* A thread that OpenMP does not know forks. */
START_TEST(a_child_of_a_thread_of_the_program)
{
	ck_assert(tool_start());
	pthread_t id;
	pid_t child;

	ck_assert_int_eq(pthread_create(&id, NULL, fork_there, &child), 0);
	pthread_join(id, NULL);
	ck_assert_int_eq(end_of(child), 0);
	ck_assert(work(0, 3));
}
END_TEST

static void add_starts(TCase *c)
{
	tcase_add_test(c, without_memory);
	tcase_add_test(c, with_a_name_that_is_too_long);
	tcase_add_test(c, in_a_folder_that_is_gone);
	tcase_add_test(c, a_runtime_is_declined);
	tcase_add_loop_test(c, with_a_file_that_cannot_be, 0, 2);
	tcase_add_test(c, with_events_that_nobody_has);
	tcase_add_test(c, without_a_free_signal);
	tcase_add_test(c, counts_without_a_free_signal);
	tcase_add_test(c, starts_once);
	tcase_add_test(c, complaints_are_noted);
	tcase_add_test(c, settings_that_make_no_sense_are_noted);
	tcase_add_test(c, events_that_make_no_sense_are_noted);
	tcase_add_test(c, what_cannot_be_counted_is_replaced);
	tcase_add_test(c, cores_of_several_kinds_are_told);
	tcase_add_loop_test(c, a_rate_that_the_kernel_lowered, 0, 2);
	tcase_add_test(c, in_a_folder_with_a_strange_name);
	tcase_add_test(c, another_name_is_told);
	tcase_add_test(c, delivery_as_asked_for);
	tcase_add_test(c, delivery_of_one_event);
	tcase_add_test(c, delivery_without_a_status);
	tcase_add_test(c, delivery_of_two_events);
	tcase_add_test(c, delivery_under_a_debugger);
	tcase_add_test(c, delivery_beside_a_handler);
	tcase_add_test(c, delivery_when_no_other_signal_is_free);
}

static void add_lives(TCase *c)
{
	tcase_add_loop_test(c, samples_come, 0, 2);
	tcase_add_test(c, samples_of_a_timer);
	tcase_add_test(c, samples_of_faults);
	tcase_add_test(c, pauses_and_ends);
	tcase_add_test(c, a_window);
	tcase_add_test(c, phases);
	tcase_add_test(c, phases_of_many_levels);
	tcase_add_test(c, marks_by_control);
	tcase_add_test(c, an_exec_that_fails);
	tcase_add_test(c, faults_of_others);
	tcase_add_test(c, records_are_used_again);
	tcase_add_test(c, records_in_the_file_are_used_again);
	tcase_add_test(c, threads_that_cannot_be_had);
	tcase_add_test(c, ends_while_somebody_holds_it);
	tcase_add_test(c, without_ends_and_bounds);
	tcase_add_test(c, threads_that_cannot_be_counted);
	tcase_add_test(c, threads_that_cannot_be_counted_without_samples);
	tcase_add_test(c, descriptors_that_the_program_closes);
	tcase_add_test(c, leaves_sigtrap);
	tcase_add_test(c, a_child_has_a_profile_of_its_own);
	tcase_add_test(c, a_child_without_a_profile);
	tcase_add_test(c, a_child_of_a_thread_of_the_program);
}

int main(void)
{
	Suite *s = suite_create("tool");
	TCase *c = tcase_create("tool");

	tcase_add_checked_fixture(c, setup, writer_teardown);
	tcase_set_timeout(c, 60);
	add_starts(c);
	add_lives(c);
	suite_add_tcase(s, c);
	return suite_main(s);
}
