/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_prologue_aarch64.c - unwind rules derived from the instructions of assembly
 * functions, at each instruction.
 */
#include "config.h"

#include <check.h>

#include "ompt_tool/unwind/cfi.h"
#include "tests/support/suite_main.h"

enum { X19 = 19, MAX = 16, NONE = 1 };

/* The rules before an instruction: CFA, and where the return address and the
   frame pointer are from there (NONE: in their registers). */
struct want {
	unsigned index;
	unsigned cfa_register;
	int64_t cfa, ra, fp;
};

struct function {
	const char *name;
	uint32_t code[MAX];
	struct want want[8];
};

/* Each table of wants ends with one of index 0 that is not the first. */
static const struct function functions[] = {
	{ "as LLVM's runtime calls a region's code",
	  {
		  0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
		  0xa9bf53f3, /* stp x19, x20, [sp, #-16]! */
		  0x910003fd, /* mov x29, sp */
		  0x320003e9, /* mov w9, #1 */
		  0xcb2953ff, /* sub sp, sp, w9, uxtw #4 */
		  0xd63f0100, /* blr x8 */
		  0x910003bf, /* mov sp, x29 */
		  0xd65f03c0, /* ret */
	  },
	  {
		  { 0, ARCH_SP, 0, NONE, NONE },
		  { 1, ARCH_SP, 16, -8, -16 },
		  { 2, ARCH_SP, 32, -8, -16 },
		  { 3, ARCH_FP, 32, -8, -16 },
		  { 5, ARCH_FP, 32, -8, -16 },
		  { 7, ARCH_SP, 0, NONE, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "room first, the frame record in it",
	  {
		  0xd503245f, /* bti c */
		  0xd503233f, /* paciasp */
		  0xd10103ff, /* sub sp, sp, #64 */
		  0xa9027bfd, /* stp x29, x30, [sp, #32] */
		  0x910083fd, /* add x29, sp, #32 */
		  0xd503201f, /* nop */
	  },
	  {
		  { 2, ARCH_SP, 0, NONE, NONE },
		  { 3, ARCH_SP, 64, NONE, NONE },
		  { 4, ARCH_SP, 64, -24, -32 },
		  { 5, ARCH_FP, 32, -24, -32 },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "vectors and a lone push",
	  {
		  0x6dbc27e8, /* stp d8, d9, [sp, #-64]! */
		  0xadbe27e8, /* stp q8, q9, [sp, #-64]! */
		  0xf81f0ffe, /* str x30, [sp, #-16]! */
		  0xd14007ff, /* sub sp, sp, #4096 */
		  0xd503201f, /* nop */
	  },
	  {
		  { 1, ARCH_SP, 64, NONE, NONE },
		  { 2, ARCH_SP, 128, NONE, NONE },
		  { 3, ARCH_SP, 144, -144, NONE },
		  { 4, ARCH_SP, 4240, -144, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "what a branch leads past is not followed",
	  {
		  0xb4000040, /* cbz x0, over the next */
		  0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
		  0xd503201f, /* nop */
	  },
	  {
		  { 2, ARCH_SP, 0, NONE, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "stores that are not to the stack pointer",
	  {
		  0xa9810440, /* stp x0, x1, [x2, #16]! */
		  0xf8008c20, /* str x0, [x1, #8]! */
		  0xa9bf7ffd, /* stp x29, xzr, [sp, #-16]! */
		  0xd503201f, /* nop */
	  },
	  {
		  { 2, ARCH_SP, 0, NONE, NONE },
		  { 3, ARCH_SP, 16, NONE, -16 },
		  { 0, 0, 0, 0, 0 },
	  } },
};

static void check_register(const struct cfi_row *row, unsigned reg, int64_t want)
{
	if (want == NONE) {
		ck_assert_uint_eq(row->how[reg], CFI_UNSPECIFIED);
	} else {
		ck_assert_uint_eq(row->how[reg], CFI_OFFSET);
		ck_assert_int_eq(row->value[reg], want);
	}
}

START_TEST(follows)
{
	const struct function *f = &functions[_i];

	for (const struct want *w = f->want; w == f->want || w->index; w++) {
		struct cfi_row row = { .cfa_register = ARCH_SP };

		prologue_rules((uintptr_t)f->code, (uintptr_t)&f->code[w->index], &row);
		ck_assert_msg(row.cfa_register == w->cfa_register && row.cfa_value == w->cfa,
			      "%s: before instruction %u the CFA is %d + %lld", f->name, w->index,
			      row.cfa_register, (long long)row.cfa_value);
		check_register(&row, ARCH_LINK, w->ra);
		check_register(&row, ARCH_FP, w->fp);
		ck_assert(!row.cfa_expression);
	}
}
END_TEST

/* A return address stands behind a call: the byte before it belongs to it. */
START_TEST(looks_within_the_call)
{
	const struct function *f = &functions[0];
	struct cfi_row row = { .cfa_register = ARCH_SP };

	prologue_rules((uintptr_t)f->code, (uintptr_t)&f->code[6] - 1, &row);
	ck_assert_uint_eq(row.cfa_register, ARCH_FP);
	ck_assert_int_eq(row.cfa_value, 32);
	ck_assert_uint_eq(row.how[X19], CFI_OFFSET);
	ck_assert_int_eq(row.value[X19], -32);
}
END_TEST

/* Assembly may go on for long without a branch: only its beginning counts. */
START_TEST(ends)
{
	static uint32_t code[1000];
	struct cfi_row row = { .cfa_register = ARCH_SP };

	for (int i = 0; i < 1000; i++)
		code[i] = 0xd10043ff; /* sub sp, sp, #16 */
	prologue_rules((uintptr_t)code, (uintptr_t)&code[999], &row);
	ck_assert_int_le(row.cfa_value, 16 * 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("prologue");
	TCase *t = tcase_create("aarch64");

	tcase_add_loop_test(t, follows, 0, sizeof(functions) / sizeof(functions[0]));
	tcase_add_test(t, looks_within_the_call);
	tcase_add_test(t, ends);
	suite_add_tcase(s, t);
	return suite_main(s);
}
