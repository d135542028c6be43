/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * when.h - notes in the thread's timeline when a sample was taken.
 */
#ifndef OMPHWC_OMPT_TOOL_SAMPLE_WHEN_H
#define OMPHWC_OMPT_TOOL_SAMPLE_WHEN_H

#include <stdint.h>

struct handler_event;
struct thread;

/*
 * Notes a sample whose innermost frame, or boundary, is node, with that enum prof_state.
 * Called only where timeline_on.  Async-signal-safe.
 */
void when_note(struct thread *t, const struct handler_event *e, uint32_t node, uint8_t state,
	       uint64_t now_ticks);

#endif
