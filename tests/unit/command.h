/* Context: O.  prof as its user meets it, for tests. */
#ifndef COMMAND_H
#define COMMAND_H

#include "build.h"
#include "compile.h"

#define MS 1000000u

/* For .init of a suite; .fini is compile_fini. */
void command_init(void);

/* The bytes that prof wrote on its standard output and error. */
extern char out[65536], err[65536];

/* Run prof in the directory of compile.h; its exit status. */
int prof(const char *arguments);

void slurp(const char *name, char *text, size_t room);

/*
 * A sealed profile: of 5 parts of `ms`, 3 in user mode and 1 in a call are in
 * samples.
 */
void put(const char *name, int pid, uint64_t ms);

#endif
