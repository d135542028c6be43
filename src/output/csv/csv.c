/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - the tables of a report, one at a time, as comma-separated values. */
#include "config.h"

#include "src/output/csv/csv_parts.h"
#include "src/output/formats.h"
#include "src/output/output.h"

int csv_write(FILE *out, const struct report *r)
{
	static int (*const tables[BYS])(FILE *, const struct report *) = {
		[BY_REGION] = csv_regions,	 [BY_FUNCTION] = csv_functions,
		[BY_LINE] = csv_lines,		 [BY_PATH] = csv_paths,
		[BY_THREAD] = csv_threads,	 [BY_STATE] = csv_states,
		[BY_CONSTRUCT] = csv_constructs, [BY_ADDRESS] = csv_memory,
		[BY_MODULE] = csv_modules,	 [BY_FILE] = csv_files,
		[BY_BLAME] = csv_blame,		 [BY_CPU] = csv_cpus,
		[BY_TIME] = csv_times,		 [BY_TASK] = csv_tasks,
		[BY_COUNT] = csv_counts,	 [BY_RANK] = csv_ranks,
		[BY_HOST] = csv_hosts,		 [BY_PARALLELISM] = csv_parallelism,
		[BY_FINDING] = csv_findings,
	};

	return tables[r->by](out, r);
}
