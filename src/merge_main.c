/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_main.c - ompcount-merge, which ompcount executes for its command merge.
 *
 * It is a program of its own because it uses OpenMP: a runtime in ompcount itself would bind
 * its thread as OMP_PROC_BIND says, and so the programs that it starts.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "src/merge/merge.h"
#include "src/merge_command.h"
#include "src/output/outfile.h"

static time_t progress_from;
static bool progress_shown;

/* From a second on. */
static void merge_main_progress(size_t done, size_t total)
{
	if (time(NULL) - progress_from < 2 && !progress_shown)
		return;
	progress_shown = true;
	fprintf(stderr, "\rompcount: %zu of %zu profiles ", done, total);
}

static int merge_main_to(const struct merge_options *o, const struct merge_inputs *in)
{
	struct merge m = { .inputs = in, .sysroot = o->sysroot };
	struct outfile out;
	int status, err = outfile_open_over(&out, o->output);

	if (err)
		return merge_report(o, &m, 0, err);
	progress_from = time(NULL);
	m.progress = isatty(STDERR_FILENO) ? merge_main_progress : NULL;
	err = out.target ? merge_run(&m, fileno(out.stream)) : -ESPIPE;
	if (progress_shown)
		fputs("\r\033[K", stderr);
	if (err)
		outfile_abandon(&out);
	else
		err = outfile_commit(&out);
	status = merge_report(o, &m, in->refused + m.refused, err);
	merge_fini(&m);
	return status;
}

int main(int argc, char **argv)
{
	struct merge_options o;
	struct merge_inputs in;
	int status = merge_parse(argc, argv, &o);

	if (status)
		return status < 0 ? 0 : status;
	status = merge_inputs(&o, &in);
	if (!status)
		status = merge_main_to(&o, &in);
	inputs_free(&in);
	return status;
}
