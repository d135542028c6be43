# SPDX-License-Identifier: BSD-3-Clause
# src: what this folder builds.

bin_PROGRAMS += ompcount
ompcount_SOURCES = \
	src/main.c src/commands.h \
	src/base/exit_status.h \
	src/check/checkup.c src/check/checkup.h \
	src/check/counters.c \
	src/check/limits.c \
	src/check/machine.c \
	src/check/openmp.c \
	src/check/save.c src/check/survey.c src/check/survey.h src/check/save.h \
	src/check/trials.c \
	src/chosen.c src/chosen.h \
	src/cmd_check.c \
	src/cmd_diff.c \
	src/cmd_history.c \
	src/cmd_list.c \
	src/cmd_merge.c \
	src/cmd_report.c \
	src/cmd_collect.c \
	src/spooled.c src/spooled.h \
	src/cmd_resolve.c \
	src/cmd_run.c \
	src/cmd_scale.c \
	src/cmd_stack.c \
	src/cmd_top.c \
	src/cmd_try.c \
	src/cmd_view.c \
	src/names_kept.c src/names_kept.h \
	src/command_line.c src/command_line.h \
	src/report_options.c src/report_options.h
ompcount_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
ompcount_CPPFLAGS = $(AM_CPPFLAGS) -DOMPHWC_PKGLIBEXECDIR='"$(pkglibexecdir)"'
ompcount_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_LDADD = \
	libomphwc_screen.la \
	libomphwc_stack.la \
	libomphwc_report.la $(JSON_LIBS) \
	libompcount_run.la \
	libomphwc_profile_reader.la \
	libprof_name.la \
	libomphwc_pmu.la libomphwc_rearm.la \
	$(ELFUTILS_LIBS)

# The command merge, which uses OpenMP where the compiler has it.
pkglibexec_PROGRAMS = ompcount-merge
ompcount_merge_SOURCES = src/merge_main.c $(merge_command)
ompcount_merge_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(OPENMP_CFLAGS)
ompcount_merge_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_merge_LDADD = libomphwc_merge.la \
	libomphwc_report.la $(JSON_LIBS) \
	libomphwc_profile_reader.la \
	libprof_name.la \
	$(ELFUTILS_LIBS)
merge_command = \
	src/chosen.c src/chosen.h \
	src/perf/perf_words.c src/perf/perf_words.h \
	src/command_line.c src/command_line.h \
	src/merge_command.c src/merge_command.h

# The same as an MPI program.
if HAVE_MPI
bin_PROGRAMS += ompcount-mpi
ompcount_mpi_SOURCES = src/mpi_main.c $(merge_command)
ompcount_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
ompcount_mpi_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(OPENMP_CFLAGS) -Wno-unknown-pragmas
ompcount_mpi_LDFLAGS = $(SANITIZE_CFLAGS)
ompcount_mpi_LDADD = $(ompcount_merge_LDADD) $(MPI_LIBS)
else
EXTRA_DIST += src/mpi_main.c
endif

# Merges the profiles of a job.
noinst_LTLIBRARIES += libomphwc_merge.la
libomphwc_merge_la_SOURCES = \
	src/merge/batch.c src/merge/batch.h src/merge/batch_parts.h \
	src/merge/batch_nodes.c \
	src/merge/batch_values.c \
	src/merge/chunks_out.c src/merge/chunks_out.h \
	src/merge/forest.c src/merge/forest.h \
	src/merge/inputs.c src/merge/inputs.h \
	src/merge/merge.c src/merge/merge.h
libomphwc_merge_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(OPENMP_CFLAGS) -Wno-unknown-pragmas

# What is shown on the whole screen.
noinst_LTLIBRARIES += libomphwc_screen.la
libomphwc_screen_la_SOURCES = \
	src/screen/browser.c src/screen/browser.h \
	src/screen/browser_panes.c src/screen/browser_parts.h \
	src/screen/call_tree.c src/screen/call_tree.h src/screen/cpu_time.c src/screen/cpu_time.h \
	src/screen/lines.c src/screen/lines.h \
	src/screen/live.c src/screen/live.h src/screen/live_print.c \
	src/screen/shown.c src/screen/shown.h \
	src/screen/screen.h
