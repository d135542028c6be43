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

/* ---- by name ----------------------------------------------------------------- */

/* The checksum of objcopy --add-gnu-debuglink. */
static bool file_crc(int fd, uint32_t *result)
{
	unsigned char buffer[1 << 14];
	uint32_t crc = UINT32_MAX;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return false;
	while ((n = read(fd, buffer, sizeof(buffer))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			crc ^= buffer[i];
			for (int bit = 0; bit < 8; bit++)
				crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
		}
	}
	*result = ~crc;
	return n == 0;
}

struct symbols_debug_wanted {
	uint32_t crc;
	const uint8_t *build_id;
	size_t bytes;
};

static int open_wanted(const char *path, const struct symbols_debug_wanted *w)
{
	int fd = symbols_open(path);
	uint32_t crc;

	if (fd < 0)
		return fd;
	if (w->bytes ? symbols_build_id_is(fd, w->build_id, w->bytes) :
		       file_crc(fd, &crc) && crc == w->crc)
		return fd;
	close(fd);
	return -ENOENT;
}

int symbols_open_by_link(const char *sysroot, const char *object, const char *link, uint32_t crc,
			 const uint8_t *build_id, size_t bytes, char **path)
{
	const struct symbols_debug_wanted w = { crc, build_id, bytes };
	const char *root = sysroot ? sysroot : "", *slash = strrchr(object, '/');
	int folder = slash ? (int)(slash - object) : 0, fd = -ENOENT;
	const char *inside = object;

	*path = NULL;
	if (!link || !*link || !slash)
		return -ENOENT;
	if (sysroot && !strncmp(object, sysroot, strlen(sysroot)))
		inside += strlen(sysroot);
	for (int i = 0; i < 3 && fd < 0; i++) {
		free(*path);
		if (i == 0)
			*path = alloc_printf("%.*s/%s", folder, object, link);
		else if (i == 1)
			*path = alloc_printf("%.*s/.debug/%s", folder, object, link);
		else
			*path = alloc_printf("%s%s%.*s/%s", root, debug_folder,
					     (int)(slash - inside), inside, link);
		/* An object may name itself as its debug file. */
		if (strcmp(*path, object) != 0)
			fd = open_wanted(*path, &w);
	}
	if (fd < 0) {
		free(*path);
		*path = NULL;
	}
	return fd;
}

/* ---- what several debug files share -------------------------------------------- */

/* Copies to id the build-id in object's .gnu_debugaltlink. */
static size_t shared_build_id(const char *object, uint8_t *id, size_t room)
{
	int fd = symbols_open(object);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	size_t strings, bytes = 0;
	Elf_Scn *scn = NULL;

	if (elf && !elf_getshdrstrndx(elf, &strings)) {
		while ((scn = elf_nextscn(elf, scn))) {
			GElf_Shdr h;
			const char *name =
				gelf_getshdr(scn, &h) ? elf_strptr(elf, strings, h.sh_name) : NULL;
			Elf_Data *d = name && !strcmp(name, ".gnu_debugaltlink") ?
					      elf_getdata(scn, NULL) :
					      NULL;
			const char *end = d && d->d_buf ? memchr(d->d_buf, 0, d->d_size) : NULL;

			if (!end)
				continue;
			bytes = d->d_size - (size_t)(end + 1 - (const char *)d->d_buf);
			bytes = bytes < room ? bytes : room;
			memcpy(id, end + 1, bytes);
			break;
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return bytes;
}

int symbols_open_shared(const char *sysroot, const char *object, const char *name, char **path)
{
	const char *slash = strrchr(object, '/');
	struct symbols_debug_wanted w = { 0 };
	uint8_t id[64];
	int fd;

	w.build_id = id;
	w.bytes = shared_build_id(object, id, sizeof(id));
	*path = NULL;
	if (!w.bytes)
		return -ENOENT;
	if (name[0] == '/')
		*path = symbols_path(sysroot, name);
	else {
		*path = alloc_printf("%.*s/%s", slash ? (int)(slash - object) : 0, object, name);
	}
	fd = open_wanted(*path, &w);
	if (fd < 0) {
		free(*path);
		fd = symbols_open_by_build_id(sysroot, id, w.bytes, ".debug", path);
	}
	return fd;
}
