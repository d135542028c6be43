/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handler.c - from an overflow to a count in the thread's tree.
 *
 * Runs with all signals but SIGBUS blocked, on the interrupted thread, which may be
 * at any instruction: in malloc, in the loader, in the runtime, in our own
 * callbacks. All that the handler calls is in this library and takes no lock. All
 * that it writes belongs to the thread, and is consistent at every instant.
 */
#include "config.h"

#include "ompt_tool/sample/handler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

#include "ompt_tool/machine/ticks.h"
#include "ompt_tool/omp/blame.h"
#include "ompt_tool/omp/locks.h"
#include "ompt_tool/omp/runtime.h"
#include "ompt_tool/sample/data.h"
#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/latest.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/timeline.h"
#include "ompt_tool/unwind/bounds.h"
#include "ompt_tool/unwind/cfi.h"

enum { LOCK_FRAMES = 12 }; /* of the runtime and the C library above a call for a lock */

/* The sample that is being taken. */
struct sample {
	struct runtime_view view;
	struct token_view token;
	uint8_t state; /* enum prof_state */
	uint32_t cut;  /* frames below the boundary, or CUT_NONE */
	uint32_t cut_info;
};

static bool is_runtime(const struct walked_frame *f)
{
	return (f->marks & PROF_FRAME_RUNTIME) != 0;
}

/* Whether it can be the runtime's: all that is known of code of an executable that has the runtime
   in it. */
static bool may_be_runtime(const struct walked_frame *f)
{
	return (f->marks & (PROF_FRAME_RUNTIME | PROF_FRAME_MIXED)) != 0;
}

/* Returns how many frames, from the outermost, lie at or below the runtime frame that
   holds the exit pointer. CUT_NONE when no frame does: a serialized region's exit
   pointer is left over from a frame that has returned, and any frame may be there now. */
static uint32_t cut_at_exit(const struct stack *s, uintptr_t exit)
{
	for (uint32_t i = s->n; i-- > 1;)
		if (exit < s->frame[i - 1].sp)
			return exit >= s->frame[i].sp && may_be_runtime(&s->frame[i]) ? i + 1 :
											CUT_NONE;
	/* The walk ended before its time, in that frame: no stack begins in the runtime. */
	return s->n != 0 && exit >= s->frame[0].sp && may_be_runtime(&s->frame[0]) ? 1 : CUT_NONE;
}

/*
 * A region that this thread began, and an undeferred task, is known by the CFA of
 * the frame that encountered it. Its body lies above that frame, above the
 * runtime's frames. Where there are no runtime frames, or nothing above them, the
 * body is the encountering frame itself: a serialized region, or the runtime that
 * makes or joins the team. A guess may have missed that frame, but not that it lies
 * farther in than the one that was found.
 */
static uint32_t cut_at_cfa(const struct stack *s, uintptr_t cfa)
{
	uint32_t i = s->n;

	while (--i > 0 && s->frame[i - 1].sp < cfa)
		;
	if (i == 0)
		return CUT_NONE;
	if (s->frame[i - 1].sp != cfa)
		return s->frame[i].marks & PROF_FRAME_GUESSED ? i : CUT_NONE;
	for (uint32_t k = i + 1; k < s->n; k++)
		if (!is_runtime(&s->frame[k]))
			return k == i + 1 ? i : k;
	return i;
}

/* Whether a thread in this state may be waiting for work. */
static bool state_waits_for_team(uint8_t state)
{
	return state == PROF_STATE_BARRIER_IMPLICIT || state == PROF_STATE_BARRIER ||
	       state == PROF_STATE_IDLE || state == PROF_STATE_UNDEFINED;
}

/* Whether the runtime says of a thread that no callback has reported that it is OpenMP's. */
static bool adopt(struct thread *t, const struct runtime_view *v)
{
	if (!v->known || !v->worker)
		return false;
	t->omp.kind = PROF_THREAD_WORKER;
	if (t->omp.record)
		t->omp.record->kind = t->omp.kind;
	return true;
}

