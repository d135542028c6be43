/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/model/descriptor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"

/* OPARI2's types of constructs that have another name. */
static const char *const names[][2] = {
	{ "parallelfor", "parallel for" },
	{ "paralleldo", "parallel do" },
	{ "parallelsections", "parallel sections" },
	{ "parallelworkshare", "parallel workshare" },
	{ "taskuntied", "task untied" },
	{ "userRegion", "region" },
};

static void take_text(char **to, const char *value)
{
	free(*to);
	*to = *value ? alloc_text(value) : NULL;
}

static uint32_t number_of(const char *value)
{
	char *end;

	errno = 0;
	const unsigned long n = strtoul(value, &end, 10);

	return *value >= '0' && *value <= '9' && !*end && !errno && n <= UINT32_MAX ? (uint32_t)n :
										      0;
}

static void take_name(struct descriptor *d, const char *value)
{
	take_text(&d->name, value);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(value, names[i][0]))
			take_text(&d->name, names[i][1]);
}

static void take_sub_name(struct descriptor *d, const char *value)
{
	take_text(&d->sub_name, value);
}

static void take_sections(struct descriptor *d, const char *value)
{
	d->sections = number_of(value);
}

/* FILE:FIRST:LAST, where the file's name may have colons, too. */
static void take_lines(struct descriptor *d, const char *value, uint32_t lines[2])
{
	char *copy = alloc_text(value), *last = strrchr(copy, ':'), *first = NULL;

	if (last) {
		*last = '\0';
		first = strrchr(copy, ':');
	}
	if (first) {
		*first = '\0';
		lines[0] = number_of(first + 1);
		lines[1] = number_of(last + 1);
		if (!d->file)
			take_text(&d->file, copy);
	}
	if (!lines[0] || lines[0] > lines[1])
		lines[0] = lines[1] = 0;
	free(copy);
}

static void take_begin(struct descriptor *d, const char *value)
{
	take_lines(d, value, d->begin);
}

static void take_end(struct descriptor *d, const char *value)
{
	take_lines(d, value, d->end);
}

static const struct {
	const char *key;
	void (*take)(struct descriptor *d, const char *value);
} keys[] = {
	{ "regionType", take_name },
	{ "sscl", take_begin },
	{ "escl", take_end },
	{ "numSections", take_sections },
	{ "criticalName", take_sub_name },
	{ "userRegionName", take_sub_name },
};

void descriptor_parse(struct descriptor *d, const char *text)
{
	char *copy = alloc_text(text), *rest = copy, *item;

	*d = (struct descriptor){ 0 };
	while ((item = strsep(&rest, "*"))) {
		char *value = strchr(item, '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (!strcmp(item, keys[i].key))
				keys[i].take(d, value);
	}
	free(copy);
}

void descriptor_free(struct descriptor *d)
{
	free(d->name);
	free(d->sub_name);
	free(d->file);
}

char *descriptor_label(const struct descriptor *d)
{
	const uint32_t first = d->begin[0], last = d->end[1];
	char *label;
	size_t bytes;
	FILE *out = alloc_stream(&label, &bytes);

	fputs(d->name ? d->name : "(unknown construct)", out);
	if (d->sub_name)
		fprintf(out, " (%s)", d->sub_name);
	if (d->sections)
		fprintf(out, " of %u", d->sections);
	if (d->file)
		fprintf(out, " %s", d->file);
	if (first)
		fprintf(out, ":%u", first);
	if (first && last > first)
		fprintf(out, "-%u", last);
	alloc_stream_end(out);
	return label;
}
