/* Context: O.  Is a command one that libmon.so can be preloaded into? */
#ifndef PRELOAD_CHECK_H
#define PRELOAD_CHECK_H

#include <stddef.h>

enum preload_check {
	PRELOAD_CHECK_OK,
	PRELOAD_CHECK_NOT_FOUND,
	/* it is there, and may not be executed */
	PRELOAD_CHECK_NOT_RUN,
	PRELOAD_CHECK_STATIC,
	/* privileges: the loader drops LD_PRELOAD */
	PRELOAD_CHECK_PRIVILEGED,
	PRELOAD_CHECK_CPU,		/* ELF class or machine */
	/* another loader: musl's ends the program */
	PRELOAD_CHECK_LIBC,
	/* scripts of scripts, more than are followed */
	PRELOAD_CHECK_NESTED,
	PRELOAD_CHECK_COUNT,
};

/*
 * The command is looked up as execvp(3) does it, and #! followed, by this
 * process: with its user and its PATH.  file, if not NULL, is the one that the
 * verdict is on: of a script its interpreter; "" where there is none.  What may
 * be executed and not be read is taken to be suited.
 */
enum preload_check preload_check_command(const char *command, char *file,
    size_t bytes);

/* What follows its name: "is statically linked"; of SUITED "is suited". */
const char *preload_check_text(enum preload_check s);

#endif
