/*
 * writer.c - allots room in a profile that other threads, and handlers that
 * interrupt this very code, allot from at the same time.
 *
 * Room is taken by moving header.used_bytes forward, then reserved on disk,
 * then written.  A range whose reservation failed is handed back if nobody
 * took more behind it; else it stays a hole that readers step over.  Since each
 * chunk reserves its own range, no order between threads is needed, and no
 * byte of the mapping is touched that the file system has not promised.
 */
#include "config.h"

#include "src/profile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/calls.h"
#include "src/profile/reserve.h"

enum {
	INFO_CHUNK_BYTES = 16384,
	LIMIT_MIN_BYTES = 16 * PROF_PAGE,
	HIGH_FD = 1024,		/* out of the way of the application's own */
	LEAST_FD = 3,
	AS_SHARE = 16,		/* of RLIMIT_AS: what is left for the application */
};

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Whether fd is the profile: the application may have closed ours (daemons
   close all they find) and got its number for a file of its own. */
static bool is_profile(const struct prof_writer *w, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == w->dev && st.st_ino == w->ino;
}

/* The kernel gives the lowest free number, which the application counts on
   getting next, or which it reads and writes unasked.  -errno, and fd closed,
   where it would stay below 3. */
static int move_fd(int fd)
{
	int high = -1, floor = HIGH_FD;
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur / 2 < HIGH_FD)
		floor = (int)(r.rlim_cur / 2);
	if (floor >= LEAST_FD)
		high = fcntl(fd, F_DUPFD_CLOEXEC, floor);
	if (high < 0 && fd >= LEAST_FD)
		return fd;
	if (high < 0)
		high = fcntl(fd, F_DUPFD_CLOEXEC, LEAST_FD);
	if (high < 0)
		high = -errno;
	call_close(fd);
	return high;
}

/* The descriptor, or the file opened anew where that is not the profile any
   more. */
static int writer_fd(struct prof_writer *w)
{
	int fd = atomic_load(&w->fd);

	if (is_profile(w, fd))
		return fd;
	int fresh = call_open(w->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fresh >= 0)
		fresh = move_fd(fresh);
	if (fresh < 0)
		return fresh;
	if (!is_profile(w, fresh)) {
		call_close(fresh);
		return -ESTALE;
	}
	/* Another thread, or a handler, may have been faster. */
	if (!atomic_compare_exchange_strong(&w->fd, &fd, fresh)) {
		call_close(fresh);
		return fd;
	}
	return fresh;
}

/*
 * Opens [at, at + size) of the mapping, which the file has by now.  What lies
 * beyond is address space and no more: libomp takes an address that another
 * process left in shared memory for its own if it is in a mapping that can be
 * written, and reads there.
 */
static int open_range(const struct prof_writer *w, uint64_t at, uint64_t size)
{
	uint64_t into = at & (w->page_bytes - 1);

	return mprotect(w->base + at - into, size + into, PROT_READ | PROT_WRITE) == 0 ? 0 : -errno;
}

int prof_chunk_new(struct prof_writer *w, enum prof_chunk_kind kind,
		   uint32_t owner, size_t size_bytes, uint64_t *offset)
{
	_Atomic uint64_t *used = (_Atomic uint64_t *)&prof_header(w)->used_bytes;
	uint64_t size = round_up(size_bytes, PROF_PAGE);
	uint64_t at = atomic_load_explicit(used, memory_order_relaxed);
	int fd = writer_fd(w);

	if (fd < 0)
		return fd;
	do {
		if (size > w->limit_bytes || at > w->limit_bytes - size)
			return -EFBIG;
	} while (!atomic_compare_exchange_weak(used, &at, at + size));

	int err = prof_reserve(fd, at, size);
	if (err == 0)
		err = open_range(w, at, size);
	if (err != 0) {
		uint64_t end = at + size;

		atomic_compare_exchange_strong(used, &end, at);
		return err;
	}

	struct prof_chunk *c = (struct prof_chunk *)(w->base + at);
	c->kind = kind;
	c->offset = at;
	c->size_bytes = size;
	c->owner = owner;
	atomic_store_explicit((_Atomic uint32_t *)&c->magic, PROF_CHUNK_MAGIC,
			      memory_order_release);
	*offset = at;
	return 0;
}

/* Takes bytes from the chunk at offset: records form a list that is walked by
   their sizes, and whoever sets the size after the last one owns that place. */
static struct prof_info *info_take(struct prof_writer *w, uint64_t offset, uint32_t bytes)
{
	const struct prof_chunk *c = (const struct prof_chunk *)(w->base + offset);
	uint64_t at = sizeof(*c);

	while (at + bytes + sizeof(struct prof_info) <= c->size_bytes) {
		struct prof_info *r = (struct prof_info *)(w->base + offset + at);
		uint32_t taken = 0;

		if (atomic_compare_exchange_strong((_Atomic uint32_t *)&r->bytes, &taken, bytes))
			return r;
		at += taken;
	}
	return NULL;
}

void *prof_info_append(struct prof_writer *w, enum prof_info_kind kind,
		       const void *head, size_t head_bytes,
		       const void *tail, size_t tail_bytes)
{
	uint64_t need = round_up(sizeof(struct prof_info) + head_bytes + tail_bytes, 8);
	struct prof_info *r = NULL;

	if (w->base == NULL || need > (1u << 24))
		return NULL;
	while (r == NULL) {
		uint64_t chunk = atomic_load(&w->info_chunk);

		if (chunk != 0)
			r = info_take(w, chunk, (uint32_t)need);
		if (r == NULL) {
			uint64_t size = need + PROF_PAGE, fresh;

			if (size < INFO_CHUNK_BYTES)
				size = INFO_CHUNK_BYTES;
			if (prof_chunk_new(w, PROF_CHUNK_INFO, 0, size, &fresh) != 0)
				return NULL;
			atomic_compare_exchange_strong(&w->info_chunk, &chunk, fresh);
		}
	}
	unsigned char *payload = (unsigned char *)(r + 1);
	memcpy(payload, head, head_bytes);
	if (tail_bytes != 0)
		memcpy(payload + head_bytes, tail, tail_bytes);
	prof_info_publish(payload, kind);
	return payload;
}

