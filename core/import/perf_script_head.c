/*
 * Context: O.  Parses the first line of a sample in perf script, for
 * perf_script.c; see perf_script_head.h.
 */
#include "perf_script_head.h"

#include "perf_script_frame.h"

/* Parses an id; perf writes -1 for one that it does not know. */
static bool
perf_id(struct text *word, int32_t *id)
{
	const bool none = text_skip_prefix(word, "-");
	uint64_t number;

	if (!text_parse_number(word, 10, &number) || number > INT32_MAX)
		return false;
	*id = none ? IMPORT_NO_PID : (int32_t)number;
	return true;
}

/* Parses "12" or "12/34", which must be all of the word. */
static bool
perf_numbers(struct text word, struct perf_script_head *h)
{
	h->has_pid = false;
	if (!perf_id(&word, &h->tid))
		return false;
	if (text_skip_prefix(&word, "/")) {
		h->pid = h->tid;
		h->has_pid = true;
		if (!perf_id(&word, &h->tid))
			return false;
	}
	return word.bytes == 0;
}

static bool
perf_is_cpu(struct text word)
{
	uint64_t cpu;

	return text_skip_prefix(&word, "[") && text_parse_number(&word, 10,
	    &cpu) && text_equal_str(word, "]");
}

static bool
perf_is_time(struct text word)
{
	uint64_t number;

	return text_parse_number(&word, 10, &number) && text_skip_prefix(&word,
	    ".") && text_parse_number(&word, 10, &number) &&
	    text_equal_str(word, ":");
}

static bool
perf_is_number(struct text word, uint64_t *number)
{
	return text_parse_number(&word, 10, number) && word.bytes == 0;
}

/*
 * Parses an event.  Its name can have colons, as in "cpu-clock:u:"; the last
 * one ends it.
 */
static bool
perf_event(struct text word, struct text *event)
{
	if (word.bytes < 2 || word.at[word.bytes - 1] != ':' ||
	    text_is_digit(*word.at))
		return false;
	*event = word;
	event->bytes--;
	return true;
}

/*
 * Returns whether the word is the letters of the mode that -F misc adds before
 * the time.
 */
static bool
perf_is_misc(struct text word)
{
	for (size_t i = 0; i < word.bytes; i++)
		if (memchr("KUHGgMESpt", word.at[i], 10) == NULL)
			return false;
	return word.bytes != 0 && word.bytes <= 5;
}

/* Takes the next word if `is` accepts it. */
static bool
take_word_if(struct text *t, bool (*is)(struct text word))
{
	struct text rest = *t;

	if (!is(text_next_word(&rest)))
		return false;
	*t = rest;
	return true;
}

/* Returns whether `rest` begins with an address in its column. */
static bool
perf_is_padded(const struct perf_script_head *h)
{
	struct text t = h->rest, word = text_next_word(&t);
	const size_t columns = h->blanks + word.bytes;
	uint64_t address;

	return text_parse_number(&word, 16, &address) && word.bytes == 0 &&
	    columns >= PERF_SCRIPT_COLUMNS;
}

/* Columns in which perf prints a period, a blank among them at least. */
#define PERF_PERIOD	11

/*
 * Takes the period and the event, as far as they are there.  blanks: how many
 * precede them.
 */
static void
parse_period_and_event(struct text t, size_t blanks, struct perf_script_head *h)
{
	const struct text back = t, word = text_next_word(&t);

	h->has_period = perf_is_number(word, &h->period);
	h->padded_period = h->has_period &&
	    blanks + word.bytes >= PERF_PERIOD;
	if (!h->has_period)
		t = back;
	h->rest = t;
	h->other = text_skip_prefix(&t, "PERF_RECORD_");
	h->event.at = NULL;
	if (h->other)
		return;
	if (perf_event(text_next_word(&t), &h->event)) {
		h->rest = t;
		h->blanks = (size_t)(t.at - (h->event.at + h->event.bytes + 1));
		return;
	}
	if (!h->has_period || h->rest.bytes == 0)
		return;
	h->blanks = (size_t)(h->rest.at - (word.at + word.bytes));
	/* Otherwise what looked like a period is the address of a frame. */
	if (!perf_is_padded(h)) {
		h->has_period = false;
		h->rest = back;
		h->blanks = 0;
	}
}

