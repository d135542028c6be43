/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/tree/stack.h"

#include "ompt_tool/tree/module.h"
#include "ompt_tool/unwind/object.h"
#include "ompt_tool/unwind/unwind_frame.h"

/*
 * Whether old frame i has the same caller as before: re-reads the words that the
 * step from i to i - 1 loaded. An fp that no outer rule uses may differ.
 */
static bool caller_same(const struct stack *s, uint32_t i)
{
	const struct walked_frame *f = &s->frame[i], *caller = f - 1;

	if (f->pc_slot == 0 || arch_strip(stack_word(f->pc_slot)) != caller->pc)
		return false;
	return !caller->fp_matters || f->fp_slot == 0 || stack_word(f->fp_slot) == caller->fp;
}

/* The innermost old frame, from i outward, whose caller has changed; 0 when none has. */
static uint32_t tail_broken(const struct stack *s, uint32_t i)
{
	while (i > 0 && caller_same(s, i))
		i--;
	return i;
}

static bool frame_same(const struct walked_frame *f, const struct unwind_cursor *c)
{
	return f->sp == c->sp && f->pc == c->pc && f->exact == c->exact &&
	       (!f->fp_matters || f->fp == c->fp);
}

static enum prof_cause cause_of(enum unwind_step step)
{
	switch (step) {
	case UNWIND_OK:
	case UNWIND_END: return PROF_CAUSE_NONE;
	case UNWIND_BOUNDS: return PROF_CAUSE_BOUNDS;
	case UNWIND_NO_RULES: break;
	}
	return PROF_CAUSE_NO_RULES;
}

/* The stack is too deep: keeps the innermost frames only, as a new walk would find
   them. Returns how many of the kept frames remain. */
static uint32_t drop_outermost(struct stack *s, uint32_t m)
{
	uint32_t drop = s->kept + m - STACK_FRAMES_MAX, left = s->kept - drop;

	for (uint32_t i = 0; i < left; i++) {
		s->frame[i] = s->frame[i + drop];
		s->loc[i] = s->loc[i + drop];
	}
	s->kept = 0;
	s->cause = PROF_CAUSE_DEPTH;
	return left;
}

/* Appends the m fresh frames to the kept ones. The outer frames decide for each whether
   its fp matters. */
static void join(struct stack *s, uint32_t m)
{
	uint32_t n = s->kept + m <= STACK_FRAMES_MAX ? s->kept : drop_outermost(s, m);

	while (m > 0) {
		struct walked_frame *f = &s->frame[n];

		*f = s->fresh[--m];
		s->loc[n] = s->fresh_loc[m];
		f->fp_matters = f->fp_used || (n > 0 && f->fp_slot == 0 && f[-1].fp_matters);
		f->node = 0;
		n++;
	}
	s->n = n;
}

/* The location of the frame that was just stepped out of, which lies in o. */
static uint64_t locate(struct walked_frame *f, struct object *o)
{
	uint32_t flags;
	uint64_t loc = module_locate_in(o, f->pc, &flags);

	f->marks = (uint8_t)((flags & PROF_MODULE_RUNTIME ? PROF_FRAME_RUNTIME : 0) |
			     (flags & PROF_MODULE_TOOL ? PROF_FRAME_TOOL : 0) |
			     (flags & PROF_MODULE_MIXED ? PROF_FRAME_MIXED : 0) |
			     (f->exact ? PROF_FRAME_EXACT : 0));
	return loc;
}

void stack_walk(struct stack *s, struct unwind_cursor *c, struct unwind_cache *cache,
		struct bounds *bounds)
{
	const uint64_t epoch = object_epoch();
	uint32_t old = s->cause == PROF_CAUSE_NONE && s->epoch == epoch ?
			       s->n :
			       0; /* 1 + the next candidate */
	uint32_t m = 0;

	s->epoch = epoch;
	s->kept = 0;
	s->cause = PROF_CAUSE_NONE;
	for (;;) {
		while (old > 0 && s->frame[old - 1].sp < c->sp)
			old--;
		if (old > 0 && frame_same(&s->frame[old - 1], c)) {
			uint32_t broken = tail_broken(s, old - 1);

			if (broken == 0) {
				s->kept = old;
				break;
			}
			old = broken; /* the frames inside of it can't be kept */
		}
		if (m == STACK_FRAMES_MAX) {
			s->cause = PROF_CAUSE_DEPTH;
			break;
		}
		struct walked_frame *f = &s->fresh[m];

		f->pc = c->pc;
		f->sp = c->sp;
		f->fp = c->fp;
		f->exact = c->exact;
		enum unwind_step step = bounds_step(c, cache, bounds);
		s->fresh_loc[m++] = locate(f, c->object);
		if (step != UNWIND_OK) {
			f->pc_slot = f->fp_slot = 0;
			f->fp_used = false;
			s->cause = cause_of(step);
			break;
		}
		if (c->guessed)
			f->marks |= PROF_FRAME_GUESSED;
		/* A step that used other registers can't be proven by two words. */
		f->pc_slot = c->plain ? c->pc_slot : 0;
		f->fp_slot = c->fp_slot;
		f->fp_used = c->fp_used;
	}
	join(s, m);
}
