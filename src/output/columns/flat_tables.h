/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat_tables.h - the flat tables, and cells of their rows that JSON has, too.
 */
#ifndef OMPHWC_SRC_OUTPUT_COLUMNS_FLAT_TABLES_H
#define OMPHWC_SRC_OUTPUT_COLUMNS_FLAT_TABLES_H

#include "src/output/columns/cells.h"

struct count;
struct placement_cpu;
struct placement_thread;
struct prof_thread;
struct rank_row;
struct region_row;
struct view_construct;
struct view_dependence;
struct view_device_op;
struct view_descriptor;
struct view_memory;
struct view_task;

extern const struct flat_table columns_region, columns_construct, columns_task;
extern const struct flat_table columns_function, columns_line, columns_path;
extern const struct flat_table columns_phase, columns_state, columns_module, columns_file;
extern const struct flat_table columns_thread, columns_cpu, columns_rank, columns_host;
extern const struct flat_table columns_memory, columns_blame, columns_parallelism;
extern const struct flat_table columns_time, columns_count, columns_finding, columns_device;
extern const struct flat_table columns_dependence, columns_descriptor;

/* Of one function or file. */
extern const struct flat_table columns_calls, columns_annotate, columns_asm;

/* Cells that JSON has in its objects, too, in this order. */
void entries_cells(const struct cells *c, uint64_t entries, uint64_t elapsed_ns,
		   bool elapsed_known);
void team_cells(const struct cells *c, uint32_t least, uint32_t most, uint64_t sum);
void region_cells(const struct cells *c, const struct region_row *g);
void construct_lines_cells(const struct cells *c, const struct view_construct *w);
void construct_entries_cells(const struct cells *c, const struct view_construct *w);
void construct_chunks_cells(const struct cells *c, const struct view_construct *w);
void descriptor_cells(const struct cells *c, const struct view_descriptor *d);
void phase_cells(const struct cells *c, uint32_t phase);
void task_cells(const struct cells *c, const struct view_task *t);
void thread_cells(const struct cells *c, const struct prof_thread *t);
void thread_schedule_cells(const struct cells *c, const struct placement_thread *t);
void cpu_cells(const struct cells *c, const struct placement_cpu *cpu);
void rank_cells(const struct cells *c, const struct rank_row *row);
void dependence_cells(const struct cells *c, const struct view_dependence *d);
void device_cells(const struct cells *c, const struct view_device_op *o);
void memory_cells(const struct cells *c, const struct view_memory *m);
void count_cells(const struct cells *c, const struct count *n);
void count_time_cell(const struct cells *c, const struct count *n);

#endif
