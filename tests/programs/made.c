/* SPDX-License-Identifier: BSD-3-Clause
 * made.c - executes code that it makes at run time, as interpreters do: a trampoline without a
 * frame pointer (CPython 3.12), one with (CPython 3.13), and a loop. Writes their names for perf:
 * /tmp/perf-PID.map. x86-64. Prints its path.
 *
 * made [NAMES [dump]]: with dump, into ./jit-PID.dump, where the loop is moved after it was loaded.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef void body(void);
typedef void trampoline(body *f);

static volatile unsigned long sink;

/* call *%rdi between two moves of the stack pointer */
static const unsigned char plain[] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8, 0xc3 };

/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char framed[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };

/* mov $50000000,%ecx; 1: sub $1,%ecx; jne 1b; ret */
static const unsigned char loop[] = { 0xb9, 0x80, 0xf0, 0xfa, 2, 0x83, 0xe9, 1, 0x75, 0xfb, 0xc3 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void work(void)
{
	for (unsigned long i = 0; i < 10000000; i++)
		sink += i;
}

static trampoline *inner;

static __attribute__((noinline)) void interpreter(void)
{
	inner(work);
	__asm__ volatile("" : : : "memory");
}

static void map_names(const char *path, const char *names, const char *m)
{
	FILE *map = fopen(path, "wx");

	if (!map)
		exit(1);
	fprintf(map, "%lx 40 py::renamed:/old.py\n", (unsigned long)m);
	fprintf(map, "%lx 40 %s::outer:/app.py\n", (unsigned long)m, names);
	fprintf(map, "%lx 40 %s::inner:/app.py\nnot a line\n\n", (unsigned long)m + 64, names);
	fprintf(map, "%lx 40 %s::loop\033[31m:/app.py", (unsigned long)m + 128, names);
	fclose(map);
}

/* A record of perf's specification of such files, version 1: the fields, a name, and code. */
static void record(FILE *dump, uint32_t id, const uint64_t *fields, unsigned n, const char *name,
		   const void *code, size_t bytes)
{
	const size_t name_bytes = name ? strlen(name) + 1 : 0;
	const struct {
		uint32_t id, bytes;
		uint64_t timestamp;
		uint32_t pid, tid;
	} prefix = { id, (uint32_t)(24 + 8 * n + name_bytes + bytes), 0, (uint32_t)getpid(), 0 };

	fwrite(&prefix, sizeof(prefix), 1, dump);
	fwrite(fields, 8, n, dump);
	if (name)
		fwrite(name, name_bytes, 1, dump);
	if (bytes)
		fwrite(code, bytes, 1, dump);
}

static void loaded(FILE *dump, uint64_t at, const char *names, const char *function, uint64_t index)
{
	const uint64_t fields[] = { at, at, 64, index };
	char name[200];

	snprintf(name, sizeof(name), "%s::%s", names, function);
	record(dump, 0, fields, 4, name, plain, sizeof(plain));
}

static void dump_names(const char *path, const char *names, const char *m)
{
	const uint32_t header[] = { 0x4A695444, 1, 40, 62, 0, (uint32_t)getpid(), 0, 0, 0, 0 };
	const uint64_t at = (uint64_t)(uintptr_t)m, move[] = { at + 128, at + 512, at + 128, 64, 3 };
	FILE *dump = fopen(path, "wx");

	if (!dump)
		exit(1);
	fwrite(header, sizeof(header), 1, dump);
	loaded(dump, at, "py", "renamed:/old.py", 0);
	loaded(dump, at, names, "outer:/app.py", 1);
	loaded(dump, at + 64, names, "inner:/app.py", 2);
	loaded(dump, at + 512, names, "loop\033[31m:/app.py", 3);
	record(dump, 7, move, 5, NULL, NULL, 0); /* of a kind that nobody knows */
	record(dump, 1, move, 5, NULL, NULL, 0);
	fclose(dump);
}

int main(int argc, char **argv)
{
	char path[64],
		*m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *names = argc > 1 ? argv[1] : "py";
	const int dump = argc > 2;

	if (m == MAP_FAILED)
		return 1;
	memcpy(m, plain, sizeof(plain));
	memcpy(m + 64, framed, sizeof(framed));
	memcpy(m + 128, loop, sizeof(loop));
	if (mprotect(m, 4096, PROT_READ | PROT_EXEC))
		return 1;
	snprintf(path, sizeof(path), dump ? "jit-%d.dump" : "/tmp/perf-%d.map", (int)getpid());
	(dump ? dump_names : map_names)(path, names, m);
	inner = (trampoline *)(void *)(m + 64);
	while (seconds() < 1.0) {
		((trampoline *)(void *)m)(interpreter);
		((body *)(void *)(m + 128))();
	}
	puts(path);
	return 0;
}
