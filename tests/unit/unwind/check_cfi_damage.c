/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_cfi_damage.c - damaged tables: real ones, of this program and of the C library,
 * with bytes changed and ends truncated.  They lie between inaccessible pages, so that a
 * read outside them ends the test.  Each error is one of three, and every call returns
 * soon.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ompt_tool/unwind/cfi.h"
#include "ompt_tool/unwind/object.h"
#include "tests/support/suite_main.h"

enum {
	ROUNDS = 20000, /* times ten with OMPHWC_TEST_LONG */
	CHANGES_MAX = 6,
	GUARD = 65536,
};

/* A copy of an object's tables, as far from its code as they are. */
static struct {
	unsigned char *copy;
	size_t bytes;
	struct cfi_tables tables;
	uintptr_t moved;      /* from the original to the copy */
	const int32_t *pairs; /* the original's sorted table */
	uint32_t count;
} from;

static uint64_t seed = 88172645463325252ull;
static unsigned long found, outcomes[3];

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static bool read_any(const void *arg, uintptr_t address, unsigned bytes, uint64_t *value)
{
	(void)arg;
	(void)bytes;
	*value = next_random();
	return address % 3;
}

/* The copy ends at the guard: what follows the tables is cut off. */
static void copy_tables(const void *code)
{
	const struct object *o = object_find((uintptr_t)code);
	const uint32_t *hdr;
	unsigned char *m;

	ck_assert_ptr_nonnull(o);
	ck_assert_uint_gt(o->eh_hdr, 0);
	hdr = (const uint32_t *)o->eh_hdr;
	from.bytes = (o->eh_hi - o->eh_hdr + 15) & ~(size_t)15;
	m = mmap(NULL, from.bytes + 3 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(m != MAP_FAILED);
	from.copy = m + GUARD + (GUARD - from.bytes % GUARD) % GUARD;
	ck_assert_int_eq(mprotect(m + GUARD, (size_t)(from.copy + from.bytes - m) - GUARD,
				  PROT_READ | PROT_WRITE),
			 0);
	memcpy(from.copy, hdr, o->eh_hi - o->eh_hdr);
	from.tables.lo = from.tables.hdr = (uintptr_t)from.copy;
	from.tables.hi = from.tables.lo + from.bytes;
	from.moved = from.tables.hdr - o->eh_hdr;
	from.count = hdr[2];
	from.pairs = (const int32_t *)(hdr + 3);
}

static void evaluate_all(const struct cfi_tables *t, const struct cfi_row *row)
{
	uintptr_t reg[ARCH_COLUMNS], value;
	const struct cfi_machine m = { reg, next_random(), read_any, NULL };

	for (int i = 0; i < ARCH_COLUMNS; i++)
		reg[i] = next_random();
	if (row->cfa_expression)
		cfi_evaluate(t, (uintptr_t)row->cfa_value, NULL, &m, &value);
	for (int i = 0; i < ARCH_COLUMNS; i++)
		if (row->how[i] == CFI_EXPRESSION || row->how[i] == CFI_VAL_EXPRESSION)
			cfi_evaluate(t, (uintptr_t)row->value[i], &value, &m, &value);
}

/* All that can be asked of tables about one PC. */
static void ask(const struct cfi_tables *t, uintptr_t pc)
{
	struct cfi_fde fde;
	struct cfi_row row;
	int err = cfi_find(t, pc, &fde);

	ck_assert(err == 0 || err == -ENOENT || err == -EINVAL);
	outcomes[err == 0 ? 0 : err == -ENOENT ? 1 : 2]++;
	if (err)
		return;
	ck_assert(pc >= fde.begin && pc < fde.end);
	err = cfi_rules(t, &fde, pc, &row);
	ck_assert(err == 0 || err == -EINVAL);
	if (err)
		return;
	ck_assert(row.cfa_expression || row.cfa_register < ARCH_COLUMNS);
	found++;
	evaluate_all(t, &row);
}

/* Somewhere that matters to pair n: its entry in the table, its FDE, a CIE, or
   the header; or anywhere. */
static size_t choose_place(uint32_t n)
{
	uint64_t r = next_random();
	size_t fde = (size_t)from.pairs[2 * n + 1];

	switch (r % 8) {
	case 0: return r / 8 % 12;
	case 1: return 12 + n * 8 + r / 8 % 8;
	case 2: return 12 + from.count * 8 + r / 8 % 64;
	case 3: return r / 8 % from.bytes;
	default: return fde + r / 8 % 40;
	}
}

static void damage(uint32_t n)
{
	uintptr_t pc = from.tables.hdr + (uintptr_t)(intptr_t)from.pairs[2 * n];
	struct cfi_tables t = from.tables;
	unsigned changes = 1 + next_random() % CHANGES_MAX;
	size_t place[CHANGES_MAX];
	unsigned char before[CHANGES_MAX];

	for (unsigned i = 0; i < changes; i++) {
		place[i] = choose_place(n) % from.bytes;
		before[i] = from.copy[place[i]];
		from.copy[place[i]] = next_random() % 4 ?
					      (unsigned char)next_random() :
					      (unsigned char)(before[i] ^ 1u << next_random() % 8);
	}
	if (next_random() % 8 == 0)
		t.hi = t.lo + next_random() % from.bytes;
	for (int i = 0; i < 4; i++)
		ask(&t, pc + next_random() % 64);
	for (unsigned i = changes; i-- > 0;)
		from.copy[place[i]] = before[i];
}

static const void *code_of(int i)
{
	return i ? dlsym(RTLD_DEFAULT, "qsort") : (const void *)(uintptr_t)ask;
}

START_TEST(test_sound)
{
	copy_tables(code_of(_i));
	for (uint32_t n = 0; n < from.count; n++)
		ask(&from.tables, from.tables.hdr + (uintptr_t)(intptr_t)from.pairs[2 * n]);
	/* Every function is found, and its rules can be read. */
	ck_assert_uint_eq(outcomes[0], from.count);
	ck_assert_uint_eq(found, from.count);
}
END_TEST

START_TEST(test_damaged)
{
	long rounds = getenv("OMPHWC_TEST_LONG") ? 10L * ROUNDS : ROUNDS;

	copy_tables(code_of(_i));
	for (long i = 0; i < rounds; i++)
		damage((uint32_t)(next_random() % from.count));
	/* The damage was felt, and wasn't total. */
	ck_assert_uint_gt(found, (unsigned long)rounds / 10);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_gt(outcomes[i], (unsigned long)rounds / 100);
}
END_TEST

/* No table: one entry after the other, through what is broken. */
START_TEST(test_damaged_without_table)
{
	copy_tables(code_of(0));
	from.copy[2] = from.copy[3] = 0xff;
	for (int i = 0; i < ROUNDS / 20; i++)
		damage((uint32_t)(next_random() % from.count));
	ck_assert_uint_gt(found, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cfi, damaged");
	TCase *t = tcase_create("damage");

	tcase_add_loop_test(t, test_sound, 0, 2);
	tcase_add_loop_test(t, test_damaged, 0, 2);
	tcase_add_test(t, test_damaged_without_table);
	tcase_set_timeout(t, 120);
	suite_add_tcase(s, t);
	return suite_main(s);
}
