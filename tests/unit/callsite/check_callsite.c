/* SPDX-License-Identifier: BSD-3-Clause */
/* check_callsite.c - which barrier a call is for, from its machine code. */
#include "config.h"

#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "src/callsite/callsite.h"
#include "src/toolchain/toolchain.h"
#include "tests/support/suite_main.h"

/* An object of one page, loaded at BASE: code, and idents in its second half. */
enum {
	BASE = 0x1000,
	BYTES = 4096,
	EXPLICIT = 0x1800,
	IMPLICIT = 0x1820,
	LOOP = 0x1840,
	OTHER = 0x1860,
	CALL_BYTES = 5
};

static unsigned char page[BYTES];
static unsigned at; /* where the next instruction goes */

static const unsigned char *page_at(void *self, uint64_t address, uint64_t n)
{
	(void)self;
	if (address < BASE || n > BYTES || address - BASE > BYTES - n)
		return NULL;
	return page + (address - BASE);
}

static void put_u32(unsigned where, uint32_t v)
{
	memcpy(page + where, &v, sizeof(v));
}

static void setup(void)
{
	memset(page, 0, sizeof(page));
	put_u32(EXPLICIT - BASE + 4, 0x22);
	put_u32(IMPLICIT - BASE + 4, 0x142); /* of a single */
	put_u32(LOOP - BASE + 4, 0x202);     /* no barrier's */
	put_u32(OTHER - BASE + 4, 0x20);     /* no ident: without KMPC */
	at = 0x100;
}

static void put(const char *bytes, size_t n)
{
	memcpy(page + at, bytes, n);
	at += (unsigned)n;
}

#define PUT(bytes) put(bytes, sizeof(bytes) - 1)

/* lea REG, [rip + …target] */
static void put_lea(const char *opcode, uint32_t target)
{
	put(opcode, 3);
	put_u32(at, target - (BASE + at + 4));
	at += 4;
}

static void put_call(void)
{
	PUT("\xe8\x10\x20\x30\x00");
}

static enum barrier_kind ask(unsigned machine)
{
	const struct callsite_code c = { .at = page_at, .machine = machine };

	return callsite_barrier(&c, BASE + at);
}

START_TEST(x86_address_of_ident)
{
	put_lea("\x48\x8d\x3d", EXPLICIT);
	PUT("\x89\xee"); /* mov esi, ebp */
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_EXPLICIT);
	put_lea("\x48\x8d\x3d", IMPLICIT);
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_IMPLICIT);
	ck_assert_int_eq(ask(EM_386), BARRIER_UNKNOWN);
}
END_TEST

START_TEST(x86_ident_in_a_register)
{
	put_lea("\x4c\x8d\x35", IMPLICIT); /* r14 */
	put_lea("\x48\x8d\x1d", LOOP);	   /* rbx, then again: */
	put_lea("\x48\x8d\x1d", EXPLICIT);
	at += 200;
	PUT("\x4c\x89\xf7\x89\xee"); /* mov rdi, r14; mov esi, ebp */
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_IMPLICIT);
	PUT("\x48\x89\xdf\x89\xee"); /* mov rdi, rbx */
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_EXPLICIT);
}
END_TEST

/* What is behind a jump may have been loaded before another branch. */
START_TEST(x86_register_of_another_call)
{
	put_lea("\x48\x8d\x1d", IMPLICIT); /* rbx */
	PUT("\x75\x40");		   /* jne */
	put_lea("\x48\x8d\x1d", EXPLICIT);
	PUT("\x48\x89\xdf"); /* mov rdi, rbx */
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_EXPLICIT);
	PUT("\xeb\x40"); /* jmp */
	PUT("\x48\x89\xdf");
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_UNKNOWN);
}
END_TEST

/* All that it can be is the same. */
START_TEST(x86_register_behind_a_jump)
{
	put_lea("\x48\x8d\x1d", EXPLICIT);
	PUT("\xeb\x40");
	put_lea("\x48\x8d\x1d", EXPLICIT);
	PUT("\xeb\x40\x48\x89\xdf");
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_EXPLICIT);
}
END_TEST

