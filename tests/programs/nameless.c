/* SPDX-License-Identifier: BSD-3-Clause */
/* nameless.c - with an argument most of the time is in code that no symbol covers. */
#include <stdio.h>
#include <time.h>

__asm__(".text\n"
	".balign 16\n"
	".type sized, @function\n"
	"sized: ret\n"
	".size sized, . - sized\n"
	"	.cfi_startproc\n"
	".Lnameless:\n"
	"1:	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".data\n"
	".balign 8\n"
	"nameless: .quad .Lnameless\n"
	".text\n");
extern void (*const nameless)(long n);

int main(int argc, char **argv)
{
	volatile double x = 1;

	(void)argv;
#pragma omp parallel for
	for (int i = 0; i < 1000; i++)
		x = x * 1.0001;
	for (int i = 0; i < 40000000; i++)
		x = x * 1.0001;
	if (argc > 1)
		nameless(200000000);
	return 0;
}
