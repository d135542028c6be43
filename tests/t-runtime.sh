#!/bin/bash
# Programs built by gcc run on their own runtime; with --runtime libomp LLVM's replaces it, in a
# way that the loader permits.
. "$(dirname "$0")/lib.sh"
need_tool
unset OMPHWC_LIBRARY OMPHWC_LIBOMP
[ -n "$gcc" ] || skip_all "no gcc"
[ -n "$private" ] || skip_all "neither the build's folder nor the home is this user's alone"
with_runtime 14 || with_runtime 16 || with_runtime 19 || skip_all "no libomp: $why"
export OMPHWC_LIBOMP=$runtime/libomp.so.5
libomp=$(readlink -f "$OMPHWC_LIBOMP")

# Prints its runtime.
cat >who.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#ifdef MORE
#include MORE
#endif
int main(void)
{
	Dl_info where;
	int n = 0;
#ifdef EXTRA
	EXTRA;
#endif
#pragma omp parallel reduction(+:n)
	n++;
	dladdr(dlsym(RTLD_DEFAULT, "omp_get_num_threads"), &where);
	printf("%d threads by %s\n", n, where.dli_fname);
	return 0;
}
END
compile() {
	"$gcc" -fopenmp -o "$@" 2>compile.log || { why="gcc can't: $(tail -n 1 compile.log)"; return 1; }
}
# served NAME BY NOTE PROGRAM [OPTION…]: checks whose functions were called, and the note.
served() {
	local name=$1 by=$2 note=$3 program=$4
	shift 4
	"$ompcount" -e cpu-clock -o p-%p.omphwc "$@" "$program" >out 2>err
	check "$name: runs" equal $? 0
	check "$name: on $by" grep -qE "^2 threads by .*$by" out
	[ -z "$note" ] || check "$name: says so" grep -qE "^ompcount: $note" err
	check "$name: in one line" equal "$(grep -c '^ompcount: .*OpenMP' err)" "$([ -n "$note" ] && echo 1 || echo 0)"
}
swapped="LLVM's OpenMP runtime \(.*\) serves in place of GCC's libgomp: what the runtime costs is LLVM's"
unchecked="LLVM's OpenMP runtime \(.*\) serves in place of GCC's libgomp, unchecked"

compile who who.c || skip_all "$why"
./who >out
grep -q 'by .*libgomp' out || skip_all "this gcc's programs run on something else anyway"
served "a program of gcc" "libgomp.so.1" "" ./who
check "its own is libgomp" equal "$(grep -c omphwc/ out)" 0
served "a program of gcc on libomp" "omphwc/lib-[0-9a-f]*/libgomp.so.1" "$swapped" ./who --runtime libomp
check "and the profile says so too" grep -qa "serves in place of GCC's libgomp" "$(ls -t p-*.omphwc | head -n 1)"
served "kept" "libgomp.so.1" "" ./who --runtime keep
check "kept is libgomp" equal "$(grep -c omphwc/ out)" 0

# A DT_RPATH is searched before LD_LIBRARY_PATH.
gomp=$(dirname "$("$gcc" -print-file-name=libgomp.so.1)")
[ -e "$gomp/libgomp.so.1" ] || gomp=$(dirname "$(ldd who | sed -n 's/.*libgomp.so.1 => \(.*\) (.*/\1/p')")
if compile rpath who.c -Wl,--disable-new-dtags,-rpath,"$gomp"; then
	served "with DT_RPATH" "$(basename "$libomp")" "$swapped" ./rpath --runtime libomp
else
	skip "with DT_RPATH: $why"
fi
# A DT_RUNPATH is searched after it.
if compile runpath who.c -Wl,--enable-new-dtags,-rpath,"$gomp"; then
	served "with DT_RUNPATH" "omphwc/lib-[0-9a-f]*/libgomp.so.1" "$swapped" ./runpath --runtime libomp
else
	skip "with DT_RUNPATH: $why"
