# Context: -.  The page of export_html.c as two C strings: what stands before
# the data, and what behind.
#
# awk -f embed.awk page.html style.css SCRIPT...

function put(line) {
	gsub(/\\/, "&&", line)
	gsub(/"/, "\\\"", line)
	print "\t\"" line "\\n\""
}

function put_file(name,	line) {
	while ((getline line < name) > 0)
		put(line)
	close(name)
}

BEGIN {
	print "/* Made by embed.awk from core/export/html/. */"
	print "#include \"html/html_page.h\"\n"
	print "const char html_before[] ="
	while ((getline line < ARGV[1]) > 0) {
		if (line == "@STYLE@") {
			put_file(ARGV[2])
		} else if (line == "@DATA@") {
			print "\t;\n\nconst char html_after[] ="
		} else if (line == "@SCRIPT@") {
			for (i = 3; i < ARGC; i++)
				put_file(ARGV[i])
		} else {
			put(line)
		}
	}
	print "\t;"
}
