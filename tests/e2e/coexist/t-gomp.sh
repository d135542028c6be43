#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# libomphwc-gomp.so, preloaded into programs that gcc built: they do the same without a
# collector and with one that registers every event, and all that is reported to it fits.
. "$(dirname "$0")/../../support/lib.sh"

producer=$top_builddir/.libs/libomphwc-gomp.so
sources=$top_srcdir/tests/gomp
[ -e "$producer" ] || skip_all "libomphwc-gomp.so is not built"
[ -n "$gcc" ] || skip_all "no gcc"
echo 'int main(void) { return 0; }' >none.c
"$gcc" -fopenmp none.c -o none 2>err || skip_all "gcc has no OpenMP: $(head -n 1 err)"
export OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=3

"$gcc" -std=gnu11 -O1 -shared -fPIC -I"$top_srcdir" "$sources/balance.c" -o balance.so -ldl ||
	fail "the collector can be built"
balance=$work/balance.so

# outcome PRELOADS COMMAND…: the program's output, exit status, and what the collector said.
outcome() {
	local preload=$1
	shift
	LD_PRELOAD=$preload TOLD=$work/told timeout 60 "$@" 2>&1
	echo "status $?"
}

# unchanged WHAT COMMAND…: the same alone, with the library, and with a collector, too.
unchanged() {
	local what=$1 alone
	shift
	alone=$(outcome "" "$@")
	check "$what: as alone" equal "$(outcome "$producer" "$@")" "$alone"
	: >told
	check "$what: as alone with a collector" equal "$(outcome "$producer:$balance" "$@")" "$alone"
	check "$what: the collector was told" grep -q '^[1-9][0-9]* 0$' told
}

# compiled NAME COMPILER FLAG…: builds it as ./NAME.
compiled() {
	local name=$1 cc=$2
	shift 2
	rm -f "$name"
	"$cc" -w -fopenmp "$@" -o "$name" "$sources/$name".* 2>err && return
	skip "$name: ${cc##*/} cannot build it: $(grep -m 1 error err)"
	return 1
}

for level in -O0 -O2 -O3; do
	for name in constructs legacy longjmp singles teams; do
		compiled $name "$gcc" $level && unchanged "$name $level" ./$name
	done
	compiled tasks "${gcc%gcc}g++" -std=c++11 $level && unchanged "tasks $level" ./tasks
	[ -n "$gfortran" ] && compiled locks "$gfortran" $level -J "$work" &&
		unchanged "locks $level" ./locks
	compiled cancel "$gcc" $level && unchanged "cancel $level, which cancels nothing" ./cancel &&
		unchanged "cancel $level" env OMP_CANCELLATION=true ./cancel
done
[ -x constructs ] && for setting in OMP_NUM_THREADS=1 OMP_NUM_THREADS=7 OMP_WAIT_POLICY=passive \
	OMP_THREAD_LIMIT=2 OMP_DYNAMIC=true OMP_SCHEDULE=dynamic,2 OMP_PROC_BIND=close; do
	unchanged "constructs, $setting" env $setting ./constructs
done
compiled forks "$gcc" -O2 && unchanged "forks and threads" ./forks
if [ "$(uname -m)" = x86_64 ]; then
	compiled nestlock1 "$gcc" -O2 && unchanged "nest locks of both versions" ./nestlock1
fi

