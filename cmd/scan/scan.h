/*
 * Context: O.  prof --scan: says of programs and libraries how many of their
 * functions exact call counts can count, without running them.
 */
#ifndef SCAN_H
#define SCAN_H

/*
 * Runs prof --scan.  argv: the words behind "--scan", ended by NULL; changed.
 * Returns the exit status: 0; 1 if a file cannot be scanned, after the others
 * were, or standard output cannot be written; 2 for wrong use.
 */
int scan_run(char **argv);

#endif
