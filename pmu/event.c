/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pmu/event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/generic.h"
#include "pmu/name_source.h"
#include "pmu/pfm.h"

/* The kernel's clock events have no shorter period (kernel/events/core.c). */
enum { CLOCK_PERIOD_MIN_NS = 10000 };

static enum pmu_answer parse_wall(const char *name, size_t length, struct pmu_parsed *p)
{
	if (length != 4 || memcmp(name, "wall", 4))
		return PMU_NOT_MINE;
	p->ev->kind = PMU_WALL;
	p->ev->unit_ns = true;
	p->nature = PMU_NATURE_NO_SIDES | PMU_NATURE_NO_PRECISE;
	return PMU_MINE;
}

static enum pmu_answer parse_generic(const char *name, size_t length, struct pmu_parsed *p)
{
	const struct pmu_generic *g = pmu_generic_find(name, length);

	if (!g)
		return PMU_NOT_MINE;
	if (g->flags & PMU_GENERIC_SILENT) {
		pmu_refuse(p->why, EINVAL, g->name, g->description, NULL);
		return PMU_REFUSED;
	}
	p->ev->attr.type = g->type;
	p->ev->attr.config = g->config;
	return PMU_MINE;
}

static enum pmu_answer parse_cache(const char *name, size_t length, struct pmu_parsed *p)
{
	uint64_t config;

	if (pmu_cache_find(name, length, &config))
		return PMU_NOT_MINE;
	p->ev->attr.type = PERF_TYPE_HW_CACHE;
	p->ev->attr.config = config;
	return PMU_MINE;
}

static enum pmu_answer parse_raw(const char *name, size_t length, struct pmu_parsed *p)
{
	uint64_t config = 0;

	if (length < 2 || length > 17 || name[0] != 'r')
		return PMU_NOT_MINE;
	for (size_t i = 1; i < length; i++) {
		if (!isxdigit((unsigned char)name[i]))
			return PMU_NOT_MINE;
		config = config << 4 |
			 (uint64_t)(isdigit((unsigned char)name[i]) ? name[i] - '0' :
								      (name[i] | 32) - 'a' + 10);
	}
	p->ev->attr.type = PERF_TYPE_RAW;
	p->ev->attr.config = config;
	p->ev->raw = true;
	return PMU_MINE;
}

/* Cheapest first: the usual names are found without reading files. */
static enum pmu_answer (*const parsers[])(const char *, size_t, struct pmu_parsed *) = {
	parse_wall,	 parse_generic,	       parse_cache,   parse_raw,
	pmu_sysfs_parse, pmu_sysfs_parse_bare, pmu_pfm_parse,
};

enum { NPARSERS = sizeof(parsers) / sizeof(parsers[0]), NBUILTIN = 4 };

enum { LETTERS_BYTES = 16 };

/* The letters after a name: u k p pp ppp. */
struct modifiers {
	bool user;
	bool kernel;
	unsigned precise; /* 0 … 3: perf_event_attr.precise_ip */
};

/* perf's further modifiers, and why they are not supported. */
static const struct {
	char letter;
	const char *why;
} refused[] = {
	{ 'h', "modifier h (hypervisor): a program's own thread never runs there" },
	{ 'G', "modifier G (guest): a program's own thread never runs there" },
	{ 'H', "modifier H (host): a program's own thread runs nowhere else" },
	{ 'P', "modifier P (as precise as can be) is not known here" },
	{ 'I', "modifier I (not when idle): a program's own thread is never the idle one" },
	{ 'S', "modifier S (read the group with each sample) is perf record's" },
	{ 'D', "modifier D (pinned) is not known here" },
	{ 'W', "modifier W (weak group) is perf record's" },
	{ 'e', "modifier e (exclusive) is not known here" },
};

/*
 * Reads length letters into *m (cleared first). 0, or -1 with *why for a letter that is no
 * modifier, or one of perf's that has no meaning for a thread's own counters.
 */
static int parse_modifiers(const char *text, size_t length, const struct pmu_event *ev,
			   struct modifiers *m, struct pmu_refusal *why)
{
	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < length; i++) {
		char unknown[40];
		const char *reason = unknown;

		switch (text[i]) {
		case 'u': m->user = true; continue;
		case 'k': m->kernel = true; continue;
		case 'p':
			if (m->precise++ < 3)
				continue;
			pmu_refuse(why, EINVAL, ev->requested,
				   "more precise than ppp there is nothing", "use p, pp or ppp");
			return -1;
		}
		snprintf(unknown, sizeof(unknown), "modifier %c is none", text[i]);
		for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++)
			if (refused[k].letter == text[i])
				reason = refused[k].why;
		pmu_refuse(why, EINVAL, ev->requested, reason,
			   "use u (user), k (kernel), p or pp (precise), or none");
		return -1;
	}
	return 0;
}

