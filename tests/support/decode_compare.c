/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decode_compare.c - lays flow_decode() beside objdump, over all instructions of a file.
 *
 *	objdump -dw FILE | decode_compare FILE		(riscv64: -M no-aliases)
 *
 * For each line of objdump's: is the instruction as long, does it lead on, jump,
 * branch, call, return or trap alike, and to the same address.  Prints each
 * difference (DIFFERS) and a line of numbers; ends with 1 if there was a difference
 * or nothing to compare.
 *
 * Where objdump says that bytes are no instruction nothing can be compared: data
 * between functions, and what is newer than that objdump.  Counted as undefined.
 * So are x86's prefixes that it prints without an instruction, as those of data often
 * are: a REX prefix before another prefix, which processors ignore.
 */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/code/callsite_code.h"
#include "src/code/flow.h"

enum {
	SHOWN = 10,	 /* differences */
	X86_WAIT = 0x9b, /* fwait */
};

/* ---- the file's code ------------------------------------------------- */

static const unsigned char *file;
static size_t file_bytes;

static const unsigned char *file_at(void *self, uint64_t address, uint64_t n)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)file;
	const Elf64_Phdr *p = (const Elf64_Phdr *)(file + e->e_phoff);

	(void)self;
	for (int i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && address >= p[i].p_vaddr &&
		    address - p[i].p_vaddr < p[i].p_filesz &&
		    n <= p[i].p_filesz - (address - p[i].p_vaddr))
			return file + p[i].p_offset + (address - p[i].p_vaddr);
	return NULL;
}

static bool file_open(const char *path, unsigned *machine)
{
	const Elf64_Ehdr *e;
	struct stat s;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &s) || (size_t)s.st_size < sizeof(*e))
		return false;
	file_bytes = (size_t)s.st_size;
	file = mmap(NULL, file_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	e = (const Elf64_Ehdr *)file;
	*machine = e->e_machine;
	return !memcmp(e->e_ident, ELFMAG, SELFMAG) && e->e_ident[EI_CLASS] == ELFCLASS64 &&
	       e->e_phoff + e->e_phnum * sizeof(Elf64_Phdr) <= file_bytes;
}

/* ---- what objdump's words mean ---------------------------------------- */

static const char *const kind_names[] = {
	[FLOW_NEXT] = "next",
	[FLOW_CALL] = "call",
	[FLOW_INDIRECT_CALL] = "indirect call",
	[FLOW_JUMP] = "jump",
	[FLOW_INDIRECT_JUMP] = "indirect jump",
	[FLOW_BRANCH] = "branch",
	[FLOW_RETURN] = "return",
	[FLOW_TRAP] = "trap",
};

/* Mnemonics; one that ends with * begins so. */
struct meaning {
	const char *mnemonic;
	enum flow_kind kind;
};

static const struct meaning x86_meanings[] = {
	{ "jmp*", FLOW_JUMP },	     { "ljmp*", FLOW_JUMP },	 { "j*", FLOW_BRANCH },
	{ "loop*", FLOW_BRANCH },    { "xbegin*", FLOW_BRANCH }, { "call*", FLOW_CALL },
	{ "lcall*", FLOW_CALL },     { "ret*", FLOW_RETURN },	 { "lret*", FLOW_RETURN },
	{ "iret*", FLOW_RETURN },    { "uiret", FLOW_RETURN },	 { "sysret*", FLOW_RETURN },
	{ "sysexit*", FLOW_RETURN }, { "ud0*", FLOW_TRAP },	 { "ud1*", FLOW_TRAP },
	{ "ud2*", FLOW_TRAP },	     { "hlt", FLOW_TRAP },	 { "int3", FLOW_TRAP },
	{ "int1", FLOW_TRAP },	     { "icebp", FLOW_TRAP },	 { NULL, FLOW_NEXT },
};

