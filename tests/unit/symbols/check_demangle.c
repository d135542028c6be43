/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols/demangle.h"
#include "src/toolchain/outlined.h"
#include "tests/support/suite_main.h"

static const struct {
	const char *name;
	bool fortran;
	const char *shown;
	bool itanium; /* needs the C++ demangler */
} names[] = {
	{ "main", false, "main", false },
	{ "f", false, "f", false },
	{ "", false, "", false },
	{ "_Z", false, "_Z", false },
	{ "_ZN3sim4Grid4stepEi", false, "sim::Grid::step", true },
	{ "_Z3addIiET_S0_", false, "add<int>", true },
	{ "_ZL6helperi.lto_priv.0", false, "helper", true },
	{ "_ZN4core3fmt5write17h0123456789abcdefE", false, "core::fmt::write", true },
	{ "_RNvCs1234_7mycrate3foo", false, "mycrate::foo", true },
	{ "_ZN3sim4Grid4stepEi._omp_fn.0", false, "sim::Grid::step._omp_fn.0", true },
	{ "_ZN3sim4stepEv@plt", false, "sim::step@plt", true },
	{ "fib.part.2", false, "fib", false },
	{ "fib.constprop.0.isra.0", false, "fib", false },
	{ "fib.cold", false, "fib", false },
	{ "fib.llvm.1234567890", false, "fib", false },
	{ "fib.parted", false, "fib.parted", false },
	{ "memcpy@@GLIBC_2.14", false, "memcpy", false },
	{ "memcpy@plt", false, "memcpy@plt", false },
	{ "@plt", false, "@plt", false },
	{ ".omp_outlined..5", false, ".omp_outlined..5", false },
	{ ".omp_task_entry..3", false, ".omp_task_entry..3", false },
	{ "main._omp_fn.10", false, "main._omp_fn.10", false },
	{ "_ZN3sim4Grid4stepEi._loopfn.0", false, "sim::Grid::step._loopfn.0", true },
	{ "__heat_MOD_step", false, "heat::step", false },
	{ "__heat_MOD_step._omp_fn.0", true, "heat::step._omp_fn.0", false },
	{ "__MOD_", false, "__MOD_", false },
	{ "__x_MOD_", false, "__x_MOD_", false },
	{ "plain_", false, "plain_", false },
	{ "plain_", true, "plain", false },
	{ "_plain_", true, "_plain_", false },
	{ "_", true, "_", false },
	{ "plain_._omp_fn.0", true, "plain._omp_fn.0", false },
	{ "local.0", true, "local", false },
	{ "_QMheatPstep", true, "heat::step", false },
	{ "_QPsolve", false, "solve", false },
	{ "_QFmainPlocal", true, "main::local", false },
	{ "_QQmain", true, "_QQmain", false },
	{ "_QMheatEfield", true, "_QMheatEfield", false },
	{ "__gmon_start__", false, "__gmon_start__", false },
};

START_TEST(shows_a_name)
{
	const char *name = names[_i].name;
	char *shown = demangle(name, strlen(name), names[_i].fortran);

	ck_assert_ptr_nonnull(shown);
#ifndef HAVE_LIBIBERTY_DEMANGLE_H
	if (names[_i].itanium) {
		free(shown);
		return;
	}
#endif
	ck_assert_str_eq(shown, names[_i].shown);
	free(shown);
}
END_TEST

START_TEST(reads_no_further_than_told)
{
	char *shown = demangle("fib.part.2", 5, false);

	ck_assert_str_eq(shown, "fib.p");
	free(shown);
}
END_TEST

