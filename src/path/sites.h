/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sites.h - resolves the locations of a profile's frames, each once.
 *
 * A site is a location of one profile with the functions there (including inlined ones) and
 * the owner of the code.  For ordinary code, one thread at a time.
 *
 * Functions of libraries that come with the system or a compiler, of the kernel, and of their
 * headers are marked (function.library), and stubs that lead to them: the program's source has them
 * not, but the calls of them.
 */
#ifndef OMPHWC_SRC_PATH_SITES_H
#define OMPHWC_SRC_PATH_SITES_H

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
	SITE_SYSTEM,  /* the C library, the loader, the kernel's vdso */
	SITE_RUNTIME, /* the OpenMP runtime */
	SITE_TOOL,    /* this profiler */
	SITE_MPI,     /* an MPI library, what it is built on, or an MPI call of any
			 module's */
};

struct site {
	const char *mpi; /* the MPI call that it is an entry point of, interned; or NULL */
	uint64_t loop;	 /* of gcc's static loop that it is in: see callsites_loop(); 0: none */
	uint32_t first;	 /* index of the innermost function in sites.lines */
	uint32_t n;	 /* number of functions, outward */
	uint8_t owner;	 /* enum site_owner */
	bool own;	 /* this profiler's, also its wrappers of libgomp (SITE_RUNTIME) */
	bool library;	 /* of the C library, a compiler's library or this profiler: what it
			    makes system calls for is the function that the program called */
	bool shared;	 /* SITE_MPI: a library that not MPI alone may call */
	bool start;	 /* its name or position is that of code that starts a program
				   or a thread; reliable for _start and in the outermost
				   frames of a static executable */
};

struct sites {
	struct site *sites;
	size_t nsites;
	uint32_t *lines; /* numbers of struct line: see names.h */
	size_t nlines;
	/* A module that is no runtime's and has functions of one; NULL: none was met. */
	const struct prof_rmodule *linked;
	/* private */
	size_t sites_room, lines_room;
	struct map by_location, by_place;
	struct names *names;
	const struct resolver *resolver;
	const struct prof_file *file;
	uint8_t *owners; /* by index of file's modules */
	bool *systems;	 /* likewise: see sites_is_systems() */
	uint64_t entry;	 /* location of the executable's entry point; 0: unknown */
};

/* The owner of a module's code, by flags and name. */
enum site_owner sites_module_owner(const struct prof_rmodule *m);

/* Whether a function is a stub of the linkage table, through which others are called (cos@plt). */
bool sites_is_stub(const char *name);

/* For one profile; names and resolver are borrowed. */
void sites_init(struct sites *s, struct names *names, const struct resolver *resolver,
		const struct prof_file *file);
void sites_fini(struct sites *s);

/* The line of the construct created by the call before return address loc (exact: the jump at
   loc).  It is line itself, or, if that has no number, a line that is unique to this call
   within the function. */
uint32_t sites_place(struct sites *s, uint32_t line, uint64_t loc, bool exact);

/* Whether a FRAME node is of such a module that its site is a library's (see struct site), unless
   its name is one of OpenMP's or MPI's. */
bool sites_is_in_library(const struct sites *s, const struct prof_rnode *frame);

/* The site of a FRAME node; valid until the next call. */
const struct site *sites_find(struct sites *s, const struct prof_rnode *frame);

/* The function there that no other contains. */
uint32_t sites_outermost(struct sites *s, const struct prof_rnode *frame);

#endif
