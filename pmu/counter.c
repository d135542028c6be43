/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.c - opens one event on one thread so that each overflow signals that
 * thread only (perf_event_open(2), fcntl(2) on F_SETOWN_EX, timer_create(2) on
 * SIGEV_THREAD_ID).
 */
#include "config.h"

#include "pmu/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pmu/explain.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/phase.h"
#include "pmu/rearm.h"
#include "pmu/wall.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { MEM_LOADS_AUX = 0x8203 }; /* event 0x03, umask 0x82 */

bool pmu_delivery_sigtrap_works(void)
{
	struct utsname u;
	int major = 0, minor = 0;

	if (uname(&u) || sscanf(u.release, "%d.%d", &major, &minor) < 2)
		return false;
	return major > 5 || (major == 5 && minor >= 18);
}

/* Page-fault events: their samples report the address of the fault. */
static bool is_fault(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && (a->config == PERF_COUNT_SW_PAGE_FAULTS ||
						 a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
						 a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ ||
						 a->config == PERF_COUNT_SW_ALIGNMENT_FAULTS);
}

bool pmu_counter_has_address(const struct pmu_event *ev)
{
	return ev->kind == PMU_PERF && (ev->attr.precise_ip || is_fault(&ev->attr));
}

/* Whether its samples may lie in the kernel: they then hold the kernel's frames. */
static bool counts_kernel(const struct pmu_event *ev)
{
	return !ev->attr.exclude_kernel;
}

static void fill_attr(const struct pmu_counter *c, const struct pmu_event *ev,
		      struct perf_event_attr *attr)
{
	/* A counter of hardware counts on in the handler, where a short first period ends again. */
	const bool goes_on = c->delivery == PMU_DELIVERY_SIGTRAP &&
			     ev->attr.type != PERF_TYPE_SOFTWARE;

	*attr = ev->attr;
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	/* No process polls the ring: a wake-up at each record would cost another interrupt. */
	attr->watermark = 1;
	attr->wakeup_watermark = UINT32_MAX;
	/* A signal after exec would kill the new program. Close-on-exec is not enough:
	   a fork's child may still hold the descriptor. Linux 5.13+. */
	attr->remove_on_exec = 1;
	if (c->first) {
		attr->sample_period = c->step;
	} else {
		attr->freq = 1;
		attr->sample_freq = c->freq_hz;
	}
	/* Not for a software event with a period: with PERIOD in its samples the kernel
	   makes a sample of every event. */
	if (ev->freq_hz || attr->precise_ip || is_fault(attr) || counts_kernel(ev))
		attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ;
	else if (ev->unit_ns || goes_on)
		attr->sample_type = PERF_SAMPLE_READ; /* for phase.c */
	if (is_fault(attr))
		attr->sample_type |= PERF_SAMPLE_ADDR;
	if (counts_kernel(ev)) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->exclude_callchain_user = 1;
	}
	if (attr->precise_ip)
		attr->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	if (c->delivery == PMU_DELIVERY_SIGTRAP) {
		attr->sigtrap = 1;
		attr->sig_data = (uintptr_t)&pmu_token[c->tag];
	}
}

static int direct_signal(int fd, pid_t tid, int signo)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = tid };

	/* O_ASYNC last: before it no signal can be sent to a wrong thread. */
	if (fcntl(fd, F_SETOWN_EX, &owner) || fcntl(fd, F_SETSIG, signo) ||
	    fcntl(fd, F_SETFL, O_ASYNC))
		return -errno;
	return 0;
}

/* Maps a ring even for samples without contents: its records report when the kernel
   throttles the event. Failure is no refusal: pmu_counter_weight() then reads the
   counter. */
static void map_ring(struct pmu_counter *c, const struct perf_event_attr *attr)
{
	size_t bytes = 2 * (size_t)getauxval(AT_PAGESZ);
	void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);

	c->faults = is_fault(attr);
	c->unrecorded = ring == MAP_FAILED &&
			(attr->precise_ip || c->faults || !attr->exclude_kernel);
	if (ring == MAP_FAILED)
		return;
	c->ring = ring;
	c->sample_type = (uint32_t)attr->sample_type;
	c->precise = attr->precise_ip != 0;
	c->ring_bytes = (uint32_t)bytes;
}

/*
 * Some of Intel's processors (Sapphire Rapids, Alder Lake and later) know what served a load only
 * while another event, mem-loads-aux, counts in a group with it: arch/x86/events/intel/core.c in
 * Linux, mem_loads_aux. Its count is of no use. Returns the event's descriptor or -errno.
 */
