/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terms.c - parses PMU/term=value,…/ by sysfs's description of the PMU's terms, the bare names of
 * the core PMUs' own events, and the sampling rate in a name.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/event.h"
#include "pmu/name_source.h"
#include "pmu/sysfs.h"

enum { TERMS_BYTES = 512 };

struct terms {
	const char *pmu;
	struct pmu_parsed *p;
};

static int refuse(const struct terms *t, int error, const char *todo, const char *why, ...)
	__attribute__((format(printf, 4, 5)));

static int refuse(const struct terms *t, int error, const char *todo, const char *why, ...)
{
	char text[PMU_REFUSAL_BYTES];
	va_list ap;

	va_start(ap, why);
	vsnprintf(text, sizeof(text), why, ap);
	va_end(ap);
	pmu_refuse(t->p->why, error, t->p->ev->requested, text, todo);
	return -1;
}

static __u64 *word_named(struct perf_event_attr *a, const char *name, size_t length)
{
	if (length == 6 && !memcmp(name, "config", 6))
		return &a->config;
	if (length == 7 && !memcmp(name, "config1", 7))
		return &a->config1;
	if (length == 7 && !memcmp(name, "config2", 7))
		return &a->config2;
	return NULL;
}

/*
 * Stores value in the bits that format names, lowest first: "config:0-7,21". False
 * where the format is invalid, or value has more bits than it.
 */
static bool spread(struct perf_event_attr *a, const char *format, uint64_t value)
{
	const char *colon = strchr(format, ':');
	__u64 *word = colon ? word_named(a, format, (size_t)(colon - format)) : NULL;
	const char *at = colon;

	if (!word)
		return false;
	do {
		char *end;
		unsigned long low = strtoul(at + 1, &end, 10), high = low;

		if (end == at + 1)
			return false;
		if (*end == '-')
			high = strtoul(end + 1, &end, 10);
		if (low > high || high > 63)
			return false;
		for (unsigned long bit = low; bit <= high; bit++, value >>= 1) {
			*word &= ~(UINT64_C(1) << bit);
			*word |= (value & 1) << bit;
		}
		at = end;
	} while (*at == ',');
	return !*at && !value;
}

static int list_name(const char *name, void *arg)
{
	char *text = arg;
	size_t used = strlen(text);

	snprintf(text + used, PMU_REFUSAL_BYTES - used, "%s%s", used ? " " : "", name);
	return 0;
}

static int apply_term(const struct terms *t, const char *name, const char *value)
{
	struct perf_event_attr *a = &t->p->ev->attr;
	__u64 *word = word_named(a, name, strlen(name));
	char format[128], todo[PMU_REFUSAL_BYTES], *end = NULL;
	uint64_t number = 1;

	errno = 0;
	if (value)
		number = strtoull(value, &end, 0);
	if (value && (end == value || *end || errno || *value == '-'))
		return refuse(t, EINVAL, NULL, "the value of %s is no number: %s", name, value);
	if (word) {
		*word = number;
		return 0;
	}
	if (pmu_sysfs_text(t->pmu, "format", name, format, sizeof(format)) <= 0) {
		if (!*name)
			return refuse(t, EINVAL, NULL, "a term between its commas is empty");
		if (!strcmp(name, "period") || !strcmp(name, "freq"))
			return refuse(t, EINVAL, "say period=N or freq=N", "%s wants a number",
				      name);
		snprintf(todo, sizeof(todo), "see ompcount list %s/", t->pmu);
		return refuse(t, EINVAL, todo, "PMU %s knows no term or event %s", t->pmu, name);
	}
	if (!spread(a, format, number))
		return refuse(t, ERANGE, NULL, "%s=%#llx does not fit (%s has %s)", name,
			      (unsigned long long)number, t->pmu, format);
	return 0;
}

static int apply_terms(const struct terms *t, char *text, bool aliases);

