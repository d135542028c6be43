/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers that are stored in a profile: written, read, damaged.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/answers/answers.h"
#include "src/answers/questions.h"
#include "src/model/construct_kind.h"
#include "src/profile/format.h"
#include "src/symbols/symbols.h"
#include "tests/support/suite_main.h"

static struct answers a, b;
static unsigned char *bytes;
static size_t n;

static void setup(void)
{
	a = b = (struct answers){ 0 };
	bytes = NULL;
	n = 0;
}

static void teardown(void)
{
	answers_free(&a);
	answers_free(&b);
	free(bytes);
}

/* ---- a scene --------------------------------------------------------- */

static const struct sym_function solve = {
	.name = "solve<int>(int)",
	.linkage = "_Z5solveIiEvi",
	.module = "app",
	.file = "/src/solve.cc",
	.line = 12,
};
static const struct sym_function outlined = {
	.name = "solve<int>(int) [clone ._omp_fn.0]",
	.linkage = "_Z5solveIiEvi._omp_fn.0",
	.module = "app",
	.file = "/src/solve.cc",
	.line = 14,
	.outlined = SYM_OUTLINED_REGION,
	.origin = "solve<int>(int)",
	.inner = true,
	.directive = true,
};
static const struct sym_frame frames[] = {
	{ &solve, "/src/solve.h", 70, true },
	{ &outlined, "/src/solve.cc", 15, false },
};
static const struct sym_location inlined = { frames, 2 };
static const struct sym_location plain = { frames + 1, 1 };

static void set(enum query query, uint64_t loc, bool exact, struct answer answer)
{
	const struct question q = { .query = query, .loc = loc, .exact = exact };

	answers_set(&a, &q, &answer);
}

static struct question body_question(const char *callee)
{
	return (struct question){ .query = QUERY_BODY, .loc = PROF_LOC(1, 0x77), .callee = callee };
}

static void set_body(const char *callee, uint64_t entry)
{
	const struct question q = body_question(callee);
	const struct answer x = { .known = true, .entry = entry, .at = 0, .end = UINT64_MAX };

	answers_set(&a, &q, &x);
}

static void set_extent(const struct sym_function *function, struct answer answer)
{
	const struct question q = { .query = QUERY_EXTENT, .function = function };

	answers_set(&a, &q, &answer);
}

static void make_scene(void)
{
	set(QUERY_RESOLVE, PROF_LOC(1, 0x1000), true, (struct answer){ .location = &inlined });
	set(QUERY_RESOLVE, PROF_LOC(1, 0x1000), false, (struct answer){ .location = &plain });
	set(QUERY_RESOLVE, PROF_LOC(3, 0x20), false, (struct answer){ .location = &plain });
	set_body("GOMP_parallel", PROF_LOC(1, 0x500));
	set_body("GOMP_task", PROF_LOC(1, 0x600));
	set(QUERY_OBJECT, PROF_LOC(1, 0x4000), false, (struct answer){ .text = "lock+0x8" });
	set(QUERY_OBJECT, PROF_LOC(1, 0x4040), false, (struct answer){ .text = NULL });
	set(QUERY_GNU_BARRIER, PROF_LOC(1, 0x900), false,
	    (struct answer){ .barrier = BARRIER_IMPLICIT,
			     .construct = CONSTRUCT_SINGLE,
			     .at = PROF_LOC(1, 0x880) });
	set(QUERY_SINGLE, PROF_LOC(1, 0x910), true,
	    (struct answer){ .known = true, .at = PROF_LOC(1, 0x8f0), .single = SINGLE_END_LEFT });
	set(QUERY_SPAN, PROF_LOC(1, 0x900), false,
	    (struct answer){
		    .known = true, .at = PROF_LOC(1, 0x900), .first = 12, .last = UINT32_MAX });
	set_extent(&solve, (struct answer){ .known = true, .first = 12, .last = 40 });
	set_extent(&outlined, (struct answer){ .known = false });
	answers_set_trouble(&a, 3, "stripped");
}

static const struct answer *found(enum query query, uint64_t loc, bool exact)
{
	const struct question q = { .query = query, .loc = loc, .exact = exact };
	const struct answer *x = answers_find(&b, &q);

	ck_assert_ptr_nonnull(x);
	return x;
}

static void pack_and_unpack(void)
{
	answers_pack(&a, &bytes, &n);
	ck_assert_int_eq(answers_unpack(&b, bytes, n), 0);
	ck_assert_uint_eq(b.n, a.n);
}

/* ---- whole ----------------------------------------------------------- */

static void same_function(const struct sym_function *x, const struct sym_function *y)
{
	ck_assert_str_eq(x->name, y->name);
	ck_assert_str_eq(x->linkage, y->linkage);
	ck_assert_str_eq(x->module, y->module);
	ck_assert_str_eq(x->file, y->file);
	ck_assert_pstr_eq(x->origin, y->origin);
	ck_assert_uint_eq(x->line, y->line);
	ck_assert_int_eq(x->outlined, y->outlined);
	ck_assert_int_eq(x->inner, y->inner);
	ck_assert_int_eq(x->directive, y->directive);
}

