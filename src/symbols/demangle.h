/*
 * demangle.h - linkage names as a person would write them.
 */
#ifndef OMPHWC_SRC_SYMBOLS_DEMANGLE_H
#define OMPHWC_SRC_SYMBOLS_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * C++ (and Rust) without parameters: "sim::Grid::step"; gfortran's and flang's
 * module procedures: "heat::step".  With fortran also "solve_" as "solve".
 * Symbol versions and what compilers add to copies of a function (.constprop.0,
 * .part.1, .cold) are left out; what they add to an outlined function stays:
 * "sim::Grid::step._omp_fn.0".  Never longer than the first bytes of name.
 * malloc'd; NULL without memory.
 */
char *demangle(const char *name, size_t bytes, bool fortran);

/* How many bytes of name are left without version and copy. */
size_t demangle_stem(const char *name, size_t bytes);

#endif
