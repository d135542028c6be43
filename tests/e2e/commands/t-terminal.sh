#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A report on a terminal: it fits the screen at any width, has colours only there, and is
# paged if it is longer.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
. "$top_srcdir/tests/support/screen.sh"
heat=$top_builddir/bench/demo/heat
[ -e "$heat" ] || (cd "$top_builddir" && ${MAKE:-make} -s bench/demo/heat) >build.log 2>&1 ||
	skip_all "bench/demo/heat cannot be built: $(tail -n 1 build.log)"
"$ompcount" -q -e cpu-clock -o p.omphwc -- "$heat" 15 >/dev/null
unset PAGER OMPHWC_PAGER LESS NO_COLOR
report="'$ompcount' report"

# ---- the screen ----------------------------------------------------------------

for terminal_locale in C C.UTF-8; do
	for columns in 60 80 120 200; do
		screen $columns 40 "$report p.omphwc"
		check "$columns columns, $terminal_locale: it ends by itself" shown '^status 0'
		check "$columns columns: it fits" fits $columns
		check "$columns columns: regions" shown '^ .*%.* parallel region$'
		check "$columns columns: places are whole" shown ' find_conductivity:[0-9]+ \(heat\.c\)$'
		check "$columns columns: where to begin" shown '^(findings, with|  !  .* waiting for a CPU)'
	done
done
check "wide: all columns" shown ' time +% +work +wait +ovhd +thr +imbal +entries +gain +parallel region$'
screen 60 40 "$report p.omphwc"
check "narrow: the important ones" shown ' % +wait +imbal +gain +parallel region$'
for rows in 20 24 30 50; do
	screen 100 $rows "$report p.omphwc"
	check "$rows lines: it ends by itself" shown '^status 0'
	check "$rows lines: its first line is on the screen" shown '^heat 15: '
done
screen 100 50 "$report --sort wait p.omphwc"
check "--sort is for the screen, too" shown '^status 0'
check "--depth alone is of paths" grep -q ' self  path$' <("$ompcount" report --depth 2 p.omphwc)

screen 80 24 "'$ompcount' -e cpu-clock -o after.omphwc '$heat' 15"
check "after a run: the first screen ends by itself" shown '^status 0'
check "its first line is on the screen" shown '^heat 15: '
check "and where to begin, or why not" shown '^(findings, with|  !  )'
check "and the regions" shown ' parallel region$'
check "and the profile" shown '^profile: '

# ---- colours -------------------------------------------------------------------

screen 100 50 "$report p.omphwc"
shown '^status 0' >/dev/null
check "waiting is amber" below 0 "$(picture -e | grep -cE $'\033\\[(38;5;136|33)m')"
screen 100 50 "NO_COLOR=1 $report p.omphwc"
shown '^status 0' >/dev/null
check "NO_COLOR: none" equal "$(picture -e | grep -c $'\033')" 0
screen 100 50 "TERM=dumb $report --by function p.omphwc"
shown '^status 0' >/dev/null
check "a dumb terminal: none" equal "$(picture -e | grep -c $'\033')" 0
"$ompcount" report p.omphwc >piped
check "a pipe: none" equal "$(grep -c $'\033' piped)" 0
check "and the whole report" grep -q 'user view, by region' piped
check "--color always" grep -q $'\033\\[31m' <("$ompcount" report --color always p.omphwc)
sed 's/\x1b\[[0-9;]*m//g' <("$ompcount" report --color always p.omphwc) >plain
check "colours are all the difference" cmp plain piped

# ---- the pager -----------------------------------------------------------------

all="$report --by function --limit 0"
screen 100 20 "PAGER='sed s/^/paged:/ | tail -n 5' $all p.omphwc"
check "what is longer goes through PAGER" shown '^paged:'
check "with status 0" shown '^status 0'
screen 100 20 "PAGER=false OMPHWC_PAGER='sed s/^/ours:/ | tail -n 5' $all p.omphwc"
check "OMPHWC_PAGER is first" shown '^ours:'
screen 100 20 "PAGER='head -n 3; exit 9' $all p.omphwc"
check "a pager that leaves early, and fails" shown '^status 0'
screen 100 20 "PAGER=/none/such $all p.omphwc"
check "a pager that is not there" shown '^status 0'
check "all is printed without it" shown '^ .* <OMP-|^ .* \(heat\.c:[0-9]+\)$'
screen 100 20 "PAGER='sed s/^/paged:/' $all p.omphwc none"
check "a failure keeps its status" shown '^status 1'
check "and pages nothing" equal "$(picture | grep -c paged)" 0
screen 100 20 "PAGER='sed s/^/paged:/' $all --no-pager p.omphwc"
check "--no-pager" shown '^status 0'
check "pages nothing" equal "$(picture | grep -c paged)" 0
screen 100 20 "PAGER=cat $all p.omphwc"
check "PAGER=cat is none" shown '^status 0'
screen 100 20 "PAGER='sed s/^/paged:/' $report --depth 1 --limit 50 --by path p.omphwc >/dev/null"
check "to a file nothing is paged" shown '^status 0'
screen 100 60 "PAGER='sed s/^/paged:/' $report --by thread p.omphwc"
check "what fits is not paged" shown '^status 0'
check "but printed" equal "$(picture | grep -c '^paged:') $(picture | grep -c 'initial, tid')" "0 1"
if command -v less >/dev/null; then
	screen 100 20 "$all p.omphwc"
	check "less: the beginning is shown" shown '^heat 15: '
	keys G
	check "its keys work" shown 'END|helps: '
	keys q
	check "and it ends with ours" shown '^status 0'
	screen 100 20 "$all p.omphwc"
	shown '^heat 15: ' >/dev/null
	keys C-c
	sleep 0.5 # less may forget a key that it reads while it is interrupted
	keys q
	check "an interrupt is the pager's" shown '^status 0'
else
	skip "less: not installed"
fi

# ---- order and depth ---------------------------------------------------------------

# column FROM-TO: what stands in these columns of a table's rows, as they come.
column() {
	awk '/ % +work +wait/ { on = 1; next } on && /more$|^$/ { exit } on && substr($0, 1, 10) ~ /[0-9]/' | cut -c "$1"
}
for by in region function line module file construct thread; do
	"$ompcount" report --by $by --sort wait p.omphwc | grep -v ' from ' | column 25-31 >order
	check "by $by, sorted by wait" sort -c -r -n order
	check "and there are rows" below 0 "$(wc -l <order)"
done
"$ompcount" report --by function --sort incl p.omphwc | column 39-46 >order
check "by function, sorted by incl" sort -c -r -n order
check "which has rows" below 5 "$(wc -l <order)"
"$ompcount" report --by path --depth 2 --limit 0 p.omphwc | sed '1,/ self  path$/d; /^$/,$d' >deep
check "two calls deep" equal "$(cut -c 46- deep | grep -c '^     ')" 0
check "which has both" below 0 "$(cut -c 46- deep | grep -c '^    [^ ]')"
for wrong in "--sort dso" "--sort gain --by line" "--sort total --by state" "--sort work --format json" \
	"--depth 0" "--depth x" "--depth 3 --by line" "--color red"; do
	# shellcheck disable=SC2086
	"$ompcount" report $wrong p.omphwc >out 2>err
	check "$wrong: refused" equal "$? $(wc -l <err) $(wc -c <out)" "2 1 0"
done
finish
