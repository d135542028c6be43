/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contexts - writes a profile with many contexts, like that of a large run.
 *
 * contexts PROGRAM CONTEXTS FILE
 *
 * Frames are locations in PROGRAM's code.  There are eight threads, half of whose trees lie
 * beneath regions created by the first one; paths have up to 30 frames in each; a third of
 * the nodes have samples, some in two states.
 */
#include "config.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/mkprofile.h"

enum { THREADS = 8, PLACES = 5000, NEAR = 40, REGIONS = 50, DEPTH = 30 };

struct code {
	uint64_t address, bytes;
};

static int code_of(const char *path, struct code *code)
{
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	GElf_Phdr p;
	size_t n = 0;

	code->bytes = 0;
	if (elf != NULL && elf_getphdrnum(elf, &n) == 0)
		for (size_t i = 0; i < n; i++)
			if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD &&
			    (p.p_flags & PF_X) != 0 && p.p_filesz > code->bytes)
				*code = (struct code){ p.p_vaddr, p.p_filesz };
	elf_end(elf);
	close(fd);
	return code->bytes > PLACES ? 0 : -1;
}

/* A reproducible random number. */
static uint32_t some(uint32_t below)
{
	static uint64_t state = 4711;

	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((state >> 33) % below);
}

static uint64_t place(uint32_t module, const struct code *code)
{
	return PROF_LOC(module, code->address + code->bytes / PLACES * some(PLACES));
}

/* Adds n frames beneath root; each one's parent is one of the last few. */
static void grow(struct mkprofile *m, uint32_t root, uint32_t module, const struct code *code,
		 unsigned n, uint32_t *regions)
{
	struct {
		uint32_t node, depth;
	} near[NEAR];

	for (unsigned i = 0; i < NEAR; i++)
		near[i].node = root, near[i].depth = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t from = some(NEAR), to = some(NEAR);
		uint32_t node = mk_frame(m, near[from].node, place(module, code), 0);
		bool deep = near[from].depth == DEPTH;

		near[to].depth = deep ? 0 : near[from].depth + 1;
		near[to].node = deep ? root : node;
		if (some(3) == 0)
			mk_leaf(m, node, 0, PROF_STATE_PARALLEL, 0, 1 + some(9), 1000);
		if (some(9) == 0)
			mk_leaf(m, node, 0, PROF_STATE_BARRIER_IMPLICIT, 0, 1 + some(9), 1000);
		if (regions != NULL && i < REGIONS)
			regions[i] = node;
	}
}

int main(int argc, char **argv)
{
	const unsigned contexts = argc == 4 ? (unsigned)atoi(argv[2]) : 0;
	uint32_t regions[REGIONS];
	struct code code;

	if (contexts < THREADS * REGIONS || code_of(argv[1], &code) != 0) {
		fprintf(stderr, "Usage: contexts PROGRAM CONTEXTS FILE\n");
		return 2;
	}
	struct mkprofile *m = mk_new();

	mk_event(m, "cycles", PROF_UNIT_EVENTS);
	uint32_t module = mk_module(m, argv[1], PROF_MODULE_MAIN);
	mk_chunk_bytes(m, 1 << 20);
	for (uint32_t t = 0; t < THREADS; t++) {
		mk_thread(m, t == 0 ? PROF_THREAD_INITIAL : PROF_THREAD_WORKER, 4711 + t);
		uint32_t root = mk_root(m, t);

		if (t == 0) {
			grow(m, root, module, &code, contexts / THREADS, regions);
			continue;
		}
		for (unsigned i = 0; i < REGIONS; i++)
			grow(m, mk_boundary(m, root, regions[i], PROF_BOUNDARY_REGION), module,
			     &code, contexts / THREADS / REGIONS, NULL);
	}
	mk_end(m);
	if (mk_write(m, argv[3]) == 0)
		return 0;
	fprintf(stderr, "contexts: %s was not written\n", argv[3]);
	return 1;
}
