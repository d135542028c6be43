# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/page.c src/page.h \
	src/cmd_list.c \
	src/cmd_run.c
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD = \
	libompcount_run.la \
	libprof_name.la \
	libomphwc_pmu.la libomphwc_rearm.la \
	$(ELFUTILS_LIBS)

# What `ompcount run` consists of, and the lines that all commands print.
noinst_LTLIBRARIES += libompcount_run.la
libompcount_run_la_SOURCES = \
	src/message.c src/message.h \
	src/run/child.c src/run/child.h \
	src/run/destination.c src/run/destination.h \
	src/run/elfsyms.c src/run/elfsyms.h \
	src/run/env.c src/run/env.h \
	src/run/events.c src/run/events.h \
	src/run/libomp.c src/run/libomp.h \
	src/run/library.c src/run/library.h \
	src/run/loader.c src/run/loader.h \
	src/run/options.c src/run/options.h \
	src/run/runtime.c src/run/runtime.h \
	src/run/scratch.c src/run/scratch.h \
	src/run/session.c src/run/session.h \
	src/run/target.c src/run/target.h
libompcount_run_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DOMPHWC_LIBDIR='"$(libdir)"' -DOMPHWC_PREFIX='"$(exec_prefix)"'
libompcount_run_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)

# The profile's name: shared by the command and what is loaded into programs.
noinst_LTLIBRARIES += libprof_name.la
libprof_name_la_SOURCES = \
	src/profile/name.c src/profile/name.h \
	src/profile/manifest.c src/profile/manifest.h

# Reads profiles; for ompcount, never loaded into programs.
noinst_LTLIBRARIES += libomphwc_profile_reader.la
libomphwc_profile_reader_la_SOURCES = \
	src/profile/format.h src/profile/reader.h src/profile/reader.c \
	src/profile/load.h src/profile/load.c \
	src/profile/chunks.h src/profile/chunks.c \
	src/profile/infos.h src/profile/infos.c \
	src/profile/nodes.h src/profile/nodes.c \
	src/profile/cycles.h src/profile/cycles.c
libomphwc_profile_reader_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
