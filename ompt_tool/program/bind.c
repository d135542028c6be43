/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slot (a word of the global offset table) is replaced by one atomic store: a
 * thread that calls through it meanwhile gets libc's function or ours. A slot that
 * the loader has made read-only (RELRO) is made writable for the store.
 */
#include "config.h"

#include "ompt_tool/program/wrappers.h"

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

#include "ompt_tool/program/next.h"
#include "ompt_tool/program/program.h"

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, ADDRESS = R_X86_64_GLOB_DAT, DATA = R_X86_64_64 };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, ADDRESS = R_AARCH64_GLOB_DAT, DATA = R_AARCH64_ABS64 };
#else
enum { SLOT = R_RISCV_JUMP_SLOT, ADDRESS = R_RISCV_64, DATA = R_RISCV_64 };
#endif

static const struct {
	const struct wrapper *list;
	const size_t *n;
} lists[] = {
	{ wrappers_signals, &wrappers_nsignals },
	{ wrappers_sleeps, &wrappers_nsleeps },
	{ wrappers_syscall, &wrappers_nsyscall },
	{ wrappers_life, &wrappers_nlife },
};

/* An object, as its program headers and dynamic section describe it. */
struct loaded {
	uintptr_t bias, begin, end; /* the range of all its segments */
	uintptr_t relro, relro_end; /* pages that are read-only after relocation */
	const Elf64_Sym *symbols;
	const char *strings;
	const Elf64_Rela *plt, *rela;
	size_t plt_bytes, rela_bytes;
};

/* Owned by this file, and written under the loader's lock. */
static unsigned long long bound; /* dlpi_adds of the last call: objects up to it are bound */
static _Atomic bool by_loader;

/* Filled in before dl_iterate_phdr(): dlsym() must not run under the lock which that holds. */
enum { WRAPPERS_MAX = 256 };
static struct known {
	const struct wrapper *w;
	uintptr_t next;
	bool interposed; /* another interposer's definition precedes libc's */
} known[WRAPPERS_MAX];
static size_t nknown;

/* An undefined symbol of the program (its PLT entry, where the program takes the
   function's address) is no definition. */
