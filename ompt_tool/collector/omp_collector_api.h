/*
 * omp_collector_api.h - the Collector API: what a performance tool (the collector, or
 * consumer) asks of an OpenMP runtime (the producer).
 *
 * The interface is the one that the OpenMP Architecture Review Board adopted as a white
 * paper: Itzkowitz, Mazurov, Copty, Lin, "An OpenMP Runtime API for Profiling" (2007).
 * Names, numbers and layout are the paper's; the comments are ours, and say where the
 * paper leaves a choice.
 *
 * The collector looks up OMP_COLLECTOR_API in the process. Where no object defines it,
 * no runtime speaks this interface. It then calls
 *
 *	int __omp_collector_api(void *requests);
 *
 * from any thread. The argument is a list of entries in the collector's memory, aligned
 * to 4 bytes, which the runtime answers in place and in order:
 *
 *	int  sz      bytes of this entry with its 16 bytes of header; 0 ends the list
 *	int  r#      OMP_COLLECTORAPI_REQUEST
 *	int  ec      out: OMP_COLLECTORAPI_EC
 *	int  rsz     out: bytes of the answer in mem; with OMP_ERRCODE_MEM_TOO_SMALL the
 *	             bytes that mem must have
 *	char mem[]   parameters, then the answer; sz - 16 bytes
 *
 * The return value is 0 when the whole list was read, whatever the entries' error codes,
 * and -1 when reading stopped at an entry whose sz is below 16 or no multiple of 4, or
 * which is not aligned. That entry and all that follow are left as they were.
 *
 * The paper gives the two structures of mem (REGISTER, STATE) as lists of members only.
 * In the layout of C a structure has 16 bytes on machines of 64 bits, and must be aligned
 * to 8 bytes. Some collectors leave out the padding: a mem of exactly 12 bytes has its
 * second member at byte 4, and need not be aligned to more than 4 bytes.
 */
#ifndef _OMP_COLLECTOR_API_H
#define _OMP_COLLECTOR_API_H

