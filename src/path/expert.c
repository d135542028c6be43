/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/path/expert.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/alloc.h"
#include "src/base/map.h"
#include "src/view/names.h"

/* The construct that f is the body of; *before is the text that precedes it. */
static const char *expert_construct(const struct function *f, enum construct_kind what,
				    const char **before)
{
	*before = "";
	if (f->outlined == SYM_OUTLINED_HELPER)
		return "helper";
	if (what == CONSTRUCT_PARALLEL)
		return f->outlined == SYM_OUTLINED_TASK ? construct_name(CONSTRUCT_TASK) :
							  "parallel region";
	if (construct_is_loop(what) || what == CONSTRUCT_SECTIONS)
		*before = "parallel ";
	return construct_name(what);
}

/* The caller's line is that of the directive, unless the outlined function knows better;
   otherwise that one's line may be that of the brace after it. */
static char *expert_name(const struct names *n, const struct function *f, uint32_t user_line,
			 enum construct_kind what)
{
	const struct line *from = &n->lines[user_line];
	const char *origin = f->origin ? f->origin : n->functions[from->function].name;
	unsigned line = from->line && !f->directive ? from->line : f->line;
	const char *before, *construct = expert_construct(f, what, &before);
	char at[32] = "";
	char *name;

	if (line)
		snprintf(at, sizeof(at), " from line %u", line);
	name = alloc_printf("%s%sOMP %s%s%s [%s]", origin ? origin : "", origin ? " -- " : "",
			    before, construct, at, f->linkage ? f->linkage : f->name);
	return name;
}

uint32_t expert_function(struct names *n, struct map *known, uint32_t f, uint32_t user_line,
			 enum construct_kind what)
{
	const uint64_t key = (uint64_t)user_line << 8 | (uint64_t)what;
	struct function shown = n->functions[f];
	uint32_t id = map_get(known, f, key, 0);
	char *name;

	if (id)
		return id;
	name = expert_name(n, &n->functions[f], user_line, what);
	shown.name = name;
	id = names_function(n, &shown);
	free(name);
	map_add(known, f, key, id, &id);
	return id;
}
