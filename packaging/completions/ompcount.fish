# ompcount.fish - completion for fish.  Commands, options and formats are those of --help.

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
	ompcount (__ompcount_command) --help 2>/dev/null |
		grep -oE -- '(^|[ ,|[])--?[A-Za-z][a-z-]*' | tr -d ' ,|[' | sort -u
end

function __ompcount_formats
	ompcount (__ompcount_command) --help 2>/dev/null |
		awk '/^ *-f, --format/ { on = 1; print $4; next } /^ *-/ { on = 0 } on { print $1 }'
end

function __ompcount_after
	set -l words (commandline -opc)
	contains -- $words[-1] $argv
end

complete -c ompcount -n __fish_use_subcommand -a '(__ompcount_commands)'
complete -c ompcount -n 'string match -q -- "-*" (commandline -ct)' -a '(__ompcount_options)'
complete -c ompcount -f -n '__ompcount_after -e --event' -a '(ompcount list 2>/dev/null | string match -rg "^ +(\S+)  ")'
complete -c ompcount -f -n '__ompcount_after --by' -a 'region construct function line path thread state module file cpu address blame time parallelism task count finding'
complete -c ompcount -f -n '__ompcount_after --view' -a 'user expert machine'
complete -c ompcount -f -n '__ompcount_after -f --format' -a '(__ompcount_formats)'
complete -c ompcount -f -n '__ompcount_after --sort' -a 'total work wait overhead mpi blocked imbal entries gain incl'
complete -c ompcount -f -n '__ompcount_after --color' -a 'auto always never'
complete -c ompcount -f -n '__ompcount_after --delivery' -a 'auto signal sigtrap'
complete -c ompcount -f -n '__ompcount_after --scaling' -a 'strong weak'
