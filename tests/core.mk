# tests/core.mk: suites of what is loaded into programs.

if HAVE_CHECK
core_test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
core_test_ldadd = libmkprofile.la libomphwc_profile_reader.la libomphwc_core.la libprof_name.la
check_PROGRAMS += tests/check_writer tests/check_writer_faults
TESTS += tests/check_writer tests/check_writer_faults
writer_fixture = tests/writer_fixture.c tests/writer_fixture.h \
	tests/interrupt.c tests/interrupt.h
tests_check_writer_SOURCES = tests/check_writer.c $(writer_fixture)
tests_check_writer_CFLAGS = $(core_test_cflags)
tests_check_writer_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_writer_LDADD = $(core_test_ldadd) $(CHECK_LIBS)
tests_check_writer_faults_SOURCES = tests/check_writer_faults.c $(writer_fixture)
tests_check_writer_faults_CFLAGS = $(core_test_cflags)
tests_check_writer_faults_LDFLAGS = $(SANITIZE_CFLAGS) -Wl,--wrap=syscall -Wl,--wrap=mprotect \
	-Wl,--wrap=rename -Wl,--wrap=symlink -Wl,--wrap=link -Wl,--wrap=mmap -Wl,--wrap=fcntl
tests_check_writer_faults_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_place
TESTS += tests/check_place
tests_check_place_SOURCES = tests/check_place.c $(writer_fixture)
tests_check_place_CFLAGS = $(core_test_cflags)
tests_check_place_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_place_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_blame tests/check_cct tests/check_region
TESTS += tests/check_blame tests/check_cct tests/check_region
tests_check_cct_SOURCES = tests/check_cct.c $(writer_fixture)
tests_check_cct_CFLAGS = $(core_test_cflags)
tests_check_cct_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_cct_LDADD = $(core_test_ldadd) $(CHECK_LIBS)
tests_check_blame_SOURCES = tests/check_blame.c
tests_check_blame_CFLAGS = $(core_test_cflags)
tests_check_blame_LDADD = libomphwc_core.la libprof_name.la $(CHECK_LIBS)
tests_check_region_SOURCES = tests/check_region.c
tests_check_region_CFLAGS = $(core_test_cflags)
tests_check_region_LDADD = libomphwc_core.la libprof_name.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_stack
TESTS += tests/check_stack
tests_check_stack_SOURCES = tests/check_stack.c tests/interrupt.c tests/interrupt.h
tests_check_stack_CFLAGS = $(core_test_cflags) -fno-optimize-sibling-calls $(stack_test_slower)
# A walk whose lines are counted takes longer than the timer's period: at its end the next
# interruption would wait already, and what is interrupted would never get on.
if WITH_COVERAGE
stack_test_slower = -DINTERRUPT_TIMES=20
endif
tests_check_stack_LDADD = $(unwind_work) libomphwc_core.la libprof_name.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_recurring
TESTS += tests/check_recurring
tests_check_recurring_SOURCES = tests/check_recurring.c $(writer_fixture)
tests_check_recurring_CFLAGS = $(core_test_cflags)
tests_check_recurring_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_recurring_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_trace
TESTS += tests/check_trace
tests_check_trace_SOURCES = tests/check_trace.c $(writer_fixture)
tests_check_trace_CFLAGS = $(core_test_cflags)
tests_check_trace_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_trace_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_timeline
TESTS += tests/check_timeline
tests_check_timeline_SOURCES = tests/check_timeline.c $(writer_fixture)
tests_check_timeline_CFLAGS = $(core_test_cflags)
tests_check_timeline_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_timeline_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_data
TESTS += tests/check_data
tests_check_data_SOURCES = tests/check_data.c $(writer_fixture)
tests_check_data_CFLAGS = $(core_test_cflags)
tests_check_data_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_data_LDADD = $(core_test_ldadd) $(CHECK_LIBS)

check_PROGRAMS += tests/check_blocks
TESTS += tests/check_blocks
tests_check_blocks_SOURCES = tests/check_blocks.c tests/interrupt.c tests/interrupt.h
tests_check_blocks_CFLAGS = $(core_test_cflags)
tests_check_blocks_LDADD = libomphwc_core.la libprof_name.la $(CHECK_LIBS) -lpthread

