/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole file's lock, shared, means that its holder lives.  It is flock()'s, which ends with
 * the process: only one that is left alone can make it exclusive.  A record lock on the
 * first byte excludes others while records are added.
 */
#include "config.h"

#include "src/run/node.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/fnv.h"
#include "src/profile/clock.h"
#include "src/profile/launch.h"
#include "src/profile/local.h"
#include "src/run/paths.h"

#define NAME "launch-"

enum {
	PATIENCE_MS = 10000,
	PAUSE_MS = 5,
	RECORD_BYTES = 1 << 20, /* no text is longer */
	KEY_PATH = 0,
	OPEN_TRIES = 100,
};

struct record {
	uint64_t key;
	uint64_t bytes; /* of the text after it */
};

/* ---- the file ---------------------------------------------------------- */

/* Removes files whose holders were killed. */
static void remove_left(const char *folder)
{
	char path[PATH_MAX];
	DIR *d = opendir(folder);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		int fd;

		if (strncmp(entry->d_name, NAME, sizeof(NAME) - 1) != 0 ||
		    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= PATH_MAX)
			continue;
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
			unlink(path);
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
}

static uint64_t node_hash_text(uint64_t h, const char *text)
{
	return fnv(h, text, strlen(text) + 1);
}

/* Whether fd, locked, still has its name: its last holder may just have removed it. */
static bool node_is_there(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 1 && st.st_uid == geteuid();
}

static int open_locked(const char *path)
{
	for (int i = 0; i < OPEN_TRIES; i++) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_SH) != 0) {
			close(fd);
			return -ENOLCK;
		}
		if (node_is_there(fd))
			return fd;
		close(fd);
	}
	return -EBUSY;
}

void node_open(struct node *n, const struct prof_launch *l)
{
	int fd = -ENOENT;

	*n = (struct node){ .fd = -1 };
	if (prof_launch_is_alone(l))
		return;
	/* The folder goes with the last file in it. */
	for (int i = 0; i < OPEN_TRIES && fd == -ENOENT && local_folder(n->folder) == 0; i++) {
		remove_left(n->folder);
		/* The same for all ranks of one launch on this node. Without a step's name their
		   parent is the launcher's process there. */
		uint64_t h = node_hash_text(node_hash_text(FNV_BEGIN, l->job), l->step);
		const pid_t parent = l->step[0] ? 0 : getppid();
		struct stat space = { .st_ino = 0 };

		h = node_hash_text(node_hash_text(h, l->array_task), l->restart);
		if (stat("/proc/self/ns/mnt", &space) != 0)
			space.st_ino = 0;
		h = fnv(h, &space.st_ino, sizeof(space.st_ino));
		snprintf(n->path, sizeof(n->path), "%s/" NAME "%016llx", n->folder,
			 (unsigned long long)fnv(h, &parent, sizeof(parent)));
		fd = open_locked(n->path);
	}
	n->fd = fd;
	if (fd < 0) {
		n->path[0] = '\0';
		rmdir(n->folder);
	}
}

/* ---- records ----------------------------------------------------------- */

static int lock_records(int fd, short type)
{
	struct flock first = { .l_type = type, .l_whence = SEEK_SET, .l_len = 1 };

	return fcntl(fd, F_OFD_SETLK, &first) == 0 ? 0 : -errno;
}

/* The holder may wait for an answer. */
static int lock_patiently(int fd)
{
	const uint64_t end = clock_ns(CLOCK_MONOTONIC) + PATIENCE_MS * UINT64_C(1000000);
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	int err;

	while ((err = lock_records(fd, F_WRLCK)) == -EAGAIN && clock_ns(CLOCK_MONOTONIC) < end)
		nanosleep(&pause, NULL);
	return err;
}

/* Reads the record at *at, and moves *at behind it.  false: there is none. */
static bool next_record(int fd, off_t *at, struct record *r, char **text)
{
	*text = NULL;
	if (pread(fd, r, sizeof(*r), *at) != (ssize_t)sizeof(*r) || r->bytes > RECORD_BYTES)
		return false;
	*text = alloc_bytes(r->bytes + 1);
	if (pread(fd, *text, r->bytes, *at + (off_t)sizeof(*r)) != (ssize_t)r->bytes) {
		free(*text);
		return false;
	}
	(*text)[r->bytes] = '\0';
	*at += (off_t)(sizeof(*r) + r->bytes);
	return true;
}

/* With the records locked.  One that could not be written completely is removed. */
static int node_add_record(int fd, uint64_t key, const char *text)
{
	const struct record head = { key, strlen(text) };
	const size_t bytes = sizeof(head) + head.bytes;
	struct stat st;
	char *all;
	int err = 0;

	if (head.bytes > RECORD_BYTES)
		return -EFBIG;
	all = alloc_bytes(bytes);
	memcpy(all, &head, sizeof(head));
	memcpy(all + sizeof(head), text, head.bytes);
	if (fstat(fd, &st) != 0 || pwrite(fd, all, bytes, st.st_size) != (ssize_t)bytes)
		err = ftruncate(fd, st.st_size) == 0 ? -ENOSPC : -errno;
	free(all);
	return err;
}

static char *find_text(int fd, uint64_t key)
{
	struct record r;
	off_t at = 0;
	char *text;

	while (next_record(fd, &at, &r, &text)) {
		if (r.key == key)
			return text;
		free(text);
	}
	return NULL;
}

char *node_text(struct node *n, uint64_t key, char *(*ask)(void *), void *arg)
{
	char *text = n->path[0] ? find_text(n->fd, key) : NULL;

	if (text)
		return text;
	if (!n->path[0] || lock_patiently(n->fd) != 0)
		return ask(arg);
	text = find_text(n->fd, key);
	if (!text) {
		text = ask(arg);
		if (text)
			node_add_record(n->fd, key, text);
	}
	lock_records(n->fd, F_UNLCK);
	return text;
}

int node_add_path(struct node *n, const char *path)
{
	int err = n->path[0] ? lock_patiently(n->fd) : -ENOENT;

	if (err == 0) {
		err = node_add_record(n->fd, KEY_PATH, path);
		lock_records(n->fd, F_UNLCK);
	}
	return err;
}

static char **all_paths(int fd, size_t *count)
{
	char **paths = NULL, *text;
	struct record r;
	off_t at = 0;

	while (next_record(fd, &at, &r, &text)) {
		if (r.key == KEY_PATH)
			paths_add(&paths, count, text);
		free(text);
	}
	return paths;
}

char **node_leave(struct node *n, size_t *count)
{
	char **paths = NULL;

	*count = 0;
	if (!n->path[0])
		return NULL;
	/* It gives up the shared lock in any case, and of several at once one succeeds. */
	if (flock(n->fd, LOCK_EX | LOCK_NB) == 0) {
		paths = all_paths(n->fd, count);
		unlink(n->path);
		rmdir(n->folder);
	}
	close(n->fd);
	n->path[0] = '\0';
	return paths;
}
