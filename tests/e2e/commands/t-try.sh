#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount try: what gains by a setting is found, what does not is not, and all that bounds it.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build tried gcc -O2
tried=$prog

# value KEY [SETTINGS]: a member of the JSON in ./json, or of one of its remedies.
value() {
	python3 - "$@" <<'END'
import json, sys
d = json.load(open("json"))
if len(sys.argv) > 2:
    d = ([r for r in d["remedies"] if r["settings"] == sys.argv[2]] or [{}])[0]
print(d.get(sys.argv[1], "not tried"))
END
}
as_its_schema() {
	python3 - "$top_srcdir/doc/try.schema.json" <<'END'
import json, sys
d, schema = json.load(open("json")), json.load(open(sys.argv[1]))
assert set(d) == set(schema["required"]), set(d) ^ set(schema["required"])
for r in d["remedies"]:
    assert set(r) == set(schema["properties"]["remedies"]["items"]["required"]), r
    assert r["runs_ns"] == sorted(r["runs_ns"])
try:
    import jsonschema
except ImportError:
    sys.exit()
jsonschema.validate(d, schema)
END
}
# surely_gains SETTINGS: they are tried, and both bounds are above 0. The profile has the evidence
# where other programs had the CPUs, on which threads that spin, or share work evenly, gain nothing.
surely_gains() {
	local least
	least=$(value gain_least "$1")
	case $least in
	[0-9]*) return 0 ;;
	esac
	! grep -q '"finding":"no_cpu"' json || { echo "other programs had the CPUs"; return 77; }
	echo "the gain of $1 is at least '$least': $(tr '\n' ' ' <json)"
	return 1
}
try() { "$ompcount" try "$@" >out 2>err; }

have_python=
command -v python3 >/dev/null && have_python=1
if [ "$have_python" ]; then
	OMP_WAIT_POLICY=passive try -q --budget 40 -f json --table json -o short "$tried" short
	check "short regions: it ends well" equal $? 0
	check "short regions: threads that spin gain" surely_gains OMP_WAIT_POLICY=active
	check "JSON as its schema says" as_its_schema
	check "only the first run is heard" equal "$(cat out)" "done"

	# The first two bytes are not for the program.
	printf 'xxabcd' >input
	{
		read -rn 2
		OMP_SCHEDULE=static try --budget 45 -f json --table json -o loop "$tried" runtime
	} <input
	check "schedule(runtime): dynamic gains" surely_gains OMP_SCHEDULE=dynamic
	check "each run reads the same" equal "$(value refused OMP_SCHEDULE=dynamic)" None
	check "the runs are said before" grep -Eq \
		'^ompcount: [0-9] settings? to try, in [0-9]+ runs of about [0-9.]+ m?s each: ' err
else
	skip "what gains: no python3"
fi

export OMP_SCHEDULE=static
counted() { echo 'echo >>runs; exec "$@"'; }
rm -f runs
try -b 20 -o table sh -c "$(counted)" sh "$tried" runtime
check "a table" grep -Eq '^setting +runs +median +gain +against$' out
check "the program as it is" grep -Eq '^\(as it is\) +[0-9]+ +[0-9.]+ m?s$' out
check "a setting" grep -Eq '^OMP_[A-Z_]+=[a-z0-9]+ +[0-9]+ +[0-9.]+ m?s  -?[0-9.]+ % \(-?[0-9.]+ to -?[0-9.]+\) +[a-z]' out
check "the line, or that there is none" grep -Eq \
	'^(the line for your job script:  export [A-Z_]+=|none of these settings is known to shorten the run$)' out
check "where to go on" grep -q '^next:  ompcount report table/1$' out
check "a summary names the command" grep -Eq \
	'^try:     ompcount try COMMAND \(may help: [A-Z_]+=.*\)$' \
	<("$ompcount" run -o named.omphwc "$tried" runtime 2>&1)
