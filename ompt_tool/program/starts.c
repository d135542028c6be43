/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/wrappers.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "ompt_tool/program/masks.h"
#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"
#include "ompt_tool/program/stacks.h"

/* ---- threads -------------------------------------------------------------- */

struct start {
	void *(*function)(void *);
	thrd_start_t thrd;
	void *arg;
};

static struct start begin(struct start *p)
{
	struct start s = *p;

	free(p);
	if (program_hooks.thread_begins)
		program_hooks.thread_begins();
	return s;
}

static void *run_pthread(void *p)
{
	struct start s = begin(p);

	return s.function(s.arg);
}

static int run_thrd(void *p)
{
	struct start s = begin(p);

	return s.thrd(s.arg);
}

static struct start *start_new(void *arg)
{
	struct start *s = program_is_ours() ? malloc(sizeof(*s)) : NULL;

	/* Binds the objects that were loaded meanwhile. */
	bind_all();
	if (s)
		*s = (struct start){ .arg = arg };
	return s;
}

int starts_pthread(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *),
		   void *arg)
{
	struct start *s = start_new(arg);
	sigset_t mask;

	if (attr && next.pthread_attr_getsigmask_np &&
	    next.pthread_attr_getsigmask_np(attr, &mask) == 0)
		masks_named(&mask, false);
	if (!s)
		return next.pthread_create(thread, attr, function, arg);
	s->function = function;
	int err = next.pthread_create(thread, attr, run_pthread, s);
	if (err != 0)
		free(s);
	return err;
}

int starts_thrd(thrd_t *thread, thrd_start_t function, void *arg)
{
	struct start *s = start_new(arg);

	if (!s)
		return next.thrd_create(thread, function, arg);
	s->thrd = function;
	int result = next.thrd_create(thread, run_thrd, s);
	if (result != thrd_success)
		free(s);
	return result;
}

void program_thread_begins(size_t stack_bytes)
{
	masks_open();
	stacks_begin(stack_bytes);
}

void program_thread_ends(void)
{
	stacks_end();
}

/* ---- programs ------------------------------------------------------------- */

/* A child that shares our memory has dispositions of its own, and so has one that was forked
   by a bare system call, with a copy of what another thread may have been writing. */
static uint32_t dispositions_true(bool ours)
{
	if (ours)
		return shared_dispositions_true();
	if (*program_alive == 0)
		shared_forked();
	return shared_dispositions_true_in_child();
}

static void dispositions_back(bool ours, uint32_t changed)
{
	if (ours)
		shared_dispositions_back(changed);
	else
		shared_dispositions_back_in_child(changed);
}

void starts_exec_begin(struct starts *s)
{
	s->ours = program_is_ours();
	/* What counters have sent and a mask that was made without us holds back comes now: what
	   pends goes through exec. */
	if (s->ours)
		masks_open();
	if (s->ours && program_hooks.ends)
		program_hooks.ends(PROGRAM_EXECS);
	s->dispositions = dispositions_true(s->ours);
	masks_true(&s->mask);
}

int starts_exec_failed(const struct starts *s, int result)
{
	int saved = errno;

	dispositions_back(s->ours, s->dispositions);
	masks_back(&s->mask);
	if (s->ours && program_hooks.exec_failed)
		program_hooks.exec_failed();
	errno = saved;
	return result;
}

/* Where the kernel ignores a signal meanwhile, another thread's sample may be lost, and
   its counter waits to be re-armed: so starts_spawn_end() calls exec_failed(). */
void starts_spawn_begin(struct starts *s)
{
	s->ours = program_is_ours();
	s->dispositions = dispositions_true(s->ours);
	masks_true(&s->mask);
}

void starts_spawn_end(const struct starts *s)
{
	int saved = errno;

	masks_back(&s->mask);
	if (s->dispositions != 0) {
		dispositions_back(s->ours, s->dispositions);
		if (s->ours && program_hooks.exec_failed)
			program_hooks.exec_failed();
	}
	errno = saved;
}
