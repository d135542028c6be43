/* SPDX-License-Identifier: BSD-3-Clause */
/* check_flow.c - where code leads. */
#include "config.h"

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"
#include "tests/support/suite_main.h"

enum { BASE = 0x1000, BYTES = 512 };

static unsigned char page[BYTES];
static unsigned used;

static const unsigned char *page_at(void *self, uint64_t address, uint64_t n)
{
	(void)self;
	if (address < BASE || n > used || address - BASE > used - n)
		return NULL;
	return page + (address - BASE);
}

static struct callsite_code code = { .at = page_at };

static void put(unsigned machine, const void *bytes, size_t n)
{
	code.machine = machine;
	memcpy(page, bytes, n);
	used = (unsigned)n;
}

/* ---- results --------------------------------------------------------- */

START_TEST(results_that_are_asked_for)
{
	static const struct {
		const char *bytes;
		unsigned n;
		unsigned zero, other; /* 0: not known */
	} x[] = {
		{ "\x85\xc0\x74\x10", 4, 0x14, 4 },			/* test; je */
		{ "\x84\xc0\x75\x10", 4, 4, 0x14 },			/* test al; jne */
		{ "\x83\xf8\x01\x75\x10", 5, 0x15, 5 },			/* cmp 1; jne */
		{ "\x83\xf8\x00\x0f\x84\x10\x00\x00\x00", 9, 0x19, 9 }, /* cmp 0; je */
		{ "\x85\xc0\x89\xdf\x74\x10", 6, 0x16, 6 },		/* one between */
		{ "\x48\x85\xc0\x75\x10", 5, 5, 0x15 },			/* test rax; jne */
		{ "\x85\xc9\x74\x10", 4, 0, 0 },			/* another register */
		{ "\x83\xf8\x07\x74\x10", 5, 0, 0 },			/* another number */
		{ "\x85\xc0\x7f\x10", 4, 0, 0 },			/* jg */
		{ "\x85\xc0\xc3", 3, 0, 0 },
		/* mov rbx, [rsp+8]; test; mov [rbx], rax; je */
		{ "\x48\x8b\x5c\x24\x08\x85\xc0\x48\x89\x03\x74\x10", 12, 0x1c, 12 },
		{ "\x31\xdb\x85\xc0\x74\x10", 6, 0x16, 6 },	/* xor ebx, ebx; test */
		{ "\x85\xc0\x3e\x74\x10", 5, 0x15, 5 },		/* je, as likely */
		{ "\x0f\xb6\xc0\x85\xc0\x74\x10", 7, 0x17, 7 }, /* movzx eax, al */
		{ "\xfe\xc8\x74\x10", 4, 4, 0x14 },		/* dec al: was it 1? */
		{ "\xff\xc8\x75\x10", 4, 0x14, 4 },		/* dec eax; jne */
		/* test al, al; mov rax, [rip]; movq xmm2, rax; je */
		{ "\x84\xc0\x48\x8b\x05\x00\x00\x00\x00\x66\x48\x0f\x6e\xd0\x74\x10", 16, 0x20,
		  16 },
		{ "\xeb\x01\xcc\x84\xc0\x74\x10", 7, 0x17,
		  7 }, /* jmp over a byte; test al, al; je */
		{ "\x66\x48\x0f\x7e\xc0\x85\xc0\x74\x10", 9, 0, 0 }, /* movq rax, xmm0 */
		/* The result, or the flags, are others' by then. */
		{ "\x8b\x44\x24\x08\x85\xc0\x74\x10", 8, 0, 0 }, /* mov eax, … */
		{ "\x31\xc0\x85\xc0\x74\x10", 6, 0, 0 },	 /* xor eax, eax */
		{ "\x58\x85\xc0\x74\x10", 5, 0, 0 },		 /* pop rax */
		{ "\xb4\x01\x85\xc0\x74\x10", 6, 0, 0 },	 /* mov ah, 1 */
		{ "\x99\x85\xc0\x74\x10", 5, 0, 0 },		 /* cdq: not in the table */
		{ "\x85\xc0\x39\xcb\x74\x10", 6, 0, 0 },	 /* cmp ebx, ecx */
		{ "\x85\xc0\xff\xc3\x74\x10", 6, 0, 0 },	 /* inc ebx */
		{ "\x85\xc0\x64\x75\x10", 5, 0, 0 },		 /* of no meaning */
		{ "\x85\xc0\xe0\x10", 4, 0, 0 },		 /* loopne */
	};
	static const uint32_t cbz[] = { 0x34000080 }, cmp[] = { 0x7100041f, 0x54000081 };
	static const uint32_t arm_none[][3] = {
		{ 0xb9400fe0, 0x34000080, 0 },		/* ldr w0, [sp, 12]; cbz w0 */
		{ 0x2a0103e0, 0x34000080, 0 },		/* mov w0, w1; cbz w0 */
		{ 0x7100041f, 0x6b02003f, 0x54000081 },	/* cmp w0, 1; cmp w1, w2; b.ne */
		{ 0x7100041f, 0x34000080, 0 },		/* cmp w0, 1; cbz w0 */
		{ 0x1e204000, 0x34000080, 0 },		/* fmov s0, s0: not in the table */
	}, arm_between[] = { 0xb90013e0, 0xb94013e1, 0x34000080 },	/* str w0; ldr w1; cbz w0 */
	  arm_bool[] = { 0x12001c00, 0x7100001f, 0x54000080 };	/* and w0, w0, 255; cmp w0, 0; b.eq */
	uint64_t zero, other;

	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++) {
		put(EM_X86_64, x[i].bytes, x[i].n);
		ck_assert_msg(flow_if_zero(&code, BASE, &zero, &other) == !!x[i].other, "%zu", i);
		if (!x[i].other)
			continue;
		ck_assert_uint_eq(zero, BASE + x[i].zero);
		ck_assert_uint_eq(other, BASE + x[i].other);
	}
	put(EM_AARCH64, cbz, sizeof(cbz));
	ck_assert(flow_if_zero(&code, BASE, &zero, &other));
	ck_assert_uint_eq(zero, BASE + 16);
	ck_assert_uint_eq(other, BASE + 4);
	put(EM_AARCH64, cmp, sizeof(cmp));
	ck_assert(flow_if_zero(&code, BASE, &zero, &other));
	ck_assert_uint_eq(zero, BASE + 4 + 16);
	ck_assert_uint_eq(other, BASE + 8);
	put(EM_AARCH64, arm_between, sizeof(arm_between));
	ck_assert(flow_if_zero(&code, BASE, &zero, &other));
	ck_assert_uint_eq(zero, BASE + 8 + 16);
	put(EM_AARCH64, arm_bool, sizeof(arm_bool));
	ck_assert(flow_if_zero(&code, BASE, &zero, &other));
	ck_assert_uint_eq(zero, BASE + 8 + 16);
	for (size_t i = 0; i < sizeof(arm_none) / sizeof(*arm_none); i++) {
		put(EM_AARCH64, arm_none[i], sizeof(arm_none[i]));
		ck_assert_msg(!flow_if_zero(&code, BASE, &zero, &other), "%zu", i);
	}
	/* No machine's result is known there. */
	put(EM_RISCV, cbz, sizeof(cbz));
	ck_assert(!flow_if_zero(&code, BASE, &zero, &other));
}
END_TEST