void prof_info_publish(void *payload, enum prof_info_kind kind)
{
	struct prof_info *r = (struct prof_info *)payload - 1;

	atomic_store_explicit((_Atomic uint32_t *)&r->kind, kind, memory_order_release);
}

/* Address space for as large a file as limits allow. */
static int map_file(struct prof_writer *w, size_t limit)
{
	int err = -EINVAL;
	struct rlimit r;

	if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur / AS_SHARE < limit)
		limit = r.rlim_cur / AS_SHARE;
	limit -= limit % PROF_PAGE;
	for (; limit >= LIMIT_MIN_BYTES; limit = limit / 2 / PROF_PAGE * PROF_PAGE) {
		void *p = mmap(NULL, limit, PROT_NONE, MAP_SHARED, w->fd, 0);

		if (p != MAP_FAILED) {
			w->base = p;
			w->limit_bytes = limit;
			return 0;
		}
		err = -errno;
		if (err != -ENOMEM && err != -EINVAL && err != -EOVERFLOW)
			break;
	}
	return err;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void header_fill(struct prof_header *h)
{
	h->version = PROF_VERSION;
	h->byte_order = PROF_BYTE_ORDER;
	h->header_bytes = PROF_HEADER_BYTES;
	h->granule_bytes = PROF_GRANULE;
	h->used_bytes = PROF_HEADER_BYTES;
	h->machine = PROF_MACHINE;
	h->pid = (uint32_t)getpid();
	h->ppid = (uint32_t)getppid();
	h->run = PROF_RUN_RUNNING;
	h->start_realtime_ns = now_ns(CLOCK_REALTIME);
	h->start_monotonic_ns = now_ns(CLOCK_MONOTONIC);
	memcpy(h->magic, PROF_MAGIC, sizeof(h->magic));
}

static char *put_number(char *at, unsigned n)
{
	if (n >= 10)
		at = put_number(at, n / 10);
	*at = (char)('0' + n % 10);
	return at + 1;
}

/* path, and path with a suffix that no other process uses. */
static int set_names(struct prof_writer *w, const char *path)
{
	static const char mark[] = ".~";
	size_t n = strlen(path);

	if (n + sizeof(mark) + 10 > sizeof(w->temporary))
		return -ENAMETOOLONG;
	memcpy(w->path, path, n + 1);
	memcpy(w->temporary, path, n);
	memcpy(w->temporary + n, mark, sizeof(mark) - 1);
	*put_number(w->temporary + n + sizeof(mark) - 1, (unsigned)getpid()) = '\0';
	return 0;
}

/* Devices, pipes, and links to who knows what are not replaced. */
static int may_replace(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	return S_ISREG(st.st_mode) ? 0 : S_ISDIR(st.st_mode) ? -EISDIR : -EEXIST;
}

static int create_file(struct prof_writer *w)
{
	struct stat st;

	unlink(w->temporary);	/* of a process that was killed just here */
	int fd = call_open(w->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return fd;
	fd = move_fd(fd);
	if (fd < 0 || fstat(fd, &st) != 0) {
		int err = fd < 0 ? fd : -errno;

		unlink(w->temporary);
		return err;
	}
	w->fd = fd;
	w->dev = st.st_dev;
	w->ino = st.st_ino;
	return 0;
}

/* From here on the file is there, and has to be removed for a failure. */
static int fill_file(struct prof_writer *w, size_t limit_bytes)
{
	int err = prof_reserve(w->fd, 0, PROF_HEADER_BYTES);

	if (err == 0)
		err = map_file(w, limit_bytes);
	if (err == 0)
		err = open_range(w, 0, PROF_HEADER_BYTES);
	if (err != 0)
		return err;
	header_fill(prof_header(w));
	return rename(w->temporary, w->path) == 0 ? 0 : -errno;
}

int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes)
{
	memset(w, 0, sizeof(*w));
	w->fd = -1;
	w->page_bytes = getauxval(AT_PAGESZ);
	int err = set_names(w, path);

	if (err == 0)
		err = may_replace(path);
	if (err == 0)
		err = create_file(w);
	if (err != 0)
		return err;
	err = fill_file(w, limit_bytes);
	if (err != 0) {
		unlink(w->temporary);
		prof_abandon(w);
	}
	return err;
}

void prof_end(struct prof_writer *w, enum prof_run how, uint64_t ticks)
{
	struct prof_header *h = prof_header(w);

	if (h == NULL)
		return;
	h->ticks_end = ticks;
	h->end_monotonic_ns = how == PROF_RUN_RUNNING ? 0 : now_ns(CLOCK_MONOTONIC);
	atomic_store_explicit((_Atomic uint32_t *)&h->run, how, memory_order_release);
}

void prof_abandon(struct prof_writer *w)
{
	if (w->base != NULL)
		munmap(w->base, w->limit_bytes);
	if (w->fd >= 0 && is_profile(w, w->fd))
		call_close(w->fd);
	w->base = NULL;
	w->fd = -1;
	w->info_chunk = 0;
}
