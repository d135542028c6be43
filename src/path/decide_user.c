/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_user.c - frames of the program: its functions, and the regions and tasks that they
   begin. */
#include "config.h"

#include "src/path/decide_parts.h"
#include "src/path/evidence.h"
#include "src/profile/reader/reader.h"
#include "src/toolchain/toolchain.h"
#include "src/view/names.h"

/* ---- what the code creates --------------------------------------------------------- */

/* The line of what the innermost user frame creates. */
static uint32_t decide_creation_line(struct decisions *d, const struct decided *x)
{
	struct evidence *e = d->evidence;
	uint32_t line = evidence_place(e, x->user_line, x->user_at, x->user_exact);

	if (x->creator == CREATOR_LEFT)
		line = names_called(e->names, line);
	return line;
}

static struct step *decide_task_step(struct decisions *d, struct decided *x, uint32_t line)
{
	struct step *s = decide_step(d, STEP_TASK, WHY_STACK);

	s->line = line;
	s->function = x->user_function;
	s->in_task = x->in_task;
	x->in_task = true;
	return s;
}

static struct step *decide_region_step(struct decisions *d, struct decided *x, uint32_t line)
{
	struct step *s = decide_step(d, STEP_REGION, WHY_STACK);

	s->line = line;
	x->in_task = false;
	return s;
}

void decide_task(struct decisions *d, struct decided *x)
{
	decide_task_step(d, x, decide_creation_line(d, x))->elsewhere = x->creator ==
									CREATOR_SAMPLED;
}

struct step *decide_region(struct decisions *d, struct decided *x)
{
	struct step *s = decide_region_step(d, x, decide_creation_line(d, x));

	s->elsewhere = x->creator == CREATOR_SAMPLED;
	return s;
}

/* A region whose body f was called, and has no boundary: also a target region that runs on the
   host. */
static void decide_called_region(struct decisions *d, struct decided *x, const struct function *f)
{
	const struct toolchain_entry *entry = d->evidence->names->functions[x->entry].entry;
	struct step *s = decide_region(d, x);

	s->target = entry->flags & ENTRY_TARGET || toolchain_lists(LIST_TARGET_BODIES, f->linkage);
	s->construct = (uint8_t)entry->construct;
}

/*
 * Whether what the runtime called is a task's body, where it reported nothing.  gcc gives tasks
 * and regions the same names; but libgomp calls a region's body from the thread's first
 * function or from GOMP_parallel, and LLVM's runtime by __kmp_invoke_microtask.
 */
static bool decide_runs_task(const struct decisions *d, const struct decided *x,
			     const struct function *f)
{
	const unsigned entry = d->evidence->names->functions[x->entry].entry->flags;

	if (f->outlined == SYM_OUTLINED_TASK)
		return true;
	if (x->microtask || !outlined_is_gnu(f->linkage) || entry & ENTRY_TARGET)
		return false;
	return x->inner || (x->user_line && !(entry & ENTRY_FORK));
}

/* A region or task that runs where the runtime reported nothing. */
static void decide_unreported(struct decisions *d, struct decided *x, uint32_t id,
			      const struct prof_rnode *frame)
{
	struct evidence *e = d->evidence;
	const struct function *f = &e->names->functions[id];
	const bool task = decide_runs_task(d, x, f);
	uint32_t line;

	if (!task && x->user_line) {
		decide_called_region(d, x, f);
		return;
	}
	line = evidence_own_place(e, id, frame);
	x->loop = 0;
	if (task)
		decide_task_step(d, x, line);
	else
		decide_region_step(d, x, line)->nested = true;
}

/* Begins a region or task whose body was called directly and not by the runtime, a serialized
   region or an undeferred task, or any where no runtime reported anything.  false: none. */
