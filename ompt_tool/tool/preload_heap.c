/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload_heap.c - libomphwc_heap.so: the malloc interposer, for profiles that report
 * the heap's blocks apart.
 *
 * It is a library of its own, so that programs whose events report no addresses keep
 * their malloc as it is. Each function calls the next definition of its name in the
 * loader's order, libc's or another interposer's, and reports to libomphwc.so
 * (heap_link.h) of each large block that is allocated and of each block that is
 * freed.
 *
 * The next functions are looked up in the first call of any of these. The loader
 * makes that call, before there is a second thread. The look-up may allocate: those
 * blocks come from a small static store and are never freed. So the next allocator
 * sees only the calls of the program and the loader: a sanitizer's allocator, which
 * the loader calls while the sanitizer starts, would not bear ours.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/tool/heap_link.h"

#define EXPORT __attribute__((visibility("default")))

struct heap_link omphwc_heap = { .least = SIZE_MAX };

enum { STORE_BYTES = 1 << 14, STORE_ALIGN = 16 };

static struct {
	alignas(STORE_ALIGN) unsigned char bytes[STORE_BYTES];
	size_t used;
} store;

/* ---- while the next functions are looked up -------------------------------- */

/* Takes bytes from the store, by an atomic addition. */
static void *store_take(size_t bytes)
{
	const size_t room = bytes > STORE_BYTES ?
				    STORE_BYTES + 1 :
				    (bytes + 2 * STORE_ALIGN - 1) & ~(size_t)(STORE_ALIGN - 1);
	const size_t at = __atomic_fetch_add(&store.used, room, __ATOMIC_RELAXED);

	if (room > STORE_BYTES || at > STORE_BYTES - room) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(store.bytes + at, &bytes, sizeof(bytes));
	return store.bytes + at + STORE_ALIGN;
}

static bool is_stored(const void *p)
{
	return (uintptr_t)p - (uintptr_t)store.bytes < STORE_BYTES;
}

static size_t stored_bytes(const void *p)
{
	size_t bytes;

	memcpy(&bytes, (const unsigned char *)p - STORE_ALIGN, sizeof(bytes));
	return bytes;
}

static void *early_malloc(size_t bytes)
{
	return store_take(bytes);
}

static void *early_calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return store_take(bytes); /* never used before: the bytes are zero */
}

static void *early_realloc(void *old, size_t bytes)
{
	void *p = store_take(bytes);

	if (p && old)
		memcpy(p, old, stored_bytes(old) < bytes ? stored_bytes(old) : bytes);
	return p;
}

static void early_free(void *p)
{
	(void)p;
}

/* Owned by this file; written before there is a second thread. */
static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*reallocarray)(void *, size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*free_sized)(void *, size_t);
	void (*free_aligned_sized)(void *, size_t, size_t);
	bool found;
} next;

/* Called through volatile pointers. The declarations promise compilers that these
   functions never call back into this file, so the compiler might drop stores that the
   look-up needs. They do call back: both allocate. */
static void *(*volatile look_up)(void *, const char *) = dlsym;
static char *(*volatile look_up_error)(void) = dlerror;

#define FIND(name) (__typeof__(next.name))look_up(RTLD_NEXT, #name)

static __attribute__((noinline)) void find_next(void)
{
	static bool looking;
	int saved = errno;

	if (looking)
		return; /* called by the look-up */
	looking = true;
	next.malloc = early_malloc;
	next.calloc = early_calloc;
	next.realloc = early_realloc;
	next.free = early_free;
	void *(*real_malloc)(size_t) = FIND(malloc);
	void *(*real_calloc)(size_t, size_t) = FIND(calloc);
	void *(*real_realloc)(void *, size_t) = FIND(realloc);
	void (*real_free)(void *) = FIND(free);
	next.reallocarray = FIND(reallocarray);
	next.posix_memalign = FIND(posix_memalign);
	next.aligned_alloc = FIND(aligned_alloc);
	next.memalign = FIND(memalign);
	next.valloc = FIND(valloc);
	next.pvalloc = FIND(pvalloc);
	next.free_sized = FIND(free_sized);
	next.free_aligned_sized = FIND(free_aligned_sized);
	/* Some functions are in no library: that is no error of the program's.
	   dlerror() is called here so that its message is allocated in our store, too,
	   and then dropped. */
	look_up_error();
	next.malloc = real_malloc;
	next.calloc = real_calloc;
	next.realloc = real_realloc;
	next.free = real_free;
	next.found = true;
	errno = saved;
}

