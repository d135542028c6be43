/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * save.c - see save.h. What the kernel answers is recorded while the events are tried as a run
 * does: so it is what a run would ask for.
 */
#include "config.h"

#include "src/check/save.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pmu/alive.h"
#include "pmu/counts.h"
#include "pmu/event.h"
#include "pmu/files.h"
#include "pmu/generic.h"
#include "pmu/perf.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"
#include "src/base/alloc.h"

enum { LEADERS = 16, LINES_MAX = 16384, KINDS_MAX = 8 };

void save_request(const struct perf_event_attr *a, const struct perf_event_attr *leader,
		  char text[SAVE_REQUEST_BYTES])
{
	int n = snprintf(text, SAVE_REQUEST_BYTES, "%u:%llx:%llx:%llx %s%s%s%s%s p%d %s%s", a->type,
			 (unsigned long long)a->config, (unsigned long long)a->config1,
			 (unsigned long long)a->config2, a->exclude_user ? "u" : "",
			 a->exclude_kernel ? "k" : "", a->exclude_hv ? "h" : "",
			 a->exclude_guest ? "g" : "",
			 a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_guest ?
				 "" :
				 "-",
			 a->precise_ip,
			 a->freq	  ? "freq" :
			 a->sample_period ? "period" :
					    "count",
			 a->sample_type & PERF_SAMPLE_DATA_SRC ? " data" : "");

	if (leader && n > 0 && n < SAVE_REQUEST_BYTES)
		snprintf(text + n, (size_t)(SAVE_REQUEST_BYTES - n), " behind %u:%llx",
			 leader->type, (unsigned long long)leader->config);
}

/* ---- what is recorded ------------------------------------------------ */

static struct {
	char *lines[LINES_MAX];
	size_t n;
	/* The last events that were opened: one of them leads the next one's group. */
	struct {
		uint64_t id;
		struct perf_event_attr attr;
	} opened[LEADERS];
	unsigned nopened;
} record;

/* Once each. */
static void save_add(const char *line)
{
	for (size_t i = 0; i < record.n; i++)
		if (!strcmp(record.lines[i], line))
			return;
	if (record.n == LINES_MAX)
		return;
	record.lines[record.n++] = alloc_text(line);
}

static void keep_answer(const struct perf_event_attr *attr, int group, int answer)
{
	char request[SAVE_REQUEST_BYTES], line[SAVE_REQUEST_BYTES + 32];
	const struct perf_event_attr *leader = NULL;
	uint64_t id;

	if (group >= 0 && !ioctl(group, PERF_EVENT_IOC_ID, &id))
		for (unsigned i = 0; i < LEADERS && !leader; i++)
			leader = record.opened[i].id == id ? &record.opened[i].attr : NULL;
	save_request(attr, leader, request);
	snprintf(line, sizeof(line), "open %s = %d", request, answer < 0 ? -answer : 0);
	save_add(line);
	if (answer < 0)
		return;
	const unsigned i = record.nopened++ % LEADERS;

	record.opened[i].attr = *attr;
	if (ioctl(answer, PERF_EVENT_IOC_ID, &record.opened[i].id))
		record.opened[i].id = 0;
}

static void keep_silent(const struct pmu_event *ev)
{
	struct pmu_event kinds[KINDS_MAX];
	const int n = pmu_event_spread(ev, kinds, KINDS_MAX);
	char line[64];

	for (int i = 0; i < n; i++) {
		if (!pmu_counts_nothing(&kinds[i]))
			continue;
		snprintf(line, sizeof(line), "silent %u:%llx", kinds[i].attr.type,
			 (unsigned long long)kinds[i].attr.config);
		save_add(line);
	}
}

/* As a run would, by frequency and by period, and as --count would. */
static void save_try_event(const char *name, void *arg)
{
	static const struct pmu_rate rates[] = { { .period = 1000003 },
						 { .freq_hz = PMU_DEFAULT_FREQ_HZ } };
	struct pmu_refusal why = { .why = "" };
	struct pmu_event ev, asked;
	char line[PMU_REFUSAL_BYTES + 128];
	struct pmu_kinds kinds;
	int refused = 0;

	(void)arg;
	for (int i = 0; i < 2; i++) {
		if (pmu_event_parse(name, &rates[i], &asked, &why))
			return;
		ev = asked;
		refused = pmu_event_probe(&ev, &why);
		if (refused)
			pmu_event_substitute(&ev, &rates[i], &(struct pmu_refusal){ .why = "" });
		pmu_event_kinds(&ev, pmu_event_probe, &kinds);
	}
	if (refused)
		snprintf(line, sizeof(line), "event %s refused: %s", name, why.why);
	else
		snprintf(line, sizeof(line), "event %s %s%s%s", name, ev.label,
			 *kinds.without ? " not on " : "", kinds.without);
	save_add(line);
	pmu_counts_probe(&asked, &why);
	if (asked.kind == PMU_PERF && asked.attr.type != PERF_TYPE_SOFTWARE)
		keep_silent(&asked);
}

/* ---- which events ---------------------------------------------------- */

struct visitor {
	void (*visit)(const char *name, void *arg);
	void *arg;
	const char *pmu;
};

static void with_modifiers(const struct visitor *v, const char *name, const char *separator)
{
	static const char *const modifiers[] = { "", "uk", "k", "p", "pp", "ppp", "ukp" };
	char text[2 * PMU_SYSFS_NAME_BYTES + 16];

	for (size_t i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
		snprintf(text, sizeof(text), "%s%s%s", name, *modifiers[i] ? separator : "",
			 modifiers[i]);
		v->visit(text, v->arg);
	}
}

