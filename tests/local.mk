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
	tests/t-cross.sh \
	tests/t-headers.sh \
	tests/t-format.sh \
	tests/t-directives.sh \
	tests/t-outlive.sh \
	tests/t-exports.sh \
	tests/t-decode.sh \
	tests/t-handler-optimized.sh \
	tests/t-ompt-header.sh \
	tests/t-collector.sh \
	tests/t-bench.sh \
	tests/t-bootstrap.sh \
	tests/t-cli.sh \
	tests/t-debuginfod.sh \
	tests/t-handler-symbols.sh \
	tests/t-html.sh \
	tests/t-install.sh \
	tests/t-libcalls.sh \
	tests/t-library.sh \
	tests/t-manual.sh \
	tests/t-masks.sh \
	tests/t-merge.sh \
	tests/t-merge-job.sh \
	tests/t-moved.sh \
	tests/t-list-check.sh \
	tests/t-jobs.sh \
	tests/t-mpirun.sh \
	tests/t-pmu-guest.sh \
	tests/t-slurm.sh \
	tests/t-names.sh \
	tests/t-report.sh \
	tests/t-rooms.sh \
	tests/t-site.sh \
	tests/t-private.sh \
	tests/t-control.sh \
	tests/t-gomp.sh \
	tests/t-launchers.sh \
	tests/t-life.sh \
	tests/t-overwritten.sh \
	tests/t-program.sh \
	tests/t-cross-riscv64.sh \
	tests/t-unchanged.sh \
	tests/t-terminal.sh \
	tests/t-sources.sh \
	tests/t-encodings.sh \
	tests/t-view.sh \
	tests/t-access.sh \
	tests/t-bypointer.sh \
	tests/t-cancelled.sh \
	tests/t-children.sh \
	tests/t-copies.sh \
	tests/t-made.sh \
	tests/t-kernel.sh \
	tests/t-gm.sh \
	tests/t-gromacs.sh \
	tests/t-hole.sh \
	tests/t-address.sh \
	tests/t-scale.sh \
	tests/t-count.sh \
	tests/t-demo.sh \
	tests/t-driver.sh \
	tests/t-filters.sh \
	tests/t-go.sh \
	tests/t-untold.sh \
	tests/t-both.sh \
	tests/t-elsewhere.sh \
	tests/t-depth.sh \
	tests/t-entries.sh \
	tests/t-kinds.sh \
	tests/t-nowaits.sh \
	tests/t-staticloops.sh \
	tests/t-paths.sh \
	tests/t-killed.sh \
	tests/t-top.sh \
	tests/t-constructs.sh \
	tests/t-places.sh \
	tests/t-totals.sh \
	tests/t-storm.sh \
	tests/t-pmu-riscv64.sh
TESTS += $(e2e_calm)
EXTRA_DIST += $(e2e_calm)

# For how long the processors stood still: tests/driver, tests/lib.sh.
check_PROGRAMS += tests/stalls
tests_stalls_SOURCES = tests/programs/stalls.c
tests_stalls_CPPFLAGS = $(AM_CPPFLAGS)
tests_stalls_LDADD = -lpthread

# Check suites: tests/check_MODULE.c.  Each is a program of its own and
# appears in both lists.  Without Check one line says that they are left out.
#   check_PROGRAMS += tests/check_foo
#   TESTS += tests/check_foo
#   tests_check_foo_SOURCES = tests/check_foo.c
#   tests_check_foo_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
#   tests_check_foo_LDADD = libfoo.la $(CHECK_LIBS)

if !HAVE_CHECK
TESTS += tests/no-check.sh
endif
EXTRA_DIST += tests/no-check.sh

if HAVE_CHECK
check_PROGRAMS += tests/check_name
TESTS += tests/check_name
tests_check_name_SOURCES = tests/check_name.c
tests_check_name_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_check_name_LDADD = libprof_name.la $(CHECK_LIBS)
check_PROGRAMS += tests/check_launch
TESTS += tests/check_launch
tests_check_launch_SOURCES = tests/check_launch.c
tests_check_launch_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_check_launch_LDADD = libprof_name.la $(CHECK_LIBS)

# What the kernel counts.  Built once more for these tests: with sanitizers where
# asked for, and with calls that can be made to fail.
check_LTLIBRARIES += libpmutest.la
libpmutest_la_SOURCES = $(libomphwc_pmu_la_SOURCES) $(libomphwc_rearm_la_SOURCES)
libpmutest_la_CPPFLAGS = $(libomphwc_pmu_la_CPPFLAGS)
libpmutest_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
pmu_test_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)

