/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * container.c - see container.h. Images that are files are not opened: a library whose folder is
 * bound into one of those is loaded.
 */
#include "config.h"

#include "src/run/container.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/path.h"
#include "src/run/libc_fit.h"

enum runner {
	ROOT = 1 << 0,	      /* its programs see all files below one folder alone */
	SEES_HOME = 1 << 1,   /* and those in the home, in /tmp and in the working folder */
	ENVIRONMENT = 1 << 2, /* it hands its environment on */
};

static const struct {
	const char *name;
	unsigned is;
	const char *bind; /* its option */
} runners[] = {
	{ "apptainer", SEES_HOME | ENVIRONMENT, "--bind" },
	{ "singularity", SEES_HOME | ENVIRONMENT, "--bind" },
	{ "ch-run", SEES_HOME | ENVIRONMENT, "--bind" },
	{ "shifter", SEES_HOME | ENVIRONMENT, "--volume" },
	{ "sarus", ENVIRONMENT, "--mount" },
	{ "podman", 0, "-v" },
	{ "docker", 0, "-v" },
	{ "nerdctl", 0, "-v" },
	{ "chroot", ROOT | ENVIRONMENT, NULL },
};

enum { RUNNERS = sizeof(runners) / sizeof(runners[0]) };

static int find_runner(const char *word)
{
	for (int i = 0; i < RUNNERS; i++)
		if (!strcmp(path_base(word), runners[i].name))
			return i;
	return -1;
}

/* Whether file lies in folder (length bytes), or is that. */
static bool container_is_below(const char *file, const char *folder, size_t length)
{
	while (length > 1 && folder[length - 1] == '/')
		length--;
	return length > 1 && !strncmp(file, folder, length) &&
	       (file[length] == '/' || file[length] == '\0');
}

/* "SOURCE[:TARGET[:OPTIONS]]", where TARGET is the same path. */
static bool container_binds(const char *text, size_t length, const char *library)
{
	const char *colon = memchr(text, ':', length);
	const size_t source = colon ? (size_t)(colon - text) : length;
	const char *target = colon ? colon + 1 : text;
	const size_t rest = colon ? length - source - 1 : 0;

	if (!container_is_below(library, text, source))
		return false;
	return rest == 0 || *target != '/' ||
	       (rest >= source && !strncmp(target, text, source) &&
		(rest == source || target[source] == ':'));
}

/* Any part of an option's text, as --bind=A,B or -vA:A. */
static bool names_folder(const char *text, const char *library)
{
	while (*text) {
		const size_t length = strcspn(text, ",=");
		const char *slash = memchr(text, '/', length);

		if (slash && container_binds(slash, length - (size_t)(slash - text), library))
			return true;
		text += length + (text[length] != '\0');
	}
	return false;
}

static bool container_is_bound(char *const *words, const char *library)
{
	static const char *const variables[] = { "APPTAINER_BIND", "APPTAINER_BINDPATH",
						 "SINGULARITY_BIND", "SINGULARITY_BINDPATH" };

	for (; *words; words++)
		if (names_folder(*words, library))
			return true;
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (getenv(variables[i]) && names_folder(getenv(variables[i]), library))
			return true;
	return false;
}

static bool is_in_home(char *const *words, const char *library)
{
	const char *home = getenv("HOME");
	char here[PATH_MAX];

	for (; *words; words++)
		if (!strncmp(*words, "--contain", 9) || !strcmp(*words, "-c") ||
		    !strcmp(*words, "-C") || !strcmp(*words, "--no-home"))
			return false;
	return (home && container_is_below(library, home, strlen(home))) ||
	       container_is_below(library, "/tmp", 4) ||
	       (getcwd(here, sizeof(here)) && container_is_below(library, here, strlen(here)));
}

/* A folder with a system in it. */
static const char *find_root(char *const *words)
{
	static const char *const parts[] = { "usr", "lib", "bin" };
	char path[PATH_MAX];
	struct stat st;

	for (; *words; words++)
		for (size_t i = 0; **words != '-' && i < sizeof(parts) / sizeof(parts[0]); i++)
			if (strcmp(*words, "/") != 0 &&
			    snprintf(path, sizeof(path), "%s/%s", *words, parts[i]) <
				    (int)sizeof(path) &&
			    stat(path, &st) == 0 && S_ISDIR(st.st_mode))
				return *words;
	return NULL;
}

static bool has_copy(const char *root, const char *library)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s%s", root, library) < (int)sizeof(path) &&
	       access(path, R_OK) == 0;
}

static bool sets_preload(char *const *words)
{
	for (; *words; words++)
		if (strstr(*words, "LD_PRELOAD="))
			return true;
	return false;
}

static bool refuses(int runner, char *const *words, const char *library, char *why, size_t bytes)
{
	const unsigned is = runners[runner].is;
	const char *root = find_root(words);
	char misfit[160];

	if (root && !libc_fits_root(library, root, misfit, sizeof(misfit))) {
		snprintf(why, bytes, "it starts a container: the C library in %s %s", root, misfit);
		return true;
	}
	if (is & ROOT) /* the library itself judges what is started */
		return false;
	if (!container_is_bound(words, library) && !(root && has_copy(root, library)) &&
	    !((is & SEES_HOME) && is_in_home(words, library))) {
		const int folder = (int)(strrchr(library, '/') - library);

		/* What is bound over a folder hides what the container has there. */
		if (!strncmp(library, "/usr/lib", 8) || !strncmp(library, "/lib", 4))
			snprintf(
				why, bytes,
				"it starts a container, in which %s is not: copy it, and the "
				"folder omphwc beside it, to a folder of their own, which %s binds "
				"(see CONTAINERS in omphwc(7))",
				library, runners[runner].bind);
		else
			snprintf(why, bytes,
				 "it starts a container, in which %s is not: add %s %.*s:%.*s (see "
				 "CONTAINERS in omphwc(7))",
				 library, runners[runner].bind, folder, library, folder, library);
		return true;
	}
	if ((is & ENVIRONMENT) || sets_preload(words))
		return false;
	snprintf(
		why, bytes,
		"it hands no environment on to the container: add -e LD_PRELOAD=%s (see CONTAINERS "
		"in omphwc(7))",
		library);
	return true;
}

bool container_refuses(char *const *command, bool launcher, const char *library, char *why,
		       size_t bytes)
{
	for (; *command; command++) {
		const int runner = find_runner(*command);

		if (runner >= 0)
			return refuses(runner, command + 1, library, why, bytes);
		if (!launcher)
			break;
	}
	return false;
}
