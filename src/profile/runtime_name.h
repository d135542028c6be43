/*
 * runtime_name.h - recognises an OpenMP runtime by the name of its file.
 *
 * GCC's, LLVM's, Intel's, Arm's, NVIDIA's, Fujitsu's, Cray's, IBM's and Oracle's runtimes, their
 * offloading libraries, the copies that Python wheels and R packages bring under names with a
 * hash (libgomp-a34b3233.so.1.0.0), and our producer for libgomp. Async-signal-safe.
 */
#ifndef OMPHWC_SRC_PROFILE_RUNTIME_NAME_H
#define OMPHWC_SRC_PROFILE_RUNTIME_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the name goes on after prefix as a library's does: libomp.so.5, libomp-14.so,
   libiomp5.so; not libomphwc.so. */
static inline bool runtime_name_begins(const char *name, size_t bytes, const char *prefix)
{
	size_t n = 0;

	for (; prefix[n] != '\0'; n++)
		if (n == bytes || name[n] != prefix[n])
			return false;
	return n < bytes && (name[n] == '.' || name[n] == '-' || name[n] == '_' ||
			     (name[n] >= '0' && name[n] <= '9'));
}

/* path: a file's path of that many bytes, without the terminating 0. */
static inline bool runtime_name_is(const char *path, size_t bytes)
{
	static const char *const prefixes[] = {
		"libgomp",  "libomp",	 "libiomp",  "libomptarget", "libnvomp",
		"libfjomp", "libcraymp", "libxlsmp", "libmtsk",	     "libomphwc-gomp",
	};
	size_t base = bytes;

	while (base > 0 && path[base - 1] != '/')
		base--;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (runtime_name_begins(path + base, bytes - base, prefixes[i]))
			return true;
	return false;
}

#endif
