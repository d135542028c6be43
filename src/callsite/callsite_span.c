/*
 * callsite_span.c - the code of a construct, from the call that begins it to those
 * that end it.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/code/flow.h"
#include "src/profile/format.h"

enum { SPAN_BYTES = 1 << 16 }; /* that are looked through for a beginning */

/* Who enters, by what the beginning returns. */
enum enters { ALL, IF_NOT_0, IF_0 };

static const struct family {
	const char *begin, *begin_part;
	enum enters enters;
	const char *end;	      /* NULL: it ends where next tells that it is over, … */
	const char *next, *next_part; /* asks for more iterations; 0: there are none; … */
	bool untold;		      /* … or nothing tells: see callsite_single.c */
} families[] = {
	{ "__kmpc_for_static_init", "", ALL, "__kmpc_for_static_fini", NULL, NULL, false },
	{ "__kmpc_dist_for_static_init", "", ALL, "__kmpc_for_static_fini", NULL, NULL, false },
	{ "__kmpc_distribute_static_init", "", ALL, "__kmpc_distribute_static_fini", NULL, NULL,
	  false },
	{ "__kmpc_dispatch_init", "", ALL, NULL, "__kmpc_dispatch_next", "", false },
	{ "__kmpc_dist_dispatch_init", "", ALL, NULL, "__kmpc_dispatch_next", "", false },
	{ "__kmpc_single", "", IF_NOT_0, "__kmpc_end_single", NULL, NULL, false },
	{ "__kmpc_master", "", IF_NOT_0, "__kmpc_end_master", NULL, NULL, false },
	{ "__kmpc_masked", "", IF_NOT_0, "__kmpc_end_masked", NULL, NULL, false },
	{ "__kmpc_critical", "", ALL, "__kmpc_end_critical", NULL, NULL, false },
	{ "__kmpc_ordered", "", ALL, "__kmpc_end_ordered", NULL, NULL, false },
	{ "__kmpc_taskgroup", "", ALL, "__kmpc_end_taskgroup", NULL, NULL, false },
	{ "GOMP_loop_", "start", IF_NOT_0, "GOMP_loop_end", "GOMP_loop_", "next", false },
	{ "GOMP_sections", "_start", ALL, "GOMP_sections_end", NULL, NULL, false },
	{ "GOMP_single_start", "", IF_NOT_0, NULL, NULL, NULL, true },
	{ "GOMP_single_copy_start", "", IF_0, "GOMP_single_copy_end", NULL, NULL, false },
	{ "GOMP_critical_start", "", ALL, "GOMP_critical_end", NULL, NULL, false },
	{ "GOMP_critical_name_start", "", ALL, "GOMP_critical_name_end", NULL, NULL, false },
	{ "GOMP_ordered_start", "", ALL, "GOMP_ordered_end", NULL, NULL, false },
	{ "GOMP_taskgroup_start", "", ALL, "GOMP_taskgroup_end", NULL, NULL, false },
};

struct scan {
	struct callsites *callsites;
	const struct prof_file *file;
	struct callsite_code code;
	const struct family *family;
	uint64_t function; /* that all of it lies in */
	uint64_t begin;	   /* return address of the call that begins it */
	uint32_t module;
	bool ended; /* an end was met */
};

static uint64_t scan_loc(const struct scan *s, uint64_t address)
{
	return PROF_LOC(s->module, address);
}

static bool is_begin(const struct family *f, const char *called)
{
	return callsite_is_called(called, f->begin, f->begin_part);
}

static bool is_end(const struct family *f, const char *called)
{
	return f->end && callsite_is_called(called, f->end, "");
}

/* ---- from the end to the beginning ----------------------------------- */

static const struct family *family_of(const char *called, bool *begins)
{
	for (size_t i = 0; called && i < sizeof(families) / sizeof(*families); i++) {
		*begins = is_begin(&families[i], called);
		if (*begins || is_end(&families[i], called))
			return &families[i];
	}
	return NULL;
}

