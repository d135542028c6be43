# ompt_tool: what this folder builds.

# What runs in the handler is optimized even in a build for debugging, takes
# nothing that needs the dynamic linker, and finds its thread data at once.
# Of vectors there is nothing to gain here: two words stored by one instruction
# and loaded by two, or the other way round, wait for all stores before them.
HANDLER_CFLAGS = $(AM_CFLAGS) -ftls-model=initial-exec -fno-plt \
	-fno-tree-slp-vectorize -ffunction-sections -fdata-sections

# The way from a PC to its object, its module and its caller.
noinst_LTLIBRARIES += libomphwc_unwind.la
libomphwc_unwind_la_CFLAGS = $(HANDLER_CFLAGS) -fno-builtin
libomphwc_unwind_la_SOURCES = \
	ompt_tool/core/arch.h \
	ompt_tool/core/arch_aarch64.h \
	ompt_tool/core/arch_riscv64.h \
	ompt_tool/core/arch_x86_64.h \
	ompt_tool/core/cfi.c \
	ompt_tool/core/cfi.h \
	ompt_tool/core/cfi_expr.c \
	ompt_tool/core/cfi_read.c \
	ompt_tool/core/cfi_read.h \
	ompt_tool/core/cfi_row.c \
	ompt_tool/core/module.c \
	ompt_tool/core/module.h \
	ompt_tool/core/object.c \
	ompt_tool/core/object.h \
	ompt_tool/core/pages.c \
	ompt_tool/core/pages.h \
	ompt_tool/core/prologue.h \
	ompt_tool/core/unwind.c \
	ompt_tool/core/unwind.h \
	ompt_tool/core/unwind_frame.c \
	ompt_tool/core/unwind_frame.h \
	ompt_tool/core/unwind_guess.c
if ARCH_X86_64
libomphwc_unwind_la_SOURCES += ompt_tool/core/arch_x86_64.c ompt_tool/core/prologue_x86_64.c
endif
if ARCH_AARCH64
libomphwc_unwind_la_SOURCES += ompt_tool/core/arch_aarch64.c ompt_tool/core/prologue_aarch64.c
endif
if ARCH_RISCV64
libomphwc_unwind_la_SOURCES += ompt_tool/core/arch_riscv64.c ompt_tool/core/prologue_riscv64.c
endif

# ompt_tool: the library that is loaded into applications.

# What runs in the signal handler: compiled apart, so that a test can look at
# what it calls.
noinst_LTLIBRARIES += libomphwc_core.la
libomphwc_core_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_core_la_SOURCES = \
	src/profile/syscalls.h \
	src/profile/format.h \
	src/profile/writer.c src/profile/writer.h \
	ompt_tool/core/blocks.c ompt_tool/core/blocks.h \
	ompt_tool/core/bounds.c ompt_tool/core/bounds.h \
	ompt_tool/core/cct.c ompt_tool/core/cct.h \
	ompt_tool/core/construct_stack.c ompt_tool/core/construct_stack.h \
	ompt_tool/core/data.c ompt_tool/core/data.h \
	ompt_tool/core/context.c ompt_tool/core/context.h \
	ompt_tool/core/context_here.h \
	ompt_tool/core/enter.h \
	ompt_tool/core/handler.c ompt_tool/core/handler.h \
	ompt_tool/core/process.c ompt_tool/core/process.h \
	ompt_tool/core/recurring.c ompt_tool/core/recurring.h \
	ompt_tool/core/region.c ompt_tool/core/region.h \
	ompt_tool/core/omp_thread.h \
	ompt_tool/core/runtime.c ompt_tool/core/runtime.h \
	ompt_tool/core/runtime_host.h \
	ompt_tool/core/sampling.c ompt_tool/core/sampling.h \
	ompt_tool/core/stack.c ompt_tool/core/stack.h \
	ompt_tool/core/thread.c ompt_tool/core/thread.h \
	ompt_tool/core/undeferred.h \
	ompt_tool/core/ticks.h
if ARCH_X86_64
libomphwc_core_la_SOURCES += ompt_tool/core/enter_x86_64.c
endif
if ARCH_AARCH64
libomphwc_core_la_SOURCES += ompt_tool/core/enter_record.c
endif
if ARCH_RISCV64
libomphwc_core_la_SOURCES += ompt_tool/core/enter_record.c
endif
EXTRA_DIST += ompt_tool/core/enter_x86_64.c ompt_tool/core/enter_record.c
libomphwc_core_la_LIBADD = libomphwc_unwind.la libomphwc_rearm.la

