#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A library has a libgomp of its own, whose file has a name that shows nothing: its code is a
# runtime's all the same, so what spins there waits.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
libgomp=$("$gcc" -print-file-name=libgomp.so.1)
# A name as long as libgomp's; and the library is bound to it alone.
sed 's/libgomp\.so\.1/libteam.so.1/g' "$libgomp" >libteam.so.1 2>build.log
cat >uneven.c <<'END'
#include <stdint.h>
#include "work.h"

/* Only the master waits. */
static void work(int waits)
{
	if (!waits)
		crunch_for(INT64_C(20000000));
}

void wait_uneven(void)
{
	for (int i = 0; i < 25; i++) {
#pragma omp parallel num_threads(2)
		{
			int waits = 0;
#pragma omp master
			waits = 1;
			work(waits);
#pragma omp barrier
		}
	}
}
END
"$gcc" -g -O1 -fPIC -fopenmp -I"$programs" -c -o uneven.o uneven.c 2>>build.log &&
	"$gcc" -shared -o uneven.so uneven.o ./libteam.so.1 -Wl,-rpath,"$work" 2>>build.log &&
	"$gcc" -o opens "$top_srcdir/tests/gomp/opens.c" -ldl 2>>build.log ||
	skip_all "no such library can be built: $(tail -n 1 build.log)"
export OMP_WAIT_POLICY=active
plain=$(./opens ./uneven.so:wait_uneven) || skip_all "the program fails alone: $plain"

check "same output" equal \
	"$("$ompcount" -q -e cpu-clock -F 4000 -o p.omphwc -- ./opens ./uneven.so:wait_uneven 2>err)" "$plain"
"$ompcount" report --format json -o report.json p.omphwc
check "the copy is marked as a runtime" equal \
	"$(tr -d '\n' <report.json | grep -o 'libteam\.so\.1"[^}]*"runtime":[a-z]*' | grep -c 'true$')" 1
folded p.omphwc --view expert >paths
grep -E "^(opens;)?.*wait_uneven;" paths >mine
# Which barrier it is is not known where a sample does not show it.
check "the master's waiting is a wait" below 0.1 "$(share mine "<OMP-(explicit_)?barrier> ")"
check "the worker works" below 0.2 "$(share mine ";crunch")"
finish
