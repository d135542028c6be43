# SPDX-License-Identifier: BSD-3-Clause
# tests/unit.mk: the Check suites, and what they share.
#
# A new suite is tests/check_NAME.c and its name in one of the two lists: all are compiled and
# linked alike. What one of them needs beyond that stands behind the lists.

if HAVE_CHECK
# Of code that only our own commands run: with sanitizers, where configure was asked for them.
checked_suites = \
	tests/check_answers \
	tests/check_append \
	tests/check_base \
	tests/check_bears \
	tests/check_blocked \
	tests/check_callsite \
	tests/check_counts \
	tests/check_decode \
	tests/check_demangle \
	tests/check_destination \
	tests/check_detail \
	tests/check_diff \
	tests/check_exports \
	tests/check_fastread \
	tests/check_fastread_real \
	tests/check_filter \
	tests/check_findings \
	tests/check_findings_cpus \
	tests/check_findings_more \
	tests/check_flow \
	tests/check_jobs \
	tests/check_lanes \
	tests/check_launch \
	tests/check_leaf \
	tests/check_library_calls \
	tests/check_liveness \
	tests/check_losses \
	tests/check_machines \
	tests/check_merged \
	tests/check_model \
	tests/check_mpi \
	tests/check_name \
	tests/check_options \
	tests/check_outlined \
	tests/check_output \
	tests/check_page \
	tests/check_parallelism \
	tests/check_placement \
	tests/check_plan \
	tests/check_pmu_counter \
	tests/check_pmu_event \
	tests/check_pmu_fault \
	tests/check_pmu_kernels \
	tests/check_pmu_phase \
	tests/check_pmu_refusal \
	tests/check_pmu_wall \
	tests/check_reader \
	tests/check_reader_damage \
	tests/check_reader_timelines \
	tests/check_run \
	tests/check_settings \
	tests/check_symbols \
	tests/check_try \
	tests/check_view_entries \
	tests/check_views
if WITH_PPROF
checked_suites += tests/check_pprof
tests/check_pprof.$(OBJEXT): gen/profile.pb-c.h
endif

# Of code that runs in programs, in their handlers and between their frames: without.
plain_suites = \
	tests/check_blame \
	tests/check_blocks \
	tests/check_callbacks \
	tests/check_cct \
	tests/check_cfi \
	tests/check_cfi_damage \
	tests/check_cfi_expr \
	tests/check_context \
	tests/check_data \
	tests/check_entries \
	tests/check_faults \
	tests/check_handler \
	tests/check_heap \
	tests/check_meter \
	tests/check_module \
	tests/check_place \
	tests/check_places \
	tests/check_program_bind \
	tests/check_program_masks \
	tests/check_program_signals \
	tests/check_program_starts \
	tests/check_prologue_riscv64 \
	tests/check_recurring \
	tests/check_region \
	tests/check_stack \
	tests/check_timeline \
	tests/check_tool \
	tests/check_trace \
	tests/check_walk \
	tests/check_writer \
	tests/check_writer_faults
# Sanitizers put a section where these have their hole.
if !SANITIZERS
plain_suites += tests/check_module_hole tests/check_walk_hole
endif
if ARCH_X86_64
plain_suites += tests/check_caller
endif
if ARCH_AARCH64
plain_suites += tests/check_prologue_aarch64
endif
if HAVE_LIBUNWIND
plain_suites += tests/check_unwind
if ARCH_X86_64
plain_suites += tests/check_unwind_x86_64
endif
endif

suites = $(checked_suites) $(plain_suites)
check_PROGRAMS += $(suites)
TESTS += $(suites)

# How each is compiled: the variables are of these objects only.
unit_cflags = $(CHECK_CFLAGS) $(JSON_CFLAGS) $(ELFUTILS_CFLAGS) $(PPROF_CFLAGS)
tests/check_%.$(OBJEXT): AM_CFLAGS += $(unit_cflags)
$(addsuffix .$(OBJEXT),$(checked_suites)): AM_CFLAGS += $(SANITIZE_CFLAGS)
# And linked: of libraries of ours they take what they use.
$(addsuffix $(EXEEXT),$(suites)): private AM_LDFLAGS = $(SANITIZE_CFLAGS)
LDADD = libunit.la libunit_plain.la $(unwind_work) libmkprofile.la libpmutest.la \
	libomphwc_merge.la libompcount_run.la libomphwc_report.la libomphwc_symbols.la \
	libomphwc_core.la libomphwc_profile_reader.la libprof_name.la \
	$(JSON_LIBS) $(ELFUTILS_LIBS) $(CHECK_LIBS) -lm -lpthread -ldl

# Scenes, fixtures, goldens, objects compiled while testing.
check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/csv_text.c tests/csv_text.h \
	tests/demo_scene.c tests/demo_scene.h \
	tests/findings_fixture.c tests/findings_fixture.h \
	tests/golden_text.c tests/golden_text.h \
	tests/json_schema.c tests/json_schema.h \
	tests/objects.c tests/objects.h \
	tests/reader_fixture.c tests/reader_fixture.h \
	tests/scene.c tests/scene.h \
	tests/descriptors.h tests/suite_main.h
