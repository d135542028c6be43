/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_output.c - compares the output of every format with the expected one.
 *
 * The expected texts are in tests/golden.  After an intended change, write them with
 * OMPHWC_GOLDEN_WRITE=1 and review the difference.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/map.h"
#include "src/base/shorten.h"
#include "src/filter/filter.h"
#include "src/output/outfile.h"
#include "src/output/printable.h"
#include "src/profile/format.h"
#include "tests/support/demo_scene.h"
#include "tests/support/golden_text.h"
#include "tests/support/json_schema.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

/* ---- golden texts ---------------------------------------------------- */

static const struct {
	const char *name, *format;
	enum view_kind view;
	enum output_by by;
	size_t event;
	double limit;
} goldens[] = {
	{ "regions.txt", "text", VIEW_USER, BY_REGION, 0, 0.5 },
	{ "regions-all.txt", "text", VIEW_USER, BY_REGION, 0, 0 },
	{ "functions.txt", "text", VIEW_USER, BY_FUNCTION, 0, 0.5 },
	{ "functions-misses.txt", "text", VIEW_USER, BY_FUNCTION, 1, 0.5 },
	{ "lines.txt", "text", VIEW_USER, BY_LINE, 0, 1 },
	{ "paths.txt", "text", VIEW_USER, BY_PATH, 0, 0.5 },
	{ "paths-machine.txt", "text", VIEW_MACHINE, BY_PATH, 0, 2 },
	{ "threads.txt", "text", VIEW_USER, BY_THREAD, 0, 0.5 },
	{ "modules.txt", "text", VIEW_USER, BY_MODULE, 0, 0 },
	{ "files.txt", "text", VIEW_USER, BY_FILE, 0, 0 },
	{ "constructs.txt", "text", VIEW_USER, BY_CONSTRUCT, 0, 0 },
	{ "states.txt", "text", VIEW_EXPERT, BY_STATE, 0, 0 },
	{ "time.txt", "text", VIEW_USER, BY_TIME, 0, 0.5 },
	{ "parallelism.txt", "text", VIEW_USER, BY_PARALLELISM, 0, 0.5 },
	{ "user.folded", "folded", VIEW_USER, BY_PATH, 0, 0 },
	{ "expert.folded", "folded", VIEW_EXPERT, BY_PATH, 0, 0 },
	{ "threads.folded", "folded", VIEW_USER, BY_THREAD, 0, 0 },
	{ "misses.folded", "folded", VIEW_USER, BY_PATH, 1, 0 },
	{ "trace.json", "trace", VIEW_USER, BY_TIME, 0, 0 },
	{ "report.json", "json", VIEW_USER, BY_REGION, 0, 0 },
	{ "page.json", "html", VIEW_USER, BY_REGION, 0, 0 },
};

/* Of an HTML page its data: the rest is the same in each. */
static void golden_forget_page(char *text)
{
	char *data = strstr(text, " id=\"data\">\n"),
	     *end = data ? strstr(data, "</script>") : NULL;

	if (strncmp(text, "<!doctype", strlen("<!doctype")))
		return;
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	data = strchr(data, '\n') + 1;
	memmove(text, data, strlen(data) + 1);
}

START_TEST(golden_outputs)
{
	char *text;

	demo_scene(&s);
	scene_process(&s);
	text = scene_write(&s, goldens[_i].view, goldens[_i].format, goldens[_i].by,
			   goldens[_i].event, goldens[_i].limit);
	golden_forget_page(text);
	golden_check(goldens[_i].name, text);
	free(text);
}
END_TEST

static const struct {
	const char *name, *format;
	enum view_kind view;
	enum output_by by;
	struct filter_options filters;
} filtered_goldens[] = {
	{ "filtered.txt",
	  "text",
	  VIEW_USER,
	  BY_REGION,
	  { { [FILTER_REGION] = "solve", [FILTER_THREAD] = "0-1" } } },
	{ "filtered-machine.folded",
	  "folded",
	  VIEW_MACHINE,
	  BY_PATH,
	  { { [FILTER_FOCUS] = "kernel", [FILTER_IGNORE] = "reduce" } } },
	{ "hidden.txt", "text", VIEW_USER, BY_FUNCTION, { { [FILTER_HIDE] = "libc" } } },
};

START_TEST(golden_filters)
{
	char *text;

	demo_scene(&s);
	scene_process(&s);
	s.filters = &filtered_goldens[_i].filters;
	text = scene_write(&s, filtered_goldens[_i].view, filtered_goldens[_i].format,
			   filtered_goldens[_i].by, 0, 0);
	golden_check(filtered_goldens[_i].name, text);
	free(text);
}
END_TEST

/*
 * Two blocks from one path, one from C++'s allocator in another, one that the runtime
 * allocated, one whose context is lost, and other memory beside them.
 */
