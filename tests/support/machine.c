/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.c - see machine.h. The rules are Linux': each names its source.
 *
 * A text's lines, beside those that `ompcount check --save' writes:
 *   rule lacks [PMU] TYPE:CONFIG   ENOENT; CONFIG in hexadecimal, or *
 *   rule imprecise TYPE:CONFIG     EINVAL where it is to be precise
 *   rule precise N                 at most; else EOPNOTSUPP
 *   rule counters N                in a group; else EINVAL
 *   rule NAME                      one of those below
 */
#include "config.h"

#include "tests/support/machine.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu/files.h"
#include "pmu/perf_event.h"
#include "pmu/sysfs.h"
#include "src/check/save.h"

enum { EVENTS_MAX = 256, PMUS_MAX = 64, LINES_MAX = 16384 };
enum { LOWERED_RATE = 500, DESCRIPTORS = 1024 };

struct pmu {
	char name[64];
	uint32_t type;
	bool core, uncore;
};

/* An event that is open. Its descriptors may be copies: the file is the event. */
struct event {
	ino_t id; /* 0: none */
	ino_t leader;
	int descriptors;
	struct perf_event_attr attr;
	uint64_t reads;
	bool silent;
	struct perf_event_mmap_page *ring;
};

static struct {
	char base[64];
	struct pmu pmus[PMUS_MAX];
	int npmus;
	char *lines[LINES_MAX]; /* "rule …", "open …", "silent …", "setting …" */
	int nlines;
	bool recorded; /* has answers instead of rules */
	enum machine_limit limit;
	struct event events[EVENTS_MAX];
} m;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* ---- the text -------------------------------------------------------- */

static void put(const char *path, const char *text)
{
	char full[512], *slash;
	FILE *f;

	ck_assert_ptr_null(strstr(path, ".."));
	snprintf(full, sizeof(full), "%s/%s", m.base, path);
	for (slash = full + strlen(m.base) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		ck_assert(mkdir(full, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	f = fopen(full, "we");
	ck_assert(f && fprintf(f, "%s\n", text) > 0 && !fclose(f));
}

static void take(char *line)
{
	char path[256], *text;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "sysfs %255s", path) == 1) {
		text = strstr(line, path) + strlen(path);
		put(path, text + (*text == ' '));
		return;
	}
	if (strncmp(line, "rule ", 5) && strncmp(line, "open ", 5) && strncmp(line, "silent ", 7) &&
	    strncmp(line, "setting ", 8))
		return;
	ck_assert_int_lt(m.nlines, LINES_MAX);
	m.recorded |= !strncmp(line, "open ", 5);
	m.lines[m.nlines++] = strdup(line);
}

static int add_pmu(const char *name, void *arg)
{
	struct pmu *p = &m.pmus[m.npmus];

	(void)arg;
	ck_assert_int_lt(m.npmus, PMUS_MAX);
	if (pmu_sysfs_type(name, &p->type))
		return 0;
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->core = pmu_sysfs_is_core(name);
	p->uncore = pmu_sysfs_is_uncore(name);
	m.npmus++;
	return 0;
}

void machine_begin(const char *name)
{
	const char *top = getenv("top_srcdir");
	char path[512], *line = NULL;
	size_t room = 0;
	FILE *f;

	memset(&m, 0, sizeof(m));
	/* Explanations say how many. */
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ DESCRIPTORS, DESCRIPTORS }), 0);
	snprintf(m.base, sizeof(m.base), "/tmp/omphwc-machine.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(m.base));
	snprintf(path, sizeof(path), *name == '/' ? "%s" : "%2$s/tests/machines/%1$s.txt", name,
		 top ? top : ".");
	f = fopen(path, "re");
	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	while (getline(&line, &room, f) > 0)
		take(line);
	free(line);
	fclose(f);
	pmu_sysfs_base(m.base);
	pmu_sysfs_each_pmu(add_pmu, NULL);
}

