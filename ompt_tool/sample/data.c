/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c - makes addresses of data coarse enough for the tree to stay small. */
#include "config.h"

#include "ompt_tool/sample/data.h"

#include <stdbool.h>

#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/blocks.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/process.h"
#include "ompt_tool/unwind/object.h"
#include "src/profile/format.h"

enum {
	/* A thread's first so many data nodes are cache lines, the next so many are pages. */
	FINE_NODES = 1 << 14,
	PAGE_NODES = 1 << 16,
	/* Memory without a name is known by its range only: so many pages of it, then
	   units of 2 MiB. */
	NAMELESS_PAGES = 1 << 11,
};

/* PERF_MEM_LVLNUM_*, which older headers lack in part. */
enum {
	LEVEL_L1 = 1,
	LEVEL_L2 = 2,
	LEVEL_L3 = 3,
	LEVEL_L4 = 4,
	LEVEL_UNCACHED = 8,
	LEVEL_CXL = 9,
	LEVEL_IO = 10,
	LEVEL_ANY_CACHE = 11,
	LEVEL_LFB = 12,
	LEVEL_RAM = 13,
	LEVEL_PMEM = 14,
};

/* An address in the brk(2) heap. Other mappings are far from it, but for modules. */
static uintptr_t heap_begin;
static const uint64_t heap_reach = UINT64_C(1) << 38, heap_before = 16 << 20;

size_t data_heap_bytes = sizeof(struct thread);

void data_learn(uintptr_t heap)
{
	heap_begin = heap;
}

static enum prof_data_kind classify(const struct thread *t, uint64_t address, uint64_t *value)
{
	uint32_t flags;

	*value = 0;
	if ((int64_t)address < 0)
		return PROF_DATA_KERNEL;
	if (address - t->own.lo < t->own.hi - t->own.lo)
		return PROF_DATA_STACK;
	struct object *o = object_find((uintptr_t)address);

	if (o) {
		uint64_t grain = t->data_nodes < FINE_NODES ? PROF_DATA_FINE_BYTES :
				 t->data_nodes < PAGE_NODES ? PROF_DATA_PAGE_BYTES :
							      PROF_DATA_COARSE_BYTES;

		uint64_t at = address & ~(grain - 1);

		/* A module's first cache line may begin before the module. */
		*value = module_locate_in(o, at < o->start ? o->start : at, &flags);
		if (PROF_LOC_MODULE(*value) != 0)
			return PROF_DATA_GLOBAL;
	}
	/* The reader shows the brk(2) heap as one object. */
	if (heap_begin != 0 && address - heap_begin + heap_before < heap_reach)
		return PROF_DATA_HEAP;
	*value = address & ~(uint64_t)((t->data_pages < NAMELESS_PAGES ? PROF_DATA_PAGE_BYTES :
									 PROF_DATA_COARSE_BYTES) -
				       1);
	return PROF_DATA_OTHER;
}

/* perf_event_open(2), PERF_SAMPLE_DATA_SRC: there is a bit for each level of older hardware, and a
   number for newer levels. Where both are set, the bit says more: Intel's drivers number remote
   memory as L3. */
static enum prof_data_source by_number(const union perf_mem_data_src *s)
{
	switch (s->mem_lvl_num) {
	case LEVEL_L1: return PROF_SOURCE_L1;
	case LEVEL_L2: return PROF_SOURCE_L2;
	case LEVEL_L3:
	case LEVEL_L4: return PROF_SOURCE_L3;
	case LEVEL_UNCACHED:
	case LEVEL_IO: return PROF_SOURCE_UNCACHED;
	case LEVEL_ANY_CACHE: return s->mem_remote ? PROF_SOURCE_REMOTE_CACHE : PROF_SOURCE_UNKNOWN;
	case LEVEL_LFB: return PROF_SOURCE_FILL_BUFFER;
	case LEVEL_CXL:
	case LEVEL_RAM:
	case LEVEL_PMEM: return PROF_SOURCE_RAM;
	default: return PROF_SOURCE_UNKNOWN;
	}
}