static void touch_something(void)
{
	const uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 78));
	const uint32_t grid = scene_path(&s, root, "main:20 setup:5 grid:12");
	const uint32_t list =
		scene_path(&s, root, "main:21 build:7 std::vector:3 __gnu_cxx::allocate:9");
	const uint32_t team =
		scene_path(&s, root, "main:22 omp!__kmpc_fork_call omp!__kmp_allocate");
	const uint32_t at = scene_path(&s, root, "main:23 sweep:40");
	const struct {
		uint32_t node;
		uint64_t samples;
	} touched[] = {
		{ mk_block(s.mk, at, grid, PROF_SOURCE_RAM), 40 },
		{ mk_block(s.mk, scene_path(&s, root, "main:23 sweep:41"), grid, PROF_SOURCE_L3),
		  20 },
		{ mk_block(s.mk, at, list, PROF_SOURCE_UNKNOWN), 10 },
		{ mk_block(s.mk, at, team, PROF_SOURCE_UNKNOWN), 6 },
		{ mk_block(s.mk, at, 0, PROF_SOURCE_UNKNOWN), 5 },
		{ mk_data(s.mk, at, 0x5000, PROF_DATA_HEAP, PROF_SOURCE_UNKNOWN), 4 },
		{ mk_data(s.mk, at, 0x7f0000001000, PROF_DATA_OTHER, PROF_SOURCE_UNKNOWN), 3 },
		{ mk_data(s.mk, at, scene_object(&s, "table"), PROF_DATA_GLOBAL,
			  PROF_SOURCE_UNKNOWN),
		  2 },
		{ at, 1 },
	};

	mk_stats(s.mk, grid, PROF_STATS_ALLOC, 2, 8 << 20);
	mk_stats(s.mk, list, PROF_STATS_ALLOC, 1, 100000);
	mk_stats(s.mk, team, PROF_STATS_ALLOC, 1, 4096);
	/* Never touched: not in the report. */
	mk_stats(s.mk, scene_path(&s, root, "main:24 unused:1"), PROF_STATS_ALLOC, 9, 9 << 20);
	mk_stats(s.mk, touched[0].node, PROF_STATS_LATENCY, 10, 2500);
	for (size_t i = 0; i < sizeof(touched) / sizeof(touched[0]); i++)
		mk_leaf(s.mk, touched[i].node, 0, PROF_STATE_SERIAL, PROF_CAUSE_NONE,
			touched[i].samples, touched[i].samples);
}

START_TEST(golden_addresses)
{
	static const char *const names[] = { "address.txt", "address-machine.txt" };
	char *text;

	mk_event(s.mk, "page-faults:u", PROF_UNIT_EVENTS);
	touch_something();
	scene_process(&s);
	text = scene_write(&s, _i == 0 ? VIEW_USER : VIEW_MACHINE, "text", BY_ADDRESS, 0, 0);
	golden_check(names[_i], text);
	free(text);
}
END_TEST

/* Several processes are one report. */
START_TEST(golden_ranks)
{
	static const struct {
		const char *name, *format;
		enum output_by by;
	} of[] = {
		{ "ranks.txt", "text", BY_THREAD }, { "by-rank.txt", "text", BY_RANK },
		{ "by-host.txt", "text", BY_HOST }, { "by-rank.csv", "csv", BY_RANK },
		{ "by-host.csv", "csv", BY_HOST },
	};
	char *text;

	mk_text(s.mk, PROF_INFO_RANK, "0");
	demo_scene(&s);
	scene_process(&s);
	mk_text(s.mk, PROF_INFO_RANK, "1");
	demo_scene(&s);
	scene_process(&s);
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		text = scene_write(&s, VIEW_USER, of[i].format, of[i].by, 0, 0.5);
		golden_check(of[i].name, text);
		free(text);
	}
}
END_TEST

/* An imbalance is one when there are samples enough, not for one or two more. */
static int occurrences(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

START_TEST(chance_is_no_imbalance)
{
	const uint64_t more = _i ? 600 : 6, less = _i ? 300 : 3;
	uint32_t first = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 4711));
	uint32_t second = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 4712));
	char *text;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	uint32_t context = scene_path(&s, first, "main:5");

	mk_leaf(s.mk,
		scene_path(&s, mk_boundary(s.mk, first, context, PROF_BOUNDARY_REGION),
			   ".omp_outlined.:6"),
		0, PROF_STATE_PARALLEL, 0, more, more);
	mk_leaf(s.mk,
		scene_path(&s, mk_boundary(s.mk, second, context, PROF_BOUNDARY_REGION),
			   ".omp_outlined.:6"),
		0, PROF_STATE_PARALLEL, 0, less, less);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, _i ? "  1.33" : " ~1.33"));
	ck_assert_int_eq(strstr(text, "~ from fewer than 100 samples") != NULL, !_i);
	ck_assert_int_eq(strstr(text, "a 50 % share has a standard error of 17 points") != NULL,
			 !_i);
	ck_assert_int_eq(strstr(text, "works longest") != NULL, _i);
	free(text);
	/* Once for the region, once for the construct. */
	text = scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0);
	ck_assert_int_eq(occurrences(text, _i ? "\"samples\":600,\"few_samples\":false" :
						"\"samples\":6,\"few_samples\":true"),
			 2);
	free(text);
	text = scene_write(&s, VIEW_USER, "text", BY_CONSTRUCT, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, _i ? "  1.33" : " ~1.33"));
	ck_assert_int_eq(strstr(text, "~ from fewer than 100 samples") != NULL, !_i);
	free(text);
}
END_TEST

static const struct {
	enum prof_run run;
	enum prof_refused refused;
	const char *text, *json;
} ends[] = {
	{ PROF_RUN_RUNNING, PROF_REFUSED_NOT,
	  "\nthe process was killed or still runs (not known here)", "\"run\":\"running\"" },
	{ PROF_RUN_EXITED_AT_ONCE, PROF_REFUSED_NOT, "\nthe process ended by _exit\n",
	  "\"run\":\"exited_at_once\"" },
	{ PROF_RUN_UNPROFILED, PROF_REFUSED_NOT, "\nthe process was not profiled\n",
	  "\"run\":\"unprofiled\"" },
	{ PROF_RUN_EXITED, PROF_REFUSED_NOT, NULL, "\"no_room_because\":null" },
	{ PROF_RUN_EXITED, PROF_REFUSED_DISK, "\nthe profile could not grow: the disk was full;",
	  "\"no_room_because\":\"disk_full\"" },
	{ PROF_RUN_EXITED, PROF_REFUSED_QUOTA, " quota ", "\"no_room_because\":\"quota\"" },
	{ PROF_RUN_EXITED, PROF_REFUSED_FSIZE, "(ulimit -f)",
	  "\"no_room_because\":\"file_size_limit\"" },
	{ PROF_RUN_EXITED, PROF_REFUSED_OTHER, " (error 77); what had no room is lost\n",
	  "\"no_room_because\":\"other\"" },
	{ PROF_RUN_EXITED, (enum prof_refused)1000, " (error 77); ",
	  "\"no_room_because\":\"other\"" },
};

