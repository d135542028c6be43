/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer.c - allots space in a profile, while other threads, and handlers that interrupt
 * this code, do so too.
 *
 * Space is taken by advancing used_bytes, then reserved on disk, then written.  A range
 * that could not be reserved is handed back if nobody has taken space after it; otherwise
 * it stays a hole, which readers skip.  Each chunk reserves its own range, so threads need
 * no order among them, and no byte of the mapping is touched before the file system has
 * reserved it.
 *
 * The header has copies of used_bytes and nthreads for readers.  Code in here does not rely on
 * them: the file can be truncated or written into by anybody.  What is in the mapping is read
 * back with bounds: node numbers by w->nodes, records by the end of what is accessible.
 */
#include "config.h"

#include "src/profile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/clock.h"
#include "src/profile/profile_owner.h"
#include "src/profile/reserve.h"
#include "src/profile/syscalls.h"

enum {
	INFO_CHUNK_BYTES = 16384,
	INFO_UNIT = 8,
	INFO_MOST_BYTES = 1 << 24,
	LIMIT_MIN_BYTES = 16 * PROF_PAGE,
	HIGH_FD = 1024, /* above the numbers that the application uses */
	LEAST_FD = 3,
	AS_SHARE = 16, /* our share of RLIMIT_AS; the rest is the application's */
};

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Whether fd is the profile: the application may have closed our descriptor (as daemons do)
   and reused its number. */
static bool writer_is_profile(const struct prof_writer *w, int fd, uint64_t *bytes)
{
	struct stat st;

	if (call_fstat(fd, &st) != 0 || st.st_dev != w->dev || st.st_ino != w->ino)
		return false;
	*bytes = (uint64_t)st.st_size;
	return true;
}

/* Moves fd to a high number.  The kernel assigns the lowest free one, which the application
   may expect to get next, or may use without opening it.  -errno, and fd closed, if it would
   stay below 3. */
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

/* The descriptor; the file is opened again if the descriptor is no longer the profile. */
static int writer_fd(struct prof_writer *w, uint64_t *bytes)
{
	int fd = atomic_load(&w->fd);

	if (writer_is_profile(w, fd, bytes))
		return fd;
	int fresh = call_open(w->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fresh >= 0)
		fresh = move_fd(fresh);
	if (fresh < 0)
		return fresh;
	if (!writer_is_profile(w, fresh, bytes)) {
		call_close(fresh);
		return -ESTALE;
	}
	/* Another thread or a handler was faster. */
	if (!atomic_compare_exchange_strong(&w->fd, &fd, fresh)) {
		call_close(fresh);
		return fd;
	}
	return fresh;
}

/* Only forward: several threads report their progress. */
static void advance(_Atomic uint64_t *to, uint64_t n)
{
	uint64_t now = atomic_load_explicit(to, memory_order_relaxed);

	while (now < n && !atomic_compare_exchange_weak(to, &now, n))
		;
}

static void advance32(_Atomic uint32_t *to, uint32_t n)
{
	uint32_t now = atomic_load_explicit(to, memory_order_relaxed);

	while (now < n && !atomic_compare_exchange_weak(to, &now, n))
		;
}

/*
 * Makes the mapping accessible up to end; the file is that long already.  Ranges of other threads
 * that lie before are included, so that each node below w->nodes can be read.  The rest stays
 * inaccessible: libomp accepts an address that another process left in shared memory if it
 * lies in a writable mapping, and would read there.
 */
static int open_up_to(struct prof_writer *w, uint64_t end)
{
	uint64_t from = atomic_load(&w->open_bytes);

	if (from >= end)
		return 0;
	from -= from & (w->page_bytes - 1);
	if (mprotect(w->base + from, end - from, PROT_READ | PROT_WRITE) != 0)
		return -errno;
	advance(&w->open_bytes, end);
	const uint64_t nodes = end / PROF_GRANULE;

	advance32(&w->nodes, nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX);
	return 0;
}

static _Atomic uint64_t *reported_used(const struct prof_writer *w)
{
	return (_Atomic uint64_t *)&prof_header(w)->used_bytes;
}

/* Records the refusal for readers; the header's page exists even on a full disk. */
static int writer_refuse(struct prof_writer *w, int err, enum prof_refused why)
{
	prof_header(w)->refused_errno = (uint32_t)-err;
	atomic_store((_Atomic uint32_t *)&prof_header(w)->refused, why);
	return err;
}

static enum prof_refused refusal(int err)
{
	switch (-err) {
	case ENOSPC: return PROF_REFUSED_DISK;
	case EDQUOT: return PROF_REFUSED_QUOTA;
	case EFBIG: return PROF_REFUSED_FSIZE;
	case ENOMEM:
	case EAGAIN: return PROF_REFUSED_MEMORY;
	case ESTALE:
	case ENOENT: return PROF_REFUSED_DAMAGED;
	}
	return PROF_REFUSED_OTHER;
}

