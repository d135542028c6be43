# SPDX-License-Identifier: BSD-3-Clause
# bench: what this folder builds.

# The handler's own time.
EXTRA_PROGRAMS += bench/bench_handler
bench_bench_handler_CFLAGS = $(AM_CFLAGS)
bench_bench_handler_SOURCES = bench/bench_handler.c
bench_bench_handler_LDADD = libomphwc_static.la -lpthread -ldl

# A million samples for perf.
EXTRA_PROGRAMS += bench/faults
CLEANFILES += bench/faults
bench_faults_CFLAGS = $(AM_CFLAGS)
bench_faults_SOURCES = bench/faults.c
bench_faults_LDADD =

# Counts instructions.
EXTRA_PROGRAMS += bench/steps
CLEANFILES += bench/steps
bench_steps_CFLAGS = $(AM_CFLAGS)
bench_steps_SOURCES = bench/steps.c
bench_steps_LDADD =

# Threads that sleep.
EXTRA_PROGRAMS += bench/sleepers
CLEANFILES += bench/sleepers
bench_sleepers_CFLAGS = $(AM_CFLAGS)
bench_sleepers_SOURCES = bench/sleepers.c
bench_sleepers_LDADD = -lpthread

# Write large profiles, to be reported.
EXTRA_PROGRAMS += bench/contexts bench/constructs
CLEANFILES += bench/contexts bench/constructs
bench_contexts_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)
bench_contexts_LDFLAGS = $(SANITIZE_CFLAGS)
bench_contexts_SOURCES = bench/contexts.c
bench_contexts_LDADD = libmkprofile.la $(ELFUTILS_LIBS)
bench_constructs_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
bench_constructs_LDFLAGS = $(SANITIZE_CFLAGS)
bench_constructs_SOURCES = bench/constructs.c
bench_constructs_LDADD = libmkprofile.la

# t-merge-job.sh uses it, too.
check_PROGRAMS += bench/ranks
bench_ranks_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
bench_ranks_LDFLAGS = $(SANITIZE_CFLAGS)
bench_ranks_SOURCES = bench/ranks.c
bench_ranks_LDADD = libmkprofile.la

# Compares unwinders.
if HAVE_LIBUNWIND
EXTRA_PROGRAMS += bench/bench_unwind
bench_bench_unwind_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS) -fno-omit-frame-pointer
bench_bench_unwind_SOURCES = bench/bench_unwind.c
bench_bench_unwind_LDADD = libomphwc_core.la libprof_name.la $(LIBUNWIND_LIBS) -lpthread
endif

# What the code is like, in numbers.
EXTRA_DIST += bench/metrics.sh
metrics:
	cd $(srcdir) && bench/metrics.sh
.PHONY: metrics

# The cost of profiling: small programs built for a runtime with OMPT, timed
# without a tool, with an empty one and with ours.
bench_programs = bench/blocks bench/regions bench/tasks bench/compute bench/criticals
# The same on GCC's libgomp, timed alone and profiled.
bench_gomp = bench/regions-gomp bench/tasks-gomp bench/chunks-gomp
bench_inputs = $(bench_programs) $(bench_gomp) bench/nulltool.so
EXTRA_DIST += \
	bench/blocks.c \
	bench/chunks.c \
	bench/compute.c \
	bench/criticals.c \
	bench/empty_handler.h \
	bench/least.h \
	bench/nulltool.c \
	bench/regions.c \
	bench/run.sh \
	bench/tasks.c
CLEANFILES += $(bench_inputs)

$(bench_programs): $(top_srcdir)/bench/least.h $(top_srcdir)/src/profile/clock.h
	$(AM_V_CCLD)$(MKDIR_P) bench && $(OPENMP_CC) -g -O2 -fopenmp -I$(top_srcdir) \
		-o $@ $(top_srcdir)/$@.c
bench/blocks: $(top_srcdir)/bench/blocks.c
bench/regions: $(top_srcdir)/bench/regions.c
bench/tasks: $(top_srcdir)/bench/tasks.c
bench/compute: $(top_srcdir)/bench/compute.c $(top_srcdir)/bench/empty_handler.h
bench/criticals: $(top_srcdir)/bench/criticals.c
# Without gcc there are none, and nothing is measured.
$(bench_gomp): $(top_srcdir)/bench/least.h $(top_srcdir)/src/profile/clock.h
	$(AM_V_CCLD)$(MKDIR_P) bench && { test -z '$(TEST_GCC)' || \
		$(TEST_GCC) -g -O2 -fopenmp -I$(top_srcdir) \
			-o $@ $(top_srcdir)/$(@:-gomp=).c; }
bench/regions-gomp: $(top_srcdir)/bench/regions.c
bench/tasks-gomp: $(top_srcdir)/bench/tasks.c
bench/chunks-gomp: $(top_srcdir)/bench/chunks.c
bench/nulltool.so: $(top_srcdir)/bench/nulltool.c $(top_srcdir)/ompt_tool/runtime/ompt_declarations.h
	$(AM_V_CCLD)$(MKDIR_P) bench && $(CC) -shared -fPIC -O2 -I$(top_srcdir) \
		-o $@ $(top_srcdir)/bench/nulltool.c

bench: all $(bench_inputs) bench/bench_handler bench/contexts bench/constructs bench/ranks bench/faults \
	bench/sleepers bench/steps
	@$(top_srcdir)/bench/run.sh $(top_builddir)

# Symbols: takes a gigabyte of disk, and builds for half a minute.
.PHONY: bench-symbols
EXTRA_DIST += bench/symbols.sh
bench-symbols: all
	@$(top_srcdir)/bench/symbols.sh $(top_builddir)

# Merging: takes two gigabytes of disk.
.PHONY: bench-merge
EXTRA_DIST += bench/merge.sh
bench-merge: all bench/ranks
	@$(top_srcdir)/bench/merge.sh $(top_builddir)

# The demonstration: profiles a program and shows its profile.
EXTRA_DIST += bench/demo/show.sh bench/demo/steps.sh
CLEANFILES += bench/demo/heat bench/demo/heat.omphwc
bench/demo/heat: $(top_srcdir)/bench/demo/heat.c
	$(AM_V_CCLD)$(MKDIR_P) bench/demo && \
	$(OPENMP_CC) -g -O2 -fopenmp -o $@ $(top_srcdir)/bench/demo/heat.c -lm
# Everything before it is built by all processors and silently.
demo:
	@echo "building omphwc and the demonstration, a minute or two where nothing is built yet"
	@$(MAKE) $(AM_MAKEFLAGS) -s $(DEMO_JOBS) $(DEMO_QUIET) all bench/demo/heat
	@$(SHELL) $(top_srcdir)/bench/demo/show.sh $(top_builddir)
DEMO_JOBS = $$(case " $$MAKEFLAGS" in (*" -j"*) ;; (*) echo -j$$(nproc) ;; esac)
DEMO_QUIET = AM_V_CC=@ AM_V_CCLD=@ AM_V_GEN=@ AM_V_AR=@ AM_V_at=@

# doc/tutorial.md: the demonstration made faster in three steps.
tutorial: all
	@$(SHELL) $(top_srcdir)/bench/demo/steps.sh $(abs_top_srcdir) $(abs_top_builddir) $(OPENMP_CC)
clean-local: clean-tutorial
clean-tutorial:
	rm -rf bench/demo/steps
.PHONY: bench demo tutorial clean-tutorial
