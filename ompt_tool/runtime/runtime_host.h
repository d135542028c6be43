/*
 * runtime_host.h - what an adapter for a runtime interface asks of the tool.
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
	/* Starts profiling the process, once; false where it can't be had. */
	bool (*start)(void);
	/* A runtime has introduced itself; text is its name and version, code lies in it. */
	void (*begins)(const struct runtime *runtime, const char *text, const void *code);
	/* The calling thread is profiled from here on, as one of that kind; NULL where it
	   can't be. */
	struct thread *(*thread_begins)(enum prof_thread_kind kind);
	/* What omp_control_tool() asks; its result. */
	int (*control)(int command);
	/* A line that the report must show. */
	void (*note)(const char *line);
	/* Bits of header.untold, in addition to those that are set. */
	void (*untold)(uint64_t callbacks);
};

/* Defined by the tool. */
extern const struct runtime_host runtime_host;

#endif
