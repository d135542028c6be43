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

int main(void)
{
	const uint64_t all = ~UINT64_C(0), none = 0;
	char *memory = mmap(NULL, (size_t)(FREE + BLOCKED) * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, (size_t)(FREE + BLOCKED) * PAGE, MADV_NOHUGEPAGE);
	touch(memory, FREE);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	touch(memory + (size_t)FREE * PAGE, BLOCKED);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof(none));
	printf("pages %d\n", FREE + BLOCKED);
	return 0;
}
