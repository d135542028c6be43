/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/omp/begun.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* A runtime that never reports an end must not take all memory. */
enum { BEGUN_MOST = 1 << 20 };

bool begun_deepen(struct begun_room *room, const void *at, uint32_t n, size_t bytes)
{
	void *const was = room->more;
	const uint32_t more = 2 * n;

	if (n >= BEGUN_MOST)
		return false;
	void *to = mmap(NULL, more * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (to == MAP_FAILED)
		return false;
	memcpy(to, at, n * bytes);
	/* A handler between the two sees either array, and both hold the n entries. */
	atomic_signal_fence(memory_order_seq_cst);
	room->more = to;
	atomic_signal_fence(memory_order_seq_cst);
	if (was)
		munmap(was, room->n * bytes);
	room->n = more;
	return true;
}
