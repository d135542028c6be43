#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# show.sh BUILD - profiles the demonstration and looks at the profile, with the
# commands that a person would type.
build=$1
profile=$build/bench/demo/heat.omphwc
say() { printf '\n$ %s\n' "$*"; }

cd "$build" || exit
build=. profile=bench/demo/heat.omphwc
PATH=$PWD:$PATH
say "ompcount -o $profile -- bench/demo/heat"
ompcount -o "$profile" -- bench/demo/heat || exit
say "ompcount report --by finding $profile"
ompcount report --by finding "$profile" || exit
say "ompcount report --by line $profile"
ompcount report --by line "$profile"
