/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/spooled.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/base/path.h"
#include "src/run/spool.h"

static void say(struct spool *s, void *arg)
{
	const char *path = arg;
	const size_t n = spool_count(s, path);
	struct trouble t;

	if (n == 0)
		return;
	trouble(&t, "a killed run left it on this node", "ompcount collect", "%zu profile%s of %s",
		n, n == 1 ? "" : "s", path);
	message_trouble(&t);
}

/* Also where nothing is there yet, but for the folder. */
static bool spooled_real_path(const char *word, char real[PATH_MAX])
{
	const char *slash = strrchr(word, '/');
	char folder[PATH_MAX];

	if (realpath(word, real))
		return true;
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash + 1 - word) : 1,
		 slash ? word : ".");
	if (!realpath(folder, real) || strlen(real) + strlen(path_base(word)) + 2 > PATH_MAX)
		return false;
	strcat(strcat(real, "/"), path_base(word));
	return true;
}

void spooled_say(char *const *words, size_t n)
{
	char real[PATH_MAX];

	if (n == 0 && spooled_real_path(".", real))
		spool_left(NULL, say, real);
	for (size_t i = 0; i < n; i++)
		if (spooled_real_path(words[i], real))
			spool_left(NULL, say, real);
}
