#!/bin/bash
# What `make install' puts in place works from there.
. "$(dirname "$0")/lib.sh"
need_tool
make=${MAKE:-make}

root=$work/root
check "make install" env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" install DESTDIR="$root"
prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
for f in bin/ompcount lib/libomphwc.so lib/libomphwc_heap.so lib/libomphwc.a; do
	check "$f is there" test -e "$root$prefix/$f"
done

build output clang -O2 || build output gcc -O2 || skip_all "$why"
"$prog" 3 </dev/null >plain 2>/dev/null
"$root$prefix/bin/ompcount" -o p.omphwc -- "$prog" 3 </dev/null >run 2>err
check "the installed ompcount passes the status on" equal $? 3
check "and the output" cmp plain run
check "its report has the program's function" grep -q ';smooth' <("$root$prefix/bin/ompcount" report --format folded p.omphwc)

check "make uninstall" env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" uninstall DESTDIR="$root"
check "leaves nothing behind" equal "$(find "$root" -type f -o -type l)" ""
finish
