/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_event.h - linux/perf_event.h, with what the headers of older kernels lack.
 *
 * The structure is the kernel's interface: a kernel that does not know its last members takes it
 * where they are 0 (perf_event_open(2), E2BIG).
 */
#ifndef OMPHWC_PMU_PERF_EVENT_H
#define OMPHWC_PMU_PERF_EVENT_H

#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_SIG_DATA
#include <linux/perf_event.h>
#else
#define perf_event_attr perf_event_attr_of_headers
#include <linux/perf_event.h>
#undef perf_event_attr

struct perf_event_attr {
	__u32 type, size;
	__u64 config;
	union {
		__u64 sample_period, sample_freq;
	};
	__u64 sample_type, read_format;
	/* clang-format off */
	__u64 disabled : 1, inherit : 1, pinned : 1, exclusive : 1, exclude_user : 1,
		exclude_kernel : 1, exclude_hv : 1, exclude_idle : 1, mmap : 1, comm : 1, freq : 1,
		inherit_stat : 1, enable_on_exec : 1, task : 1, watermark : 1, precise_ip : 2,
		mmap_data : 1, sample_id_all : 1, exclude_host : 1, exclude_guest : 1,
		exclude_callchain_kernel : 1, exclude_callchain_user : 1, mmap2 : 1, comm_exec : 1,
		use_clockid : 1, context_switch : 1, write_backward : 1, namespaces : 1,
		ksymbol : 1, bpf_event : 1, aux_output : 1, cgroup : 1, text_poke : 1, build_id : 1,
		inherit_thread : 1, remove_on_exec : 1, sigtrap : 1, later : 26;
	/* clang-format on */
	union {
		__u32 wakeup_events, wakeup_watermark;
	};
	__u32 bp_type;
	union {
		__u64 bp_addr, config1;
	};
	union {
		__u64 bp_len, config2;
	};
	__u64 branch_sample_type, sample_regs_user;
	__u32 sample_stack_user;
	__s32 clockid;
	__u64 sample_regs_intr;
	__u32 aux_watermark;
	__u16 sample_max_stack, reserved_2;
	__u32 aux_sample_size, reserved_3;
	__u64 sig_data;
};

/* enum perf_sw_ids: Linux 5.13, as sig_data. */
#define PERF_COUNT_SW_CGROUP_SWITCHES 11
#endif

#endif
