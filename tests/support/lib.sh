# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - functions for the end-to-end scripts, which source it at their beginning.
#
# A script runs in an empty folder of its own, $work, which is removed at its
# end.  It reports cases by pass, fail and skip (tests/driver counts them) and
# ends with `finish'.

set -u
set -o pipefail
script=$(basename "$0" .sh)
top_srcdir=$(cd "${top_srcdir:-$(dirname "$0")/../../..}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
programs=$top_srcdir/tests/programs
built=$top_builddir/tests/bin
runtimes=$top_builddir/tests/runtimes
ompcount=${OMPHWC_TEST_OMPCOUNT:-$top_builddir/ompcount}
tool=${OMPHWC_TEST_TOOL:-$top_builddir/.libs/libomphwc.so}
long=${OMPHWC_TEST_LONG:-}
gcc=${OMPHWC_GCC-gcc} clang=${OMPHWC_CLANG-clang} gfortran=${OMPHWC_GFORTRAN-gfortran}

# The tests set the programs' environment themselves.
for v in $(env | sed -n 's/^\(\(OMP\|KMP\|GOMP\|LIBOMP\)_[A-Z_]*\)=.*/\1/p; s/^\(OMPHWC_\(EVENTS\|FREQ\|PERIOD\|OUTPUT\|VERBOSE\|DELIVERY\)\)=.*/\1/p'); do
	unset "$v"
done
# They are no ranks of the job that they may run in.
for v in $(env | sed -n 's/^\(\(SLURM\|PBS\|LSB\|LSF\|FLUX\|PMI\|PMIX\|OMPI\|MV2\|MVP\|MPI\|I_MPI\|PALS\|JSM\|ALPS\|SGE\)_[A-Z_]*\)=.*/\1/p'); do
	unset "$v"
done
unset JOB_ID LD_PRELOAD
export LC_ALL=C OMP_NUM_THREADS=2
# A folder with the libgomp.so.1 that gcc's programs run on; default: the loader's. Those of
# GCC 10 and earlier need OMP_NESTED for nested regions.
libgomp_folder=${OMPHWC_TEST_LIBGOMP:-}
[ -z "$libgomp_folder" ] || export LD_LIBRARY_PATH=$libgomp_folder OMP_NESTED=true

work=$(mktemp -d "${TMPDIR:-/tmp}/omphwc-$script.XXXXXX") || exit 1
readonly work
kept=
leave() {
	local status=$?
	[ ! -e "$work.stalls.pid" ] || kill "$(cat "$work.stalls.pid")" 2>/dev/null
	rm -f "$work".stalls*
	[ -z "$kept" ] && [ -z "${OMPHWC_TEST_KEEP:-}" ] && rm -rf "$work" ${private:+"$private"}
	exit $status
}
trap leave EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 1

# is_private FOLDER: whether no other user can write to it or to a folder above it.
is_private() {
	local at owner mode
	at=$(readlink -e "$1") || return
	while :; do
		read -r owner mode < <(stat -c '%u %a' "$at")
		[ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || return
		[ $((8#$mode & 8#22)) = 0 ] || { echo "$at is $mode"; return 1; }
		[ "$at" != / ] || return 0
		at=$(dirname "$at")
	done
}
# ompcount's files for the user are in $private, which is removed at the end; empty if
# neither the build folder nor the home folder is private.
private=
for at in "$top_builddir" "${HOME:-/}"; do
	[ -z "$private" ] && is_private "$at" >/dev/null &&
		private=$(mktemp -d "$at/.omphwc-$script.XXXXXX")
done
if [ -n "$private" ]; then
	mkdir -m 0700 "$private/cache" "$private/run"
	export XDG_CACHE_HOME=$private/cache XDG_RUNTIME_DIR=$private/run
fi

# gcc_from VERSION: whether gcc is of that version or later.
gcc_from() { [ "$("$gcc" -dumpversion | cut -d . -f 1)" -ge "$1" ]; }

failures=0
pass() { echo "PASS: $*"; }
skip() { echo "SKIP: $*"; }
fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}
finish() { [ $failures -eq 0 ]; exit; }

# skip_all WHY: this machine cannot run the script at all.
skip_all() {
	echo "$*"
	exit 77
}

# check WHAT COMMAND…: a case that passes if the command succeeds, and is skipped if it exits
# with 77; otherwise the command's output is shown.
check() {
	local what=$1 out
	shift
	out=$("$@" 2>&1)
	case $? in
	0) pass "$what" ;;
	77) skip "$what: $out" ;;
	*) fail "$what: $(echo "$out" | head -n 5 | tr '\n' ' ')" ;;
	esac
}

# equal A B: whether they are equal; prints both if not.
equal() {
	[ "$1" = "$2" ] && return
	echo "'$1' is not '$2'"
	return 1
}

# can_type: whether script(1) can give a command a terminal.
can_type() { script -qec true /dev/null </dev/null >/dev/null 2>&1; }

need_tool() {
	[ -x "$ompcount" ] || skip_all "ompcount is not built"
	[ -e "$tool" ] || skip_all "libomphwc.so is not built"
}

# with_runtime N: sets $runtime to a folder with libomp N; else 1, with the reason in $why.
# $runtime/gomp has it under libgomp's name.  N offload: with a libomptarget that reports what it
# does, on the host.  N gomp: gcc's programs run on their own runtime;
# testomp: on the tests' own, which speaks the Collector API and nothing else.
with_runtime() {
	runtime=$runtimes/$1
	if [ "$1" = gomp ]; then
		[ -n "$libgomp_folder" ] || return 0
		runtime=$work/libgomp
		mkdir -p "$runtime"
		ln -sfn "$libgomp_folder" "$runtime/gomp"
		return 0
	fi
	if [ "$1" = testomp ]; then
		[ -e "$top_builddir/.libs/libtestomp.so" ] || { why="libtestomp is not built"; return 1; }
		runtime=$work/testomp
		mkdir -p "$runtime/gomp"
		ln -sf "$(readlink -f "$top_builddir/.libs/libtestomp.so")" "$runtime/gomp/libgomp.so.1"
		return 0
	fi
	[ -e "$runtimes/$1/libomp.so.5" ] || "$top_srcdir/tests/support/runtimes.sh" "$runtimes" "$1"
	runtime=$runtimes/$1
	[ -e "$runtime/libomp.so.5" ] && [ ! -e "$runtime/why" ] && return
	why=$(cat "$runtime/why" 2>/dev/null)
	return 1
}

# runtime_name N: what with_runtime N stands for.
runtime_name() {
	case $1 in
	gomp) echo libgomp ;;
	testomp) echo libtestomp ;;
	*) echo "libomp $1" ;;
	esac
}

