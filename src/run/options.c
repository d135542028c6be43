/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c - parses the command line of run.
 */
#include "config.h"

#include "src/run/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/base/message.h"
#include "src/perf/perf_words.h"
#include "src/profile/digits.h"
#include "src/profile/name.h"

enum { COUNT_MIN_MAX_US = 1000000000 };
enum { INTERVAL_DEFAULT_S = 600, INTERVAL_MOST_S = 1000000 };
enum { TRACE_DEFAULT_BYTES = 1 << 20, TRACE_LEAST_BYTES = 1 << 12, TRACE_MOST_BYTES = 1 << 30 };

#define SEE_HELP "see ompcount run --help"

enum {
	OPT_RUNTIME = 256,
	OPT_DELIVERY,
	OPT_STRICT,
	OPT_PAUSED,
	OPT_DELAY,
	OPT_DURATION,
	OPT_COUNT,
	OPT_COUNT_MIN,
	OPT_HEAP_MIN,
	OPT_DEPENDENCES,
	OPT_ENTRIES,
	OPT_NO_NAMES,
	OPT_BLAME,
	OPT_TIMELINE,
	OPT_TRACE,
	OPT_SPOOL,
	OPT_SPOOL_INTERVAL,
};

static const struct option longs[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "events", required_argument, NULL, 'e' },
	{ "count", optional_argument, NULL, OPT_COUNT },
	{ "count-min", required_argument, NULL, OPT_COUNT_MIN },
	{ "dependences", no_argument, NULL, OPT_DEPENDENCES },
	{ "entries", no_argument, NULL, OPT_ENTRIES },
	{ "blame", no_argument, NULL, OPT_BLAME },
	{ "timeline", no_argument, NULL, OPT_TIMELINE },
	{ "trace", optional_argument, NULL, OPT_TRACE },
	{ "freq", required_argument, NULL, 'F' },
	{ "period", required_argument, NULL, 'c' },
	{ "output", required_argument, NULL, 'o' },
	{ "runtime", required_argument, NULL, OPT_RUNTIME },
	{ "delivery", required_argument, NULL, OPT_DELIVERY },
	{ "heap-min", required_argument, NULL, OPT_HEAP_MIN },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "paused", no_argument, NULL, OPT_PAUSED },
	{ "delay", required_argument, NULL, OPT_DELAY },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "no-names", no_argument, NULL, OPT_NO_NAMES },
	{ "spool", required_argument, NULL, OPT_SPOOL },
	{ "spool-interval", required_argument, NULL, OPT_SPOOL_INTERVAL },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* Reports an invalid value: `-F 0`, `--delivery foo`, `OMPHWC_FREQ=0`. */
static int refuse_value(struct trouble *t, const char *source, const char *value, const char *why,
			const char *todo)
{
	return trouble(t, why, todo, "%s%s%s", source, *source == '-' ? " " : "=", value);
}

static int options_number(const char *text, uint64_t *n)
{
	char *end;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return -EINVAL;
	errno = 0;
	*n = strtoull(text, &end, 10);
	return errno ? -errno : 0;
}

static int set_freq(struct run_options *o, const char *source, const char *value, struct trouble *t)
{
	char todo[64];
	uint64_t hz;
	int err = options_number(value, &hz);

	snprintf(todo, sizeof(todo), "give a number from 1 to %u", PMU_FREQ_MAX_HZ);
	if (err == -EINVAL)
		return refuse_value(t, source, value, "samples a second are a whole number", todo);
	if (err || hz > PMU_FREQ_MAX_HZ)
		return refuse_value(t, source, value, "more samples a second than can be taken",
				    todo);
	if (hz == 0)
		return refuse_value(t, source, value, "it must be at least 1", todo);
	o->rate.freq_hz = (uint32_t)hz;
	return 0;
}

static int set_period(struct run_options *o, const char *source, const char *value,
		      struct trouble *t)
{
	uint64_t period;
	int err = options_number(value, &period);

	/* The kernel accepts 63 bits. */
	if (err == -ERANGE || period > INT64_MAX)
		return refuse_value(t, source, value, "more events than the kernel can count to",
				    "try 1000000");
	if (err || period == 0)
		return refuse_value(
			t, source, value,
			"the events from one sample to the next are a whole number, 1 or more",
			"try 1000000");
	o->rate.period = period;
	return 0;
}

static int set_output(struct run_options *o, const char *source, const char *value,
		      struct trouble *t)
{
	const struct prof_name sample = { .command = "c", .host = "h", .pid = 1 };
	char name[4096];

	if (!*value)
		return refuse_value(t, source, "''", "a file needs a name",
				    "see ompcount(1), NAMES");
	if (prof_name_expand(name, sizeof(name), value, &sample) == -EINVAL)
		return refuse_value(t, source, value,
				    "after % comes one of c, h, p, r, R, l, j, a, s, t, {NAME} or "
				    "another %",
				    "write %% for a percent sign");
	o->output = value;
	return 0;
}

