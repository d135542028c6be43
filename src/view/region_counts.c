/* SPDX-License-Identifier: BSD-3-Clause */
/* region_counts.c - the sums of a region's entries, and what is not known of them. */
#include "config.h"

#include "src/view/region_counts.h"

#include "src/profile/reader/reader.h"

void region_counts_entries(struct region_counts *c, uint64_t entries, uint64_t ns, bool known)
{
	c->entries = prof_add(c->entries, entries);
	c->elapsed_ns = prof_add(c->elapsed_ns, ns);
	c->elapsed_unknown = c->elapsed_unknown || !known;
}

void region_counts_teams(struct region_counts *c, uint32_t least, uint32_t most, uint64_t sum)
{
	if (least && (!c->team_least || least < c->team_least))
		c->team_least = least;
	if (most > c->team_most)
		c->team_most = most;
	c->team_sum = prof_add(c->team_sum, sum);
}

void region_counts_team_time(struct region_counts *c, double ns, double team_ns, uint64_t threads,
			     bool known)
{
	c->team_unknown = c->team_unknown || !known;
	c->team_ns += team_ns;
	c->wide_ns += ns * (double)threads;
}

void region_counts_open(struct region_counts *c, uint64_t ns, uint32_t team, uint64_t threads)
{
	c->open_ns = prof_add(c->open_ns, ns);
	region_counts_teams(c, team, team, 0);
	region_counts_team_time(c, (double)ns, (double)ns * team, threads, team);
}

void region_counts_alone(struct region_counts *c, uint32_t p)
{
	c->alone = c->alone ? c->alone : p + 1;
}

void region_counts_add(struct region_counts *a, const struct region_counts *b)
{
	a->entries = prof_add(a->entries, b->entries);
	a->elapsed_ns = prof_add(a->elapsed_ns, b->elapsed_ns);
	a->open_ns = prof_add(a->open_ns, b->open_ns);
	a->team_ns += b->team_ns;
	a->wide_ns += b->wide_ns;
	a->elapsed_unknown = a->elapsed_unknown || b->elapsed_unknown;
	a->team_unknown = a->team_unknown || b->team_unknown;
	a->sampled = a->sampled || b->sampled;
	region_counts_teams(a, b->team_least, b->team_most, b->team_sum);
	a->fewer = prof_add(a->fewer, b->fewer);
	a->asked = prof_add(a->asked, b->asked);
	a->resized = prof_add(a->resized, b->resized);
	a->alone = a->alone ? a->alone : b->alone;
}

void region_counts_forget(struct region_counts *c, bool entries, bool teams)
{
	if (entries) {
		c->entries = c->elapsed_ns = c->team_sum = 0;
		c->elapsed_unknown = true;
	}
	if (teams)
		c->team_least = c->team_most = 0;
}

bool region_counts_lasted(const struct region_counts *c)
{
	return c->entries || c->open_ns;
}

bool region_counts_timed(const struct region_counts *c)
{
	return !c->elapsed_unknown && !c->team_unknown;
}
