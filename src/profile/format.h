/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - the layout of the profile file.
 *
 * There is one file per process.  The process maps it shared and keeps it valid at every
 * instant: whatever kills the process, a reader finds all data that was reachable at that
 * moment. doc/profile-format.md describes the format in prose; this header is
 * authoritative.
 *
 *   offset 0       struct prof_header (PROF_HEADER_BYTES)
 *   then           chunks, one after another, each a multiple of PROF_PAGE
 *                  bytes at a multiple of PROF_PAGE, each beginning with
 *                  struct prof_chunk
 *
 * Rules that hold at every instant:
 *  - a chunk is valid once its magic is stored, which is written last; where a
 *    chunk should begin, a page without the magic is skipped and the next page
 *    is examined;
 *  - an info record is valid once its kind is not PROF_INFO_PENDING;
 *  - a node is valid once its info word is not 0;
 *  - counts only grow.
 *
 * All numbers are in the byte order of the machine that wrote them.
 */
#ifndef OMPHWC_SRC_PROFILE_FORMAT_H
#define OMPHWC_SRC_PROFILE_FORMAT_H

#include <stdint.h>

#define PROF_MAGIC "OMPHWP\r\n"
#define PROF_MAGIC_UNRELEASED "OMPHWC\r\n" /* of what was written before version 1.0 */
#define PROF_VERSION_MAJOR 1u
#define PROF_VERSION_MINOR 0u
#define PROF_VERSION (PROF_VERSION_MAJOR << 16 | PROF_VERSION_MINOR)
#define PROF_BYTE_ORDER 0x01020304u

enum {
	PROF_HEADER_BYTES = 4096,
	PROF_PAGE = 4096,
	PROF_GRANULE = 32, /* a node's size; node N lies at byte N * 32 */
	PROF_EVENTS_MAX = 16,
	PROF_LOST_MAX = 16,
};

/* What the process was doing when the header was last written. */
enum prof_run {
	PROF_RUN_RUNNING = 1,	     /* running, or killed before an end was written */
	PROF_RUN_EXITED = 2,	     /* the process ended in an orderly way */
	PROF_RUN_EXECED = 3,	     /* the process executed another program */
	PROF_RUN_EXITED_AT_ONCE = 4, /* by _exit, _Exit or quick_exit */
	PROF_RUN_UNPROFILED = 5,     /* profiling could not begin, a note says why; the process
				    ran unprofiled */
	PROF_RUNS
};

/* The unit of an event's counts. */
enum prof_unit {
	PROF_UNIT_EVENTS = 0,
	PROF_UNIT_NS = 1,
};

enum prof_event_flag {
	PROF_EVENT_SUBSTITUTED = 1 << 0, /* replaces the requested event: see requested */
	PROF_EVENT_WALL = 1 << 1,	 /* a CLOCK_MONOTONIC timer, no perf event */
	PROF_EVENT_USER_ONLY = 1 << 2,	 /* kernel mode is not counted */
	PROF_EVENT_COUNT_ONLY = 1 << 3,	 /* counted (COUNT nodes), never sampled */
};

struct prof_event {
	char label[48];	    /* the event's name in reports */
	char requested[48]; /* as the user named it */
	uint32_t type;	    /* perf_event_attr.type */
	uint32_t flags;	    /* enum prof_event_flag */
	uint64_t config;
	uint64_t period;  /* events per sample; 0: frequency mode */
	uint32_t freq_hz; /* samples per second requested; 0: period mode */
	uint32_t unit;	  /* enum prof_unit */
};

/*
 * The identity of the process that owns a file.  Another process that wants the same file
 * name decides by it.  Texts are hashed (FNV-1a, 64 bits); 0 stands for unknown or absent.
 */
struct prof_owner {
	uint64_t host;	       /* host name; 0 for names that many machines share */
	uint64_t boot;	       /* the kernel's boot id */
	uint64_t space;	       /* inode numbers of the PID and time namespaces */
	uint64_t start;	       /* start time of the process: field 22 of /proc/PID/stat */
	uint64_t job;	       /* the batch system's job id */
	uint64_t run;	       /* the run of ompcount */
	uint64_t rank;	       /* MPI */
	uint64_t leader;       /* process id of that ompcount */
	uint64_t leader_start; /* its start time, as in start */
};

/* Why the file could not grow. */
enum prof_refused {
	PROF_REFUSED_NOT = 0,
	PROF_REFUSED_DISK = 1, /* disk full */
	PROF_REFUSED_QUOTA = 2,
	PROF_REFUSED_FSIZE = 3,	  /* RLIMIT_FSIZE, or the file system's maximum file size */
	PROF_REFUSED_LIMIT = 4,	  /* the maximum profile size */
	PROF_REFUSED_MEMORY = 5,  /* no address space, or a limit on locked memory */
	PROF_REFUSED_DAMAGED = 6, /* the file was truncated, removed or overwritten */
	PROF_REFUSED_OTHER = 7,	  /* see refused_errno */
	PROF_REFUSALS
};

/* One reading of both clocks. */
struct prof_reading {
	uint64_t monotonic_ns; /* CLOCK_MONOTONIC */
	uint64_t ticks;	       /* the cycle clock at that time */
};

