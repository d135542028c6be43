#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The recipes of CONTRIBUTING.md: each patch of tests/recipes applies to the tree, and touches the files
# that its recipe names. In make check-long each is built, and its own check passes.
. "$(dirname "$0")/../../support/lib.sh"
recipes=$top_srcdir/tests/recipes
command -v patch >/dev/null || skip_all "no patch"

# named RECIPE: the files in the table of the section that names its patch, with NAME filled in.
named() {
	awk -v patch="tests/recipes/$1.patch" '
		/^###? / { on = 0 }
		index($0, patch) { on = 1 }
		on && match($0, /^\| `[^`]*`/) { print substr($0, RSTART + 3, RLENGTH - 4) }
		' "$top_srcdir/CONTRIBUTING.md" | sed 's/NAME/dummy/g' | sort
}
touched() { sed -n 's|^+++ b/||p' "$recipes/$1.patch" | sort; }
# applied RECIPE: to copies of the files that it touches, none of which it may have to guess.
applied() {
	local f
	rm -rf tree && mkdir tree
	for f in $(touched "$1"); do
		mkdir -p "tree/$(dirname "$f")"
		[ ! -e "$top_srcdir/$f" ] || cp "$top_srcdir/$f" "tree/$f"
	done
	patch -s -f -p1 -d tree <"$recipes/$1.patch"
}

all=$(cd "$recipes" && ls *.patch | sed 's/\.patch$//')
check "there are three recipes" equal "$(echo $all)" "finding format runtime"
for r in $all; do
	check "$r: its recipe names files" below 5 "$(named "$r" | wc -l)"
	check "$r: the patch touches these, and no others" equal "$(touched "$r")" "$(named "$r")"
	check "$r: it applies" applied "$r"
done
[ -n "$long" ] || finish

# ---- what make check-long does besides: build them --------------------------------------------

make=${MAKE:-make}
run_make() { env -u MAKEFLAGS -u MAKELEVEL "$make" -s -j"$(nproc)" "$@" >make.log 2>&1 || { tail -n 5 make.log; false; }; }
# built TARGET…: in the tree of the distribution, which has been configured once.
built_there() { run_make -C "$dist" "$@"; }
# unit NAME: one suite there, and no other is built.
unit() { built_there check check_PROGRAMS="tests/unit/$1" check_LTLIBRARIES= TESTS="tests/unit/$1"; }
run_make -C "$top_builddir" distdir distdir="$work/dist" || { fail "make distdir: $(tail -n 3 make.log)"; finish; }
dist=$work/dist
chmod -R u+w "$dist"
(cd "$dist" && ./configure -q --without-mpi CFLAGS="-g -O1") >configure.log 2>&1 ||
	{ fail "configure: $(tail -n 3 configure.log)"; finish; }
for r in $all; do
	patch -s -f -p1 -d "$dist" <"$recipes/$r.patch" || { fail "$r: it applies to the distribution"; continue; }
	check "$r: it builds" built_there
	top_builddir=$dist top_srcdir=$dist . "$recipes/$r.sh"
	patch -s -f -R -p1 -d "$dist" <"$recipes/$r.patch"
done
finish