# ---- several copies of libgomp ----------------------------------------------------------
# A wheel's or a plugin's: the system's with another name of the same length.
libgomp=$("$gcc" -print-file-name=libgomp.so.1)
[ -e "$libgomp" ] || libgomp=$(ldd none | awk '$1 == "libgomp.so.1" { print $3 }')
copy_of_libgomp() { sed 's/libgomp\.so\.1/'"$1"'/g' "$libgomp" >"$1"; }
# library NAME FUNCTION NEEDS…
library() {
	local name=$1 f=$2
	shift 2
	"$gcc" -O2 -fPIC -fopenmp -c -DNAME="$f" "$sources/$name.c" -o "$f.o" &&
		"$gcc" -shared "$f.o" -o "lib$f.so" "$@" -Wl,-rpath,"$work"
}
# opened [-]NAME:FUNCTION…: as arguments of opens.
opened() {
	local a
	for a; do
		a=./lib${a%:*}.so:${a#*:}
		case $a in
		./lib-*) a=-./lib${a#./lib-} ;;
		esac
		echo "$a"
	done
}
if copy_of_libgomp libgpvt.so.1 && copy_of_libgomp libgpv2.so.1 &&
	library region with_system -lgomp && library region with_own ./libgpvt.so.1 &&
	library region as_own_ ./libgpv2.so.1 &&
	library region with_both ./libwith_own.so ./libgpv2.so.1 &&
	library tailcall tails ./libgpvt.so.1 &&
	"$gcc" -O2 "$sources/opens.c" -o opens -ldl &&
	"$gcc" -O2 "$sources/opens.c" -o opens_omp -ldl -Wl,--no-as-needed -lgomp; then
	for main in ./opens ./opens_omp; do
		for arguments in with_system:with_system with_own:with_own with_both:with_both \
			"with_own:with_own with_system:with_system" \
			"with_own:with_own with_both:with_both with_system:with_system" \
			tails:region tails:wait_alone \
			"with_system:with_system tails:region tails:wait_tail"; do
			unchanged "$main $arguments" $main $(opened $arguments)
		done
	done 2>/dev/null
	# Alone, the program may crash: its libgomp is unloaded while its threads live.
	check "a closed library's calls are not taken for another's at its place" equal \
		"$(outcome "$producer:$balance" ./opens $(opened -with_own:with_own as_own_:as_own_))" \
		"$(printf '%s 102 102\n' with_own as_own_; echo "status 0")"
else
	skip "several copies of libgomp: they cannot be built"
fi

# ---- runtimes that need no help, functions that are missing ------------------------------
if with_runtime 14 || with_runtime 19; then
	cat >start.c <<-'END'
		#include <dlfcn.h>
		#include <stdio.h>
		int main(void) {
			int start[] = { 16, 0, -1, -1, 0 };
			int (*api)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "__omp_collector_api");
			int sum = 0;
			#pragma omp parallel num_threads(2) reduction(+: sum)
			sum++;
			api(start);
			printf("%d %d\n", sum, start[2]);
		}
	END
	"$gcc" -O2 -fopenmp start.c -o start -ldl
	check "libgomp: a collector can start" equal "$(LD_PRELOAD=$producer ./start)" "2 0"
	check "libomp under libgomp's name: UNSUPPORTED" equal \
		"$(LD_LIBRARY_PATH=$runtime/gomp LD_PRELOAD=$producer ./start)" "2 3"
	# As ompcount-run(1) says in NOTES.
	for how in LD_LIBRARY_PATH=$runtime/gomp LD_PRELOAD=$runtime/libomp.so.5; do
		env "$how" "$ompcount" -q -e cpu-clock -o p.omphwc ./start >out
		check "by ${how%%=*}: profiled on it" equal "$(cat out) $("$ompcount" report --format json p.omphwc |
			grep -o '"runtime":"LLVM' | sort -u)" '2 3 "runtime":"LLVM'
	done
else
	skip "libomp under libgomp's name: $why"
fi
cat >lacks.c <<'END'
#include <stdio.h>
extern void GOMP_taskwait_depend_nowait(void *) __attribute__((weak));
int main(void) { if (GOMP_taskwait_depend_nowait) GOMP_taskwait_depend_nowait(0); return 3; }
END
"$gcc" -O1 -fPIE -pie lacks.c -o lacks
said=$(LD_PRELOAD=$producer ./lacks 2>&1)
check "without libgomp: the loader's exit status" equal $? 127
check "without libgomp: one line says which function" grep -qx \
	'./lacks: symbol lookup error: ./lacks: undefined symbol: GOMP_taskwait_depend_nowait .*' <<<"$said"

