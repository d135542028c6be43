/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The containers: maps, interned strings, growing arrays and tables, with memory and without.
 */
#include "config.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/exit_status.h"
#include "src/base/grow.h"
#include "src/base/hash.h"
#include "src/base/interner.h"
#include "src/base/map.h"
#include "src/base/pinned.h"
#include "tests/support/suite_main.h"

/* Allocations fail once so many more have succeeded; -1: none does. */
static int allocations = -1;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

static bool fails(void)
{
	if (allocations > 0)
		allocations--;
	else if (allocations == 0)
		return true;
	return false;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

static void teardown(void)
{
	allocations = -1;
}

enum { MANY = 5000 };

/* ---- numbers ----------------------------------------------------------- */

START_TEST(a_map_keeps_numbers_while_it_grows)
{
	struct map m = { 0 };
	uint32_t value;

	ck_assert_uint_eq(map_get(&m, 0, 0, 5), 5);
	for (uint64_t i = 0; i < MANY; i++) {
		ck_assert_int_eq(map_add(&m, i * i, i << 40, (uint32_t)i, &value), 1);
		ck_assert_uint_eq(value, i);
	}
	ck_assert_uint_eq(m.count, MANY);
	for (uint64_t i = 0; i < MANY; i++) {
		ck_assert_uint_eq(map_get(&m, i * i, i << 40, UINT32_MAX), i);
		ck_assert_int_eq(map_add(&m, i * i, i << 40, 99, &value), 0);
		ck_assert_uint_eq(value, i);
	}
	ck_assert_uint_eq(m.count, MANY);
	ck_assert_uint_eq(map_get(&m, 7, 7, UINT32_MAX), UINT32_MAX);
	map_free(&m);
	ck_assert_uint_eq(map_get(&m, 0, 0, 5), 5);
}
END_TEST

/* The order of a pair matters, and 0 and UINT32_MAX are numbers like others. */
START_TEST(a_map_tells_pairs_apart)
{
	struct map m = { 0 };
	uint32_t value;

	ck_assert_int_eq(map_add(&m, 1, 2, 0, &value), 1);
	ck_assert_int_eq(map_add(&m, 2, 1, UINT32_MAX, &value), 1);
	ck_assert_int_eq(map_add(&m, 0, 0, 7, &value), 1);
	ck_assert_uint_eq(map_get(&m, 1, 2, 9), 0);
	ck_assert_uint_eq(map_get(&m, 2, 1, 9), UINT32_MAX);
	ck_assert_uint_eq(map_get(&m, 0, 0, 9), 7);
	ck_assert_uint_eq(map_get(&m, 1, 1, 9), 9);
	map_free(&m);
}
END_TEST

/* Finds two pairs with the same hash, which a birthday search finds soon. */
static void find_collision(uint64_t *x, uint64_t *y)
{
	enum { TRIED = 400000 };
	struct hash seen = { 0 };

	for (uint32_t i = 0; i < TRIED; i++) {
		const uint32_t hash = hash_of_pair(i, 0);
		size_t at = hash;
		uint32_t n;

		if (hash_next(&seen, hash, &at, &n)) {
			*x = n;
			*y = i;
			hash_free(&seen);
			return;
		}
		hash_add(&seen, hash, i);
	}
	ck_abort_msg("no collision among %d pairs", TRIED);
}

START_TEST(a_map_keeps_pairs_that_collide)
{
	struct map m = { 0 };
	uint64_t x, y;
	uint32_t value;

	find_collision(&x, &y);
	ck_assert_uint_ne(x, y);
	ck_assert_int_eq(map_add(&m, x, 0, 1, &value), 1);
	ck_assert_uint_eq(map_get(&m, y, 0, 9), 9);
	ck_assert_int_eq(map_add(&m, y, 0, 2, &value), 1);
	for (uint32_t i = 0; i < MANY; i++)
		ck_assert_int_eq(map_add(&m, i, 1, i, &value), 1);
	ck_assert_uint_eq(map_get(&m, x, 0, 9), 1);
	ck_assert_uint_eq(map_get(&m, y, 0, 9), 2);
	map_free(&m);
}
END_TEST

/* A search begins at the hash's slot and goes on past the table's end to a free slot. */
START_TEST(a_table_of_one_hash_gives_all_of_its_numbers)
{
	enum { ALIKE = 100 };
	bool seen[ALIKE] = { false };
	struct hash h = { 0 };
	size_t at = UINT32_MAX;
	uint32_t n, found = 0;

	ck_assert(!hash_next(&h, UINT32_MAX, &at, &n));
	for (uint32_t i = 0; i < ALIKE; i++)
		hash_add(&h, UINT32_MAX, i);
	for (at = UINT32_MAX; hash_next(&h, UINT32_MAX, &at, &n); found++) {
		ck_assert_uint_lt(n, ALIKE);
		ck_assert(!seen[n]);
		seen[n] = true;
	}
	ck_assert_uint_eq(found, ALIKE);
	at = UINT32_MAX - 1;
	ck_assert(!hash_next(&h, UINT32_MAX - 1, &at, &n));
	hash_free(&h);
}
END_TEST

/* ---- no memory ---------------------------------------------------------- */

static void needs_map(void)
{
	struct map m = { 0 };
	uint32_t value;

	map_add(&m, 1, 1, 1, &value);
}

static void needs_strings(void)
{
	struct interner in = { 0 };

	intern(&in, "a", 1);
}

static void needs_room(void)
{
	size_t room = 0;

	grow(NULL, 0, &room, 1);
}

static void needs_zeros(void)
{
	alloc_zeroed(1, 1);
}

static void restored(void)
{
	dprintf(STDERR_FILENO, "restored\n");
}

/* The process ends with one line and the status of a command that failed; what exit() restores is
   restored. */
START_TEST(without_memory_the_process_ends)
{
	void (*const needs[])(void) = { needs_map, needs_strings, needs_room, needs_zeros };
	char text[512];
	ssize_t n;
	int out[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(out), 0);
	child = fork();
	if (child == 0) {
		dup2(out[1], STDERR_FILENO);
		atexit(restored);
		allocations = 0;
		needs[_i]();
		_exit(0);
	}
	close(out[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	n = read(out[0], text, sizeof(text) - 1);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), COMMAND_FAILED);
	ck_assert_str_eq(text, "ompcount: out of memory: the system refuses more: "
			       "see ulimit -v and free -h\nrestored\n");
	close(out[0]);
}
END_TEST

START_TEST(an_array_of_too_many_bytes_ends_the_process)
{
	size_t room = 0;

	grow(NULL, 0, &room, SIZE_MAX / 2);
}
END_TEST

/* ---- pointers ---------------------------------------------------------- */

START_TEST(a_map_keeps_pointers)
{
	static char place[MANY];
	struct map m = { 0 };

	ck_assert_ptr_null(map_pointer(&m, 1, 1));
	for (uint64_t i = 0; i < MANY; i++)
		map_set_pointer(&m, i, 1, &place[i]);
	map_set_pointer(&m, 3, 1, &place[0]);
	ck_assert_uint_eq(m.count, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		ck_assert_ptr_eq(map_pointer(&m, i, 1), &place[i == 3 ? 0 : i]);
	ck_assert_ptr_null(map_pointer(&m, 1, 2));
	map_free(&m);
}
END_TEST

/* ---- strings ------------------------------------------------------------ */

START_TEST(strings_are_kept_once)
{
	struct interner in = { 0 };
	char text[16];
	const char *first;

	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "s%u", i);
		ck_assert_uint_eq(interner_number(&in, text, SIZE_MAX), i);
	}
	first = intern(&in, "s123 and more", 4);
	ck_assert_str_eq(first, "s123");
	ck_assert_ptr_eq(first, in.strings[123]);
	ck_assert_ptr_eq(intern(&in,
				"s12\0"
				"3",
				6),
			 in.strings[12]);
	ck_assert_uint_eq(in.count, MANY);
	ck_assert_str_eq(intern(&in, "", SIZE_MAX), "");
	ck_assert_str_eq(intern(&in, "s", SIZE_MAX), "s"); /* the beginning of others */
	ck_assert_uint_eq(in.count, MANY + 2);
	interner_free(&in);
	ck_assert_uint_eq(in.count, 0);
}
END_TEST

