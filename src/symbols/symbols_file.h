/*
 * symbols_file.h - one object of a profile, opened where it lies here.
 */
#ifndef OMPHWC_SRC_SYMBOLS_SYMBOLS_FILE_H
#define OMPHWC_SRC_SYMBOLS_SYMBOLS_FILE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_rmodule;

struct symbols_file {
	Dwfl *dwfl;		/* NULL: not opened, trouble says why */
	Dwfl_Module *mod;	/* laid out at its ELF addresses */
	Elf *elf;
	uint64_t base;		/* ELF address of its first loaded byte */
	const char *trouble;	/* for people, or NULL */
	/* private */
	char *path;		/* of the file that was opened */
	const char *sysroot;
};

/*
 * Opens the file of module m if it is the one that ran: by its path (beneath
 * folder where that is relative), else by its build-id in the debug folder.
 * Never fails: without a file, f->dwfl is NULL.  sysroot must outlive f.
 */
void symbols_file_open(struct symbols_file *f, const struct prof_rmodule *m,
		       const char *folder, const char *sysroot);
void symbols_file_close(struct symbols_file *f);

/* Its DWARF, or NULL; *bias: address there + *bias = ELF address. */
Dwarf *symbols_file_dwarf(struct symbols_file *f, uint64_t *bias);

#endif