/* How the process ended, and why the profile is short, are reported. */
START_TEST(ends_are_told)
{
	uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 4711));

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	mk_leaf(s.mk, scene_path(&s, root, "main:5"), 0, PROF_STATE_SERIAL, 0, 1, 1);
	struct prof_header *h = mk_header(s.mk);
	h->run = ends[_i].run;
	h->refused = ends[_i].refused;
	h->refused_errno = 77;
	scene_process(&s);
	char *text = scene_write(&s, VIEW_USER, "text", BY_FUNCTION, 0, 0);
	char *json = scene_write(&s, VIEW_USER, "json", BY_FUNCTION, 0, 0);
	if (ends[_i].text != NULL)
		ck_assert_ptr_nonnull(strstr(text, ends[_i].text));
	else
		ck_assert_ptr_null(strstr(text, "the process"));
	ck_assert_ptr_nonnull(strstr(text, ": 1 sample"));
	ck_assert_ptr_nonnull(strstr(json, ends[_i].json));
	free(text);
	free(json);
}
END_TEST

/* What a runtime doesn't report is no 0. */
START_TEST(what_is_not_told_is_no_number)
{
	uint32_t root = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 4711)), context, task;
	char *text, *json;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	context = scene_path(&s, root, "main:5");
	mk_stats(s.mk, mk_boundary(s.mk, root, context, PROF_BOUNDARY_REGION), PROF_STATS_REGION, 7,
		 0);
	task = mk_boundary(s.mk, root, scene_path(&s, root, "main:6"), PROF_BOUNDARY_TASK);
	mk_stats(s.mk, task, PROF_STATS_TASK, 12, 0);
	mk_leaf(s.mk, scene_path(&s, task, ".omp_outlined.:7"), 0, PROF_STATE_PARALLEL, 0, 1, 1);
	mk_header(s.mk)->unreported = _i ? UNREPORTED_TASK_SCHEDULE : 0;
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	json = scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, _i ? "        12         -         -  task" :
						"        12         0         0  task"));
	ck_assert_ptr_nonnull(
		strstr(json, _i ? "\"created\":12,\"run\":null,\"stolen\":null,"
				  "\"cancelled\":null" :
				  "\"created\":12,\"run\":0,\"stolen\":0,\"cancelled\":0"));
	/* Entries without time between: of a runtime that reports no ends. */
	ck_assert_ptr_nonnull(strstr(json, "\"entries\":7,\"elapsed_ns\":null"));
	free(text);
	free(json);
}
END_TEST

/* A clock that counts the kernel's time, too, and samples of user code alone. */
START_TEST(time_in_the_kernel_is_told)
{
	uint32_t thread = mk_thread(s.mk, PROF_THREAD_INITIAL, 4711);
	struct prof_thread *record;
	char *text;

	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	mk_header(s.mk)->events[0].flags = _i == 2 ? 0 : PROF_EVENT_USER_ONLY;
	mk_header(s.mk)->events[0].period = 1003137;
	strcpy(mk_header(s.mk)->events[0].requested, "cpu\x1b[2J:u");
	mk_leaf(s.mk, scene_path(&s, mk_root(s.mk, thread), "main:5"), 0, PROF_STATE_SERIAL, 0, 255,
		255800000);
	record = mk_thread_record(s.mk, thread);
	record->values_known = 1;
	record->values[0] =
		(struct prof_value){ _i ? 1480000000 : 256000000, 1480000000, 1480000000 };
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_int_eq(strstr(text, ": 255 samples\n  not shown: 1.22 s (82.7 %) in the kernel; "
				      "-e cpu\\033[2J:uk shows it\n") != NULL,
			 _i == 1);
	ck_assert_int_eq(strstr(text, "kernel") != NULL, _i == 1);
	free(text);
}
END_TEST

/* Of a clock's event, where threads get or lose a CPU more than 50,000 times in a second of CPU time. */
static const struct {
	const char *usage;
	uint32_t flags;
	bool said;
} switching[] = {
	{ "1500000000 500000000 1 0 1000 20000 81000", 0, true },
	{ "1500000000 500000000 1 0 1000 20000 79000", 0, false },
	{ "1500000000 500000000 1 0 1000 20000 81000", PROF_EVENT_WALL, false },
};

START_TEST(many_switches_are_noted)
{
	const uint32_t thread = mk_thread(s.mk, PROF_THREAD_INITIAL, 4711);
	char *text;

	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	mk_header(s.mk)->events[0].flags = switching[_i].flags;
	mk_text(s.mk, PROF_INFO_USAGE, switching[_i].usage);
	mk_leaf(s.mk, scene_path(&s, mk_root(s.mk, thread), "main:5"), 0, PROF_STATE_SERIAL, 0, 255,
		255800000);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_int_eq(strstr(text, "101 k context switches, 50.5 k for each second") != NULL,
			 switching[_i].said);
	ck_assert_int_eq(strstr(text, "context switches") != NULL, switching[_i].said);
	free(text);
}
END_TEST

/* Threads that had a counter for different parts of their time: a thread's work is what was counted then. */
static const struct {
	uint64_t running_ns; /* of a second; the first thread's is half of it */
	const char *mark;
} uneven[] = {
	{ 520000000, "; it had a counter for 51.0 % of the time\n" },
	{ 900000000, "50.0 to 90.0 %: threads' work does not compare\n" },
};

START_TEST(uneven_counters_are_marked)
{
	char *text;

	mk_event(s.mk, "cycles:u", PROF_UNIT_EVENTS);
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t thread =
			mk_thread(s.mk, i ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL, 4711 + i);
		/* The third ended soon. */
		const uint64_t enabled = i == 2 ? 1000000 : 1000000000;
		struct prof_thread *record;

		mk_leaf(s.mk, scene_path(&s, mk_root(s.mk, thread), "main:5"), 0, PROF_STATE_SERIAL,
			0, 9, 900);
		record = mk_thread_record(s.mk, thread);
		record->values_known = 1;
		record->values[0] = (struct prof_value){ 900, enabled,
							 i == 0 ? 500000000 :
							 i == 1 ? uneven[_i].running_ns :
								  enabled };
	}
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(strstr(text, uneven[_i].mark) != NULL, "%s", text);
	free(text);
}
END_TEST

