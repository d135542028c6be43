/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.c - a tree over the address space with three levels of slots: 1 GiB, 2
 * MiB, a page.
 *
 * A block is noted in as few slots as cover it: a large one in a few upper slots,
 * and at its ends in lower ones. A slot has two places: one for the block that
 * covers the slot's first byte, and, in a page's slot, one for the block that
 * begins later in the page. At most one live block claims each, since no block is
 * smaller than a page. So places are plainly stored: nothing is searched, moved or
 * locked.
 *
 * A place may hold the number of a block that was freed, and whose record holds
 * another block by now. That does no harm: an address is in a block only if the
 * block's record says so, read under its generation (a sequence lock: odd while the
 * block lives). Records are reused; tables of slots are only added.
 */
#include "config.h"

#include "ompt_tool/tree/blocks.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum {
	PAGE_BITS = 12,
	FAN_BITS = 9,
	FAN = 1 << FAN_BITS,
	TOP_LEVEL = 2,
	ADDRESS_BITS = 48,
	TOP_BITS = ADDRESS_BITS - PAGE_BITS - TOP_LEVEL * FAN_BITS,
	TABLES_MOST = 1 << 15, /* each for 2 MiB of small blocks; 128 MiB in all */
	SCALE_MOST = 6,
	AS_SHARE = 16, /* part of RLIMIT_AS that the tables may take */
};

struct slot {
	_Atomic uint32_t whole; /* the block that covers the slot's first byte */
	_Atomic uint32_t part;	/* in a page's slot: the block that begins later in it; in others
				   the number of the table below */
};

struct block_table {
	struct slot slot[FAN];
};

struct block {
	_Atomic uint32_t generation; /* odd: live */
	_Atomic uint32_t context;
	_Atomic uint64_t start;
	_Atomic uint64_t bytes;
	_Atomic uint32_t era;
	_Atomic uint32_t next; /* next free record */
};

/* Owned by this file; set once, before the first block. Number 0 means none. */
static struct slot *top;
static struct block_table *tables;
static struct block *blocks;
static uint32_t ntables, nblocks;
static uintptr_t own_begin, own_bytes;

static _Atomic uint32_t tables_used = 1, blocks_used = 1;
static _Atomic uint64_t spare; /* free list: number of a record | tag << 32 */
static _Atomic uint32_t era;

/* ---- room ---------------------------------------------------------------- */

static size_t bytes_at_scale(unsigned scale)
{
	return ((size_t)1 << TOP_BITS) * sizeof(*top) +
	       ((size_t)TABLES_MOST >> scale) * sizeof(*tables) +
	       ((size_t)BLOCKS_MOST >> scale) * sizeof(*blocks);
}

/* Reserves address space, of which little is ever touched. */
static void *reserve(unsigned *scale)
{
	struct rlimit r = { .rlim_cur = RLIM_INFINITY };

	getrlimit(RLIMIT_AS, &r);
	for (*scale = 0; *scale <= SCALE_MOST; (*scale)++) {
		size_t bytes = bytes_at_scale(*scale);

		if (r.rlim_cur != RLIM_INFINITY && bytes > r.rlim_cur / AS_SHARE)
			continue;
		void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED)
			return p;
	}
	return NULL;
}

int blocks_init(void)
{
	unsigned scale;
	unsigned char *p;

	if (top)
		return 0;
	p = reserve(&scale);
	if (!p)
		return -ENOMEM;
	own_begin = (uintptr_t)p;
	own_bytes = bytes_at_scale(scale);
	/* A touched slot must not cost a huge page. */
	madvise(p, own_bytes, MADV_NOHUGEPAGE);
	madvise(p, own_bytes, MADV_DONTDUMP);
	ntables = (uint32_t)TABLES_MOST >> scale;
	nblocks = (uint32_t)BLOCKS_MOST >> scale;
	tables = (struct block_table *)(p + ((size_t)1 << TOP_BITS) * sizeof(*top));
	blocks = (struct block *)(tables + ntables);
	__atomic_store_n(&top, (struct slot *)p, __ATOMIC_RELEASE);
	return 0;
}

bool blocks_own(uint64_t address)
{
	return address - own_begin < own_bytes;
}

/* Makes a table below *link. Of several threads' tables one wins. */
static uint32_t table_make(_Atomic uint32_t *link)
{
	uint32_t n = atomic_load(&tables_used), found = 0;

	do
		if (n >= ntables)
			return 0;
	while (!atomic_compare_exchange_weak(&tables_used, &n, n + 1));
	return atomic_compare_exchange_strong(link, &found, n) ? n : found;
}

