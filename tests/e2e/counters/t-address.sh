#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples of page faults show which memory was accessed: each page once.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# count NAME: its samples, of period 1, in the report by address.
count() {
	"$ompcount" report --by address --format json p.omphwc >json || return
	python3 - "$1" <<'END'
import json, sys
rows = json.load(open("json"))["memory"]
of = {"table": lambda m: m["kind"] == "global" and m["name"] == "table",
      "block": lambda m: m["kind"] == "mapped",
      "stack": lambda m: m["kind"] == "stack"}[sys.argv[1]]
by = {"table": "touch", "block": "touch", "stack": "on_stack"}[sys.argv[1]]
print(sum(l["self"][0]["work"] for m in rows if of(m) for l in m["lines"] if l["function"] == by))
END
}

# blocks: for each function of grids that allocated: its name, the touched pages of its
# blocks, the number of blocks, its path, and the functions that touched them.
blocks() {
	"$ompcount" report --by address --format json g.omphwc >json || return
	python3 - <<'END'
import json
for m in json.load(open("json"))["memory"]:
    a = m["allocation"]
    if m["kind"] == "block" and (a["file"] or "").endswith("grids.c") and not a["by_runtime"]:
        by = ",".join(sorted({l["function"] for l in m["lines"]}))
        print(a["path"][-1], m["self"][0]["weight"], a["blocks"], ";".join(a["path"]), by,
              a["line"] > 0)
END
}

# Heap blocks are identified by the path that allocated them.
allocated() {
	local what=$1 delivery=$2 name pages path
	shift 2
	rm -f g*.omphwc
	"$ompcount" -q --delivery "$delivery" -e page-faults -c 1 -o g.omphwc -- "$prog" "$@" >truth 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return; }
	[ $# = 0 ] || mv g-*.omphwc g.omphwc	# the child's
	blocks >said
	while read -r name pages; do
		path="main;$name"
		[ "$name" = allocate ] && path="main;make_field;$name"
		grep "^$name " said >its
		check "$what: $name's blocks" equal "$(cut -d' ' -f3- its)" "2 $path touch True"
		# Two merged signals report one address.
		check "$what: $name's pages are there" below "$((pages * 98 / 100))" "$(cut -d' ' -f2 its)"
		check "$what: and no others" below "$(cut -d' ' -f2 its)" "$((pages + 1))"
	done <truth
	check "$what: faults have their addresses" memory_is_all
	"$ompcount" report --by address g.omphwc >text
	check "$what: in text" grep -qE ' heap: allocate \(grids.c:[0-9]+\), 2 blocks, 3.5 MiB' text
	check "$what: and its path" grep -q ' allocated in main > make_field > allocate' text
}

# false_answers: the blocks in a profile of churn that seem touched by the wrong function.
false_answers() {
	"$ompcount" report --by address --format json g.omphwc >json || return
	python3 - <<'END'
import json
told, wrong = set(), 0
for m in json.load(open("json"))["memory"]:
    name = m["allocation"]["path"][-1] if m["kind"] == "block" else ""
    if not name.startswith("make_"):
        continue
    for l in m["lines"]:
        if l["function"] == name.replace("make_", "touch_"):
            told.add(name)
        else:
            wrong += l["self"][0]["weight"]
            print("%s touched by %s," % (name, l["function"]), end=" ")
print(len(told), "kinds told,", wrong, "wrong")
END
}

# Blocks are not confused, whatever threads do with them concurrently.
churned() {
	local what="churn, $1, $2" cc=$1 delivery=$2
	build churn "$cc" -O1 || { skip "$what: $why"; return; }
	rm -f g.omphwc
	"$ompcount" -q --delivery "$delivery" -e page-faults -c 1 -o g.omphwc -- "$prog" "$3" >out 2>err
	check "$what: the program runs" equal "$? $(wc -l <out)" "0 3"
	check "$what: no block is taken for another" equal "$(false_answers)" "3 kinds told, 0 wrong"
}

