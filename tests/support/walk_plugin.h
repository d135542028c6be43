/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_plugin.h - what the libraries made of walk_plugin.c offer. */
#ifndef OMPHWC_TESTS_WALK_PLUGIN_H
#define OMPHWC_TESTS_WALK_PLUGIN_H

/* Calls f. */
__attribute__((visibility("default"))) void walk_plugin(void (*f)(void));

#endif
