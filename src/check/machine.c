/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.c - kernel, processor, virtual machine, container.
 */
#include "config.h"

#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pmu/files.h"
#include "src/check/checkup.h"
#include "src/check/save.h"

enum { TEXT_BYTES = 160 };

static void check_virtual(struct checkup *c)
{
	char flags[4096] = "", vendor[TEXT_BYTES], product[TEXT_BYTES], text[TEXT_BYTES];

	pmu_file_text("/sys/class/dmi/id/sys_vendor", vendor, sizeof(vendor));
	pmu_file_text("/sys/class/dmi/id/product_name", product, sizeof(product));
	cpuinfo("flags", flags, sizeof(flags));
	c->virtual_machine = strstr(flags, " hypervisor") ||
			     pmu_file_text("/sys/hypervisor/type", text, sizeof(text)) > 0;
	if (c->virtual_machine)
		checkup_line(c, FINE, "virtual machine", NULL, "yes%s%s%s%s",
			     *vendor || *product ? ": " : "", vendor,
			     *vendor && *product ? ", " : "", product);
}

static const char *container_kind(void)
{
	const char *said = getenv("container");
	static char kind[TEXT_BYTES];

	if (said && *said)
		return said;
	if (pmu_file_text("/run/systemd/container", kind, sizeof(kind)) > 0)
		return kind;
	if (!access("/.dockerenv", F_OK))
		return "docker";
	if (!access("/run/.containerenv", F_OK))
		return "podman";
	if (getenv("KUBERNETES_SERVICE_HOST"))
		return "kubernetes";
	return getenv("APPTAINER_CONTAINER") || getenv("SINGULARITY_CONTAINER") ? "apptainer" :
										  NULL;
}

static void check_tracer(struct checkup *c)
{
	unsigned long long tracer = pmu_status_field("TracerPid:", 10, 0);

	if (tracer)
		checkup_line(c, NOTE, "tracer", "profile without it: it sees every signal first",
			     "process %llu traces this one", tracer);
}

void checkup_machine(struct checkup *c)
{
	struct utsname u;
	char model[TEXT_BYTES];
	cpu_set_t set;
	char text[64];
	double quota, period;

	checkup_title("Machine");
	if (!uname(&u))
		checkup_line(c, FINE, "kernel", NULL, "%s %s, %s, glibc %s", u.sysname, u.release,
			     u.machine, gnu_get_libc_version());

	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!cpuinfo("model name", model, sizeof(model)) &&
	    !cpuinfo("CPU part", model, sizeof(model)))
		snprintf(model, sizeof(model), "unknown");
	c->cpus = online > 0 ? (unsigned)online : 1;
	if (!sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 0)
		c->cpus = (unsigned)CPU_COUNT(&set);
	if (c->cpus < online)
		checkup_line(c, NOTE, "processor",
			     "more threads than CPUs wait for one another; see taskset -p $$",
			     "%s; %u of its %ld CPUs may be used", model, c->cpus, online);
	else
		checkup_line(c, FINE, "processor", NULL, "%s, %u CPUs", model, c->cpus);
	/* cgroup 2: "QUOTA PERIOD" in us, or "max PERIOD". */
	if (pmu_file_text("/sys/fs/cgroup/cpu.max", text, sizeof(text)) > 0 &&
	    sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
		checkup_line(c, quota / period < c->cpus ? NOTE : FINE, "CPU quota",
			     quota / period < c->cpus ?
				     "threads past it are stopped for "
				     "milliseconds at a time; set OMP_NUM_THREADS to fit" :
				     NULL,
			     "%.1f CPUs for this container", quota / period);
	check_virtual(c);

	const char *kind = container_kind();

	if (kind)
		checkup_line(c, FINE, "container", NULL, "yes: %s", kind);
	check_tracer(c);
}
