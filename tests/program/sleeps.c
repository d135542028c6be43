/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No call that sleeps ends before its time, in any form that programs use: those of
 * signal(7)'s list that no signal restarts, by libc's functions, their fortified forms and
 * syscall(); and calls that a signal ends with a part of the data, or with none.
 */
#include "case.h"
#include <aio.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <netdb.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <threads.h>

enum { LITTLE_MS = 30, LARGE = 1 << 20 };

static const struct timespec little = { 0, LITTLE_MS * 1000000 };
static double begin;

static void from(void)
{
	errno = 0;
	begin = case_seconds(CLOCK_MONOTONIC);
}

/* Clocks of coarse timeouts may be a tick behind. */
static void told(const char *what, long result)
{
	const int error = result < 0 ? errno : 0;
	const double took = (case_seconds(CLOCK_MONOTONIC) - begin) * 1e3;

	printf("%s %ld %s %s\n", what, result, error != 0 ? strerror(error) : "-",
	       took >= LITTLE_MS - 4.1 ? "whole" : "cut short");
}

#define TOLD(call) (busy(2), from(), told(#call, (long)(call)))

static struct timespec until(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += little.tv_nsec;
	if (t.tv_nsec >= 1000000000)
		t.tv_nsec -= 1000000000, t.tv_sec++;
	return t;
}

static struct timeval little_v;

static void sleeps(void)
{
	TOLD(usleep(30000));
	TOLD(nanosleep(&little, NULL));
	TOLD(clock_nanosleep(CLOCK_MONOTONIC, 0, &little, NULL));
	TOLD(thrd_sleep(&little, NULL));
	TOLD(syscall(SYS_nanosleep, &little, NULL));
	TOLD(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &little, NULL));
	TOLD(sleep(1));
}

int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t bytes);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
		size_t bytes);

static void polls(void)
{
	const int fd = epoll_create1(0);
	struct epoll_event e;
	sigset_t none;
	struct {
		const sigset_t *mask;
		size_t bytes;
	} packed = { &none, 8 };

	sigemptyset(&none);
	TOLD(poll(NULL, 0, LITTLE_MS));
	TOLD(ppoll(NULL, 0, &little, NULL));
	TOLD(ppoll(NULL, 0, &little, &none));
	TOLD(__poll_chk(NULL, 0, LITTLE_MS, 0));
	TOLD(__ppoll_chk(NULL, 0, &little, NULL, 0));
	TOLD(__ppoll_chk(NULL, 0, &little, &none, 0));
	little_v.tv_usec = LITTLE_MS * 1000;
	TOLD(select(0, NULL, NULL, NULL, &little_v));
	TOLD(pselect(0, NULL, NULL, NULL, &little, NULL));
	TOLD(pselect(0, NULL, NULL, NULL, &little, &none));
	TOLD(epoll_wait(fd, &e, 1, LITTLE_MS));
	TOLD(epoll_pwait(fd, &e, 1, LITTLE_MS, &none));
#ifdef SYS_poll
	TOLD(syscall(SYS_poll, NULL, 0, LITTLE_MS));
	TOLD(syscall(SYS_epoll_wait, fd, &e, 1, LITTLE_MS));
#endif
	struct timespec t = little;
	TOLD(syscall(SYS_ppoll, NULL, 0, &t, NULL, 8L));
	t = little;
	TOLD(syscall(SYS_ppoll, NULL, 0, &t, &none, 8L));
	t = little;
	TOLD(syscall(SYS_pselect6, 0, NULL, NULL, NULL, &t, NULL));
	t = little;
	TOLD(syscall(SYS_pselect6, 0, NULL, NULL, NULL, &t, &packed));
	TOLD(syscall(SYS_epoll_pwait, fd, &e, 1, LITTLE_MS, NULL, 8L));
	TOLD(syscall(SYS_epoll_pwait, fd, &e, 1, LITTLE_MS, &none, 8L));
	close(fd);
}

