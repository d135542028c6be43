/* SPDX-License-Identifier: BSD-3-Clause */
/* scene.c - converts text to profiles, and provides names for their frames. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/message.h"
#include "src/filter/filter.h"
#include "src/profile/reader/reader.h"
#include "src/symbols/symbols.h"
#include "src/tables/flame.h"
#include "src/tables/losses.h"
#include "tests/support/scene.h"

static const char header_path[] = "/usr/include/c++/12/mutex";

enum { FAKE_MAX = 512, INLINED_MAX = 4 };

enum { APP = 1, LIBC = 2, OMP = 3, TOOL = 4, LIBM = 5 };

struct fake_place {
	char *token;
	char *name[INLINED_MAX];
	char where[24];
	struct sym_frame frames[INLINED_MAX];
	struct sym_location location;
};

struct fake {
	struct fake_place places[FAKE_MAX];
	size_t n;
	struct sym_function functions[FAKE_MAX];
	char *origins[FAKE_MAX];
	size_t nfunctions;
};

static void *scene_memory(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- names ----------------------------------------------------------- */

static enum sym_outlined fake_outlined(const char *name)
{
	if (!strncmp(name, ".omp_outlined", 13) || strstr(name, "._omp_fn."))
		return SYM_OUTLINED_REGION;
	if (!strncmp(name, ".omp_task_", 10))
		return SYM_OUTLINED_TASK;
	return !strncmp(name, ".omp.", 5) ? SYM_OUTLINED_HELPER : SYM_NOT_OUTLINED;
}

static const struct sym_function *fake_function(struct fake *k, const char *name,
						const char *module)
{
	struct sym_function *f;
	const char *suffix = strstr(name, "._omp_fn.");

	for (size_t i = 0; i < k->nfunctions; i++)
		if (!strcmp(k->functions[i].name, name) && !strcmp(k->functions[i].module, module))
			return &k->functions[i];
	ck_assert_uint_lt(k->nfunctions, FAKE_MAX);
	if (suffix)
		k->origins[k->nfunctions] = scene_memory(strndup(name, (size_t)(suffix - name)));
	f = &k->functions[k->nfunctions];
	*f = (struct sym_function){
		.name = name,
		.linkage = strstr(name, "+0x") ? NULL : name,
		.module = module,
		.file = strcmp(module, "app")	   ? NULL :
			!strncmp(name, "std::", 5) ? header_path :
						     "src/app.c",
		.outlined = fake_outlined(name),
		.origin = k->origins[k->nfunctions],
		.inner = strstr(name, "debug__") || !strncmp(name, ".omp_task_body", 14),
	};
	k->nfunctions++;
	return f;
}

/* "outer:9^inner:3", outermost first; frames are innermost first. */
static void fake_fill(struct fake *k, struct fake_place *p, const char *module)
{
	char *copy = scene_memory(strdup(p->token)), *rest = NULL, *line;
	size_t n = 0;

	for (char *one = strtok_r(copy, "^", &rest); one; one = strtok_r(NULL, "^", &rest)) {
		ck_assert_uint_lt(n, INLINED_MAX);
		line = strrchr(one, ':');
		if (line)
			*line++ = '\0';
		p->name[n] = scene_memory(strdup(one));
		memmove(p->frames + 1, p->frames, n * sizeof(*p->frames));
		p->frames[0] = (struct sym_frame){
			.function = fake_function(k, p->name[n], module),
			.file = !line				 ? NULL :
				!strncmp(p->name[n], "std::", 5) ? header_path :
								   "src/app.c",
			.line = line ? (unsigned)atoi(line) : 0,
			.inlined = n > 0,
		};
		n++;
	}
	free(copy);
	p->location = (struct sym_location){ .frames = p->frames, .nframes = n };
}

/* The number of a token, known or new. */
static size_t fake_place(struct fake *k, const char *token, const char *module)
{
	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->places[i].token, token))
			return i;
	ck_assert_uint_lt(k->n, FAKE_MAX);
	k->places[k->n].token = scene_memory(strdup(token));
	fake_fill(k, &k->places[k->n], module);
	return k->n++;
}

static const struct fake_place *fake_at(const struct fake *k, uint64_t loc)
{
	size_t i = PROF_LOC_ADDRESS(loc) / 0x100;

	return i && i <= k->n ? &k->places[i - 1] : NULL;
}

