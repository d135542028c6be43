/*
 * runtime.c - see runtime.h.
 *
 * Where several runtimes run in a process, each thread belongs to one of them at a time:
 * the first that knows the thread answers. Asynchronous-signal-safe but for the changes,
 * which are rare and may meet: entries are claimed one by one.
 */
#include "config.h"

#include "ompt_tool/omp/runtime.h"

#include <stddef.h>

enum { RUNTIMES = 4 };

const struct runtime *_Atomic runtime_current;
static const struct runtime *_Atomic all[RUNTIMES];

static void query_each(struct runtime_view *v)
{
	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *r = atomic_load_explicit(&all[i], memory_order_relaxed);

		if (!r)
			continue;
		r->query(v);
		if (v->known)
			return;
		*v = (struct runtime_view){ 0 };
	}
}

static const struct runtime several = {
	.name = "several",
	.query = query_each,
	.any_thread = true,
};

static void settle(void)
{
	const struct runtime *one = NULL;
	int n = 0;

	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *r = atomic_load(&all[i]);

		n += r ? 1 : 0;
		one = r ? r : one;
	}
	atomic_store(&runtime_current, n > 1 ? &several : one);
}

void runtime_add(const struct runtime *r)
{
	const struct runtime *none;

	for (int i = 0; i < RUNTIMES; i++)
		if (atomic_load(&all[i]) == r)
			return;
	for (int i = 0; i < RUNTIMES; i++) {
		none = NULL;
		if (atomic_compare_exchange_strong(&all[i], &none, r))
			break;
	}
	settle();
}

void runtime_remove(const struct runtime *r)
{
	for (int i = 0; i < RUNTIMES; i++) {
		const struct runtime *was = r;

		atomic_compare_exchange_strong(&all[i], &was, NULL);
	}
	settle();
}
