/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_module.c - ids and records of loaded files, written and read back.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ompt_tool/sample/thread.h"
#include "ompt_tool/tree/module.h"
#include "ompt_tool/tree/stack.h"
#include "ompt_tool/unwind/find_object.h"
#include "ompt_tool/unwind/object.h"
#include "src/profile/reader/reader.h"
#include "src/profile/writer.h"
#include "src/toolchain/runtime_name.h"
#include "tests/support/plugin_copy.h"
#include "tests/support/suite_main.h"
#include "tests/support/walk_code.h"

enum { LIMIT = 1 << 24 };

static struct prof_writer writer;
static char path[64];

static uintptr_t libc_code(void)
{
	/* The library's own, whoever stands in for it: sanitizers do. */
	return (uintptr_t)dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "qsort");
}

static uint64_t locate(uintptr_t pc, uint32_t *flags)
{
	*flags = 0xdeadbeef;
	return module_locate(pc, flags);
}

static void setup(void)
{
	snprintf(path, sizeof(path), "check_module.%ld.omphwc", (long)getpid());
	ck_assert_int_eq(prof_create(&writer, path, LIMIT), 0);
	module_init(&writer, "/where/the program is");
}

static void teardown(void)
{
	prof_abandon(&writer);
	unlink(path);
}

/* The file as a reader finds it now, while it is being written. */
static struct prof_file *read_now(void)
{
	struct prof_file *f;
	uint32_t version;

	ck_assert_int_eq(prof_read(path, &f, &version), PROF_READ_OK);
	ck_assert_uint_eq(f->damaged, 0);
	return f;
}

static void *load(const char *name, walk_call **call)
{
	const char *top = getenv("top_builddir");
	char file[4096];
	void *lib;

	snprintf(file, sizeof(file), "%s/.libs/%s.so", top ? top : ".", name);
	lib = dlopen(file, RTLD_NOW);
	object_look();
	ck_assert_msg(lib != NULL, "%s", dlerror());
	*call = (walk_call *)(uintptr_t)dlsym(lib, "walk_plugin");
	ck_assert(*call != NULL);
	return lib;
}

struct reported { /* as struct dl_find_object */
	unsigned long long flags;
	void *start, *end;
	struct link_map *map;
	void *eh_frame;
	unsigned long long reserved[7];
};

START_TEST(test_executable)
{
	uintptr_t own = (uintptr_t)setup;
	uint64_t loc;
	uint32_t flags;
	struct prof_file *f;
	const struct prof_rmodule *m;
	const struct object *o = object_find(own);

	loc = locate(own, &flags);
	ck_assert_uint_eq(PROF_LOC_MODULE(loc), 1);
	ck_assert_uint_eq(flags, PROF_MODULE_MAIN);
	ck_assert_uint_eq(PROF_LOC_ADDRESS(loc), own - o->bias);
	ck_assert_uint_eq(locate(own, &flags), loc);
	ck_assert_uint_eq(module_locate_in((struct object *)o, own + 1, &flags), loc + 1);
	f = read_now();
	ck_assert_uint_eq(f->nmodules, 1);
	m = prof_module_by_id(f, 1);
	ck_assert_str_eq(m->path, "/where/the program is");
	ck_assert_uint_eq(m->flags, PROF_MODULE_MAIN);
	ck_assert_uint_eq(m->map_start, o->lo);
	ck_assert_uint_eq(m->map_end, o->hi);
	ck_assert_uint_le(o->lo, o->start);
	ck_assert_uint_ge(o->hi, o->start + o->bytes);
	ck_assert_uint_eq(m->bias, o->bias);
	ck_assert_uint_eq(m->build_id_bytes, o->build_id_bytes);
	ck_assert_mem_eq(m->build_id, o->build_id, o->build_id_bytes);
	prof_free(f);
}
END_TEST

/*
 * Of a program with a hole between its segments the C library reports each segment, or those before
 * the hole only: the latter is played here.
 */
static int variable = 1;
#ifdef HOLE
static int (*real)(void *pc, struct reported *r);

static int before_hole(void *pc, struct reported *r)
{
	const int result = real(pc, r);

	return result == 0 && (void *)&variable >= r->start && (void *)&variable < r->end ? -1 :
											    result;
}
#endif

