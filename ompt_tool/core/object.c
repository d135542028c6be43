/*
 * object.c - a table of loaded objects beside the loader's own.
 *
 * An entry is filled in privately, then put at the head of its bucket by one
 * compare-and-swap, and never changes again.  An entry whose object is gone
 * stays in its bucket: it is told from a new object at the same address by two
 * words of the object's contents.  They are compared at every look-up, and can
 * always be read: one is the beginning of the table that the loader has just
 * told of, the other lies in the first page of the mapping.
 */
#include "config.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdatomic.h>
#include <stddef.h>

#include "ompt_tool/core/object.h"

enum {
	BUCKETS = 1024,		/* a power of two */
	FIRST_PAGE = 4096,	/* of the mapping: the least that is readable */
	PROGRAM_HEADERS_MAX = (FIRST_PAGE - sizeof(Elf64_Ehdr)) / sizeof(Elf64_Phdr),
	NOTE_BYTES_MAX = 4096,
};

struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

static struct object objects[OBJECT_MAX];
static _Atomic uint32_t bucket[BUCKETS];
static _Atomic uint32_t allotted = 1;
static const uint64_t nothing;

static uint64_t word_at(const void *p)
{
	return ((const struct word *)p)->value;
}

/* ---- what the object's own headers tell ------------------------------- */

static const Elf64_Ehdr *elf_header(uintptr_t start)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)start;

	if (start % FIRST_PAGE || e->e_ident[EI_MAG0] != ELFMAG0 ||
	    e->e_ident[EI_MAG1] != ELFMAG1 || e->e_ident[EI_MAG2] != ELFMAG2 ||
	    e->e_ident[EI_MAG3] != ELFMAG3 || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_phentsize != sizeof(Elf64_Phdr) || e->e_phoff % 8 ||
	    e->e_phnum > PROGRAM_HEADERS_MAX ||
	    e->e_phoff > FIRST_PAGE - e->e_phnum * sizeof(Elf64_Phdr))
		return NULL;
	return e;
}

/* The part of [at, at + bytes) that lies in the mapping, as a range. */
static void clip(const struct object *o, uintptr_t at, uintptr_t bytes,
		 uintptr_t *lo, uintptr_t *hi)
{
	uintptr_t end = o->start + o->bytes;

	*lo = at < o->start ? o->start : at > end ? end : at;
	*hi = bytes > end - *lo ? end : *lo + bytes;
}

static void read_notes(struct object *o, uintptr_t lo, uintptr_t hi, uintptr_t align)
{
	while (hi - lo >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *n = (const Elf64_Nhdr *)lo;
		const unsigned char *name = (const unsigned char *)(n + 1);
		uintptr_t left = hi - lo - sizeof(*n);
		uintptr_t name_bytes = (n->n_namesz + align - 1) & ~(align - 1);
		uintptr_t bytes = (n->n_descsz + align - 1) & ~(align - 1);

		if (name_bytes > left || n->n_descsz > left - name_bytes)
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && name[0] == 'G' &&
		    name[1] == 'N' && name[2] == 'U' && !name[3] &&
		    n->n_descsz <= OBJECT_BUILD_ID_BYTES) {
			const volatile unsigned char *id = name + name_bytes;

			for (uint32_t i = 0; i < n->n_descsz; i++)
				o->build_id[i] = id[i];
			o->build_id_bytes = n->n_descsz;
			if (n->n_descsz >= 8 && (uintptr_t)id + 8 - o->start <= FIRST_PAGE)
				o->proof[1] = name + name_bytes;
			return;
		}
		if (bytes >= left - name_bytes)
			return;
		lo += sizeof(*n) + name_bytes + bytes;
	}
}

static void read_segment(struct object *o, const Elf64_Phdr *p)
{
	uintptr_t lo, hi;

	clip(o, o->bias + p->p_vaddr, p->p_memsz, &lo, &hi);
	if (o->eh_hdr >= lo && o->eh_hdr < hi && p->p_flags & PF_R) {
		o->eh_lo = lo;
		o->eh_hi = hi;
	}
	if (!(p->p_flags & PF_X))
		return;
	if (!o->text_hi || lo < o->text_lo)
		o->text_lo = lo;
	if (hi > o->text_hi)
		o->text_hi = hi;
}