static inline void need_next(void)
{
	if (__builtin_expect(!next.found, 0))
		find_next();
}

/* ---- what is reported to libomphwc.so ------------------------------------------------ */

/* The call of the function in which this is written. The frame address makes the
   compiler keep that function's frame. */
#define HERE \
	(&(struct heap_call){ (uintptr_t)__builtin_return_address(0), \
			      (uintptr_t)__builtin_frame_address(0) })

static inline bool is_reported(const void *block, size_t bytes)
{
	return __builtin_expect(bytes >= __atomic_load_n(&omphwc_heap.least, __ATOMIC_ACQUIRE),
				0) &&
	       block;
}

static inline void gone(void *block, struct blocks_was *was)
{
	void (*report)(void *, struct blocks_was *) =
		__atomic_load_n(&omphwc_heap.gone, __ATOMIC_ACQUIRE);

	was->context = 0;
	if (report && block)
		report(block, was);
}

/* After realloc(): where it failed, the old block lives on. */
static inline void changed(const void *now, void *old, size_t bytes, const struct blocks_was *was)
{
	if (!now && bytes != 0 && was->context != 0)
		omphwc_heap.kept(old, was);
}

/* ---- the functions --------------------------------------------------------------- */

EXPORT void *malloc(size_t bytes)
{
	need_next();
	void *p = next.malloc(bytes);

	if (is_reported(p, bytes))
		omphwc_heap.born(p, bytes, HERE);
	return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
	need_next();
	void *p = next.calloc(n, size);

	/* An overflow of n * size was refused. */
	if (is_reported(p, n * size))
		omphwc_heap.born(p, n * size, HERE);
	return p;
}

EXPORT void free(void *p)
{
	struct blocks_was was;

	need_next();
	if (__builtin_expect(is_stored(p), 0))
		return;
	gone(p, &was);
	next.free(p);
}

EXPORT void *realloc(void *old, size_t bytes)
{
	struct blocks_was was;

	need_next();
	if (__builtin_expect(is_stored(old), 0)) {
		void *moved = malloc(bytes);

		if (moved)
			memcpy(moved, old, stored_bytes(old) < bytes ? stored_bytes(old) : bytes);
		return moved;
	}
	gone(old, &was);
	void *p = next.realloc(old, bytes);
	changed(p, old, bytes, &was);
	if (is_reported(p, bytes))
		omphwc_heap.born(p, bytes, HERE);
	return p;
}

EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	struct blocks_was was;
	size_t bytes;

	need_next();
	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (!next.reallocarray || is_stored(old))
		return realloc(old, bytes);
	gone(old, &was);
	void *p = next.reallocarray(old, n, size);
	changed(p, old, bytes, &was);
	if (is_reported(p, bytes))
		omphwc_heap.born(p, bytes, HERE);
	return p;
}

EXPORT int posix_memalign(void **p, size_t align, size_t bytes)
{
	need_next();
	if (!next.posix_memalign)
		return ENOMEM;
	int err = next.posix_memalign(p, align, bytes);

	if (err == 0 && is_reported(*p, bytes))
		omphwc_heap.born(*p, bytes, HERE);
	return err;
}

/* Functions that a library may lack. */
#define ALIGNED(name, parameters, arguments) \
	EXPORT void *name parameters \
	{ \
		need_next(); \
		if (!next.name) { \
			errno = ENOMEM; \
			return NULL; \
		} \
		void *p = next.name arguments; \
		if (is_reported(p, bytes)) \
			omphwc_heap.born(p, bytes, HERE); \
		return p; \
	}

void *memalign(size_t align, size_t bytes);
void *pvalloc(size_t bytes);
ALIGNED(aligned_alloc, (size_t align, size_t bytes), (align, bytes))
ALIGNED(memalign, (size_t align, size_t bytes), (align, bytes))
ALIGNED(valloc, (size_t bytes), (bytes))
ALIGNED(pvalloc, (size_t bytes), (bytes))

/* C23's, which few libraries define. */
#define FREE(name, parameters, arguments) \
	void name parameters; \
	EXPORT void name parameters \
	{ \
		struct blocks_was was; \
\
		need_next(); \
		if (!next.name || is_stored(p)) { \
			free(p); \
			return; \
		} \
		gone(p, &was); \
		next.name arguments; \
	}
FREE(free_sized, (void *p, size_t bytes), (p, bytes))
FREE(free_aligned_sized, (void *p, size_t align, size_t bytes), (p, align, bytes))

__attribute__((constructor)) static void preloaded(void)
{
	need_next();
}