if HAVE_NCURSES
libomphwc_screen_la_SOURCES += src/screen/screen.c
else
libomphwc_screen_la_SOURCES += src/screen/screen_none.c
endif
EXTRA_DIST += src/screen/screen.c src/screen/screen_none.c
libomphwc_screen_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(NCURSES_CFLAGS)
libomphwc_screen_la_LIBADD = $(NCURSES_LIBS)

# Looks at running programs.
noinst_LTLIBRARIES += libomphwc_stack.la
libomphwc_stack_la_SOURCES = \
	src/stack/stack_process.c src/stack/stack_process.h \
	src/stack/stack_profile.c src/stack/stack_profile.h \
	src/stack/stack_json.c \
	src/stack/stack_look.c src/stack/stack_look.h \
	src/stack/stack_refusal.c src/stack/stack_refusal.h \
	src/stack/stack_rules.c src/stack/stack_rules.h \
	src/stack/stack_text.c \
	src/stack/stack_unwind.h \
	src/stack/stack_wait.c
if HAVE_UNWIND_PTRACE
libomphwc_stack_la_SOURCES += src/stack/stack_unwind.c
else
libomphwc_stack_la_SOURCES += src/stack/stack_unwind_none.c
endif
EXTRA_DIST += src/stack/stack_unwind.c src/stack/stack_unwind_none.c
libomphwc_stack_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(UNWIND_PTRACE_CFLAGS)
libomphwc_stack_la_LIBADD = $(UNWIND_PTRACE_LIBS) -lpthread

# Containers, and text for terminals; for ompcount, never loaded into programs.
noinst_LTLIBRARIES += libomphwc_base.la
libomphwc_base_la_SOURCES = \
	src/base/alloc.c src/base/alloc.h \
	src/base/arena.c src/base/arena.h \
	src/base/clean.c src/base/clean.h \
	src/base/fnv.h \
	src/base/grow.c src/base/grow.h \
	src/base/hash.c src/base/hash.h \
	src/base/interner.c src/base/interner.h \
	src/base/intervals.c src/base/intervals.h \
	src/base/map.c src/base/map.h \
	src/base/message.c src/base/message.h \
	src/base/roomy_stack.c src/base/roomy_stack.h \
	src/base/near.c src/base/near.h \
	src/base/pack.c src/base/pack.h \
	src/base/page.c src/base/page.h \
	src/base/path.c src/base/path.h \
	src/base/pattern.c src/base/pattern.h \
	src/base/pinned.c src/base/pinned.h
libomphwc_base_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# What `ompcount run` consists of.
noinst_LTLIBRARIES += libompcount_run.la
libompcount_run_la_SOURCES = \
	src/perf/perf_words.c src/perf/perf_words.h \
	src/run/announced.c src/run/announced.h \
	src/run/aside.c src/run/aside.h \
	src/run/child.c src/run/child.h \
	src/run/container.c src/run/container.h \
	src/run/copy.c src/run/copy.h \
	src/run/destination.c src/run/destination.h \
	src/run/elfsyms.c src/run/elfsyms.h \
	src/run/env.c src/run/env.h \
	src/run/events.c src/run/events.h \
	src/run/gather.c src/run/gather.h \
	src/run/libc_fit.c src/run/libc_fit.h \
	src/run/library.c src/run/library.h \
	src/run/links.c src/run/links.h \
	src/run/loader.c src/run/loader.h \
	src/run/node.c src/run/node.h \
	src/run/options.c src/run/options.h \
	src/run/paths.c src/run/paths.h \
	src/run/private.c src/run/private.h \
	src/run/ranks_program.c src/run/ranks_program.h \
	src/run/rerun.c src/run/rerun.h \
	src/run/sample_cost.c src/run/sample_cost.h \
	src/run/session.c src/run/session.h \
	src/run/spool.c src/run/spool.h \
	src/run/target.c src/run/target.h \
	src/run/tidy.c src/run/tidy.h \
	src/run/turn.c src/run/turn.h
libompcount_run_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DOMPHWC_LIBDIR='"$(libdir)"' -DOMPHWC_PREFIX='"$(exec_prefix)"'
libompcount_run_la_LIBADD = libomphwc_base.la
libompcount_run_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)