struct prof_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint32_t header_bytes;
	uint32_t granule_bytes;
	uint64_t features;   /* enum prof_feature: what a reader must know */
	uint64_t used_bytes; /* atomic: end of the last allotted chunk */
	uint32_t machine;    /* e_machine of the process */
	uint32_t nevents;
	uint32_t pid;
	uint32_t ppid;
	uint32_t run;	   /* enum prof_run, atomic */
	uint32_t nthreads; /* atomic: number of allotted thread records */
	uint64_t start_realtime_ns;
	uint64_t start_monotonic_ns;
	uint64_t end_monotonic_ns;    /* 0 until the end */
	uint64_t ticks_start;	      /* cycle clock at start_monotonic_ns */
	uint64_t ticks_end;	      /* cycle clock at end_monotonic_ns */
	uint64_t lost[PROF_LOST_MAX]; /* samples lost without a thread record */
	struct prof_owner owner;
	uint32_t refused;	/* enum prof_refused, the last one */
	uint32_t refused_errno; /* errno in the numbering of the writer's machine */
	uint64_t unreported;	/* bit N: OMPT callback number N (ompt_callbacks_t) was
				   requested, but the runtime does not always make it */
	uint64_t pauses;	/* how often the program paused or ended the sampling
				   (omp_control_tool), or that of a thread (ptrace); also the
				   end at sampled_until_ns */
	/* Readings of the clocks while the process runs, about one a millisecond with samples
	   or ends of regions.  The last one is latest[(nlatest - 1) % 2]: the other
	   one is being written. */
	struct prof_reading latest[2];
	uint64_t nlatest; /* atomic, stored last; 0: none */
	/* Threads, also those that are over.  All 0: not known */
	uint64_t threads_begun[4]; /* by enum prof_thread_kind */
	uint64_t threads_shared;   /* of them, those that went on in the record of one that had
				      ended */
	uint64_t initial_ns;	   /* the sum of the lifetimes of initial threads that ended */
	uint32_t threads_most;	   /* the most that lived at one time */
	uint32_t openmp_most; /* the most that OpenMP needed at one time: initial threads, and the
				 others of live regions' teams; 0: no team was reported */
	/* CLOCK_MONOTONIC.  Where sampling was to begin late: when it did, or will; where it was to
	   end early: when it did.  0: it was not, or has not */
	uint64_t sampled_from_ns;
	uint64_t sampled_until_ns;
	uint64_t reserved[6];
	struct prof_event events[PROF_EVENTS_MAX];
};

/* A reader that does not know one of these would misread the file. */
enum prof_feature {
	PROF_FEATURE_MERGED = 1 << 0, /* of many processes: chunks RANKS and TREE */
};

/* Why a sample that was taken is not in the tree. */
enum prof_lost {
	PROF_LOST_NO_ROOM = 0,	 /* the file could not grow (full disk, limit) */
	PROF_LOST_REENTRY = 1,	 /* the handler interrupted itself */
	PROF_LOST_NO_THREAD = 2, /* the thread could not get a record */
	PROF_LOST_THROTTLED = 3, /* number of times the kernel throttled an event */
	PROF_LOST_OVERRUN = 4,	 /* timer expirations while one was still pending */
	PROF_LOST_PAUSED = 5,	 /* never counted; the number stays reserved */
	PROF_LOST_OWN = 6,	 /* samples of the handler itself (sigtrap) or of the tool's
				   own memory */
	PROF_LOST_ENTRIES = 7,	 /* not a sample: an entry into a construct that did not fit
				   into the file */
	/* Not samples: what was nested so deep that there was no memory for it */
	PROF_LOST_REGIONS = 8,	  /* regions, which are not counted */
	PROF_LOST_CONSTRUCTS = 9, /* worksharing constructs, which are not counted, and undeferred
				     tasks, whose frames may be their creators' */
	PROF_LOST_PLACES = 10,	  /* with counts: regions and tasks, counted as what was around
				     them */
	PROF_LOST_RECORDS = 11,	  /* not lost: samples of which only the signal is known, since
				     the kernel's record of them had no room */
	PROF_LOST_CAUSES = 12,
};

/* ---- chunks ---------------------------------------------------------- */

#define PROF_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */

enum prof_chunk_kind {
	PROF_CHUNK_INFO = 1,	 /* struct prof_info records */
	PROF_CHUNK_NODES = 2,	 /* struct prof_node, owned by one thread */
	PROF_CHUNK_NAMES = 3,	 /* struct prof_names; appended by ompcount */
	PROF_CHUNK_TRACE = 5,	 /* struct prof_trace, of one thread */
	PROF_CHUNK_TIMELINE = 4, /* struct prof_timeline, of one thread */
	/* In merged files only: struct prof_packed, and what doc/profile-format.md describes */
	PROF_CHUNK_RANKS = 6, /* some processes, and what their threads counted; when */
	PROF_CHUNK_TREE = 7,  /* the nodes of many processes; owner: its number */
};

struct prof_chunk {
	uint32_t magic; /* atomic, stored last */
	uint32_t kind;
	uint64_t offset; /* file offset of this chunk: confirms the magic */
	uint64_t size_bytes;
	uint32_t owner; /* NODES, TIMELINE, TRACE: thread index; TREE, and NAMES of a merged file:
			   number of the tree */
	uint32_t reserved;
};

/*
 * The names and lines of the profile's locations: see doc/profile-format.md.  ompcount appends
 * such a chunk behind all others when the process has ended.  The last valid one counts.
 */
struct prof_names {
	uint64_t hash;	/* of the payload (FNV-1a) */
	uint64_t bytes; /* of the payload, which follows */
	uint32_t version;
	uint32_t reserved;
};

enum { PROF_NAMES_VERSION = 1 };

/* The beginning of a RANKS or TREE chunk's contents. */
struct prof_packed {
	uint64_t hash;	/* of the payload: prof_packed_hash() */
	uint64_t bytes; /* of the payload, which follows */
	uint32_t version;
	uint32_t reserved;
};

