/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table has two sides. A refresh fills in the side that is not in use, then turns to it. A
 * reader that finds the turn changed since it began may have read what was being written, and
 * reads again. What a row points to is written once, and kept: a library that is loaded again at
 * the same address has the same.
 */
#include "config.h"

#include "ompt_tool/unwind/find_object.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "ompt_tool/unwind/pages.h"

enum {
	ROWS = 1 << 14,
	TRIES = 8,
	NAMES_BYTES = 1 << 16, /* of a block of names */
	KNOWN_BUCKETS = 1 << 10,
	PARTS = 8, /* of an object, without a hole; further segments are the last one's */
	PAGE_BYTES = 4096,
};

/* glibc's struct dl_find_object, which older headers don't have. */
struct linked_object {
	unsigned long long flags;
	void *map_start, *map_end;
	struct link_map *link_map;
	void *eh_frame;
	unsigned long long reserved[7];
};

static int (*loader_find)(void *address, struct linked_object *);

struct known {
	struct link_map map;
	uintptr_t start, end, eh_hdr;
	struct {
		uintptr_t lo, hi;
	} part[PARTS];	   /* hi 0: none. Between them may be what is not the object's */
	ElfW(Ehdr) header; /* what lies at start */
	struct known *next;
};

struct row {
	_Atomic uintptr_t start, end;
	struct known *_Atomic known;
};

static struct side {
	_Atomic uint32_t n;
	struct row row[ROWS];
} sides[2];

_Atomic bool find_object_missed;

static _Atomic uint32_t turn;	      /* sides[turn % 2] is in use */
static _Atomic uint32_t wanted, done; /* refreshes */
static _Atomic uint32_t busy;	      /* a thread is at it; a word: see threads.c */
static unsigned long long adds, subs; /* the loader's counts, of the table in use */

/* ---- readers ------------------------------------------------------------ */

/* The row that holds the address; NULL: none does. */
static struct row *search(struct side *s, uintptr_t address)
{
	uint32_t lo = 0, hi = atomic_load_explicit(&s->n, memory_order_relaxed);

	while (lo < hi) {
		const uint32_t middle = lo + (hi - lo) / 2;
		struct row *r = &s->row[middle];

		if (address < atomic_load_explicit(&r->start, memory_order_relaxed))
			hi = middle;
		else if (address >= atomic_load_explicit(&r->end, memory_order_relaxed))
			lo = middle + 1;
		else
			return r;
	}
	return NULL;
}

/* What was unloaded since is in the table until the next refresh. */
static bool is_loaded(const struct known *k)
{
	return !k->map.l_prev ||
	       (pages_readable(k->start) &&
		memcmp((const void *)k->start, &k->header, sizeof(k->header)) == 0);
}

/* Calls of dlclose(). The loader knows an object until some time after it has unmapped it. */
static _Atomic uint32_t unloads_begun, unloads_ended;

bool find_object(uintptr_t address, struct found_object *f)
{
	const uint32_t ended = atomic_load(&unloads_ended);
	struct linked_object o;

	if (!loader_find) {
		for (int i = 0; i < TRIES; i++) {
			const uint32_t before = atomic_load_explicit(&turn, memory_order_acquire);
			struct row *r = search(&sides[before % 2], address);
			const struct known *k =
				r ? atomic_load_explicit(&r->known, memory_order_relaxed) : NULL;

			atomic_thread_fence(memory_order_acquire);
			if (atomic_load_explicit(&turn, memory_order_relaxed) != before)
				continue;
			if (!k) {
				atomic_store_explicit(&find_object_missed, true,
						      memory_order_relaxed);
				return false;
			}
			if (!is_loaded(k))
				return false;
			*f = (struct found_object){ k->start, k->end, k->eh_hdr, &k->map, false };
			return true;
		}
		return false;
	}
	if (loader_find((void *)address, &o) != 0)
		return false;
	f->start = (uintptr_t)o.map_start;
	f->end = (uintptr_t)o.map_end;
	f->eh_hdr = (uintptr_t)o.eh_frame;
	f->map = o.link_map;
	f->leaving = atomic_load(&unloads_begun) != ended;
	return true;
}

