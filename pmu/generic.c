/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generic.c - tables of the kernel's generic hardware, software and cache
 * events (include/uapi/linux/perf_event.h), named as perf names them.
 */
#include "config.h"

#include "pmu/generic.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pmu/perf_event.h"

/* clang-format off */
#define HARDWARE(id, name, alias, text) \
	{ name, alias, text, PMU_SOURCE_HARDWARE, PERF_TYPE_HARDWARE, 0, \
	  PERF_COUNT_HW_##id }
#define SOFTWARE(id, name, alias, flags, text) \
	{ name, alias, text, PMU_SOURCE_SOFTWARE, PERF_TYPE_SOFTWARE, flags, \
	  PERF_COUNT_SW_##id }
#define CLOCK(id, name, text) \
	{ name, NULL, text, PMU_SOURCE_CLOCK, PERF_TYPE_SOFTWARE, \
	  PMU_GENERIC_CLOCK, PERF_COUNT_SW_##id }
/* clang-format on */

static const struct pmu_generic generics[] = {
	HARDWARE(CPU_CYCLES, "cycles", "cpu-cycles",
		 "core clock cycles; they slow down and speed up with the core"),
	HARDWARE(INSTRUCTIONS, "instructions", NULL, "instructions retired"),
	HARDWARE(REF_CPU_CYCLES, "ref-cycles", NULL, "cycles at the nominal frequency"),
	HARDWARE(CACHE_REFERENCES, "cache-references", NULL,
		 "accesses to the last-level cache, mostly"),
	HARDWARE(CACHE_MISSES, "cache-misses", NULL, "misses of the last-level cache, mostly"),
	HARDWARE(BRANCH_INSTRUCTIONS, "branches", "branch-instructions",
		 "branch instructions retired"),
	HARDWARE(BRANCH_MISSES, "branch-misses", NULL, "branches mispredicted"),
	HARDWARE(BUS_CYCLES, "bus-cycles", NULL, "bus cycles"),
	HARDWARE(STALLED_CYCLES_FRONTEND, "stalled-cycles-frontend", "idle-cycles-frontend",
		 "cycles in which no instruction was issued"),
	HARDWARE(STALLED_CYCLES_BACKEND, "stalled-cycles-backend", "idle-cycles-backend",
		 "cycles in which no instruction was retired"),

	CLOCK(CPU_CLOCK, "cpu-clock", "time on a CPU, by a per-CPU timer"),
	CLOCK(TASK_CLOCK, "task-clock", "time on a CPU, by the thread's clock"),

	SOFTWARE(PAGE_FAULTS, "page-faults", "faults", 0, "page faults of both kinds"),
	SOFTWARE(PAGE_FAULTS_MIN, "minor-faults", NULL, 0,
		 "page faults that needed no reading from disk"),
	SOFTWARE(PAGE_FAULTS_MAJ, "major-faults", NULL, 0, "page faults that read from disk"),
	SOFTWARE(CONTEXT_SWITCHES, "context-switches", "cs", PMU_GENERIC_KERNEL,
		 "times a thread was taken off its CPU"),
	SOFTWARE(CPU_MIGRATIONS, "cpu-migrations", "migrations", PMU_GENERIC_KERNEL,
		 "times a thread was moved to another CPU"),
	SOFTWARE(CGROUP_SWITCHES, "cgroup-switches", NULL, PMU_GENERIC_KERNEL,
		 "switches to a thread of another control group"),
	SOFTWARE(ALIGNMENT_FAULTS, "alignment-faults", NULL, 0,
		 "misaligned accesses that the kernel completed"),
	SOFTWARE(EMULATION_FAULTS, "emulation-faults", NULL, 0,
		 "instructions that the kernel emulated"),
	SOFTWARE(DUMMY, "dummy", NULL, PMU_GENERIC_SILENT, "counts nothing"),
	SOFTWARE(BPF_OUTPUT, "bpf-output", NULL, PMU_GENERIC_SILENT,
		 "written by BPF programs only"),
};

enum { NGENERICS = sizeof(generics) / sizeof(generics[0]) };

enum { OP_READ = 1, OP_WRITE = 2, OP_PREFETCH = 4 };

/* The operations of each cache, as in perf. */
static const struct cache {
	const char *name;
	unsigned id;
	unsigned ops;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, OP_READ | OP_WRITE | OP_PREFETCH },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, OP_READ | OP_PREFETCH },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, OP_READ | OP_WRITE | OP_PREFETCH },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, OP_READ | OP_WRITE | OP_PREFETCH },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, OP_READ },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, OP_READ },
	{ "node", PERF_COUNT_HW_CACHE_NODE, OP_READ | OP_WRITE | OP_PREFETCH },
};

