#!/bin/bash
# A thread that waits is shown as waiting, for the right thing and the right
# part of the time.
. "$(dirname "$0")/lib.sh"
need_tool
export KMP_BLOCKTIME=infinite OMP_WAIT_POLICY=active

# waits KIND LEAF SHARE RUNTIME: the waiting thread has 8 of 18 parts of the time,
# or 18 of 36 in `serial', if both have a processor each; half of that if not.
waits() {
	local what="$1, libomp $3" s
	with_runtime "$3" || { skip "$what: $why"; return; }
	rm -f p.omphwc
	LD_LIBRARY_PATH=$runtime "$ompcount" -e cpu-clock -o p.omphwc -- "$prog" "$1" 1.5 >out 2>err ||
		{ fail "$what: $(tail -n 1 err)"; return; }
	folded p.omphwc >user
	s=$(share user ";?$2 ")
	check "$what: $2 is a large part" below 0.25 "$s"
	check "$what: but not all" below "$s" 0.60
	check "$what: other waits are few" below \
		"$(grep -v -- "$2 " user | awk '/<OMP-[a-z_]*(wait|barrier|idle)[a-z_]*> / { n += $NF } END { print n + 0 }')" \
		"$(total user | awk '{ print $1 / 10 }')"
}

must_build waits clang -O2
for n in 14 16 19; do
	waits barrier '<OMP-explicit_barrier>' $n
	waits implicit '<OMP-implicit_barrier>' $n
	waits critical '<OMP-critical_section_wait>' $n
	waits lock '<OMP-lock_wait>' $n
	waits serial '<OMP-idle>' $n
done
finish
