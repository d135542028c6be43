/* SPDX-License-Identifier: BSD-3-Clause */
/* path_build.c - see path_build.h. */
#include "config.h"

#include "src/path/path_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/base/pinned.h"
#include "src/model/model.h"
#include "src/profile/reader/reader.h"
#include "src/view/names.h"
#include "src/view/view.h"

void path_build_init(struct path_build *p, struct view *v, const struct view_options *o,
		     const struct prof_file *f, struct map *expert)
{
	*p = (struct path_build){ .view = v, .expert = expert, .lines = o->lines };
	bool wall = false;

	for (size_t i = 0; i < v->model->nevents; i++)
		wall = wall || v->model->events[i].flags & PROF_EVENT_WALL;
	evidence_init(&p->evidence, &v->names, o->resolver, f, wall);
	decisions_init(&p->decisions, &p->evidence, v->folded);
	p->all = alloc_zeroed(f->nnodes + 1, sizeof(*p->all));
}

void path_build_fini(struct path_build *p)
{
	decisions_fini(&p->decisions);
	evidence_fini(&p->evidence);
	pinned_free(p->made);
	free(p->all);
	*p = (struct path_build){ 0 };
}

/* ---- names of the expert view -------------------------------------------------- */

/* The construct that f is the body of; *before is the text that precedes it. */
static const char *expert_construct(const struct function *f, enum construct_kind what,
				    const char **before)
{
	*before = "";
	if (f->outlined == SYM_OUTLINED_HELPER)
		return "helper";
	if (what == CONSTRUCT_PARALLEL)
		return f->outlined == SYM_OUTLINED_TASK ? construct_name(CONSTRUCT_TASK) :
							  "parallel region";
	if (construct_is_loop(what) || what == CONSTRUCT_SECTIONS)
		*before = "parallel ";
	return construct_name(what);
}

/* The caller's line is that of the directive, unless the outlined function knows better;
   otherwise that one's line may be that of the brace after it. */
static char *expert_name(const struct names *n, const struct function *f, uint32_t user_line,
			 enum construct_kind what)
{
	const struct line *from = &n->lines[user_line];
	const char *origin = f->origin ? f->origin : n->functions[from->function].name;
	unsigned line = from->line && !f->directive ? from->line : f->line;
	const char *before, *construct = expert_construct(f, what, &before);
	char at[32] = "";
	char *name;

	if (line)
		snprintf(at, sizeof(at), " from line %u", line);
	name = alloc_printf("%s%sOMP %s%s%s [%s]", origin ? origin : "", origin ? " -- " : "",
			    before, construct, at, f->linkage ? f->linkage : f->name);
	return name;
}

/*
 * The number of an outlined function f as the expert view names it, called at user_line (0:
 * unknown): `foo -- OMP parallel region from line 12 [.omp_outlined.]`.  what: the construct whose
 * body f is.  known is a cache that the caller owns.
 */
static uint32_t expert_function(struct names *n, struct map *known, uint32_t f, uint32_t user_line,
				enum construct_kind what)
{
	const uint64_t key = (uint64_t)user_line << 8 | (uint64_t)what;
	struct function shown = n->functions[f];
	uint32_t id = map_get(known, f, key, 0);
	char *name;

	if (id)
		return id;
	name = expert_name(n, &n->functions[f], user_line, what);
	shown.name = name;
	id = names_function(n, &shown);
	free(name);
	map_add(known, f, key, id, &id);
	return id;
}

/* ---- functions ----------------------------------------------------------------- */

static bool path_build_raw(const struct path_build *p)
{
	return p->view->kind == VIEW_MACHINE;
}

/* Goes to the child of a node. */
static void path_build_child(struct path_build *p, struct path *x, uint32_t parent,
			     uint32_t function, uint32_t line, unsigned why)
{
	struct tree *t = &p->view->tree;

	x->node = tree_child(t, parent, function, p->lines ? line : 0);
	t->nodes[x->node].why |= (uint16_t)(1u << why);
}

static void path_build_push(struct path_build *p, struct path *x, uint32_t function, uint32_t line,
			    unsigned why)
{
	x->line = line;
	path_build_child(p, x, x->node, function, line, why);
}

/* Gives the innermost frame another line: that in the body that is a part of it. */
static void path_build_move(struct path_build *p, struct path *x, uint32_t line)
{
	const struct tree_node at = p->view->tree.nodes[x->node];

	x->line = line;
	if (p->lines && x->node)
		path_build_child(p, x, at.parent, at.function, line, WHY_STACK);
}

static void path_build_expert(struct path_build *p, struct path *x, const struct step *s)
{
	struct names *n = &p->view->names;
	const struct line l = n->lines[s->line];
	uint32_t function = s->function, line = s->line;

	if (!s->outlined) {
		path_build_push(p, x, function, line, s->why);
		return;
	}
	if (s->continues) {
		line = names_line(n, p->view->tree.nodes[x->node].function, l.file, l.line);
		path_build_move(p, x, line);
		return;
	}
	const struct view_region *r = &p->view->regions[x->region];
	function = expert_function(n, p->expert, function, s->caller,
				   (enum construct_kind)(s->in_task ? p->view->tasks[x->task].kind :
							 r->combined ? r->combined :
								       r->kind));
	line = names_line(n, function, l.file, l.line);
	path_build_push(p, x, function, line, s->why);
}

