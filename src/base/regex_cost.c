/* regex_cost.c - counts the parts of a pattern when its counts are written out: "((a{9}){9}){9}"
   has some 800. */
#include "config.h"

#include "src/base/regex_cost.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { REGEX_BYTES_MOST = 1000, REGEX_PARTS_MOST = 1000 };

/* A part, and the group that is open around it. */
struct parts {
	uint32_t all[REGEX_BYTES_MOST + 1]; /* of each open group */
	size_t depth;
	uint32_t last; /* of the last atom or group */
};

static uint32_t parts_limited(uint64_t n)
{
	return n > REGEX_PARTS_MOST ? REGEX_PARTS_MOST + 1 : (uint32_t)n;
}

static void parts_add(struct parts *p, uint32_t last)
{
	p->last = parts_limited(last);
	p->all[p->depth] = parts_limited((uint64_t)p->all[p->depth] + last);
}

/* The last part comes times as often as it did. */
static void parts_repeat(struct parts *p, unsigned long times)
{
	const uint32_t more = parts_limited((uint64_t)p->last *
					    (times > REGEX_PARTS_MOST ? REGEX_PARTS_MOST : times));

	p->all[p->depth] = parts_limited((uint64_t)p->all[p->depth] + more);
	p->last = parts_limited((uint64_t)p->last + more);
}

/* The larger count of "{2,9}"; the end of it in *end. */
static unsigned long regex_count(const char *s, char **end)
{
	const unsigned long least = strtoul(s + 1, end, 10);
	const unsigned long most = **end == ',' ? strtoul(*end + 1, end, 10) : 0;

	return most > least ? most : least;
}

/* The end of "[...]", in which nothing is special. */
static const char *regex_set_end(const char *s)
{
	s += s[1] == '^' ? 2 : 1;
	s += *s == ']';
	while (*s && *s != ']')
		s++;
	return *s ? s : s - 1;
}

static void parts_open(struct parts *p)
{
	p->all[++p->depth] = 0;
	p->last = 0;
}

static void parts_close(struct parts *p)
{
	const uint32_t group = p->all[p->depth--];

	parts_add(p, group + 1);
}

/* Adds what is at s; where it ends. */
static const char *parts_next(struct parts *p, const char *s)
{
	char *end;

	if (*s == '(') {
		parts_open(p);
	} else if (*s == ')' && p->depth) {
		parts_close(p);
	} else if (*s == '{' && s[1] >= '0' && s[1] <= '9') {
		parts_repeat(p, regex_count(s, &end));
		return *end ? end : end - 1;
	} else if (*s == '+') {
		parts_repeat(p, 1);
	} else {
		s = *s == '[' ? regex_set_end(s) : *s == '\\' && s[1] ? s + 1 : s;
		parts_add(p, 1);
	}
	return s;
}

const char *regex_refused(const char *pattern)
{
	struct parts p = { .depth = 0 };

	if (strlen(pattern) > REGEX_BYTES_MOST)
		return "too long a pattern";
	for (const char *s = pattern; *s; s++) {
		if (*s == '\\' && s[1] >= '1' && s[1] <= '9')
			return "back references are not supported";
		s = parts_next(&p, s);
	}
	while (p.depth)
		parts_close(&p);
	return p.all[0] > REGEX_PARTS_MOST ? "its counts multiply to too large a pattern" : NULL;
}
