# SPDX-License-Identifier: BSD-3-Clause
# tests/unit.mk: the Check suites, and what they share.
#
# A new suite is tests/unit/ROOM/check_NAME.c, in the room of what it tests, and its name in one of
# the two lists: all are compiled and linked alike. What one of them needs beyond that stands behind
# the lists.

if HAVE_CHECK
# Of code that only our own commands run: with sanitizers, where configure was asked for them.
checked_suites = \
	tests/unit/answers/check_answers \
	tests/unit/profile/check_append \
	tests/unit/base/check_base \
	tests/unit/program/check_bears \
	tests/unit/tables/check_blocked \
	tests/unit/callsite/check_callsite \
	tests/unit/tables/check_counts \
	tests/unit/code/check_decode \
	tests/unit/symbols/check_demangle \
	tests/unit/run/check_destination \
	tests/unit/tables/check_detail \
	tests/unit/diff/check_diff \
	tests/unit/diff/check_history \
	tests/unit/diff/check_scaling \
	tests/unit/output/check_exports \
	tests/unit/pmu/check_fastread \
	tests/unit/pmu/check_fastread_real \
	tests/unit/filter/check_filter \
	tests/unit/tables/check_findings \
	tests/unit/tables/check_findings_cpus \
	tests/unit/tables/check_findings_more \
	tests/unit/tables/check_findings_true \
	tests/unit/code/check_flow \
	tests/unit/model/check_descriptor \
	tests/unit/model/check_jobs \
	tests/unit/tables/check_lanes \
	tests/unit/profile/check_launch \
	tests/unit/toolchain/check_leaf \
	tests/unit/path/check_library_calls \
	tests/unit/model/check_liveness \
	tests/unit/tables/check_losses \
	tests/unit/pmu/check_machines \
	tests/unit/merge/check_merged \
	tests/unit/model/check_model \
	tests/unit/model/check_mpi \
	tests/unit/profile/check_name \
	tests/unit/run/check_options \
	tests/unit/symbols/check_outlined \
	tests/unit/output/check_output \
	tests/unit/tables/check_page \
	tests/unit/tables/check_parallelism \
	tests/unit/tables/check_placement \
	tests/unit/pmu/check_plan \
	tests/unit/pmu/check_pmu_counter \
	tests/unit/pmu/check_pmu_event \
	tests/unit/pmu/check_pmu_fault \
	tests/unit/pmu/check_pmu_kernels \
	tests/unit/pmu/check_pmu_phase \
	tests/unit/pmu/check_pmu_refusal \
	tests/unit/pmu/check_pmu_wall \
	tests/unit/profile/check_reader \
	tests/unit/profile/check_reader_damage \
	tests/unit/profile/check_reader_timelines \
	tests/unit/run/check_run \
	tests/unit/screen/check_screens \
	tests/unit/tool/check_settings \
	tests/unit/symbols/check_symbols \
	tests/unit/stack/check_stacks \
	tests/unit/tables/check_try \
	tests/unit/view/check_descriptors \
	tests/unit/view/check_phases \
	tests/unit/view/check_view_entries \
	tests/unit/view/check_views
if WITH_PPROF
checked_suites += tests/unit/output/check_pprof
tests/unit/output/check_pprof.$(OBJEXT): gen/profile.pb-c.h
endif

# Of code that runs in programs, in their handlers and between their frames: without.
plain_suites = \
	tests/unit/omp/check_blame \
	tests/unit/tree/check_blocks \
	tests/unit/tool/check_callbacks \
	tests/unit/tool/check_depend \
	tests/unit/tree/check_cct \
	tests/unit/unwind/check_cfi \
	tests/unit/unwind/check_cfi_damage \
	tests/unit/unwind/check_cfi_expr \
	tests/unit/omp/check_context \
	tests/unit/sample/check_data \
	tests/unit/omp/check_entries \
	tests/unit/tool/check_faults \
	tests/unit/sample/check_handler \
	tests/unit/tool/check_heap \
	tests/unit/count/check_meter \
	tests/unit/tree/check_module \
	tests/unit/profile/check_place \
	tests/unit/omp/check_locks \
	tests/unit/omp/check_places \
	tests/unit/program/check_program_bind \
	tests/unit/program/check_program_masks \
	tests/unit/program/check_program_signals \
	tests/unit/program/check_program_starts \
	tests/unit/unwind/check_prologue_riscv64 \
	tests/unit/tree/check_recurring \
	tests/unit/omp/check_region \
	tests/unit/tree/check_stack \
	tests/unit/tool/check_target \
	tests/unit/tree/check_timeline \
	tests/unit/tool/check_tool \
	tests/unit/omp/check_trace \
	tests/unit/unwind/check_walk \
	tests/unit/profile/check_writer \
	tests/unit/profile/check_writer_faults