/* ---- walks ----------------------------------------------------------- */

enum { END_CALL = BASE + 0x100, NEXT_CALL = BASE + 0x110 };

static enum flow_answer on_call(void *arg, uint64_t return_address, uint64_t target)
{
	(void)arg;
	(void)return_address;
	return target == END_CALL ? FLOW_STOP : target == NEXT_CALL ? FLOW_IF_NOT_ZERO : FLOW_GO_ON;
}

static enum flow_answer on_jump(void *arg, uint64_t target)
{
	(void)arg;
	return target >= BASE && target < BASE + 0x80 ? FLOW_GO_ON : FLOW_STOP;
}

static const struct flow_guide guide = { .call = on_call, .jump = on_jump };

/* Pieces in the order lo, hi, lo, hi, …, less BASE, ended by 0xffff. */
static void reaches(const unsigned *expected)
{
	struct flow_piece *p;
	size_t n;

	ck_assert_int_eq(flow_reach(&code, BASE, &guide, &p, &n), 0);
	for (size_t i = 0; i < n; i++, expected += 2) {
		ck_assert_uint_eq(p[i].lo, BASE + expected[0]);
		ck_assert_uint_eq(p[i].hi, BASE + expected[1]);
	}
	ck_assert_uint_eq(*expected, 0xffff);
	free(p);
}