void machine_end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", m.base);
	ck_assert_int_eq(system(command), 0);
	pmu_sysfs_base(NULL);
	while (m.nlines)
		free(m.lines[--m.nlines]);
	m.base[0] = '\0';
}

void machine_limit(enum machine_limit limit)
{
	m.limit = limit;
}

static const struct pmu *pmu_of(uint32_t type)
{
	for (int i = 0; i < m.npmus; i++)
		if (m.pmus[i].type == type)
			return &m.pmus[i];
	return NULL;
}

/* ---- rules ----------------------------------------------------------- */

static bool has_rule(const char *name)
{
	for (int i = 0; i < m.nlines; i++)
		if (!strncmp(m.lines[i], "rule ", 5) && !strcmp(m.lines[i] + 5, name))
			return true;
	return false;
}

static long rule_number(const char *name, long otherwise)
{
	char what[32];
	long n;

	for (int i = 0; i < m.nlines; i++)
		if (sscanf(m.lines[i], "rule %31s %ld", what, &n) == 2 && !strcmp(what, name))
			return n;
	return otherwise;
}

/* "TYPE:CONFIG" */
static bool is_event(const char *text, const struct perf_event_attr *a)
{
	unsigned long long config;
	unsigned type;
	char rest[32];

	if (sscanf(text, "%u:%31s", &type, rest) != 2 || type != a->type)
		return false;
	config = strtoull(rest, NULL, 16);
	return *rest == '*' ||
	       config == (a->type < PERF_TYPE_MAX ? (uint32_t)a->config : a->config);
}

static bool listed(const char *rule, const char *pmu, const struct perf_event_attr *a)
{
	for (int i = 0; i < m.nlines; i++) {
		char what[32], first[64], second[64];
		const int n = sscanf(m.lines[i], "rule %31s %63s %63s", what, first, second);

		if (n >= 2 && !strcmp(what, rule) &&
		    (n == 2 ? is_event(first, a) : !strcmp(first, pmu) && is_event(second, a)))
			return true;
	}
	return false;
}

static bool samples(const struct perf_event_attr *a)
{
	return a->freq || a->sample_period;
}

static bool excludes(const struct perf_event_attr *a)
{
	return a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_guest;
}

/* arch/x86/events/amd/ibs.c: perf_ibs_init(); swfilt is there from Linux 6.14 on. */
static int ibs(const struct perf_event_attr *a)
{
	const bool filtered = has_rule("swfilt") && a->config2 & 1;

	if (a->exclude_hv || a->exclude_guest ||
	    ((a->exclude_user || a->exclude_kernel) && !filtered))
		return EINVAL;
	if (!samples(a) || (!a->freq && a->sample_period & 15))
		return EINVAL;
	return 0;
}

/* The same file, forward_event_to_ibs(): cycles and micro-operations alone. */
static int amd_precise(const struct perf_event_attr *a)
{
	const bool cycles = a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;

	if (a->precise_ip > 2 ||
	    (!cycles && (a->type != PERF_TYPE_RAW || (a->config != 0x76 && a->config != 0xc1))))
		return EOPNOTSUPP;
	return ibs(a);
}

static struct event *find_id(ino_t id)
{
	for (int i = 0; i < EVENTS_MAX; i++)
		if (id && m.events[i].id == id)
			return &m.events[i];
	return NULL;
}

static struct event *find(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? find_id(st.st_ino) : NULL;
}

static bool is_aux(const struct perf_event_attr *a)
{
	return (a->config & 0xffff) == 0x8203;
}

/* arch/x86/events/intel/core.c: mem_loads_aux and is_metric_event(). */
static int intel(const struct perf_event_attr *a, const struct event *leader)
{
	const bool metric = (a->config & 0xff) == 0 && a->config >= 0x8000;

	if (has_rule("mem-loads-aux") && (a->config & 0xffff) == 0x1cd &&
	    a->sample_type & PERF_SAMPLE_DATA_SRC && !(leader && is_aux(&leader->attr)))
		return ENODATA;
	if (has_rule("topdown") && metric &&
	    (samples(a) || !leader || (leader->attr.config & 0xffff) != 0x400))
		return EINVAL;
	return 0;
}