static void look_up(struct thread *t, struct sample *s)
{
	const struct runtime *rt = atomic_load_explicit(&runtime_current, memory_order_relaxed);

	/* Cleared member by member: compilers clear the whole struct by a string
	   instruction, whose start-up takes longer than checking the unchanged part of
	   the stack. */
	s->view = (struct runtime_view){ 0 };
	s->token = (struct token_view){ .kind = TOKEN_NONE };
	s->state = PROF_STATE_NO_OPENMP;
	if (!rt || (t->omp.kind == PROF_THREAD_UNKNOWN && !rt->any_thread))
		return;
	rt->query(&s->view);
	if (t->omp.kind == PROF_THREAD_UNKNOWN && !adopt(t, &s->view))
		return;
	s->state = s->view.state;
	token_read(s->view.token, &s->token);
	/* Outside of tasks a hidden helper only waits for some. */
	if (s->token.kind == TOKEN_OWN) {
		s->token.kind = TOKEN_NONE;
		s->state = PROF_STATE_IDLE;
		return;
	}
	/* libomp reports idle threads as waiting at a barrier, of a region that has
	   ended or of none. */
	if ((s->token.kind == TOKEN_OVER ||
	     (s->token.kind == TOKEN_NONE && t->omp.kind == PROF_THREAD_WORKER)) &&
	    state_waits_for_team(s->state))
		s->state = PROF_STATE_IDLE;
}

/* Whether the innermost frame is the runtime's or ours. */
static bool in_runtime(const struct stack *s)
{
	return s->n > 0 && (may_be_runtime(&s->frame[s->n - 1]) ||
			    (s->frame[s->n - 1].marks & PROF_FRAME_TOOL) != 0);
}

/* Whether the stack holds frames of the runtime, then others, then the runtime's again:
   the runtime called code that called the runtime. */
static bool is_called_back(const struct stack *s)
{
	uint32_t i = 0;

	while (i < s->n && !is_runtime(&s->frame[i]))
		i++;
	while (i < s->n && is_runtime(&s->frame[i]))
		i++;
	while (i < s->n && !is_runtime(&s->frame[i]))
		i++;
	return i < s->n;
}

/*
 * A worker that has been released into a region belongs to the team before it runs
 * its implicit task: the runtime still reports the previous region's task. (A
 * worker that ends a nested region of its own has the frames of the outer region's
 * task on its stack.)
 */
static void enter_team(const struct thread *t, struct sample *s)
{
	struct token_view team;

	if (s->token.kind != TOKEN_OVER || s->state != PROF_STATE_OVERHEAD ||
	    t->omp.kind != PROF_THREAD_WORKER || is_called_back(&t->stack))
		return;
	token_read(s->view.team, &team);
	if (team.kind != TOKEN_REGION)
		return;
	s->token = team;
	s->view.token = s->view.team;
	s->view.exit = 0;
}

/* The first frame inside of the outermost frames of the runtime. */
static uint32_t cut_inside_runtime(const struct stack *s)
{
	uint32_t i = 0;

	while (i < s->n && !is_runtime(&s->frame[i]))
		i++;
	if (i == s->n)
		return CUT_NONE;
	while (i < s->n && is_runtime(&s->frame[i]))
		i++;
	return i;
}

static bool is_own(const struct thread *t, uintptr_t address)
{
	return address - t->own.lo < t->own.hi - t->own.lo;
}

/* Whether the walk ended before its time, and the task begins farther out. (Not by the cause: where
   a caller was guessed, what looks like the stack's end may be none.) */
static bool is_beyond(const struct thread *t, uintptr_t address)
{
	const struct stack *st = &t->stack;

	return st->n != 0 && address > st->frame[0].sp && address < t->own.hi &&
	       is_own(t, st->frame[0].sp);
}

/* Whether all frames are on a stack that the program made: a coroutine's, which the task
   called or continued. */
static bool is_elsewhere(const struct thread *t)
{
	const struct stack *st = &t->stack;

	return st->n != 0 && t->own.lo < t->own.hi && !is_own(t, st->frame[0].sp) &&
	       !is_own(t, st->frame[st->n - 1].sp);
}

static uint32_t team_of(const struct runtime_view *v)
{
	if (v->stale)
		return PROF_TEAM_STALE;
	return v->threads < PROF_TEAM_MOST ? v->threads : PROF_TEAM_MOST;
}