static void put_at(unsigned where, const char *bytes, size_t n)
{
	memcpy(page + where, bytes, n);
}

#define PUT_AT(where, bytes) put_at(where, bytes, sizeof(bytes) - 1)

static void walk_setup(void)
{
	memset(page, 0xcc, sizeof(page));
	code.machine = EM_X86_64;
	used = 0x80;
}

/* The body lies behind the end, and what follows the end before it. */
START_TEST(body_behind_its_end)
{
	PUT_AT(0x00, "\x85\xdb\x75\x1c");     /* if (n) goto 0x20 */
	PUT_AT(0x04, "\xe8\xf7\x00\x00\x00"); /* the end: 0x100 */
	PUT_AT(0x09, "\xc3");
	PUT_AT(0x20, "\x90\xff\xcb\x75\xfb"); /* loop: dec ebx, jne 0x20 */
	PUT_AT(0x25, "\xeb\xdd");	      /* goto 0x04 */
	reaches((const unsigned[]){ 0x00, 0x09, 0x20, 0x27, 0xffff });
}
END_TEST

/* As long as there are more iterations. */
START_TEST(loop_that_asks)
{
	PUT_AT(0x00, "\xe8\x0b\x01\x00\x00"); /* 0x110 */
	PUT_AT(0x05, "\x85\xc0\x74\x05");     /* over: goto 0x0e */
	PUT_AT(0x09, "\x90\xeb\xf4");	      /* goto 0x00 */
	PUT_AT(0x0e, "\x90\x90\xc3");
	reaches((const unsigned[]){ 0x00, 0x05, 0x09, 0x0c, 0xffff });
}
END_TEST

/* Out of the function, and to an unknown place. */
START_TEST(ways_that_leave)
{
	struct flow_piece *p = NULL;
	size_t n;

	PUT_AT(0x00, "\x74\x02\x90\xc3\xe9\x77\x01\x00\x00");
	reaches((const unsigned[]){ 0x00, 0x09, 0xffff });
	PUT_AT(0x04, "\xff\xe0");
	ck_assert_int_eq(flow_reach(&code, BASE, &guide, &p, &n), -ENOENT);
	PUT_AT(0x00, "\x74\x04\x5d\x48\xff\xe0\x90\xc3"); /* pop; jmp rax */
	reaches((const unsigned[]){ 0x00, 0x08, 0xffff });
	PUT_AT(0x00, "\x74\x02\xff\x20\x90\xc3"); /* jmp [rax] */
	reaches((const unsigned[]){ 0x00, 0x06, 0xffff });
	PUT_AT(0x00, "\x74\x02\x90\xc3");
	PUT_AT(0x04, "\x06"); /* no instruction */
	memset(page + 5, 0x06, 20);
	PUT_AT(0x00, "\xeb\x7c"); /* to the very end */
	page[0x7e] = 0x48;
	page[0x7f] = 0x8b;
	ck_assert_int_eq(flow_reach(&code, BASE, &guide, &p, &n), -ENOENT);
	ck_assert_ptr_null(p);
}
END_TEST

/* ---- tables ---------------------------------------------------------- */

enum { TABLE = 0x60, WAYS = 0x40 }; /* less BASE */

static void put_entry(unsigned where, unsigned bytes, int64_t value)
{
	memcpy(page + where, &value, bytes);
}

/* Three cases at WAYS, 4 bytes each: one instruction, return. */
static void put_ways(const char *way, unsigned bytes)
{
	for (int i = 0; i < 3; i++)
		put_at(WAYS + 8 * (unsigned)i, way, bytes);
}

