/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/view/match.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/view/label.h"
#include "src/view/names.h"

/* The length of name without its arguments; operator() has parentheses of its own. */
static size_t match_bare(const char *name)
{
	const char *from = strstr(name, "operator()");
	const char *bracket = strchr(from ? from + strlen("operator()") : name, '(');

	return bracket && bracket != name ? (size_t)(bracket - name) : strlen(name);
}

/* Where the last scope ends; colons within template arguments do not count. */
static size_t match_scope(const char *name, size_t len)
{
	size_t start = 0, depth = 0;

	for (size_t i = 0; i + 1 < len; i++) {
		if (name[i] == '<')
			depth++;
		else if (name[i] == '>' && depth)
			depth--;
		else if (!depth && name[i] == ':' && name[i + 1] == ':')
			start = i + 2;
	}
	return start;
}

static bool match_part(const char *part, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(part, name, len);
}

/* The name as printed, with its place. */
static bool match_label(const struct function *f, const char *name)
{
	const size_t n = strlen(f->name);
	bool equal;
	char *label;

	if (strncmp(f->name, name, n) || name[n] != ' ')
		return false;
	label = label_function(f);
	equal = !strcmp(label, name);
	free(label);
	return equal;
}

bool match_function(const struct function *f, const char *name)
{
	size_t len, scope;

	if (!f->name || !*name)
		return false;
	len = match_bare(f->name);
	scope = match_scope(f->name, len);
	return !strcmp(f->name, name) || (f->linkage && !strcmp(f->linkage, name)) ||
	       match_part(f->name, len, name) || match_part(f->name + scope, len - scope, name) ||
	       match_label(f, name);
}

bool match_file(const char *path, const char *name)
{
	size_t p, n;

	if (!path || !*name)
		return false;
	p = strlen(path);
	n = strlen(name);
	return n <= p && !strcmp(path + p - n, name) && (n == p || path[p - n - 1] == '/');
}
