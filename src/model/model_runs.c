/* model_runs.c - which processes one ompcount started, or are ranks of one job at one time. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"

/* What tells a process's run. */
struct told {
	const char *id, *job; /* NULL: none */
	uint64_t start_ns, end_ns;
};

static const char *text_of(const struct prof_file *f, enum prof_info_kind kind)
{
	const char *text = prof_text(f, kind);

	return text && *text ? text : NULL;
}

static struct told told_by(const struct model_process *p)
{
	const struct prof_header *h = &p->file->header;

	return (struct told){
		.id = text_of(p->file, PROF_INFO_RUN_ID),
		.job = prof_text(p->file, PROF_INFO_RANK) ? text_of(p->file, PROF_INFO_JOB) : NULL,
		.start_ns = h->start_realtime_ns,
		.end_ns = prof_add(h->start_realtime_ns, model_elapsed_ns(p)),
	};
}

/* Ranks have their own ompcount each where the batch system starts it for each. */
static bool is_same(const struct told *a, const struct told *b)
{
	if (a->id && b->id && !strcmp(a->id, b->id))
		return true;
	return a->job && b->job && !strcmp(a->job, b->job) && a->start_ns <= b->end_ns &&
	       b->start_ns <= a->end_ns;
}

size_t model_runs(const struct model *m)
{
	struct told *all = calloc(m->nprocesses + 1, sizeof(*all));
	size_t n = 0, nruns = 0;

	/* What tells nothing is not known to be of another run. */
	for (size_t i = 0; all && i < m->nprocesses; i++) {
		size_t k = 0;

		all[n] = told_by(&m->processes[i]);
		if (!all[n].id && !all[n].job)
			continue;
		while (k < n && !is_same(&all[k], &all[n]))
			k++;
		nruns += k == n;
		n++;
	}
	free(all);
	return nruns ? nruns : 1;
}
