/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_words.c - what each rule's finding is about, why it was made, and what helps. */
#include "config.h"

#include "src/output/finding_words.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/alloc.h"
#include "src/output/finding_facts.h"
#include "src/output/printable.h"
#include "src/tables/constructs.h"
#include "src/tables/findings.h"
#include "src/tables/regions.h"
#include "src/view/label.h"
#include "src/view/view.h"

/* A text (finding_put()), and the facts that must hold for it: of TEXT() none, of IF() one, of
   IF2() and IF3() so many. */
struct part {
	int when[3];
	const char *text;
};

/* clang-format off */
#define TEXT(text)	    { { 0 }, text }
#define IF(a, text)	    { { a }, text }
#define IF2(a, b, text)	    { { a, b }, text }
#define IF3(a, b, c, text)  { { a, b, c }, text }
#define END		    { { 0 }, NULL }
/* clang-format on */
#define PARTS(...) ((const struct part[]){ __VA_ARGS__, END })

/* ---- why, of several rules -------------------------------------------- */

#define NO_CPU "threads could run, but had no CPU for {waited} % of their time"
#define STATIC_LOOPS "gcc's static loops do, which are not always recognized"
#define SEEN_WAITING "; of {seen_of} samples of waits there, awake, {seen} are "
#define WAITED TEXT("; threads that could run waited for a CPU for {waited} % of their time")
#define PASSES \
	IF2(HAS_PIECES, HAS_PIECE, \
	    "; each of {pieces} passes has {piece} of work a thread, and {cost} of waiting")

static const struct part same_thread[] = {
	TEXT("{thread} works {most} there, the mean of {threads} threads is {mean}"),
	IF(HAS_WORK, "; of that {line}"),
	IF2(HAS_SEVERAL_PIECES, IS_REGION_END, "; over all {pieces} entries of the region"),
	IF2(HAS_SEVERAL_PIECES, -IS_REGION_END, "; over all {pieces} passes"),
	END,
};

static const struct part varying[] = {
	IF(IS_VARYING, "its teams have several sizes, or other threads each time: whether the same "
		       "thread is late is not known"),
	IF(-IS_VARYING, "the threads' work in sum differs by less than they wait (most {most}, "
			"mean {mean}): now one is late, now another"),
	IF2(-IS_VARYING, -HAS_PIECES, ", or barriers are many"),
	IF2(-IS_VARYING, IS_SLEEPING, ", or one that sleeps, in a system call or at the barrier"),
	PASSES,
	END,
};

static const struct part short_pass[] = {
	TEXT("each of {pieces} passes has "),
	IF(HAS_PIECE, "{piece}"),
	IF(-HAS_PIECE, "too little for a sample"),
	TEXT(" of work a thread, and costs {cost} at the barrier after it"),
	END,
};

static const struct part locked[] = {
	IF(-HAS_IN_CALLS, "threads wait while another one holds it"),
	IF(HAS_IN_CALLS,
	   "threads are in the calls for it, and for {in_calls} % of that time the "
	   "runtime reports no wait for another holder: the calls themselves take it, or waits for "
	   "a kind of lock that it does not report; "),
	IF2(HAS_IN_CALLS, HAS_PIECES, "{pieces} entries, {cost_ns} each"),
	IF2(HAS_IN_CALLS, -HAS_PIECES, "`ompcount --entries' counts them"),
	IF2(OF_RULE(FINDING_ATOMIC), IS_BY_GCC,
	    "; where no atomic directive is at that line, the "
	    "compiler combines the threads' copies of a reduction there"),
	IF2(OF_RULE(FINDING_CRITICAL), HAS_SAME,
	    "; it has no name, and is one lock with {same} "
	    "other critical section{s} without a name"),
	IF2(OF_RULE(FINDING_CRITICAL), HAS_WORK, "; of the work at its lines {line}"),
	END,
};

static const struct part asleep[] = {
	IF(HAS_SEVERAL_PIECES, "the largest of {pieces} places; at all of them "),
	IF(IS_SERIAL, "the initial thread sleeps for {most} outside of regions, where the others "
		      "have no work meanwhile"),
	IF(-IS_SERIAL, "threads sleep for {most} in sum, in {region}"),
	END,
};

/* Before and after the why of any rule. */
static const struct part before_why[] = {
	IF(HAS_PLACES, "the largest of {places} places, whose losses are added up; "),
	END,
};

static const struct part after_why[] = {
	IF(HAS_INSTRUCTIONS, "; its instructions are {instructions} times the mean: "),
	IF2(HAS_INSTRUCTIONS, HAS_EQUAL_WORK,
	    "not more work, but slower, by memory, its CPU's "
	    "clock or a neighbour"),
	IF3(HAS_INSTRUCTIONS, -HAS_EQUAL_WORK, HAS_MORE_WORK, "it has more to do"),
	IF3(HAS_INSTRUCTIONS, -HAS_EQUAL_WORK, -HAS_MORE_WORK, "more to do is a part of it"),
	IF(HAS_OUTSIDE, "; {outside} of it outside of regions, where the others have no work while "
			"the initial thread does not go on"),
	IF(HAS_ASLEEP, "; for {asleep} of it the others slept"),
	IF(HAS_OWN, "; the profiler's own calls, {own}, are not in it"),
	END,
};

/* ---- what helps, of several rules ------------------------------------- */

#define CHUNKS "chunks of 10 us of work or more"
#define AROUND "one parallel region around what enters it"
#define SLEEPS "if threads sleep in it: `ompcount -e wall' shows where; otherwise "
#define LARGER_TASKS \
	"more work for each task: taskloop grainsize(n); in a recursion, plain calls without the " \
	"directive below some depth or size, which cost less than an if clause that is false"
