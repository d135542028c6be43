/* SPDX-License-Identifier: BSD-3-Clause */
/* check_locks.c - where locks were initialized, also when there are more than the table holds. */
#include "config.h"

#include <check.h>
#include <stdlib.h>

#include "ompt_tool/omp/locks.h"
#include "tests/support/suite_main.h"

enum { MANY = 20000, TOO_MANY = 200000, APART = 40 };

START_TEST(a_lock_has_the_call_that_made_it_last)
{
	ck_assert_uint_eq(locks_made_at(0x1000), 0);
	locks_made(0x1000, 0x77);
	locks_made(0x1008, 0x78);
	ck_assert_uint_eq(locks_made_at(0x1000), 0x77);
	ck_assert_uint_eq(locks_made_at(0x1008), 0x78);
	ck_assert_uint_eq(locks_made_at(0x1010), 0);
	locks_made(0x1000, 0x79);
	ck_assert_uint_eq(locks_made_at(0x1000), 0x79);
}
END_TEST

/* Of as many locks as a third of its slots all are known. Of more than it has, each is known by its
   own call or not at all, and the last one is. */
START_TEST(a_full_table_is_never_wrong)
{
	const uint64_t n = _i ? TOO_MANY : MANY;
	uint64_t known = 0;

	for (uint64_t i = 1; i <= n; i++)
		locks_made(0x7f0000000000 + i * APART, i);
	for (uint64_t i = 1; i <= n; i++) {
		const uintptr_t call = locks_made_at(0x7f0000000000 + i * APART);

		ck_assert(call == 0 || call == i);
		known += call != 0;
	}
	ck_assert_uint_eq(locks_made_at(0x7f0000000000 + n * APART), n);
	ck_assert_uint_ge(known, MANY);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("locks");
	TCase *t = tcase_create("locks");

	tcase_add_test(t, a_lock_has_the_call_that_made_it_last);
	tcase_add_loop_test(t, a_full_table_is_never_wrong, 0, 2);
	suite_add_tcase(suite, t);
	return suite_main(suite);
}
