# SPDX-License-Identifier: BSD-3-Clause
# tests: Check suites, end-to-end scripts and the programs that they run.

# Each test is run by tests/driver, which counts Check's cases one by one.
TEST_EXTENSIONS = .sh
LOG_DRIVER = $(SHELL) $(top_srcdir)/tests/driver
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	OMPHWC_GCC='$(TEST_GCC)'; export OMPHWC_GCC; \
	OMPHWC_CLANG='$(CLANG)'; export OMPHWC_CLANG; \
	OMPHWC_GFORTRAN='$(GFORTRAN)'; export OMPHWC_GFORTRAN; \
	OMPHWC_CPPFLAGS='$(CHECK_CFLAGS) $(ELFUTILS_CFLAGS) $(JSON_CFLAGS) $(PFM_CFLAGS)'; \
	export OMPHWC_CPPFLAGS; \
	OMPHWC_CALM='$(e2e_calm) $(calm_suites)'; export OMPHWC_CALM; \
	MAKE='$(MAKE)'; export MAKE;
EXTRA_DIST += tests/driver tests/closing

# Which lines of what runs in programs the Check suites reach (--enable-coverage).
EXTRA_DIST += tests/coverage
coverage:
if WITH_COVERAGE
	+MAKE='$(MAKE)' GCOV='$(GCOV)' $(SHELL) $(top_srcdir)/tests/coverage $(TESTS)
else
	@echo 'make coverage: configure with --enable-coverage' >&2; exit 1
endif
clean-local: clean-coverage
clean-coverage:
	find . -name '*.gcda' -o -name '*.gcno' | xargs rm -f
.PHONY: coverage clean-coverage

# What judges neither times nor shares of time runs four at a time (tests/driver), and first: an
# emulated machine beside something else, one machine after the other. Threads that spin while
# they wait slow each other down: what runs many teams is not among these. Each machine stands
# where the one before has ended: make puts off what has to wait for another test until all
# others have been started.
e2e_calm = \
	tests/e2e/tree/t-cross.sh \
	tests/e2e/tree/t-headers.sh \
	tests/e2e/tree/t-format.sh \
	tests/e2e/paths/t-directives.sh \
	tests/e2e/commands/t-outlive.sh \
	tests/e2e/commands/t-exports.sh \
	tests/e2e/tree/t-decode.sh \
	tests/e2e/tree/t-handler-optimized.sh \
	tests/e2e/tree/t-ompt-header.sh \
	tests/e2e/coexist/t-collector.sh \
	tests/e2e/tree/t-bench.sh \
	tests/e2e/tree/t-bootstrap.sh \
	tests/e2e/commands/t-cli.sh \
	tests/e2e/commands/t-debuginfod.sh \
	tests/e2e/tree/t-handler-symbols.sh \
	tests/e2e/commands/t-html.sh \
	tests/e2e/shares/t-hurts.sh \
	tests/e2e/tree/t-install.sh \
	tests/e2e/paths/t-libcalls.sh \
	tests/e2e/tree/t-library.sh \
	tests/e2e/tree/t-manual.sh \
	tests/e2e/coexist/t-masks.sh \
	tests/e2e/jobs/t-merge.sh \
	tests/e2e/jobs/t-merge-job.sh \
	tests/e2e/commands/t-moved.sh \
	tests/e2e/counters/t-list-check.sh \
	tests/e2e/jobs/t-jobs.sh \
	tests/e2e/jobs/t-mpirun.sh \
	tests/e2e/counters/t-pmu-guest.sh \
	tests/e2e/jobs/t-slurm.sh \
	tests/e2e/jobs/t-names.sh \
	tests/e2e/jobs/t-node.sh \
	tests/e2e/jobs/t-spool.sh \
	tests/e2e/jobs/t-fuse.sh \
	tests/e2e/commands/t-rows.sh \
	tests/e2e/commands/t-report.sh \
	tests/e2e/tree/t-rooms.sh \
	tests/e2e/tree/t-recipes.sh \
	tests/e2e/tree/t-site.sh \
	tests/e2e/coexist/t-private.sh \
	tests/e2e/coexist/t-control.sh \
	tests/e2e/coexist/t-gomp.sh \
	tests/e2e/coexist/t-launchers.sh \
	tests/e2e/coexist/t-life.sh \
	tests/e2e/coexist/t-overwritten.sh \
	tests/e2e/coexist/t-program.sh \
	tests/e2e/tree/t-cross-riscv64.sh \
	tests/e2e/coexist/t-unchanged.sh \
	tests/e2e/commands/t-terminal.sh \
	tests/e2e/commands/t-sources.sh \
	tests/e2e/commands/t-encodings.sh \
	tests/e2e/commands/t-view.sh \
	tests/e2e/coexist/t-access.sh \
	tests/e2e/paths/t-bypointer.sh \
	tests/e2e/paths/t-cancelled.sh \
	tests/e2e/coexist/t-children.sh \
	tests/e2e/coexist/t-copies.sh \
	tests/e2e/paths/t-made.sh \
	tests/e2e/paths/t-kernel.sh \
	tests/e2e/coexist/t-gm.sh \
	tests/e2e/coexist/t-gromacs.sh \
	tests/e2e/paths/t-hole.sh \
	tests/e2e/counters/t-address.sh \
	tests/e2e/commands/t-scale.sh \
	tests/e2e/counters/t-count.sh \
	tests/e2e/commands/t-demo.sh \
	tests/e2e/tree/t-driver.sh \
	tests/e2e/commands/t-filters.sh \
	tests/e2e/coexist/t-go.sh \
	tests/e2e/paths/t-untold.sh \
	tests/e2e/paths/t-both.sh \
	tests/e2e/paths/t-elsewhere.sh \
	tests/e2e/paths/t-depth.sh \
	tests/e2e/paths/t-entries.sh \
	tests/e2e/counters/t-kinds.sh \
	tests/e2e/paths/t-nowaits.sh \
	tests/e2e/paths/t-staticloops.sh \
	tests/e2e/paths/t-paths.sh \
	tests/e2e/coexist/t-killed.sh \
	tests/e2e/commands/t-stack.sh \
	tests/e2e/commands/t-top.sh \
	tests/e2e/paths/t-constructs.sh \
	tests/e2e/coexist/t-containers.sh \
	tests/e2e/paths/t-places.sh \
	tests/e2e/shares/t-totals.sh \
	tests/e2e/shares/t-trace.sh \
	tests/e2e/coexist/t-storm.sh \
	tests/e2e/counters/t-pmu-riscv64.sh
