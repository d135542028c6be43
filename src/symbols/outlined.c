#include "config.h"

#include "src/symbols/outlined.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum place {
	ANYWHERE, /* the text before the mark is the origin */
	AT_START,
};

/* Order matters: the names of clang's helpers contain those of the regions that they belong
   to. */
static const struct mark {
	const char *text;
	enum place place;
	enum sym_outlined kind;
} marks[] = {
	{ "._omp_cpyfn.", ANYWHERE, SYM_OUTLINED_HELPER }, /* gcc */
	{ "._omp_fn.", ANYWHERE, SYM_OUTLINED_REGION },
	{ "._loopfn.", ANYWHERE, SYM_OUTLINED_REGION },	      /* gcc -ftree-parallelize-loops */
	{ ".omp.reduction.", ANYWHERE, SYM_OUTLINED_HELPER }, /* clang */
	{ ".omp.copyprivate.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".omp_task_privates_map.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".omp_task_destructor.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".omp_task_dup.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".red_init.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".red_comb.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".red_fini.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".omp_combiner.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ ".omp_initializer.", ANYWHERE, SYM_OUTLINED_HELPER },
	{ "_omp_reduction_", AT_START, SYM_OUTLINED_HELPER },
	{ ".omp_task_entry.", ANYWHERE, SYM_OUTLINED_TASK },
	{ ".omp_outlined", ANYWHERE, SYM_OUTLINED_REGION },
	{ "__captured_stmt", AT_START, SYM_OUTLINED_REGION },
	{ "..omp_par", ANYWHERE, SYM_OUTLINED_REGION }, /* flang */
	{ "..omp_teams", ANYWHERE, SYM_OUTLINED_REGION },
	{ "..omp_task", ANYWHERE, SYM_OUTLINED_TASK },
	{ ".DIR.OMP.TASK", ANYWHERE, SYM_OUTLINED_TASK }, /* icx, ifx */
	{ ".DIR.OMP.", ANYWHERE, SYM_OUTLINED_REGION },
	{ "__cray$mt$", ANYWHERE, SYM_OUTLINED_REGION },
};

/* Decides by the last construct in the name: main.omp_outlined_debug__.omp_outlined is the
   wrapper of an inner region. */
static bool is_debug(const char *name)
{
	const char *last = NULL, *at = name;

	while ((at = strstr(at, ".omp_outlined")))
		last = at++;
	return last && strstr(last, "_debug__");
}

static bool by_mark(const char *name, struct outlined *o)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *at = strstr(name, marks[i].text), *first;

		if (!at || (marks[i].place == AT_START && at != name))
			continue;
		o->kind = marks[i].kind;
		/* The origin of main.omp_outlined_debug__.omp.reduction.… is main. */
		first = strstr(name, ".omp_outlined");
		if (first && first < at)
			at = first;
		if (at > name) {
			o->origin = name;
			o->origin_bytes = (size_t)(at - name);
		}
		o->debug = o->kind == SYM_OUTLINED_REGION && is_debug(name);
		o->gcc = o->kind == SYM_OUTLINED_REGION && !strncmp(at, "._omp_fn.", 9);
		return true;
	}
	return false;
}

/* Parses the number before end that follows mark: "main_l12" gives 12, and returns the
   position of "_l".  NULL: no number. */
static const char *number_before(const char *begin, const char *end, const char *mark,
				 unsigned *number)
{
	const char *digits = end;
	size_t n = strlen(mark);

	while (digits > begin && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits == end || (size_t)(digits - begin) <= n || memcmp(digits - n, mark, n) != 0)
		return NULL;
	*number = (unsigned)strtoul(digits, NULL, 10);
	return digits - n;
}

/* __omp_offloading_DEVICE_FILE_main_l12: a target region.  The name of clang's inner function
   with the body has _debug__ appended. */
static bool by_offloading(const char *name, struct outlined *o)
{
	static const char mark[] = "__omp_offloading_", debug[] = "_debug__";
	const char *at = name + strlen(mark), *end;
	size_t n;

	if (strncmp(name, mark, strlen(mark)) != 0)
		return false;
	o->kind = SYM_OUTLINED_REGION;
	for (int i = 0; i < 2; i++) {
		at += strspn(at, "0123456789abcdef");
		if (*at++ != '_')
			return true;
	}
	n = strlen(at);
	o->debug = n > strlen(debug) && !strcmp(at + n - strlen(debug), debug);
	if (o->debug)
		n -= strlen(debug);
	end = number_before(at, at + n, "_l", &o->line);
	if (end && end > at) {
		o->origin = at;
		o->origin_bytes = (size_t)(end - at);
	}
	return true;
}

/* L_main_12__par_region0_2.0: Intel's classic compilers. */
static bool by_intel(const char *name, struct outlined *o)
{
	static const struct {
		const char *text;
		enum sym_outlined kind;
	} kinds[] = {
		{ "__par_region", SYM_OUTLINED_REGION },  { "__par_loop", SYM_OUTLINED_REGION },
		{ "__par_section", SYM_OUTLINED_REGION }, { "__task", SYM_OUTLINED_TASK },
		{ "__tree_reduce", SYM_OUTLINED_HELPER },
	};
	const char *end, *at;

	if (name[0] != 'L' || name[1] != '_')
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		at = strstr(name, kinds[i].text);
		end = at ? number_before(name + 2, at, "_", &o->line) : NULL;
		if (!end)
			continue;
		while (end > name + 3 && end[-1] == '_') /* L_foo__12__… */
			end--;
		o->kind = kinds[i].kind;
		o->origin = name + 2;
		o->origin_bytes = (size_t)(end - o->origin);
		return true;
	}
	return false;
}

/* __nv_main_F1L12_1: NVIDIA's. */
static bool by_nvidia(const char *name, struct outlined *o)
{
	const char *end = name + strlen(name);
	unsigned number;

	if (strncmp(name, "__nv_", 5) != 0)
		return false;
	end = number_before(name + 5, end, "_", &number);
	end = end ? number_before(name + 5, end, "L", &o->line) : NULL;
	end = end ? number_before(name + 5, end, "_F", &number) : NULL;
	if (!end)
		return false;
	o->kind = SYM_OUTLINED_REGION;
	o->origin = name + 5;
	o->origin_bytes = (size_t)(end - o->origin);
	return true;
}

bool outlined_parse(const char *name, struct outlined *o)
{
	*o = (struct outlined){ .kind = SYM_NOT_OUTLINED };
	return by_mark(name, o) || by_offloading(name, o) || by_intel(name, o) ||
	       by_nvidia(name, o);
}
