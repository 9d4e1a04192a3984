/* Context: O.  The lines of perf script. */
#ifndef PERF_H
#define PERF_H

#include "import.h"

/* That of a sample; event NULL: it is a record of something else. */
struct perf_head {
	struct text comm, event, rest;
	int32_t pid, tid;	/* IMPORT_NOBODY = not known */
	uint64_t period;
	bool has_pid, has_period;
};

/* False: it is no such line. */
bool perf_head(struct text line, struct perf_head *h);
bool perf_frame(struct text line, struct import_frame *to);

/* "file.c:12", of the frame above it; any other is "module[address]". */
void perf_line(struct text line, struct import_frame *to);

#endif