check_PROGRAMS += tests/check_pmu_event
TESTS += tests/check_pmu_event
tests_check_pmu_event_SOURCES = tests/check_pmu_event.c
tests_check_pmu_event_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_event_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_pmu_event_LDADD = libpmutest.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_pmu_counter
TESTS += tests/check_pmu_counter
tests_check_pmu_counter_SOURCES = tests/check_pmu_counter.c
tests_check_pmu_counter_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_counter_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_pmu_counter_LDADD = libpmutest.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_pmu_wall
TESTS += tests/check_pmu_wall
tests_check_pmu_wall_SOURCES = tests/check_pmu_wall.c
tests_check_pmu_wall_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_wall_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_pmu_wall_LDADD = libpmutest.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_pmu_phase
TESTS += tests/check_pmu_phase
tests_check_pmu_phase_SOURCES = tests/check_pmu_phase.c tests/suite_main.h
tests_check_pmu_phase_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_phase_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=ioctl
tests_check_pmu_phase_LDADD = libpmutest.la $(CHECK_LIBS) -lm

check_PROGRAMS += tests/check_pmu_refusal
TESTS += tests/check_pmu_refusal
tests_check_pmu_refusal_SOURCES = tests/check_pmu_refusal.c
tests_check_pmu_refusal_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_refusal_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_pmu_refusal_LDADD = libpmutest.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_pmu_fault
TESTS += tests/check_pmu_fault
tests_check_pmu_fault_SOURCES = tests/check_pmu_fault.c
tests_check_pmu_fault_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_fault_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall \
	-Wl,--wrap=fcntl -Wl,--wrap=mmap -Wl,--wrap=timer_create \
	-Wl,--wrap=ioctl
tests_check_pmu_fault_LDADD = libpmutest.la $(CHECK_LIBS)

# Other machines' PMUs, of kernels that the test plays.
check_PROGRAMS += tests/check_pmu_kernels
TESTS += tests/check_pmu_kernels
tests_check_pmu_kernels_SOURCES = tests/check_pmu_kernels.c tests/suite_main.h
tests_check_pmu_kernels_CFLAGS = $(pmu_test_cflags)
tests_check_pmu_kernels_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mmap
tests_check_pmu_kernels_LDADD = libpmutest.la $(CHECK_LIBS)

# Events in groups, of a kernel that the test plays.
check_PROGRAMS += tests/check_plan
TESTS += tests/check_plan
tests_check_plan_SOURCES = tests/check_plan.c
tests_check_plan_CFLAGS = $(pmu_test_cflags)
tests_check_plan_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall \
	-Wl,--wrap=pmu_fastread_open -Wl,--wrap=pmu_fastread
tests_check_plan_LDADD = libpmutest.la $(CHECK_LIBS)

# Of pages made by the test, with registers of its own; and this machine's.
check_PROGRAMS += tests/check_fastread tests/check_fastread_real
TESTS += tests/check_fastread tests/check_fastread_real
tests_check_fastread_SOURCES = tests/check_fastread.c pmu/fastread.c pmu/fastread.h \
	pmu/steady.c pmu/steady.h
tests_check_fastread_CFLAGS = $(pmu_test_cflags)
tests_check_fastread_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_fastread_LDADD = $(CHECK_LIBS)
tests_check_fastread_real_SOURCES = tests/check_fastread_real.c
tests_check_fastread_real_CFLAGS = $(pmu_test_cflags)
tests_check_fastread_real_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_fastread_real_LDADD = libpmutest.la $(CHECK_LIBS) -lpthread

check_PROGRAMS += tests/check_destination tests/check_options tests/check_run
TESTS += tests/check_destination tests/check_options tests/check_run
tests_check_destination_SOURCES = tests/check_destination.c
tests_check_destination_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_destination_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_destination_LDADD = libompcount_run.la libomphwc_profile_reader.la libprof_name.la \
	$(CHECK_LIBS)
tests_check_options_SOURCES = tests/check_options.c
tests_check_options_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_options_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_options_LDADD = libompcount_run.la libomphwc_profile_reader.la libprof_name.la \
	$(CHECK_LIBS)
tests_check_run_SOURCES = tests/check_run.c
tests_check_run_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_run_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_run_LDADD = libompcount_run.la libprof_name.la libmkprofile.la \
	libomphwc_profile_reader.la $(ELFUTILS_LIBS) $(CHECK_LIBS)

