/*
 * recall_asked.h - a question that a recall was asked: recall_resolver.c asks, recall.c knows
 * and keeps the answers.
 */
#ifndef OMPHWC_SRC_VIEW_RECALL_ASKED_H
#define OMPHWC_SRC_VIEW_RECALL_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/view/answers.h"
#include "src/view/resolver.h"

struct prof_file;
struct symbols;

struct recall_file {
	const struct prof_file *file;
	struct answers answers;
	struct recall_file *next;
};

struct recall_trouble {
	const char *path, *why;
};

struct recall {
	struct resolver files;
	struct symbols *symbols;
	bool files_first, keep;
	struct recall_file *all; /* the last used one is first */
	struct recall_trouble *troubles;
	size_t ntroubles, troubles_room;
};

/* A question under way, and its answer. */
struct asked {
	struct recall *recall;
	struct recall_file *file; /* NULL without memory */
	struct answer answer;
};

/* self: the recall, as resolvers have it. */
struct asked asked_begin(void *self, const struct prof_file *f, enum query query, uint64_t loc,
			 bool exact);

/* Whether the answer is stored: then it is in *a. */
bool asked_is_known(struct asked *a);

/* Keeps the answer in *a, if answers are kept. */
void asked_keep(struct asked *a);

/* A string as a number of an answer that is kept, and the string of a number of a known one. */
uint64_t asked_number(struct asked *a, const char *s);
const char *asked_text(const struct asked *a, unsigned i);

/* Notes why the known location has no name. A name made of an offset has no symbol. */
void asked_note_location(struct asked *a);

#endif