START_TEST(test_parts)
{
	struct object *code, *data;
	uint32_t flags;

#ifdef HOLE
	*(void **)&real = dlsym(RTLD_DEFAULT, "_dl_find_object");
	if (!real)
		return; /* glibc before 2.35 */
	find_object_by(_i == 1 ? (void *)before_hole : (void *)real);
#endif
	code = object_find((uintptr_t)setup);
	data = object_find((uintptr_t)&variable);
	ck_assert_ptr_nonnull(code);
	ck_assert_ptr_nonnull(data);
	ck_assert_uint_lt((uintptr_t)&variable - data->start, data->bytes);
	ck_assert_uint_eq(data->bias, code->bias);
	ck_assert_uint_eq(data->eh_hdr, code->eh_hdr);
	ck_assert_uint_lt(code->eh_lo, code->eh_hi);
	ck_assert_uint_lt(code->eh_hdr - code->eh_lo, code->eh_hi - code->eh_lo);
	ck_assert_ptr_nonnull(object_text_of(code, (uintptr_t)setup));
	ck_assert_uint_eq(locate((uintptr_t)&variable, &flags),
			  PROF_LOC(1, (uintptr_t)&variable - code->bias));
	ck_assert_uint_eq(flags, PROF_MODULE_MAIN);
	ck_assert_uint_eq(PROF_LOC_MODULE(locate((uintptr_t)setup, &flags)), 1);
	module_mark((const void *)(uintptr_t)setup, PROF_MODULE_TOOL);
	locate((uintptr_t)&variable, &flags);
	ck_assert_uint_eq(flags, PROF_MODULE_MAIN | PROF_MODULE_TOOL);
#ifdef HOLE
	ck_assert_ptr_ne(data, code);
	ck_assert_ptr_null(object_find(data->start - 1));
#endif
}
END_TEST

/* glibc reports an object until some time after it has unmapped it. What another thread maps there is
   not the object. */
static char *gone;

enum { GONE_PAGES = 4 };

static int reports_gone(void *pc, struct reported *r)
{
	const long page = sysconf(_SC_PAGESIZE);

	if ((char *)pc < gone || (char *)pc >= gone + GONE_PAGES * page)
		return -1;
	*r = (struct reported){ .start = gone,
				.end = gone + GONE_PAGES * page,
				.map = _r_debug.r_map->l_next,
				.eh_frame = gone + page };
	return 0;
}

