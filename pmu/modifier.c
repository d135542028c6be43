/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modifier.c - the letters after an event's name.
 */
#include "config.h"

#include "pmu/modifier.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* perf's further modifiers, and why they are not supported. */
static const struct {
	char letter;
	const char *why;
} refused[] = {
	{ 'h', "modifier h (hypervisor): a program's own thread never runs there" },
	{ 'G', "modifier G (guest): a program's own thread never runs there" },
	{ 'H', "modifier H (host): a program's own thread runs nowhere else" },
	{ 'P', "modifier P (as precise as can be) is not known here" },
	{ 'I', "modifier I (not when idle): a program's own thread is never the "
	       "idle one" },
	{ 'S', "modifier S (read the group with each sample) is perf record's" },
	{ 'D', "modifier D (pinned) is not known here" },
	{ 'W', "modifier W (weak group) is perf record's" },
	{ 'e', "modifier e (exclusive) is not known here" },
};

enum { NREFUSED = sizeof(refused) / sizeof(refused[0]) };

static const char *refusal_of(char letter)
{
	for (size_t i = 0; i < NREFUSED; i++)
		if (refused[i].letter == letter)
			return refused[i].why;
	return NULL;
}

bool pmu_modifiers_look(const char *text, size_t length)
{
	return length > 0 && strspn(text, "ukp") >= length;
}

static int refuse(const char *event, char letter, struct pmu_refusal *why)
{
	const char *known = refusal_of(letter);
	char unknown[40];

	snprintf(unknown, sizeof(unknown), "modifier %c is none", letter);
	pmu_refuse(why, EINVAL, event, known ? known : unknown,
		   "use u (user), k (kernel), p or pp (precise), or none");
	return -1;
}

int pmu_modifiers_parse(const char *text, size_t length, const char *event, struct pmu_modifiers *m,
			struct pmu_refusal *why)
{
	memset(m, 0, sizeof(*m));
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case 'u': m->user = true; break;
		case 'k': m->kernel = true; break;
		case 'p':
			if (m->precise++ < 3)
				break;
			pmu_refuse(why, EINVAL, event,
				   "more precise than ppp there "
				   "is nothing",
				   "use p, pp or ppp");
			return -1;
		default: return refuse(event, text[i], why);
		}
	}
	return 0;
}
