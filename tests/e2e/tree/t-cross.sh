#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything builds for arm64, from the release tarball.
. "$(dirname "$0")/../../support/lib.sh"
. "$top_srcdir/tests/guests/make.sh"
make_guest
for file in opt/omphwc/bin/ompcount opt/omphwc/lib/libomphwc.so work/suites/check_unwind; do
	check "${file##*/} is arm64's" grep -q AArch64 <(readelf -h "$tree/$file")
done
finish
