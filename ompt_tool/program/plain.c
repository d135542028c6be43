/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ompt_tool/program/bears.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* With the separators that the loader accepts in it. */
static const char preload_name[] = "LD_PRELOAD=", separators[] = " :";

enum { PATH_BYTES = 512, NAME_BYTES = sizeof(preload_name) - 1 };

static bool is_preload(const char *entry)
{
	return strncmp(entry, preload_name, NAME_BYTES) == 0;
}

static bool ends_as(const char *item, size_t bytes, const char *name)
{
	const size_t n = strlen(name);

	return bytes >= n && memcmp(item + bytes - n, name, n) == 0 &&
	       (bytes == n || item[bytes - n - 1] == '/');
}

static bool is_listed(const char *list, const char *item, size_t bytes)
{
	while (*list != '\0') {
		const size_t n = strcspn(list, ":");

		if (n == bytes && n != 0 && memcmp(list, item, n) == 0)
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

static bool is_ours(const char *added, const char *item, size_t bytes)
{
	return is_listed(added, item, bytes) || ends_as(item, bytes, "libomphwc.so") ||
	       ends_as(item, bytes, "libomphwc_heap.so") ||
	       ends_as(item, bytes, "libomphwc-gomp.so");
}

static const char *list_of_added(char *const envp[])
{
	static const char name[] = "OMPHWC_ADDED=";

	for (; envp && *envp; envp++)
		if (strncmp(*envp, name, sizeof(name) - 1) == 0)
			return *envp + sizeof(name) - 1;
	return "";
}

/* Copies entry without our items; each other item keeps the separator before it. False:
   all items were ours. */
static bool write_others(char *to, const char *entry, const char *added)
{
	const char *item = entry + NAME_BYTES;
	bool any = false, ours = false;
	char before = '\0';

	to = (char *)memcpy(to, entry, NAME_BYTES) + NAME_BYTES;
	for (;;) {
		const size_t n = strcspn(item, separators);

		if (is_ours(added, item, n)) {
			ours = true;
		} else {
			if (any)
				*to++ = before;
			memcpy(to, item, n);
			to += n;
			any = true;
		}
		before = item[n];
		if (before == '\0')
			break;
		item += n + 1;
	}
	*to = '\0';
	return any || !ours;
}

/* Whether a program would find the library; it counts as found where its name is too long. */
static bool is_there(const char *item, size_t bytes)
{
	char path[PATH_BYTES];

	if (*item != '/' || bytes >= sizeof(path))
		return true;
	memcpy(path, item, bytes);
	path[bytes] = '\0';
	return faccessat(AT_FDCWD, path, F_OK, 0) == 0;
}

bool program_reaches(char *const envp[])
{
	const char *const added = list_of_added(envp);
	const int saved = errno;
	bool all = true;

	while (envp && *envp && !is_preload(*envp))
		envp++;
	if (!envp || !*envp)
		return true;
	for (const char *item = *envp + NAME_BYTES; *item != '\0' && all;) {
		const size_t n = strcspn(item, separators);

		all = !is_ours(added, item, n) || is_there(item, n);
		item += n + (item[n] != '\0');
	}
	errno = saved;
	return all;
}

size_t program_plain_bytes(char *const envp[])
{
	size_t bytes = sizeof(char *);

	for (; envp && *envp; envp++) {
		bytes += sizeof(char *);
		if (is_preload(*envp))
			bytes += strlen(*envp) + 1;
	}
	return bytes;
}

char **program_plain_env(char *const envp[], void *memory, size_t bytes)
{
	const char *added = list_of_added(envp);
	char **list = memory, *text;
	size_t n = 0;

	if (bytes < program_plain_bytes(envp))
		return NULL;
	while (envp && envp[n])
		n++;
	text = (char *)(list + n + 1);
	n = 0;
	for (; envp && *envp; envp++) {
		if (!is_preload(*envp)) {
			list[n++] = *envp;
		} else if (write_others(text, *envp, added)) {
			list[n++] = text;
			text += strlen(text) + 1;
		}
	}
	list[n] = NULL;
	return list;
}
