/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the loader does without us: a call is bound to the first definition in the global
 * scope; without one, to the first in the closure of what was opened together with the
 * calling object. So an object with a libgomp of its own still uses the one in the global
 * scope, and two objects that were opened together use the same. The rule here is
 * dlsym(RTLD_NEXT) and, where that finds none, the first object in the loader's list whose
 * closure holds the caller: it is the one that was opened.
 */
#include "config.h"

#include "ompt_tool/gomp/copies.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ompt_tool/gomp/jump.h"
#include "ompt_tool/gomp/self.h"

struct libgomp copies_first;

/* Owned by this file. All copies but the first; grows at its head. */
static _Atomic(struct libgomp *) copies;

/* The first call decides once for all whether the global scope has one. */
static atomic_int global; /* 0: not decided; 1: yes; -1: no */

/* ---- functions that a copy lacks ------------------------------------------------------- */

static void say(const char *text)
{
	/* Nothing to do about an error. */
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

/* Ends the process as the loader does when a symbol is missing. */
static _Noreturn __attribute__((cold)) void missing(const char *name, const void *code)
{
	Dl_info info = { 0 };

	dladdr(code, &info);
	say(program_invocation_name);
	say(": symbol lookup error: ");
	say(info.dli_fname ? info.dli_fname : "a caller");
	say(": undefined symbol: ");
	say(name);
	say(" (no libgomp here has it)\n");
	_exit(127);
}

#define V(result, field, parameters, name, version) \
	static void missing_##field(void) \
	{ \
		missing(name, __builtin_return_address(0)); \
	}
#define E(result, name, parameters) V(result, name, parameters, #name, NULL)
LIBGOMP_FUNCTIONS
#undef E
#undef V

/* clang-format off */
static const struct {
	const char *name, *version;
	size_t at;
	void (*missing)(void);
} functions[] = {
#define V(result, field, parameters, name, version) \
	{ name, version, offsetof(struct libgomp, field), missing_##field },
#define E(result, name, parameters) V(result, name, parameters, #name, NULL)
	LIBGOMP_FUNCTIONS
#undef E
#undef V
};
/* clang-format on */

/* ---- a copy's functions ---------------------------------------------------------------- */

/* Through volatile pointers, so that no call is a tail call: dlsym() finds out by its
   return address who asks, and for RTLD_NEXT that must be this library. */
static void *(*volatile look_up)(void *, const char *) = dlsym;
static void *(*volatile look_up_version)(void *, const char *, const char *) = dlvsym;

static void *find_symbol(void *handle, const char *name, const char *version)
{
	void *found = NULL;

	if (version)
		found = look_up_version(handle, name, version);
	if (!found)
		found = look_up(handle, name);
	if (found && loaded_is_ours(found))
		return NULL;
	return found;
}

static void *find_probe(void *handle)
{
	return find_symbol(handle, "GOMP_barrier", NULL);
}

/* Whether the runtime with this function is a libgomp; LLVM's has the same entry points. */
static bool is_libgomp(const void *function)
{
	return loaded_mentions(function, "GOMP_1.0") &&
	       !loaded_mentions(function, "__kmpc_barrier");
}

/* And needs our help: it does not speak to tools itself, by OMPT or the Collector API. */
static bool is_silent_libgomp(const void *function)
{
	return is_libgomp(function) && !loaded_mentions(function, "ompt_start_tool") &&
	       !loaded_mentions(function, OMP_COLLECTOR_API);
}

/* In one piece: for the first copy other threads may read it meanwhile. */
static void function_set(struct libgomp *c, size_t i, void *function)
{
	__atomic_store_n((void **)((char *)c + functions[i].at), function, __ATOMIC_RELEASE);
}

/* An address in each copy that events are reported for; omphwc_gomp_copy(). Further copies than
   there is room for are served, too. */
enum { COPIES_LISTED = 64 };
static _Atomic(const void *) listed[COPIES_LISTED];

static void list(const void *code)
{
	for (size_t i = 0; i < COPIES_LISTED; i++) {
		const void *was = NULL;

		if (atomic_compare_exchange_strong(&listed[i], &was, code) || was == code)
			return;
	}
}

__attribute__((visibility("default"))) const void *omphwc_gomp_copy(unsigned n)
{
	return n < COPIES_LISTED ? atomic_load_explicit(&listed[n], memory_order_acquire) : NULL;
}

static void fill_in(struct libgomp *c, void *handle)
{
	const void *probe = find_probe(handle);

	loaded_range(probe, &c->lo, &c->hi);
	c->object = loaded_object(probe);
	c->events = is_silent_libgomp(probe);
	c->has_barrier_cancel = find_symbol(handle, "GOMP_barrier_cancel", NULL);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *f = find_symbol(handle, functions[i].name, functions[i].version);

		if (!f)
			f = (void *)functions[i].missing;
		function_set(c, i, f);
	}
	if (c->events)
		list(probe);
	__atomic_store_n(&c->ready, true, __ATOMIC_RELEASE);
}

/* For callers that no copy was found for: each function ends the process, and says which
   it was. */
static const struct libgomp *nothing(void)
{
	static struct libgomp none;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		function_set(&none, i, (void *)functions[i].missing);
	return &none;
}

/* ---- the global one --------------------------------------------------------------------- */

/* Two threads may do it at the same time: both store the same. */
static bool use_global(void)
{
	int known = atomic_load_explicit(&global, memory_order_acquire);

	if (known == 0) {
		known = find_probe(RTLD_NEXT) ? 1 : -1;
		if (known > 0) {
			fill_in(&copies_first, RTLD_NEXT);
			loaded_keep((void *)copies_first.GOMP_barrier);
			jump_know(&copies_first);
		}
		atomic_store_explicit(&global, known, memory_order_release);
	}
	return known > 0;
}

bool copies_global_is_foreign(void)
{
	const void *probe = find_probe(RTLD_NEXT);

	return probe && !is_silent_libgomp(probe) && !copies_first.events;
}

/* ---- copies of their own ---------------------------------------------------------------- */

/*
 * Call sites and what was found for them. A site's copy is written after its code, and its
 * epoch last. An unloaded object's sites may be another's next time: each dlclose() begins
 * an epoch, and what is of an earlier one counts as empty.
 */
enum { SITE_BITS = 12, SITES = 1 << SITE_BITS, PROBES = 16 };
static struct {
	_Atomic(const void *) code;
	_Atomic(const struct libgomp *) copy;
	atomic_uint epoch;
} sites[SITES];
static atomic_uint epoch = 1;

static size_t site_of(const void *code)
{
	return ((uintptr_t)code * 0x9e3779b97f4a7c15u) >> (64 - SITE_BITS);
}

static const struct libgomp *site_find(const void *code)
{
	const unsigned now = atomic_load_explicit(&epoch, memory_order_acquire);

	for (size_t n = 0, i = site_of(code); n < PROBES; n++, i = (i + 1) % SITES) {
		if (atomic_load_explicit(&sites[i].epoch, memory_order_acquire) != now)
			return NULL;
		if (atomic_load_explicit(&sites[i].code, memory_order_acquire) == code)
			return atomic_load_explicit(&sites[i].copy, memory_order_acquire);
	}
	return NULL;
}

/* Without room the site is looked up at each call; as it is where two threads take the same
   place at the same time. */
static void site_add(const void *code, const struct libgomp *copy)
{
	const unsigned now = atomic_load_explicit(&epoch, memory_order_acquire);

	for (size_t n = 0, i = site_of(code); n < PROBES; n++, i = (i + 1) % SITES) {
		const void *at = atomic_load_explicit(&sites[i].code, memory_order_acquire);

		if (atomic_load_explicit(&sites[i].epoch, memory_order_acquire) == now)
			continue;
		if (!atomic_compare_exchange_strong(&sites[i].code, &at, code))
			continue;
		atomic_store_explicit(&sites[i].copy, copy, memory_order_release);
		atomic_store_explicit(&sites[i].epoch, now, memory_order_release);
		return;
	}
}

/* Interposed for its own sake: what was found for the object's calls is forgotten. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
	static int (*real)(void *);

	if (!real)
		real = (int (*)(void *))look_up(RTLD_NEXT, "dlclose");
	const int result = real ? real(handle) : -1;
	atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
	return result;
}

/* The copy that handle's closure has, or NULL. */
static struct libgomp *copy_behind(void *handle)
{
	const void *probe = find_probe(handle);

	if (!probe)
		return NULL;
	const void *object = loaded_object(probe);
	for (struct libgomp *c = atomic_load(&copies); c; c = c->older) {
		if (c->object == object)
			return c;
	}
	void *p = mmap(NULL, sizeof(struct libgomp), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	struct libgomp *c = p == MAP_FAILED ? NULL : p;
	if (!c)
		return NULL;
	fill_in(c, handle);
	loaded_keep(probe);
	/* Another thread may have added the same: one too many does no harm. */
	struct libgomp *older = atomic_load(&copies);
	do
		c->older = older;
	while (!atomic_compare_exchange_weak(&copies, &older, c));
	return c;
}

static const struct libgomp *copy_of_object(const void *code)
{
	const struct libgomp *c;
	void *object = loaded_object(code);

	if (!object || loaded_is_ours(code))
		return NULL;
	/* A runtime calls by itself what it has itself. */
	for (c = atomic_load(&copies); c; c = c->older) {
		if (c->object == object)
			return c;
	}
	c = copy_behind(RTLD_NEXT);
	if (!c) {
		void *root = loaded_root(object);

		c = root ? copy_behind(root) : NULL;
	}
	return c;
}

/*
 * A tail call's return address is in another object, maybe one without OpenMP; and a call
 * from a body that we run, in this library. In a region or task the call is for the copy
 * that runs it. Outside of all it is for the one that the thread used last, or any: what
 * may be called there does nothing, or locks what the argument points to.
 */
static const struct libgomp *copy_guess(void)
{
	void *object;

	if (self()->copy)
		return self()->copy;
	if (self()->last)
		return self()->last;
	if (atomic_load(&copies))
		return atomic_load(&copies);
	object = loaded_definer("GOMP_barrier");
	return object ? copy_behind(object) : NULL;
}

__attribute__((noinline)) const struct libgomp *copies_find(const void *code)
{
	const int saved = errno;
	const struct libgomp *c;

	if (use_global()) {
		errno = saved;
		return &copies_first;
	}
	c = site_find(code);
	if (!c) {
		c = copy_of_object(code);
		if (c)
			site_add(code, c);
		else
			c = copy_guess();
	}
	self()->last = c;
	errno = saved;
	return c ? c : nothing();
}

__attribute__((visibility("default"))) bool omphwc_gomp_serve(const void *code)
{
	void *object = loaded_object(code);
	struct libgomp *c;

	if (!object || !is_libgomp(code))
		return false;
	c = use_global() && copies_first.object == object ? &copies_first : copy_behind(object);
	if (!c)
		return false;
	list((const void *)c->GOMP_barrier);
	__atomic_store_n(&c->events, true, __ATOMIC_RELEASE);
	if (c == &copies_first)
		jump_know(c);
	return true;
}

static bool is_in_team(const struct libgomp *c, int *number)
{
	if (c->omp_get_level() == 0)
		return false;
	*number = c->omp_get_thread_num();
	return true;
}

bool copies_in_team(int *number)
{
	const struct libgomp *c = &copies_first;

	if (__atomic_load_n(&c->ready, __ATOMIC_ACQUIRE) && c->events && is_in_team(c, number))
		return true;
	for (c = atomic_load(&copies); c; c = c->older) {
		if (c->events && is_in_team(c, number))
			return true;
	}
	return false;
}
