/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.c - finds the program and examines its header.
 */
#include "config.h"

#include "src/run/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/base/message.h"

enum { HEAD_BYTES = 256, SCRIPTS_MAX = 5 };

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#endif

/* 0, or the errno that exec would return, as far as the file itself shows. */
static int startable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

/*
 * Tries name in each folder of PATH; an empty one is the working folder.  Takes the first
 * that can be started; otherwise returns the error of one that exists.
 */
static int target_search(const char *name, char *path)
{
	const char *folders = getenv("PATH");
	int err = ENOENT;

	if (!folders)
		folders = "/bin:/usr/bin";
	for (const char *f = folders;; f++) {
		const size_t n = strcspn(f, ":");
		int e;

		if (snprintf(path, PATH_MAX, "%.*s%s%s", (int)n, f, n ? "/" : "", name) <
		    PATH_MAX) {
			e = startable(path);
			if (e == 0)
				return 0;
			if (e == EACCES)
				err = e;
		}
		f += n;
		if (!*f)
			return err;
	}
}

static int target_refuse(struct trouble *t, const char *name, int err)
{
	const bool missing = err == ENOENT || err == ENOTDIR;

	if (missing && !strchr(name, '/'))
		trouble(t, "no such program in PATH",
			access(name, X_OK) == 0 ? "put ./ before it for the one in this folder" :
						  "check its name",
			"%s", name);
	else if (missing)
		trouble(t, strerror(err), "check its path", "%s", name);
	else if (err == EISDIR)
		trouble(t, "is a folder, not a program", "name a program in it", "%s", name);
	else if (err == EACCES)
		trouble(t, "is not executable", "chmod +x, or name its interpreter before it", "%s",
			name);
	else
		trouble(t, strerror(err), NULL, "%s", name);
	return missing ? TARGET_NOT_FOUND : TARGET_NOT_STARTED;
}

int target_find(struct target *target, const char *name, struct trouble *t)
{
	int err;

	*target = (struct target){ .kind = TARGET_DYNAMIC };
	if (strlen(name) >= sizeof(target->path))
		return target_refuse(t, name, ENAMETOOLONG);
	if (strchr(name, '/')) {
		strcpy(target->path, name);
		err = startable(name);
	} else {
		err = target_search(name, target->path);
	}
	if (err)
		return target_refuse(t, name, err);
	target_inspect(target);
	return 0;
}

/* Reads the path in the PT_INTERP segment. */
static void read_interp(Elf *elf, int fd, struct target *target)
{
	size_t n;

	target->kind = TARGET_STATIC;
	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_INTERP)
			continue;
		target->kind = TARGET_DYNAMIC;
		if (ph.p_filesz == 0 || ph.p_filesz >= sizeof(target->interp) ||
		    pread(fd, target->interp, ph.p_filesz, (off_t)ph.p_offset) !=
			    (ssize_t)ph.p_filesz)
			target->interp[0] = '\0';
		return;
	}
}

/* Reads the interpreter after #! as the kernel does. */
static void inspect_script(const char *head, struct target *target)
{
	const char *word = head + 2 + strspn(head + 2, " \t");
	const size_t n = strcspn(word, " \t\r\n");

	target->kind = TARGET_SCRIPT;
	memcpy(target->interp, word, n);
	target->interp[n] = '\0';
}

static bool gains_rights(int fd)
{
	struct stat st;
	struct statvfs fs;

	if (fstat(fd, &st) != 0 || (fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_NOSUID)))
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != geteuid())
		return true;
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getegid())
		return true;
	return geteuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

void target_inspect(struct target *target)
{
	char head[HEAD_BYTES + 1];
	ssize_t n;
	int fd;

	target->kind = TARGET_DYNAMIC;
	target->interp[0] = '\0';
	target->secure = false;
	fd = open(target->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return;
	target->secure = gains_rights(fd);
	n = pread(fd, head, HEAD_BYTES, 0);
	head[n > 0 ? n : 0] = '\0';
	if (n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0) {
		Elf *elf;
		GElf_Ehdr header;

		elf_version(EV_CURRENT);
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		if (!elf || !gelf_getehdr(elf, &header))
			target->kind = TARGET_BINARY;
		else if (header.e_machine != OWN_MACHINE || header.e_ident[EI_CLASS] != ELFCLASS64)
			target->kind = TARGET_FOREIGN;
		else
			read_interp(elf, fd, target);
		elf_end(elf);
	} else if (n >= 2 && head[0] == '#' && head[1] == '!')
		inspect_script(head, target);
	else if (n >= 0)
		target->kind = strlen(head) == (size_t)n ? TARGET_TEXT : TARGET_BINARY;
	close(fd);
}

void target_follow(const struct target *script, struct target *last)
{
	*last = *script;
	for (int i = 0; i < SCRIPTS_MAX && last->kind == TARGET_SCRIPT; i++) {
		memcpy(last->path, last->interp, sizeof(last->path));
		target_inspect(last);
	}
}
