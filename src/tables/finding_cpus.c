/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_cpus.c - rules about the CPUs that threads had, or did not have. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/map.h"
#include "src/model/model.h"
#include "src/profile/cpulist.h"
#include "src/tables/finding_rules.h"
#include "src/tables/placement.h"
#include "src/tables/surroundings.h"
#include "src/toolchain/toolchain.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

#define CONTENDED 0.05	/* of the threads' time: they waited for a CPU */
#define SPINNING 0.05	/* of that: they were not asleep while they waited for others */
#define POOLS_CPUS 0.6	/* of the CPUs' time: the process's own threads have it, */
#define POOLS_FULL 0.9	/* and leave no room */
#define QUOTA_WAITS 0.5 /* of the waits for CPUs: at a throttled CPU */
#define SHORT_SLEEP_NS 200e3
#define KERNEL 0.05	 /* of the CPU time: in the kernel */
#define YIELDS 0.2	 /* of the kernel's time: waits that give up CPUs */
#define FAULTS_A_S 100e3 /* of that */
#define WAITS_PART 0.3	 /* of the waits seen in a region */
#define STATIC_PART 0.5	 /* of what is touched */
#define PAGE_BYTES 4096.0
#define ONE_TOUCHES 0.9 /* of the threads' kernel time: one thread's */
enum { BLOCKING_SAMPLES = 3, TOUCH_SAMPLES = 100 };
enum { TOGETHER_MOST = 4096 }; /* processes: each is compared with each */

/* CPU time that is not work; the samples' CPU time: of OpenMP's threads. */
static double cpu_lost(const struct finding_evidence *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->nunits; i++)
		for (unsigned l = 0; l < LOSSES; l++)
			sum += e->units[i].thread[l];
	return sum;
}

static double cpu_seen(const struct finding_evidence *e)
{
	double sum = cpu_lost(e);

	for (size_t i = 0; i < e->nunits; i++)
		sum += e->units[i].work;
	return sum;
}

/* What rules have left of the time in which threads did not run. */
static double not_running(const struct finding_evidence *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->regions.n; i++)
		sum += e->rows[i].gain[LOSS_NOT_RUNNING];
	return sum;
}

/* The same of the regions that lost some, which have a part of it from now on. */
static double lost_not_running(const struct finding_evidence *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->regions.n; i++)
		sum += fmax(e->rows[i].gain[LOSS_NOT_RUNNING], 0);
	return sum;
}

static void keep_not_running(struct finding_evidence *e, double part)
{
	e->not_waited *= part;
	for (size_t i = 0; i < e->regions.n; i++)
		if (e->rows[i].gain[LOSS_NOT_RUNNING] > 0)
			e->rows[i].gain[LOSS_NOT_RUNNING] *= part;
}

/* What the scheduler knows of OpenMP's threads, and of the processes' others. */
struct scheduled {
	double ran;    /* with the runtime's helpers */
	double waited; /* without them: nobody is late because of them */
	bool all;      /* of each of OpenMP's */
	double others_ran;
};

static struct scheduled scheduled_of(const struct finding_evidence *e)
{
	const struct model *m = e->view->model;
	struct scheduled s = { .all = true };

	for (size_t i = 0; i < m->nthreads; i++) {
		const struct placement_thread *t = &e->placement->threads[i];

		if (m->threads[i].t->kind == PROF_THREAD_UNKNOWN) {
			s.others_ran += (double)t->ran_ns;
			continue;
		}
		s.ran += (double)t->ran_ns;
		if (m->threads[i].t->kind == PROF_THREAD_OTHER)
			continue;
		s.waited += (double)t->waited_ns;
		s.all = s.all && t->schedule_known;
	}
	return s;
}

/* What thread time in the whole run costs. */
static double gain_of(const struct finding_evidence *e, double thread_ns)
{
	return losses_gain_of(e->losses, REGION_SERIAL, thread_ns);
}

