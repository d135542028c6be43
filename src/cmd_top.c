/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmd_top.c - the command top: watches a run in progress, by its profile.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "src/base/alloc.h"
#include "src/base/message.h"
#include "src/base/page.h"
#include "src/chosen.h"
#include "src/command_line.h"
#include "src/commands.h"
#include "src/model/liveness.h"
#include "src/model/profiles.h"
#include "src/output/printable.h"
#include "src/profile/clock.h"
#include "src/profile/magic.h"
#include "src/screen/lines.h"
#include "src/screen/live.h"
#include "src/screen/screen.h"

/* ---- which profile ----------------------------------------------------- */

enum { NAME_BYTES = 64, GENERATIONS_MAX = 8 };

static FILE *proc_open(pid_t pid, const char *what)
{
	char name[2 * NAME_BYTES];

	snprintf(name, sizeof(name), "/proc/%ld/%s", (long)pid, what);
	return fopen(name, "re");
}

/* The first profile among the shared, writable mappings: "LO-HI rw-s OFFSET DEVICE INODE   PATH".
   One is mapped in many parts. */
static int find_mapped(pid_t pid, char **path)
{
	FILE *maps = proc_open(pid, "maps");
	char *line = NULL, *last = NULL;
	size_t room = 0;

	if (!maps)
		return errno == ENOENT ? -ESRCH : -errno;
	while (!*path && getline(&line, &room, maps) > 0) {
		char *at = strstr(line, " rw-s ") ? strchr(line, '/') : NULL;

		if (at)
			at[strcspn(at, "\n")] = '\0';
		if (!at || (last && !strcmp(last, at)))
			continue;
		free(last);
		last = alloc_text(at);
		if (prof_is_profile(last))
			*path = alloc_text(last);
	}
	free(last);
	free(line);
	fclose(maps);
	return *path ? 0 : -ENOENT;
}

/*
 * The profile that the process has mapped, or else one of the processes that it started, as
 * /proc shows: of an ompcount, that of its program.  *path, NULL before, is malloc'ed.  0; -ESRCH:
 * there is no such process; -EACCES: another user's; -ENOENT: it has none.
 */
static int find_profile(pid_t pid, unsigned generation, char **path)
{
	const int err = find_mapped(pid, path);
	char name[NAME_BYTES];
	FILE *children;
	long child;

	if (err != -ENOENT || generation == GENERATIONS_MAX)
		return err;
	snprintf(name, sizeof(name), "task/%ld/children", (long)pid);
	children = proc_open(pid, name);
	if (!children)
		return -ENOENT;
	while (!*path && fscanf(children, "%ld", &child) == 1)
		find_profile((pid_t)child, generation + 1, path);
	fclose(children);
	return *path ? 0 : -ENOENT;
}

enum { DELAY_MAX_S = 86400, LOOK_PART = 5, STEP_MS = 100, TEN_ROWS = 10 };

/* clang-format off */
#define TOP_KEYS \
	"Keys: r regions, f functions, t threads, tab the next; up, down, page up and down,\n" \
	"home, end other rows; s sort by the next column; e the next event; p pause; space\n" \
	"refresh now; h help; q or escape leave.\n"
#define TOP_COLUMNS \
	"now %, work, wait and ovhd are shares of the last interval, all % and the amount are\n" \
	"of all since the start. CPU % is how long the thread had a CPU in the last interval.\n" \
	"The run is not disturbed: its profile is read, and no more.\n"
/* clang-format on */
static const char help[] =
	"Usage: ompcount top [OPTION...] [PROFILE|FOLDER|PID]\n"
	"Watches a run in progress: what its threads did in the last seconds, and since the\n"
	"start. PID is the profiled process, or what started it: ompcount, a script. Without one\n"
	"it is the last run of this folder.\n"
	"\n"
	"  -d, --delay SECONDS  refresh interval (default 2)\n"
	"  -n, --times N        refresh N times, then end\n"
	"  -b, --batch          print text, for files and pipes; until the process ends\n"
	"  -e, --event EVENT    show this one (default: the first)\n"
	"  -h, --help           show this help\n"
	"\n" TOP_KEYS "\n" TOP_COLUMNS;

struct top {
	double delay_s;
	unsigned long times; /* 0: without end */
	bool batch;
	const char *event;
	struct live live;
	struct live_style style;
	enum live_kind kind;
	size_t rows; /* of the table that is shown */
	bool paused, left, helps;
	uint64_t look_took_ns;
};

static int top_number(const char *option, const char *why, const char *value, double most,
		      double *number)
{
	char *end, todo[64];

	errno = 0;
	*number = strtod(value, &end);
	if (end != value && !*end && !errno && isfinite(*number) && *number > 0 && *number <= most)
		return 0;
	snprintf(todo, sizeof(todo), "give a number above 0, up to %.0f", most);
	return command_line_refused(option, value, why, todo);
}

