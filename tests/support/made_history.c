/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * made_history.c - writes profiles of a program that never ran, one run after the other.
 *
 * made_history FOLDER N SEED [NAME=VALUE...]
 *
 * Writes FOLDER/cNNNN.omphwc, or with runs=R folders cNNNN of R profiles.  The program has REGIONS
 * parallel regions, called by main at offsets 0x1100, 0x1200...; each run differs from the others by
 * some percent, and each number of samples by what sampling does.
 *
 *   region=3 from=100 to=N percent=5   from the run of that number, before the other, that region
 *                    takes so much longer (4: it has times from fork to join, as all even ones)
 *   first=0          the number of the first point; a point begins an hour after the one before
 *   threads=2 host=made args=-x runs=1
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/mkprofile.h"

enum { REGIONS = 8, THREADS_MOST = 64, SECOND = 1000000000 };

static const uint64_t tick_ns = 1000000;

struct made {
	long n, seed, region, from, to, first, threads, runs;
	double percent;
	const char *folder, *host, *args;
};

/* ---- numbers ----------------------------------------------------------- */

static double random_normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += drand48();
	return sum;
}

/* Runs differ by two percent; numbers of samples by their root. */
static double run_takes(double mean)
{
	return mean * (1 + 0.02 * random_normal());
}

static uint64_t sampled(double mean)
{
	return (uint64_t)fmax(1, mean + sqrt(mean) * random_normal() + 0.5);
}

/* ---- a profile --------------------------------------------------------- */

static void made_region(struct mkprofile *m, const struct made *o, uint32_t program,
			const uint32_t *roots, long region, double samples)
{
	const uint64_t call = 0x1000 + 0x100 * (uint64_t)region;
	const uint32_t context = mk_frame(m, roots[0], PROF_LOC(program, call), 0);
	const double took = run_takes(samples);

	for (long t = 0; t < o->threads; t++) {
		const uint32_t at = mk_boundary(m, roots[t], context, PROF_BOUNDARY_REGION);
		const uint32_t body =
			mk_frame(m, at, PROF_LOC(program, call + 0x8000), PROF_FRAME_EXACT);
		const uint64_t n = sampled(took);

		if (!t && region % 2 == 0) {
			mk_stats(m, at, PROF_STATS_REGION, 10, (uint64_t)(took * (double)tick_ns));
			mk_stats(m, at, PROF_STATS_TEAM,
				 (uint64_t)o->threads << 32 | (uint64_t)o->threads,
				 10 * (uint64_t)o->threads);
		}
		mk_leaf(m, body, 0, PROF_STATE_PARALLEL, 0, n, n * tick_ns);
	}
}

static double samples_of(const struct made *o, long point, long region)
{
	const double mean = 400 + 250 * (double)region;
	const int is_slower = region == o->region && point >= o->from && point < o->to;

	return is_slower ? mean * (1 + o->percent / 100) : mean;
}

static int made_profile(const struct made *o, long point, long run, const char *path)
{
	struct mkprofile *m = mk_new();
	struct prof_header *h = mk_header(m);
	uint32_t program, roots[THREADS_MOST];
	double all = 0;
	char argv[256];
	const int bytes = snprintf(argv, sizeof(argv), "./app%c%s", '\0', o->args) + 1;

	h->pid = (uint32_t)(1000 + point * o->runs + run);
	h->start_realtime_ns += (uint64_t)(point * 3600 + run * 60) * SECOND;
	mk_info(m, PROF_INFO_ARGV, argv, (size_t)bytes);
	mk_text(m, PROF_INFO_EXE, "/nowhere/app");
	mk_text(m, PROF_INFO_HOST, o->host);
	mk_event(m, "cpu-clock", PROF_UNIT_NS);
	program = mk_module(m, "/nowhere/app", PROF_MODULE_MAIN);
	for (long t = 0; t < o->threads; t++)
		roots[t] = mk_root(m, mk_thread(m, t ? PROF_THREAD_WORKER : PROF_THREAD_INITIAL,
						(uint32_t)(h->pid + t)));
	for (long region = 1; region <= REGIONS; region++) {
		const double samples = samples_of(o, point, region);

		made_region(m, o, program, roots, region, samples);
		all += samples;
	}
	mk_end(m);
	h = mk_header(m);
	h->end_monotonic_ns = h->ticks_end =
		h->start_monotonic_ns + (uint64_t)(run_takes(all) * (double)tick_ns);
	for (uint32_t t = 0; t < o->threads; t++)
		mk_thread_record(m, t)->end_ns = mk_header(m)->end_monotonic_ns;
	const int err = mk_write(m, path);

	mk_free(m);
	return err;
}

/* ---- all --------------------------------------------------------------- */

static int made_point(const struct made *o, long point)
{
	char path[4096];
	int err = 0;

	if (o->runs == 1) {
		snprintf(path, sizeof(path), "%s/c%04ld.omphwc", o->folder, point);
		return made_profile(o, point, 0, path);
	}
	snprintf(path, sizeof(path), "%s/c%04ld", o->folder, point);
	mkdir(path, 0777);
	for (long run = 0; run < o->runs && !err; run++) {
		snprintf(path, sizeof(path), "%s/c%04ld/%ld.omphwc", o->folder, point, run);
		err = made_profile(o, point, run, path);
	}
	return err;
}

static void made_option(struct made *o, const char *text)
{
	const char *value = strchr(text, '=');
	const struct {
		const char *name;
		long *number;
	} numbers[] = {
		{ "region", &o->region }, { "from", &o->from },	      { "to", &o->to },
		{ "first", &o->first },	  { "threads", &o->threads }, { "runs", &o->runs },
	};

	if (!value++)
		exit(2);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strncmp(text, numbers[i].name, strlen(numbers[i].name)))
			*numbers[i].number = strtol(value, NULL, 0);
	if (!strncmp(text, "percent", 7))
		o->percent = strtod(value, NULL);
	if (!strncmp(text, "host", 4))
		o->host = value;
	if (!strncmp(text, "args", 4))
		o->args = value;
}

int main(int argc, char **argv)
{
	struct made o = { .threads = 2, .runs = 1, .host = "made", .args = "-x" };

	if (argc < 4)
		return 2;
	o.folder = argv[1];
	o.n = strtol(argv[2], NULL, 10);
	o.seed = strtol(argv[3], NULL, 10);
	o.to = INT32_MAX;
	for (int i = 4; i < argc; i++)
		made_option(&o, argv[i]);
	if (o.threads < 1 || o.threads > THREADS_MOST)
		return 2;
	srand48(o.seed);
	mkdir(o.folder, 0777);
	for (long point = o.first; point < o.first + o.n; point++)
		if (made_point(&o, point)) {
			perror(o.folder);
			return 1;
		}
	return 0;
}
