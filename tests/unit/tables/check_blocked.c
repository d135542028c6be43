/* SPDX-License-Identifier: BSD-3-Clause */
/* check_blocked.c - sleep in system calls that are neither OpenMP's nor MPI's, in made profiles of
   wall time. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/view/view.h"
#include "tests/support/findings_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/json_schema.h"
#include "tests/support/suite_main.h"

#define WORK PROF_STATE_PARALLEL
#define BODY "solve._omp_fn.0:13"

static enum prof_state asleep(enum prof_state state)
{
	return (enum prof_state)(state | (int)PROF_ASLEEP);
}

static void setup(void)
{
	struct prof_event *e;

	made_setup();
	made.s.losses = true;
	e = &mk_header(made.s.mk)->events[0];
	e->flags = PROF_EVENT_WALL;
	e->period = MS;
	strcpy(e->label, "wall");
}

static uint64_t class_ms(enum omp_class class)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < made.view->nrecords; i++)
		if (made.view->records[i].class == class)
			sum += made.view->records[i].weight;
	return sum / MS;
}

/* ---- classes --------------------------------------------------------- */

static const struct who {
	const char *path;
	enum prof_state state;
	enum omp_class awake, asleep;
} whos[] = {
	{ BODY, WORK, OMP_WORK, OMP_BLOCKED },
	{ BODY " libc!read", WORK, OMP_WORK, OMP_BLOCKED },
	{ BODY " tool!nanosleep libc!pthread_sigmask", WORK, OMP_WORK, OMP_BLOCKED },
	{ BODY " libc!read", PROF_STATE_UNDEFINED, OMP_WORK, OMP_BLOCKED },
	/* User code that the runtime called */
	{ BODY " omp!GOMP_critical_end handler:3 libc!read", WORK, OMP_WORK, OMP_BLOCKED },
	/* OpenMP's own */
	{ BODY " omp!GOMP_barrier libc!syscall", PROF_STATE_BARRIER_EXPLICIT, OMP_WAIT, OMP_WAIT },
	{ BODY " omp!omp_set_lock libc!syscall", WORK, OMP_WAIT, OMP_WAIT },
	{ BODY " omp!GOMP_task libc!malloc", WORK, OMP_OVERHEAD, OMP_OVERHEAD },
	{ BODY " omp!__kmpc_reduce libc!syscall", PROF_STATE_OVERHEAD, OMP_WORK, OMP_WAIT },
	{ "omp!gomp_thread_start libc!syscall", PROF_STATE_IDLE, OMP_WAIT, OMP_WAIT },
	/* MPI's */
	{ BODY " MPI_Recv libc!poll", WORK, OMP_MPI, OMP_MPI },
};

START_TEST(who_sleeps_is_blocked)
{
	const struct who *w = &whos[_i];

	made_region(1, 1000, 2);
	made_time(0, w->path, w->state, 300);
	made_time(0, w->path, asleep(w->state), 500);
	made_end();
	ck_assert_uint_eq(class_ms(w->awake), w->awake == w->asleep ? 800 : 300);
	ck_assert_uint_eq(class_ms(w->asleep), w->awake == w->asleep ? 800 : 500);
}
END_TEST

/* A column is there where it can be known who slept, whether or not somebody did. */
START_TEST(whether_it_is_known)
{
	struct prof_header *h = mk_header(made.s.mk);

	if (_i == 1)
		h->events[0].flags = 0;
	made_region(1, 1000, 2);
	made_time(0, BODY " libc!read", WORK, 900);
	made_end();
	ck_assert_int_eq(omp_has_class(made.view->classes, OMP_BLOCKED), _i == 0);
	ck_assert_uint_eq(class_ms(OMP_WORK), 900);
}
END_TEST

START_TEST(sets_of_classes)
{
	const unsigned set = OMP_CLASSES_ALWAYS | OMP_CLASS(OMP_BLOCKED);

	ck_assert_uint_eq(omp_classes_count(set), 4);
	ck_assert_uint_eq(omp_class_index(set, OMP_BLOCKED), 3);
	ck_assert_uint_eq(omp_class_index(set, OMP_WORK), 0);
	ck_assert(!omp_has_class(set, OMP_MPI));
	ck_assert_str_eq(omp_class_name(OMP_BLOCKED), "blocked");
}
END_TEST

