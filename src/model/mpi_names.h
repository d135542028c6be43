/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_names.h - the names of MPI's functions, without MPI_.
 *
 * Private to mpi.c.
 */
#ifndef OMPHWC_SRC_MODEL_MPI_NAMES_H
#define OMPHWC_SRC_MODEL_MPI_NAMES_H

#include <stddef.h>

/* Ascending, whatever the case. */
extern const char *const mpi_names[];
extern const size_t mpi_names_count;

#endif
