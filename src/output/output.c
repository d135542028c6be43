/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - the table of formats. */
#include "config.h"

#include "src/output/output.h"

#include "src/output/formats.h"

#ifdef HAVE_PPROF
#define PPROF_MISSING NULL
#else
#define PPROF_MISSING "this ompcount was built without protobuf-c or zlib"
#endif

#define ALL ((1u << BYS) - 1)
#define PATHS (1u << BY_PATH)
#define PATHS_OR_THREADS (PATHS | 1u << BY_THREAD)

static const struct details text_details = { detail_calls, detail_annotate, detail_asm };
static const struct details csv_details = { csv_calls, csv_annotate, csv_asm };

static const struct output outputs[] = {
	{
		.name = "text",
		.summary = "for reading (default)",
		.summed = true,
		.bys = ALL,
		.by = BY_REGION,
		.losses = ALL,
		.placement = ALL,
		.findings = ALL,
		.counts = true,
		.details = &text_details,
		.write = text_write,
	},
	{
		.name = "html",
		.summary = "a page for the browser; use -o FILE.html",
		.summed = true,
		.bys = 1u << BY_REGION,
		.by = BY_REGION,
		.losses = ALL,
		.placement = ALL,
		.findings = ALL,
		.counts = true,
		.flames = true,
		.elapsed = true,
		.not_on_terminal = true,
		.timeline = true,
		.write = html_write,
	},
	{
		.name = "csv",
		.summary = "a table for programs, as --by says",
		.summed = true,
		.bys = ALL,
		.by = BY_REGION,
		.losses = 1u << BY_REGION,
		.placement = 1u << BY_THREAD,
		.findings = 1u << BY_FINDING,
		.counts = true,
		.table = true,
		.lines = LINES_ASKED,
		.details = &csv_details,
		.write = csv_write,
	},
	{
		.name = "json",
		.summary = "everything, see doc/report.schema.json",
		.summed = true,
		.bys = ALL,
		.by = BY_REGION,
		.losses = ALL,
		.placement = ALL,
		.findings = ALL,
		.counts = true,
		.timeline = true,
		.write = json_write,
	},
	{
		.name = "folded",
		.summary =
			"a line for each path, `outermost;...;leaf COUNT`, as flame graphs take it",
		.bys = PATHS_OR_THREADS,
		.by = BY_PATH,
		.elapsed = true,
		.lines = LINES_ASKED,
		.write = folded_write,
	},
	{
		.name = "pprof",
		.summary = "for `go tool pprof` (binary, compressed)",
		.missing = PPROF_MISSING,
		.bys = PATHS,
		.by = BY_PATH,
		.lines = LINES_ALWAYS,
		.not_on_terminal = true,
		.write = pprof_write,
	},
	{
		.name = "speedscope",
		.summary = "for speedscope.app: each event, by path or thread",
		.bys = PATHS_OR_THREADS,
		.by = BY_PATH,
		.lines = LINES_ASKED,
		.write = speedscope_write,
	},
	{
		.name = "callgrind",
		.summary = "for KCachegrind and callgrind_annotate",
		.bys = PATHS,
		.by = BY_PATH,
		.lines = LINES_ALWAYS,
		.write = callgrind_write,
	},
	{
		.name = "hatchet",
		.summary = "the tree as Hatchet's literal, for Python",
		.bys = PATHS,
		.by = BY_PATH,
		.lines = LINES_ASKED,
		.write = hatchet_write,
	},
	{
		.name = "dot",
		.summary = "which tasks depend on which, for Graphviz (run --dependences)",
		.bys = 1u << BY_DEPENDENCE,
		.by = BY_DEPENDENCE,
		.write = dot_write,
	},
	{
		.name = "trace",
		.summary = "lanes of what threads did when, for ui.perfetto.dev (--timeline)",
		.bys = 1u << BY_TIME,
		.by = BY_TIME,
		.times = true,
		.write = trace_write,
	},
	{ .name = NULL },
};

static const char *const by_names[BYS + 1] = {
	[BY_REGION] = "region",
	[BY_FUNCTION] = "function",
	[BY_LINE] = "line",
	[BY_PATH] = "path",
	[BY_THREAD] = "thread",
	[BY_STATE] = "state",
	[BY_CONSTRUCT] = "construct",
	[BY_ADDRESS] = "address",
	[BY_MODULE] = "module",
	[BY_FILE] = "file",
	[BY_BLAME] = "blame",
	[BY_CPU] = "cpu",
	[BY_RANK] = "rank",
	[BY_HOST] = "host",
	[BY_TIME] = "time",
	[BY_PARALLELISM] = "parallelism",
	[BY_TASK] = "task",
	[BY_COUNT] = "count",
	[BY_FINDING] = "finding",
	[BY_PHASE] = "phase",
	[BY_DEVICE] = "device",
	[BY_DEPENDENCE] = "dependence",
	[BY_DESCRIPTOR] = "descriptor",
};

const struct output *output_all(void)
{
	return outputs;
}

const char *const *output_names(void)
{
	static const char *names[sizeof(outputs) / sizeof(*outputs)];

	for (size_t i = 0; outputs[i].name; i++)
		names[i] = outputs[i].name;
	return names;
}

const char *output_by_name(enum output_by by)
{
	return by < BYS ? by_names[by] : "unknown";
}

const char *const *output_bys(void)
{
	return by_names;
}

static const char *const sort_names[SORTS + 1] = {
	[SORT_TOTAL] = "total",	      [SORT_WORK] = "work",	  [SORT_WAIT] = "wait",
	[SORT_OVERHEAD] = "overhead", [SORT_MPI] = "mpi",	  [SORT_BLOCKED] = "blocked",
	[SORT_IMBALANCE] = "imbal",   [SORT_ENTRIES] = "entries", [SORT_GAIN] = "gain",
	[SORT_INCLUSIVE] = "incl",
};

const char *output_sort_name(enum output_sort sort)
{
	return sort > SORT_DEFAULT && sort < SORTS ? sort_names[sort] : "unknown";
}

const char *const *output_sort_names(void)
{
	return sort_names + SORT_TOTAL;
}

unsigned output_sorts(enum output_by by)
{
	const unsigned costs = 1u << SORT_DEFAULT | 1u << SORT_TOTAL | 1u << SORT_WORK |
			       1u << SORT_WAIT | 1u << SORT_OVERHEAD | 1u << SORT_MPI |
			       1u << SORT_BLOCKED;
	const unsigned spread = 1u << SORT_IMBALANCE | 1u << SORT_ENTRIES;

	switch (by) {
	case BY_REGION: return costs | spread | 1u << SORT_GAIN;
	case BY_CONSTRUCT: return costs | spread;
	case BY_FUNCTION: return costs | 1u << SORT_INCLUSIVE;
	case BY_LINE:
	case BY_PATH:
	case BY_THREAD:
	case BY_PHASE:
	case BY_MODULE:
	case BY_FILE: return costs;
	default: return 1u << SORT_DEFAULT;
	}
}
