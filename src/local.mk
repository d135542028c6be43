# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/page.c src/page.h \
	src/check/checkup.c src/check/checkup.h \
	src/check/counting.c \
	src/check/environment.c \
	src/check/limits.c \
	src/check/machine.c \
	src/check/openmp.c \
	src/check/trials.c \
	src/cmd_check.c \
	src/cmd_list.c \
	src/cmd_report.c \
	src/cmd_run.c
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD = \
	libomphwc_analysis.la $(JSON_LIBS) \
	libompcount_run.la \
	libomphwc_profile_reader.la \
	libprof_name.la \
	libomphwc_pmu.la libomphwc_rearm.la \
	$(ELFUTILS_LIBS)

# What others wrote, on its way to a terminal.
noinst_LTLIBRARIES += libomphwc_clean.la
libomphwc_clean_la_SOURCES = src/clean.c src/clean.h
libomphwc_clean_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# What `ompcount run` consists of, and the lines that all commands print.
noinst_LTLIBRARIES += libompcount_run.la
libompcount_run_la_SOURCES = \
	src/message.c src/message.h \
	src/run/child.c src/run/child.h \
	src/run/destination.c src/run/destination.h \
	src/run/elfsyms.c src/run/elfsyms.h \
	src/run/env.c src/run/env.h \
	src/run/events.c src/run/events.h \
	src/run/fit.c src/run/fit.h \
	src/run/libomp.c src/run/libomp.h \
	src/run/library.c src/run/library.h \
	src/run/links.c src/run/links.h \
	src/run/loader.c src/run/loader.h \
	src/run/options.c src/run/options.h \
	src/run/private.c src/run/private.h \
	src/run/rehearse.c src/run/rehearse.h \
	src/run/runtime.c src/run/runtime.h \
	src/run/scratch.c src/run/scratch.h \
	src/run/session.c src/run/session.h \
	src/run/sweep.c src/run/sweep.h \
	src/run/target.c src/run/target.h \
	src/run/tidy.c src/run/tidy.h
libompcount_run_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DOMPHWC_LIBDIR='"$(libdir)"' -DOMPHWC_PREFIX='"$(exec_prefix)"'
libompcount_run_la_LIBADD = libomphwc_clean.la
libompcount_run_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)

# The profile's name: shared by the command and what is loaded into programs.
noinst_LTLIBRARIES += libprof_name.la
libprof_name_la_CFLAGS = $(HANDLER_CFLAGS)
libprof_name_la_SOURCES = \
	src/profile/calls.h \
	src/profile/digits.c src/profile/digits.h \
	src/profile/name.c src/profile/name.h \
	src/profile/owner.c src/profile/owner.h \
	src/profile/place.c src/profile/place.h \
	src/profile/manifest.c src/profile/manifest.h \
	src/profile/reserve.c src/profile/reserve.h

# Reads profiles; for ompcount, never loaded into programs.
noinst_LTLIBRARIES += libomphwc_profile_reader.la
libomphwc_profile_reader_la_SOURCES = \
	src/profile/format.h src/profile/reader.h src/profile/reader.c \
	src/profile/load.h src/profile/load.c \
	src/profile/chunks.h src/profile/chunks.c \
	src/profile/infos.h src/profile/infos.c \
	src/profile/nodes.h src/profile/nodes.c \
	src/profile/cycles.h src/profile/cycles.c
