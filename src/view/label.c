/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/view/label.h"

#include <stdbool.h>
#include <stdio.h>
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
