/* SPDX-License-Identifier: BSD-3-Clause */
/* check_descriptors.c - the constructs that an instrumentor described, of several processes. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fnv.h"
#include "src/profile/reader/reader.h"
#include "tests/support/scene.h"
#include "tests/support/suite_main.h"

#define LOOP "9*regionType=for*sscl=b.c:10:11*escl=b.c:20:20*"
#define NEVER "9*regionType=critical*sscl=b.c:3:3*escl=b.c:4:4*criticalName=queue*"
#define WHOLE_FILE "9*regionType=parallel*sscl=a.c:50:50*escl=a.c:99:99*"
#define UNTOLD "9*regionType=atomic*"

static struct scene s;
static struct view *v;

static void counts(uint32_t root, const char *text, enum prof_stats_kind kind, uint64_t n)
{
	const struct prof_node node = { .parent = root,
					.info = PROF_NODE_INFO(PROF_NODE_DESCRIPTOR, 0, 0, 0),
					.value = PROF_PHASE_HASH(
						fnv(FNV_BEGIN, text, strlen(text))) };

	mk_stats(s.mk, mk_node(s.mk, 0, &node), kind, n, 1000 * n);
}

/* One process has the text of what the other one counts. */
static void process(const char *const texts[])
{
	const uint32_t thread = mk_thread(s.mk, PROF_THREAD_INITIAL, 1);
	const uint32_t root = mk_root(s.mk, thread);

	mk_event(s.mk, "cpu-clock", PROF_UNIT_NS);
	for (size_t i = 0; texts[i]; i++)
		mk_text(s.mk, PROF_INFO_DESCRIPTOR, texts[i]);
	mk_leaf(s.mk, scene_path(&s, root, "main:3 solve:10"), 0, PROF_STATE_SERIAL, 0, 1, 1);
	counts(root, LOOP, PROF_STATS_WHOLE, 3);
	counts(root, LOOP, PROF_STATS_BARRIER, 2);
	counts(root, WHOLE_FILE, PROF_STATS_BODY, 5);
	counts(root, UNTOLD, PROF_STATS_WHOLE, 7);
	mk_end(s.mk);
	scene_process(&s);
}

static void setup(void)
{
	scene_init(&s);
	process((const char *const[]){ LOOP, NEVER, NULL });
	process((const char *const[]){ LOOP, WHOLE_FILE, NULL });
	v = scene_view(&s, VIEW_USER);
}

static void teardown(void)
{
	view_free(v);
	scene_fini(&s);
}

START_TEST(processes_have_the_same)
{
	static const struct {
		const char *name;
		uint64_t n[VIEW_PARTS];
	} expected[] = {
		{ "parallel", { 0, 10, 0 } },
		{ "critical", { 0, 0, 0 } },
		{ "for", { 6, 0, 4 } },
	};

	ck_assert_uint_eq(v->ndescriptors, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct view_descriptor *d = &v->descriptors[i];

		ck_assert_str_eq(d->what.name, expected[i].name);
		for (int k = 0; k < VIEW_PARTS; k++) {
			ck_assert_uint_eq(d->part[k].n, expected[i].n[k]);
			ck_assert_int_eq(d->part[k].elapsed_ns != 0, expected[i].n[k] != 0);
		}
		ck_assert(d->elapsed_known);
	}
}
END_TEST

/* They are no samples, and lie in no path. */
START_TEST(nothing_else_changes)
{
	char *folded = scene_folded(&s, VIEW_USER);

	ck_assert_str_eq(folded, "main;solve 2\n");
	free(folded);
}
END_TEST

START_TEST(all_formats_have_them)
{
	static const char csv[] =
		"name,sub_name,num_sections,file,begin_line1,begin_lineN,end_line1,end_lineN,"
		"entries,elapsed_ns,executions,executing_ns,barriers,barrier_ns\n"
		"parallel,,0,a.c,50,50,99,99,0,0,10,";
	static const char never[] = "\ncritical,queue,0,b.c,3,3,4,4,0,0,0,0,0,0\n";
	char *text = scene_write(&s, VIEW_USER, "csv", BY_DESCRIPTOR, 0, 0);

	ck_assert_int_eq(strncmp(text, csv, sizeof(csv) - 1), 0);
	ck_assert_ptr_nonnull(strstr(text, never));
	free(text);
	text = scene_write(&s, VIEW_USER, "json", BY_REGION, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "{\"name\":\"critical\",\"sub_name\":\"queue\","
					   "\"num_sections\":0,\"file\":\"b.c\",\"begin_line1\":3,"
					   "\"begin_lineN\":3,\"end_line1\":4,\"end_lineN\":4,"
					   "\"entries\":0,"));
	free(text);
	text = scene_write(&s, VIEW_USER, "text", BY_DESCRIPTOR, 0, 0);
	ck_assert_ptr_nonnull(strstr(text, "critical (queue) b.c:3-4\n"));
	ck_assert_ptr_nonnull(strstr(text, "for b.c:10-20\n"));
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("descriptors");
	TCase *c = tcase_create("descriptors");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, processes_have_the_same);
	tcase_add_test(c, nothing_else_changes);
	tcase_add_test(c, all_formats_have_them);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
