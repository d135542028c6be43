/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/sample/thread.h"

#include <stdatomic.h>
#include <stddef.h>

#include "ompt_tool/omp/lives.h"
#include "ompt_tool/sample/sampling.h"
#include "ompt_tool/tree/process.h"
#include "src/profile/clock.h"

struct sampling sampling;
__thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

bool thread_record(struct thread *t)
{
	static const struct prof_thread empty;
	struct prof_thread *r = prof_info_append(&process.writer, PROF_INFO_PENDING, &empty,
						 sizeof(empty), NULL, 0);

	if (!r)
		return false;
	t->omp.index = prof_thread_index(&process.writer);
	r->index = t->omp.index;
	r->tid = (uint32_t)t->tid;
	r->kind = t->omp.kind;
	r->values_known = t->missing << PROF_VALUES_MISSING;
	r->start_ns = clock_ns(CLOCK_MONOTONIC);
	prof_info_publish(r, PROF_INFO_THREAD);
	t->data_nodes = t->data_pages = 0;
	t->cut = CUT_NONE;
	cpus_forget(t);
	t->wall = (struct wall_spot){ 0 };
	t->asleep = false;
	t->timeline.head = NULL;
	t->timeline.refused = 0;
	t->omp.trace = (struct trace){ 0 };
	phases_forget(&t->phases);
	stack_reset(&t->stack);
	/* Where there is no room for a tree yet, the record still counts what is lost. */
	cct_init(&t->omp.cct, &process.writer, t->omp.index);
	t->schedule = (struct schedule){
		.node = cct_child(&t->omp.cct, cct_root(&t->omp.cct),
				  PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_SCHEDULE), 0),
	};
	t->omp.record = r;
	lives_store();
	return true;
}

bool thread_ready(struct thread *t)
{
	if (t->omp.record)
		return true;
	t->in_handler = true;
	atomic_signal_fence(memory_order_seq_cst);
	bool ready = t->omp.record || (process_ready() && thread_record(t));
	atomic_signal_fence(memory_order_seq_cst);
	t->in_handler = false;
	return ready;
}
