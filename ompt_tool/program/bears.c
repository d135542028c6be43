/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * It uses pread() of a few bytes at a time. A mapping would stay behind in the
 * parent of a vfork child, and an access to it would raise SIGBUS if the file is
 * truncated meanwhile.
 */
#include "config.h"

#include "ompt_tool/program/bears.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "src/profile/syscalls.h"

enum {
	HEAD_BYTES = 256, /* what the kernel reads */
	SCRIPTS_MAX = 5,  /* as many as the kernel follows */
	PATH_BYTES = 512, /* longer names are not judged */
	PROGRAM_HEADERS_MAX = 128,
	DYNAMIC_MAX = 512,
	CHAIN_MAX = 4096,
};

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#endif

/* The parts of an ELF file that are read. Addresses are as linked; 0: there is none. */
struct image {
	int fd;
	ElfW(Ehdr) header;
	ElfW(Phdr) dynamic;
	uint64_t strings, symbols, gnu_hash, sysv_hash;
	uint64_t interp, interp_bytes; /* in the file */
};

static bool read_at(int fd, uint64_t offset, void *to, size_t bytes)
{
	return call_result(syscall(SYS_pread64, fd, to, bytes, offset)) == (long)bytes;
}

/* Reads a string's first bytes; fewer at the file's end. */
static void read_text(int fd, uint64_t offset, char *to, size_t bytes)
{
	const long n = call_result(syscall(SYS_pread64, fd, to, bytes - 1, offset));

	to[n > 0 ? n : 0] = '\0';
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- the ELF file ---------------------------------------------------------- */

static bool program_header(const struct image *im, unsigned i, ElfW(Phdr) * ph)
{
	return i < im->header.e_phnum && i < PROGRAM_HEADERS_MAX &&
	       im->header.e_phentsize == sizeof(*ph) &&
	       read_at(im->fd, im->header.e_phoff + i * sizeof(*ph), ph, sizeof(*ph));
}

/* The file offset of an address; 0: it is in no segment. */
static uint64_t offset_of(const struct image *im, uint64_t address)
{
	ElfW(Phdr) ph;

	for (unsigned i = 0; address != 0 && program_header(im, i, &ph); i++)
		if (ph.p_type == PT_LOAD && address - ph.p_vaddr < ph.p_filesz)
			return ph.p_offset + (address - ph.p_vaddr);
	return 0;
}

static bool dynamic_entry(const struct image *im, unsigned i, ElfW(Dyn) * d)
{
	return i < DYNAMIC_MAX && (i + 1) * sizeof(*d) <= im->dynamic.p_filesz &&
	       read_at(im->fd, im->dynamic.p_offset + i * sizeof(*d), d, sizeof(*d)) &&
	       d->d_tag != DT_NULL;
}

static void find_parts(struct image *im)
{
	ElfW(Phdr) ph;
	ElfW(Dyn) d;

	for (unsigned i = 0; program_header(im, i, &ph); i++) {
		if (ph.p_type == PT_DYNAMIC)
			im->dynamic = ph;
		if (ph.p_type == PT_INTERP) {
			im->interp = ph.p_offset;
			im->interp_bytes = ph.p_filesz;
		}
	}
	for (unsigned i = 0; dynamic_entry(im, i, &d); i++) {
		if (d.d_tag == DT_STRTAB)
			im->strings = d.d_un.d_ptr;
		if (d.d_tag == DT_SYMTAB)
			im->symbols = d.d_un.d_ptr;
		if (d.d_tag == DT_GNU_HASH)
			im->gnu_hash = d.d_un.d_ptr;
		if (d.d_tag == DT_HASH)
			im->sysv_hash = d.d_un.d_ptr;
	}
	im->strings = offset_of(im, im->strings);
	im->symbols = offset_of(im, im->symbols);
	im->gnu_hash = offset_of(im, im->gnu_hash);
	im->sysv_hash = offset_of(im, im->sysv_hash);
}

static bool defines_at(const struct image *im, uint32_t index, const char *name)
{
	char there[32];
	ElfW(Sym) sym;

	if (!read_at(im->fd, im->symbols + index * sizeof(sym), &sym, sizeof(sym)))
		return false;
	read_text(im->fd, im->strings + sym.st_name, there, sizeof(there));
	return sym.st_shndx != SHN_UNDEF && strcmp(there, name) == 0;
}

static bool defines_by_gnu_hash(const struct image *im, const char *name)
{
	struct {
		uint32_t buckets, first, bloom, shift;
	} table;
	uint32_t hash = 5381, at, link;
	uint64_t buckets;

	for (const char *c = name; *c != '\0'; c++)
		hash = hash * 33 + (unsigned char)*c;
	if (!read_at(im->fd, im->gnu_hash, &table, sizeof(table)) || table.buckets == 0)
		return false;
	buckets = im->gnu_hash + sizeof(table) + (uint64_t)table.bloom * sizeof(ElfW(Addr));
	if (!read_at(im->fd, buckets + 4 * (uint64_t)(hash % table.buckets), &at, sizeof(at)))
		return false;
	for (int n = 0; n < CHAIN_MAX && at >= table.first && at != 0; n++, at++) {
		if (!read_at(im->fd, buckets + 4 * ((uint64_t)table.buckets + at - table.first),
			     &link, sizeof(link)))
			return false;
		if ((link | 1) == (hash | 1) && defines_at(im, at, name))
			return true;
		if (link & 1)
			return false;
	}
	return false;
}

static bool defines_by_sysv_hash(const struct image *im, const char *name)
{
	struct {
		uint32_t buckets, chains;
	} table;
	uint32_t hash = 0, at;

	for (const char *c = name; *c != '\0'; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!read_at(im->fd, im->sysv_hash, &table, sizeof(table)) || table.buckets == 0 ||
	    !read_at(im->fd, im->sysv_hash + 8 + 4 * (uint64_t)(hash % table.buckets), &at, 4))
		return false;
	for (int n = 0; n < CHAIN_MAX && at != 0; n++) {
		if (defines_at(im, at, name))
			return true;
		if (!read_at(im->fd, im->sysv_hash + 8 + 4 * ((uint64_t)table.buckets + at), &at,
			     4))
			return false;
	}
	return false;
}

static bool defines(const struct image *im, const char *name)
{
	if (im->strings == 0 || im->symbols == 0)
		return false;
	if (im->gnu_hash != 0)
		return defines_by_gnu_hash(im, name);
	return im->sysv_hash != 0 && defines_by_sysv_hash(im, name);
}

/* ---- what it bears --------------------------------------------------------- */

/* Sanitizers that end the program unless they are loaded first, or whose interceptors
   must not run before they know the thread, as a library's constructor would make them. */
static bool has_sanitizer(const struct image *im)
{
	static const char *const libraries[] = {
		"libasan.so",	    "libhwasan.so",	  "liblsan.so",	      "libtsan.so",
		"libclang_rt.asan", "libclang_rt.hwasan", "libclang_rt.lsan", "libclang_rt.tsan",
	};
	char needed[32];
	ElfW(Dyn) d;

	for (unsigned i = 0; dynamic_entry(im, i, &d) && im->strings != 0; i++) {
		if (d.d_tag != DT_NEEDED)
			continue;
		read_text(im->fd, im->strings + d.d_un.d_val, needed, sizeof(needed));
		for (size_t n = 0; n < sizeof(libraries) / sizeof(*libraries); n++)
			if (begins(last_part(needed), libraries[n]))
				return true;
	}
	return defines(im, "__tsan_init");
}

/* Compares the name only: glibc's loader may be installed in any directory. */
static bool is_glibcs(const char *loader)
{
	const char *name = last_part(loader);

	return begins(name, "ld-linux") || begins(name, "ld-lsb") || begins(name, "ld64.so") ||
	       begins(name, "ld.so");
}

/* A loader ends a program with a library that needs a newer C library than its own. Ours need
   glibc 2.28 at most. Loaders since 2.35 define __rseq_offset; those since 2.27
   _dl_exception_create, which is private. A loader that can't be read counts as new enough. */
static __attribute__((noinline)) bool is_new_enough(const char *loader)
{
	struct image im = { .fd = call_open(loader, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
					    0) };
	bool enough = true;

	if (im.fd < 0)
		return true;
	if (read_at(im.fd, 0, &im.header, sizeof(im.header)) &&
	    memcmp(im.header.e_ident, ELFMAG, SELFMAG) == 0) {
		find_parts(&im);
		enough = im.strings == 0 || defines(&im, "__rseq_offset") ||
			 defines(&im, "_dl_exception_create");
	}
	call_close(im.fd);
	return enough;
}

static enum program_bears judge_loader(const struct image *im, const char *file)
{
	char loader[HEAD_BYTES];

	if (im->interp == 0) /* a static program, or the loader started as a program */
		return begins(last_part(file), "ld-musl") ? PROGRAM_OF_OTHER_LOADER : PROGRAM_BEARS;
	if (im->interp_bytes >= sizeof(loader))
		return PROGRAM_BEARS;
	read_text(im->fd, im->interp, loader, (size_t)im->interp_bytes + 1);
	return *loader == '\0' || (is_glibcs(loader) && is_new_enough(loader)) ?
		       PROGRAM_BEARS :
		       PROGRAM_OF_OTHER_LOADER;
}

static __attribute__((noinline)) enum program_bears judge_elf(int fd, const char *file)
{
	struct image im = { .fd = fd };
	enum program_bears b;

	if (!read_at(fd, 0, im.header.e_ident, EI_NIDENT))
		return PROGRAM_BEARS;
	if (im.header.e_ident[EI_CLASS] != ELFCLASS64 || im.header.e_ident[EI_DATA] != ELFDATA2LSB)
		return PROGRAM_OF_OTHER_MACHINE;
	if (!read_at(fd, 0, &im.header, sizeof(im.header)))
		return PROGRAM_BEARS;
	if (im.header.e_machine != OWN_MACHINE)
		return PROGRAM_OF_OTHER_MACHINE;
	find_parts(&im);
	b = judge_loader(&im, file);
	return b == PROGRAM_BEARS && im.interp != 0 && has_sanitizer(&im) ? PROGRAM_WITH_SANITIZER :
									    b;
}

/* Replaces head by the word after "#!": the file to be judged next. */
static bool script_interpreter(char head[HEAD_BYTES])
{
	char *word = head + 2 + strspn(head + 2, " \t");

	if (head[0] != '#' || head[1] != '!')
		return false;
	word[strcspn(word, " \t\r\n")] = '\0';
	memmove(head, word, strlen(word) + 1);
	return *head != '\0';
}

/* True when the file is a script: head then holds its interpreter's name. */
static bool judge_open(int fd, const char *file, char head[HEAD_BYTES], enum program_bears *b)
{
	struct stat st;

	*b = PROGRAM_BEARS;
	if (call_fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	read_text(fd, 0, head, HEAD_BYTES);
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return script_interpreter(head);
	*b = judge_elf(fd, file);
	return false;
}

static enum program_bears judge(int fd, const char *file)
{
	enum program_bears b = PROGRAM_BEARS;
	char head[HEAD_BYTES] = "";
	bool again = judge_open(fd, file, head, &b);

	for (int i = 0; again && i < SCRIPTS_MAX; i++) {
		fd = call_open(head, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
		if (fd < 0)
			break;
		char name[HEAD_BYTES];

		memcpy(name, head, sizeof(name));
		again = judge_open(fd, name, head, &b);
		call_close(fd);
	}
	return b;
}

/* ---- which file -------------------------------------------------------------- */

static int open_program(int at, const char *file)
{
	return call_openat(at, file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* Opens the first file in PATH that exec would run. An empty part is the working directory. */
static int open_in_path(const char *file, const char *folders)
{
	char path[PATH_BYTES];
	const size_t name = strlen(file) + 1;

	for (const char *f = folders;; f++) {
		size_t n = strcspn(f, ":");

		if (n + 1 + name <= sizeof(path)) {
			memcpy(path, f, n);
			if (n != 0)
				path[n++] = '/';
			memcpy(path + n, file, name);
			if (faccessat(AT_FDCWD, path, X_OK, 0) == 0)
				return open_program(AT_FDCWD, path);
		}
		f += strcspn(f, ":");
		if (*f == '\0')
			return -ENOENT;
	}
}

enum program_bears program_bears_preload(int at, const char *file, const char *search)
{
	const int saved = errno;
	enum program_bears b = PROGRAM_BEARS;
	const bool plain = !file || strchr(file, '/') || (search && *search == '\0');
	int fd = !file || *file == '\0' ? -ENOENT :
		 plain			? open_program(at, file) :
					  open_in_path(file, search ? search : "/bin:/usr/bin");

	if (fd >= 0) {
		b = judge(fd, file);
		call_close(fd);
	}
	errno = saved;
	return b;
}

enum program_bears program_bears_preload_fd(int fd)
{
	const int saved = errno;
	const enum program_bears b = judge(fd, "");

	errno = saved;
	return b;
}

const char *program_bears_why(enum program_bears b)
{
	switch (b) {
	case PROGRAM_BEARS: break;
	case PROGRAM_OF_OTHER_MACHINE: return "was built for another kind of machine";
	case PROGRAM_OF_OTHER_LOADER: return "was built for another C library";
	case PROGRAM_WITH_SANITIZER: return "has a sanitizer that cannot run with a profiler";
	case PROGRAM_OUT_OF_REACH: return "has another root folder, and libomphwc.so is not in it";
	}
	return "";
}
