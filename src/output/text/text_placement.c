/* SPDX-License-Identifier: BSD-3-Clause */
/* text_placement.c - on which CPUs threads ran: findings, and the table by CPU. */
#include "config.h"

#include "src/filter/filter.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/output/printable.h"
#include "src/output/text/text.h"
#include "src/tables/placement.h"
#include "src/tables/tables.h"
#include "src/toolchain/toolchain.h"

enum {
	CPUS_SHOWN = 4, /* of a thread's */
	LIST_BYTES = 2048,
	/* A wait for CPUs is mentioned from this share of the time that threads could run, and
	   from this time on. */
	WAITED_PERCENT = 10,
	WAITED_NS = 10000000,
};

/* ---- findings ------------------------------------------------------------------------------ */

/* The settings that place threads, as the process found them. */
static void text_settings(const struct text *t, const struct prof_file *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->ntexts; i++) {
		if (f->texts[i].kind != PROF_INFO_ENV || !toolchain_is_affinity(f->texts[i].text))
			continue;
		fputs(n++ == 0 ? "  as found: " : " ", t->out);
		format_text(t->out, f->texts[i].text, 0);
	}
	fputs(n == 0 ? "  OMP_PROC_BIND and OMP_PLACES were not set\n" : "\n", t->out);
}

/* Of several processes the first one stands for all. */
static void text_placement_of(const struct text *t, uint32_t process, size_t n)
{
	const struct model *m = t->report->model;

	if (m->nprocesses > 1)
		fprintf(t->out, "pid %u%s: ", m->processes[process].file->header.pid,
			n > 1 ? " and others" : "");
}

enum badly { CROWDED, SHARED, ON_ONE_SOCKET };

static bool is_placed(const struct placement_process *p, enum badly how)
{
	return how == CROWDED ? p->crowded : how == SHARED ? p->sharers != 0 : p->socket >= 0;
}

/* Says of which processes threads are placed so, and by what; false: of none. */
static bool text_placed(const struct text *t, enum badly how)
{
	const struct model *m = t->report->model;
	const struct placement *p = t->report->placement;
	uint32_t first = 0;
	size_t n = 0;

	for (uint32_t i = (uint32_t)m->nprocesses; i-- > 0;)
		if (is_placed(&p->processes[i], how)) {
			first = i;
			n++;
		}
	if (!n)
		return false;

	const struct placement_process *found = &p->processes[first];

	text_placement_of(t, first, how == ON_ONE_SOCKET ? 1 : n);
	if (how == CROWDED)
		fprintf(t->out, "%u OpenMP threads on %u CPU%s", m->processes[first].openmp_threads,
			found->ncpus, found->ncpus == 1 ? "" : "s");
	else if (how == SHARED)
		fprintf(t->out,
			"%u threads shared CPU %u and waited for it %s %% of the time that they "
			"could run, while none ran on CPU %u",
			found->sharers, found->shared_cpu,
			format_percent(found->sharers_waited_ns,
				       prof_add(found->sharers_ran_ns, found->sharers_waited_ns))
				.s,
			found->free_cpu);
	else
		fprintf(t->out, "all threads ran on socket %lld, none on socket %lld",
			(long long)found->socket, (long long)found->other_socket);
	fputs(": affinity mask ", t->out);
	format_text(t->out, placement_mask(m->processes[first].file), 0);
	putc('\n', t->out);
	text_settings(t, m->processes[first].file);
	return true;
}

void text_placement(const struct text *t)
{
	if (!t->report->placement)
		return;
	if (!text_placed(t, CROWDED))
		text_placed(t, SHARED);
	text_placed(t, ON_ONE_SOCKET);

	const struct placement *p = t->report->placement;
	const uint64_t could = prof_add(p->ran_ns, p->waited_ns);

	if (p->waited_ns < WAITED_NS || p->waited_ns / WAITED_PERCENT < could / 100)
		return;
	fprintf(t->out,
		"the threads got %s %% of the CPU time that they could use, %s of %s: in the rest "
		"they waited for a CPU\n",
		format_percent(p->ran_ns, could).s, format_amount(p->ran_ns, PROF_UNIT_NS).s,
		format_amount(could, PROF_UNIT_NS).s);
}

/* ---- tables -------------------------------------------------------------------------------- */

