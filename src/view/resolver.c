#include "config.h"

#include "src/view/resolver.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/model/mpi.h"
#include "src/profile/format.h"
#include "src/symbols/symbols.h"
#include "src/toolchain/toolchain.h"
#include "src/view/recall.h"

static const struct sym_location *lookup_resolve(void *self, const struct prof_file *f,
						 uint64_t loc, bool exact)
{
	return symbols_resolve(((struct lookup *)self)->symbols, f, loc, exact);
}

static const char *lookup_object(void *self, const struct prof_file *f, uint64_t loc)
{
	return symbols_object(((struct lookup *)self)->symbols, f, loc);
}

static enum barrier_kind lookup_barrier(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_barrier(((struct lookup *)self)->callsites, f, loc);
}

static enum barrier_kind lookup_gnu_barrier(void *self, const struct prof_file *f, uint64_t loc,
					    enum construct_kind *ends, uint64_t *begin)
{
	return callsites_gnu_barrier(((struct lookup *)self)->callsites, f, loc, ends, begin);
}

static bool lookup_loop(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			uint64_t *at)
{
	return callsites_loop(((struct lookup *)self)->callsites, f, loc, exact, at);
}

static bool lookup_loop_lines(void *self, const struct prof_file *f, uint64_t at, const char **file,
			      unsigned *line, unsigned *last)
{
	const struct lookup *l = self;
	const struct flow_piece *pieces;
	unsigned first;
	size_t n;

	if (!callsites_loop_code(l->callsites, f, at, &pieces, &n, file, line))
		return false;
	if (!symbols_lines_in(l->symbols, f, at, pieces, n, &first, last))
		first = *last = 0;
	if (!*line && first) {
		*file = symbols_resolve(l->symbols, f, at, true)->frames[0].file;
		*line = first;
	}
	return true;
}

static bool lookup_single(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			  uint64_t *begin, enum single_end *end)
{
	return callsites_single(((struct lookup *)self)->callsites, f, loc, exact, begin, end);
}

static const char *lookup_critical(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_critical(((struct lookup *)self)->callsites, f, loc);
}

static enum construct_kind lookup_construct(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_construct(((struct lookup *)self)->callsites, f, loc);
}

static unsigned lookup_sections(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_sections(((struct lookup *)self)->callsites, f, loc);
}

/* What the call before loc is of, if its line is that of the code before; else NULL. */
static const char *lookup_unplaced(const struct lookup *l, const struct prof_file *f, uint64_t loc)
{
	struct callsite_code code;
	const char *called;

	if (!callsites_code(l->callsites, f, loc, &code))
		return NULL;
	called = callsites_called(l->callsites, f, &code, loc);
	return toolchain_entry(called)->flags & ENTRY_UNPLACED ? called : NULL;
}

static bool lookup_span(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin,
			unsigned *first, unsigned *last)
{
	const struct lookup *l = self;
	struct flow_piece *pieces;
	size_t n;
	const char *unplaced;
	bool known;

	if (!callsites_span(l->callsites, f, loc, begin, &pieces, &n))
		return false;
	unplaced = lookup_unplaced(l, f, *begin);
	if (unplaced)
		known = symbols_lines_behind(l->symbols, f, *begin, strstr(unplaced, "_loop_"),
					     pieces, n, first, last);
	else
		known = symbols_span(l->symbols, f, *begin, pieces, n, first, last);
	free(pieces);
	return known;
}

static bool lookup_tail(void *self, const struct prof_file *f, uint64_t loc, uint64_t *at,
			enum construct_kind *kind)
{
	return callsites_tail(((struct lookup *)self)->callsites, f, loc, at, kind);
}

static enum callsite_way lookup_way(void *self, const struct prof_file *f, uint64_t loc)
{
	return callsites_way(((struct lookup *)self)->callsites, f, loc);
}

