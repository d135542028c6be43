/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime_host.h - what a runtime's adapter asks of the tool.
 *
 * Ordinary code, on any thread.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_RUNTIME_HOST_H
#define OMPHWC_OMPT_TOOL_RUNTIME_RUNTIME_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "src/profile/format.h"

struct runtime;
struct thread;

struct runtime_host {
	/* Starts profiling the process, once; false where that is not possible. */
	bool (*start)(void);
	/* A runtime has started: its name and version, and any address in its code. */
	void (*begins)(const struct runtime *runtime, const char *text, const void *code);
	/* The object with this code is an OpenMP runtime. */
	void (*has_code)(const void *code);
	/* Profiles the calling thread from here on, as one of that kind; NULL where
	   that is not possible. */
	struct thread *(*thread_begins)(enum prof_thread_kind kind);
	/* Carries out omp_control_tool()'s command, and returns its result. */
	int (*control)(int command, const void *arg);
	/* Adds a line for the report. */
	void (*note)(const char *line);
	/* Adds bits to header.unreported. */
	void (*unreported)(uint64_t callbacks);
};

/* Defined by the tool. */
extern const struct runtime_host runtime_host;

#endif
