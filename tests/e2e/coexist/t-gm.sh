#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A foreign program: GraphicsMagick, built by gcc with libgomp, produces the same picture
# and a report that shows where it spent its time.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v gm >/dev/null || skip_all "no gm: install graphicsmagick"
size=1200x1200 blur=0x20
[ -z "$long" ] || { size=5000x5000 blur=0x40; }

gm convert -size $size gradient:black-white -blur $blur plain.ppm 2>err || skip_all "gm fails here: $(head -n 1 err)"
"$ompcount" -o gm.omphwc -- gm convert -size $size gradient:black-white -blur $blur out.ppm >out 2>err
check "gm ends well" equal $? 0
check "the picture is the same" cmp plain.ppm out.ppm
check "nothing on standard output" equal "$(cat out)" ""
folded gm.omphwc >user
check "the report names GraphicsMagick's code" below 0.5 "$(share user 'GraphicsMagick|Blur|Magick')"
check "little is unknown" below "$(share user '<unknown>')" 0.02
check "no frame of the runtime shows" equal "$(grep -cE '(__kmp|GOMP_|start_thread|libomp|libgomp)' user)" 0
check "a report by region" "$ompcount" report --by region --limit 0 -o regions gm.omphwc
check "regions are counted and named" grep -q ' 1 .*  GradientImage ' regions
check "little is outside of OpenMP" below "$(share user '^<OMP-unknown>')" 0.02
finish
