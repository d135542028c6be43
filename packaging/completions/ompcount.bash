# ompcount.bash - completion for bash.  Commands, options and values are those that ompcount prints.

_ompcount_commands() {
	ompcount --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# What is before the description.
_ompcount_options() {
	ompcount "$1" --help 2>/dev/null | sed -n 's/^ *-/-/; s/   *.*//; /^-/p' |
		grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,'
}

# _ompcount_choices COMMAND OPTION: the words that it takes, as it lists them where it has none.
_ompcount_choices() {
	ompcount "$1" "$2" '' 2>&1 >/dev/null </dev/null | sed -n 's/.*: no such choice: use //p' |
		sed 's/, \| or /\n/g'
}

# _ompcount_values OPTION COMMAND: what may follow it; fails where that is a file's name or a text.
_ompcount_values() {
	case $1 in
	-e | --event) ompcount list 2>/dev/null | sed -n 's/^  *\([^ ]*\)  .*/\1/p' ;;
	--by | --view | -f | --format | --sort | --color | --delivery | --scaling)
		_ompcount_choices "$2" "$1" ;;
	*) return 1 ;;
	esac
}

_ompcount() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=run i values
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) ;;
		*)
			# A value of the option before it is no command.
			_ompcount_values "${COMP_WORDS[i - 1]}" "$command" >/dev/null && continue
			case ${COMP_WORDS[i - 1]} in -o | -F | -c) continue ;; esac
			if _ompcount_commands | grep -qx -- "${COMP_WORDS[i]}"; then
				command=${COMP_WORDS[i]}
				case $command in run | record | stat) continue ;; esac
			else
				case $command in
				run | record | stat)
					# The program that is run completes its own arguments.
					if declare -F _command_offset >/dev/null; then
						_command_offset $i
						return
					fi
					;;
				esac
			fi
			break
			;;
		esac
	done
	# "=" is a word of its own.
	case $cur:$prev in
	=:*) cur= ;;
	*:=) prev=${COMP_WORDS[COMP_CWORD - 2]} ;;
	esac
	if values=$(_ompcount_values "$prev" "$command"); then
		COMPREPLY=($(compgen -W "$values" -- "$cur"))
		return
	fi
	case $cur in
	-*) COMPREPLY=($(compgen -W "$(_ompcount_options "$command")" -- "$cur")) ;;
	*)
		if [ "$COMP_CWORD" = 1 ]; then
			COMPREPLY=($(compgen -W "$(_ompcount_commands)" -- "$cur") $(compgen -c -- "$cur"))
		else
			compopt -o default
		fi
		;;
	esac
}
complete -F _ompcount -o filenames ompcount
