/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of locations in objects as built by compilers, strip and objcopy.
 */
#include "config.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_file.h"
#include "src/symbols/symbols_kernel.h"
#include "tests/support/objects.h"
#include "tests/support/suite_main.h"

/* Lines count from 1. */
static const char source_c[] =
	"int counter;\n"						   /* 1 */
	"int table[16];\n"						   /* 2 */
	"static inline __attribute__((always_inline)) int square(int x)\n" /* 3 */
	"{\n"								   /* 4 */
	"	counter += x;\n"					   /* 5 */
	"	return x * x;\n"					   /* 6 */
	"}\n"								   /* 7 */
	"static inline __attribute__((always_inline)) int sum(int x)\n"	   /* 8 */
	"{\n"								   /* 9 */
	"	return square(x) +\n"					   /* 10 */
	"		square(x + 1);\n"				   /* 11 */
	"}\n"								   /* 12 */
	"static __attribute__((noinline)) int hidden(int x)\n"		   /* 13 */
	"{\n"								   /* 14 */
	"	table[x & 15]++;\n"					   /* 15 */
	"	return x / 3;\n"					   /* 16 */
	"}\n"								   /* 17 */
	"int outer(int x)\n"						   /* 18 */
	"{\n"								   /* 19 */
	"	return sum(x) + hidden(x);\n"				   /* 20 */
	"}\n"								   /* 21 */
	"int __alias(int x) { return hidden(x) + 1; }\n"		   /* 22 */
	"int shown(int x) __attribute__((weak, alias(\"__alias\")));\n";   /* 23 */

static struct object o;

static bool ends_with(const char *s, const char *end)
{
	return s && strlen(s) >= strlen(end) && !strcmp(s + strlen(s) - strlen(end), end);
}

/* For all tests. */
static void build_c(void)
{
	objects_init();
	objects_write("plain.c", source_c);
	objects_build(OBJECT_GCC, "plain.c", "-g -O1", "libplain.so");
	objects_build(OBJECT_GCC, "plain.c", "-g -O0", "libother.so");
	objects_run("strip -g -o libnodebug.so libplain.so && strip -o libs.so libplain.so");
}

static void open_plain(void)
{
	object_open(&o, objects_path("libplain.so"), objects_path("libplain.so"), NULL);
}

/* ---- DWARF ----------------------------------------------------------------------- */

START_TEST(functions_and_lines)
{
	const struct sym_location *l;
	const struct sym_function *f;

	open_plain();
	l = object_line(&o, "libplain.so", "hidden", 16);
	f = l->frames[0].function;
	ck_assert_uint_eq(l->nframes, 1);
	ck_assert_str_eq(f->name, "hidden");
	ck_assert_str_eq(f->linkage, "hidden");
	ck_assert_str_eq(f->module, "libplain.so");
	ck_assert(ends_with(f->file, "/plain.c"));
	ck_assert(ends_with(l->frames[0].file, "/plain.c"));
	ck_assert_uint_eq(f->line, 13);
	ck_assert_int_eq(f->outlined, SYM_NOT_OUTLINED);
	ck_assert_ptr_null(f->origin);
	ck_assert_str_eq(object_trouble(&o), "");
	object_close(&o);
}
END_TEST

START_TEST(inlined_functions_are_frames)
{
	static const struct {
		const char *name;
		unsigned line, defined;
	} want[] = {
		{ "square", 5, 3 },
		{ "sum", 10, 8 },
		{ "outer", 20, 18 },
	};
	const struct sym_location *l;

	open_plain();
	l = object_line(&o, "libplain.so", "outer", 5);
	ck_assert_uint_eq(l->nframes, 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_str_eq(l->frames[i].function->name, want[i].name);
		ck_assert_uint_eq(l->frames[i].function->line, want[i].defined);
		ck_assert(ends_with(l->frames[i].file, "/plain.c"));
		if (i != 1) /* either of the two calls */
			ck_assert_uint_eq(l->frames[i].line, want[i].line);
	}
	ck_assert_uint_ge(l->frames[1].line, 10);
	ck_assert_uint_le(l->frames[1].line, 11);
	object_close(&o);
}
END_TEST