START_TEST(test_gone)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	gone = mmap(NULL, GONE_PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(gone != MAP_FAILED);
	ck_assert_int_eq(munmap(gone, GONE_PAGES * page), 0);
	find_object_by((void *)reports_gone);
	find_object_unloading();
	ck_assert_ptr_null(object_find((uintptr_t)gone + 3 * page));
	/* Another thread's pages: the last, then all of them. */
	ck_assert(mmap(gone + 3 * page, page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
	ck_assert_ptr_null(object_find((uintptr_t)gone + 3 * page));
	ck_assert(mmap(gone, GONE_PAGES * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
	ck_assert_ptr_null(object_find((uintptr_t)gone + 3 * page));
	ck_assert(find_object_is_unloading());
	find_object_fork_child();
	ck_assert(!find_object_is_unloading());
	find_object_unloaded(); /* the parent's dlclose() goes on in a child */
	ck_assert(!find_object_is_unloading());
}
END_TEST

/* The build-id as the loader's own list leads to it. */
static int read_build_id(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	unsigned char *id = arg;

	(void)bytes;
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr),
			   *end = at + p->p_memsz;

		if (p->p_type != PT_NOTE)
			continue;
		for (; at + 36 <= end; at += 4)
			if (!memcmp(at, "\4\0\0\0\24\0\0\0\3\0\0\0GNU", 16))
				memcpy(id, at + 16, 20);
	}
	return 1;
}

START_TEST(test_library)
{
	unsigned char id[20] = { 0 };
	uint32_t flags;
	uint64_t loc = locate(libc_code(), &flags);
	struct prof_file *f = read_now();
	const struct prof_rmodule *m = prof_module_by_id(f, PROF_LOC_MODULE(loc));
	Dl_info info;

	ck_assert_int_ne(dladdr((void *)libc_code(), &info), 0);
	ck_assert_uint_eq(flags, 0);
	ck_assert_ptr_nonnull(m);
	ck_assert_str_eq(m->path, info.dli_fname);
	ck_assert_uint_eq(PROF_LOC_ADDRESS(loc), libc_code() - (uintptr_t)info.dli_fbase);
	ck_assert_int_eq(dl_iterate_phdr(read_build_id, id), 1);
	ck_assert_uint_eq(m->build_id_bytes, 20);
	ck_assert_mem_eq(m->build_id, id, 20);
	prof_free(f);
}
END_TEST

START_TEST(test_vdso)
{
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
	uint32_t flags;
	uint64_t loc = locate(vdso + 64, &flags);
	struct prof_file *f = read_now();

	if (vdso) { /* a kernel may be booted without */
		ck_assert_uint_eq(flags, PROF_MODULE_VDSO);
		ck_assert_uint_eq(PROF_LOC_MODULE(loc), 1);
		ck_assert_str_eq(prof_module_by_id(f, 1)->path, "[vdso]");
	}
	prof_free(f);
}
END_TEST

START_TEST(test_nowhere)
{
	static const uintptr_t places[] = { 0, 1, 4096, 0x123456789abc, UINTPTR_MAX };
	char *m = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t flags;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		ck_assert_uint_eq(locate(places[i], &flags), PROF_LOC(0, places[i]));
		ck_assert_uint_eq(flags, 0);
	}
	ck_assert_uint_eq(locate((uintptr_t)m, &flags), PROF_LOC(0, (uintptr_t)m));
	ck_assert_uint_eq(module_locate_in(NULL, (uintptr_t)m, &flags), PROF_LOC(0, (uintptr_t)m));
	module_mark(m, PROF_MODULE_RUNTIME);
	ck_assert_uint_eq(locate((uintptr_t)m, &flags), PROF_LOC(0, (uintptr_t)m));
	ck_assert_uint_eq(flags, 0);
}
END_TEST

START_TEST(test_without_writer)
{
	uint32_t flags;

	module_init(NULL, "");
	ck_assert_uint_eq(locate(libc_code(), &flags), PROF_LOC(0, libc_code()));
	/* It isn't forgotten that there was no number. */
	module_init(&writer, "");
	ck_assert_uint_eq(PROF_LOC_MODULE(locate(libc_code(), &flags)), 1);
}
END_TEST

START_TEST(test_mark)
{
	uint32_t flags;
	struct prof_file *f;

	/* Before its first sample, and after. */
	module_mark((const void *)libc_code(), PROF_MODULE_RUNTIME);
	locate(libc_code(), &flags);
	ck_assert_uint_eq(flags, PROF_MODULE_RUNTIME);
	locate((uintptr_t)setup, &flags);
	module_mark((const void *)(uintptr_t)setup, PROF_MODULE_TOOL);
	locate((uintptr_t)setup, &flags);
	ck_assert_uint_eq(flags, PROF_MODULE_MAIN | PROF_MODULE_TOOL);
	f = read_now();
	ck_assert_uint_eq(prof_module_by_id(f, 1)->flags, PROF_MODULE_RUNTIME);
	ck_assert_uint_eq(prof_module_by_id(f, 2)->flags, PROF_MODULE_MAIN | PROF_MODULE_TOOL);
	prof_free(f);
	/* A fork's child numbers anew, and keeps the marks; others are made before it has
	   a profile, when the parent's records are gone. */
	teardown();
	module_init(NULL, "");
	module_mark((const void *)(uintptr_t)setup, PROF_MODULE_RUNTIME);
	setup();
	locate((uintptr_t)setup, &flags);
	ck_assert_uint_eq(flags, PROF_MODULE_MAIN | PROF_MODULE_TOOL | PROF_MODULE_RUNTIME);
	ck_assert_uint_eq(PROF_LOC_MODULE(locate(libc_code(), &flags)), 2);
	ck_assert_uint_eq(flags, PROF_MODULE_RUNTIME);
	f = read_now();
	ck_assert_uint_eq(f->nmodules, 2);
	ck_assert_uint_eq(prof_module_by_id(f, 2)->flags, PROF_MODULE_RUNTIME);
	prof_free(f);
}
END_TEST

/* The same file keeps its number wherever it is loaded; another has its own,
   also where the first one was. */
START_TEST(test_libraries_come_and_go)
{
	const char *name[2] = { _i == 0 ? "walk_plugin_small" : "walk_plugin_small_fp",
				_i == 0 ? "walk_plugin_large" : "walk_plugin_large_fp" };
	walk_call *small, *large, *again, *elsewhere;
	uint64_t loc[4];
	uint32_t flags;
	void *lib = load(name[0], &small);

	loc[0] = locate((uintptr_t)small, &flags);
	dlclose(lib);
	lib = load(name[1], &large);
	loc[1] = locate((uintptr_t)large, &flags);
	dlclose(lib);
	ck_assert_msg(small == large, "the loader uses another place");
	ck_assert_uint_ne(PROF_LOC_MODULE(loc[0]), PROF_LOC_MODULE(loc[1]));
	lib = load(name[0], &again);
	ck_assert_uint_eq(locate((uintptr_t)again, &flags), loc[0]);
	dlclose(lib);
	mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	load(name[0], &elsewhere);
	ck_assert_msg(elsewhere != small, "the loader uses the same place");
	ck_assert_uint_eq(locate((uintptr_t)elsewhere, &flags), loc[0]);
	ck_assert_uint_eq(PROF_LOC_MODULE(loc[0]), 1);
	ck_assert_uint_eq(PROF_LOC_MODULE(loc[1]), 2);
}
END_TEST

/* The stack in the plug-in, where the last one was kept. */
static struct stack stack;

static void walk_here(void)
{
	static struct unwind_cache rules;
	struct thread *t = calloc(1, sizeof(*t));
	struct unwind_cursor c;
	struct bounds b;
	pthread_attr_t attr;
	size_t bytes;
	void *lo;

	ck_assert_ptr_nonnull(t);
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &lo, &bytes);
	pthread_attr_destroy(&attr);
	t->own.lo = (uintptr_t)lo;
	t->own.hi = (uintptr_t)lo + bytes;
	unwind_begin_here(&c);
	bounds_begin(&b, &t->own, c.sp, NULL);
	stack_walk(&stack, &c, &rules, &b);
	free(t);
}

