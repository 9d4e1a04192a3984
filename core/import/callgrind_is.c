/*
 * Context: O.  Distinguishes callgrind.out from other texts, for import_open(),
 * which has tried the formats with a clear mark before.  The header of
 * callgrind.out has no fixed first line, and where the file was written to
 * standard output, as by --callgrind-out-file=/dev/stdout, the output of the
 * program precedes it.
 */
#include "callgrind_line.h"

/* The number of other lines that may precede the header. */
#define CALLGRIND_BEFORE	100

/* Features of callgrind.out that a text has. */
struct signs {
	uint64_t first;		/* line of the header; 0: none */
	bool strong;		/* no other format begins with that line */
	bool events, functions;
};

/* Lines of the header.  cachegrind's files begin with "desc:", too. */
static const struct {
	const char *key;
	bool strong;
} heads[] = {
	{ "# callgrind format", true },
	{ "version:", true },
	{ "creator:", true },
	{ "positions:", true },
	{ "events:", true },
	{ "desc:", false },
	{ "cmd:", false },
	{ "event:", false },
	{ "part:", false },
	{ "pid:", false },
	{ "thread:", false },
};

/* Notes the line's number if it is the first line of a header. */
static void
check_header_key(struct signs *s, struct text line, uint64_t number)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (!text_skip_prefix(&line, heads[i].key))
			continue;
		s->first = number;
		s->strong = heads[i].strong;
		return;
	}
}

/*
 * Notes the features of a line.  A line of the header with a ';' is ignored, as
 * it could be the beginning of a folded stack.
 */
static void
check_text_line(struct signs *s, struct text line, uint64_t number)
{
	const bool one = text_find_last(line, ';') == NULL;

	if (s->first == 0 && one)
		check_header_key(s, line, number);
	if (text_skip_prefix(&line, "events:"))
		s->events |= one;
	else if (text_skip_prefix(&line, "fn="))
		s->functions = true;
}

bool
callgrind_is(const struct import *x)
{
	struct text_lines lines = import_lines(x);
	struct signs s = { .first = 0 };
	uint64_t before = 0;
	struct text line;

	while (text_next_line(&lines, &line) &&
	    (s.first != 0 || before <= CALLGRIND_BEFORE)) {
		line = text_trim(line);
		check_text_line(&s, line, lines.number);
		before += s.first == 0 && line.bytes != 0 && *line.at != '#';
		if (s.events && (s.functions || (s.strong && before == 0)))
			return true;
	}
	return false;
}