# What programs bear that are about to be started.
check_PROGRAMS += tests/check_bears
TESTS += tests/check_bears
tests_check_bears_SOURCES = tests/check_bears.c ompt_tool/program/bears.c ompt_tool/program/bears.h ompt_tool/program/plain.c
tests_check_bears_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
# Bound at load: the loader would take 1 to 4 KiB of the stack that is measured, as the CPU is.
tests_check_bears_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,-z,now
tests_check_bears_LDADD = $(CHECK_LIBS) -lpthread

endif

# Profiles built in memory, for suites that read them.
check_LTLIBRARIES += libmkprofile.la
libmkprofile_la_SOURCES = tests/mkprofile.c tests/mkprofile.h \
	tests/promises.c tests/promises.h
libmkprofile_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
reader_test_ldadd = libmkprofile.la libomphwc_profile_reader.la

if HAVE_CHECK
check_PROGRAMS += tests/check_reader tests/check_reader_damage tests/check_reader_timelines
TESTS += tests/check_reader tests/check_reader_damage tests/check_reader_timelines
reader_fixture = tests/reader_fixture.c tests/reader_fixture.h
reader_test_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_reader_SOURCES = tests/check_reader.c $(reader_fixture)
tests_check_reader_CFLAGS = $(reader_test_cflags)
tests_check_reader_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_reader_LDADD = $(reader_test_ldadd) $(CHECK_LIBS)
tests_check_reader_timelines_SOURCES = tests/check_reader_timelines.c $(reader_fixture)
tests_check_reader_timelines_CFLAGS = $(reader_test_cflags)
tests_check_reader_timelines_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_reader_timelines_LDADD = $(reader_test_ldadd) $(CHECK_LIBS)
tests_check_reader_damage_SOURCES = tests/check_reader_damage.c $(reader_fixture)
tests_check_reader_damage_CFLAGS = $(reader_test_cflags)
tests_check_reader_damage_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_reader_damage_LDADD = $(reader_test_ldadd) $(CHECK_LIBS)
check_PROGRAMS += tests/check_append
TESTS += tests/check_append
tests_check_append_SOURCES = tests/check_append.c $(reader_fixture)
tests_check_append_CFLAGS = $(reader_test_cflags)
tests_check_append_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_append_LDADD = $(reader_test_ldadd) $(CHECK_LIBS)

# Views and formats, over profiles that a few lines of text describe.
report_test_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS) $(JSON_CFLAGS)
report_test_ldadd = libscene.la libmkprofile.la libomphwc_report.la \
	libomphwc_profile_reader.la libprof_name.la $(JSON_LIBS) $(CHECK_LIBS)
check_LTLIBRARIES += libscene.la
libscene_la_SOURCES = tests/scene.c tests/scene.h tests/demo_scene.c tests/demo_scene.h \
	tests/golden_text.c tests/golden_text.h tests/json_schema.c tests/json_schema.h
libscene_la_CFLAGS = $(report_test_cflags)

# Containers, whose allocations can be made to fail.
check_PROGRAMS += tests/check_base
TESTS += tests/check_base
tests_check_base_SOURCES = tests/check_base.c
tests_check_base_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_base_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=calloc -Wl,--wrap=reallocarray
tests_check_base_LDADD = libomphwc_base.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_liveness
TESTS += tests/check_liveness
tests_check_liveness_SOURCES = tests/check_liveness.c
tests_check_liveness_CFLAGS = $(report_test_cflags)
tests_check_liveness_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_liveness_LDADD = $(report_test_ldadd)

check_PROGRAMS += tests/check_jobs
TESTS += tests/check_jobs
tests_check_jobs_SOURCES = tests/check_jobs.c
tests_check_jobs_CFLAGS = $(report_test_cflags)
tests_check_jobs_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_jobs_LDADD = $(report_test_ldadd)

check_PROGRAMS += tests/check_merged
TESTS += tests/check_merged
tests_check_merged_SOURCES = tests/check_merged.c
tests_check_merged_CFLAGS = $(report_test_cflags) $(OPENMP_CFLAGS)
tests_check_merged_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=reallocarray
tests_check_merged_LDADD = libomphwc_merge.la $(report_test_ldadd)

check_PROGRAMS += tests/check_answers
TESTS += tests/check_answers
tests_check_answers_SOURCES = tests/check_answers.c
tests_check_answers_CFLAGS = $(report_test_cflags)
tests_check_answers_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_answers_LDADD = $(report_test_ldadd)

check_PROGRAMS += tests/check_page
TESTS += tests/check_page
tests_check_page_SOURCES = tests/check_page.c
tests_check_page_CFLAGS = $(report_test_cflags)
tests_check_page_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_page_LDADD = $(report_test_ldadd)