static void find_cut(const struct thread *t, struct sample *s)
{
	const struct stack *st = &t->stack;
	const struct region *r = s->token.region;

	s->cut = CUT_NONE;
	s->cut_info = 0;
	/* A worker between two regions belongs to neither. */
	if (s->token.kind == TOKEN_NONE || s->token.kind == TOKEN_OVER ||
	    s->state == PROF_STATE_IDLE)
		return;
	if (r && r->owner == t->omp.index && r->cfa != 0) {
		s->cut = cut_at_cfa(st, r->cfa);
	} else if (s->token.kind == TOKEN_TASK && t->omp.undeferred.n != 0) {
		const uintptr_t cfa = undeferred_cfa(&t->omp.undeferred, s->view.task);

		s->cut = cfa != 0 ? cut_at_cfa(&t->stack, cfa) : CUT_NONE;
	}
	if (s->cut == CUT_NONE && s->view.exit != 0)
		s->cut = cut_at_exit(st, s->view.exit);
	if (s->cut == CUT_NONE && s->view.inside_runtime)
		s->cut = cut_inside_runtime(st);
	/* All frames of the cut walk belong to the task. */
	if (s->cut == CUT_NONE && (is_elsewhere(t) || is_beyond(t, s->view.exit) ||
				   (r && r->owner == t->omp.index && is_beyond(t, r->cfa))))
		s->cut = 0;
	/* No frame of the task is on the stack: a worker at its region's end, or an
	   explicit task that has not begun or has ended. (An undeferred task has an
	   exit pointer, into a frame that is gone, and its creator's frames.) */
	if (s->cut == CUT_NONE && (t->omp.kind == PROF_THREAD_WORKER ||
				   (s->token.kind == TOKEN_TASK && in_runtime(st) &&
				    (s->view.exit == 0 || st->cause == PROF_CAUSE_DEPTH))))
		s->cut = st->n;
	if (s->cut != CUT_NONE)
		s->cut_info = PROF_BOUNDARY_INFO(s->token.kind == TOKEN_TASK ? PROF_BOUNDARY_TASK :
									       PROF_BOUNDARY_REGION,
						 team_of(&s->view));
}

/* Whether frames that recur below that boundary are folded (frame_node()): their nodes are not
   those that the same frames have below another one, or without any. */
static bool folds_below(uint32_t cut, uint32_t info)
{
	return cut != CUT_NONE && info >> 24 == PROF_BOUNDARY_TASK;
}

/* How many of the outermost frames keep the nodes of the last sample. */
static uint32_t nodes_kept(const struct thread *t, const struct sample *s)
{
	uint32_t kept = t->stack.kept;

	if (s->cut == t->cut && (s->cut == CUT_NONE || (s->cut_info == t->cut_info &&
							s->token.context == t->cut_context)))
		return kept;
	if (folds_below(s->cut, s->cut_info) != folds_below(t->cut, t->cut_info))
		return 0;
	if (t->cut < kept)
		kept = t->cut;
	return s->cut < kept ? s->cut : kept;
}

static bool is_below_task(const struct sample *s, uint32_t i)
{
	return folds_below(s->cut, s->cut_info) && i < s->cut;
}

static uint32_t frame_info(const struct walked_frame *f)
{
	return PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0, f->marks & ~(uint32_t)PROF_FRAME_MIXED);
}

/*
 * The node of frame i of the stack, beneath parent. Below a task's boundary lie the
 * tasks that wait on this thread, one on top of another. There a frame that recurs
 * leads back to its first node: otherwise a recursion of tasks would write a path
 * of its own for nearly every sample.
 */
static uint32_t frame_node(struct thread *t, const struct sample *s, uint32_t i, uint32_t parent)
{
	uint64_t loc = t->stack.loc[i];
	uint32_t info = frame_info(&t->stack.frame[i]);

	if (!is_below_task(s, i))
		return cct_child(&t->omp.cct, parent, info, loc);
	uint32_t node = recurring_find(&t->recurring, t->omp.cct.writer, info, loc);

	if (node == 0) {
		node = cct_child(&t->omp.cct, parent, info, loc);
		if (node != 0)
			recurring_push(&t->recurring, t->omp.cct.writer, node);
	}
	return node;
}

/* What the thread's frames lie beneath: its root, or that of the phases that it is in. The nodes of
   the last sample are another phase's where that has changed. */
static uint32_t base_node(struct thread *t)
{
	const uint32_t number = atomic_load_explicit(&phases_number, memory_order_relaxed);

	if (__builtin_expect(t->phases.seen != number, 0)) {
		t->stack.kept = 0;
		phases_find(t);
	}
	return t->phases.node != 0 ? t->phases.node : cct_root(&t->omp.cct);
}

/* The first frame to be placed. Frames that keep their nodes are skipped, and on a
   stack whose outermost frames are unknown, those below the boundary too. */
