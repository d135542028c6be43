#include "config.h"

#include "src/tables/callee_lines.h"

#include "src/tables/tables.h"
#include "src/tables/user_line.h"
#include "src/view/view.h"

static bool line_key(const struct view *v, const struct view_record *r, void *lines,
		     struct table_key_pair *key)
{
	const struct user_line is = user_line_of(lines, r, false);

	(void)v;
	key->a = is.line;
	key->b = is.callee != 0;
	return true;
}

int callee_lines_build(const struct view *v, struct table *t)
{
	struct user_lines lines;
	int err = user_lines_init(&lines, v);

	if (!err)
		err = table_build_of(v, line_key, &lines, t);
	user_lines_fini(&lines);
	return err;
}
