# SPDX-License-Identifier: BSD-3-Clause
# ompt_tool: what this folder builds.

# The handler's code is optimised even in a build for debugging (the override of CFLAGS at
# this file's end), makes no call through the PLT, and has initial-exec TLS.  It is not
# vectorised: two words that are stored by one instruction and loaded by two, or the other
# way round, defeat store forwarding.
HANDLER_CFLAGS = $(AM_CFLAGS) -ftls-model=initial-exec -fno-plt \
	-fno-tree-slp-vectorize -ffunction-sections -fdata-sections

# From a PC to its object, its module and its caller.
noinst_LTLIBRARIES += libomphwc_unwind.la
libomphwc_unwind_la_CFLAGS = $(HANDLER_CFLAGS) -fno-builtin
libomphwc_unwind_la_SOURCES = \
	ompt_tool/machine/arch.h \
	ompt_tool/machine/arch_aarch64.h \
	ompt_tool/machine/arch_riscv64.h \
	ompt_tool/machine/arch_x86_64.h \
	ompt_tool/unwind/cfi.c \
	ompt_tool/unwind/cfi.h \
	ompt_tool/unwind/caller_parts.h \
	ompt_tool/unwind/caller.h \
	ompt_tool/unwind/cfi_expr.c \
	ompt_tool/unwind/cfi_read.h \
	ompt_tool/unwind/cfi_row.c \
	ompt_tool/tree/module.c \
	ompt_tool/tree/module.h \
	ompt_tool/unwind/find_object.c ompt_tool/unwind/find_object.h \
	ompt_tool/unwind/object.c \
	ompt_tool/unwind/object.h \
	ompt_tool/unwind/object_proof.c ompt_tool/unwind/object_proof.h \
	ompt_tool/unwind/pages.c \
	ompt_tool/unwind/pages.h \
	ompt_tool/unwind/unwind.c \
	ompt_tool/unwind/unwind.h \
	ompt_tool/unwind/unwind_frame.c \
	ompt_tool/unwind/unwind_frame.h \
	ompt_tool/unwind/unwind_guess.c
if ARCH_X86_64
libomphwc_unwind_la_SOURCES += ompt_tool/machine/arch_x86_64.c ompt_tool/unwind/prologue_x86_64.c \
	ompt_tool/unwind/call_x86_64.c ompt_tool/unwind/caller.c \
	ompt_tool/unwind/caller_chain.c \
	ompt_tool/unwind/epilogue_x86_64.c ompt_tool/unwind/leads.c \
	src/code/callsite_code.h src/code/flow.h \
	src/code/flow_x86_64.c src/code/opcodes_x86_64.c src/code/opcodes_x86_64.h
endif
if ARCH_AARCH64
libomphwc_unwind_la_SOURCES += ompt_tool/machine/arch_aarch64.c ompt_tool/unwind/prologue_aarch64.c \
	ompt_tool/unwind/caller_none.c
endif
if ARCH_RISCV64
libomphwc_unwind_la_SOURCES += ompt_tool/machine/arch_riscv64.c ompt_tool/unwind/prologue_riscv64.c \
	ompt_tool/unwind/caller_none.c
endif

# ompt_tool: the library that is loaded into applications.

