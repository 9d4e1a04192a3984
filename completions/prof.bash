# Context: -.  Completion of prof, tprof, tpfmt and proffs for bash(1).  Options
# come from the --help of the command itself; values are listed here, and
# tests/e2e/completions.py checks them.

# Prints the options that a help text on standard input names, with "=" behind
# those that want a value.
_libmon_options()
{
	sed -n -e 's/^ *-[A-Za-z], \(--[a-z-]*=\{0,1\}\).*/\1/p' \
	    -e 's/^  *\(--[a-z-]*=\{0,1\}\).*/\1/p'
	return 0
}

# Prints the values of an option; fails if it takes files or anything else.
_libmon_values()
{
	case $1 in
	--by)
		echo process program thread mode module file function line \
		    address
		;;
	--sort)
		echo self total name address samples calls
		;;
	--heap)
		echo peak live leaked live-blocks total blocks freed \
		    temporary high mapped mapped-peak mapped-total mappings \
		    summary growth sizes
		;;
	--read)
		echo folded perf callgrind gperftools pprof tprof
		;;
	--write)
		echo gmon monout prof folded pprof gperftools speedscope \
		    firefox callgrind perf massif html csv json
		;;
	--classic)
		echo bsd
		;;
	--children)
		echo yes no
		;;
	--set)
		echo clock= depth= empty= exclude= follow= format= heap= \
		    heapsize= hz= kernel= log= msg= only= sig= size= stack= \
		    start= tier=
		;;
	--backend)
		echo auto kernel preload
		;;
	--stacks)
		echo fp copy off
		;;
	*)
		return 1
		;;
	esac
}

# Completes the value $2 of the option $1.
_libmon_value()
{
	local values

	case $1 in
	-e | --event)
		values=$(tprof list 2>/dev/null | sed -n 's/^	\([^ ]*\)$/\1/p')
		;;
	-p | --pid)
		values=$(cd /proc && echo [0-9]*)
		;;
	-b)
		values=$(_libmon_values --backend)
		;;
	*)
		values=$(_libmon_values "$1")
		;;
	esac
	if [ -n "$values" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$2")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
	fi
}

# Completes an option of the command in the other words: $1 is its begin.
_libmon_option()
{
	local begin=$1

	shift
	mapfile -t COMPREPLY < <(compgen -W "$("$@" --help 2>/dev/null |
	    _libmon_options)" -- "$begin")
	case ${COMPREPLY[*]} in
	*=)
		compopt -o nospace 2>/dev/null
		;;
	esac
}

# Returns whether a word before the cursor is the program to be run.
_libmon_program()
{
	local i

	for ((i = $1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-o | -e | -b | -i | -p | -t | --hz | --output | --event | \
		    --backend | --stacks)
			((i++))
			;;
		-* | =)
			;;
		*)
			[ "${COMP_WORDS[i - 1]}" = = ] || return 0
			;;
		esac
	done
	return 1
}

_libmon()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local name=${COMP_WORDS[0]##*/} word=${COMP_WORDS[1]} runs=0 commands=
	local -a command=("${COMP_WORDS[0]}")

	case $name in
	prof) commands='record doctor' ;;
	tprof) commands='list monitor count top analyze' ;;
	esac
	if [ "$COMP_CWORD" -gt 1 ]; then
		case " $commands " in
		*" $word "*) command+=("$word") ;;
		esac
		case "$name $word" in
		"prof record" | "tprof monitor" | "tprof count") runs=2 ;;
		esac
	fi
	COMPREPLY=()
	if [ "$runs" -gt 0 ] && _libmon_program $runs; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	elif [ "$cur" = = ]; then
		_libmon_value "$prev" ""
	elif [ "$prev" = = ]; then
		_libmon_value "${COMP_WORDS[COMP_CWORD - 2]}" "$cur"
	elif [ "${cur:0:1}" = - ]; then
		_libmon_option "$cur" "${command[@]}"
	elif [ "$name" != prof ] && [ "${prev:0:1}" = - ] &&
	    [[ $prev == -[ebpo] || $prev == --* ]]; then
		_libmon_value "$prev" "$cur"
	elif [ "$runs" -gt 0 ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	elif [ "$name $word" = "tprof top" ] && [ "$COMP_CWORD" -gt 1 ]; then
		_libmon_value -p "$cur"
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(
			[ "$COMP_CWORD" -gt 1 ] ||
			    compgen -W "$commands" -- "$cur"
			compgen -f -- "$cur"
		)
	fi
}

complete -F _libmon prof tprof tpfmt proffs