#ifdef __cplusplus
extern "C" {
#endif

#define OMP_COLLECTOR_API "__omp_collector_api"

/* clang-format off */
/*
 * Requests. Until START, and after STOP, each request but START gets SEQUENCE_ERR.
 * Only STATE and CURRENT_PRID may be made in a signal handler.
 */
typedef enum {
	/* Begins a session; no parameters. SEQUENCE_ERR in a session, and where it comes
	   too late for the runtime. Another session may follow a STOP. */
	OMP_REQ_START = 0,
	/* Parameters: struct { OMP_COLLECTORAPI_EVENT; void (*)(OMP_COLLECTORAPI_EVENT); }.
	   The callback replaces the one before. It is called by the thread in which the
	   event occurs, possibly before this request returns. UNKNOWN: no such event.
	   UNSUPPORTED: the runtime cannot report it. */
	OMP_REQ_REGISTER = 1,
	/* Parameter: OMP_COLLECTORAPI_EVENT. Nothing happens if it was not registered. */
	OMP_REQ_UNREGISTER = 2,
	/* Answer: struct { OMP_COLLECTOR_API_THR_STATE; void *wait_id; }. Where the state
	   has no wait_id, a mem with room for the state alone will do. */
	OMP_REQ_STATE = 3,
	/* Answer: the uint64_t ID of the region that the thread is in; 0 outside of all. */
	OMP_REQ_CURRENT_PRID = 4,
	/* Answer: the uint64_t ID of the region around it; 0: none. Meant for FORK's
	   callback. THREAD_ERR where the thread is no team's master. */
	OMP_REQ_PARENT_PRID = 5,
	/* Ends the session: callbacks are forgotten. */
	OMP_REQ_STOP = 6,
	/* Events are neither reported nor remembered until RESUME. They may be registered
	   and unregistered meanwhile. A second PAUSE changes nothing, nor does a RESUME
	   without PAUSE. */
	OMP_REQ_PAUSE = 7,
	OMP_REQ_RESUME = 8,
	OMP_REQ_LAST
} OMP_COLLECTORAPI_REQUEST;

/* The entries' error codes. */
typedef enum {
	OMP_ERRCODE_OK = 0,
	OMP_ERRCODE_ERROR = 1,		/* the size is wrong, or mem is not aligned */
	OMP_ERRCODE_UNKNOWN = 2,	/* no such request, or no such event */
	OMP_ERRCODE_UNSUPPORTED = 3,	/* known, but not served here */
	OMP_ERRCODE_SEQUENCE_ERR = 4,	/* made at the wrong time */
	OMP_ERRCODE_OBSOLETE = 5,	/* no longer served */
	OMP_ERRCODE_THREAD_ERR = 6,	/* made by a thread that it has no answer for */
	OMP_ERRCODE_MEM_TOO_SMALL = 7,	/* the answer has no room in mem: see rsz */
	OMP_ERRCODE_LAST
} OMP_COLLECTORAPI_EC;

/*
 * Events. Each runtime reports FORK; the others are optional. BEGIN and END of one name
 * bracket the thread's time in a state, or its time in a construct's block.
 */
typedef enum {
	OMP_EVENT_FORK = 1,		/* a master is about to make a team */
	OMP_EVENT_JOIN = 2,		/* the team has done; its master goes on alone */
	OMP_EVENT_THR_BEGIN_IDLE = 3,	/* states, see below */
	OMP_EVENT_THR_END_IDLE = 4,
	OMP_EVENT_THR_BEGIN_IBAR = 5,
	OMP_EVENT_THR_END_IBAR = 6,
	OMP_EVENT_THR_BEGIN_EBAR = 7,
	OMP_EVENT_THR_END_EBAR = 8,
	OMP_EVENT_THR_BEGIN_LKWT = 9,
	OMP_EVENT_THR_END_LKWT = 10,
	OMP_EVENT_THR_BEGIN_CTWT = 11,
	OMP_EVENT_THR_END_CTWT = 12,
	OMP_EVENT_THR_BEGIN_ODWT = 13,
	OMP_EVENT_THR_END_ODWT = 14,
	OMP_EVENT_THR_BEGIN_MASTER = 15,	/* blocks */
	OMP_EVENT_THR_END_MASTER = 16,
	OMP_EVENT_THR_BEGIN_SINGLE = 17,
	OMP_EVENT_THR_END_SINGLE = 18,
	OMP_EVENT_THR_BEGIN_ORDERED = 19,
	OMP_EVENT_THR_END_ORDERED = 20,
	OMP_EVENT_THR_BEGIN_ATWT = 21,	/* a state */
	OMP_EVENT_THR_END_ATWT = 22,
	OMP_EVENT_THR_RESERVED_IMPL = 4096,	/* from here on: an implementation's own */
	OMP_EVENT_LAST
} OMP_COLLECTORAPI_EVENT;

/*
 * What a thread does, with the wait_id that goes with it. There is no state for being in
 * a critical region, holding a lock, or being in a master, single or ordered region:
 * these nest.
 */
typedef enum {
	THR_OVHD_STATE = 1,	/* the runtime's own work in a region, or on its way to one */
	THR_WORK_STATE = 2,	/* the program's code in a region */
	THR_IBAR_STATE = 3,	/* at a barrier that ends a construct; a barrier ID */
	THR_EBAR_STATE = 4,	/* at a barrier directive; a barrier ID */
	THR_IDLE_STATE = 5,	/* a runtime's thread without a region */
	THR_SERIAL_STATE = 6,	/* a program's thread outside of all regions */
	THR_REDUC_STATE = 7,	/* combining the parts of a reduction */
	THR_LKWT_STATE = 8,	/* waiting for a lock; a lock ID */
	THR_CTWT_STATE = 9,	/* waiting to enter a critical region; a lock ID */
	THR_ODWT_STATE = 10,	/* waiting for its turn in an ordered region; that region's ID */
	THR_ATWT_STATE = 11,	/* waiting to enter an atomic region; a lock ID */
	THR_LAST_STATE
} OMP_COLLECTOR_API_THR_STATE;
/* clang-format on */

/* See above; provided by the runtime. Collectors look it up rather than link to it. */
int __omp_collector_api(void *requests);

#ifdef __cplusplus
}
#endif

#endif
