/*
 * bind.c - see bind.h.
 *
 * A slot is one word, stored at once: a thread that calls through it meanwhile gets
 * libc's function or ours.  What the loader has made read-only is opened for that
 * word, and closed again.
 */
#include "config.h"

#include "ompt_tool/program/bind.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "ompt_tool/program/program.h"
#include "ompt_tool/program/wrappers.h"

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, DATA = R_AARCH64_GLOB_DAT };
#else
enum { SLOT = R_RISCV_JUMP_SLOT, DATA = R_RISCV_64 };
#endif

static const struct {
	const struct wrapper *list;
	const size_t *n;
} lists[] = {
	{ wrappers_signals, &wrappers_nsignals },
	{ wrappers_sleeps, &wrappers_nsleeps },
	{ wrappers_life, &wrappers_nlife },
};

/* An object, as its dynamic section tells. */
struct loaded {
	uintptr_t bias, begin, end;	/* all of its segments lie between */
	uintptr_t relro, relro_end;	/* read-only since it was relocated */
	const Elf64_Sym *symbols;
	const char *strings;
	const Elf64_Rela *plt, *rela;
	size_t plt_bytes, rela_bytes;
};

/* Owned by this file, and written under the loader's lock. */
static unsigned long long bound;	/* objects loaded up to then have been seen to */
static _Atomic bool by_loader;

/* Looked up before dl_iterate_phdr(), which holds a lock that dlsym() must not want. */
enum { WRAPPERS_MAX = 128 };
static struct { const struct wrapper *w; uintptr_t next; } known[WRAPPERS_MAX];
static size_t nknown;

static void look_up(void)
{
	nknown = 0;
	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
		for (size_t i = 0; i < *lists[l].n && nknown < WRAPPERS_MAX; i++, nknown++) {
			known[nknown].w = &lists[l].list[i];
			known[nknown].next = (uintptr_t)dlsym(RTLD_NEXT, lists[l].list[i].name);
		}
}

/* The wrapper of that name, and what it stands for. */
static const struct wrapper *wrapper_of(const char *name, uintptr_t *real)
{
	for (size_t i = 0; i < nknown; i++)
		if (strcmp(known[i].w->name, name) == 0) {
			*real = known[i].next;
			return known[i].w;
		}
	return NULL;
}

static bool is_in(const struct loaded *o, uintptr_t address)
{
	return address >= o->begin && address < o->end;
}

/* The pages of the slot, while it is written. */
static int protect(uintptr_t slot, int protection)
{
	const uintptr_t page = getauxval(AT_PAGESZ), first = slot & ~(page - 1);

	return mprotect((void *)first, slot + sizeof(slot) - first, protection);
}

static void bind_slot(const struct loaded *o, const Elf64_Rela *r)
{
	const char *name = o->strings + o->symbols[ELF64_R_SYM(r->r_info)].st_name;
	const uint32_t type = ELF64_R_TYPE(r->r_info);
	_Atomic uintptr_t *slot = (_Atomic uintptr_t *)(o->bias + r->r_offset);
	const struct wrapper *w;
	uintptr_t real;

	if ((type != SLOT && type != DATA) || r->r_addend != 0 || !is_in(o, (uintptr_t)slot) ||
	    (w = wrapper_of(name, &real)) == NULL)
		return;
	const uintptr_t now = atomic_load_explicit(slot, memory_order_relaxed);
	const bool unresolved = type == SLOT && is_in(o, now);
	const bool closed = (uintptr_t)slot >= o->relro && (uintptr_t)slot < o->relro_end;

	/* Another interposer's: its next is libc's, and stays so. */
	if (!unresolved && now != real)
		return;
	if (closed && protect((uintptr_t)slot, PROT_READ | PROT_WRITE) != 0)
		return;
	atomic_store_explicit(slot, (uintptr_t)w->function, memory_order_release);
	if (closed)
		protect((uintptr_t)slot, PROT_READ);
}

static void bind_table(const struct loaded *o, const Elf64_Rela *table, size_t bytes)
{
	for (size_t i = 0; table != NULL && i < bytes / sizeof(*table); i++)
		bind_slot(o, &table[i]);
}

/* The loader adds the bias to these in place, but for the vDSO's. */
static void read_dynamic(struct loaded *o, const Elf64_Dyn *d)
{
	for (; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB:
			o->symbols = (const Elf64_Sym *)d->d_un.d_ptr;
			break;
		case DT_STRTAB:
			o->strings = (const char *)d->d_un.d_ptr;
			break;
		case DT_JMPREL:
			o->plt = (const Elf64_Rela *)d->d_un.d_ptr;
			break;
		case DT_PLTRELSZ:
			o->plt_bytes = d->d_un.d_val;
			break;
		case DT_RELA:
			o->rela = (const Elf64_Rela *)d->d_un.d_ptr;
			break;
		case DT_RELASZ:
			o->rela_bytes = d->d_un.d_val;
			break;
		}
}

static const Elf64_Dyn *read_segments(struct loaded *o, const struct dl_phdr_info *info)
{
	const Elf64_Dyn *dynamic = NULL;

	*o = (struct loaded){ .bias = info->dlpi_addr, .begin = UINTPTR_MAX };
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *p = &info->dlpi_phdr[i];
		const uintptr_t at = o->bias + p->p_vaddr;

		if (p->p_type == PT_DYNAMIC)
			dynamic = (const Elf64_Dyn *)at;
		if (p->p_type == PT_GNU_RELRO) {
			o->relro = at;
			o->relro_end = at + p->p_memsz;
		}
		if (p->p_type != PT_LOAD)
			continue;
		if (at < o->begin)
			o->begin = at;
		if (at + p->p_memsz > o->end)
			o->end = at + p->p_memsz;
	}
	return dynamic;
}

/* libc's own calls, the loader's and ours are left as they are. */
static bool is_left_alone(const struct loaded *o)
{
	uintptr_t libc = 0;

	wrapper_of("sigaction", &libc);
	const uintptr_t kept[] = { program_is_apart ? (uintptr_t)bind_all : 0, libc,
				   getauxval(AT_BASE), getauxval(AT_SYSINFO_EHDR) };

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i] != 0 && is_in(o, kept[i]))
			return true;
	return false;
}

static int bind_object(struct dl_phdr_info *info, size_t bytes, void *most)
{
	struct loaded o;
	const Elf64_Dyn *dynamic = read_segments(&o, info);

	(void)bytes;
	/* None since the last time: not even looked at. */
	if (info->dlpi_adds == bound)
		return 1;
	*(unsigned long long *)most = info->dlpi_adds;
	if (dynamic == NULL || is_left_alone(&o))
		return 0;
	read_dynamic(&o, dynamic);
	if (o.symbols == NULL || o.strings == NULL || !is_in(&o, (uintptr_t)o.symbols))
		return 0;
	bind_table(&o, o.plt, o.plt_bytes);
	bind_table(&o, o.rela, o.rela_bytes);
	return 0;
}

/* Whether the loader does it: our definition is the one that the program finds. */
static bool is_preloaded(void)
{
	uintptr_t real;
	const struct wrapper *w = wrapper_of("sigaction", &real);

	return w != NULL && (void (*)(void))dlsym(RTLD_DEFAULT, "sigaction") == w->function;
}

void bind_all(void)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	unsigned long long most = 0;

	if (by_loader || pthread_mutex_trylock(&one) != 0)
		return;
	if (nknown == 0)
		look_up();
	by_loader = is_preloaded();
	if (!by_loader) {
		dl_iterate_phdr(bind_object, &most);
		if (most != 0)
			bound = most;
	}
	pthread_mutex_unlock(&one);
}
