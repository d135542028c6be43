/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * other.c - what is known whatever the runtime: the functions that the OpenMP specification gives
 * to programs, those of C, C++ and POSIX that never return, what the critical sections of all
 * compilers have in common, and the outlined functions of compilers whose runtimes have no
 * description.
 */
#include "config.h"

#include <string.h>

#include "src/toolchain/toolchains.h"

static const char *const linked_names[] = {
	"omp_get_*",
	"omp_set_*",
	"omp_init_*",
	"omp_destroy_*",
	"omp_test_*",
	"omp_unset_*",
	"omp_in_*",
	"omp_is_*",
	"omp_pause_*",
	"omp_display_*",
	"omp_capture_*",
	"omp_control_*",
	"omp_fulfill_*",
	"omp_target_*",
	"omp_alloc",
	"omp_free",
	"omp_calloc",
	"omp_realloc",
	"omp_aligned_*",
	"ompc_*",
	"ompt_*",
	"__ompt_*",
	NULL,
};

static const char *const noreturn[] = {
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
	"std::terminate()",
	"std::__throw_*",
	NULL,
};

static const char *const inputs[] = {
	"getline",
	"std::getline*",
	"fgets",
	"fgetc",
	"getc",
	"fread",
	"fscanf",
	"__isoc99_fscanf",
	"read",
	"pread",
	"std::operator>>*",
	"std::istream::*",
	"std::basic_istream<*",
	NULL,
};

static const char *const outputs[] = {
	"printf",
	"fprintf",
	"vprintf",
	"vfprintf",
	"__printf_chk",
	"__fprintf_chk",
	"__vprintf_chk",
	"__vfprintf_chk",
	"puts",
	"fputs",
	"putchar",
	"putc",
	"fputc",
	"fwrite",
	"write",
	"pwrite",
	"fflush",
	"std::operator<<*",
	"std::ostream::*",
	"std::basic_ostream<*",
	"std::__ostream_*",
	NULL,
};

static const struct toolchain_entry entries[] = {
	{ "omp_get_num_threads", .gnu = GNU_NUM_THREADS },
	{ "omp_get_thread_num", .gnu = GNU_THREAD_NUM },
};

static const struct toolchain_rule rules[] = {
	{ "omp_set_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
	{ "omp_set_nest_lock*", LOCKS | BUSY, { LEAF_LOCK, OMP_WAIT } },
};

/* ---- critical sections ----------------------------------------------- */

#define CRITICAL ".gomp_critical_user_"
#define CRITICAL_END ".var"

const char toolchain_unnamed_critical[] = CRITICAL CRITICAL_END;

bool toolchain_is_critical(const char *object)
{
	return toolchain_matches(CRITICAL "*", object);
}

bool toolchain_is_reduction(const char *object)
{
	return toolchain_matches(CRITICAL ".reduction*", object) ||
	       toolchain_matches(CRITICAL ".atomic_reduction*", object);
}

const char *toolchain_critical_name(const char *object, size_t *bytes)
{
	const size_t end = sizeof(CRITICAL_END) - 1;
	const char *name = object + sizeof(CRITICAL) - 1;
	const size_t n = strlen(name);

	*bytes = n >= end && !strcmp(name + n - end, CRITICAL_END) ? n - end : n;
	return name;
}

/* ---- outlined functions ---------------------------------------------- */

static const struct outlined_mark marks[] = {
	{ "__cray$mt$", ANYWHERE, SYM_OUTLINED_REGION, 0 },
};

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
		end = at ? outlined_number(name + 2, at, "_", &o->line) : NULL;
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
	end = outlined_number(name + 5, end, "_", &number);
	end = end ? outlined_number(name + 5, end, "L", &o->line) : NULL;
	end = end ? outlined_number(name + 5, end, "_F", &number) : NULL;
	if (!end)
		return false;
	o->kind = SYM_OUTLINED_REGION;
	o->origin = name + 5;
	o->origin_bytes = (size_t)(end - o->origin);
	return true;
}

static bool other_outlined(const char *name, struct outlined *o)
{
	return by_intel(name, o) || by_nvidia(name, o);
}

static const char *const affinities[] = { "OMP_PROC_BIND", "OMP_PLACES", NULL };

const struct toolchain toolchain_other = {
	.name = "an OpenMP runtime",
	.spin_variable = "OMP_WAIT_POLICY",
	.affinities = affinities,
	.linked_names = linked_names,
	.entries = entries,
	.rules = rules,
	.nentries = COUNT(entries),
	.nrules = COUNT(rules),
	.marks = marks,
	.nmarks = COUNT(marks),
	.outlined = other_outlined,
	.lists[LIST_NORETURN] = noreturn,
	.lists[LIST_OUTPUT] = outputs,
	.lists[LIST_INPUT] = inputs,
};