static enum prof_data_source by_bits(const union perf_mem_data_src *s)
{
	static const struct {
		unsigned bits;
		enum prof_data_source source;
	} levels[] = {
		{ PERF_MEM_LVL_L1, PROF_SOURCE_L1 },
		{ PERF_MEM_LVL_LFB, PROF_SOURCE_FILL_BUFFER },
		{ PERF_MEM_LVL_L2, PROF_SOURCE_L2 },
		{ PERF_MEM_LVL_L3, PROF_SOURCE_L3 },
		{ PERF_MEM_LVL_LOC_RAM, PROF_SOURCE_RAM },
		{ PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, PROF_SOURCE_REMOTE_CACHE },
		{ PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, PROF_SOURCE_REMOTE_RAM },
		{ PERF_MEM_LVL_IO | PERF_MEM_LVL_UNC, PROF_SOURCE_UNCACHED },
	};

	/* A miss of the last cache level is served from further out. */
	if (s->mem_lvl & PERF_MEM_LVL_MISS && s->mem_lvl & PERF_MEM_LVL_L3)
		return PROF_SOURCE_RAM;
	for (unsigned i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (s->mem_lvl & levels[i].bits && !(s->mem_lvl & PERF_MEM_LVL_MISS))
			return levels[i].source;
	return PROF_SOURCE_UNKNOWN;
}

static enum prof_data_source source_of(uint64_t word)
{
	const union perf_mem_data_src s = { .val = word };
	enum prof_data_source source;

	source = by_bits(&s);
	/* Of a miss the number is the level that did not have it. */
	if (source == PROF_SOURCE_UNKNOWN && !(s.mem_lvl & PERF_MEM_LVL_MISS))
		source = by_number(&s);
	if (!s.mem_remote || source == PROF_SOURCE_UNKNOWN)
		return source;
	return source == PROF_SOURCE_RAM || source == PROF_SOURCE_REMOTE_RAM ?
		       PROF_SOURCE_REMOTE_RAM :
		       PROF_SOURCE_REMOTE_CACHE;
}

static void count_latency(struct thread *t, uint32_t node, uint64_t cycles)
{
	uint32_t stats = cct_child(&t->omp.cct, node,
				   PROF_NODE_INFO(PROF_NODE_STATS, 0, 0, PROF_STATS_LATENCY), 0);

	if (stats == 0)
		return;
	struct prof_node *n = cct_node(t->omp.cct.writer, stats);

	n->a++;
	n->b += cycles;
}

bool data_is_own(const struct thread *t, uint64_t tagged)
{
	const uint64_t address = arch_untag(tagged);

	return address != 0 &&
	       (address - (uintptr_t)process.writer.base < process.writer.limit_bytes ||
		address - (uintptr_t)t < sizeof(*t) ||
		(t->heap && address - (uintptr_t)t->heap < data_heap_bytes) || blocks_own(address));
}

/* For a noted block, its allocation says more than the address. */
static uint32_t place(struct thread *t, uint32_t node, const struct pmu_sample *s)
{
	const enum prof_data_source source = source_of(s->source);
	const uint64_t address = arch_untag(s->address);
	uint64_t value;
	const enum prof_data_kind kind = classify(t, address, &value);
	const uint32_t context =
		kind == PROF_DATA_HEAP || kind == PROF_DATA_OTHER ? blocks_find(address) : 0;

	if (context != 0)
		return cct_child(&t->omp.cct, node, PROF_NODE_INFO(PROF_NODE_BLOCK, source, 0, 0),
				 context);
	node = cct_child(&t->omp.cct, node, PROF_NODE_INFO(PROF_NODE_DATA, source, 0, kind), value);
	if (node != 0 && cct_node(t->omp.cct.writer, node)->child == 0) { /* a new node */
		if (kind == PROF_DATA_OTHER)
			t->data_pages++;
		else
			t->data_nodes++;
	}
	return node;
}

uint32_t data_node(struct thread *t, uint32_t node, const struct pmu_sample *s)
{
	if (s->address == 0)
		return node;
	node = place(t, node, s);
	if (node == 0)
		return 0;
	if (s->latency != 0)
		count_latency(t, node, s->latency);
	return node;
}
