/*
 * Context: O.  Counts the records of a foreign file that are left out; the
 * readers of the formats and the sink in read_import.c call it.
 */
#include "import.h"

void
import_skip(struct import *x, const char *what)
{
	if (x->skipped.count++ != 0)
		return;
	x->skipped.what = what;
	x->skipped.first = x->line != 0 ? x->line : x->offset;
}