# none WAY COMMAND…: the report does not say what allocated the heap's blocks.
none() {
	local what=$1
	shift
	rm -f g.omphwc
	"$@" >out 2>err
	check "$what: the program runs" equal "$? $(wc -l <out)" "0 3"
	check "$what: the heap is not told apart" equal "$(blocks || echo unread)" ""
}

# memory_is_all: the rows of the report by address add up to the event's total.
memory_is_all() {
	python3 - <<'END'
import json, sys
d = json.load(open("json"))
told = sum(m["self"][0]["weight"] for m in d["memory"])
for m in d["memory"]:
    for part in "sources", "lines":
        if sum(p["self"][0]["weight"] for p in m[part]) != m["self"][0]["weight"]:
            sys.exit("%s of %s do not add up" % (part, m))
# Two merged signals (for example while they are blocked) report one address.
if told < d["events"][0]["total"]["weight"] * 0.99:
    sys.exit("%d of %d have an address" % (told, d["events"][0]["total"]["weight"]))
END
}

touched() {
	local cc=$1 delivery=$2 what="$1, $2" name pages
	build touch "$cc" -O1 || { skip "$what: $why"; return; }
	rm -f p.omphwc
	OMPHWC_DELIVERY=$delivery "$ompcount" -q -e page-faults -c 1 -o p.omphwc -- "$prog" >truth 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return; }
	while read -r name pages; do
		# A thread's stack has pages in use before; two threads may fault for
		# one page table.
		check "$what: $name's pages are there" below "$((pages * 9 / 10))" "$(count "$name")"
		check "$what: and no others" below "$(count "$name")" "$((pages * 21 / 20))"
	done <truth
	check "$what: faults have their addresses" memory_is_all
	check "$what: the table is named in text" grep -q ' table \[' \
		<("$ompcount" report --by address p.omphwc)
}

command -v python3 >/dev/null || skip_all "no python3, which reads the JSON report here"
touched clang signal
touched gcc signal
touched clang sigtrap
build grids gcc -O1 && allocated "blocks, gcc" sigtrap
if build grids clang -O1; then
	allocated "blocks, clang" signal
	allocated "blocks in a fork's child" auto fork
	grids=$prog
	if build allocator clang -shared -fPIC -O1; then
		export LD_PRELOAD=$prog
		prog=$grids
		allocated "blocks of another allocator" auto
		unset LD_PRELOAD
	fi
	if build grids clang -O1 -DOWN_ALLOCATOR; then
		none "an allocator in the program" "$ompcount" -q -e page-faults -c 1 -o g.omphwc -- "$prog"
		check "an allocator in the program: the report says so" grep -q 'an allocator of its own' \
			<("$ompcount" report g.omphwc)
	fi
fi
if build grids clang -O1; then
	none "--heap-min none" "$ompcount" -q --heap-min none -e page-faults -c 1 -o g.omphwc -- "$prog"
	none "--heap-min 100 MB" "$ompcount" -q --heap-min 100000000 -e page-faults -c 1 -o g.omphwc -- "$prog"
	none "as an OMPT tool" env OMP_TOOL_LIBRARIES="$tool" OMPHWC_EVENTS=page-faults OMPHWC_PERIOD=1 \
		OMPHWC_OUTPUT=g.omphwc "$prog"
	for event in page-faults cpu-clock; do
		"$ompcount" -q -e $event -o g.omphwc -- cat /proc/self/maps >$event.maps
	done
	check "with addresses the heap's library is there" grep -q libomphwc_heap page-faults.maps
	check "without them the allocator is left alone" equal "$(grep -c libomphwc_heap cpu-clock.maps)" 0
	check "and the library is there" grep -q 'libomphwc\.so' cpu-clock.maps
fi
churned clang sigtrap 0.3
[ -z "$long" ] || { churned clang sigtrap 10; churned gcc sigtrap 10; }
build touch clang -O1
rm -f p.omphwc
"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
check "without addresses it says which events show them" grep -q 'page-faults' \
	<("$ompcount" report --by address p.omphwc)
finish
