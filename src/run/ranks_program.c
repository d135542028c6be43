/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks_program.c - launchers have hundreds of options, so nothing depends on what is found. */
#include "config.h"

#include "src/run/ranks_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/profile/starter.h"
#include "src/run/target.h"

bool starts_ranks(const char *path)
{
	char real[PATH_MAX];

	return prof_is_starter(path) || (realpath(path, real) && prof_is_starter(real));
}

bool ranks_program_find(char *const *command, struct target *program)
{
	struct trouble t;

	for (size_t i = 1; command[0] && command[i]; i++) {
		const char *word = command[i];

		/* `-p batch': there is a program of that name. */
		if (*word == '-' || (command[i - 1][0] == '-' && !strchr(word, '/')))
			continue;
		if (target_find(program, word, &t) == 0)
			return true;
	}
	return false;
}
