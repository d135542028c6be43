#!/bin/bash
# One thread repeatedly loads and unloads a library while others allocate, all sampled at
# 10 kHz: nothing hangs, and every call returns the right result.
. "$(dirname "$0")/lib.sh"
need_tool
seconds=3
[ -z "$long" ] || seconds=60

build plugin gcc -shared -fPIC || build plugin clang -shared -fPIC || skip_all "$why"
plugin=$prog
storm() {
	local what=$1
	shift
	timeout -k 5 $((seconds * 3 + 30)) "$@" "$prog" "$plugin" $seconds >out 2>err
	case $? in
	0) check "$what" equal "$(cat out)" "sum ok" ;;
	124 | 137) fail "$what: hung" ;;
	*) fail "$what: $(tail -n 1 err)" ;;
	esac
}

for cc in clang gcc; do
	build dlstorm $cc -O2 || { skip "$cc: $why"; continue; }
	storm "$cc, under ompcount" "$ompcount" -F 10000 -o $cc.omphwc --
	folded $cc.omphwc >user
	check "$cc: the storm is in the profile" below 0 "$(share user '(^|;)storm;')"
	check "$cc: the allocations too" below 0.1 "$(share user ';churn[; ]')"
	[ $cc = clang ] || continue
	storm "clang, with OMP_TOOL_LIBRARIES" \
		env OMP_TOOL_LIBRARIES="$tool" OMPHWC_OUTPUT=tool.omphwc OMPHWC_FREQ=10000
	check "clang, with OMP_TOOL_LIBRARIES: it reads" folded tool.omphwc
done
finish