# The code of the signal handler: a library of its own, so that a test
# (tests/e2e/tree/t-handler-symbols.sh) can check what it calls.
noinst_LTLIBRARIES += libomphwc_core.la
libomphwc_core_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_core_la_SOURCES = \
	src/profile/syscalls.h \
	src/profile/format.h \
	src/toolchain/runtime_name.c src/toolchain/runtime_name.h \
	src/profile/writer.c src/profile/writer.h \
	ompt_tool/tree/blocks.c ompt_tool/tree/blocks.h \
	ompt_tool/unwind/bounds.c ompt_tool/unwind/bounds.h \
	ompt_tool/tree/cct.c ompt_tool/tree/cct.h \
	ompt_tool/omp/begun.c ompt_tool/omp/begun.h \
	ompt_tool/omp/blame.c ompt_tool/omp/blame.h \
	ompt_tool/omp/lives.c ompt_tool/omp/lives.h \
	ompt_tool/omp/locks.c ompt_tool/omp/locks.h \
	ompt_tool/omp/construct_stack.c ompt_tool/omp/construct_stack.h \
	ompt_tool/sample/cpus.c \
	ompt_tool/sample/data.c ompt_tool/sample/data.h \
	ompt_tool/omp/context.c ompt_tool/omp/context.h \
	ompt_tool/omp/context_here.h \
	ompt_tool/omp/created.c ompt_tool/omp/created.h \
	ompt_tool/unwind/enter.h \
	ompt_tool/sample/handler.c ompt_tool/sample/handler.h \
	ompt_tool/sample/handler_take.c \
	ompt_tool/sample/handler_wall.c \
	ompt_tool/tree/latest.c ompt_tool/tree/latest.h \
	ompt_tool/omp/places.c ompt_tool/omp/places.h \
	ompt_tool/tree/process.c ompt_tool/tree/process.h \
	ompt_tool/tree/recurring.c ompt_tool/tree/recurring.h \
	ompt_tool/omp/region.c ompt_tool/omp/region.h \
	ompt_tool/omp/omp_thread.h \
	ompt_tool/omp/runtime.c ompt_tool/omp/runtime.h \
	ompt_tool/runtime/runtime_host.h \
	ompt_tool/sample/sampling.h \
	ompt_tool/tree/stack.c ompt_tool/tree/stack.h \
	ompt_tool/sample/thread.c ompt_tool/sample/thread.h \
	ompt_tool/sample/named_phases.c \
	ompt_tool/tree/timeline.c ompt_tool/tree/timeline.h \
	ompt_tool/omp/trace.c ompt_tool/omp/trace.h \
	ompt_tool/omp/undeferred.h \
	ompt_tool/machine/ticks.h
if ARCH_X86_64
libomphwc_core_la_SOURCES += ompt_tool/unwind/enter_x86_64.c
endif
if ARCH_AARCH64
libomphwc_core_la_SOURCES += ompt_tool/unwind/enter_record.c
endif
if ARCH_RISCV64
libomphwc_core_la_SOURCES += ompt_tool/unwind/enter_record.c
endif
EXTRA_DIST += ompt_tool/unwind/enter_x86_64.c ompt_tool/unwind/enter_record.c
libomphwc_core_la_LIBADD = libomphwc_unwind.la libomphwc_rearm.la

# What the program and the tool share.
program_sources = \
	ompt_tool/program/bears.c ompt_tool/program/bears.h \
	ompt_tool/program/bind.c \
	ompt_tool/program/deliver.c ompt_tool/program/deliver.h \
	ompt_tool/program/handlers.c ompt_tool/program/handlers.h \
	ompt_tool/program/masks.c ompt_tool/program/masks.h \
	ompt_tool/program/next.c ompt_tool/program/next.h \
	ompt_tool/program/owner.c \
	ompt_tool/program/plain.c \
	ompt_tool/program/program.h \
	ompt_tool/program/say.c \
	ompt_tool/program/shared.c ompt_tool/program/shared.h \
	ompt_tool/program/sleeps.h \
	ompt_tool/program/stacks.c ompt_tool/program/stacks.h \
	ompt_tool/program/starts.c \
	ompt_tool/program/waits.c ompt_tool/program/waits.h \
	ompt_tool/program/witness.c ompt_tool/program/witness.h \
	ompt_tool/program/wrap_life.c \
	ompt_tool/program/wrap_signals.c \
	ompt_tool/program/wrap_sleeps.c \
	ompt_tool/program/wrap_syscall.c \
	ompt_tool/program/wrappers.h

