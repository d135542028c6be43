/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin_copy.h - loads a library made from walk_plugin.c, or a copy of it under another
 * name: the same code, at the same address once the other one is unloaded.
 */
#ifndef OMPHWC_TESTS_PLUGIN_COPY_H
#define OMPHWC_TESTS_PLUGIN_COPY_H

#include <check.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ompt_tool/unwind/object.h"
#include "tests/support/walk_code.h"

static inline void plugin_copy_file(const char *from, const char *to)
{
	char bytes[4096];
	FILE *in = fopen(from, "r"), *out = fopen(to, "w");
	size_t n;

	ck_assert_ptr_nonnull(in);
	ck_assert_ptr_nonnull(out);
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
	fclose(in);
	ck_assert_int_eq(fclose(out), 0);
}

/* The library, for dlclose(), and its function in *call. */
static inline void *plugin_load(bool copy, walk_call **call)
{
	const char *top = getenv("top_builddir");
	char file[4096], other[64];
	void *lib;

	snprintf(file, sizeof(file), "%s/.libs/walk_plugin_small_fp.so", top ? top : ".");
	snprintf(other, sizeof(other), "./plugin_copy.%ld.so", (long)getpid());
	if (copy)
		plugin_copy_file(file, other);
	lib = dlopen(copy ? other : file, RTLD_NOW);
	object_look();
	if (copy)
		unlink(other);
	ck_assert_msg(lib != NULL, "%s", dlerror());
	*call = (walk_call *)(uintptr_t)dlsym(lib, "walk_plugin");
	ck_assert(*call != NULL);
	return lib;
}

#endif
