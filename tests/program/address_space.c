/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that limits its own address space, by each function that does. */
#include "case.h"

enum { MIB = 1 << 20 };

/* How many MiB of 64 the program gets. */
static int room(void)
{
	static void *got[64];
	int n = 0;

	for (int i = 0; i < 64; i++) {
		got[i] = mmap(NULL, MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		n += got[i] != MAP_FAILED;
	}
	for (int i = 0; i < 64; i++)
		if (got[i] != MAP_FAILED)
			munmap(got[i], MIB);
	return n;
}

static void limited(int way)
{
	const struct rlimit l = { 1000L * MIB, RLIM_INFINITY };
	const struct rlimit64 l64 = { 1000L * MIB, RLIM64_INFINITY };
	int result = -1;

	if (way == 0)
		result = setrlimit(RLIMIT_AS, &l);
	if (way == 1)
		result = setrlimit64(RLIMIT_AS, &l64);
	if (way == 2)
		result = prlimit(0, RLIMIT_AS, &l, NULL);
	if (way == 3)
		result = prlimit64(getpid(), RLIMIT_AS, &l64, NULL);
	if (way == 4)
		result = (int)syscall(SYS_prlimit64, 0, RLIMIT_AS, &l64, NULL);
#ifdef SYS_setrlimit
	if (way == 5)
		result = (int)syscall(SYS_setrlimit, RLIMIT_AS, &l64);
#endif
	/* What can't be read, or isn't valid, is an error, and limits nothing. */
	if (way == 6)
		result = setrlimit(RLIMIT_AS, (const struct rlimit *)8);
	if (way == 7)
		result = prlimit(0, RLIMIT_AS, &(struct rlimit){ 2, 1 }, NULL);
	busy(10);
	printf("way %d: %d, room %d\n", way, result, room());
	fflush(stdout);
	_exit(way);
}

int main(void)
{
	busy(10);
	for (int way = 0; way < 8; way++) {
		const pid_t child = fork();

		if (child == 0) {
			busy(20);
			limited(way);
		}
		print_end("child", child);
	}
	limited(0);
}