/* The region in which threads did not run for most of the time. */
static const struct region_row *least_running(const struct finding_evidence *e)
{
	size_t most = 0;

	for (size_t i = 0; i < e->regions.n; i++)
		if (e->rows[i].gain[LOSS_NOT_RUNNING] > e->rows[most].gain[LOSS_NOT_RUNNING])
			most = i;
	return &e->regions.all[most];
}

static void forget(struct finding_evidence *e, enum loss loss)
{
	for (uint32_t row = 0; row < e->regions.n; row++) {
		finding_take_row(e, row, loss);
		e->rows[row].asleep = 0;
	}
}

/* What the run would be shorter by if no thread spun while it waits; 0: that is too little, or
   not known. */
static double gain_of_spinning(const struct finding_evidence *e, uint32_t ncpus)
{
	const double lost = cpu_lost(e), gain = lost / ncpus / e->losses->at_once;

	if (e->losses->wall || finding_worth(e, lost) < FINDING_SAMPLES)
		return 0;
	return gain < FINDING_WORTH * e->losses->elapsed_ns ? 0 : gain;
}

/* ---- conditions ------------------------------------------------------ */

static const struct prof_file *file_of(const struct finding_evidence *e, uint32_t process)
{
	return e->view->model->processes[process].file;
}

/* Whether the environment says how threads wait, and OMP_WAIT_POLICY=passive would change nothing:
   a runtime's own variable overrides it. */
static bool waiting_is_set(const struct finding_evidence *e, uint32_t process)
{
	static const char active[] = "OMP_WAIT_POLICY=active";
	const struct toolchain *t;

	for (size_t i = 0; (t = toolchain_number(i)); i++) {
		const char *set = surroundings_setting(file_of(e, process), t->spin_variable);

		if (set && strcasecmp(set, active) != 0)
			return true;
	}
	return false;
}

/* Whether a region of several threads has regions of several threads in it. */
static bool is_nested(const struct finding_evidence *e)
{
	const struct view *v = e->view;

	for (size_t i = REGION_SPECIALS; i < v->nregions; i++)
		if (v->regions[i].counts.team_most > 1 && v->regions[i].parent >= REGION_SPECIALS &&
		    v->regions[v->regions[i].parent].counts.team_most > 1)
			return true;
	return false;
}

static struct finding *add_condition(struct finding_evidence *e, struct finding_list *list,
				     enum finding_rule rule, double gain, const struct scheduled *s,
				     uint32_t process)
{
	struct finding *f = finding_add(list, rule, least_running(e), gain);

	f->waited = s->waited / e->losses->run.all;
	f->process = process;
	f->nthreads = e->view->model->processes[process].openmp_threads;
	f->ncpus = e->placement->processes[process].ncpus;
	return f;
}

/* The control group's threads were throttled, and that is why they waited for most of the time. */
static bool rule_quota(struct finding_evidence *e, struct finding_list *list,
		       const struct scheduled *s)
{
	for (uint32_t i = 0; i < e->view->model->nprocesses; i++) {
		struct surroundings_quota q;
		struct finding *f;

		surroundings_quota(file_of(e, i), &q);
		if (q.cpus <= 0 || (double)q.throttled < CONTENDED * (double)q.periods ||
		    !q.throttled)
			continue;
		/* The most that threads can have waited because their CPUs were throttled: each
		   such CPU has its part of them, and perhaps one of another CPU that other programs
		   use. */
		const uint32_t threads = e->view->model->processes[i].openmp_threads;
		const uint32_t ncpus = e->placement->processes[i].ncpus;
		const uint32_t of_cpu = ncpus ? (threads + ncpus - 1) / ncpus : threads;
		const double waits = (double)q.throttled_ns * (of_cpu + 1);

		if (waits < QUOTA_WAITS * s->waited)
			continue;
		f = add_condition(e, list, FINDING_QUOTA,
				  gain_of(e, waits < s->waited ? waits : s->waited), s, i);
		f->quota = q.cpus;
		f->pieces = q.periods;
		f->part = (double)q.throttled / (double)q.periods;
		return true;
	}
	return false;
}

