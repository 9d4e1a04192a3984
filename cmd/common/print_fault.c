/*
 * Context: O.  Prints a fault as one line on standard error, for all tools but
 * proffs; see print_fault.h.
 */
#include "common/print_fault.h"

#include "base/term.h"

#include <stdio.h>
#include <string.h>

static const char *program_name = "prof";

void
print_fault_set_program(const char *program)
{
	program_name = program;
}

void
print_fault(const struct fault *f)
{
	const struct term on_stderr = { .out = stderr };

	fprintf(stderr, "%s: ", program_name);
	if (f->file != NULL) {
		term_text(&on_stderr, *f->file != '\0' ? f->file : "\"\"", 0);
		fprintf(stderr, ": ");
	}
	fprintf(stderr, "%s", f->what);
	if (f->offset != FAULT_NO_OFFSET)
		fprintf(stderr, " at offset %llu",
		    (unsigned long long)f->offset);
	if (f->line != 0)
		fprintf(stderr, " in line %llu", (unsigned long long)f->line);
	if (f->errnum != 0)
		fprintf(stderr, ": %s", strerror(f->errnum));
	if (f->remedy != NULL)
		fprintf(stderr, "; %s", f->remedy);
	fputc('\n', stderr);
}
