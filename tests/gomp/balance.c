/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.c - a collector that registers every event of libomphwc-gomp.so, and says in one
 * line each what was wrong: ends without a beginning, region IDs and words that do not fit.
 * A line "told" at exit counts the events. START_LATE=1 leaves the start to the program
 * (which calls balance_start()).
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompt_tool/collector/gomp_thread.h"
#include "ompt_tool/collector/omp_collector_api.h"

enum { WORD = 0x1234, EVENTS = 64, SINGLES = 64 };

static int (*api)(void *);
static struct gomp_thread *(*thread)(void);
static atomic_long told, wrong;
static __thread int open_[EVENTS];
static __thread uint64_t singles[SINGLES]; /* the regions of those that have begun */
static __thread int nsingles;

static int index_of(int event)
{
	return event < 32 ? event : event - OMP_EVENT_THR_RESERVED_IMPL + 32;
}

static void say(const char *what, int event)
{
	wrong++;
	fprintf(stderr, "event %d: %s\n", event, what);
}

static int request(int number, void *mem, int bytes)
{
	struct {
		int sz, number, ec, rsz;
		char mem[16];
		int end;
	} r = { .sz = 16 + bytes, .number = number };

	if (mem)
		memcpy(r.mem, mem, (size_t)bytes);
	memset(r.mem + bytes, 0, sizeof(r.mem) - (size_t)bytes);
	if (api(&r) != 0)
		return -1;
	if (mem)
		memcpy(mem, r.mem, (size_t)bytes);
	return r.ec;
}

static uint64_t region(int number)
{
	uint64_t id = 0;

	return request(number, &id, sizeof(id)) == OMP_ERRCODE_OK ? id : UINT64_MAX;
}

/* Events whose next number is their end. */
static bool begins(int event)
{
	switch (event) {
	case OMP_EVENT_FORK:
	case OMP_EVENT_THR_BEGIN_IBAR:
	case OMP_EVENT_THR_BEGIN_EBAR:
	case OMP_EVENT_THR_BEGIN_LKWT:
	case OMP_EVENT_THR_BEGIN_CTWT:
	case OMP_EVENT_THR_BEGIN_ODWT:
	case OMP_EVENT_THR_BEGIN_ORDERED:
	case OMP_EVENT_THR_BEGIN_ATWT:
	case OMP_EVENT_THR_BEGIN_IDLE:
	case GOMP_EVENT_IMPLICIT_BEGIN:
	case GOMP_EVENT_TASK_BEGIN:
	case GOMP_EVENT_TASKWAIT_BEGIN:
	case GOMP_EVENT_TASKGROUP_BEGIN: return true;
	default: return false;
	}
}

static void balance(int event)
{
	if (begins(event))
		open_[index_of(event)]++;
	else if (event > 1 && begins(event - 1) && --open_[index_of(event - 1)] < 0)
		say("an end without a beginning", event);
}

static void on_fork(const struct gomp_thread *t)
{
	if (region(OMP_REQ_CURRENT_PRID) != t->region->id)
		say("CURRENT_PRID is not the new region", OMP_EVENT_FORK);
	if (region(OMP_REQ_PARENT_PRID) != t->region->parent_id)
		say("PARENT_PRID is not the enclosing region", OMP_EVENT_FORK);
	if (t->region->parent_id != (t->task ? t->task->region_id : 0))
		say("the enclosing region is not the task's", OMP_EVENT_FORK);
	t->region->data = t->region->id * 3;
}

static uint64_t task_of(const struct gomp_thread *t)
{
	return t->task ? t->task->region_id : 0;
}

static bool in_single(const struct gomp_thread *t)
{
	return nsingles > 0 && singles[nsingles - 1] == task_of(t);
}

static void on_implicit(const struct gomp_thread *t, int event)
{
	if (t->task->team_data != t->task->region_id * 3)
		say("the word is not FORK's", event);
	if (region(OMP_REQ_CURRENT_PRID) != t->task->region_id)
		say("CURRENT_PRID is not the task's", event);
	if (t->task->number >= t->task->team_size)
		say("a number beyond the team's", event);
	if (event == GOMP_EVENT_IMPLICIT_END && in_single(t))
		say("the task's single region has no end", event);
}

/* libgomp's single regions end in the task that they began in. */
static void on_single(const struct gomp_thread *t, int event)
{
	const bool open = in_single(t);

	if (event == GOMP_EVENT_WORK_BEGIN && open)
		say("the last single region has no end", event);
	if (event == GOMP_EVENT_WORK_END && !open)
		say("the end of another task's single region", event);
	if (event == GOMP_EVENT_WORK_BEGIN && nsingles < SINGLES)
		singles[nsingles++] = task_of(t);
	else if (event == GOMP_EVENT_WORK_END && nsingles > 0)
		nsingles--;
}

static void on_event(OMP_COLLECTORAPI_EVENT event)
{
	struct gomp_thread *t = thread();

	told++;
	balance((int)event);
	switch ((int)event) {
	case OMP_EVENT_FORK: on_fork(t); break;
	case GOMP_EVENT_IMPLICIT_BEGIN:
	case GOMP_EVENT_IMPLICIT_END: on_implicit(t, (int)event); break;
	case GOMP_EVENT_TASK_CREATE: *t->created = WORD; break;
	case GOMP_EVENT_TASK_BEGIN:
	case GOMP_EVENT_TASK_END:
		if (t->task->data != WORD)
			say("the word is not TASK_CREATE's", (int)event);
		break;
	case GOMP_EVENT_WORK_BEGIN:
	case GOMP_EVENT_WORK_END:
		if (t->work == GOMP_WORK_SINGLE)
			on_single(t, (int)event);
		break;
	case OMP_EVENT_THR_BEGIN_EBAR:
		if (in_single(t))
			say("a barrier in a single region", (int)event);
		break;
	default: break;
	}
}

static void enroll(int event)
{
	struct {
		OMP_COLLECTORAPI_EVENT event;
		void (*callback)(OMP_COLLECTORAPI_EVENT);
	} mem = { (OMP_COLLECTORAPI_EVENT)event, on_event };
	const int ec = request(OMP_REQ_REGISTER, &mem, sizeof(mem));

	if (ec != OMP_ERRCODE_OK && ec != OMP_ERRCODE_UNSUPPORTED)
		say("can't be registered", event);
}

void balance_start(void);
void balance_start(void)
{
	const int ec = request(OMP_REQ_START, NULL, 0);

	if (ec != OMP_ERRCODE_OK) {
		fprintf(stderr, "START: %d\n", ec);
		return;
	}
	for (int e = OMP_EVENT_FORK; e <= OMP_EVENT_THR_END_ATWT; e++)
		enroll(e);
	for (int e = OMP_EVENT_THR_RESERVED_IMPL; e < (int)GOMP_EVENT_LAST; e++)
		enroll(e);
}

__attribute__((constructor)) static void init(void)
{
	api = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
	thread = (struct gomp_thread * (*)(void)) dlsym(RTLD_DEFAULT, "omphwc_gomp_thread");
	if (!api || !thread)
		fprintf(stderr, "no libomphwc-gomp.so\n");
	else if (!getenv("START_LATE"))
		balance_start();
}

__attribute__((destructor)) static void fini(void)
{
	const char *path = getenv("TOLD");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (f) {
		fprintf(f, "%ld %ld\n", told, wrong);
		fclose(f);
	}
}
