/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * look.c - prints facts about a profile for scripts, one "name value" per line.
 *
 * look PROFILE…: sums over all of them.  Exit status 1, and a line with the reason, if one
 * is unreadable or damaged, or violates a guarantee of the reader.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/profile/reader/reader.h"
#include "tests/support/promises.h"

static const char *const causes[PROF_LOST_CAUSES] = {
	"lost-no-room", "lost-reentry", "lost-no-thread", "lost-throttled",
	"lost-overrun", "lost-paused",	"lost-own",
};

struct sums {
	uint64_t files, bytes, running, threads, ended, nodes, unfinished;
	uint64_t taken, kept, uncaused, lost[PROF_LOST_CAUSES];
};

static void add(struct sums *s, const struct prof_file *f)
{
	s->files++;
	s->bytes += f->file_bytes;
	s->running += f->header.run == PROF_RUN_RUNNING;
	s->threads += f->nthreads;
	s->nodes += f->nnodes;
	s->unfinished += f->unfinished;
	for (size_t i = 0; i < f->nthreads; i++) {
		const struct prof_thread *t = &f->threads[i].t;

		s->ended += t->end_ns != 0;
		for (unsigned e = 0; e < f->header.nevents; e++)
			s->taken += t->samples[e];
		for (int c = 0; c < PROF_LOST_CAUSES; c++)
			s->lost[c] += t->lost[c];
	}
	for (int c = 0; c < PROF_LOST_CAUSES; c++)
		s->lost[c] += f->header.lost[c];
	for (size_t i = 0; i < f->nnodes; i++)
		if (f->nodes[i].kind == PROF_NODE_LEAF) {
			s->kept += f->nodes[i].a;
			s->uncaused += f->nodes[i].flags == PROF_CAUSE_NONE ? f->nodes[i].a : 0;
		}
	for (size_t i = 0; i < f->ntexts; i++)
		if (f->texts[i].kind == PROF_INFO_NOTE)
			printf("note %s\n", f->texts[i].text);
}

static int look(struct sums *s, const char *path)
{
	struct prof_file *f;
	uint32_t version;
	const char *broken = NULL;
	enum prof_read_error err = prof_read(path, &f, &version);

	if (err != PROF_READ_OK) {
		printf("%s: can't be read: %d\n", path, (int)err);
		return 1;
	}
	broken = f->damaged != 0 ? "it is damaged" : promise_broken(f);
	if (broken != NULL)
		printf("%s: %s (%zu)\n", path, broken, f->damaged);
	else
		add(s, f);
	prof_free(f);
	return broken != NULL;
}

int main(int argc, char **argv)
{
	struct sums s = { 0 };
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= look(&s, argv[i]);
	printf("files %" PRIu64 "\nbytes %" PRIu64 "\nrunning %" PRIu64 "\nthreads %" PRIu64
	       "\nended %" PRIu64 "\nnodes %" PRIu64 "\nunfinished %" PRIu64 "\ntaken %" PRIu64
	       "\nkept %" PRIu64 "\nwhole %" PRIu64 "\n",
	       s.files, s.bytes, s.running, s.threads, s.ended, s.nodes, s.unfinished, s.taken,
	       s.kept, s.uncaused);
	for (int c = 0; c < PROF_LOST_CAUSES; c++)
		printf("%s %" PRIu64 "\n", causes[c], s.lost[c]);
	return status;
}