static int set_interval(struct run_options *o, const char *value, struct trouble *t)
{
	if (options_number(value, &o->spool_interval_s) == 0 && o->spool_interval_s >= 1 &&
	    o->spool_interval_s <= INTERVAL_MOST_S)
		return 0;
	return refuse_value(t, "--spool-interval", value, "no number of seconds from 1 to 1000000",
			    NULL);
}

static int set_seconds(uint64_t *ns, const char *source, const char *value, struct trouble *t)
{
	if (digits_seconds(value, ns) && *ns != 0)
		return 0;
	return refuse_value(t, source, value, "no number of seconds above 0", "try 2.5");
}

static int set_delivery(struct run_options *o, const char *source, const char *value,
			struct trouble *t)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "signal") != 0 &&
	    strcmp(value, "sigtrap") != 0)
		return refuse_value(t, source, value, "no such choice",
				    "use auto, signal or sigtrap");
	o->delivery = value;
	return 0;
}

static void add_events(char **events, const char *list)
{
	const size_t have = *events ? strlen(*events) + 1 : 0;
	char *all = alloc_resize(*events, have + strlen(list) + 1);

	if (have)
		all[have - 1] = ',';
	strcpy(all + have, list);
	*events = all;
}

/* --count counts the events of -e in the place of sampling them; with events of
   its own it leaves those to be sampled. */
static void set_count(struct run_options *o, const char *list)
{
	o->count = true;
	if (list)
		add_events(&o->counted, list);
}

static int set_count_min(struct run_options *o, const char *source, const char *value,
			 struct trouble *t)
{
	uint64_t us = 0;
	const int err = options_number(value, &us);

	if (err == -ERANGE || us > COUNT_MIN_MAX_US)
		return refuse_value(t, source, value, "longer than 1000 seconds", "try 100");
	if (err || us == 0)
		return refuse_value(t, source, value,
				    "a time in microseconds is a whole number, 1 or more",
				    "try 100");
	o->count_min_us = (uint32_t)us;
	return 0;
}

/* Of each thread: "4M"; NULL: the default. */
static int set_trace(struct run_options *o, const char *value, struct trouble *t)
{
	static const char suffixes[] = "kMG";
	const char *suffix;
	char *end;

	o->trace_bytes = TRACE_DEFAULT_BYTES;
	if (!value)
		return 0;
	errno = 0;
	o->trace_bytes = strtoull(value, &end, 10);
	suffix = *end ? strchr(suffixes, *end) : NULL;
	if (end != value && !errno && suffix && !end[1] && o->trace_bytes <= TRACE_MOST_BYTES) {
		o->trace_bytes <<= 10 * (suffix - suffixes + 1);
		end++;
	}
	if (end != value && !errno && !*end && *value != '-' &&
	    o->trace_bytes >= TRACE_LEAST_BYTES && o->trace_bytes <= TRACE_MOST_BYTES)
		return 0;
	return refuse_value(t, "--trace", value,
			    "the size of each thread's last events is from 4k to 1G", "try 1M");
}

static int set_heap_min(struct run_options *o, const char *source, const char *value,
			struct trouble *t)
{
	int err;

	if (strcmp(value, "none") == 0) {
		o->heap_min = UINT64_MAX;
		return 0;
	}
	err = options_number(value, &o->heap_min);
	if (err == -ERANGE || (err == 0 && o->heap_min > INT64_MAX))
		return refuse_value(t, source, value, "larger than any block can be",
				    "try 65536, or none");
	if (err || o->heap_min == 0)
		return refuse_value(
			t, source, value,
			"the least size of a block is a whole number of bytes, 1 or more",
			"try 65536, or none");
	return 0;
}

static int set_option(struct run_options *o, int option, const char *value, struct trouble *t)
{
	switch (option) {
	case 'e': add_events(&o->events, value); return 0;
	case 'F': return set_freq(o, "-F", value, t);
	case 'c': return set_period(o, "-c", value, t);
	case 'o': return set_output(o, "-o", value, t);
	case OPT_RUNTIME:
		return trouble(t, "the program's loader chooses its OpenMP runtime",
			       "put a folder whose libgomp.so.1 is a link to libomp.so.5 into "
			       "LD_LIBRARY_PATH, see ompcount-run(1), NOTES",
			       "--runtime %s", value);
	case OPT_DELIVERY: return set_delivery(o, "--delivery", value, t);
	case OPT_HEAP_MIN: return set_heap_min(o, "--heap-min", value, t);
	case OPT_STRICT: o->strict = true; return 0;
	case OPT_COUNT: set_count(o, value); return 0;
	case OPT_COUNT_MIN: return set_count_min(o, "--count-min", value, t);
	case OPT_DEPENDENCES: o->dependences = true; return 0;
	case OPT_ENTRIES: o->entries = true; return 0;
	case OPT_NO_NAMES: o->no_names = true; return 0;
	case OPT_SPOOL: o->spool = strcmp(value, "auto") == 0 ? NULL : value; return 0;
	case OPT_SPOOL_INTERVAL: return set_interval(o, value, t);
	case OPT_BLAME: o->blame = true; return 0;
	case OPT_TIMELINE: o->timeline = true; return 0;
	case OPT_TRACE: return set_trace(o, value, t);
	case OPT_PAUSED: o->paused = true; return 0;
	case OPT_DELAY: return set_seconds(&o->delay_ns, "--delay", value, t);
	case OPT_DURATION: return set_seconds(&o->duration_ns, "--duration", value, t);
	case 'q': o->quiet = true; return 0;
	case 'v': o->verbose = true; return 0;
	case 'h': o->help = true; return 0;
	}
	return -1;
}

