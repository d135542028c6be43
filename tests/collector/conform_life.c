/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_life.c - groups: a session that begins late, a fork's child, and tasks.
 */
#include "tests/collector/conform.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- START before all constructors ------------------------------------ */

static atomic_uint forks;
static _Atomic uint64_t last_fork;
static int early_start = -1, early_register = -1;

static void on_fork(OMP_COLLECTORAPI_EVENT event)
{
	(void)event;
	atomic_fetch_add(&forks, 1);
	atomic_store(&last_fork, ask_region());
}

/* In a collector this is a constructor, which may come before the runtime's. */
static void begin_early(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	for (; *env && strcmp(*env, CONFORM_EARLY "=1"); env++)
		;
	if (!*env || !api_find())
		return;
	early_start = ask_plain(OMP_REQ_START);
	early_register = ask_register(OMP_EVENT_FORK, on_fork);
}

typedef void initializer(int, char **, char **);
static __attribute__((section(".preinit_array"), used)) initializer *const preinit = begin_early;

int early_main(void)
{
	const struct answer a = ask();
	int i;

	if (early_start != OMP_ERRCODE_OK || early_register != OMP_ERRCODE_OK)
		return 10 + early_start;
	if (a.state != THR_SERIAL_STATE || a.id != 0)
		return 2;
	for (i = 0; i < 5; i++) {
#pragma omp parallel num_threads(2)
		ask();
	}
	return forks == 5 ? 0 : 3;
}

