/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.c - adds up the CPU nodes, and compares them with the affinity masks. */
#include "config.h"

#include "src/tables/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/alloc.h"
#include "src/base/interner.h"
#include "src/base/map.h"
#include "src/model/model.h"
#include "src/profile/cpulist.h"
#include "src/profile/digits.h"
#include "src/tables/tables.h"
#include "src/tables/thread_spread.h"
#include "src/toolchain/toolchain.h"

/* What findings need, in percent. */
enum {
	HOME = 90,   /* of a thread's samples on one CPU: it ran there */
	WAITED = 10, /* of the time that a thread could run: it waited for its CPU */
	NOTHING = 1, /* of the shared CPU's samples: no thread ran on the other */
	SOCKET = 99, /* of a process's samples on one socket */
	MUTUAL = 90, /* of the sharers' waiting: at most while another of them ran */
};

const char *placement_mask(const struct prof_file *f)
{
	return prof_text(f, PROF_INFO_CPUS);
}

/* The setting by which all threads are where the initial one is; NULL: there is none. */
static const char *binds_to_one(const struct prof_file *f)
{
	static const char name[] = "OMP_PROC_BIND=";

	for (size_t i = 0; i < f->ntexts; i++) {
		const char *text = f->texts[i].text;

		if (f->texts[i].kind == PROF_INFO_ENV && !strncmp(text, name, sizeof(name) - 1) &&
		    (!strcasecmp(text + sizeof(name) - 1, "master") ||
		     !strcasecmp(text + sizeof(name) - 1, "primary")))
			return text;
	}
	return NULL;
}

const char *placement_binding(const struct prof_file *f)
{
	static const char *const none[] = { "false", "none", "disabled" };
	const char *one = binds_to_one(f);

	if (one)
		return one;
	for (size_t i = 0; i < f->ntexts; i++) {
		const char *value = strchr(f->texts[i].text, '=');
		bool bound = f->texts[i].kind == PROF_INFO_ENV && value &&
			     toolchain_is_affinity(f->texts[i].text);

		for (size_t k = 0; k < sizeof(none) / sizeof(*none) && bound; k++)
			bound = strcasecmp(value + 1, none[k]) != 0;
		if (bound)
			return f->texts[i].text;
	}
	return NULL;
}

static bool mask_of(const struct prof_file *f, struct cpulist *l)
{
	const char *text = placement_mask(f);

	return text && cpulist_read(l, text);
}

/* Whether a text is of a node's or socket's CPUs, "node 0 0-7". */
static bool is_part(const struct prof_text *t, const char *what, uint64_t *number,
		    struct cpulist *members)
{
	const size_t n = strlen(what);
	const char *at = t->text;

	if (t->kind != PROF_INFO_TOPOLOGY || strncmp(at, what, n) != 0 || at[n] != ' ')
		return false;
	at = digits_get(at + n + 1, number, 10);
	return at && *at == ' ' && cpulist_read(members, at + 1);
}

/* The number of the CPU's node or socket; -1: not known. */
static int64_t placement_part_of(const struct prof_file *f, const char *what, uint32_t cpu)
{
	struct cpulist members;
	uint64_t number;

	for (size_t i = 0; i < f->ntexts; i++)
		if (is_part(&f->texts[i], what, &number, &members) && number <= INT32_MAX &&
		    cpulist_has(&members, cpu))
			return (int64_t)number;
	return -1;
}

uint32_t placement_machine_cpus(const struct prof_file *f)
{
	struct cpulist members;
	uint64_t number;
	uint32_t n = 0;

	for (size_t i = 0; i < f->ntexts; i++)
		if (is_part(&f->texts[i], "node", &number, &members))
			n += cpulist_count(&members);
	return n;
}

/* CPUs are the same where host and boot are: of such processes the first one stands for them. */
static void placement_hosts_of(const struct model *m, struct placement *p)
{
	struct interner names = { 0 };
	uint32_t *first = alloc_zeroed(m->nprocesses + 1, sizeof(*first)), number;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const char *host = prof_text(m->processes[i].file, PROF_INFO_HOST);
		const char *boot = prof_text(m->processes[i].file, PROF_INFO_BOOT);
		const size_t known = names.count;
		char name[512];

		p->processes[i].host = i;
		if (!host || !boot)
			continue;
		snprintf(name, sizeof(name), "%s %s", boot, host);
		number = interner_number(&names, name, sizeof(name));
		if (number == known)
			first[number] = i;
		p->processes[i].host = first[number];
	}
	interner_free(&names);
	free(first);
}

