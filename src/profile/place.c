/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - see place.h.
 *
 * A name that nothing has is taken by a rename or link that replaces nothing.  A process that
 * wants to replace a profile first creates a symbolic link beside it.  Creating a link is
 * atomic on every file system, network ones included, and its text identifies the creator.
 * While it holds this lock, it inspects the file under the name and replaces it by
 * rename().  Nobody waits for a lock: the holder will get the name, so others try the next
 * name.  Making the link also makes a network file system's client look at the folder again,
 * whose contents it may have kept.
 *
 * The lock of a killed process is not removed by a process that finds it: if two did, one
 * could remove the other's new lock.  They create a lock of the next level instead, whose
 * name is derived from the dead lock's text, which only one of them can do.
 */
#include "config.h"

#include "src/profile/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/profile/digits.h"
#include "src/profile/name.h"
#include "src/profile/profile_owner.h"
#include "src/profile/syscalls.h"

#define MARK ".~"

enum {
	TRIES = 1000,
	LEVELS = 64, /* maximum number of holders that died in succession */
	HOLDER_BYTES = 5 * (DIGITS_MAX + 1),
	LOCK_BYTES = PATH_MAX + sizeof(MARK) + DIGITS_MAX,
	OLD_S = 3600, /* age of an abandoned lock whose holder cannot be checked */
};

/* Static, because the stack may be small: a fork's child takes its name in its signal handler. */
static char asked[PATH_MAX], lock_path[LOCK_BYTES];
static char me[HOLDER_BYTES], holders[LEVELS][HOLDER_BYTES];
static struct prof_header found;

struct place_place {
	const struct prof_owner *us;
	const char *temporary;
	uid_t uid;  /* our user according to the file system */
	time_t now; /* the file system's clock */
	ino_t ino;
	uint32_t pid; /* of the profile's process */
};

/* ---- the temporary name ------------------------------------------------ */

int prof_temporary(char *out, size_t bytes, const char *path, uint32_t pid, uint64_t identity)
{
	const size_t n = strlen(path);
	char *at;

	if (n + sizeof(MARK) + 2 * DIGITS_MAX > bytes)
		return -ENAMETOOLONG;
	memcpy(out, path, n);
	memcpy(out + n, MARK, sizeof(MARK) - 1);
	at = digits_put(out + n + sizeof(MARK) - 1, pid, 10);
	*at++ = '-';
	*digits_put(at, (identity ^ identity >> 32) & UINT32_MAX, 16) = '\0';
	return 0;
}

bool prof_is_temporary(const char *name)
{
	const char *last = NULL, *at = name;
	uint64_t n;

	while ((at = strstr(at, MARK)))
		last = at += sizeof(MARK) - 1;
	at = last ? digits_get(last, &n, 10) : NULL;
	at = at && *at == '-' ? digits_get(at + 1, &n, 16) : NULL;
	return at && *at == '\0';
}

/* ---- the lock ---------------------------------------------------------- */

static char *put_hex(char *at, uint64_t n)
{
	at = digits_put(at, n, 16);
	*at = '.';
	return at + 1;
}

static enum prof_life holder_life(const char *text, uint64_t made_s, const struct prof_owner *us)
{
	uint64_t n[5];

	for (int i = 0; i < 5; i++) {
		text = digits_get(text, &n[i], 16);
		if (!text || *text != '.')
			return PROF_LIFE_UNKNOWN;
		text++;
	}
	const struct prof_owner them = { .space = n[2], .boot = n[3], .host = n[4] };
	return prof_owner_life(&them, n[0], n[1], made_s, us);
}

/* Writes the lock's name into lock_path: of level 0, or derived from the holder of the level
   below. */
static void name_lock(const char *path, int level)
{
	size_t n = strlen(path);

	memcpy(lock_path, path, n);
	memcpy(lock_path + n, MARK, sizeof(MARK) - 1);
	n += sizeof(MARK) - 1;
	if (level == 0)
		memcpy(lock_path + n, "lock", sizeof("lock"));
	else
		*digits_put(lock_path + n, prof_owner_hash(holders[level - 1]), 16) = '\0';
}