# in_turn N…: sets $some to the next of these at each call; to all of them in make check-long.
# OMPHWC_TEST_TURN=N begins at turn N, so that a run tests another part of each matrix.
turn=${OMPHWC_TEST_TURN:-0}
in_turn() {
	some=$*
	[ -z "$long" ] && [ $# -gt 0 ] || return 0
	some=${*:turn % $# + 1:1} turn=$((turn + 1))
}

# build NAME COMPILER [FLAG…]: builds the program $prog, once for each compiler and set of
# flags; else 1, with the reason in $why.  COMPILER is gcc, clang or gfortran.
build() {
	local name=$1 kind=$2 source output cc
	shift 2
	cc=${!kind}
	source=$(echo "$programs/$name".[cf]*)
	[ -n "$cc" ] || { why="no $kind"; return 1; }
	mkdir -p "$built"
	output=$built/$name-$(printf '%s' "$cc" "$@" | tr -c 'A-Za-z0-9\n=-' _)
	prog=$output
	(
		flock 9
		[ "$output" -nt "$source" ] && [ "$output" -nt "$programs/work.h" ] && exit
		case $source in
		*.f90) set -- -J "$work" "$@" ;;
		esac
		case " $* " in
		*" -shared "*) ;;
		*) set -- -fopenmp "$@" ;;
		esac
		"$cc" -g "$@" -o "$output.new" "$source" -ldl -lpthread && mv "$output.new" "$output"
	) 9>"$output.lock" >"$work/build.log" 2>&1 && return
	why="$kind cannot build $name: $(tail -n 1 "$work/build.log")"
	return 1
}

# must_build …: the same for a program that the script cannot do without.
must_build() {
	build "$@" || skip_all "$why"
}

# folded PROFILE [OPTION…]: prints the user view's paths and counts.
folded() {
	"$ompcount" report --format folded "$@"
}

