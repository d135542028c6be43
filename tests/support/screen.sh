# SPDX-License-Identifier: BSD-3-Clause
# screen.sh - a real terminal for scripts, by tmux; sourced after lib.sh.
#
# One terminal at a time: screen COLUMNS ROWS COMMAND opens it, keys types, shown waits for
# a text, and picture prints what is on it.

command -v tmux >/dev/null || skip_all "tmux is not installed"
tmux=(tmux -S "$work/tmux" -f /dev/null)
terminal_locale=C.UTF-8
LC_ALL=C.UTF-8 "${tmux[@]}" -u new-session -d -x 80 -y 24 'exec cat' 2>"$work/tmux.err" ||
	skip_all "tmux does not start: $(head -n 1 "$work/tmux.err")"
trap 'status=$?; "${tmux[@]}" kill-server 2>/dev/null; (exit $status); leave' EXIT

# screen COLUMNS ROWS COMMAND: runs a shell command on a terminal of that size; its end is
# shown as "status N".
screen() {
	"${tmux[@]}" kill-session -t terminal 2>/dev/null
	LC_ALL=C.UTF-8 "${tmux[@]}" -u new-session -d -s terminal -x "$1" -y "$2" \
		"LC_ALL=$terminal_locale; export LC_ALL; $3
		printf 'status %s' \"\$?\"; exec sleep 100"
}

# keys KEY…: as tmux names them.
keys() { "${tmux[@]}" send-keys -t terminal "$@"; }

resize() { "${tmux[@]}" resize-window -t terminal -x "$1" -y "$2"; }

# picture: what is on the screen; a line that was too long for it is one line.
picture() { "${tmux[@]}" capture-pane -p -J -t terminal "$@" | sed 's/ *$//'; }

# shown REGEX: waits until a line matches, at most 20 s; prints the screen if none does.
shown() {
	local i
	for i in $(seq 200); do
		picture | grep -qE -- "$1" && return
		sleep 0.1
	done
	picture
	return 1
}

# fits COLUMNS: whether no line on the screen is longer.
fits() { picture | awk -v n="$1" '{ sub(/ +$/, "") } length > n { print; bad = 1 } END { exit bad }'; }
