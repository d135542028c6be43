# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/message.c src/message.h \
	src/page.c src/page.h \
	src/cmd_list.c \
	src/cmd_run.c
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD = libomphwc_pmu.la libomphwc_rearm.la

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
