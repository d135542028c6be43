/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finding_rules.h - private: the rules, each with its evidence.
 */
#ifndef OMPHWC_SRC_TABLES_FINDING_RULES_H
#define OMPHWC_SRC_TABLES_FINDING_RULES_H

#include <stddef.h>

#include "src/base/map.h"
#include "src/tables/finding_evidence.h"
#include "src/tables/findings.h"

struct finding_list {
	struct finding *all;
	size_t n, room;
};

/* A finding about a region; the list's to fill in further. */
struct finding *finding_add(struct finding_list *list, enum finding_rule rule,
			    const struct region_row *r, double gain_ns);

/* The least part of the run that a finding is worth. */
#define FINDING_WORTH 0.02

/* Of fewer samples a loss is more than a third off by chance. */
enum { FINDING_SAMPLES = 10 };

/* The samples of a loss in a row; of time in which threads did not run, the samples that would
   have been taken in it. finding_worth(): those that would be taken in thread time. */
double finding_samples(const struct finding_evidence *e, uint32_t row, enum loss loss);
double finding_worth(const struct finding_evidence *e, double thread_ns);

/* The row of a special region; UINT32_MAX: there is none. */
uint32_t finding_row_of(const struct finding_evidence *e, uint32_t special);

/* Thread time in a region that costs so much elapsed time. */
double finding_thread_ns(const struct finding_evidence *e, uint32_t row, double gain_ns);

/* OMP_DYNAMIC's setting, where the runtime may make teams smaller; or NULL. */
const char *finding_dynamic(const struct finding_evidence *e);

/* Takes a loss, or a part of it, out of a unit, or a region; its gain. finding_row_thread(): its
   thread time; finding_row_work(): the work in a region. */
double finding_take(struct finding_evidence *e, struct finding_unit *u, enum loss loss,
		    double part);
double finding_take_row(struct finding_evidence *e, uint32_t row, enum loss loss);
double finding_take_part(struct finding_evidence *e, uint32_t row, enum loss loss, double part);
double finding_row_thread(const struct finding_evidence *e, uint32_t row, enum loss loss);
double finding_row_work(const struct finding_evidence *e, uint32_t row);

/* The function of a library that the program's own code called, and that the record is in; 0: none.
   Views that are not folded show what lies beneath it. */
uint32_t finding_called(const struct view *v, const struct view_record *r);

/* Sums of thread time by table_line_key(), of at most as many lines as initialized for. */
struct finding_lines {
	double all;
	uint64_t samples;
	/* private */
	struct map by_line;
	double *ns;
};
void finding_lines_init(struct finding_lines *l, size_t most);
void finding_lines_add(struct finding_lines *l, uint64_t line, double ns, uint64_t samples);
void finding_lines_fini(struct finding_lines *l);

/* Fills in the line with the most. */
void finding_lines_most(const struct finding_lines *l, struct finding *f);

/* Fills in the line with the most work of the region, if there are samples enough; of its
   construct (of a critical section: what is at its lines) and of the finding's thread, if they
   are not 0 and UINT32_MAX. */
void finding_hot_line(const struct finding_evidence *e, uint32_t row, uint32_t construct,
		      struct finding *f);

/* Fills in the runtime's function, called by the row's code, that has the most of its time that
   belongs to no construct, and the line of the call. */
void finding_runtime_call(const struct finding_evidence *e, uint32_t row, struct finding *f);

/* Sets the instructions of the finding's thread, in the construct of the view or (0) in all of the
   row. */
void finding_instructions(const struct finding_evidence *e, uint32_t row, uint32_t construct,
			  struct finding *f);

/* What a rule has found is taken out of the evidence, so that no loss is found twice: they
   are to be called in this order. */
void finding_rules_ranks(struct finding_evidence *e, struct finding_list *list);
void finding_rules_cpus(struct finding_evidence *e, struct finding_list *list);
void finding_rules_calls(struct finding_evidence *e, struct finding_list *list);
void finding_rules_forked(const struct view *v, struct finding_list *list);
void finding_rules_teams(struct finding_evidence *e, struct finding_list *list);
void finding_rules_tasks(struct finding_evidence *e, struct finding_list *list);
void finding_rules_regions(struct finding_evidence *e, struct finding_list *list);
void finding_rules_directives(struct finding_evidence *e, struct finding_list *list);
void finding_rules_barriers(struct finding_evidence *e, struct finding_list *list);
void finding_rules_waits(struct finding_evidence *e, struct finding_list *list);
void finding_rules_blocked(struct finding_evidence *e, struct finding_list *list);
void finding_rules_outside(struct finding_evidence *e, struct finding_list *list);
void finding_rules_rest(struct finding_evidence *e, struct finding_list *list);
void finding_rules_left(const struct finding_evidence *e, struct finding_list *list);
void finding_rules_memory(struct finding_evidence *e, struct finding_list *list);

#endif
