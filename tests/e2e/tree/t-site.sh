#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What those who run machines install: completions, module files, examples, documents.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
packaging=$top_srcdir/packaging
make=${MAKE:-make}
env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" install-data DESTDIR="$work/root" >/dev/null 2>&1 ||
	skip_all "make install-data fails"
made() {
	printf 'print: ; @echo $(%s)\n' "$1" |
		env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" -f Makefile -f - print
}
root=$work/root datadir=$(made datadir) docdir=$(made docdir) version=$(made VERSION)

# Documents that are installed lead to documents that are installed.
links() { grep -oE '\]\([^)#]*' "$1" | sed 's/^](//' | grep -v '^http'; }
for text in "$root$docdir"/*.md "$root$docdir"/decisions/*.md; do
	check "installed ${text##*/}: its links lead to files" equal \
		"$(links "$text" | while read -r to; do [ -e "${text%/*}/$to" ] || echo "$to"; done)" ""
done

check "the tutorial has all faults of tests/newcomer" equal "$(sed '/^#/d' "$top_srcdir/tests/newcomer/faults.table" |
	cut -d '|' -f 2 | sort -u | while read -r p; do grep -q "$p" "$root$docdir/tutorial.md" || echo "$p"; done)" ""

# ---- ompcount --library-path -----------------------------------------------------------------

library=$("$ompcount" --library-path)
check "ompcount --library-path prints the library's path" [ -e "$library" ]
check "which the loader takes" grep -q 'omphwc: \|libomphwc' <(LD_PRELOAD=$library cat /proc/self/maps)
OMPHWC_LIBRARY=/nowhere/libomphwc.so "$ompcount" --library-path >out 2>err
check "where there is none: its status" equal $? 1
check "and what to do" grep -q '^ompcount: OMPHWC_LIBRARY=/nowhere.*: name the file' err

# ---- completions -------------------------------------------------------------------------------

mkdir -p bin
ln -sf "$ompcount" bin/ompcount
PATH=$work/bin:$PATH
# completes WORD…: what bash offers for the last word.
completes() {
	bash --norc -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		compopt() { :; }; _ompcount; printf "%s\n" "${COMPREPLY[@]}"' _ \
		"$root$datadir/bash-completion/completions/ompcount" "$@" 2>&1
}
check "bash: commands" grep -qx report <(completes ompcount rep)
check "bash: all of them" equal "$(ompcount --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' |
	while read -r c; do completes ompcount "$c" | grep -x "$c" >/dev/null || echo "$c"; done)" ""
check "bash: a command's options" grep -qx -- --scaling <(completes ompcount diff --sc)
check "bash: not another's" equal "$(completes ompcount report --sc)" ""
check "bash: those of run, without its name" grep -qx -- --timeline <(completes ompcount --ti)
check "bash: after a value" grep -qx -- --timeline <(completes ompcount -e cycles --ti)
check "bash: events" grep -qx cpu-clock <(completes ompcount -e cpu-)
# values OPTION COMMAND: those offered that are refused.
values() {
	completes ompcount "$2" "$1" "" | { grep . || echo nothing; } |
		while read -r v; do "$ompcount" "$2" "$1" "$v" --help >/dev/null 2>&1 || echo "$v"; done
}
for option in --by --view --format --sort --color; do
	check "bash: report knows the values of $option" equal "$(values $option report)" ""
done
formats=$("$ompcount" report --help | awk '/--format FORMAT/ { on = 1; print $4; next } /^ *-/ { on = 0 } on { print $1 }')
check "bash: all formats" equal "$(completes ompcount report -f "")" "$formats"
groupings=$(completes ompcount report --by "" | sort | xargs)
check "bash: after =" equal "$(completes ompcount report --by = th)" thread
check "bash: all groupings" equal "$(completes ompcount report --by "" | sort)" \
	"$("$ompcount" report --help | sed -n '/--by WHAT/,/--format/{/--format/d;s/--by WHAT//;p}' |
		tr '\n' ' ' | sed 's/([^)]*)//g' | tr ', ' '\n\n' | grep . | sort)"
check "bash: no option that the help names in passing" equal "$(completes ompcount report --bl)" ""
check "the manual has all formats" equal "$(for f in $formats; do
	sed -n '/^\.BR \\-f ,/,/\\-\\-html/p' "$top_srcdir/doc/ompcount-report.1" | grep -E '^\.BR? ' | grep -qw "$f" || echo "$f"
done)" ""
check "bash: the values of --delivery" equal "$(completes ompcount run --delivery "" | xargs)" "auto signal sigtrap"
check "bash: the values of --scaling" equal "$(completes ompcount diff --scaling "" | xargs)" "strong weak"
if command -v fish >/dev/null; then
	export XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work HOME=$work
	fished() { fish --no-config -c "source '$packaging/completions/ompcount.fish'; complete -C '$1'" 2>&1 | cut -f 1; }
	check "fish: commands" grep -qx report <(fished 'ompcount rep')
	check "fish: options" grep -qx -- --scaling <(fished 'ompcount diff --sc')
	check "fish: values" grep -qx machine <(fished 'ompcount report --view ')
	check "fish: all groupings" equal "$(fished 'ompcount report --by ' | sort | xargs)" "$groupings"
	check "fish: not another's" equal "$(fished 'ompcount report --bl')" ""
	check "fish: after =" equal "$(fished 'ompcount report --by=th')" "--by=thread"
	check "fish: events" grep -qx cpu-clock <(fished 'ompcount -e cpu-')
	check "fish: after a value" grep -qx -- --timeline <(fished 'ompcount -e cycles --ti')