enum { PROF_PACKED_VERSION = 1 };

/* ---- timelines -------------------------------------------------------- */

/*
 * When a thread's samples were taken.  Two areas of `cells` cells follow; `now` says which of
 * them is valid and what it holds.  Time is divided into buckets of 2^shift ticks from
 * origin_ticks on.  A bucket's cells are neighbours, and buckets ascend.
 */
struct prof_timeline {
	uint64_t now; /* atomic: PROF_TIMELINE_NOW(), stored last */
	uint64_t origin_ticks;
	uint32_t cells; /* room of each area */
	uint32_t reserved;
	uint64_t reserved2;
};

/* The samples of one bucket whose leaves lie beneath a node and have that event and state. */
struct prof_cell {
	uint32_t node;
	uint32_t bucket;
	uint64_t weight;
	uint64_t samples; /* << 16 | PROF_CELL_KEY() */
};

enum { PROF_CELL_SAMPLES_SHIFT = 16, PROF_CELLS_MOST = 1 << 16, PROF_TIMELINE_SHIFT_MOST = 63 };

/* state: enum prof_state, with PROF_ASLEEP or PROF_READY */
#define PROF_CELL_KEY(event, state) ((uint32_t)(event) << 8 | (uint32_t)(state))
#define PROF_TIMELINE_NOW(area, shift, n) \
	((uint64_t)(n) << 32 | (uint64_t)(shift) << 1 | (uint64_t)(area))

/* ---- traces ----------------------------------------------------------- */

/* A ring of the thread's last events: event number n (from 0) is record n % records, which
   follow.  When there were more than that, the oldest one may be half overwritten. */
struct prof_trace {
	uint64_t next;	  /* atomic: events so far, stored last */
	uint32_t records; /* room: a power of two */
	uint32_t reserved;
	uint64_t reserved2[2];
};

enum prof_trace_kind {
	PROF_TRACE_FORK = 1,   /* the thread begins a region */
	PROF_TRACE_JOIN = 2,   /* and ends it */
	PROF_TRACE_ENTER = 3,  /* it begins an implicit task */
	PROF_TRACE_LEAVE = 4,  /* and ends it, as far as the runtime reports */
	PROF_TRACE_TASK = 5,   /* it begins to run an explicit task */
	PROF_TRACE_RESUME = 6, /* it goes on with another task, or an implicit one */
	PROF_TRACE_WAIT = 7,   /* it waits for other threads or tasks: state says why */
	PROF_TRACE_WAITED = 8,
	PROF_TRACE_ACQUIRE = 9, /* it asks for a mutex: state shows its kind */
	PROF_TRACE_ACQUIRED = 10,
	PROF_TRACE_CONSTRUCT = 11, /* it begins a worksharing or masked construct */
	PROF_TRACE_CONSTRUCT_END = 12,
	PROF_TRACE_KINDS
};

struct prof_traced {
	uint64_t ticks;
	uint32_t context; /* node of the region's or task's creation context, or of the construct;
			     0: unknown */
	uint8_t kind;	  /* enum prof_trace_kind */
	uint8_t state;	  /* enum prof_state */
	uint16_t reserved;
};

/* ---- info records ---------------------------------------------------- */

enum prof_info_kind {
	PROF_INFO_PENDING = 0, /* allotted but incomplete: skip */
	PROF_INFO_ARGV = 1,    /* arguments, each ended by NUL */
	PROF_INFO_EXE = 2,     /* path of the executable, text */
	PROF_INFO_HOST = 3,    /* text */
	PROF_INFO_CWD = 4,     /* text */
	PROF_INFO_RUNTIME = 5, /* text: OpenMP runtime and version */
	PROF_INFO_ENV = 6,     /* NAME=VALUE, one record each */
	PROF_INFO_RANK = 7,    /* text: decimal MPI rank */
	PROF_INFO_JOB = 8,     /* text: the batch system's job id; of all tasks of an array */
	PROF_INFO_NOTE = 9,    /* text: a message that the report must show */
	PROF_INFO_RUN_ID = 10, /* text: identifies one run of ompcount */
	PROF_INFO_BOOT = 11,   /* text: the kernel's boot id; kernel addresses are valid for
				   it only */
	PROF_INFO_MODULE = 16, /* struct prof_module */
	PROF_INFO_THREAD = 17, /* struct prof_thread, updated in place */
			       /* 18 is reserved: it was never written */

	PROF_INFO_CPUS = 32,	 /* text: the CPUs that the process may use, as at its start:
				    "0-3,8"; absent: not known */
	PROF_INFO_TOPOLOGY = 33, /* text: "node 0 0-7", "socket 0 0-15", one record each */

	/* What launcher and batch system reported (src/profile/launch.h).  Numbers are decimal, and
	   absent where they were not given */
	PROF_INFO_LAUNCHER = 34,   /* text: who gave the rank: "slurm", "openmpi" … */
	PROF_INFO_SIZE = 35,	   /* text: number of ranks */
	PROF_INFO_LOCAL_RANK = 36, /* text: rank on this node */
	PROF_INFO_NODE = 37,	   /* text: number of the node among those of the launch */
	PROF_INFO_ARRAY_TASK = 38, /* text: task of a job array */
	PROF_INFO_STEP = 39,	   /* text: one launch of the job, the same for all its ranks */

