/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nulltool - an OMPT tool that registers nothing, to measure the cost of having any tool.
 */
#include <stddef.h>

#include "ompt_tool/runtime/ompt_declarations.h"

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)lookup;
	(void)device;
	(void)data;
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version;
	(void)runtime;
	return &result;
}
