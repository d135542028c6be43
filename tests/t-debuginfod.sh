#!/bin/bash
# Names from a debuginfod server, of programs that are stripped or gone; only where
# DEBUGINFOD_URLS names one, and with a limit on the time.
. "$(dirname "$0")/lib.sh"
need_tool
command -v debuginfod >/dev/null || skip_all "no debuginfod (Debian's package of that name)"
PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep 'libdebuginfod\.so\.1 ' >/dev/null || skip_all "no libdebuginfod.so.1"
must_build tasks gcc -O2
unset DEBUGINFOD_URLS
export DEBUGINFOD_CACHE_PATH=$work/cache

# The server has the whole program; we have it stripped.
mkdir served
cp "$prog" served/app
strip -o app served/app || skip_all "no strip"
server=
for ((port = 28002; port < 28012; port++)); do
	debuginfod -p $port -d :memory: -F "$work/served" >server.log 2>&1 &
	server=$!
	for ((i = 0; i < 100; i++)); do
		grep -q 'fts traversed' server.log && break
		kill -0 $server 2>/dev/null || { server=; break; }
		sleep 0.1
	done
	[ -z "$server" ] || break
done
[ -n "$server" ] || skip_all "debuginfod does not start: $(tail -n 1 server.log)"
stop_server() { kill -KILL $server && wait $server; } 2>/dev/null
trap 'status=$?; stop_server; (exit $status); leave' EXIT
url=http://127.0.0.1:$port
asked() { DEBUGINFOD_URLS=$url "$ompcount" "$@"; }
report() { "$ompcount" report -l 0 --by function "$@"; }

"$ompcount" -q --no-names -F 2000 -e cpu-clock -o p.omphwc ./app >out 2>err
cp p.omphwc bare.omphwc
check "a stripped program has no names" grep -q 'app+0x' <(report p.omphwc)
check "no server is asked without DEBUGINFOD_URLS" test ! -e cache
check "with it there are names and lines" grep -q 'main (tasks\.c:[0-9]*)' <(asked report -l 0 --by function p.omphwc)
check "nothing is said on standard error" equal "$(asked report p.omphwc 2>&1 >/dev/null)" ""
asked resolve p.omphwc
check "they are stored" grep -q 'main (tasks\.c:[0-9]*)' <(report p.omphwc)
rm -rf cache
asked -q -F 2000 -e cpu-clock -o q.omphwc ./app >out 2>err
check "a run stores them, too" grep -q 'main (tasks\.c:[0-9]*)' <(report q.omphwc)
mv app gone
rm -rf cache
check "a program that is gone" grep -q 'main (tasks\.c:[0-9]*)' <(asked report -l 0 --by function bare.omphwc)
mv gone app

# seconds COMMAND…: runs it, and prints how long it took.
seconds() {
	local begin=$SECONDS
	"$@" >out 2>err
	echo $((SECONDS - begin))
}
rm -rf cache
kill -STOP $server
check "a run does not wait long for a server that is silent" below \
	"$(seconds asked -q -F 2000 -e cpu-clock -o q.omphwc ./app)" 25
check "and has what names there are" grep -q 'app+0x' <(report q.omphwc)
stop_server
rm -rf cache
check "nor for one that is not there" below "$(seconds asked report -l 0 --by function bare.omphwc)" 20
check "which is reported on without" grep -q 'app+0x' out
finish
