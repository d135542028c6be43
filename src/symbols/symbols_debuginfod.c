#include "config.h"

#include "src/symbols/symbols_debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/symbols/symbols_debug.h"

#define DEBUGINFOD_SONAME "libdebuginfod.so.1"

enum { BUILD_ID_LEAST = 8, MIB = 1 << 20 };

struct debuginfod_client;

typedef int (*debuginfod_progress)(struct debuginfod_client *client, long done, long total);
typedef int (*debuginfod_find)(struct debuginfod_client *client, const unsigned char *build_id,
			       int bytes, char **path);

/* The library's functions (elfutils' debuginfod.h), filled in by load(), and the time that is
   left.  One for the process: servers that did not answer are not asked again. */
static struct {
	bool tried, shown;
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

static bool load(void)
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
		load();
	}
	return server.client;
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
	fd = server.find[kind](server.client, build_id, (int)bytes, path);
	server.left_s -= now_s() - server.begun_s;
	if (server.shown)
		fputs("\r\033[K", stderr);
	server.shown = false;
	if (fd >= 0 && symbols_build_id_is(fd, build_id, bytes))
		return fd;
	if (fd >= 0) {
		close(fd);
		free(*path);
	}
	*path = NULL;
	return -ENOENT;
}
