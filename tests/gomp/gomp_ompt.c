/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp_ompt.c - a stand-in for a libgomp with OMPT: the entry points of another libgomp (GOMP_REAL;
 * t-gcc17.sh generates the jumps). GOMP_OMPT is what it offers to tools: "nothing" (no function but
 * ompt_set_callback), "some" (regions, no tasks and no loops), "all" (it accepts each callback).
 * To a tool that accepts that it reports the regions of GOMP_parallel.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenMP 5.2, chapter 19: as far as it is used here. */
typedef union {
	uint64_t value;
	void *ptr;
} data;
typedef struct {
	data exit, enter;
	int exit_flags, enter_flags;
} frame;
typedef void (*function)(void);
typedef struct {
	int (*initialize)(function (*)(const char *), int, data *);
	void (*finalize)(data *);
	data tool;
} result;
enum { PARALLEL_BEGIN = 3, PARALLEL_END = 4, IMPLICIT_TASK = 7, ALWAYS = 5, NEVER = 1 };

extern result *ompt_start_tool(unsigned version, const char *runtime) __attribute__((weak));

extern const char *const names[], *const versions[];
extern void *targets[];
extern const unsigned long nnames;

static const char *mode;
static function callbacks[64];
static __thread data parallel, task, initial;
static __thread frame here, around;
static __thread int depth;

static int get_state(uint64_t *wait)
{
	*wait = 0;
	return depth ? 1 : 0;
}
static int get_parallel(int level, data **d, int *n)
{
	if (level || !depth)
		return 0;
	*d = &parallel;
	*n = 2;
	return 2;
}
static int get_task(int level, int *flags, data **t, frame **f, data **p, int *number)
{
	if (level)
		return 0;
	*flags = depth ? 2 : 1;
	*t = depth ? &task : &initial;
	*f = depth ? &here : &around;
	*p = depth ? &parallel : NULL;
	*number = 0;
	return 2;
}
static int set_callback(int event, function f)
{
	const bool region = event == PARALLEL_BEGIN || event == PARALLEL_END ||
			    event == IMPLICIT_TASK;

	if (strcmp(mode, "all") != 0 && !region)
		return NEVER;
	callbacks[event] = f;
	return ALWAYS;
}
static function lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (function)set_callback;
	if (strcmp(mode, "nothing") == 0)
		return NULL;
	return strcmp(name, "ompt_get_state") == 0	   ? (function)get_state :
	       strcmp(name, "ompt_get_task_info") == 0	   ? (function)get_task :
	       strcmp(name, "ompt_get_parallel_info") == 0 ? (function)get_parallel :
							     NULL;
}

static bool on;

struct body {
	void (*fn)(void *);
	void *arg;
	data parallel;
};

static void run(void *p)
{
	struct body *b = p;

	parallel = b->parallel;
	depth = 1;
	here.exit.ptr = __builtin_frame_address(0);
	((void (*)(int, data *, data *, unsigned, unsigned,
		   int))callbacks[IMPLICIT_TASK])(1, &parallel, &task, 2, 0, 2);
	b->fn(b->arg);
	((void (*)(int, data *, data *, unsigned, unsigned,
		   int))callbacks[IMPLICIT_TASK])(2, NULL, &task, 2, 0, 2);
	depth = 0;
}

static void (*real_parallel)(void (*)(void *), void *, unsigned, unsigned);

void GOMP_parallel(void (*fn)(void *), void *arg, unsigned threads, unsigned flags)
{
	struct body b = { fn, arg, { 0 } };

	if (!on || depth) {
		real_parallel(fn, arg, threads, flags);
		return;
	}
	around.enter.ptr = __builtin_frame_address(0);
	((void (*)(data *, frame *, data *, unsigned, int,
		   const void *))callbacks[PARALLEL_BEGIN])(&initial, &around, &b.parallel, threads,
							    0, __builtin_return_address(0));
	real_parallel(run, &b, threads, flags);
	((void (*)(data *, data *, int,
		   const void *))callbacks[PARALLEL_END])(&b.parallel, &initial, 0,
							  __builtin_return_address(0));
	around.enter.ptr = NULL;
}

__attribute__((constructor)) static void begin(void)
{
	void *real = dlopen(getenv("GOMP_REAL"), RTLD_NOW | RTLD_LOCAL);
	result *tool;

	mode = getenv("GOMP_OMPT");
	if (!real || !mode) {
		fprintf(stderr, "stand-in: %s\n", real ? "no GOMP_OMPT" : dlerror());
		exit(1);
	}
	real_parallel = (void (*)(void (*)(void *), void *, unsigned,
				  unsigned))dlsym(real, "GOMP_parallel");
	for (unsigned long i = 0; i < nnames; i++)
		targets[i] = *versions[i] ? dlvsym(real, names[i], versions[i]) :
					    dlsym(real, names[i]);
	tool = ompt_start_tool ? ompt_start_tool(202111, "GNU libgomp 17") : NULL;
	on = tool && tool->initialize(lookup, 0, &tool->tool);
}
