/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /sys reports the CPUs of a NUMA node in one file. It reports those of a socket once for each of
 * its CPUs, so the file of one CPU that is in no socket yet is read until all are.
 */
#include "config.h"

#include "ompt_tool/tool/tool_parts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/profile/cpulist.h"
#include "src/profile/syscalls.h"

#define SYS_NODES "/sys/devices/system/node"
#define SYS_CPUS "/sys/devices/system/cpu"

enum { LIST_BYTES = 2048 };

/* Owned by this file; written at the start and in a fork's child. */
static char cpus[LIST_BYTES];
static char parts[2 * LIST_BYTES]; /* each ended by NUL */
static size_t parts_bytes;

static bool own_mask(struct cpulist *l)
{
	/* The bare call says how much it wrote; the rest stays 0. */
	memset(l, 0, sizeof(*l));
	return syscall(SYS_sched_getaffinity, 0, sizeof(l->bits), l->bits) > 0;
}

static bool read_text(const char *path, char *text, size_t bytes)
{
	const size_t n = call_text(path, text, bytes);

	text[strcspn(text, "\n")] = '\0';
	return n != 0;
}

/* ---- the mask -------------------------------------------------------------------- */

/* Whether the environment asks the runtime to bind threads. */
static bool binds(void)
{
	const char *bind = getenv("OMP_PROC_BIND");

	return (bind && strcasecmp(bind, "false") != 0) || getenv("OMP_PLACES") ||
	       getenv("GOMP_CPU_AFFINITY");
}

static bool mask_at_start(struct cpulist *l, const char *exe, const char *given)
{
	struct cpulist own;
	const char *path;

	if (!own_mask(&own))
		return false;
	*l = own;
	if (!binds())
		return true;
	path = given ? cpulist_read(l, given) : NULL;
	return path && *path == ' ' && strcmp(path + 1, exe) == 0 && cpulist_within(&own, l);
}

/* ---- nodes and sockets ----------------------------------------------------------- */

static void add_part(const char *what, long number, const char *list)
{
	const size_t room = sizeof(parts) - parts_bytes;
	const int n = snprintf(parts + parts_bytes, room, "%s %ld %s", what, number, list);

	if (n > 0 && (size_t)n < room)
		parts_bytes += (size_t)n + 1;
}

static void read_nodes(void)
{
	char path[96], list[LIST_BYTES];
	struct cpulist nodes;

	if (!read_text(SYS_NODES "/has_cpu", list, sizeof(list)) || !cpulist_read(&nodes, list))
		return;
	for (uint32_t i = cpulist_next(&nodes, 0); i != CPULIST_NONE;
	     i = cpulist_next(&nodes, i + 1)) {
		snprintf(path, sizeof(path), SYS_NODES "/node%u/cpulist", i);
		if (read_text(path, list, sizeof(list)))
			add_part("node", i, list);
	}
}

/* Adds the socket of that CPU, and removes its CPUs from left. */
static bool read_socket(uint32_t cpu, struct cpulist *left)
{
	char path[96], list[LIST_BYTES], id[32];
	struct cpulist members;

	/* An older name of package_cpus_list, which newer kernels keep. */
	snprintf(path, sizeof(path), SYS_CPUS "/cpu%u/topology/core_siblings_list", cpu);
	if (!read_text(path, list, sizeof(list)) || !cpulist_read(&members, list) ||
	    !cpulist_has(&members, cpu))
		return false;
	snprintf(path, sizeof(path), SYS_CPUS "/cpu%u/topology/physical_package_id", cpu);
	if (!read_text(path, id, sizeof(id)) || atol(id) < 0)
		return false;
	add_part("socket", atol(id), list);
	for (size_t i = 0; i < CPULIST_MAX / 64; i++)
		left->bits[i] &= ~members.bits[i];
	return true;
}

/* ---- the whole ------------------------------------------------------------------- */

void topology_read(const char *exe, const char *given)
{
	uint32_t cpu;
	struct cpulist mask;

	cpus[0] = '\0';
	parts_bytes = 0;
	if (mask_at_start(&mask, exe, given))
		cpulist_write(&mask, cpus, sizeof(cpus));
	else if (!own_mask(&mask))
		return;
	read_nodes();
	struct cpulist left = mask;

	while ((cpu = cpulist_next(&left, 0)) != CPULIST_NONE)
		if (!read_socket(cpu, &left))
			return;
}

void topology_fork_child(void)
{
	struct cpulist mask;

	if (own_mask(&mask))
		cpulist_write(&mask, cpus, sizeof(cpus));
}

const char *topology_cpus(void)
{
	return cpus;
}

const char *topology_changed(void)
{
	static char now[LIST_BYTES];
	struct cpulist mask;

	if (binds() || cpus[0] == '\0' || !own_mask(&mask))
		return "";
	cpulist_write(&mask, now, sizeof(now));
	return strcmp(now, cpus) == 0 ? "" : now;
}

const char *topology_next(const char *at)
{
	at = at ? at + strlen(at) + 1 : parts;
	return at < parts + parts_bytes ? at : NULL;
}
