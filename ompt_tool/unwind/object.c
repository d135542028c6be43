/*
 * object.c - a table of loaded objects, beside the loader's own.
 *
 * An entry is filled in privately, then put at the head of its bucket by one
 * compare-and-swap, and never changes again. An entry whose object was unloaded
 * stays in its bucket: its contents, compared at every look-up, distinguish it from
 * a new object at the same address. The compared words can always be read: the
 * build-id lies in the mapping's first page; without one, each word is read only
 * when those before have shown that it is mapped, and code only when the headers
 * show that it lies where it lay. The main program is never unloaded, and is not
 * compared.
 */
#include "config.h"

#include "ompt_tool/unwind/object.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>

enum {
	BUCKETS = 1024,	   /* a power of two */
	FIRST_PAGE = 4096, /* of the mapping: always readable */
	TABLE_SAMPLES = 16,
	CODE_SAMPLES = 24,
	DEEP_GROUPS = 32, /* groups of adjacent words: at most a page each */
	GROUP_WORDS = 16,
	PROGRAM_HEADERS_MAX = (FIRST_PAGE - sizeof(Elf64_Ehdr)) / sizeof(Elf64_Phdr),
	NOTE_BYTES_MAX = 4096,
};

struct word {
	uint64_t value;
} __attribute__((packed, may_alias));

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

static uint64_t mix(uint64_t sum, uint64_t word)
{
	return (sum ^ word) * 0x9e3779b97f4a7c15u;
}

static uint64_t sum_path(const struct link_map *map)
{
	const volatile char *s = map->l_name;
	uint64_t sum = 0;

	for (unsigned i = 0; s && s[i]; i++)
		sum = mix(sum, (unsigned char)s[i]);
	return sum;
}

static uint64_t sum_samples(uint64_t sum, const struct object_samples *s)
{
	const unsigned char *at = s->at;

	for (uint32_t i = 0; i < s->n; i++, at += s->stride)
		sum = mix(sum, word_at(at));
	return sum;
}

static uint64_t sum_usual(const struct object_proof *p, const struct link_map *map)
{
	return sum_samples(sum_samples(sum_path(map), &p->tables), &p->code);
}

/* Sums groups of words from all over the code, or all words of a small code. */
static uint64_t sum_deep(const struct object *o, const struct link_map *map)
{
	const struct object_text *text = &o->text[0];
	const uintptr_t group = GROUP_WORDS * sizeof(struct word);
	uintptr_t stride = (text->bytes / DEEP_GROUPS + 7) & ~(uintptr_t)7;
	uint64_t sum = sum_path(map);

	if (stride < group)
		stride = group;
	if (!o->proof.code.n)
		return sum;
	for (uintptr_t at = 0; at < text->bytes; at += stride)
		for (uintptr_t i = at; i < at + group && i + 8 <= text->bytes; i += 8)
			sum = mix(sum, word_at((const void *)(text->start + i)));
	return sum;
}

static bool words_hold(const struct object_proof *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (word_at(p->word[i]) != p->value[i])
			return false;
	return true;
}

/* Whether the object is still loaded. Between two told changes little can have
   happened, so little is compared. Where no change was ever told, an object without a
   build-id is compared with its samples each time. */
static bool holds(struct object *o, const struct link_map *map)
{
	const struct object_proof *p = &o->proof;
	const uint64_t epoch = object_epoch();

	if (o->program)
		return true;
	if (!words_hold(p, p->usual))
		return false;
	if (atomic_load_explicit(&o->proven, memory_order_relaxed) == epoch)
		return epoch != 0 || p->usual != p->words || sum_usual(p, map) == p->sum;
	if (!words_hold(p, p->words) || sum_usual(p, map) != p->sum ||
	    sum_deep(o, map) != p->deep_sum)
		return false;
	atomic_store_explicit(&o->proven, epoch, memory_order_relaxed);
	return true;
}

/* Chooses n words at most, evenly from the range up to end. */
static struct object_samples samples(uintptr_t from, uintptr_t end, uint32_t n)
{
	struct object_samples s = { .at = (const unsigned char *)from };

