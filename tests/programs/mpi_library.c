/* SPDX-License-Identifier: BSD-3-Clause
 * mpi_library.c - calls that take a known time, by the names of MPI's, for t-mpi.sh.
 *
 * Built as libmpi.so and, with FABRIC, as the library of a network that it calls.
 */
#include <poll.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void spin(double s)
{
	const double end = seconds() + s;

	while (seconds() < end)
		;
}

#ifdef FABRIC
void fabric_transfer(double s)
{
	spin(s);
}
#else
void fabric_transfer(double s);

static int never[2];

/* As a library's own thread waits for connections: it looks for work now and then. */
static void *progress(void *arg)
{
	struct pollfd on = { .fd = never[0], .events = POLLIN };

	(void)arg;
	while (poll(&on, 1, 10) <= 0)
		;
	return NULL;
}

int MPI_Init(int *argc, char ***argv)
{
	pthread_t thread;

	(void)argc;
	(void)argv;
	return pipe(never) || pthread_create(&thread, NULL, progress, NULL);
}

/* The operator is the caller's. */
static __attribute__((noinline)) int reduce(double s, void (*op)(void *, void *))
{
	int part = 0;

	spin(s / 2);
	if (op)
		op(&part, &part);
	fabric_transfer(s / 2);
	return 0;
}

int PMPI_Allreduce(double s, void (*op)(void *, void *))
{
	return reduce(s, op);
}
int MPI_Allreduce(double s, void (*op)(void *, void *))
	__attribute__((weak, alias("PMPI_Allreduce")));

int MPI_Send(double s)
{
	spin(s);
	return 0;
}

/* Fortran's */
void mpi_barrier_(const double *s)
{
	spin(*s);
}

/* Its frame is gone when MPI_Recv works: only the call shows it. */
static __attribute__((noinline)) int receive(double s)
{
	spin(s);
	return 0;
}

int MPI_Recv(double s)
{
	return receive(s);
}
#endif