static int top_set_delay(void *seconds, const char *value)
{
	return top_number("-d", "not a time in seconds", value, DELAY_MAX_S, seconds);
}

static int top_set_times(void *times, const char *value)
{
	double n = 0;
	const int status = top_number("-n", "not a number of times", value, 1e9, &n);

	*(unsigned long *)times = n < 1 ? 1 : (unsigned long)n;
	return status;
}

static int top_parse(int argc, char **argv, struct top *t)
{
#define AT(member) .at = offsetof(struct top, member)
	static const struct command_option options[] = {
		{ "delay", 'd', OPTION_SET, AT(delay_s), .set = top_set_delay },
		{ "times", 'n', OPTION_SET, AT(times), .set = top_set_times },
		{ "batch", 'b', OPTION_FLAG, AT(batch) },
		{ "event", 'e', OPTION_TEXT, AT(event) },
		{ .name = NULL },
	};
	const int status = command_line_parse("top", options, false, argc, argv, t);

	if (status || argc - optind <= 1)
		return status;
	return command_misused("top", "one profile at a time", "use ompcount top PROFILE, or PID");
}

/* Of a run's processes the first one that still runs, or that was last to be listed. */
static char *top_pick(const struct chosen *c)
{
	char *path = NULL;
	bool runs = false;

	for (size_t i = 0; i < c->n && !runs; i++) {
		struct profiles_error e;
		struct prof_file *f;

		free(path);
		path = alloc_text(c->paths[i]);
		if (profiles_head(path, &f, &e))
			continue;
		runs = liveness_of(f) == LIVENESS_RUNS;
		prof_free(f);
	}
	if (path && c->n > 1)
		message("%s is one of %zu processes of that run", path, c->n);
	return path;
}

/* *path, NULL before, is to be freed.  words: at most one. */
static int top_find(char *const *words, size_t n, char **path)
{
	const char *pid = n && strlen(words[0]) < 10 ? words[0] : "";
	struct chosen chosen;
	int err;

	if (*pid && !pid[strspn(pid, "0123456789")] && access(pid, F_OK)) {
		err = find_profile((pid_t)atol(pid), 0, path);
		if (err == -ENOENT)
			return command_fails(pid, "neither it nor what it started is profiled",
					     "start it by ompcount");
		return !err ? 0 :
			      command_fails(pid,
					    err == -ESRCH ? "there is no such process" :
							    strerror(-err),
					    NULL);
	}
	err = chosen_runs(&chosen, "top", words, n);
	*path = err ? NULL : top_pick(&chosen);
	chosen_fini(&chosen);
	return err;
}

static int top_look(struct top *t)
{
	const uint64_t before = clock_ns(CLOCK_MONOTONIC);
	const int err = live_look(&t->live);

	t->look_took_ns = clock_ns(CLOCK_MONOTONIC) - before;
	return err == -EINVAL ? 0 : err;
}

/* Looking takes no more than a part of the time, whatever was asked for. */
static double top_delay(const struct top *t)
{
	const double least = LOOK_PART * (double)t->look_took_ns / 1e9;

	return t->delay_s > least ? t->delay_s : least;
}

/* ---- text for files and pipes ------------------------------------------------ */

static int top_batch(struct top *t)
{
	for (unsigned long i = 0; !t->times || i < t->times; i++) {
		const double delay = top_delay(t);
		const struct timespec wait = {
			.tv_sec = (time_t)delay,
			.tv_nsec = (long)((delay - floor(delay)) * 1e9),
		};
		int err = 0, status;

		if (i) {
			nanosleep(&wait, NULL);
			err = top_look(t);
		}
		if (err)
			return command_line_failed("top", err);
		live_print_head(stdout, &t->live, &t->style);
		for (unsigned k = 0; k < LIVE_KINDS; k++) {
			putchar('\n');
			live_print_table(stdout, &t->live, (enum live_kind)k, &t->style);
		}
		putchar('\n');
		status = page_end();
		if (status)
			return status;
		if (t->live.ended)
			break;
	}
	return 0;
}

/* ---- the screen ---------------------------------------------------------------- */

static void top_draw(struct top *t)
{
	const size_t rows = screen_rows(), columns = screen_columns();
	struct lines lines = { .n = 0 };
	char bar[512], *text = NULL;
	size_t size;
	FILE *out = alloc_stream(&text, &size);

	t->style.columns = columns;
	t->style.rows = rows;
	live_print_head(out, &t->live, &t->style);
	putc('\n', out);
	if (t->helps)
		fold_text(out, TOP_KEYS "\n" TOP_COLUMNS "\nany key: back\n", columns);
	else
		t->rows = live_print_table(out, &t->live, t->kind, &t->style);
	alloc_stream_end(out);
	lines_set(&lines, text);
	screen_clear();
	for (size_t i = 0; i < lines.n && i + 1 < rows; i++)
		screen_line(i, lines.line[i], 0, SCREEN_PLAIN);
	snprintf(bar, sizeof(bar), " h: help  q: quit  r f t: table  s: sort (%s)%s  p: pause%s",
		 live_sort_name(t->style.sort), t->live.nevents > 1 ? "  e: event" : "",
		 t->paused ? "d" : "");
	screen_line(rows - 1, bar, 0, SCREEN_BAR);
	screen_show();
	lines_fini(&lines);
}

