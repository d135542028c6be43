#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount report: every view and grouping has the same total, an unreadable file gives one
# line, and no output file is incomplete.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
build nested clang -O2 || must_build nested gcc -O2
with_runtime 14 || with_runtime 16 || with_runtime 19 || true
LD_LIBRARY_PATH=${runtime:-}:${runtime:-}/gomp "$ompcount" -q -e cpu-clock -F 997 -o p.omphwc -- \
	"$prog" 1 >out 2>err || skip_all "nothing was profiled: $(tail -n 1 err)"

# refused NAME STATUS MESSAGE ARG…: checks the exit status and the only line.
refused() {
	local name=$1 status=$2 message=$3
	shift 3
	"$ompcount" report "$@" >out 2>err
	check "$name: status" equal $? "$status"
	check "$name: says why" grep -q "^ompcount: .*$message" err
	check "$name: in one line" equal "$(wc -l <err)" 1
	check "$name: and nothing else" equal "$(wc -c <out)" 0
}

# ---- totals

kept=$("$ompcount" report --format json p.omphwc | sed -n 's/^"samples":.*"kept":\([0-9]*\).*/\1/p')
weight=$("$ompcount" report --format json p.omphwc |
	sed -n 's/.*"total":{"samples":\([0-9]*\),"weight":\([0-9]*\),.*/\1 \2/p' | head -n 1)
check "samples are kept" below 0 "$kept"
check "the event has them all" equal "${weight% *}" "$kept"
for view in user expert machine; do
	for by in path thread; do
		folded --view $view --by $by p.omphwc >folded
		check "$view by $by: the same total" equal "$(total folded)" "${weight#* }"
	done
	for by in region construct function line path thread state; do
		"$ompcount" report --view $view --by $by p.omphwc >"$view-$by"
		check "$view by $by: work, wait and overhead of the same" equal \
			"$(grep '^work ' "$view-$by")" "$(grep '^work ' user-region)"
	done
	check "$view: a JSON report" "$ompcount" report --view $view --format json -o $view.json p.omphwc
done
for by in "count --count" "time --timeline" "parallelism --timeline" "blame --blame"; do
	refused "by ${by% *}, which was not recorded" 1 "--by ${by% *}: .*: run it again with ompcount ${by#* }$" \
		--by "${by% *}" p.omphwc
	check "by ${by% *}: for programs the table is empty" equal \
		"$("$ompcount" report --by "${by% *}" --format csv p.omphwc | wc -l)" 1
done
check "a region is called by its directive" grep -q 'inner:[0-9]* (nested.c)' user-region
check "with the ways that it was reached" grep -q 'from .*left > inner' user-region
check "no frame of the runtime in the user view" equal \
	"$(folded p.omphwc | grep -cE '__kmp|GOMP_|libomp|libgomp|clone|start_thread')" 0

# ---- details

check "callers and callees" "$ompcount" report --calls kernel -o calls p.omphwc
check "who calls it" grep -q 'inner (nested.c' calls
check "source beside its costs" "$ompcount" report --annotate kernel -o annotated p.omphwc
check "has its text" grep -q 'kernel(' annotated
refused "a function that is not there" 1 "no such name" --annotate nosuchfunction p.omphwc
if command -v objdump >/dev/null; then
	check "machine code beside its costs" "$ompcount" report --annotate kernel --asm -o code p.omphwc
	check "has instructions" grep -qE '^ .* (mov|add|fadd|ldr)' code
	# waits OPTION…: nanoseconds of wait that the rows of inner have, in milliseconds.
	waits() { "$ompcount" report --annotate inner --format csv "$@" p.omphwc | csv _wait |
		awk '{ ns += $1 } END { printf "%d", ns / 1e6 }'; }
	check "waits stand beside the calls that they are in" equal "$(waits --asm)" "$(waits)"
fi

# ---- code without debug information

cp -p "$prog" bare && "${STRIP:-strip}" -g bare
LD_LIBRARY_PATH=${runtime:-}:${runtime:-}/gomp "$ompcount" -q -e cpu-clock -F 997 -o bare.omphwc -- \
	./bare 1 >out 2>err
