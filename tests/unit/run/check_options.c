/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_options.c - run's command line and environment.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/profile/name.h"
#include "src/run/options.h"
#include "tests/support/suite_main.h"

enum { WORDS = 24 };

/* A line of words, as a shell splits it; '' is an empty one. */
struct line {
	char text[256];
	char *argv[WORDS];
	int argc;
};

static void split(struct line *l, const char *text)
{
	char *rest = NULL;

	snprintf(l->text, sizeof(l->text), "ompcount %s", text);
	l->argc = 0;
	for (char *w = strtok_r(l->text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		if (strcmp(w, "''") == 0)
			*w = '\0';
		ck_assert_int_lt(l->argc, WORDS - 1);
		l->argv[l->argc++] = w;
	}
	l->argv[l->argc] = NULL;
}

static struct line line;
static struct run_options options;
static struct trouble trouble_said;

static int parse(const char *text)
{
	split(&line, text);
	return run_options_parse(&options, RUN_RUN, line.argc, line.argv, &trouble_said);
}

static void parsed(const char *text)
{
	int ret = parse(text);

	ck_assert_msg(ret == 0, "%s: %s: %s", text, trouble_said.what, trouble_said.why);
}

static void clean(void)
{
	static const char *const names[] = {
		"OMPHWC_EVENTS", "OMPHWC_COUNT",  "OMPHWC_COUNT_MIN", "OMPHWC_HEAP_MIN",
		"OMPHWC_FREQ",	 "OMPHWC_PERIOD", "OMPHWC_OUTPUT",    "OMPHWC_DELIVERY",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

static void done(void)
{
	run_options_free(&options);
}

START_TEST(defaults)
{
	parsed("./app");
	ck_assert_str_eq(options.events, "cycles");
	ck_assert_uint_eq(options.rate.freq_hz, PMU_DEFAULT_FREQ_HZ);
	ck_assert_uint_eq(options.rate.period, 0);
	ck_assert_str_eq(options.output, PROF_NAME_DEFAULT);
	ck_assert(!options.output_given);
	ck_assert_str_eq(options.delivery, "auto");
	ck_assert(!options.strict && !options.entries && !options.blame && !options.paused &&
		  !options.quiet && !options.verbose);
	ck_assert_ptr_eq(options.command, line.argv + 1);
}
END_TEST

START_TEST(all_options)
{
	parsed("-e a --event=b,c -c 1000 -qv -o x%p --delivery sigtrap --strict --entries "
	       "--blame ./app");
	ck_assert_str_eq(options.events, "a,b,c");
	ck_assert_uint_eq(options.rate.period, 1000);
	ck_assert_uint_eq(options.rate.freq_hz, 0);
	ck_assert_str_eq(options.output, "x%p");
	ck_assert(options.output_given);
	ck_assert_str_eq(options.delivery, "sigtrap");
	ck_assert(options.strict && options.entries && options.blame && options.quiet &&
		  options.verbose && !options.paused);
	ck_assert_str_eq(options.command[0], "./app");
}
END_TEST

START_TEST(a_window)
{
	parsed("--delay 2.5 --duration 10 ./app");
	ck_assert_uint_eq(options.delay_ns, 2500000000);
	ck_assert_uint_eq(options.duration_ns, UINT64_C(10000000000));
}
END_TEST

static void counts(const char *words, const char *sampled, const char *counted)
{
	parsed(words);
	if (sampled)
		ck_assert_str_eq(options.events, sampled);
	else
		ck_assert_ptr_null(options.events);
	ck_assert_str_eq(options.counted, counted);
	ck_assert_str_eq(options.command[0], "./app");
	run_options_free(&options);
}

/* Without events of its own --count takes -e's; the program is no event. */
START_TEST(counting)
{
	counts("--count ./app", NULL, PMU_DEFAULT_COUNTED);
	counts("-e a,b --count ./app", NULL, "a,b");
	counts("--count -e a ./app", NULL, "a");
	counts("--count=a,b ./app", NULL, "a,b");
	counts("-e c --count=a --count=b ./app", "c", "a,b");
	parsed("--count=a --count-min 250 ./app");
	ck_assert_uint_eq(options.count_min_us, 250);
	run_options_free(&options);
	setenv("OMPHWC_COUNT", "1", 1);
	setenv("OMPHWC_EVENTS", "x", 1);
	counts("./app", NULL, "x");
	counts("--count=y ./app", NULL, "y");
	setenv("OMPHWC_COUNT", "y,z", 1);
	counts("./app", "x", "y,z");
	counts("--count ./app", NULL, "x");
	setenv("OMPHWC_COUNT", "0", 1);
	parsed("./app");
	ck_assert_str_eq(options.events, "x");
	ck_assert_ptr_null(options.counted);
}
END_TEST

/* Options end where the program begins: the rest is its own. */
START_TEST(leaves_the_program_its_arguments)
{
	parsed("-q ./app -e x --help");
	ck_assert_str_eq(options.command[0], "./app");
	ck_assert_str_eq(options.command[1], "-e");
	ck_assert_str_eq(options.command[3], "--help");
	ck_assert(!options.help);
	run_options_free(&options);
	parsed("-q -- -e x");
	ck_assert_str_eq(options.command[0], "-e");
	ck_assert_str_eq(options.events, "cycles");
}
END_TEST

START_TEST(help_needs_no_program)
{
	parsed("--help");
	ck_assert(options.help);
	run_options_free(&options);
	parsed("-e x -h");
	ck_assert(options.help);
}
END_TEST

START_TEST(limits_are_in)
{
	parsed("-F 1 ./app");
	ck_assert_uint_eq(options.rate.freq_hz, 1);
	run_options_free(&options);
	parsed("-F 100000 ./app");
	ck_assert_uint_eq(options.rate.freq_hz, PMU_FREQ_MAX_HZ);
	run_options_free(&options);
	parsed("-c 9223372036854775807 ./app");
	ck_assert_uint_eq(options.rate.period, INT64_MAX);
}
END_TEST

START_TEST(environment_where_the_line_is_silent)
{
	setenv("OMPHWC_EVENTS", "wall", 1);
	setenv("OMPHWC_PERIOD", "77", 1);
	setenv("OMPHWC_FREQ", "88", 1);
	setenv("OMPHWC_OUTPUT", "e%p", 1);
	setenv("OMPHWC_DELIVERY", "signal", 1);
	setenv("OMPHWC_HEAP_MIN", "none", 1);
	parsed("./app");
	ck_assert_uint_eq(options.heap_min, UINT64_MAX);
	ck_assert_str_eq(options.events, "wall");
	ck_assert_uint_eq(options.rate.period, 77);
	ck_assert_uint_eq(options.rate.freq_hz, 0);
	ck_assert_str_eq(options.output, "e%p");
	ck_assert_str_eq(options.delivery, "signal");
	run_options_free(&options);
	parsed("-e cycles -F 99 -o l%p --delivery auto --heap-min 9999 ./app");
	ck_assert_uint_eq(options.heap_min, 9999);
	ck_assert_str_eq(options.events, "cycles");
	ck_assert_uint_eq(options.rate.period, 0);
	ck_assert_uint_eq(options.rate.freq_hz, 99);
	ck_assert_str_eq(options.output, "l%p");
	ck_assert_str_eq(options.delivery, "auto");
}
END_TEST

START_TEST(empty_environment_counts_as_none)
{
	setenv("OMPHWC_EVENTS", "", 1);
	setenv("OMPHWC_FREQ", "", 1);
	setenv("OMPHWC_OUTPUT", "", 1);
	parsed("./app");
	ck_assert_str_eq(options.events, "cycles");
	ck_assert_uint_eq(options.rate.freq_hz, PMU_DEFAULT_FREQ_HZ);
	ck_assert_str_eq(options.output, PROF_NAME_DEFAULT);
}
END_TEST

static const struct {
	const char *text;
	const char *what; /* how the message begins */
} refused[] = {
	{ "", "no program to run" },
	{ "-q", "no program to run" },
	{ "--", "no program to run" },
	{ "''", "no program to run" },
	{ "-F 0 ./app", "-F 0" },
	{ "--count-min 0 ./app", "--count-min 0" },
	{ "--heap-min 0 ./app", "--heap-min 0" },
	{ "--heap-min 64k ./app", "--heap-min 64k" },
	{ "--count-min 1ms ./app", "--count-min 1ms" },
	{ "-F 1000000000 ./app", "-F 1000000000" },
	{ "-F 100001 ./app", "-F 100001" },
	{ "-F 99999999999999999999999 ./app", "-F 99999999999999999999999" },
	{ "-F -5 ./app", "-F -5" },
	{ "-F 1e3 ./app", "-F 1e3" },
	{ "-F '' ./app", "-F " },
	{ "-c 0 ./app", "-c 0" },
	{ "-c 9223372036854775808 ./app", "-c 9223372036854775808" },
	{ "-c x ./app", "-c x" },
	{ "-F 10 -c 10 ./app", "-F and -c" },
	{ "-o '' ./app", "-o ''" },
	{ "-o a%x ./app", "-o a%x" },
	{ "-o a% ./app", "-o a%" },
	{ "-o", "-o" },
	{ "--output", "--output" },
	{ "--runtime libomp ./app", "--runtime libomp" },
	{ "--delivery x ./app", "--delivery x" },
	{ "-Z ./app", "-Z" },
	{ "-qZ ./app", "-Z" },
	{ "--nonsense ./app", "--nonsense" },
	{ "--strict=yes ./app", "--strict=yes" },
};

START_TEST(refuses)
{
	ck_assert_int_eq(parse(refused[_i].text), -1);
	ck_assert_str_eq(trouble_said.what, refused[_i].what);
	ck_assert_msg(trouble_said.why[0] || trouble_said.todo[0], "no reason and no advice");
}
END_TEST

static const struct {
	const char *name, *value;
} bad_environment[] = {
	{ "OMPHWC_FREQ", "0" },	   { "OMPHWC_FREQ", "1000000000" }, { "OMPHWC_PERIOD", "-1" },
	{ "OMPHWC_OUTPUT", "%q" }, { "OMPHWC_DELIVERY", "pigeon" }, { "OMPHWC_HEAP_MIN", "much" },
};

START_TEST(refuses_the_environment_by_its_name)
{
	char what[64];

	setenv(bad_environment[_i].name, bad_environment[_i].value, 1);
	ck_assert_int_eq(parse("./app"), -1);
	snprintf(what, sizeof(what), "%s=%s", bad_environment[_i].name, bad_environment[_i].value);
	ck_assert_str_eq(trouble_said.what, what);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("options");
	TCase *t = tcase_create("options");

	tcase_add_checked_fixture(t, clean, done);
	tcase_add_test(t, defaults);
	tcase_add_test(t, all_options);
	tcase_add_test(t, a_window);
	tcase_add_test(t, counting);
	tcase_add_test(t, leaves_the_program_its_arguments);
	tcase_add_test(t, help_needs_no_program);
	tcase_add_test(t, limits_are_in);
	tcase_add_test(t, environment_where_the_line_is_silent);
	tcase_add_test(t, empty_environment_counts_as_none);
	tcase_add_loop_test(t, refuses, 0, (int)(sizeof(refused) / sizeof(refused[0])));
	tcase_add_loop_test(t, refuses_the_environment_by_its_name, 0,
			    (int)(sizeof(bad_environment) / sizeof(bad_environment[0])));
	suite_add_tcase(s, t);
	return suite_main(s);
}
