/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_hear.c - hears all events, and what the API answers in their callbacks.
 *
 * Each thread writes into a log of its own. The order of all is a counter, so that it is also
 * known what came before what in different threads.
 */
#define _GNU_SOURCE
#include "tests/collector/conform.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOGS = 64, RECORDS = 4096 };

static struct log {
	atomic_uint number;
	struct heard records[RECORDS];
} logs[LOGS];
static atomic_uint used, lost, order;
static _Thread_local struct log *mine;

bool supported[EVENTS];

int own_tid(void)
{
	return (int)syscall(SYS_gettid);
}

static struct log *own_log(void)
{
	unsigned i;

	if (mine)
		return mine;
	i = atomic_fetch_add(&used, 1);
	if (i < LOGS)
		mine = &logs[i];
	return mine;
}

void hear(OMP_COLLECTORAPI_EVENT event)
{
	struct log *log = own_log();
	const unsigned n = log ? atomic_load(&log->number) : RECORDS;
	struct heard *h;

	if (n >= RECORDS) {
		atomic_fetch_add(&lost, 1);
		return;
	}
	h = &log->records[n];
	h->event = (int)event;
	h->tid = own_tid();
	h->answer = ask();
	h->parent = 0;
	h->parent_code = ask_id(OMP_REQ_PARENT_PRID, &h->parent);
	h->order = atomic_fetch_add(&order, 1);
	atomic_store(&log->number, n + 1);
}

void hear_all(void)
{
	int event;

	for (event = OMP_EVENT_FORK; event < EVENTS; event++)
		supported[event] = ask_register(event, hear) == OMP_ERRCODE_OK;
}

unsigned moment(void)
{
	return atomic_fetch_add(&order, 1);
}

void hear_each(unsigned since, void (*visit)(const struct heard *, void *), void *arg)
{
	unsigned i, j, n;

	for (i = 0; i < LOGS && i < atomic_load(&used); i++) {
		n = atomic_load(&logs[i].number);
		for (j = 0; j < n; j++) {
			if (logs[i].records[j].order >= since)
				visit(&logs[i].records[j], arg);
		}
	}
}

struct counting {
	int event, tid;
	unsigned number;
};

static void count(const struct heard *h, void *arg)
{
	struct counting *c = arg;

	if (h->event == c->event && (c->tid == 0 || h->tid == c->tid))
		c->number++;
}

unsigned heard_since(unsigned since, int event, int tid)
{
	struct counting c = { event, tid, 0 };

	hear_each(since, count, &c);
	return c.number;
}

bool heard_all(void)
{
	return atomic_load(&lost) == 0;
}