# Sanitizers put a section where these have their hole.
if !SANITIZERS
plain_suites += tests/unit/tree/check_module_hole tests/unit/unwind/check_walk_hole
endif
if ARCH_X86_64
plain_suites += tests/unit/unwind/check_caller
endif
if ARCH_AARCH64
plain_suites += tests/unit/unwind/check_prologue_aarch64
endif
if HAVE_LIBUNWIND
plain_suites += tests/unit/unwind/check_unwind
if ARCH_X86_64
plain_suites += tests/unit/unwind/check_unwind_x86_64
endif
endif

suites = $(checked_suites) $(plain_suites)
check_PROGRAMS += $(suites)
TESTS += $(suites)

# How each is compiled: the variables are of these objects only.
unit_cflags = $(CHECK_CFLAGS) $(JSON_CFLAGS) $(ELFUTILS_CFLAGS) $(PPROF_CFLAGS)
tests/unit/%.$(OBJEXT) tests/support/unit_%.$(OBJEXT): AM_CFLAGS += $(unit_cflags)
$(addsuffix .$(OBJEXT),$(checked_suites)): AM_CFLAGS += $(SANITIZE_CFLAGS)
# And linked: of libraries of ours they take what they use.
$(addsuffix $(EXEEXT),$(suites)): private AM_LDFLAGS = $(SANITIZE_CFLAGS)
LDADD = libunit.la libunit_plain.la $(unwind_work) libmkprofile.la libpmutest.la \
	libomphwc_merge.la libompcount_run.la libomphwc_report.la libomphwc_symbols.la \
	libomphwc_core.la libomphwc_profile_reader.la libprof_name.la \
	$(JSON_LIBS) $(ELFUTILS_LIBS) $(CHECK_LIBS) -lm -lpthread -ldl

tests_unit_stack_check_stacks_LDADD = libomphwc_stack.la $(LDADD)
# Its terminal is played: screen.c is not linked.
tests_unit_screen_check_screens_LDADD = libomphwc_screen.la $(LDADD)

# Scenes, fixtures, goldens, objects compiled while testing.
check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/support/csv_text.c tests/support/csv_text.h \
	tests/support/demo_scene.c tests/support/demo_scene.h \
	tests/support/findings_fixture.c tests/support/findings_fixture.h \
	tests/support/golden_text.c tests/support/golden_text.h \
	tests/support/json_schema.c tests/support/json_schema.h \
	tests/support/objects.c tests/support/objects.h \
	tests/support/reader_fixture.c tests/support/reader_fixture.h \
	tests/support/scene.c tests/support/scene.h \
	tests/support/descriptors.h tests/support/suite_main.h
libunit_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(unit_cflags)

# The same for what runs in programs.
check_LTLIBRARIES += libunit_plain.la
libunit_plain_la_SOURCES = \
	tests/support/cfi_builder.c tests/support/cfi_builder.h \
	tests/support/interrupt.c tests/support/interrupt.h \
	tests/support/writer_fixture.c tests/support/writer_fixture.h \
	tests/support/plugin_copy.h
libunit_plain_la_CFLAGS = $(AM_CFLAGS) $(unit_cflags)

# What the kernel counts.  Built once more for these tests: with sanitizers where
# asked for, and with calls that can be made to fail.
check_LTLIBRARIES += libpmutest.la
libpmutest_la_SOURCES = $(libomphwc_pmu_la_SOURCES) $(libomphwc_rearm_la_SOURCES)
libpmutest_la_CPPFLAGS = $(libomphwc_pmu_la_CPPFLAGS)
libpmutest_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# The suites' calls that are made to fail, or played.
wrap = $(addprefix -Wl$(comma)--wrap=,$(1))
comma = ,
tests_unit_base_check_base_LDFLAGS = $(AM_LDFLAGS) $(call wrap,calloc reallocarray)
tests/unit/merge/check_merged.$(OBJEXT): AM_CFLAGS += $(OPENMP_CFLAGS)
tests_unit_merge_check_merged_LDFLAGS = $(AM_LDFLAGS) $(OPENMP_CFLAGS) \
	$(call wrap,malloc calloc reallocarray)
