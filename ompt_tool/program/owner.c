/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/wrappers.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"
#include "ompt_tool/program/shared.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

enum { PAGE = 4096 };

static const volatile unsigned char dead;

/* Owned by this file. MADV_WIPEONFORK: the page reads 0 in each child whose fork did
   not run our pthread_atfork() handler. */
const volatile unsigned char *program_alive = &dead;
static unsigned char *page;
static pid_t owner;

bool program_is_ours(void)
{
	return *program_alive != 0 && (pid_t)syscall(SYS_getpid) == owner;
}

bool owner_is_shared(void)
{
	return *program_alive != 0 && (pid_t)syscall(SYS_getpid) != owner;
}

/* Runs in the child of fork(3), before fork() returns there. */
static void forked(void)
{
	if (!page)
		return;
	*page = 1;
	owner = getpid();
	shared_forked();
	if (program_hooks.forked)
		program_hooks.forked();
}

/* Runs after the program's own at_quick_exit() functions: those run in reverse order,
   and ours is registered first. */
static void exits_quickly(void)
{
	if (program_hooks.ends && program_is_ours())
		program_hooks.ends(PROGRAM_EXITS_AT_ONCE);
}

int program_take(void)
{
	void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	next_find();
	bind_all();
	madvise(p, PAGE, MADV_WIPEONFORK);
	page = p;
	*page = 1;
	owner = getpid();
	program_alive = page;
	at_quick_exit(exits_quickly);
	return -pthread_atfork(NULL, NULL, forked);
}