static int visit_own(const char *event, void *arg)
{
	const struct visitor *v = arg;
	char name[2 * PMU_SYSFS_NAME_BYTES + 4];

	snprintf(name, sizeof(name), "%s/%s/", v->pmu, event);
	if (strncmp(event, "mem-", 4))
		v->visit(name, v->arg);
	else
		with_modifiers(v, name, "");
	return 0;
}

static int visit_pmu(const char *pmu, void *arg)
{
	struct visitor v = *(struct visitor *)arg;

	v.pmu = pmu;
	if (pmu_sysfs_is_core(pmu))
		pmu_sysfs_each_event(pmu, visit_own, &v);
	return 0;
}

void save_each_event(void (*visit)(const char *name, void *arg), void *arg)
{
	struct visitor v = { visit, arg, NULL };
	char cache[PMU_CACHE_NAME_BYTES];
	const struct pmu_generic *g;
	uint64_t config;

	for (size_t i = 0; (g = pmu_generic_at(i)); i++)
		if (g->type == PERF_TYPE_HARDWARE)
			with_modifiers(&v, g->name, ":");
		else
			visit(g->name, arg);
	for (size_t i = 0; !pmu_cache_at(i, cache, &config); i++)
		visit(cache, arg);
	visit("r11", arg);
	visit("r3c", arg);
	pmu_sysfs_each_pmu(visit_pmu, &v);
}

/* ---- the rest of the machine ----------------------------------------- */

static void write_limit(FILE *f, const char *name, int which)
{
	struct rlimit l;

	if (!getrlimit(which, &l))
		fprintf(f, "limit %s %lld %lld\n", name,
			l.rlim_cur == RLIM_INFINITY ? -1ll : (long long)l.rlim_cur,
			l.rlim_max == RLIM_INFINITY ? -1ll : (long long)l.rlim_max);
}

struct files {
	FILE *f;
	const char *pmu, *folder;
};

static int write_file(const char *name, void *arg)
{
	const struct files *o = arg;
	char text[512];

	if (pmu_sysfs_text(o->pmu, o->folder, name, text, sizeof(text)) < 0)
		return 0;
	text[strcspn(text, "\n")] = '\0';
	fprintf(o->f, "sysfs %s%s%s/%s%s%s\n", o->pmu, *o->folder ? "/" : "", o->folder, name,
		*text ? " " : "", text);
	return 0;
}

static int write_pmu(const char *pmu, void *arg)
{
	static const char *const alone[] = { "type", "cpus", "cpumask" };
	static const char *const folders[] = { "caps", "format", "events" };
	struct files o = { arg, pmu, "" };

	for (size_t i = 0; i < 3; i++)
		write_file(alone[i], &o);
	for (size_t i = 0; i < 3; i++) {
		o.folder = folders[i];
		pmu_sysfs_each_in(pmu, folders[i], write_file, &o);
	}
	return 0;
}

bool cpuinfo(const char *name, char *value, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	bool found = false;
	char line[4096];

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, name, strlen(name)))
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = 0;
		snprintf(value, size, "%s", colon);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

static void write_processor(FILE *f)
{
	/* Not "Serial", "Hardware" and the like of boards. */
	static const char *const keys[] = {
		"vendor_id",	"cpu family",	    "model\t",	   "model name",
		"stepping",	"CPU implementer",  "CPU variant", "CPU part",
		"CPU revision", "CPU architecture", "isa",	   "mvendorid",
		"marchid",	"mimpid",
	};
	char value[160], flags[4096] = "";

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (cpuinfo(keys[i], value, sizeof(value)))
			fprintf(f, "cpu %.*s: %s\n", (int)strcspn(keys[i], "\t"), keys[i], value);
	if (cpuinfo("flags", flags, sizeof(flags)) && strstr(flags, " hypervisor"))
		fputs("cpu hypervisor: yes\n", f);
}

int save_machine(FILE *f)
{
	static const char *const names[] = { "perf_event_paranoid", "perf_event_max_sample_rate",
					     "perf_event_mlock_kb", "perf_cpu_time_max_percent",
					     "nmi_watchdog" };
	struct utsname u;
	char path[64], text[32];

	fputs("omphwc machine 1\n", f);
	if (!uname(&u))
		fprintf(f, "kernel %s %s\n", u.release, u.machine);
	fprintf(f, "glibc %s\ncpus %ld\npage %ld\n", gnu_get_libc_version(),
		sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PAGESIZE));
	write_processor(f);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", names[i]);
		if (pmu_file_text(path, text, sizeof(text)) > 0)
			fprintf(f, "setting %s %s\n", names[i], text);
	}
	fprintf(f, "setting CapEff %llx\n", pmu_status_field("CapEff:", 16, 0));
	fprintf(f, "setting Seccomp %llu\n", pmu_status_field("Seccomp:", 10, 0));
	write_limit(f, "RLIMIT_NOFILE", RLIMIT_NOFILE);
	write_limit(f, "RLIMIT_MEMLOCK", RLIMIT_MEMLOCK);
	write_limit(f, "RLIMIT_SIGPENDING", RLIMIT_SIGPENDING);
	pmu_sysfs_each_pmu(write_pmu, f);
	pmu_perf_watch(keep_answer);
	save_each_event(save_try_event, NULL);
	pmu_perf_watch(NULL);
	for (size_t i = 0; i < record.n; i++) {
		fprintf(f, "%s\n", record.lines[i]);
		free(record.lines[i]);
	}
	record.n = 0;
	errno = 0;
	return fflush(f) || ferror(f) ? -(errno ? errno : EIO) : 0;
}