/* Not guided: its first chunks are large, and the others wait for them where iterations differ. */
#define LARGER_CHUNKS \
	"larger chunks: schedule(dynamic, n); schedule(static), where iterations take equal time"
#define LESS_WORK \
	"less work in it; a reduction, or results of each thread's own that are merged at the " \
	"end; atomic for a single update"
#define ORDERED "schedule(static, 1), where chunks are larger; less work in the ordered region"
#define PASSIVE "OMP_WAIT_POLICY=passive, so that waiting threads leave"
#define SPIN_FIRST \
	"another value of that setting, so that threads spin before they sleep; longer regions"
#define WHERE_FAULTS "; where: `ompcount -e page-faults -c 1'"
#define TOUCHED_BY_ALL "the first touch by all threads, "
#define HUGE_PAGES "huge pages (of malloc's memory: " FINDING_HUGE_PAGES ")"
#define SEE_WHY "to see why: `ompcount -e wall'"
#define SEE_CONSTRUCT "to see where: `ompcount report --by construct'"

/* guided's first chunks are the largest: where the longest iterations are first, one thread gets
   most of the work. */
static const struct part other_chunks[] = {
	IF(IS_GUIDED, "schedule(dynamic, n) with " CHUNKS ": guided's first chunks are large; long "
		      "iterations not in one of them"),
	IF(IS_RUNTIME_SCHEDULE, "OMP_SCHEDULE=dynamic,n with " CHUNKS ", if it is another one; if "
				"it is that: smaller chunks, long iterations first"),
	TEXT("smaller chunks, where they have several iterations; long iterations first, or "
	     "divided; more iterations than threads: collapse(n)"),
	END,
};

static const struct part equal_sections[] = {
	TEXT("sections of equal length, or tasks"),
	END,
};

static const struct part divide[] = {
	IF(-HAS_REGION_LINE, "schedule(dynamic, n), if it is a loop; otherwise divide that work: a "
			     "loop over all threads, or tasks; what it is shows with -g"),
	IF(IS_AT_DIRECTIVE,
	   "if its clauses make that work (copies of arrays, reductions of "
	   "arrays): less of it; otherwise divide it: a loop over all threads, or tasks"),
	TEXT("divide that work: a loop over all threads, or tasks"),
	END,
};

/* ---- the rules --------------------------------------------------------- */

enum place { PLACE_CONSTRUCT, PLACE_REGION, PLACE_MOSTLY, PLACE_CALL, PLACE_NONE };

