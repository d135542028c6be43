/* output.c - the table of formats. */
#include "config.h"

#include "src/output/output.h"

#include <string.h>

#include "src/output/formats.h"

#define ALL ((1u << BYS) - 1)

static const struct output outputs[] = {
	{ "text", "for reading (default)", ALL, BY_REGION, true, text_write },
	{ "json", "everything, as doc/report.schema.json says", ALL, BY_REGION, true, json_write },
	{ "folded", "a line for each path, `outermost;...;leaf COUNT`, as flame graphs take it",
	  1u << BY_PATH | 1u << BY_THREAD, BY_PATH, false, folded_write },
	{ NULL, NULL, 0, BY_REGION, false, NULL },
};

static const char *const by_names[BYS] = {
	[BY_REGION] = "region",	      [BY_FUNCTION] = "function", [BY_LINE] = "line",
	[BY_PATH] = "path",	      [BY_THREAD] = "thread",	  [BY_STATE] = "state",
	[BY_CONSTRUCT] = "construct", [BY_ADDRESS] = "address",	  [BY_MODULE] = "module",
	[BY_FILE] = "file",	      [BY_BLAME] = "blame",	  [BY_CPU] = "cpu",
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
