/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An entry is filled in privately, then put at the head of its bucket by one
 * compare-and-swap, and never changes again. An entry whose object was unloaded
 * stays in its bucket: its contents, compared at every look-up, distinguish it from
 * a new object at the same address (object_proof.h).
 */
#include "config.h"

#include "ompt_tool/unwind/object.h"

#include <elf.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/object_proof.h"
#include "ompt_tool/unwind/pages.h"

enum {
	BUCKETS = 1024,	   /* a power of two */
	FIRST_PAGE = 4096, /* of the mapping: always readable */
	PROGRAM_HEADERS_MAX = (FIRST_PAGE - sizeof(Elf64_Ehdr)) / sizeof(Elf64_Phdr),
	NOTE_BYTES_MAX = 4096,
};

/* An object's program headers, and the addresses that may be read according to them. */
struct headers {
	const Elf64_Ehdr *elf; /* NULL: not known */
	const Elf64_Phdr *program;
	unsigned count;
	uintptr_t lo, hi;
};

static struct object objects[OBJECT_MAX];
static _Atomic uint32_t bucket[BUCKETS];
static _Atomic uint32_t allotted = 1;

_Atomic uint64_t object_changes;

/* ---- what the object's own headers say ------------------------------- */

static bool elf_header(uintptr_t start, struct headers *h)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)start;

	if (start % FIRST_PAGE || e->e_ident[EI_MAG0] != ELFMAG0 ||
	    e->e_ident[EI_MAG1] != ELFMAG1 || e->e_ident[EI_MAG2] != ELFMAG2 ||
	    e->e_ident[EI_MAG3] != ELFMAG3 || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_phentsize != sizeof(Elf64_Phdr) || e->e_phoff % 8 ||
	    e->e_phnum > PROGRAM_HEADERS_MAX ||
	    e->e_phoff > FIRST_PAGE - e->e_phnum * sizeof(Elf64_Phdr))
		return false;
	h->elf = e;
	h->program = (const Elf64_Phdr *)(start + e->e_phoff);
	h->count = e->e_phnum;
	return true;
}

/* The main program's headers, as reported by the kernel (or a loader that was started as a
   program). They need not lie in the part that was asked for. */
static bool program_headers(struct headers *h)
{
	h->program = (const Elf64_Phdr *)getauxval(AT_PHDR);
	h->count = (unsigned)getauxval(AT_PHNUM);
	return h->program && getauxval(AT_PHENT) == sizeof(Elf64_Phdr);
}

/* The part of [at, at + bytes) that may be read, as a range. */
static void clip(const struct headers *h, uintptr_t at, uintptr_t bytes, uintptr_t *lo,
		 uintptr_t *hi)
{
	*lo = at < h->lo ? h->lo : at > h->hi ? h->hi : at;
	*hi = bytes > h->hi - *lo ? h->hi : *lo + bytes;
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
				object_proof_add(&o->proof, name + name_bytes);
			return;
		}
		if (bytes >= left - name_bytes)
			return;
		lo += sizeof(*n) + name_bytes + bytes;
	}
}

static void add_segment(struct object_text *all, unsigned n, uintptr_t lo, uintptr_t hi)
{
	for (unsigned i = 0; i < n; i++)
		if (!all[i].bytes) {
			all[i] = (struct object_text){ lo, hi - lo };
			return;
		}
}

/* Reads a note segment, if it lies in a readable segment. */
static void read_note_segment(struct object *o, const struct headers *h, const Elf64_Phdr *note)
{
	for (const Elf64_Phdr *p = h->program; p < h->program + h->count; p++) {
		uintptr_t lo, hi;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_R) || note->p_vaddr < p->p_vaddr ||
		    note->p_vaddr - p->p_vaddr > p->p_filesz ||
		    note->p_filesz > p->p_filesz - (note->p_vaddr - p->p_vaddr))
			continue;
		clip(h, o->bias + note->p_vaddr, note->p_filesz, &lo, &hi);
		if (lo % 4 == 0 && hi - lo <= NOTE_BYTES_MAX)
			read_notes(o, lo, hi, note->p_align == 8 ? 8 : 4);
		return;
	}
}