fi
# A version that libomp does not define: only preloading helps.
if compile newer who.c -DEXTRA='omp_set_num_teams(3)'; then
	served "with OMP_5.1" "$(basename "$libomp")" "$swapped" ./newer --runtime libomp
	if compile mixed who.c -DEXTRA='omp_free(omp_alloc(64, omp_default_mem_alloc), omp_default_mem_alloc)'; then
		served "with allocators" "$(basename "$libomp")" "$swapped" ./mixed --runtime libomp
	fi
else
	skip "with OMP_5.1: $why"
fi
# A symbol that libomp lacks: the runtime is kept.
cat >target.h <<'END'
static inline void offload(void)
{
	int x = 0;
#pragma omp target map(tofrom:x)
	x++;
}
END
if compile target who.c -DMORE='"target.h"' -DEXTRA='offload()' && nm -D target | grep -q GOMP_target_ext; then
	"$ompcount" -e cpu-clock -o p-%p.omphwc --runtime libomp ./target >out 2>err
	check "with an entry that libomp lacks: says so" grep -qE "^ompcount: $unchecked, though .*lacks GOMP_target_ext" err
else
	skip "with an entry that libomp lacks: no GOMP_target_ext here"
fi
# Entry points for which libomp ends the program.
cat >scan.h <<'END'
static inline void prefix(void)
{
	int sum = 0, all[100];
#pragma omp parallel for reduction(inscan,+:sum)
	for (int i = 0; i < 100; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		all[i] = sum;
	}
	if (all[99] != 4950)
		puts("wrong");
}
END
if compile scan who.c -DMORE='"scan.h"' -DEXTRA='prefix()'; then
	"$ompcount" -e cpu-clock -o p-%p.omphwc --runtime libomp ./scan >out 2>err
	check "with a scan: says so" grep -qE "^ompcount: $unchecked, though .*ends programs" err
else
	skip "with a scan: $why"
fi
# Thread cancellation, which libomp does not support.
if compile cancel who.c -DMORE='<pthread.h>' -DEXTRA='if (n > 9) pthread_cancel(pthread_self())' -lpthread; then
	served "with pthread_cancel" "$(basename "$libomp")|libgomp.so.1" "$unchecked, though .*cancel calls pthread_cancel" ./cancel --runtime libomp
else
	skip "with pthread_cancel: $why"
fi
# A machine on which libomp does not start: this one with another /dev/shm.
elsewhere="unshare -m"
$elsewhere true 2>/dev/null || elsewhere="unshare -rm"
if $elsewhere mount -t tmpfs none /dev/shm 2>/dev/null; then
	for shm in "full:-o size=4k" "read-only:-o ro"; do
		try=${shm%%:*}
		$elsewhere sh -c "mount -t tmpfs ${shm#*:} none /dev/shm; [ $try = read-only ] || head -c 4096 /dev/zero >/dev/shm/all
			'$ompcount' -e cpu-clock -o p-%p.omphwc ./who >out 2>err; echo \$? >status
			'$ompcount' -e cpu-clock -o p-%p.omphwc --runtime libomp ./who >out-libomp 2>err-libomp
			LD_PRELOAD='$libomp' ./who" >alone 2>&1
		check "with a $try /dev/shm it runs" equal "$(cat status) $(grep -c '^2 threads by' out)" "0 1"
		if grep -q '^2 threads by' alone; then
			skip "and on libomp it is not started: this libomp does without"
		else
			check "and on libomp it is not started" equal "$(grep -c '^2 threads' out-libomp)" 0
			check "with a line that says so" grep -q "^ompcount: --runtime libomp: LLVM.s libomp does not start here: .*/dev/shm" err-libomp
		fi
	done
else
	skip "without shared memory: no mount namespaces here"
fi
# OpenMP only in a library.
cat >lib.c <<'END'
int count(void) { int n = 0;
#pragma omp parallel reduction(+:n)
	n++;
	return n; }
END
cat >main.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int count(void);
int main(void) { Dl_info w; int n = count(); dladdr(dlsym(RTLD_DEFAULT, "omp_get_num_threads"), &w);
	printf("%d threads by %s\n", n, w.dli_fname); return 0; }
END
if compile libcount.so -shared -fPIC lib.c && "$gcc" -o through main.c -L. -lcount -Wl,-rpath,"$PWD"; then
	served "through a library" "omphwc/lib-[0-9a-f]*/libgomp.so.1" "$swapped" ./through --runtime libomp