/* The descriptor, if the file is as long as it was; otherwise reserving space would extend
   the truncated file with zeros. */
static int sound_fd(struct prof_writer *w)
{
	/* Loaded before fstat, as other threads increase both meanwhile. */
	const uint64_t sound = atomic_load(&w->sound_bytes);
	uint64_t bytes = 0;
	int fd = atomic_load(&w->dead) ? -ESTALE : writer_fd(w, &bytes);

	if (fd >= 0 && bytes >= sound)
		return prof_is_intact(w) ? fd : -ESTALE;
	if (fd >= 0)
		prof_mark_dead(w, w->base);
	return fd < 0 ? fd : -ESTALE;
}

/* If others have taken space after it, the range stays a hole.  The copy first: in the other
   order, space that another thread takes in between would be missing from it. */
static void hand_back(struct prof_writer *w, uint64_t at, uint64_t size)
{
	uint64_t end = at + size, used = end;

	atomic_compare_exchange_strong(reported_used(w), &used, at);
	atomic_compare_exchange_strong(&w->used_bytes, &end, at);
}

/* Takes size bytes and reserves them on disk. */
static int take_room(struct prof_writer *w, int fd, uint64_t size, uint64_t *at)
{
	*at = atomic_load_explicit(&w->used_bytes, memory_order_relaxed);
	do {
		if (size > w->limit_bytes || *at > w->limit_bytes - size)
			return writer_refuse(w, -EFBIG, PROF_REFUSED_LIMIT);
	} while (!atomic_compare_exchange_weak(&w->used_bytes, at, *at + size));
	advance(reported_used(w), *at + size);

	int err = prof_reserve(fd, *at, size);
	if (err == 0)
		err = open_up_to(w, *at + size);
	if (err == 0) {
		advance(&w->sound_bytes, *at + size);
		return 0;
	}
	hand_back(w, *at, size);
	return writer_refuse(w, err, refusal(err));
}

