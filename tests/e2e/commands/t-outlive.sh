#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A profile outlives its program: reports are the same, byte for byte, after the program's files
# were deleted or rebuilt, in every view and format.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
gxx=${OMPHWC_GXX-g++} clangxx=${OMPHWC_CLANGXX-clang++}
copied() { cp "$programs"/outlive* .; }

# views PROFILE FOLDER: reports on it that need neither source nor machine code: all formats and, but
# in a short run, all tables. A short run has all those of the user view, and of the others' one,
# $table: JSON has what the others show.
views() {
	local view by tables format
	mkdir -p "$2"
	for view in user expert machine; do
		tables=$table
		[ $view != user ] || tables="region construct function line path thread state"
		for by in $tables; do
			"$ompcount" report --view $view --by $by -l 0 "$1" >"$2/$view-$by" 2>&1
		done
		for format in json folded; do
			"$ompcount" report --view $view -f $format -l 0 "$1" >"$2/$view.$format" 2>&1
		done
	done
	"$ompcount" report --calls main "$1" >"$2/calls" 2>&1
}

# alike BEFORE AFTER: whether the folders have the same reports.
alike() {
	[ "$(ls "$1" | wc -l)" = $((14 + 2 * $(wc -w <<<"$table"))) ] || { echo "$(ls "$1" | wc -l) reports"; return 1; }
	diff -rq "$1" "$2"
}

# of_another_table: from here on the others' is another.
of_another_table() {
	in_turn function line region path state construct thread
	table=$some
}

