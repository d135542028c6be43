/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_bears.c - which programs can run with the preloaded libraries, decided from files
 * created here, and from real ones if this machine can build them; and the environment for
 * the other programs.
 */
#include "config.h"

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ompt_tool/program/bears.h"
#include "tests/support/suite_main.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_RISCV
#endif

static char folder[64];

static void enter(void)
{
	strcpy(folder, "/tmp/check_bears-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void leave(void)
{
	char command[128];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const void *bytes, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static enum program_bears bears(const char *file)
{
	enum program_bears b;

	errno = 4711;
	b = program_bears_preload(AT_FDCWD, file, "");
	ck_assert_int_eq(errno, 4711);
	return b;
}

/* ---- files made here --------------------------------------------------------- */

/* A program as linkers write it, with the parts that are examined. */
static struct file {
	Elf64_Ehdr header;
	Elf64_Phdr ph[4];
	Elf64_Dyn dynamic[8];
	Elf64_Sym symbols[2];
	struct {
		uint32_t buckets, first, bloom, shift;
		uint64_t filter;
		uint32_t bucket, chain;
	} gnu;
	struct {
		uint32_t buckets, chains, bucket, chain[2];
	} sysv;
	char interp[64];
	char strings[128];
} file;

#define BASE 0x400000
#define AT(part) (BASE + offsetof(struct file, part))

struct made {
	const char *interp; /* NULL: static */
	const char *needs;  /* NULL: nothing but libc */
	const char *defines;
	bool gnu; /* the hash table's kind */
	int class, machine;
	enum program_bears want;
};

static uint32_t gnu_hash(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

static bool with_dynamic; /* without an interpreter too, as a loader is */

static void make(const char *name, const struct made *m)
{
	int n = 0;

	memset(&file, 0, sizeof(file));
	memcpy(file.header.e_ident, ELFMAG, SELFMAG);
	file.header.e_ident[EI_CLASS] = (unsigned char)m->class;
	file.header.e_ident[EI_DATA] = ELFDATA2LSB;
	file.header.e_machine = (uint16_t)m->machine;
	file.header.e_phoff = offsetof(struct file, ph);
	file.header.e_phentsize = sizeof(Elf64_Phdr);
	file.header.e_phnum = 4;
	file.ph[0] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_vaddr = 0x10000, .p_offset = sizeof(file), .p_filesz = 16
	};
	file.ph[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = BASE, .p_filesz = sizeof(file) };
	if (m->interp) {
		strcpy(file.interp, m->interp);
		file.ph[2] = (Elf64_Phdr){ .p_type = PT_INTERP,
					   .p_offset = offsetof(struct file, interp),
					   .p_filesz = strlen(m->interp) + 1 };
	}
	if (m->interp || with_dynamic) {
		file.ph[3] = (Elf64_Phdr){ .p_type = PT_DYNAMIC,
					   .p_offset = offsetof(struct file, dynamic),
					   .p_filesz = sizeof(file.dynamic) };
	}
	strcpy(file.strings + 1, "libc.so.6");
	strcpy(file.strings + 16, m->needs ? m->needs : "libm.so.6");
	strcpy(file.strings + 64, m->defines ? m->defines : "main");
	file.dynamic[n++] = (Elf64_Dyn){ DT_NEEDED, { 1 } };
	file.dynamic[n++] = (Elf64_Dyn){ DT_NEEDED, { 16 } };
	file.dynamic[n++] = (Elf64_Dyn){ DT_STRTAB, { AT(strings) } };
	file.dynamic[n++] = (Elf64_Dyn){ DT_SYMTAB, { AT(symbols) } };
	file.dynamic[n++] = m->gnu ? (Elf64_Dyn){ DT_GNU_HASH, { AT(gnu) } } :
				     (Elf64_Dyn){ DT_HASH, { AT(sysv) } };
	file.symbols[1] = (Elf64_Sym){ .st_name = 64, .st_shndx = 1 };
	file.gnu.buckets = file.gnu.first = file.gnu.bloom = file.gnu.bucket = 1;
	file.gnu.chain = gnu_hash(file.strings + 64) | 1;
	file.sysv.buckets = file.sysv.bucket = 1;
	file.sysv.chains = 2;
	put(name, &file, sizeof(file));
}

#define OURS ELFCLASS64, OWN_MACHINE
#define GLIBC "/lib64/ld-linux-x86-64.so.2"

static const struct made cases[] = {
	{ GLIBC, NULL, NULL, true, OURS, PROGRAM_BEARS },
	{ GLIBC, NULL, NULL, false, OURS, PROGRAM_BEARS },
	{ "/nix/store/glibc/lib/ld-linux-aarch64.so.1", NULL, NULL, true, OURS, PROGRAM_BEARS },
	{ "/lib64/ld-lsb-x86-64.so.3", NULL, NULL, true, OURS, PROGRAM_BEARS },
	{ NULL, NULL, NULL, true, OURS, PROGRAM_BEARS },
	{ GLIBC, "libgomp.so.1", NULL, true, OURS, PROGRAM_BEARS },
	{ GLIBC, "libubsan.so.1", NULL, true, OURS, PROGRAM_BEARS },
	{ "/lib/ld-musl-x86_64.so.1", NULL, NULL, true, OURS, PROGRAM_OF_OTHER_LOADER },
	{ "/lib/ld-uClibc.so.0", NULL, NULL, true, OURS, PROGRAM_OF_OTHER_LOADER },
	{ "/system/bin/linker64", NULL, NULL, true, OURS, PROGRAM_OF_OTHER_LOADER },
	{ GLIBC, "libasan.so.8", NULL, true, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, "libtsan.so.2", NULL, true, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, "liblsan.so.0", NULL, false, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, "libhwasan.so.0", NULL, false, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, "libclang_rt.asan-x86_64.so", NULL, true, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, "/opt/lib/libclang_rt.tsan.so", NULL, true, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, NULL, "__tsan_init", true, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, NULL, "__tsan_init", false, OURS, PROGRAM_WITH_SANITIZER },
	{ GLIBC, NULL, "__tsan_init_x", true, OURS, PROGRAM_BEARS },
	{ "/lib/ld-linux.so.2", NULL, NULL, true, ELFCLASS32, EM_386, PROGRAM_OF_OTHER_MACHINE },
	{ GLIBC, NULL, NULL, true, ELFCLASS32, OWN_MACHINE, PROGRAM_OF_OTHER_MACHINE },
	{ GLIBC, NULL, NULL, true, ELFCLASS64, EM_S390, PROGRAM_OF_OTHER_MACHINE },
};

START_TEST(judges_programs)
{
	int fd;

	make("prog", &cases[_i]);
	ck_assert_int_eq(bears("./prog"), cases[_i].want);
	ck_assert_int_eq(bears("prog"), cases[_i].want);
	fd = open("prog", O_RDONLY);
	ck_assert_int_eq(program_bears_preload_fd(fd), cases[_i].want);
	close(fd);
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(program_bears_preload(fd, "prog", ""), cases[_i].want);
	close(fd);
	ck_assert_int_eq(*program_bears_why(cases[_i].want) == '\0',
			 cases[_i].want == PROGRAM_BEARS);
}
END_TEST

/* A loader elsewhere belongs to a glibc of its own, of any age. */
START_TEST(judges_a_loader_by_its_age)
{
	const struct made old = { NULL, NULL, "__tls_get_addr", true, OURS, PROGRAM_BEARS },
			  new = { NULL, NULL, "_dl_exception_create", true, OURS, PROGRAM_BEARS },
			  newer = { NULL, NULL, "__rseq_offset", true, OURS, PROGRAM_BEARS },
			  program = { "./ld-linux-tree.so", NULL, NULL, true, OURS, PROGRAM_BEARS };
	const struct made *loaders[] = { &old, &new, &newer };

	make("prog", &program);
	ck_assert_int_eq(bears("./prog"), PROGRAM_BEARS);
	for (int i = 0; i < 3; i++) {
		with_dynamic = true;
		make("ld-linux-tree.so", loaders[i]);
		with_dynamic = false;
		ck_assert_int_eq(bears("./prog"), i ? PROGRAM_BEARS : PROGRAM_OF_OTHER_LOADER);
	}
	put("ld-linux-tree.so", "no loader", 9);
	ck_assert_int_eq(bears("./prog"), PROGRAM_BEARS);
}
END_TEST

START_TEST(judges_a_loader_by_its_name)
{
	make("ld-musl-x86_64.so.1", &cases[4]);
	ck_assert_int_eq(bears("./ld-musl-x86_64.so.1"), PROGRAM_OF_OTHER_LOADER);
}
END_TEST

START_TEST(follows_scripts)
{
	static const struct {
		const char *text;
		enum program_bears want;
	} scripts[] = {
		{ "#!./musl\n", PROGRAM_OF_OTHER_LOADER },
		{ "#! \t./musl -x\n", PROGRAM_OF_OTHER_LOADER },
		{ "#!./musl", PROGRAM_OF_OTHER_LOADER },
		{ "#!./again\n", PROGRAM_OF_OTHER_LOADER },
		{ "#!/bin/sh\n", PROGRAM_BEARS },
		{ "#!./script\n", PROGRAM_BEARS }, /* an endless chain of interpreters */
		{ "#!./missing\n", PROGRAM_BEARS },
		{ "#!\n./musl", PROGRAM_BEARS },
		{ "#!", PROGRAM_BEARS },
		{ "./musl\n", PROGRAM_BEARS }, /* no known format: run by the shell */
		{ "\177EL", PROGRAM_BEARS },
		{ "", PROGRAM_BEARS },
	};

	make("musl", &cases[7]);
	put("again", "#!./musl\n", 9);
	for (size_t i = 0; i < COUNT(scripts); i++) {
		put("script", scripts[i].text, strlen(scripts[i].text));
		ck_assert_int_eq(bears("./script"), scripts[i].want);
	}
}
END_TEST

START_TEST(searches_as_exec_does)
{
	ck_assert_int_eq(mkdir("one", 0755), 0);
	ck_assert_int_eq(mkdir("two", 0755), 0);
	ck_assert_int_eq(mkdir("three", 0755), 0);
	make("one/tool", &cases[0]);
	ck_assert_int_eq(chmod("one/tool", 0644), 0); /* not executable */
	make("two/tool", &cases[7]);
	make("three/tool", &cases[0]);
	make("tool", &cases[10]);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "tool", "/none:one:two:three"),
			 PROGRAM_OF_OTHER_LOADER);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "tool", "three:two"), PROGRAM_BEARS);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "tool", "/none::two"),
			 PROGRAM_WITH_SANITIZER);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "tool", "/none"), PROGRAM_BEARS);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "two/tool", "three"),
			 PROGRAM_OF_OTHER_LOADER);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "sh", NULL), PROGRAM_BEARS);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, "", NULL), PROGRAM_BEARS);
	ck_assert_int_eq(program_bears_preload(AT_FDCWD, NULL, NULL), PROGRAM_BEARS);
	ck_assert_int_eq(bears("one"), PROGRAM_BEARS);
}
END_TEST

