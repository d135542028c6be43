/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testomp_omp.c - omp_*: what programs call.
 */
#include "config.h"

#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "tests/collector/testomp_entries.h"

/* ---- locks ------------------------------------------------------------ */

void omp_init_lock(omp_lock_t *l)
{
	atomic_store(&l->word, 0);
}

void omp_destroy_lock(omp_lock_t *l)
{
	(void)l;
}

void omp_set_lock(omp_lock_t *l)
{
	word_lock(&l->word, THR_LKWT_STATE, OMP_EVENT_THR_BEGIN_LKWT);
}

void omp_unset_lock(omp_lock_t *l)
{
	word_unlock(&l->word);
}

int omp_test_lock(omp_lock_t *l)
{
	return word_try(&l->word);
}

/* Owned by a thread: no task changes its thread here. */
void omp_init_nest_lock(omp_nest_lock_t *l)
{
	atomic_store(&l->word, 0);
	atomic_store(&l->owner, NULL);
	l->count = 0;
}

void omp_destroy_nest_lock(omp_nest_lock_t *l)
{
	(void)l;
}

void omp_set_nest_lock(omp_nest_lock_t *l)
{
	if (atomic_load(&l->owner) != &self) {
		word_lock(&l->word, THR_LKWT_STATE, OMP_EVENT_THR_BEGIN_LKWT);
		atomic_store(&l->owner, &self);
	}
	l->count++;
}

void omp_unset_nest_lock(omp_nest_lock_t *l)
{
	if (--l->count > 0)
		return;
	atomic_store(&l->owner, NULL);
	word_unlock(&l->word);
}

int omp_test_nest_lock(omp_nest_lock_t *l)
{
	if (atomic_load(&l->owner) != &self) {
		if (!word_try(&l->word))
			return 0;
		atomic_store(&l->owner, &self);
	}
	return ++l->count;
}

/* ---- threads and levels ----------------------------------------------- */

void omp_set_num_threads(int n)
{
	self.wanted = n > 0 ? (unsigned)n : 1;
}

int omp_get_num_threads(void)
{
	return (int)here()->team->size;
}

int omp_get_max_threads(void)
{
	return (int)usual_threads();
}

int omp_get_thread_num(void)
{
	return (int)here()->number;
}

int omp_get_num_procs(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int omp_get_thread_limit(void)
{
	return INT_MAX;
}

int omp_in_parallel(void)
{
	return here()->team->active_level > 0;
}

int omp_in_final(void)
{
	return 0;
}

void omp_set_dynamic(int on)
{
	(void)on;
}

int omp_get_dynamic(void)
{
	return 0;
}

void omp_set_nested(int on)
{
	max_active_levels = on ? INT_MAX : 1;
}

int omp_get_nested(void)
{
	return max_active_levels > 1;
}

void omp_set_max_active_levels(int levels)
{
	if (levels >= 0)
		max_active_levels = levels;
}

int omp_get_max_active_levels(void)
{
	return max_active_levels;
}

int omp_get_level(void)
{
	return (int)here()->team->level;
}

int omp_get_active_level(void)
{
	return (int)here()->team->active_level;
}

/* The thread's ancestor at a level; NULL: there is none. */
static const struct member *ancestor(int level)
{
	const struct member *m = here();

	if (level < 0 || level > (int)m->team->level)
		return NULL;
	while ((int)m->team->level > level)
		m = m->team->creator;
	return m;
}

int omp_get_ancestor_thread_num(int level)
{
	const struct member *m = ancestor(level);

	return m ? (int)m->number : -1;
}

int omp_get_team_size(int level)
{
	const struct member *m = ancestor(level);

	return m ? (int)m->team->size : -1;
}

int omp_get_cancellation(void)
{
	return 0;
}

/* ---- time ------------------------------------------------------------- */

double omp_get_wtime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double omp_get_wtick(void)
{
	return 1e-9;
}