"$ompcount" report bare.omphwc >out
check "no debug information: one line, with the remedy" equal "$(grep -c \
	'^no source lines for [0-9.]* % of the work: bare has no debug information: compile it with -g$' out)" 1
check "and none where there is some" equal "$("$ompcount" report p.omphwc | grep -c 'source lines')" 0
refused "a function without lines" 1 "kernel.*: it has no source lines: compile it with -g" \
	--annotate kernel bare.omphwc
refused "a file that has no lines" 1 "nested.c: no code in the profile has source lines: compile it with -g" \
	--annotate nested.c bare.omphwc

# Names are in a file that is not there, as dwz makes one: no function is its own origin.
if objcopy --remove-section .debug_str "$prog" nameless 2>/dev/null; then
	LD_LIBRARY_PATH=${runtime:-}:${runtime:-}/gomp "$ompcount" -q --no-names -e cpu-clock -F 997 \
		-o nameless.omphwc -- ./nameless 1 >out 2>err
	check "debug information without names: a report" "$ompcount" report -o out nameless.omphwc
fi

# ---- the last run of a folder

"$ompcount" report --by line p.omphwc >one
mkdir nothing last last/omphwc.17.0
head -c 100 p.omphwc >short
cp short last/short.omphwc
cp p.omphwc last/omphwc.17.0/
check "of a folder" equal "$("$ompcount" report --by line last 2>err)" "$(cat one)"
check "what can't be read there is said" grep -qx 'ompcount: last/short.omphwc: too short to be read: left out' err
cp short last/shorter.omphwc
"$ompcount" report last >out 2>err
check "and how many" grep -q ': left out, with 1 other file$' err
rm last/shorter.omphwc
check "resolve takes a folder" "$ompcount" resolve last/omphwc.17.0
check "without a name" equal "$(cd last && "$ompcount" report --by line 2>/dev/null)" "$(cat one)"
mkdir two
"$ompcount" -q -e cpu-clock -o two/a.omphwc true
cp p.omphwc two/
"$ompcount" report two >out 2>err
check "of several runs it says which" grep -q '^ompcount: the last of 2 runs in two: true, .*two/p[.]omphwc$' err

"$ompcount" merge -o two/merged.omphwc two >/dev/null 2>&1
check "a merged file is not added to what it is of" equal "$("$ompcount" report two 2>&1 >/dev/null |
	sed -n 's/^ompcount: the last of \([0-9]*\) runs .*/\1/p')" 2
rm two/a.omphwc two/p.omphwc
check "but is shown if it is all that is there" equal "$("$ompcount" report --by line two 2>&1)" \
	"$("$ompcount" report --by line two/merged.omphwc)"

# ---- unreadable files

: >empty
echo "something else, and long enough to look at" >foreign
{ head -c 8 p.omphwc; printf '\0\0\377\0'; tail -c +13 p.omphwc; } >newer
(cd nothing && refused "no profile" 2 "no profile given, and none in this folder"; [ $failures -eq 0 ]) ||
	failures=$((failures + 1))
refused "no such file" 1 "No such file" nowhere.omphwc
refused "a folder without profiles" 1 "there is no profile in it" nothing
refused "an empty file" 1 "empty" empty
refused "a piece of a profile" 1 "too short" short
refused "a foreign file" 1 "not a profile" foreign
refused "a newer profile" 1 "newer" newer
refused "the same twice" 1 "named before" p.omphwc p.omphwc
refused "no such view" 2 "no such choice" --view owner p.omphwc
refused "no such grouping" 2 "no such choice" --by weight p.omphwc
check "the groupings are reported" equal "$("$ompcount" report --by weight p.omphwc 2>&1 | sed 's/.*: use //; s/ or /, /' | tr -d ,)" \
	"$(cd "$top_srcdir" && sed -n '/^static const char \*const by_names/,/^}/s/\[[A-Z_]*\] = "\([a-z]*\)",/\1/gp' src/output/output.c | xargs)"
