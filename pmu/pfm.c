/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pfm.c - libpfm4, opened on demand.
 *
 * Its header for perf_event cannot be included here, as it brings a copy of the
 * kernel's own; struct encode is pfm_perf_encode_arg_t, whose size libpfm4
 * checks.
 */
#include "config.h"

#include "pmu/pfm.h"

#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/event.h"
#include "pmu/name_source.h"
#include "pmu/perf_event.h"

struct encode {
	struct perf_event_attr *attr;
	char **fstr;
	size_t size;
	int idx;
	int cpu;
	int flags;
	int pad0;
};

enum { NAME_BYTES = 256 };

/* The library's functions as this process has them; filled in by load(). */
static struct {
	void *handle;
	bool tried;
	bool ready;
	pfm_err_t (*initialize)(void);
	void (*terminate)(void);
	const char *(*strerror)(int code);
	pfm_err_t (*get_pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *output);
	int (*get_event_next)(int idx);
	pfm_err_t (*get_event_info)(int idx, pfm_os_t os, pfm_event_info_t *output);
	pfm_err_t (*get_event_attr_info)(int eidx, int aidx, pfm_os_t os,
					 pfm_event_attr_info_t *output);
	pfm_err_t (*get_os_event_encoding)(const char *str, int dfl_plm, pfm_os_t os, void *args);
} pfm;

static const struct {
	const char *name;
	void *function;
} imports[] = {
	{ "pfm_initialize", &pfm.initialize },
	{ "pfm_terminate", &pfm.terminate },
	{ "pfm_strerror", &pfm.strerror },
	{ "pfm_get_pmu_info", &pfm.get_pmu_info },
	{ "pfm_get_event_next", &pfm.get_event_next },
	{ "pfm_get_event_info", &pfm.get_event_info },
	{ "pfm_get_event_attr_info", &pfm.get_event_attr_info },
	{ "pfm_get_os_event_encoding", &pfm.get_os_event_encoding },
};

static bool load(void)
{
	pfm.handle = dlopen(LIBPFM_SONAME, RTLD_NOW | RTLD_LOCAL);
	if (!pfm.handle)
		return false;
	for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++) {
		void *f = dlsym(pfm.handle, imports[i].name);

		if (!f)
			return false;
		memcpy(imports[i].function, &f, sizeof(f));
	}
	return pfm.initialize() == PFM_SUCCESS;
}

bool pmu_pfm_loaded(void)
{
	if (!pfm.tried) {
		pfm.tried = true;
		pfm.ready = load();
	}
	return pfm.ready;
}

void pmu_pfm_unload(void)
{
	if (pfm.ready)
		pfm.terminate();
	if (pfm.handle)
		dlclose(pfm.handle);
	memset(&pfm, 0, sizeof(pfm));
}

static bool pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm.get_pmu_info(pmu, info) == PFM_SUCCESS && info->is_present;
}

static bool event_info(int idx, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm.get_event_info(idx, PFM_OS_PERF_EVENT, info) == PFM_SUCCESS;
}

static bool is_uncore(int idx)
{
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	return event_info(idx, &event) && pmu_info(event.pmu, &pmu) &&
	       pmu.type == PFM_PMU_TYPE_UNCORE;
}

static enum pmu_answer refuse(struct pmu_parsed *p, int error, const char *why, const char *todo)
{
	pmu_refuse(p->why, error, p->ev->requested, why, todo);
	return PMU_REFUSED;
}

enum pmu_answer pmu_pfm_parse(const char *name, size_t length, struct pmu_parsed *p)
{
	struct perf_event_attr attr = { .size = sizeof(attr) }, *to = &p->ev->attr;
	struct encode e = { .attr = &attr, .size = sizeof(e) };
	char text[NAME_BYTES], why[PMU_REFUSAL_BYTES], todo[PMU_REFUSAL_BYTES];
	int error;

	if (length >= sizeof(text) || !pmu_pfm_loaded())
		return PMU_NOT_MINE;
	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	error = pfm.get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &e);
	/* A name that libpfm does not know belongs to no source. For a known name with an unknown
	   umask, the message says so. */
	if (error == PFM_ERR_NOTFOUND || error == PFM_ERR_INVAL)
		return PMU_NOT_MINE;
	if (error != PFM_SUCCESS) {
		snprintf(why, sizeof(why), "libpfm4 says: %s", pfm.strerror(error));
		snprintf(todo, sizeof(todo), "see ompcount list %.*s", (int)strcspn(text, ":"),
			 text);
		return refuse(p, EINVAL, why, todo);
	}
	if (e.cpu >= 0 || is_uncore(e.idx))
		return refuse(p, EINVAL, "it counts for whole packages, not for threads", NULL);
	if (attr.type == PERF_TYPE_TRACEPOINT || attr.type == PERF_TYPE_BREAKPOINT)
		return refuse(p, EINVAL, "tracepoints and breakpoints are not sampled here", NULL);
	to->type = attr.type;
	to->config = attr.config;
	to->config1 = attr.config1;
	to->config2 = attr.config2;
	return PMU_MINE;
}

void pmu_pfm_cpu(char *text, size_t size)
{
	pfm_pmu_info_t info;
	pfm_pmu_t pmu;

	text[0] = 0;
	if (!pmu_pfm_loaded())
		return;
	pfm_for_all_pmus(pmu)
	{
		if (!pmu_info(pmu, &info) || info.type != PFM_PMU_TYPE_CORE)
			continue;
		snprintf(text, size, "%s (%s)", info.name, info.desc);
		return;
	}
}

struct pfm_walk {
	int (*visit)(const char *name, const char *description, void *arg);
	void *arg;
};

static int visit_umasks(const pfm_event_info_t *event, const struct pfm_walk *w)
{
	int answer = 0, umasks = 0;
	char name[NAME_BYTES];

	for (int i = 0; i < event->nattrs && !answer; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };

		if (pfm.get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &a) ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		umasks++;
		snprintf(name, sizeof(name), "%s:%s", event->name, a.name);
		answer = w->visit(name, a.desc ? a.desc : "", w->arg);
	}
	return umasks ? answer : w->visit(event->name, event->desc ? event->desc : "", w->arg);
}

int pmu_pfm_each(int (*visit)(const char *name, const char *description, void *arg), void *arg)
{
	const struct pfm_walk w = { visit, arg };
	pfm_pmu_info_t pmu_of;
	pfm_event_info_t event;
	pfm_pmu_t pmu;
	int answer = 0;

	if (!pmu_pfm_loaded())
		return 0;
	pfm_for_all_pmus(pmu)
	{
		if (!pmu_info(pmu, &pmu_of) || pmu_of.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int i = pmu_of.first_event; i >= 0 && !answer; i = pfm.get_event_next(i))
			if (event_info(i, &event))
				answer = visit_umasks(&event, &w);
	}
	return answer;
}
