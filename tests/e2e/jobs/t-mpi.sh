#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time in MPI calls is a class of its own, told by frames, in a program that measures it itself.
# The calls are those of a library of the tests' own, which takes known times.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
python=$(command -v python3) || skip_all "no python3, which reads the JSON report here"

# One library calls the other, which has no name of MPI's.
library() {
	"$gcc" -g -O2 -shared -fPIC -DFABRIC -o libfabrix.so "$programs/mpi_library.c" &&
		"$gcc" -g -O2 -shared -fPIC -o libmpi.so "$programs/mpi_library.c" -L. -lfabrix \
			-Wl,-rpath,"$work" -lpthread
}
made() { "$gcc" -g -O1 -fopenmp -o calls "$programs/mpi_calls.c" "$@"; }
run() {
	rm -f p.omphwc
	"$ompcount" -q --timeline --blame -e wall -F 2000 -o p.omphwc -- ./calls "$1" >said 2>err
}

# numbers PROFILE: what JSON says, a line each.
numbers() {
	"$ompcount" report --format json "$@" >json && "$python" - json <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
def sums(rows):
    return sum(w["self"][0].get("mpi", 0) for w in rows if w["self"])
total = r["events"][0]["total"]
print("classes", sum(total[c] for c in ("work", "wait", "overhead", "mpi", "blocked")) - total["weight"])
for table in ("threads", "regions", "constructs", "modules", "files", "functions", "lines", "states", "tree"):
    print(table, sums([w for w in r[table] if w.get("self")]) - total["mpi"])
initial = next(t["self"][0] for t in r["threads"] if t["kind"] == "initial")
print("all", initial["weight"], "mpi", initial["mpi"])
# The start may take a sample or two.
least = r["events"][0]["total"]["samples"] / 100
print("calls", *sorted({s["object"] for s in r["states"] if s["state"] == "MPI" and s["self"][0]["samples"] > least}, key=str))
path = {}
names = [f["name"] for f in r["functions"]]
own = {f["name"]: f for f in r["functions"]}
# With the time in which it had no CPU, which is in the program's, too.
inside = own["my_operator"]["inclusive"][0]
print("operator", inside["work"] + inside["blocked"], inside["mpi"])
print("setup", own["mpi_my_setup_"]["inclusive"][0]["mpi"])
print("hidden", *[n for n in ("spin", "reduce", "receive", "fabric_transfer") if n in names])
lines = {(l["function"], l["line"]) for l in r["lines"] if l["self"][0]["mpi"] and l["self"][0]["samples"] > least}
print("places", len(lines), *sorted({f for f, _ in lines}))
own = r["events"][0].get("mpi_threads", {"weight": 0})["weight"]
print("own", own / max(t["elapsed_ns"] for t in r["threads"]))
print("numbers", *[t["index"] for t in r["threads"] if t["self"]],
      *sorted({t["kind"] for t in r["threads"] if not t["self"]}))
send = sum(f["causes"] for f in r["blame"]["functions"] if f["name"] == "MPI_Send")
print("blamed", "yes" if send > 0.9 * r["blame"]["waits"]["barrier"]["charged"] else "no")
t = r["time"]
print("split", round(100 * (t["work_ns"] + sum(t["lost_ns"].values())) / t["thread_ns"]))
e = t["efficiency"]
print("factors", round(1000 * (e["mpi"] + e["openmp"] - 1 - e["parallel"])),
      round(1000 * (e["mpi_balance"] + e["mpi_communication"] - 1 - e["mpi"])))
P
}
of() { awk -v name="$1" '$1 == name { $1 = ""; print substr($0, 2); n++ } END { if (n != 1) print "?" }' seen; }

