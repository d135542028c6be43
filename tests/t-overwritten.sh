#!/bin/bash
# A program whose live profile others write into ends as it would have, and it is said that the
# profile is not what was measured.
. "$(dirname "$0")/lib.sh"
need_tool
must_build ends gcc -O2

# write HOW: writes into p.omphwc in place, twice.
write() {
	local bytes
	bytes=$(stat -c %s p.omphwc)
	case $1 in
	zeros) dd if=/dev/zero of=p.omphwc conv=notrunc bs="$bytes" count=1 ;;
	"zeros behind the header") dd if=/dev/zero of=p.omphwc conv=notrunc bs=4096 seek=1 count=$((bytes / 4096 - 1)) ;;
	"random bytes") head -c "$bytes" /dev/urandom | dd of=p.omphwc conv=notrunc ;;
	"random bytes behind the header") head -c $((bytes - 4096)) /dev/urandom | dd of=p.omphwc conv=notrunc bs=4096 seek=1 ;;
	"ones behind the header") tr '\0' '\377' </dev/zero | head -c $((bytes - 4096)) | dd of=p.omphwc conv=notrunc bs=4096 seek=1 ;;
	"an older copy") dd if=older of=p.omphwc conv=notrunc ;;
	"another profile") dd if=other of=p.omphwc conv=notrunc ;;
	"its end cut off") truncate -s $((bytes / 2)) p.omphwc ;;
	nothing) : >p.omphwc ;;
	esac 2>/dev/null
}

# overwritten HOW OPTION…
overwritten() {
	local how=$1 pid
	shift
	rm -f p.omphwc* out
	timeout -k 5 60 "$ompcount" -q -F 10000 -e cpu-clock --timeline --entries "$@" -o p.omphwc -- \
		"$prog" return 0.5 3 >out 2>err &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		grep -q ready out 2>/dev/null && break
		sleep 0.02
	done
	cp p.omphwc older
	sleep 0.1
	write "$how"
	sleep 0.05
	[ "$how" = nothing ] || write "$how"
	wait $pid
	check "$how${*:+ ($*)}: status" equal $? 3
	check "$how${*:+ ($*)}: output" equal "$(cat out)" ready
	if grep -q 'another program wrote into it' err; then
		pass "$how${*:+ ($*)}: it is said"
	else
		"$ompcount" report p.omphwc >report 2>&1
		check "$how${*:+ ($*)}: it is said" grep -q 'overwritten while the process ran' report
	fi
}

"$ompcount" -q -e cpu-clock --timeline -o other -- "$prog" return 0.3 3 >out 2>err
for how in zeros "zeros behind the header" "random bytes" "random bytes behind the header" \
	"ones behind the header" "an older copy" "another profile" "its end cut off" nothing; do
	overwritten "$how"
done
overwritten "random bytes behind the header" --trace --blame
overwritten "an older copy" --count=page-faults
finish