tool_sources = $(program_sources) \
	ompt_tool/count/counting.c ompt_tool/count/counting.h \
	ompt_tool/count/meter.c ompt_tool/count/meter.h \
	ompt_tool/tool/control.c \
	ompt_tool/omp/depend.c ompt_tool/omp/depend.h \
	ompt_tool/omp/depend_parts.h ompt_tool/omp/depend_variables.c \
	ompt_tool/omp/entries.c ompt_tool/omp/entries.h \
	ompt_tool/tool/event_lists.c ompt_tool/tool/tool_parts.h \
	ompt_tool/tool/heap.c \
	ompt_tool/tool/heap_link.h \
	ompt_tool/runtime/calling_thread.c ompt_tool/runtime/calling_thread.h \
	ompt_tool/runtime/collector.c ompt_tool/runtime/collector.h \
	ompt_tool/runtime/collector_gomp.c ompt_tool/runtime/collector_gomp.h \
	ompt_tool/runtime/collector_gomp_blame.c \
	ompt_tool/runtime/collector_gomp_entries.c \
	ompt_tool/runtime/collector_request.c \
	ompt_tool/runtime/ompt_blame.c \
	ompt_tool/runtime/ompt.c ompt_tool/runtime/ompt_declarations.h \
	ompt_tool/runtime/ompt_device.c \
	ompt_tool/runtime/ompt_depend.c \
	ompt_tool/runtime/ompt_entries.c \
	ompt_tool/runtime/ompt_query.c \
	ompt_tool/runtime/ompt_register.c ompt_tool/runtime/ompt_parts.h \
	ompt_tool/runtime/ompt_survey.c \
	ompt_tool/runtime/ompt_target.c \
	ompt_tool/runtime/pomp.c ompt_tool/runtime/pomp.h ompt_tool/runtime/pomp_link.h \
	ompt_tool/runtime/pomp_runtime.c \
	ompt_tool/tool/profile.c ompt_tool/tool/profile.h \
	ompt_tool/tool/schedule.c \
	ompt_tool/tool/settings.c ompt_tool/tool/settings.h \
	ompt_tool/omp/stats.c ompt_tool/omp/stats.h ompt_tool/omp/task_switch.h \
	ompt_tool/tool/threads.c ompt_tool/tool/threads.h \
	ompt_tool/tool/tool.c ompt_tool/tool/tool.h \
	ompt_tool/tool/quota.c \
	ompt_tool/tool/marks.c ompt_tool/tool/omphwc.h \
	ompt_tool/tool/topology.c \
	ompt_tool/tool/window.c ompt_tool/tool/window.h
tool_libs = libprof_name.la libomphwc_core.la libomphwc_pmu.la

# Never unloaded (a hard pause unloads tools while handlers may run), bound at load, and
# exports only what the loader and the runtimes must find.
#
# Its auxiliary filter is libomphwc-gomp.so: the loader puts that library before this one in
# its search order, and so before libgomp where this one is preloaded. Where it is missing,
# the loader goes on without it. Loaders before glibc 2.33 end the program where a library with
# a filter is loaded by dlopen() (their bug 16272), as OpenMP runtimes do: it lies where only
# later ones look, in a folder of glibc-hwcaps; for others ompcount preloads it (src/run/library.h).
if ARCH_X86_64
filter = -Wl,-f,libomphwc-gomp.so -Wl,--enable-new-dtags -Wl,-rpath,'$$ORIGIN/$(filter_folder)'
hwcaps = x86-64-v2
else
filter = -Wl,-f,'$$ORIGIN/$(PACKAGE)/libomphwc-gomp.so'
endif
filter_folder = $(PACKAGE)/filter
lib_LTLIBRARIES += libomphwc.la
libomphwc_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_la_SOURCES = $(tool_sources) ompt_tool/program/apart.c
libomphwc_la_LDFLAGS = -shared -avoid-version \
	-Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL \
	$(filter) $(oldest_libs)
libomphwc_la_LIBADD = $(tool_libs)
libomphwc_la_DEPENDENCIES = $(tool_libs) $(oldest)

# What is loaded into programs runs with glibc 2.28 and later, wherever it was built.
oldest = .libs/oldest/libdl.so .libs/oldest/libpthread.so .libs/oldest/librt.so
oldest_libs = -Wl,--push-state,--as-needed \
	-Wl,.libs/oldest/libdl.so,.libs/oldest/libpthread.so,.libs/oldest/librt.so -Wl,--pop-state
.libs/oldest/libdl.so: ompt_tool/machine/oldest.sh
	$(AM_V_GEN)$(SHELL) $(top_srcdir)/ompt_tool/machine/oldest.sh .libs/oldest $(CC)
