# SPDX-License-Identifier: BSD-3-Clause
# tests/collector.mk: a producer of the Collector API that is not ours, and the conformance
# test, which tests/e2e/coexist/t-collector.sh builds with gcc and runs with each producer.

# A small OpenMP runtime in libgomp's place, and with its names' versions.
check_LTLIBRARIES += libtestomp.la
libtestomp_la_SOURCES = \
	tests/collector/testomp.h \
	tests/collector/testomp_api.c \
	tests/collector/testomp_entries.c tests/collector/testomp_entries.h \
	tests/collector/testomp_fault.c \
	tests/collector/testomp_loop.c tests/collector/testomp_loop.h \
	tests/collector/testomp_omp.c \
	tests/collector/testomp_team.c \
	tests/collector/testomp_wait.c
libtestomp_la_CFLAGS = $(AM_CFLAGS)
libtestomp_la_LDFLAGS = -shared -avoid-version -rpath /nowhere -Wl,-z,defs \
	-Wl,--version-script=$(top_srcdir)/tests/collector/testomp.map
libtestomp_la_LIBADD = -lpthread
EXTRA_libtestomp_la_DEPENDENCIES = tests/collector/testomp.map
EXTRA_DIST += tests/collector/testomp.map

EXTRA_DIST += \
	tests/collector/conform.c \
	tests/collector/conform.h \
	tests/collector/conform_ask.c \
	tests/collector/conform_batch.c \
	tests/collector/conform_hear.c \
	tests/collector/conform_life.c \
	tests/collector/conform_probe.c \
	tests/collector/conform_regions.c \
	tests/collector/conform_session.c \
	tests/collector/conform_signals.c \
	tests/collector/conform_states.c \
	tests/collector/conform_steps.c \
	tests/collector/conform_threads.c \
	tests/collector/plain.c