/* The call before that end which it ends; 0: none. */
static uint64_t scan_back(const struct scan *s, uint64_t from)
{
	const uint64_t limit = from > SPAN_BYTES ? from - SPAN_BYTES : 0;
	unsigned depth = 0;

	while ((from = callsite_last_call(&s->code, from, limit))) {
		const char *called =
			callsites_called(s->callsites, s->file, &s->code, scan_loc(s, from));

		if (!called || (!is_begin(s->family, called) && !is_end(s->family, called)))
			continue;
		if (callsites_function(s->callsites, s->file, scan_loc(s, from)) != s->function)
			return 0;
		if (is_end(s->family, called))
			depth++;
		else if (depth-- == 0)
			return from;
	}
	return 0;
}

bool callsite_is_noreturn(const char *called)
{
	static const char *const names[] = {
		"abort",
		"exit",
		"_exit",
		"_Exit",
		"quick_exit",
		"pthread_exit",
		"longjmp",
		"siglongjmp",
		"__longjmp_chk",
		"__assert_fail",
		"__stack_chk_fail",
		"__fortify_fail",
		"__chk_fail",
		"__cxa_throw",
		"__cxa_rethrow",
		"__cxa_throw_bad_array_new_length",
		"__cxa_bad_cast",
		"__cxa_bad_typeid",
		"_Unwind_Resume",
		"__clang_call_terminate",
		"std::terminate()",
		"_gfortran_stop_string",
		"_gfortran_stop_numeric",
		"_gfortran_error_stop_string",
		"_gfortran_error_stop_numeric",
		"_gfortran_runtime_error",
		"_gfortran_runtime_error_at",
		"_gfortran_os_error",
		"_gfortran_os_error_at",
	};
	size_t n = strcspn(called, "@");

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == n && !strncmp(called, names[i], n))
			return true;
	return !strncmp(called, "std::__throw_", 13);
}

/* ---- from the beginning to all its ends ------------------------------ */

static enum flow_answer scan_call(void *arg, uint64_t return_address, uint64_t target)
{
	struct scan *s = arg;
	const char *called = callsites_name(s->callsites, s->file, scan_loc(s, target));
	const struct family *f = s->family;

	/* Around once more. */
	if (return_address == s->begin || callsite_is_noreturn(called))
		return FLOW_STOP;
	if (is_end(f, called)) {
		s->ended = true;
		return FLOW_STOP;
	}
	if (!f->next || !callsite_is_called(called, f->next, f->next_part))
		return FLOW_GO_ON;
	s->ended = true;
	return FLOW_IF_NOT_ZERO;
}

/* Out of the function: what ends it may be called last. */
static enum flow_answer scan_jump(void *arg, uint64_t target)
{
	struct scan *s = arg;

	if (callsites_function(s->callsites, s->file, scan_loc(s, target + 1)) == s->function)
		return FLOW_GO_ON;
	s->ended = s->ended ||
		   is_end(s->family, callsites_name(s->callsites, s->file, scan_loc(s, target)));
	return FLOW_STOP;
}

bool callsites_span(struct callsites *c, const struct prof_file *f, uint64_t loc, uint64_t *begin,
		    struct flow_piece **pieces, size_t *n)
{
	struct scan s = { .callsites = c, .file = f, .module = PROF_LOC_MODULE(loc) };
	const struct flow_guide guide = { .call = scan_call, .jump = scan_jump, .arg = &s };
	uint64_t into, around = 0;
	bool begins = false;

	if (!callsites_code(c, f, loc, &s.code))
		return false;
	s.family = family_of(callsites_called(c, f, &s.code, loc), &begins);
	s.function = callsites_function(c, f, loc);
	if (!s.family)
		return false;
	into = s.begin = begins ? PROF_LOC_ADDRESS(loc) : scan_back(&s, PROF_LOC_ADDRESS(loc));
	*begin = scan_loc(&s, s.begin);
	if (s.begin && s.family->untold)
		return callsites_single_code(c, f, *begin, pieces, n);
	if (!s.begin ||
	    (s.family->enters == IF_NOT_0 && !flow_if_zero(&s.code, s.begin, &around, &into)) ||
	    (s.family->enters == IF_0 && !flow_if_zero(&s.code, s.begin, &into, &around)) ||
	    flow_reach(&s.code, into, &guide, pieces, n))
		return false;
	if (s.ended)
		return true;
	free(*pieces);
	return false;
}