	/* Who had the CPUs.  The last two are written at the end only */
	PROF_INFO_WORKER_CPUS = 40, /* text, as CPUS: those of the first worker, where no setting
				       binds threads and they are others than at the start */
	PROF_INFO_QUOTA = 41,	    /* text: "QUOTA PERIOD", microseconds, of the control group */
	PROF_INFO_THROTTLED = 42,   /* text: "NS PERIODS THROTTLED": of the control group */
	PROF_INFO_USAGE = 43,	    /* text: "USER SYSTEM MINOR MAJOR RESIDENT VOLUNTARY
				       INVOLUNTARY": the process's CPU time in nanoseconds, its
				       page faults, the most KiB that were resident, and how
				       often its threads gave up or lost a CPU */

	PROF_INFO_MARK = 44,  /* text: "NS WHAT THREAD NAME", one record each: since the process's
				start; 0: a mark, 1: a phase begins, 2: ends; the kernel's number of
				the thread.  Of the first 4,096 of a process */
	PROF_INFO_PHASE = 45, /* text: the name of a phase, one record each */
	PROF_INFO_DESCRIPTOR = 46, /* text: what an instrumentor wrote of a construct in the
				      program (POMP2's "ctc string"), one record each; also of
				      those that never ran */
};

/* Records follow their chunk's header, each at a multiple of 8 bytes. */
struct prof_info {
	uint32_t bytes; /* size of this header and the payload, a multiple of 8; 0: end */
	uint32_t kind;	/* atomic, stored last */
			/* payload */
};

struct prof_module {
	uint32_t id;		 /* from 1; 0 means no module */
	uint32_t build_id_bytes; /* 0: unknown */
	uint8_t build_id[32];
	uint64_t map_start; /* its address range when first seen */
	uint64_t map_end;
	uint64_t bias; /* run-time address - ELF address */
	uint32_t path_bytes;
	uint32_t flags; /* enum prof_module_flag */
			/* followed by the path, without a NUL */
};

enum prof_module_flag {
	PROF_MODULE_MAIN = 1 << 0,    /* the executable */
	PROF_MODULE_RUNTIME = 1 << 1, /* the OpenMP runtime */
	PROF_MODULE_TOOL = 1 << 2,    /* this profiler */
	PROF_MODULE_VDSO = 1 << 3,
	PROF_MODULE_MIXED = 1 << 4, /* the executable, which has the OpenMP runtime in it: the names
				       of functions say which code is its. */
	PROF_MODULE_UNUSED = 1 << 5, /* could have reported for a runtime, and has another interface
					than the profiler */
};

enum prof_thread_kind {
	PROF_THREAD_UNKNOWN = 0, /* unknown to OpenMP */
	PROF_THREAD_INITIAL = 1,
	PROF_THREAD_WORKER = 2,
	PROF_THREAD_OTHER = 3,
	PROF_THREAD_KINDS = 4
};

struct prof_value {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

enum { PROF_VALUES_MISSING = 16 };

struct prof_thread {
	uint32_t index; /* from 0, dense */
	uint32_t tid;
	uint32_t kind;	       /* enum prof_thread_kind, may change once */
	uint32_t values_known; /* bit N: values[N] was read at the thread's end; bit N +
				  PROF_VALUES_MISSING: event N had no counter for some or all of
				  the thread's time */
	uint64_t start_ns;     /* CLOCK_MONOTONIC */
	uint64_t end_ns;       /* 0: still running, or killed */
	uint64_t lost[PROF_LOST_MAX];
	uint64_t samples[PROF_EVENTS_MAX]; /* handler calls, including lost samples */
	struct prof_value values[PROF_EVENTS_MAX];
};

/* ---- nodes: the calling-context trees -------------------------------- */

/*
 * The info word is kind | event << 8 | state << 16 | flags << 24. parent is a node number
 * (byte offset / PROF_GRANULE), and 0 only for a root.  left, right and child are the
 * writer's index of children; a reader needs parent only.
 */
enum prof_node_kind {
	PROF_NODE_ROOT = 1,	 /* value: thread index */
	PROF_NODE_FRAME = 2,	 /* value: a location, PROF_LOC_*; flags: prof_frame_flag */
	PROF_NODE_BOUNDARY = 3,	 /* value: node number of the creation context (0: unknown);
				   flags: prof_boundary_kind; event (low byte) and state: the
				   threads of the current team.  Nodes above it
				   (nearer the leaf) belong to a region or task that was
				   created there */
	PROF_NODE_OBJECT = 4,	 /* value: wait_id; flags: prof_object_kind */
	PROF_NODE_LEAF = 5,	 /* samples, weight; event, state with PROF_STATE_MARKS; flags:
				    prof_cause */
	PROF_NODE_STATS = 6,	 /* two numbers; flags: prof_stats_kind */
	PROF_NODE_CONSTRUCT = 7, /* value: location after the call that began the construct;
				    flags: prof_construct_kind.  Lies above the frames (or
				    directly above a boundary) and below OBJECT and LEAF: the
				    construct that the thread was in */
	PROF_NODE_DATA = 8,	 /* value: the data's address or location, rounded down
				   (PROF_DATA_*_BYTES); flags: prof_data_kind; event:
				   prof_data_source.  Lies directly above the frames (or a
				   boundary): the data that the samples accessed */
	PROF_NODE_COUNT = 9,	 /* two numbers; event; state: prof_part; flags:
				   prof_count_field.  An exact counter value of that thread */
	PROF_NODE_BLOCK = 10,	 /* replaces DATA for a heap block; value: node number of the
				   context that allocated it; event: prof_data_source */
	PROF_NODE_CPU = 11,	 /* samples, weight of the thread on one CPU; event; state (low
				   byte) and flags: the CPU's number.  Directly above a root */
	PROF_NODE_BODY = 12,	 /* value: the location where the code of what is created
				   begins.  Directly beneath the innermost frame of a creation
				   context, and above that frame's callers */
	PROF_NODE_PHASE = 13,	 /* value: PROF_PHASE_HASH() of its name, see PROF_INFO_PHASE;
				   flags: prof_phase_flag.  Beneath a root, or the phase around it;
				   above it, what was sampled in it */

