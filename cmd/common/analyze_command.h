/*
 * Context: O.  Runs tprof analyze and tpfmt, which list the contents of a
 * tprof.out.
 */
#ifndef ANALYZE_COMMAND_H
#define ANALYZE_COMMAND_H

/*
 * Runs the command with its options; argv[0] is its name, "analyze" or "tpfmt".
 * file: the file to read if the user names none; "-" is standard input.  usage:
 * the text of --help.  Returns the exit status.
 */
int analyze_command_run(int argc, char **argv, const char *file,
    const char *usage);

#endif
