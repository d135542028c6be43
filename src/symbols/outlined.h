/*
 * outlined.h - what a function's linkage name tells of its making: whether a
 * compiler took it out of another function for an OpenMP construct.
 */
#ifndef OMPHWC_SRC_SYMBOLS_OUTLINED_H
#define OMPHWC_SRC_SYMBOLS_OUTLINED_H

#include <stdbool.h>
#include <stddef.h>

#include "src/symbols/symbols.h"

struct outlined {
	enum sym_outlined kind;
	const char *origin;	/* within the name: linkage name of the function
				   that it was taken from; NULL: not told */
	size_t origin_bytes;
	unsigned line;		/* of the construct; 0: not told */
	bool debug;		/* clang's inner function with the body, called
				   by the one that the runtime calls */
};

/* Names of clang, gcc, gfortran, flang, Intel's, NVIDIA's and Cray's
   compilers.  False for a function that a person wrote. */
bool outlined_parse(const char *name, struct outlined *o);

#endif
