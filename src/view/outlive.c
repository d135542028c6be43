/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/view/outlive.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/grow.h"
#include "src/model/liveness.h"
#include "src/profile/reader/append.h"
#include "src/profile/reader/reader.h"
#include "src/view/view.h"

void outlive_open(struct outlive *o, const char *sysroot)
{
	*o = (struct outlive){ 0 };
	lookup_open(&o->lookup, sysroot);
	lookup_keep(&o->lookup, true);
}

void outlive_close(struct outlive *o)
{
	lookup_close(&o->lookup);
	for (size_t i = 0; i < o->n; i++)
		profiles_fini(&o->all[i]);
	free(o->all);
	*o = (struct outlive){ 0 };
}

static enum outlive_result failed(struct profiles_error *e, enum outlive_result result,
				  const char *why, const char *todo)
{
	snprintf(e->why, sizeof(e->why), "%s", why);
	e->todo = todo;
	return result;
}

/* Whether the process may still write.  After its end was recorded it may run for a moment;
   another program, executed in its place, does not write. */
static bool outlive_may_write(const struct prof_file *f)
{
	struct prof_file running = *f;

	if (f->header.run == PROF_RUN_EXECED)
		return false;
	running.header.run = PROF_RUN_RUNNING;
	switch (liveness_of(&running)) {
	case LIVENESS_RUNS: return true;
	case LIVENESS_UNKNOWN: return f->header.run == PROF_RUN_RUNNING;
	default: return false;
	}
}

void outlive_ask(const struct model *m, const struct resolver *r)
{
	for (int kind = 0; kind < VIEW_KINDS; kind++) {
		/* Asks all that a report asks in that view. */
		const struct view_options options = { .kind = (enum view_kind)kind, .resolver = r };

		struct view *v = view_build(m, &options);
		/* A report on several profiles may need the lines of any function. */
		for (size_t i = 1; i < v->names.nfunctions; i++)
			if (v->names.functions[i].symbol)
				ask_extent(r, v->names.functions[i].symbol);
		view_free(v);
	}
}

static int outlive_append(const struct prof_file *f, const unsigned char *bytes, size_t n)
{
	if (f->names && f->names_bytes == n && !memcmp(f->names, bytes, n))
		return 0;
	return prof_append_names(f, bytes, n);
}

static int store(struct outlive *o, const struct profiles *p)
{
	const struct prof_file *f = p->files[0];
	unsigned char *bytes;
	size_t n;
	int err = 0;

	outlive_ask(&p->model, &o->lookup.resolver);
	lookup_pack(&o->lookup, f, &bytes, &n);
	err = outlive_append(f, bytes, n);
	free(bytes);
	return err;
}

static enum outlive_result store_failed(struct profiles_error *e, int err)
{
	const char *why = strerror(-err), *todo = NULL;

	switch (err) {
	case -EPERM: why = "it belongs to another user", todo = "copy it"; break;
	case -ESTALE: why = "it was replaced meanwhile", todo = "try again"; break;
	case -ENODATA: why = "it is cut short"; break;
	case -EBUSY: why = "another ompcount stores names in it"; break;
	}
	return failed(e, OUTLIVE_FAILED, why, todo);
}

/* What has no end to append to: a FIFO would also wait for a writer. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

enum outlive_result outlive_store(struct outlive *o, const char *path, struct profiles_error *e)
{
	struct profiles *p;
	int err;

	*e = (struct profiles_error){ .path = path };
	o->all = grow(o->all, o->n, &o->room, sizeof(*o->all));
	if (is_no_file(path))
		return failed(e, OUTLIVE_UNREADABLE, "it is no regular file",
			      "name a file that ompcount run wrote");
	p = &o->all[o->n];
	profiles_init(p);
	if (profiles_add(p, path, e)) {
		profiles_fini(p);
		return OUTLIVE_UNREADABLE;
	}
	o->n++;
	if (p->merged)
		return failed(e, OUTLIVE_UNREADABLE, "it is merged, with its names", NULL);
	if (p->files[0]->header.run == PROF_RUN_UNPROFILED)
		return OUTLIVE_STORED;
	if (outlive_may_write(p->files[0]))
		return failed(e, OUTLIVE_RUNS, "its process may still run",
			      "wait for its end, on the same machine");
	err = store(o, p);
	return err ? store_failed(e, err) : OUTLIVE_STORED;
}