	if (end < from + sizeof(struct word))
		return s;
	s.stride = (end - 8 - from) / n + 1;
	if (s.stride < 8)
		s.stride = 8;
	s.n = (uint32_t)((end - 8 - from) / s.stride + 1);
	return s;
}

/*
 * Proves by the unwind table's header, the last entry of its sorted list, the
 * rules' entry that this points to, and words from all over the rules up to that
 * entry's end.
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
	p->tables = samples(from, end, TABLE_SAMPLES);
}

/* Proves by the place of the headers and by what they say of the first segment of code:
   while these words are equal, the code lies where it lay. */
static void prove_by_headers(struct object *o, const Elf64_Ehdr *elf)
{
	const Elf64_Phdr *program = (const Elf64_Phdr *)((uintptr_t)elf + elf->e_phoff);

	for (unsigned i = 0; i < elf->e_phnum; i++) {
		const Elf64_Phdr *p = &program[i];

		if (p->p_type != PT_LOAD || o->bias + p->p_vaddr != o->text[0].start)
			continue;
		add_word(&o->proof, &elf->e_shoff);
		add_word(&o->proof, &elf->e_phoff);
		add_word(&o->proof, &elf->e_ehsize);
		add_word(&o->proof, &p->p_type);
		add_word(&o->proof, &p->p_vaddr);
		add_word(&o->proof, &p->p_memsz);
		o->proof.code = samples(o->text[0].start, o->text[0].start + o->text[0].bytes,
					CODE_SAMPLES);
		return;
	}
}

/* ---- what the object's own headers tell ------------------------------- */

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

/* The main program's headers, as told by the kernel (or a loader that was started as a
   program). They need not lie in the part that was asked for. */
static bool program_headers(struct headers *h)
{
	h->program = (const Elf64_Phdr *)getauxval(AT_PHDR);
	h->count = (unsigned)getauxval(AT_PHNUM);
	return h->program && getauxval(AT_PHENT) == sizeof(Elf64_Phdr);
}

/* The address range of all segments. */
static void span(struct headers *h, uintptr_t bias)
{
	h->lo = UINTPTR_MAX;
	h->hi = 0;
	for (const Elf64_Phdr *p = h->program; p < h->program + h->count; p++) {
		uintptr_t lo = bias + p->p_vaddr, page = lo & ~(uintptr_t)(FIRST_PAGE - 1);

		if (p->p_type != PT_LOAD)
			continue;
		h->lo = page < h->lo ? page : h->lo;
		h->hi = lo + p->p_memsz > h->hi ? lo + p->p_memsz : h->hi;
	}
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
				add_word(&o->proof, name + name_bytes);
			return;
		}
		if (bytes >= left - name_bytes)
			return;
		lo += sizeof(*n) + name_bytes + bytes;
	}
}

static void read_segment(struct object *o, const struct headers *h, const Elf64_Phdr *p)
{
	uintptr_t lo, hi;

	clip(h, o->bias + p->p_vaddr, p->p_memsz, &lo, &hi);
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
		if (p->p_type == PT_LOAD)
			read_segment(o, h, p);
		else if (p->p_type == PT_NOTE && !o->build_id_bytes)
			read_note_segment(o, h, p);
	}
}

/* ---- the program ---------------------------------------------------------- */

static bool is_program(const struct dl_find_object *f)
{
	struct dl_find_object own;
	struct headers h;

	return program_headers(&h) && !_dl_find_object((void *)h.program, &own) &&
	       own.dlfo_link_map == f->dlfo_link_map;
}

static bool is_told(uintptr_t pc)
{
	struct dl_find_object f;

	return !_dl_find_object((void *)pc, &f);
}

/* The segment of the main program that holds pc; with pc 0, the first one that the C
   library does not report. */
static const Elf64_Phdr *segment_untold(const struct headers *h, uintptr_t bias, uintptr_t pc)
{
	for (const Elf64_Phdr *p = h->program; p < h->program + h->count; p++) {
		uintptr_t start = bias + p->p_vaddr;

		if (p->p_type == PT_LOAD && p->p_memsz &&
		    (pc ? pc - start < p->p_memsz :
			  !is_told(start) || !is_told(start + p->p_memsz - 1)))
			return p;
	}
	return NULL;
}

