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
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/reserve.h"

enum {
	INFO_CHUNK_BYTES = 16384,
	LIMIT_MIN_BYTES = 1 << 20,
	HIGH_FD = 400,		/* out of the way of the application's own */
};

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/*
 * The descriptor, or the file opened anew where the application closed it
 * under us (daemons close all they find) and may have got its number for a
 * file of its own.
 */
static int writer_fd(struct prof_writer *w)
{
	struct stat st;

	if (fstat(w->fd, &st) == 0 && st.st_dev == w->dev && st.st_ino == w->ino)
		return w->fd;
	int fd = open(w->path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0 || st.st_dev != w->dev || st.st_ino != w->ino) {
		close(fd);
		return -ESTALE;
	}
	w->fd = fd;
	return fd;
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
	for (; limit >= LIMIT_MIN_BYTES; limit /= 2) {
		void *p = mmap(NULL, limit, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);

		if (p != MAP_FAILED) {
			w->base = p;
			w->limit_bytes = limit;
			return 0;
		}
		if (errno != ENOMEM && errno != EINVAL && errno != EOVERFLOW)
			break;
	}
	return -errno;
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

/* path with a suffix that no other process uses, in tmp. */
static int temporary_name(char *tmp, size_t bytes, const char *path)
{
	size_t n = strlen(path);

	if (n + 3 > bytes)
		return -ENAMETOOLONG;
	memcpy(tmp, path, n);
	memcpy(tmp + n, ".~", 3);
	return 0;
}

static int create_file(struct prof_writer *w, const char *tmp)
{
	struct stat st;

	unlink(tmp);
	int fd = open(tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return -errno;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	if (high >= 0) {
		close(fd);
		fd = high;
	}
	w->fd = fd;
	if (fstat(fd, &st) != 0)
		return -errno;
	w->dev = st.st_dev;
	w->ino = st.st_ino;
	return 0;
}

int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes)
{
	char tmp[sizeof(w->path) + 4];
	int err = temporary_name(tmp, sizeof(tmp), path);

	memset(w, 0, sizeof(*w));
	w->fd = -1;
	if (err != 0 || strlen(path) >= sizeof(w->path))
		return -ENAMETOOLONG;
	memcpy(w->path, path, strlen(path) + 1);

	err = create_file(w, tmp);
	if (err == 0)
		err = prof_reserve(w->fd, 0, PROF_HEADER_BYTES);
	if (err == 0)
		err = map_file(w, limit_bytes);
	if (err == 0) {
		header_fill(prof_header(w));
		if (rename(tmp, path) != 0)
			err = -errno;
	}
	if (err != 0) {
		if (w->fd >= 0)
			unlink(tmp);
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
	h->end_monotonic_ns = now_ns(CLOCK_MONOTONIC);
	atomic_store_explicit((_Atomic uint32_t *)&h->run, how, memory_order_release);
}

void prof_abandon(struct prof_writer *w)
{
	if (w->base != NULL)
		munmap(w->base, w->limit_bytes);
	if (w->fd >= 0)
		close(w->fd);
	w->base = NULL;
	w->fd = -1;
	w->info_chunk = 0;
}
