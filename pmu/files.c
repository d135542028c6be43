/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int pmu_file_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	size_t length = 0;

	text[0] = 0;
	if (fd < 0)
		return -errno;
	while (length < size - 1) {
		ssize_t got = read(fd, text + length, size - 1 - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			error = -errno;
		if (got <= 0)
			break;
		length += (size_t)got;
	}
	close(fd);
	if (error)
		length = 0;
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = 0;
	return error ? error : (int)length;
}

long pmu_file_number(const char *path, long fallback)
{
	char text[32], *end;
	long number;

	if (pmu_file_text(path, text, sizeof(text)) <= 0)
		return fallback;
	number = strtol(text, &end, 10);
	return end == text ? fallback : number;
}

unsigned long long pmu_status_field(const char *name, int base, unsigned long long fallback)
{
	char text[4096];
	const char *line = text;

	if (pmu_file_text("/proc/self/status", text, sizeof(text)) <= 0)
		return fallback;
	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, strlen(name)))
			return strtoull(line + strlen(name), NULL, base);
	}
	return fallback;
}
