/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_cfi.c - finds entries and reads rules, in valid and damaged tables.  Each
 * instruction of the DWARF standard is tested with an answer known from the standard.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/cfi_read.h"
#include "tests/support/cfi_builder.h"
#include "tests/support/suite_main.h"

/* DW_CFA_def_cfa: sp + 8; the return address at CFA - 8. */
#define USUAL CODE(0x0c, ARCH_SP, 8, 0x80 | RA, 1)

enum { RA = ARCH_LINK < 0 ? ARCH_PC : ARCH_LINK, R3 = 3, R5 = 5 };

static struct builder b;
static struct cfi_tables tables;
static struct cfi_fde fde;
static struct cfi_row row;

static void setup(void)
{
	builder_start(&b);
}

static void teardown(void)
{
	builder_end(&b);
}

/* The rules at an offset in the one function that consists of code. */
static int rules_of(struct code cie, struct code code, unsigned offset)
{
	uintptr_t begin;
	int err;

	if (b.cie) {
		builder_end(&b);
		builder_start(&b);
	}
	builder_cie(&b, cie);
	begin = builder_function(&b, code);
	tables = builder_finish(&b);
	err = cfi_find(&tables, begin + offset, &fde);
	return err ? err : cfi_rules(&tables, &fde, begin + offset, &row);
}

static void expect_cfa(unsigned reg, int64_t offset)
{
	ck_assert(!row.cfa_expression);
	ck_assert_uint_eq(row.cfa_register, reg);
	ck_assert_int_eq(row.cfa_value, offset);
}

static void expect(unsigned reg, enum cfi_how how, int64_t value)
{
	ck_assert_uint_eq(row.how[reg], how);
	if (how >= CFI_OFFSET)
		ck_assert_int_eq(row.value[reg], value);
}

/* ---- finding ---------------------------------------------------------- */

static void find_all(void)
{
	uintptr_t begin = 0;

	builder_cie(&b, USUAL);
	for (int i = 0; i < 100; i++)
		begin = builder_function(&b, CODE(0x0e, (uint8_t)i));
	tables = builder_finish(&b);
	begin -= 99 * BUILDER_FUNCTION;
	for (unsigned i = 0; i < 100 * BUILDER_FUNCTION; i += 0x7f) {
		ck_assert_int_eq(cfi_find(&tables, begin + i, &fde), 0);
		ck_assert_uint_eq(fde.begin, begin + i / BUILDER_FUNCTION * BUILDER_FUNCTION);
		ck_assert_uint_eq(fde.end, fde.begin + BUILDER_FUNCTION);
		ck_assert_int_eq(cfi_rules(&tables, &fde, begin + i, &row), 0);
		expect_cfa(ARCH_SP, i / BUILDER_FUNCTION);
	}
	ck_assert_int_eq(cfi_find(&tables, begin - 1, &fde), -ENOENT);
	ck_assert_int_eq(cfi_find(&tables, begin + 100 * BUILDER_FUNCTION, &fde), -ENOENT);
	ck_assert_int_eq(cfi_find(&tables, 0, &fde), -ENOENT);
	ck_assert_int_eq(cfi_find(&tables, UINTPTR_MAX, &fde), -ENOENT);
}

START_TEST(test_find_sorted)
{
	find_all();
}
END_TEST

START_TEST(test_find_without_table)
{
	b.no_table = true;
	find_all();
}
END_TEST

START_TEST(test_find_long_lengths)
{
	b.long_lengths = true;
	find_all();
}
END_TEST

START_TEST(test_find_encodings)
{
	static const uint8_t encodings[] = {
		CFI_PE_ABSPTR,
		CFI_PE_UDATA8,
		CFI_PE_PCREL | CFI_PE_SDATA4,
		CFI_PE_PCREL | CFI_PE_SDATA8,
		CFI_PE_PCREL,
		CFI_PE_DATAREL | CFI_PE_SDATA4,
		CFI_PE_DATAREL | CFI_PE_UDATA4,
	};

	b.pointers = encodings[_i];
	find_all();
}
END_TEST

START_TEST(test_find_augmentations)
{
	static const struct {
		const char *text;
		bool signal;
	} cases[] = {
		{ "", false },	   { "zR", false },  { "zPLR", false }, { "zRS", true },
		{ "zPLRS", true }, { "zRB", false }, { "z", false },
	};

	b.augmentation = cases[_i].text;
	if (!strchr(b.augmentation, 'R'))
		b.pointers = CFI_PE_ABSPTR;
	find_all();
	ck_assert_int_eq(cfi_find(&tables, fde.begin, &fde), 0);
	ck_assert_int_eq(fde.signal, cases[_i].signal);
}
END_TEST