static void read_headers(struct object *o, const struct headers *h)
{
	o->lo = h->lo;
	o->hi = h->hi;
	for (const Elf64_Phdr *p = h->program; p < h->program + h->count; p++) {
		if (p->p_type == PT_LOAD) {
			uintptr_t lo, hi;

			clip(h, o->bias + p->p_vaddr, p->p_memsz, &lo, &hi);
			if (o->eh_hdr >= lo && o->eh_hdr < hi && p->p_flags & PF_R) {
				o->eh_lo = lo;
				o->eh_hi = hi;
			}
			if ((p->p_flags & (PF_R | PF_X)) == (PF_R | PF_X))
				add_segment(o->text, OBJECT_TEXTS, lo, hi);
			else if ((p->p_flags & (PF_R | PF_W)) == (PF_R | PF_W))
				add_segment(o->data, OBJECT_DATA, lo, hi);
		} else if (p->p_type == PT_NOTE && !o->build_id_bytes) {
			read_note_segment(o, h, p);
		}
	}
}

/* ---- the program ---------------------------------------------------------- */

static bool is_program(const struct found_object *f)
{
	struct found_object own;
	struct headers h;

	return program_headers(&h) && find_object((uintptr_t)h.program, &own) && own.map == f->map;
}

static bool is_known(uintptr_t pc)
{
	struct found_object f;

	return find_object(pc, &f);
}

/* The segment of the main program that holds pc; with pc 0, the first one that the C
   library does not report. */
static const Elf64_Phdr *segment_unknown(const struct headers *h, uintptr_t bias, uintptr_t pc)
{
	for (const Elf64_Phdr *p = h->program; p < h->program + h->count; p++) {
		uintptr_t start = bias + p->p_vaddr;

		if (p->p_type == PT_LOAD && p->p_memsz &&
		    (pc ? pc - start < p->p_memsz :
			  !is_known(start) || !is_known(start + p->p_memsz - 1)))
			return p;
	}
	return NULL;
}

/* Whether there are such segments: most addresses that the C library does not know are
   in no object at all. */
static _Atomic enum { NOT_KNOWN, ALL_KNOWN, SOME_UNKNOWN } program_parts;

/* Whether pc lies in a segment of the main program that the C library does not report:
   it may know only those before a hole. */
static __attribute__((noinline)) bool find_in_program(uintptr_t pc, struct found_object *f)
{
	const Elf64_Phdr *p;
	struct headers h;
	uintptr_t bias;

	if (!program_headers(&h) || !find_object((uintptr_t)h.program, f))
		return false;
	bias = f->map->l_addr;
	if (atomic_load_explicit(&program_parts, memory_order_relaxed) == NOT_KNOWN)
		atomic_store(&program_parts,
			     segment_unknown(&h, bias, 0) ? SOME_UNKNOWN : ALL_KNOWN);
	p = segment_unknown(&h, bias, pc);
	if (!p)
		return false;
	f->start = bias + p->p_vaddr;
	f->end = bias + p->p_vaddr + p->p_memsz;
	f->leaving = false;
	return true;
}

/* ---- the table -------------------------------------------------------- */

static _Atomic uint32_t *bucket_of(uintptr_t start)
{
	return &bucket[(start >> 12 ^ start >> 22) % BUCKETS];
}