check_PROGRAMS += tests/check_callsite tests/check_counts tests/check_detail tests/check_flow \
	tests/check_lanes tests/check_leaf tests/check_losses tests/check_model tests/check_mpi \
	tests/check_output tests/check_parallelism tests/check_placement \
	tests/check_views
TESTS += tests/check_callsite tests/check_counts tests/check_detail tests/check_flow \
	tests/check_lanes tests/check_leaf tests/check_losses tests/check_model tests/check_mpi \
	tests/check_output tests/check_parallelism tests/check_placement \
	tests/check_views
tests_check_flow_SOURCES = tests/check_flow.c
tests_check_flow_CFLAGS = $(report_test_cflags)
tests_check_flow_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_flow_LDADD = $(report_test_ldadd)
check_PROGRAMS += tests/check_decode
TESTS += tests/check_decode
tests_check_decode_SOURCES = tests/check_decode.c
tests_check_decode_CFLAGS = $(report_test_cflags)
tests_check_decode_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_decode_LDADD = $(report_test_ldadd)
# Decoding beside objdump's (tests/t-decode.sh).
check_PROGRAMS += tests/decode_compare
tests_decode_compare_SOURCES = tests/decode_compare.c
tests_decode_compare_CFLAGS = $(AM_CFLAGS)
tests_decode_compare_LDFLAGS = $(SANITIZE_CFLAGS)
tests_decode_compare_LDADD = libomphwc_report.la
tests_check_detail_SOURCES = tests/check_detail.c
tests_check_detail_CFLAGS = $(report_test_cflags)
tests_check_detail_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_detail_LDADD = $(report_test_ldadd)
check_PROGRAMS += tests/check_diff
TESTS += tests/check_diff
tests_check_diff_SOURCES = tests/check_diff.c
tests_check_diff_CFLAGS = $(report_test_cflags)
tests_check_diff_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_diff_LDADD = $(report_test_ldadd)
tests_check_callsite_SOURCES = tests/check_callsite.c
tests_check_callsite_CFLAGS = $(report_test_cflags)
tests_check_callsite_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_callsite_LDADD = $(report_test_ldadd)
tests_check_counts_SOURCES = tests/check_counts.c
tests_check_counts_CFLAGS = $(report_test_cflags)
tests_check_counts_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_counts_LDADD = $(report_test_ldadd)
tests_check_leaf_SOURCES = tests/check_leaf.c
tests_check_leaf_CFLAGS = $(report_test_cflags)
tests_check_leaf_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_leaf_LDADD = $(report_test_ldadd)
tests_check_lanes_SOURCES = tests/check_lanes.c
tests_check_lanes_CFLAGS = $(report_test_cflags)
tests_check_lanes_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_lanes_LDADD = $(report_test_ldadd)
tests_check_parallelism_SOURCES = tests/check_parallelism.c
tests_check_parallelism_CFLAGS = $(report_test_cflags)
tests_check_parallelism_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_parallelism_LDADD = $(report_test_ldadd)
tests_check_losses_SOURCES = tests/check_losses.c
tests_check_losses_CFLAGS = $(report_test_cflags)
tests_check_losses_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_losses_LDADD = $(report_test_ldadd)
findings_suites = tests/check_blocked tests/check_findings tests/check_findings_cpus \
	tests/check_findings_more tests/check_try
check_PROGRAMS += $(findings_suites)
TESTS += $(findings_suites)
tests_check_blocked_SOURCES = tests/check_blocked.c tests/findings_fixture.c \
	tests/findings_fixture.h
tests_check_blocked_CFLAGS = $(report_test_cflags)
tests_check_blocked_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_blocked_LDADD = $(report_test_ldadd)
tests_check_findings_SOURCES = tests/check_findings.c tests/findings_fixture.c \
	tests/findings_fixture.h
tests_check_findings_CFLAGS = $(report_test_cflags)
tests_check_findings_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_findings_LDADD = $(report_test_ldadd)
tests_check_findings_cpus_SOURCES = tests/check_findings_cpus.c tests/findings_fixture.c \
	tests/findings_fixture.h
tests_check_findings_cpus_CFLAGS = $(report_test_cflags)
tests_check_findings_cpus_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_findings_cpus_LDADD = $(report_test_ldadd)
tests_check_findings_more_SOURCES = tests/check_findings_more.c tests/findings_fixture.c \
	tests/findings_fixture.h
