#!/bin/bash
# What libomphwc.so shows the program that it is loaded into, and what it needs:
# names, libraries, and no thread-local storage that is allotted lazily.
. "$(dirname "$0")/lib.sh"
[ -e "$tool" ] || skip_all "libomphwc.so is not built"
command -v readelf >/dev/null || skip_all "no readelf"

listed() { sed 's/#.*//; s/[ \t]*$//; /^$/d' "$1" | sort; }

nm -D --defined-only "$tool" | awk '{ print $3 }' | sed 's/@.*//' | sort >exported
listed "$top_srcdir/tests/exported-symbols" >allowed
check "it exports nothing that is not on the list" equal "$(comm -23 exported allowed)" ""
check "it exports all that is" equal "$(comm -13 exported allowed)" ""

check "its thread-local storage is initial-exec" equal \
	"$(readelf -rW "$tool" | grep -E 'DTPMOD|DTPOFF|TLSDESC')" ""
check "nothing resolves __tls_get_addr" equal "$(nm -D "$tool" | grep __tls_get_addr)" ""
check "it is never unloaded" grep -q NODELETE <(readelf -dW "$tool")
check "it is bound when it is loaded" grep -qE 'BIND_NOW|NOW' <(readelf -dW "$tool")
check "its stack cannot be executed" equal "$(readelf -lW "$tool" | awk '/GNU_STACK/ { print $7 }')" RW
check "it needs the C library and libpfm alone" equal \
	"$(readelf -dW "$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vE '^(libc|libpthread|libdl|libm|ld-linux.*|libpfm)\.so')" ""
finish
