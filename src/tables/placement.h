/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement.h - on which CPUs threads ran, and what is wrong with that.
 *
 * From profiles of format 1.5 on; older ones give tables without rows. A finding is made
 * only where the profile proves it.
 */
#ifndef OMPHWC_SRC_TABLES_PLACEMENT_H
#define OMPHWC_SRC_TABLES_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost;
struct model;
struct prof_file;

/* A thread on a CPU. */
struct placement_use {
	uint32_t thread; /* of the model */
	uint32_t cpu;
	struct cost *self; /* one for each event of the model */
};

/* A CPU of a host. */
struct placement_cpu {
	uint32_t process; /* of the model: the first of the host */
	uint32_t cpu;
	uint32_t nthreads;    /* threads with samples there */
	int64_t node, socket; /* -1: not known */
	struct cost *self;    /* one for each event of the model */
};

struct placement_thread {
	size_t first, nuses; /* its uses */
	uint64_t moves;	     /* how often a sample was on another CPU than the one before */
	bool schedule_known;
	uint64_t ran_ns;    /* by the kernel's scheduler */
	uint64_t waited_ns; /* it could have run, but another thread had the CPU */
	uint32_t home;	    /* private: the CPU on which it ran and for which it waited */
};

struct placement_process {
	uint32_t host;	/* the first process on the same host and boot */
	uint32_t ncpus; /* that it may use, by its affinity mask; 0: not known */
	bool crowded;	/* it had more OpenMP threads at a time than these */
	/* OpenMP threads that had nearly all samples on one CPU and waited for it, while no
	   process had samples on another CPU of the mask. */
	uint32_t sharers; /* 0: none */
	uint32_t shared_cpu, free_cpu;
	uint64_t sharers_ran_ns, sharers_waited_ns;
	/* All samples are on one socket, and the mask has another one; else -1. */
	int64_t socket, other_socket;
};

struct placement {
	struct placement_use *uses; /* by thread, then by descending weight */
	size_t nuses;
	struct placement_cpu *cpus; /* by host, then by number */
	size_t ncpus;
	struct placement_thread *threads;    /* of each thread of the model */
	struct placement_process *processes; /* of each process of the model */
	uint64_t ran_ns, waited_ns;	     /* of the threads of which both are known */
	size_t nscheduled;		     /* their number */
	/* private */
	struct cost *use_costs, *cpu_costs;
};

/* event: by which uses are sorted, and whose samples findings rest on. */
void placement_build(const struct model *m, size_t event, struct placement *p);
void placement_fini(struct placement *p);

/* The affinity mask as the profile has it: "0-3,8"; NULL: not known. */
const char *placement_mask(const struct prof_file *f);

/* The CPUs of the machine, as its nodes have them; 0: not known. */
uint32_t placement_machine_cpus(const struct prof_file *f);

/* The setting of the environment by which the runtime bound the process's threads; or NULL. */
const char *placement_binding(const struct prof_file *f);

/* Writes the CPUs of the process's mask on which no process of the host has samples, as a list.
   Returns their number. */
uint32_t placement_unused(const struct model *m, const struct placement *p, uint32_t process,
			  char *list, size_t bytes);

#endif
