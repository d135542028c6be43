/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linked.c - for the library that is linked into the program, in the place of
 * apart.c.
 */
#include "config.h"

#include <unistd.h>

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

const bool program_is_apart = false;

/* In a statically linked program dlsym() finds nothing: these are libc's, and no
   interposer precedes them. */
struct next next = {
	.sigaction = sigaction,
	.pthread_sigmask = pthread_sigmask,
	.sigaltstack = sigaltstack,
	.sigtimedwait = sigtimedwait,
	.syscall = syscall,
};
