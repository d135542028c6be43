#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount scale: its runs, its table, and what it refuses.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ -n "$clang" ] || skip_all "no clang"
heat=$top_srcdir/bench/demo/heat.c
"$clang" -g -O2 -fopenmp -o heat "$heat" -lm >build.log 2>&1 ||
	skip_all "the program cannot be built: $(tail -n 1 build.log)"
export OMP_WAIT_POLICY=passive

"$ompcount" scale --threads 2,1,2 -r 2 -e cpu-clock -o s%p -- ./heat 4 >out 2>err
check "it ends well" equal $? 0
check "runs are interleaved" equal "$(sed 's/^ompcount: //' err | tr '\n' ';')" \
	"1 thread, run 1 of 2;2 threads, run 1 of 2;1 thread, run 2 of 2;2 threads, run 2 of 2;"
check "each has its profile" equal "$(find s%p -name '*.omphwc' | sort | tr '\n' ' ')" \
	"s%p/1/1.omphwc s%p/1/2.omphwc s%p/2/1.omphwc s%p/2/2.omphwc "
check "the program is heard" equal "$(grep -c '^residual' out)" 4
check "the first number is the measure" grep -Eq '^ +1 +[0-9.]+ m?s +[0-9.]+ +1\.00 +100 %$' out
check "the speed-up with two" grep -Eq '^ +2 +[0-9.]+ m?s +[0-9.]+ +[0-9.]+ +[0-9]+ %' out
check "regions have times" grep -Eq '^ +[0-9.]+ m?s +[0-9.]+ m?s +[0-9.]+ +[0-9]+ %  smooth \(heat.c:[0-9]+\)' out
check "serial code too" grep -Eq '%  \(serial\)' out
check_json() {
	python3 - "$1" "$top_srcdir/doc/scale.schema.json" <<'END'
import json, os, sys
d = json.load(open(sys.argv[1]))
schema = json.load(open(sys.argv[2]))
assert set(d) == set(schema["required"]), set(d) ^ set(schema["required"])
assert [s["threads"] for s in d["sides"]] == [1, 2]
assert [len(s["runs"]) for s in d["sides"]] == [2, 2]
assert all(os.path.exists(r["profile"]) for s in d["sides"] for r in s["runs"])
for row in [d["run"]] + d["regions"]:
    assert [t["threads"] for t in row["times"]] == [1, 2]
run = d["run"]["times"]
assert run[0]["speedup"] == 1 and run[0]["efficiency"] == 1
assert abs(run[1]["speedup"] - run[0]["mean_ns"] / run[1]["mean_ns"]) < 1e-9
assert abs(run[1]["efficiency"] - run[1]["speedup"] / 2) < 1e-9
assert any(r["name"] == "smooth" and r["file"] == "heat.c" for r in d["regions"])
try:
    import jsonschema
except ImportError:
    sys.exit()
jsonschema.validate(d, schema)
END
}
"$ompcount" scale -q -t 1,2 -r 2 -e cpu-clock -o json --format json --table table.json ./heat 2 >out 2>err
if command -v python3 >/dev/null; then
	check "JSON as its schema says" check_json table.json
else
	skip "JSON as its schema says: no python3"
fi
# asked LIST: the numbers of threads that runs are made with.
asked() {
	rm -rf asked
	"$ompcount" scale --threads "$1" -o asked --table /dev/null true >out 2>err
	sed -n 's/^ompcount: \([0-9]*\) threads\{0,1\}, run .*/\1/p' err | tr '\n' ' '
}
check "a range" equal "$(asked 1-3)" "1 2 3 "
check "a range and more" equal "$(asked 5,2-3)" "2 3 5 "
cpus=$(nproc)
check "doubled to the CPUs" equal "$(asked 1,2,...)" \
	"$(for ((n = 1; n <= cpus || n <= 2; n *= 2)); do printf '%d ' $n; done)"
check "by one distance, and with the one character" equal "$(asked 1,2,3,…)" \
	"$(for ((n = 1; n <= cpus || n <= 3; n++)); do printf '%d ' $n; done)"

