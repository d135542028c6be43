/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/lives.h"

#include <stddef.h>

#include "ompt_tool/tree/process.h"

struct lives lives;

/* Others may change and store it, too: whoever stores last has seen the last change. The file is
   not read, since other programs may write there. */
static void store64(uint64_t *to, _Atomic uint64_t *from)
{
	uint64_t value;

	do {
		value = atomic_load(from);
		__atomic_store_n(to, value, __ATOMIC_SEQ_CST);
	} while (atomic_load(from) != value);
}

static void store32(uint32_t *to, _Atomic uint32_t *from)
{
	uint32_t value;

	do {
		value = atomic_load(from);
		__atomic_store_n(to, value, __ATOMIC_SEQ_CST);
	} while (atomic_load(from) != value);
}

void lives_store(void)
{
	struct prof_header *h = process_has_profile() ? prof_header(&process.writer) : NULL;

	if (!h)
		return;
	for (int i = 0; i < PROF_THREAD_KINDS; i++)
		store64(&h->threads_begun[i], &lives.begun[i]);
	store64(&h->threads_shared, &lives.shared);
	store64(&h->initial_ns, &lives.initial_ns);
	store32(&h->threads_most, &lives.most);
	store32(&h->openmp_most, &lives.wide);
}

static void to_at_least(_Atomic uint32_t *most, uint32_t n)
{
	uint32_t was = atomic_load(most);

	while (was < n && !atomic_compare_exchange_weak(most, &was, n))
		;
}

static void lives_widen(uint32_t threads)
{
	if (threads <= atomic_load(&lives.wide))
		return;
	to_at_least(&lives.wide, threads);
	lives_store();
}

static uint32_t lives_beside(uint32_t team)
{
	return team > 1 ? team - 1 : 0;
}

/* How many threads OpenMP needs but for those of the first thread's outermost region. */
static uint32_t lives_elsewhere(void)
{
	const uint32_t initial = atomic_load(&lives.initial);
	const int32_t others = atomic_load(&lives.others);

	return (initial ? initial : 1) + (others > 0 ? (uint32_t)others : 0);
}

/* There are more initial threads, or more in other regions. */
static void lives_look(void)
{
	const struct region *r = atomic_load(&lives.outermost);
	const bool inside = r && (atomic_load(&r->generation) & 1) != 0;

	atomic_store(&lives.known, 0);
	lives_widen(lives_elsewhere() +
		    (inside ? lives_beside(__atomic_load_n(&r->team, __ATOMIC_RELAXED)) : 0));
}

void lives_team(const struct region *r, uint32_t before, uint32_t threads)
{
	const uint32_t had = lives_beside(before), has = lives_beside(threads);

	if (r == atomic_load(&lives.outermost)) {
		uint32_t elsewhere;

		do {
			elsewhere = lives_elsewhere();
			lives_widen(elsewhere + lives_beside(threads));
			atomic_store(&lives.known, threads);
			/* Who changes that stores 0 afterwards. */
		} while (lives_elsewhere() > elsewhere);
	} else if (has != had || atomic_load(&lives.wide) == 0) {
		atomic_fetch_add(&lives.others, (int32_t)(has - had));
		lives_look();
	}
}

void lives_begin(enum prof_thread_kind kind, bool shares)
{
	atomic_fetch_add(&lives.begun[kind], 1);
	if (shares)
		atomic_fetch_add(&lives.shared, 1);
	to_at_least(&lives.most, atomic_fetch_add(&lives.now, 1) + 1);
	if (kind == PROF_THREAD_INITIAL)
		atomic_fetch_add(&lives.initial, 1);
	if (atomic_load(&lives.wide) != 0)
		lives_look();
	lives_store();
}

void lives_become(enum prof_thread_kind from, enum prof_thread_kind kind)
{
	if (from == kind)
		return;
	atomic_fetch_sub(&lives.begun[from], 1);
	atomic_fetch_add(&lives.begun[kind], 1);
	if (from == PROF_THREAD_INITIAL)
		atomic_fetch_sub(&lives.initial, 1);
	if (kind == PROF_THREAD_INITIAL)
		atomic_fetch_add(&lives.initial, 1);
	if (atomic_load(&lives.wide) != 0)
		lives_look();
	lives_store();
}

void lives_end(enum prof_thread_kind kind)
{
	atomic_fetch_sub(&lives.now, 1);
	if (kind == PROF_THREAD_INITIAL)
		atomic_fetch_sub(&lives.initial, 1);
}

void lives_lived(enum prof_thread_kind kind, uint64_t ns)
{
	if (kind != PROF_THREAD_INITIAL || ns == 0)
		return;
	atomic_fetch_add(&lives.initial_ns, ns);
	lives_store();
}

void lives_main(const struct region_pool *pool)
{
	atomic_store(&lives.outermost, pool ? &pool->region[0] : NULL);
}

void lives_fork_child(enum prof_thread_kind kind, const struct region_pool *pool)
{
	for (int i = 0; i < PROF_THREAD_KINDS; i++)
		atomic_store(&lives.begun[i], i == (int)kind);
	atomic_store(&lives.shared, 0);
	atomic_store(&lives.initial_ns, 0);
	atomic_store(&lives.now, 1);
	atomic_store(&lives.most, 1);
	atomic_store(&lives.initial, kind == PROF_THREAD_INITIAL);
	atomic_store(&lives.wide, 0);
	atomic_store(&lives.known, 0);
	atomic_store(&lives.others, 0);
	lives_main(pool);
}