/* Truncated anywhere, and with any byte changed: there is an answer in time, without a fault. */
START_TEST(survives_broken_files)
{
	make("whole", &cases[17]);
	for (size_t n = 0; n < sizeof(file); n += 3) {
		put("cut", &file, n);
		bears("./cut");
	}
	srand(4711);
	for (int i = 0; i < 4000; i++) {
		struct file broken = file;
		unsigned char *bytes = (unsigned char *)&broken;

		for (int k = 0; k < 4; k++)
			bytes[16 + (size_t)rand() % (sizeof(broken) - 16)] = (unsigned char)rand();
		put("broken", &broken, sizeof(broken));
		bears("./broken");
	}
}
END_TEST

/* Runs in a thread with the smallest possible stack. */
enum { STACK_BYTES = 3072, PAINTED_BYTES = 6000 };

static void *on_small_stack(void *arg)
{
	unsigned char *here = __builtin_frame_address(0);
	unsigned char *low = here - PAINTED_BYTES;
	size_t untouched = 0;

	(void)arg;
	for (volatile unsigned char *p = low; p < here - 1024; p++)
		*p = 0x5a;
	program_bears_preload(AT_FDCWD, "tool", "/none:one");
	while (low[untouched] == 0x5a)
		untouched++;
	return (void *)(PAINTED_BYTES - untouched);
}

