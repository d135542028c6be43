/* SPDX-License-Identifier: BSD-3-Clause */
/* callsite.c - what is asked of calls. */
#include "config.h"

#include "src/callsite/callsite.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/callsite/callsite_gnu.h"
#include "src/callsite/callsite_object.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"

struct callsites {
	const char *sysroot;
	struct symbols *symbols;
	struct callsite_object *objects;
	struct map barriers, constructs, ways; /* answers, by file and location */
	struct map functions;		       /* struct gnu_function, by file and location */
};

struct callsites *callsites_new(const char *sysroot, struct symbols *symbols)
{
	struct callsites *c = alloc_zeroed(1, sizeof(*c));

	c->sysroot = sysroot ? sysroot : "";
	c->symbols = symbols;
	return c;
}

void callsites_free(struct callsites *c)
{
	if (!c)
		return;
	callsite_objects_free(c->objects);
	map_free(&c->barriers);
	map_free(&c->constructs);
	map_free(&c->ways);
	for (size_t i = 0; i < c->functions.count; i++)
		gnu_function_free((struct gnu_function *)c->functions.entries[i].pointer);
	map_free(&c->functions);
	free(c);
}

static struct callsite_object *callsites_object(struct callsites *c, const struct prof_file *f,
						uint64_t loc)
{
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(loc));

	return m ? callsite_object_of(&c->objects, c->sysroot, prof_text(f, PROF_INFO_CWD), m) :
		   NULL;
}

bool callsites_code(struct callsites *c, const struct prof_file *f, uint64_t loc,
		    struct callsite_code *code)
{
	struct callsite_object *o = callsites_object(c, f, loc);

	if (o)
		*code = callsite_object_code(o);
	return o;
}

bool callsites_is_code(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	const struct callsite_object *o = callsites_object(c, f, loc);

	return o && callsite_object_is_code(o, PROF_LOC_ADDRESS(loc));
}

bool callsites_cancels(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	struct callsite_object *o = callsites_object(c, f, loc);

	return o && callsite_object_cancels(o);
}

struct symbols *callsites_symbols(const struct callsites *c)
{
	return c->symbols;
}

const char *callsites_name(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	return symbols_resolve(c->symbols, f, loc, true)->frames[0].function->name;
}

const char *callsites_called(struct callsites *c, const struct prof_file *f,
			     const struct callsite_code *code, uint64_t loc)
{
	uint64_t target;

	if (!callsite_target(code, PROF_LOC_ADDRESS(loc), &target))
		return NULL;
	return callsites_name(c, f, PROF_LOC(PROF_LOC_MODULE(loc), target));
}

uint64_t callsites_function(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	const struct sym_location *l = symbols_resolve(c->symbols, f, loc, false);

	return (uintptr_t)l->frames[l->nframes - 1].function;
}

enum callsite_way callsites_way(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	uint32_t way = map_get(&c->ways, (uintptr_t)f, loc, UINT32_MAX);
	struct callsite_code code;

	if (way != UINT32_MAX)
		return (enum callsite_way)way;
	way = callsites_code(c, f, loc, &code) ? callsite_way(&code, PROF_LOC_ADDRESS(loc)) :
						 CALLSITE_UNKNOWN;
	map_add(&c->ways, (uintptr_t)f, loc, way, &way);
	return (enum callsite_way)way;
}

/* ---- the code of a module ---------------------------------------------- */

bool callsite_module_of(struct callsite_module *m, struct callsites *c, const struct prof_file *f,
			uint64_t loc)
{
	*m = (struct callsite_module){ .callsites = c, .file = f, .module = PROF_LOC_MODULE(loc) };
	return callsites_code(c, f, loc, &m->code);
}

const char *callsite_module_name(const struct callsite_module *m, uint64_t address)
{
	return callsites_name(m->callsites, m->file, callsite_module_loc(m, address));
}

uint64_t callsite_module_function(const struct callsite_module *m, uint64_t address)
{
	return callsites_function(m->callsites, m->file, callsite_module_loc(m, address + 1));
}

/* A function that is followed. */
struct callsite_followed {
	const struct callsite_module *in;
	uint64_t function;
};

static enum flow_answer followed_call(void *arg, uint64_t return_address, uint64_t target)
{
	(void)arg, (void)return_address, (void)target;
	return FLOW_GO_ON;
}

static enum flow_answer followed_jump(void *arg, uint64_t target)
{
	const struct callsite_followed *f = arg;

	return callsite_module_function(f->in, target) == f->function ? FLOW_GO_ON : FLOW_STOP;
}

