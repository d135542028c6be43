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

# What a program pays: small programs built for a runtime with OMPT, timed
# without a tool, with an empty one and with ours.
bench_programs = bench/regions bench/tasks bench/compute
bench_inputs = $(bench_programs) bench/nulltool.so
EXTRA_DIST += \
	bench/compute.c \
	bench/least.h \
	bench/nulltool.c \
	bench/regions.c \
	bench/run.sh \
	bench/tasks.c
CLEANFILES += $(bench_inputs)

$(bench_programs): $(top_srcdir)/bench/least.h
	$(AM_V_CCLD)$(MKDIR_P) bench && $(OPENMP_CC) -g -O2 -fopenmp -o $@ $(top_srcdir)/$@.c
bench/regions: $(top_srcdir)/bench/regions.c
bench/tasks: $(top_srcdir)/bench/tasks.c
bench/compute: $(top_srcdir)/bench/compute.c
bench/nulltool.so: $(top_srcdir)/bench/nulltool.c
	$(AM_V_CCLD)$(MKDIR_P) bench && $(CC) -shared -fPIC -O2 -I$(top_builddir)/include \
		-o $@ $(top_srcdir)/bench/nulltool.c

bench: all $(bench_inputs) bench/bench_handler
	@$(top_srcdir)/bench/run.sh $(top_builddir)

# The demonstration: a program is profiled and its profile looked at.
EXTRA_DIST += bench/demo/heat.c bench/demo/show.sh
CLEANFILES += bench/demo/heat bench/demo/heat.omphwc
bench/demo/heat: $(top_srcdir)/bench/demo/heat.c
	$(AM_V_CCLD)$(MKDIR_P) bench/demo && \
	$(OPENMP_CC) -g -O2 -fopenmp -o $@ $(top_srcdir)/bench/demo/heat.c -lm
demo: all bench/demo/heat
	@$(SHELL) $(top_srcdir)/bench/demo/show.sh $(top_builddir)

.PHONY: bench demo
