/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/view/label.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/view/names.h"

/* Whether the name contains the module: "module+0x1234". */
static bool label_has_module(const struct function *f)
{
	const char *base = path_base(f->module);
	size_t n = strlen(base);

	return f->name && strncmp(f->name, base, n) == 0 && f->name[n] == '+';
}

char *label_function(const struct function *f)
{
	char *s;

	if (f->file && f->line)
		s = alloc_printf("%s (%s:%u)", f->name, path_base(f->file), f->line);
	else if (f->file)
		s = alloc_printf("%s (%s)", f->name, path_base(f->file));
	else if (f->module && !label_has_module(f))
		s = alloc_printf("%s [%s]", f->name, path_base(f->module));
	else
		s = alloc_printf("%s", f->name ? f->name : "(no function)");
	return s;
}

char *label_line(const struct names *names, uint32_t line)
{
	const struct line *l = &names->lines[line];
	const struct function *f = &names->functions[l->function];
	char *s;

	if (l->place)
		s = alloc_printf("%s (%s)", f->name, l->place);
	else if (l->line)
		s = alloc_printf("%s (%s:%u)", f->name, l->file ? path_base(l->file) : "?",
				 l->line);
	else if (l->function)
		return label_function(f);
	else
		s = alloc_printf("(no line)");
	return s;
}

/* ---- what a user typed ----------------------------------------------- */

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
