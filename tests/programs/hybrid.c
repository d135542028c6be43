/* SPDX-License-Identifier: BSD-3-Clause
 * hybrid.c - ranks that run parallel regions between MPI's barriers.
 *
 *   hybrid [idle=R] [exit=R] [kill=R]
 *
 * Rank R begins no region; ends by _exit after MPI_Finalize; or kills itself in MPI's midst.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 4, STEPS = 4000000 };

static int idle_rank = -1, exit_rank = -1, kill_rank = -1;

static double work(void)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < STEPS; i++)
		sum += 1.0 / (1 + i % 1000);
	return sum;
}

static void option(const char *word, const char *name, int *rank)
{
	const size_t n = strlen(name);

	if (strncmp(word, name, n) == 0 && word[n] == '=')
		*rank = atoi(word + n + 1);
}

int main(int argc, char **argv)
{
	volatile double sum = 0;
	int rank, size, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	for (int i = 1; i < argc; i++) {
		option(argv[i], "idle", &idle_rank);
		option(argv[i], "exit", &exit_rank);
		option(argv[i], "kill", &kill_rank);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < ROUNDS; i++) {
		if (rank != idle_rank)
			sum += work();
		if (rank == kill_rank && i == ROUNDS - 1)
			raise(SIGKILL);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	printf("rank %d of %d\n", rank, size);
	fflush(stdout);
	MPI_Finalize();
	if (rank == exit_rank)
		_exit(0);
	return 0;
}