START_TEST(locations_come_back)
{
	const struct sym_location *l, *other;

	make_scene();
	pack_and_unpack();
	l = found(QUERY_RESOLVE, PROF_LOC(1, 0x1000), true)->location;
	other = found(QUERY_RESOLVE, PROF_LOC(3, 0x20), false)->location;
	ck_assert_uint_eq(l->nframes, 2);
	ck_assert_uint_eq(other->nframes, 1);
	for (size_t i = 0; i < 2; i++) {
		same_function(l->frames[i].function, frames[i].function);
		ck_assert_str_eq(l->frames[i].file, frames[i].file);
		ck_assert_uint_eq(l->frames[i].line, frames[i].line);
		ck_assert_int_eq(l->frames[i].inlined, frames[i].inlined);
	}
	/* A function is there once: views compare pointers. */
	ck_assert_ptr_eq(l->frames[1].function, other->frames[0].function);
}
END_TEST

START_TEST(numbers_come_back)
{
	const uint64_t loc = PROF_LOC(1, 0x900);
	const struct answer *x;

	make_scene();
	pack_and_unpack();
	x = found(QUERY_SPAN, loc, false);
	ck_assert_uint_eq(x->at, loc);
	ck_assert_uint_eq(x->last, UINT32_MAX);
	x = found(QUERY_GNU_BARRIER, loc, false);
	ck_assert_int_eq(x->barrier, BARRIER_IMPLICIT);
	ck_assert_int_eq(x->construct, CONSTRUCT_SINGLE);
	ck_assert_uint_eq(x->at, PROF_LOC(1, 0x880));
	x = found(QUERY_SINGLE, PROF_LOC(1, 0x910), true);
	ck_assert(x->known);
	ck_assert_uint_eq(x->at, PROF_LOC(1, 0x8f0));
	ck_assert_int_eq(x->single, SINGLE_END_LEFT);
	x = found(QUERY_OBJECT, PROF_LOC(1, 0x4000), false);
	ck_assert_str_eq(x->text, "lock+0x8");
	x = found(QUERY_OBJECT, PROF_LOC(1, 0x4040), false);
	ck_assert_ptr_null(x->text);
	ck_assert_str_eq(answers_trouble_of(&b, 3), "stripped");
	ck_assert_ptr_null(answers_trouble_of(&b, 1));
}
END_TEST

START_TEST(callees_are_told_apart)
{
	struct question q = body_question("GOMP_task");

	make_scene();
	pack_and_unpack();
	ck_assert_uint_eq(answers_find(&b, &q)->entry, PROF_LOC(1, 0x600));
	ck_assert_uint_eq(answers_find(&b, &q)->end, UINT64_MAX);
	q.callee = "GOMP_parallel";
	ck_assert_uint_eq(answers_find(&b, &q)->entry, PROF_LOC(1, 0x500));
	q.callee = "GOMP_barrier";
	ck_assert_ptr_null(answers_find(&b, &q));
}
END_TEST

static const struct answer *extent_of(const struct sym_function *function)
{
	const struct question q = { .query = QUERY_EXTENT, .function = function };

	return answers_find(&b, &q);
}

/* Functions that were read are unknown to symbols, which must not be asked for their lines. */
START_TEST(each_function_has_its_lines)
{
	const struct sym_location *l;
	const struct answer *e;

	make_scene();
	pack_and_unpack();
	l = found(QUERY_RESOLVE, PROF_LOC(1, 0x1000), true)->location;
	e = extent_of(l->frames[0].function);
	ck_assert(e && e->known);
	ck_assert_uint_eq(e->first, 12);
	ck_assert_uint_eq(e->last, 40);
	e = extent_of(l->frames[1].function);
	ck_assert(e && !e->known);
}
END_TEST

START_TEST(what_was_read_is_written_alike)
{
	unsigned char *again;
	size_t size;

	make_scene();
	pack_and_unpack();
	answers_pack(&b, &again, &size);
	ck_assert_uint_eq(size, n);
	ck_assert_mem_eq(again, bytes, n);
	free(again);
}
END_TEST

START_TEST(nothing_at_all)
{
	pack_and_unpack();
	ck_assert_uint_eq(b.n, 0);
}
END_TEST

START_TEST(the_last_answer_counts)
{
	make_scene();
	set(QUERY_OBJECT, PROF_LOC(1, 0x4000), false, (struct answer){ .text = "other" });
	answers_set_trouble(&a, 3, NULL);
	pack_and_unpack();
	ck_assert_str_eq(found(QUERY_OBJECT, PROF_LOC(1, 0x4000), false)->text, "other");
	ck_assert_ptr_null(answers_trouble_of(&b, 3));
}
END_TEST

/* ---- damaged --------------------------------------------------------- */