/* Whether there are such segments: most addresses that the C library does not know are
   in no object at all. */
static _Atomic enum { NOT_KNOWN, ALL_TOLD, UNTOLD } program_parts;

/* Whether pc lies in a segment of the main program that the C library does not report:
   it may know only those before a hole. */
static __attribute__((noinline)) bool find_in_program(uintptr_t pc, struct dl_find_object *f)
{
	const Elf64_Phdr *p;
	struct headers h;
	uintptr_t bias;

	if (!program_headers(&h) || _dl_find_object((void *)h.program, f))
		return false;
	bias = f->dlfo_link_map->l_addr;
	if (atomic_load_explicit(&program_parts, memory_order_relaxed) == NOT_KNOWN)
		atomic_store(&program_parts, segment_untold(&h, bias, 0) ? UNTOLD : ALL_TOLD);
	p = segment_untold(&h, bias, pc);
	if (!p)
		return false;
	f->dlfo_map_start = (void *)(bias + p->p_vaddr);
	f->dlfo_map_end = (void *)(bias + p->p_vaddr + p->p_memsz);
	return true;
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
		    o->bytes == (uintptr_t)f->dlfo_map_end - o->start &&
		    holds(o, f->dlfo_link_map)) {
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

/* Returns an entry that is the last; otherwise it stays unused. */
static void give_back(struct object *o)
{
	uint32_t n = o->number + 1;

	o->build_id_bytes = 0;
	o->proof.words = o->proof.usual = 0;
	o->proof.tables.n = o->proof.code.n = 0;
	for (unsigned i = 0; i < OBJECT_TEXTS; i++)
		o->text[i].bytes = 0;
	o->eh_lo = o->eh_hi = o->entry = 0;
	o->program = false;
	o->number = 0;
	atomic_compare_exchange_strong(&allotted, &n, n - 1);
}

static void fill_program(struct object *o)
{
	struct headers h = { .elf = NULL };

	program_headers(&h);
	span(&h, o->bias);
	o->program = true;
	o->entry = getauxval(AT_ENTRY);
	read_headers(o, &h);
}

static void fill_other(struct object *o, const struct link_map *map)
{
	struct headers h = { .lo = o->start, .hi = o->start + o->bytes };

	atomic_store_explicit(&o->proven, object_epoch(), memory_order_relaxed);
	if (elf_header(o->start, &h)) {
		o->entry = o->bias + h.elf->e_entry;
		read_headers(o, &h);
		o->proof.usual = o->proof.words;
		prove_by_headers(o, h.elf);
	} else {
		o->eh_lo = o->lo = h.lo;
		o->eh_hi = o->hi = h.hi;
	}
	prove_by_tables(o);
	if (!o->proof.usual)
		o->proof.usual = o->proof.words;
	o->proof.sum = sum_usual(&o->proof, map);
	o->proof.deep_sum = sum_deep(o, map);
}

static void fill(struct object *o, const struct dl_find_object *f)
{
	o->start = (uintptr_t)f->dlfo_map_start;
	o->bytes = (uintptr_t)f->dlfo_map_end - o->start;
	atomic_store_explicit(&o->map, f->dlfo_link_map, memory_order_relaxed);
	o->eh_hdr = (uintptr_t)f->dlfo_eh_frame;
	o->bias = f->dlfo_link_map->l_addr;
	if (is_program(f))
		fill_program(o);
	else
		fill_other(o, f->dlfo_link_map);
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

struct object *object_find(uintptr_t pc)
{
	struct dl_find_object f;
	struct object *o;

	if (_dl_find_object((void *)pc, &f) &&
	    (atomic_load_explicit(&program_parts, memory_order_relaxed) == ALL_TOLD ||
	     !find_in_program(pc, &f)))
		return NULL;
	o = find_in(atomic_load_explicit(bucket_of((uintptr_t)f.dlfo_map_start),
					 memory_order_acquire),
		    &f);
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
