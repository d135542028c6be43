/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "src/merge_command.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/alloc.h"
#include "src/base/exit_status.h"
#include "src/base/message.h"
#include "src/chosen.h"
#include "src/command_line.h"

static const char help_text[] =
	"Usage: ompcount merge -o FILE [OPTION...] [FOLDER|PROFILE|MERGED]...\n"
	"Makes one file of the profiles of a job, with all that reports show of them. A folder\n"
	"is its last run, and without a name that of this folder. Merged files can be merged,\n"
	"too. Profiles that can't be read are named and left out.\n"
	"\n"
	"  -o, --output FILE    the merged file\n"
	"      --sysroot DIR    look for the program's files below DIR\n"
	"  -h, --help           show this help\n"
	"\n"
	"It uses all CPUs that it may use. On several machines: mpirun ompcount-mpi merge ...\n";

int merge_parse(int argc, char **argv, struct merge_options *o)
{
#define AT(member) .at = offsetof(struct merge_options, member)
	static const struct command_option options[] = {
		{ "output", 'o', OPTION_TEXT, AT(output) },
		{ "sysroot", 0, OPTION_TEXT, AT(sysroot) },
		{ .name = NULL },
	};
	int status;

	*o = (struct merge_options){ 0 };
	status = command_line_parse("merge", options, false, argc, argv, o);
	if (status)
		return status < 0 && command_line_help(help_text) ? COMMAND_FAILED : status;
	o->paths = argv + optind;
	o->npaths = argc - optind;
	if (o->output && *o->output)
		return 0;
	return command_misused("merge", "no output given", "use ompcount merge -o FILE FOLDER");
}

static int refuse_output(const char *path, const char *why)
{
	return command_fails(path, why, "name another file");
}

/* A shell's pattern behind -o would replace the first profile by a file of the others. */
static int check_output(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return refuse_output("standard output", "a merged file can't be written there");
	if (stat(path, &st) || S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return refuse_output(path, "is no ordinary file");
	if (inputs_replaceable(path))
		return 0;
	return refuse_output(path, "exists, is no merged file, and is not overwritten");
}

/* What is refused is reported once, however often it is named. */
static int add_chosen(struct merge_inputs *in, const struct chosen *c)
{
	char **refused = alloc_zeroed(c->n + 1, sizeof(*refused));
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < c->n && !err; i++) {
		const size_t before = in->refused;
		bool again = false;

		for (size_t k = 0; k < n; k++)
			again = again || !strcmp(refused[k], c->paths[i]);
		if (again)
			continue;
		err = inputs_add(in, c->paths[i]);
		if (in->refused > before)
			refused[n++] = c->paths[i];
	}
	free(refused);
	return err;
}

int merge_inputs(const struct merge_options *o, struct merge_inputs *in)
{
	struct chosen c;
	int err = 0, status;

	*in = (struct merge_inputs){ 0 };
	status = check_output(o->output);
	if (status)
		return status;
	status = chosen_runs(&c, "merge", o->paths, (size_t)o->npaths);
	if (!status)
		err = add_chosen(in, &c);
	chosen_fini(&c);
	if (status)
		return status;
	if (!err)
		inputs_sort(in);
	if (err)
		return command_line_failed("merge", err);
	if (in->n)
		return 0;
	return command_fails("merge", "no profile is left", NULL);
}

/* A build of the same file is another one by its build-id. */
static bool is_other_build(const struct forest_module *a, const struct forest_module *b)
{
	return !strcmp(a->path, b->path) && a->build_id_bytes && b->build_id_bytes &&
	       (a->build_id_bytes != b->build_id_bytes ||
		memcmp(a->build_id, b->build_id, a->build_id_bytes) != 0);
}

static int by_path(const void *a, const void *b)
{
	const struct forest_module *x = *(const struct forest_module *const *)a;
	const struct forest_module *y = *(const struct forest_module *const *)b;
	const int order = strcmp(x->path, y->path);

	if (order)
		return order;
	if (x->build_id_bytes != y->build_id_bytes)
		return x->build_id_bytes < y->build_id_bytes ? -1 : 1;
	return memcmp(x->build_id, y->build_id, x->build_id_bytes);
}

int merge_report(const struct merge_options *o, const struct merge *m, size_t refused, int err)
{
	if (!err) {
		static const char *const words[BATCH_SPECIALS] = {
			[BATCH_MADE] = "have code made at run time, and are kept apart",
			[BATCH_KERNEL] = "have kernel code, which is kept apart by host and boot",
		};
		size_t n;
		const struct forest_module **all;

		for (size_t i = 0; i < BATCH_SPECIALS; i++)
			if (m->special[i])
				message("%zu of %zu profiles %s", m->special[i], m->nprocesses,
					words[i]);
		if (m->forest.ntrees > 1)
			message("contexts are in %zu groups: programs, runtimes or events differ, "
				"or what was named above",
				m->forest.ntrees);

		const struct forest *f = &m->forest;
		/* All modules, by path and build. */
		n = 0;
		for (size_t t = 0; t < f->ntrees; t++)
			n += f->trees[t].nmodules;
		all = alloc_zeroed(n + 1, sizeof(*all));
		for (size_t t = 0, at = 0; t < f->ntrees; t++)
			for (size_t i = 0; i < f->trees[t].nmodules; i++)
				all[at++] = &f->trees[t].modules[i];
		qsort(all, n, sizeof(*all), by_path);
		const char *named = "";

		for (size_t i = 1; i < n; i++) {
			if (!is_other_build(all[i - 1], all[i]) || !strcmp(named, all[i]->path))
				continue;
			named = all[i]->path;
			message("%s: ranks ran several builds of it, which are kept apart", named);
		}
		free(all);
	}
	if (err == -ENODATA)
		return command_fails("merge", "no profile is left", NULL);
	if (err == -E2BIG)
		return command_fails("merge", "too many different objects or contexts for one file",
				     "merge fewer profiles");
	if (err)
		return command_line_failed(o->output, err);
	return refused ? COMMAND_FAILED : 0;
}