# The profile's name: shared by the command and what is loaded into programs.
noinst_LTLIBRARIES += libprof_name.la
libprof_name_la_CFLAGS = $(HANDLER_CFLAGS)
libprof_name_la_SOURCES = \
	src/profile/bare_call.h \
	src/profile/clock.h \
	src/profile/syscalls.h \
	src/profile/cpulist.c src/profile/cpulist.h \
	src/profile/digits.c src/profile/digits.h \
	src/profile/folder.c src/profile/folder.h \
	src/profile/launch.c src/profile/launch.h \
	src/profile/local.c src/profile/local.h \
	src/profile/name.c src/profile/name.h \
	src/profile/starter.c src/profile/starter.h \
	src/profile/profile_owner.c src/profile/profile_owner.h \
	src/profile/place.c src/profile/place.h \
	src/profile/manifest.c src/profile/manifest.h \
	src/profile/reserve.c src/profile/reserve.h

# Reads profiles; for ompcount, never loaded into programs.
noinst_LTLIBRARIES += libomphwc_profile_reader.la
libomphwc_profile_reader_la_SOURCES = \
	src/profile/magic.c src/profile/magic.h \
	src/profile/format.h src/profile/reader/reader.h src/profile/reader/reader.c \
	src/profile/reader/append.h src/profile/reader/append.c \
	src/profile/reader/load.h src/profile/reader/load.c \
	src/profile/reader/chunks.h src/profile/reader/chunks.c \
	src/profile/reader/infos.h src/profile/reader/infos.c \
	src/profile/reader/merged.h src/profile/reader/merged.c \
	src/profile/reader/extract.h src/profile/reader/extract.c \
	src/profile/reader/nodes.h src/profile/reader/nodes.c \
	src/profile/reader/cycles.h src/profile/reader/cycles.c \
	src/profile/reader/values.h src/profile/reader/values.c
libomphwc_profile_reader_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
libomphwc_profile_reader_la_LIBADD = libomphwc_base.la

