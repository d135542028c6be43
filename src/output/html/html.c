/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.c - writes one page that shows the report, or a comparison of runs, in a browser.
 *
 * The page (page/) is the same for all reports; the data are JSON in an element that no browser
 * executes.  They have the sections of the JSON report that do not grow with the number of
 * contexts, and in place of the others what html_parts.h declares, which is bounded.
 */
#include "config.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "src/model/model.h"
#include "src/output/formats.h"
#include "src/output/html/html_parts.h"
#include "src/output/html/page_text.h"
#include "src/output/json/json_parts.h"
#include "src/output/output.h"
#include "src/output/runs_formats.h"
#include "src/tables/losses.h"
#include "src/tables/placement.h"
#include "src/tables/time_event.h"
#include "src/view/view.h"

/* ---- what a browser must not take for an end ------------------------- */

/* In JSON < is in texts only.  Escaped, it can't begin `</script' or `<!--'. */
static ssize_t html_escaped(void *cookie, const char *bytes, size_t n)
{
	FILE *out = cookie;

	for (size_t done = 0; done < n;) {
		const char *at = memchr(bytes + done, '<', n - done);
		const size_t plain = at ? (size_t)(at - bytes) - done : n - done;

		fwrite(bytes + done, 1, plain, out);
		done += plain;
		if (at) {
			fputs("\\u003c", out);
			done++;
		}
	}
	return (ssize_t)n;
}

static void html_element(FILE *out, void (*write)(FILE *out, const void *what), const void *what)
{
	FILE *escaping = fopencookie(out, "w", (cookie_io_functions_t){ .write = html_escaped });

	fputs("<script type=\"application/json\" id=\"data\">\n", out);
	write(escaping, what);
	fclose(escaping);
	fputs("</script>\n", out);
}

/* ---- data ------------------------------------------------------------ */

static void html_facts(struct json_stream *s, const struct report *r)
{
	json_member(s, "format", json_text("omphwc-page"));
	json_member(s, "program", json_text(PACKAGE_NAME " " PACKAGE_VERSION));
	json_member(s, "view", json_text(view_name(r->view->kind)));
	json_member(s, "event", json_number(r->event));
	json_member(s, "elapsed_event",
		    r->elapsed_flames ? json_number((uint64_t)time_event(r->model)) : NULL);
	json_member(s, "elapsed_first", json_new_boolean(r->elapsed));
	json_member(s, "filter", json_filter(r));
	json_member(s, "samples", json_samples(r->model));
	json_member(s, "job", json_job(r));
	json_member(s, "all_processes", json_number(r->model->nprocesses));
	json_member(s, "all_cpus", json_number(r->placement ? r->placement->ncpus : 0));
	json_member(s, "all_threads", json_number(r->model->nthreads));
	json_member(s, "time_unknown",
		    r->losses && r->losses->unknown ? json_text(r->losses->unknown) : NULL);
	json_member(s, "time", json_time(r));
	json_open(s, "classes");
	for (unsigned c = 0; c < OMP_CLASSES; c++)
		if (omp_has_class(r->view->classes, c))
			json_element(s, json_text(omp_class_name((enum omp_class)c)));
	json_close(s);
	json_open(s, "losses");
	for (unsigned i = 0; i < LOSSES; i++) {
		struct json_object *o;

		if (!losses_has((enum loss)i, r->view->classes))
			continue;
		o = json_new_object();
		json_put_text(o, "key", loss_key((enum loss)i));
		json_put_text(o, "name", loss_name((enum loss)i));
		json_put_text(o, "meaning", loss_meaning((enum loss)i));
		json_element(s, o);
	}
	json_close(s);
	json_open(s, "lost_names");
	for (unsigned c = 0; c < PROF_LOST_CAUSES; c++)
		json_element(s, json_text(model_lost_name(c)));
	json_close(s);
}

static void html_data(FILE *out, const void *report)
{
	const struct report *r = report;
	static void (*const sections[])(struct json_stream *, const struct report *) = {
		json_blame,    html_rows,    html_regions, html_tables,
		html_timeline, html_sources, html_flames,
	};
	struct json_stream s = { .out = out, .visible = true };

	fputs("{\n", out);
	html_facts(&s, r);
	json_processes(&s, r, HTML_PROCESSES);
	json_troubles(&s, r);
	json_findings(&s, r);
	json_events(&s, r);
	json_threads(&s, r, HTML_THREADS);
	json_cpus(&s, r, HTML_CPUS);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		sections[i](&s, r);
	fputs("\"end\":true}\n", out);
}

int html_write(FILE *out, const struct report *r)
{
	fwrite(page_head, 1, page_head_bytes, out);
	html_element(out, html_data, r);
	fwrite(page_tail, 1, page_tail_bytes, out);
	/* stdio keeps no reason for so large a block that fails; the last byte fails again. */
	putc('\n', out);
	return 0;
}

void runs_page_write(FILE *out, void (*write)(FILE *out, const void *report), const void *report)
{
	fwrite(runs_page_head, 1, runs_page_head_bytes, out);
	html_element(out, write, report);
	fwrite(runs_page_tail, 1, runs_page_tail_bytes, out);
	putc('\n', out);
}
