/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/filter/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/base/shorten.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

static enum pattern_level levels_better(enum pattern_level a, enum pattern_level b)
{
	return a > b ? a : b;
}

enum pattern_level function_level(const struct function *f, const char *pattern)
{
	enum pattern_level level;
	char *label;

	if (match_function(f, pattern))
		return PATTERN_EXACT;
	label = label_function(f);
	/* A part of the place is no part of the name. */
	level = pattern_matches(pattern, label) || shorten_matches(pattern, label) ||
				shorten_matches(pattern, f->name) ?
			PATTERN_WHOLE :
			pattern_level(pattern, f->name);
	free(label);
	return level;
}

enum pattern_level file_level(const char *path, const char *pattern)
{
	if (match_file(path, pattern))
		return PATTERN_EXACT;
	return pattern_level(pattern, strchr(pattern, '/') ? path : path_base(path));
}

/* "/home/me/jacobi.c:26", and its end from the last component. */
static enum pattern_level region_file_level(const struct line *l, const char *pattern)
{
	enum pattern_level level;
	char *s;

	if (!l->file || !l->line)
		return PATTERN_NONE;
	if (match_file(l->file, pattern))
		return PATTERN_EXACT;
	s = alloc_printf("%s:%u", l->file, l->line);
	level = match_file(s, pattern) ? PATTERN_EXACT :
					 levels_better(pattern_level(pattern, s),
						       pattern_level(pattern, path_base(s)));
	free(s);
	return level;
}

static enum pattern_level region_function_level(const struct view *v, const struct line *l,
						const char *pattern)
{
	const struct function *f = &v->names.functions[l->function];
	enum pattern_level level;
	char *s;

	if (!f->name)
		return PATTERN_NONE;
	if (match_function(f, pattern))
		return PATTERN_EXACT;
	s = alloc_printf("%s:%u", f->name, l->line);
	level = levels_better(pattern_level(pattern, f->name), pattern_level(pattern, s));
	if (level < PATTERN_WHOLE && shorten_matches(pattern, s))
		level = PATTERN_WHOLE;
	free(s);
	return level;
}

enum pattern_level region_level(const struct view *v, uint32_t region, const char *pattern)
{
	const struct line *l = &v->names.lines[v->regions[region].line];
	char *label = region_label_of(v, region);
	enum pattern_level level = pattern_level(pattern, label);

	if (level < PATTERN_WHOLE && shorten_matches(pattern, label))
		level = PATTERN_WHOLE;
	free(label);
	if (region < REGION_SPECIALS)
		return level;
	return levels_better(level, levels_better(region_file_level(l, pattern),
						  region_function_level(v, l, pattern)));
}

enum pattern_level module_level(const char *module, const char *pattern)
{
	const char *base = path_base(module), *wanted = path_base(pattern);
	const char *end = strstr(base, ".so");
	const size_t stem = end ? (size_t)(end - base) : strlen(base);

	if (stem && strlen(wanted) == stem && !strncmp(base, wanted, stem))
		return PATTERN_EXACT;
	return pattern_level(wanted, base);
}
