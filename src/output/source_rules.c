/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/output/source_rules.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/answers/lookup.h"
#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/model/model.h"

/* ---- names -------------------------------------------------------------- */

/* What compilers and assemblers of all languages with debug information read. */
static bool has_source_name(const char *path)
{
	static const char endings[] =
		" c h cc hh cp cpp hpp cxx hxx c++ h++ ipp ixx tpp txx tcc inl inc ii i cppm def x "
		"cu cuh cl hip m mm d di f for ftn fpp f77 f90 f95 f03 f08 f15 f18 fi s asm sx "
		"rs go zig nim jl py pyx pxd pxi adb ads ada pas pp p chpl upc y yy l ll re rl "
		"kt swift ml v cob cbl mod hs lisp java scala cr odin vala gs ispc isph ";
	const char *const name = path_base(path), *const dot = strrchr(name, '.');
	char word[16];

	/* Headers of the C++ library have names without an ending. */
	if (!dot)
		return strstr(path, "/include/");
	if (snprintf(word, sizeof(word), " %s ", dot + 1) >= (int)sizeof(word) || !dot[1] ||
	    strchr(dot + 1, ' '))
		return false;
	for (char *c = word; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	return strstr(endings, word);
}

/* ---- folders ------------------------------------------------------------ */

static bool source_rules_is_below(const char *path, const char *folder)
{
	const size_t n = strlen(folder);

	return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Without empty parts, "." and ".."; folder may not exist. */
static bool normal_path(const char *folder, char *to, size_t bytes)
{
	size_t n = 0;

	if (*folder != '/')
		return false;
	while (*folder) {
		const size_t part = strcspn(folder += strspn(folder, "/"), "/");

		if (part == 2 && strncmp(folder, "..", 2) == 0) {
			while (n && to[--n] != '/')
				;
		} else if (part && !(part == 1 && *folder == '.')) {
			if (n + part + 2 > bytes)
				return false;
			to[n] = '/';
			memcpy(to + n + 1, folder, part);
			n += part + 1;
		}
		folder += part;
	}
	to[n] = '\0';
	return n;
}

static size_t depth_of(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

bool source_project(const char *folder, char *project, size_t bytes)
{
	char home[PATH_MAX];
	const char *const own = getenv("HOME");
	size_t depth = 2, n = 0;

	if (!normal_path(folder, project, bytes) || strcmp(project, "/home") == 0)
		return false;
	if (source_rules_is_below(project, "/home"))
		depth = 3;
	if (own && normal_path(own, home, sizeof(home)) && source_rules_is_below(project, home))
		depth = depth_of(home) + 1;
	for (char *c = project; *c; c++)
		if (*c == '/' && n++ == depth)
			*c = '\0';
	return true;
}

/* ---- places ------------------------------------------------------------- */

struct source_rules_wanted {
	const char *path; /* of the file, links followed */
	char *last;	  /* the last folder that was compared */
	bool found;
};

static bool in_project_of(const char *path, const char *folder)
{
	char project[PATH_MAX], real[PATH_MAX];

	return source_project(folder, project, sizeof(project)) && realpath(project, real) &&
	       source_rules_is_below(path, real);
}

static void source_rules_compare(const char *folder, void *arg)
{
	struct source_rules_wanted *w = arg;

	if (w->found || (w->last && strcmp(w->last, folder) == 0))
		return;
	free(w->last);
	w->last = alloc_text(folder);
	w->found = in_project_of(w->path, folder);
}

static bool source_rules_is_of_run(const char *path, const struct prof_file *f)
{
	const char *const exe = prof_text(f, PROF_INFO_EXE), *const cwd =
								     prof_text(f, PROF_INFO_CWD);
	const char *const slash = exe ? strrchr(exe, '/') : NULL;
	char folder[PATH_MAX];

	if (cwd && in_project_of(path, cwd))
		return true;
	return slash && slash != exe &&
	       snprintf(folder, sizeof(folder), "%.*s", (int)(slash - exe), exe) <
		       (int)sizeof(folder) &&
	       in_project_of(path, folder);
}

/* The cheap ones first: compilation units are in the program's file. */
static bool source_rules_is_of_program(const char *path, const struct source_place *p)
{
	struct source_rules_wanted w = { .path = path };
	char folder[PATH_MAX];

	if (getcwd(folder, sizeof(folder)) && in_project_of(path, folder))
		return true;
	for (size_t i = 0; i < p->model->nprocesses; i++)
		if (source_rules_is_of_run(path, p->model->processes[i].file))
			return true;
	for (size_t i = 0; i < p->model->nprocesses && p->lookup && !w.found; i++)
		lookup_folders(p->lookup, p->model->processes[i].file, source_rules_compare, &w);
	free(w.last);
	return w.found;
}

static bool source_rules_is_named(const char *path, const char *folder)
{
	char real[PATH_MAX];

	return folder && realpath(folder, real) && source_rules_is_below(path, real);
}

const char *source_refused(const struct source_place *p, int fd, const char **todo)
{
	char name[64], path[PATH_MAX];
	struct stat st;
	ssize_t n;

	*todo = NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path) - 1);
	if (n <= 0 || fstat(fd, &st) != 0)
		return "where it lies is not known";
	path[n] = '\0';
	if (!has_source_name(path))
		return "its name is not one of source text";
	if (source_rules_is_named(path, p->folder))
		return NULL;
	*todo = "use --sources=DIR for a folder that it is in";
	if (!(st.st_mode & S_IROTH) && st.st_uid != geteuid())
		return "it is another user's, and not all may read it";
	if (!source_rules_is_below(path, "/usr") && !source_rules_is_below(path, "/opt") &&
	    !source_rules_is_of_program(path, p))
		return "it lies outside of the folders in which the program was built and run";
	return NULL;
}