refused "no such depth" 2 "depth x: not a number of calls: give a number" --by path --depth x p.omphwc
refused "a share that is none" 2 "limit x: not a share: give a percentage" --limit x p.omphwc
refused "a column that the table has not" 2 "sort incl: the table by region has no such column: use" --sort incl --by region p.omphwc
refused "a table that is not sorted" 2 "sort work: the table by time is not sorted: leave it out" --sort work --by time p.omphwc
refused "no such format" 2 "no such choice" --format xml p.omphwc
refused "no such option" 2 "no such option" --nothing p.omphwc
refused "no value" 2 "needs a value" --by
refused "no such event" 2 "no such event: it has cpu-clock" -e cycles p.omphwc
refused "a limit beyond all" 2 "0 to 100" --limit 101 p.omphwc
refused "folded lines" 2 "paths only" --format folded --by line p.omphwc

# ---- unwritable files

echo before >there
chmod 600 there
refused "a folder that is not there" 1 "No such file" -o nowhere/report p.omphwc
refused "a full disk" 1 "No space left" -o /dev/full p.omphwc
cp p.omphwc q.omphwc
refused "a profile" 2 "q.omphwc: is a profile, and is not replaced: name another file" -o q.omphwc p.omphwc
refused "as JSON too" 2 "is a profile" --format json -o q.omphwc p.omphwc
"$ompcount" diff -o q.omphwc p.omphwc p.omphwc 2>err
check "diff replaces none either" equal "$? $(grep -c 'is a profile, and is not replaced' err)" "2 1"
"$ompcount" scale -t 1 --table q.omphwc -- true >out 2>err
check "nor does scale" equal "$? $(grep -c 'is a profile, and is not replaced' err)" "2 1"
check "and nothing has changed it" cmp p.omphwc q.omphwc
check "a file is replaced" "$ompcount" report -o there p.omphwc
check "whole" grep -q '^work ' there
check "with its rights" equal "$(stat -c %a there)" 600
"$ompcount" report p.omphwc >/dev/full 2>err
check "full standard output: status" equal $? 1
for closed in "report p.omphwc" "report --format csv p.omphwc" "report --help" "list"; do
	"$ompcount" $closed 2>closed >&-
	check "closed standard output, $closed: says so" equal "$? $(wc -l <closed)" "1 1"
done
check "full standard output: says so" grep -q "No space left" err
"$ompcount" report --format folded p.omphwc 2>err | head -n 1 >out
check "a reader that leaves is no error to speak of" equal "$(wc -c <err)" 0
check "nothing is left behind" equal "$(find . -name '*.??????' | grep -cE 'there\.|report\.|json\.')" 0
# ---- many files without names --------------------------------------------------------

cat >spin.c <<'END'
#ifdef SPIN
/* Not exported. */
static __attribute__((noinline)) void spin(void)
{
	for (volatile int i = 0; i < 20000000; i++)
		;
}

void SPIN(void)
{
	spin();
}
#else
void one(void), two(void), three(void), four(void), five(void);

int main(void)
{
	one(), two(), three(), four(), five();
}
#endif
END
parts=
for part in one two three four five; do
	"$gcc" -O1 -s -shared -fPIC -DSPIN=$part -o lib$part.so spin.c 2>>err && parts+=" ./lib$part.so"
done
if "$gcc" -O1 -o spin spin.c $parts 2>>err &&
	"$ompcount" -q -e cpu-clock -F 2000 -o spin.omphwc ./spin >/dev/null 2>>err; then
	"$ompcount" report spin.omphwc >text
	check "files without names are counted in one line" equal \
		"$(grep -c '^without names 5 modules: lib[a-z]*\.so, lib[a-z]*\.so, lib[a-z]*\.so, \.\.\. (-v says why)$' text) $(grep -c stripped text)" "1 0"
	check "-v: all, and why" equal \
		"$("$ompcount" report -v spin.omphwc | grep -c '/lib[a-z]*\.so: stripped')" 5
else
	skip "files without names: $(tail -n 1 err)"
