/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/support/objects.h"

#include <check.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "tests/support/mkprofile.h"

static char folder[4096];

void objects_init(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/omphwc-objects.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

void objects_fini(void)
{
	objects_run("cd / && rm -rf '%s'", folder);
}

const char *objects_compiler(enum object_compiler c)
{
	static const char *const variables[] = {
		[OBJECT_GCC] = "OMPHWC_GCC",
		[OBJECT_CLANG] = "OMPHWC_CLANG",
		[OBJECT_GFORTRAN] = "OMPHWC_GFORTRAN",
	};
	static const char *const names[] = {
		[OBJECT_GCC] = "gcc",
		[OBJECT_CLANG] = "clang",
		[OBJECT_GFORTRAN] = "gfortran",
	};
	const char *name = getenv(variables[c]);

	/* "yes" is what configure says of the compiler that it found itself. */
	if (!name || !strcmp(name, "yes"))
		name = names[c];
	return *name && strcmp(name, "no") != 0 ? name : NULL;
}

const char *objects_path(const char *name)
{
	static char paths[2][sizeof(folder) + 256];
	static unsigned turn;
	char *path = paths[turn++ % 2];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

void objects_run(const char *format, ...)
{
	char command[8192], *whole;
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	ck_assert_int_gt(asprintf(&whole, "cd '%s' && %s", folder, command), 0);
	status = system(whole);
	ck_assert_msg(status == 0, "status %d: %s", status, whole);
	free(whole);
}

void objects_write(const char *name, const char *text)
{
	FILE *f = fopen(objects_path(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

void objects_build(enum object_compiler c, const char *source, const char *flags,
		   const char *output)
{
	bool shared = !strstr(flags, "-no-shared");

	objects_run("%s %s %s -c -o '%s.o' '%s' && %s %s -Wl,--build-id=sha1 -o '%s' '%s.o'",
		    objects_compiler(c), shared ? "-fPIC" : "",
		    shared ? flags : strstr(flags, "-no-shared") + strlen("-no-shared"), output,
		    source, objects_compiler(c), shared ? "-shared -nostdlib" : "", output, output);
}

bool objects_symbol(const char *object, const char *part, bool exact, int nth, uint64_t *address,
		    uint64_t *size)
{
	int fd = open(object[0] == '/' ? object : objects_path(object), O_RDONLY | O_CLOEXEC);
	Elf *elf;
	Elf_Scn *scn = NULL;
	bool found = false;

	ck_assert_int_ge(fd, 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (!found && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr h;
		GElf_Sym sym;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &h) || (h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM))
			continue;
		d = elf_getdata(scn, NULL);
		for (int i = 0; !found && gelf_getsym(d, i, &sym); i++) {
			const char *name = elf_strptr(elf, h.sh_link, sym.st_name);

			if (!name || sym.st_shndx == SHN_UNDEF ||
			    (exact ? strcmp(name, part) != 0 : !strstr(name, part)))
				continue;
			found = nth-- == 0;
			*address = sym.st_value;
			*size = sym.st_size;
		}
	}
	elf_end(elf);
	close(fd);
	return found;
}

/* ---- one object in a profile ------------------------------------------------ */

static void take_build_id(struct prof_module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const void *id;
	Elf *elf;
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	n = dwelf_elf_gnu_build_id(elf, &id);
	ck_assert_int_gt(n, 0);
	ck_assert_int_le(n, (int)sizeof(m->build_id));
	memcpy(m->build_id, id, (size_t)n);
	m->build_id_bytes = (uint32_t)n;
	elf_end(elf);
	close(fd);
}

void object_open(struct object *o, const char *path, const char *build_id_of, const char *sysroot)
{
	struct prof_module m = { .id = 1,
				 .map_start = 0x7f0000001000,
				 .map_end = 0x7f0000800000,
				 .bias = 0x7f0000000000 };
	uint32_t version;

	if (build_id_of)
		take_build_id(&m, build_id_of);
	if (strstr(path, "vdso"))
		m.flags = PROF_MODULE_VDSO;
	o->m = mk_new();
	mk_text(o->m, PROF_INFO_CWD, folder);
	mk_module_full(o->m, &m, path);
	ck_assert_int_eq(prof_read_memory(mk_bytes(o->m), mk_size(o->m), "test", &o->f, &version),
			 PROF_READ_OK);
	o->s = symbols_new(sysroot);
	ck_assert_ptr_nonnull(o->s);
}

void object_close(struct object *o)
{
	symbols_free(o->s);
	prof_free(o->f);
	mk_free(o->m);
}

const struct sym_location *object_at(struct object *o, uint64_t address)
{
	const struct sym_location *l = symbols_resolve(o->s, o->f, PROF_LOC(1, address), true);

	ck_assert_ptr_nonnull(l);
	ck_assert_uint_ge(l->nframes, 1);
	for (size_t i = 0; i < l->nframes; i++) {
		ck_assert_ptr_nonnull(l->frames[i].function);
		ck_assert_ptr_nonnull(l->frames[i].function->name);
		ck_assert_ptr_nonnull(l->frames[i].function->module);
		ck_assert_int_eq(l->frames[i].inlined, i + 1 < l->nframes);
	}
	return l;
}

const struct sym_location *object_line(struct object *o, const char *file, const char *symbol,
				       unsigned line)
{
	uint64_t address, size;

	ck_assert_msg(objects_symbol(file, symbol, true, 0, &address, &size), "no %s", symbol);
	for (uint64_t a = address; a < address + size; a++) {
		const struct sym_location *l = object_at(o, a);

		if (l->frames[0].line == line)
			return l;
	}
	ck_abort_msg("no line %u in %s", line, symbol);
	return NULL;
}

static void keep_trouble(const char *path, const char *why, void *arg)
{
	(void)path;
	*(const char **)arg = why;
}

const char *object_trouble(const struct object *o)
{
	const char *why = "";

	symbols_troubles(o->s, keep_trouble, &why);
	return why;
}
