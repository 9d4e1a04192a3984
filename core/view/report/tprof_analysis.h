/* Context: O.  The samples of a tprof.out as tprof(8) lists them. */
#ifndef TPROF_ANALYSIS_H
#define TPROF_ANALYSIS_H

#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tprof_analysis_options {
	bool merge_cpus, merge_lwps, merge_processes;
	bool kernel;		/* samples of it alone */
	bool symbols;		/* a line each, not one each address */
	bool one;		/* process alone: */
	uint32_t pid;
	const char *event;	/* alone; NULL = all, a column each */
};

struct tprof_analysis_file {
	const char *name;	/* as it is shown */
	const unsigned char *bytes;
	size_t size;
};

/*
 * Prints the listing.  Sets *cut if the file is cut short; then what precedes
 * the cut was listed.  Returns 0, or -errno with *f set; *f is set with 0, too,
 * if the rest of the file is damaged.
 */
int tprof_analysis_print(FILE *out, const struct tprof_analysis_file *file,
    const struct tprof_analysis_options *o, bool *cut, struct fault *f);

#endif