static int open_beside_aux(struct pmu_counter *c, const struct perf_event_attr *attr, pid_t tid)
{
	const struct perf_event_attr first = {
		.type = attr->type,
		.size = sizeof(first),
		.config = MEM_LOADS_AUX,
		.exclude_user = attr->exclude_user,
		.exclude_kernel = attr->exclude_kernel,
		.exclude_hv = attr->exclude_hv,
		.read_format = attr->read_format,
	};
	int fd, aux = pmu_perf_open(&first, tid);

	if (aux >= 0)
		aux = pmu_perf_move(aux);
	if (aux < 0)
		return -ENODATA;
	fd = pmu_perf_open_in(attr, tid, aux);
	if (fd < 0) {
		syscall(SYS_close, aux);
		return fd;
	}
	c->aux = aux;
	if (ioctl(aux, PERF_EVENT_IOC_ID, &c->aux_id))
		c->aux_id = 0;
	return fd;
}

/* 0 or -errno; *opened: the event itself could be opened, and the failure concerns its
   descriptor. */
static int open_quietly(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid, int signo,
			bool *opened)
{
	struct perf_event_attr attr;
	int fd, error;

	c->is_clock = ev->attr.type == PERF_TYPE_SOFTWARE &&
		      (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		       ev->attr.config == PERF_COUNT_SW_TASK_CLOCK);
	phase_choose(c, tid);
	fill_attr(c, ev, &attr);
	fd = pmu_perf_open(&attr, tid);
	if ((fd == -EINVAL || fd == -E2BIG) && !attr.sigtrap) {
		attr.remove_on_exec = 0;
		fd = pmu_perf_open(&attr, tid);
	}
	if (fd == -ENODATA)
		fd = open_beside_aux(c, &attr, tid);
	*opened = fd >= 0;
	if (fd >= 0)
		fd = pmu_perf_move(fd);
	if (fd < 0) {
		pmu_counter_drop_aux(c);
		return fd;
	}
	if (c->delivery == PMU_DELIVERY_SIGNAL) {
		error = direct_signal(fd, tid, signo);
		if (error) {
			syscall(SYS_close, fd);
			pmu_counter_drop_aux(c);
			return error;
		}
	}
	c->fd = fd;
	c->signo = signo;
	if (ioctl(fd, PERF_EVENT_IOC_ID, &c->id))
		c->id = 0;
	map_ring(c, &attr);
	return 0;
}

static int open_perf(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid, int signo,
		     struct pmu_refusal *why)
{
	bool opened;
	int error = open_quietly(c, ev, tid, signo, &opened);

	/* The kernel lowers its limit by itself where interrupts take long. */
	if (error == -EINVAL && pmu_rate_allowed(c->freq_hz) < c->freq_hz) {
		c->freq_hz = pmu_rate_allowed(c->freq_hz);
		error = open_quietly(c, ev, tid, signo, &opened);
	}
	if (!error)
		return 0;
	if (opened)
		pmu_explain_descriptor(ev, -error, why);
	else
		pmu_explain_open(ev, -error, why);
	return -1;
}

static int make_timer(const struct pmu_counter *c, pid_t tid, int signo, timer_t *timer)
{
	struct sigevent sev;

	memset(&sev, 0, sizeof(sev));
	sev.sigev_notify = SIGEV_THREAD_ID;
	sev.sigev_signo = signo;
	sev.sigev_notify_thread_id = tid;
	sev.sigev_value.sival_ptr = &pmu_token[c->tag];
	return timer_create(CLOCK_MONOTONIC, &sev, timer) ? -errno : 0;
}

static int open_wall(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid, int signo,
		     struct pmu_refusal *why)
{
	int error = make_timer(c, tid, signo, &c->timer);

	if (error) {
		pmu_explain_timer(ev, -error, why);
		return -1;
	}
	c->timer_open = true;
	c->wall.signo = signo;
	return 0;
}

int pmu_counter_open(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid,
		     enum pmu_delivery delivery, int signo, uint32_t tag, struct pmu_refusal *why)
{
	memset(c, 0, sizeof(*c));
	c->fd = -1;
	c->wall.waking = -1;
	if (tag >= PMU_TAGS || (!ev->period && !ev->freq_hz)) {
		pmu_refuse(why, EINVAL, ev->label,
			   "called without a rate, or with "
			   "a number past the last event's",
			   NULL);
		return -1;
	}
	c->kind = ev->kind;
	c->delivery = delivery;
	c->tag = tag;
	c->period = ev->freq_hz ? 0 : ev->period;
	c->freq_hz = ev->freq_hz;
	c->granule = ev->granule;
	return ev->kind == PMU_WALL ? open_wall(c, ev, tid, signo, why) :
				      open_perf(c, ev, tid, signo, why);
}