START_TEST(strings_of_one_hash_are_told_apart)
{
	enum { TRIED = 400000 };
	struct interner in = { 0 };
	struct hash seen = { 0 };
	char x[16], y[16];
	bool found = false;

	for (uint32_t i = 0; i < TRIED && !found; i++) {
		snprintf(y, sizeof(y), "%u", i * 2654435761u);
		const uint32_t hash = hash_of_bytes(y, strlen(y));
		size_t at = hash;
		uint32_t n;

		found = hash_next(&seen, hash, &at, &n);
		if (found)
			snprintf(x, sizeof(x), "%u", n * 2654435761u);
		hash_add(&seen, hash, i);
	}
	ck_assert(found);
	ck_assert_str_eq(intern(&in, x, SIZE_MAX), x);
	ck_assert_str_eq(intern(&in, y, SIZE_MAX), y);
	ck_assert_str_eq(intern(&in, x, SIZE_MAX), x);
	ck_assert_uint_eq(in.count, 2);
	interner_free(&in);
	hash_free(&seen);
}
END_TEST

/* ---- arrays ------------------------------------------------------------- */

START_TEST(new_elements_are_zero_and_old_ones_stay)
{
	uint64_t *array = NULL;
	size_t room = 0;

	for (size_t n = 0; n < 1000; n++) {
		array = grow(array, n, &room, sizeof(*array));
		ck_assert_ptr_nonnull(array);
		ck_assert_uint_gt(room, n);
		ck_assert_uint_eq(array[n], 0);
		array[n] = n + 1;
	}
	for (size_t n = 0; n < 1000; n++)
		ck_assert_uint_eq(array[n], n + 1);
	free(array);
}
END_TEST

/* ---- tables -------------------------------------------------------------- */