static const struct sym_location *fake_resolve(const struct fake *k, uint64_t loc)
{
	static const struct sym_function nothing = { .name = "app+0x1", .module = "app" };
	static const struct sym_frame frame = { .function = &nothing };
	static const struct sym_location nowhere = { .frames = &frame, .nframes = 1 };
	const struct fake_place *p = fake_at(k, loc);

	return p ? &p->location : &nowhere;
}

static const char *fake_object(const struct fake *k, uint64_t loc)
{
	const struct fake_place *p = fake_at(k, loc);

	return p ? p->name[0] : NULL;
}

static const char *fake_where(struct fake *k, uint64_t loc)
{
	const size_t i = PROF_LOC_ADDRESS(loc) / 0x100;

	if (!i || i > k->n)
		return NULL;
	snprintf(k->places[i - 1].where, sizeof(k->places[i - 1].where), "app+0x%zx", i);
	return k->places[i - 1].where;
}

void scene_answer(void *self, const struct question *q, struct answer *a)
{
	if (q->query == QUERY_RESOLVE)
		a->location = fake_resolve(self, q->loc);
	else if (q->query == QUERY_OBJECT)
		a->text = fake_object(self, q->loc);
	else if (q->query == QUERY_PLACE)
		a->text = fake_where(self, q->loc);
}

static void fake_free(struct fake *k)
{
	for (size_t i = 0; i < k->n; i++) {
		free(k->places[i].token);
		for (size_t j = 0; j < INLINED_MAX; j++)
			free(k->places[i].name[j]);
	}
	for (size_t i = 0; i < k->nfunctions; i++)
		free(k->origins[i]);
	free(k);
}

/* ---- scenes ---------------------------------------------------------- */

static void scene_begin(struct scene *s)
{
	static const char arguments[] = "./app\0-n\0"
					"3";
	struct prof_header *h;

	s->mk = mk_new();
	h = mk_header(s->mk);
	h->pid = ++s->pid;
	h->start_realtime_ns = 1000;
	h->start_monotonic_ns = 1000000000;
	mk_info(s->mk, PROF_INFO_ARGV, arguments, sizeof(arguments));
	mk_text(s->mk, PROF_INFO_HOST, "node17");
	mk_text(s->mk, PROF_INFO_RUNTIME, "LLVM OpenMP 5.0");
	mk_module(s->mk, "/nowhere/app", PROF_MODULE_MAIN);
	mk_module(s->mk, "/nowhere/libc.so.6", 0);
	mk_module(s->mk, "/nowhere/libomp.so.5", PROF_MODULE_RUNTIME);
	mk_module(s->mk, "/nowhere/libomphwc.so.0", PROF_MODULE_TOOL);
}

void scene_init(struct scene *s)
{
	*s = (struct scene){ .pid = 4710 };
	s->fake = scene_memory(calloc(1, sizeof(*s->fake)));
	s->resolver = (struct resolver){ scene_answer, s->fake };
	model_init(&s->model);
	scene_begin(s);
}

void scene_fini(struct scene *s)
{
	model_fini(&s->model);
	for (size_t i = 0; i < s->nfiles; i++)
		prof_free(s->files[i]);
	mk_free(s->mk);
	fake_free(s->fake);
}

void scene_process(struct scene *s)
{
	struct prof_file *f = NULL;
	uint32_t version;

	ck_assert_uint_lt(s->nfiles, sizeof(s->files) / sizeof(*s->files));
	ck_assert_int_eq(prof_read_memory(mk_bytes(s->mk), mk_size(s->mk), "app.omphwc", &f,
					  &version),
			 PROF_READ_OK);
	s->files[s->nfiles++] = f;
	ck_assert_int_eq(model_add(&s->model, f), 0);
	mk_free(s->mk);
	scene_begin(s);
}

static uint32_t scene_frame(struct scene *s, uint32_t parent, const char *token)
{
	static const struct {
		const char *prefix, *name;
		uint32_t module, flags;
	} modules[] = {
		{ "libc!", "libc.so.6", LIBC, 0 },
		{ "omp!", "libomp.so.5", OMP, PROF_FRAME_RUNTIME },
		{ "tool!", "libomphwc.so.0", TOOL, PROF_FRAME_TOOL },
		{ "libm!", "libm.so.6", LIBM, 0 },
		{ "", "app", APP, 0 },
	};
	size_t m = 0, place;

	while (strncmp(token, modules[m].prefix, strlen(modules[m].prefix)))
		m++;
	place = fake_place(s->fake, token + strlen(modules[m].prefix), modules[m].name);
	return mk_frame(s->mk, parent, PROF_LOC(modules[m].module, 0x100 * (place + 1)),
			modules[m].flags);
}