# ---- the interface to libomphwc.so -------------------------------------------------------
# relinked NUMBER: libomphwc-gomp.so of that interface; NUMBER none: of before there were numbers.
# In the folder $at.
relinked() {
	local objects=$top_builddir/ompt_tool/gomp/.libs number=$1 name=omphwc_gomp_interface
	at=$work/interface-$1
	[ "$number" != none ] || number=0 name=omphwc_gomp_none
	mkdir -p "$at/ompt_tool/collector" || return
	sed "s/GOMP_INTERFACE = [0-9]*/GOMP_INTERFACE = $number/; s/omphwc_gomp_interface/$name/" \
		"$top_srcdir/ompt_tool/collector/gomp_thread.h" >"$at/ompt_tool/collector/gomp_thread.h"
	sed "s/omphwc_gomp_interface/$name/" "$top_srcdir/ompt_tool/gomp/api.c" >"$at/api.c"
	"$gcc" -std=gnu11 -O2 -g -w -fPIC -fvisibility=hidden -fexceptions -c -o "$at/api.o" \
		"-I$at" "-I$top_srcdir" "-I$top_builddir" "$at/api.c" &&
		"$gcc" -shared -o "$at/libomphwc-gomp.so" "$at/api.o" \
			$(ls "$objects"/libomphwc_gomp_la-*.o | grep -v -- '-api\.o$') \
			"-Wl,-soname,libomphwc-gomp.so,-z,now,-z,nodelete,--version-script=$top_srcdir/ompt_tool/gomp/gomp.map" \
			"$top_builddir/.libs/libomphwc-gomp-thread.so" "-Wl,-rpath,$top_builddir/.libs" -ldl -lpthread
}
# A folder without libomphwc-gomp.so, so that only the preloaded one is there.
mkdir alone && cp "$tool" alone/
cat >spin.c <<'END'
#include <stdio.h>
#include <time.h>
static void spin(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
		for (volatile int i = 0; i < 1000000; i++);
}
int main(void)
{
	#pragma omp parallel num_threads(2)
	spin();
	return puts("done") < 0;
}
END
# noted NUMBER: runs ./spin with it; prints what the program did, the runtime that reported
# something, and the note.
noted() {
	rm -f p.omphwc
	OMPHWC_EVENTS=cpu-clock OMPHWC_OUTPUT=p.omphwc \
		LD_PRELOAD=$work/interface-$1/libomphwc-gomp.so:$work/alone/libomphwc.so ./spin 2>&1
	echo "status $?"
	"$ompcount" report --format json p.omphwc >p.json
	grep -o '"runtime":[n"][^,]*' p.json | head -n 1
	grep -o '"libomphwc-gomp.so has interface[^"]*"' p.json
}
interface=$(sed -n 's/.*GOMP_INTERFACE = \([0-9]*\).*/\1/p' "$top_srcdir/ompt_tool/collector/gomp_thread.h")
other=$((interface + 1))
why="libgomp's regions are inferred, its tasks and entries unknown: install both from one version"
if "$gcc" -O1 -g -fopenmp spin.c -o spin && relinked "$interface" && relinked $other && relinked none; then
	check "of one interface: libgomp's regions are reported" equal "$(noted "$interface")" \
		"$(printf 'done\nstatus 0\n"runtime":"GNU libgomp')"
	check "of another: one line, and profiled without it" equal "$(noted $other)" \
		"$(printf 'done\nstatus 0\n"runtime":null\n"libomphwc-gomp.so has interface %d, libomphwc.so %d: %s"' \
			$other "$interface" "$why")"
	check "the work is the program's" below 0.3 "$("$ompcount" report --format folded p.omphwc >f; share f 'main.*;spin')"
	check "the report says that libgomp reported nothing" grep -q 'libgomp.so[^ ]* reported nothing' \
		<("$ompcount" report p.omphwc 2>&1)
	check "the report has the line" grep -q "has interface $other, libomphwc.so $interface:" \
		<("$ompcount" report p.omphwc 2>&1)
	check "without a number: the same line" grep -q 'has interface 0,' <(noted none)
else
	skip "libraries of two interfaces: they cannot be built"
fi

# ---- what is exported --------------------------------------------------------------------
! gcc_from 12 || check "each entry point is libgomp's, or newer" equal \
	"$(nm -D --defined-only "$producer" | awk '{ print $3 }' | sed 's/@.*//' | sort -u |
		comm -23 - <(nm -D --defined-only "$libgomp" | awk '{ print $3 }' | sed 's/@.*//' | sort -u) |
		grep -vxE '__omp_collector_api|omphwc_.*|on_(GOMP|omp)_.*|\.gomp_.*|dlclose|GOMP_(scope_start|taskwait_depend_nowait|(loop|distribute)_static_worksharing.*|single_(start_with_)?end|has_masked_thread_num_with_end|masked_end)')" ""
strip -o stripped.so "$producer" 2>/dev/null &&
	check "stripped, the frames of waits have names" equal \
		"$(nm -D --defined-only stripped.so | grep -cE ' (on_GOMP_(barrier|taskwait|parallel)|on_omp_set_lock|omphwc_run_(implicit|task))$')" 6
check "it needs libc alone, and its thread-local data" equal \
	"$(readelf -dW "$producer" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libdl|libpthread|libomphwc-gomp-thread|ld-linux.*)\.so')" ""
check "it is bound when it is loaded, and never unloaded" equal \
	"$(readelf -dW "$producer" | grep -cE 'NODELETE|BIND_NOW')" 2
finish
