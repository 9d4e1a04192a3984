/*
 * Context: O.  Answers words that users type by habit, for main() and
 * prof_input_find(); see prof_words.h.
 */
#include "prof/prof_words.h"

#include "base/edit_distance.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LETTERS_AN_ERROR	3	/* letters of a word for each error */

/* Words of other profilers, and the commands of prof for those who mistype. */
static const struct prof_word {
	const char *word, *remedy;
} words[] = {
	{ "annotate", "prof --annotate=FUNCTION shows its code" },
	{ "attach", "tprof top PID shows a process" },
	{ "diff", "prof --diff=OLD NEW compares two profiles" },
	{ "doctor", "prof doctor says what works here" },
	{ "flamegraph", "prof --html=FILE draws one" },
	{ "heap", "prof --heap shows allocations" },
	{ "html", "prof --html=FILE writes the page" },
	{ "list", "prof --annotate=FUNCTION shows its code" },
	{ "record", "prof record COMMAND runs and records it" },
	{ "report", "prof without a word shows the report" },
	{ "run", "prof record COMMAND runs and records it" },
	{ "script", "prof --write=FORMAT writes samples for other tools" },
	{ "show", "prof without a word shows the report" },
	{ "stat", "tprof count counts events of a command" },
	{ "start", "prof --control TARGET start" },
	{ "status", "prof --control TARGET status" },
	{ "stop", "prof --control TARGET stop" },
	{ "top", "prof --live shows a program that runs, tprof top the "
	    "whole machine" },
	{ "tree", "prof --tree shows it" },
};

/* Returns whether the name is the number of a process that runs. */
static bool
is_process(const char *name)
{
	char path[32];

	return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0' &&
	    snprintf(path, sizeof(path), "/proc/%s", name) <
	    (int)sizeof(path) && access(path, F_OK) == 0;
}

/*
 * Returns the word that the name is, or is meant to be: few of its letters are
 * wrong.  NULL: there is none.
 */
static const struct prof_word *
find_word(const char *name)
{
	const struct prof_word *nearest = NULL;
	size_t best = strlen(name) / LETTERS_AN_ERROR + 1;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t own = edit_distance(name, words[i].word);

		if (own < best) {
			best = own;
			nearest = &words[i];
		}
	}
	return nearest;
}

/*
 * Returns whether the name is a command of prof.  main() has run it if it was
 * the first word and no file alone.
 */
static bool
is_own_command(const char *name)
{
	return strcmp(name, "record") == 0 || strcmp(name, "doctor") == 0;
}

bool
prof_words_explain(const char *name, struct fault *f)
{
	const struct prof_word *meant;

	if (access(name, F_OK) == 0)
		return false;
	meant = find_word(name);
	if (meant != NULL) {
		fault_set(f, is_own_command(name) ?
		    "is no file, and as a command of prof it must be the first "
		    "word" : "is no file, and prof has no such command",
		    FAULT_NO_OFFSET, 0);
		f->file = name;
		f->remedy = meant->remedy;
		return true;
	}
	if (!is_process(name))
		return false;
	fault_set(f, "is the number of a process", FAULT_NO_OFFSET, 0);
	f->file = name;
	f->remedy = "name the profile that it writes, or see tprof top PID";
	return true;
}

bool
prof_words_ask_for_help(int argc, char **argv)
{
	return argc == 2 && (strcmp(argv[1], "-h") == 0 ||
	    (strcmp(argv[1], "help") == 0 && access("help", F_OK) != 0));
}