struct element {
	uint64_t number, unused[10];
};

enum { TABLES = 40, FAR = 997 };

struct table {
	struct element *all;
	size_t n, room;
};

/* False without memory. */
static bool append(struct table *t, uint64_t number)
{
	struct element *all = pinned_grow(t->all, t->n, &t->room, sizeof(*all));

	if (!all)
		return false;
	if ((t->all && all != t->all) || t->room <= t->n || all[t->n].number != 0)
		ck_abort_msg("element %zu", t->n);
	t->all = all;
	all[t->n++].number = number;
	return true;
}

static void has_numbers_from(const struct table *t, uint64_t first)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->all[i].number != first + i)
			ck_abort_msg("element %zu", i);
}

/* Tables that grow beside each other and beside the heap, up to n elements. */
static void grow_tables(size_t n)
{
	struct table tables[TABLES] = { { 0 } };
	char *heap[TABLES] = { NULL };

	for (size_t i = 0; i < n; i++)
		for (size_t t = 0; t < TABLES; t++) {
			if (!append(&tables[t], i + t))
				ck_abort_msg("no memory for element %zu", i);
			if (i % FAR == 0) {
				heap[t] = realloc(heap[t], i * 10 + 1);
				ck_assert_ptr_nonnull(heap[t]);
			}
		}
	for (size_t t = 0; t < TABLES; t++) {
		has_numbers_from(&tables[t], t);
		pinned_free(tables[t].all);
		free(heap[t]);
	}
}

START_TEST(elements_of_a_table_stay_where_they_are)
{
	grow_tables(20000);
	grow_tables(1);
	pinned_free(NULL);
}
END_TEST

START_TEST(a_table_of_large_elements)
{
	enum { BYTES = 300000 };
	unsigned char *all = NULL;
	size_t room = 0;

	for (size_t n = 0; n < 30; n++) {
		all = pinned_grow(all, n, &room, BYTES);
		ck_assert_ptr_nonnull(all);
		all[n * BYTES] = all[(n + 1) * BYTES - 1] = 1;
	}
	pinned_free(all);
}
END_TEST

/* The address sanitizer takes terabytes of addresses itself: no limit leaves it enough. */
void __asan_init(void) __attribute__((weak));

/* Leaves so many bytes of addresses to the process, as ulimit -v does. */
static void leave(size_t bytes)
{
	FILE *f = fopen("/proc/self/statm", "re");
	size_t pages;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%zu", &pages), 1);
	fclose(f);
	bytes += pages * (size_t)sysconf(_SC_PAGESIZE);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes }), 0);
}

START_TEST(tables_need_no_more_addresses_than_elements)
{
	/* 40 tables of 20,000 elements, whose room may be twice as large, and the heap */
	leave(2 * TABLES * 20000 * sizeof(struct element) + 64 * 1024 * 1024);
	grow_tables(20000);
	grow_tables(20000);
}
END_TEST

START_TEST(a_table_is_not_moved_away_from_what_is_behind_it)
{
	struct table t = { 0 };
	unsigned char *behind = NULL;

	leave(64 * 1024 * 1024);
	ck_assert(append(&t, 0));
	while (!behind || t.n < t.room)
		if (t.n < t.room) {
			if (!append(&t, t.n))
				ck_abort_msg("no memory for element %zu", t.n);
		} else {
			const size_t page = (size_t)sysconf(_SC_PAGESIZE);
			const uintptr_t end = (uintptr_t)&t.all[t.n] + page - 1;

			behind = mmap((void *)(end / page * page), page, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			ck_assert_ptr_eq(behind, (void *)(end / page * page));
			*behind = 42;
		}
	ck_assert_uint_eq(*behind, 42);
	has_numbers_from(&t, 0);
	append(&t, 0);
	ck_abort_msg("the table was moved, or what is behind it overwritten");
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("base");
	Suite *suite = suite_create("base");

	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_test(c, a_map_keeps_numbers_while_it_grows);
	tcase_add_test(c, a_map_tells_pairs_apart);
	tcase_add_test(c, a_map_keeps_pairs_that_collide);
	tcase_add_test(c, a_table_of_one_hash_gives_all_of_its_numbers);
	tcase_add_loop_test(c, without_memory_the_process_ends, 0, 4);
	tcase_add_exit_test(c, an_array_of_too_many_bytes_ends_the_process, COMMAND_FAILED);
	tcase_add_test(c, a_map_keeps_pointers);
	tcase_add_test(c, strings_are_kept_once);
	tcase_add_test(c, strings_of_one_hash_are_told_apart);
	tcase_add_test(c, new_elements_are_zero_and_old_ones_stay);
	tcase_add_test(c, elements_of_a_table_stay_where_they_are);
	tcase_add_test(c, a_table_of_large_elements);
	if (!__asan_init) {
		tcase_add_test(c, tables_need_no_more_addresses_than_elements);
		tcase_add_exit_test(c, a_table_is_not_moved_away_from_what_is_behind_it,
				    COMMAND_FAILED);
	}
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
