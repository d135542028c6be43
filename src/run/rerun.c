/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/run/rerun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/run/child.h"
#include "src/run/target.h"

int rerun_pattern(char buf[PATH_MAX], const char *folder, const char *name)
{
	size_t at = 0;

	for (const char *s = folder; *s; s++) {
		if (at + 3 >= PATH_MAX)
			return -ENAMETOOLONG;
		if (*s == '%')
			buf[at++] = '%';
		buf[at++] = *s;
	}
	return snprintf(buf + at, PATH_MAX - at, "/%s", name) < (int)(PATH_MAX - at) ?
		       0 :
		       -ENAMETOOLONG;
}

/* By its name, which is the process's then; or if that is gone by what the kernel has of it. */
static const char *this_program(char buf[PATH_MAX])
{
	static const char running[] = "/proc/self/exe";
	const ssize_t n = readlink(running, buf, PATH_MAX - 1);

	buf[n > 0 ? n : 0] = '\0';
	return access(buf, X_OK) == 0 ? buf : running;
}

static size_t words(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

int rerun_profiled(struct child *c, char *pattern, char *const *options, char *const *command,
		   char *const *envp, int *status)
{
	static char ompcount[] = "ompcount", run[] = "run", quiet[] = "-q", output[] = "-o",
		    end[] = "--";
	char *const first[] = { ompcount, run, quiet, output, pattern };
	const size_t nfirst = sizeof(first) / sizeof(*first), noptions = words(options);
	char **argv = alloc_zeroed(nfirst + noptions + words(command) + 2, sizeof(*argv));
	char self[PATH_MAX];
	int err;

	memcpy(argv, first, sizeof(first));
	memcpy(argv + nfirst, options, noptions * sizeof(*argv));
	argv[nfirst + noptions] = end;
	memcpy(argv + nfirst + noptions + 1, command, words(command) * sizeof(*argv));
	err = child_start(c, this_program(self), argv, envp);
	if (!err)
		*status = child_wait(c);
	free(argv);
	return -err;
}

int rerun_bare(struct child *c, const struct target *t, char *const *command, char *const *envp,
	       int64_t input_at, uint64_t limit_ns, int *status)
{
	const int input =
		open(input_at < 0 ? "/dev/null" : "/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
	const int output = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const int streams[] = { input, output, output };
	int err = input < 0 || output < 0 ? errno : 0;

	if (!err && input_at > 0 && lseek(input, input_at, SEEK_SET) < 0)
		err = errno;
	c->streams = streams;
	c->apart = true;
	c->limit_ns = limit_ns;
	if (!err)
		err = child_start_target(c, t, command, envp);
	if (!err)
		*status = child_wait(c);
	c->streams = NULL;
	if (input >= 0)
		close(input);
	if (output >= 0)
		close(output);
	return -err;
}

char *rerun_words(char buf[RERUN_WORDS], int status)
{
	if (WIFEXITED(status))
		snprintf(buf, RERUN_WORDS, "it ended with status %d", WEXITSTATUS(status));
	else
		snprintf(buf, RERUN_WORDS, "signal %d ended it", WTERMSIG(status));
	return buf;
}
