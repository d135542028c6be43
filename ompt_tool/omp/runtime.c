/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where several runtimes run in a process, several may know a thread: one's region may be
 * inside of another's, and each knows the initial thread for good. The one whose task, or
 * call, is the innermost on the stack answers. Several threads may change the list at once:
 * entries are claimed one by one.
 */
#include "config.h"

#include "ompt_tool/omp/runtime.h"

#include <stddef.h>

enum { RUNTIMES = 4 };

const struct runtime *_Atomic runtime_current;
static const struct runtime *_Atomic all[RUNTIMES];

/* Stacks grow down: the least address of the task's frames. UINTPTR_MAX: none is reported. */
static uintptr_t innermost(const struct runtime_view *v)
{
	const uintptr_t exit = v->exit != 0 ? v->exit : UINTPTR_MAX;

	return v->enter != 0 && v->enter < exit ? v->enter : exit;
}

static void query_each(struct runtime_view *v)
{
	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *r = atomic_load_explicit(&all[i], memory_order_relaxed);
		struct runtime_view w = { 0 };

		if (!r)
			continue;
		r->query(&w);
		if (w.known && (!v->known || innermost(&w) < innermost(v)))
			*v = w;
	}
}

static const struct runtime several = {
	.name = "several",
	.query = query_each,
	.any_thread = true,
};

static const struct runtime *answering(void)
{
	const struct runtime *one = NULL;
	int n = 0;

	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *r = atomic_load(&all[i]);

		n += r ? 1 : 0;
		one = r ? r : one;
	}
	return n > 1 ? &several : one;
}

/* Again where another thread has changed the list meanwhile. */
static void settle(void)
{
	const struct runtime *r;

	do {
		r = answering();
		atomic_store(&runtime_current, r);
	} while (r != answering());
}

bool runtime_is_known(const struct runtime *r)
{
	for (int i = 0; i < RUNTIMES; i++)
		if (atomic_load_explicit(&all[i], memory_order_relaxed) == r)
			return true;
	return false;
}

bool runtime_add(const struct runtime *r)
{
	for (int i = 0; i < RUNTIMES && !runtime_is_known(r); i++) {
		const struct runtime *there = NULL;

		if (atomic_compare_exchange_strong(&all[i], &there, r)) {
			settle();
			return true;
		}
		if (there == r)
			break;
	}
	return false;
}

void runtime_remove(const struct runtime *r)
{
	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *was = r;

		atomic_compare_exchange_strong(&all[i], &was, NULL);
	}
	settle();
}