tests_unit_pmu_check_plan_LDFLAGS = $(AM_LDFLAGS) $(call wrap,syscall pmu_fastread_open pmu_fastread)
tests_unit_pmu_check_pmu_fault_LDFLAGS = $(AM_LDFLAGS) $(call wrap,syscall fcntl mmap timer_create ioctl)
tests_unit_pmu_check_pmu_kernels_LDFLAGS = $(AM_LDFLAGS) $(call wrap,syscall mmap)
tests_unit_pmu_check_pmu_phase_LDFLAGS = $(AM_LDFLAGS) $(call wrap,ioctl)
tests_unit_profile_check_writer_faults_LDFLAGS = $(AM_LDFLAGS) \
	$(call wrap,syscall mprotect rename symlink link mmap fcntl)

# Files of the tool's, compiled for the suite: they are in none of the libraries.
checked_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
# Machines are played: no event of this machine's kernel is opened.
tests_unit_pmu_check_machines_SOURCES = tests/unit/pmu/check_machines.c \
	tests/support/machine.c tests/support/machine.h \
	src/check/save.c src/check/save.h
tests_unit_pmu_check_machines_CFLAGS = $(checked_cflags)
tests_unit_pmu_check_machines_LDFLAGS = $(AM_LDFLAGS) \
	$(call wrap,syscall close fcntl ioctl mmap pmu_file_number pmu_status_field)
tests_unit_program_check_bears_SOURCES = tests/unit/program/check_bears.c ompt_tool/program/bears.c \
	ompt_tool/program/bears.h ompt_tool/program/plain.c
tests_unit_program_check_bears_CFLAGS = $(checked_cflags)
# Bound at load: the loader would take 1 to 4 KiB of the stack that is measured, as the CPU is.
tests_unit_program_check_bears_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,now
tests_unit_tool_check_settings_SOURCES = tests/unit/tool/check_settings.c \
	ompt_tool/tool/settings.c ompt_tool/tool/settings.h
tests_unit_tool_check_settings_CFLAGS = $(checked_cflags)
tests_unit_count_check_meter_SOURCES = tests/unit/count/check_meter.c \
	ompt_tool/count/meter.c ompt_tool/count/meter.h

# Walks with known answers.
EXTRA_DIST += tests/support/walk_code_x86_64.c tests/support/walk_code_aarch64.c
tests_unit_unwind_check_walk_SOURCES = tests/unit/unwind/check_walk.c tests/support/walk_code.h
if ARCH_X86_64
tests_unit_unwind_check_walk_SOURCES += tests/support/walk_code_x86_64.c
endif
if ARCH_AARCH64
tests_unit_unwind_check_walk_SOURCES += tests/support/walk_code_aarch64.c
endif
tests_unit_unwind_check_caller_SOURCES = tests/unit/unwind/check_caller.c \
	tests/support/caller_code.h tests/support/caller_code_x86_64.c

# The same in a program with a hole of pages between its segments.
hole_ldflags = -Wl,-z,separate-code -Wl,--section-start=.init_array=0x8000000
tests_unit_unwind_check_walk_hole_SOURCES = $(tests_unit_unwind_check_walk_SOURCES)
tests_unit_unwind_check_walk_hole_LDFLAGS = $(AM_LDFLAGS) $(hole_ldflags)
tests_unit_tree_check_module_hole_SOURCES = tests/unit/tree/check_module.c
tests_unit_tree_check_module_hole_CPPFLAGS = $(AM_CPPFLAGS) -DHOLE
tests_unit_tree_check_module_hole_LDFLAGS = $(AM_LDFLAGS) $(hole_ldflags) \
	$(call wrap,_dl_find_object)

