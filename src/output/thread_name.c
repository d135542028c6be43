/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_name.c - see thread_name.h. */
#include "config.h"

#include "src/output/thread_name.h"

#include "src/base/alloc.h"
#include "src/model/model.h"
#include "src/output/printable.h"
#include "src/profile/reader/reader.h"

void thread_name(FILE *out, const struct model *m, uint32_t thread)
{
	const struct model_thread *t = &m->threads[thread];
	const struct prof_file *f = m->processes[t->process].file;
	const char *rank = prof_text(f, PROF_INFO_RANK);

	if (m->nprocesses > 1 && rank) {
		fputs("rank ", out);
		format_text(out, rank, 0);
		putc(' ', out);
	} else if (m->nprocesses > 1) {
		fprintf(out, "pid %u ", f->header.pid);
	}
	fprintf(out, "thread %u", t->number);
}

char *thread_text(const struct model *m, uint32_t thread)
{
	char *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);

	thread_name(out, m, thread);
	alloc_stream_end(out);
	return text;
}

const char *thread_kind(uint32_t kind)
{
	return kind == PROF_THREAD_INITIAL ? "initial" :
	       kind == PROF_THREAD_WORKER  ? "worker" :
	       kind == PROF_THREAD_OTHER   ? "other" :
					     NULL;
}
