#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Instruction decoding beside objdump's, over whole libraries: lengths, what each
# instruction does to the flow of control, and where it leads.
. "$(dirname "$0")/../../support/lib.sh"
compare=$top_builddir/tests/decode_compare
[ -x "$compare" ] || skip_all "tests/decode_compare is not built"

# beside OBJDUMP FILE: objdump's lines of the file, to decode_compare.
beside() {
	local objdump=$1 options=
	# Its aliases hide which registers a jump uses.
	[ "$machine" != riscv64 ] || options="-M no-aliases"
	# shellcheck disable=SC2086
	"$objdump" -dw $options "$2" | "$compare" "$2"
}

# objdump_of MACHINE: its name; false: there is none here.
objdump_of() {
	local own
	own=$(uname -m)
	if [ "$1" = "$own" ]; then
		command -v objdump
	else
		command -v "$1-linux-gnu-objdump"
	fi
}

# decoded MACHINE LEAST FILE…: those that are there, of at least so many instructions together.
decoded() {
	local machine=$1 least=$2 objdump sum=0 file n
	shift 2
	objdump=$(objdump_of "$machine") || { skip "$machine: no objdump for it"; return; }
	objdump=$(basename "$objdump")
	for file in "$@"; do
		[ -e "$file" ] || continue
		if beside "$objdump" "$file" >out 2>&1; then
			n=$(sed -n '$s/ compared.*//p' out)
			sum=$((sum + n))
			pass "$machine: $file: $(tail -n 1 out)"
		else
			fail "$machine: $file: $(head -n 3 out | tr '\n' ' ')$(tail -n 1 out)"
		fi
	done
	if [ $sum -gt 0 ]; then
		check "$machine: enough to compare ($sum)" below "$least" "$sum"
	else
		skip "$machine: none of its libraries is here"
	fi
}

# The running machine's: of the C library, hand-written vector code, C++ and the project's own.
libraries() {
	PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | sed -n "s/^\t$1 .* => //p" | head -n 1
}
own="$(libraries 'libc\.so\.6') $(libraries 'libm\.so\.6') $(libraries 'libcrypto\.so\.[0-9]*') $ompcount"
[ -z "$long" ] || own="$own $tool $(for l in 'libstdc++\.so\.6' 'libLLVM-[0-9]*\.so\.1' 'libx265\.so\.[0-9]*' \
	'libaom\.so\.[0-9]*' 'libz3\.so\.[0-9]*' 'libasan\.so\.[0-9]*' 'libtsan\.so\.[0-9]*' \
	'libpython3\.[0-9]*\.so\.1\.0' 'librsvg-2\.so\.2' 'libgfortran\.so\.5' 'libomp\.so\.5' \
	'libavcodec\.so\.[0-9]*' 'libopenblas\.so\.0' 'libgnat-[0-9]*\.so'; do libraries "$l"; done)"
# shellcheck disable=SC2086
decoded "$(uname -m)" 100000 $own

for machine in aarch64 riscv64; do
	[ $machine != "$(uname -m)" ] || continue
	lib=/usr/$machine-linux-gnu/lib
	decoded $machine 100000 $lib/libc.so.6 \
		${long:+$lib/libm.so.6 $lib/libstdc++.so.6 $lib/libgomp.so.1 $lib/libasan.so.8 $lib/libtsan.so.2}
done

# A listing that differs is noticed.
differing() {
	objdump -dw "$1" | sed "$2" | "$compare" "$1" >out 2>&1 && { tail -n 1 out; return 1; }
	grep -q "^DIFFERS: .*: $3" out
}
if command -v objdump >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	check "another length is noticed" differing "$ompcount" \
		'0,/\te8 \([0-9a-f ]*\)\tcall/s//\te8 00 \1\tcall/' length
	check "another target is noticed" differing "$ompcount" \
		'0,/\tcall   \([0-9a-f]\)/s//\tcall   1\1/' target
	check "a call that is none is noticed" differing "$ompcount" '0,/\tcall  /s//\tlea  /' kind
	check "a trap that is none is noticed" differing "$ompcount" '0,/\tret */s//\tud2 /' kind
fi
finish