# judge WHAT: p.omphwc against what the program said.
judge() {
	local all mpi back n
	numbers p.omphwc >seen 2>err || { fail "$1: $(tail -n 1 err)"; return; }
	check "$1: the classes add up" equal "$(of classes)" 0
	for table in threads regions constructs modules files functions lines states tree; do
		check "$1: mpi of all $table is the total" equal "$(of $table)" 0
	done
	read -r all mpi back <said
	n=$("$ompcount" report --format csv --by thread --columns kind,samples p.omphwc | sed -n 's/^initial,//p')
	# The library's loading and the thread's beginning and end are not in the program's time. Each
	# stretch takes four samples or more.
	check "$1: as the program measures it" agrees \
		"$(of all | awk '{ print $3 / $1 }')" "$(awk -v a="$all" -v m="$mpi" 'BEGIN { print m / a }')" \
		"$n" 1 4
	check "$1: each call by its name" equal "$(of calls)" \
		"MPI_Allreduce MPI_Barrier MPI_Recv MPI_Send"
	check "$1: what MPI calls back is work" agrees \
		"$(awk -v w="$(of operator | cut -d ' ' -f 1)" -v a="$(of all | cut -d ' ' -f 1)" 'BEGIN { print w / a }')" \
		"$(awk -v a="$all" -v b="$back" 'BEGIN { print b / a }')" "$n" 1 4
	check "$1: and not MPI" equal "$(of operator | cut -d ' ' -f 2)" 0
	check "$1: nor is a function that is named alike" equal "$(of setup)" 0
	check "$1: the lines are the calls'" equal "$(of places)" "4 call_all main"
	check "$1: losses add up" equal "$(of split)" 100
	check "$1: and efficiencies" equal "$(of factors)" "0 0"
	check "$1: who waits for MPI charges the call" equal "$(of blamed)" yes
}

library >log 2>&1 || skip_all "no library was built: $(tail -n 1 log)"
made -L. -lmpi -Wl,-rpath,"$work" -Wl,-rpath-link,. >log 2>&1 || skip_all "$(tail -n 1 log)"
enough 3000 2 run || skip_all "nothing was profiled: $(tail -n 1 err)"
judge shared
check "MPI's inside is not shown" equal "$(of hidden)" ""
# It lives for as long as the program runs, and began before OpenMP's second thread.
check "MPI's own thread is in no table; its time is shown" below "$(of own | awk '{ print ($1 > 1 ? $1 - 1 : 1 - $1) }')" 0.2
check "and OpenMP's threads have the first numbers" equal "$(of numbers)" "0 1 unknown"
"$ompcount" top -b -n 1 p.omphwc >text
check "top leaves it out, too" equal "$(grep -c '^calls: .*, 2 OpenMP threads' text) $(grep -c ' thread [0-9]*, tid' text)" "1 2"
"$ompcount" report p.omphwc >text
check "the head has its time" grep -q "^not shown: .* s of the MPI library's own threads$" text
check "the head has the class" grep -q '^work .* + mpi [0-9.]* m\{0,1\}s (.*) = ' text
check "and tables a column" grep -q ' ovhd  *mpi ' text
check "lanes have a mark for it" grep -q '  ~ mpi  z blocked, ' <("$ompcount" report --by time p.omphwc)
for by in region function line path thread state construct module file rank host time; do
	check "csv by $by has it" grep -q mpi <("$ompcount" report --format csv --by $by p.omphwc)
done
"$ompcount" report --view machine --format json p.omphwc >machine
check "the machine view has the same total" equal \
	"$("$python" -c 'import json; print(json.load(open("machine"))["events"][0]["total"])')" \
	"$("$python" -c 'import json; print(json.load(open("json"))["events"][0]["total"])')"

# Names are stored: without the libraries the calls are the same.
"$ompcount" report --by state p.omphwc >before
mv libmpi.so away.so && mv calls away
"$ompcount" report --by state p.omphwc >after
check "stored names show the calls" equal "$(grep -c 'in MPI_' after)" "$(grep -c 'in MPI_' before)"
mv away.so libmpi.so && mv away calls

# Linked statically.
"$gcc" -g -O2 -c -o fabric.o -DFABRIC "$programs/mpi_library.c"
"$gcc" -g -O2 -c -o mpi.o "$programs/mpi_library.c"
if made mpi.o fabric.o >log 2>&1 && run 1; then
	numbers p.omphwc >seen 2>err || true
	check "static: the calls that are on the stack by name" equal "$(of classes)" 0
	check "static: some are in MPI" test "$(of all | awk '{ print ($3 > 0.1 * $1) }')" = 1
else
	skip "static: $(tail -n 1 log err | tail -n 1)"
fi

# Without MPI nothing says mpi.
build waits gcc -O2 && "$ompcount" -q -e cpu-clock -o none.omphwc -- "$prog" >out 2>err
if [ -e none.omphwc ]; then
	check "no MPI, no word of it" equal "$({ "$ompcount" report none.omphwc
		"$ompcount" report --format csv none.omphwc
		"$ompcount" report --format json none.omphwc; } | grep -c '"mpi"\| mpi \|_mpi_')" 0
fi
finish
