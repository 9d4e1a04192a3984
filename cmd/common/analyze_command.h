/*
 * Context: O.  Runs tprof analyze and tpfmt, which list the contents of a
 * tprof.out.  main() of tpfmt.c and tprof_analyze() call this.
 */
#ifndef ANALYZE_COMMAND_H
#define ANALYZE_COMMAND_H

/*
 * Runs the command with the options in argv, which NULL ends; argv[0] is not
 * looked at.  program: how its messages begin, "tprof analyze" or "tpfmt".
 * file: the file to read if the user names none; "-" is standard input.  Prints
 * on standard output, and faults on standard error.  Returns the exit status.
 */
int analyze_command_run(char **argv, const char *program, const char *file);

#endif