void find_object_unloading(void)
{
	atomic_fetch_add(&unloads_begun, 1);
}

/* There is none to end where a fork's child goes on with its parent's. */
void find_object_unloaded(void)
{
	uint32_t ended = atomic_load(&unloads_ended);

	while (ended != atomic_load(&unloads_begun) &&
	       !atomic_compare_exchange_weak(&unloads_ended, &ended, ended + 1))
		;
}

bool find_object_is_unloading(void)
{
	return atomic_load(&unloads_begun) != atomic_load(&unloads_ended);
}

/* ---- the writer --------------------------------------------------------- */

static struct known *known[KNOWN_BUCKETS]; /* all that ever were */
static struct known program_before;	   /* what the others' l_prev points to */

/* Never freed: handlers may hold what lies there. */
static void *lasting(size_t bytes)
{
	static char *at;
	static size_t left;
	void *p;

	bytes = (bytes + _Alignof(struct known) - 1) & ~(_Alignof(struct known) - 1);
	if (bytes > left) {
		left = bytes > NAMES_BYTES ? bytes : NAMES_BYTES;
		p = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED) {
			left = 0;
			return NULL;
		}
		at = p;
	}
	p = at;
	at += bytes;
	left -= bytes;
	return p;
}

static bool is_same(const struct known *a, const struct known *b)
{
	return a->map.l_addr == b->map.l_addr && a->map.l_ld == b->map.l_ld &&
	       a->start == b->start && a->end == b->end && a->eh_hdr == b->eh_hdr &&
	       !a->map.l_prev == !b->map.l_prev && !strcmp(a->map.l_name, b->map.l_name) &&
	       memcmp(&a->header, &b->header, sizeof(a->header)) == 0;
}

static struct known *known_as(const struct known *like)
{
	const size_t name_bytes = strlen(like->map.l_name) + 1;
	struct known **bucket = &known[(like->start >> 12 ^ like->start >> 22) % KNOWN_BUCKETS];
	struct known *k;
	char *name;

	for (k = *bucket; k; k = k->next)
		if (is_same(k, like))
			return k;
	k = lasting(sizeof(*k) + name_bytes);
	if (!k)
		return NULL;
	*k = *like;
	name = (char *)(k + 1);
	memcpy(name, like->map.l_name, name_bytes);
	k->map.l_name = name;
	k->next = *bucket;
	*bucket = k;
	return k;
}

/* What a callback of dl_iterate_phdr() gets of an object. */
static struct known described(const struct dl_phdr_info *info, bool first)
{
	struct known k = { .start = UINTPTR_MAX };
	bool readable = false;

	k.map.l_addr = info->dlpi_addr;
	k.map.l_name = (char *)(info->dlpi_name ? info->dlpi_name : "");
	k.map.l_prev = first ? NULL : &program_before.map;
	for (const ElfW(Phdr) *p = info->dlpi_phdr; p < info->dlpi_phdr + info->dlpi_phnum; p++) {
		const uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && at < k.start)
			readable = (p->p_flags & PF_R) != 0 && p->p_filesz >= sizeof(k.header);
		if (p->p_type == PT_LOAD) {
			/* Segments come by their addresses. */
			uintptr_t end = at + p->p_memsz;
			const uintptr_t lo = at & ~(uintptr_t)(PAGE_BYTES - 1);
			const uintptr_t hi = (end + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
			int i = 0;

			k.start = lo < k.start ? lo : k.start;
			k.end = end > k.end ? end : k.end;
			while (i < PARTS - 1 && k.part[i].hi != 0 && k.part[i].hi < lo)
				i++;
			k.part[i].lo = k.part[i].hi == 0 || lo < k.part[i].lo ? lo : k.part[i].lo;
			k.part[i].hi = hi > k.part[i].hi ? hi : k.part[i].hi;
		}
		if (p->p_type == PT_GNU_EH_FRAME)
			k.eh_hdr = at;
		if (p->p_type == PT_DYNAMIC)
			k.map.l_ld = (ElfW(Dyn) *)at;
	}
	if (readable)
		memcpy(&k.header, (const void *)k.start, sizeof(k.header));
	return k;
}

