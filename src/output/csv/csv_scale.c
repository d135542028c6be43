/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_scale.c - how a program scales: the run and each region with each number of threads. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "src/diff/scaling.h"
#include "src/diff/side.h"
#include "src/output/csv/csv_table.h"
#include "src/output/runs_formats.h"

static void csv_scale_put_if(FILE *out, bool known, double value)
{
	putc(',', out);
	if (known && isfinite(value))
		fprintf(out, "%.9g", value);
}

static void put_row(FILE *out, const struct scaling *s, const struct scaling_row *row, size_t i)
{
	const struct side_item *item = row->item;
	const double speedup = scaling_speedup(s, row, i);

	csv_text(out, item ? item->name : "(run)");
	putc(',', out);
	if (item)
		csv_text(out, side_item_file(item));
	putc(',', out);
	if (item && item->place && !item->ordinal)
		fprintf(out, "%" PRId64, item->place);
	fprintf(out, ",%" PRIu32 ",%d", s->threads[i], scaling_is_beyond(s, i));
	csv_scale_put_if(out, row->mean_ns[i] > 0, row->mean_ns[i]);
	csv_scale_put_if(out, row->mean_ns[i] > 0, row->deviation_ns[i]);
	csv_scale_put_if(out, speedup > 0, speedup);
	csv_scale_put_if(out, speedup > 0, scaling_efficiency(s, row, i));
	putc('\n', out);
}

void scale_csv_write(FILE *out, const struct scaling *s)
{
	fputs("region,file,line,threads,beyond_cpus,mean_ns,deviation_ns,speedup,efficiency\n",
	      out);
	for (size_t i = 0; i < s->n; i++)
		put_row(out, s, &s->total, i);
	for (size_t r = 0; r < s->nregions; r++)
		for (size_t i = 0; i < s->n; i++)
			put_row(out, s, &s->regions[r], i);
}
