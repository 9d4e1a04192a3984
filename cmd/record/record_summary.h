/*
 * Context: O.  Says what prof record has recorded.  prof_record.c fills the
 * struct record_run, in record_kernel() for a recording by the kernel, and
 * calls record_summary_print() when the command has ended.
 */
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include "record/record_options.h"
#include "record/record_output.h"

#include <stdint.h>

/* A run that has ended. */
struct record_run {
	const struct record_options *set;
	const struct record_output *output;
	uint64_t elapsed_ns;
	uint64_t cpu_ns;	/* of the command and what it waited for */
	int status;		/* of the command, as waitpid(2) has it */
	bool ran;		/* the command was executed */
	/* its profile could not be written, which has been reported */
	bool failed;
};

/*
 * Reads the profiles of the run and prints what they have, where they are, and
 * which commands show them, on standard error.  If there is none, prints why,
 * unless r->failed.  The command was run (r->ran).  Returns whether there is a
 * profile.
 */
bool record_summary_print(const struct record_run *r);

#endif
