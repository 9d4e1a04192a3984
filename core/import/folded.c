/*
 * Context: O.  Reader of folded stacks, as flamegraph.pl reads them: one line
 * for each path, with the outermost function first, ';' between names, then a
 * blank and a number.  import_open() asks folded_is() last, as the format has
 * no mark; import_read() calls folded_read().
 *
 * The format does not say what the number counts; in files that prof writes it
 * is microseconds.  A number can have decimals, of which three are kept.  If
 * lines have two numbers, as difffolded.pl writes them, the value is the second
 * less the first.
 */
#include "import.h"

#include "base/vector.h"

#define FOLDED_WRONG	"a folded stack has no number at its end"

/*
 * The number of decimals that are kept, and the value that stands for 1 then.
 */
#define FOLDED_DECIMALS	3
#define FOLDED_ONE	1000

/* A number of a line, in thousandths. */
struct folded_number {
	int64_t thousandths;
	bool has_point, rounded;
};

/* A line taken apart. */
struct folded_line {
	/* the text before `last`; if `two`, `before` is still at its end */
	struct text path;
	struct folded_number last, before;
	bool two;		/* true if `before` is there, too */
};

/* State while a file is read. */
struct folded {
	struct import *x;
	struct fault *fault;
	struct import_frame *frames;
	size_t room;
	bool decimals;		/* some line has a point */
	bool difference;	/* most lines have two numbers */
};

/* Reads the decimals after the point; returns false if they are none. */
static bool
folded_decimals(struct text t, uint64_t *thousandths, bool *rounded)
{
	uint64_t scale = FOLDED_ONE;
	bool up = false;

	*thousandths = 0;
	for (size_t i = 0; i < t.bytes; i++) {
		if (!text_is_digit(t.at[i]))
			return false;
		scale /= i < FOLDED_DECIMALS ? 10 : 1;
		if (i < FOLDED_DECIMALS)
			*thousandths += (uint64_t)(t.at[i] - '0') * scale;
		else if (i == FOLDED_DECIMALS)
			up = t.at[i] >= '5';
		*rounded |= i >= FOLDED_DECIMALS && t.at[i] != '0';
	}
	*thousandths += up;
	return true;
}

/* Parses a number such as "12", "0.156" or "-3.". */
static bool
folded_number(struct text word, struct folded_number *n)
{
	const bool below = text_skip_prefix(&word, "-");
	uint64_t whole, part = 0;

	*n = (struct folded_number) { 0 };
	if (!text_parse_number(&word, 10, &whole) ||
	    whole > INT64_MAX / FOLDED_ONE - 1)
		return false;
	n->has_point = text_skip_prefix(&word, ".");
	if (n->has_point && !folded_decimals(word, &part, &n->rounded))
		return false;
	if (!n->has_point && word.bytes != 0)
		return false;
	n->thousandths = (int64_t)(whole * FOLDED_ONE + part);
	if (below)
		n->thousandths = -n->thousandths;
	return true;
}

/*
 * Splits a number from the end of the text.  Returns false if the text is no
 * path and number; *path may be changed then.
 */
static bool
folded_cut(struct text line, struct text *path, struct folded_number *n)
{
	const char *blank = text_find_last_blank(line);

	if (blank == NULL)
		return false;
	*path = text_trim(text_until(line, blank));
	return path->bytes != 0 && folded_number(text_skip(line,
	    (size_t)(blank + 1 - line.at)), n);
}

/*
 * Splits a line such as "a;b;c 12" or "a;b;c 12 15".  Returns false if it is no
 * such line.
 */
static bool
folded_split(struct text line, struct folded_line *l)
{
	struct text path;

	line = text_trim(line);
	if (!text_is_clean(line) || !folded_cut(line, &l->path, &l->last))
		return false;
	l->two = folded_cut(l->path, &path, &l->before);
	return true;
}

/* Counts of the kinds of lines in a file. */
struct folded_sum {
	uint64_t lines, good, with_paths, two, points, below;
};

