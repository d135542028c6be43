/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * toolchain.h - what compilers and OpenMP runtimes do: the names of a runtime's entry points and
 * what a call of each means, the marks of the functions that compilers outline, the variables that
 * configure a runtime, and what a runtime does not report.
 *
 * Each family has a description, struct toolchain, in a file of its own: gnu.c (gcc, gfortran,
 * libgomp), llvm.c (clang and what shares its runtime's entry points, libomp), other.c (what the
 * specification gives to all of them, and what is known of others).  A new one is a file here and a
 * line in toolchain.c.  No other room on the reading side has such names.
 *
 * A program may have entry points of several: libomp has libgomp's, too.  So names are looked up in
 * all descriptions, while what a runtime reports is asked of the one that ran.
 *
 * Pure functions.  Patterns: "name" is the whole name, "name*" its beginning, and
 * "name*part*" a beginning that is followed by part somewhere; a symbol's "@VERSION" or "@plt" does
 * not count.
 */
#ifndef OMPHWC_SRC_TOOLCHAIN_TOOLCHAIN_H
#define OMPHWC_SRC_TOOLCHAIN_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/model/construct_kind.h"
#include "src/model/leaf.h"
#include "src/profile/format.h"
#include "src/toolchain/outlined.h"

/* ---- entry points ---------------------------------------------------- */

enum {
	ENTRY_FORK = 1 << 0,	   /* begins or ends a region, so that its cost is the region's */
	ENTRY_TARGET = 1 << 1,	   /* runs a target region, on the host where there is no device */
	ENTRY_UNPLACED = 1 << 2,   /* begins a construct, and the compiler gives the call the place
				      of the code before it */
	ENTRY_TASK = 1 << 3,	   /* creates tasks */
	ENTRY_ALLOCATES = 1 << 4,  /* allocates a task, which another entry creates */
	ENTRY_ALLOCATED = 1 << 5,  /* takes such a task */
	ENTRY_CRITICAL = 1 << 6,   /* of a critical section */
	ENTRY_UNNAMED = 1 << 7,	   /* and that has no name */
	ENTRY_ITERATIONS = 1 << 8, /* gives a thread iterations of a loop */
	ENTRY_SCHEDULE = 1 << 9,   /* begins a loop; an argument is its schedule's number */
	ENTRY_IDENT = 1 << 10,	   /* a barrier; an argument shows whether it is a directive's */
	ENTRY_MICROTASK = 1 << 11, /* calls a region's body */
	ENTRY_IN_PLACE = 1 << 12,  /* begins a region whose body the code behind the call calls */
	ENTRY_CANCELS = 1 << 13,   /* of a construct that a cancel directive may leave */
	ENTRY_ENDED = 1 << 14,	   /* begins a construct whose end is called, too */
};

/* For what gcc's code calls a function, as far as loops and barriers are known by that. */
enum gnu_call {
	GNU_NONE,
	GNU_BARRIER,
	GNU_SHARE_OF, /* both of the next two in one call: GCC 17 */
	GNU_NUM_THREADS,
	GNU_THREAD_NUM,
	GNU_SINGLE,
	GNU_SINGLE_COPY,
	GNU_ATOMIC, /* begins or ends a reduction's update */
	GNU_SHARE,  /* of a loop with a schedule that is not static, or of sections */
};

/* An argument of a call: 0 is none, so that tables need not name it. */
#define ARGUMENT(number) ((number) + 1)

struct toolchain_entry {
	const char *name; /* a pattern; the first that matches decides */
	uint16_t flags;
	uint8_t construct; /* enum construct_kind that it begins; 0: none */
	uint8_t gnu;	   /* enum gnu_call */
	uint8_t body;	   /* ARGUMENT() that is a body's address */
	uint8_t sections;  /* ARGUMENT() that is how many sections there are */
};

/* The name by which programs call a function of a runtime, without what an inner entry of it
   adds; name may be NULL. */
const char *toolchain_plain(const char *name);

/* What is known of an entry point: never NULL.  name may be NULL. */
const struct toolchain_entry *toolchain_entry(const char *name);

/* Whether only OpenMP runtimes have functions of that name (or NULL). */
bool toolchain_is_runtime_name(const char *name);

/* The same in an executable that has a runtime in it: that of all its functions, whose names other
   programs' functions may have, too. */
bool toolchain_is_linked_runtime_name(const char *name);

/* ---- what a thread does there ---------------------------------------- */

struct toolchain_rule {
	const char *entry; /* a pattern; the first rule that matches decides */
	uint32_t states;   /* bit N: enum prof_state N */
	struct leaf_verdict is;
};

/* False: state and entry (or NULL) do not decide. */
bool toolchain_rule(const char *entry, enum prof_state state, struct leaf_verdict *v);

/* ---- the code of a construct ----------------------------------------- */

/* Who enters, by what the beginning returns. */
enum span_enters { ENTERS_ALL, ENTERS_IF_NOT_0, ENTERS_IF_0 };

struct toolchain_span {
	const char *begin; /* a pattern */
	enum span_enters enters;
	const char *end;  /* a pattern; NULL: it ends where next reports that it is over, … */
	const char *next; /* a pattern: asks for more iterations, 0: there are none; … */
	bool silent;	  /* … or no call reports it */
};

