/* SPDX-License-Identifier: BSD-3-Clause */
/* pomp.c - see pomp.h. */
#include "config.h"

#include "ompt_tool/runtime/pomp.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/region.h"
#include "ompt_tool/runtime/calling_thread.h"
#include "ompt_tool/runtime/pomp_link.h"
#include "ompt_tool/tree/cct.h"
#include "ompt_tool/tree/module.h"

#define EXPORT __attribute__((visibility("default")))

enum { SPANS = 64, SITES = 256, PARTS = POMP_STEPS / 2 };

/* A part that has begun and not ended, and the node that counts it; 0: none. */
struct pomp_span {
	const struct pomp_descriptor *descriptor;
	uint64_t begin_ticks;
	uint32_t node;
	uint8_t part; /* enum pomp_step / 2 */
};

struct pomp_site {
	const struct pomp_descriptor *descriptor;
	uint32_t node;
	uint8_t part;
};

struct pomp_thread {
	const struct prof_thread *record; /* that the nodes are of */
	uint32_t epoch;			  /* likewise: token_epoch */
	pid_t tid;			  /* that the spans are of */
	struct pomp_levels levels;
	uint32_t n;
	struct pomp_span span[SPANS];
	struct pomp_site site[SITES];
};

/* Owned by this file. The program's list; NULL: it has none. */
static struct pomp_descriptor *_Atomic *_Atomic list;
/* The latest one that the profile has; NULL: it has none. */
static struct pomp_descriptor *_Atomic written;

/* ---- descriptors ----------------------------------------------------------- */

static void write_new(void)
{
	struct pomp_descriptor *_Atomic *all = atomic_load(&list);
	struct pomp_descriptor *const to = all ? atomic_load(all) : NULL, *from = written;

	if (to == from || !process_ready() || !atomic_compare_exchange_strong(&written, &from, to))
		return;
	for (struct pomp_descriptor *d = to; d != from; d = d->next)
		prof_info_append(&process.writer, PROF_INFO_DESCRIPTOR, d->text, d->bytes, NULL, 0);
}

void pomp_start(void)
{
	if (!atomic_load(&list))
		return;
	module_mark(atomic_load(&list), PROF_MODULE_TOOL);
	write_new();
}

void pomp_fork_child(void)
{
	atomic_store(&written, NULL);
}

EXPORT void omphwc_pomp_list(struct pomp_descriptor *_Atomic *all, const void *runtime)
{
	pomp_runtime_code(runtime);
	atomic_store(&list, all);
	if (thread_self)
		pomp_start();
}

/* ---- counts ------------------------------------------------------------------ */

/* What t keeps, NULL without memory. Another thread may have had t, or its record. */
static struct pomp_thread *kept_by(struct thread *t)
{
	struct pomp_thread *p = t->pomp;

	if (!p) {
		p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
		if (p == MAP_FAILED)
			return NULL;
		t->pomp = p;
	}
	if (p->record != t->omp.record || p->epoch != token_epoch || p->tid != t->tid)
		*p = (struct pomp_thread){
			.record = t->omp.record,
			.epoch = token_epoch,
			.tid = t->tid,
		};
	return p;
}

struct pomp_levels *pomp_levels_of(const struct thread *t)
{
	struct pomp_thread *p = t->pomp;

	return p && p->epoch == token_epoch && p->tid == t->tid ? &p->levels : NULL;
}

/* The node that counts that part in t's tree; 0 without room. */
static uint32_t node_of(struct thread *t, struct pomp_thread *p, const struct pomp_descriptor *d,
			uint8_t part)
{
	struct pomp_site *s = &p->site[(d->hash * PARTS + part) % SITES];

	if (s->descriptor == d && s->part == part && s->node != 0)
		return s->node;
	*s = (struct pomp_site){ .descriptor = d, .part = part };
	s->node = cct_child(&t->omp.cct, cct_root(&t->omp.cct),
			    PROF_NODE_INFO(PROF_NODE_DESCRIPTOR, 0, 0, 0), d->hash);
	s->node = cct_child(&t->omp.cct, s->node,
			    PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_WHOLE + part), 0);
	return s->node;
}

static struct prof_node *counted_at(uint32_t node)
{
	return node != 0 && process.writer.base ? cct_node(&process.writer, node) : NULL;
}

static void begins(struct thread *t, struct pomp_thread *p, const struct pomp_descriptor *d,
		   uint8_t part)
{
	const uint32_t at = node_of(t, p, d, part);
	struct prof_node *const node = counted_at(at);

	if (node)
		node->a++;
	if (!node || p->n == SPANS) {
		t->omp.record->lost[PROF_LOST_ENTRIES] += !node;
		return;
	}
	p->span[p->n++] = (struct pomp_span){
		.descriptor = d,
		.begin_ticks = ticks_now(),
		.node = at,
		.part = part,
	};
}

/* Of a part within the same part of the same construct, as recursions have it, the outer one
   counts the time. What is inside of it, and did not end, was left. */
static void ends(struct pomp_thread *p, const struct pomp_descriptor *d, uint8_t part)
{
	const uint64_t now = ticks_now();
	uint32_t i = p->n, outer = 0;

	while (i > 0 && (p->span[i - 1].descriptor != d || p->span[i - 1].part != part))
		i--;
	if (i == 0)
		return;
	p->n = i - 1;
	while (outer < p->n && (p->span[outer].descriptor != d || p->span[outer].part != part))
		outer++;
	struct prof_node *const node = counted_at(p->span[i - 1].node);

	if (node && outer == p->n)
		node->b += now - p->span[i - 1].begin_ticks;
}

/* A combined directive is entered by its region's fork. */
static bool is_counted(const struct pomp_event *e)
{
	return e->step > POMP_EXIT || e->kind == POMP_PARALLEL || !e->descriptor->combined;
}

static void count(struct thread *t, struct pomp_thread *p, const struct pomp_event *e)
{
	if (!is_counted(e))
		return;
	if (e->step % 2 == 0)
		begins(t, p, e->descriptor, e->step / 2);
	else
		ends(p, e->descriptor, e->step / 2);
}

/* When the thread forked the region whose body it begins; 0: another thread did. */
static uint64_t forked_at(const struct pomp_thread *p, const struct pomp_event *e)
{
	const struct pomp_span *s = &p->span[p->n];

	return p->n != 0 && s[-1].descriptor == e->descriptor && s[-1].part == 0 ?
		       s[-1].begin_ticks :
		       0;
}

static void take(const struct pomp_event *e)
{
	struct thread *const t = calling_thread_known() ? thread_self : NULL;
	struct pomp_thread *p;

	if (e->kind == POMP_TASK && e->step == POMP_ENTER)
		*e->task = 0;
	if (!t || *process.alive == 0 || !thread_ready(t))
		return;
	if (atomic_load_explicit(atomic_load(&list), memory_order_relaxed) !=
	    atomic_load_explicit(&written, memory_order_relaxed))
		write_new();
	p = kept_by(t);
	if (!p)
		return;
	const uint64_t forked = forked_at(p, e);

	count(t, p, e);
	pomp_runtime_event(t, &p->levels, e, forked);
}

EXPORT void omphwc_pomp_event(const struct pomp_event *e)
{
	const int error = errno;

	take(e);
	errno = error;
}
