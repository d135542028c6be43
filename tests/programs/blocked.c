/* SPDX-License-Identifier: BSD-3-Clause
 * blocked - touches pages while no signal can be delivered, as code does that asks
 * the kernel itself to block them; says how many.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "work.h"

enum { PAGE = 4096, FREE = 400, BLOCKED = 3600 };

KEEP void touch(char *memory, int pages)
{
	for (int i = 0; i < pages; i++)
		memory[(size_t)i * PAGE] = 1;
	STAY();
}

/* By an instruction of its own: libc's functions are seen. */
static void set_mask(const uint64_t *set)
{
#if defined(__x86_64__)
	register long bytes __asm__("r10") = sizeof(*set);
	long result = SYS_rt_sigprocmask;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(SIG_SETMASK), "S"(set), "d"(0), "r"(bytes)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_rt_sigprocmask;
	register long how __asm__("x0") = SIG_SETMASK;
	register const void *new __asm__("x1") = set;
	register long old __asm__("x2") = 0, bytes __asm__("x3") = sizeof(*set);

	__asm__ volatile("svc 0"
			 : "+r"(how)
			 : "r"(number), "r"(new), "r"(old), "r"(bytes)
			 : "memory");
#else
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, set, NULL, sizeof(*set));
#endif
}

int main(void)
{
	const uint64_t all = ~UINT64_C(0), none = 0;
	char *memory = mmap(NULL, (size_t)(FREE + BLOCKED) * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, (size_t)(FREE + BLOCKED) * PAGE, MADV_NOHUGEPAGE);
	touch(memory, FREE);
	set_mask(&all);
	touch(memory + (size_t)FREE * PAGE, BLOCKED);
	set_mask(&none);
	printf("pages %d\n", FREE + BLOCKED);
	return 0;
}
