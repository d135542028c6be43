/* SPDX-License-Identifier: BSD-3-Clause */
/* pause() ends for an alarm, sleep() for a handler. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

/* SIGALRM is the process's: this thread blocks it, so main() takes it. */
static void *alarms(void *arg)
{
	block(SIGALRM, 0, 0);
	until_blocked(getpid(), (long)(intptr_t)arg);
	ualarm(1000, 0);
	return NULL;
}

static pthread_t alarm_in(long call)
{
	pthread_t t;

	if (pthread_create(&t, NULL, alarms, (void *)(intptr_t)call))
		exit(1);
	return t;
}

int main(void)
{
	on(SIGALRM, handler, SA_RESTART);
	for (int n = 0; n < 2; n++) {
		busy(5);
#ifdef SYS_pause
		const pthread_t t = alarm_in(SYS_pause);
#else
		const pthread_t t = alarm_in(SYS_ppoll);
#endif
		printf("%d", pause());
		printf(" %s, got %d\n", strerror(errno), got);
		pthread_join(t, NULL);
	}
	const pthread_t t = alarm_in(SYS_clock_nanosleep);
	printf("sleep leaves %s\n", sleep(1000) >= 500 ? "the rest" : "nothing");
	pthread_join(t, NULL);
	return 0;
}