/* All parts of why that hold are printed; of helps the first one. */
static const struct rule {
	const char *what; /* NULL: its loss is what it is */
	enum place place;
	const struct part *why, *helps;
} rules[FINDING_RULES] = {
	[FINDING_STATIC_LOOP] = {
		"imbalance of", PLACE_CONSTRUCT, same_thread,
		PARTS(TEXT("schedule(dynamic, n) with " CHUNKS "; where a few iterations have most "
			   "of the work, divide these")),
	},
	[FINDING_OTHER_LOOP] = { "imbalance of", PLACE_CONSTRUCT, same_thread, other_chunks },
	[FINDING_SECTIONS] = { "imbalance of", PLACE_CONSTRUCT, same_thread, equal_sections },
	[FINDING_VARYING_LOOP] = {
		"imbalance of", PLACE_CONSTRUCT, varying,
		PARTS(IF(IS_SLEEPING, "if iterations differ: schedule(dynamic, n) with " CHUNKS "; "
			 "if threads sleep in them: `ompcount -e wall' shows where"),
		      TEXT("schedule(dynamic, n) with " CHUNKS)),
	},
	[FINDING_VARYING_CHUNKS] = { "imbalance of", PLACE_CONSTRUCT, varying, other_chunks },
	[FINDING_VARYING_SECTIONS] = { "imbalance of", PLACE_CONSTRUCT, varying, equal_sections },
	[FINDING_UNCOUNTED_LOOP] = {
		"waiting at the end of", PLACE_CONSTRUCT,
		PARTS(IF(IS_VARYING, "its teams have several sizes; how often threads wait there "
			 "is not known"),
		      IF(-IS_VARYING, "the threads' work there differs little in sum (most {most}, "
			 "mean {mean}); how often they wait is not known")),
		PARTS(IF(IS_COMBINED, "`ompcount --entries' shows whether its passes are short ("
			 AROUND ") or long (smaller chunks)"),
		      TEXT("`ompcount --entries' shows whether its passes are short (fewer "
			   "barriers: nowait) or long (smaller chunks)")),
	},
	[FINDING_FEW_ITERATIONS] = {
		"too few iterations in", PLACE_CONSTRUCT,
		PARTS(IF(IS_SECTIONS, "it has {iterations} section{s} for {threads} threads"),
		      IF(-IS_SECTIONS, "it has {iterations} iteration{s} for {threads} threads"),
		      PASSES),
		PARTS(IF(IS_SECTIONS, "more and shorter sections, or tasks; or one after another, "
			 "each with a loop over all threads"),
		      TEXT("more iterations to divide: collapse(n), or the loop inside it or "
			   "around it")),
	},
	[FINDING_LIKE_FEW] = {
		"imbalance of", PLACE_CONSTRUCT,
		PARTS(TEXT("the work of {threads} threads (most {most}, mean {mean}) "),
		      IF(HAS_ONE_ITERATION, "is divided as that of 1 iteration"),
		      IF2(HAS_ITERATIONS, -HAS_ONE_ITERATION, "is divided as that of {iterations} "
			  "iterations of equal length"),
		      IF(-HAS_ITERATIONS, "may be that of a few equal iterations, or uneven"),
		      TEXT("; how many it has is not known, nor whether a thread has it by its "
			   "number, as in master: the source shows it")),
		PARTS(TEXT("few iterations: collapse(n), or the loop inside it; many: "
			   "schedule(static, n) with " CHUNKS "; work of one thread's number: a "
			   "loop over all threads, or tasks")),
	},
	[FINDING_SHORT_LOOP] = {
		"loop too short:", PLACE_CONSTRUCT, short_pass,
		PARTS(IF2(IS_COMBINED, IS_FASTER_WITH_FEWER, AROUND "; longer loops; fewer threads "
			  "for it"),
		      IF(IS_COMBINED, AROUND "; longer loops"),
		      IF(IS_FASTER_WITH_FEWER, "fewer barriers: nowait, or one loop for several; "
			 "longer loops; fewer threads for it"),
		      TEXT("fewer barriers: nowait, or one loop for several; longer loops")),
	},
	[FINDING_LATE_THREAD] = { "one late thread in", PLACE_REGION, same_thread, divide },
	[FINDING_UNEVEN_TEAM] = { "imbalance in", PLACE_REGION, same_thread, divide },
	[FINDING_VARYING_TEAM] = {
		"imbalance in", PLACE_REGION, varying,
		PARTS(IF2(IS_REGION_END, IS_SLEEPING, SLEEPS AROUND),
		      IF(IS_REGION_END, AROUND "; where its clauses combine or copy large data: "
			 "less often"),
		      IF2(IS_BARRIER, IS_SLEEPING, SLEEPS "equal work for all threads in each "
			  "step, or fewer barriers"),
		      IF(IS_BARRIER, "equal work for all threads in each step; fewer barriers, "
			 "where the next step allows it"),
		      IF(IS_SLEEPING, SLEEPS "fewer barriers: nowait where the next step allows "
			 "it"),
		      TEXT("fewer barriers: nowait where the next step allows it")),
	},
	[FINDING_SHORT_STEPS] = {
		"too little work between barriers in", PLACE_REGION, short_pass,
		PARTS(IF2(IS_REGION_END, IS_FASTER_WITH_FEWER, AROUND "; longer regions; fewer "
			  "threads"),
		      IF(IS_REGION_END, AROUND "; longer regions"),
		      IF(IS_FASTER_WITH_FEWER, "fewer barriers: nowait, longer steps; fewer "
			 "threads"),
		      TEXT("fewer barriers: nowait, longer steps")),
	},
	[FINDING_LATE_FOR] = {
		"one late thread in", PLACE_REGION,
		PARTS(TEXT("{thread} spends {most} there {spent}, the mean of {threads} threads is "
			   "{mean}; the others wait for it")),
		PARTS(IF(OF_LOSS(LOSS_ORDERED), ORDERED),
		      TEXT("less of that on this thread")),
	},
	[FINDING_UNKNOWN_TEAMS] = {
		"imbalance in", PLACE_REGION,
		PARTS(TEXT("a call by a pointer begins several regions there; in which of them "
			   "threads wait for which is not known")),
		PARTS(TEXT("to know: build with -fno-optimize-sibling-calls")),
	},
	[FINDING_SINGLE] = {
		"waiting for", PLACE_CONSTRUCT,
		PARTS(TEXT("one thread executes it, the others of the team wait at its end"),
		      IF(HAS_WORK, "; of its work {line}")),
		PARTS(TEXT("a loop or tasks for its work; nowait, if the other threads need not "
			   "wait")),
	},
	[FINDING_SMALL_TASKS] = {
		"tasks too small in", PLACE_REGION,
		PARTS(TEXT("{tasks}, and cost the runtime {cost}"),
		      IF(IS_USER_ONLY, " of user code each; its calls of the kernel are not in "
			 "that"),
		      IF(-IS_USER_ONLY, " each")),
		PARTS(TEXT(LARGER_TASKS)),
	},
	[FINDING_FEW_TASKS] = {
		"too few tasks in", PLACE_REGION,
		PARTS(TEXT("threads wait and find no task to execute; {tasks}")),
		PARTS(TEXT("more and smaller tasks, the longest first")),
	},
	[FINDING_TASK_CHAIN] = {
		"tasks one after another in", PLACE_REGION,
		PARTS(TEXT("{tasks}; all work in the region is {most}, and its entries took "
			   "{elapsed}: tasks ran one after another, as a chain of dependences, a "
			   "wait after each of them, an if clause that is false, or one that is "
			   "much longer than the others makes them")),
		PARTS(TEXT("taskwait after all tasks that can run at a time, not after each; "
			   "depend clauses on the parts of the data that each task uses; a long "
			   "one first, or split; a chain that has to be gains nothing from "
			   "threads")),
	},
	[FINDING_IDLE_TASKS] = {
		"waiting for tasks that do not run in", PLACE_REGION,
		PARTS(TEXT("threads wait for tasks for {most}, more than these work: detached "
			   "tasks, or tasks that sleep or wait themselves; {tasks}")),
		PARTS(TEXT("other work meanwhile: depend clauses instead of a taskwait, more such "
			   "tasks at a time; to see what sleeps: `ompcount -e wall'")),
	},
	[FINDING_ONE_CREATOR] = {
		"one thread creates all tasks in", PLACE_REGION,
		PARTS(TEXT("{tasks}; beside them one thread works {most}, and the others wait"),
		      IF(HAS_WORK, "; of that {line}")),
		PARTS(IF(IS_COPY, "where these are the copies that tasks get (firstprivate): large "
			 "data shared, or by a pointer; otherwise that work in the tasks"),
		      TEXT("that work in the tasks, or in a loop over all threads that each create "
			   "tasks")),
	},
	[FINDING_TASK_WAITS] = {
		"waiting for tasks in", PLACE_REGION,
		PARTS(TEXT("threads wait for tasks, though there are many: {tasks}")),
		PARTS(TEXT("more tasks created before each wait; tasks created by several threads; "
			   "the longest first, or split; depend clauses that let more of them run "
			   "at a time")),
	},
	[FINDING_CRITICAL] = {
		"waiting for", PLACE_CONSTRUCT, locked,
		PARTS(IF(IS_OUTPUT, "if it goes to a file: a buffer for each thread, which is "
			 "written in one piece when it is full; otherwise less work in it"),
		      IF(IS_INPUT, "if it comes from a file: larger pieces, of which each thread "
			 "takes one, or tasks that one thread creates as it reads; otherwise less "
			 "work in it"),
		      IF(HAS_SAME, "names for them, where they need not exclude each other; "
			 LESS_WORK),
		      TEXT(LESS_WORK)),
	},
	[FINDING_ARRAY_REDUCTION] = {
		"combining the copies of an array in", PLACE_REGION,
		PARTS(TEXT("no atomic directive is at that line: the compiler combines the "
			   "threads' copies of a reduction's array one after another, under a "
			   "lock")),
		PARTS(TEXT("each thread combines a part of the array, from all copies; fewer "
			   "regions with that reduction")),
	},
	[FINDING_ASKED] = {
		"fewer threads than asked for in", PLACE_REGION,
		PARTS(IF(HAS_NCPUS, "{pieces} entr{y} asked for {cpus} threads, and got {threads}"),
		      IF(-HAS_NCPUS, "{pieces} entr{y} got {threads} thread{s}"),
		      IF(IS_NESTED_TEAM, ": it is nested in another region, and the runtime makes "
			 "one level of teams by default"),
		      IF2(IS_NESTED_TEAM, -HAS_NCPUS, "; or its own if or num_threads clause asks "
			  "for one"),
		      IF2(-IS_NESTED_TEAM, HAS_SETTING, ": {setting}"),
		      IF(-HAS_SETTING, ": why is not known")),
		PARTS(IF(IS_NESTED_TEAM, "OMP_MAX_ACTIVE_LEVELS=2, where CPUs are idle meanwhile; "
			 "or the loop inside in parallel, and not what is around it"),
		      IF(HAS_SETTING, "another value of that setting"),
		      TEXT("omp_set_dynamic(), omp_set_num_threads(), limits of threads")),
	},
	[FINDING_ONE_THREAD] = {
		"one thread in all regions, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("all regions have one thread, and the process has {cpus} CPUs"),
		      IF(HAS_SETTING, ": {setting}"),
		      IF(-HAS_SETTING, "; no setting of the environment asks for that")),
		PARTS(IF(HAS_SETTING, "another value of that setting, or none"),
		      TEXT("no num_threads(1), thread_limit(1), omp_set_num_threads(1), or if "
			   "clause that is false")),
	},
	[FINDING_RUNTIME_CALLS] = {
		"calls into the runtime in", PLACE_REGION,
		PARTS(TEXT("{most} of thread time in functions of the runtime that the program "
			   "calls; {work} % in {function}")),
		PARTS(IF(IS_CALL_OF_QUERY, "call it once, before the loop, and keep its result"),
		      IF(IS_CALL_OF_TEST, "less time under the lock, or a lock for each part of "
			 "the data; something else to do while it is held"),
		      TEXT("fewer calls of it: one for many iterations")),
	},
	[FINDING_ALLOCATOR] = {
		"memory allocation in", PLACE_REGION,
		PARTS(TEXT("{most} of thread time, {part} % of the run, in the memory allocator; "
			   "{line}; what another way would gain is not known")),
		PARTS(TEXT("memory that is allocated before the loop, once for each thread; an "
			   "allocator made for many threads")),
	},
	[FINDING_ALL_DO] = {
		"equal work, and no worksharing seen, in", PLACE_REGION,
		PARTS(TEXT("{threads} threads have equal work (most {most}): each thread executes "
			   "all of it, or its code divides it by thread numbers"),
		      IF(IS_BY_GCC, ", as " STATIC_LOOPS)),
		PARTS(TEXT("where each thread is to do a part: a worksharing loop (for, do) or "
			   "tasks")),
	},
	[FINDING_LOCK] = {
		"waiting for", PLACE_CONSTRUCT, locked,
		PARTS(IF(HAS_IN_CALLS, "where there are many: one for several operations, atomic "
			 "for a single update; where there are few: less work under it, or a lock "
			 "for each part of the data"),
		      TEXT("a lock for each part of the data, and smaller parts; a reduction; less "
			   "work under it")),
	},
	[FINDING_ALL_CREATE] = {
		"tasks that each thread creates, in", PLACE_REGION,
		PARTS(IF(IS_OF_TASKLOOP, "each of {threads} threads entered {pieces} taskloop{s}"),
		      IF(-IS_OF_TASKLOOP, "each of {threads} threads created {pieces} task{s}"),
		      TEXT(" at {call_line}, and no construct there divides them among threads: "
			   "either all threads do all of them, or the code divides them (by thread "
			   "numbers, or from a list of its own"),
		      IF(IS_BY_GCC, "; as " STATIC_LOOPS),
		      TEXT(")")),
		PARTS(TEXT("where each is to be done once: single (or masked) around the code that "
			   "creates them")),
	},
	[FINDING_CANCEL] = {
		"cancel directives that do nothing", PLACE_NONE,
		PARTS(TEXT("the program has cancel directives, and "),
		      IF(HAS_SETTING, "{setting}"),
		      IF(-HAS_SETTING, "OMP_CANCELLATION is not set"),
		      TEXT(": none of them cancels anything")),
		PARTS(TEXT("OMP_CANCELLATION=true")),
	},
	[FINDING_ATOMIC] = {
		"waiting for", PLACE_CONSTRUCT, locked,
		PARTS(IF(IS_BY_GCC, "a reduction, or a sum of its own for each thread; of a "
			 "reduction: fewer regions with it, smaller copies"),
		      TEXT("a reduction, or a sum of its own for each thread")),
	},
	[FINDING_ORDERED] = {
		"waiting for", PLACE_CONSTRUCT,
		PARTS(IF(IS_DOACROSS, "threads wait until the iterations that theirs depend on are "
			 "done"),
		      IF(-IS_DOACROSS, "threads wait until earlier iterations have done their "
			 "ordered part")),
		PARTS(IF(IS_DOACROSS, "larger blocks between the depend clauses; schedule(static, "
			 "1), where chunks are larger"),
		      TEXT(ORDERED)),
	},
	[FINDING_SHORT_REGIONS] = {
		"region too short:", PLACE_REGION,
		PARTS(TEXT("{pieces} entries: a thread spends {each} in each"),
		      IF(HAS_PIECE, ", and works {piece}"),
		      IF(-HAS_PIECE, ", with too little work for a sample"),
		      IF(HAS_ALONE, "; all work of an entry is {alone}: one thread alone would be "
			 "faster"),
		      IF(HAS_FIT, "; {fit} threads would take the least time, if that cost grows "
			 "evenly with the threads: `ompcount scale' shows whether"),
		      IF(HAS_SETTING, "; by {setting} threads sleep between the entries, and have "
			 "to be woken"),
		      IF(IS_BY_NEW_THREADS, "; {initials_count} threads of the program's own begin "
			 "them"),
		      IF(IS_RESIZED, "; in {resized} of them the team has another size than the "
			 "one before")),
		PARTS(IF(IS_BY_NEW_THREADS, "one thread of the program's own for all of them, "
			 "which is kept: each new one gets a new team from the runtime"),
		      IF(HAS_SETTING, "another value of that setting, so that threads spin before "
			 "they sleep; " AROUND),
		      IF(IS_RESIZED, "one number of threads for all regions: each change costs, "
			 "with GCC's runtime new threads; " AROUND),
		      IF(IS_FIT_FOR_FEWER, AROUND "; an if clause, or fewer threads, where there "
			 "is little work"),
		      TEXT("where its iterations do not depend on each other: the loop that enters "
			   "it, divided among threads in its place; else one parallel region "
			   "around it")),
	},
	[FINDING_DISPATCH] = {
		"dispatch of", PLACE_CONSTRUCT,
		PARTS(IF(-HAS_PIECES, "the runtime is called for each chunk of iterations"),
		      IF(HAS_PIECES, "an iteration takes {piece} of work, and its part of the "
			 "calls that get chunks {cost}")),
		PARTS(IF(IS_ORDERED, "no ordered clause, if the order of iterations does not "
			 "matter; longer iterations"),
		      IF(IS_RUNTIME_SCHEDULE, "larger chunks: OMP_SCHEDULE=dynamic,n; static, "
			 "where iterations take equal time"),
		      TEXT(LARGER_CHUNKS)),
	},
	[FINDING_TARGET] = {
		"waiting for a device in", PLACE_REGION,
		PARTS(TEXT("threads wait for a device")),
		PARTS(TEXT("nowait and depend, so that the host works meanwhile")),
	},
	[FINDING_SERIAL] = {
		"serial code", PLACE_NONE,
		PARTS(TEXT("outside of regions one of {threads} threads works"),
		      IF(HAS_WORK, "; of its work {line}")),
		PARTS(TEXT("a parallel region for it: a loop, sections or tasks")),
	},
	[FINDING_SMALL_TEAMS] = {
		"small team in", PLACE_REGION,
		PARTS(IF(IS_VARYING, "its smallest team has {threads}"),
		      IF(-IS_VARYING, "its team has at most {threads}"),
		      TEXT(" of {pieces_number} threads")),
		PARTS(IF(HAS_SETTING, "OMP_DYNAMIC=false; or the work of several such regions at "
			 "once"),
		      TEXT("no num_threads or if clause, or omp_set_num_threads(), that makes it "
			   "small; or the work of several such regions at once")),
	},
	[FINDING_FORKED] = {
		"a fork's child that has not its team's threads, in", PLACE_REGION,
		PARTS(TEXT("process {pid} is a fork's child, and began a team there with no thread "
			   "but its own: the team's others are in its parent (process "
			   "{pieces_number}) alone, and it waited for them until it was ended")),
		PARTS(TEXT("no region in the parent before the fork, or none in the child; a child "
			   "that is started by exec (posix_spawn; Python: multiprocessing's "
			   "spawn); LLVM's runtime, which makes new threads in a child")),
	},
	[FINDING_QUOTA] = {
		"a CPU quota, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("its control group (cgroup) has a quota of {quota}, and was throttled "
			   "in {part} % of {pieces_number} periods; {threads} threads"),
		      WAITED),
		PARTS(TEXT("a larger quota (container or batch system), or no more threads than it "
			   "has CPUs")),
	},
	[FINDING_MASK] = {
		"threads bound to fewer CPUs than they are, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("after the start, something in the process bound it to {cpu_list}: by "
			   "its affinity mask {threads} threads have {cpus} CPU{s}"),
		      WAITED),
		PARTS(TEXT("no binding by that library or launcher (`strace -f -e "
			   "sched_setaffinity' shows who sets it)")),
	},
	[FINDING_FAULTS] = {
		"page faults", PLACE_NONE,
		PARTS(TEXT("{most} of CPU time ({of_mean} %) in the kernel, with {pieces} page "
			   "faults"),
		      IF(IS_MAPPED_AGAIN, ": memory is mapped again and again, or read that was "
			 "never written, since no more than {resident} MiB were resident at a "
			 "time"),
		      IF(-IS_MAPPED_AGAIN, ": the first touch of memory"),
		      IF2(-IS_MAPPED_AGAIN, HAS_THREAD, ", by {thread}")),
		PARTS(IF2(IS_MAPPED_AGAIN, IS_KEPT, "memory that is kept between its uses"
			  WHERE_FAULTS),
		      IF(IS_MAPPED_AGAIN, "keep large blocks, where malloc and free map and unmap "
			 "them each time (" FINDING_KEEP_BLOCKS ")" WHERE_FAULTS),
		      IF2(-HAS_THREAD, IS_HUGE, TOUCHED_BY_ALL "where one thread does it"
			  WHERE_FAULTS),
		      IF(-HAS_THREAD, HUGE_PAGES "; " TOUCHED_BY_ALL "where one thread does it"
			 WHERE_FAULTS),
		      IF(IS_HUGE, TOUCHED_BY_ALL "in a parallel region" WHERE_FAULTS),
		      TEXT(TOUCHED_BY_ALL "in a parallel region; " HUGE_PAGES WHERE_FAULTS)),
	},
	[FINDING_KERNEL] = {
		"time in the kernel", PLACE_NONE,
		PARTS(TEXT("{most} of CPU time ({of_mean} %) in the kernel, and not for page "
			   "faults; for what is not known: threads that the runtime wakes at "
			   "barriers and locks, input and output, locks of the C library's "
			   "(malloc, rand, stdio); threads gave up a CPU {pieces} time{s}"),
		      IF(HAS_SETTING, "; by {setting} they do so at each wait"),
		      IF2(IS_WOKEN, HAS_CONSTRUCT, SEEN_WAITING "for {construct}"),
		      IF2(-IS_WOKEN, HAS_MUCH_WORK, "; of the work that samples see, {line}")),
		PARTS(IF(HAS_SETTING, SPIN_FIRST),
		      IF(IS_WOKEN, "less time under that lock, or one for each part of what it "
			 "guards: a thread that finds it taken sleeps and is woken in the kernel"),
		      IF(HAS_MUCH_WORK, "if that call is why: fewer calls of it by several threads "
			 "at a time, or a state or buffer of each thread's own; to see where it "
			 "is: `ompcount -e cpu-clock:uk'"),
		      TEXT("to see where it is: `ompcount -e cpu-clock:uk'")),
	},
	[FINDING_CROWDED] = {
		"more threads than CPUs, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("{threads} OpenMP threads have {cpus} CPU{s}"),
		      IF(HAS_NESTED, ": nested regions have teams of their own"),
		      IF2(-HAS_NESTED, HAS_INITIALS, ": {initials} threads of the program's own "
			  "begin regions, each with a team of its own"),
		      IF(HAS_CPUS, ": by the affinity mask with which the process began, it has "
			 "{cpu_list} of {machine_cpus}"),
		      WAITED,
		      IF(HAS_GAIN, "; waiting threads spin, and keep others from working")),
		PARTS(IF(HAS_NESTED, "one level of teams: OMP_MAX_ACTIVE_LEVELS=1, or fewer "
			 "threads for the nested ones"),
		      IF(HAS_CPUS, "a mask with more CPUs (taskset, the launcher, the batch "
			 "system); otherwise no more threads than CPUs"),
		      IF(HAS_INITIALS, "fewer of these threads at a time, or fewer threads in the "
			 "team of each (OMP_NUM_THREADS, omp_set_num_threads())"),
		      IF(-HAS_SETTING, "no more threads than CPUs: the program's num_threads "
			 "decides, or omp_set_num_threads()"),
		      IF(IS_SPINNING, "OMP_NUM_THREADS as the CPUs; otherwise "
			 "OMP_WAIT_POLICY=passive"),
		      TEXT("OMP_NUM_THREADS as the CPUs")),
	},
	[FINDING_PROCESSES] = {
		"more processes than CPUs have room for, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("{processes} processes of this run had {threads} OpenMP threads at a "
			   "time, for {cpus} CPU{s}"),
		      WAITED),
		PARTS(TEXT("fewer processes at a time, or fewer threads for each")),
	},
	[FINDING_POOLS] = {
		"threads that are not OpenMP's have the CPUs, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("threads of the process that are not OpenMP's ran for {others}"),
		      WAITED,
		      IF(HAS_PART, "; with OpenMP's work that is {part} % of the CPUs' time: what "
			 "there is to gain is not known"),
		      IF2(-HAS_PART, IS_SPINNING, "; OpenMP's threads spin while they wait")),
		PARTS(IF2(HAS_PART, IS_SPINNING, PASSIVE " them the CPUs; where these threads "
			  "spin, too: that they sleep; where they work: less of it, or more CPUs"),
		      IF(HAS_PART, "where these threads spin while they wait: that they sleep; "
			 "where they work: less of it, or more CPUs"),
		      IF(IS_SPINNING, "where they run beside regions: fewer of them, or of "
			 "OpenMP's threads; " PASSIVE " them the CPUs"),
		      TEXT("where they run beside regions: fewer of them, or of OpenMP's threads")),
	},
	[FINDING_RUNTIMES] = {
		"several OpenMP runtimes, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("{runtimes} are in the process, each with threads of its own: together "
			   "{threads} for {cpus} CPU{s}"),
		      WAITED,
		      IF(IS_SPINNING, "; threads of one spin while those of the other work")),
		PARTS(IF(IS_SPINNING, "one runtime for all parts of the program; otherwise "
			 PASSIVE " the CPUs"),
		      TEXT("one runtime for all parts of the program")),
	},
	[FINDING_SHARED_CPU] = {
		"threads that share a CPU, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("{threads} threads are bound to one CPU, and none to another one"),
		      IF(HAS_SETTING, ": {setting}")),
		PARTS(TEXT("another value of that setting; in its place OMP_PLACES=cores "
			   "OMP_PROC_BIND=spread; no proc_bind(master) or proc_bind(primary) "
			   "clause, which decides before these; the launcher's binding")),
	},
	[FINDING_NO_CPU] = {
		"waiting for a CPU, mostly in", PLACE_MOSTLY,
		PARTS(TEXT(NO_CPU "; who had it is not known"),
		      IF(HAS_OTHERS, "; threads of the process that are not OpenMP's ran for "
			 "{others}"),
		      IF(HAS_QUOTA, "; its control group's quota of {quota} was why in {part} % of "
			 "{pieces_number} periods")),
		PARTS(TEXT("CPUs that the program has to itself; fewer threads")),
	},
	[FINDING_BLOCKED] = {
		"threads that do not run, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("threads neither ran nor waited for a CPU: they slept while they waited "
			   "for other threads, or were in system calls"),
		      IF(HAS_PIECES, "; they gave up a CPU {pieces} time{s}"),
		      IF(HAS_SETTING, ", for a short time each: by {setting} they do so at each "
			 "wait"),
		      IF2(HAS_CONSTRUCT, OF_LOSS(LOSS_IMBALANCE), SEEN_WAITING "at the end of "
			  "{construct}"),
		      IF2(HAS_CONSTRUCT, -OF_LOSS(LOSS_IMBALANCE), SEEN_WAITING "for {construct}"),
		      IF(HAS_WORK, "; of what the program calls that can wait (a mutex or another "
			 "lock that is not OpenMP's, input), {line}")),
		PARTS(IF(HAS_SETTING, SPIN_FIRST),
		      IF2(HAS_CONSTRUCT, OF_LOSS(LOSS_LOCK), "if that is why: less time under it, "
			  "or a lock for each part of the data; to see it: `ompcount -e wall'"),
		      IF2(HAS_CONSTRUCT, OF_LOSS(LOSS_ORDERED), "if that is why: " ORDERED "; to "
			  "see it: `ompcount -e wall'"),
		      TEXT(SEE_WHY)),
	},
	[FINDING_MEMORY] = {
		"work that waits for memory in", PLACE_REGION,
		PARTS(TEXT("{part_tenths} % of the run is work there, with "),
		      IF(HAS_IPC, "{ipc} instructions a cycle"),
		      IF2(HAS_IPC, HAS_STALLED, ", "),
		      IF(HAS_STALLED, "{stalled} % of cycles stalled at the back end"),
		      IF3(HAS_IPC, -HAS_STALLED, HAS_MISSES, ", "),
		      IF2(HAS_STALLED, HAS_MISSES, ", "),
		      IF(HAS_MISSES, "{misses} {missed} a 1,000 instructions"),
		      TEXT("; no counter shows what faster accesses gain")),
		PARTS(TEXT("blocking and a better layout of data; first touch by the threads that "
			   "use it; see --by address")),
	},
	[FINDING_RANKS] = {
		"imbalance between ranks, mostly in", PLACE_MOSTLY,
		PARTS(TEXT("{thread} is busy for {most} there, the mean of {ranks} ranks' busiest "
			   "threads is {mean}"),
		      IF(HAS_WORK, "; of its work {line}"),
		      IF(HAS_CALL, "; the others wait in {call}")),
		PARTS(TEXT("balance that work across the ranks; more threads for a rank with more "
			   "of it")),
	},
	[FINDING_BLOCKED_CALL] = {
		"blocked in", PLACE_CALL, asleep,
		PARTS(IF(IS_SERIAL, "an earlier start, or a task of its own; meanwhile, what does "
			 "not need its result"),
		      TEXT("an earlier start, or a task of its own; where several threads call it "
			   "at a time: fewer calls, a buffer of each thread's own")),
	},
	[FINDING_BLOCKED_THREAD] = {
		"waiting for another thread in", PLACE_CALL, asleep,
		PARTS(TEXT("less work for that thread before it goes on, or other work meanwhile")),
	},
	[FINDING_BLOCKED_MUTEX] = {
		"waiting for a mutex that is not OpenMP's:", PLACE_CALL, asleep,
		PARTS(TEXT("less time under it; a mutex for each part of what it guards")),
	},
	[FINDING_BLOCKED_LIBRARY] = {
		"waiting for a lock of the C library's in", PLACE_CALL, asleep,
		PARTS(TEXT("fewer calls of it by several threads at a time; a function with a "
			   "state of the caller's own")),
	},
	[FINDING_BLOCKED_SLEEP] = {
		"blocked in", PLACE_CALL, asleep,
		PARTS(TEXT("a wait for the event itself (a condition, poll), not for a time")),
	},
	[FINDING_DIRECTIVE] = {
		"work that clauses make, in", PLACE_REGION,
		PARTS(TEXT("{most} of thread time, {of_mean} % of the region's work, are at the "
			   "directive's own line, in {pieces} entr{y}: what its clauses make "
			   "threads do (copies for firstprivate, lastprivate or copyin; the copies "
			   "of a reduction's array, and combining them), unless the program's own "
			   "code is at that line, too"),
		      IF(HAS_GAIN, "; the gain is that of waits at its end alone")),
		PARTS(TEXT("shared, where large data is only read; less of it, where not all is "
			   "needed behind the region; one region around what enters it, so that "
			   "copies are made once; each thread combines a part of an array, from "
			   "all copies")),
	},
	[FINDING_LEFT] = {
		NULL, PLACE_MOSTLY,
		PARTS(IF(HAS_NO_CPU, NO_CPU),
		      IF(-HAS_NO_CPU, "{meaning}"),
		      IF2(-HAS_NO_CPU, HAS_WORK, "; {work} % of it in {function}"),
		      IF3(-HAS_NO_CPU, -HAS_WORK, -IS_CAUSE, "; what causes it is not known"),
		      IF2(-HAS_NO_CPU, HAS_WAITED, "; threads waited for CPUs meanwhile, which "
			  "makes it longer")),
		PARTS(IF(HAS_NO_CPU, "CPUs that the program has to itself"),
		      IF(OF_LOSS(LOSS_NOT_RUNNING), SEE_WHY),
		      IF2(OF_LOSS(LOSS_FORK_JOIN), HAS_FEW_ENTRIES, "to see where: `ompcount "
			  "report --by thread'"),
		      IF(OF_LOSS(LOSS_FORK_JOIN), "fewer and longer regions: one around several "
			 "loops, or around what enters it"),
		      IF(OF_LOSS(LOSS_DISPATCH), LARGER_CHUNKS),
		      IF(OF_LOSS(LOSS_TASKS), LARGER_TASKS),
		      IF(-OF_LOSS(LOSS_RUNTIME), SEE_CONSTRUCT),
		      IF(-HAS_WORK, SEE_CONSTRUCT),
		      IF(IS_CALL_FOR_SINGLE, "one single region around all of it, in which one "
			 "thread creates tasks of several pieces each; or an index, and a loop "
			 "over it"),
		      IF(IS_CALL_FOR_LOCK, "fewer passes of it: results of each thread's own that "
			 "are merged at the end, or more work for each pass"),
		      IF(IS_CALL_FOR_DOACROSS, "larger blocks: fewer iterations with a depend "
			 "clause, of more work each"),
		      IF(IS_CALL_FOR_FLUSH, "a lock, a barrier or a depend clause, where a loop "
			 "waits for another thread by it"),
		      TEXT("fewer calls of it: longer loops, tasks or regions")),
	},
};