/* A note counts when it lies in a readable segment. */
static void read_note_segment(struct object *o, const Elf64_Phdr *header, unsigned count,
			      const Elf64_Phdr *note)
{
	for (const Elf64_Phdr *p = header; p < header + count; p++) {
		uintptr_t lo, hi;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_R) ||
		    note->p_vaddr < p->p_vaddr ||
		    note->p_vaddr - p->p_vaddr > p->p_filesz ||
		    note->p_filesz > p->p_filesz - (note->p_vaddr - p->p_vaddr))
			continue;
		clip(o, o->bias + note->p_vaddr, note->p_filesz, &lo, &hi);
		if (lo % 4 == 0 && hi - lo <= NOTE_BYTES_MAX)
			read_notes(o, lo, hi, note->p_align == 8 ? 8 : 4);
		return;
	}
}

static void read_headers(struct object *o)
{
	const Elf64_Ehdr *e = elf_header(o->start);
	const Elf64_Phdr *p;

	if (!e) {
		o->eh_lo = o->text_lo = o->start;
		o->eh_hi = o->text_hi = o->start + o->bytes;
		return;
	}
	o->proof[1] = &e->e_shoff;
	p = (const Elf64_Phdr *)(o->start + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type == PT_LOAD)
			read_segment(o, &p[i]);
		else if (p[i].p_type == PT_NOTE && !o->build_id_bytes)
			read_note_segment(o, p, e->e_phnum, &p[i]);
	}
}

/* ---- the table -------------------------------------------------------- */

static _Atomic uint32_t *bucket_of(uintptr_t start)
{
	return &bucket[(start >> 12 ^ start >> 22) % BUCKETS];
}

static struct object *find_in(uint32_t n, const struct dl_find_object *f)
{
	while (n) {
		struct object *o = &objects[n];

		if (o->start == (uintptr_t)f->dlfo_map_start && o->map == f->dlfo_link_map &&
		    o->eh_hdr == (uintptr_t)f->dlfo_eh_frame &&
		    o->bytes == (uintptr_t)f->dlfo_map_end - o->start &&
		    word_at(o->proof[0]) == o->proof_value[0] &&
		    word_at(o->proof[1]) == o->proof_value[1])
			return o;
		n = o->next;
	}
	return NULL;
}

static struct object *allot(void)
{
	uint32_t n = atomic_load_explicit(&allotted, memory_order_relaxed);

	do {
		if (n >= OBJECT_MAX)
			return NULL;
	} while (!atomic_compare_exchange_weak(&allotted, &n, n + 1));
	objects[n].number = n;
	return &objects[n];
}

/* Gives the last entry back; one that isn't the last any more stays unused. */
static void give_back(struct object *o)
{
	uint32_t n = o->number + 1;

	o->build_id_bytes = 0;
	o->text_lo = o->text_hi = 0;
	o->eh_lo = o->eh_hi = 0;
	o->number = 0;
	atomic_compare_exchange_strong(&allotted, &n, n - 1);
}

static void fill(struct object *o, const struct dl_find_object *f)
{
	o->start = (uintptr_t)f->dlfo_map_start;
	o->bytes = (uintptr_t)f->dlfo_map_end - o->start;
	o->map = f->dlfo_link_map;
	o->eh_hdr = (uintptr_t)f->dlfo_eh_frame;
	o->bias = o->map->l_addr;
	o->proof[0] = o->proof[1] = &nothing;
	read_headers(o);
	if (o->eh_hdr >= o->eh_lo && o->eh_hdr < o->eh_hi && o->eh_hi - o->eh_hdr >= 8)
		o->proof[0] = (const void *)o->eh_hdr;
	o->proof_value[0] = word_at(o->proof[0]);
	o->proof_value[1] = word_at(o->proof[1]);
}

static struct object *add(const struct dl_find_object *f)
{
	_Atomic uint32_t *head = bucket_of((uintptr_t)f->dlfo_map_start);
	struct object *o = allot();
	struct object *other;

	if (!o)
		return NULL;
	fill(o, f);
	o->next = atomic_load_explicit(head, memory_order_acquire);
	/* Somebody may have added the same one: another thread, or a handler
	   that came between.  Theirs is in the bucket: take it. */
	do {
		other = find_in(o->next, f);
		if (other) {
			give_back(o);
			return other;
		}
	} while (!atomic_compare_exchange_weak_explicit(head, &o->next, o->number,
							memory_order_acq_rel,
							memory_order_acquire));
	return o;
}

struct object *object_find(uintptr_t pc)
{
	struct dl_find_object f;
	struct object *o;

	if (_dl_find_object((void *)pc, &f))
		return NULL;
	o = find_in(atomic_load_explicit(bucket_of((uintptr_t)f.dlfo_map_start),
					 memory_order_acquire), &f);
	return o ? o : add(&f);
}

struct object *object_numbered(uint32_t n)
{
	return n && n < atomic_load(&allotted) ? &objects[n] : NULL;
}
