/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_program_bind.c - binds our wrappers of libc's functions where the loader did not:
 * in a library that is linked into the program.
 */
#include "config.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ompt_tool/program/wrappers.h"
#include "tests/support/bind_plugin.h"
#include "tests/support/program_fixture.h"
#include "tests/support/suite_main.h"

/* A linker that knows smaller pages than the kernel has lets what is read-only end in the
   midst of one, which the loader then leaves writable: some words further than it was. */
static void lengthen_closed(unsigned char *bytes)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) p;

	memcpy(&head, bytes, sizeof(head));
	for (int i = 0; i < head.e_phnum; i++) {
		unsigned char *at = bytes + head.e_phoff + (size_t)i * sizeof(p);

		memcpy(&p, at, sizeof(p));
		if (p.p_type == PT_GNU_RELRO)
			p.p_memsz += 256;
		memcpy(at, &p, sizeof(p));
	}
}

static void copy_partly_closed(const char *from, const char *to)
{
	static unsigned char bytes[1 << 20];
	FILE *in = fopen(from, "re"), *out = fopen(to, "we");

	ck_assert(in != NULL && out != NULL);
	const size_t n = fread(bytes, 1, sizeof(bytes), in);

	ck_assert(n > sizeof(ElfW(Ehdr)) && n < sizeof(bytes));
	lengthen_closed(bytes);
	ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
	fclose(in);
	ck_assert_int_eq(fclose(out), 0);
}

#define PARTLY "bind_plugin_now, partly closed"

static void *load(const char *name, const struct bind_plugin **plugin)
{
	const char *top = getenv("top_builddir");
	const int length = (int)strcspn(name, ",");
	char file[4096], copy[64];

	snprintf(file, sizeof(file), "%s/.libs/%.*s.so", top != NULL ? top : ".", length, name);
	snprintf(copy, sizeof(copy), "./bind_plugin_copy.%ld.so", (long)getpid());
	if (name[length] != '\0') {
		copy_partly_closed(file, copy);
		snprintf(file, sizeof(file), "%s", copy);
	}
	/* Deep: its own definitions come first. */
	void *lib = dlopen(file, (strstr(name, "lazy") != NULL ? RTLD_LAZY : RTLD_NOW) |
					 (strstr(name, "own") != NULL ? RTLD_DEEPBIND : 0));

	unlink(copy);
	ck_assert_msg(lib != NULL, "%s", dlerror());
	if (plugin != NULL) {
		*plugin = dlsym(lib, "bind_plugin");
		ck_assert_ptr_nonnull(*plugin);
	}
	return lib;
}

/* How many times our munmap() has run in call(), which must end as libc's does. */
static int runs_of(int (*call)(void))
{
	const int before = program_seen.protects;

	errno = 0;
	ck_assert_int_eq(call(), -1);
	ck_assert_int_eq(errno, EINVAL);
	/* Told before and after. */
	ck_assert_int_eq((program_seen.protects - before) % 2, 0);
	return (program_seen.protects - before) / 2;
}

static void *ends(void *arg)
{
	return arg;
}

static void make_thread(void)
{
	pthread_t t;

	ck_assert_int_eq(pthread_create(&t, NULL, ends, NULL), 0);
	pthread_join(t, NULL);
}

static int own_call(void)
{
	return munmap((void *)(uintptr_t)1, 0);
}

static const char *const objects[] = {
	"bind_plugin_lazy",
	"bind_plugin_now",
	PARTLY,
};
enum { OBJECTS = sizeof(objects) / sizeof(*objects) };

/* ---- whose calls come to us --------------------------------------------------- */

START_TEST(calls_of_what_is_there_come_to_us)
{
	const struct bind_plugin *p;

	load(objects[_i], &p);
	ck_assert_int_eq(runs_of(p->by_address), 0);
	ck_assert_int_eq(runs_of(own_call), 0);
	program_fixture_take(PROGRAM_QUEUED);
	ck_assert(!program_is_apart);
	/* Of a lazy one that has not been called yet, too. */
	ck_assert_int_eq(runs_of(p->by_call), 1);
	ck_assert_int_eq(runs_of(p->by_address), 1);
	ck_assert_int_eq(runs_of(p->by_table), 1);
	ck_assert_int_eq(runs_of(own_call), 1);
	make_thread();
	ck_assert_int_eq(program_seen.threads, 1);
}
END_TEST

START_TEST(what_was_loaded_since_does_with_the_next_thread)
{
	const struct bind_plugin *p;

	program_fixture_take(PROGRAM_QUEUED);
	load(objects[_i], &p);
	ck_assert_int_eq(runs_of(p->by_call), 0);
	ck_assert_int_eq(runs_of(p->by_table), 0);
	make_thread();
	ck_assert_int_eq(runs_of(p->by_call), 1);
	ck_assert_int_eq(runs_of(p->by_address), 1);
	ck_assert_int_eq(runs_of(p->by_table), 1);
	/* Once for each call, however often it was bound. */
	load(objects[(_i + 1) % OBJECTS], NULL);
	make_thread();
	bind_all();
	ck_assert_int_eq(runs_of(p->by_call), 1);
	ck_assert_int_eq(runs_of(own_call), 1);
}
END_TEST

