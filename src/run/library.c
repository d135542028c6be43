/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.c - finds libomphwc.so.
 *
 * The folder of the running binary precedes the configured one: an installation that was
 * moved or staged with DESTDIR, or not installed at all, must not load another version's
 * library.
 */
#include "config.h"

#include "src/run/library.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/message.h"

#define LIBRARY "libomphwc.so"
#define HEAP_LIBRARY "libomphwc_heap.so"

/* Relative to the folder of libomphwc.so: the build tree, and pkglibdir. */
#define GOMP_LIBRARY "libomphwc-gomp.so"

/* Relative to the folder of ompcount. */
static const char *const beside[] = {
	".libs/" LIBRARY,    /* in the build tree, where libtool puts it */
	"../.libs/" LIBRARY, /* the same if ompcount is in .libs, too */
	"../lib/" LIBRARY,
	"../lib64/" LIBRARY,
};

/* The loader would wait for a FIFO. */
static bool usable(const char *candidate, char path[PATH_MAX])
{
	struct stat st;

	if (!realpath(candidate, path) || access(path, R_OK) != 0 || stat(path, &st) != 0)
		return false;
	if (!S_ISREG(st.st_mode))
		errno = ENOEXEC;
	return S_ISREG(st.st_mode);
}

/* The folder of the running ompcount.  Where /proc is not mounted, it is as it was started. */
static bool library_own_folder(char self[PATH_MAX])
{
	const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
	char *slash;

	if (n > 0)
		self[n] = '\0';
	else if (!started || !realpath(started, self))
		return false;
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	return slash;
}

static bool find_beside(char path[PATH_MAX])
{
	const size_t prefix = sizeof(OMPHWC_PREFIX) - 1;
	char self[PATH_MAX], candidate[PATH_MAX + 256];

	if (!library_own_folder(self))
		return false;
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s", self, beside[i]);
		if (usable(candidate, path))
			return true;
	}
	/* The configured lib folder, relative to the prefix of the running ompcount. */
	if (strncmp(OMPHWC_LIBDIR, OMPHWC_PREFIX "/", prefix + 1) != 0)
		return false;
	return snprintf(candidate, sizeof(candidate), "%s/../%s/" LIBRARY, self,
			&OMPHWC_LIBDIR[prefix + 1]) < (int)sizeof(candidate) &&
	       usable(candidate, path);
}

int library_find(char path[PATH_MAX], struct trouble *t)
{
	const char *given = getenv("OMPHWC_LIBRARY");

	if (given && *given) {
		if (usable(given, path))
			return 0;
		return trouble(t, strerror(errno), "name the file " LIBRARY ", or unset it",
			       "OMPHWC_LIBRARY=%s", given);
	}
	if (find_beside(path) || usable(OMPHWC_LIBDIR "/" LIBRARY, path))
		return 0;
	return trouble(t, "neither beside ompcount nor in " OMPHWC_LIBDIR,
		       "install it, or name it in OMPHWC_LIBRARY", LIBRARY);
}

/* A library of ours in the folder of the one found, or in pkglibdir beneath that. */
static void find_with(const char *library, const char *name, char path[PATH_MAX])
{
	const char *slash = strrchr(library, '/');
	const int folder = slash ? (int)(slash - library) : 0;
	const char *const in[] = { "", PACKAGE "/" };

	for (size_t i = 0; slash && i < sizeof(in) / sizeof(in[0]); i++)
		if (snprintf(path, PATH_MAX, "%.*s/%s%s", folder, library, in[i], name) <
			    PATH_MAX &&
		    access(path, R_OK) == 0)
			return;
	path[0] = '\0';
}

void library_heap(const char library[PATH_MAX], char path[PATH_MAX])
{
	find_with(library, HEAP_LIBRARY, path);
}

void library_gomp(const char library[PATH_MAX], char path[PATH_MAX])
{
	unsigned major = 0, minor = 0;

	path[0] = '\0';
	if (sscanf(gnu_get_libc_version(), "%u.%u", &major, &minor) == 2 && major == 2 &&
	    minor < 33)
		find_with(library, GOMP_LIBRARY, path);
}
