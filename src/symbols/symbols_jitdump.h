/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_jitdump.h - reads what a just-in-time compiler wrote of its code for perf: jit-PID.dump
 * (tools/perf/Documentation/jitdump-specification.txt in Linux's sources, version 1).
 *
 * Names alone are read, no code, lines or unwind rules. Nothing in the file is trusted. For
 * ordinary code.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_JITDUMP_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_JITDUMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What is known of each function, in the file's order; name may be changed, and is valid until the
   return. False: no more. */
typedef bool symbols_jitdump_add(void *to, uint64_t address, uint64_t bytes, char *name);

/* The functions that process pid loaded, and where it moved them to. Stops at the file's end, or
   where it is damaged; a file of another byte order or process has none. */
void symbols_jitdump_read(FILE *f, uint32_t pid, symbols_jitdump_add *add, void *to);

#endif
