/*
 * next_plain.c - for the static library, which puts nothing before the C
 * library's functions: those that the layer itself calls.
 */
#include "config.h"

#include "ompt_tool/program/next.h"

#include "ompt_tool/program/program.h"

const bool program_is_apart = false;

struct next next = {
	.sigaction = sigaction,
	.pthread_sigmask = pthread_sigmask,
	.sigaltstack = sigaltstack,
	.sigtimedwait = sigtimedwait,
};

void next_find(void)
{
}