/* How a core PMU's driver answers. */
static int core_pmu(const struct pmu *p, const struct perf_event_attr *a,
		    const struct event *leader)
{
	const bool own = a->type == p->type;

	/* kernel/events/core.c, PERF_PMU_CAP_NO_EXCLUDE: before the driver is asked. RISC-V's
	   SBI without Sscofpmf has it, drivers/perf/riscv_pmu_sbi.c. */
	if (has_rule("no-exclude") && excludes(a))
		return EINVAL;
	if (listed("lacks", p->name, a))
		return ENOENT;
	/* drivers/perf/apple_m1_cpu_pmu.c, m1_pmu_set_event_filter() */
	if (has_rule("exclude-guest") && !a->exclude_guest)
		return EOPNOTSUPP;
	/* PERF_PMU_CAP_NO_INTERRUPT */
	if (has_rule("no-interrupt") && samples(a))
		return EOPNOTSUPP;
	if (has_rule("no-raw") && (a->type == PERF_TYPE_RAW || own))
		return EINVAL;
	if (a->precise_ip && has_rule("ibs"))
		return amd_precise(a);
	if (a->precise_ip > rule_number("precise", 3))
		return EOPNOTSUPP;
	if (a->precise_ip && listed("imprecise", p->name, a))
		return EINVAL;
	return intel(a, leader);
}

/* A generic event of one kind of core has the PMU's number in the upper half: Linux 5.12 on
   x86, 5.19 and later on Arm (PERF_PMU_CAP_EXTENDED_HW_TYPE). */
static int generic(const struct perf_event_attr *asked, const struct event *leader)
{
	const uint32_t kind = (uint32_t)(asked->config >> 32);
	struct perf_event_attr a = *asked;
	int error = ENOENT;

	a.config = (uint32_t)a.config;
	if (kind && has_rule("no-extended"))
		return ENOENT;
	for (int i = 0; i < m.npmus && error == ENOENT; i++)
		if (m.pmus[i].core && (!kind || m.pmus[i].type == kind))
			error = core_pmu(&m.pmus[i], &a, leader);
	return error;
}

static int by_rules(const struct perf_event_attr *a, const struct event *leader)
{
	const struct pmu *p = pmu_of(a->type);

	if (a->type == PERF_TYPE_SOFTWARE)
		return a->precise_ip ? EOPNOTSUPP : 0;
	if (a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE ||
	    (a->type == PERF_TYPE_RAW && !p))
		return generic(a, leader);
	if (!p)
		return ENOENT;
	if (!strncmp(p->name, "ibs_", 4))
		return ibs(a);
	if (p->core)
		return core_pmu(p, a, leader);
	return EINVAL; /* of packages: no thread's */
}

/* ---- answers that were recorded -------------------------------------- */

static int by_record(const struct perf_event_attr *a, const struct event *leader)
{
	char request[SAVE_REQUEST_BYTES];
	const size_t n = (save_request(a, leader ? &leader->attr : NULL, request), strlen(request));

	for (int i = 0; i < m.nlines; i++)
		if (!strncmp(m.lines[i], "open ", 5) && !strncmp(m.lines[i] + 5, request, n) &&
		    !strncmp(m.lines[i] + 5 + n, " = ", 3))
			return atoi(m.lines[i] + 5 + n + 3);
	ck_abort_msg("the record has no answer to %s", request);
}

static bool is_silent(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return false;
	for (int i = 0; i < m.nlines; i++)
		if (!strncmp(m.lines[i], "silent ", 7) && is_event(m.lines[i] + 7, a))
			return true;
	return has_rule("silent");
}

/* What comes before the PMU, kernel/events/core.c; levels above 2 are distributions'. */
static int by_limit(const struct perf_event_attr *a)
{
	switch (m.limit) {
	case MACHINE_FILTER: return EPERM;
	case MACHINE_CLOSED: return EACCES;
	case MACHINE_USER: return a->exclude_kernel ? 0 : EACCES;
	case MACHINE_RATE: return a->freq && a->sample_freq > LOWERED_RATE ? EINVAL : 0;
	case MACHINE_FILES: return EMFILE;
	default: return 0;
	}
}

