/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi.h - which code is MPI's, by the names of libraries and functions.
 *
 * Any implementation's: OpenMPI, MPICH and what is made from it, for C and Fortran.  Pure
 * functions.
 */
#ifndef OMPHWC_SRC_MODEL_MPI_H
#define OMPHWC_SRC_MODEL_MPI_H

#include <stdbool.h>
#include <stddef.h>

enum { MPI_CALL_BYTES = 64 };

/* What a file is to MPI, by its name. */
enum mpi_file {
	MPI_NONE,
	MPI_LIBRARY, /* has MPI's functions */
	MPI_PART,    /* what these are built on: others may call it, too */
};
enum mpi_file mpi_file(const char *path);

/*
 * The name in C of the MPI call that a function is an entry point of: MPI_Allreduce for
 * PMPI_Allreduce, mpi_allreduce_, mpi_allreduce_f08_ and the like.  library: the function is an
 * MPI library's; elsewhere (MPI linked statically, wrappers of tools) only names of the
 * standard's functions count.  NULL: it is none.
 */
const char *mpi_call(const char *function, bool library, char call[MPI_CALL_BYTES]);

/* The functions of MPI 4.0 and before, without MPI_; ascending, whatever the case. */
extern const char *const mpi_names[];
extern const size_t mpi_names_count;

#endif