static bool lookup_body(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			const char *callee, struct callsite_body *body)
{
	return callsites_body(((struct lookup *)self)->callsites, f, loc, exact, callee, body);
}

static bool lookup_called(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			  char *name, size_t bytes)
{
	struct lookup *l = self;
	struct callsite_code code;
	struct flow_insn i;
	const char *called = NULL;
	size_t n;

	if (!callsites_code(l->callsites, f, loc, &code))
		return false;
	if (!exact)
		called = callsites_called(l->callsites, f, &code, loc);
	else if (flow_decode(&code, PROF_LOC_ADDRESS(loc), &i) && i.kind == FLOW_JUMP)
		called = callsites_name(l->callsites, f, PROF_LOC(PROF_LOC_MODULE(loc), i.target));
	n = called ? strcspn(called, "@") : 0;
	if (!n || n >= bytes)
		return false;
	memcpy(name, called, n);
	name[n] = '\0';
	return true;
}

static bool lookup_begin(void *self, const struct prof_file *f, uint64_t loc, uint64_t *begin)
{
	uint64_t hi;

	if (!symbols_code_around(((struct lookup *)self)->symbols, f, loc - 1, begin, &hi))
		return false;
	*begin = PROF_LOC(PROF_LOC_MODULE(loc), *begin);
	return true;
}

static bool lookup_entry(void *self, const struct prof_file *f, uint64_t loc, bool exact,
			 uint64_t *entry)
{
	return callsites_entry(((struct lookup *)self)->callsites, f, loc, exact, entry);
}

static bool lookup_start(void *self, const struct prof_file *f, uint64_t loc, uint64_t *start)
{
	return symbols_start(((struct lookup *)self)->symbols, f, loc, start);
}

static const char *lookup_place(void *self, const struct prof_file *f, uint64_t loc, bool exact)
{
	const struct lookup *l = self;
	uint64_t entry;

	return symbols_place(l->symbols, f,
			     callsites_entry(l->callsites, f, loc, exact, &entry) ? entry : loc);
}

static bool lookup_extent(void *self, const struct sym_function *function, unsigned *first,
			  unsigned *last)
{
	return symbols_extent(((struct lookup *)self)->symbols, function, first, last);
}

int lookup_open(struct lookup *l, const char *sysroot)
{
	*l = (struct lookup){
		.files = {
			.resolve = lookup_resolve, .object = lookup_object,
			.barrier = lookup_barrier, .gnu_barrier = lookup_gnu_barrier,
			.loop = lookup_loop, .loop_lines = lookup_loop_lines,
			.single = lookup_single,
			.critical = lookup_critical, .construct = lookup_construct,
			.sections = lookup_sections,
			.span = lookup_span, .tail = lookup_tail,
			.way = lookup_way, .body = lookup_body, .entry = lookup_entry,
			.called = lookup_called, .begin = lookup_begin, .start = lookup_start,
			.place = lookup_place, .extent = lookup_extent, .self = l,
		},
		.symbols = symbols_new(sysroot),
	};
	l->callsites = callsites_new(sysroot, l->symbols);
	l->recall = recall_new(&l->files, l->symbols, sysroot);
	if (l->symbols && l->callsites && l->recall) {
		l->resolver = recall_resolver(l->recall);
		return 0;
	}
	lookup_close(l);
	return -ENOMEM;
}

void lookup_folders(struct lookup *l, const struct prof_file *f,
		    void (*visit)(const char *folder, void *arg), void *arg)
{
	symbols_folders(l->symbols, f, visit, arg);
}

void lookup_close(struct lookup *l)
{
	recall_free(l->recall);
	callsites_free(l->callsites);
	symbols_free(l->symbols);
	*l = (struct lookup){ 0 };
}

void lookup_troubles(const struct lookup *l,
		     void (*visit)(const char *path, const char *why, void *arg), void *arg)
{
	recall_troubles(l->recall, visit, arg);
	symbols_troubles(l->symbols, visit, arg);
}