	PROF_NODE_DESCRIPTOR = 14, /* value: PROF_PHASE_HASH() of a PROF_INFO_DESCRIPTOR.
				      Directly beneath a root; beneath it are STATS */
};

enum prof_phase_flag {
	PROF_PHASE_THREAD = 1 << 0, /* begun by another thread than the initial one, and of that
				       thread alone */
};

/* From FNV-1a, 64 bits, of the name: a location without a module; never 0. */
#define PROF_PHASE_HASH(fnv) (((fnv) & ((UINT64_C(1) << PROF_LOC_ADDRESS_BITS) - 1)) | 1)

enum prof_object_kind {
	PROF_OBJECT_ADDRESS = 0,
	PROF_OBJECT_LOCATION = 1, /* PROF_LOC_*: it lies in a module */
	PROF_OBJECT_MADE = 2,	  /* PROF_LOC_*: after the call that initialized the lock */
};

/* The kind of memory that an address lies in. */
enum prof_data_kind {
	PROF_DATA_OTHER = 1,  /* mapped memory: large blocks, files, other threads' stacks */
	PROF_DATA_STACK = 2,  /* the thread's own stack; value: 0 */
	PROF_DATA_GLOBAL = 3, /* a module's data; value: a location */
	PROF_DATA_HEAP = 4,   /* the brk(2) heap; value: 0 */
	PROF_DATA_KERNEL = 5, /* value: 0 */
};

/* Addresses are rounded down, more coarsely the more different addresses a thread has met: to
   a cache line, then a page, then 2 MiB.  OTHER memory starts with pages. */
enum {
	PROF_DATA_FINE_BYTES = 64,
	PROF_DATA_PAGE_BYTES = 4096,
	PROF_DATA_COARSE_BYTES = 2 << 20,
};

/* The level of the memory hierarchy that supplied the data. */
enum prof_data_source {
	PROF_SOURCE_UNKNOWN = 0, /* not reported by the event */
	PROF_SOURCE_L1 = 1,
	PROF_SOURCE_FILL_BUFFER = 2, /* already being loaded into L1 */
	PROF_SOURCE_L2 = 3,
	PROF_SOURCE_L3 = 4,
	PROF_SOURCE_RAM = 5,
	PROF_SOURCE_REMOTE_CACHE = 6, /* of another node or socket */
	PROF_SOURCE_REMOTE_RAM = 7,
	PROF_SOURCE_UNCACHED = 8, /* I/O or uncached memory */
	PROF_SOURCES
};

enum prof_frame_flag {
	PROF_FRAME_RUNTIME = 1 << 0, /* code of the OpenMP runtime */
	PROF_FRAME_EXACT = 1 << 1,   /* value is the PC itself; otherwise a return address,
					and the call lies before it */
	PROF_FRAME_TOOL = 1 << 2,    /* code of this profiler */
	PROF_FRAME_GUESSED = 1 << 3, /* code without unwind rules: its caller was guessed */
	PROF_FRAME_MIXED = 1 << 4,   /* never in files: code of a PROF_MODULE_MIXED */
};

enum prof_boundary_kind {
	PROF_BOUNDARY_REGION = 1,
	PROF_BOUNDARY_TASK = 2,
};

/*
 * A STATS node is a descendant of a BOUNDARY node that lies directly below the root of the
 * thread that counted.  It describes the creation context of that boundary; the boundary's
 * kind says whether as a region or as a task.  a and b are sums.
 */
enum prof_stats_kind {
	PROF_STATS_REGION = 1,	  /* a: entries, b: ticks from begin to end */
	PROF_STATS_TEAM = 2,	  /* a: least << 32 | most threads of a team, b: sum over entries */
	PROF_STATS_TASK = 3,	  /* a: tasks that this thread created */
	PROF_STATS_TASK_RUN = 4,  /* a: tasks whose execution this thread began, b: those of
				    them that another thread created */
	PROF_STATS_CONSTRUCT = 5, /* beneath a CONSTRUCT node beneath the BOUNDARY; a: entries
				     of this thread, b: ticks inside */
	PROF_STATS_LATENCY = 6,	  /* beneath a DATA or BLOCK node; a: samples with a measured
				   access cost, b: the sum of these in cycles */
	PROF_STATS_TASK_TIME = 7, /* a: ticks that this thread spent in task bodies, without
				     other tasks that it ran meanwhile; b: tasks that this
				     thread discarded before they began, because they were
				     cancelled */
	PROF_STATS_COUNT = 8,	  /* beside STATS_CONSTRUCT, for loops and sections: number of
				   iterations or sections; a: least << 32 | most (each at most
				   UINT32_MAX), b: sum over entries */
	PROF_STATS_ALLOC = 9,	  /* beneath the context that a BLOCK node names; a: blocks
				   allocated there, b: their bytes */
	PROF_STATS_END = 10,	  /* beside STATS_CONSTRUCT, for synchronization constructs; a:
				   entries whose end was reported (the ticks of
				   STATS_CONSTRUCT are of these only); b: ticks of the
				   longest */
	PROF_STATS_OBJECT = 11,	  /* beside STATS_CONSTRUCT, for locks; a: the lowest location
				   of a lock that was used there, b: the highest */
	PROF_STATS_TEAM_TIME = 12, /* beside STATS_TEAM; a: where its teams had several sizes, the
				      sum over entries of ticks * threads; else 0.
				      b: PROF_OPEN() of the region that the thread is in now; 0:
				      none */
	/* 13 and 14: below; 15 is reserved */
	PROF_STATS_BLAME = 16, /* beside a LEAF, or beneath an OBJECT node beside it; event and
				     state: those of the samples, and of the threads that waited
				     meanwhile for what the sampled thread did; a: the sum over
				     the samples of weight times the threads, divided among those
				     waited for; b: samples.  Beneath OBJECT: the mutex, or the
				     call that took it */

