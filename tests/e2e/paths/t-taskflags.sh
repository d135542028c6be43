#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What tasks are: the flags of each directive, of all its tasks or of some.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

# flags FUNCTION: those of the tasks that it created.
flags() {
	"$ompcount" report --by task --format csv --columns function,flags p.omphwc 2>err |
		awk -F , -v f="$1" '$1 == f { print $2 == "" ? "none" : $2 }'
}

for n in gomp 14 19; do
	compiler=clang detach=-DDETACH mergeable=none
	[ $n != gomp ] || { compiler=gcc mergeable=mergeable; [ "$("${gcc:-false}" -dumpversion | cut -d . -f 1)" -ge 11 ] || detach=; }
	with_runtime $n && build taskflags $compiler -O1 $detach ||
		{ skip "$(runtime_name $n): $why"; continue; }
	[ $n = gomp ] || export LD_LIBRARY_PATH=$runtime
	what=$(runtime_name $n)
	rm -f p.omphwc
	"$ompcount" -q -e cpu-clock -o p.omphwc -- "$prog" >out 2>err
	check "$what: plain" equal "$(flags plain)" none
	for f in untied depend ${detach:+detached}; do
		check "$what: $f" equal "$(flags $f)" $f
	done
	check "$what: final" equal "$(flags some_final)" some-final
	check "$what: undeferred" equal "$(flags some_undeferred)" some-undeferred
	# LLVM's runtime says so of undeferred ones alone.
	check "$what: mergeable" equal "$(flags mergeable)" $mergeable
	unset LD_LIBRARY_PATH
done
finish