/* An executable at a fixed address. */
START_TEST(x86_ident_as_a_number)
{
	PUT("\xbf");
	put_u32(at, EXPLICIT);
	at += 4;
	PUT("\xff\x15\x10\x20\x30\x00"); /* call [rip + …] */
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_EXPLICIT);
}
END_TEST

START_TEST(x86_what_is_no_barrier)
{
	put_lea("\x48\x8d\x3d", LOOP);
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_UNKNOWN);
	put_lea("\x48\x8d\x3d", OTHER);
	put_call();
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_UNKNOWN);
	/* No call at all. */
	put_lea("\x48\x8d\x3d", EXPLICIT);
	PUT("\x90\x90\x90\x90\x90");
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_UNKNOWN);
}
END_TEST

static void put_insn(uint32_t insn)
{
	put_u32(at, insn);
	at += 4;
}

START_TEST(arm_address_of_ident)
{
	put_insn(0x90000008);					  /* adrp x8, this page */
	put_insn(0x91000000 | (EXPLICIT & 0xfff) << 10 | 8 << 5); /* add x0, x8, # */
	put_insn(0x2a1303e1);					  /* mov w1, w19 */
	put_insn(0x94000010);					  /* bl */
	ck_assert_int_eq(ask(EM_AARCH64), BARRIER_EXPLICIT);
	put_insn(0x90000000);
	put_insn(0x91000000 | (IMPLICIT & 0xfff) << 10);
	put_insn(0x94000010);
	ck_assert_int_eq(ask(EM_AARCH64), BARRIER_IMPLICIT);
	put_insn(0xd503201f); /* nop: no call */
	ck_assert_int_eq(ask(EM_AARCH64), BARRIER_UNKNOWN);
}
END_TEST

static bool is_any(void *arg, uint64_t value)
{
	*(uint64_t *)arg = value;
	return true;
}

START_TEST(other_arguments)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_X86_64 };
	uint64_t value = 0;

	put_lea("\x48\x8d\x3d", IMPLICIT);
	PUT("\xba\x23\x00\x00\x40\x89\xee"); /* mov edx, 0x40000023; mov esi, ebp */
	put_call();
	ck_assert(callsite_argument(&c, BASE + at, 2, is_any, &value));
	ck_assert_uint_eq(value, 0x40000023);
	ck_assert_int_eq(toolchain_schedule(value), CONSTRUCT_FOR_DYNAMIC);
	ck_assert_int_eq(toolchain_schedule(34), CONSTRUCT_FOR_STATIC);
	ck_assert_int_eq(toolchain_schedule(0x20000024), CONSTRUCT_FOR_GUIDED);
	ck_assert_int_eq(toolchain_schedule(1), CONSTRUCT_FOR);
	ck_assert(callsite_target(&c, BASE + at, &value));
	ck_assert_uint_eq(value, BASE + at + 0x302010);
	PUT("\xff\xd0"); /* call rax */
	ck_assert(!callsite_target(&c, BASE + at, &value));
}
END_TEST

/* What a task's allocation gets as its sixth. */
START_TEST(arguments_in_later_registers)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_X86_64 };
	uint64_t value = 0;

	put_lea("\x4c\x8d\x0d", IMPLICIT); /* lea r9 */
	PUT("\xba\x01\x00\x00\x00");	   /* mov edx, 1 */
	put_call();
	ck_assert(callsite_argument(&c, BASE + at, 5, is_any, &value));
	ck_assert_uint_eq(value, IMPLICIT);
	put_lea("\x4c\x8d\x3d", EXPLICIT); /* lea r15 */
	PUT("\xb9\x28\x00\x00\x00");	   /* mov ecx, 0x28 */
	PUT("\x4d\x89\xf9");		   /* mov r9, r15 */
	put_call();
	ck_assert(callsite_argument(&c, BASE + at, 5, is_any, &value));
	ck_assert_uint_eq(value, EXPLICIT);
	ck_assert(!callsite_argument(&c, BASE + at, 6, is_any, &value));
}
END_TEST

