/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_blocked_words.c - see finding_blocked_words.h. */
#include "config.h"

#include "src/output/finding_blocked_words.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/output/printable.h"
#include "src/tables/findings.h"
#include "src/tables/region_label.h"
#include "src/view/label.h"
#include "src/view/view.h"

char *finding_blocked_place(const struct view *v, const struct finding *f)
{
	char *line = label_line(&v->names, f->call_line), *s = NULL;

	if (!f->call) {
		s = alloc_printf("a system call at %s", line);
	} else {
		s = alloc_printf("%s%s, called at %s", f->call, strchr(f->call, '(') ? "" : "()",
				 line);
	}
	free(line);
	return s;
}

void finding_blocked_why(FILE *out, const struct view *v, const struct finding *f)
{
	char *region = region_label(v, f->special, f->line);
	char buf[FORMAT_BYTES], count[FORMAT_BYTES];

	if (f->pieces > 1)
		fprintf(out, "the largest of %s places; at all of them ",
			format_count(count, f->pieces));
	format_amount(buf, format_whole(f->most_ns), PROF_UNIT_NS);
	if (f->special == REGION_SERIAL) {
		fprintf(out,
			"the initial thread sleeps for %s outside of regions, where the others "
			"have no work meanwhile",
			buf);
	} else {
		fprintf(out, "threads sleep for %s in sum, in ", buf);
		format_short(out, region);
	}
	free(region);
}
