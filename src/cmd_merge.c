/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_merge.c - the command merge: executes ompcount-merge, which stands beside ompcount in
 * the build tree, and among the package's programs once it is installed.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/command_line.h"
#include "src/commands.h"

#define PROGRAM "ompcount-merge"

/* Relative to the folder of ompcount. */
static const char *const beside[] = {
	PROGRAM,
	"../libexec/" PACKAGE "/" PROGRAM,
	"../lib/" PACKAGE "/" PROGRAM,
};

int cmd_merge(int argc, char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	(void)argc;
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - self), self, beside[i]);
		execv(path, argv);
	}
	execv(OMPHWC_PKGLIBEXECDIR "/" PROGRAM, argv);
	return command_fails(PROGRAM, strerror(errno), "install all of omphwc");
}