static uint32_t place_from(struct thread *t, const struct sample *s, uint32_t *node)
{
	const uint32_t base = base_node(t);
	uint32_t i = nodes_kept(t, s);

	if (t->stack.cause != PROF_CAUSE_NONE && s->cut != CUT_NONE) {
		*node = base;
		return s->cut;
	}
	*node = i == 0 ? base : t->stack.frame[i - 1].node;
	return i;
}

/* The node of the stack's innermost frame, or of the boundary above it; 0 without room. */
static uint32_t place(struct thread *t, const struct sample *s)
{
	struct stack *st = &t->stack;
	uint32_t node, i = place_from(t, s, &node);

	t->cut = s->cut;
	t->cut_info = s->cut_info;
	t->cut_context = s->token.context;
	if (node != 0 && is_below_task(s, i) && i < st->n)
		recurring_begin(&t->recurring, t->omp.cct.writer, node);
	for (; node != 0; i++) {
		if (i == s->cut)
			node = cct_child(&t->omp.cct, node, s->cut_info, s->token.context);
		if (i == st->n || node == 0)
			break;
		node = frame_node(t, s, i, node);
		st->frame[i].node = node;
	}
	return node;
}

/*
 * The node of the instruction that caused the event, where the hardware records it:
 * the signal comes some instructions later. It replaces the innermost frame where
 * both lie in the same function, so that it has the same callers. Otherwise node; 0
 * without room.
 */
static uint32_t place_precisely(struct thread *t, uint32_t node, uint64_t ip)
{
	struct cfi_fde fde;
	uint32_t flags;

	if (t->stack.n == 0)
		return node;
	const struct walked_frame *f = &t->stack.frame[t->stack.n - 1];
	const struct object *o = object_find(f->pc);

	if (!f->exact || ip == f->pc || f->node != node || !o ||
	    cfi_find(&(struct cfi_tables){ o->eh_lo, o->eh_hi, o->eh_hdr }, f->pc, &fde) != 0 ||
	    ip - fde.begin >= fde.end - fde.begin)
		return node;
	return cct_child(&t->omp.cct,
			 cct_link(t->omp.cct.writer, cct_node(t->omp.cct.writer, node)->parent),
			 frame_info(f), module_locate((uintptr_t)ip, &flags));
}

/* Adds the kernel's frames beneath node, outermost first; 0 without room. */
static uint32_t place_kernel(struct thread *t, uint32_t node, const struct pmu_sample *record)
{
	for (unsigned i = record->nkernel; i-- > 0 && node != 0;)
		node = cct_child(&t->omp.cct, node,
				 PROF_NODE_INFO(PROF_NODE_FRAME, 0, 0,
						i == 0 ? PROF_FRAME_EXACT : 0),
				 PROF_LOC((uint64_t)PROF_MODULE_ID_KERNEL, record->kernel[i]));
	return node;
}

/*
 * The object that the thread waits for, or 0. Runtimes report for some kinds of locks no
 * state; then the thread waits for the lock that it asked for last, if the call that
 * asked is on the stack, directly below the runtime's frames.
 */
static uint64_t wait_object(const struct thread *t, const struct sample *s)
{
	const struct stack *st = &t->stack;
	uint32_t i = st->n;

	if (s->view.wait_id != 0 || t->omp.lock == 0 || t->omp.lock_call == 0 ||
	    (s->state != PROF_STATE_SERIAL && s->state != PROF_STATE_PARALLEL &&
	     s->state != PROF_STATE_OVERHEAD))
		return s->view.wait_id;
	/* The C library may be what the runtime called last. */
	while (i > 0 && st->n - i < LOCK_FRAMES && st->frame[i - 1].pc != t->omp.lock_call)
		i--;
	return i > 0 && i < st->n && st->frame[i - 1].pc == t->omp.lock_call &&
			       may_be_runtime(&st->frame[i]) ?
		       t->omp.lock :
		       0;
}

/* The node of an object: a location, where it lies in a module, or where it was made. */
static uint32_t object_node(struct thread *t, uint32_t node, uint64_t object)
{
	uint32_t flags, kind = PROF_OBJECT_LOCATION;
	uint64_t loc = module_locate(object, &flags);

	if (PROF_LOC_MODULE(loc) == 0) {
		loc = module_locate(locks_made_at(object), &flags);
		kind = PROF_OBJECT_MADE;
	}
	if (PROF_LOC_MODULE(loc) == 0) {
		loc = object;
		kind = PROF_OBJECT_ADDRESS;
	}
	return cct_child(&t->omp.cct, node, PROF_NODE_INFO(PROF_NODE_OBJECT, 0, 0, kind), loc);
}