/* Something in the process changed its mask, and left fewer CPUs than there are threads. */
static bool rule_mask(struct finding_evidence *e, struct finding_list *list,
		      const struct scheduled *s)
{
	const struct model *m = e->view->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const char *cpus = surroundings_worker_cpus(file_of(e, i));
		struct cpulist mask;
		struct finding *f;

		if (!cpus || !cpulist_read(&mask, cpus) ||
		    cpulist_count(&mask) >= m->processes[i].openmp_threads)
			continue;
		f = add_condition(e, list, FINDING_MASK, gain_of(e, s->waited), s, i);
		f->ncpus = cpulist_count(&mask);
		f->cpus = cpus;
		return true;
	}
	return false;
}

/* A process with more threads than CPUs. */
static bool rule_crowded(struct finding_evidence *e, struct finding_list *list,
			 const struct scheduled *s)
{
	const struct model *m = e->view->model;
	const struct placement *p = e->placement;
	uint32_t process = 0;
	struct finding *f;

	while (process < m->nprocesses && !p->processes[process].crowded)
		process++;
	if (process == m->nprocesses)
		return false;
	const uint32_t ncpus = p->processes[process].ncpus;
	const double spun = gain_of_spinning(e, ncpus);

	f = add_condition(e, list, FINDING_CROWDED, spun, s, process);
	f->nested = is_nested(e);
	f->initials = model_threads_of(&m->processes[process], 1u << PROF_THREAD_INITIAL);
	f->spins = spun > 0 && !waiting_is_set(e, process);
	/* The setting, if it asks for more threads than there are CPUs; else the program does. */
	static const char name[] = "OMP_NUM_THREADS";
	const char *setting = surroundings_setting(file_of(e, process), name);
	f->setting = setting && strtoul(setting + sizeof(name), NULL, 10) > ncpus ? setting : NULL;
	f->machine_cpus = placement_machine_cpus(file_of(e, process));
	if (f->machine_cpus > ncpus)
		f->cpus = placement_mask(file_of(e, process));
	/* The time that threads waited for each other is what the finding is about. */
	for (uint32_t row = 0; row < e->regions.n; row++) {
		const double uneven = e->rows[row].spread.behind;

		if (uneven <= 0 || e->regions.all[row].special != REGION_SPECIALS)
			finding_take_row(e, row, LOSS_IMBALANCE);
		finding_take_row(e, row, LOSS_FORK_JOIN);
	}
	forget(e, LOSS_SERIAL);
	/* The threads of nested teams are no threads that those around them lack. */
	if (f->nested)
		forget(e, LOSS_SMALL_TEAM);
	return true;
}

/* Whether two processes ran on one host at a time. */
static bool are_together(const struct finding_evidence *e, uint32_t a, uint32_t b)
{
	const struct model_process *x = &e->view->model->processes[a],
				   *y = &e->view->model->processes[b];
	const uint64_t begin = x->file->header.start_monotonic_ns,
		       other = y->file->header.start_monotonic_ns;

	return e->placement->processes[a].host == e->placement->processes[b].host &&
	       begin < other + model_elapsed_ns(y) && other < begin + model_elapsed_ns(x);
}

/* Processes of the run that have more threads together than CPUs. */
static bool rule_processes(struct finding_evidence *e, struct finding_list *list,
			   const struct scheduled *s)
{
	const struct model *m = e->view->model;
	uint32_t most = 0, of = 0, threads = 0;
	struct finding *f;

	for (uint32_t i = 0; i < m->nprocesses && m->nprocesses <= TOGETHER_MOST; i++) {
		uint32_t n = 0, sum = 0;

		if (!losses_uses_openmp(&m->processes[i]))
			continue;
		for (uint32_t k = 0; k < m->nprocesses; k++)
			if (losses_uses_openmp(&m->processes[k]) && are_together(e, i, k)) {
				n++;
				sum += m->processes[k].openmp_threads;
			}
		if (sum <= threads)
			continue;
		most = n;
		of = i;
		threads = sum;
	}
	if (most < 2 || !e->placement->processes[of].ncpus ||
	    threads <= e->placement->processes[of].ncpus)
		return false;
	f = add_condition(e, list, FINDING_PROCESSES, gain_of(e, s->waited), s, of);
	f->nprocesses = most;
	f->nthreads = threads;
	return true;
}