START_TEST(needs_little_stack)
{
	pthread_attr_t attr;
	pthread_t thread;
	void *used;

	ck_assert_int_eq(mkdir("one", 0755), 0);
	make("musl", &cases[16]);
	put("one/tool", "#!./musl\n", 9);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN > 16384 ? PTHREAD_STACK_MIN : 16384);
	ck_assert_int_eq(pthread_create(&thread, &attr, on_small_stack, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, &used), 0);
#if !defined(__SANITIZE_ADDRESS__) && defined(__OPTIMIZE__)
	ck_assert_uint_lt((size_t)used, STACK_BYTES);
#endif
}
END_TEST

/* ---- real ones --------------------------------------------------------------- */

/* Programs built by this machine's compilers; what they cannot build is skipped. */
static const struct {
	const char *command;
	enum program_bears want;
} real[] = {
	{ "gcc -o prog main.c", PROGRAM_BEARS },
	{ "gcc -static -o prog main.c", PROGRAM_BEARS },
	{ "gcc -Wl,--hash-style=sysv -o prog main.c", PROGRAM_BEARS },
	{ "gcc -fsanitize=address -o prog main.c", PROGRAM_WITH_SANITIZER },
	{ "gcc -fsanitize=thread -o prog main.c", PROGRAM_WITH_SANITIZER },
	{ "gcc -fsanitize=thread -Wl,--hash-style=sysv -o prog main.c", PROGRAM_WITH_SANITIZER },
	{ "clang -fsanitize=thread -o prog main.c", PROGRAM_WITH_SANITIZER },
	{ "clang -fsanitize=thread -Wl,--hash-style=sysv -o prog main.c", PROGRAM_WITH_SANITIZER },
	{ "clang -fsanitize=address -o prog main.c", PROGRAM_BEARS },
	{ "musl-gcc -o prog main.c", PROGRAM_OF_OTHER_LOADER },
	{ "musl-gcc -static -o prog main.c", PROGRAM_BEARS },
	{ "aarch64-linux-gnu-gcc -o prog main.c && readelf -h prog | grep -q AArch64",
	  PROGRAM_OF_OTHER_MACHINE },
};