static void locks(void)
{
	struct timespec t;
	aio_context_t context = 0;
	struct io_event event;
	uint32_t word = 0;
	sem_t sem;

	sem_init(&sem, 0, 0);
	t = until(CLOCK_REALTIME);
	TOLD((t = until(CLOCK_REALTIME), sem_timedwait(&sem, &t)));
	TOLD((t = until(CLOCK_MONOTONIC), sem_clockwait(&sem, CLOCK_MONOTONIC, &t)));
	TOLD(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &little, NULL, 0));
	TOLD(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &little, NULL, 0));
	TOLD((t = until(CLOCK_MONOTONIC),
	      syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &t, NULL, 1)));
	if (syscall(SYS_io_setup, 1, &context) == 0) {
		t = little;
		TOLD(syscall(SYS_io_getevents, context, 1, 1, &event, &t));
		t = little;
		TOLD(syscall(SYS_io_pgetevents, context, 1, 1, &event, &t, NULL));
		syscall(SYS_io_destroy, context);
	}
}

static void signals(void)
{
	sigset_t usr = set_of(SIGUSR2, 0, 0);

	block(SIGUSR2, 0, 0);
	TOLD(sigtimedwait(&usr, NULL, &little));
	TOLD(syscall(SYS_rt_sigtimedwait, &usr, NULL, &little, 8L));
}

/* ---- where another thread ends it --------------------------------------------- */

static void (*action)(void);

static void *act(void *arg)
{
	const double end = case_seconds(CLOCK_MONOTONIC) + 0.01 + LITTLE_MS / 1e3;

	while (case_seconds(CLOCK_MONOTONIC) < end)
		usleep(1000);
	action();
	return arg;
}

static pthread_t later(void (*what)(void))
{
	pthread_t t;

	action = what;
	pthread_create(&t, NULL, act, NULL);
	return t;
}

#define ENDED(what, call) \
	do { \
		busy(2); \
		const pthread_t t_ = later(what); \
		from(); \
		told(#call, (long)(call)); \
		pthread_join(t_, NULL); \
	} while (0)

static int queue, semaphore, ends[2];
static char data[LARGE], taken[LARGE];
static struct {
	long type;
	char text[8];
} message = { 1, "text" }, got;

static void to_queue(void)
{
	msgsnd(queue, &message, 8, 0);
}

static void to_semaphore(void)
{
	struct sembuf up = { 0, 1, 0 };

	semop(semaphore, &up, 1);
}

static void ipc(void)
{
	struct sembuf down = { 0, -1, 0 };

	queue = msgget(IPC_PRIVATE, 0600);
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	ENDED(to_queue, msgrcv(queue, &got, 8, 0, 0));
	ENDED(to_queue, syscall(SYS_msgrcv, queue, &got, 8L, 0L, 0));
	ENDED(to_semaphore, semop(semaphore, &down, 1));
	ENDED(to_semaphore, semtimedop(semaphore, &down, 1, NULL));
	TOLD(semtimedop(semaphore, &down, 1, &little));
	TOLD(syscall(SYS_semtimedop, semaphore, &down, 1, &little));
	msgctl(queue, IPC_RMID, NULL);
	semctl(semaphore, 0, IPC_RMID);
}

static void read_all(void)
{
	for (size_t n = 0; n < LARGE;) {
		const ssize_t r = read(ends[0], taken, LARGE - n);

		if (r <= 0)
			return;
		n += (size_t)r;
	}
}

static void write_rest(void)
{
	if (write(ends[1], data, 8) < 0)
		abort();
}

static void parts(void)
{
	struct iovec v = { data, LARGE };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	if (pipe(ends) != 0)
		abort();
	ENDED(read_all, write(ends[1], data, LARGE));
	ENDED(read_all, syscall(SYS_write, ends[1], data, (size_t)LARGE));
	ENDED(read_all, writev(ends[1], &v, 1));
	close(ends[0]), close(ends[1]);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		abort();
	ENDED(read_all, send(ends[1], data, LARGE, 0));
	ENDED(read_all, sendmsg(ends[1], &m, 0));
	write_rest();
	ENDED(write_rest, recv(ends[0], taken, 16, MSG_WAITALL));
	write_rest();
	ENDED(write_rest, syscall(SYS_recvfrom, ends[0], taken, 16L, MSG_WAITALL, NULL, NULL));
}

static void asynchronous(void)
{
	struct aiocb read8 = { .aio_fildes = ends[0], .aio_buf = taken, .aio_nbytes = 8 };
	struct aiocb *const list[] = { &read8 };

	aio_read(&read8);
	ENDED(write_rest, aio_suspend((const struct aiocb *const *)list, 1, NULL));
	aio_return(&read8);
	aio_read(&read8);
	TOLD(aio_suspend((const struct aiocb *const *)list, 1, &little));
	write_rest();
	aio_suspend((const struct aiocb *const *)list, 1, NULL);
	aio_return(&read8);
	read8.aio_lio_opcode = LIO_READ;
	ENDED(write_rest, lio_listio(LIO_WAIT, list, 1, NULL));
}

/* Last, since from here on many calls are among these. */
static void timed(void)
{
	const struct timeval v = { 0, LITTLE_MS * 1000 };
	const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un_ {
		sa_family_t family;
		char path[32];
	} name = { AF_UNIX, "" };

	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &v, sizeof(v));
	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &v, sizeof(v));
	TOLD(recv(ends[0], taken, 8, 0));
	TOLD(recvfrom(ends[0], taken, 8, 0, NULL, NULL));
	TOLD(read(ends[0], taken, 8L));
	TOLD(syscall(SYS_read, ends[0], taken, 8L));
	if (bind(listener, (struct sockaddr *)&name, sizeof(sa_family_t)) == 0 &&
	    listen(listener, 1) == 0) {
		TOLD(accept(listener, NULL, NULL));
		TOLD(accept4(listener, NULL, NULL, 0));
	}
	setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &v, sizeof(v));
	while (send(ends[1], data, 4096, MSG_DONTWAIT) > 0)
		;
	TOLD(send(ends[1], data, 64, 0));
	TOLD(write(ends[1], data, 64));
}