static uint32_t placement_cpu_of(const struct prof_rnode *n)
{
	return (uint32_t)n->state | (uint32_t)n->flags << 8;
}

/* ---- uses ---------------------------------------------------------------------------------- */

/* The number of each use, by thread and CPU. */
struct uses {
	struct placement *placement;
	struct map numbers;
};

static void number_use(const struct model_value *v, void *uses)
{
	struct map *numbers = &((struct uses *)uses)->numbers;
	uint32_t number;

	map_add(numbers, v->thread, placement_cpu_of(v->node), (uint32_t)numbers->count, &number);
}

static void add_use(const struct model_value *v, void *uses)
{
	const struct uses *all = uses;
	const uint32_t cpu = placement_cpu_of(v->node);
	struct placement_use *u = &all->placement->uses[map_get(&all->numbers, v->thread, cpu, 0)];

	u->thread = v->thread;
	u->cpu = cpu;
	cost_plus(&u->self[v->tree->event[v->node->event]],
		  &(struct cost){ .samples = v->a, .weight = v->b });
}

static int order_uses(const void *a, const void *b, void *arg)
{
	const struct placement_use *x = a, *y = b;
	const size_t event = *(const size_t *)arg;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->self[event].weight != y->self[event].weight)
		return x->self[event].weight > y->self[event].weight ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* ---- CPUs ---------------------------------------------------------------------------------- */