else
	skip "fish: not installed"
fi
if command -v zsh >/dev/null; then
	zshed() { timeout 60 zsh -f "$top_srcdir/tests/support/zsh_offers.zsh" "$packaging/completions" "$1" 2>&1; }
	check "zsh: commands" equal "$(zshed 'ompcount rep')" report
	check "zsh: options" equal "$(zshed 'ompcount diff --sc')" --scaling
	check "zsh: not another's" equal "$(zshed 'ompcount report --bl')" ""
	check "zsh: values" grep -qx machine <(zshed 'ompcount report --view ')
	check "zsh: all groupings" equal "$(zshed 'ompcount report --by ' | sort | xargs)" "$groupings"
	check "zsh: after =" equal "$(zshed 'ompcount report --by=th')" thread
	check "zsh: events" grep -qx cpu-clock <(zshed 'ompcount -e cpu-')
	check "zsh: after a value" grep -qx -- --timeline <(zshed 'ompcount -e cycles --ti')
else
	skip "zsh: not installed"
fi

# ---- module files ------------------------------------------------------------------------------

modules=$root$datadir/omphwc/modulefiles/omphwc
check "the module files' folders are filled in" equal "$(grep -n '@[a-zA-Z]*@' "$modules/$version" "$modules/$version.lua")" ""
if command -v tclsh >/dev/null; then
	cat >module.tcl <<'END'
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {name value} { puts "$name $value" }
source [lindex $argv 0]
ModulesHelp
END
	check "Tcl: it sets PATH only" equal "$(tclsh module.tcl "$modules/$version" 2>/dev/null)" \
		"PATH $(made bindir)"
	check "Tcl: its help shows the library for whole jobs" grep -qF "LD_PRELOAD=$(made libdir)/libomphwc.so" \
		<(tclsh module.tcl "$modules/$version" 2>&1)
else
	skip "Tcl: no tclsh"
fi
if lua=$(command -v lua || command -v lua5.4 || command -v lua5.3); then
	cat >module.lua <<'END'
function help(text) io.stderr:write(text) end
function whatis() end
function conflict() end
function prepend_path(name, value) print(name .. " " .. value) end
dofile(arg[1])
END
	check "Lua: it sets PATH only" equal "$("$lua" module.lua "$modules/$version.lua" 2>/dev/null)" \
		"PATH $(made bindir)"
	check "Lua: its help is the other's" equal "$("$lua" module.lua "$modules/$version.lua" 2>&1 >/dev/null | tail -n 12)" \
		"$(tclsh module.tcl "$modules/$version" 2>&1 >/dev/null | tail -n 12)"
else
	skip "Lua: not installed"
fi

# ---- examples and recipes ----------------------------------------------------------------------

for script in "$packaging"/batch/*.sh; do
	check "${script##*/} is a shell script" bash -n "$script"
done
examples=$root$docdir/examples
for flow in "$examples"/ci/*.yml; do
	options=$(grep -oE 'ompcount history .*' "$flow" | grep -oE -- '--[a-z-]+' | sort -u)
	check "${flow##*/} uses options of history" [ -n "$options" ]
	for option in $options; do
		check "${flow##*/}: $option" grep -q -- "^ .*$option " <("$ompcount" history --help)
	done
	if python3 -c 'import yaml' 2>/dev/null; then
		check "${flow##*/} is YAML" python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$flow"
	else
		skip "${flow##*/} is YAML: no python3-yaml"
	fi
done
if command -v patch >/dev/null; then
	cp "$examples/heat.c" heat.c
	check "the tutorial's steps are those of the program that is installed" \
		bash -c "for step in 1 2 3; do patch -s heat.c '$examples'/step-\$step.patch || exit; done"
else
	check "the tutorial's files are installed" [ -e "$examples/heat.c" -a -e "$examples/step-3.patch" ]
fi
check "Spack's recipe is Python" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$packaging/spack/package.py"
check "and has this version" grep -qF "version(\"$version\"" "$packaging/spack/package.py"
check "NEWS begins with this version" equal "$(grep -m 1 -xE '[0-9.]+' "$top_srcdir/NEWS")" "$version"
check "EasyBuild's recipe is of this version" grep -qx "version = '$version'" "$packaging/easybuild/omphwc.eb"
check "EasyBuild's recipe is Python, with what it must have" python3 -c '
import ast, sys
names = {t.id for s in ast.parse(open(sys.argv[1]).read()).body if isinstance(s, ast.Assign) for t in s.targets}
sys.exit(str({"easyblock", "name", "version", "homepage", "description", "toolchain", "sources", "moduleclass"} - names)
	if {"easyblock", "name", "version", "homepage", "description", "toolchain", "sources", "moduleclass"} - names else 0)
' "$packaging/easybuild/omphwc.eb"
check "all of Debian's files are packed" equal \
	"$(cd "$packaging/debian" && find . -type f | sed 's|^\./||' | sort | tr '\n' ' ')" \
	"$(made debian_files | tr ' ' '\n' | sort | tr '\n' ' ')"
finish
