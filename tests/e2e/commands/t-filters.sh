#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# report's filters: the parts of a filter add up to the whole, in every format and view, to
# the last sample; hidden modules leave the total as it is; names can be pasted.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build filters gcc -O1 -fno-exceptions -DLIBRARY -shared -fPIC -fopenmp
cp "$prog" libside.so
gcc_program() {
	"$gcc" -g -O1 -fno-exceptions -fopenmp -o filters "$programs/filters.cpp" ./libside.so 2>build.log
}
gcc_program || skip_all "gcc builds no such program: $(tail -n 1 build.log)"
measure() {
	"$ompcount" -q -e cpu-clock -F 997 -o p.omphwc -- ./filters "$1" >out 2>err
}
enough 1000 0.7 measure || skip_all "nothing was profiled: $(tail -n 1 err)"

views="user expert machine"

# json FILE EXPRESSION: the value of a Python expression about the report r.
json() {
	python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"
}
# left OPTION…: samples and weight that the JSON report is of.
left() {
	"$ompcount" report --format json "$@" p.omphwc >left.json &&
		sed -n '/"total":{"samples":/{s/.*"total":{"samples":\([0-9]*\),"weight":\([0-9]*\),.*/\1 \2/p;q}' left.json
}
add() { awk '{ a += $1; b += $2 } END { printf "%.0f %.0f\n", a, b }'; }
# counted FILE: the sum of folded counts; the head's lines have none.
counted() { grep -v '^#' "$1" | awk '{ all += $NF } END { printf "%.0f\n", all }'; }

# split NAME OPTION…: each option selects a part; together they are the whole.
split() {
	local name=$1 view o
	shift
	for view in $views; do
		for o in "$@"; do
			eval left --view $view "$o"
		done >parts
		check "$name, $view view: the parts add up" equal "$(add <parts)" "$whole"
		for o in "$@"; do
			eval folded --view $view "$o" p.omphwc
		done >parts.folded
		check "$name, $view view, folded" equal "$(counted parts.folded)" "${whole#* }"
		[ $view = user ] && cp parts parts.user
		check "$name, $view view: as in the user view" cmp parts parts.user
	done
}

# values MEMBER KEY: the names in a member of the JSON report, quoted for the shell.
values() {
	python3 -c 'import json, shlex, sys
for x in json.load(open("whole.json"))[sys.argv[1]]: print(shlex.quote(str(x[sys.argv[2]])))' "$@"
}

if ! command -v python3 >/dev/null; then
	skip_all "no python3"
fi
whole=$(left) && cp left.json whole.json
check "there are samples" below 0 "${whole% *}"
check "without filters the report says so" equal "$(json whole.json 'r["filter"]')" None

# ---- parts and the whole

split "focus and ignore" "--focus '^kernel<'" "--ignore '^kernel<'"
split "waits" "--focus OMP-" "--ignore OMP-"
mapfile -t threads < <("$ompcount" report --by thread --limit 0 p.omphwc |
	sed -n 's/.* thread \([0-9]*\), .*/--thread \1/p')
split "threads" "${threads[@]}"
split "ranges of threads" "--thread 0" "--thread 1-100000"
mapfile -t modules < <(values modules name | sed 's/^/--module /')
split "modules" "${modules[@]}"
# A region as reports print it.
mapfile -t regions < <(json whole.json '"\n".join("--region \x27" + ({"serial": "(serial)", "idle": "(idle)",
	"unknown": "(region not known)", "outside": "(outside OpenMP)"}.get(g["kind"]) or
	"%s:%d (%s)" % (g["function"], g["line"], g["file"].split("/")[-1])) + "\x27"
	for g in r["regions"] if g["self"][0]["samples"])')
check "regions are listed" below 3 "${#regions[@]}"
split "regions" "${regions[@]}"
check "several filters at once" equal \
	"$( (left --region solve --thread 0; left --region solve --thread 1-99999) | add)" "$(left --region solve)"

# ---- what reports say