static const struct meaning arm_meanings[] = {
	{ "b", FLOW_JUMP },
	{ "b.*", FLOW_BRANCH },
	{ "bc.*", FLOW_BRANCH },
	{ "bl", FLOW_CALL },
	{ "cbz", FLOW_BRANCH },
	{ "cbnz", FLOW_BRANCH },
	{ "tbz", FLOW_BRANCH },
	{ "tbnz", FLOW_BRANCH },
	{ "br", FLOW_INDIRECT_JUMP },
	{ "braa*", FLOW_INDIRECT_JUMP },
	{ "brab*", FLOW_INDIRECT_JUMP },
	{ "blr*", FLOW_INDIRECT_CALL },
	{ "ret*", FLOW_RETURN },
	{ "eret*", FLOW_RETURN },
	{ "drps", FLOW_RETURN },
	{ "brk", FLOW_TRAP },
	{ "hlt", FLOW_TRAP },
	{ "dcps*", FLOW_TRAP },
	{ "udf", FLOW_TRAP },
	{ NULL, FLOW_NEXT },
};

/* Without aliases (-M no-aliases); jumps by their operands as well. */
static const struct meaning riscv_meanings[] = {
	{ "jal", FLOW_CALL },
	{ "c.j", FLOW_JUMP },
	{ "beq", FLOW_BRANCH },
	{ "bne", FLOW_BRANCH },
	{ "blt", FLOW_BRANCH },
	{ "bge", FLOW_BRANCH },
	{ "bltu", FLOW_BRANCH },
	{ "bgeu", FLOW_BRANCH },
	{ "c.beqz", FLOW_BRANCH },
	{ "c.bnez", FLOW_BRANCH },
	{ "jalr", FLOW_INDIRECT_CALL },
	{ "c.jalr", FLOW_INDIRECT_CALL },
	{ "c.jr", FLOW_INDIRECT_JUMP },
	{ "mret", FLOW_RETURN },
	{ "sret", FLOW_RETURN },
	{ "ebreak", FLOW_TRAP },
	{ "c.ebreak", FLOW_TRAP },
	{ "c.unimp", FLOW_TRAP },
	{ NULL, FLOW_NEXT },
};

static bool is_mnemonic(const char *word, size_t n, const char *mnemonic)
{
	const size_t m = strlen(mnemonic);

	if (mnemonic[m - 1] == '*')
		return n >= m - 1 && !strncmp(word, mnemonic, m - 1);
	return n == m && !strncmp(word, mnemonic, m);
}

