/* SPDX-License-Identifier: BSD-3-Clause
 * asleep.c - threads that sleep, each at a line of its own, and how long they did by their own
 * clocks: "NAME LEAST MOST", in milliseconds. Between these lies what a thread was asleep: a woken
 * thread may have to wait for a CPU.
 *
 * usage: asleep [still]      still: nothing but sleep in a region
 */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAP_MS = 300, READ_MS = 400, STILL_MS = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock;
static int pipe_ends[2];
static volatile int held, holds;
static double until; /* the holder sleeps so long at least, and the writer */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void tell(const char *name, double least, double most)
{
	printf("%s %.3f %.3f\n", name, least > 0 ? least : 0, most);
}

static void nap(int ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	const double begin = now();

	until = begin + ms;
	holds = held;
	nanosleep(&t, NULL); /* nanosleep */
	tell("nanosleep", ms, now() - begin);
}

/* Between two sleeps: samples distinguish them where a thread runs for some periods there. */
static void work(void)
{
	for (volatile long i = 0; i < 20000000; i++)
		;
}

/* How long the threads waited for a CPU: so long it is not known what they would have done. */
static void tell_delay(void)
{
	unsigned long long ran, waited, sum = 0;
	char path[300];
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;

	while (tasks && (task = readdir(tasks))) {
		FILE *in;

		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", task->d_name);
		in = fopen(path, "r");
		if (in && fscanf(in, "%llu %llu", &ran, &waited) == 2)
			sum += waited;
		if (in)
			fclose(in);
	}
	tell("delay", 0, sum / 1e6);
}

static void *writer(void *arg)
{
	nap(READ_MS);
	if (write(pipe_ends[1], "done\n", 5) != 5)
		perror("write");
	return arg;
}

__attribute__((noinline)) static void load(void)
{
	pthread_t thread;
	char line[16];
	FILE *in;
	double begin;

	if (pipe(pipe_ends) != 0 || !(in = fdopen(pipe_ends[0], "r")))
		return;
	pthread_create(&thread, NULL, writer, NULL);
	begin = now();
	if (!fgets(line, sizeof(line), in)) /* fgets */
		perror("fgets");
	tell("fgets", until - begin, now() - begin);
	work();
	pthread_join(thread, NULL);
}

static void wait_for_holder(void)
{
	while (!holds)
		;
}

/* The other thread waits for what this one has while it sleeps. */
static void hold(int omp)
{
	if (omp)
		omp_set_lock(&lock);
	else
		pthread_mutex_lock(&mutex);
	held = 1;
	nap(NAP_MS);
	held = 0;
	if (omp)
		omp_unset_lock(&lock);
	else
		pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void lookup(void)
{
	double begin;

	wait_for_holder();
	begin = now();
	pthread_mutex_lock(&mutex); /* mutex */
	tell("mutex", until - begin, now() - begin);
	pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void share(void)
{
	double begin;

	wait_for_holder();
	begin = now();
	omp_set_lock(&lock); /* lock */
	tell("lock", until - begin, now() - begin);
	omp_unset_lock(&lock);
}

__attribute__((noinline)) static void stand_still(void)
{
#pragma omp parallel num_threads(2)
	{
		const double begin = now();

		usleep(STILL_MS * 1000); /* usleep */
		const double slept = now() - begin;

		work();
#pragma omp critical
		tell("usleep", STILL_MS, slept);
	}
}

int main(int argc, char **argv)
{
	omp_init_lock(&lock);
	if (argc > 1 && !strcmp(argv[1], "still")) {
		stand_still();
		tell_delay();
		return 0;
	}
	load();
	for (int omp = 0; omp < 2; omp++) {
		holds = 0;
		work();
#pragma omp parallel num_threads(2)
		{
			if (omp_get_thread_num() == 0)
				hold(omp);
			else if (omp)
				share();
			else
				lookup();
		}
	}
	tell_delay();
	return 0;
}