START_TEST(judges_real_programs)
{
	char command[256];

#ifndef __x86_64__
	if (_i == (int)COUNT(real) - 1)
		return;
#endif
	put("main.c", "int main(void) { return 0; }\n", 29);
	snprintf(command, sizeof(command), "{ %s; } >/dev/null 2>&1", real[_i].command);
	if (system(command) != 0) {
		printf("not tried: %s\n", real[_i].command);
		return;
	}
	ck_assert_int_eq(bears("./prog"), real[_i].want);
}
END_TEST

START_TEST(judges_itself)
{
	ck_assert_int_eq(bears("/proc/self/exe"), PROGRAM_BEARS);
}
END_TEST

/* ---- the environment ----------------------------------------------------------- */

static const struct {
	const char *added;	    /* NULL: not there */
	const char *before, *after; /* NULL: left out */
} entries[] = {
	{ NULL, "LD_PRELOAD=/p/libomphwc.so", NULL },
	{ NULL, "LD_PRELOAD=libomphwc.so:/p/libomphwc_heap.so", NULL },
	{ NULL, "LD_PRELOAD=/p/libomphwc.so:/x/libmine.so", "LD_PRELOAD=/x/libmine.so" },
	{ NULL, "LD_PRELOAD=/x/a.so /p/libomphwc.so:/x/b.so", "LD_PRELOAD=/x/a.so:/x/b.so" },
	{ NULL, "LD_PRELOAD=/x/a.so b.so:/p/libomphwc.so", "LD_PRELOAD=/x/a.so b.so" },
	{ NULL, "LD_PRELOAD=/x/notlibomphwc.so", "LD_PRELOAD=/x/notlibomphwc.so" },
	{ NULL, "LD_PRELOAD=/x/libomphwc.so.bak", "LD_PRELOAD=/x/libomphwc.so.bak" },
	{ NULL, "LD_PRELOAD=", "LD_PRELOAD=" },
	{ NULL, "LD_LIBRARY_PATH=/x/libomphwc.so", "LD_LIBRARY_PATH=/x/libomphwc.so" },
	{ "/c/lib-1:/l/libasan.so.8", "LD_LIBRARY_PATH=/c/lib-1", "LD_LIBRARY_PATH=/c/lib-1" },
	{ "/l/libasan.so.8", "LD_PRELOAD=/l/libasan.so.8", NULL },
	{ "/c/l.so:/l/libasan.so.8",
	  "LD_PRELOAD=/l/libasan.so.8:/p/libomphwc.so::/x:", "LD_PRELOAD=:/x:" },
	{ "/c/l.so:/l/libasan.so.8", "LD_PRELOAD=/l/libasan.so.80:/c/l.so/",
	  "LD_PRELOAD=/l/libasan.so.80:/c/l.so/" },
	{ "", "LD_PRELOAD=:/x:", "LD_PRELOAD=:/x:" },
	{ NULL, "LD_PRELOADX=/p/libomphwc.so", "LD_PRELOADX=/p/libomphwc.so" },
};