libunit_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(unit_cflags)

# The same for what runs in programs.
check_LTLIBRARIES += libunit_plain.la
libunit_plain_la_SOURCES = \
	tests/cfi_builder.c tests/cfi_builder.h \
	tests/interrupt.c tests/interrupt.h \
	tests/writer_fixture.c tests/writer_fixture.h \
	tests/plugin_copy.h
libunit_plain_la_CFLAGS = $(AM_CFLAGS) $(unit_cflags)

# What the kernel counts.  Built once more for these tests: with sanitizers where
# asked for, and with calls that can be made to fail.
check_LTLIBRARIES += libpmutest.la
libpmutest_la_SOURCES = $(libomphwc_pmu_la_SOURCES) $(libomphwc_rearm_la_SOURCES)
libpmutest_la_CPPFLAGS = $(libomphwc_pmu_la_CPPFLAGS)
libpmutest_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# The suites' calls that are made to fail, or played.
tests_check_base_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=calloc -Wl,--wrap=reallocarray
tests/check_merged.$(OBJEXT): AM_CFLAGS += $(OPENMP_CFLAGS)
tests_check_merged_LDFLAGS = $(SANITIZE_CFLAGS) $(OPENMP_CFLAGS) \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=reallocarray
tests_check_plan_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall \
	-Wl,--wrap=pmu_fastread_open -Wl,--wrap=pmu_fastread
tests_check_pmu_fault_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall \
	-Wl,--wrap=fcntl -Wl,--wrap=mmap -Wl,--wrap=timer_create -Wl,--wrap=ioctl
tests_check_pmu_kernels_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mmap
tests_check_pmu_phase_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=ioctl
tests_check_writer_faults_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mprotect \
	-Wl,--wrap=rename -Wl,--wrap=symlink -Wl,--wrap=link -Wl,--wrap=mmap -Wl,--wrap=fcntl

# Files of the tool's, compiled for the suite: they are in none of the libraries.
checked_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
# Machines are played: no event of this machine's kernel is opened.
tests_check_machines_SOURCES = tests/check_machines.c tests/machine.c tests/machine.h \
	src/check/save.c src/check/save.h src/check/cpuinfo.c src/check/cpuinfo.h
tests_check_machines_CFLAGS = $(checked_cflags)
tests_check_machines_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall -Wl,--wrap=close \
	-Wl,--wrap=fcntl -Wl,--wrap=ioctl -Wl,--wrap=mmap -Wl,--wrap=pmu_file_number \
	-Wl,--wrap=pmu_status_field
machine_names = a64fx amd-zen3 amd-zen4 apple-m1 arm-biglittle arm-biglittle-extended arm-neoverse \
	cloud-architectural cloud-cycles cloud-dead cloud-none intel-alderlake intel-sapphirerapids \
	intel-skylake riscv-plain
EXTRA_DIST += $(machine_names:%=tests/machines/%.txt) $(machine_names:%=tests/golden/machine-%.txt)
tests_check_bears_SOURCES = tests/check_bears.c ompt_tool/program/bears.c \
	ompt_tool/program/bears.h ompt_tool/program/plain.c
tests_check_bears_CFLAGS = $(checked_cflags)
# Bound at load: the loader would take 1 to 4 KiB of the stack that is measured, as the CPU is.
tests_check_bears_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,-z,now
tests_check_settings_SOURCES = tests/check_settings.c \
	ompt_tool/tool/settings.c ompt_tool/tool/settings.h
tests_check_settings_CFLAGS = $(checked_cflags)
tests_check_meter_SOURCES = tests/check_meter.c \
	ompt_tool/count/meter.c ompt_tool/count/meter.h \
	ompt_tool/count/meter_begin.c

# Walks with known answers.
EXTRA_DIST += tests/walk_code_x86_64.c tests/walk_code_aarch64.c
tests_check_walk_SOURCES = tests/check_walk.c tests/walk_code.h
if ARCH_X86_64
tests_check_walk_SOURCES += tests/walk_code_x86_64.c
endif
if ARCH_AARCH64
tests_check_walk_SOURCES += tests/walk_code_aarch64.c
endif
tests_check_caller_SOURCES = tests/check_caller.c tests/caller_code.h tests/caller_code_x86_64.c

# The same in a program with a hole of pages between its segments.
hole_ldflags = -Wl,-z,separate-code -Wl,--section-start=.init_array=0x8000000
tests_check_walk_hole_SOURCES = $(tests_check_walk_SOURCES)
tests_check_walk_hole_LDFLAGS = $(SANITIZE_CFLAGS) $(hole_ldflags)
tests_check_module_hole_SOURCES = tests/check_module.c
tests_check_module_hole_CPPFLAGS = $(AM_CPPFLAGS) -DHOLE
tests_check_module_hole_LDFLAGS = $(SANITIZE_CFLAGS) $(hole_ldflags) -Wl,--wrap=_dl_find_object

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

