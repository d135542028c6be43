#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Code that a program makes at run time has the names that the program's map for perf shows, and
# its callers; also when the map is gone, as the names are in the profile.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ "$(uname -m)" = x86_64 ] || skip_all 'the program makes code for x86-64'
must_build made gcc -O1

# made PROFILE [OPTION…]: profiles the program, whose map stays as $map. $arguments are its own.
arguments=
made() {
	map=$("$ompcount" -q -e cpu-clock "${@:2}" -o "$1" -- "$prog" $arguments 2>err)
	check 'the program runs' test -n "$map"
}

# stacks PROFILE: the machine's stacks, into the file stacks
stacks() {
	"$ompcount" report --view machine --format folded "$1" >stacks
}

made made.omphwc
rm -f "$map"
stacks made.omphwc
# It has 10,000,000 of 60,000,000 iterations, which last as long as those of the loop, or longer.
nested='main;py::outer:/app[.]py;interpreter;py::inner:/app[.]py;work '
check 'trampolines have their names and their callers' below 0.1 "$(share stacks "$nested")"
check 'so has a loop, without control characters' \
	below 0.2 "$(share stacks 'main;py::loop[?]\[31m:/app[.]py ')"
check 'hardly anything is unknown' below "$(share stacks '<unknown>')" 0.02
check 'of two names the last is told' equal "$(grep -c 'old[.]py' stacks)" 0
check 'the head tells that callers are guessed' \
	grep -q "^guessed: callers of code" <("$ompcount" report made.omphwc)

# As Python without -X perf, and with it.
prog_of=$prog
cp -p "$prog" python3.12 && prog=./python3.12
note="paths end in Python's interpreter, python3.12: to see its functions use -X perf"
made python.omphwc --no-names
check 'Python: where its functions have names, nothing is to be done' \
	equal "$("$ompcount" report python.omphwc | grep -c '^paths end')" 0
rm -f "$map"
check 'else it is shown how they get names' \
	grep -q "^$note" <("$ompcount" report python.omphwc)
prog=$prog_of

made bare.omphwc --no-names
stacks bare.omphwc
check 'a report reads the map while it exists' below 0.1 "$(share stacks "$nested")"
touch -d '+1 hour' "$map"
stacks bare.omphwc
check 'a map of another time is not used' equal "$(grep -c 'py::' stacks)" 0
cp "$map" map.kept
truncate -s 2G "$map" && touch -r bare.omphwc "$map"
stacks bare.omphwc
check 'nor is one of gigabytes' equal "$(grep -c 'py::' stacks)" 0
mv map.kept "$map" && touch -r bare.omphwc "$map"
stacks bare.omphwc
check 'it is used again' below 0.1 "$(share stacks "$nested")"
mv "$map" map.kept && touch "$PWD/map.kept" && ln -s "$PWD/map.kept" "$map"
stacks bare.omphwc
check 'nor is a link' equal "$(grep -c 'py::' stacks)" 0
rm -f "$map" && mkfifo "$map"
stacks bare.omphwc
check 'nor a pipe' equal "$(grep -c 'py::' stacks)" 0
rm -f "$map"
head -c 100000 /dev/urandom >"$map"
stacks bare.omphwc
check 'a map of noise does no harm' below 0.2 "$(share stacks 'main;')"
rm -f "$map"

# The same in the form of just-in-time compilers, with code.
arguments='py dump'
made dumped.omphwc --no-names
stacks dumped.omphwc
check 'a dump tells names, too' below 0.1 "$(share stacks "$nested")"
check 'also of a function that was moved' \
	below 0.2 "$(share stacks 'main;py::loop[?]\[31m:/app[.]py ')"
check 'there, too, the last name is told' equal "$(grep -c 'old[.]py' stacks)" 0
mv "$map" whole
bytes=$(stat -c %s whole)
for at in 0 4 20 39 40 44 60 100 $((bytes / 2)) $((bytes - 1)); do
	head -c "$at" whole >"$map"
	stacks dumped.omphwc
	check "a dump that ends after $at bytes does no harm" below 0.2 "$(share stacks 'main;')"
	# A field there is of the greatest value.
	{ cat "$map"; printf '\377\377\377\377'; tail -c +$((at + 5)) whole; } >damaged
	mv damaged "$map"
	stacks dumped.omphwc
	check "nor one that is damaged after $at bytes" below 0.2 "$(share stacks 'main;')"
done
rm -f "$map"
made stored.omphwc
rm -f "$map"
stacks stored.omphwc
check 'its names are stored in the profile' below 0.1 "$(share stacks "$nested")"
finish
