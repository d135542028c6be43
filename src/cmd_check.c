/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_check.c - the command check: what profiling can do on this machine.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/base/page.h"
#include "src/check/checkup.h"
#include "src/check/save.h"
#include "src/check/survey.h"
#include "src/command_line.h"
#include "src/commands.h"

static int check_help(void)
{
	puts("ompcount check [--save FILE]\n"
	     "ompcount check --runtime PROGRAM [ARG...]\n"
	     "\n"
	     "Shows what this machine allows: processor counters, permissions, limits, OpenMP\n"
	     "runtimes; with what to do where something is less than it could be.  Samples\n"
	     "itself for a fraction of a second.  Exit status 0: profiling works, though\n"
	     "perhaps by clocks only; 1: it does not.\n"
	     "\n"
	     "  --save FILE  write to FILE (- for standard output) what a developer needs to\n"
	     "               know of this machine's counters: its PMUs, the processor's model,\n"
	     "               the kernel's release, limits, and what events the kernel refuses;\n"
	     "               no names of users or hosts, no serial numbers\n"
	     "  --runtime    run PROGRAM, unprofiled, and show for each event of OMPT what its\n"
	     "               OpenMP runtime answers, and how often it reported it");
	return page_end();
}

static void say_verdict(const struct checkup *c)
{
	int column = 0;

	putchar('\n');
	if (!c->samples)
		page_fold("Profiling does not work here: no way of sampling gave a sample.", 0,
			  &column);
	else if (!c->library)
		page_fold("Profiling does not work here: libomphwc.so is missing.", 0, &column);
	else if (c->access.hardware == PMU_HARDWARE_YES)
		page_fold("Profiling works here, with the processor's counters.", 0, &column);
	else if (c->access.user_clock)
		page_fold("Profiling works here, by the clock: cpu-clock stands in for "
			  "events that the processor would have to count.",
			  0, &column);
	else
		page_fold("Profiling works here, by the wall clock only.", 0, &column);
	putchar('\n');
}

static int check_save(const char *path)
{
	const bool out = !strcmp(path, "-");
	FILE *f = out ? stdout : fopen(path, "we");
	int error = f ? save_machine(f) : -errno;

	if (f && !out && fclose(f) && !error)
		error = -errno;
	if (!error)
		return 0;
	return command_fails(path, strerror(-error), NULL);
}

int cmd_check(int argc, char **argv)
{
	struct checkup c = { .lines = 0 };
	struct utsname u = { .nodename = "" };
	int printed;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return check_help();
	if (argc == 3 && !strcmp(argv[1], "--save"))
		return check_save(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "--runtime"))
		return survey_runtime(argv + 2);
	if (argc > 1)
		return command_misused(argv[1],
				       !strcmp(argv[1], "--save") ? "one file's name must follow" :
				       !strcmp(argv[1], "--runtime") ? "a program must follow" :
								       "check takes no arguments",
				       "see ompcount check --help");
	uname(&u);
	printf("%s %s on %s\n", PACKAGE_NAME, PACKAGE_VERSION, u.nodename);
	checkup_machine(&c);
	checkup_counting(&c);
	checkup_trials(&c);
	checkup_limits(&c);
	checkup_openmp(&c);
	checkup_environment(&c);
	say_verdict(&c);
	printed = page_end();
	return c.samples && c.library ? printed : COMMAND_FAILED;
}