# json_constructs FILE: the elements of a JSON report's constructs, a line each.
json_constructs() {
	awk '/^"constructs":/ { inside = 1; next } /^"/ { inside = 0 } inside' "$1"
}

# csv COLUMN…: of the CSV table in the standard input these columns, with tabs between them; a name
# may lack its event and unit: _samples, _ (the weight), _work, _wait, _overhead of the first event.
csv() {
	awk -v columns="$*" '
	# Cells may be in quotes, with commas and doubled quotes in them.
	function cells(line,   n, cell) {
		n = 0
		line = line ","
		while (match(line, /^("([^"]|"")*"|[^",]*),/)) {
			cell = substr(line, 1, RLENGTH - 1)
			line = substr(line, RLENGTH + 1)
			if (cell ~ /^"/) {
				cell = substr(cell, 2, length(cell) - 2)
				gsub(/""/, "\"", cell)
			}
			row[++n] = cell
		}
		return n
	}
	{ n = cells($0) }
	NR == 1 {
		many = split(columns, name, " ")
		for (i = split("_samples _ _work _wait _overhead", part, " "); i > 0; i--)
			after[part[i]] = i - 1
		for (i = n; i > 0; i--) {
			is[row[i]] = i
			if (row[i] ~ /_samples$/)
				first = i
		}
		for (c = 1; c <= many; c++) {
			at[c] = first && name[c] in after ? first + after[name[c]] : is[name[c]]
			if (!at[c]) {
				print "no column " name[c] >"/dev/stderr"
				exit 1
			}
		}
		next
	}
	{
		for (c = 1; c <= many; c++)
			printf "%s%s", row[at[c]], c < many ? "\t" : "\n"
	}'
}

# share FILE REGEX: the share of matching folded lines in the total.
share() {
	awk -v re="$2" '{ n = $NF; all += n; if ($0 ~ re) hit += n }
		END { printf "%.4f\n", all ? hit / all : 0 }' "$1"
}

# total FILE: the sum of the counts of folded lines.
total() {
	awk '{ all += $NF } END { printf "%.0f\n", all }' "$1"
}

