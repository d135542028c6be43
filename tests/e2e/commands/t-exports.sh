#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What report writes for other tools: it adds up to the profile's totals, the tools read it, odd
# names survive, and broken targets are reported.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

python=
for p in python3 /usr/bin/python3; do
	[ -z "$python" ] && "$p" -c 'import json' 2>/dev/null && python=$p
	"$p" -c 'import jsonschema, pandas' 2>/dev/null && python=$p
done
go=$(command -v go || ls /usr/lib/go-1.*/bin/go 2>/dev/null | head -n 1)
# Debian has it in a profiler of Perl's.
flamegraph=$(command -v flamegraph.pl || ls /usr/share/perl5/Devel/NYTProf/flamegraph.pl 2>/dev/null)
formats="csv json folded speedscope callgrind hatchet"
"$ompcount" report --format pprof nowhere 2>&1 | grep -q 'built without' || formats+=" pprof"
groups="region construct function line path thread state module file cpu rank host address blame time parallelism task count finding phase device dependence descriptor"

report() { "$ompcount" report "$@"; }

# pprof FILE ARG…: what go's pprof says of it.
pprof() { HOME=$work PPROF_TMPDIR=$work "$go" tool pprof "${@:2}" "$1" 2>&1; }

# exported PROFILE…: all of its exports, in the folder `all'.
exported() {
	local by n
	rm -rf all && mkdir all || return
	report --format json -o all/json "$@" || return
	for by in $groups; do
		report --format csv --by "$by" -o "all/csv.$by" "$@" || return
	done
	n=0
	grep -o '^{"label":"[^"]*"' all/json | cut -d'"' -f4 >events
	while read -r event; do
		report -f folded -e "$event" -o all/folded.path.$n "$@" &&
			report -f folded -e "$event" --by thread -o all/folded.thread.$n "$@" &&
			report -f folded -e "$event" --lines -o all/folded.lines.$n "$@" || return
		n=$((n + 1))
	done <events
	report -f speedscope -o all/speedscope "$@" &&
		report -f speedscope --by thread --lines -o all/speedscope.thread "$@" &&
		report -f callgrind -o all/callgrind "$@" &&
		report -f hatchet -o all/hatchet "$@" || return
	case $formats in *pprof) report -f pprof -o all/pprof "$@" || return ;; esac
}

# opened WHAT: by the tools themselves.
opened() {
	if command -v callgrind_annotate >/dev/null; then
		callgrind_annotate --auto=no all/callgrind >all/callgrind.annotated 2>annotate.err
		callgrind_annotate --auto=no --inclusive=yes --threshold=100 all/callgrind \
			>all/callgrind.inclusive 2>>annotate.err
		check "$1: callgrind_annotate has no complaint" equal "$(cat annotate.err)" ""
	fi
	if [ -e all/pprof ] && command -v protoc >/dev/null; then
		gzip -dc <all/pprof | protoc -I"$top_srcdir/src/output/pprof" --decode=pprof.Profile \
			profile.proto >all/pprof.text 2>protoc.err || fail "$1: protoc: $(cat protoc.err)"
	fi
	if [ -e all/pprof ] && [ -n "$go" ]; then
		check "$1: go tool pprof finds nothing unknown" equal \
			"$(pprof all/pprof -top | grep -cE '<unknown>|[Ee]rror|failed')" 0
	fi
	if [ -n "$flamegraph" ]; then
		perl "$flamegraph" all/folded.path.0 >all/flame.svg 2>flame.err
		check "$1: flamegraph.pl has no complaint" equal "$(cat flame.err)" ""
		check "$1: its picture's total" equal \
			"$(sed -n 's/.*<title>all (\([0-9,]*\) samples.*/\1/p' all/flame.svg | tr -d ,)" "$(total all/folded.path.0)"
	fi
}

# all_of WHAT PROFILE…; pandas takes seconds to begin, and is there once.
with=pandas
all_of() {
	local what=$1
	shift
	exported "$@" 2>err || { fail "$what: $(tail -n 1 err)"; return; }
	opened "$what"
	[ -n "$python" ] || { skip "$what: sums: no python3"; return; }
	"$python" "$top_srcdir/tests/support/exports.py" "$what" all "$top_srcdir/doc/report.schema.json" \
		$with >sums 2>&1 || fail "$what: exports.py: $(tail -n 1 sums)"
	cat sums
	with=
	failures=$((failures + $(grep -c '^FAIL: ' sums)))
}

# profiled NAME COMPILER ARG…: NAME.omphwc of two events, and of what was when.
profiled() {
	local name=$1
	build "$1" "$2" -O2 || return
	shift 2
	rm -f "$name.omphwc"
	"$ompcount" -q --timeline -e cpu-clock,page-faults -F 2000 -o "$name.omphwc" -- "$prog" "$@" >out 2>err && return
	why=$(tail -n 1 err)
	return 1
}