# sizeless FOLDER: leaves out the profile's size.
sizeless() { sed -i 's/"profile_bytes": *[0-9]*/"profile_bytes":SIZE/' "$1"/*.json; }

# stored_as FILES BEFORE: whether reports on stored names are those on the files.
stored_as() {
	cp -r "$2" stored && sizeless stored && sizeless "$1" && alike "$1" stored
}

# cxx COMPILER OPTION…: builds ./app and ./libpart.so.
cxx() {
	local compiler=$1
	shift
	"$compiler" -g -fopenmp "$@" -fPIC -shared -o libpart.so outlive_part.cc &&
		"$compiler" -g -fopenmp "$@" -o app outlive.cc "$PWD/libpart.so"
}

# other COMPILER OPTION…: builds other programs of the same names, whose code differs.
other() {
	sed -i 's/stir/whirl/g; s/relax/tense/g; s/tree/bush/g; 1i // moved\n// down' outlive.cc
	echo 'int more(int x) { return x * 3; }' | tee -a outlive.cc >>outlive_part.cc
	sed -i 's/sum_of_squares/sum_of_cubes/g; 1i // moved' outlive_part.cc
	cxx "$@"
}

# outlives WHAT NAME COMPILER OPTION…: NAME is one of those that the reports must have.
outlives() {
	local what=$1 name=$2
	shift 2
	rm -rf ./* && copied
	cxx "$@" >build.log 2>&1 || { skip "$what: $(tail -n 1 build.log)"; return; }
	"$ompcount" -q --no-names -F 2000 -e cpu-clock -o p.omphwc ./app 300 >out 2>err ||
		{ fail "$what: it ended with $?: $(head -n 1 err)"; return; }
	cp p.omphwc bare.omphwc
	of_another_table
	views p.omphwc files
	check "$what: names are stored" "$ompcount" resolve p.omphwc
	check "$what: the profile grew by a chunk of whole pages" equal \
		"$((($(stat -c %s p.omphwc) - $(stat -c %s bare.omphwc)) % 4096))" 0
	views p.omphwc before
	check "$what: stored names are those of the files" stored_as files before
	check "$what: $name is one of them" grep -qF "$name" before/expert.folded
	other "$@" >build.log 2>&1 || { fail "$what: $(tail -n 1 build.log)"; return; }
	views p.omphwc rebuilt
	check "$what: reports after it was rebuilt otherwise" alike before rebuilt
	"$ompcount" report -v -l 0 bare.omphwc >changed 2>&1
	check "$what: without stored names a report says that the file has changed" \
		grep -q 'build-id differs' changed
	rm app libpart.so
	views p.omphwc gone
	check "$what: and after it was deleted" alike before gone
	cp p.omphwc again.omphwc
	check "$what: names are stored again" "$ompcount" resolve again.omphwc
	check "$what: what is gone stays, and nothing is added" cmp p.omphwc again.omphwc
	"$ompcount" report --annotate stir --asm p.omphwc >asm 2>&1
	check "$what: --asm says that it needs the file" grep -q 'app: file is missing' asm
}
outlives "gcc -O2" 'grid::field<double, 1>::relax' "$gxx" -O2
[ -z "$long" ] || outlives "gcc -O0" 'stir' "$gxx" -O0
with_runtime 14 && runtime_flag=("-L$runtime" "-Wl,-rpath,$runtime") || runtime_flag=()
outlives "clang -O2" 'sum_of_squares<float>' "$clangxx" -O2 "${runtime_flag[@]}"
outlives "stripped" 'app+0x' "$gxx" -O2 -s

# ---- static loops and entries ------------------------------------------------

rm -rf ./*
for compiler in gcc clang; do
	build staticloops $compiler -O2 || { skip "$compiler's static loops: $why"; continue; }
	cp "$prog" loops
	of_another_table
	"$ompcount" -q --entries -F 2000 -e cpu-clock -o p.omphwc ./loops >out 2>err
	views p.omphwc before
	rm loops
	views p.omphwc after
	check "$compiler's static loops, with entries" alike before after
	rm -rf before after
done

# resolved_again: the profiles that do not have all names yet.
resolved_again() {
	local p
	for p in p*.omphwc; do
		cp "$p" again
		"$ompcount" resolve again && same "$p" again || echo "$p"
	done
}

# ---- when names are stored -----------------------------------------------------

# same BEFORE AFTER: whether the profiles are equal, or else which texts are not.
same() {
	cmp "$1" "$2" && return
	wc -c "$1" "$2"
	diff <(tr -c '[:print:]' '\n' <"$1" | grep ...) <(tr -c '[:print:]' '\n' <"$2" | grep ...) | head -n 20
	return 1
}

rm -rf ./* && copied
cxx "$gxx" -O2 >build.log 2>&1 || skip_all "no C++ compiler"
run() { "$ompcount" -q -F 2000 -e cpu-clock -o p.omphwc "$@" >out 2>err; }

run ./app 200
cp p.omphwc first.omphwc
check "a run stores them: nothing is left to do" "$ompcount" resolve p.omphwc
check "and nothing is done" same first.omphwc p.omphwc
check "it says nothing of it" equal "$(cat err)" ""

run --no-names ./app 200
cp p.omphwc bare.omphwc
"$ompcount" resolve p.omphwc
check "--no-names stores none" test "$(stat -c %s bare.omphwc)" -lt "$(stat -c %s p.omphwc)"

run sh -c './app 100 & ./app 100; wait'
resolved_again >left 2>&1
check "the run's other processes have theirs" equal "$(cat left)" ""

# What one process's profile lacks is no matter of another's.
rm -f p*.omphwc
"${CC-gcc}" -g -fopenmp -o nameless "$programs/nameless.c" >build.log 2>&1 || skip_all "no C compiler"
run sh -c './nameless 1 & ./nameless; wait'
resolved_again >left 2>&1
check "each has the names of its own code" equal "$(cat left)" ""
check "one has code without a name" equal \
	"$(for p in p*.omphwc; do "$ompcount" report "$p"; done 2>&1 | grep -c 'nameless: some of its code has no name')" 1

# ompcount is killed, and so is the program.
rm -f p*.omphwc
OMP_NUM_THREADS=2 "$ompcount" -q -F 2000 -e cpu-clock -o p.omphwc ./app 60000 >out 2>err &
ompcount_pid=$!
for ((i = 0; i < 100; i++)); do
	[ -s p.omphwc ] && app_pid=$(pgrep -P $ompcount_pid) && break
	sleep 0.1
done
sleep 0.5
cp p.omphwc running.omphwc
check "a running process's profile is left alone" equal \
	"$("$ompcount" resolve p.omphwc 2>&1 | grep -c 'no names stored in p.omphwc: its process may still run')" 1
kill -KILL $ompcount_pid "$app_pid"
{ wait $ompcount_pid; } 2>/dev/null
for ((i = 0; i < 100; i++)); do [ -d "/proc/$app_pid" ] || break; sleep 0.1; done
cp p.omphwc killed.omphwc
of_another_table
views p.omphwc files
check "a killed run's profile is resolved when it is read" grep -q 'stir' files/user-function
check "names are stored in it" "$ompcount" resolve p.omphwc
views p.omphwc before
check "they are those of the files" stored_as files before
mv app saved
views p.omphwc after
check "and stay" alike before after
"$ompcount" resolve killed.omphwc
"$ompcount" report -l 0 --by function killed.omphwc >missing 2>&1
check "without the file there are none to store" grep -q 'app: file is missing' missing
mv saved app
"$ompcount" resolve killed.omphwc
check "when it is back there are" grep -q stir <("$ompcount" report --by function killed.omphwc)

# ---- where nothing can be stored -------------------------------------------------

cp bare.omphwc p.omphwc
chmod a-w p.omphwc
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
if [ "$(id -u)" != 0 ]; then
	"$ompcount" resolve p.omphwc 2>err
	check "a profile that is read-only: it is reported" grep -q 'no names stored in p.omphwc: Permission denied' err
	check "and reported on as before" grep -q stir <("$ompcount" report --by function p.omphwc)
elif as_nobody test -r p.omphwc 2>/dev/null; then
	as_nobody "$ompcount" resolve p.omphwc 2>err
	check "a profile that is read-only: it is reported" grep -q 'no names stored in p.omphwc: Permission denied' err
else
	mkdir other && cp bare.omphwc other/p.omphwc && chown 65534 other/p.omphwc
	"$ompcount" resolve other/p.omphwc 2>err
	check "another user's profile: it is reported" grep -q 'it belongs to another user' err
	check "and it stays" cmp bare.omphwc other/p.omphwc
fi
check "it is unchanged" cmp bare.omphwc p.omphwc
mkfifo fifo
timeout 10 "$ompcount" resolve fifo 2>err
check "a FIFO is not waited for" equal $? 1
check "it is reported" grep -q 'no names stored in fifo: it is no regular file' err
chmod u+w p.omphwc
(ulimit -f $(($(stat -c %s p.omphwc) / 1024)); "$ompcount" resolve p.omphwc) 2>err
check "a limit on file sizes: it is reported" grep -q 'no names stored in p.omphwc: File too large' err
check "and the profile is unchanged" cmp bare.omphwc p.omphwc
cat >full.sh <<'END'
mount -t tmpfs -o size=$(($(stat -c %s bare.omphwc) + 4096)) none small || exit 99
cp bare.omphwc small/p.omphwc
dd if=/dev/zero of=small/ballast bs=1k 2>/dev/null
"$1" resolve small/p.omphwc
echo "status $?"
cmp bare.omphwc small/p.omphwc && "$1" report --by function small/p.omphwc
END
mkdir -p small
if unshare -m true 2>/dev/null; then
	unshare -m sh full.sh "$ompcount" >out 2>&1
	check "a full disk: it is reported" grep -q 'no names stored in small/p.omphwc: No space left on device' out
	check "the command fails" grep -q '^status 1$' out
	check "the profile is unchanged, and read" grep -q stir out
else
	skip "a full disk: only root can mount one"
fi

# ---- what is stored is not trusted ------------------------------------------------

cp first.omphwc p.omphwc
for at in 32 40 48 64 65 80 200 900; do
	cp first.omphwc p.omphwc
	printf '\377' | dd of=p.omphwc bs=1 seek=$(($(stat -c %s p.omphwc) - 4096 + at)) conv=notrunc 2>/dev/null
	"$ompcount" report --by function p.omphwc >out 2>err || echo "byte $at: status $?"
	grep -q stir out || echo "byte $at: no names"
done >damaged
check "damaged names are left out: the files show them" equal "$(cat damaged)" ""
finish
