/* SPDX-License-Identifier: BSD-3-Clause */
/* A vfork's child in a thread with the smallest stack calls execl(). */
#include "case.h"

static void *thread(void *arg)
{
	pid_t child = vfork();

	(void)arg;
	if (child == 0) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	print_end("child", child);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	for (int n = 0; n < 10; n++) {
		if (pthread_create(&t, &attr, thread, NULL))
			return 1;
		printf("%d\n", pthread_join(t, NULL));
	}
	return 0;
}