bool callsite_module_jumps(const struct callsite_module *m, uint64_t entry,
			   void (*meet)(void *arg, uint64_t at, const struct flow_insn *jump),
			   void *arg)
{
	struct callsite_followed f = { m, callsite_module_function(m, entry) };
	const struct flow_guide guide = { .call = followed_call, .jump = followed_jump, .arg = &f };
	struct flow_piece *pieces;
	struct flow_insn i;
	size_t n;

	if (flow_reach(&m->code, entry, &guide, &pieces, &n))
		return false;
	for (size_t k = 0; k < n; k++)
		for (uint64_t at = pieces[k].lo; at < pieces[k].hi; at += i.bytes) {
			if (!flow_decode(&m->code, at, &i))
				break;
			if ((i.kind == FLOW_JUMP || i.kind == FLOW_BRANCH) &&
			    callsite_module_function(m, i.target) != f.function)
				meet(arg, at, &i);
		}
	free(pieces);
	return true;
}

/* ---- barriers -------------------------------------------------------- */

struct ident {
	const struct callsite_code *code;
	enum barrier_kind kind;
};

/* Whether a barrier's ident_t is at address. */
static bool ident_accept(void *arg, uint64_t address)
{
	struct ident *i = arg;
	const unsigned char *p = i->code->at(i->code->self, address, 16);
	uint32_t words[IDENT_WORDS];

	if (!p || address % 8)
		return false;
	memcpy(words, p, sizeof(words));
	i->kind = toolchain_ident_barrier(words);
	return i->kind != BARRIER_UNKNOWN;
}

enum barrier_kind callsite_barrier(const struct callsite_code *c, uint64_t return_address)
{
	struct ident i = { .code = c, .kind = BARRIER_UNKNOWN };

	return callsite_argument(c, return_address, IDENT_ARGUMENT, ident_accept, &i) ?
		       i.kind :
		       BARRIER_UNKNOWN;
}

enum barrier_kind callsites_barrier(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	uint32_t kind = map_get(&c->barriers, (uintptr_t)f, loc, UINT32_MAX);
	struct callsite_code code;

	if (kind != UINT32_MAX)
		return (enum barrier_kind)kind;
	kind = callsites_code(c, f, loc, &code) ? callsite_barrier(&code, PROF_LOC_ADDRESS(loc)) :
						  BARRIER_UNKNOWN;
	map_add(&c->barriers, (uintptr_t)f, loc, kind, &kind);
	return (enum barrier_kind)kind;
}

/* ---- gcc's constructs without calls ---------------------------------- */

/* The function around a location; NULL: not known. */
static const struct gnu_function *callsites_gnu(struct callsites *c, const struct prof_file *f,
						uint64_t loc)
{
	const uint32_t module = PROF_LOC_MODULE(loc);
	const struct gnu_function *g;
	struct gnu_function *fresh;
	uint64_t lo, hi;

	if (!symbols_code_around(c->symbols, f, loc, &lo, &hi))
		return NULL;
	g = map_pointer(&c->functions, (uintptr_t)f, PROF_LOC(module, lo));
	if (g)
		return g;
	fresh = gnu_function_new(c, f, PROF_LOC(module, lo), lo, hi);
	map_set_pointer(&c->functions, (uintptr_t)f, PROF_LOC(module, lo), fresh);
	return fresh;
}

enum barrier_kind callsites_gnu_barrier(struct callsites *c, const struct prof_file *f,
					uint64_t loc, enum construct_kind *ends, uint64_t *begin)
{
	const struct gnu_function *g = callsites_gnu(c, f, loc - 1);

	*ends = CONSTRUCT_UNKNOWN;
	*begin = 0;
	for (size_t i = 0; g && i < g->nbarriers; i++) {
		const struct gnu_barrier *b = &g->barriers[i];

		if (b->end != PROF_LOC_ADDRESS(loc))
			continue;
		if (b->kind == BARRIER_IMPLICIT) {
			*ends = b->ends;
			*begin = PROF_LOC(PROF_LOC_MODULE(loc), b->begin);
		}
		return b->kind;
	}
	return BARRIER_UNKNOWN;
}

static const struct gnu_loop *callsites_gnu_loop(struct callsites *c, const struct prof_file *f,
						 uint64_t loc)
{
	const struct gnu_function *g = callsites_gnu(c, f, loc);
	const uint64_t at = PROF_LOC_ADDRESS(loc);

	for (size_t i = 0; g && i < g->nloops; i++) {
		const struct gnu_loop *l = &g->loops[i];

		if (l->at == at || (l->at < at && at < l->end) ||
		    flow_has(l->loop.pieces, l->loop.n, at))
			return l;
	}
	return NULL;
}

bool callsites_loop(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		    uint64_t *at)
{
	const struct gnu_loop *l = callsites_gnu_loop(c, f, exact ? loc : loc - 1);

	if (l)
		*at = PROF_LOC(PROF_LOC_MODULE(loc), l->at);
	return l;
}

bool callsites_loop_code(struct callsites *c, const struct prof_file *f, uint64_t at,
			 struct callsite_loop *loop)
{
	const struct gnu_loop *l = callsites_gnu_loop(c, f, at);

