/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_settings.c - settings from the environment, valid and invalid.
 */
#include "config.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_tool/tool/settings.h"
#include "pmu/event.h"
#include "tests/support/suite_main.h"

static struct settings s;
static char complaint[160];

static void setup(void)
{
	clearenv();
}

static void read_with(const char *name, const char *value)
{
	clearenv();
	setenv(name, value, 1);
	settings_read(&s, complaint, sizeof(complaint));
}

START_TEST(nothing_asked)
{
	settings_read(&s, complaint, sizeof(complaint));
	ck_assert_str_eq(complaint, "");
	ck_assert_str_eq(s.events, "cycles");
	ck_assert_uint_eq(s.rate.freq_hz, PMU_DEFAULT_FREQ_HZ);
	ck_assert_uint_eq(s.rate.period, 0);
	ck_assert_ptr_null(s.output);
	ck_assert_ptr_null(s.manifest);
	ck_assert_ptr_null(s.run_id);
	ck_assert_int_eq(s.delivery, SETTINGS_DELIVERY_AUTO);
	ck_assert(!s.entries);
	ck_assert(!s.blame);
	ck_assert(!s.paused);
	ck_assert(!s.verbose);
}
END_TEST

START_TEST(empty_is_not_asked)
{
	static const char *const names[] = {
		"OMPHWC_EVENTS",   "OMPHWC_FREQ",     "OMPHWC_PERIOD",
		"OMPHWC_OUTPUT",   "OMPHWC_MANIFEST", "OMPHWC_RUN_ID",
		"OMPHWC_DELIVERY", "OMPHWC_PAUSED",   "OMPHWC_VERBOSE",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		setenv(names[i], "", 1);
	nothing_asked_fn(0);
}
END_TEST

static const struct {
	const char *events, *count, *sampled, *counted;
} countings[] = {
	{ "", "", "cycles", NULL }, { "a", "0", "a", NULL },
	{ "a", "1", NULL, "a" },    { "", "1", NULL, PMU_DEFAULT_COUNTED },
	{ "a", "b,c", "a", "b,c" }, { "", "b,c", NULL, "b,c" },
};

START_TEST(what_is_counted)
{
	setenv("OMPHWC_EVENTS", countings[_i].events, 1);
	setenv("OMPHWC_COUNT", countings[_i].count, 1);
	setenv("OMPHWC_COUNT_MIN", "70", 1);
	setenv("OMPHWC_HEAP_MIN", _i % 2 == 0 ? "65536" : "none", 1);
	settings_read(&s, complaint, sizeof(complaint));
	ck_assert_str_eq(complaint, "");
	ck_assert_pstr_eq(s.events, countings[_i].sampled);
	ck_assert_pstr_eq(s.counted, countings[_i].counted);
	ck_assert_uint_eq(s.count_min_us, 70);
	ck_assert_uint_eq(s.heap_min, _i % 2 == 0 ? 65536 : UINT64_MAX);
}
END_TEST

START_TEST(all_asked)
{
	setenv("OMPHWC_EVENTS", "cpu-clock,wall", 1);
	setenv("OMPHWC_FREQ", "500", 1);
	setenv("OMPHWC_OUTPUT", "/tmp/%c", 1);
	setenv("OMPHWC_MANIFEST", "/tmp/m", 1);
	setenv("OMPHWC_RUN_ID", "id", 1);
	setenv("OMPHWC_CPUS", "0-3 /bin/true", 1);
	setenv("OMPHWC_DELIVERY", "sigtrap", 1);
	setenv("OMPHWC_ENTRIES", "1", 1);
	setenv("OMPHWC_BLAME", "1", 1);
	setenv("OMPHWC_PAUSED", "1", 1);
	setenv("OMPHWC_VERBOSE", "yes", 1);
	settings_read(&s, complaint, sizeof(complaint));
	ck_assert_str_eq(complaint, "");
	ck_assert_str_eq(s.events, "cpu-clock,wall");
	ck_assert_uint_eq(s.rate.freq_hz, 500);
	ck_assert_uint_eq(s.rate.period, 0);
	ck_assert_str_eq(s.output, "/tmp/%c");
	ck_assert_str_eq(s.manifest, "/tmp/m");
	ck_assert_str_eq(s.run_id, "id");
	ck_assert_str_eq(s.cpus, "0-3 /bin/true");
	ck_assert_int_eq(s.delivery, SETTINGS_DELIVERY_SIGTRAP);
	ck_assert(s.entries);
	ck_assert(s.blame);
	ck_assert(s.paused);
	ck_assert(s.verbose);
}
END_TEST

START_TEST(a_window)
{
	setenv("OMPHWC_DELAY", "1.5", 1);
	setenv("OMPHWC_DURATION", "soon", 1);
	settings_read(&s, complaint, sizeof(complaint));
	ck_assert_uint_eq(s.delay_ns, 1500000000);
	ck_assert_uint_eq(s.duration_ns, 0);
	ck_assert_str_eq(complaint, "OMPHWC_DURATION=soon is no number of seconds: left out");
}
END_TEST

START_TEST(a_period_goes_before_a_rate)
{
	setenv("OMPHWC_PERIOD", "1000000", 1);
	setenv("OMPHWC_FREQ", "500", 1);
	settings_read(&s, complaint, sizeof(complaint));
	ck_assert_str_eq(complaint, "");
	ck_assert_uint_eq(s.rate.period, 1000000);
	ck_assert_uint_eq(s.rate.freq_hz, 0);
}
END_TEST

static const char *const no_numbers[] = {
	"abc",
	"-5",
	"0",
	"1e3",
	"10 ",
	" ",
	"1000Hz",
	"99999999999999999999999",
	"0x10",
	"1.5",
	"+",
	"--1",
	"18446744073709551616",
};

START_TEST(rates_that_make_no_sense)
{
	static const char *const names[] = { "OMPHWC_FREQ", "OMPHWC_PERIOD" };

	for (int k = 0; k < 2; k++) {
		read_with(names[k], no_numbers[_i]);
		ck_assert_uint_eq(s.rate.freq_hz, PMU_DEFAULT_FREQ_HZ);
		ck_assert_uint_eq(s.rate.period, 0);
		ck_assert_ptr_nonnull(strstr(complaint, names[k]));
		ck_assert_ptr_nonnull(strstr(complaint, "default"));
		ck_assert_ptr_null(strchr(complaint, '\n'));
	}
}
END_TEST

START_TEST(rates_at_the_limits)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)PMU_FREQ_MAX_HZ);
	read_with("OMPHWC_FREQ", text);
	ck_assert_uint_eq(s.rate.freq_hz, PMU_FREQ_MAX_HZ);
	ck_assert_str_eq(complaint, "");
	snprintf(text, sizeof(text), "%llu", (unsigned long long)PMU_FREQ_MAX_HZ + 1);
	read_with("OMPHWC_FREQ", text);
	ck_assert_uint_eq(s.rate.freq_hz, PMU_DEFAULT_FREQ_HZ);
	ck_assert_str_ne(complaint, "");
	read_with("OMPHWC_FREQ", "1");
	ck_assert_uint_eq(s.rate.freq_hz, 1);
	read_with("OMPHWC_PERIOD", "1");
	ck_assert_uint_eq(s.rate.period, 1);
}
END_TEST