/* Reads the link lock_path; "?" if it is a regular file. */
static int read_holder(char *text)
{
	ssize_t n = readlink(lock_path, text, HOLDER_BYTES - 1);

	if (n < 0 && errno != EINVAL)
		return -errno;
	if (n <= 0) {
		memcpy(text, "?", 2);
		return 0;
	}
	text[n] = '\0';
	return 0;
}

/* On file systems without symbolic links the lock is a file, which shows nothing but its age. */
static int make_lock(void)
{
	if (symlink(me, lock_path) == 0)
		return 0;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	int fd = call_open(lock_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		call_close(fd);
	return fd < 0 ? fd : 0;
}

static bool holder_is_gone(const struct place_place *p, const char *text)
{
	struct stat st;
	const bool dated = call_lstat(lock_path, &st) == 0;
	const enum prof_life life =
		holder_life(text, dated ? (uint64_t)st.st_mtime : UINT64_MAX, p->us);

	if (life != PROF_LIFE_UNKNOWN)
		return life == PROF_LIFE_OVER;
	return dated && st.st_mtime < p->now - OLD_S;
}

/* Whether the dead holder's lock of the level below still exists; otherwise another process
   has finished with this name meanwhile. */
static bool still_below(const char *path, int level)
{
	static char text[HOLDER_BYTES];

	if (level == 0)
		return true;
	name_lock(path, level - 1);
	return read_holder(text) == 0 && strcmp(text, holders[level - 1]) == 0;
}

static void unlock(const char *path, int from, int level)
{
	/* Lowest level first: the highest lock keeps other processes away from the lower ones. */
	for (; from <= level; from++) {
		name_lock(path, from);
		unlink(lock_path);
	}
}

/* 0 and *level; -EBUSY: the lock has another holder, who is or may be alive. */
static int place_lock(const struct place_place *p, const char *path, int *level)
{
	for (*level = 0; *level < LEVELS; ++*level) {
		char *holder = holders[*level];

		name_lock(path, *level);
		int err = make_lock();
		if (err == -EEXIST) {
			if (read_holder(holder) != 0)
				return -EBUSY;
			/* A retransmitted request may fail on a server although the first one
			   succeeded. */
			if (strcmp(holder, me) == 0)
				err = 0;
			else if (holder_is_gone(p, holder))
				continue;
			else
				return -EBUSY;
		}
		if (err != 0)
			return err;
		if (still_below(path, *level))
			return 0;
		unlock(path, *level, *level);
		return -EBUSY;
	}
	return -EBUSY;
}

/* ---- what has the name ------------------------------------------------- */

static bool place_same(uint64_t a, uint64_t b)
{
	return a != 0 && a == b;
}

/* Decides about a profile of this user, which is in `found`. */
static enum prof_taken place_judge(const struct prof_owner *us)
{
	const struct prof_owner *o = &found.owner;

	if (found.byte_order != PROF_BYTE_ORDER)
		return PROF_TAKEN_UNKNOWN;
	if (place_same(o->job, us->job) || place_same(o->run, us->run))
		return PROF_TAKEN_SIBLING;
	/* Nobody looks whether an earlier job had the name: a modulefile may give it to all. */
	if (o->job != us->job)
		return PROF_TAKEN_JOB;
	if (o->rank != 0 && us->rank != 0 && o->rank != us->rank)
		return PROF_TAKEN_SIBLING;
	const uint64_t begun_s = found.start_realtime_ns / 1000000000;
	enum prof_life life = prof_owner_life(o, found.pid, o->start, begun_s, us);
	if (life == PROF_LIFE_GOES_ON)
		return PROF_TAKEN_RUNNING;
	/* Its end was written, so only a process that is proven alive still uses it. */
	if (life == PROF_LIFE_UNKNOWN && found.run == PROF_RUN_RUNNING)
		return PROF_TAKEN_UNKNOWN;
	if (o->leader != 0 &&
	    prof_owner_life(o, o->leader, o->leader_start, begun_s, us) == PROF_LIFE_GOES_ON)
		return PROF_TAKEN_RUNNING;
	return PROF_TAKEN_NOT;
}

static enum prof_taken look_into(const char *path, const struct place_place *p)
{
	int fd = call_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);

	if (fd < 0)
		return PROF_TAKEN_FOREIGN;
	memset(&found, 0, sizeof(found));
	ssize_t n = call_pread(fd, &found, sizeof(found), 0);
	call_close(fd);
	if (n < (ssize_t)sizeof(found.magic) ||
	    memcmp(found.magic, PROF_MAGIC, sizeof(found.magic)) != 0)
		return PROF_TAKEN_FOREIGN;
	return place_judge(p->us);
}

