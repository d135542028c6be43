/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_debug.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/alloc.h"

static const char debug_folder[] = "/usr/lib/debug";

char *symbols_path(const char *sysroot, const char *path)
{
	if (!sysroot || path[0] != '/')
		return alloc_text(path);
	return alloc_printf("%s%s", sysroot, path);
}

int symbols_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -ENOENT;
}

/* Copies the build-id of fd.  Returns its length; 0: none; -1: not an ELF file. */
static ssize_t read_build_id(int fd, uint8_t *id, size_t room)
{
	Elf *elf;
	const void *bits;
	ssize_t n;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return -1;
	}
	n = dwelf_elf_gnu_build_id(elf, &bits);
	if (n < 0)
		n = 0;
	if ((size_t)n > room)
		n = (ssize_t)room;
	if (n > 0)
		memcpy(id, bits, (size_t)n);
	elf_end(elf);
	return n;
}

bool symbols_build_id_is(int fd, const uint8_t *build_id, size_t bytes)
{
	uint8_t id[64];

	return bytes && read_build_id(fd, id, sizeof(id)) == (ssize_t)bytes &&
	       !memcmp(id, build_id, bytes);
}

int symbols_open_by_build_id(const char *sysroot, const uint8_t *build_id, size_t bytes,
			     const char *suffix, char **path)
{
	char hex[2 * 64 + 1];
	int fd;

	*path = NULL;
	if (bytes < 2 || bytes > 64)
		return -ENOENT;
	for (size_t i = 0; i < bytes; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id[i]);
	*path = alloc_printf("%s%s/.build-id/%.2s/%s%s", sysroot ? sysroot : "", debug_folder, hex,
			     hex + 2, suffix);
	fd = symbols_open(*path);
	if (fd >= 0 && symbols_build_id_is(fd, build_id, bytes))
		return fd;
	if (fd >= 0)
		close(fd);
	free(*path);
	*path = NULL;
	return -ENOENT;
}
