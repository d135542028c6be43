/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/tables/region_label.h"

#include "src/base/alloc.h"
#include "src/base/path.h"
#include "src/tables/regions.h"
#include "src/view/view.h"

char *region_label(const struct view *v, uint32_t special, uint32_t line)
{
	const struct line *l = &v->names.lines[line];
	const char *function = v->names.functions[l->function].name;
	char *s;

	if (special != REGION_SPECIALS)
		s = alloc_printf("%s", region_special_name(special));
	else if (l->line && l->place)
		s = alloc_printf("%s:%u (%s), %s", function, l->line,
				 l->file ? path_base(l->file) : "?", l->place);
	else if (l->line)
		s = alloc_printf("%s:%u (%s)", function, l->line,
				 l->file ? path_base(l->file) : "?");
	else if (l->place)
		s = alloc_printf("%s (%s)", function, l->place);
	else
		s = alloc_printf("%s", function ? function : "(unknown)");
	return s;
}

char *region_label_of(const struct view *v, uint32_t region)
{
	return region_label(v, region < REGION_SPECIALS ? region : REGION_SPECIALS,
			    v->regions[region].line);
}
