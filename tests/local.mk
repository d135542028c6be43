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
	tests/e2e/tree/t-install.sh \
	tests/e2e/paths/t-libcalls.sh \
	tests/e2e/tree/t-library.sh \
	tests/e2e/tree/t-manual.sh \
	tests/e2e/coexist/t-masks.sh \
	tests/e2e/coexist/t-pomp.sh \
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
	tests/e2e/tree/t-size.sh \
	tests/e2e/tree/t-recipes.sh \
	tests/e2e/tree/t-conformance.sh \
	tests/e2e/tree/t-site.sh \
	tests/e2e/coexist/t-private.sh \
	tests/e2e/coexist/t-control.sh \
	tests/e2e/coexist/t-window.sh \
	tests/e2e/coexist/t-marks.sh \
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
	tests/e2e/paths/t-inlined.sh \
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
	tests/e2e/paths/t-gcc17.sh \
	tests/e2e/paths/t-offload.sh \
	tests/e2e/paths/t-places.sh \
	tests/e2e/shares/t-totals.sh \
	tests/e2e/shares/t-trace.sh \
	tests/e2e/coexist/t-storm.sh \
	tests/e2e/coexist/t-torture.sh \
	tests/e2e/counters/t-pmu-riscv64.sh
TESTS += $(e2e_calm)
EXTRA_DIST += $(e2e_calm)

# For how long the processors stood still: tests/driver, tests/support/lib.sh.
check_PROGRAMS += tests/stalls
tests_stalls_SOURCES = tests/support/stalls.c
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
# The profiles of t-moved.sh.
check_PROGRAMS += tests/random_profiles
tests_random_profiles_SOURCES = tests/support/random_profiles.c
tests_random_profiles_CFLAGS = $(AM_CFLAGS)
tests_random_profiles_LDFLAGS = $(SANITIZE_CFLAGS)
tests_random_profiles_LDADD = libmkprofile.la
# Those of t-history.sh.
check_PROGRAMS += tests/made_history
tests_made_history_SOURCES = tests/support/made_history.c
tests_made_history_CFLAGS = $(AM_CFLAGS)
tests_made_history_LDFLAGS = $(SANITIZE_CFLAGS)
tests_made_history_LDADD = libmkprofile.la -lm

# End-to-end scripts: tests/e2e/TOPIC/t-NAME.sh.  They build tests/programs themselves,
# with several compilers, and run them with several runtimes, in the build
# folder.
e2e_scripts = \
	tests/e2e/shares/t-answers.sh \
	tests/e2e/shares/t-blame.sh \
	tests/e2e/shares/t-phases.sh \
	tests/e2e/shares/t-blocked.sh \
	tests/e2e/shares/t-wall.sh \
	tests/e2e/jobs/t-mpi.sh \
	tests/e2e/jobs/t-hybrid.sh \
	tests/e2e/shares/t-timeline.sh \
	tests/e2e/commands/t-try.sh \
	tests/e2e/commands/t-diff.sh \
	tests/e2e/commands/t-history.sh \
	tests/e2e/shares/t-crowd.sh \
	tests/e2e/shares/t-lastcall.sh \
	tests/e2e/shares/t-findings.sh \
	tests/e2e/shares/t-hurts.sh \
	tests/e2e/shares/t-losses.sh \
	tests/e2e/paths/t-nested.sh \
	tests/e2e/shares/t-newcomer.sh \
	tests/e2e/shares/t-number.sh \
	tests/e2e/shares/t-placement.sh \
	tests/e2e/counters/t-pmu-host.sh \
	tests/e2e/shares/t-states.sh \
	tests/e2e/paths/t-tasks.sh \
	tests/e2e/paths/t-taskflags.sh \
	tests/e2e/paths/t-chunks.sh \
	tests/e2e/paths/t-taskgraph.sh \
	tests/e2e/shares/t-teams.sh \
	tests/e2e/shares/t-threads.sh
TESTS += $(e2e_scripts)
# Folders that are packed whole, as nothing is built in them: what lies there needs no line here.
EXTRA_DIST += $(addprefix tests/,golden gomp guests machines newcomer program programs recipes torture)
# What is built for the guests is built within a time limit of its own.
tests/e2e/counters/t-pmu-guest.log: tests/e2e/tree/t-cross.log
tests/e2e/counters/t-pmu-riscv64.log: tests/e2e/tree/t-cross-riscv64.log
tests/e2e/tree/t-cross-riscv64.log: \
	$(if $(filter tests/e2e/counters/t-pmu-guest.sh,$(TESTS)),tests/e2e/counters/t-pmu-guest.log)
EXTRA_DIST += $(e2e_scripts) .clang-format tests/size.table $(addprefix tests/support/,browser.py exported-symbols \
	exported-symbols.heap exports.py handler-symbols.allow lib.sh moving.c page_cases.py rooms.table \
	runs_cases.py runtimes.sh screen.sh states.table zsh_offers.zsh)

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

# Faults from outside, at random, for as long as one likes: make torture TORTURE_SECONDS=3600.
TORTURE_SECONDS = 300
torture: all
	top_srcdir=$(top_srcdir) $(top_srcdir)/tests/torture/torture.py --seconds $(TORTURE_SECONDS)

.PHONY: check-long check-unit fuzz torture