static bool is_full(const struct event *leader)
{
	int members = 1;

	for (int i = 0; leader && i < EVENTS_MAX; i++)
		members += m.events[i].id && m.events[i].leader == leader->id;
	return members >= rule_number("counters", 4);
}

static int answer(const struct perf_event_attr *a, const struct event *leader)
{
	int error = by_limit(a);

	if (error)
		return error;
	error = m.recorded ? by_record(a, leader) : by_rules(a, leader);
	return !error && leader && a->type != PERF_TYPE_SOFTWARE && !m.recorded && is_full(leader) ?
		       EINVAL :
		       error;
}

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- calls ----------------------------------------------------------- */

static struct event *unused(void)
{
	for (int i = 0; i < EVENTS_MAX; i++)
		if (!m.events[i].id)
			return &m.events[i];
	ck_abort_msg("more events than %d are open", EVENTS_MAX);
}

static bool is_busy(const struct perf_event_attr *a)
{
	return m.limit == MACHINE_BUSY && a->type != PERF_TYPE_SOFTWARE;
}

static long open_event(const struct perf_event_attr *asked, int group)
{
	static const uint64_t words[3] = { 1, 1, 1 };
	struct event *leader = find(group), *e = unused();
	struct stat st;
	int fd;

	errno = answer(asked, leader);
	if (errno)
		return -1;
	fd = (int)__real_syscall(SYS_memfd_create, "event", MFD_CLOEXEC);
	ck_assert(fd >= 0 && !fstat(fd, &st));
	/* For read(2) of a pinned event, which is in error where it has no counter. */
	if (!is_busy(asked)) {
		ck_assert_int_eq(write(fd, words, sizeof(words)), sizeof(words));
		lseek(fd, 0, SEEK_SET);
	}
	*e = (struct event){ .id = st.st_ino,
			     .leader = leader ? leader->id : 0,
			     .descriptors = 1,
			     .attr = *asked,
			     .silent = is_silent(asked) };
	return fd;
}

/* Each reading is a millisecond after the last one, with 1000 more. */
static long read_event(struct event *e, uint64_t *words, size_t bytes)
{
	const bool half = m.limit == MACHINE_HALF && e->attr.type != PERF_TYPE_SOFTWARE;
	const uint64_t ns = ++e->reads * 1000000, ran = is_busy(&e->attr) ? 0 : half ? ns / 2 : ns;
	const uint64_t value = e->silent ? 0 : ran / 1000;
	size_t n = 0;

	if (!(e->attr.read_format & PERF_FORMAT_GROUP)) {
		const uint64_t one[3] = { value, ns, ran };

		memcpy(words, one, bytes < sizeof(one) ? bytes : sizeof(one));
		return sizeof(one);
	}
	words[1] = ns;
	words[2] = ran;
	words[3] = value;
	for (int i = 0; i < EVENTS_MAX; i++)
		if (m.events[i].id && m.events[i].leader == e->id)
			words[4 + n++] = m.events[i].silent ? 0 : ran / 1000;
	words[0] = n + 1;
	return (long)((4 + n) * sizeof(*words));
}

long __wrap_syscall(long number, ...)
{
	struct event *e;
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!m.base[0])
		return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_perf_event_open)
		return open_event((const void *)a[0], (int)a[3]);
	e = number == SYS_read || number == SYS_close ? find((int)a[0]) : NULL;
	if (e && number == SYS_read)
		return read_event(e, (uint64_t *)a[1], (size_t)a[2]);
	if (e && --e->descriptors == 0)
		e->id = 0;
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int __wrap_close(int fd);
int __wrap_close(int fd)
{
	return (int)__wrap_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
	struct event *e = m.base[0] ? find(fd) : NULL;
	va_list ap;
	int result;

	va_start(ap, command);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	result = __real_fcntl(fd, command, argument);
	if (e && command == F_DUPFD_CLOEXEC && result >= 0)
		e->descriptors++;
	return result;
}

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	const struct event *e = m.base[0] ? find(fd) : NULL;
	va_list ap;

	va_start(ap, request);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	if (!e)
		return __real_ioctl(fd, request, argument);
	if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)argument = e->id;
	return 0;
}

