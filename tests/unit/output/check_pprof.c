/* SPDX-License-Identifier: BSD-3-Clause */
/* check_pprof.c - reads the pprof format with protobuf-c and zlib, and compares it with the view. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gen/profile.pb-c.h"
#include "src/profile/reader/reader.h"
#include "tests/support/demo_scene.h"
#include "tests/support/golden_text.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

static struct scene s;

static void setup(void)
{
	scene_init(&s);
}

static void teardown(void)
{
	scene_fini(&s);
}

enum { UNPACKED_MAX = 8 << 20 };

/* The caller frees it by pprof__profile__free_unpacked(). */
static Pprof__Profile *read_back(enum view_kind kind, size_t event)
{
	size_t size;
	char *packed = scene_write_bytes(&s, kind, "pprof", BY_PATH, event, 0, &size);
	uint8_t *bytes = malloc(UNPACKED_MAX);
	z_stream z = { .next_in = (uint8_t *)packed, .avail_in = (unsigned)size };
	Pprof__Profile *p;

	ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
	z.next_out = bytes;
	z.avail_out = UNPACKED_MAX;
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(z.avail_in, 0);
	p = pprof__profile__unpack(NULL, UNPACKED_MAX - z.avail_out, bytes);
	ck_assert_ptr_nonnull(p);
	inflateEnd(&z);
	free(bytes);
	free(packed);
	return p;
}

static const char *text_of(const Pprof__Profile *p, int64_t string)
{
	ck_assert_int_ge(string, 0);
	ck_assert_uint_lt((size_t)string, p->n_string_table);
	return p->string_table[string];
}

/* The sum of the values of that name. */
static uint64_t total_of(const Pprof__Profile *p, const char *name)
{
	uint64_t sum = 0;
	size_t type = 0;

	while (type < p->n_sample_type && strcmp(text_of(p, p->sample_type[type]->type), name))
		type++;
	ck_assert_uint_lt(type, p->n_sample_type);
	for (size_t i = 0; i < p->n_sample; i++) {
		ck_assert_uint_eq(p->sample[i]->n_value, p->n_sample_type);
		sum += (uint64_t)p->sample[i]->value[type];
	}
	return sum;
}

/* All numbers are those of something. */
static void check_numbers(const Pprof__Profile *p)
{
	ck_assert_str_eq(p->string_table[0], "");
	for (size_t i = 0; i < p->n_sample; i++)
		for (size_t l = 0; l < p->sample[i]->n_location_id; l++) {
			ck_assert_uint_ge(p->sample[i]->location_id[l], 1);
			ck_assert_uint_le(p->sample[i]->location_id[l], p->n_location);
		}
	for (size_t i = 0; i < p->n_location; i++) {
		ck_assert_uint_eq(p->location[i]->id, i + 1);
		ck_assert_uint_le(p->location[i]->mapping_id, p->n_mapping);
		ck_assert_uint_eq(p->location[i]->n_line, 1);
		ck_assert_uint_ge(p->location[i]->line[0]->function_id, 1);
		ck_assert_uint_le(p->location[i]->line[0]->function_id, p->n_function);
	}
	for (size_t i = 0; i < p->n_function; i++) {
		ck_assert_uint_eq(p->function[i]->id, i + 1);
		ck_assert_str_ne(text_of(p, p->function[i]->name), "");
		text_of(p, p->function[i]->filename);
	}
	for (size_t i = 0; i < p->n_mapping; i++)
		ck_assert_uint_eq(p->mapping[i]->id, i + 1);
}

/* ---- a golden text --------------------------------------------------- */

static void print_location(FILE *out, const Pprof__Profile *p, uint64_t id)
{
	const Pprof__Location *l = p->location[id - 1];
	const Pprof__Function *f = p->function[l->line[0]->function_id - 1];
	const char *module = l->mapping_id ? text_of(p, p->mapping[l->mapping_id - 1]->filename) :
					     "-";

	fprintf(out, "  %s %s:%lld [%s]\n", text_of(p, f->name), text_of(p, f->filename),
		(long long)l->line[0]->line, module);
}

static void print_sample(FILE *out, const Pprof__Profile *p, const Pprof__Sample *sample)
{
	for (size_t i = 0; i < sample->n_value; i++)
		fprintf(out, "%s%lld", i ? " " : "", (long long)sample->value[i]);
	for (size_t i = 0; i < sample->n_label; i++)
		fprintf(out, ", %s: %s", text_of(p, sample->label[i]->key),
			text_of(p, sample->label[i]->str));
	putc('\n', out);
	for (size_t i = 0; i < sample->n_location_id; i++)
		print_location(out, p, sample->location_id[i]);
}