TESTS += $(e2e_calm)
EXTRA_DIST += $(e2e_calm)

# For how long the processors stood still: tests/driver, tests/support/lib.sh.
check_PROGRAMS += tests/stalls
tests_stalls_SOURCES = tests/programs/stalls.c
tests_stalls_CPPFLAGS = $(AM_CPPFLAGS)
tests_stalls_LDADD = -lpthread

# Profiles built in memory, for suites that read them.
check_LTLIBRARIES += libmkprofile.la
libmkprofile_la_SOURCES = tests/support/mkprofile.c tests/support/mkprofile.h \
	tests/support/promises.c tests/support/promises.h
libmkprofile_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
reader_test_ldadd = libmkprofile.la libomphwc_profile_reader.la

# Decoding beside objdump's (tests/e2e/tree/t-decode.sh).
check_PROGRAMS += tests/decode_compare
tests_decode_compare_SOURCES = tests/support/decode_compare.c
tests_decode_compare_CFLAGS = $(AM_CFLAGS)
tests_decode_compare_LDFLAGS = $(SANITIZE_CFLAGS)
tests_decode_compare_LDADD = libomphwc_report.la

golden_outputs = \
	tests/golden/address-machine.txt \
	tests/golden/address.txt \
	tests/golden/blame.csv \
	tests/golden/blocked-by-line.csv \
	tests/golden/blocked-by-state.txt \
	tests/golden/blocked-hatchet.json \
	tests/golden/blocked.folded \
	tests/golden/blocked.txt \
	tests/golden/columns-help.txt \
	tests/golden/columns.csv \
	tests/golden/constructs.csv \
	tests/golden/constructs.txt \
	tests/golden/counts.csv \
	tests/golden/cpus.csv \
	tests/golden/demo.callgrind \
	tests/golden/demo.hatchet.json \
	tests/golden/demo.pprof.txt \
	tests/golden/expert.folded \
	tests/golden/files.csv \
	tests/golden/files.txt \
	tests/golden/filtered-machine.folded \
	tests/golden/filtered.txt \
	tests/golden/functions-misses.txt \
	tests/golden/functions.csv \
	tests/golden/functions.txt \
	tests/golden/hidden.txt \
	tests/golden/lines.csv \
	tests/golden/lines.folded \
	tests/golden/lines.hatchet.json \
	tests/golden/lines.txt \
	tests/golden/memory.csv \
	tests/golden/misses.folded \
	tests/golden/modules.csv \
	tests/golden/modules.txt \
	tests/golden/page.json \
	tests/golden/parallelism.txt \
	tests/golden/paths-lines.csv \
	tests/golden/paths-machine.txt \
	tests/golden/paths.csv \
	tests/golden/paths.speedscope.json \
	tests/golden/paths.txt \
	tests/golden/ranks.txt \
	tests/golden/by-rank.txt \
	tests/golden/by-host.txt \
	tests/golden/by-rank.csv \
	tests/golden/by-host.csv \
	tests/golden/regions-all.txt \
	tests/golden/regions.csv \
	tests/golden/regions.txt \
	tests/golden/report.json \
	tests/golden/states.csv \
	tests/golden/time.txt \
	tests/golden/trace.json \
	tests/golden/states.txt \
	tests/golden/tasks.csv \
	tests/golden/tasks.txt \
	tests/golden/threads-lines.folded \
	tests/golden/threads.csv \
	tests/golden/threads.folded \
	tests/golden/threads.speedscope.json \
	tests/golden/threads.txt \
	tests/golden/user.folded
