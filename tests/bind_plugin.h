/*
 * bind_plugin.h - what check_program_bind asks of bind_plugin.c's objects, each of
 * which has one such table, by the name of bind_plugin.
 */
#ifndef OMPHWC_TESTS_BIND_PLUGIN_H
#define OMPHWC_TESTS_BIND_PLUGIN_H

#include <stddef.h>

/* What an object's own functions return. */
#define BIND_PLUGIN_OWN_RESULT 4711

struct bind_plugin {
	/* Each calls mprotect() or munmap() with what the kernel refuses. */
	int (*by_call)(void);
	int (*by_address)(void);
	int (*by_table)(void);	/* by an initialised pointer, which can be changed */
	void (*change_table)(int (*)(void *, size_t));
};

__attribute__((visibility("default"))) extern const struct bind_plugin bind_plugin;

/* The program's, which an object calls while it is being loaded. */
__attribute__((visibility("default"), weak)) void bind_plugin_loaded(void);

#endif
