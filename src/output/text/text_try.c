/* SPDX-License-Identifier: BSD-3-Clause */
/* text_try.c - what each remedy gains, and the line for the job script. */
#include "config.h"

#include <string.h>

#include "src/diff/tried.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

static const char as_it_is[] = "(as it is)";

/* A run without the profiler is not so many times as fast. */
enum { DOUBTFUL = 10 };

/* Longer settings have a line of their own. */
enum { SETTINGS_WIDTH = 40 };

static void put_side(FILE *out, const struct tried_side *s, int width)
{
	const char *name = s->settings[0] ? s->settings : as_it_is;

	fputs(name, out);
	if (strlen(name) > SETTINGS_WIDTH)
		fprintf(out, "\n%*s", width, "");
	else
		fprintf(out, "%*s", width - (int)strlen(name), "");
	fprintf(out, "%6zu%11s", s->nruns, s->nruns ? format_ns(s->median_ns).s : "-");
	if (s->settings[0]) {
		/* "24.9 % (22.1 to 27.3)" */
		char text[64] = "-";

		if (s->known)
			snprintf(text, sizeof(text), "%.1f %% (%.1f to %.1f)", 100 * s->gain.gain,
				 100 * s->gain.least, 100 * s->gain.most);
		else if (s->nruns)
			snprintf(text, sizeof(text), "%.1f %% (?)", 100 * s->gain.gain);
		fprintf(out, "  %-27s  ", text);
		if (s->refused[0])
			fputs(s->refused, out);
		else
			format_name(out, s->finding, 0);
	}
	putc('\n', out);
}

static void put_table(FILE *out, const struct tried *t)
{
	size_t width = sizeof(as_it_is);
	bool unknown = false;

	for (size_t i = 1; i < t->n; i++) {
		const size_t n = strlen(t->sides[i].settings);

		width = n > width && n <= SETTINGS_WIDTH ? n : width;
		unknown = unknown || !t->sides[i].known;
	}
	fprintf(out, "%-*s%6s%11s  %-27s  against\n", (int)width, "setting", "runs", "median",
		"gain");
	for (size_t i = 0; i < t->n; i++)
		put_side(out, &t->sides[i], (int)width);
	fprintf(out,
		"gain: of the elapsed time; with %.0f %% all gains are within the bounds in "
		"brackets%s\n",
		100 * (1 - TRIED_CHANCE), unknown ? " (?: too few runs for bounds)" : "");
}

void try_text_write(FILE *out, const struct tried *t)
{
	const struct tried_side *best = tried_best(t);

	if (t->n > 1) {
		put_table(out, t);
		/* Where the further runs may have done something else than the first one. */
		if (t->sides[0].nruns && t->sides[0].median_ns <= t->profiled_ns / DOUBTFUL)
			fprintf(out,
				"doubtful: as it is the program took %s, the first, profiled run "
				"%s: these runs may have\ndone less work (standard "
				"input, files that are there already)\n",
				format_ns(t->sides[0].median_ns).s, format_ns(t->profiled_ns).s);
		putc('\n', out);
	}
	if (best)
		fprintf(out, "the line for your job script:  export %s\n", best->settings);
	else if (t->n > 1)
		fputs("none of these settings is known to shorten the run\n", out);
	else if (t->unknown)
		fprintf(out, "nothing to try: where its time goes is not known: %s\n", t->unknown);
	else
		fputs("nothing to try: no finding has a remedy that needs no edit and is not in "
		      "force\n",
		      out);
	fputs("next:  ompcount report ", out);
	format_text(out, t->folder, 0);
	putc('\n', out);
}
