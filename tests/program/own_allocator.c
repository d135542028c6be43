/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator of the program's maps and unmaps for each block, from the first one on. */
#include "case.h"

#include <stddef.h>

void *malloc(size_t bytes)
{
	size_t *p = mmap(NULL, bytes + 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	*p = bytes + 64;
	return (char *)p + 64;
}

void free(void *block)
{
	sigset_t all, before;

	if (block == NULL)
		return;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	munmap((char *)block - 64, *(size_t *)((char *)block - 64));
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

void *realloc(void *block, size_t bytes)
{
	void *p = malloc(bytes);

	if (p != NULL && block != NULL) {
		const size_t had = *(size_t *)((char *)block - 64) - 64;

		memcpy(p, block, had < bytes ? had : bytes);
		free(block);
	}
	return p;
}

static void *thread(void *arg)
{
	free(malloc(100));
	busy(5);
	return arg;
}

int main(void)
{
	pthread_t t;

	for (int n = 0; n < 20; n++) {
		pthread_create(&t, NULL, thread, NULL);
		free(malloc((size_t)n * 1000));
		pthread_join(t, NULL);
	}
	puts("good");
	return 0;
}
