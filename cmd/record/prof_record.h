/*
 * Context: O.  prof record: runs a command under libmon.so, or under the
 * kernel's samples if libmon.so cannot be in it, and says what was recorded;
 * doc/design/record.md.  main() of prof.c calls this.
 */
#ifndef PROF_RECORD_H
#define PROF_RECORD_H

/*
 * Runs the command that argv names behind its options; NULL ends argv.  Prints
 * faults and the summary on standard error.  Returns the exit status for
 * main(): that of the command, 128 + N if signal N ended it, also if no profile
 * was found; 127 or 126 if it could not be run; 1 if there is no place for the
 * profile or the recording could not begin, or if the kernel's samples could
 * not be written; 2 for wrong use or a command that cannot be profiled.  It is
 * 0 after --help.
 */
int prof_record_run(char **argv);

#endif
