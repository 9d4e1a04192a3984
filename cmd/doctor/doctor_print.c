/*
 * Context: O.  Prints results for the checks of prof doctor; see
 * doctor_print.h.
 */
#include "doctor/doctor_print.h"

void
doctor_print(FILE *out, enum doctor_state state, const char *what,
    const char *found, const char *remedy)
{
	static const char *const words[] = { "ok", "less", "FAILS" };

	fprintf(out, "%-5s  %-15s  %s\n", words[state], what, found);
	if (state != DOCTOR_GOOD && remedy != NULL)
		fprintf(out, "%24s-> %s\n", "", remedy);
}
