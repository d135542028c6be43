/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc_fit.h - whether libomphwc.so can be loaded beside another C library.
 */
#ifndef OMPHWC_SRC_RUN_LIBC_FIT_H
#define OMPHWC_SRC_RUN_LIBC_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether library can be loaded where libc is the C library's file (libc.so.6). If not, *why is
   what that has, and what library needs. A file that can't be read fits. */
bool libc_fits(const char *library, const char *libc, char *why, size_t bytes);

/* Likewise for the C library below a root folder; true where none is found. */
bool libc_fits_root(const char *library, const char *root, char *why, size_t bytes);

#endif
