/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A module is a file, identified by build-id and path, or by path alone. An object
 * (object.h) is that file at one address. Each object holds its module's number in
 * one word, so a look-up is the object's look-up and a load.
 *
 * Two threads that meet a new file at the same moment may both write a record. One
 * number wins for each object; a record without samples does no harm.
 */
#include "config.h"

#include "ompt_tool/tree/module.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "ompt_tool/unwind/object.h"
#include "src/profile/writer.h"
#include "src/toolchain/runtime_name.h"

enum {
	MODULE_MAX = PROF_MODULE_ID_KERNEL - 1,
	BUCKETS = 256, /* a power of two */
};

static struct {
	struct prof_writer *writer;
	uintptr_t vdso;
	uint32_t exe_bytes;
	char exe[PATH_MAX];
} self;

static _Atomic uint32_t used; /* highest number given */
static struct prof_module *_Atomic record[MODULE_MAX + 1];
static _Atomic uint32_t bucket[BUCKETS];
static _Atomic uint32_t following[MODULE_MAX + 1];

struct name {
	const char *path;
	uint32_t bytes;
	uint32_t flags;
	uint32_t hash;
};

/* ---- identity --------------------------------------------------------- */

static uint32_t length(const char *s, uint32_t limit)
{
	uint32_t n = 0;

	while (n < limit && ((const volatile char *)s)[n])
		n++;
	return n;
}

