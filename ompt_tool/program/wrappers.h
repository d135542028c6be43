/*
 * wrappers.h - our wrappers by names of their own: those of libc may lead to libc.
 */
#ifndef OMPHWC_OMPT_TOOL_PROGRAM_WRAPPERS_H
#define OMPHWC_OMPT_TOOL_PROGRAM_WRAPPERS_H

#include <stddef.h>

/*
 * A wrapper's definition: EXPORT int WRAPPER(sigaction)(…).  In libomphwc.so it has the
 * name of libc's, for the loader; in the library that is linked into a program it has
 * one of its own (OMPHWC_LINKED), and only bind.c puts it before libc's.
 */
#ifdef OMPHWC_LINKED
#define EXPORT static
#define WRAPPER(name) wrap_##name
#define WRAPPER_NAME(name) "wrap_" #name
#else
#define EXPORT __attribute__((visibility("default")))
#define WRAPPER(name) name
#define WRAPPER_NAME(name) #name
#endif

struct wrapper {
	const char *name;	/* libc's */
	void (*function)(void);	/* ours */
};

/* What each wrap_*.c has; never changed. */
extern const struct wrapper wrappers_signals[], wrappers_sleeps[], wrappers_life[];
extern const size_t wrappers_nsignals, wrappers_nsleeps, wrappers_nlife;

#endif