/* The construct that a call of that name (or NULL) begins or ends; NULL: none. */
const struct toolchain_span *toolchain_span(const char *name, bool *begins);

/* Whether a name fits one of these patterns (or NULL). */
bool toolchain_matches(const char *pattern, const char *name);

/* Functions that are known by their names: */
enum toolchain_list {
	LIST_NORETURN,	    /* never return to a C, C++ or Fortran program: other code follows the
			       call */
	LIST_OUTPUT,	    /* of a library, write to a file or stream */
	LIST_INPUT,	    /* of a library, read from one */
	LIST_TARGET_BODIES, /* a compiler's: bodies of target regions */
	TOOLCHAIN_LISTS
};

/* Whether the list has a function of that name (or NULL). */
bool toolchain_lists(enum toolchain_list list, const char *name);

/* The argument of an ENTRY_SCHEDULE that is the schedule's number, and what that means;
   CONSTRUCT_FOR: not known. */
enum { SCHEDULE_ARGUMENT = 2 };
enum construct_kind toolchain_schedule(uint64_t number);

/* The argument of an ENTRY_ALLOCATES that is the body's address. */
enum { ALLOCATES_ARGUMENT = 5 };

/* The argument of an ENTRY_IDENT that is the address of a structure, and the kind of barrier that
   its first words show. */
enum { IDENT_ARGUMENT = 0, IDENT_WORDS = 3 };
enum barrier_kind toolchain_ident_barrier(const uint32_t words[IDENT_WORDS]);

/* ---- critical sections ----------------------------------------------- */

/* The symbol of the lock of critical sections without a name. */
extern const char toolchain_unnamed_critical[];

/* Whether an object is the lock of a critical section, or of a reduction for which a compiler
   made one. */
bool toolchain_is_critical(const char *object);
bool toolchain_is_reduction(const char *object);

/* The part of a critical section's symbol that is its name; 0 bytes: it has none. */
const char *toolchain_critical_name(const char *object, size_t *bytes);

/* ---- runtimes as a whole --------------------------------------------- */

/* What distinguishes a runtime and its compilers. */
enum {
	RUNTIME_NO_CANCEL = 1 << 0,	/* does not report cancellation */
	RUNTIME_NO_SINGLE_END = 1 << 1, /* nor where a single construct ends */
	RUNTIME_ONE_BARRIER = 1 << 2,	/* one entry for barrier directives and the ends of
					   constructs; it reports where such a call returns to */
	RUNTIME_STATIC_LOOPS = 1 << 3,	/* its compilers' static loops call nothing of it */
	RUNTIME_DYNAMIC = 1 << 4,	/* schedule(runtime) is dynamic unless it is set */
	RUNTIME_TEAM_FORKS = 1 << 5,	/* a fork's child waits for its parent's team */
};

/* Settings of the time that threads spin before they sleep. */
enum toolchain_spin { SPIN_UNSET, SPIN_NOT, SPIN_SHORTLY, SPIN_ALWAYS, SPINS };

struct toolchain {
	const char *name;		/* "GCC's libgomp" */
	const char *producer;		/* the file that reports for it; NULL: it does so itself */
	unsigned traits;		/* RUNTIME_… */
	const char *barrier, *taskwait; /* entries, if RUNTIME_ONE_BARRIER */
	const char *spin_variable, *spin[SPINS];
	const char *device; /* a pattern: a file that it has for each kind of device; NULL: that is
			       not known */
	const char *const *affinities; /* variables that place threads */
	/* What the runtime calls itself (PROF_INFO_RUNTIME), and its files' names.  These and the
	   next are patterns; NULL ends. */
	const char *const *identities, *const *files;
	/* Of its entry points */
	const char *const *names;	 /* that only it has */
	const char *const *linked_names; /* that it has, too */
	const char *const *mangled;	 /* likewise, anywhere in a C++ name */
	const struct toolchain_entry *entries;
	const struct toolchain_rule *rules;
	const struct toolchain_span *spans;
	size_t nentries, nrules, nspans;
	/* Of its compilers */
	const struct outlined_mark *marks;
	size_t nmarks;
	bool (*outlined)(const char *name, struct outlined *o); /* names that no mark shows */
	const char *const *lists[TOOLCHAIN_LISTS];		/* patterns; NULL ends */
};

/* The one whose runtime calls itself so (or NULL: nothing is known of it), or has that file
   (without folders): never NULL. */
const struct toolchain *toolchain_of_runtime(const char *identity);
const struct toolchain *toolchain_of_file(const char *file);

/* Whether that file reports for a runtime. */
bool toolchain_is_producer(const char *file);

/* Whether a file, by its base name, is t's for a kind of device; where t has such files. */
bool toolchain_is_device(const struct toolchain *t, const char *file);

/* Whether NAME=VALUE places threads on CPUs. */
bool toolchain_is_affinity(const char *setting);

/* The description number i, in the order in which they are asked; NULL: there are no more. */
const struct toolchain *toolchain_number(size_t i);

#endif
