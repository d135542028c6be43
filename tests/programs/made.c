/*
 * made.c - executes code that it makes at run time, as interpreters do: a trampoline without a
 * frame pointer (CPython 3.12), one with (CPython 3.13), and a loop. Writes a map of their names
 * for perf: /tmp/perf-PID.map. x86-64. Prints the map's path.
 */
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

int main(int argc, char **argv)
{
	static const char old[] = "py::renamed:/old.py";
	char path[64],
		*m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *names = argc > 1 ? argv[1] : "py";
	FILE *map;

	if (m == MAP_FAILED)
		return 1;
	memcpy(m, plain, sizeof(plain));
	memcpy(m + 64, framed, sizeof(framed));
	memcpy(m + 128, loop, sizeof(loop));
	if (mprotect(m, 4096, PROT_READ | PROT_EXEC))
		return 1;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "wx");
	if (!map)
		return 1;
	fprintf(map, "%lx 40 %s\n", (unsigned long)m, old);
	fprintf(map, "%lx 40 %s::outer:/app.py\n", (unsigned long)m, names);
	fprintf(map, "%lx 40 %s::inner:/app.py\nnot a line\n\n", (unsigned long)m + 64, names);
	fprintf(map, "%lx 40 %s::loop\033[31m:/app.py", (unsigned long)m + 128, names);
	fclose(map);
	inner = (trampoline *)(void *)(m + 64);
	while (seconds() < 1.0) {
		((trampoline *)(void *)m)(interpreter);
		((body *)(void *)(m + 128))();
	}
	puts(path);
	return 0;
}