/*
 * Returns the length of the name without its modifiers, which are collected in
 * letters: after PMU/…/ with or without a colon, else the last parts between colons
 * (libpfm4 writes :u:k). libpfm4's names contain colons, so only parts that can be
 * nothing else are cut off.
 */
static size_t split_name(const char *name, char letters[LETTERS_BYTES])
{
	const char *cut = strrchr(name, '/');
	size_t length = strlen(name);

	letters[0] = 0;
	if (cut) {
		snprintf(letters, LETTERS_BYTES, "%s", cut + 1 + (cut[1] == ':'));
		return (size_t)(cut + 1 - name);
	}
	while ((cut = memrchr(name, ':', length))) {
		size_t part = length - (size_t)(cut + 1 - name);
		size_t used = strlen(letters);

		if (part == 0 || strspn(cut + 1, "ukp") < part || used + part >= LETTERS_BYTES)
			break;
		memcpy(letters + used, cut + 1, part);
		letters[used + part] = 0;
		length = (size_t)(cut - name);
	}
	return length;
}

/* Looks a software event's nature up by its code: it has other names, too. */
static void note_nature(struct pmu_parsed *p)
{
	const struct perf_event_attr *a = &p->ev->attr;
	const struct pmu_generic *g;

	if (p->ev->kind != PMU_PERF || a->type != PERF_TYPE_SOFTWARE)
		return;
	g = pmu_generic_coded(a->type, a->config);
	p->nature |= PMU_NATURE_NO_PRECISE;
	p->ev->unit_ns = g && g->flags & PMU_GENERIC_CLOCK;
	if (g && g->flags & PMU_GENERIC_KERNEL)
		p->nature |= PMU_NATURE_KERNEL;
}

static enum pmu_answer ask(size_t nparsers, const char *name, size_t length, struct pmu_parsed *p)
{
	enum pmu_answer a = PMU_NOT_MINE;

	for (size_t i = 0; i < nparsers && a == PMU_NOT_MINE; i++)
		a = parsers[i](name, length, p);
	return a;
}

/* After one of the kernel's own names only modifiers can follow; split_name() left the
   text there since it is no known modifier. */
static bool refuse_letters(const char *name, size_t length, struct pmu_parsed *p)
{
	const char *colon = memchr(name, ':', length);
	struct pmu_event scratch = { .kind = PMU_PERF };
	struct pmu_parsed builtin = { .ev = &scratch };
	struct modifiers m;

	return colon && !memchr(name, '/', length) &&
	       ask(NBUILTIN, name, (size_t)(colon - name), &builtin) == PMU_MINE &&
	       parse_modifiers(colon + 1, length - (size_t)(colon + 1 - name), p->ev, &m, p->why);
}

static int parse_name(const char *name, size_t length, struct pmu_parsed *p)
{
	const char *colon = memchr(name, ':', length);
	char meant[PMU_NAME_BYTES], todo[PMU_REFUSAL_BYTES];
	enum pmu_answer a;

	if (refuse_letters(name, length, p))
		return -1;
	a = ask(NPARSERS, name, length, p);
	if (a == PMU_NOT_MINE) {
		pmu_suggest(name, colon ? (size_t)(colon - name) : length, meant, sizeof(meant));
		snprintf(todo, sizeof(todo),
			 *meant ? "did you mean %s? See ompcount list" : "see ompcount list%s",
			 meant);
		pmu_refuse(p->why, ENOENT, p->ev->requested,
			   pmu_pfm_loaded() ? "no event of that name is known" :
					      "no event of that name is known "
					      "(libpfm4, which knows more, is not installed)",
			   todo);
	}
	if (a != PMU_MINE)
		return -1;
	note_nature(p);
	return 0;
}

static int apply_modifiers(struct pmu_parsed *p, const struct modifiers *m)
{
	struct perf_event_attr *a = &p->ev->attr;
	const char *text = NULL, *todo = NULL;

	if (m->precise && p->nature & PMU_NATURE_NO_PRECISE) {
		text = "p asks the hardware for the exact instruction; "
		       "this event is the kernel's own";
		todo = "leave p out";
	} else if ((m->user || m->kernel) && p->nature & PMU_NATURE_NO_SIDES) {
		text = "this clock runs on wherever the thread is";
		todo = "leave u and k out";
	} else if (m->user && !m->kernel && p->nature & PMU_NATURE_KERNEL) {
		text = "it happens in the kernel only: with u none would be counted";
		todo = "leave u out";
	}
	if (text) {
		pmu_refuse(p->why, EINVAL, p->ev->requested, text, todo);
		return -1;
	}
	if (p->nature & PMU_NATURE_NO_SIDES)
		return 0;
	a->exclude_kernel = !m->kernel && !(p->nature & PMU_NATURE_KERNEL);
	a->exclude_user = m->kernel && !m->user;
	a->exclude_hv = 1;
	a->precise_ip = m->precise & 3;
	return 0;
}