/* No text may reach the terminal as anything but text. */
START_TEST(names_are_made_harmless)
{
	static const char hostile[] = "a\x1b[2Jb\nc\xc2\x9b"
				      "d\xff";
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	format_text(f, hostile, 0);
	fclose(f);
	ck_assert_str_eq(text, "a\\033[2Jb\\012c\\302\\233d\\377");
	ck_assert_uint_eq(format_width(hostile), strlen(text));
	free(text);
	f = open_memstream(&text, &size);
	format_text(f, "abcdefghijklmnopqrstuvwxyz", 12);
	fclose(f);
	ck_assert_str_eq(text, "abcde...wxyz");
	free(text);
}
END_TEST

/* However narrow the column is. */
START_TEST(places_are_never_cut)
{
	static const struct {
		const char *name;
		size_t columns;
		const char *printed;
	} cases[] = {
		{ "solver::relax_everything (solver.cpp:1234)", 30, "relax_everything:1234" },
		{ "solver::relax_everything:1234 (solver.cpp)", 34,
		  "relax_everything:1234 (solver.cpp)" },
		{ "f<A<B>, C> (a.h:3)", 16, "f<...> (a.h:3)" },
		{ "a_long_name (its_own_file.c:12)", 4, "a_l...me (its_own_file.c:12)" },
		{ "memcpy [libc.so.6]", 12, "memcp...o.6]" },
		{ "f (int)", 4, "f (int)" },
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	format_name(f, cases[_i].name, cases[_i].columns);
	fclose(f);
	ck_assert_str_eq(text, cases[_i].printed);
	free(text);
}
END_TEST

/* What a profile may bring: every text of it has controls of both kinds. */
#define EVIL \
	"\x1b[2J\x9b" \
	"2J\xc2\x9b" \
	"3J\x7f\xe0\x82\x9b"

static void hostile_process(unsigned n)
{
	struct prof_event *events;
	uint32_t master, worker, context, at;

	mk_event(s.mk, "c" EVIL "cycles", PROF_UNIT_EVENTS);
	mk_event(s.mk, "i" EVIL "instructions", PROF_UNIT_EVENTS);
	mk_event(s.mk, "m" EVIL "cache-misses", PROF_UNIT_EVENTS);
	events = mk_header(s.mk)->events;
	events[0].flags = PROF_EVENT_SUBSTITUTED;
	strcpy(events[0].requested, "r" EVIL);
	events[2].flags = PROF_EVENT_COUNT_ONLY;
	mk_text(s.mk, PROF_INFO_NOTE, "note " EVIL);
	mk_text(s.mk, PROF_INFO_RANK, n ? "1" EVIL : "0" EVIL);
	mk_text(s.mk, PROF_INFO_JOB, "job" EVIL);
	mk_text(s.mk, PROF_INFO_HOST, "host" EVIL);
	mk_text(s.mk, PROF_INFO_CWD, "/cwd" EVIL);
	mk_text(s.mk, PROF_INFO_ENV, "OMP_" EVIL "=" EVIL);
	mk_text(s.mk, PROF_INFO_EXE, "/exe" EVIL);
	mk_module(s.mk, "/lib/mod" EVIL ".so", 0);
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	worker = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
	context = scene_path(&s, master, "libc!__libc_start_main ma" EVIL "in:20 so" EVIL "lve:12");
	at = mk_boundary(s.mk, scene_path(&s, worker, "omp!__kmp_invoke_microtask"), context,
			 PROF_BOUNDARY_REGION);
	at = scene_path(&s, at, "so" EVIL "lve._omp_fn.0:13");
	for (unsigned e = 0; e < 2; e++) {
		mk_leaf(s.mk,
			mk_data(s.mk, at, scene_object(&s, "da" EVIL "ta"), PROF_DATA_GLOBAL,
				PROF_SOURCE_L1),
			e, PROF_STATE_PARALLEL, 0, 100, 1000);
		mk_leaf(s.mk,
			mk_object(s.mk, scene_path(&s, at, "omp!omp_set_lock"),
				  scene_object(&s, "lo" EVIL "ck"), 1),
			e, PROF_STATE_LOCK, 0, 10, 100);
	}
	for (unsigned e = 0; e < 3; e++)
		mk_count(s.mk, mk_boundary(s.mk, worker, context, PROF_BOUNDARY_REGION), e,
			 PROF_PART_WORK, &(struct prof_value){ 1000 + e, 1000, 1000 }, 1000);
	scene_process(&s);
}

/* Whether a terminal obeys anything in it. */
static bool is_obeyed(const char *text)
{
	const unsigned char *u = (const unsigned char *)text;

	for (; *u; u++) {
		if ((*u < 0x20 && *u != '\n') || *u == 0x7f || (*u == 0xc2 && u[1] < 0xa0))
			return true;
		/* A byte of C1 that belongs to no character */
		if (*u >= 0x80 && *u < 0xa0 && u[-1] < 0x80)
			return true;
	}
	return false;
}

START_TEST(nothing_hostile_is_written)
{
	static const char *const formats[] = { "text", "folded", "json" };
	char *text;

	hostile_process(0);
	if (_i)
		hostile_process(1);
	for (unsigned f = 0; f < sizeof(formats) / sizeof(*formats); f++)
		for (unsigned by = 0; by < BYS; by++)
			for (int view = 0; view < VIEW_KINDS; view++) {
				if (f == 1 && by != BY_PATH && by != BY_THREAD)
					continue;
				text = scene_write(&s, (enum view_kind)view, formats[f],
						   (enum output_by)by, 0, 0);
				ck_assert_msg(!is_obeyed(text), "%s by %s: %s", formats[f],
					      output_by_name((enum output_by)by), text);
				free(text);
			}
}
END_TEST

/* A word that is longer than a line goes on in the next: those are counted, too. */
START_TEST(lines_of_a_terminal)
{
	static const struct {
		const char *text;
		size_t columns, lines;
	} cases[] = {
		{ "", 80, 0 },
		{ "a\n\n\x1b[1mb\x1b[0m\n", 1, 3 },
		{ "12345\n123456\n", 5, 3 },
		{ "12345\n1234567890a\n", 5, 4 },
		{ "12345\n1234567890a\n", 0, 2 },
	};

	ck_assert_uint_eq(fold_lines(cases[_i].text, cases[_i].columns), cases[_i].lines);
}
END_TEST

/* What is not listed is as in the form before. */
static const struct {
	const char *forms[SHORT_FORMS];
} forms_of[] = {
	{ { "f" } },
	{ { "a::b::C<d::E<int>>::f (a.h:3)", "a::b::C<E<int>>::f (a.h:3)", "C<E<int>>::f (a.h:3)",
	    "C<E<...>>::f (a.h:3)", "C<...>::f (a.h:3)", "f (a.h:3)", "f:3" } },
	{ { "m::h<g::k()::{lambda(int)#1}>:14 (k.cpp)", "m::h<k()::{lambda#1}>:14 (k.cpp)", NULL,
	    NULL, NULL, "h<k{#1}>:14 (k.cpp)", "h<k{#1}>:14" } },
	{ { "sin(), called by g::k()::{lambda(int)#1}::operator() (k.cpp:2)",
	    "sin(), called by g::k()::{lambda#1} (k.cpp:2)", NULL, NULL, NULL,
	    "sin(), called by k{#1} (k.cpp:2)", "sin(), called by k{#1}:2" } },
	{ { "operator< <A<B> >", NULL, NULL, "operator< <A<...> >", "operator< <...>" } },
	{ { "a::operator<< <A>(int)", "a::operator<< <A>(...)", NULL, NULL,
	    "a::operator<< <...>(...)", "operator<< <...>(...)" } },
	{ { "P::operator-><A>", NULL, NULL, NULL, "P::operator-><...>", "operator-><...>" } },
	{ { "F::operator()<A<B>*>", NULL, NULL, "F::operator()<A<...>*>", "F::operator()<...>",
	    "operator()<...>" } },
	{ { "A::operator std::vector<int>", NULL, NULL, NULL, "A::operator std::vector<...>",
	    "operator std::vector<...>" } },
	{ { "main::{lambda(int)#1}<A>", "main::{lambda#1}<A>", NULL, NULL, NULL, "main{#1}<A>" } },
	{ { "f<(a)->b>::g", NULL, NULL, NULL, "f<...>::g", "g" } },
	{ { "main > f<A> > <OMP-idle>", NULL, NULL, NULL, "main > f<...> > <OMP-idle>" } },
	{ { "f<A<g()::$_3> >", NULL, NULL, NULL, "f<g()::$_3>" } },
	{ { "f<A<h::g()::$_3>, B>", "f<A<g()::$_3>, B>", NULL, "f<A<g()::$_3>, B>",
	    "f<g()::$_3>" } },
	{ { "(anonymous namespace)::x::f<(anonymous namespace)::Y>",
	    "(anonymous namespace)::x::f<Y>", "x::f<Y>", NULL, "x::f<...>", "f<...>" } },
	{ { "F<256, (anonymous namespace)::e(int)::'lambda'(int, int)>(y::z)",
	    "F<256, e(...)::'lambda'>(...)", NULL, NULL, "F<e(...)::'lambda'>(...)" } },
	{ { "libfoo.so+0x20e30" } },
	{ { "for schedule(static) in f (a.c:3)", NULL, NULL, NULL, NULL, NULL,
	    "for schedule(static) in f:3" } },
	{ { "parallel in a::b::f(int) (a.c:3)", "parallel in a::b::f(...) (a.c:3)",
	    "parallel in b::f(...) (a.c:3)", NULL, NULL, "parallel in f(...) (a.c:3)",
	    "parallel in f(...):3", "parallel in f:3" } },
	{ { "<unknown>" } },
	{ { "f<A" } },
	{ { "a>>b" } },
	{ { "" } },
};

START_TEST(long_names_have_shorter_forms)
{
	const char *wanted = NULL;

	for (unsigned f = 0; f < SHORT_FORMS; f++) {
		const char *one = forms_of[_i].forms[f];
		char *name = shorten(forms_of[_i].forms[0], (enum short_form)f);

		wanted = one ? one : wanted;
		ck_assert_str_eq(name, wanted);
		ck_assert(f == 0 || shorten_matches(name, forms_of[_i].forms[0]));
		free(name);
	}
	ck_assert(!shorten_matches("other", forms_of[_i].forms[0]));
}
END_TEST

/* Deep ones are bounded, long ones are left alone. */
START_TEST(hostile_names_take_no_time)
{
	enum { DEEP = 1000, LONG = 200000 };
	char *deep = calloc(1, 8 * DEEP), *many = malloc(LONG + 1), *name;

	for (int i = 0; i < DEEP; i++)
		strcat(deep, "a<");
	strcat(deep, "g()::{lambda(int)#1}");
	for (int i = 0; i < DEEP; i++)
		strcat(deep, ">");
	for (unsigned form = 0; form < SHORT_FORMS; form++) {
		name = shorten(deep, (enum short_form)form);
		ck_assert_uint_le(strlen(name), strlen(deep));
		free(name);
	}
	for (int i = 0; i < LONG; i++)
		many[i] = "a<b>::"[i % 6];
	many[LONG] = '\0';
	name = shorten(many, SHORT_OWN);
	ck_assert_str_eq(name, many);
	free(name);
	free(many);
	free(deep);
}
END_TEST

/* In 30 columns, but the last in 36; names of one table. */
START_TEST(names_of_a_table_differ)
{
	static const struct {
		const char *name, *shown;
	} rows[] = {
		{ "a::F<double, 200>::energy_of_all:7 (k.cpp)", "energy_of_all:7 (k.cpp)" },
		{ "a::F<float, 100>::energy_of_all:7 (k.cpp)",
		  "F<float, 100>::energy_of_all:7 (k.cpp)" },
		{ "a::F<double, 200>::energy_of_all:7 (k.cpp)", "energy_of_all:7 (k.cpp)" },
		{ "n::P<g::drift()::{lambda(int)#1}>:1", "n::P<drift()::{lambda#1}>:1" },
		{ "n::P<g::stay()::{lambda(int)#1}>:1", "n::P<stay()::{lambda#1}>:1" },
		{ "a_long_function_of_c_with_a_name (c.c:3)",
		  "a_long_function_of_c_with_a_name:3" },
	};
	struct map shown = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		format_name_apart(out, rows[i].name, i < 5 ? 30 : 36, &shown);
		fclose(out);
		ck_assert_str_eq(text, rows[i].shown);
		free(text);
	}
	map_free(&shown);
}
END_TEST

