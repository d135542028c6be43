/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that use most of a small stack. */
#include "case.h"

static void *thread(void *arg)
{
	const size_t bytes = (size_t)(uintptr_t)arg;
	volatile char *use = __builtin_alloca(bytes);

	for (size_t i = 0; i < bytes; i += 64)
		use[i] = (char)i;
	busy(5);
	for (size_t i = 0; i < bytes; i += 64)
		if (use[i] != (char)i)
			return "spoilt";
	return NULL;
}

int main(void)
{
	static const size_t sizes[][2] = { { 16384, 8000 }, { 24576, 16000 }, { 32768, 24000 },
					   { 65536, 56000 } };
	int bad = 0;

	for (int n = 0; n < 20; n++) {
		pthread_attr_t attr;
		pthread_t t;
		void *result;

		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, sizes[n % 4][0]);
		if (pthread_create(&t, &attr, thread, (void *)sizes[n % 4][1]))
			return 1;
		pthread_join(t, &result);
		bad += result != NULL;
	}
	printf("bad %d\n", bad);
	return 0;
}
