/* callsite.c - the objects whose calls are looked at, mapped. */
#include "config.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/analysis/callsite.h"
#include "src/analysis/idmap.h"
#include "src/profile/reader.h"

struct callsite_object {
	struct callsite_object *next;
	char *path;
	int fd;
	Elf *elf;
	size_t bytes;
	unsigned machine;
};

struct callsites {
	const char *sysroot;
	struct callsite_object *objects;
	struct idmap known;	/* place: 1 + barrier_kind, by file and location */
};

struct callsites *callsites_new(const char *sysroot)
{
	struct callsites *c = calloc(1, sizeof(*c));

	if (c)
		c->sysroot = sysroot ? sysroot : "";
	elf_version(EV_CURRENT);
	return c;
}

static void object_free(struct callsite_object *o)
{
	elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
	free(o->path);
	free(o);
}

void callsites_free(struct callsites *c)
{
	struct callsite_object *next;

	if (!c)
		return;
	for (struct callsite_object *o = c->objects; o; o = next) {
		next = o->next;
		object_free(o);
	}
	idmap_fini(&c->known);
	free(c);
}

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

/* Whether it is the object that ran: other code would tell other things. */
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

static bool object_open(struct callsite_object *o, const char *sysroot,
			const struct prof_rmodule *m)
{
	GElf_Ehdr header;
	char *path;

	o->path = strdup(m->path);
	if (!o->path || asprintf(&path, "%s%s", sysroot, m->path) < 0)
		return false;
	o->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	o->elf = o->fd < 0 ? NULL : elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || !object_is(o, m) ||
	    !elf_rawfile(o->elf, &o->bytes) || !gelf_getehdr(o->elf, &header)) {
		elf_end(o->elf);
		o->elf = NULL;
		return true;
	}
	o->machine = header.e_machine;
	return true;
}

/* The object of a module; one that can't be used has no elf. */
static struct callsite_object *callsites_object(struct callsites *c,
						const struct prof_rmodule *m)
{
	struct callsite_object *o;

	for (o = c->objects; o; o = o->next)
		if (!strcmp(o->path, m->path))
			return o->elf && object_is(o, m) ? o : NULL;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->fd = -1;
	if (!object_open(o, c->sysroot, m)) {
		object_free(o);
		return NULL;
	}
	o->next = c->objects;
	c->objects = o;
	return o->elf ? o : NULL;
}

enum barrier_kind callsites_barrier(struct callsites *c, const struct prof_file *f, uint64_t loc)
{
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(loc));
	uint32_t kind = idmap_get(&c->known, (uintptr_t)f, loc, UINT32_MAX);
	struct callsite_object *o;

	if (kind != UINT32_MAX)
		return (enum barrier_kind)kind;
	kind = BARRIER_UNKNOWN;
	o = m ? callsites_object(c, m) : NULL;
	if (o) {
		const struct callsite_code code = {
			.at = object_at, .self = o, .machine = o->machine,
		};

		kind = callsite_barrier(&code, PROF_LOC_ADDRESS(loc));
	}
	idmap_add(&c->known, (uintptr_t)f, loc, kind, &kind);
	return (enum barrier_kind)kind;
}