START_TEST(numbers_for_people)
{
	static const struct {
		uint64_t value;
		uint32_t unit;
		const char *text;
	} amounts[] = {
		{ 0, PROF_UNIT_NS, "0" },
		{ 999, PROF_UNIT_NS, "999 ns" },
		{ 1000, PROF_UNIT_NS, "1.00 us" },
		{ 9999999, PROF_UNIT_NS, "10.0 ms" },
		{ 999999999, PROF_UNIT_NS, "1.00 s" },
		{ 123456789012, PROF_UNIT_NS, "123 s" },
		{ 999, PROF_UNIT_EVENTS, "999" },
		{ 12345, PROF_UNIT_EVENTS, "12.3 k" },
		{ UINT64_MAX, PROF_UNIT_EVENTS, "18.4 E" },
	};

	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
		ck_assert_str_eq(format_amount(amounts[i].value, amounts[i].unit).s,
				 amounts[i].text);
	ck_assert_str_eq(format_count(0).s, "0");
	ck_assert_str_eq(format_count(1234567).s, "1,234,567");
	ck_assert_str_eq(format_percent(1, 3).s, "33.3");
	ck_assert_str_eq(format_percent(1, 0).s, "-");
	ck_assert_uint_eq(format_whole(1.9), 1);
	ck_assert_uint_eq(format_whole(-1), 0);
	ck_assert_uint_eq(format_whole(0x1p63), UINT64_C(1) << 63);
	ck_assert_uint_eq(format_whole(0x1p64), UINT64_MAX);
	ck_assert_uint_eq(format_whole(1e300 * 1e300), UINT64_MAX);
	ck_assert_uint_eq(format_whole(0.0 * (1e300 * 1e300)), 0);
}
END_TEST