fi

# ---- lambdas -------------------------------------------------------------------------

cat >lambdas.cc <<'END'
template <class F> __attribute__((noinline)) void over(F f)
{
	for (volatile int i = 0; i < 30000000; i++)
		f(i);
}

static volatile double sum;

int main()
{
	over([](int x) { sum = sum + x; });
	over([](int x) { sum = sum * x; });
}
END
if "$gcc" -O0 -g -o lambdas lambdas.cc 2>>err &&
	"$ompcount" -q -e cpu-clock -F 2000 -o lambdas.omphwc ./lambdas >/dev/null 2>>err; then
	"$ompcount" report --by function lambdas.omphwc >text
	for line in 11 12; do
		check "the lambda of line $line has a row" grep -q "operator().* (lambdas.cc:$line)$" text
		label=$(sed -n "s/.*  \([^ ].*operator().* (lambdas.cc:$line)\)$/\1/p" text | head -n 1)
		check "--calls takes what the row says" grep -qF "$label, with what it calls" \
			<("$ompcount" report --calls "$label" lambdas.omphwc)
		check "--annotate does, too" grep -q "sum = sum [+*] x" \
			<("$ompcount" report --annotate "$label" lambdas.omphwc)
	done
	check "their instances have rows of their own" equal "$(grep -c ' over<main::{lambda(int)#[12]}> ' text)" 2
else
	skip "lambdas: $(tail -n 1 err)"
fi

# What never comes, and what comes after a profile.
mkfifo fifo
timeout 30 "$ompcount" report fifo >out 2>err
check "a FIFO that nobody writes to" equal $? 1
check "is refused in a line" equal "$(cat err)" "ompcount: fifo: it is no ordinary file: copy it into one"
sleep 60 >fifo &
writer=$!
timeout 30 "$ompcount" report fifo >out 2>err
check "nor to which nothing is written" equal "$?$(wc -l <err)" 11
kill $writer
p=$(ls ./*.omphwc | head -n 1)
check "from a pipe as from the file" equal "$(cat "$p" | "$ompcount" report /dev/stdin)" "$("$ompcount" report "$p")"
cat "$p" "$p" >two.omphwc
"$ompcount" report two.omphwc >out 2>err
check "two profiles one behind the other" equal $? 1
check "are refused in a line" equal "$(cat err)" "ompcount: two.omphwc: another profile follows the first in it: name each as a file of its own"
"$ompcount" merge -o m "$p" >out 2>err
cat m "$p" >two.omphwc
"$ompcount" report two.omphwc >out 2>err
check "behind a merged file, too" grep -q 'another profile follows' err

# --html names its file: after the profile or the folder, in this folder, where `ls' shows it.
mkdir -p pages/run
cp "$p" pages/run/a.omphwc
cp "$p" pages/plain
cp "$p" "pages/$(printf 'new\nline').omphwc"
cd pages || exit 1
page() {
	check "--html $1: $2" equal "$("$ompcount" report --html "$1" 2>&1)" "$2: a page for your browser"
	check "it is there" grep -qi '^<!doctype html>' "$3"
	rm -f ./*.html .*.html
}
page run/a.omphwc a.html a.html
page run run.html run.html
page run// run.html run.html
page plain plain.html plain.html
page "$(printf 'new\nline').omphwc" 'new\012line.html' "$(printf 'new\nline.html')"
cd run || exit 1
page . a.html a.html
page ./ a.html a.html
mkdir sub
cd sub || exit 1
page .. a.html a.html
cd ../.. || exit 1
check "the last format counts" equal "$("$ompcount" report --html --format csv plain)" "$("$ompcount" report --format csv plain)"
check "and makes no page" equal "$(ls ./*.html 2>/dev/null)" ""
long=$(printf '%0250d' 0)
cp plain "$long"
"$ompcount" report --html "$long" >out 2>err
check "too long a name is refused" equal $? 1
check "in a line" equal "$(wc -l <err)" 1
check "and the profile is as it was" cmp plain "$long"
cd ..
finish
