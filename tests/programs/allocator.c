/* SPDX-License-Identifier: BSD-3-Clause
 * allocator.c - an allocator that gives each block a mapping of its own; to be
 * preloaded, or part of a program (which includes it).
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { ALLOCATOR_PAGE = 4096 };

struct mapping {
	void *start;
	size_t bytes, size;
};

static void *map_block(size_t align, size_t size)
{
	const size_t room = align > ALLOCATOR_PAGE ? align : ALLOCATOR_PAGE;
	const size_t bytes = (size + 2 * room + ALLOCATOR_PAGE - 1) & ~(size_t)(ALLOCATOR_PAGE - 1);
	void *start;

	if (size > PTRDIFF_MAX - 3 * room)
		start = MAP_FAILED;
	else
		start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (start == MAP_FAILED) {
		errno = ENOMEM;
		return NULL;
	}
	char *block = (char *)(((uintptr_t)start + room + align - 1) & ~(uintptr_t)(align - 1));
	((struct mapping *)block)[-1] = (struct mapping){ start, bytes, size };
	return block;
}

void *malloc(size_t size)
{
	return map_block(16, size);
}

void *calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return map_block(16, bytes);
}

void free(void *block)
{
	if (block != NULL)
		munmap(((struct mapping *)block)[-1].start, ((struct mapping *)block)[-1].bytes);
}

void *realloc(void *old, size_t size)
{
	void *block = map_block(16, size);

	if (block != NULL && old != NULL) {
		const size_t had = ((struct mapping *)old)[-1].size;

		memcpy(block, old, had < size ? had : size);
		free(old);
	}
	return block;
}

void *aligned_alloc(size_t align, size_t size)
{
	return map_block(align < 16 ? 16 : align, size);
}

void *memalign(size_t align, size_t size)
{
	return aligned_alloc(align, size);
}

int posix_memalign(void **block, size_t align, size_t size)
{
	int saved = errno;

	*block = aligned_alloc(align, size);
	errno = saved;
	return *block == NULL ? ENOMEM : 0;
}