tests_check_findings_more_CFLAGS = $(report_test_cflags)
tests_check_findings_more_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_findings_more_LDADD = $(report_test_ldadd)
tests_check_try_SOURCES = tests/check_try.c tests/findings_fixture.c \
	tests/findings_fixture.h
tests_check_try_CFLAGS = $(report_test_cflags)
tests_check_try_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_try_LDADD = $(report_test_ldadd)
tests_check_placement_SOURCES = tests/check_placement.c
tests_check_placement_CFLAGS = $(report_test_cflags)
tests_check_placement_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_placement_LDADD = $(report_test_ldadd)
tests_check_model_SOURCES = tests/check_model.c
tests_check_model_CFLAGS = $(report_test_cflags)
tests_check_model_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_model_LDADD = $(report_test_ldadd)
tests_check_mpi_SOURCES = tests/check_mpi.c
tests_check_mpi_CFLAGS = $(report_test_cflags)
tests_check_mpi_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_mpi_LDADD = $(report_test_ldadd)
tests_check_output_SOURCES = tests/check_output.c
tests_check_output_CFLAGS = $(report_test_cflags)
tests_check_output_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_output_LDADD = $(report_test_ldadd)
check_PROGRAMS += tests/check_exports
TESTS += tests/check_exports
tests_check_exports_SOURCES = tests/check_exports.c tests/csv_text.c tests/csv_text.h
tests_check_exports_CFLAGS = $(report_test_cflags)
tests_check_exports_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_exports_LDADD = $(report_test_ldadd)
if WITH_PPROF
check_PROGRAMS += tests/check_pprof
TESTS += tests/check_pprof
nodist_tests_check_pprof_SOURCES = gen/profile.pb-c.h
tests_check_pprof_SOURCES = tests/check_pprof.c
tests_check_pprof_CFLAGS = $(report_test_cflags) $(PPROF_CFLAGS)
tests_check_pprof_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_pprof_LDADD = $(report_test_ldadd)
tests/check_pprof-check_pprof.$(OBJEXT): gen/profile.pb-c.h
else
EXTRA_DIST += tests/check_pprof.c
endif
check_PROGRAMS += tests/check_filter
TESTS += tests/check_filter
tests_check_filter_SOURCES = tests/check_filter.c
tests_check_filter_CFLAGS = $(report_test_cflags)
tests_check_filter_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_filter_LDADD = $(report_test_ldadd)
check_PROGRAMS += tests/check_library_calls tests/check_view_entries
TESTS += tests/check_library_calls tests/check_view_entries
tests_check_library_calls_SOURCES = tests/check_library_calls.c
tests_check_library_calls_CFLAGS = $(report_test_cflags)
tests_check_library_calls_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_library_calls_LDADD = $(report_test_ldadd)
tests_check_view_entries_SOURCES = tests/check_view_entries.c
tests_check_view_entries_CFLAGS = $(report_test_cflags)
tests_check_view_entries_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_view_entries_LDADD = $(report_test_ldadd)
tests_check_views_SOURCES = tests/check_views.c
tests_check_views_CFLAGS = $(report_test_cflags)
tests_check_views_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_views_LDADD = $(report_test_ldadd)
endif
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
EXTRA_DIST += $(golden_outputs) tests/exports.py

if HAVE_CHECK
check_PROGRAMS += tests/check_demangle
TESTS += tests/check_demangle
tests_check_demangle_SOURCES = tests/check_demangle.c
tests_check_demangle_CFLAGS = $(reader_test_cflags)
tests_check_demangle_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_demangle_LDADD = libomphwc_symbols.la $(CHECK_LIBS)

# Objects compiled while testing.
objects_test = tests/objects.c tests/objects.h
objects_test_cflags = $(reader_test_cflags) $(ELFUTILS_CFLAGS)
objects_test_ldadd = libmkprofile.la libomphwc_symbols.la $(CHECK_LIBS) $(ELFUTILS_LIBS)
check_PROGRAMS += tests/check_symbols tests/check_outlined
TESTS += tests/check_symbols tests/check_outlined
tests_check_symbols_SOURCES = tests/check_symbols.c $(objects_test)
tests_check_symbols_CFLAGS = $(objects_test_cflags)
tests_check_symbols_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_symbols_LDADD = $(objects_test_ldadd)
tests_check_outlined_SOURCES = tests/check_outlined.c $(objects_test)
tests_check_outlined_CFLAGS = $(objects_test_cflags)
tests_check_outlined_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_outlined_LDADD = $(objects_test_ldadd)
endif

