/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outlined.h - recognizes from a linkage name a function that a compiler outlined from
 * another one for an OpenMP construct.
 */
#ifndef OMPHWC_SRC_TOOLCHAIN_OUTLINED_H
#define OMPHWC_SRC_TOOLCHAIN_OUTLINED_H

#include <stdbool.h>
#include <stddef.h>

/* The construct that a compiler made an outlined function from. */
enum sym_outlined {
	SYM_NOT_OUTLINED = 0,
	SYM_OUTLINED_REGION, /* parallel or teams: .omp_outlined., foo._omp_fn.0 */
	SYM_OUTLINED_TASK,   /* .omp_task_entry. and similar */
	SYM_OUTLINED_HELPER, /* reduction, copy, destructor, cleanup functions */
};

struct outlined {
	enum sym_outlined kind;
	const char *origin; /* linkage name of the function that contains the construct,
				   within the name; NULL: unknown */
	size_t origin_bytes;
	unsigned line; /* of the construct; 0: unknown */
	bool debug;    /* clang's inner function with the body, which the function
				   known to the runtime calls */
	bool gnu;      /* gcc's or gfortran's region or task */
};

/* Knows the names of clang, gcc, gfortran, flang, Intel's, NVIDIA's and Cray's compilers.
   False for a function from the source. */
bool outlined_parse(const char *name, struct outlined *o);

/* Whether name (or NULL) is that of gcc's regions, which its tasks have, too. */
bool outlined_is_gnu(const char *name);

/* Whether name (or NULL) is that of a task's function into which clang inlines the body, under the
   name of a region's. */
bool outlined_is_task_entry(const char *name);

/* ---- for the descriptions of toolchain.h ----------------------------- */

enum outlined_place {
	ANYWHERE, /* the text before the mark is the origin */
	AT_START,
};

enum outlined_flag { OUTLINED_GNU = 1, OUTLINED_TASK_ENTRY };

/* Order matters: the first that a name has decides. */
struct outlined_mark {
	const char *text;
	enum outlined_place place;
	enum sym_outlined kind;
	enum outlined_flag flag; /* or 0 */
};

/* Parses the number before end that follows mark: "main_l12" gives 12, and returns the
   position of "_l".  NULL: no number. */
const char *outlined_number(const char *begin, const char *end, const char *mark, unsigned *number);

#endif
