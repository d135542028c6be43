/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gomp17.c - the entry points that libgomp of GCC 17 adds, on top of an older one's.
 *
 * From their documentation in the compiler's commits of 2026: a share is the number of threads (or
 * teams), and which one it is.
 */
#include <omp.h>
#include <stdbool.h>

typedef _Complex int share;
typedef unsigned long long ull;

static share share_of(int n, int i)
{
	return n + i * 1I;
}

share GOMP_loop_static_worksharing(ull count)
{
	(void)count;
	return share_of(omp_get_num_threads(), omp_get_thread_num());
}

share GOMP_loop_static_worksharing_start(ull count)
{
	(void)count;
	return share_of(omp_get_num_threads(), omp_get_thread_num());
}

void GOMP_loop_static_worksharing_dispatch(ull start, ull count)
{
	(void)start;
	(void)count;
}

void GOMP_loop_static_worksharing_end(void)
{
}

share GOMP_distribute_static_worksharing_start(ull count)
{
	(void)count;
	return share_of(omp_get_num_teams(), omp_get_team_num());
}

void GOMP_distribute_static_worksharing_end(void)
{
}

bool GOMP_single_start_with_end(void)
{
	return omp_get_thread_num() == 0; /* any thread may be the one */
}

void GOMP_single_end(void)
{
}

bool GOMP_has_masked_thread_num_with_end(int filter)
{
	return omp_get_thread_num() == filter;
}

void GOMP_masked_end(void)
{
}