/*
 * Returns whether the sample has a frame: directly behind its event, or in the
 * next line, where old versions of perf put blanks in place of a tab.
 */
static bool
perf_has_frame(const struct perf_script_head *h, struct text below)
{
	const unsigned both = PERF_SCRIPT_ADDRESS | PERF_SCRIPT_MODULE;
	struct import_frame frame;
	unsigned fields;

	if (h->rest.bytes != 0)
		return perf_is_padded(h);
	if (below.bytes == 0 || !text_is_blank(*below.at))
		return false;
	fields = perf_script_frame_parse(below, &frame);
	return *below.at == '\t' ? (fields & PERF_SCRIPT_ADDRESS) != 0 :
	    (fields & both) == both;
}

/*
 * Takes what follows the name of the thread.  A line without an event needs a
 * time, and one without a time needs a processor, both numbers, a period or a
 * frame: many lines that are no sample have a number and a word with a colon.
 */
static bool
parse_after_comm(struct text t, struct text below,
    struct perf_script_head *h)
{
	struct import_frame frame;
	struct text word = text_next_word(&t);
	bool cpu;

	if (!perf_numbers(word, h))
		return false;
	cpu = take_word_if(&t, perf_is_cpu);
	if (take_word_if(&t, perf_is_misc) && !cpu)
		cpu = take_word_if(&t, perf_is_cpu);
	h->has_time = take_word_if(&t, perf_is_time);
	parse_period_and_event(t, (size_t)(t.at - (word.at + word.bytes)), h);
	if (h->other)
		return true;
	if (h->event.at == NULL)
		return h->has_time && (h->rest.bytes == 0 ||
		    perf_script_frame_parse_last(h->rest, h->blanks,
		    &frame) != 0);
	if (h->has_time || cpu || h->has_pid)
		return true;
	/* In "worker 1  2361 event:" the second number is no period. */
	return h->has_period ? h->padded_period : perf_has_frame(h, below);
}

/* The length of a thread's name in Linux, in bytes. */
#define PERF_COMM	15

/*
 * A name can be empty and can look like numbers or a time.  So of the tails
 * after what can be a name, the last one with a time is taken.  If none has a
 * time, the first tail is taken, unless a time precedes it: what follows a time
 * is no thread but a period.  A line without a thread has a time and an event.
 */
bool
perf_script_head_parse(struct text line, struct text below,
    struct perf_script_head *h)
{
	struct text t = text_trim(line), word;
	struct perf_script_head bare = { 0 };
	bool found = false, timed = false;

	line = t;
	while (t.bytes != 0) {
		struct perf_script_head own = { 0 };
		const struct text comm = text_trim(text_until(line, t.at));

		if (found && h->has_time && comm.bytes > PERF_COMM)
			break;
		if ((text_is_digit(*t.at) || *t.at == '-') &&
		    parse_after_comm(t, below, &own) && (own.has_time ||
		    (!found && !timed))) {
			*h = own;
			h->comm = comm;
			found = true;
		}
		word = text_next_word(&t);
		if (!perf_is_time(word))
			continue;
		timed = true;
		parse_period_and_event(t, 0, &bare);
		bare.comm = text_trim(text_until(line, word.at));
	}
	if (found || bare.event.at == NULL)
		return found;
	*h = bare;
	h->has_time = true;
	h->tid = h->pid = IMPORT_NO_PID;
	return true;
}

bool
perf_script_head_is_comment(struct text line, struct text below)
{
	struct perf_script_head h;

	if (line.bytes == 0 || *line.at != '#')
		return false;
	return line.bytes == 1 || text_is_blank(line.at[1]) ||
	    !perf_script_head_parse(line, below, &h) || !h.has_time ||
	    h.event.at == NULL;
}
