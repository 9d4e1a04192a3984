/* Context: O.  Is a command one that libmon.so can be preloaded into? */
#ifndef SUITED_H
#define SUITED_H

#include <stddef.h>

enum suited {
	SUITED,
	SUITED_NOT_FOUND,
	SUITED_NOT_RUN,		/* it is there, and may not be executed */
	SUITED_STATIC,
	SUITED_GAINS,		/* privileges: the loader drops LD_PRELOAD */
	SUITED_CPU,		/* ELF class or machine */
	SUITED_LIBC,		/* another loader: musl's ends the program */
	SUITED_NESTED,		/* scripts of scripts, more than are followed */
	SUITED_COUNT,
};

/*
 * The command is looked up as execvp(3) does it, and #! followed, by this
 * process: with its user and its PATH.  file, if not NULL, is the one that the
 * verdict is on: of a script its interpreter; "" where there is none.  What may
 * be executed and not be read is taken to be suited.
 */
enum suited suited_check(const char *command, char *file, size_t bytes);

/* What follows its name: "is statically linked"; of SUITED "is suited". */
const char *suited_words(enum suited s);

#endif
