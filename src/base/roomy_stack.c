/* SPDX-License-Identifier: BSD-3-Clause */
/* roomy_stack.c - a thread, whose stack no limit holds for. */
#include "config.h"

#include "src/base/roomy_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { ROOMY_BYTES = 8 << 20 };

struct roomy_stack_call {
	int (*f)(void *arg);
	void *arg;
	int result;
};

static void *called(void *arg)
{
	struct roomy_stack_call *c = arg;

	c->result = c->f(c->arg);
	return NULL;
}

static bool is_narrow(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < ROOMY_BYTES;
}

static bool call_on_thread(struct roomy_stack_call *c)
{
	pthread_attr_t attr;
	pthread_t thread;
	bool made;

	if (pthread_attr_init(&attr) != 0)
		return false;
	made = pthread_attr_setstacksize(&attr, ROOMY_BYTES) == 0 &&
	       pthread_create(&thread, &attr, called, c) == 0;
	pthread_attr_destroy(&attr);
	return made && pthread_join(thread, NULL) == 0;
}

int roomy_stack_call(int (*f)(void *arg), void *arg)
{
	struct roomy_stack_call c = { .f = f, .arg = arg };

	if (is_narrow() && call_on_thread(&c))
		return c.result;
	return f(arg);
}
