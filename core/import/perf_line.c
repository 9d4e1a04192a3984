/* Context: O.  The lines of perf script. */
#include "perf.h"

/* Of what perf does not know it says -1. */
static bool
perf_id(struct text *word, int32_t *id)
{
	const bool none = text_take(word, "-");
	uint64_t number;

	if (!text_number(word, 10, &number) || number > INT32_MAX)
		return false;
	*id = none ? IMPORT_NOBODY : (int32_t)number;
	return true;
}

/* "12" or "12/34", all of the word. */
static bool
perf_numbers(struct text word, struct perf_head *h)
{
	h->has_pid = false;
	if (!perf_id(&word, &h->tid))
		return false;
	if (text_take(&word, "/")) {
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

	return text_take(&word, "[") && text_number(&word, 10, &cpu) &&
	    text_is(word, "]");
}

static bool
perf_is_time(struct text word)
{
	uint64_t number;

	return text_number(&word, 10, &number) && text_take(&word, ".") &&
	    text_number(&word, 10, &number) && text_is(word, ":");
}

static bool
perf_is_number(struct text word, uint64_t *number)
{
	return text_number(&word, 10, number) && word.bytes == 0;
}

/* Its name can have colons: "cpu-clock:u:"; the last one ends it. */
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

/* What follows the name of the thread. */
static bool
perf_tail(struct text t, struct perf_head *h)
{
	struct text back;

	if (!perf_numbers(text_word(&t), h))
		return false;
	back = t;
	if (!perf_is_cpu(text_word(&t)))
		t = back;
	back = t;
	if (!perf_is_time(text_word(&t)))
		t = back;
	back = t;
	h->has_period = perf_is_number(text_word(&t), &h->period);
	if (!h->has_period)
		t = back;
	h->rest = t;
	if (text_take(&t, "PERF_RECORD_")) {
		h->event.at = NULL;
		return true;
	}
	if (!perf_event(text_word(&t), &h->event))
		return false;
	h->rest = t;
	return true;
}

/*
 * A name has no time in it: behind one there is no number of a thread, but the
 * period of a line that has other fields before it.
 */
bool
perf_head(struct text line, struct perf_head *h)
{
	struct text t = text_trim(line), word;

	line = t;
	for (word = text_word(&t); t.bytes != 0; word = text_word(&t)) {
		if (perf_is_time(word))
			return false;
		if ((text_is_digit(*t.at) || *t.at == '-') && perf_tail(t, h)) {
			h->comm = text_trim(text_until(line, t.at));
			return true;
		}
	}
	return false;
}

static bool
perf_is_unknown(struct text t)
{
	return t.bytes == 0 || text_is(t, "[unknown]");
}

/* "name+0x12" into both. */
static void
perf_name(struct text t, struct import_frame *to)
{
	const char *plus = text_last(t, '+');
	struct text offset;

	to->name = t;
	if (plus == NULL)
		return;
	offset = text_skip(t, (size_t)(plus - t.at));
	if (!text_take(&offset, "+0x") ||
	    !text_number(&offset, 16, &to->offset) || offset.bytes != 0)
		to->offset = IMPORT_NOWHERE;
	else
		to->name = text_until(t, plus);
}

/*
 * Where the '(' of the module is: of those behind a blank the first before a
 * path or a bracket, as a path can have others, else the last, as a name can.
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

bool
perf_frame(struct text line, struct import_frame *to)
{
	struct text t = text_trim(line), name, module;
	const char *open;

	*to = import_nowhere();
	if (!text_number(&t, 16, &to->address) || t.bytes < 3 || *t.at != ' ' ||
	    t.at[t.bytes - 1] != ')')
		return false;
	open = perf_module(t);
	if (open == NULL)
		return false;
	name = text_trim(text_until(t, open));
	module = text_skip(t, (size_t)(open + 1 - t.at));
	module.bytes--;
	if (!perf_is_unknown(name))
		perf_name(name, to);
	if (text_is(module, "inlined")) {
		/* Its offset is that of what it is inlined in. */
		to->inlined = true;
		to->offset = IMPORT_NOWHERE;
	} else if (!perf_is_unknown(module)) {
		to->module.path = module;
	}
	return true;
}

void
perf_line(struct text line, struct import_frame *to)
{
	struct text t = text_trim(line), number;
	const char *colon = text_last(t, ':');
	uint64_t value;

	if (colon == NULL || colon == t.at)
		return;
	number = text_skip(t, (size_t)(colon + 1 - t.at));
	if (!text_number(&number, 10, &value) || number.bytes != 0 ||
	    value > UINT32_MAX)
		return;
	to->file = text_until(t, colon);
	to->line = (uint32_t)value;
}
