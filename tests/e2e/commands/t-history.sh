#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount history over profiles that were made: which changes it finds, and which it must not; what
# is a point; its page in a browser, its badge and its statuses.
. "$(dirname "$0")/../../support/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
made() { "$top_builddir/tests/made_history" "$@" || fail "no profiles: $*"; }
history() { "$ompcount" history "$@"; }

# ask FILE EXPRESSION: of the JSON, as d; s(NAME) is the series of that name.
ask() {
	python3 - "$1" "$2" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
s = lambda name: next(s for s in d["series"] if s["name"] == name)
changes = [(s["name"], c["point"], c["change_percent"], c["worse"]) for s in d["series"] for c in s["changes"]]
print(eval(sys.argv[2]))
END
}

# ---- 200 runs

made equal 200 4711
history -f json -o equal.json equal
check "200 runs are points" equal "$(ask equal.json 'len(d["points"])')" 200
check "equal runs have at most one change" equal "$(ask equal.json 'len(changes) <= 1')" True
made slower 200 4712 region=4 from=100 percent=5
history -f json -o slower.json slower
check "5 % of one region are found" equal "$(ask slower.json \
	'[(abs(p - 100) <= 5, 4 < percent < 6, worse) for name, p, percent, worse in changes if name == "app+0x13ff"]')" \
	"[(True, True, True)]"
check "and no other region" equal "$(ask slower.json \
	'sum(name.startswith("app") and name != "app+0x13ff" for name, *rest in changes)')" 0
check "its time is from fork to join" equal "$(ask slower.json 's("app+0x13ff")["from_fork_to_join"]')" True
check "one without is its cost" equal "$(ask slower.json 's("app+0x12ff")["from_fork_to_join"]')" False
made mended 200 4713 region=5 from=120 to=130 percent=15
history -f json -o mended.json mended
check "one that was slow for ten points is found twice" equal "$(ask mended.json \
	'[(abs(p - at) <= 3, worse) for (name, p, percent, worse), at in zip([c for c in changes if c[0] == "app+0x14ff"], (120, 130))]')" \
	"[(True, True), (True, False)]"
TIMEFORMAT='%U %S'
spent=$({ time history --html 200.html --badge 200.svg slower >text; } 2>&1)
check "the page takes two seconds of CPU time at most ($spent)" awk -v s="$spent" \
	'BEGIN { split(s, t, " "); exit !(t[1] + t[2] <= 2) }'
check "text begins with the newest point" grep -Eq '^c0199: elapsed .* -> .*: within noise \(' text
check "and names the change" grep -Eq '^  c0(09|10)[0-9] .*worse +app\+0x13ff' text
if python3 -c 'import jsonschema' 2>/dev/null; then
	check "JSON is as its schema says" python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
		slower.json "$top_srcdir/doc/history.schema.json"
else
	skip "JSON is as its schema says: no jsonschema"
fi
check "the badge is XML" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' 200.svg
check "and shows the change" grep -q '%' 200.svg

# ---- points

made folders 14 1 runs=3
history -f json -o d.json folders
check "runs of a folder are a point" equal "$(ask d.json '[(p["label"], len(p["runs"])) for p in d["points"]][:2]')" \
	"[('c0000', 3), ('c0001', 3)]"
check "with a deviation" equal "$(ask d.json 's("elapsed")["deviations"][0] > 0')" True
history -f json -o d.json folders/*
check "folders that are named, too" equal "$(ask d.json 'len(d["points"])')" 14
history -f json -o d.json --by run folders
check "or each run" equal "$(ask d.json '(len(d["points"]), len({p["label"] for p in d["points"]}))')" "(42, 42)"
TZ=UTC0 history -f json -o d.json --by day folders
check "or those of a day" equal "$(ask d.json '[(p["label"], len(p["runs"])) for p in d["points"]]')" \
	"[('2023-11-14', 6), ('2023-11-15', 36)]"
history -f json -o d.json --last 5 folders
check "only the last ones" equal "$(ask d.json '(d["points"][0]["label"], d["earlier"])')" "('c0009', 9)"
mkdir named && cp equal/c0000.omphwc named/v10.omphwc && cp equal/c0001.omphwc named/v9.omphwc
check "by begin" equal "$(history -f json named >d.json; ask d.json '[p["label"] for p in d["points"]]')" "['v10', 'v9']"
check "or by name" equal "$(history -f json --sort name named >d.json; ask d.json '[p["label"] for p in d["points"]]')" \
	"['v9', 'v10']"
history -f json -o d.json named/v9.omphwc folders
check "files are points beside folders" equal "$(ask d.json '(len(d["points"]), "v9" in [p["label"] for p in d["points"]])')" \
	"(15, True)"

# ---- what differs, what is missing

made others 20 1
made others 5 2 first=20 threads=4 host=another args=-y
history -f json -o d.json others >out
check "threads, machine and arguments that differ are marked" equal \
	"$(ask d.json '[(p["label"], p["differs"]) for p in d["points"] if p["differs"]]')" \
	"[('c0020', ['arguments', 'host', 'threads'])]"
check "text, too" equal "$(history others | grep -c '^!  .* differ from the point before: at c0020$')" 3
head -c 700 equal/c0005.omphwc >others/broken.omphwc
history -f json -o d.json others
check "what can't be read is left out" equal "$(ask d.json '(len(d["points"]), [l["path"] for l in d["left_out"]])')" \
	"(25, ['others/broken.omphwc'])"

# ---- statuses

made fails 20 3
made fails 1 4 first=20 region=8 from=0 percent=100
history --fail-above 5% fails >out
check "--fail-above: a slow newest point" equal $? 3
check "is beyond noise" grep -q ': slower, beyond noise (' out
history --fail-above 50% fails >out
check "a larger limit" equal $? 0
history --fail-above 5% equal >out
check "an equal one" equal $? 0
# refused STATUS PATTERN ARGUMENT…
refused() {
	local status=$1 pattern=$2
	shift 2
	history "$@" >out 2>err
	equal "$? $(wc -l <err) $(wc -c <out)" "$status 1 0" && grep -q "$pattern" err
}
mkdir empty
check "no folder" refused 2 "history: it needs profiles: "
check "a page without a name" refused 2 ": --html equal: it is the page's name: use --html FILE DIR" --html equal
check "one that is not there" refused 1 "gone: No such file" gone
check "one without profiles" refused 1 "empty: there is no profile in it: " empty
check "an order" refused 2 "no such choice: use time or name" --sort size equal
check "a number" refused 2 "not a number of points" --last 0 equal
check "a page that can't be written" refused 1 "gone/page.html: No such file" --html gone/page.html equal
check "an event" refused 1 "cycles" -e cycles equal

# ---- the page

for command in chromium chromedriver; do
	command -v $command >/dev/null || { skip "the page: no $command"; finish; }
done
made hostile 20 5 "host=</script><img src=x onerror=window.ran=1>"
mv hostile/c0019.omphwc 'hostile/<img src=x onerror=window.ran=1>.omphwc'
history --html hostile.html hostile >out
history -f json -o others.json others
history --html others.html others >out
timeout 240 python3 -B "$top_srcdir/tests/support/runs_cases.py" 200.html slower.json others.html hostile.html ||
	check "all of it was tried" equal "$?" 0
finish