START_TEST(objects_come_and_go)
{
	const struct bind_plugin *p;

	program_fixture_take(PROGRAM_QUEUED);
	for (int round = 0; round < 6; round++) {
		void *lib = load(objects[round % OBJECTS], &p);

		if (round % 2 == 0)
			make_thread();
		ck_assert_int_eq(runs_of(p->by_call), round % 2 == 0);
		ck_assert_int_eq(dlclose(lib), 0);
		make_thread();
		ck_assert_int_eq(program_seen.unloads, round + 1);
	}
	ck_assert_int_eq(runs_of(own_call), 1);
}
END_TEST

/* ---- whose do not -------------------------------------------------------------- */

static int programs_own(void *at, size_t bytes)
{
	(void)at;
	(void)bytes;
	errno = EINVAL;
	return -1;
}

START_TEST(what_the_program_put_there_stays)
{
	const struct bind_plugin *p;

	program_fixture_take(PROGRAM_QUEUED);
	load(objects[_i], &p);
	p->change_table(programs_own);
	make_thread();
	ck_assert_int_eq(runs_of(p->by_table), 0);
	ck_assert_int_eq(runs_of(p->by_call), 1);
	/* Also in the place of ours. */
	load(objects[(_i + 1) % OBJECTS], &p);
	make_thread();
	ck_assert_int_eq(runs_of(p->by_table), 1);
	p->change_table(programs_own);
	load(objects[(_i + 2) % OBJECTS], NULL);
	make_thread();
	ck_assert_int_eq(runs_of(p->by_table), 0);
}
END_TEST

static const char *const definers[] = { "bind_plugin_own_lazy", "bind_plugin_own_now" };

START_TEST(a_definition_of_its_own_stays_an_objects)
{
	const struct bind_plugin *p;

	program_fixture_take(PROGRAM_QUEUED);
	load(definers[_i], &p);
	make_thread();
	/* Whether it has been called before, or not. */
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(p->by_call(), BIND_PLUGIN_OWN_RESULT);
		ck_assert_int_eq(p->by_address(), BIND_PLUGIN_OWN_RESULT);
		ck_assert_int_eq(p->by_table(), BIND_PLUGIN_OWN_RESULT);
		load("bind_plugin_now", NULL);
		make_thread();
	}
}
END_TEST

/* ---- pages ---------------------------------------------------------------------- */

struct range {
	uintptr_t in, begin, end; /* the pages of `in's object that the loader closes */
};

static int find_closed(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct range *r = arg, found = { 0, 0, 0 };
	bool is_it = false;

	(void)bytes;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uintptr_t at = info->dlpi_addr + p->p_vaddr;

		is_it = is_it || (p->p_type == PT_LOAD && r->in - at < p->p_memsz);
		if (p->p_type == PT_GNU_RELRO) {
			found.begin = at & ~(page - 1);
			found.end = (at + p->p_memsz) & ~(page - 1);
		}
	}
	if (is_it) {
		r->begin = found.begin;
		r->end = found.end;
	}
	return is_it;
}

/* Of the pages from begin to end: how many can be written. */
static int writable(uintptr_t begin, uintptr_t end)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4200];
	int n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		uintptr_t lo, hi;
		char mode[8];

		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s", &lo, &hi, mode) == 3 &&
		    lo < end && hi > begin && mode[1] == 'w')
			n++;
	}
	fclose(f);
	return n;
}

START_TEST(pages_are_as_the_loader_left_them)
{
	const struct bind_plugin *p;

	program_fixture_take(PROGRAM_QUEUED);
	load(objects[_i], &p);
	struct range r = { .in = (uintptr_t)p->by_call };

	ck_assert_int_eq(dl_iterate_phdr(find_closed, &r), 1);
	ck_assert_int_eq(writable(r.begin, r.end), 0);
	make_thread();
	ck_assert_int_eq(writable(r.begin, r.end), 0);
	ck_assert_int_eq(runs_of(p->by_address), 1);
	/* Writes to the page of the table. */
	ck_assert_int_eq(runs_of(p->by_table), 1);
}
END_TEST

/* ---- and the loader's locks ----------------------------------------------------- */

static void *makes_another(void *arg)
{
	make_thread();
	return arg;
}

static volatile bool waits_in_constructor;

void bind_plugin_loaded(void)
{
	pthread_t t;

	if (!waits_in_constructor)
		return;
	ck_assert_int_eq(pthread_create(&t, NULL, makes_another, NULL), 0);
	pthread_join(t, NULL);
}

/* Who loads an object holds the loader's lock, and waits here for a thread that makes
   another, as who begins a team in a team does. */
START_TEST(an_objects_constructor_may_wait_for_threads)
{
	program_fixture_take(PROGRAM_QUEUED);
	waits_in_constructor = true;
	load("bind_plugin_now", NULL);
	ck_assert_int_eq(program_seen.threads, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("program bind");
	TCase *c = tcase_create("bind");

	tcase_set_timeout(c, 20);
	tcase_add_loop_test(c, calls_of_what_is_there_come_to_us, 0, OBJECTS);
	tcase_add_loop_test(c, what_was_loaded_since_does_with_the_next_thread, 0, OBJECTS);
	tcase_add_test(c, objects_come_and_go);
	tcase_add_loop_test(c, what_the_program_put_there_stays, 0, OBJECTS);
	tcase_add_loop_test(c, a_definition_of_its_own_stays_an_objects, 0, 2);
	tcase_add_loop_test(c, pages_are_as_the_loader_left_them, 0, OBJECTS);
	tcase_add_test(c, an_objects_constructor_may_wait_for_threads);
	suite_add_tcase(suite, c);

	return suite_main(suite);
}