EXTRA_DIST += $(golden_outputs) tests/support/exports.py

# The reader's fuzzer: two seconds of its own mutations in each check; as long
# as one likes by libFuzzer (CC=clang): make fuzz FUZZ_SECONDS=3600.
check_PROGRAMS += tests/fuzz_reader
TESTS += tests/fuzz_reader
tests_fuzz_reader_SOURCES = tests/support/fuzz_reader.c
tests_fuzz_reader_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_STANDALONE
tests_fuzz_reader_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
tests_fuzz_reader_LDFLAGS = $(SANITIZE_CFLAGS)
tests_fuzz_reader_LDADD = $(reader_test_ldadd)

FUZZ_SECONDS = 60
FUZZ_CFLAGS = -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
EXTRA_PROGRAMS += tests/fuzz_reader_long
tests_fuzz_reader_long_SOURCES = tests/support/fuzz_reader.c \
	tests/support/promises.c tests/support/promises.h \
	$(libomphwc_profile_reader_la_SOURCES) $(libomphwc_base_la_SOURCES)
tests_fuzz_reader_long_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_reader_long_LDFLAGS = $(FUZZ_CFLAGS)
CLEANFILES += tests/fuzz_reader_long$(EXEEXT) fuzz_reader.input
fuzz: tests/fuzz_reader_long$(EXEEXT) tests/fuzz_reader$(EXEEXT)
	$(MKDIR_P) fuzz-corpus
	tests/fuzz_reader$(EXEEXT) --seed fuzz-corpus/seed
	tests/fuzz_reader_long$(EXEEXT) -max_total_time=$(FUZZ_SECONDS) -max_len=65536 \
		-rss_limit_mb=1024 fuzz-corpus

# What the scripts ask of profiles.
check_PROGRAMS += tests/look
tests_look_SOURCES = tests/support/look.c
tests_look_CFLAGS = $(AM_CFLAGS)
tests_look_LDFLAGS = $(SANITIZE_CFLAGS)
tests_look_LDADD = libmkprofile.la libomphwc_profile_reader.la
# The profiles of t-moved.sh, and its heap, which it builds itself.
check_PROGRAMS += tests/random_profiles
tests_random_profiles_SOURCES = tests/support/random_profiles.c
tests_random_profiles_CFLAGS = $(AM_CFLAGS)
tests_random_profiles_LDFLAGS = $(SANITIZE_CFLAGS)
tests_random_profiles_LDADD = libmkprofile.la
EXTRA_DIST += tests/support/moving.c