# From profiles to a model and its views, and the formats they are written in.
noinst_LTLIBRARIES += libomphwc_report.la
libomphwc_report_la_SOURCES = \
	src/answers/answers.c src/answers/answers.h \
	src/answers/answers_pack.c \
	src/answers/answers_unpack.c \
	src/answers/ask.c src/answers/ask.h \
	src/answers/lookup.c src/answers/lookup.h \
	src/answers/questions.c src/answers/questions.h \
	src/callsite/callsite.c src/callsite/callsite.h \
	src/callsite/callsite_body.c \
	src/callsite/callsite_gnu.c src/callsite/callsite_gnu.h \
	src/callsite/callsite_loop.c \
	src/callsite/callsite_object.c src/callsite/callsite_object.h \
	src/callsite/callsite_single.c \
	src/callsite/callsite_span.c \
	src/callsite/callsite_tail.c \
	src/code/callsite_code.c src/code/callsite_code.h \
	src/code/flow.c src/code/flow.h \
	src/code/flow_aarch64.c \
	src/code/flow_decode.c \
	src/code/flow_if_zero.c \
	src/code/flow_riscv64.c \
	src/code/flow_table.h \
	src/code/flow_table_aarch64.c \
	src/code/flow_table_x86_64.c \
	src/code/flow_x86_64.c \
	src/code/opcodes_x86_64.c src/code/opcodes_x86_64.h \
	src/filter/filter.c src/filter/filter.h \
	src/filter/find.c src/filter/find.h \
	src/filter/hide.c \
	src/filter/levels.c \
	src/filter/select.h \
	src/filter/select_path.c \
	src/filter/select_place.c \
	src/filter/select_thread.c \
	src/filter/select_time.c \
	src/diff/align.c src/diff/align.h \
	src/diff/diff.c src/diff/diff.h \
	src/diff/noise.c src/diff/noise.h \
	src/diff/runs.c src/diff/runs.h \
	src/diff/history.c src/diff/history.h \
	src/diff/lasting.c src/diff/lasting.h \
	src/diff/points.c src/diff/points.h \
	src/diff/scaling.c src/diff/scaling.h \
	src/diff/side.c src/diff/side.h \
	src/diff/tried.c src/diff/tried.h \
	src/model/construct_kind.c src/model/construct_kind.h \
	src/model/descriptor.c src/model/descriptor.h \
	src/model/leaf.c src/model/leaf.h \
	src/model/mpi.c src/model/mpi.h \
	src/model/moments.c src/model/moments.h \
	src/model/job.c src/model/job.h \
	src/model/liveness.c src/model/liveness.h \
	src/model/model.c src/model/model.h \
	src/model/model_together.c \
	src/model/listing.c src/model/listing.h \
	src/model/profiles.c src/model/profiles.h \
	src/model/run_of.c src/model/run_of.h \
	src/output/runs_formats.h \
	src/output/callgrind/callgrind.c \
	src/output/columns/cells.c src/output/columns/cells.h \
	src/output/columns/flat_tables.h \
	src/output/columns/columns_counts.c \
	src/output/columns/columns_detail.c \
	src/output/columns/columns_regions.c \
	src/output/columns/columns_tables.c \
	src/output/columns/columns_threads.c \
	src/output/columns/columns_time.c \
	src/output/csv/csv_table.c src/output/csv/csv_table.h \
	src/output/dot/dot.c \
	src/output/trace/trace_document.c \
	src/output/folded/folded.c \
	src/output/filter_text.c src/output/filter_text.h \
	src/output/finding_facts.c src/output/finding_facts.h \
	src/output/finding_words.c src/output/finding_words.h \
	src/output/formats.h \
	src/output/html/html.c \
	src/output/html/html_flames.c \
	src/output/html/html_parts.h src/output/html/page_text.h \
	src/output/html/html_regions.c \
	src/output/html/html_sources.c \
	src/output/html/html_tables.c \
	src/output/html/html_timeline.c \
	src/output/json/json.c \
	src/output/json/json_counts.c \
	src/output/json/json_ranks.c \
	src/output/json/json_diff.c \
	src/output/json/json_memory.c \
	src/output/json/json_parts.c src/output/json/json_parts.h \
	src/output/json/json_process.c \
	src/output/json/json_regions.c \
	src/output/json/json_scale.c \
	src/output/hatchet/hatchet.c \
	src/output/json/json_timeline.c \
	src/output/json/json_try.c \
	src/output/outfile.c src/output/outfile.h \
	src/output/output.c src/output/output.h \
	src/output/printable.c src/output/printable.h \
	src/base/shorten.c src/base/shorten.h \
	src/output/source.c src/output/source.h \
	src/output/source_rules.c src/output/source_rules.h \
	src/output/speedscope/speedscope.c \
	src/output/svg/badge.c \
	src/output/text/summary.c src/output/text/summary.h \
	src/output/text/text.c src/output/text/text.h \
	src/output/text/text_about.c \
	src/output/text/text_annotate.c \
	src/output/text/text_asm.c \
	src/output/text/text_constructs.c \
	src/output/text/text_blame.c \
	src/output/text/text_counts.c \
	src/output/text/text_events.c \
	src/output/text/text_diff.c \
	src/output/text/text_history.c \
	src/output/text/text_memory.c \
	src/output/text/text_screen.c \
	src/output/text/text_paths.c \
	src/output/text/text_placement.c \
	src/output/text/text_efficiency.c \
	src/output/text/text_ranks.c \
	src/output/text/text_regions.c \
	src/output/text/text_scale.c \
	src/output/text/text_tables.c \
	src/output/text/text_tasks.c \
	src/output/text/text_time.c \
	src/output/text/text_try.c \
	src/symbols/symbols.h \
	src/tables/annotate.c src/tables/annotate.h \
	src/tables/calls.c src/tables/calls.h \
	src/tables/constructs.c src/tables/constructs.h \
	src/tables/counted.c src/tables/counted.h \
	src/tables/counted_ratios.c \
	src/tables/insns.c src/tables/insns.h \
	src/tables/blamed.c src/tables/blamed.h \
	src/tables/finding_barriers.c src/tables/finding_blocked.c \
	src/tables/finding_teams.c \
	src/tables/finding_calls.c \
	src/tables/finding_cpus.c \
	src/tables/finding_evidence.c src/tables/finding_evidence.h \
	src/tables/finding_memory.c \
	src/tables/finding_directive.c \
	src/tables/finding_ranks.c \
	src/tables/finding_rules.c src/tables/finding_rules.h \
	src/tables/findings.c src/tables/findings.h \
	src/tables/flame.c src/tables/flame.h \
	src/tables/construct_time.c src/tables/construct_time.h \
	src/tables/instances.c src/tables/instances.h \
	src/tables/lanes.c src/tables/lanes.h \
	src/tables/parallelism.c src/tables/parallelism.h \
	src/tables/judged.c src/tables/judged.h \
	src/tables/losses.c src/tables/losses.h \
	src/tables/losses_mpi.c \
	src/tables/phases.c src/tables/phases.h \
	src/tables/placement.c src/tables/placement.h \
	src/tables/remedies.c src/tables/remedies.h \
	src/tables/rank_rows.c src/tables/rank_rows.h \
	src/tables/ranks.c src/tables/ranks.h \
	src/tables/region_times.c src/tables/region_times.h \
	src/tables/regions.c src/tables/regions.h \
	src/tables/time_event.c src/tables/time_event.h \
	src/tables/sourceless.c src/tables/sourceless.h \
	src/tables/unsampled.c src/tables/unsampled.h \
	src/tables/surroundings.c src/tables/surroundings.h \
	src/tables/tables.c src/tables/tables.h \
	src/tables/tasks.c src/tables/tasks.h \
	src/tables/thread_spread.c src/tables/thread_spread.h \
	src/path/bodies.c src/path/bodies.h \
	src/path/decide.c src/path/decide.h \
	src/path/decide_calls.c src/path/decide_lost.c src/path/decide_parts.h \
	src/path/decide_user.c \
	src/path/evidence.c src/path/evidence.h \
	src/view/label.c src/view/label.h \
	src/view/names.c src/view/names.h \
	src/path/path_build.c src/path/path_build.h \
	src/path/origins.c src/path/origins.h \
	src/view/outlive.c src/view/outlive.h \
	src/view/region_counts.c src/view/region_counts.h \
	src/path/sites.c src/path/sites.h \
	src/view/tree.c src/view/tree.h \
	src/view/view.c src/view/view.h \
	src/view/build/view_build.c src/view/build/view_build.h \
	src/view/build/view_construct.c \
	src/view/build/view_construct_settle.c \
	src/view/build/verdict.c src/view/build/verdict.h \
	src/path/task_bodies.c \
	src/view/build/view_entries.c \
	src/view/build/view_hide.c \
	src/view/build/view_inside.c \
	src/view/build/view_leaf.c \
	src/view/build/view_memory.c \
	src/view/build/view_descriptor.c \
	src/view/build/view_phase.c \
	src/view/build/view_stats.c \
	src/view/build/view_summed.c
