/* SPDX-License-Identifier: BSD-3-Clause */
/* select_path.c - records by the functions of their paths. */
#include "config.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "src/base/message.h"
#include "src/base/near.h"
#include "src/filter/select.h"
#include "src/view/view.h"

#include "src/base/alloc.h"

static int path_select(const struct view *v, const regex_t *regex, const char *option,
		       const char *value, bool wanted, bool *kept, struct trouble *t)
{
	/* Matches each function once. */
	bool *functions = alloc_zeroed(v->names.nfunctions + 1, sizeof(*functions));

	for (size_t i = 1; i < v->names.nfunctions; i++)
		functions[i] = v->names.functions[i].name &&
			       !regexec(regex, v->names.functions[i].name, 0, NULL, 0);
	bool any = false;
	/* By node, whether a function of its path matches; parents precede their children. */
	bool *nodes = alloc_zeroed(v->tree.n, sizeof(*nodes));

	for (size_t i = 1; i < v->tree.n; i++) {
		nodes[i] = nodes[v->tree.nodes[i].parent] || functions[v->tree.nodes[i].function];
		any = any || nodes[i];
	}
	int err = 0;

	if (!any) {
		struct near near;
		char todo[sizeof(t->todo)];

		near_init(&near, value);
		for (size_t i = 1; i < v->tree.n; i++)
			near_add(&near, v->names.functions[v->tree.nodes[i].function].name);
		near_text(&near, "see report --by function", todo, sizeof(todo));
		trouble(t, "no function of a path matches", todo, "%s %s", option, value);
		err = -ENOENT;
	}
	for (size_t i = 0; i < v->nrecords && !err; i++)
		kept[i] = kept[i] && nodes[v->records[i].node] == wanted;
	free(functions);
	free(nodes);
	return err;
}

static int path_regex(const struct view *v, const char *option, const char *value, bool wanted,
		      bool *kept, struct trouble *t)
{
	char why[sizeof(t->why)];
	regex_t regex;
	int err = regcomp(&regex, value, REG_EXTENDED | REG_NOSUB);

	if (err) {
		regerror(err, &regex, why, sizeof(why));
		trouble(t, why, "give an extended regular expression", "%s %s", option, value);
		return -EINVAL;
	}
	err = path_select(v, &regex, option, value, wanted, kept, t);
	regfree(&regex);
	return err;
}

int select_focus(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	return path_regex(v, "--focus", value, true, kept, t);
}

int select_ignore(const struct view *v, const char *value, bool *kept, struct trouble *t)
{
	return path_regex(v, "--ignore", value, false, kept, t);
}