# End-to-end scripts: tests/e2e/TOPIC/t-NAME.sh.  They build tests/programs themselves,
# with several compilers, and run them with several runtimes, in the build
# folder.
pmu_guest = \
	tests/guests/boot \
	tests/guests/cross \
	tests/guests/count.sh \
	tests/guests/exact.sh \
	tests/guests/init \
	tests/guests/judge.sh \
	tests/guests/make.sh \
	tests/guests/misses.sh \
	tests/guests/packages \
	tests/guests/packages-riscv64 \
	tests/guests/riscv64 \
	tests/guests/setup \
	tests/guests/suites.sh \
	tests/guests/team.sh
e2e_scripts = \
	tests/e2e/shares/t-answers.sh \
	tests/e2e/shares/t-blame.sh \
	tests/e2e/shares/t-blocked.sh \
	tests/e2e/shares/t-wall.sh \
	tests/e2e/jobs/t-mpi.sh \
	tests/e2e/jobs/t-hybrid.sh \
	tests/e2e/shares/t-timeline.sh \
	tests/e2e/commands/t-try.sh \
	tests/e2e/commands/t-diff.sh \
	tests/e2e/shares/t-crowd.sh \
	tests/e2e/shares/t-lastcall.sh \
	tests/e2e/shares/t-findings.sh \
	tests/e2e/shares/t-losses.sh \
	tests/e2e/paths/t-nested.sh \
	tests/e2e/shares/t-number.sh \
	tests/e2e/shares/t-placement.sh \
	tests/e2e/counters/t-pmu-host.sh \
	tests/e2e/shares/t-states.sh \
	tests/e2e/paths/t-tasks.sh \
	tests/e2e/shares/t-teams.sh \
	tests/e2e/shares/t-threads.sh
TESTS += $(e2e_scripts)
# The HTML page, in a browser.
EXTRA_DIST += tests/support/browser.py tests/support/page_cases.py
# A file a case.
EXTRA_DIST += tests/program tests/gomp tests/recipes
# What is built for the guests is built within a time limit of its own.
tests/e2e/counters/t-pmu-guest.log: tests/e2e/tree/t-cross.log
tests/e2e/counters/t-pmu-riscv64.log: tests/e2e/tree/t-cross-riscv64.log
tests/e2e/tree/t-cross-riscv64.log: \
	$(if $(filter tests/e2e/counters/t-pmu-guest.sh,$(TESTS)),tests/e2e/counters/t-pmu-guest.log)