START_TEST(plain_environment)
{
	char added[64] = "NONE=1",
	     *envp[4] = { (char[]){ "A=1" }, (char *)(uintptr_t)entries[_i].before, added, NULL };
	char *memory[64], **plain;
	size_t bytes, n = 0;

	if (entries[_i].added)
		snprintf(added, sizeof(added), "OMPHWC_ADDED=%s", entries[_i].added);
	bytes = program_plain_bytes(envp);
	ck_assert_uint_le(bytes, sizeof(memory));
	ck_assert_ptr_null(program_plain_env(envp, memory, bytes - 1));
	memset(memory, 0x55, sizeof(memory));
	plain = program_plain_env(envp, memory, bytes);
	ck_assert_ptr_eq(plain, memory);
	ck_assert_ptr_eq(plain[n++], envp[0]);
	if (entries[_i].after)
		ck_assert_str_eq(plain[n++], entries[_i].after);
	ck_assert_ptr_eq(plain[n++], added);
	ck_assert_ptr_null(plain[n]);
	for (const char *p = (char *)memory + bytes; p < (char *)memory + sizeof(memory); p++)
		ck_assert_int_eq(*p, 0x55);
}
END_TEST

START_TEST(plain_environment_of_nothing)
{
	char *none[] = { NULL }, *memory[2];

	ck_assert_uint_eq(program_plain_bytes(NULL), sizeof(char *));
	ck_assert_ptr_null(program_plain_env(NULL, memory, sizeof(memory))[0]);
	ck_assert_ptr_null(program_plain_env(none, memory, sizeof(memory))[0]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("bears");
	TCase *t = tcase_create("bears");

	tcase_add_checked_fixture(t, enter, leave);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, judges_programs, 0, (int)COUNT(cases));
	tcase_add_test(t, judges_a_loader_by_its_age);
	tcase_add_test(t, judges_a_loader_by_its_name);
	tcase_add_test(t, follows_scripts);
	tcase_add_test(t, searches_as_exec_does);
	tcase_add_test(t, survives_broken_files);
	tcase_add_test(t, needs_little_stack);
	tcase_add_loop_test(t, judges_real_programs, 0, (int)COUNT(real));
	tcase_add_test(t, judges_itself);
	tcase_add_loop_test(t, plain_environment, 0, (int)COUNT(entries));
	tcase_add_test(t, plain_environment_of_nothing);
	suite_add_tcase(s, t);
	return suite_main(s);
}
