/*
 * ompt_register.h - registers callbacks with an OMPT runtime, and notes in the
 * profile which of them it does not always make.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_REGISTER_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/runtime/ompt.h"

struct ompt_registration {
	ompt_callbacks_t event;
	ompt_callback_t function;
	const char *name;	/* as OMPT calls it */
	const char *tells;	/* what is known by it: "how many tasks ran" */
};

/* Registers n callbacks.  Whether the runtime makes all of them always.  Ordinary
   code, at a runtime's start. */
bool ompt_register(ompt_set_callback_t set, const struct ompt_registration *all, size_t n);

#endif
