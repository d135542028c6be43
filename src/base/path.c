/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/base/path.h"

#include <stddef.h>
#include <string.h>

const char *path_base(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}