static void location_is_sound(const struct answer *x)
{
	ck_assert_ptr_nonnull(x->location);
	ck_assert_uint_ge(x->location->nframes, 1);
	ck_assert_uint_le(x->location->nframes, ANSWER_FRAMES_MAX);
	for (size_t i = 0; i < x->location->nframes; i++) {
		const struct sym_function *s = x->location->frames[i].function;

		ck_assert(s && s->name && s->module);
		ck_assert_ptr_nonnull(extent_of(s));
	}
}

/* What views take for granted of answers. */
static void answer_is_sound(const struct answered *x)
{
	ck_assert_uint_lt(x->question.query, QUERIES);
	ck_assert_uint_lt(x->answer.construct, CONSTRUCT_KINDS);
	ck_assert_uint_le(x->answer.barrier, BARRIER_EXPLICIT);
	ck_assert_uint_le(x->answer.single, SINGLE_END_VAGUE);
	ck_assert_uint_le(x->answer.way, CALLSITE_POINTER);
	if (x->question.query == QUERY_RESOLVE)
		location_is_sound(&x->answer);
	else if (strchr(question_rows[x->question.query].shape, 't') && x->answer.text)
		ck_assert_uint_lt(strlen(x->answer.text), n);
	else if (x->question.query == QUERY_EXTENT)
		ck_assert_uint_le(x->answer.first, x->answer.last);
}

/* Reads the bytes from memory of exactly that size; what comes of it must be sound. */
static int try(const unsigned char *from, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);
	int err;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, from, size);
	answers_free(&b);
	err = answers_unpack(&b, copy, size);
	free(copy);
	ck_assert(!err || err == -EINVAL);
	for (size_t i = 0; i < b.n && !err; i++)
		answer_is_sound(&b.all[i]);
	return err;
}

START_TEST(truncated_anywhere)
{
	make_scene();
	pack_and_unpack();
	for (size_t size = 0; size < n; size++)
		ck_assert_int_eq(try(bytes, size), -EINVAL);
}
END_TEST

/* A later version's queries, of which nothing is known here. */
START_TEST(later_queries)
{
	unsigned char *longer;

	make_scene();
	pack_and_unpack();
	longer = calloc(n + 8, 1);
	ck_assert_ptr_nonnull(longer);
	memcpy(longer, bytes, n);
	ck_assert_int_eq(try(longer, n + 8), 0);
	ck_assert_uint_eq(b.n, a.n);
	free(longer);
}
END_TEST

START_TEST(every_byte_changed)
{
	make_scene();
	pack_and_unpack();
	for (size_t i = 0; i < n; i++) {
		const unsigned char was = bytes[i];

		for (unsigned value = 0; value < 256; value++) {
			bytes[i] = (unsigned char)value;
			try(bytes, n);
		}
		bytes[i] = was;
	}
}
END_TEST

/* Pieces of the bytes in other places, and random ones. */
START_TEST(shuffled)
{
	unsigned char *copy;

	make_scene();
	pack_and_unpack();
	copy = malloc(n);
	ck_assert_ptr_nonnull(copy);
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		memcpy(copy, bytes, n);
		for (int i = 0; i <= round % 4; i++) {
			const size_t from = (size_t)random() % n, to = (size_t)random() % n;
			const size_t most = n - (from > to ? from : to);

			memmove(copy + to, copy + from, (size_t)random() % (most + 1));
			if (round % 3 == 0)
				copy[to] = (unsigned char)random();
		}
		try(copy, n);
	}
	free(copy);
}
END_TEST

static const struct {
	const char *bytes;
	size_t n;
} hostile[] = {
	/* more strings than bytes */
	{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
	/* a number of more than 64 bits */
	{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 },
	/* a string that shares more than there is */
	{ "\x01\x05\x01x", 4 },
	/* a NUL in a string */
	{ "\x01\x00\x02x\x00\x00", 6 },
	/* a function without a name */
	{ "\x00\x01\x00\x00\x00\x00\x00\x00\x00", 9 },
	/* a location without a frame */
	{ "\x00\x00\x00\x01\x01\x00\x00", 7 },
};

START_TEST(hostile_bytes_are_refused)
{
	ck_assert_int_eq(try((const unsigned char *)hostile[_i].bytes, hostile[_i].n), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("answers");
	TCase *t = tcase_create("answers");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, locations_come_back);
	tcase_add_test(t, numbers_come_back);
	tcase_add_test(t, callees_are_told_apart);
	tcase_add_test(t, each_function_has_its_lines);
	tcase_add_test(t, what_was_read_is_written_alike);
	tcase_add_test(t, nothing_at_all);
	tcase_add_test(t, the_last_answer_counts);
	tcase_add_test(t, truncated_anywhere);
	tcase_add_test(t, later_queries);
	tcase_add_test(t, every_byte_changed);
	tcase_add_test(t, shuffled);
	tcase_add_loop_test(t, hostile_bytes_are_refused, 0, sizeof(hostile) / sizeof(hostile[0]));
	suite_add_tcase(s, t);
	return suite_main(s);
}
