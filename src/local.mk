# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/message.c src/message.h \
	src/cmd_run.c
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD =

# The profile's name: shared by the command and what is loaded into programs.
noinst_LTLIBRARIES += libprof_name.la
libprof_name_la_SOURCES = \
	src/profile/name.c src/profile/name.h \
	src/profile/manifest.c src/profile/manifest.h
