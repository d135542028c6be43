/*
 * profile.h - this process's profile: its name, what it tells of the process,
 * and its end.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_PROFILE_H
#define OMPHWC_OMPT_TOOL_TOOL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct settings;

/*
 * Collects what the profile is to tell (arguments, host, executable, job …)
 * and where it will be.  0, or -errno where its name can't be made.  Ordinary
 * code, once.
 */
int profile_prepare(const struct settings *s);

/*
 * Creates the profile and writes all that is known into it; sampling.events are
 * settled by then.  0 or -errno.  Async-signal-safe.
 */
int profile_create(void);

/* In a fork's child: gives the parent's profile up; the child's own is made
   when it has something to tell.  Async-signal-safe. */
void profile_fork_child(void);

/* A line that the report must show.  Before profile_create() too: up to four
   are kept.  Ordinary code. */
void profile_note(const char *text);

/* The runtime's name and version.  Ordinary code. */
void profile_runtime(const char *text);

/* Bits of header.untold, in addition to those that are set.  Ordinary code. */
void profile_untold(uint64_t callbacks);

/* The program goes on without being profiled, though there is a profile: it then says
   so, and why (reason).  Ordinary code. */
void profile_fail(const char *reason);

/* Absolute path of the profile; until there is one, of what it is to be. */
const char *profile_path(void);

#endif
