/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_cfi_expr.c - DWARF expressions: each operation with an answer known
 * from the standard, and what must be refused.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/unwind/cfi.h"
#include "tests/support/suite_main.h"

struct code {
	const uint8_t *bytes;
	size_t n;
};

#define CODE(...) \
	((struct code){ (const uint8_t[]){ __VA_ARGS__ }, \
			sizeof((const uint8_t[]){ __VA_ARGS__ }) })

enum { R3 = 3, R5 = 5 };

/* Memory of one page, where each address holds itself plus the width. */
static bool read_some(const void *arg, uintptr_t address, unsigned bytes, uint64_t *value)
{
	(void)arg;
	if (address < 0x1000 || address >= 0x2000)
		return false;
	*value = address + bytes;
	return true;
}

/* Evaluates code, with the CFA first when initial isn't 0. */
static int evaluate(struct code code, uintptr_t initial, uintptr_t *value)
{
	static uint8_t block[1 + 127];
	static uintptr_t reg[ARCH_COLUMNS];
	const struct cfi_machine m = { reg, UINT64_C(1) << R3 | UINT64_C(1) << ARCH_FP, read_some,
				       NULL };
	struct cfi_tables t = { (uintptr_t)block, 0, (uintptr_t)block };

	reg[R3] = 1000;
	reg[ARCH_FP] = 0x1500;
	block[0] = (uint8_t)code.n;
	memcpy(block + 1, code.bytes, code.n);
	t.hi = t.lo + 1 + code.n;
	return cfi_evaluate(&t, t.lo, initial ? &initial : NULL, &m, value);
}

#define YIELDS(result, ...) \
	do { \
		uintptr_t v_ = 77; \
		ck_assert_int_eq(evaluate(CODE(__VA_ARGS__), 0, &v_), 0); \
		ck_assert_uint_eq(v_, (uintptr_t)(result)); \
	} while (0)
#define FAILS(error, ...) \
	do { \
		uintptr_t v_ = 77; \
		ck_assert_int_eq(evaluate(CODE(__VA_ARGS__), 0, &v_), error); \
	} while (0)