/* Whether a construct's body is f rather than what is taken for it so far: an inner function has
   the code, its wrapper only calls it.  Not by the order in which they are met. */
static bool path_build_is_better(const struct names *n, uint32_t so_far, uint32_t function)
{
	const struct function *was = &n->functions[so_far], *f = &n->functions[function];

	if (!so_far || was->inner != f->inner)
		return !so_far || f->inner;
	return f->linkage && (!was->linkage || strcmp(f->linkage, was->linkage) < 0);
}

static void path_build_function(struct path_build *p, struct path *x, const struct step *s)
{
	struct view *v = p->view;
	uint32_t *body = s->in_task ? &v->tasks[x->task].body : &v->regions[x->region].body;

	if (s->body && path_build_is_better(&v->names, *body, s->function))
		*body = s->function;
	if (v->kind == VIEW_EXPERT)
		path_build_expert(p, x, s);
	else if (v->kind == VIEW_USER && s->fold && !s->hidden)
		path_build_move(p, x, s->user_line);
	else if (v->kind == VIEW_USER && !s->hidden)
		path_build_push(p, x, v->names.lines[s->user_line].function, s->user_line, s->why);
	x->user_node = x->node;
}

/* ---- regions and tasks --------------------------------------------------------------- */

static const struct line *path_build_line(const struct view *v, uint32_t creator, uint32_t region)
{
	return &v->names.lines[creator ? v->tasks[creator].line : v->regions[region].line];
}

/* Whether a comes before b, by what they are and not by when they are met; the unknown last. */
static bool path_build_is_before(const struct names *n, const struct line *a, const struct line *b)
{
	const char *of_a = n->functions[a->function].name, *of_b = n->functions[b->function].name;

	if (a->line != b->line)
		return a->line && (!b->line || a->line < b->line);
	return of_a && (!of_b || strcmp(of_a, of_b) < 0);
}

/* Notes what contains the code that creates x->task; added: it is new.  For creator see
   view_task. */
static void path_build_creator(struct view *v, const struct path *x, const struct step *s,
			       uint32_t creator, bool added)
{
	struct view_task *t = &v->tasks[x->task];

	if (!added && (creator == x->task || (t->creator == creator && t->region == x->region)))
		return;
	t->creators = !added;
	if (!added && !path_build_is_before(&v->names, path_build_line(v, creator, x->region),
					    path_build_line(v, t->creator, t->region)))
		return;
	t->region = x->region;
	t->creator = creator;
	t->within = s->function;
}

static void path_build_task(struct path_build *p, struct path *x, const struct step *s)
{
	struct view *v = p->view;
	const size_t before = v->ntasks;
	const uint32_t creator = s->in_task ? x->task : 0;

	x->task = view_task(v, x->user_node, s->line);
	if (s->elsewhere)
		v->tasks[x->task].sampled = true;
	if (s->construct == CONSTRUCT_TASKLOOP)
		v->tasks[x->task].kind = CONSTRUCT_TASKLOOP;
	path_build_creator(v, x, s, creator, v->ntasks > before);
}

static void path_build_region(struct path_build *p, struct path *x, const struct step *s)
{
	struct view *v = p->view;
	const uint32_t around = x->region;
	const enum construct_kind begins = (enum construct_kind)s->construct;

	/* A region that would be in itself is the one that the code is in already; but those of
	   boundaries, each of which is of another region. */
	if (s->nested || around < REGION_SPECIALS || v->regions[around].node != x->user_node ||
	    v->regions[around].line != s->line)
		x->region = view_region(v, x->user_node, s->line, around);
	if (s->elsewhere)
		v->regions[x->region].counts.sampled = true;
	if (s->target && x->region != around)
		v->regions[x->region].kind = CONSTRUCT_TARGET;
	if (begins == CONSTRUCT_TEAMS)
		v->regions[x->region].kind = CONSTRUCT_TEAMS;
	if (construct_is_loop(begins) || begins == CONSTRUCT_SECTIONS)
		v->regions[x->region].combined = (uint8_t)begins;
}

/* ---- steps --------------------------------------------------------------------------- */

/* All of a path but what was decided. */
static void path_build_copy(struct path *x, const struct path *from)
{
	x->node = from->node;
	x->line = from->line;
	x->user_node = from->user_node;
	x->region = from->region;
	x->task = from->task;
	x->team = from->team;
}

/* Continues from the creation context; in the machine view the path stays. */
static void path_build_creation(struct path_build *p, struct path *x, uint32_t creation)
{
	const uint32_t node = x->node, line = x->line;

	path_build_copy(x, path_build_of(p, creation));
	if (path_build_raw(p)) {
		x->node = node;
		x->line = line;
	}
}

static void path_build_unknown(struct path_build *p, struct path *x)
{
	x->task = 0;
	x->region = REGION_UNKNOWN;
	if (path_build_raw(p))
		return;
	x->line = 0;
	x->node = view_unknown(p->view, PROF_CAUSE_CONTEXT);
}

/* To the state before the creating frame. */
static void path_build_back(struct path_build *p, struct path *x, const struct step *s)
{
	const struct path *before = path_build_above(p, s->node);

	if (!path_build_raw(p)) {
		x->node = before->node;
		x->line = before->line;
	}
	x->user_node = before->user_node;
	if (s->in_task) {
		x->task = before->task;
		x->region = before->region;
	}
}

/* Takes the steps to a node.  region, task: those of the last boundary, which a frame of their
   creator's, or another creator, is not in. */
static void path_build_walk(struct path_build *p, struct path *x)
{
	const uint32_t region = x->region, task = x->task;
	bool another = false;

	for (size_t i = 0; i < p->decisions.nsteps; i++) {
		const struct step *s = &p->decisions.steps[i];

		switch ((enum step_kind)s->kind) {
		case STEP_FUNCTION: path_build_function(p, x, s); break;
		case STEP_INSERT:
			if (!path_build_raw(p))
				path_build_push(p, x, s->function, s->user_line, s->why);
			if (s->user)
				x->user_node = x->node;
			break;
		case STEP_CALL:
			if (!path_build_raw(p))
				path_build_child(p, x, x->node, s->function, 0, s->why);
			break;
		case STEP_REGION:
			path_build_region(p, x, s);
			if (another)
				p->view->regions[x->region].begun = region;
			another = false;
			break;
		case STEP_TASK:
			path_build_task(p, x, s);
			if (another) {
				p->view->tasks[x->task].body_known = false;
				p->view->unreported |= UNREPORTED_TASK_CREATE |
						       UNREPORTED_TASK_SCHEDULE;
			}
			another = false;
			break;
		case STEP_CREATION: path_build_creation(p, x, s->node); break;
		case STEP_UNKNOWN: path_build_unknown(p, x); break;
		case STEP_BACK: path_build_back(p, x, s); break;
		case STEP_AT_ONCE:
			x->task = task;
			x->region = region;
			break;
		case STEP_ANOTHER:
			another = true;
			x->region = path_build_of(p, s->node)->region;
			x->task = path_build_of(p, s->node)->task;
			break;
		}
	}
}

/* ---- every node once ------------------------------------------------------------------ */

const struct path *path_build_of(const struct path_build *p, uint32_t i)
{
	static const struct path none = { .at = { .position = PATH_AT_START } };

	/* A damaged file may refer to nodes that have no path. */
	return i == PROF_NONE || !p->all[i] ? &none : p->all[i];
}

const struct path *path_build_above(const struct path_build *p, uint32_t i)
{
	return path_build_of(p, p->evidence.file->nodes[i].parent);
}

void path_build_prefetch(const struct path_build *p, uint32_t i)
{
	const uint32_t parent = p->evidence.file->nodes[i].parent;

	if (parent != PROF_NONE)
		__builtin_prefetch(&p->all[parent]);
}

void path_build_make(struct path_build *p, uint32_t i)
{
	const struct prof_rnode *node = &p->evidence.file->nodes[i];
	struct path *x;

	p->all[i] = path_build_above(p, i);
	if (node->kind != PROF_NODE_FRAME && node->kind != PROF_NODE_BOUNDARY) {
		decide_node(&p->decisions, i, NULL);
		return;
	}
	p->made = pinned_grow(p->made, p->nmade, &p->made_room, sizeof(*p->made));
	x = &p->made[p->nmade++];
	path_build_copy(x, p->all[i]);
	p->all[i] = x;
	decide_node(&p->decisions, i, &x->at);
	if (node->kind == PROF_NODE_FRAME && path_build_raw(p)) {
		/* Adds the frames as they are on the stack. */
		const struct sites *s = &p->evidence.sites;
		const struct site *site =
			sites_find(&p->evidence.sites, &p->evidence.file->nodes[i]);

		for (uint32_t k = site->n; k-- > 0;) {
			const uint32_t line = s->lines[site->first + k];

			path_build_push(p, x, p->view->names.lines[line].function, line, WHY_STACK);
		}
	}
	path_build_walk(p, x);
	if (node->kind == PROF_NODE_BOUNDARY)
		x->team = (uint16_t)(node->event | node->state << 8);
}

uint32_t path_build_fork(struct path_build *p, const struct path *x)
{
	struct path begun = *x;

	decide_fork(&p->decisions, &x->at);
	path_build_walk(p, &begun);
	return begun.region;
}

uint32_t path_build_place(struct path_build *p, const struct path *x)
{
	return evidence_place(&p->evidence, x->at.user_line, x->at.user_at, x->at.user_exact);
}