struct filling {
	struct side *side;
	uint32_t n;
	bool first;
};

/* Keeps the rows sorted: most objects are loaded below the one before. */
static void insert(struct side *s, uint32_t n, struct known *k, int part)
{
	struct row *r = s->row;
	uint32_t i = n;

	for (; i > 0; i--) {
		const uintptr_t start = atomic_load_explicit(&r[i - 1].start, memory_order_relaxed);

		if (start < k->part[part].lo)
			break;
		atomic_store_explicit(&r[i].start, start, memory_order_relaxed);
		atomic_store_explicit(&r[i].end, r[i - 1].end, memory_order_relaxed);
		atomic_store_explicit(&r[i].known, r[i - 1].known, memory_order_relaxed);
	}
	atomic_store_explicit(&r[i].start, k->part[part].lo, memory_order_relaxed);
	atomic_store_explicit(&r[i].end, k->part[part].hi, memory_order_relaxed);
	atomic_store_explicit(&r[i].known, k, memory_order_relaxed);
}

static int add(struct dl_phdr_info *info, size_t size, void *data)
{
	struct filling *f = data;
	const struct known like = described(info, f->first);
	struct known *k;

	(void)size;
	if (f->first) {
		adds = info->dlpi_adds;
		subs = info->dlpi_subs;
	}
	f->first = false;
	if (like.start >= like.end)
		return 0;
	k = known_as(&like);
	for (int i = 0; k && i < PARTS && k->part[i].hi != 0 && f->n < ROWS; i++)
		insert(f->side, f->n++, k, i);
	return !k || f->n == ROWS;
}

static int compare_counts(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(bool *)data = info->dlpi_adds != adds || info->dlpi_subs != subs;
	return 1;
}

bool find_object_refresh(void)
{
	bool did = false;

	if (loader_find)
		return false;
	atomic_fetch_add(&wanted, 1);
	while (atomic_load(&wanted) != atomic_load(&done) && !atomic_exchange(&busy, 1)) {
		const uint32_t n = atomic_load(&wanted);

		bool differ = true;

		atomic_store_explicit(&find_object_missed, false, memory_order_relaxed);
		dl_iterate_phdr(compare_counts, &differ);
		if (differ) {
			const uint32_t next = atomic_load_explicit(&turn, memory_order_relaxed) + 1;
			struct filling f = { .side = &sides[next % 2], .first = true };

			/* Readers that are still on this side see that the turn has changed
			   before they see a changed row. */
			atomic_thread_fence(memory_order_release);
			dl_iterate_phdr(add, &f);
			atomic_store_explicit(&f.side->n, f.n, memory_order_relaxed);
			atomic_store_explicit(&turn, next, memory_order_release);
			did = true;
		}
		atomic_store(&done, n);
		atomic_store(&busy, 0);
	}
	return did;
}

void find_object_fork_child(void)
{
	atomic_store(&busy, 0);
	atomic_store(&unloads_ended, atomic_load(&unloads_begun));
}

void find_object_by(void *loaders)
{
	memcpy(&loader_find, &loaders, sizeof(loader_find));
	atomic_store(&find_object_missed, false); /* nobody clears it where the loader is asked */
	find_object_refresh();
}

/* For what looks for objects before it is known whether the loader has better. */
__attribute__((constructor)) static void begin(void)
{
	find_object_refresh();
}
