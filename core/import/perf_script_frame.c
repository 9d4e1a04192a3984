/*
 * Context: O.  Parses the lines of frames in perf script, for perf_script.c and
 * perf_script_head.c; see perf_script_frame.h.
 */
#include "perf_script_frame.h"

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
 * Returns the place of the '(' of the module, or NULL.  It is the first '('
 * behind a blank that precedes a path or a bracket, as a path can have others;
 * without such a one it is the last, as a name can have others.
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

/*
 * Splits the name of the function and, if present, "(module)" after it.
 * Returns which of the two there are.
 */
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
perf_script_frame_parse(struct text line, struct import_frame *to)
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
	if (fields != PERF_SCRIPT_MODULE || end + digits >= PERF_SCRIPT_COLUMNS)
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
perf_script_frame_parse_last(struct text rest, size_t blanks,
    struct import_frame *to)
{
	struct text at = rest, t = rest;
	bool padded = false;
	uint64_t address;
	unsigned fields;

	while (t.bytes != 0) {
		const struct text from = t, word = text_next_word(&t);
		struct text digits = word;

		if (text_parse_number(&digits, 16, &address) &&
		    digits.bytes == 0 &&
		    blanks + word.bytes >= PERF_SCRIPT_COLUMNS &&
		    (t.bytes == 0 || *t.at != '|')) {
			at = from;
			padded = true;
		}
		blanks = (size_t)(t.at - (word.at + word.bytes));
	}
	fields = perf_script_frame_parse(cut_after_module(at), to);
	if ((fields & PERF_SCRIPT_ADDRESS) == 0)
		return 0;
	return padded || (fields & PERF_SCRIPT_MODULE) != 0 ? fields : 0;
}

bool
perf_script_frame_parse_source(struct text line, struct import_frame *to)
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
