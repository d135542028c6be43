/* SPDX-License-Identifier: BSD-3-Clause */
/* check_decode.c - how long instructions are, and where each leads; what is not known. */
#include "config.h"

#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"
#include "tests/support/suite_main.h"

enum { BASE = 0x1000, MOST = 15 };

/* The code ends where a page ends; the next one can't be read. */
static unsigned char *page_end;
static unsigned used;

static const unsigned char *page_at(void *self, uint64_t address, uint64_t n)
{
	(void)self;
	if (address < BASE || n > used || address - BASE > used - n)
		return NULL;
	return page_end - used + (address - BASE);
}

static struct callsite_code code = { .at = page_at };

static void page_setup(void)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *p =
		mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(p != MAP_FAILED);
	ck_assert_int_eq(mprotect(p + bytes, bytes, PROT_NONE), 0);
	page_end = p + bytes;
}

static void put(unsigned machine, const void *bytes, size_t n)
{
	code.machine = machine;
	used = (unsigned)n;
	memcpy(page_end - n, bytes, n);
}

static bool has_target(enum flow_kind kind)
{
	return kind == FLOW_CALL || kind == FLOW_JUMP || kind == FLOW_BRANCH;
}

/* ---- x86-64 ---------------------------------------------------------- */

static const struct {
	const char *bytes;
	unsigned n;
	enum flow_kind kind;
	int relative; /* of the target to the next instruction */
} x86[] = {
	{ "\x55", 1, FLOW_NEXT, 0 },					  /* push rbp */
	{ "\x48\x89\xe5", 3, FLOW_NEXT, 0 },				  /* mov rbp, rsp */
	{ "\x48\x8b\x44\x24\x08", 5, FLOW_NEXT, 0 },			  /* mov rax, [rsp+8] */
	{ "\x8b\x05\x78\x56\x34\x12", 6, FLOW_NEXT, 0 },		  /* mov eax, [rip+…] */
	{ "\x8b\x04\x25\x78\x56\x34\x12", 7, FLOW_NEXT, 0 },		  /* mov eax, [abs] */
	{ "\x8b\x84\x24\x00\x01\x00\x00", 7, FLOW_NEXT, 0 },		  /* mov eax, [rsp+256] */
	{ "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, FLOW_NEXT, 0 }, /* mov rax, imm64 */
	{ "\x66\xb8\x01\x02", 4, FLOW_NEXT, 0 },			  /* mov ax, imm16 */
	{ "\xc7\x45\xfc\x01\x00\x00\x00", 7, FLOW_NEXT, 0 },		  /* mov [rbp-4], 1 */
	{ "\x66\xc7\x00\x01\x00", 5, FLOW_NEXT, 0 },			  /* mov word [rax], 1 */
	{ "\xf6\xc1\x01", 3, FLOW_NEXT, 0 },				  /* test cl, 1 */
	{ "\xf6\xd1", 2, FLOW_NEXT, 0 },				  /* not cl */
	{ "\xf7\xc1\x01\x00\x00\x00", 6, FLOW_NEXT, 0 },		  /* test ecx, 1 */
	{ "\x48\xf7\xf9", 3, FLOW_NEXT, 0 },				  /* idiv rcx */
	{ "\x83\xf8\x01", 3, FLOW_NEXT, 0 },				  /* cmp eax, 1 */
	{ "\x48\x81\xec\x00\x01\x00\x00", 7, FLOW_NEXT, 0 },		  /* sub rsp, 256 */
	{ "\xf3\x0f\x1e\xfa", 4, FLOW_NEXT, 0 },			  /* endbr64 */
	{ "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10, FLOW_NEXT, 0 }, /* nop */
	{ "\xf2\x0f\x10\x05\x78\x56\x34\x12", 8, FLOW_NEXT, 0 }, /* movsd xmm0, [rip+…] */
	{ "\x66\x0f\x70\xc0\x4e", 5, FLOW_NEXT, 0 },		 /* pshufd xmm0, xmm0, 4e */
	{ "\x66\x0f\x3a\x0f\xc1\x08", 6, FLOW_NEXT, 0 },	 /* palignr */
	{ "\x66\x0f\x38\x00\xc1", 5, FLOW_NEXT, 0 },		 /* pshufb */
	{ "\xc5\xf8\x77", 3, FLOW_NEXT, 0 },			 /* vzeroupper */
	{ "\xc5\xfb\x59\x44\x24\x08", 6, FLOW_NEXT, 0 },	 /* vmulsd xmm0, xmm0, [rsp+8] */
	{ "\xc4\xe2\xf1\xb8\xc2", 5, FLOW_NEXT, 0 },		 /* vfmadd231sd */
	{ "\xc4\xe3\x79\x04\xc8\x05", 6, FLOW_NEXT, 0 },	 /* vpermilps xmm1, xmm0, 5 */
	{ "\x62\xf1\xfd\x48\x28\x4c\x24\x01", 8, FLOW_NEXT, 0 }, /* vmovapd zmm1, [rsp+64] */
	{ "\x0f\xa2", 2, FLOW_NEXT, 0 },			 /* cpuid */
	{ "\xf0\x48\x0f\xb1\x0a", 5, FLOW_NEXT, 0 },		 /* lock cmpxchg */
	{ "\xe8\x10\x00\x00\x00", 5, FLOW_CALL, 16 },
	{ "\xff\x15\x10\x00\x00\x00", 6, FLOW_INDIRECT_CALL, 0 }, /* call [rip+16] */
	{ "\xff\xe0", 2, FLOW_INDIRECT_JUMP, 0 },		  /* jmp rax */
	{ "\x3e\xff\xe2", 3, FLOW_INDIRECT_JUMP, 0 },		  /* notrack jmp rdx */
	{ "\xff\xc0", 2, FLOW_NEXT, 0 },			  /* inc eax */
	{ "\xeb\xfe", 2, FLOW_JUMP, -2 },
	{ "\xe9\x00\xff\xff\xff", 5, FLOW_JUMP, -256 },
	{ "\x74\x7f", 2, FLOW_BRANCH, 127 },
	{ "\x0f\x84\x00\x01\x00\x00", 6, FLOW_BRANCH, 256 },
	{ "\xe3\x02", 2, FLOW_BRANCH, 2 }, /* jrcxz */
	{ "\xc3", 1, FLOW_RETURN, 0 },
	{ "\xf3\xc3", 2, FLOW_RETURN, 0 },
	{ "\xc2\x08\x00", 3, FLOW_RETURN, 0 },
	{ "\x0f\x0b", 2, FLOW_TRAP, 0 }, /* ud2 */
	/* The ends of ways. */
	{ "\x0f\xb9\xc1", 3, FLOW_TRAP, 0 },			  /* ud1 eax, ecx */
	{ "\x67\x0f\xb9\x40\x02", 5, FLOW_TRAP, 0 },		  /* clang's ud1 of a check */
	{ "\x0f\xff\xc1", 3, FLOW_TRAP, 0 },			  /* ud0 */
	{ "\xf4", 1, FLOW_TRAP, 0 },				  /* hlt */
	{ "\xcc", 1, FLOW_TRAP, 0 },				  /* int3 */
	{ "\x48\xcf", 2, FLOW_RETURN, 0 },			  /* iretq */
	{ "\xcb", 1, FLOW_RETURN, 0 },				  /* lret */
	{ "\xf3\x0f\x01\xec", 4, FLOW_RETURN, 0 },		  /* uiret */
	{ "\x41\xff\xd3", 3, FLOW_INDIRECT_CALL, 0 },		  /* call r11 */
	{ "\x48\xff\x28", 3, FLOW_INDIRECT_JUMP, 0 },		  /* ljmp [rax] */
	{ "\xf2\xe9\x10\x00\x00\x00", 6, FLOW_JUMP, 16 },	  /* bnd jmp */
	{ "\x3e\x74\x10", 3, FLOW_BRANCH, 16 },			  /* je, as likely */
	{ "\xe2\xfc", 2, FLOW_BRANCH, -4 },			  /* loop */
	{ "\xc7\xf8\x10\x00\x00\x00", 6, FLOW_BRANCH, 16 },	  /* xbegin */
	{ "\xc6\xf8\x01", 3, FLOW_NEXT, 0 },			  /* xabort */
	{ "\x66\x66\x48\xe8\x10\x00\x00\x00", 8, FLOW_CALL, 16 }, /* of __tls_get_addr */
	{ "\x67\xe8\x10\x00\x00\x00", 6, FLOW_CALL, 16 },	  /* addr32 call */
	/* Prefixes. */
	{ "\x66\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 11, FLOW_NEXT, 0 }, /* W outdoes 66 */
	{ "\x66\x48\x81\xc0\x01\x02\x03\x04", 8, FLOW_NEXT, 0 },
	{ "\x48\x66\xb8\x01\x02", 5, FLOW_NEXT, 0 },	     /* REX before 66 is ignored */
	{ "\x48\x40\xb8\x01\x02\x03\x04", 7, FLOW_NEXT, 0 }, /* of two the last counts */
	{ "\x48\xa1\x01\x02\x03\x04\x05\x06\x07\x08", 10, FLOW_NEXT, 0 }, /* mov rax, [abs] */
	{ "\x67\xa1\x01\x02\x03\x04", 6, FLOW_NEXT, 0 },		  /* by 32 bits */
	{ "\x66\x66\x66\x66\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 14, FLOW_NEXT, 0 },
	{ "\x0f\x20\x04", 3, FLOW_NEXT, 0 }, /* mov from cr0; mod ignored */
	/* VEX, EVEX, XOP. */
	{ "\xc5\xf9\x70\xc1\x4e", 5, FLOW_NEXT, 0 },		     /* vpshufd xmm0, xmm1, 4e */
	{ "\x8f\xe8\x78\xc0\xc1\x05", 6, FLOW_NEXT, 0 },	     /* vprotb xmm0, xmm1, 5 */
	{ "\x8f\xea\x78\x10\xc1\x01\x02\x03\x04", 9, FLOW_NEXT, 0 }, /* bextr eax, ecx, imm32 */
	{ "\x8f\xc0", 2, FLOW_NEXT, 0 },			     /* pop rax: no XOP */
	{ "\x62\xf5\x7c\x48\x58\xc1", 6, FLOW_NEXT, 0 },	     /* vaddph zmm0, zmm0, zmm1 */
	{ "\x62\xf1\x7f\x48\x7a\xc1", 6, FLOW_NEXT, 0 },	     /* vcvtudq2ps */
	/* APX: REX2. */
	{ "\xd5\x18\x89\xc0", 4, FLOW_NEXT, 0 },			      /* mov r16, rax */
	{ "\xd5\x98\xaf\xc1", 4, FLOW_NEXT, 0 },			      /* imul, of map 0f */
	{ "\xd5\x18\x81\xc0\x01\x02\x03\x04", 8, FLOW_NEXT, 0 },	      /* add r16, imm32 */
	{ "\x66\xd5\x10\x81\xc0\x01\x02", 7, FLOW_NEXT, 0 },		      /* add r16w, imm16 */
	{ "\xd5\x18\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 11, FLOW_NEXT, 0 }, /* mov r16, imm64 */
	{ "\xd5\x18\x50", 3, FLOW_NEXT, 0 },				      /* pushp r16 */
	{ "\xd5\x10\xff\xd0", 4, FLOW_INDIRECT_CALL, 0 },		      /* call r16 */
	{ "\xd5\x10\xff\xe0", 4, FLOW_INDIRECT_JUMP, 0 },		      /* jmp r16 */
	{ "\xd5\x10\x8b\x44\x24\x08", 6, FLOW_NEXT, 0 }, /* mov r16d, [rsp+8] */
	/* APX: EVEX map 4. */
	{ "\x62\xf4\x7c\x18\x01\xc8", 6, FLOW_NEXT, 0 }, /* add rax, rcx, into another */
	{ "\x62\xf4\xfc\x18\x81\xc0\x01\x02\x03\x04", 10, FLOW_NEXT, 0 }, /* add, imm32 */
	{ "\x62\xf4\x7d\x18\x81\xc0\x01\x02", 8, FLOW_NEXT, 0 },	  /* imm16 */
	{ "\x62\xf4\x7c\x18\x83\xc0\x01", 7, FLOW_NEXT, 0 },		  /* imm8 */
	{ "\x62\xf4\x04\x02\xf7\xc0\x01\x02\x03\x04", 10, FLOW_NEXT, 0 }, /* ctest, imm32 */
	{ "\x62\xf4\x04\x02\x39\xc8", 6, FLOW_NEXT, 0 },		  /* ccmp */
	{ "\x62\xf4\x7c\x18\xff\xf0", 6, FLOW_NEXT, 0 },		  /* push2 */
	{ "\x62\xf4\x7c\x18\x24\xc8\x05", 7, FLOW_NEXT, 0 },		  /* shld */
};

START_TEST(x86_instructions)
{
	struct flow_insn i;

	put(EM_X86_64, x86[_i].bytes, x86[_i].n);
	ck_assert(flow_decode(&code, BASE, &i));
	ck_assert_uint_eq(i.bytes, x86[_i].n);
	ck_assert_int_eq(i.kind, x86[_i].kind);
	ck_assert_uint_eq(i.target, has_target(i.kind) ?
					    (uint64_t)(BASE + (int)i.bytes + x86[_i].relative) :
					    0);
}
END_TEST

/* jmpabs, whose target is no distance. */
START_TEST(x86_jump_to_an_address)
{
	struct flow_insn i;

	put(EM_X86_64, "\xd5\x00\xa1\x08\x07\x06\x05\x04\x03\x02\x01", 11);
	ck_assert(flow_decode(&code, BASE, &i));
	ck_assert_uint_eq(i.bytes, 11);
	ck_assert_int_eq(i.kind, FLOW_JUMP);
	ck_assert_uint_eq(i.target, 0x0102030405060708);
}
END_TEST

/* Each is followed by bytes enough. */
static const char *const x86_unknown[] = {
	"\x06",
	"\x0e",
	"\x27",
	"\x37",
	"\x60",
	"\x61",
	"\x82\xc0\x01",
	"\x9a",
	"\xce", /* 32 bits */
	"\xd4\x0a",
	"\xd6",
	"\xea",
	"\x0f\x04",
	"\x0f\x0a",
	"\x0f\x24\xc0",
	"\x0f\x36",
	"\x0f\x39",
	"\x0f\x7a\xc0",
	"\x0f\x34",
	"\x0f\xaa",
	"\x0f\x0f\xc1\x9e", /* sysenter, rsm, 3DNow! */
	"\x0f\xb8\xc1",	    /* jmpe; popcnt with f3 */
	"\x66\xe8\x10\x00",
	"\x66\xe9\x10\x00",
	"\x66\x0f\x84\x10\x00",
	"\x66\x74\x10",
	"\x66\xc3",
	"\x66\xff\xe0",
	"\x66\xc7\xf8\x10\x00", /* 16 bits */
	"\xf0\xc3",
	"\xf0\xff\xe0",
	"\xf0\x74\x10", /* locked */
	"\xff\xf8",
	"\xff\xd8",
	"\xff\xe8",
	"\xfe\xd0",
	"\xc6\xc8\x01",
	"\xc7\xf9",
	"\x8f\xd0",
	"\x0f\xc7\xc0",
	"\x0f\xba\xc0\x01", /* groups' holes */
	"\x66\xc5\xf8\x77",
	"\x48\xc5\xf8\x77",
	"\xf3\x62\xf1\xfd\x48\x28\xc1", /* prefixes */
	"\xc5\xf8\x04\xc1",
	"\xc5\xfa\x28\xc1",
	"\xc4\xe4\x78\x10\xc1",
	"\xc4\xe0\x78\x10\xc1",
	"\x62\xf0\x7c\x48\x10\xc1",
	"\x62\xf7\x7c\x48\x10\xc1",
	"\x62\xf1\x7e\x48\x28\xc1",
	"\x62\xf4\x7c\x18\xe8\xc1",
	"\x62\xf4\x7e\x18\x01\xc1",
	"\x62\xf4\x7c\x18\xff\xe0",
	"\x62\xf4\x7c\x18\xff\xd0",
	"\x8f\xeb\x78\x10\xc1",
	/* REX2 before what it can't precede. */
	"\x48\xd5\x10\x89\xc0",
	"\xd5\x10\x48\x89\xc0",
	"\xd5\x10\x66\x89\xc0",
	"\xd5\x10\x74\x10",
	"\xd5\x10\xa1",
	"\xd5\x10\xe8\x10\x00\x00\x00",
	"\xd5\x10\xeb\x10",
	"\xd5\x90\x84\x10\x00",
	"\xd5\x90\x30",
	"\xd5\x90\x38\xc1",
	"\xd5\x10\x0f\xaf\xc1",
	"\xd5\x10\xc5\xf8\x77",
	"\xd5\x10\xd5\x10\x89\xc0",
	"\x66\xd5\x10\xa1",
};

START_TEST(x86_not_known)
{
	unsigned char bytes[MOST];
	struct flow_insn i;
	size_t n = 0;

	/* Those that hold a 0 end there: what follows are zeros. */
	memset(bytes, 0, sizeof(bytes));
	for (; x86_unknown[_i][n]; n++)
		bytes[n] = (unsigned char)x86_unknown[_i][n];
	put(EM_X86_64, bytes, sizeof(bytes));
	ck_assert_msg(!flow_decode(&code, BASE, &i), "%02x %02x %02x %02x: %u bytes", bytes[0],
		      bytes[1], bytes[2], bytes[3], i.bytes);
}
END_TEST

/* 15 bytes are an instruction, 16 none, however many there are. */
START_TEST(x86_longest)
{
	unsigned char bytes[20];
	struct flow_insn i;

	memset(bytes, 0x66, sizeof(bytes));
	bytes[14] = 0x90;
	put(EM_X86_64, bytes, sizeof(bytes));
	ck_assert(flow_decode(&code, BASE, &i));
	ck_assert_uint_eq(i.bytes, 15);
	bytes[14] = 0x66;
	bytes[15] = 0x90;
	put(EM_X86_64, bytes, sizeof(bytes));
	ck_assert(!flow_decode(&code, BASE, &i));
}
END_TEST

/* ---- AArch64 and RISC-V ---------------------------------------------- */

static const struct {
	uint32_t insn;
	int kind;     /* enum flow_kind; -1: not known */
	int relative; /* of the target to this one */
} arm[] = {
	{ 0xd503201f, FLOW_NEXT, 0 },			/* nop */
	{ 0x94000004, FLOW_CALL, 16 }, { 0x97ffffff, FLOW_CALL, -4 },
	{ 0x14000002, FLOW_JUMP, 8 }, { 0x17fffffe, FLOW_JUMP, -8 },
	{ 0x54000040, FLOW_BRANCH, 8 }, { 0x54ffffe1, FLOW_BRANCH, -4 },
	{ 0x54000050, FLOW_BRANCH, 8 },			/* bc.eq */
	{ 0x34000060, FLOW_BRANCH, 12 },		/* cbz */
	{ 0xb5ffffc0, FLOW_BRANCH, -8 },		/* cbnz */
	{ 0x36080040, FLOW_BRANCH, 8 },			/* tbz */
	{ 0xb7fffffe, FLOW_BRANCH, -4 },		/* tbnz x30, 63 */
	{ 0xd65f03c0, FLOW_RETURN, 0 },			/* ret */
	{ 0xd65f0bff, FLOW_RETURN, 0 }, { 0xd65f0fff, FLOW_RETURN, 0 },	/* retaa, retab */
	{ 0xd65f0be3, FLOW_RETURN, 0 },			/* retaasppcr x3 */
	{ 0x5500003f, FLOW_RETURN, 0 }, { 0x5520003f, FLOW_RETURN, 0 },	/* reta[ab]sppc */
	{ 0xd69f03e0, FLOW_RETURN, 0 }, { 0xd69f0bff, FLOW_RETURN, 0 },	/* eret, eretaa */
	{ 0xd61f0220, FLOW_INDIRECT_JUMP, 0 },		/* br x17 */
	{ 0xd61f081f, FLOW_INDIRECT_JUMP, 0 },		/* braaz x0 */
	{ 0xd71f0a11, FLOW_INDIRECT_JUMP, 0 },		/* braa x16, x17 */
	{ 0xd63f0000, FLOW_INDIRECT_CALL, 0 },		/* blr x0 */
	{ 0xd63f0c1f, FLOW_INDIRECT_CALL, 0 },		/* blrabz x0 */
	{ 0xd73f0801, FLOW_INDIRECT_CALL, 0 },		/* blraa x0, x1 */
	{ 0xd4000001, FLOW_NEXT, 0 },			/* svc 0 */
	{ 0xd4207d00, FLOW_TRAP, 0 }, { 0x00000000, FLOW_TRAP, 0 },	/* brk, udf */
	{ 0x0000ffff, FLOW_TRAP, 0 },			/* udf 65535 */
	{ 0xd503233f, FLOW_NEXT, 0 }, { 0xd503245f, FLOW_NEXT, 0 },	/* paciasp, bti c */
	{ 0xd5033bbf, FLOW_NEXT, 0 }, { 0xd53bd040, FLOW_NEXT, 0 },	/* dmb, mrs */
	{ 0xd50b7421, FLOW_NEXT, 0 },			/* dc zva */
	{ 0xc00800ff, FLOW_NEXT, 0 },			/* zero {za}: SME */
	/* Not allocated, among branches, or no class at all. */
	{ 0x00010000, -1, 0 }, { 0x02000000, -1, 0 }, { 0x06000000, -1, 0 },
	{ 0xd61f0001, -1, 0 }, { 0xd65f0800, -1, 0 }, { 0xd67f0000, -1, 0 },
	{ 0x55400000, -1, 0 }, { 0x74000000, -1, 0 }, { 0x76000000, -1, 0 },
	{ 0xd4000000, -1, 0 }, { 0xd4200001, -1, 0 }, { 0xd5000000, -1, 0 },
	{ 0xd5800000, -1, 0 }, { 0xd6ff0000, -1, 0 }, { 0xd71f0000, -1, 0 },
}, riscv[] = {
	{ 0x00000013, FLOW_NEXT, 0 },			/* nop */
	{ 0x008000ef, FLOW_CALL, 8 },			/* jal ra */
	{ 0xffdff2ef, FLOW_CALL, -4 },			/* jal t0: millicode */
	{ 0x0100006f, FLOW_JUMP, 16 },			/* j */
	{ 0x00b50463, FLOW_BRANCH, 8 },			/* beq a0, a1 */
	{ 0xfe051ee3, FLOW_BRANCH, -4 },		/* bnez a0 */
	{ 0x00008067, FLOW_RETURN, 0 },			/* ret */
	{ 0x00028067, FLOW_RETURN, 0 },			/* jr t0: out of millicode */
	{ 0x00078067, FLOW_INDIRECT_JUMP, 0 },		/* jr a5 */
	{ 0x000780e7, FLOW_INDIRECT_CALL, 0 },		/* jalr a5 */
	{ 0x00000073, FLOW_NEXT, 0 }, { 0x00100073, FLOW_TRAP, 0 },	/* ecall, ebreak */
	{ 0x30200073, FLOW_RETURN, 0 },			/* mret */
	{ 0xc0102573, FLOW_NEXT, 0 },			/* rdtime a0 */
	{ 0x000e0367, -1, 0 }, { 0x0080036f, -1, 0 },	/* jalr t1, t3; jal t1 */
	{ 0x000280e7, -1, 0 },				/* jalr ra, t0 */
	{ 0x00079067, -1, 0 }, { 0x00b52463, -1, 0 },	/* funct3 not allocated */
	{ 0x0000000b, -1, 0 }, { 0x0000001f, -1, 0 },	/* custom-0; 48 bits */
	{ 0x7b200073, -1, 0 },				/* dret */
};

#define WORDS(table) (int)(sizeof(table) / sizeof(*(table)))

static void decode_word(unsigned machine, uint32_t insn, int kind, int relative)
{
	struct flow_insn i;

	put(machine, &insn, 4);
	ck_assert_msg(flow_decode(&code, BASE, &i) == (kind >= 0), "%08x", insn);
	if (kind < 0)
		return;
	ck_assert_uint_eq(i.bytes, 4);
	ck_assert_msg((int)i.kind == kind, "%08x: %d", insn, i.kind);
	ck_assert_uint_eq(i.target, has_target(i.kind) ? (uint64_t)(BASE + relative) : 0);
	put(machine, &insn, 3);
	ck_assert(!flow_decode(&code, BASE, &i));
}

START_TEST(arm_instructions)
{
	decode_word(EM_AARCH64, arm[_i].insn, arm[_i].kind, arm[_i].relative);
}
END_TEST

START_TEST(riscv_instructions)
{
	decode_word(EM_RISCV, riscv[_i].insn, riscv[_i].kind, riscv[_i].relative);
}
END_TEST

START_TEST(riscv_compressed)
{
	static const struct {
		uint16_t insn;
		int kind, relative;
	} insns[] = {
		{ 0x0001, FLOW_NEXT, 0 }, /* c.nop */
		{ 0xa019, FLOW_JUMP, 6 },
		{ 0xbfcd, FLOW_JUMP, -14 }, /* c.j */
		{ 0xc501, FLOW_BRANCH, 8 },
		{ 0xfd75, FLOW_BRANCH, -4 }, /* c.beqz, c.bnez */
		{ 0x8082, FLOW_RETURN, 0 },
		{ 0x8282, FLOW_RETURN, 0 }, /* ret; jr t0 */
		{ 0x8782, FLOW_INDIRECT_JUMP, 0 },
		{ 0x9782, FLOW_INDIRECT_CALL, 0 },
		{ 0x9002, FLOW_TRAP, 0 },
		{ 0x0000, FLOW_TRAP, 0 }, /* c.ebreak, c.unimp */
		{ 0x853e, FLOW_NEXT, 0 },
		{ 0x953e, FLOW_NEXT, 0 }, /* c.mv, c.add */
		{ 0x8002, -1, 0 },
		{ 0x9282, -1, 0 },
		{ 0x0004, -1, 0 },
		{ 0x9c00, -1, 0 },
	};
	struct flow_insn i;

	for (size_t k = 0; k < sizeof(insns) / sizeof(*insns); k++) {
		put(EM_RISCV, &insns[k].insn, 2);
		ck_assert_msg(flow_decode(&code, BASE, &i) == (insns[k].kind >= 0), "%04x",
			      insns[k].insn);
		if (insns[k].kind < 0)
			continue;
		ck_assert_uint_eq(i.bytes, 2);
		ck_assert_msg((int)i.kind == insns[k].kind, "%04x: %d", insns[k].insn, i.kind);
		ck_assert_uint_eq(i.target,
				  has_target(i.kind) ? (uint64_t)(BASE + insns[k].relative) : 0);
	}
}
END_TEST

/* auipc and jalr: together they say where. */
START_TEST(riscv_far)
{
	static const struct {
		uint32_t auipc, jalr;
		enum flow_kind kind;
		uint64_t target;
	} pairs[] = {
		{ 0x00001097, 0x010080e7, FLOW_CALL, BASE + 0x1010 }, /* ra */
		{ 0x00001317, 0xff030067, FLOW_JUMP, BASE + 0xff0 },  /* t1, as its last call */
		{ 0xfffff097, 0x000080e7, FLOW_CALL, BASE - 0x1000 },
		{ 0x00001317, 0x010080e7, FLOW_INDIRECT_CALL, 0 }, /* another register */
	};
	uint32_t insns[2];
	struct flow_insn i;

	for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs); k++) {
		insns[0] = pairs[k].auipc;
		insns[1] = pairs[k].jalr;
		put(EM_RISCV, insns, sizeof(insns));
		ck_assert(flow_decode(&code, BASE + 4, &i));
		ck_assert_msg(i.kind == pairs[k].kind, "%zu: %d", k, i.kind);
		ck_assert_uint_eq(i.target, pairs[k].target);
	}
}
END_TEST

START_TEST(other_machines)
{
	struct flow_insn i;

	put(EM_PPC64, "\x60\x00\x00\x00", 4);
	ck_assert(!flow_decode(&code, BASE, &i));
	put(EM_AARCH64, "\x1f\x20\x03\xd5\x1f\x20\x03\xd5", 8);
	ck_assert(!flow_decode(&code, BASE + 2, &i));
}
END_TEST

/* ---- whatever bytes there are ---------------------------------------- */

static const unsigned machines[] = { EM_X86_64, EM_AARCH64, EM_RISCV };

static bool is_same(const struct flow_insn *a, const struct flow_insn *b)
{
	return a->bytes == b->bytes && a->kind == b->kind && a->target == b->target;
}

/* No more than there is; no other length where bytes are missing or no more follow.
   Asked in the loop, where Check's own words would take most of the time. */
static void decode_any(unsigned machine, const unsigned char *bytes, unsigned n)
{
	struct flow_insn all, i;

	put(machine, bytes, n);
	if (!flow_decode(&code, BASE, &all))
		return;
	if (all.bytes < 1 || all.bytes > n || all.bytes > MOST ||
	    (!has_target(all.kind) && all.target))
		ck_abort_msg("%02x %02x %02x: %u bytes", bytes[0], bytes[1], bytes[2], all.bytes);
	put(machine, bytes, all.bytes);
	if (!flow_decode(&code, BASE, &i) || !is_same(&i, &all))
		ck_abort_msg("%02x %02x %02x: others alone", bytes[0], bytes[1], bytes[2]);
	put(machine, bytes, all.bytes - 1);
	if (all.bytes > 1 && flow_decode(&code, BASE, &i))
		ck_abort_msg("%02x %02x %02x: with a byte less", bytes[0], bytes[1], bytes[2]);
}

START_TEST(all_of_three_bytes)
{
	unsigned char bytes[4] = { 0 };

	for (uint32_t v = 0; v < 1 << 24; v++) {
		memcpy(bytes, &v, sizeof(v));
		for (unsigned n = v < 1 << 8 ? 1 : v < 1 << 16 ? 2 : 3; n <= 3; n++)
			decode_any(machines[_i], bytes, n);
	}
}
END_TEST

START_TEST(random_ones)
{
	unsigned char bytes[20];
	uint64_t state = 88172645463325252;

	for (int k = 0; k < 1000000; k++) {
		for (size_t b = 0; b < sizeof(bytes); b++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			bytes[b] = (unsigned char)(state >> 32);
		}
		decode_any(machines[_i], bytes, 4 + (unsigned)(state % 17));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("decode");
	TCase *c = tcase_create("instructions");

	tcase_add_checked_fixture(c, page_setup, NULL);
	tcase_add_loop_test(c, x86_instructions, 0, WORDS(x86));
	tcase_add_test(c, x86_jump_to_an_address);
	tcase_add_loop_test(c, x86_not_known, 0, WORDS(x86_unknown));
	tcase_add_test(c, x86_longest);
	tcase_add_loop_test(c, arm_instructions, 0, WORDS(arm));
	tcase_add_loop_test(c, riscv_instructions, 0, WORDS(riscv));
	tcase_add_test(c, riscv_compressed);
	tcase_add_test(c, riscv_far);
	tcase_add_test(c, other_machines);
	suite_add_tcase(suite, c);
	c = tcase_create("any bytes");
	tcase_add_checked_fixture(c, page_setup, NULL);
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, all_of_three_bytes, 0, WORDS(machines));
	tcase_add_loop_test(c, random_ones, 0, WORDS(machines));
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