typedef int set_value(struct run_options *o, const char *source, const char *value,
		      struct trouble *t);

/* What the command line has not given is taken from the variable. */
static int set_from(struct run_options *o, bool given, const char *variable, set_value *set,
		    struct trouble *t)
{
	const char *value = getenv(variable);

	return !given && value && *value ? set(o, variable, value, t) : 0;
}

static int set_from_environment(struct run_options *o, struct trouble *t)
{
	const bool rated = o->rate.freq_hz || o->rate.period;

	/* Events on the command line replace those of the environment. */
	if (!o->events && !o->counted) {
		const char *events = getenv("OMPHWC_EVENTS"), *counted = getenv("OMPHWC_COUNT");

		if (events && *events)
			add_events(&o->events, events);
		if (!o->count && counted && *counted && strcmp(counted, "0") != 0)
			set_count(o, strcmp(counted, "1") == 0 ? NULL : counted);
	}
	if (set_from(o, o->count_min_us, "OMPHWC_COUNT_MIN", set_count_min, t) ||
	    set_from(o, rated, "OMPHWC_PERIOD", set_period, t) ||
	    set_from(o, rated || o->rate.period, "OMPHWC_FREQ", set_freq, t) ||
	    set_from(o, o->output, "OMPHWC_OUTPUT", set_output, t) ||
	    set_from(o, o->heap_min, "OMPHWC_HEAP_MIN", set_heap_min, t))
		return -1;
	return set_from(o, o->delivery, "OMPHWC_DELIVERY", set_delivery, t);
}

static void set_defaults(struct run_options *o)
{
	if (o->spool_interval_s == 0)
		o->spool_interval_s = INTERVAL_DEFAULT_S;
	if (o->count && !o->counted) {
		o->counted = o->events;
		o->events = NULL;
		if (!o->counted)
			add_events(&o->counted, PMU_DEFAULT_COUNTED);
	}
	if (!o->events && !o->count)
		add_events(&o->events, PMU_DEFAULT_SAMPLED);
	if (!o->rate.freq_hz && !o->rate.period)
		o->rate.freq_hz = PMU_DEFAULT_FREQ_HZ;
	o->output_given = o->output;
	if (!o->output)
		o->output = PROF_NAME_DEFAULT;
	if (!o->delivery)
		o->delivery = "auto";
}

int run_options_parse(struct run_options *o, enum run_verb verb, int argc, char **argv,
		      struct trouble *t)
{
	int option;

	*o = (struct run_options){
		.verb = verb,
		.count = verb == RUN_STAT,
	};
	opterr = 0;
	optind = 0; /* restart, in case getopt was used before */
	while ((option = getopt_long(argc, argv, "+:e:F:c:o:qvh", longs, NULL)) != -1) {
		if (option == '?' || option == ':') {
			/* The option that getopt rejected: a letter, or a whole word. */
			const char *word = argv[optind - 1];
			char letter[3] = { '-', (char)optopt, '\0' };
			const struct perf_word *perf;

			if (strncmp(word, "--", 2) != 0 && optopt > ' ' && optopt < 256)
				word = letter;
			perf = option == '?' ? perf_run_option(word) : NULL;
			if (perf)
				return trouble(t, perf->why, perf->todo, "%s", word);
			return trouble(t,
				       option == ':' ? "needs a value after it" :
						       "no such option here",
				       SEE_HELP, "%s", word);
		}
		if (set_option(o, option, optarg, t) != 0)
			return -1;
		if (o->help)
			return 0;
	}
	if (o->rate.freq_hz && o->rate.period)
		return trouble(t, "they are mutually exclusive", "use one of them", "-F and -c");
	if (o->paused && o->delay_ns)
		return trouble(t, "they are mutually exclusive", "use one of them",
			       "--paused and --delay");
	if (optind >= argc || !*argv[optind])
		return trouble(t, NULL,
			       "use ompcount [OPTION…] COMMAND [ARG…], or ompcount "
			       "--help",
			       "no program to run");
	o->command = argv + optind;
	if (set_from_environment(o, t) != 0)
		return -1;
	set_defaults(o);
	return 0;
}

void run_options_free(struct run_options *o)
{
	free(o->events);
	free(o->counted);
	o->events = o->counted = NULL;
}
