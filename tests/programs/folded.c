/* SPDX-License-Identifier: BSD-3-Clause
 * folded - a region whose body is a jump to another region's equal body, as gcc makes it of
 * equal functions: the region is the function's that passes the jump to the runtime.
 *
 * folded SECONDS
 */
#include <stdio.h>

#include "work.h"

enum { UNIT_NS = 100000 };

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);

KEEP void work(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void equal(void)
{
	STAY();
#pragma omp parallel num_threads(2) /* equal */
	{
		work();
		STAY();
	}
	STAY();
}

#if defined(__x86_64__)
#define JUMP "jmp"
#elif defined(__riscv)
#define JUMP "tail"
#else
#define JUMP "b"
#endif
/* The name of equal's body is known to the assembler only. */
__asm__(".pushsection .text\n"
	".type folded._omp_fn.0, @function\n"
	"folded._omp_fn.0:\n"
	"\t.cfi_startproc\n"
	"\t" JUMP " equal._omp_fn.0\n"
	"\t.cfi_endproc\n"
	".size folded._omp_fn.0, . - folded._omp_fn.0\n"
	".popsection\n");
extern void folded_body(void *data) __asm__("folded._omp_fn.0");

KEEP void folded(void)
{
	STAY();
	GOMP_parallel(folded_body, NULL, 2, 0); /* folded */
	STAY();
}

int main(int argc, char **argv)
{
	double seconds = seconds_of(argc, argv, 1, 1);

	do {
		equal();
		folded();
	} while (still_running(seconds));
	return 0;
}