static bool equal(const void *a, const void *b, uint32_t bytes)
{
	const volatile unsigned char *x = a;
	const unsigned char *y = b;

	for (uint32_t i = 0; i < bytes; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

static uint32_t mix(uint32_t hash, const void *data, uint32_t bytes)
{
	const unsigned char *p = data;

	for (uint32_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * 16777619u;
	return hash;
}

static struct name name_of(const struct object *o)
{
	static const char vdso[] = "[vdso]";
	const struct link_map *map = atomic_load_explicit(&o->map, memory_order_relaxed);
	struct name n = { .path = map->l_name, .flags = 0 };

	if (o->start == self.vdso) {
		n.path = vdso;
		n.bytes = sizeof(vdso) - 1;
		n.flags = PROF_MODULE_VDSO;
	} else if (!map->l_prev && (!n.path || !*n.path)) {
		n.path = self.exe;
		n.bytes = self.exe_bytes;
		n.flags = PROF_MODULE_MAIN;
	} else {
		if (o->path)
			n.path = o->path;
		n.bytes = n.path ? length(n.path, PATH_MAX) : 0;
		/* Before it begins, or if it never does: by its name alone. */
		if (prof_is_runtime_name(n.path, n.bytes))
			n.flags = PROF_MODULE_RUNTIME;
	}
	n.hash = mix(mix(2166136261u, n.path, n.bytes), o->build_id, o->build_id_bytes);
	return n;
}

/* The record lies in the file, into which anybody can write: its own sizes bound nothing. */
static bool is_same(const struct prof_module *m, const struct object *o, const struct name *n)
{
	return prof_holds_bytes(self.writer, m + 1, n->bytes) &&
	       m->build_id_bytes == o->build_id_bytes && m->path_bytes == n->bytes &&
	       equal(m->build_id, o->build_id, o->build_id_bytes) &&
	       equal(m + 1, n->path, n->bytes);
}

/* ---- numbers ---------------------------------------------------------- */

static uint32_t known_id(const struct object *o, const struct name *n)
{
	uint32_t id = atomic_load_explicit(&bucket[n->hash % BUCKETS], memory_order_acquire);

	for (; id; id = atomic_load_explicit(&following[id], memory_order_relaxed))
		if (is_same(atomic_load_explicit(&record[id], memory_order_relaxed), o, n))
			return id;
	return 0;
}

static void publish(uint32_t id, struct prof_module *m, uint32_t hash)
{
	_Atomic uint32_t *head = &bucket[hash % BUCKETS];
	uint32_t next = atomic_load_explicit(head, memory_order_relaxed);

	atomic_store_explicit(&record[id], m, memory_order_relaxed);
	do
		atomic_store_explicit(&following[id], next, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(head, &next, id, memory_order_release,
						      memory_order_relaxed));
}

static uint32_t new_id(const struct object *o, const struct name *n)
{
	struct prof_module head = {
		.build_id_bytes = o->build_id_bytes,
		.map_start = o->lo,
		.map_end = o->hi,
		.bias = o->bias,
		.path_bytes = n->bytes,
		.flags = n->flags,
	};
	struct prof_module *m;

	for (uint32_t i = 0; i < o->build_id_bytes; i++)
		head.build_id[i] = o->build_id[i];
	head.id = atomic_load(&used);
	do {
		if (head.id >= MODULE_MAX)
			return 0;
	} while (!atomic_compare_exchange_weak(&used, &head.id, head.id + 1));
	head.id++;
	m = prof_info_append(self.writer, PROF_INFO_MODULE, &head, sizeof(head), n->path, n->bytes);
	if (!m)
		return 0;
	publish(head.id, m, n->hash);
	return head.id;
}

/* Copies the marks that an object got before its record was made into the record. */
static void set_flags(struct object *o, uint32_t id, uint32_t flags)
{
	struct prof_module *m = atomic_load_explicit(&record[id], memory_order_relaxed);

	atomic_fetch_or(&o->module, (uint64_t)flags << MODULE_FLAGS_SHIFT);
	if (id && m)
		__atomic_fetch_or(&m->flags, flags, __ATOMIC_RELAXED);
}

/* Gives o its number, and returns its word. */
static uint64_t enroll(struct object *o)
{
	struct name n = name_of(o);
	uint64_t word = atomic_load(&o->module);
	uint32_t id = known_id(o, &n);

	if (!id)
		id = new_id(o, &n);
	do {
		if (word & (MODULE_ID | MODULE_REFUSED))
			return word;
	} while (!atomic_compare_exchange_weak(&o->module, &word,
					       word | (id ? id : MODULE_REFUSED)));
	if (id)
		set_flags(o, id,
			  (uint32_t)(word >> MODULE_FLAGS_SHIFT) |
				  __atomic_load_n(&record[id]->flags, __ATOMIC_RELAXED));
	return atomic_load(&o->module);
}

/* ---- the interface ---------------------------------------------------- */

uint64_t module_enroll(struct object *o)
{
	return self.writer ? enroll(o) : atomic_load(&o->module);
}

uint64_t module_locate(uintptr_t pc, uint32_t *flags)
{
	return module_locate_in(object_find(pc), pc, flags);
}

/* Marks all parts of an object that has several. */
void module_mark(const void *address, uint32_t flag)
{
	struct object *o = object_find((uintptr_t)address), *part;
	uint32_t flags;

	if (!o)
		return;
	module_locate_in(o, (uintptr_t)address, &flags);
	set_flags(o, atomic_load(&o->module) & MODULE_ID, flag);
	for (uint32_t n = 1; o->program && (part = object_numbered(n)); n++)
		if (part->program && part != o)
			set_flags(part, atomic_load(&part->module) & MODULE_ID, flag);
}

void module_mark_runtime(const void *address)
{
	const struct object *o = object_find((uintptr_t)address);

	module_mark(address, o && o->program ? PROF_MODULE_MIXED : PROF_MODULE_RUNTIME);
}

static int scan_one(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	const char *(*const *real)(const char *) = arg;
	struct object *o = NULL;
	uint32_t flags;

	(void)bytes;
	for (unsigned i = 0; i < info->dlpi_phnum && !o; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			o = object_find(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	if (!o)
		return 0;
	if (!o->path && info->dlpi_name && *info->dlpi_name)
		o->path = (*real)(info->dlpi_name);
	module_locate_in(o, o->start, &flags);
	return 0;
}

void module_scan(const char *(*real)(const char *path))
{
	dl_iterate_phdr(scan_one, &real);
}

void module_init(struct prof_writer *w, const char *exe)
{
	struct object *o;

	self.writer = NULL;
	for (uint32_t n = 1; (o = object_numbered(n)); n++)
		atomic_fetch_and(&o->module, ~(uint64_t)(MODULE_ID | MODULE_REFUSED));
	for (uint32_t i = 0; i < BUCKETS; i++)
		atomic_store_explicit(&bucket[i], 0, memory_order_relaxed);
	atomic_store(&used, 0);
	self.vdso = getauxval(AT_SYSINFO_EHDR);
	self.exe_bytes = length(exe, sizeof(self.exe) - 1);
	for (uint32_t i = 0; i < self.exe_bytes; i++)
		((volatile char *)self.exe)[i] = exe[i];
	self.writer = w;
}
