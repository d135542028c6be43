/* SPDX-License-Identifier: BSD-3-Clause
 * mpi_calls.c SECONDS - spends known times in calls of mpi_library.c.
 *
 * Prints for the initial thread: all seconds, those in MPI, and those in the operator that MPI
 * calls back.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Allreduce(double s, void (*op)(void *, void *));
int MPI_Send(double s);
int MPI_Recv(double s);
void mpi_barrier_(const double *s);

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void work(double s)
{
	const double end = seconds() + s;

	while (seconds() < end)
		;
}

static double called_back;

static __attribute__((noinline)) void my_operator(void *in, void *inout)
{
	const double begin = seconds();

	(void)in;
	(void)inout;
	work(4e-3);
	called_back += seconds() - begin;
}

/* Not MPI's, whatever its name. */
__attribute__((noinline)) void mpi_my_setup_(double s)
{
	work(s);
}

static double in_mpi;

static void call_all(double scale)
{
	const double pause = 3e-3 * scale, begin = seconds(), back = called_back;

	MPI_Allreduce(8e-3 * scale, my_operator);
	mpi_barrier_(&pause);
	MPI_Recv(4e-3 * scale);
	in_mpi += seconds() - begin - (called_back - back);
}

int main(int argc, char **argv)
{
	const double least = argc > 1 ? atof(argv[1]) : 1;
	const double begin = seconds();
	unsigned round = 0;

	if (MPI_Init(&argc, &argv))
		return 1;
	do {
		/* Not in step with the samples. */
		const double scale = 0.75 + 0.5 * (double)(round++ * 7 % 10) / 10;

		work(5e-3 * scale);
		mpi_my_setup_(3e-3 * scale);
		call_all(scale);
#pragma omp parallel num_threads(2)
		{
			if (omp_get_thread_num() == 0) {
				const double at = seconds();

				MPI_Send(6e-3 * scale);
				in_mpi += seconds() - at;
			} else {
				work(1e-3 * scale);
			}
		}
	} while (seconds() - begin < least);
	printf("%.4f %.4f %.4f\n", seconds() - begin, in_mpi, called_back);
	return 0;
}
