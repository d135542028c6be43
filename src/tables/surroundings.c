/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/surroundings.h"

#include <stddef.h>
#include <string.h>

#include "src/profile/digits.h"
#include "src/profile/reader/reader.h"

/* Reads n decimal numbers with a space between any two. */
static bool numbers(const char *text, uint64_t *to, size_t n)
{
	for (size_t i = 0; i < n && text; i++) {
		text = digits_get(text + (i && *text == ' '), &to[i], 10);
		if (text && i + 1 < n && *text != ' ')
			return false;
	}
	return text ? true : false;
}

void surroundings_quota(const struct prof_file *f, struct surroundings_quota *q)
{
	uint64_t quota[2], throttled[3];

	*q = (struct surroundings_quota){ 0 };
	if (!numbers(prof_text(f, PROF_INFO_QUOTA), quota, 2) || !quota[1] ||
	    !numbers(prof_text(f, PROF_INFO_THROTTLED), throttled, 3))
		return;
	q->cpus = (double)quota[0] / (double)quota[1];
	q->periods = throttled[1];
	q->throttled = throttled[2];
	q->throttled_ns = throttled[0];
}

void surroundings_usage(const struct prof_file *f, struct surroundings_usage *u)
{
	uint64_t n[7];

	*u = (struct surroundings_usage){ 0 };
	if (!numbers(prof_text(f, PROF_INFO_USAGE), n, 7))
		return;
	*u = (struct surroundings_usage){ true, n[0], n[1], n[2], n[3], n[4], n[5], n[6] };
}

const char *surroundings_worker_cpus(const struct prof_file *f)
{
	return prof_text(f, PROF_INFO_WORKER_CPUS);
}

uint32_t surroundings_runtimes(const struct prof_file *f)
{
	uint32_t n = 0;

	for (size_t at = 0; prof_text_next(f, PROF_INFO_RUNTIME, &at);)
		n++;
	return n;
}

const char *surroundings_setting(const struct prof_file *f, const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_ENV && f->texts[i].bytes > n &&
		    !strncmp(f->texts[i].text, name, n) && f->texts[i].text[n] == '=')
			return f->texts[i].text;
	return NULL;
}
