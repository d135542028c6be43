/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self_thread.c - libomphwc-gomp-thread.so: the thread-local data of libomphwc-gomp.so.
 *
 * A library of its own, because glibc (2.36 at least) ends in an assertion where it is to load
 * libomphwc.so as ldd does: the auxiliary filter of the first object is missing from the list by
 * which thread-local data is counted, its dependencies are not.
 */
#include "config.h"

#include "ompt_tool/gomp/self.h"

/* Of no greater alignment than a pointer: some machines give a library loaded later no other. */
__thread struct self omphwc_gomp_self;