/* ---- the whole ------------------------------------------------------- */

static bool part_holds(const struct words *w, const struct part *p)
{
	for (size_t i = 0; i < sizeof(p->when) / sizeof(*p->when); i++)
		if (p->when[i] && !finding_holds(w, p->when[i]))
			return false;
	return true;
}

static void put_parts(const struct words *w, const struct part *p)
{
	for (; p->text; p++)
		if (part_holds(w, p))
			finding_put(w, p->text);
}

/* One of a region's barriers, of which it may have several. */
static bool is_at_barrier(const struct words *w)
{
	const struct view_construct *c = &w->v->constructs[w->f->construct];

	switch (w->f->rule) {
	case FINDING_LATE_THREAD:
	case FINDING_UNEVEN_TEAM:
	case FINDING_VARYING_TEAM:
	case FINDING_SHORT_STEPS:
	case FINDING_LATE_FOR: break;
	default: return false;
	}
	return w->f->construct && c->kind == CONSTRUCT_BARRIER && w->v->names.lines[c->line].line;
}

static char *place_of(const struct words *w)
{
	const struct view_construct *c = &w->v->constructs[w->f->construct];

	if (rules[w->f->rule].place == PLACE_CALL) {
		/* "read(), called at load (a.c:12)", "a system call at load (a.c:12)" */
		const char *call = w->f->call;
		char *line = label_line(&w->v->names, w->f->call_line);
		char *s = call ? alloc_printf("%s%s, called at %s", call,
					      strchr(call, '(') ? "" : "()", line) :
				 alloc_printf("a system call at %s", line);

		free(line);
		return s;
	}
	if ((rules[w->f->rule].place == PLACE_CONSTRUCT && c->kind >= CONSTRUCT_SPECIALS) ||
	    is_at_barrier(w))
		return construct_label(w->v, c);
	return region_label(w->v, w->f->special, w->f->line);
}