static struct object *find_in(uint32_t n, const struct found_object *f)
{
	while (n) {
		struct object *o = &objects[n];

		if (o->start == f->start && o->eh_hdr == f->eh_hdr &&
		    o->bytes == f->end - o->start && object_proof_holds(o, f->map)) {
			if (atomic_load_explicit(&o->map, memory_order_relaxed) != f->map)
				atomic_store(&o->map, f->map);
			return o;
		}
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

/* Returns an entry that is the last; otherwise it stays unused. */
static void give_back(struct object *o)
{
	uint32_t n = o->number + 1;

	o->build_id_bytes = 0;
	o->proof.words = o->proof.usual = 0;
	o->proof.tables.n = o->proof.code.n = 0;
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		o->text[i].bytes = 0;
	for (unsigned i = 0; i < OBJECT_DATA; i++)
		o->data[i].bytes = 0;
	o->eh_lo = o->eh_hi = o->entry = 0;
	o->program = false;
	o->number = 0;
	atomic_compare_exchange_strong(&allotted, &n, n - 1);
}

static void fill_other(struct object *o, const struct link_map *map)
{
	struct headers h = { .lo = o->start, .hi = o->start + o->bytes };

	atomic_store_explicit(&o->proven, object_epoch(), memory_order_relaxed);
	if (elf_header(o->start, &h)) {
		o->entry = o->bias + h.elf->e_entry;
		read_headers(o, &h);
		o->proof.usual = o->proof.words;
		object_proof_by_headers(o, h.elf);
	} else {
		o->eh_lo = o->lo = h.lo;
		o->eh_hi = o->hi = h.hi;
	}
	object_proof_by_tables(o);
	if (!o->proof.usual)
		o->proof.usual = o->proof.words;
	object_proof_complete(o, map);
}

static struct object *add(const struct found_object *f)
{
	_Atomic uint32_t *head = bucket_of(f->start);
	struct object *o = allot();
	struct object *other;

	if (!o)
		return NULL;
	o->start = f->start;
	o->bytes = f->end - o->start;
	atomic_store_explicit(&o->map, f->map, memory_order_relaxed);
	o->eh_hdr = f->eh_hdr;
	o->bias = f->map->l_addr;
	if (is_program(f)) {
		struct headers h = { .elf = NULL };

		program_headers(&h);
		/* The address range of all segments. */
		uintptr_t bias = o->bias;
		h.lo = UINTPTR_MAX;
		h.hi = 0;
		for (const Elf64_Phdr *p = h.program; p < h.program + h.count; p++) {
			uintptr_t lo = bias + p->p_vaddr, page = lo & ~(uintptr_t)(FIRST_PAGE - 1);

			if (p->p_type != PT_LOAD)
				continue;
			h.lo = page < h.lo ? page : h.lo;
			h.hi = lo + p->p_memsz > h.hi ? lo + p->p_memsz : h.hi;
		}
		o->program = true;
		o->entry = getauxval(AT_ENTRY);
		read_headers(o, &h);
	} else {
		fill_other(o, f->map);
	}
	o->next = atomic_load_explicit(head, memory_order_acquire);
	/* Another thread, or a handler that interrupted this, may have added the same
	   object: use its entry, which is in the bucket. */
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

/* What another thread maps where an object was is not that object. Its first page is unmapped
   together with all others, so nothing is read of it unless that is still there. */
static bool is_there(const struct found_object *f)
{
	struct headers h;

	return pages_readable(f->start) && elf_header(f->start, &h);
}

struct object *object_find(uintptr_t pc)
{
	struct found_object f;
	struct object *o;

	if (!find_object(pc, &f) &&
	    (atomic_load_explicit(&program_parts, memory_order_relaxed) == ALL_KNOWN ||
	     !find_in_program(pc, &f)))
		return NULL;
	if (__builtin_expect(f.leaving, 0) && !is_there(&f))
		return NULL;
	o = find_in(atomic_load_explicit(bucket_of(f.start), memory_order_acquire), &f);
	return o ? o : add(&f);
}

struct object *object_numbered(uint32_t n)
{
	return n && n < atomic_load(&allotted) ? &objects[n] : NULL;
}

void object_epoch_advance(void)
{
	atomic_fetch_add(&object_changes, 1);
}

bool object_look(void)
{
	if (!find_object_refresh())
		return false;
	object_epoch_advance();
	return true;
}
