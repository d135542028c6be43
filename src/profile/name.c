/*
 * name.c - expands the pattern of the profile's file name.
 *
 * It runs in the profiled process before anything else, and possibly in the child of a
 * fork, so it uses neither stdio nor anything that could lock.
 */
#include "config.h"

#include "src/profile/name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_BYTES = 100 };

struct out {
	char *text;
	size_t bytes;
	size_t used; /* exceeds bytes when the text does not fit */
};

static void put(struct out *o, char c)
{
	if (o->used < o->bytes)
		o->text[o->used] = c;
	o->used++;
}

/* How many bytes of s are kept: no UTF-8 character is cut. */
static size_t field_length(const char *s)
{
	size_t n = strnlen(s, FIELD_BYTES + 1);

	if (n <= FIELD_BYTES)
		return n;
	n = FIELD_BYTES;
	while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void put_field(struct out *o, const char *s, const char *otherwise)
{
	size_t n;

	if (!s || !*s)
		s = otherwise;
	n = field_length(s);
	for (size_t i = 0; i < n; i++)
		put(o, s[i] == '/' ? '_' : s[i]);
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void put_number(struct out *o, uint32_t n)
{
	char digits[12];
	size_t i = sizeof(digits) - 1;

	digits[i] = '\0';
	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	put_field(o, digits + i, "");
}

static int put_directive(struct out *o, char directive, const struct prof_name *f)
{
	switch (directive) {
	case 'c': put_field(o, base_name(f->command), "unknown"); return 0;
	case 'h': put_field(o, f->host, "unknown"); return 0;
	case 'p': put_number(o, f->pid); return 0;
	case 'r': put_field(o, f->rank, "none"); return 0;
	case '%': put(o, '%'); return 0;
	}
	return -EINVAL;
}

int prof_name_expand(char *out, size_t bytes, const char *pattern, const struct prof_name *fields)
{
	struct out o = { .text = out, .bytes = bytes };
	int ret = *pattern ? 0 : -EINVAL;

	for (const char *p = pattern; *p && ret == 0; p++) {
		if (*p == '%')
			ret = put_directive(&o, *++p, fields);
		else
			put(&o, *p);
		if (ret)
			break;
	}
	if (ret == 0 && o.used >= bytes)
		ret = -ENAMETOOLONG;
	if (bytes > 0)
		out[ret == 0 ? o.used : 0] = '\0';
	return ret == 0 ? (int)o.used : ret;
}

const char *prof_rank(void)
{
	static const char *const variables[] = {
		"PMI_RANK",   "PMIX_RANK",   "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK",
		"MPI_RANKID", "PALS_RANKID", "SLURM_PROCID",
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

int prof_name_tag(char *out, size_t bytes, const char *path, const char *tag)
{
	const size_t suffix = sizeof(PROF_NAME_SUFFIX) - 1;
	size_t stem = strlen(path), tail = 0;

	if (stem > suffix && strcmp(path + stem - suffix, PROF_NAME_SUFFIX) == 0) {
		stem -= suffix;
		tail = suffix;
	}
	if (stem + strlen(tag) + tail >= bytes)
		return -ENAMETOOLONG;
	memcpy(out, path, stem);
	memcpy(out + stem, tag, strlen(tag));
	memcpy(out + stem + strlen(tag), path + stem, tail + 1);
	return 0;
}
