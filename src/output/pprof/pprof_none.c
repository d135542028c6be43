/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof_none.c - stands in for pprof.c where there is no protobuf-c or zlib. */
#include "config.h"

#include <errno.h>

#include "src/output/formats.h"

int pprof_write(FILE *out, const struct report *r)
{
	(void)out;
	(void)r;
	return -ENOTSUP;
}