uint32_t scene_path(struct scene *s, uint32_t parent, const char *path)
{
	char *copy = scene_memory(strdup(path)), *rest = NULL;

	for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
		parent = scene_frame(s, parent, one);
	free(copy);
	return parent;
}

uint64_t scene_object(struct scene *s, const char *name)
{
	return PROF_LOC(APP, 0x100 * (fake_place(s->fake, name, "app") + 1));
}

static struct view *scene_view_lines(struct scene *s, enum view_kind kind, bool lines)
{
	const struct view_options o = {
		.kind = kind,
		.resolver = &s->resolver,
		.lines = lines,
		.unfold = s->unfold,
	};

	return view_build(&s->model, &o);
}

struct view *scene_view(struct scene *s, enum view_kind kind)
{
	return scene_view_lines(s, kind, false);
}

/* Filters that fit nothing leave the view as it is. */
static bool scene_filter(struct scene *s, struct view **v, enum view_kind kind, bool keep_lines,
			 struct filtered *f)
{
	const struct view_options lines = { .kind = kind, .resolver = &s->resolver, .lines = true };
	struct view *user = scene_view(s, VIEW_USER);
	struct trouble t;
	int err = filter_select(user, s->filters, f, &t);

	view_free(user);
	if (!err && s->filters->value[FILTER_HIDE]) {
		view_free(*v);
		*v = view_build(&s->model, &lines);
	}
	if (!err && filter_selects(s->filters))
		filter_apply(*v, f);
	if (!err && s->filters->value[FILTER_HIDE])
		err = hide_modules(*v, f, keep_lines, &t);
	ck_assert(!err || err == -ENOENT);
	return !err;
}

/* The paths of all views, of the samples that filters leave. */
static void scene_flames(struct scene *s, struct flame flames[VIEW_KINDS])
{
	for (unsigned kind = 0; kind < VIEW_KINDS; kind++) {
		struct view *v = scene_view(s, (enum view_kind)kind);
		struct filtered f = { 0 };

		if (s->filters)
			scene_filter(s, &v, (enum view_kind)kind, false, &f);
		flame_build(v, &flames[kind]);
		view_free(v);
		filtered_fini(&f);
	}
}

char *scene_write(struct scene *s, enum view_kind kind, const char *format, enum output_by by,
		  size_t event, double limit)
{
	size_t bytes;

	return scene_write_bytes(s, kind, format, by, event, limit, &bytes);
}

const struct output *scene_output(const char *name)
{
	const struct output *o = output_all();

	while (strcmp(o->name, name) != 0)
		o++;
	return o;
}

char *scene_write_bytes(struct scene *s, enum view_kind kind, const char *format, enum output_by by,
			size_t event, double limit, size_t *bytes)
{
	const struct output *o = scene_output(format);
	const bool lines = s->lines || o->lines == LINES_ALWAYS;
	struct view *v = scene_view_lines(s, kind, lines);
	struct filtered f = { 0 };
	struct losses l = { 0 };
	struct flame flames[VIEW_KINDS] = { 0 };
	const bool filtered = s->filters && scene_filter(s, &v, kind, lines, &f);
	const struct report r = {
		.model = &s->model,
		.view = v,
		.losses = s->losses ? &l : NULL,
		.filtered = filtered ? &f : NULL,
		.flames = o && o->flames ? flames : NULL,
		.by = by,
		.asked = by != BY_REGION,
		.event = event,
		.limit_percent = limit,
		.columns = s->rows ? 80 : 100,
		.rows = s->rows,
		.lines = lines,
		.wanted = s->wanted,
	};
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	if (o->flames)
		scene_flames(s, flames);
	if (s->losses)
		losses_build(v, &l);
	ck_assert_int_eq(o->write(out, &r), 0);
	ck_assert_int_eq(fclose(out), 0);
	for (unsigned k = 0; k < VIEW_KINDS; k++)
		flame_fini(&flames[k]);
	losses_fini(&l);
	view_free(v);
	filtered_fini(&f);
	return text;
}

char *scene_folded(struct scene *s, enum view_kind kind)
{
	return scene_write(s, kind, "folded", BY_PATH, 0, 0);
}