if profiled tasks gcc 0.2; then
	all_of "tasks, gcc" tasks.omphwc
else
	skip_all "nothing was profiled: $why"
fi
if profiled nested clang 0.2; then
	all_of "nested, clang" nested.omphwc
	all_of "two processes" tasks.omphwc nested.omphwc
	all_of "expert view" --view expert nested.omphwc
else
	skip "nested, clang: $why"
fi
build tasks gcc -O2
{ "$ompcount" -q -e cpu-clock,page-faults -F 2000 -o killed.%c.omphwc -- \
	timeout -s KILL 0.5 "$prog" 20 >out 2>err; } 2>/dev/null
killed=$(ls killed.tasks*.omphwc 2>/dev/null | head -n 1)
if [ -n "$killed" ]; then
	all_of "killed" "$killed"
else
	skip "killed: no profile: $(tail -n 1 err)"
fi

# Time in MPI, by a library of the tests' own.
part() { "$gcc" -g -O2 -shared -fPIC "$@"; }
if part -DFABRIC -o libfabrix.so "$programs/mpi_library.c" &&
	part -o libmpi.so "$programs/mpi_library.c" -L. -lfabrix -Wl,-rpath,"$work" -lpthread &&
	"$gcc" -g -fopenmp -o calls "$programs/mpi_calls.c" -L. -lmpi -Wl,-rpath,"$work" -Wl,-rpath-link,. &&
	"$ompcount" -q --timeline -e wall,page-faults -o mpi.omphwc -- ./calls 0.3 >out; then
	all_of "MPI" mpi.omphwc
	check "MPI: csv has the class" grep -q _mpi_ns all/csv.function
else
	skip "MPI: the library or the program was not built"
fi 2>err

# ---- the other schemas, and the golden reports

if [ -n "$python" ] && "$python" -c 'import jsonschema' 2>/dev/null; then
	report --format json tasks.omphwc >/dev/null
	"$ompcount" diff --format json tasks.omphwc "${killed:-tasks.omphwc}" >diff.json 2>err
	for pair in "report $top_srcdir/tests/golden/report.json" "diff diff.json"; do
		set -- $pair
		check "$(basename "$2") fits the schema" "$python" -c '
import json, sys, jsonschema
text = open(sys.argv[2]).read()
report = json.loads(text)
report.setdefault("program", "")
jsonschema.validate(report, json.load(open(sys.argv[1])))' \
			"$top_srcdir/doc/$1.schema.json" "$2"
	done
else
	skip "schemas: no python3-jsonschema"
fi

# ---- names

cat >odd.c <<'END'
#include <time.h>

#define PART(name) \
	__attribute__((noinline)) void name(void) \
	{ \
		for (volatile int i = 0; i < 30000000; i++) \
			; \
	}
PART(odd_one)
PART(odd_two)
PART(odd_three)

int main(void)
{
	odd_one(), odd_two(), odd_three();
}
END
lengthy=$(printf '%010000d' 0 | tr 0 n)
odd='größe of: a, "b" <c> 函数'
if "$gcc" -O1 -c odd.c 2>err && objcopy --redefine-sym odd_one="$odd" --redefine-sym odd_two="$lengthy" \
	--redefine-sym odd_three='=1+x' odd.o 2>>err && "$gcc" -o odd odd.o 2>>err &&
	"$ompcount" -q -e cpu-clock -F 2000 -o odd.omphwc ./odd >/dev/null 2>>err; then
	all_of "odd names" odd.omphwc
	for f in folded callgrind; do
		report -f $f odd.omphwc >odd.$f
		check "$f has the odd name" grep -qF "$odd" odd.$f
		check "$f has the long name" grep -qF "$lengthy" odd.$f
	done
	check "csv quotes it" grep -qF 'größe of: a, ""b"" <c> 函数"' all/csv.function
	check "csv has no formula" grep -q "^'=1+x," all/csv.function
	if [ -n "$python" ]; then
		check "JSON of all formats has them" "$python" -c '
import json, sys
for name in "json", "speedscope", "hatchet":
    text = json.dumps(json.load(open("all/" + name)), ensure_ascii=False)
    for odd in sys.argv[1:]:
        assert json.dumps(odd, ensure_ascii=False)[1:-1] in text, (name, odd[:20])' \
			"$odd" "$lengthy" =1+x
	fi
	if [ -e all/pprof ] && [ -n "$go" ]; then
		pprof all/pprof -raw >raw
		check "go tool pprof has the odd name" grep -qF "$odd" raw
		check "go tool pprof has the long name" grep -qF "$lengthy" raw
	fi