/* Whether threads that wait take CPUs from others, and no setting says that they shall. */
static bool takes_cpus(const struct finding_evidence *e, uint32_t process)
{
	return !e->losses->wall && cpu_lost(e) >= SPINNING * e->losses->run.all &&
	       !waiting_is_set(e, process);
}

/* Threads of the processes' own that OpenMP does not know. Whether they work is not known, either:
   where they and OpenMP's work take all of the CPUs' time, there may be nothing to be gained, and
   otherwise what neither takes is the most. */
static bool rule_pools(struct finding_evidence *e, struct finding_list *list,
		       const struct scheduled *s)
{
	const double room = e->losses->elapsed_ns * e->placement->processes[0].ncpus;
	const double taken = cpu_seen(e) - cpu_lost(e) + s->others_ran;
	const bool full = !e->losses->wall && taken >= POOLS_FULL * room;
	double gain = gain_of(e, s->waited);
	struct finding *f;

	/* Where the process's threads have less of the CPUs' time, others have it. */
	if (s->others_ran < CONTENDED * e->losses->run.all ||
	    !(s->ran + s->others_ran >=
	      POOLS_CPUS * e->losses->elapsed_ns * e->placement->processes[0].ncpus))
		return false;
	if (!e->losses->wall)
		gain = full ? 0 : fmin(gain, (room - taken) / e->placement->processes[0].ncpus);
	f = add_condition(e, list, FINDING_POOLS, gain, s, 0);
	f->part = full ? taken / room : 0;
	f->others_ns = s->others_ran;
	f->spins = takes_cpus(e, f->process);
	return true;
}

/* The threads of two runtimes, of which each knows its own, are more than CPUs. */
static bool rule_runtimes(struct finding_evidence *e, struct finding_list *list,
			  const struct scheduled *s)
{
	const struct model *m = e->view->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const uint32_t threads =
			model_threads_of(&m->processes[i],
					 1u << PROF_THREAD_INITIAL | 1u << PROF_THREAD_WORKER);
		const uint32_t ncpus = e->placement->processes[i].ncpus;
		struct finding *f;

		if (surroundings_runtimes(file_of(e, i)) < 2 || threads <= ncpus)
			continue;
		f = add_condition(e, list, FINDING_RUNTIMES, gain_of(e, s->waited), s, i);
		f->nthreads = threads;
		f->spins = takes_cpus(e, i);
		return true;
	}
	return false;
}

/* Who had the CPUs is not known. A quota that was hardly ever why is said. */
static void rule_no_cpu(struct finding_evidence *e, struct finding_list *list,
			const struct scheduled *s)
{
	struct finding *f = add_condition(e, list, FINDING_NO_CPU, gain_of(e, s->waited), s, 0);

	if (s->others_ran >= CONTENDED * e->losses->run.all)
		f->others_ns = s->others_ran;

	for (uint32_t i = 0; i < e->view->model->nprocesses && f->quota <= 0; i++) {
		struct surroundings_quota q;

		surroundings_quota(file_of(e, i), &q);
		f->quota = q.throttled ? q.cpus : 0;
		f->pieces = q.periods;
		f->part = q.throttled ? (double)q.throttled / (double)q.periods : 0;
	}
}

/* The others of the team wait for those that share a CPU. Threads that are not bound would have
   moved to the other CPU, if no other program had had it. */
static bool rule_shared(struct finding_evidence *e, struct finding_list *list)
{
	const struct model *m = e->view->model;

	for (uint32_t i = 0; i < m->nprocesses; i++) {
		const struct placement_process *p = &e->placement->processes[i];
		const double ran = (double)p->sharers_ran_ns * (p->sharers - 1);
		const double waited = (double)p->sharers_waited_ns;
		/* Each waits for others of them for no longer than these ran: for the rest of it,
		   other programs had that CPU. */
		const double gain = p->sharers ? (waited < ran ? waited : ran) / p->sharers /
							 e->losses->at_once :
						 0;
		struct finding *f;

		if (gain < FINDING_WORTH * e->losses->elapsed_ns ||
		    !placement_binding(m->processes[i].file))
			continue;
		f = finding_add(list, FINDING_SHARED_CPU, least_running(e), gain);
		f->process = i;
		f->nthreads = p->sharers;
		f->setting = placement_binding(m->processes[i].file);
		forget(e, LOSS_NOT_RUNNING);
		forget(e, LOSS_IMBALANCE);
		return true;
	}
	return false;
}

