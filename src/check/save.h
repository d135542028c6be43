/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * save.h - a machine as a text: what `ompcount check --save' writes, and tests play
 * (tests/support/machine.c).
 *
 * A line each, fields separated by blanks; later versions may add lines:
 *   omphwc machine 1
 *   kernel RELEASE ARCHITECTURE, glibc VERSION, cpus N, page BYTES
 *   cpu KEY: VALUE                  of /proc/cpuinfo, what names the model
 *   setting NAME VALUE              of /proc/sys/kernel
 *   limit NAME SOFT HARD
 *   sysfs PATH TEXT                 below /sys/bus/event_source/devices
 *   open REQUEST = ANSWER           of perf_event_open: 0 or an errno's number
 *   silent TYPE:CONFIG              an event that opens and is never counted
 *   event NAME LABEL                what is counted for it, or "refused: WHY"
 * A REQUEST is "TYPE:CONFIG:CONFIG1:CONFIG2 SIDES pN MODE", with " data" where the memory level is
 * asked for, and " behind TYPE:CONFIG" in a group. SIDES are those left out, of ukhg (user,
 * kernel, hypervisor, guest), or -. MODE is count, freq or period.
 * It has no name of a user, host or file, and no serial number.
 */
#ifndef OMPHWC_SRC_CHECK_SAVE_H
#define OMPHWC_SRC_CHECK_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct perf_event_attr;

enum { SAVE_REQUEST_BYTES = 160 };

/* leader: of its group, or NULL. */
void save_request(const struct perf_event_attr *a, const struct perf_event_attr *leader,
		  char text[SAVE_REQUEST_BYTES]);

/* Tries events, and writes the machine to f: 0 or -errno. */
int save_machine(FILE *f);

/* Calls visit for the name of each event that is tried. */
void save_each_event(void (*visit)(const char *name, void *arg), void *arg);

/* The value of the first line of /proc/cpuinfo that begins with name; architectures name their
   fields differently. */
bool cpuinfo(const char *name, char *value, size_t size);

#endif
