/*
 * elfsyms.h - which of a library's symbols a program needs, and whether
 * another library has them: names and versions as the dynamic loader compares
 * them.
 */
#ifndef OMPHWC_SRC_RUN_ELFSYMS_H
#define OMPHWC_SRC_RUN_ELFSYMS_H

#include <stdbool.h>
#include <stddef.h>

struct elfsym {
	char *name;	/* NULL: the version alone must exist */
	char *version;	/* NULL: none */
	bool weak;	/* a need that may go unmet */
	bool hidden;	/* an export that only its own version finds */
	bool base;	/* an export outside all versions */
};

struct elfsyms {
	struct elfsym *list;
	size_t n, room;
};

/*
 * Adds what the ELF file at path wants from the library called soname: its
 * undefined symbols and versions that are marked so, and unversioned ones
 * whose names begin with one of prefixes (NULL-ended).
 * 0, -ENOEXEC (no ELF file, or one without tables to read) or -errno.
 */
int elfsyms_needs(struct elfsyms *s, const char *path, const char *soname,
		  const char *const *prefixes);

/* Adds what it defines for others. */
int elfsyms_exports(struct elfsyms *s, const char *path);

/* Whether the program at path needs or defines that function, from wherever. */
bool elfsyms_mentions(const char *path, const char *name);

/* Whether the file at path takes that function of the C library, and can't do
   without. */
bool elfsyms_imports(const char *path, const char *name);

void elfsyms_free(struct elfsyms *s);

/* Whether exports has what need asks for. */
bool elfsyms_met(const struct elfsyms *exports, const struct elfsym *need);

#endif