static uint32_t module_of_plugin(walk_call *call)
{
	for (uint32_t i = 0; i < stack.n; i++)
		if (stack.frame[i].pc - (uintptr_t)call < 256)
			return PROF_LOC_MODULE(stack.loc[i]);
	ck_abort_msg("the plug-in was not met");
}

/* The same code in the same place, called alike: that it is another file's only the
   path shows, and for the last stack that somebody told of the change. */
START_TEST(test_place_taken)
{
	uint32_t id[6], kept = 0;
	walk_call *first = NULL;

	for (int i = 0; i < 6; i++) {
		walk_call *call;
		void *lib = plugin_load(i % 2 != 0, &call);

		first = i == 0 ? call : first;
		ck_assert_msg(call == first, "the loader uses another place");
		for (int k = 0; k < 2; k++) {
			call(walk_here);
			kept += stack.kept;
			id[i] = module_of_plugin(call);
			ck_assert_uint_ne(id[i], 0);
		}
		dlclose(lib);
		object_epoch_advance();
	}
	ck_assert_uint_gt(kept, 0);
	ck_assert_uint_ne(id[0], id[1]);
	for (int i = 2; i < 6; i++)
		ck_assert_uint_eq(id[i], id[i % 2]);
}
END_TEST

static int count_objects(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	(void)info;
	(void)bytes;
	++*(size_t *)arg;
	return 0;
}

static const char *rename_libc(const char *name)
{
	return strstr(name, "libc.so") ? "/another/name" : NULL;
}

START_TEST(test_scan)
{
	size_t objects = 0;
	uint32_t flags, id;
	struct prof_file *f;

	dl_iterate_phdr(count_objects, &objects);
	module_scan(rename_libc);
	f = read_now();
	ck_assert_uint_eq(f->nmodules, objects);
	id = PROF_LOC_MODULE(locate(libc_code(), &flags));
	ck_assert_str_eq(prof_module_by_id(f, id)->path, "/another/name");
	ck_assert_uint_eq(f->nmodules, objects);
	prof_free(f);
}
END_TEST

/* A file that can't grow: samples keep their addresses, and nothing is tried
   again and again. */
START_TEST(test_no_room)
{
	static char bytes[PROF_PAGE];
	uint32_t flags;

	while (prof_info_append(&writer, PROF_INFO_NOTE, bytes, sizeof(bytes) / 2, NULL, 0))
		;
	while (prof_info_append(&writer, PROF_INFO_NOTE, bytes, 64, NULL, 0))
		;
	ck_assert_uint_eq(locate(libc_code(), &flags), PROF_LOC(0, libc_code()));
	ck_assert_uint_eq(flags, 0);
	ck_assert_uint_eq(locate(libc_code(), &flags), PROF_LOC(0, libc_code()));
	prof_free(read_now());
}
END_TEST