static const struct {
	const char *bytes;
	unsigned n;
	unsigned entry;	     /* bytes of one */
	int64_t first, step; /* of the entries */
	bool known;
} x86_tables[] = {
	/* cmp eax, 2; ja; mov eax, eax; jmp [rax*8 + TABLE] */
	{ "\x83\xf8\x02\x77\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  true },
	/* likewise, but mov rax, [rax*8 + TABLE]; jmp rax */
	{ "\x83\xf8\x02\x77\x17\x48\x8b\x04\xc5\x60\x10\x00\x00\xff\xe0", 15, 8, BASE + WAYS, 8,
	  true },
	/* cmp al, 2; ja; lea rdx, [rip + …]; movsxd rax, [rdx + rax*4]; add rax, rdx; jmp */
	{ "\x3c\x02\x77\x18\x48\x8d\x15\x55\x00\x00\x00\x48\x63\x04\x82\x48\x01\xd0\xff\xe0", 20, 4,
	  (int64_t)WAYS - TABLE, 8, true },
	/* sub rax, 2; ja; lea rcx; movsxd rcx, [rcx + rax*4]; lea rdx; add rcx, rdx; jmp */
	{ "\x48\x83\xe8\x02\x77\x16\x48\x63\x0c\x81\x4c\x8d\x2d\x4f\x00\x00\x00\x4c\x01"
	  "\xe9\xff\xe1",
	  22, 4, (int64_t)WAYS - TABLE, 8, true },
	/* and eax, 1, of two: what lies behind is not taken for more */
	{ "\x83\xe0\x01\x74\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  false },
	/* no bound; another kind of comparison; of two registers */
	{ "\x90\x90\x90\x75\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  false },
	{ "\x83\xf8\x02\x7f\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  false },
	{ "\x39\xf8\x90\x77\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  false },
	/* its branch taken, not passed */
	{ "\x83\xf8\x02\x77\x02\xeb\x13\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 8,
	  false },
	/* entries that lead elsewhere; nowhere; that are not there */
	{ "\x83\xf8\x02\x77\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, BASE + WAYS, 0x40,
	  false },
	{ "\x83\xf8\x02\x77\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x00", 15, 8, 0, 0, false },
	{ "\x83\xf8\x02\x77\x17\x89\xc0\x3e\xff\x24\xc5\x60\x10\x00\x70", 15, 8, BASE + WAYS, 8,
	  false },
	/* more of them than any has */
	{ "\x3d\xff\xff\xff\x7f\x77\x13\xff\x24\xc5\x60\x10\x00\x00", 14, 8, BASE + WAYS, 8,
	  false },
};

START_TEST(x86_switches)
{
	struct flow_piece *p = NULL;
	size_t n = 0;
	int err;

	memset(page, 0xcc, sizeof(page));
	used = 0x80;
	code.machine = EM_X86_64;
	put_at(0, x86_tables[_i].bytes, x86_tables[_i].n);
	PUT_AT(0x1c, "\xc3");
	put_ways("\x90\xc3", 2);
	for (int i = 0; i < 3; i++)
		put_entry(TABLE + x86_tables[_i].entry * (unsigned)i, x86_tables[_i].entry,
			  x86_tables[_i].first + i * x86_tables[_i].step);
	err = flow_reach(&code, BASE, &guide, &p, &n);
	if (_i == 4) {
		/* The third way is none. */
		ck_assert_int_eq(err, 0);
		ck_assert_uint_eq(p[n - 1].lo, BASE + WAYS + 8);
	} else if (!x86_tables[_i].known) {
		ck_assert_int_eq(err, -ENOENT);
		ck_assert_ptr_null(p);
	} else {
		ck_assert_int_eq(err, 0);
		ck_assert_uint_eq(n, 5);
		ck_assert_uint_eq(p[4].lo, BASE + WAYS + 16);
		ck_assert_uint_eq(p[4].hi, BASE + WAYS + 18);
	}
	free(p);
}
END_TEST

/* gcc's and clang's, with entries of 1, 2 and 4 bytes; hoisted out of a loop; unbounded. */
START_TEST(arm_switches)
{
	static const struct {
		uint32_t insns[9];
		unsigned entry;
		int64_t first, step;
		bool known;
	} tables[] = {
		/* cmp w0, 2; b.hi; adrp; add; ldrb w10, [x1, x0]; adr x9, WAYS;
		   add x9, x9, x10, lsl 2; br x9 */
		{ { 0x7100081f, 0x54000188, 0x90000001, 0x91018021, 0x3860682a, 0x10000169,
		    0x8b0a0929, 0xd61f0120, 0 },
		  1,
		  0,
		  2,
		  true },
		/* ldrh w0, [x1, w0, uxtw 1]; adr x2; add x0, x2, w0, sxth 2; br x0 */
		{ { 0x7100081f, 0x54000188, 0x90000001, 0x91018021, 0x78605820, 0x10000162,
		    0x8b20a840, 0xd61f0000, 0 },
		  2,
		  0,
		  2,
		  true },
		/* ldr w0, [x1, w0, uxtw 2]; adr x1; add x0, x1, w0, sxtw 2; br x0 */
		{ { 0x7100081f, 0x54000188, 0x90000001, 0x91018021, 0xb8605820, 0x10000161,
		    0x8b20c820, 0xd61f0000, 0 },
		  4,
		  0,
		  2,
		  true },
		/* ldrsw x9, [x1, x0, lsl 2]; adr x8; add x8, x8, x9; br x8 */
		{ { 0x7100081f, 0x54000188, 0x90000001, 0x91018021, 0xb8a07829, 0x10000168,
		    0x8b090108, 0xd61f0100, 0 },
		  4,
		  0,
		  8,
		  true },
		/* and w0, w0, 3 of three; nop */
		{ { 0x12000400, 0xd503201f, 0x90000001, 0x91018021, 0x3860682a, 0x10000169,
		    0x8b0a0929, 0xd61f0120, 0 },
		  1,
		  0,
		  2,
		  false },
		{ { 0xd503201f, 0xd503201f, 0x90000001, 0x91018021, 0x3860682a, 0x10000169,
		    0x8b0a0929, 0xd61f0120, 0 },
		  1,
		  0,
		  2,
		  false },
	};
	static const uint32_t way[] = { 0xd503201f, 0xd65f03c0 }, back[] = { 0xd65f03c0 };

	code.machine = EM_AARCH64;
	for (size_t k = 0; k < sizeof(tables) / sizeof(*tables); k++) {
		struct flow_piece *p = NULL;
		size_t n = 0;
		int err;

		memset(page, 0, sizeof(page));
		used = 0x80;
		memcpy(page, tables[k].insns, sizeof(tables[k].insns));
		memcpy(page + 0x34, back, sizeof(back));
		put_ways((const char *)way, sizeof(way));
		memset(page + TABLE, 0xff, 0x20);
		for (int i = 0; i < 3; i++)
			put_entry(TABLE + tables[k].entry * (unsigned)i, tables[k].entry,
				  tables[k].first + i * tables[k].step);
		err = flow_reach(&code, BASE, &guide, &p, &n);
		ck_assert_msg(err == (tables[k].known ? 0 : -ENOENT), "%zu: %d", k, err);
		if (tables[k].known)
			ck_assert_msg(n && p[n - 1].hi == BASE + WAYS + 24, "%zu", k);
		free(p);
	}
}
END_TEST

/* ---- slots ----------------------------------------------------------- */

enum { OWN = 0x3000, OTHERS = 0x3008, FUNCTION = 0x1100 };

static bool slot_at(void *self, uint64_t slot, uint64_t *target)
{
	(void)self;
	*target = slot == OWN ? FUNCTION : slot;
	return slot == OWN || slot == OTHERS;
}

START_TEST(calls_through_slots)
{
	static const struct {
		const char *bytes;
		unsigned n;
		enum flow_kind kind;
		uint64_t target;
	} x[] = {
		{ "\xff\x15\xfa\x1f\x00\x00", 6, FLOW_CALL, FUNCTION },
		{ "\xff\x15\x02\x20\x00\x00", 6, FLOW_CALL, OTHERS },
		{ "\xff\x25\x02\x20\x00\x00", 6, FLOW_JUMP, OTHERS },
		{ "\xf2\xff\x25\x01\x20\x00\x00", 7, FLOW_JUMP, OTHERS }, /* bnd */
		{ "\xff\x15\x0a\x20\x00\x00", 6, FLOW_INDIRECT_CALL, 0 }, /* a variable */
		{ "\xff\x35\x02\x20\x00\x00", 6, FLOW_NEXT, 0 },	  /* push */
		{ "\xff\xd0", 2, FLOW_INDIRECT_CALL, 0 },
		{ "\xff\xe0", 2, FLOW_INDIRECT_JUMP, 0 },
		{ "\xff\x90\x02\x20\x00\x00", 6, FLOW_INDIRECT_CALL, 0 }, /* [rax + …] */
	};
	struct flow_insn i;

	code.slot = slot_at;
	for (size_t k = 0; k < sizeof(x) / sizeof(*x); k++) {
		put(EM_X86_64, x[k].bytes, x[k].n);
		ck_assert(flow_decode(&code, BASE, &i));
		ck_assert_msg(i.kind == x[k].kind && i.target == x[k].target, "%zu", k);
	}
	code.slot = NULL;
	put(EM_X86_64, x[0].bytes, x[0].n);
	ck_assert(flow_decode(&code, BASE, &i));
	ck_assert_int_eq(i.kind, FLOW_INDIRECT_CALL);
}
END_TEST

START_TEST(calls_through_slots_on_arm)
{
	static const struct {
		uint32_t insns[6];
		unsigned n;
		enum flow_kind kind;
		uint64_t target;
	} arm[] = {
		/* adrp x1, 0x3000; ldr x1, [x1, 8]; mov w0, w21; blr x1 */
		{ { 0xd0000001, 0xf9400421, 0x2a1503e0, 0xd63f0020 }, 4, FLOW_CALL, OTHERS },
		{ { 0xd0000001, 0xf9400021, 0xd61f0020 }, 3, FLOW_JUMP, FUNCTION },
		/* x20 outlives a call, x1 does not. */
		{ { 0xd0000013, 0xf9400674, 0x94000010, 0xd63f0280 }, 4, FLOW_CALL, OTHERS },
		{ { 0xd0000001, 0xf9400421, 0x94000010, 0xd63f0020 }, 4, FLOW_INDIRECT_CALL, 0 },
		/* What a variable's word points to; another's word; a branch between. */
		{ { 0xd0000001, 0xf9400421, 0xf9400021, 0xd63f0020 }, 4, FLOW_INDIRECT_CALL, 0 },
		{ { 0xd0000001, 0xf9400821, 0xd63f0020 }, 3, FLOW_INDIRECT_CALL, 0 },
		{ { 0xd0000001, 0xf9400421, 0x34000040, 0xd63f0020 }, 4, FLOW_INDIRECT_CALL, 0 },
		/* ldp x0, x1, [sp] */
		{ { 0xd0000001, 0xf9400421, 0xa94007e0, 0xd63f0020 }, 4, FLOW_INDIRECT_CALL, 0 },
		{ { 0xd63f0020 }, 1, FLOW_INDIRECT_CALL, 0 },
	};
	struct flow_insn i;

	code.slot = slot_at;
	for (size_t k = 0; k < sizeof(arm) / sizeof(*arm); k++) {
		put(EM_AARCH64, arm[k].insns, arm[k].n * 4);
		ck_assert(flow_decode(&code, BASE + (arm[k].n - 1) * 4, &i));
		ck_assert_msg(i.kind == arm[k].kind && i.target == arm[k].target, "%zu", k);
	}
	code.slot = NULL;
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("flow");
	TCase *c = tcase_create("results");

	tcase_add_test(c, results_that_are_asked_for);
	suite_add_tcase(suite, c);
	c = tcase_create("walks");
	tcase_add_checked_fixture(c, walk_setup, NULL);
	tcase_add_test(c, body_behind_its_end);
	tcase_add_test(c, loop_that_asks);
	tcase_add_test(c, ways_that_leave);
	suite_add_tcase(suite, c);
	c = tcase_create("tables");
	tcase_add_loop_test(c, x86_switches, 0, sizeof(x86_tables) / sizeof(*x86_tables));
	tcase_add_test(c, arm_switches);
	suite_add_tcase(suite, c);
	c = tcase_create("slots");
	tcase_add_test(c, calls_through_slots);
	tcase_add_test(c, calls_through_slots_on_arm);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
