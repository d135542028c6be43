#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual has a page for each command, with all options that --help shows and no other, and
# what its pages refer to is there.
. "$(dirname "$0")/../../support/lib.sh"
doc=$top_srcdir/doc
pages=$(echo "$doc"/omp*.[17])

# plain PAGE: its text without the requests' marks.
plain() { sed 's/\\-/-/g; s/\\~/ /g; s/\\f[BIRP]//g; s/\\&//g' "$1"; }
# helped COMMAND: the options that --help lists, each in a line of its own.
helped() {
	"$ompcount" "$1" --help | sed -n 's/^  \{1,6\}\(-[^ ].*\)/\1/p' | sed 's/   *.*//' |
		grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,' | grep -vxe -h -e --help | sort -u
}
# told COMMAND: those that have an entry in its page.
told() {
	plain "$doc/ompcount-$1.1" | awk '/^\.TP/ { entry = 1; next } entry { print; entry = /^\.TQ/ }' |
		grep -E '^\.BR? -' | grep -oE -- '(^| )--?[A-Za-z][a-z-]*' | tr -d ' ' | sort -u
}
commands=$("$ompcount" --help | sed -n '/^Commands:/,/^$/s/^ *\([a-z]*\)  .*/\1/p')
for command in $commands; do
	case $command in
	record | stat) continue ;; # in the page of run
	esac
	check "$command has a page" [ -f "$doc/ompcount-$command.1" ] || continue
	check "$command: its page has what --help tells" equal \
		"$(comm -23 <(helped "$command") <(plain "$doc/ompcount-$command.1" | grep -oE -- '--?[A-Za-z][a-z-]*' | sort -u))" ""
	check "$command: and no other options" equal \
		"$(comm -13 <("$ompcount" "$command" --help | grep -oE -- '--?[A-Za-z][a-z-]*' | sort -u) <(told "$command"))" ""
	check "the overview names its page" grep -q "^\.BR ompcount\\\\-$command (1)" "$doc/ompcount.1"
done
for page in $pages; do
	check "${page##*/} is installed" grep -q "doc/${page##*/}" "$doc/local.mk"
	check "${page##*/} refers to pages that are there" equal "$(plain "$page" |
		grep -oE '^\.BR (ompcount|omphwc)[a-z-]* \([17]\)' | sed 's/^\.BR //; s/ (\(.\))/.\1/' | sort -u |
		while read -r other; do [ -f "$doc/$other" ] || echo "$other"; done)" ""
	if command -v groff >/dev/null; then
		check "${page##*/}: groff finds no fault" equal "$(groff -man -ww -Wbreak -z "$page" 2>&1)" ""
	fi
done

# Links between the documents, as they lie in the source and as they are installed.
links() { grep -oE '\]\([^)#]*' "$1" | sed 's/^](//' | grep -v '^http'; }
for text in "$top_srcdir"/*.md "$doc"/*.md "$doc"/decisions/*.md; do
	check "${text##*/}: its links lead to files" equal \
		"$(links "$text" | while read -r to; do [ -e "$(dirname "$text")/$to" ] || echo "$to"; done)" ""
done
finish
