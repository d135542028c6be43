# SPDX-License-Identifier: BSD-3-Clause
# pmu: what the kernel counts.  The functions that a signal handler calls are a library of
# their own, libomphwc_rearm.la, which must follow libomphwc_pmu.la when linking.
noinst_LTLIBRARIES += libomphwc_pmu.la libomphwc_rearm.la

libomphwc_rearm_la_SOURCES = pmu/rearm.c pmu/rearm.h pmu/counter.h pmu/phase.c pmu/phase.h \
	pmu/wall.c pmu/wall.h
libomphwc_rearm_la_CFLAGS = $(HANDLER_CFLAGS)

libomphwc_pmu_la_SOURCES = \
	pmu/access.c pmu/access.h \
	pmu/alive.c pmu/alive.h \
	pmu/catalog.c pmu/catalog.h \
	pmu/counter.c \
	pmu/counts.c pmu/counts.h \
	pmu/event.c pmu/event.h \
	pmu/explain.c pmu/explain.h \
	pmu/fastread.c pmu/fastread.h \
	pmu/files.c pmu/files.h \
	pmu/generic.c pmu/generic.h \
	pmu/ibs.c \
	pmu/perf.c pmu/perf.h pmu/perf_event.h \
	pmu/pfm.c pmu/pfm.h \
	pmu/plan.c \
	pmu/refusal.c pmu/refusal.h \
	pmu/register.h \
	pmu/settle.c \
	pmu/name_source.h \
	pmu/core_kinds.c \
	pmu/steady.c pmu/steady.h \
	pmu/sysfs.c pmu/sysfs.h \
	pmu/terms.c \
	pmu/topdown.c pmu/topdown.h
if ARCH_X86_64
libomphwc_pmu_la_SOURCES += pmu/register_x86_64.c
endif
if ARCH_AARCH64
libomphwc_pmu_la_SOURCES += pmu/register_aarch64.c pmu/register_numbered.c
endif
if ARCH_RISCV64
libomphwc_pmu_la_SOURCES += pmu/register_riscv64.c pmu/register_numbered.c
endif
libomphwc_pmu_la_CPPFLAGS = $(AM_CPPFLAGS) $(PFM_CFLAGS)
# A handler may open a counter anew (pmu_counter_redeliver()): so these flags here too.
libomphwc_pmu_la_CFLAGS = $(HANDLER_CFLAGS)