static void put_nops(size_t n)
{
	while (n--)
		PUT("\x90");
}

/* A compiler's stack protector is between them. */
START_TEST(arguments_from_further_before)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_X86_64 };
	uint64_t value = 0;

	put_nops(100);
	put_lea("\x48\x8d\x3d", IMPLICIT); /* lea rdi */
	put_nops(60);
	put_call();
	ck_assert(callsite_argument(&c, BASE + at, 0, is_any, &value));
	ck_assert_uint_eq(value, IMPLICIT);
	put_nops(100);
	PUT("\xbf\x23\x00\x00\x00"); /* mov edi, 0x23 */
	put_nops(60);
	put_call();
	ck_assert(!callsite_argument(&c, BASE + at, 0, is_any, &value));
}
END_TEST

START_TEST(other_arguments_on_arm)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_AARCH64 };
	uint64_t value = 0;

	put_insn(0x52800462); /* mov w2, #35 */
	put_insn(0x2a1303e1); /* mov w1, w19 */
	put_insn(0x97ffffff); /* bl, 4 back */
	ck_assert(callsite_argument(&c, BASE + at, 2, is_any, &value));
	ck_assert_uint_eq(value, 35);
	ck_assert(callsite_target(&c, BASE + at, &value));
	ck_assert_uint_eq(value, BASE + at - 8);
}
END_TEST

/* gcc -fno-plt: the word at SLOT holds a function's address. */
enum { SLOT = 0x1f00 };

static bool slot_at(void *self, uint64_t slot, uint64_t *target)
{
	(void)self;
	*target = slot;
	return slot == SLOT;
}

/* call or jmp [rip + …slot] */
static void put_slot(const char *opcode, uint32_t slot)
{
	put(opcode, 2);
	put_u32(at, slot - (BASE + at + 4));
	at += 4;
}

START_TEST(x86_calls_through_slots)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_X86_64, .slot = slot_at };
	uint64_t value = 0, call;

	put_nops(8);
	put_slot("\xff\x15", SLOT);
	call = BASE + at;
	ck_assert(callsite_target(&c, call, &value));
	ck_assert_uint_eq(value, SLOT);
	ck_assert_int_eq(callsite_way(&c, call), CALLSITE_NAMED);
	put_slot("\xff\x15", SLOT + 8);
	ck_assert(!callsite_target(&c, BASE + at, &value));
	put_nops(8);
	ck_assert_uint_eq(callsite_last_call(&c, BASE + at, BASE), call);
	/* A tail call has arguments, too. */
	put_lea("\x48\x8d\x3d", EXPLICIT);
	put_slot("\xff\x25", SLOT);
	ck_assert(callsite_argument(&c, BASE + at, 0, is_any, &value));
	ck_assert_uint_eq(value, EXPLICIT);
}
END_TEST

START_TEST(arm_calls_through_slots)
{
	const struct callsite_code c = { .at = page_at, .machine = EM_AARCH64, .slot = slot_at };
	uint64_t value = 0;

	put_insn(0x90000001);				   /* adrp x1, this page */
	put_insn(0xf9400021 | ((SLOT & 0xfff) / 8) << 10); /* ldr x1, [x1, # */
	put_insn(0x52800462);				   /* mov w2, #35 */
	put_insn(0xd63f0020);				   /* blr x1 */
	ck_assert(callsite_target(&c, BASE + at, &value));
	ck_assert_uint_eq(value, SLOT);
	ck_assert_int_eq(callsite_way(&c, BASE + at), CALLSITE_NAMED);
	ck_assert(callsite_argument(&c, BASE + at, 2, is_any, &value));
	ck_assert_uint_eq(value, 35);
	ck_assert_uint_eq(callsite_last_call(&c, BASE + at + 4, BASE), BASE + at);
}
END_TEST

static enum callsite_way way_of(const char *bytes, size_t n, unsigned machine)
{
	const struct callsite_code c = { .at = page_at, .machine = machine };

	at = 0x200;
	put(bytes, n);
	return callsite_way(&c, BASE + at);
}