# Alike in all but a number, and without a build-id: one may be taken for the
# other by who looks only at addresses.
check_LTLIBRARIES += walk_plugin_small.la walk_plugin_large.la
walk_plugin_ldflags = -module -avoid-version -rpath /nowhere -Wl,--build-id=none
walk_plugin_small_la_SOURCES = tests/support/walk_plugin.c tests/support/walk_plugin.h
walk_plugin_small_la_CPPFLAGS = $(AM_CPPFLAGS) -DFRAME=300
walk_plugin_small_la_LDFLAGS = $(walk_plugin_ldflags)
walk_plugin_large_la_SOURCES = tests/support/walk_plugin.c tests/support/walk_plugin.h
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

# The unwinder, beside libunwind in work compiled in several ways.
check_LTLIBRARIES += libunwind_work_plain.la libunwind_work_fast.la libunwind_work_faster.la
libunwind_work_plain_la_SOURCES = tests/support/unwind_work.c tests/support/unwind_work.h
libunwind_work_plain_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_plain
libunwind_work_plain_la_CFLAGS = $(AM_CFLAGS) -O0 -fno-omit-frame-pointer
libunwind_work_fast_la_SOURCES = tests/support/unwind_work.c tests/support/unwind_work.h
libunwind_work_fast_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_fast
libunwind_work_fast_la_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer
libunwind_work_faster_la_SOURCES = tests/support/unwind_work.c tests/support/unwind_work.h
libunwind_work_faster_la_CPPFLAGS = $(AM_CPPFLAGS) -DWORK=unwind_work_faster
libunwind_work_faster_la_CFLAGS = $(AM_CFLAGS) -O3 -fomit-frame-pointer -fno-plt
unwind_work = libunwind_work_plain.la libunwind_work_fast.la libunwind_work_faster.la

unwind_oracle = tests/support/unwind_oracle.c tests/support/unwind_oracle.h
tests_unit_unwind_check_unwind_SOURCES = tests/unit/unwind/check_unwind.c $(unwind_oracle)
tests_unit_unwind_check_unwind_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_unit_unwind_check_unwind_LDADD = $(LDADD) $(LIBUNWIND_LIBS)
tests_unit_unwind_check_unwind_x86_64_SOURCES = tests/unit/unwind/check_unwind_x86_64.c $(unwind_oracle)
tests_unit_unwind_check_unwind_x86_64_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_unit_unwind_check_unwind_x86_64_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,lazy
tests_unit_unwind_check_unwind_x86_64_LDADD = $(tests_unit_unwind_check_unwind_LDADD)

# Callers whose frames are looked for stay on the stack.
framed = -fno-optimize-sibling-calls
$(patsubst %,tests/unit/%.$(OBJEXT),omp/check_context omp/check_entries sample/check_handler \
	tool/check_callbacks tool/check_depend tool/check_faults tool/check_target): AM_CFLAGS += $(framed)
tests_unit_tree_check_stack_SOURCES = tests/unit/tree/check_stack.c tests/support/interrupt.c
tests_unit_tree_check_stack_CFLAGS = $(AM_CFLAGS) $(framed) $(stack_test_slower)
# A walk whose lines are counted takes longer than the timer's period: at its end the next
# interruption would wait already, and what is interrupted would never get on.
if WITH_COVERAGE
stack_test_slower = -DINTERRUPT_TIMES=20
endif

# What the program and the tool share, with its wrappers, and hooks of the test's own.
check_LTLIBRARIES += libprogramtest.la
libprogramtest_la_SOURCES = $(program_sources) ompt_tool/program/apart.c \
	tests/support/program_fixture.c tests/support/program_fixture.h
libprogramtest_la_CFLAGS = $(HANDLER_CFLAGS) $(CHECK_CFLAGS)
program_test_ldadd = libprogramtest.la $(CHECK_LIBS) -lpthread -ldl
tests_unit_program_check_program_signals_LDADD = $(program_test_ldadd)
tests_unit_program_check_program_masks_LDADD = $(program_test_ldadd)
tests_unit_program_check_program_starts_LDADD = $(program_test_ldadd)

# The same where the library is linked into the program, and has to put its wrappers
# before libc's functions itself; and objects with calls of each kind.
check_LTLIBRARIES += libprogramlinked.la
libprogramlinked_la_SOURCES = $(program_sources) ompt_tool/program/linked.c \
	tests/support/program_fixture.c tests/support/program_fixture.h
