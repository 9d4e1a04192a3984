/*
 * Context: T.  Parses the value of an option and stores it, for
 * option_table.c, at the start; see option_parse.h.
 */
#include "options/option_parse.h"

#include "base/config.h"
#include "base/str.h"
#include "heap/alloc_sample.h"
#include "store/profile_name.h"

#include <signal.h>
#include <stddef.h>

/* Returns the index of the value among the option's names, or -1. */
static int
find_name(const struct option *o, const char *value)
{
	for (int i = 0; o->names != NULL && o->names[i] != NULL; i++)
		if (str_equal(value, o->names[i]))
			return i;
	return -1;
}

static bool
parse_switch(const struct option *o, const char *value)
{
	int i = find_name(o, value);

	if (i < 0)
		return false;
	*(bool *)o->place = i == 1;
	return true;
}

static bool
parse_keyword(const struct option *o, const char *value)
{
	int i = find_name(o, value);

	if (i < 0)
		return false;
	*(unsigned *)o->place = (unsigned)i;
	return true;
}

static bool
parse_number(const struct option *o, const char *value)
{
	uint64_t n;

	if (parse_keyword(o, value))
		return true;
	n = str_decimal(&value);
	if (*value != '\0' || n < o->least || n > o->most)
		return false;
	*(unsigned *)o->place = (unsigned)n;
	return true;
}

/* Reads a size as "512k".  Returns false if it is not in the range. */
static bool
read_size(const char *value, uint64_t least, uint64_t most, uint64_t *bytes)
{
	uint64_t n = str_decimal(&value);
	unsigned shift = 0;

	if (*value == 'k' || *value == 'K')
		shift = 10;
	else if (*value == 'm' || *value == 'M')
		shift = 20;
	else if (*value == 'g' || *value == 'G')
		shift = 30;
	if (shift != 0)
		value++;
	if (*value != '\0' || n > most >> shift || n << shift < least)
		return false;
	*bytes = n << shift;
	return true;
}

static bool
parse_size(const struct option *o, const char *value)
{
	return read_size(value, o->least, o->most, o->place);
}

static bool
parse_text(const struct option *o, const char *value)
{
	if (*value == '\0' || str_length(value) >= o->most)
		return false;
	str_copy(o->place, value, o->most);
	return true;
}

static bool
parse_pattern(const struct option *o, const char *value)
{
	return profile_name_is_pattern(value) && parse_text(o, value);
}

/* Adds one word of heap= to `config`.  Returns false if it is not valid. */
static bool
add_heap_word(const char *word)
{
	const bool all = str_equal(word, "all");

	config.maps |= all || str_equal(word, "mmap");
	if (str_equal(word, "mmap"))
		return true;
	config.blocks = true;
	return all || str_equal(word, "malloc") || read_size(word,
	    ALLOC_SAMPLE_MIN, ALLOC_SAMPLE_MAX, &config.heap_period);
}

/* Sets what the words with a + between them ask for. */
static bool
add_heap_words(const char *value)
{
	char word[32];
	size_t n;

	config.heap_period = 0;
	config.blocks = config.maps = false;
	for (;; value += n + 1) {
		for (n = 0; value[n] != '\0' && value[n] != '+'; n++)
			;
		if (n >= sizeof(word))
			return false;
		mem_copy(word, value, n);
		word[n] = '\0';
		if (!add_heap_word(word))
			return false;
		if (value[n] == '\0')
			return true;
	}
}

/* Reads the words of heap=.  Changes nothing if one of them is not valid. */
static bool
parse_heap(const struct option *o, const char *value)
{
	const bool blocks = config.blocks, maps = config.maps;
	const uint64_t period = config.heap_period;

	(void)o;
	if (add_heap_words(value))
		return true;
	config.blocks = blocks;
	config.maps = maps;
	config.heap_period = period;
	return false;
}

/*
 * Takes a signal of the classic set that nothing else needs.  Real-time signals
 * are refused: past RLIMIT_SIGPENDING the kernel sends SIGIO in their place,
 * which kills.
 */
static bool
parse_signal(const struct option *o, const char *value)
{
	static const struct { const char *name; int sig; } names[] = {
		{"PROF", SIGPROF}, {"VTALRM", SIGVTALRM}, {"ALRM", SIGALRM},
		{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"PWR", SIGPWR},
		{"STKFLT", SIGSTKFLT}, {"XCPU", SIGXCPU}, {"URG", SIGURG},
	};
	const char *p = value;
	uint64_t n = str_decimal(&p);

	if (str_begins(value, "SIG"))
		value += 3;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_equal(value, names[i].name) ||
		    (*p == '\0' && n == (uint64_t)names[i].sig)) {
			*(int *)o->place = names[i].sig;
			return true;
		}
	return false;
}

bool
option_parse_value(const struct option *o, const char *value)
{
	static bool (*const parse[])(const struct option *, const char *) = {
		[OPTION_SWITCH] = parse_switch,
		[OPTION_KEYWORD] = parse_keyword,
		[OPTION_NUMBER] = parse_number,
		[OPTION_SIZE] = parse_size,
		[OPTION_TEXT] = parse_text,
		[OPTION_PATTERN] = parse_pattern,
		[OPTION_HEAP] = parse_heap,
		[OPTION_SIGNAL] = parse_signal,
	};

	return parse[o->kind](o, value);
}
