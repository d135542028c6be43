/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - this process's profile: its name, what it says about the process, and
 * its end.
 */
#ifndef OMPHWC_OMPT_TOOL_TOOL_PROFILE_H
#define OMPHWC_OMPT_TOOL_TOOL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct settings;

/*
 * Collects what the profile says (arguments, host, executable, job …), and makes
 * its name. Where no such name can be made it is the default one, in the working folder. 0,
 * or -errno where that can't be made either. Ordinary code, once.
 */
int profile_prepare(const struct settings *s);

/*
 * Creates the profile and writes all that is known into it, after sampling.events
 * is settled. A missing folder is made; where it can't be, the profile goes to the working
 * folder. 0 or -errno. Ordinary code.
 */
int profile_create(void);

/* In a fork's child: closes the parent's profile. The child's own is made when there is
   something to write. Async-signal-safe. */
void profile_fork_child(void);

/* A line for the report. Before profile_create() up to four lines are kept. Ordinary code. */
void profile_note(const char *text);

/* The first worker begins: notes its CPUs, where they are not those of the start. On its thread. */
void profile_worker(void);

/* The process ends: notes its CPU time, its page faults, and how long its control group was
   throttled. */
void profile_usage(void);

/* The runtime's name and version.  Ordinary code. */
void profile_runtime(const char *text);

/* Adds bits to header.unreported. Ordinary code. */
void profile_unreported(uint64_t callbacks);

/* The profile exists, but the program runs on unprofiled: the profile then says so,
   with the reason. Ordinary code. */
void profile_fail(const char *reason);

/* Why the profile is not where it was asked for, if this process is to say so; else NULL. */
const char *profile_moved(void);

/* Where the profile is on this node until somebody copies it, and why; else NULL. */
const char *profile_stays(void);

/* Whether the ompcount that started the program knows why there is no profile, and will say so. */
bool profile_failure_is_reported(void);

/* The process ends, and somebody else has overwritten its profile.  Whether this process is to say
   so: no ompcount was notified. */
bool profile_lost(void);

/* Whether nobody misses the profile where it has no samples: no ompcount started the process, it
   is no rank, and it met no OpenMP. */
bool profile_is_dispensable(void);

/* Absolute path of the profile, or the one that it will have. */
const char *profile_path(void);

#endif
