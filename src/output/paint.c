/* SPDX-License-Identifier: BSD-3-Clause */
/* paint.c - see paint.h. */
#include "config.h"

#include "src/output/paint.h"

const char *paint_code(enum paint p)
{
	static const char *const codes[PAINTS] = {
		[PAINT_PLAIN] = "\033[m",      [PAINT_TITLE] = "\033[1m",
		[PAINT_STRONG] = "\033[1m",    [PAINT_FAINT] = "\033[2m",
		[PAINT_WORK] = "\033[32m",     [PAINT_WAIT] = "\033[31m",
		[PAINT_OVERHEAD] = "\033[33m", [PAINT_MPI] = "\033[35m",
		[PAINT_BLOCKED] = "\033[36m",
	};

	return codes[p];
}