/* Values that no machine counts: nothing that is made of them leaves its type's range. */
START_TEST(numbers_beyond_all)
{
	const struct prof_value huge = { UINT64_MAX, UINT64_MAX, 1 };
	uint32_t master, worker, context, at;
	char *text;

	mk_event(s.mk, "cycles", PROF_UNIT_EVENTS);
	mk_event(s.mk, "instructions", PROF_UNIT_EVENTS);
	mk_header(s.mk)->events[1].flags = PROF_EVENT_COUNT_ONLY;
	mk_header(s.mk)->ticks_end = mk_header(s.mk)->end_monotonic_ns = UINT64_MAX;
	master = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100));
	worker = mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_WORKER, 101));
	context = scene_path(&s, master, "main:20 solve:12");
	at = mk_boundary(s.mk, scene_path(&s, worker, "omp!__kmp_invoke_microtask"), context,
			 PROF_BOUNDARY_REGION);
	mk_leaf(s.mk, scene_path(&s, at, "solve._omp_fn.0:13"), 0, PROF_STATE_PARALLEL, 0,
		UINT64_MAX, UINT64_MAX);
	mk_leaf(s.mk, scene_path(&s, context, "kernel:5"), 0, PROF_STATE_PARALLEL, 0, UINT64_MAX,
		UINT64_MAX);
	for (unsigned e = 0; e < 2; e++) {
		mk_count(s.mk, master, e, PROF_PART_MIXED, &huge, UINT64_MAX);
		mk_count(s.mk, mk_boundary(s.mk, worker, context, PROF_BOUNDARY_REGION), e,
			 PROF_PART_WORK, &huge, UINT64_MAX);
	}
	mk_stats(s.mk, mk_boundary(s.mk, worker, context, PROF_BOUNDARY_REGION), PROF_STATS_REGION,
		 UINT64_MAX, UINT64_MAX);
	for (unsigned t = 0; t < 2; t++) {
		struct prof_thread *thread = mk_thread_record(s.mk, t);

		thread->values_known = 3;
		thread->values[0] = thread->values[1] = huge;
	}
	scene_process(&s);
	for (unsigned by = 0; by < BYS; by++) {
		text = scene_write(&s, VIEW_USER, "text", (enum output_by)by, 0, 0);
		ck_assert_ptr_nonnull(strstr(text, "18,446,744,073,709,551,615  instructions, "
						   "scaled"));
		free(text);
		free(scene_write(&s, VIEW_USER, "json", (enum output_by)by, 0, 0));
	}
}
END_TEST

