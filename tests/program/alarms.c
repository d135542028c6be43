/* pause() ends for an alarm, sleep() for a handler. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

int main(void)
{
	on(SIGALRM, handler, SA_RESTART);
	for (int n = 0; n < 2; n++) {
		busy(5);
		ualarm(50000, 0);
		printf("%d", pause());
		printf(" %s, got %d\n", strerror(errno), got);
	}
	ualarm(200000, 0);
	printf("sleep leaves %s\n", sleep(5) >= 4 ? "the rest" : "nothing");
	return 0;
}
