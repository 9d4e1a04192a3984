/* Context: O.  tprof analyze and tpfmt: what a tprof.out has, as a list. */
#ifndef ANALYZE_COMMAND_H
#define ANALYZE_COMMAND_H

/*
 * "analyze" or "tpfmt" and its options; `file` is read where none is named, "-"
 * is standard input.  The exit status.
 */
int analyze_command_run(int argc, char **argv, const char *file,
    const char *usage);

#endif