static char *printed(const Pprof__Profile *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	for (size_t i = 0; i < p->n_sample_type; i++)
		fprintf(out, "%s%s [%s]", i ? ", " : "", text_of(p, p->sample_type[i]->type),
			text_of(p, p->sample_type[i]->unit));
	fprintf(out, "\nperiod %lld of %s, begun %lld, took %lld\n", (long long)p->period,
		text_of(p, p->period_type->type), (long long)p->time_nanos,
		(long long)p->duration_nanos);
	for (size_t i = 0; i < p->n_sample; i++)
		print_sample(out, p, p->sample[i]);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

START_TEST(golden_pprof)
{
	Pprof__Profile *p;
	char *text;

	demo_scene(&s);
	scene_process(&s);
	p = read_back(VIEW_USER, 0);
	text = printed(p);
	golden_check("demo.pprof.txt", text);
	free(text);
	pprof__profile__free_unpacked(p, NULL);
}
END_TEST

/* ---- sums ------------------------------------------------------------ */

static uint64_t true_total(size_t event)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < s.model.nprocesses; p++) {
		const struct model_process *process = &s.model.processes[p];

		for (size_t i = 0; i < process->file->nnodes; i++) {
			const struct prof_rnode *n = &process->file->nodes[i];

			if (n->kind == PROF_NODE_LEAF && process->event[n->event] == event)
				sum += n->b;
		}
	}
	return sum;
}

START_TEST(pprof_has_all)
{
	random_scene(&s, (unsigned)_i);
	for (int view = 0; view < VIEW_KINDS; view++) {
		Pprof__Profile *p = read_back((enum view_kind)view, 0);

		check_numbers(p);
		for (size_t e = 0; e < s.model.nevents; e++)
			ck_assert_uint_eq(total_of(p, s.model.events[e].label), true_total(e));
		pprof__profile__free_unpacked(p, NULL);
	}
}
END_TEST

/* The sum over samples with that label. */
static uint64_t labelled(const Pprof__Profile *p, const char *key, const char *value, size_t type)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_sample; i++)
		for (size_t l = 0; l < p->sample[i]->n_label; l++)
			if (!strcmp(text_of(p, p->sample[i]->label[l]->key), key) &&
			    !strcmp(text_of(p, p->sample[i]->label[l]->str), value))
				sum += (uint64_t)p->sample[i]->value[type];
	return sum;
}

START_TEST(pprof_says_what_is_what)
{
	Pprof__Profile *p;
	bool line = false;

	demo_scene(&s);
	scene_process(&s);
	p = read_back(VIEW_USER, 0);
	ck_assert_uint_eq(p->n_sample_type, 4);
	ck_assert_str_eq(text_of(p, p->sample_type[0]->type), "cpu-clock:u samples");
	ck_assert_str_eq(text_of(p, p->sample_type[0]->unit), "count");
	ck_assert_str_eq(text_of(p, p->sample_type[1]->type), "cpu-clock:u");
	ck_assert_str_eq(text_of(p, p->sample_type[1]->unit), "nanoseconds");
	ck_assert_str_eq(text_of(p, p->default_sample_type), "cpu-clock:u");
	ck_assert_int_eq(p->duration_nanos, 5000000000);
	/* solve's region in demo_scene.c, of the clock's samples */
	ck_assert_uint_eq(labelled(p, "region", "solve:12 (app.c)", 0), 9179);
	ck_assert_uint_eq(labelled(p, "state", "idle", 0), 790);
	ck_assert_uint_eq(labelled(p, "class", "work", 0) + labelled(p, "class", "wait", 0) +
				  labelled(p, "class", "overhead", 0),
			  total_of(p, "cpu-clock:u samples"));
	for (size_t i = 0; i < p->n_location; i++) {
		const Pprof__Line *l = p->location[i]->line[0];
		const Pprof__Function *f = p->function[l->function_id - 1];

		line = line || (!strcmp(text_of(p, f->name), "kernel") && l->line == 5);
	}
	ck_assert(line);
	pprof__profile__free_unpacked(p, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pprof");
	TCase *c = tcase_create("pprof");

	/* Seconds; enough on a busy machine. */
	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, golden_pprof);
	tcase_add_loop_test(c, pprof_has_all, 0, 6);
	tcase_add_test(c, pprof_says_what_is_what);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