static bool decide_begins(struct decisions *d, struct decided *x, uint32_t id,
			  const struct prof_rnode *frame, enum entered entered)
{
	const struct evidence *e = d->evidence;
	const struct function *f = &e->names->functions[id];

	if (e->unreported && entered == ENTERED_BY_RUNTIME) {
		if (f->outlined == SYM_OUTLINED_REGION || f->outlined == SYM_OUTLINED_TASK) {
			decide_unreported(d, x, id, frame);
			return true;
		}
		/* The body called it with a tail call. */
		if (!f->outlined && x->user_line && !x->inner &&
		    e->names->functions[x->entry].entry->flags & ENTRY_FORK) {
			decide_region(d, x);
			return true;
		}
	}
	if (x->at_once && f->outlined == SYM_OUTLINED_TASK) {
		x->at_once = false;
		return false;
	}
	if (f->outlined == SYM_OUTLINED_REGION) {
		decide_called_region(d, x, f);
		return true;
	}
	/* If the runtime called the body, the task has a boundary, which is just not there
	   yet or no longer. */
	if (f->outlined != SYM_OUTLINED_TASK || x->callback || !x->user_line)
		return false;
	decide_task(d, x);
	return true;
}

/* ---- one function ---------------------------------------------------------------------- */

/* The line of an outlined function's frame in the user's view: in the function that contains
   the construct, at the frame's line. */
static uint32_t decide_source_line(const struct decisions *d, const struct decided *x,
				   uint32_t line, bool outlined)
{
	struct names *n = d->evidence->names;
	const struct line *l = &n->lines[line];
	const struct function *f = &n->functions[l->function];
	uint32_t function = n->lines[x->user_line].function;

	if (!outlined || (!function && f->outlined == SYM_NOT_OUTLINED))
		return line;
	/* The creator left, and nothing shows which function it was. */
	if (x->creator == CREATOR_UNKNOWN && f->outlined != SYM_NOT_OUTLINED && !f->origin)
		function = 0;
	if (function && !l->line)
		return x->user_line;
	if (!function && f->origin)
		function = names_origin(n, l->function);
	else if (!function) {
		/* For a body whose containing function is unknown: its own name is an artifact of
		   the compiler. */
		static const char *const called[] = {
			[SYM_OUTLINED_REGION] = "(a parallel region's body)",
			[SYM_OUTLINED_TASK] = "(a task's body)",
			[SYM_OUTLINED_HELPER] = "(a construct's helper)",
		};
		const struct function plain = { .name = called[f->outlined], .module = f->module };
		function = names_function(n, &plain);
	}
	return names_line(n, function, l->file, l->line);
}

/* What a view shows that folds libraries. */
static void decide_show(const struct decisions *d, struct decided *x, const struct step *s,
			uint32_t function)
{
	if (s->hidden) {
		if (!x->header && !x->folded)
			x->header = function;
		return;
	}
	x->header = 0;
	if (s->fold)
		return;
	x->shown = d->evidence->names->lines[x->user_line].function;
	x->folded = false;
}

/*
 * The first frame above a boundary is the construct's body, even if a stripped file has no name
 * for it.  A function whose name no compiler gives to bodies was called by the body with a tail
 * call, which left no frame of the body.  Debug information makes clang emit a wrapper that calls
 * the body, and a task's entry calls the body: these are one.
 */
void decide_function(struct decisions *d, struct decided *x, uint32_t line,
		     const struct prof_rnode *frame, enum entered entered)
{
	const struct names *n = d->evidence->names;
	const uint32_t id = n->lines[line].function, caller = x->user_line;
	const struct function *f = &n->functions[id];
	const bool outlined = f->outlined != SYM_NOT_OUTLINED ||
			      (entered == ENTERED_AS_BODY && !f->linkage);
	const bool continues = f->inner && x->outlined && entered != ENTERED_AS_BODY;
	bool body = entered == ENTERED_AS_BODY || x->at_once || continues;
	struct step *s;

	if (entered != ENTERED_AS_BODY && !continues && decide_begins(d, x, id, frame, entered))
		body = true;
	x->user_line = decide_source_line(d, x, line, outlined);
	x->user_at = frame->a;
	x->user_exact = frame->flags & PROF_FRAME_EXACT;
	s = decide_step(d, STEP_FUNCTION, WHY_STACK);
	s->function = id;
	s->line = line;
	s->user_line = x->user_line;
	s->caller = caller;
	s->in_task = x->in_task;
	s->outlined = outlined;
	s->continues = continues;
	s->body = body && outlined && f->outlined != SYM_OUTLINED_HELPER;
	s->hidden = decide_is_hidden(d, x, id);
	s->fold = outlined && caller && !x->folded &&
		  n->lines[x->user_line].function == n->lines[caller].function;
	decide_show(d, x, s, id);
	x->user_function = id;
	x->outlined = outlined ? id : 0;
	x->helper = f->outlined == SYM_OUTLINED_HELPER;
}

