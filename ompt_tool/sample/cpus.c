/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpus.c - see thread.h.
 *
 * rseq(2): the kernel stores the CPU's number into the thread's area whenever the thread
 * returns to user mode after it ran elsewhere, so it is right in a signal handler too.
 */
#include "config.h"

#include "ompt_tool/sample/thread.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/machine/arch.h"
#include "ompt_tool/tree/cct.h"

enum {
	RSEQ_CPU_ID = 4, /* offset of cpu_id in struct rseq; before registration it is negative */
	ASKS = 10,
};

/* glibc's (sys/rseq.h); the size is 0 where the program has an area of its own. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

/* Owned by this file, written at the start. */
static enum { BY_NOTHING, BY_RSEQ, BY_REGISTER } way;

/* Whether the register has the number that the kernel reports. The thread may move between
   the two readings, so one equal pair of several is enough. */
static bool register_works(void)
{
	for (int i = 0; i < ASKS && arch_has_cpu(); i++)
		if (sched_getcpu() == (int)arch_cpu())
			return true;
	return false;
}

void cpus_prepare(void)
{
	if (&__rseq_offset && &__rseq_size && __rseq_size != 0)
		way = BY_RSEQ;
	else if (register_works())
		way = BY_REGISTER;
}

static uint32_t cpu_of_rseq(void)
{
	const uintptr_t area = arch_thread_pointer() + (uintptr_t)__rseq_offset;

	return *(const volatile uint32_t *)(area + RSEQ_CPU_ID);
}

uint32_t cpus_now(void)
{
	const uint32_t cpu = way == BY_RSEQ	? cpu_of_rseq() :
			     way == BY_REGISTER ? arch_cpu() :
						  CPUS_NONE;

	return cpu <= PROF_CPU_MOST ? cpu : CPUS_NONE;
}

static void count_move(struct thread *t)
{
	const uint32_t node = cct_child(&t->omp.cct, cct_root(&t->omp.cct),
					PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_MOVES), 0);

	if (node != 0)
		cct_node(t->omp.cct.writer, node)->a++;
}

void cpus_forget(struct thread *t)
{
	t->cpus = (struct cpus){ .cpu = CPUS_NONE };
}

void cpus_count(struct thread *t, uint32_t event, uint64_t weight)
{
	struct cpus *c = &t->cpus;
	const uint32_t cpu = cpus_now();

	if (cpu == CPUS_NONE)
		return;
	if (cpu != c->cpu) {
		if (t->cpus.cpu != CPUS_NONE)
			count_move(t);
		cpus_forget(t);
		t->cpus.cpu = cpu;
	}
	if (c->node[event] == 0)
		c->node[event] =
			cct_child(&t->omp.cct, cct_root(&t->omp.cct), PROF_CPU_INFO(event, cpu), 0);
	if (c->node[event] == 0)
		return;
	struct prof_node *node = cct_node(t->omp.cct.writer, c->node[event]);

	node->weight += weight;
	node->samples++;
}

void cpus_count_there(struct thread *t, uint32_t event, uint64_t weight)
{
	if (t->cpus.node[event] == 0)
		return;
	struct prof_node *node = cct_node(t->omp.cct.writer, t->cpus.node[event]);

	node->weight += weight;
	node->samples++;
}
