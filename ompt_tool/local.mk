# ompt_tool: what this folder builds.

# What runs in the handler is optimized even in a build for debugging, takes
# nothing that needs the dynamic linker, and finds its thread data at once.
HANDLER_CFLAGS = $(AM_CFLAGS) -ftls-model=initial-exec -fno-plt

# The way from a PC to its object, its module and its caller.
noinst_LTLIBRARIES += libomphwc_unwind.la
libomphwc_unwind_la_CFLAGS = $(HANDLER_CFLAGS)
libomphwc_unwind_la_SOURCES = \
	ompt_tool/core/arch.h \
	ompt_tool/core/arch_aarch64.h \
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
	ompt_tool/core/unwind.c \
	ompt_tool/core/unwind.h
if ARCH_X86_64
libomphwc_unwind_la_SOURCES += ompt_tool/core/arch_x86_64.c
endif
if ARCH_AARCH64
libomphwc_unwind_la_SOURCES += ompt_tool/core/arch_aarch64.c
endif
