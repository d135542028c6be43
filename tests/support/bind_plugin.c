/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bind_plugin.c - an object that calls a function that we wrap, in each of the ways in
 * which an object can reach it.
 */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "tests/support/bind_plugin.h"

/* A library that stands before libc's itself, and calls its own by the loader's tables. */
#ifdef BIND_PLUGIN_OWN
__attribute__((visibility("default"))) int munmap(void *at, size_t bytes)
{
	(void)at;
	(void)bytes;
	return BIND_PLUGIN_OWN_RESULT;
}

__attribute__((visibility("default"))) int mprotect(void *at, size_t bytes, int protection)
{
	(void)protection;
	return munmap(at, bytes);
}
#endif

__attribute__((constructor)) static void loaded(void)
{
	if (bind_plugin_loaded != NULL)
		bind_plugin_loaded();
}

#define NOWHERE ((void *)(uintptr_t)1)

/* Another function: of one whose address is taken too there is a word for both. */
static int by_call(void)
{
	return mprotect(NOWHERE, 0, PROT_NONE);
}

static int by_address(void)
{
	int (*volatile f)(void *, size_t) = munmap;

	return f(NOWHERE, 0);
}

static volatile long written = 1;
static int (*volatile table[])(void *, size_t) = { munmap };

static int by_table(void)
{
	written++;
	return table[0](NOWHERE, 0);
}

static void change_table(int (*f)(void *, size_t))
{
	table[0] = f;
}

const struct bind_plugin bind_plugin = { by_call, by_address, by_table, change_table };
