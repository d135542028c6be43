/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_vdso.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

int symbols_vdso_open(void)
{
	const ElfW(Ehdr) *image = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
	size_t bytes;
	int fd;

	if (!image)
		return -ENOENT;
	/* The image's length. The section headers are at its end; the kernel built it and maps all
	   of it. */
	const ElfW(Phdr) *p = (const ElfW(Phdr) *)((const char *)image + image->e_phoff);
	size_t end = image->e_shoff + (size_t)image->e_shnum * image->e_shentsize;

	for (int i = 0; i < image->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_offset + p[i].p_filesz > end)
			end = p[i].p_offset + p[i].p_filesz;
	bytes = end;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, image, bytes) != (ssize_t)bytes) {
		close(fd);
		return -EIO;
	}
	return fd;
}
