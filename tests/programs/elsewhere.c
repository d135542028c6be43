/* SPDX-License-Identifier: BSD-3-Clause
 * elsewhere - work of a region on stacks that do not lead back to it: a coroutine's, and that of
 * code without unwind rules.
 *
 * elsewhere SECONDS.  Nothing is computed outside of the region.
 */
#include <omp.h>
#include <ucontext.h>

#include "work.h"

enum { UNIT_NS = 2000000, STACK_BYTES = 1 << 18 };

static char stacks[2][STACK_BYTES];

/* Calls its argument on an aligned stack, and says nothing of it to unwinders. */
void untold(void (*function)(void));
void untold_too(void (*function)(void));
#if defined(__x86_64__)
__asm__(".text\n"
	".type untold, @function\n"
	"untold: push %rbx\n"
	"mov %rsp, %rbx\n"
	"and $-64, %rsp\n"
	"sub $192, %rsp\n"
	"call *%rdi\n"
	"mov %rbx, %rsp\n"
	"pop %rbx\n"
	"ret\n"
	".size untold, . - untold\n"
	/* The same, with a stack address in the register that may be a frame pointer. */
	".type untold_too, @function\n"
	"untold_too: push %rbx\n"
	"push %rbp\n"
	"sub $4096, %rsp\n"
	"mov %rsp, %rbp\n"
	"call *%rdi\n"
	"add $4096, %rsp\n"
	"pop %rbp\n"
	"pop %rbx\n"
	"ret\n"
	".size untold_too, . - untold_too\n");
#else
void untold_too(void (*function)(void))
{
	function();
}


void untold(void (*function)(void))
{
	function();
}
#endif

KEEP void by_untold(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void by_untold_too(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void by_coroutine(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

KEEP void directly(void)
{
	crunch_for(UNIT_NS);
	STAY();
}

static void call_coroutine(char *stack)
{
	ucontext_t here, there;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK_BYTES;
	there.uc_link = &here;
	makecontext(&there, by_coroutine, 0);
	swapcontext(&here, &there);
}

int main(int argc, char **argv)
{
	const double seconds = seconds_of(argc, argv, 1, 1);

	while (still_running(seconds))
#pragma omp parallel num_threads(2)
	{
		directly();
		call_coroutine(stacks[omp_get_thread_num()]);
		untold(by_untold);
		untold_too(by_untold_too);
	}
	return 0;
}