START_TEST(test_find_versions)
{
	static const uint8_t versions[] = { 1, 3, 4 };

	b.version = versions[_i];
	find_all();
}
END_TEST

START_TEST(test_find_unknown)
{
	static const struct builder cases[] = {
		{ .augmentation = "zRX", .version = 1, .pointers = 0x1b, .ra_column = RA },
		{ .augmentation = "eh", .version = 1, .pointers = 0x1b, .ra_column = RA },
		{ .augmentation = "zR", .version = 2, .pointers = 0x1b, .ra_column = RA },
		{ .augmentation = "zR", .version = 5, .pointers = 0x1b, .ra_column = RA },
		{ .augmentation = "zR", .version = 1, .pointers = 0x9b, .ra_column = RA },
		{ .augmentation = "zR", .version = 1, .pointers = 0x2b, .ra_column = RA },
		{ .augmentation = "zR", .version = 1, .pointers = 0x1b, .ra_column = ARCH_COLUMNS },
	};
	uintptr_t begin;

	b.augmentation = cases[_i].augmentation;
	b.version = cases[_i].version;
	b.pointers = cases[_i].pointers;
	b.ra_column = cases[_i].ra_column;
	builder_cie(&b, USUAL);
	begin = builder_function(&b, NO_CODE);
	tables = builder_finish(&b);
	ck_assert_int_eq(cfi_find(&tables, begin, &fde), -EINVAL);
}
END_TEST

START_TEST(test_find_nothing)
{
	builder_cie(&b, USUAL);
	tables = builder_finish(&b);
	ck_assert_int_eq(cfi_find(&tables, (uintptr_t)b.memory + BUILDER_CODE, &fde), -ENOENT);
	b.memory[0] = 2; /* a header of another version */
	ck_assert_int_eq(cfi_find(&tables, (uintptr_t)b.memory + BUILDER_CODE, &fde), -EINVAL);
	tables.hdr = tables.hi;
	ck_assert_int_eq(cfi_find(&tables, (uintptr_t)b.memory + BUILDER_CODE, &fde), -EINVAL);
}
END_TEST

START_TEST(test_parse)
{
	uintptr_t begin, address;

	builder_cie(&b, USUAL);
	begin = builder_function(&b, CODE(0x0e, 24));
	tables = builder_finish(&b);
	ck_assert_int_eq(cfi_find(&tables, begin, &fde), 0);
	address = fde.address;
	ck_assert_int_eq(cfi_parse(&tables, address, &fde), 0);
	ck_assert_uint_eq(fde.begin, begin);
	ck_assert_int_eq(cfi_parse(&tables, (uintptr_t)b.cie, &fde), -ENOENT);
	ck_assert_int_eq(cfi_parse(&tables, tables.hi - 4, &fde), -ENOENT);
	ck_assert_int_eq(cfi_parse(&tables, tables.hi, &fde), -EINVAL);
	ck_assert_int_eq(cfi_parse(&tables, tables.lo - 1, &fde), -EINVAL);
	ck_assert_int_eq(cfi_parse(&tables, tables.hi - 3, &fde), -EINVAL);
}
END_TEST

/* ---- instructions ------------------------------------------------------ */