/* ---- what they are shown as ------------------------------------------ */

static const struct shown {
	const char *path, *user, *call;
	unsigned line;
} shown[] = {
	{ "main:20 load:40 libc!fgets libc!_IO_file_underflow libc!read", "main;load;fgets",
	  "fgets", 40 },
	{ "main:20 load:40 tool!usleep tool!unshield libc!pthread_sigmask", "main;load;usleep",
	  "usleep", 40 },
	{ "main:20 load:40 tool!wrap_poll libc!poll", "main;load;poll", "poll", 40 },
	{ "main:20 load:40^parse:7 libc!read", "main;load;parse;read", "read", 7 },
	/* A library's header has no line of the program's. */
	{ "main:20 load:40^std::lock:749 libc!pthread_mutex_lock", "main;load;pthread_mutex_lock",
	  "pthread_mutex_lock", 40 },
	{ "main:20 load:40 std::lock:100 std::native:749 libc!pthread_mutex_lock",
	  "main;load;std::lock;pthread_mutex_lock", "pthread_mutex_lock", 40 },
	/* What a library calls back is the program's. */
	{ "main:20 libc!qsort compare:9 libc!read", "main;qsort;compare;read", "read", 9 },
	/* A system call of the program's own */
	{ "main:20 load:40", "main;load", NULL, 40 },
	{ "_start libc!__libc_start_main_impl libc!__libc_start_call_main main:20 libc!pause",
	  "main;pause", "pause", 20 },
	{ "libc!_dl_start libc!read", "(before or after main)", NULL, 0 },
};

START_TEST(call_and_line)
{
	const struct shown *x = &shown[_i];
	const struct view_record *r;
	char expected[200], *text;

	made_outside(0, x->path, asleep(PROF_STATE_SERIAL), 10);
	made.view = NULL;
	mk_end(made.s.mk);
	scene_process(&made.s);
	made.view = scene_view(&made.s, VIEW_USER);
	r = &made.view->records[0];
	snprintf(expected, sizeof(expected), "%s %d\n", x->user, 10 * MS);
	text = scene_folded(&made.s, VIEW_USER);
	ck_assert_str_eq(text, expected);
	free(text);
	if (x->call)
		ck_assert_str_eq(r->object, x->call);
	else
		ck_assert_ptr_null(r->object);
	ck_assert_uint_eq(made.view->names.lines[r->line].line, x->line);
	ck_assert_uint_eq(r->class, OMP_BLOCKED);
	ck_assert_uint_eq(r->region, REGION_SERIAL);
	ck_assert(!r->own);
}
END_TEST

/* What a wrapper of ours does is shown as what it stands for, asleep or awake. */
START_TEST(wrappers_are_what_they_wrap)
{
	char *text;

	made_outside(0, "main:20 tool!dlopen libc!dlopen init:3", PROF_STATE_SERIAL, 10);
	made_outside(0, "main:20 tool!usleep tool!shield libc!pthread_sigmask", PROF_STATE_SERIAL,
		     20);
	/* A signal's handler: no call leads to it. */
	made_outside(0, "main:20 libc!__restore_rt tool!deliver handler:4", PROF_STATE_SERIAL, 30);
	mk_end(made.s.mk);
	scene_process(&made.s);
	text = scene_folded(&made.s, VIEW_USER);
	ck_assert_str_eq(text, "main;__restore_rt;handler 30000000\n"
			       "main;dlopen;init 10000000\n"
			       "main;usleep 20000000\n");
	free(text);
}
END_TEST

/* ---- losses ---------------------------------------------------------- */

