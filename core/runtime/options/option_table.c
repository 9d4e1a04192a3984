/*
 * Context: T.  Holds the keys of PROFOPTS, and parses its text for options.c,
 * at the start of the library; see option_table.h.
 */
#include "options/option_table.h"

#include "base/state.h"
#include "base/stderr_note.h"
#include "base/str.h"
#include "options/environment.h"
#include "options/option_parse.h"

#define KIB(n)	((uint64_t)(n) << 10)
#define MIB(n)	((uint64_t)(n) << 20)
#define GIB(n)	((uint64_t)(n) << 30)

_Static_assert(sizeof(enum config_tier) == sizeof(unsigned),
    "OPTION_KEYWORD stores an unsigned");

struct option_given option_given STATE_SECTION("2.cold");

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const off_on[] = {"off", "on", NULL};
static const char *const automatic[] = {"auto", NULL};
static const char *const clocks[] = {"cpu", "wall", NULL};
static const char *const tiers[] = {"auto", "perf", "timer", "process", NULL};
static const char *const details[] = {"plain", "detail", NULL};
static const char *const stacks[] = {"off", "auto", "fp", "cfi", NULL};
static const char *const modes[] = {"time", "heap", "time+heap", NULL};
static const char *const formats[] = {"native", "gmon", "monout", "prof", NULL};

/*
 * The keys, by the alphabet.  heapsize: the table of live blocks takes 1 MiB
 * for each range of 4 GiB that holds blocks (a program has two), and grows by
 * 1 MiB.
 */
static const struct option options[] = {
	{"clock", OPTION_KEYWORD, &config.clock, clocks,
	    .wanted = "cpu or wall"},
	{"depth", OPTION_NUMBER, &config.depth, NULL, 8, 65536, "8 to 65536"},
	{"dir", OPTION_TEXT, option_given.dir, NULL, 0,
	    sizeof(option_given.dir), "a directory"},
	{"empty", OPTION_SWITCH, &config.empty, no_yes,
	    .wanted = "yes or no"},
	{"exclude", OPTION_TEXT, option_given.exclude, NULL, 0,
	    sizeof(option_given.exclude), "program names, a:b*"},
	{"file", OPTION_PATTERN, option_given.file, NULL, 0,
	    sizeof(option_given.file), "a file name, %p %n %h %t %%"},
	{"follow", OPTION_SWITCH, &config.follow, no_yes,
	    .wanted = "yes or no"},
	{"format", OPTION_KEYWORD, &config.format, formats,
	    .wanted = "native, gmon, monout or prof"},
	{"heap", OPTION_HEAP, &config,
	    .wanted = "malloc, mmap, all or 1k to 1g, with + between"},
	{"heapsize", OPTION_SIZE, &config.heap_size, NULL, MIB(4), GIB(16),
	    "4m to 16g"},
	{"hz", OPTION_NUMBER, &config.hz, automatic, 1, 20000,
	    "auto or 1 to 20000"},
	{"kernel", OPTION_KEYWORD, &config.kernel, details,
	    .wanted = "plain or detail"},
	{"log", OPTION_SWITCH, &config.log, no_yes, .wanted = "yes or no"},
	{"mode", OPTION_KEYWORD, &option_given.mode, modes,
	    .wanted = "time, heap or time+heap"},
	{"msg", OPTION_SWITCH, &config.message, no_yes,
	    .wanted = "yes or no"},
	{"only", OPTION_TEXT, option_given.only, NULL, 0,
	    sizeof(option_given.only), "program names, a:b*"},
	{"sig", OPTION_SIGNAL, &config.signal, .wanted =
	    "PROF, STKFLT, VTALRM, PWR, URG, XCPU, USR1, USR2 or ALRM"},
	{"size", OPTION_SIZE, &config.size, NULL, KIB(256), GIB(16),
	    "256k to 16g"},
	{"stack", OPTION_KEYWORD, &config.stack, stacks,
	    .wanted = "auto, fp, cfi or off"},
	{"start", OPTION_SWITCH, &config.start, off_on,
	    .wanted = "on or off"},
	{"tier", OPTION_KEYWORD, &config.tier, tiers,
	    .wanted = "auto, perf, timer or process"},
};

/* Returns whether `second` comes in the text, somewhere behind `first`. */
static bool
has_both(const char *text, char first, char second)
{
	while (*text != '\0' && *text != first)
		text++;
	while (*text != '\0' && *text != second)
		text++;
	return *text != '\0';
}

/*
 * Reports a bad option in one process of a run, not in each of its ten thousand
 * children.
 */
static void
report_bad_option(const char *key, const char *value, const char *wanted)
{
	if (environment_is_of_profiled())
		return;
	if (has_both(key, ' ', ' ') || has_both(value, ' ', '='))
		stderr_note("PROFOPTS: ", key, "=", value, " ignored; keys are "
		    "separated by commas, without blanks", NULL);
	else if (wanted == NULL)
		stderr_note("PROFOPTS: unknown key \"", key,
		    "\" ignored; mon(7) lists them", NULL);
	else
		stderr_note("PROFOPTS: ", key, "=", value, " ignored; wanted ",
		    wanted, NULL);
}

/* Stores one value, or reports it.  cut: the item was too long to be kept. */
static void
apply_option(const char *key, const char *value, bool cut)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!str_equal(key, options[i].key))
			continue;
		if (cut || !option_parse_value(&options[i], value))
			report_bad_option(key, value, options[i].wanted);
		return;
	}
	report_bad_option(key, value, NULL);
}

void
option_table_parse(const char *text)
{
	char item[PATH_MAX];
	size_t n;

	while (*text != '\0') {
		char *equal;

		for (n = 0; text[n] != '\0' && text[n] != ','; n++)
			if (n + 1 < sizeof(item))
				item[n] = text[n];
		item[n < sizeof(item) ? n : sizeof(item) - 1] = '\0';
		text += text[n] == ',' ? n + 1 : n;
		if (item[0] == '\0')
			continue;
		for (equal = item; *equal != '\0' && *equal != '='; equal++)
			;
		if (*equal == '=')
			*equal++ = '\0';
		apply_option(item, equal, n >= sizeof(item));
	}
}
