/* SPDX-License-Identifier: BSD-3-Clause */
/* badge.c - the newest point's verdict as a small image, for a README or a page of CI. */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/diff/history.h"
#include "src/diff/points.h"
#include "src/output/printable.h"
#include "src/output/runs_formats.h"

enum { HIGH = 20, BASELINE = 14, MARGIN = 6, LETTER = 7 /* the text is stretched to that */ };

/* Those of the page: good, bad, and not judged. */
static const char *const fills[] = { "#1d7a46", "#b4303c", "#606a77" };

struct verdict {
	char text[128];
	const char *fill;
};

static void badge_text(FILE *out, size_t x, size_t width, const char *s)
{
	fprintf(out, "<text x=\"%zu\" y=\"%d\" textLength=\"%zu\">%s</text>\n", x + MARGIN,
		BASELINE, width - 2 * MARGIN, s);
}

static size_t width_of(const char *s)
{
	return LETTER * strlen(s) + 2 * MARGIN;
}

/* No text is of a profile. */
void history_badge_write(FILE *out, const struct history_report *r)
{
	const char *label = r->history->series[0].time ? "elapsed" : "cost";
	struct verdict v;
	const struct history *h = r->history;
	const struct history_latest *l = &h->latest;
	const uint32_t unit = h->series[0].time ? PROF_UNIT_NS : r->points->event.unit;
	const bool judged = !l->unknown && !isnan(l->noise);
	const bool worse = judged && !history_within_noise(h) && l->after > l->before;
	const struct formatted amount = format_real(l->after, unit);

	if (l->unknown || !(l->before > 0))
		snprintf(v.text, sizeof(v.text), "%s", amount.s);
	else
		snprintf(v.text, sizeof(v.text), "%s, %+.1f %%%s", amount.s,
			 history_percent(&h->series[0], l->before, l->after),
			 judged && history_within_noise(h) ? " (noise)" : "");
	v.fill = fills[!judged ? 2 : worse];
	const size_t left = width_of(label), right = width_of(v.text);

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" "
		"role=\"img\" aria-label=\"%s: %s\">\n",
		left + right, HIGH, label, v.text);
	fprintf(out, "<rect width=\"%zu\" height=\"%d\" fill=\"#404750\"/>\n", left, HIGH);
	fprintf(out, "<rect x=\"%zu\" width=\"%zu\" height=\"%d\" fill=\"%s\"/>\n", left, right,
		HIGH, v.fill);
	fputs("<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
	      "font-size=\"11\" lengthAdjust=\"spacingAndGlyphs\">\n",
	      out);
	badge_text(out, 0, left, label);
	badge_text(out, left, right, v.text);
	fputs("</g>\n</svg>\n", out);
}
