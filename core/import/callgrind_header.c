/*
 * Context: O.  Reads the header of callgrind.out, which each part has anew, for
 * callgrind.c; see callgrind_header.h.
 */
#include "callgrind_header.h"

struct callgrind_header
callgrind_header_unknown(void)
{
	return (struct callgrind_header) {
		.columns = { .has = { [CALLGRIND_LINE] = true } },
		.pid = IMPORT_NO_PID,
	};
}

/*
 * Chooses an event of the line "events:": x->choice, or that of an earlier
 * part, or the first.  Sets the unit in *x.  Events are numbered in the order
 * of the line, from 0 on.  Returns false if there is no such event.
 */
static bool
choose_callgrind_event(struct callgrind_header *h, struct import *x,
    struct text names)
{
	const struct text want = x->choice.at != NULL ? x->choice : x->unit;
	bool found = false;
	size_t i;

	names = text_trim(names);
	for (i = 0; names.bytes != 0; i++) {
		const struct text name = text_next_word(&names);

		if (found || (want.at != NULL && !text_equal(name, want)))
			continue;
		found = true;
		h->columns.chosen = i;
		x->unit = name;
		/*
		 * Only prof writes times under the name "ns"; other names of
		 * times are not defined.
		 */
		x->each_ns = text_equal_str(name, "ns") ? 1 : 0;
	}
	h->columns.events = i;
	return found;
}

/*
 * Sets which positions lines of costs have.  Returns false if they are none
 * that are known.
 */
static bool
take_positions(struct callgrind_header *h, struct text words)
{
	bool *has = h->columns.has;

	words = text_trim(words);
	has[CALLGRIND_INSTR] = has[CALLGRIND_LINE] = false;
	while (words.bytes != 0) {
		const struct text word = text_next_word(&words);

		if (text_equal_str(word, "instr"))
			has[CALLGRIND_INSTR] = true;
		else if (text_equal_str(word, "line"))
			has[CALLGRIND_LINE] = true;
		else
			return false;
	}
	return has[CALLGRIND_INSTR] || has[CALLGRIND_LINE];
}

/*
 * Takes the name of the program, which is the last part of the path before its
 * arguments.
 */
static void
take_command(struct callgrind_header *h, struct text words)
{
	const char *slash;

	words = text_trim(words);
	h->program = text_next_word(&words);
	slash = text_find_last(h->program, '/');
	if (slash != NULL)
		h->program = text_skip(h->program,
		    (size_t)(slash + 1 - h->program.at));
}

void
callgrind_header_end_part(struct callgrind_header *h, struct import *x)
{
	if (h->summed && !h->ended && h->missing != 0)
		import_skip(x, "the costs end before their sum is reached");
	h->summed = h->ended = false;
	h->missing = 0;
}

/* Reads the sum of all costs.  Only one that precedes the costs is of use. */
static void
take_summary(struct callgrind_header *h, struct import *x, struct text line)
{
	int64_t sum;

	if (x->unit.at == NULL || h->missing != 0 || h->summed ||
	    callgrind_header_is_left_out(h))
		return;
	h->summed = callgrind_line_value(&h->columns, line, &sum);
	h->missing = (uint64_t)sum;
}

/* Leaves out the part that begins. */
static void
leave_out_part(struct callgrind_header *h, struct import *x, const char *why,
    const char *remedy)
{
	import_skip(x, why);
	memset(h->columns.last.is_known, 0, sizeof(h->columns.last.is_known));
	if (h->why != NULL)
		return;
	h->why = why;
	h->remedy = remedy;
	h->why_line = x->line;
}

/* Reads the line of events, with which the costs of a part begin. */
static void
take_events(struct callgrind_header *h, struct import *x, struct text line)
{
	callgrind_header_end_part(h, x);
	h->no_event = !choose_callgrind_event(h, x, line);
	if (h->no_event && text_trim(line).bytes == 0)
		leave_out_part(h, x, "no event is named", NULL);
	else if (h->no_event)
		leave_out_part(h, x, "there is no such event",
		    "that line names its events");
}

static void
take_pid(struct callgrind_header *h, struct text line)
{
	uint64_t pid;

	line = text_trim(line);
	if (text_parse_number(&line, 10, &pid) && pid <= INT32_MAX)
		h->pid = (int32_t)pid;
}

bool
callgrind_header_read(struct callgrind_header *h, struct import *x,
    struct text line)
{
	if (text_skip_prefix(&line, "summary:")) {
		take_summary(h, x, line);
		return true;
	}
	if (text_skip_prefix(&line, "totals:")) {
		h->ended = true;
		return true;
	}
	if (text_skip_prefix(&line, "events:")) {
		take_events(h, x, line);
		return true;
	}
	if (text_skip_prefix(&line, "positions:")) {
		h->no_positions = !take_positions(h, line);
		if (h->no_positions)
			leave_out_part(h, x, "positions must be instr and "
			    "line, not these,", NULL);
		return true;
	}
	if (text_skip_prefix(&line, "cmd:")) {
		take_command(h, line);
		return true;
	}
	if (text_skip_prefix(&line, "pid:")) {
		take_pid(h, line);
		return true;
	}
	/*
	 * Keys that are ignored: version, creator, part, desc, event, thread
	 * and others.
	 */
	for (size_t i = 0; i < line.bytes && line.at[i] >= 'a' &&
	    line.at[i] <= 'z'; i++)
		if (i + 1 < line.bytes && line.at[i + 1] == ':')
			return true;
	return false;
}
