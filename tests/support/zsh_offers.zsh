# SPDX-License-Identifier: BSD-3-Clause
# zsh_offers.zsh - what an interactive zsh offers when Tab is typed after a line.
#
# zsh -f zsh_offers.zsh FOLDER LINE: one a line; FOLDER has the completion functions. Its own files
# are in the current folder.
zmodload zsh/zpty
offered=$PWD/zsh.offered.$$ setup=$PWD/zsh.setup.$$
: >$offered
cat >$setup <<END
PROMPT= RPROMPT=
fpath=($1 \$fpath)
autoload -U compinit
compinit -u -D
# Completion's own calls store matches in arrays (-O, -A, -D): these are not offered yet.
compadd() {
	local -a hits
	if [[ "\${@[1,(i)(-|--)]} " != *-(O|A|D)\ * ]]; then
		builtin compadd -A hits "\$@"
		print -l -- \$hits >>$offered
	fi
	builtin compadd "\$@"
}
offered_all() { print END >>$offered; }
comppostfuncs=(offered_all)
LISTMAX=10000
bindkey '^I' complete-word
print READY
END
zpty shell zsh -f -i
zpty -w shell "source $setup"
zpty -r -m shell seen '*READY*'
zpty -w -n shell "$2"$'\t'
for i in {1..400}; do
	grep -qx END $offered && break
	sleep 0.05
done
grep -qx END $offered || print "zsh does not answer"
grep -vx END $offered | grep . | sort -u
zpty -d shell
rm -f $offered $setup
