#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# doc/conformance.md and doc/reliability.md name for each row the tests that prove it: they are
# there, and are run. The
# checker is shown to find what may be wrong in a row.
. "$(dirname "$0")/../../support/lib.sh"
tests=$top_srcdir/tests
document=$top_srcdir/doc/conformance.md

# rows FILE: "section, feature, mark, remark, tests, runtimes" of each row, separated by tabs.
rows() {
	awk -F '|' '
		function trim(s) { gsub(/^ +| +$/, "", s); return s == "" ? "-" : s }
		/^## / { section = substr($0, 4) }
		!/^\|/ { inside = 0; next }
		/^\| *(feature|fault) *\|/ { inside = 1; next }
		inside && !/^\|[-|]*$/ {
			printf "%s", section
			for (i = 2; i < NF || i < 7; i++) printf "\t%s", trim($i)
			print ""
		}' "$1"
}

# places SCRIPT: the files in which a script's cases are named, which are no names of checks.
places() {
	case ${1##*/} in
	t-states.sh) echo "$tests/support/states.table" ;;
	t-life.sh) echo "$tests/programs/life.c" ;;
	t-collector.sh) echo "$tests"/collector/conform_*.c ;;
	t-torture.sh) echo "$tests/torture/torture.py" ;;
	*) echo "$1" ;;
	esac
}

# case_of SCRIPT NAME: whether NAME is one of its cases.
case_of() {
	case ${1##*/} in
	t-program.sh) [ -e "$tests/program/$2.c" ] ;;
	t-states.sh) awk -v name="$2" '!/^#/ && $2 == name { n++ } END { exit !n }' $(places "$1") ;;
	t-collector.sh) grep -q "^void group_$2(void)$" $(places "$1") ;;
	*) grep -v '^#' $(places "$1") | grep -w -e "$2" >/dev/null ;;
	esac
}

# names SCRIPT: the first words of its checks, without what distinguishes their repetitions; of
# t-collector.sh also those in the program that it runs.
names() {
	[ "${1##*/}" != t-collector.sh ] ||
		grep -ohE '"([^"\\]|\\.)*"' $(places "$1") | sed 's/^"//; s/"$//'
	grep -oE '(^|[[:space:]])check "([^"\\]|\\.)*"' "$1" | sed -E 's/.*check "(.*)"$/\1/' |
		awk '{ do { print } while (sub(/^[^:,]*[:,] /, "")) }'
}