/* What threads lose while the initial thread does not run outside of regions, for time in which the
   run lost so much by the latter; no more than serial work leaves of it. */
static double take_idle(struct finding_evidence *e, double gain)
{
	const uint32_t idle = finding_row_of(e, REGION_IDLE);
	const double left = idle == UINT32_MAX ? 0 : e->rows[idle].gain[LOSS_SERIAL];
	const double most = gain * (e->losses->threads - 1);

	if (left <= 0 || most <= 0)
		return 0;
	return finding_take_part(e, idle, LOSS_SERIAL, most < left ? most / left : 1);
}

/* The part of it that initial threads lose outside of regions. */
static double not_running_outside(const struct finding_evidence *e)
{
	const uint32_t serial = finding_row_of(e, REGION_SERIAL);
	const double gain = serial == UINT32_MAX ? 0 : e->rows[serial].gain[LOSS_NOT_RUNNING];

	return gain > 0 ? gain : 0;
}

/* The scheduler's times are of whole threads: each region has the same part of their waits for
   CPUs. */
static void take_waits_for_cpus(struct finding_evidence *e, const struct scheduled *s)
{
	const double all = lost_not_running(e);

	if (all <= 0)
		return;
	const double left = fmax(1 - gain_of(e, s->waited) / all, 0);

	/* The others have no work while an initial thread waits outside of regions. */
	take_idle(e, (1 - left) * not_running_outside(e));
	keep_not_running(e, left);
}

/* Functions of the C library that may put a thread to sleep. */
/* clang-format off */
static const char *const blocking[] = {
	"pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait",
	"pthread_cond_timedwait", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
	"pthread_join", "pthread_barrier_wait", "sem_wait", "lll_lock_wait", "read",
	"write", "pread64", "pwrite64", "recv", "send", "poll", "select", "epoll_wait",
	"nanosleep", "clock_nanosleep", "usleep", "sched_yield", "fsync",
};
/* clang-format on */

static bool may_block(const char *name)
{
	name += strspn(name, "_");
	if (!strncmp(name, "GI_", 3))
		name += 3 + strspn(name + 3, "_");
	for (size_t i = 0; i < sizeof(blocking) / sizeof(*blocking); i++)
		if (!strcmp(name, blocking[i]))
			return true;
	return false;
}

/* Functions of the C library that enter the kernel, or may: for memory, files, locks, threads. */
/* clang-format off */
static const char *const entering[] = {
	"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "mmap*",
	"munmap", "mremap", "mprotect", "madvise", "operator new*", "open*", "close*",
	"fopen*", "fclose", "operator delete*", "stat*", "fstat*", "lstat*", "lseek*",
	"fseek*", "opendir", "readdir*", "ioctl", "fcntl*", "getpid", "getppid", "gettid",
	"getuid", "getgid", "getrusage", "rand", "srand", "random", "srandom",
	"localtime*", "mktime", "fork", "kill", "raise", "syscall", "pthread_*", "sem_*",
	"sigp*", "sigw*", "sysconf", "getrandom", "getentropy", "sched_set*", "pread*",
	"pwrite*", "getdents*", "brk", "sbrk",
};
/* clang-format on */

static bool may_enter(const char *name)
{
	if (may_block(name) || toolchain_lists(LIST_OUTPUT, name) ||
	    toolchain_lists(LIST_INPUT, name))
		return true;
	for (size_t i = 0; i < sizeof(entering) / sizeof(*entering); i++)
		if (toolchain_matches(entering[i], name))
			return true;
	return false;
}