"$ompcount" report --focus '^kernel<' p.omphwc >text
n=$(left --focus '^kernel<')
check "the head has the share" grep -q "^filtered by --focus ^kernel<: .* of .* samples (.* %) are left" text
check "exactly" equal "$(sed -n 's/^filtered by [^:]*: \([0-9,]*\) of \([0-9,]*\) .*/\1 \2/p' text | tr -d ,)" \
	"${n% *} ${whole% *}"
check "and what is not filtered" grep -q "^not filtered: " text
check "JSON has it, too" equal "$(json left.json '"%d %d" % (r["filter"]["samples_left"], r["filter"]["samples_all"])')" \
	"${n% *} ${whole% *}"
for o in "--calls kernel*1*" "--annotate filters.cpp" "--by construct" "--by thread" "--by state" "--by file"; do
	"$ompcount" report --focus '^kernel<' $o p.omphwc >text
	check "$o: in the head" grep -q "^filtered by --focus" text
done
folded --focus '^kernel<' p.omphwc >text
check "folded: before the paths" grep -q "^# filtered by --focus" text
check "all paths have it" equal "$(grep -v '^#' text | grep -vc 'kernel<')" 0
"$ompcount" report --region solve p.omphwc >text
check "a region's entries are whole" equal "$(grep '  solve:' text | awk '{ print $9 }')" \
	"$("$ompcount" report p.omphwc | grep '  solve:' | awk '{ print $9 }')"
check "no other region" equal "$(grep -c 'gather:' text)" 0
"$ompcount" report --thread 0 p.omphwc >text
check "entries by all threads are left out" equal "$(grep '  solve:' text | awk '{ print $9 }')" -

# refused NAME STATUS MESSAGE ARG…: checks the exit status and the first line.
refused() {
	local name=$1 status=$2 message=$3
	shift 3
	"$ompcount" report "$@" p.omphwc >out 2>err
	check "$name: status" equal $? "$status"
	check "$name: says why" grep -q "^ompcount: .*$message" err
	check "$name: and nothing else" equal "$(wc -c <out)" 0
}
refused "no such function" 1 "no function of a path matches: did you mean solve" --focus solvee
refused "nothing to ignore" 1 "did you mean gather" --ignore gatherr
refused "no expression" 2 "--focus (" --focus '('
refused "an empty name" 2 "--module: its value is empty" --module ''
refused "an empty expression" 2 "--focus: its value is empty" --focus ''
refused "no such region" 1 "did you mean .*solve:" --region sollve
refused "no such module" 1 "did you mean libside.so" --module libsade
refused "nothing to hide" 1 "did you mean libside.so" --hide-modules libsade
"$ompcount" report --hide-modules libside p.omphwc >one
for format in text html; do
	"$ompcount" report --hide-modules libsade,libside,libsyde --format $format -o several p.omphwc 2>err
	check "of several ($format) the others are hidden" equal $? 0
	check "and a line names those that are none" equal "$(cat err)" \
		"ompcount: --hide-modules libsade,libsyde: no sample is in such a module: did you mean libside.so?"
	[ $format = html ] || check "nothing else is other" cmp one several
done
refused "no such thread" 1 "there are 0 to" --thread 98765
refused "no list" 2 "no list of numbers" --thread 1-x
refused "no ranks" 1 "the profiles have none" --rank 0
refused "nothing in both" 1 "no sample is left" --focus '^kernel<' --ignore '^solve'
refused "machine code without calls" 2 "leave --asm or" --hide-modules libside --annotate solve --asm

# ---- functions