# fault_of TEST WHAT: what is wrong with that reference; nothing if it is right.
fault_of() {
	local file name words=$2
	case $1 in
	check_*)
		file=$(echo "$tests"/unit/*/"$1.c")
		[ -e "$file" ] || { echo "there is no $1.c"; return; }
		grep -qE "^	tests/unit/.*/$1( |$)|[ /]$1( |$)" "$tests/unit.mk" || echo "$1 is not built"
		for name in ${words//,/ }; do
			grep -qx "START_TEST($name)" "$file" || { echo "$1 has no test $name"; continue; }
			grep -qE "tcase_add_[a-z_]*test[a-z_]*\([^;]*\b$name\b" <(tr -d '\n' <"$file" | tr ';' '\n' |
				sed 's/$/;/') || echo "$1 never runs $name"
		done
		;;
	t-*.sh)
		file=$(echo "$tests"/e2e/*/"$1")
		[ -e "$file" ] || { echo "there is no $1"; return; }
		grep -q "/$1\b" "$tests/local.mk" || echo "$1 is never run"
		while [ -n "$words" ]; do
			case $words in
			'"'*'"'*)
				name=${words#\"} words=${words#\"*\"} name=${name%%\"*}
				grep -qxF -e "$name" <(names "$file") || echo "$1 has no check \"$name\""
				;;
			'case '*)
				name=${words#case } words=${words#case }
				name=${name%%,*}
				words=${words#"$name"}
				case_of "$file" "$name" || echo "$1 has no case $name"
				;;
			*)
				echo "\"$words\" is neither a check nor a case of $1"
				return
				;;
			esac
			words=${words#, }
		done
		;;
	*) echo "\"$1\" is no test" ;;
	esac
}

# faults FILE: a line for each fault, which names its row.
faults() {
	local section feature mark remark by with one word real
	rows "$1" | while IFS=$'\t' read -r section feature mark remark by with rest; do
		wrong() { echo "${section%%:*}, $feature: $*"; }
		[ -z "$rest" ] || wrong "too many columns"
		case $mark in
		yes) ;;
		partly | no | 'no runtime') [ "$remark" != - ] || wrong "$mark, and no reason" ;;
		-) wrong "no mark"; continue ;;
		*) wrong "\"$mark\" is no mark"; continue ;;
		esac
		case $mark,$by in
		yes,- | 'yes,not tested') wrong "yes, and no test"; continue ;;
		partly,-) wrong "partly, and neither a test nor \"not tested\""; continue ;;
		*,- | *,'not tested') [ "$with" = - ] || wrong "no test with $with"; continue ;;
		esac
		real=
		while IFS= read -r one; do
			[[ $one =~ ^\`([^\`]*)\`:\ (.+)$ ]] || { wrong "\"$one\" names no test"; continue; }
			[[ ${BASH_REMATCH[1]} != t-* ]] || real=1
			fault_of "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" | while IFS= read -r word; do
				wrong "$word"
			done
		done < <(sed 's/; /\n/g' <<<"$by")
		for word in ${with//,/ }; do
			case $word,$real in
			mock,* | none,* | *,1) ;;
			*) wrong "no test runs with $word" ;;
			esac
			case $word in
			libomp | libgomp | libtestomp | mock | none) ;;
			*) wrong "\"$word\" is no runtime" ;;
			esac
		done
	done
}

check "there are rows" below 60 "$(rows "$document" | wc -l)"
check "each row has its mark, and its tests are there" equal "$(faults "$document")" ""
reliability=$top_srcdir/doc/reliability.md
check "each fault has its mark, and its tests are there" equal "$(faults "$reliability")" ""
check "there are faults" below 25 "$(rows "$reliability" | wc -l)"
check "no row is there twice" equal "$(rows "$document" | cut -f 1,2 | sort | uniq -d)" ""

# What our own headers declare of an interface has its row.
# undocumented SECTION NAME…: those that no row of the section names.
undocumented() {
	local section=$1 name
	shift
	rows "$document" | awk -F '\t' -v s="$section" 'index($1, s) == 1 { print $2 }' >features
	for name; do
		grep -qw -e "$name" features || echo "$name"
	done
}
declared() { sed -nE "s/^	$1([a-zA-Z_0-9]+) *= .*/\1/p" "$2"; }
ours=$top_srcdir/ompt_tool/runtime/ompt_declarations.h
check "each of OMPT's callbacks has its row" equal "$(undocumented OMPT $(declared ompt_callback_ "$ours"))" ""
check "each of OMPT's states has its row" equal "$(undocumented OMPT $(declared ompt_state_ "$ours"))" ""
api=$top_srcdir/ompt_tool/collector/omp_collector_api.h
all=$(sed -nE 's/^	((OMP_(REQ|ERRCODE|EVENT)|THR)_[A-Z_]+) = .*/\1/p' "$api")
check "each name of the Collector API has its row" equal "$(undocumented 'Collector API' $all)" ""
check "there are such names" below 40 "$(wc -w <<<"$all")"

# The documents' own lists. OMPT's events have the names of OpenMP 5.
check "each event of the report has its row" equal "$(undocumented OMPT thread_begin thread_end parallel_begin \
	parallel_end task_create task_schedule implicit_task target target_data_op target_submit control_tool \
	runtime_shutdown idle sync_region_wait mutex_released dependences task_dependence work masked target_map \
	sync_region lock_init lock_destroy mutex_acquire mutex_acquired nest_lock flush)" ""
check "each inquiry has its row" equal "$(undocumented OMPT ompt_enumerate_states ompt_enumerate_mutex_impls \
	ompt_get_thread_data ompt_get_state ompt_get_parallel_info ompt_get_task_info ompt_get_target_info \
	ompt_get_num_devices ompt_target_get_device_{info,id} ompt_target_{get,translate}_time \
	ompt_target_set_trace_{ompt,native} ompt_target_{start,pause,stop}_trace ompt_target_advance_buffer_cursor \
	ompt_target_buffer_get_record_{type,ompt,native,native_abstract} ompt_set_callback ompt_get_callback)" ""
check "each artificial function has its row" equal "$(undocumented 'Performance Analyzer' OMP-{overhead,idle,reduction} \
	OMP-{implicit,explicit}_barrier OMP-{lock,critical_section,ordered_section,atomic}_wait)" ""
check "each field of a descriptor has its row" equal "$(undocumented POMP name sub_name num_sections file_name \
	{begin,end}_line{1,N} data next)" ""

# ---- each fault is found -------------------------------------------------------------------

# planted WHAT SED TEXT: a row, changed so, has that fault.
row='`thread_begin`'
planted() {
	{
		grep -e '^## OMPT' -e '^| feature' "$document" | head -n 2
		grep -F -m 1 "| $row " "$document" | sed "$2"
	} >planted.md
	check "found: $1" equal "$(faults planted.md)" "OMPT, $(rows planted.md | cut -f 2): $3"
}
planted "a test that is gone" 's/kinds_of_threads/kinds_of_strands/' "check_callbacks has no test kinds_of_strands"
planted "a suite that is gone" 's/check_callbacks/check_callback/' "there is no check_callback.c"
planted "a script that is gone" 's/t-threads\.sh/t-strands.sh/' "there is no t-strands.sh"
planted "a check that is gone" 's/teams of six/teams of seven/' \
	't-threads.sh has no check "teams of seven at most"'
planted "no mark" 's/| yes |/| |/' "no mark"
planted "another mark" 's/| yes |/| nearly |/' '"nearly" is no mark'
planted "no test" 's/`check_callbacks`.*| /| /' "yes, and no test"
planted "no reason" 's/| yes |/| no |/' "no, and no reason"
planted "another runtime" 's/libomp/libxomp/' '"libxomp" is no runtime'
check "found: a row that is gone" equal "$(document=planted.md undocumented OMPT thread_begin thread_end)" thread_end
finish
