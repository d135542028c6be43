/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/symbols/symbols_debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "src/base/message.h"
#include "src/symbols/symbols_debug.h"

#define DEBUGINFOD_SONAME "libdebuginfod.so.1"

enum { BUILD_ID_LEAST = 8, MIB = 1 << 20 };

static const uint64_t answer_bytes = UINT64_C(2) << 30; /* of one file, unless the user says more */

struct debuginfod_client;

typedef int (*debuginfod_progress)(struct debuginfod_client *client, long done, long total);
typedef int (*debuginfod_find)(struct debuginfod_client *client, const unsigned char *build_id,
			       int bytes, char **path);

/* The library's functions (elfutils' debuginfod.h), filled in by load(), and the time that is
   left.  One for the process: servers that did not answer are not asked again. */
static struct {
	bool tried, shown, too_long;
	uint64_t most_bytes;
	double left_s, begun_s;
	struct debuginfod_client *client;
	struct debuginfod_client *(*begin)(void);
	void (*set_progress)(struct debuginfod_client *client, debuginfod_progress progress);
	debuginfod_find find[2]; /* by enum debuginfod_kind */
} server;

static const struct {
	const char *name;
	void *function;
} imports[] = {
	{ "debuginfod_begin", &server.begin },
	{ "debuginfod_set_progressfn", &server.set_progress },
	{ "debuginfod_find_executable", &server.find[DEBUGINFOD_EXECUTABLE] },
	{ "debuginfod_find_debuginfo", &server.find[DEBUGINFOD_DEBUGINFO] },
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void symbols_debuginfod_allow(unsigned seconds)
{
	server.left_s = seconds;
}

/* Called several times a second; another result than 0 ends the transfer. */
static int progress(struct debuginfod_client *client, long done, long total)
{
	(void)client;
	if (now_s() - server.begun_s > server.left_s)
		return 1;
	/* Before it is known which server answers, done counts these calls. */
	if ((uint64_t)done > server.most_bytes ||
	    (total > 0 && (uint64_t)total > server.most_bytes)) {
		server.too_long = true;
		return 1;
	}
	if (now_s() - server.begun_s < 1 || !isatty(STDERR_FILENO))
		return 0;
	server.shown = true;
	if (total > 0)
		fprintf(stderr, "\rompcount: debuginfod: %ld of %ld MiB ", done / MIB,
			(total + MIB - 1) / MIB);
	else
		fputs("\rompcount: waiting for debuginfod ", stderr);
	return 0;
}

static bool debuginfod_load(void)
{
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++) {
		void *f = handle ? dlsym(handle, imports[i].name) : NULL;

		if (!f)
			return false;
		memcpy(imports[i].function, &f, sizeof(f));
	}
	server.client = server.begin();
	if (server.client)
		server.set_progress(server.client, progress);
	return server.client;
}

static bool is_allowed(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (server.left_s <= 0 || !urls || !*urls)
		return false;
	if (!server.tried) {
		server.tried = true;
		debuginfod_load();
	}
	return server.client;
}

/* As libdebuginfod reads it, which compares it with the length that a server announces only. */
static uint64_t most_bytes(void)
{
	const char *const text = getenv("DEBUGINFOD_MAXSIZE");
	char *end;
	const unsigned long long n = text ? strtoull(text, &end, 10) : 0;

	return n && *text != '-' && !*end ? n : answer_bytes;
}

/*
 * Asks, and writes no more than the limit to disk: servers need not announce a length, and what
 * they send may be compressed.  libdebuginfod removes what it could not finish.
 */
static int find(enum debuginfod_kind kind, const uint8_t *build_id, size_t bytes, char **path)
{
	struct rlimit before, limited;
	void (*xfsz)(int);
	int fd;

	if (getrlimit(RLIMIT_FSIZE, &before) != 0)
		return -errno;
	limited = before;
	if (limited.rlim_cur > server.most_bytes)
		limited.rlim_cur = server.most_bytes;
	xfsz = signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limited);
	fd = server.find[kind](server.client, build_id, (int)bytes, path);
	setrlimit(RLIMIT_FSIZE, &before);
	if (xfsz != SIG_ERR)
		signal(SIGXFSZ, xfsz);
	return fd;
}

int symbols_debuginfod_open(enum debuginfod_kind kind, const uint8_t *build_id, size_t bytes,
			    char **path)
{
	int fd;

	*path = NULL;
	/* A shorter one is no hash. */
	if (bytes < BUILD_ID_LEAST || !is_allowed())
		return -ENOENT;
	server.begun_s = now_s();
	server.most_bytes = most_bytes();
	server.too_long = false;
	fd = find(kind, build_id, bytes, path);
	server.left_s -= now_s() - server.begun_s;
	if (server.shown)
		fputs("\r\033[K", stderr);
	server.shown = false;
	if (server.too_long || fd == -EFBIG || fd == -EIO) {
		/* A server that sends too much is not asked again. */
		char why[96];

		snprintf(why, sizeof(why),
			 "an answer had more than %" PRIu64 " MiB, and is not used",
			 server.most_bytes / MIB);
		message_parts("debuginfod", why, "DEBUGINFOD_MAXSIZE=BYTES allows more");
		server.left_s = 0;
	}
	if (fd >= 0 && symbols_build_id_is(fd, build_id, bytes))
		return fd;
	if (fd >= 0) {
		close(fd);
		free(*path);
	}
	*path = NULL;
	return -ENOENT;
}
