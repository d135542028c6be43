/* SPDX-License-Identifier: BSD-3-Clause */
/* check_mpi.c - MPI's files and functions by their names. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <strings.h>

#include "src/model/mpi.h"
#include "tests/support/suite_main.h"

static const struct {
	const char *function;
	const char *in_library, *elsewhere; /* the call; NULL: none */
} calls[] = {
	{ "MPI_Allreduce", "MPI_Allreduce", "MPI_Allreduce" },
	{ "PMPI_Allreduce", "MPI_Allreduce", "MPI_Allreduce" },
	{ "mpi_allreduce_", "MPI_Allreduce", "MPI_Allreduce" },
	{ "mpi_allreduce__", "MPI_Allreduce", "MPI_Allreduce" },
	{ "MPI_ALLREDUCE", "MPI_Allreduce", "MPI_Allreduce" },
	{ "pmpi_comm_rank_", "MPI_Comm_rank", "MPI_Comm_rank" },
	{ "mpi_allreduce_f08_", "MPI_Allreduce", "MPI_Allreduce" },
	{ "mpi_allreduce_f08ts_", "MPI_Allreduce", "MPI_Allreduce" },
	{ "ompi_allreduce_f", "MPI_Allreduce", NULL },
	{ "pompi_allreduce_f", "MPI_Allreduce", NULL },
	{ "MPI_T_pvar_read", "MPI_T_pvar_read", "MPI_T_pvar_read" },
	/* Later than the list */
	{ "MPI_Later_call", "MPI_Later_call", NULL },
	/* The program's own */
	{ "mpi_my_setup_", "MPI_My_setup", NULL },
	{ "MPI_", NULL, NULL },
	{ "ompi_mpi_init", NULL, NULL },
	{ "mpirun", NULL, NULL },
	{ "solve", NULL, NULL },
	{ "", NULL, NULL },
	{ NULL, NULL, NULL },
};

static void expect(const char *function, bool library, const char *expected)
{
	char call[MPI_CALL_BYTES];
	const char *is = mpi_call(function, library, call);

	if (expected)
		ck_assert_str_eq(is, expected);
	else
		ck_assert_ptr_null(is);
}

START_TEST(mpi_knows_calls)
{
	expect(calls[_i].function, true, calls[_i].in_library);
	expect(calls[_i].function, false, calls[_i].elsewhere);
}
END_TEST

START_TEST(mpi_bounds_names)
{
	char name[200] = "MPI_", call[MPI_CALL_BYTES];

	for (size_t i = 4; i + 1 < sizeof(name); i++)
		name[i] = 'x';
	ck_assert_ptr_null(mpi_call(name, true, call));
}
END_TEST

START_TEST(mpi_names_ascend)
{
	for (size_t i = 1; i < mpi_names_count; i++)
		ck_assert_int_lt(strcasecmp(mpi_names[i - 1], mpi_names[i]), 0);
}
END_TEST

START_TEST(mpi_knows_files)
{
	ck_assert_int_eq(mpi_file("/usr/lib/libmpi.so.40"), MPI_LIBRARY);
	ck_assert_int_eq(mpi_file("/opt/intel/libmpi.so.12.0.0"), MPI_LIBRARY);
	ck_assert_int_eq(mpi_file("/usr/lib/libmpich.so.12"), MPI_LIBRARY);
	ck_assert_int_eq(mpi_file("libmpi_cray.so.12"), MPI_LIBRARY);
	ck_assert_int_eq(mpi_file("libmpi_mpifh.so.40"), MPI_LIBRARY);
	ck_assert_int_eq(mpi_file("/usr/lib/openmpi/lib/openmpi3/mca_pml_ob1.so"), MPI_PART);
	ck_assert_int_eq(mpi_file("/usr/lib/libucp.so.0"), MPI_PART);
	ck_assert_int_eq(mpi_file("/home/me/libmpi_utils.so"), MPI_NONE);
	ck_assert_int_eq(mpi_file("/home/me/libmpiio.so"), MPI_NONE);
	ck_assert_int_eq(mpi_file("/home/me/libmpi"), MPI_NONE);
	ck_assert_int_eq(mpi_file("/home/libmpi.so/app"), MPI_NONE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mpi");
	TCase *c = tcase_create("mpi");

	tcase_add_loop_test(c, mpi_knows_calls, 0, sizeof(calls) / sizeof(*calls));
	tcase_add_test(c, mpi_bounds_names);
	tcase_add_test(c, mpi_names_ascend);
	tcase_add_test(c, mpi_knows_files);
	suite_add_tcase(s, c);
	return suite_main(s);
}