# What the program and the tool share.
program_sources = \
	ompt_tool/program/bears.c ompt_tool/program/bears.h \
	ompt_tool/program/bind.c ompt_tool/program/bind.h \
	ompt_tool/program/deliver.c ompt_tool/program/deliver.h \
	ompt_tool/program/masks.c ompt_tool/program/masks.h \
	ompt_tool/program/next.c ompt_tool/program/next.h \
	ompt_tool/program/owner.c ompt_tool/program/owner.h \
	ompt_tool/program/plain.c \
	ompt_tool/program/program.h \
	ompt_tool/program/say.c \
	ompt_tool/program/shared.c ompt_tool/program/shared.h \
	ompt_tool/program/stacks.c ompt_tool/program/stacks.h \
	ompt_tool/program/starts.c ompt_tool/program/starts.h \
	ompt_tool/program/waits.c ompt_tool/program/waits.h \
	ompt_tool/program/wrap_life.c \
	ompt_tool/program/wrap_signals.c \
	ompt_tool/program/wrap_sleeps.c \
	ompt_tool/program/wrappers.h

tool_sources = $(program_sources) \
	ompt_tool/counting.c ompt_tool/counting.h \
	ompt_tool/meter.c ompt_tool/meter.h \
	ompt_tool/control.c ompt_tool/control.h \
	ompt_tool/entries.c ompt_tool/entries.h \
	ompt_tool/heap.c ompt_tool/heap.h \
	ompt_tool/heap_link.h \
	ompt_tool/ompt.c \
	ompt_tool/ompt_entries.c ompt_tool/ompt_entries.h \
	ompt_tool/ompt_register.c ompt_tool/ompt_register.h \
	ompt_tool/places.c ompt_tool/places.h \
	ompt_tool/profile.c ompt_tool/profile.h \
	ompt_tool/settings.c ompt_tool/settings.h \
	ompt_tool/stats.c ompt_tool/stats.h \
	ompt_tool/threads.c ompt_tool/threads.h \
	ompt_tool/tool.c ompt_tool/tool.h
tool_libs = libprof_name.la libomphwc_core.la libomphwc_pmu.la

# Never unloaded (a hard pause unloads tools, handlers may be under way), bound
# at load, and nothing visible but what it must show.
lib_LTLIBRARIES += libomphwc.la
libomphwc_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_la_SOURCES = $(tool_sources) ompt_tool/program/apart.c
libomphwc_la_LDFLAGS = -shared -avoid-version \
	-Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL
libomphwc_la_LIBADD = $(tool_libs) $(PFM_LIBS) -lpthread -ldl

# What is put before the allocator, where a profile tells blocks of the heap apart.
# Its functions have a frame each, and keep it until they return.
lib_LTLIBRARIES += libomphwc_heap.la
libomphwc_heap_la_CFLAGS = $(HANDLER_CFLAGS) -fno-builtin -fno-optimize-sibling-calls
libomphwc_heap_la_SOURCES = ompt_tool/preload_heap.c ompt_tool/heap_link.h
libomphwc_heap_la_LDFLAGS = -shared -avoid-version \
	-Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs
libomphwc_heap_la_LIBADD = -ldl

# The library to be linked into a program.
noinst_LTLIBRARIES += libomphwc_static.la
libomphwc_static_la_CPPFLAGS = $(AM_CPPFLAGS) -DOMPHWC_LINKED
libomphwc_static_la_CFLAGS = $(libomphwc_la_CFLAGS)
libomphwc_static_la_SOURCES = $(tool_sources) ompt_tool/program/linked.c
libomphwc_static_la_LIBADD = $(tool_libs)

install-exec-hook: install-static
install-static: libomphwc_static.la
	$(MKDIR_P) $(DESTDIR)$(libdir)
	$(INSTALL_DATA) .libs/libomphwc_static.a $(DESTDIR)$(libdir)/libomphwc.a
uninstall-hook: uninstall-static
uninstall-static:
	rm -f $(DESTDIR)$(libdir)/libomphwc.a
.PHONY: install-static uninstall-static
