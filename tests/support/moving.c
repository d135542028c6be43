/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moving.c - a heap for tests, to be preloaded, in which no stale pointer works.
 *
 * realloc(3) always moves.  No address is used twice.  What is freed is filled with 0xa5, as
 * new memory is, so pointers and numbers in it are nobody's; the pages of larger blocks can't
 * be accessed any more.  A block that is freed twice, or that there is none, ends the program.
 * Small blocks stay: for programs that end soon.
 */
#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { ALIGN = 16, PAGE = 4096, LARGE = 1024, FILL = 0xa5 };

#define HEAP_BYTES (UINT64_C(1) << 36)

enum { LIVE = 0x11fe, FREED = 0xdead };

struct block {
	size_t bytes, state;
};

_Static_assert(sizeof(struct block) == ALIGN, "what follows a block is aligned");

static _Atomic uintptr_t next, end;

static _Noreturn void die(const char *why)
{
	if (write(2, why, strlen(why)) < 0)
		_exit(99);
	abort();
}

/* Before there are threads. */
static void begin(void)
{
	void *p = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		die("moving: no addresses\n");
	end = (uintptr_t)p + HEAP_BYTES;
	next = (uintptr_t)p;
}

static uintptr_t up(uintptr_t n, size_t align)
{
	return (n + align - 1) & ~(uintptr_t)(align - 1);
}

/* Its memory is zero. */
static void *take(size_t bytes, size_t align)
{
	const size_t own = bytes >= LARGE ? PAGE : ALIGN;
	uintptr_t from, at;
	struct block *b;

	align = align > own ? align : own;
	if (bytes > HEAP_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	if (!end)
		begin();
	from = next;
	do {
		at = up(from + sizeof(*b), align);
		if (at + bytes + PAGE > end)
			die("moving: the heap is full\n");
	} while (!atomic_compare_exchange_weak(&next, &from, up(at + bytes, own)));
	b = (void *)(at - sizeof(*b));
	b->bytes = bytes;
	b->state = LIVE;
	return (void *)at;
}

static struct block *block_of(void *p)
{
	struct block *b = (void *)((uintptr_t)p - sizeof(*b));

	if (b->state != LIVE)
		die(b->state == FREED ? "moving: freed twice\n" : "moving: no block was freed\n");
	return b;
}

EXPORT void *malloc(size_t bytes)
{
	void *p = take(bytes, ALIGN);

	return p ? memset(p, FILL, bytes) : NULL;
}

EXPORT void *calloc(size_t n, size_t of)
{
	size_t bytes;

	if (!__builtin_mul_overflow(n, of, &bytes))
		return take(bytes, ALIGN);
	errno = ENOMEM;
	return NULL;
}

EXPORT void free(void *p)
{
	const int error = errno;
	struct block *b;
	size_t bytes;

	if (!p)
		return;
	b = block_of(p);
	b->state = FREED;
	bytes = b->bytes < LARGE ? 0 : up(b->bytes, PAGE);
	if (!bytes || madvise(p, bytes, MADV_DONTNEED) != 0 || mprotect(p, bytes, PROT_NONE) != 0)
		memset(p, FILL, b->bytes);
	errno = error;
}

EXPORT void *realloc(void *old, size_t bytes)
{
	const size_t had = old ? block_of(old)->bytes : 0;
	void *p = old && !bytes ? NULL : malloc(bytes);

	if (p && old)
		memcpy(p, old, had < bytes ? had : bytes);
	if (p || !bytes)
		free(old);
	return p;
}

EXPORT void *reallocarray(void *old, size_t n, size_t of)
{
	size_t bytes;

	if (!__builtin_mul_overflow(n, of, &bytes))
		return realloc(old, bytes);
	errno = ENOMEM;
	return NULL;
}

EXPORT void *memalign(size_t align, size_t bytes);
EXPORT void *memalign(size_t align, size_t bytes)
{
	void *p = take(bytes, align);

	return p ? memset(p, FILL, bytes) : NULL;
}

EXPORT void *aligned_alloc(size_t align, size_t bytes)
{
	return memalign(align, bytes);
}

EXPORT int posix_memalign(void **p, size_t align, size_t bytes)
{
	void *new = memalign(align, bytes);

	if (!new)
		return ENOMEM;
	*p = new;
	return 0;
}

EXPORT size_t malloc_usable_size(void *p);
EXPORT size_t malloc_usable_size(void *p)
{
	return p ? block_of(p)->bytes : 0;
}
