#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names from a debuginfod server, of programs that are stripped or gone; only where
# DEBUGINFOD_URLS names one, and with a limit on the time.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep 'libdebuginfod\.so\.1 ' >/dev/null || skip_all "no libdebuginfod.so.1"
must_build tasks gcc -O2
unset DEBUGINFOD_URLS
export DEBUGINFOD_CACHE_PATH=$work/cache

# The server has the whole program; we have it stripped.
mkdir served
cp "$prog" served/app
strip -o app served/app || skip_all "no strip"
report() { "$ompcount" report -l 0 --by function "$@"; }
"$ompcount" -q --no-names -F 2000 -e cpu-clock -o p.omphwc ./app >out 2>err
cp p.omphwc bare.omphwc

# Servers whose answers never end: without a length, with a great one, and compressed.
cat >endless.py <<'END'
import http.server, sys, zlib

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        if kind == "long":
            self.send_header("Content-Length", str(1 << 40))
        if kind == "compressed":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = bytes(1 << 20)
        try:
            while True:
                self.wfile.write(packer.compress(zeros) if kind == "compressed" else zeros)
        except OSError:
            pass

kind = sys.argv[1]
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
END
# most: the size of the largest file that the cache ever had.
watch() {
	local most=0 n
	while [ ! -e watched ]; do
		n=$(find cache -type f -printf '%s\n' 2>/dev/null | sort -n | tail -n 1)
		[ "${n:-0}" -le "$most" ] || most=$n
		sleep 0.02
	done
	echo "$most" >most
}
for kind in unknown long compressed; do
	command -v python3 >/dev/null || break
	rm -rf cache watched port
	python3 endless.py $kind >port 2>server.log &
	endless=$!
	trap 'status=$?; kill $endless 2>/dev/null; (exit $status); leave' EXIT
	for ((i = 0; i < 100; i++)); do [ ! -s port ] || break; sleep 0.05; done
	watch &
	watcher=$!
	DEBUGINFOD_MAXSIZE=20000000 DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) \
		timeout -k 5 60 "$ompcount" report -l 0 --by function bare.omphwc >out 2>err
	check "an answer of $kind length does not last" equal $? 0
	touch watched
	wait $watcher
	check "nor does it fill the disk" below "$(cat most)" 20000001
	check "nothing is left of it" equal "$(find cache -type f -size +1M | wc -l)" 0
	check "the report is what it is without" grep -q 'app+0x' out
	check "and says why, once" equal "$(grep -c 'DEBUGINFOD_MAXSIZE=BYTES allows more' err)" 1
	kill $endless
	wait $endless 2>/dev/null
done
trap leave EXIT

command -v debuginfod >/dev/null || { skip "no debuginfod (Debian's package of that name)"; finish; }
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

rm -rf cache
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