/* Applies an event of the PMU, which is a list of terms in a file of its own. */
static int apply_alias(const struct terms *t, const char *name, bool *found)
{
	char text[TERMS_BYTES];

	*found = pmu_sysfs_text(t->pmu, "events", name, text, sizeof(text)) > 0;
	return *found ? apply_terms(t, text, false) : 0;
}

static int apply_terms(const struct terms *t, char *text, bool aliases)
{
	char *rest = text, *term;

	while ((term = strsep(&rest, ","))) {
		char *value = strchr(term, '=');
		bool found = false;

		if (value)
			*value++ = 0;
		if (value && *value == '?')
			return refuse(t, EINVAL, "give all of its terms in full",
				      "it wants a value for %s", term);
		if (aliases && !value && apply_alias(t, term, &found))
			return -1;
		if (!found && apply_term(t, term, value))
			return -1;
	}
	return 0;
}

static int resolve(const struct terms *t, char *terms)
{
	struct perf_event_attr *a = &t->p->ev->attr;
	char names[PMU_REFUSAL_BYTES] = "", todo[PMU_REFUSAL_BYTES];

	if (pmu_sysfs_type(t->pmu, &a->type)) {
		pmu_sysfs_each_pmu(list_name, names);
		snprintf(todo, sizeof(todo), "it has: %.140s", names);
		return refuse(t, ENOENT, *names ? todo : NULL, "this machine has no PMU named %s",
			      t->pmu);
	}
	if (pmu_sysfs_is_uncore(t->pmu))
		return refuse(t, EINVAL, "see ompcount list",
			      "PMU %s counts for whole packages or CPUs, not for threads", t->pmu);
	if (a->type == PERF_TYPE_TRACEPOINT || a->type == PERF_TYPE_BREAKPOINT)
		return refuse(t, EINVAL, NULL, "%ss are not sampled here", t->pmu);
	if (pmu_sysfs_is_core(t->pmu) && pmu_sysfs_kinds() > 1)
		t->p->ev->core = a->type;
	return apply_terms(t, terms, true);
}

enum pmu_answer pmu_sysfs_parse(const char *name, size_t length, struct pmu_parsed *p)
{
	const char *slash = memchr(name, '/', length);
	char pmu[PMU_SYSFS_NAME_BYTES], terms[TERMS_BYTES];
	struct terms t = { .pmu = pmu, .p = p };
	size_t inside;

	if (!slash)
		return PMU_NOT_MINE;
	inside = length - (size_t)(slash + 1 - name);
	if (slash == name || inside < 2 || name[length - 1] != '/' ||
	    memchr(slash + 1, '/', inside - 1) || (size_t)(slash - name) >= sizeof(pmu) ||
	    inside > sizeof(terms)) {
		refuse(&t, EINVAL, "write PMU/TERM=VALUE,.../, as cpu/event=0x3c/",
		       "no event of that form is known");
		return PMU_REFUSED;
	}
	snprintf(pmu, sizeof(pmu), "%.*s", (int)(slash - name), name);
	snprintf(terms, sizeof(terms), "%.*s", (int)inside - 1, slash + 1);
	return resolve(&t, terms) ? PMU_REFUSED : PMU_MINE;
}

struct bare {
	const char *name;
	char pmu[PMU_SYSFS_NAME_BYTES];
};

static int core_pmu_with(const char *pmu, void *arg)
{
	struct bare *b = arg;
	char text[TERMS_BYTES];

	if (!pmu_sysfs_is_core(pmu) ||
	    pmu_sysfs_text(pmu, "events", b->name, text, sizeof(text)) <= 0)
		return 0;
	snprintf(b->pmu, sizeof(b->pmu), "%s", pmu);
	return 1;
}

enum pmu_answer pmu_sysfs_parse_bare(const char *name, size_t length, struct pmu_parsed *p)
{
	char event[PMU_SYSFS_NAME_BYTES];
	struct bare b = { .name = event };
	struct terms t = { .pmu = b.pmu, .p = p };