/* Two threads for a second: 600 ms in a region, 400 ms in serial code, of which 300 ms asleep. */
static void sleepers(void)
{
	made_region(1, 600, 2);
	made_time(0, BODY, WORK, 200);
	made_time(0, "solve._omp_fn.0:14 libc!pthread_mutex_lock libc!futex_wait", asleep(WORK),
		  400);
	made_time(1, BODY, WORK, 600);
	made_outside(0, "main:18", PROF_STATE_SERIAL, 100);
	made_outside(0, "main:20 load:40 libc!fread libc!read", asleep(PROF_STATE_SERIAL), 300);
	made_outside(1, "omp!gomp_thread_start", PROF_STATE_IDLE, 400);
}

START_TEST(losses_add_up)
{
	const struct losses *l = &made.losses;
	double sum;

	sleepers();
	made_end();
	sum = l->run.work;
	for (unsigned i = 0; i < LOSSES; i++)
		sum += l->run.lost[i];
	made_equal_ms(sum, 2000);
	made_equal_ms(l->run.all, 2000);
	made_equal_ms(l->run.work, 900);
	/* In the region, outside, and of the other thread meanwhile */
	made_equal_ms(l->run.lost[LOSS_BLOCKED], 400 + 300 + 300);
	made_equal_ms(l->run.lost[LOSS_SERIAL], 100);
	made_equal_ms(l->run.lost[LOSS_NOT_RUNNING], 0);
	ck_assert(fabs(losses_efficiency(l) - 0.45) < 1e-6);
	ck_assert(fabs(losses_serial_efficiency(l) - (1 - 700 / 2000.0)) < 1e-6);
	ck_assert(fabs(losses_region_efficiency(l) - (1 - 400 / 2000.0)) < 1e-6);
}
END_TEST

/* A thread that could run and had no CPU did not run. */
START_TEST(losses_without_a_cpu)
{
	const struct losses *l = &made.losses;
	const enum prof_state ready = (enum prof_state)(WORK | (int)PROF_READY);
	double sum;

	made_region(1, 700, 2);
	made_time(0, BODY, WORK, 400);
	made_time(0, BODY, ready, 200);
	made_time(1, BODY, WORK, 600);
	made_outside(0, "main:18", (enum prof_state)(PROF_STATE_SERIAL | (int)PROF_READY), 300);
	made_outside(1, "omp!gomp_thread_start", PROF_STATE_IDLE, 300);
	made_end();
	sum = l->run.work;
	for (unsigned i = 0; i < LOSSES; i++)
		sum += l->run.lost[i];
	made_equal_ms(sum, l->run.all / 1e6);
	ck_assert_uint_eq(class_ms(OMP_BLOCKED), 500);
	made_equal_ms(l->run.work, 1000);
	made_equal_ms(l->run.lost[LOSS_BLOCKED], 0);
	/* 100 ms of each thread's time in the region have no samples. */
	made_equal_ms(l->region[REGION_SERIAL].lost[LOSS_NOT_RUNNING], 300);
	made_equal_ms(l->run.lost[LOSS_NOT_RUNNING], 300 + 200 + 200);
	made_not_found(FINDING_BLOCKED_CALL);
}
END_TEST

/* Of a run without wall time the loss is not there; of one that never sleeps it is 0. */
START_TEST(losses_that_runs_have)
{
	ck_assert(losses_has(LOSS_BLOCKED, OMP_CLASSES_ALWAYS | OMP_CLASS(OMP_BLOCKED)));
	ck_assert(!losses_has(LOSS_BLOCKED, OMP_CLASSES_ALWAYS | OMP_CLASS(OMP_MPI)));
	ck_assert(!losses_has(LOSS_MPI, OMP_CLASSES_ALWAYS | OMP_CLASS(OMP_BLOCKED)));
	ck_assert(losses_has(LOSS_SERIAL, OMP_CLASSES_ALWAYS));
}
END_TEST

