/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beside each profile that was copied lies a symbolic link to where it was copied, because its
 * name may have been another process's there.
 */
#include "config.h"

#include "src/run/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/profile/clock.h"
#include "src/profile/local.h"
#include "src/profile/place.h"
#include "src/run/aside.h"
#include "src/run/copy.h"
#include "src/run/paths.h"
#include "src/run/turn.h"

#define COPIED ".~copied"

enum {
	STALL_S = 30, /* without an answer for so long a server has stalled */
	PAUSE_MS = 5,
	OPEN_TRIES = 100,
	DEPTH = 1, /* folders that are open at once: the program may be allowed few */
};

/* In memory that the copier shares. */
struct spool_progress {
	_Atomic uint64_t bytes;
	struct spool_result result;
};

/* ---- the folder -------------------------------------------------------- */

/* -ENOENT, also where its last holder has just removed it; -EWOULDBLOCK. */
static int lock_folder(const char *path)
{
	int err = -EWOULDBLOCK, fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		if (fstat(fd, &st) == 0 && st.st_nlink != 0)
			return fd;
		err = -ENOENT;
	}
	close(fd);
	return err;
}

/* Which all of the user's spools in that place have. */
static void folder_of(const struct spool *s, char folder[PATH_MAX])
{
	strcpy(folder, s->root);
	*strrchr(folder, '/') = '\0';
}

static int attach(struct spool *s)
{
	int err;

	s->lock = lock_folder(s->root);
	if (s->lock < 0)
		return s->lock;
	s->progress = mmap(NULL, sizeof(*s->progress), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->progress != MAP_FAILED)
		return 0;
	err = -errno;
	s->progress = NULL;
	close(s->lock);
	return err;
}

static int spool_own_folder(const char *where, char folder[PATH_MAX])
{
	char real[PATH_MAX];

	if (!where)
		return local_folder(folder);
	if (!realpath(where, real))
		return -errno;
	if (snprintf(folder, PATH_MAX, "%s/omphwc-%u", real, (unsigned)geteuid()) >= PATH_MAX)
		return -ENAMETOOLONG;
	return local_make(folder);
}

static int open_below(struct spool *s, const char *folder)
{
	int err = local_spool(folder, s->root);

	if (err)
		return err;
	err = attach(s);
	if (err)
		rmdir(s->root);
	return err;
}

/* Others that end, or look for what was left, remove folders in which nothing is yet. */
int spool_open(struct spool *s, const char *where)
{
	char folder[PATH_MAX];
	int err = -EWOULDBLOCK;

	*s = (struct spool){ .lock = -1 };
	for (int i = 0; i < OPEN_TRIES && (err == -ENOENT || err == -EWOULDBLOCK); i++) {
		err = spool_own_folder(where, folder);
		if (err)
			break;
		err = open_below(s, folder);
		if (err)
			rmdir(folder);
	}
	if (err)
		s->root[0] = '\0';
	return err;
}

/* ---- what is in it ----------------------------------------------------- */

/* nftw() has no argument for its function.  Owned by this file. */
static struct spool_walk {
	const char *root;
	const char *belongs; /* see spool_count() */
	struct spool_progress *progress;
	bool remove;
	char **paths;
	size_t n;
} walk;

static bool spool_is_profile(const char *path, int kind)
{
	return kind == FTW_F && !prof_is_temporary(path);
}

static void link_name(const char *path, char name[PATH_MAX + 16])
{
	snprintf(name, PATH_MAX + 16, "%s" COPIED, path);
}