.libs/oldest/libpthread.so .libs/oldest/librt.so: .libs/oldest/libdl.so
EXTRA_DIST += ompt_tool/machine/oldest.sh

# In the build tree both libraries lie in one folder.
all-local: libomphwc.la
	$(AM_V_at)test -e .libs/$(PACKAGE) || $(LN_S) . .libs/$(PACKAGE)
if ARCH_X86_64
	$(AM_V_at)test -e .libs/$(hwcaps_folder) || { $(MKDIR_P) .libs/$(hwcaps_folder) && \
		$(LN_S) $(hwcaps_links) .libs/$(hwcaps_folder); }

hwcaps_folder = $(filter_folder)/glibc-hwcaps/$(hwcaps)
hwcaps_links = ../../../libomphwc-gomp.so ../../../libomphwc-gomp-thread.so
install-exec-hook:
	$(MKDIR_P) '$(DESTDIR)$(libdir)/$(hwcaps_folder)'
	cd '$(DESTDIR)$(libdir)/$(hwcaps_folder)' && rm -f libomphwc-gomp.so libomphwc-gomp-thread.so && \
		$(LN_S) $(hwcaps_links) .
uninstall-hook:
	cd '$(DESTDIR)$(pkglibdir)' && rm -f filter/glibc-hwcaps/$(hwcaps)/libomphwc-gomp*.so && \
		rmdir filter/glibc-hwcaps/$(hwcaps) filter/glibc-hwcaps filter
endif

# The malloc interposer.  No sibling calls: each of its functions keeps its frame until it
# returns.  Only ompcount loads it, by its path (src/run/library.c).
pkglib_LTLIBRARIES = libomphwc_heap.la
libomphwc_heap_la_CFLAGS = $(HANDLER_CFLAGS) -fno-builtin -fno-optimize-sibling-calls
libomphwc_heap_la_SOURCES = ompt_tool/tool/preload_heap.c ompt_tool/tool/heap_link.h
libomphwc_heap_la_LDFLAGS = -shared -avoid-version \
	-Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs $(oldest_libs)
libomphwc_heap_la_DEPENDENCIES = $(oldest)

# What gives GCC's libgomp the Collector API.  Preloaded, by its path: its versioned names are
# libgomp's.  Frames are reported, so each function that has one keeps it.
pkglib_LTLIBRARIES += libomphwc-gomp.la
libomphwc_gomp_la_CFLAGS = $(HANDLER_CFLAGS) -fexceptions
libomphwc_gomp_la_SOURCES = \
	ompt_tool/collector/gomp_thread.h \
	ompt_tool/collector/omp_collector_api.h \
	ompt_tool/gomp/after.h \
	ompt_tool/gomp/api.c \
	ompt_tool/gomp/copies.c ompt_tool/gomp/copies.h \
	ompt_tool/gomp/gomp_events.h \
	ompt_tool/gomp/jump.c ompt_tool/gomp/jump.h \
	ompt_tool/gomp/libgomp.h \
	ompt_tool/gomp/loaded.c \
	ompt_tool/gomp/meters.h \
	ompt_tool/gomp/gomp_locks.c \
	ompt_tool/gomp/gomp_regions.c \
	ompt_tool/gomp/self.c ompt_tool/gomp/self.h \
	ompt_tool/gomp/gomp_tasks.c \
	ompt_tool/gomp/gomp_waits.c \
	ompt_tool/gomp/gomp_work.c \
	ompt_tool/gomp/wrap.h
if ARCH_X86_64
libomphwc_gomp_la_SOURCES += ompt_tool/gomp/after_x86_64.c ompt_tool/gomp/jump_x86_64.c
else
libomphwc_gomp_la_SOURCES += ompt_tool/gomp/after_other.c
endif
if ARCH_AARCH64
libomphwc_gomp_la_SOURCES += ompt_tool/gomp/jump_aarch64.c
endif
if ARCH_RISCV64
libomphwc_gomp_la_SOURCES += ompt_tool/gomp/jump_riscv64.c
endif
# Linked by its file, not by its .la: libtool would put the installation's path into the library.
# The path has 16 bytes and more, since glibc's loader reads as many of it, which Valgrind reports.
libomphwc_gomp_la_LDFLAGS = -shared -avoid-version \
	-Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs \
	-Wl,--version-script=$(top_srcdir)/ompt_tool/gomp/gomp.map \
	-Wl,.libs/libomphwc-gomp-thread.so -Wl,--enable-new-dtags -Wl,-rpath,'$$ORIGIN/././././.' \
	$(oldest_libs)