nodist_libomphwc_report_la_SOURCES = gen/page_text.c
libomphwc_report_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(JSON_CFLAGS) $(ELFUTILS_CFLAGS)
libomphwc_report_la_LIBADD = libomphwc_symbols.la -lm

# pprof's messages are made from their definition.
EXTRA_DIST += src/output/pprof/profile.proto
if WITH_PPROF
libomphwc_report_la_SOURCES += src/output/pprof/pprof.c
libomphwc_report_la_CFLAGS += $(PPROF_CFLAGS)
libomphwc_report_la_LIBADD += libpprof_messages.la
noinst_LTLIBRARIES += libpprof_messages.la
nodist_libpprof_messages_la_SOURCES = gen/profile.pb-c.c gen/profile.pb-c.h
libpprof_messages_la_SOURCES =
libpprof_messages_la_CFLAGS = $(PPROF_CFLAGS) $(SANITIZE_CFLAGS)
libpprof_messages_la_LIBADD = $(PPROF_LIBS)
BUILT_SOURCES += gen/profile.pb-c.h
CLEANFILES += gen/profile.pb-c.c gen/profile.pb-c.h
gen/profile.pb-c.c: src/output/pprof/profile.proto
	$(AM_V_GEN)$(MKDIR_P) gen && \
	$(PROTOC_C) --proto_path='$(srcdir)/src/output/pprof' --c_out=gen \
		'$(srcdir)/src/output/pprof/profile.proto'
gen/profile.pb-c.h: gen/profile.pb-c.c
# By a variable: automake's own rule for the object stays.
pprof_object = src/output/pprof/libomphwc_report_la-pprof.lo
$(pprof_object): gen/profile.pb-c.h
else
libomphwc_report_la_SOURCES += src/output/pprof/pprof_none.c
EXTRA_DIST += src/output/pprof/pprof.c
endif
EXTRA_DIST += src/output/pprof/pprof_none.c

