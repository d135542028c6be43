#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What ./bootstrap installs, and what it hands to configure; with a dpkg and an apt-get
# that only note what they are asked.
. "$(dirname "$0")/../../support/lib.sh"

mkdir bin tree "a folder"
cp "$top_srcdir/bootstrap" tree/
cat >bin/dpkg-query <<'D'
#!/bin/sh
# As dpkg: by a package's name, or a pattern, of those in $has.
shift 3
for p; do
	for q in $(cat "$has"); do
		case $q in $p) echo installed ;; esac
	done
done
D
cat >bin/apt-get <<'A'
#!/bin/sh
for a; do case $a in -* | *::*) ;; *) echo "$a" ;; esac; done >>"$asked"
[ ! -e "$lacks" ] || ! grep -qxF "$(cat "$lacks")" "$asked" || { : >"$asked"; exit 100; }
A
printf '#!/bin/sh\necho 0\n' >bin/id
printf '#!/bin/sh\necho "made configure"\n' >bin/autoreconf
printf '#!/bin/sh\nfor a; do echo "$a"; done >"$configured"\n' >tree/configure
chmod +x bin/* tree/configure
export has=$work/has asked=$work/asked configured=$work/configured lacks=$work/lacks

# boot [ARGUMENT…]: what it says is in said, what apt-get and configure got in their files.
boot() {
	: >"$asked"
	: >"$configured"
	PATH=$work/bin:$PATH tree/bootstrap "$@" >said 2>&1
}
# packages: what was asked to be installed.
packages() { sort -u "$asked" | grep -vx install; }
# none_of REGEX: no such package was asked for.
none_of() { equal "$(packages | grep -xE "$1")" ""; }

emulators='qemu.*|gcc-aarch64.*|gcc-riscv64.*|libc6-dev-.*|opensbi|cpio'
only_tests='check|clang|gfortran|g\+\+|python3'

: >has
check "bootstrap ends well" boot --enable-werror "CFLAGS=-O2 -g"
check "it installs what building needs" equal "$(packages | grep -xcE 'gcc|make|automake|libtool|libdw-dev|libomp-dev')" 6
check "and no emulator or cross compiler" none_of "$emulators"
check "nor what only tests use" none_of "$only_tests"
check "configure gets the other options as they are" equal "$(cat "$configured")" "$(printf '%s\n' --quiet --enable-werror 'CFLAGS=-O2 -g')"
check "one line says what is installed" equal "$(grep -c . said)" 1
check "by name" grep -q '^bootstrap: installing .*libdw-dev' said

check "--tests ends well" boot --tests --prefix="$work/a folder"
check "it installs what tests use" equal "$(packages | grep -xcE "$only_tests")" 5
check "and what only single tests use, it does not" none_of "$emulators|graphicsmagick|chromium|mpich"
check "and what building needs" grep -qx libdw-dev <(packages)
check "it is no option of configure's" equal "$(cat "$configured")" "$(printf '%s\n' --quiet "--prefix=$work/a folder")"

check "--tests=all ends well" boot --tests=all --prefix="$work/a folder"
check "it installs what tests use, too" equal "$(packages | grep -xcE "$only_tests")" 5
check "and emulators" below 3 "$(packages | grep -xcE "$emulators")"
check "no option of configure's either" equal "$(cat "$configured")" "$(printf '%s\n' --quiet "--prefix=$work/a folder")"

check "--no-install ends well" boot --tests --no-install --disable-static
check "nothing is installed" equal "$(cat "$asked")" ""
check "configure runs all the same" equal "$(cat "$configured")" "$(printf '%s\n' --quiet --disable-static)"
check "what is missing is said" grep -q 'libdw-dev' said

check "--help ends well" boot --help
check "it says what the options do" equal "$(grep -cE '^  --(tests|no-install|help) ' said)" 3
check "and does nothing else" equal "$(cat "$asked" "$configured")" ""

# A package that no list has: only the tests' may be missing.
echo graphicsmagick >lacks
check "a package for tests that can't be had is no failure" boot --tests=all
check "the line names it" grep -qx 'bootstrap: going on without graphicsmagick: .*' said
echo libdw-dev >lacks
check "one for the build is" equal "$(boot; echo $?)" 1
check "and the line names it" grep -q '^bootstrap: cannot install.* libdw-dev' said
rm lacks

echo 'gcc make autoconf automake libtool pkgconf libpfm4-dev libdw-dev libelf-dev libjson-c-dev libncurses-dev libunwind-dev libiberty-dev libomp-16-dev libprotobuf-c-dev protobuf-c-compiler zlib1g-dev' >has
check "it ends well where nothing is missing" boot
check "apt is not called" equal "$(cat "$asked")" ""
check "and no word is said" equal "$(cat said)" ""
finish