static bool spool_read_link(const char *path, char to[PATH_MAX])
{
	char name[PATH_MAX + 16];
	ssize_t n;

	link_name(path, name);
	n = readlink(name, to, PATH_MAX - 1);
	to[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static int spool_remember(const char *path, const char *to)
{
	char name[PATH_MAX + 16], was[PATH_MAX];

	if (spool_read_link(path, was) && strcmp(was, to) == 0)
		return 0;
	link_name(path, name);
	unlink(name);
	return symlink(to, name) == 0 ? 0 : -errno;
}

/* Copies it, and removes it if this is the last copy, which also makes room for the link.  Without
   the link the next copy would get the next name, and so on. */
static int copy_to(const char *path, char to[PATH_MAX], bool *runs)
{
	int err = copy_profile(path, to, &walk.progress->bytes, runs);
	const bool last = walk.remove && !*runs;

	if (err != 0)
		return err;
	if (last)
		unlink(path);
	err = spool_remember(path, to);
	if (err == 0 || last || strcmp(to, path + strlen(walk.root)) == 0)
		return 0;
	unlink(to);
	return err;
}

static int copy_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	struct spool_result *r = &walk.progress->result;
	char to[PATH_MAX];
	bool runs;
	int err;

	(void)st;
	(void)where;
	if (walk.remove && kind == FTW_F && prof_is_temporary(path) && copy_is_of_dead(path))
		unlink(path);
	if (!spool_is_profile(path, kind))
		return 0;
	if (!spool_read_link(path, to))
		snprintf(to, sizeof(to), "%s", path + strlen(walk.root));
	err = copy_to(path, to, &runs);
	if (err == 0) {
		r->copied++;
		r->running += runs;
	} else if (r->err == 0) {
		r->err = -err;
		strcpy(r->path, to);
	}
	return 0;
}

static int count_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	const size_t n = strlen(walk.belongs);
	const char *to = path + strlen(walk.root);

	(void)st;
	(void)where;
	walk.n += spool_is_profile(path, kind) && strncmp(to, walk.belongs, n) == 0 &&
		  (to[n] == '\0' || to[n] == '/' || (n > 0 && to[n - 1] == '/'));
	return 0;
}

/* Whether it is the link of a profile that is gone: `of` is its name. */
static bool is_link_alone(const char *path, int kind, char of[PATH_MAX])
{
	const size_t n = strlen(path), end = sizeof(COPIED) - 1;

	if ((kind != FTW_SL && kind != FTW_SLN) || n <= end)
		return false;
	snprintf(of, PATH_MAX, "%.*s", (int)(n - end), path);
	return access(of, F_OK) != 0;
}

/* A profile that was copied, and removed since as one of no interest: not what others have put
   there. */
static int drop_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	char of[PATH_MAX], to[PATH_MAX];

	(void)st;
	(void)where;
	if (is_link_alone(path, kind, of) && spool_read_link(of, to)) {
		if (copy_is_of_dead(to))
			unlink(to);
		unlink(path);
	}
	return 0;
}

/* Links of what is gone, and folders that are empty then. */
static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	char of[PATH_MAX];

	(void)st;
	(void)where;
	if (kind == FTW_DP)
		rmdir(path);
	if (is_link_alone(path, kind, of))
		unlink(path);
	return 0;
}

static int list_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)where;
	if (spool_is_profile(path, kind))
		paths_add(&walk.paths, &walk.n, path);
	return 0;
}

void spool_profiles(const struct spool *s, char ***paths, size_t *n)
{
	if (!s->root[0])
		return;
	walk = (struct spool_walk){ .paths = *paths, .n = *n };
	nftw(s->root, list_one, DEPTH, FTW_PHYS);
	*paths = walk.paths;
	*n = walk.n;
}

size_t spool_count(const struct spool *s, const char *path)
{
	walk = (struct spool_walk){ .root = s->root, .belongs = path };
	nftw(s->root, count_one, DEPTH, FTW_PHYS);
	return walk.n;
}

bool spool_copied_to(const struct spool *s, const char *path, char to[PATH_MAX])
{
	return strncmp(path, s->root, strlen(s->root)) == 0 && spool_read_link(path, to);
}

/* ---- the copier -------------------------------------------------------- */

static bool is_over(struct spool *s)
{
	if (s->copier > 0 && waitpid(s->copier, NULL, WNOHANG) == 0)
		return false;
	s->copier = 0;
	return true;
}

static void spool_begin(struct spool *s, bool remove, bool drop)
{
	pid_t pid;

	memset(s->progress, 0, sizeof(*s->progress));
	pid = fork();
	if (pid == 0) {
		/* Never returns. Whoever waits for the end of ompcount's output does not wait for
		   it; signals are blocked, as in ompcount. The folder stays locked while it copies,
		   whatever becomes of ompcount. */
		int turn;
		char folder[PATH_MAX];
		sigset_t all;

		const int kept[] = { s->lock };

		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		aside_detach(-1, kept, 1);
		walk = (struct spool_walk){ .root = s->root,
					    .progress = s->progress,
					    .remove = remove };
		folder_of(s, folder);
		turn = turn_take(folder, &s->progress->bytes);
		if (drop)
			nftw(s->root, drop_one, DEPTH, FTW_PHYS);
		if (nftw(s->root, copy_one, DEPTH, FTW_PHYS) != 0 && errno != ENOENT &&
		    s->progress->result.err == 0)
			s->progress->result.err = errno;
		if (turn >= 0)
			turn_end(folder, turn);
		_exit(0);
	}
	if (pid < 0)
		s->progress->result.err = errno;
	s->copier = pid > 0 ? pid : 0;
}