else
	skip "odd names: $(tail -n 1 err)"
fi

# ---- targets

mkdir readonly && chmod 555 readonly
for f in $formats; do
	report -f "$f" -o /dev/full tasks.omphwc 2>err
	check "$f, a full disk: status" equal $? 1
	check "$f, a full disk: says so" grep -q 'No space left' err
	report -f "$f" tasks.omphwc 2>err >/dev/full
	check "$f, a full standard output: status" equal $? 1
	report -f "$f" tasks.omphwc 2>err | :
	check "$f, a closed pipe: no complaint" equal "$(cat err)" ""
	if [ "$(id -u)" -ne 0 ]; then
		report -f "$f" -o readonly/x tasks.omphwc 2>err
		check "$f, a folder without rights: status" equal $? 1
		check "$f, a folder without rights: says so" grep -q 'Permission denied' err
	fi
done
check "nothing is left in it" equal "$(ls readonly)" ""
case $formats in
*pprof)
	if can_type; then
		script -qec "$ompcount report -f pprof tasks.omphwc" typed </dev/null >said 2>&1
		check "pprof, a terminal: status" equal $? 2
		check "pprof, a terminal: says why" grep -q 'binary output is not written to a terminal' said
	else
		skip "pprof, a terminal: none can be had by script(1)"
	fi ;;
esac

# ---- options

# refused STATUS MESSAGE ARG…
refused() {
	local status=$1 message=$2
	shift 2
	report "$@" tasks.omphwc >out 2>err
	check "$*: status" equal $? "$status"
	check "$*: says why" grep -qF "$message" err
	check "$*: writes nothing" equal "$(cat out)" ""
}
refused 2 "did you mean region?" --format csv --columns regoin
refused 2 "only csv's can be selected" --columns region
refused 2 "only paths of" --lines
refused 2 "it shows paths only" -f pprof --by thread
refused 2 "text or csv only" -f json --calls main
check "columns in the order that was asked for" equal \
	"$(report --format csv --columns work,region tasks.omphwc | head -n 1)" "cpu-clock:u_work_ns,region"
check "of the event that sorts" equal \
	"$(report --format csv --columns weight -e page-faults:u tasks.omphwc | head -n 1)" "page-faults:u_events"

# ---- the manual names each column, and no other

manual=$top_srcdir/doc/ompcount-report.1
columns() { sed -n '/^\.SH COLUMNS$/,/^\.SH SEE ALSO$/p' "$manual" | sed 's/\\-/-/g; s/\\~/ /g'; }
# Those of the table; costs have the event's name.
listed() { report --format csv --columns help "$@" tasks.omphwc | cut -f 1 | grep -v ':u_' | tr '\n' ' ' | sed 's/ $//'; }
told() { columns | grep -A 1 -xF ".B $1" | sed -n '2s/^\.I //p' | sed 's/ \.$//'; }
for by in $groups; do
	check "the manual has the columns by $by" equal "$(told "--by $by")" "$(listed --by "$by")"
done
check "and those of --calls" equal "$(told --calls)" "$(listed --calls main)"
check "and those of --annotate" equal "$(told --annotate)" "$(listed --annotate main)"
check "and those of --asm" equal "$(told "--annotate --asm")" "$(listed --annotate main --asm)"
words() { sed -n '/^And the names above/,/^Members of/p' < <(columns) | sed -n 's/^\.B \([a-zA-Z0-9_]*\)$/\1/p' | sort; }
check "it explains each of them" equal "$(words)" \
	"$({ for by in $groups; do listed --by "$by"; echo; done; listed --calls main; echo
		listed --annotate main --asm; } | tr ' ' '\n' | grep . | sort -u)"
# The titles of text but the last one, which says what the rows are; an event's is cut.
titles() {
	for by in $groups; do
		report --by "$by" tasks.omphwc | sed '1,/ view, by /d' | sed -n '2s/\(.*[^ ]\)  .*/\1/p'
	done | tr -s ' ' '\n' | grep -v '^page-fa' | grep . | sort -u
}
text_words() { columns | sed '/^And the names/,$d' | grep -A 1 '^\.TP' | sed -n 's/^\.BR* //p' | tr -d '\\,' | tr ' ' '\n'; }
check "it explains the titles of text" equal "$(titles | grep -vxF "$(text_words)")" ""
members() { columns | sed -n '/^Members of/,/^A cost has/p' | grep '^\.IR* ' | sed 's/^\.IR* //' | tr -d '\\,;' | tr ' ' '\n' | grep -x '[a-z_][a-z_]*' | sort -u; }
if [ -n "$python" ]; then
	check "and the members of JSON" equal "$(members)" \
		"$("$python" -c 'import json; print("\n".join(sorted(json.load(open("all/json")))))')"
fi
finish