/* A timer's signal number can't be changed: a new timer replaces it. */
static int renumber_timer(struct pmu_counter *c, pid_t tid, int signo)
{
	struct itimerspec running;
	const timer_t old = c->timer;
	timer_t timer;
	int error = make_timer(c, tid, signo, &timer);

	if (error)
		return error;
	if (timer_gettime(old, &running) || timer_settime(timer, 0, &running, NULL))
		error = -errno;
	c->timer = timer;
	timer_delete(old);
	wall_renumber(c, signo);
	return error;
}

int pmu_counter_renumber(struct pmu_counter *c, pid_t tid, int signo)
{
	if (c->kind == PMU_WALL)
		return c->timer_open ? renumber_timer(c, tid, signo) : 0;
	if (c->delivery != PMU_DELIVERY_SIGNAL || !pmu_counter_holds(c))
		return 0;
	if (fcntl(c->fd, F_SETSIG, signo))
		return -errno;
	__atomic_store_n(&c->signo, signo, __ATOMIC_RELAXED);
	/* A signal by the old number may pend for as long as the program blocks that: it
	   would not re-arm the counter. */
	pmu_counter_refresh(c);
	return 0;
}

int pmu_counter_redeliver(struct pmu_counter *c, const struct pmu_event *ev, pid_t tid, int signo,
			  struct pmu_value *last)
{
	struct pmu_counter old = *c, fresh = *c;
	const bool ran = __atomic_load_n(&c->running, __ATOMIC_SEQ_CST);
	bool opened;

	fresh.delivery = PMU_DELIVERY_SIGNAL;
	fresh.ring = NULL;
	fresh.fd = -1;
	fresh.aux = 0;
	fresh.value = fresh.ran_ns = fresh.ran_before_ns = fresh.retime = 0;
	fresh.is_clock = false;
	fresh.throttled_since = fresh.throttled_ns = 0;
	fresh.running = false;
	int error = open_quietly(&fresh, ev, tid, signo, &opened);
	if (error)
		return error;
	pmu_counter_stop(&old);
	if (pmu_counter_read(&old, last))
		*last = (struct pmu_value){ 0 };
	*c = fresh;
	if (ran)
		pmu_counter_start(c);
	pmu_counter_close(&old);
	return 0;
}

int pmu_counter_start(struct pmu_counter *c)
{
	int signals = c->delivery == PMU_DELIVERY_SIGNAL;

	if (c->kind == PMU_WALL)
		return c->timer_open ? wall_start(c) : -EBADF;
	if (c->fd <= 2)
		return -EBADF;
	if (!pmu_counter_holds(c))
		return -ESTALE;
	__atomic_store_n(&c->running, true, __ATOMIC_SEQ_CST);
	if (!ioctl(c->fd, signals ? PERF_EVENT_IOC_REFRESH : PERF_EVENT_IOC_ENABLE, signals))
		return 0;
	c->running = false;
	return -errno;
}

int pmu_counter_stop(struct pmu_counter *c)
{
	if (c->kind == PMU_WALL)
		return c->timer_open ? wall_stop(c) : -EBADF;
	if (c->fd <= 2)
		return -EBADF;
	if (!pmu_counter_holds(c))
		return -ESTALE;
	__atomic_store_n(&c->running, false, __ATOMIC_SEQ_CST);
	return ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

int pmu_counter_read(const struct pmu_counter *c, struct pmu_value *v)
{
	const uint64_t throttled_ns = __atomic_load_n(&c->throttled_ns, __ATOMIC_RELAXED);
	uint64_t words[3];
	long got;

	if (c->kind == PMU_WALL)
		return -ENOTSUP;
	if (c->fd <= 2)
		return -EBADF;
	if (!pmu_counter_holds(c))
		return -ESTALE;
	got = syscall(SYS_read, c->fd, words, sizeof(words));
	if (got != (ssize_t)sizeof(words))
		return got < 0 ? -errno : -EIO;
	/* The kernel's value of a clock is more where the thread is switched often. */
	v->value = c->is_clock ? words[2] : words[0];
	v->enabled_ns = words[1];
	v->running_ns = words[2] > throttled_ns ? words[2] - throttled_ns : 0;
	phase_learn(c, v->value, v->running_ns);
	return 0;
}

/* A sample may come at the end of each of these system calls. Its handler must find
   neither the unmapped ring nor a number that may be another descriptor by now. */
void pmu_counter_close(struct pmu_counter *c)
{
	struct pmu_counter last = *c;

	c->running = false;
	c->timer_open = false;
	c->ring = NULL;
	c->fd = -1;
	c->aux = 0;
	atomic_signal_fence(memory_order_seq_cst);
	if (last.timer_open) {
		timer_delete(last.timer);
		wall_close(c);
	}
	if (pmu_counter_holds(&last))
		syscall(SYS_close, last.fd);
	pmu_counter_drop_aux(&last);
	if (last.ring)
		munmap(last.ring, last.ring_bytes);
}