# The reader's fuzzer: two seconds of its own mutations in each check; as long
# as one likes by libFuzzer (CC=clang): make fuzz FUZZ_SECONDS=3600.
check_PROGRAMS += tests/fuzz_reader
TESTS += tests/fuzz_reader
tests_fuzz_reader_SOURCES = tests/fuzz_reader.c
tests_fuzz_reader_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_STANDALONE
tests_fuzz_reader_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
tests_fuzz_reader_LDFLAGS = $(SANITIZE_CFLAGS)
tests_fuzz_reader_LDADD = $(reader_test_ldadd)

FUZZ_SECONDS = 60
FUZZ_CFLAGS = -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
EXTRA_PROGRAMS += tests/fuzz_reader_long
tests_fuzz_reader_long_SOURCES = tests/fuzz_reader.c tests/promises.c tests/promises.h \
	$(libomphwc_profile_reader_la_SOURCES) $(libomphwc_base_la_SOURCES)
tests_fuzz_reader_long_CFLAGS = $(AM_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_reader_long_LDFLAGS = $(FUZZ_CFLAGS)
CLEANFILES += tests/fuzz_reader_long$(EXEEXT) fuzz_reader.input
fuzz: tests/fuzz_reader_long$(EXEEXT) tests/fuzz_reader$(EXEEXT)
	$(MKDIR_P) fuzz-corpus
	tests/fuzz_reader$(EXEEXT) --seed fuzz-corpus/seed
	tests/fuzz_reader_long$(EXEEXT) -max_total_time=$(FUZZ_SECONDS) -max_len=65536 \
		-rss_limit_mb=1024 fuzz-corpus

# The unwinder's parts, and walks with known answers.
EXTRA_DIST += tests/walk_code_x86_64.c tests/walk_code_aarch64.c
if HAVE_CHECK
cfi_test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
cfi_test_ldadd = libomphwc_core.la libprof_name.la $(CHECK_LIBS)
check_PROGRAMS += tests/check_cfi tests/check_cfi_expr tests/check_cfi_damage
TESTS += tests/check_cfi tests/check_cfi_expr tests/check_cfi_damage
tests_check_cfi_SOURCES = tests/check_cfi.c tests/cfi_builder.c tests/cfi_builder.h
tests_check_cfi_CFLAGS = $(cfi_test_cflags)
tests_check_cfi_LDADD = $(cfi_test_ldadd)
tests_check_cfi_expr_SOURCES = tests/check_cfi_expr.c
tests_check_cfi_expr_CFLAGS = $(cfi_test_cflags)
tests_check_cfi_expr_LDADD = $(cfi_test_ldadd)
tests_check_cfi_damage_SOURCES = tests/check_cfi_damage.c
tests_check_cfi_damage_CFLAGS = $(cfi_test_cflags)
tests_check_cfi_damage_LDADD = $(cfi_test_ldadd) -ldl

# Alike in all but a number, and without a build-id: one may be taken for the
# other by who looks only at addresses.
check_LTLIBRARIES += walk_plugin_small.la walk_plugin_large.la
walk_plugin_ldflags = -module -avoid-version -rpath /nowhere -Wl,--build-id=none
walk_plugin_small_la_SOURCES = tests/walk_plugin.c tests/walk_plugin.h
walk_plugin_small_la_CPPFLAGS = $(AM_CPPFLAGS) -DFRAME=300
walk_plugin_small_la_LDFLAGS = $(walk_plugin_ldflags)
walk_plugin_large_la_SOURCES = tests/walk_plugin.c tests/walk_plugin.h
walk_plugin_large_la_CPPFLAGS = $(AM_CPPFLAGS) -DFRAME=700
walk_plugin_large_la_LDFLAGS = $(walk_plugin_ldflags)

# Alike in tables, but not in code: with a frame pointer the rules are the same.
check_LTLIBRARIES += walk_plugin_small_fp.la walk_plugin_large_fp.la
walk_plugin_small_fp_la_SOURCES = $(walk_plugin_small_la_SOURCES)
walk_plugin_small_fp_la_CPPFLAGS = $(walk_plugin_small_la_CPPFLAGS)
walk_plugin_small_fp_la_CFLAGS = $(AM_CFLAGS) -fno-omit-frame-pointer
walk_plugin_small_fp_la_LDFLAGS = $(walk_plugin_ldflags)
walk_plugin_large_fp_la_SOURCES = $(walk_plugin_large_la_SOURCES)
walk_plugin_large_fp_la_CPPFLAGS = $(walk_plugin_large_la_CPPFLAGS)
walk_plugin_large_fp_la_CFLAGS = $(AM_CFLAGS) -fno-omit-frame-pointer
walk_plugin_large_fp_la_LDFLAGS = $(walk_plugin_ldflags)

check_PROGRAMS += tests/check_walk tests/check_module
TESTS += tests/check_walk tests/check_module
tests_check_walk_SOURCES = tests/check_walk.c tests/walk_code.h
if ARCH_X86_64
tests_check_walk_SOURCES += tests/walk_code_x86_64.c
endif
if ARCH_AARCH64
tests_check_walk_SOURCES += tests/walk_code_aarch64.c
endif
tests_check_walk_CFLAGS = $(cfi_test_cflags)
tests_check_walk_LDADD = $(cfi_test_ldadd) -lpthread -ldl
tests_check_module_SOURCES = tests/check_module.c tests/plugin_copy.h tests/walk_code.h
tests_check_module_CFLAGS = $(cfi_test_cflags)
tests_check_module_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_module_LDADD = libomphwc_profile_reader.la $(cfi_test_ldadd) -lpthread -ldl

# The same in a program with a hole of pages between its segments.
hole_ldflags = -Wl,-z,separate-code -Wl,--section-start=.init_array=0x8000000
if ARCH_X86_64
check_PROGRAMS += tests/check_caller
TESTS += tests/check_caller
tests_check_caller_SOURCES = tests/check_caller.c tests/caller_code.h tests/caller_code_x86_64.c
tests_check_caller_CFLAGS = $(cfi_test_cflags)
tests_check_caller_LDADD = $(cfi_test_ldadd) -lpthread -ldl
endif

check_PROGRAMS += tests/check_walk_hole tests/check_module_hole
TESTS += tests/check_walk_hole tests/check_module_hole
tests_check_walk_hole_SOURCES = $(tests_check_walk_SOURCES)
tests_check_walk_hole_CFLAGS = $(tests_check_walk_CFLAGS)
tests_check_walk_hole_LDFLAGS = $(hole_ldflags)
tests_check_walk_hole_LDADD = $(tests_check_walk_LDADD)
tests_check_module_hole_SOURCES = $(tests_check_module_SOURCES)
tests_check_module_hole_CFLAGS = $(tests_check_module_CFLAGS) -DHOLE
tests_check_module_hole_LDFLAGS = $(tests_check_module_LDFLAGS) $(hole_ldflags) \
	-Wl,--wrap=_dl_find_object
tests_check_module_hole_LDADD = $(tests_check_module_LDADD)

check_PROGRAMS += tests/check_prologue_riscv64
TESTS += tests/check_prologue_riscv64
tests_check_prologue_riscv64_SOURCES = tests/check_prologue_riscv64.c
tests_check_prologue_riscv64_CFLAGS = $(cfi_test_cflags)
tests_check_prologue_riscv64_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_prologue_riscv64_LDADD = $(CHECK_LIBS)

if ARCH_AARCH64
check_PROGRAMS += tests/check_prologue_aarch64
TESTS += tests/check_prologue_aarch64
tests_check_prologue_aarch64_SOURCES = tests/check_prologue_aarch64.c
tests_check_prologue_aarch64_CFLAGS = $(cfi_test_cflags)
tests_check_prologue_aarch64_LDADD = $(cfi_test_ldadd)
endif

# The unwinder, beside libunwind in work compiled in several ways.
check_LTLIBRARIES += libunwind_work_plain.la libunwind_work_fast.la libunwind_work_faster.la
libunwind_work_plain_la_SOURCES = tests/unwind_work.c tests/unwind_work.h
libunwind_work_plain_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_plain
libunwind_work_plain_la_CFLAGS = $(AM_CFLAGS) -O0 -fno-omit-frame-pointer
libunwind_work_fast_la_SOURCES = tests/unwind_work.c tests/unwind_work.h
libunwind_work_fast_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_fast
libunwind_work_fast_la_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer
libunwind_work_faster_la_SOURCES = tests/unwind_work.c tests/unwind_work.h
libunwind_work_faster_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_faster
libunwind_work_faster_la_CFLAGS = $(AM_CFLAGS) -O3 -fomit-frame-pointer -fno-plt
unwind_work = libunwind_work_plain.la libunwind_work_fast.la libunwind_work_faster.la

if HAVE_LIBUNWIND
check_PROGRAMS += tests/check_unwind
TESTS += tests/check_unwind
tests_check_unwind_SOURCES = tests/check_unwind.c tests/unwind_oracle.c tests/unwind_oracle.h
tests_check_unwind_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_check_unwind_LDADD = $(unwind_work) libomphwc_core.la libprof_name.la $(LIBUNWIND_LIBS) $(CHECK_LIBS)
if ARCH_X86_64
check_PROGRAMS += tests/check_unwind_x86_64
TESTS += tests/check_unwind_x86_64
tests_check_unwind_x86_64_SOURCES = tests/check_unwind_x86_64.c \
	tests/unwind_oracle.c tests/unwind_oracle.h
tests_check_unwind_x86_64_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_check_unwind_x86_64_LDFLAGS = -Wl,-z,lazy
tests_check_unwind_x86_64_LDADD = $(tests_check_unwind_LDADD)
endif
endif
endif

# End-to-end scripts: tests/t-NAME.sh.  They build tests/programs themselves,
# with several compilers, and run them with several runtimes, in the build
# folder.
pmu_guest = \
	tests/pmu-guest/boot \
	tests/pmu-guest/cross \
	tests/pmu-guest/count.sh \
	tests/pmu-guest/exact.sh \
	tests/pmu-guest/init \
	tests/pmu-guest/judge.sh \
	tests/pmu-guest/make.sh \
	tests/pmu-guest/misses.sh \
	tests/pmu-guest/packages \
	tests/pmu-guest/packages-riscv64 \
	tests/pmu-guest/riscv64 \
	tests/pmu-guest/setup \
	tests/pmu-guest/suites.sh \
	tests/pmu-guest/team.sh
e2e_scripts = \
	tests/t-answers.sh \
	tests/t-blame.sh \
	tests/t-blocked.sh \
	tests/t-wall.sh \
	tests/t-mpi.sh \
	tests/t-hybrid.sh \
	tests/t-timeline.sh \
	tests/t-try.sh \
	tests/t-diff.sh \
	tests/t-crowd.sh \
	tests/t-lastcall.sh \
	tests/t-findings.sh \
	tests/t-losses.sh \
	tests/t-nested.sh \
	tests/t-number.sh \
	tests/t-placement.sh \
	tests/t-pmu-host.sh \
	tests/t-states.sh \
	tests/t-tasks.sh \
	tests/t-teams.sh \
	tests/t-threads.sh
TESTS += $(e2e_scripts)
# The HTML page, in a browser.
EXTRA_DIST += tests/browser.py tests/page_cases.py
# A file a case.
EXTRA_DIST += tests/program tests/gomp
# What is built for the guests is built within a time limit of its own.
tests/t-pmu-guest.log: tests/t-cross.log
tests/t-pmu-riscv64.log: tests/t-cross-riscv64.log
tests/t-cross-riscv64.log: $(if $(filter tests/t-pmu-guest.sh,$(TESTS)),tests/t-pmu-guest.log)
EXTRA_DIST += $(e2e_scripts) \
	tests/exported-symbols \
	tests/exported-symbols.heap \
	tests/handler-symbols.allow \
	tests/lib.sh tests/screen.sh \
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
	tests/rooms.table \
	tests/descriptors.h tests/suite_main.h \
	tests/runtimes.sh \
	tests/states.table \
	$(pmu_guest)

clean-local: clean-tests
clean-tests:
	rm -rf tests/bin tests/runtimes tests/guest tests/alone.lock
.PHONY: clean-tests

# The suites and what they need, to be run elsewhere: make suites SUITES=FOLDER
suites = $(check_PROGRAMS)
suites: $(suites) walk_plugin_small.la walk_plugin_large.la \
	walk_plugin_small_fp.la walk_plugin_large_fp.la
	$(MKDIR_P) '$(SUITES)/.libs'
	$(LIBTOOL) --silent --mode=install $(INSTALL_PROGRAM) $(suites) '$(SUITES)'
	cp .libs/walk_plugin_*.so '$(SUITES)/.libs'
.PHONY: suites

# Check suites that judge no times.
calm_suites = $(filter-out tests/check_pmu_counter tests/check_fastread_real, $(check_PROGRAMS))

# In the place of Automake's summary: what failed, what was skipped and why, and
# a line that counts.  Without the names of folders after it.
# Unless make was told otherwise, four jobs: see e2e_calm.
AM_MAKEFLAGS = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j4)
$(TEST_SUITE_LOG): $(TEST_LOGS)
	@$(SHELL) $(top_srcdir)/tests/closing $@ $(TEST_LOGS)

# The same tests with everything in full: whole matrices, long runs.
check-long:
	OMPHWC_TEST_LONG=1 OMPHWC_TEST_TIMEOUT=3600 $(MAKE) $(AM_MAKEFLAGS) check

.PHONY: check-long fuzz