static void put_what(const struct words *w)
{
	const struct rule *r = &rules[w->f->rule];
	char *place = r->place == PLACE_NONE ? NULL : place_of(w);

	if (w->f->rule == FINDING_SHORT_REGIONS && finding_holds(w, IS_RESIZED))
		fputs("size of teams changes from region to region:", w->out);
	else if (w->f->rule == FINDING_FEW_ITERATIONS && finding_holds(w, IS_SECTIONS))
		fputs("too few for the threads:", w->out);
	else if (is_at_barrier(w)) {
		/* "imbalance in" a region, "imbalance at" a barrier. */
		const char *what = rules[w->f->rule].what;
		const size_t in = strlen(what) - strlen("in");

		if (w->f->rule == FINDING_SHORT_STEPS)
			fputs("too little work before", w->out);
		else
			fprintf(w->out, "%.*sat", (int)in, what);
	} else if (w->f->in_calls > 0)
		fputs("calls for", w->out);
	else if (r->what)
		fputs(r->what, w->out);
	else
		fprintf(w->out, "%s, mostly in", loss_name(w->f->spent));
	if (place) {
		putc(' ', w->out);
		format_short(w->out, place);
	}
	free(place);
}

static void put_why(const struct words *w)
{
	put_parts(w, before_why);
	put_parts(w, rules[w->f->rule].why);
	put_parts(w, after_why);
}

static char *said(const struct view *v, const struct finding *f, void (*put)(const struct words *))
{
	size_t size;
	char *s = NULL;
	const struct words w = { .v = v, .f = f, .out = alloc_stream(&s, &size) };

	put(&w);
	alloc_stream_end(w.out);
	return s;
}

void finding_words(const struct view *v, const struct finding *f, struct finding_words *w)
{
	const struct words of = { .v = v, .f = f };
	const struct part *helps = rules[f->rule].helps;

	while (!part_holds(&of, helps))
		helps++;
	*w = (struct finding_words){
		.what = said(v, f, put_what),
		.why = said(v, f, put_why),
		.helps = helps->text,
	};
}

void finding_words_fini(struct finding_words *w)
{
	free(w->what);
	free(w->why);
	*w = (struct finding_words){ 0 };
}
