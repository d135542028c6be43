#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A runtime that reports nothing to the profiler is known by its name: its spinning is no work,
# regions have their own names, and the report says what is missing and why.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
source=$programs/staticloops.c
line() { grep -n -F "/* $1 */" "$source" | cut -d: -f1; }
section() {
	awk -v section="\"$1\":[" 'index($0, section) == 1 { in_it = 1; next }
		/^"/ { in_it = 0 } in_it' report.json
}

# libomphwc.so without libomphwc-gomp.so beside it.
mkdir alone
cp "$tool" alone/libomphwc.so
export OMPHWC_LIBRARY=$work/alone/libomphwc.so

preload=
# profiled COMMAND…: its profile, and the reports of that.
profiled() {
	rm -f p.omphwc
	env OMP_WAIT_POLICY=active KMP_BLOCKTIME=infinite ${preload:+LD_PRELOAD="$preload"} \
		"$ompcount" -q -e cpu-clock -F 4000 -o p.omphwc -- "$@" >out 2>err || { fail "$name: $(tail -n 1 err)"; return 1; }
	"$ompcount" report --limit 0 p.omphwc >text
	"$ompcount" report --format json -o report.json p.omphwc
	folded p.omphwc >paths
	folded --view machine p.omphwc >machine
}

# named RUNTIME WHY: what is to be told whatever the runtime.
named() {
	check "$name: the runtime is named" grep -q "$1.*, which reported nothing" text
	check "$name: the report says why" grep -q "reported nothing: $2" text
	check "$name: no frame of it is a function of the program" equal "$(grep -c "$1" paths)" 0
	check "$name: nor a region" equal "$(section regions | grep -c "\"function\":\"$1")" 0
	check "$name: its frames are there" grep -q "$1" machine
	# Each sample whose last frame is the runtime's is shown as a wait or overhead.
	grep -E "(;GOMP_[a-z_]*|;__kmpc_[a-z_]*|;$1[^;]*) [0-9]+\$" machine >innermost
	grep -F '<OMP-' paths >others
	check "$name: it never works" below "$(($(total innermost) - 1))" "$(total others)"
	check "$name: workers without user code are idle" grep -q '^<OMP-idle> ' paths
	check "$name: the workers' regions are named" grep -qE '^at_barrier;(uneven;)?work' paths
}

# regions: by gcc's names and lines.
regions() {
	for f in at_barrier nowait_barrier; do
		check "$name: the region in $f is one row" equal "$(section regions |
			grep -c "\"function\":\"$f\"")" 1
	done
	check "$name: a static loop, on both threads" grep -qE \
		" 2 .* for schedule\(static\) in plain_loop " constructs
	check "$name: the barrier" grep -q "barrier in at_barrier (staticloops.c:$(line at_barrier))" constructs
	check "$name: the end of single" grep -q " single in in_single " constructs
	check "$name: nobody knows entries" equal "$(section regions | grep -c '"entries":[1-9]')" 0
}

if build staticloops gcc -O2; then
	gomp=$(ldd "$prog" | sed -n 's/.*libgomp.so.1 => \([^ ]*\).*/\1/p')
	name="GCC's libgomp"
	if profiled "$prog" 1; then
		"$ompcount" report --by construct --limit 0 p.omphwc >constructs
		named libgomp "GCC's libgomp needs libomphwc-gomp.so"
		regions
	fi
	# As in Python's wheels; and stripped of all but what it exports, as it always is.
	name="a renamed libgomp"
	cp "$gomp" libgomp-a34b3233.so.1.0.0
	preload=$work/libgomp-a34b3233.so.1.0.0
	if profiled "$prog" 1; then
		"$ompcount" report --by construct --limit 0 p.omphwc >constructs
		named libgomp-a34b3233 "GCC's libgomp needs libomphwc-gomp.so"
		regions
	fi

	# Its calls do not pass the loader: not even the producer would see them.
	name="libgomp linked statically"
	archive=$("$gcc" -print-file-name=libgomp.a)
	preload=
	if ! "$gcc" -g -O2 -fopenmp -c -o static.o "$source" ||
		! "$gcc" -o static static.o "$archive" -pthread -ldl 2>link.log; then
		skip "$name: $(tail -n 1 link.log)"
	elif profiled ./static 1; then
		check "$name: the header says where it is" grep -q \
			"the OpenMP runtime in static, which reported nothing" text
		check "$name: the report says why" grep -q \
			"the OpenMP runtime in static reported nothing: it is linked statically" text
		check "$name: it is not denied" equal "$(grep -c "no OpenMP runtime seen" text)" 0
	fi
else
	skip "gcc: $why"
fi

# libgomp tells of itself with its first region.
name="a target region on the host, libgomp"
if build onhost gcc -O1 -foffload=disable || build onhost gcc -O1; then
	(
		unset OMPHWC_LIBRARY
		"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	) || fail "$name: $(tail -n 1 err)"
	"$ompcount" report p.omphwc >text
	check "$name: the runtime is named" grep -q "libgomp.*, which entered no parallel region" text
	check "$name: it is a region" grep -q \
		" main:$(grep -n -F '/* target */' "$programs/onhost.c" | cut -d: -f1) (onhost.c)" text
	check "$name: which is known" equal "$(grep -c "region not known" text)" 0
else
	skip "$name: $why"
fi

# A runtime with OMPT, all of whose code lies among the program's; the tool, too.
inside() { "${with[@]}" "$prog" >truth 2>err; }
for name in "a runtime inside the executable" "a runtime and the tool inside the executable"; do
	with=("$ompcount" -q -e cpu-clock -c 250000 -o p.omphwc --) flags=
	[[ $name != *tool* ]] || with=(env OMPHWC_EVENTS=cpu-clock OMPHWC_PERIOD=250000 OMPHWC_OUTPUT=p.omphwc) \
		flags="-rdynamic -Wl,-u,ompt_start_tool $top_builddir/.libs/libomphwc_static.a"
	# shellcheck disable=SC2086
	build runtime_inside gcc -O1 -fno-openmp $flags || { skip "$name: $why"; continue; }
	rm -f p.omphwc
	enough 1000 1 inside || fail "$name: $(tail -n 1 err)"
	read -r worked waited <truth
	folded p.omphwc >paths
	n=$(samples_in paths p.omphwc)
	check "$name: the program's work" agrees "$(share paths '^main;solve[; ]')" "$worked" "$n" 0.5 20
	check "$name: its wait" agrees "$(share paths '^main;<OMP-[a-z]*_barrier> ')" "$waited" "$n" 0.5 20
	check "$name: no function of the runtime" equal "$(grep -c kmp paths)" 0
done

preload=
for cc in gcc clang; do
	name="libomp without OMPT, $cc"
	if build staticloops $cc -O2 && { with_runtime 16 || with_runtime 14; }; then
		export LD_LIBRARY_PATH=$runtime:$runtime/gomp OMP_TOOL=disabled
		if profiled "$prog" 1; then
			"$ompcount" report --by construct --limit 0 p.omphwc >constructs
			named libomp "OMP_TOOL=disabled"
			[ $cc = clang ] || regions
		fi
		unset LD_LIBRARY_PATH OMP_TOOL
	else
		skip "$name: $why"
	fi
done
finish
