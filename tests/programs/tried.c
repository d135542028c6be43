/* SPDX-License-Identifier: BSD-3-Clause
 * tried - programs with a loss that a setting of the environment removes.
 *
 * tried KIND [NAME=VALUE END]
 *
 *   short     a region for each short loop: OMP_WAIT_POLICY=passive makes threads sleep between
 *   runtime   schedule(runtime), and iterations that get longer: OMP_SCHEDULE=static is uneven
 *   alone     no region
 *
 * It prints "done". Where the variable has the value, it ends otherwise: with the status END, or
 * never (END: hang). What it reads from a regular file at standard input has to be 4 bytes.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work.h"

static volatile unsigned long results[64];

KEEP void piece(long n)
{
	unsigned long x = (unsigned long)n | 1;

	while (n-- > 0) {
		x = x * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("" : "+r"(x));
	}
	results[omp_get_thread_num() * 16 % 64] += x;
}

KEEP void short_regions(void)
{
	for (int i = 0; i < 3000; i++) {
#pragma omp parallel
		piece(20000);
	}
}

KEEP void runtime_loop(void)
{
	for (int times = 0; times < 5; times++) {
#pragma omp parallel for schedule(runtime)
		for (int i = 0; i < 64; i++)
			piece(10000L * i);
	}
}

static int ends_otherwise(const char *setting, const char *end)
{
	const char *equals = strchr(setting, '=');
	char name[64];
	const char *value;

	snprintf(name, sizeof(name), "%.*s", (int)(equals - setting), setting);
	value = getenv(name);
	if (!value || strcmp(value, equals + 1) != 0)
		return 0;
	while (strcmp(end, "hang") == 0)
		sleep(1);
	return atoi(end);
}

static int read_input(void)
{
	struct stat st;
	char bytes[8];

	if (fstat(0, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	return read(0, bytes, sizeof(bytes)) == 4 ? 0 : 9;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	int status = argc > 3 ? ends_otherwise(argv[2], argv[3]) : 0;

	if (strcmp(kind, "short") == 0)
		short_regions();
	else if (strcmp(kind, "runtime") == 0)
		runtime_loop();
	else
		piece(100000000);
	puts("done");
	return status ? status : read_input();
}
