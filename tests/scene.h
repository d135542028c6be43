/*
 * scene.h - small profiles for tests of views, written as lines of text.
 *
 * A path is its frames, outermost first, parted by blanks:
 *
 *   name:line        a function of the executable, called at that line
 *   name:0  name:00  likewise, at two places whose line nobody knows
 *   outer:9^inner:3  inner, inlined into outer, in one frame
 *   libc!name omp!name tool!name    of another module
 *
 * Names tell what is outlined: .omp_outlined…, .omp_task_entry.…, .omp.reduction…,
 * foo._omp_fn.N; what is inside of another's (…debug__, .omp_task_body…); and
 * app+0x10 that there is no symbol.  Without memory the test program ends.
 */
#ifndef OMPHWC_TESTS_SCENE_H
#define OMPHWC_TESTS_SCENE_H

#include "src/model/model.h"
#include "src/output/output.h"
#include "src/view/resolver.h"
#include "src/view/view.h"
#include "tests/mkprofile.h"

struct scene {
	struct mkprofile *mk;
	struct resolver resolver;
	struct model model;
	struct prof_file *files[8];
	size_t nfiles;
	struct fake *fake;
	uint32_t pid;
};

/* With one process, whose modules are there already. */
void scene_init(struct scene *s);
void scene_fini(struct scene *s);

/* Reads what was built into the model, and begins the next process. */
void scene_process(struct scene *s);

/* A path beneath parent: the number of its last node. */
uint32_t scene_path(struct scene *s, uint32_t parent, const char *path);

/* The location of a data symbol of that name. */
uint64_t scene_object(struct scene *s, const char *name);

/* A view of everything so far, to be freed. */
struct view *scene_view(struct scene *s, enum view_kind kind);

/* What a format writes, to be freed. */
char *scene_write(struct scene *s, enum view_kind kind, const char *format, enum output_by by,
		  size_t event, double limit);

/* The folded output of one view, to be freed. */
char *scene_folded(struct scene *s, enum view_kind kind);

#endif
