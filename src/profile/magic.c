/* SPDX-License-Identifier: BSD-3-Clause */
/* magic.c - see magic.h. */
#include "config.h"

#include "src/profile/magic.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/profile/format.h"

bool prof_is_profile(const char *path)
{
	char magic[sizeof(PROF_MAGIC) - 1] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const ssize_t n = fd < 0 ? -1 : read(fd, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof(magic) && memcmp(magic, PROF_MAGIC, sizeof(magic)) == 0;
}
