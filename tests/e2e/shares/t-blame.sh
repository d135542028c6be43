#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Waiting is charged to the one function that causes it, in programs where it is known.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"

run() {
	rm -f p.omphwc
	env LD_LIBRARY_PATH="$path" "$ompcount" -q --blame -e "$event" -F 4000 -o p.omphwc -- \
		"$prog" "$kind" "$1" 2>err
}

# numbers KIND NAME: of all waiting that was charged, the share of culprit() and of that kind
# and name; and the charged waiting of that kind over that in the waiting threads' samples.
numbers() {
	"$ompcount" report --format json p.omphwc | python3 -c '
import json, sys
kind, name = sys.argv[1], sys.argv[2] or None
b = json.load(sys.stdin)["blame"]
all = sum(w["charged"] for w in b["waits"].values())
rows = sum(r["causes"] for r in b["rows"])
parts = [p for r in b["rows"] for p in r["parts"]]
culprit = sum(f["causes"] for f in b["functions"] if f["name"] == "culprit")
waited = b["waits"][kind]["waited"]
print("culprit %.4f" % (culprit / all))
print("kind %.4f" % (sum(p["causes"] for p in parts if p["kind"] == kind and p["object"] == name) / all))
print("rows %d" % (rows - all))
print("parts %d" % (sum(p["causes"] for p in parts) - all))
print("charged %s" % ("%.4f" % min(1, culprit / waited) if waited else "unknown"))' "$1" "$2"
}
of() { awk -v name="$2" '$1 == name { print $2; n++ } END { if (n != 1) print "?" }' "$1"; }

# one KIND WAIT OBJECT: the program waits so, for a mutex of that name.
one() {
	local kind=$1 n
	name="$compiler, $(runtime_name $version), $kind, $event"
	enough 6000 0.9 run || { fail "$name: $(tail -n 1 err)"; return; }
	numbers "$2" "${3:-}" >seen || { fail "$name: no numbers"; return; }
	# The samples of the thread that works: one in two, at least one in four.
	n=$(($(samples p.omphwc) / 4))
	check "$name: rows add up" equal "$(of seen rows)" 0
	check "$name: so do their parts" equal "$(of seen parts)" 0
	check "$name: it is the function" reaches "$(of seen culprit)" 0.95 $n
	check "$name: by what is waited for" reaches "$(of seen kind)" 0.95 $n
	[ "$event" = wall ] || return 0
	check "$name: all waiting" reaches "$(of seen charged)" 0.95 $n
}

all() {
	compiler=$1 version=$2
	build blame "$1" -O2 -fopenmp || { skip "$1: $why"; return; }
	with_runtime "$2" || { skip "$1: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	event=wall
	[ "$1" = clang ] && [ -z "$long" ] || one lock lock lock
	one heap lock "made in new_used_lock (blame.c:$(grep -n 'the used one' "$top_srcdir/tests/programs/blame.c" | cut -d: -f1))"
	one critical critical guard
	one barrier barrier
	[ "$1" = clang ] && [ -z "$long" ] || one serial idle
	one tasks tasks
	# libomp does not report waits in doacross.
	[ "$1" = clang ] || one doacross ordered
	[ "$1" = clang ] && [ -z "$long" ] && return
	one lasttasks tasks
	one nested barrier
}

all clang 16
all gcc gomp

"$ompcount" report --by blame p.omphwc >text
check "the report shows the function" grep -q ' culprit ' text
check "it shows what was charged to nobody" grep -q 'to nobody' text

sum() {
	"$ompcount" report --format json "$@" p.omphwc | python3 -c '
import json, sys
print(sum(r["causes"] for r in json.load(sys.stdin)["blame"]["rows"]))'
}
check "filters leave what is charged to what they leave" \
	equal "$(($(sum --focus '^culprit$') + $(sum --ignore '^culprit$')))" "$(sum)"

# Threads that sleep are waited for by nobody's samples but those who work.
compiler=gcc event=cpu-clock
one barrier barrier
"$ompcount" report --by blame p.omphwc >text
check "a CPU clock does not show what was charged to nobody" grep -q -e '-e wall' text

"$ompcount" -q -e wall -o p.omphwc -- "$prog" barrier 0.2
"$ompcount" report --by blame p.omphwc >text 2>&1
check "without --blame it says so" grep -q 'run it again with ompcount --blame' text
check "and JSON has null" equal "$("$ompcount" report --format json p.omphwc | grep -c '^"blame":null,$')" 1
finish
