/*
 * Context: O.  Folded stacks, as flamegraph.pl reads them: a line a path, the
 * outermost function first, ';' between names, then a blank and a number.
 *
 * What the number counts nobody says: ours are microseconds.
 */
#include "import.h"

#include "grow.h"

struct folded {
	struct import_frame *frames;
	size_t room;
};

/* "a;b;c 12" into its two parts. */
static bool
folded_split(struct text line, struct text *path, uint64_t *value)
{
	const char *blank;
	struct text number;

	line = text_trim(line);
	blank = text_last(line, ' ');
	if (blank == NULL)
		return false;
	*path = text_trim(text_until(line, blank));
	number = text_skip(line, (size_t)(blank + 1 - line.at));
	return path->bytes != 0 && text_number(&number, 10, value) &&
	    number.bytes == 0;
}

/* A '\r' or what is less is in no name, and in a file of no text. */
static bool
folded_is_text(struct text line)
{
	for (size_t i = 0; i < line.bytes; i++)
		if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
			return false;
	return true;
}

/* From its end on: the innermost first. */
static int
folded_frames(struct folded *x, struct text path, size_t *depth)
{
	const char *cut;

	*depth = 0;
	do {
		if (grow(&x->frames, *depth, &x->room, sizeof(*x->frames)) != 0)
			return -ENOMEM;
		cut = text_last(path, ';');
		x->frames[*depth] = import_nowhere();
		x->frames[(*depth)++].name = cut == NULL ? path :
		    text_skip(path, (size_t)(cut + 1 - path.at));
		if (cut != NULL)
			path = text_until(path, cut);
	} while (cut != NULL);
	return 0;
}

bool
folded_is(const struct import *x)
{
	struct text_lines lines = import_lines(x);
	struct text line, path;
	uint64_t value, count = 0;

	while (text_line(&lines, &line)) {
		if (text_trim(line).bytes == 0)
			continue;
		if (!folded_is_text(line) ||
		    !folded_split(line, &path, &value))
			return false;
		count++;
	}
	return count != 0;
}

int
folded_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	struct text_lines lines = import_lines(x);
	struct folded own = { .frames = NULL };
	struct text line, path;
	bool any = false;
	int ret = 0;

	x->each_ns = 1000;
	x->moduleless = true;
	while (ret == 0 && text_line(&lines, &line)) {
		struct import_sample s = {
			.pid = IMPORT_NOBODY, .tid = IMPORT_NOBODY,
		};

		if (text_trim(line).bytes == 0)
			continue;
		if (!folded_split(line, &path, &s.value)) {
			ret = fault_set_line(f, "a folded stack has no "
			    "number at its end", lines.number);
			break;
		}
		ret = folded_frames(&own, path, &s.depth);
		s.frames = own.frames;
		ret = ret != 0 ? fault_set(f, "out of memory",
		    FAULT_NO_OFFSET, ENOMEM) : sink->sample(sink->arg, &s);
		any = true;
	}
	if (ret == 0 && !any)
		ret = fault_set(f, "has no stacks", FAULT_NO_OFFSET, 0);
	free(own.frames);
	return ret;
}