# samples PROFILE [EVENT]: the number of the event's (or first event's) samples in the user
# view.
samples() {
	"$ompcount" report --format json ${2:+-e "$2"} "$1" >"$work/samples.json" || return
	awk -v nth="$(sed -n 's/^"event":\([0-9]*\),$/\1/p' "$work/samples.json")" '
		/^{"label":/ && match($0, /"total":{"samples":[0-9]*/) && seen++ == nth {
			n = substr($0, RSTART, RLENGTH); sub(/.*:/, "", n); print n
		}' "$work/samples.json"
}

# samples_in FILE PROFILE: the number of samples that the folded lines in the file stand
# for, in a profile with one event.
samples_in() {
	folded "$2" >"$work/samples.folded"
	awk -v n="$(samples "$2")" -v part="$(total "$1")" -v all="$(total "$work/samples.folded")" \
		'BEGIN { printf "%.0f\n", all ? int(n * part / all) : 0 }'
}

# stood_still: the milliseconds for which processors of this machine executed nothing, since
# some time before the first steadily; nothing if tests/stalls does not run. tests/driver
# starts it; a script that is run by itself does so.
stalls=${OMPHWC_TEST_STALLS:-$work.stalls}
stood_still() {
	[ ! -s "$stalls" ] || sed 's/^ *//; s/ .*//' "$stalls"
}
watch_stalls() {
	[ ! -e "$stalls" ] || return 0
	: >"$stalls"
	("$top_builddir/tests/stalls" "$stalls" $$ >/dev/null 2>&1 & echo $! >"$work.stalls.pid")
	sleep 0.1
}

# steadily COMMAND…: runs the command, which is a measurement.  $disturbed is then the most, in
# percentage points, by which a share of its time may be wrong because processors stood still (a
# hypervisor took them away): clocks run on meanwhile, samples are not taken.  That is what
# stalls.c saw, and 2 ms that it may not have seen.  Beyond 2 points it is run again, at most
# six times in a script.
disturbed=0
steadily() {
	local before began again=$work.stalls.again
	watch_stalls
	while :; do
		before=$(stood_still) began=$EPOCHREALTIME
		"$@" || return
		[ -z "$before" ] || sleep 0.05
		disturbed=$(awk -v before="${before:-0}" -v after="$(stood_still)" -v began="$began" \
			-v now="$EPOCHREALTIME" 'BEGIN { printf "%.2f\n", (after - before + 2) / (now - began) / 10 }')
		awk -v d="$disturbed" 'BEGIN { exit d <= 2 }' || return 0
		[ ! -e "$again" ] || [ "$(wc -l <"$again")" -lt 6 ] || return 0
		echo "processors stood still for $disturbed % of the time: again" | tee -a "$again"
	done
}

# enough LEAST SECONDS COMMAND…: runs the command with the argument SECONDS, which creates
# p.omphwc.  If that has fewer samples than LEAST, runs it up to two more times, and longer:
# a kernel may take few samples, and a program that ends by wall time may hardly have run.
# $count_by PROFILE (default: samples) prints the number of samples.  Each run is `steadily'.
enough() {
	local least=$1 seconds=$2 n try
	shift 2
	for try in 1 2 3; do
		steadily "$@" "$seconds" || return
		n=$("${count_by:-samples}" p.omphwc) || return
		[ $try -lt 3 ] && [ "$n" -lt "$least" ] || return 0
		seconds=$(awk -v s="$seconds" -v n="$n" -v least="$least" 'BEGIN {
			more = n > 0 ? 1.2 * least / n : 10; print s * (more < 10 ? more : 10) }')
		echo "$n samples of $least: again, for $seconds s"
	done
}

# The tolerance of statistical assertions (doc/HACKING.md): a number of standard deviations,
# which may not exceed a number of percentage points.
deviations=4.5 resolution=3

# judged KIND SHARE TRUTH SAMPLES SYSTEMATIC RUN: for agrees and reaches.
judged() {
	awk -v kind="$1" -v share="$2" -v truth="$3" -v n="$4" -v systematic="$5" -v run="$6" \
		-v z=$deviations -v resolution=$resolution -v disturbed="$disturbed" -v script="$script" -v said="${OMPHWC_TEST_SHARES:-}" '
	function number(x) { return x ~ /^[0-9]+([.][0-9]+)?$/ }
	function few(why) {
		printf "too few samples: %d do not tell a share of %.2f %% %s\n", n, truth * 100, why
		exit 1
	}
	BEGIN {
		if (!number(share) || !number(truth) || !number(n)) {
			printf "no shares: \"%s\" against \"%s\", of \"%s\" samples\n", share, truth, n
			exit 1
		}
		if (disturbed > resolution) {
			printf "processors stood still, or were others\x27, for %s %% of the run\n", disturbed
			exit 77
		}
		rare = truth < 0.5 ? truth : 1 - truth
		# From this number on the normal distribution approximates the binomial one.
		if (n * rare < 20) few("at all")
		variance = truth * (1 - truth) / n
		if (run && truth / (4 * run * n) < variance) variance = truth / (4 * run * n)
		chance = z * sqrt(variance) * 100
		if (chance > resolution) few(sprintf("to %g points, but to %.2f", resolution, chance))
		d = (share - truth) * 100
		if (said)
			printf "%s %s %.4f %.4f n %d chance %.2f systematic %g off %+.2f\n", script, \
				kind, share, truth, n, chance, systematic, d >>said
		most = chance + systematic + disturbed
		if (-d <= most && (kind == "reaches" || d <= most))
			exit 0
		printf "%.2f %% of %d samples against %.2f %%: %.2f points off, chance gives %.2f, the " \
			"measurement %g and the machine %g\n", share * 100, n, truth * 100, d, chance, \
			systematic, disturbed
		exit 1
	}'
}

# agrees SHARE TRUTH SAMPLES [SYSTEMATIC [RUN]]: whether a share of SAMPLES samples agrees
# with the true one.  SYSTEMATIC: the systematic difference of the two measurements in
# percentage points, without $disturbed; its caller says why there is one.  RUN: the least number of successive
# samples that each occurrence takes, if that is more than one.
agrees() { judged agrees "$1" "$2" "$3" "${4:-0}" "${5:-}"; }

# reaches SHARE BOUND SAMPLES: whether the true share may be BOUND or more.
reaches() { judged reaches "$1" "$2" "$3" 0 ""; }

# below A B: for numbers that are exact or far apart.
below() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (a < b) exit 0; print a " is not below " b; exit 1 }'
}

# profiles: the number of profiles in this folder.
profiles() {
	find . -name '*.omphwc' | wc -l
}
