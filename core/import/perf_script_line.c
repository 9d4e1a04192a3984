/* Context: O.  Parses the lines of perf script. */
#include "perf_script_line.h"

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
perf_numbers(struct text word, struct perf_script_line_head *h)
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

/* perf pads an address to this width: a shorter word can be a name. */
#define PERF_COLUMNS	16

/* Returns whether `rest` begins with an address in its column. */
static bool
perf_is_padded(const struct perf_script_line_head *h)
{
	struct text t = h->rest, word = text_next_word(&t);
	const size_t columns = h->blanks + word.bytes;
	uint64_t address;

	return text_parse_number(&word, 16, &address) && word.bytes == 0 &&
	    columns >= PERF_COLUMNS;
}

/* Takes the period and the event, as far as they are there. */
static void
parse_period_and_event(struct text t, struct perf_script_line_head *h)
{
	const struct text back = t, word = text_next_word(&t);

	h->has_period = perf_is_number(word, &h->period);
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
perf_has_frame(const struct perf_script_line_head *h, struct text below)
{
	const unsigned both = PERF_SCRIPT_ADDRESS | PERF_SCRIPT_MODULE;
	struct import_frame frame;

	if (h->rest.bytes != 0)
		return perf_is_padded(h);
	if (below.bytes == 0 || !text_is_blank(*below.at))
		return false;
	return *below.at == '\t' ?
	    (perf_script_line_frame(below, &frame) & PERF_SCRIPT_ADDRESS) != 0 :
	    (perf_script_line_frame(below, &frame) & both) == both;
}

/*
 * Takes what follows the name of the thread.  A line without an event needs a
 * time, and one without a time needs a processor, both numbers, a period or a
 * frame: many lines that are no sample have a number and a word with a colon.
 */
static bool
parse_after_comm(struct text t, struct text below,
    struct perf_script_line_head *h)
{
	struct import_frame frame;
	bool cpu;

	if (!perf_numbers(text_next_word(&t), h))
		return false;
	cpu = take_word_if(&t, perf_is_cpu);
	if (take_word_if(&t, perf_is_misc) && !cpu)
		cpu = take_word_if(&t, perf_is_cpu);
	h->has_time = take_word_if(&t, perf_is_time);
	parse_period_and_event(t, h);
	if (h->other)
		return true;
	if (h->event.at == NULL)
		return h->has_time && (h->rest.bytes == 0 ||
		    perf_script_line_only(h->rest, h->blanks, &frame) != 0);
	return h->has_time || cpu || h->has_pid || h->has_period ||
	    perf_has_frame(h, below);
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
perf_script_line_head(struct text line, struct text below,
    struct perf_script_line_head *h)
{
	struct text t = text_trim(line), word;
	struct perf_script_line_head bare = { .has_pid = false };
	bool found = false, timed = false;

	line = t;
	while (t.bytes != 0) {
		struct perf_script_line_head own = { .has_pid = false };
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
		parse_period_and_event(t, &bare);
		bare.comm = text_trim(text_until(line, word.at));
	}
	if (found || bare.event.at == NULL)
		return found;
	*h = bare;
	h->has_time = true;
	h->tid = h->pid = IMPORT_NO_PID;
	return true;
}

static bool
perf_is_unknown(struct text t)
{
	return t.bytes == 0 || text_equal_str(t, "[unknown]");
}

/* Splits "name+0x12" into the name and the offset. */
static void
perf_name(struct text t, struct import_frame *to)
{
	const char *plus = text_find_last(t, '+');
	struct text offset;

	to->name = t;
	if (plus == NULL)
		return;
	offset = text_skip(t, (size_t)(plus - t.at));
	if (!text_skip_prefix(&offset, "+0x") ||
	    !text_parse_number(&offset, 16, &to->offset) || offset.bytes != 0)
		to->offset = IMPORT_NO_ADDRESS;
	else
		to->name = text_until(t, plus);
}

/*
 * Returns the place of the '(' of the module.  It is the first '(' behind a
 * blank that precedes a path or a bracket, as a path can have others; without
 * such a one it is the last, as a name can have others.
 */
static const char *
perf_module(struct text t)
{
	const char *open = NULL;

	for (size_t i = 1; i + 1 < t.bytes; i++) {
		if (t.at[i] != '(' || t.at[i - 1] != ' ')
			continue;
		open = t.at + i;
		if (open[1] == '/' || open[1] == '[')
			break;
	}
	return open;
}

/* Splits the name of the function and, if present, "(module)" after it. */
static unsigned
perf_symbol(struct text t, struct import_frame *to)
{
	const char *open = t.bytes != 0 && t.at[t.bytes - 1] == ')' ?
	    perf_module(t) : NULL;
	struct text name = t, module;
	unsigned fields = 0;

	if (open != NULL) {
		name = text_until(t, open);
		module = text_skip(t, (size_t)(open + 1 - t.at));
		module.bytes--;
		fields = PERF_SCRIPT_MODULE;
	}
	name = text_trim(name);
	if (name.bytes != 0)
		fields |= PERF_SCRIPT_NAME;
	if (!perf_is_unknown(name))
		perf_name(name, to);
	if (open == NULL)
		return fields;
	if (text_equal_str(module, "inlined")) {
		/* The offset would be that of the enclosing function. */
		to->inlined = true;
		to->offset = IMPORT_NO_ADDRESS;
	} else if (!perf_is_unknown(module)) {
		to->module.path = module;
	}
	return fields;
}

unsigned
perf_script_line_frame(struct text line, struct import_frame *to)
{
	struct text t = text_trim(line), name;
	const size_t end = (size_t)(t.at - line.at);
	size_t digits;
	unsigned fields;

	*to = import_unknown_frame();
	name = t;
	if (!text_parse_number(&t, 16, &to->address) ||
	    (t.bytes != 0 && *t.at != ' ')) {
		to->address = IMPORT_NO_ADDRESS;
		return perf_symbol(name, to);
	}
	digits = name.bytes - t.bytes;
	fields = perf_symbol(text_trim(t).bytes == 0 ? (struct text) { t.at, 0 }
	    : t, to);
	if (fields != PERF_SCRIPT_MODULE || end + digits >= PERF_COLUMNS)
		return PERF_SCRIPT_ADDRESS | fields;
	/*
	 * In "add (module)", "add" is a name that reads as a number, and no
	 * address.
	 */
	*to = import_unknown_frame();
	return perf_symbol(name, to);
}

/* Cuts off the fields that follow the module, as "ilen: 6" of -F insnlen. */
static struct text
cut_after_module(struct text t)
{
	const char *open = perf_module(t), *close;

	if (open == NULL || (open[1] != '/' && open[1] != '['))
		return t;
	close = text_find_last(text_skip(t, (size_t)(open - t.at)), ')');
	return close == NULL ? t : text_until(t, close + 1);
}

unsigned
perf_script_line_only(struct text rest, size_t blanks, struct import_frame *to)
{
	struct text at = rest, t = rest;
	bool padded = false;
	uint64_t address;
	unsigned fields;

	while (t.bytes != 0) {
		const struct text from = t, word = text_next_word(&t);
		struct text digits = word;

		if (text_parse_number(&digits, 16, &address) &&
		    digits.bytes == 0 && blanks + word.bytes >= PERF_COLUMNS &&
		    (t.bytes == 0 || *t.at != '|')) {
			at = from;
			padded = true;
		}
		blanks = (size_t)(t.at - (word.at + word.bytes));
	}
	fields = perf_script_line_frame(cut_after_module(at), to);
	if ((fields & PERF_SCRIPT_ADDRESS) == 0)
		return 0;
	return padded || (fields & PERF_SCRIPT_MODULE) != 0 ? fields : 0;
}

bool
perf_script_source_line(struct text line, struct import_frame *to)
{
	struct text t = text_trim(line), number;
	const char *colon = text_find_last(t, ':');
	uint64_t value;

	/* "module[address]" */
	if (t.bytes != 0 && t.at[t.bytes - 1] == ']')
		return true;
	if (colon == NULL)
		return false;
	number = text_skip(t, (size_t)(colon + 1 - t.at));
	/* "??:?" */
	if (text_equal_str(number, "?"))
		return true;
	if (!text_parse_number(&number, 10, &value) || number.bytes != 0 ||
	    value > UINT32_MAX)
		return false;
	/* ":0", where perf finds a unit of debug information without a name. */
	if (colon == t.at)
		return value == 0;
	to->file = text_until(t, colon);
	to->line = (uint32_t)value;
	return true;
}
