/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_name.c - compared byte by byte, since the C library's functions may not be called. */
#include "config.h"

#include "src/toolchain/runtime_name.h"

struct runtime_text {
	const char *at;
	size_t bytes;
};

static bool begins_with(struct runtime_text t, const char *s)
{
	size_t i = 0;

	while (i < t.bytes && s[i] && t.at[i] == s[i])
		i++;
	return !s[i];
}

static bool runtime_name_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether NAME.so… , NAME5.so, NAME-HASH.so… and the like. */
static bool is_library(struct runtime_text t, const char *name)
{
	size_t n = 0;

	if (!begins_with(t, name))
		return false;
	while (name[n])
		n++;
	if (n < t.bytes && runtime_name_is_letter(t.at[n]))
		return false;
	for (; n < t.bytes; n++)
		if (begins_with((struct runtime_text){ t.at + n, t.bytes - n }, ".so"))
			return true;
	return false;
}

bool prof_is_runtime_name(const char *path, size_t bytes)
{
	static const char names[][16] = {
		"libgomp",
		"libomp",
		"libiomp",
		"libomptarget",
		"libtarget",
		"libnvomp",
		"libcraymp",
		"libomphwc-gomp",
		"libfjomp",
		"libxlsmp",
		"libmtsk",
		/* Fujitsu's for clang and Fortran, MPC's, Cray's beside libcraymp */
		"libfjomphk",
		"libfjompcrt",
		"libmpcomp",
		"libu",
	};
	struct runtime_text base = { path, bytes };

	for (size_t i = 0; i < bytes; i++)
		if (path[i] == '/')
			base = (struct runtime_text){ path + i + 1, bytes - i - 1 };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_library(base, names[i]))
			return true;
	return false;
}
