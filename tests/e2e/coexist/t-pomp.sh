#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs as OPARI2 instruments them, linked with libomphwc-pomp.so: what each construct is, where
# it is, how often and how long threads were in it, also where it never ran; and what runtimes
# report of the same regions is counted once.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
pomp=${tool%/*}/libomphwc-pomp.so
[ -e "$pomp" ] || skip_all "libomphwc-pomp.so is not built"
with=(-I "$programs" -L "${pomp%/*}" -Wl,--push-state,--no-as-needed -lomphwc-pomp -Wl,--pop-state "-Wl,-rpath,${pomp%/*}")
rounds=20

# table COLUMNS [PROFILE…]: of the descriptors, without a title.
table() {
	"$ompcount" report --format csv --by descriptor --columns "$1" "${@:2}" 2>err | tail -n +2
}
what=name,sub_name,num_sections,file,begin_line1,begin_lineN,end_line1,end_lineN
counts=entries,executions,barriers

# opari N: what N rounds of the program are.
opari() {
	cat <<END
region,solve,0,sim.c,8,8,97,97,1,,
parallel,,0,sim.c,10,12,90,90,$1,$(($1 * 2)),$(($1 * 2))
for,,0,sim.c,14,15,18,18,$(($1 * 2)),,$(($1 * 2))
flush,,0,sim.c,20,20,20,20,$(($1 * 2)),,
barrier,,0,sim.c,22,22,22,22,$(($1 * 2)),,
for,,0,sim.c,24,24,29,29,$(($1 * 2)),,$(($1 * 2))
ordered,,0,sim.c,26,26,28,28,$(($1 * 4)),$(($1 * 4)),
sections,,3,sim.c,31,31,39,39,$(($1 * 2)),$(($1 * 3)),$(($1 * 2))
master,,0,sim.c,41,41,43,43,$1,,
critical,queue,0,sim.c,45,45,47,47,$(($1 * 2)),$(($1 * 2)),
atomic,,0,sim.c,49,49,50,50,$(($1 * 2)),,
single,,0,sim.c,52,52,60,60,$(($1 * 2)),$1,$(($1 * 2))
task,,0,sim.c,54,54,56,56,$(($1 * 3)),$(($1 * 3)),
taskwait,,0,sim.c,58,58,58,58,$1,,
task untied,,0,sim.c,62,62,64,64,$1,$1,
parallel for,,0,sim.c,92,93,96,96,$1,$(($1 * 2)),$(($1 * 2))
critical,,0,sim.c,99,99,101,101,0,0,0
END
}

# times: whether the times of the profile agree with the program's own clocks, and with each other:
# reads NAME,LINE,ELAPSED,EXECUTING,BARRIER. A unit of work is 200 us of CPU time.
times() {
	table name,begin_line1,elapsed_ns,executing_ns,barrier_ns "$1" >all
	python3 - "$2" "$rounds" <<'END'
import csv, sys
ns, unit = int(sys.argv[1]), 200000 * int(sys.argv[2])
rows = {int(r[1]): [int(x or 0) for x in r[2:]] for r in csv.reader(open("all"))}
loop, region, combined = rows[14], rows[10], rows[92]
assert loop[0] - loop[2] >= ns, "the loop's time"
assert rows[31][1] >= 3 * unit and rows[45][1] >= 2 * unit, "sections, critical sections"
assert rows[54][1] >= 3 * unit and rows[62][1] >= unit, "tasks"
assert combined[1] >= 4 * unit, "the loop of the combined directive"
assert rows[45][0] >= rows[45][1] and rows[52][0] >= rows[52][1] + rows[52][2], "parts"
inside = sum(rows[n][0] for n in (14, 20, 22, 24, 31, 41, 45, 49, 52)) + region[2]
assert inside <= region[1] <= 2 * region[0], "constructs are in their region"
assert rows[8][0] >= region[0] + combined[0], "regions are in the user's"
END
}

# profiled NAME: $prog, with all that is known of it.
profiled() {
	rm -f p.omphwc
	local ns
	check "$1: alone" "$prog" 1
	ns=$("$ompcount" -q -o p.omphwc -- "$prog" $rounds) || { fail "$1: status $?"; return; }
	check "$1: each construct" equal "$(table $what,$counts p.omphwc)" "$(opari $rounds)"
	check "$1: their times" times p.omphwc "$ns"
	check "$1: each region is counted once" equal "$("$ompcount" report --format csv --by region \
		--columns function,entries p.omphwc | grep -E '^(region|combined),' | sort)" \
		"$(printf 'combined,%d\nregion,%d' $rounds $rounds)"
	check "$1: the user's region is a phase" equal \
		"$("$ompcount" report --format csv --by phase --columns phase,entries p.omphwc | grep solve)" "solve,1"
}

for linked in "-fPIE -pie" "-fno-pie -no-pie" "-fuse-ld=gold" "-fuse-ld=lld"; do
	with_runtime gomp && build opari gcc -O1 $linked "${with[@]}" || { skip "gcc $linked: $why"; continue; }
	profiled "gcc $linked"
done
cp p.omphwc first.omphwc
for n in 14 16 19; do
	with_runtime $n && build opari clang -O1 "${with[@]}" || { skip "libomp $n: $why"; continue; }
	export LD_LIBRARY_PATH=$runtime
	profiled "libomp $n"
	unset LD_LIBRARY_PATH
done
"$ompcount" merge -o merged.omphwc first.omphwc p.omphwc >out 2>err
check "merged" equal "$(table $what,$counts merged.omphwc | grep -v ^region)" \
	"$(opari $((2 * rounds)) | grep -v ^region)"
"$ompcount" report --format json p.omphwc >p.json
check "json" python3 -c "import json, sys
rows = json.load(open('p.json'))['descriptors']
assert len(rows) == 17
assert [r['name'] for r in rows if r['entries'] == 0] == ['critical'], rows
assert rows[7]['num_sections'] == 3 and rows[9]['sub_name'] == 'queue' and rows[1]['begin_lineN'] == 12"

if build opari90 gfortran -O1 "${with[@]}"; then
	check "Fortran: alone" equal "$("$prog")" done
	rm -f p.omphwc
	check "Fortran: profiled" equal "$("$ompcount" -q -o p.omphwc -- "$prog")" done
	check "Fortran: each construct" equal "$(table $what,$counts p.omphwc)" "parallel,,0,sim.f90,10,11,30,30,1,2,2
do,,0,sim.f90,12,12,16,16,2,,2
critical,queue,0,sim.f90,18,18,20,20,10,10,
task,,0,sim.f90,22,22,24,24,1,1,"
else
	skip "Fortran: $why"
fi

# told: what POMP alone tells, where the runtime reports nothing.
told() {
	rm -f p.omphwc
	"$ompcount" -q -o p.omphwc -- "$prog" $rounds >out 2>err || { fail "$1: $(tail -n 1 err)"; return; }
	check "$1: each construct" equal "$(table $what,$counts p.omphwc)" "$(opari $rounds)"
	check "$1: its regions" equal "$("$ompcount" report --format csv --by region \
		--columns function,line,entries,team_least,team_most p.omphwc | grep -E '^(region|combined),' | sort)" \
		"combined,$(line combined),$rounds,2,2
region,$(line region),$rounds,2,2"
	check "$1: its tasks" equal "$("$ompcount" report --format csv --by task --columns function,created,run p.omphwc |
		tail -n +2 | sort)" "tasks,$rounds,$rounds
tasks,$((rounds * 3)),$((rounds * 3))"
	check "$1: its constructs" equal "$("$ompcount" report --format csv --by construct --columns kind,function,entries p.omphwc |
		grep -E '^(for|sections|single|masked)[^,]*,[^,]*,[1-9]' | sort)" "for,combined,$((rounds * 2))
for,loops,$((rounds * 2))
for,loops,$((rounds * 2))
masked,others,$rounds
sections,others,$((rounds * 2))
single,tasks,$rounds"
	check "$1: the runtime" equal "$("$ompcount" report --format json p.omphwc |
		python3 -c "import json, sys; print(json.load(sys.stdin)['processes'][0]['runtime'])")" "$2, by POMP2"
	# Of the first region of each place a worker may begin before the primary thread.
	folded p.omphwc >paths
	check "$1: what workers do is where the region is" below \
		"$(grep -vE '^(main|<OMP-[a-z_]*>|\(serial\))[; ]' paths >others; total others)" "$(($(total paths) / 10))"
}
line() { grep -n "#pragma omp parallel" "$programs/opari.c" | sed -n "$([ "$1" = region ] && echo 1 || echo 2)s/:.*//p"; }

mkdir alone
cp "$tool" alone/libomphwc.so
if with_runtime gomp && build opari gcc -O1 "${with[@]}"; then
	OMPHWC_LIBRARY=$work/alone/libomphwc.so told "libgomp, unwrapped" libgomp.so.1
fi
for n in 14 16; do
	with_runtime $n && build opari clang -O1 "${with[@]}" || { skip "libomp $n: $why"; continue; }
	LD_LIBRARY_PATH=$runtime OMP_TOOL=disabled told "libomp $n, without OMPT" libomp.so.5
done

must_build opari_life gcc -O1 "${with[@]}"
rm -f p*.omphwc
"$ompcount" -q -e cpu-clock -c 1000000 -o 'p.%p.omphwc' -- "$prog" >out 2>err
parent=$(cat out)
child=$(ls p.*.omphwc | grep -v "p.$parent.omphwc")
user=name,sub_name,entries
check "the user's regions" equal "$(table $user "p.$parent.omphwc")" "region,outer,1
region,inner,10"
check "the user's regions: a child, killed in one of them" equal "$(table $user "$child")" "region,outer,1
region,inner,2"
folded "p.$parent.omphwc" >paths
check "switched off" equal "$(grep -c unseen paths)" 0
check "switched on" grep -q 'main;seen' paths
IFS=, read -r whole inner < <(table elapsed_ns "p.$parent.omphwc" | tr '\n' ,)
check "a recursion's time is that of its outermost call" equal \
	$((inner >= 10000000 && inner <= whole - 200000000)) 1

# It is nobody's who does not ask for it.
must_build many gcc -O1
rm -f p.omphwc
"$ompcount" -q -o p.omphwc -- "$prog" >out 2>err
check "without an instrumentor" equal "$(table $what p.omphwc)" ""
check "and the report says so" grep -q 'no instrumentor described the' <("$ompcount" report --by descriptor p.omphwc)
finish