static int order_cpus(const void *a, const void *b)
{
	const struct placement_cpu *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void placement_cpus(const struct model *m, struct placement *p)
{
	struct map numbers = { 0 };

	p->cpus = alloc_zeroed(p->nuses + 1, sizeof(*p->cpus));
	p->cpu_costs = alloc_zeroed(p->nuses * m->nevents + 1, sizeof(*p->cpu_costs));
	for (size_t i = 0; i < p->nuses; i++) {
		const struct placement_use *u = &p->uses[i];
		const uint32_t host = p->processes[m->threads[u->thread].process].host;
		uint32_t number;

		if (map_add(&numbers, host, u->cpu, (uint32_t)p->ncpus, &number))
			p->cpus[p->ncpus++].self = &p->cpu_costs[number * m->nevents];
		struct placement_cpu *c = &p->cpus[number];

		if (!c->nthreads) {
			const struct prof_file *f =
				m->processes[m->threads[u->thread].process].file;

			c->process = host;
			c->cpu = u->cpu;
			c->node = placement_part_of(f, "node", u->cpu);
			c->socket = placement_part_of(f, "socket", u->cpu);
		}
		c->nthreads++;
		for (size_t e = 0; e < m->nevents; e++)
			cost_plus(&c->self[e], &u->self[e]);
	}
	map_free(&numbers);
	if (p->ncpus)
		qsort(p->cpus, p->ncpus, sizeof(*p->cpus), order_cpus);
}

/* ---- threads ------------------------------------------------------------------------------- */

static void add_stats(const struct model_value *v, void *placement)
{
	struct placement_thread *t = &((struct placement *)placement)->threads[v->thread];

	if (v->tree->file->nodes[v->node->parent].kind != PROF_NODE_ROOT)
		return;
	if (v->node->flags == PROF_STATS_MOVES)
		t->moves = prof_add(t->moves, v->a);
	if (v->node->flags == PROF_STATS_SCHEDULE && (v->a || v->b)) {
		t->schedule_known = true;
		t->ran_ns = prof_add(t->ran_ns, v->a);
		t->waited_ns = prof_add(t->waited_ns, v->b);
	}
}

/* ---- findings ------------------------------------------------------------------------------ */

/* Whether part is at least so many percent of all; both may be any number. */
static bool placement_is_part(uint64_t part, uint64_t all, unsigned percent)
{
	return (double)part * 100 >= (double)all * percent;
}

static uint64_t samples_of_cpu(const struct placement *p, uint32_t host, uint32_t cpu, size_t event)
{
	for (size_t i = 0; i < p->ncpus; i++)
		if (p->cpus[i].process == host && p->cpus[i].cpu == cpu)
			return p->cpus[i].self[event].samples;
	return 0;
}

/* The CPU on which an OpenMP thread ran and for which it waited; CPULIST_NONE: none. */
static uint32_t home_of(const struct model *m, const struct placement *p, uint32_t thread,
			size_t event)
{
	const struct placement_thread *t = &p->threads[thread];
	const uint32_t kind = m->threads[thread].t->kind;
	uint64_t all = 0;

	if ((kind != PROF_THREAD_INITIAL && kind != PROF_THREAD_WORKER) || !t->nuses ||
	    !t->schedule_known ||
	    !placement_is_part(t->waited_ns, prof_add(t->ran_ns, t->waited_ns), WAITED))
		return CPULIST_NONE;
	for (size_t i = 0; i < t->nuses; i++)
		all = prof_add(all, p->uses[t->first + i].self[event].samples);
	if (all < SPREAD_FEW ||
	    !placement_is_part(p->uses[t->first].self[event].samples, all, HOME))
		return CPULIST_NONE;
	return p->uses[t->first].cpu;
}

/* A CPU of the mask without samples of any process of the host; CPULIST_NONE: none. */
static uint32_t free_cpu(const struct placement *p, const struct cpulist *mask,
			 const struct placement_process *pp, size_t event)
{
	const uint64_t shared = samples_of_cpu(p, pp->host, pp->shared_cpu, event);

	for (uint32_t c = cpulist_next(mask, 0); c != CPULIST_NONE; c = cpulist_next(mask, c + 1))
		if (!placement_is_part(samples_of_cpu(p, pp->host, c, event), shared, NOTHING))
			return c;
	return CPULIST_NONE;
}

static void find_shared(const struct model *m, struct placement *p, uint32_t process, size_t event,
			const struct cpulist *mask)
{
	const struct model_process *mp = &m->processes[process];
	struct placement_process *pp = &p->processes[process], found = *pp;
	struct cpulist seen = { 0 };

	for (uint32_t i = mp->first_thread; i < mp->first_thread + mp->nthreads; i++) {
		const uint32_t home = p->threads[i].home;

		/* Each CPU once: the time stays linear in the threads. */
		if (home >= CPULIST_MAX || cpulist_has(&seen, home))
			continue;
		cpulist_add(&seen, home);
		/* Fills in which threads share that thread's home. */
		const struct prof_thread *a = m->threads[i].t;

		found.sharers = 0;
		found.sharers_ran_ns = found.sharers_waited_ns = 0;
		found.shared_cpu = home;
		for (uint32_t k = i; k < mp->first_thread + mp->nthreads; k++) {
			const struct prof_thread *b = m->threads[k].t;

			/* They share it if both existed at one time. */
			if (p->threads[k].home != home || (a->end_ns && b->start_ns >= a->end_ns) ||
			    (b->end_ns && a->start_ns >= b->end_ns))
				continue;
			found.sharers++;
			found.sharers_ran_ns = prof_add(found.sharers_ran_ns, p->threads[k].ran_ns);
			found.sharers_waited_ns =
				prof_add(found.sharers_waited_ns, p->threads[k].waited_ns);
		}
		/*
		 * Whether the threads waited for one another: for each of them, at most while
		 * another one ran. Where they waited longer, other programs had that CPU, and no
		 * sample shows who had the others: threads that nothing binds may have had to share
		 * it.
		 */
		const double others_ran = (double)found.sharers_ran_ns * (found.sharers - 1);
		const bool mutual = others_ran * 100 >= (double)found.sharers_waited_ns * MUTUAL;

		if (found.sharers < 2 || found.sharers <= pp->sharers ||
		    (!mutual && !placement_binding(mp->file)))
			continue;
		found.free_cpu = free_cpu(p, mask, &found, event);
		if (found.free_cpu != CPULIST_NONE)
			*pp = found;
	}
}

/* The samples of the process that are on that socket, or on any; and of how many threads. */
static uint64_t on_socket(const struct model *m, const struct placement *p, uint32_t process,
			  size_t event, int64_t socket, size_t *nthreads)
{
	const struct model_process *mp = &m->processes[process];
	uint64_t sum = 0;

	*nthreads = 0;
	for (uint32_t i = mp->first_thread; i < mp->first_thread + mp->nthreads; i++) {
		uint64_t own = 0;

		for (size_t k = 0; k < p->threads[i].nuses; k++) {
			const struct placement_use *u = &p->uses[p->threads[i].first + k];

			if (socket < 0 || placement_part_of(mp->file, "socket", u->cpu) == socket)
				own = prof_add(own, u->self[event].samples);
		}
		*nthreads += own != 0;
		sum = prof_add(sum, own);
	}
	return sum;
}

static void find_socket(const struct model *m, struct placement *p, uint32_t process, size_t event,
			const struct cpulist *mask)
{
	struct placement_process *pp = &p->processes[process];
	const struct prof_file *f = m->processes[process].file;
	size_t nthreads;
	const uint64_t all = on_socket(m, p, process, event, -1, &nthreads);

	if (nthreads < 2 || all < SPREAD_FEW)
		return;
	for (uint32_t c = cpulist_next(mask, 0); c != CPULIST_NONE; c = cpulist_next(mask, c + 1)) {
		const int64_t socket = placement_part_of(f, "socket", c);

		if (socket < 0 || socket == pp->socket || socket == pp->other_socket)
			continue;
		if (placement_is_part(on_socket(m, p, process, event, socket, &nthreads), all,
				      SOCKET))
			pp->socket = socket;
		else
			pp->other_socket = socket;
	}
	if (pp->socket < 0 || pp->other_socket < 0)
		pp->socket = pp->other_socket = -1;
}

static void placement_find(const struct model *m, struct placement *p, uint32_t process,
			   size_t event)
{
	struct placement_process *pp = &p->processes[process];
	struct cpulist mask;

	if (!mask_of(m->processes[process].file, &mask))
		return;
	pp->ncpus = cpulist_count(&mask);
	pp->crowded = m->processes[process].openmp_threads > pp->ncpus;
	if (event >= m->nevents)
		return;
	for (uint32_t i = 0; i < m->processes[process].nthreads; i++) {
		const uint32_t thread = m->processes[process].first_thread + i;

		p->threads[thread].home = home_of(m, p, thread, event);
	}
	find_shared(m, p, process, event, &mask);
	find_socket(m, p, process, event, &mask);
}

uint32_t placement_unused(const struct model *m, const struct placement *p, uint32_t process,
			  char *list, size_t bytes)
{
	struct cpulist mask;

	list[0] = '\0';
	if (!mask_of(m->processes[process].file, &mask))
		return 0;
	for (size_t i = 0; i < p->ncpus; i++)
		if (p->cpus[i].process == p->processes[process].host &&
		    p->cpus[i].cpu < CPULIST_MAX)
			mask.bits[p->cpus[i].cpu / 64] &= ~(UINT64_C(1) << p->cpus[i].cpu % 64);
	cpulist_write(&mask, list, bytes);
	return cpulist_count(&mask);
}

void placement_build(const struct model *m, size_t event, struct placement *p)
{
	*p = (struct placement){ 0 };
	p->threads = alloc_zeroed(m->nthreads + 1, sizeof(*p->threads));
	p->processes = alloc_zeroed(m->nprocesses + 1, sizeof(*p->processes));
	for (size_t i = 0; i < m->nprocesses; i++)
		p->processes[i] = (struct placement_process){ .socket = -1, .other_socket = -1 };
	placement_hosts_of(m, p);
	struct uses uses = { .placement = p };

	model_values(m, PROF_NODE_CPU, number_use, &uses);
	p->nuses = uses.numbers.count;
	p->uses = alloc_zeroed(p->nuses + 1, sizeof(*p->uses));
	p->use_costs = alloc_zeroed(p->nuses * m->nevents + 1, sizeof(*p->use_costs));
	for (size_t i = 0; i < p->nuses; i++)
		p->uses[i].self = &p->use_costs[i * m->nevents];
	model_values(m, PROF_NODE_CPU, add_use, &uses);
	qsort_r(p->uses, p->nuses, sizeof(*p->uses), order_uses, &event);
	map_free(&uses.numbers);
	placement_cpus(m, p);
	model_values(m, PROF_NODE_STATS, add_stats, p);
	for (size_t i = 0; i < p->nuses; i++) {
		struct placement_thread *t = &p->threads[p->uses[i].thread];

		if (!t->nuses++)
			t->first = i;
	}
	for (size_t i = 0; i < m->nthreads; i++) {
		p->nscheduled += p->threads[i].schedule_known;
		p->ran_ns = prof_add(p->ran_ns, p->threads[i].ran_ns);
		p->waited_ns = prof_add(p->waited_ns, p->threads[i].waited_ns);
	}
	for (uint32_t i = 0; i < m->nprocesses; i++)
		placement_find(m, p, i, event);
}

void placement_fini(struct placement *p)
{
	free(p->uses);
	free(p->use_costs);
	free(p->cpus);
	free(p->cpu_costs);
	free(p->threads);
	free(p->processes);
	*p = (struct placement){ 0 };
}
