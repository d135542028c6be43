/*
 * elfsyms.h - the symbols that a program needs from a library, and whether another library
 * has them; names and versions are compared as the dynamic loader does.
 */
#ifndef OMPHWC_SRC_RUN_ELFSYMS_H
#define OMPHWC_SRC_RUN_ELFSYMS_H

#include <stdbool.h>
#include <stddef.h>

struct elfsym {
	char *name;    /* NULL: only the version must exist */
	char *version; /* NULL: none */
	bool weak;     /* a need that may stay unresolved */
	bool hidden;   /* an export found only by its version */
	bool base;     /* an export without version */
};

struct elfsyms {
	struct elfsym *list;
	size_t n, room;
};

/*
 * Adds the needs of the ELF file at path that the library soname satisfies: undefined
 * symbols with a version from it, its versions, and unversioned symbols that begin with one
 * of prefixes (NULL-terminated).  0, -ENOEXEC (no ELF file, or no tables) or -errno.
 */
int elfsyms_needs(struct elfsyms *s, const char *path, const char *soname,
		  const char *const *prefixes);

/* Adds the exported symbols of the file at path. */
int elfsyms_exports(struct elfsyms *s, const char *path);

/* Whether the program at path needs or defines that function, from any library. */
bool elfsyms_mentions(const char *path, const char *name);

/* Whether the file at path needs that function of the C library, not just weakly. */
bool elfsyms_imports(const char *path, const char *name);

void elfsyms_free(struct elfsyms *s);

/* Whether exports satisfies need. */
bool elfsyms_met(const struct elfsyms *exports, const struct elfsym *need);

#endif
