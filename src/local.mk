# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/message.c src/message.h \
	src/cmd_run.c
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD =
