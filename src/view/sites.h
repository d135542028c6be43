/*
 * sites.h - the places that a profile's frames lie at, each looked up once.
 *
 * A site is a location of one profile with the functions found there (inlined
 * ones too) and whose code it is.  For ordinary code, one thread at a time.
 */
#ifndef OMPHWC_SRC_VIEW_SITES_H
#define OMPHWC_SRC_VIEW_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"

struct names;
struct prof_file;
struct prof_rmodule;
struct prof_rnode;
struct resolver;

enum site_owner {
	SITE_USER,
	SITE_SYSTEM,	/* the C library, the loader, the kernel's vdso */
	SITE_RUNTIME,	/* the OpenMP runtime */
	SITE_TOOL,	/* this profiler */
};

struct site {
	uint32_t first;		/* among sites.lines: the innermost function */
	uint32_t n;		/* how many, outward */
	uint8_t owner;		/* enum site_owner */
	bool start;		/* by its name or place what starts a program or a
				   thread: to be trusted in the outermost frames of a
				   static executable, and for _start */
};

struct sites {
	struct site *sites;
	size_t nsites;
	uint32_t *lines;	/* numbers of struct line, as in names.h */
	size_t nlines;
	/* private */
	size_t sites_room, lines_room;
	struct map by_location, by_place;
	struct names *names;
	const struct resolver *resolver;
	const struct prof_file *file;
	uint8_t *owners;	/* of file's modules, in its order */
	uint64_t entry;		/* location of the executable's entry, 0: not known */
};

/* Whose code a module is, by its flags and its name. */
enum site_owner sites_module_owner(const struct prof_rmodule *m);

/* For one profile; names and resolver are borrowed.  0 or -ENOMEM (then
   sites_fini() is needed too). */
int sites_init(struct sites *s, struct names *names, const struct resolver *resolver,
	       const struct prof_file *file);
void sites_fini(struct sites *s);

/* Line, of what is created by the call before return address loc (exact: by the jump
   at loc): itself, or where its number is not known one that tells such calls of one
   function apart.  0 or -ENOMEM. */
int sites_place(struct sites *s, uint32_t line, uint64_t loc, bool exact, uint32_t *place);

/* The site of a FRAME node.  Valid until the next call.  0 or -ENOMEM. */
int sites_find(struct sites *s, const struct prof_rnode *frame, const struct site **site);

#endif
