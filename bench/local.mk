# bench: what this folder builds.

# The handler's own work.
EXTRA_PROGRAMS += bench/bench_handler
bench_bench_handler_CFLAGS = $(AM_CFLAGS)
bench_bench_handler_SOURCES = bench/bench_handler.c
bench_bench_handler_LDADD = libomphwc_static.la $(PFM_LIBS) -lpthread