	if (l)
		*loop = l->loop;
	return l;
}

bool callsites_single(struct callsites *c, const struct prof_file *f, uint64_t loc, bool exact,
		      uint64_t *begin, enum single_end *end)
{
	const uint64_t at = exact ? loc : loc - 1, address = PROF_LOC_ADDRESS(at);
	const struct gnu_function *g = callsites_gnu(c, f, at);
	bool behind = false;

	for (size_t i = 0; g && i < g->nsingles; i++) {
		const struct gnu_single *s = &g->singles[i];

		behind = behind || flow_has(s->behind, s->nbehind, address);
		if (address != s->begin - 1 && !flow_has(s->pieces, s->n, address))
			continue;
		*begin = PROF_LOC(PROF_LOC_MODULE(loc), s->first);
		*end = s->end;
		return true;
	}
	*begin = loc;
	*end = SINGLE_END_BEHIND;
	return behind;
}

bool callsites_single_code(struct callsites *c, const struct prof_file *f, uint64_t begin,
			   struct flow_piece **pieces, size_t *n)
{
	const struct gnu_function *g = callsites_gnu(c, f, begin - 1);
	const struct gnu_single *s = NULL;

	for (size_t i = 0; g && i < g->nsingles && !s; i++)
		if (g->singles[i].begin == PROF_LOC_ADDRESS(begin))
			s = &g->singles[i];
	*pieces = s && s->n ? alloc_bytes(s->n * sizeof(**pieces)) : NULL;
	if (!*pieces)
		return false;
	memcpy(*pieces, s->pieces, s->n * sizeof(**pieces));
	*n = s->n;
	return true;
}

/* ---- critical sections ----------------------------------------------- */

struct critical {
	struct callsites *callsites;
	const struct prof_file *file;
	uint64_t loc;
	const char *name;
};

static bool critical_accept(void *arg, uint64_t address)
{
	struct critical *k = arg;
	const char *name = symbols_object(k->callsites->symbols, k->file,
					  PROF_LOC(PROF_LOC_MODULE(k->loc), address));

	if (!toolchain_is_critical(name))
		return false;
	k->name = name;
	return true;
}

const char *callsites_critical(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	struct critical k = { .callsites = c, .file = f, .loc = loc };
	struct callsite_code code;

	if (!callsites_code(c, f, loc, &code))
		return NULL;
	if (toolchain_entry(callsites_called(c, f, &code, loc))->flags & ENTRY_UNNAMED)
		return toolchain_unnamed_critical;
	/* libomp's third argument, libgomp's only one. */
	return callsite_argument(&code, PROF_LOC_ADDRESS(loc), 2, critical_accept, &k) ||
			       callsite_argument(&code, PROF_LOC_ADDRESS(loc), 0, critical_accept,
						 &k) ?
		       k.name :
		       NULL;
}

/* ---- constructs ------------------------------------------------------ */

static bool schedule_accept(void *arg, uint64_t number)
{
	enum construct_kind *kind = arg;

	*kind = toolchain_schedule(number);
	return *kind != CONSTRUCT_FOR;
}

enum construct_kind callsite_construct(const struct callsite_code *c, uint64_t return_address,
				       const char *called)
{
	const struct toolchain_entry *entry = toolchain_entry(called);
	enum construct_kind kind = (enum construct_kind)entry->construct;

	if (entry->flags & ENTRY_SCHEDULE)
		callsite_argument(c, return_address, SCHEDULE_ARGUMENT, schedule_accept, &kind);
	return kind ? kind : CONSTRUCT_UNKNOWN;
}

enum construct_kind callsites_construct(struct callsites *c, const struct prof_file *f,
					uint64_t loc)
{
	uint32_t kind = map_get(&c->constructs, (uintptr_t)f, loc, UINT32_MAX);
	struct callsite_code code;

	if (kind != UINT32_MAX)
		return (enum construct_kind)kind;
	kind = callsites_code(c, f, loc, &code) ?
		       callsite_construct(&code, PROF_LOC_ADDRESS(loc),
					  callsites_called(c, f, &code, loc)) :
		       CONSTRUCT_UNKNOWN;
	map_add(&c->constructs, (uintptr_t)f, loc, kind, &kind);
	return (enum construct_kind)kind;
}

static bool number_accept(void *arg, uint64_t number)
{
	*(uint64_t *)arg = number;
	return number > 0 && number < 1 << 16;
}

unsigned callsites_sections(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	struct callsite_code code;
	uint64_t number = 0;
	unsigned argument;

	if (!callsites_code(c, f, loc, &code))
		return 0;
	argument = toolchain_entry(callsites_called(c, f, &code, loc))->sections;
	if (argument)
		callsite_argument(&code, PROF_LOC_ADDRESS(loc), argument - 1, number_accept,
				  &number);
	return (unsigned)number;
}
