/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * name.c - expands the pattern of the profile's file name.
 *
 * It runs in the profiled process before anything else, and possibly in the child of a
 * fork, so it uses neither stdio nor anything that could lock.
 */
#include "config.h"

#include "src/profile/name.h"

#include <errno.h>
#include <string.h>

#include "src/profile/digits.h"

enum {
	FIELD_BYTES = 100,
	VARIABLE_BYTES = 128, /* of a variable's name */
	DAY_S = 86400,
};

struct out {
	char *text;
	size_t bytes;
	size_t used; /* exceeds bytes when the text does not fit */
	bool again;  /* the text will be expanded again: a % of a field is doubled */
};

static void name_put(struct out *o, char c)
{
	if (o->used < o->bytes)
		o->text[o->used] = c;
	o->used++;
}

static void put_char(struct out *o, char c)
{
	if (c == '%' && o->again)
		name_put(o, c);
	name_put(o, (unsigned char)c < ' ' || c == 0x7f ? '_' : c);
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

/* No value is a folder above, nor hides the file or folder that it begins. */
static int put_field(struct out *o, const char *s, const char *otherwise)
{
	size_t n;

	if (!s || !*s)
		s = otherwise;
	n = field_length(s);
	for (size_t i = 0; i < n; i++)
		put_char(o, s[i] == '/' || (i == 0 && *s == '.') ? '_' : s[i]);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static int put_pid(struct out *o, const struct prof_name *f)
{
	if (!f->later) {
		char digits[DIGITS_MAX + 1];

		const uint64_t n = f->pid;

		*digits_put(digits, n, 10) = '\0';
		return put_field(o, digits, "");
	}
	name_put(o, '%');
	name_put(o, 'p');
	return 0;
}

static int put_rank_if_any(struct out *o, const char *rank)
{
	if (!*rank)
		return 0;
	name_put(o, '.');
	return put_field(o, rank, "");
}

/* ---- the time ---------------------------------------------------------- */

static bool is_leap(uint64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static void put_two(struct out *o, uint64_t n)
{
	name_put(o, (char)('0' + n / 10 % 10));
	name_put(o, (char)('0' + n % 10));
}

/* gmtime_r() may read files. */
static int put_time(struct out *o, uint64_t time_s)
{
	static const unsigned char lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	uint64_t day = time_s / DAY_S, year = 1970, month = 0, n;

	if (day > 366 * 8000) /* no such time */
		day = 0;
	for (; day >= (n = is_leap(year) ? 366 : 365); year++)
		day -= n;
	for (; day >= (n = lengths[month] + (month == 1 && is_leap(year))); month++)
		day -= n;
	put_two(o, year / 100);
	put_two(o, year);
	put_two(o, month + 1);
	put_two(o, day + 1);
	name_put(o, 'T');
	put_two(o, time_s % DAY_S / 3600);
	put_two(o, time_s % 3600 / 60);
	put_two(o, time_s % 60);
	name_put(o, 'Z');
	return 0;
}

/* ---- variables --------------------------------------------------------- */

static bool is_of_name(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

/* Copies the name in {NAME}, at p; returns the position of its end's brace, or NULL. */
static const char *name_read_name(const char *p, char name[VARIABLE_BYTES])
{
	size_t n = 0;

	if (*p++ != '{')
		return NULL;
	for (; n < VARIABLE_BYTES - 1 && is_of_name(*p, n == 0); p++)
		name[n++] = *p;
	name[n] = '\0';
	return n > 0 && *p == '}' ? p : NULL;
}

static const char *name_value_of(prof_variable *variable, const char *name)
{
	const char *value = variable ? variable(name) : NULL;

	return value && *value ? value : NULL;
}

static int put_variable(struct out *o, const char **p, prof_variable *variable)
{
	char name[VARIABLE_BYTES];
	const char *end = name_read_name(*p, name), *value;

	if (!end)
		return -EINVAL;
	*p = end;
	value = name_value_of(variable, name);
	if (!value)
		return put_field(o, NULL, "none");
	for (; *value; value++)
		put_char(o, *value);
	return 0;
}

/* The value that a directive stands for; NULL: none, or it is another kind of directive. */
static const char *value_at(const char *directive, prof_variable *variable)
{
	char name[VARIABLE_BYTES];

	if (!name_read_name(directive + (*directive == 'q'), name))
		return NULL;
	return name_value_of(variable, name);
}

bool prof_name_is_set(const char *directive, prof_variable *variable)
{
	return value_at(directive, variable);
}

bool prof_name_is_shared(const char *pattern)
{
	for (const char *p = strchr(pattern, '%'); p && p[1] != '\0'; p = strchr(p + 2, '%'))
		if (strchr("prRlq{", p[1]))
			return false;
	return true;
}

bool prof_name_is_absolute(const char *pattern, prof_variable *variable)
{
	const char *value = *pattern == '%' ? value_at(pattern + 1, variable) : pattern;

	return value && *value == '/';
}

/* ---- all --------------------------------------------------------------- */

static int put_percent(struct out *o)
{
	put_char(o, '%');
	return 0;
}

/* *p: the letter after the percent sign; it is advanced to the directive's last character. */
static int put_directive(struct out *o, const char **p, const struct prof_name *f)
{
	static const struct prof_launch none;
	const struct prof_launch *l = f->launch ? f->launch : &none;

	switch (**p) {
	case 'c': return put_field(o, base_name(f->command), "unknown");
	case 'h': return put_field(o, f->host, "unknown");
	case 'p': return put_pid(o, f);
	case 't': return put_time(o, f->time_s);
	case 'r': return put_field(o, l->rank, "none");
	case 'R': return put_rank_if_any(o, l->rank);
	case 'l': return put_field(o, l->local_rank, "none");
	case 'j': return put_field(o, l->job, "none");
	case 'a': return put_field(o, l->array_task, "none");
	case 's': return put_field(o, l->step, "none");
	case 'q': ++*p; return put_variable(o, p, f->variable);
	case '{': return put_variable(o, p, f->variable);
	case '%': return put_percent(o);
	}
	return -EINVAL;
}

int prof_name_expand(char *out, size_t bytes, const char *pattern, const struct prof_name *fields)
{
	struct out o = { .text = out, .bytes = bytes, .again = fields->later };
	int ret = *pattern ? 0 : -EINVAL;

	for (const char *p = pattern; *p && ret == 0; p++) {
		if (*p == '%') {
			p++;
			ret = put_directive(&o, &p, fields);
		} else {
			name_put(&o, *p);
		}
		if (ret)
			break;
	}
	if (ret == 0 && o.used >= bytes)
		ret = -ENAMETOOLONG;
	if (bytes > 0)
		out[ret == 0 ? o.used : 0] = '\0';
	return ret == 0 ? (int)o.used : ret;
}

static void append_number(char *out, uint32_t n)
{
	*digits_put(out + strlen(out), n, 10) = '\0';
}

/* A requeued job is another run than the one before. */
void prof_name_folder(char out[PROF_NAME_DEFAULT_BYTES], const struct prof_launch *l, uint32_t run)
{
	out[0] = '\0';
	if (l->job[0] == '\0')
		return;
	strcpy(out, "omphwc.%j");
	if (l->array_task[0] != '\0')
		strcat(out, "_%a");
	if (l->restart[0] != '\0')
		strcat(strcat(out, ".restart"), l->restart);
	if (run != 0)
		append_number(strcat(out, ".run"), run);
	else if (l->step[0] != '\0')
		strcat(out, ".%s");
}

void prof_name_default(char out[PROF_NAME_DEFAULT_BYTES], const struct prof_launch *l)
{
	prof_name_folder(out, l, 0);
	strcat(out, out[0] != '\0' ? "/" PROF_NAME_OF_JOB : PROF_NAME_DEFAULT);
}

bool prof_name_has_suffix(const char *name)
{
	const size_t n = strlen(name), suffix = sizeof(PROF_NAME_SUFFIX) - 1;

	return n > suffix && strcmp(name + n - suffix, PROF_NAME_SUFFIX) == 0;
}

int prof_name_tag(char *out, size_t bytes, const char *path, const char *tag)
{
	const size_t tail = prof_name_has_suffix(path) ? sizeof(PROF_NAME_SUFFIX) - 1 : 0;
	const size_t stem = strlen(path) - tail;

	if (stem + strlen(tag) + tail >= bytes)
		return -ENAMETOOLONG;
	memcpy(out, path, stem);
	memcpy(out + stem, tag, strlen(tag));
	memcpy(out + stem + strlen(tag), path + stem, tail + 1);
	return 0;
}