cat >grows.sh <<'END'
echo "$1 $2 $3" >>grown
exec ./heat 1
END
"$ompcount" scale -q -t 1,3 --scaling weak -e cpu-clock -o weak --format csv --table weak.csv --html weak.html -- \
	bash grows.sh '{threads}' 'n={20*threads}x' '{other}' >out 2>err
check "a problem that grows is told its size" equal "$(tr '\n' ';' <grown)" "1 n=20x {other};3 n=60x {other};"
check "csv has a row for each number" equal "$(awk -F, '$1 == "(run)" { printf "%s ", $4 }' weak.csv)" "1 3 "
check "efficiency is of equal times" awk -F, '$1 == "(run)" { t[$4] = $6; e[$4] = $9 }
	END { d = e[3] - t[1] / t[3]; exit !(d < 1e-6 && d > -1e-6) }' weak.csv
check "more threads than CPUs are marked" equal "$(awk -F, '$1 == "(run)" { printf "%s ", $5 }' weak.csv)" \
	"0 $((cpus < 3)) "
if command -v chromium >/dev/null && command -v chromedriver >/dev/null && command -v python3 >/dev/null; then
	timeout 240 python3 -B "$top_srcdir/tests/support/runs_cases.py" --scale weak.html weak.csv ||
		check "all of it was tried" equal "$?" 0
else
	skip "the page: no chromium, chromedriver or python3"
fi

check "--table leaves standard output to the program" equal "$(grep -c 'parallel region' out)" 0
(ulimit -s 256 && "$ompcount" scale -q -t 1 -o small ./heat 1) >out 2>err
check "a small stack is enough" equal $? 0
check "no thread count is doubted" equal "$(grep -c '^asked for' out)" 0
check "the folders can be compared" grep -q '^loss: what 2 threads cost' <("$ompcount" diff s%p/1 s%p/2)
OMP_THREAD_LIMIT=1 "$ompcount" scale -q -t 2 -o limited ./heat 1 >out 2>err
check "fewer threads than asked for are reported" grep -q '^asked for 2 threads, the largest team has 1$' out
OMP_THREAD_LIMIT=1 "$ompcount" scale -q -t 1,2 -o ignored ./heat 1 >out 2>err
check "threads that are not those asked for are not compared" grep -q '^not compared: OMP_NUM_THREADS does not' out
check "they have no speed-up" grep -Eq '^ +2 +[0-9.]+ m?s +- +- +- %$' out
check "and stop nowhere" equal "$(grep -c 'stops at\|slower with' out)" 0
check "-q is quiet" equal "$(grep -c '^ompcount' err)" 0