START_TEST(functions_are_unique)
{
	const struct sym_function *square = NULL, *outer = NULL;
	uint64_t address, size;
	size_t squares = 0;

	open_plain();
	ck_assert(objects_symbol("libplain.so", "outer", true, 0, &address, &size));
	for (uint64_t a = address; a < address + size; a++) {
		const struct sym_location *l = object_at(&o, a);
		const struct sym_function *f = l->frames[l->nframes - 1].function;

		ck_assert(!outer || f == outer);
		outer = f;
		for (size_t i = 0; i < l->nframes; i++) {
			f = l->frames[i].function;
			if (strcmp(f->name, "square") != 0)
				continue;
			ck_assert(!square || f == square);
			square = f;
			squares++;
		}
	}
	ck_assert_uint_gt(squares, 1);
	ck_assert_ptr_eq(object_at(&o, address), object_at(&o, address));
	object_close(&o);
}
END_TEST

START_TEST(a_return_address_belongs_to_the_call)
{
	const struct sym_location *l;
	uint64_t address, size;

	open_plain();
	ck_assert(objects_symbol("libplain.so", "outer", true, 0, &address, &size));
	l = symbols_resolve(o.s, o.f, PROF_LOC(1, address + size), false);
	ck_assert_str_eq(l->frames[l->nframes - 1].function->name, "outer");
	ck_assert_ptr_eq(l, object_at(&o, address + size - 1));
	ck_assert_ptr_nonnull(symbols_resolve(o.s, o.f, PROF_LOC(1, 0), false));
	object_close(&o);
}
END_TEST

START_TEST(relative_paths_begin_at_the_working_folder)
{
	object_open(&o, "./libplain.so", NULL, NULL);
	object_line(&o, "libplain.so", "hidden", 16);
	object_close(&o);
}
END_TEST

/* ---- symbol tables ----------------------------------------------------------------- */

START_TEST(without_debugging_information)
{
	const struct sym_location *l;
	uint64_t address, size;

	object_open(&o, objects_path("libnodebug.so"), objects_path("libplain.so"), NULL);
	ck_assert(objects_symbol("libplain.so", "hidden", true, 0, &address, &size));
	l = object_at(&o, address + 1);
	ck_assert_str_eq(l->frames[0].function->name, "hidden");
	ck_assert_ptr_null(l->frames[0].file);
	ck_assert_uint_eq(l->frames[0].line, 0);
	/* The alias that people call is the one that is shown. */
	ck_assert(objects_symbol("libplain.so", "__alias", true, 0, &address, &size));
	ck_assert_str_eq(object_at(&o, address)->frames[0].function->name, "shown");
	ck_assert_str_eq(object_trouble(&o), "");
	object_close(&o);
}
END_TEST

START_TEST(stripped_functions_keep_apart)
{
	const struct sym_function *first, *last;
	uint64_t address, size;
	char name[64];

	object_open(&o, objects_path("libs.so"), objects_path("libplain.so"), NULL);
	ck_assert(objects_symbol("libplain.so", "outer", true, 0, &address, &size));
	ck_assert_str_eq(object_at(&o, address)->frames[0].function->name, "outer");
	ck_assert_str_eq(object_trouble(&o), "");
	ck_assert(objects_symbol("libplain.so", "hidden", true, 0, &address, &size));
	first = object_at(&o, address)->frames[0].function;
	last = object_at(&o, address + size - 1)->frames[0].function;
	snprintf(name, sizeof(name), "libs.so+0x%lx", (unsigned long)address);
	ck_assert_str_eq(first->name, name);
	ck_assert_ptr_eq(first, last);
	ck_assert_ptr_null(first->linkage);
	ck_assert(strstr(object_trouble(&o), "stripped"));
	object_close(&o);
}
END_TEST