unwind_oracle = tests/unwind_oracle.c tests/unwind_oracle.h
tests_check_unwind_SOURCES = tests/check_unwind.c $(unwind_oracle)
tests_check_unwind_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_check_unwind_LDADD = $(LDADD) $(LIBUNWIND_LIBS)
tests_check_unwind_x86_64_SOURCES = tests/check_unwind_x86_64.c $(unwind_oracle)
tests_check_unwind_x86_64_CFLAGS = $(AM_CFLAGS) $(LIBUNWIND_CFLAGS)
tests_check_unwind_x86_64_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,-z,lazy
tests_check_unwind_x86_64_LDADD = $(tests_check_unwind_LDADD)

# Callers whose frames are looked for stay on the stack.
framed = -fno-optimize-sibling-calls
$(patsubst %,tests/check_%.$(OBJEXT),callbacks context entries faults handler): AM_CFLAGS += $(framed)
tests_check_stack_SOURCES = tests/check_stack.c tests/interrupt.c
tests_check_stack_CFLAGS = $(AM_CFLAGS) $(framed) $(stack_test_slower)
# A walk whose lines are counted takes longer than the timer's period: at its end the next
# interruption would wait already, and what is interrupted would never get on.
if WITH_COVERAGE
stack_test_slower = -DINTERRUPT_TIMES=20
endif

# What the program and the tool share, with its wrappers, and hooks of the test's own.
check_LTLIBRARIES += libprogramtest.la
libprogramtest_la_SOURCES = $(program_sources) ompt_tool/program/apart.c \
	tests/program_fixture.c tests/program_fixture.h
libprogramtest_la_CFLAGS = $(HANDLER_CFLAGS) $(CHECK_CFLAGS)
program_test_ldadd = libprogramtest.la $(CHECK_LIBS) -lpthread -ldl
tests_check_program_signals_LDADD = $(program_test_ldadd)
tests_check_program_masks_LDADD = $(program_test_ldadd)
tests_check_program_starts_LDADD = $(program_test_ldadd)

# The same where the library is linked into the program, and has to put its wrappers
# before libc's functions itself; and objects with calls of each kind.
check_LTLIBRARIES += libprogramlinked.la
libprogramlinked_la_SOURCES = $(program_sources) ompt_tool/program/linked.c \
	tests/program_fixture.c tests/program_fixture.h
libprogramlinked_la_CPPFLAGS = $(AM_CPPFLAGS) -DOMPHWC_LINKED
libprogramlinked_la_CFLAGS = $(libprogramtest_la_CFLAGS)
check_LTLIBRARIES += bind_plugin_lazy.la bind_plugin_now.la \
	bind_plugin_own_lazy.la bind_plugin_own_now.la
bind_plugin_sources = tests/bind_plugin.c tests/bind_plugin.h
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
tests_check_program_bind_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic
tests_check_program_bind_LDADD = libprogramlinked.la $(CHECK_LIBS) -lpthread -ldl

# A runtime that speaks OMPT and does all that runtimes do wrong.  It has to lie in
# an object of its own, and the program's functions have to have names.
check_LTLIBRARIES += libmock_runtime.la
libmock_runtime_la_SOURCES = tests/mock_runtime.c tests/mock_runtime.h
libmock_runtime_la_CFLAGS = $(AM_CFLAGS)
libmock_runtime_la_LDFLAGS = -avoid-version -rpath /nowhere -shared
libmock_runtime_la_LIBADD = -lpthread
tests_check_context_LDADD = libmock_runtime.la $(LDADD)
tests_check_handler_LDADD = libmock_runtime.la $(LDADD)

# The whole tool in the suite's process.
tool_test_ldadd = libunit_plain.la libmkprofile.la libomphwc_profile_reader.la \
	libomphwc_static.la -lpthread -ldl $(CHECK_LIBS)
tests_check_callbacks_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic
tests_check_callbacks_LDADD = $(tool_test_ldadd)
tests_check_entries_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic
tests_check_entries_LDADD = libmock_runtime.la $(tool_test_ldadd)
tests_check_faults_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic
tests_check_faults_LDADD = libmock_runtime.la $(tool_test_ldadd)
tests_check_tool_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic -Wl,--wrap=mmap -Wl,--wrap=syscall \
	-Wl,--wrap=fopen -Wl,--wrap=pthread_getattr_np -Wl,--wrap=pthread_key_create \
	-Wl,--wrap=gethostname -Wl,--wrap=getcwd -Wl,--wrap=pmu_event_kinds \
	-Wl,--wrap=pmu_rate_allowed
tests_check_tool_LDADD = $(tool_test_ldadd)
# With the allocator's functions as libomphwc_heap.so has them.
tests_check_heap_SOURCES = tests/check_heap.c ompt_tool/tool/preload_heap.c \
	ompt_tool/tool/heap_link.h
tests_check_heap_CFLAGS = $(AM_CFLAGS) -fno-builtin $(framed)
tests_check_heap_LDFLAGS = $(SANITIZE_CFLAGS) -export-dynamic
tests_check_heap_LDADD = $(tool_test_ldadd)
else
no_suites = tests/no-check.sh
TESTS += $(no_suites)
endif
EXTRA_DIST += tests/no-check.sh
