#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything builds for riscv64, from the release tarball.
. "$(dirname "$0")/../../support/lib.sh"
[ -n "$long" ] || skip_all "make check-long builds and runs for riscv64"
. "$top_srcdir/tests/guests/make.sh"
make_riscv64
for file in bin/ompcount lib/libomphwc.so; do
	check "${file##*/} is riscv64's" grep -q RISC-V <(readelf -h "$tree/opt/omphwc/$file")
done
finish