/* Calls of other objects' functions go through stubs. */
START_TEST(stubs_are_called_after_where_they_lead)
{
	const struct sym_location *l;
	uint64_t address, size;
	size_t stubs = 0;

	objects_write("stub.c", "int away(int); int afar(int);\n"
				"int here(int x) { return away(x) + afar(x); }\n");
	objects_build(OBJECT_GCC, "stub.c", "-g -O1", "libstub.so");
	object_open(&o, objects_path("libstub.so"), NULL, NULL);
	ck_assert(objects_symbol("libstub.so", "here", true, 0, &address, &size));
	for (uint64_t a = address - 256 > address ? 0 : address - 256; a < address; a++) {
		l = object_at(&o, a);
		stubs += !strcmp(l->frames[0].function->name, "away@plt");
		stubs += !strcmp(l->frames[0].function->name, "afar@plt");
	}
	ck_assert_uint_ge(stubs, 16);
	object_close(&o);
}
END_TEST

/* Without stubs the call's operand shows where it leads: a word that the loader writes. */
START_TEST(slots_are_called_after_where_they_lead)
{
	uint64_t address, size;
	size_t away = 0, afar = 0;

	objects_write("slot.c", "int away(int); int afar(int);\n"
				"int here(int x) { return away(x) + afar(x); }\n");
	objects_build(OBJECT_GCC, "slot.c", "-g -O1 -fno-plt", "libslot.so");
	object_open(&o, objects_path("libslot.so"), NULL, NULL);
	ck_assert(objects_symbol("libslot.so", "here", true, 0, &address, &size));
	for (uint64_t a = 0; a < 1 << 17; a += 8) {
		const char *name = symbols_code_symbol(o.s, o.f, PROF_LOC(1, a));

		if (!name || (strcmp(name, "away@plt") && strcmp(name, "afar@plt")))
			continue;
		away += !strcmp(name, "away@plt");
		afar += !strcmp(name, "afar@plt");
		ck_assert_str_eq(object_at(&o, a)->frames[0].function->name, name);
		ck_assert_str_eq(object_at(&o, a + 7)->frames[0].function->name, name);
	}
	ck_assert_uint_eq(away, 1);
	ck_assert_uint_eq(afar, 1);
	ck_assert_str_eq(object_trouble(&o), "");
	object_close(&o);
}
END_TEST

START_TEST(data_has_names)
{
	uint64_t counter, table, size;

	open_plain();
	ck_assert(objects_symbol("libplain.so", "counter", true, 0, &counter, &size));
	ck_assert(objects_symbol("libplain.so", "table", true, 0, &table, &size));
	ck_assert_uint_eq(size, 64);
	ck_assert_str_eq(symbols_object(o.s, o.f, PROF_LOC(1, counter)), "counter");
	ck_assert_str_eq(symbols_object(o.s, o.f, PROF_LOC(1, table + 8)), "table+0x8");
	ck_assert_str_eq(symbols_object(o.s, o.f, PROF_LOC(1, table + 8)), "table+0x8");
	ck_assert_ptr_null(symbols_object(o.s, o.f, PROF_LOC(1, 0)));
	ck_assert_ptr_null(symbols_object(o.s, o.f, PROF_LOC(0, counter)));
	object_close(&o);
}
END_TEST

/* ---- separate debug files ------------------------------------------------------------- */

static void expect_debug(const char *path, const char *sysroot, bool found)
{
	const struct sym_location *l;
	uint64_t address, size;

	object_open(&o, path, objects_path("libplain.so"), sysroot);
	ck_assert(objects_symbol("libplain.so", "hidden", true, 0, &address, &size));
	l = object_at(&o, address + size - 1);
	if (found) {
		ck_assert_str_eq(l->frames[0].function->name, "hidden");
		ck_assert(ends_with(l->frames[0].file, "/plain.c"));
		ck_assert_uint_ge(l->frames[0].line, 16);
	} else {
		ck_assert_ptr_nonnull(strstr(l->frames[0].function->name, "+0x"));
	}
	object_close(&o);
}

static const char *const link_folders[] = { ".", ".debug" };

START_TEST(debug_file_by_link)
{
	objects_run("mkdir -p %s && objcopy --only-keep-debug libplain.so %s/x.debug && "
		    "strip -o libs.so libplain.so && "
		    "objcopy --add-gnu-debuglink=%s/x.debug libs.so",
		    link_folders[_i], link_folders[_i], link_folders[_i]);
	expect_debug(objects_path("libs.so"), NULL, true);
	/* Another build of the same: neither its build-id nor its sum. */
	objects_run("objcopy --only-keep-debug libother.so %s/x.debug", link_folders[_i]);
	expect_debug(objects_path("libs.so"), NULL, false);
}
END_TEST

