/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.c - the events that the kernel permits this user to count.
 */
#include "config.h"

#include <string.h>

#include "pmu/event.h"
#include "pmu/files.h"
#include "pmu/pfm.h"
#include "pmu/sysfs.h"
#include "src/check/checkup.h"

static void check_hardware(struct checkup *c)
{
	const struct pmu_access *a = &c->access;
	const char *todo = "-e cycles and the like are replaced by cpu-clock";

	if (a->hardware == PMU_HARDWARE_YES)
		checkup_line(c, FINE, "PMU", NULL, "%s: counts cycles%s", a->pmus,
			     strchr(a->pmus, ',') ? "; one for each kind of core, whose counts "
						    "are added up" :
						    "");
	else if (a->hardware == PMU_HARDWARE_DENIED)
		checkup_line(c, NOTE, "PMU", "see perf_event_open below",
			     "%s: there, but not for this user", a->pmus);
	else if (a->hardware == PMU_HARDWARE_SILENT)
		checkup_line(
			c, NOTE, "PMU", todo,
			"%s: opens cycles, but never counts them (a virtual machine's, mostly)",
			a->pmus);
	else if (a->hardware == PMU_HARDWARE_SIDES)
		checkup_line(
			c, NOTE, "PMU",
			"--count=cycles:uk, or -e cycles:uk where it signals overflows; -e cycles "
			"and the like are replaced by cpu-clock",
			"%s: counts user code and the kernel together only", a->pmus);
	else if (*a->pmus)
		checkup_line(c, NOTE, "PMU", todo, "%s: does not count cycles", a->pmus);
	else
		checkup_line(c, NOTE, "PMU",
			     c->virtual_machine ?
				     "-e cycles and the like are "
				     "replaced by cpu-clock; for a KVM guest, ask for a virtual "
				     "PMU (-cpu host,pmu=on; in a cloud, a bare-metal instance)" :
				     todo,
			     "this machine has none");
}

static void check_paranoid(struct checkup *c)
{
	const struct pmu_access *a = &c->access;
	bool kept_out = a->paranoid > 2 && !a->capable;
	/* Documentation/admin-guide/sysctl/kernel.rst; levels 3 and 4 were added by
	   distributions. */
	const char *means =
		a->paranoid > 2	 ? "only privileged users may count" :
		a->paranoid == 2 ? "ordinary users may count user code" :
		a->paranoid >= 0 ? "ordinary users may count user code and the kernel's" :
				   "ordinary users may count everything";

	if (a->paranoid == -2) {
		checkup_line(c, NOTE, "perf_event_paranoid", NULL, "cannot be read");
		return;
	}
	checkup_line(c, kept_out ? NOTE : FINE, "perf_event_paranoid",
		     kept_out ? "as root: sysctl kernel.perf_event_paranoid=2" : NULL, "%d: %s%s",
		     a->paranoid, means,
		     a->capable ? "; this user is privileged (CAP_PERFMON or CAP_SYS_ADMIN)" : "");
}

static void check_kernel_side(struct checkup *c)
{
	const struct pmu_access *a = &c->access;

	if (a->user_clock)
		checkup_line(c, FINE, "kernel's side", NULL,
			     a->kernel_events ?
				     "may be counted (-e cycles:uk)" :
				     "may not be counted: user code only, which is the default");
}

static void check_rate(struct checkup *c)
{
	long most = c->access.max_sample_rate;
	bool low = most >= 0 && most < 2 * (long)PMU_DEFAULT_FREQ_HZ;

	if (most < 0)
		return;
	checkup_line(c, low ? NOTE : FINE, "max_sample_rate",
		     low ? "the kernel lowers it "
			   "when sampling takes long; as root: sysctl "
			   "kernel.perf_event_max_sample_rate=100000" :
			   NULL,
		     "%ld a second and CPU; the default rate is %u", most, PMU_DEFAULT_FREQ_HZ);
}

static void check_libpfm(struct checkup *c)
{
	if (!pmu_pfm_loaded())
		checkup_line(c, NOTE, "libpfm4", "install libpfm4",
			     "is not there: only the kernel's own names are known, and raw codes");
	else if (*c->access.cpu)
		checkup_line(c, FINE, "libpfm4", NULL, "knows this processor: %s", c->access.cpu);
	else
		checkup_line(c, FINE, "libpfm4", NULL, "does not know this processor");
}

void checkup_counting(struct checkup *c)
{
	checkup_title("Counting");
	pmu_access_probe(&c->access);
	check_hardware(c);

	const struct pmu_access *a = &c->access;
	bool filter = pmu_status_field("Seccomp:", 10, 0) != 0;

	if (a->syscall_works)
		checkup_line(c, FINE, "perf_event_open", NULL, "allowed%s",
			     filter ? " by the seccomp filter" : "");
	else if (a->paranoid > 2 && !filter)
		checkup_line(c, NOTE, "perf_event_open",
			     "as root: sysctl kernel.perf_event_paranoid=2", "refused: %s",
			     strerror(a->syscall_errno));
	else
		checkup_line(c, NOTE, "perf_event_open",
			     "let the container use it (docker: "
			     "--cap-add PERFMON, or a seccomp profile that allows it); "
			     "until then all events are replaced by wall",
			     "refused: %s%s", strerror(a->syscall_errno),
			     filter ? ", by a seccomp filter" : "");
	check_paranoid(c);
	check_kernel_side(c);
	checkup_line(c, FINE, "sigtrap", NULL, "%s",
		     c->access.sigtrap ?
			     "this kernel has it (5.18 or later)" :
			     "not in this kernel (5.18 or later): queued signals are used");

	const char *why = c->access.unread;

	if (c->access.hardware == PMU_HARDWARE_YES) {
		if (why)
			checkup_line(c, pmu_sysfs_kinds() > 1 ? FINE : NOTE, "user-space reads",
				     NULL, "none: every read of a counter is a system call (%s)",
				     why);
		else
			checkup_line(c, FINE, "user-space reads", NULL,
				     "counters can be read without a system call");
	}
	if (c->access.nmi_watchdog && c->access.hardware == PMU_HARDWARE_YES)
		checkup_line(c, NOTE, "NMI watchdog", "as root: sysctl kernel.nmi_watchdog=0",
			     "takes one of the counters");
	check_rate(c);
	check_libpfm(c);
}