void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	struct event *e = m.base[0] ? find(fd) : NULL;
	void *ring;

	if (!e)
		return __real_mmap(at, bytes, prot, flags, fd, offset);
	if (m.limit == MACHINE_RINGS) {
		errno = EPERM;
		return MAP_FAILED;
	}
	ring = __real_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes > page_bytes())
		e->ring = ring;
	return ring;
}

/* Settings, as they were recorded, or as the limit has them. */
static const char *setting(const char *name)
{
	const size_t n = strlen(name);

	for (int i = 0; m.recorded && i < m.nlines; i++)
		if (!strncmp(m.lines[i], "setting ", 8) && !strncmp(m.lines[i] + 8, name, n) &&
		    m.lines[i][8 + n] == ' ')
			return m.lines[i] + 8 + n + 1;
	return NULL;
}

long __real_pmu_file_number(const char *path, long fallback);
long __wrap_pmu_file_number(const char *path, long fallback);
long __wrap_pmu_file_number(const char *path, long fallback)
{
	const char *recorded = setting(strrchr(path, '/') + 1);

	if (recorded)
		return atol(recorded);
	if (!m.base[0] || strncmp(path, "/proc/", 6))
		return __real_pmu_file_number(path, fallback);
	if (strstr(path, "perf_event_paranoid"))
		return m.limit == MACHINE_CLOSED ? 3 : m.limit == MACHINE_USER ? 2 : 1;
	if (strstr(path, "max_sample_rate"))
		return m.limit == MACHINE_RATE ? LOWERED_RATE : 100000;
	return strstr(path, "mlock_kb") ? 516 : fallback;
}

unsigned long long __real_pmu_status_field(const char *name, int base, unsigned long long fallback);
unsigned long long __wrap_pmu_status_field(const char *name, int base, unsigned long long fallback);
unsigned long long __wrap_pmu_status_field(const char *name, int base, unsigned long long fallback)
{
	char bare[32];
	const char *recorded;

	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(name, ":"), name);
	recorded = setting(bare);
	if (recorded)
		return strtoull(recorded, NULL, base);
	if (!m.base[0])
		return __real_pmu_status_field(name, base, fallback);
	return !strcmp(name, "Seccomp:") && m.limit == MACHINE_FILTER ? 2 : 0;
}

/* ---- for tests ------------------------------------------------------- */

int machine_open_events(void)
{
	int n = 0;

	for (int i = 0; i < EVENTS_MAX; i++)
		n += m.events[i].id != 0;
	return n;
}

const struct perf_event_attr *machine_event(int fd)
{
	const struct event *e = find(fd);

	return e ? &e->attr : NULL;
}

const struct perf_event_attr *machine_leader(int fd)
{
	const struct event *e = find(fd), *leader = e ? find_id(e->leader) : NULL;

	return leader ? &leader->attr : NULL;
}

void machine_record(int fd, uint32_t type, const uint64_t *words, size_t n)
{
	struct event *e = find(fd);
	const struct perf_event_header header = {
		.type = type,
		.size = (uint16_t)(sizeof(header) + n * sizeof(*words)),
	};
	uint64_t head = e->ring->data_head, word;
	const size_t room = page_bytes();
	char *data = (char *)e->ring + room;

	if (head + header.size - e->ring->data_tail > room)
		return;
	memcpy(&word, &header, sizeof(word));
	memcpy(data + head % room, &word, sizeof(word));
	for (size_t i = 0; i < n; i++)
		memcpy(data + (head + 8 * (i + 1)) % room, &words[i], sizeof(word));
	head += header.size;
	e->ring->data_head = head;
}