START_TEST(debug_file_by_build_id_beneath_sysroot)
{
	objects_run("id=$(readelf -n libplain.so | sed -n 's/.*Build ID: //p') && "
		    "d=root/usr/lib/debug/.build-id/$(echo $id | cut -c1-2) && "
		    "mkdir -p $d root/opt && "
		    "objcopy --only-keep-debug libplain.so $d/$(echo $id | cut -c3-).debug && "
		    "strip -o root/opt/libs.so libplain.so");
	expect_debug("/opt/libs.so", objects_path("root"), true);
	/* The debug file alone serves, too. */
	expect_debug("/gone/libs.so", objects_path("root"), true);
	ck_assert_ptr_nonnull(objects_path("root"));
}
END_TEST

/* Beside the object, and in the debug folder. */
START_TEST(debug_file_by_link_beneath_sysroot)
{
	static const char *const folders[] = { "a:b/opt", "a:b/usr/lib/debug/opt" };

	objects_run("rm -rf a:b && mkdir -p %s a:b/opt && "
		    "objcopy --only-keep-debug libplain.so %s/x.debug && "
		    "strip -o a:b/opt/libs.so libplain.so && "
		    "objcopy --add-gnu-debuglink=%s/x.debug a:b/opt/libs.so",
		    folders[_i], folders[_i], folders[_i]);
	expect_debug("/opt/libs.so", objects_path("a:b"), true);
}
END_TEST

/* What blocks whoever opens or reads it: libdwfl's own search does both. */
START_TEST(debug_file_that_is_none)
{
	static const char *const folders[] = { "none", "none/.debug", "none/usr/lib/debug" };
	static const char *const commands[] = { "mkfifo", "ln -s /dev/zero", "ln -s /dev/tty" };

	objects_run("rm -rf none && mkdir -p %s && cp libplain.so none/x.debug && "
		    "strip -o none/libs.so libplain.so && "
		    "objcopy --add-gnu-debuglink=none/x.debug none/libs.so && "
		    "rm none/x.debug && %s %s/x.debug",
		    folders[_i % 3], commands[_i / 3], folders[_i % 3]);
	expect_debug("/libs.so", objects_path("none"), false);
}
END_TEST

/* An address that would answer, and must not be asked. */
START_TEST(no_server_is_asked)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	char url[64];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&a, n), 0);
	ck_assert_int_eq(listen(fd, 4), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(a.sin_port));
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_TIMEOUT", "2", 1);
	objects_run("strip -o libs.so libplain.so && : >x.debug && "
		    "objcopy --add-gnu-debuglink=x.debug libs.so && rm x.debug");
	expect_debug(objects_path("libs.so"), NULL, false);
	ck_assert_int_eq(accept(fd, NULL, NULL), -1);
	ck_assert_int_eq(errno, EAGAIN);
	close(fd);
}
END_TEST

/* ---- files that are not what ran --------------------------------------------------------- */

static void expect_offset(const char *path, const char *build_id_of, const char *name,
			  const char *trouble)
{
	const struct sym_location *l;

	object_open(&o, path, build_id_of, NULL);
	l = object_at(&o, 0x1234);
	ck_assert_uint_eq(l->nframes, 1);
	/* The first byte was mapped at 0x1000. */
	ck_assert_str_eq(l->frames[0].function->name, name);
	ck_assert_msg(strstr(object_trouble(&o), trouble), "%s", object_trouble(&o));
	ck_assert_ptr_null(symbols_object(o.s, o.f, PROF_LOC(1, 0x1234)));
	object_close(&o);
}

