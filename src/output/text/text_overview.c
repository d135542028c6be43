/*
 * text_overview.c - a report that fits the screen: the head, the regions, the top of the call
 * tree, and where to begin.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "src/output/fold.h"
#include "src/output/output.h"
#include "src/output/text/text.h"

enum {
	LEAST = 2,    /* rows of a table */
	ROOMY = 10,   /* rows of both tables that findings leave */
	OTHERS = 6,   /* lines: the prompt, the hint, a title, three blank ones */
	TITLES = 2,   /* of the regions, with that of what is summed up */
	WIDE = 75,    /* columns that the long hint has */
	REGIONS = 40, /* percent of the rows that regions may take */
};

/* A part of the report, and the lines that it takes. */
struct part {
	char *text;
	size_t lines;
};

static int part_print(const struct text *t, struct part *part,
		      int (*print)(const struct text *, size_t rows), size_t rows)
{
	struct text to = *t;
	size_t size;
	int err;

	to.out = open_memstream(&part->text, &size);
	if (!to.out)
		return -ENOMEM;
	err = print(&to, rows);
	if (fclose(to.out))
		err = -ENOMEM;
	part->lines = err ? 0 : fold_lines(part->text);
	return err;
}

static int print_head(const struct text *t, size_t rows)
{
	(void)rows;
	return text_head(t);
}

static int print_findings(const struct text *t, size_t rows)
{
	(void)rows;
	return text_folded(t, text_findings);
}

static int print_regions(const struct text *t, size_t rows)
{
	struct text some = *t;

	some.rows_max = rows;
	return text_folded(&some, text_regions);
}

static void hint(const struct text *t)
{
	text_paint(t, PAINT_FAINT);
	fputs(t->report->columns < WIDE ?
		      "\nall of it: --by region, path, ...; ompcount view" :
		      "\nall of it: --by region, function, line, path, ...; ompcount view PROFILE",
	      t->out);
	text_paint(t, PAINT_PLAIN);
	putc('\n', t->out);
}

static size_t at_least(size_t screen, size_t used)
{
	return screen > used + LEAST ? screen - used : LEAST;
}

static int overview(const struct text *t, struct part *head, struct part *findings,
		    struct part *regions)
{
	const size_t screen = t->report->rows;
	int err = part_print(t, head, print_head, 0);

	if (!err)
		err = part_print(t, findings, print_findings, 0);
	if (err)
		return err;
	if (OTHERS + TITLES + ROOMY + head->lines + findings->lines > screen)
		findings->lines = 0;
	const size_t used = OTHERS + head->lines + findings->lines;
	const size_t some = at_least(screen, used + TITLES) * REGIONS / 100;

	err = part_print(t, regions, print_regions, some > LEAST ? some : LEAST);
	if (err)
		return err;
	fprintf(t->out, "%s\n%s\n", head->text, regions->text);
	err = text_top_paths(t, at_least(screen, used + regions->lines));
	if (!err && findings->lines)
		fputs(findings->text, t->out);
	hint(t);
	return err;
}

int text_overview(const struct text *t)
{
	struct part head = { 0 }, findings = { 0 }, regions = { 0 };
	const int err = overview(t, &head, &findings, &regions);

	free(head.text);
	free(findings.text);
	free(regions.text);
	return err;
}