/* The call of a library, of those that `may', in whose user code most samples are: its part is of
   these, or of all work. */
static void library_call(const struct finding_evidence *e, bool (*may)(const char *name),
			 bool of_all, struct finding *f)
{
	const struct function *functions = e->view->names.functions;
	struct map calls = { 0 };
	uint64_t *samples = alloc_zeroed(e->view->nrecords + 1, sizeof(*samples)), all = 0,
		 most = 0;

	for (size_t i = 0; i < e->view->nrecords; i++) {
		const struct view_record *r = &e->view->records[i];
		uint64_t line;
		uint32_t called, at;

		if (r->event != e->losses->event || (r->class != OMP_WORK && r->leaf != LEAF_LOCK))
			continue;
		called = finding_called(e->view, r);
		all += of_all ? r->samples : 0;
		if (!called || !may(functions[called].name))
			continue;
		line = table_line_key(e->view, r);
		map_add(&calls, line, 0, (uint32_t)calls.count, &at);
		samples[at] += r->samples;
		all += of_all ? 0 : r->samples;
		if (samples[at] > most) {
			most = samples[at];
			f->work_line = line;
		}
	}
	f->work_part = most >= (of_all ? FINDING_SAMPLES : 1) && all >= BLOCKING_SAMPLES ?
			       (double)most / (double)all :
			       0;
	map_free(&calls);
	free(samples);
}

/* Each thread's time in the kernel, which is what the scheduler has beside the samples of user
   code. */
static double *kernel_times(const struct finding_evidence *e)
{
	const struct model *m = e->view->model;
	double *kernel = alloc_zeroed(m->nthreads + 1, sizeof(*kernel));

	for (size_t i = 0; i < e->nshares; i++) {
		kernel[e->shares[i].thread] -= e->shares[i].work;
		for (unsigned l = 0; l < LOSSES; l++)
			kernel[e->shares[i].thread] -= e->shares[i].lost[l];
	}
	for (uint32_t i = 0; i < m->nthreads; i++) {
		if (e->placement->threads[i].schedule_known)
			kernel[i] += (double)e->placement->threads[i].ran_ns;
		if (!e->placement->threads[i].schedule_known || kernel[i] < 0)
			kernel[i] = 0;
	}
	return kernel;
}

static bool is_initial(const struct finding_evidence *e, uint32_t thread)
{
	return e->view->model->threads[thread].t->kind == PROF_THREAD_INITIAL;
}

static double kernel_of_initial(const struct finding_evidence *e)
{
	double *kernel = kernel_times(e), sum = 0;

	for (uint32_t i = 0; i < e->view->model->nthreads; i++)
		sum += is_initial(e, i) ? kernel[i] : 0;
	free(kernel);
	return sum;
}

/* A part of the finding's gain is of initial threads outside of regions: the others lose more. */
static void add_idle(struct finding_evidence *e, struct finding *f, double outside)
{
	double idle;

	outside = outside < f->gain_ns ? outside : f->gain_ns;
	idle = outside > 0 ? take_idle(e, outside) : 0;
	if (idle <= 0)
		return;
	f->outside_ns = outside + idle;
	f->gain_ns += idle;
}

/* The unit at which threads of the row were seen to wait most often, awake, for that loss. */
static uint64_t seen_at(const struct finding_evidence *e, const struct finding_row *r,
			enum loss loss, struct finding *f, uint64_t most)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct finding_unit *u = &e->units[r->first + i];

		f->seen_of += u->samples[loss];
		if (u->samples[loss] <= most)
			continue;
		most = u->samples[loss];
		f->construct = u->construct;
		f->spent = loss;
	}
	return most;
}

/* What the threads of the finding's region were seen to wait for, awake: runtimes let them sleep
   there after a while. All wait for later threads in the end: other waits come first. */