#define WAY(bytes, machine) way_of(bytes, sizeof(bytes) - 1, machine)

START_TEST(ways_to_call)
{
	ck_assert_int_eq(WAY("\xe8\x00\x01\x00\x00", EM_X86_64), CALLSITE_NAMED);
	/* call [rip + disp]: by the linkage table */
	ck_assert_int_eq(WAY("\xff\x15\x00\x01\x00\x00", EM_X86_64), CALLSITE_NAMED);
	ck_assert_int_eq(WAY("\xff\xd3", EM_X86_64), CALLSITE_POINTER);	    /* rbx */
	ck_assert_int_eq(WAY("\x41\xff\xd5", EM_X86_64), CALLSITE_POINTER); /* r13 */
	ck_assert_int_eq(WAY("\xe8\x4c\x41\xff\xd5", EM_X86_64), CALLSITE_POINTER);
	ck_assert_int_eq(WAY("\xff\x53\x18", EM_X86_64), CALLSITE_POINTER); /* [rbx + 24] */
	ck_assert_int_eq(WAY("\xff\x90\x18\x02\x00\x00", EM_X86_64), CALLSITE_POINTER);
	ck_assert_int_eq(WAY("\xff\x54\x24\x18", EM_X86_64), CALLSITE_POINTER); /* [rsp + 24] */
	ck_assert_int_eq(WAY("\x90\x90\x90\x90\x90", EM_X86_64), CALLSITE_UNKNOWN);
	ck_assert_int_eq(WAY("\x10\x00\x00\x94", EM_AARCH64), CALLSITE_NAMED);	 /* bl */
	ck_assert_int_eq(WAY("\x60\x02\x3f\xd6", EM_AARCH64), CALLSITE_POINTER); /* blr x19 */
	ck_assert_int_eq(WAY("\x1f\x20\x03\xd5", EM_AARCH64), CALLSITE_UNKNOWN); /* nop */
	ck_assert_int_eq(WAY("\xff\xd3", EM_RISCV), CALLSITE_UNKNOWN);
}
END_TEST

/* Any bytes, at any place, and nothing is read that is not there. */
START_TEST(any_code_is_survived)
{
	srand((unsigned)_i);
	for (size_t i = 0; i < BYTES; i++)
		page[i] = (unsigned char)rand();
	for (size_t i = 0; i < BYTES; i += 16)
		if (rand() % 4 == 0)
			memcpy(page + i, "\x48\x8d\x3d", 3);
	for (at = 0; at <= BYTES; at++) {
		ask(EM_X86_64);
		ask(EM_AARCH64);
		for (unsigned i = 0; i < 2; i++) {
			const struct callsite_code c = {
				.at = page_at,
				.machine = i ? EM_X86_64 : EM_AARCH64,
			};
			uint64_t target;

			callsite_target(&c, BASE + at, &target);
			callsite_way(&c, BASE + at);
		}
	}
	at = UINT32_MAX;
	ck_assert_int_eq(ask(EM_X86_64), BARRIER_UNKNOWN);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("callsite");
	TCase *c = tcase_create("callsite");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, x86_address_of_ident);
	tcase_add_test(c, x86_ident_in_a_register);
	tcase_add_test(c, x86_register_of_another_call);
	tcase_add_test(c, x86_register_behind_a_jump);
	tcase_add_test(c, x86_ident_as_a_number);
	tcase_add_test(c, x86_what_is_no_barrier);
	tcase_add_test(c, arm_address_of_ident);
	tcase_add_test(c, other_arguments);
	tcase_add_test(c, arguments_in_later_registers);
	tcase_add_test(c, arguments_from_further_before);
	tcase_add_test(c, other_arguments_on_arm);
	tcase_add_test(c, x86_calls_through_slots);
	tcase_add_test(c, arm_calls_through_slots);
	tcase_add_test(c, ways_to_call);
	tcase_add_loop_test(c, any_code_is_survived, 0, 8);
	suite_add_tcase(s, c);
	return suite_main(s);
}