	/* Directly above a root, of the whole thread */
	PROF_STATS_MOVES = 13,	  /* a: samples on another CPU than the sample before */
	PROF_STATS_SCHEDULE = 14, /* a: ns that the thread ran, b: ns that it could have run but
				     waited for a CPU; both 0: not known */

	/* Beside STATS_REGION: its longest entry by this thread */
	PROF_STATS_LONGEST = 17,       /* a: ticks, b: ticks from the header's ticks_start to its
					  begin */
	PROF_STATS_LONGEST_ENTRY = 18, /* a: its number among this thread's entries, from 1;
					  b: threads of its team, 0: not known */

	/* Beside STATS_REGION; a: entries whose team had fewer threads than were asked for, b: the
	   sum of the threads that these asked for */
	PROF_STATS_ASKED = 19,

	/* Beside STATS_REGION; a: entries whose team had another number of threads, two at least,
	   than the team before that this thread began */
	PROF_STATS_RESIZED = 20,

	/* Beneath a PHASE node; a: how often this thread began it (low 32 bits) and how often that
	   ended (high ones), b: ticks from begins to ends */
	PROF_STATS_PHASE = 21,

	/* Beside STATS_CONSTRUCT, of a target construct; event: the device's number, 255: another;
	   state: prof_device_op.  a: operations; b: bytes, of KERNEL the teams asked for */
	PROF_STATS_DEVICE = 24,
	/* The same; a: ticks from begins to ends as the thread saw them, b: ns on the device, as
	   that reports */
	PROF_STATS_DEVICE_TIME = 25,

	/* Beside STATS_TASK; sets of enum prof_task_flag, a: what some of the tasks that this
	   thread created are, b: what some of them are not, as far as that is known.  Absent where
	   all are nothing but explicit.  DETACHED may also be from the thread that found it out */
	PROF_STATS_TASK_FLAGS = 26,

