# ompcount.bash - completion for bash.  Commands, options and formats are those of --help.

_ompcount_commands() {
	ompcount --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_ompcount_options() {
	ompcount "$1" --help 2>/dev/null | grep -oE -- '(^|[ ,|[])--?[A-Za-z][a-z-]*' | tr -d ' ,|['
}

_ompcount_formats() {
	ompcount "$1" --help 2>/dev/null |
		awk '/^ *-f, --format/ { on = 1; print $4; next } /^ *-/ { on = 0 } on { print $1 }'
}

# _ompcount_values OPTION COMMAND: what may follow it; fails where that is a file's name or a text.
_ompcount_values() {
	case $1 in
	-e | --event) ompcount list 2>/dev/null | sed -n 's/^  *\([^ ]*\)  .*/\1/p' ;;
	--by) echo region construct function line path thread state module file cpu address blame time parallelism task count finding ;;
	--view) echo user expert machine ;;
	-f | --format) _ompcount_formats "$2" ;;
	--sort) echo total work wait overhead mpi blocked imbal entries gain incl ;;
	--color) echo auto always never ;;
	--delivery) echo auto signal sigtrap ;;
	--scaling) echo strong weak ;;
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
