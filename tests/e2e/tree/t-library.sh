#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The exports and needs of libomphwc.so: names, libraries, and no lazily allocated
# thread-local storage.
. "$(dirname "$0")/../../support/lib.sh"
[ -e "$tool" ] || skip_all "libomphwc.so is not built"
command -v readelf >/dev/null || skip_all "no readelf"

listed() { sed 's/#.*//; s/[ \t]*$//; /^$/d' "$1" | sort; }

# exports LIBRARY LIST: one case for excess names, one for missing ones.
exports() {
	nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' | sort >exported
	listed "$top_srcdir/tests/support/$2" >allowed
	check "${1##*/} exports nothing that is not on the list" equal "$(comm -23 exported allowed)" ""
	check "${1##*/} exports all that is" equal "$(comm -13 exported allowed)" ""
}

heap=${tool%/*}/libomphwc_heap.so
exports "$tool" exported-symbols
exports "$heap" exported-symbols.heap

# It runs inside each allocation, so it may need next to nothing.
check "libomphwc_heap.so wants nothing but what it needs" equal \
	"$(nm -D --undefined-only "$heap" | awk '$1 == "U" { print $2 }' | sed 's/@.*//' |
		grep -vxE '__errno_location|dlerror|dlsym|memcpy|__stack_chk_fail')" ""
check "libomphwc_heap.so is bound when it is loaded, and never unloaded" equal \
	"$(readelf -dW "$heap" | grep -cE 'NODELETE|BIND_NOW')" 2
check "its thread-local storage is initial-exec" equal \
	"$(readelf -rW "$tool" | grep -E 'DTPMOD|DTPOFF|TLSDESC')" ""
# glibc has some 1,600 bytes for libraries that are loaded later, of the alignment of those that the
# program began with: a pointer's on some machines. One that does not fit is not loaded, and libomp
# says nothing.
for library in "$tool" "${tool%/*}/libomphwc-gomp-thread.so"; do
	read -r bytes align < <(readelf -lW "$library" | awk '$1 == "TLS" { print $6, $NF }')
	check "${library##*/} needs little static thread-local storage" below $((bytes)) 481
	check "${library##*/} needs no alignment of it" below $((align)) 17
done
check "libomphwc-gomp.so has none: as an auxiliary filter it would stop the loader of ldd" equal \
	"$(readelf -lW "${tool%/*}/libomphwc-gomp.so" | grep -cw TLS)" 0
# The loader lists them, as packagers and ompcount itself ask it to.
loader=$(readelf -lW "$(command -v env)" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
for library in "$tool" "${tool%/*}"/{libomphwc-gomp,libomphwc-gomp-thread,libomphwc_heap}.so; do
	check "${library##*/}: ldd" grep -q 'libc\.so\|statically linked' <(ldd "$library" 2>&1)
	check "${library##*/}: ldd finds all symbols" equal "$(ldd -r "$library" 2>&1 | grep -c 'undefined\|not found\|Inconsistency')" 0
	check "${library##*/}: ld.so --list" "$loader" --list "$library"
done
preloaded=$(LD_PRELOAD=$tool LD_TRACE_LOADED_OBJECTS=1 env)
check "preloaded, all three are listed" equal "$(grep -c libomphwc <<<"$preloaded")" 3
check "nothing resolves __tls_get_addr" equal "$(nm -D "$tool" | grep __tls_get_addr)" ""
check "it is never unloaded" grep -q NODELETE <(readelf -dW "$tool")
check "it is bound when it is loaded" grep -qE 'BIND_NOW|NOW' <(readelf -dW "$tool")
check "its stack cannot be executed" equal "$(readelf -lW "$tool" | awk '/GNU_STACK/ { print $7 }')" RW
check "it needs the C library and libpfm alone" equal \
	"$(readelf -dW "$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libpthread|libdl|librt|libm|ld-linux.*|libpfm)\.so')" ""
# What is loaded into programs serves in older containers, wherever it was built.
newer() {
	nm -D --undefined-only "$1" | grep -oE '[^ ]*@GLIBC_2\.(29|[3-9][0-9])$'
}
for one in libomphwc.so libomphwc_heap.so libomphwc-gomp.so libomphwc-gomp-thread.so; do
	one=$(dirname "$tool")/$one
	[ -e "$one" ] || continue
	check "$(basename "$one") needs glibc 2.28 at most" equal "$(newer "$one")" ""
done
# Loaders before glibc 2.33 end programs that load a library with a filter they find.
if [ "$(uname -m)" = x86_64 ]; then
	check "its filter lies where only loaders look that can load it" equal \
		"$(readelf -dW "$tool" | sed -n 's/.*(\(AUXILIARY\|RUNPATH\)).*\[\(.*\)\]/\2/p' | sort | tr '\n' ' ')" \
		'$ORIGIN/omphwc/filter libomphwc-gomp.so '
	check "and nothing else does" equal "$(cd "$(dirname "$tool")/omphwc/filter" && find . ! -type d | sort | tr '\n' ' ')" \
		"./glibc-hwcaps/x86-64-v2/libomphwc-gomp-thread.so ./glibc-hwcaps/x86-64-v2/libomphwc-gomp.so "
fi
finish
