/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform_ask.c - requests, as a collector makes them.
 */
#define _GNU_SOURCE
#include "tests/collector/conform.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int (*producer)(void *);

bool api_find(void)
{
	producer = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
	return producer;
}

int api(void *list)
{
	return producer(list);
}

/* The layouts of C; a collector knows no others. */
struct header {
	int size, request, error, returned;
};

struct ask_state {
	struct header h;
	struct {
		OMP_COLLECTOR_API_THR_STATE state;
		void *wait_id;
	} mem;
};

struct ask_one {
	struct header h;
	uint64_t mem;
};

struct answer ask(void)
{
	struct {
		struct ask_state state;
		struct ask_one id;
		int end;
	} list;
	struct answer a;

	memset(&list, 0, sizeof(list));
	list.state.h.size = sizeof(list.state);
	list.state.h.request = OMP_REQ_STATE;
	list.state.h.error = list.id.h.error = -1;
	list.id.h.size = sizeof(list.id);
	list.id.h.request = OMP_REQ_CURRENT_PRID;
	memset(&a, 0, sizeof(a));
	if (producer(&list) != 0) {
		a.state_code = a.id_code = -2;
		return a;
	}
	a.state_code = list.state.h.error;
	a.id_code = list.id.h.error;
	a.state = (int)list.state.mem.state;
	a.wait_id = (uint64_t)(uintptr_t)list.state.mem.wait_id;
	a.id = list.id.mem;
	return a;
}

int ask_plain(OMP_COLLECTORAPI_REQUEST request)
{
	struct {
		struct header h;
		int end;
	} list = { { HEADER, (int)request, -1, 0 }, 0 };

	return producer(&list) == 0 ? list.h.error : -2;
}

int ask_register(int event, callback *called)
{
	struct {
		struct header h;
		struct {
			int event;
			callback *called;
		} mem;
		int end;
	} list;

	memset(&list, 0, sizeof(list));
	list.h = (struct header){ sizeof(list.h) + sizeof(list.mem), OMP_REQ_REGISTER, -1, 0 };
	list.mem.event = event;
	list.mem.called = called;
	return producer(&list) == 0 ? list.h.error : -2;
}

int ask_unregister(int event)
{
	struct {
		struct header h;
		int event, end;
	} list = { { HEADER + sizeof(int), OMP_REQ_UNREGISTER, -1, 0 }, event, 0 };

	return producer(&list) == 0 ? list.h.error : -2;
}

int ask_id(OMP_COLLECTORAPI_REQUEST request, uint64_t *id)
{
	struct {
		struct ask_one one;
		int end;
	} list;

	memset(&list, 0, sizeof(list));
	list.one.h = (struct header){ sizeof(list.one), (int)request, -1, 0 };
	if (producer(&list) != 0)
		return -2;
	*id = list.one.mem;
	return list.one.h.error;
}

uint64_t ask_region(void)
{
	uint64_t id = 0;

	return ask_id(OMP_REQ_CURRENT_PRID, &id) == OMP_ERRCODE_OK ? id : 0;
}

void session_begin(void)
{
	if (!expect_code("START", ask_plain(OMP_REQ_START), OMP_ERRCODE_OK))
		exit(3);
	/* Teams have to have the sizes that they are asked for. */
	omp_set_dynamic(0);
}