/* A thread that sleeps is sampled seldom, and its time is known. */
START_TEST(a_program_that_stands_still)
{
	made.sample_ms = 495;
	made_region(1, 1000, 2);
	made_time(0, "solve._omp_fn.0:14 libc!read", asleep(WORK), 990);
	made_time(1, "solve._omp_fn.0:14 libc!read", asleep(WORK), 990);
	made_end();
	ck_assert(losses_efficiency(&made.losses) < 0.001);
	made_equal_ms(made.losses.run.lost[LOSS_BLOCKED], 1980);
	made_equal_ms(made_found(FINDING_BLOCKED_CALL)->gain_ns, 990);
}
END_TEST

/* Threads that OpenMP does not know have no part in it. */
START_TEST(threads_of_the_program)
{
	made.root[made.nthreads++] =
		mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_UNKNOWN, 200));
	made_region(1, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 1000);
	made_outside(2, "watch:3 libc!poll", asleep(PROF_STATE_NO_OPENMP), 900);
	made_end();
	ck_assert_uint_eq(class_ms(OMP_BLOCKED), 900);
	made_equal_ms(made.losses.run.lost[LOSS_BLOCKED], 0);
	made_not_found(FINDING_BLOCKED_CALL);
}
END_TEST

/* ---- findings -------------------------------------------------------- */

START_TEST(what_is_found)
{
	const struct finding *f;

	sleepers();
	made_end();
	f = made_found(FINDING_BLOCKED_CALL);
	made_equal_ms(f->gain_ns, 300);
	made_says(f, "blocked in fread(), called at load (app.c:40)");
	made_says(f, "sleeps for 300 ms outside of regions");
	f = made_found(FINDING_BLOCKED_MUTEX);
	made_equal_ms(f->gain_ns, 200);
	made_says(f, "a mutex that is not OpenMP's: pthread_mutex_lock(), called at solve "
		     "(app.c:14)");
	made_equal_ms(made_found(FINDING_SERIAL)->gain_ns, 50);
}
END_TEST

START_TEST(calls_that_tell_why)
{
	static const struct {
		const char *path;
		enum finding_rule rule;
	} calls[] = {
		{ "solve._omp_fn.0:14 libc!pthread_mutex_lock", FINDING_BLOCKED_MUTEX },
		{ "solve._omp_fn.0:14 libc!pthread_mutex_unlock", FINDING_BLOCKED_CALL },
		{ "solve._omp_fn.0:14 libc!rand libc!futex_wait", FINDING_BLOCKED_LIBRARY },
		{ "solve._omp_fn.0:14 libc!random_r", FINDING_BLOCKED_CALL },
		{ "solve._omp_fn.0:14 tool!usleep", FINDING_BLOCKED_SLEEP },
		{ "solve._omp_fn.0:14 libc!read", FINDING_BLOCKED_CALL },
		{ "solve._omp_fn.0:14 libc!pthread_barrier_wait", FINDING_BLOCKED_THREAD },
		{ "solve._omp_fn.0:14 libc!pthread_barrier_init", FINDING_BLOCKED_CALL },
		{ "solve._omp_fn.0:14", FINDING_BLOCKED_CALL },
	};

	made_region(1, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 500);
	made_time(1, calls[_i].path, asleep(WORK), 500);
	made_end();
	made_equal_ms(made_found(calls[_i].rule)->gain_ns, 250);
}
END_TEST

/* Each place of less than 2 % is worth nothing, but together they are. */
START_TEST(small_places_together)
{
	const struct finding *f;

	made_region(1, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 910);
	made_time(1, "solve._omp_fn.0:14 libc!read", asleep(WORK), 30);
	made_time(1, "solve._omp_fn.0:15 libc!read", asleep(WORK), 25);
	made_time(1, "solve._omp_fn.0:16 libc!write", asleep(WORK), 20);
	made_end();
	f = made_found(FINDING_BLOCKED_CALL);
	made_equal_ms(f->gain_ns, 37.5);
	made_says(f, "read(), called at solve (app.c:14)");
	made_says(f, "3 places");
}
END_TEST

