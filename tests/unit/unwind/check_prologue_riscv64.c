/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_prologue_riscv64.c - unwind rules derived from the instructions of RISC-V assembly
 * functions, at each instruction.  The code is in bytes, so that any little-endian machine
 * can test it.
 */
#include "config.h"

/* In the place of the machine's own. */
#define OMPHWC_OMPT_TOOL_MACHINE_ARCH_H
#include "ompt_tool/machine/arch_riscv64.h"
#include "ompt_tool/unwind/prologue_riscv64.c"
#include "tests/support/suite_main.h"

#include <check.h>

enum { S1 = 9, BYTES_MAX = 64, NONE = 1 };

/* The rules before the instruction at an offset: CFA, and where the return address and
   the frame pointer are from there (NONE: in their registers). */
struct want {
	unsigned at;
	unsigned cfa_register;
	int64_t cfa, ra, fp;
};

struct function {
	const char *name;
	_Alignas(4) unsigned char code[BYTES_MAX];
	struct want want[10];
};

/* Each table of wants ends with one of offset 0 that is not the first. */
static const struct function functions[] = {
	{ "as the C library resolves a symbol",
	  {
		  0x75, 0x71,		  /*  0 c.addi16sp -144 */
		  0x86, 0xe4,		  /*  2 c.sdsp ra, 72 */
		  0x2a, 0xe4,		  /*  4 c.sdsp a0, 8 */
		  0xaa, 0xa8,		  /*  6 c.fsdsp fa0, 80 */
		  0x93, 0x15, 0x13, 0x00, /*  8 slli a1, t1, 1 */
		  0x16, 0x85,		  /* 12 c.mv a0, t0 */
		  0x02, 0x96,		  /* 14 c.jalr a2 */
		  0xa6, 0x60,		  /* 16 c.ldsp ra, 72 */
		  0x49, 0x61,		  /* 18 c.addi16sp 144 */
		  0x02, 0x83,		  /* 20 c.jr t1 */
	  },
	  {
		  { 0, ARCH_SP, 0, NONE, NONE },
		  { 2, ARCH_SP, 144, NONE, NONE },
		  { 4, ARCH_SP, 144, 72 - 144, NONE },
		  { 12, ARCH_SP, 144, 72 - 144, NONE },
		  { 16, ARCH_SP, 144, 72 - 144, NONE },
		  { 18, ARCH_SP, 144, 72 - 144, NONE },
		  { 20, ARCH_SP, 0, NONE, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "with a frame pointer",
	  {
		  0x41, 0x11,		  /*  0 c.addi sp, -16 */
		  0x06, 0xe4,		  /*  2 c.sdsp ra, 8 */
		  0x22, 0xe0,		  /*  4 c.sdsp s0, 0 */
		  0x00, 0x08,		  /*  6 c.addi4spn s0, 16 */
		  0x13, 0x01, 0x01, 0xf0, /*  8 addi sp, sp, -256 */
		  0x01, 0x00,		  /* 12 c.nop */
	  },
	  {
		  { 2, ARCH_SP, 16, NONE, NONE },
		  { 4, ARCH_SP, 16, -8, NONE },
		  { 6, ARCH_SP, 16, -8, -16 },
		  { 8, ARCH_FP, 0, -8, -16 },
		  { 12, ARCH_FP, 0, -8, -16 },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "in long instructions",
	  {
		  0x13, 0x01, 0x01, 0x81, /*  0 addi sp, sp, -2032 */
		  0x23, 0x34, 0x11, 0x7e, /*  4 sd ra, 2024(sp) */
		  0x23, 0x30, 0x81, 0x7e, /*  8 sd s0, 2016(sp) */
		  0x13, 0x04, 0x01, 0x7f, /* 12 addi s0, sp, 2032 */
		  0x13, 0x00, 0x00, 0x00, /* 16 nop */
	  },
	  {
		  { 4, ARCH_SP, 2032, NONE, NONE },
		  { 8, ARCH_SP, 2032, -8, NONE },
		  { 12, ARCH_SP, 2032, -8, -16 },
		  { 16, ARCH_FP, 0, -8, -16 },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "as the loader enters one of its own",
	  {
		  0x15, 0x71, /*  0 c.addi16sp -224 */
		  0x06, 0xe0, /*  2 c.sdsp ra, 0 */
		  0x22, 0xe4, /*  4 c.sdsp s0, 8 */
		  0x0a, 0x84, /*  6 c.mv s0, sp */
		  0x28, 0xe8, /*  8 c.sd a0, 80(s0) */
	  },
	  {
		  { 6, ARCH_SP, 224, -224, -216 },
		  { 8, ARCH_FP, 224, -224, -216 },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "what a branch leads past is not followed",
	  {
		  0x63, 0x06, 0x05, 0x00, /*  0 beqz a0, over the next */
		  0x41, 0x11,		  /*  4 c.addi sp, -16 */
		  0x06, 0xe4,		  /*  6 c.sdsp ra, 8 */
		  0x01, 0x00,		  /*  8 c.nop */
	  },
	  {
		  { 6, ARCH_SP, 0, NONE, NONE },
		  { 8, ARCH_SP, 0, NONE, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "nor behind a short one",
	  {
		  0x11, 0xc1, /*  0 c.beqz a0, over the next */
		  0x41, 0x11, /*  2 c.addi sp, -16 */
		  0x01, 0x00, /*  4 c.nop */
	  },
	  {
		  { 4, ARCH_SP, 0, NONE, NONE },
		  { 0, 0, 0, 0, 0 },
	  } },
	{ "stores that are not to the stack pointer",
	  {
		  0x23, 0xb4, 0x15, 0x00, /*  0 sd ra, 8(a1) */
		  0x9c, 0xe5,		  /*  4 c.sd a5, 8(a1) */
		  0x41, 0x11,		  /*  6 c.addi sp, -16 */
		  0x01, 0x00,		  /*  8 c.nop */
	  },
	  {
		  { 6, ARCH_SP, 0, NONE, NONE },
		  { 8, ARCH_SP, 16, NONE, NONE },
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

	for (const struct want *w = f->want; w == f->want || w->at; w++) {
		struct cfi_row row = { .cfa_register = ARCH_SP };

		prologue_rules((uintptr_t)f->code, (uintptr_t)&f->code[w->at], &row);
		ck_assert_msg(row.cfa_register == w->cfa_register && row.cfa_value == w->cfa,
			      "%s: at %u the CFA is %d + %lld", f->name, w->at, row.cfa_register,
			      (long long)row.cfa_value);
		check_register(&row, ARCH_LINK, w->ra);
		check_register(&row, ARCH_FP, w->fp);
		ck_assert(!row.cfa_expression);
	}
}
END_TEST

/* A return address stands behind a call: the byte before it belongs to it. */
START_TEST(looks_within_the_call)
{
	struct cfi_row row = { .cfa_register = ARCH_SP };

	prologue_rules((uintptr_t)functions[0].code, (uintptr_t)&functions[0].code[16] - 1, &row);
	ck_assert_uint_eq(row.cfa_register, ARCH_SP);
	ck_assert_int_eq(row.cfa_value, 144);
}
END_TEST

/* Assembly may go on for long without a branch: only its beginning counts. */
START_TEST(ends)
{
	static _Alignas(4) uint16_t code[1000];
	struct cfi_row row = { .cfa_register = ARCH_SP };

	for (int i = 0; i < 1000; i++)
		code[i] = 0x1141; /* c.addi sp, -16 */
	prologue_rules((uintptr_t)code, (uintptr_t)&code[999], &row);
	ck_assert_int_le(row.cfa_value, 16 * 100);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("prologue");
	TCase *t = tcase_create("riscv64");

	tcase_add_loop_test(t, follows, 0, sizeof(functions) / sizeof(functions[0]));
	tcase_add_test(t, looks_within_the_call);
	tcase_add_test(t, ends);
	suite_add_tcase(s, t);
	return suite_main(s);
}
