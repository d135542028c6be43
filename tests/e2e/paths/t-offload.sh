#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What is offloaded, by a runtime that reports it: target constructs with their entries, and what
# each asked of the device.  The device is the host.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

build offload clang -O1 -g -fopenmp-targets=x86_64-pc-linux-gnu || skip_all "$why"
with_runtime offload || skip_all "$why"
export OMP_TARGET_OFFLOAD=MANDATORY
LD_LIBRARY_PATH=$runtime "$prog" >plain 2>plain.err ||
	skip_all "no device here: $(tail -n 1 plain.err)"
[ "$(sed -n 's/^devices //p' plain)" = 1 ] || skip_all "the runtime has no device here"
bytes=$(sed -n 's/^bytes //p' plain)

# line MARK: of the program.
line() { grep -n -F "/* $1 */" "$programs/offload.c" | cut -d: -f1; }
# op KIND LINE OPERATION COLUMN: of the devices' table.
op() {
	"$ompcount" report -f csv --by device --columns "kind,line,operation,$4" p.omphwc |
		sed -n "s/^$1,$2,$3,//p"
}
entries() {
	"$ompcount" report -f csv --by construct --columns kind,line,entries p.omphwc |
		sed -n "s/^$1,$2,//p"
}

for how in "-e cpu-clock" "--count" "-e cpu-clock --entries --blame --trace"; do
	rm -f p.omphwc
	# shellcheck disable=SC2086 # several options
	LD_LIBRARY_PATH=$runtime "$ompcount" -q $how -o p.omphwc -- "$prog" >profiled 2>err
	check "$how: the program works" cmp plain profiled
	check "$how: kernels" equal "$(op target "$(line kernel)" kernel operations)" 7
	check "$how: entries" equal "$(entries target "$(line kernel)")" 7
	check "$how: update to" equal \
		"$(op 'target update' "$(line 'refresh to')" to bytes)" $((7 * bytes))
	check "$how: update from" equal \
		"$(op 'target update' "$(line 'refresh from')" from bytes)" $((7 * bytes / 2))
	check "$how: both are entered" equal "$(entries 'target update' "$(line 'refresh to')") \
$(entries 'target update' "$(line 'refresh from')")" "7 7"
	check "$how: data comes back" equal \
		"$(op 'target exit data' "$(line data)" from bytes)" "$bytes"
	check "$how: target data begins once, and ends once" equal \
		"$(entries 'target enter data' "$(line data)") $(entries 'target exit data' "$(line data)")" \
		"1 1"
	check "$how: calls" equal \
		"$(op 'device memory call' "$(line 'copy to')" to bytes)" $((3 * bytes))
	check "$how: what a call allocates" equal \
		"$(op 'device memory call' "$(line 'copy alloc')" alloc bytes)" "$bytes"
	check "$how: nowait" equal "$(op target "$(line deferred)" kernel operations)" 1
	check "$how: kernels take time" below 0 "$(op target "$(line kernel)" kernel host_ns)"
done

"$ompcount" report --format json -o report.json p.omphwc
check "JSON has the same" equal \
	"$(grep -c '"operation":"kernel"' report.json)" 2
finish
