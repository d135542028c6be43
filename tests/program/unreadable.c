/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of the thread's own stack cannot be read. */
#include "case.h"

static void *thread(void *arg)
{
	char room[65536];
	char *page = (char *)(((uintptr_t)room + 16384) & ~(uintptr_t)4095);

	if (mprotect(page, 16384, PROT_NONE))
		return "failed";
	busy(20);
	if (mprotect(page, 16384, PROT_READ | PROT_WRITE))
		return "failed";
	memset(room, 1, sizeof(room));
	busy(5);
	return room[100] == 1 ? arg : "wrong";
}

int main(void)
{
	pthread_t t;
	void *result;

	for (int n = 0; n < 5; n++) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, &result);
		puts(result ? result : "good");
	}
	return 0;
}
