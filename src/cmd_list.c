/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_list.c - the command list: events that can be counted, and why others cannot.
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/catalog.h"
#include "src/base/grow.h"
#include "src/base/page.h"
#include "src/command_line.h"
#include "src/commands.h"

#include "src/base/alloc.h"

struct item {
	char *name;
	char *description;
	char *why; /* NULL: it can be counted */
	enum pmu_source source;
	bool shown;
};

struct items {
	struct item *item;
	size_t n;
	size_t room;
};

/* In the order of the catalog. */
static const struct group {
	enum pmu_source source;
	const char *title;
} groups[] = {
	{ PMU_SOURCE_CLOCK, "Clocks" },
	{ PMU_SOURCE_HARDWARE, "Hardware events" },
	{ PMU_SOURCE_CACHE, "Cache events" },
	{ PMU_SOURCE_SOFTWARE, "Software events" },
	{ PMU_SOURCE_SYSFS, "Events that the kernel describes in sysfs" },
	{ PMU_SOURCE_PFM, "Events of this processor, as libpfm4 names them" },
};

/* Names of unusable events are abbreviated beyond this number. */
enum { MANY = 60, NAME_COLUMN = 26 };

static int list_keep(const struct pmu_catalog_entry *e, void *arg)
{
	struct items *items = arg;
	const struct pmu_refusal *r = e->why_not;

	items->item = grow(items->item, items->n, &items->room, sizeof(*items->item));
	items->item[items->n++] = (struct item){
		.name = alloc_text(e->name),
		.description = alloc_text(e->description),
		.why = r ? alloc_printf("%s%s%s", r->why, *r->todo ? "; " : "", r->todo) : NULL,
		.source = e->source,
	};
	return 0;
}

static void list_drop(struct items *items)
{
	for (size_t i = 0; i < items->n; i++) {
		free(items->item[i].name);
		free(items->item[i].description);
		free(items->item[i].why);
	}
	free(items->item);
}

static bool same_reason(const struct item *a, const struct item *b)
{
	return !a->why == !b->why && (!a->why || !strcmp(a->why, b->why));
}

static void print_refused(struct items *items, struct item *first, bool all)
{
	size_t n = 0; /* items with the source and reason of first */
	int column = 0;

	for (size_t i = 0; i < items->n; i++)
		n += items->item[i].source == first->source && same_reason(&items->item[i], first);
	page_fold("cannot be sampled:", 2, &column);
	page_fold(first->why, 6, &column);
	putchar('\n');
	column = 0;
	if (n > MANY && !all)
		printf("    (%zu names; a PATTERN shows those that match)\n", n);
	for (size_t i = 0; i < items->n; i++) {
		struct item *it = &items->item[i];

		if (it->source != first->source || !same_reason(it, first))
			continue;
		it->shown = true;
		if (n <= MANY || all)
			page_fold(it->name, 4, &column);
	}
	if (column)
		putchar('\n');
}

static void list_print_group(struct items *items, const struct group *g, bool all)
{
	bool titled = false;

	for (size_t i = 0; i < items->n; i++) {
		struct item *it = &items->item[i];

		if (it->source != g->source || it->why)
			continue;
		if (!titled)
			printf("%s\n", g->title);
		titled = true;

		int column = printf("  %-*s", NAME_COLUMN, it->name);

		if (*it->description) {
			if (column > NAME_COLUMN + 2)
				column += printf("  ");
			page_fold(it->description, NAME_COLUMN + 2, &column);
		}
		putchar('\n');
	}
	for (size_t i = 0; i < items->n; i++) {
		struct item *it = &items->item[i];

		if (it->source != g->source || !it->why || it->shown)
			continue;
		if (!titled)
			printf("%s\n", g->title);
		titled = true;
		print_refused(items, it, all);
	}
	if (titled)
		putchar('\n');
}

static void print_syntax(void)
{
	puts("More names\n"
	     "  rNNN                      a raw code of this processor, in hexadecimal\n"
	     "  PMU/TERM=VALUE,.../       terms: /sys/bus/event_source/devices/PMU/format\n"
	     "\n"
	     "After a name: :u user code only (what a name alone means), :k the kernel only,\n"
	     ":uk both, :p :pp the exact instruction, where the processor can find it.\n"
	     "Several: -e cycles,cache-misses:uk");
}

static int list_help(void)
{
	puts("ompcount list [PATTERN]\n"
	     "\n"
	     "Lists the events that -e takes: those that can be counted here, and those that\n"
	     "cannot, with the reason.  PATTERN is a part of their names, or has * ? [ in it.\n"
	     "\n"
	     "  ompcount list miss\n"
	     "  ompcount list 'L1-*'");
	return page_end();
}

int cmd_list(int argc, char **argv)
{
	struct items items = { NULL, 0, 0 };
	const char *pattern;
	int error;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return list_help();
	if (argc > 1 && !strcmp(argv[1], "--")) {
		argv++;
		argc--;
	} else if (argc > 1 && argv[1][0] == '-') {
		return command_misused(argv[1], "no such option", "see ompcount list --help");
	}
	if (argc > 2)
		return command_misused(argv[2], "one pattern at a time",
				       "see ompcount list --help");
	pattern = argc > 1 ? argv[1] : NULL;
	error = pmu_catalog(pattern, list_keep, &items);
	if (error) {
		list_drop(&items);
		return command_fails("list", strerror(-error), NULL);
	}
	if (!items.n)
		return command_fails(pattern, "no event has such a name", "see ompcount list");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		list_print_group(&items, &groups[i], pattern);
	if (!pattern)
		print_syntax();
	list_drop(&items);
	return page_end();
}
