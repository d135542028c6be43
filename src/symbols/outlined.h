/*
 * outlined.h - recognizes from a linkage name a function that a compiler outlined from
 * another one for an OpenMP construct.
 */
#ifndef OMPHWC_SRC_SYMBOLS_OUTLINED_H
#define OMPHWC_SRC_SYMBOLS_OUTLINED_H

#include <stdbool.h>
#include <stddef.h>

#include "src/symbols/symbols.h"

struct outlined {
	enum sym_outlined kind;
	const char *origin; /* linkage name of the function that contains the construct,
				   within the name; NULL: unknown */
	size_t origin_bytes;
	unsigned line; /* of the construct; 0: unknown */
	bool debug;    /* clang's inner function with the body, which the function
				   known to the runtime calls */
	bool gcc;      /* gcc's or gfortran's region or task */
};

/* Knows the names of clang, gcc, gfortran, flang, Intel's, NVIDIA's and Cray's compilers.
   False for a function from the source. */
bool outlined_parse(const char *name, struct outlined *o);

#endif
