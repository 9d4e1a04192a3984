/*
 * Context: O.  The formats of other profilers that can be read, and their
 * names, for options (cmd/), the list of input files (core/load) and messages.
 * The functions are in import.c.
 */
#ifndef IMPORT_FORMAT_H
#define IMPORT_FORMAT_H

/*
 * Formats in the order in which they are tried, from those with a clear mark at
 * the start down to any text with numbers.
 */
enum import_format {
	IMPORT_NONE,
	IMPORT_GPERFTOOLS,
	IMPORT_PPROF,
	IMPORT_CALLGRIND,
	IMPORT_PERF,
	IMPORT_FOLDED,
	IMPORT_FORMATS,
	/* tprof.out, which read_tprof_add() reads */
	IMPORT_TPROF = IMPORT_FORMATS,
};

/*
 * Returns the name of a format as users type it, such as "folded", or NULL for
 * a number without one.
 */
const char *import_format_name(unsigned format);

/*
 * Returns the title of a format that import_open() has found, for messages,
 * such as "folded stacks".  `format` must be neither IMPORT_NONE nor
 * IMPORT_TPROF.
 */
const char *import_format_title(enum import_format format);

#endif
