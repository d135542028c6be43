/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols_file.h - an object of a profile, opened from this machine's disks.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FILE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FILE_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

struct prof_rmodule;

struct symbols_file {
	Dwfl *dwfl;	  /* NULL: not opened, see trouble */
	Dwfl_Module *mod; /* loaded at its ELF addresses */
	Elf *elf;
	uint64_t base;	     /* ELF address of its first loaded byte */
	const char *trouble; /* reason, for people, or NULL */
	/* private */
	char *path; /* of the opened file */
	const char *sysroot;
};

/*
 * Opens the file of module m if it is the one that ran: by its path (relative to folder),
 * or else by its build-id in the debug folder.  Never fails: without a file, f->dwfl is
 * NULL.  sysroot must outlive f.
 */
void symbols_file_open(struct symbols_file *f, const struct prof_rmodule *m, const char *folder,
		       const char *sysroot);
void symbols_file_close(struct symbols_file *f);

/* The path of the module's mapped file, the caller's: a library that the program loaded by a
   relative name is looked for in folder (NULL: not known). */
char *symbols_file_path(const struct prof_rmodule *m, const char *folder, const char *sysroot);

/* A descriptor of a file with a copy of this process's vDSO, the object that the kernel maps into
   every process, or -errno. */
int symbols_vdso_open(void);

/* The DWARF of f, or NULL; ELF address = address in DWARF + *bias. */
Dwarf *symbols_file_dwarf(struct symbols_file *f, uint64_t *bias);

#endif