START_TEST(ways_of_delivery)
{
	read_with("OMPHWC_DELIVERY", "signal");
	ck_assert_int_eq(s.delivery, SETTINGS_DELIVERY_SIGNAL);
	read_with("OMPHWC_DELIVERY", "auto");
	ck_assert_int_eq(s.delivery, SETTINGS_DELIVERY_AUTO);
	ck_assert_str_eq(complaint, "");
	read_with("OMPHWC_DELIVERY", "pigeon");
	ck_assert_int_eq(s.delivery, SETTINGS_DELIVERY_AUTO);
	ck_assert_ptr_nonnull(strstr(complaint, "pigeon"));
	read_with("OMPHWC_DELIVERY", "SIGNAL");
	ck_assert_str_ne(complaint, "");
}
END_TEST

START_TEST(no_is_no)
{
	read_with("OMPHWC_PAUSED", "0");
	ck_assert(!s.paused);
	read_with("OMPHWC_ENTRIES", "0");
	ck_assert(!s.entries);
	read_with("OMPHWC_VERBOSE", "0");
	ck_assert(!s.verbose);
}
END_TEST

/* However long the nonsense, the complaint fits. */
START_TEST(much_nonsense)
{
	char *much = malloc(100001);

	memset(much, 'x', 100000);
	much[100000] = '\0';
	read_with("OMPHWC_FREQ", much);
	ck_assert_uint_lt(strlen(complaint), sizeof(complaint));
	ck_assert_str_ne(complaint, "");
	read_with("OMPHWC_DELIVERY", much);
	ck_assert_uint_lt(strlen(complaint), sizeof(complaint));
	char tiny[8] = "";
	settings_read(&s, tiny, sizeof(tiny));
	ck_assert_uint_lt(strlen(tiny), sizeof(tiny));
	free(much);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("settings");
	TCase *c = tcase_create("settings");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, nothing_asked);
	tcase_add_test(c, empty_is_not_asked);
	tcase_add_test(c, all_asked);
	tcase_add_loop_test(c, what_is_counted, 0, sizeof(countings) / sizeof(*countings));
	tcase_add_test(c, a_period_goes_before_a_rate);
	tcase_add_test(c, a_window);
	tcase_add_loop_test(c, rates_that_make_no_sense, 0,
			    sizeof(no_numbers) / sizeof(*no_numbers));
	tcase_add_test(c, rates_at_the_limits);
	tcase_add_test(c, ways_of_delivery);
	tcase_add_test(c, no_is_no);
	tcase_add_test(c, much_nonsense);
	suite_add_tcase(suite, c);
	return suite_main(suite);
}
