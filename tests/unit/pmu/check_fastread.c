/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_fastread.c - reads a counter through its page, with pages created here and
 * registers set by the test.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/counter.h"
#include "pmu/fastread.h"
#include "pmu/perf_event.h"
#include "pmu/register.h"
#include "pmu/steady.h"
#include "tests/support/suite_main.h"

static struct perf_event_mmap_page page;
static struct pmu_fastread f;
static struct pmu_value v;

static uint64_t clock_now, register_value;
static uint32_t register_index;
static int reads, disturbed; /* how many reads are disturbed */
static void (*disturb)(void);

uint64_t pmu_register_read(uint32_t index)
{
	uint64_t value = register_value;

	register_index = index;
	if (reads++ < disturbed)
		disturb();
	return value;
}

pmu_register_reader *pmu_register_reader_of(uint32_t index)
{
	(void)index;
	return pmu_register_read;
}

uint64_t pmu_register_clock(void)
{
	return clock_now;
}

void pmu_register_request(struct perf_event_attr *attr)
{
	attr->config1 = 7;
}

static void setup(void)
{
	memset(&page, 0, sizeof(page));
	page.cap_user_rdpmc = 1;
	page.cap_user_time = 1;
	page.index = 3;
	page.pmc_width = 48;
	page.time_mult = 1;
	clock_now = register_value = 0;
	reads = disturbed = 0;
	ck_assert_int_eq(pmu_fastread_use(&f, &page), 0);
}

START_TEST(adds_the_register_to_the_offset)
{
	page.offset = 1000;
	register_value = 234;
	ck_assert_int_eq(pmu_fastread(&f, &v), 0);
	ck_assert_uint_eq(v.value, 1234);
	ck_assert_uint_eq(register_index, 3);
}
END_TEST

/* The kernel starts counters below zero: what the register lacks to it. */
START_TEST(extends_the_sign)
{
	static const struct {
		uint16_t width;
		uint64_t value;
		int64_t means;
	} cases[] = {
		{ 48, UINT64_C(0xffffffffff00), -256 },
		{ 48, UINT64_C(0x7fffffffffff), (INT64_C(1) << 47) - 1 },
		{ 32, UINT64_C(0xffffffff), -1 },
		{ 32, UINT64_C(0x80000000), -(INT64_C(1) << 31) },
		{ 40, UINT64_C(0xff00000001), -(INT64_C(1) << 32) + 1 },
		{ 64, UINT64_MAX, -1 },
		/* What lies above the width is not the counter's. */
		{ 32, UINT64_C(0xabcd00000005), 5 },
	};

	page.offset = INT64_C(1) << 50;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		page.pmc_width = cases[i].width;
		register_value = cases[i].value;
		ck_assert_int_eq(pmu_fastread(&f, &v), 0);
		ck_assert_int_eq((int64_t)v.value, page.offset + cases[i].means);
	}
}
END_TEST

START_TEST(tells_times)
{
	page.time_enabled = 5000;
	page.time_running = 3000;
	page.time_offset = (uint64_t)-1000;
	page.time_mult = 3 << 10;
	page.time_shift = 11; /* 1.5 ns a tick */
	clock_now = 2001;
	ck_assert_int_eq(pmu_fastread(&f, &v), 0);
	ck_assert_uint_eq(v.enabled_ns, 5000 - 1000 + 3001);
	ck_assert_uint_eq(v.running_ns, 3000 - 1000 + 3001);
	/* Far into the CPU's life the product must not overflow. */
	clock_now = UINT64_C(1) << 52;
	page.time_offset = 0 - (UINT64_C(3) << 51);
	ck_assert_int_eq(pmu_fastread(&f, &v), 0);
	ck_assert_uint_eq(v.enabled_ns, 5000);
}
END_TEST

/* A clock of few bits, which has wrapped since. */
START_TEST(unfolds_a_short_clock)
{
	page.cap_user_time_short = 1;
	page.time_mask = 0xffff;
	page.time_cycles = 0x2fff0;
	page.time_offset = 0 - UINT64_C(0x2fff0);
	clock_now = 0x0010;
	ck_assert_int_eq(pmu_fastread(&f, &v), 0);
	ck_assert_uint_eq(v.enabled_ns, 0x20);
}
END_TEST

static void move_on(void)
{
	page.lock++;
	page.offset += 100;
}

/* What the kernel changed meanwhile is read again, whole. */
START_TEST(looks_again)
{
	disturbed = 3;
	disturb = move_on;
	page.offset = 0;
	register_value = 7;
	ck_assert_int_eq(pmu_fastread(&f, &v), 0);
	ck_assert_uint_eq(v.value, 307);
	ck_assert_int_eq(reads, 4);
}
END_TEST

static void take_away(void)
{
	page.lock++;
	page.index = 0;
}

START_TEST(gives_up_what_was_taken_away)
{
	disturbed = 1;
	disturb = take_away;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	ck_assert_int_eq(reads, 1);
}
END_TEST

START_TEST(does_not_look_for_ever)
{
	disturbed = 1 << 30;
	disturb = move_on;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	ck_assert_int_lt(reads, 1000);
}
END_TEST

/* Reading a register that isn't ours would trap. */
START_TEST(touches_no_register_without_leave)
{
	page.index = 0;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	page.index = 3;
	page.cap_user_rdpmc = 0;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	page.cap_user_rdpmc = 1;
	page.pmc_width = 0;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	page.pmc_width = 65;
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	ck_assert_int_eq(reads, 0);
}
END_TEST

