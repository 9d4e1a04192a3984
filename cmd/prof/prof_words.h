/*
 * Context: O.  Answers words that users type by habit or mistype.  main() of
 * prof asks for "prof -h", prof_input.c for each name of a file that is to be
 * read.
 */
#ifndef PROF_WORDS_H
#define PROF_WORDS_H

#include "fault.h"

#include <stdbool.h>

/*
 * Sets *f to what to type instead, and returns true, if no file has that name
 * and it is a command of another profiler, one of prof that has a typing error
 * or is not the first word, or the number of a process.  The strings in *f are
 * borrowed: name, or static.
 */
bool prof_words_explain(const char *name, struct fault *f);

/*
 * Returns whether the command line is "prof -h", although -h is an option of
 * the classic prof, or "prof help", unless there is a file of that name.
 */
bool prof_words_ask_for_help(int argc, char **argv);

#endif
