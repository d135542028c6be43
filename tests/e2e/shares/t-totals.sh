#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every view, grouping and format has the same samples: the totals are exactly equal, and
# equal to the samples taken minus the lost ones.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# self SECTION FILE: "samples weight" of the first event, summed over a section of the JSON
# report, which has one element per line.
self() {
	awk -v section="\"$1\":[" '
	index($0, section) == 1 { in_it = 1; next }
	/^"/ { in_it = 0 }
	in_it && match($0, /"self":\[\{"samples":[0-9]+,"weight":[0-9]+,"work":[0-9]+,"wait":[0-9]+,"overhead":[0-9]+/) {
		split(substr($0, RSTART, RLENGTH), n, /[^0-9]+/)
		samples += n[2]; weight += n[3]; parts += n[4] + n[5] + n[6]
	}
	END { printf "%.0f %.0f%s\n", samples, weight, parts == weight ? "" : " of which work, wait and overhead are not all" }' "$2"
}

# field NAME FILE: the first number of that name
field() { grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | sed 's/.*://'; }

totals() {
	local what=$1 view section want kept lost
	for view in user expert machine; do
		"$ompcount" report --view $view --format json p.omphwc >$view.json || fail "$what: no $view report"
		folded --view $view p.omphwc >$view.folded
	done
	want=$(sed -n 's/.*"total":{"samples":\([0-9]*\),"weight":\([0-9]*\).*/\1 \2/p' user.json | head -n 1)
	check "$what: there are samples" below 100 "${want% *}"
	for view in user expert machine; do
		check "$what: $view, folded" equal "$(total $view.folded)" "${want#* }"
		for section in threads regions constructs functions lines states tree; do
			check "$what: $view, $section" equal "$(self $section $view.json)" "$want"
		done
	done
	check "$what: folded by thread" equal "$(folded --by thread p.omphwc | total -)" "${want#* }"
	kept=$(field kept user.json)
	lost=$(grep '^"samples"' user.json | grep -o '"lost":{[^}]*}' | grep -o '[0-9]*' | awk "{ n += \$1 } END { print n + 0 }")
	check "$what: taken less lost is kept" equal "$(($(field taken user.json) - lost))" "$kept"
	check "$what: kept is what the events have" equal "$kept" \
		"$(grep -o '"total":{"samples":[0-9]*' user.json | grep -o '[0-9]*' | awk "{ n += \$1 } END { print n + 0 }")"
}

run() {
	local name=$1 cc=$2
	shift 2
	build "$name" "$cc" -O2 || { skip "$name, $cc: $why"; return; }
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock,page-faults -F 2000 -o p.omphwc -- "$prog" "$@" >out 2>err ||
		{ fail "$name, $cc: $(tail -n 1 err)"; return; }
	totals "$name, $cc"
}

# Overflows while signals are blocked give one sample but are counted in full: the report
# says how much gave no sample.
if build blocked gcc -O2; then
	"$ompcount" -q --delivery sigtrap -e page-faults -c 1 -o blocked.omphwc -- "$prog" >out 2>err
	check "blocked: the program ran" equal "$(cat out)" "pages 4000"
	"$ompcount" report blocked.omphwc >report
	"$ompcount" report --format json blocked.omphwc >json
	lost=$(sed -n 's/^  \([0-9.]*\) % of it gave no sample: .*/\1/p' report)
	taken=$(grep -o '"total":{"samples":[0-9]*' json | grep -o '[0-9]*$')
	counted=$(grep -o '"counted":{"value":[0-9]*' json | head -n 1 | grep -o '[0-9]*$')
	check "blocked: it counts more than it samples" below $((taken + 3500)) "$counted"
	check "blocked: the report says how much more" equal "$lost" \
		"$(awk -v c="$counted" -v t="$taken" 'BEGIN { printf "%.1f\n", 100 * (c - t) / c }')"
else
	skip "blocked: $why"
fi

run shares clang 0.5
run nested clang 0.5
run tasks gcc 0.5
run threads clang 0.5
# Two clocks overflow simultaneously: no sample of either is lost.
if build shares clang -O2; then
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock/period=1000000/,task-clock/freq=500/ -o p.omphwc -- "$prog" 0.5 >out 2>err
	"$ompcount" report --format json p.omphwc >user.json
	set -- $(grep -o '"total":{"samples":[0-9]*,"weight":[0-9]*' user.json | sed 's/.*weight"://')
	check "two clocks: they agree" below "$(awk -v a="${1:-0}" -v b="${2:-0}" \
		'BEGIN { d = a > b ? a - b : b - a; print b > 0 ? d / b : 1 }')" 0.1
	check "two clocks: each at its own rate" below "$(grep -o '"total":{"samples":[0-9]*' user.json |
		sed 's/.*://' | tr '\n' ' ' | awk '{ d = $1 / ($2 + 1) - 2; print d < 0 ? -d : d }')" 0.25
else
	skip "two clocks: $why"
fi
finish
