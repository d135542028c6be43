/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sleeps.h - libc's calls that sleep and that return early at any signal, even with SA_RESTART
 * (signal(7)), as a table: SLEEP(condition, type, name, parameters, arguments)
 *
 * condition: when a call is one of these. True for most. Calls that wait for data are where the
 * program has set a time limit (waits_are_timed), or where a signal ends them with a part of the
 * data. SLEEP_READ: the same, and a device that a signal ends within a read (waits_read_on) is read
 * on. SLEEP_MASKED: the call has a mask of its own, `mask', which may be NULL.
 *
 * Not in signal(7), but ended by a signal as these are: reads of random bytes and copies, with a
 * part of the data, and fallocate() in memory.
 *
 * Names with _chk are those of fortified programs.
 * Calls that libc itself continues after a signal (pthread_cond_timedwait(), mtx_timedlock(),
 * sigwait()) are not here; those that wait for signals are in wrap_signals.c.
 */

/* A function, and the same by libc's own name. */
#define BOTH(SLEEP, condition, type, name, own, parameters, arguments) \
	SLEEP(condition, type, name, parameters, arguments) \
	SLEEP(condition, type, own, parameters, arguments)

#define SLEEPS(SLEEP, SLEEP_READ, SLEEP_MASKED) \
	SLEEP(true, int, pause, (void), ()) \
	SLEEP(true, unsigned, sleep, (unsigned seconds), (seconds)) \
	SLEEP(true, int, usleep, (useconds_t us), (us)) \
	BOTH(SLEEP, true, int, nanosleep, __nanosleep, \
	     (const struct timespec *time, struct timespec *left), (time, left)) \
	SLEEP(true, int, clock_nanosleep, \
	      (clockid_t clock, int flags, const struct timespec *time, struct timespec *left), \
	      (clock, flags, time, left)) \
	SLEEP(true, int, thrd_sleep, (const struct timespec *time, struct timespec *left), \
	      (time, left)) \
	BOTH(SLEEP, true, int, poll, __poll, (struct pollfd * fds, nfds_t n, int timeout), \
	     (fds, n, timeout)) \
	SLEEP(true, int, __poll_chk, (struct pollfd * fds, nfds_t n, int timeout, size_t bytes), \
	      (fds, n, timeout, bytes)) \
	BOTH(SLEEP, true, int, select, __select, \
	     (int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout), \
	     (n, in, out, except, timeout)) \
	SLEEP(true, int, epoll_wait, (int fd, struct epoll_event *events, int most, int timeout), \
	      (fd, events, most, timeout)) \
	SLEEP(true, int, sem_timedwait, (sem_t * sem, const struct timespec *until), (sem, until)) \
	SLEEP(true, int, sem_clockwait, \
	      (sem_t * sem, clockid_t clock, const struct timespec *until), (sem, clock, until)) \
	BOTH(SLEEP, true, int, msgsnd, __libc_msgsnd, \
	     (int id, const void *message, size_t bytes, int flags), (id, message, bytes, flags)) \
	BOTH(SLEEP, true, ssize_t, msgrcv, __libc_msgrcv, \
	     (int id, void *message, size_t bytes, long type, int flags), \
	     (id, message, bytes, type, flags)) \
	SLEEP(true, int, semop, (int id, struct sembuf *ops, size_t n), (id, ops, n)) \
	SLEEP(true, int, semtimedop, \
	      (int id, struct sembuf *ops, size_t n, const struct timespec *timeout), \
	      (id, ops, n, timeout)) \
	SLEEP(true, int, aio_suspend, \
	      (const struct aiocb *const list[], int n, const struct timespec *timeout), \
	      (list, n, timeout)) \
	SLEEP(true, int, aio_suspend64, \
	      (const struct aiocb64 *const list[], int n, const struct timespec *timeout), \
	      (list, n, timeout)) \
	SLEEP(true, int, gai_suspend, \
	      (const struct gaicb *const list[], int n, const struct timespec *timeout), \
	      (list, n, timeout)) \
	SLEEP(mode == LIO_WAIT, int, lio_listio, \
	      (int mode, struct aiocb *const list[], int n, struct sigevent *event), \
	      (mode, list, n, event)) \
	SLEEP(mode == LIO_WAIT, int, lio_listio64, \
	      (int mode, struct aiocb64 *const list[], int n, struct sigevent *event), \
	      (mode, list, n, event)) \
	SLEEP(waits_are_timed, int, accept, (int fd, struct sockaddr *address, socklen_t *bytes), \
	      (fd, address, bytes)) \
	SLEEP(waits_are_timed, int, accept4, \
	      (int fd, struct sockaddr *address, socklen_t *bytes, int flags), \
	      (fd, address, bytes, flags)) \
	BOTH(SLEEP, waits_are_timed, int, connect, __connect, \
	     (int fd, const struct sockaddr *address, socklen_t bytes), (fd, address, bytes)) \
	BOTH(SLEEP_READ, waits_are_timed, ssize_t, read, __read, \
	     (int fd, void *data, size_t bytes), (fd, data, bytes)) \
	SLEEP_READ(waits_are_timed, ssize_t, __read_chk, \
		   (int fd, void *data, size_t bytes, size_t room), (fd, data, bytes, room)) \
	SLEEP(waits_are_timed, ssize_t, readv, (int fd, const struct iovec *data, int n), \
	      (fd, data, n)) \
	BOTH(SLEEP, waits_are_timed || waits_for_all(flags), ssize_t, recv, __recv, \
	     (int fd, void *data, size_t bytes, int flags), (fd, data, bytes, flags)) \
	SLEEP(waits_are_timed || waits_for_all(flags), ssize_t, __recv_chk, \
	      (int fd, void *data, size_t bytes, size_t room, int flags), \
	      (fd, data, bytes, room, flags)) \
	SLEEP(waits_are_timed || waits_for_all(flags), ssize_t, recvfrom, \
	      (int fd, void *data, size_t bytes, int flags, struct sockaddr *from, \
	       socklen_t *from_bytes), \
	      (fd, data, bytes, flags, from, from_bytes)) \
	SLEEP(waits_are_timed || waits_for_all(flags), ssize_t, __recvfrom_chk, \
	      (int fd, void *data, size_t bytes, size_t room, int flags, struct sockaddr *from, \
	       socklen_t *from_bytes), \
	      (fd, data, bytes, room, flags, from, from_bytes)) \
	SLEEP(waits_are_timed || waits_for_all(flags), ssize_t, recvmsg, \
	      (int fd, struct msghdr *message, int flags), (fd, message, flags)) \
	SLEEP(true, int, recvmmsg, \
	      (int fd, struct mmsghdr *messages, unsigned n, int flags, struct timespec *timeout), \
	      (fd, messages, n, flags, timeout)) \
	BOTH(SLEEP, waits_are_timed || waits_in_parts(bytes), ssize_t, write, __write, \
	     (int fd, const void *data, size_t bytes), (fd, data, bytes)) \
	SLEEP(true, ssize_t, writev, (int fd, const struct iovec *data, int n), (fd, data, n)) \
	BOTH(SLEEP, waits_are_timed || waits_in_parts(bytes), ssize_t, send, __send, \
	     (int fd, const void *data, size_t bytes, int flags), (fd, data, bytes, flags)) \
	SLEEP(waits_are_timed || waits_in_parts(bytes), ssize_t, sendto, \
	      (int fd, const void *data, size_t bytes, int flags, const struct sockaddr *to, \
	       socklen_t to_bytes), \
	      (fd, data, bytes, flags, to, to_bytes)) \
	SLEEP(true, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), \
	      (fd, message, flags)) \
	BOTH(SLEEP, true, int, sendmmsg, __sendmmsg, \
	     (int fd, struct mmsghdr *messages, unsigned n, int flags), (fd, messages, n, flags)) \
	SLEEP(true, ssize_t, sendfile, (int to, int from, off_t *at, size_t bytes), \
	      (to, from, at, bytes)) \
	SLEEP(true, ssize_t, sendfile64, (int to, int from, off64_t *at, size_t bytes), \
	      (to, from, at, bytes)) \
	SLEEP(true, ssize_t, splice, \
	      (int from, off64_t *from_at, int to, off64_t *to_at, size_t bytes, unsigned flags), \
	      (from, from_at, to, to_at, bytes, flags)) \
	SLEEP(true, ssize_t, tee, (int from, int to, size_t bytes, unsigned flags), \
	      (from, to, bytes, flags)) \
	SLEEP(true, ssize_t, vmsplice, \
	      (int to, const struct iovec *data, size_t n, unsigned flags), (to, data, n, flags)) \
	SLEEP(true, ssize_t, copy_file_range, \
	      (int from, off64_t *from_at, int to, off64_t *to_at, size_t bytes, unsigned flags), \
	      (from, from_at, to, to_at, bytes, flags)) \
	SLEEP(bytes > waits_random_whole, ssize_t, getrandom, \
	      (void *data, size_t bytes, unsigned flags), (data, bytes, flags)) \
	SLEEP(true, int, fallocate, (int fd, int mode, off_t at, off_t bytes), \
	      (fd, mode, at, bytes)) \
	SLEEP(true, int, fallocate64, (int fd, int mode, off64_t at, off64_t bytes), \
	      (fd, mode, at, bytes)) \
	SLEEP(true, int, posix_fallocate, (int fd, off_t at, off_t bytes), (fd, at, bytes)) \
	SLEEP(true, int, posix_fallocate64, (int fd, off64_t at, off64_t bytes), (fd, at, bytes)) \
	SLEEP_MASKED(true, int, ppoll, \
		     (struct pollfd * fds, nfds_t n, const struct timespec *timeout, \
		      const sigset_t *mask), \
		     (fds, n, timeout, mask)) \
	SLEEP_MASKED(true, int, __ppoll_chk, \
		     (struct pollfd * fds, nfds_t n, const struct timespec *timeout, \
		      const sigset_t *mask, size_t bytes), \
		     (fds, n, timeout, mask, bytes)) \
	SLEEP_MASKED(true, int, pselect, \
		     (int n, fd_set *in, fd_set *out, fd_set *except, \
		      const struct timespec *timeout, const sigset_t *mask), \
		     (n, in, out, except, timeout, mask)) \
	SLEEP_MASKED(true, int, epoll_pwait, \
		     (int fd, struct epoll_event *events, int most, int timeout, \
		      const sigset_t *mask), \
		     (fd, events, most, timeout, mask)) \
	SLEEP_MASKED(true, int, epoll_pwait2, \
		     (int fd, struct epoll_event *events, int most, \
		      const struct timespec *timeout, const sigset_t *mask), \
		     (fd, events, most, timeout, mask))
