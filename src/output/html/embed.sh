#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# embed.sh FOLDER - makes two pages of the files in FOLDER, and C of them: that of a report, and
# that of comparisons of runs.
#
# The modules become one script, without their imports and exports: each of these is one line,
# and names are unique.  The page's Content-Security-Policy permits this script and this style
# by their hashes, and nothing else.  index.html and runs.html have the lines @policy@, @style@,
# @data@ and @script@ where these go.
set -eu
export LC_ALL=C
from=$1
part=$(mktemp -d "${TMPDIR:-/tmp}/omphwc-embed.XXXXXX")
trap 'rm -rf "$part"' EXIT

# What others use comes first; what begins a page is last.
report="format dom theme data state bars table tooltip summary flame_recursion flame_tree
flame_search flame regions region heatmap tables timeline source threads run main"
runs="format dom theme table tooltip runs_data chart history scale diff runs"

# hash FILE: as the policy has it.  The digits become bytes by printf's octal escapes.
hash() {
	digits=$(sha256sum <"$1")
	octal=$(echo "${digits%% *}" | awk '{
		for (i = 1; i <= 64; i += 2)
			printf "\\%03o", 16 * (index("0123456789abcdef", substr($0, i, 1)) - 1) \
				+ index("0123456789abcdef", substr($0, i + 1, 1)) - 1
	}')
	printf 'sha256-%s' "$(printf "$octal" | base64)"
}

# bytes NAME FILE: an array.
bytes() {
	echo "const unsigned char $1[] = {"
	od -An -v -tx1 "$2" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
	echo "};"
	echo "const size_t $1_bytes = sizeof($1);"
}

# page NAME INDEX MODULE...: the arrays of a page.
page() {
	name=$1 index=$2
	shift 2
	for m in "$@"; do
		sed -e '/^import .*;$/d' -e 's/^export //' "$from/$m.js"
	done >"$part/script"
	if grep -n '^import\|</script\|<!--' "$part/script" >&2; then
		echo "embed.sh: an import of several lines, or text that ends a script" >&2
		exit 1
	fi
	# The newline behind each element's tag is part of what is hashed.
	{ echo; cat "$part/script"; } >"$part/hashed-script"
	{ echo; cat "$from/style.css"; } >"$part/hashed-style"
	policy="default-src 'none'; script-src '$(hash "$part/hashed-script")';"
	policy="$policy style-src '$(hash "$part/hashed-style")'; img-src data:;"
	policy="$policy base-uri 'none'; form-action 'none'"
	while IFS= read -r line; do
		case $line in
		@policy@) printf '<meta http-equiv="Content-Security-Policy" content="%s">\n' "$policy" ;;
		@style@) echo "<style>"; cat "$from/style.css"; echo "</style>" ;;
		@script@) echo '<script type="module">'; cat "$part/script"; echo "</script>" ;;
		@data@) printf '@data@\n' ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$from/$index" >"$part/page"
	sed '/^@data@$/,$d' "$part/page" >"$part/head"
	sed '1,/^@data@$/d' "$part/page" >"$part/tail"
	bytes "$name"_head "$part/head"
	bytes "$name"_tail "$part/tail"
}
echo "/* Made by embed.sh. */"
echo '#include "src/output/html/page_text.h"'
page page index.html $report
page runs_page runs.html $runs