static const struct cache_op {
	const char *suffix;
	unsigned op;
	unsigned id;
	unsigned result;
} cache_ops[] = {
	{ "loads", OP_READ, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "load-misses", OP_READ, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "stores", OP_WRITE, PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "store-misses", OP_WRITE, PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "prefetches", OP_PREFETCH, PERF_COUNT_HW_CACHE_OP_PREFETCH,
	  PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "prefetch-misses", OP_PREFETCH, PERF_COUNT_HW_CACHE_OP_PREFETCH,
	  PERF_COUNT_HW_CACHE_RESULT_MISS },
};

enum {
	NCACHES = sizeof(caches) / sizeof(caches[0]),
	NCACHE_OPS = sizeof(cache_ops) / sizeof(cache_ops[0]),
};

static int same(const char *candidate, const char *name, size_t length)
{
	return candidate && strlen(candidate) == length && !memcmp(candidate, name, length);
}

const struct pmu_generic *pmu_generic_find(const char *name, size_t length)
{
	for (size_t i = 0; i < NGENERICS; i++)
		if (same(generics[i].name, name, length) || same(generics[i].alias, name, length))
			return &generics[i];
	return NULL;
}

const struct pmu_generic *pmu_generic_coded(uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < NGENERICS; i++)
		if (generics[i].type == type && generics[i].config == config)
			return &generics[i];
	return NULL;
}

const struct pmu_generic *pmu_generic_at(size_t index)
{
	return index < NGENERICS ? &generics[index] : NULL;
}

int pmu_cache_at(size_t index, char name[PMU_CACHE_NAME_BYTES], uint64_t *config)
{
	for (size_t i = 0; i < NCACHES * NCACHE_OPS; i++) {
		const struct cache *c = &caches[i / NCACHE_OPS];
		const struct cache_op *o = &cache_ops[i % NCACHE_OPS];

		if (!(c->ops & o->op) || index-- > 0)
			continue;
		snprintf(name, PMU_CACHE_NAME_BYTES, "%s-%s", c->name, o->suffix);
		*config = c->id | o->id << 8 | o->result << 16;
		return 0;
	}
	return -1;
}

int pmu_cache_find(const char *name, size_t length, uint64_t *config)
{
	char candidate[PMU_CACHE_NAME_BYTES];

	for (size_t i = 0; !pmu_cache_at(i, candidate, config); i++)
		if (strlen(candidate) == length && !strncasecmp(candidate, name, length))
			return 0;
	return -1;
}

/* ---- suggestions ---------------------------------------------------------- */

enum { LONGEST = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The number of letters to insert, delete, change or exchange with a neighbour. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			unsigned cost = strncasecmp(a + i - 1, b + j - 1, 1) != 0;

			d[i][j] =
				least(d[i - 1][j - 1] + cost, least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

struct best {
	const char *name;
	size_t length;
	unsigned distance;
	char *text;
	size_t size;
};

static void consider(struct best *b, const char *candidate)
{
	size_t length = candidate ? strlen(candidate) : LONGEST + 1;
	unsigned d;

	if (length > LONGEST)
		return;
	d = distance(b->name, b->length, candidate, length);
	if (d >= b->distance)
		return;
	b->distance = d;
	snprintf(b->text, b->size, "%s", candidate);
}

void pmu_suggest(const char *name, size_t length, char *text, size_t size)
{
	/* A name matches with one error in three letters, three errors at most. */
	struct best b = { name, length, least((unsigned)length / 3, 3) + 1, text, size };
	char cache[PMU_CACHE_NAME_BYTES];
	const struct pmu_generic *g;
	uint64_t config;

	text[0] = 0;
	if (length > LONGEST)
		return;
	for (size_t i = 0; (g = pmu_generic_at(i)); i++) {
		if (g->flags & PMU_GENERIC_SILENT)
			continue;
		consider(&b, g->name);
		consider(&b, g->alias);
	}
	for (size_t i = 0; !pmu_cache_at(i, cache, &config); i++)
		consider(&b, cache);
	consider(&b, "wall");
}