/* 0 with *taken, and in *absent whether nothing has the name; -errno: no name of this kind
   can be had. */
static int look(const char *path, const struct place_place *p, enum prof_taken *taken, bool *absent)
{
	struct stat st;

	*taken = PROF_TAKEN_NOT;
	*absent = false;
	if (call_lstat(path, &st) != 0) {
		*absent = errno == ENOENT;
		return *absent ? 0 : -errno;
	}
	if (S_ISDIR(st.st_mode) || S_ISLNK(st.st_mode))
		*taken = PROF_TAKEN_FOREIGN;
	else if (!S_ISREG(st.st_mode))
		return -EEXIST;
	else if (st.st_uid != p->uid)
		*taken = PROF_TAKEN_FOREIGN;
	else if (st.st_size != 0) /* an empty file may come from mktemp */
		*taken = look_into(path, p);
	return 0;
}

/* ---- the name ---------------------------------------------------------- */

static bool place_is_ours(const struct place_place *p, const char *path)
{
	struct stat st;

	return call_lstat(path, &st) == 0 && st.st_ino == p->ino;
}

/* Network file systems have no rename that never replaces a file, but links.  A retransmitted
   request may fail on a server although the first one succeeded. */
static int move_by_link(const struct place_place *p, const char *path)
{
	if (link(p->temporary, path) != 0) {
		const int err = -errno;

		if (err != -EEXIST || !place_is_ours(p, path))
			return err;
	}
	unlink(p->temporary);
	return 0;
}

/* Whether a file system's answer is that it does not have this call. */
static bool is_lacking(int err)
{
	return err == -ENOSYS || err == -EINVAL || err == -EPERM || err == -EOPNOTSUPP;
}

static int move_new(const struct place_place *p, const char *path)
{
	const int err = call_rename_new(p->temporary, path);

	return is_lacking(err) ? move_by_link(p, path) : err;
}

static int place_move(const struct place_place *p, const char *path, bool absent)
{
	int err = absent ? move_new(p, path) : -ENOSYS;

	if (!is_lacking(err))
		return err;
	if (rename(p->temporary, path) == 0)
		return 0;
	err = -errno;
	return err == -ENOENT && place_is_ours(p, path) ? 0 : err;
}

static int take_locked(const struct place_place *p, const char *path, enum prof_taken *taken)
{
	bool absent;
	int level, err = place_lock(p, path, &level);

	if (err == -EBUSY) {
		*taken = PROF_TAKEN_BUSY;
		return 0;
	}
	if (err != 0)
		return err;
	err = look(path, p, taken, &absent);
	if (err == 0 && *taken == PROF_TAKEN_NOT)
		err = place_move(p, path, absent);
	if (err == -EEXIST && absent) {
		*taken = PROF_TAKEN_FOREIGN;
		err = 0;
	}
	/* After a failure the dead holders' locks stay, because other processes rely on them. */
	unlock(path, err == 0 && *taken == PROF_TAKEN_NOT ? 0 : level, level);
	return err;
}

/* Whether a process holds the name's lock, or died with it. */
static bool is_locked(const char *path)
{
	struct stat st;

	name_lock(path, 0);
	return call_lstat(lock_path, &st) == 0;
}