void text_thread_cpus(const struct text *t, uint32_t thread)
{
	const struct placement *p = t->report->placement;
	const struct placement_thread *pt = p ? &p->threads[thread] : NULL;
	const size_t event = t->report->event;
	uint64_t all = 0;

	if (!pt || !pt->nuses)
		return;
	for (size_t i = 0; i < pt->nuses; i++)
		all = prof_add(all, p->uses[pt->first + i].self[event].weight);
	fprintf(t->out, ", CPU%s", pt->nuses == 1 ? "" : "s");
	for (size_t i = 0; i < pt->nuses && i < CPUS_SHOWN; i++) {
		const struct placement_use *u = &p->uses[pt->first + i];

		fprintf(t->out, "%s %u", i ? "," : "", u->cpu);
		if (pt->nuses > 1)
			fprintf(t->out, " (%s %%)", format_percent(u->self[event].weight, all).s);
	}
	if (pt->nuses > CPUS_SHOWN)
		fprintf(t->out, " and %zu more", pt->nuses - CPUS_SHOWN);
	if (pt->moves)
		fprintf(t->out, ", %s move%s", format_count(pt->moves).s,
			pt->moves == 1 ? "" : "s");
	if (pt->schedule_known)
		fprintf(t->out, ", got %s %% of what it could use",
			format_percent(pt->ran_ns, prof_add(pt->ran_ns, pt->waited_ns)).s);
}

static void text_cpu_cells(const struct text *t, const struct cost *c, uint64_t all)
{
	const uint32_t unit = t->report->model->events[t->report->event].unit;

	fprintf(t->out, "%10s%7s%10s", format_amount(c->weight, unit).s,
		format_percent(c->weight, all).s, format_count(c->samples).s);
}

static void text_cpu(const struct text *t, const struct placement_cpu *c, uint64_t all)
{
	const struct model *m = t->report->model;
	const char *host = prof_text(m->processes[c->process].file, PROF_INFO_HOST);

	text_cpu_cells(t, &c->self[t->report->event], all);
	fprintf(t->out, "%9u  ", c->nthreads);
	if (m->nprocesses > 1 && host) {
		format_text(t->out, host, 0);
		putc(' ', t->out);
	}
	fprintf(t->out, "CPU %u", c->cpu);
	if (c->node >= 0)
		fprintf(t->out, ", node %lld", (long long)c->node);
	if (c->socket >= 0)
		fprintf(t->out, ", socket %lld", (long long)c->socket);
	putc('\n', t->out);
}

/* CPUs of the masks on which nothing ran, of each host's first process that knows some. */
static void text_unused(const struct text *t)
{
	const struct model *m = t->report->model;
	const struct placement *p = t->report->placement;
	char list[LIST_BYTES];

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		if (p->processes[i].host != i || !placement_unused(m, p, i, list, sizeof(list)))
			continue;
		text_placement_of(t, i, 1);
		fprintf(t->out, "no samples on CPUs %s of the affinity mask\n", list);
	}
}

void text_cpus(const struct text *t)
{
	const struct placement *p = t->report->placement;
	const size_t event = t->report->event;
	const struct filtered *filtered = t->report->filtered;
	const struct cost total = filtered ? filtered->all[event] : cost_sum(t->total, event);
	struct cost left = total, rest = { 0 };
	size_t nrest = 0;

	if (!p || !p->ncpus) {
		fputs("the profile does not show on which CPUs threads ran\n", t->out);
		return;
	}
	if (filtered)
		fputs("all samples, not filtered: the profile has the CPUs of each thread, "
		      "not of each sample\n",
		      t->out);
	fprintf(t->out, "%10s%7s%10s%9s  CPU\n",
		t->report->model->events[event].unit == PROF_UNIT_NS ? "time" : "count", "%",
		"samples", "threads");
	for (size_t i = 0; i < p->ncpus; i++) {
		const struct cost *c = &p->cpus[i].self[event];

		left.samples -= c->samples < left.samples ? c->samples : left.samples;
		left.weight -= c->weight < left.weight ? c->weight : left.weight;
		if ((double)c->weight * 100 >= t->report->limit_percent * (double)total.weight) {
			text_cpu(t, &p->cpus[i], total.weight);
			continue;
		}
		rest.samples = prof_add(rest.samples, c->samples);
		rest.weight = prof_add(rest.weight, c->weight);
		nrest++;
	}
	if (nrest) {
		text_cpu_cells(t, &rest, total.weight);
		fprintf(t->out, "%9s  ... and %zu more\n", "", nrest);
	}
	if (left.samples) {
		text_cpu_cells(t, &left, total.weight);
		fprintf(t->out, "%9s  (CPU not known)\n", "");
	}
	text_unused(t);
}
