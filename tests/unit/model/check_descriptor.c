/* SPDX-License-Identifier: BSD-3-Clause */
/* check_descriptor.c - reads what an instrumentor wrote of a construct, whole or broken. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/descriptor.h"
#include "tests/support/suite_main.h"

#define LINES(a, b, c, d) \
	{ a, b }, \
	{ \
		c, d \
	}

static const struct {
	const char *text;
	struct {
		const char *name, *sub_name;
		uint32_t sections;
		const char *file;
		uint32_t begin[2], end[2];
	} expected;
	const char *label;
} texts[] = {
	{ "60*regionType=parallel*sscl=foo.c:10:12*escl=foo.c:20:21",
	  { "parallel", NULL, 0, "foo.c", LINES(10, 12, 20, 21) },
	  "parallel foo.c:10-21" },
	{ "60*regionType=barrier*sscl=foo.c:10:10*escl=foo.c:10:10**",
	  { "barrier", NULL, 0, "foo.c", LINES(10, 10, 10, 10) },
	  "barrier foo.c:10" },
	{ "99*regionType=parallelfor*sscl=a b/foo.c:1:2*escl=a b/foo.c:3:4*hasSchedule=dynamic,5**",
	  { "parallel for", NULL, 0, "a b/foo.c", LINES(1, 2, 3, 4) },
	  "parallel for a b/foo.c:1-4" },
	{ "82*regionType=critical*sscl=f.c:1:1*escl=f.c:2:2*criticalName=queue**",
	  { "critical", "queue", 0, "f.c", LINES(1, 1, 2, 2) },
	  "critical (queue) f.c:1-2" },
	{ "82*regionType=userRegion*sscl=f.c:1:1*escl=f.c:2:2*userRegionName=solve**",
	  { "region", "solve", 0, "f.c", LINES(1, 1, 2, 2) },
	  "region (solve) f.c:1-2" },
	{ "82*regionType=sections*sscl=f.c:1:1*escl=f.c:2:2*numSections=3**",
	  { "sections", NULL, 3, "f.c", LINES(1, 1, 2, 2) },
	  "sections of 3 f.c:1-2" },
	{ "82*regionType=paralleldo*sscl=f.f:1:1*escl=f.f:2:2*",
	  { "parallel do", NULL, 0, "f.f", LINES(1, 1, 2, 2) },
	  "parallel do f.f:1-2" },
	{ "82*regionType=taskuntied*sscl=f.c:1:1*escl=f.c:2:2*",
	  { "task untied", NULL, 0, "f.c", LINES(1, 1, 2, 2) },
	  "task untied f.c:1-2" },
	/* A type that a later version has; a file's name with colons */
	{ "*regionType=taskloop*sscl=C:/x:1:2:3:4*escl=C:/x:1:2:9:9**",
	  { "taskloop", NULL, 0, "C:/x:1:2", LINES(3, 4, 9, 9) },
	  "taskloop C:/x:1:2:3-9" },
	/* The end alone says where it is. */
	{ "9*regionType=for*escl=f.c:2:2**",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 2, 2) },
	  "for f.c" },
	/* Broken ones */
	{ "", { NULL, NULL, 0, NULL, LINES(0, 0, 0, 0) }, "(unknown construct)" },
	{ "**", { NULL, NULL, 0, NULL, LINES(0, 0, 0, 0) }, "(unknown construct)" },
	{ "=*==*=x*", { NULL, NULL, 0, NULL, LINES(0, 0, 0, 0) }, "(unknown construct)" },
	{ "regionType", { NULL, NULL, 0, NULL, LINES(0, 0, 0, 0) }, "(unknown construct)" },
	{ "9*regionType=", { NULL, NULL, 0, NULL, LINES(0, 0, 0, 0) }, "(unknown construct)" },
	{ "9*regionType=for*sscl=", { "for", NULL, 0, NULL, LINES(0, 0, 0, 0) }, "for" },
	{ "9*regionType=for*sscl=f.c", { "for", NULL, 0, NULL, LINES(0, 0, 0, 0) }, "for" },
	{ "9*regionType=for*sscl=f.c:7", { "for", NULL, 0, NULL, LINES(0, 0, 0, 0) }, "for" },
	{ "9*regionType=for*sscl=::*", { "for", NULL, 0, NULL, LINES(0, 0, 0, 0) }, "for" },
	{ "9*regionType=for*sscl=f.c:x:y*",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 0, 0) },
	  "for f.c" },
	{ "9*regionType=for*sscl=f.c:9:8*",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 0, 0) },
	  "for f.c" },
	{ "9*regionType=for*sscl=f.c:-1:8*",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 0, 0) },
	  "for f.c" },
	{ "9*regionType=for*sscl=f.c:4294967296:4294967297*",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 0, 0) },
	  "for f.c" },
	{ "9*regionType=for*sscl=f.c:99999999999999999999:99999999999999999999*",
	  { "for", NULL, 0, "f.c", LINES(0, 0, 0, 0) },
	  "for f.c" },
	{ "9*regionType=sections*numSections=many*",
	  { "sections", NULL, 0, NULL, LINES(0, 0, 0, 0) },
	  "sections" },
	/* What is there twice counts once. */
	{ "9*regionType=for*regionType=do*criticalName=a*criticalName=b*",
	  { "do", "b", 0, NULL, LINES(0, 0, 0, 0) },
	  "do (b)" },
};

static void texts_are(const char *found, const char *expected)
{
	ck_assert_pstr_eq(found, expected);
}

START_TEST(a_text_is_read)
{
	struct descriptor d;
	char *label;

	descriptor_parse(&d, texts[_i].text);
	label = descriptor_label(&d);
	texts_are(d.name, texts[_i].expected.name);
	texts_are(d.sub_name, texts[_i].expected.sub_name);
	texts_are(d.file, texts[_i].expected.file);
	ck_assert_uint_eq(d.sections, texts[_i].expected.sections);
	ck_assert_mem_eq(d.begin, texts[_i].expected.begin, sizeof(d.begin));
	ck_assert_mem_eq(d.end, texts[_i].expected.end, sizeof(d.end));
	texts_are(label, texts[_i].label);
	free(label);
	descriptor_free(&d);
}
END_TEST

/* Each beginning of a text is read, too. */
START_TEST(a_text_is_cut)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (size_t n = strlen(texts[i].text); n > 0; n--) {
			char *text = strndup(texts[i].text, n - 1);
			struct descriptor d;

			descriptor_parse(&d, text);
			ck_assert(d.begin[0] <= d.begin[1] && d.end[0] <= d.end[1]);
			free(descriptor_label(&d));
			descriptor_free(&d);
			free(text);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("descriptor");
	TCase *c = tcase_create("descriptor");

	tcase_add_loop_test(c, a_text_is_read, 0, sizeof(texts) / sizeof(*texts));
	tcase_add_test(c, a_text_is_cut);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