# Work that grows with the threads, against the program's own clocks: named is what each thread
# repeats, and not what they divide.  Atomics grow where the threads ran at once.
build contended gcc -O2 -fopenmp || must_build contended clang -O2 -fopenmp
"$ompcount" scale -q -t 1,2 -r 3 -e cpu-clock -F 4000 -o grows --table table "$prog" >out 2>err
sed -n '/^work of all threads/,$p' table >grown
# factor NUMBER: how much the CPU time in that region grew, by the program's lines: 1, 2, 1, 2 … threads.
factor() { awk -v n="$1" '{ sum[NR % 2] += $n } END { print sum[0] / sum[1] }' out; }
# apart NUMBER: whether it grew in each run: otherwise chance explains it.
apart() { awk -v n="$1" 'NR % 2 { most = most > $n ? most : $n; next }
	{ least = least && least < $n ? least : $n } END { exit !(least > 1.2 * most) }' out; }
named() { awk -v name="$1" '$7 == "region" && $8 == name { print $5; n++ } END { if (n != 1) print "-" }' grown; }
for part in 1:alone 2:together 3:repeated; do
	truth=$(factor "${part%:*}") told=$(named "${part#*:}")
	if awk -v f="$truth" 'BEGIN { exit f < 1.07 || f > 1.5 }' && [ "$part" != 3:repeated ]; then
		skip "work of ${part#*:}: it grew by a factor of $truth, which is little"
	elif awk -v f="$truth" 'BEGIN { exit f < 1.3 }' && ! apart "${part%:*}"; then
		skip "work of ${part#*:}: it grew by a factor of $truth, but not in each run"
	elif awk -v f="$truth" 'BEGIN { exit f < 1.3 }'; then
		check "work that grew by $truth is named: ${part#*:}" awk -v f="$truth" -v told="$told" \
			'BEGIN { exit !(told > f - 0.3 && told < f + 0.3) }'
	else
		check "work that did not grow is not: ${part#*:}" equal "$told" -
	fi
done
check "its hot lines are" grep -q '  line in repeated (contended.c:[0-9]*)$' grown
check "and that the cause is not known" grep -q '^false sharing, atomics, .*counters$' grown
"$ompcount" scale -q -t 1,2 -e page-faults -o faults ./heat 1 >out 2>err
check "an event that is no time does not show work" grep -q '^whether work grows .* not known: .*cpu-clock' out

# The last line of a run without losses, or with small ones, names the command; of others it does not.
OMP_NUM_THREADS=2 "$ompcount" -e cpu-clock -o e.omphwc "$prog" 'a b' >out 2>err
efficient() { # of the time that threads run
	"$ompcount" report --format json e.omphwc | python3 -c '
import json, sys
t = json.load(sys.stdin)["time"]
sys.exit(t["work_ns"] < 0.9 * (t["thread_ns"] - t["lost_ns"]["not_running"]))'
}
if grep -q '^  1\. .*%): ' err && ! efficient; then
	check "where there are losses, no scaling is proposed" equal "$(grep -c 'scale --threads' err)" 0
else
	check "where there are none, it is the last line, with the reason" equal "$(tail -n 1 err | sed 's/ (.*//')" \
		"or:      ompcount scale --threads 1,2 $prog 'a b'"
fi

# refused STATUS REGEX ARGUMENT…: whether it is refused, with that last line.
refused() {
	local status=$1 regex=$2 ret
	shift 2
	"$ompcount" scale "$@" >refused.out 2>refused.err
	ret=$?
	equal "$ret" "$status" && tail -n 1 refused.err | grep -Eq "^ompcount: $regex" && return
	cat refused.err
	return 1
}
check "no numbers" refused 2 "scale: no numbers of threads given: use " ./heat
check "no program" refused 2 "scale: no program to run: " -t 1
for list in '' 0 1, ,1 1,x -1 99999999999999999999; do
	check "the list '$list'" refused 2 "--threads $list: not a list of numbers of threads: " -t "$list" ./heat
done
check "the runs 0" refused 2 "--runs 0: not a number of runs: " -t 1 -r 0 ./heat
check "an option of its own" refused 2 "scale --by: no such option: " -t 1 --by x ./heat
check "a format" refused 2 "--format xml: no such choice: use text, json or csv" -t 1 -f xml ./heat
check "a table that can't be written" refused 1 "gone/table: No such file" -t 1 -o never --table gone/table ./heat
check "is refused before any run" equal "$(ls -d never 2>/dev/null)" ""
check "profiles that are there" refused 1 "s%p/1: File exists: remove it, or " -t 1 -o s%p ./heat
check "a folder that can't be made" refused 1 "no/folder: No such file" -t 1 -o no/folder ./heat
check "a program that fails" refused 7 "the run with 1 thread: it ended with status 7: no more" -t 1,2 -o fails sh -c 'exit 7'
check "is not run again" equal "$(ls fails/2)" ""
check "a program that is not there" refused 127 "the run with 1 thread: it ended with status 127: " -t 1 -o missing ./gone
check "a program that is killed" refused 1 "the run with 1 thread: signal 9 ended it: " -t 1 -o killed sh -c 'kill -9 $$'
check "a mistake in what is passed on" refused 2 "the run with 1 thread: it ended with status 2: " -t 1 -o event -e none-such ./heat
finish