static void seen_waiting(const struct finding_evidence *e, uint32_t row, struct finding *f)
{
	static const enum loss waits[] = { LOSS_SINGLE, LOSS_LOCK, LOSS_ORDERED, LOSS_TASK_WAIT };
	const struct finding_row *r = &e->rows[row];
	struct finding barrier = { 0 };
	const uint64_t at_barriers = seen_at(e, r, LOSS_IMBALANCE, &barrier, 0);

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		f->seen = seen_at(e, r, waits[i], f, f->seen);
	f->seen_of += barrier.seen_of;
	if (f->seen < BLOCKING_SAMPLES || (double)f->seen < WAITS_PART * (double)f->seen_of) {
		f->seen = at_barriers;
		f->construct = barrier.construct;
		f->spent = LOSS_IMBALANCE;
	}
	if (f->seen < BLOCKING_SAMPLES)
		f->construct = 0;
}

/* The setting by which threads sleep at each wait, where so much time was lost to short sleeps. */
static const char *why_woken(const struct finding_evidence *e, double thread_ns, uint64_t sleeps)
{
	return e->contended || thread_ns >= SHORT_SLEEP_NS * (double)sleeps ? NULL :
									      finding_passive(e);
}

/* What the scheduler and the samples leave of the time in which threads did not run. */
static void rule_blocked(struct finding_evidence *e, struct finding_list *list)
{
	const struct scheduled s = scheduled_of(e);
	const double kernel = e->losses->user_only ? s.ran - cpu_seen(e) : 0;
	const double thread = gain_of(e, 1);
	const double blocked = not_running(e) - (kernel > 0 ? thread * kernel : 0);

	if (e->losses->wall || !s.all) {
		/* Where the scheduler reports nothing, or wall time was sampled, no more than that
		   is known. */
		const double gain = not_running(e);

		if (gain > 0 && finding_worth(e, gain / gain_of(e, 1)) >= FINDING_SAMPLES)
			finding_add(list, FINDING_LEFT, least_running(e), gain)->spent =
				LOSS_NOT_RUNNING;
		return;
	}
	if (blocked <= 0 || finding_worth(e, blocked / thread) < FINDING_SAMPLES)
		return;
	struct finding *f = finding_add(list, FINDING_BLOCKED, least_running(e), blocked);

	add_idle(e, f, not_running_outside(e) - thread * kernel_of_initial(e));
	seen_waiting(e, (uint32_t)(least_running(e) - e->regions.all), f);
	for (uint32_t i = 0; i < e->view->model->nprocesses; i++) {
		struct surroundings_usage u;

		surroundings_usage(file_of(e, i), &u);
		f->pieces += u.voluntary;
	}
	f->setting = why_woken(e, blocked / thread, f->pieces);
	library_call(e, may_block, false, f);
}

void finding_rules_cpus(struct finding_evidence *e, struct finding_list *list)
{
	if (!e->placement || !e->regions.n)
		return;
	const struct scheduled s = scheduled_of(e);
	bool crowded = false;

	e->waited = s.waited / e->losses->run.all;
	e->contended = s.waited >= CONTENDED * e->losses->run.all;
	if (rule_shared(e, list))
		return;
	if (e->contended && !rule_quota(e, list, &s) && !rule_mask(e, list, &s) &&
	    !rule_runtimes(e, list, &s)) {
		crowded = rule_crowded(e, list, &s);
		if (!crowded && !rule_processes(e, list, &s) && !rule_pools(e, list, &s))
			rule_no_cpu(e, list, &s);
	}
	if (!e->contended && gain_of(e, s.waited) >= FINDING_WORTH * e->losses->elapsed_ns)
		add_condition(e, list, FINDING_LEFT, gain_of(e, s.waited), &s, 0)->spent =
			LOSS_NOT_RUNNING;
	take_waits_for_cpus(e, &s);
	if (crowded && e->view->model->nprocesses == 1) {
		/* Where threads are more than CPUs, others run while one sleeps: a run is no
		   shorter by it than the CPUs were idle. */
		const double ran = (s.ran + s.others_ran) / e->placement->processes[0].ncpus;
		const double idle = e->losses->elapsed_ns - ran, all = lost_not_running(e);
		const double part = all <= 0 || idle >= all ? 1 : idle <= 0 ? 0 : idle / all;

		keep_not_running(e, part);
		for (size_t i = 0; i < e->regions.n; i++)
			e->rows[i].asleep *= part;
	}
}

