/* Context: O.  The commands of tprof(8), one file each. */
#ifndef TPROF_COMMANDS_H
#define TPROF_COMMANDS_H

enum { TPROF_GOOD = 0, TPROF_DATA = 1, TPROF_WRONG_USE = 2 };

/*
 * argv[0] is the name of the command, NULL the last.  The exit status, which
 * of `monitor` and `count` is that of the program that they ran.
 */
int tprof_analyze(int argc, char **argv);
int tprof_count(int argc, char **argv);
int tprof_list(int argc, char **argv);
int tprof_monitor(int argc, char **argv);
int tprof_top(int argc, char **argv);

#endif