/* Words before x86's mnemonics. */
static bool is_prefix(const char *word, size_t n)
{
	static const char *const prefixes[] = {
		"bnd", "notrack", "data16", "addr32", "rep", "repz", "repnz",	 "lock",     "cs",
		"ds",  "es",	  "fs",	    "gs",     "ss",  "rex*", "xacquire", "xrelease", "{*",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (is_mnemonic(word, n, prefixes[i]))
			return true;
	return false;
}

/* An instruction of objdump's. */
struct line {
	uint64_t address;
	unsigned bytes;
	const char *text;
	bool defined;
	enum flow_kind kind;
	uint64_t target;
};

/* Of a jump or call: where its last operand says; false: a register or memory. */
static bool line_target(const char *operands, uint64_t *target)
{
	const char *last = operands, *end = operands + strcspn(operands, "<\n");
	char *behind;

	for (const char *p = operands; p < end; p++)
		if (*p == ',' || *p == ' ' || *p == '\t')
			last = p[1] == ' ' || p + 1 == end ? last : p + 1;
	if (memchr(operands, '*', (size_t)(end - operands)))
		return false;
	*target = strtoull(last, &behind, 16);
	return behind != last;
}

/* RISC-V's jumps and calls are known by their registers: ra and t0 are for return addresses.
   Behind # is where auipc and jalr lead together. */
static void line_mean_riscv(struct line *l, const char *operands)
{
	const char *both = strstr(operands, " # ");
	const size_t n = strcspn(operands, " \t");
	const bool compressed = !strncmp(l->text, "c.", 2);
	bool links = l->kind == FLOW_INDIRECT_CALL || l->kind == FLOW_CALL, by_link;

	operands += n + strspn(operands + n, " \t");
	if (!compressed)
		links = links && strncmp(operands, "zero", 4) != 0;
	if (l->kind == FLOW_CALL) {
		l->kind = links ? FLOW_CALL : FLOW_JUMP;
		return;
	}
	by_link = strstr(operands, compressed ? "ra" : "(ra)") ||
		  strstr(operands, compressed ? "t0" : "(t0)");
	if (both) {
		l->kind = links ? FLOW_CALL : FLOW_JUMP;
		l->target = strtoull(both + 3, NULL, 16);
	} else {
		l->kind = links ? FLOW_INDIRECT_CALL : by_link ? FLOW_RETURN : FLOW_INDIRECT_JUMP;
	}
}

static void line_mean(struct line *l, const struct meaning *m, bool prefixes)
{
	const char *word = l->text;
	size_t n = strcspn(word, " \t\n,");

	while (prefixes && is_prefix(word, n) && word[n] && word[n] != '\n') {
		word += n + strspn(word + n, " \t");
		n = strcspn(word, " \t\n,");
	}
	l->defined = n && !(prefixes && is_prefix(word, n)) && *word != '.' && *word != '<' &&
		     !strstr(l->text, "(bad)") && !strstr(l->text, "undefined");
	while (m->mnemonic && !is_mnemonic(word, n, m->mnemonic))
		m++;
	l->kind = m->kind;
	if (m->mnemonic && (!strcmp(m->mnemonic, "jal") || strstr(m->mnemonic, "jr") ||
			    strstr(m->mnemonic, "jalr")))
		line_mean_riscv(l, word);
	if (l->kind != FLOW_CALL && l->kind != FLOW_JUMP && l->kind != FLOW_BRANCH)
		return;
	if (!l->target && !line_target(word + n, &l->target))
		l->kind = l->kind == FLOW_CALL ? FLOW_INDIRECT_CALL : FLOW_INDIRECT_JUMP;
}

/* "  ADDRESS:\tBYTES\tTEXT"; AArch64 and RISC-V print words instead of bytes. */
static bool line_parse(char *s, struct line *l)
{
	char *p, *end;

	*l = (struct line){ 0 };
	l->address = strtoull(s, &p, 16);
	if (p == s || p[0] != ':' || p[1] != '\t')
		return false;
	for (p += 2; *p != '\t' && *p; p = end + strspn(end, " ")) {
		strtoull(p, &end, 16);
		if (end == p)
			return false;
		l->bytes += (unsigned)(end - p) / 2;
	}
	l->text = *p ? p + 1 : "";
	return true;
}

/* ---- what is refused on purpose ---------------------------------------- */

enum refusal {
	REFUSED_NOT,
	REFUSED_OPERANDS16, /* branches with prefix 66: AMD's and Intel's differ */
	REFUSED_LOCK,	    /* branches with a lock prefix: undefined */
	REFUSED_3DNOW,	    /* no processor of today has it */
	REFUSED_REX_VEX,    /* REX, 66, f2 or f3 before VEX, EVEX or XOP: undefined */
	REFUSED_LINK,	    /* RISC-V's jumps that keep an address, in no link register */
	REFUSED_REASONS,
};

static const char *const refusal_names[] = {
	[REFUSED_OPERANDS16] = "branches of 16 bits",	       [REFUSED_LOCK] = "locked branches",
	[REFUSED_LINK] = "jumps that link by other registers", [REFUSED_3DNOW] = "3DNow!",
	[REFUSED_REX_VEX] = "vector prefixes behind others",
};

/* Why x86's instruction, known to objdump, is not known here. */
static enum refusal refusal(const unsigned char *p, const struct line *l)
{
	const bool branches = l->kind != FLOW_NEXT && l->kind != FLOW_TRAP;
	bool operands16 = false, lock = false, before_vex = false;
	unsigned k = 0;

	for (; k < l->bytes && p[k] &&
	       (strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", p[k]) ||
		(p[k] & 0xf0) == 0x40);
	     k++) {
		operands16 = operands16 || p[k] == 0x66;
		lock = lock || p[k] == 0xf0;
		before_vex = before_vex || (p[k] & 0xf0) == 0x40 || p[k] == 0x66 || p[k] >= 0xf0;
	}
	if (l->bytes - k >= 2 && p[k] == 0x0f && (p[k + 1] & 0xfe) == 0x0e)
		return REFUSED_3DNOW;
	if (before_vex && k < l->bytes && strchr("\xc4\xc5\x62\x8f", p[k]))
		return REFUSED_REX_VEX;
	return branches && lock	      ? REFUSED_LOCK :
	       branches && operands16 ? REFUSED_OPERANDS16 :
					REFUSED_NOT;
}

/* As entries of RISC-V's linkage table do: jalr t1. */
static bool links_elsewhere(const char *text)
{
	const size_t n = strcspn(text, "\t");
	const char *rd = text + n + strspn(text + n, "\t");

	return !strncmp(text, "jal", 3) && strncmp(rd, "zero,", 5) && strncmp(rd, "ra,", 3) &&
	       strncmp(rd, "t0,", 3);
}

/* ---- the comparison --------------------------------------------------- */

struct counts {
	uint64_t compared, undefined, differ, kinds[FLOW_TRAP + 1], refused[REFUSED_REASONS];
};

static void differs(struct counts *n, const struct line *l, const struct flow_insn *i,
		    const char *what)
{
	if (n->differ++ >= SHOWN)
		return;
	printf("DIFFERS: %" PRIx64 ": %s: %u bytes, %s to %" PRIx64 "; objdump: %u, %s to %" PRIx64
	       ": %s",
	       l->address, what, i->bytes, kind_names[i->kind], i->target, l->bytes,
	       kind_names[l->kind], l->target, l->text);
}

static void compare(const struct callsite_code *c, const struct line *l, struct counts *n);

/* objdump takes wait and what follows for one instruction (fstcw: wait, fnstcw); they are two. */
static void split_wait(const struct callsite_code *c, const struct line *l, struct counts *n)
{
	struct line wait = *l, rest = *l;

	wait.bytes = 1;
	rest.address++;
	rest.bytes--;
	compare(c, &wait, n);
	compare(c, &rest, n);
}

static void compare(const struct callsite_code *c, const struct line *l, struct counts *n)
{
	enum refusal why = REFUSED_NOT;
	struct flow_insn i = { 0 };

	if (!l->defined) {
		n->undefined++;
		return;
	}
	if (c->machine == EM_X86_64 && l->bytes > 1 && *c->at(c->self, l->address, 1) == X86_WAIT) {
		split_wait(c, l, n);
		return;
	}
	n->compared++;
	if (!flow_decode(c, l->address, &i)) {
		if (c->machine == EM_X86_64)
			why = refusal(c->at(c->self, l->address, l->bytes), l);
		else if (c->machine == EM_RISCV && links_elsewhere(l->text))
			why = REFUSED_LINK;
		n->refused[why]++;
		if (why != REFUSED_NOT)
			return;
		differs(n, l, &i, "not known");
		return;
	}
	n->kinds[i.kind]++;
	if (i.bytes != l->bytes)
		differs(n, l, &i, "length");
	else if (i.kind != l->kind)
		differs(n, l, &i, "kind");
	else if (i.target != l->target)
		differs(n, l, &i, "target");
}

int main(int argc, char **argv)
{
	struct callsite_code c = { .at = file_at };
	struct counts n = { 0 };
	struct line l;
	char *s = NULL;
	size_t room = 0;

	if (argc != 2 || !file_open(argv[1], &c.machine)) {
		fprintf(stderr, "usage: objdump -dw FILE | decode_compare FILE\n");
		return 2;
	}
	while (getline(&s, &room, stdin) > 0) {
		if (!line_parse(s, &l))
			continue;
		line_mean(&l,
			  c.machine == EM_X86_64 ? x86_meanings :
			  c.machine == EM_RISCV	 ? riscv_meanings :
						   arm_meanings,
			  c.machine == EM_X86_64);
		compare(&c, &l, &n);
	}
	free(s);
	printf("%" PRIu64 " compared, %" PRIu64 " differ, %" PRIu64 " undefined", n.compared,
	       n.differ, n.undefined);
	for (int k = 0; k <= FLOW_TRAP; k++)
		printf(", %" PRIu64 " %s", n.kinds[k], kind_names[k]);
	for (int k = 1; k < REFUSED_REASONS; k++)
		if (n.refused[k])
			printf(", %" PRIu64 " refused: %s", n.refused[k], refusal_names[k]);
	printf("\n");
	return n.differ || !n.compared;
}
