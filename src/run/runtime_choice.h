/*
 * runtime_choice.h - chooses the OpenMP runtime for the program.
 *
 * It is the program's own, unless the user asks for another.  LLVM's libomp has libgomp's
 * entry points, too, and serves most programs built by GCC: it is found under libgomp's name
 * in a folder that the loader searches first (links.h), or preloaded.  Whether it fits is
 * decided beforehand, by the symbols that the program and its libraries need from libgomp, and
 * by asking the program's loader with the planned environment: the program must run as it
 * would without the profiler.
 */
#ifndef OMPHWC_SRC_RUN_RUNTIME_CHOICE_H
#define OMPHWC_SRC_RUN_RUNTIME_CHOICE_H

#include <limits.h>
#include <stdbool.h>

struct env;
struct loader_list;
struct run_options;
struct target;
struct trouble;

struct runtime_plan {
	char folder[PATH_MAX];	/* searched first by the loader; empty: none */
	char preload[PATH_MAX]; /* a library to preload; empty: none */
	bool on_gomp;		/* the program would run on GCC's libgomp */
	bool worth_saying;	/* the note is also printed on the terminal */
	char note[512];		/* for the profile; empty: none */
};

/*
 * Decides for the dynamic program target.  now is its loader's answer in the environment
 * base (NULL: it could not be asked).  May create a folder of links.  0, or -1 with *t if
 * the requested runtime cannot be used.
 */
int runtime_decide(struct runtime_plan *plan, const struct run_options *options,
		   const struct target *target, const struct loader_list *now,
		   const struct env *base, struct trouble *t);

/* Adds the plan to an environment.  0 or -ENOMEM. */
int runtime_apply(const struct runtime_plan *plan, struct env *env);

#endif