int prof_chunk_new(struct prof_writer *w, enum prof_chunk_kind kind, uint32_t owner,
		   size_t size_bytes, uint64_t *offset)
{
	const uint64_t size = round_up(size_bytes, PROF_PAGE);
	int fd = sound_fd(w);
	uint64_t at;

	if (fd < 0)
		return writer_refuse(w, fd, refusal(fd));
	int err = take_room(w, fd, size, &at);
	if (err != 0)
		return err;
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

bool prof_holds(const struct prof_writer *w, const void *address)
{
	const uintptr_t at = (uintptr_t)address, base = (uintptr_t)w->base;

	return base != 0 && at >= base && at - base < w->limit_bytes;
}

/* Restores the header fields that running code relies on, in the zero page that replaced the
   header. */
static void header_again(struct prof_writer *w)
{
	struct prof_header *h = prof_header(w);

	h->header_bytes = PROF_HEADER_BYTES;
	h->granule_bytes = PROF_GRANULE;
	h->nevents = w->nevents;
	h->pid = (uint32_t)getpid();
	h->run = PROF_RUN_RUNNING;
	h->refused = PROF_REFUSED_DAMAGED;
	advance(reported_used(w), atomic_load(&w->used_bytes));
}

static bool header_is_ours(const struct prof_writer *w)
{
	const struct prof_header *h = prof_header(w);

	return memcmp(h->magic, PROF_MAGIC, sizeof(h->magic)) == 0 && h->pid == w->pid &&
	       h->owner.boot == w->boot && h->owner.start == w->start;
}

/* The same of the file, which is no longer mapped. */
static bool file_is_ours(const struct prof_writer *w, int fd)
{
	struct prof_owner owner;
	char magic[8];
	uint32_t pid;

	return call_pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       call_pread(fd, &pid, sizeof(pid), offsetof(struct prof_header, pid)) ==
		       sizeof(pid) &&
	       call_pread(fd, &owner, sizeof(owner), offsetof(struct prof_header, owner)) ==
		       sizeof(owner) &&
	       memcmp(magic, PROF_MAGIC, sizeof(magic)) == 0 && pid == w->pid &&
	       owner.boot == w->boot && owner.start == w->start;
}

static int mark_file(struct prof_writer *w)
{
	const uint32_t damaged = PROF_REFUSED_DAMAGED;
	uint64_t bytes = 0;
	const int fd = writer_fd(w, &bytes);

	if (fd < 0 || bytes < PROF_HEADER_BYTES || !file_is_ours(w, fd))
		return -ESTALE;
	call_pwrite(fd, &damaged, sizeof(damaged), offsetof(struct prof_header, refused));
	return fd;
}

static int put_zeros(unsigned char *at, size_t bytes)
{
	void *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? -errno : 0;
}

int prof_mark_dead(struct prof_writer *w, const void *address)
{
	if (!prof_holds(w, address))
		return -EINVAL;
	atomic_store(&w->dead, true);
	/* After the flag is set, used_bytes grows only by threads that are already past the
	   check; they come here again if they fault. */
	uint64_t end = round_up(atomic_load(&w->used_bytes), w->page_bytes);
	int err = put_zeros(w->base, end);

	if (err != 0) {
		size_t into = (size_t)((const unsigned char *)address - w->base);

		into -= into % w->page_bytes;
		err = put_zeros(w->base + into, w->page_bytes);
		if (err != 0 || into >= PROF_HEADER_BYTES)
			return err;
	}
	header_again(w);
	mark_file(w);
	return 0;
}

void prof_mark_overwritten(struct prof_writer *w)
{
	if (atomic_load(&w->dead))
		return;
	atomic_store(&w->overwritten, true);
	prof_mark_dead(w, w->base);
}

/* An older copy of the file has fewer bytes in use: of chunks that exist, the header knew. */
bool prof_is_intact(struct prof_writer *w)
{
	const uint64_t sound = atomic_load(&w->sound_bytes);

	if (atomic_load(&w->dead))
		return false;
	if (header_is_ours(w) && atomic_load(reported_used(w)) >= sound)
		return true;
	prof_mark_overwritten(w);
	return false;
}

uint32_t prof_thread_index(struct prof_writer *w)
{
	const uint32_t index = atomic_fetch_add(&w->nthreads, 1);

	advance32((_Atomic uint32_t *)&prof_header(w)->nthreads, index + 1);
	return index;
}

/* Takes bytes from the chunk at offset.  The sizes link the records into a list; whoever sets
   the size after the last record owns that space.  A size that no record has ends the list. */
static struct prof_info *info_take(struct prof_writer *w, uint64_t offset, uint32_t bytes)
{
	const struct prof_chunk *c = (const struct prof_chunk *)(w->base + offset);
	const uint64_t open = atomic_load(&w->open_bytes) - offset;
	const uint64_t end = c->size_bytes < open ? c->size_bytes : open;
	uint64_t at = sizeof(*c);

	while (at + bytes + sizeof(struct prof_info) <= end) {
		struct prof_info *r = (struct prof_info *)(w->base + offset + at);
		uint32_t taken = 0;

		if (atomic_compare_exchange_strong((_Atomic uint32_t *)&r->bytes, &taken, bytes))
			return r;
		if (taken % INFO_UNIT != 0 || taken > INFO_MOST_BYTES)
			return NULL;
		at += taken;
	}
	return NULL;
}

void *prof_info_append(struct prof_writer *w, enum prof_info_kind kind, const void *head,
		       size_t head_bytes, const void *tail, size_t tail_bytes)
{
	uint64_t need = round_up(sizeof(struct prof_info) + head_bytes + tail_bytes, INFO_UNIT);
	struct prof_info *r = NULL;

	if (!w->base || need > INFO_MOST_BYTES)
		return NULL;
	while (!r) {
		uint64_t chunk = atomic_load(&w->info_chunk);

		if (chunk != 0)
			r = info_take(w, chunk, (uint32_t)need);
		if (!r) {
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

/* Maps as much address space as the limits allow. */
static int map_file(struct prof_writer *w, size_t limit)
{
	struct rlimit r;
	int err = 0;

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
	if (err == 0)
		return -EINVAL;
	/* File systems that map no files for writing have either. */
	return err == -EINVAL ? -ENODEV : err;
}

void prof_yield(struct prof_writer *w, uint64_t address_space)
{
	enum { ROOM = 16 << 20 }; /* more than what another thread takes at this moment */
	const size_t before = w->limit_bytes;
	uint64_t limit = atomic_load(&w->used_bytes) + ROOM;

	if (limit < address_space / AS_SHARE)
		limit = address_space / AS_SHARE;
	limit -= limit % PROF_PAGE;
	if (limit >= before)
		return;
	__atomic_store_n(&w->limit_bytes, limit, __ATOMIC_SEQ_CST);
	munmap(w->base + limit, before - limit);
}

static void header_fill(struct prof_header *h, const struct prof_owner *owner)
{
	h->version = PROF_VERSION;
	h->byte_order = PROF_BYTE_ORDER;
	h->header_bytes = PROF_HEADER_BYTES;
	h->granule_bytes = PROF_GRANULE;
	h->used_bytes = PROF_HEADER_BYTES;
	h->owner = *owner;
	h->machine = PROF_MACHINE;
	h->pid = (uint32_t)getpid();
	h->ppid = (uint32_t)getppid();
	h->run = PROF_RUN_RUNNING;
	h->start_realtime_ns = clock_ns(CLOCK_REALTIME);
	h->start_monotonic_ns = clock_ns(CLOCK_MONOTONIC);
	memcpy(h->magic, PROF_MAGIC, sizeof(h->magic));
}

/* A file that already has the temporary name was left by a process that is over. */
static int set_names(struct prof_writer *w, const char *path, const struct prof_owner *o)
{
	const uint64_t where = o->space ^ (o->host != 0 ? o->host : o->boot);
	const int err =
		prof_temporary(w->temporary, sizeof(w->temporary), path, (uint32_t)getpid(), where);

	if (err == 0)
		memcpy(w->path, path, strlen(path) + 1);
	return err;
}

static int create_file(struct prof_writer *w)
{
	struct stat st;
	const int how = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	int fd = call_open(w->temporary, how, 0666);

	/* Left by a process that was killed here. */
	if (fd == -EEXIST && unlink(w->temporary) == 0)
		fd = call_open(w->temporary, how, 0666);
	if (fd < 0)
		return fd;
	fd = move_fd(fd);
	if (fd < 0 || call_fstat(fd, &st) != 0) {
		int err = fd < 0 ? fd : -errno;

		unlink(w->temporary);
		return err;
	}
	w->fd = fd;
	w->dev = st.st_dev;
	w->ino = st.st_ino;
	return 0;
}

/* From here on the file exists and is removed on failure. */
static int fill_file(struct prof_writer *w, const struct prof_claim *claim,
		     const struct prof_owner *owner)
{
	int err = prof_reserve(w->fd, 0, PROF_HEADER_BYTES);

	if (err == 0)
		err = map_file(w, claim->limit_bytes);
	if (err == 0)
		err = open_up_to(w, PROF_HEADER_BYTES);
	if (err != 0)
		return err;
	atomic_store(&w->used_bytes, PROF_HEADER_BYTES);
	atomic_store(&w->sound_bytes, PROF_HEADER_BYTES);
	header_fill(prof_header(w), owner);
	w->pid = prof_header(w)->pid;
	w->boot = owner->boot;
	w->start = owner->start;
	return prof_place(w->path, sizeof(w->path), w->temporary, claim->next_name, owner, w->pid,
			  &w->taken);
}

int prof_create_for(struct prof_writer *w, const char *path, const struct prof_claim *claim)
{
	struct prof_owner owner = { 0 };

	if (claim->owner)
		owner = *claim->owner;
	prof_owner_here(&owner);
	memset(w, 0, sizeof(*w));
	w->fd = -1;
	w->page_bytes = getauxval(AT_PAGESZ);
	int err = set_names(w, path, &owner);

	if (err == 0)
		err = create_file(w);
	if (err != 0)
		return err;
	err = fill_file(w, claim, &owner);
	if (err != 0) {
		unlink(w->temporary);
		prof_abandon(w);
	}
	return err;
}

int prof_create(struct prof_writer *w, const char *path, size_t limit_bytes)
{
	return prof_create_for(w, path, &(struct prof_claim){ .limit_bytes = limit_bytes });
}

/* The file may have been overwritten once more: it is marked again. */
static bool end_file(struct prof_writer *w)
{
	const struct prof_header *h = prof_header(w);
	const size_t end = offsetof(struct prof_header, end_monotonic_ns);
	const int fd = mark_file(w);

	if (fd < 0)
		return false;
	call_pwrite(fd, &h->end_monotonic_ns, sizeof(h->end_monotonic_ns), end);
	call_pwrite(fd, &h->ticks_end, sizeof(h->ticks_end),
		    offsetof(struct prof_header, ticks_end));
	call_pwrite(fd, &h->run, sizeof(h->run), offsetof(struct prof_header, run));
	return true;
}

bool prof_end(struct prof_writer *w, enum prof_run how, uint64_t ticks)
{
	struct prof_header *h = prof_header(w);

	if (!h)
		return true;
	prof_is_intact(w);
	h->ticks_end = ticks;
	h->end_monotonic_ns = how == PROF_RUN_RUNNING ? 0 : clock_ns(CLOCK_MONOTONIC);
	atomic_store_explicit((_Atomic uint32_t *)&h->run, how, memory_order_release);
	return !atomic_load(&w->dead) || end_file(w);
}

void prof_remove(struct prof_writer *w)
{
	struct stat st;

	if (call_lstat(w->path, &st) == 0 && st.st_dev == w->dev && st.st_ino == w->ino)
		unlink(w->path);
}

void prof_abandon(struct prof_writer *w)
{
	uint64_t bytes;

	if (w->base)
		munmap(w->base, w->limit_bytes);
	if (w->fd >= 0 && writer_is_profile(w, w->fd, &bytes))
		call_close(w->fd);
	w->base = NULL;
	w->fd = -1;
	w->info_chunk = 0;
}
