# Completion of toponaut for bash. The program itself knows the candidates: commands, options, layouts, analyses, and
# the names inside the file that the command line opens.
_toponaut()
{
	local line=${COMP_LINE:0:COMP_POINT} words last prefix
	local IFS=$' \t\n'
	read -r -a words <<<"$line"
	[[ $line == *[[:blank:]] ]] && words+=("")
	last=${words[${#words[@]} - 1]}
	# Readline splits words at these and replaces only what stands behind the last of them.
	prefix=${last%"${last##*[@:=]}"}
	mapfile -t COMPREPLY < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
	COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
	if ((${#COMPREPLY[@]} == 0)); then
		compopt -o default
	elif [[ ${COMPREPLY[*]} == */ ]]; then
		compopt -o nospace
	fi
}
complete -F _toponaut toponaut
