/* origins.c - one pass over the nodes, before any path is made. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/analysis/names.h"
#include "src/analysis/origins.h"
#include "src/analysis/sites.h"
#include "src/profile/reader.h"

/* Whether a function at that site is origin, or a copy made from it. */
static bool origins_there(const struct sites *s, const struct site *site, const char *origin)
{
	const size_t len = strlen(origin);

	for (uint32_t i = 0; i < site->n; i++) {
		const struct line *l = &s->names->lines[s->lines[site->first + i]];
		const struct function *f = &s->names->functions[l->function];

		if (!strncmp(f->name, origin, len) || (f->origin && !strcmp(f->origin, origin)))
			return true;
	}
	return false;
}

/* The body at site belongs to what node created. */
static int origins_body(struct sites *s, const struct site *site, uint32_t node,
			struct idmap *origins)
{
	const uint32_t function = s->names->lines[s->lines[site->first + site->n - 1]].function;
	const char *name = s->names->functions[function].origin;
	const struct site *creator;
	const uint64_t place = s->file->nodes[node].a;
	uint32_t id;
	int err;

	if (!name || s->file->nodes[node].kind != PROF_NODE_FRAME ||
	    idmap_get(origins, place, 0, 0))
		return 0;
	err = sites_find(s, &s->file->nodes[node], &creator);
	if (err || creator->owner != SITE_USER || origins_there(s, creator, name))
		return err;
	err = names_origin(s->names, function, &id);
	if (!err)
		err = idmap_add(origins, place, 0, id, &id);
	return err < 0 ? err : 0;
}

int origins_find(struct sites *s, struct idmap *origins)
{
	const struct prof_file *f = s->file;
	/* What was created, as long as no frame of its body was met. */
	uint32_t *created = calloc(f->nnodes + 1, sizeof(*created));
	const struct site *found;
	struct site site;
	int err = created ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < f->nnodes && !err; i++) {
		const struct prof_rnode *n = &f->nodes[i];

		created[i] = n->parent == PROF_NONE ? PROF_NONE : created[n->parent];
		if (n->kind == PROF_NODE_BOUNDARY)
			created[i] = n->context;
		if (n->kind != PROF_NODE_FRAME || created[i] == PROF_NONE)
			continue;
		err = sites_find(s, n, &found);
		if (err)
			break;
		site = *found;
		if (site.owner != SITE_USER)
			continue;
		err = origins_body(s, &site, created[i], origins);
		created[i] = PROF_NONE;
	}
	free(created);
	return err;
}