bool spool_copy(struct spool *s)
{
	const bool is = is_over(s);

	if (is)
		spool_begin(s, false, false);
	return is;
}

/* false: it has stalled, and was ended as far as it can be. */
static bool spool_wait_for(struct spool *s)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	uint64_t bytes = 0, since = clock_ns(CLOCK_MONOTONIC);
	char folder[PATH_MAX];

	while (!is_over(s)) {
		const uint64_t now = clock_ns(CLOCK_MONOTONIC);

		if (s->progress->bytes != bytes) {
			bytes = s->progress->bytes;
			since = now;
		}
		if (now - since > STALL_S * UINT64_C(1000000000)) {
			kill(s->copier, SIGKILL);
			s->copier = 0;
			s->stalled = true;
			folder_of(s, folder);
			turn_end(folder, -1);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

void spool_settle(struct spool *s)
{
	if (s->root[0])
		spool_wait_for(s);
}

void spool_copy_last(struct spool *s, bool drop, struct spool_result *r)
{
	bool answers = !s->stalled && spool_wait_for(s);

	if (answers) {
		spool_begin(s, true, drop);
		answers = spool_wait_for(s);
	}
	*r = s->progress->result;
	if (!answers)
		r->err = ETIMEDOUT;
}

void spool_close(struct spool *s)
{
	char *slash;

	if (!s->root[0])
		return;
	nftw(s->root, remove_one, DEPTH, FTW_PHYS | FTW_DEPTH);
	close(s->lock);
	munmap(s->progress, sizeof(*s->progress));
	slash = strrchr(s->root, '/');
	*slash = '\0';
	rmdir(s->root);
	s->root[0] = '\0';
}

/* ---- what was left ----------------------------------------------------- */

/* Its folder's path, which is in `folder`. */
static bool root_of(const char *path, const char *folder, char root[PATH_MAX])
{
	const size_t n = strlen(folder), head = sizeof(LOCAL_SPOOL) - 1;
	const char *end;

	if (n == 0 || strncmp(path, folder, n) != 0 || path[n] != '/' ||
	    strncmp(path + n + 1, LOCAL_SPOOL, head) != 0)
		return false;
	end = strchr(path + n + 1, '/');
	snprintf(root, PATH_MAX, "%.*s", end ? (int)(end - path) : 0, path);
	return end && local_is_own(folder);
}

bool spool_of(struct spool *s, const char *path)
{
	char folder[PATH_MAX];

	*s = (struct spool){ .lock = -1 };
	for (unsigned i = 0; local_folder_at(i, folder); i++)
		if (root_of(path, folder, s->root))
			return attach(s) == 0;
	return false;
}

static void visit_below(const char *folder, void (*visit)(struct spool *, void *), void *arg)
{
	DIR *d = local_is_own(folder) ? opendir(folder) : NULL;
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct spool s = { .lock = -1 };

		if (strncmp(entry->d_name, LOCAL_SPOOL, sizeof(LOCAL_SPOOL) - 1) != 0 ||
		    snprintf(s.root, sizeof(s.root), "%s/%s", folder, entry->d_name) >= PATH_MAX ||
		    attach(&s) != 0)
			continue;
		visit(&s, arg);
		spool_close(&s);
	}
	if (d)
		closedir(d);
}

void spool_left(const char *below, void (*visit)(struct spool *, void *), void *arg)
{
	char folder[PATH_MAX];

	if (below) {
		if (snprintf(folder, sizeof(folder), "%s/omphwc-%u", below, (unsigned)geteuid()) <
		    PATH_MAX)
			visit_below(folder, visit, arg);
		return;
	}
	for (unsigned i = 0; local_folder_at(i, folder); i++)
		if (folder[0])
			visit_below(folder, visit, arg);
}