/* A clock that stands in for cycles:u: its samples are of user code, its count is not. */
START_TEST(clock_that_is_counted)
{
	struct prof_event *e;
	uint32_t at;
	char *text;

	mk_event(s.mk, "cpu-clock:u", PROF_UNIT_NS);
	e = mk_header(s.mk)->events;
	e->flags = PROF_EVENT_SUBSTITUTED | PROF_EVENT_USER_ONLY | (_i ? PROF_EVENT_COUNT_ONLY : 0);
	strcpy(e->requested, "cycles:u");
	at = scene_path(&s, mk_root(s.mk, mk_thread(s.mk, PROF_THREAD_INITIAL, 100)), "main:20");
	if (_i)
		mk_count(s.mk, at, 0, PROF_PART_WORK, &(struct prof_value){ 1000, 1000, 1000 }, 1);
	else
		mk_leaf(s.mk, at, 0, PROF_STATE_SERIAL, 0, 1000, 1000);
	scene_process(&s);
	text = scene_write(&s, VIEW_USER, "text", BY_REGION, 0, 0);
	ck_assert_msg(!strstr(text, "CPU time of user code") == (_i != 0), "%s", text);
	ck_assert_msg(!strstr(text, "CPU time, also in the kernel, is counted") == !_i, "%s", text);
	free(text);
}
END_TEST

/* ---- totals ---------------------------------------------------------- */

static uint64_t folded_total(const char *text)
{
	uint64_t sum = 0;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n');

		while (*end != ' ')
			end--;
		sum += strtoull(end, NULL, 10);
	}
	return sum;
}

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	ck_assert_msg(json_object_object_get_ex(o, key, &value), "no %s", key);
	return value;
}

static uint64_t number(struct json_object *o, const char *key)
{
	return json_object_get_uint64(member(o, key));
}

/* Random profiles have no wall time, but leaves that slept. */
static uint64_t blocked_of(struct json_object *cost)
{
	struct json_object *blocked;

	return json_object_object_get_ex(cost, "blocked", &blocked) ?
		       json_object_get_uint64(blocked) :
		       0;
}

/* The sum of one array's own costs, each work + wait + overhead + blocked = weight. */
static uint64_t json_total(struct json_object *report, const char *array, size_t event)
{
	struct json_object *all = member(report, array);
	uint64_t sum = 0;

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *self = NULL, *cost;

		if (!json_object_object_get_ex(json_object_array_get_idx(all, i), "self", &self) ||
		    !self)
			continue;
		cost = json_object_array_get_idx(self, event);
		ck_assert_uint_eq(number(cost, "weight"),
				  number(cost, "work") + number(cost, "wait") +
					  number(cost, "overhead") + blocked_of(cost));
		sum += number(cost, "weight");
	}
	return sum;
}

static uint64_t true_total(size_t event)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < s.model.nprocesses; p++) {
		const struct model_process *process = &s.model.processes[p];

		for (size_t i = 0; i < process->file->nnodes; i++) {
			const struct prof_rnode *n = &process->file->nodes[i];

			if (n->kind == PROF_NODE_LEAF && process->event[n->event] == event)
				sum += n->b;
		}
	}
	return sum;
}

/* Beside the samples: one event exactly, one scaled, one not at all. */
static void count_something(void)
{
	static const struct prof_value values[] = { { 9, 8, 8 }, { 9, 8, 4 }, { 0, 8, 0 } };
	const uint32_t thread = mk_thread(s.mk, PROF_THREAD_INITIAL, 77);
	const uint32_t root = mk_root(s.mk, thread);

	for (unsigned i = 0; i < 3; i++) {
		static const char *const labels[] = { "cycles:u", "instructions:u", "never:u" };
		const unsigned e = mk_event(s.mk, labels[i], PROF_UNIT_EVENTS);

		mk_header(s.mk)->events[e].flags |= PROF_EVENT_COUNT_ONLY;
		for (unsigned part = 0; part < PROF_PARTS; part++)
			mk_count(s.mk, mk_boundary(s.mk, root, 0, PROF_BOUNDARY_REGION), e,
				 (enum prof_part)part, &values[i], 5);
	}
}

START_TEST(json_fits_its_schema)
{
	static const struct filter_options filters[] = {
		{ { 0 } },
		{ { [FILTER_FOCUS] = "solve|main", [FILTER_HIDE] = "libc" } },
		{ { [FILTER_THREAD] = "0" } },
		{ { [FILTER_REGION] = "solve", [FILTER_MODULE] = "app" } },
	};
	char *text;

	if (_i)
		random_scene(&s, (unsigned)_i);
	else
		demo_scene(&s);
	count_something();
	touch_something();
	scene_process(&s);
	s.filters = _i % 4 ? &filters[_i % 4] : NULL;
	text = scene_write(&s, (enum view_kind)(_i % VIEW_KINDS), "json", BY_REGION, 0, 0);
	json_schema_check("report.schema.json", text);
	free(text);
}
END_TEST

static void check_json(const char *text, size_t event, uint64_t total)
{
	static const char *const arrays[] = {
		"threads",   "regions", "constructs", "modules", "files",
		"functions", "lines",	"states",     "tree",
	};
	struct json_object *o = json_tokener_parse(text);
	struct json_object *e;

	ck_assert_ptr_nonnull(o);
	e = json_object_array_get_idx(member(o, "events"), event);
	ck_assert_uint_eq(number(member(e, "total"), "weight"), total);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		ck_assert_msg(json_total(o, arrays[i], event) == total, "%s", arrays[i]);
	ck_assert_uint_eq(number(member(o, "samples"), "kept"), s.model.tally.kept);
	json_object_put(o);
}

START_TEST(totals_are_equal_everywhere)
{
	random_scene(&s, (unsigned)_i);
	for (unsigned view = 0; view < VIEW_KINDS; view++) {
		char *json = scene_write(&s, (enum view_kind)view, "json", BY_REGION, 0, 0);

		for (size_t event = 0; event < s.model.nevents; event++) {
			const uint64_t total = true_total(event);

			for (unsigned by = BY_PATH; by <= BY_THREAD; by++) {
				char *text = scene_write(&s, (enum view_kind)view, "folded",
							 (enum output_by)by, event, 0);

				ck_assert_uint_eq(folded_total(text), total);
				free(text);
			}
			check_json(json, event, total);
		}
		free(json);
		for (unsigned by = 0; by < BYS; by++)
			free(scene_write(&s, (enum view_kind)view, "text", (enum output_by)by, 0,
					 1));
	}
}
END_TEST

/* ---- files ----------------------------------------------------------- */

