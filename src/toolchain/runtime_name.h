/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runtime_name.h - whether a file is an OpenMP runtime, by its name.
 *
 * A runtime that reports nothing to tools, or that was not asked, is known by this alone.
 * Async-signal-safe.
 */
#ifndef OMPHWC_SRC_TOOLCHAIN_RUNTIME_NAME_H
#define OMPHWC_SRC_TOOLCHAIN_RUNTIME_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a path's last component is the name of a shared library of a known runtime (GCC's,
 * LLVM's, Intel's, NVIDIA's, Cray's, Fujitsu's, IBM's, Oracle's), or of a library that wraps
 * one: libgomp.so.1, libgomp-a34b3233.so.1.0.0 (as in Python's wheels),
 * libomptarget.rtl.x86_64.so. path need not end in NUL.
 */
bool prof_is_runtime_name(const char *path, size_t bytes);

#endif
