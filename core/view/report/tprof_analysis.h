/*
 * Context: O.  Lists the samples of a tprof.out in the format of tprof(8).
 * cmd/common/analyze_command.c calls it for tprof analyze and for tpfmt.  It
 * makes a model of its own of the file's bytes, and finds the names.
 */
#ifndef TPROF_ANALYSIS_H
#define TPROF_ANALYSIS_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Selects the contents of the listing. */
struct tprof_analysis_options {
	bool merge_cpus, merge_lwps, merge_processes;
	bool kernel;		/* only samples in the kernel */
	bool symbols;	/* one line for each symbol, not for each address */
	bool one;		/* only the process `pid` */
	uint32_t pid;
	/* only this event; NULL = all events, one column each */
	const char *event;
};

/* A tprof.out in memory. */
struct tprof_analysis_file {
	const char *name;	/* name as it is shown */
	const unsigned char *bytes;
	size_t size;
};

/*
 * Prints the listing of a file.  If it returns 0, *cut is set to whether the
 * file is truncated; then the listing has what precedes the truncation.
 * Returns 0, or -errno with *f set; *f is also set when 0 is returned if the
 * rest of the file is damaged.
 */
int tprof_analysis_print(FILE *out, const struct tprof_analysis_file *file,
    const struct tprof_analysis_options *o, bool *cut, struct fault *f);

#endif
