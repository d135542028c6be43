#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program on GCC's libgomp reports the same of its regions and tasks whoever starts it: other
# programs, interpreters that load it as a library, and libraries with private copies of
# libgomp, as Python's wheels have them.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
must_build launched gcc -O1
app=$prog
must_build launched gcc -O1 -shared -fPIC -fopenmp
library=$prog
"$gcc" -g -O1 -o launcher "$programs/launcher.c" -ldl || skip_all "gcc builds no launcher"

# told: the entries of the regions, and how many tasks were created and ran, in all profiles
# here. Numbers of threads, samples and stolen tasks vary.
told() {
	{
		"$ompcount" report --format csv --by region ./*.omphwc | csv entries region |
			awk -F'\t' '$2 ~ /launched[.]c/ { print $1, $2 }'
		"$ompcount" report --format csv --by task ./*.omphwc | csv created run kind function file line |
			awk -F'\t' '$5 ~ /launched[.]c$/ { printf "%d %d %s in %s (launched.c:%d)\n", $1, $2, $3, $4, $6 }'
	} | sort
}

# same WHAT COMMAND…: whether a run tells what $expected holds, and prints what it does alone.
same() {
	local what=$1 plain
	shift
	plain=$("$@" 2>/dev/null) || { skip "$what: fails alone"; return; }
	rm -f ./*.omphwc
	check "$what: same output" equal \
		"$("$ompcount" -q -e cpu-clock -o '%p.omphwc' -- "$@" 2>err)" "$plain"
	check "$what: same regions and tasks" equal "$(told)" "$expected"
}

# multiplied N LIBRARIES: what N runs of each of several libraries in one process show.
multiplied() {
	awk -v n="$1" -v libraries="$2" '{
		$1 = $1 * n
		if ($3 == "task") $2 = $2 * n
		for (i = 0; i < libraries; i++) print
	}' <<<"$once" | sort
}

once="10 nested:35 (launched.c)
15 tasks:22 (launched.c)
150 150 task in tasks (launched.c:25)
20 nested:37 (launched.c)
30 loops:12 (launched.c)"
expected=$once
same "directly" "$app"
rm -f ./*.omphwc
LD_PRELOAD=$tool OMPHWC_EVENTS=cpu-clock OMPHWC_OUTPUT=$PWD/%p.omphwc "$app" >/dev/null
check "preloaded, without ompcount: same regions and tasks" equal "$(told)" "$expected"
same "env" env X=1 "$app"
same "nice" nice "$app"
same "timeout" timeout 60 "$app"
same "a shell" sh -c "X=1 '$app'; exit \$?"
same "exec in a shell" bash -c "exec '$app'"
printf '#!/bin/sh\nset -e\ntrue | cat\n"%s" | cat\n' "$app" >script
chmod +x script
same "a script" ./script
for how in fork vfork spawn exec; do
	same "a program by $how" ./launcher "$how" "$app"
done
if command -v taskset >/dev/null; then
	same "taskset" taskset -c 0 "$app"
else
	skip "taskset: not installed"
fi
if command -v perl >/dev/null; then
	same "perl's system()" perl -e 'exit system(@ARGV) >> 8' "$app"
else
	skip "perl: not installed"
fi

# As a library of programs that have no OpenMP.
same "dlopen()" ./launcher unload "$library"
# By a relative name, by which the loader knows it: a sample may meet the library before us.
if build launched gcc -O1 -shared -fPIC -fopenmp -DAT_LOAD && cp "$prog" libat.so; then
	expected=$(multiplied 2 1)
	same "dlopen() of a relative name" ./launcher load ./libat.so
	expected=$once
else
	skip "dlopen() of a relative name: $why"
fi
if command -v perl >/dev/null && perl -MDynaLoader -e 1 2>/dev/null; then
	same "perl's DynaLoader" perl -MDynaLoader -e '$| = 1;
		my $l = DynaLoader::dl_load_file($ARGV[0], 0) or die DynaLoader::dl_error();
		DynaLoader::dl_install_xsub("main::run", DynaLoader::dl_find_symbol($l, "run")); run()' "$library"
fi
python=
for p in /usr/bin/python3 python3; do
	[ -n "$python" ] || ! "$p" -c 'import ctypes' 2>/dev/null || python=$p
done
if [ -n "$python" ]; then
	same "python's subprocess" "$python" -c 'import subprocess, sys
sys.exit(subprocess.call(sys.argv[1:]))' "$app"
	same "python's ctypes" "$python" -c 'import ctypes, sys
ctypes.CDLL(sys.argv[1]).run()' "$library"
else
	skip "python: none with ctypes"
fi

# private N: a library that needs a libgomp of its own, by a soname of the same length.
libgomp=$("$gcc" -print-file-name=libgomp.so.1)
private() {
	local name=libgpv$1.so.1
	sed "s/libgomp[.]so[.]1/$name/g" <"$libgomp" >"$name" &&
		sed "s/libgomp[.]so[.]1/$name/g" <"$library" >"lib$1.so" &&
		! ldd "./lib$1.so" 2>/dev/null | grep -q 'libgomp[.]so'
}
export LD_LIBRARY_PATH=$PWD
if [ -e "$libgomp" ] && private t && private 2 && [ "$(./launcher load ./libt.so 2>&1 | wc -l)" = 2 ]; then
	same "unloading a private libgomp" ./launcher unload ./libt.so
	expected=$(multiplied 2 1)
	same "a private libgomp" ./launcher load ./libt.so
	expected=$(multiplied 2 2)
	same "two private libgomps" ./launcher load ./libt.so ./lib2.so
	same "a private libgomp beside the system's" ./launcher load ./libt.so "$library"
	same "the system's libgomp beside a private one" ./launcher load "$library" ./lib2.so
	if [ -n "$python" ]; then
		expected=$(multiplied 1 2)
		same "two private libgomps in python" "$python" -c 'import ctypes, sys
for l in [ctypes.CDLL(a) for a in sys.argv[1:]]: l.run()' ./libt.so ./lib2.so
	fi
else
	skip "private copies of libgomp: none can be made of ${libgomp:-it}"
fi
finish
