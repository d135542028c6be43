/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc_fit.c - compares the versions that a library needs with those that a libc.so.6 defines.
 */
#include "config.h"

#include "src/run/libc_fit.h"

#include <fcntl.h>
#include <gelf.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/target.h"

/* Earlier loaders differ in more than symbols: ompt_tool/program/bears.c refuses them, too. */
enum { OLDEST_MINOR = 27 };

static void take_version(const char *name, unsigned *newest)
{
	unsigned minor;

	if (name && sscanf(name, "GLIBC_2.%u", &minor) == 1 && minor > *newest)
		*newest = minor;
}

/* Steps come from the file: one of 0 ends a list. */
static void take_defined(Elf *elf, Elf_Data *data, size_t strings, unsigned *newest)
{
	GElf_Verdef vd;
	GElf_Verdaux aux;

	for (int at = 0; gelf_getverdef(data, at, &vd); at += (int)vd.vd_next) {
		if (gelf_getverdaux(data, at + (int)vd.vd_aux, &aux))
			take_version(elf_strptr(elf, strings, aux.vda_name), newest);
		if ((int)vd.vd_next <= 0)
			break;
	}
}

static void take_needed(Elf *elf, Elf_Data *data, size_t strings, unsigned *newest)
{
	GElf_Verneed vn;
	GElf_Vernaux aux;

	for (int at = 0; gelf_getverneed(data, at, &vn); at += (int)vn.vn_next) {
		int next = at + (int)vn.vn_aux;

		for (int i = 0; i < vn.vn_cnt && gelf_getvernaux(data, next, &aux); i++) {
			take_version(elf_strptr(elf, strings, aux.vna_name), newest);
			if ((int)aux.vna_next <= 0)
				break;
			next += (int)aux.vna_next;
		}
		if ((int)vn.vn_next <= 0)
			break;
	}
}

/* The newest N of the versions GLIBC_2.N that the file defines (SHT_GNU_verdef) or needs
   (SHT_GNU_verneed); 0: none. */
static unsigned newest_minor(const char *path, unsigned type)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	unsigned newest = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	Elf *elf;

	if (fd < 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type ||
		    !(data = elf_getdata(scn, NULL)))
			continue;
		(type == SHT_GNU_verdef ? take_defined : take_needed)(elf, data, sh.sh_link,
								      &newest);
	}
	elf_end(elf);
	close(fd);
	return newest;
}

/* Some versions of glibc define no symbols; its text names the version. */
static unsigned own_minor(const char *libc)
{
	static const char before[] = " release version 2.";
	const int fd = open(libc, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	unsigned minor = newest_minor(libc, SHT_GNU_verdef);
	char number[4] = "";
	size_t bytes = 0;
	Elf *elf;

	if (fd < 0)
		return 0;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const char *all = elf ? elf_rawfile(elf, &bytes) : NULL;
	const char *at = all ? memmem(all, bytes, before, sizeof(before) - 1) : NULL;

	if (at && minor != 0 && (size_t)(all + bytes - at) > sizeof(before) + sizeof(number)) {
		memcpy(number, at + sizeof(before) - 1, sizeof(number) - 1);
		minor = (unsigned)strtoul(number, NULL, 10);
	}
	elf_end(elf);
	close(fd);
	return minor;
}

static unsigned needed_minor(const char *library)
{
	const unsigned minor = newest_minor(library, SHT_GNU_verneed);

	return minor > OLDEST_MINOR ? minor : OLDEST_MINOR;
}

bool libc_fits(const char *library, const char *libc, char *why, size_t bytes)
{
	const unsigned needed = needed_minor(library), has = own_minor(libc);

	struct target t = { .kind = TARGET_DYNAMIC };

	snprintf(t.path, sizeof(t.path), "%s", libc);
	target_inspect(&t);
	if (t.kind == TARGET_FOREIGN) {
		snprintf(why, bytes, "is for another kind of machine than libomphwc.so");
		return false;
	}
	if (has == 0 || has >= needed)
		return true;
	snprintf(why, bytes, "is glibc 2.%u, and libomphwc.so needs 2.%u", has, needed);
	return false;
}

/* The first file of that pattern below root. */
static bool libc_fit_find_below(const char *root, const char *pattern, char path[PATH_MAX])
{
	char full[PATH_MAX];
	glob_t found;
	bool any;

	if (snprintf(full, sizeof(full), "%s/%s", root, pattern) >= (int)sizeof(full))
		return false;
	any = glob(full, 0, NULL, &found) == 0;
	if (any)
		snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
	globfree(&found);
	return any;
}

bool libc_fits_root(const char *library, const char *root, char *why, size_t bytes)
{
	static const char *const places[] = {
		"lib64/libc.so.6",
		"usr/lib64/libc.so.6",
		"lib/*-linux-gnu*/libc.so.6",
		"usr/lib/*-linux-gnu*/libc.so.6",
		"lib/libc.so.6",
		"usr/lib/libc.so.6",
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (libc_fit_find_below(root, places[i], path))
			return libc_fits(library, path, why, bytes);
	if (!libc_fit_find_below(root, "lib/ld-musl-*", path))
		return true;
	snprintf(why, bytes, "is musl, and libomphwc.so needs glibc 2.%u", needed_minor(library));
	return false;
}
