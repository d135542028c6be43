/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * demangle.h - converts linkage names to names for people.
 */
#ifndef OMPHWC_SRC_SYMBOLS_DEMANGLE_H
#define OMPHWC_SRC_SYMBOLS_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Demangles C++ and Rust names without parameters ("sim::Grid::step") and gfortran's and
 * flang's module procedures ("heat::step"); with fortran also "solve_" to "solve".  Symbol
 * versions and suffixes of a function's copies (.constprop.0, .part.1, .cold) are removed;
 * suffixes of outlined functions are kept: "sim::Grid::step._omp_fn.0". Reads no more than
 * bytes of name.  The result is malloc'd.
 */
char *demangle(const char *name, size_t bytes, bool fortran);

/* The length of name without version and suffix of a copy. */
size_t demangle_stem(const char *name, size_t bytes);

#endif
