#!/bin/bash
# libomphwc-gomp.so, preloaded into programs that gcc built: they do the same without a
# collector and with one that registers every event, and all that it is told fits.
. "$(dirname "$0")/lib.sh"

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

# ---- what is exported --------------------------------------------------------------------
! gcc_from 12 || check "each entry point is libgomp's, or newer" equal \
	"$(nm -D --defined-only "$producer" | awk '{ print $3 }' | sed 's/@.*//' | sort -u |
		comm -23 - <(nm -D --defined-only "$libgomp" | awk '{ print $3 }' | sed 's/@.*//' | sort -u) |
		grep -vxE '__omp_collector_api|omphwc_.*|on_(GOMP|omp)_.*|\.gomp_.*|dlclose|GOMP_(scope_start|taskwait_depend_nowait)')" ""
strip -o stripped.so "$producer" 2>/dev/null &&
	check "stripped, the frames of waits have names" equal \
		"$(nm -D --defined-only stripped.so | grep -cE ' (on_GOMP_(barrier|taskwait|parallel)|on_omp_set_lock|omphwc_run_(implicit|task))$')" 6
check "it needs libc alone, and its thread-local data" equal \
	"$(readelf -dW "$producer" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libdl|libpthread|libomphwc-gomp-thread|ld-linux.*)\.so')" ""
check "it is bound when it is loaded, and never unloaded" equal \
	"$(readelf -dW "$producer" | grep -cE 'NODELETE|BIND_NOW')" 2
finish
