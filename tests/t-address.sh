#!/bin/bash
# Samples of page faults tell what memory was touched: each page of it, once.
. "$(dirname "$0")/lib.sh"
need_tool

# count NAME: what the report by address says of it, in samples of period 1.
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

# memory_is_all: rows of the report by address add up to the event's total.
memory_is_all() {
	python3 - <<'END'
import json, sys
d = json.load(open("json"))
told = sum(m["self"][0]["weight"] for m in d["memory"])
for m in d["memory"]:
    for part in "sources", "lines":
        if sum(p["self"][0]["weight"] for p in m[part]) != m["self"][0]["weight"]:
            sys.exit("%s of %s do not add up" % (part, m))
# Two signals at once (a blocked one's, say) have one address between them.
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
rm -f p.omphwc
"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
check "without addresses it says which events tell them" grep -q 'page-faults' \
	<("$ompcount" report --by address p.omphwc)
finish
