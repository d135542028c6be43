#!/bin/bash
# An explicit task hangs beneath where it was created, whoever runs it.
. "$(dirname "$0")/lib.sh"
need_tool

tasks() {
	local cc=$1 n=$2 name path
	name="$1, libomp $2"
	build tasks "$cc" -O2 || { skip "$name: $why"; return; }
	with_runtime "$n" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$cc" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -o p.omphwc -- "$prog" 1 >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	check "$name: the other thread ran them all" equal \
		"$(sed -n 's/^elsewhere //p' truth)" "$(sed -n 's/^created //p' truth)"
	folded p.omphwc | grep -E ';(first|second)_work[; ]' >user
	check "$name: first_work lies beneath make_first" equal \
		"$(grep first_work user | grep -cv '^main;create;make_first;first_work[; ]')" 0
	check "$name: second_work lies beneath make_second" equal \
		"$(grep second_work user | grep -cv '^main;create;make_second;second_work[; ]')" 0
	check "$name: first_work's share of them" near \
		"$(share user ';first_work[; ]')" "$(sed -n 's/^first //p' truth)" 3
}

for n in 14 16 19; do
	retried tasks clang $n
done
retried tasks gcc 14
finish
