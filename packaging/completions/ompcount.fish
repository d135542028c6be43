# ompcount.fish - completion for fish.  Commands, options and values are those that ompcount prints.

function __ompcount_commands
	ompcount --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __ompcount_command
	set -l names (__ompcount_commands | cut -f 1)
	for word in (commandline -opc)[2..-1]
		if contains -- $word $names
			echo $word
			return
		end
	end
	echo run
end

function __ompcount_options
	ompcount (__ompcount_command) --help 2>/dev/null | sed -n 's/^ *-/-/; s/   *.*//; /^-/p' |
		grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,' | sort -u
end

# __ompcount_choices OPTION: the words that it takes, as it lists them where it has none.
function __ompcount_choices
	ompcount (__ompcount_command) $argv '' 2>&1 >/dev/null </dev/null |
		sed -n 's/.*: no such choice: use //p' | sed 's/, \| or /\n/g'
end

function __ompcount_after
	set -l words (commandline -opc)
	contains -- $words[-1] $argv
end

# The same after "--by=": whole words.
function __ompcount_assigned
	set -l option (string split -m 1 = -- (commandline -ct))[1]
	if contains -- $option --by --view --format --sort --color --delivery --scaling
		printf '%s\n' $option=(__ompcount_choices $option)
	end
end

complete -c ompcount -n __fish_use_subcommand -a '(__ompcount_commands)'
complete -c ompcount -n 'string match -q -- "-*" (commandline -ct)' -a '(__ompcount_options)'
complete -c ompcount -f -n 'string match -q -- "--*=*" (commandline -ct)' -a '(__ompcount_assigned)'
complete -c ompcount -f -n '__ompcount_after -e --event' -a '(ompcount list 2>/dev/null | string match -rg "^ +(\S+)  ")'
complete -c ompcount -f -n '__ompcount_after -f --format' -a '(__ompcount_choices --format)'
for option in --by --view --sort --color --delivery --scaling
	complete -c ompcount -f -n "__ompcount_after $option" -a "(__ompcount_choices $option)"
end
