/* No sleep ends before its time. */
#include "case.h"
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>

static double begin;

static void from(void)
{
	busy(2);
	begin = case_seconds(CLOCK_MONOTONIC);
}

static void told(const char *what, int result, double ms)
{
	const double took = (case_seconds(CLOCK_MONOTONIC) - begin) * 1e3;

	printf("%s %d %s\n", what, result, took >= ms - 0.01 ? "whole" : "cut short");
}

int main(void)
{
	const struct timespec t = { 0, 30000000 };
	struct timespec until;
	struct timeval v;
	struct epoll_event e;
	int fd = epoll_create1(0);
	sem_t sem;

	sem_init(&sem, 0, 0);
	for (int n = 0; n < 3; n++) {
		from(), told("usleep", usleep(30000), 30);
		from(), told("nanosleep", nanosleep(&t, NULL), 30);
		from(), told("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL), 30);
		from(), told("poll", poll(NULL, 0, 30), 30);
		from(), told("ppoll", ppoll(NULL, 0, &t, NULL), 30);
		v = (struct timeval){ 0, 30000 };
		from(), told("select", select(0, NULL, NULL, NULL, &v), 30);
		from(), told("pselect", pselect(0, NULL, NULL, NULL, &t, NULL), 30);
		from(), told("epoll_wait", epoll_wait(fd, &e, 1, 30), 29);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 30000000;
		if (until.tv_nsec >= 1000000000)
			until.tv_nsec -= 1000000000, until.tv_sec++;
		from();
		int r = sem_timedwait(&sem, &until);
		printf("sem_timedwait %d %s\n", r, strerror(errno));
	}
	from(), told("sleep", (int)sleep(1), 1000);
	return 0;
}
