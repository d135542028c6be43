/* SPDX-License-Identifier: BSD-3-Clause
 * mpi_hybrid.c SECONDS - ranks with threads, of which one rank and one thread have more work.
 *
 * The last rank has more work in uneven_ranks(), and thread 1 of rank 1 in uneven_threads().
 * Each rank prints its number, its seconds from MPI_Init() on, and those in MPI calls, in
 * uneven_ranks() and in uneven_threads().
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, ranks;
static double in_mpi;

/* By CPU time, whose clock is a system call: it is read rarely. */
static __attribute__((noinline)) void work(double s)
{
	struct timespec t;
	double now, end = -1;
	volatile unsigned i;

	do {
		for (i = 0; end >= 0 && i < 20000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
		end = end < 0 ? now + s : end;
	} while (now < end);
}

static __attribute__((noinline)) void uneven_ranks(double s)
{
#pragma omp parallel num_threads(2)
	work(rank == ranks - 1 ? 3 * s : s);
}

static __attribute__((noinline)) void uneven_threads(double s)
{
#pragma omp parallel num_threads(2)
	work(rank == 1 && omp_get_thread_num() == 1 ? 3 * s : s);
}

static __attribute__((noinline)) int is_over(double begin, double least)
{
	double mine = MPI_Wtime() - begin < least, any = 0;
	const double at = MPI_Wtime();

	MPI_Allreduce(&mine, &any, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	in_mpi += MPI_Wtime() - at;
	return any == 0;
}

int main(int argc, char **argv)
{
	const double least = argc > 1 ? atof(argv[1]) : 1;
	double begin, at, s = 3e-3, in_ranks = 0, in_threads = 0;
	unsigned round = 0;
	int got;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &got);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	begin = MPI_Wtime();
	do {
		s = 3e-3 * (0.75 + 0.5 * (double)(round++ * 7 % 10) / 10);
		at = MPI_Wtime();
		uneven_ranks(2 * s);
		in_ranks += MPI_Wtime() - at;
		at = MPI_Wtime();
		MPI_Barrier(MPI_COMM_WORLD);
		in_mpi += MPI_Wtime() - at;
		at = MPI_Wtime();
		uneven_threads(s);
		in_threads += MPI_Wtime() - at;
	} while (!is_over(begin, least));
	printf("%d %.4f %.4f %.4f %.4f\n", rank, MPI_Wtime() - begin, in_mpi, in_ranks, in_threads);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