START_TEST(files_that_are_not_what_ran)
{
	objects_write("empty", "");
	objects_write("text", "#!/bin/sh\n");
	objects_run("gcc -g -O0 -c -o plain.o plain.c && mkfifo pipe");
	expect_offset("/nonexistent/libx.so.1", NULL, "libx.so.1+0x234", "missing");
	expect_offset("/nonexistent/app (deleted)", NULL, "app (deleted)+0x234", "missing");
	expect_offset(objects_path("libother.so"), objects_path("libplain.so"), "libother.so+0x234",
		      "build-id");
	expect_offset(objects_path("empty"), NULL, "empty+0x234", "not an ELF");
	expect_offset(objects_path("text"), NULL, "text+0x234", "not an ELF");
	expect_offset(objects_path("plain.o"), NULL, "plain.o+0x234", "not an ELF");
	expect_offset(objects_path("pipe"), NULL, "pipe+0x234", "missing");
	expect_offset("/", NULL, "/+0x234", "missing");
	expect_offset("", NULL, "+0x234", "missing");
}
END_TEST

START_TEST(places_without_a_module)
{
	const struct sym_location *l;

	open_plain();
	l = symbols_resolve(o.s, o.f, PROF_LOC(0, 0xabcd), true);
	ck_assert_str_eq(l->frames[0].function->name, "0xabcd");
	ck_assert_str_eq(l->frames[0].function->module, "");
	l = symbols_resolve(o.s, o.f, PROF_LOC(7, 0xabcd), true);
	ck_assert_str_eq(l->frames[0].function->name, "0xabcd");
	l = object_at(&o, UINT64_C(0xffffffffffff));
	ck_assert_ptr_nonnull(strstr(l->frames[0].function->name, "libplain.so+0x"));
	object_close(&o);
}
END_TEST

static const char *kernel_name(struct symbols_kernel *k, const char *boot, uint64_t address)
{
	struct prof_text text = { .kind = PROF_INFO_BOOT,
				  .text = (char *)(uintptr_t)boot,
				  .bytes = strlen(boot) };
	const struct prof_file f = { .texts = &text, .ntexts = 1 };

	return symbols_kernel_find(k, &f, address);
}

START_TEST(the_kernels_names)
{
	struct symbols_kernel k = { 0 };
	char proc[512];

	objects_run("mkdir -p proc/sys/kernel/random");
	snprintf(proc, sizeof(proc), "%s", objects_path("proc"));
	symbols_kernel_proc = proc;
	objects_write("proc/sys/kernel/random/boot_id", "this-boot\n");
	objects_write("proc/kallsyms",
		      "ffffffff81002000 t later\t[module]\n"
		      "ffffffff81001800 d data\nrubbish\n0000000000000000 T hidden\n"
		      "ffffffff81001000 T first\nffffffff81003000\n");
	ck_assert_str_eq(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81001000)), "first");
	ck_assert_str_eq(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81001fff)), "first");
	ck_assert_str_eq(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81002001)), "later");
	ck_assert_ptr_null(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81000fff)));
	ck_assert_ptr_null(kernel_name(&k, "an-earlier-boot", UINT64_C(0xffffffff81001000)));
	symbols_kernel_free(&k);
	objects_write("proc/kallsyms", "0000000000000000 T all\n0000000000000000 T hidden\n");
	ck_assert_ptr_null(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81001000)));
	symbols_kernel_free(&k);
	symbols_kernel_proc = "/nowhere";
	ck_assert_ptr_null(kernel_name(&k, "this-boot", UINT64_C(0xffffffff81001000)));
	symbols_kernel_free(&k);
	symbols_kernel_proc = NULL;
}
END_TEST

/* What is cut off, or overwritten, is not to be trusted either. */
START_TEST(cut_and_damaged_files)
{
	char *bytes;
	size_t size;
	FILE *f;

	f = fopen(objects_path("libplain.so"), "rb");
	ck_assert_ptr_nonnull(f);
	bytes = malloc(1 << 20);
	size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	for (size_t n = 0; n < size; n += size / 97 + 1) {
		f = fopen(objects_path("cut.so"), "wb");
		ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
		fclose(f);
		object_open(&o, objects_path("cut.so"), NULL, NULL);
		for (uint64_t a = 0x1000; a < 0x1200; a += 7)
			object_at(&o, a);
		object_close(&o);
	}
	free(bytes);
}
END_TEST

/* ---- the kernel's -------------------------------------------------------------------------- */

