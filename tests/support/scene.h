/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scene.h - small profiles for tests of views, written as text.
 *
 * A path is a list of frames, outermost first, separated by blanks:
 *
 *   name:line        a function of the executable, called at that line
 *   name:0  name:00  the same, at two locations with unknown lines
 *   outer:9^inner:3  inner, inlined into outer, in one frame
 *   libc!name omp!name tool!name    of another module
 *   libm!name        likewise, of one that the test adds
 *   std::name:line   the same, in a header of the C++ library
 *
 * Function names determine what is outlined: .omp_outlined…, .omp_task_entry.…,
 * .omp.reduction…, foo._omp_fn.N; which functions are inner ones (…debug__,
 * .omp_task_body…); and app+0x10 has no symbol.  Without memory the test program ends.
 */
#ifndef OMPHWC_TESTS_SCENE_H
#define OMPHWC_TESTS_SCENE_H

#include <stdbool.h>

#include "src/answers/ask.h"
#include "src/model/model.h"
#include "src/output/output.h"
#include "src/view/view.h"
#include "tests/support/mkprofile.h"

struct filter_options;

struct scene {
	struct mkprofile *mk;
	struct resolver resolver;
	struct model model;
	struct prof_file *files[8];
	size_t nfiles;
	struct fake *fake;
	uint32_t pid;
	const struct filter_options *filters; /* of scene_write(); NULL: none */
	const char *wanted;		      /* columns of scene_write(); NULL: all */
	bool lines;			      /* scene_write() shows lines in paths */
	bool unfold;			      /* as of struct view_options */
	bool losses;			      /* scene_write() shows the efficiency */
	size_t rows;			      /* it writes for a screen of so many */
};

/* How scenes answer questions: names and lines only.  A test may put a function of its own before
   it: s->resolver.answer. */
void scene_answer(void *self, const struct question *q, struct answer *a);

/* Begins with one process, which has its modules already. */
void scene_init(struct scene *s);
void scene_fini(struct scene *s);

/* Reads the profile into the model, and begins the next process. */
void scene_process(struct scene *s);

/* Adds a path beneath parent; returns the number of its last node. */
uint32_t scene_path(struct scene *s, uint32_t parent, const char *path);

/* The location of a data symbol with that name. */
uint64_t scene_object(struct scene *s, const char *name);

/* A view of all processes so far; the caller frees it. */
struct view *scene_view(struct scene *s, enum view_kind kind);

/* The format of that name, which there is. */
const struct output *scene_output(const char *name);

/* The output of a format; the caller frees it. */
char *scene_write(struct scene *s, enum view_kind kind, const char *format, enum output_by by,
		  size_t event, double limit);

/* The same for a binary format, with its size. */
char *scene_write_bytes(struct scene *s, enum view_kind kind, const char *format, enum output_by by,
			size_t event, double limit, size_t *bytes);

/* The folded output of a view; the caller frees it. */
char *scene_folded(struct scene *s, enum view_kind kind);

#endif