static uint32_t block_take(void)
{
	uint64_t head = atomic_load(&spare);

	while ((uint32_t)head != 0) {
		uint32_t next =
			atomic_load_explicit(&blocks[(uint32_t)head].next, memory_order_relaxed);

		if (atomic_compare_exchange_weak(&spare, &head, ((head >> 32) + 1) << 32 | next))
			return (uint32_t)head;
	}
	uint32_t n = atomic_load(&blocks_used);
	do
		if (n >= nblocks)
			return 0;
	while (!atomic_compare_exchange_weak(&blocks_used, &n, n + 1));
	return n;
}

static void block_give(uint32_t n)
{
	uint64_t head = atomic_load(&spare);

	do
		atomic_store_explicit(&blocks[n].next, (uint32_t)head, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&spare, &head, ((head >> 32) + 1) << 32 | n));
}

/* ---- a block's record ------------------------------------------------------ */

/* Ends the block. Of several threads that try, one succeeds. */
static bool block_end(struct block *b, uint32_t generation)
{
	return (generation & 1) != 0 &&
	       atomic_compare_exchange_strong(&b->generation, &generation, generation + 1);
}

/* Copies record n as it was at one instant; false when no block lived in it. */
static bool block_read(uint32_t n, struct block *copy)
{
	const struct block *b = &blocks[n];

	if (n == 0 || n >= nblocks)
		return false;
	copy->generation = atomic_load_explicit(&b->generation, memory_order_acquire);
	copy->start = atomic_load_explicit(&b->start, memory_order_relaxed);
	copy->bytes = atomic_load_explicit(&b->bytes, memory_order_relaxed);
	copy->context = atomic_load_explicit(&b->context, memory_order_relaxed);
	copy->era = atomic_load_explicit(&b->era, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	return (copy->generation & 1) != 0 &&
	       copy->generation == atomic_load_explicit(&b->generation, memory_order_relaxed);
}

static bool block_holds(uint32_t n, uint64_t address, struct block *copy)
{
	return block_read(n, copy) && address - copy->start < copy->bytes;
}

/* ---- slots ----------------------------------------------------------------- */

/* The block that is being added or removed. */
struct claim {
	uint32_t n;
	uintptr_t start;
	uint64_t bytes;
	bool add;
};

/* Ends block n where it overlaps the new block. Live blocks do not overlap, so block n
   was freed unseen (by an allocator's own interface, say). */
static __attribute__((noinline)) void evict(uint32_t n, const struct claim *c)
{
	struct block was;

	if (n != c->n && block_read(n, &was) && was.start < c->start + c->bytes &&
	    c->start < was.start + was.bytes && block_end(&blocks[n], was.generation))
		block_give(n);
}

static inline void claim_place(_Atomic uint32_t *place, const struct claim *c)
{
	const uint32_t old = atomic_load_explicit(place, memory_order_relaxed);

	if (c->add) {
		if (old != 0)
			evict(old, c);
		atomic_store_explicit(place, c->n, memory_order_relaxed);
	} else if (old == c->n) {
		atomic_store_explicit(place, 0, memory_order_relaxed);
	}
}

/* Claims a row of slots. A large block has hundreds. */
static void claim_run(struct slot *s, uint64_t slots, const struct claim *c)
{
	const struct claim copy = *c;

	for (; slots != 0; slots--, s++)
		claim_place(&s->whole, &copy);
}

/* The slot of that level that holds page, or NULL. */
static struct slot *slot_of(uint64_t page, unsigned level, const struct claim *c)
{
	struct slot *s = &top[page >> TOP_LEVEL * FAN_BITS];

	for (unsigned l = TOP_LEVEL; l > level; l--) {
		uint32_t n = atomic_load_explicit(&s->whole, memory_order_relaxed);

		if (n != 0 && c->add)
			evict(n, c);
		n = atomic_load_explicit(&s->part, memory_order_acquire);
		if (n == 0 && c->add)
			n = table_make(&s->part);
		if (n == 0 || n >= ntables)
			return NULL;
		s = &tables[n].slot[page >> (l - 1) * FAN_BITS & (FAN - 1)];
	}
	return s;
}

/* The level of the largest slot that begins with page and ends by end. */
static unsigned level_at(uint64_t page, uint64_t end)
{
	unsigned level = 0;

	while (level < TOP_LEVEL) {
		uint64_t pages = UINT64_C(1) << (level + 1) * FAN_BITS;

		if ((page & (pages - 1)) != 0 || end - page < pages)
			break;
		level++;
	}
	return level;
}

/* Claims the places of a block; false without room for a table. */
static bool claim_places(const struct claim *c)
{
	const uint64_t inside = c->start & ((UINT64_C(1) << PAGE_BITS) - 1);
	const uint64_t end = ((c->start + c->bytes - 1) >> PAGE_BITS) + 1;
	uint64_t page = c->start >> PAGE_BITS;
	struct slot *s;

	if (inside != 0) {
		s = slot_of(page++, 0, c);
		if (s)
			claim_place(&s->part, c);
		else if (c->add)
			return false;
	}
	while (page < end) {
		const unsigned level = level_at(page, end), shift = level * FAN_BITS;

		s = slot_of(page, level, c);
		if (!s && c->add)
			return false;
		/* All slots in a row of one table have the same level. */
		uint64_t slots = (end - page) >> shift, left = FAN - (page >> shift & (FAN - 1));

		if (slots > left)
			slots = left;
		if (s)
			claim_run(s, slots, c);
		page += slots << shift;
	}
	return true;
}

/* ---- blocks ------------------------------------------------------------------ */

bool blocks_add(uintptr_t start, uint64_t bytes, uint32_t context)
{
	if (!top || bytes < BLOCKS_LEAST_BYTES || context == 0 || start >> ADDRESS_BITS != 0 ||
	    bytes > (UINT64_C(1) << ADDRESS_BITS) - start)
		return false;
	struct claim c = { block_take(), start, bytes, true };

	if (c.n == 0)
		return false;
	if (claim_places(&c)) {
		struct block *b = &blocks[c.n];
		uint32_t g = atomic_load_explicit(&b->generation, memory_order_relaxed);

		/* A reader that sees the stores below also sees that the record was not live. */
		atomic_thread_fence(memory_order_release);
		atomic_store_explicit(&b->start, start, memory_order_relaxed);
		atomic_store_explicit(&b->bytes, bytes, memory_order_relaxed);
		atomic_store_explicit(&b->context, context, memory_order_relaxed);
		atomic_store_explicit(&b->era, atomic_load(&era), memory_order_relaxed);
		atomic_store_explicit(&b->generation, g + 1, memory_order_release);
		return true;
	}
	c.add = false;
	claim_places(&c);
	block_give(c.n);
	return false;
}

/* The number of the block that holds address, with its record in *copy; 0: none. */
static uint32_t number_of(uint64_t address, struct block *copy)
{
	const struct slot *s = __atomic_load_n(&top, __ATOMIC_ACQUIRE);
	const uint64_t page = address >> PAGE_BITS;

	if (!s || address >> ADDRESS_BITS != 0)
		return 0;
	s += page >> TOP_LEVEL * FAN_BITS;
	for (unsigned level = TOP_LEVEL;; level--) {
		uint32_t n = atomic_load_explicit(&s->whole, memory_order_relaxed);

		if (n != 0 && block_holds(n, address, copy))
			return n;
		n = atomic_load_explicit(&s->part, memory_order_acquire);
		if (level == 0)
			return block_holds(n, address, copy) ? n : 0;
		if (n == 0 || n >= ntables)
			return 0;
		s = &tables[n].slot[page >> (level - 1) * FAN_BITS & (FAN - 1)];
	}
}

uint32_t blocks_find(uint64_t address)
{
	struct block copy;

	if (number_of(address, &copy) == 0 || copy.era != atomic_load(&era))
		return 0;
	return copy.context;
}

bool blocks_remove(uintptr_t start, struct blocks_was *was)
{
	struct block copy;
	uint32_t n = number_of(start, &copy);

	*was = (struct blocks_was){ 0 };
	if (n == 0 || copy.start != start || !block_end(&blocks[n], copy.generation))
		return false;
	claim_places(&(struct claim){ n, start, copy.bytes, false });
	if (copy.era == atomic_load(&era)) {
		was->bytes = copy.bytes;
		was->context = copy.context;
	}
	block_give(n);
	return true;
}

void blocks_forget(void)
{
	atomic_fetch_add(&era, 1);
}

uint32_t blocks_era(void)
{
	return atomic_load(&era);
}
