/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/files.h"

#define DEVICES "/sys/bus/event_source/devices"

static const char *base = DEVICES;

void pmu_sysfs_base(const char *dir)
{
	base = dir ? dir : DEVICES;
}

/* Names in alphabetical order. They are not on the heap: what is allocated and freed there before
   the program begins is a hole in its heap, and changes what its own allocations cost. */
struct sysfs_names {
	char (*name)[PMU_SYSFS_NAME_BYTES];
	size_t n, room;
};

static size_t bytes_of(size_t names)
{
	return names * PMU_SYSFS_NAME_BYTES;
}

static int names_grow(struct sysfs_names *a)
{
	const size_t room = a->room ? 2 * a->room : 256;
	void *at = a->room ? mremap(a->name, bytes_of(a->room), bytes_of(room), MREMAP_MAYMOVE) :
			     mmap(NULL, bytes_of(room), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	a->name = at;
	a->room = room;
	return 0;
}

static int names_add(struct sysfs_names *a, const char *name)
{
	const int err = a->n == a->room ? names_grow(a) : 0;
	size_t at = a->n;

	if (err)
		return err;
	while (at > 0 && strcmp(name, a->name[at - 1]) < 0)
		at--;
	memmove(a->name[at + 1], a->name[at], bytes_of(a->n++ - at));
	strcpy(a->name[at], name);
	return 0;
}

static int names_read(struct sysfs_names *a, const char *path)
{
	_Alignas(struct dirent64) char some[4096];
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long bytes = -1;
	int err = fd < 0 ? -errno : 0;

	while (!err && (bytes = syscall(SYS_getdents64, fd, some, sizeof(some))) > 0)
		for (long at = 0; !err && at < bytes;) {
			const struct dirent64 *d = (const void *)(some + at);

			at += d->d_reclen;
			const char *name = d->d_name;
			/* events/ holds NAME.scale and NAME.unit beside NAME. */
			if (!strchr(name, '.') && strlen(name) < PMU_SYSFS_NAME_BYTES)
				err = names_add(a, d->d_name);
		}
	if (!err && bytes < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

static int visit_folder(const char *path, int (*visit)(const char *name, void *arg), void *arg)
{
	struct sysfs_names a = { 0 };
	int answer = names_read(&a, path);

	for (size_t i = 0; !answer && i < a.n; i++)
		answer = visit(a.name[i], arg);
	if (a.room)
		munmap(a.name, bytes_of(a.room));
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
