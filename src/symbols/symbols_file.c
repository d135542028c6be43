/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_file.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols_debug.h"
#include "src/symbols/symbols_debuginfod.h"

enum { PAGE = 4096 };

/* ---- elfutils asks for separate debug files ------------------------------ */

static int find_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **path)
{
	const struct symbols_file *f = *userdata;
	const unsigned char *id = NULL;
	GElf_Addr address;
	int bytes, fd;

	(void)name;
	(void)base;
	/* A name without a checksum is that of a supplementary file (dwz). */
	if (link && !crc)
		return symbols_open_shared(f->sysroot, file ? file : f->path, link, path);
	bytes = dwfl_module_build_id(mod, &id, &address);
	if (bytes < 0)
		bytes = 0;
	fd = symbols_open_by_build_id(f->sysroot, id, (size_t)bytes, ".debug", path);
	if (fd < 0)
		fd = symbols_open_by_link(f->sysroot, f->path, link, crc, id, (size_t)bytes, path);
	if (fd < 0)
		fd = symbols_debuginfod_open(DEBUGINFOD_DEBUGINFO, id, (size_t)bytes, path);
	return fd < 0 ? -1 : fd;
}

/* Never called, because each module is reported with its file. */
static int find_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	(void)mod, (void)userdata, (void)name, (void)base, (void)path, (void)elf;
	return -1;
}

/* The default callbacks would wait for debuginfod servers without a limit. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* ---- which file -------------------------------------------------------------- */

/* The kernel appends a mark to the name of a file that was deleted while it was mapped. */
char *symbols_file_path(const struct prof_rmodule *m, const char *folder, const char *sysroot)
{
	static const char deleted[] = " (deleted)";
	size_t n = strlen(m->path), d = strlen(deleted);
	char *path, *whole;

	if (n > d && !strcmp(m->path + n - d, deleted))
		n -= d;
	if (m->path[0] == '/' || !folder) {
		path = alloc_text_part(m->path, n);
	} else {
		path = alloc_printf("%s/%.*s", folder, (int)n, m->path);
	}
	whole = symbols_path(sysroot, path);
	free(path);
	return whole;
}

static int open_path(struct symbols_file *f, const struct prof_rmodule *m, const char *folder)
{
	int fd;

	f->path = symbols_file_path(m, folder, f->sysroot);
	fd = symbols_open(f->path);
	if (fd < 0) {
		f->trouble = fd == -ENOENT || fd == -ENOTDIR ? "file is missing" : strerror(-fd);
		return -1;
	}
	if (m->build_id_bytes && !symbols_build_id_is(fd, m->build_id, m->build_id_bytes)) {
		f->trouble = "build-id differs: not the file that ran";
		close(fd);
		return -1;
	}
	return fd;
}

int symbols_vdso_open(void)
{
	const ElfW(Ehdr) *image = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
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
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, image, end) != (ssize_t)end) {
		close(fd);
		return -EIO;
	}
	return fd;
}

static int open_vdso(struct symbols_file *f, const struct prof_rmodule *m)
{
	int fd = symbols_vdso_open();

	f->path = alloc_text("[vdso]");
	if (fd >= 0 && m->build_id_bytes && symbols_build_id_is(fd, m->build_id, m->build_id_bytes))
		return fd;
	f->trouble = "not this kernel's";
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_by_build_id(const struct symbols_file *f, const struct prof_rmodule *m, char **path)
{
	static const char *const suffixes[] = { "", ".debug" };
	int fd = -ENOENT;

	for (size_t i = 0; fd < 0 && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		fd = symbols_open_by_build_id(f->sysroot, m->build_id, m->build_id_bytes,
					      suffixes[i], path);
	if (fd < 0 && !(m->flags & PROF_MODULE_VDSO))
		fd = symbols_debuginfod_open(DEBUGINFOD_EXECUTABLE, m->build_id, m->build_id_bytes,
					     path);
	return fd;
}

static int open_any(struct symbols_file *f, const struct prof_rmodule *m, const char *folder)
{
	int fd = m->flags & PROF_MODULE_VDSO ? open_vdso(f, m) : open_path(f, m, folder);
	char *path;

	if (fd >= 0)
		return fd;
	fd = open_by_build_id(f, m, &path);
	if (fd >= 0) {
		free(f->path);
		f->path = path;
		f->trouble = NULL;
	}
	return fd;
}

/* ---- its contents ------------------------------------------------------------ */

static bool find_base(Elf *elf, uint64_t *base)
{
	size_t n;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD) {
			*base = p.p_vaddr / PAGE * PAGE;
			return true;
		}
	}
	return false;
}

static bool symbols_file_report(struct symbols_file *f, int fd)
{
	void **userdata;
	Dwarf_Addr bias;
	GElf_Ehdr header;

	f->dwfl = dwfl_begin(&callbacks);
	if (!f->dwfl)
		return false;
	dwfl_report_begin(f->dwfl);
	f->mod = dwfl_report_elf(f->dwfl, f->path, f->path, fd, 0, true);
	if (!f->mod)
		return false;
	dwfl_report_end(f->dwfl, NULL, NULL);
	dwfl_module_info(f->mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = f;
	f->elf = dwfl_module_getelf(f->mod, &bias);
	return f->elf && !bias && gelf_getehdr(f->elf, &header) &&
	       (header.e_type == ET_DYN || header.e_type == ET_EXEC) && find_base(f->elf, &f->base);
}

void symbols_file_open(struct symbols_file *f, const struct prof_rmodule *m, const char *folder,
		       const char *sysroot)
{
	int fd;

	*f = (struct symbols_file){ .sysroot = sysroot };
	fd = open_any(f, m, folder);
	if (fd >= 0 && symbols_file_report(f, fd))
		return;
	/* The ELF address of the first byte, if the mapping matches the file. */
	f->base = m->map_start >= m->bias ? m->map_start - m->bias : 0;
	if (fd < 0)
		return;
	if (!f->mod)
		close(fd);
	if (f->dwfl)
		dwfl_end(f->dwfl);
	f->dwfl = NULL;
	f->mod = NULL;
	f->elf = NULL;
	f->trouble = "not an ELF program or library";
}

void symbols_file_close(struct symbols_file *f)
{
	if (f->dwfl)
		dwfl_end(f->dwfl);
	free(f->path);
	*f = (struct symbols_file){ 0 };
}

Dwarf *symbols_file_dwarf(struct symbols_file *f, uint64_t *bias)
{
	Dwarf_Addr b = 0;
	Dwarf *d = f->mod ? dwfl_module_getdwarf(f->mod, &b) : NULL;

	*bias = b;
	return d;
}
