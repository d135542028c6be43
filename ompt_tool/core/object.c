/*
 * object.c - a table of loaded objects beside the loader's own.
 *
 * An entry is filled in privately, then put at the head of its bucket by one
 * compare-and-swap, and never changes again.  An entry whose object is gone
 * stays in its bucket: it is told from a new object at the same address by the
 * object's contents, compared at every look-up.  They can always be read: the
 * build-id lies in the mapping's first page; where there is none, each word is
 * looked at only when those before have shown that it is there.
 */
#include "config.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ompt_tool/core/object.h"

enum {
	BUCKETS = 1024,		/* a power of two */
	FIRST_PAGE = 4096,	/* of the mapping: the least that is readable */
	SAMPLES = 32,
	PROGRAM_HEADERS_MAX = (FIRST_PAGE - sizeof(Elf64_Ehdr)) / sizeof(Elf64_Phdr),
	NOTE_BYTES_MAX = 4096,
};

struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

static struct object objects[OBJECT_MAX];
static _Atomic uint32_t bucket[BUCKETS];
static _Atomic uint32_t allotted = 1;

static uint64_t word_at(const void *p)
{
	return ((const struct word *)p)->value;
}

/* ---- proof that it is the same ------------------------------------------ */

static void add_word(struct object_proof *p, const void *word)
{
	p->word[p->words] = word;
	p->value[p->words++] = word_at(word);
}

static uint64_t sum_samples(const struct object_proof *p)
{
	const unsigned char *at = p->sample;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->samples; i++, at += p->stride)
		sum = (sum ^ word_at(at)) * 0x9e3779b97f4a7c15u;
	return sum;
}

static bool holds(const struct object_proof *p)
{
	for (uint32_t i = 0; i < p->words; i++)
		if (word_at(p->word[i]) != p->value[i])
			return false;
	return !p->samples || sum_samples(p) == p->sum;
}

/*
 * Without a build-id: the header of the unwind table, the last entry of its
 * sorted list, the rules' entry that this points to, and words from all over
 * the rules up to that entry's end.
 */
static void prove_by_tables(struct object *o)
{
	enum { HEADER_BYTES = 12, USUAL = 0x3b031b01, PAIR_BYTES = 8 };
	struct object_proof *p = &o->proof;
	const int32_t *hdr = (const int32_t *)o->eh_hdr, *last;
	uintptr_t room = o->eh_hi - o->eh_hdr, from, to, end;
	uint64_t count;

	if (o->eh_hdr < o->eh_lo || o->eh_hdr >= o->eh_hi || o->eh_hdr % 4 ||
	    room < HEADER_BYTES + PAIR_BYTES || hdr[0] != USUAL)
		return;
	count = (uint32_t)hdr[2];
	if (!count || count > (room - HEADER_BYTES) / PAIR_BYTES)
		return;
	last = hdr + 3 + 2 * (count - 1);
	add_word(p, hdr);
	add_word(p, hdr + 2);
	add_word(p, last);
	from = o->eh_hdr + 4 + (uintptr_t)(intptr_t)hdr[1];
	to = o->eh_hdr + (uintptr_t)(intptr_t)last[1];
	if (from < o->eh_lo || to < from || to > o->eh_hi - 8)
		return;
	add_word(p, (const void *)to);
	end = to + 4 + (uint32_t)word_at((const void *)to);
	if (end > o->eh_hi || end < to + 8)
		return;
	p->sample = (const unsigned char *)from;
	p->stride = (end - 8 - from) / SAMPLES + 1 < 8 ? 8 : (end - 8 - from) / SAMPLES + 1;
	p->samples = (uint32_t)((end - 8 - from) / p->stride + 1);
	p->sum = sum_samples(p);
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
				add_word(&o->proof, name + name_bytes);
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
	if ((p->p_flags & (PF_R | PF_X)) != (PF_R | PF_X))
		return;
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		if (!o->text[i].bytes) {
			o->text[i] = (struct object_text){ lo, hi - lo };
			return;
		}
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

/* Whether a build-id proves the object. */
static bool read_headers(struct object *o)
{
	const Elf64_Ehdr *e = elf_header(o->start);
	const Elf64_Phdr *p;

	if (!e) {
		o->eh_lo = o->start;
		o->eh_hi = o->start + o->bytes;
		return false;
	}
	o->entry = o->bias + e->e_entry;
	p = (const Elf64_Phdr *)(o->start + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type == PT_LOAD)
			read_segment(o, &p[i]);
		else if (p[i].p_type == PT_NOTE && !o->build_id_bytes)
			read_note_segment(o, p, e->e_phnum, &p[i]);
	}
	if (o->proof.words)
		return true;
	add_word(&o->proof, &e->e_shoff);
	return false;
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

		if (o->start == (uintptr_t)f->dlfo_map_start &&
		    o->eh_hdr == (uintptr_t)f->dlfo_eh_frame &&
		    o->bytes == (uintptr_t)f->dlfo_map_end - o->start && holds(&o->proof)) {
			if (atomic_load_explicit(&o->map, memory_order_relaxed) != f->dlfo_link_map)
				atomic_store(&o->map, f->dlfo_link_map);
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

/* Gives the last entry back; one that isn't the last any more stays unused. */
static void give_back(struct object *o)
{
	uint32_t n = o->number + 1;

	o->build_id_bytes = 0;
	o->proof.words = o->proof.samples = 0;
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		o->text[i].bytes = 0;
	o->eh_lo = o->eh_hi = o->entry = 0;
	o->number = 0;
	atomic_compare_exchange_strong(&allotted, &n, n - 1);
}

static void fill(struct object *o, const struct dl_find_object *f)
{
	o->start = (uintptr_t)f->dlfo_map_start;
	o->bytes = (uintptr_t)f->dlfo_map_end - o->start;
	atomic_store_explicit(&o->map, f->dlfo_link_map, memory_order_relaxed);
	o->eh_hdr = (uintptr_t)f->dlfo_eh_frame;
	o->bias = f->dlfo_link_map->l_addr;
	if (!read_headers(o))
		prove_by_tables(o);
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