START_TEST(test_rows_advance)
{
	struct code code = CODE(0x0e, 16,				 /* def_cfa_offset */
				0x44, 0x0e, 24,				 /* advance_loc 4 */
				0x02, 0x10, 0x0e, 32,			 /* advance_loc1 16 */
				0x03, 0x20, 0x00, 0x0e, 40,		 /* advance_loc2 32 */
				0x04, 0x40, 0x00, 0x00, 0x00, 0x0e, 48); /* advance_loc4 64 */
	static const struct {
		unsigned at;
		int64_t cfa;
	} rows[] = {
		{ 0, 16 },  { 3, 16 },	{ 4, 24 },   { 19, 24 },  { 20, 32 },
		{ 51, 32 }, { 52, 40 }, { 115, 40 }, { 116, 48 }, { 255, 48 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(rules_of(USUAL, code, rows[i].at), 0);
		expect_cfa(ARCH_SP, rows[i].cfa);
		expect(RA, CFI_OFFSET, -8);
	}
	/* The code alignment factor counts. */
	b.cie = NULL;
	builder_end(&b);
	builder_start(&b);
	b.code_align = 4;
	ck_assert_int_eq(rules_of(USUAL, code, 15), 0);
	expect_cfa(ARCH_SP, 16);
	builder_end(&b);
	builder_start(&b);
	b.code_align = 4;
	ck_assert_int_eq(rules_of(USUAL, code, 16), 0);
	expect_cfa(ARCH_SP, 24);
}
END_TEST

START_TEST(test_rows_set_loc)
{
	uint8_t code[] = { 0x0e, 16, 0x01, 0, 0, 0, 0, 0x0e, 24 };
	uintptr_t begin;
	int32_t distance;

	builder_cie(&b, USUAL);
	begin = builder_function(&b, (struct code){ code, sizeof(code) });
	tables = builder_finish(&b);
	ck_assert_int_eq(cfi_find(&tables, begin, &fde), 0);
	distance = (int32_t)(begin + 0x20 - (uintptr_t)(fde.code + 3));
	memcpy((uint8_t *)(uintptr_t)fde.code + 3, &distance, 4);
	ck_assert_int_eq(cfi_rules(&tables, &fde, begin + 0x1f, &row), 0);
	expect_cfa(ARCH_SP, 16);
	ck_assert_int_eq(cfi_rules(&tables, &fde, begin + 0x20, &row), 0);
	expect_cfa(ARCH_SP, 24);
}
END_TEST

START_TEST(test_rows_cfa)
{
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0c, R3, 0x80, 0x01), 0), 0);
	expect_cfa(R3, 128);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x12, R3, 0x7e), 0), 0); /* def_cfa_sf -2 */
	expect_cfa(R3, 16);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0d, R5), 0), 0); /* def_cfa_register */
	expect_cfa(R5, 8);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x13, 0x7d), 0), 0); /* def_cfa_offset_sf -3 */
	expect_cfa(ARCH_SP, 24);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0f, 2, 0x77, 8), 0), 0); /* an expression */
	ck_assert(row.cfa_expression);
	ck_assert_uint_eq(*(const uint8_t *)(uintptr_t)row.cfa_value, 2);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0f, 2, 0x77, 8, 0x0c, R5, 16), 0), 0);
	expect_cfa(R5, 16);
	/* An offset belongs to a register. */
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0f, 2, 0x77, 8, 0x0e, 16), 0), -EINVAL);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0c, ARCH_COLUMNS, 8), 0), -EINVAL);
}
END_TEST

START_TEST(test_rows_registers)
{
	ck_assert_int_eq(rules_of(USUAL, CODE(0x80 | R3, 2), 0), 0); /* offset */
	expect(R3, CFI_OFFSET, -16);
	expect(R5, CFI_UNSPECIFIED, 0);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x05, R3, 0x81, 0x01), 0), 0);
	expect(R3, CFI_OFFSET, -129 * 8);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x11, R3, 0x7f), 0), 0); /* signed: -1 */
	expect(R3, CFI_OFFSET, 8);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x2f, R3, 2), 0), 0); /* negative_offset_extended */
	expect(R3, CFI_OFFSET, 16);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x07, R3), 0), 0);
	expect(R3, CFI_UNDEFINED, 0);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x08, R3), 0), 0);
	expect(R3, CFI_SAME, 0);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x09, R3, R5), 0), 0);
	expect(R3, CFI_REGISTER, R5);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x14, R3, 2), 0), 0); /* val_offset */
	expect(R3, CFI_VAL_OFFSET, -16);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x15, R3, 0x7e), 0), 0);
	expect(R3, CFI_VAL_OFFSET, 16);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x10, R3, 1, 0x30), 0), 0);
	ck_assert_uint_eq(row.how[R3], CFI_EXPRESSION);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x16, R3, 1, 0x30), 0), 0);
	ck_assert_uint_eq(row.how[R3], CFI_VAL_EXPRESSION);
}
END_TEST

START_TEST(test_rows_restore)
{
	struct code cie = CODE(0x0c, ARCH_SP, 8, 0x80 | RA, 1, 0x80 | R3, 4);

	ck_assert_int_eq(rules_of(cie, CODE(0x80 | R3, 2, 0x41, 0xc0 | R3), 0), 0);
	expect(R3, CFI_OFFSET, -16);
	ck_assert_int_eq(rules_of(cie, CODE(0x80 | R3, 2, 0x41, 0xc0 | R3), 1), 0);
	expect(R3, CFI_OFFSET, -32);
	ck_assert_int_eq(rules_of(cie, CODE(0x80 | R5, 2, 0xc0 | R5), 1), 0);
	expect(R5, CFI_UNSPECIFIED, 0);
	ck_assert_int_eq(rules_of(cie, CODE(0x80 | R3, 2, 0x06, R3), 1), 0); /* extended */
	expect(R3, CFI_OFFSET, -32);
	/* A CIE has nothing to go back to. */
	ck_assert_int_eq(rules_of(CODE(0x80 | R3, 4, 0xc0 | R3), NO_CODE, 0), -EINVAL);
}
END_TEST