static const struct {
	const char *name;
	enum sym_outlined kind;
	const char *origin;
	unsigned line;
	bool debug;
} outlined[] = {
	{ "main", SYM_NOT_OUTLINED, NULL, 0, false },
	{ "L_main", SYM_NOT_OUTLINED, NULL, 0, false },
	{ "__nv_main", SYM_NOT_OUTLINED, NULL, 0, false },
	{ "L___task", SYM_NOT_OUTLINED, NULL, 0, false },
	{ "main._omp_fn.0", SYM_OUTLINED_REGION, "main", 0, false },
	{ "MAIN__._omp_fn.1", SYM_OUTLINED_REGION, "MAIN__", 0, false },
	{ "k._loopfn.0", SYM_OUTLINED_REGION, "k", 0, false },
	{ "fib._omp_cpyfn.2", SYM_OUTLINED_HELPER, "fib", 0, false },
	{ ".omp_outlined.", SYM_OUTLINED_REGION, NULL, 0, false },
	{ ".omp_outlined..12", SYM_OUTLINED_REGION, NULL, 0, false },
	{ ".omp_outlined._debug__", SYM_OUTLINED_REGION, NULL, 0, true },
	{ ".omp_outlined._debug__.3", SYM_OUTLINED_REGION, NULL, 0, true },
	{ "main.omp_outlined", SYM_OUTLINED_REGION, "main", 0, false },
	{ "main.omp_outlined_debug__", SYM_OUTLINED_REGION, "main", 0, true },
	{ "main.omp_outlined_debug__.omp_outlined", SYM_OUTLINED_REGION, "main", 0, false },
	{ "main.omp_outlined_debug__.omp_outlined_debug__", SYM_OUTLINED_REGION, "main", 0, true },
	{ "main.omp_outlined_debug__.omp.reduction.reduction_func", SYM_OUTLINED_HELPER, "main", 0,
	  false },
	{ ".omp.reduction.reduction_func", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ ".omp.copyprivate.copy_func", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ ".omp_task_entry..3", SYM_OUTLINED_TASK, NULL, 0, false },
	{ ".omp_task_privates_map.", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ ".omp_task_destructor.", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ ".omp_task_dup.", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ "_omp_reduction_shuffle_and_reduce_func", SYM_OUTLINED_HELPER, NULL, 0, false },
	{ "my_omp_reduction_sum", SYM_NOT_OUTLINED, NULL, 0, false },
	{ "__captured_stmt", SYM_OUTLINED_REGION, NULL, 0, false },
	{ "_QMheatPstep..omp_par", SYM_OUTLINED_REGION, "_QMheatPstep", 0, false },
	{ "foo.DIR.OMP.PARALLEL.LOOP.2.split33", SYM_OUTLINED_REGION, "foo", 0, false },
	{ "foo.DIR.OMP.TASK.3", SYM_OUTLINED_TASK, "foo", 0, false },
	{ "L_main_12__par_region0_2.0", SYM_OUTLINED_REGION, "main", 12, false },
	{ "L_foo__35__task2_3", SYM_OUTLINED_TASK, "foo", 35, false },
	{ "L_a_b_7__tree_reduce0_2_5", SYM_OUTLINED_HELPER, "a_b", 7, false },
	{ "__nv_main_F1L12_1", SYM_OUTLINED_REGION, "main", 12, false },
	{ "__omp_offloading_10302_e1d5b_main_l12", SYM_OUTLINED_REGION, "main", 12, false },
	{ "__omp_offloading_fe00_a7a4f0_solve_l72_debug__", SYM_OUTLINED_REGION, "solve", 72,
	  true },
	{ "__omp_offloading_", SYM_OUTLINED_REGION, NULL, 0, false },
};

START_TEST(tells_outlined_functions)
{
	struct outlined o;

	ck_assert_int_eq(outlined_parse(outlined[_i].name, &o), outlined[_i].kind != 0);
	ck_assert_int_eq(o.kind, outlined[_i].kind);
	ck_assert_uint_eq(o.line, outlined[_i].line);
	ck_assert_int_eq(o.debug, outlined[_i].debug);
	ck_assert_int_eq(!o.origin, !outlined[_i].origin);
	if (o.origin) {
		ck_assert_uint_eq(o.origin_bytes, strlen(outlined[_i].origin));
		ck_assert(!memcmp(o.origin, outlined[_i].origin, o.origin_bytes));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("demangle");
	TCase *t = tcase_create("demangle");

	tcase_add_loop_test(t, shows_a_name, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(t, reads_no_further_than_told);
	tcase_add_loop_test(t, tells_outlined_functions, 0, sizeof(outlined) / sizeof(outlined[0]));
	suite_add_tcase(s, t);
	return suite_main(s);
}