else
	skip "through a library: $why"
fi
# The program's own functions with names like OpenMP's.
printf 'int omp_my_own(void) { return 0; }\n' >own.c
if compile libown.so -shared -fPIC own.c && compile own who.c -DEXTRA='int omp_my_own(void); omp_my_own()' -L. -lown -Wl,-rpath,"$PWD"; then
	served "with a name like OpenMP's" "omphwc/lib-[0-9a-f]*/libgomp.so.1" "$swapped" ./own --runtime libomp
fi

# As requested by options.
printf '#!/bin/sh\n./who\n' >script
chmod +x script
"$ompcount" -e cpu-clock -o p-%p.omphwc ./script >out 2>err
check "what a script starts keeps its runtime" equal "$(grep -c omphwc/ out)" 0
"$ompcount" -e cpu-clock -o p-%p.omphwc --runtime libomp ./script >out 2>err
check "--runtime libomp does not" equal "$(grep -c "omphwc/lib-[0-9a-f]*/libgomp.so.1" out)" 1
served "by path" "omphwc/lib-[0-9a-f]*/libgomp.so.1" "" ./who --runtime "$runtime/libomp.so.5"
LD_LIBRARY_PATH=$runtime/gomp served "already there" "gomp/libgomp.so.1" "" ./who
OMPHWC_LIBOMP=/none "$ompcount" -e cpu-clock -o p-%p.omphwc --runtime libomp ./who >out 2>err
check "none to be had: fails" equal $? 1
check "and says so" grep -q "^ompcount: --runtime libomp: this machine has no LLVM libomp" err
# Without a private place libomp is preloaded.
(unset XDG_RUNTIME_DIR XDG_CACHE_HOME; HOME=/nonexistent; mkdir -m 0777 -p open; cd open; "$ompcount" -e cpu-clock -o p-%p.omphwc --runtime libomp ../who) >out 2>err
check "without a private place" grep -q "^2 threads by .*$(basename "$libomp")" out
check "says that there is no summary" grep -q "^ompcount: no summary: " err
for how in libomp "$runtime/libomp.so.5"; do
	(unset XDG_RUNTIME_DIR XDG_CACHE_HOME; HOME=/nonexistent; cd open; "$ompcount" -q -e cpu-clock -o p-%p.omphwc --runtime "$how" ../who) >out 2>err
	check "without a private place, forced by $(basename "$how")" grep -q "^2 threads by .*$(basename "$libomp")" out
done

# A runtime by path also serves programs built by clang.
if build who clang 2>/dev/null || { [ -n "$clang" ] && "$clang" -fopenmp -o whoc who.c 2>compile.log; }; then
	for n in 14 16 19; do
		with_runtime $n || { skip "clang's program on libomp $n: $why"; continue; }
		"$ompcount" -q -e cpu-clock -o p-%p.omphwc --runtime "$runtime/libomp.so.5" ./whoc >out 2>err
		check "clang's program on libomp $n" equal "$(sed 's/by .*omphwc.lib-[^/]*/by X/' out)" "2 threads by X/libomp.so.5"
	done
	# It has no libgomp in whose place another runtime could be.
	if ldd whoc | grep -q 'libomp.so.5 => /'; then
		gomp=$("$gcc" -print-file-name=libgomp.so.1)
		OMPHWC_LIBOMP=$libomp served "clang's program, --runtime libomp" "" \
			"$unchecked, only in what the program opens or starts: it loads no libgomp itself" ./whoc --runtime libomp
		served "clang's program on libgomp" "libomp.so.5" \
			"--runtime .*libgomp.so[.0-9]*: the program keeps its OpenMP runtime libomp.so.5, which it can't replace: name" \
			./whoc --runtime "$(readlink -f "$gomp")"
	else
		skip "clang's program by itself: it finds no libomp"
	fi
fi
check "the linker's environment is not left to grow" equal \
	"$("$ompcount" -q -e cpu-clock -o p-%p.omphwc sh -c 'echo "$LD_LIBRARY_PATH"')" "${LD_LIBRARY_PATH:-}"
finish