libomphwc_profile_reader_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# From profiles to a model and its views, and the formats they are written in.
noinst_LTLIBRARIES += libomphwc_analysis.la
libomphwc_analysis_la_SOURCES = \
	src/analysis/annotate.c src/analysis/annotate.h \
	src/analysis/calls.c src/analysis/calls.h \
	src/analysis/callsite.c src/analysis/callsite.h \
	src/analysis/callsite_code.c src/analysis/callsite_code.h \
	src/analysis/callsite_construct.c src/analysis/callsite_span.c \
	src/analysis/bodies.c src/analysis/bodies.h \
	src/analysis/callsite_body.c src/analysis/callsite_tail.c \
	src/analysis/flow.c src/analysis/flow.h src/analysis/flow_decode.c \
	src/analysis/flow_table.c src/analysis/flow_table.h \
	src/analysis/flow_table_aarch64.c src/analysis/flow_table_x86_64.c \
	src/analysis/construct.c src/analysis/construct.h \
	src/analysis/constructs.c src/analysis/constructs.h \
	src/analysis/context.c src/analysis/context.h \
	src/analysis/counts.c src/analysis/counts.h \
	src/analysis/counts_ratios.c \
	src/analysis/expert.c src/analysis/expert.h \
	src/analysis/grow.c src/analysis/grow.h \
	src/analysis/idmap.c src/analysis/idmap.h \
	src/analysis/insns.c src/analysis/insns.h \
	src/analysis/leaf.c src/analysis/leaf.h \
	src/analysis/liveness.c src/analysis/liveness.h \
	src/analysis/match.c src/analysis/match.h \
	src/analysis/model.c src/analysis/model.h \
	src/analysis/names.c src/analysis/names.h \
	src/analysis/origins.c src/analysis/origins.h \
	src/analysis/profiles.c src/analysis/profiles.h \
	src/analysis/regions.c src/analysis/regions.h \
	src/analysis/resolver.c src/analysis/resolver.h \
	src/analysis/sites.c src/analysis/sites.h \
	src/analysis/symbols.h \
	src/analysis/spread.c src/analysis/spread.h \
	src/analysis/tasks.c src/analysis/tasks.h \
	src/analysis/tables.c src/analysis/tables.h \
	src/analysis/tree.c src/analysis/tree.h \
	src/analysis/view.c src/analysis/view.h src/analysis/view_build.h \
	src/analysis/view_construct.c \
	src/analysis/view_entries.c \
	src/analysis/view_leaf.c \
	src/analysis/view_memory.c \
	src/analysis/view_stats.c \
	src/output/detail.h \
	src/output/disassembly.c src/output/disassembly.h \
	src/output/folded.c \
	src/output/format.c src/output/format.h \
	src/output/formats.h \
	src/output/shorten.c src/output/shorten.h \
	src/output/json_counts.c \
	src/output/json.c \
	src/output/json_memory.c \
	src/output/json_parts.c src/output/json_parts.h \
	src/output/json_process.c \
	src/output/json_regions.c \
	src/output/outfile.c src/output/outfile.h \
	src/output/output.c src/output/output.h \
	src/output/source.c src/output/source.h \
	src/output/summary.c src/output/summary.h \
	src/output/text.c src/output/text.h \
	src/output/text_about.c \
	src/output/text_annotate.c \
	src/output/text_asm.c \
	src/output/text_calls.c \
	src/output/text_counts.c \
	src/output/text_constructs.c \
	src/output/text_tasks.c \
	src/output/text_paths.c \
	src/output/text_regions.c \
	src/output/text_memory.c \
	src/output/text_tables.c
libomphwc_analysis_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(JSON_CFLAGS) $(ELFUTILS_CFLAGS)
libomphwc_analysis_la_LIBADD = libomphwc_symbols.la libomphwc_clean.la

# From a profile's places to functions and lines.
noinst_LTLIBRARIES += libomphwc_symbols.la
libomphwc_symbols_la_SOURCES = \
	src/analysis/arena.c src/analysis/arena.h \
	src/analysis/demangle.c src/analysis/demangle.h \
	src/analysis/intervals.c src/analysis/intervals.h \
	src/analysis/map.c src/analysis/map.h \
	src/analysis/outlined.c src/analysis/outlined.h \
	src/analysis/symbols.c src/analysis/symbols.h \
	src/analysis/symbols_debug.c src/analysis/symbols_debug.h \
	src/analysis/symbols_extents.c src/analysis/symbols_extents.h \
	src/analysis/symbols_file.c src/analysis/symbols_file.h \
	src/analysis/symbols_kernel.c src/analysis/symbols_kernel.h \
	src/analysis/symbols_frames.c src/analysis/symbols_frames.h \
	src/analysis/symbols_functions.c src/analysis/symbols_functions.h \
	src/analysis/symbols_module.c src/analysis/symbols_module.h \
	src/analysis/symbols_names.c src/analysis/symbols_names.h \
	src/analysis/symbols_places.c src/analysis/symbols_places.h \
	src/analysis/symbols_plt.c src/analysis/symbols_plt.h \
	src/analysis/symbols_source.c \
	src/analysis/symbols_state.h \
	src/analysis/symbols_table.c src/analysis/symbols_table.h \
	src/analysis/symbols_unit.c src/analysis/symbols_unit.h \
	src/analysis/symbols_vdso.c src/analysis/symbols_vdso.h
libomphwc_symbols_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)
libomphwc_symbols_la_LIBADD = libomphwc_profile_reader.la $(ELFUTILS_LIBS) $(DEMANGLE_LIBS)
