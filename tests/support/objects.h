/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * objects.h - compiles small sources for a test, and finds addresses in them.
 *
 * All files are in one folder, which objects_fini() removes.
 */
#ifndef OMPHWC_TESTS_OBJECTS_H
#define OMPHWC_TESTS_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_file;
struct sym_frame;
struct sym_location;
struct symbols;

enum object_compiler { OBJECT_GCC, OBJECT_CLANG, OBJECT_GFORTRAN };

void objects_init(void);
void objects_fini(void);

/* The compiler's command, or NULL: not installed. */
const char *objects_compiler(enum object_compiler c);

/* A path in the folder; valid until the second call after this one. */
const char *objects_path(const char *name);

/* Runs a shell command, formatted as by printf, in the folder; fails the test if the command
   fails. */
void objects_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text to name in the folder. */
void objects_write(const char *name, const char *text);

/*
 * Compiles source (.c, .cc, .f90) with flags into a shared library, or with
 * "-no-shared" among them into a program.
 */
void objects_build(enum object_compiler c, const char *source, const char *flags,
		   const char *output);

/* The ELF address and size of the object's nth symbol (from 0) whose name contains part (or
   is part, if exact).  False: none. */
bool objects_symbol(const char *object, const char *part, bool exact, int nth, uint64_t *address,
		    uint64_t *size);

/* ---- one object in a profile, asked for names ------------------------------ */

struct object {
	struct mkprofile *m;
	struct prof_file *f;
	struct symbols *s;
};

/* path is that in the profile; build_id_of (may be NULL) is a file whose build-id the profile
   has. */
void object_open(struct object *o, const char *path, const char *build_id_of, const char *sysroot);
void object_close(struct object *o);

/* The frames at an exact address of the object. */
const struct sym_location *object_at(struct object *o, uint64_t address);

/* The first address in symbol name's code with a frame, inlined or not, for the given line;
   fails the test if there is none. */
const struct sym_location *object_line(struct object *o, const char *file, const char *symbol,
				       unsigned line);

/* The reason reported by symbols_troubles(), or "". */
const char *object_trouble(const struct object *o);

#endif