static char folder[] = "/tmp/check_output.XXXXXX";
static char file[64];

static void file_setup(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/report", folder);
}

static void file_teardown(void)
{
	unlink(file);
	/* Fails if anything but the report was left. */
	ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(output_is_whole_or_not_there)
{
	struct outfile o;
	char *text;

	ck_assert_int_eq(outfile_open(&o, file), 0);
	fputs("half", o.stream);
	fflush(o.stream);
	ck_assert_int_ne(access(file, F_OK), 0);
	outfile_abandon(&o);
	ck_assert_int_ne(access(file, F_OK), 0);
	ck_assert_int_eq(outfile_open(&o, file), 0);
	fputs("whole", o.stream);
	ck_assert_int_eq(outfile_commit(&o), 0);
	text = golden_read(file);
	ck_assert_str_eq(text, "whole");
	free(text);
}
END_TEST

static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

/* Check has actions of its own. */
START_TEST(a_signal_leaves_no_output)
{
	struct outfile o;
	pid_t child = fork();
	int status;

	if (!child) {
		signal(ending[_i], SIG_DFL);
		outfile_open(&o, file);
		raise(ending[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), ending[_i]);
}
END_TEST

START_TEST(output_beyond_the_limit_fails)
{
	const struct rlimit limit = { 4, 4 };
	struct outfile o;
	pid_t child = fork();
	int status;

	if (!child) {
		setrlimit(RLIMIT_FSIZE, &limit);
		outfile_open(&o, file);
		fputs("more than that", o.stream);
		_exit(outfile_commit(&o) == -EFBIG ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(output_keeps_what_it_replaces)
{
	struct outfile o;
	struct stat st;
	char link[sizeof(file) + 8];

	ck_assert_int_eq(outfile_open(&o, file), 0);
	ck_assert_int_eq(outfile_commit(&o), 0);
	ck_assert_int_eq(chmod(file, 0640), 0);
	snprintf(link, sizeof(link), "%s.link", file);
	ck_assert_int_eq(symlink(file, link), 0);
	ck_assert_int_eq(outfile_open(&o, link), 0);
	fputs("new", o.stream);
	ck_assert_int_eq(outfile_commit(&o), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0640);
	ck_assert_int_eq(st.st_size, 3);
	unlink(link);
}
END_TEST

/* Only a merge replaces one. */
START_TEST(output_replaces_no_profile)
{
	struct outfile o;
	struct stat st;
	FILE *f = fopen(file, "w");

	ck_assert_ptr_nonnull(f);
	fputs(PROF_MAGIC, f);
	fclose(f);
	ck_assert_int_eq(outfile_open(&o, file), -EEXIST);
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_int_eq(st.st_size, sizeof(PROF_MAGIC) - 1);
	ck_assert_int_eq(outfile_open_over(&o, file), 0);
	outfile_abandon(&o);
}
END_TEST

START_TEST(output_says_what_failed)
{
	struct outfile o;
	char inside[sizeof(file) + 8];

	ck_assert_int_eq(outfile_open(&o, folder), -EISDIR);
	snprintf(inside, sizeof(inside), "%s/nowhere", file);
	ck_assert_int_eq(outfile_open(&o, inside), -ENOENT);
	ck_assert_int_eq(outfile_open(&o, "/dev/full"), 0);
	fputs("x", o.stream);
	ck_assert_int_eq(outfile_commit(&o), -ENOSPC);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output");
	TCase *c = tcase_create("output"), *files = tcase_create("files");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, golden_outputs, 0, sizeof(goldens) / sizeof(*goldens));
	tcase_add_loop_test(c, golden_filters, 0,
			    sizeof(filtered_goldens) / sizeof(*filtered_goldens));
	tcase_add_test(c, golden_ranks);
	tcase_add_loop_test(c, chance_is_no_imbalance, 0, 2);
	tcase_add_loop_test(c, golden_addresses, 0, 2);
	tcase_add_loop_test(c, ends_are_told, 0, (int)(sizeof(ends) / sizeof(*ends)));
	tcase_add_loop_test(c, what_is_not_told_is_no_number, 0, 2);
	tcase_add_loop_test(c, time_in_the_kernel_is_told, 0, 3);
	tcase_add_loop_test(c, nothing_hostile_is_written, 0, 2);
	tcase_add_loop_test(c, many_switches_are_noted, 0, sizeof(switching) / sizeof(*switching));
	tcase_add_loop_test(c, uneven_counters_are_marked, 0, sizeof(uneven) / sizeof(*uneven));
	tcase_add_test(c, names_are_made_harmless);
	tcase_add_loop_test(c, lines_of_a_terminal, 0, 5);
	tcase_add_loop_test(c, long_names_have_shorter_forms, 0,
			    sizeof(forms_of) / sizeof(*forms_of));
	tcase_add_test(c, names_of_a_table_differ);
	tcase_add_test(c, hostile_names_take_no_time);
	tcase_add_loop_test(c, places_are_never_cut, 0, 6);
	tcase_add_test(c, numbers_for_people);
	tcase_add_test(c, numbers_beyond_all);
	tcase_add_loop_test(c, clock_that_is_counted, 0, 2);
	/* Half a second each, of a CPU that others have, too. */
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, json_fits_its_schema, 0, 12);
	tcase_add_loop_test(c, totals_are_equal_everywhere, 0, 9);
	suite_add_tcase(suite, c);
	tcase_add_checked_fixture(files, file_setup, file_teardown);
	tcase_add_test(files, output_is_whole_or_not_there);
	tcase_add_loop_test(files, a_signal_leaves_no_output, 0,
			    sizeof(ending) / sizeof(ending[0]));
	tcase_add_test(files, output_beyond_the_limit_fails);
	tcase_add_test(files, output_keeps_what_it_replaces);
	tcase_add_test(files, output_replaces_no_profile);
	tcase_add_test(files, output_says_what_failed);
	suite_add_tcase(suite, files);
	return suite_main(suite);
}