static int place_take(const struct place_place *p, const char *path, enum prof_taken *taken)
{
	bool absent;
	int err = look(path, p, taken, &absent);

	/* The answer is clear without a lock. */
	if (err != 0 || *taken != PROF_TAKEN_NOT)
		return err;
	/* After the look: whoever has locked it since saw that it was absent, too. */
	if (absent && !is_locked(path)) {
		err = move_new(p, path);
		if (err != -EEXIST && !is_lacking(err))
			return err;
	}
	return take_locked(p, path, taken);
}

static bool place_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* The name to try after `attempt` others.  The pid is inserted unless the name contains it. */
static int next_name(char *out, size_t bytes, int attempt, uint32_t pid)
{
	char own[2 + DIGITS_MAX + sizeof(PROF_NAME_SUFFIX)], tag[2 * (DIGITS_MAX + 1) + 1];
	char *end = own, *at = tag;
	bool has_pid;

	*end++ = '-';
	end = digits_put(end, pid, 10);
	*end = '\0';
	has_pid = place_ends_with(asked, own);
	memcpy(end, PROF_NAME_SUFFIX, sizeof(PROF_NAME_SUFFIX));
	has_pid = has_pid || place_ends_with(asked, own);
	if (!has_pid) {
		memcpy(tag, own, (size_t)(end - own));
		at += end - own;
	}
	if (has_pid || attempt > 1) {
		*at++ = '-';
		at = digits_put(at, (uint64_t)(attempt + has_pid), 10);
	}
	*at = '\0';
	return prof_name_tag(out, bytes, asked, tag);
}

static int take_any(const struct place_place *p, char *path, size_t bytes, bool next,
		    enum prof_taken *taken)
{
	for (int attempt = next; attempt < TRIES; attempt++) {
		enum prof_taken why;
		int err = attempt == 0 ? 0 : next_name(path, bytes, attempt, p->pid);

		if (err == 0)
			err = place_take(p, path, &why);
		if (err != 0 || why == PROF_TAKEN_NOT)
			return err;
		if (*taken == PROF_TAKEN_NOT)
			*taken = why;
	}
	return -EEXIST;
}

int prof_place(char *path, size_t bytes, const char *temporary, bool next,
	       const struct prof_owner *owner, uint32_t pid, enum prof_taken *taken)
{
	const size_t n = strlen(path);
	struct stat st;

	*taken = PROF_TAKEN_NOT;
	if (n == 0 || n >= sizeof(asked))
		return n == 0 ? -ENOENT : -ENAMETOOLONG;
	if (path[n - 1] == '/')
		return -EISDIR;
	if (bytes > sizeof(asked))
		bytes = sizeof(asked);
	if (call_lstat(temporary, &st) != 0)
		return -errno;
	const struct place_place p = {
		.us = owner,
		.temporary = temporary,
		.uid = st.st_uid,
		.now = st.st_mtime,
		.ino = st.st_ino,
		.pid = pid,
	};
	memcpy(asked, path, n + 1);

	/* Each number is followed by a dot. */
	char *at = put_hex(me, (uint64_t)getpid());

	at = put_hex(at, owner->start);
	at = put_hex(at, owner->space);
	at = put_hex(at, owner->boot);
	*put_hex(at, owner->host) = '\0';
	int err = take_any(&p, path, bytes, next, taken);
	if (err != 0)
		memcpy(path, asked, n + 1);
	return err;
}

const char *prof_taken_text(enum prof_taken taken)
{
	switch (taken) {
	case PROF_TAKEN_NOT: break;
	case PROF_TAKEN_FOREIGN:
		return "a file of that name is no profile, or is another user's, and is "
		       "left alone";
	case PROF_TAKEN_RUNNING:
		return "a profile of that name belongs to a process or run that has not "
		       "ended";
	case PROF_TAKEN_UNKNOWN:
		return "a profile has that name, and whether its process still runs can't be known "
		       "from here";
	case PROF_TAKEN_SIBLING: return "a profile of the same job or run has that name";
	case PROF_TAKEN_JOB: return "a profile of another batch job or run has that name";
	case PROF_TAKEN_BUSY: return "another process was taking that name just then";
	}
	return NULL;
}
