/* Context: O.  Files of other profilers that are read, by name. */
#ifndef IMPORT_FORMAT_H
#define IMPORT_FORMAT_H

enum import_format {
	IMPORT_NONE,
	IMPORT_GPERFTOOLS,	/* what begins so that it is known ... */
	IMPORT_PPROF,
	IMPORT_CALLGRIND,
	IMPORT_PERF,
	IMPORT_FOLDED,		/* ... down to any text with numbers */
	IMPORT_FORMATS,
	IMPORT_TPROF = IMPORT_FORMATS,	/* ours, which read_tprof_add() reads */
};

/* "folded", as it is asked for; NULL: no such format. */
const char *import_format_name(unsigned format);

/* "folded stacks", as it is told. */
const char *import_format_title(enum import_format format);

#endif