START_TEST(test_expression_constants)
{
	YIELDS(0, 0x30);
	YIELDS(31, 0x4f);
	YIELDS(0x0807060504030201, 0x03, 1, 2, 3, 4, 5, 6, 7, 8);
	YIELDS(0xff, 0x08, 0xff);
	YIELDS(-1, 0x09, 0xff);
	YIELDS(0xfffe, 0x0a, 0xfe, 0xff);
	YIELDS(-2, 0x0b, 0xfe, 0xff);
	YIELDS(0xfffffffd, 0x0c, 0xfd, 0xff, 0xff, 0xff);
	YIELDS(-3, 0x0d, 0xfd, 0xff, 0xff, 0xff);
	YIELDS(-4, 0x0e, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	YIELDS(-4, 0x0f, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	YIELDS(624485, 0x10, 0xe5, 0x8e, 0x26);
	YIELDS(-123456, 0x11, 0xc0, 0xbb, 0x78);
	YIELDS(5, 0x96, 0x35, 0x96);
}
END_TEST

START_TEST(test_expression_stack)
{
	YIELDS(2, 0x31, 0x32);
	YIELDS(4, 0x32, 0x12, 0x22);	      /* dup, plus */
	YIELDS(1, 0x31, 0x32, 0x13);	      /* drop */
	YIELDS(1, 0x31, 0x32, 0x14);	      /* over */
	YIELDS(1, 0x31, 0x32, 0x33, 0x15, 2); /* pick */
	YIELDS(1, 0x31, 0x32, 0x16);	      /* swap */
	/* rot: 1 2 3 becomes 3 1 2. */
	YIELDS(2, 0x31, 0x32, 0x33, 0x17);
	YIELDS(1, 0x31, 0x32, 0x33, 0x17, 0x13);
	YIELDS(3, 0x31, 0x32, 0x33, 0x17, 0x13, 0x13);
	FAILS(-EINVAL, 0x13);
	FAILS(-EINVAL, 0x31, 0x14);
	FAILS(-EINVAL, 0x31, 0x15, 1);
	FAILS(-EINVAL, 0x31, 0x22);
	FAILS(-EINVAL, 0x31, 0x13);		/* nothing is left */
	FAILS(-EINVAL, 0x31, 0x2f, 0xfc, 0xff); /* pushes without end */
}
END_TEST

START_TEST(test_expression_arithmetic)
{
	YIELDS(5, 0x09, 0xfb, 0x19); /* abs -5 */
	YIELDS(5, 0x35, 0x19);
	YIELDS(4, 0x36, 0x3c, 0x1a);	    /* 6 & 12 */
	YIELDS(-3, 0x09, 0xfa, 0x32, 0x1b); /* -6 / 2 */
	YIELDS(4, 0x36, 0x32, 0x1c);
	YIELDS(1, 0x37, 0x33, 0x1d);
	YIELDS(21, 0x37, 0x33, 0x1e);
	YIELDS(-7, 0x37, 0x1f);
	YIELDS(~7ull, 0x37, 0x20);
	YIELDS(14, 0x36, 0x3c, 0x21);
	YIELDS(10, 0x37, 0x33, 0x22);
	YIELDS(135, 0x37, 0x23, 0x80, 0x01);
	YIELDS(56, 0x37, 0x33, 0x24);
	YIELDS(0, 0x31, 0x08, 64, 0x24);
	YIELDS(UINT64_MAX >> 1, 0x09, 0xff, 0x31, 0x25);
	YIELDS(0, 0x09, 0xff, 0x08, 200, 0x25);
	YIELDS(-1, 0x09, 0xfe, 0x31, 0x26);
	YIELDS(-1, 0x09, 0xfe, 0x08, 200, 0x26);
	YIELDS(10, 0x36, 0x3c, 0x27);
	FAILS(-EINVAL, 0x31, 0x30, 0x1b); /* by zero */
	FAILS(-EINVAL, 0x31, 0x30, 0x1d);
	FAILS(-EINVAL, 0x31, 0x08, 63, 0x24, 0x09, 0xff, 0x1b); /* overflows */
}
END_TEST

START_TEST(test_expression_comparisons)
{
	/* -1 and 1: eq ge gt le lt ne */
	static const uintptr_t less[] = { 0, 0, 0, 1, 1, 1 }, same[] = { 1, 1, 0, 1, 0, 0 };
	static const uint8_t op[] = { 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e };

	for (int i = 0; i < 6; i++) {
		YIELDS(less[i], 0x09, 0xff, 0x31, op[i]);
		YIELDS(same[i], 0x35, 0x35, op[i]);
	}
}
END_TEST

START_TEST(test_expression_jumps)
{
	YIELDS(1, 0x31, 0x2f, 1, 0, 0x32);	       /* skip over one */
	YIELDS(1, 0x31, 0x30, 0x28, 1, 0, 0x13, 0x31); /* bra not taken: drop, 1 */
	YIELDS(1, 0x31, 0x31, 0x28, 1, 0, 0x32);
	/* 5, then down to 0: a loop that ends. */
	YIELDS(0, 0x35, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff);
	FAILS(-EINVAL, 0x2f, 0xfd, 0xff); /* and one that doesn't */
	FAILS(-EINVAL, 0x31, 0x2f, 0x10, 0x00);
	FAILS(-EINVAL, 0x31, 0x2f, 0x00, 0x80);
	FAILS(-EINVAL, 0x31, 0x2f, 0x01);
}
END_TEST

START_TEST(test_expression_machine)
{
	uintptr_t value;

	YIELDS(1008, 0x70 | R3, 8);
	YIELDS(992, 0x70 | R3, 0x78);
	YIELDS(1128, 0x92, R3, 0x80, 0x01);
	YIELDS(0x1508, 0x92, ARCH_FP, 0x00, 0x06); /* deref */
	YIELDS(0x1504, 0x92, ARCH_FP, 0x00, 0x94, 4);
	FAILS(-ENODATA, 0x70 | R5, 0);
	FAILS(-ENODATA, 0x92, 0xc8, 0x01, 0);
	FAILS(-EFAULT, 0x30, 0x06);
	FAILS(-EINVAL, 0x92, ARCH_FP, 0x00, 0x94, 3);
	ck_assert_int_eq(evaluate(CODE(0x23, 8), 500, &value), 0);
	ck_assert_uint_eq(value, 508);
	/* What gcc writes for a stub of the procedure linkage table. */
	ck_assert_int_eq(evaluate(CODE(0x70 | R3, 8, 0x70 | R3, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33,
				       0x24, 0x22),
				  0, &value),
			 0);
	ck_assert_uint_eq(value, 1008 + ((1000 & 15) >= 11) * 8);
}
END_TEST

START_TEST(test_expression_broken)
{
	const struct cfi_machine m = { NULL, 0, read_some, NULL };
	uint8_t block[] = { 3, 0x31, 0x32 };
	struct cfi_tables t = { (uintptr_t)block, (uintptr_t)block + 3, (uintptr_t)block };
	uintptr_t value;

	FAILS(-EINVAL, 0x01);
	FAILS(-EINVAL, 0xff);
	FAILS(-EINVAL, 0x08);
	FAILS(-EINVAL, 0x0e, 1, 2, 3);
	FAILS(-EINVAL, 0x10, 0x80);
	FAILS(-EINVAL, 0x9c); /* call_frame_cfa: not here */
	ck_assert_int_eq(cfi_evaluate(&t, t.lo, NULL, &m, &value), -EINVAL);
	ck_assert_int_eq(cfi_evaluate(&t, t.hi, NULL, &m, &value), -EINVAL);
	ck_assert_int_eq(cfi_evaluate(&t, t.lo - 1, NULL, &m, &value), -EINVAL);
	block[0] = 0;
	ck_assert_int_eq(cfi_evaluate(&t, t.lo, NULL, &m, &value), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi, expressions");
	TCase *t = tcase_create("expressions");

	tcase_add_test(t, test_expression_constants);
	tcase_add_test(t, test_expression_stack);
	tcase_add_test(t, test_expression_arithmetic);
	tcase_add_test(t, test_expression_comparisons);
	tcase_add_test(t, test_expression_jumps);
	tcase_add_test(t, test_expression_machine);
	tcase_add_test(t, test_expression_broken);
	suite_add_tcase(s, t);
	return suite_main(s);
}
