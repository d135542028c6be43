/* SPDX-License-Identifier: BSD-3-Clause */
/* extract_head.c - all of a process but what was counted. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/reader/extract_parts.h"
#include "src/profile/reader/reader.h"

static int texts_copy(const struct prof_file *from, struct prof_file *f)
{
	f->path = strdup(from->path);
	f->texts = calloc(from->ntexts + 1, sizeof(*f->texts));
	if (!f->path || !f->texts)
		return -ENOMEM;
	for (; f->ntexts < from->ntexts; f->ntexts++) {
		const struct prof_text *t = &from->texts[f->ntexts];
		char *text = malloc(t->bytes + 1);

		if (!text)
			return -ENOMEM;
		memcpy(text, t->text, t->bytes + 1);
		f->texts[f->ntexts] = (struct prof_text){ t->kind, text, t->bytes };
	}
	return 0;
}

static int threads_copy(const struct prof_file *from, struct prof_file *f)
{
	f->threads = calloc(from->nthreads + 1, sizeof(*f->threads));
	if (!f->threads)
		return -ENOMEM;
	f->nthreads = from->nthreads;
	memcpy(f->threads, from->threads, from->nthreads * sizeof(*f->threads));
	return 0;
}

static int extract_head_by_id(const void *a, const void *b)
{
	const struct prof_rmodule *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Of two that are one in the tree, locations are the first one's. */
static int modules_copy(const struct prof_file *from, enum extract_ids ids, struct prof_file *f,
			uint16_t *by_tree)
{
	f->modules = calloc(from->nmodules + 1, sizeof(*f->modules));
	if (!f->modules)
		return -ENOMEM;
	for (size_t i = 0; i < from->nmodules; i++) {
		struct prof_rmodule *m = &f->modules[f->nmodules];
		const bool again = by_tree[from->modules[i].tree_id] != 0;

		*m = from->modules[i];
		m->id = ids == EXTRACT_IDS_OWN ? m->id : m->tree_id;
		if (!again)
			by_tree[m->tree_id] = (uint16_t)m->id;
		if (again && ids == EXTRACT_IDS_TREE)
			continue;
		m->tree_id = 0;
		m->path = strdup(m->path);
		if (!m->path)
			return -ENOMEM;
		f->nmodules++;
	}
	qsort(f->modules, f->nmodules, sizeof(*f->modules), extract_head_by_id);
	return 0;
}

int extract_head(const struct prof_file *from, enum extract_ids ids, struct prof_file *f,
		 uint16_t **by_tree)
{
	int err;

	f->tree = ids == EXTRACT_IDS_TREE ? from->tree : NULL;
	f->header = from->header;
	f->file_bytes = from->file_bytes;
	f->missing_bytes = from->missing_bytes;
	f->damaged = from->damaged;
	f->unfinished = from->unfinished;
	*by_tree = calloc(UINT16_MAX + 1, sizeof(**by_tree));
	err = *by_tree ? texts_copy(from, f) : -ENOMEM;
	if (!err)
		err = threads_copy(from, f);
	return err ? err : modules_copy(from, ids, f, *by_tree);
}