static bool is_interposed(const void *first, const void *after_ours)
{
	const Elf64_Sym *symbol = NULL;
	Dl_info info;

	return first != after_ours &&
	       dladdr1(first, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 && symbol &&
	       symbol->st_shndx != SHN_UNDEF;
}

static const struct known *known_as(const char *name)
{
	for (size_t i = 0; i < nknown; i++)
		if (strcmp(known[i].w->name, name) == 0)
			return &known[i];
	return NULL;
}

static bool is_in(const struct loaded *o, uintptr_t address)
{
	return address >= o->begin && address < o->end;
}

/* Whether the slot is in our own `next', which linked.c initialises. */
static bool is_next(const void *slot)
{
	return (uintptr_t)slot - (uintptr_t)&next < sizeof(next);
}

static uintptr_t page_of(uintptr_t address)
{
	return address & ~(getauxval(AT_PAGESZ) - 1);
}

/* Changes the protection of the slot's page. */
static int protect(uintptr_t slot, int protection)
{
	return mprotect((void *)page_of(slot), slot + sizeof(slot) - page_of(slot), protection);
}

/* Whether the slot still leads to the loader's resolver, which would store libc's
   function at the first call: not the object's own definition, and not another
   interposer's. */
static bool is_unresolved(const struct loaded *o, const Elf64_Sym *symbol, uintptr_t now,
			  const struct known *k)
{
	return is_in(o, now) && symbol->st_shndx == SHN_UNDEF && !k->interposed;
}

static void bind_slot(const struct loaded *o, const Elf64_Rela *r)
{
	const Elf64_Sym *symbol = &o->symbols[ELF64_R_SYM(r->r_info)];
	const uint32_t type = ELF64_R_TYPE(r->r_info);
	_Atomic uintptr_t *slot = (_Atomic uintptr_t *)(o->bias + r->r_offset);
	const struct known *k;

	if ((type != SLOT && type != ADDRESS && type != DATA) || r->r_addend != 0 ||
	    !is_in(o, (uintptr_t)slot) || (uintptr_t)slot % sizeof(*slot) != 0 || is_next(slot) ||
	    !(k = known_as(o->strings + symbol->st_name)))
		return;
	const bool closed = (uintptr_t)slot >= o->relro && (uintptr_t)slot < o->relro_end;
	uintptr_t now = atomic_load_explicit(slot, memory_order_relaxed);

	/* The slot leads to another interposer, whose own next function is libc's:
	   leave both. */
	if (now != k->next && !(type == SLOT && is_unresolved(o, symbol, now, k)))
		return;
	if (closed && protect((uintptr_t)slot, PROT_READ | PROT_WRITE) != 0)
		return;
	/* Fails, rightly, where the loader or the program has stored another address
	   meanwhile. */
	atomic_compare_exchange_strong(slot, &now, (uintptr_t)k->w->function);
	if (closed)
		protect((uintptr_t)slot, PROT_READ);
}

static void bind_table(const struct loaded *o, const Elf64_Rela *table, size_t bytes)
{
	for (size_t i = 0; table && i < bytes / sizeof(*table); i++)
		bind_slot(o, &table[i]);
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
			/* Rounded down, as by the loader: a partial last page stays
			   writable. */
			o->relro = page_of(at);
			o->relro_end = page_of(at + p->p_memsz);
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

/* Whether the object is our own library, libc, the loader or the vDSO: their calls stay. */
static bool is_left_alone(const struct loaded *o)
{
	const uintptr_t kept[] = { program_is_apart ? (uintptr_t)bind_all : 0,
				   known_as("sigaction")->next, getauxval(AT_BASE),
				   getauxval(AT_SYSINFO_EHDR) };

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
	/* No object was added since the last call: stop. */
	if (info->dlpi_adds == bound)
		return 1;
	*(unsigned long long *)most = info->dlpi_adds;
	if (!dynamic || is_left_alone(&o))
		return 0;
	/* The loader has added the bias to these addresses in place, but not to the vDSO's. */
	for (const Elf64_Dyn *d = dynamic; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB: o.symbols = (const Elf64_Sym *)d->d_un.d_ptr; break;
		case DT_STRTAB: o.strings = (const char *)d->d_un.d_ptr; break;
		case DT_JMPREL: o.plt = (const Elf64_Rela *)d->d_un.d_ptr; break;
		case DT_PLTRELSZ: o.plt_bytes = d->d_un.d_val; break;
		case DT_RELA: o.rela = (const Elf64_Rela *)d->d_un.d_ptr; break;
		case DT_RELASZ: o.rela_bytes = d->d_un.d_val; break;
		}
	if (!o.symbols || !o.strings || !is_in(&o, (uintptr_t)o.symbols))
		return 0;
	bind_table(&o, o.plt, o.plt_bytes);
	bind_table(&o, o.rela, o.rela_bytes);
	return 0;
}

/* Whether the library was preloaded: our definition is the first in the loader's order. */
static bool is_preloaded(void)
{
	return (void (*)(void))dlsym(RTLD_DEFAULT, "sigaction") ==
	       known_as("sigaction")->w->function;
}

/*
 * dlsym() takes the loader's lock, which a thread may hold that runs a constructor
 * and waits for us: so only the first call uses dlsym().
 *
 * In a child that was forked while another thread held the mutex, the mutex stays
 * locked, and so does the loader's own lock, on which dl_iterate_phdr() would hang:
 * nothing is bound there.
 */
void bind_all(void)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	unsigned long long most = 0;

	if (by_loader || pthread_mutex_trylock(&one) != 0)
		return;
	if (nknown == 0) {
		for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
			for (size_t i = 0; i < *lists[l].n && nknown < WRAPPERS_MAX;
			     i++, nknown++) {
				const struct wrapper *w = &lists[l].list[i];
				const void *after_ours = dlsym(RTLD_NEXT, w->name);
				const void *first = dlsym(RTLD_DEFAULT, w->name);

				known[nknown] = (struct known){ w, (uintptr_t)after_ours,
								is_interposed(first, after_ours) };
			}
		by_loader = is_preloaded();
	}
	if (!by_loader) {
		dl_iterate_phdr(bind_object, &most);
		if (most != 0)
			bound = most;
	}
	pthread_mutex_unlock(&one);
}