/* The others wait for a thread that sleeps: it does not work longer than they do. */
START_TEST(late_asleep)
{
	made_region(1, 1000, 2);
	made_time(0, BODY, WORK, 500);
	made_time(0, BODY " omp!GOMP_barrier", PROF_STATE_BARRIER_IMPLICIT, 500);
	made_time(1, BODY, WORK, 400);
	made_time(1, "solve._omp_fn.0:14 libc!read", asleep(WORK), 600);
	made_end();
	made_equal_ms(made_found(FINDING_BLOCKED_CALL)->gain_ns, 300);
	made_says(made_found(FINDING_LATE_FOR), "asleep in system calls");
	made_not_found(FINDING_LATE_THREAD);
}
END_TEST

/* 1 % of the run is worth no finding. */
START_TEST(too_little_to_be_found)
{
	made_region(1, 1000, 2);
	made_time(0, BODY, WORK, 1000);
	made_time(1, BODY, WORK, 980);
	made_time(1, "solve._omp_fn.0:14 libc!read", asleep(WORK), 20);
	made_end();
	made_not_found(FINDING_BLOCKED_CALL);
}
END_TEST

/* ---- outputs --------------------------------------------------------- */

static const struct blocked_output {
	const char *name, *format;
	enum output_by by;
} outputs[] = {
	{ "blocked.txt", "text", BY_REGION },
	{ "blocked-by-state.txt", "text", BY_STATE },
	{ "blocked-by-line.csv", "csv", BY_LINE },
	{ "blocked.folded", "folded", BY_REGION },
	{ "blocked-hatchet.json", "hatchet", BY_REGION },
};

START_TEST(golden)
{
	char *text;

	sleepers();
	mk_end(made.s.mk);
	scene_process(&made.s);
	text = scene_write(&made.s, VIEW_USER, outputs[_i].format, outputs[_i].by, 0, 0);
	golden_check(outputs[_i].name, text);
	free(text);
}
END_TEST

START_TEST(json)
{
	char *text;

	sleepers();
	mk_end(made.s.mk);
	scene_process(&made.s);
	text = scene_write(&made.s, VIEW_USER, "json", BY_REGION, 0, 0);
	json_schema_check("report.schema.json", text);
	ck_assert_ptr_nonnull(strstr(text, "\"blocked\""));
	ck_assert_ptr_null(strstr(text, "\"mpi\""));
	free(text);
}
END_TEST

/* The page's classes are an index into those that it has. */
START_TEST(page)
{
	char *text;

	sleepers();
	mk_end(made.s.mk);
	scene_process(&made.s);
	text = scene_write(&made.s, VIEW_USER, "html", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "\"classes\":[\n\"work\",\n\"wait\",\n\"overhead\",\n"
					   "\"blocked\"]"));
	/* main;load;fread: class, weight, samples */
	ck_assert_ptr_nonnull(strstr(text, ",3,300000000,300"));
	ck_assert_ptr_null(strstr(text, ",4,300000000,300"));
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("blocked");
	TCase *c = tcase_create("blocked");

	tcase_add_checked_fixture(c, setup, made_teardown);
	tcase_add_loop_test(c, who_sleeps_is_blocked, 0, sizeof(whos) / sizeof(*whos));
	tcase_add_loop_test(c, whether_it_is_known, 0, 2);
	tcase_add_test(c, sets_of_classes);
	tcase_add_loop_test(c, call_and_line, 0, sizeof(shown) / sizeof(*shown));
	tcase_add_test(c, wrappers_are_what_they_wrap);
	tcase_add_test(c, losses_add_up);
	tcase_add_test(c, losses_without_a_cpu);
	tcase_add_test(c, losses_that_runs_have);
	tcase_add_test(c, a_program_that_stands_still);
	tcase_add_test(c, threads_of_the_program);
	tcase_add_test(c, what_is_found);
	tcase_add_loop_test(c, calls_that_tell_why, 0, 9);
	tcase_add_test(c, small_places_together);
	tcase_add_test(c, late_asleep);
	tcase_add_test(c, too_little_to_be_found);
	tcase_add_loop_test(c, golden, 0, sizeof(outputs) / sizeof(*outputs));
	tcase_add_test(c, json);
	tcase_add_test(c, page);
	suite_add_tcase(s, c);
	return suite_main(s);
}
