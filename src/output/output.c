/* output.c - the table of formats. */
#include "config.h"

#include "src/output/output.h"

#include <string.h>

#include "src/output/formats.h"

#define ALL ((1u << BYS) - 1)

static const struct output outputs[] = {
	{ .name = "text",
	  .summary = "for reading (default)",
	  .bys = ALL,
	  .by = BY_REGION,
	  .counts = true,
	  .write = text_write },
	{ .name = "html",
	  .summary = "a page for the browser; say -o FILE.html",
	  .bys = 1u << BY_REGION,
	  .by = BY_REGION,
	  .flames = true,
	  .not_on_terminal = true,
	  .write = html_write },
	{ .name = "json",
	  .summary = "everything, as doc/report.schema.json says",
	  .bys = ALL,
	  .by = BY_REGION,
	  .counts = true,
	  .write = json_write },
	{ .name = "folded",
	  .summary = "a line for each path, `outermost;...;leaf COUNT`, as flame graphs take it",
	  .bys = 1u << BY_PATH | 1u << BY_THREAD,
	  .by = BY_PATH,
	  .write = folded_write },
	{ .name = NULL },
};

static const char *const by_names[BYS] = {
	[BY_REGION] = "region",	      [BY_FUNCTION] = "function", [BY_LINE] = "line",
	[BY_PATH] = "path",	      [BY_THREAD] = "thread",	  [BY_STATE] = "state",
	[BY_CONSTRUCT] = "construct", [BY_ADDRESS] = "address",	  [BY_MODULE] = "module",
	[BY_FILE] = "file",	      [BY_BLAME] = "blame",	  [BY_CPU] = "cpu",
	[BY_TIME] = "time",
};

const struct output *output_all(void)
{
	return outputs;
}

const struct output *output_find(const char *name)
{
	for (const struct output *o = outputs; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

const char *output_by_name(enum output_by by)
{
	return by < BYS ? by_names[by] : "unknown";
}

int output_by_find(const char *name)
{
	for (int i = 0; i < BYS; i++)
		if (!strcmp(by_names[i], name))
			return i;
	return -1;
}
