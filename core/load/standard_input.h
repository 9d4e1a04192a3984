/*
 * Context: O.  Reads standard input as a file, for prof(1) where the user names
 * "-": readers map files and read parts of them again, and a pipe has neither.
 */
#ifndef STANDARD_INPUT_H
#define STANDARD_INPUT_H

#include "fault.h"

/* Name by which the user asks for standard input. */
#define STANDARD_INPUT		"-"

/* Bytes for the name of the copy. */
#define STANDARD_INPUT_NAME	32

/*
 * Copies standard input to a file in memory, which lasts as long as this
 * process, and stores a name that opens the copy in `name`.  Waits for the end
 * of the input.  Returns 0, or -errno with *f set: a terminal, an error, or no
 * memory.
 */
int standard_input_copy(char name[STANDARD_INPUT_NAME], struct fault *f);

#endif