START_TEST(needs_both_abilities)
{
	page.cap_user_time = 0;
	ck_assert_int_eq(pmu_fastread_use(&f, &page), -ENODATA);
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	page.cap_user_time = 1;
	page.cap_user_rdpmc = 0;
	ck_assert_int_eq(pmu_fastread_use(&f, &page), -ENOTSUP);
	ck_assert_int_eq(pmu_fastread_open(&f, -1), -EBADF);
	ck_assert_int_eq(pmu_fastread(&f, &v), -EAGAIN);
	pmu_fastread_close(&f);
	pmu_fastread_close(&f);
}
END_TEST

/* ---- several, one reading after another -------------------------------- */

static struct perf_event_mmap_page other;
static struct pmu_fastread g;
static const struct pmu_fastread *const both[] = { &f, &g };
static struct pmu_steady steady;
static struct pmu_value values[2];
static uint64_t more[2], ns;

static int read_steadily(void)
{
	if (!pmu_steady_look(&steady, clock_now))
		return -EAGAIN;
	for (int i = 0; i < 2; i++)
		more[i] = pmu_steady_take(&steady.events[i]);
	ns = pmu_steady_time(&steady, clock_now);
	return 0;
}

static void two_events(void)
{
	page.time_mult = 3 << 10;
	page.time_shift = 11; /* 1.5 ns a tick */
	page.time_enabled = 5000;
	page.time_running = 3000;
	page.offset = 100;
	other = page;
	other.pmc_width = 32;
	other.index = 5;
	ck_assert_int_eq(pmu_fastread_use(&g, &other), 0);
	clock_now = 1000;
	register_value = 0xfffffff0;
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), 0);
}

START_TEST(reads_on_from_the_last_time)
{
	two_events();
	ck_assert_uint_eq(values[0].value, 100 + UINT64_C(0xfffffff0));
	ck_assert_uint_eq(values[1].value, 100 - 16);
	ck_assert_uint_eq(values[1].enabled_ns, 5000 + 1500);
	ck_assert_uint_eq(values[1].running_ns, 3000 + 1500);
	for (uint64_t i = 1, before = 1500; i < 1000; i++) {
		clock_now += 2 * i + 1; /* halves of nanoseconds add up */
		register_value += i;	/* over the end of 32 bits */
		ck_assert_int_eq(read_steadily(), 0);
		ck_assert_uint_eq(more[0], i);
		ck_assert_uint_eq(more[1], i);
		ck_assert_uint_eq(ns, clock_now * 3 / 2 - before);
		before += ns;
		ck_assert_uint_eq(pmu_steady_gained(&steady, 0), i * (i + 1) / 2);
		ck_assert_uint_eq(pmu_steady_gained(&steady, 1), i * (i + 1) / 2);
		ck_assert_uint_eq(pmu_steady_passed(&steady), before - 1500);
	}
	ck_assert_uint_eq(register_index, 5);
}
END_TEST

static void other_moves(void)
{
	other.lock++;
}

/* Whatever happens to one of them, before or meanwhile, none is read. */
START_TEST(begins_again_after_a_change)
{
	two_events();
	other.lock++;
	register_index = 0;
	ck_assert_int_eq(read_steadily(), -EAGAIN);
	ck_assert_uint_ne(register_index, 5); /* that register may be another's by now */
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), 0);
	register_value += 4;
	reads = 0;
	disturbed = 1;
	disturb = other_moves;
	ck_assert_int_eq(read_steadily(), -EAGAIN);
	disturbed = 0;
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), 0);
	register_value += 5;
	ck_assert_int_eq(read_steadily(), 0);
	ck_assert_uint_eq(more[0], 5);
}
END_TEST

/* Longer times would overflow in the conversion to nanoseconds. */
START_TEST(begins_again_after_a_long_time)
{
	two_events();
	clock_now += UINT32_MAX;
	ck_assert_int_eq(read_steadily(), 0);
	ck_assert_uint_eq(ns, UINT64_C(0xffffffff) * 3 / 2);
	clock_now++;
	ck_assert_int_eq(read_steadily(), -EAGAIN);
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), 0);
	clock_now -= 1; /* another core's clock may be behind */
	ck_assert_int_eq(read_steadily(), -EAGAIN);
}
END_TEST

START_TEST(begins_when_all_have_counters)
{
	two_events();
	other.lock++;
	other.index = 0;
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), -EAGAIN);
	ck_assert_int_eq(read_steadily(), -EAGAIN);
	other.index = 5;
	reads = 0;
	disturbed = 3;
	disturb = other_moves;
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), 0);
	disturbed = 1 << 30;
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 2, values), -EAGAIN);
	ck_assert_int_lt(reads, 1000);
	ck_assert_int_eq(pmu_steady_begin(&steady, both, 0, values), -EAGAIN);
	ck_assert_int_eq(read_steadily(), -EAGAIN);
}
END_TEST

START_TEST(passes_requests_on)
{
	struct perf_event_attr attr = { .config1 = 0 };

	pmu_fastread_request(&attr);
	ck_assert_uint_eq(attr.config1, 7);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fastread");
	TCase *t = tcase_create("pages");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, adds_the_register_to_the_offset);
	tcase_add_test(t, extends_the_sign);
	tcase_add_test(t, tells_times);
	tcase_add_test(t, unfolds_a_short_clock);
	tcase_add_test(t, looks_again);
	tcase_add_test(t, gives_up_what_was_taken_away);
	tcase_add_test(t, does_not_look_for_ever);
	tcase_add_test(t, touches_no_register_without_leave);
	tcase_add_test(t, needs_both_abilities);
	tcase_add_test(t, reads_on_from_the_last_time);
	tcase_add_test(t, begins_again_after_a_change);
	tcase_add_test(t, begins_again_after_a_long_time);
	tcase_add_test(t, begins_when_all_have_counters);
	tcase_add_test(t, passes_requests_on);
	suite_add_tcase(s, t);
	return suite_main(s);
}