check_PROGRAMS += tests/check_context
TESTS += tests/check_context
tests_check_context_SOURCES = tests/check_context.c tests/plugin_copy.h tests/walk_code.h \
	$(writer_fixture)
tests_check_context_CFLAGS = $(core_test_cflags) -fno-optimize-sibling-calls
tests_check_context_LDADD = libmock_runtime.la $(core_test_ldadd) $(CHECK_LIBS) -ldl

check_PROGRAMS += tests/check_meter tests/check_places
TESTS += tests/check_meter tests/check_places
tests_check_meter_SOURCES = tests/check_meter.c \
	ompt_tool/count/meter.c ompt_tool/count/meter.h \
	ompt_tool/count/meter_begin.c
tests_check_meter_CFLAGS = $(core_test_cflags)
tests_check_meter_LDADD = libomphwc_core.la libprof_name.la $(CHECK_LIBS)
tests_check_places_SOURCES = tests/check_places.c
tests_check_places_CFLAGS = $(core_test_cflags)
tests_check_places_LDADD = libomphwc_core.la libprof_name.la $(CHECK_LIBS)

check_PROGRAMS += tests/check_settings
TESTS += tests/check_settings
tests_check_settings_SOURCES = tests/check_settings.c \
	ompt_tool/tool/settings.c ompt_tool/tool/settings.h
tests_check_settings_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(CHECK_CFLAGS)
tests_check_settings_LDFLAGS = $(SANITIZE_CFLAGS)
tests_check_settings_LDADD = libprof_name.la $(CHECK_LIBS)

# What the program and the tool share, with its wrappers, and hooks of the test's own.
check_LTLIBRARIES += libprogramtest.la
libprogramtest_la_SOURCES = $(program_sources) ompt_tool/program/apart.c \
	tests/program_fixture.c tests/program_fixture.h
libprogramtest_la_CFLAGS = $(HANDLER_CFLAGS) $(CHECK_CFLAGS)
program_test_ldadd = libprogramtest.la $(CHECK_LIBS) -lpthread -ldl
check_PROGRAMS += tests/check_program_signals
TESTS += tests/check_program_signals
tests_check_program_signals_SOURCES = tests/check_program_signals.c
tests_check_program_signals_CFLAGS = $(core_test_cflags)
tests_check_program_signals_LDADD = $(program_test_ldadd)
check_PROGRAMS += tests/check_program_masks
TESTS += tests/check_program_masks
tests_check_program_masks_SOURCES = tests/check_program_masks.c
tests_check_program_masks_CFLAGS = $(core_test_cflags)
tests_check_program_masks_LDADD = $(program_test_ldadd)
check_PROGRAMS += tests/check_program_starts
TESTS += tests/check_program_starts
tests_check_program_starts_SOURCES = tests/check_program_starts.c
tests_check_program_starts_CFLAGS = $(core_test_cflags)
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
check_PROGRAMS += tests/check_program_bind
TESTS += tests/check_program_bind
tests_check_program_bind_SOURCES = tests/check_program_bind.c tests/bind_plugin.h
tests_check_program_bind_CFLAGS = $(core_test_cflags)
tests_check_program_bind_LDFLAGS = -export-dynamic
tests_check_program_bind_LDADD = libprogramlinked.la $(CHECK_LIBS) -lpthread -ldl

# A runtime that speaks OMPT and does all that runtimes do wrong.  It has to lie in
# an object of its own, and the program's functions have to have names.
check_LTLIBRARIES += libmock_runtime.la
libmock_runtime_la_SOURCES = tests/mock_runtime.c tests/mock_runtime.h
libmock_runtime_la_CFLAGS = $(AM_CFLAGS)
libmock_runtime_la_LDFLAGS = -avoid-version -rpath /nowhere -shared
libmock_runtime_la_LIBADD = -lpthread
check_PROGRAMS += tests/check_faults
TESTS += tests/check_faults
tests_check_faults_SOURCES = tests/check_faults.c $(writer_fixture)
tests_check_faults_CFLAGS = $(core_test_cflags) -fno-optimize-sibling-calls
tests_check_faults_LDFLAGS = -export-dynamic
tests_check_faults_LDADD = libmock_runtime.la libmkprofile.la libomphwc_profile_reader.la \
	libomphwc_static.la -lpthread -ldl $(CHECK_LIBS)
