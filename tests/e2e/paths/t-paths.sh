#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The user view's paths are those of the same source built without OpenMP: nested regions,
# tasks executed by other threads, serialized regions, orphaned constructs, recursion
# through regions, teams.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
export OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=100

# paths: the paths of profile p with a considerable part of the time, without the runtime's
# and without functions called by the loops in the work.
paths() {
	folded p.omphwc | grep -v '<OMP-[^;]*> [0-9]*$' |
		sed -E 's/;(crunch|own_ns|clock_ns)[^ ]* / /' |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n; all += n }
			END { for (path in sum) if (sum[path] > all / 200) print path }' | sort
}

# Each path has 60 samples or more; of tasks ten are to be stolen.
seconds_of() { if [ "$1" = nested ]; then echo 0.3; else echo 0.15; fi; }

# profiled KIND SECONDS: the program's output in out, its profile in p.omphwc.
profiled() {
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock -c 200000 -o p.omphwc -- "$prog" "$@" >out 2>err
}

serial() {
	[ -e "$1-$2" ] && return
	build paths "$1" -O2 -fno-openmp && profiled "$2" "$(seconds_of "$2")" && paths >"$1-$2"
}

same() {
	local cc=$1 n=$2 kind=$3 least=$4 name="$3, $1, $(runtime_name $2)"
	with_runtime "$n" || { skip "$name: $why"; return; }
	serial "$cc" "$kind" || { skip "$name: $why"; return; }
	build paths "$cc" -O2 || { skip "$name: $why"; return; }
	if grep -q 'no such kind' < <("$prog" "$kind" 0 2>&1); then
		skip "$name: the compiler is too old"
		return
	fi
	[ "$cc" = clang ] || runtime+=/gomp
	LD_LIBRARY_PATH=$runtime profiled "$kind" "$(seconds_of "$kind")" || { fail "$name: $(tail -n 1 err)"; return; }
	paths >found
	check "$name: there are paths" equal "$(wc -l <"$cc-$kind")" "$least"
	check "$name: and they are the same" diff "$cc-$kind" found
	case $kind in
	nested) check "$name: tasks were stolen" below 10 "$(sed -n 's/^stolen //p' out)" ;;
	recursion) check "$name: regions were nested" equal "$(sed -n 's/^levels //p' out)" 12 ;;
	esac
}

for row in "nested 15" "serialized 9" "orphans 12" "recursion 3" "teams 6"; do
	in_turn clang:14 clang:19 ${long:+clang:16 gcc:14 gcc:16 gcc:19}
	for m in gcc:gomp $some; do
		same "${m%:*}" "${m#*:}" $row
	done
done

# Beyond the depth to which recursion is recorded, work still lies beneath its caller.
deep() {
	local name="42 nested regions, clang, libomp $1" path='^main;(alpha|beta|third);deep(;descend)+;kernel$'
	with_runtime "$1" && build paths clang -O2 || { skip "$name: $why"; return; }
	LD_LIBRARY_PATH=$runtime profiled deep 0.15 || { fail "$name: $(tail -n 1 err)"; return; }
	check "$name: were nested" equal "$(sed -n 's/^levels //p' out)" 42
	check "$name: each caller has its work" equal "$(paths | grep -cE "$path")" 3
	check "$name: and there is no other" equal "$(paths | grep -vE "$path")" ""
}

# Recursive tasks have unlimited creation contexts, but the file is bounded.
fib() {
	local name="fib($2), libomp $1"
	with_runtime "$1" && build fib clang -O2 || { skip "$name: $why"; return; }
	LD_LIBRARY_PATH=$runtime profiled "$2" || { fail "$name: $(tail -n 1 err)"; return; }
	check "$name: is right" equal "$(cat out)" "$3"
	check "$name: bytes written" below "$(stat -c %s p.omphwc)" 1048576
	folded p.omphwc >user
	check "$name: all of it beneath main" \
		below 0.98 "$(share user '^(main;fib|main |main;<OMP|<OMP-(idle|overhead)>)')"
}

for n in 14 19; do
	deep $n
	if [ -n "$long" ]; then
		fib $n 30 832040
	else
		fib $n 26 121393
	fi
done
finish
