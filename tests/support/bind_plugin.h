/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bind_plugin.h - the interface of bind_plugin.c's objects for check_program_bind; each
 * object has such a table, named bind_plugin.
 */
#ifndef OMPHWC_TESTS_BIND_PLUGIN_H
#define OMPHWC_TESTS_BIND_PLUGIN_H

#include <stddef.h>

/* What an object's own functions return. */
#define BIND_PLUGIN_OWN_RESULT 4711

struct bind_plugin {
	/* Each calls mprotect() or munmap() with arguments that the kernel rejects. */
	int (*by_call)(void);
	int (*by_address)(void);
	int (*by_table)(void); /* by an initialized pointer, which can be changed */
	void (*change_table)(int (*)(void *, size_t));
};

__attribute__((visibility("default"))) extern const struct bind_plugin bind_plugin;

/* Defined by the program; an object calls it while it is being loaded. */
__attribute__((visibility("default"), weak)) void bind_plugin_loaded(void);

#endif
