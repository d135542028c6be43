/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_extents.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/code/flow.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_places.h"
#include "src/symbols/symbols_unit.h"
#include "src/toolchain/outlined.h"

static bool same_file(const char *a, const char *b)
{
	return a && b && (a == b || !strcmp(a, b));
}

static int symbols_extents_compare(const void *a, const void *b)
{
	const struct symbols_extent *x = a, *y = b;

	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static int compare_starts(const void *a, const void *b)
{
	const struct symbols_start *x = a, *y = b;
	const int files = strcmp(x->file, y->file);

	return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* Adds an entry for each function of the unit. */
static void list_functions(struct symbols_extents *e, const struct symbols_unit *u)
{
	size_t n = 0;

	e->at = alloc_zeroed(u->nsubprograms, sizeof(*e->at));
	for (size_t i = 0; i < u->nsubprograms; i++) {
		e->at[i].die = symbols_die_root(&u->subprograms[i].die);
		/* In Fortran nested functions follow the function that contains them. */
		e->at[i].inner = (u->subprograms[i].enclosing != SYMBOLS_NONE &&
				  u->language != SYMBOLS_FORTRAN) ||
				 dwarf_hasattr(&e->at[i].die, DW_AT_declaration);
	}
	if (u->nsubprograms)
		qsort(e->at, u->nsubprograms, sizeof(*e->at), symbols_extents_compare);
	for (size_t i = 0; i < u->nsubprograms; i++)
		if (!n || e->at[n - 1].die.addr != e->at[i].die.addr)
			e->at[n++] = e->at[i];
	e->count = n;
	for (size_t i = 0; i < n; i++) {
		struct symbols_extent *x = &e->at[i];

		Dwarf_Attribute attr;
		const char *name = dwarf_diename(&x->die);

		if (!name && dwarf_attr_integrate(&x->die, DW_AT_linkage_name, &attr))
			name = dwarf_formstring(&attr);
		struct symbols_place p = symbols_declared_place(&x->die);
		struct outlined o;

		x->file = p.file;
		x->declared = p.line;
		if (name && outlined_parse(name, &o)) {
			x->outlined = true;
			/* Helpers are no wrappers. */
			x->debug = o.debug || o.kind == SYM_OUTLINED_HELPER;
		}
	}
	e->starts = alloc_zeroed(e->count, sizeof(*e->starts));
	for (size_t i = 0; i < e->count; i++) {
		const struct symbols_extent *x = &e->at[i];

		if (x->file && !x->inner && !x->outlined)
			e->starts[e->nstarts++] = (struct symbols_start){ x->file, x->declared };
	}
	if (e->nstarts)
		qsort(e->starts, e->nstarts, sizeof(*e->starts), compare_starts);
}

/* A row of the line table, and its function. */
struct symbols_extents_row {
	Dwarf_Line *line;
	Dwarf_Addr lo, hi;
	unsigned number; /* line number */
};

/* False: row i is not one of code with a line number. */
static bool row_at(Dwarf_Lines *lines, size_t i, struct symbols_extents_row *row)
{
	bool end = true;
	int line;

	row->line = dwarf_onesrcline(lines, i);
	if (dwarf_lineendsequence(row->line, &end) || end || dwarf_lineaddr(row->line, &row->lo) ||
	    dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &row->hi) ||
	    dwarf_lineno(row->line, &line) || line <= 0)
		return false;
	row->number = (unsigned)line;
	return true;
}

/* Calls visit for the unit's line table rows in [lo, hi), and for the row before. */
static void visit_rows(struct symbols_unit *u, uint64_t lo, uint64_t hi,
		       void (*visit)(void *arg, const struct symbols_extents_row *row), void *arg)
{
	Dwarf_Lines *lines;
	struct symbols_extents_row row;
	size_t count;

	if (dwarf_getsrclines(&u->die, &lines, &count))
		return;
	/* The last row with a line number that begins before lo, or the first of all. */
	ptrdiff_t i = count && lo ? symbols_row_before(lines, count, lo - 1) : 0;

	if (i >= (ptrdiff_t)count - 1)
		i = (ptrdiff_t)count - 2;
	while (i > 0 && !row_at(lines, (size_t)i, &row))
		i--;
	for (i = i > 0 ? i : 0; (size_t)i + 1 < count; i++) {
		if (!row_at(lines, (size_t)i, &row))
			continue;
		if (row.lo >= hi)
			break;
		visit(arg, &row);
	}
}

/*
 * The functions at an address, innermost first, each with its line: the row's, then those
 * of the inlined calls.
 */
struct level {
	struct symbols_unit *unit;
	const struct symbols_body *body; /* NULL: outside functions */
	uint32_t inlined;
	uint64_t lo; /* where the code of the innermost begins, or a piece of it */
	Dwarf_Die root;
	struct symbols_place place;
};

static bool level_first(struct level *l, struct symbols_unit *u, uint64_t address,
			const struct symbols_extents_row *row)
{
	uint64_t lo = 0;
	struct symbols_body *b = symbols_unit_body(u, address, &lo);

	*l = (struct level){ .unit = u, .body = b, .lo = lo };
	if (!b)
		return false;
	l->inlined = symbols_body_inlined(b, address, &l->lo);
	l->root = symbols_die_root(l->inlined == SYMBOLS_NONE ? &b->die :
								&b->inlined[l->inlined].die);
	if (row) {
		l->place.file = dwarf_linesrc(row->line, NULL, NULL);
		l->place.line = row->number;
	}
	return true;
}

static bool level_outer(struct level *l)
{
	const struct symbols_body *b = l->body;
	Dwarf_Die die;

	if (l->inlined == SYMBOLS_NONE)
		return false;
	die = b->inlined[l->inlined].die;
	l->place = symbols_call_place(&die);
	l->inlined = b->inlined[l->inlined].outer;
	die = l->inlined == SYMBOLS_NONE ? b->die : b->inlined[l->inlined].die;
	l->root = symbols_die_root(&die);
	return true;
}

struct symbols_extents_rows {
	struct symbols_extents *extents;
	struct symbols_unit *unit;
	struct level last; /* levels outside it were processed before */
};

/* The function of the source that begins first after line of file, as index into starts. */
static size_t start_after(const struct symbols_extents *e, const char *file, unsigned line)
{
	const struct symbols_start after = { file, line };
	size_t lo = 0, hi = e->nstarts;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (compare_starts(&e->starts[mid], &after) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The line after the given one at which the next function of the file begins, or UINT_MAX.
 * A construct ends before it.  Code that gcc moved out of an inlined function keeps its
 * line although it is no longer marked as that function's.
 */
static unsigned symbols_extents_limit(const struct symbols_extents *e, const char *file,
				      unsigned line)
{
	const size_t next = file ? start_after(e, file, line) : e->nstarts;

	return next < e->nstarts && same_file(e->starts[next].file, file) ? e->starts[next].line :
									    UINT_MAX;
}

/* The line at which the function begins that has the given line of file; 0: not known. */
static unsigned extents_start(const struct symbols_extents *e, const char *file, unsigned line)
{
	const size_t next = file ? start_after(e, file, line) : 0;

	return next > 0 && same_file(e->starts[next - 1].file, file) ? e->starts[next - 1].line : 0;
}

static void take_place(struct symbols_extents *e, const struct level *l)
{
	struct symbols_extent *x = (struct symbols_extent *)symbols_extents_find(e, &l->root);

	if (!x || !l->place.file || !l->place.line)
		return;
	if (!x->file) /* gcc's outlined functions have no declaration */
		x->file = l->place.file;
	if (!same_file(l->place.file, x->file))
		return;
	/* Functions without a declaration lie in one that has one. */
	if (!x->declared && !x->limit) {
		x->start = extents_start(e, x->file, l->place.line);
		x->limit = symbols_extents_limit(e, x->file, l->place.line);
	}
	if (x->limit && (l->place.line < x->start || l->place.line >= x->limit))
		return;
	if (!x->first || l->place.line < x->first)
		x->first = l->place.line;
	if (l->place.line > x->last)
		x->last = l->place.line;
}

static void take_row(void *arg, const struct symbols_extents_row *row)
{
	struct symbols_extents_rows *r = arg;
	struct level l;

	if (!level_first(&l, r->unit, row->lo, row))
		return;
	/* A row without code, where inlined code begins, may be of what is in front of it. */
	if (row->lo == row->hi && l.inlined != SYMBOLS_NONE && l.lo == row->lo)
		return;
	take_place(r->extents, &l);
	if (l.body == r->last.body && l.inlined == r->last.inlined)
		return;
	r->last = l;
	while (level_outer(&l))
		take_place(r->extents, &l);
}

const struct symbols_extents *symbols_extents_of(struct symbols_unit *u)
{
	struct symbols_extents *e;
	struct symbols_extents_rows rows = { .unit = u };

	if (u->extents)
		return u->extents;
	symbols_unit_load(u);
	rows.extents = e = alloc_zeroed(1, sizeof(*e));
	list_functions(e, u);
	visit_rows(u, 0, UINT64_MAX, take_row, &rows);
	u->extents = e;
	return e;
}

void symbols_extents_free(struct symbols_extents *e)
{
	if (e) {
		free(e->at);
		free(e->starts);
	}
	free(e);
}

const struct symbols_extent *symbols_extents_find(const struct symbols_extents *e,
						  const Dwarf_Die *root)
{
	const struct symbols_extent key = { .die = *root };

	return e->count ? bsearch(&key, e->at, e->count, sizeof(*e->at), symbols_extents_compare) :
			  NULL;
}

/* ---- by address -------------------------------------------------------------------- */

struct within {
	struct symbols_unit *unit;
	const struct sym_where *where;
	struct level scope; /* the function that the lines are of */
	unsigned strays;    /* so many functions at the call are inside of it */
	bool met;	    /* a row that counts */
	const char *file;   /* of the row of the call */
	unsigned begin;	    /* line of that row */
	unsigned before;    /* line of the row before */
	unsigned first, last;
	unsigned start;	 /* line at which the function begins */
	unsigned limit;	 /* line of the next function */
	unsigned marked; /* the lowest line at which a statement begins */
	unsigned other;	 /* the lowest line but that of the call */
	unsigned ended;	 /* the highest line at which a statement begins */
	bool statement;	 /* the row of the call begins a statement */
	bool optimized;	 /* some rows begin no statement */
};

/* An address in both the row and the pieces; 0: none. */
static uint64_t within_at(const struct within *w, const struct symbols_extents_row *row)
{
	for (size_t i = 0; i < w->where->n; i++) {
		const uint64_t lo = w->where->pieces[i].lo - w->where->bias;
		const uint64_t hi = w->where->pieces[i].hi - w->where->bias;

		/* A row at a label may repeat what comes before. */
		if ((w->where->own || w->where->unplaced) &&
		    (row->lo < lo || (row->lo == lo && row->number == w->before)))
			continue;
		if (row->lo < hi && (lo < row->hi || (w->where->unplaced && lo == row->lo)))
			return row->lo > lo ? row->lo : lo;
	}
	return 0;
}

/* The level of the scope at an address of the row; false: it is not there. */
static bool level_at(struct level *l, const struct within *w, uint64_t address,
		     const struct symbols_extents_row *row)
{
	if (!level_first(l, w->unit, address, row))
		return false;
	while (l->root.addr != w->scope.root.addr)
		if (!level_outer(l))
			return false;
	return true;
}

static void take_call(void *arg, const struct symbols_extents_row *row)
{
	struct within *w = arg;
	struct level l;

	if (row->lo > w->where->call || row->hi <= w->where->call ||
	    !level_at(&l, w, w->where->call, row))
		return;
	w->file = l.place.file;
	w->begin = l.place.line;
	dwarf_linebeginstatement(row->line, &w->statement);
	if (!w->where->own && !w->where->unplaced)
		w->first = w->last = l.place.line;
}

/* Whether the function inner, inlined into b, is outer or was inlined into it. */
static bool is_inlined_into(const struct symbols_body *b, uint32_t inner, uint32_t outer)
{
	while (inner != outer && inner != SYMBOLS_NONE)
		inner = b->inlined[inner].outer;
	return inner == outer;
}

/* Code that was moved here from elsewhere begins no statement. */
static void take_scope(void *arg, const struct symbols_extents_row *row)
{
	struct within *w = arg;
	const uint64_t at = within_at(w, row);
	bool statement = true;
	struct level l;

	w->before = row->number;
	dwarf_linebeginstatement(row->line, &statement);
	if (!at || !statement || (w->where->next && w->met) || !level_first(&l, w->unit, at, row) ||
	    l.body != w->scope.body)
		return;
	w->met = true;
	while (!is_inlined_into(l.body, l.inlined, w->scope.inlined) && level_outer(&w->scope))
		w->strays++;
}

static void take_lowest(unsigned *lowest, unsigned line)
{
	if (!*lowest || line < *lowest)
		*lowest = line;
}

static void take_within(void *arg, const struct symbols_extents_row *row)
{
	struct within *w = arg;
	const uint64_t at = within_at(w, row);
	bool statement = true;
	struct level l;

	w->before = row->number;
	if (!at || !level_at(&l, w, at, row))
		return;
	/* Rows without code, where an inlined function begins, may be of that. */
	if (!l.place.line || l.place.line < w->start || !same_file(l.place.file, w->file))
		return;
	dwarf_linebeginstatement(row->line, &statement);
	w->optimized = w->optimized || !statement;
	if (statement) {
		take_lowest(&w->marked, l.place.line);
		if (l.place.line > w->ended && l.place.line < w->limit)
			w->ended = l.place.line;
	}
	if (l.place.line != w->begin && l.place.line != w->where->before)
		take_lowest(&w->other, l.place.line);
	take_lowest(&w->first, l.place.line);
	if (l.place.line > w->last && l.place.line < w->limit)
		w->last = l.place.line;
}

/* Visits the rows from the first piece of code to the last. */
static void visit_within(struct within *w,
			 void (*visit)(void *arg, const struct symbols_extents_row *row))
{
	const struct sym_where *where = w->where;
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < where->n; i++) {
		lo = where->pieces[i].lo < lo ? where->pieces[i].lo : lo;
		hi = where->pieces[i].hi > hi ? where->pieces[i].hi : hi;
	}
	w->before = 0;
	if (where->n)
		visit_rows(w->unit, lo - where->bias, hi - where->bias, visit, w);
}

/*
 * The functions that the construct's code is in. The compiler gave some of its calls the place of
 * the code before, which may be of a function that was inlined there: what does not hold all of
 * the construct's code, too, is not where it is.
 */
static bool find_scope(struct within *w)
{
	symbols_unit_load(w->unit);
	if (!level_first(&w->scope, w->unit, w->where->call, NULL))
		return false;
	if (w->where->own || w->where->unplaced)
		visit_within(w, take_scope);
	return true;
}

unsigned symbols_extents_strays(struct symbols_unit *u, const struct sym_where *where)
{
	struct within w = { .unit = u, .where = where };

	return find_scope(&w) ? w.strays : 0;
}

/* The best that is known of the line at which a construct begins. Where the call has the place of
   the code before, that is no line of it. Optimizing C and C++, gcc marks where a loop's statement
   begins, before the call. */
static unsigned within_first(const struct within *w)
{
	if (!w->where->unplaced)
		return (w->strays || w->where->before) && w->other ? w->other : w->first;
	if (!w->optimized)
		return w->other;
	if (w->where->loop && w->statement && w->begin && !w->strays)
		return w->begin;
	return w->marked ? w->marked : w->other;
}

/* The lines that the scope can have, and no others: it is a function, or code of one. */
static void take_bounds(struct within *w, const struct symbols_extents *e)
{
	const struct symbols_extent *x = symbols_extents_find(e, &w->scope.root);

	if (w->where->unplaced && x && x->file) {
		w->start = x->declared ? x->declared : x->start;
		w->limit = symbols_extents_limit(e, x->file, w->start);
		if (!same_file(w->file, x->file) || w->begin < w->start || w->begin >= w->limit)
			w->begin = 0;
		w->file = x->file;
		return;
	}
	w->start = extents_start(e, w->file, w->begin);
	w->limit = symbols_extents_limit(e, w->file, w->begin);
}

bool symbols_extents_within(struct symbols_unit *u, const struct sym_where *where,
			    struct sym_lines *lines)
{
	struct within w = { .unit = u, .where = where, .limit = UINT_MAX };

	if (!find_scope(&w))
		return false;
	visit_rows(u, where->call, where->call + 1, take_call, &w);
	take_bounds(&w, symbols_extents_of(u));
	visit_within(&w, take_within);
	*lines = (struct sym_lines){
		.file = w.file,
		.first = within_first(&w),
		.last = where->unplaced && w.optimized && w.ended ? w.ended : w.last,
	};
	return lines->first != 0;
}

/* ---- by line ----------------------------------------------------------------------- */

/*
 * Functions overlap only for lambdas and local classes.  So the function is the one with
 * the greatest first line not after the line, among those that end after it.  If none is
 * known to end after it (because the code behind the construct was optimized away), all
 * functions count.
 */
const struct symbols_extent *symbols_extents_around(const struct symbols_extents *e,
						    const char *file, unsigned line, bool *several)
{
	const struct symbols_extent *best = NULL;
	bool best_ends = false;

	*several = false;
	for (size_t i = 0; i < e->count; i++) {
		const struct symbols_extent *x = &e->at[i];
		bool ends = x->last >= line;

		if (x->outlined || !x->declared || x->declared > line ||
		    !same_file(file, x->file) || (best_ends && !ends))
			continue;
		if (best && best_ends == ends && x->declared == best->declared) {
			*several = true;
		} else if (!best || (ends && !best_ends) || x->declared > best->declared) {
			best = x;
			best_ends = ends;
			*several = false;
		}
	}
	return best;
}

const struct symbols_extent *symbols_extents_wrapper(const struct symbols_extents *e,
						     const char *file, unsigned line)
{
	const struct symbols_extent *best = NULL;

	for (size_t i = 0; i < e->count; i++) {
		const struct symbols_extent *x = &e->at[i];

		if (x->outlined && !x->debug && x->declared && x->declared <= line &&
		    same_file(file, x->file) && (!best || x->declared > best->declared))
			best = x;
	}
	return best;
}
