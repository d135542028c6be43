/*
 * bodies.h - bodies of regions and tasks that are on no stack.
 *
 * A body whose last deed is to call another function jumps there.  The runtime's frame
 * then seems to call that function itself, which may be one that the runtime uses, too:
 * memset.
 */
#ifndef OMPHWC_SRC_VIEW_BODIES_H
#define OMPHWC_SRC_VIEW_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/callsite/callsite.h"

struct sites;

/* What was found so far in one profile. */
struct bodies {
	/* private */
	struct map by_call;
	struct callsite_body *all;
	size_t n, room;
};

/*
 * Whether the FRAME node of number frame, one of the C library's above the runtime's, is
 * the program's: the runtime called it by a pointer, as it calls bodies and as it never
 * calls the C library.  Where its code can't be read, the frame that it told to be the
 * one from which it calls the body (a boundary's) has to do.  0 or -ENOMEM.
 */
int bodies_called(struct sites *s, uint32_t frame, bool *called);

/*
 * The body that called the function callee (a name, which stays) as its last deed, of what
 * the call at place creates, or the jump there (exact); *body is NULL where it can't be
 * told, else valid until the next call.  0 or -ENOMEM.
 */
int bodies_find(struct bodies *b, const struct sites *s, uint64_t place, bool exact,
		const char *callee, const struct callsite_body **body);

void bodies_fini(struct bodies *b);

#endif
