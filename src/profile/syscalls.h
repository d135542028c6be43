/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscalls.h - system calls for code that may run in a signal handler.
 *
 * The C library's open(), close(), pread(), write(), pwrite() and fallocate() are
 * cancellation points (pthreads(7)).  In a handler or an OMPT callback, they would let a
 * pending pthread_cancel() end the thread wherever the application happens to be, for
 * example inside malloc.  These are the bare calls.  All return -errno on failure, and may
 * change errno.  Async-signal-safe.
 */
#ifndef OMPHWC_SRC_PROFILE_SYSCALLS_H
#define OMPHWC_SRC_PROFILE_SYSCALLS_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline long call_result(long result)
{
	return result < 0 ? -errno : result;
}

static inline int call_open(const char *path, int flags, mode_t mode)
{
	return (int)call_result(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

static inline int call_openat(int folder, const char *name, int flags)
{
	return (int)call_result(syscall(SYS_openat, folder, name, flags, 0));
}

/* stat(), lstat() and fstat() have had these names since glibc 2.33 only. */
static inline int call_stat(const char *path, struct stat *to)
{
	return (int)call_result(syscall(SYS_newfstatat, AT_FDCWD, path, to, 0));
}

static inline int call_lstat(const char *path, struct stat *to)
{
	return (int)call_result(syscall(SYS_newfstatat, AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW));
}

static inline int call_fstat(int fd, struct stat *to)
{
	return (int)call_result(syscall(SYS_fstat, fd, to));
}

static inline void call_close(int fd)
{
	syscall(SYS_close, fd);
}

static inline ssize_t call_write(int fd, const void *from, size_t bytes)
{
	return call_result(syscall(SYS_write, fd, from, bytes));
}

static inline ssize_t call_pread(int fd, void *to, size_t bytes, uint64_t offset)
{
	return call_result(syscall(SYS_pread64, fd, to, bytes, offset));
}

static inline ssize_t call_pwrite(int fd, const void *from, size_t bytes, uint64_t offset)
{
	return call_result(syscall(SYS_pwrite64, fd, from, bytes, offset));
}

static inline int call_fallocate(int fd, uint64_t offset, uint64_t bytes)
{
	return (int)call_result(syscall(SYS_fallocate, fd, 0, offset, bytes));
}

/* rename(2) that never replaces a file: -EEXIST; -EINVAL or -ENOSYS: not supported here. */
static inline int call_rename_new(const char *from, const char *to)
{
	return (int)call_result(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u));
}

/* Between two tries for a lock. sched_yield() does not give the CPU to a thread of lower priority,
   which may hold the lock: who has tried some times sleeps. */
static inline void call_give_way(unsigned tries)
{
	const struct timespec moment = { 0, 50000 };

	if (tries < 16)
		syscall(SYS_sched_yield);
	else
		syscall(SYS_nanosleep, &moment, NULL);
}

/* The text at the beginning of a small file, as /proc and /sys have them: how many bytes; 0 and ""
   where it can't be read. */
static inline size_t call_text(const char *path, char *text, size_t bytes)
{
	const int fd = call_open(path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t n = 0;

	if (fd >= 0) {
		n = call_pread(fd, text, bytes - 1, 0);
		call_close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

#endif