	/* Beneath two BOUNDARY nodes, of the task that depends (below the root) and of the one that
	   it depends on; event: prof_dependence of the latter << 4 | of the former.  a: variables
	   and pairs of tasks */
	PROF_STATS_DEPENDENCE = 27,
	/* Beside STATS_CONSTRUCT, for loops whose runtime reports what it gives a thread; a: chunks
	   that this thread began, b: their iterations */
	PROF_STATS_CHUNKS = 29,
	/* Beside it; a: least << 32 | most of a chunk (each at most UINT32_MAX), b: ticks of the
	   longest, to the next one or the construct's end */
	PROF_STATS_CHUNK = 30,
	/* Directly above a root; a: ticks of the longest path through the process's tasks that had
	   ended when this thread last switched tasks, b: ticks of this thread in tasks */
	PROF_STATS_PATH = 28,
	/* Beneath a DESCRIPTOR node: what this thread did in the construct; a: how often it began
	   that, b: ticks from begins to ends */
	PROF_STATS_WHOLE = 32,	 /* from its entry, or fork, to its exit, or join */
	PROF_STATS_BODY = 33,	 /* its body: of a region and a task by who executes it */
	PROF_STATS_BARRIER = 34, /* the barrier at its end */
};

/* What a device is asked for.  The values but for KERNEL and MAP are those of OMPT's
   ompt_target_data_op_t (OpenMP 5.2, section 19.4.4.15; 6.0), of asynchronous forms, too. */
enum prof_device_op {
	PROF_DEVICE_ALLOC = 1,
	PROF_DEVICE_TO = 2,   /* from the host to a device */
	PROF_DEVICE_FROM = 3, /* from a device to the host, or to another device */
	PROF_DEVICE_DELETE = 4,
	PROF_DEVICE_ASSOCIATE = 5,
	PROF_DEVICE_DISASSOCIATE = 6,
	PROF_DEVICE_TRANSFER = 7, /* between any two */
	PROF_DEVICE_MEMSET = 8,
	PROF_DEVICE_TRANSFER_RECT = 9,
	PROF_DEVICE_KERNEL = 14,
	PROF_DEVICE_MAP = 15, /* variables that a construct maps; b: their bytes */
};
enum { PROF_DEVICE_OTHER = 255 }; /* in the place of a device's number */

/* How a task names a variable.  The values are those of OMPT's ompt_dependence_type_t (OpenMP
   6.0). */
enum prof_dependence {
	PROF_DEPENDENCE_IN = 1,
	PROF_DEPENDENCE_OUT = 2,
	PROF_DEPENDENCE_INOUT = 3,
	PROF_DEPENDENCE_MUTEXINOUTSET = 4,
	PROF_DEPENDENCE_INOUTSET = 7,
	PROF_DEPENDENCE_ALL_MEMORY = 8, /* on all that its siblings name; OMPT: 34 and 35 */
	PROF_DEPENDENCE_KINDS = 9,
};

/* What a task is.  The values are those of OMPT's ompt_task_flag_t where it has one (OpenMP
   6.0). */
enum prof_task_flag {
	PROF_TASK_EXPLICIT = 1 << 2, /* all are, when they are created */
	PROF_TASK_TARGET = 1 << 3,
	PROF_TASK_DEPEND = 1 << 8, /* it has dependences */
	PROF_TASK_PRIORITY = 1 << 9,
	PROF_TASK_DETACHED = 1 << 10, /* it has an event to be fulfilled */
	PROF_TASK_TASKLOOP = 1 << 11, /* said once of all tasks of a taskloop */
	PROF_TASK_IMPORTING = 1 << 25,
	PROF_TASK_EXPORTING = 1 << 26,
	PROF_TASK_UNDEFERRED = 1 << 27,
	PROF_TASK_UNTIED = 1 << 28,
	PROF_TASK_FINAL = 1 << 29,
	PROF_TASK_MERGEABLE = 1 << 30,
#define PROF_TASK_MERGED (UINT32_C(1) << 31)
};

/*
 * A region that has begun and not ended, in a word: when it began, in units of 16 ticks, modulo
 * 2^48 (at 5 GHz ten days); and its team's threads (0: not known yet; 65535: so many or more).
 */
enum {
	PROF_OPEN_TICKS_SHIFT = 4,
	PROF_OPEN_TEAM_BITS = 16,
	PROF_OPEN_TEAM_MOST = 0xffff,
};
#define PROF_OPEN(ticks) ((uint64_t)(ticks) >> PROF_OPEN_TICKS_SHIFT << PROF_OPEN_TEAM_BITS)
/* Another one of the same context began before it had ended: nothing is known of either. */
#define PROF_OPEN_LOST UINT64_MAX
/* How many ticks it has lasted, to less than 16. */
#define PROF_OPEN_TICKS(open, now) \
	((PROF_OPEN(now) - ((open) & ~(uint64_t)PROF_OPEN_TEAM_MOST)) >> \
	 PROF_OPEN_TEAM_BITS << PROF_OPEN_TICKS_SHIFT)

/*
 * A COUNT node is a descendant of a BOUNDARY node directly below the root of the counted
 * thread (for regions of that creation context), or of the root itself (outside regions).
 * Each event and part has two of them.
 */
enum prof_count_field {
	PROF_COUNT_VALUE = 1, /* a: value, b: enabled_ns */
	PROF_COUNT_TIME = 2,  /* a: running_ns, b: elapsed ticks */
};

/* The activity that a thread's counts are assigned to. */
enum prof_part {
	PROF_PART_MIXED = 0, /* several activities, not read separately */
	PROF_PART_WORK = 1,  /* the implicit task, without the activities below */
	PROF_PART_WAIT = 2,  /* barriers, taskwait, taskgroup */
	PROF_PART_TASK = 3,  /* explicit tasks executed by the thread */
	PROF_PART_IDLE = 4,  /* from the wait at a region's end to the next region:
				   runtimes do not report when the region ended */
	PROF_PARTS
};

/* Worksharing and other constructs that a thread enters and leaves.  The values are those of
   OMPT's ompt_work_t where it has one (OpenMP 5.2, section 19.4.4.16). */
enum prof_construct_kind {
	PROF_CONSTRUCT_LOOP = 1, /* schedule unknown */
	PROF_CONSTRUCT_SECTIONS = 2,
	PROF_CONSTRUCT_SINGLE = 3,	 /* the thread that executes it */
	PROF_CONSTRUCT_SINGLE_OTHER = 4, /* a thread that does not execute it */
	PROF_CONSTRUCT_WORKSHARE = 5,
	PROF_CONSTRUCT_DISTRIBUTE = 6,
	PROF_CONSTRUCT_TASKLOOP = 7,
	PROF_CONSTRUCT_SCOPE = 8,
	PROF_CONSTRUCT_WORKDISTRIBUTE = 9,
	PROF_CONSTRUCT_LOOP_STATIC = 10,
	PROF_CONSTRUCT_LOOP_DYNAMIC = 11,
	PROF_CONSTRUCT_LOOP_GUIDED = 12,
	PROF_CONSTRUCT_LOOP_OTHER = 13,
	PROF_CONSTRUCT_WORK_OTHER = 31, /* worksharing of a kind that only the runtime knows */
	PROF_CONSTRUCT_MASKED = 32,	/* master or masked */
	/* Synchronization constructs: never beneath samples, only beneath STATS */
	PROF_CONSTRUCT_CRITICAL = 33, /* from its lock's acquisition to its release */
	PROF_CONSTRUCT_ORDERED = 34,
	PROF_CONSTRUCT_ATOMIC = 35,	 /* only one that takes a lock of the runtime */
	PROF_CONSTRUCT_LOCK = 36,	 /* from a successful set or test to the unset */
	PROF_CONSTRUCT_BARRIER = 37,	 /* explicit */
	PROF_CONSTRUCT_BARRIER_ANY = 38, /* the runtime does not report the kind */
	PROF_CONSTRUCT_TASKWAIT = 39,
	PROF_CONSTRUCT_TASKGROUP = 40,
	/* What is offloaded, where the runtime reports it, from its begin to its end on the host */
	PROF_CONSTRUCT_TARGET = 48,
	PROF_CONSTRUCT_TARGET_ENTER_DATA = 49, /* also where target data begins */
	PROF_CONSTRUCT_TARGET_EXIT_DATA = 50,  /* also where target data ends */
	PROF_CONSTRUCT_TARGET_UPDATE = 51,
	PROF_CONSTRUCT_TARGET_CALL = 52, /* a call of omp_target_memcpy() or the like */
};

/* Why a sample's stack is incomplete; 0: it is complete. */
enum prof_cause {
	PROF_CAUSE_NONE = 0,
	PROF_CAUSE_NO_RULES = 1, /* no unwind rules for a PC, no frame pointer */
	PROF_CAUSE_BOUNDS = 2,	 /* a read outside the thread's stack was refused */
	PROF_CAUSE_DEPTH = 3,	 /* deeper than the maximum depth */
	PROF_CAUSE_CONTEXT = 4,	 /* region or task without a creation context */
};

/* The thread's state when the sample was taken: OMPT's states, simplified. */
enum prof_state {
	PROF_STATE_NO_OPENMP = 0, /* a thread or process without OpenMP */
	PROF_STATE_SERIAL = 1,
	PROF_STATE_PARALLEL = 2,
	PROF_STATE_REDUCTION = 3,
	PROF_STATE_IDLE = 4,
	PROF_STATE_OVERHEAD = 5,
	PROF_STATE_BARRIER = 6,		  /* kind not reported by the runtime */
	PROF_STATE_BARRIER_IMPLICIT = 7,  /* at a region's end */
	PROF_STATE_BARRIER_WORKSHARE = 8, /* at a worksharing construct's end */
	PROF_STATE_BARRIER_EXPLICIT = 9,
	PROF_STATE_BARRIER_IMPL = 10, /* the implementation's own */
	PROF_STATE_TASKWAIT = 11,
	PROF_STATE_TASKGROUP = 12,
	PROF_STATE_MUTEX = 13,
	PROF_STATE_LOCK = 14,
	PROF_STATE_CRITICAL = 15,
	PROF_STATE_ATOMIC = 16,
	PROF_STATE_ORDERED = 17,
	PROF_STATE_TARGET = 18,
	PROF_STATE_UNDEFINED = 19,
	PROF_STATE_BARRIER_TEAMS = 20,
	PROF_STATES
};

/*
 * In the state's byte of LEAF nodes and of a timeline's cells: the thread slept in a system call.
 * Of samples of wall time alone; absent where that is not known
 */
#define PROF_ASLEEP 0x80u
/* Likewise: the thread could run and had no CPU */
#define PROF_READY 0x40u
#define PROF_STATE_MARKS (PROF_ASLEEP | PROF_READY)
#define PROF_STATE_OF(byte) ((uint8_t)((byte) & ~PROF_STATE_MARKS))

struct prof_node {
	uint32_t parent;
	uint32_t left;
	uint32_t right;
	uint32_t info; /* atomic, stored last */
	union {
		struct {
			uint64_t value;
			uint32_t child;
			uint32_t reserved;
		};
		struct {
			uint64_t samples; /* LEAF */
			uint64_t weight;  /* number of events that they stand for */
		};
		struct {
			uint64_t a; /* STATS */
			uint64_t b;
		};
	};
};

#define PROF_NODE_INFO(kind, event, state, flags) \
	((uint32_t)(kind) | (uint32_t)(event) << 8 | (uint32_t)(state) << 16 | \
	 (uint32_t)(flags) << 24)

/* A CPU node's info word. */
enum { PROF_CPU_MOST = 0xffff };
#define PROF_CPU_INFO(event, cpu) \
	PROF_NODE_INFO(PROF_NODE_CPU, event, (uint8_t)(cpu), (uint8_t)((cpu) >> 8))

/* A BOUNDARY's info word, and the team's threads in it. */
enum {
	PROF_TEAM_UNKNOWN = 0,
	PROF_TEAM_MOST = 0xfffe,  /* so many or more */
	PROF_TEAM_STALE = 0xffff, /* the runtime reported another region than the current task's */
};
#define PROF_BOUNDARY_INFO(kind, threads) \
	((uint32_t)PROF_NODE_BOUNDARY | (uint32_t)(threads) << 8 | (uint32_t)(kind) << 24)

/* A location: the module id in the upper 16 bits, the ELF address (run-time address minus the
   module's bias) in the lower 48; with module 0, the run-time address. */
#define PROF_LOC_ADDRESS_BITS 48
#define PROF_LOC(module, address) \
	((uint64_t)(module) << PROF_LOC_ADDRESS_BITS | \
	 ((uint64_t)(address) & ((UINT64_C(1) << PROF_LOC_ADDRESS_BITS) - 1)))
/* Replaces the module id for kernel code and data: the lower 48 bits of the address; the
   upper bits are all set. */
#define PROF_MODULE_ID_KERNEL 0xffffu
#define PROF_LOC_MODULE(loc) ((uint32_t)((loc) >> PROF_LOC_ADDRESS_BITS))
#define PROF_LOC_ADDRESS(loc) ((loc) & ((UINT64_C(1) << PROF_LOC_ADDRESS_BITS) - 1))

_Static_assert(sizeof(struct prof_event) == 128, "prof_event");
_Static_assert(sizeof(struct prof_header) <= PROF_HEADER_BYTES, "prof_header");
_Static_assert(sizeof(struct prof_chunk) == 32, "prof_chunk");
_Static_assert(sizeof(struct prof_node) == PROF_GRANULE, "prof_node");
_Static_assert(sizeof(struct prof_timeline) == 32, "prof_timeline");
_Static_assert(sizeof(struct prof_cell) == 24, "prof_cell");
_Static_assert(sizeof(struct prof_trace) == 32, "prof_trace");
_Static_assert(sizeof(struct prof_traced) == 16, "prof_traced");

/* e_machine of the writing process. */
#if defined(__x86_64__)
#define PROF_MACHINE 62u /* EM_X86_64 */
#elif defined(__aarch64__)
#define PROF_MACHINE 183u /* EM_AARCH64 */
#elif defined(__riscv)
#define PROF_MACHINE 243u /* EM_RISCV */
#else
#define PROF_MACHINE 0u
#endif

#endif