	if (length >= sizeof(event))
		return PMU_NOT_MINE;
	snprintf(event, sizeof(event), "%.*s", (int)length, name);
	if (pmu_sysfs_each_pmu(core_pmu_with, &b) <= 0)
		return PMU_NOT_MINE;
	if (resolve(&t, event))
		return PMU_REFUSED;
	p->ev->core = 0;
	snprintf(p->ev->own, sizeof(p->ev->own), "%.*s", (int)length, name);
	return PMU_MINE;
}

int pmu_sysfs_own(const char *pmu, const char *event, struct pmu_event *ev)
{
	struct pmu_refusal why;
	struct pmu_event on = *ev;
	struct pmu_parsed p = { .ev = &on, .why = &why };
	const struct terms t = { .pmu = pmu, .p = &p };
	char terms[TERMS_BYTES];

	if (pmu_sysfs_text(pmu, "events", event, terms, sizeof(terms)) <= 0)
		return -ENOENT;
	on.attr.config = on.attr.config1 = on.attr.config2 = 0;
	snprintf(terms, sizeof(terms), "%s", event);
	if (resolve(&t, terms))
		return -ENOENT;
	*ev = on;
	return 0;
}

struct taken {
	const char *name;
	struct pmu_rate rate;
	bool any;
	struct pmu_refusal *why;
};

/* Whether the term is `what='; if so, reads its number. */
static int take_number(struct taken *t, const char *term, size_t length, const char *what,
		       uint64_t most, uint64_t *number)
{
	const size_t used = strlen(what);
	char *end;

	if (length < used || strncmp(term, what, used))
		return 0;
	errno = 0;
	*number = strtoull(term + used, &end, 0);
	if (!isdigit((unsigned char)term[used]) || end != term + length || errno || !*number ||
	    *number > most) {
		pmu_refuse_because(t->why, EINVAL, t->name, "give a whole number of 1 or more",
				   "that is no way to sample: %.*s", (int)length, term);
		return -1;
	}
	t->any = true;
	return 1;
}

static int take_term(struct taken *t, const char *term, size_t length)
{
	uint64_t number;
	int answer = take_number(t, term, length, "period=", UINT64_MAX, &number);

	if (answer > 0)
		t->rate.period = number;
	if (answer)
		return answer;
	answer = take_number(t, term, length, "freq=", UINT32_MAX, &number);
	if (answer > 0)
		t->rate.freq_hz = (uint32_t)number;
	return answer;
}

/* Copies the text between the slashes to `to', without the terms that are taken.
   Returns its end, or NULL with *why. */
static char *copy_rest(struct taken *t, const char *from, const char *end, char *to)
{
	const char *const begin = to;

	while (from <= end) {
		const char *comma = memchr(from, ',', (size_t)(end - from));
		const size_t length = (size_t)((comma ? comma : end) - from);
		const int taken = take_term(t, from, length);

		if (taken < 0)
			return NULL;
		if (!taken) {
			if (to != begin)
				*to++ = ',';
			memcpy(to, from, length);
			to += length;
		}
		from += length + 1;
	}
	return to;
}

int pmu_own_rate(const char *name, struct pmu_rate *rate, char bare[PMU_BARE_BYTES],
		 struct pmu_refusal *why)
{
	const char *first = strchr(name, '/'), *last = strrchr(name, '/');
	struct taken t = { .name = name, .why = why };
	char *rest, *to;

	if (strlen(name) > PMU_BARE_BYTES - 2) {
		pmu_refuse(why, E2BIG, "event", "its name is too long", NULL);
		return -1;
	}
	strcpy(bare, name);
	if (first == last)
		return 0;
	rest = bare + (first + 1 - name);
	to = copy_rest(&t, first + 1, last, rest);
	if (!to)
		return -1;
	if (!t.any) {
		strcpy(bare, name);
		return 0;
	}
	/* Where no slashes remain, a colon precedes the modifiers. */
	if (to == rest)
		sprintf(rest - 1, "%s%s", isalnum((unsigned char)last[1]) ? ":" : "", last + 1);
	else
		sprintf(to, "/%s", last + 1);
	*rate = t.rate;
	return 0;
}