/* ---- one frame ------------------------------------------------------------------------ */

/*
 * Whether the first frame above a boundary is again the frame that created the region.  A
 * serialized region's body may be inlined into it, and while the team is created or joined,
 * the task's own frames are the creator's.
 */
static bool decide_is_creator(const struct decisions *d, const struct decided *x,
			      const struct site *site)
{
	struct evidence *e = d->evidence;
	const struct prof_rnode *creation = &e->file->nodes[x->creation];
	const uint32_t function = evidence_outermost(e, site);

	if (x->whole == PATH_UNKNOWN || creation->kind != PROF_NODE_FRAME)
		return false;
	/* A region's body never creates that region, but it may create an undeferred task, or a
	   region whose body it calls. */
	if (e->names->functions[function].outlined != SYM_NOT_OUTLINED && !x->in_task &&
	    !(e->names->functions[evidence_called(e, creation->a, false)].entry->flags &
	      ENTRY_IN_PLACE))
		return false;
	const struct site *creator = sites_find(&e->sites, creation);
	return evidence_outermost(e, creator) == function;
}

/* Resets x to the state before the creating frame. */
static void decide_back(struct decisions *d, struct decided *x)
{
	const struct decided *before = decided_above(d, x->creation);
	struct step *s = decide_step(d, STEP_BACK, WHY_STACK);

	s->node = x->creation;
	s->in_task = x->in_task;
	x->user_line = before->user_line;
	x->user_at = before->user_at;
	x->user_exact = before->user_exact;
	x->loop = before->loop;
	x->user_function = before->user_function;
	x->outlined = before->outlined;
	x->shown = before->shown;
	x->header = before->header;
	x->folded = before->folded;
	/* The frame does not belong to the task, but to the code that created it. */
	if (x->in_task)
		x->in_task = before->in_task;
}

void decide_user(struct decisions *d, struct decided *x, const struct site *site, uint32_t frame,
		 enum entered entered)
{
	const struct evidence *e = d->evidence;
	const bool in_task = x->in_task;
	const bool again = entered == ENTERED_AS_BODY && decide_is_creator(d, x, site);
	const bool body = decided_above(d, x->creation)->position == PATH_AT_BOUNDARY;

	if (again)
		decide_back(d, x);
	else if (entered == ENTERED_AS_BODY && !decide_lost_body(d, x, site))
		decide_other_creator(d, x, site);
	else if (entered == ENTERED_AS_BODY)
		entered = ENTERED_BY_CALL;
	if (again)
		entered = body && !in_task ? ENTERED_AS_BODY : ENTERED_BY_CALL;
	decide_library(d, x, site, frame);
	if (!x->callback)
		x->entry = x->inner = 0;
	x->position = PATH_AT_USER;
	if (x->creator == CREATOR_SAMPLED)
		x->creator = CREATOR_THERE;
	x->user_frame = frame;
	x->jump = 0;
	for (uint32_t i = site->n; i-- > 0; entered = ENTERED_BY_CALL) {
		decide_function(d, x, e->sites.lines[site->first + i], &e->file->nodes[frame],
				entered);
		x->creator = CREATOR_THERE;
		/* Functions inlined into the creator's frame, or called by it, belong to the
		   task. */
		if (again && in_task && i == site->n - 1) {
			decide_step(d, STEP_AT_ONCE, WHY_STACK);
			x->in_task = x->at_once = true;
		}
	}
	/* An undeferred task is not of the loop in which its creator's frame is. */
	if (again && in_task)
		x->loop = 0;
	else if (site->loop)
		x->loop = site->loop;
	if (again && !in_task)
		decide_lost_creator(d, x);
	/* The function that contains what the frame creates may be inlined there and not recorded,
	   or have left by a tail call; it may be on the path already. */
	const uint64_t at = e->file->nodes[frame].a;
	const uint32_t origin = origins_function(&e->origins, at);

	if (origin && !origins_tail(&e->origins, at) && x->user_at == at &&
	    x->creator != CREATOR_SAMPLED && !decide_left(d, x, frame))
		decide_inlined(d, x, origin);
}