START_TEST(vdso_functions)
{
	const struct sym_location *l;
	uint64_t address, size;
	char path[64];
	int fd = symbols_vdso_open();

	if (fd < 0) {
		printf("SKIP: vdso: this process has none\n");
		return;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert(objects_symbol(path, "clock_gettime", false, 0, &address, &size));
	object_open(&o, "[vdso]", path, NULL);
	l = object_at(&o, address);
	ck_assert_ptr_nonnull(strstr(l->frames[0].function->name, "clock_gettime"));
	ck_assert_str_eq(l->frames[0].function->module, "[vdso]");
	object_close(&o);
	/* Another kernel's. */
	object_open(&o, "[vdso]", objects_path("libplain.so"), NULL);
	ck_assert_ptr_nonnull(
		strstr(object_at(&o, address)->frames[0].function->name, "[vdso]+0x"));
	ck_assert_ptr_nonnull(strstr(object_trouble(&o), "kernel"));
	close(fd);
	object_close(&o);
}
END_TEST

/* ---- from the source to the code --------------------------------------------------------------- */

struct found {
	size_t count;
	uint64_t lo, hi;
};

static void take_piece(const struct sym_piece *p, void *arg)
{
	struct found *f = arg;

	f->count++;
	f->lo = p->lo;
	f->hi = p->hi;
	ck_assert_uint_eq(p->module, 1);
	ck_assert_str_eq(p->function->name, "hidden");
}

static const char *const variants[] = { "libplain.so", "libnodebug.so" };

START_TEST(code_of_a_function)
{
	struct found f = { 0 };
	uint64_t address, size;

	object_open(&o, objects_path(variants[_i]), objects_path("libplain.so"), NULL);
	ck_assert(objects_symbol("libplain.so", "hidden", true, 0, &address, &size));
	ck_assert_uint_eq(symbols_pieces(o.s, o.f, "hidden", take_piece, &f), 1);
	ck_assert_uint_eq(f.count, 1);
	ck_assert_uint_eq(f.lo, address);
	ck_assert_uint_eq(f.hi, address + size);
	ck_assert_uint_eq(symbols_pieces(o.s, o.f, "nobody", take_piece, &f), 0);
	object_close(&o);
}
END_TEST

START_TEST(extent_of_a_function)
{
	const struct sym_location *l;
	unsigned first, last;

	open_plain();
	l = object_line(&o, "libplain.so", "hidden", 16);
	ck_assert(symbols_extent(l->frames[0].function, &first, &last));
	ck_assert_uint_ge(first, 13);
	ck_assert_uint_le(first, 15);
	ck_assert_uint_eq(last, 17);
	object_close(&o);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbols");
	TCase *t = tcase_create("symbols");

	if (!objects_compiler(OBJECT_GCC)) {
		printf("no gcc to compile the objects with\n");
		return 77;
	}
	tcase_add_unchecked_fixture(t, build_c, objects_fini);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, functions_and_lines);
	tcase_add_test(t, inlined_functions_are_frames);
	tcase_add_test(t, functions_are_unique);
	tcase_add_test(t, a_return_address_belongs_to_the_call);
	tcase_add_test(t, relative_paths_begin_at_the_working_folder);
	tcase_add_test(t, without_debugging_information);
	tcase_add_test(t, stripped_functions_keep_apart);
	tcase_add_test(t, stubs_are_called_after_where_they_lead);
	tcase_add_test(t, slots_are_called_after_where_they_lead);
	tcase_add_test(t, data_has_names);
	tcase_add_loop_test(t, debug_file_by_link, 0, 2);
	tcase_add_test(t, debug_file_by_build_id_beneath_sysroot);
	tcase_add_loop_test(t, debug_file_by_link_beneath_sysroot, 0, 2);
	tcase_add_loop_test(t, debug_file_that_is_none, 0, 9);
	tcase_add_test(t, no_server_is_asked);
	tcase_add_test(t, files_that_are_not_what_ran);
	tcase_add_test(t, places_without_a_module);
	tcase_add_test(t, the_kernels_names);
	tcase_add_test(t, cut_and_damaged_files);
	tcase_add_test(t, vdso_functions);
	tcase_add_loop_test(t, code_of_a_function, 0, 2);
	tcase_add_test(t, extent_of_a_function);
	suite_add_tcase(s, t);
	return suite_main(s);
}