# The HTML page, as C.
html_page = \
	src/output/html/page/bars.js \
	src/output/html/page/chart.js \
	src/output/html/page/data.js \
	src/output/html/page/diff.js \
	src/output/html/page/dom.js \
	src/output/html/page/flame.js \
	src/output/html/page/flame_recursion.js \
	src/output/html/page/flame_search.js \
	src/output/html/page/flame_tree.js \
	src/output/html/page/format.js \
	src/output/html/page/heatmap.js \
	src/output/html/page/history.js \
	src/output/html/page/index.html \
	src/output/html/page/main.js \
	src/output/html/page/region.js \
	src/output/html/page/regions.js \
	src/output/html/page/run.js \
	src/output/html/page/runs.html \
	src/output/html/page/runs.js \
	src/output/html/page/runs_data.js \
	src/output/html/page/scale.js \
	src/output/html/page/source.js \
	src/output/html/page/state.js \
	src/output/html/page/style.css \
	src/output/html/page/summary.js \
	src/output/html/page/table.js \
	src/output/html/page/tables.js \
	src/output/html/page/theme.js \
	src/output/html/page/threads.js \
	src/output/html/page/timeline.js \
	src/output/html/page/tooltip.js
EXTRA_DIST += src/output/html/embed.sh $(html_page)
CLEANFILES += gen/page_text.c
gen/page_text.c: $(top_srcdir)/src/output/html/embed.sh $(html_page)
	$(AM_V_GEN)$(MKDIR_P) gen && \
		$(SHELL) $(top_srcdir)/src/output/html/embed.sh \
			$(top_srcdir)/src/output/html/page >$@.new && mv $@.new $@

# What compilers and runtimes do.
noinst_LTLIBRARIES += libomphwc_toolchain.la
libomphwc_toolchain_la_SOURCES = \
	src/toolchain/gnu.c \
	src/toolchain/llvm.c \
	src/toolchain/other.c \
	src/toolchain/outlined.c src/toolchain/outlined.h \
	src/toolchain/runtime_name.c src/toolchain/runtime_name.h \
	src/toolchain/states.h \
	src/toolchain/toolchain.c src/toolchain/toolchain.h \
	src/toolchain/toolchains.h
libomphwc_toolchain_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS)

# From a profile's places to functions and lines.
noinst_LTLIBRARIES += libomphwc_symbols.la
libomphwc_symbols_la_SOURCES = \
	src/symbols/demangle.c src/symbols/demangle.h \
	src/symbols/symbols.c src/symbols/symbols.h \
	src/symbols/symbols_debug.c src/symbols/symbols_debug.h \
	src/symbols/symbols_debuginfod.c src/symbols/symbols_debuginfod.h \
	src/symbols/symbols_extents.c src/symbols/symbols_extents.h \
	src/symbols/symbols_file.c src/symbols/symbols_file.h \
	src/symbols/symbols_kernel.c src/symbols/symbols_kernel.h \
	src/symbols/symbols_made.c src/symbols/symbols_made.h \
	src/symbols/symbols_frames.c src/symbols/symbols_frames.h \
	src/symbols/symbols_functions.c src/symbols/symbols_functions.h \
	src/symbols/symbols_module.c src/symbols/symbols_module.h \
	src/symbols/symbols_names.c src/symbols/symbols_names.h \
	src/symbols/symbols_places.c src/symbols/symbols_places.h \
	src/symbols/symbols_plt.c src/symbols/symbols_plt.h \
	src/symbols/symbols_source.c \
	src/symbols/symbols_state.h \
	src/symbols/symbols_table.c src/symbols/symbols_table.h \
	src/symbols/symbols_unit.c src/symbols/symbols_unit.h
libomphwc_symbols_la_CFLAGS = $(AM_CFLAGS) $(SANITIZE_CFLAGS) $(ELFUTILS_CFLAGS)
libomphwc_symbols_la_LIBADD = libomphwc_toolchain.la libomphwc_profile_reader.la $(ELFUTILS_LIBS) $(DEMANGLE_LIBS)