/* Counts the kinds of the lines of the whole file. */
static struct folded_sum
folded_count(const struct import *x)
{
	struct text_lines lines = import_lines(x);
	struct folded_sum sum = { .lines = 0 };
	struct folded_line l;
	struct text line;

	while (text_next_line(&lines, &line)) {
		if (text_trim(line).bytes == 0)
			continue;
		sum.lines++;
		if (!folded_split(line, &l))
			continue;
		sum.good++;
		sum.with_paths += text_find_last(l.path, ';') != NULL;
		sum.two += l.two;
		sum.points += l.last.has_point || (l.two && l.before.has_point);
		sum.below += l.last.thousandths < 0;
	}
	return sum;
}

/*
 * Makes the frames of a path in p->frames, from its end on: the innermost
 * first.  Returns 0, or -ENOMEM with *p->fault set.
 */
static int
folded_frames(struct folded *p, struct text path, size_t *depth)
{
	const char *cut;

	*depth = 0;
	do {
		if (vector_grow(&p->frames, *depth, &p->room,
		    sizeof(*p->frames)) != 0)
			return fault_set_no_memory(p->fault);
		cut = text_find_last(path, ';');
		p->frames[*depth] = import_unknown_frame();
		p->frames[(*depth)++].name = cut == NULL ? path :
		    text_skip(path, (size_t)(cut + 1 - path.at));
		if (cut != NULL)
			path = text_until(path, cut);
	} while (cut != NULL);
	return 0;
}

/*
 * Returns whether the text is of this format, which has no mark of its own: all
 * lines are plain ones, or at least half of them are paths of several
 * functions.
 */
bool
folded_is(const struct import *x)
{
	const struct folded_sum sum = folded_count(x);

	if (sum.good == sum.lines && sum.points == 0 && sum.below == 0)
		return sum.lines != 0;
	return sum.with_paths != 0 && sum.with_paths >= sum.lines -
	    sum.with_paths;
}

/*
 * Returns the value of a line, in the unit of the file: thousandths if
 * p->decimals is set.
 */
static int64_t
folded_value(struct folded *p, const struct folded_line *l)
{
	int64_t value = l->last.thousandths;

	p->x->rounded += l->last.rounded;
	if (p->difference) {
		value -= l->before.thousandths;
		p->x->rounded += l->before.rounded;
	}
	return p->decimals ? value : value / FOLDED_ONE;
}

/*
 * Hands a line to the sink, or skips it if it is wrong.  Returns 0, what the
 * sink returned, or -ENOMEM with *p->fault set.
 */
static int
folded_sample(struct folded *p, struct text line,
    const struct import_sink *sink)
{
	struct import_sample s = {
		.pid = IMPORT_NO_PID, .tid = IMPORT_NO_PID,
	};
	struct folded_line l;
	int ret;

	if (!folded_split(line, &l)) {
		import_skip(p->x, text_is_clean(text_trim(line)) ?
		    FOLDED_WRONG : "a folded stack has a control character");
		return 0;
	}
	if (p->difference && !l.two) {
		import_skip(p->x, "a folded stack has one number, and others "
		    "have two");
		return 0;
	}
	if (p->difference)
		l.path = text_trim(text_until(l.path,
		    text_find_last_blank(l.path)));
	ret = folded_frames(p, l.path, &s.depth);
	if (ret != 0)
		return ret;
	s.frames = p->frames;
	s.value = folded_value(p, &l);
	p->x->taken++;
	return sink->sample(sink->arg, &s);
}

int
folded_read(struct import *x, const struct import_sink *sink, struct fault *f)
{
	const struct folded_sum sum = folded_count(x);
	struct text_lines lines = import_lines(x);
	struct folded own = {
		.x = x, .fault = f, .decimals = sum.points != 0,
		.difference = sum.two != 0 && sum.two >= sum.good - sum.two,
	};
	struct text line;
	int ret = 0;

	/*
	 * Numbers with decimals are no time: a thousandth counts as a
	 * nanosecond.
	 */
	x->each_ns = own.decimals ? 0 : 1000;
	if (own.decimals)
		x->unit = text_of("thousandths");
	x->moduleless = true;
	while (ret == 0 && text_next_line(&lines, &line)) {
		x->line = lines.number;
		if (text_trim(line).bytes != 0)
			ret = folded_sample(&own, line, sink);
	}
	if (ret == 0 && x->taken == 0)
		ret = fault_set(f, "has no stacks", FAULT_NO_OFFSET, 0);
	free(own.frames);
	return ret;
}
