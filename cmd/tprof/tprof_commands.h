/*
 * Context: O.  Declares the commands of tprof(8), for main() in tprof.c; each
 * has a file of its own, tprof_top() in cmd/top.  The exit statuses are used by
 * tpfmt, too.
 */
#ifndef TPROF_COMMANDS_H
#define TPROF_COMMANDS_H

/* Exit statuses of tprof. */
enum { TPROF_GOOD = 0, TPROF_DATA = 1, TPROF_WRONG_USE = 2 };

/*
 * Runs one command: tprof_analyze(), tprof_count(), tprof_list(),
 * tprof_monitor() or tprof_top().  argv[0] is not looked at; options and other
 * words follow, and NULL ends argv.  Returns the exit status; for
 * tprof_monitor() and tprof_count() this is that of the program that they ran.
 */
int tprof_analyze(char **argv);
int tprof_count(char **argv);
int tprof_list(char **argv);
int tprof_monitor(char **argv);
int tprof_top(char **argv);

#endif