check "there is a report" grep -q 'runtime_loop' <("$ompcount" report table/1)
check "the budget is kept" [ "$(wc -l <runs)" -le 21 ]
check "it is the number that is said" equal \
	"$(sed -n 's/.* in \([0-9]*\) runs of .*/\1/p' err)" "$(($(wc -l <runs) - 1))"

try -b 7 -o small "$tried" runtime
check "a budget that is too small" equal "$? $(grep -c '^ompcount: the budget: 7 runs of about .* have room in it, 8 are needed: ' err)" "1 1"
try -q -b 20 -o again "$tried" runtime OMP_SCHEDULE=dynamic 3
check "a setting with which the program fails" grep -Eq \
	'^OMP_SCHEDULE=dynamic +0 +- +- +refused: it ended with status 3$' out
check "is not for the job script" equal "$(grep -c 'export OMP_SCHEDULE=dynamic' out)" 0
check "a second try has a folder of its own" equal "$(try -q -b 10s -o again "$tried" alone; ls again)" "$(printf '1\n2')"
try -q -b 20 -o hangs "$tried" runtime OMP_SCHEDULE=dynamic hang
check "a setting with which it does not end" grep -Eq '^OMP_SCHEDULE=dynamic .* refused: it ran for more than [0-9]+ s$' out
check "has ended" equal "$(pgrep -f "$tried runtime OMP_SCHEDULE=dynamic hang")" ""
unset OMP_SCHEDULE

OMP_NUM_THREADS=1 try -o alone "$tried" alone
check "nothing to try" equal "$? $(grep -c '^nothing to try: ' out) $(grep -c '^next:  ompcount report alone/1$' out)" "0 1 1"
try -o first "$tried" alone OMP_NUM_THREADS=2 5
check "a program that fails" equal "$? $(grep -c '^ompcount: the first run: it ended with status 5: nothing is tried$' err)" "5 1"
try -o gone ./gone
check "a program that is not there" equal $? 127
OMP_SCHEDULE=static try -q -o second sh -c '[ ! -e ran ] || exit 6; : >ran; exec "$@"' sh "$tried" runtime
check "a program that fails the second time" equal \
	"$? $(grep -c '^ompcount: a run without the profiler: .*status 6: nothing is concluded$' err)" "1 1"

# It is asked to end when some runs are over.
rm -f runs
OMP_SCHEDULE=static "$ompcount" try -q -b 1000 -o ends sh -c "$(counted)" sh "$tried" runtime >out 2>err &
pid=$!
for ((i = 0; i < 600; i++)); do
	[ "$(cat runs 2>/dev/null | wc -l)" -lt 6 ] || break
	sleep 0.1
done
kill -TERM $pid
wait $pid
check "it ends by the signal" equal $? 143
check "what is known is shown" grep -Eq '^\(as it is\) +[1-9]' out
runs=$(wc -l <runs)
sleep 0.3
check "no more runs are made" equal "$(wc -l <runs)" "$runs"

# refused STATUS REGEX ARGUMENT…: whether it is refused, with that last line.
refused() {
	local status=$1 regex=$2 ret
	shift 2
	try "$@"
	ret=$?
	equal "$ret" "$status" && tail -n 1 err | grep -Eq "^ompcount: $regex" && return
	cat err
	return 1
}
check "no program" refused 2 "try: no program to run: "
for budget in 0 1001 5x m 1.5h -1 ''; do
	check "the budget '$budget'" refused 2 "--budget $budget: neither a number of runs nor a time: " -b "$budget" "$tried"
done
check "a format" refused 2 "--format xml: no such choice: use text or json" -f xml "$tried"
check "an option of its own" refused 2 "try --runs: no such option: " --runs 3 "$tried"
check "a table that can't be written" refused 1 "gone/table: No such file" --table gone/table -o never "$tried"
check "is refused before any run" equal "$(ls -d never 2>/dev/null)" ""
check "a folder that can't be made" refused 1 "no/folder: No such file" -o no/folder "$tried"
finish