enum { THREADS = 8, OBJECTS = 64 };

static struct object *objects[OBJECTS];
static int nobjects;
static uint64_t located[THREADS][OBJECTS];
static pthread_barrier_t barrier;

static int collect(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	(void)bytes;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum && nobjects < OBJECTS; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD) {
			objects[nobjects++] =
				object_find(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
			break;
		}
	return 0;
}

static void *locate_all(void *arg)
{
	uint64_t *loc = arg;
	uint32_t flags;

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < nobjects; i++)
		loc[i] = locate(objects[i]->start, &flags);
	return NULL;
}

/* All at once meet all objects for the first time: one number for each. */
START_TEST(test_threads)
{
	pthread_t t[THREADS];

	dl_iterate_phdr(collect, NULL);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int round = 0; round < 50; round++) {
		struct prof_file *f;

		teardown();
		setup();
		for (int i = 0; i < THREADS; i++)
			ck_assert_int_eq(pthread_create(&t[i], NULL, locate_all, located[i]), 0);
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
		f = read_now();
		for (int i = 0; i < nobjects; i++) {
			uint32_t id = PROF_LOC_MODULE(located[0][i]);

			ck_assert_ptr_nonnull(prof_module_by_id(f, id));
			for (int k = 1; k < THREADS; k++)
				ck_assert_uint_eq(located[k][i], located[0][i]);
			for (int k = 0; k < i; k++)
				ck_assert_uint_ne(PROF_LOC_MODULE(located[0][k]), id);
		}
		prof_free(f);
	}
}
END_TEST

static const struct {
	const char *path;
	bool runtime;
} names[] = {
	{ "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", true },
	{ "/site-packages/torch/lib/libgomp-a34b3233.so.1.0.0", true },
	{ "/site-packages/sklearn.libs/libgomp-a34b3233.so.1.0.0", true },
	{ "libomp.so.5", true },
	{ "/opt/libomp5.so", true },
	{ "/opt/libiomp5.so", true },
	{ "libomp-74f3ffd5.so", true },
	{ "/usr/lib/libomptarget.rtl.x86_64.so.14", true },
	{ "/usr/lib/libomptarget.so", true },
	{ "/usr/lib/omphwc/libomphwc-gomp.so", true },
	{ "/usr/lib/libomphwc.so.0", false },
	{ "/usr/lib/libomphwc_heap.so", false },
	{ "/usr/lib/libompi.so", false },
	{ "/usr/lib/libompd.so", false },
	{ "/usr/lib/libgompers.so", false },
	{ "/home/libgomp.so/program", false },
	{ "libgomp", false },
	{ "libgomp.a", false },
	{ "xlibgomp.so", false },
	{ "", false },
	{ "/opt/FJSVxtclanga/lib64/libfjomphk.so", true },
	{ "/opt/FJSVxtclanga/lib64/libfjompcrt.so.1", true },
	{ "/usr/lib/libmpcomp.so", true },
	{ "/opt/cray/pe/cce/lib/libu.so.1", true },
	{ "/usr/lib/libudev.so.1", false },
	{ "/usr/lib/libunwind.so.8", false },
};

START_TEST(test_runtime_names)
{
	char copy[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t n = strlen(names[i].path);

		ck_assert_msg(prof_is_runtime_name(names[i].path, n) == names[i].runtime, "%s",
			      names[i].path);
		/* No byte behind it counts. */
		snprintf(copy, sizeof(copy), "%s.so", names[i].path);
		ck_assert(prof_is_runtime_name(copy, n) == names[i].runtime);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("module");
	TCase *t = tcase_create("modules");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, test_executable);
	tcase_add_loop_test(t, test_parts, 0, 2);
	tcase_add_test(t, test_gone);
	tcase_add_test(t, test_library);
	tcase_add_test(t, test_vdso);
	tcase_add_test(t, test_nowhere);
	tcase_add_test(t, test_without_writer);
	tcase_add_test(t, test_mark);
	tcase_add_test(t, test_runtime_names);
	tcase_add_loop_test(t, test_libraries_come_and_go, 0, 2);
	tcase_add_test(t, test_place_taken);
	tcase_add_test(t, test_scan);
	tcase_add_test(t, test_no_room);
	tcase_add_test(t, test_threads);
	suite_add_tcase(s, t);
	return suite_main(s);
}
