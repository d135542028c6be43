/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sysfs.c - reads the kernel's description of its PMUs.
 */
#include "config.h"

#include "pmu/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/files.h"

#define DEVICES "/sys/bus/event_source/devices"

static const char *base = DEVICES;

void pmu_sysfs_base(const char *dir)
{
	base = dir ? dir : DEVICES;
}

static int plain(const struct dirent *d)
{
	/* events/ holds NAME.scale and NAME.unit beside NAME. */
	return !strchr(d->d_name, '.') && strlen(d->d_name) < PMU_SYSFS_NAME_BYTES;
}

static int visit_folder(const char *path, int (*visit)(const char *name, void *arg), void *arg)
{
	struct dirent **found;
	int n = scandir(path, &found, plain, alphasort), answer = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!answer)
			answer = visit(found[i]->d_name, arg);
		free(found[i]);
	}
	free(found);
	return answer;
}

static int make_path(char *path, size_t size, const char *pmu, const char *folder, const char *name)
{
	/* Users type these names: none may lead out of the tree. */
	if (!*pmu || *pmu == '.' || strchr(pmu, '/') || *name == '.' || strchr(name, '/'))
		return -ENOENT;
	if ((size_t)snprintf(path, size, "%s/%s/%s%s%s", base, pmu, folder,
			     *name && *folder ? "/" : "", name) >= size)
		return -ENAMETOOLONG;
	return 0;
}

int pmu_sysfs_text(const char *pmu, const char *folder, const char *name, char *text, size_t size)
{
	char path[512];
	int error = make_path(path, sizeof(path), pmu, folder, name);

	text[0] = 0;
	return error ? error : pmu_file_text(path, text, size);
}

int pmu_sysfs_each_pmu(int (*visit)(const char *pmu, void *arg), void *arg)
{
	return visit_folder(base, visit, arg);
}

int pmu_sysfs_each_in(const char *pmu, const char *folder,
		      int (*visit)(const char *name, void *arg), void *arg)
{
	char path[512];

	if (make_path(path, sizeof(path), pmu, folder, ""))
		return -ENOENT;
	return visit_folder(path, visit, arg);
}

int pmu_sysfs_each_event(const char *pmu, int (*visit)(const char *event, void *arg), void *arg)
{
	return pmu_sysfs_each_in(pmu, "events", visit, arg);
}

int pmu_sysfs_type(const char *pmu, uint32_t *type)
{
	char path[512];
	long number;

	if (make_path(path, sizeof(path), pmu, "", "type"))
		return -ENOENT;
	number = pmu_file_number(path, -1);
	if (number < 0 || number > UINT32_MAX)
		return -ENOENT;
	*type = (uint32_t)number;
	return 0;
}

static bool has_file(const char *pmu, const char *folder, const char *name)
{
	char path[512];

	return !make_path(path, sizeof(path), pmu, folder, name) && !access(path, F_OK);
}

bool pmu_sysfs_is_core(const char *pmu)
{
	uint32_t type;

	return (!strcmp(pmu, "cpu") || has_file(pmu, "", "cpus")) && !pmu_sysfs_type(pmu, &type);
}

bool pmu_sysfs_is_uncore(const char *pmu)
{
	return has_file(pmu, "", "cpumask");
}

static int is_core(const char *pmu, void *arg)
{
	(void)arg;
	return pmu_sysfs_is_core(pmu);
}

bool pmu_sysfs_has_core(void)
{
	return pmu_sysfs_each_pmu(is_core, NULL) > 0;
}

static int count_core(const char *pmu, void *arg)
{
	*(int *)arg += pmu_sysfs_is_core(pmu);
	return 0;
}

int pmu_sysfs_kinds(void)
{
	int n = 0;

	pmu_sysfs_each_pmu(count_core, &n);
	return n;
}

static int knows_precise(const char *pmu, void *arg)
{
	(void)arg;
	return pmu_sysfs_is_core(pmu) && has_file(pmu, "caps", "max_precise");
}

bool pmu_sysfs_knows_precise(void)
{
	return pmu_sysfs_each_pmu(knows_precise, NULL) > 0;
}
