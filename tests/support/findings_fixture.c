/* SPDX-License-Identifier: BSD-3-Clause */
/* findings_fixture.c - makes the profile, and finds in it. */
#include "config.h"

#include "tests/support/findings_fixture.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "src/output/finding_words.h"
#include "src/view/view.h"

struct made made;

void made_setup(void)
{
	made = (struct made){ .sample_ms = 1 };
	scene_init(&made.s);
	mk_event(made.s.mk, "cpu-clock:u", PROF_UNIT_NS);
	made.root[0] = mk_root(made.s.mk, mk_thread(made.s.mk, PROF_THREAD_INITIAL, 100));
	made.nthreads = 1;
	made_worker();
	made.context = made_other("main:20 solve:12");
}

void made_teardown(void)
{
	losses_fini(&made.losses);
	placement_fini(&made.placement);
	findings_fini(&made.findings);
	view_free(made.view);
	scene_fini(&made.s);
}

void made_worker(void)
{
	const uint32_t thread = mk_thread(made.s.mk, PROF_THREAD_WORKER, 100 + made.nthreads);

	made.root[made.nthreads++] = mk_root(made.s.mk, thread);
}

/* ---- regions --------------------------------------------------------- */

uint32_t made_other(const char *call)
{
	return scene_path(&made.s, made.root[0], call);
}

static uint32_t boundary(uint32_t context, unsigned thread)
{
	return mk_boundary(made.s.mk, made.root[thread], context, PROF_BOUNDARY_REGION);
}

void made_other_region(uint32_t context, uint64_t entries, uint64_t ms, uint64_t team)
{
	const uint32_t at = boundary(context, 0);

	mk_stats(made.s.mk, at, PROF_STATS_REGION, entries, ms * MS);
	mk_stats(made.s.mk, at, PROF_STATS_TEAM, team << 32 | team, entries * team);
}

void made_asked(uint64_t entries, uint64_t threads)
{
	mk_stats(made.s.mk, boundary(made.context, 0), PROF_STATS_ASKED, entries,
		 entries * threads);
}

void made_resized(uint64_t entries)
{
	mk_stats(made.s.mk, boundary(made.context, 0), PROF_STATS_RESIZED, entries, 0);
}

void made_region(uint64_t entries, uint64_t ms, uint64_t team)
{
	made_other_region(made.context, entries, ms, team);
}

/* ---- time ------------------------------------------------------------ */

static void sampled(uint32_t at, enum prof_state state, uint64_t ms)
{
	const uint64_t samples = ms / made.sample_ms;

	if (samples)
		mk_leaf(made.s.mk, at, 0, state, PROF_CAUSE_NONE, samples, ms * MS);
}

void made_in(uint32_t context, unsigned thread, const char *path, enum prof_state state,
	     uint64_t ms)
{
	sampled(scene_path(&made.s, boundary(context, thread), path), state, ms);
}

void made_time(unsigned thread, const char *path, enum prof_state state, uint64_t ms)
{
	made_in(made.context, thread, path, state, ms);
}

void made_inside(unsigned thread, enum prof_construct_kind kind, const char *call, const char *path,
		 enum prof_state state, uint64_t ms)
{
	const uint32_t at = scene_path(&made.s, boundary(made.context, thread), path);

	sampled(mk_construct(made.s.mk, at, scene_object(&made.s, call), kind), state, ms);
}

void made_outside(unsigned thread, const char *path, enum prof_state state, uint64_t ms)
{
	sampled(scene_path(&made.s, made.root[thread], path), state, ms);
}

void made_tasks(unsigned thread, uint64_t n, uint64_t body_ms)
{
	const uint32_t context =
		scene_path(&made.s, boundary(made.context, 0), "solve._omp_fn.0:15");
	const uint32_t at = mk_boundary(made.s.mk, made.root[thread], context, PROF_BOUNDARY_TASK);

	mk_stats(made.s.mk, at, PROF_STATS_TASK_RUN, n, 0);
	mk_stats(made.s.mk, at, PROF_STATS_TASK_TIME, body_ms * MS, 0);
	sampled(scene_path(&made.s, at, "solve._omp_fn.1:16"), PROF_STATE_PARALLEL, body_ms);
}

void made_created(unsigned thread, uint64_t n)
{
	const uint32_t context =
		scene_path(&made.s, boundary(made.context, 0), "solve._omp_fn.0:15");

	mk_stats(made.s.mk, mk_boundary(made.s.mk, made.root[thread], context, PROF_BOUNDARY_TASK),
		 PROF_STATS_TASK, n, 0);
}

void made_passes(unsigned thread, enum prof_construct_kind kind, const char *call, uint64_t n,
		 uint64_t iterations)
{
	const uint32_t at = mk_construct(made.s.mk, boundary(made.context, thread),
					 scene_object(&made.s, call), kind);

	mk_stats(made.s.mk, at, PROF_STATS_CONSTRUCT, n, 0);
	if (iterations)
		mk_stats(made.s.mk, at, PROF_STATS_COUNT, iterations << 32 | iterations,
			 n * iterations);
}

void made_scheduled(unsigned thread, uint64_t ran_ms, uint64_t waited_ms)
{
	mk_stats(made.s.mk, made.root[thread], PROF_STATS_SCHEDULE, ran_ms * MS, waited_ms * MS);
	mk_cpu(made.s.mk, made.root[thread], 0, thread, ran_ms, ran_ms * MS);
}

/* ---- what is found --------------------------------------------------- */

/* No loss is in two findings: all of them together save no more than the run takes. */
static void check_gains(void)
{
	double sum = 0;

	for (size_t i = 0; i < made.findings.n; i++)
		if (!finding_is_condition(made.findings.all[i].rule))
			sum += made.findings.all[i].gain_ns;
	ck_assert_msg(sum <= made.losses.elapsed_ns * 1.001, "findings gain %g ns of %g", sum,
		      made.losses.elapsed_ns);
}

void made_end(void)
{
	mk_end(made.s.mk);
	scene_process(&made.s);
	made.view = scene_view(&made.s, VIEW_USER);
	losses_build(made.view, &made.losses);
	ck_assert_msg(!made.losses.unknown, "%s", made.losses.unknown);
	placement_build(&made.s.model, 0, &made.placement);
	findings_build(made.view, &made.losses, &made.placement, &made.findings);
	check_gains();
}

size_t made_losses(void)
{
	size_t n = 0;

	for (size_t i = 0; i < made.findings.n; i++)
		n += made.findings.all[i].rule != FINDING_ALL_DO;
	return n;
}

const struct finding *made_finding(enum finding_rule rule)
{
	for (size_t i = 0; i < made.findings.n; i++)
		if (made.findings.all[i].rule == rule)
			return &made.findings.all[i];
	return NULL;
}

const struct finding *made_found(enum finding_rule rule)
{
	const struct finding *f = made_finding(rule);

	ck_assert_msg(f, "%s is not found", finding_key(rule));
	return f;
}

void made_not_found(enum finding_rule rule)
{
	ck_assert_msg(!made_finding(rule), "%s is found", finding_key(rule));
}

void made_equal_ms(double ns, double ms)
{
	ck_assert_msg(fabs(ns / MS - ms) < 0.001, "%f ms instead of %f", ns / MS, ms);
}

void made_says(const struct finding *f, const char *part)
{
	struct finding_words w;

	finding_words(made.view, f, &w);
	ck_assert_msg(strstr(w.what, part) || strstr(w.why, part) || strstr(w.helps, part),
		      "\"%s\" is not in \"%s; %s; %s\"", part, w.what, w.why, w.helps);
	finding_words_fini(&w);
}