libprogramlinked_la_CPPFLAGS = $(AM_CPPFLAGS) -DOMPHWC_LINKED
libprogramlinked_la_CFLAGS = $(libprogramtest_la_CFLAGS)
check_LTLIBRARIES += bind_plugin_lazy.la bind_plugin_now.la \
	bind_plugin_own_lazy.la bind_plugin_own_now.la
bind_plugin_sources = tests/support/bind_plugin.c tests/support/bind_plugin.h
bind_plugin_ldflags = -module -avoid-version -rpath /nowhere -Wl,-z,relro
bind_plugin_lazy_la_SOURCES = $(bind_plugin_sources)
bind_plugin_lazy_la_LDFLAGS = $(bind_plugin_ldflags) -Wl,-z,lazy
bind_plugin_now_la_SOURCES = $(bind_plugin_sources)
bind_plugin_now_la_LDFLAGS = $(bind_plugin_ldflags) -Wl,-z,now
bind_plugin_own_lazy_la_SOURCES = $(bind_plugin_sources)
bind_plugin_own_lazy_la_CPPFLAGS = $(AM_CPPFLAGS) -DBIND_PLUGIN_OWN
bind_plugin_own_lazy_la_LDFLAGS = $(bind_plugin_lazy_la_LDFLAGS)
bind_plugin_own_now_la_SOURCES = $(bind_plugin_sources)
bind_plugin_own_now_la_CPPFLAGS = $(AM_CPPFLAGS) -DBIND_PLUGIN_OWN
bind_plugin_own_now_la_LDFLAGS = $(bind_plugin_now_la_LDFLAGS)
tests_unit_program_check_program_bind_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_program_check_program_bind_LDADD = libprogramlinked.la $(CHECK_LIBS) -lpthread -ldl

# A runtime that speaks OMPT and does all that runtimes do wrong.  It has to lie in
# an object of its own, and the program's functions have to have names.
check_LTLIBRARIES += libmock_runtime.la
libmock_runtime_la_SOURCES = tests/support/mock_runtime.c tests/support/mock_runtime.h
libmock_runtime_la_CFLAGS = $(AM_CFLAGS)
libmock_runtime_la_LDFLAGS = -avoid-version -rpath /nowhere -shared
libmock_runtime_la_LIBADD = -lpthread
tests_unit_omp_check_context_LDADD = libmock_runtime.la $(LDADD)
tests_unit_sample_check_handler_LDADD = libmock_runtime.la $(LDADD)

# The whole tool in the suite's process.
tool_test_ldadd = libunit_plain.la libmkprofile.la libomphwc_profile_reader.la \
	libomphwc_static.la -lpthread -ldl $(CHECK_LIBS)
tests_unit_tool_check_callbacks_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_tool_check_callbacks_LDADD = $(tool_test_ldadd)
tests_unit_tool_check_depend_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_tool_check_depend_LDADD = $(tool_test_ldadd)
tests_unit_tool_check_target_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_tool_check_target_LDADD = $(tool_test_ldadd)
tests_unit_omp_check_entries_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_omp_check_entries_LDADD = libmock_runtime.la $(tool_test_ldadd)
tests_unit_tool_check_faults_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_tool_check_faults_LDADD = libmock_runtime.la $(tool_test_ldadd)
tests_unit_tool_check_tool_LDFLAGS = $(AM_LDFLAGS) -export-dynamic $(call wrap,mmap syscall fopen \
	pthread_getattr_np pthread_key_create gethostname getcwd pmu_event_kinds pmu_rate_allowed)
tests_unit_tool_check_tool_LDADD = $(tool_test_ldadd)
# With the allocator's functions as libomphwc_heap.so has them.
tests_unit_tool_check_heap_SOURCES = tests/unit/tool/check_heap.c ompt_tool/tool/preload_heap.c \
	ompt_tool/tool/heap_link.h
tests_unit_tool_check_heap_CFLAGS = $(AM_CFLAGS) -fno-builtin $(framed)
tests_unit_tool_check_heap_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_unit_tool_check_heap_LDADD = $(tool_test_ldadd)
else
no_suites = tests/no-check.sh
TESTS += $(no_suites)
endif
EXTRA_DIST += tests/no-check.sh
