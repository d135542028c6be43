/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/runtime/calling_thread.h"

#include "ompt_tool/runtime/runtime_host.h"

struct omp_thread *calling_thread_begins(enum prof_thread_kind kind)
{
	struct thread *t = thread_self;

	if (!t || t->omp.kind == PROF_THREAD_UNKNOWN)
		t = runtime_host.thread_begins(kind);
	/* A fork's child makes its profile now that there is something to write. */
	return t && (t->omp.record || thread_ready(t)) ? &t->omp : NULL;
}
