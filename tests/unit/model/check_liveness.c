/* SPDX-License-Identifier: BSD-3-Clause */
/* check_liveness.c - whether a process without an end in its profile still runs. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/model/liveness.h"
#include "src/profile/clock.h"
#include "src/profile/reader/reader.h"
#include "tests/support/mkprofile.h"
#include "tests/support/suite_main.h"

static char host[256], boot[64];
static uint64_t now_ns;

static void setup(void)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(boot, sizeof(boot), f));
	fclose(f);
	boot[strcspn(boot, "\n")] = '\0';
	ck_assert_int_eq(gethostname(host, sizeof(host) - 1), 0);
	now_ns = clock_ns(CLOCK_MONOTONIC);
}

static enum liveness of(uint32_t pid, uint64_t start_ns, uint32_t run, const char *at,
			const char *since)
{
	struct mkprofile *mk = mk_new();
	struct prof_file *f = NULL;
	enum liveness l;
	uint32_t version;

	mk_text(mk, PROF_INFO_HOST, at);
	mk_text(mk, PROF_INFO_BOOT, since);
	mk_header(mk)->pid = pid;
	mk_header(mk)->run = run;
	mk_header(mk)->start_monotonic_ns = start_ns;
	ck_assert_int_eq(prof_read_memory(mk_bytes(mk), mk_size(mk), "p", &f, &version),
			 PROF_READ_OK);
	l = liveness_of(f);
	prof_free(f);
	mk_free(mk);
	return l;
}

START_TEST(profiles_that_say_it)
{
	ck_assert_int_eq(of((uint32_t)getpid(), now_ns, PROF_RUN_EXITED, host, boot),
			 LIVENESS_ENDED);
	ck_assert_int_eq(of((uint32_t)getpid(), now_ns, PROF_RUN_EXECED, host, boot),
			 LIVENESS_EXECED);
	ck_assert_ptr_null(liveness_text(LIVENESS_ENDED));
}
END_TEST

START_TEST(processes_that_run)
{
	ck_assert_int_eq(of((uint32_t)getpid(), now_ns, PROF_RUN_RUNNING, host, boot),
			 LIVENESS_RUNS);
}
END_TEST

START_TEST(processes_that_are_gone)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid)
		_exit(0);
	/* Not yet waited for, and then. */
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(of((uint32_t)pid, now_ns, PROF_RUN_RUNNING, host, boot), LIVENESS_GONE);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(of((uint32_t)pid, now_ns, PROF_RUN_RUNNING, host, boot), LIVENESS_GONE);
	/* The number is another's now, which started after the profile. */
	ck_assert_int_eq(of((uint32_t)getpid(), 1, PROF_RUN_RUNNING, host, boot), LIVENESS_GONE);
	ck_assert_int_eq(of(UINT32_MAX, now_ns, PROF_RUN_RUNNING, host, boot), LIVENESS_GONE);
}
END_TEST

START_TEST(processes_elsewhere)
{
	const uint32_t self = (uint32_t)getpid();

	ck_assert_int_eq(of(self, now_ns, PROF_RUN_RUNNING, "another", boot), LIVENESS_UNKNOWN);
	ck_assert_int_eq(of(self, now_ns, PROF_RUN_RUNNING, host, "before"), LIVENESS_UNKNOWN);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("liveness");
	TCase *c = tcase_create("liveness");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, profiles_that_say_it);
	tcase_add_test(c, processes_that_run);
	tcase_add_test(c, processes_that_are_gone);
	tcase_add_test(c, processes_elsewhere);
	suite_add_tcase(s, c);
	return suite_main(s);
}
