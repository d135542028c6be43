/* A handler without SA_RESTART breaks a read(), one with it does not. */
#include "case.h"

static volatile int got;

static void handler(int signo)
{
	(void)signo;
	got++;
}

static void *sender(void *arg)
{
	pthread_t main_thread = *(pthread_t *)arg;

	usleep(50000);
	pthread_kill(main_thread, SIGIO);
	return NULL;
}

static void *writer(void *arg)
{
	int fd = *(int *)arg;

	usleep(150000);
	return write(fd, "x", 1) == 1 ? NULL : "failed";
}

int main(void)
{
	pthread_t self = pthread_self(), t, w;
	int p[2];
	char c;

	if (pipe(p))
		return 1;
	for (int restart = 0; restart < 2; restart++) {
		on(SIGIO, handler, restart ? SA_RESTART : 0);
		busy(10);
		pthread_create(&t, NULL, sender, &self);
		pthread_create(&w, NULL, writer, &p[1]);
		ssize_t n = read(p[0], &c, 1);
		printf("read %d %s\n", (int)n, n < 0 ? strerror(errno) : "");
		pthread_join(t, NULL);
		pthread_join(w, NULL);
		if (n < 0 && read(p[0], &c, 1) != 1)
			return 1;
	}
	printf("%d\n", got);
	return 0;
}