/* The sampled event after the one that is shown. */
static void top_next_event(struct top *t)
{
	static char label[128];
	struct profiles_error e;
	struct profiles p;

	profiles_init(&p);
	if (!profiles_add(&p, t->live.path, &e)) {
		const struct model *m = &p.model;
		const int now = t->live.event ? model_find_event(m, t->live.event) :
						(int)model_first_sampled(m);

		for (size_t i = 1; i <= m->nevents; i++) {
			const size_t next = ((size_t)(now < 0 ? 0 : now) + i) % m->nevents;

			if (!model_is_sampled(m, next))
				continue;
			snprintf(label, sizeof(label), "%s", m->events[next].label);
			t->live.event = label;
			break;
		}
	}
	profiles_fini(&p);
	live_forget(&t->live);
}

static void top_go(struct top *t, enum live_kind kind)
{
	t->kind = kind;
	t->style.skipped = 0;
}

/* Other rows of the table; one remains. */
static bool top_moves(struct top *t, int key)
{
	const size_t last = t->rows ? t->rows - 1 : 0;
	const size_t page = screen_rows() / 2, at = t->style.skipped;
	size_t to = at;

	switch (key) {
	case SCREEN_UP:
	case 'k': to = at ? at - 1 : 0; break;
	case SCREEN_DOWN:
	case 'j': to = at + 1; break;
	case SCREEN_PAGE_UP: to = at > page ? at - page : 0; break;
	case SCREEN_PAGE_DOWN: to = at + page; break;
	case SCREEN_HOME: to = 0; break;
	case SCREEN_END: to = last; break;
	default: return false;
	}
	t->style.skipped = to < last ? to : last;
	return true;
}

/* Whether to look now. */
static bool top_key(struct top *t, int key)
{
	if (t->helps || top_moves(t, key)) {
		t->helps = t->helps && key == SCREEN_RESIZED;
		return false;
	}
	switch (key) {
	case 'q':
	case SCREEN_ESCAPE: t->left = true; break;
	case 'h':
	case '?':
	case SCREEN_HELP: t->helps = true; break;
	case 'r': top_go(t, LIVE_REGIONS); break;
	case 'f': top_go(t, LIVE_FUNCTIONS); break;
	case 't': top_go(t, LIVE_THREADS); break;
	case '\t': top_go(t, (t->kind + 1) % LIVE_KINDS); break;
	case 's': t->style.sort = (t->style.sort + 1) % LIVE_SORTS; break;
	case 'p': t->paused = !t->paused; break;
	case 'e': top_next_event(t); return true;
	case ' ': return true;
	}
	return false;
}

/* Until the next look is due. */
static bool top_wait(struct top *t)
{
	const uint64_t until = clock_ns(CLOCK_MONOTONIC) + (uint64_t)(top_delay(t) * 1e9);

	while (!t->left) {
		const uint64_t now = clock_ns(CLOCK_MONOTONIC);
		const uint64_t ms = until > now ? (until - now) / 1000000 : 0;
		int key;

		if (!ms && !t->paused && !t->live.ended)
			return true;
		key = screen_key(ms && ms < STEP_MS ? (int)ms : STEP_MS);
		if (key == SCREEN_NONE)
			continue;
		if (top_key(t, key))
			return true;
		top_draw(t);
	}
	return false;
}

static int top_screen(struct top *t)
{
	int err = screen_open();

	if (err)
		return command_fails("top", screen_refusal(err),
				     err == -ENODEV ? "set TERM, or use ompcount top --batch" :
						      "use ompcount top --batch");
	t->style.colour = screen_colours();
	for (unsigned long i = 1; !err; i++) {
		top_draw(t);
		if ((t->times && i >= t->times) || !top_wait(t))
			break;
		err = top_look(t);
	}
	screen_close();
	return err ? command_line_failed("top", err) : 0;
}

int cmd_top(int argc, char **argv)
{
	struct top t = { .delay_s = 2 };
	char *path = NULL;
	int status = top_parse(argc, argv, &t), err;

	if (status)
		return status < 0 ? command_line_help(help) : status;
	status = top_find(argv + optind, (size_t)(argc - optind), &path);
	if (status)
		return status;
	t.live.path = path;
	t.live.event = t.event;
	t.style.rows = t.batch ? TEN_ROWS : 0;
	err = live_look(&t.live);
	if (err == -EINVAL) {
		status = command_fails(path, t.live.trouble, NULL);
	} else if (err) {
		status = command_line_failed("top", err);
	} else {
		status = t.batch ? top_batch(&t) : top_screen(&t);
	}
	live_fini(&t.live);
	free(path);
	return status;
}
