/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps - counts the instructions of a program's main thread between two traps.
 *
 * steps PIECES PROGRAM [ARG]...: the program runs, and stops itself by SIGTRAP before and after
 * so many pieces of work. Prints the instructions of one piece, and of them those in omphwc's
 * libraries. Counts do not vary with the machine's load; time is not measured. What is done
 * once in a millisecond is done at each piece here: stepping is slow.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <elf.h>

struct range {
	uint64_t from, to;
};

enum { RANGES = 64 };

static struct range ours[RANGES];
static size_t nours;

static void read_ours(pid_t pid)
{
	char path[64], line[4096];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const char *name = strrchr(line, '/');
		unsigned long from, to;

		if (!name || strncmp(name, "/libomphwc", 10) != 0 || nours == RANGES ||
		    sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		ours[nours++] = (struct range){ from, to };
	}
	if (f)
		fclose(f);
}

static bool is_ours(uint64_t address)
{
	for (size_t i = 0; i < nours; i++)
		if (address >= ours[i].from && address < ours[i].to)
			return true;
	return false;
}

static uint64_t counter_of(pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	memset(&regs, 0, sizeof(regs));
	ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &iov);
#if defined(__x86_64__)
	return regs.rip;
#else
	return regs.pc;
#endif
}

/* Whether the stop is by raise(), not the end of a step or of an exec. */
static bool is_raised(pid_t pid)
{
	siginfo_t info;

	return ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) == 0 && info.si_code == SI_TKILL;
}

int main(int argc, char **argv)
{
	uint64_t all = 0, in_ours = 0;
	const int pieces = argc < 3 ? 0 : atoi(argv[1]);
	int status, marks = 0;
	pid_t pid;

	if (pieces < 1) {
		fputs("usage: steps PIECES PROGRAM [ARG]...\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[2], argv + 2);
		_exit(127);
	}
	/* By its exec. */
	if (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_EXITKILL);
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	for (long sent = 0; waitpid(pid, &status, 0) == pid && WIFSTOPPED(status); sent = 0) {
		const int signo = WSTOPSIG(status);

		if (signo != SIGTRAP) {
			sent = signo;
		} else if (is_raised(pid)) {
			if (++marks == 1)
				read_ours(pid);
		} else if (marks == 1) {
			all++;
			in_ours += is_ours(counter_of(pid));
		}
		if (ptrace(marks == 1 ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, NULL, (void *)sent) !=
		    0)
			break;
	}
	if (marks != 2 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fputs("steps: the program did not stop twice, and end well\n", stderr);
		return 1;
	}
	printf("%.1f %.1f\n", (double)all / pieces, (double)in_ours / pieces);
	return 0;
}