void group_early(void)
{
	const pid_t child = fork();
	int status = -1;

	if (child == 0) {
		setenv(CONFORM_EARLY, "1", 1);
		execl("/proc/self/exe", "conform", (char *)NULL);
		_exit(1);
	}
	if (expect(child > 0, "a process", "none"))
		waitpid(child, &status, 0);
	expect(status == 0, "START before all constructors",
	       "exit status %d (1: exec; 2: the state; 3: FORKs; 10 and more: START's code)",
	       WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

/* ---- START after the first region ------------------------------------- */

static void start_late(int *code)
{
	*code = ask_plain(OMP_REQ_START);
	if (*code == OMP_ERRCODE_SEQUENCE_ERR)
		note("START after the first region has begun is refused");
	else
		expect_code("START after the first region has begun", *code, OMP_ERRCODE_OK);
}

static void region_of_probes(void)
{
#pragma omp parallel num_threads(2)
	{
		probe_here(omp_get_thread_num());
#pragma omp barrier
	}
}

static void expect_serial(const char *what)
{
	const struct answer a = ask();

	expect(a.state == THR_SERIAL_STATE && a.id == 0, what, "%s, region %llu",
	       state_name(a.state), (unsigned long long)a.id);
}

/* Who accepts a late START knows what threads do that were there before. */
void group_late(void)
{
	struct answer a;
	int code;

	region_of_probes();
	/* The worker gets there before START. */
	sleep_ms(50);
	start_late(&code);
	if (code != OMP_ERRCODE_OK)
		return;
	expect_serial("the initial thread after a late START");
	if (probe_until(1, THR_IDLE_STATE, "a worker after a late START is in IDLE", &a))
		expect_equal("it is in no region", a.id, 0);
	region_of_probes();
	expect_serial("the initial thread after the first region of the session");
	if (probe_until(1, THR_IDLE_STATE, "a worker after that region is in IDLE", &a))
		expect_equal("it is in no region", a.id, 0);
}

static void compute_until(atomic_bool *done)
{
	volatile double x = 1;

	while (!atomic_load(done))
		x = x * 0.999 + 0.5;
}

/* A session that begins in a region. */
void group_inside(void)
{
	static atomic_bool done;
	struct answer a;
	int code = -1;

#pragma omp parallel num_threads(2)
	{
		probe_here(omp_get_thread_num());
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			compute_until(&done);
		else {
			start_late(&code);
			if (code == OMP_ERRCODE_OK) {
				a = ask();
				expect_equal(
					"the master's state in the region it has begun before START",
					(uint64_t)a.state, THR_WORK_STATE);
				probe_until(1, THR_WORK_STATE, "a worker in that region is in WORK",
					    &a);
				if (a.id == 0)
					note("that region has no ID");
			}
			atomic_store(&done, true);
		}
	}
	if (code == OMP_ERRCODE_OK)
		expect_serial("the initial thread after that region");
}

/* A session that another thread begins meanwhile. What was there before the session may be
   unknown; it must not be taken for what never is in a region. */
static void *begin_for_others(void *code)
{
	start_late(code);
	return NULL;
}

static void ask_about(int slot, const char *who)
{
	struct answer a;
	char what[96];

	snprintf(what, sizeof(what), "%s in a region that began before another thread's START",
		 who);
	if (!probe(slot, &a)) {
		expect(false, what, "no answer");
		return;
	}
	expect(a.state_code == OMP_ERRCODE_OK && a.state != THR_SERIAL_STATE, what, "%s, %s",
	       code_name(a.state_code), state_name(a.state));
	if (a.state != THR_WORK_STATE)
		note("%s computes in a region that began before START: %s", who,
		     state_name(a.state));
}

void group_beside(void)
{
	static atomic_bool done;
	static atomic_int there;
	pthread_t thread;
	int code = -1;

#pragma omp parallel num_threads(3)
	{
		probe_here(omp_get_thread_num());
		atomic_fetch_add(&there, 1);
		if (omp_get_thread_num() != 1)
			compute_until(&done);
		else {
			while (atomic_load(&there) < 3)
				;
			if (pthread_create(&thread, NULL, begin_for_others, &code) == 0)
				pthread_join(thread, NULL);
			if (code == OMP_ERRCODE_OK) {
				ask_about(0, "the master");
				ask_about(2, "a worker");
			}
			atomic_store(&done, true);
		}
	}
	if (code == OMP_ERRCODE_OK)
		expect_serial("the initial thread after that region");
}

/* ---- a fork's child --------------------------------------------------- */

/* Runtimes may have no threads there: one has to do. The checks are counted for both. */
static void be_child(void)
{
	const unsigned before = forks;
	const uint64_t of_parent = last_fork;
	struct answer a = { 0, 0, 0, 0, 0 };

	expect_serial("a fork's child");
	expect_code("REGISTER in a fork's child", ask_register(OMP_EVENT_FORK, on_fork),
		    OMP_ERRCODE_OK);
#pragma omp parallel num_threads(1)
	a = ask();
	expect(a.state == THR_WORK_STATE && a.id != 0, "a body in a fork's child",
	       "%s, region %llu", state_name(a.state), (unsigned long long)a.id);
	expect(a.id != of_parent, "its region is not the parent's", "it is");
	if (forks == before)
		note("a region of one thread has no FORK");
	else
		expect_equal("its FORK's region", last_fork, a.id);
	exit(0);
}

void group_child(void)
{
	pid_t child;
	int status = -1;

	session_begin();
	expect_code("REGISTER", ask_register(OMP_EVENT_FORK, on_fork), OMP_ERRCODE_OK);
	region_of_probes();
	region_of_probes();
	expect_equal("a FORK for each region", forks, 2);
	child = fork();
	if (child == 0)
		be_child();
	if (expect(child > 0, "a fork", "none"))
		waitpid(child, &status, 0);
	expect_equal("the child's exit status", (uint64_t)status, 0);
	region_of_probes();
	expect_equal("the parent's FORKs after that", forks, 3);
	expect_serial("the parent after that");
}

/* ---- tasks ------------------------------------------------------------ */

enum { TEAM = 3, TASKS = 60 };

static atomic_uint wrong_state, wrong_region, ran, strangers;

static void look(uint64_t region, int state)
{
	const struct answer a = ask();

	if (a.state != state)
		atomic_fetch_add(&wrong_state, 1);
	if (a.id != region)
		atomic_fetch_add(&wrong_region, 1);
}

static void task(uint64_t region, int creator, int i)
{
	look(region, THR_WORK_STATE);
	if (omp_get_thread_num() != creator)
		atomic_fetch_add(&strangers, 1);
	if (i % 10 == 0) {
#pragma omp parallel num_threads(2)
		{
			if (ask().state != THR_WORK_STATE || ask_region() == region)
				atomic_fetch_add(&wrong_state, 1);
		}
		look(region, THR_WORK_STATE);
	}
	sleep_ms(1);
	atomic_fetch_add(&ran, 1);
}

static void create(uint64_t region)
{
	int i;

	for (i = 0; i < TASKS; i++) {
#pragma omp task if (i % 7 != 0) firstprivate(i)
		task(region, 0, i);
		look(region, THR_WORK_STATE);
	}
#pragma omp taskwait
	look(region, THR_WORK_STATE);
#pragma omp taskgroup
	{
#pragma omp task
		task(region, 0, 1);
	}
	look(region, THR_WORK_STATE);
}

/* Threads that have run tasks at a barrier wait there again afterwards. */
static void others_wait(uint64_t region)
{
	struct answer a;
	int i;

	for (i = 1; i < TEAM; i++) {
		if (probe_until(i, THR_EBAR_STATE, "a thread that ran tasks in a barrier is in it",
				&a))
			expect_equal("it is in the region", a.id, region);
	}
}

void group_tasks(void)
{
	omp_set_max_active_levels(2);
	session_begin();
#pragma omp parallel num_threads(TEAM)
	{
		const uint64_t region = ask_region();

		probe_here(omp_get_thread_num());
#pragma omp master
		{
			create(region);
			others_wait(region);
		}
#pragma omp barrier
		look(region, THR_WORK_STATE);
	}
	expect_equal("tasks that ran", ran, TASKS + 1);
	expect_equal("states in tasks and after them that are not WORK", wrong_state, 0);
	expect_equal("regions in tasks and after them that are not the team's", wrong_region, 0);
	note("%u of %u tasks ran on another thread than their creator's", strangers, TASKS + 1);
	expect_serial("the initial thread after the region");
}
