#!/bin/bash
# An explicit task hangs beneath where it was created, whoever runs it; and one that is
# not deferred is a task like others, though its creator has its body.
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

# undeferred COMPILER FLAG N
undeferred() {
	local name="$1 $2, libomp $3: not deferred" path what in_main='main;main -- OMP parallel region[^;]*' line
	build undeferred "$1" "$2" || { skip "$name: $why"; return; }
	with_runtime "$3" || { skip "$name: $why"; return; }
	path=$runtime
	[ "$1" = clang ] || path=$runtime/gomp
	rm -f p.omphwc
	LD_LIBRARY_PATH=$path "$ompcount" -q -e cpu-clock -c 173000 -o p.omphwc -- "$prog" 0.3 >truth 2>err ||
		{ fail "$name: $(tail -n 1 err)"; return; }
	folded p.omphwc --view expert | grep -E ';(apart|region|inner)_work[; ]' >expert
	"$ompcount" report --format json -o json p.omphwc
	while read -r what line; do
		check "$name: $what" equal \
			"$(grep ";${what%%;*}_work" expert | grep -cvE "^$in_main;$line;${what%%;*}_work[; ]")" 0
	done <<-'EOF'
		apart apart;apart -- OMP task from line [0-9]+ [^;]*
		region main -- OMP task from line [0-9]+ [^;]*
		inner around;around -- OMP task from line [0-9]+ [^;]*;around -- OMP task from line [0-9]+ [^;]*
	EOF
	for what in apart region; do
		check "$name: the share of $what" near "$(share expert ";${what}_work[; ]")" \
			"$(sed -n "s/^$what //p" truth)" 3
	done
	# All of it is the tasks', and nothing but that the region's or overhead.
	check "$name: little is left for the region" below "$(awk '
		/^"constructs":/ { inside = 1; next }
		/^"/ { inside = 0 }
		inside && match($0, /"self":\[{"samples":[0-9]*,"weight":[0-9]*/) {
			n = substr($0, RSTART, RLENGTH); sub(/.*:/, "", n); all += n
			if (/"kind":"task"/) hit += n
		}
		END { printf "%.4f\n", all ? 1 - hit / all : 1 }' json)" 0.2
}

for n in 14 16 19; do
	retried tasks clang $n
	retried undeferred clang -O2 $n
done
retried tasks gcc 14
retried undeferred clang -O0 14
retried undeferred gcc -O2 14
finish
