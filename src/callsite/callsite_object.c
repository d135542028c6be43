/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/callsite/callsite_object.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/grow.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols_file.h"
#include "src/symbols/symbols_plt.h"
#include "src/toolchain/toolchain.h"

struct callsite_object_slot {
	uint64_t address;
	uint64_t function; /* its own; 0: another object's */
	bool chosen;	   /* by a resolver, when the object is loaded */
};

struct callsite_object {
	struct callsite_object *next;
	char *path;   /* the module's */
	char *folder; /* see symbols_file_path() */
	int fd;
	Elf *elf;
	size_t bytes;
	unsigned machine;
	struct callsite_object_slot *slots; /* of the global offset table, by address */
	size_t nslots, slots_room;
	bool slots_known, cancels;
};

void callsite_objects_free(struct callsite_object *all)
{
	struct callsite_object *next;

	for (struct callsite_object *o = all; o; o = next) {
		next = o->next;
		elf_end(o->elf);
		if (o->fd >= 0)
			close(o->fd);
		free(o->slots);
		free(o->path);
		free(o->folder);
		free(o);
	}
}

/* ---- bytes ----------------------------------------------------------- */

/* Bytes of a loaded segment, by ELF address. */
static const unsigned char *object_at(void *self, uint64_t address, uint64_t n)
{
	struct callsite_object *o = self;
	const char *raw = elf_rawfile(o->elf, NULL);
	size_t count;
	GElf_Phdr p;

	if (!raw || elf_getphdrnum(o->elf, &count))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(o->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz ||
		    n > p.p_filesz - (address - p.p_vaddr))
			continue;
		address -= p.p_vaddr;
		if (p.p_offset > o->bytes || address + n > o->bytes - p.p_offset)
			return NULL;
		return (const unsigned char *)raw + p.p_offset + address;
	}
	return NULL;
}

static void object_add_slot(const struct symbols_slot *s, void *arg)
{
	struct callsite_object *o = arg;

	o->slots = grow(o->slots, o->nslots, &o->slots_room, sizeof(*o->slots));
	o->slots[o->nslots++] = (struct callsite_object_slot){ s->address, s->function, !s->name };
	o->cancels = o->cancels || toolchain_entry(s->name)->flags & ENTRY_CANCELS;
}

static int callsite_object_compare_slot(const void *key, const void *slot)
{
	const uint64_t address = *(const uint64_t *)key,
		       at = ((const struct callsite_object_slot *)slot)->address;

	return address < at ? -1 : address > at;
}

static void object_know_slots(struct callsite_object *o)
{
	if (!o->slots_known)
		symbols_plt_each(o->elf, object_add_slot, NULL, o);
	o->slots_known = true;
}

static bool object_is_in(const struct callsite_object *o, uint64_t address, uint32_t type,
			 uint32_t flags)
{
	size_t count;
	GElf_Phdr p;

	if (elf_getphdrnum(o->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(o->elf, (int)i, &p) && p.p_type == type &&
		    (p.p_flags & flags) == flags && address >= p.p_vaddr &&
		    address - p.p_vaddr < p.p_filesz)
			return true;
	return false;
}

/* A function of the object itself needs no name: the linker stored its address, which the loader
   moves as it does the object. */
static bool object_slot(void *self, uint64_t slot, uint64_t *target)
{
	struct callsite_object *o = self;
	uint64_t address = slot;

	object_know_slots(o);
	const struct callsite_object_slot *s = o->nslots ? bsearch(&address, o->slots, o->nslots,
								   sizeof(*o->slots),
								   callsite_object_compare_slot) :
							   NULL;
	const unsigned char *word;

	if (s) {
		*target = s->function ? s->function : slot;
		return !s->chosen;
	}
	word = object_is_in(o, slot, PT_GNU_RELRO, 0) ? object_at(o, slot, sizeof(*target)) : NULL;
	if (!word)
		return false;
	memcpy(target, word, sizeof(*target));
	return object_is_in(o, *target, PT_LOAD, PF_X);
}

/* Whether it is the object that ran: other code would show other things. */
static bool object_is(const struct callsite_object *o, const struct prof_rmodule *m)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(o->elf, &id);

	/* Objects linked without an id have to be taken by their name. */
	if (!m->build_id_bytes)
		return n <= 0;
	return n > 0 && (size_t)n >= m->build_id_bytes &&
	       !memcmp(id, m->build_id, m->build_id_bytes);
}

static void object_open(struct callsite_object *o, const char *sysroot, const char *folder,
			const struct prof_rmodule *m)
{
	GElf_Ehdr header;
	char *path;

	elf_version(EV_CURRENT);
	o->path = alloc_text(m->path);
	o->folder = folder ? alloc_text(folder) : NULL;
	path = symbols_file_path(m, folder, sysroot);
	/* "[vdso]" is no file's name. */
	o->fd = strchr(m->path, '/') ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	free(path);
	o->elf = o->fd < 0 ? NULL : elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || !object_is(o, m) ||
	    !elf_rawfile(o->elf, &o->bytes) || !gelf_getehdr(o->elf, &header)) {
		elf_end(o->elf);
		o->elf = NULL;
		return;
	}
	o->machine = header.e_machine;
}

/* Whether it was opened for a module of that path; a relative one is of the folder. */
static bool object_has_path(const struct callsite_object *o, const char *folder, const char *path)
{
	if (strcmp(o->path, path) != 0)
		return false;
	return *path == '/' ||
	       (folder && o->folder ? !strcmp(o->folder, folder) : folder == o->folder);
}

struct callsite_object *callsite_object_of(struct callsite_object **all, const char *sysroot,
					   const char *folder, const struct prof_rmodule *m)
{
	struct callsite_object *o;

	for (o = *all; o; o = o->next)
		if (object_has_path(o, folder, m->path))
			return o->elf && object_is(o, m) ? o : NULL;
	o = alloc_zeroed(1, sizeof(*o));
	o->fd = -1;
	object_open(o, sysroot, folder, m);
	o->next = *all;
	*all = o;
	return o->elf ? o : NULL;
}

struct callsite_code callsite_object_code(struct callsite_object *o)
{
	return (struct callsite_code){
		.at = object_at,
		.self = o,
		.machine = o->machine,
		.slot = object_slot,
	};
}

bool callsite_object_is_code(const struct callsite_object *o, uint64_t address)
{
	return object_is_in(o, address, PT_LOAD, PF_X);
}

bool callsite_object_cancels(struct callsite_object *o)
{
	object_know_slots(o);
	return o->cancels;
}
