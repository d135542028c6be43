/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompt_register.h - registers callbacks with an OMPT runtime, and notes in the
 * profile which of them the runtime does not always make.
 */
#ifndef OMPHWC_OMPT_TOOL_RUNTIME_OMPT_REGISTER_H
#define OMPHWC_OMPT_TOOL_RUNTIME_OMPT_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/runtime/ompt_declarations.h"

struct ompt_registration {
	ompt_callbacks_t event;
	ompt_callback_t function;
	const char *name;    /* OMPT's name of the callback */
	const char *reports; /* what these events report: "how many tasks ran" */
};

/* Registers n callbacks. True when the runtime always makes all of them. Ordinary code,
   at a runtime's start. */
bool ompt_register(ompt_set_callback_t set, const struct ompt_registration *all, size_t n);

/* The function that was registered last for the event; NULL: none. */
ompt_callback_t ompt_registered(ompt_callbacks_t event);

#endif
