/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite_main.h - the end of a Check suite's main().
 */
#ifndef OMPHWC_TESTS_SUITE_MAIN_H
#define OMPHWC_TESTS_SUITE_MAIN_H

#include <check.h>
#include <stdlib.h>

/* Runs the suite and frees it; returns main()'s result.  CK_VERBOSITY controls the output. */
static inline int suite_main(Suite *suite)
{
	SRunner *r = srunner_create(suite);
	int failed;

	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
