/*
 * linked.c - for the library that is linked into a program, and a part of that.
 */
#include "config.h"

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

const bool program_is_apart = false;

/* Where the program is linked statically these are libc's, and nobody stands before. */
struct next next = {
	.sigaction = sigaction,
	.pthread_sigmask = pthread_sigmask,
	.sigaltstack = sigaltstack,
	.sigtimedwait = sigtimedwait,
};
