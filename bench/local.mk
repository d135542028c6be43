# bench: what this folder builds.

# The handler's own work.
EXTRA_PROGRAMS += bench/bench_handler
bench_bench_handler_CFLAGS = $(AM_CFLAGS)
bench_bench_handler_SOURCES = bench/bench_handler.c
bench_bench_handler_LDADD = libomphwc_static.la $(PFM_LIBS) -lpthread

# A frame by our unwinder and by others.
if HAVE_LIBUNWIND
EXTRA_PROGRAMS += bench/bench_unwind
bench_bench_unwind_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS) -fno-omit-frame-pointer
bench_bench_unwind_SOURCES = bench/bench_unwind.c
bench_bench_unwind_LDADD = libomphwc_core.la $(LIBUNWIND_LIBS) -lpthread
endif
