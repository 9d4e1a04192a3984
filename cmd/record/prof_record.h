/*
 * Context: O.  prof record: runs a command under libmon.so and says what was
 * recorded; doc/design/record.md.
 */
#ifndef PROF_RECORD_H
#define PROF_RECORD_H

/*
 * Runs the command that argv names behind its options; NULL ends argv.
 * Prints faults and the summary on standard error.  Returns the exit status for
 * main(): that of the command, 128 + N if signal N ended it; 127 or 126 if it
 * could not be run; 1 if its profile could not be made or read; 2 for wrong use
 * or a command that cannot be profiled.
 */
int prof_record_run(char **argv);

#endif