libomphwc_gomp_la_DEPENDENCIES = libomphwc-gomp-thread.la $(oldest)

# Its thread-local data: ompt_tool/gomp/self_thread.c.
pkglib_LTLIBRARIES += libomphwc-gomp-thread.la
libomphwc_gomp_thread_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_gomp_thread_la_SOURCES = ompt_tool/gomp/self_thread.c
libomphwc_gomp_thread_la_LDFLAGS = -shared -avoid-version -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs
EXTRA_DIST += ompt_tool/gomp/gomp.map ompt_tool/gomp/after_x86_64.c ompt_tool/gomp/after_other.c \
	ompt_tool/gomp/jump_x86_64.c ompt_tool/gomp/jump_aarch64.c ompt_tool/gomp/jump_riscv64.c

# What programs that OPARI2 instrumented are linked with. Without sibling calls their events would
# have other frames; its locks need them.
lib_LTLIBRARIES += libomphwc-pomp.la
libomphwc_pomp_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_pomp_la_SOURCES = ompt_tool/pomp/pomp_functions.c ompt_tool/runtime/pomp_link.h
libomphwc_pomp_la_LDFLAGS = -shared -avoid-version -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs

# The Collector API, for other collectors and runtimes; marks and phases, for programs.
include_HEADERS = ompt_tool/collector/omp_collector_api.h ompt_tool/tool/omphwc.h \
	ompt_tool/tool/omphwc.f90

# The library to be linked into a program.  It has a name of its own, so that -l never finds
# the shared library instead.
noinst_LTLIBRARIES += libomphwc_static.la
libomphwc_static_la_CPPFLAGS = $(AM_CPPFLAGS) -DOMPHWC_LINKED
libomphwc_static_la_CFLAGS = $(libomphwc_la_CFLAGS)
libomphwc_static_la_SOURCES = $(tool_sources) ompt_tool/program/linked.c
libomphwc_static_la_LIBADD = $(tool_libs)

# What is installed is one object that shows the program nothing but ompt_start_tool(),
# omphwc_phase() and omphwc_pomp_*(): names of ours and of the program's never meet.
archivedir = $(libdir)
archive_DATA = libomphwc_static.a
libomphwc_static.a: libomphwc_static.la
	$(AM_V_AR)$(CC) -r -nostdlib -o libomphwc_static.o -Wl,--whole-archive \
		.libs/libomphwc_static.a -Wl,--no-whole-archive && \
	$(OBJCOPY) --localize-hidden libomphwc_static.o && \
	rm -f $@ && $(AR) cr $@ libomphwc_static.o
CLEANFILES += libomphwc_static.a libomphwc_static.o
pkgconfig_DATA = ompt_tool/omphwc.pc

# Automake puts the builder's CFLAGS last, which may have another -O: -O2 follows here, but
# not where coverage is measured.  No _FORTIFY_SOURCE: its checks would abort the program.
if !WITH_COVERAGE
$(libomphwc_unwind_la_OBJECTS) $(libomphwc_core_la_OBJECTS) $(libomphwc_rearm_la_OBJECTS) \
$(libomphwc_pmu_la_OBJECTS) $(libprof_name_la_OBJECTS) $(libomphwc_la_OBJECTS) \
$(libomphwc_heap_la_OBJECTS) $(libomphwc_gomp_la_OBJECTS) $(libomphwc_gomp_thread_la_OBJECTS) \
$(libomphwc_pomp_la_OBJECTS) $(libomphwc_static_la_OBJECTS): override CFLAGS += -O2 -U_FORTIFY_SOURCE
endif
# Assembly and symbol versions refer to names that link-time optimization would not see.
$(libomphwc_gomp_la_OBJECTS): override CFLAGS += -fno-lto
