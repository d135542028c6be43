/*
 * event.c - names, modifiers and rates to what the kernel is asked to count.
 */
#include "config.h"

#include "pmu/event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/generic.h"
#include "pmu/modifier.h"
#include "pmu/source.h"

/* The kernel's own timers do no less (kernel/events/core.c). */
enum { CLOCK_PERIOD_MIN_NS = 10000 };

static enum pmu_answer parse_wall(const char *name, size_t length,
				  struct pmu_parsed *p)
{
	if (length != 4 || memcmp(name, "wall", 4))
		return PMU_NOT_MINE;
	p->ev->kind = PMU_WALL;
	p->ev->unit_ns = true;
	p->nature = PMU_NATURE_NO_SIDES | PMU_NATURE_NO_PRECISE;
	return PMU_MINE;
}

static enum pmu_answer parse_generic(const char *name, size_t length,
				     struct pmu_parsed *p)
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
	p->ev->unit_ns = g->flags & PMU_GENERIC_CLOCK;
	if (g->type == PERF_TYPE_SOFTWARE)
		p->nature |= PMU_NATURE_NO_PRECISE;
	if (g->flags & PMU_GENERIC_KERNEL)
		p->nature |= PMU_NATURE_KERNEL;
	return PMU_MINE;
}

static enum pmu_answer parse_cache(const char *name, size_t length,
				   struct pmu_parsed *p)
{
	uint64_t config;

	if (pmu_cache_find(name, length, &config))
		return PMU_NOT_MINE;
	p->ev->attr.type = PERF_TYPE_HW_CACHE;
	p->ev->attr.config = config;
	return PMU_MINE;
}

static enum pmu_answer parse_raw(const char *name, size_t length,
				 struct pmu_parsed *p)
{
	uint64_t config = 0;

	if (length < 2 || length > 17 || name[0] != 'r')
		return PMU_NOT_MINE;
	for (size_t i = 1; i < length; i++) {
		if (!isxdigit((unsigned char)name[i]))
			return PMU_NOT_MINE;
		config = config << 4 |
			 (uint64_t)(isdigit((unsigned char)name[i]) ?
				    name[i] - '0' : (name[i] | 32) - 'a' + 10);
	}
	p->ev->attr.type = PERF_TYPE_RAW;
	p->ev->attr.config = config;
	return PMU_MINE;
}

/* Cheapest first: the usual names are found without a look at the disk. */
static enum pmu_answer (*const parsers[])(const char *, size_t,
					  struct pmu_parsed *) = {
	parse_wall, parse_generic, parse_cache, parse_raw,
};

enum { NPARSERS = sizeof(parsers) / sizeof(parsers[0]) };

/* The end of the name proper; what follows, after an optional colon, are
   modifiers.  libpfm4's names have colons within, so only a last part that is
   nothing but modifiers' letters is cut off. */
static size_t name_length(const char *name, const char **modifiers)
{
	const char *cut = strrchr(name, '/');

	if (cut) {
		*modifiers = cut[1] == ':' ? cut + 2 : cut + 1;
		return (size_t)(cut + 1 - name);
	}
	cut = strrchr(name, ':');
	if (cut && pmu_modifiers_look(cut + 1, strlen(cut + 1))) {
		*modifiers = cut + 1;
		return (size_t)(cut - name);
	}
	*modifiers = "";
	return strlen(name);
}

static int parse_name(const char *name, size_t length, struct pmu_parsed *p)
{
	for (size_t i = 0; i < NPARSERS; i++) {
		enum pmu_answer a = parsers[i](name, length, p);

		if (a != PMU_NOT_MINE)
			return a == PMU_MINE ? 0 : -1;
	}
	return 1;
}

/* A name that is known up to a colon had something wrong after it. */
static int refuse_unknown(const char *name, size_t length, struct pmu_parsed *p)
{
	const char *colon = memchr(name, ':', length);
	struct pmu_event scratch = { .kind = PMU_PERF };
	struct pmu_parsed probe = { .ev = &scratch };
	struct pmu_modifiers m;

	if (colon && !parse_name(name, (size_t)(colon - name), &probe) &&
	    pmu_modifiers_parse(colon + 1, length - (size_t)(colon + 1 - name),
				p->ev->requested, &m, p->why))
		return -1;
	pmu_refuse(p->why, ENOENT, p->ev->requested, "no event of that name is known",
		   "see ompcount list");
	return -1;
}

static int refuse_modifier(struct pmu_parsed *p, const char *text, const char *todo)
{
	pmu_refuse(p->why, EINVAL, p->ev->requested, text, todo);
	return -1;
}

