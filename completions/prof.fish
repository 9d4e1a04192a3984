# Context: -.  Completion of prof, tprof, tpfmt and proffs for fish(1).  Options
# and their texts come from the --help of the command itself.

# Prints the options of the command on the command line, with their texts.
function __libmon_options
	set -l words (commandline -opc)
	set -l command $words[1]
	if contains -- "$words[2]" record doctor list monitor count top analyze
		set command $command $words[2]
	end
	$command --help 2>/dev/null | string replace -rf \
		'^ *(?:-[A-Za-z], )?(--[a-z-]+=?)\S*\s+(\S.*)$' '$1\t$2'
end

# Prints the option whose value is being typed: that of the word, or, in tprof
# and tpfmt, the word before it.
function __libmon_value_of
	set -l words (commandline -opc)
	set -l option (string replace -rf -- '^(--[a-z-]+)=.*' '$1' \
		(commandline -ct))
	if test -z "$option" -a "$words[1]" != prof
		set option $words[-1]
	end
	switch "$option"
		case -b
			echo --backend
		case -e
			echo --event
		case -p
			echo --pid
		case '--*'
			echo $option
	end
end

# Prints the values of that option, behind it if it is in the same word.
function __libmon_values
	set -l option (__libmon_value_of)
	set -l begin ''
	if string match -q -- '--*=*' (commandline -ct)
		set begin $option=
	end
	switch "$option"
		case --by
			set values process program thread mode module file \
				function line address
		case --sort
			set values self total name address samples calls
		case --heap
			set values peak live leaked live-blocks total blocks \
				freed temporary high mapped mapped-peak \
				mapped-total mappings summary growth sizes
		case --read
			set values folded perf callgrind gperftools pprof tprof
		case --write
			set values gmon monout prof folded pprof gperftools \
				speedscope firefox callgrind perf massif html \
				csv json
		case --classic
			set values bsd
		case --children
			set values yes no
		case --set
			set values clock= depth= empty= exclude= follow= \
				format= heap= heapsize= hz= kernel= log= msg= \
				only= sig= size= stack= start= tier=
		case --backend
			set values auto kernel preload
		case --stacks
			set values fp copy off
		case --event
			set values (tprof list 2>/dev/null |
				string replace -rf '^\t(\S+)$' '$1')
		case --pid
			set values (string match -r '^[0-9]+$' \
				(string replace /proc/ '' /proc/*))
		case '*'
			return
	end
	for value in $values
		echo $begin$value
	end
end

for command in prof tprof tpfmt proffs
	complete -c $command -n 'string match -q -- "-*" (commandline -ct)' \
		-f -a '(__libmon_options) (__libmon_values)'
end
for command in tprof tpfmt
	complete -c $command -n 'test -n "$(__libmon_values)"' \
		-f -a '(__libmon_values)'
end
complete -c prof -n 'test (count (commandline -opc)) -eq 1' \
	-a 'record doctor'
complete -c tprof -n 'test (count (commandline -opc)) -eq 1' \
	-a 'list monitor count top analyze'
complete -c tprof -n 'contains top (commandline -opc)' \
	-f -a '(__fish_complete_pids)'