"$ompcount" report --by function --limit 0 p.omphwc >functions
# pasted TEXT: the line of functions with it, as it is printed.
pasted() { sed -n "s/^.\{46\}  \(.*$1.*\)/\1/p" functions | head -n 1; }
name=$(pasted 'kernel<float, 1>')
check "a template is printed" grep -q 'kernel<float, 1>' functions
check "and can be pasted" "$ompcount" report --calls "$name" -o calls p.omphwc
check "it is that one" grep -q 'kernel<float, 1>.*, with what it calls' calls
check "called by" grep -q 'solve (filters.cpp' calls
check "pasted to --annotate" "$ompcount" report --annotate "$name" -o annotated p.omphwc
check "shortened by hand" "$ompcount" report --calls 'kernel<double...' -o calls p.omphwc
check "it is the other" grep -q 'kernel<double, 2>.*, with what it calls' calls
check "part of a name" "$ompcount" report --calls libr*inside -o calls p.omphwc
refused "several have the part" 1 "several have such a name" --calls 'kernel<...'
check "they are listed" equal "$(grep -c '  kernel<' err)" 2
check "without a terminal long names are whole" equal "$(pasted 'alike<' | grep -c '\.\.\.')" 0
name='alike<...>'
refused "the shortened name of two" 1 "several have such a name" --calls "$name"
check "both are listed whole" equal "$(grep -c '  alike<.*numbers\|  alike<couple<couple<' err)" 2
name=$(sed -n 's/^ompcount:   \(alike<.*double.*\)/\1/p' err | tail -n 1)
check "one of the list can be pasted" "$ompcount" report --calls "$name" -o calls p.omphwc
refused "no such function to call" 1 "no such name: did you mean gather" --calls gatherrr

# ---- hidden modules

for view in $views; do
	"$ompcount" report --view $view --hide-modules libside --format json p.omphwc >hidden.json
	check "$view view: the total stays" equal \
		"$(json hidden.json '"%d %d" % tuple(r["events"][0]["total"][k] for k in ("samples", "weight"))')" "$whole"
	check "no function of the module" equal \
		"$(json hidden.json 'sum(f["module"] == "libside.so" for f in r["functions"])')" 0
	check "nowhere" equal "$(grep -c '"library_' hidden.json)" 0
	check "lines, functions and regions have the total" equal "$(json hidden.json \
		'sorted({sum(x["self"][0]["weight"] for x in r[k] if x.get("self")) for k in ("lines", "functions", "regions", "constructs", "files", "modules", "tree")})')" \
		"[${whole#* }]"
	folded --view $view --hide-modules libside p.omphwc >text
	check "folded, too" equal "$(counted text) $(grep -c library_ text)" "${whole#* } 0"
done
"$ompcount" report --by line --limit 0 p.omphwc >shown
"$ompcount" report --by line --limit 0 --hide-modules libside p.omphwc >text
check "it says which" grep -q "^hidden modules: .*libside.so" text
call=$(grep -n 'library_calls(called_back' "$programs/filters.cpp" | cut -d: -f1)
check "the line of the call has the cost" grep -q "main (filters.cpp:$call)" text
"$ompcount" report --calls called_back --hide-modules libside -o calls p.omphwc
check "a callback's caller is the library's" grep -q "   main (filters.cpp" calls
check "with a filter" equal "$( (left --hide-modules libside --focus library_; left --hide-modules libside --ignore library_) | add)" "$whole"
refused "hidden functions" 1 "no such name" --hide-modules libside --calls library_inside

# ---- combined reports

"$ompcount" -q -e cpu-clock -F 997 -o q.omphwc -- ./filters 0.2 >out 2>err
"$ompcount" report --format json p.omphwc q.omphwc >both.json
for o in "--focus kernel" "--ignore kernel"; do
	"$ompcount" report --format json $o p.omphwc q.omphwc >part.json
	json part.json 'r["events"][0]["total"]["samples"]'
done >parts
check "two profiles: the parts add up" equal "$(add <parts)" "$(json both.json 'r["events"][0]["total"]["samples"]') 0"
PMI_RANK=0 "$ompcount" -q -e cpu-clock -F 997 -o r0.omphwc -- ./filters 0.2 >out 2>err
PMI_RANK=1 "$ompcount" -q -e cpu-clock -F 997 -o r1.omphwc -- ./filters 0.2 >out 2>err
"$ompcount" report --format json r0.omphwc >part.json
"$ompcount" report --format json --rank 0 r0.omphwc r1.omphwc >both.json
check "a rank of two" equal "$(json both.json 'r["events"][0]["total"]')" "$(json part.json 'r["events"][0]["total"]')"
"$ompcount" report --format json --rank 0-1 r0.omphwc r1.omphwc >both.json
check "both ranks" equal "$(json both.json 'r["filter"]["samples_left"] == r["filter"]["samples_all"]')" True
finish