static int watch;

static void touch(void)
{
	if (write(watch, "x", 1) != 1)
		abort();
}

static void watched(void)
{
	char path[] = "/tmp/case-XXXXXX";
	const int in = inotify_init1(0);

	watch = mkstemp(path);
	inotify_add_watch(in, path, IN_MODIFY);
	ENDED(touch, read(in, taken, sizeof(taken)));
	unlink(path);
}

/* Some milliseconds in the kernel, which looks for signals meanwhile. */
#define DONE(call) (busy(2), errno = 0, printf("%s %ld %s\n", #call, (long)(call), strerror(errno)))

static void in_the_kernel(void)
{
	enum { BLOCK = 16 << 20, RANDOM = 2 << 20 };
	static char block[BLOCK];
	const int zero = open("/dev/zero", O_RDONLY), random = open("/dev/urandom", O_RDONLY);
	const int from = memfd_create("case", 0), to = memfd_create("case", 0);
	const long large = 4L * BLOCK;
	off64_t begin_of[2] = { 0, 0 };

	memset(block, 1, BLOCK);
	DONE(read(zero, block, BLOCK));
	DONE(syscall(SYS_read, zero, block, (size_t)BLOCK));
	DONE(read(random, block, RANDOM));
	DONE(getrandom(block, RANDOM, 0));
	DONE(syscall(SYS_getrandom, block, (size_t)RANDOM, 0));
	DONE(fallocate(from, 0, 0, large));
	DONE(ftruncate(from, 0));
	DONE(posix_fallocate(from, 0, large));
	DONE(ftruncate(from, 0));
	DONE(syscall(SYS_fallocate, from, 0, 0L, large));
	DONE(copy_file_range(from, &begin_of[0], to, &begin_of[1], BLOCK, 0));
	close(zero), close(random), close(from), close(to);
}

int main(void)
{
	sleeps();
	polls();
	locks();
	signals();
	ipc();
	parts();
	asynchronous();
	in_the_kernel();
	timed();
	watched();
	return 0;
}
