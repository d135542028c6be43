/* SPDX-License-Identifier: BSD-3-Clause */
/* nestlock1.c - nest locks of both versions: the old one has two words, and the wrong
   function would write beyond it. Prints how many words were written. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 8, PATTERN = 0x55555555 };

void old_init(void *lock);
void old_set(void *lock);
void old_unset(void *lock);
int old_test(void *lock);
__asm__(".symver old_init, omp_init_nest_lock@OMP_1.0");
__asm__(".symver old_set, omp_set_nest_lock@OMP_1.0");
__asm__(".symver old_unset, omp_unset_nest_lock@OMP_1.0");
__asm__(".symver old_test, omp_test_nest_lock@OMP_1.0");

static void old_one(void)
{
	int lock[WORDS], depth, i, written = 0;

	for (i = 0; i < WORDS; i++)
		lock[i] = PATTERN;
	old_init(lock);
	old_set(lock);
	depth = old_test(lock);
	old_unset(lock);
	old_unset(lock);
	for (i = 0; i < WORDS; i++)
		written += lock[i] != PATTERN;
	printf("old: %d words, depth %d\n", written, depth);
}

int main(void)
{
	omp_nest_lock_t nest;
	omp_lock_t lock;

	old_one();
	omp_init_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	printf("new: depth %d\n", omp_test_nest_lock(&nest));
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_init_lock(&lock);
	printf("lock: %d", omp_test_lock(&lock));
	printf(" %d\n", omp_test_lock(&lock));
	return 0;
}