EXTRA_DIST += $(e2e_scripts) \
	tests/support/exported-symbols \
	tests/support/exported-symbols.heap \
	tests/support/handler-symbols.allow \
	tests/support/lib.sh tests/support/screen.sh \
	tests/programs/after.c \
	tests/programs/allocator.c \
	tests/programs/asleep.c \
	tests/programs/blame.c \
	tests/programs/mpi_calls.c \
	tests/programs/mpi_hybrid.c \
	tests/programs/mpi_library.c \
	tests/programs/parallelism.c \
	tests/programs/phases.c \
	tests/programs/blocked.c \
	tests/programs/both.c \
	tests/programs/children.c \
	tests/programs/churn.c \
	tests/programs/constructs.c \
	tests/programs/contended.c \
	tests/programs/entries.c \
	tests/programs/counts.c \
	tests/programs/creator.c \
	tests/programs/crowd.c \
	tests/programs/dlstorm.c \
	tests/programs/latecode.c \
	tests/programs/control.c \
	tests/programs/deny.c \
	tests/programs/descent.c \
	tests/programs/directives.c \
	tests/programs/directives90.f90 \
	tests/programs/ends.c \
	tests/programs/fib.c \
	tests/programs/first_touch.c \
	tests/programs/alike.cpp \
	tests/programs/filters.cpp \
	tests/programs/fortran.f90 \
	tests/programs/goroutines.go \
	tests/programs/gosignals.go \
	tests/programs/grids.c \
	tests/programs/hangup.c \
	tests/programs/how.c \
	tests/programs/hybrid.c \
	tests/programs/kinds.c \
	tests/programs/barriers.c \
	tests/programs/branches.c \
	tests/programs/many.c \
	tests/programs/lastbarrier.c \
	tests/programs/lastcall.c \
	tests/programs/libcalls.c \
	tests/programs/launched.c tests/programs/launcher.c \
	tests/programs/made.c \
	tests/programs/tailcalls.c \
	tests/programs/levels.c \
	tests/programs/life.c \
	tests/programs/losses.c \
	tests/programs/manythreads.c \
	tests/programs/depth.c tests/programs/runtime_inside.c tests/programs/nested.c \
	tests/programs/headers.cc \
	tests/programs/helpers.c \
	tests/programs/hurts.c \
	tests/programs/number.c \
	tests/programs/onhost.c \
	tests/programs/teams.c \
	tests/programs/orphans.c \
	tests/programs/outlive.cc \
	tests/programs/outlive.h \
	tests/programs/outlive_part.cc \
	tests/programs/output.c \
	tests/programs/pages.c \
	tests/programs/placed.c \
	tests/programs/overheads.c \
	tests/programs/passes.c \
	tests/programs/paths.c \
	tests/programs/places.c \
	tests/programs/plugin.c \
	tests/programs/pmu_exact.c \
	tests/programs/pmu_sides.c \
	tests/programs/pmu_team.c \
	tests/programs/folded.c \
	tests/programs/fuse.c \
	tests/programs/initials.c \
	tests/programs/inside.c \
	tests/programs/instructions.h \
	tests/programs/remedies.c \
	tests/programs/shares.c \
	tests/programs/signals.c \
	tests/programs/briefly.c \
	tests/programs/bypointer.c \
	tests/programs/cancelled.c \
	tests/programs/cxxnames.cc \
	tests/programs/elsewhere.c \
	tests/programs/nowaits.c \
	tests/programs/staticloops.c \
	tests/programs/stuck.c \
	tests/programs/taskkinds.c \
	tests/programs/tasks.c \
	tests/programs/threads.c \
	tests/programs/touch.c \
	tests/programs/tried.c \
	tests/programs/undeferred.c \
	tests/programs/unevenly.c \
	tests/programs/wall.c \
	tests/programs/waits.c \
	tests/programs/with.c \
	tests/programs/work.h \
	.clang-format \
	tests/support/rooms.table \
	tests/support/runtimes.sh \
	tests/support/states.table \
	$(pmu_guest)

clean-local: clean-tests
clean-tests:
	rm -rf tests/bin tests/runtimes tests/guest tests/alone.lock
.PHONY: clean-tests

# The suites and what they need, to be run elsewhere: make suites SUITES=FOLDER
guest_suites = $(check_PROGRAMS)
suites: $(guest_suites) walk_plugin_small.la walk_plugin_large.la \
	walk_plugin_small_fp.la walk_plugin_large_fp.la
	$(MKDIR_P) '$(SUITES)/.libs'
	$(LIBTOOL) --silent --mode=install $(INSTALL_PROGRAM) $(guest_suites) '$(SUITES)'
	cp .libs/walk_plugin_*.so '$(SUITES)/.libs'
.PHONY: suites

# Check suites that judge no times.
calm_suites = $(filter-out tests/unit/pmu/check_pmu_counter tests/unit/pmu/check_fastread_real, $(unit_tests))

# In the place of Automake's summary: what failed, what was skipped and why, and
# a line that counts.  Without the names of folders after it.
# Unless make has other options, four jobs: see e2e_calm.
AM_MAKEFLAGS = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j4)
$(TEST_SUITE_LOG): $(TEST_LOGS)
	@$(SHELL) $(top_srcdir)/tests/closing $@ $(TEST_LOGS)

# What takes a minute and no compiler but ours: the Check suites, and the reader's fuzzer.
unit_tests = $(suites) $(no_suites) tests/fuzz_reader
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests)'

# The same tests with everything in full: whole matrices, long runs.
check-long:
	OMPHWC_TEST_LONG=1 OMPHWC_TEST_TIMEOUT=3600 $(MAKE) $(AM_MAKEFLAGS) check

.PHONY: check-long check-unit fuzz