static int apply_modifiers(struct pmu_parsed *p, const struct pmu_modifiers *m)
{
	struct perf_event_attr *a = &p->ev->attr;

	if (m->precise && p->nature & PMU_NATURE_NO_PRECISE)
		return refuse_modifier(p, "p asks the hardware for the exact "
				       "instruction; this event is the kernel's own",
				       "leave p out");
	if ((m->user || m->kernel) && p->nature & PMU_NATURE_NO_SIDES)
		return refuse_modifier(p, "this clock runs on wherever the thread is",
				       "leave u and k out");
	if (m->user && !m->kernel && p->nature & PMU_NATURE_KERNEL)
		return refuse_modifier(p, "it happens in the kernel only: with u "
				       "none would be counted", "leave u out");
	if (p->nature & PMU_NATURE_NO_SIDES)
		return 0;
	a->exclude_kernel = !m->kernel && !(p->nature & PMU_NATURE_KERNEL);
	a->exclude_user = m->kernel && !m->user;
	a->exclude_hv = 1;
	a->precise_ip = m->precise & 3;
	return 0;
}

/* :u where the kernel's share is left out, as perf spells it; :uk where both
   sides are asked for, since a name without letters means :u here. */
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

static int refuse_rate(const struct pmu_event *ev, const char *text,
		       const char *todo, struct pmu_refusal *why)
{
	pmu_refuse(why, EINVAL, ev->requested, text, todo);
	return -1;
}

static int apply_rate(struct pmu_event *ev, const struct pmu_rate *rate,
		      struct pmu_refusal *why)
{
	char text[PMU_REFUSAL_BYTES];

	if (!rate->freq_hz == !rate->period)
		return refuse_rate(ev, rate->period ? "a rate and a period at once" :
				   "a rate of 0 takes no samples",
				   "ask for a rate from 1 up, or for a period", why);
	if (rate->freq_hz > PMU_FREQ_MAX_HZ) {
		snprintf(text, sizeof(text), "%u samples a second are too many: "
			 "%u at most", rate->freq_hz, PMU_FREQ_MAX_HZ);
		return refuse_rate(ev, text, "997 is the default", why);
	}
	if (rate->period >> 63)
		return refuse_rate(ev, "a period that long never ends",
				   "ask for less than 2^63", why);
	if (ev->unit_ns && rate->period && rate->period < CLOCK_PERIOD_MIN_NS) {
		snprintf(text, sizeof(text), "%llu ns are too short a period for a "
			 "clock: the kernel's least is %d",
			 (unsigned long long)rate->period, CLOCK_PERIOD_MIN_NS);
		return refuse_rate(ev, text, NULL, why);
	}
	ev->period = rate->period;
	ev->freq_hz = rate->freq_hz;
	if (ev->unit_ns && rate->freq_hz) {
		ev->period = (1000000000u + rate->freq_hz / 2) / rate->freq_hz;
		ev->freq_hz = 0;
	}
	return 0;
}

int pmu_event_parse(const char *name, const struct pmu_rate *rate,
		    struct pmu_event *ev, struct pmu_refusal *why)
{
	struct pmu_parsed p = { .ev = ev, .why = why };
	struct pmu_modifiers m;
	const char *letters;
	size_t length = name_length(name, &letters);
	int known;

	memset(ev, 0, sizeof(*ev));
	snprintf(ev->requested, sizeof(ev->requested), "%s", name);
	if (!length) {
		pmu_refuse(why, EINVAL, "event", "its name is empty", "see ompcount list");
		return -1;
	}
	ev->attr.size = sizeof(ev->attr);
	ev->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING;
	known = parse_name(name, length, &p);
	if (known)
		return known < 0 ? -1 : refuse_unknown(name, length, &p);
	if (pmu_modifiers_parse(letters, strlen(letters), ev->requested, &m, why) ||
	    apply_modifiers(&p, &m) || apply_rate(ev, rate, why))
		return -1;
	make_label(&p, name, length);
	return 0;
}

/* A comma ends a name, but not within PMU/…/. */
static size_t item_length(const char *list)
{
	bool within = false;
	size_t i;

	for (i = 0; list[i] && (within || list[i] != ','); i++)
		if (list[i] == '/')
			within = !within;
	return i;
}

int pmu_event_parse_list(const char *list, const struct pmu_rate *rate,
			 struct pmu_event *evs, int max, struct pmu_refusal *why)
{
	char name[512];
	int n = 0;

	for (;;) {
		size_t length = item_length(list);

		if (n == max || length >= sizeof(name)) {
			pmu_refuse(why, E2BIG, "events", n == max ? "there are more "
				   "than can be sampled together" :
				   "one's name is longer than 511 bytes", NULL);
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
