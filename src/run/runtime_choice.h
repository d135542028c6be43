/*
 * runtime_choice.h - which OpenMP runtime serves the program.
 *
 * GCC's libgomp tells tools nothing.  LLVM's libomp has its entry points too,
 * and serves most programs that GCC built: found under libgomp's name in a
 * folder that the loader searches first (links.h), or else preloaded.  Whether it can is
 * looked up beforehand, in the symbols that the program and its libraries want
 * of libgomp, and by asking the program's loader with the environment that is
 * planned: the program must run on as it would without us.
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
	char folder[PATH_MAX];	/* to come first for the loader; empty: none */
	char preload[PATH_MAX];	/* a library to be preloaded; empty: none */
	bool worth_saying;	/* note is for the person at the terminal too */
	char note[512];		/* for the profile; empty: nothing to say */
};

/*
 * Decides for the dynamic program target, for which its loader answered `now`
 * in the environment base (NULL: it could not be asked).  Makes folders of
 * links.  0, or -1 with *t when what the options ask for can't be had.
 */
int runtime_decide(struct runtime_plan *plan, const struct run_options *options,
		   const struct target *target, const struct loader_list *now,
		   const struct env *base, struct trouble *t);

/* Puts the plan into an environment.  0 or -ENOMEM. */
int runtime_apply(const struct runtime_plan *plan, struct env *env);

#endif
