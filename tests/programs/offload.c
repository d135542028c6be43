/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * offload - target constructs on a device: how often each runs and what each moves is known.
 *
 * The device may be the host itself.  Prints the bytes of one array, and what was computed.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200000, ROUNDS = 7, COPIES = 3 };

static double *a, *b;

static void kernel(int k)
{
#pragma omp target teams distribute parallel for /* kernel */
	for (int i = 0; i < N; i++)
		b[i] += a[i] * k;
}

static void refresh(void)
{
#pragma omp target update to(a [0:N])	    /* refresh to */
#pragma omp target update from(b [0:N / 2]) /* refresh from */
}

static void copy(void)
{
	const int device = omp_get_default_device(), host = omp_get_initial_device();
	void *there = omp_target_alloc(sizeof(double) * N, device); /* copy alloc */

	for (int i = 0; there && i < COPIES; i++)
		omp_target_memcpy(there, a, sizeof(double) * N, 0, 0, device, host); /* copy to */
	omp_target_free(there, device);
}

int main(void)
{
	double sum = 0;

	a = malloc(N * sizeof(*a));
	b = malloc(N * sizeof(*b));
	for (int i = 0; i < N; i++) {
		a[i] = i % 10;
		b[i] = 0;
	}
#pragma omp target data map(to : a [0:N]) map(tofrom : b [0:N]) /* data */
	for (int k = 0; k < ROUNDS; k++) {
		kernel(k);
		refresh();
	}
#pragma omp target map(tofrom : sum) nowait /* deferred */
	sum += 1;
#pragma omp taskwait
	copy();
	for (int i = 0; i < N; i++)
		sum += b[i];
	printf("bytes %zu\nsum %.0f\ndevices %d\n", N * sizeof(double), sum,
	       omp_get_num_devices() > 0);
	return 0;
}