/* The thread of the process with nearly all time in the kernel; UINT32_MAX: several have, or it is
   not known. */
static uint32_t in_kernel(const struct finding_evidence *e, uint32_t process)
{
	const struct model *m = e->view->model;
	double *kernel = kernel_times(e), all = 0;
	uint32_t most = UINT32_MAX;

	for (uint32_t i = 0; i < m->nthreads; i++) {
		if (m->threads[i].process != process)
			continue;
		all += kernel[i];
		if (kernel[i] > 0 && (most == UINT32_MAX || kernel[i] > kernel[most]))
			most = i;
	}
	/* Both times are some samples off. */
	if (most != UINT32_MAX &&
	    (kernel[most] < ONE_TOUCHES * all || finding_worth(e, all) < TOUCH_SAMPLES))
		most = UINT32_MAX;
	free(kernel);
	return most;
}

/* Of the program's file in memory, with its static arrays. */
static double program_bytes(const struct prof_file *f)
{
	double bytes = 0;

	for (size_t i = 0; i < f->nmodules; i++)
		if (f->modules[i].flags & PROF_MODULE_MAIN)
			bytes += (double)(f->modules[i].map_end - f->modules[i].map_start);
	return bytes;
}

/* Kernel time that samples of user code do not see. Where page faults are why, a page is mapped
   some 100,000 times a second and CPU. Where threads wait for CPUs, those that wait for others give
   up theirs again and again, which is no cause. */
static void rule_kernel(struct finding_evidence *e, struct finding_list *list)
{
	const struct model *m = e->view->model;
	struct finding *f;
	double gain;

	for (uint32_t i = 0; i < m->nprocesses && e->losses->user_only; i++) {
		struct surroundings_usage u;
		const uint32_t threads = m->processes[i].openmp_threads;

		surroundings_usage(file_of(e, i), &u);
		const bool faults = (double)u.minor_faults >=
				    FAULTS_A_S * (double)u.system_ns / 1e9;

		if (!u.known || (double)u.system_ns < KERNEL * (double)(u.system_ns + u.user_ns))
			continue;
		gain = (double)u.system_ns / threads / e->losses->at_once;
		if (!faults && e->contended && cpu_lost(e) > YIELDS * (double)u.system_ns)
			continue;
		if (!faults && gain > not_running(e))
			gain = not_running(e);
		if (gain <= 0)
			continue;
		f = finding_add(list, faults ? FINDING_FAULTS : FINDING_KERNEL, least_running(e),
				gain);
		f->process = i;
		f->most_ns = (double)u.system_ns;
		f->mean_ns = (double)(u.system_ns + u.user_ns);
		f->pieces = faults ? u.minor_faults : u.voluntary;
		f->resident = (double)u.resident_kib * 1024;
		f->is_static = program_bytes(file_of(e, i)) >=
			       STATIC_PART * PAGE_BYTES * (double)u.minor_faults;
		f->thread = in_kernel(e, i);
		f->nthreads = threads;
		if (!faults)
			f->setting = why_woken(e, (double)u.system_ns, u.voluntary);
		/* Threads that sleep for a lock are put to sleep and woken there. */
		if (!faults && (double)u.system_ns < SHORT_SLEEP_NS * (double)u.voluntary)
			seen_waiting(e, (uint32_t)(least_running(e) - e->regions.all), f);
		library_call(e, may_enter, true, f);
		if (m->nprocesses > 1 || f->thread == UINT32_MAX || !is_initial(e, f->thread))
			continue;
		add_idle(e, f, not_running_outside(e));
		/* Touched by all threads, a page costs as much, but they do it side by side. */
		if (faults) {
			f->gain_ns -= f->outside_ns / threads;
			f->outside_ns -= f->outside_ns / threads;
		}
	}
}

void finding_rules_rest(struct finding_evidence *e, struct finding_list *list)
{
	if (!e->placement || !e->regions.n || !e->placement->processes)
		return;
	rule_kernel(e, list);
	rule_blocked(e, list);
}