/* Appends :u where the kernel is left out, as perf does, and :uk where both sides are
   asked for, since a name without letters means :u here. */
static void make_label(struct pmu_parsed *p, const char *name, size_t length)
{
	struct pmu_event *ev = p->ev;
	const struct perf_event_attr *a = &ev->attr;
	char tail[8] = ":", *t = tail + 1;
	int room;

	if (!(p->nature & (PMU_NATURE_NO_SIDES | PMU_NATURE_KERNEL)) && !a->exclude_user)
		*t++ = 'u';
	if (!(p->nature & PMU_NATURE_NO_SIDES) && !a->exclude_kernel &&
	    (!(p->nature & PMU_NATURE_KERNEL) || a->exclude_user))
		*t++ = 'k';
	for (unsigned i = 0; i < a->precise_ip; i++)
		*t++ = 'p';
	if (t == tail + 1)
		t = tail;
	*t = 0;
	room = PMU_NAME_BYTES - 1 - (int)(t - tail);
	if (length > (size_t)room)
		snprintf(ev->label, sizeof(ev->label), "%.*s~%s", room - 1, name, tail);
	else
		snprintf(ev->label, sizeof(ev->label), "%.*s%s", (int)length, name, tail);
}

static int apply_rate(struct pmu_event *ev, const struct pmu_rate *rate, struct pmu_refusal *why)
{
	const char *name = ev->requested;

	if (!rate->freq_hz == !rate->period) {
		pmu_refuse(why, EINVAL, name,
			   rate->period ? "a rate and a period at once" :
					  "a rate of 0 takes no samples",
			   "ask for a rate, or for a period, of 1 or more");
		return -1;
	}
	if (rate->freq_hz > PMU_FREQ_MAX_HZ) {
		pmu_refuse_because(why, EINVAL, name, "997 is the default",
				   "%u samples a second are too many: %u at most", rate->freq_hz,
				   PMU_FREQ_MAX_HZ);
		return -1;
	}
	if (rate->period >> 63) {
		pmu_refuse(why, EINVAL, name, "a period that long never ends",
			   "ask for less than 2^63");
		return -1;
	}
	if (ev->unit_ns && rate->period && rate->period < CLOCK_PERIOD_MIN_NS) {
		pmu_refuse_because(
			why, EINVAL, name, NULL,
			"a clock's period of %llu ns is too short: the kernel's least is %d",
			(unsigned long long)rate->period, CLOCK_PERIOD_MIN_NS);
		return -1;
	}
	ev->period = rate->period;
	ev->freq_hz = rate->freq_hz;
	if (ev->unit_ns && rate->freq_hz) {
		ev->period = (1000000000u + rate->freq_hz / 2) / rate->freq_hz;
		ev->freq_hz = 0;
	}
	return 0;
}

int pmu_event_parse(const char *name, const struct pmu_rate *rate, struct pmu_event *ev,
		    struct pmu_refusal *why)
{
	struct pmu_parsed p = { .ev = ev, .why = why };
	struct pmu_rate own = *rate;
	struct modifiers m;
	char letters[LETTERS_BYTES], bare[PMU_BARE_BYTES];
	size_t length;

	memset(ev, 0, sizeof(*ev));
	snprintf(ev->requested, sizeof(ev->requested), "%s", name);
	if (pmu_own_rate(name, &own, bare, why))
		return -1;
	name = bare;
	length = split_name(name, letters);
	if (!length) {
		pmu_refuse(why, EINVAL, "event", "its name is empty", "see ompcount list");
		return -1;
	}
	ev->attr.size = sizeof(ev->attr);
	ev->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (parse_name(name, length, &p) ||
	    parse_modifiers(letters, strlen(letters), ev, &m, why) || apply_modifiers(&p, &m) ||
	    apply_rate(ev, &own, why))
		return -1;
	pmu_ibs_fit(ev);
	make_label(&p, name, length);
	return 0;
}

int pmu_event_parse_list(const char *list, const struct pmu_rate *rate, struct pmu_event *evs,
			 int max, struct pmu_refusal *why)
{
	char name[512];
	int n = 0;

	for (;;) {
		size_t length = 0;

		/* A comma ends the name, but not within PMU/…/. */
		for (bool within = false; list[length] && (within || list[length] != ','); length++)
			if (list[length] == '/')
				within = !within;

		if (n == max) {
			pmu_refuse_because(why, E2BIG, "events",
					   "leave some out, and measure them in another run",
					   "there are more than %d, which is the most at once",
					   PMU_EVENTS_MAX);
			return -1;
		}
		if (length >= sizeof(name)) {
			pmu_refuse(why, E2BIG, "events", "one's name is longer than 511 bytes",
				   "see ompcount list");
			return -1;
		}
		memcpy(name, list, length);
		name[length] = 0;
		if (pmu_event_parse(name, rate, &evs[n], why))
			return -1;
		n++;
		if (!list[length])
			return n;
		list += length + 1;
	}
}
