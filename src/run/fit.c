/*
 * fit.c - compares a program's needs from libgomp with the exports of a libomp.
 */
#include "config.h"

#include "src/run/fit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/run/loader.h"

/*
 * Linkers that were given no version create unversioned needs.  They count if libgomp
 * satisfies them, and not another library of the program.
 */
static bool is_libgomps(const struct fit *f, const struct elfsym *need)
{
	return need->version || elfsyms_met(&f->gomp, need);
}

/* A program or library that uses OpenMP and cancels threads may cancel one inside OpenMP:
   LLVM's runtime then waits for that thread forever, GCC's does not.  A library that cancels
   threads without using OpenMP, as many do, created those threads itself. */
static int collect_from(struct fit *f, const char *path, const char *soname,
			const char *const *prefixes, bool always)
{
	const size_t before = f->needs.n;
	int ret = elfsyms_needs(&f->needs, path, soname, prefixes);

	if (ret == 0 && !f->cancels[0] && (always || f->needs.n > before) &&
	    elfsyms_imports(path, "pthread_cancel"))
		snprintf(f->cancels, sizeof(f->cancels), "%s", path);
	return ret;
}

int fit_collect(struct fit *f, const char *program, const struct loader_list *now,
		const char *soname)
{
	static const char *const prefixes[] = { "GOMP_", "GOACC_", "omp_", "acc_", NULL };
	const struct loader_object *gomp = loader_find(now, soname);
	int ret;

	*f = (struct fit){ .needs = { .list = NULL } };
	ret = gomp && gomp->path ? elfsyms_exports(&f->gomp, gomp->path) : -ENOENT;
	if (ret == 0)
		ret = collect_from(f, program, soname, prefixes, true);
	for (size_t i = 0; ret == 0 && i < now->n; i++) {
		const struct loader_object *o = &now->objects[i];

		if (o->path && o != gomp)
			ret = collect_from(f, o->path, soname, prefixes, false);
	}
	return ret;
}

void fit_free(struct fit *f)
{
	elfsyms_free(&f->needs);
	elfsyms_free(&f->gomp);
}

/*
 * If libomp is preloaded, libgomp is loaded as well and provides what libomp lacks in the
 * needed version.  Libgomp may serve these: they only query or set properties of leagues of
 * teams, or print.
 */
static const char *const harmless[] = {
	"omp_display_env",
	"omp_get_device_num",
	"omp_get_max_teams",
	"omp_get_supported_active_levels",
	"omp_get_teams_thread_limit",
	"omp_set_num_teams",
	"omp_set_teams_thread_limit",
};

/* Libgomp may serve these if it serves all of them, because one runtime cannot free the
   other's memory. */
static const char *const allocator[] = {
	"GOMP_alloc",
	"GOMP_free",
	"omp_aligned_alloc",
	"omp_aligned_calloc",
	"omp_alloc",
	"omp_calloc",
	"omp_destroy_allocator",
	"omp_free",
	"omp_get_default_allocator",
	"omp_init_allocator",
	"omp_realloc",
	"omp_set_default_allocator",
};

/* libomp has these entry points, but ends the program if they are used for the scan directive
   or a conditional lastprivate, which is nearly all that gcc uses them for. */
static const char *const fatal[] = {
	"GOMP_loop_doacross_start",	"GOMP_loop_ordered_start",     "GOMP_loop_start",
	"GOMP_loop_ull_doacross_start", "GOMP_loop_ull_ordered_start", "GOMP_loop_ull_start",
	"GOMP_sections2_start",
};

/* Fortran's names of these functions end in _ and _8_. */
static bool among(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t length = strlen(list[i]);
		const char *rest = name + length;

		if (strncmp(name, list[i], length) == 0 &&
		    (!*rest || strcmp(rest, "_") == 0 || strcmp(rest, "_8_") == 0))
			return true;
	}
	return false;
}

#define AMONG(name, list) among(name, list, sizeof(list) / sizeof((list)[0]))

struct verdict {
	bool versions;	     /* every needed version is defined */
	const char *missing; /* a symbol that neither runtime could provide, or NULL */
	const char *fatal;   /* one that may end the program, or NULL */
	bool stays;	     /* libgomp would serve some, harmlessly */
	bool allocator_here, allocator_stays;
};

static void judge(struct verdict *v, const struct elfsyms *exports, const struct elfsym *need)
{
	const bool met = elfsyms_met(exports, need);

	if (!need->name) {
		v->versions &= met || need->weak;
	} else if (AMONG(need->name, allocator)) {
		v->allocator_here |= met;
		v->allocator_stays |= !met;
	} else if (AMONG(need->name, fatal)) {
		v->fatal = need->name;
	} else if (!met && AMONG(need->name, harmless)) {
		v->stays = true;
	} else if (!met && !need->weak && !v->missing) {
		v->missing = need->name;
	}
}

static int judge_all(struct verdict *v, const struct fit *f, const char *libomp)
{
	struct elfsyms exports = { .list = NULL };
	int ret = elfsyms_exports(&exports, libomp);

	*v = (struct verdict){ .versions = true };
	for (size_t i = 0; ret == 0 && i < f->needs.n; i++)
		if (is_libgomps(f, &f->needs.list[i]))
			judge(v, &exports, &f->needs.list[i]);
	if (v->allocator_here && v->allocator_stays && !v->missing)
		v->missing = "part of the memory allocators";
	elfsyms_free(&exports);
	return ret;
}

enum fit_way fit_judge(const struct fit *f, const char *libomp, char *why, size_t bytes)
{
	struct verdict v;

	if (judge_all(&v, f, libomp) != 0) {
		snprintf(why, bytes, "%s can't be read", libomp);
		return FIT_NOT;
	}
	if (v.missing) {
		snprintf(why, bytes, "LLVM's libomp lacks %s", v.missing);
		return FIT_NOT;
	}
	if (v.fatal) {
		snprintf(why, bytes,
			 "LLVM's libomp ends programs that call %s for a scan "
			 "(--runtime libomp to try)",
			 v.fatal);
		return FIT_NOT;
	}
	if (f->cancels[0]) {
		snprintf(why, bytes,
			 "%.120s calls pthread_cancel, which LLVM's libomp does not "
			 "survive inside of OpenMP (--runtime libomp to try)",
			 f->cancels);
		return FIT_NOT;
	}
	return v.versions && !v.stays && !v.allocator_stays ? FIT_WHOLLY : FIT_BESIDE;
}