__attribute__((noinline)) void handler_charge(struct thread *t, uint32_t node, unsigned event,
					      uint64_t weight)
{
	struct blame_share share[BLAME_SHARES];
	const unsigned n = blame_shares(&t->omp, weight, share);

	for (unsigned i = 0; i < n; i++) {
		uint32_t at = share[i].object != 0 ? object_node(t, node, share[i].object) : node;

		if (at != 0)
			at = cct_child(&t->omp.cct, at,
				       PROF_NODE_INFO(PROF_NODE_STATS, event, share[i].state,
						      PROF_STATS_BLAME),
				       0);
		if (at == 0)
			return;
		struct prof_node *stats = cct_node(t->omp.cct.writer, at);

		stats->a += share[i].weight;
		stats->b++;
	}
}

static uint32_t leaf_state(const struct sample *s, const struct handler_event *e)
{
	return s->state | (e->asleep ? PROF_ASLEEP : 0u);
}

/* Adds the construct, the object waited for, and the leaf, whose node it returns; 0 without
   room. */
static uint32_t count(struct thread *t, const struct sample *s, uint32_t node,
		      const struct handler_event *e)
{
	uint32_t cause = t->stack.cause;
	const uint64_t object = wait_object(t, s);

	if (s->cut != CUT_NONE && s->token.context == 0)
		cause = PROF_CAUSE_CONTEXT;
	const struct construct *c = NULL;

	if (s->view.at_work_end)
		c = construct_left(&t->omp.constructs, s->view.token);
	else if (t->omp.constructs.n != 0 && s->state != PROF_STATE_IDLE)
		c = construct_now(&t->omp.constructs, s->view.token);
	if (c) {
		uint32_t flags;

		node = cct_child(&t->omp.cct, node,
				 PROF_NODE_INFO(PROF_NODE_CONSTRUCT, 0, 0, c->kind),
				 module_locate((uintptr_t)c->begun.key, &flags));
	}
	if (node != 0 && t->omp.blame) {
		t->wall.charged = node;
		handler_charge(t, node, (unsigned)e->event, e->weight + e->ready);
	}
	if (node != 0 && object != 0)
		node = object_node(t, node, object);
	if (node != 0)
		node = cct_child(&t->omp.cct, node,
				 PROF_NODE_INFO(PROF_NODE_LEAF, e->event, leaf_state(s, e), cause),
				 0);
	if (node == 0)
		return 0;
	struct prof_node *leaf = cct_node(t->omp.cct.writer, node);
	leaf->weight += e->weight;
	leaf->samples += e->weight != 0;
	return node;
}

void handler_sample(struct thread *t, const struct handler_event *e, const void *ucontext)
{
	struct unwind_cursor c;
	struct bounds bounds;
	const uint64_t now_ticks = ticks_now();
	struct sample s;

	latest_note(now_ticks);
	look_up(t, &s);
	unwind_begin_ucontext(&c, ucontext);
	bounds_begin(&bounds, &t->own, c.sp, ucontext);
	/* The words of another stack may be gone by the next sample, and those of the
	   thread's own stack where the thread has reported a change: keep nothing. */
	if (!bounds_steady(&bounds))
		stack_reset(&t->stack);
	stack_walk(&t->stack, &c, &t->handler_rules, &bounds);
	enter_team(t, &s);
	find_cut(t, &s);
	uint32_t node = place(t, &s);
	const uint32_t innermost = node;

	if (node != 0 && e->precise && e->record->ip != 0)
		node = place_precisely(t, node, e->record->ip);
	if (node != 0 && e->record && e->record->nkernel != 0)
		node = place_kernel(t, node, e->record);
	if (node != 0 && e->record)
		node = data_node(t, node, e->record);
	if (node != 0)
		node = count(t, &s, node, e);
	if (node == 0) {
		t->omp.record->lost[PROF_LOST_NO_ROOM]++;
		stack_reset(&t->stack);
		return;
	}
	if (e->wall) {
		t->wall.leaf = node;
		t->wall.innermost = innermost;
		t->asleep = e->asleep;
		if (e->ready != 0) {
			handler_count_ready(t, e, now_ticks);
			cpus_count(t, (uint32_t)e->event, e->ready);
		}
		if (e->weight == 0)
			return;
	}
	cpus_count(t, (uint32_t)e->event, e->weight);
	if (timeline_on)
		when_note(t, e, innermost, (uint8_t)leaf_state(&s, e), now_ticks);
}
