/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_kernel.c - reads /proc/kallsyms: "ffffffff81000000 T name [module]", unsorted.
 *
 * Addresses are zero for users without permission (kptr_restrict), and change with each
 * boot.
 */
#include "config.h"

#include "src/symbols/symbols_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grow.h"
#include "src/profile/reader/reader.h"

struct symbols_kernel_entry {
	uint64_t address;
	const char *name;
};

const char *symbols_kernel_proc;

static FILE *open_proc(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", symbols_kernel_proc ? symbols_kernel_proc : "/proc",
		 name);
	return fopen(path, "re");
}

static void kernel_read_boot(struct symbols_kernel *k)
{
	FILE *f = open_proc("sys/kernel/random/boot_id");

	if (!f)
		return;
	if (fgets(k->boot, sizeof(k->boot), f))
		k->boot[strcspn(k->boot, "\n")] = '\0';
	fclose(f);
}

static int kernel_by_address(const void *a, const void *b)
{
	const struct symbols_kernel_entry *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void kernel_load(struct symbols_kernel *k)
{
	FILE *f = open_proc("kallsyms");

	k->loaded = 1;
	kernel_read_boot(k);
	if (!f)
		return;
	size_t room = 0;
	char line[1024], *end;

	while (fgets(line, sizeof(line), f)) {
		uint64_t address = strtoull(line, &end, 16);
		char *name = end + 3;

		if (*end != ' ' || !address || !strchr("tTwW", end[1]) || end[2] != ' ')
			continue;
		name[strcspn(name, " \t\n")] = '\0';
		if (*name) {
			char *copy = arena_alloc(&k->names, strlen(name) + 1);

			k->entries = grow(k->entries, k->n, &room, sizeof(*k->entries));
			strcpy(copy, name);
			k->entries[k->n++] = (struct symbols_kernel_entry){ address, copy };
		}
	}
	fclose(f);
	if (k->n)
		qsort(k->entries, k->n, sizeof(*k->entries), kernel_by_address);
}

const char *symbols_kernel_find(struct symbols_kernel *k, const struct prof_file *f,
				uint64_t address)
{
	const char *boot = prof_text(f, PROF_INFO_BOOT);
	size_t lo = 0, hi;

	if (!k->loaded)
		kernel_load(k);
	if (!boot || !*k->boot || strcmp(boot, k->boot) != 0)
		return NULL;
	for (hi = k->n; lo < hi;) {
		size_t middle = lo + (hi - lo) / 2;

		if (k->entries[middle].address <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo ? k->entries[lo - 1].name : NULL;
}

void symbols_kernel_free(struct symbols_kernel *k)
{
	free(k->entries);
	arena_free(&k->names);
	*k = (struct symbols_kernel){ 0 };
}