START_TEST(test_rows_remember)
{
	struct code code = CODE(0x0e, 16, 0x80 | R3, 2, 0x0a,	      /* remember */
				0x41, 0x0e, 8, 0xc0 | R3, 0x41, 0x0b, /* restore */
				0x41, 0x0a, 0x0a, 0x0e, 99, 0x0b, 0x0b);

	ck_assert_int_eq(rules_of(USUAL, code, 0), 0);
	expect_cfa(ARCH_SP, 16);
	expect(R3, CFI_OFFSET, -16);
	ck_assert_int_eq(rules_of(USUAL, code, 1), 0);
	expect_cfa(ARCH_SP, 8);
	expect(R3, CFI_UNSPECIFIED, 0);
	ck_assert_int_eq(rules_of(USUAL, code, 2), 0);
	expect_cfa(ARCH_SP, 16);
	expect(R3, CFI_OFFSET, -16);
	ck_assert_int_eq(rules_of(USUAL, code, 3), 0);
	expect_cfa(ARCH_SP, 16);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0b), 0), -EINVAL);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a), 0), 0);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a), 0),
			 -EINVAL);
	ck_assert_int_eq(rules_of(CODE(0x0a), NO_CODE, 0), -EINVAL);
}
END_TEST

START_TEST(test_rows_ignored)
{
	/* args_size, both kinds of negate_ra_state, registers that aren't followed. */
	ck_assert_int_eq(rules_of(USUAL,
				  CODE(0x2e, 0x80, 0x01, 0x2d, 0x2c, 0, 0x80 | 60, 3, 0x05, 70, 2,
				       0x07, 71, 0x10, 72, 1, 0x30, 0xc0 | 60, 0x80 | R3, 2),
				  0),
			 0);
	expect(R3, CFI_OFFSET, -16);
	expect_cfa(ARCH_SP, 8);
}
END_TEST

START_TEST(test_rows_broken)
{
	ck_assert_int_eq(rules_of(USUAL, CODE(0x3f), 0), -EINVAL);
	ck_assert_int_eq(rules_of(USUAL, CODE(0x17), 0), -EINVAL);
	/* The last ones have no end: the section's padding is their rest. */
	ck_assert_int_eq(rules_of(USUAL, CODE(0x10, R3, 0x7f), 0), -EINVAL);
	ck_assert_int_eq(rules_of(USUAL,
				  CODE(0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				       0x01),
				  0),
			 -EINVAL);
}
END_TEST

static void add(Suite *s, const char *name, void (*fill)(TCase *))
{
	TCase *t = tcase_create(name);

	tcase_add_checked_fixture(t, setup, teardown);
	fill(t);
	suite_add_tcase(s, t);
}

static void fill_find(TCase *t)
{
	tcase_add_test(t, test_find_sorted);
	tcase_add_test(t, test_find_without_table);
	tcase_add_test(t, test_find_long_lengths);
	tcase_add_loop_test(t, test_find_encodings, 0, 7);
	tcase_add_loop_test(t, test_find_augmentations, 0, 7);
	tcase_add_loop_test(t, test_find_versions, 0, 3);
	tcase_add_loop_test(t, test_find_unknown, 0, 7);
	tcase_add_test(t, test_find_nothing);
	tcase_add_test(t, test_parse);
}

static void fill_rows(TCase *t)
{
	tcase_add_test(t, test_rows_advance);
	tcase_add_test(t, test_rows_set_loc);
	tcase_add_test(t, test_rows_cfa);
	tcase_add_test(t, test_rows_registers);
	tcase_add_test(t, test_rows_restore);
	tcase_add_test(t, test_rows_remember);
	tcase_add_test(t, test_rows_ignored);
	tcase_add_test(t, test_rows_broken);
}

int main(void)
{
	Suite *s = suite_create("cfi");

	add(s, "entries", fill_find);
	add(s, "instructions", fill_rows);
	return suite_main(s);
}
