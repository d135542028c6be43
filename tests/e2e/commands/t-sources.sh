#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Which files' text reports show: that of the program's sources, wherever they were built and run;
# nothing else that debug information names.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
export HOME=$work/home
project=$HOME/project
mkdir -p "$project"/{build,src,include} "$HOME/installed" secrets
# source FILE MARK: a line with a mark.
source() { printf '/* 1 */\n/* %s */\n/* 3 */\n' "$2" >"$1"; }

# part N FILE: a function that works, and seems to be in the file.
parts=
part() {
	printf 'void part%s(double s)\n{\n#line 2 "%s"\nfor (clock_t e = clock() + s * CLOCKS_PER_SEC; clock() < e;) for (volatile int i = 0; i < 9000; i++);\n}\n' \
		"$1" "$2" >>"$project/src/parts.c"
	parts+="part$1(0.03); "
}
echo '#include <time.h>' >"$project/src/parts.c"
source "$project/src/beside.c" MARK_beside
source "$project/include/header" MARK_header
source "$project/key" MARK_key
source "$project/key.pem" MARK_pem
source secrets/algorithm.c MARK_algorithm
ln -s "$work/secrets/algorithm.c" "$project/src/link.c"
ln -s "$work/secrets" "$project/src/folder"
source "$project/src/closed.c" MARK_closed
chmod 600 "$project/src/closed.c"
mkfifo "$project/src/pipe.c"
mkdir "$project/src/dir.c"
part 1 ../src/beside.c
part 2 "$project/include/header"
part 3 "$project/key"
part 4 "$project/key.pem"
part 5 "$work/secrets/algorithm.c"
part 6 ../src/link.c
part 7 ../src/folder/algorithm.c
part 8 "$project/src/../../../secrets/algorithm.c"
part 9 "$project/src/pipe.c"
part 10 "$project/src/dir.c"
part 11 /etc/passwd
part 12 ../src/closed.c
printf '#line 1000 "../src/parts.c"\nint main(void) { %s return 0; }\n' "$parts" >>"$project/src/parts.c"
(cd "$project/build" && "$gcc" -g -O1 -fno-inline -o app ../src/parts.c) 2>err || skip_all "gcc cannot build it: $(tail -n 1 err)"
first=$(sed 's/:.*//; q' /etc/passwd)

# shown WHAT MARK… -- OPTION…: exactly these marks are on the page, written in the folder $from.
from=$project/build
shown() {
	local what=$1 marks=
	shift
	while [ "$1" != -- ]; do
		marks+="$1 "
		shift
	done
	shift
	(cd "$from" && timeout 60 "$ompcount" report -f html -o "$work/p.html" "$@" "$work/p.omphwc") >out 2>err || fail "$what: $(tail -n 1 err)"
	check "$what" equal "$(grep -o 'MARK_[a-z]*' p.html | sort -u | tr '\n' ' ')" "$marks"
	check "$what: no password file" equal "$(grep -c "$first:" p.html)" 0
}

run() { (cd "$(dirname "$1")" && "$ompcount" -q -F 2000 -e cpu-clock -o "$work/p.omphwc" -- "$@") >out 2>err; }
run "$project/build/app"
if [ "$(samples p.omphwc)" -lt 300 ]; then
	skip_all "too few samples: $(samples p.omphwc)"
fi
cp p.omphwc names.omphwc
shown "out of the tree" MARK_beside MARK_closed MARK_header --
check "the page lists them" grep -q '"found":"[^"]*/src/beside.c"' p.html
check "what is left out is named" grep -q '"file":"[^"]*secrets/algorithm.c","found":null,"why":"it lies outside' p.html
check "with what allows it" grep -q '"todo":"use --sources=DIR' p.html
check "no source, no advice" grep -q '"file":"[^"]*key.pem","found":null,"why":"its name is not one of source text","todo":null' p.html
shown "a folder that the user names" MARK_algorithm MARK_beside MARK_closed MARK_header -- --sources="$work/secrets"
for i in 1 5; do
	(cd "$from" && "$ompcount" report --annotate=part$i "$work/p.omphwc") >part$i 2>err
done
check "--annotate shows a source" grep -q MARK_beside part1
check "and no other" equal "$(grep -c MARK part5)" 0
check "which it names" grep -q 'algorithm.c: not shown: it lies outside.*--sources=DIR' part5

# The program is installed elsewhere, and run there: its compilation units know the folder.
cp "$project/build/app" "$HOME/installed/app"
rm -f "$project/build/app" p.omphwc
run "$HOME/installed/app"
from=$HOME/installed
shown "an installed program: where it was compiled" MARK_header --
from=$project/build
rm "$HOME/installed/app"
if [ "$(id -u)" = 0 ]; then
	cp names.omphwc p.omphwc
	chown 1 "$project/src/closed.c"
	shown "another user's, which not all may read" MARK_beside MARK_header --
	(cd "$from" && "$ompcount" report --annotate=part12 "$work/p.omphwc") >part12 2>&1
	check "is named" grep -q "closed.c: not shown: it is another user's" part12
fi
# Below /tmp, two levels suffice.
at=$(mktemp -d /tmp/omphwc-sources.XXXXXX)
mkdir "$at/b"
source "$at/near.c" MARK_near
printf '#include <time.h>\nint main(void)\n{\n#line 2 "../near.c"\nfor (long i = 0; clock() < CLOCKS_PER_SEC / 5; i++); return 0; }\n' >"$at/b/m.c"
(cd "$at/b" && HOME=/nonexistent "$gcc" -g -o app m.c && rm -f "$work/p.omphwc" &&
	"$ompcount" -q -F 2000 -e cpu-clock:uk -o "$work/p.omphwc" -- ./app >out 2>err)
from=$at/b
shown "below /tmp" MARK_near --
rm -rf "$at"
finish