check_PROGRAMS += tests/check_entries
TESTS += tests/check_entries
tests_check_entries_SOURCES = tests/check_entries.c $(writer_fixture)
tests_check_entries_CFLAGS = $(tests_check_faults_CFLAGS)
tests_check_entries_LDFLAGS = $(tests_check_faults_LDFLAGS)
tests_check_entries_LDADD = $(tests_check_faults_LDADD)

# Signals of counters that the test plays.
check_PROGRAMS += tests/check_handler
TESTS += tests/check_handler
tests_check_handler_SOURCES = tests/check_handler.c $(writer_fixture)
tests_check_handler_CFLAGS = $(core_test_cflags) -fno-optimize-sibling-calls
tests_check_handler_LDADD = libmock_runtime.la $(core_test_ldadd) $(CHECK_LIBS) -lpthread

# The tool's life in one process, with calls that can be made to fail.
check_PROGRAMS += tests/check_tool
TESTS += tests/check_tool
tests_check_tool_SOURCES = tests/check_tool.c $(writer_fixture)
tests_check_tool_CFLAGS = $(core_test_cflags)
tests_check_tool_LDFLAGS = -export-dynamic -Wl,--wrap=mmap -Wl,--wrap=syscall \
	-Wl,--wrap=fopen -Wl,--wrap=pthread_getattr_np -Wl,--wrap=pthread_key_create \
	-Wl,--wrap=gethostname -Wl,--wrap=getcwd -Wl,--wrap=pmu_event_kinds \
	-Wl,--wrap=pmu_rate_allowed
tests_check_tool_LDADD = libmkprofile.la libomphwc_profile_reader.la \
	libomphwc_static.la -lpthread -ldl $(CHECK_LIBS)

# Callbacks one by one, with counters.
check_PROGRAMS += tests/check_callbacks
TESTS += tests/check_callbacks
tests_check_callbacks_SOURCES = tests/check_callbacks.c $(writer_fixture)
tests_check_callbacks_CFLAGS = $(tests_check_faults_CFLAGS)
tests_check_callbacks_LDFLAGS = $(tests_check_faults_LDFLAGS)
tests_check_callbacks_LDADD = $(tests_check_tool_LDADD)

# With the allocator's functions as libomphwc_heap.so has them.
check_PROGRAMS += tests/check_heap
TESTS += tests/check_heap
tests_check_heap_SOURCES = tests/check_heap.c ompt_tool/tool/preload_heap.c ompt_tool/tool/heap_link.h \
	$(writer_fixture)
tests_check_heap_CFLAGS = $(core_test_cflags) -fno-builtin -fno-optimize-sibling-calls
tests_check_heap_LDFLAGS = $(tests_check_faults_LDFLAGS)
tests_check_heap_LDADD = $(tests_check_tool_LDADD)
endif

# What the scripts ask of profiles.
check_PROGRAMS += tests/look
tests_look_SOURCES = tests/look.c
tests_look_CFLAGS = $(AM_CFLAGS)
tests_look_LDFLAGS = $(SANITIZE_CFLAGS)
tests_look_LDADD = libmkprofile.la libomphwc_profile_reader.la
# The profiles of t-moved.sh, and its heap, which it builds itself.
check_PROGRAMS += tests/random_profiles
tests_random_profiles_SOURCES = tests/random_profiles.c
tests_random_profiles_CFLAGS = $(AM_CFLAGS)
tests_random_profiles_LDFLAGS = $(SANITIZE_CFLAGS)
tests_random_profiles_LDADD = libmkprofile.la
EXTRA_DIST += tests/moving.c
