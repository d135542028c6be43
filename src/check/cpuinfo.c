/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/check/cpuinfo.h"

#include <stdio.h>
#include <string.h>

bool cpuinfo(const char *name, char *value, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	bool found = false;
	char line[4096];

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, name, strlen(name)))
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = 0;
		snprintf(value, size, "%s", colon);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}
